//! The binary in a real terminal: what it sends, what it leaves behind, however it ends.

mod colours;
mod documents;
mod editing;
mod living;
mod talking;
mod verifying;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use whymark::tui::background::QUESTION;

use crate::support::Sandbox;
use crate::support::terminal::Pty;
use crate::tui::staged;

const SIZE: (u16, u16) = (120, 40);
/// Where the review of the staged changes lives.
const REVIEW: &str = "reviews/staged-main.whymark";
/// What begins every run that draws.
const ALTERNATE_SCREEN: &[u8] = b"\x1b[?1049h";

/// The reviewer of the staged changes, when all of them have been read.
fn open(sandbox: &Sandbox) -> Pty {
    open_with(sandbox, SIZE, &[])
}

fn open_with(sandbox: &Sandbox, size: (u16, u16), env: &[(&str, &str)]) -> Pty {
    let pty = Pty::whymark(sandbox, &["tui", "--staged"], size, env);
    pty.wait_for("TWO");
    pty.wait_until_gone("reading");
    pty
}

/// Write a note on the line `+TWO`, and wait until it is on disk.
fn write_note(pty: &mut Pty, text: &str) {
    pty.send(format!("gg}}4ja{text}"));
    pty.wait_for(text);
    pty.send("\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
}

fn review(sandbox: &Sandbox) -> String {
    String::from_utf8(sandbox.read(REVIEW)).expect("the review is UTF-8")
}

/// Every file of a folder with its content.
fn tree(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files.extend(tree(&path));
        } else {
            files.insert(path.display().to_string(), fs::read(&path).expect("the file can be read"));
        }
    }
    files
}

fn contains(raw: &[u8], part: &[u8]) -> bool {
    raw.windows(part.len()).any(|window| window == part)
}

#[test]
fn a_note_from_the_first_key_to_the_second_opening() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "louder is better");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
    let text = review(&sandbox);
    assert!(text.contains("+four\n\n@note +2 kind=intent\nwhy: louder is better\n\n@file b.txt added"), "{text}");
    assert!(text.contains("\nscope: staged\n"), "{text}");
    let mut pty = open(&sandbox);
    pty.send("4j");
    pty.wait_for("why  louder is better");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert_eq!(review(&sandbox), text, "looking changes nothing");
}

#[test]
fn looking_changes_nothing_on_disk() {
    let sandbox = staged();
    let before = tree(&sandbox.repo());
    let mut pty = open(&sandbox);
    pty.send("jjjvj\x1bGgguUJK][}{?qyf f");
    pty.send("a\x1b");
    pty.wait_quiet();
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(tree(&sandbox.repo()) == before, "something in the repository has changed");
    // What was there is remembered for the next look, as hashes, and nothing else.
    let kept: Vec<String> = tree(&sandbox.home().join(".state")).into_keys().collect();
    assert!(kept.iter().all(|path| path.contains("/whymark/viewed/")), "{kept:?}");
}

/// What is kept of what was not saved.
fn drafts(sandbox: &Sandbox) -> Vec<String> {
    let Ok(files) = fs::read_dir(sandbox.home().join(".state/whymark/drafts")) else { return Vec::new() };
    let paths = files.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some());
    // A file may be replaced while this looks.
    paths.flat_map(fs::read_to_string).collect()
}

/// Wait until some file keeps `text`.
fn wait_kept(sandbox: &Sandbox, text: &str) {
    let start = Instant::now();
    while !drafts(sandbox).iter().any(|draft| draft.contains(text)) {
        assert!(start.elapsed() < Duration::from_secs(20), "`{text}` is not kept: {:?}", drafts(sandbox));
        thread::yield_now();
    }
}

/// Open the review again, find `text` in the form, throw it away, and leave: nothing is kept any more.
fn find_unsaved(sandbox: &Sandbox, text: &str) {
    let mut pty = open(sandbox);
    pty.wait_for("─ this was not saved last time ─");
    pty.wait_for(text);
    pty.send("\x1b");
    pty.wait_for("Throw the text away?");
    pty.send("yq");
    assert_eq!(pty.wait_exit(), 0);
    assert_eq!(drafts(sandbox), [""; 0]);
}

