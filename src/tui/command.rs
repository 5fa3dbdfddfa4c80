//! What a reader can ask for: one table that names every command, says what it does and where it applies.
//!
//! Help, the footer, the key file and assets/KEYS.md are made from it; nothing else lists commands.

use super::text_input::Input;

/// The place that decides what a key means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Context {
    /// The diff and its notes.
    Review,
    /// The list of files.
    Files,
    /// The text of a line, when a cursor is in it; what means nothing here means what it means in the review.
    Text,
    /// A form or prompt: what is not a command is text.
    Form,
    /// A list or a question above the rest.
    Popup,
}

impl Context {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Review, Self::Files, Self::Text, Self::Form, Self::Popup];

    /// Its table in the key file.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Review => "review",
            Self::Files => "files",
            Self::Text => "text",
            Self::Form => "form",
            Self::Popup => "popup",
        }
    }
}

/// A command as help lists it.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The command.
    pub command: Command,
    /// Its name in the key file.
    pub name: &'static str,
    /// What it does, in a few words.
    pub doc: &'static str,
    /// Where it applies.
    pub contexts: &'static [Context],
}

macro_rules! commands {
    ($($command:ident $name:literal $contexts:ident $doc:literal)*) => {
        /// What a reader can ask for.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Command {
            $(#[doc = $doc] $command,)*
        }

        /// Every command, in the order of help.
        pub const COMMANDS: &[Entry] = &[
            $(Entry { command: Command::$command, name: $name, doc: $doc, contexts: $contexts },)*
        ];
    };
}

const REVIEW: &[Context] = &[Context::Review];
const FORM: &[Context] = &[Context::Form];
const TEXT: &[Context] = &[Context::Text];
const TEXTS: &[Context] = &[Context::Text, Context::Form];
const SELECTING: &[Context] = &[Context::Review, Context::Text];
const POPUP: &[Context] = &[Context::Popup];
const BELOW: &[Context] = &[Context::Review, Context::Popup];
const FILES: &[Context] = &[Context::Files];
const PANES: &[Context] = &[Context::Review, Context::Files];
const LISTS: &[Context] = &[Context::Review, Context::Files, Context::Popup];
const SEARCHED: &[Context] = &[Context::Review, Context::Popup];
const PAGES: &[Context] = &[Context::Review, Context::Files, Context::Form, Context::Popup];
const WRITING: &[Context] = &[Context::Review, Context::Form];
const ALL: &[Context] = &Context::ALL;

