//! What the review rests on: its numbers, as `whymark stats` counts them, and what wants a look, the gravest first. Pure.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use bstr::BStr;

use crate::diagnostic::Severity;
use crate::document::check::{Located, structure};
use crate::document::{Document, Facts, FileHeader, FileStatus, LineMap, NoteRef, Risk, Side, Standing};
use crate::markback::Record;
use crate::metrics::Stats;
use crate::text::LineNo;
use crate::text::counted::counted;

use super::card::CardRow;
use super::layout::pick_room;
use super::model::{Focus, Model};
use super::msg::Msg;
use super::part::{Part, Subject};
use super::pick::{Choice, Entry};
use super::records::RecordRef;
use super::surviving::surviving;
use super::theme::Role;

/// The rank of what was read differently from how it is written.
const ODD: usize = 3;
/// The rank of what leaves something open.
const OPEN: usize = 5;

/// The numbers of what has been read.
#[must_use]
pub fn stats(model: &Model) -> Stats {
    let facts = |part: &Part| part.reading.faces.iter().map(|face| face.facts.clone()).collect::<Vec<Facts>>();
    let parts = model
        .parts
        .iter()
        .enumerate()
        .map(|(index, part)| (facts(part), (index > 0 && !part.pending).then(|| part.reading.stats.clone())));
    let stated = model.review.document.meta().checks.iter();
    let checks = stated.chain(model.parts.iter().flat_map(|part| &part.reading.checks));
    Stats::sum(parts, checks.map(|check| check.status))
}

/// The numbers, as rows.
#[must_use]
pub fn rows(model: &Model) -> Vec<CardRow> {
    let stats = stats(model);
    let Stats { added, covered, verified, notes, sourced, inference_only, stubs, .. } = stats;
    let (risk, claims, checks) = (stats.by_risk, stats.verify_statuses, stats.checks);
    let orphans: u64 = model.parts.iter().map(|part| part.reading.orphans).sum();
    let stale = model.parts.iter().filter(|part| part.is_stale).count();
    let stubbed = match model.totals().stubbed {
        0 => String::new(),
        lines => format!(" ({lines} by nothing but stubs)"),
    };
    let mut rows = vec![
        ("covered", format!("{covered} of {added} added lines{stubbed}; {verified} with a claim of pass")),
        (
            "notes",
            format!(
                "{notes}: {sourced} sourced, {inference_only} inferred only, {} without a source, {}, {orphans} orphaned",
                notes - sourced - inference_only,
                counted(stubs, "stub")
            ),
        ),
        (
            "risk",
            format!(
                "{} high ({} unverified), {} medium, {} low",
                risk.high, stats.unverified_high_risk, risk.medium, risk.low
            ),
        ),
        (
            "claims",
            format!(
                "{} pass, {} fail, {} unknown, {} skipped",
                claims.pass, claims.fail, claims.unknown, claims.skipped
            ),
        ),
        ("open", open_items(model, &stats)),
        (
            "checks",
            format!(
                "{}: {} pass, {} fail, {} unknown or skipped; {} stale",
                checks.total,
                checks.pass,
                checks.fail,
                checks.unknown,
                counted(stale, "file")
            ),
        ),
    ];
    if !model.review.tests.is_empty() {
        let untested: usize = model.parts.iter().map(|part| part.untested.len()).sum();
        rows.push(("tests", format!("{} that no test ran", counted(untested, "added line"))));
    }
    if model.pending > 0 {
        rows.push(("reading", format!("{} not counted yet", counted(model.pending, "file"))));
    }
    if model.pick.as_ref().and_then(|pick| pick.odd.as_ref()).is_some_and(|odd| odd.found.is_none()) {
        rows.push(("reading", "whether all lines of the review are as the format has them is looked at …".to_owned()));
    }
    rows.into_iter().flat_map(|(name, value)| fact(model, name, &value)).collect()
}

/// A number with its name, in as many rows as it takes.
fn fact(model: &Model, name: &str, value: &str) -> Vec<CardRow> {
    const NAME: usize = 9;
    let room = usize::from(pick_room(model.size)).saturating_sub(NAME + 2);
    let rows = model.display.wrap(value, room).into_iter().enumerate();
    let row = |(index, range): (usize, Range<usize>)| {
        let name = if index == 0 { name } else { "" };
        vec![(Role::Dim, format!("  {name:NAME$}")), (Role::Text, value[range].trim_end().to_owned())]
    };
    rows.map(row).collect()
}

/// What is still to be done, asked or checked.
fn open_items(model: &Model, stats: &Stats) -> String {
    let claims = stats.open_items - stats.open_todos - stats.open_questions;
    let notes = model.parts.iter().flat_map(|part| &part.reading.faces).filter(|face| face.facts.open_items() > 0);
    let unresolved: usize = (0..model.parts.len()).map(|part| threads(model, part).count()).sum();
    format!(
        "{} in {}: {}, {}, {} that failed or nobody checked; {}",
        stats.open_items,
        counted(notes.count(), "note"),
        counted(stats.open_todos, "todo"),
        counted(stats.open_questions, "question"),
        counted(claims, "claim"),
        counted(unresolved, "Markback note")
    )
}

