//! The writer (section 11 of the format): records as text, and the canonical form of a file.
//!
//! Nothing is written that would not be read back as what it was; where that cannot be, nothing is written at all.

use std::borrow::Cow;
use std::ops::Range;

use super::grammar::FENCE;
use super::headers::{self, Unwritable};
use super::line::{BOM, is_blank, markers, trim, trim_end};
use super::prepare::{prepared, unified};
use super::record::{Record, Tags};
use super::{FileHeaders, Markback};

/// The line between two sections.
pub(super) const SEPARATOR: &str = "---\n";

/// Which of the layouts of a file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// The canonical one, with the version of the format.
    Normalized,
    /// The canonical one, with the version only where the file states one.
    Kept,
    /// As [`Style::Normalized`], with each record of a section for itself.
    Expanded,
    /// As [`Style::Kept`], with each record on one line that fits on one, whatever the others need.
    Compact,
}

/// The text of `file` in the given layout: LF, one at the end. A file with errors loses what is not read; ask
/// [`lint`](super::lint()) first.
///
/// # Errors
/// When a record cannot be written: its feedback is empty, or its content stands beside a path with `<<<`.
pub fn canonical(file: &Markback, style: Style) -> Result<String, Unwritable> {
    let mut out = String::with_capacity(file.text.len() + file.text.len() / 16);
    let mut writer = Writer::new(file, style, &mut out);
    for record in file.records() {
        writer.write(&mut out, &record)?;
    }
    Ok(out)
}

/// Whether `file` is laid out as [`Style::Kept`] would have it, line ends aside. One that cannot be written counts as such.
#[must_use]
pub fn is_canonical(file: &Markback) -> bool {
    let mut comparison = Comparison::new(file, 0..file.entries.len());
    file.records().for_each(|record| comparison.take(&record));
    comparison.verdict().unwrap_or(true)
}

/// Compares records in a row, and what stands around them, with what would be written for them. That what precedes them is
/// as it would be written is for others to find out.
pub(super) struct Comparison<'a> {
    writer: Writer<'a>,
    rest: Rest<'a>,
    verdict: Option<bool>,
}

/// Takes what is written.
pub(super) trait Out {
    fn push_str(&mut self, text: &str);
}

impl Out for String {
    #[inline]
    fn push_str(&mut self, text: &str) {
        self.push_str(text);
    }
}

/// Compares what is written with a text, LF as its only line end, that is there.
struct Rest<'a> {
    text: Cow<'a, str>,
    /// How much of it has been written; `None` once something else has been.
    at: Option<usize>,
}

impl Out for Rest<'_> {
    #[inline]
    fn push_str(&mut self, text: &str) {
        self.at =
            self.at.filter(|at| self.text.as_bytes()[*at..].starts_with(text.as_bytes())).map(|at| at + text.len());
    }
}

impl<'a> Comparison<'a> {
    /// Begin with those that have these indices.
    pub(super) fn new(file: &'a Markback, indices: Range<usize>) -> Self {
        let behind = |index: usize| file.lines.start(file.entries[index].end + 1) as usize;
        let from = indices.start.checked_sub(1).map_or(0, behind);
        let to = if indices.end < file.entries.len() { behind(indices.end - 1) } else { file.readable.len() };
        let mut rest = Rest { text: unified(&file.readable[from..to]), at: Some(0) };
        let writer = match indices.start.checked_sub(1) {
            None => Writer::new(file, Style::Kept, &mut rest),
            Some(above) => Writer::behind(file, above),
        };
        let verdict = rest.at.is_none().then_some(false);
        Self { writer, rest, verdict }
    }

    /// The next record.
    pub(super) fn take(&mut self, record: &Record<'a>) {
        if self.verdict.is_some() {
            return;
        }
        self.verdict = match self.writer.write(&mut self.rest, record) {
            Ok(()) => self.rest.at.is_none().then_some(false),
            Err(_) => Some(true),
        };
    }

