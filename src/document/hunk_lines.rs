//! The lines of a section's hunks, which are most of its tree and follow from little.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use super::parse::hunk::after;
use super::tree::{Hunk, HunkLine, HunkLineKind};
use crate::diff::LineKind;
use crate::text::Span;
use crate::text::held::Held;

/// The lines of all hunks of a section, in order. They are either as they are, and then shared by copies, or packed until
/// somebody looks at them.
#[derive(Debug, Clone, Default)]
pub struct HunkLines {
    packed: Packed,
    open: OnceLock<Arc<Vec<HunkLine>>>,
}

/// What the lines follow from.
#[derive(Debug, Clone, Default)]
struct Packed {
    /// For each hunk, how many lines it has and where the first of them begins.
    hunks: Box<[(u32, u32)]>,
    /// For each line its length and kind, as a number of seven bits a byte, the lowest first.
    lines: Held,
}

/// The kinds, by the number that stands for them.
const KINDS: [HunkLineKind; 8] = [
    HunkLineKind::Diff(LineKind::Context),
    HunkLineKind::Diff(LineKind::Added),
    HunkLineKind::Diff(LineKind::Removed),
    HunkLineKind::Diff(LineKind::NoNewline),
    HunkLineKind::Unprefixed,
    HunkLineKind::Separator,
    HunkLineKind::Comment,
    HunkLineKind::Stray,
];

fn number_of(kind: HunkLineKind) -> usize {
    match kind {
        HunkLineKind::Diff(LineKind::Context) => 0,
        HunkLineKind::Diff(LineKind::Added) => 1,
        HunkLineKind::Diff(LineKind::Removed) => 2,
        HunkLineKind::Diff(LineKind::NoNewline) => 3,
        HunkLineKind::Unprefixed => 4,
        HunkLineKind::Separator => 5,
        HunkLineKind::Comment => 6,
        HunkLineKind::Stray => 7,
    }
}

impl HunkLines {
    /// The same lines, which are those of `hunks`, packed.
    #[must_use]
    pub fn packed(&self, hunks: &[Hunk]) -> Self {
        let mut lines = Vec::with_capacity(2 * self.len());
        for line in self {
            push_number(&mut lines, (line.span.len() * KINDS.len() + number_of(line.kind)) as u64);
        }
        let hunks = hunks.iter().map(|hunk| (hunk.lines.end - hunk.lines.start, hunk.header.end));
        let packed = Packed { hunks: hunks.collect(), lines: Held::packed(&lines.into()) };
        Self { packed, open: OnceLock::new() }
    }
}

impl Packed {
    fn unpacked(&self) -> Vec<HunkLine> {
        let mut lines = Vec::with_capacity(self.hunks.iter().map(|(count, _)| *count as usize).sum());
        let lengths = self.lines.once();
        let mut rest = &*lengths;
        for &(count, start) in &self.hunks {
            let (mut at, mut old, mut new) = (start as usize, 0, 0);
            for _ in 0..count {
                let number = usize::try_from(next_number(&mut rest)).expect("a length that was one before");
                let span = Span::new(at, at + number / KINDS.len());
                let line = HunkLine { span, old, new, kind: KINDS[number % KINDS.len()] };
                (old, new) = after(&line);
                at = span.end as usize;
                lines.push(line);
            }
        }
        lines
    }
}

fn push_number(to: &mut Vec<u8>, mut number: u64) {
    loop {
        let low = (number & 0x7f) as u8;
        number >>= 7;
        if number == 0 {
            return to.push(low);
        }
        to.push(low | 0x80);
    }
}

fn next_number(from: &mut &[u8]) -> u64 {
    let mut number = 0;
    for shift in (0..).step_by(7) {
        let Some((byte, rest)) = from.split_first() else { break };
        *from = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if *byte < 0x80 {
            break;
        }
    }
    number
}

impl Deref for HunkLines {
    type Target = [HunkLine];

    fn deref(&self) -> &[HunkLine] {
        self.open.get_or_init(|| Arc::new(self.packed.unpacked()))
    }
}

impl<'a> IntoIterator for &'a HunkLines {
    type Item = &'a HunkLine;
    type IntoIter = std::slice::Iter<'a, HunkLine>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Vec<HunkLine>> for HunkLines {
    fn from(mut lines: Vec<HunkLine>) -> Self {
        // They live as long as the document.
        lines.shrink_to_fit();
        Self { packed: Packed::default(), open: Arc::new(lines).into() }
    }
}

impl PartialEq for HunkLines {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for HunkLines {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Section;
    use crate::text::lines::Newline;

    #[test]
    fn packed_lines_are_the_same_lines() {
        let long = "+x".repeat(100_000);
        let text = format!(
            "@file a\n@@ -1,3 +1,4 @@\n a\n-b\n\\ No newline at end of file\n+c\n\n# said\nbare\n@@ -9 +9,2 @@\n{long}\n\n\nstray\n+y\n\n@@\n"
        );
        for text in [&text[..], &text.replace('\n', "\r\n"), "@file a\n@@ -1 +1 @@", "@file a\n"] {
            let section = Section::file(text.to_owned(), Newline::detect(text.as_bytes()));
            let tree = section.tree();
            let packed = tree.lines.packed(&tree.hunks);
            assert!(packed.open.get().is_none());
            assert_eq!(packed, tree.lines, "{text:?}");
        }
    }

    #[test]
    fn a_kind_stands_where_its_number_says() {
        assert!(KINDS.iter().enumerate().all(|(at, kind)| number_of(*kind) == at));
    }
}
