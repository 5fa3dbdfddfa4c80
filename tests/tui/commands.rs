//! Every command does what its line in the table says, with each of its keys.

use whymark::tui::command::{COMMANDS, Command, Context};
use whymark::tui::keymap::Keymap;

use super::{review, tall, tested};
use crate::support::Screen;

/// What to press before the command, and after it.
type Around = (&'static str, &'static str);

/// Where a command applies, what is pressed around it, and what the screen then shows (`¬`: does not show). The screen has
/// 120 times 16 cells, 13 of the rows for the diff.
#[rustfmt::skip]
const CASES: &[(Context, Command, Around, &[&str])] = {
    use Command::*;
    use Context::*;
    &[
        (Review, Down, ("jjjj", ""), &["▌        3 ┃ +"]),
        (Review, Up, ("jjjjj", ""), &["▌        2 ┃ +"]),
        (Review, HalfPageDown, ("", ""), &["▌        4 ▏ +"]),
        (Review, HalfPageUp, ("G", ""), &["▌        1 ▏ + # Guide"]),
        (Review, PageDown, ("", ""), &["▌  21   24"]),
        (Review, PageUp, ("G", ""), &["▌       23 ▏ +"]),
        (Review, Top, ("G", ""), &["▌Greet by name"]),
        (Review, Bottom, ("", ""), &["▌   2        - Gone."]),
        (Review, ScrollLeft, ("jjjj ll", ""), &["▌        2 ┃ + name = name();"]),
        (Review, ScrollRight, ("jjjj", ""), &["▌        2 ┃ + name = name();"]),
        (Review, Wrap, ("", ""), &["long lines are wrapped"]),
        (Review, Split, ("jjjj", ""), &["▌   2 ┃ +     let name = name();"]),
        (Review, Intraline, ("", ""), &["no words are marked"]),
        (Review, Unfold, ("]]", ""), &["nothing can be unfolded: the review does not say which version of the file it shows"]),
        (Review, Fold, ("]]", ""), &["no lines are unfolded here"]),
        (Review, ToggleFold, ("jjj", ""), &["no lines are hidden here: go to a line that begins with @@, or to the edge of a hunk"]),
        (Review, NextHunk, ("", ""), &["▌@@ -1,4 +1,6 @@"]),
        (Review, PrevHunk, ("]]", ""), &["▌@@ -1,4 +1,6 @@"]),
        (Review, NextFile, ("", ""), &["▌A docs/guide.md"]),
        (Review, PrevFile, ("}", ""), &["▌M src/greet.rs"]),
        (Review, NextNote, ("", ""), &["▌        2 ┃ +", "╭─ n1 +2..3 · intent"]),
        (Review, PrevNote, ("JJ", ""), &["▌        2 ┃ +", "╭─ n1 +2..3 · intent"]),
        (Review, NextUncovered, ("", ""), &["▌        4 ▏ +"]),
        (Review, PrevUncovered, ("uu", ""), &["▌        4 ▏ +"]),
        (Review, Search, ("", "'gone'"), &["▌   2        - Gone.", " /gone"]),
        (Review, NextHit, ("/ 'name' enter 2n", ""), &["▌@@ -20,3 +22,4 @@ mod name", "/name 5/6"]),
        (Review, PrevHit, ("/ 'name' enter 3n", ""), &["▌        3 ┃ +", "/name 4/6"]),
        (Review, NextUntested, ("", ""), &["▌        3 ┃○+ ", "untested line 1 of 2"]),
        (Review, PrevUntested, ("tt", ""), &["▌        3 ┃○+ ", "untested line 1 of 2"]),
        (Review, Filter, ("", "'intent' enter esc"), &[" 1 note hidden (gF), shown: intent "]),
        (Review, ClearFilter, ("F 'stub' enter esc", ""), &["everything is shown", "▎ n1 +2..3"]),
        (Review, OnlyUncovered, ("", ""), &[" 1 hunk, 0 notes hidden (gF), shown: unexplained "]),
        (Review, Evidence, ("", ""), &[" CHOOSE ", "2 of 6 added lines; 2 with a claim of pass"]),
        (Review, GoToFile, ("", "'old' enter"), &["▌D docs/old.md"]),
        (Review, CardDown, ("jjjj", ""), &["╭─ n1 +2..3 · intent", "¬│ why  people", "│ body 9.", "─ . 51 more rows below "]),
        (Review, CardUp, ("jjjj ..", ""), &["¬│ why  people", "│ body 9.", "¬│ body 10.", "─ . 51 more rows below "]),
        (Review, Select, ("jjjj", "j a"), &["─ note on +2..3 of src/greet.rs ─"]),
        (Review, Note, ("jjjj", ""), &[" WRITE ", "─ note on +2 of src/greet.rs ─"]),
        (Review, NoteOnFile, ("jjjj", ""), &[" WRITE ", "─ note on src/greet.rs ─"]),
        (Review, NoteOnChange, ("jjjj", ""), &[" WRITE ", "─ note on the whole change ─"]),
        (Review, NoteOnUnexplained, ("", ""), &[" WRITE ", "─ 2 notes: +4, +23 of src/greet.rs ─"]),
        (Review, Markback, ("jjjj", ""), &[" WRITE ", "─ Markback note on +2 of src"]),
        (Review, MarkbackOnFile, ("jjjj", ""), &[" WRITE ", "─ Markback note on src/greet.rs ─"]),
        (Review, Kept, ("", ""), &["no text is kept that could not be saved"]),
        (Review, EditNote, ("jjjj", ""), &[" WRITE ", "─ edit of the note on +2..3 of s", "│why      people asked"]),
        (Review, Claim, ("jjjj", ""), &[" WRITE ", "─ claim about +2..3 of src/greet.rs ", "method [cmd]  outcome [pass]"]),
        (Review, EditOutside, ("jjjj", ""), &["no editor is named"]),
        (Review, DeleteNote, ("jjjj", ""), &["Delete the note on +2..3 “people asked", "? y yes, any other key no"]),
        (Review, Undo, ("jjjj a 'x' enter", ""), &["undone: note on +2", "¬why  x"]),
        (Review, Redo, ("jjjj a 'x' enter z", ""), &["done again: note on +2"]),
        (Review, ReviewState, ("", ""), &[" WRITE ", "─ state and summary of the review ─", "‹pending›"]),
        (Review, Reply, ("jjjj m 'x' enter", ""), &[" WRITE ", "─ reply to the Markback note r1 ─", "│note     "]),
        (Review, Resolve, ("jjjj m 'x' enter", ""), &["r1 is resolved in review.mb", "✓ resolved"]),
        (Review, Comment, ("jjjj", ""), &[" WRITE ", "─ comment for the agent on +2 of "]),
        (Review, AskForTest, ("jjjj", ""), &["✎1 not sent"]),
        (Review, Chat, ("jjjj", ""), &[" WRITE ", "─ comment for the agent on the w"]),
        (Review, Queue, ("", ""), &["no note is open that could be queued"]),
        (Review, Send, ("", ""), &["nothing to send: c comments on a line"]),
        (Review, Rounds, ("", ""), &[" ROUNDS ", "─ For the agent ─", "│ nothing yet: c comments on a line"]),
        (Review, Since, ("", ""), &["nothing has been sent yet: D shows what has changed since the last round"]),
        (Review, TakeOver, (": 'take-over' enter", ""), &["there is no session"]),
        (Review, EndSession, (": 'end' enter", ""), &["End the session? e ends it, any other key no"]),
        (Review, Verify, ("", ""), &[" VERIFY ", "Run 1 command in ", "$ cargo test", "n1 src/greet.rs"]),
        (Review, Stage, ("jjjj", ""), &["it is staged already: this review is of what is staged; gs takes lines out of that"]),
        (Review, Unstage, ("j", ""), &[" CHANGE ", "─ Unstage 4 lines of src/greet.rs? ─", "y does it"]),
        (Review, Discard, ("jj v jjj", ""), &[" CHANGE ", "─ Discard 3 lines of src/greet.rs? ─"]),
        (Review, Viewed, ("", ""), &["src/greet.rs: viewed (1 of 3 files)", "1/3 viewed", "✓ viewed", "¬@@ -1,4 +1,6 @@"]),
        (Review, HideViewed, ("space", ""), &["· without what is viewed", "¬M src/greet.rs"]),
        (Review, OnlyNew, ("", ""), &["nothing has changed since you last looked"]),
        (Review, Refresh, ("", ""), &["not refreshed: no staged changes"]),
        (Review, OpenSource, ("jjjj", ""), &[]),
        (Review, Copy, ("jjjj", ""), &["sent src/greet.rs:2 to the terminal's clipboard"]),
        (Review, ToggleFiles, ("", ""), &["─ 3 files ──", " src/", "▌ M greet.rs", "  A guide.md", "  D old.md"]),
        (Review, FocusFiles, ("", ""), &[" FILES ", "▌ M greet.rs"]),
        (Review, Theme, ("", "'gruv' enter"), &["theme gruvbox is set in config.toml"]),
        (Review, BorderLeft, ("", ""), &["─ Review ─────────────────────────────────────────────────────── 3 files ──┬─"]),
        (Review, BorderRight, ("", ""), &["─ Review ─────────────────────────────────────────────────────────────── 3 files ──┬─"]),
        (Review, Mouse, ("", ""), &["the mouse is the terminal's, and selects text: gM takes it again"]),
        (Review, Palette, ("", "'next-unc' enter"), &["▌        4 ▏ +"]),
        (Review, Help, ("", ""), &["╭─ Keys: ", " HELP "]),
        (Review, Quit, ("", ""), &[]),
        (Review, Suspend, ("", ""), &[]),
        (Review, Cancel, ("v", ""), &[" REVIEW ", "¬ SELECT "]),
        (Review, Redraw, ("", ""), &[]),

        (Text, Select, ("jjjj vv", "e c"), &["│about [+2 “let”] "]),
        (Text, OtherEnd, ("jjjj vv v e", "h c"), &["│about [+2 “ let”] "]),
        (Text, NextWord, ("jjjj vv v", "c"), &["│about [+2 “let n”] "]),
        (Text, CursorLeft, ("jjjj vv e v", "c"), &["│about [+2 “et”] "]),
        (Text, CursorRight, ("jjjj vv v", "c"), &["│about [+2 “le”] "]),
        (Text, WordLeft, ("jjjj vv w w v", "c"), &["│about [+2 “name =”] "]),
        (Text, WordRight, ("jjjj vv v", "c"), &["│about [+2 “let”] "]),
        (Text, LineStart, ("jjjj vv v", "c"), &["│about [+2 “    l”] "]),
        (Text, LineEnd, ("jjjj vv v", "c"), &["│about [+2 “let name = name();”] "]),
        (Text, Cancel, ("jjjj vv", ""), &[" REVIEW "]),
        (Text, Redraw, ("jjjj vv", ""), &[" TEXT "]),
        (Files, Down, ("tab j", ""), &[" FILES ", "▌ A guide.md", "▌A docs/guide.md"]),
        (Files, Up, ("tab jjj", ""), &["▌ A guide.md"]),
        (Files, HalfPageDown, ("tab", ""), &["▌ D old.md"]),
        (Files, HalfPageUp, ("tab G", ""), &["▌▾ src/", "▌M src/greet.rs"]),
        (Files, PageDown, ("tab", ""), &["▌ D old.md"]),
        (Files, PageUp, ("tab G", ""), &["▌▾ src/"]),
        (Files, Top, ("tab G", ""), &["▌▾ src/"]),
        (Files, Bottom, ("tab", ""), &["▌ D old.md"]),
        (Files, OpenFile, ("tab jj", ""), &["▌A docs/guide.md", " REVIEW "]),
        (Files, CloseFolder, ("tab jj", ""), &["▌▸ docs/ 2 ", "▾ src/"]),
        (Files, OpenFolder, ("tab jj h", ""), &["▾ docs/", "▌ A guide.md"]),
        (Files, ToggleFolders, ("tab jj", ""), &["▸ src/ 1 ", "▌▸ docs/ 2 ", "¬A guide.md"]),
        (Files, GoToFile, ("tab", "'old' enter"), &["▌D docs/old.md", " REVIEW "]),
        (Files, ToggleFiles, ("tab j", ""), &["▌A docs/guide.md", " REVIEW ", "¬ M greet.rs"]),
        (Files, FocusFiles, ("tab j", ""), &["▌A docs/guide.md", " REVIEW ", "▌ A guide.md"]),
        (Files, Help, ("tab", ""), &["╭─ Keys: ", " HELP "]),
        (Files, Quit, ("tab", ""), &[]),
        (Files, Cancel, ("tab j", ""), &["▌M src/greet.rs", " REVIEW "]),
        (Files, Redraw, ("tab", ""), &[]),

        (Popup, Search, ("?", ""), &[" CHOOSE ", "─ Find a key ─"]),
        (Popup, Down, ("?", ""), &["│ j ctrl-n down ", "¬│ To begin"]),
        (Popup, Up, ("? jjjjjjjjjjj", ""), &["│ j ctrl-n down ", "¬│ To begin"]),
        (Popup, HalfPageDown, ("?", ""), &["│ j ctrl-n down ", "¬│ To begin"]),
        (Popup, HalfPageUp, ("? ctrl-d ctrl-d", ""), &["│ j ctrl-n down ", "¬│ To begin"]),
        (Popup, PageDown, ("?", ""), &["│ ctrl-f ", "¬│ j ctrl-n "]),
        (Popup, PageUp, ("? ctrl-f j", ""), &["│ j ctrl-n down ", "¬│ To begin"]),
        (Popup, Top, ("? ctrl-d", ""), &["│ To begin"]),
        (Popup, Bottom, ("?", ""), &["│ ctrl-l                       draw the whole screen", "¬│ To begin"]),
        (Popup, Accept, ("?", ""), &["¬ Keys: ", " REVIEW "]),
        (Popup, GoThere, ("L", ""), &["¬ ROUNDS ", " REVIEW "]),
        (Popup, EditNote, ("L", ""), &["there is nothing here"]),
        (Popup, Recall, ("L", ""), &[" ROUNDS ", "there is nothing here"]),
        (Popup, HandOutAgain, ("L", ""), &["there is nothing here"]),
        (Popup, CloseRound, ("L", ""), &["there is nothing here"]),
        (Popup, Since, ("L", ""), &["nothing has been sent yet"]),
        (Popup, Cancel, ("?", ""), &["¬ Keys: ", " REVIEW "]),
        (Popup, Redraw, ("?", ""), &["╭─ Keys: "]),

        (Form, Save, ("jjjj a 'because'", ""), &["n2 saved to review.whymark", "because"]),
        (Form, Send, ("a 'text'", ""), &["this is no comment for the agent: save it first", "│why      text"]),
        (Form, TakeOutside, ("a 'text'", ""), &["no editor is named", "│why      text"]),
        (Form, NextField, ("a", "'text'"), &["│source   text"]),
        (Form, PrevField, ("a tab", "'text'"), &["│why      text"]),
        (Form, Newline, ("a 'one'", "'two'"), &["│why      one", "│         two"]),
        (Form, CursorLeft, ("a 'ab'", "X"), &["│why      aXb"]),
        (Form, CursorRight, ("a 'ab' home", "X"), &["│why      aXb"]),
        (Form, CursorUp, ("a 'ab' ctrl-j 'cd'", "X"), &["│why      abX", "│         cd "]),
        (Form, CursorDown, ("a 'ab' ctrl-j 'cd' up", "X"), &["│why      ab ", "│         cdX"]),
        (Form, PageDown, (":", ""), &["▌ page-up "]),
        (Form, PageUp, (": pgdn pgdn", ""), &["▌ page-up "]),
        (Form, WordLeft, ("a 'ab cd'", "X"), &["│why      ab Xcd"]),
        (Form, WordRight, ("a 'ab cd' home", "X"), &["│why      abX cd"]),
        (Form, Top, ("a 'ab'", "X"), &["│why      Xab"]),
        (Form, LineStart, ("a 'ab'", "X"), &["│why      Xab"]),
        (Form, Bottom, ("a 'ab' left left", "X"), &["│why      abX"]),
        (Form, LineEnd, ("a 'ab' left left", "X"), &["│why      abX"]),
        (Form, Backspace, ("a 'ab'", "X"), &["│why      aX "]),
        (Form, Delete, ("a 'ab' home", "X"), &["│why      Xb "]),
        (Form, DeleteWordLeft, ("a 'ab cd'", "X"), &["│why      ab X "]),
        (Form, DeleteWordRight, ("a 'ab cd' home", "X"), &["│why      X cd "]),
        (Form, DeleteToStart, ("a 'abcd' left left", "X"), &["│why      Xcd "]),
        (Form, DeleteToEnd, ("a 'abcd' left left", "X"), &["│why      abX "]),
        (Form, Undo, ("a 'ab cd' ctrl-w", "X"), &["│why      ab cdX"]),
        (Form, Redo, ("a 'ab cd' ctrl-w ctrl-z", "X"), &["│why      ab X "]),
        (Form, Cancel, ("a", ""), &["¬ WRITE ", " REVIEW "]),
        (Form, Redraw, ("a 'ab'", "X"), &["│why      abX"]),
    ]
};

