//! The writer: a record as the bytes to add at the end of a file.
//!
//! Nothing that is already there is touched, and what is added reads back as the record that was given.

use super::grammar::{self, FENCE};
use super::headers::{action_line, header, headers};
use super::line::{self, BOM, LineClass, is_blank};
use super::parse::current_keyword;
use super::record::{Action, Entry, Record};
use super::{Markback, Tail};
use crate::text::edit::Edit;

/// Why a record cannot be added to a file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
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
    /// A line of the content would be read as something else.
    #[error("the line `{0}` of the content would be read as structure; leave the content out or shorten it")]
    Structure(String),
}

/// The edit that adds `record` at the end of `existing`, in the line ends of the file, with a `---` in front where the
/// record would otherwise take something from the records before it.
///
/// CR and CRLF in content and feedback count as line ends; blank lines at the ends of the content are left out; headers
/// that the format does not know are sorted by keyword.
///
/// # Errors
/// When the file or the record makes it impossible to read the record back as it is.
pub fn append(existing: &[u8], record: &Record) -> Result<Edit, AppendError> {
    let file = Markback::parse(existing.to_vec());
    let lines = Addition::new(&file, record)?.lines()?;
    let newline = newline(&file);
    let is_open = !matches!(existing, [] | [.., b'\n' | b'\r']) && existing != BOM.as_bytes();
    let mut with = if is_open { newline.to_owned() } else { String::new() };
    for line in lines {
        with.push_str(&line);
        with.push_str(newline);
    }
    Ok(Edit::insert(existing.len(), with))
}

/// The edit that adds `action` to a record of `file`, as its last event: one line between its headers (and an empty one
/// where content without headers follows).
///
/// # Errors
/// When no line can hold the action, or none can stand where it would have to.
pub fn add_action(file: &Markback, entry: &Entry, action: &Action) -> Result<Edit, AppendError> {
    let line = action_line(action)?;
    let above = entry.start.checked_sub(1).map(|index| file.lines[index].class);
    if matches!(above, Some(LineClass::Content | LineClass::Blank)) {
        return Err(AppendError::UnfinishedAbove);
    }
    let newline = newline(file);
    let goes_first = |index: &usize| {
        let is_header = file.lines[*index].class == LineClass::Header;
        let keyword = grammar::header(file.line_str(*index)).map(|(keyword, _)| current_keyword(keyword));
        is_header && keyword.is_some_and(|keyword| ["id", "reply-to", "by", "action"].contains(&keyword))
    };
    let own = entry.first..entry.feedback;
    let has_headers = own.clone().any(|index| file.lines[index].class == LineClass::Header);
    let at = own.clone().rev().find(goes_first).map_or(entry.first, |index| index + 1);
    let separated = if !has_headers && entry.record.content.is_some() { newline } else { "" };
    let at = file.lines[at].content(&file.text).start as usize;
    Ok(Edit::insert(at, format!("{line}{newline}{separated}")))
}

/// The line end to write in `file`.
fn newline(file: &Markback) -> &'static str {
    if memchr::memmem::find(&file.text, b"\r\n").is_some() { "\r\n" } else { "\n" }
}

/// A record on its way to the end of a file.
struct Addition<'a> {
    file: &'a Markback,
    record: &'a Record,
    content: Vec<String>,
    feedback: Vec<String>,
    is_compact: bool,
}

impl<'a> Addition<'a> {
    fn new(file: &'a Markback, record: &'a Record) -> Result<Self, AppendError> {
        match file.tail {
            Tail::Unreadable => return Err(AppendError::Unreadable),
            Tail::OpenFence => return Err(AppendError::OpenFence),
            Tail::Top | Tail::NewSection | Tail::Section(_) | Tail::Unfinished => {}
        }
        let content = content_lines(record.content.as_deref().unwrap_or_default())?;
        let feedback = feedback_lines(&record.feedback)?;
        let has_delimiter = record.file.as_deref().is_some_and(|path| path.contains("<<<"));
        let is_listing = |record: &Record| record.file.is_some() && record.content.is_none();
        let is_compact = record.file.is_some()
            && content.is_empty()
            && (has_delimiter || feedback.len() == 1 && file.records().all(is_listing));
        match &record.file {
            Some(path) if has_delimiter && !(is_compact && is_compact_path(path)) => {
                Err(AppendError::Path(path.clone()))
            }
            _ => Ok(Self { file, record, content, feedback, is_compact }),
        }
    }

