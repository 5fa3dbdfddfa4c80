//! `whymark mb` and the program `mb`: what they print, what they write, and what they leave alone.

use std::io::Write as _;
use std::process::{Output, Stdio};

use bstr::ByteSlice;
use serde_json::Value;

use crate::support::Sandbox;

/// Two records with an id each, canonical, about files that are there.
const TEXT: &str = "@id one\n@by ann\n@tag a b\n@file ./x.txt:1\n\nx\n<<< first\n---\n@id two\n@by ben\n@tag b\n<<< \"\"\"\ntwo\nlines\n\"\"\"\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::empty();
    sandbox.write("x.txt", "x\n");
    sandbox.write("r.mb", TEXT);
    sandbox
}

/// A run as `mb`, by a link of that name.
fn mb(sandbox: &Sandbox, args: &[&str], input: &str) -> Output {
    let link = sandbox.home().join("mb");
    if !link.exists() {
        #[cfg(unix)]
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_whymark"), &link).unwrap();
        #[cfg(not(unix))]
        std::fs::copy(env!("CARGO_BIN_EXE_whymark"), &link).unwrap();
    }
    let mut command = sandbox.command(&link, &sandbox.repo());
    let mut child =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // It may not want any input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Runs in a fresh sandbox: arguments, exit code, standard output, a part of standard error.
fn check(runs: &[(&[&str], i32, &str, &str)]) {
    for (args, code, stdout, stderr) in runs {
        let run = sandbox().run(&[&["mb"], *args].concat());
        assert_eq!((run.code, run.stdout.to_str_lossy().as_ref()), (*code, *stdout), "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(stderr) && run.stderr.is_empty() == stderr.is_empty(), "{args:?}: {}", run.stderr);
    }
}

#[test]
fn what_is_printed() {
    let canonical = format!("%markback 2\n\n{TEXT}");
    check(&[
        (&["lint", "r.mb"], 0, "Records: 2\nErrors: 0\nWarnings: 0\n", ""),
        (&["lint"], 0, "Records: 0\nErrors: 0\nWarnings: 0\n", ""),
        (
            &["lint", "r.mb", "gone.mb"],
            1,
            "gone.mb: E006 cannot read gone.mb: no such file or directory\n\nFiles: 2\nRecords: 2\nErrors: 1\nWarnings: 0\n",
            "",
        ),
        (
            &["lint", "--sidecar", "x.txt"],
            0,
            "x.txt: W007 the file has no sidecar\n\nRecords: 0\nErrors: 0\nWarnings: 1\n",
            "",
        ),
        (&["list", "r.mb"], 0, "  1. [one] first\n  2. [two] two\nlines\nTotal: 2 record(s)\n", ""),
        (
            &["list", "r.mb", "."],
            0,
            "  1. [one] first\n  2. [two] two\nlines\n  3. [one] first\n  4. [two] two\nlines\nTotal: 4 record(s)\n",
            "",
        ),
        (&["list", "gone.mb"], 1, "Total: 0 record(s)\n", "cannot read gone.mb"),
        (&["list", "--sidecar", "x.txt"], 1, "Total: 0 record(s)\n", "x.txt has no sidecar"),
        (
            &["stats", "r.mb"],
            0,
            "Records: 2\n  With @file: 1\n  With inline content: 1\n  With @input: 0\nTags:\n  b: 2\n  a: 1\nReviewers:\n  ann: 1\n  ben: 1\n",
            "",
        ),
        (&["normalize", "r.mb"], 0, &canonical, ""),
        (&["normalize"], 1, "", "no file is named"),
        (&["normalize", "gone.mb"], 2, "", "cannot read gone.mb"),
        (&["normalize", "--in-place", "gone.mb"], 2, "", "cannot read gone.mb"),
        (&["convert", "r.mb", "--to", "multi"], 1, "", "--to and -o are needed"),
        (&["convert", "r.mb", "--to", "odd", "-o", "o.mb"], 1, "", "`odd` is no layout"),
        (&["convert", "r.mb", "--to", "single", "-o", "o.mb"], 1, "", "holds 2 records, and `single` is for one"),
        (&["upgrade", "r.mb"], 0, "  r.mb: already V2 format\n", ""),
        (&["upgrade"], 1, "", "no file is named"),
        (&["sweep", "r.mb"], 0, "No `%covers`: the file does not say what was looked at.\n", ""),
        (&["sweep", "--json", "r.mb"], 0, "{\n  \"covered\": [],\n  \"clean\": null\n}\n", ""),
        (&["frobnicate"], 2, "", "unrecognized subcommand"),
        (&["lint", "--odd"], 2, "", "unexpected argument '--odd'"),
    ]);
}

#[test]
fn findings_have_line_and_column() {
    let sandbox = sandbox();
    sandbox.write("deep/er/y.mb", "@id \u{e9} \n@od\u{1b}d x\n<<< y\n");
    std::fs::create_dir(sandbox.path("deep/folder.mb")).unwrap();
    let run = sandbox.run(&["mb", "lint", "--no-canonical-check", "deep"]);
    let lines = "deep/er/y.mb:1:6: W004 blanks at the end of the line\n\
        deep/er/y.mb:2:1: E006 `@od^[d x` is no header: write `@keyword value`, in lower case\n\n\
        Records: 1\nErrors: 1\nWarnings: 1\n";
    assert_eq!((run.code, run.stdout.to_str_lossy().as_ref()), (1, lines));
    let run = sandbox.run(&["mb", "lint", "--json", "deep", "x.txt"]);
    let report: Value = serde_json::from_slice(&run.stdout).unwrap();
    let summary = serde_json::json!({"files": 2, "records": 1, "errors": 2, "warnings": 1, "files_with_errors": 2, "files_with_warnings": 1});
    assert_eq!(report["summary"], summary);
    let first = &report["diagnostics"][0];
    assert_eq!(
        (&first["line"], &first["column"], &first["severity"], &first["record_index"]),
        (&1.into(), &6.into(), &"warning".into(), &Value::Null)
    );
}

#[test]
fn records_as_json() {
    let sandbox = sandbox();
    sandbox.write("y.mb", "@x 1\n@x 2\n@y 3\n@action done t a b\n<<< y\n");
    let run = sandbox.run(&["mb", "list", "--json", "y.mb"]);
    let want = serde_json::json!([{
        "id": null, "by": null, "reply_to": null, "file": null, "input": null, "tags": [],
        "actions": [{"verb": "done", "timestamp": "t", "actor": "a b"}],
        "content": null, "feedback": "y", "metadata": {"x": ["1", "2"], "y": "3"},
    }]);
    assert_eq!(serde_json::from_slice::<Value>(&run.stdout).unwrap(), want);
    sandbox.write("z.mb", "\u{fffd}".as_bytes().split_at(1).0);
    let run = sandbox.run(&["mb", "list", "z.mb", "y.mb"]);
    assert_eq!((run.code, run.stdout.to_str_lossy().as_ref()), (1, "  1. [record-1] y\nTotal: 1 record(s)\n"));
    assert_eq!(run.stderr, "error: z.mb is not UTF-8\n");
}

#[test]
fn a_sidecar_goes_by_the_name_of_its_file() {
    let sandbox = sandbox();
    sandbox.write("x.txt.mb", "<<< y\n---\n@id i\n<<< z\n");
    sandbox.write("p.png", "");
    sandbox.write("p.label.txt", "<<< old\n");
    sandbox.write("p.feedback.txt", "<<< older\n");
    for (args, want) in [
        (&["x.txt.mb"][..], "  1. [x.txt] y\n  2. [i] z\n"),
        (&["--sidecar", "x.txt"], "  1. [x.txt] y\n  2. [i] z\n"),
        (&["--sidecar", "p.png"], "  1. [record-1] old\n"),
    ] {
        let run = sandbox.run(&[&["mb", "list"], args].concat());
        assert!(run.stdout.starts_with_str(want), "{args:?}: {}", run.stdout.as_bstr());
    }
}

#[test]
fn files_are_rewritten_in_their_own_line_ends_or_not_at_all() {
    let old = "@uri one\r\n@source x.txt\r\n<<<  y\r\n";
    let new = "%markback 2\r\n\r\n@id one\r\n@file x.txt <<< y\r\n";
    for (args, code, stdout, stderr, want) in [
        (&["upgrade", "."][..], 0, "  ./r.mb: already V2 format\n", "  Upgraded ./old.mb\n", new),
        (&["upgrade", "--dry-run", "old.mb"], 0, "  old.mb: 2 V1 header(s) to upgrade\n", "", old),
        (&["normalize", "--in-place", "old.mb"], 0, "", "", new),
        (&["normalize", "--in-place", "-o", "out.mb", "old.mb"], 0, "", "", old),
        (
            &["convert", "--to", "compact", "-o", "old.mb", "old.mb"],
            0,
            "",
            "Converted 1 record(s) to compact format\n",
            &new[15..],
        ),
    ] {
        let sandbox = sandbox();
        sandbox.write("old.mb", old);
        let run = sandbox.run(&[&["mb"], args].concat());
        let got = (run.code, run.stdout.to_str_lossy().into_owned(), run.stderr);
        assert_eq!(got, (code, stdout.to_owned(), stderr.to_owned()), "{args:?}");
        assert_eq!(sandbox.read("old.mb").as_bstr(), want, "{args:?}");
        assert_eq!(sandbox.read("r.mb").as_bstr(), TEXT, "{args:?}");
    }
    let broken = "@uri one\n<<< y\n---\nunfinished\n";
    for args in [
        &["upgrade", "old.mb"][..],
        &["upgrade", "--dry-run", "old.mb"],
        &["normalize", "--in-place", "old.mb"],
        &["normalize", "old.mb"],
        &["convert", "--to", "multi", "-o", "out.mb", "old.mb"],
    ] {
        let sandbox = sandbox();
        sandbox.write("old.mb", broken);
        let run = sandbox.run(&[&["mb"], args].concat());
        assert_eq!((run.code, run.stdout.as_bstr()), (1, "".into()), "{args:?}");
        assert!(run.stderr.contains("old.mb has errors, and nothing is written\n  try: "), "{args:?}: {}", run.stderr);
        assert_eq!(sandbox.read("old.mb").as_bstr(), broken, "{args:?}");
        assert!(!sandbox.path("out.mb").exists(), "{args:?}");
    }
}

#[test]
fn the_file_headers_survive_a_conversion() {
    let sandbox = sandbox();
    sandbox.write("s.mb", "%owner me\n%scope a\n%covers *.txt\n@file f\n\nx\n<<< 1\n\ny\n<<< 2\n---\n@file g\n<<< 3\n");
    let top = "%scope a\n%covers *.txt\n%owner me\n\n";
    for (to, want) in [
        ("multi", "@file f\n\nx\n<<< 1\n\ny\n<<< 2\n---\n@file g\n<<< 3\n"),
        ("compact", "@file f\n\nx\n<<< 1\n\ny\n<<< 2\n---\n@file g <<< 3\n"),
    ] {
        assert_eq!(sandbox.run(&["mb", "convert", "s.mb", "--to", to, "-o", "out.mb"]).code, 0);
        assert_eq!(sandbox.read("out.mb").as_bstr(), format!("{top}{want}").as_str(), "{to}");
    }
    let expanded = sandbox.run(&["mb", "normalize", "--expand", "s.mb"]).stdout;
    let want = format!("%markback 2\n{top}@file f\n\nx\n<<< 1\n---\n@file f\n\ny\n<<< 2\n---\n@file g\n<<< 3\n");
    assert_eq!(expanded.as_bstr(), want.as_str());
}

#[test]
fn feedback_on_one_file_goes_into_its_sidecar() {
    for (args, file, want) in [
        (&["x.txt", "good"][..], "x.txt.mb", "@file ./x.txt\n\nx\n<<< good\n"),
        (&["x.txt:1", "-f", "good"], "x.txt.mb", "@file ./x.txt:1\n\nx\n<<< good\n"),
        (
            &["d/none.png", "--tag", " a  b", "--by", "ann", "--input", "x.txt:3", "-f", "a; b"],
            "d/none.png.mb",
            "@by ann\n@tag a b\n@input ../x.txt:3\n@file ./none.png <<< a; b\n",
        ),
        (&["d/front.md", "ok"], "d/front.md.mb", "@file ./front.md <<< ok\n"),
        (&["d/latin1.txt", "ok"], "d/latin1.txt.mb", "@file ./latin1.txt <<< ok\n"),
        (&["d/we[i]rd", "ok\nok"], "d/we[i]rd.mb", "@file ./we[i]rd\n\n@x\n<<< \"\"\"\nok\nok\n\"\"\"\n"),
        (
            &["https://x.org/a/b.html?q:1", "--input", "https://x.org", "ok"],
            "b.html.mb",
            "@input https://x.org\n@file https://x.org/a/b.html?q <<< ok\n",
        ),
    ] {
        let sandbox = sandbox();
        sandbox.write("d/front.md", "---\ntitle: x\n---\n");
        sandbox.write("d/latin1.txt", b"caf\xe9");
        sandbox.write("d/we[i]rd", "@x\n");
        let run = sandbox.run(&[&["mb", "annotate"], args].concat());
        assert_eq!((run.code, run.stderr.as_str()), (0, format!("Wrote feedback to {file}\n").as_str()), "{args:?}");
        let text = sandbox.read(file).to_str_lossy().replace("?q <<<", "?q:1 <<<").replace("?q:1:1", "?q:1");
        assert_eq!(text, want.replace("?q <<<", "?q:1 <<<"), "{args:?}");
        let lint = sandbox.run(&["mb", "lint", file]);
        assert!(lint.stdout.contains_str("Errors: 0"), "{args:?}: {}", lint.stdout.as_bstr());
    }
}

#[test]
fn what_is_in_a_sidecar_stays_as_it_is() {
    for before in [
        "%markback 2\r\n%odd x\r\n\r\n@odd y\r\n<<<  x",
        "unfinished\n",
        "@file y <<< x\n",
        "\n\n<<<   x\n\n\n",
        "\u{feff}",
    ] {
        let sandbox = sandbox();
        sandbox.write("x.txt.mb", before);
        assert_eq!(sandbox.run(&["mb", "annotate", "x.txt", "more"]).code, 0);
        let text = sandbox.read("x.txt.mb");
        assert!(text.starts_with(before.as_bytes()) && text.contains_str("<<< more"), "{}", text.as_bstr());
    }
    for (before, args, message) in [
        ("<<< \"\"\"\nopen\n", &["x.txt", "more"][..], "a fence that is never closed"),
        ("x\n<<< y\n", &["x.txt", ""], "the feedback is empty"),
        ("x\n<<< y\n", &["x.txt", "-f", "a\n\"\"\"\nb"], "only `\"\"\"`"),
        ("x\n<<< y\n", &["x.txt", "-f", "a", "--by", "b\n@id c"], "--by takes one line of text"),
        ("x\n<<< y\n", &["x.txt", "-f", "a", "--tag", "b\n@id"], "--tag takes one line of text"),
        ("x\n<<< y\n", &["nowhere/y", "-f", "a"], "nowhere is not there"),
        ("x\n<<< y\n", &["*.none", "-f", "a"], "no file matches `*.none`"),
    ] {
        let sandbox = sandbox();
        sandbox.write("x.txt.mb", before);
        let run = sandbox.run(&[&["mb", "annotate"], args].concat());
        assert_eq!(run.code, 1, "{args:?}");
        assert!(run.stderr.starts_with("error: ") && run.stderr.contains(message), "{args:?}: {}", run.stderr);
        assert_eq!(sandbox.read("x.txt.mb").as_bstr(), before, "{args:?}");
        assert!(!sandbox.path("nowhere").exists());
    }
}

#[test]
fn feedback_on_several_files_goes_into_a_new_file() {
    let sandbox = sandbox();
    sandbox.write("d/b.txt", "");
    sandbox.write("d/a.txt", "");
    sandbox.write("d/c.md", "");
    sandbox.write("d/feedback.mb", "<<< mine\n");
    for (args, file, want) in [
        (
            &["d/*.txt", "-f", "fine", "--scope", "a  b", "--covers", "*"][..],
            "d/feedback-1.mb",
            "%markback 2\n%scope a b\n%covers *\n\n@file ./a.txt <<< fine\n@file ./b.txt <<< fine\n",
        ),
        (
            &["d/b.txt:2", "x.txt", "gone", "-f", "fine"],
            "feedback.mb",
            "%markback 2\n\n@file ./d/b.txt:2\n<<< fine\n---\n@file ./x.txt\n\nx\n<<< fine\n---\n@file ./gone\n<<< fine\n",
        ),
        (
            &["x.txt", "gone", "-f", "fine", "--by", "b"],
            "feedback-1.mb",
            "%markback 2\n\n@by b\n@file ./x.txt\n\nx\n<<< fine\n---\n@by b\n@file ./gone\n<<< fine\n",
        ),
    ] {
        let run = sandbox.run(&[&["mb", "annotate"], args].concat());
        assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
        assert!(
            run.stderr.starts_with("Wrote ") && run.stderr.ends_with(&format!(" record(s) to {file}\n")),
            "{}",
            run.stderr
        );
        assert_eq!(sandbox.read(file).as_bstr(), want, "{args:?}");
    }
    assert_eq!(sandbox.read("d/feedback.mb").as_bstr(), "<<< mine\n");
}

#[test]
fn feedback_is_asked_for_file_by_file() {
    let sandbox = sandbox();
    sandbox.write("y", "y\x1b\n");
    sandbox.write("z", "\0");
    let output = mb(&sandbox, &["--print", "--scope", "s", "x.txt", "y", "z"], "one\n\n  two \n");
    let asked = "x\n[1/3] x.txt\nFeedback: y^[\n[2/3] y\nFeedback: [binary file, 1 bytes]\n[3/3] z\nFeedback: ";
    assert_eq!((output.status.code(), output.stdout.as_bstr()), (Some(0), asked.into()));
    assert_eq!(output.stderr.as_bstr(), "Wrote 2 record(s) to feedback.mb\n");
    let text = "%markback 2\n%scope s\n\n@file ./x.txt\n\nx\n<<< one\n---\n@file ./z\n<<< two\n";
    assert_eq!(sandbox.read("feedback.mb").as_bstr(), text);
    let output = mb(&sandbox, &["x.txt", "y"], "\n");
    assert_eq!(output.stderr.as_bstr(), "No feedback entered.\n");
    assert!(!sandbox.path("feedback-1.mb").exists());
}

#[test]
fn an_editor_writes_where_no_feedback_is_given() {
    let sandbox = sandbox();
    let annotate = |editor: &str, target: &str| {
        let mut command = sandbox.whymark_command(&["mb", "annotate", target]);
        command.env("EDITOR", editor).output().unwrap()
    };
    assert_eq!(annotate("true", "x.txt").status.code(), Some(0));
    assert!(!sandbox.path("x.txt.mb").exists(), "nothing is written for the person");
    sandbox.write("say.sh", "printf '<<< said\\n' >> \"$1\"\n");
    assert_eq!(annotate("sh say.sh", "x.txt:1").status.code(), Some(0));
    assert_eq!(sandbox.read("x.txt.mb").as_bstr(), "<<< said\n");
    for (editor, target, message) in [
        ("true", "gone", "gone is not there"),
        ("", "x.txt", "no editor is named"),
        ("no-such-editor", "r.mb", "cannot run the editor"),
    ] {
        let output = annotate(editor, target);
        assert_eq!(output.status.code(), Some(1), "{editor}");
        assert!(output.stderr.contains_str(message), "{}", output.stderr.as_bstr());
    }
    assert!(!sandbox.path("gone.mb").exists() && !sandbox.path("r.mb.mb").exists());
}

#[test]
fn a_sweep_lists_what_is_clean() {
    let sandbox = sandbox();
    sandbox.write("reviews/s.mb", "%scope style names\n%covers ../src/**/*.py\n\n@file ../src/a.py:3 <<< x\n");
    for file in ["src/a.py", "src/b/c.py", "src/.d/e.py", "src/f.md"] {
        sandbox.write(file, "");
    }
    #[cfg(unix)]
    std::os::unix::fs::symlink("..", sandbox.path("src/b/up")).unwrap();
    let run = sandbox.run(&["mb", "sweep", "reviews/s.mb"]);
    let want = "Covered: 2\n  noted  ../src/a.py\n  clean  ../src/b/c.py\nClean: 1 (style names)\n";
    assert_eq!((run.code, run.stdout.to_str_lossy().as_ref()), (0, want));
    let run = sandbox.run(&["mb", "sweep", "--json", "reviews/s.mb"]);
    let want = serde_json::json!({"covered": ["../src/a.py", "../src/b/c.py"], "clean": ["../src/b/c.py"]});
    assert_eq!(serde_json::from_slice::<Value>(&run.stdout).unwrap(), want);
    sandbox.write("reviews/s.mb", "%scope style\n%covers ../src/*\n\n@file ../src/a.py\n");
    let run = sandbox.run(&["mb", "sweep", "reviews/s.mb"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("has errors"), "{}", run.stderr);
}

#[test]
fn replies_and_resolutions_leave_every_byte_where_it_is() {
    let sandbox = sandbox();
    let before = "@id one\r\n@by ann\r\n@file x.txt  \r\n<<<  first\r\n@file y <<< second";
    sandbox.write("r.mb", before);
    let run = sandbox.run(&["mb", "reply", "r.mb", "one", "-f", "an answer", "--by", "ben"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (0, "wrote record r3 (r.mb)\n".into()));
    let text = sandbox.read("r.mb");
    assert!(text.starts_with(before.as_bytes()), "{}", text.as_bstr());
    let added = text[before.len()..].to_str_lossy();
    assert!(added.starts_with("\r\n@id r3\r\n@reply-to one\r\n@by ben\r\n@action created 2"), "{added}");
    assert!(added.ends_with(" ben\r\n@file x.txt <<< an answer\r\n"), "{added}");

    let run = sandbox.run(&["mb", "resolve", "r.mb", "one", "record-2", "--by", "cy"]);
    assert_eq!((run.code, run.stdout.as_bstr()), (0, "resolved 2 record(s) (r.mb)\n".into()));
    let resolved = sandbox.read("r.mb");
    let lines: Vec<&str> = resolved.to_str().unwrap().split_inclusive('\n').collect();
    let (actions, others): (Vec<&str>, Vec<&str>) =
        lines.into_iter().partition(|line| line.starts_with("@action resolved "));
    assert_eq!(others.concat().as_bytes().as_bstr(), text.as_bstr());
    assert!(actions.len() == 2 && actions.iter().all(|line| line.ends_with(" cy\r\n")), "{actions:?}");
    let again = sandbox.run(&["mb", "resolve", "r.mb", "one"]);
    assert_eq!((again.code, again.stdout.as_bstr()), (0, "resolved 0 record(s) (r.mb)\n".into()));
    assert_eq!(sandbox.read("r.mb"), resolved);
    assert_eq!(sandbox.run(&["mb", "resolve", "--reopen", "r.mb", "one"]).code, 0);
    assert!(sandbox.read("r.mb").contains_str("@action reopened 2"));

    let before = sandbox.read("r.mb");
    for (args, message) in [
        (&["reply", "r.mb", "gone", "-f", "x"][..], "holds no record `gone`"),
        (&["reply", "r.mb", "record-2", "-f", "x"], "has no id that a reply could name"),
        (&["reply", "r.mb", "one", "-f", " "], "the feedback is empty"),
        (&["resolve", "r.mb", "r3", "gone"], "holds no record `gone`"),
    ] {
        let run = sandbox.run(&[&["mb"], args].concat());
        assert_eq!(run.code, 1, "{args:?}");
        assert!(run.stderr.contains(message), "{args:?}: {}", run.stderr);
        assert_eq!(sandbox.read("r.mb"), before, "{args:?}");
    }
    assert_eq!(sandbox.run(&["mb", "reply", "none.mb", "one", "-f", "x"]).code, 2);
    assert!(!sandbox.path("none.mb").exists());
}

#[test]
fn whoever_replies_or_resolves_signs_as_git_knows_them() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "user.name", "Grace Example"]);
    sandbox.write("x.txt", "x\n");
    assert_eq!(sandbox.run(&["mb", "annotate", "x.txt", "-f", "- a point"]).code, 0, "text may begin as it likes");
    assert_eq!(sandbox.run(&["mb", "annotate", "x.txt", "-f", "y", "--by", ""]).code, 0);
    let written = sandbox.read("x.txt.mb");
    assert!(!written.contains_str("@by"), "{}", written.as_bstr());
    for (by, signed) in [(&[][..], "Grace Example"), (&["--by", "ben"], "ben"), (&["--by", ""], "")] {
        sandbox.write("r.mb", "@id one\n<<< first\n");
        for command in [&["mb", "reply", "r.mb", "one", "-f", "--x"][..], &["mb", "resolve", "r.mb", "one"]] {
            assert_eq!(sandbox.run(&[command, by].concat()).code, 0);
        }
        let text = sandbox.read("r.mb").to_str().unwrap().to_owned();
        let is_signed = |line: &&str| line.starts_with("@action ") || line.starts_with("@by ");
        let lines: Vec<&str> = text.lines().filter(is_signed).collect();
        assert_eq!(lines.len(), if signed.is_empty() { 2 } else { 3 }, "{text}");
        assert!(lines.iter().all(|line| line.ends_with(if signed.is_empty() { "Z" } else { signed })), "{text}");
    }
}

#[test]
fn a_content_file_is_not_taken_for_one_without_records() {
    let sandbox = sandbox();
    let note = |args: &[&str]| sandbox.run(&[&["mb"], args].concat()).stderr;
    assert_eq!(note(&["list", "x.txt"]), "note: x.txt has no records; Markback files are called NAME.mb\n");
    sandbox.write("x.txt.mb", "<<< about x\n");
    let hint = "note: x.txt has no records; those about it are in x.txt.mb: try --sidecar\n";
    assert_eq!([note(&["list", "x.txt"]), note(&["stats", "x.txt"])], [hint, hint]);
    assert_eq!([note(&["list", "--sidecar", "x.txt"]), note(&["list", "x.txt.mb"])], ["", ""]);
}

#[test]
fn the_program_mb_takes_options() {
    let canonical = format!("%markback 2\n\n{TEXT}");
    for (args, code, stdout) in [
        (&["--lint", "--list", "r.mb"][..], 0, "Records: 2\nErrors: 0\nWarnings: 0\n"),
        (&["--list", "--stats", "r.mb"], 0, "  1. [one] first\n  2. [two] two\nlines\nTotal: 2 record(s)\n"),
        (&["--normalize", "--force", "r.mb"], 0, &canonical),
        (&["--convert", "r.mb"], 1, ""),
        (&["--upgrade", "--dry-run", "r.mb"], 0, "  r.mb: already V2 format\n"),
        (&["--nonsense"], 2, ""),
        (&["-V"], 0, concat!("mb ", env!("CARGO_PKG_VERSION"), "\n")),
    ] {
        let output = mb(&sandbox(), args, "");
        assert_eq!((output.status.code(), output.stdout.to_str_lossy().as_ref()), (Some(code), stdout), "{args:?}");
    }
    for (args, stdout) in [
        (&["--normalize", "-"][..], "%markback 2\n\n@id a\n<<< x\n"),
        (
            &["--lint", "-"],
            "-:2:1: W005 several blank lines where one would do\n-:1:1: W008 the layout is not that of `whymark mb normalize`\n\nRecords: 1\nErrors: 0\nWarnings: 2\n",
        ),
    ] {
        let output = mb(&sandbox(), args, "\n\n@id a\n<<<x");
        assert_eq!((output.status.code(), output.stdout.to_str_lossy().as_ref()), (Some(0), stdout), "{args:?}");
    }
    let usage = mb(&sandbox(), &[], "");
    assert_eq!((usage.status.code(), usage.stderr.as_bstr()), (Some(0), "".into()));
    assert!(usage.stdout.contains_str("Usage: mb"), "{}", usage.stdout.as_bstr());
    let sandbox = sandbox();
    assert_eq!(mb(&sandbox, &["x.txt", "good"], "").stderr.as_bstr(), "Wrote feedback to x.txt.mb\n");
    let stats = mb(&sandbox, &["--stats", "--json", "x.txt.mb"], "").stdout;
    assert_eq!(serde_json::from_slice::<Value>(&stats).unwrap()["with_file_ref"], 1);
}

/// A repository brings links along; what they lead to is not ours.
#[cfg(unix)]
#[test]
fn names_that_nobody_typed_do_not_lead_away() {
    let sandbox = sandbox();
    let outside = sandbox.home().join("private.mb");
    std::fs::write(&outside, "@uri old\n<<< x\n").unwrap();
    for link in ["x.txt.mb", "d/found.mb"] {
        std::fs::create_dir_all(sandbox.path("d")).unwrap();
        std::os::unix::fs::symlink(&outside, sandbox.path(link)).unwrap();
    }
    for (args, code, message) in [
        (&["annotate", "x.txt", "good"][..], 2, "leads out of"),
        (&["list", "--sidecar", "x.txt"], 1, "leads out of"),
        (&["lint", "--sidecar", "x.txt"], 1, ""),
        (&["upgrade", "d"], 0, "note: left out: d/found.mb leads out of d"),
    ] {
        let run = sandbox.run(&[&["mb"], args].concat());
        assert_eq!(run.code, code, "{args:?}: {}", run.stderr);
        assert!(run.stderr.contains(message) && !run.stdout.contains_str("old"), "{args:?}: {}", run.stderr);
        assert_eq!(std::fs::read(&outside).unwrap(), b"@uri old\n<<< x\n", "{args:?}");
    }
}
