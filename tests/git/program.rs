//! Repositories that libgit2 cannot read, or reads in another way than git: the `git` program is asked, and nothing else
//! is run.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use bstr::ByteSlice as _;
use whymark::git::{Repo, Stored, Swap};

use super::check;
use super::situations::{Change, numbered};
use super::words::{document, of_document};
use crate::support::Sandbox;

/// Ways to make a repository that libgit2 cannot open, from a fresh one.
const KINDS: [(&str, Change); 5] = [
    ("SHA-256", |sandbox| again(sandbox, &["--object-format=sha256"])),
    ("reftable", |sandbox| again(sandbox, &["--ref-format=reftable"])),
    ("split index", |sandbox| {
        sandbox.write("first", "x\n");
        sandbox.commit("first");
        sandbox.git(&["config", "core.splitIndex", "true"]);
        sandbox.git(&["update-index", "--split-index"]);
    }),
    ("deep folders", |sandbox| {
        sandbox.write(format!("{}/file", ["d"; 120].join("/")), "x\n");
    }),
    ("sparse index", |sandbox| {
        sandbox.write("out/deep/file", "x\n");
        sandbox.write("src/file", "x\n");
        sandbox.commit("first");
        sandbox.git(&["sparse-checkout", "init", "--cone", "--sparse-index"]);
        sandbox.git(&["sparse-checkout", "set", "src"]);
    }),
];

fn again(sandbox: &Sandbox, options: &[&str]) {
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    sandbox.git(&[&["init", "--quiet", "--initial-branch=main"], options].concat());
}

/// A repository of this kind with a commit, something staged, and something more on disk.
fn changed(kind: Change) -> Sandbox {
    let sandbox = Sandbox::new();
    kind(&sandbox);
    sandbox.write("src/a.rs", format!("fn one() {{\n{}}}\n", numbered(0..30)));
    sandbox.write("gone.txt", numbered(0..9));
    sandbox.write("tail", "no newline");
    sandbox.write("same.sh", "x\n");
    sandbox.commit("base");
    sandbox.git(&["mv", "gone.txt", "come.txt"]);
    sandbox.git(&["update-index", "--chmod=+x", "same.sh"]);
    sandbox.write("src/a.rs", format!("fn one() {{\n{}}}\n", numbered(1..30)));
    sandbox.git(&["add", "src/a.rs"]);
    sandbox.write("src/a.rs", format!("fn one() {{\n{}}}\n", numbered(1..31)));
    sandbox.write("tail", "still none");
    sandbox.write("bytes", b"\0\xff");
    sandbox
}

#[test]
fn every_kind_and_scope_agrees_with_git() {
    for (name, kind) in KINDS {
        let sandbox = changed(kind);
        check(name, &sandbox, &["--staged"], &["diff", "--cached"]);
        check(name, &sandbox, &["--unstaged", "--no-untracked"], &["diff"]);
        check(name, &sandbox, &["--worktree", "--no-untracked"], &["diff", "HEAD"]);
        let all = document(&sandbox, &["--worktree"]);
        let named = document(&sandbox, &["--staged"]).to_str_lossy().into_owned();
        let id = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
        assert!(named.contains(&format!("\nbase: HEAD@{id}\nhead: index\n")), "{name}: {named}");
        sandbox.commit("change");
        let committed = of_document(&document(&sandbox, &["--commit"]));
        assert_eq!(of_document(&all), committed, "{name}: with new files");
        check(name, &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
        check(name, &sandbox, &["--branch", "HEAD^"], &["diff", "HEAD^...HEAD"]);
        check(name, &sandbox, &["--range", "HEAD^..HEAD"], &["diff", "HEAD^", "HEAD"]);
        let narrowed = of_document(&document(&sandbox, &["--commit", "--path", ":(glob)src/*", "--path", ":!**/b"]));
        assert!(narrowed.len() == 1 && narrowed[0].header.starts_with("src/a.rs "), "{name}: {narrowed:?}");
        let run = sandbox.run(&["new", "--commit", "nothing", "-o", "-"]);
        assert!(
            run.code == 2 && run.stderr.contains("`nothing` is no commit of this repository"),
            "{name}: {}",
            run.stderr
        );
    }
}

/// Every file below `folder`, with its content.
fn everything(folder: &Path) -> BTreeMap<std::path::PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap().is_dir() {
            true => files.extend(everything(&entry.path())),
            false => drop(files.insert(entry.path(), fs::read(entry.path()).unwrap())),
        }
    }
    files
}

