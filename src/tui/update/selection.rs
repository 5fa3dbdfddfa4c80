//! From the cursor or the selection to what a note can be about.

use crate::diff::LineKind;
use crate::document::{Hunk, HunkLine, Section, Selector, Side, named_lines};

use super::super::form::{FormKind, Target};
use super::super::model::{Model, Pos, RecordTarget};
use super::super::part;
use super::super::records::Place;
use super::super::rows::Row;

/// What a note at the cursor can be about, the most exact first: the selection, the line, the file, the whole change.
///
/// # Errors
/// A sentence, when no note can be about what is selected.
pub(super) fn targets(model: &Model, kind: FormKind) -> Result<Vec<Target>, &'static str> {
    let (first, last) = model.selected();
    if first.part != last.part {
        return Err("a note is about one file: the selection spans several");
    }
    let part = first.part;
    let file = model.parts[part].section.tree().file.as_ref().map(|file| file.path.clone());
    let target = |(selector, quote)| Target { part, selector, file: file.clone(), quote };
    let mut targets = Vec::new();
    let lines = |model: &Model, range, on_old| lines(model, range, on_old, kind);
    if model.anchor.is_some() {
        targets.push(target(lines(model, (first, last), model.on_old)?));
    }
    // Of two lines that stand next to each other the one of the cursor's side comes first.
    for on_old in [model.on_old, !model.on_old] {
        if let Ok(line) = lines(model, (model.cursor, model.cursor), on_old) {
            targets.push(target(line));
        }
    }
    targets.dedup();
    if part > 0 {
        targets.push(target((Selector::FILE, None)));
    }
    match kind {
        FormKind::Note | FormKind::Claim | FormKind::Text | FormKind::Comment => {
            targets.push(Target { part: 0, selector: Selector::DOC, file: None, quote: None });
        }
        FormKind::Record | FormKind::Reply => {
            record_place(model, part)?;
            targets.retain(|target| matches!(target.selector.side, Side::New | Side::File));
        }
    }
    Ok(targets)
}

/// Why no note can be about what is selected, when some of it is not in the diff.
pub(super) fn outside(model: &Model) -> Option<&'static str> {
    let (first, last) = model.selected();
    let rows = &model.parts[first.part].rows;
    let end = if first.part == last.part { last.row + 1 } else { rows.len() };
    let is_outside = rows.within(first.row..end).any(|(_, row)| matches!(row, Row::Around { .. } | Row::Rest));
    is_outside.then_some("the lines around the hunks are not in the diff: no note can be about them")
}

/// The selector that names the rows from `first` to `last`, and the lines it names: added lines if there are any, else
/// removed ones, else context. Where the sides stand next to each other, removed lines come first if `on_old`. What an agent
/// searches for is in the file, so a comment is about lines of the new side if there are any.
fn lines(
    model: &Model,
    (first, last): (Pos, Pos),
    on_old: bool,
    kind: FormKind,
) -> Result<(Selector, Option<String>), &'static str> {
    let part = &model.parts[first.part];
    let mut named: Vec<(u32, u32)> =
        part.rows.within(first.row..last.row + 1).flat_map(|(_, row)| row.lines()).collect();
    named.sort_unstable();
    let nothing = "there is no line of the diff here";
    let hunk = named.first().ok_or(nothing)?.0;
    if named.iter().any(|(other, _)| *other != hunk) {
        return Err("a note's lines lie in one hunk: the selection spans several");
    }
    let lines: Vec<(&Hunk, &HunkLine)> = named.iter().map(|(hunk, line)| part.line(*hunk, *line)).collect();
    let has = |kind: LineKind| lines.iter().any(|(_, line)| line.diff_kind() == Some(kind));
    let has_new = kind == FormKind::Comment && lines.iter().any(|(hunk, line)| line.new_line(hunk).is_some());
    let old_first = on_old && model.is_split();
    let is_old = has(LineKind::Removed) && (old_first || !(has(LineKind::Added) || has_new));
    let side = if is_old { Side::Old } else { Side::New };
    let number = |(hunk, line): &(&Hunk, &HunkLine)| match side {
        Side::New => line.new_line(hunk).map(|number| number.0),
        _ => line.old_line(hunk).map(|number| number.0),
    };
    let start = lines.iter().find_map(number).ok_or(nothing)?;
    let end = lines.iter().rev().find_map(number).ok_or(nothing)?;
    let selector = Selector { side, start, end };
    Ok((selector, quoted(&part.section, selector)))
}

/// Where records about the file of a part go, and how they name it; or why none can.
pub(super) fn record_place(model: &Model, part: usize) -> Result<(Place, String), &'static str> {
    let file = model.parts[part]
        .section
        .tree()
        .file
        .as_ref()
        .ok_or("a Markback note is about a file, and none is named here")?;
    let path = file.path.as_ref();
    let place = match model.review.record_target {
        RecordTarget::Review => model.review.records.own().place.clone(),
        RecordTarget::Sidecar => Place::beside(path, &model.review.folder).ok_or("this system has no such path")?,
    };
    let name = place.path_to(path)?;
    Ok((place, name))
}

/// The lines that `selector` names, as text.
pub(super) fn quoted(section: &Section, selector: Selector) -> Option<String> {
    Some(part::quoted(section, named_lines(section.tree(), selector)?, selector.side))
}
