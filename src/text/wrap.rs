//! Rows: a text in a window of fixed width, broken between words.

use std::ops::Range;

use super::width::Display;

impl Display {
    /// The rows of `text` in a window of `columns` columns, as byte ranges.
    ///
    /// A row ends at each LF, which belongs to no row; else as [`Display::rows`] says. There is always at least one row,
    /// and but for the LFs the rows follow each other without a gap.
    #[must_use]
    pub fn wrap(self, text: &str, columns: usize) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            let own = self.rows(line.as_bytes(), columns);
            rows.extend(own.map(|row| start + row.start..start + row.end));
            start += line.len() + 1;
        }
        rows
    }

    /// The rows of one line in a window of `columns` columns, from the top, made as they are asked for.
    ///
    /// A row ends between words, or inside a word that is wider than the window; never inside a character. Blanks at the
    /// end of a row may hang over the edge. There is always at least one row, and joined the rows are the line. Each row
    /// is to be drawn by itself: its tab stops count from its own start.
    #[must_use]
    pub fn rows(self, line: &[u8], columns: usize) -> LineRows<'_> {
        LineRows { display: self, line, columns: columns.max(1), next: Some(0) }
    }

    /// How many bytes of `line` are its first row.
    fn row_len(self, line: &[u8], columns: usize) -> usize {
        plain_row_len(line, columns).unwrap_or_else(|| self.any_row_len(line, columns))
    }

    /// The same for any text.
    fn any_row_len(self, line: &[u8], columns: usize) -> usize {
        let mut break_at = None;
        let (mut before, mut is_indent, mut start) = (Kind::Blank, true, 0);
        let mut pieces = self.pieces(line);
        while let Some(piece) = pieces.next() {
            let kind = Kind::of(&piece.text);
            if piece.is_start {
                start = piece.source.start;
                if !is_indent && before.may_break_before(kind) {
                    break_at = Some(start);
                }
            }
            is_indent &= kind == Kind::Blank;
            if pieces.column() > columns && kind != Kind::Blank {
                // A character wider than the window gets a row to itself.
                let fitting = break_at.unwrap_or(start);
                return if fitting > 0 { fitting } else { pieces.end_of_character() };
            }
            before = kind;
        }
        line.len()
    }
}

/// [`Display::row_len`] where nothing but printable ASCII decides: most of what is wrapped, and long lines above all.
fn plain_row_len(line: &[u8], columns: usize) -> Option<usize> {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
    // What stands behind the row must be ASCII too: it could combine with the row's last character.
    let window = &line[..line.len().min(columns.saturating_add(1))];
    if !window.iter().all(is_plain) {
        return None;
    }
    if line.len() <= columns {
        return Some(line.len());
    }
    let hanging = line[columns..].iter().take_while(|byte| **byte == b' ').count();
    let end = columns + hanging;
    if line.get(end..(end + 2).min(line.len())).is_some_and(|next| !next.iter().all(is_plain)) {
        return None;
    }
    let indent = line[..end].iter().take_while(|byte| **byte == b' ').count();
    if end == line.len() || hanging > 0 {
        return Some(end);
    }
    let is_break = |at: &usize| line[*at - 1] == b' ' && line[*at] != b' ';
    Some((indent + 1..=end).rev().find(is_break).unwrap_or(end))
}

/// The rows of a line, as byte ranges. See [`Display::rows`].
#[derive(Debug, Clone)]
pub struct LineRows<'a> {
    display: Display,
    line: &'a [u8],
    columns: usize,
    next: Option<usize>,
}

impl LineRows<'_> {
    /// The rows from one that begins at `start` on; `None`: none.
    pub(super) fn starting_at(self, start: Option<usize>) -> Self {
        Self { next: start, ..self }
    }

    /// The rows but for the first `count`.
    pub(super) fn without(mut self, count: usize) -> Self {
        if let Some(last) = count.checked_sub(1) {
            let _ = self.nth(last);
        }
        self
    }
}

