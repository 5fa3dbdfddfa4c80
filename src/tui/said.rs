//! What the lines at the bottom say to the reader: a question, or a message, in as many rows as it takes; and the keys that
//! such a sentence names. Pure; the view draws it.

use std::path::Path;

use super::command::{Command, Context};
use super::hints::{VITAL, choices, least_columns};
use super::model::{Mode, Model, Passages, Question, Tone};
use crate::text::counted::counted;

/// The most rows that a message takes.
const MOST_ROWS: usize = 3;
/// On a screen of so many rows, or fewer, no key is worth a row.
const SMALL: u16 = 12;
/// The rows of the screen that a question leaves free: those at the top, and some of what it is about.
const FREE_ROWS: u16 = 5;

impl Model {
    /// What has the keyboard, in a word; a question needs none.
    #[must_use]
    pub fn mode_word(&self) -> &'static str {
        match (&self.mode, self.anchor) {
            (Mode::Confirm(_), _) => "",
            (Mode::Form, _) => " WRITE ",
            (Mode::Help(_), _) => " HELP ",
            (Mode::Checkup, _) => " VERIFY ",
            (Mode::Acting, _) => " CHANGE ",
            (Mode::Rounds, _) => " ROUNDS ",
            (Mode::Pick, _) => " CHOOSE ",
            (Mode::Files(_), _) => " FILES ",
            (_, Some(_)) if self.caret.is_some() => " CHARS ",
            (_, Some(_)) => " SELECT ",
            _ if self.caret.is_some() => " TEXT ",
            _ if self.since.is_some() => " CHANGED ",
            _ => " REVIEW ",
        }
    }

    /// The question or the message behind that word, row by row, and how it is meant; no row when there is neither.
    #[must_use]
    pub fn said(&self) -> (Tone, Vec<String>) {
        let columns = usize::from(self.size.width).saturating_sub(self.mode_word().len() + 2);
        if let Some(choices) = choices(self) {
            let message = self.message.iter().map(|(_, text)| self.shown(text.as_bytes()));
            let said: Vec<String> = std::iter::once(choices).chain(message).collect();
            return (Tone::Problem, self.in_rows(&said.join("; "), columns));
        }
        let (tone, mut rows) = match (&self.mode, &self.message) {
            (Mode::Confirm(question), _) => {
                let (question, answers) = asked(self, question);
                (Tone::Problem, self.question_rows(&question, &answers, columns))
            }
            // The line in which a pattern is typed says it itself.
            (Mode::Prompt, _) | (_, None) => return (Tone::Info, Vec::new()),
            (_, Some((tone, text))) => (*tone, self.in_rows(&self.shown(text.as_bytes()), columns)),
        };
        // What leads on has its place beside a message, or below it.
        if let ([row], Mode::Review) = (&*rows, &self.mode)
            && self.size.height > SMALL
        {
            let room = columns.saturating_sub(self.display.width(row) + 1);
            if least_columns(self, VITAL) > room {
                rows.push(String::new());
            }
        }
        (tone, rows)
    }

    /// A message in rows of so many columns. What is too long for them ends in `…`.
    fn in_rows(&self, text: &str, columns: usize) -> Vec<String> {
        let mut rows = self.wrapped_rows(text, columns);
        if rows.len() > MOST_ROWS {
            let rest = rows.split_off(MOST_ROWS - 1).join(" ");
            rows.push(self.display.fit(&rest, columns).trim_end().to_owned());
        }
        rows
    }

    /// A question in rows of so many columns, with its answers: whatever there is no room for, those are there whole.
    fn question_rows(&self, question: &str, answers: &str, columns: usize) -> Vec<String> {
        let most = usize::from(self.size.height.saturating_sub(FREE_ROWS)).max(1);
        let rows = self.wrapped_rows(&format!("{question} {answers}"), columns);
        if rows.len() <= most {
            return rows;
        }
        let answers = self.wrapped_rows(answers, columns);
        let mut rows = self.wrapped_rows(question, columns);
        let rest = rows.split_off(most.saturating_sub(answers.len() + 1).min(rows.len())).join(" ");
        rows.push(self.display.fit(&rest, columns).trim_end().to_owned());
        rows.extend(answers);
        rows
    }

    fn wrapped_rows(&self, text: &str, columns: usize) -> Vec<String> {
        self.display.wrap(text, columns).into_iter().map(|row| text[row].trim_end().to_owned()).collect()
    }
}

