//! The line at the bottom of the screen in which a pattern is typed. A plain value: what every letter does meanwhile is
//! the business of `update`.

use super::model::Standpoint;
use super::search::Search;
use super::text_input::{Input, TextInput};
use crate::text::width::Display;

/// A line being typed.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Where the reader was before.
    pub from: Standpoint,
    /// What was searched for before.
    pub before: Option<Search>,
    /// What is wrong with what is typed.
    pub problem: Option<String>,
    input: TextInput,
    /// What was typed before older lines were called back, and how far back.
    recalled: Option<(String, usize)>,
}

impl Prompt {
    /// An empty line.
    #[must_use]
    pub fn new(from: Standpoint, before: Option<Search>, display: Display) -> Self {
        Self { from, before, problem: None, input: TextInput::new("", display), recalled: None }
    }

    /// The line and its cursor.
    #[must_use]
    pub fn input(&self) -> &TextInput {
        &self.input
    }

    /// What is typed.
    #[must_use]
    pub fn text(&self) -> &str {
        self.input.text()
    }

    /// Edit the line, which stays one: line ends become blanks. Whether its text has changed.
    pub fn edit(&mut self, input: Input) -> bool {
        self.recalled = None;
        let input = match input {
            Input::Insert(text) => Input::Insert(text.trim_end_matches(['\r', '\n']).replace(['\r', '\n'], " ")),
            other => other,
        };
        self.input.apply(input, usize::MAX)
    }

    /// Call back the line before the one that is there in `history`, the oldest first, or, with `is_older` false, the one
    /// after it, in the end what was typed. Whether there was one.
    pub fn recall(&mut self, history: &[String], is_older: bool) -> bool {
        let (typed, back) = self.recalled.take().unwrap_or_else(|| (self.input.text().to_owned(), 0));
        let wanted = if is_older { back + 1 } else { back.saturating_sub(1) };
        let line = if wanted == 0 { Some(&typed) } else { history.len().checked_sub(wanted).map(|at| &history[at]) };
        let is_there = line.is_some() && wanted != back;
        if let Some(line) = line.filter(|_| is_there) {
            self.input.replace(line);
        }
        self.recalled = Some((typed, if is_there { wanted } else { back }));
        is_there
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn older_lines_come_back_and_so_does_what_was_typed() {
        let history = ["one", "two"].map(ToOwned::to_owned);
        let mut prompt = Prompt::new(Standpoint::default(), None, Display::default());
        prompt.edit(Input::Insert("new\nline\n".to_owned()));
        for (is_older, text, is_there) in [
            (false, "new line", false),
            (true, "two", true),
            (true, "one", true),
            (true, "one", false),
            (false, "two", true),
            (false, "new line", true),
            (false, "new line", false),
        ] {
            assert_eq!(prompt.recall(&history, is_older), is_there, "{text}");
            assert_eq!(prompt.text(), text);
        }
        prompt.recall(&history, true);
        prompt.edit(Input::Insert("!".to_owned()));
        assert!(!prompt.recall(&history, false), "what is edited is the newest line");
        assert_eq!(prompt.text(), "two!");
    }
}
