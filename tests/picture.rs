//! One frame without a terminal: what `whymark tui --dump` prints, and that it only looks.

use bstr::ByteSlice as _;

use crate::support::{Run, Sandbox};
use crate::tui::staged;

fn dump(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["tui", "--staged", "--dump"], args].concat())
}

/// The frame as text.
fn frame(sandbox: &Sandbox, args: &[&str]) -> String {
    let run = dump(sandbox, args);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
    run.stdout.to_str().expect("a frame is UTF-8").to_owned()
}

#[test]
fn a_frame_has_the_size_that_was_asked_for_and_all_that_belongs_on_it() {
    let sandbox = staged();
    for (size, columns, rows) in [("80x24", 80, 24), ("120x40", 120, 40)] {
        let frame = frame(&sandbox, &[size]);
        assert_eq!(frame.lines().count(), rows, "{frame}");
        assert!(frame.lines().all(|row| row.chars().count() <= columns), "{frame}");
        for text in ["a.txt  +2 −1  0/2 explained", "▏ + TWO", "b.txt  +1 −0", "renamed from old name.txt"] {
            assert!(frame.contains(text), "{text}\n{frame}");
        }
        assert!(!frame.contains('\x1b') && !frame.contains("being read"), "{frame}");
    }
}

#[test]
fn how_a_diff_is_read_at_first_is_set() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\nkeep the old word\n");
    sandbox.commit("First");
    sandbox.write("a.txt", format!("ONE{}end\nkeep the new word\n", " and".repeat(60)));
    sandbox.git(&["add", "--all"]);
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).unwrap();
    let args = &["160x24"][..];
    let usual = frame(&sandbox, args);
    assert!(!usual.contains("end"), "{usual}");
    for (settings, keys) in
        [("wrap = true\n", "w"), ("side-by-side = true\n", "\\"), ("wrap = true\nside-by-side = true\n", "w\\")]
    {
        std::fs::write(config.join("config.toml"), settings).unwrap();
        let set = frame(&sandbox, args);
        assert_eq!(set.contains("end"), settings.contains("wrap"), "{set}");
        let is_split = set.lines().any(|row| row.contains("- one") && row.contains("+ ONE"));
        assert_eq!(is_split, settings.contains("side"), "{set}");
        // The same keys turn it off again.
        let again = frame(&sandbox, &[args, &["--keys", keys]].concat());
        assert_eq!(lasting(&again)[..20], lasting(&usual)[..20], "{settings}");
    }
    // A word that is marked has a ground of its own.
    let grounds = |settings: &str| {
        std::fs::write(config.join("config.toml"), settings).unwrap();
        let picture = frame(&sandbox, &["160x24", "--dump-format", "svg"]);
        picture.lines().filter(|line| line.starts_with("<rect")).count()
    };
    assert!(grounds("intraline = false\n") < grounds(""), "no words are marked");
}

/// The lines of a frame without the one that says when the review was made.
fn lasting(frame: &str) -> Vec<&str> {
    frame.lines().filter(|line| !line.contains("HEAD@")).collect()
}

#[test]
fn keys_are_pressed_before() {
    let sandbox = staged();
    for (keys, text) in [
        ("G", "▌"),
        ("ua<tab>a b<lt><backspace>c", "source   a bc"),
        ("?", " HELP "),
        ("?<esc>", " REVIEW "),
        ("q", " REVIEW "),
        ("<ctrl-d>u", "▌"),
        ("~", "~ does nothing here"),
    ] {
        let frame = frame(&sandbox, &["120x40", "--keys", keys]);
        assert!(frame.contains(text), "{keys}: {text}\n{frame}");
    }
    for (args, complaint) in [
        (&["120x40", "--keys", "<escape>"][..], "`escape` is no key"),
        (&["120x40", "--keys", "a\nb"], "is no key"),
        (&["120"], "like 120x40"),
        (&["0x4"], "like 120x40"),
        (&["120x40", "--dump-format", "png"], "svg"),
    ] {
        let run = dump(&sandbox, args);
        assert_eq!((run.code, run.stdout.as_slice()), (2, &b""[..]), "{args:?}");
        assert!(run.stderr.contains(complaint), "{args:?}: {}", run.stderr);
    }
    assert_eq!(sandbox.run(&["tui", "--staged", "--keys", "j"]).code, 2, "keys without a frame");
}

#[test]
fn it_only_looks() {
    let sandbox = staged();
    let before = sandbox.git(&["status", "--porcelain", "--untracked-files=all"]);
    let drafts = sandbox.home().join(".state/whymark/drafts");
    std::fs::create_dir_all(&drafts).unwrap();
    for (keys, text) in [
        ("uaa reason<enter>", "only shows: nothing is written or run"),
        ("uma remark<enter>", "only shows: nothing is written or run"),
        ("uahalf a note", "half a note"),
    ] {
        let frame = frame(&sandbox, &["160x50", "--keys", keys]);
        assert!(frame.contains(text), "{keys}\n{frame}");
    }
    assert_eq!(sandbox.git(&["status", "--porcelain", "--untracked-files=all"]), before);
    assert_eq!(std::fs::read_dir(&drafts).unwrap().count(), 0, "no draft is kept, and none is taken");
}