/// A question, and how it is answered. What is to go is named, as far as there is room for it.
fn asked(model: &Model, question: &Question) -> (String, String) {
    let (mut answers, send, end) = (model.answers(), Question::SEND, Question::END);
    let question = match question {
        Question::Discard => "Throw the text away?".to_owned(),
        Question::Leave(reason) => {
            let texts = kept_only_here(model.kept_texts());
            let start = format!("{texts} kept only until you quit: {reason}. ");
            format!("{start}Quit and throw {} away?", if model.kept_texts() == 1 { "it" } else { "them" })
        }
        Question::Send => format!("Send {}?", model.talk.offer()),
        Question::End => {
            answers = match model.talk.unsent.is_empty() {
                true => format!("{end} ends it, any other key no"),
                false => {
                    let offer = model.talk.offer();
                    format!("{send} sends {offer} and ends, {end} ends and keeps them, any other key no")
                }
            };
            "End the session?".to_owned()
        }
        Question::TakeBack { words, .. } => {
            let start = "Take back the comment";
            format!("{start}{}?", quoted(model, words, start.len() + answers.len()))
        }
        Question::Carry(next) => model.display.visible(&next.question),
        Question::Delete(deletion) => {
            let start = format!("Delete the {}", model.display.visible(&deletion.label));
            let left = if deletion.left.is_empty() { String::new() } else { format!(" ({})", deletion.left) };
            let taken = model.display.width(&start) + left.len() + answers.len();
            format!("{start}{}?{left}", quoted(model, &deletion.words, taken))
        }
    };
    (question, answers)
}

/// So many texts, and the verb that goes with them.
fn kept_only_here(count: usize) -> String {
    format!("{} {}", counted(count, "text"), if count == 1 { "is" } else { "are" })
}

/// Words in quotation marks, as far as there is room beside `taken` columns.
fn quoted(model: &Model, words: &str, taken: usize) -> String {
    let words = model.display.fit(words, usize::from(model.size.width).saturating_sub(taken + 8));
    let words = words.trim_end();
    if words.is_empty() { String::new() } else { format!(" “{words}”") }
}

impl Model {
    /// What is kept that could not be saved, how long, and how it is opened, for a sentence.
    #[must_use]
    pub fn kept_words(&self) -> String {
        let (texts, opens) = (kept_only_here(self.kept_texts()), self.key(Command::Kept));
        match &self.unkept {
            Some(reason) => format!("{texts} kept only until you quit: {reason}; {opens} opens it"),
            None => format!("{texts} kept: {opens} opens it"),
        }
    }

    /// The name of a file for a sentence: as seen from the folder of the review, where it is below that.
    #[must_use]
    pub fn place_of(&self, path: &Path) -> String {
        self.display.visible(path.strip_prefix(&self.review.folder).unwrap_or(path).to_string_lossy().as_bytes())
    }
}

/// The keys that a sentence names.
impl Model {
    /// How `command` is given in the review, for a sentence: its shortest key, or its name where it has none.
    #[must_use]
    pub fn key(&self, command: Command) -> String {
        self.key_in(Context::Review, command)
    }

    /// The same, in another place. No sentence names a key in any other way: a reader may have changed it.
    #[must_use]
    pub fn key_in(&self, context: Context, command: Command) -> String {
        self.keymap.key_of(context, command).unwrap_or_else(|| format!(":{}", command.entry().name))
    }

    /// What goes from note to note, for a sentence: its keys and its verb.
    #[must_use]
    pub fn note_keys(&self) -> String {
        format!("{} and {} go", self.key(Command::NextNote), self.key(Command::PrevNote))
    }

    /// Why no whymark notes are written here, where that is so.
    #[must_use]
    pub fn no_notes(&self) -> Option<String> {
        let record = self.key(Command::Markback);
        Some(match self.review.passages.as_ref()? {
            Passages::Records => {
                format!("this is a Markback file, and holds no whymark notes: {record} writes a Markback note")
            }
            Passages::Documents(_) => {
                let comment = self.key(Command::Comment);
                format!(
                    "a whymark note explains a diff: {record} writes a Markback note, {comment} a comment for the agent"
                )
            }
        })
    }

    /// How something comes to be queued, for a sentence.
    #[must_use]
    pub fn ways_to_queue(&self) -> String {
        let [comment, chat, queue] = [Command::Comment, Command::Chat, Command::Queue].map(|command| self.key(command));
        format!("{comment} comments on a line, {chat} on the whole, {queue} queues a note")
    }

    /// How a question is answered.
    #[must_use]
    pub fn answers(&self) -> String {
        format!("{} yes, any other key no", self.key_in(Context::Popup, Command::Accept))
    }
}
