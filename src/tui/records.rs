//! The Markback files of a review, its own and those beside the changed files: which record is about which file. Pure.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use bstr::{BStr, BString, ByteSlice};

use crate::markback::{Checks, Markback, Post, Range, Record, Reference, lint, sidecar};

/// The new-side lines that a record names, first and last; `None` for the file as a whole.
pub type Lines = Option<(u64, u64)>;

/// Names a record: its file, and its index there. Stays valid until that file is replaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct RecordRef {
    /// The file, by index; 0 is the review's own.
    pub file: usize,
    /// The record in it.
    pub record: usize,
}

/// A record where it is shown: a reply stands at the lines that its thread is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Placed {
    /// The record.
    pub record: RecordRef,
    /// The lines.
    pub lines: Lines,
}

/// Where a Markback file is, and from where it names files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file.
    pub path: PathBuf,
    /// The folder that it must not lead out of.
    pub within: PathBuf,
    /// Its folder, as names from the root of the repository; `None` when it lies outside.
    folder: Option<Vec<BString>>,
    /// The file that it stands beside, from the root: what its records are about that name none.
    content: Option<BString>,
}

impl Place {
    /// The file at `path`, which lies in `folder`, seen from the root of the repository (`None`: outside of it).
    #[must_use]
    pub fn new(path: PathBuf, within: PathBuf, folder: Option<&Path>) -> Self {
        let names = |folder: &Path| folder.iter().map(|name| name.as_encoded_bytes().into()).collect();
        Self { path, within, folder: folder.map(names), content: None }
    }

    /// The sidecar of the file at `path`, seen from the root of the repository; `None` where this system has no such path.
    #[must_use]
    pub fn beside(path: &BStr, root: &Path) -> Option<Self> {
        let path_here = path.to_path().ok()?;
        let folder = path_here.parent();
        let place = Self::new(sidecar::of(&root.join(path_here)), root.to_owned(), folder);
        Some(Self { content: Some(path.to_owned()), ..place })
    }

    /// The same, taken as the sidecar that it is by its name: about the file beside it where it names none.
    #[must_use]
    pub fn as_sidecar(self) -> Self {
        let content = self.folder.as_ref().zip(sidecar::content_of(&self.path)).and_then(|(folder, content)| {
            let name = content.file_name()?.as_encoded_bytes();
            Some(folder.iter().map(|name| name.as_slice()).chain([name]).collect::<Vec<_>>().join(&b"/"[..]).into())
        });
        Self { content, ..self }
    }

    /// The same for another file in that folder.
    #[must_use]
    pub fn at(self, path: PathBuf) -> Self {
        Self { path, ..self }
    }

    /// `path`, seen from the root, as a record in this file names it.
    ///
    /// # Errors
    /// A sentence, when a record cannot name it.
    pub fn path_to(&self, path: &BStr) -> Result<String, &'static str> {
        let folder = self
            .folder
            .as_ref()
            .ok_or("the Markback file lies outside the repository, and its paths would not be found")?;
        let path = path.to_str().map_err(|_| "the path is not UTF-8, and Markback names files in UTF-8")?;
        let names: Vec<&str> = path.split('/').collect();
        let parents = &names[..names.len() - 1];
        let shared = folder.iter().zip(parents).take_while(|(folder, name)| **folder == name.as_bytes()).count();
        let seen = format!("{}{}", "../".repeat(folder.len() - shared), names[shared..].join("/"));
        let is_taken_apart = Reference::parse(&seen).path != seen || Reference::parse(&seen).is_uri();
        if is_taken_apart {
            Err("Markback would read the end of this path as a line, or all of it as a URI")
        } else {
            Ok(seen)
        }
    }
}

/// A Markback file.
#[derive(Debug, Clone)]
pub struct RecordFile {
    /// Where it is.
    pub place: Place,
    /// What it says.
    pub text: Markback,
}

