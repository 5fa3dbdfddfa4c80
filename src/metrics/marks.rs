//! Which lines of a section notes are about, and how well what they say stands.

use super::facts;
use crate::diff::{NewLine, OldLine};
use crate::document::{Facts, Section, Selector, Side, Standing};

/// How well what is said about a line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MarkStanding {
    /// A claim fails.
    Fail,
    /// Nothing is verified, and every source is an inference.
    InferenceOnly,
    /// Nothing is verified.
    Unverified,
    /// A claim passes and none fails.
    Pass,
}

impl MarkStanding {
    const COUNT: usize = 4;

    /// The standing of one note.
    #[must_use]
    pub fn of(facts: &Facts) -> Self {
        if facts.standing == Standing::Fail {
            Self::Fail
        } else if facts.is_verified {
            Self::Pass
        } else if facts.is_inference_only {
            Self::InferenceOnly
        } else {
            Self::Unverified
        }
    }
}

/// What the notes say about one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark {
    /// Failing when one of them fails, otherwise the best of them.
    pub standing: MarkStanding,
    /// Whether at least one of them is verified.
    pub verified: bool,
    /// How many there are.
    pub notes: u32,
    /// How many of them are stubs: they cover the line, and say nothing about it yet.
    pub stubs: u32,
}

impl Mark {
    /// Whether nothing is said about the line yet: all that covers it is stubs.
    #[must_use]
    pub fn is_stub(self) -> bool {
        self.stubs == self.notes
    }
}

/// Which lines of a section the notes are about. Built in one sorting pass, asked by binary search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Marks {
    old: Vec<Marked>,
    new: Vec<Marked>,
}

/// A run of lines about which the same notes speak.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Marked {
    start: u64,
    end: u64,
    mark: Mark,
}

impl Marks {
    /// The marks of `section`. Notes about the file or the whole change mark no line.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        Self::concluded(section, &facts(section))
    }

    /// The marks of `section`, of whose notes these are the facts.
    #[must_use]
    pub fn concluded(section: &Section, facts: &[Facts]) -> Self {
        let mut sides: [Vec<(Selector, Said)>; 2] = [Vec::new(), Vec::new()];
        for (note, facts) in section.tree().notes.iter().zip(facts) {
            let said = Said { standing: MarkStanding::of(facts), is_stub: facts.is_stub };
            match note.selector.side {
                Side::Old => sides[0].push((note.selector, said)),
                Side::New => sides[1].push((note.selector, said)),
                Side::File | Side::Doc => {}
            }
        }
        let [old, new] = sides.map(|notes| sweep(&notes));
        Self { old, new }
    }

    /// What the notes say about a line of the new side.
    #[must_use]
    pub fn new_line(&self, line: NewLine) -> Option<Mark> {
        find(&self.new, line.0)
    }

    /// What the notes say about a line of the old side.
    #[must_use]
    pub fn old_line(&self, line: OldLine) -> Option<Mark> {
        find(&self.old, line.0)
    }
}

#[inline]
fn find(marked: &[Marked], line: u64) -> Option<Mark> {
    let run = marked.get(marked.partition_point(|run| run.end < line))?;
    (run.start <= line).then_some(run.mark)
}

/// What one note says about its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    standing: MarkStanding,
    is_stub: bool,
}

/// The notes about the lines of a run.
#[derive(Debug, Clone, Copy, Default)]
struct Open {
    /// How many there are of each standing.
    standings: [u32; MarkStanding::COUNT],
    stubs: u32,
}

impl Open {
    fn begins(&mut self, said: Said) {
        self.standings[said.standing as usize] += 1;
        self.stubs += u32::from(said.is_stub);
    }

    fn ends(&mut self, said: Said) {
        self.standings[said.standing as usize] -= 1;
        self.stubs -= u32::from(said.is_stub);
    }

