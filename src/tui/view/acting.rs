//! The lines that are about to be staged, unstaged or discarded, above everything else.

use ratatui::layout::Rect;

use super::super::command::{Command, Context};
use super::super::layout::checkup_area;
use super::super::model::Model;
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::diff::LineKind;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>) {
    let Some(acting) = &model.acting else { return };
    let (act, whole) = (&acting.act, checkup_area(model.size));
    let tree = act.section.tree();
    let kind = |line: &u32| tree.lines[*line as usize].diff_kind();
    let count = |wanted: LineKind| act.lines.iter().filter(|line| kind(line) == Some(wanted)).count();
    let rows = u16::try_from(act.lines.len() + 4).unwrap_or(u16::MAX).min(whole.height);
    let area = Rect::new(whole.x, whole.y + (whole.height - rows) / 2, whole.width, rows);
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocus));
    let room = area.width.saturating_sub(4);
    let (added, removed) = (count(LineKind::Added), count(LineKind::Removed));
    let path = model.shown(act.section.path_text().as_bytes());
    let title = format!(" {} +{added} {}{removed} of {path}? ", act.kind.verb(), canvas.symbol("−", "-"));
    canvas.put(area.x + 2, area.y, room, &[(canvas.style(Role::Path), title)]);
    let words = act.meaning();
    canvas.put(area.x + 2, area.y + 1, room, &[(canvas.style(Role::Dim), words)]);
    let last = area.bottom() - 1;
    let height = usize::from(last.saturating_sub(area.y + 2));
    let first = acting.top.min(act.lines.len().saturating_sub(height));
    for (y, line) in (area.y + 2..last).zip(&act.lines[first..]) {
        let (role, sign) = match kind(line) {
            Some(LineKind::Added) => (Role::Added, "+"),
            _ => (Role::Removed, "-"),
        };
        let text = model.shown(act.section.line_text(&tree.lines[*line as usize]));
        canvas.put(area.x + 2, y, room, &[(canvas.style(role), format!("{sign} {text}"))]);
    }
    let more = act.lines.len() - (first + height).min(act.lines.len());
    let more = if more > 0 {
        format!(" {more} more below, {} scrolls ·", model.key_in(Context::Popup, Command::Down))
    } else {
        String::new()
    };
    let hint = format!("{more} {} does it, any other key does not ", model.key_in(Context::Popup, Command::Accept));
    canvas.put(area.x + 2, last, room, &[(canvas.style(Role::Warning), hint)]);
}
