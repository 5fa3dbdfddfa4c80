//! The list of files with the keyboard: the diff goes along, enter stays there, esc goes back.

use bstr::BStr;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Mode, Model, Pos};
use super::super::pick::PickKind;
use super::super::place;
use super::super::tree::{self, TreeRow};
use super::{motion, picking, sending};

/// Make the tree of the files that are shown.
pub(super) fn plant(model: &mut Model) {
    let shown = model.parts.iter().enumerate().skip(1).filter(|(_, part)| !part.is_hidden());
    let files: Vec<(usize, &BStr)> = shown.map(|(index, part)| (index, part.section.path())).collect();
    let rows = tree::rows(&files);
    model.tree = match model.review.passages {
        Some(_) => tree::with_headings(rows, |part| &model.parts[part].reading.outline),
        None => rows,
    };
}

/// Give the list the keyboard.
pub(super) fn focus(model: &mut Model) {
    model.files = true;
    model.mode = Mode::Files(model.standpoint());
    if model.cursor.part == 0 {
        go(model, 0);
    }
}

/// A command while the list has the keyboard.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let page = model.layout.and_then(|layout| layout.files).map_or(1, |area| isize::try_from(area.height).unwrap_or(1));
    match command {
        Command::Down => go(model, 1),
        Command::Up => go(model, -1),
        Command::HalfPageDown => go(model, page / 2),
        Command::HalfPageUp => go(model, -page / 2),
        Command::PageDown => go(model, page - 1),
        Command::PageUp => go(model, 1 - page),
        Command::Top => go(model, isize::MIN),
        Command::Bottom => go(model, isize::MAX),
        Command::OpenFile | Command::FocusFiles => model.mode = Mode::Review,
        Command::ToggleFiles => {
            model.files = false;
            model.mode = Mode::Review;
        }
        Command::GoToFile => {
            model.mode = Mode::Review;
            picking::open(model, PickKind::Files, effects);
        }
        Command::Cancel => {
            if let Mode::Files(from) = model.mode {
                model.stand(from);
            }
            model.mode = Mode::Review;
        }
        Command::Help => model.mode = Mode::Help(0),
        Command::Quit => sending::quit(model, effects),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {}
    }
}

/// Go to the file or heading `rows` entries further down, as far as there are some.
pub(super) fn go(model: &mut Model, rows: isize) {
    // A file that is left out is listed, and has no row to go to.
    let has_rows = |entry: &&TreeRow| !entry.is_folder && !model.parts[entry.part].rows.is_empty();
    let entries: Vec<Pos> = model.tree.iter().filter(has_rows).map(|entry| place::entry_pos(model, entry)).collect();
    let Some(last) = entries.len().checked_sub(1) else { return };
    let here = entries.partition_point(|pos| *pos <= model.cursor).saturating_sub(1);
    let at = here.saturating_add_signed(rows).min(last);
    motion::jump_to(model, entries[at]);
}

/// Go to where an entry of the list begins.
pub(super) fn go_to(model: &mut Model, entry: &TreeRow) {
    motion::go_to_file(model, entry.part);
    if entry.line.is_some() {
        motion::jump_to(model, place::entry_pos(model, entry));
    }
}
