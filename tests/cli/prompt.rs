//! `whymark prompt` and `whymark help`: one text about notes, and the changes where nothing can break out of them.

use bstr::ByteSlice;

use super::changed;
use crate::support::Sandbox;

fn prompt(sandbox: &Sandbox, args: &[&str]) -> (String, String) {
    let run = sandbox.run(&[&["prompt"], args].concat());
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    (run.stdout.to_str_lossy().into_owned(), run.stderr)
}

#[test]
fn it_holds_the_guide_and_the_review_to_be_written() {
    let sandbox = changed();
    let (text, said) = prompt(&sandbox, &["worktree", "--title", "Say two", "--check", "make test"]);
    let guide = sandbox.run(&["help", "annotate"]).stdout;
    let guide = guide.to_str().unwrap().split("\n\n`whymark note --help`").next().unwrap();
    assert!(text.contains(guide) && said.is_empty(), "{said}");
    for part in [
        "Write the review to `reviews/say-two.whymark`",
        "`whymark validate reviews/say-two.whymark`",
        "\n```whymark\n---\nwhymark: 1\ntitle: Say two\n",
        "  - cmd: make test\n",
        "\n-one\n+two\n\n@note +1 kind=intent\nwhy: TODO",
        "\n```\n",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    assert!(!text.contains("{{"), "{text}");
    assert!(!sandbox.path("reviews").exists(), "nothing is written");
    assert!(prompt(&sandbox, &["-o", "it's.whymark"]).0.contains("`whymark validate 'it'\\''s.whymark'`"));
}

#[test]
fn nothing_in_the_changes_ends_their_block_or_is_replaced() {
    let sandbox = changed();
    sandbox.write("a.txt", "x ````` $& {{guide}} {{skeleton}}\n\r```\n```\n");
    let (text, _) = prompt(&sandbox, &[]);
    let block = text.split("\n``````whymark\n").nth(1).expect("the fence is longer than any in the change");
    let (inside, after) = block.split_once("\n``````\n").expect("the block ends");
    assert!(inside.contains("\n+x ````` $& {{guide}} {{skeleton}}\n+\r```\n+```\n") && after.is_empty(), "{inside}");
}

#[test]
fn a_template_of_ones_own() {
    let sandbox = changed();
    sandbox.write("mine.md", "Do {{path}}.\n{{skeleton}}\n{{other}}\n");
    let (text, _) = prompt(&sandbox, &["--template", "mine.md", "--path", "a.txt"]);
    assert!(text.starts_with("Do reviews/worktree-main.whymark.\n```whymark\n---\n"), "{text}");
    assert!(text.ends_with("```\n{{other}}\n"), "{text}");
    sandbox.write("none.md", "nothing");
    for (args, message) in [
        (&["--template", "none.md"][..], "the template none.md has no `{{skeleton}}`"),
        (&["--template", "nowhere.md"], "cannot read nowhere.md"),
        (&["--staged"], "no staged changes"),
        (&["-o", "mine.md"], "mine.md is no review"),
        (&["staged", "--staged"], "cannot be used with"),
    ] {
        let run = sandbox.run(&[&["prompt"], args].concat());
        assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()), "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
    }
}

/// What somebody has written is given to the agent to go on with, not left out for it to overwrite.
#[test]
fn a_review_that_is_there_is_gone_on_with() {
    let sandbox = changed();
    let review = "reviews/worktree-main.whymark";
    assert_eq!(sandbox.run(&["new", "--worktree"]).code, 0);
    assert_eq!(sandbox.run(&["note", review, "a.txt:+1", "--why", "two is more"]).code, 0);
    let (text, said) = prompt(&sandbox, &["worktree"]);
    assert!(text.contains("@note +1\nwhy: two is more\n"), "{text}");
    assert_eq!(said, format!("note: {review} is there already, for the agent to go on with\n"));
    sandbox.write("a.txt", "three\n");
    let (text, said) = prompt(&sandbox, &["worktree"]);
    assert!(text.contains("why: two is more\n") && said.contains("1 file has changed since"), "{said}");
    sandbox.commit("Second");
    sandbox.write("a.txt", "four\n");
    let (text, said) = prompt(&sandbox, &["worktree"]);
    assert!(text.contains("worktree-main-2.whymark") && text.contains("\n+four\n") && said.is_empty(), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_in_the_repository_does_not_put_other_files_into_it() {
    let sandbox = changed();
    std::fs::write(sandbox.home().join("secret"), "@file a\nsecret\n").unwrap();
    std::fs::create_dir(sandbox.path("reviews")).unwrap();
    for (name, args) in [("say-two", &["--title", "Say two"][..]), ("worktree-main", &[])] {
        std::os::unix::fs::symlink(sandbox.home().join("secret"), sandbox.path(format!("reviews/{name}.whymark")))
            .unwrap();
        let run = sandbox.run(&[&["prompt"], args].concat());
        assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()), "{args:?}");
        assert!(run.stderr.contains("leads out of"), "{}", run.stderr);
    }
}

#[test]
fn help_explains_commands_and_notes() {
    let sandbox = Sandbox::empty();
    let out = |args: &[&str]| {
        let run = sandbox.run(args);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{args:?}");
        run.stdout
    };
    for topic in ["annotate", "fields", "note", "notes"] {
        assert!(out(&["help", topic]).contains_str("@note +19..20 kind=risk"), "{topic}");
    }
    for command in ["new", "init", "validate", "check", "help"] {
        assert_eq!(out(&["help", command]), out(&[command, "--help"]), "{command}");
    }
    assert_eq!(out(&["help"]), out(&[]));
    assert_eq!(out(&["version"]), out(&["--version"]));
    let run = sandbox.run(&["help", "frobnicate"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (2, b"".as_bstr()));
}