/// The review on which a command can show what it does.
fn opened(command: Command) -> Screen {
    match command {
        Command::CardDown | Command::CardUp => tall(),
        Command::NextUntested | Command::PrevUntested => tested(),
        _ => review(),
    }
}

/// What a command does that no frame shows.
fn is_done(command: Command, screen: &Screen) -> bool {
    screen.left == (command == Command::Quit)
        && screen.suspended == usize::from(command == Command::Suspend)
        && screen.redrawn == usize::from(command == Command::Redraw)
        && screen.looked_at.len() == usize::from(command == Command::OpenSource)
        && screen.copied.len() == usize::from(command == Command::Copy)
}

#[test]
fn every_command_has_a_case_wherever_it_applies() {
    for entry in COMMANDS {
        for context in entry.contexts {
            let has_case = CASES.iter().any(|case| (case.0, case.1) == (*context, entry.command));
            assert!(has_case, "there is no case for {} in {context:?}", entry.name);
        }
    }
}

#[test]
fn every_key_of_a_command_does_it() {
    let keymap = Keymap::default();
    for (context, command, (before, after), texts) in CASES {
        for keys in keymap.keys_of(*context, *command) {
            let mut screen = opened(*command).sized(120, 16).pressed(before);
            let is_there_already = !texts.is_empty() && after.is_empty() && shows(&screen, texts);
            screen.press(&keys);
            screen.press(after);
            screen.assert_shows(texts);
            assert!(is_done(*command, &screen), "{command:?} by `{keys}` in {context:?}\n{}", screen.text());
            assert!(!is_there_already || *command == Command::Redraw, "the case of {command:?} in {context:?} is idle");
        }
    }
}

