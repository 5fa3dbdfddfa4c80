//! Whether a review is still about what is in the repository, and whether its sources are there (section 9). What the
//! repository says comes through [`Repository`]; nothing here looks at one, fetches or runs anything.

use std::collections::HashMap;

use bstr::{BStr, ByteSlice};
use serde_json::Value;

use super::{Findings, Located};
use crate::document::note::text;
use crate::document::{Document, FileHeader, FileStatus, NoteView, Scope, Section, Source, SourceKind};
use crate::text::Span;
use crate::text::counted::counted;

/// What stands at a path in the working tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Current {
    /// Nothing, or nothing that lies below the root.
    Missing,
    /// A folder, such as a submodule.
    Folder,
    /// A file or link with this blob id, in hexadecimal digits.
    Blob(String),
}

/// What a path holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Content {
    /// The side that was asked for cannot be found, so nobody knows.
    Unknown,
    /// Nothing, or nothing that lies below the root.
    Missing,
    /// A folder.
    Folder,
    /// A file with these bytes.
    File(Vec<u8>),
}

/// What the checks ask a repository. Paths count from its root; nothing outside is ever looked at.
pub trait Repository {
    /// What is in the working tree at `path`; `None` where there is no working tree, or nobody may ask.
    fn current(&self, path: &BStr) -> Option<Current>;
    /// The blob id that `path` has in the commit `base`, or in the index where `base` is `index`; `None` when there is no
    /// such commit or path.
    fn recorded(&self, base: &str, path: &BStr) -> Option<String>;
    /// What `path` holds in the commit `at`, or in the working tree.
    fn content(&self, at: Option<&str>, path: &BStr) -> Content;
    /// Whether `id`, perhaps abbreviated, names a commit.
    fn has_commit(&self, id: &str) -> bool;
}

/// Which files are no longer those that the review shows, and which are gone.
#[must_use]
pub fn staleness(document: &Document, repository: &impl Repository) -> Vec<Located> {
    let mut findings = Findings::new(document);
    findings.each_part(|findings| {
        let section = &document.parts()[findings.part];
        if let Some(file) = &section.tree().file {
            new_side(findings, section, file, repository);
            old_side(findings, section, file, repository);
        }
    });
    findings.found
}

fn new_side(findings: &mut Findings<'_>, section: &Section, file: &FileHeader, repository: &impl Repository) {
    let is_fixed = findings.document.meta().scope == Some(Scope::Commit) || file.status == FileStatus::Deleted;
    let Some((span, stated)) = id(section, file.new_sha).filter(|_| !is_fixed) else { return };
    match repository.current(file.path.as_bstr()) {
        None | Some(Current::Folder) => {}
        Some(Current::Missing) => {
            let message = format!("`{}` is not in the repository: it was moved or removed, or never there.", file.path);
            findings.push("file-missing", line(section, file.span), None, message);
        }
        Some(Current::Blob(now)) if is_same(&now, stated) => {}
        Some(Current::Blob(now)) => {
            let now = shortened(&now, stated);
            let message = match kept(findings.document, file, stated, repository) {
                Some(where_) => format!(
                    "`{}` is another file on disk: the review shows {stated}, which is still in {where_}, and the file \
                     is {now}.",
                    file.path
                ),
                None => format!("`{}` has changed since: the review shows {stated}, the file is {now} now.", file.path),
            };
            findings.push("review-stale", span.range(), None, message);
        }
    }
}

/// Where what the review shows still stands, although it is not what is on disk: in the index or in the commit of `head`.
fn kept(document: &Document, file: &FileHeader, stated: &str, repository: &impl Repository) -> Option<String> {
    let word = document.meta().head.as_deref()?;
    let there = repository.recorded(commit_of(word)?, file.path.as_bstr())?;
    let place = if word == "index" { "the index".to_owned() } else { format!("`{word}`") };
    is_same(&there, stated).then_some(place)
}

fn old_side(findings: &mut Findings<'_>, section: &Section, file: &FileHeader, repository: &impl Repository) {
    let Some((span, stated)) = id(section, file.old_sha).filter(|_| file.status != FileStatus::Added) else { return };
    let Some(word) = findings.document.meta().base.as_deref() else { return };
    let path = file.old_path.as_ref().unwrap_or(&file.path);
    let Some(now) = commit_of(word).and_then(|base| repository.recorded(base, path.as_bstr())) else { return };
    if !is_same(&now, stated) {
        let now = shortened(&now, stated);
        let message = format!("`{path}` is {now} in the base `{word}`, and the review was written against {stated}.");
        findings.push("review-stale", span.range(), None, message);
    }
}

/// A blob id that an `@file` line states; zeros are none.
fn id(section: &Section, span: Option<Span>) -> Option<(Span, &str)> {
    let span = span?;
    let id = span.of(section.text()).to_str().ok()?;
    (is_hex(id) && id.bytes().any(|digit| digit != b'0')).then_some((span, id))
}

