//! Feedback on several files, asked for one by one. What has been answered is on disk before the next question.

use std::io::{self, BufRead as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use super::Outcome;
use super::annotate::{NoteArgs, create, record, shared_folder, text};
use super::{Refusal, files::ended_as};
use crate::cli::{print, say, visible};
use crate::error::Error;
use crate::markback::{Record, append};
use crate::store;

/// A NUL in so many bytes at the start makes a file binary.
const SAMPLE: usize = 8192;

/// Ask for feedback on each of `files`; an empty answer passes one over, and the end of the input the rest.
///
/// # Errors
/// When what is answered cannot be read or written.
pub(super) fn run(files: &[PathBuf], note: &NoteArgs) -> Outcome {
    let folder = shared_folder(files);
    let mut written: Option<Written> = None;
    let mut records = Vec::new();
    for (index, file) in files.iter().enumerate() {
        if note.print {
            show(file)?;
        }
        let name = visible(&file.display().to_string());
        print(format!("[{}/{}] {name}\nFeedback: ", index + 1, files.len()).as_bytes())?;
        let mut line = String::new();
        let read = io::stdin().lock().read_line(&mut line).map_err(|source| Error::ReadInput { source })?;
        if read == 0 {
            break;
        }
        if line.trim().is_empty() {
            continue;
        }
        records.push(record(file, &folder, line.trim(), note)?);
        written = Some(match written {
            None => Written::new(&folder, &records, note)?,
            Some(written) => written.with(&records, note)?,
        });
    }
    match written {
        Some(Written { path, .. }) => say(&format!("Wrote {} record(s) to {}", records.len(), path.display())),
        None => say("No feedback entered."),
    }
    Ok(ExitCode::SUCCESS)
}

/// The file that the answers go to, and its text as we left it.
struct Written {
    path: PathBuf,
    text: String,
}

impl Written {
    fn new(folder: &Path, records: &[Record<'_>], note: &NoteArgs) -> Result<Self, Refusal> {
        let path = create(folder, |path| text(path, records, note))?;
        let text = ended_as(b"", &text(&path, records, note)?);
        Ok(Self { path, text })
    }

    /// With another record at the end: laid out anew, or, when somebody else has written there, added to what is there.
    fn with(self, records: &[Record<'_>], note: &NoteArgs) -> Result<Self, Refusal> {
        let path = self.path;
        let all = ended_as(b"", &text(&path, records, note)?);
        store::update(&path, |existing| match (existing, records.last()) {
            (Some(existing), Some(last)) if existing != self.text.as_bytes() => {
                let refused = |why| Refusal::Unwritable { path: path.clone(), why };
                Ok::<_, Refusal>(append(existing, last).map_err(refused)?.apply(existing))
            }
            _ => Ok(all.clone().into_bytes()),
        })?;
        Ok(Self { path, text: all })
    }
}

/// Print the file at `path`, as far as a terminal may show it.
fn show(path: &Path) -> Result<(), Error> {
    if !path.is_file() {
        return Ok(());
    }
    let text = store::read(path)?;
    if text[..text.len().min(SAMPLE)].contains(&0) {
        return print(format!("[binary file, {} bytes]\n", text.len()).as_bytes());
    }
    let lines: String = String::from_utf8_lossy(&text).lines().map(|line| visible(line) + "\n").collect();
    print(lines.as_bytes())
}
