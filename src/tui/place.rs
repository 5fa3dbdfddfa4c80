//! Where cards and files stand on the screen: what the view draws, and what the mouse looks up.

use super::layout::{Position, Rect, checkup_area, pick_area};

use super::card::COMPACT;
use super::model::{Focus, Model, OpenCard, Pos};
use super::rows::Row;
use super::tree::{TreeRow, inside};
use super::walk::ScreenPos;

/// A card in the pane beside the diff.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlacedCard {
    /// Whose card it is.
    pub focus: Focus,
    /// The index of the annotation in its part.
    pub index: usize,
    /// Whether it is open.
    pub open: bool,
    /// The cells it takes.
    pub area: Rect,
}

/// The cards beside the visible rows, and how many found no room above and below.
#[derive(Debug, Clone, Default)]
pub struct Cards {
    /// The cards, from top to bottom.
    pub placed: Vec<PlacedCard>,
    /// Cards above the first.
    pub above: usize,
    /// Cards below the last.
    pub below: usize,
}

/// Where a pane above the rest may stand, borders included: not above what is said at the bottom.
#[must_use]
pub fn popup_area(model: &Model) -> Rect {
    checkup_area(model.size, model.layout.map_or(1, |layout| layout.footer.height))
}

/// The pane with the review's commands, borders included: as high as what it says, as far as there is room.
#[must_use]
pub fn checkup_place(model: &Model) -> Rect {
    let whole = popup_area(model);
    let rows = model.checkup.as_ref().map_or(0, |checkup| {
        let (rows, _) = checkup.rows(model.display, usize::from(whole.width.saturating_sub(4)));
        rows.len()
    });
    let height = u16::try_from(rows.saturating_add(2)).unwrap_or(u16::MAX).min(whole.height);
    Rect::new(whole.x, whole.y + (whole.height - height) / 2, whole.width, height)
}

/// The first visible row of the pane with the review's commands, and the last one that can be the first.
#[must_use]
pub fn checkup_rows(model: &Model) -> (usize, usize) {
    let Some(checkup) = &model.checkup else { return (0, 0) };
    let area = checkup_place(model);
    let height = usize::from(area.height.saturating_sub(2));
    let (rows, visible) = checkup.rows(model.display, usize::from(area.width.saturating_sub(4)));
    let last = rows.len().saturating_sub(height);
    let first = checkup.scrolled.unwrap_or((visible + 1).saturating_sub(height));
    (first.min(last), last)
}

struct Wanted {
    /// Whose card it is; `None`: it is the form.
    focus: Option<Focus>,
    index: usize,
    row: u16,
    height: u16,
}

impl Model {
    /// The cards beside the visible rows: each at its first line, or as high as the card above allows. The open one is
    /// always there, whole if it fits, unless it makes room for the form.
    #[must_use]
    pub fn cards(&self) -> Cards {
        let Some(layout) = self.layout else { return Cards::default() };
        let Some(pane) = layout.notes else { return Cards::default() };
        let mut wanted = self.wanted(pane);
        let form = layout.form.map(|form| {
            let row = form.y - pane.y;
            let at = wanted.partition_point(|card| card.row < row);
            wanted.insert(at, Wanted { focus: None, index: 0, row, height: form.height });
            at
        });
        let open = form.or_else(|| wanted.iter().position(|card| card.focus.is_some() && card.focus == self.focus));
        let Some(open) = open else { return stack(&wanted, pane, 0, (None, self.focus)) };
        let start = wanted[open].row.min(pane.height.saturating_sub(wanted[open].height));
        let room_above = start;
        let mut first = open;
        let mut used = 0;
        while first > 0 && used + wanted[first - 1].height <= room_above {
            first -= 1;
            used += wanted[first].height;
        }
        stack(&wanted, pane, first, (Some((open, start)), self.focus))
    }

    /// The annotations of the visible rows, in order, with the row they would like.
    fn wanted(&self, pane: Rect) -> Vec<Wanted> {
        let rows: Vec<(ScreenPos, Row)> = self.screen_rows(self.top).take(usize::from(pane.height)).collect();
        let mut wanted = Vec::new();
        let mut start = 0;
        while start < rows.len() {
            let part = rows[start].0.pos.part;
            let is_other = |(at, _): &(ScreenPos, Row)| at.pos.part != part;
            let end = rows[start..].iter().position(is_other).map_or(rows.len(), |at| start + at);
            self.wanted_of(part, &rows[start..end], start, &mut wanted);
            start = end;
        }
        wanted
    }

