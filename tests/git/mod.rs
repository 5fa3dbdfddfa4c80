//! What `new` says about a change is what git says: files, statuses, ids, modes, and every line of every hunk.

mod conflicts;
mod headings;
mod many;
mod patches;
mod pathspecs;
mod program;
pub(crate) mod situations;
mod traps;
mod words;

use bstr::{BString, ByteSlice};

use whymark::document::{Document, check};

use crate::support::Sandbox;
use situations::{CHANGES, base, numbered};
use words::{document, of_document, of_git, without_ids_of_same_content};

#[track_caller]
fn check(name: &str, sandbox: &Sandbox, scope: &[&str], git: &[&str]) {
    let ours = without_ids_of_same_content(of_document(&document(sandbox, scope)));
    let theirs = without_ids_of_same_content(of_git(sandbox, git));
    assert_eq!(ours, theirs, "{name}");
    assert!(!ours.is_empty(), "{name}: something to compare");
}

#[test]
fn every_scope_agrees_with_git() {
    for (name, change) in CHANGES {
        let sandbox = base();
        change(&sandbox);
        let untracked_too = document(&sandbox, &["--worktree"]);
        sandbox.git(&["add", "-A"]);
        check(name, &sandbox, &["--staged"], &["diff", "--cached"]);
        check(name, &sandbox, &["--worktree"], &["diff", "HEAD"]);
        let before = without_ids_of_same_content(of_document(&untracked_too));
        assert_eq!(before, without_ids_of_same_content(of_git(&sandbox, &["diff", "--cached"])), "{name}: not staged");
        sandbox.git(&["commit", "-qm", "change"]);
        check(name, &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
        check(name, &sandbox, &["--range", "HEAD^..HEAD"], &["diff", "HEAD^", "HEAD"]);
    }
}

/// What is left to say about a skeleton is what its author has to write.
#[test]
fn skeletons_read_back_as_they_were_meant() {
    for (name, change) in CHANGES {
        let sandbox = base();
        change(&sandbox);
        for stubs in ["hunk", "file", "none"] {
            let run = sandbox.run(&["new", "--stubs", stubs, "--check", "cargo test", "-o", "-"]);
            let document = Document::parse(run.stdout.clone());
            let misread = check::structure(&document);
            let text = |found: &&check::Located| found.diagnostic.code != "encoding-invalid";
            assert_eq!(misread.iter().find(text), None, "{name}, {stubs}: {}", run.stdout.as_bstr());
            let codes: Vec<_> = check::review(&document).iter().map(|found| found.diagnostic.code).collect();
            let notes: usize = document.parts().iter().map(|part| part.tree().notes.len()).sum();
            assert_eq!(codes.iter().filter(|code| **code == "note-stub").count(), notes, "{name}, {stubs}");
            let other = codes
                .iter()
                .find(|code| !["summary-stub", "note-stub", "note-no-source", "file-empty"].contains(*code));
            assert_eq!(other, None, "{name}, {stubs}");
            for (part, file) in document.parts()[1..].iter().zip(of_document(&run.stdout)) {
                let tree = part.tree();
                let sum = |count: fn(&whymark::document::Hunk) -> u32| tree.hunks.iter().map(count).sum::<u32>();
                let counts = format!(" +{} -{}", sum(|hunk| hunk.added), sum(|hunk| hunk.removed));
                assert!(file.header.contains(&counts) || file.header.ends_with(" binary"), "{name}: {}", file.header);
            }
        }
    }
}

#[test]
fn the_root_commit_adds_everything() {
    let sandbox = base();
    check("root", &sandbox, &["--commit", "HEAD"], &["show", "--format=", "HEAD"]);
    let text = document(&sandbox, &["--commit", "HEAD"]);
    assert!(!text.contains_str("\nbase: "), "nothing came before");
}

#[test]
fn before_the_first_commit_head_is_empty() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "one\n");
    sandbox.git(&["add", "a"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    check("worktree", &sandbox, &["--worktree"], &["diff", "--cached"]);
    check("default", &sandbox, &[], &["diff", "--cached"]);
}

#[test]
fn one_file_staged_and_changed_again() {
    let sandbox = base();
    sandbox.write("b.txt", numbered(0..31));
    sandbox.git(&["add", "b.txt"]);
    sandbox.write("b.txt", numbered(0..32));
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    check("unstaged", &sandbox, &["unstaged"], &["diff"]);
    check("worktree", &sandbox, &["worktree"], &["diff", "HEAD"]);
    sandbox.write("b.txt", numbered(0..30));
    assert!(of_document(&document(&sandbox, &["--worktree"])).is_empty(), "staged, then taken back on disk");
    check("nothing but staged changes", &sandbox, &[], &["diff", "--cached"]);
}

#[test]
fn announced_files_are_not_staged() {
    let sandbox = base();
    sandbox.write("soon.txt", "soon\n");
    sandbox.write("soon-empty", "");
    sandbox.git(&["add", "-N", "soon.txt", "soon-empty"]);
    assert!(of_document(&document(&sandbox, &["--staged"])).is_empty());
    check("unstaged", &sandbox, &["--unstaged"], &["diff"]);
    check("worktree", &sandbox, &["--worktree"], &["diff", "HEAD"]);
}

#[test]
fn untracked_files_can_be_left_out() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("untracked", "x\n");
    sandbox.write(".gitignore", "*.log\n");
    sandbox.write("a.log", "ignored\n");
    let names = |args: &[&str]| -> Vec<String> {
        let files = of_document(&document(&sandbox, args));
        files.into_iter().map(|file| file.header.split(' ').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["--unstaged"]), [".gitignore", "b.txt", "untracked"]);
    assert_eq!(names(&["--unstaged", "--no-untracked"]), ["b.txt"]);
    assert_eq!(names(&["--path", "untracked", "--path", "*.ignore"]), ["untracked"]);
    assert_eq!(names(&["--path", "*.txt"]), ["b.txt"]);
}

