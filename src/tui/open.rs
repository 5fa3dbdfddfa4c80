//! From what was asked for to a review on the screen: find the changes or the file, and say early why that can't be.

mod documents;
mod former;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::document::Document;
use bstr::BStr;

use crate::coverage::Coverage;
use crate::error::Error;
use crate::git::{Changes, Repo, Scope, ScopeOptions};
use crate::markback::{Markback, sidecar};
use crate::refresh::{self, Basis};
use crate::skeleton::{self, Stubs};
use crate::store;

use super::compose;
use super::current::Current;
use super::model::{Passages, RecordTarget, Review};
use super::passages;
use super::records::{self, RecordFile, Records};

/// What to review.
#[derive(Debug)]
pub enum Target {
    /// Changes of a repository.
    Scope {
        /// The repository.
        repo: Repo,
        /// Which; `None` is what is not committed yet.
        scope: Option<Scope>,
        /// What of it.
        options: ScopeOptions,
        /// Where the review lives, when not in its usual place.
        out: Option<PathBuf>,
    },
    /// A patch that was made elsewhere.
    Patch {
        /// The repository around, if there is one.
        repo: Option<Repo>,
        /// What changed.
        changes: Box<Changes>,
        /// What of it was asked for.
        options: ScopeOptions,
        /// Where the review lives, when not in its usual place.
        out: Option<PathBuf>,
    },
    /// A review that was written before.
    File(PathBuf),
    /// A Markback file: its records over the files they name.
    Records(PathBuf),
    /// Documents to be annotated: files, and folders with all the texts in them. There is at least one.
    Documents(Vec<PathBuf>),
}

/// Where the text of the parts comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The document has it; it only has to be read, and compared with the changes it is about where they are known.
    Document(Option<Arc<Current>>),
    /// The diff is computed, file by file.
    Git(Arc<Changes>),
    /// The files are read as they are.
    Files,
}

/// A review that is open, and where the rest of it comes from.
#[derive(Debug)]
pub struct Opened {
    /// The review.
    pub review: Review,
    /// The source of its parts.
    pub source: Source,
    /// What the reader is told first: what of the changes the review does not show.
    pub notice: Option<String>,
}

/// How the person and the moment are written into a new review.
#[derive(Debug, Clone)]
pub struct Signature {
    /// Who reviews.
    pub author: Option<String>,
    /// When, in ISO 8601.
    pub date: String,
}

/// Open what was asked for, seen from the folder `dir`.
///
/// # Errors
/// When there is no repository, no change, no such file, or git refuses.
pub fn open(dir: &Path, target: Target, signature: &Signature) -> Result<Opened, Error> {
    let opened = open_target(dir, target, signature)?;
    let notice = opened.notice.or_else(|| opened.review.records.own().fault());
    Ok(Opened { notice, ..opened })
}

fn open_target(dir: &Path, target: Target, signature: &Signature) -> Result<Opened, Error> {
    match target {
        Target::Scope { repo, scope, options, out } => {
            let changes = match scope {
                Some(scope) => repo.changes(&scope, &options)?,
                None => repo.uncommitted(&options)?,
            };
            if let Some(nothing) = changes.nothing(&options) {
                return Err(nothing);
            }
            let basis = Basis::of(dir, &repo, &changes, options);
            let opened = open_changes(&repo, Arc::new(changes), out.map(|out| dir.join(out)), signature)?;
            Ok(Opened { review: Review { basis: Some(basis), ..opened.review }, ..opened })
        }
        Target::Patch { repo, changes, options, out } => {
            if let Some(nothing) = changes.nothing(&options) {
                return Err(nothing);
            }
            open_patch(dir, repo.as_ref(), &Arc::new(*changes), out.map(|out| dir.join(out)), signature)
        }
        Target::File(path) => open_file(dir, &dir.join(path), signature),
        Target::Records(path) => open_records(dir, &dir.join(path), signature),
        Target::Documents(named) => documents::open(dir, &named, signature),
    }
}

/// Where the review of the `current` changes lives, in the file `out` or in the usual place; and what was written there
/// before, if anything.
///
/// # Errors
/// When it cannot be read.
pub fn review_of(
    dir: &Path,
    repo: Option<&Repo>,
    changes: &Changes,
    current: &Current,
    out: Option<PathBuf>,
) -> Result<(PathBuf, Option<Document>), Error> {
    let place = Place::of(out, repo, repo.map_or(dir, Repo::root), changes, current)?;
    Ok((place.path, place.document))
}

