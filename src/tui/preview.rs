//! What an act on the code will do, before it is done: what happens to the file, and its lines as they change, with those
//! that stand around them.

use crate::diff::LineKind;
use crate::document::partial::{Direction, Fate, fates, is_unended};
use crate::document::{FileHeader, FileStatus, Scope, Section};
use crate::git::mode;

use super::effect::{Act, ActKind, Preview};
use super::msg::Msg;
use super::outcome::{Outcome, modes};
use super::staged::Staged;
use super::surviving::surviving;

/// The lines that are shown above and below one that changes.
const AROUND: usize = 3;

/// A row of a preview.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PreviewRow {
    /// What happens besides lines.
    Said(String),
    /// A line that stands there, goes or comes.
    Line(PreviewLine),
    /// That the line above has no line end.
    Unended,
    /// Lines that stay are left out.
    Gap,
}

/// A line of a preview.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviewLine {
    /// Whether it is in the other section of the act.
    pub is_of_other: bool,
    /// Its index into the lines of the section's tree.
    pub line: u32,
    /// What becomes of it.
    pub fate: Fate,
    /// Its numbers before and after, where it is there.
    pub numbers: [u64; 2],
}

/// Work out what an act will do.
#[must_use]
pub fn work_out(job: &Preview) -> Msg {
    let Preview { ticket, act, sizes } = job;
    let worked_out = surviving(|| (act.what(), preview(act, *sizes)));
    // Somebody waits for it, and is told there.
    let unknown = |reason| (act.section.path_text().into_owned(), vec![PreviewRow::Said(reason)]);
    let (what, rows) = worked_out.unwrap_or_else(unknown);
    Msg::Previewed { ticket: *ticket, what, rows }
}

/// The rows of what `act` will do; `sizes` are the bytes of both sides where they are no text.
#[must_use]
pub fn preview(act: &Act, sizes: [Option<u64>; 2]) -> Vec<PreviewRow> {
    let mut rows: Vec<PreviewRow> = said(act, sizes).into_iter().map(PreviewRow::Said).collect();
    let mut own = Vec::new();
    add_lines(&mut own, &act.section, false, (&|line| act.is_made(line), &|line| act.turns(line)));
    let mut others = Vec::new();
    if let Some(other) = &act.other {
        let is_made = act.kind.direction() == Direction::Reverse;
        add_lines(&mut others, other, true, (&|_| is_made, &|_| true));
    }
    // What goes stands above what comes.
    let comes = |rows: &[PreviewRow]| matches!(rows.first(), Some(PreviewRow::Line(line)) if line.fate == Fate::Comes);
    let (first, second) = if comes(&own) { (others, own) } else { (own, others) };
    rows.extend(first);
    rows.extend(second);
    rows
}

/// Add the lines of a section: of its changes some are made, and some are to be turned around.
fn add_lines(
    rows: &mut Vec<PreviewRow>,
    section: &Section,
    is_of_other: bool,
    (is_made, is_turned): (&impl Fn(u32) -> bool, &impl Fn(u32) -> bool),
) {
    // How far what is there, and what will be, is shifted against the old side.
    let (mut made, mut shift) = (0i64, 0i64);
    let is_first = rows.len();
    for hunk in &section.tree().hunks {
        let all: Vec<(u32, Fate)> = fates(section, hunk, is_made, is_turned).collect();
        let is_near = near(&all);
        let mut before = hunk.first_old.saturating_add_signed(made);
        let mut is_left_out = rows.len() > is_first;
        for ((line, fate), is_near) in all.into_iter().zip(is_near) {
            let after = before.saturating_add_signed(shift);
            match fate {
                Fate::Stays => before = before.saturating_add(1),
                Fate::Goes => (before, shift) = (before.saturating_add(1), shift - 1),
                Fate::Comes => shift += 1,
            }
            if !is_near {
                is_left_out = rows.len() > is_first;
                continue;
            }
            if std::mem::take(&mut is_left_out) {
                rows.push(PreviewRow::Gap);
            }
            let own = if fate == Fate::Comes { before } else { before - 1 };
            rows.push(PreviewRow::Line(PreviewLine { is_of_other, line, fate, numbers: [own, after] }));
            rows.extend(is_unended(section, hunk, line).then_some(PreviewRow::Unended));
        }
        let lines = hunk.lines.clone().zip(section.tree().hunk_lines(hunk));
        made += lines.filter(|(index, _)| is_made(*index)).map(|(_, line)| growth(line.diff_kind())).sum::<i64>();
    }
}

/// How many lines more a text has when a change of this kind is made in it.
fn growth(kind: Option<LineKind>) -> i64 {
    match kind {
        Some(LineKind::Added) => 1,
        Some(LineKind::Removed) => -1,
        _ => 0,
    }
}

/// For each line whether one that changes is near.
fn near(lines: &[(u32, Fate)]) -> Vec<bool> {
    let mut is_near = vec![false; lines.len()];
    let mut until = 0;
    for (at, _) in lines.iter().enumerate().filter(|(_, (_, fate))| *fate != Fate::Stays) {
        let end = (at + AROUND + 1).min(lines.len());
        is_near[at.saturating_sub(AROUND).max(until)..end].fill(true);
        until = end;
    }
    is_near
}

