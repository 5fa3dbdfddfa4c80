//! When it is said that something has changed: soon, but not in the middle of it, and not all the time.

use std::time::{Duration, Instant};

/// How long nothing more must happen before it is said.
const REST: Duration = Duration::from_millis(150);
/// How long it is not said at most, while something happens all the time: at first, and in the end where that goes on.
const PATIENCE: Duration = Duration::from_secs(1);
const MOST_PATIENCE: Duration = Duration::from_secs(8);
/// The least time between two times that something is said of the working tree.
const PAUSE: Duration = Duration::from_secs(1);

/// What has changed and was not said yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Due {
    first: Instant,
    last: Instant,
    /// Whether files of the review itself have.
    pub(super) files: bool,
    /// Whether what the review is about has.
    pub(super) tree: bool,
}

/// What is to be said, and when.
#[derive(Debug)]
pub(super) struct Pace {
    due: Option<Due>,
    /// When something was last said of the working tree.
    said: Option<Instant>,
    /// How long it is not said at most.
    patience: Duration,
}

impl Pace {
    /// Nothing has happened yet.
    pub(super) fn new() -> Self {
        Self { due: None, said: None, patience: PATIENCE }
    }

    /// Something has happened `now`: to files of the review itself, or to what it is about.
    pub(super) fn note(&mut self, files: bool, tree: bool, now: Instant) {
        if files || tree {
            let due = self.due.get_or_insert(Due { first: now, last: now, files: false, tree: false });
            (due.last, due.files, due.tree) = (now, due.files | files, due.tree | tree);
        }
    }

    /// When something is to be said.
    pub(super) fn next(&self) -> Option<Instant> {
        let due = self.due?;
        let patience = if due.files { PATIENCE } else { self.patience };
        let end = (due.last + REST).min(due.first + patience);
        // What somebody writes in the review is not kept waiting.
        Some(self.said.filter(|_| !due.files).map_or(end, |said| end.max(said + PAUSE)))
    }

    /// What is said `now`. Where something happens all the time, it is said less and less often: whoever hears it has work.
    pub(super) fn say(&mut self, now: Instant) -> Option<Due> {
        let due = self.due.take()?;
        self.said = if due.tree { Some(now) } else { self.said };
        let goes_on = now < due.last + REST;
        self.patience = if goes_on { (self.patience * 2).min(MOST_PATIENCE) } else { PATIENCE };
        Some(due)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILES: (bool, bool) = (true, false);
    const TREE: (bool, bool) = (false, true);

    /// When something is said of events at these times, all in milliseconds.
    fn said(events: &[(u64, (bool, bool))]) -> Vec<(u64, (bool, bool))> {
        let begin = Instant::now();
        let (mut pace, mut said) = (Pace::new(), Vec::new());
        let mut say = |pace: &mut Pace, until: Option<Instant>| {
            while let Some(next) = pace.next().filter(|next| until.is_none_or(|until| *next < until)) {
                let due = pace.say(next).expect("something is due");
                let at = u64::try_from((next - begin).as_millis()).expect("a test is short");
                said.push((at, (due.files, due.tree)));
            }
        };
        for (at, (files, tree)) in events {
            let now = begin + Duration::from_millis(*at);
            say(&mut pace, Some(now));
            pace.note(*files, *tree, now);
        }
        say(&mut pace, None);
        said
    }

    #[test]
    fn what_changes_is_said_when_it_rests_and_the_tree_is_given_a_pause() {
        for (events, wanted) in [
            (vec![(0, (false, false))], vec![]),
            (vec![(0, TREE)], vec![(150, TREE)]),
            (vec![(0, TREE), (100, TREE), (200, FILES)], vec![(350, (true, true))]),
            // Of the tree something was said just now; of the review that does not matter.
            (vec![(0, TREE), (200, TREE)], vec![(150, TREE), (1150, TREE)]),
            (vec![(0, TREE), (200, FILES)], vec![(150, TREE), (350, FILES)]),
            (vec![(0, FILES), (200, TREE)], vec![(150, FILES), (350, TREE)]),
            (vec![(0, TREE), (3000, TREE)], vec![(150, TREE), (3150, TREE)]),
        ] {
            assert_eq!(said(&events), wanted, "{events:?}");
        }
    }

    #[test]
    fn what_goes_on_all_the_time_is_said_less_and_less_often() {
        let busy = |what| (0..400).map(|step| (step * 100, what)).collect::<Vec<_>>();
        let times = |events: &[_]| said(events).into_iter().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(times(&busy(TREE)), [1000, 3100, 7200, 15300, 23400, 31500, 39600, 40600]);
        let reviews = times(&busy(FILES));
        assert!(reviews.len() > 30 && reviews.windows(2).all(|pair| pair[1] - pair[0] <= 1100), "{reviews:?}");
        // When it has rested the next is not kept waiting.
        let mut events = busy(TREE);
        events.extend([(60000, TREE), (60100, TREE)]);
        assert_eq!(times(&events).last(), Some(&60250));
    }
}
