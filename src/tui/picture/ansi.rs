//! A frame as text with the sequences that colour it.

use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

/// The modifiers that themes use, with their numbers.
const MODIFIERS: [(Modifier, u8); 5] = [
    (Modifier::BOLD, 1),
    (Modifier::DIM, 2),
    (Modifier::ITALIC, 3),
    (Modifier::UNDERLINED, 4),
    (Modifier::REVERSED, 7),
];

pub(super) fn write(frame: &Buffer) -> String {
    let mut text = String::new();
    for y in frame.area.top()..frame.area.bottom() {
        let mut current = String::new();
        for (_, cell, _) in super::cells(frame, y) {
            let style = style(cell);
            if style != current {
                // Writing to a string cannot fail.
                let _ = write!(text, "\x1b[0{style}m");
                current = style;
            }
            text += cell.symbol();
        }
        text += if current.is_empty() { "\n" } else { "\x1b[0m\n" };
    }
    text
}

/// The numbers behind the reset that make a terminal draw the cell.
fn style(cell: &Cell) -> String {
    let mut numbers = String::new();
    for (modifier, number) in MODIFIERS {
        if cell.modifier.contains(modifier) {
            let _ = write!(numbers, ";{number}");
        }
    }
    for (colour, ground) in [(cell.fg, 0), (cell.bg, 10)] {
        let _ = match colour {
            Color::Indexed(index @ 0..8) => write!(numbers, ";{}", 30 + ground + index),
            Color::Indexed(index @ 8..16) => write!(numbers, ";{}", 82 + ground + index),
            Color::Indexed(index) => write!(numbers, ";{};5;{index}", 38 + ground),
            Color::Rgb(red, green, blue) => write!(numbers, ";{};2;{red};{green};{blue}", 38 + ground),
            // Themes use no other colours: what is left is the terminal's own.
            _ => Ok(()),
        };
    }
    numbers
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    #[test]
    fn what_differs_from_cell_to_cell_is_said() {
        let mut frame = Buffer::empty(Rect::new(0, 0, 8, 2));
        let loud = Style::new().fg(Color::Indexed(9)).bg(Color::Rgb(1, 2, 3)).add_modifier(Modifier::BOLD);
        frame.set_string(0, 0, "a", Style::default());
        frame.set_string(1, 0, "漢b", loud);
        frame.set_string(4, 0, "c", Style::new().bg(Color::Indexed(200)));
        frame.set_string(5, 0, "d", Style::new().bg(Color::Indexed(7)));
        assert_eq!(write(&frame), "a\x1b[0;1;91;48;2;1;2;3m漢b\x1b[0;48;5;200mc\x1b[0;47md\x1b[0m  \n        \n");
    }
}
