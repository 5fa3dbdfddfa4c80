//! What a note's card shows while it is not open, read from the note once, away from the screen.

use std::collections::HashMap;

use crate::document::{Claim, ClaimStatus, Facts, Method, NoteView, Selector, Side, Standing, Urgency};

use super::card::{CardRow, standing_sign};
use super::theme::Role;

/// How commands of the review came out that were run here.
pub type Witnessed = HashMap<String, ClaimStatus>;

/// The most bytes of a note's first words that are kept.
const TEASER: usize = 400;

/// A card that is not open, but for the id: that depends on the other notes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Face {
    /// The id that the note states.
    pub id: Option<String>,
    /// What the note is about, kind, risk, urgency and confidence.
    pub words: CardRow,
    /// What the author wrote as selector, for when it names no line.
    pub raw_selector: String,
    /// What is concluded from it.
    pub facts: Facts,
    /// The commands that its claims say have passed.
    pub passing: Vec<String>,
    /// Whether its text is no longer in the diff.
    pub is_orphan: bool,
    /// The first words.
    pub teaser: String,
}

impl Face {
    /// The face of a note.
    #[must_use]
    pub fn of(note: &NoteView<'_>) -> Self {
        Self {
            id: note.explicit_id(),
            words: words(note),
            raw_selector: note.raw_selector().unwrap_or_default().into_owned(),
            facts: note.facts(),
            passing: passing(note),
            is_orphan: note.orphan().is_some(),
            teaser: teaser(note),
        }
    }

    /// The status: a role and a sign with its word. A claim to have passed is verified when all that it names has been
    /// `witnessed` to pass.
    #[must_use]
    pub fn status(&self, witnessed: &Witnessed) -> (Role, &'static str) {
        if self.is_orphan {
            (Role::ClaimFail, "↯ orphaned")
        } else if self.facts.is_stub {
            (Role::Warning, "… stub")
        } else if self.facts.standing == Standing::Pass {
            let seen = |status: ClaimStatus| move |command: &String| witnessed.get(command) == Some(&status);
            let claims = self.facts.claims.iter().filter(|status| **status == ClaimStatus::Pass).count();
            if self.passing.iter().any(seen(ClaimStatus::Fail)) {
                (Role::ClaimFail, "✗ contradicted")
            } else if self.passing.len() == claims && self.passing.iter().all(seen(ClaimStatus::Pass)) {
                (Role::ClaimPass, "✓ verified")
            } else {
                standing_sign(self.facts.standing)
            }
        } else {
            standing_sign(self.facts.standing)
        }
    }
}

fn passing(note: &NoteView<'_>) -> Vec<String> {
    let is_meant = |claim: &Claim| claim.method == Method::Cmd && claim.status == ClaimStatus::Pass;
    note.claims().into_iter().filter(is_meant).map(|claim| claim.detail).collect()
}

fn words(note: &NoteView<'_>) -> CardRow {
    let about = note.orphan().map_or_else(
        || selector_words(note.note().selector),
        |orphan| format!("was {}", selector_words(orphan.selector)),
    );
    let mut row = vec![(Role::Path, about), (Role::Text, note.kind().as_str().to_owned())];
    if let Some(risk) = note.risk() {
        let role = if risk.as_str() == "high" { Role::Warning } else { Role::Dim };
        row.push((role, format!("risk {}", risk.as_str())));
    }
    if let Some(urgency) = note.urgency() {
        let role = if urgency == Urgency::Blocking { Role::Warning } else { Role::Dim };
        row.push((role, urgency.as_str().to_owned()));
    }
    if let Some(confidence) = note.confidence() {
        row.push((Role::Dim, format!("{:.0} %", confidence * 100.0)));
    }
    row
}

/// The first line of the reason, else of what it does, else of the free text.
fn teaser(note: &NoteView<'_>) -> String {
    let first = |text: &str| {
        let line = text.trim_start().lines().next().unwrap_or_default();
        line[..line.floor_char_boundary(TEASER)].to_owned()
    };
    let text = note.why().or_else(|| note.what());
    text.map_or_else(|| first(&note.body()), |text| first(&text))
}

/// A selector as the format writes it, with words for what has no numbers.
#[must_use]
pub fn selector_words(selector: Selector) -> String {
    match selector.side {
        Side::Doc => "whole change".to_owned(),
        _ => selector.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn a_note_shows_its_first_words() {
        let long = "é".repeat(TEASER);
        for (lines, want) in [
            ("why: a\n  b\nwhat: c", "a b"),
            ("what: c", "c"),
            ("\nbody\nmore", "body"),
            ("", ""),
            (&format!("why: {long}"), &long[..TEASER]),
        ] {
            let document = Document::parse(format!("@file a\n@note file\n{lines}\n"));
            let section = &document.parts()[1];
            assert_eq!(Face::of(&section.note_view(&section.tree().notes[0])).teaser, want, "{lines}");
        }
    }
}
