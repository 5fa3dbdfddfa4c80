//! A text being written: the value behind every field of a form.
//!
//! The cursor moves over what a reader calls one character, and deletes it whole, be it an accented letter, a flag or a
//! family of emoji; ready-made text areas count code points. It is a plain value: it knows no key, no screen and no
//! colour, so a form can be kept, compared and tested without a terminal.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use crate::text::cursor;
use crate::text::lines;
use crate::text::width::Display;

/// How many steps can be undone.
const UNDO_STEPS: usize = 500;

/// How many rows a page has: no more than fields show on most screens.
const PAGE: isize = 8;

/// What can be done to a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// Put text at the cursor, as [`clean`] makes it.
    Insert(String),
    /// Delete the character before the cursor.
    Backspace,
    /// Delete the character at the cursor.
    Delete,
    /// Delete back to the start of a word.
    DeleteWordLeft,
    /// Delete to the end of a word.
    DeleteWordRight,
    /// Delete back to the start of the line.
    DeleteToStart,
    /// Delete to the end of the line; at the end, the line break.
    DeleteToEnd,
    /// One character back.
    Left,
    /// One character on.
    Right,
    /// Back to the start of a word.
    WordLeft,
    /// To the end of a word.
    WordRight,
    /// One row up, as the rows are shown.
    Up,
    /// One row down, as the rows are shown.
    Down,
    /// So many rows up as make a page.
    PageUp,
    /// So many rows down as make a page.
    PageDown,
    /// To the start of the text.
    Start,
    /// To the end of the text.
    Finish,
    /// To the start of the line.
    Home,
    /// To the end of the line.
    End,
    /// Take the last step back: a run of typed letters up to a word, a deletion, a paste.
    Undo,
    /// Do again what was taken back.
    Redo,
}

/// A text and the place in it where typing goes on.
#[derive(Debug, Clone, Default)]
pub struct TextInput {
    text: String,
    /// A byte offset, always between two characters.
    cursor: usize,
    /// The column that moving up and down aims at.
    goal: Option<usize>,
    display: Display,
    undo: Vec<State>,
    redo: Vec<State>,
    run: Option<Run>,
}

#[derive(Debug, Clone)]
struct State {
    text: String,
    cursor: usize,
}

/// What the edits since the last undo step have in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Typed { blank: bool },
    Erased,
}

/// `text` as a field takes it, and how many characters were left out: CR and CRLF become LF, and control characters
/// other than LF and TAB have no business in a review.
#[must_use]
pub fn clean(text: &str) -> (String, usize) {
    let mut text = text.replace("\r\n", "\n").replace('\r', "\n");
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let left_out = text.chars().filter(|c| !is_text(*c)).count();
    text.retain(is_text);
    (text, left_out)
}

impl PartialEq for TextInput {
    /// Whether text and cursor are the same; the way there does not count.
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text && self.cursor == other.cursor
    }
}

impl TextInput {
    /// A text of any number of lines, with the cursor at its end.
    #[must_use]
    pub fn new(text: &str, display: Display) -> Self {
        let (text, _) = clean(text);
        Self { cursor: text.len(), text, display, ..Self::default() }
    }

    /// Begin anew with `text`, the cursor at its end; nothing can be undone.
    pub fn replace(&mut self, text: &str) {
        *self = Self::new(text, self.display);
    }

    /// The text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the cursor is, as a byte offset.
    #[must_use]
    pub fn cursor(&self) -> usize {
        self.cursor
    }

    /// The rows as they are shown in a field of `columns` columns, as byte ranges of the text: never none. The last
    /// column is kept free for a cursor behind the text.
    #[must_use]
    pub fn rows(&self, columns: usize) -> Vec<Range<usize>> {
        self.display.wrap(&self.text, columns.saturating_sub(1))
    }

    /// Row and column of the cursor, counted from 0, in a field of `columns` columns.
    #[must_use]
    pub fn cursor_cell(&self, columns: usize) -> (usize, usize) {
        self.cell_in(&self.rows(columns), columns)
    }

