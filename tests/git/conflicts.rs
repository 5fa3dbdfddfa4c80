//! Files with a merge conflict, and files that are announced but not added: git lists them, so none goes unsaid.

use bstr::ByteSlice as _;

use super::situations::base;
use super::words::{document, of_document, of_git, without_ids_of_same_content};
use crate::support::{Sandbox, Screen};
use crate::tui::staged;
use whymark::git::{Repo, Scope};
use whymark::tui::open::{self, Signature, Target};

/// A merge that stops, because both sides have changed `b.txt`.
pub(super) fn stopped_merge() -> Sandbox {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "side"]);
    sandbox.write("b.txt", "side\n");
    sandbox.commit("side");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("b.txt", "main\n");
    sandbox.commit("main");
    assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]), "the merge stops");
    sandbox
}

#[test]
fn conflicts_are_named() {
    let sandbox = stopped_merge();
    for scope in ["--staged", "--unstaged", "--worktree"] {
        let run = sandbox.run(&["new", scope, "-o", "-"]);
        assert_eq!(run.code, 0);
        assert!(run.stderr.contains("b.txt has a merge conflict"), "{}", run.stderr);
        assert_eq!(run.stdout.contains_str("+<<<<<<< "), scope != "--staged", "{scope}");
    }
}

/// A merge of `side` into `main` that has stopped: each is a change of a common `base`.
fn stopped(before: fn(&Sandbox), ours: fn(&Sandbox), theirs: fn(&Sandbox)) -> Sandbox {
    let sandbox = base();
    before(&sandbox);
    sandbox.commit("before");
    sandbox.git(&["switch", "-qc", "side"]);
    theirs(&sandbox);
    sandbox.commit("theirs");
    sandbox.git(&["switch", "-q", "main"]);
    ours(&sandbox);
    sandbox.commit("ours");
    assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]), "the merge stops");
    sandbox
}

/// A name, and the repository that is in this state.
type State = (&'static str, fn() -> Sandbox);

/// Merges that stop with files that show no lines in some scope.
const STOPPED: &[State] = &[
    ("binary", || {
        stopped(|at| at.write("bin", b"\0base"), |at| at.write("bin", b"\0ours"), |at| at.write("bin", b"\0theirs"))
    }),
    #[cfg(unix)]
    ("links", || {
        stopped(
            |_| {},
            |at| std::os::unix::fs::symlink("a", at.path("link")).unwrap(),
            |at| {
                std::os::unix::fs::symlink("b", at.path("link")).unwrap();
            },
        )
    }),
    ("renames", || {
        stopped(
            |_| {},
            |at| drop(at.git(&["mv", "b.txt", "ours.txt"])),
            |at| {
                drop(at.git(&["mv", "b.txt", "theirs.txt"]));
            },
        )
    }),
    ("deleted by us", || {
        stopped(|_| {}, |at| drop(at.git(&["rm", "-q", "b.txt"])), |at| at.write("b.txt", "theirs\n"))
    }),
    ("text", || stopped(|_| {}, |at| at.write("b.txt", "ours\n"), |at| at.write("b.txt", "theirs\n"))),
    ("submodule", || {
        let point = |at: &Sandbox, to: &str| {
            let commit = at.git_line(&["commit-tree", "-m", to, "HEAD^{tree}"]);
            at.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},lib")]);
            at.git(&["commit", "-qm", to]);
        };
        let sandbox = base();
        sandbox.git(&["switch", "-qc", "side"]);
        point(&sandbox, "theirs");
        sandbox.git(&["switch", "-q", "main"]);
        point(&sandbox, "ours");
        std::fs::create_dir_all(sandbox.path("lib")).unwrap();
        assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]), "the merge stops");
        sandbox
    }),
];

