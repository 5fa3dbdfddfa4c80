//! `--path` means what a pathspec means to git, wherever one stands.

use bstr::ByteSlice as _;

use super::words::of_document;
use crate::support::Sandbox;

const FILES: [&str; 12] = [
    "a.rs",
    "B.RS",
    "b.md",
    "docs/a.md",
    "docs/deep/c.rs",
    "src/a.rs",
    "src/b/a.rs",
    "src/b/x*y",
    "src/[a]",
    "srcs/a",
    "T/a.rs",
    "t(1)/z",
];

const SPECS: &[&[&str]] = &[
    &["src"],
    &["src/"],
    &["*.rs"],
    &["a*"],
    &["src/*.rs"],
    &[":(glob)*.rs"],
    &[":(glob)**/*.rs"],
    &[":(glob)src/**"],
    &[":(glob)**/b/**"],
    &[":(glob)src/*"],
    &[":(icase)*.RS"],
    &[":(icase)SRC"],
    &[":(icase,glob)t/*"],
    &[":(literal)src/b/x*y"],
    &["src/b/x*y"],
    &["src/[a]"],
    &["[!s]*"],
    &["[[:upper:]]*"],
    &["?.md"],
    &[":!src"],
    &[":^docs", ":!*.rs"],
    &["src", ":(exclude)*.rs"],
    &[":(exclude,glob)*.rs"],
    &[":/src"],
    &[":/", ":!/src"],
    &[":(top)docs", "a.rs"],
    &[":"],
    &["t(1)"],
    &["b.md/"],
    &["."],
];

#[test]
fn specs_choose_what_git_chooses() {
    let sandbox = Sandbox::new();
    FILES.iter().for_each(|file| sandbox.write(file, "one\n"));
    sandbox.commit("base");
    FILES.iter().for_each(|file| sandbox.write(file, "two\n"));
    for folder in ["", "src", "docs/deep"] {
        for specs in SPECS {
            check(&sandbox, folder, specs);
        }
    }
    check(&sandbox, "src", &["../docs"]);
    check(&sandbox, "src", &[":!../docs"]);
    check(&sandbox, "src", &[":(glob)../*.md"]);
}

#[track_caller]
fn check(sandbox: &Sandbox, folder: &str, specs: &[&str]) {
    let cwd = sandbox.path(folder);
    let listed = sandbox.git_in(&cwd, &[&["diff", "--name-only", "-z", "HEAD", "--"], specs].concat());
    let git: Vec<String> =
        listed.split_str("\0").filter(|name| !name.is_empty()).map(|name| name.to_str_lossy().into_owned()).collect();
    let paths: Vec<&str> = specs.iter().flat_map(|spec| ["--path", spec]).collect();
    let mut command =
        sandbox.whymark_command(&[&["new", "--worktree", "--stubs", "none", "-o", "-"], &paths[..]].concat());
    let output = command.current_dir(&cwd).output().expect("the binary starts");
    let files = of_document(&output.stdout);
    let ours: Vec<&str> = files.iter().map(|file| file.header.split(" modified").next().unwrap()).collect();
    assert_eq!(ours, git, "{specs:?} in `{folder}`: {}", output.stderr.as_bstr());
}

#[test]
fn what_git_alone_knows_is_refused() {
    let sandbox = Sandbox::new();
    for spec in [":(attr:text)a", ":(future)a", ":(glob"] {
        let run = sandbox.run(&["new", "--path", spec]);
        assert_eq!(run.code, 2, "{spec}");
        assert!(run.stderr.contains("has pathspec magic that is not understood here"), "{}", run.stderr);
    }
    let run = sandbox.run(&["new", "--path", ":!../outside"]);
    assert!(run.code == 2 && run.stderr.contains("is outside the repository"), "{}", run.stderr);
}
