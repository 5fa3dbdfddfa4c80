//! whymark v1: a unified diff with notes that say why.
//!
//! A document is a list of parts: the head (frontmatter, document notes and checks), then one part per `@file`
//! section. Each part owns its bytes and, once somebody asks, its [`Tree`]. Joined in order the parts are the file,
//! byte for byte; reading never fails and never loses anything. Nothing here does I/O.
//!
//! ```text
//! document    = [BOM] [frontmatter] { note | check | comment | blank | stray } { section }
//! frontmatter = "---" yaml "---"                                    both in column 0, see [`Meta`]
//! section     = file { hunk | note | check | comment | blank | stray }
//! file        = "@file" path { status | "+A" | "-R" | key=value }   see [`FileHeader`]
//! hunk        = "@@ -a,b +c,d @@" [heading] { " …" | "+…" | "-…" | "\ …" }
//! note        = "@note" selector { key=value } { field } [body]     see [`NoteView`]
//! selector    = "+42" | "+42..57" | "-30" | "file" | "doc"          see [`Selector`]
//! field       = name ":" value { "  " more }
//! check       = "@check" claim                                      see [`Claim`]
//! ```
//!
//! What the recoveries are when a text is not quite that, each module says beside its code; that they happened,
//! [`check`] says.

mod attribute;
pub mod check;
mod claim;
pub mod edit;
mod edited;
mod frontmatter;
mod hunk_lines;
mod ids;
pub mod json;
mod line_map;
mod note;
mod note_text;
mod orphan;
mod parse;
pub mod partial;
pub mod patch;
mod presence;
pub mod print;
pub mod selector;
mod source;
mod standing;
pub mod tree;

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, OnceLock};

use bstr::{BStr, ByteSlice};
use bytes::Bytes;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

pub use self::attribute::{Kind, Risk, Urgency};
pub use self::claim::{Claim, ClaimStatus, Method};
pub use self::frontmatter::{Check, Meta, Review, ReviewStatus, Scope, scalar};
pub use self::hunk_lines::HunkLines;
pub use self::line_map::LineMap;
pub use self::note::{Field, NoteView};
pub use self::note_text::{first_paragraph, read_note_text};
pub use self::orphan::Orphan;
pub(crate) use self::orphan::is_orphan_name;
pub(crate) use self::parse::file::UNKNOWN_PATH;
pub(crate) use self::parse::token::unquote;
pub use self::presence::{Presence, PresentLines, named_lines, presence};
pub use self::selector::{Selector, Side};
pub use self::source::{Source, SourceKind};
pub use self::standing::{Facts, Standing};
pub use self::tree::{Block, FileHeader, FileStatus, Hunk, HunkLine, HunkLineKind, Note, NoteLine, NoteLineKind, Tree};
use crate::diff::LineKind;
use crate::text::edit::Edit;
use crate::text::held::Held;
use crate::text::lines::Newline;

/// A review: the text of a `.whymark` file, and its reading.
#[derive(Debug, Clone)]
pub struct Document {
    parts: Vec<Arc<Section>>,
    newline: Newline,
    ids: OnceLock<Arc<ids::Ids>>,
}

/// A part of a document: the head or one file's section.
#[derive(Debug)]
pub struct Section {
    text: Held,
    newline: Newline,
    place: Place,
    tree: OnceLock<Tree>,
    meta: OnceLock<Arc<Meta>>,
    own_ids: OnceLock<Vec<Option<String>>>,
}

