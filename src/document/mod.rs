//! whymark v1: a unified diff with notes that say why.
//!
//! A document is a list of parts: the head (frontmatter, document notes and checks), then one part per `@file`
//! section. Each part owns its bytes and, once somebody asks, its [`Tree`]. Joined in order the parts are the file,
//! byte for byte; reading never fails and never loses anything.

pub mod selector;
pub mod tree;

use std::sync::{Arc, OnceLock};

use bytes::Bytes;

use crate::text::edit::Edit;
use crate::text::lines::Newline;
pub use selector::{Selector, Side};
pub use tree::{Block, FileHeader, FileStatus, Hunk, HunkLine, HunkLineKind, Note, Tree};

/// A review: the text of a `.whymark` file, and its reading.
#[derive(Debug, Clone)]
pub struct Document {
    parts: Vec<Arc<Section>>,
    newline: Newline,
}

/// A part of a document: the head or one file's section.
#[derive(Debug)]
pub struct Section {
    text: Bytes,
    newline: Newline,
    is_head: bool,
    tree: OnceLock<Tree>,
}

/// Which note: an index into [`Document::parts`] and one into its [`Tree::notes`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteRef {
    /// The part.
    pub part: usize,
    /// The note in the part.
    pub note: usize,
}

impl Document {
    /// Read a document. Total: any bytes are a document, at worst one of stray lines.
    #[must_use]
    pub fn parse(text: impl Into<Bytes>) -> Self {
        todo!("{:?}", text.into())
    }

    /// The parts in order; the head is always there and first, perhaps empty.
    #[must_use]
    pub fn parts(&self) -> &[Arc<Section>] {
        &self.parts
    }

    /// How the lines of the document end.
    #[must_use]
    pub fn newline(&self) -> Newline {
        self.newline
    }

    /// Where the part at `index` starts in the whole text.
    #[must_use]
    pub fn offset_of(&self, index: usize) -> usize {
        self.parts[..index].iter().map(|part| part.text.len()).sum()
    }

    /// The whole text.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts.iter().flat_map(|part| part.text.iter().copied()).collect()
    }

    /// The document after `edit`, whose offsets count from the start of the whole text. Parts that the edit does not
    /// touch are shared, trees included.
    #[must_use]
    pub fn edited(&self, edit: &Edit) -> Self {
        todo!("{edit:?}")
    }

    /// Put `section` in the place of the part at `index`: how the sections of a review that comes from git fill in.
    pub fn replace(&mut self, index: usize, section: Arc<Section>) {
        self.parts[index] = section;
    }

    /// The id of a note: its own, or `n<k>`; later duplicates are renamed (section 5).
    #[must_use]
    pub fn note_id(&self, note: NoteRef) -> String {
        todo!("{note:?}")
    }
}

impl Section {
    /// The section of one file, `text` beginning with its `@file` line.
    #[must_use]
    pub fn file(text: impl Into<Bytes>, newline: Newline) -> Self {
        Self { text: text.into(), newline, is_head: false, tree: OnceLock::new() }
    }

    /// The bytes.
    #[must_use]
    pub fn text(&self) -> &Bytes {
        &self.text
    }

    /// The reading of the bytes, made once.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| todo!("{}", self.is_head))
    }

    /// The content of a hunk line: without prefix and terminator.
    #[must_use]
    pub fn line_text(&self, line: &HunkLine) -> &[u8] {
        todo!("{line:?} {:?}", self.newline)
    }
}
