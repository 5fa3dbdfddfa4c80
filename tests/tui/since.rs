//! What has changed since a round was sent.

use whymark::tui::effect::Effect;
use whymark::tui::input::Event;
use whymark::tui::key::{Code, Key};
use whymark::tui::msg::Msg;
use whymark::tui::talk::Errand;
use whymark::tui::update::update;

use crate::support::{File, Sandbox, Screen, check};

/// Two staged files, sent to an agent, who has changed one, removed the other and made a third.
fn screen() -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.commit("first");
    sandbox.write("a.txt", "one\ntwo\nthree\n");
    sandbox.write("b.txt", "b\n");
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("C 'do it' enter");
    screen
}

fn answer(screen: &mut Screen) {
    assert_eq!(screen.sandbox.run(&["poll"]).code, 0);
    assert_eq!(screen.sandbox.run(&["reply", "did it"]).code, 0);
    screen.look();
}

#[test]
fn what_an_agent_did_is_shown_in_the_same_way() {
    let mut screen = screen();
    screen.press("D");
    screen.assert_shows(&["nothing has been sent yet: D shows what has changed since the last round"]);
    screen.press("S y D");
    screen.assert_shows(&["no file has changed since round 1 was sent"]);
    screen.sandbox.write("a.txt", "one\n2\nthree\n");
    std::fs::remove_file(screen.sandbox.path("b.txt")).unwrap();
    answer(&mut screen);
    screen.press("ctrl-l");
    let before = screen.text();
    screen.press("D");
    screen.assert_shows(&[
        "whymark  since round 1",
        "What has changed since round 1 was sent",
        "2 reviewed files have changed.",
        "M a.txt  +1 −1",
        "   2        - two",
        "        2   + 2",
        "D b.txt  +0 −1",
        " CHANGED ",
        "D back to the review",
        "¬cover",
        "¬unexplained",
    ]);
    screen.press("/ 'three' enter");
    screen.assert_shows(&["▌   3    3     three", "/three 1/1"]);
    for key in ["a", "m", "S", "L", "Q", "e", "r", "s", "gs", "gd", "z", "Z", "V", "R", "gi"] {
        screen.press(key);
        screen.assert_shows(&["this only shows what has changed: D or esc goes back to the review"]);
    }
    // The first takes the search away.
    screen.press("esc esc");
    assert!(screen.model.above.is_none());
    assert_eq!(screen.text(), before, "the review is as it was");
    screen.press("D q");
    assert!(screen.model.above.is_none() && !screen.left);
    screen.press("L D");
    screen.resize(100, 30);
    screen.assert_shows(&["since round 1"]);
    screen.press("D");
    assert_eq!((screen.model.size.width, screen.model.above.is_none()), (100, true));
    let seen = screen.text();
    screen.resize(100, 30);
    assert_eq!(screen.text(), seen, "the review is laid out for its size at once");
}

#[test]
fn what_an_agent_did_is_commented_on_where_it_is_shown() {
    let mut screen = screen();
    screen.press("S y");
    screen.sandbox.write("a.txt", "new\none\n2\nthree\n");
    answer(&mut screen);
    screen.press("D / '^2' enter esc c 'not a number' enter");
    screen.assert_shows(&["since round 1", "1 comment waits for the agent: S sends", "▪+ 2", "✎1 not sent"]);
    screen.press("c 'half a thou");
    let mut screen = screen.killed();
    screen.assert_shows(&["half a thou", "this was not saved last time", "✎1 not sent"]);
    screen.press("esc y S y");
    let run = screen.sandbox.run(&["poll", "--wait", "0"]);
    let page = String::from_utf8(run.stdout).unwrap();
    assert!(page.contains("  anno,a.txt,one,0,2,not a number\n") && page.contains("  0,3-3,new,worktree\n"), "{page}");
}

#[test]
fn a_round_is_chosen_by_its_number() {
    let mut screen = screen();
    screen.press("S y");
    screen.sandbox.write("a.txt", "one\n2\nthree\n");
    answer(&mut screen);
    screen.press("C 'and 3' enter S y");
    screen.sandbox.write("a.txt", "one\n2\n3\n");
    screen.press("D");
    screen.assert_shows(&["since round 1", "- two", "- three"]);
    screen.press("2D");
    screen.assert_shows(&["since round 2", "¬- two", "- three"]);
    screen.press("D 7D");
    screen.assert_shows(&["there is no round 7: L lists them"]);
    answer(&mut screen);
    screen.press("D");
    screen.assert_shows(&["since round 2"]);
}

