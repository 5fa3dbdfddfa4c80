//! From the text between the fences to [`Meta`], piece by piece where the whole is not YAML.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::fences::{between_fences, nth_line, unfenced};
use super::fix::{self, Fix};
use super::recover;
use super::yaml::{self, Entry, Kind, Node, number};
use super::{Check, Finding, Meta, Review, ReviewStatus, Scope};
use crate::document::claim::{ClaimStatus, Method};
use crate::document::{Block, Section};
use crate::text::Span;
use crate::text::near::did_you_mean;

/// The keys that the format knows.
pub(super) const KEYS: [&str; 14] = [
    "whymark", "title", "author", "date", "scope", "base", "head", "repo", "tags", "summary", "checks", "review",
    "evidence", "quality",
];

/// The offset of a finding about a key that is not there: line 1.
const ABSENT: usize = usize::MAX;

/// Read the metadata of a head.
pub(super) fn meta(head: &Section) -> Meta {
    let Some(span) = fenced(head) else { return unfenced(head) };
    let inner = between_fences(head, span);
    let bytes = &head.text[inner.clone()];
    let block = bytes.to_str_lossy();
    let mut reader = Reader { meta: Meta::default(), block: &block, has_version: false };
    reader.read();
    let mut meta = reader.meta;
    let exact = matches!(block, Cow::Borrowed(_));
    let offset = |at: usize| match at {
        ABSENT => span.start as usize,
        at if exact => inner.start + at,
        // Lossy text has other offsets, but the same lines.
        at => inner.start + nth_line(bytes, block[..at].matches('\n').count()),
    };
    for finding in &mut meta.findings {
        finding.at = offset(finding.at);
        let fix = finding.fix.take().filter(|_| exact);
        finding.fix = fix.map(|(range, with)| (inner.start + range.start..inner.start + range.end, with));
    }
    meta.places.keys.values_mut().for_each(|at| *at = offset(*at));
    meta.places.checks.iter_mut().for_each(|at| *at = offset(*at));
    meta
}

/// The comments of the frontmatter, from top to bottom.
pub(super) fn comments(head: &Section) -> Vec<String> {
    let block = |span| head.text[between_fences(head, span)].to_str_lossy();
    fenced(head).map(|span| yaml::comments(&block(span))).unwrap_or_default()
}

/// The frontmatter with its fences.
fn fenced(head: &Section) -> Option<Span> {
    head.tree().blocks.iter().find_map(|block| match block {
        Block::Frontmatter(span) => Some(*span),
        _ => None,
    })
}

struct Reader<'a> {
    meta: Meta,
    block: &'a str,
    has_version: bool,
}

