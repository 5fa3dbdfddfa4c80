//! Many lines of a part in little room.

use std::ops::Range;

/// Lines of a part, as indices into the tree's lines, ascending. Held as runs: lines that lack something mostly follow
/// each other.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LineRuns {
    runs: Vec<Run>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    lines: Range<u32>,
    /// How many lines the runs before it have.
    before: usize,
}

impl Run {
    fn end(&self) -> usize {
        self.before + self.lines.len()
    }
}

impl LineRuns {
    /// How many they are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.runs.last().map_or(0, Run::end)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.runs.iter().flat_map(|run| run.lines.clone())
    }

    /// The one with index `nth`.
    #[must_use]
    pub fn get(&self, nth: usize) -> Option<u32> {
        let run = self.runs.get(self.runs.partition_point(|run| run.end() <= nth))?;
        run.lines.clone().nth(nth - run.before)
    }

    /// Whether one of `lines` is among them.
    #[must_use]
    pub fn meets(&self, lines: &Range<u32>) -> bool {
        let next = self.runs.get(self.runs.partition_point(|run| run.lines.end <= lines.start));
        next.is_some_and(|run| run.lines.start < lines.end && !lines.is_empty())
    }

    /// How many of them `is_before` holds for, which holds for the first ones only.
    #[must_use]
    pub fn partition_point(&self, is_before: impl Fn(u32) -> bool) -> usize {
        let Some(run) = self.runs.get(self.runs.partition_point(|run| is_before(run.lines.end - 1))) else {
            return self.len();
        };
        let (mut low, mut high) = (run.lines.start, run.lines.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if is_before(middle) { low = middle + 1 } else { high = middle }
        }
        run.before + (low - run.lines.start) as usize
    }
}

/// Of lines that ascend.
impl FromIterator<u32> for LineRuns {
    fn from_iter<I: IntoIterator<Item = u32>>(lines: I) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        for line in lines {
            match runs.last_mut() {
                Some(run) if run.lines.end == line => run.lines.end += 1,
                last => {
                    let before = last.map_or(0, |run| run.end());
                    runs.push(Run { lines: line..line + 1, before });
                }
            }
        }
        Self { runs }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn they_are_as_the_lines_one_by_one(
            lines in proptest::collection::btree_set(0u32..40, 0..40),
            around in (0u32..42, 0u32..42),
        ) {
            let runs: LineRuns = lines.iter().copied().collect();
            let all: Vec<u32> = lines.iter().copied().collect();
            prop_assert_eq!(runs.iter().collect::<Vec<_>>(), all.clone());
            prop_assert_eq!((runs.len(), runs.is_empty()), (all.len(), all.is_empty()));
            for nth in 0..=all.len() {
                prop_assert_eq!(runs.get(nth), all.get(nth).copied());
            }
            let (start, end) = (around.0.min(around.1), around.0.max(around.1));
            prop_assert_eq!(runs.meets(&(start..end)), lines.range(start..end).next().is_some());
            let is_before = |line: u32| line < start;
            prop_assert_eq!(runs.partition_point(is_before), all.partition_point(|line| is_before(*line)));
        }
    }

    #[test]
    fn lines_that_follow_each_other_are_one_run() {
        let lines: BTreeSet<u32> = (3..900).chain(1000..1002).collect();
        assert_eq!(lines.into_iter().collect::<LineRuns>().runs.len(), 2);
    }
}
