//! `whymark note`: one more note in a review, without the reviewer.

use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::{print, review, visible};
use crate::document::edit::{NewNote, append_note};
use crate::document::{Document, Kind, NoteRef, Presence, PresentLines, Risk, Selector, Side, read_note_text};
use crate::error::Error;
use crate::store;

/// `whymark note`.
#[derive(Debug, Args)]
pub(super) struct NoteArgs {
    /// The review.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// What the note is about: +42, +42..57, -30, file or doc; with the file in front where it takes one to tell, as in
    /// src/a.rs:+42.
    #[arg(value_name = "[PATH:]SELECTOR", allow_hyphen_values = true)]
    selector: String,

    /// `-` reads the note's text from standard input: fields such as `why: …`, and free text.
    #[arg(value_name = "-", value_parser = ["-"], hide_possible_values = true)]
    text: Option<String>,

    /// What the note is for.
    #[arg(long, value_name = "KIND", value_parser = kinds(), default_value = "note", hide_default_value = true)]
    kind: Kind,

    /// The blast radius if it is wrong.
    #[arg(long, value_name = "RISK", value_parser = risks())]
    risk: Option<Risk>,

    /// How sure you are, from 0 to 1.
    #[arg(long, value_name = "NUMBER", value_parser = confidence)]
    confidence: Option<f64>,

    /// The reason: why the lines are as they are.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    why: String,

    /// Where it comes from, such as `file:src/a.rs:10 — …`; repeatable.
    #[arg(long, value_name = "SOURCE")]
    source: Vec<String>,

    /// How it was verified, such as "cmd `make test` => pass"; repeatable.
    #[arg(long, value_name = "CLAIM")]
    verify: Vec<String>,

    /// What is left to do; repeatable.
    #[arg(long, value_name = "TEXT")]
    todo: Vec<String>,

    /// What the reviewer is asked; repeatable.
    #[arg(long, value_name = "TEXT")]
    question: Vec<String>,

    /// Free text below the fields.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    body: String,
}

fn kinds() -> impl clap::builder::TypedValueParser<Value = Kind> {
    let words = PossibleValuesParser::new(Kind::ALL.iter().map(|kind| kind.as_str()));
    words.map(|word| Kind::from_word(word.as_bytes()).expect("only words of kinds are possible"))
}

fn risks() -> impl clap::builder::TypedValueParser<Value = Risk> {
    let words = PossibleValuesParser::new(Risk::ALL.iter().map(|risk| risk.as_str()));
    words.map(|word| Risk::from_word(word.as_bytes()).expect("only words of risks are possible"))
}

fn confidence(text: &str) -> Result<f64, &'static str> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or("confidence is a number from 0 to 1")
}

/// Run the command.
///
/// # Errors
/// When the note says nothing, names lines that the diff doesn't hold, or the review cannot be written.
pub(super) fn run(args: &NoteArgs) -> Result<(), Error> {
    let (path, selector) = target(&args.selector)?;
    let note = new_note(args, selector)?;
    let (_, id) = store::update_existing(&args.file, |text| {
        let document = Document::parse(text.to_vec());
        let part = part(&document, &args.file, path, selector)?;
        let after = document.edited(&append_note(&document, part, &note));
        let last = after.parts()[part].tree().notes.len() - 1;
        Ok::<_, Error>((after.to_bytes(), after.note_id(NoteRef { part, note: last })))
    })?;
    let line = format!("wrote note {id} ({}) to {}", args.selector, args.file.display());
    print(format!("{}\n", visible(&line)).as_bytes())
}

