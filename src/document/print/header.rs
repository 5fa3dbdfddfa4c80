//! `@file` and `@note` lines: one blank between words, attributes in the order in which they are written everywhere.
//!
//! What stands in quotes is not touched. A line whose words would be read differently stays as it is, but for its end.

use crate::document::attribute::ATTRIBUTES;
use crate::document::parse::directive::trim_end;
use crate::document::parse::file::{is_count, tokens};
use crate::document::parse::note::{HeaderTokens, header_words};
use crate::document::parse::token::{Token, unquote};
use crate::document::tree::FileStatus;
use crate::text::Span;

/// The `@file` line at `line`, without terminator.
pub(super) fn file(text: &[u8], line: Span) -> Vec<u8> {
    let mut words = tokens(text, line);
    let Some(path) = words.path() else { return b"@file".to_vec() };
    let written: Vec<Token> = words.collect();
    let mut sorted = written.clone();
    // Words without a meaning may belong together, such as those of a path that lacks its quotes.
    if written.iter().all(|word| word.equals.is_some() || file_rank(text, *word) < UNKNOWN) {
        sorted.sort_by_key(|word| file_rank(text, *word));
    }
    for order in [sorted, written] {
        let spans = std::iter::once(path).chain(order.iter().map(|word| word.span));
        let printed = joined(b"@file", spans.map(|span| span.of(text)));
        let mut again = tokens(&printed, whole(&printed));
        let same_path = again.path().is_some_and(|span| span.of(&printed) == path.of(text));
        if same_path && shapes(text, order).eq(shapes(&printed, again)) {
            return printed;
        }
    }
    trim_end(line.of(text)).to_vec()
}

/// Each word with its length in front of the `=`.
fn shapes<'a>(
    text: &'a [u8],
    words: impl IntoIterator<Item = Token> + 'a,
) -> impl Iterator<Item = (&'a [u8], Option<u32>)> + 'a {
    words.into_iter().map(|word| (word.span.of(text), word.equals.map(|at| at - word.span.start)))
}

/// The rank of a word that the format doesn't know.
const UNKNOWN: usize = 10;

/// Where a word of an `@file` line goes; what the format doesn't know comes last.
fn file_rank(text: &[u8], word: Token) -> usize {
    const KEYS: [&[u8]; 6] = [b"from", b"oldsha", b"newsha", b"oldmode", b"newmode", b"lang"];
    let whole = word.span.of(text);
    match word.pair() {
        Some((key, _)) => KEYS.iter().position(|known| *known == key.of(text)).map_or(UNKNOWN, |at| 3 + at),
        None if FileStatus::from_word(whole).is_some() => 0,
        None if is_count(whole) => usize::from(whole[0] == b'-') + 1,
        None if whole == b"binary" => 9,
        None => UNKNOWN,
    }
}

/// The `@note` line at `line`, without terminator, and the field that the urgency which it states becomes.
pub(super) fn note(text: &[u8], line: Span) -> (Vec<u8>, Option<Vec<u8>>) {
    let mut words = HeaderTokens::read(text, line);
    if !words.unknown.is_empty() {
        // Words without a meaning may belong to what stands beside them.
        let spans = header_words(text, line).map(|word| word.span);
        let printed = joined(b"@note", spans.map(|span| span.of(text)));
        return (if is_same(text, &words, &printed) { printed } else { trim_end(line.of(text)).to_vec() }, None);
    }
    words.attributes.sort_by_key(|(key, _)| note_rank(key.of(text)));
    if let Some((urgency, others)) = without_urgency(text, &words)
        && let Some(printed) = printed(text, &others)
    {
        return (printed, Some(urgency));
    }
    (printed(text, &words).unwrap_or_else(|| trim_end(line.of(text)).to_vec()), None)
}

fn note_rank(key: &[u8]) -> usize {
    const ORDER: [&str; 5] = ["kind", "risk", "confidence", "id", "urgency"];
    const { assert!(ORDER.len() == ATTRIBUTES.len(), "every attribute has its place") };
    ORDER.iter().position(|known| known.as_bytes().eq_ignore_ascii_case(key)).unwrap_or(ORDER.len())
}

/// The field of the urgency, if it is stated once and in a word, and what else the header says.
fn without_urgency(text: &[u8], words: &HeaderTokens) -> Option<(Vec<u8>, HeaderTokens)> {
    let is_urgency = |pair: &&(Span, Span)| pair.0.of(text).eq_ignore_ascii_case(b"urgency");
    let mut stated = words.attributes.iter().filter(is_urgency);
    let (key, value) = stated.next().filter(|_| stated.next().is_none())?;
    let value = unquote(value.of(text)).into_owned();
    let is_plain = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\');
    let is_word = !value.is_empty() && value.iter().all(is_plain);
    let attributes = words.attributes.iter().filter(|pair| !is_urgency(pair)).copied().collect();
    let field = [key.of(text), b": ", &value].concat();
    is_word.then(|| (field, HeaderTokens { selector: words.selector, unknown: words.unknown.clone(), attributes }))
}

/// The line of these words; `None` when it would be read as other words.
fn printed(text: &[u8], words: &HeaderTokens) -> Option<Vec<u8>> {
    let attributes = words.attributes.iter().map(|(key, value)| key.to(*value));
    let spans = words.selector.into_iter().chain(attributes).chain(words.unknown.iter().copied());
    let line = joined(b"@note", spans.map(|span| span.of(text)));
    is_same(text, words, &line).then_some(line)
}

/// Whether `line` is read as `words` of `text`.
fn is_same(text: &[u8], words: &HeaderTokens, line: &[u8]) -> bool {
    let again = HeaderTokens::read(line, whole(line));
    let pairs = |text, words: &HeaderTokens| -> Vec<_> {
        words.attributes.iter().map(|(key, value)| (own(text, *key), own(text, *value))).collect()
    };
    let others = |text, words: &HeaderTokens| -> Vec<_> { words.unknown.iter().map(|word| own(text, *word)).collect() };
    again.selector.map(|span| span.of(line)) == words.selector.map(|span| span.of(text))
        && pairs(line, &again) == pairs(text, words)
        && others(line, &again) == others(text, words)
}

fn own(text: &[u8], span: Span) -> Vec<u8> {
    span.of(text).to_vec()
}

fn joined<'a>(directive: &[u8], words: impl Iterator<Item = &'a [u8]>) -> Vec<u8> {
    words.fold(directive.to_vec(), |mut line, word| {
        line.push(b' ');
        line.extend_from_slice(word);
        line
    })
}

