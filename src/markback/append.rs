//! Additions to a file: a record at its end, an action or an id in a record.
//!
//! Nothing that is already there is touched, and what is added reads back as it was given.

use std::collections::HashSet;

use super::grammar;
use super::headers::{Unwritable, action_line, one_line};
use super::line::{BOM, LineClass};
use super::prepare::prepared;
use super::print::{self, Heads, Layout, SEPARATOR, fits};
use super::record::{Action, Entry, Record, current_keyword};
use super::{Markback, Tail};
use crate::text::edit::Edit;

/// The edit that adds `record` at the end of `existing`, in the line ends of the file, with a `---` in front where the
/// record would otherwise take something from the records before it.
///
/// CR and CRLF in content and feedback count as line ends; blank lines at the ends of the content are left out; headers
/// that the format does not know are sorted by keyword.
///
/// # Errors
/// When the file or the record makes it impossible to read the record back as it is.
pub fn append(existing: &[u8], record: &Record<'_>) -> Result<Edit, Unwritable> {
    let file = Markback::parse(existing.to_vec());
    let lines = Addition::new(&file, record)?.text()?;
    let newline = newline(&file);
    let is_open = !matches!(existing, [] | [.., b'\n' | b'\r']) && existing != BOM.as_bytes();
    let with = if newline == "\n" { lines } else { lines.replace('\n', newline) };
    Ok(Edit::insert(existing.len(), if is_open { newline.to_owned() + &with } else { with }))
}

/// The edit that adds `action` to a record of `file`, as its last event: one line between its headers (and an empty one
/// where content without headers follows).
///
/// # Errors
/// When no line can hold the action, or none can stand where it would have to.
pub fn add_action(file: &Markback, entry: &Entry, action: &Action<'_>) -> Result<Edit, Unwritable> {
    let line = action_line(action)?;
    let above = entry.start.checked_sub(1).map(|index| file.class(index));
    if matches!(above, Some(LineClass::Content | LineClass::Blank)) {
        return Err(Unwritable::UnfinishedAbove);
    }
    Ok(insert_header(file, entry, &line, &["id", "reply-to", "by", "action"]))
}

/// The edit that makes `id` the id of the record at `index`, which has none: one line in front of its headers (and an
/// empty one where content without headers follows).
///
/// # Errors
/// When no line can hold the id, or a record would be read differently otherwise.
///
/// # Panics
/// When there is no such record.
pub fn add_id(file: &Markback, index: usize, id: &str) -> Result<Edit, Unwritable> {
    one_line("id", id)?;
    let mut wanted: Vec<Record<'_>> = file.records().collect();
    wanted[index].id = Some(id.into());
    let edit = insert_header(file, &file.entries[index], &format!("@id {id}"), &[]);
    let after = Markback::parse(edit.apply(&file.text));
    if after.records().eq(wanted) { Ok(edit) } else { Err(Unwritable::Entangled) }
}

/// The edit that puts `line` among the headers of a record, behind those with one of the keywords in `before`.
fn insert_header(file: &Markback, entry: &Entry, line: &str, before: &[&str]) -> Edit {
    let newline = newline(file);
    let goes_first = |index: &u32| {
        let is_header = file.class(*index) == LineClass::Header;
        let keyword = grammar::header(file.line_str(*index)).map(|(keyword, _)| current_keyword(keyword));
        is_header && keyword.is_some_and(|keyword| before.contains(&keyword))
    };
    let own = || entry.first..entry.feedback;
    let has_headers = own().any(|index| file.class(index) == LineClass::Header);
    let has_content = own().any(|index| file.class(index) == LineClass::Content);
    let at = own().rev().find(goes_first).map_or(entry.first, |index| index + 1);
    let separated = if !has_headers && has_content { newline } else { "" };
    let at = file.content(at).start as usize;
    Edit::insert(at, format!("{line}{newline}{separated}"))
}

impl Markback {
    /// An id that no record has: `r1`, `r2`, …, counted on from the number of records.
    #[must_use]
    pub fn free_id(&self) -> String {
        let taken: HashSet<_> = self.records().filter_map(|record| record.id).collect();
        let ids = (self.entries.len() + 1..).map(|number| format!("r{number}"));
        ids.into_iter().find(|id| !taken.contains(id.as_str())).expect("some number is free")
    }
}

/// The line end to write in `file`.
pub(super) fn newline(file: &Markback) -> &'static str {
    if memchr::memmem::find(&file.text, b"\r\n").is_some() { "\r\n" } else { "\n" }
}

/// A record on its way to the end of a file.
struct Addition<'a> {
    file: &'a Markback,
    record: Record<'a>,
    layout: Layout,
}

impl<'a> Addition<'a> {
    fn new(file: &'a Markback, record: &'a Record<'_>) -> Result<Self, Unwritable> {
        match file.tail {
            Tail::Unreadable => return Err(Unwritable::Unreadable),
            Tail::OpenFence => return Err(Unwritable::OpenFence),
            Tail::Top | Tail::NewSection | Tail::Section(_) | Tail::Unfinished => {}
        }
        let record = prepared(record)?;
        let layout = print::layout(&record, file.is_listing)?;
        Ok(Self { file, record, layout })
    }

