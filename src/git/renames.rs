//! Which file that went is which file that came: the pairs that `git diff -M50%` makes.
//!
//! Pure: contents are asked for through [`Contents`]. First identical files, then files that keep a base name which
//! is unique among those left, then the best of all other pairs. The last step looks at every pair, so it is only taken
//! up to git's own limit and a fixed amount of work; beyond that, the first two steps stand.

use std::cell::{Cell, OnceCell};
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};

use bstr::{BStr, BString, ByteSlice};
use git2::{ObjectType, Oid};

use super::content::is_binary;

/// Scores are parts of this.
const MAX_SCORE: u64 = 60_000;
/// Half of the larger file has to be the same.
const MIN_SCORE: u64 = MAX_SCORE / 2;
/// Files that keep their base name are paired without a look at others from here on.
const MIN_SCORE_SAME_NAME: u64 = MAX_SCORE / 4 * 3;
/// As many files that went, times as many that came, are compared with each other unless `diff.renameLimit` says another
/// number.
pub(super) const USUAL_LIMIT: usize = 1000;
/// So many pieces that two files have in common are counted at most, over all pairs: some seconds.
const WORK_LIMIT: usize = 4_000_000_000;
/// And so many bytes are read for it.
const READ_LIMIT: u64 = 1 << 30;
/// Of so many candidates for one file the best are remembered.
const REMEMBERED: usize = 4;
/// Among so many identical files one is chosen.
const IDENTICAL_LIMIT: usize = 102;

/// A file that went or came.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its path.
    pub(super) path: BString,
    /// Its mode.
    pub(super) mode: u32,
    /// Its id.
    pub(super) id: Oid,
}

impl Candidate {
    fn base_name(&self) -> &[u8] {
        self.path.rfind_byte(b'/').map_or(&self.path[..], |at| &self.path[at + 1..])
    }

    fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }
}

/// The two kinds of candidates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// Those that went.
    Gone,
    /// Those that came.
    Born,
}

/// Gives what candidates hold, by index; `None` for one that cannot be read, which is then like no other.
pub(super) trait Contents {
    /// The length in bytes.
    fn size(&self, which: Which, index: usize) -> Option<u64>;
    /// The bytes.
    fn read(&self, which: Which, index: usize) -> Option<Vec<u8>>;
}

/// For every file that came, in order: which file that went it was, if any. With `limit` see [`USUAL_LIMIT`].
pub(super) fn pair(
    gone: &[Candidate],
    born: &[Candidate],
    limit: usize,
    contents: &dyn Contents,
) -> Vec<Option<usize>> {
    let mut pairing = Pairing {
        gone,
        born,
        contents,
        from: vec![None; born.len()],
        used: vec![false; gone.len()],
        sizes: [cells(gone.len()), cells(born.len())],
        prints: [cells(gone.len()), cells(born.len())],
        to_read: Cell::new(READ_LIMIT),
    };
    pairing.identical();
    pairing.same_name();
    pairing.most_similar(limit);
    pairing.from
}

/// A file of which no repository need know anything.
#[derive(Debug, Clone, Copy)]
pub struct LooseFile<'a> {
    /// Its path.
    pub path: &'a BStr,
    /// Its mode, in git's octal notation.
    pub mode: u32,
    /// Its bytes.
    pub text: &'a [u8],
}

impl Contents for [&[LooseFile<'_>]; 2] {
    fn size(&self, which: Which, index: usize) -> Option<u64> {
        Some(self[which as usize][index].text.len() as u64)
    }

    fn read(&self, which: Which, index: usize) -> Option<Vec<u8>> {
        Some(self[which as usize][index].text.to_vec())
    }
}

/// For every file that came, in order: which of those that went it was, if any, by the rules that hold for a repository.
#[must_use]
pub fn pair_files(gone: &[LooseFile<'_>], born: &[LooseFile<'_>]) -> Vec<Option<usize>> {
    let candidates = |files: &[LooseFile<'_>]| -> Option<Vec<Candidate>> {
        let of = |file: &LooseFile<'_>| {
            let id = Oid::hash_object(ObjectType::Blob, file.text).ok()?;
            Some(Candidate { path: file.path.to_owned(), mode: file.mode, id })
        };
        files.iter().map(of).collect()
    };
    match candidates(gone).zip(candidates(born)) {
        Some((went, came)) => pair(&went, &came, USUAL_LIMIT, &[gone, born]),
        None => vec![None; born.len()],
    }
}

