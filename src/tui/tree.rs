//! The changed files as a tree, in the order of the diff: folders with what is in them, those with a single folder in them
//! joined; and which of its rows are shown while folders are closed. Pure.

use std::collections::HashSet;
use std::ops::Range;

use bstr::{BStr, BString, ByteSlice as _};

use crate::capture::Heading;

/// A row of the tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeRow {
    /// How many folders it is in.
    pub depth: usize,
    /// The name: of a folder without the ones it is in, ending in a slash.
    pub name: BString,
    /// The part with the file, or with the first file in the folder.
    pub part: usize,
    /// Of a folder its whole path, ending in a slash.
    pub folder: Option<BString>,
    /// Of a heading of the file its line, by index.
    pub line: Option<u32>,
}

/// The folders that are closed, by their whole paths: they stay so while files come and go.
pub type Closed = HashSet<BString>;

/// The rows that are shown, by index: what is in a closed folder is not.
#[must_use]
pub fn shown(rows: &[TreeRow], closed: &Closed) -> Vec<usize> {
    let mut shown = Vec::with_capacity(rows.len());
    let mut at = 0;
    while let Some(row) = rows.get(at) {
        shown.push(at);
        let is_closed = row.folder.as_ref().is_some_and(|folder| closed.contains(folder));
        at = if is_closed { inside(rows, at).end } else { at + 1 };
    }
    shown
}

/// The rows that are in the folder at `at`, or the headings of the file there.
#[must_use]
pub fn inside(rows: &[TreeRow], at: usize) -> Range<usize> {
    let depth = rows[at].depth;
    let count = rows[at + 1..].iter().take_while(|row| row.depth > depth).count();
    at + 1..at + 1 + count
}

/// The folders that the row at `at` is in, by index, the innermost first.
pub fn folders_around(rows: &[TreeRow], at: usize) -> impl Iterator<Item = usize> + '_ {
    let mut depth = rows.get(at).map_or(0, |row| row.depth);
    (0..at).rev().filter(move |index| {
        let row = &rows[*index];
        let is_around = row.folder.is_some() && row.depth < depth;
        depth = if is_around { row.depth } else { depth };
        is_around
    })
}

/// The rows for these files: the index of the part and the path of each. Files of one folder that do not stand side by side
/// have a row of their folder each: the order of the diff is kept.
#[must_use]
pub fn rows(files: &[(usize, &BStr)]) -> Vec<TreeRow> {
    let mut rows = Vec::new();
    add(&mut rows, files, 0, 0);
    rows
}

/// The same with the headings of each file below it, which `outline` names by the index of its part.
#[must_use]
pub fn with_headings<'a>(rows: Vec<TreeRow>, outline: impl Fn(usize) -> &'a [(u32, Heading)]) -> Vec<TreeRow> {
    let headings_of = |row: &TreeRow| {
        let headings = if row.folder.is_some() { &[][..] } else { outline(row.part) };
        let (part, depth) = (row.part, row.depth);
        headings.iter().map(move |(line, heading)| TreeRow {
            depth: depth + usize::from(heading.level),
            name: heading.title.as_str().into(),
            part,
            folder: None,
            line: Some(*line),
        })
    };
    rows.into_iter()
        .flat_map(|row| {
            let headings: Vec<TreeRow> = headings_of(&row).collect();
            std::iter::once(row).chain(headings)
        })
        .collect()
}

/// Add the rows of `files`, the first `start` bytes of whose paths are the folders they are in.
fn add(rows: &mut Vec<TreeRow>, files: &[(usize, &BStr)], start: usize, depth: usize) {
    let mut rest = files;
    while let Some(((part, path), others)) = rest.split_first() {
        let Some(folder) = path[start..].find_byte(b'/').map(|at| &path[start..=start + at]) else {
            let name = path[start..].into();
            rows.push(TreeRow { depth, name, part: *part, folder: None, line: None });
            rest = others;
            continue;
        };
        let count = rest.iter().take_while(|(_, path)| path[start..].starts_with(folder)).count();
        let (inside, behind) = rest.split_at(count);
        let end = start + joined(inside, start);
        let folder = Some(path[..end].into());
        rows.push(TreeRow { depth, name: path[start..end].into(), part: *part, folder, line: None });
        add(rows, inside, end, depth + 1);
        rest = behind;
    }
}

