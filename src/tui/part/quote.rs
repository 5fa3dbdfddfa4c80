//! The lines of a section as text, and where such a text stands.

use std::borrow::Cow;
use std::cmp::Ordering;

use super::super::form::Target;
use super::super::talk::Comment;
use crate::capture::{Neighbours, REACH};
use crate::document::{FileStatus, Hunk, Section, Selector, Side, named_lines};

/// The lines of `text` without the blanks at their ends.
pub(super) fn without_blanks(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
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

/// Where the lines of `comment` are: those that it names if they still read the same, else the one place that reads the same
/// and has the most of the neighbours that they had, and has some.
pub(super) fn lines_again(section: &Section, comment: &Comment) -> Option<(u32, u32)> {
    let Target { selector, quote, .. } = comment.target();
    let quote = quote.filter(|_| !comment.is_lost)?;
    let tree = section.tree();
    let named = named_lines(tree, selector).filter(|range| quoted(section, *range, selector.side) == quote);
    if named.is_some() {
        return named;
    }
    let wanted: Vec<&str> = quote.split('\n').collect();
    let mut best: (usize, Option<(u32, u32)>) = (0, None);
    for hunk in &tree.hunks {
        let lines = lines_of_side(section, hunk, selector.side);
        for (at, window) in lines.windows(wanted.len()).enumerate() {
            if !window.iter().zip(&wanted).all(|((_, text), wanted)| text == wanted) {
                continue;
            }
            let texts =
                |lines: &[(u32, Cow<'_, str>)]| lines.iter().map(|(_, text)| text.to_string()).collect::<Vec<_>>();
            let (above, below) = (texts(&lines[..at]), texts(&lines[at + window.len()..]));
            let fit = comment.neighbours.fit(above.iter().rev(), below.iter());
            let place = (window[0].0, window[window.len() - 1].0);
            match fit.cmp(&best.0) {
                Ordering::Greater => best = (fit, Some(place)),
                Ordering::Equal => best.1 = None,
                Ordering::Less => {}
            }
        }
    }
    best.1
}

/// What stands next to the lines that `selector` names, as far as the diff shows it.
#[must_use]
pub fn neighbours(section: &Section, selector: Selector) -> Neighbours {
    let tree = section.tree();
    let found = named_lines(tree, selector).and_then(|(first, last)| {
        let hunk = tree.hunks.iter().find(|hunk| hunk.lines.contains(&first))?;
        let lines = lines_of_side(section, hunk, selector.side);
        let text = |(_, text): &(u32, Cow<'_, str>)| text.to_string();
        let above = lines.iter().rev().filter(|(line, _)| *line < first).take(REACH).map(text).collect();
        let below = lines.iter().filter(|(line, _)| *line > last).take(REACH).map(text).collect();
        Some(Neighbours { above, below })
    });
    found.unwrap_or_default()
}

/// The lines of one side of a hunk, as indices and text.
fn lines_of_side<'a>(section: &'a Section, hunk: &Hunk, side: Side) -> Vec<(u32, Cow<'a, str>)> {
    let tree = section.tree();
    let lines = hunk.lines.clone().map(|line| (line, &tree.lines[line as usize]));
    let of_side = lines.filter(|(_, line)| match side {
        Side::Old => line.old_line(hunk).is_some(),
        _ => line.new_line(hunk).is_some(),
    });
    of_side.map(|(index, line)| (index, String::from_utf8_lossy(section.line_text(line)))).collect()
}

/// The lines of one side of `section`, from the first to the last of `range`, as text.
#[must_use]
pub fn quoted(section: &Section, (first, last): (u32, u32), side: Side) -> String {
    let tree = section.tree();
    let start = tree.hunks.partition_point(|hunk| hunk.lines.end <= first);
    let hunks = tree.hunks[start..].iter().take_while(|hunk| hunk.lines.start <= last);
    let lines = hunks.flat_map(|hunk| {
        let within = hunk.lines.start.max(first)..hunk.lines.end.min(last + 1);
        within.map(move |line| (hunk, &tree.lines[line as usize]))
    });
    let of_side = lines.filter(|(hunk, line)| match side {
        Side::New => line.new_line(hunk).is_some(),
        _ => line.old_line(hunk).is_some(),
    });
    let texts: Vec<_> = of_side.map(|(_, line)| String::from_utf8_lossy(section.line_text(line))).collect();
    texts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

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
