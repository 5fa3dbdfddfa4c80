//! Which paths differ between two states, without looking at a line: what libgit2 lists, put right where git lists
//! something else (conflicts, intent to add, sparse checkouts, HEAD against the working tree).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use bstr::{BStr, BString, ByteSlice};
use git2::{
    Delta, Diff, DiffDelta, DiffFile, DiffOptions, FileMode, Index, IndexEntry, IndexEntryExtendedFlag, Oid, Tree,
};

use super::content::{Content, Side};
use super::mode::{EXECUTABLE, FILE, LINK, SUBMODULE, is_file};
use super::pathspec::{Pathspec, Pathspecs};
use super::{Library, Scope, ScopeOptions, path_of};
use crate::error::Error;
use crate::markback::sidecar;
use crate::skeleton::paths::is_own;

/// The two sides of a path.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sides {
    pub(super) old: Option<Side>,
    pub(super) new: Option<Side>,
}

/// The paths that differ, in git's order.
pub(super) type Listing = BTreeMap<BString, Sides>;

/// Which paths are wanted.
pub(super) struct Wanted<'a> {
    options: &'a ScopeOptions,
    /// Whether reviews are part of what is reviewed.
    reviews: bool,
    /// The working tree, if there is one.
    root: Option<&'a Path>,
    specs: Pathspecs,
}

impl<'a> Wanted<'a> {
    /// The paths of `scope` that `options` ask for. Reviews are left out, since they would describe themselves, and so are
    /// the sidecars of files in the working tree `root`, which say something about lines and are none that need explaining,
    /// unless they go; except of a commit, which was complete before anybody could review it, and links, which are no
    /// reviews whatever they are called.
    pub(super) fn new(scope: &Scope, options: &'a ScopeOptions, root: Option<&'a Path>) -> Result<Self, Error> {
        let reviews = matches!(scope, Scope::Commit(_));
        Ok(Self { options, reviews, root, specs: Pathspecs::parse(&options.paths)? })
    }

    /// Whether `path`, which is `sides`, is wanted.
    fn has(&self, path: &BStr, sides: Sides) -> bool {
        let mode = |side: Option<Side>| side.map(|side| side.mode);
        self.specs.matches(path) && !self.leaves_out(path, mode(sides.old), mode(sides.new))
    }

    /// Whether `path` is among what was asked for.
    pub(super) fn asks_for(&self, path: &BStr) -> bool {
        self.specs.matches(path)
    }

    /// Whether `path` is left out although it is asked for, a file that had the mode `old` and has the mode `new`.
    pub(super) fn leaves_out(&self, path: &BStr, old: Option<u32>, new: Option<u32>) -> bool {
        let says_something = || is_review(path) || new.is_some() && self.is_sidecar(path);
        [old, new].into_iter().flatten().all(is_file)
            && (!self.reviews && says_something()
                || is_own(path)
                || self.options.exclude.iter().any(|left_out| left_out == path))
    }

    /// Whether `path` is that of a Markback file beside the file that it is about.
    fn is_sidecar(&self, path: &BStr) -> bool {
        let content = path.to_path().ok().and_then(sidecar::content_of);
        self.root.zip(content).is_some_and(|(root, content)| root.join(content).is_file())
    }

    /// The paths that were asked for, as git reads them wherever it runs.
    pub(super) fn written_specs(&self) -> Vec<BString> {
        self.specs.iter().map(Pathspec::written).collect()
    }

    /// The options for libgit2, narrowed where it can do so exactly.
    fn diff_options(&self) -> DiffOptions {
        let mut options = DiffOptions::new();
        options.ignore_submodules(false);
        if self.specs.iter().all(Pathspec::is_plain) {
            options.disable_pathspec_match(true);
            for spec in &self.options.paths {
                options.pathspec(spec.as_slice());
            }
        }
        options
    }
}

/// Reviews and notes in the folder where they are kept.
fn is_review(path: &BStr) -> bool {
    path.starts_with(b"reviews/") && (path.ends_with(b".whymark") || path.ends_with(b".mb"))
}

