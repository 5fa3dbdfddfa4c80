//! What a record says, apart from where it stands.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use super::grammar;

/// One record: an optional subject, optional content, and the feedback on it. Section values are already filled in.
///
/// A record of a file borrows from the file's text; [`Record::into_owned`] lets go of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record<'a> {
    /// `@id`.
    pub id: Option<Cow<'a, str>>,
    /// `@reply-to`: the id of the record that this one answers.
    pub reply_to: Option<Cow<'a, str>>,
    /// `@by`: who gave the feedback.
    pub by: Option<Cow<'a, str>>,
    /// `@action` lines in order: what happened to the record.
    pub actions: Vec<Action<'a>>,
    /// The tokens of all `@tag` lines, in order, duplicates kept.
    pub tags: Tags<'a>,
    /// `@input`: what produced the content; a [`Reference`](super::Reference) as written.
    pub input: Option<Cow<'a, str>>,
    /// `@file`: what the record is about; a [`Reference`](super::Reference) as written.
    pub file: Option<Cow<'a, str>>,
    /// Headers that the format does not know, in file order.
    pub unknown: Vec<Header<'a>>,
    /// The content, lines joined by LF, without blank lines at either end.
    pub content: Option<Cow<'a, str>>,
    /// The feedback; several lines (joined by LF) when it was fenced.
    pub feedback: Cow<'a, str>,
}

/// Words; records that inherit them share them. That there are none takes no place that threads would share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags<'a>(Option<Arc<[Cow<'a, str>]>>);

/// `@action verb timestamp actor`: an event in the life of a record. Neither verb nor timestamp is validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action<'a> {
    /// What happened: `created`, `viewed`, `resolved`, `reopened`, or any other word.
    pub verb: Cow<'a, str>,
    /// When, as written; ISO 8601 by convention.
    pub timestamp: Cow<'a, str>,
    /// Who did it.
    pub actor: Option<Cow<'a, str>>,
}

/// A header that the format does not know, kept as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header<'a> {
    /// The keyword without its sigil: lower-case letters and hyphens.
    pub keyword: Cow<'a, str>,
    /// The rest of the line, trimmed.
    pub value: Cow<'a, str>,
}

/// The `%` lines at the top of a file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FileHeaders<'a> {
    /// `%markback N`: its digits, without zeros in front.
    pub version: Option<Cow<'a, str>>,
    /// `%scope`: what the file was checked for; empty when it does not say.
    pub scope: Vec<Cow<'a, str>>,
    /// `%covers`: a glob for the files that were looked at.
    pub covers: Option<Cow<'a, str>>,
    /// Keywords that the format does not know, in file order.
    pub unknown: Vec<Header<'a>>,
}

/// The lines of a file on which a record stands: indices into [`Markback::lines`](super::Markback::lines).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// Where findings about this record are reported: the line behind whatever came before it, perhaps a blank one.
    pub start: u32,
    /// The first header, content or feedback line that belongs to it.
    pub first: u32,
    /// The line with its `<<<`.
    pub feedback: u32,
    /// Its last line: the one with `<<<`, or the end of the fence.
    pub end: u32,
    /// The first record of its section, as an index into [`Markback::entries`](super::Markback::entries).
    pub section: u32,
}

impl<'a> Record<'a> {
    /// Whether the last `resolved` or `reopened` action is `resolved`.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        let verdict = self.actions.iter().rev().find(|action| ["resolved", "reopened"].contains(&action.verb.as_ref()));
        verdict.is_some_and(|action| action.verb == "resolved")
    }

    /// The same, independent of the text that it was read from.
    #[must_use]
    pub fn into_owned(self) -> Record<'static> {
        Record {
            id: owned(self.id),
            reply_to: owned(self.reply_to),
            by: owned(self.by),
            actions: self.actions.into_iter().map(Action::into_owned).collect(),
            tags: self.tags.iter().map(|tag| tag.clone().into_owned().into()).collect(),
            input: owned(self.input),
            file: owned(self.file),
            unknown: self.unknown.into_iter().map(Header::into_owned).collect(),
            content: owned(self.content),
            feedback: Cow::Owned(self.feedback.into_owned()),
        }
    }

    /// Fill in what a later record of a section takes from the section's first one.
    pub(super) fn inherit(&mut self, first: &Self) {
        for (own, inherited) in
            [(&mut self.file, &first.file), (&mut self.by, &first.by), (&mut self.input, &first.input)]
        {
            if own.is_none() {
                own.clone_from(inherited);
            }
        }
        if self.tags.is_empty() {
            self.tags = first.tags.clone();
        }
    }

    /// Take a header; the tokens of tags go to `tags`. What the format cannot read is passed over.
    pub(super) fn take(&mut self, written: &'a str, value: &'a str, tags: &mut Vec<Cow<'a, str>>) {
        let text = Cow::Borrowed(value);
        match current_keyword(written) {
            "id" => self.id = Some(text),
            "reply-to" => self.reply_to = Some(text),
            "by" => self.by = Some(text),
            "input" => self.input = Some(text),
            "file" => self.file = Some(text),
            "tag" => tags.extend(grammar::tokens(value).map(Cow::Borrowed)),
            "action" => self.actions.extend(grammar::action(value)),
            keyword => self.unknown.push(Header { keyword: keyword.into(), value: text }),
        }
    }
}

