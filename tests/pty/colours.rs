//! What the terminal is told it can show: colours and symbols, or neither.

use whymark::tui::background::QUESTION;

use super::{SIZE, contains, open_with, write_note};
use crate::support::terminal::Pty;
use crate::tui::staged;

/// The numbers of all `CSI … m` sequences, in order.
fn styles(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, ';' | ':'))?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences.collect()
}

/// The colours among them; 39, 49 and 59 only say: the terminal's own.
fn colours(raw: &[u8]) -> Vec<String> {
    let is_colour = |style: &String| {
        style
            .split(';')
            .next()
            .and_then(|number| number.parse().ok())
            .is_some_and(|number: u32| matches!(number, 30..=38 | 40..=48 | 58 | 90..=97 | 100..=107))
    };
    styles(raw).into_iter().filter(is_colour).collect()
}

#[test]
fn no_color_is_heeded_and_everything_still_stands_out() {
    let sandbox = staged();
    let keys = "4jvj\x1b?\x1ba text\x1bnfJ";
    let mut pty = open_with(&sandbox, SIZE, &[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]);
    pty.send(keys);
    pty.wait_quiet();
    let raw = pty.raw();
    assert_eq!(colours(&raw), [""; 0]);
    let all = styles(&raw);
    for wanted in ["1", "7"] {
        assert!(all.iter().any(|style| style.split(';').any(|number| number == wanted)), "no {wanted} in {all:?}");
    }
    for (env, has_rgb, has_numbers) in [
        (&[("NO_COLOR", ""), ("COLORTERM", "truecolor")][..], true, false),
        (&[("COLORTERM", "")], false, true),
        (&[("TERM", "xterm")], false, false),
    ] {
        let mut pty = open_with(&sandbox, SIZE, env);
        pty.send(keys);
        pty.wait_quiet();
        let found = colours(&pty.raw());
        assert!(!found.is_empty(), "{env:?}");
        assert_eq!(found.iter().any(|colour| colour.contains("8;5;")), has_numbers, "{env:?} {found:?}");
        assert_eq!(found.iter().any(|colour| colour.contains("8;2;")), has_rgb, "{env:?} {found:?}");
    }
}

#[test]
fn the_option_for_colours_is_stronger_than_the_environment() {
    let sandbox = staged();
    for (when, no_color, is_colourful) in [("never", "", false), ("always", "1", true), ("auto", "1", false)] {
        let args = ["tui", "--staged", "--color", when];
        let mut pty = Pty::whymark(&sandbox, &args, SIZE, &[("NO_COLOR", no_color), ("COLORTERM", "truecolor")]);
        pty.wait_for("TWO");
        pty.send("jv\x1b");
        pty.wait_quiet();
        assert_eq!(!colours(&pty.raw()).is_empty(), is_colourful, "{when}");
    }
}

#[test]
fn a_dumb_terminal_gets_a_screen_without_colours_or_a_reason() {
    let sandbox = staged();
    let mut pty = Pty::whymark(&sandbox, &["tui", "--staged"], SIZE, &[("TERM", "dumb")]);
    pty.wait_for("TWO");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert_eq!(colours(&pty.raw()), [""; 0]);
    pty.assert_restored();
}

#[test]
fn a_locale_without_symbols_gets_frames_and_marks_in_ascii() {
    let sandbox = staged();
    let mut pty = open_with(&sandbox, SIZE, &[("LANG", "C")]);
    write_note(&mut pty, "ok");
    pty.send("gg}4ja x");
    pty.wait_quiet();
    let text = String::from_utf8(pty.raw()).expect("what is sent is UTF-8");
    let other: String = text.chars().filter(|c| !c.is_ascii()).collect();
    assert_eq!(other, "");
    for sign in [" 2 : + TWO", "| why  ok", "+- note on ", ">"] {
        assert!(pty.screen().contains(sign), "{sign}\n{}", pty.screen());
    }
}

#[test]
fn the_background_decides_about_the_theme_whenever_the_answer_comes() {
    let light = b"48;2;255;255;255";
    let sandbox = staged();
    let env = &[("COLORTERM", "truecolor")][..];
    for (answer, is_light) in [
        ("\x1b]11;rgb:ffff/ffff/ffff\x07", true),
        ("\x1b]11;rgb:f/f/f\x1b\\", true),
        ("\x1b]11;rgb:0000/0000/0000\x07", false),
    ] {
        let mut pty = open_with(&sandbox, SIZE, env);
        let (begin, end) = answer.split_at(9);
        pty.send(begin);
        pty.send(end);
        // Nobody has asked for these.
        pty.send("\x1bP>|XTerm(370)\x1b\\\x1b]52;c;cXE=\x07\x1b_Gi=31;OK\x1b\\");
        // What stands in the answer is no key, and what follows it is one.
        pty.send("?");
        pty.wait_for(" HELP ");
        pty.send("q");
        pty.wait_until_gone(" HELP ");
        assert_eq!(contains(&pty.raw(), light), is_light, "{answer:?}");
        assert!(!pty.screen().contains("does nothing here") && pty.screen().contains("TWO"), "{}", pty.screen());
    }
    for (args, env, is_asked) in [
        (&["tui", "--staged"][..], env, true),
        (&["tui", "--staged", "--theme", "dark"], env, false),
        (&["tui", "--staged"], &[("NO_COLOR", "1")], false),
        (&["tui", "--staged"], &[("TERM", "dumb")], false),
    ] {
        let pty = Pty::whymark(&sandbox, args, SIZE, env);
        pty.wait_for("TWO");
        assert_eq!(contains(&pty.raw(), QUESTION.as_bytes()), is_asked, "{args:?} {env:?}");
    }
}

#[test]
fn a_theme_that_is_chosen_is_there_the_next_time_and_changes_one_line() {
    let sandbox = staged();
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).expect("it can be made");
    let settings = "# mine\ntheme = \"dark\"   # for now\nmouse = false\n";
    std::fs::write(config.join("config.toml"), settings).expect("it can be written");
    let latte = b"48;2;239;241;245";
    let mut pty = open_with(&sandbox, SIZE, &[("COLORTERM", "truecolor")]);
    assert!(!contains(&pty.raw(), b"\x1b[?1000h"), "the mouse is not wanted");
    pty.send("Tlatte\r");
    pty.wait_for("theme catppuccin-latte is set in ");
    assert!(contains(&pty.raw(), latte));
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    let now = std::fs::read_to_string(config.join("config.toml")).expect("it is there");
    assert_eq!(now, settings.replace("\"dark\"", "\"catppuccin-latte\""));
    let pty = open_with(&sandbox, SIZE, &[("COLORTERM", "truecolor")]);
    assert!(contains(&pty.raw(), latte));
}
