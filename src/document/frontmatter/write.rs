//! Edits of values in the frontmatter, by the bytes at which they stand: comments, quotes, order and spacing of all else
//! stay. An edit is only handed out when the block reads as before, but for what was to be changed.

use std::ops::Range;
use std::str::from_utf8;

use serde_json::Value;

use super::fences::between_fences;
use super::recover;
use super::scalar::{scalar, scalar_in_flow};
use super::yaml::{Entry, Kind, Node};
use super::{Check, Meta, Places, Review, Scope};
use crate::document::edit::{EvidenceRecord, ids_agree};
use crate::document::{Block, Document};
use crate::text::edit::{Edit, Splice};
use crate::text::lines::{Newline, line_start};

/// The edit that makes `review` the reviewer's decision; what it says nothing about stays. `None` when the text can't be
/// changed so that just this changes.
pub(in crate::document) fn review_decision(document: &Document, review: &Review) -> Option<Edit> {
    let front = Front::of(document)?;
    let mut want = said(document);
    let old = want.review.take();
    want.review = Some(Review {
        status: review.status,
        by: review.by.clone().or_else(|| old.as_ref()?.by.clone()),
        at: review.at.clone().or_else(|| old.as_ref()?.at.clone()),
    });
    let values = Values(vec![
        ("status", review.status.as_str()),
        ("by", review.by.as_deref().unwrap_or_default()),
        ("at", review.at.as_deref().unwrap_or_default()),
    ]);
    let splices = match front.entries.iter().find(|entry| entry.key == "review") {
        None => vec![insertion(front.text.len(), format!("review:{0}{1}", front.eol(), front.lines("  ", &values)))],
        Some(Entry { value, .. }) => match &value.kind {
            Kind::Empty => vec![insertion(front.next_line(value.range.end), front.lines("  ", &values))],
            Kind::Map(_) => front.put(value, &values),
            Kind::String(_) | Kind::Other(_) | Kind::List(_) => {
                vec![Splice { range: value.range.clone(), with: values.flow().into_bytes() }]
            }
        },
    };
    front.checked(document, splices, &want)
}

/// The edit that makes `text` the summary; without text there is none any more. `None` when the text of the frontmatter
/// can't be changed so that just this changes.
pub(in crate::document) fn summary_text(document: &Document, text: &str) -> Option<Edit> {
    let front = Front::of(document)?;
    let text = text.trim();
    let mut want = said(document);
    want.summary = (!text.is_empty()).then(|| text.to_owned());
    // A value that did not fit may have stood there.
    want.extra.remove("summary");
    let block = || {
        let lines = text.lines().map(|line| if line.is_empty() { String::new() } else { format!("  {line}") });
        let lines = lines.map(|line| format!("{}{line}", front.eol()));
        format!("|{}", lines.collect::<String>())
    };
    let splices = |value: &str| match front.entries.iter().find(|entry| entry.key == "summary") {
        Some(entry) if text.is_empty() => {
            vec![Splice { range: entry.at..front.next_line(front.end(entry)), with: Vec::new() }]
        }
        Some(entry) => vec![front.replacement(entry, value)],
        None if text.is_empty() => Vec::new(),
        None => vec![insertion(front.text.len(), format!("summary: {value}{}", front.eol()))],
    };
    // Several lines are read more easily as lines, where they can stand like that.
    let as_lines = text.contains('\n').then(|| front.checked(document, splices(&block()), &want)).flatten();
    as_lines.or_else(|| front.checked(document, splices(&scalar(text)), &want))
}

