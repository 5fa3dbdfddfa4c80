//! Writing styled text into cells, cut at an edge and never beyond it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::theme::{Role, Theme};
use crate::text::width::{Display, Glyphs};

/// The cells of a frame, and what text looks like in them.
pub(super) struct Canvas<'a> {
    buffer: &'a mut Buffer,
    pub(super) theme: &'a Theme,
    pub(super) display: Display,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(buffer: &'a mut Buffer, theme: &'a Theme, display: Display) -> Self {
        Self { buffer, theme, display }
    }

    /// The style of a role.
    pub(super) fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// The style of a role for a number beside a name: a count is no alarm, and not reversed where colours are missing.
    pub(super) fn count_style(&self, role: Role) -> Style {
        let style = self.style(role);
        Style { add_modifier: style.add_modifier - Modifier::REVERSED, ..style }
    }

    /// A role on a ground that is not its own: everything but the background is the role's.
    pub(super) fn over(&self, ground: Style, role: Role) -> Style {
        Self::laid(ground, self.style(role))
    }

    /// Texts on a ground that is not their own.
    pub(super) fn all_over(ground: Style, texts: Vec<(Style, String)>) -> Vec<(Style, String)> {
        texts.into_iter().map(|(own, text)| (Self::laid(ground, own), text)).collect()
    }

    /// What is written in a style of its own, on another ground.
    pub(super) fn laid(ground: Style, own: Style) -> Style {
        ground.patch(Style { bg: None, ..own })
    }

    /// The style of a row whose text has a role: what it is shows through the cursor and the selection.
    pub(super) fn row_style(&self, role: Role, cursor: bool, selected: bool) -> Style {
        match (selected, cursor) {
            (false, false) => self.theme.style(role),
            (true, false) => self.theme.layered(role, &[Role::Selection]),
            (false, true) => self.theme.layered(role, &[Role::CursorLine]),
            (true, true) => self.theme.layered(role, &[Role::Selection, Role::CursorLine]),
        }
    }

    /// Blank an area.
    pub(super) fn clear(&mut self, area: Rect) {
        self.fill(area, self.style(Role::Text));
    }

    /// Blank an area in a style.
    pub(super) fn fill(&mut self, area: Rect, style: Style) {
        let area = area.intersection(self.buffer.area);
        let text = self.style(Role::Text);
        for y in area.top()..area.bottom() {
            for x in area.left()..area.right() {
                let cell = &mut self.buffer[(x, y)];
                cell.reset();
                cell.set_style(text).set_style(style);
            }
        }
    }

    /// Write one printable piece of known width; the column behind it.
    pub(super) fn piece(&mut self, x: u16, y: u16, text: &str, columns: u16, style: Style) -> u16 {
        match text.as_bytes() {
            // Most are one plain character: the library need not look for where characters end.
            &[byte @ b' '..=b'~'] => {
                if let Some(cell) = self.buffer.cell_mut((x, y)) {
                    cell.set_char(char::from(byte)).set_style(style);
                }
            }
            _ => drop(self.buffer.set_stringn(x, y, text, usize::from(columns), style)),
        }
        x + columns
    }

    /// Write texts side by side in at most `width` columns; the column behind the last. What is cut shows as `…`, and
    /// signs of the program as they are shown.
    pub(super) fn put<T: AsRef<str>>(&mut self, x: u16, y: u16, width: u16, texts: &[(Style, T)]) -> u16 {
        let glyphs = self.display.glyphs();
        if glyphs == Glyphs::Unicode {
            return self.put_as_is(x, y, width, texts);
        }
        let texts: Vec<_> = texts.iter().map(|(style, text)| (*style, glyphs.signs(text.as_ref()))).collect();
        self.put_as_is(x, y, width, &texts)
    }

    /// The same for what stands in a file: no character stands for another.
    pub(super) fn put_as_is<T: AsRef<str>>(&mut self, x: u16, y: u16, width: u16, texts: &[(Style, T)]) -> u16 {
        let end = x + width;
        let mut at = x;
        for (index, (style, text)) in texts.iter().enumerate() {
            let more = texts[index + 1..].iter().any(|(_, text)| !text.as_ref().is_empty());
            let room = usize::from(end - at);
            let text = text.as_ref();
            let full = self.display.width(text);
            let cut = full > room || (full == room && more);
            for piece in self.display.cells(text.as_bytes(), 0, room - usize::from(cut && room > 0)) {
                at = self.piece(at, y, &piece.text, piece.columns, *style);
            }
            if cut {
                if room > 0 {
                    at = self.piece(at, y, self.display.glyphs().ellipsis(), 1, *style);
                }
                return at;
            }
        }
        at
    }

    /// The columns that texts take side by side.
    pub(super) fn width<T: AsRef<str>>(&self, texts: &[(Style, T)]) -> u16 {
        let glyphs = self.display.glyphs();
        let columns: usize = texts.iter().map(|(_, text)| self.display.width(&*glyphs.signs(text.as_ref()))).sum();
        u16::try_from(columns).unwrap_or(u16::MAX)
    }

    /// A name in at most so many columns: what is cut, shown as `…`, is the middle of it. A path begins with what many have in
    /// common, and ends with what tells them apart.
    pub(super) fn shortened(&self, name: Vec<(Style, String)>, columns: usize) -> Vec<(Style, String)> {
        let width = |text: &str| usize::from(self.width(&[(Style::default(), text)]));
        if name.iter().map(|(_, text)| width(text)).sum::<usize>() <= columns || columns < 3 {
            return name;
        }
        let letters = || name.iter().flat_map(|(style, text)| text.graphemes(true).map(move |letter| (*style, letter)));
        let fitting = |letters: &mut dyn Iterator<Item = (Style, &str)>, room: usize| {
            let mut taken = 0;
            let fits = |(_, letter): &(Style, &str)| {
                taken += width(letter);
                taken <= room
            };
            letters.take_while(fits).map(|(style, letter)| (style, letter.to_owned())).collect::<Vec<_>>()
        };
        let mut shown = fitting(&mut letters(), columns / 3);
        let all: Vec<(Style, &str)> = letters().collect();
        let mut tail = fitting(&mut all.iter().rev().copied(), columns - 1 - columns / 3);
        let style = tail.last().map_or(Style::default(), |(style, _)| *style);
        shown.push((style, self.symbol("…", "~").to_owned()));
        tail.reverse();
        shown.extend(tail);
        shown
    }

    /// A horizontal rule.
    pub(super) fn rule(&mut self, x: u16, y: u16, width: u16, style: Style) {
        let line = self.symbol("─", "-");
        for x in x..x.saturating_add(width) {
            self.piece(x, y, line, 1, style);
        }
    }

    /// A box around an area, inside its edges.
    pub(super) fn frame(&mut self, area: Rect, style: Style) {
        if area.width < 2 || area.height < 2 {
            return;
        }
        self.frame_end(Rect { height: 1, ..area }, ("╭", "╮"), style);
        for y in area.y + 1..area.bottom() - 1 {
            self.frame_sides(area.x, area.right() - 1, y, style);
        }
        self.frame_end(Rect { y: area.bottom() - 1, height: 1, ..area }, ("╰", "╯"), style);
    }

    /// The first or last row of a box.
    pub(super) fn frame_end(&mut self, area: Rect, (left, right): (&'static str, &'static str), style: Style) {
        self.rule(area.x, area.y, area.width, style);
        self.piece(area.x, area.y, self.symbol(left, "+"), 1, style);
        self.piece(area.right() - 1, area.y, self.symbol(right, "+"), 1, style);
    }

    /// The sides of a box in one row.
    pub(super) fn frame_sides(&mut self, left: u16, right: u16, y: u16, style: Style) {
        let side = self.symbol("│", "|");
        self.piece(left, y, side, 1, style);
        self.piece(right, y, side, 1, style);
    }

    /// The symbol to draw, or its ASCII stand-in.
    pub(super) fn symbol(&self, symbol: &'static str, ascii: &'static str) -> &'static str {
        if self.display.glyphs() == Glyphs::Ascii { ascii } else { symbol }
    }
}
