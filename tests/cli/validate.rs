//! `whymark validate`: findings, formats, exit codes, and what it knows of the repository.

use bstr::ByteSlice;
use serde_json::Value;

use super::changed;
use crate::support::{Run, Sandbox};

const FINE: &str = "---\nwhymark: 1\ntitle: x\nsummary: It is.\n---\n@file a.txt\n@@ -1 +1 @@\n-one\n+two\n\n\
    @note +1\nwhy: two is more\nsource: inference\nverify: none\n";

fn json(run: &Run) -> Value {
    serde_json::from_slice(&run.stdout).expect("it is JSON")
}

/// The codes that are reported about `text`.
fn codes(sandbox: &Sandbox, text: &str, args: &[&str]) -> Vec<String> {
    sandbox.write("r.whymark", text);
    let run = sandbox.run(&[&["validate", "--json", "r.whymark"], args].concat());
    let found = json(&run)[0]["diagnostics"].as_array().unwrap().clone();
    found.iter().map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn exit_codes_and_totals() {
    let sandbox = Sandbox::empty();
    for (text, args, code) in [
        (FINE, &[][..], 0),
        (FINE, &["--strict"], 0),
        (&FINE.replace("why: two is more\n", ""), &[], 0),
        (&FINE.replace("why: two is more\n", ""), &["--strict"], 1),
        (&FINE.replace("@note +1", "@note +2"), &[], 1),
        (FINE, &["--min-coverage", "1"], 0),
        (&FINE.replace("@note +1", "@note file"), &["--min-coverage", "0.5"], 1),
        (FINE, &["--min-coverage", "abc"], 2),
        (FINE, &["--min-coverage", "1.5"], 2),
        (FINE, &["--min-coverage", "NaN"], 2),
        (FINE, &["nowhere"], 2),
        (FINE, &["--json", "--format", "text"], 2),
    ] {
        sandbox.write("r.whymark", text);
        let run = sandbox.run(&[&["check", "r.whymark", "--no-staleness"], args].concat());
        assert_eq!(run.code, code, "{args:?}: {}{}", run.stdout.as_bstr(), run.stderr);
    }
    sandbox.write("r.whymark", FINE);
    sandbox.write("s.whymark", "");
    let run = sandbox.run(&["validate", "--json", "--no-staleness", "r.whymark", "s.whymark"]);
    let all = json(&run);
    assert_eq!((all[0]["ok"].as_bool(), all[1]["ok"].as_bool()), (Some(true), Some(false)));
    assert_eq!((all[0]["path"].as_str(), all[0]["stats"]["covered"].as_u64()), (Some("r.whymark"), Some(1)));
    assert_eq!((all[1]["errors"].as_u64(), all[1]["warnings"].as_u64()), (Some(2), Some(1)));
    assert!(run.stdout.starts_with(b"[\n  {\n    \"path\""), "indented by two");
}

#[test]
fn ten_mistakes_say_what_to_do() {
    let sandbox = Sandbox::empty();
    for (from, to, want) in [
        (
            "---\nwhymark",
            "whymark",
            "error[frontmatter-missing]: The first line must be `---`, with the metadata below it",
        ),
        ("whymark: 1\n", "", "error[version-missing]: State the version of the format: `whymark: 1`."),
        ("title: x", "title: Fix: x", "1 | title: Fix: x"),
        ("@file a.txt", "@file", "error[file-path-missing]: This line names no file: `@file <path>`."),
        ("@@ -1 +1 @@", "@@ -1,3 +1 @@", "says -3 +1 lines, there are -1 +1."),
        ("@note +1", "@note +7..9", "No line of `+7..9` is in the diff, whose new side has lines 1."),
        ("@note +1", "@note +one", "`+one` is no selector: write `+42`"),
        ("@note +1", "@note +1 kind=why", "`why` is no value of `kind`, and is kept as text: it is one of intent,"),
        ("why: two is more", "why: TODO", "warning[note-stub]: `TODO` says that this note is not written yet."),
        ("verify: none", "verify: type -> green", "“green” is no status: write pass, fail, unknown or skipped"),
        ("verify: none", "verify: cmd => pass", "A command is said to pass, but not which."),
        ("two\n\n", "two\nmore\n\n", "This line belongs to nothing"),
        ("@file a.txt", "@file a.txt newsha=1 nwsha=2", "`nwsha=2` means nothing: the keys are from, oldsha, newsha"),
    ] {
        let text = FINE.replacen(from, to, 1);
        assert_ne!(text, FINE);
        sandbox.write("r.whymark", text);
        let run = sandbox.run(&["validate", "--no-staleness", "r.whymark"]);
        let shown = run.stdout.to_str_lossy();
        let said = shown.contains(want) || shown.replace("3 | ", "1 | ").contains(want);
        assert!(said && shown.contains('^'), "{to}: {shown}");
    }
}

#[test]
fn carets_stand_under_what_is_wrong() {
    let sandbox = Sandbox::empty();
    sandbox.write("r.whymark", FINE.replace("@note +1\n", "@note +2 risk=low\n").replace("+two", "+t\u{1b}wo"));
    let run = sandbox.run(&["validate", "--no-staleness", "r.whymark"]);
    let want = "error[selector-out-of-range]: No line of `+2` is in the diff, whose new side has lines 1.\n  \
        --> r.whymark:11:7\n   |\n11 | @note +2 risk=low\n   |       ^^\n   = in note n1 of a.txt\n\n\
        r.whymark: not ok (1 error; 0 of 1 added lines covered)\n";
    assert_eq!((run.code, run.stdout.as_bstr()), (1, want.as_bytes().as_bstr()));
    let colored = sandbox.run(&["--color", "always", "validate", "--no-staleness", "r.whymark"]);
    assert!(colored.stdout.starts_with(b"\x1b[31merror[selector-out-of-range]\x1b[0m"));
}

#[test]
fn other_programs_get_their_format() {
    let sandbox = Sandbox::empty();
    sandbox.write("a b.whymark", FINE.replace("@note +1", "@note +2").replace("@file a.txt", "@file a.txt Added"));
    let run = sandbox.run(&["validate", "--no-staleness", "--format", "github", "a b.whymark"]);
    let line = "::error file=a b.whymark,line=11,col=7,endColumn=9,title=selector-out-of-range::No line of `+2`";
    assert!(run.stdout.contains_str(line), "{}", run.stdout.as_bstr());
    let log = json(&sandbox.run(&["validate", "--no-staleness", "--format", "sarif", "a b.whymark"]));
    let run = &log["runs"][0];
    assert_eq!((log["version"].as_str(), run["tool"]["driver"]["name"].as_str()), (Some("2.1.0"), Some("whymark")));
    let results = run["results"].as_array().unwrap();
    for result in results {
        let rule = &run["tool"]["driver"]["rules"][usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"]);
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "a%20b.whymark");
        assert!(place["region"]["startLine"].as_u64() > Some(0));
    }
    let fix = &results[0]["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(
        (fix["insertedContent"]["text"].as_str(), fix["deletedRegion"]["byteLength"].as_u64()),
        (Some("added"), Some(5))
    );
}

#[test]
fn mends_change_the_file_and_nothing_else() {
    let sandbox = Sandbox::empty();
    let text = FINE.replace("title: x", "title: Fix: x").replace("+two\n", "+two\n+three\n").replace('\n', "\r\n");
    sandbox.write("r.whymark", &text);
    let run = sandbox.run(&["validate", "--no-staleness", "--fix", "r.whymark"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, "note: r.whymark: 2 findings mended\n"));
    let want = text.replace("title: Fix: x", "title: \"Fix: x\"").replace("-1 +1 @@", "-1 +1,2 @@");
    assert_eq!(sandbox.read("r.whymark").as_bstr(), want.as_bytes().as_bstr());
    assert_eq!(sandbox.run(&["validate", "--fix", "nowhere"]).code, 2);
    assert!(!sandbox.path("nowhere").exists());
    assert_eq!(sandbox.run(&["validate", "--fix", "-"]).code, 2);
}

#[test]
fn a_review_goes_stale_with_its_files() {
    let sandbox = changed();
    assert_eq!(sandbox.run(&["new", "--staged", "-o", "none.whymark"]).code, 2);
    let review = sandbox.run(&["new", "-o", "-"]).stdout.to_str_lossy().into_owned();
    let stale = |text: &str| {
        let codes = codes(&sandbox, text, &[]);
        let of_interest = ["review-stale", "file-missing", "source-unavailable"];
        codes.into_iter().filter(|code| of_interest.contains(&code.as_str())).collect::<Vec<_>>()
    };
    assert_eq!(stale(&review), [""; 0]);
    sandbox.write("a.txt", "three\n");
    assert_eq!(stale(&review), ["review-stale"]);
    assert_eq!(stale(&review.replace("scope: worktree", "scope: commit")), [""; 0]);
    std::fs::remove_file(sandbox.path("a.txt")).unwrap();
    assert_eq!(stale(&review), ["file-missing"]);
    assert_eq!(codes(&sandbox, &review, &["--no-staleness"]).iter().filter(|code| *code == "file-missing").count(), 0);
    sandbox.write("a.txt", "two\n");
    let old = review.split("oldsha=").nth(1).unwrap()[..7].to_owned();
    assert_eq!(stale(&review.replace(&old, "1234567")), ["review-stale"], "the base is looked at too");
    let head = sandbox.git_line(&["rev-parse", "--short", "HEAD"]);
    let sources = format!(
        "{review}\n@note file\nwhy: x\nsource: file:a.txt:1\nsource: file:../a\nsource: file:a.txt:2\n\
        source: file:/etc/passwd\nsource: commit:{head}\nsource: commit:1234567\nverify: none\n"
    );
    assert_eq!(stale(&sources), ["source-unavailable"; 4]);
    let run = Sandbox::empty();
    run.write("r.whymark", FINE);
    assert!(run.run(&["validate", "r.whymark"]).stderr.starts_with("note: no git repository here"));
}

#[cfg(unix)]
#[test]
fn nothing_outside_the_repository_is_looked_at() {
    let sandbox = changed();
    std::fs::write(sandbox.home().join("secret"), "x\n").unwrap();
    std::os::unix::fs::symlink(sandbox.home(), sandbox.path("out")).unwrap();
    let text = format!("{FINE}source: file:out/secret\n@file out/secret newsha=587be6b\n");
    let codes = codes(&sandbox, &text, &[]);
    assert!(
        ["file-missing", "source-unavailable"].iter().all(|code| codes.iter().any(|found| found == code)),
        "{codes:?}"
    );
}
