//! Every fixture reads as the JSON beside it says, whatever its line ends.
//!
//! `document` and `stats` are subsets: keys that they name must be equal, lists have the same length, null is absent.
//! `structure` and `review` are all findings: line, level, code.

mod markback;

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use whymark::document::check::{Located, review, structure};
use whymark::document::{Document, LineMap, json};
use whymark::metrics::Stats;

/// Every review among the fixtures, with its name.
pub(crate) fn reviews() -> Vec<(String, Vec<u8>)> {
    fixtures(&folder(), "whymark")
}

/// The fixtures in `folder` with this extension, with their names.
fn fixtures(folder: &Path, extension: &str) -> Vec<(String, Vec<u8>)> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the fixtures are there").flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|found| found == extension));
    paths.sort();
    let name = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    paths.iter().map(|path| (name(path), fs::read(path).expect("a fixture is readable"))).collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/whymark")
}

fn expected(name: &str) -> Value {
    let text = fs::read(folder().join(format!("{name}.json"))).expect("every fixture has its JSON");
    serde_json::from_slice(&text).expect("what is expected is JSON")
}

/// Where `got` is not what `want` asks for.
fn difference(want: &Value, got: &Value, at: &str) -> Option<String> {
    match (want, got) {
        (Value::Null, Value::Null) => None,
        (Value::Object(want), Value::Object(_)) => {
            want.iter().find_map(|(key, value)| difference(value, &got[key.as_str()], &format!("{at}.{key}")))
        }
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            let mut pairs = want.iter().zip(got).enumerate();
            pairs.find_map(|(index, (want, got))| difference(want, got, &format!("{at}[{index}]")))
        }
        _ if want == got => None,
        _ => Some(format!("{at}: want {want}, got {got}")),
    }
}

fn listed(document: &Document, found: &[Located]) -> Value {
    let lines = LineMap::of(document);
    let line = |found: &Located| {
        let diagnostic = &found.diagnostic;
        let line = lines.line(diagnostic.range.start).0;
        Value::from(format!("{line} {} {}", diagnostic.severity.as_str(), diagnostic.code))
    };
    found.iter().map(line).collect()
}

fn check(name: &str, text: Vec<u8>) {
    let want = expected(name);
    let document = Document::parse(text);
    let found = structure(&document);
    let shown = serde_json::to_value(json::show(&document, &found)).expect("a document is JSON");
    let mut differences = vec![
        difference(&want["document"], &shown, "document"),
        difference(&want["structure"], &listed(&document, &found), "structure"),
    ];
    if want["review"].is_array() {
        differences.push(difference(&want["review"], &listed(&document, &review(&document)), "review"));
    }
    if want["stats"].is_object() {
        let stats = serde_json::to_value(Stats::of(&document)).expect("numbers are JSON");
        differences.push(difference(&want["stats"], &stats, "stats"));
    }
    let differences: Vec<String> = differences.into_iter().flatten().collect();
    assert!(differences.is_empty(), "{name}:\n{}", differences.join("\n"));
}

#[test]
fn fixtures_read_as_expected() {
    for (name, text) in reviews() {
        check(&name, text);
    }
}

#[test]
fn line_ends_change_nothing() {
    for (name, text) in reviews().into_iter().filter(|(_, text)| !text.contains(&b'\r')) {
        let crlf = text.iter().flat_map(|byte| if *byte == b'\n' { b"\r\n".to_vec() } else { vec![*byte] });
        check(&name, crlf.collect());
    }
}

#[test]
fn a_byte_order_mark_changes_nothing() {
    for (name, text) in reviews() {
        check(&name, [b"\xef\xbb\xbf", &text[..]].concat());
    }
}