#[test]
fn context_and_renames_as_asked_for() {
    let sandbox = base();
    sandbox.git(&["mv", "b.txt", "c.txt"]);
    sandbox.write("c.txt", numbered(0..31));
    let text = document(&sandbox, &["--context", "1"]);
    assert!(text.contains_str("c.txt renamed +1 -0 from=b.txt") && text.contains_str("\n@@ -30 +30,2 @@"));
    let text = document(&sandbox, &["--no-renames"]);
    assert!(text.contains_str("@file b.txt deleted") && text.contains_str("@file c.txt added"));
    assert!(!text.contains_str("renamed"));
}

#[test]
fn merges_are_shown_against_the_first_parent() {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "side"]);
    sandbox.write("side.txt", "side\n");
    sandbox.commit("side");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("main.txt", "main\n");
    sandbox.commit("main");
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    check("merge", &sandbox, &["--commit"], &["diff", "HEAD^1", "HEAD"]);
}

#[test]
fn branches_are_compared_with_where_they_began() {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "feature/x"]);
    sandbox.write("mine.txt", "mine\n");
    sandbox.commit("mine");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("theirs.txt", "theirs\n");
    sandbox.commit("theirs");
    sandbox.git(&["switch", "-q", "feature/x"]);
    check("named", &sandbox, &["--branch", "main"], &["diff", "main...HEAD"]);
    check("default", &sandbox, &["branch"], &["diff", "main...HEAD"]);
    check("range", &sandbox, &["--range", "main...HEAD"], &["diff", "main...HEAD"]);
    check("two dots", &sandbox, &["--range", "main..HEAD"], &["diff", "main", "HEAD"]);
    let text = document(&sandbox, &["branch"]).to_str_lossy().into_owned();
    let (base, head) =
        (sandbox.git_line(&["rev-parse", "--short", "main~1"]), sandbox.git_line(&["rev-parse", "--short", "HEAD"]));
    assert!(text.contains(&format!("\nbase: main@{base}\nhead: feature/x@{head}\n")), "{text}");
    sandbox.git(&["switch", "-q", "--detach"]);
    check("detached", &sandbox, &["--branch", "main"], &["diff", "main...HEAD"]);
}

