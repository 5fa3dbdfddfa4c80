//! The command line from outside: exit codes, messages, what is written where.

#[cfg(unix)]
mod killed;
mod markback;
mod note;
mod patch;
mod prompt;
mod queue;
mod reading;
mod refresh;
mod setup;
#[cfg(unix)]
mod staleness;
mod uncovered;
mod validate;
#[cfg(unix)]
mod verify;

use std::process::Stdio;

use bstr::ByteSlice;

use crate::support::Sandbox;

/// A repository with one commit and one change.
fn changed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First: things");
    sandbox.write("a.txt", "two\n");
    sandbox
}

#[test]
fn without_a_command_it_explains_itself() {
    let run = Sandbox::empty().run(&[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains_str("Usage: whymark"));
    for args in [&["--help"][..], &["new", "--help"], &["--version"]] {
        assert_eq!(Sandbox::empty().run(args).code, 0, "{args:?}");
    }
}

/// The README has a line for each command, and none for others.
#[test]
fn the_readme_lists_the_commands() {
    let help = Sandbox::empty().run(&["--help"]).stdout.to_str_lossy().into_owned();
    let listed = help.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    // What goes on in the next line begins further to the right.
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let mut names: Vec<&str> = names.filter(|name| !name.is_empty() && *name != "help").collect();
    let readme = include_str!("../README.md");
    let rows = readme.split("## Commands").nth(1).unwrap().split("\n## ").next().unwrap().lines();
    let mut rows: Vec<&str> =
        rows.filter_map(|row| row.strip_prefix("| `whymark ")?.split([' ', '`']).next()).collect();
    names.sort_unstable();
    rows.sort_unstable();
    assert_eq!(rows, names);
}

#[test]
fn what_cannot_be_done_exits_2_with_a_sentence() {
    let sandbox = changed();
    sandbox.write("taken.whymark", "somebody's\n");
    for (args, message) in [
        (&["frobnicate"][..], "unrecognized subcommand 'frobnicate'"),
        (&["new", "--stubs", "x"], "invalid value 'x'"),
        (&["new", "--staged", "--unstaged"], "cannot be used with"),
        (&["-C", "nowhere", "new"], "cannot enter the folder nowhere: no such file or directory"),
        (&["new", "--commit", "nowhere"], "`nowhere` is no commit of this repository"),
        (&["new", "--commit", ""], "the revision is empty"),
        (&["new", "--commit", "HEAD:a.txt"], "`HEAD:a.txt` is no commit"),
        (&["new", "--branch", "x\u{1b}[31m"], "`x^[[31m` is no commit"),
        (&["new", "--path", "../other"], "is outside the repository"),
        (&["new", "--path", ":(attr:x)a"], "has pathspec magic"),
        (&["new", "--staged"], "no staged changes"),
        (&["new", "--path", "nothing", "--path", "no*"], "no changed file matches `nothing`, `no*` (worktree changes)"),
        (&["new", "-o", "taken.whymark"], "taken.whymark is there already and is not overwritten"),
        (&["new", "-o", "a.txt/x"], "cannot create the folder a.txt"),
        (&["new", "--path", ""], "the value of --path <PATHSPEC> is empty\n  try: "),
        (&["new", "--out="], "the value of --out <FILE> is empty\n  try: "),
        (&["-C", "", "new"], "the value of -C <DIR> is empty\n  try: "),
        (&["tui", ""], "is empty\n  try: "),
        (&["fmt", ""], "is empty\n  try: "),
    ] {
        let run = sandbox.run(args);
        assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()), "{args:?}");
        assert!(run.stderr.starts_with("error: "), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(sandbox.path("taken.whymark")).unwrap(), "somebody's\n");
}

/// What is suggested is never what has just turned out to be empty.
#[test]
fn an_empty_scope_suggests_the_others() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("First");
    sandbox.commit("Second, and empty");
    for (args, message, tried) in [
        (&[][..], "no worktree changes", &["--worktree", "--staged", "--unstaged"][..]),
        (&["--worktree"], "no worktree changes", &["--worktree", "--unstaged"]),
        (&["--staged"], "no staged changes", &["--staged"]),
        (&["--unstaged"], "no unstaged changes", &["--unstaged"]),
        (&["--commit"], "the commit changes no file", &["--commit ["]),
        (&["--branch", "HEAD^"], "the branch changes no file", &["--branch ["]),
    ] {
        let run = sandbox.run(&[&["new"], args].concat());
        let hint = run.stderr.split("  try: ").nth(1).expect("there is something to try");
        assert!(run.code == 2 && run.stderr.starts_with(&format!("error: {message}\n")), "{args:?}: {}", run.stderr);
        assert!(tried.iter().all(|tried| !hint.contains(tried)), "{args:?}: {hint}");
    }
}

#[test]
fn what_is_damaged_is_named_as_what_was_asked_for() {
    let sandbox = Sandbox::new();
    sandbox.write("sub/a.txt", "one\n");
    sandbox.commit("First");
    sandbox.write("sub/a.txt", "two\n");
    sandbox.git(&["add", "--all"]);
    let index = sandbox.read(".git/index");
    for broken in [&b""[..], b"DIRC", &index[..index.len() - 4]] {
        sandbox.write(".git/index", broken);
        let run = sandbox.run(&["new"]);
        assert_eq!(run.code, 2);
        let message = "error: cannot read the index of the repository: it is damaged\n  try: move the file `index`";
        assert!(run.stderr.starts_with(message), "{}", run.stderr);
    }
    std::fs::remove_file(sandbox.path(".git/index")).unwrap();
    sandbox.git(&["reset", "--quiet"]);
    sandbox.git(&["add", "--all"]);
    let tree = sandbox.git_line(&["rev-parse", "HEAD:sub"]);
    std::fs::remove_file(sandbox.path(format!(".git/objects/{}/{}", &tree[..2], &tree[2..]))).unwrap();
    let run = sandbox.run(&["new", "--worktree"]);
    assert!(run.code == 2 && run.stderr.starts_with("error: cannot list the worktree changes"), "{}", run.stderr);
}

