//! Records of runs (section 12): what was run, what came out, and of which state of the files it speaks.

use serde_json::{Value, json};

use super::{End, Plan, Ran};
use crate::document::check::is_record;
use crate::document::edit::EvidenceRecord;
use crate::document::json::reviewed;
use crate::document::{ClaimStatus, Document};
use crate::text::hash::sha256;

/// The most characters of a command that a record holds.
const MOST_COMMAND: usize = 10_000;

/// Where and when commands were run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Circumstances {
    /// When, ISO 8601.
    pub ran: String,
    /// The system.
    pub runtime: String,
    /// The fingerprint of the files before the first command, where there is one.
    pub source: Option<String>,
    /// That after the last one.
    pub source_after: Option<String>,
}

/// Output that is stored beside the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Artifact {
    /// The path from the root.
    pub path: String,
    /// The content.
    pub output: Vec<u8>,
}

/// Where the output with this hash is stored, from the root.
#[must_use]
pub fn artifact_path(hash: &str) -> String {
    format!(".artifacts/whymark/{hash}.log")
}

/// The records of `runs`, one a command, with their outputs; none of a command that was not started, or is too long for
/// a record.
#[must_use]
pub fn records(
    document: &Document,
    plan: &Plan,
    runs: &[Option<Ran>],
    circumstances: &Circumstances,
) -> (Vec<EvidenceRecord>, Vec<Artifact>) {
    let meta = document.meta();
    let review_hash = sha256(&reviewed(document));
    let mut records = Vec::new();
    let mut artifacts = Vec::new();
    for (index, (command, ran)) in plan.commands.iter().zip(runs).enumerate() {
        let Some(ran) = ran.as_ref().filter(|ran| ran.end != End::Cancelled) else { continue };
        if command.chars().count() > MOST_COMMAND {
            continue;
        }
        let status = if ran.unavailable().is_some() { "unavailable" } else { ran.status().as_str() };
        let hash = sha256(&ran.output);
        let path = artifact_path(&hash);
        let Circumstances { ran: when, runtime, source, source_after } = circumstances;
        records.push(EvidenceRecord(vec![
            ("version", json!(1)),
            ("command", json!(command)),
            ("noteId", Value::Null),
            ("file", Value::Null),
            ("claimed", json!(claimed(plan, index, ran).as_str())),
            ("status", json!(status)),
            ("ran", json!(when)),
            ("durationMs", json!(u64::try_from(ran.duration.as_millis()).unwrap_or(u64::MAX))),
            ("exitCode", json!(ran.exit_code())),
            ("cwd", json!(".")),
            ("tool", json!(concat!("whymark@", env!("CARGO_PKG_VERSION")))),
            ("runtime", json!(runtime)),
            ("source", json!(source)),
            ("sourceAfter", json!(source_after)),
            ("head", json!(meta.head)),
            ("base", json!(meta.base)),
            ("reviewHash", json!(review_hash)),
            ("outputHash", json!(hash)),
            ("outputArtifact", json!(path)),
            ("summary", json!(ran.summary())),
        ]));
        artifacts.push(Artifact { path, output: ran.output.clone() });
    }
    (records, artifacts)
}

/// What the claims that rest on a command state: rather one that is not so.
fn claimed(plan: &Plan, index: usize, ran: &Ran) -> ClaimStatus {
    let claimed = || plan.resting_on(index).map(|item| item.claimed);
    let is_wrong =
        |claimed: &ClaimStatus| matches!(claimed, ClaimStatus::Pass | ClaimStatus::Fail) && *claimed != ran.status();
    claimed().find(is_wrong).or_else(|| claimed().next()).unwrap_or(ClaimStatus::Unknown)
}

/// What a record is worth now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum View {
    /// It speaks of the files and the review as they are.
    Current,
    /// It speaks of another state of them, or they changed while it ran.
    Stale,
    /// It cannot be told, or nothing came out.
    Unavailable,
    /// There is no repository to hold it against.
    Imported,
    /// It has not the form of a record.
    Malformed,
}

impl View {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Stale => "stale",
            Self::Unavailable => "unavailable",
            Self::Imported => "imported",
            Self::Malformed => "malformed",
        }
    }
}

/// What records are held against.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Present {
    /// The fingerprint of the files, where there is one.
    pub source: Option<String>,
}

/// A record for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The command.
    pub command: String,
    /// What came out.
    pub status: String,
    /// How, and when.
    pub summary: String,
    /// What it is worth.
    pub view: View,
    /// Whether something else was claimed.
    pub is_contradicted: bool,
}

