//! Markback records that are there: shown beside their lines, answered, resolved, and never changed otherwise.

use super::{REVIEW, review};
use crate::support::{File, Sandbox, Screen, check};
use whymark::tui::model::RecordTarget;
use whymark::tui::open::Target;

/// Two threads on lines that follow each other, of which the first was answered twice, and one on the file.
const RECORDS: &str = "%markback 2\n\n\
@id r1\n@by Grace Example\n@action created 2026-01-01T00:00:00Z Grace Example\n@tag bug style\n@file src/greet.rs:2-3\n\n    \
let name = name();\n<<< greet whom?\n---\n\
@id r2\n@file src/greet.rs:4 <<< why done?\n---\n\
@id r3\n@reply-to r1\n@by Ada Example\n<<< the reader\n---\n\
@id r4\n@reply-to r3\n@action resolved 2026-01-02 Ada\n<<< I see\n---\n\
@file src/greet.rs <<< no id\n---\n\
@file src/greet.rs:400-401\n<<< far away\n";

/// The review with these records beside it.
fn with_records(records: impl AsRef<[u8]>) -> Screen {
    with_files(&[("review.mb", records.as_ref())])
}

/// The review with these files in its repository.
fn with_files(files: &[(&str, &[u8])]) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW);
    files.iter().for_each(|(path, text)| sandbox.write(path, text));
    Screen::open(sandbox, Target::File("review.whymark".into()))
}

fn on_disk(screen: &Screen, path: &str) -> String {
    std::fs::read_to_string(screen.sandbox.path(path)).expect("it is there")
}

/// Keys make of `before`, the records of the review, what `after` says.
fn check_records(before: &str, keys: &str, shown: &[&str], after: &str) -> Screen {
    let screen = check(with_records(before), keys, shown, File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), after, "{keys}");
    screen
}

#[test]
fn records_stand_at_their_lines_with_their_thread() {
    let screen = with_records(RECORDS).sized(200, 60);
    let rows = screen.rows();
    let row =
        |text: &str| rows.iter().position(|row| row.contains(text)).unwrap_or_else(|| panic!("{text}: {rows:#?}"));
    let order = [
        "no id",
        "far away",
        "▪ markback r1",
        "greet whom?",
        "↳ reply r3",
        "the reader",
        "  ↳ reply r4",
        "I see",
        "▪ markback r2",
    ];
    let places = order.map(row);
    assert!(places.is_sorted(), "{places:?}\n{}", screen.text());
    screen.assert_shows(&[
        "▪ markback r1 · :2-3 · Grace Example · #bug · #st",
        "↳ reply r4",
        "✓ resolved",
        ":400-401",
        "no such line",
        "2 ┃▪+",
        "3 ┃▪+",
        "4 ▏▪+",
    ]);
    check(
        screen,
        "4j J",
        &["│ greet whom?", "│ tags bug style", "│ log  created 2026-01-01T00:00:00Z Grace"],
        File::Same,
    );
}

#[test]
fn a_thread_stays_together_under_its_lines_on_a_narrow_screen() {
    let screen = with_records(RECORDS).sized(80, 60);
    let rows = screen.rows();
    let row =
        |text: &str| rows.iter().position(|row| row.contains(text)).unwrap_or_else(|| panic!("{text}: {rows:#?}"));
    let order = ["println!(\"hello {name}\")", "▪ markback r1", "↳ reply r3", "↳ reply r4", "done();", "▪ markback r2"]
        .map(row);
    assert!(order.is_sorted(), "{order:?}\n{}", screen.text());
}