impl Tags<'_> {
    /// Whether both are the same ones, and not only alike.
    #[must_use]
    pub fn is_same(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        }
    }
}

impl<'a> Deref for Tags<'a> {
    type Target = [Cow<'a, str>];

    fn deref(&self) -> &Self::Target {
        self.0.as_deref().unwrap_or_default()
    }
}

impl<'a> FromIterator<Cow<'a, str>> for Tags<'a> {
    fn from_iter<I: IntoIterator<Item = Cow<'a, str>>>(tags: I) -> Self {
        tags.into_iter().collect::<Vec<_>>().into()
    }
}

impl<'a> From<Vec<Cow<'a, str>>> for Tags<'a> {
    fn from(tags: Vec<Cow<'a, str>>) -> Self {
        Self((!tags.is_empty()).then(|| tags.into()))
    }
}

impl<'a> FileHeaders<'a> {
    /// Take a header; of two with the same known keyword the last one counts. What cannot be read is passed over.
    pub(super) fn take(&mut self, keyword: &'a str, value: &'a str) {
        match keyword {
            "markback" => self.version = grammar::version(value).map(Cow::Borrowed).or(self.version.take()),
            "scope" => self.scope = grammar::tokens(value).map(Cow::Borrowed).collect(),
            "covers" => self.covers = Some(value).filter(|glob| !glob.is_empty()).map(Cow::Borrowed),
            _ => self.unknown.push(Header { keyword: keyword.into(), value: value.into() }),
        }
    }
}

/// The keywords of file headers that the format knows.
pub(super) const KNOWN_OF_FILE: [&str; 3] = ["markback", "scope", "covers"];

/// Whether `keyword` is that of a header that the format knows.
pub(super) fn is_known(keyword: &str) -> bool {
    matches!(keyword, "id" | "reply-to" | "by" | "action" | "tag" | "input" | "file")
}

/// The keyword that took the place of one of version 1, or `keyword` itself.
#[inline]
pub(super) fn current_keyword(keyword: &str) -> &str {
    match keyword {
        "uri" => "id",
        "source" => "file",
        "prior" => "input",
        current => current,
    }
}

impl Action<'_> {
    fn into_owned(self) -> Action<'static> {
        let (verb, timestamp) = (self.verb.into_owned().into(), self.timestamp.into_owned().into());
        Action { verb, timestamp, actor: owned(self.actor) }
    }
}

impl Header<'_> {
    fn into_owned(self) -> Header<'static> {
        Header { keyword: self.keyword.into_owned().into(), value: self.value.into_owned().into() }
    }
}

fn owned(text: Option<Cow<'_, str>>) -> Option<Cow<'static, str>> {
    text.map(|text| Cow::Owned(text.into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_verdict_counts() {
        for (verbs, resolved) in [
            (&[][..], false),
            (&["created", "viewed"], false),
            (&["created", "resolved"], true),
            (&["resolved", "viewed"], true),
            (&["resolved", "reopened"], false),
            (&["reopened", "resolved"], true),
            (&["Resolved"], false),
        ] {
            let action = |verb: &&'static str| Action { verb: (*verb).into(), timestamp: "t".into(), actor: None };
            let record = Record { actions: verbs.iter().map(action).collect(), ..Record::default() };
            assert_eq!(record.is_resolved(), resolved, "{verbs:?}");
        }
    }
}
