//! A change of a text as a value: sorted, disjoint splices in the offsets of the text it was made for.

use std::ops::Range;

/// Replace the bytes of `range` by `with`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Splice {
    /// What is replaced, in offsets of the text before the edit.
    pub range: Range<usize>,
    /// What stands there afterwards.
    pub with: Vec<u8>,
}

/// A list of splices, sorted and disjoint; the only way in which a document changes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Edit {
    splices: Vec<Splice>,
}

impl Edit {
    /// The edit made of `splices`, in any order.
    ///
    /// # Panics
    /// When two of them overlap: whoever builds an edit knows its ranges.
    #[must_use]
    pub fn new(mut splices: Vec<Splice>) -> Self {
        splices.sort_by_key(|splice| (splice.range.start, splice.range.end));
        assert!(splices.windows(2).all(|pair| pair[0].range.end <= pair[1].range.start), "splices are disjoint");
        Self { splices }
    }

    /// Put `with` in front of the byte at `offset`.
    #[must_use]
    pub fn insert(offset: usize, with: impl Into<Vec<u8>>) -> Self {
        Self::replace(offset..offset, with)
    }

    /// Put `with` in the place of `range`.
    #[must_use]
    pub fn replace(range: Range<usize>, with: impl Into<Vec<u8>>) -> Self {
        Self { splices: vec![Splice { range, with: with.into() }] }
    }

    /// The splices, in order.
    #[must_use]
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Whether nothing is changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.splices.is_empty()
    }

    /// The text after the edit.
    ///
    /// # Panics
    /// When a range lies outside `text`.
    #[must_use]
    pub fn apply(&self, text: &[u8]) -> Vec<u8> {
        let grown: usize = self.splices.iter().map(|splice| splice.with.len()).sum();
        let mut out = Vec::with_capacity(text.len() + grown);
        let mut at = 0;
        for splice in &self.splices {
            out.extend_from_slice(&text[at..splice.range.start]);
            out.extend_from_slice(&splice.with);
            at = splice.range.end;
        }
        out.extend_from_slice(&text[at..]);
        out
    }

    /// The edit that takes this one back; `text` is the text before this edit.
    #[must_use]
    pub fn inverse(&self, text: &[u8]) -> Self {
        let mut shift = Shift::default();
        let splices = self.splices.iter().map(|splice| {
            let start = shift.of(splice.range.start);
            shift.pass(splice);
            Splice { range: start..start + splice.with.len(), with: text[splice.range.clone()].to_vec() }
        });
        Self { splices: splices.collect() }
    }

    /// Where the byte at `offset` stands after the edit. A byte that was replaced maps to the end of its replacement;
    /// what is inserted exactly at `offset` comes before it.
    #[must_use]
    pub fn map(&self, offset: usize) -> usize {
        let mut shift = Shift::default();
        for splice in &self.splices {
            if splice.range.start > offset {
                break;
            }
            if offset < splice.range.end {
                return shift.of(splice.range.start) + splice.with.len();
            }
            shift.pass(splice);
        }
        shift.of(offset)
    }
}

/// How far bytes have moved behind the splices passed so far.
#[derive(Default)]
struct Shift {
    added: usize,
    removed: usize,
}

impl Shift {
    fn of(&self, offset: usize) -> usize {
        offset + self.added - self.removed
    }

    fn pass(&mut self, splice: &Splice) {
        self.added += splice.with.len();
        self.removed += splice.range.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit() -> Edit {
        Edit::new(vec![
            Splice { range: 4..6, with: b"XYZ".to_vec() },
            Splice { range: 1..1, with: b"--".to_vec() },
            Splice { range: 7..8, with: Vec::new() },
        ])
    }

    #[test]
    fn apply_and_take_back() {
        let text = b"abcdefgh";
        let after = edit().apply(text);
        assert_eq!(after, b"a--bcdXYZg");
        assert_eq!(edit().inverse(text).apply(&after), text);
    }

    #[test]
    fn offsets_follow_their_bytes() {
        let mapped: Vec<usize> = (0..=8).map(|offset| edit().map(offset)).collect();
        assert_eq!(mapped, [0, 3, 4, 5, 9, 9, 9, 10, 10]);
    }

    #[test]
    #[should_panic(expected = "disjoint")]
    fn overlap_is_refused() {
        let _ = Edit::new(vec![Splice { range: 0..3, with: vec![] }, Splice { range: 2..4, with: vec![] }]);
    }
}
