//! What has changed since a round was sent.

use crate::support::{Sandbox, Screen};

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
    screen.assert_shows(&["no reviewed file has changed since round 1 was sent"]);
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
    for key in ["a", "m", "S", "L", "Q", "e", "r"] {
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
    screen.press("esc");
    std::fs::remove_dir_all(screen.sandbox.path(".git/whymark")).unwrap();
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
