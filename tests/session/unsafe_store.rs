//! Stores that others could have written or read, and files that are broken.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::CommandExt as _;
use std::path::Path;

use super::{Loop, chat};

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[track_caller]
fn check_refused(this: &Loop, path: &Path, fault: &str, help: &str) {
    let path = path.display();
    let stderr =
        format!("error: unsafe store {path}: {fault}\nhelp[1]:\n  {}\n", help.replace("PATH", &path.to_string()));
    for args in [&["poll", "--wait", "0"][..], &["reply", "x"], &["end"], &["sessions"], &["start"], &["clean"]] {
        this.check(args, 2, "", &stderr);
    }
}

#[test]
fn a_store_that_others_can_use_is_refused() {
    let this = Loop::new();
    this.sent("r1", 1);
    let root = this.sandbox.repo().join(".git/whymark");
    let session = root.join("r1");
    for (path, open, own) in [
        (root, 0o755, 0o700),
        (session.clone(), 0o750, 0o700),
        (session.join("in"), 0o777, 0o700),
        (session.join("out"), 0o701, 0o700),
        (session.join("out/0001.json"), 0o644, 0o600),
        (session.join("review.json"), 0o640, 0o600),
        (session.join("tui.lock"), 0o666, 0o600),
        (session.join("poll.lock"), 0o602, 0o600),
    ] {
        mode(&path, open);
        check_refused(&this, &path, &format!("mode {open:04o}"), &format!("run `chmod {own:o} PATH`"));
        mode(&path, own);
    }
    assert_eq!(this.run(&["poll"]).code, 0);
}

#[test]
fn a_store_that_leads_elsewhere_is_refused() {
    let this = Loop::new();
    this.sent("r1", 1);
    assert_eq!(this.run(&["poll"]).code, 0);
    let session = this.sandbox.repo().join(".git/whymark/r1");
    for name in ["", "in", "out", "out/0001.json", "review.json", "poll.lock"] {
        let path = if name.is_empty() { session.clone() } else { session.join(name) };
        let away = this.sandbox.tmp().join("away");
        fs::rename(&path, &away).unwrap();
        symlink(&away, &path).unwrap();
        check_refused(&this, &path, "a symbolic link", "move it away");
        fs::remove_file(&path).unwrap();
        fs::rename(&away, &path).unwrap();
    }
    let path = session.join("in");
    fs::rename(&path, session.join("was-in")).unwrap();
    fs::write(&path, "").unwrap();
    check_refused(&this, &path, "not a folder", "move it away");
}

#[test]
fn broken_files_of_the_reviewer_are_said_and_those_of_agents_passed_over() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    let inbox = this.path("r1", "in");
    for (name, text) in [("000009-x.json", "half"), ("000010-y.json", "{}"), ("notes.txt", "x"), (".000011-z.json", "")]
    {
        fs::write(inbox.join(name), text).unwrap();
        mode(&inbox.join(name), 0o600);
    }
    assert_eq!(this.run(&["poll"]).code, 0);
    assert!(inbox.read_dir().unwrap().any(|entry| entry.unwrap().file_name().to_str().unwrap().starts_with("000011-")));
    for text in ["{\"time\":\"x\",\"notes\":[", "{\"time\":\"x\",\"notes\":[]}", &"x".repeat((1 << 20) + 1)] {
        let path = this.path("r1", "out/0002.json");
        fs::write(&path, text).unwrap();
        mode(&path, 0o600);
        let run = this.run(&["poll"]);
        assert_eq!((run.code, run.stdout.len()), (2, 0));
        assert!(run.stderr.starts_with(&format!("error: cannot read {}: ", path.display())), "{}", run.stderr);
        assert!(run.stderr.ends_with("\nhelp[1]:\n  mend it or move it away; nothing was changed\n"), "{}", run.stderr);
        fs::remove_file(path).unwrap();
    }
    assert_eq!(spool.state().unwrap().unanswered().count(), 1);
}

