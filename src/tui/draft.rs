//! What is typed and not on disk yet, as a value that outlives the program: however it ends, the text comes back.
//!
//! Pure: when a draft is kept is decided by [`update`](super::update), where it is kept by `keep`. A draft
//! is read leniently: what a later version may put in is passed over, and no text is.

use std::collections::BTreeMap;
use std::ops::Range;

use bstr::{BString, ByteSlice as _};
use serde::{Deserialize, Serialize};

use crate::capture::Neighbours;
use crate::document::Selector;
use crate::session::Lossless;
use crate::text::counted::counted;
use crate::text::width::Display;

use super::form::{Amended, Field, Form, FormKind, Lines, Parent, Target};

/// Every unsaved form of a review: the open one first, then those that were accepted, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Draft {
    /// The forms.
    pub forms: Vec<Unsaved>,
}

/// A form with text in it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Unsaved {
    /// `record`, `reply`, `claim`, `text`, `comment`, `decision`, or a note.
    kind: String,
    about: About,
    /// Whether its lines could not be followed to the diff that is there now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_lost: bool,
    /// What stands next to the lines, by which they are found again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    beside: Vec<Neighbours>,
    /// What a reply answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    answers: Option<Answers>,
    /// What is changed by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    amends: Option<Amends>,
    /// What is typed, by the label of the field.
    texts: BTreeMap<String, String>,
    /// What is chosen, as shown, by the label of the field.
    choices: BTreeMap<String, String>,
    /// The label of the field with the cursor.
    focus: String,
}

/// What a form is about, without the number of the part, which may be another one next time.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    selector: String,
    file: Option<Lossless>,
    quote: Option<String>,
    /// Which bytes of the quote are meant, where not all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    slice: Option<Range<usize>>,
    /// More lines of the file.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    more: Vec<Passage>,
}

/// Lines that a form is about, beside the first ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Passage {
    selector: String,
    quote: Option<String>,
}

impl Passage {
    fn of(lines: &Lines) -> Self {
        Self { selector: lines.selector.to_string(), quote: lines.quote.clone() }
    }

    fn is_of(&self, lines: &Lines) -> bool {
        self.quote == lines.quote && self.selector == lines.selector.to_string()
    }

    fn lines(&self) -> Option<Lines> {
        Some(Lines { selector: Selector::parse(self.selector.as_bytes())?, quote: self.quote.clone() })
    }
}

impl About {
    /// What `target` is about.
    #[must_use]
    pub fn of(target: &Target) -> Self {
        Self {
            selector: target.selector.to_string(),
            file: target.file.as_ref().map(|path| Lossless::of(path)),
            quote: target.quote.clone(),
            slice: target.slice.clone(),
            more: target.more.iter().map(Passage::of).collect(),
        }
    }

    /// The same with the number of the part left open.
    #[must_use]
    pub fn target(&self) -> Target {
        Target {
            part: 0,
            selector: Selector::parse(self.selector.as_bytes()).unwrap_or(Selector::FILE),
            file: self.file.as_ref().map(|name| BString::from(name.bytes())),
            quote: self.quote.clone(),
            slice: self.slice.clone(),
            is_lost: false,
            more: self.more.iter().filter_map(Passage::lines).collect(),
        }
    }
}

/// A record, by its file and its id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Answers {
    file: Lossless,
    id: String,
}

/// A note or record as it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Amends {
    index: usize,
    text: Lossless,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<Lossless>,
}

impl Amends {
    fn of(amended: &Amended) -> Self {
        let Amended { index, text, file } = amended;
        let file = file.as_ref().map(|file| Lossless::of(file.as_os_str().as_encoded_bytes()));
        Self { index: *index, text: Lossless::of(text), file }
    }

    fn amended(&self) -> Option<Amended> {
        let file = match &self.file {
            Some(name) => Some(name.bytes().to_path().ok()?.to_owned()),
            None => None,
        };
        Some(Amended { index: self.index, text: self.text.bytes().into(), file })
    }
}

impl Answers {
    fn of(parent: &Parent) -> Self {
        Self { file: Lossless::of(parent.file.as_os_str().as_encoded_bytes()), id: parent.id.clone() }
    }

    fn parent(&self) -> Option<Parent> {
        Some(Parent { file: self.file.bytes().to_path().ok()?.to_owned(), id: self.id.clone() })
    }
}

