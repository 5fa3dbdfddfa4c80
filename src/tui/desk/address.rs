//! Where the session of a review is, and what can be seen of it by whoever does not hold it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::super::compose::Texts;
use super::super::elsewhere;
use super::super::model::Review;
use super::super::since::since;
use super::super::talk::{Errand, Told};
use super::{Desk, Opened};
use crate::clock;
use crate::git::Repo;
use crate::session::{self, Spool, State, Store, header};

/// Where the session of a review is.
#[derive(Debug, Clone)]
pub struct Address {
    pub(super) store: Store,
    pub(super) review: session::Review,
    /// The top of the working tree, and the versions that the two sides of the review are.
    root: PathBuf,
    versions: [String; 2],
}

impl Address {
    /// That of the session of `review` in `store`.
    #[must_use]
    pub fn new(store: Store, review: &Review) -> Self {
        let (root, versions) = (review.folder.clone(), review.versions.clone());
        let review = session::Review { label: review.label.clone(), scope: review.label.clone() };
        Self { store, review, root, versions }
    }

    pub(super) fn texts(&self) -> Texts {
        Texts { root: self.root.clone(), repo: Repo::discover(&self.root).ok(), versions: self.versions.clone() }
    }

    pub(super) fn is_of_review(&self, state: &State) -> bool {
        state.scope.as_ref() == Some(&self.review.scope)
    }

    /// The session that was used last of those that are about the same, else one that an agent has started.
    pub(super) fn find<'a>(&self, known: &'a [(Spool, State)]) -> Option<&'a Spool> {
        let open = || known.iter().filter(|(_, state)| state.ended.is_none());
        let same = open().find(|(_, state)| self.is_of_review(state));
        same.or_else(|| open().find(|(_, state)| state.scope.is_none())).map(|(spool, _)| spool)
    }
}

/// The store of the sessions of the review, which is seen from `folder`.
///
/// # Errors
/// A sentence, when there is no place for them.
pub fn store(folder: &Path, state_folder: Option<&Path>) -> Result<Store, String> {
    let repo = Repo::discover(folder).ok();
    Store::of(repo.as_ref().map(Repo::git_dir), folder, state_folder).map_err(|refusal| refusal.to_string())
}

/// What was told last of a session.
#[derive(Debug, Default)]
pub(super) struct Watch {
    told: Option<(Arc<State>, String)>,
    failed: Option<String>,
}

impl Watch {
    /// What has changed since.
    pub(super) fn look(&mut self, spool: &Spool) -> Option<Told> {
        let mut state = match spool.state() {
            Ok(state) => state,
            Err(refusal) => {
                let reason = Some(refusal.to_string());
                let is_new = self.failed != reason;
                self.failed.clone_from(&reason);
                return reason.filter(|_| is_new).map(Told::Failed);
            }
        };
        self.failed = None;
        let line = header(&state, &clock::now());
        // That it was used says nothing.
        state.used = 0;
        if self.told.as_ref().is_some_and(|(known, said)| **known == state && *said == line) {
            return None;
        }
        let state = Arc::new(state);
        self.told = Some((Arc::clone(&state), line.clone()));
        Some(Told::State(state, line))
    }
}

/// A session that another reviewer holds, or that cannot be opened: it is only looked at.
#[derive(Debug)]
pub struct Away {
    address: Address,
    watch: Watch,
}

impl Away {
    /// That at this address.
    #[must_use]
    pub fn new(address: Address) -> Self {
        Self { address, watch: Watch::default() }
    }

    fn spool(&self) -> Option<Spool> {
        let known = self.address.store.sessions().ok()?;
        self.address.find(&known).cloned()
    }

    /// What has changed there since it was last told.
    pub fn look(&mut self) -> Option<Told> {
        let spool = self.spool()?;
        self.watch.look(&spool)
    }

    /// Do what takes no more than looking; what came of it.
    #[must_use]
    pub fn run(&self, errand: &Errand) -> Vec<Told> {
        match (errand, self.spool()) {
            (Errand::Type(_) | Errand::Count(_), _) => Vec::new(),
            (Errand::Since(round), Some(spool)) => vec![changed_since(&spool, &self.address.texts(), *round)],
            _ => vec![errand.failed("another reviewer has the session".to_owned())],
        }
    }

    /// Have the session; a reviewer who has it is asked to let it go.
    ///
    /// # Errors
    /// A sentence, when it does not, or there can be no session.
    pub fn take_over(&self) -> Result<(Desk, Opened), String> {
        if let Some(spool) = self.spool() {
            spool.take_over_review().map_err(|refusal| refusal.to_string())?;
        }
        Desk::open(self.address.clone())
    }
}

/// What has changed since `round` was sent.
pub(super) fn changed_since(spool: &Spool, texts: &Texts, round: u32) -> Told {
    let base = match spool.base(round) {
        Ok(Some(base)) => base,
        Ok(None) => return Told::Failed(format!("nobody has kept the files as they were at round {round}")),
        Err(refusal) => return Told::Failed(refusal.to_string()),
    };
    match since(round, &base, elsewhere::changed(texts, &base), |path| texts.found(path)) {
        Ok(Some(since)) => Told::Since(Box::new(since)),
        Ok(None) => {
            let file = if base.around().is_some() { "file" } else { "reviewed file" };
            Told::Done(format!("no {file} has changed since round {round} was sent"))
        }
        Err(error) => Told::Failed(error.to_string()),
    }
}
