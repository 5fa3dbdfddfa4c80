//! The lines that forms are about: a form goes along with them when another diff takes the place of the one that it was
//! opened on, and is never written on others without a word.

use std::sync::Arc;

use bstr::BString;

use crate::anchor;
use crate::capture::Neighbours;
use crate::document::{Document, Orphan, Section, Selector};

use super::super::change::Refusal;
use super::super::form::{Form, FormKind, Target};
use super::super::model::{Model, Outgoing};
use super::super::part;
use super::selection;

/// The review is another document, whose part `now[n]` is what was part `n` of `before`: every form that is not known to
/// be on disk, the open one and all of the outbox, goes along with its lines.
pub(super) fn carry(model: &mut Model, before: &Document, now: &[Option<usize>]) {
    let after = &model.review.document;
    for form in model.form.iter_mut().chain(model.outbox.iter_mut().filter_map(Outgoing::form_mut)) {
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

/// Remember what stands next to the lines of `form`, as far as they are where it says.
pub(super) fn look_beside(section: &Section, form: &mut Form) {
    let is_there =
        |(selector, quote): (Selector, Option<&str>)| selection::quoted(section, selector).as_deref() == quote;
    let target = form.target();
    if target.quote.is_some() && !target.is_lost && target.lines().all(is_there) {
        form.beside = target.lines().map(|(selector, _)| part::neighbours(section, selector)).collect();
    }
}

/// Find the lines of a form from an earlier run in `section`, the diff of their file that is there now: they go by what they
/// read and what stood next to them. Where they are not there for certain the text is about the file, and it says so.
pub(super) fn find_again(section: &Section, form: &mut Form) {
    // What changes something that is there goes along with that.
    if form.target().quote.is_none() || form.amends.is_some() {
        return;
    }
    let target = form.target();
    let found: Option<Vec<Selector>> = if target.is_lost {
        None
    } else {
        let beside = form.beside.iter().map(Some).chain(std::iter::repeat(None));
        target.lines().zip(beside).map(|((selector, quote), beside)| again(section, selector, quote?, beside)).collect()
    };
    let last = form.targets.len() - 1;
    let target = &mut form.targets[form.target.min(last)];
    let Some(found) = found else {
        target.is_lost = true;
        return leave_lines(form);
    };
    let was = target.selector;
    target.selector = found[0];
    target.more.iter_mut().zip(&found[1..]).for_each(|(lines, now)| lines.selector = *now);
    // A note that is written as its lines names what it is about itself.
    target.is_lost |= form.kind == FormKind::Text && target.selector != was;
    form.targets.dedup();
    look_beside(section, form);
}

/// Where the lines are that were called `selector` and read `quote`, with these `beside` them.
fn again(section: &Section, selector: Selector, quote: &str, beside: Option<&Neighbours>) -> Option<Selector> {
    let is_there = selection::quoted(section, selector).as_deref() == Some(quote);
    let Some(beside) = beside else { return is_there.then_some(selector) };
    if is_there && part::neighbours(section, selector) == *beside {
        return Some(selector);
    }
    let line = |line: &String| BString::from(line.as_str());
    let orphan = Orphan {
        raw: selector.to_string(),
        selector,
        above: beside.above.iter().rev().map(line).collect(),
        text: quote.split('\n').map(|line| Some(line.into())).collect(),
        below: beside.below.iter().map(line).collect(),
    };
    // A text that is there once may be that of another place, if nothing stands next to it that did.
    let found = anchor::found(section, &orphan)?;
    let now = part::neighbours(section, found);
    let is_beside =
        |was: &[String], now: &[String]| !now.is_empty() && was.iter().zip(now).all(|(was, now)| was == now);
    (is_beside(&beside.above, &now.above) || is_beside(&beside.below, &now.below)).then_some(found)
}

/// The lines of `form` are gone: it is about their file, where it can be. What is for the agent goes with what they read.
fn leave_lines(form: &mut Form) {
    let Target { selector, quote, .. } = form.target().clone();
    let read = quote.as_deref().and_then(|quote| quote.lines().find(|line| !line.trim().is_empty()));
    let read = read.map_or(String::new(), |line| format!(" (“{}”)", line.trim()));
    let file = about_file(form).filter(|_| form.kind != FormKind::Comment);
    let before = form.problem.take().map_or(String::new(), |problem| format!("{problem}; "));
    let now = match file {
        None if form.kind == FormKind::Comment => "the agent is told what they read",
        Some(file) => {
            form.target = file;
            "it is about the file now"
        }
        None => {
            // It names its lines itself, and whoever saves it has been told.
            form.targets.iter_mut().for_each(|target| (target.quote, target.is_lost) = (None, false));
            "say what it is about"
        }
    };
    form.problem = Some(format!("{before}its lines {selector}{read} are gone or not certain: {now}"));
}

/// Why the lines of `form` cannot be taken for those that have their numbers in `section` now, where that is so.
pub(super) fn refusal(section: &Section, form: &Form) -> Option<String> {
    let target = form.target();
    // A claim is about its note, wherever that is.
    let is_about_lines = form.kind != FormKind::Claim && (form.is_old || form.amends.is_none() || form.target > 0);
    let mut lines = target.lines().filter(|_| is_about_lines).filter_map(|(at, quote)| Some((at, quote?))).peekable();
    lines.peek()?;
    let mut is_other = target.is_lost;
    for (selector, quote) in lines {
        match selection::quoted(section, selector) {
            None => return Some(gone_words(form)),
            Some(now) => is_other |= now != quote,
        }
    }
    is_other.then(|| "other lines have these numbers now: save again if the text is about them".to_owned())
}

/// Why nothing is written on lines that have no number any more.
fn gone_words(form: &Form) -> String {
    let next = about_file(form).map_or("", |_| "; saved again, it is about the file");
    format!("{}{next}", Refusal::LinesGone)
}

/// What `form` can be about where its lines are gone.
fn about_file(form: &Form) -> Option<usize> {
    form.targets.iter().position(|target| target.selector == Selector::FILE)
}

/// Whoever has been told that other lines have these numbers, and saves again, means those; of lines that are gone, the file.
pub(super) fn settle(section: &Section, form: &mut Form) {
    let last = form.targets.len() - 1;
    let file = about_file(form);
    let target = &mut form.targets[form.target.min(last)];
    let is_there = |(selector, _)| selection::quoted(section, selector).is_some();
    if target.quote.is_some() && target.lines().all(is_there) {
        target.is_lost = false;
        quote(target, section);
    } else if let Some(file) = file.filter(|_| target.quote.is_some()) {
        form.target = file;
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
