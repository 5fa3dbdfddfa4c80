//! `whymark mb lint`: what is wrong with files.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Serialize, Serializer};

use super::files::{self, Existing};
use super::{FINDINGS, Outcome};
use crate::cli::{print_json, visible, write_out};
use crate::diagnostic::Severity;
use crate::error::Error;
use crate::markback::{Checks, Finding, Markback, Problem, lint};

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

/// One file and what was found.
struct Linted {
    name: String,
    file: Markback,
    findings: Vec<Finding>,
    /// Why it could not be read.
    refusal: Option<String>,
}

/// Run the command; warnings alone are fine.
///
/// # Errors
/// When a folder cannot be listed, or the output not written.
pub(super) fn run(args: &LintArgs) -> Outcome {
    let paths = if args.sidecar { args.targets.clone() } else { files::found(&args.targets, true)? };
    let linted: Vec<Linted> = paths.iter().map(|path| linted(path, args)).collect();
    let summary = Summary::of(&linted);
    if args.json {
        print_json(&Report { summary, diagnostics: All(&linted) })?;
    } else {
        text(&linted, &summary)?;
    }
    Ok(if summary.errors > 0 { ExitCode::from(FINDINGS) } else { ExitCode::SUCCESS })
}

fn linted(path: &Path, args: &LintArgs) -> Linted {
    let name = path.display().to_string();
    let empty = || Markback::parse("");
    let found = if args.sidecar { files::sidecar_of(path) } else { Ok(Some(path.to_owned())) };
    let read = found.and_then(|found| found.map(|path| files::read(&path).map(|text| (path, text))).transpose());
    match read {
        Err(error) => {
            let findings = vec![Finding::of_file(Problem::Unreadable)];
            Linted { name, file: empty(), findings, refusal: Some(error.to_string()) }
        }
        Ok(None) => {
            let findings = vec![Finding::of_file(Problem::NoSidecar)];
            Linted { name, file: empty(), findings, refusal: None }
        }
        Ok(Some((path, text))) => {
            let name = path.display().to_string();
            let file = Markback::parse(text);
            let mut existing = Existing::from(files::folder_of(&path));
            let mut look = |path: &str| existing.has(path);
            let is_there: Option<&mut dyn FnMut(&str) -> bool> =
                if args.no_source_check { None } else { Some(&mut look) };
            let findings = lint(&file, Checks { canonical: !args.no_canonical_check, is_there });
            Linted { name, file, findings, refusal: None }
        }
    }
}

impl Linted {
    fn message(&self, finding: &Finding) -> Cow<'_, str> {
        self.refusal.as_deref().map_or_else(|| finding.message(&self.file), Cow::Borrowed)
    }
}

#[derive(Clone, Copy, Serialize)]
struct Summary {
    files: usize,
    records: usize,
    errors: usize,
    warnings: usize,
    files_with_errors: usize,
    files_with_warnings: usize,
}

impl Summary {
    fn of(linted: &[Linted]) -> Self {
        let count = |severity: Severity| {
            let has = |finding: &&Finding| finding.rule().severity == severity;
            let counts: Vec<usize> = linted.iter().map(|one| one.findings.iter().filter(has).count()).collect();
            (counts.iter().sum(), counts.iter().filter(|count| **count > 0).count())
        };
        let (errors, files_with_errors) = count(Severity::Error);
        let (warnings, files_with_warnings) = count(Severity::Warning);
        let records = linted.iter().map(|one| one.file.entries().len()).sum();
        Self { files: linted.len(), records, errors, warnings, files_with_errors, files_with_warnings }
    }
}

fn text(linted: &[Linted], summary: &Summary) -> Result<(), Error> {
    write_out(|out| {
        let mut is_fine = true;
        for one in linted {
            let name = visible(&one.name);
            for finding in &one.findings {
                is_fine = false;
                let (code, message) = (finding.rule().code, one.message(finding));
                let message = visible(&message);
                match (finding.line, finding.column(&one.file)) {
                    (Some(line), Some(column)) => writeln!(out, "{name}:{}:{column}: {code} {message}", line + 1)?,
                    _ => writeln!(out, "{name}: {code} {message}")?,
                }
            }
        }
        if !is_fine {
            writeln!(out)?;
        }
        let Summary { files, records, errors, warnings, .. } = summary;
        if *files > 1 {
            writeln!(out, "Files: {files}")?;
        }
        writeln!(out, "Records: {records}\nErrors: {errors}\nWarnings: {warnings}")
    })
}

#[derive(Serialize)]
struct Report<'a> {
    summary: Summary,
    diagnostics: All<'a>,
}

/// The findings of all files, written one by one.
struct All<'a>(&'a [Linted]);

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
        let pairs = self.0.iter().flat_map(|one| one.findings.iter().map(move |finding| (one, finding)));
        serializer.collect_seq(pairs.map(|(one, finding)| Diagnostic {
            file: &one.name,
            line: finding.line.map(|line| line + 1),
            column: finding.column(&one.file),
            severity: finding.rule().severity.as_str(),
            code: finding.rule().code,
            message: one.message(finding),
            record_index: finding.record,
        }))
    }
}
