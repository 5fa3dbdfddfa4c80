//! The direction of dependence, as a test over the sources: which module may use which, and who may touch the outside
//! world or the terminal.
//!
//! The scanner reads paths (`crate::a::b`, `super::x`, `std::fs`, also inside `use` groups) and a few method names. Comments,
//! strings and test code do not count.

pub(crate) mod scan;

use std::fs;
use std::path::Path;

use scan::{Use, uses};

/// What knows no format.
const GROUND: &[&str] = &["text", "diagnostic"];
/// All that is pure.
const PURE: &[&str] = &[
    "text",
    "diagnostic",
    "diff",
    "document",
    "markback",
    "queue",
    "lcov",
    "skeleton",
    "anchor",
    "metrics",
    "capture",
];
/// What does I/O, apart from the two front ends.
const WORLD: &[&str] =
    &["error", "clock", "git", "store", "coverage", "session", "verify", "refresh", "config", "demo", "editor"];

/// Each module of the crate and the modules that it may use.
const LAYERS: &[(&str, &[&[&str]])] = &[
    ("text", &[]),
    ("diagnostic", &[&["text"]]),
    ("diff", &[GROUND]),
    ("document", &[GROUND, &["diff"]]),
    ("markback", &[GROUND]),
    ("queue", &[GROUND]),
    ("lcov", &[GROUND]),
    ("skeleton", &[&["text", "diff", "document"]]),
    ("anchor", &[&["text", "diff", "document"]]),
    ("metrics", &[&["text", "diff", "document", "markback", "queue"]]),
    ("capture", &[&["text", "diff", "document", "markback", "queue"]]),
    ("error", &[PURE]),
    ("clock", &[]),
    ("git", &[PURE, &["error"]]),
    ("store", &[PURE, &["error"]]),
    ("coverage", &[PURE, &["error", "store"]]),
    ("session", &[PURE, &["error", "clock", "store"]]),
    ("verify", &[PURE, &["error"]]),
    ("refresh", &[PURE, &["error", "git", "store"]]),
    ("config", &[PURE, &["error", "store"]]),
    ("demo", &[PURE, &["error"]]),
    ("editor", &[&["error", "store"]]),
    ("tui", &[PURE, WORLD]),
    ("cli", &[PURE, WORLD, &["tui"]]),
    ("lib", &[]),
    ("main", &[&["cli"]]),
];

/// What only some files may use: a path or a method, and the files, as beginnings of their names below `src/`.
const RESERVED: &[(&[&str], &[&str])] = &[
    (&["ratatui"], &["tui/mod.rs", "tui/screen", "tui/dump", "tui/picture", "tui/layout", "tui/theme", "tui/view"]),
    (&["crossterm", "ratatui_crossterm"], &["tui/mod.rs", "tui/screen", "tui/terminal", "tui/reader"]),
    (&["git2"], &["git/", "demo", "error"]),
    (&["Timestamp::now", "Zoned::now"], &["clock"]),
    (
        &["std::process::Command", "std::process::Child", "std::process::Stdio"],
        &["git/program", "verify/run", "editor"],
    ),
    (
        &[
            "std::fs",
            "std::process",
            "std::env",
            "std::net",
            "std::time::SystemTime",
            "std::time::Instant",
            "std::io::stdin",
            "std::io::stdout",
            "std::io::stderr",
            ".exists",
            ".try_exists",
            ".is_file",
            ".is_dir",
            ".is_symlink",
            ".canonicalize",
            ".read_dir",
            ".read_link",
            ".metadata",
            ".symlink_metadata",
        ],
        &["git/", "store", "coverage", "session", "verify/run", "config", "demo", "editor", "cli/", "tui/", "main.rs"],
    ),
];

/// The parts of the front end that are functions of their arguments, although they stand beside those that do I/O.
const PURE_IN_TUI: &[&str] = &[
    "tui/around",
    "tui/background",
    "tui/card",
    "tui/change",
    "tui/checkup",
    "tui/colour",
    "tui/command",
    "tui/decode",
    "tui/draft",
    "tui/effect",
    "tui/evidence",
    "tui/fact",
    "tui/filter",
    "tui/form",
    "tui/fuzzy",
    "tui/help",
    "tui/highlight",
    "tui/history",
    "tui/input",
    "tui/key",
    "tui/keymap",
    "tui/layout",
    "tui/model",
    "tui/msg",
    "tui/outcome",
    "tui/part",
    "tui/pick",
    "tui/picture",
    "tui/place",
    "tui/preview",
    "tui/prompt",
    "tui/prose",
    "tui/replaced",
    "tui/rows",
    "tui/talk",
    "tui/search",
    "tui/settings",
    "tui/staged",
    "tui/text_input",
    "tui/theme",
    "tui/tree",
    "tui/update",
    "tui/view",
    "tui/walk",
];

