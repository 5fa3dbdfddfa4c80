//! The fixed values of a note: kind, risk, urgency, confidence and id (sections 5 and 5.1). Words are exact.

use std::str::from_utf8;

/// An enum whose variants are words of the format, each with a line that says what it means.
macro_rules! words {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $word:literal: $doc:literal,)* }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name {
            $(#[doc = $doc] $variant,)*
        }

        impl $name {
            /// All of them, in the order of the format.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word in the file.
            #[must_use]
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            /// What it means, in one line.
            #[must_use]
            pub fn doc(self) -> &'static str {
                match self {
                    $(Self::$variant => $doc,)*
                }
            }

            /// The one that `word` names exactly.
            #[must_use]
            pub fn from_word(word: &[u8]) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str().as_bytes() == word)
            }
        }
    };
}
pub(crate) use words;

words! {
    /// What a note is for (section 5.1).
    Kind {
        Intent = "intent": "Why the change exists.",
        Source = "source": "Where it came from is the point.",
        Verify = "verify": "Evidence that it works.",
        Risk = "risk": "A known hazard.",
        Assumption = "assumption": "Taken on faith.",
        Alternative = "alternative": "A design that was rejected.",
        Todo = "todo": "Deliberately unfinished.",
        Question = "question": "The author could not decide.",
        Security = "security": "What it means for security.",
        Perf = "perf": "What it means for speed and memory.",
        Test = "test": "What a test covers, and what not.",
        Generated = "generated": "Nobody reasoned about it.",
        Note = "note": "Anything else.",
    }
}

words! {
    /// The blast radius if a note is wrong.
    Risk {
        Low = "low": "Little happens if this is wrong.",
        Medium = "medium": "Something visible breaks if this is wrong.",
        High = "high": "Much breaks if this is wrong.",
    }
}

words! {
    /// How soon a note wants a reader.
    Urgency {
        Info = "info": "For whoever is interested.",
        Normal = "normal": "Read in the course of the review.",
        Urgent = "urgent": "Read first.",
        Blocking = "blocking": "Nothing is merged before this is settled.",
    }
}

/// The names whose value is one of a few, or short: in the header or as a field.
pub(crate) const ATTRIBUTES: [&str; 5] = ["kind", "risk", "urgency", "confidence", "id"];
/// The fields with one value that only stand as fields.
pub(crate) const TEXTS: [&str; 3] = ["why", "what", "impact"];

/// What a text says about confidence.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Confidence {
    /// From 0 to 1.
    Value(f64),
    /// A number outside the range.
    OutOfRange,
    /// No number.
    Prose,
}

impl Confidence {
    /// Read `0.9`, `90%` or `90`.
    pub(crate) fn parse(text: &[u8]) -> Self {
        let (digits, percent) = match text {
            [digits @ .., b'%'] => (digits, true),
            digits => (digits, false),
        };
        let is_numeric = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+' | b'e' | b'E');
        let number: Option<f64> = Some(digits)
            .filter(|digits| digits.iter().all(is_numeric))
            .and_then(|digits| from_utf8(digits).ok()?.parse().ok());
        match number {
            None => Self::Prose,
            Some(number) if !(0.0..=100.0).contains(&number) => Self::OutOfRange,
            Some(number) if percent || number > 1.0 => Self::Value(number / 100.0),
            Some(number) => Self::Value(number),
        }
    }
}

/// Whether `text` can be an id: letters, digits, `_`, `.`, `-`.
pub(crate) fn is_id(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}

/// Whether `value` fits the attribute `name`, so that as a field it is a value and not prose.
pub(crate) fn fits(name: &str, value: &[u8]) -> bool {
    match name {
        "kind" => Kind::from_word(value).is_some(),
        "risk" => Risk::from_word(value).is_some(),
        "urgency" => Urgency::from_word(value).is_some(),
        "confidence" => matches!(Confidence::parse(value), Confidence::Value(_)),
        "id" => is_id(value),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidence_forms() {
        use Confidence::{OutOfRange, Prose, Value};
        for (text, want) in [
            ("0.9", Value(0.9)),
            ("85%", Value(0.85)),
            ("85", Value(0.85)),
            ("1%", Value(0.01)),
            ("1", Value(1.0)),
            ("0", Value(0.0)),
            ("-1", OutOfRange),
            ("150", OutOfRange),
            ("150%", OutOfRange),
            ("high", Prose),
            ("inf", Prose),
            ("nan", Prose),
            ("%", Prose),
            ("", Prose),
        ] {
            assert_eq!(Confidence::parse(text.as_bytes()), want, "{text}");
        }
    }

    #[test]
    fn words_are_exact() {
        assert_eq!(Kind::ALL.len(), 13);
        assert!(Kind::ALL.iter().all(|kind| Kind::from_word(kind.as_str().as_bytes()) == Some(*kind)));
        assert_eq!(Kind::from_word(b"Intent"), None);
        assert!(fits("id", b"a-1.x_y") && !fits("id", b"a b") && !fits("why", b"x"));
    }
}
