//! The total, lossless reading of a section: every byte of it ends up in exactly one block of the [`Tree`].
//!
//! It looks at each line once or twice and never fails. What is wrong with a line is not said here but found in the
//! tree afterwards.

pub(crate) mod directive;
pub(crate) mod file;
pub(crate) mod hunk;
pub(crate) mod note;
pub(crate) mod split;
pub(crate) mod token;

use memchr::memchr;

use self::directive::{Directive, is_blank};
use super::tree::{Block, HunkLine, Tree};
use crate::text::Span;
use crate::text::lines::Newline;

/// Read a section. `is_last` says that no section follows: blank lines at its end separate nothing.
pub(super) fn tree(text: &[u8], newline: Newline, is_head: bool, is_last: bool) -> Tree {
    let mut builder = Builder { text, newline, is_head, is_last, tree: Tree::default(), lines: Vec::new() };
    builder.run();
    Tree { lines: builder.lines.into(), ..builder.tree }
}

struct Builder<'a> {
    text: &'a [u8],
    newline: Newline,
    is_head: bool,
    is_last: bool,
    tree: Tree,
    /// The lines of all hunks so far.
    lines: Vec<HunkLine>,
}

impl Builder<'_> {
    fn run(&mut self) {
        let mut at = if self.is_head { self.preamble() } else { 0 };
        while at < self.text.len() {
            let line = self.line(at);
            at = match Directive::of(line.of(self.text)) {
                Some(Directive::File) if at == 0 && !self.is_head => {
                    self.tree.file = Some(file::header(self.text, line));
                    self.leaf(Block::File, line)
                }
                Some(Directive::Hunk) => self.hunk(line),
                Some(Directive::Note) => self.note(line),
                Some(Directive::Check) => {
                    let index = u32::try_from(self.tree.checks.len()).expect("fewer checks than bytes");
                    self.tree.checks.push(line);
                    self.leaf(|_| Block::Check(index), line)
                }
                Some(Directive::File) | None if is_blank(line.of(self.text)) => self.leaf(Block::Blank, line),
                Some(Directive::File) | None if self.text[at] == b'#' => self.leaf(Block::Comment, line),
                Some(Directive::File) | None => self.leaf(Block::Stray, line),
            };
        }
    }

    /// The byte order mark and the frontmatter.
    fn preamble(&mut self) -> usize {
        let mut at = split::bom_len(self.text);
        if at > 0 {
            self.tree.blocks.push(Block::Bom(Span::new(0, at)));
        }
        if let Some(span) = split::frontmatter(self.text, self.newline) {
            self.tree.blocks.push(Block::Frontmatter(span));
            at = span.end as usize;
        }
        at
    }

    fn leaf(&mut self, block: impl FnOnce(Span) -> Block, line: Span) -> usize {
        self.tree.blocks.push(block(line));
        line.end as usize
    }

    /// The line that begins at `at`, terminator included.
    fn line(&self, at: usize) -> Span {
        let end = memchr(b'\n', &self.text[at..]).map_or(self.text.len(), |len| at + len + 1);
        Span::new(at, end)
    }
}

#[cfg(test)]
mod tests {
    use crate::diff::LineKind;
    use crate::document::{Block, Document, HunkLineKind, NoteLineKind, Section};

    /// A letter a line of the first section's first hunk: ` +-\\` prefixed, `e` empty context, `u` unprefixed, `#`, `s`
    /// stray, `b` separator; then, behind a bar, the blocks that follow the hunk.
    fn hunk(text: &str) -> String {
        let document = Document::parse(format!("@file a\n{text}"));
        let tree = document.parts()[1].tree();
        let line = |line: &crate::document::HunkLine| match line.kind {
            HunkLineKind::Diff(_) if document.parts()[1].text()[line.span.range()] == b"\n"[..] => 'e',
            HunkLineKind::Diff(LineKind::Context) => ' ',
            HunkLineKind::Diff(LineKind::Added) => '+',
            HunkLineKind::Diff(LineKind::Removed) => '-',
            HunkLineKind::Diff(LineKind::NoNewline) => '\\',
            HunkLineKind::Unprefixed => 'u',
            HunkLineKind::Separator => 'b',
            HunkLineKind::Comment => '#',
            HunkLineKind::Stray => 's',
        };
        let block = |block: &Block| match block {
            Block::Comment(_) => '#',
            Block::Blank(_) => 'b',
            Block::Stray(_) => 's',
            Block::Note(_) => 'N',
            Block::Check(_) => 'C',
            Block::Hunk(_) => 'H',
            Block::Bom(_) | Block::Frontmatter(_) | Block::File(_) => '?',
        };
        let lines: String = tree.hunk_lines(&tree.hunks[0]).iter().map(line).collect();
        format!("{lines}|{}", tree.blocks[2..].iter().map(block).collect::<String>())
    }