fn is_hex(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether two ids, of any length, may be of one object: one of them begins with the other.
pub(crate) fn is_same(one: &str, other: &str) -> bool {
    let len = one.len().min(other.len());
    one.as_bytes()[..len].eq_ignore_ascii_case(&other.as_bytes()[..len])
}

/// `id` in as many digits as `like` has.
fn shortened<'a>(id: &'a str, like: &str) -> &'a str {
    &id[..id.len().min(like.len().max(7))]
}

/// The commit of `<ref>@<id>`, or `index`.
fn commit_of(word: &str) -> Option<&str> {
    let id = word.rsplit('@').next().unwrap_or(word).trim();
    (word == "index" || (id.len() >= 4 && is_hex(id))).then_some(id)
}

/// The bytes of `span` without what ends the line.
fn line(section: &Section, span: Span) -> std::ops::Range<usize> {
    let len = section.newline().content(span.of(section.text())).len();
    span.start as usize..span.start as usize + len
}

/// Which sources name something that is not there.
#[must_use]
pub fn sources(document: &Document, repository: &impl Repository) -> Vec<Located> {
    let meta = document.meta();
    let is_fixed = meta.scope == Some(Scope::Commit);
    let at = meta.head.as_deref().and_then(commit_of).filter(|_| is_fixed).map(str::to_owned);
    let has_packages = ["package.json", "node_modules"]
        .into_iter()
        .any(|path| repository.content(None, path.into()) != Content::Missing);
    let mut sources = Sources { repository, at, has_packages, known: HashMap::new() };
    let mut findings = Findings::new(document);
    findings.each_part(|findings| {
        let section = &document.parts()[findings.part];
        for (index, view) in section.note_views().enumerate() {
            note(findings, section, view, index, &mut sources);
        }
    });
    findings.found
}

fn note(
    findings: &mut Findings<'_>,
    section: &Section,
    view: NoteView<'_>,
    index: usize,
    sources: &mut Sources<'_, impl Repository>,
) {
    let named = view.fields().filter(|field| field.known == Some("source") && !field.value.is_empty());
    for field in named {
        let source = Source::parse(&text(field.value));
        if let Some(message) = sources.problem(&source) {
            findings.push("source-unavailable", line(section, field.line), Some(index), message);
        }
    }
}

/// How many lines a file has, or why there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Unknown,
    Missing,
    Folder,
    Lines(u64),
}

struct Sources<'a, R> {
    repository: &'a R,
    /// The commit that files are looked up in; the working tree when it is `None`.
    at: Option<String>,
    /// Whether there are packages of the kind that `dep` can be looked up among.
    has_packages: bool,
    known: HashMap<String, Known>,
}

impl<R: Repository> Sources<'_, R> {
    /// What is wrong with `source`, as a sentence.
    fn problem(&mut self, source: &Source) -> Option<String> {
        let locator = unquoted(&source.locator);
        match source.kind {
            SourceKind::File if locator.contains(['*', '?']) => None,
            SourceKind::File => self.file(locator),
            SourceKind::Commit if !(7..=40).contains(&locator.len()) || !is_hex(locator) => {
                Some(format!("`{locator}` is no commit id: 7 to 40 hexadecimal digits."))
            }
            SourceKind::Commit => {
                (!self.repository.has_commit(locator)).then(|| format!("The repository has no commit `{locator}`."))
            }
            SourceKind::Dep if self.has_packages => self.package(locator),
            _ => None,
        }
    }

    fn file(&mut self, locator: &str) -> Option<String> {
        let (path, lines) = split_lines(locator);
        if path.is_empty() {
            return Some("This source names no file: `file:path`, or `file:path:10-20`.".to_owned());
        }
        match self.lines_of(path) {
            Known::Unknown => None,
            Known::Missing => Some(format!("`{path}` is not in the repository.")),
            Known::Folder => lines.map(|_| format!("`{path}` is a folder and has no lines.")),
            Known::Lines(count) => lines
                .filter(|(first, last)| *first == 0 || first > last || *last > count)
                .map(|_| format!("`{path}` has {}, and not those that `{locator}` names.", counted(count, "line"))),
        }
    }

    fn lines_of(&mut self, path: &str) -> Known {
        if let Some(known) = self.known.get(path) {
            return *known;
        }
        let known = match self.repository.content(self.at.as_deref(), path.into()) {
            Content::Unknown => Known::Unknown,
            Content::Missing => Known::Missing,
            Content::Folder => Known::Folder,
            Content::File(bytes) => Known::Lines(bytes.lines().count() as u64),
        };
        self.known.insert(path.to_owned(), known);
        known
    }

    fn package(&self, locator: &str) -> Option<String> {
        let (name, version) = match locator.rsplit_once('@') {
            Some((name, version)) if !name.is_empty() => (name, Some(version)),
            _ => (locator, None),
        };
        let path = format!("node_modules/{name}/package.json");
        let Content::File(text) = self.repository.content(None, path.as_str().into()) else {
            return Some(format!("The package `{name}` is not installed: there is no `{path}`."));
        };
        let installed = serde_json::from_slice::<Value>(&text).ok();
        let installed = installed.as_ref().and_then(|package| package["version"].as_str()).unwrap_or("unknown");
        let other = version.filter(|version| *version != installed)?;
        Some(format!("The package `{name}` is installed in version {installed}, not {other}."))
    }
}

