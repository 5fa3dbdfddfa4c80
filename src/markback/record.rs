//! What a record says, apart from where it stands.

/// One record: an optional subject, optional content, and the feedback on it. Section values are already filled in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Record {
    /// `@id`.
    pub id: Option<String>,
    /// `@reply-to`: the id of the record that this one answers.
    pub reply_to: Option<String>,
    /// `@by`: who gave the feedback.
    pub by: Option<String>,
    /// `@action` lines in order: what happened to the record.
    pub actions: Vec<Action>,
    /// The tokens of all `@tag` lines, in order, duplicates kept.
    pub tags: Vec<String>,
    /// `@input`: what produced the content; a [`Reference`](super::Reference) as written.
    pub input: Option<String>,
    /// `@file`: what the record is about; a [`Reference`](super::Reference) as written.
    pub file: Option<String>,
    /// Headers that the format does not know, in file order.
    pub unknown: Vec<Header>,
    /// The content, lines joined by LF, without blank lines at either end.
    pub content: Option<String>,
    /// The feedback; several lines (joined by LF) when it was fenced.
    pub feedback: String,
}

/// `@action verb timestamp actor`: an event in the life of a record. Neither verb nor timestamp is validated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// What happened: `created`, `viewed`, `resolved`, `reopened`, or any other word.
    pub verb: String,
    /// When, as written; ISO 8601 by convention.
    pub timestamp: String,
    /// Who did it.
    pub actor: Option<String>,
}

/// A header that the format does not know, kept as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The keyword without its sigil: lower-case letters and hyphens.
    pub keyword: String,
    /// The rest of the line, trimmed.
    pub value: String,
}

/// A record and the lines of its file on which it stands; all four are indices into [`Markback::lines`](super::Markback::lines).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// What the record says.
    pub record: Record,
    /// Where diagnostics of this record are reported: the line behind whatever came before it, perhaps a blank one.
    pub start: usize,
    /// The first header, content or feedback line that belongs to it.
    pub first: usize,
    /// The line with its `<<<`.
    pub feedback: usize,
    /// Its last line: the one with `<<<`, or the end of the fence.
    pub end: usize,
}

impl Record {
    /// Whether the last `resolved` or `reopened` action is `resolved`.
    #[must_use]
    pub fn is_resolved(&self) -> bool {
        let verdict = self.actions.iter().rev().find(|action| ["resolved", "reopened"].contains(&action.verb.as_str()));
        verdict.is_some_and(|action| action.verb == "resolved")
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
            self.tags.clone_from(&first.tags);
        }
    }
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
            let action = |verb: &&str| Action { verb: (*verb).to_owned(), timestamp: "t".to_owned(), actor: None };
            let record = Record { actions: verbs.iter().map(action).collect(), ..Record::default() };
            assert_eq!(record.is_resolved(), resolved, "{verbs:?}");
        }
    }
}
