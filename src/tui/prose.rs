//! What the review says about itself, as rows above the first file: title, author, summary, checks, and what else stands in
//! its frontmatter.

use serde_json::Value;

use crate::document::{Check, Document};
use crate::text::counted::counted;
use crate::text::width::Display;

use super::part::{Prose, ProseKind};

/// The most bytes of one text that are shown; the rest is counted.
const MOST_PROSE: usize = 64 * 1024;

/// The rows for a pane of `width` columns; there is always a title. `inline` are the checks outside the frontmatter.
#[must_use]
pub fn of<'a>(
    document: &'a Document,
    inline: impl Iterator<Item = &'a Check>,
    display: Display,
    width: usize,
) -> Vec<Prose> {
    let meta = document.meta();
    let room = width.saturating_sub(4).clamp(20, 100);
    let mut rows = Vec::new();
    let mut wrap = |kind: ProseKind, text: &str| {
        let (text, rest) = text.split_at(text.floor_char_boundary(MOST_PROSE));
        let ranges = display.wrap(text, room).into_iter().enumerate();
        rows.extend(ranges.map(|(row, range)| Prose {
            kind,
            is_first: row == 0,
            text: display.visible(text[range].trim_end()),
        }));
        if !rest.is_empty() {
            rows.push(Prose {
                kind,
                is_first: false,
                text: format!("… and {} more, in the file", counted(rest.len(), "byte")),
            });
        }
    };
    wrap(ProseKind::Title, meta.title.as_deref().unwrap_or("Untitled review"));
    let base = meta.base.as_deref().map(|base| format!("{base} → {}", meta.head.as_deref().unwrap_or("?")));
    let facts = [meta.author.clone(), meta.date.clone(), base];
    let facts: Vec<String> = facts.into_iter().flatten().collect();
    if !facts.is_empty() {
        wrap(ProseKind::Meta, &facts.join(" · "));
    }
    if let Some(summary) = &meta.summary {
        wrap(ProseKind::Summary, &reflowed(summary));
    }
    for check in meta.checks.iter().chain(inline) {
        let detail = check.detail.as_deref().map(|detail| format!(" ({detail})")).unwrap_or_default();
        wrap(ProseKind::Check(check.status), &format!("{}{detail}", check.cmd));
    }
    // What the format does not know was written by somebody too.
    for (name, value) in &meta.extra {
        let value = value.as_str().map_or_else(|| Value::to_string(value), ToOwned::to_owned);
        wrap(ProseKind::Meta, &format!("{name}: {value}"));
    }
    for comment in document.frontmatter_comments() {
        wrap(ProseKind::Meta, &format!("# {comment}"));
    }
    rows
}

/// Markdown as paragraphs: a line end inside one is a blank, unless the next line is a list item or is indented.
fn reflowed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut after_blank = false;
    for (index, line) in text.lines().map(str::trim_end).enumerate() {
        let starts_anew = line.is_empty() || line.starts_with([' ', '\t', '-', '*', '#', '>', '`']);
        if index > 0 {
            out.push(if starts_anew || after_blank { '\n' } else { ' ' });
        }
        out.push_str(line);
        after_blank = line.is_empty();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_are_reflowed_and_lists_are_not() {
        assert_eq!(reflowed("a\nb\n\nc\n- d\n- e\nf\n"), "a b\n\nc\n- d\n- e f");
    }
}