#[test]
fn nothing_is_run_and_nothing_written() {
    for (name, kind) in KINDS {
        let sandbox = changed(kind);
        let ran = sandbox.home().join("ran");
        let trap = format!("touch {}; cat", ran.display());
        for key in [
            "core.fsmonitor",
            "core.pager",
            "core.editor",
            "core.sshCommand",
            "diff.external",
            "diff.trap.command",
            "diff.trap.textconv",
            "filter.trap.clean",
            "filter.trap.smudge",
            "filter.trap.process",
            "filter.Odd = name.clean",
            "pager.diff",
            "gpg.program",
            "alias.diff",
            "alias.rev-parse",
        ] {
            sandbox.git(&["config", key, &trap]);
        }
        sandbox.git(&["config", "filter.trap.required", "true"]);
        sandbox.git(&["config", "log.showSignature", "true"]);
        sandbox.write(".git/info/attributes", "*.rs diff=trap filter=trap\ntail filter=Odd\n* ident\n");
        for hook in ["post-index-change", "pre-commit", "fsmonitor-watchman", "reference-transaction", "post-checkout"]
        {
            sandbox.write(format!(".git/hooks/{hook}"), format!("#!/bin/sh\n{trap}\n"));
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt as _;
                let file = sandbox.path(format!(".git/hooks/{hook}"));
                fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
            }
        }
        let before = everything(&sandbox.path(".git"));
        for scope in ["--staged", "--unstaged", "--worktree", "--commit"] {
            document(&sandbox, &[scope]);
        }
        sandbox.run(&["new", "-o", "../home/r.whymark"]);
        sandbox.run(&["validate", "../home/r.whymark"]);
        assert!(!ran.exists(), "{name}: something was run");
        let mut after = everything(&sandbox.path(".git"));
        after.retain(|path, content| before.get(path) != Some(content));
        assert_eq!(after.into_keys().collect::<Vec<_>>(), [""; 0].map(std::path::PathBuf::from), "{name}: was written");
    }
}

#[test]
fn without_git_a_sentence_says_what_is_missing() {
    for (name, kind) in KINDS {
        let sandbox = changed(kind);
        let run = |args: &[&str]| {
            let mut command = sandbox.whymark_command(args);
            crate::support::sandbox::piped(
                {
                    command.env("PATH", sandbox.home());
                    command
                },
                b"",
            )
        };
        let new = run(&["new", "--worktree", "-o", "-"]);
        assert_eq!((new.code, new.stdout.len()), (2, 0), "{name}: {}", new.stderr);
        let says = new.stderr.contains("`git` program on PATH") || name == "deep folders";
        assert!(new.stderr.starts_with("error: cannot ") && says, "{name}: {}", new.stderr);
    }
}

