//! What a place stands under: in Markdown the heading, elsewhere the line that begins the function or section, by the
//! rules that git has for the headings of hunks.

use std::borrow::Cow;

use bstr::ByteSlice as _;
use pulldown_cmark::{Event, Parser, Tag};

use super::Version;
use super::quote::line_end;
use crate::diff::{Headings, Rules};
use crate::text::lines::{Lines, Newline, line_index};

/// The heading at or above the byte at `at`.
pub(super) fn above(version: &Version<'_>, at: usize) -> Option<String> {
    let extension = extension(version.path);
    if is_markdown(version.path) {
        return markdown(version.text, at);
    }
    // The search is for lines above, and a function's own first line belongs to it.
    let line = line_index(version.text, at) as u64 + 1;
    let by = |rules: Option<&Rules>| Headings::new(version.text, rules).above(line).to_str_lossy().into_owned();
    let rules = language(&extension).and_then(|language| Rules::of_language(language.as_bytes()));
    let by_language = rules.map(|rules| by(Some(&rules))).filter(|heading| !heading.is_empty());
    let found = by_language.unwrap_or_else(|| by(None));
    let hunk = version.hunk_heading.unwrap_or_default();
    let found = found.trim();
    [found, hunk.trim()].into_iter().find(|heading| !heading.is_empty()).map(str::to_owned)
}

/// What is behind the last dot of a file's name, in small letters.
fn extension(path: &[u8]) -> String {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let extension = name.rfind_byte(b'.').map_or(&b""[..], |dot| &name[dot + 1..]);
    extension.to_str_lossy().to_ascii_lowercase()
}

/// The byte order mark that some editors put in front of UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// Endings of Markdown files.
const MARKDOWN: [&str; 4] = ["md", "markdown", "mdown", "mkd"];

/// The language of files with this ending, as git calls it. Left out is what two languages share.
fn language(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "ada" | "adb" | "ads" => "ada",
        "bash" | "ksh" | "sh" | "zsh" => "bash",
        "bib" => "bibtex",
        "c" | "cc" | "cpp" | "cxx" | "h" | "hh" | "hpp" | "hxx" => "cpp",
        "cs" => "csharp",
        "css" => "css",
        "dts" | "dtsi" => "dts",
        "ex" | "exs" => "elixir",
        "f" | "f03" | "f08" | "f77" | "f90" | "f95" | "for" => "fortran",
        "fountain" => "fountain",
        "go" => "golang",
        "htm" | "html" | "xhtml" => "html",
        "java" => "java",
        "kt" | "kts" => "kotlin",
        "mm" => "objc",
        "pas" => "pascal",
        "php" => "php",
        "pl" | "pm" => "perl",
        "py" | "pyi" => "python",
        "rb" => "ruby",
        "rs" => "rust",
        "rkt" | "scm" | "sld" | "ss" => "scheme",
        "cls" | "sty" | "tex" => "tex",
        _ => return None,
    })
}

/// A heading of a Markdown file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// Its first line, counted from 1.
    pub line: u64,
    /// How deep it is, from 1 to 6.
    pub level: u8,
    /// What it says, without the marks around it.
    pub title: String,
}

/// The headings of the file at `path`, from top to bottom; none for a file that is no Markdown by its name.
#[must_use]
pub fn outline(path: &[u8], text: &[u8]) -> Vec<Heading> {
    if !is_markdown(path) {
        return Vec::new();
    }
    let (mut at, mut line) = (0, 1);
    let body = Body::of(text);
    let heading = |(start, level, title): (usize, u8, &str)| {
        line += memchr::memchr_iter(b'\n', &text[at..start]).count() as u64;
        at = start;
        Heading { line, level, title: title.to_owned() }
    };
    body.headings().map(heading).collect()
}

/// Whether a file is Markdown by its name.
#[must_use]
pub fn is_markdown(path: &[u8]) -> bool {
    MARKDOWN.contains(&extension(path).as_str())
}

/// The nearest heading at or above `at`, without the marks around it.
fn markdown(text: &[u8], at: usize) -> Option<String> {
    let end = line_end(text, at);
    let body = Body::of(text);
    let (_, _, title) = body.headings().take_while(|(start, ..)| *start < end).last()?;
    (!title.is_empty()).then(|| title.to_owned())
}

/// The text of a Markdown file behind its front matter.
struct Body<'a> {
    start: usize,
    text: Cow<'a, str>,
}

impl<'a> Body<'a> {
    fn of(text: &'a [u8]) -> Self {
        let mark = if text.starts_with(BOM) { BOM.len() } else { 0 };
        let start = mark + front_matter(&text[mark..]);
        Self { start, text: readable(&text[start..]) }
    }

    /// Where each heading begins in the file, how deep it is, and what it says.
    fn headings(&self) -> impl Iterator<Item = (usize, u8, &str)> {
        Parser::new(&self.text).into_offset_iter().filter_map(|(event, range)| match event {
            Event::Start(Tag::Heading { level, .. }) => {
                Some((self.start + range.start, level as u8, title(&self.text[range])))
            }
            _ => None,
        })
    }
}

/// `text` with every byte that is no part of a character replaced, so that places stay what they are.
fn readable(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = text.to_str() {
        return text.into();
    }
    let chunk = |chunk: std::str::Utf8Chunk<'_>| [chunk.valid(), &"?".repeat(chunk.invalid().len())].concat();
    text.utf8_chunks().map(chunk).collect::<String>().into()
}

/// How long the block between `---` is with which a file begins; 0 without one.
fn front_matter(text: &[u8]) -> usize {
    let content = |line: crate::text::Span| Newline::CrLf.content(line.of(text));
    let mut lines = Lines::new(text);
    if lines.next().map(content) != Some(b"---") {
        return 0;
    }
    lines.find(|line| matches!(content(*line), b"---" | b"...")).map_or(0, |line| line.range().end)
}

/// What a heading says: its source without the marks.
fn title(source: &str) -> &str {
    let source = source.trim();
    if let Some((text, _underline)) = source.rsplit_once('\n') {
        return text.trim();
    }
    let text = source.trim_start_matches('#').trim();
    let open = text.trim_end_matches('#');
    let is_closed = open.is_empty() || open.ends_with([' ', '\t']);
    if is_closed { open.trim() } else { text }
}
