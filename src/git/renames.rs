//! Which file that went is which file that came: the pairs that `git diff -M50%` makes.
//!
//! Pure: contents are asked for through [`Contents`]. First identical files, then files that keep a base name which
//! is unique among those left, then the best of all other pairs. The last step looks at every pair, so it is only taken
//! up to git's own limit and a fixed amount of work; beyond that, the first two steps stand.

use std::cell::{Cell, OnceCell};
use std::cmp::Reverse;
use std::collections::HashMap;

use bstr::{BString, ByteSlice};
use git2::Oid;

use super::content::is_binary;

/// Scores are parts of this.
const MAX_SCORE: u64 = 60_000;
/// Half of the larger file has to be the same.
const MIN_SCORE: u64 = MAX_SCORE / 2;
/// Files that keep their base name are paired without a look at others from here on.
const MIN_SCORE_SAME_NAME: u64 = MAX_SCORE / 4 * 3;
/// As many files that went times as many that came are compared with each other.
const PAIR_LIMIT: usize = 1000 * 1000;
/// And as many entries of their fingerprints.
const WORK_LIMIT: usize = 400_000_000;
/// And so many bytes are read for it.
const READ_LIMIT: u64 = 512 << 20;
/// Of so many candidates for one file the best are remembered.
const REMEMBERED: usize = 4;
/// Among so many identical files one is chosen.
const IDENTICAL_LIMIT: usize = 100;

/// A file that went or came.
#[derive(Debug, Clone)]
pub(super) struct Candidate {
    /// Its path.
    pub(super) path: BString,
    /// Its mode.
    pub(super) mode: u32,
    /// Its id.
    pub(super) id: Oid,
    /// Its length in bytes.
    pub(super) size: u64,
}

impl Candidate {
    fn base_name(&self) -> &[u8] {
        self.path.rfind_byte(b'/').map_or(&self.path[..], |at| &self.path[at + 1..])
    }

    fn is_file(&self) -> bool {
        self.mode & 0o170_000 == 0o100_000
    }
}

/// Gives the content of candidates; `None` for one that cannot be read, which is then like no other.
pub(super) trait Contents {
    /// Of the file that went, by index.
    fn gone(&self, index: usize) -> Option<Vec<u8>>;
    /// Of the file that came, by index.
    fn born(&self, index: usize) -> Option<Vec<u8>>;
}

/// For every file that came, in order: which file that went it was, if any.
pub(super) fn pair(gone: &[Candidate], born: &[Candidate], contents: &dyn Contents) -> Vec<Option<usize>> {
    let mut pairing = Pairing {
        gone,
        born,
        contents,
        from: vec![None; born.len()],
        used: vec![false; gone.len()],
        prints: [cells(gone.len()), cells(born.len())],
        to_read: Cell::new(READ_LIMIT),
    };
    pairing.identical();
    pairing.same_name();
    pairing.most_similar();
    pairing.from
}

fn cells(len: usize) -> Vec<OnceCell<Option<Fingerprint>>> {
    std::iter::repeat_with(OnceCell::new).take(len).collect()
}

