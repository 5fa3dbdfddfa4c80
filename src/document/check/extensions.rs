//! Whether the extension data in the metadata has its form (section 12): records of runs, and a quality report.

use serde_json::Value;

const MAX_RECORDS: usize = 1000;
const MAX_COMMAND: usize = 10_000;
const MAX_CHECKS: usize = 100;
const MAX_FINDINGS: usize = 20_000;

/// Whether `value` is a list of evidence records.
pub(super) fn is_evidence(value: &Value) -> bool {
    value.as_array().is_some_and(|records| records.len() <= MAX_RECORDS && records.iter().all(is_record))
}

/// Whether `record` is a record of a run.
#[must_use]
pub fn is_record(record: &Value) -> bool {
    let status = record["status"].as_str().unwrap_or_default();
    let exit = &record["exitCode"];
    record["version"] == 1
        && record["command"]
            .as_str()
            .is_some_and(|command| !command.is_empty() && command.chars().count() <= MAX_COMMAND)
        && ["noteId", "file"].iter().all(|key| is_text_or_null(&record[*key]))
        && ["source", "sourceAfter"].iter().all(|key| record[*key].is_null() || is_hash(&record[*key]))
        && ["head", "base"].iter().all(|key| is_text_or_null(&record[*key]))
        && matches!(status, "pass" | "fail" | "unavailable")
        && record["ran"].as_str().is_some_and(is_date)
        && record["durationMs"].as_f64().is_some_and(|duration| duration >= 0.0)
        && (exit.is_null() || exit.is_i64())
        && (status != "pass" || *exit == 0)
        && ["reviewHash", "outputHash"].iter().all(|key| is_hash(&record[*key]))
        && ["claimed", "cwd", "tool", "runtime", "outputArtifact", "summary"].iter().all(|key| record[*key].is_string())
}

/// Whether `value` is a quality report.
pub(super) fn is_quality(value: &Value) -> bool {
    let list = |key: &str, most: usize| value[key].as_array().filter(|list| list.len() <= most);
    value["version"] == 1
        && value["ran"].as_str().is_some_and(is_date)
        && ["source", "sourceAfter"].iter().all(|key| value[*key].is_null() || is_hash(&value[*key]))
        && is_hash(&value["reviewHash"])
        && matches!(value["provenance"].as_str(), Some("local-run" | "imported"))
        && matches!(value["comparison"].as_str(), Some("available" | "unavailable"))
        && list("checks", MAX_CHECKS).is_some_and(|checks| checks.iter().all(Value::is_object))
        && list("findings", MAX_FINDINGS).is_some_and(|findings| findings.iter().all(is_finding))
}

fn is_finding(finding: &Value) -> bool {
    let path = &finding["path"];
    let is_line = |key: &str| finding[key].is_null() || finding[key].as_u64().is_some_and(|line| line > 0);
    ["id", "tool", "rule", "severity", "message"].iter().all(|key| finding[*key].is_string())
        && (path.is_null() || path.as_str().is_some_and(is_inside))
        && is_line("line")
        && is_line("endLine")
        && matches!(finding["status"].as_str(), Some("new" | "existing" | "resolved" | "uncompared"))
}

/// Whether `path` is relative and stays below the root.
fn is_inside(path: &str) -> bool {
    let is_plain = !path.contains('\\') && !path.chars().any(char::is_control);
    is_plain && !path.is_empty() && !path.starts_with('/') && path.split('/').all(|step| step != "..")
}

fn is_text_or_null(value: &Value) -> bool {
    value.is_null() || value.is_string()
}

/// 64 lower-case hexadecimal digits.
fn is_hash(value: &Value) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    value.as_str().is_some_and(|text| text.len() == 64 && text.bytes().all(is_digit))
}

fn is_date(text: &str) -> bool {
    text.parse::<jiff::Timestamp>().is_ok() || text.parse::<jiff::civil::Date>().is_ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn record() -> Value {
        let hash = "0123456789abcdef".repeat(4);
        json!({
            "version": 1, "command": "make", "noteId": null, "file": null, "claimed": "pass", "status": "pass",
            "ran": "2026-09-15T12:00:00Z", "durationMs": 12, "exitCode": 0, "cwd": ".", "tool": "whymark@1",
            "runtime": "x", "source": null, "sourceAfter": null, "head": null, "base": null, "reviewHash": hash,
            "outputHash": hash, "outputArtifact": "a.log", "summary": "ok",
        })
    }

    #[test]
    fn evidence() {
        assert!(is_evidence(&json!([])) && is_evidence(&json!([record()])));
        assert!(!is_evidence(&json!("nonsense")) && !is_evidence(&json!([1])));
        for (key, value) in [
            ("exitCode", json!(1)),
            ("version", json!(2)),
            ("ran", json!("soon")),
            ("durationMs", json!(-1)),
            ("outputHash", json!("ABC")),
            ("status", json!("ok")),
        ] {
            let mut broken = record();
            broken[key] = value;
            assert!(!is_evidence(&json!([broken])), "{key}");
        }
    }

    #[test]
    fn quality_paths_stay_inside() {
        assert!(is_inside("src/a.rs"));
        assert!(["", "/a", "../a", "a/../b", "a\\b", "a\nb"].iter().all(|path| !is_inside(path)));
        assert!(!is_quality(&json!([])));
    }
}
