//! What `new` says about a change is what git says: files, statuses, ids, modes, and every line of every hunk.

use bstr::{BString, ByteSlice};

use crate::support::Sandbox;

/// A file of a diff, in the words of both.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct File {
    header: String,
    hunks: BString,
}

/// What `whymark new` prints, which has to succeed.
fn document(sandbox: &Sandbox, args: &[&str]) -> Vec<u8> {
    let run = sandbox.run(&[&["new", "--stubs", "none", "-o", "-"], args].concat());
    assert_eq!((run.code, run.stderr.contains("error")), (0, false), "{args:?}: {}", run.stderr);
    run.stdout
}

/// The files of a document.
fn of_document(text: &[u8]) -> Vec<File> {
    let mut files: Vec<File> = Vec::new();
    for line in text.lines_with_terminator() {
        if let Some(header) = line.strip_prefix(b"@file ") {
            files.push(File { header: header.trim_end().to_str_lossy().into_owned(), hunks: BString::default() });
        } else if let Some(file) = files.last_mut()
            && line != b"\n"
        {
            file.hunks.extend_from_slice(line);
        }
    }
    files
}

/// The files of a diff of git, as a document words them. Only for names without blanks.
fn of_git(sandbox: &Sandbox, args: &[&str]) -> Vec<File> {
    let plain = ["-c", "core.quotePath=false", "-c", "diff.noprefix=false", "-c", "diff.suppressBlankEmpty=false"];
    let shown = ["--no-color", "--no-ext-diff", "--no-textconv", "-M50%", "-U3", "--submodule=short"];
    let text = sandbox.git(&[&plain[..], args, &shown[..]].concat());
    let mut sections: Vec<(Vec<String>, BString)> = Vec::new();
    for line in text.lines_with_terminator() {
        if line.starts_with(b"diff --git ") {
            sections.push((Vec::new(), BString::default()));
        }
        let Some((head, hunks)) = sections.last_mut() else { continue };
        if line.starts_with(b"@@ ") {
            hunks.extend_from_slice(line.trim_end());
            hunks.push(b'\n');
        } else if hunks.is_empty() {
            head.push(line.trim_end().to_str_lossy().into_owned());
        } else {
            hunks.extend_from_slice(line);
        }
    }
    sections.into_iter().map(|(head, hunks)| File { header: header(&head, &hunks), hunks }).collect()
}

/// The `@file` line, made from the header of git's section.
fn header(head: &[String], hunks: &BString) -> String {
    let after = |prefix: &str| head.iter().find_map(|line| line.strip_prefix(prefix)).map(str::to_owned);
    let name = head[0].rsplit_once(" b/").unwrap().1;
    let (added, deleted, from) = (after("new file mode "), after("deleted file mode "), after("rename from "));
    let status = match (&added, &deleted, &from) {
        (Some(_), ..) => "added",
        (_, Some(_), _) => "deleted",
        (.., Some(_)) => "renamed",
        _ => "modified",
    };
    let binary = head.iter().any(|line| line.starts_with("Binary files"));
    let count = |sign: &[u8]| hunks.lines().filter(|line| line.starts_with(sign)).count();
    let mut out = format!("{name} {status}");
    if !binary {
        out += &format!(" +{} -{}", count(b"+"), count(b"-"));
    }
    if let Some(from) = from {
        out += &format!(" from={from}");
    }
    let index = after("index ");
    let (ids, mode) = index.as_deref().map_or((None, None), |index| match index.split_once(' ') {
        Some((ids, mode)) => (ids.split_once(".."), Some(mode.to_owned())),
        None => (index.split_once(".."), None),
    });
    let id = |id: Option<&str>| id.filter(|id| id.contains(|c| c != '0')).map(str::to_owned);
    for (key, id) in [("oldsha", id(ids.map(|ids| ids.0))), ("newsha", id(ids.map(|ids| ids.1)))] {
        out += &id.map(|id| format!(" {key}={id}")).unwrap_or_default();
    }
    let old = after("old mode ").or(deleted).or(mode.clone());
    let new = after("new mode ").or(added).or(mode);
    for (key, mode) in [("oldmode", old), ("newmode", new)] {
        let absent = (key == "oldmode" && status == "added") || (key == "newmode" && status == "deleted");
        out +=
            &mode.filter(|mode| mode != "100644" && !absent).map(|mode| format!(" {key}={mode}")).unwrap_or_default();
    }
    if binary { out + " binary" } else { out }
}

