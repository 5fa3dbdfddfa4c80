//! The reviewer from keys to frames and files, without a terminal.

mod acting;
mod acting_by_hand;
mod acting_whole;
mod acting_worktree;
mod answering;
mod carried;
mod changing;
mod chaos;
mod characters;
mod commands;
mod documents;
mod drafts;
mod finding;
mod following;
mod folders;
mod lines;
mod living;
mod looks;
mod mouse;
mod moved;
mod moving;
mod reading;
mod refused;
mod saving;
mod searching;
mod several;
mod since;
mod standing;
mod talking;
#[cfg(unix)]
mod verifying;
mod viewed;
mod views;
mod writing;

use whymark::lcov::Report;

use crate::support::{Sandbox, Screen};

/// Three files: two hunks, of which two added lines are explained by a note; a file with a note on the whole of it;
/// a file that went.
pub(crate) const REVIEW: &str = r#"---
whymark: 1
title: Greet by name
author: Ada Example
date: 2026-01-02
scope: staged
---

@file src/greet.rs modified
@@ -1,4 +1,6 @@ mod greet
 fn main() {
-    println!("hello");
+    let name = name();
+    println!("hello {name}");
+    done();
     other();
 }
@@ -20,3 +22,4 @@ mod name
 fn name() -> String {
+    // nobody
     String::new()
 }

@note +2..3 kind=intent risk=low confidence=0.9
why: people asked to be called by their names
verify: cmd `cargo test` => pass

@file docs/guide.md added
@@ -0,0 +1,2 @@
+# Guide
+Say hello.

@note file
why: there was no guide

@file docs/old.md deleted
@@ -1,2 +0,0 @@
-# Old
-Gone.
"#;

/// [`REVIEW`], opened. The cursor is on the header of the first file; `j` twice is its first line.
fn review() -> Screen {
    Screen::document(REVIEW)
}

/// [`REVIEW`] with a first note that is taller than most screens, opened.
fn tall() -> Screen {
    let body: String = (1..=60).map(|line| format!("body {line}.\n")).collect();
    Screen::document(REVIEW.replacen("=> pass\n", &format!("=> pass\n\n{body}"), 1))
}

/// [`REVIEW`] with a report of tests that ran all but two of its added lines, opened.
fn tested() -> Screen {
    let mut screen = review();
    let report = Report::parse(b"SF:src/greet.rs\nDA:2,1\nDA:3,0\nDA:23,0\n");
    screen.model.review.tests = report.about(b"/r", &["src/greet.rs".into()]);
    let tests = screen.model.review.tests.clone();
    screen.model.parts.iter_mut().for_each(|part| part.test(&tests));
    screen
}

/// A repository with three staged changes: a modified, an added and a renamed file.
pub(crate) fn staged() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("a.txt", "one\ntwo\nthree\n");
    sandbox.write("old name.txt", "stays\nas\nit\nis\n");
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "First"]);
    sandbox.write("a.txt", "one\nTWO\nthree\nfour\n");
    sandbox.write("b.txt", "new\n");
    sandbox.git(&["mv", "old name.txt", "new name.txt"]);
    sandbox.git(&["add", "."]);
    sandbox
}