    /// All lines to add, the joint included, ended by LF.
    fn text(&self) -> Result<String, Unwritable> {
        let is_headerless = print::is_headerless(&self.record);
        let mut out = self.joint(is_headerless).to_owned();
        let is_below_nothing = match out.as_str() {
            "" => self.last_line().is_none_or(str::is_empty),
            joint => joint == "\n",
        };
        print::write_record(&mut out, &self.record, self.layout, is_below_nothing)?;
        Ok(out)
    }

    /// The last line of the file.
    fn last_line(&self) -> Option<&str> {
        let last = self.file.lines.len().checked_sub(1)?;
        Some(self.file.line_str(u32::try_from(last).ok()?))
    }

    /// What must stand between the end of the file and the record.
    fn joint(&self, is_headerless: bool) -> &'static str {
        let is_first = self.file.text.is_empty();
        match self.file.tail {
            Tail::Top if is_headerless && print::starts_like_the_top(&self.record, is_first) => SEPARATOR,
            Tail::Top if self.last_line().is_some_and(|line| !line.is_empty()) => "\n",
            Tail::Section(first) if !self.joins(first) => SEPARATOR,
            Tail::Unfinished => SEPARATOR,
            Tail::Top | Tail::NewSection | Tail::Section(_) | Tail::OpenFence | Tail::Unreadable => "",
        }
    }

    /// Whether the record may follow the last one of the section that `first` opened, without a `---`: compact below
    /// compact, with nothing to inherit.
    fn joins(&self, first: u32) -> bool {
        let is_one_line =
            |entry: &Entry| entry.feedback == entry.end && self.file.class(entry.end) == LineClass::Compact;
        self.layout == Layout::Compact
            && fits(&self.record.feedback)
            && self.file.entries.last().is_some_and(is_one_line)
            && self.file.record(first as usize).is_some_and(|first| !Heads::of(&first).reach(Heads::of(&self.record)))
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;
    use crate::markback::Header;

    fn note<'a>(file: Option<&'a str>, content: Option<&'a str>, feedback: &'a str) -> Record<'a> {
        let (file, content) = (file.map(Cow::Borrowed), content.map(Cow::Borrowed));
        Record { file, content, feedback: feedback.into(), ..Record::default() }
    }

    fn appended(existing: &str, record: &Record<'_>) -> String {
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
        let header = |keyword: &'static str| Header { keyword: keyword.into(), value: "v".into() };
        let action = |actor: Option<&'static str>| Action {
            verb: "created".into(),
            timestamp: "2026".into(),
            actor: actor.map(Cow::Borrowed),
        };
        let record = Record {
            id: Some("i".into()),
            reply_to: Some("r".into()),
            by: Some("b c".into()),
            actions: vec![action(Some("a b")), action(None)],
            tags: ["t".into(), "u".into()].into_iter().collect(),
            input: Some("in:1".into()),
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
        let action = Action { verb: "resolved".into(), timestamp: "2026".into(), actor: None };
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
        assert_eq!(added("stray\n@file f <<< y", 0), Err(Unwritable::UnfinishedAbove));
    }

    #[test]
    fn an_id_goes_in_front_of_all_other_headers() {
        let added = |text: &str, index: usize, id: &str| {
            let file = Markback::parse(text.to_owned());
            let edit = add_id(&file, index, id)?;
            Ok(String::from_utf8(edit.apply(text.as_bytes())).expect("text stays text"))
        };
        for (before, index, after) in [
            ("@by b\n@tag t\n\nx\n<<< y\n", 0, "@id i\n@by b\n@tag t\n\nx\n<<< y\n"),
            ("@file f <<< x\r\n@file g <<< y", 1, "@file f <<< x\r\n@id i\r\n@file g <<< y"),
            ("%markback 2\n\nx\n<<< y", 0, "%markback 2\n\n@id i\n\nx\n<<< y"),
            ("@file f\n\na\n<<< x\n\nb\n<<< y\n", 1, "@file f\n\na\n<<< x\n\n@id i\n\nb\n<<< y\n"),
            ("\u{feff}<<< y", 0, "\u{feff}@id i\n<<< y"),
        ] {
            assert_eq!(added(before, index, "i"), Ok(after.to_owned()), "{before:?}");
        }
        assert_eq!(added("stray\n@file f <<< y", 0, "i"), Err(Unwritable::Entangled));
        assert_eq!(added("<<< y", 0, "two\nlines"), Err(Unwritable::Value("id".to_owned())));
    }

    #[test]
    fn what_cannot_be_read_back_is_refused() {
        use Unwritable::{EmptyFeedback, FenceInFeedback, Path, Structure, Value, Word};
        let by = |by: &'static str| Record { by: Some(by.into()), ..note(None, None, "y") };
        let tags = |tag: &'static str| Record { tags: [tag.into()].into_iter().collect(), ..note(None, None, "y") };
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
        assert_eq!(append(b"\xff\n", &record), Err(Unwritable::Unreadable));
        assert_eq!(append(b"<<< \"\"\"\nopen", &record), Err(Unwritable::OpenFence));
        for keyword in ["id", "prior", "Upper", "a b", ""] {
            let unknown = vec![Header { keyword: keyword.into(), value: "v".into() }];
            let refused = append(b"", &Record { unknown, ..record.clone() });
            assert_eq!(refused, Err(Unwritable::Keyword(keyword.to_owned())));
        }
    }
}
