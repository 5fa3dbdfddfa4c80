//! Mends of the frontmatter that have one meaning.

use std::ops::Range;

use super::recover;
use super::yaml::{Entry, Kind, Node, parse};

/// The bytes of the block to replace, and with what.
pub(super) type Fix = (Range<usize>, String);

/// The edit that states the version in front of all keys of `block`, where these are then read as they were.
pub(super) fn with_version(block: &str) -> Option<Fix> {
    let line = if block.contains("\r\n") { "whymark: 1\r\n" } else { "whymark: 1\n" };
    let mut findings = Vec::new();
    let entries = recover::entries(&format!("{line}{block}"), &mut findings);
    let is_stated = entries.first().is_some_and(|first| matches!(&first.value.kind, Kind::Other(one) if one == "1"));
    (is_stated && findings.is_empty()).then(|| (0..0, line.to_owned()))
}

/// The edit that quotes the value of `piece`, which begins at `start` of the block: only where the value is one line and
/// must be a string, so that quotes are what is missing.
pub(super) fn quoting(piece: &str, start: usize) -> Option<Fix> {
    const STRINGS: [&str; 8] = ["title", "author", "date", "scope", "base", "head", "repo", "summary"];
    let (key, rest) = piece.split_once(':')?;
    let value = rest.trim();
    let is_open = value.is_empty() || value.starts_with(['"', '\'', '|', '>']) || value.contains('\n');
    if is_open || !STRINGS.contains(&key) {
        return None;
    }
    let quoted = format!("\"{}\"", value.replace('\\', "\\\\").replace('"', "\\\""));
    let reads_back = matches!(
        parse(&format!("{key}: {quoted}\n"), &mut Vec::new()).ok()?.kind,
        Kind::Map(entries) if matches!(entries.as_slice(), [Entry { value: Node { kind: Kind::String(read), .. }, .. }] if read == value)
    );
    let at = start + key.len() + 1 + (rest.len() - rest.trim_start().len());
    reads_back.then_some((at..at + value.len(), quoted))
}
