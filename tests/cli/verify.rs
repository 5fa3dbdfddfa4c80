//! `whymark verify`: what is run, what is said about it, what is written, and that nothing of it stays behind.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use bstr::ByteSlice;
use serde_json::Value;

use crate::support::{Run, Sandbox};

/// How long something may take that is done at once.
const PATIENCE: Duration = Duration::from_secs(20);

const HEAD: &str = "---\nwhymark: 1 # the first\ntitle: x\nchecks:\n  - cmd: exit 0 # fine\n    status: pass\n---\n\n";

/// A review with a claim for each of `claims`, all in one note.
fn review(claims: &[&str]) -> String {
    let lines: String = claims.iter().map(|claim| format!("verify: {claim}\n")).collect();
    format!("{HEAD}@file a.txt\n@@ -1 +1 @@\n-a\n+b\n\n@note +1\nwhy: x\n{lines}\nThe body.\n")
}

fn sandbox(text: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("r.whymark", text);
    sandbox
}

fn verify(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["verify", "r.whymark"], args].concat())
}

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout.as_bstr()))
}

/// Wait until `is_true`; what it waits for takes no time.
fn wait(what: &str, mut is_true: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_true() {
        assert!(start.elapsed() < PATIENCE, "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The process whose number stands in the file, once it stands there.
fn pid_in(path: &Path) -> i32 {
    let mut pid = None;
    wait("the command writes its number", || {
        pid = fs::read_to_string(path).ok().and_then(|text| text.trim().parse().ok());
        pid.is_some()
    });
    pid.unwrap()
}

fn is_running(pid: i32) -> bool {
    // One that has ended and that nobody has asked about is no longer running.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    if Path::new("/proc/self/stat").exists() {
        return stat.rsplit_once(')').is_some_and(|(_, rest)| !rest.trim_start().starts_with(['Z', 'X']));
    }
    Command::new("kill").args(["-0", &pid.to_string()]).stderr(Stdio::null()).status().unwrap().success()
}

fn assert_ends(pid: i32) {
    wait("what was started ends", || !is_running(pid));
}

#[test]
fn outcomes_and_exit_codes() {
    for (claim, outcome, code) in [
        ("cmd `exit 0` => pass", "confirmed", 0),
        ("cmd `exit 3` => pass", "contradicted", 1),
        ("cmd `exit 0` => fail", "contradicted", 1),
        ("cmd `exit 3` => fail", "confirmed", 1),
        ("cmd `exit 0`", "recorded", 0),
        ("cmd `exit 1` => skipped", "recorded", 1),
        ("cmd `no-such-program` => pass", "unrunnable", 1),
        ("cmd `kill -9 $$` => pass", "unrunnable", 1),
        ("cmd => pass", "unrunnable", 1),
        ("cmd I ran everything => pass", "unrunnable", 1),
        ("cmd `exit 0` `exit 0` => pass", "unrunnable", 1),
        ("cmd `printf '%s' \"a 'b' => c\" | grep -q '=> c'` => pass", "confirmed", 0),
        ("cmd ``test `echo x` = x`` => pass", "confirmed", 0),
        ("cmd `test \"$CI,$NO_COLOR,$FORCE_COLOR\" = 1,1,0` => pass", "confirmed", 0),
        ("cmd `! read -r line` => pass", "confirmed", 0),
        ("cmd `! sh -c ': </dev/tty' 2>/dev/null` => pass", "confirmed", 0),
        ("cmd `echo a >&2; test -d .git` => pass", "confirmed", 0),
    ] {
        let sandbox = sandbox(&review(&[claim]));
        fs::create_dir(sandbox.path("sub")).unwrap();
        let run = sandbox.run(&["-C", "sub", "verify", "../r.whymark", "--json"]);
        let report = json(&run);
        assert_eq!(report["results"][1]["outcome"], outcome, "{claim}: {report}");
        assert_eq!(run.code, code, "{claim}: {report}");
        assert_eq!(report["summary"]["total"], 2);
        assert_eq!(report["results"][1].get("reason").is_some(), outcome == "unrunnable", "{claim}: {report}");
    }
}

#[test]
fn what_programs_read() {
    let sandbox =
        sandbox(&review(&["cmd `echo out; echo err >&2; exit 2` => pass", "cmd => pass", "manual x => pass"]));
    let run = verify(&sandbox, &["--json"]);
    let report = json(&run);
    assert_eq!((run.code, report["path"].as_str()), (1, Some("r.whymark")));
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>().join(" ");
    assert_eq!(keys(&report), "path results summary");
    assert_eq!(keys(&report["summary"]), "confirmed contradicted recorded total unrunnable");
    let results = report["results"].as_array().unwrap();
    assert_eq!(results.len(), 3, "a claim that is no command is not listed");
    assert_eq!(keys(&results[1]), "claimed cmd file noteId outcome run");
    assert_eq!(keys(&results[1]["run"]), "cmd durationMs exitCode output status timedOut unavailable");
    assert_eq!(keys(&results[2]), "claimed cmd file noteId outcome reason");
    assert!(results[0]["noteId"].is_null() && results[0]["file"].is_null(), "a check");
    assert_eq!((results[1]["noteId"].as_str(), results[1]["file"].as_str()), (Some("n1"), Some("a.txt")));
    let ran = &results[1]["run"];
    assert_eq!((ran["exitCode"].as_i64(), ran["status"].as_str()), (Some(2), Some("fail")));
    assert_eq!((ran["output"].as_str(), ran["timedOut"].as_bool()), (Some("out\nerr"), Some(false)));
}

#[test]
fn equal_commands_run_once_and_a_filter_leaves_out() {
    let command = "cmd `echo x >>ran.txt` => pass";
    let sandbox = sandbox(&review(&[command, command, "cmd `echo y >>ran.txt` => pass"]));
    let run = verify(&sandbox, &["--filter", "x >>"]);
    assert_eq!((run.code, fs::read_to_string(sandbox.path("ran.txt")).unwrap().as_str()), (0, "x\n"));
    assert!(run.stdout.contains_str("2 checked: 2 confirmed (1 command was run)"), "{}", run.stdout.as_bstr());
    assert_eq!(verify(&sandbox, &["--jobs", "3"]).code, 0);
    assert_eq!(fs::read_to_string(sandbox.path("ran.txt")).unwrap().lines().count(), 3);
    for args in [&["--filter", "("][..], &["--timeout", "0s"], &["--timeout", "10"], &["--jobs", "0"], &["nowhere"]] {
        let run = verify(&sandbox, args);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{args:?}");
    }
}

#[test]
fn a_dry_run_lists_and_runs_nothing() {
    let sandbox =
        sandbox(&review(&["cmd `touch ran` => pass", "cmd It was fine => pass", "cmd `echo \u{1b}[31m` => pass"]));
    for args in [&["--dry-run"][..], &["--dry-run", "--json"]] {
        let run = verify(&sandbox, args);
        assert_eq!(run.code, 0);
        assert!(!sandbox.path("ran").exists());
    }
    let listed = verify(&sandbox, &["--dry-run"]).stdout.to_str_lossy().into_owned();
    for part in ["  touch ran\n      n1 a.txt\n", "  echo ^[[31m\n", "  exit 0\n      check\n", "not run: It was fine"]
    {
        assert!(listed.contains(part), "{part} in {listed}");
    }
    assert!(!listed.contains('\u{1b}'));
}

#[test]
fn only_claims_and_checks_are_written() {
    let claims =
        ["cmd `exit 0`", "cmd `echo 'Error: => pass'; exit 3` => pass (12 assertions)", "cmd `nowhere` => pass (a)"];
    let text = review(&claims).replace("---\n\n@file", "---\n@check cmd `exit 3`   => pass (old)\n\n# kept\n\n@file");
    for newline in ["\n", "\r\n"] {
        let text = text.replace('\n', newline);
        let sandbox = sandbox(&text);
        let run = verify(&sandbox, &["--write"]);
        assert_eq!(run.code, 1, "{}", run.stderr);
        assert!(run.stderr.contains("note: wrote 4 outcomes to r.whymark"), "{}", run.stderr);
        let after = String::from_utf8(sandbox.read("r.whymark")).unwrap();
        // Times differ from run to run.
        let is_time = |word: &str| word.starts_with("ran:") || word.contains("exit");
        let changed: Vec<&str> =
            after.split(newline).filter(|line| !text.contains(&format!("{line}{newline}"))).collect();
        assert_eq!(changed.len(), 5, "{after}");
        assert!(changed.iter().all(|line| is_time(line.trim_start())), "{changed:?}");
        for part in [
            "status: pass",
            "  - cmd: exit 0 # fine",
            "# kept",
            "@check cmd `exit 3` => fail (exit 3 in ",
            "verify: cmd `exit 0` => pass (exit 0 in ",
            "verify: cmd `echo 'Error: => pass'; exit 3` => fail (exit 3 in ",
            "s: Error: => pass)",
            "verify: cmd `nowhere` => pass (a)",
        ] {
            assert!(after.contains(part), "{part} in {after}");
        }
        let lines = |text: &str| text.split(newline).count();
        assert_eq!(lines(&after), lines(&text) + 2, "{after}");
        // What was contradicted says now that it fails, and goes on being reported.
        let again = verify(&sandbox, &["--write"]);
        assert_eq!(again.code, 1);
        assert!(
            again.stdout.contains_str("1 unrunnable, 4 confirmed; 2 of them failed as well"),
            "{}",
            again.stdout.as_bstr()
        );
    }
}

#[test]
fn without_write_nothing_changes() {
    let text = review(&["cmd `exit 3` => pass"]);
    let sandbox = sandbox(&text);
    assert_eq!(verify(&sandbox, &[]).code, 1);
    assert_eq!(sandbox.read("r.whymark"), text.as_bytes());
    for args in [&["show", "r.whymark"][..], &["validate", "r.whymark"], &["stats", "r.whymark"], &["fmt", "r.whymark"]]
    {
        sandbox.write("r.whymark", review(&["cmd `touch ran` => pass"]));
        sandbox.run(args);
        assert!(!sandbox.path("ran").exists(), "{args:?} runs nothing");
    }
}

#[test]
fn outcomes_go_into_the_text_that_is_there_by_then() {
    // The command is an agent that writes meanwhile.
    let edit =
        "sed -i.bak 's/^why: x/why: y/; s/^verify: cmd .exit 0. => pass/verify: cmd `exit 1` => pass/' r.whymark";
    let sandbox = sandbox(&review(&[&format!("cmd ``{edit} `` => unknown"), "cmd `exit 0` => pass (1)"]));
    let run = verify(&sandbox, &["--write", "--filter", "sed|exit"]);
    let after = String::from_utf8(sandbox.read("r.whymark")).unwrap();
    assert!(after.contains("\nwhy: y\n"), "{after}");
    assert!(after.contains("verify: cmd `exit 1` => pass (1)\n"), "what was not run is not judged: {after}");
    assert!(after.contains(&format!("``{edit} `` => pass (exit 0 in ")), "{after}");
    assert!(run.stderr.contains("not written: n1 a.txt, `exit 0`: it is no longer in the review"), "{}", run.stderr);
    assert_eq!(run.code, 1);
}

#[test]
fn what_hangs_is_ended_with_all_that_it_has_started() {
    let sandbox = sandbox(&review(&[
        "cmd `sleep 1000 & echo $! >one; (trap '' TERM HUP; sleep 1000) & echo $! >two; setsid sleep 1000 & sleep 1000` => pass",
    ]));
    let run = verify(&sandbox, &["--json", "--timeout", "1s", "--filter", "sleep"]);
    let result = &json(&run)["results"][0];
    assert_eq!((run.code, result["outcome"].as_str()), (1, Some("unrunnable")), "{result}");
    assert_eq!(result["run"]["timedOut"], true);
    assert!(result["run"]["exitCode"].is_null());
    for name in ["one", "two"] {
        assert_ends(pid_in(&sandbox.path(name)));
    }
}

#[test]
fn what_is_left_in_the_background_does_not_hold_it_up() {
    for start in [
        "sleep 1000 & echo $! >pid",
        "setsid sh -c 'echo $$ >pid; exec sleep 1000' & while ! test -s pid; do :; done",
        "nohup sleep 1000 & echo $! >pid",
    ] {
        let sandbox = sandbox(&review(&[&format!("cmd `{start}; echo done` => pass")]));
        let run = verify(&sandbox, &["--json", "--timeout", "60s", "--filter", "done"]);
        let result = &json(&run)["results"][0];
        assert_eq!((run.code, result["outcome"].as_str()), (0, Some("confirmed")), "{start}: {result}");
        assert!(result["run"]["output"].as_str().unwrap().contains("done"));
        assert_ends(pid_in(&sandbox.path("pid")));
    }
}

#[test]
fn a_flood_is_cut_in_the_middle() {
    let sandbox = sandbox(&review(&["cmd `echo first; head -c 300000000 /dev/zero | tr '\\0' x; echo last` => pass"]));
    let run = verify(&sandbox, &["--json", "--filter", "head"]);
    assert_eq!(run.code, 0);
    let output = json(&run)["results"][0]["run"]["output"].as_str().unwrap().to_owned();
    assert!(output.len() < 200_000 && output.starts_with("first\n") && output.ends_with("xlast"), "{}", output.len());
    assert!(output.contains(" bytes left out …]"));
}

#[test]
fn output_is_only_shown() {
    let sandbox = sandbox(&review(&["cmd `printf '\\033[2Jred\\r\\n\\377\\n'; exit 1` => pass"]));
    let run = verify(&sandbox, &[]);
    let shown = run.stdout.to_str().expect("it is UTF-8");
    assert!(shown.contains("| ^[[2Jred\n") && !shown.contains('\u{1b}') && shown.contains('\u{fffd}'), "{shown}");
}

#[test]
fn commands_end_with_the_program_however_it_ends() {
    for signal in ["TERM", "HUP", "INT", "KILL"] {
        let sandbox =
            sandbox(&review(&["cmd `echo $$ >pid; (setsid sleep 1000 & echo $! >other); sleep 1000` => pass"]));
        let mut command = sandbox.whymark_command(&["verify", "r.whymark", "--write", "--filter", "sleep"]);
        let mut program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let (pid, other) = (pid_in(&sandbox.path("pid")), pid_in(&sandbox.path("other")));
        assert!(is_running(pid));
        let sent = Command::new("kill").args([&format!("-{signal}"), &program.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert_eq!(program.wait().unwrap().code(), None, "it dies by the signal");
        assert_ends(pid);
        assert_ends(other);
        assert_eq!(
            sandbox.read("r.whymark"),
            review(&["cmd `echo $$ >pid; (setsid sleep 1000 & echo $! >other); sleep 1000` => pass"]).as_bytes()
        );
    }
}

#[test]
fn a_command_that_ends_its_watcher_gains_nothing_by_it() {
    let sandbox = sandbox(&review(&["cmd `echo $$ >pid; kill -9 $PPID; sleep 1000` => pass"]));
    let run = verify(&sandbox, &["--json", "--filter", "sleep"]);
    assert_eq!(json(&run)["results"][0]["outcome"], "unrunnable");
    assert_ends(pid_in(&sandbox.path("pid")));
    let run = sandbox.run(&["watch-over", "true"]);
    assert_eq!(run.code, 0, "by hand it does what it says: {}", run.stderr);
}

#[test]
fn evidence_is_kept_with_its_output_and_goes_stale() {
    let sandbox = sandbox("");
    let text = review(&["cmd `echo out; exit 1` => pass", "cmd `nowhere` => pass"])
        .replace("title: x\n", "title: x # c\nquality: 5\nevidence:\n  - broken # kept\n");
    sandbox.write("reviews/r.whymark", &text);
    sandbox.write("a.txt", "b\n");
    sandbox.commit("x");
    let verify = || sandbox.run(&["verify", "reviews/r.whymark", "--evidence"]);
    let shown = || sandbox.run(&["show", "reviews/r.whymark"]).stdout.to_str_lossy().into_owned();
    let run = verify();
    assert_eq!((run.code, run.stderr.contains("not written")), (1, false), "{}", run.stderr);
    let after = String::from_utf8(sandbox.read("reviews/r.whymark")).unwrap();
    for part in ["  - broken # kept\n", "quality: 5\n", "title: x # c\n", "command: echo out; exit 1\n", "=> pass\n"] {
        assert!(after.contains(part), "{part} in {after}");
    }
    let (front, rest) = after.split_once("\n---\n").unwrap();
    assert!(text.ends_with(&format!("\n---\n{rest}")), "behind the frontmatter nothing changes: {rest}");
    assert_eq!(front.matches("\n  - version: 1\n").count(), 3, "one record a command: {front}");
    let outputs: Vec<_> = fs::read_dir(sandbox.path(".artifacts/whymark")).unwrap().flatten().collect();
    assert!(outputs.iter().any(|output| fs::read(output.path()).unwrap() == b"out"), "{outputs:?}");
    for part in [
        "evidence: malformed",
        "current, contradicted: echo out; exit 1 => fail",
        "current: exit 0 => pass",
        "unavailable: nowhere",
    ] {
        assert!(shown().contains(part), "{part} in {}", shown());
    }
    sandbox.write("a.txt", "c\n");
    assert!(shown().contains("stale: exit 0 => pass"), "{}", shown());
    assert_eq!(verify().code, 1);
    let again = String::from_utf8(sandbox.read("reviews/r.whymark")).unwrap();
    assert_eq!(again.matches("\n  - version: 1\n").count(), 3, "a record takes the place of the one before: {again}");
    assert!(shown().contains("current: exit 0 => pass"), "{}", shown());
    fs::remove_dir_all(sandbox.path(".artifacts")).unwrap();
    assert!(shown().contains("unavailable: exit 0 => pass"), "{}", shown());
    std::os::unix::fs::symlink(sandbox.home(), sandbox.path(".artifacts")).unwrap();
    let run = verify();
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("cannot create the folder") && run.stderr.contains("it is a link"), "{}", run.stderr);
    assert_eq!(sandbox.read("reviews/r.whymark"), again.as_bytes());
    assert!(!sandbox.home().join("whymark").exists());
}

#[test]
fn what_came_out_is_written_even_if_nobody_listens() {
    let sandbox = sandbox(&review(&["cmd `exit 0`"]));
    let mut command = sandbox.whymark_command(&["verify", "r.whymark", "--write"]);
    let mut program = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    drop(program.stdout.take());
    assert_eq!(program.wait().unwrap().code(), Some(0));
    assert!(sandbox.read("r.whymark").contains_str("verify: cmd `exit 0` => pass (exit 0 in "));
}

#[test]
fn there_may_be_nothing_to_do() {
    let sandbox = sandbox("---\nwhymark: 1\ntitle: x\n---\n@note doc\nwhy: x\nverify: manual y => pass\n");
    let run = verify(&sandbox, &["--write"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.starts_with(b"nothing to verify"), "{}", run.stdout.as_bstr());
    let run = verify(&sandbox, &["--json"]);
    assert_eq!(json(&run)["summary"]["total"], 0);
}