#[test]
fn sidecars_are_shown_beside_the_records_of_the_review() {
    let screen = with_files(&[
        ("review.mb", b"@file src/greet.rs:3 <<< of the review\n"),
        (
            "src/greet.rs.mb",
            b"@id s1\n@file greet.rs:4\n<<< of the sidecar\n---\n@file ../docs/old.md\n<<< about another\n",
        ),
        ("docs/guide.label.txt", b"@by Old\n<<< of version one\n"),
    ]);
    screen.assert_shows(&["of the review", "of the sidecar", "about another", "of version one", "4 ▏▪+"]);
    let screen = check(screen, "6j", &["│ of the sidecar", "│ in   greet.rs.mb"], File::Same);
    // What is done about a record is written where it stands.
    let before = on_disk(&screen, "src/greet.rs.mb");
    let screen =
        check(screen, "gr 'as you say' enter", &["Markback note saved to src/greet.rs.mb", "│ as you say"], File::Same);
    let added = "---\n@id r3\n@reply-to s1\n@by Ada Example\n@action created 2026-01-02T03:04:05Z Ada Example\n\
        @file greet.rs:4 <<< as you say\n";
    assert_eq!(on_disk(&screen, "src/greet.rs.mb"), before.clone() + added);
    let screen = check(screen, "gx", &["s1 is resolved in src/greet.rs.mb", "▪ markback s1"], File::Same);
    let resolved = before.replace("@id s1\n", "@id s1\n@action resolved 2026-01-02T03:04:05Z Ada Example\n") + added;
    assert_eq!(on_disk(&screen, "src/greet.rs.mb"), resolved);
    assert_eq!(on_disk(&screen, "review.mb"), "@file src/greet.rs:3 <<< of the review\n");
}

#[test]
fn what_is_about_a_whole_file_says_so_and_is_compared_with_it() {
    let with_record = |name: &str| {
        let text = format!(
            "fn main() {{\n    let name = name();\n    println!(\"hello {{name}}\");\n    done();\n    other();\n}}\n\n\
             // between the hunks\n\nfn {name}() -> String {{\n    // nobody\n    String::new()\n}}\n"
        );
        let record = format!(
            "@id all\n@file greet.rs\n\n{text}<<< of all of it\n---\n@file greet.rs:4\n\n{text}<<< of a line\n"
        );
        with_files(&[("src/greet.rs.mb", record.as_bytes())])
    };
    check(with_record("name"), "j", &["all · file", "of all of it", "¬changed", "¬no such line"], File::Same);
    let other_line = on_disk(&with_record("name"), "src/greet.rs.mb").replace(":4\n", ":5\n");
    check(with_files(&[("src/greet.rs.mb", other_line.as_bytes())]), "j", &["¬changed"], File::Same);
    let changed_line = other_line.replace("other();", "another();");
    check(with_files(&[("src/greet.rs.mb", changed_line.as_bytes())]), "j", &["⌛ stale"], File::Same);
    check(with_record("nom"), "j", &["all · file", "of all of it", "⌛ stale"], File::Same);
}

#[test]
fn what_is_about_no_file_of_the_repository_shows_the_text_that_it_holds() {
    let screen = with_records("@id u\n@file https://x.org/a:7\n\nof the web\n<<< weak\n");
    check(screen, "gg", &["markback u · :7", "│ text of the web", "¬no such line", "¬changed"], File::Same);
}

#[test]
fn new_records_go_where_they_are_wanted() {
    let mut screen = with_files(&[("src/greet.rs.mb", b"<<< first")]);
    screen.model.review.record_target = RecordTarget::Sidecar;
    let screen =
        check(screen, "4j m 'second' enter", &["Markback note saved to src/greet.rs.mb", "│ second"], File::Same);
    let text = on_disk(&screen, "src/greet.rs.mb");
    assert!(text.starts_with("<<< first\n---\n@id r2\n") && text.contains("\n@file greet.rs:2\n"), "{text}");
    assert!(!screen.sandbox.path("review.mb").exists());
    let screen = check(screen, "} gm 'on a file' enter", &["Markback note saved to docs/guide.md.mb"], File::Same);
    assert!(on_disk(&screen, "docs/guide.md.mb").contains("\n@file guide.md <<< on a file\n"));
    screen.reopened().assert_shows(&["first", "second", "on a file"]);
}

#[test]
fn a_note_on_a_file() {
    let screen = check(review(), "4j gm", &["─ Markback note on src/greet.rs ─"], File::Same);
    let screen = check(screen, "'remark' enter", &["Markback note saved to review.mb"], File::Same);
    assert!(on_disk(&screen, "review.mb").ends_with("@file src/greet.rs <<< remark\n"));
}