    /// What that means for the file, unless what precedes the records means something else; `None` when they are as they
    /// would be written, and all depends on the rest of the file.
    pub(super) fn verdict(self) -> Option<bool> {
        self.verdict.or((self.rest.at != Some(self.rest.text.len())).then_some(false))
    }
}

/// A new file, laid out as [`Style::Normalized`] has it. Content is taken as [`append`](super::append()) takes it.
///
/// # Errors
/// When a header or a record cannot be written so that it would be read back.
pub fn compose(headers: &FileHeaders<'_>, records: &[Record<'_>]) -> Result<String, Unwritable> {
    let records: Vec<Record<'_>> = records.iter().map(prepared).collect::<Result<_, _>>()?;
    let covers = headers.covers.iter().map(|covers| ("covers", covers.as_ref()));
    let scope = headers.scope.iter().map(|word| ("scope", word.as_ref()));
    covers.chain(scope).try_for_each(|(keyword, value)| headers::one_line(keyword, value))?;
    let is_listing = records.iter().all(|record| record.file.is_some() && record.content.is_none());
    let mut out = String::new();
    write_top(&mut out, headers, true, records.is_empty());
    let mut writer =
        Writer { all_compact: is_listing, expands: false, is_top: false, above: None, heads: Heads::default() };
    for record in &records {
        writer.write(&mut out, record)?;
    }
    Ok(out)
}

/// Append the `%` lines, and the empty line below them when records follow.
fn write_top(out: &mut String, headers: &FileHeaders<'_>, with_version: bool, is_all: bool) {
    headers::write_file_headers(out, headers, with_version);
    if !out.is_empty() && !is_all {
        out.push('\n');
    }
}

/// What the next record meets.
struct Writer<'a> {
    /// Whether records that fit on one line get one.
    all_compact: bool,
    /// Whether no record continues another.
    expands: bool,
    /// Whether nothing has been written.
    is_top: bool,
    above: Option<Above<'a>>,
    /// Of the first record since the last separator.
    heads: Heads,
}

/// The record above, as far as the next one depends on it.
struct Above<'a> {
    file: Option<Cow<'a, str>>,
    by: Option<Cow<'a, str>>,
    input: Option<Cow<'a, str>>,
    tags: Tags<'a>,
    has_content: bool,
    /// Whether it stands on one line.
    is_one_line: bool,
}

impl<'a> Above<'a> {
    fn new(record: &Record<'a>, layout: Layout) -> Self {
        let Record { file, by, input, tags, content, feedback, .. } = record;
        let (file, by, input, tags) = (file.clone(), by.clone(), input.clone(), tags.clone());
        let is_one_line = layout == Layout::Compact && fits(feedback);
        Self { file, by, input, tags, has_content: content.is_some(), is_one_line }
    }
}

/// Whether a record has what compact records below it would inherit.
#[derive(Clone, Copy, Default)]
pub(super) struct Heads {
    by: bool,
    input: bool,
    tags: bool,
}

impl Heads {
    pub(super) fn of(record: &Record<'_>) -> Self {
        Self { by: record.by.is_some(), input: record.input.is_some(), tags: !record.tags.is_empty() }
    }

    /// Whether `below` would take something from the section that begins with these.
    pub(super) fn reach(self, below: Self) -> bool {
        self.by && !below.by || self.input && !below.input || self.tags && !below.tags
    }
}

impl<'a> Writer<'a> {
    /// Append what stands above the first record.
    fn new(file: &Markback, style: Style, out: &mut impl Out) -> Self {
        // A file that says nothing needs no version.
        let headers = file.headers();
        let says_something = !file.entries.is_empty() || headers != FileHeaders::default();
        let with_version = says_something && matches!(style, Style::Normalized | Style::Expanded);
        let mut top = String::new();
        write_top(&mut top, &headers, with_version, file.entries.is_empty());
        out.push_str(&top);
        let all_compact = style == Style::Compact || file.is_listing;
        let (expands, is_top) = (style == Style::Expanded, top.is_empty());
        Self { all_compact, expands, is_top, above: None, heads: Heads::default() }
    }

