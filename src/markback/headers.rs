//! Header lines as they are written: canonical order, and nothing that would be read as something else.

use super::grammar;
use super::line::{self, LineClass, find_blank, trim};
use super::print::Out;
use super::record::{Action, FileHeaders, Header, Record, current_keyword, is_known};

/// Why a record cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unwritable {
    /// The file is not Markback.
    #[error("the file is not UTF-8; save it as UTF-8 first")]
    Unreadable,
    /// Whatever is added would become part of the last feedback.
    #[error("the last feedback of the file is a fence that is never closed; end it with a line `\"\"\"` first")]
    OpenFence,
    /// There is nothing to say.
    #[error("the feedback is empty; write some")]
    EmptyFeedback,
    /// The feedback has several lines, and one of them would close the fence around it.
    #[error("a line of the feedback is only `\"\"\"`, which would end it; change that line")]
    FenceInFeedback,
    /// A value that no header line can hold.
    #[error("`@{0}` needs one line of text without blanks at its ends")]
    Value(String),
    /// A tag, verb or time that is not one word.
    #[error("every word of `@{0}` must be without blanks and not empty")]
    Word(&'static str),
    /// A header that is none, or one with a meaning of its own.
    #[error("`@{0}` is not a name for a further header; use other lower-case letters and hyphens")]
    Keyword(String),
    /// A path with `<<<` in it, in a place where that would be read as feedback.
    #[error("`<<<` in the path `{0}` would be read as feedback; leave the content out or name the file differently")]
    Path(String),
    /// A header in front of the record would become part of the text above it.
    #[error("the text above the record has no feedback of its own; end it with a line `<<< …` or remove it first")]
    UnfinishedAbove,
    /// Another record would be read differently.
    #[error("the records around it would be read differently then; edit the file itself")]
    Entangled,
    /// A line of the content would be read as something else.
    #[error("the line `{0}` of the content would be read as structure; leave the content out or shorten it")]
    Structure(String),
}

/// Whether header lines can hold what `record` says. Those of a file can.
///
/// # Errors
/// When one would be read as something else.
pub(super) fn check(record: &Record<'_>) -> Result<(), Unwritable> {
    let Record { id, reply_to, by, input, file, .. } = record;
    let values = [("id", id), ("reply-to", reply_to), ("by", by), ("input", input), ("file", file)];
    for (keyword, value) in values {
        value.as_deref().map_or(Ok(()), |value| one_line(keyword, value))?;
    }
    record.actions.iter().try_for_each(check_action)?;
    words("tag", record.tags.iter().map(AsRef::as_ref))?;
    for Header { keyword, value } in &record.unknown {
        if !is_further_keyword(keyword, value) {
            return Err(Unwritable::Keyword(keyword.to_string()));
        }
        one_line(keyword, value)?;
    }
    Ok(())
}

/// Append the header lines of `record` in canonical order; `with_file` says whether `@file` is one of them.
pub(super) fn write_headers(out: &mut impl Out, record: &Record<'_>, with_file: bool) {
    for (keyword, value) in [("id", &record.id), ("reply-to", &record.reply_to), ("by", &record.by)] {
        write_optional(out, keyword, value.as_deref());
    }
    for action in &record.actions {
        write_action(out, action);
        out.push_str("\n");
    }
    if !record.tags.is_empty() {
        out.push_str("@tag");
        for tag in &*record.tags {
            out.push_str(" ");
            out.push_str(tag);
        }
        out.push_str("\n");
    }
    write_optional(out, "input", record.input.as_deref());
    write_optional(out, "file", record.file.as_deref().filter(|_| with_file));
    for header in sorted(&record.unknown) {
        write_line(out, "@", &header.keyword, &header.value);
    }
}

/// Append the `%` lines of a file in canonical order, with a version where the file states one, or `with_version`.
pub(super) fn write_file_headers(out: &mut String, headers: &FileHeaders<'_>, with_version: bool) {
    const CURRENT: &str = "2";
    let stated = headers.version.as_deref();
    if with_version || stated.is_some() {
        let is_newer = |version: &&str| version.len() > 1 || *version > CURRENT;
        write_line(out, "%", "markback", stated.filter(is_newer).unwrap_or(CURRENT));
    }
    if !headers.scope.is_empty() {
        write_line(out, "%", "scope", &headers.scope.join(" "));
    }
    if let Some(covers) = &headers.covers {
        write_line(out, "%", "covers", covers);
    }
    for header in sorted(&headers.unknown) {
        write_line(out, "%", &header.keyword, &header.value);
    }
}

/// By keyword; those with the same one keep their order.
fn sorted<'a, 'b>(headers: &'b [Header<'a>]) -> Vec<&'b Header<'a>> {
    let mut sorted: Vec<_> = headers.iter().collect();
    sorted.sort_by(|left, right| left.keyword.cmp(&right.keyword));
    sorted
}

fn write_line(out: &mut impl Out, sigil: &str, keyword: &str, value: &str) {
    out.push_str(sigil);
    out.push_str(keyword);
    if !value.is_empty() {
        out.push_str(" ");
        out.push_str(value);
    }
    out.push_str("\n");
}

fn write_optional(out: &mut impl Out, keyword: &str, value: Option<&str>) {
    if let Some(value) = value {
        write_line(out, "@", keyword, value);
    }
}

/// The line that says `action`, without its end.
pub(super) fn action_line(action: &Action<'_>) -> Result<String, Unwritable> {
    check_action(action)?;
    let mut line = String::new();
    write_action(&mut line, action);
    Ok(line)
}

fn check_action(action: &Action<'_>) -> Result<(), Unwritable> {
    let Action { verb, timestamp, actor } = action;
    words("action", [verb.as_ref(), timestamp.as_ref()].into_iter())?;
    actor.as_deref().map_or(Ok(()), |actor| one_line("action", actor))
}

fn write_action(out: &mut impl Out, action: &Action<'_>) {
    let Action { verb, timestamp, actor } = action;
    out.push_str("@action");
    for part in [Some(verb), Some(timestamp), actor.as_ref()].into_iter().flatten() {
        out.push_str(" ");
        out.push_str(part);
    }
}

/// Whether a header line can hold `value`.
pub(super) fn one_line(keyword: &str, value: &str) -> Result<(), Unwritable> {
    let fits = !value.is_empty()
        && memchr::memchr2(b'\n', b'\r', value.as_bytes()).is_none()
        && trim(value).len() == value.len();
    if fits { Ok(()) } else { Err(Unwritable::Value(keyword.to_owned())) }
}

fn words<'a>(keyword: &'static str, mut words: impl Iterator<Item = &'a str>) -> Result<(), Unwritable> {
    let all_fit = words.all(|word| !word.is_empty() && find_blank(word).is_none());
    if all_fit { Ok(()) } else { Err(Unwritable::Word(keyword)) }
}

/// Whether a header with this keyword would be read as one that the format does not know.
fn is_further_keyword(keyword: &str, value: &str) -> bool {
    grammar::is_keyword(keyword)
        && !is_known(current_keyword(keyword))
        && line::classify(&format!("@{keyword} {value}"), false) == LineClass::Header
}