impl RecordFile {
    /// What is wrong with it, in a sentence: it is shown as far as it can be read.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        let is_broken = lint(&self.text, Checks::default()).iter().any(|finding| finding.is_error());
        let name = self.place.path.file_name().unwrap_or_default().to_string_lossy();
        is_broken
            .then(|| format!("{name} has errors and is shown as far as it can be read: `whymark mb lint` names them"))
    }

    /// The records by the file they are about, in the order of their threads; and the place of each record in its thread.
    fn index(&self, file: usize) -> (Vec<(BString, Placed)>, Vec<Post>) {
        let records: Vec<Record<'_>> = self.text.records().collect();
        let mut posts = self.text.threads();
        let mut placed = Vec::new();
        for Post { record, root, .. } in &posts {
            let (path, lines) = self.subject(&records[*root]).unwrap_or_default();
            placed.push((path, Placed { record: RecordRef { file, record: *record }, lines }));
        }
        posts.sort_by_key(|post| post.record);
        (placed, posts)
    }

    /// The file and lines that a record is about.
    fn subject(&self, record: &Record<'_>) -> Option<(BString, Lines)> {
        let Some(value) = &record.file else { return Some((self.place.content.clone()?, None)) };
        let reference = Reference::parse(value);
        let folder = self.place.folder.as_ref().filter(|_| !reference.is_uri())?;
        let lines =
            reference.range.map(|range| (range.start.line.min(range.end.line), range.start.line.max(range.end.line)));
        Some((resolved(folder, reference.path)?, lines))
    }
}

/// All of them, to be asked by file.
#[derive(Debug, Clone)]
pub struct Records {
    files: Vec<RecordFile>,
    /// The place of each record of each file in its thread.
    posts: Vec<Vec<Post>>,
    by_path: HashMap<BString, Vec<Placed>>,
}

impl Records {
    /// Those of the review's own file.
    #[must_use]
    pub fn new(own: RecordFile) -> Self {
        let mut records = Self { files: Vec::new(), posts: Vec::new(), by_path: HashMap::new() };
        records.put(own);
        records
    }

    /// Take what a file says now, one that is known or another one; its index.
    pub fn put(&mut self, file: RecordFile) -> usize {
        let known = self.files.iter().position(|other| other.place.path == file.place.path);
        let index = known.unwrap_or(self.files.len());
        let (placed, posts) = file.index(index);
        if known.is_some() {
            self.by_path.values_mut().for_each(|about| about.retain(|placed| placed.record.file != index));
            (self.files[index].text, self.posts[index]) = (file.text, posts);
        } else {
            self.files.push(file);
            self.posts.push(posts);
        }
        for (path, placed) in placed {
            let about = self.by_path.entry(path).or_default();
            let at = about.partition_point(|other| other.record.file <= index);
            about.insert(at, placed);
        }
        index
    }

    /// The review's own file, where new records go.
    #[must_use]
    pub fn own(&self) -> &RecordFile {
        &self.files[0]
    }

    /// All of the files.
    #[must_use]
    pub fn files(&self) -> &[RecordFile] {
        &self.files
    }

    /// The file that a record is in.
    #[must_use]
    pub fn file(&self, record: RecordRef) -> Option<&RecordFile> {
        self.files.get(record.file)
    }

    /// The file at `path`, if it is one of them.
    #[must_use]
    pub fn at(&self, path: &Path) -> Option<&RecordFile> {
        self.files.iter().find(|file| file.place.path == path)
    }

    /// The index of the file at `path`.
    #[must_use]
    pub fn index_of(&self, path: &Path) -> Option<usize> {
        self.files.iter().position(|file| file.place.path == path)
    }

