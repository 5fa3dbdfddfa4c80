//! The form of a note or a Markback record.

use std::borrow::Cow;

use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use super::super::form::{Cells, Field, Form, FormKind, LABEL, NONE, Slot};
use super::super::model::Model;
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::document::Side;
use crate::text::counted::counted;

/// Draw the form; where the terminal's cursor stands.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) -> Option<Position> {
    let form = model.form.as_ref()?;
    canvas.clear(area);
    draw_frame(model, canvas, area, form);
    let inside = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    let cells = form.cells(inside);
    for slot in &cells.slots {
        draw_slot(canvas, cells.others, form, slot);
    }
    let problem = form.problem_rows(usize::from(inside.width));
    let said = match &form.problem {
        Some(text) if problem.is_empty() => Some((Role::Warning, model.display.visible(text))),
        Some(_) => None,
        None => form.remark().map(|text| (Role::Dim, text.to_owned())),
    };
    if let Some((role, text)) = said {
        let bottom = area.bottom().saturating_sub(1);
        canvas.put(area.x + 2, bottom, area.width.saturating_sub(4), &[(canvas.style(role), format!(" {text} "))]);
    }
    for (y, row) in (cells.problem.top()..cells.problem.bottom()).zip(&problem) {
        canvas.put(inside.x, y, inside.width, &[(canvas.style(Role::Warning), row.as_str())]);
    }
    draw_hidden(canvas, area, &cells);
    draw_texts(canvas, &cells, form)
}

fn draw_frame(model: &Model, canvas: &mut Canvas<'_>, area: Rect, form: &Form) {
    canvas.frame(area, canvas.style(Role::NoteFocus));
    let room = usize::from(area.width.saturating_sub(6));
    let title = format!(" {} ", model.display.fit(title(model, canvas, form, room), room));
    canvas.put(area.x + 2, area.y, area.width.saturating_sub(4), &[(canvas.style(Role::Note), title)]);
}

/// What is written, and about what: of a path so much as has room in so many columns.
fn title(model: &Model, canvas: &Canvas<'_>, form: &Form, columns: usize) -> String {
    let what = match form.kind {
        FormKind::Note | FormKind::Text => "note",
        FormKind::Record => "Markback note",
        FormKind::Comment => "comment for the agent",
        FormKind::Claim => "claim",
        FormKind::Decision => return "state and summary of the review".to_owned(),
        FormKind::Reply => {
            let named = form.parent.as_ref().map(|parent| model.shown(parent.id.as_bytes()));
            return named.map_or_else(
                || "reply, and an @id for the note".to_owned(),
                |id| format!("reply to the Markback note {id}"),
            );
        }
    };
    let target = form.target();
    let of_file = |start: String, word: &str| match &target.file {
        Some(path) => {
            let start = start + word;
            let room = columns.saturating_sub(model.display.width(&start));
            let path = canvas.shortened(vec![(Style::default(), model.shown(path))], room);
            path.into_iter().fold(start, |title, (_, text)| title + &text)
        }
        None => start,
    };
    if !target.more.is_empty() {
        return of_file(format!("{} notes: {}", target.count(), target.ranges()), " of ");
    }
    let (change, about) = match (form.kind, &form.amends) {
        (FormKind::Claim, _) => ("", "about"),
        (_, Some(_)) => ("edit of the ", "on"),
        (_, None) => ("", "on"),
    };
    let start = format!("{change}{what} {about} ");
    match target.selector.side {
        Side::Doc => format!("{start}the whole change"),
        Side::File => of_file(start, ""),
        _ => of_file(format!("{start}{}", target.selector), " of "),
    }
}

/// A field that has no row of its own.
fn draw_slot(canvas: &mut Canvas<'_>, area: Rect, form: &Form, slot: &Slot) {
    let cells = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let (start, y) = (cells(slot.columns.start), area.y.saturating_add(cells(slot.row)));
    if start >= area.width {
        return;
    }
    let label = (canvas.style(Role::Dim), slot.field.label());
    // A field has a shape besides its colour: what can be added, what is chosen, and what is about to be.
    match &slot.value {
        None => canvas.put(area.x + start, y, area.width - start, &[(canvas.style(Role::Key), "+"), label]),
        Some(value) => {
            let is_set = value != NONE;
            let (style, [left, right]) = if form.focus == slot.field {
                (canvas.row_style(Role::Text, true, true), [("‹", "<"), ("›", ">")])
            } else {
                let style = if is_set { Role::Note } else { Role::Dim };
                (canvas.style(style), [("[", "["), ("]", "]")])
            };
            let style = if is_set { style.add_modifier(Modifier::BOLD) } else { style };
            let [left, right] = [left, right].map(|(sign, ascii)| canvas.symbol(sign, ascii));
            let shown = format!("{left}{value}{right}");
            let gap = (canvas.style(Role::Text), " ");
            canvas.put(area.x + start, y, area.width - start, &[label, gap, (style, &shown)])
        }
    };
}

/// On the border, at the right: how many rows of what is typed are out of sight above or below.
fn draw_hidden(canvas: &mut Canvas<'_>, area: Rect, cells: &Cells) {
    let (above, below) = cells.hidden();
    for (y, count, way) in [(area.y, above, "↑"), (area.bottom().saturating_sub(1), below, "↓")] {
        if count > 0 {
            let text = [(canvas.style(Role::Warning), format!(" {way} {} ", counted(count, "row")))];
            let taken = canvas.width(&text);
            canvas.put(area.right().saturating_sub(taken + 2).max(area.x), y, taken, &text);
        }
    }
}

/// What an empty field is for. Where it would look like what is typed, since no colour tells it from that, it stands in
/// parentheses.
fn hint(canvas: &Canvas<'_>, field: Field) -> Cow<'static, str> {
    match field.hint() {
        hint if canvas.style(Role::Dim) == canvas.style(Role::Text) => format!("({hint})").into(),
        hint => hint.into(),
    }
}

/// The fields that are typed.
fn draw_texts(canvas: &mut Canvas<'_>, cells: &Cells, form: &Form) -> Option<Position> {
    let area = cells.texts;
    let mut cursor = None;
    for (y, row) in (area.top()..area.bottom()).zip(&cells.rows[cells.first..]) {
        let text = form.texts().iter().find(|(field, _)| *field == row.field).map_or("", |(_, input)| input.text());
        let label = if row.nth == 0 { row.field.label() } else { "" };
        let role = if row.field == form.focus { Role::Note } else { Role::Dim };
        canvas.put(area.x, y, area.width, &[(canvas.style(role), label)]);
        let x = area.x + u16::try_from(LABEL).unwrap_or(7).min(area.width);
        let room = area.right().saturating_sub(x);
        let (role, text) = match text {
            "" => (Role::Dim, hint(canvas, row.field)),
            text => (Role::Text, text[row.text.clone()].into()),
        };
        canvas.put(x, y, room, &[(canvas.style(role), text)]);
        if let Some(column) = row.cursor {
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            cursor = Some(Position::new(x.saturating_add(column).min(area.right().saturating_sub(1)), y));
        }
    }
    cursor
}
