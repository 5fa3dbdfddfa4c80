//! Writing the index, by the `git` program.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice as _};
use bytes::Bytes;

use super::{Program, Run};
use crate::error::Error;
use crate::git::locked::LockedIndex;
use crate::git::stage::not_written;
use crate::git::{Entry, Stored, Swap, mode, path_of};

/// What is done, as in "cannot …".
const WRITE: &str = "write the index";

impl Program {
    pub(in crate::git) fn entry(&self, path: &BStr) -> Result<Option<Entry>, Error> {
        self.entry_in(None, path)
    }

    /// What an index has at `path`: that of the repository, or another one.
    fn entry_in(&self, index: Option<&Path>, path: &BStr) -> Result<Option<Entry>, Error> {
        let refused = |reason: &str| Error::CannotChange { path: path.into(), reason: reason.to_owned() };
        let args: [&OsStr; 5] = ["ls-files".as_ref(), "-z".as_ref(), "-v".as_ref(), "--stage".as_ref(), "--".as_ref()];
        let file = path_of(path);
        let named = [&args[..], &[file.as_os_str()]].concat();
        let listed = self.must_literally("list the index", &named, index)?;
        // What lies below a folder of this name is no entry of it.
        let is_it = |entry: &&[u8]| entry.rsplit_once_str("\t").is_some_and(|(_, own)| own == path.as_bytes());
        let mut entries = listed.split_str("\0").filter(|entry| !entry.is_empty()).filter(is_it);
        let Some(first) = entries.next() else { return Ok(None) };
        let mut words = first.splitn(4, |byte| *byte == b' ' || *byte == b'\t').map(|word| word.to_str_lossy());
        let mut next = || words.next().map(Cow::into_owned).unwrap_or_default();
        let (tag, mode, id, rest) = (next(), next(), next(), next());
        if tag.eq_ignore_ascii_case("s") {
            return Err(refused("a sparse checkout leaves it out of the working tree"));
        }
        if !rest.starts_with("0\t") || entries.next().is_some() {
            return Err(refused("it is in a merge conflict: resolve that first"));
        }
        let mode = u32::from_str_radix(&mode, 8).unwrap_or(0);
        let content = if mode == mode::SUBMODULE {
            id.clone().into()
        } else {
            self.must("read a file", &["cat-file", "blob", &id], &Run::default())?.into()
        };
        let is_announced = self.is_announced(index, &content, &file)?;
        // Git marks what it is told to take for unchanged with a small letter.
        let is_assumed = tag.bytes().all(|byte| byte.is_ascii_lowercase());
        Ok(Some(Entry { id, file: Stored { content, mode, is_announced, is_assumed } }))
    }

    /// As [`Repo::in_head`](crate::git::Repo::in_head).
    pub(in crate::git) fn in_head(&self, path: &BStr) -> Result<Option<(String, u32)>, Error> {
        if self.id_of_name("HEAD^{commit}").is_none() {
            return Ok(None);
        }
        let args: [&OsStr; 5] =
            ["ls-tree".as_ref(), "-z".as_ref(), "--full-tree".as_ref(), "HEAD".as_ref(), "--".as_ref()];
        let file = path_of(path);
        let listed = self.must_literally("list HEAD", &[&args[..], &[file.as_os_str()]].concat(), None)?;
        // Mode, kind and id, as in `100644 blob 1234`.
        let entry = listed.strip_suffix(b"\0").and_then(|entry| entry.split_once_str("\t"));
        let Some((head, _)) = entry.filter(|(_, name)| *name == path.as_bytes()) else { return Ok(None) };
        let words: Vec<_> = head.split_str(" ").map(|word| word.to_str_lossy()).collect();
        let [mode, kind, id] = words.as_slice() else { return Ok(None) };
        let mode = u32::from_str_radix(mode, 8).ok().filter(|_| *kind != "tree");
        Ok(mode.map(|mode| (id.clone().into_owned(), mode)))
    }

    /// Whether the index only announces the file, of which it has this content: git calls it added on disk then.
    fn is_announced(&self, index: Option<&Path>, content: &Bytes, file: &Path) -> Result<bool, Error> {
        if !content.is_empty() {
            return Ok(false);
        }
        let args: [&OsStr; 4] =
            ["diff-files".as_ref(), "--name-only".as_ref(), "--diff-filter=A".as_ref(), "--".as_ref()];
        let added = self.must_literally("compare the index", &[&args[..], &[file.as_os_str()]].concat(), index)?;
        Ok(!added.is_empty())
    }

    pub(in crate::git) fn put_entries(&self, swaps: &[Swap<Stored>]) -> Result<(), Error> {
        self.change(|index| {
            for swap in swaps {
                if self.entry_in(Some(index), swap.path.as_ref())?.map(|entry| entry.file) != swap.before {
                    return Err(swap.changed());
                }
            }
            for swap in swaps.iter().filter(|swap| swap.after.is_some()) {
                self.must_have_room(index, swap, swaps)?;
            }
            self.put_lines(index, swaps)?;
            swaps.iter().try_for_each(|swap| self.flag(index, swap))
        })
    }

    /// As [`Repo::note_on_disk`](crate::git::Repo::note_on_disk): git looks for itself.
    pub(in crate::git) fn note_on_disk(&self, files: &[(BString, Stored)]) -> Result<(), Error> {
        self.change(|index| {
            let mut same = Vec::new();
            for (path, file) in files {
                let there = self.entry_in(Some(index), path.as_ref())?.map(|entry| entry.file);
                let is_it = there.as_ref() == Some(file);
                same.extend(is_it.then(|| Swap { path: path.clone(), before: there.clone(), after: there }));
            }
            self.put_lines(index, &same)?;
            same.iter().try_for_each(|swap| self.flag(index, swap))?;
            let run = Run { writes: true, index: Some(index), ..Run::default() };
            // It tells of others that have changed, which is no failure.
            self.run(&["update-index", "-q", "--refresh"], &run).map(drop)
        })
    }

