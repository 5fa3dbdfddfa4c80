//! Findings for a person: each with its line, then what it comes to.

use std::io;

use super::places;
use crate::cli::paint::{Paint, Tone};
use crate::cli::validate::Checked;
use crate::cli::{display, visible};
use crate::diagnostic::{Excerpt, Severity};
use crate::document::check::Located;
use crate::error::Error;

/// Write the findings of all reviews.
///
/// # Errors
/// When the output takes no more.
pub(in crate::cli) fn text(all: &[Checked], paint: Paint) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let write = |out: &mut dyn io::Write| {
        for checked in all {
            for (found, place) in places(checked) {
                let excerpt = Excerpt {
                    name: &checked.review.name,
                    line: place.line,
                    column: place.column,
                    text: &checked.review.text[place.text],
                    range: place.range,
                    remarks: remarks(checked, found),
                };
                let report = excerpt.render(&found.diagnostic, display(), |role, text| paint.role(role, text));
                writeln!(out, "{report}")?;
            }
            writeln!(out, "{}", summary(checked, paint))?;
        }
        out.flush()
    };
    write(&mut out).map_err(|source| Error::WriteOutput { source })
}

/// The file and note that a finding is about, and whether it can be mended by itself.
fn remarks(checked: &Checked, found: &Located) -> Vec<String> {
    let document = &checked.review.document;
    let file = found.part.map(|part| document.parts()[part].path_text());
    let note = found.note.map(|note| document.note_id(note));
    let about = match (file, note) {
        (Some(file), Some(note)) => Some(format!("in note {note} of {file}")),
        (Some(file), None) => Some(format!("in {file}")),
        (None, Some(note)) => Some(format!("in note {note}")),
        (None, None) => None,
    };
    let mend = found.diagnostic.fix.as_ref().map(|_| "`whymark validate --fix` mends it".to_owned());
    about.into_iter().chain(mend).collect()
}

/// One line about a review.
fn summary(checked: &Checked, paint: Paint) -> String {
    let counts = [(Severity::Error, "error"), (Severity::Warning, "warning"), (Severity::Info, "hint")];
    let counts = counts.map(|(severity, word)| (checked.count(severity), word));
    let counted = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| {
        let plural = if *count == 1 { "" } else { "s" };
        format!("{count} {word}{plural}")
    });
    let counted: Vec<String> = counted.collect();
    let verdict = if checked.ok { paint.tone(Tone::Good, "ok") } else { paint.tone(Tone::Bad, "not ok") };
    let findings = if counted.is_empty() { "nothing to say".to_owned() } else { counted.join(", ") };
    let stats = &checked.stats;
    let coverage = format!("{} of {} added lines covered", stats.covered, stats.added);
    format!("{}: {verdict} ({findings}; {coverage})", visible(&checked.review.name))
}