    /// As what has written the record at `above`, and all that precede it, as [`Style::Kept`].
    fn behind(file: &'a Markback, above: usize) -> Self {
        let section = file.entries[above].section as usize;
        let heads = file.record(section).map(|first| Heads::of(&first)).unwrap_or_default();
        let above = file.record(above);
        let above = above.and_then(|record| Some(Above::new(&record, layout(&record, file.is_listing).ok()?)));
        Self { all_compact: file.is_listing, expands: false, is_top: false, above, heads }
    }

    /// Append the next record with what must stand in front of it.
    fn write(&mut self, out: &mut impl Out, record: &Record<'a>) -> Result<(), Unwritable> {
        let layout = layout(record, self.all_compact)?;
        let heads = Heads::of(record);
        let this = Above::new(record, layout);
        let joins = |above: &Above<'_>| above.is_one_line && this.is_one_line && !self.heads.reach(heads);
        match &self.above {
            Some(above) if !self.expands && continues(above, record) => write_continuation(out, record)?,
            Some(above) if joins(above) => write_record(out, record, layout, false)?,
            Some(_) => {
                out.push_str(SEPARATOR);
                write_record(out, record, layout, false)?;
                self.heads = heads;
            }
            None => {
                let is_guarded = is_headerless(record) && starts_like_the_top(record, self.is_top);
                out.push_str(if is_guarded { SEPARATOR } else { "" });
                write_record(out, record, layout, !is_guarded)?;
                self.heads = heads;
            }
        }
        self.is_top = false;
        self.above = Some(this);
        Ok(())
    }
}

/// How a record is laid out that continues nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// Header lines, content, feedback.
    Full,
    /// Header lines, and a line with path and feedback.
    Compact,
}

/// The layout of `record`; `prefers_compact` where it has the choice.
pub(super) fn layout(record: &Record<'_>, prefers_compact: bool) -> Result<Layout, Unwritable> {
    let Some(path) = &record.file else { return Ok(Layout::Full) };
    // Only the compact form has a place for it.
    let must_be_compact = markers(path).next().is_some();
    match record.content {
        Some(_) if must_be_compact => Err(Unwritable::Path(path.to_string())),
        None if must_be_compact || prefers_compact && fits(&record.feedback) => Ok(Layout::Compact),
        _ => Ok(Layout::Full),
    }
}

/// Whether `feedback` can stand behind `<<< ` as it is.
#[inline]
pub(super) fn fits(feedback: &str) -> bool {
    !feedback.is_empty()
        && feedback != FENCE
        && memchr::memchr2(b'\n', b'\r', feedback.as_bytes()).is_none()
        && trim(feedback).len() == feedback.len()
}

/// Whether `record` says of itself no more than content and feedback, and takes the rest from `above`.
fn continues(above: &Above<'_>, record: &Record<'_>) -> bool {
    let says_nothing_else = record.id.is_none()
        && record.reply_to.is_none()
        && record.actions.is_empty()
        && record.unknown.is_empty()
        && record.content.as_ref().is_some_and(|content| !content.starts_with('@'));
    says_nothing_else
        && above.has_content
        && record.file.is_some()
        && is_same(&above.file, &record.file)
        && is_same(&above.by, &record.by)
        && is_same(&above.input, &record.input)
        && above.tags == record.tags
}

