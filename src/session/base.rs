//! The reviewed files as they were when a round was sent, for the reviewer to see what has changed since.
//!
//! ```text
//! base/0002/      the files when rounds 2 to `last` were sent
//!   1, 2, …       copies
//!   index.json    which path has which copy, or why it has none
//! ```
//!
//! A base comes into being in one step, before its round does. It is a convenience: a round is sent without one, too, and
//! of many only the last are kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Refusal;
use super::fault::point;
use super::record::Lossless;
use super::spool::{Spool, broken, names, not_saved};
use crate::store::private;
use crate::text::hash::sha256;

/// The folder of all of them.
const BASE: &str = "base";
/// Which path has which copy.
const INDEX: &str = "index.json";
/// The most bytes of a copy.
const MOST_COPIED: u64 = 8 << 20;
/// The most bytes of all copies of a round.
const MOST_OF_ALL: u64 = 64 << 20;
/// How many bases are kept.
const KEPT: usize = 8;
/// The most bytes of an index.
const MOST_INDEX: u64 = 64 << 20;

/// What was found of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Its bytes, of a link its target; and its mode, in git's octal notation, where that is known.
    Text(Vec<u8>, Option<u32>),
    /// It is not there.
    Nothing,
    /// It cannot be copied; why, in a few words.
    Uncopied(String),
}

/// The files at a time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base {
    folder: PathBuf,
    index: Index,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Index {
    /// The last of the rounds that were sent at that time.
    last: u32,
    /// The files: the reviewed ones first.
    files: Vec<BaseFile>,
    /// What else is known of that time; `None`: nothing was, and files outside of the review cannot be told from new ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    around: Option<Around>,
}

/// The working tree around the reviewed files at a time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Around {
    /// The commit that HEAD was at; `None`: there was none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head: Option<String>,
    /// How many of the files are reviewed; all others differed from that commit.
    pub reviewed: usize,
}

/// A file at that time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BaseFile {
    path: Lossless,
    /// The number of its copy, and the hash of that; `None`: it was not there, or `why` says why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<(u32, String)>,
    /// The mode, in git's octal notation; `None`: it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    mode: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
}

impl BaseFile {
    /// Its path, from the top of the work tree.
    #[must_use]
    pub fn path(&self) -> &[u8] {
        self.path.bytes()
    }
}

impl Base {
    /// The files of which something is known.
    #[must_use]
    pub fn files(&self) -> &[BaseFile] {
        &self.index.files
    }

    /// What is known of the working tree around them.
    #[must_use]
    pub fn around(&self) -> Option<&Around> {
        self.index.around.as_ref()
    }

    /// How many of the files are reviewed; they come first.
    #[must_use]
    pub fn reviewed(&self) -> usize {
        self.index.around.as_ref().map_or(self.index.files.len(), |around| around.reviewed)
    }

    /// What `file` was.
    #[must_use]
    pub fn read(&self, file: &BaseFile) -> Found {
        let Some((copy, hash)) = &file.copy else {
            return file.why.clone().map_or(Found::Nothing, Found::Uncopied);
        };
        match private::read(&self.folder.join(copy.to_string()), MOST_COPIED) {
            Ok(Some(text)) if sha256(&text) == *hash => Found::Text(text, file.mode),
            Ok(_) => Found::Uncopied("its copy is not whole".to_owned()),
            Err(refused) => Found::Uncopied(refused.to_string()),
        }
    }
}