/// Where git shows no ids because content stays (a pure rename, a mode), a document has them all the same.
fn without_ids_of_same_content(files: Vec<File>) -> Vec<File> {
    let same =
        |file: &File| file.hunks.is_empty() && !file.header.contains("binary") && !file.header.contains(" added ");
    let words =
        |text: &str| text.split(' ').filter(|w| !w.contains("sha=")).map(str::to_owned).collect::<Vec<_>>().join(" ");
    files.into_iter().map(|f| if same(&f) { File { header: words(&f.header), ..f } } else { f }).collect()
}

#[track_caller]
fn check(name: &str, sandbox: &Sandbox, scope: &[&str], git: &[&str]) {
    let ours = without_ids_of_same_content(of_document(&document(sandbox, scope)));
    let theirs = without_ids_of_same_content(of_git(sandbox, git));
    assert_eq!(ours, theirs, "{name}");
    assert!(!ours.is_empty(), "{name}: something to compare");
}

fn numbered(lines: std::ops::Range<usize>) -> String {
    lines.map(|n| format!("line {n}\n")).collect()
}

/// A repository with some files, committed.
fn base() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.rs", format!("fn one() {{\n{}}}\n\nfn two() {{\n{}}}\n", numbered(0..20), numbered(20..40)));
    sandbox.write("b.txt", numbered(0..30));
    sandbox.write("bytes.bin", b"\0\x01\x02");
    sandbox.write("latin1.txt", b"caf\xe9\nplain\n");
    sandbox.write("crlf.txt", "one\r\ntwo\r\nthree\r\n");
    sandbox.write("empty", "");
    sandbox.write("tail.txt", "no newline at the end");
    sandbox.commit("base");
    sandbox
}

type Change = fn(&Sandbox);

/// Ways to change the working tree of [`base`].
const CHANGES: &[(&str, Change)] = &[
    ("a line in a function", |s| {
        s.write("src/a.rs", std::fs::read_to_string(s.path("src/a.rs")).unwrap().replace("line 33", "x"))
    }),
    ("two hunks", |s| s.write("b.txt", format!("new\n{}end\n", numbered(0..30)))),
    ("blank lines", |s| s.write("b.txt", format!("\n\n{}\n", numbered(1..30)))),
    ("an added file", |s| s.write("deep/er/new.txt", "new\n")),
    ("an added empty file", |s| s.write("nothing", "")),
    ("a deleted file", |s| std::fs::remove_file(s.path("b.txt")).unwrap()),
    ("a moved file", |s| drop(s.git(&["mv", "b.txt", "c.txt"]))),
    ("a moved and changed file", |s| {
        s.git(&["mv", "b.txt", "c.txt"]);
        s.write("c.txt", numbered(4..40));
    }),
    ("too different for a move", |s| {
        s.git(&["mv", "b.txt", "c.txt"]);
        s.write("c.txt", numbered(20..60));
    }),
    ("two files swap places", |s| {
        s.git(&["mv", "b.txt", "x"]);
        s.git(&["mv", "src/a.rs", "b.txt"]);
        s.git(&["mv", "x", "src/a.rs"]);
    }),
    ("binary content", |s| s.write("bytes.bin", b"\0\x03")),
    ("text becomes binary", |s| s.write("b.txt", b"a\0b")),
    ("bytes that are no text", |s| s.write("latin1.txt", b"caf\xe8\nplain\n")),
    ("carriage returns", |s| s.write("crlf.txt", "one\r\n2\r\nthree\n")),
    ("a newline comes", |s| s.write("tail.txt", "no newline at the end\n")),
    ("a newline goes", |s| s.write("b.txt", numbered(0..30).trim_end())),
    ("no newline before or after", |s| s.write("tail.txt", "still none")),
    ("content that looks like a diff", |s| s.write("b.txt", format!("-- a\n++ b\n@@ -1 +1 @@\n{}", numbered(3..30)))),
    ("lines that begin like directives", |s| s.write("b.txt", "@file x\n@note +1\n---\n")),
    ("a file in the place of a folder", |s| {
        std::fs::remove_dir_all(s.path("src")).unwrap();
        s.write("src", "file\n");
    }),
];

