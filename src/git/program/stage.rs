//! Writing the index, by the `git` program.

use std::borrow::Cow;
use std::ffi::OsStr;

use bstr::{BStr, ByteSlice as _};

use super::{Program, Run};
use crate::error::Error;
use crate::git::{Entry, path_of};

impl Program {
    pub(in crate::git) fn entry(&self, path: &BStr) -> Result<Option<Entry>, Error> {
        let refused = |reason: &str| Error::CannotChange { path: path.into(), reason: reason.to_owned() };
        let args: [&OsStr; 5] = ["ls-files".as_ref(), "-z".as_ref(), "-t".as_ref(), "--stage".as_ref(), "--".as_ref()];
        let file = path_of(path);
        let named = [&args[..], &[file.as_os_str()]].concat();
        let listed = self.must_literally("list the index", &named)?;
        let mut entries = listed.split_str("\0").filter(|entry| !entry.is_empty());
        let Some(first) = entries.next() else { return Ok(None) };
        let mut words = first.splitn(4, |byte| *byte == b' ' || *byte == b'\t').map(|word| word.to_str_lossy());
        let mut next = || words.next().map(Cow::into_owned).unwrap_or_default();
        let (tag, mode, id, rest) = (next(), next(), next(), next());
        if tag == "S" {
            return Err(refused("a sparse checkout leaves it out of the working tree"));
        }
        if !rest.starts_with("0\t") || entries.next().is_some() {
            return Err(refused("it is in a merge conflict: resolve that first"));
        }
        let mode = u32::from_str_radix(&mode, 8).unwrap_or(0);
        let content = self.must("read a file", &["cat-file", "blob", &id], &Run::default())?;
        Ok(Some(Entry { id, mode, content }))
    }

    pub(in crate::git) fn put_entry(
        &self,
        path: &BStr,
        before: Option<&Entry>,
        after: Option<(&[u8], u32)>,
    ) -> Result<(), Error> {
        let (mode, id) = match (after, before) {
            (Some((content, mode)), _) => (mode, self.keep(content)?),
            (None, Some(before)) => (0, "0".repeat(before.id.len())),
            (None, None) => return Ok(()),
        };
        let input = [format!("{mode:o} {id} 0\t").as_bytes(), path.as_bytes(), b"\0"].concat();
        let run = Run { input: &input, writes: true, ..Run::default() };
        self.must("write the index", &["update-index", "-z", "--index-info"], &run).map(drop)
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
