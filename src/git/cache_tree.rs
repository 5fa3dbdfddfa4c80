//! The trees that the index knows its folders to be, from the extension `TREE` of its file. With them a folder that was
//! not touched since HEAD is told without a look at what is in it. libgit2 reads the extension and keeps it to itself.

use std::collections::HashMap;

use bstr::{BStr, BString, ByteSlice};
use git2::Oid;

/// Bytes of an id, and of the checksum that ends the file.
const ID_LEN: usize = 20;
/// Bytes in front of the name of an entry: what `stat` says, the id, flags.
const ENTRY_HEAD: usize = 40 + ID_LEN + 2;

/// Folders, each with a slash at its end, the top without a name.
pub(super) type Folders = HashMap<BString, Oid>;

/// The folders of which the index file `file` of `count` entries names the tree; none where it has other entries, or
/// where anything about it is not as it should be.
pub(super) fn folders(file: &[u8], count: usize) -> Folders {
    extension(file, count).and_then(read).unwrap_or_default()
}

/// A reader of the bytes that are left.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    /// What stands in front of the next `end`, which is taken too.
    fn until(&mut self, end: u8) -> Option<&'a [u8]> {
        let len = self.0.find_byte(end)?;
        let taken = self.take(len);
        self.take(1)?;
        taken
    }

    fn number(&mut self) -> Option<usize> {
        let bytes = self.take(4)?.try_into().ok()?;
        usize::try_from(u32::from_be_bytes(bytes)).ok()
    }
}

/// The content of the extension.
fn extension(file: &[u8], count: usize) -> Option<&[u8]> {
    let mut rest = Rest(file.get(..file.len().checked_sub(ID_LEN)?)?);
    if rest.take(4)? != b"DIRC" {
        return None;
    }
    let version = rest.number()?;
    if !(2..=4).contains(&version) || rest.number()? != count {
        return None;
    }
    for _ in 0..count {
        skip_entry(&mut rest, version)?;
    }
    while !rest.0.is_empty() {
        let name = rest.take(4)?;
        let len = rest.number()?;
        let content = rest.take(len)?;
        if name == b"TREE" {
            return Some(content);
        }
    }
    None
}

fn skip_entry(rest: &mut Rest<'_>, version: usize) -> Option<()> {
    const EXTENDED: u8 = 0x40;
    let before = rest.0.len();
    let head = rest.take(ENTRY_HEAD)?;
    if version > 2 && head[ENTRY_HEAD - 2] & EXTENDED != 0 {
        rest.take(2)?;
    }
    if version == 4 {
        // How much of the name before is left out, in as many bytes as it takes.
        while rest.take(1)?[0] & 0x80 != 0 {}
        rest.until(0)?;
    } else {
        rest.until(0)?;
        // Filled up to a multiple of eight bytes, of which one NUL was taken.
        let len = before - rest.0.len();
        rest.take(len.next_multiple_of(8) - len)?;
    }
    Some(())
}

/// Folders come in front of what is in them, each with the number of folders in it. One without a tree was touched.
fn read(content: &[u8]) -> Option<Folders> {
    let mut rest = Rest(content);
    let mut folders = Folders::new();
    // The folders that still have some to come, and how many.
    let mut open: Vec<(BString, usize)> = Vec::new();
    while !rest.0.is_empty() {
        while open.last().is_some_and(|(_, left)| *left == 0) {
            open.pop();
        }
        let name = rest.until(0)?;
        let path = match open.last_mut() {
            None => BString::default(),
            Some((parent, left)) => {
                *left -= 1;
                bstr::concat([parent.as_slice(), name, b"/"]).into()
            }
        };
        let entries: i64 = rest.until(b' ')?.to_str().ok()?.parse().ok()?;
        let inside = rest.until(b'\n')?.to_str().ok()?.parse().ok()?;
        if entries >= 0 {
            folders.insert(path.clone(), Oid::from_bytes(rest.take(ID_LEN)?).ok()?);
        }
        open.push((path, inside));
    }
    Some(folders)
}

/// Which of sorted paths lie in sorted folders.
pub(super) struct Below<'a> {
    folders: &'a [BString],
}

impl<'a> Below<'a> {
    /// In `folders`, which are in order and each end in a slash, unless one is the top.
    pub(super) fn new(folders: &'a [BString]) -> Self {
        Self { folders }
    }

    /// Whether `path` is in one of them. Paths are asked for in order.
    pub(super) fn has(&mut self, path: &BStr) -> bool {
        while let Some((folder, after)) = self.folders.split_first() {
            if path.starts_with(folder) {
                return true;
            }
            if folder.as_bstr() > path {
                return false;
            }
            self.folders = after;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(byte: u8) -> [u8; ID_LEN] {
        [byte; ID_LEN]
    }

    /// An index file with these names and this extension.
    fn index(version: u8, names: &[&str], tree: &[u8]) -> Vec<u8> {
        let mut file = [&b"DIRC\0\0\0"[..], &[version, 0, 0, 0, u8::try_from(names.len()).unwrap()]].concat();
        for name in names {
            let start = file.len();
            file.extend([0; ENTRY_HEAD]);
            if version == 3 {
                file[start + ENTRY_HEAD - 2] = 0x40;
                file.extend([0, 0]);
            }
            if version == 4 {
                file.extend([0x81, 0x00]);
            }
            file.extend_from_slice(name.as_bytes());
            file.push(0);
            while version < 4 && (file.len() - start) % 8 != 0 {
                file.push(0);
            }
        }
        for (name, content) in [(b"REUC", &b"x"[..]), (b"TREE", tree)] {
            file.extend_from_slice(name);
            file.extend(u32::try_from(content.len()).unwrap().to_be_bytes());
            file.extend_from_slice(content);
        }
        file.extend(id(0));
        file
    }

    #[test]
    fn folders_are_read_behind_entries_of_any_version() {
        let tree =
            [&b"\0-1 2\n"[..], b"a\x003 1\n", &id(1), b"in\x002 0\n", &id(2), b"b\0-1 1\n", b"c\x001 0\n", &id(3)]
                .concat();
        for version in 2..=4 {
            let file = index(version, &["a/1", "a/in/long name", "b/c/x"], &tree);
            let found = folders(&file, 3);
            let expected = [("a/", 1), ("a/in/", 2), ("b/c/", 3)];
            assert_eq!(found.len(), expected.len(), "version {version}");
            for (folder, byte) in expected {
                assert_eq!(found.get(BStr::new(folder)).unwrap().as_bytes(), id(byte), "{folder}");
            }
            assert!(folders(&file, 4).is_empty(), "another index");
            for end in 0..file.len() {
                folders(&file[..end], 3);
            }
        }
    }

    #[test]
    fn paths_in_folders() {
        let folders: Vec<BString> = ["a/", "b/c/"].map(BString::from).into();
        let mut below = Below::new(&folders);
        let found: Vec<bool> =
            ["a-b", "a/x", "a/y/z", "a0", "b/b", "b/c/d", "c"].iter().map(|path| below.has(BStr::new(path))).collect();
        assert_eq!(found, [false, true, true, false, false, true, false]);
        assert!(Below::new(&[BString::default()]).has(BStr::new("any")));
    }
}
