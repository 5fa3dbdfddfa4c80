//! Hunks (section 4): the header's numbers, and which of the lines that follow belong to the diff.

use std::borrow::Cow;

use super::Builder;
use super::directive::{Directive, is_blank, trim, trim_start};
use crate::diff::{HunkHeader, LineKind};
use crate::document::tree::{Block, Hunk, HunkLine, HunkLineKind};
use crate::text::Span;
use crate::text::lines::Newline;

impl Builder<'_> {
    /// Read the hunk whose header line is `header`; returns where what follows it begins.
    pub(super) fn hunk(&mut self, header: Span) -> usize {
        let mut hunk = self.hunk_header(header);
        let first = self.lines.len();
        let end = self.candidate_lines(header.end as usize);
        let bounds = Bounds { text: self.text, newline: self.newline, hunk: &hunk, separated: self.is_separated(end) };
        let count = bounds.settle(&mut self.lines[first..]);
        let end = self.lines.get(first + count).map_or(end, |line| line.span.start as usize);
        self.lines.truncate(first + count);
        hunk.lines = index(first)..index(first + count);
        for line in &self.lines[first..] {
            match line.diff_kind() {
                Some(LineKind::Added) => hunk.added += 1,
                Some(LineKind::Removed) => hunk.removed += 1,
                Some(LineKind::Context) => hunk.context += 1,
                Some(LineKind::NoNewline) | None => {}
            }
        }
        self.tree.blocks.push(Block::Hunk(index(self.tree.hunks.len())));
        self.tree.hunks.push(hunk);
        end
    }

    /// Push every line up to the next directive, kinds provisional; returns where the directive stands.
    fn candidate_lines(&mut self, start: usize) -> usize {
        let mut at = start;
        while at < self.text.len() {
            let kind = match self.text[at] {
                b' ' => HunkLineKind::Diff(LineKind::Context),
                b'+' => HunkLineKind::Diff(LineKind::Added),
                b'-' => HunkLineKind::Diff(LineKind::Removed),
                b'\\' => HunkLineKind::Diff(LineKind::NoNewline),
                b'@' if Directive::of(&self.text[at..]).is_some() => break,
                _ => HunkLineKind::Unprefixed,
            };
            let span = self.line(at);
            self.lines.push(HunkLine { span, old: 0, new: 0, kind });
            at = span.end as usize;
        }
        at
    }

    /// Whether a blank line in front of `at` is a separator and not content: another hunk, or the end, needs none.
    fn is_separated(&self, at: usize) -> bool {
        match Directive::of(&self.text[at..]) {
            Some(directive) => directive != Directive::Hunk,
            None => !self.is_last,
        }
    }

    fn hunk_header(&self, line: Span) -> Hunk {
        let content = self.newline.content(line.of(self.text));
        let (next_old, next_new) = self.tree.hunks.last().map_or((1, 1), Hunk::end);
        let numbers = parse_ranges(content);
        let loose = numbers.is_none();
        let read = numbers.unwrap_or_else(|| HunkHeader {
            old_start: next_old,
            old_lines: 0,
            new_start: next_new,
            new_lines: 0,
            heading: loose_heading(content),
        });
        // An empty side names the line in front of the position.
        let first = |start: u64, lines: u64| if lines == 0 && !loose { start.saturating_add(1) } else { start };
        Hunk {
            header: line,
            heading: Span { start: line.start + read.heading.start, end: line.start + read.heading.end },
            loose,
            old_start: read.old_start,
            old_lines: read.old_lines,
            new_start: read.new_start,
            new_lines: read.new_lines,
            first_old: first(read.old_start, read.old_lines),
            first_new: first(read.new_start, read.new_lines),
            lines: 0..0,
            added: 0,
            removed: 0,
            context: 0,
        }
    }
}

/// The lines of both sides up to and including `line`.
#[inline]
pub(crate) fn after(line: &HunkLine) -> (u32, u32) {
    match line.diff_kind() {
        Some(LineKind::Context) => (line.old + 1, line.new + 1),
        Some(LineKind::Added) => (line.old, line.new + 1),
        Some(LineKind::Removed) => (line.old + 1, line.new),
        Some(LineKind::NoNewline) | None => (line.old, line.new),
    }
}

