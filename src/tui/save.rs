//! Changes written to disk. Under a lock the file is read again, and the change is made in the text that is there now:
//! somebody else may be writing too.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;

use crate::config;
use crate::document::{Document, Section};
use crate::error::Error;
use crate::markback::Markback;
use crate::store;

use super::change::{Change, Found, RecordChange, Refusal, ReviewChange, ReviewFile, Write};
use super::history::Reversal;
use super::msg::{Msg, SavedState, Written};
use super::records::{Place, RecordFile};
use super::settings;

/// Make a change on disk, at `now`; the answer for the reviewer.
#[must_use]
pub fn write(job: &Write, now: &str) -> Msg {
    let author = &job.author;
    let (path, written) = match &job.change {
        Change::Review(file, change) => (&file.path, write_review(file, change, author, now)),
        Change::Records(place, change) => (&place.path, write_records(place, change, author, now)),
    };
    match written {
        Ok(Done { state, found, back }) => {
            Msg::Written(Box::new(Written { ticket: job.ticket, path: path.clone(), state, found, back }))
        }
        Err(refusal) => {
            Msg::WriteFailed { ticket: job.ticket, reason: refusal.to_string(), is_gone: refusal.is_gone() }
        }
    }
}

/// A change that is on disk.
struct Done {
    state: SavedState,
    found: Found,
    back: Option<Reversal>,
}

fn write_review(file: &ReviewFile, change: &ReviewChange, author: &str, now: &str) -> Result<Done, Refusal> {
    let path = allowed(&file.path, file.within.as_deref())?;
    let (_, (before, edit, document, found)) = update(&path, change.may_create(), |current| {
        let known = current.map_or_else(|| file.document.clone(), |text| sharing(&file.document, text));
        let (edit, found) = change.edit(&file.document, &known, author, now)?;
        let after = known.edited(&edit);
        Ok((after.to_bytes(), (known, edit, after, found)))
    })?;
    let back = (!edit.is_empty()).then(|| Reversal::of_review(&before.to_bytes(), &edit, document.clone()));
    Ok(Done { state: SavedState::Review(document), found, back })
}

fn write_records(place: &Place, change: &RecordChange, author: &str, now: &str) -> Result<Done, Refusal> {
    let path = store::inside(&place.path, &place.within)?;
    let (text, (before, edit, found)) = update(&path, change.may_create(), |current| {
        let before = Bytes::copy_from_slice(current.unwrap_or_default());
        let (edit, found) = change.edit(&before, author, now)?;
        Ok((edit.apply(&before), (before, edit, found)))
    })?;
    let back = (!edit.is_empty()).then(|| Reversal::of_records(place.clone(), &before, &edit, text.clone()));
    let file = RecordFile { place: place.clone(), text: Markback::parse(text) };
    Ok(Done { state: SavedState::Records(Box::new(file)), found, back })
}

/// Replace the file at `path` by what `change` makes of it; one that is not there only where it `may_create` it.
fn update<T>(
    path: &Path,
    may_create: bool,
    mut change: impl FnMut(Option<&[u8]>) -> Result<(Vec<u8>, T), Refusal>,
) -> Result<(Bytes, T), Refusal> {
    if may_create {
        return store::update_with(path, change);
    }
    store::update_existing(path, |text| change(Some(text)))
}

/// Name the theme in the reader's settings: that value is changed there, and nothing else. The file, or why not.
pub(super) fn keep_theme(name: &str) -> Result<String, String> {
    let folder = config::folder().ok_or("there is no folder for settings: set HOME or XDG_CONFIG_HOME")?;
    let path = folder.join(settings::FILE);
    name_theme(&path, name).map(|()| path.display().to_string()).map_err(|error| error.to_string())
}

/// Name the theme in the settings at `path`. What is not UTF-8 stays as it is: places in it would be other places in text.
fn name_theme(path: &Path, name: &str) -> Result<(), Error> {
    let written = store::update(path, |text| {
        let not_text = |_| Error::ReadFile { path: path.to_owned(), source: io::Error::other("it is not UTF-8") };
        let text = std::str::from_utf8(text.unwrap_or_default()).map_err(not_text)?;
        Ok::<_, Error>(settings::set_theme(text, name).apply(text.as_bytes()))
    });
    written.map(drop)
}

/// The file that `path` leads to, which lies in `within` where nobody has typed its name.
pub(super) fn allowed(path: &Path, within: Option<&Path>) -> Result<PathBuf, Error> {
    within.map_or_else(|| Ok(path.to_owned()), |folder| store::inside(path, folder))
}

/// The document that `text` is; parts that are as in `known` are shared with it, wherever they stand by now.
pub(super) fn sharing(known: &Document, text: &[u8]) -> Document {
    let mut document = Document::parse(text.to_vec());
    if document.newline() != known.newline() {
        return document;
    }
    // By their text and not by their path: to know the path of a part it has to be read, which sharing is to spare.
    let hasher = RandomState::new();
    let parts: HashMap<u64, &Arc<Section>> =
        known.parts().iter().map(|part| (hasher.hash_one(part.text_once()), part)).collect();
    for index in 0..document.parts().len() {
        let here = &document.parts()[index];
        if let Some(part) = parts.get(&hasher.hash_one(here.text())).filter(|part| part.has_text_of(here)) {
            document.replace(index, Arc::clone(part));
        }
    }
    document
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn settings_that_are_no_text_stay_byte_for_byte_when_a_theme_is_kept() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(settings::FILE);
        let before = b"author = \"J\xffrg\"\ntheme = \"dark\" # mine\n";
        fs::write(&path, before).unwrap();
        let error = name_theme(&path, "light").unwrap_err().to_string();
        assert!(error.contains(settings::FILE) && error.contains("it is not UTF-8"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
        fs::write(&path, "author = \"J\u{fc}rg\"\ntheme = \"dark\" # mine\n").unwrap();
        name_theme(&path, "light").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "author = \"J\u{fc}rg\"\ntheme = \"light\" # mine\n");
    }

    #[test]
    fn parts_that_have_not_changed_are_shared_wherever_they_stand() {
        let known = Document::parse("@file a\n@file b\n@note file\nwhy: x\n@file c\n");
        let after = sharing(&known, b"@file new\n@file a\n@file b\n@note file\nwhy: y\n@file c\n");
        let shared = |index: usize| known.parts().iter().position(|part| Arc::ptr_eq(part, &after.parts()[index]));
        assert_eq!((0..after.parts().len()).map(shared).collect::<Vec<_>>(), [Some(0), None, Some(1), None, Some(3)]);
    }
}