fn shows(screen: &Screen, texts: &[&str]) -> bool {
    let text = screen.text();
    texts.iter().all(|wanted| wanted.strip_prefix('¬').map_or(text.contains(wanted), |absent| !text.contains(absent)))
}

#[test]
fn help_lists_every_key_and_the_whole_of_it_can_be_read() {
    let keymap = Keymap::default();
    for size in [(120, 40), (80, 24), (40, 10)] {
        let mut screen = review().sized(size.0, size.1).pressed("?");
        let mut seen = screen.rows();
        for _ in 0..4 * COMMANDS.len() {
            screen.press("j");
            seen.extend(screen.rows());
        }
        for entry in COMMANDS {
            for context in entry.contexts.iter().filter(|context| **context != Context::Popup) {
                let keys = keymap.keys_of(*context, entry.command).join(" ");
                let keys = if keys.is_empty() { format!(":{}", entry.name) } else { keys };
                let inside = |row: &String| Some(row.split_once('│')?.1.split_once('│')?.0.to_owned());
                let is_there = |at: &usize| {
                    let text: String = seen[*at..].iter().take(5).filter_map(inside).collect();
                    let is_whole =
                        entry.doc.split(' ').try_fold(text.as_str(), |text, word| Some(text.split_once(word)?.1));
                    seen[*at].contains(&format!("│ {keys} ")) && is_whole.is_some()
                };
                assert!((0..seen.len()).any(|at| is_there(&at)), "{} in {context:?} at {size:?}", entry.name);
            }
        }
        let order = ["│ To begin ", "│ Review ", "│ Signs ", "│ A number before a command", "│ Writing ", "│ ctrl-y "];
        let found = order.map(|text| seen.iter().position(|row| row.contains(text)));
        assert!(found.iter().all(Option::is_some) && found.is_sorted(), "{found:?} at {size:?}");
        let last = |screen: &Screen| screen.rows().iter().rfind(|row| row.contains("│ ")).cloned().unwrap_or_default();
        assert!(last(&screen).contains("draw the whole screen"), "{}", screen.text());
        screen.press("k");
        assert!(!last(&screen).contains("draw the whole screen"), "{}", screen.text());
    }
}