/// What was read differently from how it is written, and where. What is only worth knowing is left out.
fn oddities(document: &Document) -> Vec<Located> {
    let weighs = |found: &Located| found.diagnostic.severity >= Severity::Warning;
    structure(document).into_iter().filter(weighs).collect()
}

/// The lines of the review that are not as the format has them. A note whose lines have gone is written as it should be.
#[must_use]
pub fn odd_lines(document: &Document) -> BTreeSet<LineNo> {
    let map = LineMap::of(document);
    let is_of_form = |found: &Located| !found.diagnostic.code.starts_with("selector-");
    let found = oddities(document).into_iter().filter(is_of_form);
    found.map(|found| map.line(found.diagnostic.range.start)).collect()
}

/// A line of a review that was read differently from how it is written.
#[derive(Debug, Clone)]
pub struct Odd {
    /// Its number in the review, counted from 1.
    line: u64,
    /// What it says.
    words: Vec<u8>,
    /// What is odd about it.
    message: String,
    /// What it belongs to.
    choice: Choice,
}

/// The odd lines of the open list of what wants a look, and the document that they are looked for in.
#[derive(Debug, Clone)]
pub struct OddLines {
    /// That document.
    pub document: Document,
    /// The lines, in order; `None` while they are being looked for.
    pub found: Option<Vec<Odd>>,
}

impl OddLines {
    /// Whether it is `other` that they are of.
    #[must_use]
    pub fn is_of(&self, other: &Document) -> bool {
        let (own, other) = (self.document.parts(), other.parts());
        own.len() == other.len() && own.iter().zip(other).all(|(own, other)| Arc::ptr_eq(own, other))
    }
}

/// Find the odd lines of a review, in order. All of it is read for that.
#[must_use]
pub fn find_odd(document: Document) -> Msg {
    let found = surviving(|| odd_of(&document));
    Msg::OddFound(document, found)
}

fn odd_of(document: &Document) -> Vec<Odd> {
    let once = document.once();
    let (text, map) = (once.to_bytes(), LineMap::of(&once));
    let mut found = oddities(&once);
    found.sort_by_key(|found| found.diagnostic.range.start);
    let odd = |found: Located| {
        let start = found.diagnostic.range.start;
        let subject = |note: NoteRef| Subject::Note(u32::try_from(note.note).unwrap_or(u32::MAX));
        let choice = match (found.note, found.part) {
            (Some(note), _) => Choice::Card(Focus { part: note.part, subject: subject(note) }),
            (None, part) => Choice::File(part.unwrap_or(0)),
        };
        let (line, words) = (map.line(start).0, line_at(&text, start).to_vec());
        Odd { line, words, message: found.diagnostic.message, choice }
    };
    found.into_iter().map(odd).collect()
}

/// Whether the review is one whose odd lines are listed. What is still being read would look like something that is missing.
#[must_use]
pub fn lists_odd(model: &Model) -> bool {
    model.pending == 0 && model.review.passages.is_none() && model.since.is_none()
}

/// The odd lines that are known, as entries of a list.
fn odd_entries(model: &Model) -> Vec<(usize, Entry)> {
    let odd = model.pick.as_ref().and_then(|pick| pick.odd.as_ref());
    let odd = odd.filter(|odd| lists_odd(model) && odd.is_of(&model.review.document));
    let entry = |Odd { line, words, message, choice }: &Odd| {
        let name = format!("line {line} of the review");
        let detail = format!("{message} {}", model.shown(words));
        (ODD, Entry { name, detail, aside: String::new(), choice: *choice })
    };
    odd.and_then(|odd| odd.found.as_ref()).into_iter().flatten().map(entry).collect()
}

/// The line of `text` that holds the byte at `offset`, without blanks around it.
fn line_at(text: &[u8], offset: usize) -> &[u8] {
    let offset = offset.min(text.len());
    let start = memchr::memrchr(b'\n', &text[..offset]).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', &text[offset..]).map_or(text.len(), |at| offset + at);
    text[start..end].trim_ascii()
}

/// What wants a look: notes with all that is the matter with them, files that are stale or not explained, and lines that
/// were not read as they are written.
#[must_use]
pub fn entries(model: &Model) -> Vec<Entry> {
    let mut ranked: Vec<(usize, Entry)> = odd_entries(model);
    for (index, part) in model.parts.iter().enumerate() {
        let path =
            part.section.tree().file.as_ref().map_or_else(|| "whole change".to_owned(), |file| model.shown(&file.path));
        ranked.extend(file_entry(part, index, &path));
        for (record, known) in threads(model, index) {
            let id = known.id.as_deref().map_or("Markback".to_owned(), |id| model.display.visible(id));
            let words = known.feedback.lines().next().unwrap_or_default();
            let entry = Entry {
                name: format!("{id} {path}"),
                detail: format!("not resolved: {}", model.display.visible(words)),
                aside: String::new(),
                choice: Choice::Card(Focus { part: index, subject: Subject::Record(record) }),
            };
            ranked.push((OPEN, entry));
        }
        for (note, face) in part.reading.faces.iter().enumerate() {
            let matters = matters(&face.facts, face.is_orphan);
            let Some((rank, _)) = matters.first() else { continue };
            let id = match model.pending {
                0 => model.review.document.note_id(NoteRef { part: index, note }),
                _ => face.id.clone().unwrap_or_else(|| "…".to_owned()),
            };
            let about = face.words.first().map_or("", |(_, text)| text.as_str());
            let words: Vec<String> = matters.iter().map(|(_, words)| words.clone()).collect();
            let subject = Subject::Note(u32::try_from(note).unwrap_or(u32::MAX));
            ranked.push((
                *rank,
                Entry {
                    name: format!("{} {path}:{about}", model.display.visible(id)),
                    detail: format!("{}: {}", words.join(", "), model.display.visible(&face.teaser)),
                    aside: String::new(),
                    choice: Choice::Card(Focus { part: index, subject }),
                },
            ));
        }
    }
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().map(|(_, entry)| entry).collect()
}

