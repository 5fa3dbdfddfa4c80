//! What has changed since a round was sent, as a document to walk through: the reviewed files as they were then, and as
//! they are now, and behind them the others that have changed.

use bstr::{BString, ByteSlice as _};

use crate::document::{Document, FileHeader, FileStatus};
use crate::error::Error;
use crate::git::{LooseFile, pair_files, text_patch};
use crate::session::{Base, FoundFile};
use crate::skeleton::{Change, SEPARATOR, Stubs, section};
use crate::text::counted::counted;
use crate::text::width::Display;

use super::elsewhere::Elsewhere;
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

/// What has changed since `round` was sent, of whose time is `base`; `None` when nothing has. `now` reads a file as it is,
/// and `elsewhere` is what files were of which the base keeps nothing.
///
/// # Errors
/// When two texts cannot be compared.
pub fn since(
    round: u32,
    base: &Base,
    elsewhere: Elsewhere,
    now: impl Fn(&[u8]) -> FoundFile,
) -> Result<Option<Since>, Error> {
    let (mut changed, mut unknown) = (Vec::new(), Vec::new());
    let kept = base.files().iter().map(|file| (BString::from(file.path()), base.read(file)));
    for (index, (path, old)) in kept.chain(elsewhere.files).enumerate() {
        let is_reviewed = index < base.reviewed();
        // Only what is found elsewhere has changed for certain.
        let may_be_the_same = !is_reviewed && index < base.files().len();
        match (old, now(&path)) {
            (FoundFile::Uncopied(_), FoundFile::Uncopied(_)) if may_be_the_same => {}
            (FoundFile::Uncopied(why), _) | (_, FoundFile::Uncopied(why)) => {
                unknown.push(format!("{}: {why}", Display::default().visible(&path)));
            }
            (old, new) => changed.extend(Changed::of(path, is_reviewed, old, new)),
        }
    }
    if elsewhere.more > 0 {
        unknown.push(format!("{} outside of the review", counted(elsewhere.more, "more file")));
    }
    let changed = renamed(changed);
    if changed.is_empty() && unknown.is_empty() {
        return Ok(None);
    }
    let reviewed = changed.iter().filter(|changed| changed.is_reviewed).count();
    let others = base.around().map(|_| changed.len() - reviewed);
    let mut parts = vec![head(round, (reviewed, others), &unknown)];
    let mut asides = vec![Aside::default()];
    for changed in changed {
        let text = |side: &Option<Content>| side.as_ref().map_or(Vec::new(), |content| content.text.clone());
        let sizes = [&changed.old, &changed.new].map(|side| Some(side.as_ref()?.text.len() as u64));
        asides.push(Aside { sizes, ..Aside::default() });
        let patch = text_patch(changed.change(), &text(&changed.old), &text(&changed.new), CONTEXT)?;
        parts.push(section(&patch, Stubs::None));
    }
    let document = Document::parse(parts.join(SEPARATOR));
    // Nothing here wants a note.
    let readings = document.map_parts(|section| Reading { uncovered: LineRuns::default(), ..Reading::of(section) });
    Ok(Some(Since { round, document, readings, asides }))
}

/// A file that is another one than before.
struct Changed {
    path: BString,
    old_path: Option<BString>,
    is_reviewed: bool,
    old: Option<Content>,
    new: Option<Content>,
}

/// A side of it.
struct Content {
    text: Vec<u8>,
    mode: u32,
}

impl Changed {
    /// What `old` and `new` make of the file at `path`; `None` when they are the same. A mode that is not known is the other
    /// one.
    fn of(path: BString, is_reviewed: bool, old: FoundFile, new: FoundFile) -> Option<Self> {
        let mode = |found: &FoundFile| if let FoundFile::Text(_, mode) = found { *mode } else { None };
        let [old_mode, new_mode] = [mode(&old).or(mode(&new)), mode(&new).or(mode(&old))];
        let content = |found: FoundFile, mode: Option<u32>| match found {
            FoundFile::Text(text, _) => Some(Content { text, mode: mode.unwrap_or(FileHeader::PLAIN) }),
            FoundFile::Nothing | FoundFile::Uncopied(_) => None,
        };
        let (old, new) = (content(old, old_mode), content(new, new_mode));
        let is_same = match (&old, &new) {
            (Some(old), Some(new)) => old.text == new.text && old.mode == new.mode,
            (old, new) => old.is_none() && new.is_none(),
        };
        (!is_same).then_some(Self { path, old_path: None, is_reviewed, old, new })
    }

