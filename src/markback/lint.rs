//! What is wrong with a file (section 12 of the format), beyond what its parser stumbled over.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::panic::resume_unwind;
use std::thread;

use super::feedback::{has_open_quote, is_json, json};
use super::finding::{Finding, Problem};
use super::print::is_canonical;
use super::range::{Range, Reference};
use super::record::{Entry, Record};
use super::{Markback, Tail};
use crate::text::Span;

/// What is looked at that not everybody wants looked at.
#[derive(Default)]
pub struct Checks<'a> {
    /// Whether the layout is compared with the canonical one (W008).
    pub canonical: bool,
    /// Whether the file or folder at a path is there, seen from the folder of the text (W003, W009). Asked for paths alone,
    /// without ranges, never for URIs.
    pub is_there: Option<&'a mut dyn FnMut(&str) -> bool>,
}

/// A text from which on its layout is compared on a thread of its own: for a shorter one that takes longer.
const LARGE: usize = 1 << 18;

/// All findings about `file`: those of the parser in line order, then W001, W006, those about single records, W011, W008.
#[must_use]
pub fn lint(file: &Markback, checks: Checks<'_>) -> Vec<Finding> {
    let Checks { canonical, is_there } = checks;
    if file.tail == Tail::Unreadable {
        return file.findings.clone();
    }
    // What is not read would not be written.
    let is_comparable = canonical && !file.entries.is_empty() && !file.findings.iter().any(Finding::is_error);
    let (mut findings, is_canonical) = thread::scope(|scope| {
        let is_large = is_comparable && file.text.len() >= LARGE;
        let comparison = is_large.then(|| scope.spawn(|| is_canonical(file)));
        let findings = about_records(file, is_there);
        let is_canonical = match comparison {
            Some(comparison) => comparison.join().unwrap_or_else(|panic| resume_unwind(panic)),
            None => !is_comparable || is_canonical(file),
        };
        (findings, is_canonical)
    });
    if !is_canonical && !findings.iter().any(Finding::is_error) {
        findings.push(Finding { line: Some(0), ..Finding::of_file(Problem::NotCanonical) });
    }
    findings
}

/// The findings of the parser, and those about records.
fn about_records(file: &Markback, is_there: Option<&mut dyn FnMut(&str) -> bool>) -> Vec<Finding> {
    let mut lint = Lint { is_there, ..Lint::new(file) };
    for ((index, entry), record) in (0u32..).zip(&file.entries).zip(file.records()) {
        lint.record(index, entry, &record);
    }
    let circles = lint.replies();
    let Lint { duplicates, without_id, found, .. } = lint;
    let about_records = duplicates.len() + without_id.len() + found.len() + circles.len();
    let mut findings = Vec::with_capacity(file.findings.len() + about_records + 1);
    findings.extend_from_slice(&file.findings);
    findings.extend(duplicates);
    findings.extend(without_id.into_iter().map(|index| without_an_id(file, index)));
    findings.extend(found);
    findings.extend(circles);
    findings
}

/// The record with that index has no id.
fn without_an_id(file: &Markback, index: u32) -> Finding {
    let entry = file.entries[index as usize];
    let at = file.lines[entry.first as usize].content(&file.text);
    Finding { problem: Problem::NoId, at, line: Some(entry.start), record: Some(index) }
}

struct Lint<'a, 'b> {
    file: &'a Markback,
    is_there: Option<&'b mut dyn FnMut(&str) -> bool>,
    duplicates: Vec<Finding>,
    /// Of large files that is often every record: only their indices.
    without_id: Vec<u32>,
    found: Vec<Finding>,
    /// The first record with each id.
    ids: HashMap<&'a str, u32>,
    /// Replies: the record, and the id that it replies to.
    replies: Vec<(u32, &'a str)>,
    /// What `@file` and `@input` of the record above name.
    targets: [Option<Target<'a>>; 2],
}

/// What is known about a value of `@file` or `@input`.
#[derive(Clone, Copy)]
struct Target<'a> {
    value: &'a str,
    is_missing: bool,
    is_reversed: bool,
}

/// A value of a record, which borrows from the file's text as all values of one line do.
fn value<'a>(text: &Option<Cow<'a, str>>) -> Option<&'a str> {
    match text {
        Some(Cow::Borrowed(text)) => Some(text),
        _ => None,
    }
}

