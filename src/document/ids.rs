//! The ids of all notes of a document (section 5): the only thing about a note that the rest of the document decides.

use std::collections::HashSet;

use super::{Document, NoteRef};

/// The ids, part by part.
#[derive(Debug)]
pub(super) struct Ids {
    ids: Vec<Vec<NoteId>>,
}

/// The id of one note.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NoteId {
    id: String,
    is_renamed: bool,
}

impl Ids {
    /// Name every note: explicit ids first come first served, the others `n<k>`, a taken name gets a suffix.
    pub(super) fn of(document: &Document) -> Self {
        let explicit: Vec<&[Option<String>]> = document.parts.iter().map(|part| part.own_ids()).collect();
        let reserved: HashSet<&str> = explicit.iter().copied().flatten().flatten().map(String::as_str).collect();
        let mut used: HashSet<String> = HashSet::new();
        let mut ordinal = 0usize;
        let mut name = |own: &Option<String>| {
            ordinal += 1;
            let wanted = own.clone().unwrap_or_else(|| format!("n{ordinal}"));
            let is_renamed = used.contains(&wanted);
            let id = if is_renamed { free(&wanted, ordinal, &used, &reserved) } else { wanted };
            used.insert(id.clone());
            NoteId { id, is_renamed }
        };
        let ids = explicit.iter().map(|part| part.iter().map(&mut name).collect()).collect();
        Self { ids }
    }

    /// The id of `note`.
    pub(super) fn get(&self, note: NoteRef) -> &str {
        &self.ids[note.part][note.note].id
    }

    /// Whether `note` could not keep its id.
    pub(super) fn is_renamed(&self, note: NoteRef) -> bool {
        self.ids[note.part][note.note].is_renamed
    }
}

/// `<wanted>-<ordinal>`, counted up until nobody has it or claims it.
fn free(wanted: &str, ordinal: usize, used: &HashSet<String>, reserved: &HashSet<&str>) -> String {
    let mut suffix = ordinal;
    loop {
        let id = format!("{wanted}-{suffix}");
        if !used.contains(&id) && !reserved.contains(id.as_str()) {
            return id;
        }
        suffix += 1;
    }
}
