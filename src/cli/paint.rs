//! Colours of what is printed: whether there are any, and which. Never for the reviewer, which has its themes.

use std::io::IsTerminal as _;

use super::args::Color;
use crate::diagnostic::{Role, Severity};

/// Puts colours around text, or leaves it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Paint {
    is_on: bool,
}

/// What a text is, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// A heading, a name.
    Strong,
    /// What can be passed over.
    Faint,
    /// It is as it should be.
    Good,
    /// It could be better.
    Middling,
    /// It is not as it should be.
    Bad,
    /// Worth knowing.
    Info,
}

impl Paint {
    /// Colours as asked for, for standard output: `auto` means on a terminal, unless the environment says otherwise.
    pub(super) fn detect(color: Color) -> Self {
        let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let is_on = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto if variable("NO_COLOR").is_some() => false,
            Color::Auto if variable("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
            Color::Auto => std::io::stdout().is_terminal() && variable("TERM").is_none_or(|term| term != "dumb"),
        };
        Self { is_on }
    }

    /// `text` in the colour of `tone`.
    pub(super) fn tone(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => "1",
            Tone::Faint => "2",
            Tone::Good => "32",
            Tone::Middling => "33",
            Tone::Bad => "31",
            Tone::Info => "36",
        };
        if self.is_on && !text.is_empty() { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// `text` in the colour of a part of a report.
    pub(super) fn role(self, role: Role, text: &str) -> String {
        let tone = match role {
            Role::Severity(Severity::Error) => Tone::Bad,
            Role::Severity(Severity::Warning) => Tone::Middling,
            Role::Severity(Severity::Info) => Tone::Info,
            Role::Message => Tone::Strong,
            Role::Gutter => Tone::Faint,
        };
        self.tone(tone, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_only_where_they_are_wanted() {
        let tone = |color| Paint::detect(color).tone(Tone::Bad, "x");
        assert_eq!((tone(Color::Always), tone(Color::Never)), ("\x1b[31mx\x1b[0m".to_owned(), "x".to_owned()));
        assert_eq!(Paint::detect(Color::Always).tone(Tone::Bad, ""), "");
    }
}
