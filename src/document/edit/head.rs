//! What a reviewer or a run decides about a whole change: the state of the review, the outcome of a check.

use serde_json::{Map, Value};

use super::EditError;
use crate::document::frontmatter::{
    check_outcome, diff_ends, evidence_list, review_decision, summary_text, title_text,
};
use crate::document::{Block, Check, ClaimStatus, Document, Meta, Method, Review};
use crate::text::edit::Edit;

/// The edit that makes `review` the reviewer's decision (section 2). A name or time that it does not give stays.
///
/// # Errors
/// When there is no frontmatter, or its text allows no change of just this.
pub fn set_review(document: &Document, review: &Review) -> Result<Edit, EditError> {
    has_frontmatter(document)?;
    review_decision(document, review).ok_or_else(|| EditError::Entangled("review".to_owned()))
}

/// The edit that makes `text` the summary (section 2); an empty one takes it out.
///
/// # Errors
/// When there is no frontmatter, or its text allows no change of just this.
pub fn set_summary(document: &Document, text: &str) -> Result<Edit, EditError> {
    has_frontmatter(document)?;
    summary_text(document, text).ok_or_else(|| EditError::Entangled("summary".to_owned()))
}

/// The edit that makes the frontmatter name the scope and the two sides that `ends` names. What `ends` has no word for
/// stays, and so does a side that differs in nothing but the length of its id.
///
/// # Errors
/// When there is no frontmatter, or its text allows no change of just these.
pub fn set_ends(document: &Document, ends: &Meta) -> Result<Edit, EditError> {
    has_frontmatter(document)?;
    diff_ends(document, ends).ok_or_else(|| EditError::Entangled("base".to_owned()))
}

/// The edit that makes `text`, one line, the title in the place of the one that is there.
///
/// # Errors
/// When there is no frontmatter, or its text allows no change of just this.
pub fn set_title(document: &Document, text: &str) -> Result<Edit, EditError> {
    has_frontmatter(document)?;
    title_text(document, text).ok_or_else(|| EditError::Entangled("title".to_owned()))
}

/// What came out of a check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it passed.
    pub status: ClaimStatus,
    /// What else is said about it; `None` leaves what is there.
    pub detail: Option<String>,
    /// When it ran, ISO 8601; `None` leaves what is there. An `@check` line has no place for it.
    pub ran: Option<String>,
}

/// The edit that gives the check at `index` of [`Document::checks`] its outcome.
///
/// # Errors
/// When there is no such check, or its text allows no change of just this.
pub fn set_check_outcome(document: &Document, index: usize, outcome: &Outcome) -> Result<Edit, EditError> {
    let Outcome { status, detail, ran } = outcome.clone();
    let count = document.meta().checks.len();
    if index < count {
        let check = Check { cmd: String::new(), status, detail, ran, inline: false, method: Method::Cmd };
        return check_outcome(document, index, &check).ok_or_else(|| EditError::Entangled("checks".to_owned()));
    }
    let mut left = index - count;
    for (part, section) in document.parts().iter().enumerate() {
        let tree = section.tree();
        for (span, claim) in tree.checks.iter().zip(section.check_claims()) {
            let Some(claim) = claim else { continue };
            if left > 0 {
                left -= 1;
                continue;
            }
            let text = span.of(section.text());
            let content = section.newline().content(text).trim_ascii_end();
            let detail = detail.as_deref().or(claim.comment.as_deref());
            let stated = claim.with_outcome(status, detail).filter(|_| std::str::from_utf8(content).is_ok());
            let stated = stated.ok_or_else(|| EditError::Entangled("@check".to_owned()))?;
            let start = document.offset_of(part) + span.start as usize;
            return Ok(Edit::replace(start..start + content.len(), format!("@check {stated}")));
        }
    }
    Err(EditError::NoSuchCheck(index))
}

