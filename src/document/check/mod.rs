//! What is wrong with a review (section 8 of the format), found in its tree; nothing here looks at a repository.
//!
//! [`structure`] says what was read differently from how it is written, [`review()`] what a reader will miss. Between the
//! two, whoever has a [`Repository`] puts [`staleness`] and [`sources`].

mod extensions;
mod fixes;
mod lookalike;
mod notes;
mod repository;
mod review;
mod rules;
mod structure;

use std::ops::Range;

use super::{Document, NoteRef};
use crate::diagnostic::Diagnostic;
use crate::text::edit::{Edit, Splice};
pub use extensions::is_record;
pub use fixes::fixed;
pub(crate) use repository::is_same;
pub use repository::{Content, Current, Repository, sources, staleness};
pub use review::review;
pub use rules::{RULES, rule};
pub use structure::structure;

/// A finding and what of the document it is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// The section, as an index into [`Document::parts`]; `None` for the document as a whole.
    pub part: Option<usize>,
    /// The note.
    pub note: Option<NoteRef>,
}

/// Collects findings; severities come from [`RULES`].
struct Findings<'a> {
    document: &'a Document,
    found: Vec<Located>,
    /// The part that is looked at, and where it starts.
    part: usize,
    base: usize,
}

impl<'a> Findings<'a> {
    fn new(document: &'a Document) -> Self {
        Self { document, found: Vec::new(), part: 0, base: 0 }
    }

    /// Report `code` at `range` of the current part.
    fn push(&mut self, code: &'static str, range: Range<usize>, note: Option<usize>, message: impl Into<String>) {
        self.push_mendable(code, range, note, message, Vec::new());
    }

    /// Report `code` likewise, with the splices of the current part that remove it, if there are any.
    fn push_mendable(
        &mut self,
        code: &'static str,
        range: Range<usize>,
        note: Option<usize>,
        message: impl Into<String>,
        mut fix: Vec<Splice>,
    ) {
        let severity = rule(code).expect("every code that is reported has a rule").severity;
        let range = self.base + range.start..self.base + range.end;
        for splice in &mut fix {
            splice.range = self.base + splice.range.start..self.base + splice.range.end;
        }
        let fix = (!fix.is_empty()).then(|| Edit::new(fix));
        let diagnostic = Diagnostic { code, severity, range, message: message.into(), fix };
        let is_head = self.document.parts()[self.part].is_head();
        let note = note.map(|note| NoteRef { part: self.part, note });
        self.found.push(Located { diagnostic, part: (!is_head).then_some(self.part), note });
    }

    /// Look at every part in order.
    fn each_part(&mut self, mut look: impl FnMut(&mut Self)) {
        self.base = 0;
        for part in 0..self.document.parts().len() {
            self.part = part;
            look(self);
            self.base += self.document.parts()[part].text().len();
        }
        (self.part, self.base) = (0, 0);
    }
}
