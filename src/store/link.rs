//! A symbolic link in the place of another one, of a file, or of nothing, in one step.

use std::path::Path;

use super::{folder_of, leftovers};
use crate::error::Error;
use crate::skeleton::paths::{LEFTOVER_RANDOM, LEFTOVER_SUFFIX};

/// Make what is at `path` a symbolic link that leads to `target`, wherever that is; folders on the way are created. What was
/// there is gone: whoever calls this has looked at it.
///
/// # Errors
/// When it cannot be written, or this system has no such links.
pub fn put_link(path: &Path, target: &[u8]) -> Result<(), Error> {
    let folder = folder_of(path);
    std::fs::create_dir_all(folder).map_err(|source| Error::CreateFolder { path: folder.into(), source })?;
    let mut builder = tempfile::Builder::new();
    let prefix = leftovers::prefix();
    builder.prefix(&prefix).suffix(LEFTOVER_SUFFIX).rand_bytes(LEFTOVER_RANDOM);
    let failed = |source| Error::WriteFile { path: path.into(), source };
    let link = builder.make_in(folder, |place| link(target, place)).map_err(failed)?;
    link.persist(path).map_err(|error| failed(error.error))
}

#[cfg(unix)]
fn link(target: &[u8], place: &Path) -> std::io::Result<()> {
    use std::os::unix::ffi::OsStrExt as _;
    std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(target), place)
}

#[cfg(not(unix))]
fn link(_: &[u8], _: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}