#[test]
fn every_scope_agrees_with_git() {
    for (name, change) in CHANGES {
        let sandbox = base();
        change(&sandbox);
        let untracked_too = document(&sandbox, &["--worktree"]);
        sandbox.git(&["add", "-A"]);
        check(name, &sandbox, &["--staged"], &["diff", "--cached"]);
        check(name, &sandbox, &["--worktree"], &["diff", "HEAD"]);
        let before = without_ids_of_same_content(of_document(&untracked_too));
        assert_eq!(before, without_ids_of_same_content(of_git(&sandbox, &["diff", "--cached"])), "{name}: not staged");
        sandbox.git(&["commit", "-qm", "change"]);
        check(name, &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
        check(name, &sandbox, &["--range", "HEAD^..HEAD"], &["diff", "HEAD^", "HEAD"]);
    }
}

#[test]
fn the_root_commit_adds_everything() {
    let sandbox = base();
    check("root", &sandbox, &["--commit", "HEAD"], &["show", "--format=", "HEAD"]);
    let text = document(&sandbox, &["--commit", "HEAD"]);
    assert!(!text.contains_str("\nbase: "), "nothing came before");
}

#[test]
fn before_the_first_commit_head_is_empty() {
    let sandbox = Sandbox::new();
    sandbox.write("a", "one\n");
    sandbox.git(&["add", "a"]);
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    check("worktree", &sandbox, &["--worktree"], &["diff", "--cached"]);
    check("default", &sandbox, &[], &["diff", "--cached"]);
}

#[test]
fn one_file_staged_and_changed_again() {
    let sandbox = base();
    sandbox.write("b.txt", numbered(0..31));
    sandbox.git(&["add", "b.txt"]);
    sandbox.write("b.txt", numbered(0..32));
    check("staged", &sandbox, &["--staged"], &["diff", "--cached"]);
    check("unstaged", &sandbox, &["unstaged"], &["diff"]);
    check("worktree", &sandbox, &["worktree"], &["diff", "HEAD"]);
    sandbox.write("b.txt", numbered(0..30));
    assert!(of_document(&document(&sandbox, &["--worktree"])).is_empty(), "staged, then taken back on disk");
    check("nothing but staged changes", &sandbox, &[], &["diff", "--cached"]);
}

#[test]
fn announced_files_are_not_staged() {
    let sandbox = base();
    sandbox.write("soon.txt", "soon\n");
    sandbox.write("soon-empty", "");
    sandbox.git(&["add", "-N", "soon.txt", "soon-empty"]);
    assert!(of_document(&document(&sandbox, &["--staged"])).is_empty());
    check("unstaged", &sandbox, &["--unstaged"], &["diff"]);
    check("worktree", &sandbox, &["--worktree"], &["diff", "HEAD"]);
}

#[test]
fn untracked_files_can_be_left_out() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("untracked", "x\n");
    sandbox.write(".gitignore", "*.log\n");
    sandbox.write("a.log", "ignored\n");
    let names = |args: &[&str]| -> Vec<String> {
        let files = of_document(&document(&sandbox, args));
        files.into_iter().map(|file| file.header.split(' ').next().unwrap().to_owned()).collect()
    };
    assert_eq!(names(&["--unstaged"]), [".gitignore", "b.txt", "untracked"]);
    assert_eq!(names(&["--unstaged", "--no-untracked"]), ["b.txt"]);
    assert_eq!(names(&["--path", "untracked", "--path", "*.ignore"]), ["untracked"]);
    assert_eq!(names(&["--path", "*.txt"]), ["b.txt"]);
}

