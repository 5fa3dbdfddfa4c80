//! Looking through one part: everything that a reader sees of it.

use std::ops::Range;
use std::sync::Arc;

use crate::document::tree::{Block, Hunk};
use crate::document::{Document, NoteRef, Section, Tree};
use crate::text::width::Display;

use super::super::around::{Around, End};
use super::super::card::note_words;
use super::{Hit, Nearby, Pattern, Spot};

/// How many lines are looked at between two looks at whether anybody still waits.
const LINES_AT_ONCE: u32 = 1024;

/// A part to be looked through.
#[derive(Debug, Clone)]
pub struct Scan {
    /// The number of the answer.
    pub ticket: u64,
    /// The first number whose answer is still waited for.
    pub since: u64,
    /// The index of the part.
    pub part: usize,
    /// What is searched for.
    pub pattern: Arc<Pattern>,
    /// The text.
    pub section: Arc<Section>,
    /// Which hunks are not shown; those that it does not reach are.
    pub hidden: Vec<bool>,
    /// Whether hunks have headings on the screen.
    pub has_headings: bool,
    /// What is unfolded around the hunks.
    pub around: Around,
    /// The rows of the summary.
    pub prose: Vec<Nearby>,
    /// What is said about the file, row by row.
    pub facts: Vec<String>,
    /// The cards.
    pub cards: Vec<(Hit, CardText)>,
    /// How text is made fit for the screen.
    pub display: Display,
    /// The review, for the ids of notes that state none; `None` until all of it has been read.
    pub review: Option<Arc<Document>>,
}

/// What a card says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CardText {
    /// The note of the section with this index.
    Note(u32),
    /// Texts of its own: those of a Markback record, or of a comment for the agent.
    Own(Vec<String>),
}

/// The places of a part where the pattern is found, ascending; `None` when `is_cancelled` said so.
#[must_use]
pub fn scan(job: Scan, is_cancelled: impl Fn() -> bool) -> Option<Vec<Hit>> {
    // Looking through a review is not to leave all of it unpacked.
    let job = Scan { section: Arc::new(job.section.once()), ..job };
    let Scan { pattern, section, prose, cards, .. } = &job;
    let tree = section.tree();
    let mut hits = Vec::new();
    let paths = tree.file.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]);
    if paths.flatten().any(|path| pattern.is_in(path)) {
        hits.push(Hit::TOP);
    }
    hits.extend((0u32..).zip(prose).filter(|(_, row)| row.begins(pattern)).map(|(row, _)| Hit::line(row)));
    let facts = (0u32..).zip(&job.facts).filter(|(_, fact)| pattern.is_in(fact.as_bytes()));
    hits.extend(facts.map(|(fact, _)| Hit::fact(fact)));
    let summary = u32::try_from(prose.len()).unwrap_or(u32::MAX);
    for (_, block, hit) in Hit::blocks(tree, summary) {
        let is_there = match block {
            Block::Hunk(hunk) if job.is_hidden(hunk) => continue,
            Block::Hunk(hunk) => {
                job.find_in_lines(hunk, &mut hits, &is_cancelled)?;
                job.find_around(tree, hunk, &mut hits);
                job.has_headings && job.is_in_heading(&tree.hunks[hunk as usize])
            }
            other => pattern.is_in(tree.span(other).of(section.text()).trim_ascii_end()),
        };
        hits.extend(is_there.then_some(hit));
    }
    for (hit, card) in cards {
        let is_there = match card {
            CardText::Note(note) => job.is_in_note(*note),
            CardText::Own(texts) => texts.iter().any(|text| pattern.is_in(text.as_bytes())),
        };
        hits.extend(is_there.then_some(*hit));
    }
    hits.sort_unstable();
    Some(hits)
}

impl Scan {
    fn is_hidden(&self, hunk: u32) -> bool {
        self.hidden.get(hunk as usize).copied().unwrap_or_default()
    }

    /// Find the lines of a hunk; `None` when `is_cancelled` said so.
    fn find_in_lines(&self, hunk: u32, hits: &mut Vec<Hit>, is_cancelled: impl Fn() -> bool) -> Option<()> {
        let tree = self.section.tree();
        let Range { mut start, end } = tree.hunks[hunk as usize].lines.clone();
        while start < end {
            if is_cancelled() {
                return None;
            }
            let piece = start..end.min(start + LINES_AT_ONCE);
            start = piece.end;
            let text = |line: u32| self.section.line_text(&tree.lines[line as usize]);
            hits.extend(piece.filter(|line| self.pattern.is_in(text(*line))).map(Hit::line));
        }
        Some(())
    }

    /// Find the lines that are unfolded above and below a hunk.
    fn find_around(&self, tree: &Tree, hunk: u32, hits: &mut Vec<Hit>) {
        let Some(whole) = self.around.whole() else { return };
        let Range { start, end } = tree.hunks[hunk as usize].lines.clone();
        let is_there = |line: &u32| self.pattern.is_in(whole.line(*line));
        let above = self.around.shown(tree, hunk, End::Lower).filter(is_there);
        hits.extend(above.map(|line| Hit::at(start, Spot::Above(line))));
        let below = self.around.shown(tree, hunk + 1, End::Upper).filter(is_there);
        hits.extend(below.map(|line| Hit::at(end.saturating_sub(1), Spot::Below(line))));
    }

    fn is_in_heading(&self, hunk: &Hunk) -> bool {
        self.pattern.is_in(hunk.ranges().as_bytes()) || self.pattern.is_in(hunk.heading.of(self.section.text()))
    }

    /// Whether the pattern is found in what the card of a note says.
    fn is_in_note(&self, index: u32) -> bool {
        let note = self.section.note_view(&self.section.tree().notes[index as usize]);
        let id = self.review.as_ref().map(|review| review.note_id(NoteRef { part: self.part, note: index as usize }));
        note_words(&note, id, self.display).iter().any(|text| self.pattern.is_in(text.as_bytes()))
    }
}