    #[test]
    fn a_hunk_is_bounded_by_its_counts() {
        for (text, want) in [
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n\n@note +3", " +e|bN"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n@note +3", " +|bN"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n", " +e|"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n@file b\n", " +|b"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n@@", " +e|H"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\nx\n", " +|bs"),
            ("@@ -1,2 +1,3 @@\n a\n+b\n\n\nx\n", " +e|bs"),
            ("@@ -1 +1,2 @@\n a\n+b\nx\n#y\n\n", " +|s#b"),
            ("@@ -1 +1,2 @@\n a\n+b\nx\n#y\n\t\n\n+c\n", " +s#be+|"),
            ("@@ -1,2 +1,3 @@\n a\n+b\nx\ny\n", " +u|s"),
            ("@@ -1,2 +1,3 @@\n a\n#i\n+b\n", " u+|"),
            ("@@ -1,9 +1,9 @@\n a\n\n# x\n", " |b#"),
            ("@@ -1,9 +1,9 @@\n a\n\n# x\n b\n", " eu |"),
            ("@@\n a\n\n\n", " |bb"),
            ("@@\nx\n\ny\n", "u|bs"),
            ("@@ -1 +1 @@\n\n", "e|"),
            ("@@ -1 +1 @@\n \n \n\\ No\n@check x", "  \\|C"),
            ("@@ -1 +1 @@\n-a\n\n+b\n", "-e+|"),
        ] {
            assert_eq!(hunk(text), want, "{text:?}");
        }
    }

    #[test]
    fn numbers_follow_the_header_or_the_hunk_before() {
        let document =
            Document::parse("@@ -5,0 +6,2 @@\n+p\n+q\n@@ h @@\n c\n-d\n@@-9 +7,1@@ t\n@@@ -1 -1 +1 @@@\n x\n");
        let tree = document.parts()[1].tree();
        let numbers = tree.hunks.iter().flat_map(|hunk| {
            tree.hunk_lines(hunk).iter().map(move |line| {
                (line.old_line(hunk).map_or(0, |line| line.0), line.new_line(hunk).map_or(0, |line| line.0))
            })
        });
        assert_eq!(numbers.collect::<Vec<_>>(), [(0, 6), (0, 7), (6, 8), (7, 0), (8, 9)]);
        let heading = |at: usize| tree.hunks[at].heading.of(document.parts()[1].text()).to_vec();
        assert_eq!((heading(1), heading(3)), (b"h".to_vec(), b"-1 -1 +1".to_vec()));
        assert!(tree.hunks[1].loose && !tree.hunks[0].loose);
    }

    fn note(text: &str) -> String {
        let section = Section::file(text.to_owned(), crate::text::lines::Newline::Lf);
        let letter = |line: &crate::document::NoteLine| match line.kind {
            NoteLineKind::Field => 'f',
            NoteLineKind::Continuation => 'c',
            NoteLineKind::Body => 'b',
            NoteLineKind::Blank => '_',
        };
        section.tree().notes[0].lines.iter().map(letter).collect()
    }

    #[test]
    fn the_lines_of_a_note() {
        for (text, want) in [
            ("@note +1\nwhy: a\n  b\n\tc\n\n  d\nwhy:e\nowner: x\n\n", "fcc_bfb"),
            ("@note +1\nowner: x\n  y\nhttps://x\nwhy: z\n", "fcbf"),
            ("@note +1\nkind: risk\n  body\n", "fb"),
            ("@note +1\nkind:\n  risk\nrisk: very\n  much\n", "fcfc"),
            ("@note +1\n```\nwhy: x\n```\nwhy: y\n", "bbbf"),
            ("@note +1\n```\nwhy: x\n``\n~~~\nwhy: y\n", "bfbbf"),
            ("@note +1\n~~~~ info `\nwhy: x\n~~~\n```\n   ~~~~~ \nwhy: y\n", "bbbbbf"),
            ("@note +1\n``` a`b\nwhy: x\n```\n", "bfb"),
            ("@note +1\nWHY: x\nWhy y\nWHAT: z\n", "fbf"),
            ("@note +1\n why: x\n# c\n", "bb"),
        ] {
            assert_eq!(note(text), want, "{text:?}");
        }
    }
}
