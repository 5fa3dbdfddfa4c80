//! What is wrong with a file (section 12 of the format), beyond what its parser stumbled over.
//!
//! Each record is read once, those of a large file by several threads. What records say about each other by their ids is
//! looked at in the end.

use std::borrow::Cow;
use std::hash::BuildHasher as _;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::resume_unwind;
use std::thread;

use hashbrown::hash_table::Entry as Slot;
use hashbrown::{DefaultHashBuilder, HashTable};

use super::Markback;
use super::feedback::{has_open_quote, is_json, json};
use super::finding::{Finding, Problem};
use super::print::Comparison;
use super::range::{self, Reference};
use super::record::{Entry, Record};
use crate::text::Span;

/// What is looked at that not everybody wants looked at.
#[derive(Default, Clone, Copy)]
pub struct Checks<'a> {
    /// Whether the layout is compared with the canonical one (W008).
    pub canonical: bool,
    /// Whether the file or folder at a path is there, seen from the folder of the text (W003, W009). Asked for paths alone,
    /// without ranges, never for URIs; by several threads where the file is large.
    pub is_there: Option<&'a (dyn Fn(&str) -> bool + Sync)>,
}

/// How much text a thread gets at least: with less it takes longer.
const LARGE: usize = 1 << 18;

/// What [`lint`] found.
#[derive(Debug)]
pub struct Findings<'a> {
    file: &'a Markback,
    duplicates: Vec<Finding>,
    /// Of large files that is often every record: only their indices.
    without_id: Vec<u32>,
    others: Vec<Finding>,
}

/// Look for all that is wrong with `file`.
#[must_use]
pub fn lint<'a>(file: &'a Markback, checks: Checks<'_>) -> Findings<'a> {
    // What is not read would not be written.
    let is_comparable = !file.entries.is_empty() && !file.findings.iter().any(Finding::is_error);
    let parts = parts(file, Checks { canonical: checks.canonical && is_comparable, ..checks });
    let is_canonical = parts.iter().find_map(|part| part.is_canonical).unwrap_or(true);
    let mut findings = Findings { file, duplicates: Vec::new(), without_id: Vec::new(), others: Vec::new() };
    let (mut ids, mut replies) = (Vec::new(), Vec::new());
    for part in parts {
        findings.without_id.extend(part.without_id);
        findings.others.extend(part.found);
        ids.extend(part.ids);
        replies.extend(part.replies);
    }
    let ids = Ids::new(file, ids);
    findings.duplicates = ids.duplicates.iter().map(|id| id.finding(Problem::DuplicateId, file)).collect();
    findings.others.extend(ids.broken(&replies));
    if !is_canonical && !findings.iter().any(|finding| finding.is_error()) {
        findings.others.push(Finding { line: Some(0), ..Finding::of_file(Problem::NotCanonical) });
    }
    findings
}

impl<'a> Findings<'a> {
    /// Those of the parser in line order, then W001, W006, those about single records, W011, W008.
    pub fn iter(&self) -> impl Iterator<Item = Finding> + '_ {
        let parsed = self.file.findings.iter().chain(&self.duplicates).copied();
        let without_id = self.without_id.iter().map(|index| without_an_id(self.file, *index));
        parsed.chain(without_id).chain(self.others.iter().copied())
    }

    /// The file that they are about.
    #[must_use]
    pub fn file(&self) -> &'a Markback {
        self.file
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.file.findings.len() + self.duplicates.len() + self.without_id.len() + self.others.len()
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The record with that index has no id.
fn without_an_id(file: &Markback, index: u32) -> Finding {
    let entry = file.entries[index as usize];
    Finding { problem: Problem::NoId, at: file.content(entry.first), line: Some(entry.start), record: Some(index) }
}

/// Look at the records, in as many parts as it is worth.
fn parts<'a>(file: &'a Markback, checks: Checks<'_>) -> Vec<Part<'a>> {
    let count = file.entries.len();
    let worth = file.text.len() / LARGE;
    let most = if worth > 1 { thread::available_parallelism().map_or(1, NonZeroUsize::get) } else { 1 };
    let size = count.div_ceil(worth.clamp(1, most)).max(1);
    let mut ranges = (0..count).step_by(size).map(|from| from..count.min(from + size));
    thread::scope(|scope| {
        let first = ranges.next();
        let others: Vec<_> = ranges.map(|range| scope.spawn(move || Part::of(file, range, checks))).collect();
        let first = first.map(|range| Part::of(file, range, checks));
        let others = others.into_iter().map(|part| part.join().unwrap_or_else(|panic| resume_unwind(panic)));
        first.into_iter().chain(others).collect()
    })
}

/// What is found in a row of records.
struct Part<'a> {
    file: &'a Markback,
    without_id: Vec<u32>,
    found: Vec<Finding>,
    /// The `@id` of each record that has one.
    ids: Vec<Named>,
    /// The `@reply-to` of each record that has one.
    replies: Vec<Named>,
    /// Whether the file is canonical, as far as it is decided here.
    is_canonical: Option<bool>,
    /// What `@file` and `@input` of the record above name.
    targets: [Option<Target<'a>>; 2],
}

