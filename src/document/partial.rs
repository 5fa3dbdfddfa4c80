//! Some of the changes of a file, made in its old side or taken back in its new one: what `git add -p` and
//! `git apply --cached` would make of a selection. Pure: the whole text comes in, the whole text goes out.
//!
//! The text must be just what the section shows of it: every line of every hunk concerned is compared.

mod made;

use std::borrow::Cow;
use std::fmt;

use super::Section;
use super::tree::{Hunk, HunkLineKind};
use crate::diff::LineKind;
use crate::text::lines::Lines;

pub use made::{carried, made};

/// Which way a change is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// In the old side: added lines come, removed lines go.
    Forward,
    /// In the new side: added lines go, removed lines come back.
    Reverse,
}

/// Why some changes cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unfit {
    /// Nothing that is chosen is a change.
    Nothing,
    /// The text has another line at this number than the section shows there.
    Other(u64),
    /// A line without a line end would be followed by another one.
    Unended,
    /// A hunk does not say where it stands.
    Loose,
}

impl fmt::Display for Unfit {
    /// A clause that says why.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("no changed line is selected"),
            Self::Other(line) => write!(f, "its line {line} is not what the review shows"),
            Self::Unended => {
                f.write_str("the last line has no line end: select it with the lines that come or go behind it")
            }
            Self::Loose => f.write_str("a hunk does not say at which line it stands"),
        }
    }
}

/// What becomes of a line of the text in which changes are made, or of one that comes to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// It is there and stays.
    Stays,
    /// It is there and goes.
    Goes,
    /// It is not there and comes.
    Comes,
}

/// `base` with those changes that `is_chosen` names, by index into the tree's lines, made in it (forward: `base` is the old
/// side) or taken back (reverse: `base` is the new side).
///
/// # Errors
/// When the text is not what the section shows, or the changes chosen do not go without others.
pub fn applied(
    section: &Section,
    is_chosen: impl Fn(u32) -> bool,
    direction: Direction,
    base: &[u8],
) -> Result<Vec<u8>, Unfit> {
    let lines: Vec<&[u8]> = Lines::from(base, 0).map(|span| span.of(base)).collect();
    let (mut out, mut at, mut is_changed): (Vec<Cow<'_, [u8]>>, usize, bool) = (Vec::new(), 0, false);
    let is_made = |_| direction == Direction::Reverse;
    let is_touched = |hunk: &&Hunk| fates(section, hunk, &is_made, &is_chosen).any(|(_, fate)| fate != Fate::Stays);
    for hunk in section.tree().hunks.iter().filter(is_touched) {
        if hunk.loose {
            return Err(Unfit::Loose);
        }
        let first = first_line(hunk, direction);
        let start = first.checked_sub(1).and_then(|start| usize::try_from(start).ok());
        let start = start.filter(|start| (at..=lines.len()).contains(start)).ok_or(Unfit::Other(first))?;
        out.extend(lines[at..start].iter().map(|line| Cow::Borrowed(*line)));
        at = start;
        for (index, fate) in fates(section, hunk, &is_made, &is_chosen) {
            let text = text(section, hunk, index);
            if fate == Fate::Comes {
                out.push(Cow::Owned(text));
                continue;
            }
            let line = lines.get(at).filter(|line| **line == text).ok_or(Unfit::Other(at as u64 + 1))?;
            out.extend((fate == Fate::Stays).then_some(Cow::Borrowed(*line)));
            at += 1;
        }
        is_changed = true;
    }
    if !is_changed {
        return Err(Unfit::Nothing);
    }
    out.extend(lines[at..].iter().map(|line| Cow::Borrowed(*line)));
    let inner = out.len().saturating_sub(1);
    if out[..inner].iter().all(|line| line.ends_with(b"\n")) { Ok(out.concat()) } else { Err(Unfit::Unended) }
}

/// The number that the first line of `hunk` has in the text in which changes are made.
fn first_line(hunk: &Hunk, direction: Direction) -> u64 {
    match direction {
        Direction::Forward => hunk.first_old,
        Direction::Reverse => hunk.first_new,
    }
}

/// The lines of `hunk` that are in a text, or come to it, by index into the tree's lines. Of the changes, those that
/// `is_made` names are made in the text, and those that `is_turned` names are to be made, or taken back where they are made.
pub fn fates<'a>(
    section: &'a Section,
    hunk: &'a Hunk,
    is_made: &'a impl Fn(u32) -> bool,
    is_turned: &'a impl Fn(u32) -> bool,
) -> impl Iterator<Item = (u32, Fate)> + 'a {
    hunk.lines.clone().zip(section.tree().hunk_lines(hunk)).filter_map(move |(index, line)| {
        let is_there = match line.kind {
            HunkLineKind::Diff(LineKind::Context) | HunkLineKind::Unprefixed => return Some((index, Fate::Stays)),
            HunkLineKind::Diff(LineKind::Removed) => !is_made(index),
            HunkLineKind::Diff(LineKind::Added) => is_made(index),
            HunkLineKind::Diff(LineKind::NoNewline)
            | HunkLineKind::Separator
            | HunkLineKind::Comment
            | HunkLineKind::Stray => return None,
        };
        match (is_there, is_turned(index)) {
            (true, true) => Some((index, Fate::Goes)),
            (true, false) => Some((index, Fate::Stays)),
            (false, true) => Some((index, Fate::Comes)),
            (false, false) => None,
        }
    })
}

