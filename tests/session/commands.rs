//! Each command in each state, to the letter.

use whymark::session::Note;

use super::{Loop, anno, chat};

const CLOSED: &str = "help[2]:\n  ask the user to run `whymark tui`\n  then run `whymark poll` again\n";
const NEXT: &str = "help[1]:\n  run `whymark poll` for the next round\n";

#[test]
fn without_a_session() {
    let this = Loop::new();
    this.check(&["sessions"], 0, "sessions: 0 items\n", "");
    this.check(&["sessions", "--json"], 0, "[]\n", "");
    this.check(&["poll", "--wait", "0"], 0, &format!("queue: 0 items\nstate: closed\n{CLOSED}"), "");
    this.check(&["poll", "--wait", "0", "--exit-code", "--bare"], 10, "queue: 0 items\n", "");
    this.check(&["poll", "--wait", "0", "--json"], 0, "{\"state\":\"closed\",\"more\":0,\"items\":[]}\n", "");
    this.check(&["end"], 0, "session: not running (no-op)\n", "");
    this.check(&["clean"], 0, "clean: 0 sessions removed (no-op)\n", "");
    this.check(&["stop", "anything", "--at", "-all"], 0, "stop: nothing to stop (no server)\n", "");
    let none =
        "error: no session in this work tree\nhelp[1]:\n  ask the user to run `whymark tui`, or run `whymark start`\n";
    this.check(&["reply", "hi"], 1, "", none);
    let unknown = "error: no session \"x y\"\nhelp[1]:\n  run `whymark sessions`\n";
    for args in [&["poll", "x y"][..], &["reply", "x y", "hi"], &["end", "x y"]] {
        this.check(args, 1, "", unknown);
    }
    assert!(!this.path("", "").exists(), "looking alone makes nothing");
}

#[test]
fn a_round_and_its_answer() {
    let this = Loop::new();
    let (spool, hold) = this.open("r1");
    let waiting = "session: label r1\nqueue: 0 items\nstate: waiting\nhelp[1]:\n  run `whymark poll` again, the reviewer is still reading\n";
    this.check(&["poll", "--wait", "0"], 0, waiting, "");
    this.check(&["poll", "--wait", "0", "--exit-code"], 10, waiting, "");
    let json = "{\"session\":\"label r1\",\"id\":\"r1\",\"state\":\"waiting\",\"more\":0,\"items\":[]}\n";
    this.check(&["poll", "--wait", "0", "--json"], 0, json, "");
    let _ = spool.send(&[anno("say \"when\", and\nwhy"), chat("a\\n, b")]);
    let _ = spool.send(&[chat("later")]);
    let block = "\
session: label r1
queue[2]{kind,file,heading,occurrence,quote,note}:
  anno,src/store.rs,fn save(&self),1,\"    file.sync_all()?;\",\"say \"\"when\"\", and\\nwhy\"
  chat,-,-,0,-,\"a\\n, b\"
";
    this.check(&["poll", "--bare"], 0, block, "");
    let page = format!(
        "{block}escapes[1]{{row,field,real}}:\n  1,note,none\nwhere[1]{{row,lines,side,rev}}:\n  0,88-88,new,worktree\n\
         more: 1 note waits\nround: 1 (handed out before, attempt 2)\nhelp[2]:\n  \
         apply the notes, then run `whymark reply --round 1 --stdin` with one line on what you changed\n  \
         run `whymark poll` for the next round\n"
    );
    this.check(&["poll", "--as", "codex", "--exit-code"], 0, &page, "");
    let row = "sessions[1]{session,label,state,queued,agent}:\n  r1,label r1,open,3,codex has round 1\n";
    this.check(&["sessions"], 0, row, "");
    let named = this.run(&["poll", "label r1"]);
    assert!(String::from_utf8_lossy(&named.stdout).ends_with("run `whymark poll r1` for the next round\n"));
    let json = concat!(
        r#"{"session":"label r1","id":"r1","state":"notes","round":1,"attempt":4,"more":1,"items":[{"kind":"anno","#,
        r#""file":"src/store.rs","heading":"fn save(&self)","occurrence":1,"quote":"    file.sync_all()?;","#,
        r#""note":"say \"when\", and\u000awhy","where":{"lines":"88-88","side":"new","rev":"worktree"}},"#,
        r#"{"kind":"chat","occurrence":0,"note":"a\\n, b"}]}"#,
        "\n"
    );
    this.check(&["poll", "--json"], 0, json, "");
    let note = "reply: delivered to the reviewer\nnote: 1 done\nhelp[1]:\n  when all notes are handled, run `whymark reply --round 1 --stdin`\n";
    this.check(&["reply", "--note", "1", "--status", "done"], 0, note, "");
    this.check(&["reply", "did it"], 0, &format!("reply: delivered to the reviewer\n{NEXT}"), "");
    drop(hold);
    this.check(
        &["reply", "hm"],
        0,
        &format!("reply: saved for the reviewer\nround: none is out, kept as a message\n{NEXT}"),
        "",
    );
    this.check(
        &["reply", "--round", "1", "again"],
        0,
        &format!("reply: saved for the reviewer\nround: 1 was answered before, kept as a message\n{NEXT}"),
        "",
    );
    let run = this.piped(&["reply", "r1", "--round", "2", "--stdin"], b"two\nlines\n\n");
    let next = "help[1]:\n  run `whymark poll r1` for the next round\n";
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("reply: saved for the reviewer\n{next}"));
    let state = spool.state().unwrap();
    assert_eq!(state.rounds[1].answer.as_ref().unwrap().text, "two\nlines");
    assert_eq!(state.messages.iter().map(|said| said.text.as_str()).collect::<Vec<_>>(), ["hm", "again"]);
    assert_eq!(
        state.rounds[0].handed.iter().map(|handing| handing.agent.as_str()).collect::<Vec<_>>(),
        ["agent", "codex", "agent", "agent"]
    );
    let closed = format!("session: label r1\nqueue: 0 items\nstate: closed\n{CLOSED}");
    this.check(&["poll", "--wait", "0"], 0, &closed, "");
}

