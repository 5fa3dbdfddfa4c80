//! What a card says: the rows of a note or a Markback record, as roles and text. Pure; borders are drawn by the view.

use std::borrow::Cow;

use bstr::{BString, ByteSlice as _};

use crate::document::{
    ClaimStatus, Document, Method, NoteRef, NoteView, Orphan, Selector, SourceKind, Standing, is_orphan_name,
};
use crate::markback::Record;
use crate::session::NoteStatus;
use crate::text::counted::counted;
use crate::text::width::Display;

use super::face::{Face, Witnessed, selector_words};
use super::part::{Annotation, Part, Subject};
use super::records::{RecordRef, Records, named_range};
use super::search::Nearby;
use super::talk::{Progress, Shown};
use super::theme::Role;

/// One row of a card.
pub type CardRow = Vec<(Role, String)>;

/// Rows of a card that is not open.
pub const COMPACT: u16 = 2;
/// The columns that a card under its lines is set in.
pub const INDENT: u16 = 4;
/// The columns that the frame of a card takes.
pub const FRAME: u16 = 4;

/// What is needed to write a card.
#[derive(Debug, Clone, Copy)]
pub struct Writer<'a> {
    /// How text is made fit for the screen.
    pub display: Display,
    /// The records that annotations may name.
    pub records: &'a Records,
    /// The comments that annotations may name.
    pub comments: &'a [Shown],
    /// The review, for the ids of notes.
    pub document: &'a Document,
    /// The index of the part whose cards are written.
    pub part: usize,
    /// How commands came out that were run here.
    pub witnessed: &'a Witnessed,
    /// Whether all parts have been read: before that a note that states no id has none.
    pub is_whole: bool,
}

impl<'a> Writer<'a> {
    /// The first row: what the card is, what it is about, how far it can be trusted.
    #[must_use]
    pub fn head(self, part: &Part, annotation: &Annotation) -> CardRow {
        match annotation.subject {
            Subject::Note(index) => self.note_head(part, annotation, index),
            Subject::Record(index) => self
                .record(index)
                .map_or_else(Vec::new, |record| self.record_head(&record, index, part.first_line(annotation))),
            Subject::Comment(index) => {
                let Some(shown) = self.comment(index) else { return Vec::new() };
                let about = self.display.visible(shown.comment.target().words());
                let mut words = vec![(Role::Note, "for the agent ".to_owned()), (Role::Path, about)];
                words.extend(shown.agent.iter().map(|agent| (Role::Dim, self.display.visible(agent))));
                words
            }
        }
    }

    /// The status of the card: a role and a sign with its word.
    #[must_use]
    pub fn standing(self, part: &Part, annotation: &Annotation) -> (Role, &'static str) {
        match annotation.subject {
            Subject::Note(_) if part.is_adrift(annotation) => (Role::ClaimFail, "↯ no such line"),
            Subject::Note(index) => part.face(index).status(self.witnessed),
            Subject::Record(index) => match self.record(index) {
                Some(record) if record.is_resolved() => (Role::ClaimPass, "✓ resolved"),
                // What is about no file of the repository is compared with nothing.
                _ if self.part == 0 => (Role::Dim, ""),
                Some(record) if annotation.lines.is_none() && named_range(&record).is_some() => {
                    if part.gone.contains(&index) { (Role::ClaimFail, LOST) } else { (Role::Dim, "no such line") }
                }
                Some(_) if part.moved_on.contains(&index) => (Role::Stale, "⌛ stale"),
                _ => (Role::Dim, ""),
            },
            Subject::Comment(index) => match self.comment(index) {
                Some(shown) if shown.is_orphan() => (Role::ClaimFail, LOST),
                shown => shown.map_or((Role::Dim, ""), |shown| progress(&shown.progress)),
            },
        }
    }

    /// The second row of a card that is not open: the first words.
    #[must_use]
    pub fn teaser(self, part: &Part, annotation: &Annotation, width: usize) -> CardRow {
        let text = match annotation.subject {
            Subject::Note(index) => Cow::Borrowed(part.face(index).teaser.as_str()),
            Subject::Record(index) => self.record(index).map_or_else(Cow::default, |record| record.feedback),
            // What came back is more of a surprise than what one wrote, and the last of it most.
            Subject::Comment(index) => self.comment(index).map_or_else(Cow::default, |shown| {
                let said = shown.said.get(shown.latest).map(|(agent, text)| Cow::Owned(format!("{agent}: {text}")));
                said.unwrap_or(Cow::Borrowed(shown.comment.text.as_str()))
            }),
        };
        vec![(Role::Text, self.display.fit(text.lines().next().unwrap_or_default(), width))]
    }

