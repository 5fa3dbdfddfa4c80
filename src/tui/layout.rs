//! Screen size -> rectangles. Pure arithmetic.

use std::str::FromStr;

pub use ratatui::layout::{Position, Rect};

/// The size of the screen in cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
}

impl Size {
    /// This size, cut to `most`.
    #[must_use]
    pub fn at_most(self, most: Self) -> Self {
        Self { width: self.width.min(most.width), height: self.height.min(most.height) }
    }
}

/// Screens larger than this are drawn in their upper left corner.
pub const MAXIMUM: Size = Size { width: 2000, height: 1000 };

/// What is no size of a screen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("write columns and rows, like 120x40, at most {}x{}", MAXIMUM.width, MAXIMUM.height)]
pub struct NoSize;

impl FromStr for Size {
    type Err = NoSize;

    fn from_str(text: &str) -> Result<Self, NoSize> {
        let (width, height) = text.split_once('x').ok_or(NoSize)?;
        let read = |number: &str, most: u16| number.parse().ok().filter(|number| (1..=most).contains(number));
        let width = read(width, MAXIMUM.width).ok_or(NoSize)?;
        Ok(Self { width, height: read(height, MAXIMUM.height).ok_or(NoSize)? })
    }
}

/// Below this many columns the notes stand under their lines instead of beside them.
pub const WIDE: u16 = 110;
/// From this many columns on documents have their headings beside them from the start.
pub const OUTLINE: u16 = 100;
/// From this many columns on the list of files is always there.
pub const EXTRA_WIDE: u16 = 160;
/// Below this many columns of the diff its sides do not stand next to each other.
pub const SPLIT: u16 = 100;
/// From this many columns on notes stand beside a diff whose sides stand next to each other; else under their lines.
pub const SPLIT_WITH_NOTES: u16 = 200;
/// The columns that every pane keeps.
pub const LEAST: u16 = 20;
/// The rows of the body that nothing said at the bottom lies above.
const LEAST_BODY: u16 = 3;
/// Smaller screens show one line that asks for a larger window.
pub const MINIMUM: Size = Size { width: 40, height: 10 };

/// Where everything is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    /// Title and gauges.
    pub header: Rect,
    /// The list of files, borders excluded.
    pub files: Option<Rect>,
    /// The line above the diff with the name of the file.
    pub diff_title: Rect,
    /// The diff.
    pub diff: Rect,
    /// Whether the sides of the diff stand next to each other.
    pub is_split: bool,
    /// The notes beside the diff, borders excluded; `None` when they stand under their lines, or there are none.
    pub notes: Option<Rect>,
    /// The form, borders included, while one is open: among the notes beside the diff, or between rows of the diff.
    pub form: Option<Rect>,
    /// The line at the bottom, or as many as are needed for what is said there. Those beyond the first lie above what
    /// else is there: what is said now and then moves nothing.
    pub footer: Rect,
}

/// Columns that the reader gave panes; `None` is as the width of the screen has it. A pane never takes so many that the
/// diff has fewer than [`LEAST`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Panes {
    /// The list of files.
    pub files: Option<u16>,
    /// The notes beside the diff.
    pub notes: Option<u16>,
}

/// A border that can be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Border {
    /// Between the list of files and the diff.
    Files,
    /// Between the diff and the notes.
    Notes,
}

/// What else wants a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wants {
    /// A form is open and needs this many rows, borders included.
    pub form: Option<u16>,
    /// The list of files was asked for.
    pub files: bool,
    /// The sides of the diff are to stand next to each other.
    pub split: bool,
    /// There are notes, which may stand beside the diff.
    pub notes: bool,
    /// The widths of panes.
    pub panes: Panes,
    /// It is prose that is read: notes stand beside it only where enough columns are left for it.
    pub prose: bool,
    /// The lines at the bottom that are needed beyond the first.
    pub below: u16,
}

