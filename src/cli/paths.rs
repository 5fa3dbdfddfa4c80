//! Paths as a person reads them in the folder where the program runs.

use std::path::{Component, Path, PathBuf};

use crate::error::Error;

/// The folder that paths in arguments count from.
pub(super) fn current_folder() -> Result<PathBuf, Error> {
    std::env::current_dir().map_err(|source| Error::EnterFolder { path: ".".into(), source })
}

/// `path` as it is called in the folder `from`; both are absolute.
pub(super) fn relative(path: &Path, from: &Path) -> PathBuf {
    let shared = path.components().zip(from.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(path.components().skip(shared)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_from_a_folder() {
        for (path, from, want) in [("/r/a", "/r", "a"), ("/r/a/b", "/r/c/d", "../../a/b"), ("/r/a", "/r/a/b", "..")] {
            assert_eq!(relative(Path::new(path), Path::new(from)), Path::new(want));
        }
    }
}
