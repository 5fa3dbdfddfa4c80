//! The lines of a section as text, and where such a text stands.

use std::borrow::Cow;

use super::super::form::Target;
use super::super::talk::Comment;
use crate::capture::{Neighbours, REACH};
use crate::document::{FileStatus, Hunk, Section, Selector, Side, named_lines};

/// The lines of `text` without the blanks at their ends.
pub(super) fn without_blanks(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The numbers of the lines among `lines`, all those of a file from the first on, that read `content`: where they do so in
/// one place alone, and one of them says something that no other line of the file says.
pub(super) fn only_place<'a>(lines: impl Iterator<Item = Cow<'a, str>>, content: &str) -> Option<(u64, u64)> {
    let lines: Vec<Cow<'_, str>> = lines.collect();
    let lines: Vec<&str> = lines.iter().map(|line| line.trim_end()).collect();
    let wanted: Vec<&str> = content.split('\n').collect();
    let mut places = lines.windows(wanted.len()).enumerate().filter(|(_, window)| *window == wanted);
    let ((first, _), None) = (places.next()?, places.next()) else { return None };
    let says = |line: &&&str| line.chars().any(char::is_alphanumeric);
    let is_only = |line: &&str| lines.iter().filter(|other| *other == line).count() == 1;
    let first = u64::try_from(first).ok()? + 1;
    wanted.iter().filter(says).any(is_only).then_some((first, first + wanted.len() as u64 - 1))
}

/// The lines of the new side of a section that shows all of it.
pub(super) fn lines_of_new_side(section: &Section) -> impl Iterator<Item = Cow<'_, str>> {
    let hunks = section.tree().hunks.iter();
    hunks.flat_map(|hunk| lines_of_side(section, hunk, Side::New)).map(|(_, text)| text)
}

/// Whether a file is another one now than that of which `content` holds the text, or a piece of it, as far as `section`
/// shows it. What it does not show is taken to be as it was; where there is no file, nothing is.
pub(super) fn has_moved_on(section: &Section, content: &str) -> bool {
    let tree = section.tree();
    let is_all_shown = tree.file.as_ref().is_none_or(|file| file.status == FileStatus::Context);
    let text = |hunk: &Hunk, side| {
        let text = quoted(section, (hunk.lines.start, hunk.lines.end.saturating_sub(1)), side);
        without_blanks(&text).trim_matches('\n').to_owned()
    };
    let holds = |text: &str| !text.is_empty() && content.contains(text);
    let (mut holds_now, mut holds_before, mut lacks) = (false, false, false);
    for hunk in &tree.hunks {
        let (now, before) = (text(hunk, Side::New), text(hunk, Side::Old));
        if now.contains(content) {
            return false;
        }
        match holds(&now) {
            true => holds_now = true,
            false if holds(&before) => holds_before = true,
            false => lacks |= !now.is_empty(),
        }
    }
    // A piece from between the hunks holds none of them.
    is_all_shown || holds_before || holds_now && lacks
}

/// Where the lines of `comment` are: those that it names if they still read the same, unless another place has more of the
/// neighbours that they had; else the one that has the most, and has some.
pub(super) fn lines_again(section: &Section, comment: &Comment) -> Option<(u32, u32)> {
    let Target { selector, quote, .. } = comment.target();
    let quote = quote.filter(|_| !comment.is_lost)?;
    let (tree, side) = (section.tree(), selector.side);
    let named = named_lines(tree, selector).filter(|range| quoted(section, *range, side) == quote);
    let all = || {
        let wanted: Vec<&str> = quote.split('\n').collect();
        let reads = |window: &[(u32, Cow<'_, str>)]| window.iter().map(|(_, text)| text).eq(&wanted);
        let places = tree.hunks.iter().flat_map(|hunk| {
            let lines = lines_of_side(section, hunk, side);
            let found = lines.windows(wanted.len()).filter(|window| reads(window));
            found.map(|window| (window[0].0, window[window.len() - 1].0)).collect::<Vec<_>>()
        });
        places.collect()
    };
    let fit =
        |(first, last): &(u32, u32)| comment.neighbours.fit(above(section, *first, side), below(section, *last, side));
    comment.neighbours.choose(named, all, fit)
}

/// What stands next to the lines that `selector` names, as far as the diff shows it.
#[must_use]
pub fn neighbours(section: &Section, selector: Selector) -> Neighbours {
    let Some((first, last)) = named_lines(section.tree(), selector) else { return Neighbours::default() };
    let text = |line: &[u8]| String::from_utf8_lossy(line).into_owned();
    Neighbours {
        above: above(section, first, selector.side).take(REACH).map(text).collect(),
        below: below(section, last, selector.side).take(REACH).map(text).collect(),
    }
}

/// The lines of a side that stand above the line `first` in its hunk, upwards.
fn above(section: &Section, first: u32, side: Side) -> impl Iterator<Item = &[u8]> {
    let hunk = hunk_of(section, first);
    hunk.into_iter().flat_map(move |hunk| {
        let lines = (hunk.lines.start..first).rev();
        lines.filter_map(move |line| line_of_side(section, hunk, line, side))
    })
}

/// The lines of a side that stand below the line `last` in its hunk.
fn below(section: &Section, last: u32, side: Side) -> impl Iterator<Item = &[u8]> {
    let hunk = hunk_of(section, last);
    hunk.into_iter().flat_map(move |hunk| {
        let lines = last + 1..hunk.lines.end;
        lines.filter_map(move |line| line_of_side(section, hunk, line, side))
    })
}

fn hunk_of(section: &Section, line: u32) -> Option<&Hunk> {
    let tree = section.tree();
    tree.hunk_at(line).map(|hunk| &tree.hunks[hunk])
}

/// The text of a line of `hunk`, if the side has it.
fn line_of_side<'a>(section: &'a Section, hunk: &Hunk, line: u32, side: Side) -> Option<&'a [u8]> {
    let line = &section.tree().lines[line as usize];
    let is_there = match side {
        Side::Old => line.old_line(hunk).is_some(),
        _ => line.new_line(hunk).is_some(),
    };
    is_there.then(|| section.line_text(line))
}

