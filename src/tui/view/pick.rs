//! A list above the rest: what is typed, and the entries that fit.

use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use unicode_segmentation::UnicodeSegmentation;

use super::super::fuzzy::Fuzzy;
use super::super::model::Model;
use super::super::pick::{Entry, Pick};
use super::super::place::{PickPlace, pick_place};
use super::super::theme::Role;
use super::canvas::Canvas;

/// Draw the list; where the terminal's cursor stands.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>) -> Option<Position> {
    let pick = model.pick.as_ref()?;
    let PickPlace { area, filter, facts, entries, first } = pick_place(model)?;
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocus));
    let room = area.width.saturating_sub(4);
    canvas.put(area.x + 2, area.y, room, &[(canvas.style(Role::Path), format!(" {} ", pick.title))]);
    let count = format!(" {} of {} ", pick.shown().len(), pick.len());
    let taken = canvas.width(&[(Style::default(), &count)]);
    canvas.put(area.right().saturating_sub(taken + 2), area.y, taken, &[(canvas.style(Role::Dim), &count)]);
    let cursor = draw_filter(canvas, filter, pick);
    for (y, row) in (facts.top()..facts.bottom()).zip(&pick.facts) {
        let texts: Vec<_> = row.iter().map(|(role, text)| (canvas.style(*role), text)).collect();
        canvas.put(facts.x, y, facts.width, &texts);
    }
    let in_sight = || pick.shown().skip(first).take(usize::from(entries.height));
    let longest = |text: fn(&Entry) -> &str| {
        let longest = in_sight().map(|entry| model.display.width(text(entry))).max().unwrap_or(0);
        u16::try_from(longest).unwrap_or(u16::MAX)
    };
    let others = longest(|entry| &entry.detail).saturating_add(longest(|entry| &entry.aside)).saturating_add(BESIDE);
    let most = (entries.width / 2).max(entries.width.saturating_sub(others));
    let name = longest(|entry| &entry.name).min(most);
    let mut fuzzy = Fuzzy::new(pick.filter().text().trim());
    for (index, (y, entry)) in (entries.top()..entries.bottom()).zip(pick.shown().skip(first)).enumerate() {
        let row = Rect { y, height: 1, ..entries };
        draw_entry(canvas, row, entry, (first + index == pick.at(), name), &mut fuzzy);
    }
    if pick.shown().len() == 0 {
        canvas.put(entries.x + 2, entries.y, entries.width, &[(canvas.style(Role::Dim), "nothing fits")]);
    }
    Some(cursor)
}

fn draw_filter(canvas: &mut Canvas<'_>, area: Rect, pick: &Pick) -> Position {
    let x = canvas.put(area.x, area.y, area.width, &[(canvas.style(Role::Key), "> ")]);
    let columns = usize::from(area.right().saturating_sub(x));
    let rows = pick.filter().rows(columns);
    let (row, column) = pick.filter().cursor_cell(columns);
    let text = &pick.filter().text()[rows[row].clone()];
    let (role, text) = if text.is_empty() { (Role::Dim, "type to narrow the list") } else { (Role::Text, text) };
    canvas.put(x, area.y, area.right().saturating_sub(x), &[(canvas.style(role), text)]);
    Position::new(x + u16::try_from(column).unwrap_or(0), area.y)
}

fn draw_entry(canvas: &mut Canvas<'_>, area: Rect, entry: &Entry, (is_chosen, name): (bool, u16), fuzzy: &mut Fuzzy) {
    let style = canvas.row_style(Role::Text, is_chosen, false);
    canvas.fill(area, style);
    let lead = if is_chosen { canvas.symbol("▌", ">") } else { " " };
    let x = canvas.put(area.x, area.y, area.width, &[(style, format!("{lead} "))]);
    let letters = letters(canvas, style, &entry.name, &fuzzy.places(&entry.name));
    canvas.put(x, area.y, name, &canvas.shortened(letters, usize::from(name)));
    let aside = [(canvas.over(style, Role::Key), entry.aside.as_str())];
    let taken = canvas.width(&aside).min(area.width / 3);
    canvas.put(area.right().saturating_sub(taken), area.y, taken, &aside);
    let start = x + name + 2;
    let room = area.right().saturating_sub(taken + 1 + u16::from(taken > 0)).saturating_sub(start);
    canvas.put(start, area.y, room, &[(canvas.over(style, Role::Dim), entry.detail.as_str())]);
}

/// The columns between what stands in a row, and in front of it.
const BESIDE: u16 = 6;

/// A name, the characters at `places` standing out.
fn letters(canvas: &Canvas<'_>, style: Style, name: &str, places: &[u32]) -> Vec<(Style, String)> {
    let key = canvas.over(style, Role::Key);
    let mut texts: Vec<(Style, String)> = Vec::new();
    for (index, letter) in (0u32..).zip(name.graphemes(true)) {
        let style = if places.binary_search(&index).is_ok() { key } else { style };
        match texts.last_mut() {
            Some((last, text)) if *last == style => text.push_str(letter),
            _ => texts.push((style, letter.to_owned())),
        }
    }
    texts
}
