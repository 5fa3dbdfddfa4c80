//! The changes of a scope as plain data: the list of files, what the two sides are called, and what a review of them
//! would be called.

use std::collections::HashSet;
use std::sync::Arc;

use bstr::{BStr, BString, ByteSlice};

use super::content::{Content, Side};
use super::list::{Listed, Listing, Sides, Wanted};
use super::pathspec::Pathspecs;
use super::renames::{self, Candidate, Contents, Which};
use super::repo::Unconverted;
use super::{Library, Scope, ScopeOptions};
use crate::document::FileStatus;
use crate::error::Error;
use crate::skeleton::git_patch::GitPatch;
use crate::skeleton::{Change, Facts, FilePatch};

/// Digits of an id that a patch names.
const SHORT: usize = 12;
/// The most files that a sentence names.
const NAMED: usize = 5;

/// What changed in a scope. It refers to the repository by ids only, so it can go to another thread, which opens a
/// [`Repo`](super::Repo) of its own to compute the lines.
#[derive(Debug, Clone)]
pub struct Changes {
    scope: Scope,
    context: u32,
    files: Vec<Change>,
    /// The sides of each file, as [`files`](Self::files).
    pub(super) sides: Vec<Sides>,
    /// The lines of each file, where they were known before anybody asked.
    pub(super) known: Option<Arc<[FilePatch]>>,
    unmerged: Vec<BString>,
    nested: Vec<BString>,
    ends: Ends,
}

/// What the two sides of a scope are called.
#[derive(Debug, Clone, Default)]
pub(super) struct Ends {
    pub(super) base: Option<String>,
    pub(super) head: Option<String>,
    /// What tells this review from others of the same scope: the branch, or the commit.
    pub(super) name: String,
    /// The subject of the commit.
    pub(super) subject: Option<String>,
}

/// Changes whose lines are known.
pub(super) struct Found {
    pub(super) files: Arc<[FilePatch]>,
    pub(super) unmerged: Vec<BString>,
    pub(super) nested: Vec<BString>,
    pub(super) ends: Ends,
}

impl Changes {
    /// What a patch says that was made elsewhere, as far as `options` ask for it; `name` tells it from others.
    ///
    /// # Errors
    /// When a path of `options` cannot be understood.
    pub fn of_patch(patch: GitPatch, name: &str, options: &ScopeOptions) -> Result<Self, Error> {
        let wanted = Pathspecs::parse(&options.paths)?;
        let is_wanted = |file: &FilePatch| {
            let paths = [Some(&file.change.path), file.change.old_path.as_ref()];
            paths.into_iter().flatten().any(|path| wanted.matches(path.as_bstr()))
        };
        let files = patch.files.into_iter().filter(is_wanted).collect();
        let head = patch.commit.map(|id| format!("commit@{}", &id[..id.len().min(SHORT)]));
        let ends = Ends { base: None, head, name: name.to_owned(), subject: patch.subject };
        Ok(Self::found(Scope::Manual, options.context, Found { files, unmerged: Vec::new(), nested: Vec::new(), ends }))
    }

    pub(super) fn found(scope: Scope, context: u32, found: Found) -> Self {
        let Found { files, unmerged, nested, ends } = found;
        let changes = files.iter().map(|file| file.change.clone()).collect();
        Self { scope, context, files: changes, sides: Vec::new(), known: Some(files), unmerged, nested, ends }
    }

    /// The files with their lines, where they were known before anybody asked: those of a patch.
    #[must_use]
    pub fn known(&self) -> Option<&[FilePatch]> {
        self.known.as_deref()
    }

    /// The files, in git's order. Ids are whole, or as a patch has them, and there is none where a file on disk has not been read yet;
    /// whether a file is binary is not known yet either. [`Repo::patch`](super::Repo::patch) tells both.
    #[must_use]
    pub fn files(&self) -> &[Change] {
        &self.files
    }

    /// The scope, as it was asked for; of [`Repo::uncommitted`](super::Repo::uncommitted) the one that was chosen.
    #[must_use]
    pub fn scope(&self) -> &Scope {
        &self.scope
    }

    /// Lines of context around a change.
    #[must_use]
    pub fn context(&self) -> u32 {
        self.context
    }

