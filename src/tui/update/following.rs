//! The diff follows the code by itself: when that changes it is made anew, unless the reader is in the middle of something,
//! and then as soon as that is over.
//!
//! Only of a review that is not written. What is on disk somebody wrote, and it changes when the reader says so: until then
//! what is stale has a mark.

use super::super::checkup::Stage;
use super::super::effect::Effect;
use super::super::model::{Asked, Mode, Model, Tone};
use super::{refreshing, reload, sending};
use crate::document::Scope;
use crate::refresh::Moved;

/// Go on with what is due.
pub(super) fn go_on(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.pending == 0 && std::mem::take(&mut model.following.looks_again) {
        effects.extend(reload::compare(model, true));
    }
    let can = model.following.is_due && follows(model) && !is_busy(model);
    let can = can && model.refreshing.is_none() && model.news.is_none() && model.pending == 0;
    if let Some(basis) = model.review.basis.clone().filter(|_| can) {
        model.following.is_due = false;
        refreshing::begin(model, basis, Asked::No, None, effects);
    }
}

/// The diff was compared with the code, since something may have happened to that: whether it is behind is known, unless
/// it `is_another` by now.
pub(super) fn found_out(model: &mut Model, is_another: bool) {
    if is_another {
        model.following.looks_again = true;
    } else {
        model.following.is_missed = false;
        model.following.is_due = model.review.missing > 0 || model.parts.iter().any(|part| part.is_stale);
    }
}

/// What was said of how the review stands to the repository holds no longer: that it could not be found out.
pub(super) fn unsay(model: &mut Model) {
    let mut reasons = std::mem::take(&mut model.following.unknown);
    if model.review.missing == 0 && model.parts.iter().all(|part| !part.is_stale) {
        reasons.extend(model.following.failure.take().map(|reason| still_shown(&reason)));
    }
    let Some((_, said)) = &mut model.message else { return };
    for reason in reasons.into_iter().rev() {
        if *said == reason {
            said.clear();
        } else if let Some(before) = said.strip_suffix(&format!("; {reason}")) {
            *said = before.to_owned();
        }
    }
    if said.is_empty() {
        model.message = None;
    }
}

/// That the diff could not be made for a reason.
fn still_shown(reason: &str) -> String {
    format!("{reason}; what was there is still shown")
}

/// The diff is another one now; whether it was to be made anew, so that it is found out again whether it is behind.
pub(super) fn caught_up(model: &mut Model) -> bool {
    model.following.failure = None;
    std::mem::take(&mut model.following.is_due)
}

/// What is known to have `moved` of what the review is of. That is said once, where somebody has named it: of a review that
/// was written long ago nobody expects anything else.
pub(super) fn moved(model: &mut Model, moved: Option<Moved>) {
    let is_new = moved.is_some() && moved != model.following.moved;
    let is_named = model.review.basis.as_ref().is_some_and(|basis| basis.ends.is_some());
    if let Some(moved) = moved.as_ref().filter(|_| is_new && is_named && may_speak(model)) {
        model.say(Tone::Info, moved.said.clone());
    }
    model.following.moved = moved;
}

/// Whether the diff is one that follows. That of a commit does not: when HEAD is another one, this is still the review of
/// this one.
pub(super) fn follows(model: &Model) -> bool {
    let review = &model.review;
    let is_live = review.compares() != Some(Scope::Commit) && review.passages.is_none();
    model.following.is_on && is_live && !review.on_disk && model.following.moved.is_none()
}

/// Whether the reader is in the middle of something, or something is on its way to disk.
pub(super) fn is_busy(model: &Model) -> bool {
    let is_typing = !model.keys.is_empty() || model.count.is_some() || model.form.is_some();
    let is_choosing = model.anchor.is_some() || model.caret.is_some() || model.pressed.is_some();
    let is_elsewhere = !matches!(model.mode, Mode::Review | Mode::Files(_)) || model.above.is_some() || model.is_away;
    let is_checked = model.checkup.as_ref().is_some_and(|checkup| !matches!(checkup.stage, Stage::Over(_)));
    let is_written = sending::is_waiting(model) || model.under_way.is_some() || !model.talk.keeping.is_empty();
    is_typing || is_choosing || is_elsewhere || is_checked || is_written || model.is_looking() || model.leaving
}

/// It could not be made, for a reason: that is said, once, and what is shown stays in sight.
pub(super) fn failed(model: &mut Model, reason: &str) {
    let is_new = model.following.failure.as_deref() != Some(reason);
    if is_new && may_speak(model) {
        model.following.failure = Some(reason.to_owned());
        model.say(Tone::Info, still_shown(reason));
    }
}

/// How the review stands to the repository could not be found out, for a reason. What is said already stays, with that behind.
pub(super) fn not_compared(model: &mut Model, reason: String) {
    // Whether something has happened is not known, either.
    model.following.is_missed = true;
    if model.following.unknown.contains(&reason) {
        return;
    }
    let said = model.message.take().map(|(_, said)| said + "; ").unwrap_or_default();
    model.say(Tone::Problem, format!("{said}{reason}"));
    model.following.unknown.push(reason);
}

/// Whether something that nobody asked about may be said: it takes the place of no fault.
pub(super) fn may_speak(model: &Model) -> bool {
    !is_busy(model) && !matches!(model.message, Some((Tone::Problem, _)))
}