#[test]
fn no_file_with_a_conflict_goes_unsaid() {
    for (name, make) in STOPPED {
        let sandbox = make();
        let paths = sandbox.git_line(&["diff", "--name-only", "--diff-filter=U"]);
        let paths: Vec<&str> = paths.lines().collect();
        assert!(!paths.is_empty(), "{name}");
        for (word, scope) in
            [("--staged", Scope::Staged), ("--unstaged", Scope::Unstaged), ("--worktree", Scope::Worktree)]
        {
            let repo = Repo::discover(&sandbox.repo()).unwrap();
            let target = Target::Scope { repo, scope: Some(scope), options: Default::default(), out: None };
            let signature = Signature { author: None, date: String::new() };
            let (shown, told) = match open::open(&sandbox.repo(), target, &signature) {
                Ok(opened) => {
                    let text = String::from_utf8(opened.review.document.to_bytes()).unwrap();
                    (text, opened.notice.unwrap_or_default())
                }
                Err(error) => (String::new(), error.to_string()),
            };
            let files: Vec<&str> = shown.lines().filter(|line| line.starts_with("@file ")).collect();
            let is_lost = files.iter().any(|file| file.starts_with("@file lib deleted"));
            assert!(!is_lost, "{name}, {word}: the submodule is there: {files:?}");
            for path in &paths {
                let is_shown = files.iter().any(|file| file.contains(path));
                assert!(is_shown != told.contains(path), "{name}, {word}: {path} in {files:?} or {told}");
            }
            let run = sandbox.run(&["new", word, "-o", "-"]);
            assert_eq!(run.code, 0, "{name}, {word}: {}", run.stderr);
            let warned = run.stderr.lines().filter(|line| line.contains("has a merge conflict; "));
            assert_eq!(warned.count(), paths.len(), "{name}, {word}: {}", run.stderr);
        }
    }
}

#[test]
fn the_reader_is_told_first_or_instead() {
    let sandbox = STOPPED[0].1();
    let message = sandbox.run(&["new", "--staged"]).stderr;
    let told = "no staged changes to show: 1 file has a merge conflict and shows no lines: bin\n  try: resolve them";
    assert!(message.contains(told), "{message}");
    sandbox.write("c.txt", "new\n");
    sandbox.git(&["add", "c.txt"]);
    Screen::staged(sandbox).assert_shows(&["1 file has a merge conflict and shows no lines: bin"]);
    let sandbox = staged();
    sandbox.git(&["commit", "-qm", "x"]);
    let message = sandbox.run(&["new", "--staged"]).stderr;
    assert!(message.contains("no staged changes\n"), "{message}");
}

#[test]
fn many_conflicts_are_counted() {
    let all = |at: &Sandbox, text: &str| (1..=7).for_each(|n| at.write(format!("{n}.bin"), format!("\0{text}")));
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "side"]);
    all(&sandbox, "theirs");
    sandbox.commit("theirs");
    sandbox.git(&["switch", "-q", "main"]);
    all(&sandbox, "ours");
    sandbox.commit("ours");
    assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]), "the merge stops");
    let message = sandbox.run(&["new", "--worktree"]).stderr;
    let told = "7 files have a merge conflict and show no lines: 1.bin, 2.bin, 3.bin, 4.bin, 5.bin and 2 more\n";
    assert!(message.contains(told), "{message}");
}

/// What is on disk of an announced file, and whether HEAD has it.
#[test]
fn announced_files_are_listed_as_git_lists_them() {
    for in_head in [false, true] {
        for on_disk in [false, true] {
            let sandbox = base();
            let name = if in_head { "b.txt" } else { "soon.txt" };
            if in_head {
                sandbox.git(&["rm", "-q", "--cached", name]);
            }
            sandbox.write(name, "other\n");
            sandbox.git(&["add", "-N", name]);
            if !on_disk {
                std::fs::remove_file(sandbox.path(name)).unwrap();
            }
            for (scope, git) in
                [("--staged", &["diff", "--cached"][..]), ("--unstaged", &["diff"]), ("--worktree", &["diff", "HEAD"])]
            {
                let ours = without_ids_of_same_content(of_document(&document(&sandbox, &[scope])));
                let theirs = without_ids_of_same_content(of_git(&sandbox, git));
                assert_eq!(ours, theirs, "{scope}, in HEAD: {in_head}, on disk: {on_disk}");
            }
        }
    }
}

#[test]
fn a_conflict_stands_on_its_file_until_it_is_resolved() {
    let sandbox = stopped_merge();
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository");
    let target = Target::Scope { repo, scope: Some(Scope::Worktree), options: Default::default(), out: None };
    let mut screen = Screen::open(sandbox, target).sized(200, 40);
    screen.assert_shows(&["U b.txt  +", "  merge conflict"]);
    screen.sandbox.git(&["add", "b.txt"]);
    screen.changed(false, true);
    screen.assert_shows(&["M b.txt  +", "¬merge conflict"]);
}