impl<'a> Lint<'a, '_> {
    fn new(file: &'a Markback) -> Self {
        Self {
            file,
            is_there: None,
            duplicates: Vec::new(),
            without_id: Vec::new(),
            found: Vec::new(),
            ids: HashMap::new(),
            replies: Vec::new(),
            targets: [None; 2],
        }
    }

    fn record(&mut self, index: u32, entry: &Entry, record: &Record<'a>) {
        let about = |problem, at, line| Finding { problem, at, line: Some(line), record: Some(index) };
        match value(&record.id) {
            None => self.without_id.push(index),
            Some(id) => match self.ids.entry(id) {
                Slot::Occupied(_) => {
                    self.duplicates.push(about(Problem::DuplicateId, self.file.span_of(id), entry.start));
                }
                Slot::Vacant(slot) => drop(slot.insert(index)),
            },
        }
        self.replies.extend(value(&record.reply_to).map(|id| (index, id)));
        let feedback = match json(&record.feedback) {
            Some(text) => (!is_json(text)).then_some(Problem::NotJson),
            None => has_open_quote(&record.feedback).then_some(Problem::OpenQuote),
        };
        let at = self.file.lines[entry.feedback as usize].content(&self.file.text);
        self.found.extend(feedback.map(|problem| about(problem, at, entry.end)));
        let values = [value(&record.file), value(&record.input)];
        let targets: [Option<Target<'a>>; 2] = std::array::from_fn(|which| self.target(which, values[which]));
        for (target, problem) in targets.iter().zip([Problem::NoSuchFile, Problem::NoSuchInput]) {
            if let Some(Target { value, is_missing: true, .. }) = target {
                self.found.push(about(problem, self.file.span_of(Reference::parse(value).path), entry.start));
            }
        }
        for target in targets.iter().flatten().filter(|target| target.is_reversed) {
            self.found.push(about(Problem::ReversedRange, self.file.span_of(target.value), entry.start));
        }
    }

    /// What `value` names. One that is inherited is looked at once.
    fn target(&mut self, which: usize, value: Option<&'a str>) -> Option<Target<'a>> {
        let value = value?;
        let known = self.targets[which].filter(|known| std::ptr::eq(known.value, value));
        let target = known.unwrap_or_else(|| {
            let reference = Reference::parse(value);
            let is_missing =
                !reference.is_uri() && self.is_there.as_mut().is_some_and(|is_there| !is_there(reference.path));
            Target { value, is_missing, is_reversed: reference.range.is_some_and(Range::is_reversed) }
        });
        self.targets[which] = Some(target);
        Some(target)
    }

    /// The replies that lead to nothing or into a circle.
    fn replies(&self) -> Vec<Finding> {
        let mut parents = vec![None; if self.replies.is_empty() { 0 } else { self.file.entries.len() }];
        for (index, id) in &self.replies {
            parents[*index as usize] = self.ids.get(id).copied();
        }
        let in_circle = circles(&parents);
        let finding = |&(index, id): &(u32, &str)| {
            let problem = match parents[index as usize] {
                None => Problem::ReplyToNothing,
                Some(_) if in_circle[index as usize] => Problem::ReplyCircle,
                Some(_) => return None,
            };
            let line = Some(self.file.entries[index as usize].start);
            Some(Finding { problem, at: self.file.span_of(id), line, record: Some(index) })
        };
        self.replies.iter().filter_map(finding).collect()
    }
}

impl Markback {
    /// Where a part of the text stands that was borrowed from it.
    fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        debug_assert!(start + part.len() <= self.text.len(), "the part is one of this text");
        Span::new(start, start + part.len())
    }
}