/// What the reading of a section needs to know about where it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Whether it is the head.
    is_head: bool,
    /// Whether nothing follows, so that blank lines at its end separate nothing.
    is_last: bool,
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
    /// For each part, the part of `other` that is what it is here: of the same path, and with as many of that path
    /// before it.
    #[must_use]
    pub fn counterparts(&self, other: &Self) -> Vec<Option<usize>> {
        let path = |section: &Arc<Section>| section.tree().file.as_ref().map(|file| file.path.clone());
        let mut places: HashMap<_, VecDeque<usize>> = HashMap::new();
        for (index, section) in other.parts.iter().enumerate().skip(1) {
            places.entry(path(section)).or_default().push_back(index);
        }
        let files = self.parts.iter().skip(1).map(|section| places.get_mut(&path(section))?.pop_front());
        std::iter::once(Some(0)).chain(files).collect()
    }

    /// Read a document. Total: any bytes are a document, at worst one of stray lines.
    #[must_use]
    pub fn parse(text: impl Into<Bytes>) -> Self {
        let text = text.into();
        let newline = Newline::detect(&text);
        let ranges = parse::split::document(&text, newline);
        Self::from_sections(newline, ranges.into_iter().map(|range| text.slice(range)).collect())
    }

    /// The document of a head and sections, each beginning with its `@file` line: a review that comes from git as a
    /// list of files whose sections fill in later, see [`Document::replace`].
    #[must_use]
    pub fn from_parts(head: Bytes, sections: Vec<Bytes>) -> Self {
        let newline = Newline::detect(if head.is_empty() { sections.first().unwrap_or(&head) } else { &head });
        let mut parts = vec![head];
        parts.extend(sections);
        Self::from_sections(newline, parts)
    }

    fn from_sections(newline: Newline, parts: Vec<Bytes>) -> Self {
        let last = parts.len().saturating_sub(1);
        let section = |(at, text)| {
            let place = Place { is_head: at == 0, is_last: at == last };
            Arc::new(Section::placed(text, newline, place))
        };
        Self { parts: parts.into_iter().enumerate().map(section).collect(), newline, ids: OnceLock::new() }
    }

    /// The parts in order; the head is always there and first, perhaps empty.
    #[must_use]
    pub fn parts(&self) -> &[Arc<Section>] {
        &self.parts
    }

    /// What `read` makes of each part, in order. Parts are read by all processors.
    pub fn map_parts<T: Send>(&self, read: impl Fn(&Section) -> T + Sync) -> Vec<T> {
        self.parts.par_iter().map(|part| read(part)).collect()
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
        let mut text = Vec::with_capacity(self.offset_of(self.parts.len()));
        self.parts.iter().for_each(|part| text.extend_from_slice(&part.text.once()));
        text
    }

    /// The same document for one use, after which what is packed is still packed.
    #[must_use]
    pub fn once(&self) -> Self {
        let parts = self.parts.iter().map(|part| Arc::new(part.once())).collect();
        Self { parts, newline: self.newline, ids: self.ids.clone() }
    }

    /// Whether `other` has the same parts, byte for byte.
    #[must_use]
    pub fn has_text_of(&self, other: &Self) -> bool {
        let mut both = self.parts.iter().zip(&other.parts);
        self.parts.len() == other.parts.len() && both.all(|(part, other)| part.has_text_of(other))
    }

    /// The document after `edit`, whose offsets count from the start of the whole text. Parts that the edit does not
    /// touch are shared, trees included.
    ///
    /// # Panics
    /// When a range lies outside the text.
    #[must_use]
    pub fn edited(&self, edit: &Edit) -> Self {
        edited::edited(self, edit)
    }

    /// Put `section` in the place of the part at `index`: how the sections of a review that comes from git fill in.
    pub fn replace(&mut self, index: usize, section: Arc<Section>) {
        let place = Place { is_head: index == 0, is_last: index + 1 == self.parts.len() };
        let fits = section.place == place && section.newline == self.newline;
        self.parts[index] = if fits { section } else { Arc::new(section.moved(place, self.newline)) };
        self.ids = OnceLock::new();
    }

    /// Whether a note could not keep its id, because an earlier one has it.
    #[must_use]
    pub fn is_renamed(&self, note: NoteRef) -> bool {
        self.ids().is_renamed(note)
    }

    fn ids(&self) -> &ids::Ids {
        self.ids.get_or_init(|| Arc::new(ids::Ids::of(self)))
    }

    /// The id of a note: its own, or `n<k>`; later duplicates are renamed (section 5).
    #[must_use]
    pub fn note_id(&self, note: NoteRef) -> String {
        self.ids().get(note).to_owned()
    }
}

