//! A record that says something else than before, or goes. No other line changes, and no other record reads differently.

use super::append::newline;
use super::headers::Unwritable;
use super::line::{LineClass, markers};
use super::prepare::prepared;
use super::print::write_feedback;
use super::record::Record;
use super::{Entry, Markback};
use crate::text::edit::Edit;

/// The edit that makes `feedback` the feedback of the record at `index`: what stands behind its `<<<` is replaced.
///
/// # Errors
/// When nothing that can be written there reads so.
///
/// # Panics
/// When there is no such record.
pub fn amend(file: &Markback, index: usize, feedback: &str) -> Result<Edit, Unwritable> {
    let entry = &file.entries[index];
    let mut wanted: Vec<Record<'_>> = file.records().collect();
    let record = Record { feedback: feedback.into(), ..Record::default() };
    let feedback = prepared(&record)?.feedback.into_owned();
    if wanted[index].feedback == feedback {
        return Ok(Edit::default());
    }
    wanted[index].feedback = feedback.as_str().into();
    let mut lines = String::new();
    write_feedback(&mut lines, &feedback)?;
    let with = lines.strip_suffix('\n').unwrap_or(&lines).replace('\n', newline(file));
    let start = file.content(entry.feedback).start as usize;
    let end = file.content(entry.end).end as usize;
    let edits = markers(file.line_str(entry.feedback)).map(|at| Edit::replace(start + at..end, with.as_str()));
    let mut fitting = edits.filter(|edit| Markback::parse(edit.apply(&file.text)).records().eq(wanted.iter().cloned()));
    fitting.next().ok_or(Unwritable::Entangled)
}

/// The edit that takes the record at `index` out: its lines, and what separates them from those around them.
///
/// # Errors
/// When another record would be read differently without it, such as one that takes its file from it.
///
/// # Panics
/// When there is no such record.
pub fn remove(file: &Markback, index: usize) -> Result<Edit, Unwritable> {
    let Entry { first, end, .. } = file.entries[index];
    let mut wanted: Vec<Record<'_>> = file.records().collect();
    wanted.remove(index);
    let is_gap = |line: &u32| matches!(file.class(*line), LineClass::Blank | LineClass::Separator);
    let above = (0..first).rev().take_while(is_gap).last().unwrap_or(first);
    let last = u32::try_from(file.lines.len()).unwrap_or(u32::MAX);
    let below = (end + 1..last).take_while(is_gap).last().map_or(end + 1, |line| line + 1);
    let is_separator = |line: &u32| file.class(*line) == LineClass::Separator;
    let separator_above = (above..first).rev().find(is_separator).map(|line| (line, end + 1));
    let separator_below = (end + 1..below).find(is_separator).map(|line| (first, line + 1));
    let at_end = (below == last).then_some((above, end + 1));
    let others = [(first, end + 1), (above, end + 1), (first, below), (above, below)];
    let candidates = [separator_above, at_end, separator_below].into_iter().flatten().chain(others);
    let start = |line: u32| file.lines.start(line) as usize;
    let edits = candidates.map(|(from, to)| Edit::replace(start(from)..start(to), ""));
    let findings = file.findings.len();
    let mut fitting = edits.filter(|edit| {
        let after = Markback::parse(edit.apply(&file.text));
        after.findings.len() <= findings
            && after.headers() == file.headers()
            && after.records().eq(wanted.iter().cloned())
    });
    fitting.next().ok_or(Unwritable::Entangled)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn amended(text: &str, index: usize, feedback: &str) -> Result<String, Unwritable> {
        let file = Markback::parse(text.to_owned());
        let edit = amend(&file, index, feedback)?;
        Ok(String::from_utf8(edit.apply(text.as_bytes())).expect("text stays text"))
    }

    #[test]
    fn feedback_is_replaced_where_it_stands() {
        for (text, index, feedback, want) in [
            ("@odd x\n\n text \n<<<  y \n", 0, "z", "@odd x\n\n text \n<<< z\n"),
            ("@file a <<< x\n@file b <<< y", 1, "z", "@file a <<< x\n@file b <<< z"),
            ("@file a<<<b <<< x\n", 0, "z", "@file a<<<b <<< z\n"),
            ("@file a <<< x\n@file b <<< y\n", 0, "1\n2", "@file a <<< \"\"\"\n1\n2\n\"\"\"\n@file b <<< y\n"),
            ("<<< \"\"\"\r\n1\r\n2\r\n\"\"\"\r\n---\r\n<<< y", 0, "z", "<<< z\r\n---\r\n<<< y"),
            ("<<< \"\"\"\n1\n2\n\"\"\"\n", 0, "1\n2", "<<< \"\"\"\n1\n2\n\"\"\"\n"),
        ] {
            assert_eq!(amended(text, index, feedback).as_deref(), Ok(want), "{text:?}");
        }
        assert_eq!(amended("<<< x", 0, " "), Err(Unwritable::EmptyFeedback));
    }

    #[test]
    fn a_record_goes_and_no_other_changes() {
        for (text, index, want) in [
            ("<<< x\n", 0, Some("")),
            ("%markback 2\n\n@id a\n<<< x\n---\n@id b\n<<< y\n", 0, Some("%markback 2\n\n@id b\n<<< y\n")),
            ("@id a\n<<< x\n---\n@id b\n<<< y\n", 1, Some("@id a\n<<< x\n")),
            ("@id a\n<<< x\n---\n@id b\n<<< y\n---\n<<< z\n", 1, Some("@id a\n<<< x\n---\n<<< z\n")),
            ("@file a <<< x\n@file b <<< y\n@file c <<< z\n", 1, Some("@file a <<< x\n@file c <<< z\n")),
            ("@file f\n\na\n<<< x\n\nb\n<<< y\n", 0, None),
            ("@file f\n\na\n<<< x\n\nb\n<<< y\n", 1, Some("@file f\n\na\n<<< x\n")),
            ("@id a\r\n<<< x\r\n---\r\n<<< y", 1, Some("@id a\r\n<<< x\r\n")),
        ] {
            let file = Markback::parse(text.to_owned());
            let edit = remove(&file, index);
            let after = edit.map(|edit| String::from_utf8(edit.apply(text.as_bytes())).expect("text stays text"));
            assert_eq!(after.as_deref().ok(), want, "{text:?} without {index}");
        }
    }
}
