//! The guide says how it is: its commands are run.

use super::{Loop, anno, chat};
use crate::support::Sandbox;
use crate::support::sandbox::piped;

/// The commands of the guide, in order: what is indented and has the program's name in it.
fn commands() -> Vec<String> {
    let guide = String::from_utf8(Sandbox::empty().run(&["agent-guide"]).stdout).unwrap();
    let lines = guide.lines().filter(|line| line.starts_with("    ") && line.contains("whymark "));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn the_guide_and_the_skill_are_one_text() {
    let run = |args: &[&str]| String::from_utf8(Sandbox::empty().run(args).stdout).unwrap();
    let skill = include_str!("../../assets/skill/SKILL.md");
    assert_eq!(run(&["agent-guide", "--skill"]), skill);
    let guide = run(&["agent-guide"]);
    assert!(guide.starts_with("# Review notes from whymark\n") && skill.ends_with(&guide));
    assert!(guide.lines().count() < 90, "a page");
}

#[test]
fn the_commands_of_the_guide_do_what_it_says() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let _ = spool.send(&[anno("sync the folder too"), anno("split this file"), chat("keep the API")]);
    let commands = commands();
    assert_eq!(commands.len(), 7, "{commands:?}");
    // The person's part of the loop comes between them: notes first, answers to questions, and so on. The first answer
    // is the last thing that is said about the round.
    let order = [0, 2, 3, 4, 1, 5, 6];
    for index in order {
        let mut shell = this.sandbox.command("sh", &this.sandbox.repo());
        let folder = std::path::Path::new(env!("CARGO_BIN_EXE_whymark")).parent().unwrap().display().to_string();
        shell.args(["-c", &commands[index]]).env("PATH", format!("{folder}:{}", std::env::var("PATH").unwrap()));
        let run = piped(shell, b"");
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", commands[index]);
        let stdout = String::from_utf8(run.stdout).unwrap();
        let want = [
            "queue[3]{",
            "reply: delivered",
            "\"attempt\":2",
            "note: 0 done",
            "note: 1 question",
            "id: r1",
            "session: ended",
        ];
        assert!(stdout.contains(want[index]), "{}:\n{stdout}", commands[index]);
    }
    let state = spool.state().unwrap();
    assert_eq!(state.rounds[0].answer.as_ref().unwrap().text, "Sync the folder too, and split cli.rs in two");
    assert_eq!(state.rounds[0].said[1].as_ref().unwrap().1.text, "Into how many files?");
}

/// The lines that the guide explains are those that polls print.
#[test]
fn the_lines_of_the_guide_are_printed() {
    let guide = String::from_utf8(Sandbox::empty().run(&["agent-guide"]).stdout).unwrap();
    let this = Loop::new();
    let (spool, hold) = this.open("r1");
    let mut printed = String::new();
    let mut poll = || printed.push_str(&String::from_utf8(this.run(&["poll", "--wait", "0"]).stdout).unwrap());
    poll();
    let _ = spool.send(&[chat("x")]);
    poll();
    assert_eq!(this.run(&["reply", "x"]).code, 0);
    let _ = spool.send(&[chat("x")]);
    poll();
    poll();
    spool.close(2).unwrap();
    drop(hold);
    poll();
    spool.end_by_reviewer().unwrap();
    poll();
    for line in [
        "queue: 0 items",
        "state: waiting",
        "state: closed",
        "queue: 0 items - the reviewer ended the session",
        "round: 2 (handed out before, attempt 2)",
        "help",
    ] {
        assert!(guide.contains(&format!("`{line}`")), "{line}");
        assert!(printed.lines().any(|printed| printed.starts_with(line)), "{line}:\n{printed}");
    }
}
