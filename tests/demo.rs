//! The sample is what it says: its review is the review of what really is staged in it.

use std::path::Path;

use whymark::demo::unpack;
use whymark::markback::{Markback, Reference};

use crate::support::Sandbox;

/// Run git in the unpacked sample.
fn git(sandbox: &Sandbox, folder: &Path, args: &[&str]) -> String {
    String::from_utf8(sandbox.git_in(folder, args)).expect("the sample is UTF-8")
}

/// `path`, `old id..new id` and the hunks of every file in the output of `git diff`.
fn staged(diff: &str) -> Vec<(String, String, String)> {
    let sections = diff.split("diff --git ").skip(1);
    let read = |section: &str| {
        let path = section.lines().next().and_then(|line| line.split_once(" b/")).expect("a header names two files").1;
        let index = section.lines().find_map(|line| line.strip_prefix("index ")).expect("there is an index line");
        let ids = index.split(' ').next().unwrap_or(index).replace("0000000", "");
        let hunks = section.find("\n@@").map_or("", |at| &section[at + 1..]);
        (path.to_owned(), ids, hunks.to_owned())
    };
    sections.map(read).collect()
}

/// The same of every file in a review.
fn reviewed(review: &str) -> Vec<(String, String, String)> {
    let sections = review.split("\n@file ").skip(1);
    let read = |section: &str| {
        let (header, rest) = section.split_once('\n').expect("hunks follow a header");
        let value = |key: &str| header.split(' ').find_map(|word| word.strip_prefix(key)).unwrap_or("");
        let path = header.split(' ').next().unwrap_or(header);
        let hunks = rest.split("\n@note ").next().unwrap_or(rest).trim_end_matches('\n');
        (path.to_owned(), format!("{}..{}", value("oldsha="), value("newsha=")), format!("{hunks}\n"))
    };
    sections.map(read).collect()
}

#[test]
fn the_review_is_about_what_is_staged() {
    let sandbox = Sandbox::new();
    let folder = unpack(&sandbox.home()).expect("the sandbox is writable");
    let review = std::fs::read_to_string(folder.join("reviews/staged-main.whymark")).expect("there is a review");
    let diff = git(&sandbox, &folder, &["diff", "--cached"]);
    assert_eq!(reviewed(&review), staged(&diff));
    let head = git(&sandbox, &folder, &["rev-parse", "--short", "HEAD"]);
    assert!(review.contains(&format!("\nbase: HEAD@{}\n", head.trim())), "{head}");
}

#[test]
fn nothing_but_the_staged_change_and_the_review_is_there() {
    let sandbox = Sandbox::new();
    let folder = unpack(&sandbox.home()).expect("the sandbox is writable");
    let status = git(&sandbox, &folder, &["status", "--porcelain", "--branch"]);
    let expected = "## main\nA  limiter/bucket.py\nR  limiter/http.py -> limiter/middleware.py\nD  limiter/window.py\n\
                    M  limits.toml\nA  tests/test_bucket.py\nM  web/retry.ts\n?? reviews/\n";
    assert_eq!(status, expected);
    assert_eq!(git(&sandbox, &folder, &["fsck", "--strict"]), "");
}

#[test]
fn a_folder_that_is_there_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write("turnstile/limits.toml", "mine");
    let refused = unpack(&sandbox.repo()).map_err(|error| error.to_string());
    let complaint = refused.expect_err("the folder is not free");
    assert!(complaint.contains("turnstile"), "{complaint}");
    assert_eq!(sandbox.read("turnstile/limits.toml"), b"mine");
}

#[test]
fn the_records_quote_the_lines_they_are_about() {
    let sandbox = Sandbox::new();
    let folder = unpack(&sandbox.home()).expect("the sandbox is writable");
    let text = std::fs::read(folder.join("reviews/staged-main.mb")).expect("there are records");
    let records = Markback::parse(text);
    assert_eq!(records.findings(), []);
    assert_eq!(records.records().map(|record| record.is_resolved()).collect::<Vec<_>>(), [false, true, false]);
    for record in records.records() {
        let reference = Reference::parse(record.file.as_deref().expect("a record names its file"));
        let (start, end) = reference.range.map(|range| (range.start.line, range.end.line)).expect("and its lines");
        let file = std::fs::read_to_string(folder.join("reviews").join(reference.path)).expect("which is there");
        let lines: Vec<&str> = file.split('\n').collect();
        let lines = lines[usize::try_from(start).unwrap() - 1..usize::try_from(end).unwrap()].join("\n");
        assert_eq!(record.content.as_deref().unwrap_or(&lines), lines);
    }
}
