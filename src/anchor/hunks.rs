//! The hunks of a section replaced by others, each where one like it stood: what people wrote between them stays, and
//! stays what it was.

use std::collections::HashSet;

use crate::diff::LineKind;
use crate::document::edit::missing_terminator;
use crate::document::{Block, Hunk, HunkLine, HunkLineKind, Section};
use crate::text::Span;
use crate::text::edit::Splice;
use crate::text::lines::{Lines, Newline};

/// The splices, in offsets of `old`, after which it has the hunks of `new`.
pub(super) fn replaced(old: &Section, new: &Section) -> Vec<Splice> {
    let is_unprefixed = |line: &HunkLine| line.kind == HunkLineKind::Unprefixed;
    let known = if old.tree().lines.iter().any(is_unprefixed) { &*new.tree().lines } else { &[] };
    let known = known.iter().map(|line| new.line_text(line)).collect();
    Replacement { old, new, newline: old.newline(), known }.splices()
}

/// `text` with lines that end in `newline`, whatever `of` says they end in.
pub(super) fn converted(text: &[u8], of: Newline, newline: Newline) -> Vec<u8> {
    if of == newline && text.ends_with(b"\n") {
        return text.to_vec();
    }
    let lines = Lines::new(text).map(|span| of.content(span.of(text)));
    lines.flat_map(|line| [line, newline.as_str().as_bytes()]).flatten().copied().collect()
}

/// The lines of a diff that `hunk` has, as kind and text.
fn content<'a>(section: &'a Section, hunk: &Hunk) -> Vec<(LineKind, &'a [u8])> {
    let text = |line: &HunkLine, kind| if kind == LineKind::NoNewline { &b""[..] } else { section.line_text(line) };
    let lines = section.tree().hunk_lines(hunk).iter();
    lines.filter_map(|line| line.diff_kind().map(|kind| (kind, text(line, kind)))).collect()
}

/// Whether two hunks state the same lines under the same numbers.
fn is_same(old: (&Section, &Hunk), new: (&Section, &Hunk)) -> bool {
    let header = |(section, hunk): (&Section, &Hunk)| {
        let heading = hunk.heading.of(section.text()).to_vec();
        (hunk.loose, [hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines], heading)
    };
    header(old) == header(new) && content(old.0, old.1) == content(new.0, new.1)
}

struct Replacement<'a> {
    old: &'a Section,
    new: &'a Section,
    newline: Newline,
    /// What the new lines say, where that matters.
    known: HashSet<&'a [u8]>,
}