/// A draft with the review that it belongs to, as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<D> {
    review: Lossless,
    #[serde(flatten)]
    draft: D,
}

impl Draft {
    /// The draft of these forms.
    pub fn of<'a>(forms: impl Iterator<Item = &'a Form>) -> Self {
        Self { forms: forms.map(Unsaved::of).collect() }
    }

    /// Whether it says just what these forms say.
    pub fn is_of<'a>(&self, mut forms: impl Iterator<Item = &'a Form>) -> bool {
        self.forms.iter().all(|unsaved| forms.next().is_some_and(|form| unsaved.is_of(form))) && forms.next().is_none()
    }

    /// The draft of the review at the path `review`, as JSON.
    #[must_use]
    pub fn to_json(&self, review: &[u8]) -> String {
        serde_json::to_string(&Kept { review: Lossless::of(review), draft: self }).expect("there are only texts in it")
    }

    /// What is said on the normal screen of texts that are nowhere else, for this `reason`: all that is typed in them.
    #[must_use]
    pub fn last_words(&self, reason: &str) -> String {
        let display = Display::default();
        let (count, are) = (counted(self.forms.len(), "text"), if self.forms.len() == 1 { "is" } else { "are" });
        let mut words = format!("whymark: {count} {are} saved nowhere but here ({}):\n", display.visible(reason));
        for unsaved in &self.forms {
            let form = unsaved.form(unsaved.kind(), vec![unsaved.target()], display);
            words += &format!("\n{}\n", display.visible(form.label()));
            for (label, text) in texts(&form) {
                let indent = " ".repeat(label.len() + 4);
                let lines: Vec<String> = text.lines().map(|line| display.visible(line)).collect();
                words += &format!("  {label}: {}\n", lines.join(&format!("\n{indent}")));
            }
        }
        words
    }

    /// Read what [`Draft::to_json`] has made; `None` when it is something else, or of another review.
    #[must_use]
    pub fn from_json(json: &str, review: &[u8]) -> Option<Self> {
        let kept: Kept<Self> = serde_json::from_str(json).ok()?;
        (kept.review.bytes() == review).then_some(kept.draft)
    }
}

impl Unsaved {
    fn of(form: &Form) -> Self {
        Self {
            kind: kind_word(form.kind).to_owned(),
            about: About::of(form.target()),
            is_lost: form.target().is_lost,
            beside: form.beside.clone(),
            answers: form.parent.as_ref().map(Answers::of),
            amends: form.amends.as_ref().map(Amends::of),
            texts: texts(form).map(|(label, text)| (label.to_owned(), text.to_owned())).collect(),
            choices: choices(form).collect(),
            focus: form.focus.label().to_owned(),
        }
    }

    fn is_of(&self, form: &Form) -> bool {
        let Target { selector, file, quote, slice, is_lost, more, .. } = form.target();
        self.is_lost == *is_lost
            && self.kind == kind_word(form.kind)
            && self.focus == form.focus.label()
            && self.about.file.as_ref().map(Lossless::bytes) == file.as_ref().map(|path| path.as_slice())
            && self.about.quote == *quote
            && self.about.slice == *slice
            && self.about.more.len() == more.len()
            && self.about.more.iter().zip(more).all(|(kept, lines)| kept.is_of(lines))
            && self.about.selector == selector.to_string()
            && self.answers == form.parent.as_ref().map(Answers::of)
            && self.amends == form.amends.as_ref().map(Amends::of)
            && self.texts.len() == texts(form).count()
            && texts(form).all(|(label, text)| self.texts.get(label).is_some_and(|kept| kept == text))
            && choices(form).all(|(label, value)| self.choices.get(&label) == Some(&value))
    }

    /// What is being written.
    #[must_use]
    pub fn kind(&self) -> FormKind {
        let known = KINDS.into_iter().find(|(_, word)| self.kind == *word).map_or(FormKind::Note, |(kind, _)| kind);
        match known {
            FormKind::Reply if self.parent().is_none() && self.amends.is_none() => FormKind::Note,
            FormKind::Claim if self.amends.is_none() => FormKind::Note,
            known => known,
        }
    }

    /// The note or record that is changed by it.
    #[must_use]
    pub fn amended(&self) -> Option<Amended> {
        self.amends.as_ref()?.amended()
    }

