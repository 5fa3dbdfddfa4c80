//! The list of files: folders, and of each file its status, its lines, how much of it is explained, and its notes.

use bstr::ByteSlice as _;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::model::{Mode, Model};
use super::super::part::Part;
use super::super::place::{files_in, listed_here, visible_files};
use super::super::theme::Role;
use super::super::tree::TreeRow;
use super::canvas::Canvas;
use super::diff::status_letter;
use super::header::cells;
use crate::text::counted::counted;

/// The cells of the bar that says how much is explained.
const BAR: usize = 4;
/// The columns that a folder sets in what is in it.
const INDENT: usize = 1;
/// Folders deeper than this set nothing in any more, so that names stay readable.
const DEEPEST: usize = 8;
/// Fewer columns than these say nothing of an old path.
const LEAST_OLD: usize = 6;
/// From so many columns on the counts of lines are there.
const ROOM_FOR_COUNTS: u16 = 36;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let has_keyboard = matches!(model.mode, Mode::Files(_));
    let border = canvas.style(if has_keyboard { Role::BorderFocus } else { Role::Border });
    canvas.rule(area.x, area.y - 1, area.width + 1, border);
    let files = model.tree.iter().filter(|row| row.folder.is_none() && row.line.is_none()).count();
    let words = if files == 1 && model.review.is_of_documents() {
        " headings ".to_owned()
    } else {
        format!(" {} ", counted(files, "file"))
    };
    let title = [(canvas.style(if has_keyboard { Role::Path } else { Role::Dim }), words)];
    canvas.put(area.x + 1, area.y - 1, area.width.saturating_sub(1), &title);
    canvas.piece(area.right(), area.y - 1, canvas.symbol("┬", "+"), 1, border);
    for y in area.top()..area.bottom() {
        canvas.piece(area.right(), y, canvas.symbol("│", "|"), 1, border);
    }
    let here = listed_here(model);
    let columns = Columns::of(model, area.width);
    for (y, index) in (area.top()..area.bottom()).zip(visible_files(model)) {
        let row = &model.tree[*index];
        let area = Rect::new(area.x, y, area.width, 1);
        let indent = " ".repeat(row.depth.min(DEEPEST) * INDENT);
        match &row.folder {
            Some(folder) if model.closed.contains(folder) => {
                draw_closed(model, canvas, area, (row, *index, here == Some(*index)), &indent, columns);
            }
            Some(_) => {
                let is_here = here == Some(*index);
                let style = canvas.row_style(Role::Dim, is_here, false);
                canvas.fill(area, style);
                let name = format!("{indent}{} {}", canvas.symbol("▾", "v"), model.shown(&row.name));
                let words = [(style, lead(canvas, is_here, false)), (style, name.as_str())];
                canvas.put(area.x, y, area.width.saturating_sub(1), &words);
            }
            None => draw_file(model, canvas, area, (row, here == Some(*index)), &indent, columns),
        }
    }
}

/// A closed folder: how many files are in it, and what they come to.
fn draw_closed(
    model: &Model,
    canvas: &mut Canvas<'_>,
    area: Rect,
    (row, index, here): (&TreeRow, usize, bool),
    indent: &str,
    columns: Columns,
) {
    let parts: Vec<&Part> = files_in(model, index).map(|part| &model.parts[part]).collect();
    let is_viewed = parts.iter().all(|part| model.looks.is_viewed(&part.reading.contents));
    let style = canvas.row_style(Role::Dim, here, false);
    canvas.fill(area, style);
    let counts = Canvas::all_over(style, counts(model, canvas, &parts, columns));
    let taken = canvas.width(&counts).min(area.width / 2);
    let name = format!("{indent}{} {}", canvas.symbol("▸", ">"), model.shown(&row.name));
    let count = format!(" {}", parts.len());
    let room = usize::from(area.width.saturating_sub(taken + 3));
    let name = model.display.fit(name, room.saturating_sub(model.display.width(&count)));
    let words = [(style, lead(canvas, here, is_viewed)), (style, name.trim_end()), (style, count.as_str())];
    canvas.put(area.x, area.y, area.width.saturating_sub(taken + 2), &words);
    canvas.put(area.right().saturating_sub(taken + 1), area.y, taken, &counts);
}