    /// What they say together.
    fn mark(self) -> Option<Mark> {
        use MarkStanding::{Fail, InferenceOnly, Pass, Unverified};
        let has = |standing: MarkStanding| self.standings[standing as usize] > 0;
        let standing = [Fail, Pass, Unverified, InferenceOnly].into_iter().find(|standing| has(*standing))?;
        Some(Mark { standing, verified: has(Pass), notes: self.standings.iter().sum(), stubs: self.stubs })
    }
}

/// Disjoint runs in order, from ranges that overlap as they like.
fn sweep(notes: &[(Selector, Said)]) -> Vec<Marked> {
    let mut starts: Vec<(u64, Said)> = notes.iter().map(|(at, said)| (at.start, *said)).collect();
    let mut ends: Vec<(u64, Said)> = notes.iter().map(|(at, said)| (at.end, *said)).collect();
    starts.sort_unstable();
    ends.sort_unstable();
    let (mut starts, mut ends) = (starts.into_iter().peekable(), ends.into_iter().peekable());
    let mut open = Open::default();
    let mut out = Vec::new();
    let mut at = 0;
    while let Some((end, _)) = ends.peek().copied() {
        let next_start = starts.peek().map(|(start, _)| *start).filter(|start| *start <= end);
        let run_end = next_start.map_or(end, |start| start.saturating_sub(1));
        if let Some(mark) = open.mark().filter(|_| at <= run_end && next_start.is_none_or(|start| start > at)) {
            out.push(Marked { start: at, end: run_end, mark });
        }
        if let Some(start) = next_start {
            at = start;
            while let Some((_, said)) = starts.next_if(|(other, _)| *other == start) {
                open.begins(said);
            }
        } else {
            at = end.saturating_add(1);
            while let Some((_, said)) = ends.next_if(|(other, _)| *other == end) {
                open.ends(said);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    const TEXT: &str = "@file a\n@@ -0,0 +1,6 @@\n+a\n+b\n+c\n+d\n+e\n+f\n\n\
        @note +1..4\nwhy: x\nverify: cmd `m` => pass\n@note +3..9\nsource: inference\n@note +3\nverify: type => fail\n\
        @note +6..6\nwhy: y\n@note -1..2\nwhy: z\n@note file\n";

    #[test]
    fn marks_say_that_something_fails_and_otherwise_the_best() {
        use MarkStanding::{Fail, InferenceOnly, Pass, Unverified};
        let document = Document::parse(TEXT);
        let marks = Marks::of(&document.parts()[1]);
        let at = |line| marks.new_line(NewLine(line)).map(|mark| (mark.standing, mark.verified, mark.notes));
        let lines: Vec<_> = (0..=10).map(at).collect();
        let (pass, mixed, inferred) = (Some((Pass, true, 1)), Some((Pass, true, 2)), Some((InferenceOnly, false, 1)));
        let both = Some((Unverified, false, 2));
        let want = [None, pass, pass, Some((Fail, true, 3)), mixed, inferred, both, inferred, inferred, inferred, None];
        assert_eq!(lines, want);
        assert_eq!(marks.old_line(OldLine(2)).map(|mark| mark.standing), Some(Unverified));
        assert_eq!((marks.old_line(OldLine(0)), marks.old_line(OldLine(3))), (None, None));
    }

    #[test]
    fn a_line_that_only_stubs_cover_is_told_from_one_that_is_explained() {
        let text = "@file a\n@@ -0,0 +1,4 @@\n+a\n+b\n+c\n+d\n\n@note +1..3\nwhy: TODO say why\n@note +2\nwhy: x\n\
            @note +3\nverify: cmd `m` => pass\n";
        let document = Document::parse(text);
        let marks = Marks::of(&document.parts()[1]);
        let at = |line| marks.new_line(NewLine(line)).map(|mark| (mark.notes, mark.stubs, mark.is_stub()));
        let want = [Some((1, 1, true)), Some((2, 1, false)), Some((2, 2, true)), None];
        assert_eq!([1, 2, 3, 4].map(at), want);
    }
}