    fn cell_in(&self, rows: &[Range<usize>], columns: usize) -> (usize, usize) {
        let row = rows.iter().rposition(|row| row.start <= self.cursor).unwrap_or(0);
        let column = self.display.width(&self.text[rows[row].start..self.cursor]);
        (row, column.min(columns.saturating_sub(1)))
    }

    /// Do `input`, in a field of `columns` columns. Says whether the text has changed.
    pub fn apply(&mut self, input: Input, columns: usize) -> bool {
        let goal = self.goal.take();
        match input {
            Input::Insert(text) => return self.insert(&text),
            Input::Undo => return self.step(true),
            Input::Redo => return self.step(false),
            Input::Backspace => return self.erase(cursor::before(&self.text, self.cursor)..self.cursor, true),
            Input::Delete => return self.erase(self.cursor..cursor::after(&self.text, self.cursor), true),
            Input::DeleteWordLeft => return self.erase(cursor::word_left(&self.text, self.cursor)..self.cursor, false),
            Input::DeleteWordRight => {
                return self.erase(self.cursor..cursor::word_right(&self.text, self.cursor), false);
            }
            Input::DeleteToStart => return self.erase(self.line_start()..self.cursor, false),
            Input::DeleteToEnd => {
                let end = self.line_end();
                let end = if end == self.cursor { cursor::after(&self.text, end) } else { end };
                return self.erase(self.cursor..end, false);
            }
            Input::Left => self.cursor = cursor::before(&self.text, self.cursor),
            Input::Right => self.cursor = cursor::after(&self.text, self.cursor),
            Input::WordLeft => self.cursor = cursor::word_left(&self.text, self.cursor),
            Input::WordRight => self.cursor = cursor::word_right(&self.text, self.cursor),
            Input::Home => self.cursor = self.line_start(),
            Input::End => self.cursor = self.line_end(),
            Input::Start => self.cursor = 0,
            Input::Finish => self.cursor = self.text.len(),
            Input::Up => self.go_rows(-1, goal, columns),
            Input::Down => self.go_rows(1, goal, columns),
            Input::PageUp => self.go_rows(-PAGE, goal, columns),
            Input::PageDown => self.go_rows(PAGE, goal, columns),
        }
        self.run = None;
        false
    }

    fn insert(&mut self, text: &str) -> bool {
        let (text, _) = clean(text);
        if text.is_empty() {
            return false;
        }
        let is_typed = text != "\n" && text.graphemes(true).nth(1).is_none();
        let run = is_typed.then(|| Run::Typed { blank: text.chars().all(char::is_whitespace) });
        // A run of typing ends where the next word begins.
        let goes_on = match (self.run, run) {
            (Some(Run::Typed { blank: before }), Some(Run::Typed { blank })) => blank || !before,
            _ => false,
        };
        self.remember(goes_on, run);
        self.text.insert_str(self.cursor, &text);
        self.cursor = self.boundary(self.cursor + text.len());
        true
    }

    fn erase(&mut self, range: Range<usize>, is_character: bool) -> bool {
        if range.is_empty() {
            return false;
        }
        let run = is_character.then_some(Run::Erased);
        self.remember(run.is_some() && self.run == run, run);
        self.cursor = range.start;
        self.text.replace_range(range, "");
        self.cursor = self.boundary(self.cursor);
        true
    }

    fn remember(&mut self, goes_on: bool, run: Option<Run>) {
        self.run = run;
        self.redo.clear();
        if goes_on {
            return;
        }
        if self.undo.len() == UNDO_STEPS {
            self.undo.remove(0);
        }
        self.undo.push(State { text: self.text.clone(), cursor: self.cursor });
    }

    fn step(&mut self, is_undo: bool) -> bool {
        self.run = None;
        let (from, to) = if is_undo { (&mut self.undo, &mut self.redo) } else { (&mut self.redo, &mut self.undo) };
        let Some(state) = from.pop() else { return false };
        to.push(State { text: std::mem::replace(&mut self.text, state.text), cursor: self.cursor });
        self.cursor = state.cursor;
        true
    }

    /// Go to the character at a cell of a field of `columns` columns, or to the nearest one.
    pub fn go_to(&mut self, (row, column): (usize, usize), columns: usize) {
        let rows = self.rows(columns);
        self.cursor = self.offset_at(&rows, row.min(rows.len() - 1), column);
        (self.goal, self.run) = (None, None);
    }

