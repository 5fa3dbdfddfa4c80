//! The rows of a part, made from its blocks.

use std::ops::Range;

use crate::document::tree::{Block, HunkLineKind, Tree};

use super::super::around::{Around, End};
use super::super::replaced::Replaced;
use super::{Fact, Folding, Row, Rows, Run, Show};

/// What is put below the rows it belongs to: the cards of the narrow layout.
#[derive(Debug, Clone, Copy)]
pub struct Inset {
    /// The index of the line it stands below; `None` for the top of the part.
    pub after: Option<u32>,
    /// The annotation.
    pub annotation: u32,
    /// The number of rows.
    pub height: u32,
}

/// What is on the rows of a part besides its blocks.
#[derive(Debug, Clone, Copy)]
pub struct Contents<'a> {
    /// The number of summary rows.
    pub prose: u32,
    /// What is said about the file.
    pub facts: &'a [Fact],
    /// The cards to put in, ordered by where they stand.
    pub insets: &'a [Inset],
    /// How much of it is shown.
    pub folding: &'a Folding,
    /// The lines to put beside each other, in the order of the text.
    pub beside: &'a [Replaced],
    /// What is unfolded around the hunks.
    pub around: Option<&'a Around>,
    /// The lines that have no row ([`separators`]), ascending.
    pub separators: &'a [u32],
}

/// The lines of `tree` that only separate and have no row, ascending. They are found once: a part is laid out often, and
/// that is not to cost a look at each of its lines.
#[must_use]
pub fn separators(tree: &Tree) -> Vec<u32> {
    let lines = (0u32..).zip(&tree.lines).filter(|(_, line)| line.kind == HunkLineKind::Separator);
    lines.map(|(index, _)| index).collect()
}

impl Rows {
    /// The rows of `tree`.
    #[must_use]
    pub fn of(tree: &Tree, contents: Contents<'_>) -> Self {
        let Contents { prose, facts, insets, folding, mut beside, around, separators } = contents;
        let mut rows = Self::default();
        match folding.file {
            Show::Whole | Show::Body => {}
            Show::Head => {
                rows.fold(&(0..u32::try_from(tree.lines.len()).unwrap_or(u32::MAX)));
                rows.push(Row::File, 1);
                rows.push(Row::Gap, 1);
                return rows;
            }
            Show::Nothing => return rows,
        }
        rows.push(Row::Prose(0), prose);
        if prose == 0 {
            rows.push(Row::File, 1);
        }
        for fact in facts {
            rows.push(Row::Fact(*fact), 1);
        }
        let split = insets.iter().take_while(|inset| inset.after.is_none()).count();
        let (top, mut below) = insets.split_at(split);
        for inset in top {
            rows.push_card(inset);
        }
        for (index, block) in (0u32..).zip(&tree.blocks) {
            match *block {
                Block::Hunk(hunk) if matches!(folding.hunk(hunk), Show::Head | Show::Nothing) => {
                    let lines = &tree.hunks[hunk as usize].lines;
                    beside = &beside[beside.iter().take_while(|replaced| replaced.new.end <= lines.end).count()..];
                    below = &below[below.iter().take_while(|inset| inset.after < Some(lines.end)).count()..];
                    if folding.hunk(hunk) == Show::Head {
                        rows.fold(lines);
                        rows.push(Row::Hunk(hunk), 1);
                    }
                }
                Block::Hunk(hunk) => {
                    if folding.hunk(hunk) == Show::Whole {
                        rows.push(Row::Hunk(hunk), 1);
                    }
                    rows.push_around(tree, around, hunk, End::Lower);
                    rows.push_hunk(
                        (hunk, tree.hunks[hunk as usize].lines.clone()),
                        separators,
                        &mut below,
                        &mut beside,
                    );
                    rows.push_around(tree, around, hunk + 1, End::Upper);
                }
                Block::Comment(_) | Block::Stray(_) | Block::Check(_) => rows.push(Row::Text(index), 1),
                Block::Bom(_) | Block::Frontmatter(_) | Block::File(_) | Block::Note(_) | Block::Blank(_) => {}
            }
        }
        if !facts.contains(&Fact::Pending) && rows.len > 0 {
            rows.push(Row::Gap, 1);
        }
        rows
    }

    fn push(&mut self, first: Row, count: u32) {
        if count == 0 {
            return;
        }
        match first {
            Row::Line { line, .. } => self.lines.push((line, self.len)),
            Row::Pair { old, new, .. } => self.lines.extend([(old, self.len), (new, self.len)]),
            Row::Hunk(hunk) => self.hunks.push((hunk, self.len)),
            _ => {}
        }
        self.runs.push(Run { at: self.len, first });
        self.len += count;
    }

