//! The diff pane: its title and its rows.

use bstr::BString;
use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::card::{INDENT, claim_sign};
use super::super::layout::{Layout, halves};
use super::super::model::{Focus, Model, Pos};
use super::super::part::{Part, ProseKind};
use super::super::place::{entry_at, topmost};
use super::super::rows::Row;
use super::super::staged::Staged;
use super::super::theme::Role;
use super::super::tree::TreeRow;
use super::canvas::Canvas;
use super::hits;
use super::line::{Line, Look, Numbers, Outside};
use super::notes;
use crate::document::tree::Block;
use crate::document::{FileHeader, FileStatus};
use crate::text::counted::counted;

/// The line above the diff: the file that is on top, whose name may be scrolled out, and where in the review it is.
pub(super) fn draw_title(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let border = canvas.style(Role::Border);
    canvas.rule(area.x, area.y, area.width, border);
    let files = model.parts.len() - 1;
    let top = topmost(model);
    let place = if top.part == 0 { format!(" {} ", counted(files, "file")) } else { format!(" {}/{files} ", top.part) };
    let scrolled = if model.left > 0 { format!(" from column {}", model.left + 1) } else { String::new() };
    let mut right = vec![(canvas.style(Role::Warning), scrolled), (canvas.style(Role::Dim), place)];
    // Beside a list of files there may be few columns; where the lines begin matters most.
    while canvas.width(&right) + 2 > area.width && right.pop().is_some() {}
    let taken = canvas.width(&right);
    canvas.put(area.right().saturating_sub(taken + 2), area.y, taken, &right);
    let part = &model.parts[top.part];
    let mut left = vec![(border, " ".to_owned())];
    left.extend(file_words(model, canvas, part));
    let room = area.width.saturating_sub(taken + 5);
    let mark = canvas.symbol("›", ">");
    let mut above: Vec<_> = headings_above(model, top)
        .into_iter()
        .map(|title| (canvas.style(Role::Dim), format!(" {mark} {}", model.shown(&title))))
        .collect();
    // The innermost one says most.
    while above.len() > 1 && canvas.width(&left) + canvas.width(&above) + 1 > room {
        above.remove(0);
    }
    left.extend(above);
    left.push((border, " ".to_owned()));
    canvas.put(area.x + 1, area.y, room, &left);
}

/// The headings that the row at `pos` stands under, from the outermost in.
fn headings_above(model: &Model, pos: Pos) -> Vec<BString> {
    let Some(here) = entry_at(model, pos).filter(|_| model.review.passages.is_some()) else { return Vec::new() };
    let headings = model.tree[..=here].iter().rev().take_while(|entry| entry.line.is_some());
    let mut above: Vec<&TreeRow> = Vec::new();
    for heading in headings {
        if above.last().is_none_or(|inner| heading.depth < inner.depth) {
            above.push(heading);
        }
    }
    above.into_iter().rev().map(|heading| heading.name.clone()).collect()
}

/// Status, path and counts of a part.
pub(super) fn file_words(model: &Model, canvas: &Canvas<'_>, part: &Part) -> Vec<(Style, String)> {
    let Some(file) = &part.section.tree().file else {
        let text = if part.prose.is_empty() { "(no file named)" } else { "Review" };
        return vec![(canvas.style(Role::Path), text.to_owned())];
    };
    let (letter, role) = status_letter(model, file);
    let mut words = vec![(canvas.style(Role::Path), model.shown(&file.path))];
    let is_changed = model.review.passages.is_none();
    if is_changed {
        words.insert(0, (canvas.style(role), format!("{letter} ")));
    }
    if part.pending {
        words.push((canvas.style(Role::Dim), " …".to_owned()));
    } else if is_changed {
        let stats = &part.reading.stats;
        words.push((canvas.style(Role::ClaimPass), format!("  +{}", stats.added)));
        words.push((canvas.count_style(Role::ClaimFail), format!(" {}{}", canvas.symbol("−", "-"), stats.removed)));
        if stats.added > 0 && model.since.is_none() {
            words.push((canvas.style(Role::Dim), format!("  {}/{} explained", stats.covered, stats.added)));
        }
        let stubs = part.reading.stubs;
        if stubs > 0 && model.since.is_none() {
            words.push((canvas.style(Role::Warning), format!(" · {stubs} to write")));
        }
    }
    match &part.staged {
        Staged::Unknown | Staged::Nothing => {}
        Staged::Lines(lines) => {
            let count = part.reading.stats.added + part.reading.stats.removed;
            let text = format!("  {} {}/{count} staged", staged_sign(canvas), lines.len());
            words.push((canvas.style(Role::ClaimPass), text));
        }
        Staged::Whole => words.push((canvas.style(Role::ClaimPass), format!("  {} staged", staged_sign(canvas)))),
        Staged::Other => words.push((canvas.style(Role::Dim), "  the index has another version".to_owned())),
    }
    if model.looks.is_viewed(&part.reading.contents) {
        words.push((canvas.style(Role::Dim), format!("  {} viewed", canvas.symbol("✓", "v"))));
    }
    if is_unmerged(model, file) {
        words.push((canvas.style(Role::Warning), "  merge conflict".to_owned()));
    }
    if part.is_stale {
        words.push((canvas.style(Role::Stale), format!("  {} stale", canvas.symbol("⌛", "~"))));
    }
    words
}