    fn change(&self) -> Change {
        let status = match (&self.old, &self.new) {
            (None, _) => FileStatus::Added,
            (_, None) => FileStatus::Deleted,
            _ if self.old_path.is_some() => FileStatus::Renamed,
            _ => FileStatus::Modified,
        };
        Change {
            status,
            path: self.path.clone(),
            old_path: self.old_path.clone(),
            old_mode: self.old.as_ref().map(|content| content.mode),
            new_mode: self.new.as_ref().map(|content| content.mode),
            old_id: None,
            new_id: None,
            binary: false,
        }
    }
}

/// The same, a file that went and the one that it became as one: that stands where the first one did.
fn renamed(changed: Vec<Changed>) -> Vec<Changed> {
    fn loose<'a>(
        changed: &'a [Changed],
        side: fn(&Changed) -> (Option<&Content>, Option<&Content>),
    ) -> (Vec<usize>, Vec<LooseFile<'a>>) {
        let only = |(index, file): (usize, &'a Changed)| match side(file) {
            (Some(Content { text, mode }), None) => {
                Some((index, LooseFile { path: file.path.as_bstr(), mode: *mode, text }))
            }
            _ => None,
        };
        changed.iter().enumerate().filter_map(only).unzip()
    }
    let (gone, went) = loose(&changed, |file| (file.old.as_ref(), file.new.as_ref()));
    let (born, came) = loose(&changed, |file| (file.new.as_ref(), file.old.as_ref()));
    let pairs: Vec<(usize, usize)> =
        born.iter().zip(pair_files(&went, &came)).filter_map(|(born, from)| Some((gone[from?], *born))).collect();
    let mut changed: Vec<Option<Changed>> = changed.into_iter().map(Some).collect();
    for (gone, born) in pairs {
        if let (Some(old), Some(new)) = (changed[gone].take(), changed[born].take()) {
            let is_reviewed = old.is_reviewed || new.is_reviewed;
            changed[gone] =
                Some(Changed { path: new.path, old_path: Some(old.path), is_reviewed, old: old.old, new: new.new });
        }
    }
    changed.into_iter().flatten().collect()
}

/// What the document says about itself; the files are the reviewed ones and, where they are known, the others.
fn head(round: u32, files: (usize, Option<usize>), unknown: &[String]) -> Vec<u8> {
    let title = format!("What has changed since round {round} was sent");
    let have = |count: usize| if count == 1 { "has" } else { "have" };
    let others = |count: usize| if count == 1 { "1 other".to_owned() } else { format!("{count} others") };
    let reviewed = |count: usize| format!("{} {} changed", counted(count, "reviewed file"), have(count));
    let files = match files {
        (0, None | Some(0)) => "Of the reviewed files none that could be compared has changed.".to_owned(),
        (0, Some(other)) => format!("No reviewed file has changed; {} {}.", others(other), have(other)),
        (files, Some(0)) => format!("{}.", reviewed(files)),
        (files, Some(other)) => format!("{}, and {}.", reviewed(files), others(other)),
        (files, None) => format!("{}. Others are not compared.", reviewed(files)),
    };
    let unknown = match unknown {
        [] => String::new(),
        unknown => format!("\n\nNot compared:\n- {}", unknown.join("\n- ")),
    };
    let value = |text: &str| serde_json::Value::from(text);
    let summary = value(&format!("{files}{unknown}"));
    format!("---\nwhymark: 1\ntitle: {}\nsummary: {summary}\n---\n", value(&title)).into_bytes()
}
