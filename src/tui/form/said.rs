//! What a form says, and how that is read back.

use crate::document::edit::{NewNote, WrittenNote};
use crate::document::{Claim, ClaimStatus, Kind, Method, NoteView, ReviewStatus, Risk, Section, first_paragraph};
use crate::skeleton;
use crate::text::lines::Newline;
use crate::text::width::Display;

use super::super::change::Summary;
use super::{Field, Form, FormKind, NONE, REVIEW_STATES, Target, confidence, note_label, status_words};

impl Form {
    /// The form that says what `note` says, as far as it has a place for it.
    #[must_use]
    pub fn of_note(note: NoteView<'_>, targets: Vec<Target>, display: Display) -> Self {
        let mut form = Self::new(FormKind::Note, targets, display);
        let said = NewNote::of(note);
        form.choose_shown(Field::Kind, said.kind.as_str());
        form.choose_shown(Field::Risk, said.risk.map_or(NONE, Risk::as_str));
        form.choose_shown(Field::Confidence, &said.confidence.map_or(NONE.to_owned(), |value| value.to_string()));
        let lists = [
            (Field::Source, &said.sources),
            (Field::Verify, &said.claims),
            (Field::Todo, &said.todos),
            (Field::Question, &said.questions),
        ];
        form.set_text(Field::Why, &note.why_lines().join("\n"));
        lists.into_iter().for_each(|(field, values)| form.set_text(field, &values.join("\n")));
        form.set_text(Field::Body, &said.body);
        form
    }

    /// The note as typed. A field of the format is one paragraph, so what follows the first one of the reason opens the
    /// free text.
    #[must_use]
    pub fn note(&self) -> NewNote {
        let (why, rest) = first_paragraph(self.text(Field::Why));
        NewNote {
            selector: self.target().selector,
            kind: Kind::from_word(self.shown(Field::Kind).as_bytes()).unwrap_or(Kind::Note),
            risk: Risk::from_word(self.shown(Field::Risk).as_bytes()),
            confidence: confidence(self.shown(Field::Confidence)),
            why: why.trim().to_owned(),
            sources: self.lines(Field::Source),
            claims: self.lines(Field::Verify),
            todos: self.lines(Field::Todo),
            questions: self.lines(Field::Question),
            body: [rest, self.text(Field::Body)]
                .iter()
                .filter(|text| !text.trim().is_empty())
                .map(|text| text.trim_start_matches('\n'))
                .collect::<Vec<_>>()
                .join("\n\n"),
        }
    }

    /// The notes as typed: they say the same about each range.
    #[must_use]
    pub fn notes(&self) -> Vec<NewNote> {
        let note = self.note();
        self.target().lines().map(|(selector, _)| NewNote { selector, ..note.clone() }).collect()
    }

    /// The claim as typed; `None` when it cannot be written so that it reads like that.
    #[must_use]
    pub fn claim(&self) -> Option<String> {
        let method = Method::from_word(self.shown(Field::Method).as_bytes())?;
        let status = ClaimStatus::from_word(self.shown(Field::Outcome).as_bytes())?;
        Claim::stated(method, self.text(Field::Detail), status, self.text(Field::Comment))
    }

    /// The reviewer's decision as chosen, and the summary, where it is not the one that the form began with.
    #[must_use]
    pub fn decision(&self) -> (ReviewStatus, Option<Summary>) {
        let state = self.shown(Field::State).as_bytes();
        let status = REVIEW_STATES.into_iter().find(|status| status.as_str().as_bytes() == state);
        let text = self.text(Field::Summary).trim().to_owned();
        let before = self.amends.as_ref().map(|amended| amended.text.to_string());
        let is_unwritten = text.is_empty() && before.as_deref() == Some(skeleton::SUMMARY);
        let is_same = is_unwritten || before.as_ref() == Some(&text);
        let summary = (!is_same).then_some(Summary { text, before });
        (status.unwrap_or(ReviewStatus::Pending), summary)
    }

    /// The lines of a note as typed.
    #[must_use]
    pub fn lines_of_note(&self) -> &str {
        self.text(Field::Text)
    }