fn is_unmerged(model: &Model, file: &FileHeader) -> bool {
    model.review.unmerged.contains(&file.path)
}

/// What marks a line or a file that is staged.
pub(super) fn staged_sign(canvas: &Canvas<'_>) -> &'static str {
    canvas.symbol("●", "=")
}

/// The letter and role of a file's status.
pub(super) fn status_letter(model: &Model, file: &FileHeader) -> (char, Role) {
    match file.status {
        _ if is_unmerged(model, file) => ('U', Role::Warning),
        FileStatus::Added => ('A', Role::ClaimPass),
        FileStatus::Modified => ('M', Role::ClaimUnknown),
        FileStatus::Deleted => ('D', Role::ClaimFail),
        FileStatus::Renamed => ('R', Role::Evidence),
        FileStatus::Context => ('=', Role::Dim),
    }
}

/// The visible rows, around the form where that stands between them.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, layout: &Layout) {
    let area = layout.diff;
    let selected = model.selected();
    let mut nth = 0;
    for (pos, row) in model.rows_from(model.top.pos) {
        let room = usize::from(area.height - nth);
        if room == 0 {
            return;
        }
        let first = if pos == model.top.pos { model.top.nth } else { 0 };
        let height = model.height(pos, first + room).saturating_sub(first).clamp(1, room);
        let height = u16::try_from(height).unwrap_or(u16::MAX);
        let look = Look {
            cursor: pos == model.cursor,
            selected: model.anchor.is_some() && model.caret.is_none() && (selected.0..=selected.1).contains(&pos),
        };
        let mut above = first;
        for (y, height) in layout.pieces(nth, height).into_iter().flatten() {
            draw_row(model, canvas, Rect { y, height, ..area }, (pos, row, above), look);
            above += usize::from(height);
        }
        nth += height;
    }
}

/// A row from its row of the screen with index `first` on, as far as `area` reaches.
fn draw_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect, (pos, row, first): (Pos, Row, usize), look: Look) {
    let part = &model.parts[pos.part];
    match row {
        Row::Line { hunk, line } if !model.is_split() || part.is_on_no_side(line) => {
            let numbers = if model.review.passages.is_some() { Numbers::New } else { Numbers::Both };
            Line::new(model, part, (hunk, line), numbers).chosen_at(pos).draw(canvas, area, first, look);
        }
        Row::Around { gap, line } => draw_around(model, canvas, area, (part, gap, line), first, look),
        Row::Line { .. } | Row::Pair { .. } => draw_sides(model, canvas, area, (pos, row, first), look),
        Row::Card { annotation, row } => card_row(model, canvas, area, pos.part, annotation, row),
        Row::Gap => {}
        _ => {
            let base = if matches!(row, Row::File) {
                Role::Header
            } else if matches!(row, Row::Hunk(_)) {
                Role::Heading
            } else {
                Role::Text
            };
            let style = canvas.row_style(base, look.cursor, look.selected);
            canvas.fill(area, style);
            let mut texts = Canvas::all_over(style, texts(model, canvas, part, row));
            texts = match (row, texts.pop()) {
                (Row::Prose(at), Some(last)) => {
                    texts.extend(hits::marked_in(model, canvas, last, || part.prose_around(at)));
                    texts
                }
                (_, last) => hits::marked(model, canvas, texts.into_iter().chain(last).collect()),
            };
            let lead = [(style, if look.cursor { canvas.symbol("▌", ">") } else { " " })];
            let x = canvas.put(area.x, area.y, 1, &lead);
            canvas.put(x, area.y, area.width - 1, &texts);
        }
    }
}

/// A line of the file that is not in the diff, on both sides.
fn draw_around(
    model: &Model,
    canvas: &mut Canvas<'_>,
    area: Rect,
    (part, gap, line): (&Part, u32, u32),
    first: usize,
    look: Look,
) {
    let (old, new) = part.around.numbers(part.section.tree(), gap, line);
    let text = part.around.whole().map_or(&[][..], |whole| whole.line(line));
    let outside = Outside { model, part, text, colors: part.around_colors.get(&line) };
    if !model.is_split() {
        return outside.draw(canvas, area, &[old, new], first, look);
    }
    let (old_area, divider, new_area) = halves(area);
    for (number, half) in [(old, old_area), (new, new_area)] {
        let is_on_it = model.on_old == (half == old_area);
        outside.draw(canvas, half, &[number], first, Look { cursor: look.cursor && is_on_it, ..look });
    }
    draw_divider(canvas, area, divider);
}

/// How many lines are hidden.
fn hidden_words(canvas: &Canvas<'_>, lines: u64) -> String {
    format!("{} {} hidden", canvas.symbol("⋯", "..."), counted(lines, "line"))
}