impl Replacement<'_> {
    fn splices(&self) -> Vec<Splice> {
        let (tree, hunks) = (self.old.tree(), &self.new.tree().hunks);
        let places = self.places();
        let mut splices = Vec::new();
        if tree.hunks.is_empty() {
            let text: Vec<u8> = hunks.iter().flat_map(|hunk| self.text(hunk)).collect();
            if let Some(at) = tree.blocks.iter().position(|block| matches!(block, Block::File(_))) {
                let end = self.end_with_lines(at);
                let lead = missing_terminator(&self.old.text()[..end], self.newline);
                splices.extend((!text.is_empty()).then(|| insertion(end, [lead.as_bytes(), &text].concat())));
            }
            return splices;
        }
        for (at, block) in tree.blocks.iter().enumerate() {
            let Block::Hunk(index) = *block else { continue };
            let (hunk, here) = (&tree.hunks[index as usize], &places[index as usize]);
            if here.is_empty() {
                self.removal(at, hunk, &places, &mut splices);
                continue;
            }
            let texts = |these: &[usize]| these.iter().flat_map(|index| self.text(&hunks[*index])).collect::<Vec<u8>>();
            let span = tree.span(*block);
            if let Some(same) = here.iter().position(|index| is_same((self.old, hunk), (self.new, &hunks[*index]))) {
                let (above, mut below) = (texts(&here[..same]), texts(&here[same + 1..]));
                splices.extend((!above.is_empty()).then(|| insertion(span.start as usize, above)));
                if !below.is_empty() {
                    let lead = missing_terminator(span.of(self.old.text()), self.newline);
                    below.splice(..0, lead.bytes());
                    splices.push(insertion(span.end as usize, below));
                }
                continue;
            }
            let mut with = texts(here);
            with.extend(self.foreign(hunk));
            with.extend_from_slice(self.separator(at, hunk));
            splices.push(Splice { range: span.range(), with });
        }
        splices
    }

    /// For each old hunk the new ones that come to stand in its place: the one of the same lines, or as many as there are
    /// in between.
    fn places(&self) -> Vec<Vec<usize>> {
        let (old, new) = (&self.old.tree().hunks, &self.new.tree().hunks);
        let mut places = vec![Vec::new(); old.len()];
        let contents: Vec<_> = old.iter().map(|hunk| content(self.old, hunk)).collect();
        let (mut next_old, mut next_new) = (0, 0);
        let mut settle = |places: &mut Vec<Vec<usize>>, to_old: usize, to_new: usize| {
            for index in next_new..to_new {
                // What has no hunk left to replace goes in front of the next one, or behind the last.
                let place =
                    (next_old + index - next_new).min(if to_old < old.len() { to_old } else { to_old.max(1) - 1 });
                if let Some(place) = places.get_mut(place) {
                    place.push(index);
                }
            }
            (next_old, next_new) = (to_old + 1, to_new + 1);
        };
        let mut from = 0;
        for (index, hunk) in new.iter().enumerate() {
            let content = content(self.new, hunk);
            if let Some(same) = (from..old.len()).find(|place| contents[*place] == content) {
                settle(&mut places, same, index);
                places[same].push(index);
                from = same + 1;
            }
        }
        settle(&mut places, old.len(), new.len());
        places
    }

    /// A new hunk, as it stands in the old document.
    fn text(&self, hunk: &Hunk) -> Vec<u8> {
        let lines = self.new.tree().hunk_lines(hunk);
        let span = lines.last().map_or(hunk.header, |last| hunk.header.to(last.span));
        converted(span.of(self.new.text()), self.new.newline(), self.newline)
    }

    /// The lines of an old hunk that are not of a diff, or may not be: somebody wrote them in its midst.
    fn foreign(&self, hunk: &Hunk) -> Vec<u8> {
        let is_foreign = |line: &&HunkLine| match line.kind {
            HunkLineKind::Comment | HunkLineKind::Stray => true,
            HunkLineKind::Unprefixed => !self.known.contains(self.old.line_text(line)) && !self.is_blank(line.span),
            HunkLineKind::Diff(_) | HunkLineKind::Separator => false,
        };
        let lines = self.old.tree().hunk_lines(hunk).iter().filter(is_foreign);
        lines.flat_map(|line| line.span.of(self.old.text())).copied().collect()
    }

    fn is_blank(&self, span: Span) -> bool {
        span.of(self.old.text()).iter().all(u8::is_ascii_whitespace)
    }

    /// The blank line that the hunk at `at` had taken for its own, and its successor does not.
    fn separator(&self, at: usize, hunk: &Hunk) -> &'static [u8] {
        let tree = self.old.tree();
        let last = tree.hunk_lines(hunk).last().map_or(hunk.header, |line| line.span);
        let is_taken = self.newline.content(last.of(self.old.text())).is_empty();
        let is_followed = !matches!(tree.blocks.get(at + 1), Some(Block::Blank(_) | Block::Hunk(_)));
        if is_taken && is_followed { self.newline.as_str().as_bytes() } else { b"" }
    }

    /// Where what belongs to the block at `at` ends: itself, and comments and strays directly behind it; also a blank line
    /// that a hunk in front of it would take for its own.
    fn end_with_lines(&self, at: usize) -> usize {
        let tree = self.old.tree();
        let behind = tree.blocks[at + 1..].iter();
        let loose = behind.take_while(|block| matches!(block, Block::Comment(_) | Block::Stray(_) | Block::Blank(_)));
        let is_written = |block: &&Block| match block {
            Block::Blank(span) => span.of(self.old.text()).starts_with(b" "),
            _ => true,
        };
        tree.span(*loose.filter(is_written).last().unwrap_or(&tree.blocks[at])).end as usize
    }

    /// Take away the hunk at `at`. Comments and strays behind it would become part of a note that stands in front of it: they
    /// go to where they are what they were.
    fn removal(&self, at: usize, hunk: &Hunk, places: &[Vec<usize>], splices: &mut Vec<Splice>) {
        let (tree, text) = (self.old.tree(), self.old.text());
        let is_gone = |block: &Block| matches!(block, Block::Hunk(index) if places[*index as usize].is_empty());
        let range = tree.span(tree.blocks[at]).range();
        let before = (0..at).rev().find(|before| {
            let block = &tree.blocks[*before];
            !is_gone(block) && !matches!(block, Block::Blank(_) | Block::Comment(_) | Block::Stray(_))
        });
        let is_in_note = before.is_some_and(|before| matches!(tree.blocks[before], Block::Note(_)));
        let mut foreign = self.foreign(hunk);
        if !is_in_note {
            splices.push(Splice { range, with: foreign });
            return;
        }
        let end = self.end_with_lines(at);
        let behind = tree.blocks[at + 1..].iter().take_while(|block| (tree.span(**block).end as usize) <= end);
        let written = behind.filter(|block| !matches!(block, Block::Blank(_)));
        foreign.extend(written.flat_map(|block| tree.span(*block).of(text)));
        splices.push(Splice { range: range.start..end, with: Vec::new() });
        let carrier = (0..at).rev().find(|before| {
            let block = &tree.blocks[*before];
            !is_gone(block) && matches!(block, Block::File(_) | Block::Hunk(_) | Block::Check(_))
        });
        if let Some(carrier) = carrier.filter(|_| !foreign.is_empty()) {
            let lead = missing_terminator(&foreign, self.newline).as_bytes();
            splices.push(insertion(self.end_with_lines(carrier), [&foreign, lead].concat()));
        }
    }
}

fn insertion(at: usize, with: Vec<u8>) -> Splice {
    Splice { range: at..at, with }
}
