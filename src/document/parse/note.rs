//! Notes (section 5): what each line below the header is.

use super::Builder;
use super::directive::{Directive, ends_word, is_blank, trim};
use super::token::{Token, Tokens};
use crate::document::attribute;
use crate::document::selector::{Selector, Side};
use crate::document::tree::{Block, Note, NoteLine, NoteLineKind};
use crate::text::Span;
use crate::text::lines::Newline;

/// The fields that the format knows; only these may be written without a blank behind the colon, and only these are
/// fields once the body has begun.
pub(crate) const FIELDS: [&str; 15] = [
    "urgency",
    "why",
    "what",
    "source",
    "verify",
    "alt",
    "alternative",
    "todo",
    "question",
    "ref",
    "impact",
    "kind",
    "risk",
    "confidence",
    "id",
];

impl Builder<'_> {
    /// Read the note whose header line is `header`; returns where what follows it begins.
    pub(super) fn note(&mut self, header: Span) -> usize {
        let mut lines = Vec::new();
        let mut at = header.end as usize;
        while at < self.text.len() && Directive::of(&self.text[at..]).is_none() {
            let span = self.line(at);
            let kind = if is_blank(span.of(self.text)) { NoteLineKind::Blank } else { NoteLineKind::Body };
            lines.push(NoteLine { span, kind });
            at = span.end as usize;
        }
        let used = lines.iter().rposition(|line| line.kind != NoteLineKind::Blank).map_or(0, |last| last + 1);
        lines.truncate(used);
        Lines { text: self.text, newline: self.newline }.classify(&mut lines);
        let span = lines.last().map_or(header, |last| header.to(last.span));
        let at = u32::try_from(self.tree.notes.len()).expect("fewer notes than bytes");
        self.tree.blocks.push(Block::Note(at));
        let selector = self.note_selector(header);
        self.tree.notes.push(Note { span, header, selector, lines });
        span.end as usize
    }

    fn note_selector(&self, header: Span) -> Selector {
        let fallback = if self.is_head { Side::Doc } else { Side::File };
        HeaderTokens::read(self.text, header)
            .selector
            .and_then(|span| Selector::parse(span.of(self.text)))
            .unwrap_or(Selector { side: fallback, start: 0, end: 0 })
    }
}

/// The words of the `@note` line at `header`, behind the directive.
pub(crate) fn header_words(text: &[u8], header: Span) -> Tokens<'_> {
    Tokens::new(text, Span { start: header.start + 5, end: header.end })
}

/// The words of a `@note` line, sorted out.
#[derive(Debug, Default)]
pub(crate) struct HeaderTokens {
    /// The selector as written, blanks around its `..` included.
    pub(crate) selector: Option<Span>,
    /// The words that mean nothing.
    pub(crate) unknown: Vec<Span>,
    /// Keys and values.
    pub(crate) attributes: Vec<(Span, Span)>,
}

impl HeaderTokens {
    /// Sort out the words of the `@note` line at `header`.
    pub(crate) fn read(text: &[u8], header: Span) -> Self {
        let mut out = Self::default();
        let mut tokens = header_words(text, header).peekable();
        while let Some(token) = tokens.next() {
            if let Some(pair) = token.pair() {
                out.attributes.push(pair);
            } else if out.selector.is_some() {
                out.unknown.push(token.span);
            } else {
                let mut span = token.span;
                while let Some(next) = tokens.next_if(|next| continues_range(text, span, *next)) {
                    span = span.to(next.span);
                }
                out.selector = Some(span);
            }
        }
        out
    }
}

/// Whether `next` belongs to the range `1 .. 2` that `span` begins.
fn continues_range(text: &[u8], span: Span, next: Token) -> bool {
    let (written, next_text) = (span.of(text), next.span.of(text));
    let is_number = written.iter().any(u8::is_ascii_digit);
    let dots = written.windows(2).filter(|pair| pair == b"..").count();
    next.equals.is_none() && is_number && (written.ends_with(b"..") || (dots == 0 && next_text.starts_with(b"..")))
}

/// Name and value of a field's first line, in offsets of that line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldStart {
    /// The bytes of the name, from the start of the line.
    pub(crate) name_len: usize,
    /// The known field, if it is one.
    pub(crate) known: Option<&'static str>,
}

impl FieldStart {
    /// Read `content`, a line without its terminator, as the first line of a field.
    pub(crate) fn parse(content: &[u8]) -> Option<Self> {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
        let name_len = content.iter().take_while(|byte| is_name(byte)).count();
        let tail = content[name_len..].strip_prefix(b":")?;
        if !content.first()?.is_ascii_alphabetic() {
            return None;
        }
        let known = known_field(&content[..name_len]);
        (known.is_some() || ends_word(tail)).then_some(Self { name_len, known })
    }

    /// Whether indented lines below `content`, its first line, go on with it: not if its value is one of a few.
    #[inline]
    pub(crate) fn is_open(&self, content: &[u8]) -> bool {
        !self.known.is_some_and(|name| attribute::fits(name, self.value(content)))
    }

    /// The value on the first line, trimmed.
    pub(crate) fn value<'a>(&self, content: &'a [u8]) -> &'a [u8] {
        trim(&content[self.name_len + 1..])
    }
}

