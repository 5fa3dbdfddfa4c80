//! Opening files to read. Only regular files are opened: a pipe would be waited for, a device may never end.

use std::fs::{self, File, FileType, Metadata};
use std::io::{self, Read as _};
use std::path::Path;

use crate::error::Error;

/// The file at `path`, open to be read, and its state; `None` when there is none. This never waits.
pub(super) fn open(path: &Path) -> Result<Option<(File, Metadata)>, Error> {
    let failed = |source| Error::ReadFile { path: path.into(), source };
    let is_regular = |meta: &Metadata| match other_than_file(meta.file_type()) {
        None => Ok(()),
        Some(what) => Err(Error::NotAFile { path: path.into(), what }),
    };
    // Opening alone may have an effect on a device, so the name is looked at first; and by the time it is open it may
    // name something else.
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        looked_at => is_regular(&looked_at.map_err(failed)?)?,
    }
    let file = match without_waiting(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened.map_err(failed)?,
    };
    let meta = file.metadata().map_err(failed)?;
    is_regular(&meta)?;
    Ok(Some((file, meta)))
}

/// How much of a file says whether it is text; as for git.
const START: u64 = 8000;

/// Whether the file at `path` begins as text does.
///
/// # Errors
/// When it cannot be read, or is no regular file.
pub fn is_text(path: &Path) -> Result<bool, Error> {
    let failed = |source| Error::ReadFile { path: path.into(), source };
    let (file, _) = open(path)?.ok_or_else(|| failed(io::ErrorKind::NotFound.into()))?;
    let mut start = Vec::new();
    file.take(START).read_to_end(&mut start).map_err(failed)?;
    Ok(reads_as_text(&start))
}

/// Whether a file with these bytes is text, as git decides it: no NUL stands near its start.
#[must_use]
pub fn reads_as_text(bytes: &[u8]) -> bool {
    let start = bytes.len().min(usize::try_from(START).unwrap_or(usize::MAX));
    memchr::memchr(0, &bytes[..start]).is_none()
}

#[cfg(unix)]
fn without_waiting(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt as _;
    File::options().read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn without_waiting(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// What something is that is no regular file.
fn other_than_file(kind: FileType) -> Option<&'static str> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        if kind.is_fifo() {
            return Some("a pipe");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
    }
    match kind {
        kind if kind.is_file() => None,
        kind if kind.is_dir() => Some("a folder"),
        _ => Some("a device"),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nothing_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let at = |name: &str| dir.path().join(name);
        fs::write(at("file"), "text").unwrap();
        fs::create_dir(at("folder")).unwrap();
        let made = std::process::Command::new("mkfifo").arg(at("fifo")).status().unwrap();
        assert!(made.success());
        let _socket = UnixListener::bind(at("socket")).unwrap();
        for (link, target) in
            [("to file", "file"), ("to fifo", "fifo"), ("to device", "/dev/zero"), ("to nothing", "nothing")]
        {
            symlink(target, at(link)).unwrap();
        }
        for (name, want) in [
            ("file", Ok(true)),
            ("to file", Ok(true)),
            ("nothing", Ok(false)),
            ("to nothing", Ok(false)),
            ("folder", Err("is a folder, and no file")),
            ("fifo", Err("is a pipe, and no file")),
            ("to fifo", Err("is a pipe, and no file")),
            ("socket", Err("is a socket, and no file")),
            ("to device", Err("is a device, and no file")),
            ("file/x", Err("not a directory")),
        ] {
            match (open(&at(name)).map_err(|error| error.to_string()), want) {
                (Ok(found), Ok(is_there)) => assert_eq!(found.is_some(), is_there, "{name}"),
                (Err(message), Err(part)) => assert!(message.ends_with(part), "{name}: {message}"),
                (found, want) => panic!("{name}: {found:?}, and not {want:?}"),
            }
        }
    }
}
