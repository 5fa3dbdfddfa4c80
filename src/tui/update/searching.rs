//! Searching: what is typed is looked for away from the screen, and the cursor goes from hit to hit.

use std::sync::Arc;

use super::super::around::End;
use super::super::card::nearby;
use super::super::command::Command;
use super::super::effect::Effect;
use super::super::layout::Layout;
use super::super::model::{Focus, Model, Pos, Tone};
use super::super::part::{Part, Subject};
use super::super::rows::Row;
use super::super::search::{CardText, Goal, Hit, Pattern, Reached, Scan, Scanned, Search, Spot};
use super::{looking, motion};
use crate::document::tree::Block;

/// A count in front of `n` goes no further than so many hits.
const MOST_AT_ONCE: u32 = 1000;

/// The pattern that is being typed has changed: look for it from where the reader was.
pub(super) fn typed(model: &mut Model) {
    let Some(prompt) = &mut model.prompt else { return };
    let from = prompt.from;
    prompt.problem = None;
    let pattern = if prompt.text().is_empty() { None } else { Some(Pattern::new(prompt.text())) };
    let pattern = pattern.transpose().unwrap_or_else(|reason| {
        prompt.problem = Some(reason);
        None
    });
    model.search = None;
    model.stand(from);
    if let Some(pattern) = pattern {
        begin(model, pattern);
        aim(model, true, true);
    }
}

fn begin(model: &mut Model, pattern: Pattern) {
    model.search = Some(Search::new(pattern, model.parts.len(), model.scans));
}

/// Nothing was typed: search once more for what was searched for before.
pub(super) fn again(model: &mut Model, before: Option<Search>) {
    model.search = before;
    go_on(model, true, 1);
}

/// Go to the next or previous hit; after esc, of what was searched for last.
pub(super) fn go_on(model: &mut Model, is_forward: bool, times: u32) {
    if model.search.is_none() {
        let last = model.searched.last().and_then(|last| Pattern::new(last).ok());
        let Some(pattern) = last else {
            let search = model.key(Command::Search);
            return model.say(Tone::Info, format!("nothing has been searched for yet: {search} does"));
        };
        begin(model, pattern);
    }
    for _ in 0..times.clamp(1, MOST_AT_ONCE) {
        aim(model, is_forward, false);
        if model.search.as_ref().is_none_or(|search| search.goal.is_some()) {
            return;
        }
    }
}

/// Say that there is nothing, if that is known.
pub(super) fn say_if_nothing(model: &mut Model) {
    let Some(search) = &model.search else { return };
    if let (_, 0, true) = search.count() {
        let text = format!("not found: {}", model.display.visible(search.pattern.text()));
        model.say(Tone::Info, text);
    }
}

/// Go to the nearest hit from where the cursor is, as soon as it is known.
fn aim(model: &mut Model, is_forward: bool, is_inclusive: bool) {
    let from = here(model);
    if let Some(search) = &mut model.search {
        search.goal = Some(Goal { from, is_forward, is_inclusive });
    }
    reach(model);
}

/// Go where the goal leads, if that is known by now.
fn reach(model: &mut Model) {
    let Some(search) = &mut model.search else { return };
    let Some(goal) = search.goal else { return };
    let reached = search.reach(goal);
    if reached == Reached::NotYet {
        return;
    }
    search.goal = None;
    let Reached::At { part, hit, has_wrapped } = reached else { return say_if_nothing(model) };
    search.at = Some((part, hit));
    go_to(model, part, hit);
    if has_wrapped {
        model.say(Tone::Info, if goal.is_forward { "on from the top" } else { "on from the bottom" });
    }
}

/// A part has been looked through.
pub(super) fn scanned(model: &mut Model, part: usize, ticket: u64, hits: Vec<Hit>) {
    let Some(scanned) = model.search.as_mut().and_then(|search| search.found.get_mut(part)) else { return };
    if *scanned == Scanned::Asked(ticket) {
        *scanned = Scanned::Found(hits);
        reach(model);
    }
}

/// What was found in a part does not hold any more.
pub(super) fn outdated(model: &mut Model, part: usize) {
    let Some(search) = &mut model.search else { return };
    if let Some(scanned) = search.found.get_mut(part) {
        *scanned = Scanned::No;
    }
    // Cards are named by their order.
    search.at = search.at.filter(|(at, hit)| *at != part || hit.annotation().is_none());
}

