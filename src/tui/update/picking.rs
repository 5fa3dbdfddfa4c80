//! The list above the rest: finding an entry, showing what it would do, choosing it.

use crate::document::{Document, Selector, Side, named_lines};

use super::super::command::{COMMANDS, Command, Context};
use super::super::effect::Effect;
use super::super::evidence::{self, Odd, OddLines};
use super::super::help;
use super::super::input::MouseAction;
use super::super::key::Key;
use super::super::model::{Help, Mode, Model, Pos, Tone};
use super::super::pick::{Choice, Entry, Pick, PickKind};
use super::super::place::{pick_at, pick_page};
use super::super::text_input::Input;
use super::{caret, filtering, looking, motion, run as run_command, settle};

/// Open a list.
pub(super) fn open(model: &mut Model, kind: PickKind, effects: &mut Vec<Effect>) {
    let entries = entries(model, kind, "");
    let title = match kind {
        PickKind::Commands => "Commands",
        PickKind::Filters => "Show only notes that are",
        PickKind::Evidence => "What the review rests on, and what wants a look",
        PickKind::Files => "Files",
        PickKind::Themes => "Themes",
        PickKind::Keys => "Find a key",
    };
    if matches!(kind, PickKind::Filters | PickKind::Files | PickKind::Evidence) {
        caret::give_up(model);
    }
    let from = model.standpoint();
    let mut pick = Pick::new(kind, title.to_owned(), entries, from, model.display);
    match kind {
        PickKind::Evidence => pick.facts = evidence::rows(model),
        PickKind::Files => pick.begin_with(Choice::File(from.cursor.part)),
        PickKind::Themes => {
            let at = model.themes.iter().position(|name| *name == model.theme);
            at.into_iter().for_each(|at| pick.begin_with(Choice::Theme(at)));
        }
        PickKind::Commands | PickKind::Filters | PickKind::Keys => {}
    }
    model.pick = Some(pick);
    model.mode = Mode::Pick;
    preview(model, effects);
}

/// Have the odd lines looked for of the review that the open list is about, where that is not done.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let is_wanted = |pick: &&mut Pick| pick.kind == PickKind::Evidence;
    let lists_odd = evidence::lists_odd(model);
    let Some(pick) = model.pick.as_mut().filter(is_wanted).filter(|_| lists_odd) else { return };
    let document = &model.review.document;
    if pick.odd.as_ref().is_none_or(|odd| !odd.is_of(document)) {
        pick.odd = Some(OddLines { document: document.clone(), found: None });
        effects.push(Effect::FindOdd(document.clone()));
        fit(model);
    }
}

/// They are found. Those of a review that is another one by now are looked for again.
pub(super) fn found_odd(
    model: &mut Model,
    document: &Document,
    found: Result<Vec<Odd>, String>,
    effects: &mut Vec<Effect>,
) {
    let found = found.unwrap_or_else(|reason| {
        model.say(Tone::Problem, reason);
        Vec::new()
    });
    let odd = model.pick.as_mut().and_then(|pick| pick.odd.as_mut());
    if let Some(odd) = odd.filter(|odd| odd.is_of(document)) {
        odd.found = Some(found);
        renew(model);
        preview(model, effects);
    }
}

/// Open the list of themes, where there are colours to choose from.
pub(super) fn open_themes(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.themes.is_empty() {
        return model.say(Tone::Problem, "this terminal shows no colours, or is told to show none");
    }
    // Where there are more colours, more than one come with the program.
    if model.themes.len() == 1 {
        return model.say(Tone::Problem, "16 colours: the terminal's own, in which all themes look the same");
    }
    model.kept_theme.clone_from(&model.theme);
    open(model, PickKind::Themes, effects);
}

/// What there is to choose from when `typed` is typed.
fn entries(model: &Model, kind: PickKind, typed: &str) -> Vec<Entry> {
    match kind {
        PickKind::Commands => line_entry(model, typed).into_iter().chain(commands(model)).collect(),
        PickKind::Filters => filtering::entries(model),
        PickKind::Evidence => evidence::entries(model),
        PickKind::Files => files(model).collect(),
        PickKind::Themes => themes(model).collect(),
        PickKind::Keys => help::entries(&model.keymap).collect(),
    }
}