    /// The rows of an open card below its head.
    #[must_use]
    pub fn body(self, part: &Part, annotation: &Annotation, width: usize) -> Vec<CardRow> {
        let mut rows = Rows { display: self.display, width: width.max(8), rows: Vec::new() };
        match annotation.subject {
            Subject::Note(index) => rows.note(&part.note(index), Some(self.witnessed)),
            Subject::Record(index) => {
                if let Some(record) = self.record(index) {
                    rows.record(&record);
                    let about = record.file.as_deref().filter(|_| self.part == 0);
                    about.into_iter().for_each(|file| rows.field("on", Role::Dim, Role::Path, file));
                    let content = record.content.as_deref().filter(|_| part.moved_on.contains(&index));
                    // Where the file is there, the beginning tells which text of it is meant.
                    let is_whole = annotation.lines.is_none() && !part.section.tree().hunks.is_empty();
                    let most = if is_whole { MOST_OF_A_FILE } else { usize::MAX };
                    rows.content(if self.part == 0 { "text" } else { "was" }, content.unwrap_or_default(), most);
                }
                if let Some(file) = self.records.file(index).filter(|_| index.file > 0) {
                    rows.field(
                        "in",
                        Role::Dim,
                        Role::Dim,
                        &file.place.path.file_name().unwrap_or_default().to_string_lossy(),
                    );
                }
            }
            Subject::Comment(index) => {
                if let Some(shown) = self.comment(index) {
                    rows.plain(Role::Text, &shown.comment.text);
                    let lost = shown.comment.target().quote.filter(|_| annotation.lines.is_none());
                    lost.iter().for_each(|quote| rows.field("was", Role::Dim, Role::Text, quote));
                    shown.said.iter().for_each(|(agent, text)| rows.plain(Role::Note, &format!("{agent}: {text}")));
                }
            }
        }
        rows.rows
    }

    /// The texts that a card says, one a piece; of a note [`note_words`] says them without a writer.
    #[must_use]
    pub fn words(self, part: &Part, annotation: &Annotation) -> Vec<String> {
        words(self.head(part, annotation), &self.body(part, annotation, usize::MAX))
    }

    fn comment(self, index: u32) -> Option<&'a Shown> {
        self.comments.get(index as usize)
    }

    fn record(self, record: RecordRef) -> Option<Record<'a>> {
        self.records.get(record)
    }

    fn id(self, face: &Face, index: u32) -> String {
        if self.is_whole {
            self.document.note_id(NoteRef { part: self.part, note: index as usize })
        } else {
            face.id.clone().unwrap_or_else(|| "…".to_owned())
        }
    }

    fn note_head(self, part: &Part, annotation: &Annotation, index: u32) -> CardRow {
        let face = part.face(index);
        let mut row = vec![(Role::Note, self.display.visible(self.id(face, index)))];
        row.extend(face.words.iter().cloned());
        if part.is_adrift(annotation) {
            row[1] = (Role::Path, self.display.visible(&face.raw_selector));
        }
        row
    }

    /// The first row of a record that stands on the line with the number `now`, if on any.
    fn record_head(self, record: &Record<'_>, index: RecordRef, now: Option<u64>) -> CardRow {
        let first = match self.records.depth(index) {
            0 => "▪ markback".to_owned(),
            depth => format!("{:1$}↳ reply", "", 2 * (depth - 1).min(MOST_INDENTS)),
        };
        let mut row = vec![(Role::Note, first)];
        let dim = |word: &str| (Role::Dim, self.display.visible(word));
        row.extend(record.id.as_deref().map(dim));
        let about_all = || (self.part > 0 && record.reply_to.is_none()).then(|| selector_words(Selector::FILE));
        let named = named_range(record).map(|range| {
            let is_there = |now: &u64| *now >= range.start.line.min(range.end.line);
            let now = now.filter(|now| !is_there(now) || *now > range.start.line.max(range.end.line));
            range.to_string() + &now.map(|now| format!(" → :{now}")).unwrap_or_default()
        });
        // Where there is little room, what it is about tells more than who wrote it.
        row.extend(named.or_else(about_all).map(|place| (Role::Path, place)));
        row.extend(record.by.as_deref().map(dim));
        row.extend(record.tags.iter().map(|tag| (Role::Dim, self.display.visible(format!("#{tag}")))));
        row
    }
}