#[test]
fn what_a_terminal_would_obey_is_shown() {
    let text = "@id \u{1b}]0;i\u{7}\n@by a\u{1b}[31mb\n@tag t\u{1b}c\n@file src/greet.rs:2\n<<< x\u{1b}[2Jy\u{202e}z\n";
    let mut screen = with_records(text);
    for keys in ["", "4j J", "gr"] {
        screen.press(keys);
        let has_control = screen.text().chars().any(|char| (char.is_control() && char != '\n') || char == '\u{202e}');
        assert!(!has_control, "{keys}: {:?}", screen.text());
    }
    screen.assert_shows(&["a␛[31mb", "tags t␛c", "x␛[2Jy", "─ reply to the Markback note ␛]0;i␇ ─"]);
}

#[test]
fn a_file_with_errors_is_shown_as_far_as_it_can_be_read_and_only_added_to() {
    let broken = "@reply_to x\n@id a\n@file src/greet.rs:2\n<<< read\n---\n@file src/greet.rs\nleft over\n---\n@id b\n@file src/greet.rs:4\n<<< read too\n";
    let notice = "review.mb has errors and is shown as far as it can be read";
    let screen = check(with_records(broken), "", &[notice, "read", "read too"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), broken);
    let screen = check(screen, "6j gx", &["b is resolved in review.mb"], File::Same);
    let action = "@id b\n@action resolved 2026-01-02T03:04:05Z Ada Example\n";
    assert_eq!(on_disk(&screen, "review.mb"), broken.replace("@id b\n", action));
    // Nothing can be added to these, and nothing is.
    for (text, reason) in [
        (
            &b"@id a\n@file src/greet.rs:2\n<<< x\n---\n@file src/greet.rs:4\n<<< \"\"\"\nopen\n"[..],
            "a fence that is never closed",
        ),
        (b"\xff\xfe\n", "the file is not UTF-8"),
    ] {
        let screen =
            check(with_records(text), "4j m 'my words' enter", &["not saved: ", "│note     my words "], File::Same);
        screen.assert_shows(&[reason]);
        assert_eq!(std::fs::read(screen.sandbox.path("review.mb")).expect("it is there"), text);
    }
    with_files(&[("src/greet.rs.mb", broken.as_bytes())]).assert_shows(&["greet.rs.mb has errors"]);
}

#[cfg(unix)]
#[test]
fn a_sidecar_that_leads_away_is_not_read() {
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW.replace("docs/guide.md", "../../outside"));
    let outside = sandbox.repo().parent().expect("it lies somewhere").join("secret");
    std::fs::write(&outside, "<<< secret\n").expect("the sandbox is writable");
    std::fs::create_dir_all(sandbox.path("src")).expect("the sandbox is writable");
    std::os::unix::fs::symlink(&outside, sandbox.path("src/greet.rs.mb")).expect("the sandbox is writable");
    let screen = Screen::open(sandbox, Target::File("review.whymark".into()));
    screen.assert_shows(&["¬<<< secret", "¬▎ secret", "leads "]);
}

#[test]
fn a_reply_goes_behind_everything_and_names_what_it_answers() {
    let added = |number: usize, to: &str, file: &str| {
        format!(
            "---\n@id r{number}\n@reply-to {to}\n@by Ada Example\n@action created 2026-01-02T03:04:05Z Ada Example\n{file}<<< mine\n"
        )
    };
    for (keys, to, file) in [
        ("6j", "r2", "@file src/greet.rs:4\n"),
        ("4j J", "r1", "@file src/greet.rs:2-3\n"),
        ("4j J J", "r3", ""),
        ("4j J J J", "r4", ""),
    ] {
        let keys = format!("{keys} gr 'mine' enter");
        let shown = ["Markback note saved to review.mb", "↳ reply r7", "│ mine", "¬ WRITE "];
        check_records(RECORDS, &keys, &shown, &(RECORDS.to_owned() + &added(7, to, file)));
    }
    let crlf = "@id a\r\n@file src/greet.rs:4\r\n<<< x";
    let with = added(2, "a", "@file src/greet.rs:4 ").replace('\n', "\r\n");
    check_records(crlf, "6j gr 'mine' enter", &["saved"], &format!("{crlf}\r\n{with}"));
}