/// The changed files, with how much of each is explained.
fn files(model: &Model) -> impl Iterator<Item = Entry> + '_ {
    let parts = model.parts.iter().enumerate().filter(|(_, part)| !part.rows.is_empty());
    parts.filter_map(|(index, part)| {
        let file = part.section.tree().file.as_ref()?;
        let stats = &part.reading.stats;
        Some(Entry {
            name: model.shown(&file.path),
            detail: file.status.as_str().to_owned(),
            aside: format!("+{} −{}  {}/{}", stats.added, stats.removed, stats.covered, stats.added),
            choice: Choice::File(index),
        })
    })
}

fn themes(model: &Model) -> impl Iterator<Item = Entry> + '_ {
    model.themes.iter().enumerate().map(|(at, name)| Entry {
        name: name.clone(),
        detail: String::new(),
        aside: if *name == model.kept_theme { "as it was".to_owned() } else { String::new() },
        choice: Choice::Theme(at),
    })
}

fn commands(model: &Model) -> impl Iterator<Item = Entry> + '_ {
    let here = |entry: &&super::super::command::Entry| entry.contexts.contains(&Context::Review);
    let others = COMMANDS.iter().filter(here).filter(|entry| entry.command != Command::Palette);
    others.map(|entry| Entry {
        name: entry.name.to_owned(),
        detail: entry.doc.to_owned(),
        aside: model.keymap.keys_of(Context::Review, entry.command).join(" "),
        choice: Choice::Command(entry.command),
    })
}

/// A number is a line of the file in sight.
fn line_entry(model: &Model, typed: &str) -> Option<Entry> {
    let line = typed.trim().parse().ok()?;
    let from = model.pick.as_ref().map_or(model.cursor, |pick| pick.from.cursor);
    let file = model.parts[file_in_sight(model, from.part)?].section.tree().file.as_ref()?;
    Some(Entry {
        name: typed.trim().to_owned(),
        detail: format!("go to this line of {}", model.shown(&file.path)),
        aside: String::new(),
        choice: Choice::Line(line),
    })
}

/// The part about a file that is there, below, or else above.
fn file_in_sight(model: &Model, part: usize) -> Option<usize> {
    let is_file = |part: &usize| {
        let part = &model.parts[*part];
        part.section.tree().file.is_some() && !part.rows.is_empty()
    };
    (part..model.parts.len()).chain((0..part).rev()).find(is_file)
}

/// A command while a list is open.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    let page = isize::try_from(pick_page(model)).unwrap_or(1).max(1);
    match command {
        Command::Save | Command::Newline => accept(model, effects),
        Command::Cancel => cancel(model, effects),
        Command::CursorDown | Command::NextField => step(model, 1, effects),
        Command::CursorUp | Command::PrevField => step(model, -1, effects),
        Command::PageDown => step(model, page, effects),
        Command::PageUp => step(model, -page, effects),
        Command::Top => step(model, isize::MIN, effects),
        Command::Bottom => step(model, isize::MAX, effects),
        Command::Redraw => effects.push(Effect::Redraw),
        _ => {
            if let Some(input) = command.input() {
                edit(model, input, effects);
            }
        }
    }
}

/// A key that is text.
pub(super) fn type_key(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    if let Some(char) = key.text() {
        edit(model, Input::Insert(char.to_string()), effects);
    }
}

/// Pasted text; never keys.
pub(super) fn paste(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    edit(model, Input::Insert(text.trim().replace(['\r', '\n'], " ")), effects);
}

/// The mouse: the wheel goes through the entries, a click chooses one, a click elsewhere goes back.
pub(super) fn mouse(model: &mut Model, action: MouseAction, (column, row): (u16, u16), effects: &mut Vec<Effect>) {
    match action {
        MouseAction::ScrollUp => step(model, -1, effects),
        MouseAction::ScrollDown => step(model, 1, effects),
        MouseAction::Press => match pick_at(model, column, row) {
            Some(Some(at)) => {
                model.pick.iter_mut().for_each(|pick| pick.choose(at));
                accept(model, effects);
            }
            Some(None) => {}
            None => cancel(model, effects),
        },
        _ => {}
    }
}

/// The review is another one: what can be chosen may be, too.
pub(super) fn renew(model: &mut Model) {
    let Some((kind, typed)) = model.pick.as_ref().map(|pick| (pick.kind, pick.filter().text().to_owned())) else {
        return;
    };
    let entries = entries(model, kind, &typed);
    if let Some(pick) = &mut model.pick {
        pick.replace(entries);
    }
    fit(model);
}

