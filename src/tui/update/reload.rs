//! What others have written, taken over: at once, or when the form is closed that is open.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use bstr::ByteSlice as _;

use super::super::effect::{Compare, Effect, Reread, Watched};
use super::super::model::{Asked, Mode, Model, Tone};
use super::super::msg::{Compared, FoundStaged, News, OnDisk};
use super::super::part::Reading;
use super::super::records::RecordFile;
use super::super::reread::UNCHANGED;
use super::super::talk::Comment;
use super::{adopt, following, refreshing, spot, talking};
use crate::document::Scope;
use crate::markback::Markback;
use crate::text::counted::counted;

/// Something that the review depends on may have changed: files of the review itself, or what it is about.
pub(super) fn changed(model: &mut Model, files: bool, tree: bool, effects: &mut Vec<Effect>) {
    // Passages are what is on disk.
    if files || (tree && model.review.passages.is_some()) {
        effects.push(reread(model));
    }
    model.following.looks_again |= tree;
}

pub(super) fn reread(model: &Model) -> Effect {
    let review = &model.review;
    Effect::Reread(Box::new(Reread {
        path: review.path.clone(),
        within: review.within.clone(),
        passages: review.passages.clone(),
        title: review.scope.clone(),
        document: review.document.clone(),
        own: review.records.own().place.clone(),
        folder: review.folder.clone(),
    }))
}

/// What finds out what of a review that has just been read is staged.
pub(super) fn compare_index(model: &Model) -> Option<Effect> {
    comparison(model, false, false)
}

/// What finds out which parts are stale, and what of them is staged; `is_heard`: something may have happened to the code.
pub(super) fn compare(model: &Model, is_heard: bool) -> Option<Effect> {
    comparison(model, true, is_heard)
}

/// A comparison with what is there, where the changes are known.
fn comparison(model: &Model, stale: bool, is_heard: bool) -> Option<Effect> {
    let basis = model.review.basis.clone().filter(|_| model.pending == 0)?;
    let of_head = model.review.compares() == Some(Scope::Worktree);
    if !stale && !of_head {
        return None;
    }
    Some(Effect::Compare(Box::new(Compare {
        basis,
        path: model.review.path.clone(),
        document: model.review.document.clone(),
        sections: model.parts.iter().map(|part| Arc::clone(&part.section)).collect(),
        known: (0..).zip(&model.parts).filter_map(|(index, part)| Some((index, part.known_staged()?))).collect(),
        acts: model.acts,
        stale,
        is_heard: is_heard || model.following.is_missed,
        is_ours: !model.review.on_disk,
        staged: of_head,
    })))
}

/// What is watched before the files of the review are known.
#[must_use]
pub fn watch_first(model: &Model) -> Effect {
    let own = model.review.records.own().place.path.clone();
    let files = vec![model.review.path.clone(), own];
    Effect::Watch(Watched { files, repository: model.review.state_files.clone(), ..Watched::default() })
}

/// What has to be watched for the review as it is.
#[must_use]
pub fn watch(model: &Model) -> Effect {
    let review = &model.review;
    let records = review.records.files().iter().map(|file| file.place.path.clone());
    let path_of = |path: &[u8]| -> Option<PathBuf> { Some(review.folder.join(path.to_path().ok()?)) };
    let files = model.parts.iter().filter_map(|part| part.section.tree().file.as_ref());
    let of_disk = matches!(review.compares(), Some(Scope::Unstaged | Scope::Worktree));
    let is_live = review.basis.is_some() || review.passages.is_some();
    Effect::Watch(Watched {
        files: std::iter::once(review.path.clone()).chain(records).collect(),
        repository: if is_live { review.state_files.clone() } else { Vec::new() },
        top: of_disk.then(|| review.folder.clone()),
        tree: files.filter(|_| is_live).filter_map(|file| path_of(&file.path)).collect(),
    })
}

/// Whether the parts still show what is there.
pub(super) fn compared(model: &mut Model, compared: Compared) {
    (model.review.missing, model.review.unmerged) = (compared.missing, compared.unmerged);
    following::moved(model, compared.moved);
    let mut is_another = model.parts.len() != compared.stale.len();
    for (part, (section, is_stale)) in model.parts.iter_mut().zip(compared.stale) {
        if Arc::ptr_eq(&part.section, &section) {
            if is_stale && !part.is_stale {
                model.witnessed.clear();
            }
            part.is_stale = is_stale;
        } else {
            is_another = true;
        }
    }
    if compared.is_heard {
        following::found_out(model, is_another);
    }
    following::unsay(model);
}

