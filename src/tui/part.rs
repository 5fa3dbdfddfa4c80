//! One part of the review as the screen needs it: its section, what its notes stand on, its marks and its rows.

mod line_runs;
mod quote;
mod reading;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::document::tree::HunkLine;
use bstr::BString;
use bytes::Bytes;

use crate::diff::LineKind;
use crate::document::{Hunk, NoteView, Section, Selector, Side, named_lines};
use crate::lcov::Tested;
use crate::markback::Record;
use crate::text::Span;
use crate::text::lines::Lines;

use super::around::{Around, is_same_base, is_same_diff, is_same_version};
use super::face::Face;
use super::highlight::Run;
use super::records::{Placed, RecordRef, Records, named_lines_of, named_range};
use super::replaced::Words;
use super::rows::{Contents, Fact, Folding, Inset, LineAt, Row, Rows};
use super::search::Nearby;
use super::staged::{Known, Staged};
use super::talk::Comment;
use quote::{has_moved_on, lines_again, lines_of_new_side, only_place, without_blanks};
use reading::added_lines_where;

pub use line_runs::LineRuns;
pub use quote::{neighbours, quoted};
pub use reading::{LineEnds, Reading};

/// What a card is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Subject {
    /// A note of the part, by index.
    Note(u32),
    /// A Markback record.
    Record(RecordRef),
    /// A comment for an agent, by index in what the conversation shows.
    Comment(u32),
}

/// A note or a record, and the lines it is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Annotation {
    /// What it is.
    pub subject: Subject,
    /// First and last line, as indices into the tree's lines; `None` for the file or the whole change, and for a
    /// selector that names no line of the diff.
    pub lines: Option<(u32, u32)>,
}

impl Annotation {
    /// Whether it is about the line with index `line`.
    #[must_use]
    pub fn covers(&self, line: u32) -> bool {
        self.lines.is_some_and(|(first, last)| (first..=last).contains(&line))
    }
}

/// What is known of a file besides what the review says about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Aside {
    /// The columns between two tab stops, where the project says it.
    pub tab_width: Option<u16>,
    /// The bytes of the old and of the new side, where the content is not text.
    pub sizes: [Option<u64>; 2],
}

/// A part of the review on the screen.
#[derive(Debug, Clone)]
pub struct Part {
    /// The text and its tree.
    pub section: Arc<Section>,
    /// Whether the diff of this file is still being computed or read.
    pub pending: bool,
    /// Why the diff could not be computed or read, where that is so.
    pub failure: Option<String>,
    /// Whether the file is no longer what the part shows.
    pub is_stale: bool,
    /// What of it is staged, where it is compared with HEAD.
    pub staged: Staged,
    /// Where nobody has looked since it became another one, what was known of it before.
    pub was_staged: Option<Known>,
    /// Whether less than all of it is shown.
    pub is_folded: bool,
    /// Whether all of it is shown although it is viewed: somebody went to what is in it.
    pub is_opened: bool,
    /// What else is known of the file.
    pub aside: Aside,
    /// What was read from the section.
    pub reading: Reading,
    /// Notes and records, in the order of their first lines; those about the file come first.
    pub annotations: Vec<Annotation>,
    /// The records whose lines are not, or not any more, those that they hold.
    pub moved_on: BTreeSet<RecordRef>,
    /// Those of them whose lines are nowhere in the file.
    pub gone: BTreeSet<RecordRef>,
    /// The added lines that no test ran.
    pub untested: LineRuns,
    /// How many notes and records the filter hides.
    pub hidden_notes: usize,
    /// Which hunks the filter hides; empty when it hides none.
    pub hidden_hunks: Vec<bool>,
    /// First and last lines of the records, and of the comments for an agent.
    pub record_lines: Vec<(u32, u32)>,
    /// The rows, for the present layout.
    pub rows: Rows,
    /// Lines of the summary; only in the head.
    pub prose: Vec<Prose>,
    /// Syntax colours that have arrived, by line.
    pub colors: BTreeMap<u32, Vec<Run>>,
    /// Those of the lines around the hunks, by index in the file.
    pub around_colors: BTreeMap<u32, Vec<Run>>,
    /// The words that differ, as far as they have been looked for.
    pub words: Words,
    /// What is unfolded around the hunks.
    pub around: Around,
}

/// A row of what the review says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose {
    /// What it is.
    pub kind: ProseKind,
    /// Whether it begins there; further rows of the same text follow it.
    pub is_first: bool,
    /// The text, fit for the screen.
    pub text: String,
}

/// What a row of the head says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProseKind {
    /// The title.
    Title,
    /// Author, date, base.
    Meta,
    /// The summary.
    Summary,
    /// A check of the whole change, with its status word.
    Check(crate::document::ClaimStatus),
}

