//! Sources (section 6): `file:src/a.rs:14 — the constant`. Reading a source never looks at what it names.

use std::ops::Range;

use super::attribute::words;
use super::claim::{is_quoted, quoted_spans};

words! {
    /// What a source is.
    SourceKind {
        File = "file": "A file, perhaps with lines: `path:line-line`.",
        Url = "url": "An address on the web.",
        Doc = "doc": "Documentation.",
        Spec = "spec": "A specification.",
        Commit = "commit": "A commit, by its id.",
        Pr = "pr": "A pull request.",
        Issue = "issue": "An issue.",
        Test = "test": "A test.",
        Dep = "dep": "A dependency: `name@version`.",
        Convention = "convention": "How it is done elsewhere: a path or glob.",
        Prompt = "prompt": "What the author was asked, quoted.",
        Inference = "inference": "Nothing but the author's own conclusion.",
        Other = "other": "Something that the format has no word for.",
    }
}

/// Where a claim about the code comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// What it is.
    pub kind: SourceKind,
    /// Where it is; empty for an inference.
    pub locator: String,
    /// Why it matters.
    pub note: Option<String>,
    /// The whole value.
    pub raw: String,
}

impl Source {
    /// Read the value of a `source` field. Every text is a source.
    #[must_use]
    pub fn parse(raw: &str) -> Self {
        let raw = raw.trim();
        let inference = inference(raw).map(|note| (SourceKind::Inference, "", note.to_owned()));
        let (kind, locator, note) = inference.unwrap_or_else(|| located(raw));
        let note = note.trim();
        Self {
            kind,
            locator: locator.trim().to_owned(),
            note: (!note.is_empty()).then(|| note.to_owned()),
            raw: raw.to_owned(),
        }
    }
}

/// Whether `raw`, the value of a `source` field, names nothing but a conclusion.
pub(crate) fn is_inference(raw: &str) -> bool {
    inference(raw.trim()).is_some()
}

/// What an inference says besides.
fn inference(raw: &str) -> Option<&str> {
    const WORD: &str = "inference";
    let rest = raw.get(..WORD.len()).filter(|word| word.eq_ignore_ascii_case(WORD)).map(|_| &raw[WORD.len()..])?;
    if rest.starts_with(|letter: char| letter.is_ascii_alphanumeric() || letter == '_') {
        return None;
    }
    let is_lead = |letter: char| letter.is_whitespace() || matches!(letter, ':' | '-' | '–' | '—');
    Some(rest.trim_start_matches(is_lead))
}

fn located(raw: &str) -> (SourceKind, &str, String) {
    let spans = quoted_spans(raw);
    let mut cuts = separators(raw, &spans, &["—", "–", "--"]);
    if cuts.is_empty() {
        cuts = separators(raw, &spans, &["-"]);
        cuts.truncate(1);
    }
    let head = cuts.first().map_or(raw, |cut| &raw[..cut.start]);
    let ends = cuts.iter().skip(1).map(|cut| cut.start).chain([raw.len()]);
    let notes: Vec<&str> = cuts.iter().zip(ends).map(|(cut, end)| raw[cut.end.min(end)..end].trim()).collect();
    let (kind, locator) = split_kind(head);
    (kind, locator, notes.join(" — "))
}

/// Where one of `dashes` stands between blanks, outside quotes.
fn separators(text: &str, spans: &[Range<usize>], dashes: &[&str]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut before_is_blank = false;
    let mut after = 0;
    for (at, letter) in text.char_indices() {
        if before_is_blank && at >= after && !is_quoted(spans, at) {
            let rest = &text[at..];
            let dash = dashes
                .iter()
                .find(|dash| rest.strip_prefix(**dash).is_some_and(|tail| tail.starts_with(char::is_whitespace)));
            if let Some(dash) = dash {
                after = at + dash.len();
                found.push(at..after);
            }
        }
        before_is_blank = letter.is_whitespace();
    }
    found
}

fn split_kind(head: &str) -> (SourceKind, &str) {
    let lower = head.get(..8).unwrap_or(head).to_ascii_lowercase();
    if lower.starts_with("http://") || lower == "https://" {
        return (SourceKind::Url, head);
    }
    let typed = head.split_once(':').and_then(|(word, locator)| {
        let kind = SourceKind::from_word(word.trim_end().to_ascii_lowercase().as_bytes())?;
        (kind != SourceKind::Other && kind != SourceKind::Inference).then_some((kind, locator))
    });
    typed.unwrap_or((SourceKind::Other, head))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (raw, kind, locator, note) in [
            ("file:a.rs:14 — reused", "file", "a.rs:14", "reused"),
            ("File : a.rs", "file", "a.rs", ""),
            ("https://x.org/a-b - why", "url", "https://x.org/a-b", "why"),
            ("url:https://x.org -- a -- b", "url", "https://x.org", "a — b"),
            ("spec:rfc1 – a - b", "spec", "rfc1", "a - b"),
            ("prompt:\"a — b\" — c", "prompt", "\"a — b\"", "c"),
            ("doc:`x - y` - z - w", "doc", "`x - y`", "z - w"),
            ("inference", "inference", "", ""),
            ("Inference:  – guessed", "inference", "", "guessed"),
            ("inferences abound", "other", "inferences abound", ""),
            ("rfc:9110#3 — x", "other", "rfc:9110#3", "x"),
            ("other:x", "other", "other:x", ""),
            ("file: — why", "file", "", "why"),
            ("file:a —", "file", "a —", ""),
            ("— — —", "other", "—", "—"),
        ] {
            let source = Source::parse(raw);
            let got = (source.kind.as_str(), source.locator.as_str(), source.note.as_deref().unwrap_or(""));
            assert_eq!(got, (kind, locator, note), "{raw}");
        }
    }
}