commands! {
    Down "down" LISTS "one line down"
    Up "up" LISTS "one line up"
    HalfPageDown "half-page-down" LISTS "half a page down"
    HalfPageUp "half-page-up" LISTS "half a page up"
    PageDown "page-down" PAGES "a page down"
    PageUp "page-up" PAGES "a page up"
    Top "top" PAGES "to the top"
    Bottom "bottom" PAGES "to the bottom"
    ScrollLeft "scroll-left" REVIEW "long lines: scroll left; side by side: to the old side"
    ScrollRight "scroll-right" REVIEW "long lines: scroll right; side by side: to the new side"
    Wrap "wrap" REVIEW "wrap long lines, or scroll them"
    Split "side-by-side" REVIEW "old and new side by side, or below each other"
    Intraline "intraline" REVIEW "mark the words that differ, or not"
    Unfold "unfold" REVIEW "show more lines around a hunk; a count says how many"
    Fold "fold" REVIEW "hide the lines around a hunk again"
    ToggleFold "toggle-fold" REVIEW "show or hide lines around a hunk"
    NextHunk "next-hunk" REVIEW "next hunk, or heading of a document"
    PrevHunk "prev-hunk" REVIEW "previous hunk, or heading of a document"
    NextFile "next-file" REVIEW "next file"
    PrevFile "prev-file" REVIEW "previous file"
    NextNote "next-note" REVIEW "next note"
    PrevNote "prev-note" REVIEW "previous note"
    NextUncovered "next-uncovered" REVIEW "next added line that no note explains, then next stub"
    PrevUncovered "prev-uncovered" REVIEW "previous added line that no note explains, then previous stub"
    Search "search" SEARCHED "search all that the review shows for a pattern; in the help: find a command"
    NextHit "next-hit" REVIEW "next hit of the search"
    PrevHit "prev-hit" REVIEW "previous hit of the search"
    NextUntested "next-untested" REVIEW "next added line that no test ran, by a coverage report"
    PrevUntested "prev-untested" REVIEW "previous added line that no test ran"
    Filter "filter" REVIEW "choose which notes are shown"
    ClearFilter "clear-filter" REVIEW "show all notes and hunks again"
    OnlyUncovered "only-uncovered" REVIEW "show only hunks with a line that no note explains, or all"
    Evidence "evidence" REVIEW "what the review rests on, and what wants a look"
    GoToFile "go-to-file" PANES "find a file by its name"
    CardDown "card-down" REVIEW "scroll the open note down, when it does not fit"
    CardUp "card-up" REVIEW "scroll the open note up"
    Select "select" SELECTING "select lines, then characters; in the text, select from here or stop"
    OtherEnd "other-end" TEXT "to the other end of the selection"
    NextWord "next-word" TEXT "to the start of the next word"
    Note "note" REVIEW "write a note on the line or the selection; one on each hunk of it"
    NoteOnFile "note-on-file" REVIEW "write a note on the file"
    NoteOnChange "note-on-change" REVIEW "write a note on the whole change"
    NoteOnUnexplained "note-on-unexplained" REVIEW "write a note on each unexplained range of the selection or the file"
    Markback "markback" REVIEW "write a Markback note on the line or the selection"
    MarkbackOnFile "markback-on-file" REVIEW "write a Markback note on the file"
    Kept "kept" REVIEW "open a text that could not be saved, and is kept"
    EditNote "edit-note" BELOW "change the open note, or the comment in the list that is not sent"
    EditOutside "edit-outside" REVIEW "the open note, or a new one, in your editor"
    Claim "claim" REVIEW "say of the open note how it was verified"
    DeleteNote "delete-note" REVIEW "delete the open note, after a yes"
    ReviewState "review-state" REVIEW "approve the review, or ask for changes; and write its summary"
    Reply "reply" REVIEW "answer the open Markback note"
    Resolve "resolve" REVIEW "resolve the open Markback note, or open it again"
    Comment "comment" REVIEW "write a comment for the agent on the line or the selection"
    AskForTest "ask-for-test" REVIEW "ask the agent for a test of the line or the selection"
    Chat "chat" REVIEW "write a comment for the agent on nothing in particular"
    Queue "queue" REVIEW "queue the open note for the agent too, or take it back"
    Send "send" WRITING "send what is queued to the agent, and the comment being written, after a yes"
    Rounds "rounds" REVIEW "list what is queued and what was sent"
    Since "since" BELOW "what has changed since the last round was sent; a count names another"
    TakeOver "take-over" REVIEW "take the agent's session over from another reviewer"
    EndSession "end" REVIEW "end the agent's session, after a question"
    Verify "verify" REVIEW "list the commands of the review, and run them after a yes"
    Stage "stage" REVIEW "stage the line, the selection, on a heading the hunk or the file, after a yes"
    Unstage "unstage" REVIEW "take it out of what is staged, after a yes"
    Discard "discard" REVIEW "discard it in the working tree, after a yes; the file as it was is kept"
    Viewed "viewed" REVIEW "mark the file, or on its heading the hunk, as viewed; or as not"
    HideViewed "hide-viewed" REVIEW "leave out what is viewed, or show it again"
    OnlyNew "only-new" REVIEW "only what has changed since you last looked, or everything"
    Refresh "refresh" REVIEW "make the diff anew; notes follow the code"
    OpenSource "open-source" REVIEW "open the file at this line in your editor"
    Copy "copy" REVIEW "copy the selected lines, or path and line"
    ToggleFiles "toggle-files" PANES "show or hide the list of files"
    FocusFiles "focus-files" PANES "to the list of files, and back"
    OpenFile "open-file" FILES "go to the file or heading; open or close the folder"
    CloseFolder "close-folder" FILES "close the folder; on a closed one, the folder around it"
    OpenFolder "open-folder" FILES "open the closed folder"
    ToggleFolders "toggle-folders" FILES "close all folders, or open them when all are closed"
    Theme "theme" REVIEW "choose a theme, looking at each"
    BorderLeft "border-left" REVIEW "move the border of the notes to the left"
    BorderRight "border-right" REVIEW "move the border of the notes to the right"
    Mouse "mouse" REVIEW "leave the mouse to the terminal, to select text with it, or take it again"
    Palette "palette" REVIEW "find a command by its name, or go to the line of a number"
    Help "help" PANES "show all keys"
    Quit "quit" PANES "leave, as soon as what was written is on disk"
    Suspend "suspend" REVIEW "back to the shell until `fg`"
    Accept "accept" POPUP "say yes to a question"
    GoThere "go-there" POPUP "list of rounds: go to what is chosen"
    Recall "recall" POPUP "list of rounds: take back what no agent has"
    HandOutAgain "hand-out-again" POPUP "list of rounds: hand out once more"
    CloseRound "close-round" POPUP "list of rounds: no agent answers this one"
    Save "save" FORM "save what is written, or take what is chosen"
    TakeOutside "take-outside" FORM "take what is typed to your editor"
    NextField "next-field" FORM "next field, or entry of a list, or hit of a search"
    PrevField "prev-field" FORM "previous field, entry or hit"
    Newline "newline" FORM "a new line in the field"
    CursorLeft "cursor-left" TEXTS "one character back"
    CursorRight "cursor-right" TEXTS "one character on"
    CursorUp "cursor-up" FORM "one row up, or what was searched for before"
    CursorDown "cursor-down" FORM "one row down, or what was searched for after that"
    WordLeft "word-left" TEXTS "back to the start of a word"
    WordRight "word-right" TEXTS "to the end of a word"
    LineStart "line-start" TEXTS "to the start of the line"
    LineEnd "line-end" TEXTS "to the end of the line"
    Backspace "backspace" FORM "delete the character before the cursor"
    Delete "delete" FORM "delete the character at the cursor"
    DeleteWordLeft "delete-word-left" FORM "delete back to the start of a word"
    DeleteWordRight "delete-word-right" FORM "delete to the end of a word"
    DeleteToStart "delete-to-start" FORM "delete back to the start of the line"
    DeleteToEnd "delete-to-end" FORM "delete to the end of the line"
    Undo "undo" WRITING "take back the last change"
    Redo "redo" WRITING "do again what was taken back"
    Cancel "cancel" ALL "leave what is open; a form with text in it asks first"
    Redraw "redraw" ALL "draw the whole screen again"
}