/// The edit that makes `check` the outcome of the check at `index` of the frontmatter; its command stays, and so does
/// what `check` says nothing about.
pub(in crate::document) fn check_outcome(document: &Document, index: usize, check: &Check) -> Option<Edit> {
    let front = Front::of(document)?;
    let mut want = said(document);
    let old = want.checks.get_mut(index)?;
    old.status = check.status;
    old.detail = check.detail.clone().or(old.detail.take());
    old.ran = check.ran.clone().or(old.ran.take());
    let cmd = old.cmd.clone();
    let mut values = Values(vec![
        ("status", check.status.as_str()),
        ("detail", check.detail.as_deref().unwrap_or_default()),
        ("ran", check.ran.as_deref().unwrap_or_default()),
    ]);
    let at = document.meta().places.checks().get(index)?.checked_sub(front.base)?;
    let list = &front.entries.iter().find(|entry| entry.key == "checks")?.value;
    let Kind::List(items) = &list.kind else { return None };
    let item = items.iter().find(|item| item.range.start == at)?;
    // With a tag or an anchor in front it is more than its text.
    let line = front.text[..at].rfind('\n').map_or(0, |end| end + 1);
    if front.text[line..at].contains(['!', '&']) || front.text[at..].starts_with(['!', '&', '*']) {
        return None;
    }
    if matches!(item.kind, Kind::Map(_)) {
        return front.checked(document, front.put(item, &values), &want);
    }
    if let Some(edit) = front.block_command(item, &values).and_then(|splices| front.checked(document, splices, &want)) {
        return Some(edit);
    }
    let mapping = vec![
        insertion(at, "cmd: ".to_owned()),
        insertion(front.next_line(item.range.end), front.lines(&front.indent(at), &values)),
    ];
    let is_flow = front.text[list.range.clone()].starts_with('[') && list.range.start < at;
    let mapping = Some(mapping).filter(|_| !is_flow).and_then(|splices| front.checked(document, splices, &want));
    mapping.or_else(|| {
        values.0.insert(0, ("cmd", &cmd));
        let splice = Splice { range: item.range.clone(), with: values.flow().into_bytes() };
        front.checked(document, vec![splice], &want)
    })
}

/// The edit that puts `records` into the list of evidence.
pub(in crate::document) fn evidence_list(document: &Document, records: &[EvidenceRecord]) -> Option<Edit> {
    let front = Front::of(document)?;
    let mut want = said(document);
    let entry = front.entries.iter().find(|entry| entry.key == "evidence");
    let mut list = match entry.map(|entry| &entry.value.kind) {
        None | Some(Kind::Empty) => Vec::new(),
        Some(Kind::List(items)) => items.iter().map(Node::to_json).collect(),
        Some(_) => return None,
    };
    let mut places: Vec<Option<usize>> = Vec::new();
    let there = list.clone();
    for record in records {
        let at = there.iter().position(|other| record.replaces(other));
        match at {
            Some(at) => list[at] = record.to_value(),
            None => list.push(record.to_value()),
        }
        places.push(at);
    }
    let splices = match entry {
        None => vec![insertion(front.text.len(), format!("evidence:{}{}", front.eol(), front.items("  ", records)))],
        Some(Entry { value: Node { kind: Kind::List(items), range }, .. }) => {
            front.put_records(range.clone(), items, records, &places)
        }
        Some(Entry { value, .. }) => vec![insertion(front.next_line(value.range.end), front.items("  ", records))],
    };
    want.extra.insert("evidence".to_owned(), list.into());
    front.checked(document, splices, &want)
}

/// The edit that makes scope, base and head those of `ends`; what that has no word for stays.
pub(in crate::document) fn diff_ends(document: &Document, ends: &Meta) -> Option<Edit> {
    let front = Front::of(document)?;
    let mut want = said(document);
    let mut splices = Vec::new();
    let mut behind = front.entries.iter().find(|entry| entry.key == "title");
    let meta = document.meta();
    let scope = |meta: &Meta| meta.scope.map(|scope| scope.as_str().to_owned());
    let ends = [
        ("scope", scope(meta), scope(ends)),
        ("base", meta.base.clone(), ends.base.clone()),
        ("head", meta.head.clone(), ends.head.clone()),
    ];
    for (key, old, new) in ends {
        let there = front.entries.iter().find(|entry| entry.key == key);
        if let Some(new) = new.filter(|new| !old.is_some_and(|old| is_same_end(&old, new))) {
            splices.push(match there {
                Some(entry) => front.replacement(entry, &scalar(&new)),
                None => front.line_insertion(&front.entries, behind, key, &new),
            });
            // A value that did not fit may have stood there.
            want.extra.remove(key);
            match key {
                "scope" => want.scope = Scope::from_word(new.as_bytes()),
                "base" => want.base = Some(new),
                _ => want.head = Some(new),
            }
        }
        behind = there.or(behind);
    }
    front.checked(document, splices, &want)
}