    /// A record.
    #[must_use]
    pub fn get(&self, record: RecordRef) -> Option<Record<'_>> {
        self.file(record)?.text.record(record.record)
    }

    /// How many records a record answers, directly and by way of others.
    #[must_use]
    pub fn depth(&self, record: RecordRef) -> usize {
        self.post(record).map_or(0, |post| post.depth)
    }

    /// The record that the thread of a record begins with.
    #[must_use]
    pub fn root_of(&self, record: RecordRef) -> RecordRef {
        RecordRef { record: self.post(record).map_or(record.record, |post| post.root), ..record }
    }

    /// Whether a record is settled: it is resolved itself, or what its thread begins with is.
    #[must_use]
    pub fn is_settled(&self, record: RecordRef) -> bool {
        let is_resolved = |record| self.get(record).is_some_and(|record| record.is_resolved());
        is_resolved(record) || is_resolved(self.root_of(record))
    }

    /// The records that answer a record directly.
    #[must_use]
    pub fn answers(&self, record: RecordRef) -> Vec<Record<'_>> {
        let Some(file) = self.file(record) else { return Vec::new() };
        let Some(id) = file.text.record(record.record).and_then(|record| record.id) else { return Vec::new() };
        if file.text.with_id(&id) != Some(record.record) {
            return Vec::new();
        }
        let is_answer = |other: &(usize, Record<'_>)| other.0 != record.record && other.1.reply_to == Some(id.clone());
        file.text.records().enumerate().filter(is_answer).map(|(_, answer)| answer).collect()
    }

    fn post(&self, record: RecordRef) -> Option<&Post> {
        self.posts.get(record.file)?.get(record.record)
    }

    /// The last record of a file.
    #[must_use]
    pub fn last(&self, file: usize) -> Option<RecordRef> {
        let record = self.files.get(file)?.text.entries().len().checked_sub(1)?;
        Some(RecordRef { file, record })
    }

    /// The files that records are about, in the order of the records.
    #[must_use]
    pub fn paths(&self) -> Vec<&BStr> {
        let mut paths: Vec<(RecordRef, &BStr)> = self
            .by_path
            .iter()
            .filter(|(path, _)| !path.is_empty())
            .filter_map(|(path, about)| Some((about.iter().map(|placed| placed.record).min()?, path.as_ref())))
            .collect();
        paths.sort_unstable();
        paths.into_iter().map(|(_, path)| path).collect()
    }

    /// The records about the file at `path` (empty: about no file of the repository): those of the review first, answers below what they answer.
    #[must_use]
    pub fn on(&self, path: &BStr) -> &[Placed] {
        self.by_path.get(path).map_or(&[], Vec::as_slice)
    }
}

/// The place in its file that a record names; replies are about what they answer.
#[must_use]
pub fn named_range(record: &Record<'_>) -> Option<Range> {
    let file = record.file.as_deref().filter(|_| record.reply_to.is_none())?;
    Reference::parse(file).range
}

/// The lines that a record names, out of a text of its whole file.
#[must_use]
pub fn named_lines_of(record: &Record<'_>, text: &str) -> Option<String> {
    let Range { start, end } = named_range(record)?;
    let (first, last) = (start.line.min(end.line).max(1), start.line.max(end.line));
    let count = |lines: u64| usize::try_from(lines).unwrap_or(usize::MAX);
    let lines: Vec<&str> = text.lines().skip(count(first - 1)).take(count((last - first).saturating_add(1))).collect();
    Some(lines.join("\n")).filter(|_| !lines.is_empty())
}

