//! `whymark refresh` in real repositories.

use bstr::ByteSlice as _;

use crate::support::{Run, Sandbox};

const REVIEW: &str = "reviews/r.whymark";
const BEFORE: &str = "use std;\n\nfn first() {\n    one();\n}\n\nfn second() {\n    two();\n}\n";

/// A repository whose working tree has two lines more, and a review of them with notes.
fn reviewed() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", BEFORE);
    sandbox.commit("First");
    sandbox.write("src/a.rs", BEFORE.replace("    two();\n", "    two();\n    three();\n    four();\n"));
    assert_eq!(sandbox.run(&["new", "--stubs", "none", "-o", REVIEW]).code, 0);
    note(&sandbox, &["src/a.rs:+9..10", "--why", "three, then four"]);
    note(&sandbox, &["src/a.rs:+11", "--why", "its brace"]);
    note(&sandbox, &["file", "--why", "the file"]);
    note(&sandbox, &["doc", "--why", "all of it"]);
    sandbox
}

fn note(sandbox: &Sandbox, args: &[&str]) {
    let run = sandbox.run(&[&["note", REVIEW], args].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
}

fn refresh(sandbox: &Sandbox, args: &[&str]) -> Run {
    sandbox.run(&[&["refresh", REVIEW], args].concat())
}

fn said(run: &Run) -> &str {
    assert_eq!(run.stderr, "");
    run.stdout.to_str().unwrap()
}

fn text(sandbox: &Sandbox) -> String {
    String::from_utf8(sandbox.read(REVIEW)).unwrap()
}

/// The selectors of the notes in the file, in order.
fn selectors(sandbox: &Sandbox) -> Vec<String> {
    let text = text(sandbox);
    text.lines().filter_map(|line| Some(line.strip_prefix("@note ")?.split(' ').next()?.to_owned())).collect()
}

#[test]
fn without_a_change_nothing_changes() {
    let sandbox = reviewed();
    let before = text(&sandbox);
    for args in [&["--check"][..], &[], &["--worktree"]] {
        let run = refresh(&sandbox, args);
        assert_eq!((run.code, said(&run)), (0, "kept 4, moved 0, orphaned 0\n"), "{args:?}");
    }
    assert_eq!(text(&sandbox), before);
}

#[test]
fn notes_move_with_their_lines() {
    let sandbox = reviewed();
    let now = sandbox.read("src/a.rs").to_str().unwrap().replace("use std;\n", "use std;\nuse core;\n");
    sandbox.write("src/a.rs", &now);
    let before = text(&sandbox);
    let checked = refresh(&sandbox, &["--check"]);
    assert_eq!(checked.code, 1);
    assert_eq!(text(&sandbox), before, "--check writes nothing");
    let run = refresh(&sandbox, &[]);
    let want =
        "n2: src/a.rs:+9..10 -> src/a.rs:+10..11\nn3: src/a.rs:+11 -> src/a.rs:+12\nkept 2, moved 2, orphaned 0\n";
    assert_eq!((run.code, said(&run)), (0, want));
    assert_eq!(said(&checked), want);
    assert_eq!(selectors(&sandbox), ["doc", "+10..11", "+12", "file"]);
    assert_eq!(sandbox.run(&["validate", REVIEW]).code, 0);
    let patch = sandbox.run(&["patch", REVIEW]).stdout;
    sandbox.git(&["stash", "--quiet"]);
    sandbox.write("p", patch);
    sandbox.git(&["apply", "p"]);
    assert_eq!(sandbox.read("src/a.rs"), now.as_bytes(), "the diff is git's");
}

#[test]
fn what_is_gone_is_kept_and_comes_back() {
    let sandbox = reviewed();
    let with_lines = sandbox.read("src/a.rs");
    let before = text(&sandbox);
    sandbox.write("src/a.rs", BEFORE.replace("use std;", "use core;"));
    let run = refresh(&sandbox, &[]);
    let want = "n2: src/a.rs:+9..10 -> orphaned\nn3: src/a.rs:+11 -> orphaned\nkept 2, moved 0, orphaned 2\n";
    assert_eq!((run.code, said(&run)), (0, want));
    assert!(text(&sandbox).contains("orphaned-line: \"    three();\"\norphaned-line: \"    four();\"\n"));
    assert_eq!(said(&refresh(&sandbox, &["--check"])), "kept 2, moved 0, orphaned 2\n", "once is enough");
    let validated = sandbox.run(&["validate", REVIEW]);
    let found = validated.stdout.to_str_lossy().matches("note-orphaned").count();
    assert_eq!((validated.code, found), (0, 2), "{}", validated.stdout.as_bstr());
    sandbox.write("src/a.rs", with_lines);
    let back = refresh(&sandbox, &[]);
    assert!(said(&back).starts_with("n2: src/a.rs:+9..10 -> src/a.rs:+9..10 (its text is back)\n"), "{}", said(&back));
    assert_eq!(text(&sandbox), before, "as if nothing had been");
}

#[test]
fn a_file_that_is_not_in_the_diff_any_more_keeps_its_notes() {
    let sandbox = reviewed();
    sandbox.commit("Second");
    let run = refresh(&sandbox, &[]);
    assert_eq!((run.code, run.stderr.as_str()), (0, "note: no worktree changes\n"));
    assert!(run.stdout.ends_with_str("kept 1, moved 0, orphaned 3\n"), "{}", run.stdout.as_bstr());
    let text = text(&sandbox);
    let head = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
    assert!(text.contains(&format!("\nbase: HEAD@{head}\n")), "{text}");
    assert!(text.contains("\n@file src/a.rs context\n\n@note file\norphaned: +9..10\n"), "{text}");
    for why in ["three, then four", "its brace", "the file", "all of it"] {
        assert!(text.contains(&format!("why: {why}\n")), "{text}");
    }
}

#[test]
fn renames_are_followed_and_new_files_come() {
    let sandbox = reviewed();
    sandbox.git(&["mv", "src/a.rs", "src/b.rs"]);
    sandbox.write("new.txt", "new\n");
    let run = refresh(&sandbox, &[]);
    let want = "n2: src/a.rs:+9..10 -> src/b.rs:+9..10\nn3: src/a.rs:+11 -> src/b.rs:+11\nn4: src/a.rs:file -> src/b.rs:file\n\
                kept 1, moved 3, orphaned 0\n";
    assert_eq!((run.code, said(&run)), (0, want));
    let text = text(&sandbox);
    assert!(text.contains("\n@file src/b.rs renamed +2 -0 "), "{text}");
    assert!(text.contains(" from=src/a.rs"), "{text}");
    assert!(text.contains("\n\n@file new.txt added +1 -0 newsha="), "{text}");
    assert_eq!(refresh(&sandbox, &["--check"]).code, 0);
}

#[test]
fn what_people_wrote_around_stays() {
    let sandbox = reviewed();
    let edited = text(&sandbox)
        .replace("title: ", "# about this review\ntitle: ")
        .replace("\nbase: ", "\nmood: fine\nbase: ")
        .replace(
            "@file src/a.rs modified",
            "# first\n@check cmd `true` => pass\n\n@file src/a.rs lang=rust modified owner=me",
        );
    sandbox.write(REVIEW, edited.replace('\n', "\r\n") + "trailing");
    sandbox.write("src/a.rs", "// top\n".to_owned() + sandbox.read("src/a.rs").to_str().unwrap());
    assert_eq!(refresh(&sandbox, &[]).code, 0);
    let after = text(&sandbox);
    assert_eq!(after.matches('\n').count(), after.matches("\r\n").count(), "lines end as they did");
    for kept in [
        "# about this review\r\n",
        "mood: fine\r\n",
        "# first\r\n@check cmd `true` => pass\r\n",
        "lang=rust",
        "owner=me",
    ] {
        assert!(after.contains(kept), "{kept}: {after}");
    }
    assert!(after.ends_with("trailing"), "{after}");
    assert_eq!(selectors(&sandbox)[1], "+10..11");
}

#[test]
fn staged_branch_and_commit_reviews() {
    let sandbox = reviewed();
    sandbox.git(&["add", "src/a.rs"]);
    assert_eq!(sandbox.run(&["new", "--staged", "--stubs", "none", "-o", "s.whymark"]).code, 0);
    sandbox.git(&["switch", "--quiet", "--create", "topic"]);
    sandbox.commit("Topic");
    let branch = sandbox.run(&["new", "--branch", "main", "--stubs", "none", "-o", "b.whymark"]);
    assert_eq!(branch.code, 0, "{}", branch.stderr);
    assert_eq!(sandbox.run(&["new", "--commit", "--stubs", "none", "-o", "c.whymark"]).code, 0);
    assert_eq!(sandbox.run(&["new", "--range", "main..topic", "--stubs", "none", "-o", "d.whymark"]).code, 0);
    for name in ["b.whymark", "c.whymark", "d.whymark"] {
        let run = sandbox.run(&["refresh", name, "--check"]);
        assert_eq!((run.code, said(&run)), (0, "kept 0, moved 0, orphaned 0\n"), "{name}");
    }
    // The branch is looked at from elsewhere, and has gone on.
    sandbox.write("more.txt", "more\n");
    sandbox.git(&["add", "more.txt"]);
    sandbox.git(&["commit", "--quiet", "-m", "More"]);
    let tip = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
    sandbox.git(&["switch", "--quiet", "main"]);
    assert_eq!(sandbox.run(&["refresh", "b.whymark"]).code, 0);
    let text = String::from_utf8(sandbox.read("b.whymark")).unwrap();
    assert!(text.contains(&format!("\nhead: topic@{tip}\n")) && text.contains("@file more.txt added"), "{text}");
    assert!(text.contains("\nscope: branch\n"), "{text}");
    assert_eq!(sandbox.run(&["refresh", "c.whymark", "--check"]).code, 0, "a commit stays what it is");
}

#[test]
fn json_names_every_note() {
    let sandbox = reviewed();
    sandbox.write("src/a.rs", "// top\n".to_owned() + sandbox.read("src/a.rs").to_str().unwrap());
    let run = refresh(&sandbox, &["--json", "--check"]);
    let shown: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(run.code, 1);
    assert_eq!(
        (shown["kept"].as_u64(), shown["moved"].as_u64(), shown["orphaned"].as_u64()),
        (Some(2), Some(2), Some(0))
    );
    let moved = &shown["notes"][1];
    let want = serde_json::json!({
        "id": "n2", "fate": "moved",
        "from": {"path": "src/a.rs", "selector": "+9..10"},
        "to": {"path": "src/a.rs", "selector": "+10..11"},
    });
    assert_eq!(moved, &want);
}

#[test]
fn what_cannot_be_refreshed() {
    let sandbox = reviewed();
    for (text, args, message) in [
        (
            "---\nwhymark: 1\ntitle: x\n---\n",
            &[][..],
            "r.whymark does not say which changes it is about\n  try: name them: ",
        ),
        ("---\nscope: manual\n---\n", &[], "does not say which changes"),
        ("---\nscope: commit\nhead: x@1234567\n---\n", &[], "`1234567` is no commit of this repository"),
        ("---\n{scope: worktree}\n---\n", &[], "cannot refresh reviews/r.whymark: `base` cannot be changed"),
        ("", &["--staged", "--worktree"], "cannot be used with"),
    ] {
        sandbox.write(REVIEW, text);
        let run = refresh(&sandbox, args);
        assert_eq!(run.code, 2, "{text:?}: {}", run.stdout.as_bstr());
        assert!(run.stderr.contains(message), "{text:?}: {}", run.stderr);
        assert_eq!(sandbox.read(REVIEW), text.as_bytes());
    }
    let run = sandbox.run(&["refresh", "nowhere.whymark"]);
    assert_eq!(run.code, 2);
    assert!(!sandbox.path("nowhere.whymark").exists());
}
