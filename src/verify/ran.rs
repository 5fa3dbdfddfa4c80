//! What came out of a command.

use std::time::Duration;

use crate::document::ClaimStatus;

/// The most characters of an output line that a summary quotes.
const QUOTED: usize = 120;
/// What a line that says why something failed contains, in any case.
const TELLING: [&str; 5] = ["error", "fail", "✗", "×", "assert"];
/// What a shell says when there is no such command.
const NOT_FOUND: i32 = 127;

/// A command that has been run, or could not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ran {
    /// How it ended.
    pub end: End,
    /// How long it took.
    pub duration: Duration,
    /// What it wrote, standard output before standard error; of much output the middle is left out, and that is said.
    pub output: Vec<u8>,
}

/// How a command ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By itself, with this exit code.
    Exited(i32),
    /// By a signal.
    Killed(i32),
    /// It took too long, and was ended.
    TimedOut,
    /// Somebody asked for its end.
    Cancelled,
    /// It could not be started; why, as the end of a sentence.
    NotStarted(String),
}

impl Ran {
    /// `pass` if it exited with 0.
    #[must_use]
    pub fn status(&self) -> ClaimStatus {
        if self.end == End::Exited(0) { ClaimStatus::Pass } else { ClaimStatus::Fail }
    }

    /// The exit code, where there is one.
    #[must_use]
    pub fn exit_code(&self) -> Option<i32> {
        if let End::Exited(code) = self.end { Some(code) } else { None }
    }

    /// Why it says nothing about the claim; `None` when it does.
    #[must_use]
    pub fn unavailable(&self) -> Option<String> {
        let seconds = self.duration.as_secs_f64();
        match &self.end {
            End::Exited(NOT_FOUND) => Some("the command was not found (exit 127)".to_owned()),
            End::Exited(_) => None,
            End::Killed(signal) => Some(format!("the command was killed by signal {signal}")),
            End::TimedOut => Some(format!("the command timed out: it was ended after {seconds:.1} s")),
            End::Cancelled => Some("the command was cancelled".to_owned()),
            End::NotStarted(why) => Some(format!("the command could not be started: {why}")),
        }
    }

    /// What is written beside the status: the exit code, how long it took, and of a failure the line that tells most.
    #[must_use]
    pub fn summary(&self) -> String {
        let seconds = self.duration.as_secs_f64();
        match &self.end {
            End::TimedOut => "timed out".to_owned(),
            End::Exited(0) => format!("exit 0 in {seconds:.1}s"),
            End::Exited(code) => match self.telling_line() {
                Some(line) => format!("exit {code} in {seconds:.1}s: {line}"),
                None => format!("exit {code} in {seconds:.1}s"),
            },
            End::Killed(_) | End::Cancelled | End::NotStarted(_) => self.unavailable().unwrap_or_default(),
        }
    }

    /// The first line that says what went wrong, else the last one.
    fn telling_line(&self) -> Option<String> {
        let text = String::from_utf8_lossy(&self.output);
        let lines = || text.lines().map(plain).filter(|line| !line.is_empty());
        let is_telling = |line: &String| TELLING.iter().any(|word| line.to_lowercase().contains(word));
        let line = lines().find(is_telling).or_else(|| lines().next_back())?;
        Some(line.chars().take(QUOTED).collect())
    }
}

/// `line` without colours and what else only a terminal understands.
fn plain(line: &str) -> String {
    let mut plain = String::new();
    let mut chars = line.chars().peekable();
    while let Some(char) = chars.next() {
        if char == '\u{1b}' && chars.next_if_eq(&'[').is_some() {
            // The parameters of a sequence, and the letter that ends it.
            while chars.next_if(|char| matches!(char, ' '..='?')).is_some() {}
            chars.next();
        } else if char.is_control() {
            plain.push(' ');
        } else {
            plain.push(char);
        }
    }
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries() {
        let long = format!("Error {}", "é".repeat(200));
        for (end, output, want) in [
            (End::Exited(0), "fail", "exit 0 in 1.3s"),
            (End::Exited(2), "", "exit 2 in 1.3s"),
            (End::Exited(1), "a\nb\n\n \n", "exit 1 in 1.3s: b"),
            (End::Exited(1), "a\n\x1b[31mAssertion\x1b[0m  =>\tpass\x07\nerror\n", "exit 1 in 1.3s: Assertion => pass"),
            (End::Exited(1), "ok\n✗ second\nlast", "exit 1 in 1.3s: ✗ second"),
            (End::Exited(1), &long, &format!("exit 1 in 1.3s: Error {}", "é".repeat(114))),
            (End::TimedOut, "x", "timed out"),
        ] {
            let ran = Ran { end, duration: Duration::from_millis(1260), output: output.into() };
            assert_eq!(ran.summary(), want, "{output:?}");
        }
    }

    #[test]
    fn what_says_nothing_about_a_claim() {
        for (end, is_available) in [
            (End::Exited(0), true),
            (End::Exited(1), true),
            (End::Exited(126), true),
            (End::Exited(127), false),
            (End::Killed(9), false),
            (End::TimedOut, false),
            (End::Cancelled, false),
            (End::NotStarted("x".into()), false),
        ] {
            let ran = Ran { end, duration: Duration::ZERO, output: Vec::new() };
            assert_eq!(ran.unavailable().is_none(), is_available, "{ran:?}");
        }
    }
}
