//! What stands around the hunks of a file: how many lines are hidden where, and those that the reader has unfolded.
//!
//! Unfolded lines come from the very version of the file that the review shows. They are there to be looked at: they are
//! no part of the document, and no note is about them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::diff::LineKind;
use crate::document::tree::{HunkLine, Tree};
use crate::document::{FileHeader, FileStatus, Hunk, Section};
use crate::text::Span;
use crate::text::lines::{Lines, Newline};

/// How many lines are unfolded at once.
pub const STEP: u32 = 20;

/// The whole of a file of which a part shows the hunks.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Whole {
    text: Vec<u8>,
    lines: Vec<Span>,
}

impl Whole {
    /// The file with this text.
    #[must_use]
    pub fn new(text: Vec<u8>) -> Self {
        let lines = Lines::new(&text).collect();
        Self { text, lines }
    }

    /// The number of lines.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.lines.len() as u64
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Its lines without their ends.
    pub fn lines(&self) -> impl Iterator<Item = Cow<'_, str>> {
        self.lines.iter().map(|span| String::from_utf8_lossy(Newline::Lf.content(span.of(&self.text))))
    }

    /// All of it.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The text of the line with index `line`, without its end; empty where there is none.
    #[must_use]
    pub fn line(&self, line: u32) -> &[u8] {
        self.lines.get(line as usize).map_or(&[], |span| Newline::Lf.content(span.of(&self.text)))
    }
}

/// Which lines of the file lie between two hunks, in front of the first or behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Gap {
    /// The number of its first line on the old side.
    pub first_old: u64,
    /// The number of its first line on the new side.
    pub first_new: u64,
    /// How many lines it has; `None` behind the last hunk as long as nobody has read the file.
    pub len: Option<u64>,
}

/// From which end of a gap its lines are unfolded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// From the hunk above downwards.
    Upper,
    /// From the hunk below upwards.
    Lower,
}

/// How many lines of a gap are unfolded, at its upper and at its lower end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Unfolded {
    /// Below the hunk above.
    pub upper: u32,
    /// Above the hunk below.
    pub lower: u32,
}

/// Lines that are to be unfolded as soon as the file has been read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wish {
    /// The gap.
    pub gap: u32,
    /// From which end.
    pub end: End,
    /// How many.
    pub lines: u32,
}

/// What the reader has unfolded around the hunks of a part. Gap `n` is in front of hunk `n`, the last one behind the last
/// hunk.
#[derive(Debug, Clone, Default)]
pub struct Around {
    whole: Option<Arc<Whole>>,
    /// How many lines the file has, where that is known without it.
    total: Option<u64>,
    unfolded: BTreeMap<u32, Unfolded>,
    /// What waits for the file.
    pub wish: Option<Wish>,
    /// Lines of the old side that were unfolded around the hunks of the version before, and are to be again.
    resuming: Vec<Range<u64>>,
    /// Whether somebody has been asked how many lines it has.
    pub is_counted: bool,
    /// Whether somebody has been asked for all of it, to find in it what has moved.
    pub is_wanted: bool,
}

impl Around {
    /// That of the next version of the file, whose old side is the same: what is unfolded will be again, as soon as somebody
    /// has read it.
    #[must_use]
    pub fn next(&self, tree: &Tree) -> Self {
        let resuming = self.unfolded.keys().flat_map(|gap| {
            let shown = [End::Upper, End::Lower].map(|end| self.shown(tree, *gap, end));
            shown.map(|lines| self.numbers(tree, *gap, lines.start).0..self.numbers(tree, *gap, lines.end).0)
        });
        let resuming = resuming.chain(self.resuming.iter().cloned()).filter(|lines| !lines.is_empty()).collect();
        Self { resuming, ..Self::default() }
    }

    /// Whether lines wait to be unfolded again.
    #[must_use]
    pub fn resumes(&self) -> bool {
        !self.resuming.is_empty()
    }

    /// Unfold again what was, now that the file is there: as far as it stands next to a hunk, or the file's edge.
    pub fn resume(&mut self, tree: &Tree) {
        let was = std::mem::take(&mut self.resuming);
        let gaps = u32::try_from(tree.hunks.len()).unwrap_or(0);
        for index in 0..=gaps {
            let Some(Gap { first_old, len: Some(len), .. }) = self.gap(tree, index) else { continue };
            let end = first_old + len;
            // Where the lines of one version end, those of another may go on.
            let mut upper = first_old;
            while let Some(lines) = was.iter().find(|lines| lines.contains(&upper) && upper < end) {
                upper = lines.end.min(end);
            }
            let mut lower = end;
            while let Some(lines) = was.iter().find(|lines| lower > upper && lines.contains(&(lower - 1))) {
                lower = lines.start.max(upper);
            }
            let count = |lines: u64| u32::try_from(lines).unwrap_or(u32::MAX);
            let unfolded = Unfolded { upper: count(upper - first_old), lower: count(end - lower) };
            if unfolded != Unfolded::default() {
                self.unfolded.insert(index, unfolded);
            }
        }
    }

