//! Reading the parts of a review in the background: diffs are computed, trees built, lines counted. What the reader
//! looks at comes first.

use std::collections::VecDeque;
use std::path::{Component, Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use bstr::ByteSlice as _;
use ec4rs::property::TabWidth;

use crate::document::{Document, Section};
use crate::error::Error;
use crate::git::{Changes, Repo};
use crate::markback::{Markback, sidecar};
use crate::skeleton::{self, Stubs};
use crate::store;
use crate::text::lines::Newline;

use super::msg::Msg;
use super::open::Source;
use super::part::{Aside, Reading};
use super::passages;
use super::records::{Place, RecordFile};
use super::surviving::surviving;

/// The most threads that read at once: a second one, so that a file that takes long keeps no other waiting. Each takes room
/// for what it compares.
const MOST_THREADS: usize = 2;

/// Reads parts until all have been read or nobody listens any more.
#[derive(Debug, Clone)]
pub struct Loader {
    waiting: Arc<Mutex<VecDeque<usize>>>,
}

impl Loader {
    /// Start to read the parts of `document`, whose paths are seen from `folder`, and the Markback files beside them; what
    /// is read goes to `to`.
    #[must_use]
    pub fn start(dir: &Path, document: &Document, folder: &Path, source: &Source, to: &Sender<Msg>) -> Self {
        let loader = Self { waiting: Arc::new(Mutex::new((0..document.parts().len()).collect())) };
        let threads =
            thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(document.parts().len());
        for number in 0..threads {
            let worker = Worker {
                loader: loader.clone(),
                document: document.clone(),
                source: source.clone(),
                dir: dir.to_owned(),
                folder: folder.to_owned(),
                to: to.clone(),
            };
            thread::spawn(move || worker.run(number == 0));
        }
        loader
    }

    /// Read this part next.
    pub fn hurry(&self, part: usize) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(at) = waiting.iter().position(|waiting| *waiting == part) {
            waiting.remove(at);
            waiting.push_front(part);
        }
    }

    fn next(&self) -> Option<usize> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front()
    }
}

struct Worker {
    loader: Loader,
    document: Document,
    source: Source,
    dir: PathBuf,
    folder: PathBuf,
    to: Sender<Msg>,
}

impl Worker {
    /// Read parts. One worker `counts` at the end the files that no part shows.
    fn run(self, counts: bool) {
        let mut repo = None;
        while let Some(part) = self.loader.next() {
            let read = surviving(|| self.read(part, &mut repo));
            let msg = match read.and_then(|read| read.map_err(|error| error.to_string())) {
                Ok(msg) => msg,
                Err(reason) => Msg::LoadFailed { part, reason },
            };
            if self.to.send(msg).is_err() {
                return;
            }
        }
        if let (true, Source::Document(Some(current))) = (counts, &self.source) {
            let missing = surviving(|| current.missing(self.document.parts().iter().map(Arc::as_ref)));
            // Nobody listens any more when the reviewer has been left.
            let _ = self.to.send(missing.map_or_else(Msg::WorkerFailed, Msg::Missing));
        }
    }

    fn read(&self, part: usize, repo: &mut Option<Repo>) -> Result<Msg, Error> {
        let known = &self.document.parts()[part];
        let (section, is_stale) = match &self.source {
            Source::Git(changes) if part > 0 => (self.computed(changes, part - 1, self.repo(repo)?)?, false),
            Source::Document(Some(current)) if part > 0 => {
                // A file that can't be compared is not what it was.
                (Arc::clone(known), !current.is(known, || self.repo(repo)).unwrap_or(false))
            }
            Source::Files if part > 0 => (self.passage(part, known), false),
            Source::Git(_) | Source::Document(_) | Source::Files => (Arc::clone(known), false),
        };
        let reading = Box::new(Reading::of(&section));
        let sidecar = sidecar(&section, &self.folder).map(|read| Box::new(read.map_err(|error| error.to_string())));
        let aside = Aside { tab_width: tab_width(&section, &self.folder), sizes: self.sizes(&section, repo) };
        // What stands in a file is held by its text; what comes from git is its own text, and most of it is not looked at.
        let section = if matches!(self.source, Source::Git(_)) { Arc::new(section.packed()) } else { section };
        Ok(Msg::Loaded { part, section, reading, is_stale, aside, sidecar })
    }

    /// The file that a part names, as it is.
    fn passage(&self, part: usize, known: &Section) -> Arc<Section> {
        let path = known.tree().file.as_ref().map_or(b"".into(), |file| file.path.as_bstr());
        let mut text = passages::section(path, &self.folder);
        if part + 1 < self.document.parts().len() {
            text.extend_from_slice(skeleton::SEPARATOR);
        }
        Arc::new(Section::file(text, Newline::Lf))
    }

    /// The sizes of a file that is not text, as far as they can be found.
    fn sizes(&self, section: &Section, repo: &mut Option<Repo>) -> [Option<u64>; 2] {
        let Some(file) = section.tree().file.as_ref().filter(|file| file.binary) else { return [None; 2] };
        let Ok(repo) = self.repo(repo) else { return [None; 2] };
        let old_path = file.old_path.as_ref().unwrap_or(&file.path);
        [(old_path, file.old_sha), (&file.path, file.new_sha)].map(|(path, id)| {
            let id = id?.of(section.text()).to_str().ok()?;
            repo.size(path.as_ref(), id)
        })
    }

    /// This thread's repository, opened when it is first needed.
    fn repo<'a>(&self, repo: &'a mut Option<Repo>) -> Result<&'a Repo, Error> {
        match repo {
            Some(repo) => Ok(repo),
            None => Ok(repo.insert(Repo::discover(&self.dir)?)),
        }
    }

    fn computed(&self, changes: &Changes, file: usize, repo: &Repo) -> Result<Arc<Section>, Error> {
        let patch = repo.patch(changes, file)?;
        let mut text = skeleton::section(&patch, Stubs::None);
        if file + 1 < changes.files().len() {
            text.extend_from_slice(skeleton::SEPARATOR);
        }
        Ok(Arc::new(Section::file(text, Newline::Lf)))
    }
}

/// The columns between two tab stops that the `.editorconfig` files around a file say.
fn tab_width(section: &Section, folder: &Path) -> Option<u16> {
    let path = section.tree().file.as_ref()?.path.to_path().ok()?;
    if !path.components().all(|name| matches!(name, Component::Normal(_))) {
        return None;
    }
    let mut properties = ec4rs::properties_of(folder.join(path)).ok()?;
    properties.use_fallbacks();
    match properties.get::<TabWidth>() {
        Ok(TabWidth::Value(columns)) => u16::try_from(columns).ok().filter(|columns| (1..=16).contains(columns)),
        Err(_) => None,
    }
}

/// The Markback file beside the file of a part, whose path is seen from `folder`, if there is one.
pub(super) fn sidecar(section: &Section, folder: &Path) -> Option<Result<RecordFile, Error>> {
    let path = &section.tree().file.as_ref()?.path;
    let place = Place::beside(path.as_ref(), folder)?;
    let candidates = sidecar::candidates(&folder.join(path.to_path().ok()?));
    let place = place.at(candidates.into_iter().find(|candidate| candidate.is_file())?);
    let read = store::inside(&place.path, &place.within).and_then(|path| store::read(&path));
    Some(read.map(|text| RecordFile { place, text: Markback::parse(text) }))
}
