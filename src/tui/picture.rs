//! A frame written down: as text, as text in colours for a terminal, as a picture. Pure.

mod ansi;
mod svg;

use ratatui::buffer::{Buffer, Cell};
use unicode_width::UnicodeWidthStr as _;

/// How a frame is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Characters alone; blanks at the ends of rows are left out.
    Text,
    /// With the sequences that colour it in a terminal.
    Ansi,
    /// A picture that browsers show.
    Svg,
}

/// The frame in the format, each row ended.
#[must_use]
pub fn write(frame: &Buffer, format: Format) -> String {
    match format {
        Format::Text => text(frame),
        Format::Ansi => ansi::write(frame),
        Format::Svg => svg::write(frame),
    }
}

fn text(frame: &Buffer) -> String {
    let rows = (frame.area.top()..frame.area.bottom()).map(|y| {
        let row: String = cells(frame, y).map(|(_, cell, _)| cell.symbol()).collect();
        format!("{}\n", row.trim_end())
    });
    rows.collect()
}

/// The cells of a row as a terminal shows them, with column and width: a wide character hides the cell behind it.
fn cells(frame: &Buffer, y: u16) -> impl Iterator<Item = (u16, &Cell, u16)> {
    let mut next = frame.area.left();
    std::iter::from_fn(move || {
        let x = next;
        let cell = (x < frame.area.right()).then(|| &frame[(x, y)])?;
        let columns = u16::try_from(cell.symbol().width()).unwrap_or(1).clamp(1, frame.area.right() - x);
        next += columns;
        Some((x, cell, columns))
    })
}