    fn go_rows(&mut self, by: isize, goal: Option<usize>, columns: usize) {
        let rows = self.rows(columns);
        let (row, column) = self.cell_in(&rows, columns);
        let goal = goal.unwrap_or(column);
        self.cursor = match row.checked_add_signed(by) {
            Some(target) if target < rows.len() => self.offset_at(&rows, target, goal),
            Some(_) => self.text.len(),
            None => 0,
        };
        self.goal = Some(goal);
    }

    /// The place in a row that is nearest to `column` without leaving the row.
    fn offset_at(&self, rows: &[Range<usize>], row: usize, column: usize) -> usize {
        let range = rows[row].clone();
        let text = &self.text[range.clone()];
        if let Some(source) = self.display.source_at(text.as_bytes(), column) {
            let at = range.start + source.start;
            return if cursor::is_boundary(&self.text, at) { at } else { cursor::before(&self.text, at) };
        }
        let goes_on = rows.get(row + 1).is_some_and(|next| next.start == range.end);
        if goes_on { cursor::before(&self.text, range.end) } else { range.end }
    }

    fn line_start(&self) -> usize {
        lines::line_start(self.text.as_bytes(), self.cursor)
    }

    fn line_end(&self) -> usize {
        self.text[self.cursor..].find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    /// `at`, or behind the character that an edit has made around it.
    fn boundary(&self, at: usize) -> usize {
        if cursor::is_boundary(&self.text, at) { at } else { cursor::after(&self.text, at) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: usize = 80;

    /// The text with `|` at the cursor, after a text in the same notation and some inputs.
    fn after(start: &str, inputs: &[Input], columns: usize) -> String {
        let cursor = start.find('|').expect("the start has a cursor");
        let mut input = TextInput::new(&start.replace('|', ""), Display::default());
        input.cursor = cursor;
        for step in inputs {
            input.apply(step.clone(), columns);
        }
        format!("{}|{}", &input.text[..input.cursor], &input.text[input.cursor..])
    }

    #[test]
    fn one_key_is_one_visible_character() {
        let text = "e\u{301}👨\u{200d}👩\u{200d}👧漢שלום";
        let mut input = TextInput::new(text, Display::default());
        let mut stops = vec![input.cursor];
        while input.cursor > 0 {
            input.apply(Input::Left, WIDE);
            stops.push(input.cursor);
        }
        assert_eq!(stops, [32, 30, 28, 26, 24, 21, 3, 0]);
        input.apply(Input::End, WIDE);
        let deleted = std::iter::from_fn(|| input.apply(Input::Backspace, WIDE).then_some(())).count();
        assert_eq!((deleted, input.text()), (7, ""));
    }

    #[test]
    fn editing() {
        use Input::{
            Backspace, Delete, DeleteToEnd, DeleteToStart, DeleteWordLeft, DeleteWordRight, End, Home, Insert, Left,
            Right, WordLeft, WordRight,
        };
        for (start, inputs, expected) in [
            ("ab|", vec![Insert("c\r\nd\re".into())], "abc\nd\ne|"),
            ("|", vec![Insert("\u{1b}[2J\t\u{202e}".into())], "[2J\t\u{202e}|"),
            ("a|", vec![Insert("\0\u{9b}\u{7f}".into())], "a|"),
            ("|", vec![Backspace, Left, DeleteWordLeft, DeleteToStart], "|"),
            ("a|", vec![Delete, Right, DeleteToEnd, WordRight], "a|"),
            ("a\n|b", vec![Backspace], "a|b"),
            ("a|\nb", vec![Delete], "a|b"),
            ("one two.three|", vec![WordLeft], "one two.|three"),
            ("one two.|three", vec![WordLeft, WordLeft], "one |two.three"),
            ("one| two", vec![WordRight], "one two|"),
            ("one two  |x", vec![DeleteWordLeft], "one |x"),
            ("one |two x", vec![DeleteWordRight], "one | x"),
            ("a\nbc|d\ne", vec![Home], "a\n|bcd\ne"),
            ("a\nbc|d\ne", vec![End], "a\nbcd|\ne"),
            ("a\nbc|d\ne", vec![DeleteToStart], "a\n|d\ne"),
            ("a\nbc|d\ne", vec![DeleteToEnd, DeleteToEnd], "a\nbc|e"),
            ("👩|🔬", vec![Insert("\u{200d}".into())], "👩\u{200d}🔬|"),
        ] {
            assert_eq!(after(start, &inputs, WIDE), expected, "{start:?} {inputs:?}");
        }
    }

    #[test]
    fn a_long_text_is_gone_through_by_pages() {
        use Input::{Finish, PageDown, PageUp, Start};
        let text: Vec<String> = (1..=20).map(|line| format!("line {line}")).collect();
        let mut field = TextInput::new(&text.join("\n"), Display::default());
        let mut row_after = |input: Input| {
            assert!(!field.apply(input, 40));
            field.cursor_cell(40).0
        };
        let rows = [PageUp, PageUp, PageDown, PageUp, PageUp, Finish, Start, PageDown].map(&mut row_after);
        assert_eq!(rows, [11, 3, 11, 3, 0, 19, 0, 8]);
    }

    #[test]
    fn control_characters_are_no_text() {
        for (text, cleaned, left_out) in [
            ("one\r\ntwo\rthree\t", "one\ntwo\nthree\t", 0),
            ("\0a\u{1b}[31m\u{9b}\u{85}\u{7f}\u{8}", "a[31m", 6),
            ("\u{202e}\u{200d}\u{feff}\u{2028}漢", "\u{202e}\u{200d}\u{feff}\u{2028}漢", 0),
        ] {
            assert_eq!(clean(text), (cleaned.to_owned(), left_out), "{text:?}");
        }
    }

    #[test]
    fn rows_as_they_are_shown() {
        use Input::{Down, Up};
        for (start, inputs, expected) in [
            ("one two thr|ee", vec![Up], "one| two three"),
            ("one two| three", vec![Down], "one two three|"),
            ("one two|x three", vec![Down], "one twox three|"),
            ("abcd\ne\nfghi|", vec![Up, Up], "abcd|\ne\nfghi"),
            ("ab|cd\n漢\ne", vec![Down, Up], "ab|cd\n漢\ne"),
            ("a|b", vec![Up], "|ab"),
            ("a|b", vec![Down], "ab|"),
        ] {
            assert_eq!(after(start, &inputs, 9), expected, "{start:?} {inputs:?}");
        }
    }

    #[test]
    fn the_cursor_is_where_the_text_is_drawn() {
        let mut input = TextInput::new("", Display::default());
        for (typed, cell) in
            [("", (0, 0)), ("漢", (0, 2)), ("'", (0, 3)), ("\n", (1, 0)), ("abcdefgh", (1, 8)), ("i", (2, 1))]
        {
            input.apply(Input::Insert(typed.into()), 9);
            assert_eq!(input.cursor_cell(9), cell, "{typed:?}");
        }
        assert_eq!(TextInput::new("ab", Display::default()).cursor_cell(0), (1, 0));
    }

    #[test]
    fn undo_takes_back_words_deletions_and_pastes() {
        let mut input = TextInput::new("", Display::default());
        for typed in ["o", "n", "e", " ", "t", "w", "o"] {
            input.apply(Input::Insert(typed.into()), WIDE);
        }
        input.apply(Input::Insert("a paste".into()), WIDE);
        input.apply(Input::Backspace, WIDE);
        input.apply(Input::Backspace, WIDE);
        let states: Vec<String> = std::iter::from_fn(|| {
            let before = input.text().to_owned();
            input.apply(Input::Undo, WIDE).then_some(before)
        })
        .collect();
        assert_eq!(states, ["one twoa pas", "one twoa paste", "one two", "one "]);
        assert_eq!(input.text(), "");
        while input.apply(Input::Redo, WIDE) {}
        assert_eq!((input.text(), input.cursor()), ("one twoa pas", 12));
        input.apply(Input::Undo, WIDE);
        input.apply(Input::Insert("!".into()), WIDE);
        assert!(!input.apply(Input::Redo, WIDE), "typing forgets what was taken back");
    }
}
