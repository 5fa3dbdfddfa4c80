//! What a review shows of the change, without what it says about it: what evidence is bound to (section 12).

use std::borrow::Cow;

use bstr::ByteSlice as _;
use serde::Serialize;

use super::LineJson;
use crate::document::{Document, Section};

#[derive(Serialize)]
struct Reviewed<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    base: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    head: Option<&'a str>,
    files: Vec<File<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct File<'a> {
    path: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    old_sha: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    new_sha: Option<Cow<'a, str>>,
    hunks: Vec<Hunk<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Hunk<'a> {
    old_start: u64,
    new_start: u64,
    #[serde(skip_serializing_if = "str::is_empty")]
    heading: Cow<'a, str>,
    lines: Vec<LineJson<'a>>,
}

/// What `document` shows of the change, as compact JSON.
#[must_use]
pub fn reviewed(document: &Document) -> Vec<u8> {
    let meta = document.meta();
    let files = document.parts().iter().filter(|section| !section.is_head()).map(|section| File::of(section));
    let shown = Reviewed { base: meta.base.as_deref(), head: meta.head.as_deref(), files: files.collect() };
    serde_json::to_vec(&shown).expect("texts and numbers are JSON")
}

impl<'a> File<'a> {
    fn of(section: &'a Section) -> Self {
        let tree = section.tree();
        let file = tree.file.as_ref();
        let text = |span: crate::text::Span| span.of(section.text()).to_str_lossy();
        let hunks = tree.hunks.iter().map(|hunk| Hunk {
            old_start: hunk.old_start,
            new_start: hunk.new_start,
            heading: text(hunk.heading),
            lines: tree.hunk_lines(hunk).iter().filter_map(|line| LineJson::of(section, hunk, line)).collect(),
        });
        Self {
            path: section.path_text(),
            old_sha: file.and_then(|file| file.old_sha).map(text),
            new_sha: file.and_then(|file| file.new_sha).map(text),
            hunks: hunks.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_are_no_part_of_it() {
        let text = "---\nbase: a@1\n---\n@file b newsha=12\n@@ -1 +1 @@\n-x\n+y\n";
        let shown = r#"{"base":"a@1","files":[{"path":"b","newSha":"12","hunks":[{"oldStart":1,"newStart":1,"lines":[{"type":"del","text":"x","oldLine":1},{"type":"add","text":"y","newLine":1}]}]}]}"#;
        for text in [text.to_owned(), text.replace("base", "title: x\nbase") + "\n@note file\nwhy: x\n"] {
            assert_eq!(String::from_utf8(reviewed(&Document::parse(text))).unwrap(), shown);
        }
    }
}
