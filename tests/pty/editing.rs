//! Editors that get the terminal, and texts that outlive them.

use std::fs;

use rustix::process::Signal;

use super::{SIZE, contains, drafts, open, open_with, review, wait_kept, write_note};
use crate::support::Sandbox;
use crate::support::terminal::Pty;
use crate::tui::staged;

/// An editor in a folder whose name has a blank: it says how the terminal is set, waits for a line, and writes that.
fn editor(sandbox: &Sandbox) -> String {
    let folder = sandbox.home().join("my editors");
    fs::create_dir_all(&folder).expect("the sandbox is writable");
    let path = folder.join("ed");
    let script = "#!/bin/sh\nstty -a | grep -o ' -*icanon'\necho editing\nread -r line\nfor file; do :; done\n\
                  echo \"$line\" > \"$file\"\necho \"$file\" > \"$HOME/edited\"\n";
    fs::write(&path, script).expect("the sandbox is writable");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    path.display().to_string()
}

fn end(mut pty: Pty) {
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    pty.assert_restored();
}

#[test]
fn an_editor_gets_the_terminal_and_gives_it_back() {
    let sandbox = staged();
    let path = editor(&sandbox);
    for (variable, value, word) in
        [("VISUAL", path.clone(), "one"), ("EDITOR", format!("'{path}' --and 'an argument'"), "two")]
    {
        let mut pty = open_with(&sandbox, SIZE, &[(variable, &value)]);
        pty.send("gg}4jv\x1bE");
        pty.wait_for("editing");
        pty.wait_for(" icanon");
        pty.assert_restored();
        pty.send(format!("{word} from the editor\r"));
        pty.wait_for("saved to reviews/staged-main.whymark");
        pty.wait_for(word);
        assert!(pty.raw().windows(8).filter(|bytes| bytes == b"\x1b[?1006h").count() >= 2, "the mouse is back");
        let file = fs::read_to_string(sandbox.home().join("edited")).expect("it was edited");
        assert!(!std::path::Path::new(file.trim()).exists(), "{file} is still there");
        pty.send("z");
        pty.wait_for("undone: ");
        end(pty);
    }
    assert!(!review(&sandbox).contains("@note"), "{}", review(&sandbox));
}

#[test]
fn words_of_an_editor_are_those_of_a_shell() {
    let sandbox = staged();
    let visual = r#"sh -c "printf \"from the editor\nsecond line\n\" > \"\$0\"""#;
    let mut pty = open_with(&sandbox, SIZE, &[("VISUAL", visual)]);
    pty.send("gg}4jE");
    pty.wait_for("saved to reviews/staged-main.whymark");
    end(pty);
    assert!(
        review(&sandbox).contains("\n@note +2 kind=intent\nwhy: from the editor\n  second line\n"),
        "{}",
        review(&sandbox)
    );
}

#[test]
fn an_editor_that_fails_leaves_everything_as_it_was() {
    let sandbox = staged();
    for (visual, said) in [
        ("no-such-editor", "cannot run the editor"),
        ("false", "the editor `false` has failed"),
        ("", "no editor is named"),
    ] {
        let mut pty = open_with(&sandbox, SIZE, &[("VISUAL", visual)]);
        pty.send("gg}4jahalf a note\x0f");
        pty.wait_for(said);
        pty.wait_for("why      half a note");
        pty.send("\x1b");
        pty.wait_for("Throw the text away?");
        pty.send("y");
        pty.wait_until_gone("half a note");
        pty.send("E");
        pty.wait_for(said);
        pty.wait_until_gone(" WRITE ");
        end(pty);
    }
    assert!(!sandbox.path(super::REVIEW).exists());
}

#[test]
fn an_editor_that_dies_with_a_raw_terminal_leaves_no_raw_terminal() {
    let sandbox = staged();
    let mut pty = open_with(&sandbox, SIZE, &[("VISUAL", "sh -c 'stty raw -echo; echo is raw; kill -9 $$'")]);
    pty.send("gg}4jE");
    pty.wait_for("has failed");
    assert!(contains(&pty.raw(), b"is raw"), "{}", pty.screen());
    end(pty);
}

#[test]
fn the_file_is_opened_at_its_line() {
    let sandbox = staged();
    let folder = sandbox.home().join("bin");
    fs::create_dir_all(&folder).expect("the sandbox is writable");
    fs::write(folder.join("vim"), "echo \"$@\" > \"$HOME/opened\"\n").expect("the sandbox is writable");
    let visual = format!("sh {}", folder.join("vim").display());
    let mut pty = open_with(&sandbox, SIZE, &[("VISUAL", &visual)]);
    pty.send("gg}4jo");
    // What is typed before the editor is there is nobody's.
    pty.wait_quiet();
    pty.send("?");
    pty.wait_for(" HELP ");
    pty.send("q");
    end(pty);
    let opened = fs::read_to_string(sandbox.home().join("opened")).expect("it was opened");
    assert!(opened.trim().ends_with("/a.txt"), "{opened}");
}

#[test]
fn a_half_typed_change_outlives_a_kill() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "louder");
    pty.send("e and clearer");
    wait_kept(&sandbox, "and clearer");
    pty.signal(Signal::KILL);
    assert_eq!(pty.wait_exit(), 128 + 9);
    let mut pty = open(&sandbox);
    pty.wait_for("─ this was not saved last time ─");
    pty.wait_for("edit of the note on +2 of a.txt");
    pty.wait_for("louder and clearer");
    pty.send("\r");
    pty.wait_for("saved to reviews/staged-main.whymark");
    end(pty);
    let text = review(&sandbox);
    assert!(text.contains("\nwhy: louder and clearer\n") && text.matches("@note").count() == 1, "{text}");
    assert_eq!(drafts(&sandbox), [""; 0]);
}

#[test]
fn deleting_and_taking_back_in_a_terminal() {
    let sandbox = staged();
    let mut pty = open(&sandbox);
    write_note(&mut pty, "louder");
    let text = review(&sandbox);
    pty.send("x");
    pty.wait_for("Delete the note on +2 “louder”? y yes, any other key no");
    pty.send("y");
    pty.wait_for("deleted from reviews/staged-main.whymark");
    assert!(!review(&sandbox).contains("louder"));
    pty.send("\x1a");
    pty.wait_stopped(1);
    pty.resume();
    pty.wait_for("TWO");
    pty.send("z");
    pty.wait_for("undone: deletion of the note on +2");
    end(pty);
    assert_eq!(review(&sandbox), text);
}
