//! Findings as the JSON of `validate --json`.

use serde::Serialize;

use crate::cli::print_json;
use crate::cli::validate::Checked;
use crate::diagnostic::Severity;
use crate::document::LineMap;
use crate::document::json::DiagnosticJson;
use crate::error::Error;
use crate::metrics::Stats;

#[derive(Serialize)]
struct CheckedJson<'a> {
    path: &'a str,
    diagnostics: Vec<DiagnosticJson>,
    stats: &'a Stats,
    errors: usize,
    warnings: usize,
    ok: bool,
}

/// Write an array with an object for each review.
///
/// # Errors
/// When the output takes no more.
pub(in crate::cli) fn json(all: &[Checked]) -> Result<(), Error> {
    let one = |checked: &'_ Checked| {
        let document = &checked.review.document;
        let lines = LineMap::of(document);
        checked.found.iter().map(|found| DiagnosticJson::of(document, &lines, found)).collect()
    };
    let reports = all.iter().map(|checked| CheckedJson {
        path: &checked.review.name,
        diagnostics: one(checked),
        stats: &checked.stats,
        errors: checked.count(Severity::Error),
        warnings: checked.count(Severity::Warning),
        ok: checked.ok,
    });
    print_json(&reports.collect::<Vec<_>>())
}
