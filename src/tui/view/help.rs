//! The key table above everything else.

use ratatui::layout::Rect;

use super::super::command::{Command, Context};
use super::super::help::{self, HelpRow};
use super::super::layout::Size;
use super::super::model::{Help, Model};
use super::super::theme::Role;
use super::canvas::Canvas;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, screen: Rect, Help { scrolled, found }: Help) {
    let rows = help::rows_of(model);
    let area = help::area(Size { width: screen.width, height: screen.height }, rows.len());
    canvas.clear(area);
    let border = canvas.style(Role::BorderFocus);
    canvas.frame(area, border);
    let inner = area.height.saturating_sub(2);
    let first = usize::from(scrolled).min(rows.len().saturating_sub(usize::from(inner)));
    let more = rows.len() > first + usize::from(inner);
    let [down, up, search] = [Command::Down, Command::Up, Command::Search].map(|key| model.key_in(Context::Popup, key));
    let scroll = if more || first > 0 { format!("{down} and {up} scroll, ") } else { String::new() };
    let title = format!(" Keys: {scroll}{search} finds a key, any other key goes back ");
    canvas.put(area.x + 2, area.y, area.width.saturating_sub(4), &[(canvas.style(Role::Path), title)]);
    for (y, row) in (area.y + 1..area.bottom() - 1).zip(&rows[first..]) {
        let (x, room) = (area.x + 2, area.width.saturating_sub(4));
        match row {
            HelpRow::Title(text) => canvas.put(x, y, room, &[(canvas.style(Role::Path), *text)]),
            HelpRow::Problem(text) => canvas.put(x, y, room, &[(canvas.style(Role::Warning), text.as_str())]),
            HelpRow::Text(text) => canvas.put(x, y, room, &[(canvas.style(Role::Text), text.as_str())]),
            HelpRow::Command { place, keys, doc } => {
                let is_found = place.is_some() && *place == found;
                let style = |role| if is_found { canvas.row_style(role, true, false) } else { canvas.style(role) };
                let (key, text) = (style(Role::Key), style(Role::Text));
                if is_found {
                    let sign = [(text, canvas.symbol("▌", ">"))];
                    canvas.fill(Rect::new(x - 1, y, room + 1, 1), text);
                    canvas.put(x - 1, y, 1, &sign);
                }
                let keys = match help::key_columns(usize::from(room)) {
                    Some(taken) => format!("{keys:taken$} "),
                    None if keys.is_empty() => help::INDENT.to_owned(),
                    None => keys.clone(),
                };
                canvas.put(x, y, room, &[(key, keys), (text, doc.clone())])
            }
            HelpRow::Gap => x,
        };
    }
}