    /// All lines to add, the joint included.
    fn lines(&self) -> Result<Vec<String>, AppendError> {
        let mut record_lines = headers(self.record)?;
        let file = self.record.file.as_deref().filter(|_| self.is_compact);
        if let (Some(path), None) = (&self.record.file, file) {
            let at = record_lines.len() - self.record.unknown.len();
            record_lines.insert(at, header("file", path)?);
        }
        let is_headerless = record_lines.is_empty() && file.is_none();
        if let Some(first) = self.content.first().filter(|first| is_headerless && first.starts_with('@')) {
            return Err(AppendError::Structure(first.clone()));
        }
        let mut lines = self.joint(is_headerless);
        let last = lines.last().map(String::as_str).or_else(|| self.last_line());
        let is_separated = is_headerless && matches!(last, None | Some(""));
        lines.append(&mut record_lines);
        if !self.content.is_empty() && !is_separated {
            lines.push(String::new());
        }
        lines.extend_from_slice(&self.content);
        let path = match file {
            Some(path) => format!("{} ", header("file", path)?),
            None => String::new(),
        };
        lines.push(format!("{path}<<< {}", self.feedback[0]));
        lines.extend_from_slice(&self.feedback[1..]);
        Ok(lines)
    }

    /// The last line of the file.
    fn last_line(&self) -> Option<&str> {
        Some(self.file.line_str(self.file.lines.len().checked_sub(1)?))
    }

    /// What must stand between the end of the file and the record.
    fn joint(&self, is_headerless: bool) -> Vec<String> {
        let separator = || vec!["---".to_owned()];
        match self.file.tail {
            Tail::Top if is_headerless && self.starts_like_the_top() => separator(),
            Tail::Top if self.last_line().is_some_and(|line| !line.is_empty()) => vec![String::new()],
            Tail::Section(first) if !self.joins(&self.file.entries[first]) => separator(),
            Tail::Unfinished => separator(),
            Tail::Top | Tail::NewSection | Tail::Section(_) | Tail::OpenFence | Tail::Unreadable => Vec::new(),
        }
    }

    /// Whether the first line of the content would be read as a file header, or lose a byte order mark.
    fn starts_like_the_top(&self) -> bool {
        let is_first = self.file.text.is_empty();
        self.content.first().is_some_and(|line| line.starts_with('%') || is_first && line.starts_with(BOM))
    }

    /// Whether the record may follow the last one of the section that `first` opened, without a `---`: compact below
    /// compact, with nothing to inherit.
    fn joins(&self, first: &Entry) -> bool {
        let (first, own) = (&first.record, self.record);
        let inherits = first.by.is_some() && own.by.is_none()
            || first.input.is_some() && own.input.is_none()
            || !first.tags.is_empty() && own.tags.is_empty();
        let is_one_line =
            |entry: &Entry| entry.feedback == entry.end && self.file.lines[entry.end].class == LineClass::Compact;
        self.is_compact && self.feedback.len() == 1 && !inherits && self.file.entries.last().is_some_and(is_one_line)
    }
}

/// Whether the compact form gives `path` back.
fn is_compact_path(path: &str) -> bool {
    grammar::compact(&format!("@file {path} <<< x")).is_some_and(|compact| compact.path == path)
}

/// `text` as lines, without blank ones at its ends.
fn content_lines(text: &str) -> Result<Vec<String>, AppendError> {
    let mut lines = Vec::new();
    for line in unified(text).split('\n') {
        let trimmed = line.trim_end_matches(is_blank);
        match line::classify(trimmed, false) {
            LineClass::Blank if lines.is_empty() => {}
            LineClass::Blank => lines.push(String::new()),
            LineClass::Content | LineClass::Header => lines.push(line.to_owned()),
            _ => return Err(AppendError::Structure(trimmed.to_owned())),
        }
    }
    let kept = lines.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    lines.truncate(kept);
    Ok(lines)
}

