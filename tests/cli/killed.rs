//! Writers that are ended in the middle of it: by a limit, which is as sudden as a kill, and by the keyboard.

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::Stdio;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::support::Sandbox;

const REVIEW: &str = "---\nwhymark: 1\ntitle: x\n---\n\n@file a\n@@ -0,0 +1 @@\n+x\n";

/// The names in the repository's folder.
fn names(sandbox: &Sandbox) -> Vec<String> {
    let entries = fs::read_dir(sandbox.repo()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

/// Whether a text is there that is not in its place yet.
fn is_replacing(sandbox: &Sandbox) -> bool {
    names(sandbox).iter().any(|name| name.starts_with(".whymark-"))
}

/// The system ends a program that writes more than it may, without a word to it.
#[test]
fn what_a_killed_writer_left_goes_with_the_next_one() {
    let sandbox = Sandbox::empty();
    let text =
        format!("{REVIEW}{}", "\n@note +1\nwhy: a reason of some length, so that it takes a while\n".repeat(100));
    sandbox.write("r.whymark", &text);
    sandbox.write(".whymark-config", "somebody's own");
    let note = ["note", "r.whymark", "+1", "--why", "one more"];
    let mut command = sandbox.command("sh", &sandbox.repo());
    let script = "ulimit -c 0; ulimit -f 1; exec \"$0\" \"$@\"";
    let killed = command.args(["-c", script, env!("CARGO_BIN_EXE_whymark")]).args(note).output().unwrap();
    assert!(killed.status.signal().is_some(), "{killed:?}");
    assert_eq!(sandbox.read("r.whymark"), text.as_bytes(), "the review is as it was");
    let is_left = |name: &&String| name.starts_with(".whymark-") && name.ends_with(".tmp");
    assert_eq!(names(&sandbox).iter().filter(is_left).count(), 1, "{:?}", names(&sandbox));
    assert_eq!(sandbox.run(&note).code, 0);
    assert_eq!(names(&sandbox), [".whymark-config", "r.whymark"]);
    assert!(sandbox.read("r.whymark").ends_with(b"why: one more\n"));
}

/// When it comes while a file is being replaced, there is the old text or the new one, and nothing beside it.
#[test]
fn an_interrupt_leaves_the_old_text_or_the_new_one() {
    let sandbox = Sandbox::new();
    let untidy = REVIEW.replace("title: x", "title: Fix: x").replace("+1 @@", "+1,7 @@");
    let untidy = format!("{untidy}{}", "\n@note   +1\nwhy:  a reason\n".repeat(4_000));
    sandbox.write("a", "line\n".repeat(20_000));
    for (args, file) in [
        (&["fmt", "--write", "r.whymark"][..], "r.whymark"),
        (&["validate", "--fix", "--no-staleness", "r.whymark"], "r.whymark"),
        (&["new", "-o", "n.whymark"], "n.whymark"),
    ] {
        sandbox.write("r.whymark", &untidy);
        let _ = fs::remove_file(sandbox.path("n.whymark"));
        let before = fs::read(sandbox.path(file)).ok();
        assert_eq!(sandbox.run(args).code, 0);
        let after = Some(sandbox.read(file));
        assert_ne!(before, after, "{args:?}");
        let is_dated = file == "n.whymark";
        for _ in 0..4 {
            sandbox.write("r.whymark", &untidy);
            let _ = fs::remove_file(sandbox.path("n.whymark"));
            let mut command = sandbox.whymark_command(args);
            let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
            while !is_replacing(&sandbox) && child.try_wait().unwrap().is_none() {
                thread::yield_now();
            }
            let pid = Pid::from_child(&child);
            // By now it may be through.
            let _ = kill_process(pid, Signal::INT);
            let status = child.wait().unwrap();
            assert!(status.signal() == Some(Signal::INT.as_raw()) || status.success(), "{args:?}: {status}");
            let now = fs::read(sandbox.path(file)).ok();
            let is_whole = |now: &Option<Vec<u8>>| match (now, &after) {
                (Some(now), Some(after)) if is_dated => now.len() == after.len(),
                (now, after) => now == after,
            };
            assert!(now == before || is_whole(&now), "{args:?}: neither the old text nor the new one");
            assert!(!is_replacing(&sandbox), "{args:?}: {:?}", names(&sandbox));
        }
    }
}
