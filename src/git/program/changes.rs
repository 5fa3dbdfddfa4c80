//! The changes of a scope, lines and all, as the `git` program prints them.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice as _};

use super::{Program, Run};
use crate::document::FileStatus;
use crate::error::Error;
use crate::git::changes::{Changes, Ends, Found, one_line};
use crate::git::list::{Wanted, is_nested};
use crate::git::{Scope, ScopeOptions, path_of};
use crate::skeleton::{Change, FilePatch, git_patch};

/// A diff that depends on nothing but the repository and what was asked for.
const DIFF: [&str; 13] = [
    "diff",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--no-relative",
    "-O/dev/null",
    "--diff-algorithm=default",
    "--indent-heuristic",
    "--inter-hunk-context=0",
    "--ws-error-highlight=none",
];

/// Two sides, as arguments of `git diff`, and what they are called.
struct Sides {
    args: Vec<String>,
    ends: Ends,
}

impl Program {
    /// What changed in `scope`. Filters run where `filters` says so.
    pub(in crate::git) fn changes(
        &self,
        scope: &Scope,
        options: &ScopeOptions,
        filters: bool,
    ) -> Result<Changes, Error> {
        if scope.reads_index() && self.workdir.is_none() {
            return Err(Error::NoWorkingTree { git_dir: self.git_dir.clone(), scope: scope.word() });
        }
        let wanted = Wanted::new(scope, options, self.workdir())?;
        let Sides { args: sides, ends } = self.sides(scope)?;
        let reads_disk = matches!(scope, Scope::Unstaged | Scope::Worktree);
        let (new, nested) = if reads_disk && options.untracked { self.untracked(&wanted)? } else { Default::default() };
        // What is compared with the index must not lose what only that knows.
        let is_of_index = matches!(scope, Scope::Unstaged);
        let (new, displacing) = if is_of_index { self.displacing(&new)? } else { (new, Vec::new()) };
        let context = format!("-U{}", options.context);
        let renames = if options.renames { "-M50%" } else { "--no-renames" };
        // Looking into a submodule would run what that one's own configuration names.
        let submodules = if filters { "--ignore-submodules=none" } else { "--ignore-submodules=dirty" };
        let fixed = DIFF.into_iter().chain([context.as_str(), renames, submodules]);
        let mut args: Vec<OsString> = fixed.chain(sides.iter().map(String::as_str)).map(OsString::from).collect();
        args.push("--".into());
        args.extend(wanted.written_specs().iter().map(|spec| path_of(spec).into_os_string()));
        let compare = |new: &[u8]| -> Result<Vec<FilePatch>, Error> {
            let announced = self.announce(new)?;
            let run = Run { filters, index: announced.as_deref(), ..Run::default() };
            let printed = self.must("compare the two sides", &args, &run)?;
            let read = git_patch::read(&printed);
            let mut files = read.map_err(|fault| Error::ReadPatch { name: "what git prints".into(), fault })?.files;
            let leaves_out = |c: &Change| wanted.leaves_out(c.path.as_bstr(), c.old_mode, c.new_mode);
            files.retain(|file| !leaves_out(&file.change));
            self.complete(&mut files, &args, &run)?;
            Ok(files)
        };
        let mut files = compare(&new)?;
        if !displacing.is_empty() {
            let come: BTreeSet<&[u8]> = displacing.split_str("\0").collect();
            files.extend(compare(&displacing)?.into_iter().filter(|file| come.contains(file.change.path.as_slice())));
            files.sort_by(|one, other| one.change.path.cmp(&other.change.path));
        }
        let unmerged = if scope.reads_index() { self.unmerged(&wanted)? } else { Vec::new() };
        Ok(Changes::found(scope.clone(), options.context, Found { files: files.into(), unmerged, nested, ends }))
    }

