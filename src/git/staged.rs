//! HEAD against the index, without a look into folders that nobody touched.

use std::fs;

use bstr::{BString, ByteSlice};
use git2::{Index, ObjectType, Oid, Tree};

use super::Library;
use super::cache_tree::{self, Below};
use super::list::{Listing, Sides, entry_side};

/// The flags of an entry of the index that say which side of a conflict it is.
const STAGE: u16 = 0x3000;

impl Library {
    /// The paths that `head` and `index` have differently. What is in a folder that the index knows to be the same tree is
    /// not looked at, which libgit2 would do.
    pub(super) fn tree_to_index(&self, head: Option<&Tree<'_>>, index: &Index) -> Result<Listing, git2::Error> {
        let file = index.path().and_then(|path| fs::read(path).ok()).unwrap_or_default();
        let known = cache_tree::folders(&file, index.len());
        let mut listing = Listing::new();
        let mut same = Vec::new();
        let mut folders: Vec<(BString, Oid)> = head.map(|tree| (BString::default(), tree.id())).into_iter().collect();
        while let Some((folder, id)) = folders.pop() {
            if known.get(&folder) == Some(&id) {
                same.push(folder);
                continue;
            }
            for entry in &self.raw.find_tree(id)? {
                let path: BString = bstr::concat([folder.as_slice(), entry.name_bytes()]).into();
                if entry.kind() == Some(ObjectType::Tree) {
                    folders.push((bstr::concat([path.as_slice(), b"/"]).into(), entry.id()));
                } else {
                    let side = entry_side(entry.filemode().cast_unsigned(), entry.id());
                    listing.insert(path, Sides { old: Some(side), new: None });
                }
            }
        }
        same.sort_unstable();
        let mut same = Below::new(&same);
        for entry in index.iter().filter(|entry| !same.has(entry.path.as_bstr())) {
            let is_conflict = entry.flags & STAGE != 0;
            let path = BString::from(entry.path);
            if is_conflict {
                listing.remove(&path);
            } else {
                listing.entry(path).or_default().new = Some(entry_side(entry.mode, entry.id));
            }
        }
        listing.retain(|_, sides| sides.old != sides.new);
        Ok(listing)
    }
}
