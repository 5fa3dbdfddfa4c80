//! Lines found again in another version of their file: where they were, or where their neighbours say that they are. A place
//! that only reads the same is none.

use std::ops::Range;

use bstr::ByteSlice as _;
use memchr::memmem;
use serde::{Deserialize, Serialize};

use super::Lines;

/// How many neighbours are kept on each side.
pub const REACH: usize = 2;

/// The lines that stood next to others, the nearest first. None may mean that nobody knows.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Neighbours {
    /// Above them.
    #[serde(default)]
    pub above: Vec<String>,
    /// Below them.
    #[serde(default)]
    pub below: Vec<String>,
}

impl Neighbours {
    /// Whether nothing is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.above.is_empty() && self.below.is_empty()
    }

    /// On how many sides a place has these neighbours, whose lines upwards and downwards are given.
    pub fn fit<T: AsRef<[u8]>>(&self, mut above: impl Iterator<Item = T>, mut below: impl Iterator<Item = T>) -> usize {
        let is_there = |known: &[String], lines: &mut dyn Iterator<Item = T>| {
            !known.is_empty()
                && known.iter().all(|known| lines.next().is_some_and(|line| is_line(line.as_ref(), known)))
        };
        usize::from(is_there(&self.above, &mut above)) + usize::from(is_there(&self.below, &mut below))
    }

    /// On how many sides something is known.
    fn sides(&self) -> usize {
        usize::from(!self.above.is_empty()) + usize::from(!self.below.is_empty())
    }

    /// Which of `all` places that read the same the lines are at: the one that is `named`, if no other has more of these
    /// neighbours; else the one that has the most, and has some. `fit` tells on how many sides a place has them.
    pub fn choose<P>(&self, named: Option<P>, all: impl FnOnce() -> Vec<P>, fit: impl Fn(&P) -> usize) -> Option<P> {
        let own = named.as_ref().map_or(0, &fit);
        if named.is_some() && own == self.sides() {
            return named;
        }
        let fits: Vec<(usize, P)> = all().into_iter().map(|place| (fit(&place), place)).collect();
        let best = fits.iter().map(|(fit, _)| *fit).max().unwrap_or(0);
        if named.is_some() && best <= own {
            return named;
        }
        let mut places = fits.into_iter().filter(|(fit, _)| best > 0 && *fit == best).map(|(_, place)| place);
        places.next().filter(|_| places.next().is_none())
    }
}

/// Where in `text` the lines are that read `quote` and stood between `neighbours`: at `lines`, where they were, if they
/// still are; else the one place that has the most of these neighbours, and has some.
#[must_use]
pub fn find_again(text: &[u8], lines: Option<Lines>, quote: &str, neighbours: &Neighbours) -> Option<Range<usize>> {
    let fit = |place: &Range<usize>| {
        let (above, below) = (&text[..place.start], text.get(place.end..).unwrap_or_default());
        let above = above.strip_suffix(b"\n").map(|above| above.rsplit_str(b"\n")).into_iter().flatten();
        // What is left of the last line ends it.
        neighbours.fit(above, below.split_str(b"\n").skip(1))
    };
    let named = lines.map(|lines| lines.range(text)).filter(|range| reads(&text[range.clone()], quote));
    let all = || {
        let mut places = places(text, quote);
        if quote.contains('\n') && !quote.contains('\r') {
            places.extend(self::places(text, &quote.replace('\n', "\r\n")));
        }
        places
    };
    neighbours.choose(named, all, fit)
}

/// Where whole lines of `text` read `quote`.
fn places(text: &[u8], quote: &str) -> Vec<Range<usize>> {
    let wanted = quote.as_bytes();
    let is_start = |at: usize| at == 0 || text[at - 1] == b'\n';
    let is_end = |at: usize| matches!(text.get(at), None | Some(b'\n')) || text[at..].starts_with(b"\r\n");
    let found = memmem::find_iter(text, wanted).map(|at| at..at + wanted.len());
    found.filter(|place| is_start(place.start) && is_end(place.end)).collect()
}

fn is_line(line: &[u8], known: &str) -> bool {
    reads(line, known)
}

/// Whether bytes of a file read as a text that was on the screen.
#[must_use]
pub fn reads(bytes: &[u8], quote: &str) -> bool {
    let plain = |text: &str| text.replace("\r\n", "\n").trim_end_matches('\r').to_owned();
    plain(&bytes.to_str_lossy()) == plain(quote)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Side;

    /// The line at which `same` is found that was the line `first`, between these neighbours.
    fn found(text: &str, first: u64, above: &[&str], below: &[&str]) -> Option<usize> {
        let lines = Lines { side: Side::New, first, last: first };
        let owned = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect();
        let neighbours = Neighbours { above: owned(above), below: owned(below) };
        let range = find_again(text.as_bytes(), Some(lines), "same", &neighbours)?;
        Some(text[..range.start].matches('\n').count() + 1)
    }

    #[test]
    fn lines_are_where_they_were_or_where_their_neighbours_are() {
        assert_eq!(found("a\nsame\nb\n", 2, &["a"], &["b"]), Some(2));
        assert_eq!(found("new\na\nsame\nb\n", 2, &["a"], &["b"]), Some(3));
        assert_eq!(found("new\nb\r\nsame\r\nb", 1, &["a"], &["b"]), Some(3), "one side is enough");
        assert_eq!(found("a\nsame\nb\nsame\na\nsame\nc\n", 4, &["a"], &["b"]), Some(2), "rather where both are");
        assert_eq!(found("x\nsame\ny\n", 2, &["a"], &["b"]), Some(2), "the same text at the same place");
        assert_eq!(found("same", 1, &[], &[]), Some(1));
        let neighbours = Neighbours { above: vec!["a".into()], below: Vec::new() };
        assert_eq!(find_again(b"a\r\nb\r\nc\r\n", None, "b\nc", &neighbours), Some(3..7));
    }

    #[test]
    fn a_look_alike_is_none() {
        assert_eq!(found("x\ny\nsame\nz\n", 2, &["a"], &["b"]), None);
        assert_eq!(found("x\ny\nsame\nz\n", 2, &[], &[]), None);
        assert_eq!(found("1\na\nsame\n2\na\nsame\n", 1, &["a"], &["b"]), None, "two places fit as well");
        assert_eq!(found("a\nsame words\nb\n", 2, &["a"], &["b"]), None);
        assert_eq!(found("", 2, &["a"], &["b"]), None);
    }
}
