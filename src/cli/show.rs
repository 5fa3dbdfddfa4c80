//! `whymark show`: a review as it was read, for programs and for people.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;

use super::paint::{Paint, Tone};
use super::review::Review;
use super::{display, print, print_json, visible};
use crate::document::check::structure;
use crate::document::{Document, NoteRef, NoteView, Scope, Section, json};
use crate::error::Error;
use crate::metrics::SectionStats;
use crate::text::counted::counted;

/// `whymark show`.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// The review, `-` for standard input.
    #[arg(value_name = "FILE")]
    review: PathBuf,

    /// Only the note with this id.
    #[arg(long, value_name = "ID", conflicts_with = "file")]
    note: Option<String>,

    /// Only this file, with its diff and notes.
    #[arg(long, value_name = "PATH")]
    file: Option<String>,

    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Run the command.
///
/// # Errors
/// When the review cannot be read, or holds no such note or file.
pub(super) fn run(args: &ShowArgs, paint: Paint) -> Result<(), Error> {
    let review = Review::read(&args.review)?;
    let document = &review.document;
    let text = if let Some(id) = &args.note {
        let no_note = || Error::NoSuchNote { id: id.clone(), review: review.name.clone() };
        let note = notes(document).find(|note| document.note_id(*note) == *id).ok_or_else(no_note)?;
        if args.json {
            return print_json(&json::note(document, note));
        }
        note_text(document, note, paint)
    } else if let Some(path) = &args.file {
        let parts = parts_of(document, path.as_bytes());
        if parts.is_empty() {
            return Err(Error::NoSuchFile { path: path.clone(), review: review.name.clone() });
        }
        if args.json {
            let files: Vec<_> = parts.iter().filter_map(|part| json::file(document, *part)).collect();
            return if let [only] = files.as_slice() { print_json(only) } else { print_json(&files) };
        }
        parts.iter().map(|part| file_text(document, *part, paint)).collect()
    } else if args.json {
        return print_json(&json::show(document, &structure(document)));
    } else {
        whole(document, paint)
    };
    print(text.as_bytes())
}

/// All notes, in order.
fn notes(document: &Document) -> impl Iterator<Item = NoteRef> + '_ {
    let parts = document.parts().iter().enumerate();
    parts.flat_map(|(part, section)| (0..section.tree().notes.len()).map(move |note| NoteRef { part, note }))
}

/// The sections of the file at `path`.
fn parts_of(document: &Document, path: &[u8]) -> Vec<usize> {
    let is_it = |section: &Section| !section.is_head() && section.path_text().as_bytes() == path;
    let parts = document.parts().iter().enumerate();
    parts.filter(|(_, section)| is_it(section)).map(|(part, _)| part).collect()
}

/// Head, files with their counts, notes with their fields.
fn whole(document: &Document, paint: Paint) -> String {
    let meta = document.meta();
    let title = meta.title.as_deref().unwrap_or("Untitled review");
    let mut out = format!("{}\n", paint.tone(Tone::Strong, &visible(title)));
    let texts = [
        ("author", meta.author.as_deref()),
        ("date", meta.date.as_deref()),
        ("scope", meta.scope.map(Scope::as_str)),
        ("base", meta.base.as_deref()),
        ("head", meta.head.as_deref()),
        ("repo", meta.repo.as_deref()),
        ("review", meta.review.as_ref().map(|review| review.status.as_str())),
    ];
    for (name, value) in texts {
        push(&mut out, "", name, value.unwrap_or_default(), paint);
    }
    push(&mut out, "", "tags", &meta.tags.join(", "), paint);
    for check in document.checks() {
        let detail = check.detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
        push(&mut out, "", "check", &format!("{} => {}{detail}", check.cmd, check.status.as_str()), paint);
    }
    for (line, tone) in super::verify::evidence_lines(document, Path::new(".")) {
        let _ = writeln!(out, "{} {}", paint.tone(Tone::Faint, "evidence:"), paint.tone(tone, &visible(&line)));
    }
    if let Some(summary) = &meta.summary {
        out.push('\n');
        push_lines(&mut out, "", summary);
    }
    for (part, section) in document.parts().iter().enumerate() {
        if !section.is_head() {
            let _ = write!(out, "\n{}", heading(section, paint));
        }
        out += &notes_text(document, part, paint);
    }
    out
}