/// The Markback notes of a part that are not resolved; an answer is no matter of its own.
fn threads(model: &Model, part: usize) -> impl Iterator<Item = (RecordRef, Record<'_>)> {
    let path: &BStr = model.parts[part].section.tree().file.as_ref().map_or(b"".into(), |file| file.path.as_ref());
    let is_nameless = part > 0 && path.is_empty();
    let placed = if is_nameless { &[] } else { model.review.records.on(path) };
    let records = placed.iter().filter_map(|placed| Some((placed.record, model.review.records.get(placed.record)?)));
    records.filter(|(at, _)| model.review.records.depth(*at) == 0 && !model.review.records.is_settled(*at))
}

/// What is the matter with a file, if anything is.
fn file_entry(part: &Part, index: usize, path: &str) -> Option<(usize, Entry)> {
    let bare = part.reading.uncovered.len();
    let mut words = Vec::new();
    if part.is_stale {
        words.push("stale".to_owned());
    }
    if bare > 0 {
        words.push(format!("{} unexplained", counted(bare, "added line")));
    }
    words.extend(silent(part).map(ToOwned::to_owned));
    let rank = if part.is_stale { 3 } else { 6 };
    let entry =
        Entry { name: path.to_owned(), detail: words.join(", "), aside: String::new(), choice: Choice::File(index) };
    (!words.is_empty()).then_some((rank, entry))
}

/// What has changed beside the added lines, and no note says why: a note on the file says why its mode or its content is
/// another, and any note in it why it is gone.
fn silent(part: &Part) -> impl Iterator<Item = &'static str> {
    let tree = part.section.tree();
    let changed = tree.file.as_ref().filter(|file| file.status != FileStatus::Context && !part.pending);
    let has_note = !tree.notes.is_empty();
    let is_explained = tree.notes.iter().any(|note| note.selector.side == Side::File);
    let all = changed.into_iter().flat_map(move |file| {
        let is_gone = file.status == FileStatus::Deleted;
        let (old, new) = (file.old_mode.unwrap_or(FileHeader::PLAIN), file.new_mode.unwrap_or(FileHeader::PLAIN));
        let is_new = file.status == FileStatus::Added;
        [
            (is_gone && !has_note, "deleted, unexplained"),
            (!is_gone && !is_explained && is_new && new != FileHeader::PLAIN, "not a plain file, unexplained"),
            (!is_gone && !is_explained && !is_new && old != new, "mode changed, unexplained"),
            (!is_gone && !is_explained && file.binary, "binary, unexplained"),
        ]
    });
    all.filter(|(is_so, _)| *is_so).map(|(_, words)| words)
}

/// What is the matter with a note, the gravest first, each with its rank.
fn matters(facts: &Facts, is_orphan: bool) -> Vec<(usize, String)> {
    let open = facts.open_items();
    let all = [
        (facts.standing == Standing::Fail, "a claim fails".to_owned()),
        (facts.risk == Some(Risk::High) && !facts.is_verified, "high risk, unverified".to_owned()),
        (is_orphan, "its lines are gone".to_owned()),
        (facts.is_stub, "still to be filled in".to_owned()),
        (open > 0, format!("{open} open")),
        (facts.is_inference_only, "inferred only".to_owned()),
    ];
    let ranks = [0, 1, 2, 4, OPEN, 7];
    ranks.into_iter().zip(all).filter(|(_, (is_so, _))| *is_so).map(|(rank, (_, words))| (rank, words)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_whose_lines_have_gone_is_not_odd() {
        let odd = |text: &str| {
            let document = Document::parse(format!("---\nwhymark: 1\ntitle: x\n---\n{text}"));
            odd_lines(&document).into_iter().map(|line| line.0).collect()
        };
        let lines: Vec<u64> = odd("@file a modified\n@@ -1 +1 @@\n-a\n+b\n\n@note +7\nwhy: x\n");
        assert_eq!(lines, [0; 0]);
        let lines: Vec<u64> = odd("@file a modified\n@@ -1 +1,9 @@\n-a\n+b\n\n@note +7..8\nwhy: x\n");
        assert_eq!(lines, [6]);
    }
}
