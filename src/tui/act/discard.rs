//! What is chosen taken back on disk.

use bstr::BString;

use crate::document::partial::Direction;
use crate::error::Error;
use crate::git::{Entry, Scope, Stored, Swap, mode};

use super::super::history::Swaps;
use super::change::Change;
use super::disk::DiskFile;

impl Change<'_> {
    /// What takes it back, and the id of the blob that keeps the file as it was.
    pub(super) fn discard(&self) -> Result<(Swaps, Option<String>), Error> {
        let (from, to) = self.ends(Direction::Reverse);
        let (there, entry) = self.on_disk()?;
        let after = if self.job.is_of_lines() {
            self.without_lines(there.as_ref(), entry)?
        } else {
            self.brought_back(&to.path, there.as_ref())?
        };
        // Before anything goes: whatever happens next, it can be found again.
        let keep = |file: &DiskFile| self.repo.keep(from.path.as_ref(), &file.content);
        let kept = there.as_ref().filter(|there| after.as_ref().is_none_or(|after| after.content != there.content));
        let kept = kept.map(keep).transpose()?;
        let disk = if from.path == to.path {
            vec![Swap { path: from.path, before: there, after }]
        } else {
            // What comes back comes first: as long as it cannot, nothing goes.
            let comes = Swap { path: to.path, before: None, after };
            vec![comes, Swap { path: from.path, before: there, after: None }]
        };
        Ok((Swaps { disk, index: self.announced()? }, kept))
    }

    /// Of a file that is no more, the index does not announce that it is to be added either (`git add --intent-to-add`).
    fn announced(&self) -> Result<Vec<Swap<Stored>>, Error> {
        let (from, to) = self.ends(Direction::Reverse);
        let stays = to.shown.is_some() && to.path == from.path;
        if !self.job.is_whole || stays || self.scope == Scope::Staged {
            return Ok(Vec::new());
        }
        let entry = self.repo.entry(from.path.as_ref())?.filter(|entry| entry.file.is_announced);
        Ok(entry.map(|entry| Swap { path: from.path, before: Some(entry.file), after: None }).into_iter().collect())
    }

    /// What is to be on disk of the file `there`, which git stores as `entry`, when the lines chosen are taken back.
    fn without_lines(&self, there: Option<&DiskFile>, entry: Option<Entry>) -> Result<Option<DiskFile>, Error> {
        let (from, to) = self.ends(Direction::Reverse);
        let before = entry.map(|entry| entry.file);
        let Some(after) = self.after(Direction::Reverse, before.as_ref(), None)? else { return Ok(None) };
        if let (Some(there), Some(before), false) = (there, &before, self.job.is_named) {
            // Lines that nobody has chosen stay, byte for byte, also where these are all that changed.
            if self.repo.smudged(from.path.as_ref(), &before.content)? != there.content {
                return Err(self.refused(
                    "git would write lines of it in another way than they are on disk, also where nothing is chosen: \
                     its name discards all of it",
                ));
            }
        }
        let same = there.filter(|_| before.is_some_and(|before| before.mode == after.mode));
        let content = self.repo.smudged(to.path.as_ref(), &after.content)?;
        Ok(Some(DiskFile::like(same, content, after.mode)))
    }

    /// The whole old side, as it is to be on disk at `path` where `there` is now.
    fn brought_back(&self, path: &BString, there: Option<&DiskFile>) -> Result<Option<DiskFile>, Error> {
        let (new, old) = self.ends(Direction::Reverse);
        let same = there.filter(|_| !self.sides.changes_mode());
        let ids = [&new, &old].map(|side| side.shown.as_ref().and_then(|shown| shown.id.as_ref()));
        if let (Some(there), [Some(new_id), old_id], Some(old)) = (there, ids, &old.shown)
            && old_id == Some(new_id)
        {
            // Only the mode or the name has changed.
            return Ok(Some(DiskFile::like(same, there.content.clone(), old.mode)));
        }
        let Some(stored) = self.before()? else { return Ok(None) };
        let content = if mode::is_file(stored.mode) {
            self.repo.smudged(path.as_ref(), &stored.content)?
        } else {
            stored.content
        };
        Ok(Some(DiskFile::like(same, content, stored.mode)))
    }
}
