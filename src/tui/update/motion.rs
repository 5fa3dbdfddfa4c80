//! Moving the cursor: by rows, pages, hunks, files and notes.

use super::super::command::Command;
use super::super::model::{Focus, Model, Pos, Tone};
use super::super::part::Annotation;
use super::super::place::entry_pos;
use super::super::rows::Row;
use super::super::walk::ScreenPos;
use super::lacking::{Lack, jump_to_lacking};
use super::{caret, files, looking};

/// Where a list or a text above the review, `page` rows of which are shown, stands after `command`, that stands at `at` of
/// `last`; `None` for a command that does not scroll.
pub(super) fn scrolled(command: Command, at: usize, last: usize, page: usize) -> Option<usize> {
    let (half, page) = ((page / 2).max(1), page.saturating_sub(1).max(1));
    let to = match command {
        Command::Down => at + 1,
        Command::Up => at.saturating_sub(1),
        Command::HalfPageDown => at + half,
        Command::HalfPageUp => at.saturating_sub(half),
        Command::PageDown => at + page,
        Command::PageUp => at.saturating_sub(page),
        Command::Top => 0,
        Command::Bottom => last,
        _ => return None,
    };
    Some(to.min(last))
}

/// Run a command that moves.
pub(super) fn run(model: &mut Model, command: Command, count: Option<u32>) {
    let times = i64::from(count.unwrap_or(1));
    let page = model.layout.map_or(1, |layout| i64::from(layout.diff.height));
    match command {
        Command::Down => go(model, times),
        Command::Up => go(model, -times),
        Command::HalfPageDown => scroll_by(model, times * (page / 2).max(1)),
        Command::HalfPageUp => scroll_by(model, -times * (page / 2).max(1)),
        Command::PageDown => scroll_by(model, times * (page - 1).max(1)),
        Command::PageUp => scroll_by(model, -times * (page - 1).max(1)),
        Command::Top => place(model, Pos::default()),
        Command::Bottom => place(model, model.last()),
        Command::ScrollRight | Command::ScrollLeft => sideways(model, command, 8 * usize::try_from(times).unwrap_or(1)),
        _ => {
            for _ in 0..times {
                let before = (model.cursor, model.focus);
                step(model, command);
                if (model.cursor, model.focus) == before {
                    break;
                }
            }
        }
    }
}

/// One step of a command that looks for something.
fn step(model: &mut Model, command: Command) {
    match command {
        Command::NextHunk if model.review.passages.is_some() => {
            jump(model, heading(model, true), "this is the last heading");
        }
        Command::PrevHunk if model.review.passages.is_some() => {
            jump(model, heading(model, false), "this is the first heading");
        }
        Command::NextHunk => jump(model, next_hunk(model), "this is the last hunk"),
        Command::PrevHunk => jump(model, previous_hunk(model), "this is the first hunk"),
        Command::NextFile => jump(model, next_file(model), "this is the last file"),
        Command::PrevFile => jump(model, previous_file(model), "this is the first file"),
        Command::NextNote => jump_to_note(model, true),
        Command::PrevNote => jump_to_note(model, false),
        Command::NextUncovered => jump_to_lacking(model, Lack::Note, true),
        Command::PrevUncovered => jump_to_lacking(model, Lack::Note, false),
        Command::NextUntested => jump_to_lacking(model, Lack::Test, true),
        Command::PrevUntested => jump_to_lacking(model, Lack::Test, false),
        _ => {}
    }
}

/// Scroll long lines by `columns`. Where the sides stand next to each other, the cursor goes to the side that is meant
/// first; wrapped lines are not scrolled.
fn sideways(model: &mut Model, command: Command, columns: usize) {
    let to_old = command == Command::ScrollLeft;
    let is_scrolled = to_old && model.left > 0 && !model.wrap;
    if model.is_split() && model.on_old != to_old && !is_scrolled {
        model.on_old = to_old;
        let side = if to_old { "old" } else { "new" };
        if model.row(model.cursor).is_some_and(|row| !model.has_side(row, to_old)) {
            model.say(Tone::Info, format!("this line has no {side} side; the cursor is there where lines have one"));
        }
    } else if model.wrap {
        // Nothing is scrolled where lines are wrapped.
        caret::enter(model);
    } else if to_old && model.left == 0 {
        model.say(Tone::Info, "lines are shown from their start");
    } else if to_old {
        model.left = model.left.saturating_sub(columns);
    } else if !further_right(model, columns) {
        model.say(Tone::Info, "the longest line on the screen ends here");
    }
}

