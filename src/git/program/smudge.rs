//! Files between disk and repository, by the `git` program.

use std::ffi::{OsStr, OsString};

use bstr::{BStr, ByteSlice as _};
use bytes::Bytes;

use super::{Program, Run};
use crate::error::Error;
use crate::git::path_of;
use crate::git::smudge::Way;

impl Program {
    /// What git makes of `content` on the way to disk, or from there. Filters run where `filters` says so. The blobs that it
    /// takes are gone with the program.
    pub(in crate::git) fn converted(
        &self,
        path: &BStr,
        content: &[u8],
        way: Way,
        filters: bool,
    ) -> Result<Bytes, Error> {
        let mut named = OsString::from("--path=");
        named.push(path_of(path));
        let (plain, named) = (OsStr::new("--no-filters"), named.as_os_str());
        let (into_store, out_of_it) = match way {
            Way::In => (named, &["cat-file".as_ref(), "blob".as_ref()][..]),
            Way::Out => (plain, &["cat-file".as_ref(), "--filters".as_ref(), named][..]),
        };
        let hash: [&OsStr; 4] = ["hash-object".as_ref(), "-w".as_ref(), into_store, "--stdin".as_ref()];
        let id = self.must("convert a file", &hash, &Run { input: content, filters, ..Run::default() })?;
        let id = id.trim().to_str_lossy().into_owned();
        let print = [out_of_it, &[OsStr::new(&id)]].concat();
        self.must("convert a file", &print, &Run { filters, ..Run::default() }).map(Bytes::from)
    }

    /// The id that a blob of this content has.
    pub(in crate::git) fn id_of_blob(&self, content: &[u8]) -> Result<String, Error> {
        let run = Run { input: content, ..Run::default() };
        let id = self.must("hash a file", &["hash-object", "--no-filters", "--stdin"], &run)?;
        Ok(id.trim().to_str_lossy().into_owned())
    }
}