fn new_note(args: &NoteArgs, selector: Selector) -> Result<NewNote, Error> {
    let mut note = NewNote {
        kind: args.kind,
        risk: args.risk,
        confidence: args.confidence,
        why: args.why.clone(),
        sources: args.source.clone(),
        claims: args.verify.clone(),
        todos: args.todo.clone(),
        questions: args.question.clone(),
        body: args.body.clone(),
        ..NewNote::new(selector)
    };
    if args.text.is_some() {
        let text = review::standard_input()?;
        let text = String::from_utf8(text.to_vec()).map_err(|_| Error::NoteNotText)?;
        read_note_text(&text, &mut note).map_err(|field| Error::NoteField { field })?;
    }
    let is_empty = |text: &String| text.trim().is_empty();
    let lists = [&note.sources, &note.claims, &note.todos, &note.questions];
    if is_empty(&note.why) && is_empty(&note.body) && lists.iter().all(|list| list.iter().all(is_empty)) {
        return Err(Error::EmptyNote);
    }
    Ok(note)
}

/// The file and the selector that `[path:]selector` names.
fn target(raw: &str) -> Result<(Option<&str>, Selector), Error> {
    if let Some(selector) = Selector::parse(raw.as_bytes()) {
        return Ok((None, selector));
    }
    let split = raw.rsplit_once(':').filter(|(path, _)| !path.is_empty());
    let named = split.and_then(|(path, selector)| Some((Some(path), Selector::parse(selector.as_bytes())?)));
    named.ok_or_else(|| Error::BadSelector { raw: raw.to_owned() })
}

/// The part of `document` that a note about `selector` goes to: that of the file at `path`, or the only one in question.
fn part(document: &Document, review: &Path, path: Option<&str>, selector: Selector) -> Result<usize, Error> {
    if selector.side == Side::Doc {
        return Ok(0);
    }
    let parts = document.parts().iter().enumerate().skip(1);
    let candidates = parts.filter(|(_, section)| path.is_none_or(|path| section.path_text() == path));
    let candidates: Vec<usize> = candidates.map(|(part, _)| part).collect();
    if candidates.is_empty() {
        let path = path.unwrap_or_default().to_owned();
        return Err(Error::NoSuchFile { path, review: review.display().to_string() });
    }
    let present = |part: usize| PresentLines::of(&document.parts()[part]);
    let holding: Vec<usize> =
        candidates.iter().copied().filter(|part| present(*part).presence(selector) == Presence::All).collect();
    let name = |part: &usize| document.parts()[*part].path_text().into_owned();
    match (holding.as_slice(), candidates.as_slice()) {
        ([part], _) => Ok(*part),
        ([], [only]) => {
            let has = present(*only).describe(selector.side);
            Err(Error::NoSuchLines { selector: selector.to_string(), file: name(only), has })
        }
        ([], _) => Err(Error::NoFileHasLines { selector: selector.to_string() }),
        // Sections of the same file: any of them will do.
        ([first, ..], _) if path.is_some() => Ok(*first),
        (several, _) => {
            let files = several.iter().map(name).collect::<Vec<_>>().join(", ");
            Err(Error::SeveralFiles { selector: selector.to_string(), files })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_a_note_goes() {
        let document = Document::parse(
            "@note doc\n@file a:b\n@@ -1,2 +1,2 @@\n x\n-y\n+z\n@file c\n@@ -9 +9,2 @@\n x\n+y\n@file d\n@@ -9 +9 @@\n-x\n+y\n",
        );
        for (raw, want) in [
            ("doc", Ok(0)),
            ("a:b:file", Ok(1)),
            ("+1..2", Ok(1)),
            ("-2", Ok(1)),
            ("+10", Ok(2)),
            ("c:+9", Ok(2)),
            ("+9", Err("`+9` could be about several files: c, d")),
            ("file", Err("`file` could be about several files: a:b, c, d")),
            ("+1..9", Err("no file of the review has all lines of `+1..9` in its diff")),
            ("c:+9..11", Err("the diff of c doesn't hold `+9..11`; of that side it has lines 9..10")),
            ("e:+9", Err("r holds no file `e`")),
            ("+9-11", Err("`+9-11` is no selector")),
            (":+9", Err("`:+9` is no selector")),
        ] {
            let got = target(raw).and_then(|(path, selector)| part(&document, Path::new("r"), path, selector));
            assert_eq!(got.map_err(|error| error.to_string()), want.map_err(str::to_owned), "{raw}");
        }
    }
}
