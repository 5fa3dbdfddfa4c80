//! What is about to be staged, unstaged or discarded, above everything else: as it will change the index or the disk.

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::command::{Command, Context};
use super::super::effect::Act;
use super::super::model::Model;
use super::super::place::popup_area;
use super::super::preview::{PreviewLine, PreviewRow};
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::document::partial::Fate;

/// The columns of a line number, at least.
const DIGITS: usize = 4;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>) {
    let Some(acting) = &model.acting else { return };
    let waiting = [PreviewRow::Said("What changes by that is being worked out …".to_owned())];
    let (act, preview, whole) = (&acting.act, acting.preview.as_deref().unwrap_or(&waiting), popup_area(model));
    let rows = u16::try_from(preview.len() + 2).unwrap_or(u16::MAX).min(whole.height);
    let area = Rect::new(whole.x, whole.y + (whole.height - rows) / 2, whole.width, rows);
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocus));
    let room = area.width.saturating_sub(4);
    let title = format!(" {} {}? ", act.kind.verb(), model.display.visible(&acting.what));
    canvas.put(area.x + 2, area.y, room, &[(canvas.style(Role::Path), title)]);
    let last = area.bottom() - 1;
    let height = usize::from(last.saturating_sub(area.y + 1));
    let first = acting.top.min(preview.len().saturating_sub(height));
    let shown = &preview[first..(first + height).min(preview.len())];
    let digits = digits(shown);
    for (y, row) in (area.y + 1..last).zip(shown) {
        let texts = texts(model, canvas, act, row, digits);
        match row {
            PreviewRow::Line(_) => canvas.put_as_is(area.x + 2, y, room, &texts),
            PreviewRow::Said(_) | PreviewRow::Gap | PreviewRow::Unended => canvas.put(area.x + 2, y, room, &texts),
        };
    }
    let more = preview.len() - (first + shown.len());
    if more > 0 {
        let scrolls = model.key_in(Context::Popup, Command::Down);
        let more = format!(" {more} more below, {scrolls} scrolls ");
        canvas.put(area.x + 2, last, room, &[(canvas.style(Role::Warning), more)]);
    }
}

fn texts(model: &Model, canvas: &Canvas<'_>, act: &Act, row: &PreviewRow, digits: usize) -> Vec<(Style, String)> {
    let gutter = 2 * (digits + 1);
    let dim = |text: String| vec![(canvas.style(Role::Dim), text)];
    match row {
        PreviewRow::Said(text) => vec![(canvas.style(Role::Dim), model.display.visible(text))],
        PreviewRow::Gap => dim(format!("{:gutter$}{}", "", canvas.symbol("⋯", "..."))),
        PreviewRow::Unended => dim(format!("{:gutter$}\\ No newline at end of file", "")),
        PreviewRow::Line(line) => {
            let (role, sign) = match line.fate {
                Fate::Stays => (Role::Context, " "),
                Fate::Goes => (Role::Removed, "-"),
                Fate::Comes => (Role::Added, "+"),
            };
            let [before, after] = numbers(line).map(|number| match number {
                Some(number) => format!("{number:>digits$} "),
                None => " ".repeat(digits + 1),
            });
            let section = act.other.as_ref().filter(|_| line.is_of_other).unwrap_or(&act.section);
            let text = model.shown(section.line_text(&section.tree().lines[line.line as usize]));
            let numbers = (canvas.style(Role::LineNumber), before + &after);
            vec![numbers, (canvas.style(role), format!("{sign} {text}"))]
        }
    }
}

/// The numbers of a line before and after, where it is there.
fn numbers(line: &PreviewLine) -> [Option<u64>; 2] {
    let [before, after] = line.numbers;
    [Some(before).filter(|_| line.fate != Fate::Comes), Some(after).filter(|_| line.fate != Fate::Goes)]
}

fn digits(rows: &[PreviewRow]) -> usize {
    let numbers = rows.iter().filter_map(|row| match row {
        PreviewRow::Line(line) => line.numbers.into_iter().max(),
        PreviewRow::Said(_) | PreviewRow::Unended | PreviewRow::Gap => None,
    });
    numbers.max().map_or(DIGITS, |most| most.to_string().len().max(DIGITS))
}
