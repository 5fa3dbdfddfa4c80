//! `--patch`: what git prints is read back as what git said, with or without a repository.

use bstr::ByteSlice as _;

use super::conflicts::stopped_merge;
use super::situations::{CHANGES, base};
use super::words::{of_document, of_git};
use crate::support::Sandbox;
use crate::support::sandbox::piped;

/// Ways to print the staged change.
const STYLES: [(&str, &[&str]); 7] = [
    ("as it is", &[]),
    ("mnemonic", &["-c", "diff.mnemonicPrefix=true"]),
    ("other prefixes", &["--src-prefix=old/", "--dst-prefix=new/"]),
    ("whole ids, many lines", &["--full-index", "-U20"]),
    ("blank lines without their blank", &["-c", "diff.suppressBlankEmpty=true"]),
    ("names as they are", &["-c", "core.quotePath=false"]),
    ("no prefixes", &["--no-prefix"]),
];

fn staged_diff(sandbox: &Sandbox, style: &[&str]) -> Vec<u8> {
    let (settings, options): (Vec<&str>, Vec<&str>) = style
        .iter()
        .partition(|arg| **arg == "-c" || arg.contains("Prefix=") || arg.contains("Empty=") || arg.contains("Path="));
    sandbox.git(&[&settings[..], &["diff", "--cached", "-M50%"], &options[..]].concat())
}

/// The review of `patch`, made in `folder`.
fn review(sandbox: &Sandbox, folder: &std::path::Path, patch: &[u8]) -> Vec<u8> {
    let mut command = sandbox.whymark_command(&["new", "--patch", "-", "--stubs", "none", "-o", "-"]);
    command.current_dir(folder);
    let run = piped(command, patch);
    assert_eq!((run.code, run.stderr.contains("error")), (0, false), "{}\n{}", run.stderr, patch.as_bstr());
    run.stdout
}

#[test]
fn what_git_prints_is_what_is_reviewed_and_given_back() {
    for (name, change) in CHANGES {
        let sandbox = base();
        change(&sandbox);
        sandbox.git(&["add", "-A"]);
        let tree = sandbox.git_line(&["write-tree"]);
        let git = of_git(&sandbox, &["diff", "--cached"]);
        let patches: Vec<Vec<u8>> = STYLES.iter().map(|(_, style)| staged_diff(&sandbox, style)).collect();
        for ((style, options), patch) in STYLES.iter().zip(patches) {
            let name = format!("{name}, {style}");
            // A folder that is no repository, as good as any.
            let document = review(&sandbox, &sandbox.home(), &patch);
            assert!(document.contains_str("\nscope: manual\n"), "{name}");
            if !options.contains(&"-U20") {
                assert_eq!(of_document(&document), git, "{name}\n{}", patch.as_bstr());
            }
            let back = piped(sandbox.whymark_command(&["patch", "-"]), &document);
            if document.contains_str(" binary\n") && back.code != 0 {
                continue;
            }
            assert_eq!((back.code, back.stderr.as_str()), (0, ""), "{name}");
            sandbox.git(&["read-tree", "HEAD"]);
            let mut apply = sandbox.command("git", &sandbox.repo());
            apply.args(["apply", "--cached", "--whitespace=nowarn", "--allow-empty"]);
            let applied = piped(apply, &back.stdout);
            assert_eq!(applied.code, 0, "{name}: {}\n{}", applied.stderr, back.stdout.as_bstr());
            assert_eq!(sandbox.git_line(&["write-tree"]), tree, "{name}");
        }
    }
}

#[test]
fn mails_and_shown_commits_name_themselves() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.commit("Empty the list\n\nIt was too long.\n-- a line that begins like a signature");
    let want = of_git(&sandbox, &["diff", "HEAD^", "HEAD"]);
    let id = sandbox.git_line(&["rev-parse", "HEAD"]);
    for patch in [
        sandbox.git(&["format-patch", "-1", "--stdout"]),
        sandbox.git(&["show"]),
        sandbox.git(&["log", "-1", "-p", "--stat"]),
    ] {
        let document = review(&sandbox, &sandbox.repo(), &patch);
        assert_eq!(of_document(&document), want, "{}", patch.as_bstr());
        let head = format!("\nhead: commit@{}\n", &id[..12]);
        assert!(document.contains_str("\ntitle: Empty the list\n"), "{}", document.as_bstr());
        assert!(document.contains_str(&head), "{}", document.as_bstr());
    }
}

