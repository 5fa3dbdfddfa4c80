//! The form in which a note or a Markback record is written. A plain value: keys come in as inputs, and what is typed
//! goes out as a note.

mod cells;
mod field;
mod said;
mod target;

use std::path::PathBuf;

use bstr::BString;

use crate::capture::Neighbours;
use crate::document::{ClaimStatus, Kind, Method, NoteRef, ReviewStatus, Risk, Selector, Side, first_paragraph};
use crate::text::width::Display;

use super::change::Known;
use super::command::Command;
use super::key::Key;
use super::text_input::{Input, TextInput};

pub use cells::{Cells, Slot, TextRow};
pub use field::Field;
pub use target::{Lines, Target};

/// What is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FormKind {
    /// A note of the review.
    Note,
    /// A Markback record.
    Record,
    /// A Markback record that answers another.
    Reply,
    /// A comment for an agent.
    Comment,
    /// A claim of a note that is there.
    Claim,
    /// A note as its lines, with all that no other form has a place for.
    Text,
    /// The reviewer's decision, and the summary of the review.
    Decision,
}

/// The record that a reply answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// Its Markback file.
    pub file: PathBuf,
    /// Its id.
    pub id: String,
}

/// A note or record that a form is about to change, and how it is known again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amended {
    /// The note in its part, or the record in its file.
    pub index: usize,
    /// Its lines, as they were; of a comment its id.
    pub text: BString,
    /// The Markback file of a record.
    pub file: Option<PathBuf>,
}

impl Amended {
    /// The note, in the part that it is in.
    #[must_use]
    pub fn known(&self, part: usize) -> Known {
        Known { at: NoteRef { part, note: self.index }, text: self.text.clone() }
    }
}

const NOTE_TEXTS: &[Field] = &[Field::Why, Field::Source, Field::Verify, Field::Todo, Field::Question, Field::Body];
/// In the order in which they are chosen: from what is certain down to what is a guess.
const CONFIDENCES: [&str; 12] = ["1", "0.95", "0.9", "0.85", "0.8", "0.7", "0.6", "0.5", "0.4", "0.3", "0.2", "0.1"];
const REVIEW_STATES: [ReviewStatus; 3] =
    [ReviewStatus::Pending, ReviewStatus::Approved, ReviewStatus::ChangesRequested];
/// What stands for a value that is not given.
pub const NONE: &str = "–";

/// A field that is chosen, and what there is to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    field: Field,
    options: Vec<String>,
    at: usize,
}

impl Choice {
    fn new<'a>(field: Field, options: impl IntoIterator<Item = &'a str>) -> Self {
        Self { field, options: options.into_iter().map(str::to_owned).collect(), at: 0 }
    }

    fn shown(&self) -> &str {
        &self.options[self.at]
    }
}

fn choices_of(kind: FormKind) -> Vec<Choice> {
    match kind {
        FormKind::Note => vec![
            Choice::new(Field::Kind, Kind::ALL.iter().map(|kind| kind.as_str())),
            Choice::new(Field::Risk, std::iter::once(NONE).chain(Risk::ALL.iter().map(|risk| risk.as_str()))),
            Choice::new(Field::Confidence, std::iter::once(NONE).chain(CONFIDENCES)),
        ],
        FormKind::Claim => vec![
            Choice::new(Field::Method, Method::ALL.iter().map(|method| method.as_str())),
            Choice::new(Field::Outcome, ClaimStatus::ALL.iter().map(|status| status.as_str())),
        ],
        FormKind::Decision => vec![Choice::new(Field::State, REVIEW_STATES.map(ReviewStatus::as_str))],
        FormKind::Record | FormKind::Reply | FormKind::Text | FormKind::Comment => Vec::new(),
    }
}

/// The columns of the border that a text on it leaves free.
const ON_BORDER: usize = 4;
/// The columns of a label.
pub const LABEL: usize = 9;

/// A note or record being written.
#[derive(Debug, Clone)]
pub struct Form {
    /// What is being written.
    pub kind: FormKind,
    /// What it can be about; the first is the most exact.
    pub targets: Vec<Target>,
    /// Which of the targets.
    pub target: usize,
    /// What a reply answers.
    pub parent: Option<Parent>,
    /// The note or record that is changed; `None`: it is a new one.
    pub amends: Option<Amended>,
    /// The field with the cursor.
    pub focus: Field,
    /// What went wrong with the last try to save.
    pub problem: Option<String>,
    /// Whether it is from an earlier run, and its lines have not been compared with those that are there now.
    pub is_old: bool,
    /// What stood next to its lines when it was last kept, for each of the ranges that it is about.
    pub beside: Vec<Neighbours>,
    display: Display,
    choices: Vec<Choice>,
    texts: Vec<(Field, TextInput)>,
}

