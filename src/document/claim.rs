//! Claims (section 7): ``cmd `make test` => pass (12 assertions)``, of a `verify` field or an `@check` line.
//!
//! Reading a claim never runs it.

use std::collections::HashMap;
use std::ops::Range;

use super::attribute::words;

words! {
    /// How something was verified.
    Method {
        Cmd = "cmd": "A command that can be run again.",
        Test = "test": "A test.",
        Type = "type": "The type checker.",
        Lint = "lint": "A linter.",
        Manual = "manual": "A person looked.",
        Review = "review": "Another person reviewed it.",
        None = "none": "It was not verified.",
    }
}

words! {
    /// What came out.
    ClaimStatus {
        Pass = "pass": "It works.",
        Fail = "fail": "It does not work.",
        Unknown = "unknown": "Nobody knows.",
        Skipped = "skipped": "It was not run.",
    }
}

impl ClaimStatus {
    /// The status that `word` means in any case, synonyms included.
    #[must_use]
    pub fn from_synonym(word: &str) -> Option<Self> {
        match word.to_ascii_lowercase().as_str() {
            "pass" | "ok" | "passed" => Some(Self::Pass),
            "fail" | "failed" | "error" => Some(Self::Fail),
            "skipped" | "skip" => Some(Self::Skipped),
            "unknown" => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// A claim that something works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// How it was verified.
    pub method: Method,
    /// What was run or done, without quotes; may be empty.
    pub detail: String,
    /// Whether all of the detail stands in backticks.
    pub is_in_backticks: bool,
    /// What came out.
    pub status: ClaimStatus,
    /// What else is said about it.
    pub comment: Option<String>,
    /// Whether a status is written that nobody knows; it is then the comment.
    pub is_status_unreadable: bool,
    /// The whole value.
    pub raw: String,
}

impl Claim {
    /// Read the value of a `verify` field or what follows `@check`. Every text is a claim.
    #[must_use]
    pub fn parse(raw: &str) -> Self {
        let raw = raw.trim();
        let spans = quoted_spans(raw);
        let arrow = find_arrow(raw, &spans);
        let mut head = raw;
        let mut status = None;
        let mut comment = None;
        let mut unreadable = false;
        if let Some(arrow) = &arrow {
            head = &raw[..arrow.start];
            let tail = raw[arrow.end..].trim();
            status = leading_status(tail).map(|(status, _)| status);
            let rest = leading_status(tail).map_or(tail, |(_, rest)| rest);
            unreadable = status.is_none() && !tail.is_empty();
            comment = unwrap_parens(rest.trim());
        }
        head = head.trim_end();
        if comment.is_none()
            && let Some(open) = trailing_paren(head, &spans)
        {
            let inner = head[open + 1..head.len() - 1].trim();
            match ClaimStatus::from_word(inner.to_ascii_lowercase().as_bytes()) {
                Some(word) if arrow.is_none() => status = Some(word),
                _ => comment = Some(inner.to_owned()).filter(|inner| !inner.is_empty()),
            }
            head = head[..open].trim_end();
        }
        let (method, detail) = split_method(head);
        Self {
            method,
            is_in_backticks: detail.starts_with('`') && unwrap_detail(detail) != detail,
            detail: unwrap_detail(detail).to_owned(),
            status: status.unwrap_or(ClaimStatus::Unknown),
            comment,
            is_status_unreadable: unreadable,
            raw: raw.to_owned(),
        }
    }

    /// The value that states such a claim; `None` when nothing that can be written reads so. What can be run again, and
    /// what would be read as something else, stands in backticks.
    #[must_use]
    pub fn stated(method: Method, detail: &str, status: ClaimStatus, comment: &str) -> Option<String> {
        let detail = detail.lines().map(str::trim).filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
        let comment = Some(comment.trim()).filter(|comment| !comment.is_empty());
        let quoted = |fence: &str, space: &str| format!("{fence}{space}{detail}{space}{fence}");
        let details = match (method, detail.as_str()) {
            (_, "") => vec![String::new()],
            (Method::Cmd, _) => vec![quoted("`", ""), quoted("``", " "), quoted("``", "")],
            _ => vec![detail.clone(), quoted("`", "")],
        };
        let heads = details.into_iter().map(|detail| format!("{} {detail}", method.as_str()).trim_end().to_owned());
        let is_meant = |claim: &Self| claim.method == method && claim.detail == detail;
        heads.map(|head| Self::parse(&head)).filter(is_meant).find_map(|claim| claim.with_outcome(status, comment))
    }

    /// The value that states this claim with `status` and `comment`, what is in front of the arrow as it was; `None`
    /// when nothing that can be written reads so.
    #[must_use]
    pub fn with_outcome(&self, status: ClaimStatus, comment: Option<&str>) -> Option<String> {
        let comment = comment.map(|text| text.split_whitespace().collect::<Vec<_>>().join(" "));
        let comment = comment.filter(|text| !text.is_empty());
        let spans = quoted_spans(&self.raw);
        let head = find_arrow(&self.raw, &spans).map_or(self.raw.as_str(), |arrow| &self.raw[..arrow.start]).trim_end();
        // A parenthesis there is a comment, unless there is another one.
        let bare = trailing_paren(head, &spans).map_or(head, |open| head[..open].trim_end());
        let tails = match &comment {
            Some(comment) => vec![format!(" ({comment})"), format!(" {comment}")],
            None => vec![String::new()],
        };
        let values = [head, bare].into_iter().flat_map(|head| {
            tails.iter().map(move |tail| format!("{head} => {}{tail}", status.as_str()).trim_start().to_owned())
        });
        let is_meant = |read: &Self| {
            (read.method, &read.detail, read.status, &read.comment) == (self.method, &self.detail, status, &comment)
        };
        values.into_iter().find(|value| is_meant(&Self::parse(value)))
    }
}

/// The spans between paired backtick runs or double quotes, delimiters included; what has no partner opens none.
pub(crate) fn quoted_spans(text: &str) -> Vec<Range<usize>> {
    let runs = delimiters(text);
    let mut partner = vec![None; runs.len()];
    let mut next: HashMap<(u8, usize), usize> = HashMap::new();
    for (at, run) in runs.iter().enumerate().rev() {
        partner[at] = next.insert((text.as_bytes()[run.start], run.len()), at);
    }
    let mut spans = Vec::new();
    let mut at = 0;
    while at < runs.len() {
        match partner[at] {
            Some(close) => {
                spans.push(runs[at].start..runs[close].end);
                at = close + 1;
            }
            None => at += 1,
        }
    }
    spans
}

/// Runs of backticks, and single double quotes.
fn delimiters(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in memchr::memchr2_iter(b'`', b'"', bytes) {
        match runs.last_mut() {
            Some(last) if bytes[at] == b'`' && last.end == at && bytes[last.start] == b'`' => last.end = at + 1,
            _ => runs.push(at..at + 1),
        }
    }
    runs
}

/// Whether the byte at `at` lies in one of `spans`, which are in order.
pub(crate) fn is_quoted(spans: &[Range<usize>], at: usize) -> bool {
    spans.get(spans.partition_point(|span| span.end <= at)).is_some_and(|span| span.start <= at)
}

/// The first arrow in front of a status, else the first one.
fn find_arrow(text: &str, spans: &[Range<usize>]) -> Option<Range<usize>> {
    let mut first = None;
    let mut at = 0;
    let bytes = text.as_bytes();
    while let Some(step) = memchr::memchr3(b'=', b'-', 0xe2, &bytes[at..]) {
        at += step;
        let rest = &text.as_bytes()[at..];
        let len =
            [&b"=>"[..], b"->", "⇒".as_bytes()].iter().find(|arrow| rest.starts_with(arrow)).map(|arrow| arrow.len());
        let Some(len) = len.filter(|_| !is_quoted(spans, at)) else {
            at += 1;
            continue;
        };
        let arrow = at..at + len;
        if leading_status(text[arrow.end..].trim_start()).is_some() {
            return Some(arrow);
        }
        at = arrow.end;
        first.get_or_insert(arrow);
    }
    first
}

/// The status word at the start of `tail`, and what follows it.
fn leading_status(tail: &str) -> Option<(ClaimStatus, &str)> {
    let len = tail.bytes().take(8).take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
    Some((ClaimStatus::from_synonym(&tail[..len])?, &tail[len..]))
}

/// `text` without the pair of parentheses that wraps all of it; `None` when nothing is left.
fn unwrap_parens(text: &str) -> Option<String> {
    let wraps = text.starts_with('(') && text.ends_with(')') && closes_at_end(text);
    let inner = if wraps { text[1..text.len() - 1].trim() } else { text };
    (!inner.is_empty()).then(|| inner.to_owned())
}

/// Whether the parenthesis that opens `text` is closed by its last byte.
fn closes_at_end(text: &str) -> bool {
    let mut depth = 0usize;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1 == text.len();
        }
    }
    false
}

