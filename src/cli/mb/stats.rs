//! `whymark mb stats`: how many records, with what, by whom.

use std::collections::HashMap;
use std::path::PathBuf;

use clap::Args;
use serde::{Serialize, Serializer};

use super::Outcome;
use super::list::{self, Read};
use crate::cli::{print_json, visible, write_out};
use crate::markback::Record;

/// `whymark mb stats`.
#[derive(Debug, Args, Default)]
pub(super) struct StatsArgs {
    /// Files, and folders, whose .mb files are read, not those in folders below.
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
    fn take(&mut self, record: &Record<'_>) {
        self.records += 1;
        self.with_file_ref += usize::from(record.file.is_some());
        self.with_inline_content += usize::from(record.content.is_some());
        self.with_input_ref += usize::from(record.input.is_some());
        record.tags.iter().for_each(|tag| self.tags.add(tag));
        record.by.iter().for_each(|by| self.reviewers.add(by));
    }
}

/// How often each word came, in the order in which they came first.
#[derive(Default)]
struct Counts {
    places: HashMap<String, usize>,
    counts: Vec<(String, usize)>,
}

impl Counts {
    fn add(&mut self, word: &str) {
        if let Some(place) = self.places.get(word) {
            self.counts[*place].1 += 1;
            return;
        }
        self.places.insert(word.to_owned(), self.counts.len());
        self.counts.push((word.to_owned(), 1));
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
    for record in files.iter().flat_map(|(file, _)| file.records()) {
        stats.take(&record);
    }
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