    fn wanted_of(&self, index: usize, rows: &[(ScreenPos, Row)], offset: usize, wanted: &mut Vec<Wanted>) {
        let part = &self.parts[index];
        let (first, last) = (rows[0].0.pos.row, rows[rows.len() - 1].0.pos.row);
        for (number, annotation) in part.annotations.iter().enumerate() {
            let focus = Focus { part: index, subject: annotation.subject };
            let is_open = Some(focus) == self.focus;
            let start = part.row_of(annotation);
            let end = annotation.lines.and_then(|(_, last)| part.rows.row_of_line(last)).unwrap_or(start);
            if (end < first || start > last) && !(is_open && index == self.cursor.part) {
                continue;
            }
            let row = offset + rows.partition_point(|(at, _)| at.pos.row < start.clamp(first, last));
            let open = self.open_card.as_ref().filter(|_| is_open);
            let height = open.map_or(COMPACT, OpenCard::height);
            wanted.push(Wanted {
                focus: Some(focus),
                index: number,
                row: u16::try_from(row).unwrap_or(u16::MAX),
                height,
            });
        }
    }
}

/// Put the cards below each other from the one at `first`; the one at `fixed` stands exactly where it says. The one that
/// has the `focus` is open.
fn stack(wanted: &[Wanted], pane: Rect, first: usize, (fixed, focus): (Option<(usize, u16)>, Option<Focus>)) -> Cards {
    let mut cards = Cards { above: first, ..Cards::default() };
    let mut next = 0;
    for (number, card) in wanted.iter().enumerate().skip(first) {
        let mut row = card.row.max(next);
        if let Some((open, start)) = fixed {
            if number == open {
                row = start.max(next);
            } else if number < open {
                let between: u16 = wanted[number..open].iter().map(|card| card.height).sum();
                row = row.min(start.saturating_sub(between)).max(next);
            }
        }
        if row + card.height > pane.height {
            cards.below = wanted.len() - number;
            break;
        }
        let area = Rect::new(pane.x, pane.y + row, pane.width, card.height);
        let open = card.focus == focus;
        cards.placed.extend(card.focus.map(|focus| PlacedCard { focus, index: card.index, open, area }));
        next = row + card.height;
    }
    cards
}

/// The card at a cell of the screen.
#[must_use]
pub fn card_at(model: &Model, column: u16, row: u16) -> Option<Focus> {
    let inside = |area: &Rect| area.contains(Position::new(column, row));
    model.cards().placed.iter().find(|card| inside(&card.area)).map(|card| card.focus)
}

/// Where the pieces of a list to choose from are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PickPlace {
    /// All of it, borders included.
    pub area: Rect,
    /// The line that is typed.
    pub filter: Rect,
    /// The rows that cannot be chosen.
    pub facts: Rect,
    /// The entries.
    pub entries: Rect,
    /// The first entry that is shown.
    pub first: usize,
}

/// Where the list to choose from is, if one is open. What is typed stays where it is when fewer entries fit it, and below
/// them more of the review shows.
#[must_use]
pub fn pick_place(model: &Model) -> Option<PickPlace> {
    let pick = model.pick.as_ref()?;
    // A few entries stay in sight.
    let few = pick.len().clamp(1, 3);
    let above = pick.facts.len() + 1;
    let area = pick_area(model.size, above + pick.len().max(1), if above > 1 { above + few } else { 0 });
    let inside = Rect::new(area.x + 2, area.y + 1, area.width.saturating_sub(4), area.height.saturating_sub(2));
    let filter = Rect { height: inside.height.min(1), ..inside };
    let rest = inside.height - filter.height;
    let few = u16::try_from(few).unwrap_or(u16::MAX);
    let height = u16::try_from(pick.facts.len()).unwrap_or(u16::MAX).min(rest.saturating_sub(few));
    let facts = Rect { y: filter.bottom(), height, ..inside };
    let entries = Rect { y: facts.bottom(), height: rest - height, ..inside };
    let empty = entries.height.saturating_sub(u16::try_from(pick.shown().len().max(1)).unwrap_or(u16::MAX));
    let area = Rect { height: area.height - empty, ..area };
    let entries = Rect { height: entries.height - empty, ..entries };
    let height = usize::from(entries.height);
    let first = pick.at().saturating_sub(height / 2).min(pick.shown().len().saturating_sub(height));
    Some(PickPlace { area, filter, facts, entries, first })
}

