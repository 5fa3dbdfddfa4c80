//! The line at the top: what is reviewed, where the review lives, and how much of it is explained and verified.

use std::path::Path;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::command::Command;
use super::super::form::Form;
use super::super::model::{Model, Refreshing, Sending, Totals};
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::document::ReviewStatus;
use crate::metrics::share;
use crate::session::NOBODY;
use crate::text::counted::counted;

/// The most columns for what the agent does.
const AGENT: usize = 32;
/// The cells of a gauge.
const GAUGE: usize = 10;

/// The least columns of the words for what is reviewed.
const LEAST_SCOPE: usize = 8;
/// The columns that are kept for what is reviewed.
const TITLE: usize = 24;

pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    canvas.fill(area, canvas.style(Role::Header));
    let right = fitting(states(model, canvas, area.width), canvas, usize::from(area.width).saturating_sub(TITLE));
    let taken = canvas.width(&right);
    let room = area.width.saturating_sub(taken + 2);
    canvas.put(area.x, area.y, room, &title(model, canvas, room));
    canvas.put(area.right().saturating_sub(taken + 1), area.y, taken, &right);
}

/// How much a reader wants to know something when there is not room for all of it: the least first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    Low,
    Middle,
    High,
}

/// Something that the header says of the review.
type State = (Weight, Vec<(Style, String)>);

/// What fits into `columns` columns: of equal weight, rather what stands further left.
fn fitting(mut states: Vec<State>, canvas: &Canvas<'_>, columns: usize) -> Vec<(Style, String)> {
    loop {
        let joined: Vec<(Style, String)> = states
            .iter()
            .enumerate()
            .flat_map(|(index, (_, texts))| {
                let gap = (index > 0).then(|| (canvas.style(Role::Header), "  ".to_owned()));
                gap.into_iter().chain(texts.iter().cloned())
            })
            .collect();
        let least = states.iter().enumerate().rev().min_by_key(|(_, (weight, _))| *weight).map(|(index, _)| index);
        match least {
            Some(least) if usize::from(canvas.width(&joined)) > columns => drop(states.remove(least)),
            _ => return joined,
        }
    }
}

/// What is reviewed. Where the review lies is said as far as there is room behind everything else.
fn title(model: &Model, canvas: &Canvas<'_>, room: u16) -> Vec<(Style, String)> {
    let header = canvas.style(Role::Header);
    let dim = canvas.over(header, Role::Dim);
    let mut texts = vec![match model.filter.is_on() {
        true => (canvas.over(header, Role::Warning), hidden_words(model)),
        false => (canvas.over(header, Role::Path), " whymark ".to_owned()),
    }];
    // What has a place of its own, as far as there is room: what is reviewed, and where the review lies.
    let (scope_at, mut path_at) = (texts.len(), texts.len());
    let is_another = model.review.missing > 0 || model.parts.iter().any(|part| part.is_stale);
    let decided = match model.review_status() {
        ReviewStatus::Pending => None,
        ReviewStatus::Approved if is_another => Some((Role::Stale, "✓ approved, changed since")),
        ReviewStatus::Approved => Some((Role::ClaimPass, "✓ approved")),
        ReviewStatus::ChangesRequested => Some((Role::Warning, "✗ changes-requested")),
    };
    if let Some((role, words)) = decided {
        texts.push((canvas.over(header, role), format!(" · {words}")));
        path_at += 1;
    }
    let looks =
        [(model.looks.hides_viewed, " · without what is viewed"), (model.looks.only_new, " · only what is new")];
    texts.extend(
        looks
            .iter()
            .filter(|(is_so, _)| *is_so)
            .map(|(_, text)| (canvas.over(header, Role::Warning), (*text).to_owned())),
    );
    let is_review = model.since.is_none();
    if is_review && model.outbox.iter().any(|outgoing| outgoing.state != Sending::Aside) {
        texts.push((dim, " · saving".to_owned()));
    } else if is_review && !model.review.on_disk && model.review.read_only.is_none() {
        texts.push((dim, " · unwritten".to_owned()));
    }
    let path = Path::new(&model.review.shown_path);
    let names = [Some(path), path.file_name().map(Path::new)].into_iter().flatten().filter_map(Path::to_str);
    let mut shown = names.map(|name| (dim, format!(" · {}", model.display.visible(name))));
    let scope = model.shown(model.review.scope.as_bytes());
    let left = usize::from(room.saturating_sub(canvas.width(&texts)));
    let taken = model.display.width(&scope) + 1;
    if model.review.shown_path != model.review.scope
        && let Some(name) = shown.find(|name| taken + usize::from(canvas.width(std::slice::from_ref(name))) <= left)
    {
        texts.insert(path_at, name);
    }
    // Whatever there is no room for, something of what is reviewed is there.
    let scope = model.display.fit(scope, left.saturating_sub(1).max(LEAST_SCOPE));
    texts.insert(scope_at, (header, format!(" {}", scope.trim_end())));
    texts
}