#[test]
fn the_sources_keep_the_direction_of_dependence() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut faults = Vec::new();
    let mut files = Vec::new();
    collect(&root, &mut files);
    assert!(files.iter().any(|(name, _)| name == "lib.rs"), "the sources are not where they should be");
    let test_files: Vec<String> = files.iter().flat_map(|(name, text)| scan::test_modules(name, text)).collect();
    for (name, text) in files.iter().filter(|(name, _)| !test_files.contains(name)) {
        faults.extend(check(name, text));
    }
    assert!(faults.is_empty(), "{} faults in the direction of dependence:\n{}", faults.len(), faults.join("\n"));
}

/// The `.rs` files below `folder`, named from `src/` on.
pub(crate) fn collect(folder: &Path, files: &mut Vec<(String, String)>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(folder).expect("the sources can be read") {
        let path = entry.expect("the sources can be read").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(&root).expect("the file is below src").display().to_string();
            files.push((name.replace('\\', "/"), fs::read_to_string(&path).expect("a source is text")));
        }
    }
}

/// What is wrong with one file.
fn check(name: &str, text: &str) -> Vec<String> {
    let module = name.split(['/', '.']).next().unwrap_or(name);
    let Some((_, allowed)) = LAYERS.iter().find(|(layer, _)| *layer == module) else {
        return vec![format!("src/{name}:1: `{module}` is not in the table of tests/layers.rs; give it a place there")];
    };
    let allowed: Vec<&str> = allowed.iter().flat_map(|group| group.iter().copied()).collect();
    uses(name, text).iter().filter_map(|used| fault(name, module, &allowed, used)).collect()
}

fn fault(name: &str, module: &str, allowed: &[&str], used: &Use) -> Option<String> {
    let at = format!("src/{name}:{}", used.line);
    if let Some(path) = used.path.strip_prefix("crate::") {
        let target = path.split("::").next().unwrap_or(path);
        let is_module = LAYERS.iter().any(|(layer, _)| *layer == target);
        let is_fine = !is_module || target == module || allowed.contains(&target) || module == "lib";
        let allowed = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
        return (!is_fine).then(|| format!("{at}: `{module}` must not use `{target}`; it may use {allowed}"));
    }
    let (_, files) = RESERVED.iter().find(|(paths, _)| paths.iter().any(|path| is_under(&used.path, path)))?;
    let is_pure = PURE_IN_TUI.iter().any(|pure| name.starts_with(pure)) && files.contains(&"tui/");
    let is_fine = !is_pure && files.iter().any(|file| name.starts_with(file));
    (!is_fine).then(|| format!("{at}: `{}` is for {} only", used.path, files.join(", ")))
}

/// Whether `path` is `reserved` or below it; `Type::function` may stand behind any other path.
fn is_under(path: &str, reserved: &str) -> bool {
    let is_below = path.strip_prefix(reserved).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"));
    let is_function = reserved.starts_with(char::is_uppercase) && path.ends_with(&format!("::{reserved}"));
    is_below || is_function
}