/// What follows the `<<< ` on its line and on the lines below: the text itself, or a fence around it.
fn feedback_lines(feedback: &str) -> Result<Vec<String>, AppendError> {
    if feedback.chars().all(is_blank) {
        return Err(AppendError::EmptyFeedback);
    }
    let body: Vec<String> = unified(feedback).split('\n').map(str::to_owned).collect();
    if body.len() == 1 && feedback != FENCE && feedback.trim_matches(is_blank) == feedback {
        return Ok(body);
    }
    if body.iter().any(|line| line.trim_end_matches(is_blank) == FENCE) {
        return Err(AppendError::FenceInFeedback);
    }
    let fence = || std::iter::once(FENCE.to_owned());
    Ok(fence().chain(body).chain(fence()).collect())
}

/// `text` with LF as its only line end.
fn unified(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markback::Header;

    fn note(file: Option<&str>, content: Option<&str>, feedback: &str) -> Record {
        let own = |value: Option<&str>| value.map(str::to_owned);
        Record { file: own(file), content: own(content), feedback: feedback.to_owned(), ..Record::default() }
    }

    fn appended(existing: &str, record: &Record) -> String {
        let text = append(existing.as_bytes(), record).expect("it can be appended").apply(existing.as_bytes());
        String::from_utf8(text).expect("text stays text")
    }

    #[test]
    fn joints() {
        let (one, full) = (note(Some("b"), None, "y"), note(Some("b"), Some("text"), "y"));
        let (one_text, full_text) = ("@file b <<< y\n", "@file b\n\ntext\n<<< y\n");
        for (existing, record, joint, added) in [
            ("", &one, "", one_text),
            ("", &full, "", full_text),
            ("\u{feff}", &one, "", one_text),
            ("%markback 2\n", &one, "\n", one_text),
            ("%markback 2", &one, "\n\n", one_text),
            ("%markback 2\n\n", &full, "", full_text),
            ("@file a <<< x\n", &one, "", one_text),
            ("@file a <<< x", &one, "\n", one_text),
            ("@file a <<< x\n", &full, "---\n", full_text),
            ("@by ann\n@file a <<< x\n", &one, "---\n", one_text),
            ("@id a\n@file a <<< x\n", &one, "", one_text),
            ("@file a\n<<< x\n", &one, "---\n", one_text),
            ("@file a <<< \"\"\"\nx\ny\n\"\"\"\n", &one, "---\n", one_text),
            ("text\n<<< x\n", &one, "---\n", "@file b\n<<< y\n"),
            ("text\n<<< x\n---\n", &full, "", full_text),
            ("unfinished\n", &full, "---\n", full_text),
            ("@id unfinished", &one, "\n---\n", one_text),
        ] {
            assert_eq!(appended(existing, record), format!("{existing}{joint}{added}"), "{existing:?}");
        }
    }

    #[test]
    fn a_record_without_headers() {
        let bare = |content| note(None, Some(content), "y");
        assert_eq!(appended("", &bare("text")), "text\n<<< y\n");
        assert_eq!(appended("<<< x\n", &bare("text")), "<<< x\n---\n\ntext\n<<< y\n");
        assert_eq!(appended("%x\n", &bare("text")), "%x\n\ntext\n<<< y\n");
        assert_eq!(appended("", &bare("%50 off")), "---\n\n%50 off\n<<< y\n");
        assert_eq!(appended("", &bare("\u{feff}a")), "---\n\n\u{feff}a\n<<< y\n");
    }

    #[test]
    fn every_header_in_canonical_order() {
        let header = |keyword: &str| Header { keyword: keyword.to_owned(), value: "v".to_owned() };
        let action = |actor: Option<&str>| Action {
            verb: "created".to_owned(),
            timestamp: "2026".to_owned(),
            actor: actor.map(str::to_owned),
        };
        let record = Record {
            id: Some("i".to_owned()),
            reply_to: Some("r".to_owned()),
            by: Some("b c".to_owned()),
            actions: vec![action(Some("a b")), action(None)],
            tags: vec!["t".to_owned(), "u".to_owned()],
            input: Some("in:1".to_owned()),
            unknown: vec![header("zeta"), header("alpha")],
            ..note(Some("f:1-2"), Some("\n@x\n  \ny \n\n"), "one\ntwo")
        };
        let head =
            "@id i\n@reply-to r\n@by b c\n@action created 2026 a b\n@action created 2026\n@tag t u\n@input in:1\n";
        let tail = "@file f:1-2\n@alpha v\n@zeta v\n\n@x\n\ny \n<<< \"\"\"\none\ntwo\n\"\"\"\n";
        assert_eq!(appended("", &record), format!("{head}{tail}"));
    }

    #[test]
    fn the_line_ends_of_the_file_are_kept() {
        let record = note(Some("b"), Some("one\ntwo"), "x\r\ny");
        let added = "@file b\r\n\r\none\r\ntwo\r\n<<< \"\"\"\r\nx\r\ny\r\n\"\"\"\r\n";
        assert_eq!(appended("@id a\r\n<<< x", &record), format!("@id a\r\n<<< x\r\n---\r\n{added}"));
    }

    #[test]
    fn an_action_goes_where_the_canonical_form_has_it() {
        let action = Action { verb: "resolved".to_owned(), timestamp: "2026".to_owned(), actor: None };
        let added = |text: &str, index: usize| {
            let file = Markback::parse(text.to_owned());
            let edit = add_action(&file, &file.entries()[index], &action)?;
            Ok(String::from_utf8(edit.apply(text.as_bytes())).expect("text stays text"))
        };
        for (before, index, after) in [
            ("@id a\n@tag t\n\nx\n<<< y\n", 0, "@id a\n@action resolved 2026\n@tag t\n\nx\n<<< y\n"),
            ("@action a b\r\n@file f <<< y", 0, "@action a b\r\n@action resolved 2026\r\n@file f <<< y"),
            ("@tag t\n@file f <<< y", 0, "@action resolved 2026\n@tag t\n@file f <<< y"),
            ("@file f <<< x\n@file g <<< y", 1, "@file f <<< x\n@action resolved 2026\n@file g <<< y"),
            ("%markback 2\n\nx\n<<< y", 0, "%markback 2\n\n@action resolved 2026\n\nx\n<<< y"),
            ("\u{feff}<<< y", 0, "\u{feff}@action resolved 2026\n<<< y"),
        ] {
            assert_eq!(added(before, index), Ok(after.to_owned()), "{before:?}");
        }
        assert_eq!(added("stray\n@file f <<< y", 0), Err(AppendError::UnfinishedAbove));
    }

    #[test]
    fn what_cannot_be_read_back_is_refused() {
        use AppendError::{EmptyFeedback, FenceInFeedback, Path, Structure, Value, Word};
        let by = |by: &str| Record { by: Some(by.to_owned()), ..note(None, None, "y") };
        let tags = |tag: &str| Record { tags: vec![tag.to_owned()], ..note(None, None, "y") };
        for (record, error) in [
            (note(None, None, " \n"), EmptyFeedback),
            (note(None, None, "a\n\"\"\" \nb"), FenceInFeedback),
            (note(None, None, "\"\"\""), FenceInFeedback),
            (note(None, Some("a\n---"), "y"), Structure("---".to_owned())),
            (note(None, Some("<<<<<<< HEAD"), "y"), Structure("<<<<<<< HEAD".to_owned())),
            (note(Some("f"), Some("@file a <<< b"), "y"), Structure("@file a <<< b".to_owned())),
            (note(None, Some("@override"), "y"), Structure("@override".to_owned())),
            (note(Some("a<<<b"), Some("text"), "y"), Path("a<<<b".to_owned())),
            (note(Some("a <<< b"), None, "y"), Path("a <<< b".to_owned())),
            (note(Some("a\nb"), None, "y"), Value("file".to_owned())),
            (by("ann\n@id forged"), Value("by".to_owned())),
            (by(" ann"), Value("by".to_owned())),
            (tags("two words"), Word("tag")),
        ] {
            assert_eq!(append(b"", &record), Err(error), "{record:?}");
        }
        let record = note(None, None, "y");
        assert_eq!(append(b"\xff\n", &record), Err(AppendError::Unreadable));
        assert_eq!(append(b"<<< \"\"\"\nopen", &record), Err(AppendError::OpenFence));
        for keyword in ["id", "prior", "Upper", "a b", ""] {
            let unknown = vec![Header { keyword: keyword.to_owned(), value: "v".to_owned() }];
            let refused = append(b"", &Record { unknown, ..record.clone() });
            assert_eq!(refused, Err(AppendError::Keyword(keyword.to_owned())));
        }
    }
}
