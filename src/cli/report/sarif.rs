//! Findings as SARIF 2.1.0, which code scanning services read.

use serde_json::{Value, json};

use super::{Place, places};
use crate::cli::print_json;
use crate::cli::validate::Checked;
use crate::diagnostic::Severity;
use crate::document::check::{Located, RULES};
use crate::error::Error;
use crate::text::edit::{Edit, Splice};

/// Write one log with one run.
///
/// # Errors
/// When the output takes no more.
pub(in crate::cli) fn sarif(all: &[Checked]) -> Result<(), Error> {
    let rules: Vec<Value> = RULES
        .iter()
        .map(|rule| {
            json!({
                "id": rule.code,
                "shortDescription": { "text": rule.meaning },
                "help": { "text": rule.mend },
                "defaultConfiguration": { "level": level(rule.severity) },
            })
        })
        .collect();
    let results = all.iter().flat_map(|checked| {
        let uri = uri(&checked.review.name);
        places(checked).map(move |(found, place)| result(found, &place, &uri))
    });
    print_json(&json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "whymark", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results.collect::<Vec<_>>(),
        }],
    }))
}

fn result(found: &Located, place: &Place, uri: &str) -> Value {
    let finding = &found.diagnostic;
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": RULES.iter().position(|rule| rule.code == finding.code),
        "level": level(finding.severity),
        "message": { "text": finding.message },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": uri },
                "region": { "startLine": place.line, "startColumn": place.column, "endColumn": place.end_column },
            },
        }],
    });
    if let Some(fix) = &finding.fix {
        result["fixes"] = json!([{ "artifactChanges": [change(fix, uri)] }]);
    }
    result
}

fn change(fix: &Edit, uri: &str) -> Value {
    let replacement = |splice: &Splice| {
        json!({
            "deletedRegion": { "byteOffset": splice.range.start, "byteLength": splice.range.len() },
            "insertedContent": { "text": String::from_utf8_lossy(&splice.with) },
        })
    };
    let replacements: Vec<Value> = fix.splices().iter().map(replacement).collect();
    json!({ "artifactLocation": { "uri": uri }, "replacements": replacements })
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}

/// A path as a relative reference: everything but plain characters in percent notation.
fn uri(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let letter = |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_references() {
        assert_eq!(uri("reviews/a b#ä.whymark"), "reviews/a%20b%23%C3%A4.whymark");
    }
}