#[test]
fn settings_change_ids_but_not_the_diff() {
    let sandbox = base();
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.external", "false"),
        ("diff.context", "0"),
        ("diff.renames", "false"),
        ("diff.algorithm", "patience"),
        ("diff.indentHeuristic", "false"),
        ("diff.interHunkContext", "50"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.orderFile", "order"),
        ("diff.relative", "true"),
        ("diff.submodule", "log"),
        ("core.quotePath", "true"),
        ("color.ui", "always"),
    ] {
        sandbox.git(&["config", key, value]);
    }
    sandbox.write("order", "b.txt\na.txt\n");
    sandbox.write("a.txt", "\n");
    sandbox.write("b.txt", format!("new\n{}", numbered(0..30)));
    let text = document(&sandbox, &[]);
    assert!(text.contains_str("\n@@ -1,3 +1,4 @@\n+new\n line 0\n"));
    assert!(text.find("@file a.txt") < text.find("@file b.txt"), "in git's order");
    for (abbrev, len) in [("12", 12), ("no", 40), ("4", 4), ("auto", 7)] {
        sandbox.git(&["config", "core.abbrev", abbrev]);
        let text = document(&sandbox, &[]).to_str_lossy().into_owned();
        let id = text.split("newsha=").nth(1).unwrap().split_whitespace().next().unwrap().len();
        assert_eq!(id, len, "core.abbrev {abbrev}");
    }
}

#[test]
fn line_ends_are_compared_as_they_are_stored() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    for safe in ["false", "true"] {
        sandbox.git(&["config", "core.safecrlf", safe]);
        sandbox.write("a.txt", "one\r\ntwo\r\nthree\r\n");
        sandbox.commit("base");
        sandbox.write("a.txt", "one\r\n2\r\nthree\r\n");
        check(safe, &sandbox, &["--unstaged"], &["diff"]);
    }
    sandbox.write("a.txt", "one\r\n2\nthree\r\n");
    let text = document(&sandbox, &["--unstaged"]);
    assert!(text.contains_str("\n+2\n") && !text.contains_str("\r"), "mixed line ends");
}

#[test]
fn attributes_say_what_is_text() {
    let sandbox = base();
    sandbox.write(".gitattributes", "b.txt -diff\nbytes.bin diff\n*.c diff=cpp\n");
    sandbox.write("x.c", format!("struct s {{\n\tint a;\n{}}};\n", numbered(0..20)));
    sandbox.commit("attributes");
    sandbox.write("b.txt", "x\n");
    sandbox.write("bytes.bin", b"\0\x09\n");
    sandbox.write("x.c", format!("struct s {{\n\tint a;\n{}}};\n", numbered(0..19)));
    check("attributes", &sandbox, &[], &["diff"]);
}

