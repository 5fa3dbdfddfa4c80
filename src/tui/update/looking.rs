//! What the reader marks as viewed, and what is left out because of it.

use super::super::command::Command;
use super::super::effect::Effect;
use super::super::looks::ContentId;
use super::super::model::{Model, Pos, Tone};
use super::super::rows::Row;
use super::{arrange, motion};
use crate::text::counted::counted;

/// Run a command that marks or leaves out.
pub(super) fn run(model: &mut Model, command: Command, effects: &mut Vec<Effect>) {
    match command {
        Command::Viewed => mark(model, effects),
        Command::HideViewed => hide(model),
        Command::OnlyNew => only_new(model),
        _ => {}
    }
}

/// Mark the file as viewed, or on the heading of a hunk the hunk; or, when it is, as not.
fn mark(model: &mut Model, effects: &mut Vec<Effect>) {
    let index = model.cursor.part;
    let part = &model.parts[index];
    let contents = &part.reading.contents;
    if part.pending {
        return model.say(Tone::Info, "this file is still being read");
    }
    let hunk = match model.row(model.cursor) {
        Some(Row::Hunk(hunk)) => Some(hunk as usize).filter(|hunk| *hunk < contents.hunks.len()),
        _ => None,
    };
    let (is_viewed, mut ids) = match hunk {
        Some(hunk) => (model.looks.is_hunk_viewed(contents, hunk), vec![contents.hunks[hunk]]),
        None => (model.looks.is_viewed(contents), contents.ids().collect()),
    };
    if ids.is_empty() {
        return model.say(Tone::Problem, "there is no file here");
    }
    if let Some(hunk) = hunk {
        // The last hunk makes the file viewed, if nothing else is new about it, and any one makes it not viewed.
        let is_same = |at: usize| contents.hunks[at] == contents.hunks[hunk];
        let mut others = (0..contents.hunks.len()).filter(|at| !is_same(*at));
        if is_viewed || others.all(|at| model.looks.is_hunk_viewed(contents, at)) {
            ids.extend(contents.file);
        }
    }
    let what = if hunk.is_some() { "hunk".to_owned() } else { model.display.visible(&*part.section.path_text()) };
    effects.push(Effect::Remember(Box::new(model.looks.mark(&ids, !is_viewed))));
    model.parts[index].is_opened = false;
    let cursor = if hunk.is_some() { model.cursor } else { Pos { part: index, row: 0 } };
    arrange::fold(model, index..index + 1);
    if hunk.is_none() || model.row(model.cursor).is_none() {
        motion::place_towards(model, cursor, true);
    }
    let (viewed, files) = model.viewed();
    let word = if is_viewed { "not viewed" } else { "viewed" };
    model.say(Tone::Info, format!("{what}: {word} ({viewed} of {})", counted(files, "file")));
}

/// Leave out what is viewed, or show it again.
fn hide(model: &mut Model) {
    model.looks.hides_viewed = !model.looks.hides_viewed;
    let (viewed, files) = model.viewed();
    let text = if model.looks.hides_viewed {
        format!("what is viewed is left out ({viewed} of {})", counted(files, "file"))
    } else {
        "what is viewed is shown again".to_owned()
    };
    fold_all(model);
    model.say(Tone::Info, text);
}

/// Show only what was not there at the last look, or everything again.
fn only_new(model: &mut Model) {
    if model.looks.only_new {
        model.looks.only_new = false;
        fold_all(model);
        return model.say(Tone::Info, "everything is shown again");
    }
    if model.pending > 0 {
        return model.say(Tone::Problem, "not all files have been read yet: try again in a moment");
    }
    let news = model.parts.iter().filter(|part| model.looks.has_news(&part.reading.contents)).count();
    if news == 0 {
        return model.say(Tone::Info, "nothing has changed since you last looked");
    }
    model.looks.only_new = true;
    let files = model.parts.len() - 1;
    fold_all(model);
    let verb = if news == 1 { "has" } else { "have" };
    let files = counted(files, "file");
    model.say(Tone::Info, format!("only what has changed since you last looked: {news} of {files} {verb}"));
}

fn fold_all(model: &mut Model) {
    model.parts.iter_mut().for_each(|part| part.is_opened = false);
    arrange::fold(model, 0..model.parts.len());
    if model.row(model.cursor).is_none() {
        motion::place_towards(model, model.cursor, true);
    }
}

/// Everything has been read: this is what later looks are compared with, unless there was an earlier one.
pub(super) fn begin(model: &mut Model) {
    let ids: Vec<ContentId> = ids(model).collect();
    model.looks.begin(ids.into_iter());
}

/// The review is left: remember what was there. What was not read to its end was not seen.
pub(super) fn leave(model: &Model, effects: &mut Vec<Effect>) {
    if model.pending == 0
        && let Some(remembered) = model.looks.leave(ids(model))
    {
        effects.insert(0, Effect::Remember(Box::new(remembered)));
    }
}

fn ids(model: &Model) -> impl Iterator<Item = ContentId> + '_ {
    model.parts.iter().flat_map(|part| part.reading.contents.ids())
}

/// Show all of a part of which something is folded away: somebody goes to what is in it.
pub(super) fn open(model: &mut Model, part: usize) {
    if !model.parts[part].is_opened && model.parts[part].is_folded {
        model.parts[part].is_opened = true;
        arrange::fold(model, part..part + 1);
    }
}

impl Model {
    /// How many files are viewed, and how many there are.
    #[must_use]
    pub fn viewed(&self) -> (usize, usize) {
        let viewed = self.parts.iter().filter(|part| self.looks.is_viewed(&part.reading.contents)).count();
        (viewed, self.parts.len() - 1)
    }
}