#[test]
fn a_reply_is_a_form_as_any_other() {
    let open = || with_records(RECORDS).pressed("6j gr");
    check(open(), "", &["─ reply to the Markback note r2 ─", "│note     ", "¬about ", " WRITE "], File::Same);
    check(open(), "enter", &["nothing is written yet"], File::Same);
    check(open(), "'half' tab backtab esc", &["Throw the text away?", "│note     half "], File::Same);
    let screen = check(open(), "'half' ctrl-j 'a word'", &["│note     half "], File::Same).killed();
    screen.assert_shows(&[
        "─ reply to the Markback note r2 ─",
        "this was not saved last time",
        "│note     half ",
        "a word",
    ]);
    let screen = check(screen, "enter", &["Markback note saved to review.mb"], File::Same);
    let text = on_disk(&screen, "review.mb");
    assert!(text.contains("@id r7\n@reply-to r2\n") && text.ends_with("<<< \"\"\"\nhalf\na word\n\"\"\"\n"), "{text}");
    screen.killed().assert_shows(&["¬not saved"]);
    // It was written, and the program had no time to say so.
    let mut screen = open().pressed("'half'");
    let kept = screen.kept.clone();
    screen.press("enter");
    screen.kept = kept;
    screen.killed().assert_shows(&["¬not saved", " REVIEW "]);
}

#[test]
fn a_record_is_resolved_and_opened_again() {
    let line = |verb: &str| format!("@action {verb} 2026-01-02T03:04:05Z Ada Example\n");
    let resolved = RECORDS.replace("@id r2\n", &format!("@id r2\n{}", line("resolved")));
    check_records(RECORDS, "6j gx", &["r2 is resolved in review.mb", "✓ resolved"], &resolved);
    let again = RECORDS.replace("@id r2\n", &format!("@id r2\n{}{}", line("resolved"), line("reopened")));
    check_records(RECORDS, "6j gx gx", &["r2 is open again in review.mb"], &again);
    let created = "00:00:00Z Grace Example\n";
    let first = RECORDS.replace(created, &format!("{created}{}", line("resolved")));
    check_records(RECORDS, "4j J gx", &["r1 is resolved in review.mb"], &first);
    let reopened = RECORDS.replace("2026-01-02 Ada\n", &format!("2026-01-02 Ada\n{}", line("reopened")));
    check_records(RECORDS, "4j J J J gx", &["r4 is open again in review.mb"], &reopened);
    let nameless =
        RECORDS.replace("@file src/greet.rs <<< no", &format!("{}@file src/greet.rs <<< no", line("resolved")));
    check_records(RECORDS, "j k gx", &["the record is resolved in review.mb"], &nameless);
}

#[test]
fn what_somebody_else_wrote_in_between_stays() {
    let theirs = |action: &str| {
        format!(
            "@id r9\n@file docs/old.md <<< theirs\n{}",
            RECORDS.trim_start_matches("%markback 2\n\n").replace("@id r2\n", &format!("@id r2\n{action}"))
        )
    };
    let mine = "@action resolved 2026-01-02T03:04:05Z Ada Example\n";
    for (action, keys, shown, after) in [
        ("", "gx", "r2 is resolved in review.mb", theirs(mine)),
        (
            "@action viewed 2026 Bob\n",
            "gx",
            "r2 is resolved in review.mb",
            theirs(&format!("@action viewed 2026 Bob\n{mine}")),
        ),
        (
            "@action resolved 2026 Bob\n",
            "gx",
            "r2 is resolved already in review.mb",
            theirs("@action resolved 2026 Bob\n"),
        ),
    ] {
        let screen = with_records(RECORDS).pressed("6j");
        screen.sandbox.write("review.mb", theirs(action));
        let screen = check(screen, keys, &[shown, "theirs", "✓ resolved"], File::Same);
        assert_eq!(on_disk(&screen, "review.mb"), after);
    }
    // What is gone is not answered, and the words stay.
    for text in ["@id r1\n@file src/greet.rs:4 <<< other\n", ""] {
        let screen = with_records(RECORDS).pressed("6j gr 'my words'");
        screen.sandbox.write("review.mb", text);
        let shown = ["not saved: the record is no longer in its file", "│note     my words "];
        let screen = check(screen, "enter", &shown, File::Same);
        screen.sandbox.write("review.mb", RECORDS);
        check(screen, "enter", &["Markback note saved to review.mb"], File::Same);
        let screen = with_records(RECORDS).pressed("6j");
        screen.sandbox.write("review.mb", text);
        let screen = check(screen, "gx", &["not written: the record is no longer in its file"], File::Same);
        assert_eq!(on_disk(&screen, "review.mb"), text);
    }
    let screen = with_records(RECORDS).pressed("6j");
    std::fs::remove_file(screen.sandbox.path("review.mb")).expect("it was there");
    let screen = check(screen, "gx", &["not written: "], File::Same);
    assert_eq!(screen.records(), None);
}

