//! The fields of a form: what they are called, and what an empty one says.

/// A field of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// What it is about.
    About,
    /// The kind of note.
    Kind,
    /// The blast radius if it is wrong.
    Risk,
    /// How sure the author is.
    Confidence,
    /// The reason.
    Why,
    /// Evidence, one a line.
    Source,
    /// Claims, one a line.
    Verify,
    /// Follow-ups, one a line.
    Todo,
    /// Questions, one a line.
    Question,
    /// Free text.
    Body,
    /// The feedback of a record.
    Feedback,
    /// What an agent is asked for.
    Ask,
    /// How something was verified.
    Method,
    /// What came out.
    Outcome,
    /// What was run or done.
    Detail,
    /// What else is said about it.
    Comment,
    /// The lines of a note.
    Text,
    /// What the reviewer has decided.
    State,
    /// What the whole change is about.
    Summary,
}

impl Field {
    /// The word in front of the field.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::About => "about",
            Self::Kind => "kind",
            Self::Risk => "risk",
            Self::Confidence => "confidence",
            Self::Why => "why",
            Self::Source => "source",
            Self::Verify => "verify",
            Self::Todo => "todo",
            Self::Question => "question",
            Self::Body => "body",
            Self::Feedback => "note",
            Self::Ask => "ask",
            Self::Method => "method",
            Self::Outcome => "outcome",
            Self::Detail => "what",
            Self::Comment => "comment",
            Self::Text => "text",
            Self::State => "review",
            Self::Summary => "summary",
        }
    }

    /// What an empty field says.
    #[must_use]
    pub fn hint(self) -> &'static str {
        match self {
            Self::Why => "the reason, not the what",
            Self::Source => "file:a.rs — why; one a line",
            Self::Verify => "cmd `make` => pass, by line",
            Self::Todo => "what is left; one a line",
            Self::Question => "what to decide; one a line",
            Self::Body => "anything else",
            Self::Feedback => "one line of feedback",
            Self::Ask => "what the agent should do",
            Self::Detail => "command, or what was done",
            Self::Comment => "12 tests; what else to say",
            Self::Text => "the lines of a note",
            Self::Summary => "what changes and why",
            Self::About | Self::Kind | Self::Risk | Self::Confidence | Self::Method | Self::Outcome | Self::State => "",
        }
    }

    /// Whether it is chosen, not typed.
    #[must_use]
    pub fn is_choice(self) -> bool {
        self.hint().is_empty()
    }
}