impl Form {
    /// An empty form; `targets` is never empty.
    #[must_use]
    pub fn new(kind: FormKind, targets: Vec<Target>, display: Display) -> Self {
        let fields: &[Field] = match kind {
            FormKind::Note => NOTE_TEXTS,
            FormKind::Record | FormKind::Reply => &[Field::Feedback],
            FormKind::Comment => &[Field::Ask],
            FormKind::Claim => &[Field::Detail, Field::Comment],
            FormKind::Text => &[Field::Text],
            FormKind::Decision => &[Field::Summary],
        };
        let texts = fields.iter().map(|field| (*field, TextInput::new("", display))).collect();
        let focus = if kind == FormKind::Decision { Field::State } else { fields[0] };
        Self {
            kind,
            targets,
            target: 0,
            parent: None,
            amends: None,
            focus,
            problem: None,
            is_old: false,
            beside: Vec::new(),
            display,
            choices: choices_of(kind),
            texts,
        }
    }

    /// What it is about.
    #[must_use]
    pub fn target(&self) -> &Target {
        &self.targets[self.target.min(self.targets.len() - 1)]
    }

    /// The fields that are chosen, with what they show.
    #[must_use]
    pub fn choices(&self) -> Vec<(Field, String)> {
        // A record that is there stays where it is.
        let has_about =
            matches!((self.kind, &self.amends), (FormKind::Note | FormKind::Comment, _) | (FormKind::Record, None));
        let about = has_about.then(|| (Field::About, self.target().words()));
        let others = self.choices.iter().map(|choice| (choice.field, choice.shown().to_owned()));
        about.into_iter().chain(others).collect()
    }

    /// The fields that are typed.
    #[must_use]
    pub fn texts(&self) -> &[(Field, TextInput)] {
        &self.texts
    }

    /// Whether something has been typed.
    #[must_use]
    pub fn has_text(&self) -> bool {
        self.texts.iter().any(|(_, input)| !input.text().trim().is_empty())
    }

    /// Whether it says something: text, or a claim for which the method is enough.
    #[must_use]
    pub fn says_something(&self) -> bool {
        let needs_detail = [Method::Cmd, Method::Manual].map(Method::as_str).contains(&self.shown(Field::Method));
        match self.kind {
            FormKind::Claim if needs_detail => !self.text(Field::Detail).trim().is_empty(),
            FormKind::Claim | FormKind::Decision => true,
            _ => self.has_text(),
        }
    }

    /// Put `text` in the place of what is typed in `field`, the cursor behind it.
    pub fn set_text(&mut self, field: Field, text: &str) {
        if let Some((_, input)) = self.texts.iter_mut().find(|(other, _)| *other == field) {
            input.replace(text);
        }
    }

    /// Choose the value of `field` that is shown as `shown`; a confidence that nobody would choose becomes one more.
    pub fn choose_shown(&mut self, field: Field, shown: &str) {
        let Some(choice) = self.choices.iter_mut().find(|choice| choice.field == field) else { return };
        let known = choice.options.iter().position(|option| option == shown);
        let is_confidence = field == Field::Confidence && confidence(shown).is_some();
        if known.is_none() && is_confidence {
            choice.options.push(shown.to_owned());
        }
        let last = choice.options.len() - 1;
        choice.at = known.unwrap_or(if is_confidence { last } else { choice.at });
    }

    /// What is chosen for `field`; empty where there is no such field.
    fn shown(&self, field: Field) -> &str {
        self.choices.iter().find(|choice| choice.field == field).map_or("", Choice::shown)
    }

    /// The rows the form wants, borders included, when `width` columns are inside them.
    #[must_use]
    pub fn height(&self, width: usize) -> u16 {
        let rows = self.text_rows(text_width(width)).len() + self.slot_rows(width) + self.problem_rows(width).len();
        u16::try_from(rows + 2).unwrap_or(u16::MAX)
    }

    /// What went wrong with the last try to save, in rows of `width` columns; none where it has room on the border.
    #[must_use]
    pub fn problem_rows(&self, width: usize) -> Vec<String> {
        let text = self.problem.as_ref().map(|problem| self.display.visible(problem)).unwrap_or_default();
        if self.display.width(&text) + ON_BORDER <= width {
            return Vec::new();
        }
        self.display.wrap(&text, width).into_iter().map(|row| text[row].to_owned()).collect()
    }