/// The same after an answer, with the changes shown and the cursor on one of them.
fn shown() -> Screen {
    let mut screen = screen();
    screen.press("S y");
    screen.sandbox.write("a.txt", "one\n2\nthree\n");
    answer(&mut screen);
    screen.press("D / '^2' enter esc");
    screen
}

/// What has changed since the round is found out once more.
fn found_again(screen: &mut Screen) {
    let told = screen.desk.as_mut().expect("there is a session").run(Errand::Since(1));
    told.into_iter().for_each(|told| screen.happen(Msg::Agent(told)));
}

#[test]
fn a_comment_there_goes_to_an_editor_and_comes_back() {
    let mut screen = shown();
    screen.editor = Some(|text| Ok(Some(format!("{} and more", text.trim()))));
    let screen = check(screen, "c 'half' ctrl-o", &["since round 1", "half and more", " WRITE "], File::Same);
    check(screen, "enter", &["1 comment waits for the agent: S sends"], File::Same);
}

#[test]
fn whoever_looks_at_a_file_comes_back_to_where_they_were() {
    let mut screen = shown();
    screen.press("o");
    assert_eq!(screen.looked_at.len(), 1);
    let mut screen = check(screen, "D", &["¬since round 1"], File::Same);
    // They are away when the answer comes.
    let unanswered = update(&mut screen.model, Msg::Input(vec![Event::Key(Key::plain(Code::Char('o')))]));
    assert!(unanswered.iter().any(|effect| matches!(effect, Effect::OpenSource(_))));
    found_again(&mut screen);
    screen.happen(Msg::Looked(None));
    let shown = ["¬ CHANGED ", "what has changed since round 1 can be shown now"];
    let screen = check(screen, "", &shown, File::Same);
    check(screen, "D D", &["¬ CHANGED ", "¬can be shown now"], File::Same);
}

#[test]
fn what_is_typed_there_goes_only_after_a_yes() {
    let screen = check(shown(), "c 'half a thought' esc", &["Throw the text away?"], File::Same);
    let screen = check(screen, "n", &[" WRITE ", "half a thought"], File::Same);
    let screen = check(screen, "esc y", &["since round 1", "¬half a thought"], File::Same);
    assert!(screen.model.above.is_some_and(|above| above.outbox.is_empty()));
}

#[test]
fn whoever_writes_there_is_not_interrupted() {
    let mut screen = shown();
    screen.press("c 'half a thought");
    found_again(&mut screen);
    let shown = ["half a thought", " WRITE ", "what has changed since round 1 can be shown now"];
    let mut screen = check(screen, "", &shown, File::Same);
    screen.press("enter /");
    found_again(&mut screen);
    let screen = check(screen, "'thr", &["/thr", "✎1 not sent"], File::Same);
    // Who only looks is shown it.
    let mut screen = check(screen, "esc j", &["since round 1"], File::Same);
    found_again(&mut screen);
    check(screen, "", &["since round 1", "¬can be shown now"], File::Same);
}

#[test]
fn a_comment_that_cannot_be_kept_is_there_once() {
    let mut screen = shown();
    let id = screen.model.talk.state.as_ref().unwrap().id.clone();
    let draft = screen.sandbox.path(format!(".git/whymark/{id}/draft.json"));
    let _ = std::fs::remove_file(&draft);
    std::fs::create_dir_all(draft.join("in the way")).unwrap();
    screen.press("c 'not a number");
    let screen = check(screen, "enter", &[" WRITE ", "not a number", "not saved: ", "¬1 not sent"], File::Same);
    assert_eq!(screen.model.talk.unsent.len(), 0);
    std::fs::remove_dir_all(&draft).unwrap();
    let screen = check(screen, "enter", &["1 comment waits for the agent", "✎1 not sent"], File::Same);
    let screen = check(screen, "D", &["✎1 not sent", "¬since round 1"], File::Same);
    assert_eq!(screen.model.talk.unsent.len(), 1);
}

#[test]
fn what_is_typed_in_both_places_is_kept() {
    let mut screen = shown();
    screen.press("D C 'first thought'");
    // The disk takes its time.
    let unanswered = update(&mut screen.model, Msg::Input(vec![Event::Key(Key::plain(Code::Enter))]));
    found_again(&mut screen);
    screen.press("c 'second thought'");
    drop(unanswered);
    let screen = check(screen.killed(), "", &["second thought", "this was not saved last time"], File::Same);
    check(screen, "enter", &["first thought", "this was not saved last time", "✎1 not sent"], File::Same);
}

