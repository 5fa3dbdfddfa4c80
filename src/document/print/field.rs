//! Fields: one blank behind the name, further lines indented by two, long prose broken.
//!
//! Every blank at which a line is broken comes back when the lines are joined. Claims, sources, references and values
//! that are words are never broken, and neither is what stands between backticks or quotes.

use std::ops::Range;
use std::str::from_utf8;

use unicode_width::UnicodeWidthChar as _;

use crate::document::claim::{is_quoted, quoted_spans};
use crate::document::parse::directive::{is_space, trim, trim_start};
use crate::document::parse::note::FieldStart;

/// A line takes no more columns than this, if it can be broken.
const COLUMNS: usize = 78;
/// What stands in front of a further line.
const INDENT: &[u8] = b"  ";
/// The fields that hold prose.
const PROSE: [&str; 6] = ["why", "what", "alt", "impact", "todo", "question"];

/// The field whose lines are `contents`, without terminators: for each line, what becomes of it.
pub(super) fn lines(contents: &[&[u8]]) -> Vec<Vec<Vec<u8>>> {
    let Some((first, further)) = contents.split_first() else { return Vec::new() };
    let Some(start) = FieldStart::parse(first) else {
        return contents.iter().map(|line| vec![line.to_vec()]).collect();
    };
    let name = &first[..start.name_len];
    let name = if name.eq_ignore_ascii_case(b"alternative") { b"alt" } else { name };
    let value = start.value(first);
    let space: &[u8] = if value.is_empty() { b"" } else { b" " };
    let mut pieces = vec![(([name, b":", space]).concat(), value)];
    pieces.extend(further.iter().map(|line| (indent(line).to_vec(), trim(line))));
    let is_long = pieces.iter().any(|(lead, value)| lead.len() + value.len() > COLUMNS);
    let is_prose = start.known.is_some_and(|name| PROSE.contains(&name));
    if is_long && is_prose {
        broken(&pieces)
    } else {
        pieces.into_iter().map(|(lead, value)| vec![[&lead, value].concat()]).collect()
    }
}

/// What stands in front of the further line `line`: two blanks, unless that made a fence of it.
fn indent(line: &[u8]) -> &[u8] {
    let rest = trim_start(line);
    if is_fence_like(rest) { &line[..line.len() - rest.len()] } else { INDENT }
}

/// Whether a line of the value `rest` could open or close a block of code.
fn is_fence_like(rest: &[u8]) -> bool {
    rest.starts_with(b"```") || rest.starts_with(b"~~~")
}

/// The lines, given as lead and value, with those broken that are too long.
fn broken(pieces: &[(Vec<u8>, &[u8])]) -> Vec<Vec<Vec<u8>>> {
    let values = pieces.iter().map(|(_, value)| *value).filter(|value| !value.is_empty());
    let joined = values.collect::<Vec<_>>().join(&b' ');
    let Ok(joined) = from_utf8(&joined) else {
        return pieces.iter().map(|(lead, value)| vec![[lead, *value].concat()]).collect();
    };
    let spans = quoted_spans(joined);
    let mut at = 0;
    let line = |(lead, value): &(Vec<u8>, &[u8])| {
        let text = &joined[at..at + value.len()];
        let ranges = ranges(lead, text, at, &spans);
        at += if value.is_empty() { 0 } else { value.len() + 1 };
        let lines = ranges.into_iter().enumerate();
        lines.map(|(index, range)| [if index == 0 { lead } else { INDENT }, &value[range]].concat()).collect()
    };
    pieces.iter().map(line).collect()
}

/// The pieces of `text`, which stands behind `lead` and at `offset` of the whole value.
fn ranges(lead: &[u8], text: &str, offset: usize, spans: &[Range<usize>]) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    // Broken behind its marks, such a line could close a block of code.
    let is_whole = is_fence_like(bytes);
    let is_break = |at: usize| {
        let rest = &bytes[at + 1..];
        let is_single = at > 0 && !is_space(bytes[at - 1]) && rest.first().is_some_and(|byte| !is_space(*byte));
        is_single && !is_whole && !is_quoted(spans, offset + at) && !is_fence_like(rest)
    };
    let mut ranges = Vec::new();
    let (mut start, mut column) = (0, lead.len());
    // The last place to break at, and the column behind it.
    let mut place: Option<(usize, usize)> = None;
    for (at, letter) in text.char_indices() {
        if letter == ' ' && is_break(at) {
            if column > COLUMNS && place.is_none() {
                ranges.push(start..at);
                (start, column) = (at + 1, INDENT.len());
                continue;
            }
            if column <= COLUMNS {
                place = Some((at, column + 1));
            }
        }
        column += letter.width().unwrap_or(1);
        if column > COLUMNS
            && let Some((blank, behind)) = place.take()
        {
            ranges.push(start..blank);
            (start, column) = (blank + 1, INDENT.len() + column - behind);
        }
    }
    ranges.push(start..text.len());
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    fn printed(text: &str) -> String {
        let contents: Vec<&[u8]> = text.split('\n').map(str::as_bytes).collect();
        let lines = lines(&contents).concat().join(&b'\n');
        String::from_utf8(lines).expect("the example is UTF-8")
    }

    #[test]
    fn spelling() {
        for (text, want) in [
            ("why:x", "why: x"),
            ("why:", "why:"),
            ("WHY:  x\t", "WHY: x"),
            ("why: \n\tx \n     y", "why:\n  x\n  y"),
            ("ALTERNATIVE:x", "alt: x"),
            ("owner:  x\r", "owner: x"),
            ("why: x\n\t```\n    ~~~~ y", "why: x\n\t```\n    ~~~~ y"),
        ] {
            assert_eq!(printed(text), want, "{text:?}");
        }
    }

    #[test]
    fn long_prose_is_broken_at_single_blanks() {
        let (a, b) = ("a".repeat(70), "b".repeat(90));
        for (text, want) in [
            (format!("why: {a} cc dd"), format!("why: {a} cc\n  dd")),
            (format!("why: {b} cc {b}"), format!("why: {b}\n  cc\n  {b}")),
            (format!("why: {a}  cc dd"), format!("why: {a}  cc\n  dd")),
            (format!("why: {a} `cc dd` ee"), format!("why: {a}\n  `cc dd` ee")),
            (format!("why: `cc {b}\n  dd` {a}"), format!("why: `cc {b}\n  dd` {a}")),
            (format!("why: {a} cc ```"), format!("why: {a}\n  cc ```")),
            (format!("why: {b} ``` c"), format!("why: {b} ```\n  c")),
            (format!("source: {b} c d"), format!("source: {b} c d")),
            (format!("id: {a} cc dd ee"), format!("id: {a} cc dd ee")),
            (format!("why: {} ee", "é".repeat(70)), format!("why: {} ee", "é".repeat(70))),
            (format!("why: x\n      {a} ccccc ddd"), format!("why: x\n  {a} ccccc\n  ddd")),
        ] {
            assert_eq!(printed(&text), want, "{text:?}");
            assert_eq!(printed(&want), want, "{text:?}, again");
        }
    }
}
