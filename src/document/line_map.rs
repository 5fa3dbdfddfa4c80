//! From an offset of the whole text to the line and column that a report names.

use bstr::ByteSlice;

use super::Document;
use crate::text::LineNo;

/// Where every line of a document begins.
#[derive(Debug, Clone)]
pub struct LineMap {
    starts: Vec<usize>,
}

impl LineMap {
    /// Find the lines of `document`.
    #[must_use]
    pub fn of(document: &Document) -> Self {
        let mut starts = vec![0];
        let mut base = 0;
        for part in document.parts() {
            starts.extend(memchr::memchr_iter(b'\n', part.text()).map(|at| base + at + 1));
            base += part.text().len();
        }
        Self { starts }
    }

    /// The line that holds the byte at `offset`.
    #[must_use]
    pub fn line(&self, offset: usize) -> LineNo {
        LineNo(self.starts.partition_point(|start| *start <= offset) as u64)
    }

    /// The column of the byte at `offset` of `document`, counted in characters from 1.
    #[must_use]
    pub fn column(&self, document: &Document, offset: usize) -> u64 {
        let line = self.starts.partition_point(|start| *start <= offset).saturating_sub(1);
        let mut start = self.starts[line];
        for part in document.parts() {
            let len = part.text().len();
            if start < len {
                let end = (start + (offset - self.starts[line])).min(len);
                return part.text()[start..end].chars().count() as u64 + 1;
            }
            start -= len;
        }
        1
    }
}
