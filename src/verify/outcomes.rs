//! What came out, put into the text of the review, and nothing else: the claims themselves, and status, detail and time of
//! the checks.

use std::collections::{HashMap, HashSet};
use std::fmt;

use super::plan::Anchor;
use super::{Item, Place, Plan, Ran};
use crate::document::Document;
use crate::document::edit::{self, EditError, Outcome};
use crate::text::edit::Edit;

/// A review with the outcomes in it.
#[derive(Debug, Clone)]
pub struct Written {
    /// The review.
    pub document: Document,
    /// The edit that has made it of the review before.
    pub edit: Edit,
    /// How many checks and claims of it state what came out.
    pub count: usize,
    /// Those that could not be written.
    pub left: Vec<Left>,
}

/// What came out and could not be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The check or claim, or what else it is, for a person.
    pub what: String,
    /// Why.
    pub why: String,
}

/// Put what came out of `plan` into `current`, which is the document that the plan is of, or what has become of it: an
/// outcome goes to the claims of the same note, and to the checks of the same kind, that name the same command; where the
/// note is no longer what it was, such as after a refresh, to a claim on that command that the plan doesn't know. What
/// could not be run stays as it is.
#[must_use]
pub fn written(plan: &Plan, runs: &[Option<Ran>], current: &Document, now: &str) -> Written {
    let mut learned: HashMap<&Anchor, &Ran> = HashMap::new();
    for verdict in plan.verdicts(runs).iter().filter(|verdict| verdict.reason.is_none()) {
        if let Some(ran) = verdict.ran {
            learned.insert(&verdict.item.anchor, ran);
        }
    }
    let mut written = Written::nothing(current.clone());
    let there = Plan::of(current, |_| true).items;
    let (same, mut others): (Vec<&Item>, Vec<&Item>) =
        there.iter().partition(|item| learned.contains_key(&item.anchor));
    for item in &same {
        written.put(item, learned[&item.anchor], now);
    }
    let found: HashSet<&Anchor> = same.iter().map(|item| &item.anchor).collect();
    for item in plan.items.iter().filter(|item| !found.contains(&item.anchor)) {
        let Some(ran) = learned.get(&item.anchor) else { continue };
        let is_moved = |other: &&Item| other.text == item.text && other.place.is_check() == item.place.is_check();
        match others.iter().position(is_moved) {
            Some(at) => written.put(others.remove(at), ran, now),
            None => written.left.push(left(item, "it is no longer in the review".to_owned())),
        }
    }
    written
}

impl fmt::Display for Left {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not written: {}: {}", self.what, self.why)
    }
}

impl Written {
    /// `document` as it is.
    #[must_use]
    pub fn nothing(document: Document) -> Self {
        Self { document, edit: Edit::default(), count: 0, left: Vec::new() }
    }

    /// Make a further edit.
    pub fn edit(&mut self, edit: &Edit) {
        self.document = self.document.edited(edit);
        self.edit = self.edit.then(edit);
    }

    /// Make `item` state what came out.
    fn put(&mut self, item: &Item, ran: &Ran, now: &str) {
        match change(&self.document, item, ran, now) {
            Ok(edit) => {
                self.edit(&edit);
                self.count += 1;
            }
            Err(why) => self.left.push(left(item, why.to_string())),
        }
    }
}

fn left(item: &Item, why: String) -> Left {
    Left { what: format!("{}, `{}`", item.owner(), item.text), why }
}