/// The records of `document`, held against `present` (`None`: there is no repository). `has_output` says whether the
/// output with a hash is stored at a path.
#[must_use]
pub fn shown(document: &Document, present: Option<&Present>, has_output: impl Fn(&str, &str) -> bool) -> Vec<Shown> {
    let Some(Value::Array(records)) = document.meta().extra.get("evidence") else { return Vec::new() };
    let review_hash = sha256(&reviewed(document));
    let text = |record: &Value, key: &str| record[key].as_str().unwrap_or_default().to_owned();
    let show = |record: &Value| {
        let (claimed, status) = (text(record, "claimed"), text(record, "status"));
        let is_judged = |word: &str| matches!(word, "pass" | "fail");
        let output = (text(record, "outputArtifact"), text(record, "outputHash"));
        let is_whole = || artifact_path(&output.1) == output.0 && has_output(&output.0, &output.1);
        Shown {
            command: text(record, "command"),
            summary: format!("{}, {}", text(record, "summary"), text(record, "ran")),
            view: view(record, &review_hash, present, is_whole),
            is_contradicted: is_judged(&claimed) && is_judged(&status) && claimed != status,
            status,
        }
    };
    records.iter().map(show).collect()
}

fn view(record: &Value, review_hash: &str, present: Option<&Present>, is_whole: impl Fn() -> bool) -> View {
    if !is_record(record) {
        return View::Malformed;
    }
    let (Some(before), Some(after)) = (record["source"].as_str(), record["sourceAfter"].as_str()) else {
        return View::Unavailable;
    };
    if record["status"] == "unavailable" {
        return View::Unavailable;
    }
    if before != after {
        return View::Stale;
    }
    let Some(present) = present else { return View::Imported };
    match &present.source {
        Some(now) if is_whole() => {
            if now == before && record["reviewHash"] == review_hash {
                View::Current
            } else {
                View::Stale
            }
        }
        _ => View::Unavailable,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::document::edit::put_evidence;

    const TEXT: &str =
        "---\nwhymark: 1\ntitle: x\n---\n@file a\n@@ -1 +1 @@\n-a\n+b\n\n@note +1\nverify: cmd `t \"a\"` => pass\n";

    fn recorded(source: Option<&str>, after: Option<&str>, end: End) -> Document {
        let document = Document::parse(TEXT);
        let plan = Plan::of(&document, |_| true);
        let runs = [Some(Ran { end, duration: Duration::from_millis(5), output: b"out: # x".to_vec() })];
        let hash = |text: &str| sha256(text.as_bytes());
        let circumstances = Circumstances {
            ran: "2026-09-15T12:00:00Z".to_owned(),
            runtime: "linux".to_owned(),
            source: source.map(hash),
            source_after: after.map(hash),
        };
        let (records, artifacts) = records(&document, &plan, &runs, &circumstances);
        assert_eq!(artifacts.len(), 1);
        document.edited(&put_evidence(&document, &records).expect("there is a frontmatter"))
    }

    #[test]
    fn what_records_are_worth() {
        let now = |text: &str| Some(Present { source: Some(sha256(text.as_bytes())) });
        for (source, after, end, present, has_output, want) in [
            (Some("a"), Some("a"), End::Exited(0), now("a"), true, View::Current),
            (Some("a"), Some("a"), End::Exited(0), now("b"), true, View::Stale),
            (Some("a"), Some("b"), End::Exited(0), now("b"), true, View::Stale),
            (Some("a"), Some("a"), End::Exited(0), now("a"), false, View::Unavailable),
            (Some("a"), Some("a"), End::Exited(0), Some(Present::default()), true, View::Unavailable),
            (None, None, End::Exited(0), now("a"), true, View::Unavailable),
            (Some("a"), Some("a"), End::TimedOut, now("a"), true, View::Unavailable),
            (Some("a"), Some("a"), End::Exited(1), None, true, View::Imported),
        ] {
            let document = recorded(source, after, end.clone());
            let shown = shown(&document, present.as_ref(), |_, _| has_output);
            assert_eq!(shown.len(), 1);
            assert_eq!((shown[0].view, shown[0].command.as_str()), (want, "t \"a\""), "{source:?} {after:?} {end:?}");
            assert_eq!(shown[0].is_contradicted, end == End::Exited(1));
        }
        let other = Document::parse(
            String::from_utf8(recorded(Some("a"), Some("a"), End::Exited(0)).to_bytes())
                .unwrap()
                .replace("\n+b", "\n+c"),
        );
        assert_eq!(shown(&other, now("a").as_ref(), |_, _| true)[0].view, View::Stale, "it is another review");
        let broken = Document::parse("---\nevidence: [1, {version: 1}]\n---\n");
        assert!(shown(&broken, None, |_, _| true).iter().all(|shown| shown.view == View::Malformed));
    }

    #[test]
    fn hashes() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