/// The bytes of the folders below `start` that all of `files` are in.
fn joined(files: &[(usize, &BStr)], start: usize) -> usize {
    let first = &files[0].1[start..];
    let same = |path: &&BStr| first.iter().zip(path[start..].iter()).take_while(|(one, other)| one == other).count();
    let shared = files.iter().map(|(_, path)| same(path)).min().unwrap_or(0);
    first[..shared].rfind_byte(b'/').map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn drawn(paths: &[&str]) -> String {
        let files: Vec<(usize, &BStr)> = paths.iter().map(BStr::new).enumerate().collect();
        let row = |row: &TreeRow| format!("{}{}", "  ".repeat(row.depth), row.name);
        rows(&files).iter().map(row).collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn folders_with_one_folder_in_them_are_joined() {
        for (paths, want) in [
            (&["a", "b/c"][..], "a\nb/\n  c"),
            (&["src/tui/view/a.rs", "src/tui/view/b.rs"], "src/tui/view/\n  a.rs\n  b.rs"),
            (&["a/b/c", "a/b/d/e/f", "a/g"], "a/\n  b/\n    c\n    d/e/\n      f\n  g"),
            (&["ab/c", "abc/d"], "ab/\n  c\nabc/\n  d"),
            (&["a/x", "b", "a/y"], "a/\n  x\nb\na/\n  y"),
            (&[], ""),
            (&["/a", "//b", "a//b", "a/"], "/\n  a\n  /\n    b\na/\n  /\n    b\n  "),
        ] {
            assert_eq!(drawn(paths), want);
        }
    }

    #[test]
    fn a_closed_folder_hides_what_is_in_it_and_nothing_else() {
        let paths = ["a/b/c", "a/b/d/e/f", "a/g", "h", "a/b/i"];
        let files: Vec<(usize, &BStr)> = paths.iter().map(BStr::new).enumerate().collect();
        let rows = rows(&files);
        for (closed, want) in [
            (&[][..], "a/ b/ c d/e/ f g h a/b/ i"),
            (&["a/"], "a/ h a/b/ i"),
            (&["a/b/"], "a/ b/ g h a/b/"),
            (&["a/b/d/e/", "nowhere/"], "a/ b/ c d/e/ g h a/b/ i"),
            (&["a/", "a/b/"], "a/ h a/b/"),
        ] {
            let closed = closed.iter().map(|folder| BString::from(*folder)).collect();
            let names: Vec<String> = shown(&rows, &closed).into_iter().map(|at| rows[at].name.to_string()).collect();
            assert_eq!(names.join(" "), want, "{closed:?}");
        }
        assert_eq!(folders_around(&rows, 4).collect::<Vec<_>>(), [3, 1, 0]);
        assert_eq!(folders_around(&rows, 6).count(), 0);
    }

    proptest! {
        #[test]
        fn every_file_is_there_once_and_in_order(paths in prop::collection::vec("[ab/]{1,8}", 0..20)) {
            let files: Vec<(usize, &BStr)> = paths.iter().map(|path| BStr::new(path.as_str())).enumerate().collect();
            let rows = rows(&files);
            let found: Vec<usize> = rows.iter().filter(|row| row.folder.is_none()).map(|row| row.part).collect();
            prop_assert_eq!(found, (0..paths.len()).collect::<Vec<_>>());
            let mut folders: Vec<BString> = Vec::new();
            for row in rows {
                folders.truncate(row.depth);
                prop_assert_eq!(folders.len(), row.depth);
                let whole: Vec<u8> = folders.iter().chain([&row.name]).flat_map(|name| name.iter().copied()).collect();
                if let Some(folder) = row.folder {
                    prop_assert_eq!(whole, folder);
                    folders.push(row.name);
                } else {
                    prop_assert_eq!(whole, paths[row.part].as_bytes());
                }
            }
        }
    }
}
