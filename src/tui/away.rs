//! What a person does in an editor of their own while the reviewer has given the terminal away.

use crate::editor;
use crate::store;

use super::effect::{EditText, OpenSource};
use super::msg::Msg;

/// What names an editor: the one for screens first.
const VARIABLES: &[&str] = &["VISUAL", "EDITOR"];

/// Let them edit a text; the answer for the reviewer.
#[must_use]
pub fn edit(job: &EditText) -> Msg {
    let edited = editor::edit(editor::chosen(VARIABLES).as_deref(), &job.text);
    Msg::Edited { text: edited.map_err(|failure| failure.to_string()), saves: job.saves }
}

/// Let them look at a file; the answer for the reviewer.
#[must_use]
pub fn open(job: &OpenSource) -> Msg {
    Msg::Looked(look(job).err())
}

fn look(job: &OpenSource) -> Result<(), String> {
    let words = editor::chosen(VARIABLES).ok_or_else(|| editor::Failure::NoEditor.to_string())?;
    let path = store::inside(&job.folder.join(&job.path), &job.folder).map_err(|error| error.to_string())?;
    if !path.is_file() {
        return Err(format!("{} is no file of the working tree", job.path.display()));
    }
    let program = words[0].clone();
    match editor::open_at(&words, &path, job.line) {
        Ok(true) => Ok(()),
        Ok(false) => Err(editor::Failure::Ended { program }.to_string()),
        Err(source) => Err(editor::Failure::Start { program, source }.to_string()),
    }
}