impl Section {
    /// The section of one file, `text` beginning with its `@file` line.
    #[must_use]
    pub fn file(text: impl Into<Bytes>, newline: Newline) -> Self {
        Self::placed(text.into(), newline, Place { is_head: false, is_last: false })
    }

    /// The same text in another place, to be read again.
    fn moved(&self, place: Place, newline: Newline) -> Self {
        Self::placed(self.text.once(), newline, place)
    }

    fn placed(text: Bytes, newline: Newline, place: Place) -> Self {
        let text = Held::from(text);
        Self { text, newline, place, tree: OnceLock::new(), meta: OnceLock::new(), own_ids: OnceLock::new() }
    }

    /// The same section, which holds its text and what was read of it packed until somebody looks at them.
    #[must_use]
    pub fn packed(&self) -> Self {
        let read = self.tree.get().map(|tree| Tree { lines: tree.lines.packed(&tree.hunks), ..tree.clone() });
        self.holding(Held::packed(&self.text), read)
    }

    /// Whether nobody has looked at its text since it was packed.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.text.is_packed()
    }

    /// The same section for one use, after which what is packed is still packed.
    #[must_use]
    pub fn once(&self) -> Self {
        self.holding(self.text.once().into(), self.tree.get().cloned())
    }

    fn holding(&self, text: Held, read: Option<Tree>) -> Self {
        let tree = read.map_or_else(OnceLock::new, OnceLock::from);
        let (meta, own_ids) = (self.meta.clone(), self.own_ids.clone());
        Self { text, newline: self.newline, place: self.place, tree, meta, own_ids }
    }

    /// The bytes.
    #[must_use]
    pub fn text(&self) -> &Bytes {
        &self.text
    }

    /// The number of bytes.
    #[must_use]
    pub fn text_len(&self) -> usize {
        self.text.len()
    }

    /// The bytes, for one use: what is packed stays packed.
    #[must_use]
    pub fn text_once(&self) -> Bytes {
        self.text.once()
    }

    /// Whether `other` has the same text.
    #[must_use]
    pub fn has_text_of(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.text == other.text
    }

    /// Whether this is the part in front of the first `@file`.
    #[must_use]
    pub fn is_head(&self) -> bool {
        self.place.is_head
    }

    /// How its lines end, as the document decides.
    #[must_use]
    pub fn newline(&self) -> Newline {
        self.newline
    }

    /// The path; `(unknown)` without one.
    #[must_use]
    pub fn path(&self) -> &BStr {
        self.tree().file.as_ref().map_or(UNKNOWN_PATH.into(), |file| file.path.as_ref())
    }

    /// The path as text for a person.
    #[must_use]
    pub fn path_text(&self) -> Cow<'_, str> {
        self.path().to_str_lossy()
    }

    /// The reading of the bytes, made once.
    #[must_use]
    pub fn tree(&self) -> &Tree {
        self.tree.get_or_init(|| parse::tree(&self.text, self.newline, self.place.is_head, self.place.is_last))
    }

    /// The ids that its notes state themselves, read once.
    fn own_ids(&self) -> &[Option<String>] {
        self.own_ids.get_or_init(|| self.note_views().map(|note| note.explicit_id()).collect())
    }

    /// The content of a hunk line: without prefix and terminator. Of a `\` line it is trimmed.
    #[must_use]
    pub fn line_text(&self, line: &HunkLine) -> &[u8] {
        let content = self.newline.content(line.span.of(&self.text));
        match line.kind {
            HunkLineKind::Diff(LineKind::NoNewline) => parse::directive::trim(content.get(1..).unwrap_or_default()),
            HunkLineKind::Diff(_) => content.get(1..).unwrap_or_default(),
            HunkLineKind::Unprefixed | HunkLineKind::Separator | HunkLineKind::Comment | HunkLineKind::Stray => content,
        }
    }
}