/// The edit that makes `text`, one line, the title; `None` where the frontmatter has none, or would be read otherwise.
pub(in crate::document) fn title_text(document: &Document, text: &str) -> Option<Edit> {
    let front = Front::of(document)?;
    let entry = front.entries.iter().find(|entry| entry.key == "title")?;
    let want = Meta { title: Some(text.to_owned()), ..said(document) };
    front.checked(document, vec![front.replacement(entry, &scalar(text))], &want)
}

/// Whether two names of a side are of the same commit: `<ref>@<id>`, with ids of any length.
fn is_same_end(old: &str, new: &str) -> bool {
    let ids = old.rsplit_once('@').zip(new.rsplit_once('@'));
    old == new || ids.is_some_and(|((_, old), (_, new))| ids_agree(old.as_bytes(), new.as_bytes()))
}

/// What the frontmatter says, wherever it stands.
fn said(document: &Document) -> Meta {
    Meta { findings: Vec::new(), places: Places::default(), ..document.meta().clone() }
}

/// The keys of a record with their values, a line each.
fn lines_of(record: &EvidenceRecord) -> Vec<String> {
    record.0.iter().map(|(key, value)| format!("{key}: {}", written(value, scalar))).collect()
}

fn flow_record(record: &EvidenceRecord) -> String {
    let pairs: Vec<String> =
        record.0.iter().map(|(key, value)| format!("{key}: {}", written(value, scalar_in_flow))).collect();
    format!("{{{}}}", pairs.join(", "))
}

/// A value as YAML has it.
fn written(value: &Value, scalar: impl Fn(&str) -> String) -> String {
    value.as_str().map_or_else(|| value.to_string(), scalar)
}

fn insertion(at: usize, with: String) -> Splice {
    Splice { range: at..at, with: with.into_bytes() }
}

/// Keys with the values that they get; an empty one is left alone.
struct Values<'a>(Vec<(&'static str, &'a str)>);

impl Values<'_> {
    fn given(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.0.iter().copied().filter(|(_, value)| !value.is_empty())
    }

    /// All of them as `{…}`.
    fn flow(&self) -> String {
        let pairs: Vec<String> = self.given().map(|(key, value)| format!("{key}: {}", scalar_in_flow(value))).collect();
        format!("{{{}}}", pairs.join(", "))
    }
}

/// The text between the fences, which is UTF-8, with its keys.
struct Front<'a> {
    /// Where it begins in the document.
    base: usize,
    text: &'a str,
    newline: Newline,
    entries: Vec<Entry>,
}

impl<'a> Front<'a> {
    fn of(document: &'a Document) -> Option<Self> {
        let head = &document.parts()[0];
        let span = head.tree().blocks.iter().find_map(|block| match block {
            Block::Frontmatter(span) => Some(*span),
            _ => None,
        })?;
        let inner = between_fences(head, span);
        let text = from_utf8(&head.text()[inner.clone()]).ok()?;
        let entries = recover::entries(text, &mut Vec::new());
        Some(Self { base: inner.start, text, newline: document.newline(), entries })
    }

