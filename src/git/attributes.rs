//! What `.gitattributes` and its like say about a path.

use std::env;
use std::path::{Path, PathBuf};

use bstr::{BStr, ByteSlice};
use git2::{AttrCheckFlags, AttrValue};

use super::{Library, path_of};
use crate::skeleton::paths::is_in_tree;

/// The files with attributes of one folder.
const ATTRIBUTES: &str = ".gitattributes";

impl Library {
    /// The attribute `name` of `path`; one that cannot be read counts as not given, as with git.
    ///
    /// libgit2 looks at every folder on the way for every question, so it is only asked where there is something to find.
    pub(super) fn attribute(&self, path: &BStr, name: &str) -> AttrValue<'_> {
        // libgit2 does not survive being asked for another one.
        if !is_in_tree(path) {
            return AttrValue::Unspecified;
        }
        let folder = path.rfind_byte(b'/').map_or(&b""[..], |at| &path[..at]);
        if !*self.known.attributes.get_or_init(|| self.has_general_attributes())
            && !self.has_attributes(folder.as_bstr())
        {
            return AttrValue::Unspecified;
        }
        let value = self.raw.get_attr_bytes(&path_of(path), name, AttrCheckFlags::FILE_THEN_INDEX);
        AttrValue::from_bytes(value.unwrap_or_default())
    }

    /// Whether `folder` or one above it has a file with attributes, on disk or else in the index.
    fn has_attributes(&self, folder: &BStr) -> bool {
        if let Some(known) = self.known.attributes_in.borrow().get(folder) {
            return *known;
        }
        let file = path_of(folder).join(ATTRIBUTES);
        let on_disk = || self.workdir().is_some_and(|root| root.join(&file).exists());
        let in_index = || self.raw.index().is_ok_and(|index| index.get_path(&file, 0).is_some());
        let above = || {
            let parent = folder.rfind_byte(b'/').map_or(&b""[..], |at| &folder[..at]);
            !folder.is_empty() && self.has_attributes(parent.as_bstr())
        };
        let has = on_disk() || in_index() || above();
        self.known.attributes_in.borrow_mut().insert(folder.to_owned(), has);
        has
    }

    /// Whether there are attributes that belong to no folder: of this repository, this person or this machine.
    fn has_general_attributes(&self) -> bool {
        // Where git was installed to is not known everywhere.
        if cfg!(not(unix)) {
            return true;
        }
        let configured = self.raw.config().is_ok_and(|config| config.get_entry("core.attributesFile").is_ok());
        let home = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let own = home("XDG_CONFIG_HOME").or_else(|| home("HOME").map(|home| home.join(".config")));
        let files = [
            Some(self.raw.commondir().join("info/attributes")),
            Some(self.git_dir().join("info/attributes")),
            own.map(|folder| folder.join("git/attributes")),
            Some(Path::new("/etc/gitattributes").to_path_buf()),
        ];
        configured || files.iter().flatten().any(|file| file.exists())
    }
}
