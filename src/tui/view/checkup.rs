//! The commands of the review above everything else: asked about, running, over.

use super::super::model::Model;
use super::super::place::{checkup_place, checkup_rows};
use super::super::theme::Role;
use super::canvas::Canvas;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>) {
    let Some(checkup) = &model.checkup else { return };
    let area = checkup_place(model);
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocus));
    let room = area.width.saturating_sub(4);
    let title = model.display.visible(checkup.title());
    canvas.put(area.x + 2, area.y, room, &[(canvas.style(Role::Path), title)]);
    let (rows, _) = checkup.rows(model.display, usize::from(room));
    let (first, _) = checkup_rows(model);
    for (y, row) in (area.y + 1..area.bottom() - 1).zip(rows.iter().skip(first)) {
        let texts: Vec<_> = row.iter().map(|(role, text)| (canvas.style(*role), text.as_str())).collect();
        canvas.put(area.x + 2, y, room, &texts);
    }
}