#[test]
fn a_signal_ends_it_and_leaves_terminal_review_and_what_is_typed_whole() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::HUP, 1), (Signal::INT, 2), (Signal::QUIT, 3)] {
        for (keys, typed) in [
            ("", None),
            ("a and half a note", Some(" and half a note")),
            ("?", None),
            ("v3j", None),
            ("a half a note\x1b\x1b", Some(" half a note")),
            ("ma remark", Some("a remark")),
        ] {
            let sandbox = staged();
            let mut pty = open(&sandbox);
            write_note(&mut pty, "on disk");
            let text = review(&sandbox);
            pty.send(keys);
            pty.wait_for(typed.unwrap_or_default());
            pty.signal(signal);
            assert_eq!(pty.wait_exit(), 128 + number, "{signal:?} after {keys:?}");
            pty.assert_restored();
            assert_eq!(review(&sandbox), text, "{signal:?} after {keys:?}");
            match typed {
                Some(text) => find_unsaved(&sandbox, text),
                None => assert_eq!(drafts(&sandbox), [""; 0]),
            }
            assert_eq!(review(&sandbox), text, "{signal:?} after {keys:?}");
        }
    }
}

#[test]
fn what_has_come_of_a_paste_outlives_a_signal() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = staged();
        let mut pty = open(&sandbox);
        pty.send("abefore \x1b[200~half of a");
        pty.wait_for("before");
        pty.signal(signal);
        assert!(pty.wait_exit() > 128);
        pty.assert_restored();
        find_unsaved(&sandbox, "before half of a");
    }
}

#[test]
fn what_can_be_kept_nowhere_is_read_on_the_normal_screen() {
    for (signal, number) in [(Signal::TERM, 15), (Signal::INT, 2)] {
        let sandbox = staged();
        fs::create_dir_all(sandbox.home().join(".state/whymark")).unwrap();
        fs::write(sandbox.home().join(".state/whymark/drafts"), "in the way").unwrap();
        let mut pty = open(&sandbox);
        pty.send("amy words\n\x1b[200~one\ntwo\x1b[201~");
        pty.wait_for("draft not on disk");
        pty.wait_for("two");
        pty.signal(signal);
        assert_eq!(pty.wait_exit(), 128 + number);
        pty.assert_restored();
        for text in [
            "whymark: 1 text is saved nowhere but here (cannot ",
            "note on ",
            "  why: my words",
            "       one",
            "       two",
        ] {
            pty.wait_for(text);
        }
    }
}

#[test]
fn what_is_half_typed_outlives_a_kill() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("gg}4ja\x1b[200~the first\x1b[201~");
    wait_kept(&sandbox, "the first");
    pty.send(" and some\ttodo");
    wait_kept(&sandbox, "and some");
    wait_kept(&sandbox, "todo");
    pty.signal(Signal::KILL);
    assert_eq!(pty.wait_exit(), 128 + 9);
    let mut pty = open(&sandbox);
    pty.wait_for("─ this was not saved last time ─");
    pty.wait_for("why      the first and some");
    pty.send("\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(review(&sandbox).contains("\n@note +2 kind=intent\nwhy: the first and some\nsource: todo\n"));
    assert_eq!(drafts(&sandbox), [""; 0]);
    let mut pty = open(&sandbox);
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(!pty.screen().contains("not saved"));
}

#[test]
fn a_second_reviewer_does_not_take_what_the_first_is_writing() {
    let sandbox = staged();
    let mut one = open(&sandbox);
    one.send("aby the one");
    wait_kept(&sandbox, "by the one");
    let mut other = open(&sandbox);
    other.wait_quiet();
    assert!(!other.screen().contains("not saved") && !other.screen().contains("by the one"), "{}", other.screen());
    other.send("aby the other");
    wait_kept(&sandbox, "by the other");
    wait_kept(&sandbox, "by the one");
    for pty in [one, other] {
        pty.signal(Signal::KILL);
        assert_eq!(pty.wait_exit(), 128 + 9);
    }
    let mut pty = open(&sandbox);
    for text in ["by the one", "by the other"] {
        pty.wait_for("─ this was not saved last time ─");
        pty.wait_for(text);
        pty.send("\r");
    }
    pty.wait_until_gone(" WRITE ");
    pty.wait_until_gone("saving");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let text = review(&sandbox);
    assert!(text.contains("why: by the one\n") && text.contains("why: by the other\n"), "{text}");
    assert_eq!(drafts(&sandbox), [""; 0]);
}

