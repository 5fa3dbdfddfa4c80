//! The lines of a section as text, and where such a text stands.

use crate::document::{Section, Selector, Side, named_lines};

/// The lines of `text` without the blanks at their ends.
pub(super) fn without_blanks(text: &str) -> String {
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
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