#[test]
fn replies_that_cannot_be() {
    let this = Loop::new();
    let spool = this.sent("r1", 3);
    let poll = "help[1]:\n  run `whymark poll`\n";
    for (args, message) in [
        (&["reply", "--round", "7", "x"][..], "round 7 was never sent, the newest is 3"),
        (&["reply", "--round", "3", "x"], "round 3 is not handed out yet, round 1 comes first"),
        (&["reply", "--note", "0", "--status", "done"], "no round is out"),
    ] {
        this.check(args, 1, "", &format!("error: {message}\n{poll}"));
    }
    this.check(
        &["reply", "--round", "1", "--note", "9", "--status", "skipped", "r1"],
        1,
        "",
        "error: round 1 has no row 9, the last is 0\nhelp[1]:\n  rows count from 0\n",
    );
    let silent = "error: the reply has no text\nhelp[1]:\n  give it as TEXT, or on stdin with `--stdin`\n";
    this.check(&["reply", " \n"], 2, "", silent);
    this.check(&["reply"], 2, "", silent);
    this.check(&["reply", "--round", "1", "--note", "0", "--status", "question"], 2, "", silent);
    let run = this.piped(&["reply", "--stdin"], &b"x".repeat(70_000));
    let long = "error: the reply has 70000 bytes, the limit is 65536\nhelp[1]:\n  shorten it\n";
    assert_eq!((run.code, run.stdout.len(), run.stderr.as_str()), (2, 0, long));
    for args in [&["reply", "--note", "0", "x"][..], &["reply", "--status", "done"], &["reply", "--round", "0", "x"]] {
        let run = this.run(args);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{args:?}: {}", run.stderr);
    }
    assert_eq!(this.piped(&["reply", "--stdin", "r1", "text"], b"x").code, 2);
    assert_eq!(spool.state().unwrap().queued(), 3);
    assert_eq!(std::fs::read_dir(this.path("r1", "in")).unwrap().count(), 0, "nothing is kept");
    let text = "x".repeat(65_536) + "\n";
    assert_eq!(this.piped(&["reply", "--round", "1", "--stdin"], text.as_bytes()).code, 0);
}

#[test]
fn the_one_word_beside_a_note_is_the_session_or_the_text() {
    let this = Loop::new();
    let spool = this.sent("r1", 1);
    assert_eq!(this.run(&["poll"]).code, 0);
    for (word, text) in [("r1", ""), ("label r1", ""), ("r2", "r2")] {
        assert_eq!(this.run(&["reply", "--note", "0", "--status", "done", word]).code, 0);
        assert_eq!(spool.state().unwrap().rounds[0].said[0].as_ref().unwrap().1.text, text);
    }
    assert_eq!(this.run(&["reply", "r1", "--note", "0", "--status", "question", "why?"]).code, 0);
    assert_eq!(spool.state().unwrap().rounds[0].said[0].as_ref().unwrap().1.text, "why?");
    assert!(spool.state().unwrap().rounds[0].is_out());
}

