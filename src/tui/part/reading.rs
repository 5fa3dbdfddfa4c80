//! What is read from a section once, away from the screen.

use crate::capture::{self, Heading};
use crate::diff::{LineKind, NewLine};
use crate::document::tree::{HunkLine, Note};
use crate::document::{Check, FileStatus, Section, Tree, named_lines};
use crate::metrics::{Mark, Marks, SectionStats};

use super::super::face::Face;
use super::super::looks::ContentIds;
use super::super::replaced::Replaced;
use super::super::rows::separators;
use super::LineRuns;

/// The columns of line numbers, at least and at most.
const LEAST_DIGITS: usize = 4;
const MOST_DIGITS: usize = 9;

/// How the ends of the changed lines have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineEnds {
    /// From CRLF to LF.
    ToLf,
    /// From LF to CRLF.
    ToCrLf,
}

impl LineEnds {
    /// What has become of all removed lines in all added ones, if that is the same for all.
    fn changed(section: &Section) -> Option<Self> {
        let tree = section.tree();
        let has_cr = |kind: LineKind| {
            let mut lines = tree.lines.iter().filter(|line| line.diff_kind() == Some(kind));
            let is_cr = |line: &HunkLine| section.line_text(line).ends_with(b"\r");
            let first = is_cr(lines.next()?);
            lines.all(|line| is_cr(line) == first).then_some(first)
        };
        match (has_cr(LineKind::Removed)?, has_cr(LineKind::Added)?) {
            (true, false) => Some(Self::ToLf),
            (false, true) => Some(Self::ToCrLf),
            _ => None,
        }
    }
}

/// What is read from a section once, away from the screen.
#[derive(Debug, Clone, Default)]
pub struct Reading {
    /// First and last line of each note, as indices into the tree's lines.
    pub lines: Vec<Option<(u32, u32)>>,
    /// Which lines are explained, and how well.
    pub marks: Marks,
    /// The numbers.
    pub stats: SectionStats,
    /// Todos, questions, and claims that failed or were not checked.
    pub open_items: u64,
    /// What the card of each note shows while it is not open.
    pub faces: Vec<Face>,
    /// Notes that are still to be filled in.
    pub stubs: u64,
    /// Notes whose text is no longer in the diff.
    pub orphans: u64,
    /// The added lines that no note explains.
    pub uncovered: LineRuns,
    /// How many added lines nothing but stubs covers.
    pub stubbed: u64,
    /// What it says, to be known again.
    pub contents: ContentIds,
    /// The `@check` lines.
    pub checks: Vec<Check>,
    /// Removed lines with those that replace them.
    pub replaced: Vec<Replaced>,
    /// The lines that have no row, as indices into the tree's lines, ascending.
    pub separators: Vec<u32>,
    /// How the line ends have changed.
    pub line_ends: Option<LineEnds>,
    /// The headings of a file that is there as it is, each at its line, by index.
    pub outline: Vec<(u32, Heading)>,
    /// The columns of a line number: the same in the whole part, so that nothing moves while scrolling.
    pub digits: usize,
}

impl Reading {
    /// Read `section`, parsing it if nobody has yet.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        let tree = section.tree();
        let marks = Marks::of(section);
        let stats = SectionStats::marked(section, &marks);
        let lines = tree.notes.iter().map(|note: &Note| named_lines(tree, note.selector)).collect();
        let faces: Vec<Face> = section.note_views().map(|note| Face::of(&note)).collect();
        let open_items = faces.iter().map(|face| face.facts.open_items()).sum();
        let stubs = faces.iter().filter(|face| face.facts.is_stub).count() as u64;
        let is_stubbed = |line| marks.new_line(line).is_some_and(Mark::is_stub);
        let stubbed = if stubs > 0 { added_lines_where(tree, is_stubbed).len() as u64 } else { 0 };
        let orphans = faces.iter().filter(|face| face.is_orphan).count() as u64;
        let checks = section.checks().flatten().collect();
        Self {
            lines,
            uncovered: added_lines_where(tree, |line| marks.new_line(line).is_none()),
            stubbed,
            marks,
            stats,
            open_items,
            faces,
            stubs,
            orphans,
            contents: ContentIds::of(section),
            checks,
            replaced: Replaced::all(tree),
            separators: separators(tree),
            line_ends: LineEnds::changed(section),
            outline: outline(section),
            digits: digits(tree),
        }
    }
}

/// The headings of a file all of whose lines are in the section, and none changed.
fn outline(section: &Section) -> Vec<(u32, Heading)> {
    let tree = section.tree();
    let Some(file) = tree.file.as_ref().filter(|file| file.status == FileStatus::Context) else { return Vec::new() };
    let [hunk] = tree.hunks.as_slice() else { return Vec::new() };
    if hunk.new_start != 1 || !capture::is_markdown(&file.path) {
        return Vec::new();
    }
    let lines = tree.lines[hunk.lines.start as usize..hunk.lines.end as usize].iter();
    let lines = lines.filter(|line| line.diff_kind() == Some(LineKind::Context));
    let text: Vec<u8> = lines.flat_map(|line| section.line_text(line).iter().copied().chain([b'\n'])).collect();
    let index = |line: u64| hunk.lines.start + u32::try_from(line - 1).unwrap_or(u32::MAX);
    let headings = capture::outline(&file.path, &text).into_iter();
    headings.map(|heading| (index(heading.line), heading)).filter(|(line, _)| hunk.lines.contains(line)).collect()
}

/// The added lines of `tree` that `wants` takes.
pub(super) fn added_lines_where(tree: &Tree, wants: impl Fn(NewLine) -> bool) -> LineRuns {
    let lines = tree.hunks.iter().flat_map(|hunk| hunk.lines.clone().map(move |line| (hunk, line)));
    let bare = lines.filter(|(hunk, index)| {
        let line = &tree.lines[*index as usize];
        line.diff_kind() == Some(LineKind::Added) && line.new_line(hunk).is_some_and(&wants)
    });
    bare.map(|(_, line)| line).collect()
}

/// The columns of the largest line number.
fn digits(tree: &Tree) -> usize {
    let last = tree.hunks.iter().map(|hunk| {
        let (old, new) = (hunk.old_start.saturating_add(hunk.old_lines), hunk.new_start.saturating_add(hunk.new_lines));
        old.max(new)
    });
    last.max().map_or(LEAST_DIGITS, |last| last.to_string().len()).clamp(LEAST_DIGITS, MOST_DIGITS)
}
