//! The form in which a note or a Markback record is written. A plain value: keys come in as inputs, and what is typed
//! goes out as a note.

use std::path::PathBuf;

use bstr::BString;

use crate::document::edit::NewNote;
use crate::document::{Kind, Risk, Selector, Side};
use crate::text::width::Display;

use super::command::Command;
use super::face::selector_words;
use super::key::Key;
use super::text_input::{Input, TextInput};

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
}

/// The record that a reply answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// Its Markback file.
    pub file: PathBuf,
    /// Its id.
    pub id: String,
}

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// What it is about.
    About,
    /// The kind of note.
    Kind,
    /// The blast radius if it is wrong.
    Risk,
    /// How sure the author is.
    Confidence,
    /// The reason.
    Why,
    /// Evidence, one a line.
    Source,
    /// Claims, one a line.
    Verify,
    /// Follow-ups, one a line.
    Todo,
    /// Questions, one a line.
    Question,
    /// Free text.
    Body,
    /// The feedback of a record.
    Feedback,
    /// What an agent is asked for.
    Comment,
}

impl Field {
    /// The word in front of the field.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Kind => "kind",
            Self::Risk => "risk",
            Self::Confidence => "confidence",
            Self::Why => "why",
            Self::Source => "source",
            Self::Verify => "verify",
            Self::Todo => "todo",
            Self::Question => "question",
            Self::Body => "body",
            Self::Feedback => "note",
            Self::Comment => "comment",
        }
    }

    /// What an empty field says.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::Why => "the reason; the diff shows what",
            Self::Source => "file:src/x.rs:8 — why (one a line)",
            Self::Verify => "cmd `npm test` => pass; one a line",
            Self::Todo => "what is left to do; one a line",
            Self::Question => "what to decide; one a line",
            Self::Body => "anything else",
            Self::Feedback => "one line of feedback",
            Self::Comment => "what the agent should change",
            Self::About | Self::Kind | Self::Risk | Self::Confidence => "",
        }
    }

    /// Whether it is chosen, not typed.
    #[must_use]
    pub fn is_choice(self) -> bool {
        matches!(self, Self::About | Self::Kind | Self::Risk | Self::Confidence)
    }
}

const NOTE_TEXTS: [Field; 6] = [Field::Why, Field::Source, Field::Verify, Field::Todo, Field::Question, Field::Body];
const NOTE_CHOICES: [Field; 4] = [Field::About, Field::Kind, Field::Risk, Field::Confidence];
const RISKS: [Option<Risk>; 4] = [None, Some(Risk::Low), Some(Risk::Medium), Some(Risk::High)];
/// In the order in which they are chosen: from what is certain down to what is a guess.
const CONFIDENCES: [Option<f64>; 13] = [
    None,
    Some(1.0),
    Some(0.95),
    Some(0.9),
    Some(0.85),
    Some(0.8),
    Some(0.7),
    Some(0.6),
    Some(0.5),
    Some(0.4),
    Some(0.3),
    Some(0.2),
    Some(0.1),
];

/// The columns of a label.
pub const LABEL: usize = 9;

/// What a note can be about: a part of the review, and what in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// The part.
    pub part: usize,
    /// Lines, file, or whole change.
    pub selector: Selector,
    /// The path of the part's file; `None` for the whole change.
    pub file: Option<BString>,
    /// The lines, as text: what a record quotes, and how they are known again.
    pub quote: Option<String>,
}

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
    /// The field with the cursor.
    pub focus: Field,
    /// What went wrong with the last try to save.
    pub problem: Option<String>,
    /// Whether it is from an earlier run, and its lines have not been compared with those that are there now.
    pub is_old: bool,
    note_kind: usize,
    risk: usize,
    confidence: usize,
    texts: Vec<(Field, TextInput)>,
}