    /// What `scope` compares.
    fn sides(&self, scope: &Scope) -> Result<Sides, Error> {
        let named = |args: &[&str], base: Option<String>, head: &str| -> Result<Sides, Error> {
            let args = args.iter().map(|arg| (*arg).to_owned()).collect();
            let ends = Ends { base, head: Some(head.to_owned()), name: self.branch_name()?, subject: None };
            Ok(Sides { args, ends })
        };
        let between = |old: String, new: String, ends: Ends| Sides { args: vec![old, new], ends };
        match scope {
            Scope::Unstaged => named(&["--ours"], Some("index".into()), "working-tree"),
            Scope::Staged => named(&["--cached"], self.head_word(), "index"),
            Scope::Worktree => {
                let head = self.head().map_or_else(|| self.empty_tree(), Ok)?;
                named(&[&head], self.head_word(), "working-tree")
            }
            Scope::Commit(revision) => {
                let commit = self.commit(revision)?;
                let parent = self.text(&["rev-parse", "--quiet", "--verify", &format!("{commit}^1^{{commit}}")]);
                let base = parent.as_deref().map(|parent| self.word(&format!("{revision}^"), parent));
                let head = Some(self.word(revision, &commit));
                let ends = Ends { base, head, name: self.short(&commit), subject: self.subject(&commit) };
                Ok(between(parent.map_or_else(|| self.empty_tree(), Ok)?, commit, ends))
            }
            Scope::Branch(base) => {
                let base = base.clone().map_or_else(|| self.default_base(), Ok)?;
                let (onto, head) = (self.commit(&base)?, self.commit("HEAD")?);
                let common = self.merge_base((&base, &onto), ("HEAD", &head))?;
                let branch = self.branch();
                let ends = Ends {
                    base: Some(self.word(&base, &common)),
                    head: Some(self.word(branch.as_deref().unwrap_or("HEAD"), &head)),
                    name: branch.unwrap_or_else(|| self.short(&head)),
                    subject: None,
                };
                Ok(between(common, head, ends))
            }
            Scope::Range { from, to, since_common } => {
                let (start, end) = (self.commit(from)?, self.commit(to)?);
                let start = if *since_common { self.merge_base((from, &start), (to, &end))? } else { start };
                let ends = Ends {
                    base: Some(self.word(from, &start)),
                    head: Some(self.word(to, &end)),
                    name: format!("{}-{}", self.short(&start), self.short(&end)),
                    subject: None,
                };
                Ok(between(start, end, ends))
            }
            Scope::Manual => Err(Error::NoChanges { scope: scope.word() }),
        }
    }

    /// The commit of HEAD; `None` before the first one.
    fn head(&self) -> Option<String> {
        self.text(&["rev-parse", "--quiet", "--verify", "HEAD^{commit}"])
    }

    fn head_word(&self) -> Option<String> {
        self.head().map(|head| self.word("HEAD", &head))
    }

    /// The commit that `revision` names.
    fn commit(&self, revision: &str) -> Result<String, Error> {
        if revision.is_empty() {
            return Err(Error::EmptyRevision);
        }
        if revision.starts_with("HEAD") && self.head().is_none() {
            return Err(Error::NoCommit { is_bare: self.workdir().is_none() });
        }
        let spec = format!("{revision}^{{commit}}");
        let found = self.text(&["rev-parse", "--quiet", "--verify", "--end-of-options", &spec]);
        found.ok_or_else(|| Error::ResolveRevision {
            revision: revision.into(),
            source: git2::Error::from_str("git finds no such commit"),
        })
    }

    fn short(&self, commit: &str) -> String {
        self.text(&["rev-parse", "--short", commit]).unwrap_or_else(|| commit.to_owned())
    }

    fn word(&self, revision: &str, commit: &str) -> String {
        format!("{revision}@{}", self.short(commit))
    }

    fn merge_base(&self, base: (&str, &str), head: (&str, &str)) -> Result<String, Error> {
        let found = self.text(&["merge-base", base.1, head.1]);
        found.ok_or_else(|| Error::NoMergeBase { base: base.0.into(), head: head.0.into() })
    }