#[test]
fn submodules_are_a_line_each() {
    let sandbox = base();
    let commit = sandbox.git_line(&["rev-parse", "HEAD"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},lib")]);
    check("added", &sandbox, &["--staged"], &["diff", "--cached"]);
    sandbox.git(&["commit", "-qm", "add it"]);
    check("commit", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[test]
fn reviews_do_not_describe_themselves() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("reviews/a.whymark", "review\n");
    sandbox.write("reviews/a.mb", "notes\n");
    sandbox.write("mine.whymark", "review\n");
    sandbox.write("b.txt.mb", "<<< about b.txt\n");
    sandbox.write("labels.mb", "@file b.txt <<< about b.txt, and beside nothing\n");
    let run = sandbox.run(&["new", "--force", "-o", "mine.whymark"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(sandbox.path("mine.whymark")).unwrap();
    let files: Vec<&str> = text.lines().filter(|line| line.starts_with("@file ")).collect();
    assert!(
        matches!(files[..], [one, two] if one.starts_with("@file b.txt ") && two.starts_with("@file labels.mb ")),
        "{text}"
    );
}

#[test]
fn a_sidecar_that_goes_is_seen_to_go() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("b.txt.mb", "<<< about b.txt\n");
    sandbox.git(&["add", "b.txt.mb"]);
    sandbox.git(&["commit", "-qm", "remarks"]);
    sandbox.git(&["rm", "-q", "b.txt.mb"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    sandbox.git(&["update-index", "--split-index"]);
    check("by the program", &sandbox, &["--staged"], &["diff", "--cached"]);
}

#[test]
fn nothing_is_written_to_the_repository() {
    let sandbox = base();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    sandbox.write("new.txt", "new\r\n");
    sandbox.write("b.txt", "other\r\n");
    sandbox.git(&["add", "new.txt"]);
    sandbox.write("new.txt", "newer\r\n");
    let everything = || {
        let mut files = Vec::new();
        let mut folders = vec![sandbox.path(".git")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                match entry.file_type().unwrap().is_dir() {
                    true => folders.push(entry.path()),
                    false => files.push((entry.path(), std::fs::read(entry.path()).unwrap())),
                }
            }
        }
        files.sort();
        files
    };
    let before = everything();
    for scope in ["--staged", "--unstaged", "--worktree", "--commit"] {
        document(&sandbox, &[scope]);
    }
    assert!(before == everything(), "objects and index stay as they were");
}

#[test]
fn files_that_a_program_would_convert_are_named() {
    let sandbox = base();
    sandbox.write(".gitattributes", "*.enc filter=enc\n*.utf16 working-tree-encoding=UTF-16LE\n*.off filter=off\n");
    sandbox.git(&["config", "filter.enc.clean", "touch never-run; cat"]);
    for name in ["a.enc", "b.utf16", "c.off"] {
        sandbox.write(name, "x\n");
    }
    let run = sandbox.run(&["new", "-o", "-"]);
    assert_eq!(run.code, 0);
    let named: Vec<bool> = ["a.enc", "b.utf16", "c.off"].iter().map(|name| run.stderr.contains(name)).collect();
    // The encoding is left to git, which converts it by itself.
    assert_eq!(named, [true, false, false], "{}", run.stderr);
    assert!(!sandbox.path("never-run").exists());
}

#[cfg(unix)]
#[test]
fn modes_links_and_types() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let sandbox = base();
    symlink("b.txt", sandbox.path("link")).unwrap();
    sandbox.write("run.sh", "x\n");
    sandbox.commit("link");
    std::fs::set_permissions(sandbox.path("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_file(sandbox.path("link")).unwrap();
    symlink("src/a.rs", sandbox.path("link")).unwrap();
    check("mode and link", &sandbox, &[], &["diff", "HEAD"]);
    std::fs::remove_file(sandbox.path("link")).unwrap();
    sandbox.write("link", "a file now\n");
    std::fs::remove_file(sandbox.path("empty")).unwrap();
    symlink("nowhere", sandbox.path("empty")).unwrap();
    check("types", &sandbox, &[], &["diff", "HEAD"]);
    sandbox.commit("types");
    check("types, committed", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[cfg(target_os = "linux")]
#[test]
fn awkward_names_are_quoted() {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = base();
    let names: [(&[u8], &[u8]); 5] = [
        (b"a b", b"@file \"a b\" added"),
        (b"quo\"te", b"@file \"quo\\\"te\" added"),
        (b"line\nbreak", b"@file \"line\\nbreak\" added"),
        ("é👍".as_bytes(), "@file é👍 added".as_bytes()),
        (b"latin\xe9", b"@file latin\xe9 added"),
    ];
    for (name, _) in names {
        sandbox.write(std::ffi::OsStr::from_bytes(name), "x\n");
    }
    let text = document(&sandbox, &[]);
    let document = Document::parse(text.clone());
    let read: Vec<&BString> =
        document.parts().iter().filter_map(|part| Some(&part.tree().file.as_ref()?.path)).collect();
    for (name, line) in names {
        assert!(text.contains_str(line), "{}", name.as_bstr());
        assert!(read.iter().any(|path| **path == name), "{} reads back", name.as_bstr());
    }
}
