//! A change of a text as a value: sorted, disjoint splices in the offsets of the text it was made for.

use std::collections::VecDeque;
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

    /// The edit that does this one and then `next`, whose offsets are those of the text in between.
    ///
    /// # Panics
    /// When a range of `next` lies outside that text.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let mut between = Pieces::of(self);
        let mut both = Joined::default();
        let mut at = 0;
        for splice in &next.splices {
            between.take(splice.range.start - at, |piece| both.push(piece));
            both.with.extend_from_slice(&splice.with);
            between.take(splice.range.len(), |_| {});
            at = splice.range.end;
        }
        between.0.into_iter().for_each(|piece| both.push(piece));
        Self { splices: both.splices }
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

/// A piece of the text after an edit: bytes of the text before it, or what the edit has put in.
enum Piece {
    Old(Range<usize>),
    New(Vec<u8>),
}

impl Piece {
    fn len(&self) -> usize {
        match self {
            Self::Old(range) => range.len(),
            Self::New(bytes) => bytes.len(),
        }
    }

    /// Leave what lies behind the first `len` bytes to another piece.
    fn cut(&mut self, len: usize) -> Self {
        match self {
            Self::Old(range) => {
                let rest = range.start + len..range.end;
                range.end = rest.start;
                Self::Old(rest)
            }
            Self::New(bytes) => Self::New(bytes.split_off(len)),
        }
    }
}

/// The text after an edit; the last piece has no end, because an edit does not know the length of its text.
struct Pieces(VecDeque<Piece>);

impl Pieces {
    fn of(edit: &Edit) -> Self {
        let mut pieces = VecDeque::new();
        let mut at = 0;
        for splice in &edit.splices {
            pieces.push_back(Piece::Old(at..splice.range.start));
            pieces.push_back(Piece::New(splice.with.clone()));
            at = splice.range.end;
        }
        pieces.push_back(Piece::Old(at..usize::MAX));
        Self(pieces)
    }

    /// Hand the next `len` bytes to `to`, piece by piece.
    fn take(&mut self, mut len: usize, mut to: impl FnMut(Piece)) {
        while len > 0 {
            let mut piece = self.0.pop_front().expect("the last piece has no end");
            if piece.len() > len {
                self.0.push_front(piece.cut(len));
            }
            len -= piece.len();
            to(piece);
        }
    }
}

/// Splices that are made of pieces.
#[derive(Default)]
struct Joined {
    splices: Vec<Splice>,
    /// Up to where the text before has been dealt with.
    at: usize,
    /// What stands there now.
    with: Vec<u8>,
}

impl Joined {
    fn push(&mut self, piece: Piece) {
        match piece {
            Piece::New(bytes) => self.with.extend_from_slice(&bytes),
            Piece::Old(range) if range.is_empty() => {}
            Piece::Old(range) => {
                if self.at < range.start || !self.with.is_empty() {
                    self.splices.push(Splice { range: self.at..range.start, with: std::mem::take(&mut self.with) });
                }
                self.at = range.end;
            }
        }
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
    fn one_after_the_other_is_one() {
        let text = b"abcdefgh";
        let between = edit().apply(text);
        for splices in [
            vec![],
            vec![(0, 0, "<"), (10, 10, ">")],
            vec![(0, 10, "all")],
            vec![(1, 3, "")],
            vec![(2, 4, "x"), (5, 7, "yz")],
            vec![(4, 8, "")],
            vec![(3, 3, "in"), (9, 10, "out")],
        ] {
            let splices = splices
                .into_iter()
                .map(|(start, end, with): (_, _, &str)| Splice { range: start..end, with: with.into() });
            let next = Edit::new(splices.collect());
            let both = edit().then(&next);
            let after = next.apply(&between);
            assert_eq!(both.apply(text), after, "{next:?}");
            assert_eq!(both.inverse(text).apply(&after), text, "{next:?}");
        }
        assert_eq!(Edit::default().then(&edit()), edit());
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