    fn eol(&self) -> &'static str {
        self.newline.as_str()
    }

    /// Give the keys of the mapping `node` their values.
    fn put(&self, node: &Node, values: &Values<'_>) -> Vec<Splice> {
        let Kind::Map(entries) = &node.kind else { return Vec::new() };
        let is_flow = self.text[node.range.clone()].starts_with('{');
        if is_flow && entries.is_empty() {
            return vec![Splice { range: node.range.clone(), with: values.flow().into_bytes() }];
        }
        let mut splices = Vec::new();
        let mut behind: Option<&Entry> = entries.iter().find(|entry| entry.key == "cmd");
        for (key, value) in &values.0 {
            let there = entries.iter().find(|entry| entry.key == *key);
            if let (Some(entry), false) = (there, value.is_empty()) {
                splices.push(self.replacement(entry, &if is_flow { scalar_in_flow(value) } else { scalar(value) }));
            } else if !value.is_empty() {
                splices.push(if is_flow {
                    let end = entries.last().map_or(node.range.start + 1, |last| self.end(last));
                    insertion(end, format!(", {key}: {}", scalar_in_flow(value)))
                } else {
                    self.line_insertion(entries, behind, key, value)
                });
            }
            behind = there.or(behind);
        }
        splices
    }

    /// Make a mapping of the entry `item`, which is a block of text (`- |` with lines below it), where it is one. Its
    /// lines move to the right with the column that they have to be behind.
    fn block_command(&self, item: &Node, values: &Values<'_>) -> Option<Vec<Splice>> {
        let header = self.text[..item.range.start].trim_end();
        let header = line_start(self.text.as_bytes(), header.len())..header.len();
        let line = &self.text[header.clone()];
        let dash = header.start + line.find('-').filter(|dash| line[..*dash].trim().is_empty())?;
        let rest = self.text[dash + 1..header.end].trim_start_matches(' ');
        let indicator = header.end - rest.len();
        if !rest.starts_with(['|', '>']) {
            return None;
        }
        let first = self.next_line(indicator);
        let end = self.next_line(item.range.start + self.text[item.range.clone()].trim_end().len());
        let mut splices = vec![insertion(indicator, "cmd: ".to_owned())];
        let mut at = first;
        for line in self.text[first..end].split_inclusive('\n') {
            if !line.trim().is_empty() {
                splices.push(insertion(at, " ".repeat(indicator - dash)));
            }
            at += line.len();
        }
        splices.push(insertion(end, self.lines(&self.indent(indicator), values)));
        Some(splices)
    }

    /// Put records into the list at `list`, each in the place of an item, or behind the last.
    fn put_records(
        &self,
        list: Range<usize>,
        items: &[Node],
        records: &[EvidenceRecord],
        places: &[Option<usize>],
    ) -> Vec<Splice> {
        let is_flow = self.text[list.clone()].starts_with('[');
        let end_of = |item: &Node| self.end_of(item);
        let mut splices = Vec::new();
        let mut added = Vec::new();
        for (record, place) in records.iter().zip(places) {
            let Some(item) = place.map(|at| &items[at]) else {
                added.push(record.clone());
                continue;
            };
            if is_flow || self.text[item.range.clone()].starts_with('{') {
                splices.push(Splice { range: item.range.start..end_of(item), with: flow_record(record).into_bytes() });
            } else {
                let lines = lines_of(record).join(&format!("{}{}", self.eol(), self.indent(item.range.start)));
                let end = self.end_of_line(end_of(item));
                splices.push(Splice { range: item.range.start..end, with: lines.into_bytes() });
            }
        }
        let flow = added.iter().map(flow_record).collect::<Vec<_>>().join(", ");
        match items.last() {
            _ if added.is_empty() => {}
            Some(last) if is_flow => splices.push(insertion(end_of(last), format!(", {flow}"))),
            Some(last) => {
                let lead = self.indent(self.dash_before(last.range.start));
                splices.push(insertion(self.next_line(end_of(last)), self.items(&lead, &added)));
            }
            None => splices.push(Splice { range: list, with: format!("[{flow}]").into_bytes() }),
        }
        splices.sort_by_key(|splice| splice.range.start);
        splices
    }

    /// The dash of the list item that begins at `at`.
    fn dash_before(&self, at: usize) -> usize {
        let start = line_start(self.text.as_bytes(), at);
        start + self.text[start..at].rfind('-').unwrap_or(at - start)
    }

    /// The records as items of a list.
    fn items(&self, lead: &str, records: &[EvidenceRecord]) -> String {
        let next = format!("{}{lead}  ", self.eol());
        records.iter().map(|record| format!("{lead}- {}{}", lines_of(record).join(&next), self.eol())).collect()
    }

    /// Where the line that holds `at` ends, its terminator left out.
    fn end_of_line(&self, at: usize) -> usize {
        let rest = &self.text[at..];
        at + rest.find('\n').map_or(rest.len(), |len| rest[..len].trim_end_matches('\r').len())
    }

    /// Put the scalar `with` in the place of the value of `entry`.
    fn replacement(&self, entry: &Entry, with: &str) -> Splice {
        let value = &entry.value;
        let start = value.range.start;
        let end = start + self.text[value.range.clone()].trim_end().len();
        let colon = self.colon(entry.at);
        if value.range.is_empty() {
            return insertion(colon.map_or(start, |colon| colon + 1), format!(" {with}"));
        }
        let Some(colon) = colon.filter(|colon| *colon < start) else {
            return Splice { range: start..end, with: with.into() };
        };
        let lead = self.text[colon + 1..start].trim_start_matches([' ', '\t']);
        if !lead.starts_with(['|', '>']) {
            return Splice { range: start..end, with: with.into() };
        }
        // A block of text below its key: the new value stands behind the key, in front of the comment there.
        let comment = lead.lines().next().and_then(|line| line.find(" #").map(|at| line[at..].trim_end()));
        Splice {
            range: colon + 1..end.max(start),
            with: format!(" {with}{}", comment.unwrap_or_default()).into_bytes(),
        }
    }

    /// The colon behind the key that stands at `at`.
    fn colon(&self, at: usize) -> Option<usize> {
        let line = &self.text[at..self.next_line(at)];
        let quote = line.chars().next().filter(|first| matches!(first, '"' | '\''));
        let key = quote.map_or(0, |quote| line[1..].find(quote).map_or(0, |len| len + 2));
        line[key..].find(':').map(|colon| at + key + colon)
    }

    /// Where the value of `entry` ends, blank lines below it left out.
    fn end(&self, entry: &Entry) -> usize {
        let end = self.end_of(&entry.value);
        self.colon(entry.at).map_or(end, |colon| end.max(colon + 1))
    }

    /// Where `node` ends. What the parser calls the end of a block reaches to what follows it, comments included.
    fn end_of(&self, node: &Node) -> usize {
        let is_flow = self.text[node.range.clone()].starts_with(['{', '[']);
        match &node.kind {
            Kind::List(items) if !is_flow => items.last().map_or(node.range.start, |last| self.end_of(last)),
            Kind::Map(entries) if !is_flow => entries.last().map_or(node.range.start, |last| self.end(last)),
            _ => node.range.start + self.text[node.range.clone()].trim_end().len(),
        }
    }

    /// A line of its own below that of `behind`, or above all others.
    fn line_insertion(&self, entries: &[Entry], behind: Option<&Entry>, key: &str, value: &str) -> Splice {
        let first = entries.first().map_or(0, |entry| entry.at);
        let indent = self.indent(first);
        let line = format!("{key}: {}{}", scalar(value), self.eol());
        match behind.or_else(|| entries.first()) {
            Some(entry) => insertion(self.next_line(self.end(entry)), indent + &line),
            None => insertion(first, line + &indent),
        }
    }

    /// The given values, a line each.
    fn lines(&self, indent: &str, values: &Values<'_>) -> String {
        values.given().map(|(key, value)| format!("{indent}{key}: {}{}", scalar(value), self.eol())).collect()
    }

    /// Blanks as wide as what stands in front of `at` on its line.
    fn indent(&self, at: usize) -> String {
        " ".repeat(at - line_start(self.text.as_bytes(), at))
    }

    /// Where the line behind the one that holds `at` begins.
    fn next_line(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |len| at + len + 1)
    }

    /// The edit of these splices, if the frontmatter then says `want` and everything else stays where it is.
    fn checked(&self, document: &Document, splices: Vec<Splice>, want: &Meta) -> Option<Edit> {
        let moved = |range: Range<usize>| self.base + range.start..self.base + range.end;
        let splices = splices.into_iter().map(|splice| Splice { range: moved(splice.range), with: splice.with });
        let edit = Edit::new(splices.collect());
        let after = document.edited(&edit);
        let broken = |document: &Document| {
            document.meta().findings.iter().filter(|finding| finding.code == "frontmatter-invalid").count()
        };
        let is_sound = broken(&after) <= broken(document) && after.parts().len() == document.parts().len();
        let is_said = is_sound && said(&after) == *want;
        is_said.then_some(edit)
    }
}
