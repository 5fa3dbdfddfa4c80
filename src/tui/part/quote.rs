//! The lines of a section as text, and where such a text stands.

use crate::document::{FileStatus, Hunk, Section, Selector, Side, named_lines};

/// The lines of `text` without the blanks at their ends.
pub(super) fn without_blanks(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// Whether a file is another one now than that of which `content` holds the text, or a piece of it, as far as `section`
/// shows it. What it does not show is taken to be as it was.
pub(super) fn has_moved_on(section: &Section, content: &str) -> bool {
    let tree = section.tree();
    let is_all_shown = tree.file.as_ref().is_some_and(|file| file.status == FileStatus::Context);
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

/// Where the lines are that read `quote`: those that `selector` names if they still do, else those of that side that do,
/// when there is just one such place.
pub(super) fn same_lines(section: &Section, selector: Selector, quote: &str) -> Option<(u32, u32)> {
    let tree = section.tree();
    let named = named_lines(tree, selector).filter(|range| quoted(section, *range, selector.side) == quote);
    if named.is_some() {
        return named;
    }
    let wanted: Vec<&str> = quote.split('\n').collect();
    let mut found = None;
    for hunk in &tree.hunks {
        let is_of_side = |line: &u32| {
            let line = &tree.lines[*line as usize];
            if selector.side == Side::Old { line.old_line(hunk).is_some() } else { line.new_line(hunk).is_some() }
        };
        let lines: Vec<u32> = hunk.lines.clone().filter(is_of_side).collect();
        for window in lines.windows(wanted.len()) {
            let text = |line: &u32| String::from_utf8_lossy(section.line_text(&tree.lines[*line as usize]));
            if window.iter().zip(&wanted).all(|(line, wanted)| text(line) == *wanted)
                && found.replace((window[0], window[window.len() - 1])).is_some()
            {
                return None;
            }
        }
    }
    found
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