impl Part {
    /// A part whose text is known but not read yet: until then its first line stands for it.
    #[must_use]
    pub fn pending(section: &Arc<Section>) -> Self {
        let text = section.text();
        let first = Lines::new(text).next().map_or(0, Span::len);
        let section = if section.is_head() {
            Arc::new(Section::file(Bytes::new(), section.newline()))
        } else if first == text.len() {
            Arc::clone(section)
        } else {
            Arc::new(Section::file(text.slice(..first), section.newline()))
        };
        Self {
            section,
            pending: true,
            failure: None,
            is_stale: false,
            staged: Staged::default(),
            was_staged: None,
            is_folded: false,
            is_opened: false,
            aside: Aside::default(),
            reading: Reading::default(),
            annotations: Vec::new(),
            moved_on: BTreeSet::new(),
            gone: BTreeSet::new(),
            untested: LineRuns::default(),
            hidden_notes: 0,
            hidden_hunks: Vec::new(),
            record_lines: Vec::new(),
            rows: Rows::default(),
            prose: Vec::new(),
            colors: BTreeMap::new(),
            around_colors: BTreeMap::new(),
            words: Words::default(),
            around: Around::default(),
        }
    }

    /// Take what was read.
    pub fn fill(&mut self, section: Arc<Section>, reading: Reading) {
        if !is_same_version(&self.section, &section) {
            let is_same_base = is_same_base(&self.section, &section);
            self.around = if is_same_base { self.around.next(self.section.tree()) } else { Around::default() };
        }
        if !is_same_diff(&self.section, &section) {
            self.was_staged = self.known_staged();
            self.staged = Staged::default();
        }
        self.section = section;
        self.reading = reading;
        self.pending = false;
        self.clear_colors();
        self.words.clear();
    }

    /// The lines that are known to be staged, or were before it became what it is.
    #[must_use]
    pub fn known_staged(&self) -> Option<Known> {
        match &self.staged {
            Staged::Lines(lines) => Some((Arc::clone(&self.section), lines.clone())),
            Staged::Unknown => self.was_staged.clone(),
            Staged::Nothing | Staged::Whole | Staged::Other => None,
        }
    }

    /// Forget all syntax colours.
    pub fn clear_colors(&mut self) {
        self.colors.clear();
        self.around_colors.clear();
    }

    /// Take what is known of the tests that ran its lines.
    pub fn test(&mut self, tests: &HashMap<BString, Tested>) {
        let tree = self.section.tree();
        let tested = tree.file.as_ref().and_then(|file| tests.get(&file.path));
        let untested = tested.map(|tested| added_lines_where(tree, |line| tested.is_untested(line.0)));
        self.untested = untested.unwrap_or_default();
    }