/// The path in the repository that `path`, seen from `folder`, names; `None` for one that leaves it.
fn resolved(folder: &[BString], path: &str) -> Option<BString> {
    let mut names: Vec<&[u8]> = folder.iter().map(|name| name.as_slice()).collect();
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

    fn own(text: &str, folder: Option<&str>) -> RecordFile {
        let place = Place::new("reviews/x.mb".into(), ".".into(), folder.map(Path::new));
        RecordFile { place, text: Markback::parse(text.to_owned()) }
    }

    fn beside(path: &str, text: &str) -> RecordFile {
        let place = Place::beside(path.into(), Path::new("/r")).expect("it is a path");
        RecordFile { place, text: Markback::parse(text.to_owned()) }
    }

    fn on(records: &Records, path: &str) -> Vec<(usize, usize, Lines)> {
        records.on(path.into()).iter().map(|placed| (placed.record.file, placed.record.record, placed.lines)).collect()
    }

    #[test]
    fn records_are_found_by_the_file_they_name() {
        let text = "@file ../src/a.rs:3-5 <<< one\n@file ../src/./b.rs <<< two\n@file ../../x <<< out\n@file http://h/src/a.rs <<< uri\n\
            @file ../src/a.rs:9-7 <<< three\n---\n<<< none\n";
        let records = Records::new(own(text, Some("reviews")));
        assert_eq!(on(&records, "src/a.rs"), [(0, 0, Some((3, 5))), (0, 4, Some((7, 9)))]);
        assert_eq!(on(&records, "src/b.rs"), [(0, 1, None)]);
        assert_eq!(on(&records, "x"), []);
        assert_eq!(on(&records, ""), [(0, 2, None), (0, 3, None), (0, 5, None)]);
        assert_eq!(records.paths(), ["src/a.rs", "src/b.rs"]);
    }

    #[test]
    fn a_path_is_named_from_the_folder_of_the_file() {
        let reviews = own("", Some("reviews")).place;
        assert_eq!(reviews.path_to("src/a.rs".into()), Ok("../src/a.rs".to_owned()));
        assert_eq!(reviews.path_to("reviews/a".into()), Ok("a".to_owned()));
        assert_eq!(beside("src/a.rs", "").place.path_to("src/a.rs".into()), Ok("a.rs".to_owned()));
        assert_eq!(beside("src/a.rs", "").place.path_to("lib/src/a".into()), Ok("../lib/src/a".to_owned()));
        assert!(own("", None).place.path_to("src/a.rs".into()).is_err());
        assert!(reviews.path_to("src/a:3".into()).is_err() && own("", Some("")).place.path_to("ab:c".into()).is_err());
    }

    #[test]
    fn answers_stand_where_their_thread_does() {
        let text = "@id a\n@file f:2\n<<< one\n---\n@file f:1 <<< two\n---\n@reply-to a\n<<< yes\n---\n@reply-to a\n@file g\n<<< no\n";
        let records = Records::new(own(text, Some("")));
        assert_eq!(
            on(&records, "f"),
            [(0, 0, Some((2, 2))), (0, 2, Some((2, 2))), (0, 3, Some((2, 2))), (0, 1, Some((1, 1)))]
        );
        assert_eq!(on(&records, "g"), []);
        let depth = |record| records.depth(RecordRef { file: 0, record });
        assert_eq!([0, 1, 2, 3, 4].map(depth), [0, 0, 1, 1, 0]);
    }

    #[test]
    fn a_sidecar_is_about_its_file_and_comes_behind_the_review() {
        let mut records = Records::new(own("@file ../src/a.rs <<< one\n", Some("reviews")));
        assert_eq!(
            records.put(beside("src/a.rs", "@file a.rs:3 <<< two\n---\n<<< three\n---\n@file b.rs <<< four\n")),
            1
        );
        assert_eq!(on(&records, "src/a.rs"), [(0, 0, None), (1, 0, Some((3, 3))), (1, 1, None)]);
        assert_eq!(on(&records, "src/b.rs"), [(1, 2, None)]);
        assert_eq!(records.put(own("@file ../src/b.rs <<< one\n@file ../src/a.rs <<< two\n", Some("reviews"))), 0);
        assert_eq!(on(&records, "src/a.rs"), [(0, 1, None), (1, 0, Some((3, 3))), (1, 1, None)]);
        assert_eq!(on(&records, "src/b.rs"), [(0, 0, None), (1, 2, None)]);
        assert_eq!(records.last(1), Some(RecordRef { file: 1, record: 2 }));
        assert_eq!(records.at(Path::new("/r/src/a.rs.mb")).map(|file| file.text.entries().len()), Some(3));
    }
}
