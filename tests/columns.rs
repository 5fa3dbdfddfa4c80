//! The columns that a piece claims are the cells that the screen's buffer gives it, and never a matter of opinion.

use std::num::NonZeroU16;

use proptest::prelude::*;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use whymark::diff::words::{MOST_LINES, changed, pairs};
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

/// What rows are made of: words, blanks, wide and joined characters, and what must not reach a terminal.
fn anything() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        "[a-z_.(]{1,12}".prop_map(String::into_bytes),
        Just(b" ".to_vec()),
        Just(b"   ".to_vec()),
        Just(b"\t".to_vec()),
        "[漢é👩🔬\u{301}\u{200d}\u{202e}\u{1b}]{1,3}".prop_map(String::into_bytes),
        proptest::collection::vec(any::<u8>(), 1..4),
    ];
    proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn wrapping_loses_nothing_and_keeps_to_the_window(line in anything(), columns in 10..90_usize) {
        let display = Display::new(4, Glyphs::Unicode);
        let rows: Vec<_> = display.rows(&line, columns).collect();
        let joined: Vec<u8> = rows.iter().flat_map(|row| &line[row.clone()]).copied().collect();
        prop_assert_eq!(&joined, &line);
        for row in rows {
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let end = line[row.clone()].iter().rposition(|byte| !blank(byte)).map_or(row.start, |last| row.start + last + 1);
            // A character of many columns, such as a heap of marks, has a row to itself.
            let is_alone = display.pieces(&line[row.start..end]).filter(|piece| piece.is_start).count() <= 1;
            prop_assert!(is_alone || display.width(&line[row.start..end]) <= columns, "{:?}", &line[row]);
        }
    }

    #[test]
    fn what_is_not_marked_as_changed_is_the_same_in_both_lines(old in anything(), new in anything()) {
        if let Some((gone, come)) = changed(&old, &new) {
            let rest = |line: &[u8], ranges: &[std::ops::Range<usize>]| -> Vec<u8> {
                let is_changed = |at: &usize| ranges.iter().any(|range| range.contains(at));
                (0..line.len()).filter(|at| !is_changed(at)).map(|at| line[at]).filter(|byte| !byte.is_ascii_whitespace()).collect()
            };
            prop_assert_eq!(rest(&old, &gone), rest(&new, &come));
            prop_assert!(gone.windows(2).chain(come.windows(2)).all(|pair| pair[0].end < pair[1].start));
        }
    }

    #[test]
    fn lines_are_paired_in_order_and_few_at_once(
        old in proptest::collection::vec("[ab]( [ab]){0,3}", 0..90),
        new in proptest::collection::vec("[ab]( [ab]){0,3}", 0..90),
    ) {
        let bytes = |lines: &'_ [String]| -> Vec<Vec<u8>> { lines.iter().map(|line| line.clone().into_bytes()).collect() };
        let (old, new) = (bytes(&old), bytes(&new));
        let [olds, news] = [&old, &new].map(|lines| lines.iter().map(Vec::as_slice).collect::<Vec<&[u8]>>());
        let pairs = pairs(&olds, &news);
        prop_assert!(pairs.windows(2).all(|two| two[0].0 < two[1].0 && two[0].1 < two[1].1));
        prop_assert!(pairs.iter().all(|(i, j)| *i < olds.len().min(MOST_LINES) && *j < news.len().min(MOST_LINES)));
        // A pairing with itself leaves nothing out.
        let own = olds.iter().take(MOST_LINES).filter(|line| !line.is_empty()).count();
        prop_assert_eq!(whymark::diff::words::pairs(&olds, &olds).len(), own);
    }
}
