//! The top-level keys of a block, whatever state it is in: where the whole is not YAML, each key's lines are read alone,
//! and what still fails is text.

use std::collections::HashSet;
use std::ops::Range;

use super::Finding;
use super::fix;
use super::read;
use super::yaml::{Entry, Kind, Node, YamlError, parse};

/// Read the keys of `block`; of equal keys the first. What is wrong goes to `findings`.
pub(super) fn entries(block: &str, findings: &mut Vec<Finding>) -> Vec<Entry> {
    let mut repeated = Vec::new();
    let entries = match parse(block, &mut repeated) {
        Ok(Node { kind: Kind::Map(entries), .. }) => entries,
        Ok(Node { kind: Kind::Empty, .. }) => Vec::new(),
        Ok(_) => {
            findings.push(invalid(0, "The frontmatter must be a mapping, such as `title: …`.".to_owned()));
            Vec::new()
        }
        Err(error) => {
            repeated.clear();
            piecewise(block, &error, &mut repeated, findings)
        }
    };
    for (at, key) in repeated {
        findings.push(invalid(at, format!("The key `{key}` stands here a second time; the first value counts.")));
    }
    entries
}

fn invalid(at: usize, message: String) -> Finding {
    Finding { code: "frontmatter-invalid", at, message, fix: None }
}

/// Read the lines of each key alone; `error` is why the whole can't be read.
fn piecewise(
    block: &str,
    error: &YamlError,
    repeated: &mut Vec<(usize, String)>,
    findings: &mut Vec<Finding>,
) -> Vec<Entry> {
    let before = findings.len();
    let mut entries: Vec<Entry> = Vec::new();
    let (mut seen, mut reported) = (HashSet::new(), HashSet::new());
    for range in pieces(block) {
        for entry in piece(block, range, repeated, findings) {
            if seen.insert(entry.key.clone()) {
                entries.push(entry);
            } else if reported.insert(entry.key.clone()) {
                repeated.push((entry.at, entry.key));
            }
        }
    }
    if findings.len() == before {
        findings.push(invalid(error.at, format!("This is not YAML: {}.", error.message)));
    }
    entries
}

/// The entries of the lines of one key, at `range` of `block`.
fn piece(
    block: &str,
    range: Range<usize>,
    repeated: &mut Vec<(usize, String)>,
    findings: &mut Vec<Finding>,
) -> Vec<Entry> {
    let text = &block[range.clone()];
    let mut own = Vec::new();
    let (at, message) = match parse(text, &mut own) {
        Ok(node) => match node.moved(range.start).kind {
            Kind::Map(entries) => {
                repeated.extend(own.into_iter().map(|(at, key)| (range.start + at, key)));
                return entries;
            }
            Kind::Empty => return Vec::new(),
            _ => (0, "a key needs a colon and a blank behind it".to_owned()),
        },
        Err(error) => (error.at, error.message),
    };
    let stop = at.min(text.trim_end().len().saturating_sub(1));
    let line = memchr::memrchr(b'\n', &text.as_bytes()[..stop]).map_or(0, |at| at + 1);
    let message = format!("This is not YAML: {message}. Quote the value, or write it as a block below `|`.");
    findings.push(Finding { fix: fix::quoting(text, range.start), ..invalid(range.start + line, message) });
    let Some((key, value)) = text.split_once(':').filter(|_| is_key_line(text)) else { return Vec::new() };
    let value_start = range.start + key.len() + 1;
    // Lines in column 0 that are no keys are nobody's value.
    let len = value
        .match_indices('\n')
        .map(|(at, _)| at)
        .find(|at| value[at + 1..].starts_with(|letter: char| !letter.is_whitespace()));
    let value = &value[..len.unwrap_or(value.len())];
    let lead = value.len() - value.trim_start().len();
    let value_range = value_start + lead..value_start + value.trim_end().len().max(lead);
    let key = key.trim().trim_matches(['"', '\'']).to_owned();
    let kind = Kind::String(value.trim().replace("\r\n", "\n"));
    vec![Entry { at: range.start, key, value: Node { range: value_range, kind } }]
}

/// The lines of each top-level key.
fn pieces(block: &str) -> Vec<Range<usize>> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in block.split_inclusive('\n') {
        if is_key_line(line) {
            starts.push(at);
        }
        at += line.len();
    }
    let head = starts.first().copied().unwrap_or(block.len());
    let ends = starts.iter().skip(1).copied().chain([block.len()]);
    let keyed = starts.iter().copied().zip(ends).map(|(start, end)| start..end);
    let lead = Some(0..head).filter(|lead| !block[lead.clone()].trim().is_empty());
    lead.into_iter().chain(keyed).collect()
}

/// Whether `line` begins with a key in column 0.
fn is_key_line(line: &str) -> bool {
    // A blank is missing behind the colon.
    if line.split_once(':').is_some_and(|(key, _)| read::KEYS.contains(&key)) {
        return true;
    }
    let begins = line.starts_with(|first: char| first.is_alphanumeric() || matches!(first, '_' | '"' | '\''));
    let key = line.split_once(':').filter(|(_, rest)| rest.is_empty() || rest.starts_with(char::is_whitespace));
    begins && key.is_some_and(|(key, _)| !key.trim_end().contains(char::is_whitespace))
}