impl Command {
    /// Its entry in the table.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        &COMMANDS[self as usize]
    }

    /// The command of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        COMMANDS.iter().find(|entry| entry.name == name).map(|entry| entry.command)
    }

    /// What it does to the text of a field, if it does something to it.
    #[must_use]
    pub fn input(self) -> Option<Input> {
        Some(match self {
            Self::Newline => Input::Insert("\n".to_owned()),
            Self::CursorLeft => Input::Left,
            Self::CursorRight => Input::Right,
            Self::CursorUp => Input::Up,
            Self::CursorDown => Input::Down,
            Self::PageUp => Input::PageUp,
            Self::PageDown => Input::PageDown,
            Self::Top => Input::Start,
            Self::Bottom => Input::Finish,
            Self::WordLeft => Input::WordLeft,
            Self::WordRight => Input::WordRight,
            Self::LineStart => Input::Home,
            Self::LineEnd => Input::End,
            Self::Backspace => Input::Backspace,
            Self::Delete => Input::Delete,
            Self::DeleteWordLeft => Input::DeleteWordLeft,
            Self::DeleteWordRight => Input::DeleteWordRight,
            Self::DeleteToStart => Input::DeleteToStart,
            Self::DeleteToEnd => Input::DeleteToEnd,
            Self::Undo => Input::Undo,
            Self::Redo => Input::Redo,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_the_enum() {
        for (index, entry) in COMMANDS.iter().enumerate() {
            assert_eq!(entry.command as usize, index);
            assert_eq!(entry.command.entry().name, entry.name);
            assert_eq!(Command::from_name(entry.name), Some(entry.command), "{} is there twice", entry.name);
            assert!(!entry.contexts.is_empty() && !entry.doc.ends_with('.'), "{}", entry.name);
        }
    }

    #[test]
    fn only_commands_of_forms_edit_text() {
        for entry in COMMANDS.iter().filter(|entry| entry.command.input().is_some()) {
            assert!(entry.contexts.contains(&Context::Form), "{}", entry.name);
        }
    }
}
