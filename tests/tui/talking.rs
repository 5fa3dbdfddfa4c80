//! Comments for an agent: written, queued, sent, answered.

use std::fs;
use std::path::PathBuf;

use whymark::tui::model::Tone;
use whymark::tui::msg::Msg;
use whymark::tui::talk::Told;

use crate::support::{Sandbox, Screen};

const FILE: &str = "# One\n\nsame words\n\n# Two\n\nsame words\nlast\n";

/// A staged change with two equal lines under two headings.
fn screen() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("spec.md", "# One\n\n# Two\n");
    sandbox.commit("first");
    sandbox.write("spec.md", FILE);
    sandbox.git(&["add", "."]);
    Screen::staged(sandbox).in_session()
}

fn poll(screen: &Screen) -> String {
    let run = screen.sandbox.run(&["poll", "--wait", "0"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    String::from_utf8(run.stdout).unwrap()
}

#[test]
fn one_key_asks_for_a_test_of_the_line_or_the_selection() {
    let mut screen = screen();
    screen.press("G k gT");
    screen.assert_shows(&["This needs a test.", "1 comment waits for the agent: S sends", "¬ WRITE "]);
    screen.press("v k gT S y");
    let page = poll(&screen);
    assert_eq!(page.matches(",This needs a test.\n").count(), 2, "{page}");
    assert!(page.contains("  0,7-7,new,worktree\n  1,6-7,new,worktree\n"), "{page}");
}

#[test]
fn the_second_of_two_equal_lines_is_the_one_that_is_meant() {
    let mut screen = screen();
    screen.press("G k");
    screen.press("c 'say \"which\"' enter");
    screen.assert_shows(&["✎1 not sent", "not sent", "1 comment waits for the agent: S sends"]);
    screen.press("S");
    screen.assert_shows(&["Send 1 note -> round 1? y yes, any other key no"]);
    assert!(poll(&screen).contains("state: waiting"), "nothing is sent before a yes");
    screen.press("y");
    screen.assert_shows(&["sent as round 1; no agent is listening", "¬not sent"]);
    let page = poll(&screen);
    let row =
        "  anno,spec.md,Two,1,same words,\"say \"\"which\"\"\"\nwhere[1]{row,lines,side,rev}:\n  0,7-7,new,worktree\n";
    assert!(page.starts_with("session: staged\nqueue[1]") && page.contains(row), "{page}");
    screen.look();
    screen.assert_shows(&["has round 1 for 0 s", "… with the agent", "¬no agent is listening"]);
    assert_eq!(screen.sandbox.run(&["reply", "--note", "0", "--status", "question", "the first?"]).code, 0);
    screen.look();
    screen.press("gg J");
    screen.assert_shows(&["? asks", "agent: the first?"]);
    assert_eq!(screen.sandbox.run(&["reply", "said which"]).code, 0);
    let before = (screen.model.cursor, screen.model.top);
    screen.look();
    screen.assert_shows(&["answered: said which", "agent: said which"]);
    screen.look();
    screen.assert_shows(&["answered: said which"]);
    assert_eq!(before, (screen.model.cursor, screen.model.top), "what comes back moves nothing");
    // What was said last is seen without opening the card; whoever goes on has read it.
    screen.press("gg");
    screen.assert_shows(&["¬answered: "]);
    screen.assert_shows(&["? asks", "▎ agent: said which", "¬agent: the first?"]);
}

#[test]
fn a_comment_stands_once_when_its_file_goes_and_comes_back() {
    let mut screen = screen();
    let count = |screen: &Screen| screen.text().matches("louder, please").count();
    screen.press("G c 'louder, please' enter");
    assert_eq!(count(&screen), 1, "{}", screen.text());
    for keys in ["gg } gs y", "z", "Z", "z"] {
        screen.press(keys);
        screen.press("gg");
        assert_eq!(count(&screen), 1, "after {keys}:\n{}", screen.text());
    }
}

#[test]
fn comments_are_refused_when_they_say_nothing_or_too_much() {
    let mut screen = screen();
    screen.press("C enter");
    screen.assert_shows(&["nothing is written yet"]);
    screen.paste(&"x".repeat(65_537));
    screen.press("enter");
    screen.assert_shows(&["65537 bytes, and 65536 at most"]);
    screen.press("backspace enter");
    assert_eq!(screen.model.talk.unsent.len(), 1);
    screen.press("S n");
    assert_eq!(screen.model.talk.unsent.len(), 1, "no is no");
}

#[test]
fn what_is_not_sent_is_there_again() {
    let mut screen = screen();
    screen.press("C 'keep the API' enter C 'half a thou");
    let talk = screen.model.talk.farewell();
    assert_eq!(talk.as_deref(), Some("1 comment for the agent not sent"));
    let mut screen = screen.killed();
    screen.assert_shows(&["comment for the agent", "half a thou", "this was not saved last time"]);
    assert_eq!(screen.model.talk.unsent.len(), 1);
    screen.press("esc y S y");
    assert!(poll(&screen).contains("  chat,-,-,0,-,keep the API\n"));
    assert_eq!(screen.model.talk.farewell().as_deref(), Some("1 round (1 note) waits for whymark poll"));
}

#[test]
fn a_round_that_no_agent_has_is_taken_back() {
    let mut screen = screen();
    screen.press("C 'first' enter S y C 'second' enter S y L");
    screen.assert_shows(&["For the agent", "round 2    1 note    waits for an agent", "round 1    1 note"]);
    screen.press("x esc");
    assert_eq!(screen.model.talk.unsent.len(), 1);
    assert!(poll(&screen).contains("first\nround: 1\n"));
    screen.look();
    screen.press("L j x");
    assert_eq!(screen.model.message, Some((Tone::Problem, "too late: an agent has round 1".to_owned())));
    screen.press("! .");
    assert!(poll(&screen).contains("queue: 0 items\n"), "it is closed");
    screen.press("!");
    assert!(poll(&screen).contains("first\nround: 3\n"), "and handed out again as another");
    screen.press("gg x");
    screen.assert_shows(&["Take back the comment “second”? y yes, any other key no"]);
    screen.press("n x y");
    screen.assert_shows(&["For the agent", "¬not sent   "]);
    assert_eq!(screen.model.talk.unsent.len(), 0);
}

#[test]
fn what_is_not_sent_is_changed_and_taken_back() {
    let mut screen = screen();
    screen.press("G k c 'one' enter C 'two' enter");
    screen.press("gg J J e");
    screen.assert_shows(&["edit of the comment for the agent", "one"]);
    screen.press("' more' enter");
    screen.assert_shows(&["2 comments wait for the agent: S sends"]);
    let texts = |screen: &Screen| {
        let unsent = screen.model.talk.unsent.iter();
        unsent.map(|comment| (comment.id.clone(), comment.text.clone())).collect::<Vec<_>>()
    };
    let want = |texts: &[(&str, &str)]| {
        texts.iter().map(|(id, text)| ((*id).to_owned(), (*text).to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(texts(&screen), want(&[("c1", "one more"), ("c2", "two")]));
    screen.press("e esc");
    screen.assert_shows(&["¬Throw the text away"]);
    screen.press("e ' than' esc");
    screen.assert_shows(&["Throw the text away"]);
    screen.press("n");
    let mut screen = screen.killed();
    screen.assert_shows(&["edit of the comment for", "one more than", "this was not saved last time"]);
    screen.press("enter L j e ' three' enter");
    assert_eq!(texts(&screen), want(&[("c1", "one more than"), ("c2", "two three")]));
    screen.press("G K K x");
    screen.assert_shows(&["Take back the comment “two three”? y yes"]);
    screen.press("y");
    assert_eq!(texts(&screen), want(&[("c1", "one more than")]));
    screen.press("S y J e");
    screen.assert_shows(&["this comment is sent: L lists the rounds"]);
    screen.press("x");
    screen.assert_shows(&["this comment is sent"]);
    let page = poll(&screen);
    assert!(page.contains("  anno,spec.md,Two,1,same words,one more than\n"), "{page}");
}

/// What was being sent is not.
fn fail_to_send(screen: &mut Screen) {
    let failed = Some("the disk is full".to_owned());
    screen.happen(Msg::Agent(Told::Sent { rounds: vec![], ids: vec![], is_awaited: false, failed }));
    screen.assert_shows(&["not sent: the disk is full"]);
}

#[test]
fn what_is_being_sent_is_neither_changed_nor_sent_again() {
    let mut screen = screen();
    screen.press("C 'one' enter");
    // Whoever is to send it takes its time.
    let desk = screen.desk.take();
    screen.press("S y gg J");
    for keys in ["e", "x", "L e", "x"] {
        screen.model.message = None;
        screen.press(keys);
        let (_, said) = screen.model.message.clone().expect("it is said");
        assert_eq!(said, "this comment is being sent: it cannot be changed or taken back just now", "{keys}");
        screen.assert_shows(&["¬edit of the comment", "¬Take back"]);
    }
    screen.press("esc");
    for keys in ["S", ": 'end' enter"] {
        screen.model.message = None;
        screen.press(keys);
        screen.assert_shows(&["the last round is still being sent", "¬y yes", "¬e ends"]);
    }
    screen.desk = desk;
    screen.press("C 'two' enter gg J e ' or not' enter");
    assert_eq!(screen.model.talk.unsent[1].text, "two or not", "what was written since is not sent yet");
    fail_to_send(&mut screen);
    screen.press("S y");
    assert!(poll(&screen).contains("queue[2]"));
}

#[test]
fn a_change_of_what_is_being_sent_stays_in_its_form() {
    let mut screen = screen();
    screen.press("C 'one' enter gg J e ' more'");
    screen.model.talk.sending = vec!["c1".to_owned()];
    for keys in ["enter", "alt-s"] {
        screen.press(keys);
        screen.assert_shows(&["edit of the comment for", "one more", "this comment is being sent"]);
        assert_eq!(screen.model.talk.unsent[0].text, "one");
    }
    fail_to_send(&mut screen);
    screen.press("enter");
    assert_eq!(screen.model.talk.unsent[0].text, "one more");
}

/// The draft of the session that is open.
fn draft(screen: &Screen) -> PathBuf {
    let session = &screen.model.talk.state.as_ref().expect("it is open").id;
    screen.sandbox.path(format!(".git/whymark/{session}/draft.json"))
}

#[test]
fn a_draft_that_cannot_be_read_stays_and_keeps_nobody_out() {
    let mut screen = screen();
    screen.press("C 'one' enter");
    let draft = draft(&screen);
    assert_eq!(screen.sandbox.run(&["end"]).code, 0);
    fs::write(&draft, "{").unwrap();
    let mut screen = screen.killed();
    screen.assert_shows(&["what session ", " has not sent stays there: cannot read"]);
    screen.press("C 'two' enter S y");
    assert!(poll(&screen).contains("  chat,-,-,0,-,two\n"));
    assert_eq!(fs::read_to_string(draft).unwrap(), "{");
}

#[test]
fn what_goes_along_into_a_new_session_is_there_once() {
    let mut screen = screen();
    screen.press("C 'one' enter C 'two' enter");
    let (draft, away) = (draft(&screen), screen.sandbox.tmp().join("away"));
    assert_eq!(screen.sandbox.run(&["end"]).code, 0);
    screen.look();
    // It cannot be removed when the new session begins.
    fs::rename(&draft, &away).unwrap();
    fs::create_dir(&draft).unwrap();
    screen.press("S y");
    screen.assert_shows(&["sent as round 1"]);
    screen.press("C 'three' enter S y");
    screen.assert_shows(&["sent as round 2"]);
    fs::remove_dir(&draft).unwrap();
    fs::rename(&away, &draft).unwrap();
    let screen = screen.killed();
    assert_eq!(screen.model.talk.unsent, []);
    assert!(!draft.exists());
    let table = String::from_utf8(screen.sandbox.run(&["sessions"]).stdout).unwrap();
    assert!(table.starts_with("sessions[2]"), "{table}");
}

#[test]
fn what_was_answered_can_be_asked_for_again() {
    let mut screen = screen();
    screen.press("C 'run the tests' enter S y");
    let _ = poll(&screen);
    assert_eq!(screen.sandbox.run(&["reply", "did it"]).code, 0);
    screen.look();
    let screen = screen.pressed("C 'run the tests'").killed();
    screen.assert_shows(&["comment for the agent", "run the tests", "this was not saved last time"]);
}

#[test]
fn a_round_that_others_made_is_sent_again() {
    let mut screen = screen();
    let store = whymark::session::Store::of(Some(&screen.sandbox.path(".git")), &screen.sandbox.repo(), None).unwrap();
    let note = whymark::session::Note {
        id: "n".to_owned(),
        item: whymark::capture::on_nothing("do it"),
        place: None,
        draft: Some(1.into()),
    };
    assert!(store.sessions().unwrap()[0].0.send(&[note]).failed.is_none());
    screen.look();
    screen.press("L . !");
    assert_eq!(screen.model.message, Some((Tone::Info, "sent again as round 2".to_owned())));
}

#[test]
fn a_change_that_cannot_be_kept_comes_back() {
    let mut screen = screen();
    screen.press("C 'one' enter gg J e");
    let session = screen.model.talk.state.as_ref().unwrap().id.clone();
    let folder = screen.sandbox.path(format!(".git/whymark/{session}"));
    let away = screen.sandbox.tmp().join("away");
    fs::rename(&folder, &away).unwrap();
    fs::write(&folder, "").unwrap();
    screen.press("' more' enter");
    screen.assert_shows(&["edit of the comment for", "one more", "not saved: "]);
    assert_eq!(screen.model.talk.unsent[0].text, "one");
    fs::remove_file(&folder).unwrap();
    fs::rename(&away, &folder).unwrap();
    screen.press("enter");
    assert_eq!(screen.model.talk.unsent[0].text, "one more");
    assert!(screen.model.form.is_none());
}

/// The file that is reviewed, with two lines more above all others.
fn longer() -> String {
    format!("new\nnew\n{FILE}")
}

#[test]
fn what_is_staged_is_found_on_disk_or_named_as_it_is_staged() {
    let mut screen = screen();
    screen.press("G c 'on disk' enter");
    screen.sandbox.write("spec.md", longer());
    screen.press("S y");
    let page = poll(&screen);
    assert!(
        page.contains("  anno,spec.md,Two,0,last,on disk\n") && page.contains("  0,10-10,new,worktree\n"),
        "{page}"
    );
    assert_eq!(screen.sandbox.run(&["reply", "did it"]).code, 0);
    screen.press("c 'not on disk' enter");
    screen.sandbox.write("spec.md", longer().replace("last", "first"));
    screen.press("S y");
    let page = poll(&screen);
    assert!(page.contains("  anno,spec.md,Two,0,last,not on disk\n") && page.contains("  0,8-8,new,index\n"), "{page}");
}

#[test]
fn comments_follow_their_lines_and_are_kept_without_them() {
    let mut screen = screen();
    screen.press("G c 'here' enter");
    screen.sandbox.write("spec.md", longer());
    screen.sandbox.git(&["add", "."]);
    screen.press("R");
    assert_eq!(screen.model.talk.unsent[0].target().selector.to_string(), "+10");
    screen.assert_shows(&["▪+ last", "not sent", "¬lines gone"]);
    screen.sandbox.write("spec.md", longer().replace("last\n", "first\n"));
    screen.sandbox.git(&["add", "."]);
    screen.press("R");
    screen.assert_shows(&[
        "1 file changed; the lines of 1 comment for the agent are gone: it stands at the head of its file",
        "▌       10 ▏ + first",
        "▎ for the agent  +10",
        "↯ lines gone",
    ]);
    screen.press("gg J");
    screen.assert_shows(&["↯ lines gone", "was  last"]);
    screen.press("L");
    screen.assert_shows(&["↯ lines gone  spec.md:+10 here"]);
    let mut screen = screen.killed();
    assert!(screen.model.talk.unsent[0].is_lost, "it is still known");
    screen.press("esc S y");
    let page = poll(&screen);
    let row = "  chat,-,-,0,-,\"here\\n\\n(about text that is not in spec.md any more:)\\nlast\"\n";
    assert!(page.contains(row), "{page}");
}

#[test]
fn what_was_written_is_open_and_is_gone_to_from_within_its_lines() {
    let mut screen = screen();
    screen.press("G 4k v jj c 'all of these' enter");
    screen.assert_shows(&["╭─ for the agent  +4..6", "│ all of these"]);
    for keys in ["esc J", "j esc J", "j esc K"] {
        screen.press(keys);
        screen.assert_shows(&["╭─ for the agent  +4..6", "▌        4 ▏▪+"]);
    }
    screen.press("J");
    screen.assert_shows(&["no note further down"]);
}

#[test]
fn what_is_in_the_file_too_often_is_said_and_more_lines_offered() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("first");
    let block = |number: usize| format!("begin {number}\nsame\nend {number}\n");
    sandbox.write("a.txt", (1..=6).map(block).collect::<String>());
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("G k c");
    screen.assert_shows(&["6 times in the file; tab right: +15..18"]);
    screen.press("tab right");
    screen.assert_shows(&["about ‹+15..18›"]);
    screen.press("tab 'this one' enter S y");
    let page = poll(&screen);
    assert!(page.contains(",0,\"end 5\\nbegin 6\\nsame\\nend 6\",this one\n"), "{page}");
    screen.press("k c");
    screen.assert_shows(&["comment for the agent", "¬times in the file"]);
}

#[test]
fn what_is_being_written_is_sent_along() {
    let mut screen = screen();
    screen.press("C 'one' enter C 'two' alt-s");
    screen.assert_shows(&["Send 2 notes -> round 1? y yes, any other key no"]);
    screen.press("y");
    assert!(poll(&screen).contains("queue[2]"));
    screen.press("a 'note' alt-s");
    screen.assert_shows(&["this is no comment for the agent: save it first", "note"]);
}

#[test]
fn the_list_says_how_far_each_note_is() {
    let mut screen = screen();
    screen.press("G k c 'which one?' enter C 'keep the API' enter S y");
    let _ = poll(&screen);
    for args in [&["--note", "0", "--status", "done"][..], &["--note", "1", "--status", "question", "all of it?"]] {
        assert_eq!(screen.sandbox.run(&[&["reply", "--as", "codex"], args].concat()).code, 0);
    }
    screen.look();
    screen.press("L");
    screen.assert_shows(&[
        "round 1    2 notes   agent has it",
        "✓ done      spec.md:+7 which one?  codex",
        "? asks      keep the API  codex: all of it?",
        " ROUNDS  enter goes there, . closes it, D what has changed, esc goes back",
    ]);
    screen.press("j enter");
    screen.assert_shows(&["for the agent  +7 · codex", "✓ done"]);
}

#[test]
fn what_answers_no_round_is_said_and_stays_in_the_list() {
    let mut screen = screen();
    let reply = |screen: &Screen, args: &[&str]| {
        assert_eq!(screen.sandbox.run(&[&["reply"], args].concat()).code, 0);
    };
    reply(&screen, &["hello there"]);
    screen.look();
    screen.assert_shows(&["agent says (L lists it): hello there"]);
    screen.press("C 'keep the API' enter S y");
    let _ = poll(&screen);
    reply(&screen, &["--note", "0", "--status", "question", "all of it?"]);
    screen.look();
    screen.press("gg");
    reply(&screen, &["--note", "0", "--status", "question", "or some?"]);
    screen.look();
    screen.assert_shows(&["the agent asks: L lists the rounds"]);
    screen.press("L j");
    // What comes in above leaves the cursor with its row.
    let long = format!("a\u{1b}b\n\n{}the end", "long ".repeat(60));
    reply(&screen, &["--as", "codex", "--round", "1", "did it"]);
    reply(&screen, &["--as", "codex", "--round", "1", &long]);
    screen.look();
    screen.assert_shows(&["▸ round 1", "codex answered: did it", "message    agent: hello there"]);
    screen.assert_shows(&["message    codex: a␛b", "long the ", "│              end "]);
    screen.press("k");
    screen.assert_shows(&["▸ message    agent: hello there", "ROUNDS  esc goes back"]);
    screen.press(".");
    screen.assert_shows(&["an agent has said this: it is no note of yours"]);
    screen.press("enter");
    screen.assert_shows(&["¬hello there"]);
}

#[test]
fn what_agents_have_said_while_nobody_was_here_is_said_at_the_start() {
    let reply = |screen: &Screen, text: &str| {
        assert_eq!(screen.sandbox.run(&["reply", "--as", "codex", text]).code, 0);
    };
    let screen = screen().killed();
    screen.assert_shows(&["¬ says ("]);
    reply(&screen, "the build is red");
    let screen = screen.killed();
    screen.assert_shows(&["codex says (L lists it): the build is red"]);
    reply(&screen, "and green again\nsince ten");
    let mut screen = screen.killed();
    screen.assert_shows(&["codex says (L lists it and 1 more): and green again"]);
    screen.press("j");
    screen.assert_shows(&["¬and green again"]);
}

#[test]
fn after_the_end_a_new_session_is_offered() {
    let mut screen = screen();
    screen.press("C 'one' enter S y");
    assert_eq!(screen.sandbox.run(&["end"]).code, 0);
    screen.look();
    screen.press("C 'two' enter S");
    screen.assert_shows(&["Send 1 note -> round 1 of a new session? y yes"]);
}

#[test]
fn the_end_comes_after_what_waits() {
    let mut screen = screen();
    screen.press("C 'last words' enter");
    screen.press(": 'end' enter");
    screen.assert_shows(&["End the session? s sends 1 note -> round 1 and ends, e ends and keeps them"]);
    screen.press("s");
    let page = poll(&screen);
    assert!(page.contains("last words\nend: the reviewer ends the session after this round\nround: 1\n"), "{page}");
    screen.assert_shows(&["session ended"]);
    screen.press("C 'one more' enter S y");
    assert!(screen.model.talk.unsent.is_empty());
    let run = screen.sandbox.run(&["sessions"]);
    let table = String::from_utf8(run.stdout).unwrap();
    assert!(
        table.starts_with("sessions[2]") && table.contains(",staged,open,1,") && table.contains(",staged,ended,1,"),
        "{table}"
    );
}

#[test]
fn an_open_note_is_queued_too_and_taken_back() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("first");
    sandbox.write("a.txt", "one\ntwo\n");
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("Q");
    screen.assert_shows(&["no note is open that could be queued"]);
    screen.press("u a 'because' enter Q");
    screen.assert_shows(&["queued for the agent"]);
    let [comment] = screen.model.talk.unsent.as_slice() else { panic!("it is queued once") };
    assert_eq!((comment.text.as_str(), comment.target().quote.as_deref()), ("because", Some("two")));
    screen.press("S y");
    let page = poll(&screen);
    assert!(page.contains("  anno,a.txt,two,0,two,because\n"), "{page}");
    screen.press("Q");
    assert_eq!(screen.model.talk.unsent.len(), 1, "it can be sent again");
    screen.model.talk.sending = vec![screen.model.talk.unsent[0].id.clone()];
    screen.press("Q");
    screen.assert_shows(&["this comment is being sent"]);
    screen.model.talk.sending.clear();
    screen.press("Q");
    screen.assert_shows(&["taken back: it is not sent to the agent"]);
    assert!(screen.model.talk.unsent.is_empty());
}

#[test]
fn without_a_session_it_is_said() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("first");
    sandbox.write("a.txt", "two\n");
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox);
    screen.model.talk.closed = Some("no session: another reviewer has this session".to_owned());
    for key in ["c", "C", "Q", "S", "L"] {
        screen.press(key);
        screen.assert_shows(&["no session: another reviewer has this session"]);
    }
}