    /// For each hunk, whether an added line in it is explained by no note.
    pub fn bare_hunks(&self) -> impl Iterator<Item = bool> + '_ {
        self.section.tree().hunks.iter().map(|hunk| self.reading.uncovered.meets(&hunk.lines))
    }

    /// Whether the filter hides all of it.
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        !self.hidden_hunks.is_empty() && self.hidden_hunks.iter().all(|is_hidden| *is_hidden)
    }

    /// Hide the hunks that want no note, or none; a file without hunks counts as one that wants none.
    pub fn hide_explained(&mut self, is_wanted: bool) {
        self.hidden_hunks = match is_wanted && !self.pending {
            false => Vec::new(),
            true if self.section.tree().hunks.is_empty() => vec![true],
            true => self.bare_hunks().map(|is_bare| !is_bare).collect(),
        };
    }

    /// Bring notes, `records` and `comments` into the order of the screen, as far as `is_shown` says so and their lines
    /// are; the records of a thread stay together.
    pub fn annotate(&mut self, records: &[Placed], comments: &[(u32, &Comment)], is_shown: impl Fn(Subject) -> bool) {
        let tree = self.section.tree();
        let is_visible = |annotation: &Annotation| {
            let hunk = annotation.lines.map(|(first, _)| tree.hunks.partition_point(|hunk| hunk.lines.end <= first));
            let is_hidden = hunk.is_some_and(|hunk| self.hidden_hunks.get(hunk).is_some_and(|is_hidden| *is_hidden));
            !is_hidden && is_shown(annotation.subject)
        };
        let count = self.reading.lines.len() + records.len() + comments.len();
        let notes = (0u32..)
            .zip(&self.reading.lines)
            .map(|(index, lines)| Annotation { subject: Subject::Note(index), lines: *lines });
        let records = records.iter().map(|placed| Annotation {
            subject: Subject::Record(placed.record),
            lines: placed.lines.and_then(|(start, end)| named_lines(tree, Selector { side: Side::New, start, end })),
        });
        let comments = comments.iter().map(|(index, comment)| Annotation {
            subject: Subject::Comment(*index),
            lines: lines_again(&self.section, comment),
        });
        let records: Vec<Annotation> = records.filter(&is_visible).collect();
        let comments: Vec<Annotation> = comments.filter(&is_visible).collect();
        let record_lines = records.iter().chain(&comments).filter_map(|annotation| annotation.lines).collect();
        self.annotations = notes.filter(is_visible).chain(records).chain(comments).collect();
        self.record_lines = record_lines;
        self.hidden_notes = count - self.annotations.len();
        self.annotations.sort_by_key(|annotation| annotation.lines.map(|(first, _)| first));
    }

    /// Where a record stands: on the lines that it names, or those that hold its text by now, if all of the file is known,
    /// which `is_whole` says of what is shown. Where it is in none for certain, with what is about the file.
    #[must_use]
    pub fn lines_now(&self, placed: Placed, records: &Records, is_whole: bool) -> Placed {
        let Some(((start, end), record)) = placed.lines.zip(records.get(records.root_of(placed.record))) else {
            return placed;
        };
        let content = record.content.as_deref().map(without_blanks).unwrap_or_default();
        let named = named_lines(self.section.tree(), Selector { side: Side::New, start, end });
        if content.is_empty() || named.is_some_and(|range| self.holds(range, &record, &content)) {
            return placed;
        }
        let found = match self.around.whole() {
            Some(whole) => only_place(whole.lines(), &content),
            None if is_whole => only_place(lines_of_new_side(&self.section), &content),
            None => return placed,
        };
        Placed { lines: found, ..placed }
    }

    /// Whether these lines hold what a record does: it may be about a piece of them, or hold the text that they are lines of.
    fn holds(&self, range: (u32, u32), record: &Record<'_>, content: &str) -> bool {
        let lines = without_blanks(&quoted(&self.section, range, Side::New));
        lines.contains(content) || named_lines_of(record, content).is_some_and(|named| named == lines)
    }

    /// Lay the rows out, as far as `folding` has them shown, the sides next to each other if `is_split`; `height` gives the rows of an annotation's card where
    /// cards stand under their lines.
    pub fn lay_out(&mut self, folding: &Folding, is_split: bool, mut height: impl FnMut(&Annotation) -> u32) {
        let mut insets: Vec<Inset> = (0u32..)
            .zip(&self.annotations)
            .map(|(index, annotation)| Inset {
                after: annotation.lines.map(|(_, last)| last),
                annotation: index,
                height: height(annotation),
            })
            .filter(|inset| inset.height > 0)
            .collect();
        insets.sort_by_key(|inset| inset.after);
        let contents = Contents {
            prose: u32::try_from(self.prose.len()).unwrap_or(u32::MAX),
            facts: &self.facts(),
            insets: &insets,
            folding,
            beside: if is_split { &self.reading.replaced } else { &[] },
            around: Some(&self.around),
            separators: &self.reading.separators,
        };
        self.rows = Rows::of(self.section.tree(), contents);
        self.is_folded = folding.is_partial();
    }

    /// What there is to say about the file besides its lines.
    #[must_use]
    pub fn facts(&self) -> Vec<Fact> {
        let mut facts = Vec::new();
        let tree = self.section.tree();
        if let Some(file) = &tree.file {
            if file.old_path.as_ref().is_some_and(|old| *old != file.path) {
                facts.push(Fact::Renamed);
            }
            if file.old_mode.is_some() || file.new_mode.is_some() {
                facts.push(Fact::Mode);
            }
            facts.extend(self.reading.line_ends.map(Fact::LineEnds));
            if file.binary {
                facts.push(Fact::Binary);
            } else if tree.hunks.is_empty() && self.failure.is_some() {
                facts.push(Fact::Unread);
            } else if tree.hunks.is_empty() && facts.is_empty() && !self.pending {
                facts.push(Fact::Empty);
            }
        }
        if self.pending {
            facts.push(Fact::Pending);
        }
        facts
    }

    /// A row of the summary, with the rows that its text takes besides.
    #[must_use]
    pub fn prose_around(&self, at: u32) -> Nearby {
        Nearby::of(at as usize, |at| self.prose.get(at).map(|prose| (prose.text.as_str(), !prose.is_first)))
    }

    /// Which of its annotations is about `subject`.
    #[must_use]
    pub fn index_of(&self, subject: Subject) -> Option<usize> {
        self.annotations.iter().position(|annotation| annotation.subject == subject)
    }

    /// The row of an annotation's first line; row 0 for what is about the file.
    #[must_use]
    pub fn row_of(&self, annotation: &Annotation) -> u32 {
        annotation.lines.and_then(|(first, _)| self.rows.row_of_line(first)).unwrap_or(0)
    }

    /// What the card of the note with index `note` shows while it is not open.
    #[must_use]
    pub fn face(&self, note: u32) -> &Face {
        &self.reading.faces[note as usize]
    }

    /// The note with index `note`, as it reads.
    #[must_use]
    pub fn note(&self, note: u32) -> NoteView<'_> {
        self.section.note_view(&self.section.tree().notes[note as usize])
    }

    /// Whether an annotation names lines, and none of them is in the diff.
    #[must_use]
    pub fn is_adrift(&self, annotation: &Annotation) -> bool {
        let Subject::Note(index) = annotation.subject else { return false };
        let side = self.section.tree().notes[index as usize].selector.side;
        annotation.lines.is_none() && matches!(side, Side::New | Side::Old)
    }

    /// The number on the new side of the first line that an annotation stands on, where it has one.
    #[must_use]
    pub fn first_line(&self, annotation: &Annotation) -> Option<u64> {
        let (tree, (first, last)) = (self.section.tree(), annotation.lines?);
        let hunk = &tree.hunks[tree.hunk_at(first)?];
        (first..=last).find_map(|line| tree.lines.get(line as usize)?.new_line(hunk)).map(|line| line.0)
    }

    /// Compare what `records` hold with the lines that they name here.
    pub fn compare(&mut self, records: &Records, is_whole: bool) {
        let moved_on = self.annotations.iter().filter_map(|annotation| {
            let Subject::Record(index) = annotation.subject else { return None };
            let record = records.get(index)?;
            let content = without_blanks(record.content.as_deref()?);
            let is_there = match annotation.lines {
                Some(range) => self.holds(range, &record, &content),
                None => named_range(&record).is_none() && !has_moved_on(&self.section, &content),
            };
            (!is_there).then_some(index)
        });
        self.moved_on = moved_on.collect();
        let text = match self.around.whole() {
            Some(whole) => Some(String::from_utf8_lossy(whole.text())),
            None if is_whole => Some(lines_of_new_side(&self.section).collect::<Vec<_>>().join("\n").into()),
            None => None,
        };
        let text = text.filter(|_| !self.moved_on.is_empty()).map(|text| without_blanks(&text));
        let is_gone = |index: &&RecordRef| {
            let content = records.get(**index).and_then(|record| record.content.as_deref().map(without_blanks));
            text.as_ref().zip(content).is_some_and(|(text, content)| !text.contains(&content))
        };
        self.gone = self.moved_on.iter().filter(is_gone).copied().collect();
    }

    /// The texts that a row shows in full, the old side first, where the sides have texts of their own.
    #[must_use]
    pub fn texts(&self, row: Row) -> [Option<&[u8]>; 2] {
        if let Row::Around { line, .. } = row {
            return [self.around.whole().map(|whole| whole.line(line)), None];
        }
        let mut texts = row.lines().map(|(_, line)| self.section.line_text(&self.section.tree().lines[line as usize]));
        [texts.next(), texts.next()]
    }

    /// The lines that a row shows on the old and on the new side, each with its hunk.
    #[must_use]
    pub fn sides(&self, row: Row) -> (Option<LineAt>, Option<LineAt>) {
        match row {
            Row::Pair { hunk, old, new } => (Some((hunk, old)), Some((hunk, new))),
            Row::Line { hunk, line } => match self.kind(hunk, line) {
                Some(LineKind::Removed) => (Some((hunk, line)), None),
                Some(LineKind::Added) => (None, Some((hunk, line))),
                _ => (Some((hunk, line)), Some((hunk, line))),
            },
            _ => (None, None),
        }
    }

    /// Whether the line with index `line` is none of either side: a comment, or what belongs to nothing.
    #[must_use]
    pub fn is_on_no_side(&self, line: u32) -> bool {
        self.section.tree().lines[line as usize].diff_kind().is_none()
    }

    /// What a line says about the sides; that there is no line end is said of the line before it.
    fn kind(&self, hunk: u32, line: u32) -> Option<LineKind> {
        let tree = self.section.tree();
        let own = tree.lines[line as usize].diff_kind();
        match line.checked_sub(1).filter(|before| tree.hunks[hunk as usize].lines.contains(before)) {
            Some(before) if own == Some(LineKind::NoNewline) => tree.lines[before as usize].diff_kind(),
            _ => own,
        }
    }

    /// The line at `at` and its hunk.
    #[must_use]
    pub fn line_at(&self, at: LineAt) -> (&Hunk, &HunkLine) {
        self.line(at.0, at.1)
    }

    /// The line with index `line` and its hunk.
    #[must_use]
    pub fn line(&self, hunk: u32, line: u32) -> (&Hunk, &HunkLine) {
        let tree = self.section.tree();
        (&tree.hunks[hunk as usize], &tree.lines[line as usize])
    }
}