/// What the index knows beyond names and ids.
#[derive(Default)]
struct Marks {
    /// Paths that are announced, but not added, and the empty file that stands for each.
    intent_to_add: BTreeMap<BString, Side>,
    /// Paths that a sparse checkout keeps off the disk.
    skip_worktree: BTreeSet<BString>,
    /// Paths with a conflict, and our version of each.
    unmerged: BTreeMap<BString, Option<Side>>,
}

impl Marks {
    fn of(index: &Index, wanted: &Wanted<'_>) -> Result<Self, Error> {
        let mut marks = Self::default();
        for entry in index.iter() {
            let flags = IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended);
            let side = entry_side(entry.mode, entry.id);
            if flags.contains(IndexEntryExtendedFlag::INTENT_TO_ADD) {
                if wanted.has(entry.path.as_bstr(), Sides { old: None, new: Some(side) }) {
                    marks.intent_to_add.insert(entry.path.into(), side);
                }
            } else if flags.contains(IndexEntryExtendedFlag::SKIP_WORKTREE) {
                marks.skip_worktree.insert(entry.path.into());
            }
        }
        for conflict in index.conflicts().map_err(|source| Error::ReadIndex { source })?.flatten() {
            let side = |entry: &IndexEntry| entry_side(entry.mode, entry.id);
            let (ours, theirs) = (conflict.our.as_ref().map(side), conflict.their.as_ref().map(side));
            let any = conflict.our.or(conflict.their).or(conflict.ancestor);
            if let Some(path) = any.map(|entry| BString::from(entry.path))
                && wanted.has(path.as_bstr(), Sides { old: ours, new: theirs })
            {
                marks.unmerged.insert(path, ours);
            }
        }
        Ok(marks)
    }
}

/// A listing, and what it does not show.
#[derive(Default)]
pub(super) struct Listed {
    pub(super) listing: Listing,
    /// The paths with a conflict that it leaves out or shows against one side only.
    pub(super) unmerged: Vec<BString>,
    /// The folders that are repositories of their own, about which nothing has been said to this one.
    pub(super) nested: Vec<BString>,
}

impl Library {
    /// From tree to tree; no tree is the empty one.
    pub(super) fn list_trees(
        &self,
        old: Option<&Tree<'_>>,
        new: Option<&Tree<'_>>,
        wanted: &Wanted<'_>,
    ) -> Result<Listed, Error> {
        let diff =
            self.raw.diff_tree_to_tree(old, new, Some(&mut wanted.diff_options())).map_err(listing_of("commit"))?;
        Ok(Listed { listing: listing(&diff, wanted, false), ..Listed::default() })
    }

    /// From HEAD to the index.
    pub(super) fn list_staged(&self, head: Option<&Tree<'_>>, wanted: &Wanted<'_>) -> Result<Listed, Error> {
        let index = self.index()?;
        let marks = Marks::of(&index, wanted)?;
        let listing = self.head_to_index(head, &index, wanted, &marks)?;
        Ok(Listed { listing, unmerged: marks.unmerged.into_keys().collect(), nested: Vec::new() })
    }

    /// From the index to the working tree. Of a path with a conflict our version is the old side.
    pub(super) fn list_unstaged(&self, wanted: &Wanted<'_>) -> Result<Listed, Error> {
        let index = self.index()?;
        let marks = Marks::of(&index, wanted)?;
        let (mut listing, nested) = self.index_to_disk(&index, wanted, &marks)?;
        for (path, ours) in &marks.unmerged {
            self.add_on_disk(&mut listing, path, *ours)?;
        }
        Ok(Listed { listing, unmerged: marks.unmerged.into_keys().collect(), nested })
    }

