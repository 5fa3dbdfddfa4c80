//! The line at the bottom: what has the keyboard, where the cursor is, a message, and the keys that help most.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::command::{Command, Context};
use super::super::key::write_sequence;
use super::super::model::{Mode, Model, Question, Tone};
use super::super::theme::Role;
use super::canvas::Canvas;

/// The commands a newcomer needs first, with the word the footer has for each.
const HINTS: [(Command, &str); 6] = [
    (Command::NextUncovered, "unexplained"),
    (Command::Note, "note"),
    (Command::NextNote, "next note"),
    (Command::Select, "select"),
    (Command::Help, "help"),
    (Command::Quit, "quit"),
];

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let style = canvas.style(Role::Header);
    canvas.fill(area, style);
    let over = |texts: Vec<(Style, String)>| -> Vec<(Style, String)> {
        texts.into_iter().map(|(own, text)| (style.patch(own), text)).collect()
    };
    let left = over(left(model, canvas));
    let right = over(right(model, canvas));
    let taken = canvas.width(&left);
    let wanted = canvas.width(&right);
    let end = canvas.put(area.x, area.y, area.width, &left);
    if taken + wanted + 2 <= area.width {
        canvas.put(area.right() - wanted - 1, area.y, wanted, &right);
    } else if end + 2 < area.right() {
        canvas.put(end + 2, area.y, area.right() - end - 3, &right);
    }
}

fn left(model: &Model, canvas: &Canvas<'_>) -> Vec<(Style, String)> {
    if let Mode::Confirm(Question::Discard) = model.mode {
        let text = " Throw away what you typed? y throws it away, any other key goes back to it ";
        return vec![(canvas.style(Role::Warning), text.to_owned())];
    }
    let word = match (&model.mode, model.anchor) {
        (Mode::Form, _) => " WRITE ",
        (Mode::Help(_), _) => " HELP ",
        (_, Some(_)) => " SELECT ",
        _ => " REVIEW ",
    };
    let mut texts = vec![(canvas.style(Role::Key), word.to_owned())];
    if let Some((tone, text)) = &model.message {
        let role = if *tone == Tone::Problem { Role::Warning } else { Role::Text };
        texts.push((canvas.style(role), format!(" {}", model.display.visible(text))));
        return texts;
    }
    if let Some(place) = model.location() {
        texts.push((canvas.style(Role::Text), format!(" {place}")));
    }
    let pending: String = model.count.map(|count| count.to_string()).unwrap_or_default() + &write_sequence(&model.keys);
    if !pending.is_empty() {
        texts.push((canvas.style(Role::Key), format!("  {pending}")));
    }
    texts
}

fn right(model: &Model, canvas: &Canvas<'_>) -> Vec<(Style, String)> {
    let mut texts = Vec::new();
    let mut hint = |keys: Option<String>, word: &str| {
        if let Some(keys) = keys {
            texts.push((canvas.style(Role::Key), keys));
            texts.push((canvas.style(Role::Dim), format!(" {word}  ")));
        }
    };
    let key = |context, command| model.keymap.keys_of(context, command).into_iter().next();
    match model.mode {
        Mode::Form => {
            let commands = [
                (Command::Save, "save"),
                (Command::NextField, "next field"),
                (Command::Newline, "new line"),
                (Command::Cancel, "close"),
            ];
            let form_key = |command| {
                model
                    .keymap
                    .keys_of(Context::Form, command)
                    .into_iter()
                    .min_by_key(|keys| (keys.starts_with("ctrl"), keys.len()))
            };
            commands.into_iter().for_each(|(command, word)| hint(form_key(command), word));
        }
        Mode::Review => {
            if model.message.is_none() && model.pending == 0 {
                let rest = model.uncovered();
                if rest > 0 {
                    hint(Some(rest.to_string()), "lines unexplained");
                }
            }
            HINTS.into_iter().for_each(|(command, word)| hint(key(Context::Review, command), word));
        }
        Mode::Help(_) => hint(Some("esc".to_owned()), "back"),
        Mode::Confirm(_) => {}
    }
    texts
}