fn cells<T>(len: usize) -> Vec<OnceCell<T>> {
    std::iter::repeat_with(OnceCell::new).take(len).collect()
}

struct Pairing<'a> {
    gone: &'a [Candidate],
    born: &'a [Candidate],
    contents: &'a dyn Contents,
    from: Vec<Option<usize>>,
    used: Vec<bool>,
    sizes: [Vec<OnceCell<Option<u64>>>; 2],
    prints: [Vec<OnceCell<Option<Fingerprint>>>; 2],
    /// Bytes that may still be read.
    to_read: Cell<u64>,
}

/// A possible pair and how good it is: by likeness, then by whether the base name is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pair {
    gone: usize,
    born: usize,
    rank: (u64, bool),
}

impl Pairing<'_> {
    fn take(&mut self, gone: usize, born: usize) {
        self.from[born] = Some(gone);
        self.used[gone] = true;
    }

    fn same_base_name(&self, gone: usize, born: usize) -> bool {
        self.gone[gone].base_name() == self.born[born].base_name()
    }

    fn identical(&mut self) {
        // A link is no file, whatever is in it.
        let kind = |file: &Candidate| (file.id, if file.is_file() { None } else { Some(file.mode) });
        let mut left: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (index, gone) in self.gone.iter().enumerate() {
            left.entry(kind(gone)).or_default().push_back(index);
        }
        for born in 0..self.born.len() {
            let Some(same) = left.get_mut(&kind(&self.born[born])) else { continue };
            let looked_at = same.iter().take(IDENTICAL_LIMIT);
            let best = looked_at.copied().position(|gone| self.same_base_name(gone, born)).unwrap_or(0);
            if let Some(gone) = same.remove(best) {
                self.take(gone, born);
            }
        }
    }

    fn same_name(&mut self) {
        let names_left = |all: &[Candidate], left: &dyn Fn(usize) -> bool| {
            let mut names: HashMap<BString, Option<usize>> = HashMap::new();
            for (index, file) in all.iter().enumerate().filter(|(index, _)| left(*index)) {
                names.entry(file.base_name().into()).and_modify(|only| *only = None).or_insert(Some(index));
            }
            names
        };
        let gone = names_left(self.gone, &|index| !self.used[index]);
        let born = names_left(self.born, &|index| self.from[index].is_none());
        let mut unique: Vec<(usize, usize)> =
            gone.iter().filter_map(|(name, gone)| Some(((*gone)?, (*born.get(name)?)?))).collect();
        unique.sort_unstable();
        for (gone, born) in unique {
            if self.score(gone, born, MIN_SCORE_SAME_NAME) >= MIN_SCORE_SAME_NAME {
                self.take(gone, born);
            }
        }
    }

    fn most_similar(&mut self, limit: usize) {
        let gone: Vec<usize> = (0..self.gone.len()).filter(|index| !self.used[*index]).collect();
        let born: Vec<usize> = (0..self.born.len()).filter(|index| self.from[*index].is_none()).collect();
        if gone.len().saturating_mul(born.len()) > limit.saturating_mul(limit) {
            return;
        }
        let mut work = 0;
        let pieces = OnceCell::new();
        let mut pairs = Vec::new();
        for &came in &born {
            let may_be: Vec<bool> = gone.iter().map(|went| self.lengths_allow(*went, came, MIN_SCORE)).collect();
            let print = if may_be.contains(&true) { self.print(Which::Born, came) } else { None };
            let common = match print {
                Some(print) => pieces.get_or_init(|| self.pieces(&gone, &born)).in_common(print, gone.len(), &mut work),
                None => vec![0; gone.len()],
            };
            if work > WORK_LIMIT {
                return;
            }
            let mut best: Vec<Pair> = Vec::with_capacity(REMEMBERED);
            for (at, &went) in gone.iter().enumerate() {
                let score = if may_be[at] { self.score_of(common[at], went, came) } else { 0 };
                remember(&mut best, Pair { gone: went, born: came, rank: (score, self.same_base_name(went, came)) });
            }
            pairs.append(&mut best);
            // What every file that came consists of would be too much to keep.
            self.prints[Which::Born as usize][came].take();
            work += gone.len();
        }
        pairs.sort_by_key(|pair| Reverse(pair.rank));
        for pair in pairs.iter().take_while(|pair| pair.rank.0 >= MIN_SCORE) {
            if self.from[pair.born].is_none() && !self.used[pair.gone] {
                self.take(pair.gone, pair.born);
            }
        }
    }

    /// The pieces of the files `gone`, by their place in it. One that is longer or shorter than any of `born` can be is not
    /// read.
    fn pieces(&self, gone: &[usize], born: &[usize]) -> Pieces {
        let mut pieces = Pieces::default();
        let may_be = |went: usize| born.iter().any(|came| self.lengths_allow(went, *came, MIN_SCORE));
        for (at, &went) in gone.iter().enumerate().filter(|(_, went)| may_be(**went)) {
            for &(hash, bytes) in self.print(Which::Gone, went).map_or(&[][..], |print| &print.chunks) {
                // There are at most as many as `diff.renameLimit` lets through.
                pieces.0.entry(hash).or_default().push((u32::try_from(at).unwrap_or(u32::MAX), bytes));
            }
        }
        pieces
    }

    /// How much of the larger file the two have in common, in parts of [`MAX_SCORE`]; 0 where less than `least` can
    /// be told from the lengths alone.
    fn score(&self, gone: usize, born: usize, least: u64) -> u64 {
        if !self.lengths_allow(gone, born, least) {
            return 0;
        }
        match (self.print(Which::Gone, gone), self.print(Which::Born, born)) {
            (Some(went), Some(came)) => self.score_of(went.in_common(came), gone, born),
            _ => 0,
        }
    }

    /// Whether two files of these lengths can have so much in common.
    fn lengths_allow(&self, gone: usize, born: usize, least: u64) -> bool {
        if !self.gone[gone].is_file() || !self.born[born].is_file() {
            return false;
        }
        let (Some(went), Some(came)) = (self.size(Which::Gone, gone), self.size(Which::Born, born)) else {
            return false;
        };
        let larger = went.max(came);
        let difference = larger - went.min(came);
        came > 0 && u128::from(larger) * u128::from(MAX_SCORE - least) >= u128::from(difference) * u128::from(MAX_SCORE)
    }

    fn score_of(&self, common: u64, gone: usize, born: usize) -> u64 {
        let larger = self.size(Which::Gone, gone).max(self.size(Which::Born, born)).unwrap_or(0).max(1);
        let score = u128::from(common) * u128::from(MAX_SCORE) / u128::from(larger);
        u64::try_from(score).unwrap_or(MAX_SCORE)
    }

    fn size(&self, which: Which, index: usize) -> Option<u64> {
        *self.sizes[which as usize][index].get_or_init(|| self.contents.size(which, index))
    }

    fn print(&self, which: Which, index: usize) -> Option<&Fingerprint> {
        let make = || {
            self.to_read.set(self.to_read.get().checked_sub(self.size(which, index)?)?);
            self.contents.read(which, index).map(|content| Fingerprint::of(&content))
        };
        self.prints[which as usize][index].get_or_init(make).as_ref()
    }
}