    fn default_base(&self) -> Result<String, Error> {
        let is_there = |name: &str| self.text(&["rev-parse", "--quiet", "--verify", name]).is_some();
        let remote = self.symbolic("refs/remotes/origin/HEAD").filter(|name| is_there(name));
        if let Some(name) = remote.as_deref().and_then(|name| name.strip_prefix("refs/remotes/")) {
            return Ok(name.to_owned());
        }
        let usual = ["origin/main", "origin/master", "main", "master"];
        let found = usual
            .into_iter()
            .find(|name| is_there(&format!("refs/heads/{name}")) || is_there(&format!("refs/remotes/{name}")));
        found.map(str::to_owned).ok_or(Error::NoBase)
    }

    /// The first paragraph of the message of `commit`, as one line.
    fn subject(&self, commit: &str) -> Option<String> {
        let object = self.output(&["cat-file", "commit", commit]).ok()?.stdout;
        let (_, message) = object.split_once_str("\n\n")?;
        let message = message.trim_start();
        let end = message.find("\n\n").unwrap_or(message.len());
        Some(one_line(&message[..end])).filter(|subject| !subject.is_empty())
    }

    /// The tree without files, by the hash of this repository; git knows it without there being such an object.
    fn empty_tree(&self) -> Result<String, Error> {
        let id = self.must("name the empty tree", &["hash-object", "-t", "tree", "--stdin"], &Run::default())?;
        Ok(id.trim().to_str_lossy().into_owned())
    }

    fn unmerged(&self, wanted: &Wanted<'_>) -> Result<Vec<BString>, Error> {
        let entries = self.must("list conflicts", &["ls-files", "--unmerged", "-z", "--full-name"], &Run::default())?;
        let paths = entries.split_str("\0").filter_map(|entry| entry.split_once_str("\t"));
        let mut paths: Vec<BString> = paths.map(|(_, path)| path.into()).collect();
        paths.dedup();
        paths.retain(|path| wanted.asks_for(path.as_bstr()));
        Ok(paths)
    }

    /// Those of `new`, each ended by a NUL, that stand beside what the index knows, and those that stand in its place: where it
    /// has a folder, or below what it has as a file. To announce one of these would take that out of the index.
    fn displacing(&self, new: &[u8]) -> Result<(Vec<u8>, Vec<u8>), Error> {
        if new.is_empty() {
            return Ok(Default::default());
        }
        let list = ["diff-files", "--diff-filter=D", "--name-only", "--ignore-submodules=all", "-z"];
        let listed = self.must("list files that are gone", &list, &Run::default())?;
        let gone: BTreeSet<&[u8]> = listed.split_str("\0").filter(|path| !path.is_empty()).collect();
        let displaces = |name: &&[u8]| {
            let path = &name[..name.len() - 1];
            let folder = [path, b"/"].concat();
            let is_folder = gone.range(folder.as_slice()..).next().is_some_and(|first| first.starts_with(&folder));
            is_folder || path.find_iter(b"/").any(|end| gone.contains(&path[..end]))
        };
        let (displacing, beside): (Vec<&[u8]>, Vec<&[u8]>) =
            new.split_inclusive(|byte| *byte == 0).partition(displaces);
        Ok((beside.concat(), displacing.concat()))
    }

    /// Announce the files that git does not know in an index of our own, so that it shows them as it would store them,
    /// beside the others; `None` where there are none.
    fn announce(&self, paths: &[u8]) -> Result<Option<PathBuf>, Error> {
        if paths.is_empty() {
            return Ok(None);
        }
        let index = self.copy_of_index()?;
        let run = Run { input: paths, index: Some(&index), ..Run::default() };
        let add = ["--literal-pathspecs", "add", "--intent-to-add", "--sparse"];
        let from_input = ["--pathspec-from-file=-", "--pathspec-file-nul"];
        self.must("look at new files", &[&add[..], &from_input].concat(), &run)?;
        Ok(Some(index))
    }

    /// The files that git does not know, each ended by a NUL, and the repositories among them.
    fn untracked(&self, wanted: &Wanted<'_>) -> Result<(Vec<u8>, Vec<BString>), Error> {
        let list = ["ls-files", "--others", "--exclude-standard", "-z", "--full-name"];
        let listed = self.must("list new files", &list, &Run::default())?;
        let names = listed.split_inclusive(|byte| *byte == 0);
        let (nested, files): (Vec<&[u8]>, Vec<&[u8]>) = names.partition(|name| is_nested(&name[..name.len() - 1]));
        let nested = nested.into_iter().map(|name| BString::from(&name[..name.len() - 1]));
        Ok((files.concat(), nested.filter(|name| wanted.asks_for(name.as_bstr())).collect()))
    }

