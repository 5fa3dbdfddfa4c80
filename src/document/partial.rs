//! Some of the changes of a file, made in its old side or taken back in its new one: what `git add -p` and
//! `git apply --cached` would make of a selection. Pure: the whole text comes in, the whole text goes out.
//!
//! The text must be just what the section shows of it: every line of every hunk concerned is compared.

use std::borrow::Cow;
use std::fmt;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Section;
use super::tree::{Hunk, HunkLine, HunkLineKind};
use crate::diff::LineKind;
use crate::text::lines::Lines;

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

    #[test]
    fn another_text_is_left_alone() {
        for (base, line) in [("a\nb\nx\nd\n", 3), ("a\nb\n", 3), ("", 1), ("a\nb\nc\nd", 4), ("a\r\nb\nc\nd\n", 1)] {
            assert_eq!(after(HUNK, &[1], Direction::Forward, base), Err(Unfit::Other(line)), "{base:?}");
        }
        assert_eq!(after(HUNK, &[0], Direction::Forward, "a\nb\nc\nd\n"), Err(Unfit::Nothing));
        assert_eq!(after("@@ @@\n-b\n", &[0], Direction::Forward, "b\n"), Err(Unfit::Loose));
    }
}