/// That not everything is shown, and how to have it shown.
fn hidden_words(model: &Model) -> String {
    let notes: usize = model.parts.iter().map(|part| part.hidden_notes).sum();
    let hunks = model.parts.iter().flat_map(|part| &part.hidden_hunks).filter(|is_hidden| **is_hidden).count();
    let hidden = match hunks {
        0 => counted(notes, "note"),
        hunks => format!("{}, {}", counted(hunks, "hunk"), counted(notes, "note")),
    };
    format!(" {hidden} hidden ({}), shown: {} ", model.key(Command::ClearFilter), model.filter.words())
}

/// What is being done meanwhile.
fn progress(model: &Model) -> Vec<(Weight, String)> {
    let mut doing = Vec::new();
    if model.pending > 0 {
        let read = model.parts.len() - model.pending;
        doing.push((Weight::Low, format!("reading {read}/{}", model.parts.len())));
    }
    if let Some(Refreshing { done, count, .. }) = model.refreshing.filter(Refreshing::is_shown) {
        let how_far = if count > 0 { format!("comparing {done}/{count}") } else { "looking for changes".to_owned() };
        doing.push((Weight::Middle, how_far));
    }
    doing
}

fn states(model: &Model, canvas: &Canvas<'_>, width: u16) -> Vec<State> {
    let over = |role: Role| canvas.over(canvas.style(Role::Header), role);
    let stats = model.totals();
    let mut states = Vec::new();
    let mut say = |weight: Weight, role: Role, text: String| states.push((weight, vec![(over(role), text)]));
    progress(model).into_iter().for_each(|(weight, text)| say(weight, Role::Dim, text));
    if model.review.read_only.is_some() && model.since.is_none() {
        say(Weight::High, Role::Warning, "read-only".to_owned());
    }
    if model.news.is_some() {
        say(Weight::High, Role::Stale, "changed on disk".to_owned());
    }
    let (viewed, files) = model.viewed();
    if viewed > 0 {
        say(Weight::Low, Role::Dim, format!("{viewed}/{files} viewed"));
    }
    if model.since.is_none() && model.review.passages.is_none() {
        let bars = width >= 130;
        let mut explained = gauge(canvas, "explained", &stats, (stats.covered, stats.stubbed), bars);
        if stats.stubs > 0 {
            // What is covered and not said yet belongs to the number that counts it.
            explained.push((over(Role::Warning), format!(" · {} to write", stats.stubs)));
        }
        states.push((Weight::High, explained));
        states.push((Weight::Middle, gauge(canvas, "claimed", &stats, (stats.verified, 0), bars)));
    }
    let mut say = |weight: Weight, role: Role, text: String| states.push((weight, vec![(over(role), text)]));
    if stats.open_items > 0 {
        say(Weight::Middle, Role::Warning, format!("{}{} open", canvas.symbol("⚑", "!"), stats.open_items));
    }
    if stats.orphans > 0 {
        say(Weight::Middle, Role::ClaimFail, format!("{}{} orphaned", canvas.symbol("↯", "!"), stats.orphans));
    }
    let kept = model.kept_texts();
    if kept > 0 && model.since.is_none() {
        let text = format!("{}{} kept: {}", canvas.symbol("✎", "*"), counted(kept, "text"), model.key(Command::Kept));
        say(Weight::High, Role::Warning, text);
    }
    if model.unkept.is_some() && (kept > 0 || model.form.as_ref().is_some_and(Form::has_text)) {
        say(Weight::High, Role::Warning, "draft not on disk".to_owned());
    }
    let unsent = model.talk.unsent.len();
    if unsent > 0 {
        say(Weight::High, Role::Warning, format!("{}{unsent} not sent", canvas.symbol("✎", "*")));
    }
    // That no agent listens matters to those who have something to say to one.
    let line = model.talk.news();
    let is_idle = line == NOBODY && model.talk.shown.is_empty();
    if !line.is_empty() && !is_idle {
        let line = model.shown(line.as_bytes());
        say(Weight::Middle, Role::Note, model.display.fit(&line, AGENT));
    }
    let stale = model.parts.iter().filter(|part| part.is_stale).count();
    let missing = model.review.missing;
    if stale > 0 {
        say(Weight::High, Role::Stale, format!("{}{stale} stale", canvas.symbol("⌛", "~")));
    }
    if missing > 0 {
        say(Weight::High, Role::Stale, format!("+{missing} not shown"));
    }
    if (stale > 0 || missing > 0) && model.review.basis.is_some() && model.refreshing.is_none() {
        say(Weight::Middle, Role::Stale, format!("{} refreshes", model.key(Command::Refresh)));
    }
    states
}

