//! What the format concludes from a note (sections 8 and 9): how its claims stand, whether it is sourced, whether
//! anybody has written it yet.

use std::borrow::Cow;

use bstr::ByteSlice;

use super::attribute::{ATTRIBUTES, Kind, Risk};
use super::claim::{Claim, ClaimStatus, Method};
use super::note::{Field, NoteView, text};
use super::source::is_inference;

/// How well a note's claims stand: the worst of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// A claim fails.
    Fail,
    /// A claim's outcome is not known, or the claim is that there was no verification.
    Unknown,
    /// A claim was skipped.
    Skipped,
    /// Every claim passes.
    Pass,
    /// It claims nothing.
    None,
}

/// What is concluded from one note, in one pass over its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Facts {
    /// What the note is for.
    pub kind: Kind,
    /// The blast radius if it is wrong.
    pub risk: Option<Risk>,
    /// The worst of its claims.
    pub standing: Standing,
    /// Whether a claim passes (not by method `none`) and none fails.
    pub is_verified: bool,
    /// The status of each claim, in order.
    pub claims: Vec<ClaimStatus>,
    /// Whether it has sources, and every one is an inference.
    pub is_inference_only: bool,
    /// Whether it has a source that is not an inference.
    pub is_sourced: bool,
    /// Whether it gives a reason.
    pub has_why: bool,
    /// Whether nobody has written it yet: why, what and body are empty or hold a placeholder.
    pub is_stub: bool,
    /// How many follow-ups it names.
    pub todos: u64,
    /// How many questions it asks.
    pub questions: u64,
}

impl Facts {
    /// What the note leaves open: todos, questions, and claims that failed or were not checked (section 9).
    #[must_use]
    pub fn open_items(&self) -> u64 {
        let is_open = |status: &&ClaimStatus| matches!(status, ClaimStatus::Fail | ClaimStatus::Unknown);
        self.claims.iter().filter(is_open).count() as u64 + self.todos + self.questions
    }

    fn add_claim(&mut self, claim: &Claim) {
        let is_evidence = claim.method != Method::None;
        let standing = match claim.status {
            ClaimStatus::Fail => Standing::Fail,
            ClaimStatus::Pass if is_evidence => Standing::Pass,
            ClaimStatus::Pass | ClaimStatus::Unknown => Standing::Unknown,
            ClaimStatus::Skipped => Standing::Skipped,
        };
        self.standing = self.standing.min(standing);
        self.is_verified |= standing == Standing::Pass;
        self.claims.push(claim.status);
    }
}

impl NoteView<'_> {
    /// What the format concludes from it.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts {
            kind: self.kind(),
            risk: self.risk(),
            standing: Standing::None,
            is_verified: false,
            claims: Vec::new(),
            is_inference_only: false,
            is_sourced: false,
            has_why: false,
            is_stub: false,
            todos: 0,
            questions: 0,
        };
        let (mut why, mut what, mut has_inference) = (None, None, false);
        for Field { known, value, .. } in self.fields().filter(|field| !field.value.is_empty()) {
            match known {
                Some("why") => why = Some(value),
                Some("what") => what = Some(value),
                Some("source") if is_inference(&value.to_str_lossy()) => has_inference = true,
                Some("source") => facts.is_sourced = true,
                Some("verify") => facts.add_claim(&Claim::parse(&text(value))),
                Some("todo") => facts.todos += 1,
                Some("question") => facts.questions += 1,
                _ => {}
            }
        }
        facts.has_why = why.is_some();
        facts.is_inference_only = has_inference && !facts.is_sourced;
        facts.is_verified &= facts.standing != Standing::Fail;
        let texts = [why.map(text).unwrap_or_default(), what.map(text).unwrap_or_default(), self.body().into()];
        let is_placeholder = |text: &Cow<'_, str>| placeholder(text).is_some();
        facts.is_stub = texts.iter().all(|text| text.is_empty()) || texts.iter().any(is_placeholder);
        facts
    }

    /// The word in its why, what or body that says that it is not written yet.
    pub(crate) fn placeholder(&self) -> Option<String> {
        let texts = [self.why().unwrap_or_default(), self.what().unwrap_or_default(), self.body().into()];
        texts.iter().find_map(|text| placeholder(text).map(str::to_owned))
    }

    /// Whether it says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let says = |field: Field<'_>| field.known.is_none() || !field.value.is_empty();
        let is_content = |field: &Field<'_>| !field.known.is_some_and(|name| ATTRIBUTES.contains(&name));
        !self.fields().filter(is_content).any(says) && self.body().is_empty() && self.extra().is_empty()
    }
}

/// The word in `text` that a skeleton puts where a person should write.
fn placeholder(text: &str) -> Option<&str> {
    const TAGS: [&str; 3] = ["<explain", "<why", "<source"];
    let opening = |at: usize| {
        TAGS.iter().find_map(|tag| text.get(at..at + tag.len()).filter(|start| start.eq_ignore_ascii_case(tag)))
    };
    word(text, &["todo", "tbd", "fixme"]).or_else(|| memchr::memchr_iter(b'<', text.as_bytes()).find_map(opening))
}

/// The first of `words` that stands in `text` as a whole word, in any case.
pub(crate) fn word<'a>(text: &'a str, words: &[&str]) -> Option<&'a str> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let mut candidates = text.split(|letter| !is_part(letter));
    candidates.find(|candidate| words.iter().any(|word| candidate.eq_ignore_ascii_case(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    /// What is concluded from the note with these lines, and whether it is empty.
    fn facts(lines: &str) -> (Facts, bool) {
        let document = Document::parse(format!("@file a\n@note file\n{lines}"));
        let section = &document.parts()[1];
        let note = section.note_view(&section.tree().notes[0]);
        (note.facts(), note.is_empty())
    }

    #[test]
    fn claims_stand_as_their_worst() {
        for (lines, standing, verified) in [
            ("", Standing::None, false),
            ("verify: type => pass", Standing::Pass, true),
            ("verify: none => pass", Standing::Unknown, false),
            ("verify: type => pass\nverify: none", Standing::Unknown, true),
            ("verify: type => pass\nverify: lint => skipped", Standing::Skipped, true),
            ("verify: type => pass\nverify: cmd `x` => fail", Standing::Fail, false),
        ] {
            let (facts, _) = facts(lines);
            assert_eq!((facts.standing, facts.is_verified), (standing, verified), "{lines}");
        }
    }

    #[test]
    fn stubs_hold_nothing_or_a_placeholder() {
        for (lines, is_stub) in [
            ("", true),
            ("source: inference", true),
            ("why: x", false),
            ("\nbody", false),
            ("why: the todo list", true),
            ("why: x\nwhat: ToDo", true),
            ("why: TODO_x", false),
            ("why: x\n\nis (fixme) there", true),
            ("why: <Explain this>", true),
            ("why: a <whole> tag", false),
        ] {
            assert_eq!(facts(lines).0.is_stub, is_stub, "{lines}");
        }
    }

    #[test]
    fn sources_and_emptiness() {
        let [inferred, both] = ["source: inference", "source: inference\nsource: x"].map(|lines| facts(lines).0);
        assert_eq!((inferred.is_inference_only, inferred.is_sourced), (true, false));
        assert_eq!((both.is_inference_only, both.is_sourced), (false, true));
        for (lines, is_empty) in [
            ("urgency: info\nrisk: low\nwhy:", true),
            ("risk: very low", false),
            ("owner:", false),
            ("ref: x", false),
            ("\nbody", false),
        ] {
            assert_eq!(facts(lines).1, is_empty, "{lines}");
        }
    }
}