impl Reader<'_> {
    fn report(&mut self, code: &'static str, at: usize, message: impl Into<String>) {
        self.report_mendable(code, at, message, None);
    }

    /// Report what replacing bytes of the block removes.
    fn report_mendable(&mut self, code: &'static str, at: usize, message: impl Into<String>, fix: Option<Fix>) {
        self.meta.findings.push(Finding { code, at, message: message.into(), fix });
    }

    fn read(&mut self) {
        let entries = recover::entries(self.block, &mut self.meta.findings);
        self.meta.places.keys = entries.iter().map(|entry| (entry.key.clone(), entry.at)).collect();
        let place = |key: &str| entries.iter().find(|entry| entry.key == key).map_or(ABSENT, |entry| entry.at);
        let (version, title) = (place("whymark"), place("title"));
        for entry in &entries {
            self.entry(entry);
        }
        if !self.has_version {
            let message = if version == ABSENT {
                "State the version of the format: `whymark: 1`."
            } else {
                "The version is a number, without quotes: `whymark: 1`."
            };
            let fix = (version == ABSENT).then(|| fix::with_version(self.block)).flatten();
            self.report_mendable("version-missing", version, message, fix);
        }
        if self.meta.title.is_none() {
            self.report("title-missing", title, "State what the change does in one line: `title: …`.");
        }
    }

    fn entry(&mut self, entry: &Entry) {
        match entry.key.as_str() {
            "whymark" => self.version(entry),
            "title" => self.meta.title = self.trimmed(entry),
            "summary" => self.meta.summary = self.trimmed(entry),
            "author" => self.meta.author = self.string(entry),
            "date" => self.meta.date = self.string(entry),
            "base" => self.meta.base = self.string(entry),
            "head" => self.meta.head = self.string(entry),
            "repo" => self.meta.repo = self.string(entry),
            "scope" => self.scope(entry),
            "tags" => self.tags(entry),
            "checks" => self.checks(entry),
            "review" => self.review(entry),
            "stats" => {}
            key => {
                if !matches!(key, "evidence" | "quality") {
                    let meant = did_you_mean(key, KEYS);
                    let message = format!("The format has no key `{key}`; it is kept as it is.{meant}");
                    self.report("frontmatter-extra", entry.at, message);
                }
                self.keep(entry);
            }
        }
    }

    /// Keep a value that has no typed place.
    fn keep(&mut self, entry: &Entry) {
        self.meta.extra.insert(entry.key.clone(), entry.value.to_json());
    }

    fn version(&mut self, entry: &Entry) {
        match &entry.value.kind {
            Kind::Other(text) => {
                let Some(version) = number(text) else { return };
                self.has_version = true;
                if version.as_f64() != Some(1.0) {
                    let message = format!("Version {version} of the format is read as version 1.");
                    self.report("version-unsupported", entry.at, message);
                }
                self.meta.version = version;
            }
            Kind::List(_) | Kind::Map(_) => self.misfit(entry),
            Kind::Empty | Kind::String(_) => {}
        }
    }

    /// A list or mapping where a scalar is wanted: kept, but not as the value.
    fn misfit(&mut self, entry: &Entry) {
        let message = format!("`{}` must be one value, not a list or mapping.", entry.key);
        self.report("frontmatter-type", entry.at, message);
        self.keep(entry);
    }

    fn string(&mut self, entry: &Entry) -> Option<String> {
        if matches!(entry.value.kind, Kind::List(_) | Kind::Map(_)) {
            self.misfit(entry);
            return None;
        }
        self.text_of(&entry.value, entry.at, &entry.key)
    }

    /// A scalar as text: what YAML takes for a number or truth value is its source text.
    fn text_of(&mut self, node: &Node, at: usize, key: &str) -> Option<String> {
        match &node.kind {
            Kind::Empty => None,
            Kind::String(text) => Some(text.clone()),
            Kind::Other(text) => {
                let message = format!("`{key}` must be text; `{text}` is none in YAML. Quote it.");
                let is_plain = self.block.get(node.range.clone()) == Some(text);
                let fix = is_plain.then(|| (node.range.clone(), format!("\"{text}\"")));
                self.report_mendable("frontmatter-type", at, message, fix);
                Some(text.clone())
            }
            Kind::List(_) | Kind::Map(_) => {
                self.report("frontmatter-type", at, format!("`{key}` must be text, not a list or mapping."));
                Some(self.block.get(node.range.clone()).unwrap_or_default().trim().replace("\r\n", "\n"))
            }
        }
    }

    fn trimmed(&mut self, entry: &Entry) -> Option<String> {
        self.string(entry).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn scope(&mut self, entry: &Entry) {
        let Some(word) = self.string(entry) else { return };
        self.meta.scope = Scope::from_word(word.as_bytes());
        if self.meta.scope.is_none() {
            let words: Vec<&str> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
            let meant = did_you_mean(&word, words.iter().copied());
            let message = format!("The scope `{word}` is unknown; it is one of {}.{meant}", words.join(", "));
            let (range, lower) = (entry.value.range.clone(), word.to_ascii_lowercase());
            let is_case = Scope::from_word(lower.as_bytes()).is_some() && self.block.get(range.clone()) == Some(&word);
            self.report_mendable("scope-unknown", entry.at, message, is_case.then_some((range, lower)));
            self.meta.extra.insert(entry.key.clone(), word.into());
        }
    }

    fn tags(&mut self, entry: &Entry) {
        match &entry.value.kind {
            Kind::Empty => {}
            Kind::List(items) => {
                for item in items {
                    let tag = self.text_of(item, item.range.start, "tags");
                    self.meta.tags.extend(tag);
                }
            }
            Kind::Map(_) => self.misfit(entry),
            Kind::String(text) | Kind::Other(text) => {
                self.report("frontmatter-type", entry.at, "`tags` must be a list: `[…]`.");
                self.meta.tags = vec![text.clone()];
            }
        }
    }

    fn checks(&mut self, entry: &Entry) {
        match &entry.value.kind {
            Kind::Empty => {}
            Kind::List(items) => {
                for item in items {
                    match self.check(item) {
                        Some(check) => {
                            self.meta.checks.push(check);
                            self.meta.places.checks.push(item.range.start);
                        }
                        None => self.report("check-invalid", item.range.start, "A check needs a command: `- cmd: …`."),
                    }
                }
            }
            _ => self.report("check-invalid", entry.at, "`checks` must be a list of commands."),
        }
    }

    fn check(&mut self, item: &Node) -> Option<Check> {
        let at = item.range.start;
        let mut check = Check {
            cmd: String::new(),
            status: ClaimStatus::Unknown,
            detail: None,
            ran: None,
            inline: false,
            method: Method::Cmd,
        };
        match &item.kind {
            Kind::Map(entries) => {
                for entry in entries {
                    match entry.key.as_str() {
                        "cmd" => check.cmd = self.part(entry, at)?,
                        "status" => check.status = self.status(entry, at),
                        "detail" => check.detail = self.part(entry, at),
                        "ran" => check.ran = self.part(entry, at),
                        _ => {}
                    }
                }
            }
            Kind::String(_) | Kind::Other(_) => check.cmd = self.text_of(item, at, "checks")?,
            Kind::Empty | Kind::List(_) => return None,
        }
        check.cmd = check.cmd.trim().to_owned();
        (!check.cmd.is_empty()).then_some(check)
    }

    /// The text of a key inside a list's entry or mapping, which stands at `at`.
    fn part(&mut self, entry: &Entry, at: usize) -> Option<String> {
        let text = self.text_of(&entry.value, at, &entry.key);
        text.filter(|_| !matches!(entry.value.kind, Kind::List(_) | Kind::Map(_)))
    }

    fn status(&mut self, entry: &Entry, at: usize) -> ClaimStatus {
        let text = match &entry.value.kind {
            Kind::Empty => return ClaimStatus::Unknown,
            Kind::String(text) | Kind::Other(text) => text.as_str(),
            Kind::List(_) | Kind::Map(_) => "",
        };
        ClaimStatus::from_synonym(text).unwrap_or_else(|| {
            self.report(
                "status-unknown",
                at,
                format!("The status `{text}` is unknown: pass, fail, unknown or skipped."),
            );
            ClaimStatus::Unknown
        })
    }

    fn review(&mut self, entry: &Entry) {
        let mut review = Review { status: ReviewStatus::Pending, by: None, at: None };
        let mut invalid = None;
        let mut decide = |node: &Node, at: usize| {
            let word = if let Kind::String(text) = &node.kind { text.as_str() } else { "" };
            let status = ReviewStatus::from_word(word.as_bytes());
            if status.is_none() {
                invalid = Some(at);
            }
            status.unwrap_or(ReviewStatus::Pending)
        };
        match &entry.value.kind {
            Kind::Empty => return,
            Kind::Map(parts) => {
                for part in parts {
                    match part.key.as_str() {
                        "status" if !matches!(part.value.kind, Kind::Empty) => {
                            review.status = decide(&part.value, part.at);
                        }
                        "by" => review.by = self.part(part, part.at),
                        "at" => review.at = self.part(part, part.at),
                        _ => {}
                    }
                }
            }
            _ => {
                review.status = decide(&entry.value, entry.at);
                invalid = Some(entry.at);
            }
        }
        if let Some(at) = invalid {
            let message = "A review is a mapping with `status: pending`, `approved` or `changes-requested`.";
            self.report("review-invalid", at, message);
        }
        self.meta.review = Some(review);
    }
}