fn open_changes(
    repo: &Repo,
    changes: Arc<Changes>,
    out: Option<PathBuf>,
    signature: &Signature,
) -> Result<Opened, Error> {
    let raw = || repo.unconverted(&changes).first().map(ToString::to_string);
    let is_derived = out.is_none();
    let unmerged = changes.unmerged().iter().cloned().collect();
    let current = Current::new(Arc::clone(&changes));
    let place = Place::of(out, Some(repo), repo.root(), &changes, &current)?;
    let is_new = is_derived && place.document.is_none();
    let former = || is_new.then(|| former::notice(&place.path, repo.root(), &changes, &current)).flatten();
    let notice = changes.conflict_notice().or_else(raw).or_else(|| changes.nested_notice()).or_else(former);
    let author = signature.author.clone().or_else(|| repo.author_name());
    let branch = repo.branch_name()?;
    let scope = match changes.scope() {
        // HEAD may be another commit soon, and this is the review of this one.
        Scope::Commit(_) => changes.review_name().replacen('-', " ", 1),
        Scope::Range { from, to, .. } => format!("{from}..{to}"),
        Scope::Branch(_) => format!("branch {branch}"),
        other => format!("{} changes on {branch}", other.word()),
    };
    let (document, source) = match &place.document {
        Some(document) => (document.clone(), Source::Document(Some(Arc::new(current)))),
        None => (skeleton_of(repo, &changes, author.as_deref(), &signature.date), Source::Git(changes)),
    };
    let review = review(place, document, scope, (Some(repo), repo.root()), author.unwrap_or_default())?;
    Ok(Opened { review: Review { state_files: repo.state_files(), unmerged, ..review }, source, notice })
}

/// Open a patch: its lines are all there, and no repository knows more of them.
fn open_patch(
    dir: &Path,
    repo: Option<&Repo>,
    changes: &Arc<Changes>,
    out: Option<PathBuf>,
    signature: &Signature,
) -> Result<Opened, Error> {
    let root = repo.map_or(dir, Repo::root);
    let current = Current::new(Arc::clone(changes));
    let place = Place::of(out, repo, root, changes, &current)?;
    let author = signature.author.clone().or_else(|| repo?.author_name());
    let (document, source) = match &place.document {
        Some(document) => (document.clone(), Source::Document(Some(Arc::new(current)))),
        None => (document_of(changes, author.as_deref(), &signature.date), Source::Document(None)),
    };
    let review = review(place, document, changes.default_title(), (repo, root), author.unwrap_or_default())?;
    Ok(Opened { review, source, notice: None })
}

fn open_file(dir: &Path, path: &Path, signature: &Signature) -> Result<Opened, Error> {
    let folder = path.parent().unwrap_or(dir);
    // A repository of its own that is refused is not made up for by another one.
    let repo = match Repo::discover(folder) {
        Err(Error::NotARepository { .. }) => Repo::discover(dir).ok(),
        found => found.ok(),
    };
    let place = Place::typed(path.to_owned(), repo.as_ref())?;
    let Some(document) = place.document.clone() else {
        let source = std::io::Error::from(std::io::ErrorKind::NotFound);
        return Err(Error::ReadFile { path: path.to_owned(), source });
    };
    let root = repo.as_ref().map_or(dir, Repo::root);
    let author = signature.author.clone().or_else(|| repo.as_ref()?.author_name());
    let scope = document.meta().title.clone().unwrap_or_else(|| "Untitled review".to_owned());
    let mut review = review(place, document, scope, (repo.as_ref(), root), author.unwrap_or_default())?;
    if let Some(repo) = repo.filter(|repo| refresh::scope(repo, review.document.meta(), path).is_ok()) {
        let exclude = repo.path_in_repo(dir, path).ok().into_iter().collect();
        let options = ScopeOptions { exclude, ..ScopeOptions::default() };
        review.basis = Some(Basis {
            dir: repo.root().to_owned(),
            ends: None,
            branch: None,
            options,
            filters: repo.runs_filters(),
        });
        review.state_files = repo.state_files();
    }
    Ok(Opened { review, source: Source::Document(None), notice: None })
}