#[test]
fn nothing_of_the_sample_is_kept() {
    let sandbox = Sandbox::empty();
    let mut pty = Pty::whymark(&sandbox, &["tui", "--demo"], SIZE, &[]);
    pty.wait_for("limiter/bucket.py");
    pty.send("uahalf a note");
    pty.wait_for("half a note");
    pty.signal(Signal::TERM);
    assert_eq!(pty.wait_exit(), 128 + 15);
    assert!(!sandbox.home().join(".state").exists());
}

#[test]
fn a_note_on_its_way_to_disk_is_written_before_a_signal_ends_it() {
    for signal in [Signal::TERM, Signal::HUP] {
        let sandbox = staged();
        let mut pty = open_with(&sandbox, (200, 40), &[]);
        write_note(&mut pty, "the first");
        let folder = fs::File::open(sandbox.path("reviews")).expect("it is there");
        folder.lock().expect("nobody else has it");
        pty.send("agood to the last\r");
        pty.wait_for("· saving");
        pty.signal(signal);
        folder.unlock().expect("it is ours");
        assert!(pty.wait_exit() > 128);
        pty.assert_restored();
        assert!(review(&sandbox).contains("\nwhy: good to the last\n"), "{}", review(&sandbox));
        let mut pty = open(&sandbox);
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        assert_eq!(drafts(&sandbox), [""; 0], "it is not unsaved");
    }
}

#[test]
fn a_kill_leaves_whole_files() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "the first");
    let text = review(&sandbox);
    let (head, rest) = text.split_at(text.find("\n@note").expect("it is there"));
    let behind = rest.split_once("why: the first\n").expect("it is there").1;
    for number in 0..40 {
        pty.send(format!("anote {number}\r"));
    }
    pty.wait_for("note 3");
    pty.signal(Signal::KILL);
    assert_eq!(pty.wait_exit(), 128 + 9);
    let now = review(&sandbox);
    let notes = now.strip_prefix(head).and_then(|now| now.strip_suffix(behind)).expect("what was there is there");
    let expected: String = (0..40).map(|number| format!("\n@note +2 kind=intent\nwhy: note {number}\n")).collect();
    let notes = notes.strip_prefix("\n@note +2 kind=intent\nwhy: the first\n").expect("the first note is there");
    assert!(expected.starts_with(notes), "a note is cut: {notes}");
    assert!(notes.is_empty() || notes.ends_with('\n'), "{notes}");
}

#[test]
fn it_can_be_stopped_and_continued() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    for times in 1..=2 {
        pty.send("\x1a");
        pty.wait_stopped(times);
        pty.assert_restored();
        pty.resume();
        pty.wait_for("TWO");
    }
    write_note(&mut pty, "after a rest");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

/// As `kill -TSTP` and the shells that do not mend a terminal have it.
#[test]
fn it_gives_the_terminal_back_when_somebody_else_stops_it() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("gg}4jahalf a");
    pty.wait_for("half a");
    for times in 1..=2 {
        pty.signal(Signal::TSTP);
        pty.wait_stopped(times);
        pty.assert_restored();
        assert!(drafts(&sandbox).iter().any(|draft| draft.contains("half a")), "{:?}", drafts(&sandbox));
        pty.resume();
        pty.wait_for("half a");
    }
    pty.send(" note\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
    pty.send("\x1a");
    pty.wait_stopped(3);
    pty.assert_restored();
    pty.resume();
    pty.wait_for("TWO");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
    assert!(review(&sandbox).contains("\nwhy: half a note\n"), "{}", review(&sandbox));
}

#[test]
fn the_mouse_is_left_to_the_terminal_and_stays_there() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    let times = |pty: &Pty, switch: &[u8]| pty.raw().windows(switch.len()).filter(|bytes| *bytes == switch).count();
    let (on, off) = (b"\x1b[?1006h".as_slice(), b"\x1b[?1006l".as_slice());
    pty.send("gM");
    pty.wait_for("the mouse is the terminal's, and selects text: gM takes it again");
    assert_eq!((times(&pty, on), times(&pty, off)), (1, 1));
    pty.send("\x1a");
    pty.wait_stopped(1);
    pty.resume();
    pty.wait_for("q quit");
    assert_eq!(times(&pty, on), 1, "it is not taken again by going on");
    pty.send("gM");
    pty.wait_for("the mouse is whymark's");
    assert_eq!(times(&pty, on), 2);
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