fn whole(line: &[u8]) -> Span {
    Span::new(0, line.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(bytes: Vec<u8>) -> String {
        String::from_utf8(bytes).expect("the example is UTF-8")
    }

    #[test]
    fn file_lines() {
        for (line, want) in [
            ("@file\t \r\n", "@file"),
            ("@file  a   +1\t-2  modified \n", "@file a modified +1 -2"),
            (
                "@file \"a b\"x=1 binary lang=c newsha=2 from=\"o  p\" oldsha=1",
                "@file \"a b\" from=\"o  p\" oldsha=1 newsha=2 lang=c binary x=1",
            ),
            ("@file a y newsha=1 x newsha=2 deleted added", "@file a y newsha=1 x newsha=2 deleted added"),
            ("@file my  file.rs added", "@file my file.rs added"),
            ("@file a newsha=1 deleted", "@file a deleted newsha=1"),
            ("@file a x\" y\\\" -1 ", "@file a x\" y\\\" -1"),
            ("@file a x\"  +1 y=\" -1 ", "@file a x\"  +1 y=\" -1"),
            ("@file a x\"  lang=y\\\" ", "@file a x\" lang=y\\\""),
        ] {
            assert_eq!(text(file(line.as_bytes(), whole(line.as_bytes()))), want, "{line}");
        }
    }

    #[test]
    fn note_lines() {
        for (line, want, urgency) in [
            ("@note \n", "@note", None),
            ("@note+1  risk=low\tkind=perf \r\n", "@note +1 kind=perf risk=low", None),
            ("@note x=1 ID=a +2 ..  3 kind=test kind=risk", "@note +2 ..  3 kind=test kind=risk ID=a x=1", None),
            ("@note line  26 kind=risk ", "@note line 26 kind=risk", None),
            ("@note word +1 ..  3 urgency=info", "@note word +1 .. 3 urgency=info", None),
            ("@note +1 urgency=info risk=low", "@note +1 risk=low", Some("urgency: info")),
            ("@note +1 Urgency=\"asap\"", "@note +1", Some("Urgency: asap")),
            ("@note +1 urgency=\"a b\"", "@note +1 urgency=\"a b\"", None),
            ("@note +1 urgency= ", "@note +1 urgency=", None),
            ("@note +1 urgency=info urgency=high", "@note +1 urgency=info urgency=high", None),
            ("@note +1.. urgency=info 5", "@note +1.. urgency=info 5", None),
            ("@note x=\"  kind=y\\\" ", "@note x=\"  kind=y\\\"", None),
        ] {
            let (printed, moved) = note(line.as_bytes(), whole(line.as_bytes()));
            assert_eq!((text(printed).as_str(), moved.map(text).as_deref()), (want, urgency), "{line}");
        }
    }
}
