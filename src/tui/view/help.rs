//! The key table, made from the table of commands.

use ratatui::layout::Rect;

use super::super::command::{COMMANDS, Context, Entry};
use super::super::model::Model;
use super::super::theme::Role;
use super::canvas::Canvas;

/// The columns of the keys.
const KEYS: usize = 20;

/// A row of the help.
enum HelpRow {
    Title(&'static str),
    Command(String, &'static str),
    Text(&'static str),
    Gap,
}

const LEGEND: [&str; 7] = [
    "┃ explained, a claim passes      │ explained, nothing verified",
    "╳ explained, a claim fails       ╎ explained by inference only",
    "▏ added and not explained        ▪ a Markback note",
    "2 several notes on one line",
    "✓ pass  ✗ fail  ? unknown  – skipped  ∅ no claim  … stub",
    "src evidence    inf inference: made up from context",
    "A number before a command repeats it: 5j",
];

fn rows(model: &Model) -> Vec<HelpRow> {
    let mut rows = Vec::new();
    for (context, title) in [(Context::Review, "Review"), (Context::Form, "Writing")] {
        rows.push(HelpRow::Title(title));
        let entries = COMMANDS.iter().filter(|entry: &&Entry| entry.contexts.contains(&context));
        for entry in entries {
            let keys = model.keymap.keys_of(context, entry.command);
            if !keys.is_empty() {
                rows.push(HelpRow::Command(keys.join(" "), entry.doc));
            }
        }
        rows.push(HelpRow::Gap);
    }
    rows.push(HelpRow::Title("Signs"));
    rows.extend(LEGEND.map(HelpRow::Text));
    rows
}

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, screen: Rect, scrolled: u16) {
    let rows = rows(model);
    let wanted = u16::try_from(rows.len() + 2).unwrap_or(u16::MAX);
    let (width, height) = (screen.width.saturating_sub(4).min(84), screen.height.saturating_sub(2).min(wanted));
    let area = Rect::new((screen.width - width) / 2, (screen.height - height) / 2, width, height);
    canvas.clear(area);
    let border = canvas.style(Role::BorderFocus);
    canvas.frame(area, border);
    let inner = height.saturating_sub(2);
    let first = usize::from(scrolled).min(rows.len().saturating_sub(usize::from(inner)));
    let more = rows.len() > first + usize::from(inner);
    let title = if more { " Keys: j and k scroll, any other key goes back " } else { " Keys: any key goes back " };
    canvas.put(area.x + 2, area.y, area.width.saturating_sub(4), &[(canvas.style(Role::Path), title)]);
    for (y, row) in (area.y + 1..area.bottom() - 1).zip(&rows[first..]) {
        let (x, room) = (area.x + 2, area.width.saturating_sub(4));
        match row {
            HelpRow::Title(text) => canvas.put(x, y, room, &[(canvas.style(Role::Path), *text)]),
            HelpRow::Text(text) => canvas.put(x, y, room, &[(canvas.style(Role::Text), *text)]),
            HelpRow::Command(keys, doc) => {
                let keys = (canvas.style(Role::Key), format!("{keys:KEYS$} "));
                canvas.put(x, y, room, &[keys, (canvas.style(Role::Text), (*doc).to_owned())])
            }
            HelpRow::Gap => x,
        };
    }
}
