//! Reading the whole of a file that a review shows in hunks: from the repository, or from disk, and only the very version
//! that the review names.

use std::path::Path;
use std::sync::Arc;

use bstr::ByteSlice as _;

use crate::document::Section;
use crate::git::{Repo, Version};

use super::around::{Whole, agrees};
use super::effect::ReadWhole;
use super::msg::Msg;
use super::surviving::surviving;

/// The longest file that is read, in bytes.
const MOST_BYTES: usize = 64 << 20;

/// Read what somebody wants to see.
#[must_use]
pub fn read_for(job: ReadWhole) -> Msg {
    let ReadWhole { part, section, folder } = job;
    let whole = surviving(|| read(&folder, &section)).and_then(|read| read);
    Msg::WholeRead { part, section, whole: whole.map(Arc::new) }
}

/// The file of `section`, as it is on the new side; the repository is that around `folder`.
///
/// # Errors
/// Why it cannot be shown, in a sentence.
pub fn read(folder: &Path, section: &Section) -> Result<Whole, String> {
    let file = section.tree().file.as_ref().ok_or("no file is named here")?;
    let id = file.new_sha.map(|id| id.of(section.text()).to_str_lossy().into_owned());
    let id = id.ok_or("the review does not say which version of the file it shows")?;
    let repo = Repo::discover(folder).map_err(|error| error.to_string())?;
    match repo.version(file.path.as_ref(), &id, MOST_BYTES).map_err(|error| error.to_string())? {
        Version::Text(text) => {
            let whole = Whole::new(text);
            if agrees(section, &whole) { Ok(whole) } else { Err(format!("blob {id} has other lines than the review")) }
        }
        Version::TooLong => Err(format!("the file is longer than {} MiB", MOST_BYTES >> 20)),
        Version::Gone => Err(format!("blob {id} is not in the repository, and the file on disk is another one now")),
    }
}