/// Which files have a piece, and how many bytes of it, by its hash. What two files have in common is then counted piece by
/// piece, and not by comparing every file with every other.
#[derive(Default)]
struct Pieces(HashMap<u32, Vec<(u32, u32)>>);

impl Pieces {
    /// The bytes that each of `count` files has in common with `print`; `work` grows by the pieces that were looked at.
    fn in_common(&self, print: &Fingerprint, count: usize, work: &mut usize) -> Vec<u64> {
        let mut common = vec![0; count];
        for &(hash, bytes) in &print.chunks {
            let there = self.0.get(&hash).map_or(&[][..], Vec::as_slice);
            *work += there.len() + 1;
            for &(file, theirs) in there {
                if let Some(sum) = common.get_mut(file as usize) {
                    *sum += u64::from(bytes.min(theirs));
                }
            }
        }
        common
    }
}

/// Keep `pair` if it is better than the worst of those remembered.
fn remember(best: &mut Vec<Pair>, pair: Pair) {
    if best.len() < REMEMBERED {
        best.push(pair);
        return;
    }
    // Of equally bad ones the first: what is kept, and in which order, decides between equal candidates later.
    let worst = (1..best.len()).fold(0, |worst, index| if best[index].rank < best[worst].rank { index } else { worst });
    if pair.rank > best[worst].rank {
        best[worst] = pair;
    }
}

/// The pieces of a file, as hash and bytes that have it, sorted by hash. A piece is a line, or 64 bytes of a longer one.
struct Fingerprint {
    chunks: Vec<(u32, u32)>,
}