/// Open a Markback file: the files that its records name stand for the diff, as they are now.
fn open_records(dir: &Path, path: &Path, signature: &Signature) -> Result<Opened, Error> {
    let repo = Repo::discover(path.parent().unwrap_or(dir)).ok();
    let root = repo.as_ref().map_or(path.parent().unwrap_or(dir), Repo::root);
    store::read(path)?;
    let place = Place { document: Some(Document::parse("")), ..Place::typed(path.to_owned(), repo.as_ref())? };
    let author = signature.author.clone().or_else(|| repo.as_ref()?.author_name());
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut review =
        review(place, Document::parse(""), name.clone(), (repo.as_ref(), root), author.unwrap_or_default())?;
    review.passages = Some(Passages::Records);
    if sidecar::content_of(path).is_some_and(|content| content.is_file()) {
        let RecordFile { place, text } = review.records.own().clone();
        review.records = Records::new(RecordFile { place: place.as_sidecar(), text });
    }
    let paths = passages::paths(&Passages::Records, &review.records, root)?;
    review.document = passages::document(&name, &paths, root);
    Ok(Opened { review, source: Source::Document(None), notice: None })
}

/// Where a review lives, and what is there.
struct Place {
    path: PathBuf,
    /// The folder that the path must not lead out of, where nobody typed it.
    within: Option<PathBuf>,
    /// The folder that what is kept beside it must not lead out of.
    home: PathBuf,
    document: Option<Document>,
}

impl Place {
    /// Where the review of the `current` changes is: in the file `out`, or below `root` in the usual place.
    fn of(
        out: Option<PathBuf>,
        repo: Option<&Repo>,
        root: &Path,
        changes: &Changes,
        current: &Current,
    ) -> Result<Self, Error> {
        out.map_or_else(|| Self::for_changes(root, changes, current), |out| Self::typed(out, repo))
    }

    /// A file that a person has named; if it is a link, they know where it leads.
    fn typed(path: PathBuf, repo: Option<&Repo>) -> Result<Self, Error> {
        let document = store::read_if_exists(&path)?.map(Document::parse);
        Ok(Self { home: store::home(&path, repo.map(Repo::root)), path, within: None, document })
    }

    /// A file whose name was derived, which stays in the repository.
    fn derived(path: PathBuf, root: &Path) -> Result<Self, Error> {
        let document = store::read_if_exists(&store::inside(&path, root)?)?.map(Document::parse);
        Ok(Self { path, within: Some(root.to_owned()), home: root.to_owned(), document })
    }

    /// The review of the `current` changes: the one that is called as they are and has at least one of their files as it is
    /// now, or the first name that is free. Notes of a review that is about something else are never shown beside these
    /// changes. That of a commit was perhaps that of another one before.
    fn for_changes(root: &Path, changes: &Changes, current: &Current) -> Result<Self, Error> {
        let name = changes.review_name();
        let mut number = 1;
        loop {
            let suffix = if number == 1 { String::new() } else { format!("-{number}") };
            let place = Self::derived(skeleton::review_path(root, &format!("{name}{suffix}")), root)?;
            let is_ours = |document: &Document| {
                let is_about = document.parts()[1..].iter().any(|section| current.may_be(section));
                is_about && former::may_be_of(document, changes)
            };
            if place.document.is_none()
                && let Some(path) = former::carried(&place.path, root, changes)
            {
                return Self::derived(path, root);
            }
            if place.document.as_ref().is_none_or(is_ours) {
                return Ok(place);
            }
            number += 1;
        }
    }
}

/// The document of changes whose lines have not been computed: the head, and a line for each file.
fn skeleton_of(repo: &Repo, changes: &Changes, author: Option<&str>, date: &str) -> Document {
    let facts =
        skeleton::Facts { author: author.map(ToOwned::to_owned), date: Some(date.to_owned()), ..repo.facts(changes) };
    let head = [&skeleton::head(&facts), skeleton::SEPARATOR].concat();
    let sections = changes.files().iter().map(|change| skeleton::file_line(change, None).into()).collect();
    Document::from_parts(head.into(), sections)
}

