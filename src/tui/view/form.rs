//! The form of a note or a Markback record.

use ratatui::layout::{Position, Rect};

use super::super::form::{Cells, Field, Form, FormKind, LABEL, SECOND_CHOICE, Target};
use super::super::model::Model;
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::document::Side;

/// Draw the form; where the terminal's cursor stands.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) -> Option<Position> {
    let form = model.form.as_ref()?;
    canvas.clear(area);
    draw_frame(model, canvas, area, form);
    let inside = Rect::new(area.x + 1, area.y + 1, area.width.saturating_sub(2), area.height.saturating_sub(2));
    let cells = form.cells(inside);
    for (y, row) in (cells.choices.top()..cells.choices.bottom()).zip(&form.choice_rows()) {
        draw_choices(canvas, Rect { y, height: 1, ..inside }, form, row);
    }
    let problem = form.problem_rows(usize::from(inside.width));
    if let Some(text) = form.problem.as_ref().filter(|_| problem.is_empty()) {
        let text = format!(" {} ", model.display.visible(text));
        let bottom = area.bottom().saturating_sub(1);
        canvas.put(area.x + 2, bottom, area.width.saturating_sub(4), &[(canvas.style(Role::Warning), text)]);
    }
    for (y, row) in (cells.problem.top()..cells.problem.bottom()).zip(&problem) {
        canvas.put(inside.x, y, inside.width, &[(canvas.style(Role::Warning), row.as_str())]);
    }
    draw_texts(canvas, &cells, form)
}

fn draw_frame(model: &Model, canvas: &mut Canvas<'_>, area: Rect, form: &Form) {
    let border = canvas.style(Role::NoteFocus);
    canvas.frame(area, border);
    let what = match form.kind {
        FormKind::Note | FormKind::Text => "note",
        FormKind::Record => "Markback note",
        FormKind::Reply => "reply",
        FormKind::Comment => "comment for the agent",
        FormKind::Claim => "claim",
        FormKind::Decision => "state and summary of the review",
    };
    let target = form.target();
    let Target { selector, file, .. } = target;
    let what = match form.amends {
        Some(_) if !matches!(form.kind, FormKind::Claim | FormKind::Decision | FormKind::Reply) => {
            format!("change of the {what}")
        }
        _ => what.to_owned(),
    };
    let title = match file {
        _ if form.kind == FormKind::Reply => {
            let named = form.parent.as_ref().map(|parent| model.shown(parent.id.as_bytes()));
            named.map_or_else(
                || format!(" {what}, and an @id for the note "),
                |id| format!(" {what} to the Markback note {id} "),
            )
        }
        _ if form.kind == FormKind::Decision => format!(" {what} "),
        _ if selector.side == Side::Doc && form.kind == FormKind::Claim => " claim about the whole change ".to_owned(),
        _ if selector.side == Side::Doc => format!(" {what} on the whole change "),
        None if !target.more.is_empty() => format!(" {} notes: {} ", target.count(), target.ranges()),
        Some(path) if !target.more.is_empty() => {
            format!(" {} notes: {} of {} ", target.count(), target.ranges(), model.shown(path))
        }
        None => format!(" {what} "),
        Some(path) if form.kind == FormKind::Claim => format!(" claim about {selector} of {} ", model.shown(path)),
        Some(path) => format!(" {what} on {} ", model.shown(path)),
    };
    canvas.put(area.x + 2, area.y, area.width.saturating_sub(4), &[(canvas.style(Role::Note), title)]);
}

/// A row of fields that are chosen.
fn draw_choices(canvas: &mut Canvas<'_>, area: Rect, form: &Form, row: &[(Field, String)]) {
    let mut x = area.x;
    for (field, value) in row {
        let focused = form.focus == *field;
        let (style, left, right) = match focused {
            true => (canvas.row_style(Role::Text, true, true), canvas.symbol("‹", "<"), canvas.symbol("›", ">")),
            false => (canvas.style(Role::Text), " ", " "),
        };
        let label =
            if x == area.x { format!("{:1$}", field.label(), LABEL - 1) } else { format!("{} ", field.label()) };
        let texts = [(canvas.style(Role::Dim), label), (style, format!("{left}{value}{right}"))];
        canvas.put(x, area.y, area.right().saturating_sub(x), &texts);
        x = (x + SECOND_CHOICE).min(area.right());
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
        let (role, text) =
            if text.is_empty() { (Role::Dim, row.field.hint()) } else { (Role::Text, &text[row.text.clone()]) };
        canvas.put(x, y, room, &[(canvas.style(role), text)]);
        if let Some(column) = row.cursor {
            let column = u16::try_from(column).unwrap_or(u16::MAX);
            cursor = Some(Position::new(x.saturating_add(column).min(area.right().saturating_sub(1)), y));
        }
    }
    cursor
}