    /// `<ref>@<id>` of the older side, or `index`; `None` where that side is empty because nothing came before.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        self.ends.base.as_deref()
    }

    /// `<ref>@<id>` of the newer side, `index` or `working-tree`.
    #[must_use]
    pub fn head(&self) -> Option<&str> {
        self.ends.head.as_deref()
    }

    /// Paths with a merge conflict. Staged changes leave them out; the others compare the file on disk with our version.
    #[must_use]
    pub fn unmerged(&self) -> &[BString] {
        &self.unmerged
    }

    /// The [`unmerged`](Self::unmerged) paths that are not among [`files`](Self::files), because there are no lines to show:
    /// staged ones, and those whose file on disk is our version.
    #[must_use]
    pub fn hidden_conflicts(&self) -> Vec<&BStr> {
        if self.unmerged.is_empty() {
            return Vec::new();
        }
        let shown: HashSet<&BString> =
            self.files.iter().flat_map(|file| [Some(&file.path), file.old_path.as_ref()]).flatten().collect();
        self.unmerged.iter().filter(|path| !shown.contains(path)).map(|path| path.as_bstr()).collect()
    }

    /// The folders that are repositories of their own, about which nothing has been said to this one: nothing of them is
    /// shown.
    #[must_use]
    pub fn nested(&self) -> &[BString] {
        &self.nested
    }

    /// One line about the [nested](Self::nested) repositories, if there are any.
    #[must_use]
    pub fn nested_notice(&self) -> Option<String> {
        let names = names(&self.nested);
        match self.nested.len() {
            0 => None,
            1 => Some(format!("{names} is a repository of its own, and nothing of it is shown")),
            _ => Some(format!("{names} are repositories of their own, and nothing of them is shown")),
        }
    }

    /// One line about the [hidden conflicts](Self::hidden_conflicts), if there are any.
    #[must_use]
    pub fn conflict_notice(&self) -> Option<String> {
        let hidden = self.hidden_conflicts();
        let names = names(&hidden);
        match hidden.len() {
            0 => None,
            1 => Some(format!("1 file has a merge conflict and shows no lines: {names}")),
            count => Some(format!("{count} files have a merge conflict and show no lines: {names}")),
        }
    }

    /// Why there is nothing to review; `None` when there is something. `options` are those that were asked for.
    #[must_use]
    pub fn nothing(&self, options: &ScopeOptions) -> Option<Error> {
        if !self.files.is_empty() {
            return None;
        }
        let scope = self.scope.word();
        // An empty path is the top, which holds everything.
        let is_narrowed = !options.paths.is_empty() && options.paths.iter().all(|path| !path.is_empty());
        Some(match self.conflict_notice() {
            Some(notice) => Error::OnlyConflicts { scope, notice },
            None if is_narrowed => {
                let paths: Vec<String> = options.paths.iter().map(|path| one_line(path)).collect();
                Error::NoMatch { scope, paths: paths.join("`, `") }
            }
            None if self.begins_history() => Error::NoChangesYet { scope },
            None => Error::NoChanges { scope },
        })
    }

    /// Whether these are compared with the last commit, and there is none yet.
    fn begins_history(&self) -> bool {
        matches!(self.scope, Scope::Staged | Scope::Worktree) && self.ends.base.is_none()
    }

    /// What the head of a new review says, as far as the changes themselves tell.
    #[must_use]
    pub fn facts(&self) -> Facts {
        Facts {
            title: self.default_title(),
            scope: Some(self.scope.word().to_owned()),
            base: self.ends.base.clone(),
            head: self.ends.head.clone(),
            ..Facts::default()
        }
    }

    /// `<scope>-<branch>`, or `commit-<id>`: what a review of these changes is called when nobody gives it a title.
    #[must_use]
    pub fn review_name(&self) -> String {
        format!("{}-{}", self.scope.word(), self.ends.name)
    }

    /// One line that says what changed: the subject of a commit, otherwise the scope and the files.
    #[must_use]
    pub fn default_title(&self) -> String {
        if let Some(subject) = &self.ends.subject {
            return subject.clone();
        }
        let what = match self.files.as_slice() {
            [] => "no files".to_owned(),
            [only] => one_line(&only.path),
            files => format!("{} files", files.len()),
        };
        match &self.scope {
            Scope::Unstaged => format!("Unstaged changes to {what}"),
            Scope::Staged => format!("Staged changes to {what}"),
            Scope::Worktree => format!("Uncommitted changes to {what}"),
            Scope::Manual => format!("Changes to {what}"),
            Scope::Branch(_) | Scope::Commit(_) | Scope::Range { .. } => {
                format!("Changes of {} to {what}", self.ends.name)
            }
        }
    }
}

