//! Display width: the bytes of a line as cells of a terminal, ready for a window of fixed width.
//!
//! Text is measured and cut by grapheme cluster; tabs go to stops counted from the start of the text, control and format
//! characters become visible symbols, and bytes that are not UTF-8 become U+FFFD. What comes out of here is the only
//! text that may be sent to a terminal. Nothing here looks at more of a line than the window needs.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::glyph;
pub use super::glyph::Glyphs;
pub use super::wrap::LineRows;

/// How much of a line is decoded at once; also the longest cluster that is drawn as one.
const CHUNK: usize = 256;
const BLANKS: &str = "                ";

/// How text is drawn: how far the tab stops are apart, and with which symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Display {
    tab_width: u16,
    glyphs: Glyphs,
}

/// A character as it is drawn, or a part of one.
///
/// Pieces are written to the screen one by one: joined to one string, neighbours could become one character.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Printable text: no control, format or zero-width characters by themselves.
    pub text: Cow<'a, str>,
    /// The bytes of the line that it stands for.
    pub source: Range<usize>,
    /// The columns that it takes, at least 1.
    pub columns: u16,
    /// Whether a character begins with it; the other pieces belong to the character before.
    pub is_start: bool,
}

impl Default for Display {
    fn default() -> Self {
        Self::new(4, Glyphs::Unicode)
    }
}

impl Display {
    /// Draw with a tab stop every `tab_width` columns (1 to 16; others are brought into that range).
    #[must_use]
    pub fn new(tab_width: u16, glyphs: Glyphs) -> Self {
        Self { tab_width: tab_width.clamp(1, 16), glyphs }
    }

    /// The symbols it draws with.
    #[must_use]
    pub fn glyphs(self) -> Glyphs {
        self.glyphs
    }

    /// The pieces of a line from its start, made as they are asked for.
    #[must_use]
    pub fn pieces(self, text: &[u8]) -> Pieces<'_> {
        Pieces { display: self, text, at: 0, column: 0, ready: VecDeque::new() }
    }

    /// What a window of `columns` columns shows of a line when `skip` columns are scrolled out on the left.
    ///
    /// The pieces never take more than `columns` together. Of a wide character that an edge cuts, the visible half
    /// becomes `‹` or `›`, so that nothing moves sideways.
    #[must_use]
    pub fn cells(self, text: &[u8], skip: usize, columns: usize) -> Vec<Piece<'_>> {
        let end = skip.saturating_add(columns);
        let mut cells = Vec::new();
        let mut pieces = self.pieces(text);
        let mut start = pieces.column();
        while start < end
            && let Some(piece) = pieces.next()
        {
            let next = start + usize::from(piece.columns);
            if next > skip {
                let visible = start.max(skip) - start..next.min(end) - start;
                cells.push(self.cut(piece, visible));
            }
            start = next;
        }
        cells
    }

    /// The columns `visible` of a piece.
    fn cut(self, piece: Piece<'_>, visible: Range<usize>) -> Piece<'_> {
        let whole = usize::from(piece.columns);
        if visible.len() == whole {
            return piece;
        }
        let text = match piece.text.get(visible.clone()) {
            Some(text) if piece.text.len() == whole => text.to_owned(),
            _ if visible.start > 0 => self.glyphs.cut_left().repeat(visible.len()),
            _ => self.glyphs.cut_right().repeat(visible.len()),
        };
        Piece { text: text.into(), columns: u16::try_from(visible.len()).unwrap_or(u16::MAX), ..piece }
    }

    /// The columns that the whole of `text` takes.
    #[must_use]
    pub fn width(self, text: impl AsRef<[u8]>) -> usize {
        self.pieces(text.as_ref()).map(|piece| usize::from(piece.columns)).sum()
    }

    /// The column at which the byte at `offset` is drawn; the end of the line for anything behind it.
    #[must_use]
    pub fn column_of(self, text: &[u8], offset: usize) -> usize {
        let mut pieces = self.pieces(text);
        loop {
            let column = pieces.column();
            if pieces.next().is_none_or(|piece| piece.source.end > offset) {
                return column;
            }
        }
    }

    /// The bytes drawn at `column`; `None` behind the end of the line.
    #[must_use]
    pub fn source_at(self, text: &[u8], column: usize) -> Option<Range<usize>> {
        let mut pieces = self.pieces(text);
        while let Some(piece) = pieces.next() {
            if pieces.column() > column {
                return Some(piece.source);
            }
        }
        None
    }

    /// `text` as one printable line, whatever is in it: for paths, titles and messages.
    #[must_use]
    pub fn visible(self, text: impl AsRef<[u8]>) -> String {
        let text = text.as_ref();
        match std::str::from_utf8(text) {
            Ok(plain) if text.iter().all(|byte| matches!(byte, b' '..=b'~')) => plain.to_owned(),
            _ => self.pieces(text).map(|piece| piece.text).collect(),
        }
    }

    /// `text` as one printable line of at most `columns` columns; what was cut shows as `…`.
    #[must_use]
    pub fn fit(self, text: impl AsRef<[u8]>, columns: usize) -> String {
        let mut fitting = String::new();
        let (mut used, mut cut) = (0, 0);
        for piece in self.pieces(text.as_ref()) {
            used += usize::from(piece.columns);
            if used > columns {
                fitting.truncate(cut);
                fitting.push_str(if columns == 0 { "" } else { self.glyphs.ellipsis() });
                break;
            }
            fitting.push_str(&piece.text);
            if used < columns {
                cut = fitting.len();
            }
        }
        fitting
    }

    fn next_stop(self, column: usize) -> usize {
        let tab = usize::from(self.tab_width);
        (column / tab + 1) * tab
    }
}