impl Spool {
    /// Keep what `read` finds of the files at `paths` as what they were when rounds `first` to `last` were sent, which is
    /// about to happen, with what is known of the tree `around` them.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn keep_base<'a>(
        &self,
        (first, last): (u32, u32),
        paths: impl Iterator<Item = &'a [u8]>,
        around: Option<Around>,
        mut read: impl FnMut(&[u8]) -> Found,
    ) -> Result<(), Refusal> {
        let all = self.at(BASE);
        private::make_folder(&all).map_err(not_saved)?;
        sweep(&all, first);
        let (hidden, folder) = (all.join(format!(".{}", name(first))), all.join(name(first)));
        private::make_folder(&hidden).map_err(not_saved)?;
        let failed = |source| Refusal::NotSaved { path: folder.clone(), source };
        let (mut files, mut bytes) = (Vec::new(), 0);
        for (path, number) in paths.zip(1..) {
            let uncopied = |why: &str| (None, None, Some(why.to_owned()));
            let (copy, mode, why) = match read(path) {
                Found::Nothing => (None, None, None),
                Found::Uncopied(why) => uncopied(&why),
                Found::Text(text, _) if text.len() as u64 > MOST_COPIED => uncopied("it was too large to be copied"),
                Found::Text(text, _) if bytes + text.len() as u64 > MOST_OF_ALL => {
                    uncopied("all files together were too large to be copied")
                }
                Found::Text(text, mode) => {
                    bytes += text.len() as u64;
                    private::create(&hidden.join(number.to_string()), &text).map_err(failed)?;
                    (Some((number, sha256(&text))), mode, None)
                }
            };
            files.push(BaseFile { path: Lossless::of(path), copy, mode, why });
        }
        let index = serde_json::to_vec(&Index { last, files, around }).expect("an index is JSON");
        private::prepare(&hidden, &index).and_then(|written| written.publish(INDEX)).map_err(failed)?;
        point("base-before-rename");
        fs::rename(&hidden, &folder).map_err(failed)?;
        private::settle(&all);
        point("base-after-rename");
        Ok(())
    }

    /// The files as they were when `round` was sent; `None` when nobody has kept them.
    ///
    /// # Errors
    /// When what is there cannot be read, or is not private.
    pub fn base(&self, round: u32) -> Result<Option<Base>, Refusal> {
        let all = self.at(BASE);
        let Some(first) = numbers(&all)?.into_iter().rfind(|first| *first <= round) else { return Ok(None) };
        let folder = all.join(name(first));
        if !private::folder(&folder)? {
            return Ok(None);
        }
        let path = folder.join(INDEX);
        let Some(bytes) = private::read(&path, MOST_INDEX)? else { return Ok(None) };
        let index: Index = serde_json::from_slice(&bytes).map_err(|fault| broken(&path, &fault))?;
        Ok((round <= index.last).then_some(Base { folder, index }))
    }
}

/// Take away what the dead have left, what is of a round that was never sent, and what is old.
fn sweep(all: &Path, next: u32) {
    // What stays takes room, and does no other harm.
    let remove = |name: &str| drop(fs::remove_dir_all(all.join(name)));
    let entries = fs::read_dir(all).into_iter().flatten().flatten();
    let hidden = entries.filter_map(|entry| entry.file_name().into_string().ok()).filter(|name| name.starts_with('.'));
    hidden.for_each(|name| remove(&name));
    let known = numbers(all).unwrap_or_default();
    let unsent = known.iter().filter(|first| **first >= next);
    let old = known.iter().rev().filter(|first| **first < next).skip(KEPT - 1);
    unsent.chain(old).for_each(|first| remove(&name(*first)));
}

/// The bases in the folder of all, ascending.
fn numbers(all: &Path) -> Result<Vec<u32>, Refusal> {
    if !private::folder(all)? {
        return Ok(Vec::new());
    }
    let numbers = names(all)?.into_iter().filter_map(|known| known.parse().ok().filter(|first| name(*first) == known));
    let mut numbers: Vec<u32> = numbers.collect();
    numbers.sort_unstable();
    Ok(numbers)
}

fn name(first: u32) -> String {
    format!("{first:04}")
}