/// `locator` without the one pair of quotes or backticks around it.
fn unquoted(locator: &str) -> &str {
    let pair = |quote: char| locator.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    pair('`').or_else(|| pair('"')).unwrap_or(locator).trim()
}

/// Path and lines of `path:first-last`.
fn split_lines(locator: &str) -> (&str, Option<(u64, u64)>) {
    let number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let lines = locator.rsplit_once(':').and_then(|(path, lines)| {
        let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
        Some((path, (number(first)?, number(last)?)))
    });
    lines.map_or((locator, None), |(path, lines)| (path, Some(lines)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A repository with one commit `abcdef1` and a few files.
    struct Fake;

    impl Repository for Fake {
        fn current(&self, path: &BStr) -> Option<Current> {
            Some(match path.as_bytes() {
                b"a" => Current::Blob("aaaa1111".to_owned()),
                b"lib" => Current::Folder,
                _ => Current::Missing,
            })
        }

        fn recorded(&self, base: &str, path: &BStr) -> Option<String> {
            (matches!(base, "abcdef1" | "index") && path == "old").then(|| "bbbb2222".to_owned())
        }

        fn content(&self, at: Option<&str>, path: &BStr) -> Content {
            match (at, path.as_bytes()) {
                (Some("abcdef1") | None, b"a") => Content::File(b"1\n2\n3".to_vec()),
                (Some("abcdef1") | None, b"lib" | b"node_modules") => Content::Folder,
                (None, b"node_modules/@x/y/package.json") => Content::File(b"{\"version\":\"1.2\"}".to_vec()),
                (Some("abcdef1") | None, _) => Content::Missing,
                (Some(_), _) => Content::Unknown,
            }
        }

        fn has_commit(&self, id: &str) -> bool {
            id.starts_with("abcdef1")
        }
    }

    fn codes(found: &[Located]) -> Vec<&'static str> {
        found.iter().map(|found| found.diagnostic.code).collect()
    }

    #[test]
    fn files_are_compared_with_what_is_there_now() {
        for (meta, file, want) in [
            ("", "a newsha=aaaa", vec![]),
            ("", "a newsha=AAAA1111ff", vec![]),
            ("", "a newsha=aaab", vec!["review-stale"]),
            ("", "a newsha=0000000", vec![]),
            ("", "a", vec![]),
            ("", "b newsha=aaaa", vec!["file-missing"]),
            ("", "b deleted newsha=aaaa", vec![]),
            ("", "lib newsha=1234567", vec![]),
            ("scope: commit\n", "a newsha=aaab", vec![]),
            ("base: main@abcdef1\n", "a from=old oldsha=bbbb", vec![]),
            ("base: main@abcdef1\n", "a from=old oldsha=bbbc", vec!["review-stale"]),
            ("base: index\n", "old newsha=1 oldsha=bbbc", vec!["file-missing", "review-stale"]),
            ("base: main@abcdef1\n", "a oldsha=bbbc", vec![]),
            ("base: main@1234567\n", "old oldsha=bbbc", vec![]),
            ("base: main\n", "old oldsha=bbbc", vec![]),
        ] {
            let document = Document::parse(format!("---\ntitle: x\n{meta}---\n@file {file}\n"));
            assert_eq!(codes(&staleness(&document, &Fake)), want, "{meta}{file}");
        }
    }

    #[test]
    fn sources_are_looked_up() {
        for (source, is_fine) in [
            ("file:a", true),
            ("file:a:1-3 — x", true),
            ("file:`a:3`", true),
            ("file:a:4", false),
            ("file:a:2-1", false),
            ("file:a:0", false),
            ("file:lib", true),
            ("file:lib:1", false),
            ("file:b", false),
            ("file:*.rs", true),
            ("file: — x", false),
            ("commit:abcdef1", true),
            ("commit:abcdef", false),
            ("commit:1234567", false),
            ("commit:HEAD", false),
            ("dep:@x/y@1.2", true),
            ("dep:@x/y", true),
            ("dep:@x/y@1.3", false),
            ("dep:z@1", false),
            ("url:file:b", true),
            ("b", true),
        ] {
            let document = Document::parse(format!("@file a\n@note file\nsource: {source}\n"));
            let found = sources(&document, &Fake);
            assert_eq!(codes(&found), if is_fine { vec![] } else { vec!["source-unavailable"] }, "{source}");
        }
    }

    #[test]
    fn sources_of_a_commit_are_looked_up_in_it() {
        for (head, want) in [("x@abcdef1", 1), ("x@1234567", 0)] {
            let text = format!("---\nscope: commit\nhead: {head}\n---\n@file a\n@note file\nsource: file:b\n");
            assert_eq!(sources(&Document::parse(text), &Fake).len(), want, "{head}");
        }
    }
}
