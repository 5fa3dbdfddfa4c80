//! A repository that means no good: what it brings along decides neither where notes are written nor how long anything
//! takes.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use whymark::git::{Repo, Scope};
use whymark::tui::open::{self, Opened, Signature, Target};

use crate::support::{Sandbox, Screen};
use crate::tui::{REVIEW, staged};

fn opened(sandbox: &Sandbox, target: Target) -> Result<Opened, String> {
    let signature = Signature { author: None, date: "2026-01-02T03:04:05Z".to_owned() };
    open::open(&sandbox.repo(), target, &signature).map_err(|error| error.to_string())
}

fn target(sandbox: &Sandbox, out: Option<PathBuf>) -> Target {
    let repo = Repo::discover(&sandbox.repo()).unwrap();
    Target::Scope { repo, scope: Some(Scope::Staged), options: Default::default(), out }
}

/// Links that a repository could bring along, each as (name, target), and what the refusal names.
const LINKS: &[(&str, &str, &str)] = &[
    ("reviews/staged-main.whymark", "../../home/new", "/home/new"),
    ("reviews/staged-main.whymark", "../../home/secret", "/home/secret"),
    ("reviews", "../home", "/home/staged-main.whymark"),
    ("reviews/staged-main.whymark", "../.git/config", "belongs to git"),
];

