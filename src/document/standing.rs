//! What the format concludes from a note (sections 8 and 9): how its claims stand, whether it is sourced, whether
//! anybody has written it yet.

use super::attribute::ATTRIBUTES;
use super::claim::{Claim, ClaimStatus, Method};
use super::note::{Field, NoteView};
use super::source::SourceKind;

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

impl NoteView<'_> {
    /// The worst of its claims.
    #[must_use]
    pub fn standing(&self) -> Standing {
        let standing = |claim: &Claim| match claim.status {
            ClaimStatus::Fail => Standing::Fail,
            ClaimStatus::Pass if claim.method == Method::None => Standing::Unknown,
            ClaimStatus::Unknown => Standing::Unknown,
            ClaimStatus::Skipped => Standing::Skipped,
            ClaimStatus::Pass => Standing::Pass,
        };
        self.claims().iter().map(standing).min().unwrap_or(Standing::None)
    }

    /// Whether a claim passes (not by method `none`) and none fails.
    #[must_use]
    pub fn is_verified(&self) -> bool {
        let claims = self.claims();
        let passes = |claim: &Claim| claim.status == ClaimStatus::Pass && claim.method != Method::None;
        claims.iter().any(passes) && claims.iter().all(|claim| claim.status != ClaimStatus::Fail)
    }

    /// Whether it has sources, and every one is an inference.
    #[must_use]
    pub fn is_inference_only(&self) -> bool {
        let sources = self.sources();
        !sources.is_empty() && sources.iter().all(|source| source.kind == SourceKind::Inference)
    }

    /// Whether it has a source that is not an inference.
    #[must_use]
    pub fn is_sourced(&self) -> bool {
        self.sources().iter().any(|source| source.kind != SourceKind::Inference)
    }

    /// Whether nobody has written it yet: why, what and body are empty or hold a placeholder.
    #[must_use]
    pub fn is_stub(&self) -> bool {
        let texts = [self.why().unwrap_or_default(), self.what().unwrap_or_default(), self.body().into()];
        texts.iter().all(|text| text.is_empty()) || texts.iter().any(|text| is_placeholder(text))
    }

    /// Whether it says nothing at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        let says = |field: Field<'_>| field.known.is_none() || !field.value.is_empty();
        let is_content = |field: &Field<'_>| !field.known.is_some_and(|name| ATTRIBUTES.contains(&name));
        !self.fields().filter(is_content).any(says) && self.body().is_empty() && self.extra().is_empty()
    }
}

/// Whether `text` holds a word that a skeleton puts where a person should write.
fn is_placeholder(text: &str) -> bool {
    const TAGS: [&str; 3] = ["<explain", "<why", "<source"];
    let opens = |at: usize, tag: &&str| {
        text.as_bytes()[at..].get(..tag.len()).is_some_and(|start| start.eq_ignore_ascii_case(tag.as_bytes()))
    };
    has_word(text, &["todo", "tbd", "fixme"])
        || memchr::memchr_iter(b'<', text.as_bytes()).any(|at| TAGS.iter().any(|tag| opens(at, tag)))
}

/// Whether one of `words` stands in `text` as a whole word, in any case.
pub(crate) fn has_word(text: &str, words: &[&str]) -> bool {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let mut candidates = text.as_bytes().split(|byte| !is_part(byte));
    candidates.any(|candidate| words.iter().any(|word| candidate.eq_ignore_ascii_case(word.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    struct Facts {
        standing: Standing,
        is_verified: bool,
        is_inference_only: bool,
        is_sourced: bool,
        is_stub: bool,
        is_empty: bool,
    }

    /// What is concluded from the note with these lines.
    fn facts(lines: &str) -> Facts {
        let document = Document::parse(format!("@file a\n@note file\n{lines}"));
        let section = &document.parts()[1];
        let note = section.note_view(&section.tree().notes[0]);
        Facts {
            standing: note.standing(),
            is_verified: note.is_verified(),
            is_inference_only: note.is_inference_only(),
            is_sourced: note.is_sourced(),
            is_stub: note.is_stub(),
            is_empty: note.is_empty(),
        }
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
            let facts = facts(lines);
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
            assert_eq!(facts(lines).is_stub, is_stub, "{lines}");
        }
    }

    #[test]
    fn sources_and_emptiness() {
        let (inferred, both) = (facts("source: inference"), facts("source: inference\nsource: x"));
        assert_eq!((inferred.is_inference_only, inferred.is_sourced), (true, false));
        assert_eq!((both.is_inference_only, both.is_sourced), (false, true));
        assert!(facts("urgency: info\nrisk: low\nwhy:").is_empty);
        assert!(!facts("risk: very low").is_empty && !facts("owner:").is_empty);
        assert!(!facts("ref: x").is_empty && !facts("\nbody").is_empty);
    }
}
