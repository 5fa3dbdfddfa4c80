//! States and settings on which tools of this kind have stumbled, each against what the real git says.

use std::fs;

use super::check;
use super::situations::{base, numbered};
use super::words::{document, of_document, of_git};
use crate::support::Sandbox;

#[test]
fn settings_of_a_person_never_change_the_diff() {
    let settings = [
        ("diff.mnemonicPrefix", "true"),
        ("diff.interHunkContext", "9"),
        ("diff.indentHeuristic", "false"),
        ("diff.algorithm", "histogram"),
        ("diff.algorithm", "minimal"),
        ("diff.suppressBlankEmpty", "true"),
        ("diff.wsErrorHighlight", "all"),
        ("diff.submodule", "log"),
        ("diff.ignoreSubmodules", "all"),
        ("diff.relative", "true"),
        ("diff.orderFile", "order"),
        ("core.precomposeUnicode", "true"),
    ];
    let sandbox = base();
    sandbox.git(&["mv", "b.txt", "c.txt"]);
    sandbox.git(&["mv", "src/a.rs", "src/b.rs"]);
    sandbox.write("order", "src\n");
    sandbox.write("c.txt", format!("\n{}new\n{}", numbered(0..10), numbered(10..30)));
    sandbox.write("src/b.rs", format!("fn one() {{\n{}}}\n\nfn two() {{\n{}}}\n", numbered(0..19), numbered(20..40)));
    sandbox.git(&["add", "-A"]);
    let want = of_document(&document(&sandbox, &["--staged"]));
    assert_eq!(want, of_git(&sandbox, &["diff", "--cached"]), "before anything is set");
    for (key, value) in settings {
        sandbox.git(&["config", key, value]);
        assert_eq!(of_document(&document(&sandbox, &["--staged"])), want, "{key} = {value}");
    }
}

#[test]
fn names_that_differ_in_case_or_in_normal_form() {
    let sandbox = base();
    sandbox.git(&["mv", "b.txt", "B.TXT"]);
    sandbox.write("nf\u{c4}", "composed\n");
    sandbox.write("nfA\u{308}", "decomposed\n");
    sandbox.git(&["add", "-A"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    sandbox.commit("names");
    sandbox.write("nf\u{c4}", "composed!\n");
    sandbox.write("nfA\u{308}", "decomposed!\n");
    check("worktree", &sandbox, &["--worktree"], &["diff", "HEAD"]);
}

#[test]
fn marks_in_the_index() {
    let sandbox = base();
    sandbox.git(&["update-index", "--skip-worktree", "b.txt", "tail.txt"]);
    fs::remove_file(sandbox.path("b.txt")).unwrap();
    sandbox.git(&["update-index", "--assume-unchanged", "crlf.txt"]);
    sandbox.write("crlf.txt", "x\n");
    sandbox.write("latin1.txt", "x\n");
    check("unstaged", &sandbox, &["--unstaged"], &["diff"]);
    check("worktree", &sandbox, &["--worktree"], &["diff", "HEAD"]);
}

#[test]
fn sparse_checkouts_delete_nothing() {
    for cone in ["--cone", "--no-cone"] {
        let sandbox = base();
        sandbox.write("out/x", "x\n");
        sandbox.commit("more");
        sandbox.git(&["sparse-checkout", "set", cone, "src"]);
        assert!(!sandbox.path("out/x").exists());
        sandbox.write("src/a.rs", "x\n");
        check(cone, &sandbox, &["--worktree"], &["diff", "HEAD"]);
    }
}

#[test]
fn a_linked_working_tree_has_an_index_and_a_head_of_its_own() {
    let sandbox = base();
    sandbox.git(&["worktree", "add", "-q", "-b", "side", "../linked"]);
    let linked = sandbox.repo().with_file_name("linked");
    fs::write(linked.join("b.txt"), "linked\n").unwrap();
    fs::write(linked.join("crlf.txt"), "linked\n").unwrap();
    sandbox.git_in(&linked, &["add", "crlf.txt"]);
    sandbox.write("b.txt", "main\n");
    for (scope, git) in
        [("--staged", &["diff", "--cached"][..]), ("--unstaged", &["diff"]), ("--worktree", &["diff", "HEAD"])]
    {
        let output = sandbox
            .whymark_command(&["new", scope, "--stubs", "none", "-o", "-"])
            .current_dir(&linked)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let names = sandbox.git_in(&linked, &[git, &["--name-only"]].concat());
        let ours: String = of_document(&output.stdout)
            .iter()
            .map(|file| file.header.split(' ').next().unwrap().to_owned() + "\n")
            .collect();
        assert_eq!(ours.as_bytes(), names, "{scope}");
        assert!(text.contains("linked") && !text.contains("+main"), "{scope}: {text}");
    }
    let output = sandbox.whymark_command(&["new", "--worktree"]).current_dir(&linked).output().unwrap();
    assert!(output.status.success() && linked.join("reviews/worktree-side.whymark").exists());
}

#[test]
fn a_bare_repository_has_commits_to_review() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.commit("change");
    sandbox.git(&["clone", "-q", "--bare", ".", "../bare.git"]);
    let bare = sandbox.repo().with_file_name("bare.git");
    let run = |scope: &str| {
        sandbox.whymark_command(&["new", scope, "--stubs", "none", "-o", "-"]).current_dir(&bare).output().unwrap()
    };
    assert_eq!(of_document(&run("--commit").stdout), of_git(&sandbox, &["diff", "HEAD^", "HEAD"]));
    for scope in ["--worktree", "--unstaged", "--staged"] {
        let output = run(scope);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{scope}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("has no working tree"), "{scope}");
    }
}

