//! What holds for every file and every record, on generated ones.

use proptest::prelude::*;
use proptest::sample::select;

use super::{Action, Header, Markback, Record, add_action, append};

/// Text in which structure, blanks and line ends are much more frequent than in prose.
fn text() -> impl Strategy<Value = String> {
    const PIECES: [&str; 18] = [
        "---",
        "<<<",
        "<<< ",
        "\"\"\"",
        "@file ",
        "@by b",
        "%scope ",
        " ",
        "\t",
        "\n",
        "\n",
        "\r\n",
        "\r",
        "x",
        "\u{feff}",
        "\u{a0}",
        "\u{e9}:1",
        "@action a b",
    ];
    prop::collection::vec(select(&PIECES), 0..16).prop_map(|pieces| pieces.concat())
}

fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let broken = select(vec![b"\xff".to_vec(), b"\xc2".to_vec(), Vec::new(), Vec::new()]);
    (text(), broken, text()).prop_map(|(head, broken, tail)| [head.into_bytes(), broken, tail.into_bytes()].concat())
}

fn record() -> impl Strategy<Value = Record> {
    let value = || prop_oneof![Just("a b".to_owned()), Just("a<<<b".to_owned()), text()];
    let optional = || prop::option::weighted(0.4, value());
    let header = (select(vec!["x-y", "filex", "uri"]), value());
    let action = (value(), optional());
    let head = (optional(), optional(), optional(), optional());
    let lists = (
        prop::collection::vec(prop_oneof![Just("t".to_owned()), text()], 0..3),
        prop::collection::vec(header, 0..2),
        prop::collection::vec(action, 0..2),
    );
    (head, lists, optional(), value()).prop_map(
        |((id, by, input, file), (tags, unknown, actions), content, feedback)| {
            let action = |(timestamp, actor)| Action { verb: "done".to_owned(), timestamp, actor };
            let header = |(keyword, value): (&str, String)| Header { keyword: keyword.to_owned(), value };
            let unknown = unknown.into_iter().map(header).collect();
            let actions = actions.into_iter().map(action).collect();
            Record { id, reply_to: None, by, actions, tags, input, file, unknown, content, feedback }
        },
    )
}

/// `record` as it is read back: one kind of line end, no blank lines around the content, further headers sorted.
fn as_read(mut record: Record) -> Record {
    let unified = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let is_blank = |line: &str| line.trim().is_empty();
    record.feedback = unified(&record.feedback);
    record.content = record.content.and_then(|content| {
        let content = unified(&content);
        let lines: Vec<&str> = content.split('\n').map(|line| if is_blank(line) { "" } else { line }).collect();
        let content = lines.join("\n").trim_matches('\n').to_owned();
        Some(content).filter(|content| !content.is_empty())
    });
    record.unknown.sort_by(|left, right| left.keyword.cmp(&right.keyword));
    record
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_bytes_are_a_file_tiled_by_its_lines(text in bytes()) {
        let file = Markback::parse(text.clone());
        let joined: Vec<u8> = file.lines().iter().flat_map(|line| line.span.of(&text).to_vec()).collect();
        prop_assert_eq!(joined, text);
        let mut next = 0;
        for entry in file.entries() {
            prop_assert!(next <= entry.start && entry.start <= entry.first);
            prop_assert!(entry.first <= entry.feedback && entry.feedback <= entry.end);
            next = entry.end + 1;
        }
        prop_assert!(next <= file.lines().len());
    }

    #[test]
    fn what_is_appended_is_read_back(existing in text(), record in record()) {
        let Ok(edit) = append(existing.as_bytes(), &record) else { return Ok(()) };
        let text = edit.apply(existing.as_bytes());
        prop_assert!(text.starts_with(existing.as_bytes()));
        let before = Markback::parse(existing.clone());
        let expected: Vec<Record> = before.records().cloned().chain([as_read(record)]).collect();
        let after: Vec<Record> = Markback::parse(text).records().cloned().collect();
        prop_assert_eq!(after, expected);
    }

    #[test]
    fn an_action_is_added_to_one_record_and_changes_nothing_else(text in text(), index in 0..4usize) {
        let file = Markback::parse(text.clone());
        let Some(entry) = file.entries().get(index) else { return Ok(()) };
        let action = Action { verb: "resolved".to_owned(), timestamp: "2026".to_owned(), actor: Some("a b".to_owned()) };
        let Ok(edit) = add_action(&file, entry, &action) else { return Ok(()) };
        let mut expected: Vec<Record> = file.records().cloned().collect();
        expected[index].actions.push(action);
        let after = Markback::parse(edit.apply(text.as_bytes()));
        prop_assert_eq!(after.records().cloned().collect::<Vec<_>>(), expected);
        prop_assert!(after.entries()[index].record.is_resolved());
    }
}