    /// What a reply answers.
    fn parent(&self) -> Option<Parent> {
        self.answers.as_ref()?.parent()
    }

    /// What it is about, the number of the part left open.
    #[must_use]
    pub fn target(&self) -> Target {
        Target { is_lost: self.is_lost, ..self.about.target() }
    }

    /// The form that it was, about the first of `targets`, or a note with the text of what it was. Text of a field that is
    /// not there goes behind that of the last one.
    #[must_use]
    pub fn form(&self, kind: FormKind, targets: Vec<Target>, display: Display) -> Form {
        let mut form = Form::new(kind, targets, display);
        form.beside.clone_from(&self.beside);
        form.parent = self.parent().filter(|_| kind == FormKind::Reply);
        form.amends = self.amended().filter(|_| kind == self.kind());
        let fields: Vec<Field> = form.texts().iter().map(|(field, _)| *field).collect();
        let text = |label: &str| self.texts.get(label).map_or("", String::as_str);
        for field in &fields {
            form.set_text(*field, text(field.label()));
        }
        let is_stranger = |label: &str| fields.iter().all(|field| field.label() != label);
        let strangers = self.texts.iter().filter(|(label, _)| is_stranger(label)).map(|(_, text)| text.as_str());
        let last = fields[fields.len() - 1];
        let all: Vec<&str> =
            std::iter::once(text(last.label())).chain(strangers).filter(|text| !text.is_empty()).collect();
        form.set_text(last, &all.join("\n"));
        for (field, _) in form.choices() {
            if let Some(value) = self.choices.get(field.label()) {
                form.choose_shown(field, value);
            }
        }
        let focusable = form.choices().into_iter().map(|(field, _)| field).chain(fields);
        if let Some(field) = focusable.into_iter().find(|field| field.label() == self.focus) {
            form.focus = field;
        }
        form
    }
}

const KINDS: [(FormKind, &str); 7] = [
    (FormKind::Note, "note"),
    (FormKind::Record, "record"),
    (FormKind::Reply, "reply"),
    (FormKind::Claim, "claim"),
    (FormKind::Text, "text"),
    (FormKind::Comment, "comment"),
    (FormKind::Decision, "decision"),
];

fn kind_word(kind: FormKind) -> &'static str {
    KINDS.into_iter().find(|(other, _)| *other == kind).map_or("note", |(_, word)| word)
}

/// The fields with text in them, by label.
fn texts(form: &Form) -> impl Iterator<Item = (&'static str, &str)> {
    form.texts().iter().map(|(field, input)| (field.label(), input.text())).filter(|(_, text)| !text.is_empty())
}