    /// The next row stands for these lines.
    fn fold(&mut self, lines: &Range<u32>) {
        self.folded.push((lines.start, self.len, lines.end));
        self.lines.push((lines.start, self.len));
    }

    fn push_card(&mut self, inset: &Inset) {
        self.push(Row::Card { annotation: inset.annotation, row: 0 }, inset.height);
    }

    /// The lines of a hunk, cards below the lines they end at.
    fn push_hunk(
        &mut self,
        (hunk, lines): (u32, Range<u32>),
        separators: &[u32],
        insets: &mut &[Inset],
        beside: &mut &[Replaced],
    ) {
        let (mut start, known) = (lines.start, self.lines.len());
        while let Some((replaced, rest)) = beside.split_first().filter(|(replaced, _)| replaced.new.end <= lines.end) {
            self.push_lines(hunk, start..replaced.old.start, separators, insets);
            self.push_replaced(hunk, replaced, insets);
            start = replaced.new.end;
            *beside = rest;
        }
        self.push_lines(hunk, start..lines.end, separators, insets);
        self.lines[known..].sort_unstable_by_key(|(line, _)| *line);
    }

    /// The unfolded lines at one end of a gap; behind the last hunk also how many there are still.
    fn push_around(&mut self, tree: &Tree, around: Option<&Around>, gap: u32, end: End) {
        let Some(around) = around else { return };
        let lines = around.shown(tree, gap, end);
        self.push(Row::Around { gap, line: lines.start }, lines.end - lines.start);
        if gap as usize == tree.hunks.len() && around.hidden(tree, gap).is_some_and(|hidden| hidden > 0) {
            self.push(Row::Rest, 1);
        }
    }

    /// Lines below each other, without separators.
    fn push_lines(&mut self, hunk: u32, lines: Range<u32>, separators: &[u32], insets: &mut &[Inset]) {
        let mut start = lines.start;
        let first = separators.partition_point(|separator| *separator < lines.start);
        let mut separators =
            separators[first..].iter().copied().take_while(|separator| *separator < lines.end).peekable();
        loop {
            let separator = separators.peek().copied();
            let card = insets.first().and_then(|inset| inset.after).filter(|line| lines.contains(line));
            let Some(line) = separator.into_iter().chain(card).min() else { break };
            let end = if separators.next_if_eq(&line).is_some() { line } else { line + 1 };
            self.push(Row::Line { hunk, line: start }, end - start);
            start = line + 1;
            while let Some((inset, rest)) = insets.split_first().filter(|(inset, _)| inset.after == Some(line)) {
                self.push_card(inset);
                *insets = rest;
            }
        }
        self.push(Row::Line { hunk, line: start }, lines.end - start);
    }

    /// Lines beside those that replace them, and below what the longer side has more. A card stands under its line on
    /// either side.
    fn push_replaced(&mut self, hunk: u32, Replaced { old, new }: &Replaced, insets: &mut &[Inset]) {
        let count = insets.iter().take_while(|inset| inset.after.is_some_and(|line| line < new.end)).count();
        let (own, rest) = insets.split_at(count);
        *insets = rest;
        let nth = |line: u32| if line < new.start { line.saturating_sub(old.start) } else { line - new.start };
        let mut own: Vec<(u32, &Inset)> = own.iter().filter_map(|inset| Some((nth(inset.after?) + 1, inset))).collect();
        own.sort_by_key(|(end, _)| *end);
        let mut start = 0;
        for (end, inset) in own {
            self.push_beside(hunk, (old, new), start..end);
            self.push_card(inset);
            start = end;
        }
        let (olds, news) = (old.end - old.start, new.end - new.start);
        self.push_beside(hunk, (old, new), start..olds.max(news));
    }

    /// The rows `nth` of lines that stand beside each other.
    fn push_beside(&mut self, hunk: u32, (old, new): (&Range<u32>, &Range<u32>), nth: Range<u32>) {
        let (olds, news) = (old.end - old.start, new.end - new.start);
        let paired = olds.min(news).clamp(nth.start, nth.end.max(nth.start));
        let first = Row::Pair { hunk, old: old.start + nth.start, new: new.start + nth.start };
        self.push(first, paired - nth.start);
        let longer = if olds > news { old } else { new };
        self.push(Row::Line { hunk, line: longer.start + paired }, nth.end.saturating_sub(paired));
    }
}