/// The header's numbers; the blank between `@@` and `-` may be missing.
fn parse_ranges(content: &[u8]) -> Option<HunkHeader> {
    let ats = content.iter().take_while(|byte| **byte == b'@').count();
    let tight = content.get(ats) == Some(&b'-');
    let line =
        if tight { Cow::Owned([&content[..ats], b" ", &content[ats..]].concat()) } else { Cow::Borrowed(content) };
    let mut header = HunkHeader::parse(&line)?;
    if tight {
        header.heading = Span { start: header.heading.start - 1, end: header.heading.end - 1 };
    }
    Some(header)
}

/// What stands between the first and a closing run of `@`, trimmed.
fn loose_heading(content: &[u8]) -> Span {
    let start = content.iter().take_while(|byte| **byte == b'@').count();
    let rest = trim(&content[start..]);
    let kept = rest.iter().rposition(|byte| *byte != b'@').map_or(0, |last| last + 1);
    let heading = trim(&rest[..kept]);
    let lead = content[start..].len() - trim_start(&content[start..]).len();
    Span::new(start + lead, start + lead + heading.len())
}

fn index(len: usize) -> u32 {
    u32::try_from(len).expect("a section has fewer lines than bytes, and less than 4 GiB")
}

/// Decides which lines behind a header are its hunk.
struct Bounds<'a> {
    text: &'a [u8],
    newline: Newline,
    hunk: &'a Hunk,
    /// Whether the block behind the lines wants a separating blank line.
    separated: bool,
}

impl Bounds<'_> {
    /// Give each line its kind and numbers; returns how many lines, from the first, are in the hunk.
    fn settle(&self, lines: &mut [HunkLine]) -> usize {
        let is_prefixed = |line: &HunkLine| line.kind != HunkLineKind::Unprefixed;
        let tail = lines.iter().rposition(is_prefixed).map_or(0, |last| last + 1);
        let cut = tail + lines[tail..].iter().take_while(|line| !self.is_bare(line)).count();
        let mut seen = (0, 0);
        let mut content_end = 0;
        for (at, line) in lines[..cut].iter_mut().enumerate() {
            if line.kind == HunkLineKind::Unprefixed {
                line.kind = self.kind_of(line, seen);
            }
            number(line, &mut seen);
            if line.diff_kind().is_some() {
                content_end = at + 1;
            }
        }
        if content_end == cut {
            content_end += self.keep_blank(&mut lines[cut..], &mut seen);
        }
        content_end
    }

    /// What a line without prefix is, in front of the place where they stop being content.
    fn kind_of(&self, line: &HunkLine, seen: (u32, u32)) -> HunkLineKind {
        let content = self.newline.content(line.span.of(self.text));
        let (old, new) = self.missing(seen);
        if content.is_empty() {
            HunkLineKind::Diff(LineKind::Context)
        } else if self.hunk.loose || old > 0 || new > 0 {
            HunkLineKind::Unprefixed
        } else if content.starts_with(b"#") {
            HunkLineKind::Comment
        } else if is_blank(content) {
            HunkLineKind::Separator
        } else {
            HunkLineKind::Stray
        }
    }

    /// How many of the empty lines at the start of `rest`, which stand behind the last line of content, are context.
    fn keep_blank(&self, rest: &mut [HunkLine], seen: &mut (u32, u32)) -> usize {
        let run = rest.iter().take_while(|line| self.is_bare(line)).count();
        let separated = rest.get(run).map_or(self.separated, |line| !is_blank(line.span.of(self.text)));
        let (old, new) = self.missing(*seen);
        let wanted = if self.hunk.loose { 0 } else { usize::try_from(old.min(new)).unwrap_or(usize::MAX) };
        let kept = wanted.min(run.saturating_sub(usize::from(separated)));
        for line in &mut rest[..kept] {
            line.kind = HunkLineKind::Diff(LineKind::Context);
            number(line, seen);
        }
        kept
    }

    fn is_bare(&self, line: &HunkLine) -> bool {
        self.newline.content(line.span.of(self.text)).is_empty()
    }

    /// How many lines of each side the header still asks for.
    fn missing(&self, (old, new): (u32, u32)) -> (u64, u64) {
        (self.hunk.old_lines.saturating_sub(old.into()), self.hunk.new_lines.saturating_sub(new.into()))
    }
}

fn number(line: &mut HunkLine, seen: &mut (u32, u32)) {
    (line.old, line.new) = *seen;
    *seen = after(line);
}
