//! `whymark queue`: standard input in, standard output out, and what is refused leaves that empty.

use crate::support::sandbox::piped;
use crate::support::{Run, Sandbox};

const TABLE: &str = "\
session: specs/001-feature
queue[2]{kind,file,heading,occurrence,quote,note}:
  anno,spec.md,Goals,0,must be fast,\"quantify, target\\nms?\"
  chat,-,-,0,-,\"a\\nb, c\"
escapes[1]{row,field,real}:
  1,note,none
";

const JSON: &str = concat!(
    r#"{"session":"specs/001-feature","items":[{"kind":"anno","file":"spec.md","heading":"Goals","occurrence":0,"#,
    r#""quote":"must be fast","note":"quantify, target\u000ams?"},{"kind":"chat","occurrence":0,"note":"a\\nb, c"}]}"#,
    "\n"
);

fn queue(command: &str, input: &[u8]) -> Run {
    piped(Sandbox::empty().whymark_command(&["queue", command]), input)
}

#[track_caller]
fn check(command: &str, input: &str, code: i32, stdout: &str, stderr: &str) {
    let run = queue(command, input.as_bytes());
    assert_eq!((run.code, String::from_utf8_lossy(&run.stdout).as_ref(), run.stderr.as_str()), (code, stdout, stderr));
}

#[test]
fn there_and_back() {
    check("encode", JSON, 0, TABLE, "");
    check("decode", TABLE, 0, JSON, "");
    check("decode", &TABLE.replace('\n', "\r\n"), 0, JSON, "");
    check("encode", r#"{"items":[]}"#, 0, "queue: 0 items\n", "");
    check("decode", "queue: 0 items\n", 0, "{\"items\":[]}\n", "");
}

#[test]
fn unknown_kinds_are_kept_with_a_warning() {
    let header = "queue[3]{kind,file,heading,occurrence,quote,note}:\n";
    let table = format!("{header}  to\u{1b}do,-,-,0,-,a\n  -,-,-,0,-,b\n  \"\",-,-,0,-,c\n");
    let json = r#"{"items":[{"kind":"to\u001bdo","occurrence":0,"note":"a"},{"occurrence":0,"note":"b"},{"kind":"","occurrence":0,"note":"c"}]}"#;
    let warnings = "warning: row 0: unknown kind \"to^[do\"\nwarning: row 1: unknown kind \"-\"\nwarning: row 2: unknown kind \"\"\n";
    check("decode", &table, 0, &format!("{json}\n"), warnings);
}

#[test]
fn what_is_no_table_is_refused() {
    let again = "  try: `whymark poll` again; nothing is lost\n";
    check("decode", &TABLE[..TABLE.len() - 1], 1, "", &format!("error: cut off in the last line\n{again}"));
    let rows = TABLE.replace("queue[2]", "queue[3]");
    check("decode", &rows, 1, "", &format!("error: 2 rows, 3 announced\n{again}"));
    let cells = TABLE.replace("-,-,0", "-,0");
    check("decode", &cells, 1, "", "error: row 1: 5 cells, 6 expected\n  try: look at line 4\n");
    check("decode", "", 1, "", "error: no queue line\n  try: look at line 1\n");
    let run = queue("decode", b"queue: 0 items\n\xff\n");
    assert_eq!((run.code, run.stderr.as_str()), (2, "error: not UTF-8\n  try: look at line 2\n"));
}

#[test]
fn what_is_no_queue_as_json_is_refused() {
    for (json, message) in [
        ("", "EOF while parsing a value at line 1 column 0"),
        (r#"{"items":[{"note":1}]}"#, "invalid type: integer `1`, expected a string at line 1 column "),
        (r#"{"items":[{"occurrence":4294967296}]}"#, "invalid value: integer `4294967296`, expected u32"),
        (r#"{"session":"s"}"#, "missing field `items`"),
    ] {
        let run = queue("encode", json.as_bytes());
        assert_eq!((run.code, run.stdout.len()), (2, 0), "{json}");
        let said = format!("error: standard input holds no queue as JSON: {message}");
        assert!(run.stderr.starts_with(&said) && run.stderr.contains("\n  try: "), "{json}: {}", run.stderr);
    }
}