impl Library {
    /// What changed in `scope`: names, statuses, modes and ids, without a look at lines.
    ///
    /// # Errors
    /// When a revision names no commit, the scope needs a working tree that is not there, or git's data cannot be read.
    pub(super) fn changes(&self, scope: &Scope, options: &ScopeOptions) -> Result<Changes, Error> {
        if scope.reads_index() && self.workdir().is_none() {
            return Err(Error::NoWorkingTree { git_dir: self.git_dir().into(), scope: scope.word() });
        }
        let wanted = Wanted::new(scope, options, self.workdir())?;
        let listed = self.list(scope, &wanted).map_err(|error| error.of_scope(scope.word()));
        let (Listed { listing, unmerged, nested }, ends) = listed?;
        let sorted = self.with_renames(listing, options.renames);
        let (files, sides) =
            sorted.into_iter().map(|(path, old_path, sides)| (change(path, old_path, sides), sides)).unzip();
        Ok(Changes {
            scope: scope.clone(),
            context: options.context,
            files,
            sides,
            known: None,
            unmerged,
            nested,
            ends,
        })
    }

    fn list(&self, scope: &Scope, wanted: &Wanted<'_>) -> Result<(Listed, Ends), Error> {
        Ok(match scope {
            Scope::Unstaged => (self.list_unstaged(wanted)?, self.named("index", "working-tree")?),
            Scope::Staged => {
                let (head, base) = self.head_side()?;
                (self.list_staged(head.as_ref(), wanted)?, Ends { base, ..self.named("", "index")? })
            }
            Scope::Worktree => {
                let (head, base) = self.head_side()?;
                (self.list_worktree(head.as_ref(), wanted)?, Ends { base, ..self.named("", "working-tree")? })
            }
            Scope::Branch(base) => self.list_branch(base.as_deref(), wanted)?,
            Scope::Commit(revision) => self.list_commit(revision, wanted)?,
            Scope::Range { from, to, since_common } => self.list_range(from, to, *since_common, wanted)?,
            Scope::Manual => return Err(Error::NoChanges { scope: scope.word() }),
        })
    }

    /// The files of `changes` on disk that git would convert with a program or from another encoding, which is not done
    /// here: their lines are those on disk.
    pub(super) fn unconverted(&self, changes: &Changes) -> Vec<Unconverted> {
        let files = changes.files.iter().zip(&changes.sides);
        let on_disk =
            files.filter(|(_, sides)| sides.new.is_some_and(|new| new.content == Content::OnDisk && new.is_file()));
        let converted = on_disk.filter_map(|(file, _)| {
            let by = self.conversion(file.path.as_bstr())?;
            Some(Unconverted { path: file.path.clone(), by })
        });
        converted.collect()
    }

    fn named(&self, base: &str, head: &str) -> Result<Ends, Error> {
        let (base, head) = (Some(base.to_owned()), Some(head.to_owned()));
        Ok(Ends { base, head, name: self.branch_name()?, subject: None })
    }

    fn list_commit(&self, revision: &str, wanted: &Wanted<'_>) -> Result<(Listed, Ends), Error> {
        let commit = self.commit(revision)?;
        let parent = match commit.parent_id(0) {
            Err(_) => None,
            Ok(id) => match commit.parent(0) {
                Ok(parent) => Some(parent),
                Err(_) if self.raw.is_shallow() => None,
                Err(source) => {
                    let what = BString::from(format!("{id}, the parent of {}", commit.id()));
                    return Err(Error::ReadObject { what, source });
                }
            },
        };
        let old = parent.as_ref().map(|parent| self.tree(parent)).transpose()?;
        let ends = Ends {
            base: parent.map(|parent| self.word(&format!("{revision}^"), parent.id())),
            head: Some(self.word(revision, commit.id())),
            name: self.abbreviated(commit.id()),
            subject: commit.summary_bytes().map(one_line).filter(|subject| !subject.is_empty()),
        };
        Ok((self.list_trees(old.as_ref(), Some(&self.tree(&commit)?), wanted)?, ends))
    }