#[test]
fn faults_are_found_with_file_and_line() {
    for (name, text, fault) in [
        (
            "text/lines.rs",
            "\nuse crate::diff::Hunk;",
            "src/text/lines.rs:2: `text` must not use `diff`; it may use nothing",
        ),
        ("text/lines.rs", "use super::super::git;", "src/text/lines.rs:1: `text` must not use `git`"),
        ("text/mod.rs", "use super::git;", "src/text/mod.rs:1: `text` must not use `git`"),
        ("text/mod.rs", "fn f() { crate::git::open() }", "src/text/mod.rs:1: `text` must not use `git`"),
        ("markback/a.rs", "use crate::{\n    text::Span,\n    document::{Note, Tree},\n};", "src/markback/a.rs:3: "),
        ("queue/codec.rs", "pub use crate::markback as m;", "`queue` must not use `markback`"),
        ("git/mod.rs", "use crate::store::read;", "`git` must not use `store`; it may use text,"),
        ("tui/mod.rs", "use crate::cli::Args;", "`tui` must not use `cli`"),
        ("error.rs", "use super::cli;", "`error` must not use `cli`"),
        ("helpers.rs", "", "src/helpers.rs:1: `helpers` is not in the table of tests/layers.rs"),
        ("metrics.rs", "use ratatui::style::Color;", "src/metrics.rs:1: `ratatui::style::Color` is for tui/mod.rs,"),
        ("tui/model.rs", "fn f(area: ratatui::layout::Rect) {}", "`ratatui::layout::Rect` is for"),
        ("tui/view/note.rs", "use crossterm::event::KeyEvent;", "`crossterm::event::KeyEvent` is for"),
        ("main.rs", "use whymark::git::Scope;", "`main` must not use `git`; it may use cli"),
        ("cli/new.rs", "use git2::Repository;", "`git2::Repository` is for git/, demo, error only"),
        ("document/a.rs", "use std::{fmt, fs::{self, File}};", "`std::fs::self` is for"),
        ("anchor.rs", "fn f() -> Instant { std::time::Instant::now() }", "`std::time::Instant::now` is for"),
        ("verify/plan.rs", "use std::time::Instant;", "`std::time::Instant` is for"),
        (
            "cli/verify.rs",
            "use std::process::{Command, ExitCode};",
            "`std::process::Command` is for git/program, verify/run, editor only",
        ),
        ("skeleton.rs", "let now = jiff::Timestamp::now();", "`jiff::Timestamp::now` is for"),
        ("skeleton.rs", "let now = Zoned::now();", "`Zoned::now` is for"),
        ("cli/new.rs", "let now = Timestamp::now();", "`Timestamp::now` is for clock only"),
        ("tui/update/mod.rs", "use std::env;", "`std::env` is for"),
        ("tui/keymap.rs", "use std::fs;", "`std::fs` is for"),
        ("tui/rows.rs", "if path\n.exists() {}", "src/tui/rows.rs:2: `.exists` is for"),
        ("capture.rs", "#[cfg(test)]\nuse std::fs;\nuse std::fs;", "src/capture.rs:3: `std::fs` is for"),
        ("capture.rs", "#[cfg(test)]\nmod tests {\n    use std::fs;\n}\nuse std::env;", "src/capture.rs:5: `std::env`"),
    ] {
        let faults = check(name, text);
        assert!(faults.first().is_some_and(|found| found.contains(fault)), "{name}: {text}\nfound {faults:?}");
    }
}

#[test]
fn what_is_allowed_is_no_fault() {
    for (name, text) in [
        ("text/lines.rs", "use super::Span; use std::fmt; use crate::text::edit::Edit;"),
        ("text/mod.rs", "//! See [`crate::git`].\n// crate::git\n/* crate::git */ const A: &str = \"crate::git\";"),
        ("text/mod.rs", "const A: char = '\"'; // crate::git\nconst B: &str = r#\"a \" crate::git\"#;"),
        (
            "text/mod.rs",
            "fn f<'a>(a: &'a str) {}\n#[cfg(test)]\nmod tests {\n    use crate::git;\n    use std::fs;\n}\n",
        ),
        ("diff/word.rs", "use crate::{diagnostic::Sink, text::*};"),
        ("git/blobs.rs", "use git2::Oid; use std::fs; use crate::error::Error;"),
        ("tui/view/note.rs", "use ratatui::text::Line; use super::super::model::Model;"),
        ("tui/save.rs", "use std::fs; use crate::store;"),
        ("tui/terminal.rs", "use crossterm::terminal; use std::io::stdout;"),
        ("clock.rs", "fn now() { jiff::Timestamp::now() }"),
        ("main.rs", "fn main() -> std::process::ExitCode { whymark::cli::main(std::env::args_os()) }"),
        ("cli/mod.rs", "use crate::tui; use std::time::Instant;"),
        ("document/note.rs", "let exists = exists(note); use std::time::Duration; use std::io;"),
    ] {
        assert_eq!(check(name, text), [""; 0], "{name}: {text}");
    }
}

#[test]
fn a_file_that_only_tests_use_is_known_by_its_mod_line() {
    let text = "mod a;\n#[cfg(test)]\nmod laws;\n#[cfg(test)]\nmod tests {\n}\n";
    assert_eq!(scan::test_modules("markback/mod.rs", text), ["markback/laws.rs"]);
    assert_eq!(scan::test_modules("git.rs", text), ["git/laws.rs"]);
    assert_eq!(scan::test_modules("lib.rs", text), ["laws.rs"]);
}
