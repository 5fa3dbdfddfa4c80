//! From the cursor or the selection to what a note can be about.

use std::ops::Range;

use crate::capture::{Heading, Neighbours};
use crate::diff::LineKind;
use crate::document::{Hunk, HunkLine, Section, Selector, Side, named_lines};

use super::super::form::{FormKind, Lines, Target};
use super::super::model::{Model, Pos, RecordTarget};
use super::super::part;
use super::super::records::Place;
use super::super::rows::Row;

/// Why a note that is one cannot be about the selection.
pub(super) const SEVERAL_HUNKS: &str = "a note's lines lie in one hunk: the selection spans several";
/// The most notes that are written at once.
const MOST_AT_ONCE: usize = 500;

/// What a note at the cursor can be about, the most exact first: the selection, the line, the file, the whole change.
///
/// # Errors
/// A sentence, when no note can be about what is selected.
pub(super) fn targets(model: &Model, kind: FormKind) -> Result<Vec<Target>, &'static str> {
    let range = selected(model)?;
    let lines = model.anchor.map(|_| lines(model, range, model.on_old, kind)).transpose()?;
    let mut targets = targets_behind(model, kind, lines.into_iter().collect())?;
    if let Some(first) = targets.first_mut().filter(|_| matches!(kind, FormKind::Comment | FormKind::Record)) {
        first.slice = slice(model, first);
    }
    Ok(targets)
}

/// The bytes of what `target` quotes that are selected by characters.
fn slice(model: &Model, target: &Target) -> Option<Range<usize>> {
    let ends = model.chosen()?;
    let quote = target.quote.as_deref().filter(|_| target.selector.side == Side::New)?;
    let number = |pos: Pos| {
        let (hunk, line) = model.parts[pos.part].line_at(model.text_line(pos)?);
        line.new_line(hunk).map(|number| number.0)
    };
    // An end on a line that is not quoted leaves the others whole.
    let [start, end] = [(ends[0], target.selector.start), (ends[1], target.selector.end)]
        .map(|((pos, at), line)| (number(pos) == Some(line)).then_some(at));
    let last = quote.rfind('\n').map_or(0, |at| at + 1);
    let range = start.unwrap_or(0)..end.map_or(quote.len(), |end| last + end);
    (!range.is_empty() && quote.get(range.clone()).is_some()).then_some(range)
}

/// The same for notes on a selection that may span several hunks: one on the lines of each.
///
/// # Errors
/// As [`targets`].
pub(super) fn targets_by_hunk(model: &Model) -> Result<Vec<Target>, &'static str> {
    let range = selected(model)?;
    let named = lines_of_rows(model, range);
    let hunks = named.chunk_by(|one, other| one.0 == other.0);
    let in_hunk = |lines: &[(u32, u32)]| in_hunk(model, range.0.part, lines, model.on_old, FormKind::Note).ok();
    let ranges: Vec<Lines> = hunks.filter_map(in_hunk).take(MOST_AT_ONCE + 1).collect();
    if ranges.is_empty() { Err(NO_LINE) } else { targets_behind(model, FormKind::Note, ranges) }
}

/// The same for notes on what no note explains, of the selection or else of the file: one on each run of added lines.
///
/// # Errors
/// As [`targets`]; or when there is no such line, or nobody knows yet.
pub(super) fn unexplained_targets(model: &Model) -> Result<Vec<Target>, &'static str> {
    let range = selected(model)?;
    let part = &model.parts[range.0.part];
    if part.pending {
        return Err("the diff of this file is still being read");
    }
    let tree = part.section.tree();
    let bare = part.reading.uncovered.iter().map(|line| {
        let hunk = tree.hunks.partition_point(|hunk| hunk.lines.end <= line);
        (u32::try_from(hunk).unwrap_or(u32::MAX), line)
    });
    let chosen = model.anchor.map(|_| lines_of_rows(model, range));
    let is_chosen = |line: &(u32, u32)| chosen.as_ref().is_none_or(|chosen| chosen.binary_search(line).is_ok());
    let mut runs: Vec<(u32, Selector)> = Vec::new();
    for (hunk, line) in bare.filter(is_chosen) {
        let (in_hunk, line) = part.line(hunk, line);
        let Some(number) = line.new_line(in_hunk).map(|number| number.0) else { continue };
        match runs.last_mut() {
            Some((last, run)) if *last == hunk && run.end.checked_add(1) == Some(number) => run.end = number,
            _ => runs.push((hunk, Selector { side: Side::New, start: number, end: number })),
        }
    }
    match runs.len() {
        0 if model.anchor.is_some() => Err("a note explains every added line of the selection"),
        0 => Err("a note explains every added line of this file"),
        _ => {
            let lines = |(_, selector)| Lines { selector, quote: quoted(&part.section, selector) };
            // One more than there may be: that they are too many is found out without reading all of them.
            targets_behind(model, FormKind::Note, runs.into_iter().take(MOST_AT_ONCE + 1).map(lines).collect())
        }
    }
}

/// The first and the last selected row, or twice that of the cursor.
fn selected(model: &Model) -> Result<(Pos, Pos), &'static str> {
    let (first, last) = model.selected();
    if first.part == last.part {
        Ok((first, last))
    } else {
        Err("a note is about one file: the selection spans several")
    }
}