/// The shell is told of a new size then, and not the job that is stopped.
#[test]
fn a_window_that_changes_while_it_is_stopped_is_measured() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    let footer = |pty: &Pty, row: usize| pty.screen().lines().nth(row - 1).is_some_and(|row| row.contains("q quit"));
    for (times, size) in [(1, (90, 20)), (2, (100, 30))] {
        pty.send("\x1a");
        pty.wait_stopped(times);
        pty.resize(size);
        pty.resume();
        pty.wait_for("TWO");
        pty.wait_for("q quit");
        assert!(footer(&pty, usize::from(size.1)), "{}", pty.screen());
    }
    pty.signal(Signal::STOP);
    pty.wait_stopped(3);
    pty.resize((80, 24));
    pty.resume();
    pty.send("j");
    pty.wait_quiet();
    assert!(footer(&pty, 24), "{}", pty.screen());
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn a_half_typed_note_outlives_a_stop_from_outside() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("gg}4jahalf a");
    pty.wait_for("half a");
    pty.signal(Signal::STOP);
    pty.wait_stopped(1);
    pty.resume();
    pty.send(" note");
    pty.wait_for("half a note");
    pty.send("\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
#[cfg(debug_assertions)]
fn a_fault_gives_the_terminal_back_and_is_read_on_it() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "on disk");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let text = review(&sandbox);
    let mut pty = open_with(&sandbox, SIZE, &[("WHYMARK_FAULT", "1")]);
    pty.send("a");
    assert_eq!(pty.wait_exit(), 101);
    pty.assert_restored();
    pty.wait_for("panicked at");
    pty.wait_for("WHYMARK_FAULT is set");
    assert_eq!(review(&sandbox), text);
}

#[test]
fn undo_in_a_form_stops_nothing() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("afirst\x17second");
    pty.wait_for("second");
    pty.send("\x1a\x1a\x1a");
    pty.wait_until_gone("second");
    pty.send("third");
    pty.wait_for("third");
    pty.signal(Signal::TERM);
    assert_eq!(pty.wait_exit(), 128 + 15);
}

#[test]
fn any_size_is_drawn() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    for (size, text) in [
        ((80, 24), "3 files ──"),
        ((40, 10), "3 files ──"),
        ((20, 5), "needs 40x10"),
        ((1, 1), "…"),
        ((120, 40), "  J next note  "),
        ((200, 60), "─ 3 files ─"),
    ] {
        pty.resize(size);
        pty.wait_for(text);
        pty.wait_quiet();
        let rows: Vec<String> = pty.screen().lines().map(ToOwned::to_owned).collect();
        assert!(rows.len() <= usize::from(size.1), "{size:?}\n{}", pty.screen());
        if size.0 >= 40 {
            assert!(rows[0].starts_with(" whymark"), "{size:?}\n{}", pty.screen());
            assert!(rows[usize::from(size.1) - 1].starts_with(" REVIEW"), "{size:?}\n{}", pty.screen());
        }
    }
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn without_a_terminal_there_is_a_reason_and_nothing_else() {
    let sandbox = staged();
    let run = sandbox.command(env!("CARGO_BIN_EXE_whymark"), &sandbox.repo()).args(["tui", "--staged"]).output();
    let run = run.expect("the binary starts");
    assert_eq!(run.status.code(), Some(2));
    assert_eq!(run.stdout, b"");
    let complaint = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(complaint.starts_with("error: ") && complaint.contains("terminal"), "{complaint}");
    assert!(!complaint.contains('\x1b'), "{complaint}");
}

