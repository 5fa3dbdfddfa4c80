//! What a review names to be run, and for which of its claims. Nothing is run here.

use std::collections::HashMap;

use bstr::BString;

use crate::document::{Claim, ClaimStatus, Document, Method, NoteRef};

/// What a byte that is not UTF-8 has become in a text.
const REPLACEMENT: char = '\u{fffd}';

/// The commands of a review and the claims that rest on them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Plan {
    /// The checks of the whole change, then the claims of the notes, in the order of the document.
    pub items: Vec<Item>,
    /// The commands, each text once, in the order in which they are needed.
    pub commands: Vec<String>,
}

/// A check or claim whose method is `cmd`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Where it stands.
    pub place: Place,
    /// The id of its note.
    pub note_id: Option<String>,
    /// The path of the file that its note is about.
    pub file: Option<String>,
    /// The status that it states.
    pub claimed: ClaimStatus,
    /// The command, or what stands in its place.
    pub text: String,
    /// Which of [`Plan::commands`] it rests on, or why there is none.
    pub command: Result<usize, Unrunnable>,
    pub(super) anchor: Anchor,
}

/// Where a check or claim stands in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A check, by its index in [`Document::checks`].
    Check(usize),
    /// A claim of a note.
    Claim {
        /// The note.
        note: NoteRef,
        /// The claim, by its index in [`crate::document::NoteView::claims`].
        index: usize,
    },
}

/// Why nothing can be run for a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unrunnable {
    /// There is no command.
    #[error("it names no command: write one in backticks behind `cmd`")]
    Missing,
    /// A sentence stands where the command should.
    #[error("this reads like a sentence and not like a command: put a command in backticks")]
    Prose,
    /// A command and something else.
    #[error("there is more than a command: put the command alone in one pair of backticks")]
    Mixed,
    /// Some of its bytes are no text.
    #[error("the command is not UTF-8")]
    NotText,
}

impl Place {
    /// Whether it is a check.
    pub(super) fn is_check(self) -> bool {
        matches!(self, Self::Check(_))
    }
}

/// What a claim is known by when its document has changed: its command, and what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Anchor {
    owner: Owner,
    text: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Owner {
    Frontmatter,
    Line,
    /// A note that states its id, in the section of a file.
    Named(Option<BString>, String),
    /// Another note: with this selector, and so many of the same before it.
    Nameless(Option<BString>, String, usize),
}

impl Plan {
    /// What `document` names, as far as `is_wanted` says so of a command, or of what stands in its place.
    #[must_use]
    pub fn of(document: &Document, is_wanted: impl Fn(&str) -> bool) -> Self {
        let mut items = checks(document);
        for (part, section) in document.parts().iter().enumerate() {
            let path = section.tree().file.as_ref().map(|file| file.path.clone());
            let mut nameless: HashMap<String, usize> = HashMap::new();
            for (note, view) in section.note_views().enumerate() {
                let owner = match view.explicit_id() {
                    Some(id) => Owner::Named(path.clone(), id),
                    None => {
                        let selector = view.note().selector.to_string();
                        let count = nameless.entry(selector.clone()).or_default();
                        *count += 1;
                        Owner::Nameless(path.clone(), selector, *count)
                    }
                };
                let at = NoteRef { part, note };
                for (index, claim) in view.claims().iter().enumerate().filter(|(_, claim)| claim.method == Method::Cmd)
                {
                    let place = Place::Claim { note: at, index };
                    items.push(Item {
                        note_id: Some(document.note_id(at)),
                        file: path.as_ref().map(|_| section.path_text().into_owned()),
                        ..Item::of(place, claim, owner.clone())
                    });
                }
            }
        }
        items.retain(|item| is_wanted(&item.text));
        let mut plan = Self { items, commands: Vec::new() };
        plan.number();
        plan
    }

    /// Give each command text its number.
    fn number(&mut self) {
        let mut known: HashMap<&str, usize> = HashMap::new();
        for item in &mut self.items {
            if item.command.is_ok() {
                let next = known.len();
                item.command = Ok(*known.entry(&item.text).or_insert_with(|| {
                    self.commands.push(item.text.clone());
                    next
                }));
            }
        }
    }

    /// The items that rest on the command at `index`.
    pub fn resting_on(&self, index: usize) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(move |item| item.command == Ok(index))
    }
}

/// The checks that are commands.
fn checks(document: &Document) -> Vec<Item> {
    let stated = document.meta().checks.iter().enumerate().map(|(index, check)| {
        let command = runnable(&check.cmd);
        Item::new(Place::Check(index), check.status, check.cmd.clone(), command, Owner::Frontmatter)
    });
    let lines = document.parts().iter().flat_map(|part| part.check_claims()).flatten();
    let lines = (document.meta().checks.len()..).zip(lines).filter(|(_, claim)| claim.method == Method::Cmd);
    let lines = lines.map(|(index, claim)| Item::of(Place::Check(index), &claim, Owner::Line));
    stated.chain(lines).collect()
}