/// A second inbox takes what an agent cannot write in the git folder. The agent runs as somebody who owns everything and
/// may write there nonetheless only in the second.
#[test]
fn where_the_git_folder_cannot_be_written_the_second_inbox_is_used() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    let is_root = rustix::process::geteuid().is_root();
    let inbox = this.path("r1", "in");
    let second = this
        .sandbox
        .tmp()
        .join(format!("whymark-{}", if is_root { 65_534 } else { rustix::process::geteuid().as_raw() }));
    if is_root {
        let made = this.sandbox.tmp().join("whymark-0");
        fs::rename(&made, &second).unwrap();
        let owned =
            std::process::Command::new("chown").arg("-R").arg("65534").arg(this.sandbox.tmp()).status().unwrap();
        assert!(owned.success());
    }
    let session = this.sandbox.repo().join(".git/whymark/r1");
    for path in [&session, &inbox] {
        mode(path, 0o500);
    }
    let run = |args: &[&str]| {
        let mut command = this.sandbox.whymark_command(args);
        if is_root {
            command.uid(65_534);
        }
        let output = command.output().unwrap();
        (
            output.status.code().unwrap(),
            String::from_utf8(output.stdout).unwrap(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    assert!(run(&["poll"]).1.contains("\nround: 1\n"));
    assert!(run(&["poll"]).1.contains("\nround: 1 (handed out before, attempt 2)\n"));
    assert_eq!(run(&["reply", "did it"]).0, 0);
    assert!(run(&["poll"]).1.contains("\nround: 2\n"));
    assert_eq!(fs::read_dir(second.join("r1/in")).unwrap().count(), 4);
    assert_eq!(fs::read_dir(&inbox).unwrap().count(), 0);
    fs::remove_dir_all(&second).unwrap();
    assert!(run(&["poll"]).1.contains("note 1\n"), "poll still prints");
    let (code, stdout, stderr) = run(&["reply", "--round", "1", "did it"]);
    let path = inbox.display();
    let want = format!(
        "error: not saved, cannot write {path}: permission denied\nhelp[1]:\n  tell the user; the reviewer can close the round\n"
    );
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (2, "", want.as_str()));
    if is_root {
        let owned = std::process::Command::new("chown").arg("-R").arg("0").arg(this.sandbox.tmp()).status().unwrap();
        assert!(owned.success());
    }
    for path in [&session, &inbox] {
        mode(path, 0o700);
    }
    spool.close(1).unwrap();
    assert_eq!(spool.state().unwrap().unanswered().count(), 1, "the reviewer can close it");
}

#[test]
fn another_session_with_the_same_name_has_no_say() {
    let (one, other) = (Loop::new(), Loop::new());
    let spool = one.sent("a", 1);
    other.sent("a", 1);
    let second = one.sandbox.tmp().join(format!("whymark-{}/a/in", rustix::process::geteuid().as_raw()));
    assert_eq!(other.run(&["reply", "--round", "1", "of the other"]).code, 0);
    let [event] = fs::read_dir(other.path("a", "in")).unwrap().collect::<Vec<_>>().try_into().unwrap();
    let event = event.unwrap().path();
    fs::copy(&event, second.join(event.file_name().unwrap())).unwrap();
    assert_eq!(spool.state().unwrap().unanswered().count(), 1);
    let _ = spool.send(&[chat("x")]);
}

#[test]
fn everything_is_private() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    spool.keep_draft(Some(b"{}")).unwrap();
    spool.close(1).unwrap();
    spool.end_by_reviewer().unwrap();
    assert_eq!(this.run(&["reply", "--round", "1", "x"]).code, 0);
    assert_eq!(this.run(&["poll"]).code, 0);
    let mut left = vec![
        this.sandbox.repo().join(".git/whymark"),
        this.sandbox.tmp().join(format!("whymark-{}", rustix::process::geteuid().as_raw())),
    ];
    let mut count = 0;
    while let Some(path) = left.pop() {
        let meta = fs::symlink_metadata(&path).unwrap();
        let want = if meta.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(meta.permissions().mode() & 0o777, want, "{}", path.display());
        count += 1;
        if meta.is_dir() {
            left.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
    }
    assert_eq!(count, 15, "folders and files");
    this.sandbox.git(&["add", "--all"]);
    assert_eq!(this.sandbox.git(&["status", "--porcelain", "--ignored"]), b"", "git does not see it");
}