/// What stands above the entries, for the screen as it is.
pub(super) fn fit(model: &mut Model) {
    if model.pick.as_ref().is_some_and(|pick| pick.kind == PickKind::Evidence) {
        let facts = evidence::rows(model);
        if let Some(pick) = &mut model.pick {
            pick.facts = facts;
        }
    }
}

fn edit(model: &mut Model, input: Input, effects: &mut Vec<Effect>) {
    let Some(pick) = &mut model.pick else { return };
    pick.edit(input);
    if pick.kind == PickKind::Commands {
        renew(model);
    }
    preview(model, effects);
}

fn step(model: &mut Model, rows: isize, effects: &mut Vec<Effect>) {
    if let Some(pick) = &mut model.pick {
        pick.step(rows);
        preview(model, effects);
    }
}

/// Show what choosing the entry would lead to.
fn preview(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(pick) = &model.pick else { return };
    if pick.kind == PickKind::Filters {
        return;
    }
    let (from, choice) = (pick.from, pick.chosen().map(|entry| entry.choice));
    model.stand(from);
    match choice {
        Some(Choice::Line(line)) => go_to_line(model, line),
        Some(Choice::File(part)) => motion::go_to_file(model, part),
        Some(Choice::Card(focus)) => motion::open(model, focus),
        Some(Choice::Theme(at)) => settle::use_theme(model, model.themes[at].clone(), effects),
        Some(Choice::Command(_) | Choice::Facet(_) | Choice::Key(..)) | None => {}
    }
}

fn accept(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(pick) = &model.pick else { return };
    let Some(choice) = pick.chosen().map(|entry| entry.choice) else {
        let is_line = pick.kind == PickKind::Commands && pick.filter().text().trim().parse::<u64>().is_ok();
        let said = if is_line { "there is no file here that has lines" } else { "nothing fits what is typed" };
        return model.say(Tone::Problem, said);
    };
    if let Choice::Facet(facet) = choice {
        // The list stays: several may be wanted.
        filtering::toggle(model, facet);
        model.pick.iter_mut().for_each(|pick| pick.choose(pick.at()));
        return renew(model);
    }
    preview(model, effects);
    model.pick = None;
    model.mode = Mode::Review;
    match choice {
        Choice::Theme(_) => {
            model.by_background = None;
            effects.push(Effect::KeepTheme(model.theme.clone()));
        }
        Choice::Command(command) => run_command(model, command, None, effects),
        Choice::Key(context, command) => {
            let found = (context, command);
            model.mode = Mode::Help(Help { scrolled: help::scrolled_to(model, found), found: Some(found) });
        }
        Choice::Line(_) | Choice::File(_) | Choice::Card(_) | Choice::Facet(_) => {}
    }
}

fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    model.mode = Mode::Review;
    let Some(pick) = model.pick.take() else { return };
    if pick.kind == PickKind::Filters {
        // What is shown may be other rows by now.
        filtering::go_to_first(model);
    } else {
        model.stand(pick.from);
        match pick.kind {
            PickKind::Themes => settle::use_theme(model, model.kept_theme.clone(), effects),
            PickKind::Keys => model.mode = Mode::Help(Help::default()),
            _ => {}
        }
    }
}

/// Go to a line of the new side of the file in sight, or to the nearest one above it that the diff shows.
fn go_to_line(model: &mut Model, line: u64) {
    let Some(part) = file_in_sight(model, model.cursor.part) else { return };
    let tree = model.parts[part].section.tree();
    let named = named_lines(tree, Selector { side: Side::New, start: line, end: line }).map(|(first, _)| first);
    let above = || {
        let hunks = tree.hunks.iter().take_while(|hunk| hunk.first_new <= line);
        hunks.last().and_then(|hunk| hunk.lines.end.checked_sub(1).filter(|last| *last >= hunk.lines.start))
    };
    let nearest = named.or_else(above);
    looking::open(model, part);
    let found = nearest.and_then(|line| model.parts[part].rows.row_of_line(line));
    motion::place(model, Pos { part, row: found.unwrap_or(0) });
    motion::show_below(model);
    if named.is_none() {
        model.say(Tone::Info, format!("the diff does not show line {line}"));
    }
}