#[test]
fn what_cannot_be_answered_or_resolved_is_refused_with_the_reason() {
    for keys in ["gr", "gx"] {
        check(with_records(RECORDS), &format!("gg {keys}"), &["no Markback note is open", "¬ WRITE "], File::Same);
        check(
            with_records(RECORDS),
            &format!("4j {keys}"),
            &["the open note is no Markback note", "¬ WRITE "],
            File::Same,
        );
    }
}

#[test]
fn a_record_without_an_id_is_given_one_with_the_first_reply() {
    let asked = "─ reply, and an @id for the note ─";
    let signed = "@by Ada Example\n@action created 2026-01-02T03:04:05Z Ada Example\n";
    let named = RECORDS.replace("@file src/greet.rs <<< no id", "@id r7\n@file src/greet.rs <<< no id");
    let reply = |id: &str, to: &str| format!("---\n@id {id}\n@reply-to {to}\n{signed}@file src/greet.rs\n<<< mine\n");
    let check_reply = |keys: &str, shown: &[&str], after: &str| check_records(RECORDS, keys, shown, after);
    check_reply("j k gr", &[asked, "│note     ", "when yours is saved, the note is given an @id"], RECORDS);
    check_reply("j k gr enter", &["nothing is written yet"], RECORDS);
    check_reply("j k gr esc", &[" REVIEW "], RECORDS);
    let shown = ["Markback note saved to review.mb", "↳ reply r8", "│ mine", "▪ markback r7"];
    let screen = check_reply("j k gr 'mine' enter", &shown, &(named.clone() + &reply("r8", "r7")));
    let screen = check(screen, "z", &["undone: reply to the Markback note"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), RECORDS, "the id goes with the reply");
    // Typed, and the program ends: the reply still knows what it answers.
    let open = || with_records(RECORDS).pressed("j k gr 'mine'");
    let screen = check(open().killed(), "", &[asked, "this was not saved last time", "│note     mine "], File::Same);
    let screen = check(screen, "enter", &["Markback note saved to review.mb"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), named.clone() + &reply("r8", "r7"));
    // It was written, and the program had no time to say so.
    let mut screen = open();
    let kept = screen.kept.clone();
    screen.press("enter");
    screen.kept = kept;
    screen.killed().assert_shows(&["¬not saved", " REVIEW "]);
    // Somebody else has given it an id.
    let screen = open();
    let theirs = RECORDS.replace("@file src/greet.rs <<< no id", "@id own\n@file src/greet.rs <<< no id");
    screen.sandbox.write("review.mb", &theirs);
    let screen = check(screen, "enter", &["Markback note saved to review.mb"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), theirs + &reply("r7", "own"));
    // It has gone: the words stay, and become a note of their own after a restart.
    let screen = open();
    let gone = RECORDS.replace("@file src/greet.rs <<< no id\n---\n", "");
    screen.sandbox.write("review.mb", &gone);
    let mut screen = check(screen, "enter", &["not saved: the record is no longer in its file", "mine"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), gone);
    screen = screen.killed();
    screen.assert_shows(&[
        "─ Markback note on src/greet.rs ─",
        "the note that it answers has been changed since",
        "mine",
    ]);
    check(screen, "enter", &["Markback note saved to review.mb"], File::Same);
}