/// Scroll long lines by `columns` to their ends, as far as there is something to be seen; whether there was.
pub(super) fn further_right(model: &mut Model, columns: usize) -> bool {
    let most = model.most_left();
    let is_further = model.left < most;
    if is_further {
        model.left = model.left.saturating_add(columns).min(most);
    }
    is_further
}

/// Move the cursor by `rows` rows on which it may stand. A line that is taller than the screen is read to its end before
/// the cursor leaves it.
pub(super) fn go(model: &mut Model, rows: i64) {
    if rows.abs() == 1 && read_on(model, rows) {
        return;
    }
    let mut left = rows.unsigned_abs();
    let mut pos = model.cursor;
    let mut landed = pos;
    while left > 0 {
        let Some(next) = (if rows < 0 { model.previous(pos) } else { model.next(pos) }) else { break };
        pos = next;
        if model.row(pos).is_some_and(Row::is_stop) {
            landed = pos;
            left -= 1;
        }
    }
    place(model, landed);
}

/// Scroll by one row of the screen, when the line with the cursor goes on beyond the screen in that direction, and when
/// all of the screen is this line. Whether it was so.
fn read_on(model: &mut Model, rows: i64) -> bool {
    let height = model.layout.map_or(1, |layout| usize::from(layout.diff.height));
    if !model.wrap || model.height(model.cursor, height + 1) <= height {
        return false;
    }
    let last = model.scrolled(model.top, i64::try_from(height - 1).unwrap_or(0));
    let has_more = if rows > 0 {
        last.pos == model.cursor && last != model.end_of(model.cursor)
    } else {
        model.top.pos == model.cursor && model.top.nth > 0
    };
    if has_more {
        model.top = model.scrolled(model.top, rows);
    }
    has_more
}

/// Move the view by `rows` rows of the screen, and not further down than needed to see the end.
pub(super) fn scroll_view(model: &mut Model, rows: i64) {
    let height = model.layout.map_or(1, |layout| i64::from(layout.diff.height));
    let top = model.scrolled(model.top, rows);
    let bottom_most = model.scrolled(model.end(), 1 - height);
    model.top = if rows > 0 { top.min(bottom_most.max(model.top)) } else { top };
}

/// Move the view and the cursor together.
pub(super) fn scroll_by(model: &mut Model, rows: i64) {
    let from = if model.top.pos == model.cursor { model.top } else { ScreenPos::from(model.cursor) };
    let cursor = model.scrolled(from, rows).pos;
    scroll_view(model, rows);
    place_towards(model, cursor, rows > 0);
}

/// Put the cursor at `pos`, or on the nearest row on which it may stand.
pub(super) fn place(model: &mut Model, pos: Pos) {
    place_towards(model, pos, false);
}

/// The same; of the rows near `pos` the one below it comes first, if `down` says so, else the one above it. Whoever
/// goes on in one direction is not held back by a card.
pub(super) fn place_towards(model: &mut Model, pos: Pos, down: bool) {
    let stop = |pos: &Pos| model.row(*pos).is_some_and(Row::is_stop);
    let above = || std::iter::successors(Some(pos), |pos| model.previous(*pos)).find(stop);
    let below = || std::iter::successors(Some(pos), |pos| model.next(*pos)).find(stop);
    let found = if down { below().or_else(above) } else { above().or_else(below) };
    model.cursor = found.unwrap_or_default();
    follow(model);
}

fn jump(model: &mut Model, pos: Option<Pos>, otherwise: &str) {
    match pos {
        Some(pos) => {
            place(model, pos);
            show_below(model);
        }
        None => model.say(Tone::Info, otherwise),
    }
}

/// After a jump, what begins at the cursor is what the reader wants to see: when it would begin in the lower half of the
/// screen, or off it, move it up.
pub(super) fn show_below(model: &mut Model) {
    let Some(layout) = model.layout else { return };
    let height = usize::from(layout.diff.height);
    let cursor = ScreenPos::from(model.cursor);
    if cursor < model.top || model.rows_between(model.top, cursor, height) > height / 2 {
        model.top = model.scrolled(cursor, -i64::from(layout.diff.height / 4));
    }
}

