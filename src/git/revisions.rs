//! What a revision names: commits, their trees, where two histories meet, and the branch that others are compared with.

use bstr::{BString, ByteSlice};
use git2::{Commit, ErrorCode, Oid, Tree};

use super::Library;
use crate::error::Error;

/// How many commits are looked through for one that came in the place of another, the latest first.
const MOST_REWRITTEN: usize = 256;

impl Library {
    /// HEAD's tree and name; neither before the first commit.
    pub(super) fn head_side(&self) -> Result<(Option<Tree<'_>>, Option<String>), Error> {
        let Some(commit) = self.head_commit()? else { return Ok((None, None)) };
        let base = format!("HEAD@{}", self.abbreviated(commit.id()));
        Ok((Some(self.tree(&commit)?), Some(base)))
    }

    /// The commit of HEAD; `None` before the first one.
    pub(super) fn head_commit(&self) -> Result<Option<Commit<'_>>, Error> {
        match self.raw.head().and_then(|head| head.peel_to_commit()) {
            Ok(commit) => Ok(Some(commit)),
            Err(error) if error.code() == ErrorCode::UnbornBranch => Ok(None),
            Err(source) => Err(Error::ReadHead { source }),
        }
    }

    /// The commit that `revision` names, through tags.
    pub(super) fn commit(&self, revision: &str) -> Result<Commit<'_>, Error> {
        if revision.is_empty() {
            return Err(Error::EmptyRevision);
        }
        let resolve = |source| Error::ResolveRevision { revision: revision.into(), source };
        if revision.starts_with("HEAD") && self.head_commit()?.is_none() {
            return Err(Error::NoCommit { is_bare: self.workdir().is_none() });
        }
        self.raw.revparse_single(revision).and_then(|object| object.peel_to_commit()).map_err(resolve)
    }

    /// The tree of `commit`.
    pub(super) fn tree<'a>(&'a self, commit: &Commit<'a>) -> Result<Tree<'a>, Error> {
        let what = || BString::from(format!("the tree of commit {}", commit.id()));
        commit.tree().map_err(|source| Error::ReadObject { what: what(), source })
    }

    /// `<revision>@<id>`.
    pub(super) fn word(&self, revision: &str, commit: Oid) -> String {
        format!("{revision}@{}", self.abbreviated(commit))
    }

    /// Where the histories of two commits meet; `base` and `head` are what they were called.
    pub(super) fn merge_base(
        &self,
        base: &str,
        onto: &Commit<'_>,
        head: &str,
        tip: &Commit<'_>,
    ) -> Result<Commit<'_>, Error> {
        let found = self.raw.merge_base(onto.id(), tip.id()).and_then(|id| self.raw.find_commit(id));
        found.map_err(|_| Error::NoMergeBase { base: base.into(), head: head.into() })
    }

    /// The commit in the history of `now` that came in the place of `was`.
    pub(super) fn rewritten(&self, was: &str, now: &str) -> Option<String> {
        let (was, now) = (self.commit(was).ok()?, self.commit(now).ok()?);
        if was.id() == now.id() || self.raw.graph_descendant_of(now.id(), was.id()).ok()? {
            return None;
        }
        let mut walk = self.raw.revwalk().ok()?;
        walk.push(now.id()).ok()?;
        walk.hide(was.id()).ok()?;
        let commits = walk.flatten().take(MOST_REWRITTEN).filter_map(|id| self.raw.find_commit(id).ok());
        // Whoever amends or rebases keeps the author and their time; the one keeps the parents, the other mostly the message.
        let written = |commit: &Commit<'_>| {
            let author = commit.author();
            (author.name_bytes().to_vec(), author.email_bytes().to_vec(), author.when().seconds())
        };
        let is_it = |commit: &Commit<'_>| {
            let is_alike = commit.parent_ids().eq(was.parent_ids()) || commit.summary_bytes() == was.summary_bytes();
            is_alike && written(commit) == written(&was)
        };
        commits.into_iter().find(is_it).map(|commit| commit.id().to_string())
    }

    /// The branch that others are usually compared with.
    pub(super) fn default_base(&self) -> Result<String, Error> {
        if let Ok(head) = self.raw.find_reference("refs/remotes/origin/HEAD")
            && let Some(target) = head.symbolic_target_bytes()
            && let Some(name) = target.strip_prefix(b"refs/remotes/")
            && let Ok(name) = name.to_str()
            && head.resolve().is_ok()
        {
            return Ok(name.to_owned());
        }
        let usual = ["origin/main", "origin/master", "main", "master"];
        let there = |name: &&str| {
            let local = self.raw.find_reference(&format!("refs/heads/{name}"));
            local.is_ok() || self.raw.find_reference(&format!("refs/remotes/{name}")).is_ok()
        };
        usual.into_iter().find(there).map(str::to_owned).ok_or(Error::NoBase)
    }
}