    /// What is taken to an editor: a note as its lines, a field as it is.
    #[must_use]
    pub fn text_to_edit(&self) -> String {
        let text = match self.kind {
            FormKind::Note => self.note().to_text(),
            _ => self.text(self.text_in_question()).to_owned(),
        };
        format!("{text}\n")
    }

    /// The field that is taken to an editor.
    fn text_in_question(&self) -> Field {
        if self.focus.is_choice() { self.texts[0].0 } else { self.focus }
    }

    /// Take what came back from an editor.
    ///
    /// # Errors
    /// A sentence, when it is empty, or when the fields have no place for it; it stands in the free text then, so that
    /// nothing is lost.
    pub fn take_edited(&mut self, text: &str) -> Result<(), String> {
        let FormKind::Note = self.kind else {
            let field = self.text_in_question();
            self.set_text(field, text.trim_end());
            return Ok(());
        };
        if text.trim().is_empty() {
            return Err("nothing was written, and the text is as before".to_owned());
        }
        let taken = self.take_note(text);
        if taken.is_err() {
            let body = self.text(Field::Body).to_owned();
            self.set_text(Field::Body, [body.as_str(), text.trim_end()].join("\n\n").trim_start());
        }
        taken.map_err(|reason| format!("{reason}; what you wrote stands in the body"))
    }

    fn take_note(&mut self, text: &str) -> Result<(), String> {
        let header = self.note().to_text().lines().next().unwrap_or_default().to_owned();
        let written = WrittenNote::read(text, &header).map_err(|error| error.to_string())?;
        let section = Section::file(written.to_text(), Newline::Lf);
        let note = section.note_views().next().ok_or("it is no note")?;
        let has_place = |field: &str| {
            ["why", "source", "verify", "todo", "question", "kind", "risk", "confidence"].contains(&field)
        };
        if let Some(field) = note.fields().find(|field| !field.known.is_some_and(has_place)) {
            return Err(format!("the form has no field `{}`", String::from_utf8_lossy(field.name)));
        }
        if note.extra().keys().next().is_some() || note.explicit_id().is_some() || note.urgency().is_some() {
            return Err("the form has no place for all that stands behind @note".to_owned());
        }
        let target = self.targets.iter().position(|target| target.selector == written.selector());
        let target = target.ok_or_else(|| format!("`{}` is none of what the form can be about", written.selector()))?;
        let read = Self::of_note(note, self.targets.clone(), Display::default());
        self.target = target;
        for (field, shown) in read.choices().into_iter().filter(|(field, _)| *field != Field::About) {
            self.choose_shown(field, &shown);
        }
        for (field, input) in read.texts() {
            self.set_text(*field, input.text());
        }
        Ok(())
    }

    /// What it is, for a sentence: "note on +15..18".
    #[must_use]
    pub fn label(&self) -> String {
        let target = self.target();
        let Target { selector, file, more, .. } = target;
        let about = match more.len() {
            0 => note_label(*selector),
            more => format!("{} notes on {}", more + 1, target.ranges()),
        };
        let path = file.as_ref().map_or(String::new(), |path| format!(" on {path}"));
        let is_change = self.amends.is_some();
        match self.kind {
            FormKind::Note | FormKind::Text if is_change => format!("edit of the {about}"),
            FormKind::Note | FormKind::Text => about,
            FormKind::Claim => format!("claim of the {about}"),
            FormKind::Record if is_change => format!("edit of the Markback note{path}"),
            FormKind::Record => format!("Markback note{path}"),
            FormKind::Comment if is_change => format!("edit of the comment{path}"),
            FormKind::Comment => format!("comment{path}"),
            FormKind::Decision => format!("review {}", status_words(self.decision().0)),
            FormKind::Reply => {
                format!("reply to {}", self.parent.as_ref().map_or("the Markback note", |parent| parent.id.as_str()))
            }
        }
    }

    /// The feedback of a record as typed.
    #[must_use]
    pub fn feedback(&self) -> String {
        self.text(Field::Feedback).to_owned()
    }

    /// What an agent is asked for, as typed.
    #[must_use]
    pub fn comment(&self) -> String {
        self.text(Field::Ask).to_owned()
    }
}
