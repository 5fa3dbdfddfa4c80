//! What stands behind the second `@@` of a hunk: the nearest line above it that looks like the beginning of something, as
//! git tells it, by the rules of the file's language where it has a diff driver.

use memchr::{memchr, memrchr};
use regex::bytes::{Regex, RegexBuilder};

/// So many bytes of a heading are shown.
const LONGEST: usize = 80;

/// Rules in order: the first that matches decides whether a line is a heading.
#[derive(Debug)]
pub struct Rules(Vec<Rule>);

#[derive(Debug)]
struct Rule {
    /// A line that matches is none, instead of one.
    excludes: bool,
    pattern: Regex,
}

impl Rules {
    /// The rules of a language that git knows by itself.
    #[must_use]
    pub fn of_language(name: &[u8]) -> Option<Self> {
        let (_, flag, lines) = LANGUAGES.iter().find(|(language, ..)| language.as_bytes() == name)?;
        Self::compiled(lines.lines().map(|line| line.trim_start().to_owned()), *flag == IgnoreCase)
    }

    /// The rules in `text`, one a line, as configured: `translated` puts an expression into the notation of the `regex`
    /// crate. `None` where one is none.
    pub fn configured(text: &str, translated: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let line = |line: &str| {
            let (excludes, expression) = line.strip_prefix('!').map_or(("", line), |rest| ("!", rest));
            translated(expression).map(|expression| format!("{excludes}{expression}"))
        };
        let lines: Option<Vec<String>> = text.lines().map(line).collect();
        Self::compiled(lines?.into_iter(), false)
    }

    fn compiled(lines: impl Iterator<Item = String>, ignore_case: bool) -> Option<Self> {
        let rule = |line: String| {
            let (excludes, pattern) = line.strip_prefix('!').map_or((false, &*line), |rest| (true, rest));
            Some(Rule { excludes, pattern: RegexBuilder::new(pattern).case_insensitive(ignore_case).build().ok()? })
        };
        lines.map(rule).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The heading in `line`, which has no line end.
    fn heading<'a>(&self, line: &'a [u8]) -> Option<&'a [u8]> {
        let rule = self.0.iter().find(|rule| rule.pattern.is_match(line)).filter(|rule| !rule.excludes)?;
        let found = rule.pattern.captures(line)?;
        let shown = found.get(1).or(found.get(0))?.as_bytes();
        Some(trimmed(&shown[..shown.len().min(LONGEST)]))
    }
}

/// The heading in `line` of a file of no known language.
fn plain_heading(line: &[u8]) -> Option<&[u8]> {
    let begins = line.first().is_some_and(|first| first.is_ascii_alphabetic() || matches!(first, b'_' | b'$'));
    begins.then(|| trimmed(&line[..line.len().min(LONGEST)]))
}

/// Without what git takes for blanks at the end: a form feed is none.
fn trimmed(line: &[u8]) -> &[u8] {
    let end = line.iter().rposition(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
    &line[..end.map_or(0, |last| last + 1)]
}

/// The part of a heading in front of what is no UTF-8, where git ends it; that may be a character that was cut.
fn readable(heading: &[u8]) -> &[u8] {
    let valid = heading.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let end = valid.find(['\u{fffe}', '\u{ffff}']).unwrap_or(valid.len());
    &heading[..end]
}

/// Finds the headings of hunks, which come in order.
pub struct Headings<'a> {
    text: &'a [u8],
    rules: Option<&'a Rules>,
    /// The first line of the last hunk, from 0, and where it begins.
    line: u64,
    offset: usize,
    last: &'a [u8],
}

impl<'a> Headings<'a> {
    /// Of hunks that change `text`.
    #[must_use]
    pub fn new(text: &'a [u8], rules: Option<&'a Rules>) -> Self {
        Self { text, rules, line: 0, offset: 0, last: b"" }
    }

    /// The heading of the hunk whose first line is `line`, from 0: a line above it, and if there is none since the last
    /// hunk the one of that.
    pub fn above(&mut self, line: u64) -> &'a [u8] {
        let from = self.offset;
        while self.line < line && self.offset < self.text.len() {
            let end = memchr(b'\n', &self.text[self.offset..]);
            self.offset = end.map_or(self.text.len(), |at| self.offset + at + 1);
            self.line += 1;
        }
        let mut lines = &self.text[from..self.offset];
        while let Some(content) = lines.strip_suffix(b"\n").or((!lines.is_empty()).then_some(lines)) {
            let start = memrchr(b'\n', content).map_or(0, |at| at + 1);
            let line = &content[start..];
            let found = match self.rules {
                Some(rules) => rules.heading(line.strip_suffix(b"\r").unwrap_or(line)),
                None => plain_heading(line),
            };
            if let Some(heading) = found {
                self.last = readable(heading);
                break;
            }
            lines = &lines[..start];
        }
        self.last
    }
}