/// Whether the line with index `index` has no line end.
#[must_use]
pub fn is_unended(section: &Section, hunk: &Hunk, index: u32) -> bool {
    let behind = section.tree().lines[index as usize + 1..hunk.lines.end as usize].iter();
    let mut said = behind.filter_map(|line| match line.kind {
        HunkLineKind::Separator | HunkLineKind::Comment | HunkLineKind::Stray => None,
        kind => Some(kind == HunkLineKind::Diff(LineKind::NoNewline)),
    });
    said.next().unwrap_or(false)
}

/// A line as it is in a text, with its end if it has one.
fn text(section: &Section, hunk: &Hunk, index: u32) -> Vec<u8> {
    let text = section.line_text(&section.tree().lines[index as usize]);
    if is_unended(section, hunk, index) { text.to_vec() } else { [text, b"\n"].concat() }
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice as _;

    use super::*;
    use crate::document::Document;

    /// What becomes of `base` when the lines of `chosen` are changed.
    fn after(hunks: &str, chosen: &[u32], direction: Direction, base: &str) -> Result<String, Unfit> {
        let document = Document::parse(format!("@file a modified\n{hunks}"));
        let made = applied(&document.parts()[1], |line| chosen.contains(&line), direction, base.as_bytes());
        made.map(|text| text.to_str().expect("it is UTF-8").to_owned())
    }

    const HUNK: &str = "@@ -1,4 +1,4 @@\n a\n-b\n-c\n+B\n+C\n d\n";

    #[test]
    fn a_selection_is_made_or_taken_back() {
        use Direction::*;
        for (chosen, direction, base, want) in [
            (&[1, 2, 3, 4][..], Forward, "a\nb\nc\nd\n", "a\nB\nC\nd\n"),
            (&[1], Forward, "a\nb\nc\nd\n", "a\nc\nd\n"),
            (&[3], Forward, "a\nb\nc\nd\n", "a\nb\nc\nB\nd\n"),
            (&[1, 3], Forward, "a\nb\nc\nd\ne", "a\nc\nB\nd\ne"),
            (&[1, 2, 3, 4], Reverse, "a\nB\nC\nd\n", "a\nb\nc\nd\n"),
            (&[2], Reverse, "a\nB\nC\nd\n", "a\nc\nB\nC\nd\n"),
            (&[4], Reverse, "a\nB\nC\nd\n", "a\nB\nd\n"),
        ] {
            assert_eq!(after(HUNK, chosen, direction, base).as_deref(), Ok(want), "{chosen:?} {direction:?}");
        }
    }

    #[test]
    fn files_that_come_and_go_and_ends_without_a_line_end() {
        use Direction::*;
        let new = "@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file\n";
        assert_eq!(after(new, &[0, 1], Forward, "").as_deref(), Ok("a\nb"));
        assert_eq!(after(new, &[0], Forward, "").as_deref(), Ok("a\n"));
        assert_eq!(after(new, &[0, 1], Reverse, "a\nb").as_deref(), Ok(""));
        let ended = "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+b\n";
        assert_eq!(after(ended, &[0, 2, 3], Forward, "a").as_deref(), Ok("a\nb\n"));
        assert_eq!(after(ended, &[3], Forward, "a"), Err(Unfit::Unended));
        assert_eq!(after(ended, &[0], Reverse, "a\nb\n").as_deref(), Err(&Unfit::Unended));
    }

    #[test]
    fn another_text_is_left_alone() {
        for (base, line) in [("a\nb\nx\nd\n", 3), ("a\nb\n", 3), ("", 1), ("a\nb\nc\nd", 4), ("a\r\nb\nc\nd\n", 1)] {
            assert_eq!(after(HUNK, &[1], Direction::Forward, base), Err(Unfit::Other(line)), "{base:?}");
        }
        assert_eq!(after(HUNK, &[0], Direction::Forward, "a\nb\nc\nd\n"), Err(Unfit::Nothing));
        assert_eq!(after("@@ @@\n-b\n", &[0], Direction::Forward, "b\n"), Err(Unfit::Loose));
    }
}