/// What happens besides lines, in sentences.
fn said(act: &Act, sizes: [Option<u64>; 2]) -> Vec<String> {
    let Some((file, outcome)) = act.section.tree().file.as_ref().zip(Outcome::of(act)) else { return Vec::new() };
    let mut said = vec![replaced(act).unwrap_or_else(|| presence(act, file, &outcome))];
    let is_renamed = act.is_whole && file.old_path.is_some();
    if act.kind == ActKind::Discard && outcome.was_there && (!outcome.is_there || is_renamed) {
        let scope = act.basis.compares(&act.meta);
        if matches!(scope, Some(Scope::Unstaged | Scope::Worktree)) {
            let what = if is_renamed { "the new name" } else { "it" };
            said.push(format!("The index no longer announces {what}, where it did (git add -N)."));
        }
    }
    if act.kind == ActKind::Discard && act.basis.compares(&act.meta) == Some(Scope::Staged) {
        said.push("What is staged stays staged.".to_owned());
    }
    said.extend(displaced(act));
    let turned =
        |[old, new]: [String; 2]| if act.kind.direction() == Direction::Forward { [old, new] } else { [new, old] };
    if let (Some(mode), true, true) = (outcome.mode, outcome.was_there, outcome.is_there) {
        let [was, _] = turned(modes(file).map(|mode| format!("{mode:o}")));
        said.push(match act.staged {
            // Some of it is staged, the mode perhaps too.
            Staged::Lines(_) if act.kind != ActKind::Discard => format!("Its mode is {mode:o} then."),
            _ => format!("Its mode becomes {mode:o}; it was {was}."),
        });
    }
    if file.binary && act.is_whole {
        let size = |size: Option<u64>| size.map_or("no file".to_owned(), |size| format!("{size} bytes"));
        let [was, is] = turned(sizes.map(size));
        said.push(format!("It is no text: {was} become {is}."));
    }
    said
}

/// What goes to make room, where that is so.
fn displaced(act: &Act) -> Option<String> {
    let what = match act.displaced.as_slice() {
        [] => return None,
        [only] => only.path_text().into_owned(),
        more => format!("{} files in a folder of its name", more.len()),
    };
    let goes = if act.displaced.len() == 1 { "goes, which is" } else { "go, which are" };
    Some(match act.kind {
        ActKind::Stage | ActKind::Unstage => format!("In the index {what} {goes} in its place."),
        ActKind::Discard => format!("On disk {what} {goes} in its place; what is in there is kept."),
    })
}

/// Which kind of thing takes the place of which, where that is what happens.
fn replaced(act: &Act) -> Option<String> {
    let other = act.other.as_ref().filter(|_| act.is_whole)?;
    let header = |section: &Section| section.tree().file.clone();
    let kind = |file: &FileHeader| mode::name(file.old_mode.or(file.new_mode).unwrap_or(FileHeader::PLAIN));
    let (own, other) = (header(&act.section)?, header(other)?);
    let comes = (own.status == FileStatus::Added) == (act.kind.direction() == Direction::Forward);
    let (new, old) = if comes { (&own, &other) } else { (&other, &own) };
    let place = if act.kind == ActKind::Discard { "On disk" } else { "In the index" };
    Some(format!("{place} a {} takes the place of a {}.", kind(new), kind(old)))
}

/// Whether the file comes, goes, has another name, or changes where it is.
fn presence(act: &Act, file: &FileHeader, outcome: &Outcome) -> String {
    if let (FileStatus::Renamed, true) = (file.status, act.is_whole) {
        let old_name = file.old_path.as_ref().map(ToString::to_string).unwrap_or_default();
        return match act.kind {
            ActKind::Stage => format!("In the index it is renamed from {old_name}."),
            ActKind::Unstage => format!("In the index its name is {old_name} again."),
            ActKind::Discard => format!("On disk its name is {old_name} again."),
        };
    }
    let said = match (act.kind, outcome.was_there, outcome.is_there) {
        (ActKind::Stage, false, true) => "In the index the file comes into being; on disk nothing changes.",
        (ActKind::Stage, true, false) => "In the index the file is deleted.",
        (ActKind::Unstage, true, false) => "The file is no longer in the index; on disk it stays.",
        (ActKind::Unstage, false, true) => "The file is in the index again; on disk nothing changes.",
        (ActKind::Discard, true, false) => "The file on disk is deleted; what is in it is kept.",
        (ActKind::Discard, false, true) => "The file comes back on disk.",
        (ActKind::Discard, ..) => "On disk it changes like this; the file as it was is kept.",
        (ActKind::Stage | ActKind::Unstage, ..) => "In the index it changes like this; on disk nothing does.",
    };
    said.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn numbers_too_large_to_count_on_go_as_far_as_they_can() {
        let hunk = "@@ -99999999999999999999 +99999999999999999999 @@\n a\n-b\n+c\n";
        let document = Document::parse(format!("@file f modified\n{hunk}"));
        let mut rows = Vec::new();
        add_lines(&mut rows, &document.parts()[1], false, (&|_| false, &|_| true));
        let fates = rows.iter().map(|row| match row {
            PreviewRow::Line(line) => line.fate,
            other => panic!("{other:?} is no line"),
        });
        assert_eq!(fates.collect::<Vec<_>>(), [Fate::Stays, Fate::Goes, Fate::Comes]);
    }
}
