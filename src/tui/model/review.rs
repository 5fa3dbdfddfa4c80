//! The review that is open, and where its records go.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use bstr::BString;

use crate::document::{Document, Scope};
use crate::lcov::Tested;
use crate::refresh::Basis;

use super::super::records::Records;

/// The review that is open.
#[derive(Debug, Clone)]
pub struct Review {
    /// The document, as last read or written.
    pub document: Document,
    /// Where it lives.
    pub path: PathBuf,
    /// The folder that it must not lead out of, where its name was derived and not typed.
    pub within: Option<PathBuf>,
    /// The path as shown: relative to the repository where possible.
    pub shown_path: String,
    /// Whether the file exists. Looking alone never creates it.
    pub on_disk: bool,
    /// Where its commands are run: the top of the repository, or the folder that the reviewer was started in.
    pub folder: PathBuf,
    /// What is reviewed, in words, for the header.
    pub scope: String,
    /// Why nothing can be written, where that is so.
    pub read_only: Option<String>,
    /// What is walked through as it is, where there is no diff.
    pub passages: Option<Passages>,
    /// How the changes that it is of are found again, where a repository knows of them.
    pub basis: Option<Basis>,
    /// The files that tell when the repository has changed.
    pub state_files: Vec<PathBuf>,
    /// How many changed files the review does not show.
    pub missing: usize,
    /// The paths with a merge conflict, as far as a repository knows.
    pub unmerged: HashSet<BString>,
    /// The Markback records, of the review and of its files.
    pub records: Records,
    /// Where new ones go.
    pub record_target: RecordTarget,
    /// Which lines tests have run, by the path of the file.
    pub tests: HashMap<BString, Tested>,
    /// Who signs records.
    pub author: String,
    /// What is reviewed, for agents.
    pub label: String,
    /// The versions that its two sides are, old and new, for agents.
    pub versions: [String; 2],
}

/// Files that are walked through as they are: none of their lines is changed, and the review is no file of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Passages {
    /// Those that the records of a Markback file name.
    Records,
    /// Documents: files, and folders of which every text is meant.
    Documents(Vec<PathBuf>),
}

impl Review {
    /// Whether it is of documents, and not of a diff or of the records of a Markback file.
    #[must_use]
    pub fn is_of_documents(&self) -> bool {
        matches!(self.passages, Some(Passages::Documents(_)))
    }

    /// What it compares, where a repository knows of that.
    #[must_use]
    pub fn compares(&self) -> Option<Scope> {
        self.basis.as_ref()?.compares(self.document.meta())
    }

    /// That nothing can be written, and why, for a message; `None` where it can.
    #[must_use]
    pub fn read_only_words(&self) -> Option<String> {
        self.read_only.as_ref().map(|reason| format!("read-only: {reason}"))
    }
}

/// Where new Markback records go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RecordTarget {
    /// The `.mb` file of the review.
    #[default]
    Review,
    /// The one beside the file that the record is about.
    Sidecar,
}