/// What of the parts is staged.
pub(super) fn staged(model: &mut Model, found: FoundStaged) {
    if found.acts != model.acts {
        return;
    }
    for (part, (section, staged)) in model.parts.iter_mut().zip(found.parts) {
        if Arc::ptr_eq(&part.section, &section) {
            (part.staged, part.was_staged) = (staged, None);
        }
    }
}

/// The disk says something else than what is shown.
pub(super) fn news(model: &mut Model, mut news: News, effects: &mut Vec<Effect>) {
    if news.report.is_some() {
        news.is_unasked = model.refreshing.take().is_some_and(|refreshing| refreshing.asked == Asked::No);
    }
    if model.review.on_disk {
        drop_unwritten(model, &mut news);
    }
    take_permission(model, news.read_only.take());
    if let Some(problem) = news.problem.take() {
        model.say(Tone::Problem, problem);
    }
    if let Some(known) = model.news.take() {
        news = joined(model, *known, news);
    }
    if has_news(model, &news) {
        model.news = Some(Box::new(news));
        take(model, effects);
    }
}

/// Of a review that was written meanwhile another diff of what was not written then is no news: what is on disk says more.
pub(super) fn drop_unwritten(model: &mut Model, news: &mut News) {
    if matches!(news.on_disk, OnDisk::Unwritten(_)) {
        (news.on_disk, news.readings, news.report) = (OnDisk::Same, HashMap::new(), None);
        (model.following.looks_again, model.after) = (true, None);
    }
}

/// What two looks at the disk have `known` and found: the later one has seen all that the earlier one has, but not what was
/// done on the way.
fn joined(model: &mut Model, mut known: News, news: News) -> News {
    let is_asked = |news: &News| news.report.is_some() && !news.is_unasked;
    if matches!(news.on_disk, OnDisk::There(_)) {
        drop_unwritten(model, &mut known);
    }
    let is_any_asked = is_asked(&known) || is_asked(&news);
    // That a review is not there which was never written says nothing of it.
    let is_as_known = match &news.on_disk {
        OnDisk::Same => true,
        OnDisk::Gone => !model.review.on_disk,
        OnDisk::There(_) | OnDisk::Unwritten(_) => false,
    };
    let (on_disk, readings) = if is_as_known { (known.on_disk, known.readings) } else { (news.on_disk, news.readings) };
    let report = news.report.or(known.report);
    let is_unasked = report.is_some() && !is_any_asked;
    News { on_disk, readings, report, is_unasked, records: news.records.or(known.records), ..news }
}

/// Whether the review can be written may be another matter by now.
fn take_permission(model: &mut Model, read_only: Option<String>) {
    if model.review.read_only == read_only {
        return;
    }
    let said = model.review.read_only_words();
    if let Some(form) = model.form.as_mut().filter(|form| said.is_some() && form.problem == said) {
        form.problem = None;
    }
    match &read_only {
        Some(reason) => model.say(Tone::Problem, format!("read-only from now on: {reason}")),
        // What is kept is not opened: it would take the keys of whoever is about to do something else.
        None if model.kept_texts() > 0 => {
            let kept = model.kept_words();
            model.say(Tone::Info, format!("the review is no longer read-only; {kept}"));
        }
        None => model.say(Tone::Info, "the review is no longer read-only"),
    }
    model.review.read_only = read_only;
}

/// Whether it is other than what is shown.
fn has_news(model: &Model, news: &News) -> bool {
    let review = &model.review;
    let is_other = match &news.on_disk {
        OnDisk::There(document) => !review.on_disk || !document.has_text_of(&review.document),
        OnDisk::Unwritten(document) => !document.has_text_of(&review.document),
        OnDisk::Gone => review.on_disk,
        OnDisk::Same => false,
    };
    is_other
        || news.report.is_some()
        || news.records.as_ref().is_some_and(|files| !new_records(model, files).is_empty())
}

/// The Markback files of `files` that say something else than what is known of them; one that has gone says nothing.
fn new_records(model: &Model, files: &[RecordFile]) -> Vec<RecordFile> {
    let records = &model.review.records;
    let is_new = |file: &&RecordFile| {
        records.at(&file.place.path).map_or(!file.text.text().is_empty(), |known| known.text.text() != file.text.text())
    };
    let is_gone = |known: &&RecordFile| {
        !known.text.text().is_empty() && files.iter().all(|file| file.place.path != known.place.path)
    };
    let empty = |known: &RecordFile| RecordFile { place: known.place.clone(), text: Markback::parse("") };
    let gone = records.files().iter().skip(1).filter(is_gone).map(empty);
    files.iter().filter(is_new).cloned().chain(gone).collect()
}

