//! From the lines of a record to what it says. Nothing is copied that stands in the text as it is to be read.

use std::borrow::Cow;
use std::iter;
use std::ops::{Range, RangeInclusive};

use super::Markback;
use super::grammar::{self, FENCE};
use super::line::{self, LineClass, is_blank, trim_end};
use super::record::{Entry, FileHeaders, Record};
use crate::text::Span;

impl Markback {
    /// The record with that index, and what it takes from the first one of its section.
    #[must_use]
    pub fn record(&self, index: usize) -> Option<Record<'_>> {
        let entry = self.entries.get(index)?;
        let mut record = self.own(entry);
        if entry.section as usize != index {
            record.inherit(&self.own(&self.entries[entry.section as usize]));
        }
        Some(record)
    }

    /// All records, in file order. Reading them one by one takes longer where many share a section.
    pub fn records(&self) -> impl Iterator<Item = Record<'_>> {
        self.records_in(0..self.entries.len())
    }

    /// The records with these indices.
    pub(super) fn records_in(&self, indices: Range<usize>) -> impl Iterator<Item = Record<'_>> {
        let section = self.entries.get(indices.start).map(|entry| &self.entries[entry.section as usize]);
        let mut first = section.map(|entry| inheritable(&self.own(entry))).unwrap_or_default();
        let mut entries = (0u32..).zip(&self.entries).skip(indices.start).take(indices.len());
        iter::from_fn(move || {
            let (index, entry) = entries.next()?;
            let mut record = self.own(entry);
            if entry.section == index {
                first = inheritable(&record);
            } else {
                record.inherit(&first);
            }
            Some(record)
        })
    }

    /// The `%` lines.
    #[must_use]
    pub fn headers(&self) -> FileHeaders<'_> {
        let mut headers = FileHeaders::default();
        let lines = (0..).zip(self.lines());
        let at_top = lines.take_while(|(_, line)| matches!(line.class, LineClass::FileHeader | LineClass::Blank));
        for (index, _) in at_top {
            if let Some((keyword, value)) = grammar::file_header(self.line_str(index)) {
                headers.take(keyword, value);
            }
        }
        headers
    }

    /// What the lines of `entry` say by themselves.
    fn own(&self, entry: &Entry) -> Record<'_> {
        let mut record = Record::default();
        let mut tags = Vec::new();
        let mut content: Option<(u32, u32)> = None;
        let mut feedback = "";
        for index in entry.first..=entry.feedback {
            match self.class(index) {
                LineClass::Header => {
                    if let Some((keyword, value)) = grammar::header(self.line_str(index)) {
                        record.take(keyword, value, &mut tags);
                    }
                }
                LineClass::Content => content = Some((content.map_or(index, |(first, _)| first), index)),
                LineClass::Compact => {
                    if let Some(compact) = grammar::compact(self.line_str(index)) {
                        record.file = Some(compact.path.into());
                        feedback = compact.feedback;
                    }
                }
                LineClass::Feedback => feedback = grammar::feedback(self.line_str(index)),
                _ => {}
            }
        }
        record.tags = tags.into();
        record.content = content.map(|(first, last)| self.joined(first..=last));
        record.feedback = if feedback == FENCE { self.fence_body(entry) } else { feedback.into() };
        record
    }

    /// What stands in the fence of `entry`; nothing when that is blank.
    fn fence_body(&self, entry: &Entry) -> Cow<'_, str> {
        let is_closed = self.class(entry.end) == LineClass::FenceEnd;
        let last = if is_closed { entry.end - 1 } else { entry.end };
        if last == entry.feedback {
            return Cow::Borrowed("");
        }
        let body = self.joined(entry.feedback + 1..=last);
        if body.chars().all(is_blank) { Cow::Borrowed("") } else { body }
    }

    /// The content of these lines, joined by LF. Lines of class blank are empty.
    fn joined(&self, lines: RangeInclusive<u32>) -> Cow<'_, str> {
        let whole = self.content(*lines.start()).to(self.content(*lines.end()));
        let has_blanks = |index| self.class(index) == LineClass::Blank && !self.content(index).is_empty();
        let as_it_is = memchr::memchr(b'\r', whole.of(&self.text)).is_none() && !lines.clone().any(has_blanks);
        if as_it_is {
            return self.readable[whole.range()].into();
        }
        let line = |index| {
            if self.class(index) == LineClass::Blank { "" } else { &self.readable[self.content(index).range()] }
        };
        lines.map(line).collect::<Vec<_>>().join("\n").into()
    }

    /// The class of a line.
    #[inline]
    pub(super) fn class(&self, index: u32) -> LineClass {
        self.lines.class(index)
    }

    /// A line without byte order mark and terminator.
    #[inline]
    pub(super) fn content(&self, index: u32) -> Span {
        line::content(self.lines.span(index), &self.text)
    }

    /// A line of a file that is UTF-8, without blanks at its end.
    #[inline]
    pub(super) fn line_str(&self, index: u32) -> &str {
        trim_end(&self.readable[self.content(index).range()])
    }
}

/// What later records of a section take from `first`.
fn inheritable<'a>(first: &Record<'a>) -> Record<'a> {
    let Record { file, by, input, tags, .. } = first;
    Record { file: file.clone(), by: by.clone(), input: input.clone(), tags: tags.clone(), ..Record::default() }
}