use Case::{IgnoreCase, MatchCase};

/// How letters are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Case {
    MatchCase,
    IgnoreCase,
}

/// The languages that git knows, and what a heading is in them: one rule a line, `!` for lines that are none. A group
/// is what is shown of a line.
const LANGUAGES: &[(&str, Case, &str)] = &[
    (
        "ada",
        IgnoreCase,
        r"!^(.*[ \t])?(is[ \t]+new|renames|is[ \t]+separate)([ \t].*)?$
        !^[ \t]*with[ \t].*$
        ^[ \t]*((procedure|function|package|protected|task)[ \t]+.*)$",
    ),
    (
        "bash",
        MatchCase,
        r"^[ \t]*([a-zA-Z_][a-zA-Z0-9_]*[ \t]*\([ \t]*\)|function[ \t]+[a-zA-Z_][a-zA-Z0-9_]*([ \t]*\([ \t]*\)|[ \t]+)[ \t]*(\{|\(\(?|\[\[))",
    ),
    ("bibtex", MatchCase, r##"(@[a-zA-Z]+[ \t]*\{?[ \t]*[^ \t"@',\\#}{~%]*)"##),
    (
        "cpp",
        MatchCase,
        r"!^[ \t]*[A-Za-z_][A-Za-z_0-9]*:[[:space:]]*($|/[/*])
        ^((::[[:space:]]*)?[A-Za-z_].*)$",
    ),
    (
        "csharp",
        MatchCase,
        r"!(^|[ \t]+)(do|while|for|foreach|if|else|new|default|return|switch|case|throw|catch|using|lock|fixed)([ \t(]+|$)
        ^[ \t]*(([\]\[\p{Alphabetic}\p{Nd}@_.](<[\]\[\p{Alphabetic}\p{Nd}@_, \t<>]+>)?)+([ \t]+([\]\[\p{Alphabetic}\p{Nd}@_.](<[\]\[\p{Alphabetic}\p{Nd}@_, \t<>]+>)?)+)+[ \t]*\([^;]*)$
        ^[ \t]*(([\]\[\p{Alphabetic}\p{Nd}@_.](<[\]\[\p{Alphabetic}\p{Nd}@_, \t<>]+>)?)+([ \t]+([\]\[\p{Alphabetic}\p{Nd}@_.](<[\]\[\p{Alphabetic}\p{Nd}@_, \t<>]+>)?)+)+[^;=:,()]*)$
        ^[ \t]*(((static|public|internal|private|protected|new|unsafe|sealed|abstract|partial)[ \t]+)*(class|enum|interface|struct|record)[ \t]+.*)$
        ^[ \t]*(namespace[ \t]+.*)$",
    ),
    (
        "css",
        IgnoreCase,
        r"![:;][[:space:]]*$
        ^[:\[@.#]?[_a-z0-9].*$",
    ),
    (
        "dts",
        MatchCase,
        r"!;
        !=
        ^[ \t]*((/[ \t]*\{|&?[a-zA-Z_]).*)",
    ),
    ("elixir", MatchCase, r"^[ \t]*((def(macro|module|impl|protocol|p)?|test)[ \t].*)$"),
    (
        "fortran",
        IgnoreCase,
        r#"!^([C*]|[ \t]*!)
        !^[ \t]*MODULE[ \t]+PROCEDURE[ \t]
        ^[ \t]*((END[ \t]+)?(PROGRAM|MODULE|BLOCK[ \t]+DATA|([^!'" \t]+[ \t]+)*(SUBROUTINE|FUNCTION))[ \t]+[A-Z].*)$"#,
    ),
    ("fountain", IgnoreCase, r"^((\.[^.]|(int|ext|est|int\.?/ext|i/e)[. ]).*)$"),
    (
        "golang",
        MatchCase,
        r"^[ \t]*(func[ \t]*.*)
        ^[ \t]*(type[ \t].*(struct|interface)[ \t]*(\{[ \t]*)?)",
    ),
    ("html", MatchCase, r"^[ \t]*(<[Hh][1-6]([ \t].*)?>.*)$"),
    (
        "java",
        MatchCase,
        r"!^[ \t]*(catch|do|for|if|instanceof|new|return|switch|throw|while)
        ^[ \t]*(([a-z-]+[ \t]+)*(class|enum|interface|record)[ \t]+.*)$
        ^[ \t]*(([A-Za-z_<>&][\]\[?&<>.,A-Za-z_0-9]*[ \t]+)+[A-Za-z_][A-Za-z_0-9]*[ \t]*\([^;]*)$",
    ),
    ("kotlin", MatchCase, r"^[ \t]*(([a-z]+[ \t]+)*(fun|class|interface)[ \t]+.*)$"),
    ("markdown", MatchCase, r"^ {0,3}#{1,6}[ \t].*"),
    ("matlab", MatchCase, r"^[[:space:]]*((classdef|function)[[:space:]].*)$|^(?:%%%?|##)[[:space:]].*$"),
    (
        "objc",
        MatchCase,
        r"!^[ \t]*(do|for|if|else|return|switch|while)
        ^[ \t]*([-+][ \t]*\([ \t]*[A-Za-z_][A-Za-z_0-9* \t]*\)[ \t]*[A-Za-z_].*)$
        ^[ \t]*(([A-Za-z_][A-Za-z_0-9]*[ \t]+)+[A-Za-z_][A-Za-z_0-9]*[ \t]*\([^;]*)$
        ^(@(implementation|interface|protocol)[ \t].*)$",
    ),
    (
        "pascal",
        MatchCase,
        r"^(((class[ \t]+)?(procedure|function)|constructor|destructor|interface|implementation|initialization|finalization)[ \t]*.*)$
        ^(.*=[ \t]*(class|record).*)$",
    ),
    (
        "perl",
        MatchCase,
        r"^package .*
        ^sub [\p{Alphabetic}\p{Nd}_':]+[ \t]*(\([^)]*\)[ \t]*)?(?::[^;#]*)?(?:\{[ \t]*)?(?:#.*)?$
        ^(BEGIN|END|INIT|CHECK|UNITCHECK|AUTOLOAD|DESTROY)[ \t]*(?:\{[ \t]*)?(?:#.*)?$
        ^=head[0-9] .*",
    ),
    (
        "php",
        MatchCase,
        r"^[\t ]*(((public|protected|private|static|abstract|final)[\t ]+)*function.*)$
        ^[\t ]*((((final|abstract)[\t ]+)?class|enum|interface|trait).*)$",
    ),
    ("python", MatchCase, r"^[ \t]*((class|(async[ \t]+)?def)[ \t].*)$"),
    ("ruby", MatchCase, r"^[ \t]*((class|module|def)[ \t].*)$"),
    (
        "rust",
        MatchCase,
        r#"^[\t ]*((pub(\([^\\)]+\))?[\t ]+)?((async|const|unsafe|extern([\t ]+"[^"]+"))[\t ]+)?(struct|enum|union|mod|trait|fn|impl|macro_rules!)[< \t]+[^;]*)$"#,
    ),
    (
        "scheme",
        MatchCase,
        r"^[\t ]*(\(((define|def(struct|syntax|class|method|rules|record|proto|alias)?)[-*/ \t]|(library|module|struct|class)[*+ \t]).*)$",
    ),
    ("tex", MatchCase, r"^(\\((sub)*section|chapter|part)\*?\{.*)$"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_of_every_language_are_expressions() {
        for (language, ..) in LANGUAGES {
            assert!(Rules::of_language(language.as_bytes()).is_some(), "{language}");
        }
        assert!(Rules::of_language(b"javascript").is_none());
    }

    #[test]
    fn the_nearest_line_above_counts() {
        let text = b"one\n two\n three\nfour \x0c\n five\nsix\n";
        let mut headings = Headings::new(text, None);
        let above: Vec<&[u8]> = [0, 1, 3, 5, 5].into_iter().map(|line| headings.above(line)).collect();
        assert_eq!(above, [&b""[..], b"one", b"one", b"four \x0c", b"four \x0c"]);
    }

    #[test]
    fn long_headings_are_cut() {
        let text = [&b"x".repeat(79)[..], b" y\n z\n"].concat();
        assert_eq!(Headings::new(&text, None).above(1), b"x".repeat(79));
        let wide = ["x".repeat(79).as_bytes(), "é\n z\n".as_bytes()].concat();
        assert_eq!(Headings::new(&wide, None).above(1), b"x".repeat(79), "cut in front of a character");
        let rules = Rules::configured("^x.*", |expression| Some(expression.to_owned())).unwrap();
        assert_eq!(Headings::new(&text, Some(&rules)).above(1), b"x".repeat(79), "no blank at the end");
    }
}
