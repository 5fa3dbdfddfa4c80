//! Reading the parts of a review in the background: diffs are computed, trees built, lines counted. What the reader
//! looks at comes first.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use crate::document::{Document, Section};
use crate::error::Error;
use crate::git::{Changes, Repo};
use crate::skeleton::{self, Stubs};
use crate::text::lines::Newline;

use super::msg::Msg;
use super::open::Source;
use super::part::Reading;

/// The most threads that read at once.
const MOST_THREADS: usize = 4;

/// Reads parts until all have been read or nobody listens any more.
#[derive(Debug, Clone)]
pub struct Loader {
    waiting: Arc<Mutex<VecDeque<usize>>>,
}

impl Loader {
    /// Start to read the parts of `document`; what is read goes to `to`.
    #[must_use]
    pub fn start(dir: &Path, document: &Document, source: &Source, to: &Sender<Msg>) -> Self {
        let loader = Self { waiting: Arc::new(Mutex::new((0..document.parts().len()).collect())) };
        let threads =
            thread::available_parallelism().map_or(1, usize::from).min(MOST_THREADS).min(document.parts().len());
        for _ in 0..threads {
            let worker = Worker {
                loader: loader.clone(),
                document: document.clone(),
                source: source.clone(),
                dir: dir.to_owned(),
                to: to.clone(),
            };
            thread::spawn(move || worker.run());
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
    to: Sender<Msg>,
}

impl Worker {
    fn run(self) {
        let mut repo = None;
        while let Some(part) = self.loader.next() {
            let msg = match self.section(part, &mut repo) {
                Ok(section) => {
                    let reading = Box::new(Reading::of(&section));
                    Msg::Loaded { part, section, reading }
                }
                Err(error) => Msg::LoadFailed { part, reason: error.to_string() },
            };
            if self.to.send(msg).is_err() {
                return;
            }
        }
    }

    fn section(&self, part: usize, repo: &mut Option<Repo>) -> Result<Arc<Section>, Error> {
        let known = Arc::clone(&self.document.parts()[part]);
        match &self.source {
            Source::Git(changes) if part > 0 => self.computed(changes, part - 1, repo),
            _ => Ok(known),
        }
    }

    fn computed(&self, changes: &Changes, file: usize, repo: &mut Option<Repo>) -> Result<Arc<Section>, Error> {
        let repo = match repo {
            Some(repo) => repo,
            None => repo.insert(Repo::discover(&self.dir)?),
        };
        let patch = repo.patch(changes, file)?;
        let mut text = skeleton::section(&patch, Stubs::None);
        if file + 1 < changes.files().len() {
            text.extend_from_slice(skeleton::SEPARATOR);
        }
        Ok(Arc::new(Section::file(text, Newline::Lf)))
    }
}