/// What is chosen beside what the form is about, by label.
fn choices(form: &Form) -> impl Iterator<Item = (String, String)> {
    let choices = form.choices().into_iter().filter(|(field, _)| *field != Field::About);
    choices.map(|(field, value)| (field.label().to_owned(), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    const REVIEW: &[u8] = b"/r/x.whymark";

    fn target(file: &[u8]) -> Target {
        let selector = Selector::parse(b"+2..3").unwrap();
        Target::new(4, selector, Some(file.into()), Some("a\nb".to_owned()))
    }

    fn typed(kind: FormKind, texts: &[(Field, &str)]) -> Form {
        let mut form = Form::new(kind, vec![target(b"a.rs")], Display::default());
        texts.iter().for_each(|(field, text)| form.set_text(*field, text));
        form
    }

    fn read_again(forms: &[Form]) -> Draft {
        let json = Draft::of(forms.iter()).to_json(REVIEW);
        Draft::from_json(&json, REVIEW).expect("we have made it")
    }

    #[test]
    fn what_is_kept_is_what_was_typed() {
        let mut note = typed(FormKind::Note, &[(Field::Why, "e\u{301}\n\"漢\" "), (Field::Body, "b")]);
        for (field, value) in [(Field::Kind, "risk"), (Field::Risk, "high"), (Field::Confidence, "0.85")] {
            note.choose_shown(field, value);
        }
        note.focus = Field::Risk;
        let mut record = typed(FormKind::Record, &[(Field::Feedback, "f")]);
        record.targets = vec![target(b"\xff/a")];
        let mut reply = typed(FormKind::Reply, &[(Field::Feedback, "yes")]);
        reply.parent = Some(Parent { file: "/r/x.mb".into(), id: "r1".to_owned() });
        let amended =
            |text: &[u8], file: Option<&str>| Amended { index: 3, text: text.into(), file: file.map(Into::into) };
        let mut claim = typed(FormKind::Claim, &[(Field::Detail, "make"), (Field::Comment, "12")]);
        claim.choose_shown(Field::Outcome, "fail");
        claim.amends = Some(amended(b"@note \xff", None));
        let mut text = typed(FormKind::Text, &[(Field::Text, "@note +1\nwhy: x")]);
        text.amends = Some(amended(b"@note +1", None));
        let mut change = typed(FormKind::Record, &[(Field::Feedback, "g")]);
        change.amends = Some(amended(b"<<< f", Some("/r/x.mb")));
        let forms = [note, record, reply, claim, text, change];
        let draft = read_again(&forms);
        assert!(draft.is_of(forms.iter()));
        for (unsaved, form) in draft.forms.iter().zip(&forms) {
            let target = Target { part: 0, ..form.target().clone() };
            assert_eq!(unsaved.target(), target);
            let again = unsaved.form(unsaved.kind(), vec![target], Display::default());
            assert_eq!((again.kind, again.focus, again.texts()), (form.kind, form.focus, form.texts()));
            assert_eq!((&again.parent, &again.amends), (&form.parent, &form.amends));
            assert_eq!(again.claim(), form.claim());
            assert_eq!((again.note(), again.choices()), (form.note(), form.choices()));
        }
    }

    #[test]
    fn every_change_is_seen() {
        let form = || typed(FormKind::Note, &[(Field::Why, "x")]);
        let draft = read_again(&[form()]);
        let changes: [fn(&mut Form); 11] = [
            |form| form.targets[0].slice = Some(0..1),
            |form| form.amends = Some(Amended { index: 0, text: "@note +1".into(), file: None }),
            |form| form.parent = Some(Parent { file: "/r/x.mb".into(), id: "r1".to_owned() }),
            |form| form.set_text(Field::Why, "xy"),
            |form| form.set_text(Field::Why, ""),
            |form| form.set_text(Field::Todo, "y"),
            |form| form.choose_shown(Field::Risk, "low"),
            |form| form.focus = Field::Body,
            |form| form.targets[0].selector = Selector::FILE,
            |form| form.targets[0].quote = None,
            |form| form.targets[0].file = None,
        ];
        assert!(draft.is_of([form()].iter()));
        for (number, change) in changes.into_iter().enumerate() {
            let mut changed = form();
            change(&mut changed);
            assert!(!draft.is_of([changed].iter()), "change {number}");
        }
        assert!(!draft.is_of([].iter()) && !draft.is_of([form(), form()].iter()));
    }

    #[test]
    fn a_later_version_may_say_more_and_no_text_is_lost() {
        let json = r#"{"review": "/r/x.whymark", "since": 2, "forms": [
            {"kind": "vote", "about": {"selector": "§7", "lane": 1}, "texts": {"body": "b", "summary": "s"},
             "choices": {"risk": "none", "mood": "good", "kind": "test"}, "focus": "mood", "pinned": true},
            {}]}"#;
        let draft = Draft::from_json(json, REVIEW).expect("it is lenient");
        let form = draft.forms[0].form(draft.forms[0].kind(), vec![draft.forms[0].target()], Display::default());
        assert_eq!((form.kind, form.target().selector, form.focus), (FormKind::Note, Selector::FILE, Field::Why));
        assert_eq!((form.note().body, form.note().kind.as_str(), form.note().risk), ("b\ns".to_owned(), "test", None));
        assert!(!draft.forms[1].form(FormKind::Note, vec![target(b"x")], Display::default()).has_text());
    }

    #[test]
    fn what_is_no_draft_of_the_review_is_left_alone() {
        let json = Draft::default().to_json(REVIEW);
        assert_eq!(Draft::from_json(&json, REVIEW), Some(Draft::default()));
        assert_eq!(Draft::from_json(&json, b"/r/y.whymark"), None);
        for text in ["", "{", "[]", "{}", r#"{"review": "/r/x.whymark", "forms": 7}"#] {
            assert_eq!(Draft::from_json(text, REVIEW), None, "{text}");
        }
    }
}
