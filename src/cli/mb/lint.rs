//! `whymark mb lint`: what is wrong with files.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use bytes::Bytes;
use clap::Args;
use serde::{Serialize, Serializer};

use super::files::{self, Existing};
use super::{FINDINGS, Outcome};
use crate::cli::{print_json, visible, write_out};
use crate::markback::{Checks, Finding, Findings, Markback, Problem, lint};

/// `whymark mb lint`.
#[derive(Debug, Args, Default)]
pub(super) struct LintArgs {
    /// Files, `-` for standard input, and folders, whose .mb files are looked at however deep they are.
    #[arg(value_name = "FILE|FOLDER")]
    pub(super) targets: Vec<PathBuf>,

    /// Print an object with a summary and all findings.
    #[arg(long)]
    pub(super) json: bool,

    /// Don't look whether the files that records name are there.
    #[arg(long)]
    pub(super) no_source_check: bool,

    /// Don't compare the layout with the canonical one.
    #[arg(long)]
    pub(super) no_canonical_check: bool,

    /// The files are content: lint their sidecars, and say which have none.
    #[arg(long)]
    pub(super) sidecar: bool,
}

/// A file as it was read.
struct Read {
    name: String,
    /// Seen from where the paths in it count.
    folder: PathBuf,
    /// Nothing when it could not be read.
    file: Markback,
    /// What is to be said instead of what is wrong with its text, and why it could not be read.
    instead: Option<(Problem, Option<String>)>,
}

/// A file with what was found.
struct Linted<'a> {
    read: &'a Read,
    findings: Findings<'a>,
}

/// Run the command; warnings alone are fine.
///
/// # Errors
/// When a folder cannot be listed, or the output not written.
pub(super) fn run(args: &LintArgs) -> Outcome {
    let paths = if args.sidecar { args.targets.clone() } else { files::found(&args.targets, true)? };
    let read = paths.iter().map(|path| Read::from(path, args.sidecar));
    let mut summary = Summary::default();
    if args.json {
        let read: Vec<Read> = read.collect();
        let linted: Vec<Linted<'_>> = read.iter().map(|read| read.lint(args)).collect();
        linted.iter().for_each(|linted| summary.add(linted));
        print_json(&Report { summary, diagnostics: All(&linted) })?;
    } else {
        write_out(|out| {
            for read in read {
                let linted = read.lint(args);
                summary.add(&linted);
                linted.write(out)?;
            }
            summary.write(out)
        })?;
    }
    Ok(if summary.errors > 0 { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

impl Read {
    fn from(path: &Path, is_content: bool) -> Self {
        let found = if is_content { files::sidecar_of(path) } else { Ok(Some(path.to_owned())) };
        let read = found.and_then(|found| found.map(|path| files::read(&path).map(|text| (path, text))).transpose());
        let (path, text, instead) = match read {
            Ok(Some((path, text))) => (path, text, None),
            Ok(None) => (path.to_owned(), Bytes::new(), Some((Problem::NoSidecar, None))),
            Err(error) => (path.to_owned(), Bytes::new(), Some((Problem::Unreadable, Some(error.to_string())))),
        };
        let (name, folder) = (path.display().to_string(), files::folder_of(&path).to_owned());
        Self { name, folder, file: Markback::parse(text), instead }
    }

    fn lint(&self, args: &LintArgs) -> Linted<'_> {
        let existing = Existing::from(&self.folder);
        let look = |path: &str| existing.has(path);
        let is_there: Option<&(dyn Fn(&str) -> bool + Sync)> = if args.no_source_check { None } else { Some(&look) };
        Linted { read: self, findings: lint(&self.file, Checks { canonical: !args.no_canonical_check, is_there }) }
    }
}

impl Linted<'_> {
    fn iter(&self) -> impl Iterator<Item = Finding> + '_ {
        let instead = self.read.instead.iter().map(|(problem, _)| Finding::of_file(*problem));
        instead.chain(self.findings.iter())
    }

    fn message(&self, finding: &Finding) -> Cow<'_, str> {
        let instead = self.read.instead.as_ref().and_then(|(_, why)| why.as_deref());
        instead.map_or_else(|| finding.message(&self.read.file), Cow::Borrowed)
    }

    /// One line for each finding.
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let name = visible(&self.read.name);
        let mut digits = [itoa::Buffer::new(), itoa::Buffer::new()];
        // Large files have thousands of findings in a row that read alike.
        let (mut said, mut text) = (None, String::new());
        for finding in self.iter() {
            if said != Some(finding.problem) {
                text = format!(": {} {}\n", finding.rule().code, visible(&self.message(&finding)));
                said = Some(finding.problem).filter(|problem| !problem.names_text());
            }
            out.write_all(name.as_bytes())?;
            if let (Some(line), Some(column)) = (finding.line, finding.column(&self.read.file)) {
                let [of_line, of_column] = &mut digits;
                for number in [of_line.format(line + 1), of_column.format(column)] {
                    out.write_all(b":")?;
                    out.write_all(number.as_bytes())?;
                }
            }
            out.write_all(text.as_bytes())?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Default, Serialize)]
struct Summary {
    files: usize,
    records: usize,
    errors: usize,
    warnings: usize,
    files_with_errors: usize,
    files_with_warnings: usize,
}

impl Summary {
    fn add(&mut self, linted: &Linted<'_>) {
        let (mut errors, mut warnings) = (0, 0);
        for finding in linted.iter() {
            *if finding.is_error() { &mut errors } else { &mut warnings } += 1;
        }
        self.files += 1;
        self.records += linted.read.file.entries().len();
        self.errors += errors;
        self.warnings += warnings;
        self.files_with_errors += usize::from(errors > 0);
        self.files_with_warnings += usize::from(warnings > 0);
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { files, records, errors, warnings, .. } = self;
        if errors + warnings > 0 {
            writeln!(out)?;
        }
        if *files > 1 {
            writeln!(out, "Files: {files}")?;
        }
        writeln!(out, "Records: {records}\nErrors: {errors}\nWarnings: {warnings}")
    }
}

#[derive(Serialize)]
struct Report<'a> {
    summary: Summary,
    diagnostics: All<'a>,
}

/// The findings of all files, written one by one.
struct All<'a>(&'a [Linted<'a>]);

#[derive(Serialize)]
struct Diagnostic<'a> {
    file: &'a str,
    line: Option<u32>,
    column: Option<usize>,
    severity: &'static str,
    code: &'static str,
    message: Cow<'a, str>,
    record_index: Option<u32>,
}

impl Serialize for All<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let pairs = self.0.iter().flat_map(|one| one.iter().map(move |finding| (one, finding)));
        serializer.collect_seq(pairs.map(|(one, finding)| Diagnostic {
            file: &one.read.name,
            line: finding.line.map(|line| line + 1),
            column: finding.column(&one.read.file),
            severity: finding.rule().severity.as_str(),
            code: finding.rule().code,
            message: one.message(&finding),
            record_index: finding.record,
        }))
    }
}
