//! The list of files: status, path, how much of each is explained.

use ratatui::layout::Rect;

use super::super::model::Model;
use super::super::place::visible_files;
use super::super::theme::Role;
use super::canvas::Canvas;
use super::diff::status_letter;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let border = canvas.style(Role::Border);
    canvas.rule(area.x, area.y - 1, area.width + 1, border);
    let title = [(canvas.style(Role::Dim), format!(" {} files ", model.parts.len() - 1))];
    canvas.put(area.x + 1, area.y - 1, area.width.saturating_sub(1), &title);
    canvas.piece(area.right(), area.y - 1, canvas.symbol("┬", "+"), 1, border);
    for y in area.top()..area.bottom() {
        canvas.piece(area.right(), y, canvas.symbol("│", "|"), 1, border);
    }
    for (y, part) in (area.top()..).zip(visible_files(model)) {
        draw_file(model, canvas, Rect::new(area.x, y, area.width, 1), part);
    }
}

fn draw_file(model: &Model, canvas: &mut Canvas<'_>, area: Rect, index: usize) {
    let part = &model.parts[index];
    let here = model.cursor.part == index;
    let is_viewed = model.looks.is_viewed(&part.reading.contents);
    let style = canvas.row_style(if is_viewed { Role::Dim } else { Role::Text }, here, false);
    canvas.fill(area, style);
    let stats = &part.reading.stats;
    let counts = if part.pending {
        vec![(canvas.style(Role::Dim), " …".to_owned())]
    } else if stats.added > stats.covered {
        vec![(canvas.style(Role::Uncovered), format!(" {}", stats.added - stats.covered))]
    } else {
        vec![(
            canvas.style(Role::CoveredPass),
            format!(" {}", if stats.added > 0 { canvas.symbol("✓", "ok") } else { "" }),
        )]
    };
    let counts = Canvas::all_over(style, counts);
    let taken = canvas.width(&counts);
    let Some(file) = &part.section.tree().file else { return };
    let (letter, role) = status_letter(file.status);
    let path = model.shown(&file.path);
    let room = area.width.saturating_sub(taken + 4);
    let name = tail(model, &path, usize::from(room));
    let lead = match (here, is_viewed) {
        (true, _) => canvas.symbol("▌", ">"),
        (false, true) => canvas.symbol("✓", "v"),
        (false, false) => " ",
    };
    let words = [(style, lead.to_owned()), (canvas.over(style, role), format!("{letter} ")), (style, name)];
    canvas.put(area.x, area.y, area.width.saturating_sub(taken), &words);
    canvas.put(area.right().saturating_sub(taken + 1), area.y, taken, &counts);
}

/// The end of a path that fits: its last names tell files apart.
fn tail(model: &Model, path: &str, columns: usize) -> String {
    if model.display.width(path) <= columns {
        return path.to_owned();
    }
    let shorter = path.match_indices('/').map(|(at, _)| format!("…{}", &path[at..]));
    let fits = shorter.into_iter().find(|tail| model.display.width(tail) <= columns);
    fits.unwrap_or_else(|| model.display.fit(path.rsplit('/').next().unwrap_or(path), columns))
}
