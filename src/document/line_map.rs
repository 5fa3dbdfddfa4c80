//! From an offset of the whole text to the line and column that a report names.

use std::cell::Cell;

use bstr::ByteSlice;

use super::Document;
use crate::text::LineNo;

/// Where every line of a document begins.
#[derive(Debug, Clone)]
pub struct LineMap {
    lines: Vec<usize>,
    parts: Vec<usize>,
    /// The last offset whose column was asked for, and that column: findings of one line come one after the other.
    last: Cell<(usize, u64)>,
}

impl LineMap {
    /// Find the lines of `document`.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let (mut lines, mut parts) = (vec![0], Vec::with_capacity(document.parts().len()));
        let mut base = 0;
        for part in document.parts() {
            parts.push(base);
            lines.extend(memchr::memchr_iter(b'\n', part.text()).map(|at| base + at + 1));
            base += part.text_len();
        }
        Self { lines, parts, last: Cell::new((0, 1)) }
    }

    /// The line that holds the byte at `offset`.
    #[must_use]
    pub fn line(&self, offset: usize) -> LineNo {
        LineNo(self.lines.partition_point(|start| *start <= offset) as u64)
    }

    /// The column of the byte at `offset` of `document`, counted in characters from 1.
    #[must_use]
    pub fn column(&self, document: &Document, offset: usize) -> u64 {
        let line = self.lines[self.lines.partition_point(|start| *start <= offset).saturating_sub(1)];
        let (mut from, mut column) = self.last.get();
        if from < line || from > offset {
            (from, column) = (line, 1);
        }
        let part = self.parts.partition_point(|start| *start <= offset).saturating_sub(1);
        let (text, base) = (document.parts()[part].text(), self.parts[part]);
        // Only a byte order mark stands on the line of the next part, and it has no width.
        from = from.max(base);
        let end = (offset - base).min(text.len());
        column += text[(from - base).min(end)..end].chars().count() as u64;
        self.last.set((offset, column));
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns() {
        let text = "---\nä x\n@file a\nb ö c";
        let document = Document::parse(text);
        let map = LineMap::of(&document);
        for (word, want) in
            [("x", (2, 3)), ("@file", (3, 1)), ("a\n", (3, 7)), ("c", (4, 5)), ("b", (4, 1)), ("x", (2, 3))]
        {
            let at = text.find(word).expect("the word is there");
            assert_eq!((map.line(at).0, map.column(&document, at)), want, "{word}");
        }
        let marked = Document::parse("\u{feff}@file a b");
        assert_eq!(LineMap::of(&marked).column(&marked, 3 + 8), 9);
        assert_eq!((map.line(text.len()).0, map.column(&document, text.len())), (4, 6));
    }
}