/// Part `n` is part `now[n]` now, of `count`.
pub(super) fn renumber(model: &mut Model, now: &[Option<usize>], count: usize) {
    let of = |part: usize| now.get(part).copied().flatten();
    let before = model.prompt.as_mut().and_then(|prompt| prompt.before.as_mut());
    for search in model.search.iter_mut().chain(before) {
        let mut found = vec![Scanned::No; count];
        for (part, scanned) in std::mem::take(&mut search.found).into_iter().enumerate() {
            // An answer that is under way names the part by its old number.
            if let (Some(part), Scanned::Found(_)) = (of(part), &scanned) {
                found[part] = scanned;
            }
        }
        search.found = found;
        search.at = search.at.and_then(|(part, hit)| Some((of(part)?, hit)));
        search.goal = search.goal.and_then(|goal| Some(Goal { from: (of(goal.from.0)?, goal.from.1), ..goal }));
    }
}

/// Have looked through what has not been yet, beginning with the part under the cursor.
pub(super) fn want(model: &mut Model, effects: &mut Vec<Effect>) {
    let Some(mut search) = model.search.take() else { return };
    let here = model.cursor.part;
    let mut jobs = Vec::new();
    let mut review = None;
    for part in (here..model.parts.len()).chain(0..here) {
        if search.found[part] != Scanned::No || model.parts[part].pending {
            continue;
        }
        let known = &model.parts[part];
        if known.is_hidden() {
            search.found[part] = Scanned::Found(Vec::new());
            continue;
        }
        search.found[part] = Scanned::Asked(model.scans);
        if review.is_none() && model.pending == 0 {
            review = Some(Arc::new(model.review.document.clone()));
        }
        let writer = model.writer(part);
        let cards = known.annotations.iter().enumerate().map(|(index, annotation)| {
            let text = match annotation.subject {
                Subject::Note(note) => CardText::Note(note),
                Subject::Record(_) | Subject::Comment(_) => CardText::Own(writer.words(known, annotation)),
            };
            (Hit::card(annotation.lines.map(|(first, _)| first), index), text)
        });
        jobs.push(Scan {
            ticket: model.scans,
            since: search.since,
            part,
            pattern: Arc::clone(&search.pattern),
            section: Arc::clone(&known.section),
            hidden: known.hidden_hunks.clone(),
            has_headings: model.review.passages.is_none(),
            around: known.around.clone(),
            prose: (0u32..).take(known.prose.len()).map(|at| known.prose_around(at)).collect(),
            facts: known.facts().into_iter().map(|fact| model.fact_words(known, fact)).collect(),
            cards: cards.collect(),
            display: model.display,
            review: review.clone(),
        });
        model.scans += 1;
    }
    model.search = Some(search);
    if !jobs.is_empty() {
        effects.push(Effect::Scan(jobs));
    }
}

/// Where the cursor is, in the order of hits.
fn here(model: &Model) -> (usize, Hit) {
    let part = model.cursor.part;
    if let Some(at) = model.search.as_ref().and_then(|search| search.at).filter(|at| is_at(model, *at)) {
        return at;
    }
    (part, model.row(model.cursor).map_or(Hit::TOP, |row| hit_on(&model.parts[part], row)))
}

/// The place of a row.
fn hit_on(part: &Part, row: Row) -> Hit {
    let tree = part.section.tree();
    let lines = |hunk: u32| tree.hunks[hunk as usize].lines.clone();
    let summary = u32::try_from(part.prose.len()).unwrap_or(u32::MAX);
    let is_it = |block: Block, index: u32| match row {
        Row::Hunk(hunk) => block == Block::Hunk(hunk),
        Row::Text(text) => index == text,
        _ => false,
    };
    match row {
        Row::File => Hit::TOP,
        Row::Fact(fact) => {
            let nth = part.facts().iter().position(|other| *other == fact);
            nth.and_then(|nth| u32::try_from(nth).ok()).map_or(Hit::TOP, Hit::fact)
        }
        Row::Line { line, .. } | Row::Pair { new: line, .. } | Row::Prose(line) => Hit::line(line),
        Row::Hunk(_) | Row::Text(_) => {
            let mut blocks = Hit::blocks(tree, summary);
            blocks.find(|(index, block, _)| is_it(*block, *index)).map_or(Hit::TOP, |(.., hit)| hit)
        }
        Row::Around { gap, line } if part.around.shown(tree, gap, End::Upper).contains(&line) => {
            Hit::at(lines(gap - 1).end.saturating_sub(1), Spot::Below(line))
        }
        Row::Around { gap, line } => Hit::at(lines(gap).start, Spot::Above(line)),
        // What is hidden there would come behind all that is shown.
        Row::Rest => {
            let last = u32::try_from(tree.lines.len()).unwrap_or(u32::MAX).saturating_sub(1);
            Hit::at(last, Spot::Below(u32::MAX))
        }
        Row::Card { .. } | Row::Gap => Hit::BOTTOM,
    }
}

