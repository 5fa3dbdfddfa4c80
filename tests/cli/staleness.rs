//! Whether a review still shows what is there: every scope, every kind of change, both sides.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use bstr::ByteSlice as _;
use serde_json::Value;

use crate::support::Sandbox;

/// A line long enough for a rename to be seen.
fn body(first: &str) -> String {
    format!("{first}\n{}", "the same line, again and again\n".repeat(20))
}

/// A repository with one commit on `main`, and on disk a change of every kind.
fn every_kind() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "crlf.txt text eol=crlf\n");
    for name in ["plain.txt", "old name.txt", "gone.txt", "script.sh", "crlf.txt"] {
        sandbox.write(name, body(name));
    }
    sandbox.write("crlf.txt", "one\r\ntwo\r\n");
    sandbox.write("data.bin", b"\0one");
    symlink("plain.txt", sandbox.path("link")).unwrap();
    sandbox.commit("First");
    sandbox.git(&["switch", "--quiet", "--create", "topic"]);
    sandbox.write("plain.txt", body("plain, but changed"));
    fs::rename(sandbox.path("old name.txt"), sandbox.path("new name.txt")).unwrap();
    sandbox.write("new name.txt", body("moved"));
    fs::remove_file(sandbox.path("gone.txt")).unwrap();
    mode(&sandbox, 0o755);
    relink(&sandbox, "new name.txt");
    sandbox.write("crlf.txt", "one\r\nthree\r\n");
    sandbox.write("data.bin", b"\0two");
    sandbox.write("come.txt", "new\n");
    sandbox
}

fn mode(sandbox: &Sandbox, mode: u32) {
    fs::set_permissions(sandbox.path("script.sh"), fs::Permissions::from_mode(mode)).unwrap();
}

fn relink(sandbox: &Sandbox, target: &str) {
    fs::remove_file(sandbox.path("link")).unwrap();
    symlink(target, sandbox.path("link")).unwrap();
}

/// What `validate` finds to be stale in the review at `review`: code and file.
fn stale(sandbox: &Sandbox, review: &str) -> Vec<String> {
    let run = sandbox.run(&["validate", "--json", review]);
    let json: Value = serde_json::from_slice(&run.stdout).expect("it is JSON");
    let found = json[0]["diagnostics"].as_array().unwrap().iter();
    let found = found.filter(|found| ["review-stale", "file-missing"].contains(&found["code"].as_str().unwrap()));
    found.map(|found| format!("{} {}", found["code"].as_str().unwrap(), found["file"].as_str().unwrap())).collect()
}

/// A change after the review was written.
type Step = fn(&Sandbox);

/// One step after the other, and what a review of each scope has to say by then.
#[test]
fn every_scope_and_every_kind_of_change() {
    let steps: [(&str, Step, Option<&str>); 8] = [
        ("nothing", |_| {}, None),
        ("a mode", |sandbox| mode(sandbox, 0o644), None),
        ("line ends", |sandbox| sandbox.write("crlf.txt", "one\nthree\n"), None),
        ("a file that is back", |sandbox| sandbox.write("gone.txt", "back\n"), None),
        ("an edit", |sandbox| sandbox.write("plain.txt", body("again")), Some("review-stale plain.txt")),
        (
            "another name, to which a link leads",
            |sandbox| fs::rename(sandbox.path("new name.txt"), sandbox.path("third.txt")).unwrap(),
            Some("file-missing new name.txt"),
        ),
        ("gone", |sandbox| fs::remove_file(sandbox.path("come.txt")).unwrap(), Some("file-missing come.txt")),
        ("another link", |sandbox| relink(sandbox, "plain.txt"), Some("review-stale link")),
    ];
    for (scope, prepare, is_of_disk) in SCOPES {
        let sandbox = every_kind();
        prepare(&sandbox);
        let new = sandbox.run(&[&["new", "-o", "reviews/r.whymark"], *scope].concat());
        assert_eq!(new.code, 0, "{scope:?}: {}", new.stderr);
        let mut wanted = Vec::new();
        for (name, step, want) in &steps {
            step(&sandbox);
            wanted.extend(want.filter(|_| *is_of_disk).map(str::to_owned));
            wanted.sort_unstable();
            let mut found = stale(&sandbox, "reviews/r.whymark");
            found.sort_unstable();
            assert_eq!(found, wanted, "{scope:?}: {name}");
        }
    }
}

/// Each scope, what has to happen before there is something in it, and whether its new side is what is on disk.
const SCOPES: &[(&[&str], Step, bool)] = &[
    (&["--unstaged"], |sandbox| drop(sandbox.git(&["add", "--intent-to-add", "come.txt"])), true),
    (&["--worktree"], |_| {}, true),
    (&["--staged"], |sandbox| drop(sandbox.git(&["add", "--all"])), true),
    (&["--branch", "main"], |sandbox| sandbox.commit("Second"), true),
    (&["--commit"], |sandbox| sandbox.commit("Second"), false),
    (&["--range", "main..topic"], |sandbox| sandbox.commit("Second"), false),
];