/// Where the parenthesis that ends `text` opens, if a blank stands before it and neither end is quoted.
fn trailing_paren(text: &str, spans: &[Range<usize>]) -> Option<usize> {
    let bytes = text.as_bytes();
    let last = text.len().checked_sub(1).filter(|last| bytes[*last] == b')')?;
    let mut depth = 0usize;
    for at in (0..=last).rev() {
        if !matches!(bytes[at], b'(' | b')') || is_quoted(spans, at) {
            if at == last {
                return None;
            }
            continue;
        }
        if bytes[at] == b')' {
            depth += 1;
        } else {
            depth -= 1;
            if depth == 0 {
                return (at > 0 && bytes[at - 1].is_ascii_whitespace()).then_some(at);
            }
        }
    }
    None
}

/// The method and what follows it.
fn split_method(head: &str) -> (Method, &str) {
    let head = head.trim();
    if head.starts_with('`') {
        return (Method::Cmd, head);
    }
    let len = head.bytes().take_while(u8::is_ascii_alphabetic).count();
    let rest = &head[len..];
    let ends = rest.is_empty() || rest.starts_with([':', '`', '"']) || rest.starts_with(char::is_whitespace);
    match Method::from_word(head[..len].to_ascii_lowercase().as_bytes()).filter(|_| ends) {
        Some(method) => {
            let rest = rest.trim_start();
            (method, rest.strip_prefix(':').unwrap_or(rest).trim_start())
        }
        None => (Method::Manual, head),
    }
}