#[test]
fn plain_diffs_of_folders() {
    let sandbox = base();
    sandbox.write("one/a.txt", "a\nb\n");
    sandbox.write("two/a.txt", "a\nc\n");
    sandbox.write("two/new file", "x");
    let mut diff = sandbox.command("diff", &sandbox.repo());
    let patch = diff.args(["-ruN", "one", "two"]).output().expect("diff is installed").stdout;
    let document = review(&sandbox, &sandbox.repo(), &patch);
    let want = "@file a.txt modified +1 -1\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\n\
                @file \"new file\" added +1 -0\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n";
    assert!(document.ends_with_str(want), "{}", document.as_bstr());
}

#[test]
fn paths_narrow_a_patch() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("crlf.txt", "x\n");
    sandbox.write("src/a.rs", "x\n");
    sandbox.write("all.diff", sandbox.git(&["diff"]));
    let names = |paths: &[&str]| {
        let paths: Vec<&str> = paths.iter().flat_map(|path| ["--path", path]).collect();
        let run = sandbox.run(&[&["new", "--patch", "all.diff", "--stubs", "none", "-o", "-"], &paths[..]].concat());
        let files = of_document(&run.stdout);
        files.iter().map(|file| file.header.split(' ').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&["*.txt"]), ["b.txt", "crlf.txt"]);
    assert_eq!(names(&["src", ":!*.txt"]), ["src/a.rs"]);
    let run = sandbox.run(&["new", "--patch", "all.diff", "--path", "none"]);
    assert_eq!((run.code, run.stdout.len()), (2, 0));
    assert!(run.stderr.contains("no changed file matches `none` (manual changes)"), "{}", run.stderr);
}

#[test]
fn a_patch_makes_a_review_beside_the_code_or_here() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("../home/work/fix.diff", sandbox.git(&["diff"]));
    let run = sandbox.run(&["new", "--patch", "../home/work/fix.diff"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(sandbox.path("reviews/manual-fix.whymark").exists());
    let mut elsewhere = sandbox.whymark_command(&["new", "--patch", "fix.diff"]);
    let folder = sandbox.home().join("work");
    let run = piped(
        {
            elsewhere.current_dir(&folder);
            elsewhere
        },
        b"",
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(folder.join("reviews/manual-fix.whymark").exists());
}

#[test]
fn what_is_no_patch_is_refused_by_name() {
    let sandbox = stopped_merge();
    sandbox.write("b.txt", "both\n");
    sandbox.commit("merge");
    sandbox.write("merge.diff", sandbox.git(&["show"]));
    sandbox.write("prose.diff", "Dear all,\n");
    sandbox.write("cut.diff", "--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n");
    sandbox.write("none.diff", "");
    sandbox.write("outside.diff", "--- a/x\n+++ b/../../etc/x\n@@ -1 +1 @@\n-a\n+b\n");
    for (file, message) in [
        (
            "merge.diff",
            "error: merge.diff cannot be read as a patch: line 8: a combined diff (of a merge) has more than two sides\n",
        ),
        ("prose.diff", "error: prose.diff cannot be read as a patch: there is no diff in it\n"),
        (
            "cut.diff",
            "error: cut.diff cannot be read as a patch: line 6: the hunk that begins at line 3 should go on, and this is no line of it\n",
        ),
        (
            "outside.diff",
            "error: outside.diff cannot be read as a patch: line 1: ../../etc/x cannot be the path of a file in a repository\n",
        ),
        ("none.diff", "error: the patch is empty: it changes no file\n"),
        ("absent.diff", "error: cannot read absent.diff: no such file or directory\n"),
    ] {
        let run = sandbox.run(&["new", "--patch", file]);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{file}");
        assert!(run.stderr.starts_with(message) && run.stderr.contains("\n  try: "), "{file}: {}", run.stderr);
    }
}
