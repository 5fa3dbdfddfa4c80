//! What is put on the clipboard: the lines that are selected, or where the cursor is.

use unicode_segmentation::UnicodeSegmentation as _;

use super::super::effect::Effect;
use super::super::model::{Clipboard, Model, Tone};
use super::super::part::Part;
use super::super::rows::Row;
use crate::text::counted::counted;

/// Terminals take about so many bytes at once.
const MOST: usize = 70_000;
const TOO_MUCH: &str = "that is more than terminals take at once: select less";

pub(super) fn copy(model: &mut Model, effects: &mut Vec<Effect>) {
    let (text, what) = if let Some(text) = chosen(model) {
        if text.len() > MOST {
            return model.say(Tone::Problem, TOO_MUCH);
        }
        let what = counted(text.graphemes(true).count(), "character");
        (text, what)
    } else if model.anchor.is_some() {
        match selected(model) {
            Ok(lines) => {
                let what = counted(lines.len(), "line");
                (lines.concat(), what)
            }
            Err(reason) => return model.say(Tone::Problem, reason),
        }
    } else {
        match model.location() {
            Some(place) => (place.clone(), place),
            None => return model.say(Tone::Problem, "there is no file here"),
        }
    };
    let (tone, way) = match model.clipboard {
        Clipboard::Terminal => (Tone::Info, "to the terminal's clipboard"),
        Clipboard::Tmux => (Tone::Info, "to tmux, which passes it on where `set -g set-clipboard on` is set"),
        Clipboard::Nowhere => {
            return model.say(Tone::Problem, "nothing was copied: this terminal has no clipboard, says TERM");
        }
        Clipboard::Screen => (Tone::Problem, "to screen, which passes it on to no clipboard"),
    };
    model.say(tone, format!("sent {what} {way}"));
    effects.push(Effect::Copy(text));
}

/// The text of a row: where the sides stand next to each other, that of the cursor's side.
fn text<'a>(model: &Model, part: &'a Part, row: Row) -> Option<&'a [u8]> {
    if let Row::Around { .. } = row {
        return part.texts(row)[0];
    }
    let (old, new) = part.sides(row);
    let line = if model.is_split() { if model.on_old { old } else { new } } else { row.lines().next() };
    line.map(|(hunk, line)| part.section.line_text(part.line(hunk, line).1))
}

/// What is selected by characters, line by line, if it is.
fn chosen(model: &Model) -> Option<String> {
    let [(first, _), (last, _)] = model.chosen()?;
    let rows = model.rows_from(first).take_while(|(pos, _)| *pos <= last);
    let texts = rows.filter_map(|(pos, _)| model.text_at(pos)?.get(model.chosen_at(pos)?));
    Some(texts.collect::<Vec<_>>().join("\n"))
}

/// The text of the selected lines, each ended.
fn selected(model: &Model) -> Result<Vec<String>, &'static str> {
    let (first, last) = model.selected();
    let mut lines = Vec::new();
    let mut bytes = 0;
    for (pos, row) in model.rows_from(first).take_while(|(pos, _)| *pos <= last) {
        let Some(text) = text(model, &model.parts[pos.part], row) else { continue };
        bytes += text.len() + 1;
        if bytes > MOST {
            return Err(TOO_MUCH);
        }
        lines.push(String::from_utf8_lossy(text).into_owned() + "\n");
    }
    if lines.is_empty() { Err("no line is selected") } else { Ok(lines) }
}