    /// The file, once it has been read.
    #[must_use]
    pub fn whole(&self) -> Option<&Arc<Whole>> {
        self.whole.as_ref()
    }

    /// Take the file.
    pub fn take(&mut self, whole: Arc<Whole>) {
        self.whole = Some(whole);
    }

    /// Whether nobody knows, nor was asked, how many lines follow the last hunk.
    #[must_use]
    pub fn wants_count(&self, tree: &Tree) -> bool {
        let last = || u32::try_from(tree.hunks.len()).ok().filter(|last| *last > 0);
        !self.is_counted && last().and_then(|last| self.gap(tree, last)).is_some_and(|gap| gap.len.is_none())
    }

    /// The file has so many lines.
    pub fn count(&mut self, lines: u64) {
        self.total = Some(lines);
    }

    /// How much of a gap is unfolded.
    #[must_use]
    pub fn unfolded(&self, gap: u32) -> Unfolded {
        self.unfolded.get(&gap).copied().unwrap_or_default()
    }

    /// The gap with this index; `None` where there is none that is known.
    #[must_use]
    pub fn gap(&self, tree: &Tree, index: u32) -> Option<Gap> {
        let file = tree.file.as_ref().filter(|file| !file.binary)?;
        if matches!(file.status, FileStatus::Added | FileStatus::Deleted) {
            return None;
        }
        let above = (index as usize).checked_sub(1).map(|above| tree.hunks.get(above)).unwrap_or_default();
        let below = tree.hunks.get(index as usize);
        if (index > 0 && above.is_none()) || [above, below].into_iter().flatten().any(|hunk| hunk.loose) {
            return None;
        }
        let (first_old, first_new) = above.map_or((1, 1), Hunk::end);
        let len = match (below, &self.whole) {
            (Some(hunk), _) => {
                let len = hunk.first_new.checked_sub(first_new)?;
                // Sides that disagree about what lies between are no git's.
                (hunk.first_old.checked_sub(first_old) == Some(len)).then_some(Some(len))?
            }
            (None, whole) => match whole.as_ref().map(|whole| whole.len()).or(self.total) {
                Some(lines) => Some((lines + 1).checked_sub(first_new)?),
                None => None,
            },
        };
        Some(Gap { first_old, first_new, len })
    }

    /// How many lines of a gap are not on the screen; `None` where nobody knows.
    #[must_use]
    pub fn hidden(&self, tree: &Tree, index: u32) -> Option<u64> {
        let Unfolded { upper, lower } = self.unfolded(index);
        Some(self.gap(tree, index)?.len?.saturating_sub(u64::from(upper) + u64::from(lower)))
    }

    /// The lines that are unfolded at one end of a gap, as indices into the file.
    #[must_use]
    pub fn shown(&self, tree: &Tree, gap: u32, end: End) -> Range<u32> {
        let Unfolded { upper, lower } = self.unfolded(gap);
        let count = if end == End::Upper { upper } else { lower };
        let Some(known) = (count > 0).then(|| self.gap(tree, gap)).flatten() else { return 0..0 };
        let index = |number: u64| u32::try_from(number.saturating_sub(1)).unwrap_or(u32::MAX);
        let first = match end {
            End::Upper => index(known.first_new),
            End::Lower => index(known.first_new + known.len.unwrap_or(0)).saturating_sub(count),
        };
        first..first.saturating_add(count)
    }

    /// Unfold lines, as many as are hidden at most; how many that were.
    pub fn unfold(&mut self, tree: &Tree, Wish { gap, end, lines }: Wish) -> u32 {
        let hidden = self.hidden(tree, gap).unwrap_or(0);
        let lines = lines.min(u32::try_from(hidden).unwrap_or(u32::MAX));
        if lines > 0 {
            let unfolded = self.unfolded.entry(gap).or_default();
            match end {
                End::Upper => unfolded.upper += lines,
                End::Lower => unfolded.lower += lines,
            }
        }
        lines
    }

    /// Fold a gap; whether any of it was unfolded.
    pub fn fold(&mut self, gap: u32) -> bool {
        self.unfolded.remove(&gap).is_some()
    }

    /// The numbers of a line of the file, by its index, in a gap: of the old and of the new side.
    #[must_use]
    pub fn numbers(&self, tree: &Tree, gap: u32, line: u32) -> (u64, u64) {
        let new = u64::from(line) + 1;
        let gap = self.gap(tree, gap);
        (gap.map_or(new, |gap| (gap.first_old + new).saturating_sub(gap.first_new)), new)
    }
}