/// Whether the cursor is still where this hit put it.
fn is_at(model: &Model, (part, hit): (usize, Hit)) -> bool {
    let focus = hit.annotation().and_then(|index| {
        let annotation = model.parts.get(part)?.annotations.get(index)?;
        Some(Focus { part, subject: annotation.subject })
    });
    model.parts.len() > part && row_of(model, part, hit) == model.cursor && (focus.is_none() || focus == model.focus)
}

/// Where a hit stands.
fn row_of(model: &Model, part: usize, hit: Hit) -> Pos {
    let rows = &model.parts[part].rows;
    let tree = model.parts[part].section.tree();
    let row = match (hit.spot, hit.line_index()) {
        (Spot::Fact(nth), _) => {
            let fact = model.parts[part].facts().get(nth as usize).copied();
            fact.and_then(|fact| rows.find(Row::Fact(fact)))
        }
        (_, None) => Some(0),
        (Spot::Block(block), _) => rows.find(match tree.blocks.get(block as usize) {
            Some(Block::Hunk(hunk)) => Row::Hunk(*hunk),
            _ => Row::Text(block),
        }),
        (Spot::Above(line) | Spot::Below(line), _) => rows.row_around(line),
        (_, Some(row)) if !model.parts[part].prose.is_empty() => rows.find(Row::Prose(row)),
        (_, Some(line)) => rows.row_of_line(line),
    };
    Pos { part, row: row.unwrap_or(0) }
}

fn go_to(model: &mut Model, part: usize, hit: Hit) {
    looking::open(model, part);
    motion::place(model, row_of(model, part, hit));
    if let Some(annotation) = hit.annotation().and_then(|index| model.parts[part].annotations.get(index)) {
        model.focus = Some(Focus { part, subject: annotation.subject });
    }
    motion::show_below(model);
    show_sideways(model, part, hit);
}

/// How far the open card has to be scrolled, so that what is found in it can be seen.
pub(super) fn row_in_card(model: &Model) -> Option<usize> {
    let (card, search) = (model.open_card.as_ref()?, model.search.as_ref()?);
    search.at.filter(|at| is_at(model, *at))?.1.annotation()?;
    let found = (0..card.rows.len()).find(|at| nearby(&card.rows, *at).begins(&search.pattern))?;
    let shown = usize::from(card.height()).saturating_sub(2);
    Some((found + 1).saturating_sub(shown))
}

/// Scroll sideways when the hit would not be on the screen.
fn show_sideways(model: &mut Model, part: usize, hit: Hit) {
    let (Some(search), Some(Layout { diff, .. })) = (&model.search, model.layout) else { return };
    let part = &model.parts[part];
    let text = match (hit.spot, hit.line_index()) {
        (Spot::Above(line) | Spot::Below(line), _) => part.around.whole().map(|whole| whole.line(line)),
        (Spot::Line, Some(line)) => {
            part.section.tree().lines.get(line as usize).map(|line| part.section.line_text(line))
        }
        _ => None,
    };
    let Some(text) = text else { return };
    let Some(place) = search.pattern.places(text).next() else { return };
    let (start, end) = (model.display.column_of(text, place.start), model.display.column_of(text, place.end));
    // Both numbers, the marks, the signs and the blanks between them.
    let room = usize::from(diff.width).saturating_sub(2 * part.reading.digits + 8).max(1);
    if start < model.left || end > model.left + room {
        model.left = if end <= room { 0 } else { start.saturating_sub(room / 2) };
    }
}
