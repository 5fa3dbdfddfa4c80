//! Which ids the object store on disk holds: what an abbreviation has to be told from. Read straight from the pack
//! indexes and the folders of loose objects, since libgit2 reads a folder again for every question.

use std::array;
use std::cell::OnceCell;
use std::env;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use git2::Oid;

/// Bytes of an id.
const ID_LEN: usize = 20;
/// Entries of a pack index that are read at a time. Ids are evenly spread, so this many around the place where one is
/// expected nearly always hold it.
const WINDOW: u64 = 128;
/// How often object stores may name others, as with git.
const DEEPEST: usize = 5;

/// The ids of all objects on disk.
pub(super) struct Ids {
    packs: Vec<PackIndex>,
    /// The object folders: the repository's own, and those it borrows from.
    folders: Vec<PathBuf>,
    /// By first byte, in order, once somebody asked.
    loose: Vec<OnceCell<Vec<Oid>>>,
}

impl Ids {
    /// Those in the folder `objects`, or where the environment says, and in the stores that it borrows from.
    pub(super) fn below(objects: &Path) -> Self {
        let own = env::var_os("GIT_OBJECT_DIRECTORY").map_or_else(|| objects.to_path_buf(), PathBuf::from);
        let mut folders = Vec::new();
        add_with_alternates(own, 0, &mut folders);
        if let Some(more) = env::var_os("GIT_ALTERNATE_OBJECT_DIRECTORIES") {
            env::split_paths(&more).for_each(|folder| add_with_alternates(folder, 0, &mut folders));
        }
        let listed = folders.iter().filter_map(|folder| fs::read_dir(folder.join("pack")).ok()).flatten().flatten();
        let indexes = listed.map(|entry| entry.path()).filter(|path| path.extension().is_some_and(|e| e == "idx"));
        Self {
            packs: indexes.filter_map(|path| PackIndex::open(&path).ok()).collect(),
            folders,
            loose: vec![OnceCell::new(); 256],
        }
    }

    /// The number of objects in packs.
    pub(super) fn packed(&self) -> u64 {
        self.packs.iter().map(PackIndex::len).sum()
    }

    /// The most digits that another id begins with as `id` does.
    pub(super) fn digits_shared(&self, id: Oid) -> usize {
        let first = usize::from(id.as_bytes()[0]);
        let loose = self.loose[first].get_or_init(|| self.loose_ids(id.as_bytes()[0]));
        let at = loose.partition_point(|other| *other < id);
        let after = loose[at..].iter().find(|other| **other != id);
        let near = loose[..at].last().into_iter().chain(after);
        let in_loose = near.map(|other| shared(id.as_bytes(), other.as_bytes())).max();
        // An index that cannot be read any more tells nothing apart.
        let in_packs = self.packs.iter().filter_map(|pack| pack.digits_shared(id.as_bytes()).ok()).max();
        in_loose.max(in_packs).unwrap_or(0)
    }

    fn loose_ids(&self, first: u8) -> Vec<Oid> {
        let first = format!("{first:02x}");
        let listed = self.folders.iter().filter_map(|folder| fs::read_dir(folder.join(&first)).ok()).flatten();
        let id = |name: std::ffi::OsString| Oid::from_str(&format!("{first}{}", name.to_str()?)).ok();
        let mut ids: Vec<Oid> = listed.flatten().filter_map(|entry| id(entry.file_name())).collect();
        ids.sort_unstable();
        ids
    }
}

/// Add `folder`, and the folders that its `info/alternates` names.
fn add_with_alternates(folder: PathBuf, depth: usize, folders: &mut Vec<PathBuf>) {
    if depth > DEEPEST || folders.contains(&folder) {
        return;
    }
    let list = fs::read_to_string(folder.join("info/alternates")).unwrap_or_default();
    let named: Vec<PathBuf> =
        list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(|line| folder.join(line)).collect();
    folders.push(folder);
    named.into_iter().for_each(|folder| add_with_alternates(folder, depth + 1, folders));
}

/// The number of hexadecimal digits that two ids have in common at their beginning.
fn shared(one: &[u8], other: &[u8]) -> usize {
    let bytes = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let half = one.get(bytes).zip(other.get(bytes)).is_some_and(|(one, other)| one >> 4 == other >> 4);
    2 * bytes + usize::from(half)
}

/// The sorted ids of a pack, on disk.
struct PackIndex {
    file: File,
    /// Where its entries begin, and how long one is; the id is at its end.
    start: u64,
    stride: usize,
    /// How many entries begin with a byte up to this.
    fanout: [u32; 256],
}