/// One file: its line, its diff, its notes.
fn file_text(document: &Document, part: usize, paint: Paint) -> String {
    let section = &document.parts()[part];
    let tree = section.tree();
    let mut out = heading(section, paint);
    for hunk in &tree.hunks {
        let header = hunk.header.of(section.text()).trim_ascii_end();
        let _ = writeln!(out, "{}", paint.tone(Tone::Info, &display().visible(header)));
        for line in tree.hunk_lines(hunk).iter().filter(|line| line.diff_kind().is_some()) {
            let text = display().visible(section.newline().content(line.span.of(section.text())));
            let tone = match text.as_bytes().first() {
                Some(b'+') => Some(Tone::Good),
                Some(b'-') => Some(Tone::Bad),
                _ => None,
            };
            let _ = writeln!(out, "{}", tone.map_or_else(|| text.clone(), |tone| paint.tone(tone, &text)));
        }
    }
    out + &notes_text(document, part, paint)
}

/// The path of a section, what happened to it, and its counts.
fn heading(section: &Section, paint: Paint) -> String {
    let stats = SectionStats::of(section);
    let path = paint.tone(Tone::Strong, &visible(&section.path_text()));
    let Some(file) = &section.tree().file else { return format!("{path}\n") };
    let mut words = vec![file.status.as_str().to_owned()];
    words.extend(file.old_path.as_ref().map(|from| format!("from {}", display().visible(from))));
    words.push(if file.binary { "binary".to_owned() } else { format!("+{} -{}", stats.added, stats.removed) });
    words.push(counted(stats.notes, "note"));
    format!("{path}  {}\n", paint.tone(Tone::Faint, &words.join("  ")))
}

fn notes_text(document: &Document, part: usize, paint: Paint) -> String {
    let count = document.parts()[part].tree().notes.len();
    (0..count).map(|note| format!("\n{}", note_text(document, NoteRef { part, note }, paint))).collect()
}

/// One note: what it is about, its fields as they were read, its text.
fn note_text(document: &Document, at: NoteRef, paint: Paint) -> String {
    const INDENT: &str = "  ";
    let section = &document.parts()[at.part];
    let view: NoteView<'_> = section.note_view(&section.tree().notes[at.note]);
    let mut words = vec![view.kind().as_str().to_owned()];
    words.extend(view.risk().map(|risk| format!("{} risk", risk.as_str())));
    words.extend(view.urgency().map(|urgency| urgency.as_str().to_owned()));
    words.extend(view.confidence().map(|confidence| format!("confidence {confidence}")));
    let about = if section.is_head() { String::new() } else { format!("{} ", section.path_text()) };
    let name = format!("{about}{}", view.note().selector);
    let id = paint.tone(Tone::Faint, &format!("[{}]", visible(&document.note_id(at))));
    let mut out = format!("{INDENT}{}  {}  {id}\n", paint.tone(Tone::Strong, &visible(&name)), words.join(", "));
    let mut field = |name: &str, value: &str| push(&mut out, INDENT, name, value, paint);
    field("why", &view.why().unwrap_or_default());
    field("what", &view.what().unwrap_or_default());
    view.sources().iter().for_each(|source| field("source", &source.raw));
    view.claims().iter().for_each(|claim| field("verify", &claim.raw));
    let lists =
        [("alt", view.alternatives()), ("todo", view.todos()), ("question", view.questions()), ("ref", view.refs())];
    for (name, values) in lists {
        values.iter().for_each(|value| field(name, value));
    }
    field("impact", &view.impact().unwrap_or_default());
    for (name, values) in view.extra() {
        values.iter().for_each(|value| field(&visible(&name), value));
    }
    let body = view.body();
    if !body.is_empty() {
        out.push('\n');
        push_lines(&mut out, INDENT, &body);
    }
    out
}

/// Push `name: value` unless there is none.
fn push(out: &mut String, indent: &str, name: &str, value: &str, paint: Paint) {
    if !value.is_empty() {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{indent}{} {}", paint.tone(Tone::Faint, &format!("{name}:")), visible(value));
    }
}

fn push_lines(out: &mut String, indent: &str, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "{}", format!("{indent}{}", visible(line)).trim_end());
    }
}
