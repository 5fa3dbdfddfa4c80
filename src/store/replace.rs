//! One file in the place of another, in one step, if that one is still the one that was read.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::Path;

use super::{current, folder_of, leftovers, pause};
use crate::error::Error;
use crate::skeleton::paths::{LEFTOVER_RANDOM, LEFTOVER_SUFFIX};

/// Files of at most so many bytes are read once more before they are replaced.
const COMPARED: usize = 16 << 20;

/// Put `text` in the place of the file that had the content and state `before`; `false` when it is another one by now.
pub(super) fn replace(
    folder: &Path,
    target: &Path,
    before: Option<&(Vec<u8>, Metadata)>,
    text: &[u8],
) -> io::Result<bool> {
    let _whole = pause::replacing();
    let mut temp = new_file(folder)?;
    temp.write_all(text)?;
    if let Some((_, before)) = before {
        keep_owner(temp.as_file(), before);
        temp.as_file().set_permissions(before.permissions())?;
    }
    temp.as_file().sync_all()?;
    if !is_still(target, before) {
        return Ok(false);
    }
    let put = if before.is_some() { temp.persist(target) } else { temp.persist_noclobber(target) };
    match put {
        Ok(_) => {}
        Err(failed) if before.is_none() && failed.error.kind() == io::ErrorKind::AlreadyExists => return Ok(false),
        Err(failed) => return Err(failed.error),
    }
    if cfg!(unix) {
        // Some file systems cannot do this for a folder, and the text is safe in its file in any case.
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
    Ok(true)
}

/// Make what is at `path`, a file, a symbolic link, which is not followed, or nothing, a file with this content, in one step;
/// `prepare` gets the path of the file right before it takes the place. Folders on the way are created.
///
/// A file keeps its owner and its permissions, also where those protect it from being written: [`update`](super::update)
/// heeds that for the files of a person, git does not for those of a working tree. What was there is gone: whoever calls
/// this looks at it, in `prepare`.
///
/// # Errors
/// When it cannot be written, or `prepare` fails: then what was there still is. Where it `is_new`, also when something is
/// there by now.
pub fn put_file(
    path: &Path,
    content: &[u8],
    is_new: bool,
    prepare: impl FnOnce(&Path) -> Result<(), Error>,
) -> Result<(), Error> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).map_err(|source| Error::CreateFolder { path: folder.into(), source })?;
    leftovers::sweep_dead(folder);
    let failed = |source| Error::WriteFile { path: path.into(), source };
    let _whole = pause::replacing();
    let mut temp = new_file(folder).map_err(failed)?;
    let write = |temp: &mut tempfile::NamedTempFile| {
        temp.write_all(content)?;
        if let Some(before) = fs::symlink_metadata(path).ok().filter(Metadata::is_file) {
            keep_owner(temp.as_file(), &before);
            temp.as_file().set_permissions(before.permissions())?;
        }
        temp.as_file().sync_all()
    };
    write(&mut temp).map_err(failed)?;
    prepare(temp.path())?;
    let put = if is_new { temp.persist_noclobber(path) } else { temp.persist(path) };
    put.map(drop).map_err(|error| failed(error.error))
}

/// Whether `target` is what it was. Its times may be as coarse as two seconds, so its bytes count too, unless reading
/// them would itself take long enough for somebody to write.
fn is_still(target: &Path, before: Option<&(Vec<u8>, Metadata)>) -> bool {
    let now = fs::symlink_metadata(target).ok();
    now.as_ref().map(stamp) == before.map(|(_, meta)| stamp(meta))
        && before.is_none_or(|(text, _)| {
            text.len() > COMPARED || matches!(current(target), Ok(Some((now, _))) if now == *text)
        })
}

/// A file with a name of its own, readable as any new file is.
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    let prefix = leftovers::prefix();
    builder.prefix(&prefix).suffix(LEFTOVER_SUFFIX).rand_bytes(LEFTOVER_RANDOM);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// What shows that a file is no longer the one that was read: when it was written, its length, and on Unix its identity
/// and when anything about it was changed, which no program can set back.
fn stamp(meta: &Metadata) -> (Option<std::time::SystemTime>, u64, (u64, i64, i64)) {
    #[cfg(unix)]
    let file = {
        use std::os::unix::fs::MetadataExt as _;
        (meta.ino(), meta.ctime(), meta.ctime_nsec())
    };
    #[cfg(not(unix))]
    let file = (0, 0, 0);
    (meta.modified().ok(), meta.len(), file)
}

/// Give `file` the owner of the one it replaces, as far as this user may.
#[cfg(unix)]
fn keep_owner(file: &File, before: &Metadata) {
    use std::os::unix::fs::MetadataExt as _;
    let now = file.metadata().map(|meta| (meta.uid(), meta.gid()));
    if now.is_ok_and(|now| now != (before.uid(), before.gid())) {
        // Only the superuser may give files away; then the group at least.
        let whole = std::os::unix::fs::fchown(file, Some(before.uid()), Some(before.gid()));
        let _ = whole.or_else(|_| std::os::unix::fs::fchown(file, None, Some(before.gid())));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}
