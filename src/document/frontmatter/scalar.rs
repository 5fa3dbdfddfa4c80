//! Strings as YAML: what is written into a frontmatter, by edits and by whoever makes a new one.

/// `value` as a YAML scalar on one line: plain where every reader takes it for this string, else in double quotes.
#[must_use]
pub fn scalar(value: &str) -> String {
    if is_plain(value) || is_time(value) { value.to_owned() } else { quoted(value) }
}

/// `value` as a scalar inside `{…}`, where a comma ends it.
pub(super) fn scalar_in_flow(value: &str) -> String {
    if value.contains(',') { quoted(value) } else { scalar(value) }
}

fn quoted(value: &str) -> String {
    let mut out = String::from('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            _ if is_unprintable(c) => match u32::from(c) {
                code @ 0..=0xff => out.push_str(&format!("\\x{code:02X}")),
                code @ 0x100..=0xffff => out.push_str(&format!("\\u{code:04X}")),
                code => out.push_str(&format!("\\U{code:08X}")),
            },
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Characters that YAML does not allow as they are, that end lines, or that reorder what a reader sees.
fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
}

/// Begins with a letter, holds nothing that means something to YAML, and is none of its words.
fn is_plain(value: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    let ordinary = |c: char| c.is_alphanumeric() || " _./@+,()'~^;=$%&*!?<>-".contains(c);
    value.starts_with(char::is_alphabetic)
        && !value.ends_with(' ')
        && value.chars().all(ordinary)
        && !WORDS.contains(&value.to_ascii_lowercase().as_str())
}

/// A time stamp, which is a string in YAML 1.2.
fn is_time(value: &str) -> bool {
    let digits =
        |range: std::ops::Range<usize>| value.get(range).is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit()));
    value.len() > 11
        && value.bytes().all(|byte| byte.is_ascii_digit() || b"-:.TZ+".contains(&byte))
        && (digits(0..4) && digits(5..7) && digits(8..10) && value.get(10..11) == Some("T"))
        && !value.ends_with(':')
}