#[test]
fn filters_run_only_when_they_are_allowed() {
    let sandbox = Sandbox::new();
    let ran = sandbox.home().join("ran");
    sandbox.git(&["config", "filter.up.clean", &format!("touch {}; tr a-z A-Z", ran.display())]);
    sandbox.git(&["config", "filter.up.smudge", "tr A-Z a-z"]);
    sandbox.write(".gitattributes", "*.up filter=up\n");
    sandbox.write("a.up", "one\ntwo\n");
    sandbox.write("plain", "one\n");
    sandbox.commit("base");
    fs::remove_file(&ran).unwrap();
    sandbox.write("a.up", "one\n2\nthree\n");
    sandbox.write("new.up", "new\n");
    sandbox.write("plain", "two\n");
    let raw = sandbox.run(&["new", "--stubs", "none", "-o", "-"]);
    let warnings: Vec<&str> = raw.stderr.lines().filter(|line| line.starts_with("warning: git stores ")).collect();
    assert_eq!((raw.code, warnings.len()), (0, 2), "{}", raw.stderr);
    assert!(raw.stderr.contains("--run-filters") && raw.stdout.contains_str("\n+three\n") && !ran.exists());

    let run = sandbox.run(&["new", "--run-filters", "--stubs", "none", "-o", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(ran.exists() && run.stdout.contains_str("\n+THREE\n") && run.stdout.contains_str("\n+NEW\n"));
    check("filtered", &sandbox, &["--run-filters", "--no-untracked"], &["diff", "HEAD"]);
    let id = sandbox.git_line(&["hash-object", "a.up"]);
    assert!(run.stdout.contains_str(format!("newsha={} ", &id[..7]).trim_end()), "as `git hash-object` has it");

    sandbox.write("../home/r.whymark", &run.stdout);
    let validate = |args: &[&str]| sandbox.run(&[&["validate", "../home/r.whymark"], args].concat());
    for args in [&["--run-filters"][..], &[]] {
        assert!(!validate(args).stdout.contains_str("review-stale"), "{args:?}");
    }
    sandbox.write("a.up", "ONE\n2\nthree\n");
    let run = validate(&["--run-filters"]);
    assert!(!run.stdout.contains_str("review-stale"), "another spelling of what is stored: {}", run.stdout.as_bstr());
    sandbox.write("a.up", "four\n");
    assert!(validate(&["--run-filters"]).stdout.contains_str("review-stale"));
}

#[test]
fn encodings_are_compared_as_they_are_stored() {
    let sandbox = Sandbox::new();
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    sandbox.write(".gitattributes", "*.u16 text working-tree-encoding=UTF-16LE eol=lf\n");
    sandbox.write("a.u16", utf16("eins\nzwei\ndrei\n"));
    sandbox.write("b.u16", utf16("same\n"));
    sandbox.commit("base");
    sandbox.write("a.u16", utf16("eins\nzwö\ndrei\n"));
    sandbox.write("b.u16", utf16("same\n"));
    sandbox.write("c.u16", utf16("neu\n"));
    let text = document(&sandbox, &["--worktree"]);
    assert!(text.contains_str("\n+zwö\n") && text.contains_str("\n+neu\n") && !text.contains_str("b.u16"));
    check("encoded", &sandbox, &["--unstaged", "--no-untracked"], &["diff"]);
    sandbox.write("../home/r.whymark", &text);
    let run = sandbox.run(&["validate", "../home/r.whymark"]);
    assert!(!run.stdout.contains_str("review-stale"), "{}", run.stdout.as_bstr());
}

#[test]
fn headings_of_languages_that_git_knows() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "*.md diff=markdown\n*.rs diff=rust\n*.js diff=javascript\n*.own diff=own\n");
    sandbox.git(&["config", "diff.own.xfuncname", "^=(.*)$"]);
    let texts = [
        ("a.md", "# One\n", "## Two\n"),
        ("a.rs", "pub(crate) fn one() {\n", "    let x;\n"),
        ("a.js", "x = function () {\n", "  foo() {\n"),
        ("a.own", "=one\n", "two\n"),
    ];
    let write = |last: &str| {
        for (name, first, second) in texts {
            sandbox.write(name, format!("{first}{}{second}{}{last}\n", numbered(0..9), numbered(9..20)));
        }
    };
    write("old");
    sandbox.commit("base");
    write("new");
    check("worktree", &sandbox, &[], &["diff", "HEAD"]);
    sandbox.commit("change");
    check("commit", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[test]
fn reviews_are_checked_and_noted_there_too() {
    for (name, kind) in KINDS {
        let sandbox = changed(kind);
        let run = sandbox.run(&["new", "--worktree", "--author", "Ada"]);
        assert_eq!(run.code, 0, "{name}: {}", run.stderr);
        let file = "reviews/worktree-main.whymark";
        let validate = || sandbox.run(&["validate", file]);
        assert!(!validate().stdout.contains_str("review-stale"), "{name}: {}", validate().stdout.as_bstr());
        let note = sandbox.run(&["note", file, "src/a.rs:+30", "--why", "It is one more."]);
        assert_eq!(note.code, 0, "{name}: {}", note.stderr);
        sandbox.write("tail", "changed again");
        let stale = validate();
        assert!(stale.stdout.contains_str("`tail` has changed since"), "{name}: {}", stale.stdout.as_bstr());
        sandbox.git(&["commit", "-qam", "now"]);
        assert!(validate().stdout.contains_str("`tail` has changed since"), "{name}");
    }
}

#[test]
fn a_conflict_there_is_named() {
    for (name, kind) in KINDS {
        let sandbox = Sandbox::new();
        kind(&sandbox);
        sandbox.write("src/x", "base\n");
        sandbox.commit("base");
        sandbox.git(&["switch", "-qc", "side"]);
        sandbox.write("src/x", "side\n");
        sandbox.commit("side");
        sandbox.git(&["switch", "-q", "main"]);
        sandbox.write("src/x", "main\n");
        sandbox.commit("main");
        assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]));
        for (scope, says) in [
            ("--staged", "it shows no lines"),
            ("--unstaged", "may be incomplete"),
            ("--worktree", "may be incomplete"),
        ] {
            let run = sandbox.run(&["new", scope, "--stubs", "none", "-o", "-"]);
            assert!(
                run.code == 0 && run.stderr.contains("src/x has a merge conflict"),
                "{name} {scope}: {}",
                run.stderr
            );
            assert!(run.stderr.contains(says), "{name} {scope}: {}", run.stderr);
            assert_eq!(run.stdout.contains_str("+<<<<<<< HEAD"), scope != "--staged", "{name} {scope}");
        }
    }
}