/// Whether two sections show the same hunks of the same version of a file, so that what is unfolded around them stays.
#[must_use]
pub fn is_same_version(one: &Section, other: &Section) -> bool {
    is_same(one, other, |file| [file.new_sha, None])
}

/// Whether the old side of two sections is the same version of the same file.
#[must_use]
pub fn is_same_base(one: &Section, other: &Section) -> bool {
    let base = |section: &Section| {
        let file = section.tree().file.as_ref()?;
        Some((file.path.clone(), file.old_sha?.of(&section.text_once()).to_vec()))
    };
    base(one).is_some_and(|one| base(other) == Some(one))
}

/// Whether two sections show the same two versions of the same file by the same hunks.
#[must_use]
pub fn is_same_diff(one: &Section, other: &Section) -> bool {
    is_same(one, other, |file| [file.old_sha, file.new_sha])
}

/// Whether the hunks of two sections stand at the same places of one file, and these ids of it are the same.
fn is_same(one: &Section, other: &Section, ids: impl Fn(&FileHeader) -> [Option<Span>; 2]) -> bool {
    let id = |section: &Section| {
        let (file, text) = (section.tree().file.as_ref()?, section.text_once());
        Some((file.path.clone(), ids(file).map(|id| id.map(|id| id.of(&text).to_vec()))))
    };
    let places = |section: &Section| -> Vec<(u64, u64, u32)> {
        section.tree().hunks.iter().map(|hunk| (hunk.first_old, hunk.first_new, hunk.lines.end)).collect()
    };
    places(one) == places(other) && id(one) == id(other)
}

/// Whether the file, as far as a section shows it, is what `whole` says: every line of the new side, with its number.
#[must_use]
pub fn agrees(section: &Section, whole: &Whole) -> bool {
    let tree = section.tree();
    let is_there = |hunk: &Hunk, line: &HunkLine| {
        let Some(number) = line.new_line(hunk).filter(|_| line.diff_kind() != Some(LineKind::NoNewline)) else {
            return true;
        };
        let index = u32::try_from(number.0.saturating_sub(1)).unwrap_or(u32::MAX);
        number.0 <= whole.len() && whole.line(index) == section.line_text(line)
    };
    tree.hunks.iter().all(|hunk| tree.hunk_lines(hunk).iter().all(|line| is_there(hunk, line)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    fn section(head: &str) -> Arc<Section> {
        let text = format!("@file a {head}\n@@ -4,2 +4,3 @@\n d\n+new\n e\n@@ -9 +10 @@\n-i\n+I\n");
        Arc::clone(&Document::parse(text).parts()[1])
    }

    fn whole() -> Whole {
        Whole::new(b"a\nb\nc\nd\nnew\ne\nf\ng\nh\nI\nj\nk\n".to_vec())
    }

    #[test]
    fn gaps_between_hunks_are_known_and_the_last_one_once_the_file_is_read() {
        let section = section("modified");
        let tree = section.tree();
        let mut around = Around::default();
        let gap = |first_old, first_new, len| Some(Gap { first_old, first_new, len });
        assert_eq!(around.gap(tree, 0), gap(1, 1, Some(3)));
        assert_eq!(around.gap(tree, 1), gap(6, 7, Some(3)));
        assert_eq!(around.gap(tree, 2), gap(10, 11, None));
        assert_eq!(around.gap(tree, 3), None);
        assert!(agrees(&section, &whole()));
        around.take(Arc::new(whole()));
        assert_eq!(around.gap(tree, 2), gap(10, 11, Some(2)));
        assert_eq!(around.numbers(tree, 2, 10), (10, 11));
        for head in ["added", "deleted", "modified binary"] {
            assert_eq!(around.gap(self::section(head).tree(), 0), None, "{head}");
        }
        assert!(!agrees(&section, &Whole::new(b"a\n".to_vec())));
    }

    #[test]
    fn no_more_is_unfolded_than_there_is() {
        let section = section("modified");
        let tree = section.tree();
        let mut around = Around::default();
        around.take(Arc::new(whole()));
        let wish = |gap, end, lines| Wish { gap, end, lines };
        assert_eq!(around.unfold(tree, wish(1, End::Upper, 2)), 2);
        assert_eq!(around.unfold(tree, wish(1, End::Lower, 20)), 1);
        assert_eq!(around.unfold(tree, wish(1, End::Lower, 20)), 0);
        assert_eq!((around.hidden(tree, 1), around.unfolded(1)), (Some(0), Unfolded { upper: 2, lower: 1 }));
        assert!(around.fold(1) && !around.fold(1));
        assert_eq!(around.hidden(tree, 1), Some(3));
    }
}