impl Layout {
    /// The layout for a screen of this size, or `None` when the screen is too small for one.
    #[must_use]
    pub fn of(size: Size, wants: Wants) -> Option<Self> {
        if size.width < MINIMUM.width || size.height < MINIMUM.height {
            return None;
        }
        let Size { width, height } = size;
        let body_height = height - 3;
        let footer = 1 + wants.below.min(body_height - LEAST_BODY);
        let (files, left) = if width >= EXTRA_WIDE || wants.files {
            let usual = (width / 5).clamp(24, 44).min(width / 2);
            let files = wants.panes.files.unwrap_or(usual).min(width - LEAST).max(LEAST);
            (Some(Rect::new(0, 2, files, body_height)), files + 1)
        } else {
            (None, 0)
        };
        let right = width - left;
        let mut layout = Self {
            header: Rect::new(0, 0, width, 1),
            files,
            diff_title: Rect::new(left, 1, right, 1),
            diff: Rect::new(left, 2, right, body_height),
            is_split: wants.split && right >= SPLIT,
            notes: None,
            form: None,
            footer: Rect::new(0, height - footer, width, footer),
        };
        let has_room = if layout.is_split {
            width >= SPLIT_WITH_NOTES && right > SPLIT + LEAST
        } else {
            width >= WIDE && right >= if wants.prose { WIDE } else { 80 }
        };
        // Who has given the notes a width wants to see them there.
        if has_room && (wants.notes || wants.panes.notes.is_some()) {
            layout.beside(wants);
        } else if let Some(rows) = wants.form {
            // A row of what it is about stays in sight, whatever is said at the bottom.
            let rows = rows.min((body_height * 2 / 3).max(5)).min(body_height - footer);
            layout.diff.height = body_height - rows;
            layout.form = Some(Rect::new(left, layout.diff.bottom(), right, rows));
        }
        Some(layout)
    }

    /// The border at a cell, if there is one.
    #[must_use]
    pub fn border_at(&self, column: u16, row: u16) -> Option<Border> {
        let is_between = (self.diff_title.y..self.footer.y).contains(&row);
        [Border::Files, Border::Notes].into_iter().find(|border| is_between && self.column_of(*border) == Some(column))
    }

    /// The column in which a border stands.
    #[must_use]
    pub fn column_of(&self, border: Border) -> Option<u16> {
        match border {
            Border::Files => self.files.map(Rect::right),
            Border::Notes => self.notes.map(|pane| pane.x - 1),
        }
    }

    /// The widths that put a border into a column, or as near to it as panes allow.
    #[must_use]
    pub fn moved(&self, panes: Panes, border: Border, column: u16) -> Panes {
        let right = self.notes.map_or(self.diff.right(), Rect::right);
        match (border, self.notes) {
            (Border::Files, _) => {
                Panes { files: Some(column.clamp(LEAST, right.saturating_sub(LEAST).max(LEAST))), ..panes }
            }
            (Border::Notes, Some(_)) => {
                let most = right.saturating_sub(self.diff.x + LEAST + 1).max(LEAST);
                Panes { notes: Some(right.saturating_sub(column + 1).clamp(LEAST, most)), ..panes }
            }
            (Border::Notes, None) => panes,
        }
    }

    /// Put the form where its lines are, which begin at this row of the diff on the screen and end in front of that one:
    /// beside them, or between them and what follows. It never lies above them, nor below what is said at the bottom.
    pub fn put_form(&mut self, first: u16, end: u16) {
        let Some(form) = &mut self.form else { return };
        let (top, wanted) = match self.notes {
            Some(pane) => (pane.y, first),
            None => (self.diff.y, end.min(self.diff.height)),
        };
        let last = self.footer.y.saturating_sub(form.height).max(top);
        form.y = top.saturating_add(wanted).min(last);
    }