#[test]
fn what_a_review_would_run_is_not_run() {
    let sandbox = staged();
    let review = "---\nwhymark: 1\n---\n\n@file a.txt modified\n@@ -1 +1 @@\n-a\n+b\n\n\
                  @note +1\nwhy: b\nverify: cmd `touch ran` => pass\n";
    sandbox.write("r.whymark", review);
    let run = sandbox.run(&["tui", "r.whymark", "--dump", "120x40", "--keys", "Vy"]);
    let frame = run.stdout.to_str_lossy();
    assert!(run.code == 0 && frame.contains(" VERIFY "), "{frame}");
    assert!(!sandbox.path("ran").exists(), "{frame}");
    assert_eq!(sandbox.read("r.whymark"), review.as_bytes());
}

#[test]
fn colours_are_those_of_the_terminal_or_of_the_picture() {
    let sandbox = staged();
    for (env, has, has_not) in [
        (&[("TERM", "xterm-256color"), ("COLORTERM", "truecolor")][..], "\x1b[0;", "\x07"),
        (&[("TERM", "xterm-256color")], ";48;5;", ";2;"),
        (&[("TERM", "xterm")], ";32", ";38;"),
        (&[("TERM", "xterm"), ("NO_COLOR", "1")], "\x1b[0;1m", ";32"),
    ] {
        let mut command = sandbox.command(env!("CARGO_BIN_EXE_whymark"), &sandbox.repo());
        let run = command.args(["tui", "--staged", "--dump", "100x30", "--dump-format", "ansi"]);
        let run = run.envs(env.iter().copied()).output().unwrap();
        let text = run.stdout.to_str_lossy();
        assert!(text.contains(has) && !text.contains(has_not), "{env:?}\n{text:?}");
    }
    let picture = frame(&sandbox, &["100x30", "--dump-format", "svg", "--theme", "light"]);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    assert!(picture.contains("fill=\"#ffffff\"/>") && picture.contains("TWO</text>"), "{picture}");
}

#[test]
fn the_same_review_gives_the_same_frame() {
    let sandbox = Sandbox::new();
    sandbox.write("r.whymark", crate::tui::REVIEW);
    let frames = [(); 3]
        .map(|()| sandbox.run(&["tui", "r.whymark", "--dump", "100x30", "--keys", "uJ", "--dump-format", "svg"]));
    assert!(frames[0].stdout.len() > 1000 && frames.iter().all(|run| run.stdout == frames[0].stdout));
}

#[test]
fn whatever_is_changed_a_picture_is_well_formed() {
    let sandbox = staged();
    sandbox.write("a.txt", "<a href=\"x\">&amp;]]></a>\n\u{1b}[31m \u{fffe} \u{0} 漢字 👩\u{200d}🔬 \u{202e}x\n");
    sandbox.git(&["add", "."]);
    let picture = frame(&sandbox, &["100x30", "--dump-format", "svg"]);
    let mut open = Vec::new();
    for tag in picture.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        let name = tag.split(' ').next().unwrap_or(tag);
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name), "{tag}"),
            None if tag.ends_with('/') => {}
            None => open.push(name),
        }
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        assert!(!text.contains('>') && !text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
        for entity in text.split('&').skip(1) {
            assert!(["amp;", "lt;", "gt;"].iter().any(|known| entity.starts_with(known)), "{text}");
        }
    }
    assert_eq!(open, [""; 0]);
}

#[test]
fn lines_around_a_hunk_are_coloured_as_the_file_is() {
    let sandbox = Sandbox::new();
    let text = |changed: &str| {
        let line = |number: usize| match number {
            5 => "/* a comment that is opened far above\n".to_owned(),
            25 => "*/\n".to_owned(),
            40 => format!("fn {changed}() {{}}\n"),
            _ => format!("fn line_{number}() {{}}\n"),
        };
        (1..=60).map(line).collect::<String>()
    };
    sandbox.write("a.rs", text("old"));
    sandbox.commit("First");
    sandbox.write("a.rs", text("new"));
    sandbox.git(&["add", "--all"]);
    let args = ["100x60", "--keys", "]+", "--dump-format", "svg", "--theme", "dark"];
    let picture = frame(&sandbox, &args);
    let colour = |text: &str| {
        let piece = picture.lines().find(|line| line.contains(text) && !line.contains("line_36"));
        let piece = piece.unwrap_or_else(|| panic!("{text}\n{picture}"));
        piece.split("fill=").nth(1).and_then(|rest| rest.split('"').nth(1)).map(ToOwned::to_owned)
    };
    assert_eq!(colour(">line_30<"), colour(">line_38<"), "as the lines of the hunk");
    assert_ne!(colour("fn line_20() {}"), colour(">line_38<"), "within the comment");
    let frame = frame(&sandbox, &["100x60", "--keys", "]+"]);
    assert!(frame.contains("┊   fn line_20() {}"), "{frame}");
}

/// What the index has is part of what is shown, and answers keys as in a terminal.
#[test]
fn what_is_staged_is_known_before_the_first_key() {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "a\n");
    sandbox.commit("First");
    sandbox.write("a.txt", "b\n");
    sandbox.git(&["add", "a.txt"]);
    sandbox.write("new.txt", "n\n");
    for (keys, shown) in [("", "● staged"), ("gg}s", "this is staged already"), ("gg}}gs", "this is not staged")] {
        let run = sandbox.run(&["tui", "--worktree", "--dump", "120x40", "--keys", keys]);
        let frame = run.stdout.to_str_lossy();
        assert!(run.code == 0 && frame.contains(shown), "{keys}: {frame}{}", run.stderr);
    }
}
