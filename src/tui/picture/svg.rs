//! A frame as a picture: rectangles for grounds and for the characters that frames and gauges are drawn with, so that they
//! join whatever the font; text for the rest, stretched to its columns.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ratatui::buffer::{Buffer, Cell};
use ratatui::style::{Color, Modifier};

use super::super::colour::Colour;

/// The size of a cell in the units of the picture.
const CELL: (u16, u16) = (12, 24);
/// Where letters stand in a cell.
const BASELINE: u16 = 18;
/// Blank around the frame.
const MARGIN: u16 = 12;
/// The picture is shown this much smaller than its units, in percent.
const SCALE: u32 = 65;
/// What a cell has that says nothing else: the colours of a dark terminal.
const TERMINAL: (&str, &str) = ("#d0d7de", "#0d1117");

const FONT: &str = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

/// A rectangle in a cell: left, top, width, height.
type Bar = (u16, u16, u16, u16);

/// The characters that are drawn, and the bars that they are made of.
const DRAWN: &[(&str, &[Bar])] = &[
    ("─", &[(0, 11, 12, 2)]),
    ("│", &[(5, 0, 2, 24)]),
    ("┃", &[(4, 0, 4, 24)]),
    ("┬", &[(0, 11, 12, 2), (5, 13, 2, 11)]),
    ("┴", &[(0, 11, 12, 2), (5, 0, 2, 11)]),
    ("├", &[(5, 0, 2, 24), (7, 11, 5, 2)]),
    ("┤", &[(5, 0, 2, 24), (0, 11, 5, 2)]),
    ("┼", &[(5, 0, 2, 24), (0, 11, 12, 2)]),
    ("╎", &[(5, 1, 2, 6), (5, 9, 2, 6), (5, 17, 2, 6)]),
    ("█", &[(0, 0, 12, 24)]),
    ("▌", &[(0, 0, 6, 24)]),
    ("▎", &[(0, 0, 3, 24)]),
    ("▏", &[(0, 0, 2, 24)]),
];

/// The round corners, and their paths.
const CORNERS: &[(&str, &str)] =
    &[("╭", "M6 24v-6q0-6 6-6"), ("╮", "M0 12q6 0 6 6v6"), ("╰", "M6 0v6q0 6 6 6"), ("╯", "M6 0v6q0 6-6 6")];

pub(super) fn write(frame: &Buffer) -> String {
    let (width, height) = (frame.area.width * CELL.0 + 2 * MARGIN, frame.area.height * CELL.1 + 2 * MARGIN);
    let shown = |units: u16| u32::from(units) * SCALE / 100;
    let mut picture = Picture(String::new());
    picture.add(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"{FONT}\" font-size=\"20\" xml:space=\"preserve\">\n",
        shown(width),
        shown(height),
    ));
    let ground = ground(frame);
    picture.add(format_args!("<rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"{ground}\"/>\n"));
    picture.add(format_args!("<g transform=\"translate({MARGIN} {MARGIN})\">\n"));
    for y in frame.area.top()..frame.area.bottom() {
        let row = (y - frame.area.top()) * CELL.1;
        let runs = runs(frame, y);
        // All grounds first: a letter may reach into its neighbour's cell.
        for side_by_side in runs.chunk_by(|one, next| one.look.ground == next.look.ground) {
            let own = &side_by_side[0].look.ground;
            if *own != ground {
                let width = side_by_side.iter().map(|run| run.width).sum();
                picture.bar((side_by_side[0].x, row, width, CELL.1), own, "");
            }
        }
        for run in &runs {
            run.draw(row, &mut picture);
        }
    }
    picture.add(format_args!("</g>\n</svg>\n"));
    picture.0
}

/// The ground that most cells have.
fn ground(frame: &Buffer) -> String {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for cell in &frame.content {
        *counts.entry(Look::of(cell).ground).or_default() += 1;
    }
    counts.into_iter().max_by_key(|(_, count)| *count).map_or_else(|| TERMINAL.1.to_owned(), |(ground, _)| ground)
}

/// What the cells of a run have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Look {
    ink: String,
    ground: String,
    modifiers: Modifier,
}

impl Look {
    fn of(cell: &Cell) -> Self {
        let (ink, ground) = (hex(cell.fg, TERMINAL.0), hex(cell.bg, TERMINAL.1));
        let is_reversed = cell.modifier.contains(Modifier::REVERSED);
        let (ink, ground) = if is_reversed { (ground, ink) } else { (ink, ground) };
        Self { ink, ground, modifiers: cell.modifier }
    }
}

fn hex(colour: Color, own: &str) -> String {
    let rgb = match colour {
        Color::Rgb(red, green, blue) => Some((red, green, blue)),
        Color::Indexed(index) => Colour::Indexed(index).rgb(),
        // Themes use no other colours.
        _ => None,
    };
    rgb.map_or_else(|| own.to_owned(), |(red, green, blue)| format!("#{red:02x}{green:02x}{blue:02x}"))
}

/// Cells side by side that are drawn as one.
#[derive(Debug)]
struct Run {
    /// Left edge and width, in units.
    x: u16,
    width: u16,
    look: Look,
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Letters that every font has, one a column.
    Plain,
    /// The same drawn character, once or more often.
    Drawn,
    /// One character of whatever width.
    Single,
}

fn runs(frame: &Buffer, y: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (x, cell, columns) in super::cells(frame, y) {
        let symbol = cell.symbol();
        let kind = match symbol {
            _ if DRAWN.iter().any(|(drawn, _)| *drawn == symbol) => Kind::Drawn,
            _ if symbol.len() == 1 => Kind::Plain,
            _ => Kind::Single,
        };
        let look = Look::of(cell);
        let width = columns * CELL.0;
        match runs.last_mut() {
            Some(run) if run.look == look && run.kind == kind && run.goes_on_with(symbol) => {
                run.width += width;
                run.text += symbol;
            }
            _ => runs.push(Run { x: (x - frame.area.left()) * CELL.0, width, look, text: symbol.to_owned(), kind }),
        }
    }
    runs
}

