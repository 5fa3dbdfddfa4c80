//! What the lines at the bottom say to the reader: a question, or a message, in as many rows as it takes. Pure; the view
//! draws it.

use super::model::{Mode, Model, Question, Tone};

/// The most rows that a question or a message takes.
const MOST_ROWS: usize = 3;

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
            (_, Some(_)) => " SELECT ",
            _ if self.caret.is_some() => " TEXT ",
            _ if self.since.is_some() => " CHANGED ",
            _ => " REVIEW ",
        }
    }

    /// The question or the message behind that word, row by row, and how it is meant; no row when there is neither.
    #[must_use]
    pub fn said(&self) -> (Tone, Vec<String>) {
        let (tone, text) = match (&self.mode, &self.message) {
            (Mode::Confirm(question), _) => (Tone::Problem, asked(self, question)),
            // The line in which a pattern is typed says it itself.
            (Mode::Prompt, _) | (_, None) => return (Tone::Info, Vec::new()),
            (_, Some((tone, text))) => (*tone, self.shown(text.as_bytes())),
        };
        let columns = usize::from(self.size.width).saturating_sub(self.mode_word().len() + 2);
        let mut rows: Vec<String> =
            self.display.wrap(&text, columns).into_iter().map(|row| text[row].trim_end().to_owned()).collect();
        if rows.len() > MOST_ROWS {
            let rest = rows.split_off(MOST_ROWS - 1).join(" ");
            rows.push(self.display.fit(&rest, columns).trim_end().to_owned());
        }
        (tone, rows)
    }
}

/// A question, and how it is answered. What is to go is named, as far as there is room for it.
fn asked(model: &Model, question: &Question) -> String {
    const ANSWERS: &str = "y yes, any other key no";
    match question {
        Question::Discard => format!("Throw the text away? {ANSWERS}"),
        Question::Send => format!("Send {}? {ANSWERS}", model.talk.offer()),
        Question::End if model.talk.unsent.is_empty() => "End the session? e ends it, any other key no".to_owned(),
        Question::End => {
            let offer = model.talk.offer();
            format!("End the session? s sends {offer} and ends, e ends and keeps them, any other key no")
        }
        Question::TakeBack { words, .. } => {
            let start = "Take back the comment";
            format!("{start}{}? {ANSWERS}", quoted(model, words, start.len() + ANSWERS.len()))
        }
        Question::Delete(deletion) => {
            let start = format!("Delete the {}", model.display.visible(&deletion.label));
            let taken = model.display.width(&start) + ANSWERS.len();
            format!("{start}{}? {ANSWERS}", quoted(model, &deletion.words, taken))
        }
    }
}

/// Words in quotation marks, as far as there is room beside `taken` columns.
fn quoted(model: &Model, words: &str, taken: usize) -> String {
    let words = model.display.fit(words, usize::from(model.size.width).saturating_sub(taken + 8));
    let words = words.trim_end();
    if words.is_empty() { String::new() } else { format!(" “{words}”") }
}