#[test]
fn context_and_renames_as_asked_for() {
    let sandbox = base();
    sandbox.git(&["mv", "b.txt", "c.txt"]);
    sandbox.write("c.txt", numbered(0..31));
    let text = document(&sandbox, &["--context", "1"]);
    assert!(text.contains_str("c.txt renamed +1 -0 from=b.txt") && text.contains_str("\n@@ -30 +30,2 @@"));
    let text = document(&sandbox, &["--no-renames"]);
    assert!(text.contains_str("@file b.txt deleted") && text.contains_str("@file c.txt added"));
    assert!(!text.contains_str("renamed"));
}

#[test]
fn merges_are_shown_against_the_first_parent() {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "side"]);
    sandbox.write("side.txt", "side\n");
    sandbox.commit("side");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("main.txt", "main\n");
    sandbox.commit("main");
    sandbox.git(&["merge", "-q", "--no-ff", "-m", "merge", "side"]);
    check("merge", &sandbox, &["--commit"], &["diff", "HEAD^1", "HEAD"]);
}

#[test]
fn branches_are_compared_with_where_they_began() {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "feature/x"]);
    sandbox.write("mine.txt", "mine\n");
    sandbox.commit("mine");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("theirs.txt", "theirs\n");
    sandbox.commit("theirs");
    sandbox.git(&["switch", "-q", "feature/x"]);
    check("named", &sandbox, &["--branch", "main"], &["diff", "main...HEAD"]);
    check("default", &sandbox, &["branch"], &["diff", "main...HEAD"]);
    check("range", &sandbox, &["--range", "main...HEAD"], &["diff", "main...HEAD"]);
    check("two dots", &sandbox, &["--range", "main..HEAD"], &["diff", "main", "HEAD"]);
    let text = document(&sandbox, &["branch"]).to_str_lossy().into_owned();
    let (base, head) =
        (sandbox.git_line(&["rev-parse", "--short", "main~1"]), sandbox.git_line(&["rev-parse", "--short", "HEAD"]));
    assert!(text.contains(&format!("\nbase: main@{base}\nhead: feature/x@{head}\n")), "{text}");
    sandbox.git(&["switch", "-q", "--detach"]);
    check("detached", &sandbox, &["--branch", "main"], &["diff", "main...HEAD"]);
}

#[test]
fn settings_change_ids_but_not_the_diff() {
    let sandbox = base();
    for (key, value) in [
        ("diff.noprefix", "true"),
        ("diff.external", "false"),
        ("diff.context", "0"),
        ("diff.renames", "false"),
        ("diff.algorithm", "patience"),
        ("core.quotePath", "true"),
        ("color.ui", "always"),
    ] {
        sandbox.git(&["config", key, value]);
    }
    sandbox.write("b.txt", format!("new\n{}", numbered(0..30)));
    let text = document(&sandbox, &[]);
    assert!(text.contains_str("\n@@ -1,3 +1,4 @@\n+new\n line 0\n"));
    for (abbrev, len) in [("12", 12), ("no", 40), ("4", 4), ("auto", 7)] {
        sandbox.git(&["config", "core.abbrev", abbrev]);
        let text = document(&sandbox, &[]).to_str_lossy().into_owned();
        let id = text.split("newsha=").nth(1).unwrap().split_whitespace().next().unwrap().len();
        assert_eq!(id, len, "core.abbrev {abbrev}");
    }
}

#[test]
fn line_ends_are_compared_as_they_are_stored() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.autocrlf", "true"]);
    for safe in ["false", "true"] {
        sandbox.git(&["config", "core.safecrlf", safe]);
        sandbox.write("a.txt", "one\r\ntwo\r\nthree\r\n");
        sandbox.commit("base");
        sandbox.write("a.txt", "one\r\n2\r\nthree\r\n");
        check(safe, &sandbox, &["--unstaged"], &["diff"]);
    }
    sandbox.write("a.txt", "one\r\n2\nthree\r\n");
    let text = document(&sandbox, &["--unstaged"]);
    assert!(text.contains_str("\n+2\n") && !text.contains_str("\r"), "mixed line ends");
}

