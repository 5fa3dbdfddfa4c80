//! A review without its annotations: the patch that `git apply` takes, byte for byte what `git diff` would have said.
//!
//! Notes, checks, comments and stray lines are left out; what is sloppy in a way that has one meaning (counts of a hunk,
//! a lost prefix) is mended; what would make the patch say something else than the change is refused ([`Refusal`]).
//! Nothing here looks at a repository.

mod file;
mod hunks;

use std::collections::HashMap;
use std::fmt;

pub(crate) use file::quoted;

use super::{Document, FileStatus};

/// A patch, and the files of the review that are not in it because nothing in the review says that they changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Patch {
    /// The patch; empty when nothing changed.
    pub text: Vec<u8>,
    /// The parts that say nothing about a change, as indices into [`Document::parts`]; not those that are there for
    /// background only.
    pub unchanged: Vec<usize>,
}

/// Why a section cannot be in a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefusalKind {
    /// Its content is not text, and the review doesn't hold it.
    Binary,
    /// It has hunks, but no `@file` line that names a file.
    NoPath,
    /// It is renamed, but nothing says from where.
    NoOrigin,
    /// Its ids say that lines changed, but there is no hunk.
    NoHunks,
    /// A hunk without ranges adds lines, and no line around them says where.
    NoPlace,
    /// The same file stands twice, and the two are not parts of one change.
    Twice,
}

/// A section that cannot be in a patch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Refusal {
    /// The section, as an index into [`Document::parts`].
    pub part: usize,
    /// Why.
    pub kind: RefusalKind,
}

impl fmt::Display for RefusalKind {
    /// A clause that goes on a path.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Binary => "is binary, and a review doesn't hold its bytes",
            Self::NoPath => "has no `@file` line, so its hunks change no file",
            Self::NoOrigin => "is renamed, but no `from=` says from where",
            Self::NoHunks => "changed by its ids, but its diff is not in the review",
            Self::NoPlace => "has a hunk without ranges that adds lines nobody can place",
            Self::Twice => "stands in the review twice, with changes that don't go together",
        })
    }
}

/// The patch of `document`.
///
/// # Errors
/// Every section that cannot be in one.
pub fn patch(document: &Document) -> Result<Patch, Vec<Refusal>> {
    let mut refused = Vec::new();
    let mut patch = Patch::default();
    for group in groups(document, &mut refused) {
        match file::write(document, &group, &mut patch.text) {
            Ok(true) => {}
            Ok(false) => patch.unchanged.extend(group.into_iter().filter(|part| !is_background(document, *part))),
            Err(refusal) => refused.push(refusal),
        }
    }
    refused.sort_by_key(|refusal| refusal.part);
    if refused.is_empty() { Ok(patch) } else { Err(refused) }
}

/// Whether the section at `part` says itself that nothing in it changed.
fn is_background(document: &Document, part: usize) -> bool {
    document.parts()[part].tree().file.as_ref().is_some_and(|file| file.status == FileStatus::Context)
}

/// The sections that make one entry of the patch each: the parts of one modified file belong together. A file that goes
/// and one that comes in its place (a change of type) are two entries, as git has it.
fn groups(document: &Document, refused: &mut Vec<Refusal>) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    let mut seen: HashMap<&[u8], (usize, FileStatus)> = HashMap::new();
    for (part, section) in document.parts().iter().enumerate().skip(1) {
        let Some(file) = &section.tree().file else {
            groups.push(vec![part]);
            continue;
        };
        let status = if file.status == FileStatus::Context { FileStatus::Modified } else { file.status };
        match seen.get(file.path.as_slice()).copied() {
            None => {}
            Some((group, FileStatus::Modified | FileStatus::Renamed)) if status == FileStatus::Modified => {
                groups[group].push(part);
                continue;
            }
            Some((_, FileStatus::Deleted)) if status == FileStatus::Added => {}
            Some(_) => refused.push(Refusal { part, kind: RefusalKind::Twice }),
        }
        seen.insert(file.path.as_slice(), (groups.len(), status));
        groups.push(vec![part]);
    }
    groups
}

#[cfg(test)]
mod tests {
    use bstr::ByteSlice;

    use super::*;

    fn of(text: &str) -> String {
        let patch = patch(&Document::parse(text.to_owned())).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
        patch.text.to_str_lossy().into_owned()
    }

    fn refusals(text: &str) -> Vec<RefusalKind> {
        let refused = patch(&Document::parse(text.to_owned())).expect_err(text);
        refused.into_iter().map(|refusal| refusal.kind).collect()
    }

    #[test]
    fn annotations_are_left_out() {
        let text = "---\ntitle: x\n---\n@note doc\nwhy: y\n\n@file a oldsha=1111111 newsha=2222222\n# remark\n@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n\n\
                    @note +2\nwhy: z\n+1\n@check type => pass\nstray\n";
        let want =
            "diff --git a/a b/a\nindex 1111111..2222222 100644\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n";
        assert_eq!(of(text), want);
        assert_eq!(of(&text.replace('\n', "\r\n")), want);
    }