#[test]
fn the_answers_of_a_note_that_goes_stay() {
    let screen = with_records(RECORDS).sized(120, 40);
    let shown = ["Delete the Markback note r1", "(its reply stays, as a note of its own at the top)", "y yes"];
    let screen = check(screen, "4j J x", &shown, File::Same);
    let screen = check(screen, "y", &["deleted from review.mb", "↳ reply r4", "¬markback r1"], File::Same);
    let screen = check(screen, "gg", &["▪ markback r3", "the reader"], File::Same);
    let start = RECORDS.find("@id r1").expect("it is there");
    let end = RECORDS.find("@id r2").expect("it is there");
    assert_eq!(on_disk(&screen, "review.mb"), RECORDS[..start].to_owned() + &RECORDS[end..]);
    let screen = check(screen, "z 4j", &["▪ markback r1", "↳ reply r3"], File::Same);
    assert_eq!(on_disk(&screen, "review.mb"), RECORDS);
    check(with_records(RECORDS), "6j x", &["Delete the Markback note r2", "¬stays"], File::Same);
}

#[test]
fn a_thread_is_open_or_settled_as_a_whole() {
    let open = |records: &str| {
        let screen = with_records(records).sized(120, 50).pressed("gi");
        screen.assert_shows(&["¬r3 src/greet.rs", "¬r4 src/greet.rs"]);
        screen
    };
    open(RECORDS).assert_shows(&["; 4 Markback notes", "r1 src/greet.rs", "r2 src/greet.rs"]);
    let settled = RECORDS.replace("@tag bug", "@action resolved 2026 Ada\n@tag bug");
    open(&settled).assert_shows(&["; 3 Markback notes", "¬r1 src/greet.rs", "r2 src/greet.rs"]);
    // The reply that has just been written has the cursor: what is settled is the thread.
    let screen = with_records(RECORDS).pressed("4j J gr 'mine' enter");
    let screen = check(screen, "gx", &["r1 is resolved in review.mb"], File::Same);
    assert!(
        on_disk(&screen, "review.mb").contains("Grace Example\n@action resolved 2026-01-02T03:04:05Z Ada Example\n")
    );
    let screen = check(screen.sized(120, 50), "F 'open' enter esc", &["r2", "¬the reader", "¬greet whom?"], File::Same);
    drop(screen);
}

#[cfg(unix)]
#[test]
fn a_review_that_cannot_be_written_says_why() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    sandbox.write("review.whymark", REVIEW);
    sandbox.write("review.mb", RECORDS);
    set_permissions(sandbox.path("review.whymark"), Permissions::from_mode(0o444)).expect("it is ours");
    let mut screen = Screen::open(sandbox, Target::File("review.whymark".into())).pressed("6j");
    for (keys, mode) in [("gr", " WRITE "), ("esc gx", " REVIEW "), ("gm", " WRITE ")] {
        screen = check(screen, keys, &["read-only: ", "review.whymark is write-protected", mode], File::Same);
    }
    assert_eq!(on_disk(&screen, "review.mb"), RECORDS);
}

/// The records of `text` over the files of a repository.
fn walked(text: &str) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("a file.txt", "one\ntwo\r\n\n@note file\nfive");
    sandbox.write("lib/b.rs", "fn b() {}\n");
    sandbox.write("notes/all.mb", text);
    Screen::open(sandbox, Target::Records("notes/all.mb".into()))
}

