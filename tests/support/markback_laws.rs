//! The laws of Markback as a function that panics: on whatever text it is given, and whoever finds it.

use whymark::markback::{Checks, Markback, Record, Style, append, canonical, lint};

/// What must hold for a Markback file: `input` is one, and pieces of it are what is added to one.
pub(crate) fn hold(input: &[u8]) {
    hold_for_reading(input);
    let (text, rest) = input.split_at(input.len() / 2);
    hold_for_reading(text);
    let file = Markback::parse(text.to_vec());
    let rest = String::from_utf8_lossy(rest).replace("\r\n", "\n").replace('\r', "\n");
    let (subject, feedback) = rest.split_once('\n').unwrap_or(("", &rest));
    let subject = Some(subject.into()).filter(|_| !subject.is_empty());
    let record = Record { file: subject, feedback: feedback.into(), ..Record::default() };
    if let Ok(edit) = append(text, &record) {
        let after = edit.apply(text);
        assert!(after.starts_with(text), "nothing that is there changes");
        let after = Markback::parse(after);
        let records: Vec<Record<'_>> = after.records().collect();
        let (last, others) = records.split_last().expect("there is one now");
        assert_eq!(*last, record, "it reads as it is");
        assert_eq!(others, file.records().collect::<Vec<_>>(), "the others read as before");
    }
}

/// The lines are the file, one record reads as it does among all, whatever is found can be said, and the canonical form
/// says the same and is its own.
fn hold_for_reading(text: &[u8]) {
    let file = Markback::parse(text.to_vec());
    let lines: Vec<u8> = file.lines().flat_map(|line| line.span.of(text).to_vec()).collect();
    assert_eq!(lines, text, "the lines are the file");
    let records: Vec<Record<'_>> = file.records().collect();
    for (index, record) in records.iter().enumerate().take(50) {
        assert_eq!(file.record(index).as_ref(), Some(record), "alone as among others");
    }
    let is_there = |path: &str| path.len().is_multiple_of(2);
    let found = lint(&file, Checks { canonical: true, is_there: Some(&is_there) });
    let lines = file.lines().count();
    for finding in found.iter() {
        let line = finding.line.map(|line| line as usize);
        assert!(line.is_none_or(|line| line < lines.max(1)), "the line is there");
        assert!(!finding.message(&file).is_empty() && finding.column(&file).is_some() == line.is_some());
    }
    if found.iter().any(|finding| finding.is_error()) {
        return;
    }
    let Ok(written) = canonical(&file, Style::Normalized) else { return };
    let after = Markback::parse(written.clone());
    assert_eq!(canonical(&after, Style::Normalized), Ok(written), "the canonical form is its own");
    let by_keyword = |mut record: Record<'static>| {
        record.unknown.sort_by(|one, other| one.keyword.cmp(&other.keyword));
        record
    };
    let kept: Vec<_> = records.into_iter().map(|record| by_keyword(record.into_owned())).collect();
    assert_eq!(after.records().map(Record::into_owned).collect::<Vec<_>>(), kept, "nothing is lost");
    let (before, after) = (file.headers(), after.headers());
    assert_eq!((&before.scope, &before.covers), (&after.scope, &after.covers), "nor of the file headers");
    assert_eq!(before.unknown.len(), after.unknown.len(), "known or not");
}