#[test]
fn nobody_leaves_before_a_comment_is_on_disk() {
    for key in ["D", "q", "esc"] {
        let mut screen = shown();
        screen.press("c 'a thought'");
        let unanswered = update(&mut screen.model, Msg::Input(vec![Event::Key(Key::plain(Code::Enter))]));
        screen.press(key);
        screen.assert_shows(&["since round 1", "leaving as soon as the last note is on disk"]);
        for effect in unanswered {
            let Effect::Agent(errand) = effect else { continue };
            let told = screen.desk.as_mut().expect("there is a session").run(*errand);
            told.into_iter().for_each(|told| screen.happen(Msg::Agent(told)));
        }
        screen.assert_shows(&["¬since round 1", "1 comment waits for the agent: S sends"]);
        assert!(!screen.left);
    }
}

#[test]
fn nothing_is_sent_from_there() {
    let mut screen = shown();
    screen.press("c 'a thought' alt-s");
    let shown = ["since round 1", "✎1 not sent", "1 comment waits for the agent: S sends", "¬-> round 2"];
    let screen = check(screen, "", &shown, File::Same);
    check(screen, "D S", &["1 note -> round 2"], File::Same);
}

#[test]
fn a_step_back_is_one_step() {
    let screen = check(shown(), "v v esc", &["since round 1"], File::Same);
    let screen = check(screen, "7D", &["since round 1", "there is no round 7: L lists them"], File::Same);
    check(screen, "esc", &["¬since round 1"], File::Same);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let sandbox = Sandbox::new();
    sandbox.commit("first");
    sandbox.write("picture.bin", "a\0b");
    sandbox.write("large.txt", "x\n".repeat(5 << 20));
    sandbox.write("a.txt", "a\n");
    sandbox.git(&["add", "."]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("C 'do it' enter S y");
    screen.sandbox.write("picture.bin", "a\0c!");
    screen.press("D");
    screen.assert_shows(&[
        "1 reviewed file has changed.",
        "- large.txt: it is too large to be compared",
        "M picture.bin",
        "binary",
    ]);
    screen.press("D");
    let base = screen.model.talk.state.as_ref().unwrap().id.clone();
    std::fs::remove_dir_all(screen.sandbox.path(format!(".git/whymark/{base}/base"))).unwrap();
    screen.press("D");
    screen.assert_shows(&["nobody has kept the files as they were at round 1"]);
}

#[test]
fn what_an_agent_did_outside_of_the_review_is_shown_too() {
    let sandbox = Sandbox::new();
    let lines =
        |names: &str| names.split(' ').map(|name| format!("{name} is a line of some length\n")).collect::<String>();
    sandbox.write("a.txt", "one\n");
    sandbox.write("moves.txt", lines("a b c d e f g h"));
    sandbox.write("goes.txt", "goes\n");
    sandbox.write("quiet.txt", "quiet\n");
    sandbox.write("committed.txt", "before\n");
    sandbox.write("dirty.txt", "clean\n");
    sandbox.commit("first");
    sandbox.write("a.txt", "one\ntwo\n");
    sandbox.git(&["add", "a.txt"]);
    // Neither is of the review, and neither changes later.
    sandbox.write("dirty.txt", "dirty\n");
    sandbox.write("untracked.txt", "was there\n");
    let mut screen = Screen::staged(sandbox).in_session().sized(100, 60);
    screen.press("C 'do it' enter S y D");
    screen.assert_shows(&["no file has changed since round 1 was sent"]);
    screen.press("m 'for later' enter");
    let sandbox = &screen.sandbox;
    sandbox.write("committed.txt", "after\n");
    sandbox.git(&["commit", "--quiet", "--message", "an agent's", "committed.txt"]);
    sandbox.write("new/file.txt", "brand new\n");
    sandbox.write("moved.txt", lines("a b c d e f g H"));
    std::fs::remove_file(sandbox.path("moves.txt")).unwrap();
    std::fs::remove_file(sandbox.path("goes.txt")).unwrap();
    screen.press("D");
    screen.assert_shows(&[
        "No reviewed file has changed; 4 others have.",
        "M committed.txt  +1 −1",
        "- before",
        "+ after",
        "D goes.txt  +0 −1",
        "R moved.txt  +1 −1",
        "renamed from moves.txt",
        "+ H is a line",
        "A new/file.txt  +1 −0",
        "+ brand new",
        "¬dirty",
        "¬untracked",
        "¬quiet",
        "¬for later",
    ]);
    screen.press("/ 'brand' enter esc c 'why this file?' enter D");
    screen.assert_shows(&["¬since round 1", "1 not sent"]);
    screen.press("S y");
    let page = String::from_utf8(screen.sandbox.run(&["poll", "--wait", "0"]).stdout).unwrap();
    let _ = screen.sandbox.run(&["reply", "did it"]);
    let page = page + &String::from_utf8(screen.sandbox.run(&["poll", "--wait", "0"]).stdout).unwrap();
    assert!(page.contains("anno,new/file.txt,"), "{page}");
    // What was new then is known by now.
    screen.sandbox.write("new/file.txt", "brand new\nand more\n");
    screen.press("2D");
    screen.assert_shows(&["since round 2", "1 other has.", "M new/file.txt  +1 −0", "+ and more"]);
}

#[cfg(unix)]
#[test]
fn what_changed_but_for_its_lines_is_shown() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let mut screen = screen();
    screen.press("S y");
    let executable = |path: &str| {
        set_permissions(screen.sandbox.path(path), Permissions::from_mode(0o755)).expect("it is ours");
    };
    executable("a.txt");
    std::fs::remove_file(screen.sandbox.path("b.txt")).unwrap();
    std::os::unix::fs::symlink("a.txt", screen.sandbox.path("b.txt")).unwrap();
    screen.press("D");
    screen.assert_shows(&[
        "2 reviewed files have changed.",
        "M a.txt  +0 −0",
        "mode 100644 → 100755",
        "M b.txt  +1 −1",
        "mode 100644 → 120000",
        "+ a.txt",
    ]);
}

