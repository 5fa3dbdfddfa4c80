//! The notes pane: cards beside the lines they explain, and the border that joins the open card to its lines.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::card::{CardRow, FRAME, nearby};
use super::super::command::Command;
use super::super::layout::Layout;
use super::super::model::{Focus, Model};
use super::super::rows::Row;
use super::super::theme::Role;
use super::canvas::Canvas;
use super::hits;
use crate::text::counted::counted;

/// The pane: its title, the border to the diff, the cards.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, layout: &Layout, pane: Rect) {
    let border = canvas.style(Role::Border);
    let x = pane.x - 1;
    canvas.rule(x, layout.diff_title.y, pane.width + 1, border);
    canvas.piece(x, layout.diff_title.y, canvas.symbol("┬", "+"), 1, border);
    let cards = model.cards();
    let mut title = vec![(canvas.style(Role::Dim), " notes ".to_owned())];
    if cards.above > 0 {
        title.push((canvas.style(Role::Warning), format!("{}{} above ", canvas.symbol("↑", "^"), cards.above)));
    }
    if cards.below > 0 {
        title.push((canvas.style(Role::Warning), format!("{}{} more ", canvas.symbol("↓", "v"), cards.below)));
    }
    canvas.put(x + 2, layout.diff_title.y, pane.width.saturating_sub(2), &title);
    draw_border(model, canvas, layout, x);
    for card in &cards.placed {
        for row in 0..card.area.height {
            let area = Rect::new(card.area.x, card.area.y + row, card.area.width, 1);
            draw_card_row(model, canvas, area, (card.focus, card.index, card.open), u32::from(row));
        }
    }
}

/// The border between the panes; heavy beside the lines that the form or the open card is about.
fn draw_border(model: &Model, canvas: &mut Canvas<'_>, layout: &Layout, x: u16) {
    let (border, focus) = (canvas.style(Role::Border), canvas.style(Role::NoteFocus));
    let open = model.focused().map(|(_, annotation)| *annotation);
    let written = model.form_rows();
    let mut rows = model.screen_rows(model.top);
    for y in layout.diff.top()..layout.diff.bottom() {
        let is_about = rows.next().is_some_and(|(at, row)| match (&written, open) {
            (Some(rows), _) => rows.contains(&at.pos),
            (None, Some(open)) => {
                model.focus.is_some_and(|focus| focus.part == at.pos.part)
                    && (row.lines().any(|(_, line)| open.covers(line)) || (row == Row::File && open.lines.is_none()))
            }
            (None, None) => false,
        });
        let (symbol, style) =
            if is_about { (canvas.symbol("┃", "#"), focus) } else { (canvas.symbol("│", "|"), border) };
        canvas.piece(x, y, symbol, 1, style);
    }
}

/// One row of a card: its head, its first words, or a row of its frame.
pub(super) fn draw_card_row(
    model: &Model,
    canvas: &mut Canvas<'_>,
    area: Rect,
    (focus, index, open): (Focus, usize, bool),
    row: u32,
) {
    let part = &model.parts[focus.part];
    let Some(annotation) = part.annotations.get(index) else { return };
    let writer = model.writer(focus.part);
    let open = model.open_card.as_ref().filter(|card| open && card.focus == focus);
    let Some(card) = open else {
        let bar = [(canvas.style(Role::Note), canvas.symbol("▎", "|"))];
        let x = canvas.put(area.x, area.y, 1, &bar);
        let area = Rect::new(x, area.y, area.width.saturating_sub(2), 1);
        if row == 0 {
            head(model, canvas, area, &writer.head(part, annotation), writer.standing(part, annotation));
        } else {
            let room = area.width.saturating_sub(1);
            let teaser = [writer.teaser(part, annotation, usize::from(room))];
            canvas.put(x + 1, area.y, room, &styled(model, canvas, &teaser, 0));
        }
        return;
    };
    let border = canvas.style(Role::NoteFocus);
    let inside = Rect::new(area.x + 2, area.y, area.width.saturating_sub(FRAME), 1);
    let last = u32::from(card.height()) - 1;
    if row == 0 {
        canvas.frame_end(area, ("╭", "╮"), border);
        head(model, canvas, inside, &writer.head(part, annotation), writer.standing(part, annotation));
    } else if row < last {
        canvas.frame_sides(area.x, area.right() - 1, area.y, border);
        let at = model.card_top + row as usize - 1;
        if at < card.rows.len() {
            canvas.put(inside.x, area.y, inside.width, &styled(model, canvas, &card.rows, at));
        }
    } else {
        canvas.frame_end(area, ("╰", "╯"), border);
        more_rows(model, canvas, inside, card.hidden());
    }
}

/// At the bottom of a card that does not fit: that there is more, and how to see it.
fn more_rows(model: &Model, canvas: &mut Canvas<'_>, area: Rect, hidden: usize) {
    if hidden == 0 {
        return;
    }
    let below = hidden.saturating_sub(model.card_top);
    let (key, rows, way) = if below > 0 {
        (model.key(Command::CardDown), below, "below")
    } else {
        (model.key(Command::CardUp), model.card_top, "above")
    };
    let texts = [
        (canvas.style(Role::Key), format!(" {key}")),
        (canvas.style(Role::Dim), format!(" {} {way} ", counted(rows, "more row"))),
    ];
    canvas.put(area.x, area.y, area.width, &texts);
}

/// The first row of a card, its status at the right.
fn head(model: &Model, canvas: &mut Canvas<'_>, area: Rect, words: &CardRow, (role, standing): (Role, &str)) {
    let right = [(canvas.style(role), if standing.is_empty() { String::new() } else { format!(" {standing} ") })];
    let taken = canvas.width(&right).min(area.width);
    let dot = canvas.style(Role::Dim);
    let mut texts = vec![(dot, " ".to_owned())];
    for (index, (role, text)) in words.iter().enumerate() {
        if index > 1 {
            texts.push((dot, " ·".to_owned()));
        }
        if index > 0 {
            texts.push((canvas.style(*role), " ".to_owned()));
        }
        texts.extend(hits::marked(model, canvas, vec![(canvas.style(*role), text.clone())]));
    }
    texts.push((dot, " ".to_owned()));
    canvas.put(area.x, area.y, area.width - taken, &texts);
    canvas.put(area.right() - taken, area.y, taken, &right);
}

/// A row of a card below its head; a label is no text that is searched.
fn styled(model: &Model, canvas: &Canvas<'_>, rows: &[CardRow], at: usize) -> Vec<(Style, String)> {
    let mut texts: Vec<_> = rows[at].iter().map(|(role, text)| (canvas.style(*role), text.clone())).collect();
    if let Some(text) = texts.pop() {
        texts.extend(hits::marked_in(model, canvas, text, || nearby(rows, at)));
    }
    texts
}
