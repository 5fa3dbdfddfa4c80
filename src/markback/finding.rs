//! What is wrong with a file, as small values: a file of many records may have a finding about each.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Markback;
use super::line::trim_end;
use super::rules::rule;
use crate::diagnostic::Rule;
use crate::text::Span;

/// How much of the text a message shows.
const SHOWN: usize = 60;

/// One finding about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Finding {
    /// What it is.
    pub problem: Problem,
    /// The bytes it is about.
    pub at: Span,
    /// The line under which it is reported, as an index into [`Markback::lines`]; `None` for the file as a whole.
    pub line: Option<u32>,
    /// The record it is about, as an index into [`Markback::entries`].
    pub record: Option<u32>,
}

/// Each problem has a code and a sentence; `{}` stands for the text in question.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident $code:literal $sentence:literal),+ $(,)?) => {
        /// What can be wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Problem {
            $($(#[$doc])* $name,)+
        }

        impl Problem {
            /// All of them.
            const ALL: &[Self] = &[$(Self::$name),+];

            fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)+ }
            }

            fn sentence(self) -> &'static str {
                match self { $(Self::$name => $sentence,)+ }
            }
        }
    };
}

problems! {
    /// Headers or content that no feedback ends.
    NoFeedback "E001" "a record without feedback: end it with a line `<<< …`",
    /// A feedback line right behind a record.
    SecondFeedback "E002" "a second `<<<` for the same record: separate records with `---`",
    /// Content behind a record.
    StrayContent "E004" "text behind the feedback of a record: end it with `<<<`, or remove it",
    /// A `%` line at the top.
    MalformedFileHeader "E006" "`{}` is no file header: write `%keyword value`, in lower case",
    /// `%markback` without digits.
    BadVersion "E006" "`%markback` needs a version number, such as 2",
    /// An `@` line.
    MalformedHeader "E006" "`{}` is no header: write `@keyword value`, in lower case",
    /// An `@file` line with `<<<`.
    MalformedCompact "E006" "`{}` is no compact record: write `@file PATH <<< feedback`; what stands above it goes with it",
    /// The bytes.
    NotUtf8 "E006" "the file is not UTF-8: save it as UTF-8",
    /// Not a file, or one that cannot be read.
    Unreadable "E006" "the file cannot be read",
    /// Something other than JSON behind `json:`.
    NotJson "E007" "what follows `json:` is not JSON",
    /// A quote in the value of an attribute.
    OpenQuote "E008" "the quoted value has no closing `\"`",
    /// Nothing behind `<<<` or in a fence.
    EmptyFeedback "E009" "the feedback is empty",
    /// A range of `@file` or `@input`.
    ReversedRange "E011" "the range of `{}` ends before it starts",
    /// A `"""` without its counterpart.
    OpenFence "E012" "the fence is never closed: end it with a line `\"\"\"`",
    /// An `@id` of an earlier record.
    DuplicateId "W001" "another record has the id `{}` already",
    /// `@x` or `%x`.
    UnknownKeyword "W002" "`{}` is not a header of the format; it is kept",
    /// The target of `@file`.
    NoSuchFile "W003" "the file `{}` is not there",
    /// Blanks at the end of a line.
    TrailingBlanks "W004" "blanks at the end of the line",
    /// More than one blank line where it means nothing.
    BlankLines "W005" "several blank lines where one would do",
    /// No `@id`.
    NoId "W006" "the record has no `@id`",
    /// A content file without sidecar.
    NoSidecar "W007" "the file has no sidecar",
    /// Another layout than the writer's.
    NotCanonical "W008" "the layout is not that of `whymark mb normalize`",
    /// The target of `@input`.
    NoSuchInput "W009" "the input `{}` is not there",
    /// `@uri`, `@source`, `@prior`.
    OldName "W010" "`{}` is the name of version 1: `whymark mb upgrade` writes the new one",
    /// `@reply-to` an id that no record has.
    ReplyToNothing "W011" "no record has the id `{}`, which this one replies to",
    /// `@reply-to` that comes back to where it was.
    ReplyCircle "W011" "the replies that lead from here go round in a circle",
    /// `@action verb`.
    ActionWithoutTime "W012" "`@action` needs a verb and a time: the line is not read",
}

impl Problem {
    /// The rule that it breaks.
    #[must_use]
    pub fn rule(self) -> &'static Rule {
        static RULES: LazyLock<Vec<&Rule>> = LazyLock::new(|| {
            let of = |problem: &Problem| rule(problem.code()).expect("every code that is reported has a rule");
            Problem::ALL.iter().map(of).collect()
        });
        RULES[self as usize]
    }

    /// Whether its message shows the text in question.
    #[must_use]
    pub fn names_text(self) -> bool {
        self.sentence().contains("{}")
    }
}

impl Finding {
    /// A finding about a file as a whole.
    #[must_use]
    pub fn of_file(problem: Problem) -> Self {
        Self { problem, at: Span::default(), line: None, record: None }
    }

    /// The rule that is broken: code and severity.
    #[must_use]
    pub fn rule(&self) -> &'static Rule {
        self.problem.rule()
    }

    /// Whether it is an error.
    #[must_use]
    pub fn is_error(&self) -> bool {
        self.problem.code().starts_with('E')
    }

    /// The column, counted in characters from 1: that of the first blank for blanks at the end of a line, else the first.
    #[must_use]
    pub fn column(&self, file: &Markback) -> Option<usize> {
        let line = self.line?;
        if self.problem != Problem::TrailingBlanks {
            return Some(1);
        }
        let start = file.content(line).start as usize;
        Some(1 + file.readable[start..self.at.start as usize].chars().count())
    }

    /// One sentence for a person, with the text in question; that may hold anything.
    #[must_use]
    pub fn message(&self, file: &Markback) -> Cow<'static, str> {
        let sentence = self.problem.sentence();
        if !self.problem.names_text() {
            return sentence.into();
        }
        let text = &file.text[self.at.range()];
        let text = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]);
        let text = trim_end(&text);
        let shown: String = text.chars().take(SHOWN).collect();
        let more = if shown.len() < text.len() { "…" } else { "" };
        sentence.replace("{}", &(shown + more)).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markback::RULES;

    #[test]
    fn every_problem_has_a_rule_and_every_rule_that_is_reported_a_problem() {
        let reported: Vec<&str> = Problem::ALL.iter().map(|problem| problem.rule().code).collect();
        let never: Vec<&str> = RULES.iter().map(|rule| rule.code).filter(|code| !reported.contains(code)).collect();
        assert_eq!(never, ["E003", "E005", "E010"]);
    }

    #[test]
    fn messages_show_a_little_of_the_text() {
        let text = format!("@{}\n", "x".repeat(200));
        let file = Markback::parse(text);
        let message = file.findings()[0].message(&file);
        assert!(
            message.starts_with("`@xxx") && message.contains("x…` is no header") && message.len() < 150,
            "{message}"
        );
    }

    #[test]
    fn columns_count_characters() {
        let file = Markback::parse("\u{feff}@id \u{e9}\u{a0} \n");
        let finding = file.findings()[0];
        assert_eq!((finding.problem, finding.column(&file)), (Problem::TrailingBlanks, Some(6)));
    }
}
