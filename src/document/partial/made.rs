//! Which changes of a file a text has that was made of its old side: what is staged of a diff from HEAD to the working tree.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::super::Section;
use super::super::tree::{HunkLine, HunkLineKind};
use super::text;
use crate::diff::LineKind;
use crate::text::lines::Lines;

/// Which of its changes are made in `text`, as ascending indices into the tree's lines, where `old` is the old side and
/// `text` that with some of them made; `None` when it is something else, or it takes too long to find out.
///
/// Where lines are the same, a text may be made in several ways. `known`, ascending too, is what somebody knows or believes
/// to be made: the way that differs least from it is taken, of those the one with the fewest runs of changes, and then the
/// one with the first of the same lines.
#[must_use]
pub fn made(section: &Section, old: &[u8], text: &[u8], known: &[u32]) -> Option<Vec<u32>> {
    let [old, text] = [old, text].map(|text| Lines::from(text, 0).map(|span| span.of(text)).collect::<Vec<_>>());
    let items = items(section, &old)?;
    if is_made_of(&items, &text, known) {
        let is_change = |line: &u32| section.tree().lines.get(*line as usize).is_some_and(HunkLine::is_change);
        return Some(known.iter().copied().filter(is_change).collect());
    }
    let mut rest = Rest::of(&items);
    // How the text can be made as far as each item: the cheapest way to each place.
    let mut ways = vec![vec![Way::default()]];
    let mut steps = 0;
    for item in &items {
        let here = ways.last()?;
        rest.take(item);
        let mut behind = Vec::with_capacity(here.len() + 1);
        for (from, way) in (0..).zip(here) {
            let is_fit = |way: &Way| rest.can_follow(text.len().checked_sub(way.at));
            behind.extend(item.ways(&text, *way, from, known).into_iter().flatten().filter(is_fit));
        }
        behind.sort_unstable_by_key(|way| (way.at, way.is_made, way.cost, way.from));
        behind.dedup_by_key(|way| (way.at, way.is_made));
        steps += behind.len();
        if steps > MOST_STEPS {
            return None;
        }
        ways.push(behind);
    }
    // What is not fit to be followed by nothing is not at the end.
    let last = ways.last()?;
    let mut from = last.iter().enumerate().min_by_key(|(_, way)| (way.cost, way.is_made))?.0;
    let mut made = Vec::new();
    for (item, ways) in items.iter().zip(&ways[1..]).rev() {
        let way = ways[from];
        if let (Item::Change(_, index, _), true) = (item, way.is_made) {
            made.push(*index);
        }
        from = way.from as usize;
    }
    made.reverse();
    Some(made)
}

/// The most places that are tried to find out what is made.
const MOST_STEPS: usize = 2_000_000;

/// A way to make a text as far as some item.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// So many lines of the text are in front of what comes next.
    at: usize,
    /// Whether the last item is a change that is made.
    is_made: bool,
    /// How many changes are not what is believed of them, and how many runs there are.
    cost: (u32, u32),
    /// Which of the ways to the item before it goes on from.
    from: u32,
}

/// How many lines the items that are left have, at least and at most.
struct Rest {
    least: usize,
    most: usize,
}

impl Rest {
    fn of(items: &[Item<'_>]) -> Self {
        let kept = items.iter().map(|item| if let Item::Kept(lines) = item { lines.len() } else { 0 }).sum();
        let changes = items.iter().filter(|item| matches!(item, Item::Change(..))).count();
        Self { least: kept, most: kept + changes }
    }

    fn take(&mut self, item: &Item<'_>) {
        match item {
            Item::Kept(lines) => (self.least, self.most) = (self.least - lines.len(), self.most - lines.len()),
            Item::Change(..) => self.most -= 1,
        }
    }

    /// Whether they may be the `left` lines of the text.
    fn can_follow(&self, left: Option<usize>) -> bool {
        left.is_some_and(|left| (self.least..=self.most).contains(&left))
    }
}

/// What a text with some changes made consists of.
enum Item<'a> {
    /// Lines that are there in any case.
    Kept(&'a [&'a [u8]]),
    /// A line that is there or not: its kind, its index, and its bytes.
    Change(LineKind, u32, Vec<u8>),
}

impl Item<'_> {
    /// The ways behind it, where `way` leads to it and is number `from`.
    fn ways(&self, text: &[&[u8]], way: Way, from: u32, known: &[u32]) -> [Option<Way>; 2] {
        match self {
            Self::Kept(lines) => {
                let behind = way.at + lines.len();
                let is_there = text.get(way.at..behind) == Some(*lines);
                [is_there.then_some(Way { at: behind, is_made: false, from, ..way }), None]
            }
            Self::Change(kind, index, line) => {
                let is_there = text.get(way.at).is_some_and(|there| **there == **line);
                let is_known = known.binary_search(index).is_ok();
                [false, true].map(|is_made| {
                    let takes = is_made == (*kind == LineKind::Added);
                    let (odd, runs) = way.cost;
                    let cost = (odd + u32::from(is_made != is_known), runs + u32::from(is_made && !way.is_made));
                    (is_there || !takes).then_some(Way { at: way.at + usize::from(takes), is_made, cost, from })
                })
            }
        }
    }
}

