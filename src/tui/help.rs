//! The key table as rows, made from the table of commands. Pure; the view draws it.

use super::command::{COMMANDS, Command, Context, Entry};
use super::keymap::Keymap;
use super::layout::{Rect, Size, popup_width};
use super::model::Model;
use super::pick::{self, Choice};
use crate::text::width::Display;

/// A row of the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HelpRow {
    /// A heading.
    Title(&'static str),
    /// The keys of a command, and what it does.
    Command {
        /// Where it applies, and which one it is: where that table lists it.
        place: Option<(Context, Command)>,
        /// Its keys.
        keys: String,
        /// What it does.
        doc: String,
    },
    /// What a sign means.
    Text(String),
    /// What is wrong with the reader's own settings.
    Problem(String),
    /// An empty row.
    Gap,
}

const LEGEND: &[&str] = &[
    "┃ explained, said to pass        │ explained, nothing verified",
    "╳ explained, a claim fails       ╎ explained by inference only",
    "▏ added and not explained        … its note is a stub, still to be written",
    "▪ a Markback note, or a comment for the agent",
    "○ added and run by no test, as the report of --lcov says   ● staged already",
    "2 several notes on one line      › the line goes on: {right} scrolls",
    "✓ claimed: its claims say so     ✓ verified: what they name was run here and passed",
    "✗ fail  ? unknown  – skipped  ∅ no claim  … stub",
    "⚑ todos, questions and claims that are open",
    "⌛ stale: the file, or what a note quotes, is no longer what the review shows",
    "¶2 in the list of files: it has two notes",
    "src evidence     inf inference: made up from context",
    "explained: added lines with a note, ▒ with a stub alone; claimed: with a claim of pass",
    "A number before a command repeats it: 5{down}",
    "The mouse: the wheel scrolls, a click goes there, dragging selects characters or lines;",
    "with shift held most terminals select text instead",
];

/// What a newcomer does first, in this order: with a diff, and with documents.
const FIRST: &[(Context, Command)] = &[
    (Context::Review, Command::NextUncovered),
    (Context::Review, Command::Note),
    (Context::Form, Command::Save),
    (Context::Review, Command::NextNote),
    (Context::Review, Command::Quit),
];
const FIRST_IN_DOCUMENTS: &[(Context, Command)] = &[
    (Context::Review, Command::Comment),
    (Context::Review, Command::Markback),
    (Context::Form, Command::Save),
    (Context::Review, Command::Send),
    (Context::Review, Command::Quit),
];

/// The rows of the help on the review of a diff, or of documents.
#[must_use]
pub fn rows(keymap: &Keymap, is_of_documents: bool) -> Vec<HelpRow> {
    let mut rows = vec![HelpRow::Title("To begin")];
    let first = if is_of_documents { FIRST_IN_DOCUMENTS } else { FIRST };
    rows.extend(first.iter().filter_map(|(context, command)| {
        let keys = keymap.keys_of(*context, *command);
        let doc = command.entry().doc.to_owned();
        (!keys.is_empty()).then(|| HelpRow::Command { place: None, keys: keys.join(" "), doc })
    }));
    rows.push(HelpRow::Gap);
    add_commands(&mut rows, keymap, Context::Review);
    rows.push(HelpRow::Gap);
    add_commands(&mut rows, keymap, Context::Text);
    rows.push(HelpRow::Gap);
    rows.push(HelpRow::Title("Signs"));
    let key = |command: Command| keymap.key_of(Context::Review, command).unwrap_or_default();
    let [right, down] = [Command::ScrollRight, Command::Down].map(key);
    rows.extend(LEGEND.iter().map(|line| HelpRow::Text(line.replace("{right}", &right).replace("{down}", &down))));
    rows.push(HelpRow::Gap);
    add_commands(&mut rows, keymap, Context::Files);
    rows.push(HelpRow::Gap);
    add_commands(&mut rows, keymap, Context::Form);
    rows
}

/// The rows of the help on the screen of the reviewer: first what is wrong with what they have set up.
#[must_use]
pub fn rows_of(model: &Model) -> Vec<HelpRow> {
    let mut rows = Vec::new();
    if !model.problems.is_empty() {
        rows.push(HelpRow::Title("Left out of your own settings"));
        rows.extend(model.problems.iter().map(|problem| HelpRow::Problem(model.display.visible(problem))));
        rows.push(HelpRow::Gap);
    }
    rows.extend(self::rows(&model.keymap, model.review.passages.is_some()));
    let columns = usize::from(area(model.size, 0).width).saturating_sub(4);
    rows.into_iter().flat_map(|row| wrapped(model.display, row, columns)).collect()
}