#[test]
fn the_old_side_is_the_index_or_a_commit() {
    let sandbox = every_kind();
    for scope in ["unstaged", "worktree"] {
        assert_eq!(sandbox.run(&["new", scope, "-o", &format!("reviews/{scope}.whymark")]).code, 0);
    }
    sandbox.git(&["add", "plain.txt"]);
    assert_eq!(stale(&sandbox, "reviews/unstaged.whymark"), ["review-stale plain.txt"]);
    assert_eq!(stale(&sandbox, "reviews/worktree.whymark"), [""; 0], "HEAD is where it was");
    sandbox.commit("Second");
    assert_eq!(stale(&sandbox, "reviews/worktree.whymark"), [""; 0], "the commit is the one that it was");
    let text = fs::read_to_string(sandbox.path("reviews/worktree.whymark")).unwrap();
    let main = sandbox.git_line(&["rev-parse", "--short", "main"]);
    let topic = sandbox.git_line(&["rev-parse", "--short", "topic"]);
    sandbox.write("reviews/worktree.whymark", text.replace(&main, &topic));
    let found = stale(&sandbox, "reviews/worktree.whymark");
    let changed = ["plain.txt", "crlf.txt", "data.bin", "link"];
    assert!(changed.iter().all(|path| found.contains(&format!("review-stale {path}"))), "{found:?}");
}

/// What is staged and then edited is stale as the format has it, and the message says which of the two it is.
#[test]
fn what_lies_on_top_is_told_from_what_was_replaced() {
    let sandbox = every_kind();
    sandbox.git(&["add", "--all"]);
    assert_eq!(sandbox.run(&["new", "--staged", "-o", "reviews/r.whymark"]).code, 0);
    sandbox.write("plain.txt", body("on top"));
    let said = |sandbox: &Sandbox| String::from_utf8(sandbox.run(&["validate", "reviews/r.whymark"]).stdout).unwrap();
    assert!(said(&sandbox).contains("still in the index"), "{}", said(&sandbox));
    sandbox.git(&["add", "plain.txt"]);
    assert!(!said(&sandbox).contains("still in the index"));
    assert_eq!(stale(&sandbox, "reviews/r.whymark"), ["review-stale plain.txt"]);
}

#[test]
fn what_a_sparse_checkout_keeps_off_the_disk_is_not_missing() {
    let sandbox = every_kind();
    sandbox.write("far/come.txt", "new\n");
    sandbox.commit("Second");
    assert_eq!(sandbox.run(&["new", "--branch", "main", "-o", "reviews/r.whymark"]).code, 0);
    sandbox.git(&["update-index", "--skip-worktree", "far/come.txt"]);
    fs::remove_dir_all(sandbox.path("far")).unwrap();
    assert_eq!(stale(&sandbox, "reviews/r.whymark"), [""; 0]);
    sandbox.git(&["update-index", "--no-skip-worktree", "far/come.txt"]);
    assert_eq!(stale(&sandbox, "reviews/r.whymark"), ["file-missing far/come.txt"]);
}

#[test]
fn the_repository_is_the_one_that_the_review_is_in() {
    let sandbox = every_kind();
    assert_eq!(sandbox.run(&["new", "-o", "reviews/r.whymark"]).code, 0);
    sandbox.write("plain.txt", body("edited again"));
    let elsewhere = sandbox.home();
    let from_outside = |review: &str| {
        let mut command = sandbox.command(env!("CARGO_BIN_EXE_whymark"), &elsewhere);
        let output = command.args(["validate", review]).output().unwrap();
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        texts.concat()
    };
    assert!(from_outside("../repo/reviews/r.whymark").contains("review-stale"));
    fs::copy(sandbox.path("reviews/r.whymark"), elsewhere.join("r.whymark")).unwrap();
    let said = from_outside("r.whymark");
    assert!(!said.contains("review-stale") && said.contains("note: no git repository here"), "{said}");
    assert_eq!(stale(&sandbox, elsewhere.join("r.whymark").to_str().unwrap()), ["review-stale plain.txt"]);
}

#[test]
fn paths_that_no_repository_has_are_looked_up_nowhere() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "a\n");
    sandbox.commit("base");
    for (path, code) in [
        ("../a", "file-missing"),
        ("/etc/passwd", "file-missing"),
        ("..", "file-missing"),
        ("a/../a", "file-missing"),
        ("\"a\\000b\"", "file-missing"),
        ("./a", "review-stale"),
    ] {
        let head = "---\nwhymark: 1\ntitle: x\nbase: index\n---\n";
        sandbox.write("r.whymark", format!("{head}@file {path} modified oldsha=1234567 newsha=1234567\n"));
        let run = sandbox.run(&["validate", "r.whymark"]);
        let shown = run.stdout.to_str_lossy();
        assert!(run.code == 0 && shown.contains(&format!("warning[{code}]")), "{path}: {shown}{}", run.stderr);
    }
}
