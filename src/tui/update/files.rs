//! The list of files with the keyboard: the diff goes along, enter stays there, esc goes back.

use bstr::BStr;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Mode, Model, Pos};
use super::super::pick::PickKind;
use super::super::tree;
use super::{motion, picking, sending};

/// Make the tree of the files that are shown.
pub(super) fn plant(model: &mut Model) {
    let shown = model.parts.iter().enumerate().skip(1).filter(|(_, part)| !part.is_hidden());
    let files: Vec<(usize, &BStr)> = shown.map(|(index, part)| (index, part.section.path())).collect();
    model.tree = tree::rows(&files);
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
        Command::Quit => sending::quit(model, effects),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {}
    }
}

/// Go to the file `rows` files further down, as far as there are some.
pub(super) fn go(model: &mut Model, rows: isize) {
    // A file that is left out is listed, and has no row to go to.
    let has_rows = |part: &usize| !model.parts[*part].rows.is_empty();
    let listed = model.tree.iter().filter(|row| !row.is_folder).map(|row| row.part);
    let files: Vec<usize> = listed.filter(has_rows).collect();
    let Some(last) = files.len().checked_sub(1) else { return };
    let here = files.partition_point(|part| *part < model.cursor.part);
    let at = here.saturating_add_signed(rows).min(last);
    motion::jump_to(model, Pos { part: files[at], row: 0 });
}
