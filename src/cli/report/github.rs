//! Findings as workflow commands of GitHub Actions, which show them beside the lines of a pull request.

use std::fmt::Write as _;

use super::places;
use crate::cli::validate::Checked;
use crate::cli::{print, visible};
use crate::diagnostic::Severity;
use crate::error::Error;

/// Write a line for each finding.
///
/// # Errors
/// When the output takes no more.
pub(in crate::cli) fn github(all: &[Checked]) -> Result<(), Error> {
    let mut out = String::new();
    for checked in all {
        for (found, place) in places(checked) {
            let command = match found.diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let (file, title) = (property(&checked.review.name), property(found.diagnostic.code));
            // Writing to a string cannot fail.
            let _ = writeln!(
                out,
                "::{command} file={file},line={},col={},endColumn={},title={title}::{}",
                place.line,
                place.column,
                place.end_column,
                data(&found.diagnostic.message)
            );
        }
    }
    print(out.as_bytes())
}

/// A message in which nothing ends the command.
fn data(text: &str) -> String {
    let lines = text.split_inclusive(['\r', '\n']).map(|line| {
        let content = line.trim_end_matches(['\r', '\n']);
        visible(content).replace('%', "%25") + &line[content.len()..].replace('\r', "%0D").replace('\n', "%0A")
    });
    lines.collect()
}

/// A value in which nothing ends the property.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_ends_a_command_early() {
        assert_eq!((data("a%b\nc:d"), property("a,b:c%")), ("a%25b%0Ac:d".to_owned(), "a%2Cb%3Ac%25".to_owned()));
    }
}