/// Take over what is known of the disk, unless somebody is writing: then it waits.
pub(super) fn take(model: &mut Model, effects: &mut Vec<Effect>) {
    if model.form.is_some() || (model.news.as_ref().is_some_and(|news| news.is_unasked) && following::is_busy(model)) {
        return;
    }
    let Some(news) = model.news.take() else { return };
    let News { on_disk, readings, records, report, is_unasked, .. } = *news;
    let unsent = model.talk.unsent.clone();
    let is_fresh = report.is_some();
    if !is_fresh && is_emptied(model, &on_disk) {
        return model.say(Tone::Problem, "the review is an empty file now: what was read before stays here");
    }
    let mut said = take_document(model, on_disk, readings);
    for file in new_records(model, &records.unwrap_or_default()) {
        adopt::take_records(model, file);
        said.get_or_insert((
            Tone::Info,
            "Markback notes have changed on disk, and are shown as they are now".to_owned(),
        ));
    }
    if is_fresh {
        model.parts.iter_mut().for_each(|part| part.is_stale = false);
        model.review.missing = 0;
        refreshing::carried(model);
    }
    let was_due = is_fresh && following::caught_up(model);
    // What is wrong comes first.
    let is_told = matches!(model.message, Some((Tone::Problem, _)));
    if unsent != model.talk.unsent {
        talking::keep(model, effects);
    }
    let lost = |unsent: &[Comment]| unsent.iter().filter(|comment| comment.is_lost).count();
    let lost = lost(&model.talk.unsent).saturating_sub(lost(&unsent));
    let is_quiet = matches!(model.mode, Mode::Review) && model.keys.is_empty();
    let done = if is_fresh { model.after.take() } else { None };
    if let Some(marks) = done.as_ref().and_then(|done| done.back.as_ref()) {
        spot::go_back_to(model, marks);
    }
    let report = match (report, model.following.said.take_if(|_| is_fresh)) {
        (Some(report), Some(moved)) if report == UNCHANGED => Some(moved),
        (Some(report), Some(moved)) => Some(format!("{report}; {moved}")),
        (report, _) => report,
    };
    let report = report.map(|report| match done.map(|done| done.said) {
        // It was not what the reader asked for, and is said where it matters.
        Some(said) if report == UNCHANGED => said,
        Some(said) => format!("{said}; {report}"),
        None => report,
    });
    let report = report.filter(|report| !is_unasked || (report != UNCHANGED && !is_told));
    let said = report.map(|report| (Tone::Info, report)).or(said.filter(|_| is_quiet && !is_told));
    match (said, lost_words(lost)) {
        (Some((_, text)), Some(lost)) => model.say(Tone::Problem, format!("{text}; {lost}")),
        (None, Some(lost)) if !is_told => model.say(Tone::Problem, lost),
        (Some((tone, text)), None) => model.say(tone, text),
        (None, _) => {}
    }
    effects.push(watch(model));
    effects.extend(compare(model, was_due));
}

/// What is said of comments that are not sent and whose lines have gone.
fn lost_words(count: usize) -> Option<String> {
    let (it, its) = if count == 1 { ("it stands", "its") } else { ("they stand", "their") };
    let comments = counted(count, "comment");
    (count > 0).then(|| format!("the lines of {comments} for the agent are gone: {it} at the head of {its} file"))
}

/// Whether the review is an empty file: somebody who empties one is about to write it.
fn is_emptied(model: &Model, on_disk: &OnDisk) -> bool {
    let OnDisk::There(document) = on_disk else { return false };
    let is_empty = document.parts().len() == 1 && document.parts()[0].text().is_empty();
    is_empty && model.review.document.parts().len() > 1
}

/// Take over what the review says now; what is said of that.
fn take_document(model: &mut Model, on_disk: OnDisk, readings: HashMap<usize, Reading>) -> Option<(Tone, String)> {
    match on_disk {
        OnDisk::There(document) => {
            let is_other = !document.has_text_of(&model.review.document);
            model.review.on_disk = true;
            is_other.then(|| {
                adopt::adopt_read(model, document, readings);
                let what = if model.review.passages.is_some() { "the text" } else { "the review" };
                (Tone::Info, format!("{what} has changed on disk, and is shown as it is now"))
            })
        }
        OnDisk::Unwritten(document) => {
            adopt::adopt_read(model, document, readings);
            None
        }
        OnDisk::Gone if model.review.on_disk => {
            model.review.on_disk = false;
            let text = "the review is no longer on disk: it is written again with the next note";
            Some((Tone::Problem, text.to_owned()))
        }
        OnDisk::Gone | OnDisk::Same => None,
    }
}
