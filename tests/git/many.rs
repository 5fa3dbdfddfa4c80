//! Many files: ids that have to be told apart, renames that are looked for only so far, folders that nobody touched.

use crate::support::Sandbox;

use super::check;
use super::situations::numbered;

/// Write the files `0..count` in `folder`, each of `content`.
fn files(sandbox: &Sandbox, folder: &str, count: usize, content: impl Fn(usize) -> String) {
    (0..count).for_each(|n| sandbox.write(format!("{folder}/{n}.txt"), content(n)));
}

#[test]
fn ids_are_as_long_as_tells_them_apart() {
    let sandbox = Sandbox::new();
    files(&sandbox, "a", 300, |n| format!("{n}\n"));
    sandbox.commit("base");
    files(&sandbox, "a", 300, |n| format!("{n}\n{n}\n"));
    sandbox.commit("change");
    sandbox.git(&["config", "core.abbrev", "4"]);
    let commit = |name| check(name, &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
    commit("loose");
    sandbox.git(&["repack", "-adq"]);
    commit("both");
    sandbox.git(&["prune-packed"]);
    commit("packed");
    sandbox.git(&["repack", "-adq", "--write-midx"]);
    sandbox.write("a/1.txt", "1\n");
    check("beside a file on disk", &sandbox, &["--unstaged"], &["diff"]);
    let lender = Sandbox::new();
    files(&lender, "b", 300, |n| format!("b{n}\n"));
    lender.commit("lent");
    sandbox.write(".git/objects/info/alternates", format!("{}\n", lender.path(".git/objects").display()));
    commit("with borrowed ones");
}

#[test]
fn one_of_many_identical_files_is_chosen_as_git_does() {
    let sandbox = Sandbox::new();
    files(&sandbox, "a", 120, |_| "same\n".to_owned());
    sandbox.commit("base");
    sandbox.git(&["mv", "a", "b"]);
    for (from, to) in [("b/98.txt", "b/0x.txt"), ("b/5.txt", "b/zz.txt"), ("b/99.txt", "c.txt")] {
        sandbox.git(&["mv", from, to]);
    }
    sandbox.git(&["commit", "-qm", "moved"]);
    check("moved", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[test]
fn similar_files_are_looked_for_up_to_the_limit() {
    let sandbox = Sandbox::new();
    let content = |n: usize, changed: usize| {
        let own = (0..20).map(|line| format!("file {n} line {line}\n")).collect::<String>();
        own + &numbered(0..10) + &format!("changed {changed}\n").repeat(changed)
    };
    files(&sandbox, "a", 12, |n| content(n, 0));
    sandbox.commit("base");
    std::fs::remove_dir_all(sandbox.path("a")).unwrap();
    (0..12).for_each(|n| sandbox.write(format!("b/other{}.txt", 11 - n), content(n, n % 4)));
    // One is told by its name, whatever the limit.
    sandbox.git(&["add", "-A"]);
    sandbox.git(&["mv", "b/other11.txt", "b/0.txt"]);
    sandbox.git(&["commit", "-qm", "moved"]);
    for limit in ["0", "11", "10", "1", "-1", "1000"] {
        sandbox.git(&["config", "diff.renameLimit", limit]);
        check(limit, &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
    }
}

#[test]
fn staged_changes_are_found_in_any_folder() {
    for version in ["2", "4"] {
        let sandbox = Sandbox::new();
        for folder in ["a", "a/in", "a-b", "b/c/d", "b/c-d", "e", "f"] {
            files(&sandbox, folder, 5, |n| format!("{folder} {n}\n{}", numbered(0..8)));
        }
        sandbox.write("top.txt", "top\n");
        sandbox.commit("base");
        sandbox.git(&["update-index", "--index-version", version]);
        sandbox.write("a/in/1.txt", "other\n");
        sandbox.write("b/c/d/new.txt", "new\n");
        std::fs::remove_dir_all(sandbox.path("e")).unwrap();
        sandbox.write("e", "a file now\n");
        std::fs::remove_file(sandbox.path("f/4.txt")).unwrap();
        sandbox.write("f/4.txt/x", "a folder now\n");
        sandbox.git(&["add", "-A"]);
        sandbox.write("b/announced.txt", "later\n");
        sandbox.git(&["add", "-N", "b/announced.txt"]);
        check(version, &sandbox, &["--staged"], &["diff", "--cached"]);
        sandbox.git(&["write-tree"]);
        check("all folders known", &sandbox, &["--staged"], &["diff", "--cached"]);
    }
}
