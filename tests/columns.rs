//! The columns that a piece claims are the cells that the screen's buffer gives it, and never a matter of opinion.

use std::num::NonZeroU16;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use whymark::text::width::{Display, Glyphs};

/// The cells that writing `text` by itself fills, and what would be sent to the terminal for them.
fn cells(text: &str) -> (u16, String) {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 300, 1));
    let (end, _) = buffer.set_stringn(0, 0, text, 300, Style::default());
    (end, (0..end).map(|x| buffer[(x, 0)].symbol()).collect())
}

fn terminal() -> vt100::Parser {
    vt100::Parser::new(NonZeroU16::MIN, NonZeroU16::new(300).expect("not zero"), 0)
}

/// What a terminal that knows no joining makes of `text`: the column of its cursor.
fn cursor_after(text: &str) -> u16 {
    let mut terminal = terminal();
    terminal.process(text.as_bytes());
    terminal.screen().cursor_position().1
}

fn check(line: &str, display: Display) {
    for piece in display.pieces(line.as_bytes()) {
        let (end, _) = cells(&piece.text);
        assert_eq!(end, piece.columns, "buffer: {piece:?} of {line:?}");
        assert_eq!(cursor_after(&piece.text), piece.columns, "terminal: {piece:?} of {line:?}");
    }
}

#[test]
fn every_character_takes_the_columns_it_claims() {
    let display = Display::new(8, Glyphs::Unicode);
    let mut terminal = terminal();
    // The terminal model that the test uses is alone in not printing U+FFFD.
    for c in ('\0'..=char::MAX).filter(|c| *c != '\u{FFFD}') {
        let line = format!("{c}");
        for piece in display.pieces(line.as_bytes()) {
            assert!(!piece.text.contains(char::is_control));
            terminal.process(b"\r");
            terminal.process(piece.text.as_bytes());
            assert_eq!(terminal.screen().cursor_position().1, piece.columns, "{piece:?} of {c:?}");
        }
    }
}

#[test]
fn sequences_take_the_columns_they_claim() {
    for line in [
        "wide 漢字 한글 \u{ff76}\u{ff9e}",
        "👩\u{200d}🔬 🏳\u{fe0f}\u{200d}🌈 ⚡\u{fe0f} 👍🏽 🇳🇴",
        "\u{2764}\u{fe0f} 1\u{fe0f}\u{20e3} \u{231a}\u{fe0e} 👨\u{200d}👩\u{200d}👧",
        "e\u{301} क\u{94d}षि \u{1100}\u{1161}\u{11a8} \u{645}\u{6cc}\u{200c}\u{62e} \u{644}\u{627}",
        "\u{1f3f4}\u{e0067}\u{e0062}\u{e007f} a\u{200b}b \u{202e}abc\u{2066} \u{feff}",
        "\ttab\ta\tab\tabc\tabcd\t.",
    ] {
        check(line, Display::new(8, Glyphs::Unicode));
        check(line, Display::new(8, Glyphs::Ascii));
    }
}
