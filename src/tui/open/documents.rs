//! Documents to be annotated, opened: where they count from, what they are called, and the Markback files beside them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use bstr::BStr;

use crate::error::Error;
use crate::git::Repo;
use crate::markback::Markback;
use crate::store;

use super::super::compose;
use super::super::model::{Passages, RecordTarget, Review};
use super::super::passages::{self, MOST_DOCUMENTS};
use super::super::records::{self, RecordFile, Records};
use super::{Opened, Signature, Source};

/// What the Markback file of a whole work tree is called, which has no name of its own there.
const NOTES: &str = "notes";

/// Open the documents that are `named`, seen from `dir`.
///
/// # Errors
/// When one of them is not there or no text, when they lie in several work trees, or when there is no text in a folder.
pub(super) fn open(dir: &Path, named: &[PathBuf], signature: &Signature) -> Result<Opened, Error> {
    // Under its own name a document can be watched, and an agent that edits it does not replace a link.
    let places = named.iter().map(|path| real(&dir.join(path))).collect::<Result<Vec<PathBuf>, Error>>()?;
    let first = places.first().map_or(dir, PathBuf::as_path);
    let repo = Repo::discover(folder_of(first)).ok();
    let root = root(dir, &places, repo.as_ref())?;
    let (paths, has_more) = passages::documents(&places, &root)?;
    if paths.is_empty() {
        return Err(Error::NoDocuments { folder: first.to_owned() });
    }
    let names = |place: &PathBuf| place.strip_prefix(&root).unwrap_or(place).display().to_string();
    let name = places.iter().map(names).filter(|name| !name.is_empty()).collect::<Vec<_>>().join(" ");
    let beside = if name.is_empty() || places.len() > 1 { NOTES } else { &name };
    let place = records::Place::beside(BStr::new(beside), &root).expect("it is made of names of files");
    let text = store::read_if_exists(&store::inside(&place.path, &root)?)?.unwrap_or_default();
    let whole = || root.file_name().unwrap_or(root.as_os_str()).to_string_lossy().into_owned();
    let name = if name.is_empty() { whole() } else { name };
    let review = Review {
        document: passages::unread(&name, &paths),
        path: first.to_owned(),
        within: None,
        shown_path: name.clone(),
        on_disk: true,
        scope: name.clone(),
        read_only: None,
        passages: Some(Passages::Documents(places)),
        basis: None,
        state_files: Vec::new(),
        missing: 0,
        unmerged: HashSet::new(),
        records: Records::new(RecordFile { place, text: Markback::parse(text) }),
        record_target: RecordTarget::Sidecar,
        tests: HashMap::new(),
        author: signature.author.clone().or_else(|| repo.as_ref()?.author_name()).unwrap_or_default(),
        label: name,
        versions: [compose::WORKTREE.to_owned(), compose::WORKTREE.to_owned()],
        folder: root,
    };
    let notice = has_more
        .then(|| format!("these are the first {MOST_DOCUMENTS} documents, and there are more: name a smaller folder"));
    Ok(Opened { review, source: Source::Files, notice })
}

fn real(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|source| Error::ReadFile { path: path.to_owned(), source })
}

/// The folder that a document is in, or itself.
fn folder_of(place: &Path) -> &Path {
    if place.is_dir() { place } else { place.parent().unwrap_or(place) }
}

/// Where paths count from: the top of the work tree; without one the folder that the reviewer was started in, so that an
/// agent finds the session there, or else the one that all the documents are in.
fn root(dir: &Path, places: &[PathBuf], repo: Option<&Repo>) -> Result<PathBuf, Error> {
    if let Some(repo) = repo {
        return real(repo.root());
    }
    let dir = real(dir)?;
    let folders: Vec<&Path> = places.iter().map(|place| folder_of(place)).collect();
    let holds_all = |root: &&Path| folders.iter().all(|folder| folder.starts_with(root));
    let shared = folders.first().and_then(|folder| folder.ancestors().find(holds_all));
    Ok(Some(dir.as_path()).filter(holds_all).or(shared).unwrap_or(&dir).to_owned())
}