    /// What becomes of the text in the field with the cursor, where that is not what it looks like.
    #[must_use]
    pub fn remark(&self) -> Option<&'static str> {
        let is_reason = self.kind == FormKind::Note && self.focus == Field::Why;
        let lines = first_paragraph(self.text(Field::Why)).0.trim().lines().count();
        if is_reason && lines > 1 {
            return Some("lines join, paragraphs stay");
        }
        let is_body = self.kind == FormKind::Note && self.focus == Field::Body;
        (is_body && self.note().indents_body()).then_some("format-like lines get a blank")
    }

    /// Go to the next or previous field.
    pub fn turn(&mut self, forward: bool) {
        self.focus = self.beside(forward);
    }

    /// The next field; `None` where there is no other.
    #[must_use]
    pub fn next(&self) -> Option<Field> {
        Some(self.beside(true)).filter(|field| *field != self.focus)
    }

    /// Whether the cursor is in the field that a form begins with.
    #[must_use]
    pub fn is_at_first(&self) -> bool {
        self.texts.first().is_some_and(|(first, _)| *first == self.focus)
    }

    /// The next or previous field, those that are typed before those that are chosen.
    fn beside(&self, forward: bool) -> Field {
        let typed = self.texts.iter().map(|(field, _)| *field);
        let order: Vec<Field> = typed.chain(self.choices().into_iter().map(|(field, _)| field)).collect();
        let at = order.iter().position(|field| *field == self.focus).unwrap_or(0);
        let step = if forward { 1 } else { order.len() - 1 };
        order[(at + step) % order.len()]
    }

    /// Put text into the field with the cursor.
    pub fn insert(&mut self, text: &str, width: usize) {
        self.apply(Input::Insert(text.to_owned()), width);
    }

    /// A command that edits the field with the cursor, or chooses another value for it. Whether it means anything there.
    pub fn edit(&mut self, command: Command, width: usize) -> bool {
        match command {
            _ if !self.focus.is_choice() => match command.input() {
                Some(input) => self.apply(input, width),
                None => return false,
            },
            Command::CursorLeft | Command::CursorUp => self.choose(false),
            Command::CursorRight | Command::CursorDown => self.choose(true),
            _ => return false,
        }
        true
    }

    /// A key that no command takes: typing, or choosing. Whether it means anything there.
    pub fn type_key(&mut self, key: Key, width: usize) -> bool {
        match key.text() {
            Some(' ') if self.focus.is_choice() => self.choose(true),
            Some(char) if self.focus.is_choice() => return self.choose_initial(char),
            Some(char) => self.apply(Input::Insert(char.to_string()), width),
            None => return false,
        }
        true
    }

    fn apply(&mut self, input: Input, width: usize) {
        self.problem = None;
        let focus = self.focus;
        if let Some((_, text)) = self.texts.iter_mut().find(|(field, _)| *field == focus) {
            text.apply(input, text_width(width));
        }
    }

    fn choose(&mut self, forward: bool) {
        let focus = self.focus;
        let choice = self.choices.iter_mut().find(|choice| choice.field == focus);
        let (at, count) = match choice {
            Some(choice) => (&mut choice.at, choice.options.len()),
            None => (&mut self.target, self.targets.len()),
        };
        *at = if forward { (*at + 1) % count } else { (*at + count - 1) % count };
    }

    /// Choose the next value that begins with `initial`; whether there is one.
    fn choose_initial(&mut self, initial: char) -> bool {
        let focus = self.focus;
        let Some(choice) = self.choices.iter_mut().find(|choice| choice.field == focus) else { return false };
        let count = choice.options.len();
        let mut others = (1..=count).map(|step| (choice.at + step) % count);
        let found = others.find(|at| choice.options[*at].starts_with(initial));
        choice.at = found.unwrap_or(choice.at);
        found.is_some()
    }

    fn text(&self, field: Field) -> &str {
        self.texts.iter().find(|(other, _)| *other == field).map_or("", |(_, input)| input.text().trim_end())
    }

    fn lines(&self, field: Field) -> Vec<String> {
        self.text(field).lines().map(str::trim).filter(|line| !line.is_empty()).map(ToOwned::to_owned).collect()
    }
}

/// The confidence that is shown as `shown`, if one is.
fn confidence(shown: &str) -> Option<f64> {
    shown.parse().ok().filter(|value| (0.0..=1.0).contains(value))
}

/// The words for a state of the review.
#[must_use]
pub fn status_words(status: ReviewStatus) -> &'static str {
    match status {
        ReviewStatus::Pending => "pending",
        ReviewStatus::Approved => "approved",
        ReviewStatus::ChangesRequested => "waiting for changes",
    }
}

/// A note about `selector`, for a sentence.
#[must_use]
pub fn note_label(selector: Selector) -> String {
    match selector.side {
        Side::Doc => "note on the whole change".to_owned(),
        Side::File => "note on the file".to_owned(),
        _ => format!("note on {selector}"),
    }
}

/// The columns of a typed field when the form has `width`.
#[must_use]
pub fn text_width(width: usize) -> usize {
    width.saturating_sub(LABEL).max(4)
}