/// A record, and where the id stands that it has or names.
#[derive(Clone, Copy)]
struct Named {
    record: u32,
    at: Span,
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

impl<'a> Part<'a> {
    fn of(file: &'a Markback, indices: Range<usize>, checks: Checks<'_>) -> Self {
        let (without_id, found, ids, replies) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut part = Self { file, without_id, found, ids, replies, is_canonical: None, targets: [None; 2] };
        let mut comparison = checks.canonical.then(|| Comparison::new(file, indices.clone()));
        let entries = (0u32..).zip(&file.entries).skip(indices.start);
        for ((index, entry), record) in entries.zip(file.records_in(indices)) {
            part.record(index, entry, &record, checks);
            if let Some(comparison) = &mut comparison {
                comparison.take(&record);
            }
        }
        part.is_canonical = comparison.and_then(Comparison::verdict);
        part
    }

    fn record(&mut self, index: u32, entry: &Entry, record: &Record<'a>, checks: Checks<'_>) {
        let about = |problem, at, line| Finding { problem, at, line: Some(line), record: Some(index) };
        let named = |id| Named { record: index, at: self.file.span_of(id) };
        match value(&record.id) {
            None => self.without_id.push(index),
            Some(id) => self.ids.push(named(id)),
        }
        self.replies.extend(value(&record.reply_to).map(named));
        let feedback = match json(&record.feedback) {
            Some(text) => (!is_json(text)).then_some(Problem::NotJson),
            None => has_open_quote(&record.feedback).then_some(Problem::OpenQuote),
        };
        self.found.extend(feedback.map(|problem| about(problem, self.file.content(entry.feedback), entry.end)));
        let targets = [self.target(0, value(&record.file), checks), self.target(1, value(&record.input), checks)];
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
    fn target(&mut self, which: usize, value: Option<&'a str>, checks: Checks<'_>) -> Option<Target<'a>> {
        let value = value?;
        let known = self.targets[which].filter(|known| std::ptr::eq(known.value, value));
        let target = known.unwrap_or_else(|| {
            let reference = Reference::parse(value);
            let is_missing = checks.is_there.is_some_and(|is_there| !reference.is_uri() && !is_there(reference.path));
            Target { value, is_missing, is_reversed: reference.range.is_some_and(range::Range::is_reversed) }
        });
        self.targets[which] = Some(target);
        Some(target)
    }
}

impl Named {
    fn finding(self, problem: Problem, file: &Markback) -> Finding {
        let line = Some(file.entries[self.record as usize].start);
        Finding { problem, at: self.at, line, record: Some(self.record) }
    }
}

/// The records by their ids. An id is that of the first record that has it.
struct Ids<'a> {
    file: &'a Markback,
    named: Vec<Named>,
    /// Places in `named`.
    places: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// Records whose id is that of an earlier one.
    duplicates: Vec<Named>,
}

impl<'a> Ids<'a> {
    fn new(file: &'a Markback, named: Vec<Named>) -> Self {
        let mut ids = Self {
            file,
            places: HashTable::with_capacity(named.len()),
            named,
            hasher: DefaultHashBuilder::default(),
            duplicates: Vec::new(),
        };
        let Self { named, places, hasher, duplicates, .. } = &mut ids;
        let id = |place: u32| named[place as usize].at.of(&file.text);
        for (place, &name) in (0..).zip(&*named) {
            let is_it = |other: &u32| id(*other) == id(place);
            match places.entry(hasher.hash_one(id(place)), is_it, |other| hasher.hash_one(id(*other))) {
                Slot::Occupied(_) => duplicates.push(name),
                Slot::Vacant(slot) => drop(slot.insert(place)),
            }
        }
        ids
    }

    /// The record with the id that stands at `at`.
    fn record(&self, at: Span) -> Option<u32> {
        let id = at.of(&self.file.text);
        let is_it = |place: &u32| self.named[*place as usize].at.of(&self.file.text) == id;
        let place = self.places.find(self.hasher.hash_one(id), is_it)?;
        Some(self.named[*place as usize].record)
    }

    /// The `replies` that lead to nothing or into a circle.
    fn broken(&self, replies: &[Named]) -> Vec<Finding> {
        let mut parents = vec![None; if replies.is_empty() { 0 } else { self.file.entries.len() }];
        for reply in replies {
            parents[reply.record as usize] = self.record(reply.at);
        }
        let in_circle = circles(&parents);
        let problem = |reply: &Named| match parents[reply.record as usize] {
            None => Some(Problem::ReplyToNothing),
            Some(_) => in_circle[reply.record as usize].then_some(Problem::ReplyCircle),
        };
        replies.iter().filter_map(|reply| Some(reply.finding(problem(reply)?, self.file))).collect()
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
    let mut way: Vec<u32> = Vec::new();
    for (start, _) in (0..).zip(parents) {
        let mut at = Some(start);
        let endless = loop {
            let Some(index) = at else { break false };
            match states[index as usize] {
                State::Known(endless) => break endless,
                State::OnTheWay => break true,
                State::New => {
                    states[index as usize] = State::OnTheWay;
                    way.push(index);
                    at = parents[index as usize];
                }
            }
        };
        for index in way.drain(..) {
            states[index as usize] = State::Known(endless);
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
        let found = lint(&file, Checks { canonical: true, is_there: Some(&|path| path == "here") });
        let show = |finding: Finding| format!("{}:{}", finding.rule().code, finding.line.map_or(0, |line| line + 1));
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
