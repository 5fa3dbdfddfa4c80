//! The descriptions of the formats, held against the code: codes, words, and the sections that comments name.

use std::fs;
use std::path::Path;

use whymark::diagnostic::{Rule, Severity};
use whymark::document::check::RULES;
use whymark::document::{ClaimStatus, FileStatus, Kind, Method, ReviewStatus, Risk, Scope, SourceKind, Urgency};

const FORMAT: &str = include_str!("../assets/FORMAT.md");
const MARKBACK: &str = include_str!("../assets/MARKBACK.md");

#[test]
fn every_code_is_there_with_its_severity() {
    check(FORMAT, "8. ", RULES);
    check(MARKBACK, "12. ", whymark::markback::RULES);
}

/// The section that starts so has each rule once, written by its severity.
fn check(text: &str, start: &str, rules: &[Rule]) {
    let section = text.split("\n## ").find(|section| section.starts_with(start)).expect("the section is there");
    for rule in rules {
        let code = rule.code;
        let written = match rule.severity {
            Severity::Error => format!("**{code}**"),
            Severity::Warning => code.to_owned(),
            Severity::Info => format!("*{code}*"),
        };
        let codes = section.lines().filter(|line| line.starts_with('|')).flat_map(|line| line.split(['|', ',']));
        assert_eq!(codes.filter(|cell| cell.trim() == written).count(), 1, "{written}");
    }
}

#[test]
fn every_word_is_there() {
    fn words<T: Copy>(all: &[T], word: fn(T) -> &'static str) -> Vec<&'static str> {
        all.iter().map(|one| word(*one)).collect()
    }
    let words = [
        words(Kind::ALL, Kind::as_str),
        words(Risk::ALL, Risk::as_str),
        words(Urgency::ALL, Urgency::as_str),
        words(SourceKind::ALL, SourceKind::as_str),
        words(Method::ALL, Method::as_str),
        words(ClaimStatus::ALL, ClaimStatus::as_str),
        words(Scope::ALL, Scope::as_str),
        words(ReviewStatus::ALL, ReviewStatus::as_str),
        words(&FileStatus::ALL, FileStatus::as_str),
    ];
    for word in words.concat() {
        assert!(FORMAT.contains(&format!("`{word}`")), "{word}");
    }
}

#[test]
fn every_section_that_a_comment_names_is_there() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut named = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the sources can be read") {
            let path = entry.expect("the sources can be read").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("a source is text");
            for place in text.lines().filter(|line| line.trim_start().starts_with("//")) {
                let Some((_, rest)) = place.split_once("(section") else { continue };
                let end = rest.find([')', ':', '"']).unwrap_or(rest.len());
                let numbers = rest[..end].split(|c: char| !c.is_ascii_digit() && c != '.');
                for number in numbers.filter(|number| number.starts_with(|c: char| c.is_ascii_digit())) {
                    let is_markback = path.iter().any(|name| name == "markback");
                    let format = if is_markback { MARKBACK } else { FORMAT };
                    let is_there = |mark: &str| format.contains(&format!("\n{mark} {number} "));
                    assert!(format.contains(&format!("\n## {number}. ")) || is_there("###"), "{path:?}: {place}");
                    named += 1;
                }
            }
        }
    }
    assert!(named > 20, "only {named} sections are named");
}
