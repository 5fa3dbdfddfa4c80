//! Object ids as short as git writes them: long enough for the size of the repository, and unique in it.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use git2::{ErrorCode, Oid};

use super::Library;

/// The least that git abbreviates to by itself.
const SHORTEST: usize = 7;
/// Digits of a whole id.
const WHOLE: usize = 40;

impl Library {
    /// `id` as `git diff` abbreviates it: by `core.abbrev` or the number of objects, and longer where that is not
    /// unique.
    pub(super) fn abbreviated(&self, id: Oid) -> String {
        let hex = id.to_string();
        let start = self.abbreviation();
        let len = (start..WHOLE).find(|len| self.is_unique(id, *len)).unwrap_or(WHOLE);
        hex[..len].to_owned()
    }

    /// Whether no other object begins with the first `len` digits of `id`, which itself need not be there.
    fn is_unique(&self, id: Oid, len: usize) -> bool {
        let Ok(odb) = self.raw.odb() else { return true };
        match odb.exists_prefix(id, len) {
            Ok(found) => found == id,
            Err(error) => error.code() != ErrorCode::Ambiguous,
        }
    }

    /// How many digits to begin with.
    fn abbreviation(&self) -> usize {
        *self.abbreviation.get_or_init(|| {
            let configured = self.raw.config().and_then(|config| config.get_string("core.abbrev")).ok();
            match configured.as_deref().map(str::trim) {
                Some("no" | "off" | "false") => WHOLE,
                Some(text) if text.parse::<usize>().is_ok_and(|len| (4..=WHOLE).contains(&len)) => {
                    text.parse().unwrap_or(SHORTEST)
                }
                _ => digits_for(self.packed_objects()),
            }
        })
    }

    /// The number of objects in packs, here and in alternates; loose ones are so few that git leaves them out too.
    fn packed_objects(&self) -> u64 {
        let objects = self.raw.commondir().join("objects");
        let mut folders = vec![objects.clone()];
        if let Ok(list) = std::fs::read_to_string(objects.join("info/alternates")) {
            let named = list.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
            folders.extend(named.map(|line| objects.join(line)));
        }
        let packs = folders.iter().filter_map(|folder| std::fs::read_dir(folder.join("pack")).ok()).flatten();
        let indexes =
            packs.flatten().map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "idx"));
        indexes.filter_map(|path: PathBuf| objects_in_pack(&path)).sum()
    }
}

/// The last number of the fan-out table of a pack index (version 2) is the number of its objects.
fn objects_in_pack(index: &Path) -> Option<u64> {
    const LAST_FANOUT: u64 = 8 + 255 * 4;
    let mut file = File::open(index).ok()?;
    file.seek(SeekFrom::Start(LAST_FANOUT)).ok()?;
    let mut count = [0; 4];
    file.read_exact(&mut count).ok()?;
    Some(u64::from(u32::from_be_bytes(count)))
}

/// Digits that keep a collision among `objects` unlikely: half the bits of their number, four bits a digit, as the
/// birthday bound has it.
fn digits_for(objects: u64) -> usize {
    let bits = (u64::BITS - objects.leading_zeros()) as usize;
    bits.div_ceil(2).max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_grows_with_the_repository() {
        for (objects, digits) in [(0, 7), (16_383, 7), (16_384, 8), (65_535, 8), (65_536, 9), (10_000_000, 12)] {
            assert_eq!(digits_for(objects), digits, "{objects}");
        }
    }
}
