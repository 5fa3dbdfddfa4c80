//! Rows: a text in a window of fixed width, broken between words.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::width::Display;

impl Display {
    /// The rows of `text` in a window of `columns` columns, as byte ranges.
    ///
    /// A row ends at each LF, which belongs to no row; else between words, or inside a word that is wider than the
    /// window. Blanks at the end of a row may hang over the edge. There is always at least one row, and but for the LFs
    /// the rows follow each other without a gap.
    #[must_use]
    pub fn wrap(self, text: &str, columns: usize) -> Vec<Range<usize>> {
        let mut rows = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            self.wrap_line(line, columns.max(1), start, &mut rows);
            start += line.len() + 1;
        }
        rows
    }

    fn wrap_line(self, line: &str, columns: usize, offset: usize, rows: &mut Vec<Range<usize>>) {
        let mut start = 0;
        loop {
            let len = self.row_len(&line[start..], columns);
            rows.push(offset + start..offset + start + len);
            start += len;
            if start >= line.len() {
                return;
            }
        }
    }

    /// How many bytes of `line` are its first row.
    fn row_len(self, line: &str, columns: usize) -> usize {
        let (mut used, mut at) = (0, 0);
        let mut break_at = None;
        let (mut before, mut is_indent) = (Kind::Blank, true);
        for cluster in line.graphemes(true) {
            let kind = Kind::of(cluster);
            if !is_indent && before.may_break_before(kind) {
                break_at = Some(at);
            }
            is_indent &= kind == Kind::Blank;
            used = self.after(cluster, used);
            if used > columns && kind != Kind::Blank {
                // A character wider than the window gets a row to itself.
                return break_at.unwrap_or(if at == 0 { cluster.len() } else { at });
            }
            at += cluster.len();
            before = kind;
        }
        at
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
    fn of(cluster: &str) -> Self {
        let c = cluster.chars().next().unwrap_or(' ');
        match c {
            ' ' | '\t' => Self::Blank,
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
        ] {
            let rows = Display::default().wrap(text, columns);
            assert_eq!(rows.into_iter().map(|row| &text[row]).collect::<Vec<_>>(), expected, "{text:?} {columns}");
        }
    }
}