/// The texts that the card of a note says, one a piece; `id` is the one that it has in the review, where that is known.
#[must_use]
pub fn note_words(note: &NoteView<'_>, id: Option<String>, display: Display) -> Vec<String> {
    let mut rows = Rows { display, width: usize::MAX, rows: Vec::new() };
    rows.note(note, None);
    let Face { id: own, words: head, raw_selector, .. } = Face::of(note);
    let mut words = words(head, &rows.rows);
    words.extend(id.or(own));
    words.push(raw_selector);
    words
}

fn words(head: CardRow, body: &[CardRow]) -> Vec<String> {
    let head = head.into_iter().map(|(_, text)| text);
    head.chain(body.iter().filter_map(|row| text(row)).map(ToOwned::to_owned)).collect()
}

/// What a row of a card below its head says: what stands behind the label, where there is one.
#[must_use]
pub fn text(row: &CardRow) -> Option<&str> {
    row.last().map(|(_, text)| text.as_str())
}

/// Row `at` of a card below its head, with the rows that its text takes besides.
#[must_use]
pub fn nearby(rows: &[CardRow], at: usize) -> Nearby {
    Nearby::of(at, |at| {
        let row = rows.get(at)?;
        let is_labelled = row.len() > 1 && !row[0].1.trim().is_empty();
        Some((text(row)?, !is_labelled))
    })
}

/// What is said of a comment whose lines are gone.
pub const LOST: &str = "↯ lines gone";
/// Of a whole file as it was, so many lines are shown.
const MOST_OF_A_FILE: usize = 12;

/// Replies are set in at most so many times.
const MOST_INDENTS: usize = 4;

/// How far a comment has come: a role, and a sign with its word.
#[must_use]
pub fn progress(progress: &Progress) -> (Role, &'static str) {
    match progress {
        Progress::Unsent => (Role::Warning, "not sent"),
        Progress::Sent(_) => (Role::Dim, "sent"),
        Progress::Out(_) => (Role::ClaimUnknown, "… with the agent"),
        Progress::Status(NoteStatus::Done) => (Role::ClaimPass, "✓ done"),
        Progress::Status(NoteStatus::Skipped) => (Role::Warning, "– skipped"),
        Progress::Status(NoteStatus::Question) => (Role::Warning, "? asks"),
        Progress::Answered(_) => (Role::ClaimPass, "✓ answered"),
        Progress::Closed(_) => (Role::Dim, "closed"),
    }
}

/// The sign and role of a status.
#[must_use]
pub fn standing_sign(standing: Standing) -> (Role, &'static str) {
    match standing {
        Standing::Fail => (Role::ClaimFail, "✗ fail"),
        Standing::Unknown => (Role::ClaimUnknown, "? unknown"),
        Standing::Skipped => (Role::ClaimSkipped, "– skipped"),
        // It is what somebody says: whoever runs it here may call it more than that.
        Standing::Pass => (Role::Text, "✓ claimed"),
        Standing::None => (Role::Dim, "∅ no claim"),
    }
}

/// The sign and role of one claim or check.
#[must_use]
pub fn claim_sign(status: ClaimStatus) -> (Role, &'static str) {
    match status {
        ClaimStatus::Pass => (Role::Text, "✓"),
        ClaimStatus::Fail => (Role::ClaimFail, "✗"),
        ClaimStatus::Unknown => (Role::ClaimUnknown, "?"),
        ClaimStatus::Skipped => (Role::ClaimSkipped, "–"),
    }
}

/// The rows of an open card as they grow.
struct Rows {
    display: Display,
    width: usize,
    rows: Vec<CardRow>,
}

/// The columns of a field's name.
const LABEL: usize = 5;

