//! `whymark mb stats`: how many records, with what, by whom.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use serde::{Serialize, Serializer};

use super::Outcome;
use super::list::{self, Read};
use crate::cli::{print_json, visible, write_out};
use crate::markback::{Markback, Tags};

/// `whymark mb stats`.
#[derive(Debug, Args, Default)]
pub(super) struct StatsArgs {
    /// Files, `-` for standard input, and folders, whose .mb files are read, not those in folders below.
    #[arg(value_name = "FILE|FOLDER")]
    pub(super) targets: Vec<PathBuf>,

    /// Print an object.
    #[arg(long)]
    pub(super) json: bool,

    /// The files are content: read their sidecars.
    #[arg(long)]
    pub(super) sidecar: bool,
}

#[derive(Default, Serialize)]
struct Stats {
    records: usize,
    with_file_ref: usize,
    with_inline_content: usize,
    with_input_ref: usize,
    tags: Counts,
    reviewers: Counts,
}

impl Stats {
    /// Count the records of a file. What many records inherit is looked at once.
    fn take(&mut self, file: &Markback) {
        let mut tags: Run<Tags<'_>> = Run::default();
        let mut by: Run<Option<Cow<'_, str>>> = Run::default();
        for record in file.records() {
            self.records += 1;
            self.with_file_ref += usize::from(record.file.is_some());
            self.with_inline_content += usize::from(record.content.is_some());
            self.with_input_ref += usize::from(record.input.is_some());
            if !tags.value.is_same(&record.tags) {
                tags.end(|tags, length| tags.iter().for_each(|tag| self.tags.add(tag, length)), record.tags);
            }
            tags.length += 1;
            let is_same = match (by.value.as_deref(), record.by.as_deref()) {
                (Some(one), Some(other)) => std::ptr::eq(one, other),
                (one, other) => one.is_none() && other.is_none(),
            };
            if !is_same {
                by.end(|by, length| by.iter().for_each(|by| self.reviewers.add(by, length)), record.by);
            }
            by.length += 1;
        }
        tags.end(|tags, length| tags.iter().for_each(|tag| self.tags.add(tag, length)), Tags::default());
        by.end(|by, length| by.iter().for_each(|by| self.reviewers.add(by, length)), None);
    }
}

/// A value that records in a row have in common.
#[derive(Default)]
struct Run<T> {
    value: T,
    length: usize,
}

impl<T> Run<T> {
    /// Count what has been the value until now; the next one begins.
    fn end(&mut self, count: impl FnOnce(&T, usize), next: T) {
        if self.length > 0 {
            count(&self.value, self.length);
        }
        *self = Self { value: next, length: 0 };
    }
}

/// How often each word came, in the order in which they came first.
#[derive(Default)]
struct Counts {
    places: HashMap<String, usize>,
    counts: Vec<(String, usize)>,
}

impl Counts {
    fn add(&mut self, word: &str, times: usize) {
        if let Some(place) = self.places.get(word) {
            self.counts[*place].1 += times;
            return;
        }
        self.places.insert(word.to_owned(), self.counts.len());
        self.counts.push((word.to_owned(), times));
    }

    /// The most frequent first; of two the one that came first.
    fn ranked(&self) -> Vec<&(String, usize)> {
        let mut ranked: Vec<_> = self.counts.iter().collect();
        ranked.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        ranked
    }
}

impl Serialize for Counts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.counts.iter().map(|(word, count)| (word, count)))
    }
}

/// Run the command. What a record inherits counts as its own.
///
/// # Errors
/// When a folder cannot be listed, or the output not written.
pub(super) fn run(args: &StatsArgs) -> Outcome {
    let Read { files, code } = list::read(&args.targets, args.sidecar)?;
    let mut stats = Stats::default();
    files.iter().for_each(|(file, _)| stats.take(file));
    if args.json {
        print_json(&stats)?;
        return Ok(code);
    }
    write_out(|out| {
        let Stats { records, with_file_ref, with_inline_content, with_input_ref, tags, reviewers } = &stats;
        writeln!(out, "Records: {records}\n  With @file: {with_file_ref}")?;
        writeln!(out, "  With inline content: {with_inline_content}\n  With @input: {with_input_ref}")?;
        for (heading, counts) in [("Tags:", tags), ("Reviewers:", reviewers)] {
            for (index, (word, count)) in counts.ranked().into_iter().enumerate() {
                if index == 0 {
                    writeln!(out, "{heading}")?;
                }
                writeln!(out, "  {}: {count}", visible(word))?;
            }
        }
        Ok(())
    })?;
    Ok(code)
}