/// Those of the lines `of` in `before`, ascending indices into its tree's lines, that `after` has as well, likewise: the same
/// file by another diff. None where finding them again would take long.
#[must_use]
pub fn carried(before: &Section, of: &[u32], after: &Section) -> Vec<u32> {
    let [old, new] = [before, after].map(|section| {
        let lines = section.tree().lines.iter();
        lines.map(|line| (line.kind, section.line_text(line))).collect::<Vec<_>>()
    });
    if old.len().max(new.len()) > MOST_CARRIED && old != new {
        return Vec::new();
    }
    let same = capture_diff_slices(Algorithm::Myers, &old, &new).into_iter().filter_map(|run| match run {
        DiffOp::Equal { old_index, new_index, len } => Some((old_index, new_index, len)),
        _ => None,
    });
    let lines = same.flat_map(|(old, new, len)| (old..old + len).zip(new..));
    lines
        .filter_map(|(old, new)| {
            of.binary_search(&u32::try_from(old).ok()?).is_ok().then_some(u32::try_from(new).ok()?)
        })
        .collect()
}

/// The most lines of a section among which those of another one are looked for.
const MOST_CARRIED: usize = 20_000;

/// Whether `text` is what the items are when just the changes `known` are made.
fn is_made_of(items: &[Item<'_>], text: &[&[u8]], known: &[u32]) -> bool {
    let mut rest = text;
    for item in items {
        let left = match item {
            Item::Kept(lines) => rest.strip_prefix(*lines),
            Item::Change(kind, index, line) => {
                let takes = known.binary_search(index).is_ok() == (*kind == LineKind::Added);
                if takes {
                    rest.split_first().filter(|(first, _)| ***first == **line).map(|(_, left)| left)
                } else {
                    Some(rest)
                }
            }
        };
        match left {
            Some(left) => rest = left,
            None => return false,
        }
    }
    rest.is_empty()
}

/// The old side and the changes of `section`; `None` where they do not fit.
fn items<'a>(section: &Section, old: &'a [&'a [u8]]) -> Option<Vec<Item<'a>>> {
    let (mut items, mut at) = (Vec::new(), 0);
    for hunk in &section.tree().hunks {
        let start = usize::try_from(hunk.first_old.checked_sub(1)?).ok().filter(|_| !hunk.loose)?;
        items.push(Item::Kept(old.get(at..start)?));
        at = start;
        for (index, line) in hunk.lines.clone().zip(section.tree().hunk_lines(hunk)) {
            let kind = match line.kind {
                HunkLineKind::Diff(kind @ (LineKind::Context | LineKind::Removed | LineKind::Added)) => kind,
                HunkLineKind::Unprefixed => LineKind::Context,
                _ => continue,
            };
            let line = text(section, hunk, index);
            if kind != LineKind::Added {
                old.get(at).filter(|old| ***old == *line)?;
                at += 1;
            }
            items.push(match kind {
                LineKind::Context => Item::Kept(&old[at - 1..at]),
                kind => Item::Change(kind, index, line),
            });
        }
    }
    items.push(Item::Kept(old.get(at..)?));
    Some(items)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::document::partial::{Direction, applied};

    #[test]
    fn what_is_made_is_found_out() {
        let old = "0\na\nb\nc\nd\n9\n10\n";
        let hunks =
            "@@ -2,4 +2,4 @@\n a\n-b\n-c\n+B\n+C\n d\n@@ -7 +7,3 @@\n-10\n+x\n+x\n+10\n\\ No newline at end of file\n";
        let document = Document::parse(format!("@file a modified\n{hunks}"));
        let section = &document.parts()[1];
        let lines: Vec<u32> = section.tree().changes().collect();
        for chosen in 0..1usize << lines.len() {
            let chosen: Vec<u32> =
                lines.iter().enumerate().filter(|(at, _)| chosen >> at & 1 == 1).map(|(_, line)| *line).collect();
            let with = |chosen: &[u32]| match chosen {
                [] => Ok(old.as_bytes().to_vec()),
                _ => applied(section, |line| chosen.contains(&line), Direction::Forward, old.as_bytes()),
            };
            let Ok(text) = with(&chosen) else { continue };
            assert_eq!(made(section, old.as_bytes(), &text, &chosen).as_ref(), Some(&chosen));
            let found = made(section, old.as_bytes(), &text, &[]).expect("it is made of them");
            assert_eq!(with(&found).as_ref(), Ok(&text), "{chosen:?} {found:?}");
            assert_eq!(found.len(), chosen.len(), "{chosen:?} {found:?}");
        }
        for other in ["", "0\na\nb\nc\nd\n9\nten", "0\na\nb\nx\nd\n9\n10\n", "a\nb\nc\nd\n9\n10\n"] {
            assert_eq!(made(section, old.as_bytes(), other.as_bytes(), &[]), None, "{other:?}");
        }
        assert_eq!(made(section, b"another", b"another", &[]), None);
    }

    #[test]
    fn of_the_same_lines_those_are_made_that_are_known_then_those_next_to_others() {
        let hunks = "@@ -1 +1,7 @@\n top\n+}\n+\n+a {\n+}\n+\n+b {\n+}\n";
        let document = Document::parse(format!("@file f modified\n{hunks}"));
        for (text, known, want) in [
            ("top\n}\n", &[][..], &[1][..]),
            ("top\n}\n", &[4], &[4]),
            ("top\n}\n}\n", &[4], &[1, 4]),
            ("top\n}\n}\n", &[7], &[1, 7]),
            ("top\n}\n", &[4, 7], &[4]),
            ("top\n\nb {\n}\n", &[], &[5, 6, 7]),
            ("top\n\nb {\n}\n", &[2], &[2, 6, 7]),
            ("top\n", &[1, 4], &[]),
        ] {
            let found = made(&document.parts()[1], b"top\n", text.as_bytes(), known);
            assert_eq!(found.as_deref(), Some(want), "{text:?} {known:?}");
        }
    }
}