#[test]
fn output_into_a_pipe_is_refused_in_a_terminal_too() {
    let sandbox = staged();
    let script = format!("{} tui --staged >out; echo \"code $?\"", env!("CARGO_BIN_EXE_whymark"));
    let pty = Pty::start(&sandbox, &["/bin/sh", "-c", &script], SIZE, &[]);
    pty.wait_for("code 2");
    pty.wait_for("error: ");
    assert_eq!(sandbox.read("out"), b"");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn an_input_that_is_no_keyboard_is_refused_unless_a_patch_is_read_from_it() {
    let sandbox = staged();
    for input in ["</dev/null", "<a.txt"] {
        let script = format!("{} tui --staged {input}; echo \"code $?\"", env!("CARGO_BIN_EXE_whymark"));
        let pty = Pty::start(&sandbox, &["/bin/sh", "-c", &script], SIZE, &[]);
        pty.wait_for("code 2");
        pty.wait_for("`whymark tui -` reads a patch");
        assert_eq!(pty.wait_exit(), 0);
        assert!(!contains(&pty.raw(), ALTERNATE_SCREEN));
    }
    let script = format!("git diff --cached | {} tui -", env!("CARGO_BIN_EXE_whymark"));
    let mut pty = Pty::start(&sandbox, &["/bin/sh", "-c", &script], SIZE, &[]);
    pty.wait_for("TWO");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

/// The reviewer of the staged changes as a patch on standard input.
#[test]
fn a_markback_file_is_walked_over_the_files_it_names() {
    let sandbox = staged();
    sandbox.write("all.mb", "@id r1\n@file a.txt:2\n<<< why so loud?\n");
    let mut pty = Pty::whymark(&sandbox, &["tui", "all.mb"], SIZE, &[]);
    pty.wait_for("why so loud?");
    pty.send("J");
    pty.wait_for("TWO");
    pty.send("gx");
    pty.wait_for("r1 is resolved in all.mb");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
    let text = String::from_utf8(sandbox.read("all.mb")).expect("it is UTF-8");
    assert!(
        text.starts_with("@id r1\n@action resolved ") && text.ends_with("@file a.txt:2\n<<< why so loud?\n"),
        "{text}"
    );
}

fn open_patch(sandbox: &Sandbox, patch: &Path) -> Pty {
    let script = format!("cat {} | {} tui -", patch.display(), env!("CARGO_BIN_EXE_whymark"));
    let pty = Pty::start(sandbox, &["/bin/sh", "-c", &script], SIZE, &[]);
    pty.wait_for("TWO");
    pty.wait_until_gone("reading");
    pty
}

#[test]
fn a_patch_comes_in_and_keys_come_from_the_terminal() {
    let sandbox = staged();
    let patch = sandbox.home().join("staged.diff");
    fs::write(&patch, sandbox.git(&["diff", "--cached"])).expect("the sandbox is writable");
    // The patch is all that is needed.
    let elsewhere = Sandbox::empty();
    for sandbox in [&sandbox, &elsewhere] {
        let mut pty = open_patch(sandbox, &patch);
        pty.send("ggualouder is better");
        pty.wait_for("louder is better");
        pty.send("\r");
        pty.wait_for("saved to reviews/manual-patch.whymark");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        pty.assert_restored();
        let text = sandbox.read("reviews/manual-patch.whymark");
        let text = String::from_utf8(text).expect("the review is UTF-8");
        assert!(text.contains("\nscope: manual\n"), "{text}");
        assert!(text.contains("+four\n\n@note +2 kind=intent\nwhy: louder is better\n\n@file b.txt added"), "{text}");
        let mut pty = open_patch(sandbox, &patch);
        pty.send("ggJ");
        pty.wait_for("why  louder is better");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        assert_eq!(sandbox.read("reviews/manual-patch.whymark"), text.as_bytes(), "looking changes nothing");
    }
}

#[test]
fn a_repository_that_only_git_can_read_is_reviewed_like_any_other() {
    let sandbox = Sandbox::empty();
    sandbox.git(&["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    sandbox.write("a.txt", "one\ntwo\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "one\nTWO\n");
    sandbox.git(&["add", "a.txt"]);
    for _ in 0..2 {
        let mut pty = open(&sandbox);
        if !sandbox.path(REVIEW).exists() {
            pty.send("ggualouder is better");
            pty.wait_for("louder is better");
            pty.send("\r");
            pty.wait_for("saved to reviews/staged-main.whymark");
        }
        pty.wait_for("louder is better");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        pty.assert_restored();
    }
    assert!(review(&sandbox).contains("\n@note +2 kind=intent\nwhy: louder is better\n"), "{}", review(&sandbox));
}

#[test]
fn where_there_is_nothing_to_review_nothing_is_drawn() {
    let clean = staged();
    clean.write("photo.jpg", [0xff, 0xd8, 0, 1]);
    clean.git(&["add", "."]);
    clean.git(&["commit", "--quiet", "--message", "Second"]);
    for (sandbox, args, reason) in [
        (&clean, &["tui", "--staged"][..], "no staged changes"),
        (&clean, &["tui"], "no "),
        (&Sandbox::empty(), &["tui", "--staged"], "repository"),
        (&Sandbox::new(), &["tui"], "no "),
        (&clean, &["tui", "none.whymark"], "none.whymark"),
        (&clean, &["tui", "photo.jpg"], "photo.jpg"),
        (&clean, &["tui", "--commit", "nothing"], "nothing"),
        (&clean, &["tui", "--theme", "none", "--commit"], "there is no theme `none`"),
    ] {
        let pty = Pty::whymark(sandbox, args, SIZE, &[]);
        assert_eq!(pty.wait_exit(), 2, "{args:?}\n{}", pty.screen());
        pty.wait_for("error: ");
        pty.wait_for(reason);
        assert!(!contains(&pty.raw(), ALTERNATE_SCREEN), "{args:?}");
        pty.assert_restored();
    }
}

#[test]
fn two_of_them_on_one_review_lose_nothing() {
    let sandbox = staged();
    let (mut one, mut other) = (open(&sandbox), open(&sandbox));
    write_note(&mut one, "by the one");
    write_note(&mut other, "by the other");
    other.wait_for("by the one");
    write_note(&mut one, "once more");
    one.wait_for("by the other");
    for mut pty in [one, other] {
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
    let text = review(&sandbox);
    let notes = "\n@note +2 kind=intent\nwhy: by the one\n\n@note +2 kind=intent\nwhy: by the other\n\n\
                 @note +2 kind=intent\nwhy: once more\n";
    assert!(text.contains(notes), "{text}");
}

#[test]
fn the_sample_goes_when_it_is_left_unless_something_was_written() {
    let sandbox = Sandbox::empty();
    let before = tree(&sandbox.repo());
    let samples = || {
        let all = fs::read_dir(sandbox.home().join("..")).expect("it is there").flatten();
        all.filter(|entry| entry.file_name().to_string_lossy().starts_with("whymark-demo")).collect::<Vec<_>>()
    };
    for keys in ["", "uaok\r"] {
        let mut pty = Pty::whymark(&sandbox, &["tui", "--demo"], SIZE, &[]);
        pty.wait_for("limiter/bucket.py");
        pty.wait_for("notes");
        pty.send(keys);
        if !keys.is_empty() {
            pty.wait_for("saved to ");
        }
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
        pty.assert_restored();
        assert_eq!(samples().len(), usize::from(!keys.is_empty()));
        if !keys.is_empty() {
            pty.wait_for("what you wrote is in ");
        }
    }
    let review = samples()[0].path().join("turnstile/reviews/staged-main.whymark");
    assert!(fs::read_to_string(review).expect("the review is kept").contains("why: ok\n"));
    assert!(tree(&sandbox.repo()) == before);
}

#[test]
fn nothing_in_the_data_talks_to_the_terminal() {
    let sandbox = Sandbox::new();
    let hostile = "\x1b]0;owned\x07 \x1b[2Jowned \x1b[6n \u{9b}31mowned \u{9d}owned \u{90}owned \x1bcowned \x0eowned \x1b[?1003h \u{202e}owned";
    sandbox.git(&["commit", "--quiet", "--allow-empty", "--message", "First"]);
    sandbox.git(&["checkout", "--quiet", "-b", "b\u{9b}31mowned\u{202e}"]);
    sandbox.write("a.txt", format!("{hostile}\n{hostile}\n"));
    sandbox.write("\x1b]0;owned\x07\u{9b}31m\u{202e}.txt", "x\n");
    sandbox.git(&["config", "user.name", hostile]);
    sandbox.git(&["add", "."]);
    let mut pty = Pty::whymark(&sandbox, &["tui", "--staged", "--author", "\x1b]0;owned\x07"], SIZE, &[]);
    pty.wait_for("owned");
    pty.wait_until_gone("reading");
    pty.send("f?\x1b}}jjj");
    pty.send(format!("a\x1b[200~{hostile}\x1b[201~\r"));
    pty.wait_for("saved");
    pty.send("m\x1b[200~owned\x07 \u{9b}31m\x1b[201~\r");
    pty.wait_for("Markback note saved");
    pty.wait_quiet();
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let raw = pty.raw();
    // The one question that is not the data's.
    let text = String::from_utf8(raw).expect("what is sent is UTF-8").replacen(QUESTION, "", 1);
    for bad in ["\x1b]", "\x1b[2J", "\x1b[6n", "\x1bc", "\x1bP", "\x1b[?1003h", "\x07", "\x0e", "\u{202e}"] {
        assert!(!text.contains(bad), "{bad:?} was sent");
    }
    assert!(!text.contains(|c: char| matches!(c, '\u{80}'..='\u{9f}')), "a C1 control was sent");
    pty.assert_restored();
}

#[test]
fn json_on_a_terminal_reads_the_same_and_orders_nothing() {
    let sandbox = Sandbox::new();
    sandbox.write("a.whymark", "---\nwhymark: 1\ntitle: \"a \\u009b31m\\u202eb \\u200d\"\n---\n");
    let pty = Pty::whymark(&sandbox, &["show", "a.whymark", "--json"], SIZE, &[]);
    pty.wait_for("\\u202eb");
    assert_eq!(pty.wait_exit(), 0);
    let raw = String::from_utf8(pty.raw()).expect("what is sent is UTF-8");
    assert!(raw.contains("\"a \\u009b31m\\u202eb \u{200d}\""), "{raw:?}");
}

#[test]
fn a_paste_is_text_and_never_keys() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("\x1b[200~q\rq\x03\x1b[201~");
    pty.wait_for("nothing takes text here");
    pty.send("gg}4ja\x1b[200~one\rtwo q\x1b[201~");
    pty.wait_for("two q");
    pty.send("\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert!(review(&sandbox).contains("\nwhy: one\n  two q\n"), "{}", review(&sandbox));
}

#[test]
fn a_paste_whose_end_is_lost_is_there_and_the_keys_are_free_again() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("gg}4ja\x1b[200~one\rtwo q");
    pty.wait_for("two q");
    // Key by key: what comes at once counts as more of the paste.
    pty.send("!");
    pty.wait_for("two q!");
    pty.send("\r");
    pty.wait_for("saved to ");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
    assert!(review(&sandbox).contains("\nwhy: one\n  two q!\n"), "{}", review(&sandbox));
}

#[test]
fn a_sequence_that_breaks_off_swallows_no_key_that_comes_later() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    // The help shows that its beginning was read, and then nothing comes for longer than anybody waits for its end.
    pty.send("?\x1b[1;");
    pty.wait_for(" HELP ");
    thread::sleep(Duration::from_secs(2));
    pty.send("q");
    pty.wait_until_gone(" HELP ");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn the_mouse_is_understood() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.send("f");
    pty.wait_for("─ 3 files ──────────────┬");
    pty.send("\x1b[<0;5;4M\x1b[<0;5;4m");
    pty.wait_for("▌A b.txt  +1 −0  0/1");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn a_mouse_that_is_nowhere_makes_nobody_deaf() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    for report in ["\x1b[<0;0;0M", "\x1b[<0;0;7m", "\x1b[<64;7;0M", "\x1b[M   ", "\x1b[0;0R", "\x1b[32;0;0M"] {
        pty.send(report);
        pty.send("?");
        pty.wait_for(" HELP ");
        pty.send("q");
        pty.wait_until_gone(" HELP ");
    }
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn a_key_that_comes_with_a_resize_is_read() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    for step in 0..40 {
        pty.resize((120 + step % 2, 40));
        pty.send("?");
        pty.wait_for(" HELP ");
        pty.send("q");
        pty.wait_until_gone(" HELP ");
    }
}

#[test]
fn at_rest_nothing_is_sent() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    pty.wait_quiet();
    for keys in ["j", "a text", "\x1b", "y", "?", "\x1b"] {
        pty.send(keys);
        pty.wait_quiet();
        let len = pty.raw().len();
        pty.wait_quiet();
        assert_eq!(pty.raw().len(), len, "bytes arrive at rest after {keys:?}");
    }
}

#[test]
fn a_reader_has_keys_and_themes_of_their_own() {
    let sandbox = staged();
    let folder = sandbox.home().join(".config/whymark");
    fs::create_dir_all(folder.join("themes")).expect("the folder can be made");
    fs::write(folder.join("keymap.toml"), "[review]\nquit = [\"x\"]\nnopte = [\"y\"]\n").expect("it can be written");
    fs::write(folder.join("themes/mine.toml"), "inherits = \"dark\"\n[roles]\nno-such = \"red\"\n").expect("as above");
    let mut pty = Pty::whymark(&sandbox, &["tui", "--staged", "--theme", "mine"], SIZE, &[]);
    pty.wait_for("TWO");
    pty.send("x");
    assert_eq!(pty.wait_exit(), 0);
    pty.wait_for("warning: keymap.toml, line 3, column 1: there is no command `nopte`");
    pty.wait_for("warning: theme mine: line 3, column 1: there is no role `no-such`");
}