    /// The rows of the screen on which `height` rows of the diff stand of which `nth` stand above: the first row and how
    /// many, once or, where the form is between them, twice. Rows that the form has no room for are not there.
    #[must_use]
    pub fn pieces(&self, nth: u16, height: u16) -> [Option<(u16, u16)>; 2] {
        let piece = |y: u16, height: u16| Some((y, height)).filter(|(_, height)| *height > 0);
        let Some(form) = self.form.filter(|_| self.notes.is_none()) else {
            return [piece(self.diff.y + nth, height), None];
        };
        let above = (form.y - self.diff.y).saturating_sub(nth).min(height);
        let below = height - above;
        [piece(self.diff.y + nth, above), piece(self.diff.y + nth + above + form.height, below)]
    }

    /// Notes to the right of the diff, the form among them.
    fn beside(&mut self, wants: Wants) {
        let whole = self.diff;
        // Code has long lines, and notes are prose that wraps.
        let usual = if self.is_split { (whole.width / 4).clamp(40, 60) } else { (whole.width / 3).clamp(38, 64) };
        let rest = if self.is_split { SPLIT } else { LEAST };
        let notes = wants.panes.notes.unwrap_or(usual).min(whole.width - 1 - rest).max(LEAST);
        self.diff.width = whole.width - notes - 1;
        self.diff_title.width = self.diff.width;
        let pane = Rect::new(self.diff.right() + 1, whole.y, notes, whole.height);
        self.form = wants.form.map(|rows| {
            let rows = rows.min(pane.height.saturating_sub(self.footer.height - 1));
            Rect { y: pane.bottom() - rows, height: rows, ..pane }
        });
        self.notes = Some(pane);
    }
}

/// The halves of a diff whose sides stand next to each other, old and new, and the column between them. They are equally
/// wide, so that a line takes as many rows on either side.
#[must_use]
pub fn halves(diff: Rect) -> (Rect, u16, Rect) {
    let width = diff.width.saturating_sub(1) / 2;
    let new = Rect { x: diff.x + width + 1, width, ..diff };
    (Rect { width, ..diff }, diff.x + width, new)
}

/// The columns at either side of something above the rest that are worth to be seen.
const BESIDE: u16 = 12;

/// Where the commands of the review stand on a screen, borders included, above so many lines at the bottom.
#[must_use]
pub fn checkup_area(screen: Size, footer: u16) -> Rect {
    let (width, height) = (popup_width(screen, 110), screen.height.saturating_sub(1 + footer));
    Rect::new((screen.width - width) / 2, screen.height.saturating_sub(footer + height).min(1), width, height)
}

/// The columns of something above the rest, at most so many. Where few would be left
/// beside it, it takes all of them: what would stick out there tells nobody anything.
#[must_use]
pub fn popup_width(screen: Size, most: u16) -> u16 {
    if screen.width < most.saturating_add(2 * BESIDE) { screen.width } else { most }
}

/// The columns inside a list to choose from.
#[must_use]
pub fn pick_room(screen: Size) -> u16 {
    pick_width(screen).saturating_sub(4)
}

fn pick_width(screen: Size) -> u16 {
    popup_width(screen, 110)
}

