//! What holds for every file and every record, on generated ones.

use std::borrow::Cow;
use std::ops::Range;

use proptest::prelude::*;
use proptest::sample::select;

use super::print::Comparison;
use super::{
    Action, Checks, Finding, Header, Markback, Record, Style, add_action, append, canonical, is_canonical, lint,
};

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

fn record() -> impl Strategy<Value = Record<'static>> {
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
            let own = |text: Option<String>| text.map(Cow::Owned);
            let action = |(timestamp, actor): (String, Option<String>)| Action {
                verb: "done".into(),
                timestamp: timestamp.into(),
                actor: own(actor),
            };
            let header =
                |(keyword, value): (&'static str, String)| Header { keyword: keyword.into(), value: value.into() };
            let unknown = unknown.into_iter().map(header).collect();
            let actions = actions.into_iter().map(action).collect();
            let tags = tags.into_iter().map(Cow::Owned).collect();
            let (id, by, input, file, content) = (own(id), own(by), own(input), own(file), own(content));
            Record { id, reply_to: None, by, actions, tags, input, file, unknown, content, feedback: feedback.into() }
        },
    )
}

/// `record` as it is read back: one kind of line end, no blank lines around the content, further headers sorted.
fn as_read(mut record: Record<'_>) -> Record<'static> {
    let unified = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    let is_blank = |line: &str| line.trim().is_empty();
    record.feedback = unified(&record.feedback).into();
    record.content = record.content.and_then(|content| {
        let content = unified(&content);
        let lines: Vec<&str> = content.split('\n').map(|line| if is_blank(line) { "" } else { line }).collect();
        let content = lines.join("\n").trim_matches('\n').to_owned();
        Some(content).filter(|content| !content.is_empty()).map(Cow::Owned)
    });
    record.unknown.sort_by(|left, right| left.keyword.cmp(&right.keyword));
    record.into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn any_bytes_are_a_file_tiled_by_its_lines(text in bytes()) {
        let file = Markback::parse(text.clone());
        let joined: Vec<u8> = file.lines().flat_map(|line| line.span.of(&text).to_vec()).collect();
        prop_assert_eq!(joined, text);
        let mut next = 0;
        for entry in file.entries() {
            prop_assert!(next <= entry.start && entry.start <= entry.first);
            prop_assert!(entry.first <= entry.feedback && entry.feedback <= entry.end);
            next = entry.end + 1;
        }
        prop_assert!(next as usize <= file.lines().count());
    }

    #[test]
    fn what_is_appended_is_read_back(existing in text(), record in record()) {
        let Ok(edit) = append(existing.as_bytes(), &record) else { return Ok(()) };
        let text = edit.apply(existing.as_bytes());
        prop_assert!(text.starts_with(existing.as_bytes()));
        let before = Markback::parse(existing.clone());
        let expected: Vec<Record<'_>> = before.records().chain([as_read(record)]).collect();
        let after = Markback::parse(text);
        prop_assert_eq!(after.records().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn an_action_is_added_to_one_record_and_changes_nothing_else(text in text(), index in 0..4usize) {
        let file = Markback::parse(text.clone());
        let Some(entry) = file.entries().get(index) else { return Ok(()) };
        let action = Action { verb: "resolved".into(), timestamp: "2026".into(), actor: Some("a b".into()) };
        let Ok(edit) = add_action(&file, entry, &action) else { return Ok(()) };
        let mut expected: Vec<Record<'_>> = file.records().collect();
        expected[index].actions.push(action);
        let after = Markback::parse(edit.apply(text.as_bytes()));
        prop_assert_eq!(after.records().collect::<Vec<_>>(), expected);
        prop_assert!(after.record(index).is_some_and(|record| record.is_resolved()));
    }

    /// Large files are compared in parts, as is the text that would be written for this one.
    #[test]
    fn parts_are_canonical_as_the_whole_is(text in text(), cut in 0..4usize, is_written in any::<bool>()) {
        let file = Markback::parse(text);
        let written = canonical(&file, Style::Kept).ok().filter(|_| is_written);
        let file = written.map_or(file, Markback::parse);
        let count = file.entries().len();
        let cut = cut.min(count);
        let verdict = |part: Range<usize>| {
            let mut comparison = Comparison::new(&file, part.clone());
            file.records_in(part).for_each(|record| comparison.take(&record));
            comparison.verdict()
        };
        let above = (cut > 0).then(|| verdict(0..cut)).flatten();
        let of_parts = above.or_else(|| verdict(cut..count)).unwrap_or(true);
        prop_assert_eq!(of_parts, is_canonical(&file));
    }

    #[test]
    fn the_canonical_form_says_the_same_and_is_its_own(text in text()) {
        let file = Markback::parse(text);
        let has_errors = |file: &Markback| lint(file, Checks::default()).iter().any(|finding| finding.is_error());
        if has_errors(&file) {
            return Ok(());
        }
        for style in [Style::Normalized, Style::Kept, Style::Compact] {
            let Ok(written) = canonical(&file, style) else { continue };
            let after = Markback::parse(written.clone());
            let mut expected: Vec<Record<'_>> = file.records().collect();
            for record in &mut expected {
                record.unknown.sort_by(|left, right| left.keyword.cmp(&right.keyword));
            }
            prop_assert_eq!(after.records().collect::<Vec<_>>(), expected);
            prop_assert_eq!((&after.headers().scope, &after.headers().covers), (&file.headers().scope, &file.headers().covers));
            prop_assert_eq!(after.headers().unknown.len(), file.headers().unknown.len());
            prop_assert!(!has_errors(&after));
            prop_assert_eq!(canonical(&after, style), Ok(written));
            let codes = lint(&after, Checks { canonical: style != Style::Compact, is_there: None });
            prop_assert!(codes.iter().all(|finding: Finding| !["W005", "W008"].contains(&finding.rule().code)));
        }
    }
}
