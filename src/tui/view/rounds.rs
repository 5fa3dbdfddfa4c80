//! The list of comments and rounds above everything else.

use std::collections::VecDeque;

use ratatui::layout::Rect;

use super::super::card::{LOST, progress};
use super::super::command::Command;
use super::super::form::Target;
use super::super::model::Model;
use super::super::place::popup_area;
use super::super::talk::{self, Comment, ListRow};
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::text::counted::counted;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>) {
    let list = model.talk.list();
    let whole = popup_area(model);
    let room = whole.width.saturating_sub(4);
    let lines = visible(model, &list, room, usize::from(whole.height.saturating_sub(2)));
    let nothing = format!("nothing yet: {}; {} sends", model.ways_to_queue(), model.key(Command::Send));
    let nothing = if list.is_empty() { wrapped(model, &nothing, room) } else { Vec::new() };
    let rows = u16::try_from(lines.len().max(nothing.len()) + 2).unwrap_or(u16::MAX).min(whole.height);
    let area = Rect::new(whole.x, whole.y + (whole.height - rows) / 2, whole.width, rows);
    canvas.clear(area);
    canvas.frame(area, canvas.style(Role::BorderFocus));
    canvas.put(area.x + 2, area.y, room, &[(canvas.style(Role::Path), " For the agent ")]);
    for (y, line) in (area.y + 1..area.bottom() - 1).zip(nothing) {
        canvas.put(area.x + 2, y, room, &[(canvas.style(Role::Dim), line)]);
    }
    for (y, (index, words)) in (area.y + 1..area.bottom() - 1).zip(lines) {
        let is_current = index == model.talk.row;
        let marker = if is_current { canvas.symbol("▸ ", "> ") } else { "  " };
        let ground = canvas.row_style(Role::Text, is_current, false);
        canvas.fill(Rect::new(area.x + 2, y, room, 1), ground);
        let mut texts = vec![(canvas.over(ground, Role::Key), marker.to_owned())];
        texts.extend(words.into_iter().map(|(role, text)| (canvas.over(ground, role), text)));
        canvas.put(area.x + 2, y, room, &texts);
    }
}

/// What a line on the screen says: words, each with its looks.
type Line = Vec<(Role, String)>;

/// The lines that fit into `height`, each with the row that it is of: those up to the row with the cursor, as many as there
/// is room for, and then what follows.
fn visible(model: &Model, list: &[ListRow], room: u16, height: usize) -> Vec<(usize, Line)> {
    let current = model.talk.row;
    let of = |index: usize| lines(model, list[index], room).into_iter().map(move |line| (index, line));
    let mut shown: VecDeque<(usize, Line)> = VecDeque::new();
    for index in (0..list.len().min(current + 1)).rev() {
        if shown.len() >= height {
            break;
        }
        of(index).rev().for_each(|line| shown.push_front(line));
    }
    // Of what is too long for the screen the row with the cursor is seen from its start.
    while shown.len() > height && shown.front().is_some_and(|(index, _)| *index != current) {
        shown.pop_front();
    }
    let rest = (current + 1..list.len()).flat_map(of);
    let room = height.saturating_sub(shown.len());
    shown.extend(rest.take(room));
    shown.into_iter().take(height).collect()
}

/// The lines of a row: one, but for what an agent said, of which all can be read here alone.
fn lines(model: &Model, row: ListRow, room: u16) -> Vec<Line> {
    let ListRow::Message(message, number) = row else { return vec![words(model, row)] };
    let said = model.talk.state.as_ref().and_then(|state| state.messages.get(message));
    let Some(said) = said else { return vec![Vec::new()] };
    let text = said.text.trim().lines().nth(number).unwrap_or_default();
    let (name, text) = match number {
        0 => ("message", format!("{}: {text}", said.agent)),
        _ => ("", text.to_owned()),
    };
    let lines = wrapped(model, &model.display.visible(&text), room.saturating_sub(13));
    let names = std::iter::once(name).chain(std::iter::repeat(""));
    names.zip(lines).map(|(name, line)| vec![(Role::Note, format!("{name:10} ")), (Role::Text, line)]).collect()
}

fn wrapped(model: &Model, text: &str, columns: u16) -> Vec<String> {
    let lines = model.display.wrap(text, usize::from(columns).max(1));
    lines.into_iter().map(|line| text[line].trim_end().to_owned()).collect()
}

/// What a row says.
fn words(model: &Model, row: ListRow) -> Line {
    let shown = |text: &str| model.shown(text.lines().next().unwrap_or_default().as_bytes());
    match row {
        ListRow::Message(..) => Vec::new(),
        ListRow::Unsent(index) => {
            let Some(comment) = model.talk.unsent.get(index) else { return Vec::new() };
            let place = place(model, &comment.target());
            let (role, word) = match comment.is_lost {
                true => (Role::ClaimFail, LOST),
                false => (Role::Warning, "not sent"),
            };
            vec![(role, format!("{word:13} ")), (Role::Path, place), (Role::Text, shown(&comment.text))]
        }
        ListRow::Note(number, row) => {
            let round = model.talk.state.as_ref().and_then(|state| state.round(number));
            let Some((round, note)) = round.and_then(|round| Some((round, round.notes.get(row)?))) else {
                return Vec::new();
            };
            let said = round.said.get(row).and_then(Option::as_ref);
            let (role, sign) = progress(&talk::progress(round, said));
            let written = note.draft.clone().and_then(|draft| serde_json::from_value::<Comment>(draft).ok());
            let (place, text) = match &written {
                Some(comment) => (place(model, &comment.target()), comment.text.as_str()),
                None => (String::new(), note.item.note.as_deref().unwrap_or_default()),
            };
            let mut words = vec![(role, format!("  {sign:11} ")), (Role::Path, place), (Role::Text, shown(text))];
            if let Some((_, said)) = said {
                let colon = if said.text.trim().is_empty() { "" } else { ": " };
                words.push((Role::Note, shown(&format!("  {}{colon}{}", said.agent, said.text))));
            }
            words
        }
        ListRow::Round(number) => {
            let Some(round) = model.talk.state.as_ref().and_then(|state| state.round(number)) else {
                return Vec::new();
            };
            let notes = counted(round.notes.len(), "note");
            let (role, word) = match (&round.answer, round.handed.last()) {
                (Some(said), _) => (Role::ClaimPass, format!("{} answered: {}", said.agent, said.text)),
                (None, _) if round.is_closed => (Role::Dim, "closed".to_owned()),
                (None, Some(handing)) => (Role::ClaimUnknown, format!("{} has it", handing.agent)),
                (None, None) => (Role::Dim, "waits for an agent".to_owned()),
            };
            let name = format!("{:10} ", format!("round {number}"));
            vec![(Role::Note, name), (Role::Dim, format!("{notes:9} ")), (role, shown(&word))]
        }
    }
}

/// The file that a comment is about, with its lines.
fn place(model: &Model, target: &Target) -> String {
    let Some(path) = &target.file else { return String::new() };
    let lines = if target.quote.is_some() { format!(":{}", target.selector) } else { String::new() };
    format!("{}{lines} ", model.shown(path))
}