#[test]
fn the_end_comes_after_the_rounds() {
    let this = Loop::new();
    let spool = this.sent("r1", 2);
    let ended = "session: ended\nunanswered: 2 rounds, 2 notes\nhelp[1]:\n  run `whymark poll` to get them\n";
    this.check(&["end"], 0, ended, "");
    this.check(&["end"], 0, "session: not running (no-op)\n", "");
    let page = |args: &[&str]| String::from_utf8(this.run(args).stdout).unwrap();
    assert!(!page(&["poll"]).contains("end:"));
    assert_eq!(this.run(&["reply", "one"]).code, 0);
    let last = page(&["poll"]);
    assert!(last.contains("note 2\nend: the agent ends the session after this round\nround: 2\n"), "{last}");
    assert!(page(&["poll", "--json"]).contains(r#""more":0,"end":"agent","items":[{"#));
    assert_eq!(this.run(&["reply", "two"]).code, 0);
    let line = |by: &str| format!("session: label r1\nqueue: 0 items - the {by} ended the session\n");
    let stop = "help[1]:\n  stop polling; `whymark start` begins a new session\n";
    this.check(&["poll"], 0, &(line("agent") + stop), "");
    this.check(&["poll", "--exit-code", "--bare"], 11, &line("agent"), "");
    spool.end_by_reviewer().unwrap();
    spool.end_by_reviewer().unwrap();
    this.check(&["poll", "--exit-code"], 11, &(line("reviewer") + stop), "");
    let json =
        "{\"session\":\"label r1\",\"id\":\"r1\",\"state\":\"ended\",\"more\":0,\"end\":\"reviewer\",\"items\":[]}\n";
    this.check(&["poll", "--json"], 0, json, "");
    assert_eq!(this.run(&["reply", "after the end"]).code, 0);
    this.check(&["sessions"], 0, "sessions[1]{session,label,state,queued,agent}:\n  r1,label r1,ended,0,-\n", "");
    this.sent("r2", 1);
    let ended = "session: ended\nunanswered: 1 round, 1 note\nhelp[1]:\n  run `whymark poll r2` to get them\n";
    this.check(&["end", "r2"], 0, ended, "");
}

#[test]
fn sessions_are_started_once() {
    let this = Loop::new();
    let help = "help[2]:\n  ask the user to run `whymark tui`\n  run `whymark poll a` for the first round\n";
    this.check(&["start", "a"], 0, &format!("session: a\nid: a\nstate: closed\n{help}"), "");
    let entries = std::fs::read_dir(this.path("a", "")).unwrap();
    assert_eq!(entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>(), ["in"]);
    this.check(&["start", "a"], 0, &format!("session: a\nid: a\nstate: closed\n{help}"), "");
    this.check(&["start", "--json"], 0, "{\"session\":\"a\",\"id\":\"a\",\"state\":\"closed\"}\n", "");
    let (_, hold) = this.open("a");
    let help = "help[1]:\n  run `whymark poll` for the first round\n";
    this.check(&["start"], 0, &format!("session: label a\nid: a\nstate: open\n{help}"), "");
    drop(hold);
    assert_eq!(this.run(&["end", "a"]).code, 0);
    this.check(
        &["start", "a"],
        1,
        "",
        "error: session \"a\" has ended\nhelp[1]:\n  run `whymark start` for a new one\n",
    );
    for name in ["../b", ".b", "b/c", ""] {
        let run = this.run(&["start", name]);
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{name}");
    }
    let refused =
        "error: \"../b\" is not a session id\nhelp[1]:\n  use 1 to 64 of A-Z a-z 0-9 . _ - and no leading dot\n";
    this.check(&["start", "../b"], 2, "", refused);
    let new = String::from_utf8(this.run(&["start"]).stdout).unwrap();
    assert!(new.starts_with("session: r-2"), "{new}");
    assert_eq!(String::from_utf8(this.run(&["start"]).stdout).unwrap(), new, "the one that has not ended");
}

#[test]
fn of_several_open_sessions_one_has_to_be_named() {
    let this = Loop::new();
    this.sent("a", 1);
    this.sent("b", 1);
    this.run(&["start", "idle"]);
    let refusal = "\
error: several sessions are open
sessions[2]{session,label,state,queued,agent}:
  b,label b,closed,1,-
  a,label a,closed,1,-
help[1]:
  name one, as in `whymark poll b`
";
    for args in [&["poll"][..], &["reply", "x"], &["end"], &["start"], &["reply", "--note", "0", "--status", "done"]] {
        this.check(args, 1, "", refusal);
    }
    assert_eq!(this.run(&["reply", "a", "--round", "1", "x"]).code, 0);
    assert!(String::from_utf8_lossy(&this.run(&["poll"]).stdout).starts_with("session: label b\n"));
}

#[test]
fn only_what_is_over_is_cleaned() {
    let this = Loop::new();
    for id in ["a", "b", "c", "d", "e"] {
        this.sent(id, usize::from(id == "b"));
    }
    for id in ["a", "b", "c", "d"] {
        assert_eq!(this.run(&["end", id]).code, 0);
    }
    let (spool, hold) = this.open("c");
    let _ = this.store.spool("d").keep_draft(Some(b"{}"));
    this.check(&["clean", "--age", "1d"], 0, "clean: 0 sessions removed (no-op)\n", "");
    this.check(&["clean"], 0, "clean: 1 session removed\n", "");
    let left = |id: &str| this.path(id, "").exists();
    assert_eq!(
        ["a", "b", "c", "d", "e"].map(left),
        [false, true, true, true, true],
        "rounds, reviewers and drafts keep them"
    );
    drop(hold);
    spool.keep_draft(None).unwrap();
    let _ = this.store.spool("d").keep_draft(None);
    this.check(&["clean", "--age", "0"], 0, "clean: 2 sessions removed\n", "");
    let folders = |folder: &std::path::Path| {
        let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
        entries.filter(|entry| entry.file_type().unwrap().is_dir()).map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let of_ours = |path: &std::path::PathBuf| path.file_name().unwrap().to_str().unwrap().starts_with("whymark-");
    let inboxes: Vec<_> = folders(&this.sandbox.tmp()).into_iter().filter(of_ours).collect();
    let [inboxes] = inboxes.as_slice() else { panic!("{inboxes:?}") };
    let mut names: Vec<_> = folders(inboxes).iter().map(|path| path.file_name().unwrap().to_owned()).collect();
    names.sort();
    assert_eq!(names, ["b", "e"], "only those that are left have inboxes");
}

#[test]
fn outside_a_repository_sessions_belong_to_the_folder() {
    let sandbox = crate::support::Sandbox::empty();
    assert_eq!(sandbox.run(&["start", "a"]).code, 0);
    assert_eq!(sandbox.run(&["poll", "a", "--wait", "0"]).code, 0);
    std::fs::create_dir(sandbox.path("elsewhere")).unwrap();
    assert_eq!(sandbox.run(&["-C", "elsewhere", "poll", "a", "--wait", "0"]).code, 1);
    let mut homeless = sandbox.whymark_command(&["sessions"]);
    homeless.env_remove("XDG_STATE_HOME").env("HOME", "");
    let homeless = homeless.output().unwrap();
    match homeless.status.code() {
        Some(0) => assert_eq!(homeless.stdout, b"sessions: 0 items\n", "the system knows a home all the same"),
        code => {
            let said = String::from_utf8_lossy(&homeless.stderr);
            assert!(code == Some(2) && said.starts_with("error: there is no place to keep sessions"), "{said}");
        }
    }
    let linked = Loop::new();
    linked.sandbox.commit("first");
    linked.sandbox.git(&["worktree", "add", "--quiet", "../linked"]);
    assert_eq!(linked.run(&["start", "a"]).code, 0);
    assert_eq!(linked.run(&["-C", "../linked", "sessions"]).stdout, b"sessions: 0 items\n", "another work tree");
}

#[test]
fn six_hundred_notes_are_two_rounds() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let notes: Vec<_> = (0..600).map(|number| chat(&number.to_string())).collect();
    let sent = spool.send(&notes);
    assert_eq!(sent.rounds.iter().map(|(number, ids)| (*number, ids.len())).collect::<Vec<_>>(), [(1, 500), (2, 100)]);
    let page = String::from_utf8(this.run(&["poll"]).stdout).unwrap();
    assert!(page.contains("queue[500]") && page.contains("\nmore: 100 notes wait\n"), "{page}");
}

#[test]
fn a_note_that_could_not_be_read_back_is_not_sent() {
    let this = Loop::new();
    let (spool, _hold) = this.open("r1");
    let large = Note { draft: Some("x".repeat(2 << 20).into()), ..chat("large") };
    let sent = spool.send(&[large]);
    assert!(sent.rounds.is_empty() && sent.failed.is_some());
    let _ = spool.send(&[chat("small")]);
    assert!(String::from_utf8_lossy(&this.run(&["poll"]).stdout).contains("small\nround: 1\n"));
}
