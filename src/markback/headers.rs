//! Header lines as they are written: canonical order, and nothing that would be read as something else.

use super::grammar;
use super::line::{self, LineClass, is_blank};
use super::parse::current_keyword;
use super::print::AppendError;
use super::record::{Action, Record};

/// The header lines in canonical order, without `@file`.
pub(super) fn headers(record: &Record) -> Result<Vec<String>, AppendError> {
    let mut lines = Vec::new();
    for (keyword, value) in [("id", &record.id), ("reply-to", &record.reply_to), ("by", &record.by)] {
        lines.extend(value.as_ref().map(|value| header(keyword, value)).transpose()?);
    }
    for action in &record.actions {
        lines.push(action_line(action)?);
    }
    if !record.tags.is_empty() {
        words("tag", &record.tags)?;
        lines.push(format!("@tag {}", record.tags.join(" ")));
    }
    lines.extend(record.input.as_ref().map(|value| header("input", value)).transpose()?);
    let mut unknown: Vec<_> = record.unknown.iter().collect();
    unknown.sort_by(|left, right| left.keyword.cmp(&right.keyword));
    for further in unknown {
        if !is_further_keyword(&further.keyword, &further.value) {
            return Err(AppendError::Keyword(further.keyword.clone()));
        }
        lines.push(header(&further.keyword, &further.value)?);
    }
    Ok(lines)
}

/// The line that says `action`.
pub(super) fn action_line(action: &Action) -> Result<String, AppendError> {
    words("action", [&action.verb, &action.timestamp])?;
    let actor = action.actor.as_ref().map(|actor| one_line("action", actor)).transpose()?;
    let actor = actor.map(|actor| format!(" {actor}")).unwrap_or_default();
    Ok(format!("@action {} {}{actor}", action.verb, action.timestamp))
}

pub(super) fn header(keyword: &str, value: &str) -> Result<String, AppendError> {
    Ok(format!("@{keyword} {}", one_line(keyword, value)?))
}

fn one_line<'a>(keyword: &str, value: &'a str) -> Result<&'a str, AppendError> {
    let fits = !value.is_empty() && !value.contains(['\n', '\r']) && value.trim_matches(is_blank) == value;
    if fits { Ok(value) } else { Err(AppendError::Value(keyword.to_owned())) }
}

fn words<'a>(keyword: &'static str, words: impl IntoIterator<Item = &'a String>) -> Result<(), AppendError> {
    let all_fit = words.into_iter().all(|word| !word.is_empty() && !word.contains(is_blank));
    if all_fit { Ok(()) } else { Err(AppendError::Word(keyword)) }
}

/// Whether a header with this keyword would be read as one that the format does not know.
fn is_further_keyword(keyword: &str, value: &str) -> bool {
    const KNOWN: [&str; 7] = ["id", "reply-to", "by", "action", "tag", "input", "file"];
    let line = format!("@{keyword} {value}");
    grammar::is_keyword(keyword)
        && !KNOWN.contains(&current_keyword(keyword))
        && line::classify(&line, false) == LineClass::Header
}