/// The lines of one side of a hunk, as indices and text.
fn lines_of_side<'a>(section: &'a Section, hunk: &Hunk, side: Side) -> Vec<(u32, Cow<'a, str>)> {
    let text = |line: u32| Some((line, String::from_utf8_lossy(line_of_side(section, hunk, line, side)?)));
    hunk.lines.clone().filter_map(text).collect()
}

/// The lines of one side of `section`, from the first to the last of `range`, as text.
#[must_use]
pub fn quoted(section: &Section, (first, last): (u32, u32), side: Side) -> String {
    let tree = section.tree();
    let start = tree.hunks.partition_point(|hunk| hunk.lines.end <= first);
    let hunks = tree.hunks[start..].iter().take_while(|hunk| hunk.lines.start <= last);
    let lines = hunks.flat_map(|hunk| {
        let within = hunk.lines.start.max(first)..hunk.lines.end.min(last + 1);
        within.filter_map(move |line| line_of_side(section, hunk, line, side))
    });
    let texts: Vec<_> = lines.map(String::from_utf8_lossy).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn lines_are_where_they_were_or_where_their_neighbours_are() {
        const TEXT: &[u8] = b"@file f context\n@@ -1,7 +1,7 @@\n a\n same\n b\n c\n same\n d\n same\n";
        let document = Document::parse(TEXT);
        let found = |selector: &[u8], quote: &str, above: &[&str], below: &[&str]| {
            let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
            let neighbours = Neighbours { above: owned(above), below: owned(below) };
            let target = Target::new(1, Selector::parse(selector).unwrap(), Some("f".into()), Some(quote.to_owned()));
            lines_again(&document.parts()[1], &Comment::new("c1".into(), &target, neighbours, "do it".into()))
        };
        assert_eq!(found(b"+2", "same", &["a"], &["b"]), Some((1, 1)));
        assert_eq!(found(b"+2", "same", &["c"], &["d"]), Some((4, 4)), "rather where both neighbours are");
        assert_eq!(found(b"+2", "same", &["x"], &["y"]), Some((1, 1)), "the same text at the same place");
        assert_eq!(found(b"+1", "same", &["d"], &["x"]), Some((6, 6)), "one side is enough");
        assert_eq!(found(b"+1", "same", &["x"], &["y"]), None, "a look-alike is none");
        assert_eq!(found(b"+1", "c\nsame", &["b"], &[]), Some((3, 4)));
        assert_eq!(neighbours(&document.parts()[1], Selector::parse(b"+5").unwrap()).above, ["c", "b"]);
    }

    #[test]
    fn a_text_of_a_whole_file_is_known_by_the_hunks() {
        const CHANGE: &str = "@@ -2,2 +2,3 @@\n two\n-three\n+drei\n+vier\n@@ -8 +9 @@\n-eight\n+acht\n";
        const DELETION: &str = "@@ -1,2 +0,0 @@\n-one\n-two\n";
        const WHOLE: &str = "@@ -1,3 +1,3 @@\n one\n two\n three\n";
        for (file, hunks, content, moved_on) in [
            ("f", CHANGE, "one\ntwo\ndrei\nvier\nfive\nacht\nnine", false),
            ("f", CHANGE, "one\ntwo\nthree\nfive\neight\nnine", true),
            ("f", CHANGE, "one\ntwo\ndrei\nvier\nfive\neight", true),
            ("f", CHANGE, "two\ndrei", false),
            ("f", CHANGE, "two\nthree", true),
            ("f", CHANGE, "five\nsix", false),
            ("f", "", "one", false),
            ("f deleted", DELETION, "one\ntwo", true),
            ("f context", WHOLE, "one\ntwo\nthree", false),
            ("f context", WHOLE, "two", false),
            ("f context", WHOLE, "four", true),
            ("f context", "", "one", true),
        ] {
            let document = Document::parse(format!("@file {file}\n{hunks}"));
            assert_eq!(has_moved_on(&document.parts()[1], content), moved_on, "{file} {hunks} {content}");
        }
    }
}
