//! Whether attributes say anything that is beyond libgit2. A look-up for every file costs a look into every folder, so the
//! few files that could say so are read first.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice as _};

use super::{Library, path_of};
use crate::skeleton::Change;

const NAME: &str = ".gitattributes";
/// Languages whose headings git knows and libgit2 does not, and the one where it is the other way round.
pub(super) const LIBRARY_LACKS: [&str; 13] = [
    "bash",
    "css",
    "dts",
    "elixir",
    "fountain",
    "golang",
    "ini",
    "javascript",
    "kotlin",
    "markdown",
    "r",
    "rust",
    "scheme",
];

impl Library {
    /// Whether an attribute file that counts for one of `files` has a word for what libgit2 does in another way. It may
    /// be about other files.
    pub(super) fn attributes_are_beyond(&self, files: &[Change]) -> bool {
        let mut folders: BTreeSet<&[u8]> = BTreeSet::from([&b""[..]]);
        for file in files {
            let mut path = file.path.as_slice();
            while let Some(at) = path.rfind_byte(b'/') {
                path = &path[..at];
                if !folders.insert(path) {
                    break;
                }
            }
        }
        self.other_attribute_files().iter().any(|file| fs::read(file).is_ok_and(|text| is_beyond(&text)))
            || folders
                .into_iter()
                .any(|folder| self.attributes_in(folder.as_bstr()).is_some_and(|text| is_beyond(&text)))
    }

    /// The attribute file of a folder: on disk, else in the index.
    fn attributes_in(&self, folder: &BStr) -> Option<Vec<u8>> {
        let slash: &[u8] = if folder.is_empty() { b"" } else { b"/" };
        let path = [folder, slash, NAME.as_bytes()].concat();
        let on_disk = self.workdir().and_then(|root| fs::read(root.join(path_of(&path))).ok());
        on_disk.or_else(|| {
            let entry = self.raw.index().ok()?.get_path(&path_of(&path), 0)?;
            Some(self.raw.find_blob(entry.id).ok()?.content().to_vec())
        })
    }

    /// Attribute files that are not part of the tree.
    fn other_attribute_files(&self) -> Vec<PathBuf> {
        let home = || env::var_os("HOME").map(|home| Path::new(&home).join(".config"));
        let folder =
            env::var_os("XDG_CONFIG_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from).or_else(home);
        let own = self.raw.config().and_then(|config| config.get_path("core.attributesFile")).ok();
        let usual = folder.map(|folder| folder.join("git/attributes"));
        let of_repository = self.raw.commondir().join("info/attributes");
        own.or(usual).into_iter().chain([of_repository, PathBuf::from("/etc/gitattributes")]).collect()
    }
}

/// Whether a word in an attribute file is one of those.
fn is_beyond(text: &[u8]) -> bool {
    text.fields().any(|word| match word.split_once_str("=") {
        Some((b"working-tree-encoding" | b"filter", _)) => true,
        Some((b"diff", driver)) => LIBRARY_LACKS.iter().any(|name| name.as_bytes() == driver),
        _ => false,
    })
}