    fn list_branch(&self, base: Option<&str>, wanted: &Wanted<'_>) -> Result<(Listed, Ends), Error> {
        let base = base.map_or_else(|| self.default_base(), |base| Ok(base.to_owned()))?;
        let onto = self.commit(&base)?;
        let head = self.commit("HEAD")?;
        let common = self.merge_base(&base, &onto, "HEAD", &head)?;
        let (branch, name) = match self.symbolic_head()? {
            Some(branch) => (branch.clone(), branch),
            None => ("HEAD".to_owned(), self.abbreviated(head.id())),
        };
        let ends = Ends {
            base: Some(self.word(&base, common.id())),
            head: Some(self.word(&branch, head.id())),
            name,
            subject: None,
        };
        Ok((self.list_trees(Some(&self.tree(&common)?), Some(&self.tree(&head)?), wanted)?, ends))
    }

    fn list_range(
        &self,
        from: &str,
        to: &str,
        since_common: bool,
        wanted: &Wanted<'_>,
    ) -> Result<(Listed, Ends), Error> {
        let (start, end) = (self.commit(from)?, self.commit(to)?);
        let start = if since_common { self.merge_base(from, &start, to, &end)? } else { start };
        let ends = Ends {
            base: Some(self.word(from, start.id())),
            head: Some(self.word(to, end.id())),
            name: format!("{}-{}", self.abbreviated(start.id()), self.abbreviated(end.id())),
            subject: None,
        };
        Ok((self.list_trees(Some(&self.tree(&start)?), Some(&self.tree(&end)?), wanted)?, ends))
    }

    /// The files of `listing` in git's order: renames paired, changes of type as one file that goes and one that comes.
    fn with_renames(&self, mut listing: Listing, renames: bool) -> Vec<(BString, Option<BString>, Sides)> {
        let mut from = if renames { self.renames(&listing) } else { Vec::new() };
        let went: Vec<(BString, Option<Side>)> =
            from.iter().map(|(_, old)| (old.clone(), listing.remove(old).and_then(|sides| sides.old))).collect();
        from.iter().zip(went).for_each(|((new, _), (_, old))| {
            if let Some(sides) = listing.get_mut(new) {
                sides.old = old;
            }
        });
        from.sort();
        let mut files = Vec::with_capacity(listing.len());
        for (path, sides) in listing {
            let old_path = from.binary_search_by(|(new, _)| new.cmp(&path)).ok().map(|at| from[at].1.clone());
            match sides {
                Sides { old: Some(old), new: Some(new) } if !old.same_type(&new) => {
                    files.push((path.clone(), None, Sides { old: Some(old), new: None }));
                    files.push((path, None, Sides { old: None, new: Some(new) }));
                }
                sides => files.push((path, old_path, sides)),
            }
        }
        files
    }

    /// The pairs (new path, old path) among files that went and files that came.
    fn renames(&self, listing: &Listing) -> Vec<(BString, BString)> {
        let gone = listing.iter().filter_map(|(path, sides)| Some((path, sides.old.filter(|_| sides.new.is_none())?)));
        let gone: Vec<(Candidate, Side)> =
            gone.filter_map(|(path, side)| self.candidate(path, side, u64::MAX)).collect();
        if gone.is_empty() {
            return Vec::new();
        }
        let born = listing.iter().filter_map(|(path, sides)| Some((path, sides.new.filter(|_| sides.old.is_none())?)));
        let born: Vec<(&BString, Side)> = born.collect();
        // A file on disk much larger than any that went was none of them, and need not be read to know that.
        let limit = if born.iter().any(|(_, side)| side.content == Content::OnDisk) {
            let sizes = gone.iter().filter_map(|(file, side)| self.size(file.path.as_bstr(), side));
            sizes.max().unwrap_or(0).saturating_mul(4).saturating_add(4096)
        } else {
            u64::MAX
        };
        let born = born.into_iter().filter_map(|(path, side)| self.candidate(path, side, limit)).collect();
        let split = |list: Vec<(Candidate, Side)>| -> (Vec<Candidate>, Vec<Side>) { list.into_iter().unzip() };
        let ((gone, gone_sides), (born, born_sides)) = (split(gone), split(born));
        let sides = SidesOf { repo: self, files: [(&gone, gone_sides), (&born, born_sides)] };
        let from = renames::pair(&gone, &born, self.rename_limit(), &sides);
        let pairs = born.iter().zip(from);
        pairs.filter_map(|(born, from)| Some((born.path.clone(), gone[from?].path.clone()))).collect()
    }