    #[test]
    fn headers_as_git_writes_them() {
        const ADD: &str = "@@ -0,0 +1 @@\n+x\n";
        const DEL: &str = "@@ -1 +0,0 @@\n-x\n";
        for (line, hunks, want) in [
            (
                "a added newsha=22 newmode=100755",
                ADD,
                "diff --git a/a b/a\nnew file mode 100755\nindex 00..22\n--- /dev/null\n+++ b/a\n",
            ),
            ("a added newsha=e69de29", "", "diff --git a/a b/a\nnew file mode 100644\nindex 0000000..e69de29\n"),
            (
                "a deleted oldsha=11 oldmode=120000",
                DEL,
                "diff --git a/a b/a\ndeleted file mode 120000\nindex 11..00\n--- a/a\n+++ /dev/null\n",
            ),
            ("a modified newmode=100755", "", "diff --git a/a b/a\nold mode 100644\nnew mode 100755\n"),
            (
                "a modified oldsha=1 newsha=2 oldmode=100755 newmode=100755",
                "@@ -1 +1 @@\n-x\n+y\n",
                "diff --git a/a b/a\nindex 1..2 100755\n--- a/a\n+++ b/a\n",
            ),
            (
                "b from=a oldsha=1 newsha=1",
                "",
                "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
            ),
            (
                "\"b c\" from=\"\\303\\244\"",
                "@@ -1 +1 @@\n-x\n+y\n",
                "diff --git \"a/\\303\\244\" b/b c\nrename from \"\\303\\244\"\nrename to b c\n--- \"a/\\303\\244\"\n+++ b/b c\t\n",
            ),
        ] {
            assert_eq!(of(&format!("@file {line}\n{hunks}")), format!("{want}{hunks}"), "{line}");
        }
    }

    #[test]
    fn hunks_are_mended_where_they_have_one_meaning() {
        for (hunks, want) in [
            ("@@ -1,9 +1,9 @@\n-a\n+b\n\n", "@@ -1,2 +1,2 @@\n-a\n+b\n \n"),
            ("@@ -1,2 +1,2 @@ h  \na\n\tb\n+c\n", "@@ -1,2 +1,3 @@ h\n a\n \tb\n+c\n"),
            ("@@@ -1 +1 @@@\n-a\n+b", "@@ -1 +1 @@\n-a\n+b\n"),
            ("@@ -4,0 +5 @@\n-a\n+b\n", "@@ -5 +5 @@\n-a\n+b\n"),
            ("@@ -4 +5 @@\n+b\n", "@@ -3,0 +5 @@\n+b\n"),
            ("@@ f() @@\n a\n+b\n", "@@ -1 +1,2 @@ f()\n a\n+b\n"),
            ("@@ -1 +1 @@\n-a\n\\ Kein Zeilenende\n+b\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"),
            ("@@ -1 +1 @@\n\\ No\n-a\n+b\n\\ No\n\\ No\n", "@@ -1 +1 @@\n-a\n+b\n\\ No newline at end of file\n"),
            ("@@ -1 +1 @@\n a\n@@ -5 +5 @@\n-a\n+b\n", "@@ -5 +5 @@\n-a\n+b\n"),
        ] {
            let text = of(&format!("@file a\n{hunks}"));
            assert_eq!(text, format!("diff --git a/a b/a\n--- a/a\n+++ b/a\n{want}"), "{hunks}");
        }
    }

    #[test]
    fn parts_of_a_file_are_one_entry() {
        let text = "@file a\n@@ -9 +9 @@\n-x\n+y\n@file b added\n@file a\n@@ -1 +1 @@\n-v\n+w\n";
        let want = "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-v\n+w\n@@ -9 +9 @@\n-x\n+y\n\
                    diff --git a/b b/b\nnew file mode 100644\n";
        assert_eq!(of(text), want);
        let typed = "@file l deleted\n@@ -1 +0,0 @@\n-x\n@file l added newmode=120000\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n";
        assert_eq!(of(typed).matches("diff --git a/l b/l\n").count(), 2);
    }

    #[test]
    fn what_would_be_another_change_is_refused() {
        use RefusalKind::{Binary, NoHunks, NoOrigin, NoPath, NoPlace, Twice};
        for (text, want) in [
            ("@file p binary oldsha=1 newsha=2\n", vec![Binary]),
            ("@file p added binary newsha=2\n@file a\n@@ -1 +1 @@\n-x\n+y\n", vec![Binary]),
            ("@@ -1 +1 @@\n-a\n+b\n", vec![NoPath]),
            ("@file\n@@ -1 +1 @@\n-a\n+b\n", vec![NoPath]),
            ("@file a renamed\n", vec![NoOrigin]),
            ("@file a oldsha=11 newsha=22\n", vec![NoHunks]),
            ("@file a added newsha=22\n@file b deleted oldsha=22\n", vec![NoHunks, NoHunks]),
            ("@file a\n@@ x\n+b\n", vec![NoPlace]),
            ("@file a added\n@file a added\n", vec![Twice]),
            ("@file a\n@@ -1,2 +1,2 @@\n a\n-x\n+y\n@file a\n@@ -2 +2 @@\n-x\n+z\n", vec![Twice]),
        ] {
            assert_eq!(refusals(text), want, "{text}");
        }
    }

    #[test]
    fn what_did_not_change_is_named() {
        let text =
            "@file a\n@note file\nwhy: x\n@file b context\n@@ -1 +1 @@\n x\n@file c binary from=d oldsha=1 newsha=1\n";
        let patch = patch(&Document::parse(text)).expect("there is nothing to refuse");
        assert_eq!(patch.unchanged, [1]);
        assert!(patch.text.contains_str("rename from d\nrename to c\n"));
        assert_eq!(super::patch(&Document::parse("")), Ok(Patch::default()));
    }
}