/// Open the card of the line under the cursor, unless the open one is about this line too.
pub(super) fn follow(model: &mut Model) {
    if is_open_at_cursor(model) {
        return;
    }
    let part = &model.parts[model.cursor.part];
    let found = part.annotations.iter().find(|annotation| is_about_cursor(model, annotation));
    model.focus = found.map(|annotation| Focus { part: model.cursor.part, subject: annotation.subject });
}

/// Whether the open card is about what the cursor is on.
pub(super) fn is_open_at_cursor(model: &Model) -> bool {
    let is_here = model.focus.is_some_and(|focus| focus.part == model.cursor.part);
    is_here && model.focused().is_some_and(|(_, annotation)| is_about_cursor(model, annotation))
}

/// Whether an annotation of the cursor's part is about what the cursor is on.
fn is_about_cursor(model: &Model, annotation: &Annotation) -> bool {
    match model.row(model.cursor) {
        Some(row @ (Row::Line { .. } | Row::Pair { .. })) => row.lines().any(|(_, line)| annotation.covers(line)),
        Some(Row::File | Row::Fact(_) | Row::Prose(_)) => annotation.lines.is_none(),
        _ => false,
    }
}

/// The next heading, or the one that the cursor is below.
fn heading(model: &Model, forward: bool) -> Option<Pos> {
    let headings = || model.tree.iter().filter(|entry| entry.line.is_some()).map(|entry| entry_pos(model, entry));
    if forward {
        headings().find(|pos| *pos > model.cursor)
    } else {
        headings().take_while(|pos| *pos < model.cursor).last()
    }
}

fn next_hunk(model: &Model) -> Option<Pos> {
    let Pos { part: here, row } = model.cursor;
    let at = |part: usize| (part == here).then_some(row);
    (here..model.parts.len()).find_map(|part| Some(Pos { part, row: model.parts[part].rows.next_hunk(at(part))? }))
}

/// The start of this hunk, or of the one before when the cursor stands on a start.
fn previous_hunk(model: &Model) -> Option<Pos> {
    let Pos { part: here, row } = model.cursor;
    let at = |part: usize| (part == here).then_some(row);
    (0..=here).rev().find_map(|part| Some(Pos { part, row: model.parts[part].rows.previous_hunk(at(part))? }))
}

fn next_file(model: &Model) -> Option<Pos> {
    let part = (model.cursor.part + 1..model.parts.len()).find(|part| !model.parts[*part].rows.is_empty())?;
    Some(Pos { part, row: 0 })
}

fn previous_file(model: &Model) -> Option<Pos> {
    if model.cursor.row > 0 {
        return Some(Pos { part: model.cursor.part, row: 0 });
    }
    let part = (0..model.cursor.part).rev().find(|part| !model.parts[*part].rows.is_empty())?;
    Some(Pos { part, row: 0 })
}

/// The next or previous card in screen order, counted from the open one if the cursor is on it, else from the cursor.
fn note_beyond(model: &Model, forward: bool) -> Option<Focus> {
    let found = match open_index(model) {
        Some((part, index)) if forward => {
            let rest = (index + 1..model.parts[part].annotations.len()).map(move |index| (part, index));
            rest.chain(notes_from(model, part + 1)).next()
        }
        Some((part, index)) => (0..index).rev().map(|index| (part, index)).chain(notes_before(model, part)).next(),
        // One at the cursor that is not open is the nearest.
        None if forward => {
            let is_next = |at: &(usize, usize)| model.position_of(*at) > model.cursor || is_at_cursor(model, *at);
            notes_from(model, model.cursor.part).find(is_next)
        }
        None => {
            let here = model.cursor.part;
            let own = (0..model.parts[here].annotations.len()).rev().map(|index| (here, index));
            own.chain(notes_before(model, here)).find(|at| model.position_of(*at) <= model.cursor)
        }
    };
    found.map(|(part, index)| Focus { part, subject: model.parts[part].annotations[index].subject })
}

/// Open the next or previous card.
fn jump_to_note(model: &mut Model, forward: bool) {
    let Some(note) = note_beyond(model, forward) else {
        let (back, end, way) = match forward {
            true => (Command::PrevNote, "down", "up"),
            false => (Command::NextNote, "up", "down"),
        };
        let has_any = model.parts.iter().any(|part| !part.annotations.is_empty());
        let back = if has_any { format!("; {} goes {way}", model.key(back)) } else { String::new() };
        return model.say(Tone::Info, format!("no note further {end}{back}"));
    };
    open(model, note);
}

