//! The Markback records of a review: which of them are about which file. Pure.

use std::collections::HashMap;
use std::path::PathBuf;

use bstr::{BStr, BString, ByteSlice};

use crate::markback::{Markback, Record, Reference};

/// The new-side lines that a record names, first and last; `None` for the file as a whole.
pub type Lines = Option<(u64, u64)>;

/// The records, to be asked by file.
#[derive(Debug, Clone)]
pub struct Records {
    file: Markback,
    /// The folder of the file, as names from the root of the repository; `None` when it lies outside.
    folder: Option<Vec<Vec<u8>>>,
    by_path: HashMap<BString, Vec<(u32, Lines)>>,
}

impl Records {
    /// The records of `file`, which lies in `folder`, seen from the root of the repository (`None`: outside of it).
    #[must_use]
    pub fn new(file: Markback, folder: Option<PathBuf>) -> Self {
        let names = |folder: PathBuf| folder.iter().map(|name| name.as_encoded_bytes().to_vec()).collect();
        let mut records = Self { file, folder: folder.map(names), by_path: HashMap::new() };
        records.index();
        records
    }

    /// Take what the file says now.
    pub fn replace(&mut self, file: Markback) {
        self.file = file;
        self.index();
    }

    /// The record with that index.
    #[must_use]
    pub fn get(&self, index: u32) -> Option<Record<'_>> {
        self.file.record(index as usize)
    }

    /// The index of the last record.
    #[must_use]
    pub fn last(&self) -> Option<u32> {
        u32::try_from(self.file.entries().len().checked_sub(1)?).ok()
    }

    /// The records about the file at `path`: their indices, and the lines they name.
    #[must_use]
    pub fn on(&self, path: &BStr) -> &[(u32, Lines)] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }

    /// `path` as a record names it: from the folder of the records.
    ///
    /// # Errors
    /// A sentence, when a record cannot name it.
    pub fn path_to(&self, path: &BStr) -> Result<String, &'static str> {
        let folder = self
            .folder
            .as_ref()
            .ok_or("the Markback file lies outside the repository, and its paths would not be found")?;
        let path = path.to_str().map_err(|_| "the path is not UTF-8, and Markback names files in UTF-8")?;
        Ok(format!("{}{path}", "../".repeat(folder.len())))
    }

    fn index(&mut self) {
        self.by_path.clear();
        let Some(folder) = &self.folder else { return };
        for (index, record) in (0u32..).zip(self.file.records()) {
            let Some(value) = record.file else { continue };
            let reference = Reference::parse(&value);
            let Some(path) = resolved(folder, reference.path).filter(|_| !reference.is_uri()) else { continue };
            let lines = reference
                .range
                .map(|range| (range.start.line.min(range.end.line), range.start.line.max(range.end.line)));
            self.by_path.entry(path).or_default().push((index, lines));
        }
    }
}

/// The path in the repository that `path`, seen from `folder`, names; `None` for one that leaves it.
fn resolved(folder: &[Vec<u8>], path: &str) -> Option<BString> {
    let mut names: Vec<&[u8]> = folder.iter().map(Vec::as_slice).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            _ => names.push(name.as_bytes()),
        }
    }
    Some(names.join(&b"/"[..]).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_found_by_the_file_they_name() {
        let text = "@file ../src/a.rs:3-5 <<< one\n@file ../src/./b.rs <<< two\n@file ../../x <<< out\n@file http://h/src/a.rs <<< uri\n\
            @file ../src/a.rs:9-7 <<< three\n";
        let records = Records::new(Markback::parse(text), Some("reviews".into()));
        assert_eq!(records.on("src/a.rs".into()), [(0, Some((3, 5))), (4, Some((7, 9)))]);
        assert_eq!(records.on("src/b.rs".into()), [(1, None)]);
        assert_eq!(records.on("x".into()), []);
        assert_eq!(records.path_to("src/a.rs".into()), Ok("../src/a.rs".to_owned()));
        assert!(Records::new(Markback::parse(text), None).path_to("src/a.rs".into()).is_err());
    }
}
