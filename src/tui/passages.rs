//! Files as a review to walk through: each as it is now, none of its lines changed. They are those that records name, or
//! documents.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice as _};
use bytes::Bytes;
use ignore::WalkBuilder;

use crate::document::Document;
use crate::error::Error;
use crate::markback::sidecar;
use crate::skeleton::{SEPARATOR, quoted};
use crate::store;
use crate::text::lines::Lines;

use super::model::Passages;
use super::records::Records;

/// The most documents that are taken from folders.
pub(super) const MOST_DOCUMENTS: usize = 1000;

/// The files that are walked through: their paths below `root`, in the order in which they are shown.
///
/// # Errors
/// When none of the documents that were named is there any more as a text.
pub(super) fn paths(passages: &Passages, records: &Records, root: &Path) -> Result<Vec<BString>, Error> {
    match passages {
        Passages::Records => Ok(records.paths().into_iter().map(ToOwned::to_owned).collect()),
        Passages::Documents(places) => {
            // One that has gone does not hide what has become of the others.
            let is_there = |place: &&PathBuf| place.is_dir() || named(place, root).is_ok();
            let there: Vec<PathBuf> = places.iter().filter(is_there).cloned().collect();
            Ok(documents(if there.is_empty() { places } else { &there }, root)?.0)
        }
    }
}

/// The documents at `places`, as paths below `root`; and whether there are more than are taken.
///
/// # Errors
/// When one that was named is not there, no text, or does not lie below `root`.
pub(super) fn documents(places: &[PathBuf], root: &Path) -> Result<(Vec<BString>, bool), Error> {
    let mut found = Vec::new();
    for place in places {
        let files = if place.is_dir() { texts(place) } else { vec![named(place, root)?] };
        for file in files {
            let path = below(&file, root)?;
            if !found.contains(&path) {
                found.push(path);
            }
        }
    }
    let has_more = found.len() > MOST_DOCUMENTS;
    found.truncate(MOST_DOCUMENTS);
    Ok((found, has_more))
}

/// A document that somebody has named.
fn named(path: &Path, root: &Path) -> Result<PathBuf, Error> {
    let file = store::inside(path, root)?;
    if store::is_text(&file)? { Ok(file) } else { Err(Error::NotText { path: file }) }
}

/// The texts in a folder and below it, by their names: not what is hidden, what git ignores, what a link leads to, or what
/// whymark itself writes.
fn texts(folder: &Path) -> Vec<PathBuf> {
    let files = WalkBuilder::new(folder).sort_by_file_name(Ord::cmp).build().filter_map(Result::ok);
    let files = files.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let texts = files.map(ignore::DirEntry::into_path).filter(|path| {
        let is_own = sidecar::is_markback(path) || path.extension().is_some_and(|extension| extension == "whymark");
        !is_own && store::is_text(path).unwrap_or(false)
    });
    texts.take(MOST_DOCUMENTS + 1).collect()
}

/// The path of `file`, as it is called below `root`.
fn below(file: &Path, root: &Path) -> Result<BString, Error> {
    let outside = || Error::LeadsOutside { path: file.into(), target: file.into(), folder: root.into() };
    let names = file.strip_prefix(root).map_err(|_| outside())?;
    let names: Vec<&[u8]> = names.iter().map(OsStr::as_encoded_bytes).collect();
    Ok(names.join(&b"/"[..]).into())
}

/// The review called `title` of the files at `paths` below `root`.
pub(super) fn document(title: &str, paths: &[BString], root: &Path) -> Document {
    let mut parts = vec![head(title)];
    parts.extend(paths.iter().map(|path| section(path.as_ref(), root)));
    Document::parse(parts.join(SEPARATOR))
}

/// The same before any of the files has been read.
pub(super) fn unread(title: &str, paths: &[BString]) -> Document {
    let line = |path: &BString| Bytes::from(file_line(path.as_ref()));
    Document::from_parts([&head(title), SEPARATOR].concat().into(), paths.iter().map(line).collect())
}

fn head(title: &str) -> Vec<u8> {
    let title = serde_json::Value::from(title);
    format!("---\nwhymark: 1\ntitle: {title}\n---\n").into_bytes()
}

fn file_line(path: &BStr) -> Vec<u8> {
    [b"@file ", &*quoted(path), b" context\n"].concat()
}

/// The section of a file; without lines where it is not there, is no text, or leads away.
pub(super) fn section(path: &BStr, root: &Path) -> Vec<u8> {
    let mut out = file_line(path);
    let read = || store::read(&store::inside(&root.join(path.to_path().ok()?), root).ok()?).ok();
    let Some(text) = read().filter(|text| !text.is_empty() && store::reads_as_text(text)) else { return out };
    let count = Lines::new(&text).count();
    out.reserve(text.len() + count + 64);
    out.extend_from_slice(format!("@@ -1,{count} +1,{count} @@\n").as_bytes());
    for line in Lines::new(&text) {
        out.push(b' ');
        out.extend_from_slice(line.of(&text));
    }
    if !text.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
    out
}