impl Form {
    /// An empty form; `targets` is never empty.
    #[must_use]
    pub fn new(kind: FormKind, targets: Vec<Target>, display: Display) -> Self {
        let fields: &[Field] = match kind {
            FormKind::Note => &NOTE_TEXTS,
            FormKind::Record | FormKind::Reply => &[Field::Feedback],
            FormKind::Comment => &[Field::Comment],
        };
        let texts = fields.iter().map(|field| (*field, TextInput::new("", display))).collect();
        let focus = fields[0];
        Self {
            kind,
            targets,
            target: 0,
            parent: None,
            focus,
            problem: None,
            is_old: false,
            note_kind: 0,
            risk: 0,
            confidence: 0,
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
        let fields: &[Field] = match self.kind {
            FormKind::Note => &NOTE_CHOICES,
            FormKind::Record | FormKind::Comment => &NOTE_CHOICES[..1],
            FormKind::Reply => &[],
        };
        fields.iter().map(|field| (*field, self.choice(*field))).collect()
    }

    /// The fields that are chosen, row by row.
    #[must_use]
    pub fn choice_rows(&self) -> Vec<Vec<(Field, String)>> {
        self.choices().chunks(2).map(<[_]>::to_vec).collect()
    }

    fn choice(&self, field: Field) -> String {
        match field {
            Field::About => selector_words(self.target().selector),
            Field::Kind => Kind::ALL[self.note_kind].as_str().to_owned(),
            Field::Risk => risk_word(RISKS[self.risk]).to_owned(),
            _ => confidence_word(CONFIDENCES[self.confidence]),
        }
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

    /// Put `text` in the place of what is typed in `field`, the cursor behind it.
    pub fn set_text(&mut self, field: Field, text: &str) {
        if let Some((_, input)) = self.texts.iter_mut().find(|(other, _)| *other == field) {
            input.replace(text);
        }
    }

    /// Choose the value of `field` that is shown as `shown`; nothing when there is none.
    pub fn choose_shown(&mut self, field: Field, shown: &str) {
        let (at, value) = match field {
            Field::Kind => (&mut self.note_kind, Kind::ALL.iter().position(|kind| kind.as_str() == shown)),
            Field::Risk => (&mut self.risk, RISKS.iter().position(|risk| risk_word(*risk) == shown)),
            Field::Confidence => {
                (&mut self.confidence, CONFIDENCES.iter().position(|value| confidence_word(*value) == shown))
            }
            _ => return,
        };
        *at = value.unwrap_or(*at);
    }

    /// The rows the form wants, borders included, when `width` columns are inside them.
    #[must_use]
    pub fn height(&self, width: usize) -> u16 {
        let rows: usize = self.texts.iter().map(|(_, input)| input.rows(text_width(width)).len()).sum();
        u16::try_from(rows + 2 + self.choice_rows().len()).unwrap_or(u16::MAX)
    }

    /// Go to the next or previous field.
    pub fn turn(&mut self, forward: bool) {
        let order: Vec<Field> = self
            .texts
            .iter()
            .map(|(field, _)| *field)
            .chain(self.choices().into_iter().map(|(field, _)| field))
            .collect();
        let at = order.iter().position(|field| *field == self.focus).unwrap_or(0);
        let step = if forward { 1 } else { order.len() - 1 };
        self.focus = order[(at + step) % order.len()];
    }

    /// Put text into the field with the cursor.
    pub fn insert(&mut self, text: &str, width: usize) {
        self.apply(Input::Insert(text.to_owned()), width);
    }

    /// A command that edits the field with the cursor, or chooses another value for it.
    pub fn edit(&mut self, command: Command, width: usize) {
        if !self.focus.is_choice() {
            if let Some(input) = command.input() {
                self.apply(input, width);
            }
            return;
        }
        match command {
            Command::CursorLeft | Command::CursorUp => self.choose(false),
            Command::CursorRight | Command::CursorDown => self.choose(true),
            _ => {}
        }
    }

    /// A key that no command takes: typing, or choosing.
    pub fn type_key(&mut self, key: Key, width: usize) {
        match key.text() {
            Some(' ') if self.focus.is_choice() => self.choose(true),
            Some(char) if !self.focus.is_choice() => self.apply(Input::Insert(char.to_string()), width),
            _ => {}
        }
    }

    fn apply(&mut self, input: Input, width: usize) {
        self.problem = None;
        let focus = self.focus;
        if let Some((_, text)) = self.texts.iter_mut().find(|(field, _)| *field == focus) {
            text.apply(input, text_width(width));
        }
    }

    fn choose(&mut self, forward: bool) {
        let (at, count) = match self.focus {
            Field::About => (&mut self.target, self.targets.len()),
            Field::Kind => (&mut self.note_kind, Kind::ALL.len()),
            Field::Risk => (&mut self.risk, RISKS.len()),
            _ => (&mut self.confidence, CONFIDENCES.len()),
        };
        *at = if forward { (*at + 1) % count } else { (*at + count - 1) % count };
    }

    fn text(&self, field: Field) -> &str {
        self.texts.iter().find(|(other, _)| *other == field).map_or("", |(_, input)| input.text().trim_end())
    }

    fn lines(&self, field: Field) -> Vec<String> {
        self.text(field).lines().map(str::trim).filter(|line| !line.is_empty()).map(ToOwned::to_owned).collect()
    }

    /// The note as typed. A field of the format is one paragraph, so what follows the first one of the reason opens the
    /// free text.
    #[must_use]
    pub fn note(&self) -> NewNote {
        let (why, rest) = first_paragraph(self.text(Field::Why));
        NewNote {
            selector: self.target().selector,
            kind: Kind::ALL[self.note_kind],
            risk: RISKS[self.risk],
            confidence: CONFIDENCES[self.confidence],
            why: why.trim().to_owned(),
            sources: self.lines(Field::Source),
            claims: self.lines(Field::Verify),
            todos: self.lines(Field::Todo),
            questions: self.lines(Field::Question),
            body: [rest, self.text(Field::Body)]
                .iter()
                .filter(|text| !text.trim().is_empty())
                .map(|text| text.trim_start_matches('\n'))
                .collect::<Vec<_>>()
                .join("\n\n"),
        }
    }

    /// The feedback of a record as typed.
    #[must_use]
    pub fn feedback(&self) -> String {
        self.text(Field::Feedback).to_owned()
    }

    /// What an agent is asked for, as typed.
    #[must_use]
    pub fn comment(&self) -> String {
        self.text(Field::Comment).to_owned()
    }

    /// Whether it is about lines of the new side.
    #[must_use]
    pub fn is_about_new_lines(&self) -> bool {
        self.target().selector.side == Side::New
    }
}

fn risk_word(risk: Option<Risk>) -> &'static str {
    risk.map_or("–", Risk::as_str)
}

fn confidence_word(confidence: Option<f64>) -> String {
    confidence.map_or("–".to_owned(), |value| format!("{value}"))
}

/// What stands before the first blank line, and what stands behind it.
fn first_paragraph(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim().is_empty() {
            return (&text[..at], &text[at + line.len()..]);
        }
        at += line.len();
    }
    (text, "")
}

/// The columns of a typed field when the form has `width`.
#[must_use]
pub fn text_width(width: usize) -> usize {
    width.saturating_sub(LABEL).max(4)
}