#[test]
fn the_usual_place_of_a_review_stays_in_the_repository() {
    for (link, to, reason) in LINKS {
        let sandbox = staged();
        fs::write(sandbox.home().join("secret"), "secret\n").unwrap();
        fs::create_dir_all(sandbox.path(link).parent().unwrap()).unwrap();
        symlink(to, sandbox.path(link)).unwrap();
        let config = sandbox.read(".git/config");
        for message in [
            opened(&sandbox, target(&sandbox, None)).map(drop).unwrap_err(),
            sandbox.run(&["new", "--staged"]).stderr,
            sandbox.run(&["new", "--staged", "--force"]).stderr,
        ] {
            assert!(message.contains("staged-main.whymark leads ") && message.contains(reason), "{link}: {message}");
        }
        let home: Vec<_> = fs::read_dir(sandbox.home()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(home, ["secret"], "{link}");
        assert_eq!(fs::read_to_string(sandbox.home().join("secret")).unwrap(), "secret\n");
        assert_eq!(sandbox.read(".git/config"), config);
    }
}

#[test]
fn what_lies_beside_a_review_stays_in_its_repository_or_folder() {
    let sandbox = staged();
    fs::create_dir_all(sandbox.path("reviews")).unwrap();
    symlink("../../home/notes", sandbox.path("reviews/staged-main.mb")).unwrap();
    sandbox.write("mine.whymark", REVIEW);
    symlink("../home/notes", sandbox.path("mine.mb")).unwrap();
    let away = sandbox.home().join("away");
    fs::create_dir(&away).unwrap();
    fs::write(away.join("theirs.whymark"), REVIEW).unwrap();
    symlink("../notes", away.join("theirs.mb")).unwrap();
    for (name, target) in [
        ("staged-main.mb", target(&sandbox, None)),
        ("mine.mb", target(&sandbox, Some("mine.whymark".into()))),
        ("mine.mb", Target::File("mine.whymark".into())),
        ("theirs.mb", Target::File(away.join("theirs.whymark"))),
    ] {
        let message = opened(&sandbox, target).map(drop).unwrap_err();
        assert!(message.contains(&format!("{name} leads out of ")) && message.ends_with("/home/notes"), "{message}");
    }
}

#[test]
fn a_link_that_a_person_has_named_is_followed() {
    let sandbox = staged();
    let elsewhere = sandbox.home().join("elsewhere.whymark");
    symlink(&elsewhere, sandbox.path("mine.whymark")).unwrap();
    assert_eq!(sandbox.run(&["new", "--staged", "-o", "mine.whymark"]).code, 0);
    let mut screen = Screen::open(sandbox, Target::File("mine.whymark".into()));
    screen.press("4j a 'by me' enter m 'beside the link' enter");
    screen.assert_shows(&["Markback note saved to mine.mb"]);
    assert!(fs::read_to_string(elsewhere).unwrap().contains("why: by me"));
    assert!(screen.sandbox.path("mine.mb").is_file());
}

#[test]
fn a_link_that_comes_while_the_review_is_open_is_not_followed() {
    let mut screen = Screen::staged(staged()).pressed("4j");
    fs::create_dir_all(screen.sandbox.path("reviews")).unwrap();
    for name in ["whymark", "mb"] {
        symlink("../../home/new", screen.sandbox.path(format!("reviews/staged-main.{name}"))).unwrap();
    }
    for keys in ["a 'a note' enter", "esc y m 'a record' enter"] {
        screen.press(keys);
        screen.assert_shows(&["not saved: ", " leads out of "]);
    }
    assert!(!screen.sandbox.home().join("new").exists());
}

#[test]
fn a_link_is_part_of_the_changes_whatever_it_is_called() {
    let sandbox = staged();
    sandbox.write("reviews/a.whymark", "a review\n");
    symlink("../../home/secret", sandbox.path("reviews/evil.whymark")).unwrap();
    symlink("../../home/secret", sandbox.path("reviews/evil.mb")).unwrap();
    for scope in ["--unstaged", "--worktree", "--staged"] {
        if scope == "--staged" {
            sandbox.git(&["add", "."]);
        }
        let text = String::from_utf8(sandbox.run(&["new", scope, "-o", "-"]).stdout).unwrap();
        let files: Vec<&str> = text.lines().filter(|line| line.starts_with("@file reviews/")).collect();
        assert_eq!(files.len(), 2, "{scope}: {files:?}");
        assert!(files.iter().all(|file| file.contains("/evil.")), "{scope}: {files:?}");
    }
}

/// Make `path` a pipe that nobody writes to.
fn pipe(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn what_is_no_file_is_refused_and_not_waited_for() {
    let sandbox = staged();
    fs::create_dir_all(sandbox.path("reviews")).unwrap();
    pipe(&sandbox.path("pipe.whymark"));
    symlink("/dev/zero", sandbox.path("zero.whymark")).unwrap();
    symlink("pipe.whymark", sandbox.path("linked.whymark")).unwrap();
    fs::create_dir(sandbox.path("folder.whymark")).unwrap();
    for (name, what) in [
        ("pipe.whymark", "a pipe"),
        ("linked.whymark", "a pipe"),
        ("zero.whymark", "a device"),
        ("folder.whymark", "a folder"),
    ] {
        let reason = format!("{name} is {what}, and no file");
        for args in [
            &["show", name][..],
            &["validate", name],
            &["validate", "--fix", name],
            &["fmt", "--write", name],
            &["note", name, "doc", "--why", "x"],
            &["new", "--staged", "--force", "-o", name],
        ] {
            let run = sandbox.run(args);
            assert_eq!(run.code, 2, "{args:?}");
            assert!(run.stderr.contains(&format!("is {what}, and no file\n")), "{args:?}: {}", run.stderr);
        }
        let message = opened(&sandbox, Target::File(name.into())).map(drop).unwrap_err();
        assert!(message.ends_with(&reason), "{message}");
    }
    for (name, folder) in [("staged-main.whymark", "reviews"), ("staged-main.mb", "reviews")] {
        let path = sandbox.path(folder).join(name);
        pipe(&path);
        let message = opened(&sandbox, target(&sandbox, None)).map(drop).unwrap_err();
        assert!(message.ends_with(&format!("{name} is a pipe, and no file")), "{message}");
        fs::remove_file(path).unwrap();
    }
}

#[test]
fn a_review_that_becomes_a_pipe_while_it_is_open_holds_nothing_up() {
    let mut screen = Screen::document(REVIEW).pressed("4j");
    let path = screen.sandbox.path("review.whymark");
    fs::remove_file(&path).unwrap();
    pipe(&path);
    pipe(&path.with_extension("mb"));
    screen.press("a 'a note' enter");
    screen.assert_shows(&["not saved: ", "is a pipe, and no file"]);
    screen.press("esc y m 'a record' enter");
    screen.assert_shows(&["not saved: ", "is a pipe, and no file"]);
}