    /// Have a copy of the index changed, which takes its place then, and nobody else writes it in between.
    fn change(&self, make: impl FnOnce(&Path) -> Result<(), Error>) -> Result<(), Error> {
        let nowhere = || Error::GitProgram { what: WRITE, message: "it has no place on disk".into() };
        let locked =
            LockedIndex::of(&self.place("index").ok_or_else(nowhere)?).map_err(|source| not_written(&source))?;
        make(locked.copy())?;
        locked.put().map_err(|source| not_written(&source))
    }

    /// Have the index changed in one step, but for the flags.
    fn put_lines(&self, index: &Path, swaps: &[Swap<Stored>]) -> Result<(), Error> {
        let lines = swaps.iter().filter_map(|swap| self.line_of(swap).transpose());
        let mut lines: Vec<(bool, Vec<u8>)> = lines.collect::<Result<_, Error>>()?;
        // What goes makes room for what comes.
        lines.sort_by_key(|(comes, _)| *comes);
        let input: Vec<u8> = lines.into_iter().flat_map(|(_, line)| line).collect();
        let run = Run { input: &input, writes: true, index: Some(index), ..Run::default() };
        self.must(WRITE, &["update-index", "-z", "--index-info"], &run).map(drop)
    }

    /// Make the flags of an entry those that it is to have.
    fn flag(&self, index: &Path, swap: &Swap<Stored>) -> Result<(), Error> {
        let Some(after) = &swap.after else { return Ok(()) };
        let file = path_of(&swap.path);
        if after.is_announced {
            self.write(index, &["add", "--intent-to-add", "--force", "--"], &file)?;
        }
        if after.is_assumed { self.write(index, &["update-index", "--assume-unchanged", "--"], &file) } else { Ok(()) }
    }

    /// Whether `swap` comes, and what `update-index` is told about it: the mode 0 takes an entry out. One that is only
    /// announced comes later.
    fn line_of(&self, swap: &Swap<Stored>) -> Result<Option<(bool, Vec<u8>)>, Error> {
        let line = |mode: u32, id: &str| [format!("{mode:o} {id} 0\t").as_bytes(), &swap.path, b"\0"].concat();
        Ok(match (&swap.before, swap.after.as_ref().filter(|after| !after.is_announced)) {
            (_, Some(after)) if after.mode == mode::SUBMODULE => {
                Some((true, line(after.mode, &after.content.to_str_lossy())))
            }
            (_, Some(after)) => Some((true, line(after.mode, &self.keep(&after.content)?))),
            (Some(_), None) => Some((false, line(0, &self.no_id()?))),
            (None, None) => None,
        })
    }

    /// The id of nothing.
    fn no_id(&self) -> Result<String, Error> {
        let empty = self.must("hash a file", &["hash-object", "--stdin"], &Run::default())?;
        Ok("0".repeat(empty.trim().len()))
    }

    /// Refuse a file where the index has a folder, or in a file, which git would take out without a word.
    fn must_have_room(&self, index: &Path, swap: &Swap<Stored>, swaps: &[Swap<Stored>]) -> Result<(), Error> {
        let below = [&swap.path[..], b"/"].concat();
        let places: Vec<PathBuf> = swap.folders().map(|folder| path_of(folder)).chain([path_of(&below)]).collect();
        let args: [&OsStr; 3] = ["ls-files".as_ref(), "-z".as_ref(), "--".as_ref()];
        let named: Vec<&OsStr> = args.into_iter().chain(places.iter().map(|place| place.as_os_str())).collect();
        let listed = self.must_literally("list the index", &named, Some(index))?;
        let goes = |path: &[u8]| swaps.iter().any(|swap| swap.path == path && swap.after.is_none());
        let is_other = |path: &&[u8]| path.starts_with(&below) || swap.folders().any(|folder| folder == *path);
        match listed.split_str("\0").find(|path| is_other(path) && !goes(path)) {
            Some(other) => Err(swap.blocked(other.as_bstr())),
            None => Ok(()),
        }
    }

    /// Have git write its index, by a command about one file.
    fn write(&self, index: &Path, args: &[&str], file: &Path) -> Result<(), Error> {
        let args = args.iter().map(OsStr::new);
        let args: Vec<&OsStr> =
            std::iter::once(OsStr::new("--literal-pathspecs")).chain(args).chain([file.as_os_str()]).collect();
        self.must(WRITE, &args, &Run { writes: true, index: Some(index), ..Run::default() }).map(drop)
    }

    pub(in crate::git) fn keep(&self, content: &[u8]) -> Result<String, Error> {
        let run = Run { input: content, writes: true, ..Run::default() };
        let id = self.must("keep a file", &["hash-object", "-w", "--no-filters", "--stdin"], &run)?;
        Ok(id.trim().to_str_lossy().into_owned())
    }

    /// What git prints where arguments behind `--` are paths and no patterns; of the repository's index, or another one.
    fn must_literally(&self, what: &'static str, args: &[&OsStr], index: Option<&Path>) -> Result<Vec<u8>, Error> {
        let args = [&["--literal-pathspecs".as_ref()], args].concat();
        self.must(what, &args, &Run { index, ..Run::default() })
    }
}