/// A record of a run (section 12): its keys in order, with their values, which are no lists and no mappings.
#[derive(Debug, Clone, PartialEq)]
pub struct EvidenceRecord(pub Vec<(&'static str, Value)>);

impl EvidenceRecord {
    /// Whether `other` is a record of the same run: its place is taken by this one. One in which somebody has written
    /// something else stays.
    pub(in crate::document) fn replaces(&self, other: &Value) -> bool {
        let own = |name: &str| self.0.iter().find(|(key, _)| *key == name).map_or(&Value::Null, |(_, value)| value);
        let is_ours = |other: &Map<String, Value>| other.keys().all(|key| self.0.iter().any(|(own, _)| own == key));
        other.as_object().is_some_and(is_ours)
            && ["command", "noteId", "file"].iter().all(|key| other[*key] == *own(key))
    }

    /// The record as a value.
    pub(in crate::document) fn to_value(&self) -> Value {
        self.0.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect()
    }
}

/// The edit that adds `records` to the evidence, each in the place of the one that is about the same run. What else is
/// there stays, also what is malformed.
///
/// # Errors
/// When there is no frontmatter, or its text allows no change of just this.
pub fn put_evidence(document: &Document, records: &[EvidenceRecord]) -> Result<Edit, EditError> {
    has_frontmatter(document)?;
    evidence_list(document, records).ok_or_else(|| EditError::Entangled("evidence".to_owned()))
}

fn has_frontmatter(document: &Document) -> Result<(), EditError> {
    let blocks = &document.parts()[0].tree().blocks;
    let is_there = blocks.iter().any(|block| matches!(block, Block::Frontmatter(_)));
    if is_there { Ok(()) } else { Err(EditError::NoFrontmatter) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{ReviewStatus, Scope};

    fn decided(block: &str) -> Result<String, EditError> {
        let text = format!("---\n{block}---\n@file a\n");
        let document = Document::parse(text.clone());
        let review = Review {
            status: ReviewStatus::Approved,
            by: Some("me, too".into()),
            at: Some("2026-09-15T13:00:00Z".into()),
        };
        let edit = set_review(&document, &review)?;
        let after = edit.apply(text.as_bytes());
        assert_eq!(edit.inverse(text.as_bytes()).apply(&after), text.as_bytes(), "{block:?}");
        let after = String::from_utf8(after).expect("the example is UTF-8");
        let read = Document::parse(after.clone()).meta().review.clone();
        assert_eq!(read, Some(review), "{block:?}");
        Ok(after[4..after.len() - "---\n@file a\n".len()].to_owned())
    }

    #[test]
    fn decisions() {
        const BLOCK: &str = "  status: approved\n  by: me, too\n  at: 2026-09-15T13:00:00Z\n";
        const FLOW: &str = "{status: approved, by: \"me, too\", at: 2026-09-15T13:00:00Z}";
        for (block, want) in [
            ("", format!("review:\n{BLOCK}")),
            ("a: |\n  x\n\n# end\n", format!("a: |\n  x\n\n# end\nreview:\n{BLOCK}")),
            ("review: # c\nb: 1\n", format!("review: # c\n{BLOCK}b: 1\n")),
            ("review: pending # c\n", format!("review: {FLOW} # c\n")),
            ("review: {status:}\n", format!("review: {FLOW}\n")),
            ("review: {}\n", format!("review: {FLOW}\n")),
            ("review: {by: x, status: 'pending'} # c\n", "review: {by: \"me, too\", status: approved, at: 2026-09-15T13:00:00Z} # c\n".into()),
            ("review:\n    x: 1 # c\n    status:   pending # d\nz: 2\n", "review:\n    x: 1 # c\n    status:   approved # d\n    by: me, too\n    at: 2026-09-15T13:00:00Z\nz: 2\n".into()),
            ("review:\n  by: | # c\n    a\n    b\n  # d\n  at:\n  status: \"x\"\n", "review:\n  by: me, too # c\n  # d\n  at: 2026-09-15T13:00:00Z\n  status: approved\n".into()),
            ("title: a: b\nreview:\n  by: x\n", "title: a: b\nreview:\n  by: me, too\n  status: approved\n  at: 2026-09-15T13:00:00Z\n".into()),
        ] {
            assert_eq!(decided(block).as_deref(), Ok(want.as_str()), "{block:?}");
        }
        assert_eq!(decided("{whymark: 1}\n"), Err(EditError::Entangled("review".into())));
        let bare = Document::parse("@file a\n");
        let review = Review { status: ReviewStatus::Pending, by: None, at: None };
        assert_eq!(set_review(&bare, &review), Err(EditError::NoFrontmatter));
    }

    #[test]
    fn summaries() {
        let summed = |block: &str, text: &str| {
            let document = Document::parse(format!("---\n{block}---\n@file a\n"));
            let edit = set_summary(&document, text)?;
            let after = String::from_utf8(edit.apply(&document.to_bytes())).expect("the example is UTF-8");
            let read = Document::parse(after.clone()).meta().summary.clone();
            assert_eq!(read.unwrap_or_default(), text.trim(), "{block:?}");
            Ok(after[4..after.len() - "---\n@file a\n".len()].to_owned())
        };
        for (block, text, want) in [
            ("title: x\n", "One.", "title: x\nsummary: One.\n"),
            ("title: x\n", "One: # two.", "title: x\nsummary: \"One: # two.\"\n"),
            ("title: x\n", "", "title: x\n"),
            ("summary: TODO # c\nb: 1\n", "One.", "summary: One. # c\nb: 1\n"),
            ("summary: TODO\nb: 1\n", " One.\n\n- two\n", "summary: |\n  One.\n\n  - two\nb: 1\n"),
            ("summary: TODO # c\nb: 1\n", "a\nb", "summary: \"a\\nb\" # c\nb: 1\n"),
            ("a: 1\nsummary: |\n  old\n\n  text\n# c\nb: 1\n", "new", "a: 1\nsummary: new\n# c\nb: 1\n"),
            ("a: 1\nsummary: |\n  old\n\n  text\nb: 1\n", "", "a: 1\nb: 1\n"),
            ("summary:\nb: 1\n", "new", "summary: new\nb: 1\n"),
        ] {
            assert_eq!(summed(block, text).as_deref(), Ok(want), "{block:?} {text:?}");
        }
        assert_eq!(summed("{whymark: 1}\n", "x"), Err(EditError::Entangled("summary".into())));
    }

    #[test]
    fn evidence() {
        use serde_json::json;
        let record = |command: &str, code: i32| {
            EvidenceRecord(vec![
                ("version", json!(1)),
                ("command", json!(command)),
                ("noteId", Value::Null),
                ("exitCode", json!(code)),
            ])
        };
        let records = [record("make", 0), record("t: \"a, b\"", 1)];
        const MAKE: &str = "version: 1\n    command: make\n    noteId: null\n    exitCode: 0\n";
        const T: &str = "version: 1\n    command: \"t: \\\"a, b\\\"\"\n    noteId: null\n    exitCode: 1\n";
        const MAKE_FLOW: &str = "{version: 1, command: make, noteId: null, exitCode: 0}";
        const T_FLOW: &str = "{version: 1, command: \"t: \\\"a, b\\\"\", noteId: null, exitCode: 1}";
        for (block, want) in [
            ("title: x # c\n", format!("title: x # c\nevidence:\n  - {MAKE}  - {T}")),
            ("evidence: # c\ntitle: x\n", format!("evidence: # c\n  - {MAKE}  - {T}title: x\n")),
            ("evidence: [] # c\n", format!("evidence: [{MAKE_FLOW}, {T_FLOW}] # c\n")),
            ("evidence: [5, {command: make}]\n", format!("evidence: [5, {MAKE_FLOW}, {T_FLOW}]\n")),
            (
                "evidence:\n  - broken # c\n  - command: make # d\n    x: 1\n\n  # e\n  - command: other\n# f\nz: 1\n",
                format!(
                    "evidence:\n  - broken # c\n  - command: make # d\n    x: 1\n\n  # e\n  - command: other\n  - {MAKE}  - {T}# f\nz: 1\n"
                ),
            ),
            (
                "evidence:\n  - command: make\n\n  # e\n  - command: other\n# f\nz: 1\n",
                format!("evidence:\n  - {MAKE}\n  # e\n  - command: other\n  - {T}# f\nz: 1\n"),
            ),
        ] {
            let text = format!("---\n{block}---\n@file a\n");
            let document = Document::parse(text.clone());
            let edit = put_evidence(&document, &records).unwrap_or_else(|error| panic!("{error}: {block}"));
            let after = String::from_utf8(edit.apply(text.as_bytes())).expect("the example is UTF-8");
            assert_eq!(after, format!("---\n{want}---\n@file a\n"), "{block:?}");
            assert_eq!(edit.inverse(text.as_bytes()).apply(after.as_bytes()), text.as_bytes());
            let again = Document::parse(after.clone());
            let again = again.edited(&put_evidence(&again, &records).expect("it is a list"));
            assert_eq!(String::from_utf8(again.to_bytes()).expect("it is UTF-8"), after, "once more is the same");
        }
        let refused = put_evidence(&Document::parse("---\nevidence: none\n---\n"), &records);
        assert_eq!(refused, Err(EditError::Entangled("evidence".into())));
    }

    #[test]
    fn ends() {
        let set = |block: &str, scope: Option<Scope>, base: &str, head: &str| {
            let text = format!("---\n{block}---\n@file a\n");
            let document = Document::parse(text.clone());
            let ends = Meta { scope, base: Some(base.to_owned()), head: Some(head.to_owned()), ..Meta::default() };
            let after = set_ends(&document, &ends)?.apply(text.as_bytes());
            let after = String::from_utf8(after).expect("the example is UTF-8");
            Ok::<_, EditError>(after[4..after.len() - "---\n@file a\n".len()].to_owned())
        };
        for (block, want) in [
            ("base: HEAD@1111111 # c\nx: 1\nhead: index\n", "base: HEAD@2222222 # c\nx: 1\nhead: index\n"),
            ("base: HEAD@22222223 # c\nhead:\n", "base: HEAD@22222223 # c\nhead: index\n"),
            ("title: x # c\nz: 1\n", "title: x # c\nbase: HEAD@2222222\nhead: index\nz: 1\n"),
            ("base: [a]\nhead: 'index'\n", "base: HEAD@2222222\nhead: 'index'\n"),
            ("base: b: c\n# x\nask Bob\nhead: index\n", "base: HEAD@2222222\n# x\nask Bob\nhead: index\n"),
        ] {
            assert_eq!(set(block, None, "HEAD@2222222", "index").as_deref(), Ok(want), "{block:?}");
        }
        let scoped = set("scope: what # c\nbase: \"a\"\nhead: b\n", Some(Scope::Staged), "a", "b");
        assert_eq!(scoped.as_deref(), Ok("scope: staged # c\nbase: \"a\"\nhead: b\n"));
        assert_eq!(set("{whymark: 1}\n", None, "a", "b"), Err(EditError::Entangled("base".into())));
    }

    fn ran(text: &str, index: usize) -> Result<String, EditError> {
        let document = Document::parse(text.to_owned());
        let outcome = Outcome {
            status: ClaimStatus::Fail,
            detail: Some("exit 1: => a #b".into()),
            ran: Some("2026-09-15T13:00:00Z".into()),
        };
        let edit = set_check_outcome(&document, index, &outcome)?;
        let after = edit.apply(text.as_bytes());
        assert_eq!(edit.inverse(text.as_bytes()).apply(&after), text.as_bytes(), "{text:?}");
        let after = String::from_utf8(after).expect("the example is UTF-8");
        let (old, new) = (document.checks(), Document::parse(after.clone()).checks());
        for (at, (old, new)) in old.iter().zip(&new).enumerate() {
            assert_eq!((&old.cmd, old.method, old.inline), (&new.cmd, new.method, new.inline), "{text:?}");
            if at == index {
                assert_eq!(
                    (new.status, new.detail.as_deref()),
                    (outcome.status, outcome.detail.as_deref()),
                    "{text:?}"
                );
            } else {
                assert_eq!(old, new, "{text:?}");
            }
        }
        Ok(after)
    }

    #[test]
    fn outcomes() {
        const LINES: &str = "status: fail\n    detail: \"exit 1: => a #b\"\n    ran: 2026-09-15T13:00:00Z";
        const FLOW: &str = "status: fail, detail: \"exit 1: => a #b\", ran: 2026-09-15T13:00:00Z";
        for (block, want) in [
            ("  - cmd: x # c\n  - y\n", format!("  - cmd: x # c\n    {LINES}\n  - y\n")),
            (
                "  - status: pass # c\n    cmd: 'x'\n",
                "  - status: fail # c\n    detail: \"exit 1: => a #b\"\n    ran: 2026-09-15T13:00:00Z\n    cmd: 'x'\n"
                    .into(),
            ),
            (
                "  - cmd: x\n    ran:\n    status: 'ok'\n    detail: >-\n      a\n      b\n",
                "  - cmd: x\n    ran: 2026-09-15T13:00:00Z\n    status: fail\n    detail: \"exit 1: => a #b\"\n".into(),
            ),
            ("  - npm test # c\n  - y\n", format!("  - cmd: npm test # c\n    {LINES}\n  - y\n")),
            ("  - \"npm: t\"\n", format!("  - cmd: \"npm: t\"\n    {LINES}\n")),
            ("  [{cmd: x, status: pass}, y] # c\n", format!("  [{{cmd: x, {FLOW}}}, y] # c\n")),
            (
                "  - {status: , cmd: x}\n",
                "  - {status: fail , cmd: x, detail: \"exit 1: => a #b\", ran: 2026-09-15T13:00:00Z}\n".into(),
            ),
            ("  - |\n    npm test\n\n    x\n  - y\n", format!("  - cmd: |\n      npm test\n\n      x\n    {LINES}\n  - y\n")),
            ("  -   >- # c\n   a\n   b\n\n  # d\n  - y\n", "  -   cmd: >- # c\n       a\n       b\n      status: fail\n      detail: \"exit 1: => a #b\"\n      ran: 2026-09-15T13:00:00Z\n\n  # d\n  - y\n".into()),
            ("  - |2-\n     a\n    b\n", format!("  - cmd: |2-\n       a\n      b\n    {LINES}\n")),
            ("  - cmd: |\n      a\n\n      b\n  - y\n", format!("  - cmd: |\n      a\n\n      b\n    {LINES}\n  - y\n")),
            ("  - status: pass\n    cmd: >-\n      a\n      b\n", "  - status: fail\n    detail: \"exit 1: => a #b\"\n    ran: 2026-09-15T13:00:00Z\n    cmd: >-\n      a\n      b\n".into()),
            ("  [x y, z]\n", format!("  [{{cmd: x y, {FLOW}}}, z]\n")),
        ] {
            let text = |block: &str| format!("---\nchecks: # d\n{block}---\n");
            assert_eq!(ran(&text(block), 0).as_deref(), Ok(text(&want).as_str()), "{block:?}");
        }
        for (line, want) in [
            ("cmd `x`", "cmd `x` => fail (exit 1: => a #b)"),
            ("cmd `x => y` (old)  => pass (z) ", "cmd `x => y` (old) => fail (exit 1: => a #b) "),
            ("manual a b", "manual a b => fail (exit 1: => a #b)"),
        ] {
            let text = |line: &str| format!("---\nchecks: [a]\n---\n@check\n@check type\n@file a\n@check {line}\n");
            assert_eq!(ran(&text(line), 2).as_deref(), Ok(text(want).as_str()), "{line}");
        }
        assert_eq!(ran("@check x\n", 1), Err(EditError::NoSuchCheck(1)));
    }
}