impl Item {
    fn of(place: Place, claim: &Claim, owner: Owner) -> Self {
        Self::new(place, claim.status, claim.detail.clone(), command(claim), owner)
    }

    fn new(place: Place, claimed: ClaimStatus, text: String, command: Result<(), Unrunnable>, owner: Owner) -> Self {
        let anchor = Anchor { owner, text: text.clone() };
        Self { place, note_id: None, file: None, claimed, text, command: command.map(|()| 0), anchor }
    }

    /// What it is part of, for a person: the note and its file, or that it is a check.
    #[must_use]
    pub fn owner(&self) -> String {
        match (&self.note_id, &self.file) {
            (Some(id), Some(file)) => format!("{id} {file}"),
            (Some(id), None) => format!("{id} (whole change)"),
            (None, _) => "check".to_owned(),
        }
    }
}

/// Whether the detail of `claim` is a command.
fn command(claim: &Claim) -> Result<(), Unrunnable> {
    if !claim.is_in_backticks && claim.detail.starts_with('`') {
        return Err(Unrunnable::Mixed);
    }
    if !claim.is_in_backticks && is_prose(&claim.detail) {
        return Err(Unrunnable::Prose);
    }
    runnable(&claim.detail)
}

fn runnable(command: &str) -> Result<(), Unrunnable> {
    if command.trim().is_empty() {
        Err(Unrunnable::Missing)
    } else if command.contains(REPLACEMENT) {
        Err(Unrunnable::NotText)
    } else {
        Ok(())
    }
}

/// Whether `text` begins like a sentence, and has nothing that only commands have.
fn is_prose(text: &str) -> bool {
    let Some((first, _)) = text.split_once(char::is_whitespace) else { return false };
    let mut letters = first.chars();
    letters.next().is_some_and(char::is_uppercase)
        && letters.all(|letter| letter.is_lowercase() || matches!(letter, ',' | '\''))
        && !text.contains(['|', '&', ';'])
        && !text.contains("--")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_command() {
        use Unrunnable::{Missing, Mixed, NotText, Prose};
        for (raw, want) in [
            ("cmd `make` => pass", Ok("make")),
            ("cmd `Rscript t.R`", Ok("Rscript t.R")),
            ("cmd Ran the tests => pass", Err(Prose)),
            ("cmd \"Ran the tests\" => pass", Err(Prose)),
            ("cmd Rscript --vanilla t.R", Ok("Rscript --vanilla t.R")),
            ("cmd Make x; make y", Ok("Make x; make y")),
            ("cmd npm test => pass", Ok("npm test")),
            ("cmd R2 x", Ok("R2 x")),
            ("cmd => pass", Err(Missing)),
            ("cmd `` => pass", Err(Missing)),
            ("cmd ` ` => pass", Err(Missing)),
            ("cmd `a` `b` => pass", Err(Mixed)),
            ("cmd `x` (12 tests) => pass (y)", Err(Mixed)),
            ("cmd `x` (12 tests) => pass", Ok("x")),
            ("cmd ``echo `x` `` => pass", Ok("echo `x`")),
            ("cmd `echo \u{fffd}`", Err(NotText)),
        ] {
            let claim = Claim::parse(raw);
            assert_eq!(command(&claim).map(|()| claim.detail.as_str()), want, "{raw}");
        }
    }

    #[test]
    fn checks_come_first_and_equal_commands_are_one() {
        let text = "---\nchecks:\n- make a\n- cmd: make b\n  status: pass\n---\n\
            @note doc\nverify: cmd `c` => pass\nverify: manual y\n\n@file x\n@check cmd `make a` => fail\n@check type => pass\n\
            @note file id=q\nverify: none\nverify: cmd `make b`\nverify: cmd\n";
        let plan = Plan::of(&Document::parse(text), |_| true);
        assert_eq!(plan.commands, ["make a", "make b", "c"]);
        let shown: Vec<_> = plan.items.iter().map(|item| (item.owner(), item.claimed.as_str(), item.command)).collect();
        let want = [
            ("check", "unknown", Ok(0)),
            ("check", "pass", Ok(1)),
            ("check", "fail", Ok(0)),
            ("n1 (whole change)", "pass", Ok(2)),
            ("q x", "unknown", Ok(1)),
            ("q x", "unknown", Err(Unrunnable::Missing)),
        ];
        assert_eq!(shown, want.map(|(owner, claimed, command)| (owner.to_owned(), claimed, command)));
        assert_eq!(plan.items[4].place, Place::Claim { note: NoteRef { part: 1, note: 0 }, index: 1 });
        assert_eq!(plan.resting_on(1).count(), 2);
        let some = Plan::of(&Document::parse(text), |command| command.contains('b'));
        assert_eq!((some.commands, some.items.len()), (vec!["make b".to_owned()], 2));
    }

    #[test]
    fn only_commands_are_run() {
        let text = "@check type => pass\n@check lint `rm -rf x` => pass\n@note doc\nverify: test `rm -rf x` => pass\n";
        assert_eq!(Plan::of(&Document::parse(text), |_| true), Plan::default());
    }
}