    /// From HEAD to the working tree: through the index, because libgit2 sees changes between the two that are none.
    pub(super) fn list_worktree(&self, head: Option<&Tree<'_>>, wanted: &Wanted<'_>) -> Result<Listed, Error> {
        let index = self.index()?;
        let marks = Marks::of(&index, wanted)?;
        let mut listing = self.head_to_index(head, &index, wanted, &marks)?;
        let (on_disk, nested) = self.index_to_disk(&index, wanted, &marks)?;
        for (path, Sides { old, new }) in on_disk {
            match listing.remove(&path) {
                None => drop(listing.insert(path, Sides { old, new })),
                Some(staged) => self.add_if_changed(&mut listing, &path, Sides { old: staged.old, new })?,
            }
        }
        // Of these the index has no version of its own.
        for path in marks.unmerged.keys().chain(marks.intent_to_add.keys()) {
            listing.remove(path);
            self.add_on_disk(&mut listing, path, side_in(head, path))?;
        }
        Ok(Listed { listing, unmerged: marks.unmerged.into_keys().collect(), nested })
    }

    fn index(&self) -> Result<Index, Error> {
        let fresh = |mut index: Index| index.read(false).map(|()| index);
        self.raw.index().and_then(fresh).map_err(|source| Error::ReadIndex { source })
    }

    fn head_to_index(
        &self,
        head: Option<&Tree<'_>>,
        index: &Index,
        wanted: &Wanted<'_>,
        marks: &Marks,
    ) -> Result<Listing, Error> {
        let mut listing = self.tree_to_index(head, index).map_err(listing_of("staged"))?;
        listing.retain(|path, sides| wanted.has(path.as_bstr(), *sides) && !marks.unmerged.contains_key(path));
        for path in marks.intent_to_add.keys() {
            listing.remove(path);
            if let Some(old) = side_in(head, path) {
                listing.insert(path.clone(), Sides { old: Some(old), new: None });
            }
        }
        Ok(listing)
    }

    /// What is listed, and the repositories on the way.
    fn index_to_disk(
        &self,
        index: &Index,
        wanted: &Wanted<'_>,
        marks: &Marks,
    ) -> Result<(Listing, Vec<BString>), Error> {
        let mut options = wanted.diff_options();
        let untracked = wanted.options.untracked;
        options.include_untracked(untracked).recurse_untracked_dirs(untracked);
        let diff = self.raw.diff_index_to_workdir(Some(index), Some(&mut options)).map_err(listing_of("unstaged"))?;
        let mut listing = listing(&diff, wanted, true);
        listing.retain(|path, sides| {
            let kept_off_disk = sides.new.is_none() && marks.skip_worktree.contains(path);
            !kept_off_disk && !marks.unmerged.contains_key(path)
        });
        for (path, announced) in &marks.intent_to_add {
            let new = self.side_on_disk(path.as_bstr());
            let old = if new.is_none() { Some(*announced) } else { None };
            listing.insert(path.clone(), Sides { old, new });
        }
        for sides in listing.values_mut() {
            mark_dirty(sides);
        }
        let names = diff.deltas().filter_map(|delta| delta.new_file().path_bytes().map(BString::from));
        Ok((listing, names.filter(|name| is_nested(name) && wanted.asks_for(name.as_bstr())).collect()))
    }

    /// Add `path` with what is on disk as its new side. A submodule with a conflict is no file that went, and which commit
    /// it is at says nothing about the conflict.
    fn add_on_disk(&self, listing: &mut Listing, path: &BString, old: Option<Side>) -> Result<(), Error> {
        let new = self.side_on_disk(path.as_bstr());
        let is_submodule = old.is_some_and(|old| old.mode == SUBMODULE);
        if is_submodule && new.is_none() && self.disk_size(path.as_bstr()).is_some() {
            return Ok(());
        }
        self.add_if_changed(listing, path, Sides { old, new })
    }