impl Rows {
    fn note(&mut self, note: &NoteView<'_>, witnessed: Option<&Witnessed>) {
        let fields = [("why", note.why()), ("what", note.what())];
        for (label, text) in fields.into_iter().filter_map(|(label, text)| Some((label, text?))) {
            self.field(label, Role::Dim, Role::Text, &text);
        }
        note.orphan().into_iter().for_each(|orphan| self.orphan(&orphan));
        for source in note.sources() {
            let inferred = source.kind == SourceKind::Inference;
            let (label, role) = if inferred { ("inf", Role::Inference) } else { ("src", Role::Evidence) };
            self.field(label, role, role, &source.raw);
        }
        for claim in note.claims() {
            let seen = witnessed.filter(|_| claim.method == Method::Cmd).and_then(|seen| seen.get(&claim.detail));
            let (role, sign) = match (claim.status, seen) {
                (ClaimStatus::Pass, Some(ClaimStatus::Pass)) => (Role::ClaimPass, "✓"),
                (ClaimStatus::Pass, Some(_)) => (Role::ClaimFail, "✗"),
                (status, _) => claim_sign(status),
            };
            self.field(sign, role, role, &claim.raw);
        }
        let lists =
            [("alt", note.alternatives()), ("todo", note.todos()), ("ask", note.questions()), ("ref", note.refs())];
        for (label, texts) in lists {
            let role = if matches!(label, "todo" | "ask") { Role::Warning } else { Role::Dim };
            texts.iter().for_each(|text| self.field(label, role, Role::Text, text));
        }
        if let Some(impact) = note.impact() {
            self.field("also", Role::Dim, Role::Text, &impact);
        }
        for (name, values) in note.extra().into_iter().filter(|(name, _)| !is_orphan_name(name.as_bytes())) {
            values.iter().for_each(|value| self.plain(Role::Dim, &format!("{name}: {value}")));
        }
        let body = note.body();
        if !body.is_empty() {
            self.plain(Role::Text, &body);
        }
    }

    /// The text that an orphan was about, with what stood around it.
    fn orphan(&mut self, orphan: &Orphan) {
        let about = format!("about {}, which is no longer in the diff", selector_words(orphan.selector));
        self.field("↯", Role::ClaimFail, Role::ClaimFail, &about);
        let shown = |text: &BString| text.to_str_lossy().into_owned();
        let around = |texts: &[BString]| texts.iter().map(|text| (Role::Dim, shown(text))).collect::<Vec<_>>();
        let text = orphan.text.iter().map(|text| (Role::Text, text.as_ref().map_or("…".to_owned(), shown)));
        let lines = around(&orphan.above).into_iter().chain(text).chain(around(&orphan.below));
        for (index, (role, text)) in lines.enumerate() {
            self.field(if index == 0 { "was" } else { "" }, Role::Dim, role, &text);
        }
    }

    fn record(&mut self, record: &Record<'_>) {
        self.plain(Role::Text, &record.feedback);
        if !record.tags.is_empty() {
            self.field("tags", Role::Dim, Role::Dim, &record.tags.join(" "));
        }
        if let Some(parent) = &record.reply_to {
            self.field("to", Role::Dim, Role::Dim, parent);
        }
        for (index, action) in record.actions.iter().enumerate() {
            let actor = action.actor.as_deref().unwrap_or_default();
            let label = if index == 0 { "log" } else { "" };
            self.field(label, Role::Dim, Role::Dim, &format!("{} {} {actor}", action.verb, action.timestamp));
        }
    }

    /// The first lines of what a record holds, and how many more there are.
    fn content(&mut self, label: &str, content: &str, most: usize) {
        for (index, line) in content.lines().take(most).enumerate() {
            self.field(if index == 0 { label } else { "" }, Role::Dim, Role::Text, line);
        }
        let more = content.lines().count().saturating_sub(most);
        if more > 0 {
            self.field("", Role::Dim, Role::Dim, &format!("… {}", counted(more, "more line")));
        }
    }

    /// A label and a text that wraps beside it.
    fn field(&mut self, label: &str, label_role: Role, role: Role, text: &str) {
        let rows = self.display.wrap(text, self.width.saturating_sub(LABEL));
        for (index, range) in rows.into_iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let pad = LABEL.saturating_sub(self.display.width(label));
            let label = format!("{label}{:pad$}", "");
            self.rows.push(vec![(label_role, label), (role, self.display.visible(text[range].trim_end()))]);
        }
    }

    /// Text over the whole width.
    fn plain(&mut self, role: Role, text: &str) {
        for range in self.display.wrap(text, self.width) {
            self.rows.push(vec![(role, self.display.visible(text[range].trim_end()))]);
        }
    }
}