/// The edit that makes `item` state what came out.
fn change(document: &Document, item: &Item, ran: &Ran, now: &str) -> Result<Edit, EditError> {
    let (status, summary) = (ran.status(), ran.summary());
    match item.place {
        Place::Check(index) => {
            let outcome = Outcome { status, detail: Some(summary), ran: Some(now.to_owned()) };
            edit::set_check_outcome(document, index, &outcome)
        }
        Place::Claim { note, index } => {
            let section = &document.parts()[note.part];
            let claims = section.note_view(&section.tree().notes[note.note]).claims();
            let stated = claims.get(index).ok_or(EditError::NoSuchClaim(index))?.with_outcome(status, Some(&summary));
            let stated = stated.ok_or_else(|| EditError::Entangled("verify".to_owned()))?;
            edit::replace_claim(document, note, index, &stated)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::verify::End;

    const NOW: &str = "2026-09-15T12:00:00Z";
    const TEXT: &str = "---\nwhymark: 1 # one\ntitle: x\nchecks: # runs\n- cmd: make # all\n  status: pass\n- lint\n---\n\n\
        @check cmd `make` => fail (old)\n\n@file a\n@@ -1 +1 @@\n-a\n+b\n\n@note +1  kind=risk\nwhy: x\n\
        verify: cmd `make`\n  => pass (8 assertions)\nverify: cmd `gone` => pass\nverify: manual y => pass\n\n  body\n\n\
        @note +1\nverify: cmd `make` => unknown\n";

    fn runs(plan: &Plan, end: impl Fn(&str) -> Option<End>) -> Vec<Option<Ran>> {
        let ran = |end| Ran { end, duration: Duration::from_millis(100), output: b"1 error".to_vec() };
        plan.commands.iter().map(|command| end(command).map(ran)).collect()
    }

    fn failing(command: &str) -> Option<End> {
        match command {
            "gone" => Some(End::Exited(127)),
            "lint" => None,
            _ => Some(End::Exited(2)),
        }
    }

    #[test]
    fn only_what_was_learned_is_written() {
        let document = Document::parse(TEXT);
        let plan = Plan::of(&document, |_| true);
        let written = written(&plan, &runs(&plan, failing), &document, NOW);
        let want = TEXT
            .replace(
                "  status: pass\n",
                "  status: fail\n  detail: \"exit 2 in 0.1s: 1 error\"\n  ran: 2026-09-15T12:00:00Z\n",
            )
            .replace("=> fail (old)", "=> fail (exit 2 in 0.1s: 1 error)")
            .replace("`make`\n  => pass (8 assertions)", "`make` => fail (exit 2 in 0.1s: 1 error)")
            .replace("=> unknown", "=> fail (exit 2 in 0.1s: 1 error)");
        assert_eq!(String::from_utf8(written.document.to_bytes()).unwrap(), want);
        assert_eq!((written.count, written.left), (4, Vec::new()));
    }

    #[test]
    fn outcomes_go_to_the_claims_that_are_still_there() {
        let plan = Plan::of(&Document::parse(TEXT), |_| true);
        let runs = runs(&plan, |command| (command == "make").then_some(End::Exited(0)));
        for (from, to, count, left) in [
            // Somebody has added a note, a file and a body in front.
            (
                "@file a\n",
                "@note doc\nwhy: new\n\n@file 0\n\n@file a\n\n@note file\nverify: cmd `make` => pass\n\n",
                4,
                0,
            ),
            ("verify: cmd `make`\n  => pass (8 assertions)\n", "verify: cmd `make all` => pass\n", 3, 1),
            // The first note on the line is on another one now.
            ("@note +1  kind=risk\nwhy: x\n", "@note -1  kind=risk\nwhy: x\n", 4, 0),
            ("- cmd: make # all\n", "- cmd: build\n", 3, 1),
            ("title: x\n", "title: y\n", 4, 0),
        ] {
            let current = Document::parse(TEXT.replacen(from, to, 1));
            let written = written(&plan, &runs, &current, NOW);
            assert_eq!((written.count, written.left.len()), (count, left), "{from:?}: {:?}", written.left);
            let new = String::from_utf8(written.document.to_bytes()).unwrap();
            assert_eq!(new.matches("exit 0 in 0.1s").count(), count, "{new}");
            assert_eq!(new.contains("@note file\nverify: cmd `make` => pass\n"), to.contains("@note file"), "{new}");
        }
    }
}