#[test]
fn of_long_names_the_ends_are_shown() {
    let sandbox = changed();
    let name = format!("start-{}-end", "x".repeat(3000));
    for args in
        [&["new", "--path", &name][..], &["new", "--commit", &name], &["fmt", &name], &["explain", &name], &[&name]]
    {
        let run = sandbox.run(args);
        assert_eq!(run.code, 2);
        assert!(run.stderr.contains("start-xx") && run.stderr.contains("x-end"), "{}", run.stderr);
        assert!(run.stderr.lines().all(|line| line.len() < 600), "{}", run.stderr);
    }
}

#[test]
fn outside_a_repository_it_says_so() {
    let run = Sandbox::empty().run(&["new"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("is not in a git repository\n  try: "), "{}", run.stderr);
}

#[test]
fn before_the_first_commit_there_is_none_to_review() {
    let run = Sandbox::new().run(&["new", "--commit"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.starts_with("error: there is no commit yet\n  try: "), "{}", run.stderr);
}

#[test]
fn bare_repositories_have_commits_but_no_files() {
    let sandbox = changed();
    sandbox.git(&["clone", "-q", "--bare", ".", "bare.git"]);
    for (args, code) in
        [(&["--commit"][..], 0), (&["--unstaged"], 2), (&["--staged"], 2), (&["--worktree"], 2), (&[], 2)]
    {
        let run = sandbox.run(&[&["-C", "bare.git", "new", "-o", "-"], args].concat());
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
        assert_eq!(run.stderr.contains("has no working tree"), code == 2, "{args:?}: {}", run.stderr);
    }
}

#[test]
fn a_review_is_written_where_its_scope_or_title_says() {
    let sandbox = changed();
    for (args, path) in [
        (&["new"][..], "reviews/worktree-main.whymark"),
        (&["new", "--title", "Say \"two\": better"], "reviews/say-two-better.whymark"),
        (&["new", "-o", "deep/er/x.whymark"], "deep/er/x.whymark"),
    ] {
        let run = sandbox.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        assert!(run.stdout.contains_str(format!("wrote {path} (")), "{}", run.stdout.as_bstr());
        assert!(sandbox.path(path).is_file(), "{path}");
    }
    let commit = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
    assert_eq!(sandbox.run(&["new", "--commit"]).code, 0);
    let text = std::fs::read_to_string(sandbox.path(format!("reviews/commit-{commit}.whymark"))).unwrap();
    assert!(text.starts_with("---\nwhymark: 1\ntitle: \"First: things\"\n"), "{text}");
    let again = sandbox.run(&["new"]);
    assert_eq!(again.code, 2);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
    assert_eq!(sandbox.run(&["new", "--force"]).code, 0);
}

#[test]
fn from_a_folder_below_paths_count_from_there() {
    let sandbox = changed();
    sandbox.write("sub/b.txt", "b\n");
    let run = sandbox.run(&["-C", "sub", "new", "-o", "here.whymark", "--path", "b.txt"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(sandbox.path("sub/here.whymark")).unwrap();
    assert!(text.contains("@file sub/b.txt added") && !text.contains("a.txt"), "{text}");
    assert_eq!(sandbox.run(&["-C", "sub", "new"]).code, 0);
    assert!(sandbox.path("reviews/worktree-main.whymark").is_file(), "reviews live at the top");
}

#[test]
fn facts_of_the_head() {
    let sandbox = changed();
    sandbox.git(&["config", "user.name", "Robin: \"R\" Example"]);
    sandbox.git(&["remote", "add", "origin", "https://user:secret@host.invalid/owner/name.git"]);
    let run = sandbox.run(&["new", "-o", "-", "--check", "cargo test", "--check", "a: b", "--stubs", "file"]);
    let text = run.stdout.to_str_lossy().into_owned();
    let head = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
    for line in [
        "title: Uncommitted changes to a.txt",
        "author: \"Robin: \\\"R\\\" Example\"",
        "scope: worktree",
        &format!("base: HEAD@{head}"),
        "head: working-tree",
        "repo: owner/name",
        "  - cmd: cargo test\n    status: unknown",
        "  - cmd: \"a: b\"",
        "@note file kind=intent",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line} in {text}");
    }
    assert!(!text.contains("secret"));
    let mut command = sandbox.whymark_command(&["new", "-o", "-"]);
    let named = command.env("WHYMARK_AUTHOR", "an agent").output().unwrap();
    assert!(named.stdout.contains_str("\nauthor: an agent\n"));
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let sandbox = changed();
    sandbox.write("large.txt", "a line of some length\n".repeat(20_000));
    let mut command = sandbox.whymark_command(&["new", "-o", "-"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_bstr()), (Some(0), b"".as_bstr()));
}

#[test]
fn files_that_are_not_utf8_are_named() {
    let sandbox = changed();
    sandbox.write("latin1\u{1b}.txt", b"caf\xe9\n");
    let run = sandbox.run(&["new", "-o", "-"]);
    assert_eq!(run.code, 0);
    assert_eq!(run.stderr, "note: latin1^[.txt is not UTF-8; its bytes are kept as they are\n");
    assert!(run.stdout.contains_str(b"\n+caf\xe9\n"));
}