impl Iterator for LineRows<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let start = self.next?;
        let end = start + self.display.row_len(&self.line[start..], self.columns);
        self.next = (end < self.line.len()).then_some(end);
        Some(start..end)
    }
}

/// What a character is to the one who breaks rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Blank,
    /// Written without blanks between words.
    Wide,
    /// Stays with what stands before it.
    Closing,
    Other,
}

impl Kind {
    /// The kind of a character as it is drawn: a tab is blanks.
    fn of(drawn: &str) -> Self {
        if drawn.bytes().all(|byte| byte == b' ') {
            return Self::Blank;
        }
        match drawn.chars().next().unwrap_or(' ') {
            '、' | '。' | '，' | '．' | '：' | '；' | '！' | '？' | '）' | '」' | '』' | '】' | '〉' | '》' | 'ー' => {
                Self::Closing
            }
            '\u{1100}'..='\u{115F}'
            | '\u{2E80}'..='\u{A4CF}'
            | '\u{AC00}'..='\u{D7A3}'
            | '\u{F900}'..='\u{FAFF}'
            | '\u{FF01}'..='\u{FF60}'
            | '\u{1F300}'..='\u{1FAFF}'
            | '\u{20000}'..='\u{3FFFF}' => Self::Wide,
            _ => Self::Other,
        }
    }

    fn may_break_before(self, next: Self) -> bool {
        !matches!(next, Self::Blank | Self::Closing) && (self, next) != (Self::Other, Self::Other)
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "one range is what is wanted")]
mod tests {
    use super::*;

    #[test]
    fn wrapping() {
        for (text, columns, expected) in [
            ("", 5, vec![""]),
            ("one two three", 8, vec!["one two ", "three"]),
            ("one  two", 4, vec!["one  ", "two"]),
            ("abcdefgh ij", 3, vec!["abc", "def", "gh ", "ij"]),
            ("  abcdef", 4, vec!["  ab", "cdef"]),
            ("a\n\nb\n", 4, vec!["a", "", "b", ""]),
            ("漢字仮名。", 8, vec!["漢字仮", "名。"]),
            ("漢字", 1, vec!["漢", "字"]),
            ("see 漢字", 6, vec!["see 漢", "字"]),
            ("abc \u{301}d", 3, vec!["abc", " \u{301}d"]),
        ] {
            let rows = Display::default().wrap(text, columns);
            assert_eq!(rows.into_iter().map(|row| &text[row]).collect::<Vec<_>>(), expected, "{text:?} {columns}");
        }
    }
    #[test]
    fn plain_text_is_wrapped_like_any_other() {
        let display = Display::default();
        for line in
            ["", "a", "one two three", "   indented", "        ", "a     b", "abcdefgh ij k", "x  ", "see (e.g.) this"]
        {
            for columns in 1..=line.len() + 2 {
                let plain = plain_row_len(line.as_bytes(), columns);
                assert_eq!(plain, Some(display.any_row_len(line.as_bytes(), columns)), "{line:?} {columns}");
            }
        }
        assert_eq!(plain_row_len("abc\u{301}d".as_bytes(), 3), None);
    }

    #[test]
    fn rows_are_the_line_whatever_is_in_it_and_no_wider_than_the_window() {
        let display = Display::default();
        let line = "fn x\u{301}é(👩\u{200d}🔬) {\t漢字\u{1b}[2J} ".repeat(40).into_bytes();
        let line = [&line[..], b"\xf0\x9f\xc3(\x80 end"].concat();
        for columns in [1, 2, 7, 8, 40, 10_000] {
            let mut at = 0;
            for row in display.rows(&line, columns) {
                assert_eq!(row.start, at);
                assert!(row.end > at);
                at = row.end;
                let drawn = &line[row];
                let trimmed = drawn.trim_ascii_end();
                assert!(columns < 8 || display.width(trimmed) <= columns, "{columns} {drawn:?}");
            }
            assert_eq!(at, line.len(), "{columns}");
        }
        assert_eq!(display.rows(b"", 4).collect::<Vec<_>>(), [0..0]);
    }
}