/// The known field that `name` means in any case; `alternative` is `alt`.
#[inline]
pub(crate) fn known_field(name: &[u8]) -> Option<&'static str> {
    let field = FIELDS.iter().find(|field| field.as_bytes().eq_ignore_ascii_case(name))?;
    Some(if *field == "alternative" { "alt" } else { field })
}

/// Whether `line`, not blank, goes on with the field above it: two blanks or a tab in front.
pub(crate) fn is_continuation(line: &[u8]) -> bool {
    matches!(line, [b'\t', ..] | [b' ', b' ' | b'\t', ..])
}

/// Which lines of a note's text lie in a fenced code block; asked line by line, from the first.
#[derive(Default)]
struct Fences {
    /// The lines that could close one, once somebody asked.
    closers: Option<Closers>,
    /// The line that opened the one in which we are.
    opened: Option<Fence>,
}

impl Fences {
    /// Whether `content` lies in one, or closes it.
    fn hold(&mut self, content: &[u8]) -> bool {
        let Some(opened) = self.opened else { return false };
        if Fence::of(content).is_some_and(|close| close.closes(opened)) {
            self.opened = None;
        }
        true
    }

    /// Begin one, if `content`, the line of text at `at` of `all`, opens one that a line below closes.
    fn open(&mut self, lines: &Lines<'_>, all: &[NoteLine], at: usize, content: &[u8]) {
        let closers = self.closers.get_or_insert_with(|| Closers::of(lines, all));
        self.opened = Fence::of(content).filter(|opened| opened.opens && closers.closes_after(at, *opened));
    }
}

/// For each line of `note` whether it belongs to a fenced code block of its text.
pub(crate) fn fenced(text: &[u8], newline: Newline, note: &Note) -> Vec<bool> {
    let (lines, mut fences) = (Lines { text, newline }, Fences::default());
    let is_fenced = |(at, line): (usize, &NoteLine)| {
        let content = newline.content(line.span.of(text));
        if fences.hold(content) {
            return true;
        }
        if line.kind == NoteLineKind::Body {
            fences.open(&lines, &note.lines, at, content);
        }
        fences.opened.is_some()
    };
    note.lines.iter().enumerate().map(is_fenced).collect()
}

struct Lines<'a> {
    text: &'a [u8],
    newline: Newline,
}

impl Lines<'_> {
    /// Give each line that is not blank its kind.
    fn classify(&self, lines: &mut [NoteLine]) {
        let mut fences = Fences::default();
        let (mut open, mut in_body) = (false, false);
        for at in 0..lines.len() {
            let content = self.newline.content(lines[at].span.of(self.text));
            if fences.hold(content) {
                continue;
            }
            if lines[at].kind == NoteLineKind::Blank {
                open = false;
            } else if open && is_continuation(content) {
                lines[at].kind = NoteLineKind::Continuation;
            } else if let Some(field) = FieldStart::parse(content).filter(|field| !in_body || field.known.is_some()) {
                lines[at].kind = NoteLineKind::Field;
                open = field.is_open(content);
            } else {
                (open, in_body) = (false, true);
                fences.open(self, lines, at, content);
            }
        }
    }
}

/// A line that could open or close a fenced code block.
#[derive(Debug, Clone, Copy)]
struct Fence {
    tilde: bool,
    len: usize,
    opens: bool,
    bare: bool,
}

impl Fence {
    fn of(content: &[u8]) -> Option<Self> {
        let indent = content.iter().take_while(|byte| **byte == b' ').count();
        let rest = &content[indent..];
        let mark = *rest.first().filter(|mark| indent <= 3 && matches!(mark, b'`' | b'~'))?;
        let len = rest.iter().take_while(|byte| **byte == mark).count();
        let info = &rest[len..];
        let opens = mark == b'~' || !info.contains(&b'`');
        (len >= 3).then(|| Self { tilde: mark == b'~', len, opens, bare: is_blank(info) })
    }

    fn closes(self, opened: Self) -> bool {
        self.bare && self.tilde == opened.tilde && self.len >= opened.len
    }
}

/// The lines that could close a fence, with the longest from each on: asked once a line, whatever the note looks like.
struct Closers {
    /// Line, longest backtick fence and longest tilde fence from it on; last line first.
    from_end: Vec<(usize, [usize; 2])>,
}

impl Closers {
    fn of(lines: &Lines<'_>, all: &[NoteLine]) -> Self {
        let mut from_end: Vec<(usize, [usize; 2])> = Vec::new();
        for (at, line) in all.iter().enumerate().rev() {
            let Some(fence) = Fence::of(lines.newline.content(line.span.of(lines.text))).filter(|fence| fence.bare)
            else {
                continue;
            };
            let mut longest = from_end.last().map_or([0, 0], |last| last.1);
            let slot = &mut longest[usize::from(fence.tilde)];
            *slot = fence.len.max(*slot);
            from_end.push((at, longest));
        }
        Self { from_end }
    }

    /// Whether a line below the one at `at` closes `opened`.
    fn closes_after(&self, at: usize, opened: Fence) -> bool {
        let below = self.from_end.partition_point(|(line, _)| *line > at);
        below > 0 && self.from_end[below - 1].1[usize::from(opened.tilde)] >= opened.len
    }
}