#[test]
fn a_shallow_clone_begins_somewhere() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.commit("change");
    let url = format!("file://{}", sandbox.repo().display());
    sandbox.git(&["clone", "-q", "--depth", "1", &url, "../shallow"]);
    let shallow = sandbox.repo().with_file_name("shallow");
    let output = sandbox
        .whymark_command(&["new", "--commit", "--stubs", "none", "-o", "-"])
        .current_dir(&shallow)
        .output()
        .unwrap();
    let names = sandbox.git_in(&shallow, &["ls-tree", "-r", "--name-only", "HEAD"]);
    let ours: String = of_document(&output.stdout)
        .iter()
        .map(|file| file.header.split(' ').next().unwrap().to_owned() + "\n")
        .collect();
    assert_eq!(ours.as_bytes(), names, "as `git show` has it, all of it was added");
}

#[test]
fn the_environment_says_where_things_are() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    let want = of_git(&sandbox, &["diff", "HEAD"]);
    let (git_dir, work_tree) = (sandbox.path(".git"), sandbox.repo());
    let away = sandbox.home();
    let run = |env: &[(&str, &std::path::Path)], scope: &str| {
        let mut command = sandbox.whymark_command(&["new", scope, "--stubs", "none", "-o", "-"]);
        let output = command.current_dir(&away).envs(env.iter().copied()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        of_document(&output.stdout)
    };
    assert_eq!(run(&[("GIT_DIR", &git_dir), ("GIT_WORK_TREE", &work_tree)], "--worktree"), want);
    let index = sandbox.home().join("index");
    fs::copy(sandbox.path(".git/index"), &index).unwrap();
    sandbox.git(&["add", "b.txt"]);
    let other = [("GIT_DIR", git_dir.as_path()), ("GIT_WORK_TREE", &work_tree), ("GIT_INDEX_FILE", &index)];
    assert_eq!(run(&other, "--staged"), [], "nothing is staged in the other index");
    assert_eq!(run(&other[..2], "--staged"), want);
}

#[test]
fn attributes_of_every_kind() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.safecrlf", "false"]);
    sandbox.write(
        ".gitattributes",
        "*.txt text\n*.auto text=auto\n*.crlf text eol=crlf\n*.raw -text\n*.bin binary\n*.nodiff -diff\n*.id ident\n",
    );
    let kinds = ["txt", "auto", "crlf", "raw", "bin", "nodiff", "id"];
    kinds.iter().for_each(|kind| sandbox.write(format!("f.{kind}"), "one\r\n$Id$\r\nthree\r\n"));
    sandbox.commit("base");
    kinds.iter().for_each(|kind| sandbox.write(format!("f.{kind}"), "one\r\n$Id: abc $\r\n3\r\n"));
    check("worktree", &sandbox, &["--worktree"], &["diff", "HEAD"]);
    sandbox.commit("change");
    check("commit", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[cfg(unix)]
#[test]
fn submodules_with_changes_of_their_own() {
    let sandbox = base();
    let inner = Sandbox::new();
    inner.write("a", "a\n");
    inner.commit("inner");
    let url = inner.repo().display().to_string();
    sandbox.git(&["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &url, "lib"]);
    sandbox.commit("submodule");
    sandbox.write("lib/a", "b\n");
    let commit = sandbox.git_line(&["rev-parse", "HEAD:lib"]);
    let line = format!("\n-Subproject commit {commit}\n+Subproject commit {commit}-dirty\n");
    assert!(sandbox.git(&["diff", "HEAD"]).ends_with(line.as_bytes()), "git says so");
    assert!(document(&sandbox, &["--worktree"]).ends_with(line.as_bytes()));
    sandbox.git_in(&sandbox.path("lib"), &["commit", "-qam", "inner change"]);
    check("moved on", &sandbox, &["--worktree"], &["diff", "HEAD"]);
    sandbox.git(&["add", "lib"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
}

#[cfg(unix)]
#[test]
fn a_repository_of_somebody_else_is_not_read() {
    use std::os::unix::fs::MetadataExt as _;
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    let own = fs::metadata(sandbox.repo()).unwrap().uid();
    let is_root = std::process::Command::new("chown").arg("-R").arg("12345").arg(sandbox.repo()).status();
    if own != 0 || !is_root.is_ok_and(|status| status.success()) {
        return;
    }
    let run = sandbox.run(&["new", "-o", "-"]);
    assert_eq!((run.code, run.stdout.len()), (2, 0));
    assert!(run.stderr.contains("safe.directory"), "{}", run.stderr);
    assert!(!sandbox.git_succeeds(&["status"]), "git neither");
}