/// Open the first note from the cursor on, or else back from there, unless one is open.
pub(super) fn settle_on_note(model: &mut Model) {
    if model.focused().is_some() {
        return;
    }
    if let Some(note) = note_beyond(model, true).or_else(|| note_beyond(model, false)) {
        open(model, note);
    }
}

/// Whether a card of the cursor's part is about what the cursor is on.
fn is_at_cursor(model: &Model, (part, index): (usize, usize)) -> bool {
    part == model.cursor.part && is_about_cursor(model, &model.parts[part].annotations[index])
}

fn notes_from(model: &Model, part: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let shown = (part..model.parts.len()).filter(|part| !model.parts[*part].rows.is_empty());
    shown.flat_map(|part| (0..model.parts[part].annotations.len()).map(move |index| (part, index)))
}

fn notes_before(model: &Model, part: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
    let shown = (0..part).rev().filter(|part| !model.parts[*part].rows.is_empty());
    shown.flat_map(|part| (0..model.parts[part].annotations.len()).rev().map(move |index| (part, index)))
}

/// The open card, when the cursor stands where it is about.
fn open_index(model: &Model) -> Option<(usize, usize)> {
    let focus = model.focus?;
    let part = model.parts.get(focus.part).filter(|_| focus.part == model.cursor.part)?;
    Some((focus.part, part.index_of(focus.subject)?))
}

/// Go to `pos`, with what is below it on the screen.
pub(super) fn jump_to(model: &mut Model, pos: Pos) {
    place(model, pos);
    show_below(model);
}

/// Go to the top of a file, which is shown then even where what is viewed is left out.
pub(super) fn go_to_file(model: &mut Model, part: usize) {
    if model.parts[part].rows.is_empty() {
        looking::open(model, part);
    }
    files::reveal(model, part);
    jump_to(model, Pos { part, row: 0 });
}

/// Go to the lines of a card and open it; where it is not shown, go to its file.
pub(super) fn open(model: &mut Model, focus: Focus) {
    if focus.part >= model.parts.len() {
        return;
    }
    looking::open(model, focus.part);
    let part = &model.parts[focus.part];
    let index = part.index_of(focus.subject);
    let row = index.map_or(0, |index| part.row_of(&part.annotations[index]));
    jump_to(model, Pos { part: focus.part, row });
    model.focus = index.map(|_| focus).or(model.focus);
}

impl Model {
    /// Where the lines of an annotation begin; the top of the part for what is about the whole file.
    #[must_use]
    pub fn position_of(&self, (part, index): (usize, usize)) -> Pos {
        Pos { part, row: self.parts[part].row_of(&self.parts[part].annotations[index]) }
    }

    /// `path:line` of the cursor, in the new side where the line is there.
    #[must_use]
    pub fn location(&self) -> Option<String> {
        let part = self.parts.get(self.cursor.part)?;
        let path = self.shown(&part.section.tree().file.as_ref()?.path);
        if let Some(Row::Around { line, .. }) = self.row(self.cursor) {
            return Some(format!("{path}:{}", u64::from(line) + 1));
        }
        let Some((hunk, line)) = self.line_at_cursor() else { return Some(path) };
        let (hunk, line) = part.line(hunk, line);
        let number = line.new_line(hunk).map(|line| line.0).or_else(|| line.old_line(hunk).map(|line| line.0));
        Some(number.map_or(path.clone(), |number| format!("{path}:{number}")))
    }

    /// Whether a row of the cursor's part has the old side, or the new one.
    fn has_side(&self, row: Row, is_old: bool) -> bool {
        let (old, new) = self.parts[self.cursor.part].sides(row);
        row.lines().next().is_none() || if is_old { old.is_some() } else { new.is_some() }
    }

    /// The line of the diff that the cursor is on, with its hunk: of two the one of the cursor's side.
    #[must_use]
    pub fn line_at_cursor(&self) -> Option<(u32, u32)> {
        let mut lines = self.row(self.cursor)?.lines();
        let first = lines.next()?;
        Some(lines.next().filter(|_| !self.on_old).unwrap_or(first))
    }
}
