//! Texts that go to an editor of the reader's own, and come back; and the file at the cursor, opened there.

use bstr::ByteSlice as _;

use super::super::command::Command;
use super::super::effect::{EditText, Effect, OpenSource};
use super::super::form::{Field, Form, FormKind};
use super::super::model::{Mode, Model, Tone};
use super::super::rows::Row;
use super::super::text_input::clean;
use super::{existing, selection, sending, writing};

/// Take the open note or record to the editor, or a new note on the line or the selection; what comes back is saved.
pub(super) fn edit(model: &mut Model, effects: &mut Vec<Effect>) {
    if !writing::may_write(model) {
        return;
    }
    if model.focused().is_none() || model.anchor.is_some() {
        writing::open(model, Command::Note);
        let Some(form) = model.form.take().filter(|_| matches!(model.mode, Mode::Form)) else { return };
        if !form.target().more.is_empty() {
            return give_up(model, Tone::Problem, selection::SEVERAL_HUNKS);
        }
        let mut text = Form::new(FormKind::Text, vec![form.target().clone()], model.display);
        text.set_text(Field::Text, &format!("{}\nwhy: ", existing::header(&text)));
        model.form = Some(text);
        return send(model, true, effects);
    }
    match existing::whole(model) {
        Ok(form) => {
            writing::show(model, form);
            send(model, true, effects);
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

/// Take what is typed in the form to the editor; it comes back into the form.
pub(super) fn take(model: &mut Model, effects: &mut Vec<Effect>) {
    send(model, false, effects);
}

fn send(model: &mut Model, saves: bool, effects: &mut Vec<Effect>) {
    let Some(form) = &model.form else { return };
    let text = form.text_to_edit();
    model.is_away = true;
    effects.push(Effect::EditText(Box::new(EditText { text, saves })));
}

/// The editor is done. Whatever it was, the text that was there is still in the form.
pub(super) fn edited(model: &mut Model, text: Result<Option<String>, String>, saves: bool, effects: &mut Vec<Effect>) {
    model.is_away = false;
    let Some(form) = &mut model.form else { return };
    form.problem = None;
    let mut left_out = 0;
    let taken = match text {
        Ok(Some(text)) if saves && text.trim().is_empty() => {
            return give_up(model, Tone::Info, "nothing was written");
        }
        Ok(Some(text)) => {
            let (text, controls) = clean(&text);
            left_out = controls;
            form.take_edited(&text)
        }
        Ok(None) if saves => return give_up(model, Tone::Info, "nothing was written"),
        Ok(None) => return,
        Err(reason) if saves => return give_up(model, Tone::Problem, &reason),
        Err(reason) => Err(reason),
    };
    match taken {
        Err(reason) => form.problem = Some(reason),
        Ok(()) if saves => sending::save(model, effects),
        Ok(()) => {}
    }
    writing::say_left_out(model, left_out);
}

/// Close the form that was only there for the editor.
fn give_up(model: &mut Model, tone: Tone, reason: &str) {
    model.form = None;
    model.mode = Mode::Review;
    model.say(tone, reason);
    sending::reopen_failed(model);
}

/// Open the file at the cursor in the editor, at this line.
pub(super) fn open_source(model: &mut Model, effects: &mut Vec<Effect>) {
    match source(model) {
        Ok(job) => {
            model.is_away = true;
            effects.push(Effect::OpenSource(Box::new(job)));
        }
        Err(reason) => model.say(Tone::Problem, reason),
    }
}

fn source(model: &Model) -> Result<OpenSource, &'static str> {
    let part = &model.parts[model.cursor.part];
    let file = part.section.tree().file.as_ref().ok_or("there is no file here")?;
    let path = file.path.to_path().map_err(|_| "this system has no such path")?.to_owned();
    let line = match model.row(model.cursor) {
        Some(Row::Line { hunk, line }) => {
            let (hunk, line) = part.line(hunk, line);
            // A line that is gone was where the next one of the new side is.
            line.new_line(hunk).map_or(hunk.first_new.saturating_add(u64::from(line.new)), |line| line.0)
        }
        Some(Row::Hunk(hunk)) => part.section.tree().hunks[hunk as usize].first_new,
        _ => 1,
    };
    Ok(OpenSource { folder: model.review.folder.clone(), path, line: line.max(1) })
}

/// The reader is back.
pub(super) fn looked(model: &mut Model, problem: Option<String>) {
    model.is_away = false;
    if let Some(problem) = problem {
        model.say(Tone::Problem, problem);
    }
}
