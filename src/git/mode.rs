//! The modes that git gives to what it stores.

use std::fs;

use crate::document::FileHeader;

/// A plain file.
pub const FILE: u32 = FileHeader::PLAIN;
/// A file that can be run.
pub const EXECUTABLE: u32 = 0o100_755;
/// A symbolic link.
pub const LINK: u32 = 0o120_000;
/// A submodule.
pub const SUBMODULE: u32 = 0o160_000;

/// What `mode` is that of.
#[must_use]
pub fn name(mode: u32) -> &'static str {
    match mode {
        LINK => "symbolic link",
        SUBMODULE => "submodule",
        _ => "file",
    }
}

/// Whether `mode` is that of a file, executable or not.
#[must_use]
pub fn is_file(mode: u32) -> bool {
    mode & 0o170_000 == 0o100_000
}

/// Whether two modes are of the same kind of thing: file, link or submodule.
#[must_use]
pub fn is_same_kind(one: u32, other: u32) -> bool {
    (one ^ other) & 0o170_000 == 0
}

/// The mode that git would give a regular file.
#[cfg(unix)]
#[must_use]
pub fn of(meta: &fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    if meta.permissions().mode() & 0o100 == 0 { FILE } else { EXECUTABLE }
}

/// The mode that git would give a regular file.
#[cfg(not(unix))]
#[must_use]
pub fn of(_: &fs::Metadata) -> u32 {
    FILE
}