#[test]
fn a_reviewed_file_that_is_called_another_name_by_now_is_one_file() {
    let mut screen = screen();
    screen.press("S y");
    std::fs::rename(screen.sandbox.path("a.txt"), screen.sandbox.path("z.txt")).unwrap();
    screen.press("D");
    screen.assert_shows(&["1 reviewed file has changed.", "R z.txt  +0 −0", "renamed from a.txt", "¬D a.txt"]);
}

#[test]
fn without_a_commit_what_is_new_is_shown() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\n");
    sandbox.git(&["add", "a.txt"]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("C 'do it' enter S y");
    screen.sandbox.write("b.txt", "new\n");
    screen.press("D");
    screen.assert_shows(&["No reviewed file has changed; 1 other has.", "A b.txt  +1 −0"]);
}

#[test]
fn where_too_much_has_changed_the_reviewed_files_are_compared() {
    let mut screen = screen();
    (0..=2000).for_each(|number| screen.sandbox.write(format!("junk/{number}"), "x\n"));
    screen.press("S y");
    screen.sandbox.write("a.txt", "one\n2\nthree\n");
    screen.sandbox.write("c.txt", "new\n");
    screen.press("D");
    screen.assert_shows(&["1 reviewed file has changed. Others are not compared.", "M a.txt  +1 −1", "¬c.txt"]);
}

#[test]
fn what_is_left_out_elsewhere_is_said() {
    let sandbox = Sandbox::new();
    let inner = sandbox.path("sub");
    std::fs::create_dir(&inner).unwrap();
    sandbox.git_in(&inner, &["init", "--quiet"]);
    sandbox.git_in(&inner, &["commit", "--quiet", "--allow-empty", "--message", "One"]);
    sandbox.commit("first");
    sandbox.write("a.txt", "one\n");
    sandbox.git(&["add", "a.txt"]);
    let mut screen = Screen::staged(sandbox).in_session();
    screen.press("C 'do it' enter S y");
    let sandbox = &screen.sandbox;
    sandbox.git_in(&inner, &["commit", "--quiet", "--allow-empty", "--message", "Two"]);
    screen.press("D");
    screen.assert_shows(&["Not compared:", "- sub: it is a submodule"]);
    screen.press("D");
    (0..2003).for_each(|number| screen.sandbox.write(format!("made/{number}"), "x\n"));
    screen.press("D");
    screen.assert_shows(&["2000 others have.", "- 4 more files outside of the review"]);
}