#[cfg(test)]
mod tests {
    use crate::document::{Document, Meta};

    fn read(block: &str) -> Meta {
        Document::parse(format!("---\n{block}---\n")).meta().clone()
    }

    /// Codes with the line that they stand at.
    fn findings(text: &str) -> Vec<(&'static str, usize)> {
        let document = Document::parse(text.to_owned());
        let line = |at: usize| text[..at].matches('\n').count() + 1;
        document.meta().findings.iter().map(|finding| (finding.code, line(finding.at))).collect()
    }

    #[test]
    fn one_slip_costs_one_key() {
        let meta = read("whymark: 1\ntitle: Fix: x\nauthor: me\nbase: `a`\nchecks:\n- cmd: make\ntags:\n\t- x\n");
        assert_eq!(
            (meta.title.as_deref(), meta.author.as_deref(), meta.base.as_deref()),
            (Some("Fix: x"), Some("me"), Some("`a`"))
        );
        assert_eq!((meta.checks.len(), meta.tags), (1, vec!["- x".to_owned()]));
    }

    #[test]
    fn findings_stand_at_their_lines() {
        for (block, want) in [
            ("", vec![("version-missing", 1), ("title-missing", 1)]),
            ("- a\n", vec![("frontmatter-invalid", 2), ("version-missing", 1), ("title-missing", 1)]),
            ("whymark: '1'\ntitle: ' '\n", vec![("version-missing", 2), ("title-missing", 3)]),
            (
                "whymark: 2\ntitle: [x]\n",
                vec![("version-unsupported", 2), ("frontmatter-type", 3), ("title-missing", 3)],
            ),
            ("whymark: 1.0\ntitle: x\ntitle: y\nfoo: 1\n", vec![("frontmatter-invalid", 4), ("frontmatter-extra", 5)]),
            (
                "whymark: 1\ntitle: a: b\nfoo: 1\nfoo: 2\n",
                vec![("frontmatter-invalid", 3), ("frontmatter-invalid", 5), ("frontmatter-extra", 4)],
            ),
            (
                "whymark: 1\ntitle: x\nscope: Staged\nreview:\n  status: ok\n  by: 5\n",
                vec![("scope-unknown", 4), ("frontmatter-type", 7), ("review-invalid", 6)],
            ),
            (
                "whymark: 1\ntitle: x\nchecks:\n- true\n- status: pass\n- cmd: x\n  status: green\nauthor:\n",
                vec![("frontmatter-type", 5), ("check-invalid", 6), ("status-unknown", 7)],
            ),
            (
                "whymark: 1\ntitle: x\ntags: a\nreview: maybe\nchecks: 5\nevidence:\n",
                vec![("frontmatter-type", 4), ("review-invalid", 5), ("check-invalid", 6)],
            ),
        ] {
            assert_eq!(findings(&format!("---\n{block}---\n")), want, "{block:?}");
            assert_eq!(findings(&format!("---\n{block}---\n").replace('\n', "\r\n")), want, "{block:?} with CRLF");
        }
        assert_eq!(findings("x\n"), [("frontmatter-missing", 1)]);
        assert_eq!(findings("---\ntitle: x\n"), [("frontmatter-unterminated", 1)]);
    }

    #[test]
    fn what_is_no_text_is_its_source() {
        let meta =
            read("whymark: 0x1\ntitle: 2026\nbase: 0012345\nhead: ~\ntags: [a, 1.10, [b]]\nrepo: !!str 5\nx: {y: 1}\n");
        assert_eq!(
            (meta.title.as_deref(), meta.base.as_deref(), meta.head.as_deref()),
            (Some("2026"), Some("0012345"), Some("~"))
        );
        assert_eq!((meta.tags.join("|").as_str(), meta.repo.as_deref()), ("a|1.10|[b]", Some("5")));
        assert_eq!((meta.version.as_u64(), meta.extra["x"].to_string().as_str()), (Some(1), r#"{"y":1}"#));
    }

    #[test]
    fn bytes_that_are_not_text_keep_their_lines() {
        let document = Document::parse(b"---\nwhymark: 1\ntitle: \xff\xff\xff\nfoo: 1\n---\n".to_vec());
        let meta = document.meta();
        assert_eq!(meta.title.as_deref(), Some("\u{fffd}\u{fffd}\u{fffd}"));
        assert_eq!(meta.findings[0].at, "---\nwhymark: 1\ntitle: xxx\n".len());
    }
}
