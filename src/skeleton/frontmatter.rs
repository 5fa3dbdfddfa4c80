//! The head of a new document: what is known about the change, as YAML that reads back as it was.

use crate::document::scalar;

/// What the head of a document says (section 2 of the format).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Facts {
    /// One line, imperative.
    pub title: String,
    /// Who writes the review.
    pub author: Option<String>,
    /// When, in ISO 8601.
    pub date: Option<String>,
    /// The word of the scope.
    pub scope: Option<String>,
    /// `<ref>@<id>` of the older side.
    pub base: Option<String>,
    /// `<ref>@<id>` of the newer side.
    pub head: Option<String>,
    /// Name of the repository.
    pub repo: Option<String>,
    /// Commands that check the whole change; none has been run.
    pub checks: Vec<String>,
}

/// What stands for the summary until somebody has written it.
pub const SUMMARY: &str = "TODO say in one paragraph what changes and why, for a reader who has not seen it";

/// The head of a new document: its frontmatter, with a summary to be written. Whatever the values hold, a reader of
/// YAML gets them back as they are.
#[must_use]
pub fn head(facts: &Facts) -> Vec<u8> {
    let mut out = String::from("---\nwhymark: 1\n");
    let mut line = |key: &str, value: Option<&str>| {
        if let Some(value) = value {
            out.push_str(&format!("{key}: {}\n", scalar(value)));
        }
    };
    line("title", Some(&facts.title));
    line("author", facts.author.as_deref());
    line("date", facts.date.as_deref());
    line("scope", facts.scope.as_deref());
    line("base", facts.base.as_deref());
    line("head", facts.head.as_deref());
    line("repo", facts.repo.as_deref());
    line("summary", Some(SUMMARY));
    if !facts.checks.is_empty() {
        out.push_str("checks:\n");
    }
    for check in &facts.checks {
        out.push_str(&format!("  - cmd: {}\n    status: unknown\n", scalar(check)));
    }
    out.push_str("---\n");
    out.into_bytes()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read_back(head: &[u8]) -> serde_yaml::Value {
        let text = std::str::from_utf8(head).unwrap();
        let inner = text.strip_prefix("---\n").and_then(|text| text.strip_suffix("---\n")).unwrap();
        serde_yaml::from_str(inner).unwrap_or_else(|error| panic!("{error} in {inner}"))
    }

    #[test]
    fn heads_are_readable() {
        let facts = Facts {
            title: "Cache the lookup".into(),
            author: Some("Fix: #1".into()),
            date: Some("2026-09-15T12:04:00Z".into()),
            scope: Some("staged".into()),
            base: Some("HEAD@1a2b3c4".into()),
            head: Some("index".into()),
            checks: vec!["cargo test".into()],
            ..Facts::default()
        };
        let text = String::from_utf8(head(&facts)).unwrap();
        assert!(text.starts_with(
            "---\nwhymark: 1\ntitle: Cache the lookup\nauthor: \"Fix: #1\"\ndate: 2026-09-15T12:04:00Z\nscope: staged\n\
             base: HEAD@1a2b3c4\nhead: index\nsummary: TODO"
        ));
        assert!(text.ends_with("checks:\n  - cmd: cargo test\n    status: unknown\n---\n"));
    }

    #[test]
    fn awkward_values_read_back() {
        let values = [
            "no",
            "Null",
            "~",
            "1e5",
            "0x1F",
            "1.10",
            "2026-09-15",
            "- a",
            "a: b",
            "a #b",
            "@x",
            "`x`",
            "%x",
            "a\u{85}b",
            "\u{2028}",
            "\u{feff}x",
            "x\u{202e}y",
            "\0",
            "a\r\nb",
            "{a",
            "[a",
            "key:",
            "'",
            "\"",
            "\\",
            " a ",
            "---",
            "...",
            "T",
            "é: x",
            "👩‍👩‍👧",
            "2026-09-15T12:04:00Z",
            "y",
            "<<",
            "=",
            "!!str x",
            "*a",
            "&a",
            "a, b",
            "? x",
            "| x",
            "Yes",
            "12:30:45",
        ];
        for value in values {
            let facts = Facts { title: value.into(), checks: vec![value.into()], ..Facts::default() };
            let yaml = read_back(&head(&facts));
            assert_eq!(yaml["title"].as_str(), Some(value));
            assert_eq!(yaml["checks"][0]["cmd"].as_str(), Some(value));
        }
    }

    proptest! {
        #[test]
        fn any_value_reads_back(title in any::<String>(), author in "[ -~é\t\u{a0}]*") {
            let facts = Facts { title: title.clone(), author: Some(author.clone()), ..Facts::default() };
            let yaml = read_back(&head(&facts));
            prop_assert_eq!(yaml["title"].as_str(), Some(title.as_str()));
            prop_assert_eq!(yaml["author"].as_str(), Some(author.as_str()));
        }
    }
}
