//! The key table above everything else.

use ratatui::layout::Rect;

use super::super::help::{self, HelpRow};
use super::super::layout::Size;
use super::super::model::Model;
use super::super::theme::Role;
use super::canvas::Canvas;

/// The columns of the keys.
const KEYS: usize = 28;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, screen: Rect, scrolled: u16) {
    let rows = help::rows_of(model);
    let area = help::area(Size { width: screen.width, height: screen.height }, rows.len());
    canvas.clear(area);
    let border = canvas.style(Role::BorderFocus);
    canvas.frame(area, border);
    let inner = area.height.saturating_sub(2);
    let first = usize::from(scrolled).min(rows.len().saturating_sub(usize::from(inner)));
    let more = rows.len() > first + usize::from(inner);
    let title = match more || first > 0 {
        true => " Keys: j and k scroll, / finds a command, any other key goes back ",
        false => " Keys: / finds a command, any other key goes back ",
    };
    canvas.put(area.x + 2, area.y, area.width.saturating_sub(4), &[(canvas.style(Role::Path), title)]);
    for (y, row) in (area.y + 1..area.bottom() - 1).zip(&rows[first..]) {
        let (x, room) = (area.x + 2, area.width.saturating_sub(4));
        match row {
            HelpRow::Title(text) => canvas.put(x, y, room, &[(canvas.style(Role::Path), *text)]),
            HelpRow::Problem(text) => canvas.put(x, y, room, &[(canvas.style(Role::Warning), text.as_str())]),
            HelpRow::Text(text) => canvas.put(x, y, room, &[(canvas.style(Role::Text), *text)]),
            HelpRow::Command(keys, doc) => {
                let keys = (canvas.style(Role::Key), format!("{keys:KEYS$} "));
                canvas.put(x, y, room, &[keys, (canvas.style(Role::Text), (*doc).to_owned())])
            }
            HelpRow::Gap => x,
        };
    }
}