/// The document of changes whose lines are known.
fn document_of(changes: &Changes, author: Option<&str>, date: &str) -> Document {
    let facts =
        skeleton::Facts { author: author.map(ToOwned::to_owned), date: Some(date.to_owned()), ..changes.facts() };
    let sections = changes.known().unwrap_or_default().iter().map(|file| skeleton::section(file, Stubs::None));
    let parts: Vec<Vec<u8>> = std::iter::once(skeleton::head(&facts)).chain(sections).collect();
    Document::parse(parts.join(skeleton::SEPARATOR))
}

fn review(
    place: Place,
    document: Document,
    scope: String,
    (repo, root): (Option<&Repo>, &Path),
    author: String,
) -> Result<Review, Error> {
    let records_path = place.path.with_extension("mb");
    let records = store::read_if_exists(&store::inside(&records_path, &place.home)?)?.unwrap_or_default();
    let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let folder = place.path.parent().map(|folder| folder.canonicalize().unwrap_or_else(|_| folder.to_owned()));
    let inside = folder.and_then(|folder| {
        folder.strip_prefix(&real_root).or_else(|_| folder.strip_prefix(root)).ok().map(Path::to_owned)
    });
    // Named from the root, as the files beside the changed ones are: it may be one of them.
    let records_path = match (&inside, records_path.file_name()) {
        (Some(inside), Some(name)) => root.join(inside).join(name),
        _ => records_path,
    };
    let (label, versions) = named_sides(&document, repo, &place.path);
    let shown = place.path.strip_prefix(root).unwrap_or(&place.path);
    Ok(Review {
        shown_path: shown.display().to_string(),
        read_only: store::read_only_reason(&place.path),
        on_disk: place.document.is_some(),
        path: place.path,
        within: place.within,
        document,
        folder: root.to_owned(),
        scope,
        missing: 0,
        unmerged: HashSet::new(),
        basis: None,
        state_files: Vec::new(),
        records: Records::new(RecordFile {
            place: records::Place::new(records_path, place.home, inside.as_deref()),
            text: Markback::parse(records),
        }),
        passages: None,
        tests: HashMap::new(),
        record_target: RecordTarget::default(),
        author,
        label,
        versions,
    })
}

/// What the coverage report at `path` says about the files of `review`.
///
/// # Errors
/// When it can't be read.
pub fn coverage(review: &Review, path: &Path) -> Result<Coverage, Error> {
    let files = review.document.parts()[1..].iter().filter_map(|part| part.tree().file.as_ref());
    let paths: Vec<&BStr> = files.map(|file| file.path.as_ref()).collect();
    Coverage::read(path, &review.folder, &paths)
}

/// What is reviewed, and which versions its two sides are, for agents: by what the head of the review says.
fn named_sides(document: &Document, repo: Option<&Repo>, path: &Path) -> (String, [String; 2]) {
    use crate::document::Scope as Stated;
    /// How many digits of a commit's id an agent is told.
    const DIGITS: usize = 12;
    let meta = document.meta();
    let commit = |stated: Option<&String>| {
        let id = stated.and_then(|stated| stated.rsplit_once('@')).map_or("", |(_, id)| id);
        let whole = repo.and_then(|repo| repo.id_of_name(id)).unwrap_or_else(|| id.to_owned());
        whole.chars().take(DIGITS).collect::<String>()
    };
    let (base, head) = (commit(meta.base.as_ref()), commit(meta.head.as_ref()));
    let (worktree, index) = (compose::WORKTREE.to_owned(), "index".to_owned());
    let name = |stated: Option<&String>| {
        stated.and_then(|stated| stated.rsplit_once('@')).map_or_else(|| "base".to_owned(), |(name, _)| name.to_owned())
    };
    match meta.scope {
        Some(Stated::Unstaged) => ("unstaged".to_owned(), [index, worktree]),
        Some(Stated::Staged) => ("staged".to_owned(), [base, index]),
        Some(Stated::Worktree) => ("worktree".to_owned(), [base, worktree]),
        Some(Stated::Branch) => (format!("{}...HEAD", name(meta.base.as_ref())), [base, head]),
        Some(Stated::Commit) => (format!("commit {head}"), [base, head]),
        Some(Stated::Manual) | None => {
            let file = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let version = if repo.is_some() { worktree } else { "patch".to_owned() };
            (format!("patch {file}"), ["patch".to_owned(), version])
        }
    }
}
