//! The state of all files of a working tree as one hash: what a record of a run speaks of (section 12).

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Read as _};
use std::path::Path;

use bstr::{BString, ByteSlice as _};
use git2::StatusOptions;
use sha2::{Digest as _, Sha256};

use super::library::Library;
use super::{Engine, Repo, path_of};
use crate::text::hash::hex;

const MOST_PATHS: usize = 50_000;
const MOST_OF_A_FILE: u64 = 32 << 20;
const MOST_OF_ALL: u64 = 128 << 20;

impl Repo {
    /// The hash of HEAD and of all files that git knows or would add, but for outputs of commands and reviews; `None`
    /// when there are too many, or something among them is neither file nor link, or the repository is of a kind that
    /// libgit2 does not know.
    #[must_use]
    pub fn fingerprint(&self) -> Option<String> {
        match &self.engine {
            Engine::Library(library) => library.fingerprint(),
            Engine::Program(_) => None,
        }
    }
}

impl Library {
    fn fingerprint(&self) -> Option<String> {
        let root = self.workdir()?;
        let mut hash = Sha256::new();
        hash.update(b"whymark-source-v1\0");
        let head = self.head_commit().ok()?.map_or("unborn".to_owned(), |commit| commit.id().to_string());
        hash.update(head);
        let paths = self.source_paths()?;
        if paths.len() > MOST_PATHS {
            return None;
        }
        let mut left = MOST_OF_ALL;
        for path in paths.iter().map(|(_, path)| path).filter(|path| is_source(path.as_bstr())) {
            hash.update([b"\0", path.as_slice(), b"\0"].concat());
            add(&mut hash, &root.join(path_of(path.as_bstr())), &mut left)?;
        }
        Some(hex(&hash.finalize()))
    }

    /// The paths in the index and those that are not ignored, in the order of their UTF-16 units.
    fn source_paths(&self) -> Option<BTreeSet<(Vec<u16>, BString)>> {
        let index = self.raw.index().ok()?;
        let mut options = StatusOptions::new();
        options.include_untracked(true).recurse_untracked_dirs(true).include_ignored(false);
        let statuses = self.raw.statuses(Some(&mut options)).ok()?;
        let untracked = statuses.iter().filter(|entry| entry.status().is_wt_new());
        let paths = index.iter().map(|entry| entry.path).chain(untracked.map(|entry| entry.path_bytes().to_vec()));
        Some(paths.map(|path| (path.to_str_lossy().encode_utf16().collect(), BString::from(path))).collect())
    }
}

/// Whether a file is one that commands could depend on.
fn is_source(path: &bstr::BStr) -> bool {
    let name = path.strip_prefix(b"reviews/").filter(|name| !name.contains(&b'/'));
    let is_review = name.is_some_and(|name| name.ends_with(b".whymark") || name.ends_with(b".quality.json"));
    !is_review && !path.starts_with(b".artifacts/")
}

/// Add what is at `file`.
fn add(hash: &mut Sha256, file: &Path, left: &mut u64) -> Option<()> {
    let meta = match fs::symlink_metadata(file) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            hash.update(b"missing");
            return Some(());
        }
        Err(_) => return None,
    };
    hash.update(mode(&meta).to_string());
    if meta.is_symlink() {
        hash.update(b"link:");
        hash.update(fs::read_link(file).ok()?.as_os_str().as_encoded_bytes());
        return Some(());
    }
    if !meta.is_file() || meta.len() > MOST_OF_A_FILE.min(*left) {
        return None;
    }
    let mut content = Vec::new();
    // It may grow while it is read.
    File::open(file).ok()?.take(MOST_OF_A_FILE.min(*left) + 1).read_to_end(&mut content).ok()?;
    let len = content.len() as u64;
    if len > MOST_OF_A_FILE {
        return None;
    }
    *left = left.checked_sub(len)?;
    hash.update(content);
    Some(())
}

#[cfg(unix)]
fn mode(meta: &fs::Metadata) -> u32 {
    use std::os::unix::fs::MetadataExt as _;
    meta.mode()
}

#[cfg(not(unix))]
fn mode(_: &fs::Metadata) -> u32 {
    0o100_644
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reviews_and_outputs_are_no_source() {
        for (path, want) in [
            ("src/a.rs", true),
            ("reviews/a.whymark", false),
            ("reviews/a.quality.json", false),
            ("reviews/a.mb", true),
            ("reviews/b/a.whymark", true),
            ("a.whymark", true),
            (".artifacts/whymark/x.log", false),
        ] {
            assert_eq!(is_source(path.into()), want, "{path}");
        }
    }
}
