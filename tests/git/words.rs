//! A diff in the words of a document, once made from a document and once from what git prints.

use bstr::{BString, ByteSlice};

use crate::support::Sandbox;

/// A file of a diff, in the words of both.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct File {
    pub(super) header: String,
    hunks: BString,
}

impl File {
    /// The lines that hunks begin with.
    pub(super) fn headings(&self) -> impl Iterator<Item = &[u8]> {
        self.hunks.lines().filter(|line| line.starts_with(b"@@"))
    }
}

/// What `whymark new` prints, which has to succeed.
pub(super) fn document(sandbox: &Sandbox, args: &[&str]) -> Vec<u8> {
    let run = sandbox.run(&[&["new", "--stubs", "none", "-o", "-"], args].concat());
    assert_eq!((run.code, run.stderr.contains("error")), (0, false), "{args:?}: {}", run.stderr);
    run.stdout
}

/// The files of a document.
pub(super) fn of_document(text: &[u8]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in text.lines_with_terminator() {
        if let Some(header) = line.strip_prefix(b"@file ") {
            files.push(File { header: header.trim_end().to_str_lossy().into_owned(), hunks: BString::default() });
        } else if let Some(file) = files.last_mut()
            && line != b"\n"
        {
            file.hunks.extend_from_slice(line);
        }
    }
    files
}

/// The files of a diff of git, as a document words them. Only for names without blanks.
pub(super) fn of_git(sandbox: &Sandbox, args: &[&str]) -> Vec<File> {
    let plain = ["-c", "core.quotePath=false", "-c", "diff.noprefix=false", "-c", "diff.suppressBlankEmpty=false"];
    let shown = ["--no-color", "--no-ext-diff", "--no-textconv", "-M50%", "-U3", "--submodule=short"];
    let text = sandbox.git(&[&plain[..], args, &shown[..]].concat());
    let mut sections: Vec<(Vec<String>, BString)> = Vec::new();
    for line in text.lines_with_terminator() {
        if line.starts_with(b"diff --git ") {
            sections.push((Vec::new(), BString::default()));
        }
        let Some((head, hunks)) = sections.last_mut() else { continue };
        if hunks.is_empty() && !line.starts_with(b"@@ ") {
            head.push(line.trim_end().to_str_lossy().into_owned());
        } else {
            hunks.extend_from_slice(line);
        }
    }
    sections.into_iter().map(|(head, hunks)| File { header: header(&head, &hunks), hunks }).collect()
}

/// The `@file` line, made from the header of git's section.
fn header(head: &[String], hunks: &BString) -> String {
    let after = |prefix: &str| head.iter().find_map(|line| line.strip_prefix(prefix)).map(str::to_owned);
    let name = head[0].rsplit_once(" b/").unwrap().1;
    let (added, deleted, from) = (after("new file mode "), after("deleted file mode "), after("rename from "));
    let status = match (&added, &deleted, &from) {
        (Some(_), ..) => "added",
        (_, Some(_), _) => "deleted",
        (.., Some(_)) => "renamed",
        _ => "modified",
    };
    let binary = head.iter().any(|line| line.starts_with("Binary files"));
    let count = |sign: &[u8]| hunks.lines().filter(|line| line.starts_with(sign)).count();
    let mut out = format!("{name} {status}");
    if !binary {
        out += &format!(" +{} -{}", count(b"+"), count(b"-"));
    }
    if let Some(from) = from {
        out += &format!(" from={from}");
    }
    let index = after("index ");
    let (ids, mode) = index.as_deref().map_or((None, None), |index| match index.split_once(' ') {
        Some((ids, mode)) => (ids.split_once(".."), Some(mode.to_owned())),
        None => (index.split_once(".."), None),
    });
    let id = |id: Option<&str>| id.filter(|id| id.contains(|c| c != '0')).map(str::to_owned);
    for (key, id) in [("oldsha", id(ids.map(|ids| ids.0))), ("newsha", id(ids.map(|ids| ids.1)))] {
        out += &id.map(|id| format!(" {key}={id}")).unwrap_or_default();
    }
    let old = after("old mode ").or(deleted).or(mode.clone());
    let new = after("new mode ").or(added).or(mode);
    for (key, mode) in [("oldmode", old), ("newmode", new)] {
        let absent = (key == "oldmode" && status == "added") || (key == "newmode" && status == "deleted");
        out +=
            &mode.filter(|mode| mode != "100644" && !absent).map(|mode| format!(" {key}={mode}")).unwrap_or_default();
    }
    if binary { out + " binary" } else { out }
}

/// Where git shows no ids because content stays (a pure rename, a mode), a document has them all the same.
pub(super) fn without_ids_of_same_content(files: Vec<File>) -> Vec<File> {
    let same =
        |file: &File| file.hunks.is_empty() && !file.header.contains("binary") && !file.header.contains(" added ");
    let words =
        |text: &str| text.split(' ').filter(|w| !w.contains("sha=")).map(str::to_owned).collect::<Vec<_>>().join(" ");
    files.into_iter().map(|f| if same(&f) { File { header: words(&f.header), ..f } } else { f }).collect()
}
