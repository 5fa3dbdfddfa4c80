//! Writing the index, by the `git` program.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::path::Path;

use bstr::{BStr, ByteSlice as _};
use bytes::Bytes;

use super::{Program, Run};
use crate::error::Error;
use crate::git::{Entry, Stored, path_of};

/// What is done, as in "cannot …".
const WRITE: &str = "write the index";

impl Program {
    pub(in crate::git) fn entry(&self, path: &BStr) -> Result<Option<Entry>, Error> {
        let refused = |reason: &str| Error::CannotChange { path: path.into(), reason: reason.to_owned() };
        let args: [&OsStr; 5] = ["ls-files".as_ref(), "-z".as_ref(), "-v".as_ref(), "--stage".as_ref(), "--".as_ref()];
        let file = path_of(path);
        let named = [&args[..], &[file.as_os_str()]].concat();
        let listed = self.must_literally("list the index", &named)?;
        let mut entries = listed.split_str("\0").filter(|entry| !entry.is_empty());
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
        let content = self.must("read a file", &["cat-file", "blob", &id], &Run::default())?.into();
        let is_announced = self.is_announced(&content, &file)?;
        // Git marks what it is told to take for unchanged with a small letter.
        let is_assumed = tag.bytes().all(|byte| byte.is_ascii_lowercase());
        Ok(Some(Entry { id, file: Stored { content, mode, is_announced, is_assumed } }))
    }

    /// Whether the index only announces the file, of which it has this content: git calls it added on disk then.
    fn is_announced(&self, content: &Bytes, file: &Path) -> Result<bool, Error> {
        if !content.is_empty() {
            return Ok(false);
        }
        let args: [&OsStr; 4] =
            ["diff-files".as_ref(), "--name-only".as_ref(), "--diff-filter=A".as_ref(), "--".as_ref()];
        let added = self.must_literally("compare the index", &[&args[..], &[file.as_os_str()]].concat())?;
        Ok(!added.is_empty())
    }

    pub(in crate::git) fn put_entry(
        &self,
        path: &BStr,
        before: Option<&Entry>,
        after: Option<&Stored>,
    ) -> Result<(), Error> {
        let gone = before.map(|before| (0, "0".repeat(before.id.len())));
        let file = path_of(path);
        match after {
            Some(after) if after.is_announced => {
                gone.map(|gone| self.put_line(path, gone)).transpose()?;
                let announced = self.write(&["add", "--intent-to-add", "--force", "--"], &file);
                if let (Err(_), Some(before)) = (&announced, before) {
                    // Why it is not announced says more than why this fails.
                    let _ = self.put_entry(path, None, Some(&before.file));
                }
                announced?;
            }
            Some(after) => self.put_line(path, (after.mode, self.keep(&after.content)?))?,
            None => return gone.map_or(Ok(()), |gone| self.put_line(path, gone)),
        }
        match after.is_some_and(|after| after.is_assumed) {
            true => self.write(&["update-index", "--assume-unchanged", "--"], &file),
            false => Ok(()),
        }
    }

    /// Make a blob and its mode what the index has at `path`; the mode 0 takes it out.
    fn put_line(&self, path: &BStr, (mode, id): (u32, String)) -> Result<(), Error> {
        let input = [format!("{mode:o} {id} 0\t").as_bytes(), path.as_bytes(), b"\0"].concat();
        let run = Run { input: &input, writes: true, ..Run::default() };
        self.must(WRITE, &["update-index", "-z", "--index-info"], &run).map(drop)
    }

    /// Have git write its index, by a command about one file.
    fn write(&self, args: &[&str], file: &Path) -> Result<(), Error> {
        let args = args.iter().map(OsStr::new);
        let args: Vec<&OsStr> =
            std::iter::once(OsStr::new("--literal-pathspecs")).chain(args).chain([file.as_os_str()]).collect();
        self.must(WRITE, &args, &Run { writes: true, ..Run::default() }).map(drop)
    }

    pub(in crate::git) fn keep(&self, content: &[u8]) -> Result<String, Error> {
        let run = Run { input: content, writes: true, ..Run::default() };
        let id = self.must("keep a file", &["hash-object", "-w", "--no-filters", "--stdin"], &run)?;
        Ok(id.trim().to_str_lossy().into_owned())
    }

    /// What git prints where arguments behind `--` are paths and no patterns.
    fn must_literally(&self, what: &'static str, args: &[&OsStr]) -> Result<Vec<u8>, Error> {
        let args = [&["--literal-pathspecs".as_ref()], args].concat();
        self.must(what, &args, &Run::default())
    }
}