/// The border between the sides.
fn draw_divider(canvas: &mut Canvas<'_>, area: Rect, x: u16) {
    let border = canvas.style(Role::Border);
    for y in area.top()..area.bottom() {
        canvas.piece(x, y, canvas.symbol("│", "|"), 1, border);
    }
}

/// A row whose halves are the sides of the diff. The cursor is on one of them.
fn draw_sides(model: &Model, canvas: &mut Canvas<'_>, area: Rect, (pos, row, first): (Pos, Row, usize), look: Look) {
    let part = &model.parts[pos.part];
    let (old_area, divider, new_area) = halves(area);
    let (old, new) = part.sides(row);
    let is_on_old = if old.is_some() && new.is_some() { model.on_old } else { old.is_some() };
    for (side, area, numbers) in [(old, old_area, Numbers::Old), (new, new_area, Numbers::New)] {
        let look = Look { cursor: look.cursor && is_on_old == (numbers == Numbers::Old), ..look };
        match side {
            Some(line) => {
                let line = Line::new(model, part, line, numbers);
                let line = if numbers == Numbers::New { line.chosen_at(pos) } else { line };
                line.draw(canvas, area, first, look);
            }
            None => canvas.fill(area, canvas.style(Role::Text)),
        }
    }
    draw_divider(canvas, area, divider);
}

/// What a row that is no diff line says.
fn texts(model: &Model, canvas: &Canvas<'_>, part: &Part, row: Row) -> Vec<(Style, String)> {
    let tree = part.section.tree();
    match row {
        Row::File => {
            let mut words = file_words(model, canvas, part);
            let about = part.annotations.iter().filter(|annotation| annotation.lines.is_none()).count();
            if about > 0 {
                words.push((canvas.style(Role::Note), format!("  {}{about}", canvas.symbol("¶", "n"))));
            }
            words
        }
        Row::Fact(fact) => vec![(canvas.style(Role::Dim), format!("  {}", model.fact_words(part, fact)))],
        Row::Rest => {
            let last = u32::try_from(tree.hunks.len()).unwrap_or(u32::MAX);
            let hidden = part.around.hidden(tree, last).unwrap_or(0);
            vec![(canvas.style(Role::Dim), format!("  {}", hidden_words(canvas, hidden)))]
        }
        Row::Hunk(index) => {
            let is_viewed = model.looks.is_hunk_viewed(&part.reading.contents, index as usize);
            let viewed = if is_viewed { format!("  {} viewed", canvas.symbol("✓", "v")) } else { String::new() };
            let hunk = &tree.hunks[index as usize];
            let heading = model.shown(hunk.heading.of(part.section.text()));
            let hidden = part.around.hidden(tree, index).filter(|hidden| *hidden > 0);
            let hidden = hidden.map(|hidden| format!("  {}", hidden_words(canvas, hidden)));
            vec![
                (Style::default(), hunk.ranges()),
                (canvas.style(Role::Dim), format!(" {heading}")),
                (canvas.style(Role::Dim), hidden.unwrap_or_default()),
                (canvas.style(Role::Dim), viewed),
            ]
        }
        Row::Text(block) => {
            let (role, span) = match tree.blocks[block as usize] {
                Block::Comment(span) => (Role::Dim, span),
                Block::Check(check) => (Role::Dim, tree.checks[check as usize]),
                Block::Stray(span) => (Role::Warning, span),
                _ => return Vec::new(),
            };
            let text = span.of(part.section.text()).trim_ascii_end();
            let lead = if role == Role::Warning { "stray: " } else { "" };
            vec![(canvas.style(role), format!("{lead}{}", model.shown(text.as_ref())))]
        }
        Row::Prose(index) => prose(canvas, part, index),
        Row::Line { .. } | Row::Pair { .. } | Row::Around { .. } | Row::Card { .. } | Row::Gap => Vec::new(),
    }
}

fn prose(canvas: &Canvas<'_>, part: &Part, index: u32) -> Vec<(Style, String)> {
    let Some(prose) = part.prose.get(index as usize) else { return Vec::new() };
    let mut words = Vec::new();
    let role = match prose.kind {
        ProseKind::Title => Role::Path,
        ProseKind::Meta => Role::Dim,
        ProseKind::Summary => Role::Text,
        ProseKind::Check(status) => {
            let (role, sign) = claim_sign(status);
            words.push((canvas.style(role), format!("{} ", if prose.is_first { sign } else { " " })));
            role
        }
    };
    words.push((canvas.style(role), prose.text.clone()));
    words
}

/// A row of a card that stands under its lines.
fn card_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect, part: usize, annotation: u32, row: u32) {
    let index = annotation as usize;
    let Some(subject) = model.parts[part].annotations.get(index).map(|annotation| annotation.subject) else { return };
    let focus = Focus { part, subject };
    let open = Some(focus) == model.focus;
    let indent = INDENT.min(area.width);
    let area = Rect::new(area.x + indent, area.y, area.width - indent, 1);
    notes::draw_card_row(model, canvas, area, (focus, index, open), row);
}
