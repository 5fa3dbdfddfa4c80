//! What becomes of a file by an act on its lines: which changes it has then, whether it is there, and its mode.

use crate::document::partial::Direction;
use crate::document::{FileHeader, FileStatus};

use super::effect::{Act, ActKind};
use super::staged::Staged;

/// What becomes of a file in the index, or where it is discarded from, on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The changes that are made in it then, as ascending indices into the tree's lines.
    pub lines: Vec<u32>,
    /// Whether it is there before.
    pub was_there: bool,
    /// Whether it is there then.
    pub is_there: bool,
    /// The mode that it gets; `None`: it keeps its own.
    pub mode: Option<u32>,
}

impl Outcome {
    /// That of `act`, where the index has what the review says; `None` where that is about no file.
    ///
    /// What the change is of besides lines, the mode or that the file is there at all, comes and goes with the last of them.
    #[must_use]
    pub fn of(act: &Act) -> Option<Self> {
        let file = act.section.tree().file.as_ref()?;
        let is_forward = act.kind.direction() == Direction::Forward;
        let is_after = |line: &u32| act.is_made(*line) != act.turns(*line);
        let lines: Vec<u32> = act.section.tree().changes().filter(is_after).collect();
        let (is_none, is_all) = if act.is_of_lines() {
            (lines.is_empty(), lines.len() == act.section.tree().changes().count())
        } else {
            (!is_forward, is_forward)
        };
        let (old, new) = (file.status != FileStatus::Added, file.status != FileStatus::Deleted);
        // Where the index has just some of the lines, it has the file.
        let is_between = act.is_of_lines() && act.kind != ActKind::Discard && matches!(act.staged, Staged::Lines(_));
        let was_there = is_between || if is_forward { old } else { new };
        let is_there = if is_all { new } else { !is_none || old };
        let [old_mode, new_mode] = modes(file);
        let is_last = if is_forward { is_all } else { is_none };
        let mode = if is_last && old && new && old_mode != new_mode {
            Some(if is_forward { new_mode } else { old_mode })
        } else {
            (!was_there).then_some(if old { old_mode } else { new_mode })
        };
        Some(Self { lines, was_there, is_there, mode })
    }
}

/// The modes of both sides.
#[must_use]
pub fn modes(file: &FileHeader) -> [u32; 2] {
    [file.old_mode, file.new_mode].map(|mode| mode.unwrap_or(FileHeader::PLAIN))
}