/// The pieces of a line, in order. See [`Display::pieces`].
#[derive(Debug, Clone)]
pub struct Pieces<'a> {
    display: Display,
    text: &'a [u8],
    at: usize,
    column: usize,
    ready: VecDeque<Piece<'a>>,
}

impl<'a> Pieces<'a> {
    /// The column behind the last piece that was handed out.
    #[must_use]
    pub fn column(&self) -> usize {
        self.column
    }

    /// Where the character ends whose piece was handed out last.
    pub(super) fn end_of_character(&self) -> usize {
        let rest = self.ready.iter().take_while(|piece| !piece.is_start).last();
        rest.map_or_else(|| self.ready.front().map_or(self.at, |piece| piece.source.start), |piece| piece.source.end)
    }

    /// A character that needs no thought: printable ASCII that nothing can combine with, or a tab.
    fn simple(&mut self) -> Option<Piece<'a>> {
        let rest = self.text.get(self.at..)?;
        let (&byte, after) = rest.split_first()?;
        let source = self.at..self.at + 1;
        if byte == b'\t' {
            let columns = self.display.next_stop(self.column) - self.column;
            let columns_taken = u16::try_from(columns).ok()?;
            return Some(Piece { text: BLANKS[..columns].into(), source, columns: columns_taken, is_start: true });
        }
        let is_alone = matches!(byte, b' '..=b'~') && after.first().is_none_or(u8::is_ascii);
        let text = if is_alone { std::str::from_utf8(&rest[..1]).ok()? } else { return None };
        Some(Piece { text: text.into(), source, columns: 1, is_start: true })
    }

    /// Make ready the clusters of the next chunk that are certainly complete, or one bad byte sequence.
    fn decode(&mut self) {
        let rest = &self.text[self.at..];
        let chunk = &rest[..rest.len().min(CHUNK)];
        let valid = match std::str::from_utf8(chunk) {
            Ok(valid) => valid,
            Err(error) if error.valid_up_to() > 0 => {
                std::str::from_utf8(&chunk[..error.valid_up_to()]).expect("that much of it was found valid")
            }
            Err(error) => {
                let len = error.error_len().unwrap_or(chunk.len());
                self.bad(len);
                return;
            }
        };
        let ends_here = valid.len() == rest.len();
        let mut clusters = valid.grapheme_indices(true).peekable();
        while let Some((at, cluster)) = clusters.next() {
            let is_complete = clusters.peek().is_some() || ends_here;
            // The width of a tab depends on where the pieces before it end.
            if at > 0 && (!is_complete || cluster == "\t") {
                return;
            }
            self.push(cluster);
        }
    }

    fn bad(&mut self, len: usize) {
        let text = self.display.glyphs.replacement().into();
        self.ready.push_back(Piece { text, source: self.at..self.at + len, columns: 1, is_start: true });
        self.at += len;
    }

    fn push(&mut self, cluster: &'a str) {
        let Self { at, ready, display, .. } = self;
        let from = *at;
        let mut is_start = true;
        glyph::parts(cluster, display.glyphs, &mut |(text, range, columns)| {
            ready.push_back(Piece { text, source: from + range.start..from + range.end, columns, is_start });
            is_start = false;
        });
        *at += cluster.len();
    }
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.ready.is_empty() {
            if let Some(piece) = self.simple() {
                self.at += 1;
                self.column += usize::from(piece.columns);
                return Some(piece);
            }
            if self.at < self.text.len() {
                self.decode();
            }
        }
        let piece = self.ready.pop_front()?;
        self.column += usize::from(piece.columns);
        Some(piece)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(text: &[u8], skip: usize, columns: usize) -> String {
        let cells = Display::default().cells(text, skip, columns);
        assert!(cells.iter().map(|piece| usize::from(piece.columns)).sum::<usize>() <= columns);
        cells.iter().map(|piece| piece.text.as_ref()).collect::<Vec<_>>().join("|")
    }

    #[test]
    fn windows_of_a_line() {
        for (text, skip, columns, expected) in [
            ("abc", 0, 9, "a|b|c"),
            ("abcdef", 2, 3, "c|d|e"),
            ("a\tb", 0, 9, "a|   |b"),
            ("a\tb", 2, 3, "  |b"),
            ("\u{e9}\tb", 0, 9, "\u{e9}|   |b"),
            ("漢字", 0, 4, "漢|字"),
            ("漢字", 0, 3, "漢|›"),
            ("漢字", 1, 3, "‹|字"),
            ("漢字", 1, 2, "‹|›"),
            ("a\u{202e}b", 0, 5, "a|<U+2"),
            ("a\u{202e}b", 3, 9, "+202E>|b"),
            ("end\r", 0, 9, "e|n|d|␍"),
            ("abc", 3, 5, ""),
            ("abc", 0, 0, ""),
        ] {
            assert_eq!(window(text.as_bytes(), skip, columns), expected, "{text:?} {skip} {columns}");
        }
        assert_eq!(window(b"a\xff\xe6\xbcb\xe6", 0, 9), "a|\u{fffd}|\u{fffd}|b|\u{fffd}");
    }

    #[test]
    fn pieces_tile_the_line_whatever_is_in_it() {
        let mut line = "x\u{301}é👩\u{200d}🔬\t漢\u{1b}[2J".repeat(60).into_bytes();
        line.extend(b"\xf0\x9f\xc3(\x80");
        line.extend("e".bytes());
        line.extend("\u{301}".repeat(400).bytes());
        let mut at = 0;
        for piece in Display::default().pieces(&line) {
            assert_eq!(piece.source.start, at);
            assert!(piece.source.end > at && piece.columns > 0 && !piece.text.contains(char::is_control));
            at = piece.source.end;
        }
        assert_eq!(at, line.len());
    }

    #[test]
    fn only_the_window_is_looked_at() {
        let line = "漢".repeat(50_000);
        let mut pieces = Display::default().pieces(line.as_bytes());
        assert_eq!(pieces.by_ref().take(80).count(), 80);
        assert!(pieces.at <= 80 * 3 + CHUNK, "{}", pieces.at);
    }

    #[test]
    fn columns_and_bytes() {
        let (display, text) = (Display::default(), "a\t漢b".as_bytes());
        assert_eq!((0..=7).map(|at| display.column_of(text, at)).collect::<Vec<_>>(), [0, 1, 4, 4, 4, 6, 7, 7]);
        let at = |column| display.source_at(text, column);
        assert_eq!((at(0), at(2), at(5), at(6), at(7)), (Some(0..1), Some(1..2), Some(2..5), Some(5..6), None));
    }

    #[test]
    fn fitting() {
        let display = Display::default();
        for (text, columns, expected) in
            [("abc", 3, "abc"), ("abcd", 3, "ab…"), ("漢字", 3, "漢…"), ("漢字", 2, "…"), ("ab", 0, ""), ("", 0, "")]
        {
            assert_eq!(display.fit(text, columns), expected, "{text:?} {columns}");
        }
        assert_eq!(Display::new(4, Glyphs::Ascii).fit("a\u{1b}[0m", 4), "a^[~");
        assert_eq!(display.visible(b"a\nb\x1b]0;x\x07\xff"), "a␊b␛]0;x␇\u{fffd}");
    }
}