#[test]
fn the_records_of_a_file_are_walked_over_the_files_they_name() {
    let text = "@id r1\n@file ../lib/b.rs:1\n\nfn b() {}\n<<< short\n---\n\
        @id r2\n@file ../a file.txt:4-5\n\n@note file\nfive\n<<< as it was\n---\n\
        @id r3\n@file ../a file.txt:1-2\n\nzero\ntwo\n<<< moved on\n---\n\
        @id r4\n@file ../gone.txt:7\n\nwhat it said\n<<< about nothing\n---\n\
        @id r5\n@file ../../../etc/passwd <<< outside\n---\n@id r6\n@file https://x.org/a:3 <<< elsewhere\n";
    let screen = walked(text);
    screen.assert_shows(&[
        "all.mb",
        "lib/b.rs",
        "a file.txt",
        "gone.txt",
        "fn b() {}",
        "@note file",
        "¬root:",
        "outside",
        "elsewhere",
    ]);
    let screen = check(screen, "gg", &["╭─ ▪ markback r5", "│ outside", "│ on   ../../../etc/passwd"], File::Same);
    let screen = check(screen, "J J", &["╭─ ▪ markback r1", "│ short", "¬│ was "], File::Same);
    let screen = check(screen, "J", &["╭─ ▪ markback r3", "↯ lines gone", "│ was  zero", "│      two"], File::Same);
    let screen = check(screen, "J", &["╭─ ▪ markback r2", "│ as it was", "¬│ was "], File::Same);
    let screen = check(screen, "J", &["╭─ ▪ markback r4", "↯ lines gone", "│ was  what it said"], File::Same);
    check(screen, "J", &["no note further down"], File::Same);
}

#[test]
fn records_are_written_and_answered_in_the_file_that_is_walked() {
    let text = "@id r1\n@file ../lib/b.rs:1\n<<< short\n---\n@id r2\n@file https://x.org/a\n<<< elsewhere\n";
    let signed = "@by Ada Example\n@action created 2026-01-02T03:04:05Z Ada Example\n";
    for (keys, shown, added) in [
        ("j gr 'yes' enter", "↳ reply r3", format!("---\n@id r3\n@reply-to r1\n{signed}@file ../lib/b.rs:1 <<< yes\n")),
        (
            "gg gr 'no' enter",
            "↳ reply r3",
            format!("---\n@id r3\n@reply-to r2\n{signed}@file https://x.org/a <<< no\n"),
        ),
        (
            "j m 'more' enter",
            "▪ markback r3",
            format!("---\n@id r3\n{signed}@file ../lib/b.rs:1\n\nfn b() {{}}\n<<< more\n"),
        ),
    ] {
        let screen = check(walked(text), keys, &["saved to notes/all.mb", shown], File::Added(text, &added));
        assert_eq!(on_disk(&screen, "notes/all.mb"), text.to_owned() + &added);
    }
    for keys in ["a", "ga", "gA"] {
        check(walked(text), keys, &["this is a Markback file, and holds no whymark notes", "¬ WRITE "], File::Same);
    }
    check(walked(text), "V", &["these files are shown as they are"], File::Same);
}

#[test]
fn a_draft_never_becomes_a_note_in_a_markback_file() {
    let screen = walked("@file ../lib/b.rs:1 <<< short\n").pressed("j m 'my words'");
    let kept = screen.kept.clone();
    let mut screen = walked("@file ../a file.txt <<< other\n");
    screen.restore(kept);
    screen.assert_shows(&["lib/b.rs is gone", " my words "]);
    check(screen, "enter", &["not saved: this is a Markback file", " my words "], File::Same);
}

#[test]
fn a_sidecar_is_walked_over_its_file() {
    let sandbox = Sandbox::new();
    sandbox.write("lib/b.rs", "fn b() {}\n");
    sandbox.write("docs/x", "");
    sandbox.write("lib/b.rs.mb", "<<< on all of it\n---\n@file b.rs:1\n<<< on a line\n");
    let screen = Screen::open(sandbox, Target::Records("docs/../lib/b.rs.mb".into()));
    screen.assert_shows(&["on all of it", "on a line", "fn b() {}", "lib/b.rs  ¶1", "¬+0"]);
    let is_card = |row: &&String| row.contains("on a line");
    assert_eq!(screen.rows().iter().filter(is_card).count(), 1, "{}", screen.text());
}

#[cfg(unix)]
#[test]
fn records_that_cannot_be_written_stay_so_when_they_are_read_again() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    sandbox.write("x.txt", "one\ntwo\n");
    sandbox.write("x.txt.mb", "@id r1\n@file x.txt:1\n\none\n<<< better\n");
    set_permissions(sandbox.path("x.txt.mb"), Permissions::from_mode(0o444)).expect("it is ours");
    let mut screen = Screen::open(sandbox, Target::File("x.txt.mb".into()));
    screen.changed(true, false);
    check(screen, "R", &["  read-only  ", "¬no longer read-only"], File::Same);
}