/// How many entries of the list to choose from are on the screen at once.
#[must_use]
pub fn pick_page(model: &Model) -> u16 {
    pick_place(model).map_or(0, |place| place.entries.height)
}

/// The entry at a cell of the screen, counted among those that fit; `None` outside of the list.
#[must_use]
pub fn pick_at(model: &Model, column: u16, row: u16) -> Option<Option<usize>> {
    let PickPlace { area, entries, first, .. } = pick_place(model)?;
    let cell = Position::new(column, row);
    if !area.contains(cell) {
        return None;
    }
    let at = entries.contains(cell).then(|| first + usize::from(row - entries.top()));
    Some(at.filter(|at| model.pick.as_ref().is_some_and(|pick| *at < pick.shown().len())))
}

/// The files in the folder at `at` of the tree, by the index of the part.
pub fn files_in(model: &Model, at: usize) -> impl Iterator<Item = usize> + '_ {
    let rows = model.tree[inside(&model.tree, at)].iter();
    rows.filter(|row| row.folder.is_none() && row.line.is_none()).map(|row| row.part)
}

/// The row at which an entry of the tree begins; a folder begins with the first file in it.
#[must_use]
pub fn entry_pos(model: &Model, entry: &TreeRow) -> Pos {
    let row = entry.line.and_then(|line| model.parts[entry.part].rows.row_of_line(line));
    Pos { part: entry.part, row: row.unwrap_or(0) }
}

/// The entry of the tree that the row at `pos` is in, by index.
#[must_use]
pub fn entry_at(model: &Model, pos: Pos) -> Option<usize> {
    model.tree.partition_point(|entry| entry_pos(model, entry) <= pos).checked_sub(1)
}

/// The first row of the screen that says something.
#[must_use]
pub fn topmost(model: &Model) -> Pos {
    let mut rows = model.rows_from(model.top.pos);
    rows.find(|(_, row)| !matches!(row, Row::Gap)).map_or(model.top.pos, |(pos, _)| pos)
}

/// The entry of the tree that stands for where the reader is in the list of files, by index: a closed folder stands for
/// what is in it.
#[must_use]
pub fn listed_here(model: &Model) -> Option<usize> {
    model.listed.get(place_in_list(model)?).copied()
}

/// Where in the list of files the reader is.
fn place_in_list(model: &Model) -> Option<usize> {
    let cursor = model.cursor;
    let on_folder = model.on_folder.as_ref().filter(|(_, pos)| *pos == cursor).map(|(folder, _)| folder);
    let is_it = |at: &usize| model.tree[*at].part == cursor.part && model.tree[*at].folder.as_ref() == on_folder;
    if let Some(place) = on_folder.and_then(|_| model.listed.iter().position(is_it)) {
        return Some(place);
    }
    model.listed.partition_point(|at| entry_pos(model, &model.tree[*at]) <= cursor).checked_sub(1)
}

/// The rows of the tree that the list of files shows on the screen, by index, from top to bottom: the one with the cursor
/// is always among them.
#[must_use]
pub fn visible_files(model: &Model) -> &[usize] {
    let Some(area) = model.layout.and_then(|layout| layout.files) else { return &[] };
    let (height, count) = (usize::from(area.height), model.listed.len());
    let here = place_in_list(model).unwrap_or(0);
    let first = here.saturating_sub(height / 2).min(count.saturating_sub(height));
    &model.listed[first..count.min(first + height)]
}

/// The entry of the list of files that is at a cell of the screen, by its index in the tree.
#[must_use]
pub fn file_at(model: &Model, column: u16, row: u16) -> Option<usize> {
    let area = model.layout?.files?;
    if !area.contains(Position::new(column, row)) {
        return None;
    }
    visible_files(model).get(usize::from(row - area.top())).copied()
}
