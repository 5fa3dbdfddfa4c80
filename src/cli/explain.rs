//! `whymark explain`: what a finding means, and how to mend it.

use clap::Args;

use super::paint::{Paint, Tone};
use super::print;
use crate::diagnostic::{Role, Rule, Severity};
use crate::error::Error;
use crate::{document, markback};

/// How far a name may be from the one that was meant.
const NEAR: usize = 4;
/// How many near names are worth showing.
const MOST: usize = 3;

/// `whymark explain`.
#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    /// The code of a finding, such as selector-out-of-range, or E001 in Markback [default: list them all].
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

/// Run the command.
///
/// # Errors
/// When no finding has this code.
pub(super) fn run(args: &ExplainArgs, paint: Paint) -> Result<(), Error> {
    let text = match &args.code {
        None => list(paint),
        Some(code) => {
            let code = code.trim();
            let rule = rules().find(|rule| rule.code.eq_ignore_ascii_case(code));
            let unknown = || Error::UnknownCode { near: near(&code.to_ascii_lowercase()), code: code.to_owned() };
            one(rule.ok_or_else(unknown)?, paint)
        }
    };
    print(text.as_bytes())
}

/// The rules of both formats, reviews first.
fn rules() -> impl Iterator<Item = &'static Rule> {
    document::check::RULES.iter().chain(markback::RULES)
}

fn one(rule: &Rule, paint: Paint) -> String {
    let label = paint.role(Role::Severity(rule.severity), &format!("{}[{}]", rule.severity.as_str(), rule.code));
    format!("{label}\n\n{}\n\n{} {}\n", rule.meaning, paint.tone(Tone::Strong, "Mend it:"), rule.mend)
}

fn list(paint: Paint) -> String {
    let width = rules().map(|rule| rule.code.len()).max().unwrap_or(0);
    let severity = |severity: Severity| paint.role(Role::Severity(severity), &format!("{:7}", severity.as_str()));
    rules().map(|rule| format!("{} {:width$}  {}\n", severity(rule.severity), rule.code, rule.meaning)).collect()
}

/// The codes that share words with `code`, hold it, or are spelled almost like it; the nearest first.
fn near(code: &str) -> Vec<&'static str> {
    let words: Vec<&str> = code.split('-').filter(|word| word.len() > 2).collect();
    let shared = |other: &str| other.split('-').filter(|word| words.contains(word)).count();
    let holds = |other: &str| code.len() > 2 && other.contains(code);
    let mut near: Vec<(usize, usize, &str)> = rules()
        .map(|rule| {
            (words.len() - shared(rule.code).min(words.len()), strsim::osa_distance(code, rule.code), rule.code)
        })
        .filter(|(missing, distance, other)| {
            *distance <= NEAR.min(other.len() / 2) || *missing < words.len() || holds(other)
        })
        .collect();
    near.sort_unstable();
    near.into_iter().map(|(_, _, code)| code).take(MOST).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_were_perhaps_meant() {
        assert_eq!(near("titel-missing").first(), Some(&"title-missing"));
        assert_eq!(near("selector-range").first(), Some(&"selector-out-of-range"));
        assert_eq!(near("xyzzy-plugh"), [""; 0]);
    }
}