impl Fingerprint {
    /// git's hashes have this many values; the same ones are taken here so that scores agree to the last part.
    const HASHES: u32 = 107_927;
    const LONGEST_PIECE: u32 = 64;

    fn of(content: &[u8]) -> Self {
        let is_text = !is_binary(content);
        let mut pieces = Vec::new();
        let (mut state, mut len) = (0u64, 0u32);
        for (index, &byte) in content.iter().enumerate() {
            if is_text && byte == b'\r' && content.get(index + 1) == Some(&b'\n') {
                continue;
            }
            state = state.rotate_left(7).wrapping_add(u64::from(byte) << 32);
            len += 1;
            if len == Self::LONGEST_PIECE || byte == b'\n' {
                pieces.push((Self::hash(state), len));
                (state, len) = (0, 0);
            }
        }
        if len > 0 {
            pieces.push((Self::hash(state), len));
        }
        pieces.sort_unstable();
        pieces.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 = kept.1.saturating_add(if same { next.1 } else { 0 });
            same
        });
        pieces.shrink_to_fit();
        Self { chunks: pieces }
    }

    fn hash(state: u64) -> u32 {
        let high = u32::try_from(state >> 32).unwrap_or_default();
        let low = u32::try_from(state & u64::from(u32::MAX)).unwrap_or_default();
        high.wrapping_add(low.wrapping_mul(0x61)) % Self::HASHES
    }

    /// The bytes in pieces that both have, each as often as both have it.
    fn in_common(&self, other: &Self) -> u64 {
        let (mut common, mut at) = (0u64, 0);
        for &(hash, bytes) in &self.chunks {
            while at < other.chunks.len() && other.chunks[at].0 < hash {
                at += 1;
            }
            if let Some(&(there, theirs)) = other.chunks.get(at)
                && there == hash
            {
                common += u64::from(bytes.min(theirs));
            }
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type File = (&'static str, String);

    fn pairs(gone: &[File], born: &[File]) -> Vec<Option<usize>> {
        fn files(files: &[File]) -> Vec<LooseFile<'_>> {
            let loose = files.iter().map(|(path, text)| (BStr::new(*path), text.as_bytes()));
            loose.map(|(path, text)| LooseFile { path, mode: 0o100_644, text }).collect()
        }
        pair_files(&files(gone), &files(born))
    }

    /// Ten lines, of which the first `changed` are others than in `lines(0)`.
    fn lines(changed: usize) -> String {
        (0..10).map(|n| format!("{}{n}\n", if n < changed { "other" } else { "lines" })).collect()
    }

    #[test]
    fn identical_files_prefer_their_name() {
        let one = || "same\n".to_owned();
        assert_eq!(pairs(&[("a/x", one()), ("a/y", one())], &[("b/y", one()), ("b/x", one())]), [Some(1), Some(0)]);
        assert_eq!(pairs(&[("a/x", one())], &[("b/1", one()), ("b/2", one())]), [Some(0), None]);
        assert_eq!(pairs(&[("a", String::new())], &[("b", String::new())]), [Some(0)]);
    }

    #[test]
    fn half_of_the_lines_is_enough() {
        for (changed, paired) in [(0, true), (3, true), (5, true), (6, false), (10, false)] {
            let found = pairs(&[("old", lines(0))], &[("new", lines(changed))]);
            assert_eq!(found == [Some(0)], paired, "{changed} of ten lines changed");
        }
    }

    #[test]
    fn a_kept_name_wins_only_when_three_quarters_are_kept() {
        let gone = [("a/name", lines(0)), ("a/other", lines(1))];
        assert_eq!(pairs(&gone, &[("b/name", lines(2))]), [Some(0)], "close enough");
        assert_eq!(pairs(&gone, &[("b/name", lines(4))]), [Some(1)], "the other one is closer");
    }

    #[test]
    fn the_best_pair_is_taken_first() {
        let gone = [("1", lines(0)), ("2", lines(2))];
        assert_eq!(pairs(&gone, &[("x", lines(3)), ("y", lines(1))]), [Some(1), Some(0)]);
    }

    #[test]
    fn long_lines_and_carriage_returns() {
        let long = "x".repeat(1000);
        assert_eq!(pairs(&[("a", format!("{long}tail"))], &[("b", format!("{long}head"))]), [Some(0)]);
        let crlf = lines(0).replace('\n', "\r\n");
        assert_eq!(pairs(&[("a", lines(0))], &[("b", crlf)]), [Some(0)]);
    }
}