/// The sign in front of an entry: the cursor, or that all of it is viewed.
fn lead(canvas: &Canvas<'_>, here: bool, is_viewed: bool) -> &'static str {
    match (here, is_viewed) {
        (true, _) => canvas.symbol("▌", ">"),
        (false, true) => canvas.symbol("✓", "v"),
        (false, false) => " ",
    }
}

fn draw_file(
    model: &Model,
    canvas: &mut Canvas<'_>,
    area: Rect,
    (row, here): (&TreeRow, bool),
    indent: &str,
    columns: Columns,
) {
    let part = &model.parts[row.part];
    if row.line.is_some() {
        return draw_heading(model, canvas, area, (row, here), indent);
    }
    let is_viewed = model.looks.is_viewed(&part.reading.contents);
    let style = canvas.row_style(if is_viewed { Role::Dim } else { Role::Text }, here, false);
    canvas.fill(area, style);
    let counts = Canvas::all_over(style, counts(model, canvas, &[part], columns));
    let taken = canvas.width(&counts).min(area.width / 2);
    let Some(file) = &part.section.tree().file else { return };
    let (letter, role) = status_letter(model, file);
    let mut lead = vec![(style, format!("{}{indent}", lead(canvas, here, is_viewed)))];
    if model.review.passages.is_none() {
        lead.push((canvas.over(style, role), format!("{letter} ")));
    }
    let room = area.width.saturating_sub(taken + 2);
    let x = canvas.put(area.x, area.y, room, &lead);
    let room = usize::from((area.x + room).saturating_sub(x));
    let name = model.shown(&row.name);
    let left = room.saturating_sub(model.display.width(&name));
    let name = model.display.fit(name, room);
    let x = canvas.put(x, area.y, area.width, &[(style, name.trim_end())]);
    // Where it comes from, as far as there is room: of a file that stays in its folder only the name.
    if let Some(old) = file.old_path.as_ref().filter(|old| **old != file.path && left > LEAST_OLD) {
        let folder = file.path.rfind_byte(b'/').map_or(0, |at| at + 1);
        let old = if old.starts_with(&file.path[..folder]) { &old[folder..] } else { old };
        let text = format!(" {} {}", canvas.symbol("←", "<"), model.shown(old));
        let text = model.display.fit(text, left);
        canvas.put(x, area.y, area.width, &[(canvas.over(style, Role::Dim), text.trim_end())]);
    }
    canvas.put(area.right().saturating_sub(taken + 1), area.y, taken, &counts);
}

/// A heading of a file.
fn draw_heading(model: &Model, canvas: &mut Canvas<'_>, area: Rect, (row, here): (&TreeRow, bool), indent: &str) {
    let style = canvas.row_style(Role::Text, here, false);
    canvas.fill(area, style);
    let lead = if here { canvas.symbol("▌", ">") } else { " " };
    let x = canvas.put(area.x, area.y, area.width, &[(style, format!("{lead}{indent}"))]);
    let room = area.right().saturating_sub(x + 1);
    let title = model.display.fit(model.shown(&row.name), usize::from(room));
    canvas.put(x, area.y, room, &[(style, title)]);
}

/// The columns of the counts, so that those of one kind stand below each other.
#[derive(Debug, Clone, Copy, Default)]
struct Columns {
    notes: usize,
    added: usize,
    removed: usize,
    /// Whether there is room for the counts of lines.
    has_lines: bool,
}

impl Columns {
    /// Those of the entries on the screen, in a list of so many columns.
    fn of(model: &Model, width: u16) -> Self {
        let parts = visible_files(model).iter().map(|at| match &model.tree[*at].folder {
            Some(folder) if model.closed.contains(folder) => sums(files_in(model, *at).map(|part| &model.parts[part])),
            Some(_) => [0; 5],
            None => sums([&model.parts[model.tree[*at].part]]),
        });
        let digits = |count: u64| count.checked_ilog10().unwrap_or(0) as usize + 1;
        let wider = |columns: Self, [notes, added, removed, ..]: [u64; 5]| Self {
            notes: columns.notes.max(if notes > 0 { digits(notes) } else { 0 }),
            added: columns.added.max(digits(added)),
            removed: columns.removed.max(digits(removed)),
            ..columns
        };
        parts.fold(Self { has_lines: width >= ROOM_FOR_COUNTS, ..Self::default() }, wider)
    }
}

/// Of all of `parts`: notes, added and removed lines, and how many of the added are covered, and by nothing but stubs.
fn sums<'a>(parts: impl IntoIterator<Item = &'a Part>) -> [u64; 5] {
    parts.into_iter().fold([0; 5], |sums, part| {
        let stats = &part.reading.stats;
        let own = [part.annotations.len() as u64, stats.added, stats.removed, stats.covered, part.reading.stubbed];
        std::array::from_fn(|at| sums[at] + own[at])
    })
}

/// Notes, lines, and how much is explained, of all of `parts`.
fn counts(model: &Model, canvas: &Canvas<'_>, parts: &[&Part], columns: Columns) -> Vec<(Style, String)> {
    if parts.iter().any(|part| part.pending) {
        return vec![(canvas.style(Role::Dim), "…".to_owned())];
    }
    let [notes, added, removed, covered, stubbed] = sums(parts.iter().copied());
    let mut counts = Vec::new();
    if columns.notes > 0 {
        let sign = if notes > 0 { format!("{}{notes}", canvas.symbol("¶", "n")) } else { String::new() };
        counts.push((canvas.style(Role::Note), format!("{sign:>0$} ", columns.notes + 1)));
    }
    if model.review.passages.is_some() {
        return counts;
    }
    if columns.has_lines {
        let minus = canvas.symbol("−", "-");
        let (added, removed) = (format!("+{added}"), format!("{minus}{removed}"));
        counts.push((canvas.style(Role::ClaimPass), format!("{added:>0$} ", columns.added + 1)));
        counts.push((canvas.count_style(Role::ClaimFail), format!("{removed:>0$} ", columns.removed + 1)));
    }
    if added == 0 || model.since.is_some() {
        counts.push((canvas.style(Role::Dim), " ".repeat(BAR)));
        return counts;
    }
    // Whole only when all is explained, empty only when nothing is.
    let [said, waiting, rest] = cells(BAR, [covered - stubbed, stubbed], added);
    let role = if said == BAR { Role::CoveredPass } else { Role::Uncovered };
    counts.push((canvas.style(role), canvas.symbol("█", "#").repeat(said)));
    counts.push((canvas.style(Role::Warning), canvas.symbol("▒", "-").repeat(waiting)));
    counts.push((canvas.style(Role::Dim), canvas.symbol("░", ".").repeat(rest)));
    counts
}