#[test]
fn attributes_say_what_is_text() {
    let sandbox = base();
    sandbox.write(".gitattributes", "b.txt -diff\nbytes.bin diff\n*.c diff=cpp\n");
    sandbox.write("x.c", format!("struct s {{\n\tint a;\n{}}};\n", numbered(0..20)));
    sandbox.commit("attributes");
    sandbox.write("b.txt", "x\n");
    sandbox.write("bytes.bin", b"\0\x09\n");
    sandbox.write("x.c", format!("struct s {{\n\tint a;\n{}}};\n", numbered(0..19)));
    check("attributes", &sandbox, &[], &["diff"]);
}

#[test]
fn submodules_are_a_line_each() {
    let sandbox = base();
    let commit = sandbox.git_line(&["rev-parse", "HEAD"]);
    sandbox.git(&["update-index", "--add", "--cacheinfo", &format!("160000,{commit},lib")]);
    check("added", &sandbox, &["--staged"], &["diff", "--cached"]);
    sandbox.git(&["commit", "-qm", "add it"]);
    check("commit", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[test]
fn reviews_do_not_describe_themselves() {
    let sandbox = base();
    sandbox.write("b.txt", "x\n");
    sandbox.write("reviews/a.whymark", "review\n");
    sandbox.write("reviews/a.mb", "notes\n");
    sandbox.write("mine.whymark", "review\n");
    let run = sandbox.run(&["new", "--force", "-o", "mine.whymark"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let text = std::fs::read_to_string(sandbox.path("mine.whymark")).unwrap();
    assert_eq!(text.matches("\n@file ").count(), 1, "{text}");
}

#[test]
fn conflicts_are_named() {
    let sandbox = base();
    sandbox.git(&["switch", "-qc", "side"]);
    sandbox.write("b.txt", "side\n");
    sandbox.commit("side");
    sandbox.git(&["switch", "-q", "main"]);
    sandbox.write("b.txt", "main\n");
    sandbox.commit("main");
    assert!(!sandbox.git_succeeds(&["merge", "-q", "side"]), "the merge stops");
    for scope in ["--staged", "--unstaged", "--worktree"] {
        let run = sandbox.run(&["new", scope, "-o", "-"]);
        assert_eq!(run.code, 0);
        assert!(run.stderr.contains("b.txt has a merge conflict"), "{}", run.stderr);
        assert_eq!(run.stdout.contains_str("+<<<<<<< "), scope != "--staged", "{scope}");
    }
}

#[cfg(unix)]
#[test]
fn modes_links_and_types() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let sandbox = base();
    symlink("b.txt", sandbox.path("link")).unwrap();
    sandbox.write("run.sh", "x\n");
    sandbox.commit("link");
    std::fs::set_permissions(sandbox.path("run.sh"), std::fs::Permissions::from_mode(0o755)).unwrap();
    std::fs::remove_file(sandbox.path("link")).unwrap();
    symlink("src/a.rs", sandbox.path("link")).unwrap();
    check("mode and link", &sandbox, &[], &["diff", "HEAD"]);
    std::fs::remove_file(sandbox.path("link")).unwrap();
    sandbox.write("link", "a file now\n");
    std::fs::remove_file(sandbox.path("empty")).unwrap();
    symlink("nowhere", sandbox.path("empty")).unwrap();
    check("types", &sandbox, &[], &["diff", "HEAD"]);
    sandbox.commit("types");
    check("types, committed", &sandbox, &["--commit"], &["diff", "HEAD^", "HEAD"]);
}

#[cfg(target_os = "linux")]
#[test]
fn awkward_names_are_quoted() {
    use std::os::unix::ffi::OsStrExt as _;
    let sandbox = base();
    let names: [(&[u8], &[u8]); 5] = [
        (b"a b", b"@file \"a b\" added"),
        (b"quo\"te", b"@file \"quo\\\"te\" added"),
        (b"line\nbreak", b"@file \"line\\nbreak\" added"),
        ("é👍".as_bytes(), "@file é👍 added".as_bytes()),
        (b"latin\xe9", b"@file latin\xe9 added"),
    ];
    for (name, _) in names {
        sandbox.write(std::ffi::OsStr::from_bytes(name), "x\n");
    }
    let text = document(&sandbox, &[]);
    for (name, line) in names {
        assert!(text.contains_str(line), "{}", name.as_bstr());
    }
}
