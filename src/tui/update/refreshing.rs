//! The diff of the review, made anew: where the reader asks for it, or by itself.

use super::super::effect::{Carry, Effect, Refresh};
use super::super::model::{Asked, Done, Mode, Model, Question, Refreshing, Review, Tone};
use super::super::msg::Made;
use super::reload::{compare, reread};
use super::{following, sending};
use crate::refresh::{Basis, Moved, Next};

/// Make the diff anew.
pub(super) fn refresh(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.refreshing.is_some_and(|refreshing| refreshing.asked == Asked::No) {
        // That one leaves no review without files, which is not what the reader asks for.
        model.refreshing = Some(Refreshing::new(Asked::Meanwhile));
        return effects.push(Effect::EndRefresh);
    }
    if model.refreshing.is_some() {
        return model.say(Tone::Info, "the diff is being made anew already; esc ends that");
    }
    let review = &model.review;
    if review.passages.is_some() {
        return effects.push(reread(model));
    }
    if let Some(reason) = review.read_only_words().filter(|_| review.on_disk) {
        return model.say(Tone::Problem, reason);
    }
    let Some(basis) = review.basis.clone() else {
        return model.say(Tone::Problem, "this is the review of a patch, and no repository says how that has changed");
    };
    if model.pending > 0 {
        return model.say(Tone::Problem, "not all files have been read yet: try again in a moment");
    }
    begin(model, basis, Asked::Yes, None, effects);
}

/// Carry the review to what the reader has been asked about.
pub(super) fn carry(model: &mut Model, next: Next, effects: &mut Vec<Effect>) {
    if model.refreshing.is_some() || model.pending > 0 || (model.review.on_disk && model.review.read_only.is_some()) {
        return refresh(model, effects);
    }
    let basis = next.basis.clone();
    begin(model, basis, Asked::Yes, None, effects);
    model.following.next = Some(Box::new(next));
}

/// The review is of something else from now on, where the reader wanted that.
pub(super) fn carried(model: &mut Model) {
    let Some(next) = model.following.next.take() else { return };
    model.following.moved = None;
    let Review { basis, scope, .. } = &mut model.review;
    let Some(basis) = basis else { return };
    basis.branch = next.basis.branch;
    // What the frontmatter of the review says is read there.
    if basis.ends.is_some() {
        basis.ends = next.basis.ends;
        *scope = next.scope.unwrap_or_else(|| scope.clone());
    }
}

/// Have the diff made; what was `done` to the code is said again then.
pub(super) fn begin(model: &mut Model, basis: Basis, asked: Asked, done: Option<Done>, effects: &mut Vec<Effect>) {
    let Review { path, document, on_disk, .. } = &model.review;
    let is_asked = asked != Asked::No;
    let keeps_files = *on_disk || !is_asked;
    let refresh = Refresh { keeps_files, is_asked, basis, path: path.clone(), document: document.clone() };
    (model.refreshing, model.after, model.following.next) = (Some(Refreshing::new(asked)), done, None);
    effects.push(Effect::Refresh(Box::new(refresh)));
}

/// The diff that is being made is done with so many files, of so many.
pub(super) fn went_on(model: &mut Model, done: usize, count: usize) {
    if let Some(refreshing) = &mut model.refreshing {
        (refreshing.done, refreshing.count) = (done, count);
    }
}

/// The diff that is being made is not wanted any more, nor another one in its place.
pub(super) fn end(model: &mut Model, effects: &mut Vec<Effect>) {
    if let Some(refreshing) = model.refreshing.as_mut().filter(|refreshing| refreshing.asked == Asked::Meanwhile) {
        refreshing.asked = Asked::Yes;
    }
    effects.push(Effect::EndRefresh);
}

/// The review follows what was `done` to the code: its diff is made anew, where that can be.
pub(super) fn follow(model: &mut Model, done: Done, effects: &mut Vec<Effect>) {
    let review = &model.review;
    let can = model.refreshing.is_none() && (review.read_only.is_none() || !review.on_disk) && model.pending == 0;
    match review.basis.clone().filter(|_| can) {
        Some(basis) => begin(model, basis, Asked::Yes, Some(done), effects),
        None => effects.extend(compare(model, false)),
    }
}

/// The diff is made, or nobody wants it any more, or it cannot be made.
pub(super) fn made(model: &mut Model, made: Result<Made, String>, effects: &mut Vec<Effect>) {
    let asked = model.refreshing.map(|refreshing| refreshing.asked);
    if asked == Some(Asked::Meanwhile) {
        model.refreshing = None;
        return refresh(model, effects);
    }
    let is_outdated = model.review.on_disk || sending::is_waiting(model);
    if made.is_ok() && is_outdated && asked == Some(Asked::No) {
        // What is written is left alone.
        (model.refreshing, model.following.looks_again) = (None, true);
        return;
    }
    match made {
        Ok(Made::Diff(diff, said)) => {
            model.following.said = said;
            effects.push(Effect::Carry(Box::new(Carry {
                path: model.review.path.clone(),
                within: model.review.within.clone(),
                document: model.review.document.clone(),
                on_disk: model.review.on_disk,
                diff: *diff,
                titles: model.following.next.as_ref().and_then(|next| next.titles.clone()),
            })));
        }
        Ok(Made::Moved(moved)) => moved_on(model, *moved, effects),
        Ok(Made::Nothing) => {
            (model.refreshing, model.following.next) = (None, None);
            let kept = "the diff stays as it was".to_owned();
            let done = model.after.take();
            effects.extend(compare(model, false).filter(|_| done.is_some()));
            model.say(Tone::Info, done.map_or(kept.clone(), |done| format!("{}; {kept}", done.said)));
        }
        Err(reason) => failed(model, &reason, effects),
    }
}

/// The diff is none of what the review is of: whoever has asked for it says whether the review is carried there.
fn moved_on(model: &mut Model, moved: Moved, effects: &mut Vec<Effect>) {
    if model.after.is_some() {
        return failed(model, &moved.said, effects);
    }
    let asked = model.refreshing.take().map(|refreshing| refreshing.asked);
    let next = moved.next.clone().filter(|_| asked == Some(Asked::Yes));
    match next {
        Some(next) if !following::is_busy(model) => {
            model.message = None;
            model.mode = Mode::Confirm(Question::Carry(next));
            model.following.moved = Some(moved);
        }
        Some(_) => model.say(Tone::Problem, format!("not refreshed: {}", moved.said)),
        None => following::moved(model, Some(moved)),
    }
}

/// The diff stays as it was, for a reason.
pub(super) fn failed(model: &mut Model, reason: &str, effects: &mut Vec<Effect>) {
    model.following.next = None;
    if model.refreshing.take().is_some_and(|refreshing| refreshing.asked == Asked::No) {
        return following::failed(model, reason);
    }
    match model.after.take() {
        // What was asked for is done; that nothing is left to show says the header.
        Some(done) => {
            model.say(Tone::Info, format!("{}; not refreshed: {reason}", done.said));
            // It shows what was there before.
            effects.extend(compare(model, false));
        }
        None => model.say(Tone::Problem, format!("not refreshed: {reason}")),
    }
}