/// `detail` without the one pair of quotes, or of equal backtick runs, that is around all of it.
fn unwrap_detail(detail: &str) -> &str {
    let run = detail.bytes().take_while(|byte| *byte == b'`').count();
    if run == detail.len() && run.is_multiple_of(2) {
        return "";
    }
    let width = if run > 0 { run } else { 1 };
    match quoted_spans(detail).first() {
        Some(span) if *span == (0..detail.len()) => detail[width..detail.len() - width].trim(),
        _ => detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_stated_as_they_are_read() {
        for (method, detail, status, comment, want) in [
            (Method::Cmd, " make  test ", ClaimStatus::Pass, "", "cmd `make  test` => pass"),
            (Method::Cmd, "echo `x`", ClaimStatus::Fail, "not here", "cmd `` echo `x` `` => fail (not here)"),
            (Method::Test, "suite => all", ClaimStatus::Pass, "", "test `suite => all` => pass"),
            (Method::Manual, "looked\nat it", ClaimStatus::Unknown, "a\nb", "manual looked at it => unknown (a b)"),
            (Method::Type, "", ClaimStatus::Skipped, "", "type => skipped"),
            (Method::None, "", ClaimStatus::Unknown, "later", "none => unknown (later)"),
        ] {
            assert_eq!(Claim::stated(method, detail, status, comment).as_deref(), Some(want));
        }
    }

    #[test]
    fn forms() {
        for (raw, method, detail, status, comment) in [
            ("cmd `make` => pass (ok)", "cmd", "make", "pass", "ok"),
            ("`make`", "cmd", "make", "unknown", ""),
            ("CMD: \"make\" -> Failed", "cmd", "make", "fail", ""),
            ("cmd`make`⇒SKIP (a) (b)", "cmd", "make", "skipped", "(a) (b)"),
            ("cmd ``echo `x` `` => pass", "cmd", "echo `x`", "pass", ""),
            ("cmd `a` `b` => pass", "cmd", "`a` `b`", "pass", ""),
            ("cmd `a -> b` => error: x => y", "cmd", "a -> b", "fail", ": x => y"),
            ("type => pass", "type", "", "pass", ""),
            ("none", "none", "", "unknown", ""),
            ("none => (later)", "none", "", "unknown", "later"),
            ("typed it", "manual", "typed it", "unknown", ""),
            ("a -> b => pass", "manual", "a -> b", "pass", ""),
            ("a -> b => passing", "manual", "a", "unknown", "b => passing"),
            ("cmd `x` (12 tests) => pass", "cmd", "x", "pass", "12 tests"),
            ("cmd `x` (12 tests) => pass (y)", "cmd", "`x` (12 tests)", "pass", "y"),
            ("cmd make (fail)", "cmd", "make", "fail", ""),
            ("cmd make (failed)", "cmd", "make", "unknown", "failed"),
            ("manual call foo() => pass", "manual", "call foo()", "pass", ""),
            ("manual \"a (b)\" => pass", "manual", "a (b)", "pass", ""),
            ("manual (a (b))", "manual", "", "unknown", "a (b)"),
            ("manual \"a => pass", "manual", "\"a", "pass", ""),
            ("cmd => pass", "cmd", "", "pass", ""),
            ("cmd `` => pass", "cmd", "", "pass", ""),
            ("x =>", "manual", "x", "unknown", ""),
            ("", "manual", "", "unknown", ""),
        ] {
            let claim = Claim::parse(raw);
            let comment_read = claim.comment.as_deref().unwrap_or("");
            let got = (claim.method.as_str(), claim.detail.as_str(), claim.status.as_str(), comment_read);
            assert_eq!(got, (method, detail, status, comment), "{raw}");
        }
    }

    #[test]
    fn an_outcome_replaces_what_is_behind_the_arrow() {
        for (raw, comment, want) in [
            ("cmd `x`", None, Some("cmd `x` => fail")),
            ("cmd `a -> b` => pass (old)", Some("a => pass"), Some("cmd `a -> b` => fail (a => pass)")),
            ("cmd `x` (12 tests) => pass", Some("new"), Some("cmd `x` => fail (new)")),
            ("cmd `x` (12 tests) => pass (y)", Some("new"), Some("cmd `x` (12 tests) => fail (new)")),
            ("cmd make (fail)", Some("a) (b"), Some("cmd make => fail a) (b")),
            ("manual a -> b", Some("two\n lines"), Some("manual a => fail (two lines)")),
            ("=> pass", None, Some("=> fail")),
            ("manual x => fail, y", Some("(a)"), Some("manual x => fail ((a))")),
        ] {
            let stated = Claim::parse(raw).with_outcome(ClaimStatus::Fail, comment);
            assert_eq!(stated.as_deref(), want, "{raw}");
        }
    }

    #[test]
    fn unreadable_statuses_are_noticed() {
        assert!(Claim::parse("manual x => unverified").is_status_unreadable);
        assert!(!Claim::parse("manual x =>").is_status_unreadable);
        assert!(!Claim::parse("manual x").is_status_unreadable);
    }
}