struct Pairing<'a> {
    gone: &'a [Candidate],
    born: &'a [Candidate],
    contents: &'a dyn Contents,
    from: Vec<Option<usize>>,
    used: Vec<bool>,
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
        let mut by_id: HashMap<Oid, Vec<usize>> = HashMap::new();
        for (index, gone) in self.gone.iter().enumerate() {
            by_id.entry(gone.id).or_default().push(index);
        }
        for born in 0..self.born.len() {
            let here = &self.born[born];
            let same = by_id.get(&here.id).map_or(&[][..], Vec::as_slice);
            let free = same.iter().copied().filter(|gone| {
                let there = &self.gone[*gone];
                !self.used[*gone] && ((there.is_file() && here.is_file()) || there.mode == here.mode)
            });
            let mut best = None;
            for gone in free.take(IDENTICAL_LIMIT + 1) {
                if self.same_base_name(gone, born) {
                    best = Some(gone);
                    break;
                }
                best = best.or(Some(gone));
            }
            if let Some(gone) = best {
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

    fn most_similar(&mut self) {
        let gone: Vec<usize> = (0..self.gone.len()).filter(|index| !self.used[*index]).collect();
        let born: Vec<usize> = (0..self.born.len()).filter(|index| self.from[*index].is_none()).collect();
        if gone.len().saturating_mul(born.len()) > PAIR_LIMIT {
            return;
        }
        let mut work = 0;
        let mut pairs = Vec::new();
        for &came in &born {
            let mut best: Vec<Pair> = Vec::with_capacity(REMEMBERED);
            for &went in &gone {
                let rank = (self.score(went, came, MIN_SCORE), self.same_base_name(went, came));
                remember(&mut best, Pair { gone: went, born: came, rank });
                work += self.entries(0, went) + self.entries(1, came);
            }
            if work > WORK_LIMIT {
                return;
            }
            pairs.append(&mut best);
        }
        pairs.sort_by_key(|pair| Reverse(pair.rank));
        for pair in pairs.iter().take_while(|pair| pair.rank.0 >= MIN_SCORE) {
            if self.from[pair.born].is_none() && !self.used[pair.gone] {
                self.take(pair.gone, pair.born);
            }
        }
    }

    /// How much of the larger file the two have in common, in parts of [`MAX_SCORE`]; 0 where less than `least` can
    /// be told from the lengths alone.
    fn score(&self, gone: usize, born: usize, least: u64) -> u64 {
        let (went, came) = (&self.gone[gone], &self.born[born]);
        if !went.is_file() || !came.is_file() || came.size == 0 {
            return 0;
        }
        let larger = went.size.max(came.size);
        let difference = larger - went.size.min(came.size);
        if u128::from(larger) * u128::from(MAX_SCORE - least) < u128::from(difference) * u128::from(MAX_SCORE) {
            return 0;
        }
        match (self.print(0, gone), self.print(1, born)) {
            (Some(went), Some(came)) => {
                let common = u128::from(went.in_common(came)) * u128::from(MAX_SCORE) / u128::from(larger);
                u64::try_from(common).unwrap_or(MAX_SCORE)
            }
            _ => 0,
        }
    }

    fn print(&self, side: usize, index: usize) -> Option<&Fingerprint> {
        let make = || {
            let size = if side == 0 { self.gone[index].size } else { self.born[index].size };
            self.to_read.set(self.to_read.get().checked_sub(size)?);
            let content = if side == 0 { self.contents.gone(index) } else { self.contents.born(index) };
            content.map(|content| Fingerprint::of(&content))
        };
        self.prints[side][index].get_or_init(make).as_ref()
    }

    /// The entries of a fingerprint, as far as it was made.
    fn entries(&self, side: usize, index: usize) -> usize {
        self.prints[side][index].get().and_then(Option::as_ref).map_or(1, |print| print.chunks.len())
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
    chunks: Vec<(u32, u64)>,
}

impl Fingerprint {
    /// git's hashes have this many values; the same ones are taken here so that scores agree to the last part.
    const HASHES: u32 = 107_927;
    const LONGEST_PIECE: u64 = 64;

    fn of(content: &[u8]) -> Self {
        let is_text = !is_binary(content);
        let mut pieces = Vec::new();
        let (mut state, mut len) = (0u64, 0u64);
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
            kept.1 += if same { next.1 } else { 0 };
            same
        });
        Self { chunks: pieces }
    }

    fn hash(state: u64) -> u32 {
        let high = u32::try_from(state >> 32).unwrap_or_default();
        let low = u32::try_from(state & u64::from(u32::MAX)).unwrap_or_default();
        high.wrapping_add(low.wrapping_mul(0x61)) % Self::HASHES
    }

    /// The bytes in pieces that both have, each as often as both have it.
    fn in_common(&self, other: &Self) -> u64 {
        let (mut common, mut at) = (0, 0);
        for &(hash, bytes) in &self.chunks {
            while at < other.chunks.len() && other.chunks[at].0 < hash {
                at += 1;
            }
            if let Some(&(there, theirs)) = other.chunks.get(at)
                && there == hash
            {
                common += bytes.min(theirs);
            }
        }
        common
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use git2::ObjectType;

    type File = (&'static str, String);

    struct Files([Vec<File>; 2]);

    impl Contents for Files {
        fn gone(&self, index: usize) -> Option<Vec<u8>> {
            Some(self.0[0][index].1.clone().into_bytes())
        }
        fn born(&self, index: usize) -> Option<Vec<u8>> {
            Some(self.0[1][index].1.clone().into_bytes())
        }
    }

    fn pairs(gone: Vec<File>, born: Vec<File>) -> Vec<Option<usize>> {
        let candidates = |files: &[File]| -> Vec<Candidate> {
            let of = |(path, text): &File| Candidate {
                path: (*path).into(),
                mode: 0o100_644,
                id: Oid::hash_object(ObjectType::Blob, text.as_bytes()).unwrap(),
                size: text.len() as u64,
            };
            files.iter().map(of).collect()
        };
        let (went, came) = (candidates(&gone), candidates(&born));
        pair(&went, &came, &Files([gone, born]))
    }

    /// Ten lines, of which the first `changed` are others than in `lines(0)`.
    fn lines(changed: usize) -> String {
        (0..10).map(|n| format!("{}{n}\n", if n < changed { "other" } else { "lines" })).collect()
    }

    #[test]
    fn identical_files_prefer_their_name() {
        let one = || "same\n".to_owned();
        assert_eq!(
            pairs(vec![("a/x", one()), ("a/y", one())], vec![("b/y", one()), ("b/x", one())]),
            [Some(1), Some(0)]
        );
        assert_eq!(pairs(vec![("a/x", one())], vec![("b/1", one()), ("b/2", one())]), [Some(0), None]);
        assert_eq!(pairs(vec![("a", String::new())], vec![("b", String::new())]), [Some(0)]);
    }

    #[test]
    fn half_of_the_lines_is_enough() {
        for (changed, paired) in [(0, true), (3, true), (5, true), (6, false), (10, false)] {
            let found = pairs(vec![("old", lines(0))], vec![("new", lines(changed))]);
            assert_eq!(found == [Some(0)], paired, "{changed} of ten lines changed");
        }
    }

    #[test]
    fn a_kept_name_wins_only_when_three_quarters_are_kept() {
        let gone = || vec![("a/name", lines(0)), ("a/other", lines(1))];
        assert_eq!(pairs(gone(), vec![("b/name", lines(2))]), [Some(0)], "close enough");
        assert_eq!(pairs(gone(), vec![("b/name", lines(4))]), [Some(1)], "the other one is closer");
    }

    #[test]
    fn the_best_pair_is_taken_first() {
        let gone = vec![("1", lines(0)), ("2", lines(2))];
        assert_eq!(pairs(gone, vec![("x", lines(3)), ("y", lines(1))]), [Some(1), Some(0)]);
    }

    #[test]
    fn long_lines_and_carriage_returns() {
        let long = "x".repeat(1000);
        assert_eq!(pairs(vec![("a", format!("{long}tail"))], vec![("b", format!("{long}head"))]), [Some(0)]);
        let crlf = lines(0).replace('\n', "\r\n");
        assert_eq!(pairs(vec![("a", lines(0))], vec![("b", crlf)]), [Some(0)]);
    }
}
