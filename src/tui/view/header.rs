//! The line at the top: what is reviewed, where the review lives, and how much of it is explained and verified.

use std::path::Path;

use ratatui::layout::Rect;
use ratatui::style::Style;

use super::super::command::Command;
use super::super::form::Form;
use super::super::model::{Model, Refreshing, Sending};
use super::super::theme::Role;
use super::canvas::Canvas;
use crate::document::ReviewStatus;
use crate::session::NOBODY;
use crate::text::counted::counted;

/// The most columns for what the agent does.
const AGENT: usize = 32;
/// The cells of a gauge.
const GAUGE: usize = 10;

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
    let mut texts = vec![
        match model.filter.is_on() {
            true => (canvas.over(header, Role::Warning), hidden_words(model)),
            false => (canvas.over(header, Role::Path), " whymark ".to_owned()),
        },
        (header, format!(" {}", model.shown(model.review.scope.as_bytes()))),
    ];
    let (role, sign) = match model.review_status() {
        ReviewStatus::Pending => (Role::Dim, ""),
        ReviewStatus::Approved => (Role::ClaimPass, "✓ "),
        ReviewStatus::ChangesRequested => (Role::Warning, "✗ "),
    };
    if let Some(review) = model.review.document.meta().review.as_ref().filter(|_| !sign.is_empty()) {
        texts.push((canvas.over(header, role), format!(" · {sign}{}", review.status.as_str())));
    }
    let behind = texts.len();
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
    let left = room.saturating_sub(canvas.width(&texts));
    if model.review.shown_path != model.review.scope
        && let Some(name) = shown.find(|name| canvas.width(std::slice::from_ref(name)) <= left)
    {
        texts.insert(behind, name);
    }
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
        let share = |share: f64| (stats.added > 0).then_some(share);
        states.push((Weight::High, gauge(canvas, "explained", share(stats.coverage()), bars)));
        states.push((Weight::Middle, gauge(canvas, "claimed", share(stats.verified_coverage()), bars)));
    }
    let mut say = |weight: Weight, role: Role, text: String| states.push((weight, vec![(over(role), text)]));
    if stats.open_items > 0 {
        say(Weight::Middle, Role::Warning, format!("{}{} open", canvas.symbol("⚑", "!"), stats.open_items));
    }
    if stats.stubs > 0 {
        say(Weight::Low, Role::Inference, format!("{}{}", canvas.symbol("…", "~"), counted(stats.stubs, "stub")));
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

/// A name, a bar where there is room, and the share in per cent; a dash where there is nothing to have a share of.
fn gauge(canvas: &Canvas<'_>, name: &str, share: Option<f64>, bar: bool) -> Vec<(Style, String)> {
    let header = canvas.style(Role::Header);
    let mut texts = vec![(header, format!("{name} "))];
    let Some(share) = share else {
        texts.push((canvas.over(header, Role::Dim), "–".to_owned()));
        return texts;
    };
    let style = canvas.over(header, level(share));
    if bar {
        let full = filled(share);
        texts.push((style, canvas.symbol("█", "#").repeat(full)));
        texts.push((canvas.over(header, Role::Dim), canvas.symbol("░", ".").repeat(GAUGE - full) + " "));
    }
    texts.push((style, format!("{} %", percent(share))));
    texts
}

/// Whole cells only when something is covered, all cells only when everything is.
fn filled(share: f64) -> usize {
    match percent(share) {
        0 => 0,
        100 => GAUGE,
        percent => (percent as usize * GAUGE / 100).clamp(1, GAUGE - 1),
    }
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