/// For each record, whether going from parent to parent never ends. Each is visited once.
fn circles(parents: &[Option<u32>]) -> Vec<bool> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        OnTheWay,
        Known(bool),
    }
    let mut states = vec![State::New; parents.len()];
    let mut way = Vec::new();
    for start in 0..parents.len() {
        let mut at = Some(start);
        let endless = loop {
            let Some(index) = at else { break false };
            match states[index] {
                State::Known(endless) => break endless,
                State::OnTheWay => break true,
                State::New => {
                    states[index] = State::OnTheWay;
                    way.push(index);
                    at = parents[index].map(|parent| parent as usize);
                }
            }
        };
        for index in way.drain(..) {
            states[index] = State::Known(endless);
        }
    }
    states.into_iter().map(|state| state == State::Known(true)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `CODE:line` of every finding, nothing but `here` being there.
    fn codes(text: &str) -> String {
        let file = Markback::parse(text.to_owned());
        let mut is_there = |path: &str| path == "here";
        let found = lint(&file, Checks { canonical: true, is_there: Some(&mut is_there) });
        let show = |finding: &Finding| format!("{}:{}", finding.rule().code, finding.line.map_or(0, |line| line + 1));
        found.iter().map(show).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn findings_in_their_order() {
        for (text, expected) in [
            ("", ""),
            ("%markback 2\n", ""),
            ("@id a\n<<< x\n", ""),
            ("<<< x\n", "W006:1"),
            ("@id a\n<<< x\n---\n\n@id a\n<<< y", "W001:4 W008:1"),
            ("@id a\n<<< json:{}\n---\n@id b\n<<< \"\"\"\njson:{\n\"\"\"\n", "E007:7"),
            ("@id a\n<<< a=\"b\n---\n@id b\n<<< a \"b\n", "E008:2"),
            ("@id a\n@input here\n@file gone:5-3 <<< x\n", "W003:1 E011:1"),
            ("@id a\n@input gone:2:5-2:4\n@file here:1 <<< x\n", "W009:1 E011:1"),
            ("@id a\n@file http://gone <<< x\n", ""),
            ("@file gone\n\na\n<<< x\n\nb\n<<< y\n", "W006:1 W006:5 W003:1 W003:5"),
            ("@id a \n<<< x\n", "W004:1 W008:1"),
            ("@id a\n\n\nb\n\n\nc\n\n\n<<< x\n", "W005:3 W005:9 W008:1"),
            ("@id a\n<<< \"\"\"\na\n\n\nb\n\"\"\"\n", ""),
            ("\n\n\n@id a\n<<< x\n\n\n", "W005:2 W005:7 W008:1"),
            ("a\n\n\n@file f <<< x", "W005:3 E001:1 W006:4 W003:4"),
            ("\u{feff}@id a\n<<< x\n", "W008:1"),
            ("@id a\r\n<<< x\r\n", ""),
            ("@id a\n@reply-to a\n<<< x\n", "W011:1"),
        ] {
            let sorted = |codes: &str| codes.split(' ').map(str::to_owned).collect::<std::collections::BTreeSet<_>>();
            assert_eq!(sorted(&codes(text)), sorted(expected), "{text:?}");
        }
        assert_eq!(codes("@id a\n@odd x\n<<< a=\"\n<<< b"), "W002:2 E002:4 W006:4 E008:3");
    }

    #[test]
    fn replies_that_lead_nowhere() {
        let reply = |(id, to): (&str, &str)| format!("@id {id}\n@reply-to {to}\n<<< x\n---\n");
        let text: String =
            [("a", "b"), ("b", "c"), ("c", "b"), ("d", "d"), ("e", "f"), ("f", "gone"), ("a", "e")].map(reply).concat();
        assert_eq!(codes(text.trim_end_matches("---\n")), "W001:25 W011:1 W011:5 W011:9 W011:13 W011:21");
    }
}