impl Run {
    fn goes_on_with(&self, symbol: &str) -> bool {
        match self.kind {
            Kind::Plain => true,
            Kind::Drawn => self.text.starts_with(symbol),
            Kind::Single => false,
        }
    }

    fn draw(&self, row: u16, picture: &mut Picture) {
        let Look { ink, modifiers, .. } = &self.look;
        let faint = if modifiers.contains(Modifier::DIM) { " opacity=\"0.6\"" } else { "" };
        if modifiers.contains(Modifier::UNDERLINED) {
            picture.bar((self.x, row + BASELINE + 2, self.width, 1), ink, faint);
        }
        if self.kind == Kind::Drawn {
            return self.draw_bars(row, picture, faint);
        }
        if let Some((_, path)) = CORNERS.iter().find(|(corner, _)| *corner == self.text) {
            return picture.add(format_args!(
                "<path transform=\"translate({} {row})\" d=\"{path}\" fill=\"none\" stroke=\"{ink}\" \
                 stroke-width=\"2\"{faint}/>\n",
                self.x
            ));
        }
        self.draw_text(row, picture, faint);
    }

    fn draw_bars(&self, row: u16, picture: &mut Picture, faint: &str) {
        let Some((symbol, bars)) = DRAWN.iter().find(|(drawn, _)| self.text.starts_with(drawn)) else { return };
        let times = u16::try_from(self.text.len() / symbol.len()).unwrap_or(1);
        for &(left, top, width, height) in *bars {
            // A bar from edge to edge is one bar for all of them.
            let (times, width) = if width == CELL.0 { (1, width * times) } else { (times, width) };
            for time in 0..times {
                picture.bar((self.x + time * CELL.0 + left, row + top, width, height), &self.look.ink, faint);
            }
        }
    }

    /// The text without the blanks around it: those are ground.
    fn draw_text(&self, row: u16, picture: &mut Picture, faint: &str) {
        let text = self.text.trim_start_matches(' ');
        let skipped = u16::try_from(self.text.len() - text.len()).unwrap_or(0) * CELL.0;
        let length = text.trim_end_matches(' ').len();
        let trailing = u16::try_from(text.len() - length).unwrap_or(0) * CELL.0;
        if length == 0 {
            return;
        }
        let modifiers = self.look.modifiers;
        let bold = if modifiers.contains(Modifier::BOLD) { " font-weight=\"bold\"" } else { "" };
        let italic = if modifiers.contains(Modifier::ITALIC) { " font-style=\"italic\"" } else { "" };
        picture.add(format_args!(
            "<text x=\"{}\" y=\"{}\" textLength=\"{}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{bold}{italic}{faint}>{}</text>\n",
            self.x + skipped,
            row + BASELINE,
            self.width - skipped - trailing,
            self.look.ink,
            escaped(&text[..length]),
        ));
    }
}

struct Picture(String);

impl Picture {
    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.0.write_fmt(element);
    }

    fn bar(&mut self, (x, y, width, height): Bar, fill: &str, more: &str) {
        self.add(format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{fill}\" \
             shape-rendering=\"crispEdges\"{more}/>\n"
        ));
    }
}

/// `text` as XML has it between tags.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            // XML has no way to say them.
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push('\u{fffd}'),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    use super::*;

    fn picture(draw: impl FnOnce(&mut Buffer)) -> String {
        let mut frame = Buffer::empty(Rect::new(0, 0, 10, 1));
        draw(&mut frame);
        write(&frame)
    }

    #[test]
    fn text_is_escaped_and_stands_in_its_columns() {
        let picture = picture(|frame| frame.set_string(0, 0, " <a&b>漢c", Style::default()));
        for part in [
            "<text x=\"12\" y=\"18\" textLength=\"60\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d0d7de\">&lt;a&amp;b&gt;</text>",
            "<text x=\"72\" y=\"18\" textLength=\"24\" lengthAdjust=\"spacingAndGlyphs\" fill=\"#d0d7de\">漢</text>",
            "<text x=\"96\" y=\"18\" textLength=\"12\" ",
        ] {
            assert!(picture.contains(part), "{part}\n{picture}");
        }
        assert!(escaped("a\u{1b}b\u{fffe}").chars().filter(|c| *c == '\u{fffd}').count() == 2);
    }

    #[test]
    fn frames_join_and_looks_are_kept() {
        let look = Style::new().fg(Color::Indexed(1)).bg(Color::Rgb(0, 0, 255));
        let modifiers = Modifier::REVERSED | Modifier::BOLD | Modifier::UNDERLINED;
        let picture = picture(|frame| {
            frame.set_string(0, 0, "╭──", Style::default());
            frame.set_string(3, 0, "ab", look.add_modifier(modifiers));
        });
        for part in [
            "<path transform=\"translate(0 0)\" d=\"M6 24v-6q0-6 6-6\"",
            "<rect x=\"12\" y=\"11\" width=\"24\" height=\"2\" fill=\"#d0d7de\"",
            "<rect x=\"36\" y=\"0\" width=\"24\" height=\"24\" fill=\"#cd0000\"",
            "<rect x=\"36\" y=\"20\" width=\"24\" height=\"1\" fill=\"#0000ff\"",
            "fill=\"#0000ff\" font-weight=\"bold\">ab</text>",
        ] {
            assert!(picture.contains(part), "{part}\n{picture}");
        }
    }
}
