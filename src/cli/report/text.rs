//! Findings for a person: each with its line, then what it comes to.

use std::collections::HashMap;
use std::io;

use super::{Place, places};
use crate::cli::paint::{Paint, Tone};
use crate::cli::validate::Checked;
use crate::cli::{display, visible};
use crate::diagnostic::{Excerpt, Severity};
use crate::document::check::Located;
use crate::error::Error;
use crate::text::counted::counted;

/// Write the findings of all reviews.
///
/// # Errors
/// When the output takes no more.
pub(in crate::cli) fn text(all: &[Checked], paint: Paint) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let write = |out: &mut dyn io::Write| {
        for checked in all {
            for group in groups(checked) {
                let (found, place) = &group[0];
                let mut remarks = remarks(checked, found);
                remarks.extend(others(&group[1..]));
                let excerpt = Excerpt {
                    name: &checked.review.name,
                    line: place.line,
                    column: place.column,
                    text: &checked.review.text[place.text.clone()],
                    range: place.range.clone(),
                    remarks,
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

/// The findings in the order of the lines; those that say the same are together, where the first of them stands.
fn groups(checked: &Checked) -> Vec<Vec<(&Located, Place)>> {
    let mut all: Vec<_> = places(checked).collect();
    all.sort_by_key(|(_, place)| (place.line, place.column));
    let mut groups: Vec<Vec<(&Located, Place)>> = Vec::new();
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    for (found, place) in all {
        let what = (found.diagnostic.code, found.diagnostic.message.as_str());
        let at = *known.entry(what).or_insert(groups.len());
        if at == groups.len() {
            groups.push(Vec::new());
        }
        groups[at].push((found, place));
    }
    groups
}

/// The lines of findings that say what is shown already.
fn others(same: &[(&Located, Place)]) -> Option<String> {
    /// More ranges than these help nobody.
    const MOST: usize = 12;
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for (_, place) in same {
        match ranges.last_mut() {
            Some((_, last)) if place.line <= *last + 1 => *last = place.line,
            _ => ranges.push((place.line, place.line)),
        }
    }
    let range = |(first, last): &(u64, u64)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    let shown: Vec<String> = ranges.iter().take(MOST).map(range).collect();
    let rest = ranges.len().saturating_sub(MOST);
    let more = if rest == 0 { String::new() } else { format!(" and {}", counted(rest, "more place")) };
    (!same.is_empty()).then(|| {
        let lines = if same.len() == 1 { "line" } else { "lines" };
        format!("the same in {lines} {}{more}", shown.join(", "))
    })
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
    let findings = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| counted(*count, word));
    let findings: Vec<String> = findings.collect();
    let verdict = if checked.ok { paint.tone(Tone::Good, "ok") } else { paint.tone(Tone::Bad, "not ok") };
    let findings = if findings.is_empty() { "nothing to say".to_owned() } else { findings.join(", ") };
    let stats = &checked.stats;
    let coverage = format!("{} of {} added lines covered", stats.covered, stats.added);
    format!("{}: {verdict} ({findings}; {coverage})", visible(&checked.review.name))
}
