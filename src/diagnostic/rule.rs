//! A kind of finding: its stable name, how much it weighs, what it means and how to mend it.

use super::Severity;

/// One thing that can be wrong with a text. Every format has a table of them.
#[derive(Debug, PartialEq, Eq)]
pub struct Rule {
    /// The stable name.
    pub code: &'static str,
    /// How much it weighs.
    pub severity: Severity,
    /// What it means.
    pub meaning: &'static str,
    /// How to mend it.
    pub mend: &'static str,
}

impl Rule {
    /// A rule whose findings are errors.
    #[must_use]
    pub const fn error(code: &'static str, meaning: &'static str, mend: &'static str) -> Self {
        Self { code, severity: Severity::Error, meaning, mend }
    }

    /// A rule whose findings are warnings.
    #[must_use]
    pub const fn warning(code: &'static str, meaning: &'static str, mend: &'static str) -> Self {
        Self { code, severity: Severity::Warning, meaning, mend }
    }

    /// A rule whose findings are worth knowing.
    #[must_use]
    pub const fn info(code: &'static str, meaning: &'static str, mend: &'static str) -> Self {
        Self { code, severity: Severity::Info, meaning, mend }
    }
}