impl PackIndex {
    fn open(path: &Path) -> io::Result<Self> {
        const VERSION_2: &[u8] = b"\xfftOc\0\0\0\x02";
        let mut file = File::open(path)?;
        let mut head = [0; 8];
        file.read_exact(&mut head)?;
        // The first version has no head, and an offset in front of each id.
        let (table, stride) = if head == VERSION_2 { (8, ID_LEN) } else { (0, 4 + ID_LEN) };
        file.seek(SeekFrom::Start(table))?;
        let mut counts = [0; 4 * 256];
        file.read_exact(&mut counts)?;
        let count = |at: usize| u32::from_be_bytes(array::from_fn(|byte| counts[4 * at + byte]));
        Ok(Self { file, start: table + 4 * 256, stride, fanout: array::from_fn(count) })
    }

    fn len(&self) -> u64 {
        u64::from(self.fanout[255])
    }

    /// The most digits that another id begins with as `id` does, among those with the same first byte.
    fn digits_shared(&self, id: &[u8]) -> io::Result<usize> {
        let first = usize::from(id[0]);
        let begin = if first == 0 { 0 } else { u64::from(self.fanout[first - 1]) };
        let end = u64::from(self.fanout[first]);
        let fraction = u64::from(u32::from_be_bytes(array::from_fn(|byte| id[byte + 1])));
        let expected = begin + (((end.saturating_sub(begin)) * fraction) >> u32::BITS);
        let (mut from, mut to) = (expected.saturating_sub(WINDOW / 2).max(begin), (expected + WINDOW / 2).min(end));
        while from < to {
            let entries = self.read(from, to)?;
            let ids: Vec<&[u8]> =
                entries.chunks_exact(self.stride).map(|entry| &entry[self.stride - ID_LEN..]).collect();
            let at = ids.partition_point(|other| *other < id);
            let next = at + usize::from(ids.get(at) == Some(&id));
            // Both neighbours have to be seen, where there are any.
            if at == 0 && from > begin {
                (from, to) = (from.saturating_sub(WINDOW).max(begin), (from + 2).min(end));
            } else if next == ids.len() && to < end {
                (from, to) = (to.saturating_sub(2).max(begin), (to + WINDOW).min(end));
            } else {
                let near = at.checked_sub(1).and_then(|before| ids.get(before)).into_iter().chain(ids.get(next));
                return Ok(near.map(|other| shared(id, other)).max().unwrap_or(0));
            }
        }
        Ok(0)
    }

    /// The bytes of the entries `from..to`.
    fn read(&self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(self.start + from * self.stride as u64))?;
        let mut entries = vec![0; usize::try_from(to - from).unwrap_or(0) * self.stride];
        file.read_exact(&mut entries)?;
        Ok(entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_in_common() {
        for (one, other, digits) in [
            (&[0x12, 0x34][..], &[0x22, 0x34][..], 0),
            (&[0x12, 0x34], &[0x13, 0x34], 1),
            (&[0x12, 0x34], &[0x12, 0x44], 2),
            (&[0x12, 0x34], &[0x12, 0x34], 4),
        ] {
            assert_eq!(shared(one, other), digits, "{one:x?} {other:x?}");
        }
    }

    /// A pack index of the second version, as far as it is read.
    fn index(ids: &[[u8; ID_LEN]]) -> tempfile::NamedTempFile {
        let counts = (0..=255u8).flat_map(|first| {
            let upto = ids.iter().filter(|id| id[0] <= first).count();
            u32::try_from(upto).unwrap().to_be_bytes()
        });
        let bytes: Vec<u8> = b"\xfftOc\0\0\0\x02".iter().copied().chain(counts).chain(ids.concat()).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), bytes).unwrap();
        file
    }

    #[test]
    fn neighbours_are_found_wherever_they_are() {
        // Evenly spread ids, and a bulge of near ones that is nowhere where it is expected.
        let even = (0..2000u32).map(|n| n.wrapping_mul(2_147_483));
        let bulge = (0..1000u32).map(|n| 0x7f00_0000 + n);
        let mut ids: Vec<[u8; ID_LEN]> = even
            .chain(bulge)
            .map(|n| {
                let mut id = [0; ID_LEN];
                id[..4].copy_from_slice(&n.to_be_bytes());
                id
            })
            .collect();
        ids.sort_unstable();
        ids.dedup();
        let file = index(&ids);
        let pack = PackIndex::open(file.path()).unwrap();
        assert_eq!(pack.len(), ids.len() as u64);
        let absent = ids.iter().map(|id| {
            let mut id = *id;
            id[3] ^= 1;
            id
        });
        for id in ids.iter().copied().chain(absent) {
            let others = ids.iter().filter(|other| **other != id && other[0] == id[0]);
            let most = others.map(|other| shared(&id, other)).max().unwrap_or(0);
            assert_eq!(pack.digits_shared(&id).unwrap(), most, "{id:x?}");
        }
    }
}