    /// A copy of the index.
    fn copy_of_index(&self) -> Result<PathBuf, Error> {
        let copy = self.scratch.path().join("index");
        let index = self.place("index").ok_or_else(|| Error::GitProgram {
            what: "find its own files",
            message: "it is too old: 2.34 or newer is needed".into(),
        })?;
        if index.exists() {
            // Its time says to git which entries it must look at again.
            let copied = fs::copy(&index, &copy).and_then(|_| {
                let time = fs::metadata(&index)?.modified()?;
                fs::File::options().write(true).open(&copy)?.set_modified(time)
            });
            copied.map_err(|source| Error::ReadFile { path: index, source })?;
        }
        Ok(copy)
    }

    /// Ids and modes of files whose content stays, which a patch does not show.
    fn complete(&self, files: &mut [FilePatch], diff: &[OsString], run: &Run<'_>) -> Result<(), Error> {
        let is_bare = |file: &&mut FilePatch| file.change.old_id.is_none() && file.change.new_id.is_none();
        let mut bare: HashMap<BString, &mut Change> =
            files.iter_mut().filter(is_bare).map(|file| (file.change.path.clone(), &mut file.change)).collect();
        if bare.is_empty() {
            return Ok(());
        }
        let mut args = diff.to_vec();
        args.splice(1..1, ["--raw".into(), "-z".into()]);
        let raw = self.must("compare the two sides", &args, run)?;
        let mut fields = raw.split_str("\0");
        while let Some(entry) = fields.next() {
            // `:OLDMODE NEWMODE OLDID NEWID STATUS`, then the path, or the two of a rename.
            let words: Vec<&[u8]> = entry.split_str(" ").collect();
            let [old_mode, new_mode, old_id, _, status] = words.as_slice() else { continue };
            let first = fields.next();
            let path = if status.starts_with(b"R") { fields.next() } else { first };
            let Some(change) = path.and_then(|path| bare.get_mut(path.as_bstr())) else { continue };
            let mode = |text: &[u8]| u32::from_str_radix(&text.to_str_lossy(), 8).ok();
            if matches!(change.status, FileStatus::Modified | FileStatus::Renamed) {
                let id = old_id.to_str_lossy().into_owned();
                (change.old_id, change.new_id) = (Some(id.clone()), Some(id));
                (change.old_mode, change.new_mode) = (mode(old_mode.trim_start_with(|c| c == ':')), mode(new_mode));
            }
        }
        Ok(())
    }

    /// Those of `paths` that a filter makes something else of on the way into the repository.
    pub(in crate::git) fn filtered<'a>(&self, paths: impl Iterator<Item = &'a BStr>) -> Vec<BString> {
        self.with_filter(paths, &self.cleaning)
    }

    /// Whether a filter makes something else of `path`, on whichever way.
    pub(in crate::git) fn has_filter(&self, path: &BStr) -> bool {
        !self.with_filter(std::iter::once(path), &self.filters).is_empty()
    }

    /// Those of `paths` whose attributes name one of `filters`.
    fn with_filter<'a>(&self, paths: impl Iterator<Item = &'a BStr>, filters: &[BString]) -> Vec<BString> {
        if filters.is_empty() {
            return Vec::new();
        }
        let input: Vec<u8> = paths.flat_map(|path| path.iter().copied().chain([0])).collect();
        let run = Run { input: &input, ..Run::default() };
        let answer = self.must("look up attributes", &["check-attr", "-z", "--stdin", "filter"], &run);
        let answer = answer.unwrap_or_default();
        let fields: Vec<&[u8]> = answer.split_str("\0").collect();
        let of_filter = fields.chunks_exact(3).filter(|entry| filters.iter().any(|name| name == entry[2]));
        of_filter.map(|entry| entry[0].into()).collect()
    }
}