#[test]
fn when_a_flag_cannot_be_set_the_index_is_what_it_was() {
    let sandbox = Sandbox::new();
    again(&sandbox, &["--object-format=sha256"]);
    sandbox.write("a", "1\n");
    sandbox.write("gone", "");
    sandbox.commit("base");
    // Git announces nothing that is not there.
    fs::remove_file(sandbox.path("gone")).unwrap();
    let repo = Repo::discover(&sandbox.repo()).unwrap();
    let index = || sandbox.git(&["ls-files", "--stage", "-v"]);
    let before = index();
    let stored = |path: &str| repo.entry(path.into()).unwrap().map(|entry| entry.file);
    let other = stored("a").map(|file| Stored { content: "2\n".into(), is_assumed: true, ..file });
    let announced = stored("gone").map(|file| Stored { is_announced: true, ..file });
    let swap = |path: &str, after| Swap { path: path.into(), before: stored(path), after };
    let swaps = [swap("a", other.clone()), swap("gone", announced), swap("new", other)];
    assert!(repo.put_entries(&swaps).is_err());
    assert_eq!(index().as_bstr(), before.as_bstr());
}

#[test]
fn repositories_inside_are_named_and_not_shown() {
    for format in ["sha1", "sha256"] {
        let sandbox = Sandbox::new();
        again(&sandbox, &[&format!("--object-format={format}")]);
        sandbox.write("a", "1\n");
        sandbox.commit("base");
        sandbox.write("new", "n\n");
        for path in ["inner", "deep/other"] {
            let inner = sandbox.path(path);
            fs::create_dir_all(&inner).unwrap();
            sandbox.git_in(&inner, &["init", "--quiet", &format!("--object-format={format}")]);
            sandbox.git_in(&inner, &["commit", "--quiet", "--allow-empty", "--message", "One"]);
            sandbox.write(format!("{path}/file"), "x\n");
        }
        let both = "deep/other/, inner/ are repositories of their own, and nothing of them is shown";
        let one = "inner/ is a repository of its own, and nothing of it is shown";
        for (args, says) in [
            (&["--unstaged"][..], Some(both)),
            (&["--worktree"], Some(both)),
            (&["--worktree", "--path", "inner", "--path", "new"], Some(one)),
            (&["--worktree", "--path", "new"], None),
        ] {
            let run = sandbox.run(&[&["new", "-o", "-"], args].concat());
            assert!(run.code == 0 && run.stdout.contains_str("@file new"), "{format} {args:?}: {}", run.stderr);
            assert!(!run.stdout.contains_str("inner") && !run.stdout.contains_str("other"), "{format} {args:?}");
            let said = run.stderr.lines().find(|line| line.contains("of its own") || line.contains("of their own"));
            assert_eq!(said, says.map(|says| format!("note: {says}")).as_deref(), "{format} {args:?}");
        }
    }
}

#[test]
fn a_file_in_the_place_of_a_folder_hides_nothing_that_went() {
    let sandbox = Sandbox::new();
    again(&sandbox, &["--object-format=sha256"]);
    sandbox.write("d/x", "x\n");
    sandbox.write("d/y", "y\n");
    sandbox.write("f", "f\n");
    sandbox.commit("First");
    fs::remove_dir_all(sandbox.path("d")).expect("it was there");
    fs::remove_file(sandbox.path("f")).expect("it was there");
    sandbox.write("d", "now a file\n");
    sandbox.write("f/g", "now a folder\n");
    sandbox.write("new", "new\n");
    let run = sandbox.run(&["new", "--unstaged", "-o", "-"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let text = String::from_utf8(run.stdout).expect("it is UTF-8");
    let files: Vec<&str> = text.lines().filter(|line| line.starts_with("@file ")).collect();
    let wanted = ["d added", "d/x deleted", "d/y deleted", "f deleted", "f/g added", "new added"];
    assert!(
        files.len() == wanted.len() && files.iter().zip(wanted).all(|(line, start)| line[6..].starts_with(start)),
        "{files:?}"
    );
}
