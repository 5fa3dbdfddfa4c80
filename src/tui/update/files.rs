//! The list of files with the keyboard: the diff goes along, enter stays there, esc goes back.

use bstr::BStr;

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::model::{Help, Mode, Model, Pos, Tone};
use super::super::pick::PickKind;
use super::super::place;
use super::super::tree;
use super::{caret, motion, picking, sending};

/// Make the tree of the files that are shown.
pub(super) fn plant(model: &mut Model) {
    let shown = model.parts.iter().enumerate().skip(1).filter(|(_, part)| !part.is_hidden());
    let files: Vec<(usize, &BStr)> = shown.map(|(index, part)| (index, part.section.path())).collect();
    let rows = tree::rows(&files);
    model.tree = match model.review.passages {
        Some(_) => tree::with_headings(rows, |part| &model.parts[part].reading.outline),
        None => rows,
    };
    list(model);
}

/// Say which rows of the tree are shown.
fn list(model: &mut Model) {
    model.listed = tree::shown(&model.tree, &model.closed);
}

/// Open the folders around the file with the cursor, where somebody has gone to it by other ways than this list.
pub(super) fn follow(model: &mut Model) {
    let part = model.cursor.part;
    if model.revealed != part {
        reveal(model, part);
    }
}

/// Open the folders around the file of a part.
pub(super) fn reveal(model: &mut Model, part: usize) {
    model.revealed = part;
    if model.closed.is_empty() {
        return;
    }
    let Some(at) = model.tree.iter().position(|row| row.folder.is_none() && row.part == part) else { return };
    let around: Vec<usize> = tree::folders_around(&model.tree, at).collect();
    for folder in around {
        set_closed(model, folder, false);
    }
}

/// Close the folder at `at` of the tree, or open it.
fn set_closed(model: &mut Model, at: usize, is_closed: bool) {
    let Some(folder) = model.tree.get(at).and_then(|row| row.folder.clone()) else { return };
    if is_closed {
        model.closed.insert(folder);
    } else {
        model.closed.remove(&folder);
    }
    list(model);
    // What is under the cursor is shown by the folder.
    model.revealed = model.cursor.part;
}

/// Whether the entry at `at` of the tree is a folder that is closed.
fn is_closed(model: &Model, at: usize) -> bool {
    model.tree[at].folder.as_ref().is_some_and(|folder| model.closed.contains(folder))
}

/// Close the folder that the cursor is on or in; on a closed one, the folder around that.
fn close(model: &mut Model) {
    let Some(here) = place::listed_here(model) else { return };
    let is_open = model.tree[here].folder.is_some() && !is_closed(model, here);
    let around = tree::folders_around(&model.tree, here).next();
    match is_open.then_some(here).or(around) {
        Some(folder) => set_closed(model, folder, true),
        None => model.say(Tone::Info, "no folder is around this"),
    }
}

/// Open the closed folder under the cursor.
fn open(model: &mut Model) {
    match place::listed_here(model) {
        Some(here) if is_closed(model, here) => set_closed(model, here, false),
        Some(here) if model.tree[here].folder.is_some() => model.say(Tone::Info, "the folder is open"),
        _ => model.say(Tone::Info, "this is no folder"),
    }
}

/// Close the open folder under the cursor, or open the closed one; whether there is one.
fn toggle(model: &mut Model) -> bool {
    let found = place::listed_here(model).filter(|here| model.tree[*here].folder.is_some());
    found.map(|here| set_closed(model, here, !is_closed(model, here))).is_some()
}

/// Close all folders, or open them when all that are shown are closed.
fn toggle_all(model: &mut Model) {
    let folders = || model.tree.iter().filter_map(|row| row.folder.clone());
    let Some(here) = place::listed_here(model).filter(|_| folders().next().is_some()) else {
        return model.say(Tone::Info, "there are no folders");
    };
    let is_open = |at: &usize| model.tree[*at].folder.is_some() && !is_closed(model, *at);
    if model.listed.iter().any(is_open) {
        model.closed.extend(folders().collect::<Vec<_>>());
    } else {
        model.closed.clear();
        model.on_folder = model.tree[here].folder.clone().map(|folder| (folder, model.cursor));
    }
    list(model);
    model.revealed = model.cursor.part;
}

/// Go to an entry that the mouse has pressed; a folder is closed or opened.
pub(super) fn press(model: &mut Model, at: usize) {
    model.on_folder.take_if(|_| matches!(model.mode, Mode::Review));
    if model.tree[at].folder.is_some() {
        set_closed(model, at, !is_closed(model, at));
    } else {
        go_to(model, at);
    }
}

/// Take the keyboard from the list: the cursor of the diff says where the reader is.
fn leave(model: &mut Model) {
    (model.mode, model.on_folder) = (Mode::Review, None);
}

/// Give the list the keyboard.
pub(super) fn focus(model: &mut Model) {
    model.files = true;
    caret::give_up(model);
    model.mode = Mode::Files(model.standpoint());
    if model.cursor.part == 0 {
        // From the summary to the first file, past the folders around it.
        let first = model.listed.iter().filter(|at| model.tree[**at].folder.is_none() || is_closed(model, **at));
        let first = first.copied().find_map(|at| stop(model, at));
        first.into_iter().for_each(|pos| motion::jump_to(model, pos));
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
        Command::CloseFolder => close(model),
        Command::OpenFolder => open(model),
        Command::ToggleFolders => toggle_all(model),
        Command::OpenFile if toggle(model) => {}
        Command::OpenFile | Command::FocusFiles => leave(model),
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
            leave(model);
        }
        Command::Help => model.mode = Mode::Help(Help::default()),
        Command::Quit => sending::quit(model, effects),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {}
    }
}

/// Go to the entry `rows` entries further down, as far as there are some; the diff goes along to what begins there.
pub(super) fn go(model: &mut Model, rows: isize) {
    let here = place::listed_here(model);
    let entries: Vec<(usize, Pos)> =
        model.listed.iter().filter_map(|at| stop(model, *at).map(|pos| (*at, pos))).collect();
    let Some(last) = entries.len().checked_sub(1) else { return };
    let here = entries.partition_point(|(at, _)| Some(*at) <= here).saturating_sub(1);
    let (at, pos) = entries[here.saturating_add_signed(rows).min(last)];
    motion::jump_to(model, pos);
    model.on_folder = model.tree[at].folder.clone().map(|folder| (folder, model.cursor));
    model.revealed = model.cursor.part;
}

/// Where the cursor goes for an entry of the list. A file that is left out is listed and has no row to go to; a folder
/// stands for what is in it.
fn stop(model: &Model, at: usize) -> Option<Pos> {
    let entry = &model.tree[at];
    let has_rows = |part: &usize| !model.parts[*part].rows.is_empty();
    match &entry.folder {
        Some(_) => place::files_in(model, at).find(has_rows).map(|part| Pos { part, row: 0 }),
        None => has_rows(&entry.part).then(|| place::entry_pos(model, entry)),
    }
}

/// Go to where an entry of the list begins.
fn go_to(model: &mut Model, at: usize) {
    let entry = model.tree[at].clone();
    motion::go_to_file(model, entry.part);
    if entry.line.is_some() {
        motion::jump_to(model, place::entry_pos(model, &entry));
    }
}
