//! Random texts and their changes, and the patch of some of them that somebody would write by hand.

use bstr::ByteSlice as _;
use whymark::diff::LineKind;
use whymark::document::{HunkLineKind, Section};

use super::Dice;

/// A text of a few lines, some of them the same, some with CRLF, perhaps without an end.
pub(crate) fn text(dice: &mut Dice) -> Vec<u8> {
    let words = ["a", "b", "c", "}", "", "x\r", "é", "-- ", "+++ b"];
    let count = dice.roll(14);
    let mut text: Vec<u8> =
        (0..count).flat_map(|_| [words[dice.roll(words.len())].as_bytes(), b"\n"].concat()).collect();
    if dice.roll(4) == 0 {
        text.pop();
    }
    text
}

/// `text` with some lines changed, added or taken away.
pub(crate) fn edited(dice: &mut Dice, text: &[u8]) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.lines_with_terminator().map(<[u8]>::to_vec).collect();
    for _ in 0..=dice.roll(4) {
        let at = dice.roll(lines.len() + 1);
        match dice.roll(3) {
            0 => lines.insert(at, b"new\n".to_vec()),
            1 if at < lines.len() => drop(lines.remove(at)),
            _ if at < lines.len() => lines[at] = b"other\n".to_vec(),
            _ => {}
        }
    }
    let mut after = lines.concat();
    if dice.roll(4) == 0 {
        after.pop_if(|byte| *byte == b'\n');
    }
    after
}

/// The minimal patch of the lines `turned`, as `git add -p` writes it for an answer that was edited, for a text in which the
/// changes `made` are made: lines that are not turned are context where the text has them, and nothing where it has not. It
/// is made by its own rules, for comparison.
pub(crate) fn patch(section: &Section, made: &[u32], turned: &[u32]) -> Vec<u8> {
    let tree = section.tree();
    let mut out = b"--- a/f\n+++ b/f\n".to_vec();
    let (mut shift, mut shift_of_made) = (0i64, 0i64);
    for hunk in &tree.hunks {
        let (mut body, mut counts) = (Vec::new(), [0i64; 2]);
        let first = i64::try_from(hunk.first_old).expect("files are small here") + shift_of_made;
        let mut is_kept = false;
        for (index, line) in hunk.lines.clone().zip(tree.hunk_lines(hunk)) {
            let HunkLineKind::Diff(kind) = line.kind else { continue };
            let (is_made, is_turned) = (made.contains(&index), turned.contains(&index));
            let is_there = match kind {
                LineKind::NoNewline => {
                    if is_kept {
                        body.extend_from_slice(b"\\ No newline at end of file\n");
                    }
                    continue;
                }
                LineKind::Context => true,
                LineKind::Removed => !is_made,
                LineKind::Added => is_made,
            };
            if is_made {
                shift_of_made += if kind == LineKind::Added { 1 } else { -1 };
            }
            let sign = match (is_there, is_turned) {
                (true, false) => Some(b' '),
                (true, true) => Some(b'-'),
                (false, true) => Some(b'+'),
                (false, false) => None,
            };
            is_kept = sign.is_some();
            let Some(sign) = sign else { continue };
            counts[0] += i64::from(sign != b'+');
            counts[1] += i64::from(sign != b'-');
            body.push(sign);
            body.extend_from_slice(section.line_text(line));
            body.push(b'\n');
        }
        if !hunk.lines.clone().any(|line| turned.contains(&line)) {
            continue;
        }
        let start = |first: i64, count: i64| if count == 0 { first - 1 } else { first };
        let (old, new) = (start(first, counts[0]), start(first + shift, counts[1]));
        out.extend(format!("@@ -{old},{} +{new},{} @@\n", counts[0], counts[1]).into_bytes());
        out.extend(body);
        shift += counts[1] - counts[0];
    }
    out
}