    /// Add `path` unless its sides turn out to be equal, which may need a look at the file.
    fn add_if_changed(&self, listing: &mut Listing, path: &BString, sides: Sides) -> Result<(), Error> {
        let same = match (&sides.old, &sides.new) {
            (None, None) => true,
            (Some(old), Some(new)) if old.mode == new.mode => {
                let dirty = matches!(new.content, Content::Submodule { dirty: true, .. });
                !dirty && self.id_of(path.as_bstr(), old)? == self.id_of(path.as_bstr(), new)?
            }
            _ => false,
        };
        if !same {
            listing.insert(path.clone(), sides);
        }
        Ok(())
    }
}

/// A submodule that differs although its commit is the same has changes of its own.
fn mark_dirty(sides: &mut Sides) {
    if let (Some(old), Some(new)) = (&sides.old, &mut sides.new)
        && let (Content::Submodule { commit, .. }, Content::Submodule { commit: now, dirty }) =
            (old.content, &mut new.content)
    {
        *dirty = commit == *now;
    }
}

fn listing_of(scope: &'static str) -> impl Fn(git2::Error) -> Error {
    move |source| Error::ListChanges { scope, source }
}

/// The paths of `diff`. What libgit2 gives as two deltas, one that goes and one of another type that comes, is one entry.
/// `on_disk`: the new side is the working tree.
fn listing(diff: &Diff<'_>, wanted: &Wanted<'_>, on_disk: bool) -> Listing {
    let mut listing = Listing::new();
    for delta in diff.deltas() {
        let Some(path) = delta.new_file().path_bytes().or_else(|| delta.old_file().path_bytes()) else { continue };
        let Some(sides) = sides(&delta, on_disk) else { continue };
        if is_nested(path) || !wanted.has(path.as_bstr(), sides) {
            continue;
        }
        let entry = listing.entry(path.into()).or_default();
        entry.old = entry.old.or(sides.old);
        entry.new = entry.new.or(sides.new);
    }
    listing
}

/// Whether a listed name is that of a repository of its own that nothing has been said about.
pub(super) fn is_nested(name: &[u8]) -> bool {
    name.ends_with(b"/")
}

fn sides(delta: &DiffDelta<'_>, on_disk: bool) -> Option<Sides> {
    let (old, new) = (|| side(&delta.old_file(), false), || side(&delta.new_file(), on_disk));
    Some(match delta.status() {
        Delta::Added | Delta::Untracked => Sides { old: None, new: new() },
        Delta::Deleted => Sides { old: old(), new: None },
        Delta::Modified | Delta::Typechange => Sides { old: old(), new: new() },
        _ => return None,
    })
}

fn side(file: &DiffFile<'_>, on_disk: bool) -> Option<Side> {
    let mode = match file.mode() {
        FileMode::Blob | FileMode::BlobGroupWritable => FILE,
        FileMode::BlobExecutable => EXECUTABLE,
        FileMode::Link => LINK,
        FileMode::Commit => SUBMODULE,
        FileMode::Tree | FileMode::Unreadable => return None,
    };
    // The id of a file on disk may be known, but there is no object of that id yet.
    let unread = on_disk && mode != SUBMODULE;
    Some(if unread { Side { mode, content: Content::OnDisk } } else { entry_side(mode, file.id()) })
}

/// What `tree` has at `path`.
fn side_in(tree: Option<&Tree<'_>>, path: &BString) -> Option<Side> {
    let entry = tree?.get_path(&path_of(path)).ok()?;
    Some(entry_side(entry.filemode().cast_unsigned(), entry.id()))
}

/// The side that a tree or the index names.
pub(super) fn entry_side(mode: u32, id: Oid) -> Side {
    let content = if mode == SUBMODULE { Content::Submodule { commit: id, dirty: false } } else { Content::Object(id) };
    Side { mode, content }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_are_told_by_folder_and_extension() {
        for (path, left_out) in [
            ("reviews/staged-main.whymark", true),
            ("reviews/old/a.mb", true),
            ("reviews/readme.md", false),
            ("docs/reviews/a.whymark", false),
            ("a.whymark", false),
        ] {
            assert_eq!(is_review(path.into()), left_out, "{path}");
        }
    }
}