/// A name, a bar where there is room, and the share that so many of the added lines are in per cent; a dash where there is
/// nothing to have a share of. Of those lines so many wait to be explained: the bar shows them apart, and the colour is
/// no praise for them.
fn gauge(
    canvas: &Canvas<'_>,
    name: &str,
    totals: &Totals,
    (lines, waiting): (u64, u64),
    bar: bool,
) -> Vec<(Style, String)> {
    let header = canvas.style(Role::Header);
    let mut texts = vec![(header, format!("{name} "))];
    if totals.added == 0 {
        texts.push((canvas.over(header, Role::Dim), "–".to_owned()));
        return texts;
    }
    let (whole, said) = (share(lines, totals.added), share(lines - waiting, totals.added));
    let style = canvas.over(header, level(said));
    let warning = canvas.over(header, Role::Warning);
    if bar {
        let [said, waiting, rest] = cells(GAUGE, [lines - waiting, waiting], totals.added);
        texts.push((style, canvas.symbol("█", "#").repeat(said)));
        texts.push((warning, canvas.symbol("▒", "-").repeat(waiting)));
        texts.push((canvas.over(header, Role::Dim), canvas.symbol("░", ".").repeat(rest) + " "));
    }
    texts.push((if waiting > 0 { warning } else { style }, format!("{} %", percent(whole))));
    texts
}

/// The cells of a bar of so many for lines that are explained, for those that wait to be, and for all others: none only
/// where there are no such lines, as far as there is room.
pub(super) fn cells(bar: usize, [said, waiting]: [u64; 2], all: u64) -> [usize; 3] {
    let covered = said + waiting;
    let part = |lines: u64| usize::try_from(u128::from(lines) * bar as u128 / u128::from(all.max(1))).unwrap_or(bar);
    let full = match covered {
        0 => 0,
        covered if covered >= all => bar,
        covered => part(covered).clamp(1, bar - 1),
    };
    let said = match (said, waiting) {
        (0, _) => 0,
        (_, 0) => full,
        _ => part(said).clamp(1, (full - 1).max(1)),
    };
    [said, full - said, bar - full]
}

/// 0 and 100 only when it is exactly that.
fn percent(share: f64) -> u8 {
    let percent = (share * 100.0).round().clamp(0.0, 100.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to 0..=100")]
    let percent = percent as u8;
    match percent {
        100 if share < 1.0 => 99,
        0 if share > 0.0 => 1,
        other => other,
    }
}

fn level(share: f64) -> Role {
    if share >= 0.8 {
        Role::CoveredPass
    } else if share >= 0.5 {
        Role::CoveredUnknown
    } else {
        Role::CoveredFail
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_full_only_of_what_is_all_and_shows_the_least_of_each() {
        for (said, waiting, all, want) in [
            (0, 0, 9, [0, 0, 10]),
            (9, 0, 9, [10, 0, 0]),
            (0, 9, 9, [0, 10, 0]),
            (1, 0, 1000, [1, 0, 9]),
            (999, 0, 1000, [9, 0, 1]),
            (999, 1, 1000, [9, 1, 0]),
            (1, 999, 1000, [1, 9, 0]),
            (u64::MAX / 2, 0, u64::MAX - 1, [5, 0, 5]),
        ] {
            assert_eq!(cells(GAUGE, [said, waiting], all), want, "{said} {waiting} {all}");
        }
    }
}
