//! Commands of a review in a real terminal: asked about first, and gone with the program.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::Signal;

use super::{SIZE, contains};
use crate::support::Sandbox;
use crate::support::terminal::Pty;

const SLEEPER: &str = "@note doc\nwhy: x\nverify: cmd `echo $$ >pid; echo begun; sleep 1000` => pass\n";

fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("r.whymark", text);
    sandbox
}

/// Wait until the process whose number the command has written is gone, or has ended and waits to be asked about.
fn assert_ends(sandbox: &Sandbox) {
    let pid = fs::read_to_string(sandbox.path("pid")).expect("the command has begun");
    let start = Instant::now();
    let is_running = || {
        let stat = fs::read_to_string(Path::new("/proc").join(pid.trim()).join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']))
    };
    while is_running() {
        assert!(start.elapsed() < Duration::from_secs(20), "the command has outlived the program");
        std::thread::yield_now();
    }
}

#[test]
fn the_command_line_asks_first() {
    let text = "@note doc\nwhy: x\nverify: cmd `touch ran; echo \u{1b}[31mred` => pass\n";
    for (answer, code) in [("n\r", 2), ("\r", 2), ("yes\r", 0)] {
        let sandbox = sandbox(text);
        let mut pty = Pty::whymark(&sandbox, &["verify", "r.whymark"], SIZE, &[]);
        pty.wait_for("touch ran; echo ^[[31mred");
        pty.wait_for("Run it? [y/N]");
        assert!(!sandbox.path("ran").exists());
        pty.send(answer);
        assert_eq!(pty.wait_exit(), code, "{}", pty.screen());
        assert_eq!(sandbox.path("ran").exists(), code == 0);
        assert!(!contains(&pty.raw(), b"\x1b[31mred"));
    }
    let sandbox = sandbox(text);
    let pty = Pty::whymark(&sandbox, &["verify", "r.whymark", "--yes"], SIZE, &[]);
    assert_eq!(pty.wait_exit(), 0);
    pty.wait_for("1 confirmed");
}

#[test]
fn the_command_line_shows_what_runs_and_ends_with_it() {
    let sandbox = sandbox(SLEEPER);
    let mut pty = Pty::whymark(&sandbox, &["verify", "r.whymark", "--yes"], SIZE, &[]);
    pty.wait_for("1/1 echo $$ >pid");
    while !sandbox.path("pid").exists() {
        std::thread::yield_now();
    }
    pty.wait_for("1s");
    pty.send("\x03");
    assert_eq!(pty.wait_exit(), 128 + 2);
    assert_ends(&sandbox);
}

/// The reviewer of the one command in the review, which asks whether to run it.
fn asking(sandbox: &Sandbox) -> Pty {
    let mut pty = Pty::whymark(sandbox, &["tui", "r.whymark"], SIZE, &[]);
    pty.wait_for("REVIEW");
    pty.send("V");
    pty.wait_for("Run 1 command in ");
    pty
}

#[test]
fn the_reviewer_runs_shows_and_ends_commands() {
    let sandbox = sandbox(SLEEPER);
    let mut pty = asking(&sandbox);
    pty.send("y");
    pty.wait_for("| begun");
    pty.resize((90, 20));
    pty.wait_for("| begun");
    pty.send("\x1b");
    pty.wait_for("End what runs?");
    pty.send("y");
    pty.wait_for("the command was cancelled");
    assert_ends(&sandbox);
    // Until it is over, escape asks whether to end it.
    pty.wait_for("there is nothing to be written");
    pty.send("\x1b");
    pty.wait_for("REVIEW");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
    assert_eq!(sandbox.read("r.whymark"), SLEEPER.as_bytes());
}

#[test]
fn commands_end_with_the_reviewer_however_it_ends() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::HUP, 1), (Signal::KILL, 9)] {
        let sandbox = sandbox(SLEEPER);
        let mut pty = asking(&sandbox);
        pty.send("y");
        pty.wait_for("| begun");
        pty.signal(signal);
        assert_eq!(pty.wait_exit(), 128 + number);
        assert_ends(&sandbox);
        if signal != Signal::KILL {
            pty.assert_restored();
        }
    }
}