#[test]
fn a_key_that_means_nothing_changes_nothing_and_says_so() {
    for keys in ["ctrl-g", "f5", "gq", "insert"] {
        let mut screen = review();
        let before = screen.rows();
        screen.press(keys);
        screen.assert_shows(&[&format!(" {keys} does nothing here; ? shows the keys")]);
        let (body, before) = (&screen.rows()[..39], &before[..39]);
        assert_eq!(body, before, "{keys}");
    }
}

#[test]
fn letters_are_text_in_the_form_and_only_there() {
    let typed = "qaU:/?gG 5j]{ ñ漢é";
    let mut screen = review().pressed("jjjj a");
    screen.type_text(typed);
    screen.assert_shows(&[&format!("│why      {typed} ")]);
    assert!(!screen.left);
}

#[test]
fn escape_and_a_letter_right_behind_it_are_two_keys() {
    let mut screen = review().pressed("v alt-j");
    screen.assert_shows(&["¬ SELECT ", "▌@@ -1,4 +1,6 @@"]);
    screen.press("a alt-j");
    screen.assert_shows(&["¬ WRITE ", "▌   1    1     fn main"]);
}

#[test]
fn whoever_looks_for_a_key_finds_it_in_the_help_and_runs_nothing() {
    let mut screen = review().sized(120, 24);
    screen.press("? / 'quit'");
    screen.assert_shows(&["─ Find a key ─", "enter show it in the help"]);
    screen.press("enter");
    screen.assert_shows(&["╭─ Keys: ", "▌q ctrl-c ", " HELP "]);
    assert!(!screen.left);
    screen.press("j k / esc");
    screen.assert_shows(&["╭─ Keys: ", "│ To begin", " HELP "]);
    // Those of other places are there too.
    screen.press("/ 'delete-to-start' enter");
    screen.assert_shows(&["▌ctrl-u ", "delete back to the start of the line"]);
    screen.press("esc");
    screen.assert_shows(&[" REVIEW "]);
}