    /// `diff.renameLimit`, of which nothing or less means no limit.
    fn rename_limit(&self) -> usize {
        let configured = self.raw.config().and_then(|config| config.get_i32("diff.renameLimit"));
        configured
            .map_or(renames::USUAL_LIMIT, |limit| usize::try_from(limit).ok().filter(|n| *n > 0).unwrap_or(usize::MAX))
    }

    /// What telling renames needs to know of `side` of `path`; `None` for one that cannot be read, or is on disk and
    /// longer than `limit`.
    fn candidate(&self, path: &BString, side: Side, limit: u64) -> Option<(Candidate, Side)> {
        let id = match side.known_id() {
            Some(id) => id,
            None if self.disk_size(path.as_bstr())? > limit => return None,
            None => self.id_of(path.as_bstr(), &side).ok()?,
        };
        Some((Candidate { path: path.clone(), mode: side.mode, id }, side))
    }

    /// The length of `side` of `path` in the form in which git stores it.
    fn size(&self, path: &BStr, side: &Side) -> Option<u64> {
        match side.content {
            Content::Object(id) => Some(self.raw.odb().and_then(|odb| odb.read_header(id)).ok()?.0 as u64),
            Content::Submodule { .. } => Some(0),
            Content::OnDisk => Some(self.bytes_of_side(path, side).ok()?.len() as u64),
        }
    }
}

/// What rename candidates hold, read when asked for: those that went, and those that came.
struct SidesOf<'a> {
    repo: &'a Library,
    files: [(&'a [Candidate], Vec<Side>); 2],
}

impl SidesOf<'_> {
    fn of(&self, which: Which, index: usize) -> (&BStr, &Side) {
        let (files, sides) = &self.files[which as usize];
        (files[index].path.as_bstr(), &sides[index])
    }
}

impl Contents for SidesOf<'_> {
    fn size(&self, which: Which, index: usize) -> Option<u64> {
        let (path, side) = self.of(which, index);
        self.repo.size(path, side)
    }

    fn read(&self, which: Which, index: usize) -> Option<Vec<u8>> {
        let (path, side) = self.of(which, index);
        self.repo.bytes_of_side(path, side).ok()
    }
}

fn change(path: BString, old_path: Option<BString>, sides: Sides) -> Change {
    let status = match (&sides.old, &sides.new) {
        (_, Some(_)) if old_path.is_some() => FileStatus::Renamed,
        (None, _) => FileStatus::Added,
        (Some(_), None) => FileStatus::Deleted,
        (Some(_), Some(_)) => FileStatus::Modified,
    };
    let id = |side: &Option<Side>| side.as_ref().and_then(Side::known_id).map(|id| id.to_string());
    let mode = |side: &Option<Side>| side.as_ref().map(|side| side.mode);
    Change {
        status,
        path,
        old_path,
        old_mode: mode(&sides.old),
        new_mode: mode(&sides.new),
        old_id: id(&sides.old),
        new_id: id(&sides.new),
        binary: false,
    }
}

/// The first of `paths`, and how many more there are.
fn names(paths: &[impl AsRef<[u8]>]) -> String {
    let named: Vec<String> = paths.iter().take(NAMED).map(|path| one_line(path.as_ref())).collect();
    match paths.len().saturating_sub(NAMED) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

/// `text` as one line, runs of white space as one blank.
pub(super) fn one_line(text: &[u8]) -> String {
    let text = text.as_bstr().to_str_lossy();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