/// Whether two values are equal; what is the same place in the text is so without a look.
fn is_same(one: &Option<Cow<'_, str>>, other: &Option<Cow<'_, str>>) -> bool {
    match (one.as_deref(), other.as_deref()) {
        (Some(one), Some(other)) => std::ptr::eq(one, other) || one == other,
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Whether no header line is written for `record` in full layout.
pub(super) fn is_headerless(record: &Record<'_>) -> bool {
    let Record { id, reply_to, by, input, file, .. } = record;
    [id, reply_to, by, input, file].into_iter().all(Option::is_none)
        && record.actions.is_empty()
        && record.tags.is_empty()
        && record.unknown.is_empty()
}

/// Whether the content would be read as a file header at the top, or lose what looks like a byte order mark.
pub(super) fn starts_like_the_top(record: &Record<'_>, is_first: bool) -> bool {
    record.content.as_ref().is_some_and(|content| content.starts_with('%') || is_first && content.starts_with(BOM))
}

/// Append `record`, its lines ended by LF. `is_below_nothing`: it has no use for an empty line of its own in front of
/// content without headers, since it is the first line or follows an empty one.
pub(super) fn write_record(
    out: &mut impl Out,
    record: &Record<'_>,
    layout: Layout,
    is_below_nothing: bool,
) -> Result<(), Unwritable> {
    headers::write_headers(out, record, layout == Layout::Full);
    if let Some(content) = &record.content {
        let is_headerless = is_headerless(record);
        if is_headerless && content.starts_with('@') {
            return Err(Unwritable::Structure(content.lines().next().unwrap_or_default().to_owned()));
        }
        out.push_str(if is_headerless && is_below_nothing { "" } else { "\n" });
        out.push_str(content);
        out.push_str("\n");
    }
    if let (Layout::Compact, Some(path)) = (layout, &record.file) {
        out.push_str("@file ");
        out.push_str(path);
        out.push_str(" ");
    }
    write_feedback(out, &record.feedback)
}

fn write_continuation(out: &mut impl Out, record: &Record<'_>) -> Result<(), Unwritable> {
    out.push_str("\n");
    out.push_str(record.content.as_deref().unwrap_or_default());
    out.push_str("\n");
    write_feedback(out, &record.feedback)
}

/// Append `<<< ` and what follows it: the text itself, or a fence around it.
pub(super) fn write_feedback(out: &mut impl Out, feedback: &str) -> Result<(), Unwritable> {
    out.push_str("<<< ");
    if fits(feedback) {
        out.push_str(feedback);
        out.push_str("\n");
        return Ok(());
    }
    if feedback.chars().all(is_blank) {
        return Err(Unwritable::EmptyFeedback);
    }
    let has_fence = memchr::memmem::find(feedback.as_bytes(), FENCE.as_bytes()).is_some();
    if has_fence && feedback.split('\n').any(|line| trim_end(line) == FENCE) {
        return Err(Unwritable::FenceInFeedback);
    }
    for line in [FENCE, feedback, FENCE] {
        out.push_str(line);
        out.push_str("\n");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn canonical_forms() {
        for (text, expected) in [
            ("", ""),
            ("\u{feff}\n\n", ""),
            ("%scope b  a\n%markback 02\n%z 1\n%a\n%z 0", "%markback 2\n%scope b a\n%a\n%z 1\n%z 0\n"),
            ("%markback 30\n<<<x", "%markback 30\n\n<<< x\n"),
            ("%x\n\n\n\ntext\n<<< y", "%x\n\ntext\n<<< y\n"),
            ("\n\ntext \n\n\n b\n\n<<<  y ", "text \n\n\n b\n<<< y\n"),
            ("---\n%a\n<<< y", "---\n\n%a\n<<< y\n"),
            ("\u{feff}\u{feff}a\n<<< y", "---\n\n\u{feff}a\n<<< y\n"),
            ("%x\n---\n\u{feff}a\n<<< y", "%x\n\n\u{feff}a\n<<< y\n"),
            ("@tag a\n@by b\n@id i\n@tag b a\n@file f\n<<< y", "@id i\n@by b\n@tag a b a\n@file f <<< y\n"),
            ("@by b\n@file f <<< x\n---\n@file g <<< y", "@by b\n@file f <<< x\n---\n@file g <<< y\n"),
            ("@by b\n@file f <<< x\n@file g <<< y", "@by b\n@file f <<< x\n@by b\n@file g <<< y\n"),
            ("@file f <<< x\n---\n@by b\n@file g <<< y", "@file f <<< x\n@by b\n@file g <<< y\n"),
            (
                "@file f <<< x\n@file g <<< \"\"\"\na\nb\n\"\"\"\n@file h <<< y",
                "@file f <<< x\n---\n@file g\n<<< \"\"\"\na\nb\n\"\"\"\n---\n@file h <<< y\n",
            ),
            ("@file f <<< x\n---\na\n<<< y", "@file f\n<<< x\n---\n\na\n<<< y\n"),
            ("@file f\n\na\n<<< x\n---\n@file f\n\nb\n<<< y", "@file f\n\na\n<<< x\n\nb\n<<< y\n"),
            ("@id i\n@file f\n\na\n<<< x\n\nb\n<<< y\n", "@id i\n@file f\n\na\n<<< x\n\nb\n<<< y\n"),
            ("@file f\n\na\n<<< x\n---\n@file f\n\n@b\n<<< y", "@file f\n\na\n<<< x\n---\n@file f\n\n@b\n<<< y\n"),
            ("a\n<<< x\n\nb\n<<< y", "a\n<<< x\n---\n\nb\n<<< y\n"),
            ("@file a<<<b <<< x\n---\nc\n<<< y", "@file a<<<b <<< x\n---\n\nc\n<<< y\n"),
            ("<<< \"\"\"\n a\n\"\"\"\n", "<<< \"\"\"\n a\n\"\"\"\n"),
            ("<<< \"\"\"\na\n\"\"\"\n", "<<< a\n"),
            ("@uri u\r\n@prior p\r\n\r\na\r\rb\r\n<<< x\r\n", "@id u\n@input p\n\na\n\nb\n<<< x\n"),
        ] {
            let written = canonical(&Markback::parse(text), Style::Kept);
            assert_eq!(written.as_deref(), Ok(expected), "{text:?}");
            let again = Markback::parse(expected);
            assert_eq!(canonical(&again, Style::Kept).as_deref(), Ok(expected), "{text:?}");
            assert!(is_canonical(&again) && is_canonical(&Markback::parse(expected.replace('\n', "\r\n"))), "{text:?}");
            assert_eq!(is_canonical(&Markback::parse(text)), text == expected, "{text:?}");
        }
    }

    #[test]
    fn the_version_is_written_where_it_is_wanted() {
        let written = |text: &str| canonical(&Markback::parse(text.to_owned()), Style::Normalized);
        assert_eq!(written("<<< x"), Ok("%markback 2\n\n<<< x\n".to_owned()));
        assert_eq!(written("\n---\n"), Ok(String::new()));
        assert_eq!(written("%scope a"), Ok("%markback 2\n%scope a\n".to_owned()));
        assert_eq!(written("%markback 99999999999999999999999"), Ok("%markback 99999999999999999999999\n".to_owned()));
    }

    #[test]
    fn compact_where_it_fits_on_a_line() {
        let text = "@file f\n<<< x\n---\n@file g\n\na\n<<< y\n---\n@file h\n<<< z\n";
        let expected = "@file f <<< x\n---\n@file g\n\na\n<<< y\n---\n@file h <<< z\n";
        let file = Markback::parse(text);
        assert_eq!(canonical(&file, Style::Compact).as_deref(), Ok(expected));
        assert_eq!(canonical(&file, Style::Kept).as_deref(), Ok(text));
    }

    #[test]
    fn what_cannot_be_written_is_refused() {
        for (text, refusal) in [
            ("<<<", Unwritable::EmptyFeedback),
            ("@file a<<<b <<< x\n\nc\n<<< y", Unwritable::Path("a<<<b".to_owned())),
        ] {
            assert_eq!(canonical(&Markback::parse(text), Style::Kept), Err(refusal), "{text:?}");
        }
    }
}
