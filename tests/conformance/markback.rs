//! The fixtures of Markback: `records` is a subset, absent values left out; `lint` are all findings, nothing outside being
//! looked at; `sources` those about files that are not there; `canonical` the lines of the canonical form, null where
//! there is none; `sweep` what is covered and clean.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use whymark::markback::{Checks, Finding, Folders, Markback, Record, Style, canonical, lint, sweep};

use super::{difference, fixtures};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/markback")
}

/// A record as `mb list --json` has it.
fn shown(record: &Record<'_>) -> Value {
    let actions: Vec<Value> = record
        .actions
        .iter()
        .map(|action| json!({"verb": action.verb, "timestamp": action.timestamp, "actor": action.actor}))
        .collect();
    let mut metadata = serde_json::Map::new();
    for header in &record.unknown {
        let value = Value::from(header.value.as_ref());
        let all = match metadata.remove(header.keyword.as_ref()) {
            None => value,
            Some(Value::Array(values)) => values.into_iter().chain([value]).collect(),
            Some(first) => json!([first, value]),
        };
        metadata.insert(header.keyword.to_string(), all);
    }
    let Record { id, by, reply_to, file, input, tags, content, feedback, .. } = record;
    json!({"id": id, "by": by, "reply_to": reply_to, "file": file, "input": input, "tags": &tags[..], "actions": actions,
        "content": content, "feedback": feedback, "metadata": metadata})
}

fn listed(findings: impl Iterator<Item = Finding>) -> BTreeSet<String> {
    let line = |finding: &Finding| finding.line.map_or(0, |line| line + 1);
    findings.map(|finding| format!("{} {}", line(&finding), finding.rule().code)).collect()
}

fn wanted(list: &Value) -> BTreeSet<String> {
    list.as_array().into_iter().flatten().map(|one| one.as_str().unwrap().to_owned()).collect()
}

/// The fixtures' own files.
struct Disk;

impl Folders for Disk {
    fn names(&mut self, path: &str) -> Vec<String> {
        let entries = fs::read_dir(path).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into_string().unwrap()).collect()
    }

    fn has_file(&mut self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn is_real_folder(&mut self, path: &str) -> bool {
        Path::new(path).is_dir()
    }
}

fn check(name: &str, text: Vec<u8>, want: &Value) {
    let file = Markback::parse(text);
    let found = lint(&file, Checks { canonical: true, is_there: None });
    let records: Value = file.records().map(|record| shown(&record)).collect();
    let differences = difference(&want["records"], &records, "records");
    assert_eq!(differences, None, "{name}");
    assert_eq!(listed(found.iter()), wanted(&want["lint"]), "{name}");

    let is_there = |path: &str| folder().join(path).exists();
    let looked = lint(&file, Checks { canonical: false, is_there: Some(&is_there) });
    let missing = looked.iter().filter(|finding| ["W003", "W009"].contains(&finding.rule().code));
    assert_eq!(listed(missing), wanted(&want["sources"]), "{name}");

    let has_errors = found.iter().any(|finding| finding.is_error());
    let written = canonical(&file, Style::Normalized).ok().filter(|_| !has_errors);
    let lines = written.map_or(Value::Null, |text| text.split('\n').map(Value::from).collect());
    assert_eq!(lines, want["canonical"], "{name}");

    if want["sweep"].is_object() {
        let swept = sweep(&file, folder().to_str().unwrap(), &mut Disk).expect("it covers something");
        assert_eq!(json!({"covered": swept.covered, "clean": swept.clean}), want["sweep"], "{name}");
    }
}

fn expected(name: &str) -> Value {
    let text = fs::read(folder().join(format!("{name}.json"))).expect("every fixture has its JSON");
    serde_json::from_slice(&text).expect("what is expected is JSON")
}

#[test]
fn fixtures_read_as_expected() {
    for (name, text) in fixtures(&folder(), "mb") {
        check(&name, text, &expected(&name));
    }
}

#[test]
fn line_ends_change_nothing() {
    for (name, text) in fixtures(&folder(), "mb") {
        let bare = String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\r', "\n");
        if bare.as_bytes() == text {
            for end in ["\r\n", "\r"] {
                check(&name, bare.replace('\n', end).into_bytes(), &expected(&name));
            }
        }
    }
}

#[test]
fn canonical_forms_are_fixtures_of_their_own() {
    for (name, _) in fixtures(&folder(), "mb") {
        let mut want = expected(&name);
        let Some(lines) = want["canonical"].as_array() else { continue };
        let text = lines.iter().map(|line| line.as_str().unwrap()).collect::<Vec<_>>().join("\n");
        let file = Markback::parse(text.clone());
        let found = lint(&file, Checks { canonical: true, is_there: None });
        let codes: BTreeSet<&str> = found.iter().map(|finding| finding.rule().code).collect();
        assert!(
            codes.iter().all(|code| !code.starts_with('E') && !["W005", "W008"].contains(code)),
            "{name}: {codes:?}"
        );
        want["lint"] = listed(found.iter()).into_iter().map(Value::from).collect();
        want["sources"] = Value::Null;
        if expected(&name)["sources"].is_null() {
            check(&name, text.into_bytes(), &want);
        }
    }
}
