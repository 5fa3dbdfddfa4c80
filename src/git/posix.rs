//! POSIX regular expressions, as git's configuration has them, in the notation of the `regex` crate: the extended ones of
//! `xfuncname` and the basic ones of `funcname`, with the escapes that glibc adds.

use std::fmt::Write as _;
use std::iter::Peekable;
use std::str::Chars;

/// Which notation an expression is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Notation {
    /// `(a|b)+`
    Extended,
    /// `\(a\|b\)\+`
    Basic,
}

/// `expression` in the notation of the `regex` crate; `None` for what it cannot say, a reference to a group. Whether it
/// makes sense shows when it is compiled.
pub(super) fn translated(expression: &str, notation: Notation) -> Option<String> {
    let mut out = String::new();
    let mut rest = expression.chars().peekable();
    // Whether the next character begins an expression, where a basic one has no repetition yet.
    let mut at_start = true;
    while let Some(c) = rest.next() {
        let starts = std::mem::take(&mut at_start);
        match (c, notation) {
            ('[', _) => bracket(&mut rest, &mut out)?,
            ('\\', _) => match (rest.next()?, notation) {
                (operator @ ('(' | ')' | '|' | '{' | '}' | '+' | '?'), Notation::Basic) => {
                    at_start = matches!(operator, '(' | '|');
                    if operator == '{' { repetition(&mut rest, &mut out) } else { out.push(operator) }
                }
                (class @ ('w' | 'W' | 's' | 'S' | 'b' | 'B'), _) => out.extend(['\\', class]),
                ('<', _) => out.push_str(r"\b{start}"),
                ('>', _) => out.push_str(r"\b{end}"),
                ('`', _) => out.push_str(r"\A"),
                ('\'', _) => out.push_str(r"\z"),
                ('1'..='9', _) => return None,
                (literal, _) => push_literal(literal, &mut out),
            },
            ('{', Notation::Extended) => repetition(&mut rest, &mut out),
            ('}', _) | ('(' | ')' | '{' | '|' | '+' | '?', Notation::Basic) => push_literal(c, &mut out),
            ('*', Notation::Basic) if starts => push_literal(c, &mut out),
            ('^', Notation::Basic) => {
                at_start = starts;
                if starts { out.push(c) } else { push_literal(c, &mut out) }
            }
            ('$', Notation::Basic) if rest.peek().is_some_and(|next| *next != '\\') => push_literal(c, &mut out),
            _ => out.push(c),
        }
    }
    Some(out)
}

fn push_literal(c: char, out: &mut String) {
    out.push_str(&regex::escape(c.encode_utf8(&mut [0; 4])));
}

/// What stands behind `{`: a count, or it is nothing but a brace.
fn repetition(rest: &mut Peekable<Chars<'_>>, out: &mut String) {
    let mut ahead = rest.clone();
    let count: String = ahead.by_ref().take_while(|c| c.is_ascii_digit() || *c == ',').collect();
    // `take_while` has eaten the closing brace, which a basic expression escapes.
    let closes = rest.clone().nth(count.len()).is_some_and(|c| c == '}' || c == '\\');
    if count.is_empty() || count == "," || !closes {
        return out.push_str(r"\{");
    }
    let zero = if count.starts_with(',') { "0" } else { "" };
    let _ = write!(out, "{{{zero}{count}}}");
    if rest.nth(count.len()) == Some('\\') {
        rest.next();
    }
}

/// What stands behind `[`: nothing in it is an escape, and a `]` at its beginning is one of its members.
fn bracket(rest: &mut Peekable<Chars<'_>>, out: &mut String) -> Option<()> {
    out.push('[');
    if rest.next_if_eq(&'^').is_some() {
        out.push('^');
    }
    let mut is_first = true;
    loop {
        let c = rest.next()?;
        let mut ahead = rest.clone();
        match (c, ahead.next()) {
            (']', _) if !is_first => break,
            ('[', Some(kind @ (':' | '.' | '='))) => {
                let name: String = ahead.by_ref().take_while(|c| *c != kind).collect();
                if ahead.next() != Some(']') {
                    return None;
                }
                match (kind, name.as_str()) {
                    (':', "alpha") => out.push_str(r"\p{Alphabetic}"),
                    (':', "alnum") => out.push_str(r"\p{Alphabetic}\p{Nd}"),
                    (':', "upper") => out.push_str(r"\p{Uppercase}"),
                    (':', "lower") => out.push_str(r"\p{Lowercase}"),
                    (':', name) => {
                        let _ = write!(out, "[:{name}:]");
                    }
                    (_, name) => name.chars().for_each(|c| member(c, out)),
                }
                *rest = ahead;
            }
            // Between two members it is a range, and else one of them.
            ('-', Some(next)) if !is_first && next != ']' => out.push('-'),
            _ => member(c, out),
        }
        is_first = false;
    }
    out.push(']');
    Some(())
}

fn member(c: char, out: &mut String) {
    if c.is_alphanumeric() {
        out.push(c);
    } else {
        let _ = write!(out, r"\x{{{:x}}}", u32::from(c));
    }
}

#[cfg(test)]
mod tests {
    use super::Notation::{Basic, Extended};
    use super::*;

    fn matches(notation: Notation, expression: &str, text: &str) -> bool {
        regex::Regex::new(&translated(expression, notation).unwrap()).unwrap().is_match(text)
    }

    #[test]
    fn what_matches() {
        for (notation, expression, yes, no) in [
            (Extended, r"^[]\[]x", r"\x", "x"),
            (Extended, r"^[^]a]$", "b", "]"),
            (Extended, "^[a-c-]+$", "a-c", "d"),
            (Extended, "^[[:digit:][:alpha:]_]+$", "a1_é", "-"),
            (Extended, "^a{2,3}$", "aaa", "a"),
            (Extended, "^a{,2}$", "aa", "aaa"),
            (Extended, "^struct x {$", "struct x {", "struct x"),
            (Extended, r"\<word\>", "a word", "words"),
            (Extended, "^(sub|func) ", "func a", "fun a"),
            (Extended, r"^\(define", "(define", "define"),
            (Basic, r"^\(sub\|func\) ", "func a", "fun a"),
            (Basic, "^f(x)+$", "f(x)+", "fx"),
            (Basic, r"^a\{2\}b\+$", "aabb", "abb"),
            (Basic, "^*a^b$c", "*a^b$c", "aab"),
        ] {
            assert!(matches(notation, expression, yes), "{expression} matches {yes}");
            assert!(!matches(notation, expression, no), "{expression} does not match {no}");
        }
        assert_eq!(translated(r"(a)\1", Extended), None);
        assert_eq!(translated("[a", Extended), None);
    }
}