/// Where a list of so many rows stands on a screen, borders included: at the bottom, so that what an entry leads to can be
/// seen above it. It takes half of the screen, and more where so many rows need it.
#[must_use]
pub fn pick_area(screen: Size, rows: usize, needed: usize) -> Rect {
    let rows_of = |rows: usize| u16::try_from(rows.saturating_add(2)).unwrap_or(u16::MAX);
    let most = (screen.height / 2).max(8).max(rows_of(needed)).min(screen.height.saturating_sub(2));
    let height = rows_of(rows).min(most);
    let width = pick_width(screen);
    Rect::new((screen.width - width) / 2, screen.height.saturating_sub(height + 1), width, height)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_overlaps_and_nothing_leaves_the_screen() {
        for width in 1..=260 {
            for height in [1, 9, 10, 24, 60] {
                let widths = [None, Some(1), Some(60), Some(u16::MAX)];
                let wants = [
                    (None, false, false),
                    (Some(14), false, false),
                    (Some(40), true, false),
                    (None, true, false),
                    (None, false, true),
                    (Some(14), true, true),
                ];
                for (wants, panes) in wants.into_iter().flat_map(|wants| widths.map(|width| (wants, width))) {
                    let panes = Panes { files: panes, notes: panes };
                    let below = u16::from(wants.2) * 2;
                    let (form, files, split) = wants;
                    let wants = Wants { form, files, split, notes: !files || split, panes, prose: files, below };
                    let Some(layout) = Layout::of(Size { width, height }, wants) else { continue };
                    let screen = Rect::new(0, 0, width, height);
                    let mut rects = vec![layout.header, layout.diff_title];
                    let within = |rect: Rect, whole: Rect| rect.intersection(whole) == rect;
                    assert!(within(layout.footer, screen) && layout.footer.y >= 2 + LEAST_BODY);
                    // What is said at the bottom lies above the rest, and the form among the notes.
                    rects.extend((below == 0).then_some(layout.footer));
                    rects.extend([Some(layout.diff), layout.files, layout.notes].into_iter().flatten());
                    match (layout.form, layout.notes) {
                        (Some(form), Some(pane)) => assert!(within(form, pane)),
                        (form, _) => rects.extend(form),
                    }
                    for (index, rect) in rects.iter().enumerate() {
                        assert_eq!(rect.intersection(screen), *rect, "{width}x{height} {wants:?}");
                        assert!(
                            rects[..index].iter().all(|other| other.intersection(*rect).is_empty()),
                            "{width}x{height} {wants:?}"
                        );
                    }
                    assert!(layout.diff.height >= 2 || layout.form.is_some());
                    assert!(layout.diff.width >= LEAST - 1, "{width}x{height} {wants:?}");
                    assert_eq!(layout.form.is_some(), wants.form.is_some());
                    let (old, divider, new) = halves(layout.diff);
                    assert!(old.right() == divider && divider < new.x && new.right() <= layout.diff.right());
                    assert!(!layout.is_split || layout.diff.width >= SPLIT, "{width}x{height} {wants:?}");
                }
            }
        }
    }

    #[test]
    fn the_form_is_at_its_lines_and_above_none_of_them() {
        for (width, form) in [(80, 8), (120, 8), (80, 30), (120, 30)] {
            let wants = Wants { form: Some(form), notes: true, below: 2, ..Wants::default() };
            let layout = Layout::of(Size { width, height: 24 }, wants).unwrap();
            for (first, end) in [(0, 1), (2, 5), (12, 13), (9, 40)] {
                let mut layout = layout;
                layout.put_form(first, end);
                let form = layout.form.unwrap();
                assert!(form.bottom() <= layout.footer.y, "{width} {first} {end}: {form:?}");
                let rows: Vec<u16> =
                    (0..layout.diff.height).flat_map(|nth| layout.pieces(nth, 1)).flatten().map(|(y, _)| y).collect();
                assert!(rows.is_sorted_by(|one, next| one < next) && rows.len() == usize::from(layout.diff.height));
                let at_once: Vec<u16> = layout
                    .pieces(0, layout.diff.height)
                    .into_iter()
                    .flatten()
                    .flat_map(|(y, height)| y..y + height)
                    .collect();
                assert_eq!(rows, at_once);
                if layout.notes.is_none() {
                    assert!(rows.iter().all(|y| !(form.top()..form.bottom()).contains(y)), "{rows:?} {form:?}");
                } else {
                    assert!(form.y <= layout.diff.y + first);
                }
            }
        }
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!("120x40".parse(), Ok(Size { width: 120, height: 40 }));
        for text in ["", "120", "0x40", "120x", "120x40x", "2001x1", "-1x5", "70000x70000"] {
            assert_eq!(text.parse::<Size>(), Err(NoSize), "{text}");
        }
    }

    #[test]
    fn too_small() {
        assert_eq!(Layout::of(Size { width: 39, height: 10 }, Wants::default()), None);
        assert_eq!(Layout::of(Size { width: 40, height: 9 }, Wants::default()), None);
    }
}