/// What a note can be about: `ranges` if there are any, then what is at the cursor.
fn targets_behind(model: &Model, kind: FormKind, ranges: Vec<Lines>) -> Result<Vec<Target>, &'static str> {
    if ranges.len() > MOST_AT_ONCE {
        return Err("more than 500 notes at once: select fewer lines");
    }
    let part = model.cursor.part;
    let file = model.parts[part].section.tree().file.as_ref().map(|file| file.path.clone());
    let target = |Lines { selector, quote }| Target::new(part, selector, file.clone(), quote);
    let mut ranges = ranges.into_iter();
    let mut targets: Vec<Target> = ranges.next().map(target).into_iter().collect();
    if let Some(first) = targets.first_mut() {
        first.more = ranges.collect();
    }
    // Of two lines that stand next to each other the one of the cursor's side comes first.
    for on_old in [model.on_old, !model.on_old] {
        if let Ok(line) = lines(model, (model.cursor, model.cursor), on_old, kind) {
            targets.push(target(line));
        }
    }
    if kind == FormKind::Comment {
        targets.extend(under_heading(model).map(target));
    }
    targets.dedup();
    if part > 0 {
        targets.push(Target::new(part, Selector::FILE, file.clone(), None));
    }
    match kind {
        FormKind::Note | FormKind::Claim | FormKind::Text | FormKind::Comment | FormKind::Decision => {
            targets.push(Target::doc());
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

/// What stands under the heading that the cursor is below, with the heading itself, up to the next one that is not deeper.
fn under_heading(model: &Model) -> Option<Lines> {
    let part = &model.parts[model.cursor.part];
    let (hunk, line) = model.text_line(model.cursor)?;
    let outline = &part.reading.outline;
    let at = outline.partition_point(|(heading, _)| *heading <= line).checked_sub(1)?;
    let (first, Heading { level, .. }) = &outline[at];
    let next = outline[at + 1..].iter().find(|(_, other)| other.level <= *level);
    let end = next.map_or(part.section.tree().hunks[hunk as usize].lines.end, |(next, _)| *next);
    let has_text = |line: &u32| !part.section.line_text(part.line(hunk, *line).1).trim_ascii().is_empty();
    let number = |line: u32| {
        let (hunk, line) = part.line(hunk, line);
        line.new_line(hunk).map(|number| number.0)
    };
    let last = (*first..end).rev().find(|line| has_text(line) && number(*line).is_some())?;
    let selector = Selector { side: Side::New, start: number(*first)?, end: number(last)? };
    Some(Lines { selector, quote: quoted(&part.section, selector) })
}

const NO_LINE: &str = "there is no line of the diff here";

/// The lines of the rows from `first` to `last` of a part, with their hunks, in order.
fn lines_of_rows(model: &Model, (first, last): (Pos, Pos)) -> Vec<(u32, u32)> {
    let rows = model.parts[first.part].rows.within(first.row..last.row + 1);
    let mut named: Vec<(u32, u32)> = rows.flat_map(|(_, row)| row.lines()).collect();
    named.sort_unstable();
    named
}

/// What a note on the rows from `first` to `last` is about, when they lie in one hunk.
fn lines(model: &Model, range: (Pos, Pos), on_old: bool, kind: FormKind) -> Result<Lines, &'static str> {
    let named = lines_of_rows(model, range);
    if named.first().map(|line| line.0) != named.last().map(|line| line.0) {
        return Err(SEVERAL_HUNKS);
    }
    in_hunk(model, range.0.part, &named, on_old, kind)
}

/// The selector that names these lines of a hunk, and what they read: added lines if there are any, else removed ones, else
/// context. Where the sides stand next to each other, removed lines come first if `on_old`. What an agent searches for is in
/// the file, so a comment is about lines of the new side if there are any.
fn in_hunk(
    model: &Model,
    part: usize,
    named: &[(u32, u32)],
    on_old: bool,
    kind: FormKind,
) -> Result<Lines, &'static str> {
    let part = &model.parts[part];
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
    let start = lines.iter().find_map(number).ok_or(NO_LINE)?;
    let end = lines.iter().rev().find_map(number).ok_or(NO_LINE)?;
    let selector = Selector { side, start, end };
    Ok(Lines { selector, quote: quoted(&part.section, selector) })
}

/// That a note on the selection is about the lines of one side, where it has changed lines of both.
pub(super) fn one_sided(model: &Model, target: &Target) -> Option<&'static str> {
    let (first, last) = model.anchor.map(|_| model.selected())?;
    let part = &model.parts[first.part];
    let lines = lines_of_rows(model, (first, last));
    let has = |kind: LineKind| lines.iter().any(|(hunk, line)| part.line(*hunk, *line).1.diff_kind() == Some(kind));
    match target.selector.side {
        Side::New if has(LineKind::Removed) => {
            Some("this is about the lines as they are now; removed ones take a note of their own")
        }
        Side::Old if has(LineKind::Added) => {
            Some("this is about the removed lines; added ones take a note of their own")
        }
        _ => None,
    }
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

/// The lines of `target` with those next to them, as far as they are in its hunk; `None` when there are none.
pub(super) fn widened(model: &Model, target: &Target) -> Option<Target> {
    let section = &model.parts.get(target.part)?.section;
    let Neighbours { above, below } = neighbours(model, target);
    let Selector { side, start, end } = target.selector;
    let selector = Selector { side, start: start - above.len() as u64, end: end + below.len() as u64 };
    let quote = quoted(section, selector).filter(|_| selector != target.selector)?;
    Some(Target::new(target.part, selector, target.file.clone(), Some(quote)))
}

/// What stands next to the lines of `target`.
pub(super) fn neighbours(model: &Model, target: &Target) -> Neighbours {
    let part = model.parts.get(target.part).filter(|_| target.quote.is_some());
    part.map_or_else(Neighbours::default, |part| part::neighbours(&part.section, target.selector))
}

/// The lines that `selector` names, as text.
pub(super) fn quoted(section: &Section, selector: Selector) -> Option<String> {
    Some(part::quoted(section, named_lines(section.tree(), selector)?, selector.side))
}