/// What is at `path`, to be copied. A link is not followed; its mode is `link`, and that of a file what `mode_of` says.
#[must_use]
pub fn found(path: &Path, link: u32, mode_of: impl FnOnce(&fs::Metadata) -> u32) -> Found {
    let uncopied = |error: io::Error| Found::Uncopied(format!("it could not be read: {error}"));
    match fs::symlink_metadata(path) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Found::Nothing,
        Err(error) => uncopied(error),
        Ok(meta) if meta.is_symlink() => match fs::read_link(path) {
            Ok(target) => Found::Text(target.into_os_string().into_encoded_bytes(), Some(link)),
            Err(error) => uncopied(error),
        },
        Ok(meta) if !meta.is_file() => Found::Uncopied("it is no regular file".to_owned()),
        Ok(meta) if meta.len() > MOST_COPIED => Found::Uncopied("it is too large to be compared".to_owned()),
        Ok(meta) => fs::read(path).map_or_else(uncopied, |text| Found::Text(text, Some(mode_of(&meta)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spool(folder: &Path) -> Spool {
        let spool = Spool::new("r1", folder.join("whymark/r1"), None);
        spool.make().unwrap();
        spool
    }

    fn keep(spool: &Spool, rounds: (u32, u32), text: &str) {
        let paths: [&[u8]; 3] = [b"a", b"\xff", b"gone"];
        let read = |path: &[u8]| match path {
            b"a" => Found::Text(text.into(), None),
            b"gone" => Found::Nothing,
            _ => Found::Uncopied("no".into()),
        };
        spool.keep_base(rounds, paths.into_iter(), None, read).unwrap();
    }

    fn text(spool: &Spool, round: u32) -> Option<Found> {
        let base = spool.base(round).unwrap()?;
        Some(base.read(&base.files()[0]))
    }

    #[test]
    fn what_is_kept_is_found_by_every_round_that_was_sent_then() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(dir.path());
        assert_eq!(text(&spool, 1), None);
        keep(&spool, (1, 1), "one");
        keep(&spool, (3, 4), "two");
        let known = |text: &str| Some(Found::Text(text.into(), None));
        let want = [None, known("one"), None, known("two"), known("two"), None];
        assert_eq!([0, 1, 2, 3, 4, 5].map(|round| text(&spool, round)), want);
        let base = spool.base(1).unwrap().unwrap();
        let files: Vec<_> = base.files().iter().map(|file| (file.path(), base.read(file))).collect();
        assert_eq!(files[1..], [(&b"\xff"[..], Found::Uncopied("no".into())), (b"gone", Found::Nothing)]);
        // A send that died before its round came into being used this number.
        keep(&spool, (3, 3), "three");
        assert_eq!((text(&spool, 3), text(&spool, 4)), (known("three"), None));
        let copy = dir.path().join("whymark/r1/base/0003/1");
        fs::write(copy, "thr").unwrap();
        assert_eq!(text(&spool, 3), Some(Found::Uncopied("its copy is not whole".into())));
    }

    #[test]
    fn what_is_known_beside_the_copies_is_kept_too() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(dir.path());
        keep(&spool, (1, 1), "one");
        let base = spool.base(1).unwrap().unwrap();
        assert_eq!((base.reviewed(), base.around()), (3, None));
        let around = Around { head: Some("abc".to_owned()), reviewed: 1 };
        let paths: [&[u8]; 2] = [b"a", b"b"];
        let read = |_: &[u8]| Found::Text(b"x".to_vec(), Some(0o100_755));
        spool.keep_base((2, 2), paths.into_iter(), Some(around.clone()), read).unwrap();
        let base = spool.base(2).unwrap().unwrap();
        assert_eq!((base.reviewed(), base.around()), (1, Some(&around)));
        assert_eq!(base.read(&base.files()[1]), Found::Text(b"x".to_vec(), Some(0o100_755)));
    }

    #[test]
    fn only_the_last_are_kept_and_not_more_than_fits() {
        let dir = tempfile::tempdir().unwrap();
        let spool = spool(dir.path());
        (1..=12).for_each(|round| keep(&spool, (round, round), "x"));
        assert_eq!(numbers(&dir.path().join("whymark/r1/base")).unwrap(), (5..=12).collect::<Vec<_>>());
        let large = vec![b'x'; 7 << 20];
        let paths: Vec<String> = (0..11).map(|number| number.to_string()).collect();
        let read = |path: &[u8]| if path == b"0" { vec![b'x'; 9 << 20] } else { large.clone() };
        let paths = paths.iter().map(String::as_bytes);
        spool.keep_base((13, 13), paths, None, |path| Found::Text(read(path), None)).unwrap();
        let base = spool.base(13).unwrap().unwrap();
        let is_copied = |file: &BaseFile| matches!(base.read(file), Found::Text(..));
        let copied: Vec<bool> = base.files().iter().map(is_copied).collect();
        assert_eq!(copied, [[false].as_slice(), &[true; 9], &[false]].concat());
    }
}
