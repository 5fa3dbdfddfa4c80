//! The lines that forms are about: a form goes along with them when another diff takes the place of the one that it was
//! opened on, and is never written on others without a word.

use std::sync::Arc;

use crate::anchor;
use crate::document::{Document, Section, Selector};

use super::super::change::Refusal;
use super::super::form::{Form, FormKind, Target};
use super::super::model::{Doing, Model};
use super::selection;

/// The review is another document, whose part `now[n]` is what was part `n` of `before`: every form that is not known to
/// be on disk, the open one and all of the outbox, goes along with its lines.
pub(super) fn carry(model: &mut Model, before: &Document, now: &[Option<usize>]) {
    let after = &model.review.document;
    let outgoing = model.outbox.iter_mut().filter_map(|outgoing| match &mut outgoing.doing {
        Doing::Save(form) => Some(form),
        _ => None,
    });
    for form in model.form.iter_mut().chain(outgoing) {
        for target in &mut form.targets {
            let is_its =
                |section: &Arc<Section>| section.tree().file.as_ref().map(|file| &file.path) == target.file.as_ref();
            let parts = before.parts();
            let first = Some(target.part).filter(|part| parts.get(*part).is_some_and(is_its));
            let Some(part) = first.or_else(|| (1..parts.len()).find(|part| is_its(&parts[*part]))) else { continue };
            // One whose file has left the review is refused when it is written.
            let Some(here) = now.get(part).copied().flatten() else { continue };
            let was = target.selector;
            target.part = here;
            follow(target, &parts[part], &after.parts()[here]);
            // A note that is written as its lines names what it is about itself.
            target.is_lost |= form.kind == FormKind::Text && target.selector != was;
        }
    }
}

/// Give `target` the numbers that its lines of `old` have in `new`. Where they are not there for certain that is
/// remembered, whatever has their numbers by now.
fn follow(target: &mut Target, old: &Section, new: &Section) {
    let is_there = |(selector, quote): (Selector, Option<&str>)| selection::quoted(old, selector).as_deref() == quote;
    // What is not where it says is looked at when it is written.
    if target.quote.is_none() || target.is_lost || old.has_text_of(new) || !target.lines().all(is_there) {
        return;
    }
    let was: Vec<Selector> = target.lines().map(|(selector, _)| selector).collect();
    let Some(now) = anchor::all_carried(old, new, &was) else {
        target.is_lost = true;
        return;
    };
    target.selector = now[0];
    target.more.iter_mut().zip(&now[1..]).for_each(|(lines, now)| lines.selector = *now);
    // A line may be shown that was hidden between them.
    quote(target, new);
}

/// Why the lines of `form` cannot be taken for those that have their numbers in `section` now, where that is so.
pub(super) fn refusal(section: &Section, form: &Form) -> Option<String> {
    let target = form.target();
    let is_about_lines = form.is_old || form.amends.is_none() || form.target > 0;
    let mut lines = target.lines().filter(|_| is_about_lines).filter_map(|(at, quote)| Some((at, quote?))).peekable();
    lines.peek()?;
    let mut is_other = target.is_lost;
    for (selector, quote) in lines {
        match selection::quoted(section, selector) {
            None => return Some(Refusal::LinesGone.to_string()),
            Some(now) => is_other |= now != quote,
        }
    }
    is_other.then(|| "other lines have these numbers now: save again if the text is about them".to_owned())
}

/// Whoever has been told that other lines have these numbers, and saves again, means those.
pub(super) fn settle(section: &Section, form: &mut Form) {
    let last = form.targets.len() - 1;
    let target = &mut form.targets[form.target.min(last)];
    let is_there = |(selector, _)| selection::quoted(section, selector).is_some();
    if target.quote.is_some() && target.lines().all(is_there) {
        target.is_lost = false;
        quote(target, section);
    }
}

/// Take what the lines of `target` read in `section`.
fn quote(target: &mut Target, section: &Section) {
    let before = target.quote.take();
    target.quote = selection::quoted(section, target.selector);
    if target.quote != before {
        target.slice = None;
    }
    for lines in &mut target.more {
        lines.quote = selection::quoted(section, lines.selector);
    }
}