/// `row` in as many rows as it takes on so many columns.
fn wrapped(display: Display, row: HelpRow, columns: usize) -> Vec<HelpRow> {
    let lines = |text: &str, columns: usize| -> Vec<String> {
        display.wrap(text, columns.max(1)).into_iter().map(|line| text[line].trim_end().to_owned()).collect()
    };
    match row {
        HelpRow::Command { place, keys, doc } => {
            let (below, room) = match key_columns(columns) {
                Some(taken) => (0, columns.saturating_sub(taken + 1)),
                None => (1, columns.saturating_sub(INDENT.len())),
            };
            let mut doc = vec![String::new(); below].into_iter().chain(lines(&doc, room));
            let row = |keys: String, doc: String| HelpRow::Command { place, keys, doc };
            let first = row(keys, doc.next().unwrap_or_default());
            std::iter::once(first).chain(doc.map(|doc| row(String::new(), doc))).collect()
        }
        HelpRow::Text(text) => lines(&text, columns).into_iter().map(HelpRow::Text).collect(),
        HelpRow::Problem(text) => lines(&text, columns).into_iter().map(HelpRow::Problem).collect(),
        HelpRow::Title(_) | HelpRow::Gap => vec![row],
    }
}

/// What stands in front of what a command does where that stands below its keys.
pub const INDENT: &str = "    ";
/// The columns of the keys.
const KEYS: usize = 28;

/// How many of `columns` the keys have; `None`: what a command does stands below them.
#[must_use]
pub fn key_columns(columns: usize) -> Option<usize> {
    (columns >= 2 * KEYS).then_some(KEYS)
}

fn add_commands(rows: &mut Vec<HelpRow>, keymap: &Keymap, context: Context) {
    rows.push(HelpRow::Title(title(context)));
    rows.extend(commands(keymap, context).map(|(entry, keys)| HelpRow::Command {
        place: Some((context, entry.command)),
        keys,
        doc: entry.doc.to_owned(),
    }));
}

/// What a place is called.
fn title(context: Context) -> &'static str {
    match context {
        Context::Review => "Review",
        Context::Text => "In the text of a line",
        Context::Files => "List of files",
        Context::Form => "Writing",
        Context::Popup => "Lists and questions",
    }
}

/// The commands of a place that can be reached there, each with its keys.
fn commands(keymap: &Keymap, context: Context) -> impl Iterator<Item = (&'static Entry, String)> + '_ {
    let entries = COMMANDS.iter().filter(move |entry| entry.contexts.contains(&context));
    entries.filter_map(move |entry| {
        let keys = keymap.keys_of(context, entry.command);
        match keys.is_empty() {
            // The palette knows it nevertheless.
            true => (context == Context::Review).then(|| (entry, format!(":{}", entry.name))),
            false => Some((entry, keys.join(" "))),
        }
    })
}

/// Every command that the help lists, to find one of them.
pub fn entries(keymap: &Keymap) -> impl Iterator<Item = pick::Entry> + '_ {
    let contexts = [Context::Review, Context::Text, Context::Files, Context::Form];
    contexts.into_iter().flat_map(|context| {
        let place = if context == Context::Review { String::new() } else { format!("{}: ", title(context)) };
        commands(keymap, context).map(move |(entry, keys)| pick::Entry {
            name: entry.name.to_owned(),
            detail: format!("{place}{}", entry.doc),
            aside: keys,
            choice: Choice::Key(context, entry.command),
        })
    })
}

/// Where help of so many rows stands on a screen, borders included.
#[must_use]
pub fn area(screen: Size, rows: usize) -> Rect {
    let wanted = u16::try_from(rows.saturating_add(2)).unwrap_or(u16::MAX);
    let (width, height) = (popup_width(screen, 84), screen.height.saturating_sub(2).min(wanted));
    Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height)
}

/// How many rows are above the screen when a command is shown, with what stands above it.
#[must_use]
pub fn scrolled_to(model: &Model, command: (Context, Command)) -> u16 {
    let is_it = |row: &HelpRow| matches!(row, HelpRow::Command { place: Some(place), .. } if *place == command);
    let at = rows_of(model).iter().position(is_it).unwrap_or(0);
    let above = area(model.size, usize::MAX).height / 3;
    u16::try_from(at).unwrap_or(u16::MAX).saturating_sub(above).min(end(model))
}

/// How many rows are above the screen when the last one is at its bottom.
#[must_use]
pub fn end(model: &Model) -> u16 {
    let rows = rows_of(model).len();
    u16::try_from(rows).unwrap_or(u16::MAX).saturating_sub(area(model.size, rows).height.saturating_sub(2))
}
