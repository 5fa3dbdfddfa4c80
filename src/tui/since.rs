//! What has changed since a round was sent, as a document to walk through: the reviewed files as they were then, and as
//! they are now.

use crate::document::{Document, FileHeader, FileStatus};
use crate::error::Error;
use crate::git::text_patch;
use crate::session::{Base, FoundFile};
use crate::skeleton::{Change, SEPARATOR, Stubs, section};
use crate::text::width::Display;

use super::part::{Aside, LineRuns, Reading};

/// The lines around a change.
const CONTEXT: u32 = 3;
/// What has changed.
#[derive(Debug)]
pub struct Since {
    /// Since which round was sent.
    pub round: u32,
    /// The changes; there are some.
    pub document: Document,
    /// What was read from each part.
    pub readings: Vec<Reading>,
    /// What else is known of each part.
    pub asides: Vec<Aside>,
}

/// What has changed since `round` was sent, of whose time is `base`; `None` when nothing has. `now` reads a file as it is.
///
/// # Errors
/// When two texts cannot be compared.
pub fn since(round: u32, base: &Base, now: impl Fn(&[u8]) -> FoundFile) -> Result<Option<Since>, Error> {
    let (mut parts, mut asides, mut unknown) = (Vec::new(), vec![Aside::default()], Vec::new());
    for file in base.files() {
        let (old, new) = match (base.read(file), now(file.path())) {
            (FoundFile::Uncopied(why), _) | (_, FoundFile::Uncopied(why)) => {
                unknown.push(format!("{}: {why}", Display::default().visible(file.path())));
                continue;
            }
            (old, new) if old == new => continue,
            (old, new) => (text(old), text(new)),
        };
        let status = match (&old, &new) {
            (None, _) => FileStatus::Added,
            (_, None) => FileStatus::Deleted,
            _ => FileStatus::Modified,
        };
        let change = Change {
            status,
            path: file.path().into(),
            old_path: None,
            old_mode: old.as_ref().map(|_| FileHeader::PLAIN),
            new_mode: new.as_ref().map(|_| FileHeader::PLAIN),
            old_id: None,
            new_id: None,
            binary: false,
        };
        asides.push(Aside { sizes: [&old, &new].map(|side| Some(side.as_ref()?.len() as u64)), ..Aside::default() });
        let patch = text_patch(change, &old.unwrap_or_default(), &new.unwrap_or_default(), CONTEXT)?;
        parts.push(section(&patch, Stubs::None));
    }
    if parts.is_empty() && unknown.is_empty() {
        return Ok(None);
    }
    parts.insert(0, head(round, parts.len(), &unknown));
    let document = Document::parse(parts.join(SEPARATOR));
    // Nothing here wants a note.
    let readings = document.map_parts(|section| Reading { uncovered: LineRuns::default(), ..Reading::of(section) });
    Ok(Some(Since { round, document, readings, asides }))
}

fn text(found: FoundFile) -> Option<Vec<u8>> {
    match found {
        FoundFile::Text(text) => Some(text),
        FoundFile::Nothing | FoundFile::Uncopied(_) => None,
    }
}

/// What the document says about itself.
fn head(round: u32, files: usize, unknown: &[String]) -> Vec<u8> {
    let title = format!("What has changed since round {round} was sent");
    let files = match files {
        0 => "Of the reviewed files none that could be compared has changed.".to_owned(),
        1 => "1 reviewed file has changed.".to_owned(),
        files => format!("{files} reviewed files have changed."),
    };
    let unknown = match unknown {
        [] => String::new(),
        unknown => format!("\n\nNot compared:\n- {}", unknown.join("\n- ")),
    };
    let value = |text: &str| serde_json::Value::from(text);
    let summary = value(&format!("{files}{unknown}"));
    format!("---\nwhymark: 1\ntitle: {}\nsummary: {summary}\n---\n", value(&title)).into_bytes()
}
