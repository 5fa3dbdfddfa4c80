//! `update(&mut Model, Msg) -> Vec<Effect>`: everything that happens changes the model here, and only here. No I/O, no
//! clock.

mod acting;
mod adopt;
mod answers;
mod arrange;
mod caret;
mod checking;
mod copying;
mod drafts;
mod existing;
mod files;
mod filtering;
mod folding;
mod following;
mod heard;
mod lacking;
mod lines;
mod looking;
mod motion;
mod mouse;
mod outside;
mod passages;
mod picking;
mod prompting;
mod reading;
mod refreshing;
mod refused;
mod reload;
mod rounds;
mod searching;
mod selection;
mod sending;
mod settle;
mod since;
mod spot;
mod talking;
mod writing;

use super::checkup::Stage;
use super::command::{Command, Context};
use super::effect::Effect;
use super::help;
use super::history::Way;
use super::input::Event;
use super::key::{Code, Key, write_sequence};
use super::keymap::Resolution;
use super::model::{Asked, Help, Mode, Model, Question, Refreshing, Standpoint, Tone};
use super::msg::Msg;
use super::pick::PickKind;
use super::records::RecordFile;

pub use drafts::restore;
pub use heard::begin;
pub use reload::{watch, watch_first};
pub use settle::start;

/// Let `msg` happen; what is left to do in the outside world comes back.
pub fn update(model: &mut Model, msg: Msg) -> Vec<Effect> {
    let mut effects = Vec::new();
    let msg = if model.above.is_some() { since::take(model, msg, &mut effects) } else { Some(msg) };
    if let Some(msg) = msg {
        happen(model, msg, &mut effects);
    }
    following::go_on(model, &mut effects);
    since::follow(model);
    drafts::keep(model, &mut effects);
    effects
}

/// Let `msg` happen to the review itself.
fn happen(model: &mut Model, msg: Msg, effects: &mut Vec<Effect>) {
    match msg {
        Msg::Input(events) => inputs(model, events, effects),
        Msg::Resumed => effects.push(Effect::Redraw),
        Msg::TerminalLost(reason) => {
            model.say(Tone::Problem, reason);
            effects.push(Effect::Quit);
        }
        Msg::Loaded { part, section, reading, is_stale, aside, sidecar } => {
            if let Some(sidecar) = sidecar {
                take_sidecar(model, *sidecar);
            }
            let is_awaited = adopt::fill(model, part, section, *reading, aside);
            if is_awaited {
                model.parts[part].is_stale = is_stale;
            }
            read(model, is_awaited, effects);
        }
        Msg::Missing(files) => model.review.missing = files,
        Msg::LoadFailed { part, reason } => {
            model.say(Tone::Problem, reason.clone());
            let is_awaited = adopt::give_up(model, part, reason);
            read(model, is_awaited, effects);
        }
        Msg::Scanned { part, ticket, hits } => searching::scanned(model, part, ticket, hits),
        Msg::Edited { text, saves } => outside::edited(model, text, saves, effects),
        Msg::Looked(problem) => outside::looked(model, problem),
        Msg::Agent(told) => heard::told(model, told, effects),
        Msg::Written(written) => sending::written(model, *written, effects),
        Msg::WriteFailed { ticket, reason, is_gone } => sending::failed(model, ticket, &reason, is_gone, effects),
        Msg::ThemeKept(kept) => theme_kept(model, kept),
        Msg::DraftKept(kept) => drafts::kept(model, kept),
        Msg::DraftSettled(kept) => drafts::settled(model, kept, effects),
        Msg::Paused(ticket) => refused::paused(model, ticket, effects),
        Msg::WorkerFailed(reason) => model.say(Tone::Problem, reason),
        Msg::ActFailed { reason, is_outdated } => acting::failed(model, reason, is_outdated),
        Msg::Changed { files, tree } => reload::changed(model, files, tree, effects),
        Msg::News(news) => reload::news(model, *news, effects),
        Msg::Previewed { ticket, what, rows } => acting::previewed(model, ticket, what, rows),
        Msg::OddFound(document, found) => picking::found_odd(model, &document, found, effects),
        Msg::NotCompared(reason) => following::not_compared(model, reason),
        Msg::Acted(acted) => acting::done(model, *acted, effects),
        Msg::Restored { ticket, back } => sending::restored(model, ticket, back, effects),
        Msg::Compared(compared) => reload::compared(model, *compared),
        Msg::Staged(staged) => reload::staged(model, *staged),
        Msg::Comparing(done, count) => refreshing::went_on(model, done, count),
        Msg::DiffMade(diff) => refreshing::made(model, diff, effects),
        Msg::RefreshFailed(reason) => refreshing::failed(model, &reason, effects),
        happened @ (Msg::CommandStarted(_) | Msg::CommandWrote(..) | Msg::CommandEnded(..) | Msg::CommandsOver) => {
            checking::happen(model, happened, effects);
        }
        Msg::WholeRead { part, section, whole } => folding::read(model, part, &section, whole),
        Msg::Colored { part, section, code, first, lines } => {
            settle::color(model, part, &section, &code, (first, lines));
        }
    }
    reload::take(model, effects);
    if effects.iter().any(|effect| matches!(effect, Effect::Quit)) {
        looking::leave(model, effects);
    }
    settle::settle(model, effects);
}

/// The theme is kept for next time, in the file that is named, or is not, and why.
fn theme_kept(model: &mut Model, kept: Result<String, String>) {
    match kept {
        Ok(place) => model.say(Tone::Info, format!("theme {} is set in {place}", model.theme)),
        Err(reason) => model.say(Tone::Problem, format!("the theme is not kept for next time: {reason}")),
    }
}

/// A part was read, or cannot be read.
fn read(model: &mut Model, is_awaited: bool, effects: &mut Vec<Effect>) {
    sending::flush(model, effects);
    if is_awaited && model.pending == 0 {
        looking::begin(model);
        effects.push(watch(model));
        effects.extend(reload::compare_index(model));
    }
}

/// A Markback file beside a file of the review was read. What has been written to it by now is not taken back.
fn take_sidecar(model: &mut Model, read: Result<RecordFile, String>) {
    let file = match read {
        Ok(file) => file,
        Err(reason) => return model.say(Tone::Problem, reason),
    };
    if model.review.records.at(&file.place.path).is_some() {
        return;
    }
    if let Some(fault) = file.fault() {
        model.say(Tone::Problem, fault);
    }
    adopt::take_records(model, file);
}

/// What has come at once. Where it leads to a grave question, what comes after answers that: until then nobody has seen it.
fn inputs(model: &mut Model, events: impl IntoIterator<Item = Event>, effects: &mut Vec<Effect>) {
    let mut is_unseen = false;
    for event in events {
        let is_answer = matches!(event, Event::Key(_) | Event::Paste(_) | Event::Mouse { .. });
        if is_unseen && is_answer {
            continue;
        }
        let was_asked = is_asked_gravely(model);
        input(model, event, effects);
        is_unseen |= is_asked_gravely(model) && !was_asked;
    }
}

/// Whether a yes would do what is more than words: change the code, run commands, or throw text away.
fn is_asked_gravely(model: &Model) -> bool {
    match &model.mode {
        Mode::Acting | Mode::Confirm(Question::Discard | Question::Leave(_)) => true,
        Mode::Checkup => model.checkup.as_ref().is_some_and(|checkup| checkup.stage == Stage::Asking),
        _ => false,
    }
}

fn input(model: &mut Model, event: Event, effects: &mut Vec<Effect>) {
    if model.is_away && !matches!(event, Event::Resize { .. }) {
        return;
    }
    match event {
        Event::Key(key) => press(model, key, effects),
        Event::Paste(text) => paste(model, &text, effects),
        Event::Mouse { action, column, row } => mouse::handle(model, action, (column, row), effects),
        Event::Resize { columns, rows } => {
            settle::resize(&mut model.size, (columns, rows));
            picking::fit(model);
        }
        Event::Focus(_) => {}
        Event::Background { is_light } => {
            if let Some(by) = model.by_background.take() {
                settle::use_theme(model, if is_light { by.light } else { by.dark }, effects);
            }
        }
    }
}

impl Model {
    /// Go back to where the reader was.
    fn stand(&mut self, at: Standpoint) {
        (self.cursor, self.top, self.focus) = (at.cursor, at.top, at.focus);
    }

    /// Show a message in the footer until the next key.
    pub fn say(&mut self, tone: Tone, text: impl Into<String>) {
        self.message = Some((tone, text.into()));
    }
}

/// A key, in whatever has the keyboard.
fn press(model: &mut Model, key: Key, effects: &mut Vec<Effect>) {
    if refused::holds_back(model, key) {
        return;
    }
    model.message = None;
    model.wheeled = false;
    talking::see_answers(model);
    let context = match &model.mode {
        Mode::Review if model.caret.is_some() => Context::Text,
        Mode::Review => Context::Review,
        Mode::Files(_) => Context::Files,
        Mode::Help(_) | Mode::Checkup | Mode::Acting | Mode::Rounds => Context::Popup,
        Mode::Form | Mode::Prompt | Mode::Pick => Context::Form,
        Mode::Confirm(question) => {
            let question = question.clone();
            return answer(model, question, key, effects);
        }
    };
    if matches!(context, Context::Review | Context::Text) && model.keys.is_empty() && count(model, key) {
        return;
    }
    model.keys.push(key);
    let mut resolution = model.keymap.resolve(context, &model.keys);
    if (context, resolution) == (Context::Text, Resolution::None) {
        resolution = model.keymap.resolve(Context::Review, &model.keys);
    }
    match resolution {
        Resolution::Pending => {}
        Resolution::Command(command) => {
            model.keys.clear();
            let count = model.count.take();
            run(model, command, count, effects);
        }
        Resolution::None => {
            let keys = std::mem::take(&mut model.keys);
            model.count = None;
            if let (1, Some(key)) = (keys.len(), key.after_esc()) {
                // Esc and a key right behind it arrive as one key with alt.
                return inputs(model, [Key::plain(Code::Esc), key].map(Event::Key), effects);
            }
            match model.mode {
                Mode::Form => writing::type_key(model, key),
                Mode::Prompt => prompting::type_key(model, key),
                Mode::Pick => picking::type_key(model, key, effects),
                Mode::Help(_) => leave_help(model, &keys, effects),
                Mode::Checkup => checking::other_key(model),
                Mode::Acting => acting::close(model),
                Mode::Rounds => {
                    model.say(Tone::Problem, format!("{} does nothing here", write_sequence(&keys)));
                    refused::meant_nothing(model, &keys, effects);
                }
                Mode::Review | Mode::Files(_) | Mode::Confirm(_) => {
                    let help = model.key(Command::Help);
                    let said = format!("{} does nothing here; {help} shows the keys", write_sequence(&keys));
                    model.say(Tone::Problem, said);
                    refused::meant_nothing(model, &keys, effects);
                }
            }
        }
    }
}

/// Close the help; a key that begins a text does that at once, since the text comes next.
fn leave_help(model: &mut Model, keys: &[Key], effects: &mut Vec<Effect>) {
    model.mode = Mode::Review;
    if let Resolution::Command(command) = model.keymap.resolve(Context::Review, keys)
        && refused::begins_text(command)
    {
        run(model, command, None, effects);
    }
}

/// Digits in front of a command. Whether `key` was one.
fn count(model: &mut Model, key: Key) -> bool {
    let Some(digit) = key.text().and_then(|char| char.to_digit(10)) else { return false };
    if digit == 0 && model.count.is_none() {
        return false;
    }
    model.count = Some(model.count.unwrap_or(0).saturating_mul(10).saturating_add(digit).min(9_999_999));
    true
}

fn answer(model: &mut Model, question: Question, key: Key, effects: &mut Vec<Effect>) {
    let is_yes = model.keymap.resolve(Context::Popup, &[key]) == Resolution::Command(Command::Accept);
    match (question, is_yes) {
        (Question::Discard, true) => {
            model.form = None;
            model.mode = Mode::Review;
            sending::reopen_failed(model);
        }
        (Question::Discard, false) => model.mode = Mode::Form,
        (Question::Leave(_), true) => {
            model.mode = Mode::Review;
            drafts::let_go(model);
            sending::quit(model, effects);
        }
        (Question::Leave(_), false) => {
            model.mode = Mode::Review;
            let kept = model.kept_words();
            model.say(Tone::Info, kept);
        }
        (Question::Send, is_yes) => {
            model.mode = Mode::Review;
            if is_yes {
                talking::send(model, false, effects);
            } else {
                model.say(Tone::Info, "nothing was sent");
            }
        }
        (Question::End, _) => {
            model.mode = Mode::Review;
            match key.text() {
                Some(Question::SEND) if !model.talk.unsent.is_empty() => talking::send(model, true, effects),
                Some(Question::END) => talking::end(effects),
                _ => {}
            }
        }
        (Question::TakeBack { id, is_listed, .. }, is_yes) => {
            model.mode = if is_listed { Mode::Rounds } else { Mode::Review };
            if is_yes {
                talking::take_back(model, &id, effects);
            } else {
                model.say(Tone::Info, "nothing was taken back");
            }
        }
        (Question::Carry(next), is_yes) => {
            model.mode = Mode::Review;
            if is_yes {
                refreshing::carry(model, *next, effects);
            } else {
                model.say(Tone::Info, "the diff stays as it was");
            }
        }
        (Question::Delete(deletion), is_yes) => {
            model.mode = Mode::Review;
            if is_yes {
                sending::delete(model, *deletion, effects);
            } else {
                model.say(Tone::Info, "nothing was deleted");
            }
        }
    }
}

fn paste(model: &mut Model, text: &str, effects: &mut Vec<Effect>) {
    match model.mode {
        Mode::Form => writing::paste(model, text),
        Mode::Prompt => prompting::paste(model, text),
        Mode::Pick => picking::paste(model, text, effects),
        _ => {
            let write = if model.review.passages.is_none() { Command::Note } else { Command::Comment };
            let write = model.key(write);
            model.say(Tone::Problem, format!("nothing takes text here: press {write} first, then paste"));
        }
    }
}

/// Run a command from the table.
fn run(model: &mut Model, command: Command, count: Option<u32>, effects: &mut Vec<Effect>) {
    let from = model.cursor;
    match model.mode {
        Mode::Help(at) => run_in_help(model, command, at, effects),
        Mode::Checkup => checking::run(model, command, effects),
        Mode::Files(_) => files::run(model, command, effects),
        Mode::Acting => acting::run(model, command, effects),
        Mode::Rounds => rounds::run(model, command, effects),
        Mode::Form => writing::run(model, command, effects),
        Mode::Prompt => prompting::run(model, command, effects),
        Mode::Pick => picking::run(model, command, effects),
        Mode::Review | Mode::Confirm(_) if caret::is_own(model, command) => return caret::run(model, command, count),
        Mode::Review | Mode::Confirm(_) => run_in_review(model, command, count, effects),
    }
    refused::ran(model, command, effects);
    let is_search = matches!(command, Command::NextHit | Command::PrevHit | Command::Save);
    caret::follow(model, from, is_search && matches!(model.mode, Mode::Review));
}

/// The same, in the review.
fn run_in_review(model: &mut Model, command: Command, count: Option<u32>, effects: &mut Vec<Effect>) {
    if let Some(reason) = passages::refusal(model, command) {
        return model.say(Tone::Problem, reason);
    }
    if since::refuses(model, command) {
        return;
    }
    match command {
        Command::Verify => checking::open(model),
        Command::Palette => picking::open(model, PickKind::Commands, effects),
        Command::Filter => picking::open(model, PickKind::Filters, effects),
        Command::ClearFilter => filtering::clear(model),
        Command::OnlyUncovered => filtering::toggle_uncovered(model),
        Command::Evidence => picking::open(model, PickKind::Evidence, effects),
        Command::GoToFile => picking::open(model, PickKind::Files, effects),
        Command::Search => prompting::open(model),
        Command::NextHit => searching::go_on(model, true, count.unwrap_or(1)),
        Command::PrevHit => searching::go_on(model, false, count.unwrap_or(1)),
        Command::Help => model.mode = Mode::Help(Help::default()),
        Command::Stage | Command::Unstage | Command::Discard => acting::open(model, command, effects),
        Command::Viewed | Command::HideViewed | Command::OnlyNew => looking::run(model, command, effects),
        Command::Quit => sending::quit(model, effects),
        Command::Since if count.is_none() && model.since.is_some() => sending::quit(model, effects),
        Command::Since => since::ask(model, count, effects),
        Command::Refresh => refreshing::refresh(model, effects),
        Command::Cancel => cancel(model, effects),
        Command::Suspend => effects.push(Effect::Suspend),
        Command::Redraw => effects.push(Effect::Redraw),
        Command::FocusFiles => files::focus(model),
        Command::ToggleFiles => model.files = !model.files,
        Command::Unfold | Command::Fold | Command::ToggleFold => folding::run(model, command, count, effects),
        Command::Wrap | Command::Split | Command::Intraline => reading::toggle(model, command),
        Command::CardDown | Command::CardUp => reading::step_card(model, command),
        Command::Select if model.anchor.is_some() => caret::enter(model),
        Command::Select => model.anchor = Some(model.cursor),
        Command::Copy => copying::copy(model, effects),
        Command::Theme => picking::open_themes(model, effects),
        Command::Mouse => mouse::toggle(model, effects),
        Command::BorderLeft | Command::BorderRight => mouse::step_border(model, command == Command::BorderRight),
        _ => run_on_notes(model, command, count, effects),
    }
}

/// The same, for what is written: notes, answers, comments for the agent.
fn run_on_notes(model: &mut Model, command: Command, count: Option<u32>, effects: &mut Vec<Effect>) {
    match command {
        Command::Kept => drafts::open_kept(model),
        Command::Reply => answers::reply(model),
        Command::Comment | Command::Chat => talking::write(model, command, effects),
        Command::AskForTest => talking::ask_for_test(model, effects),
        Command::Queue => talking::repeat(model, effects),
        Command::Send => talking::ask(model),
        Command::Rounds => rounds::open(model),
        Command::TakeOver => talking::take_over(model, effects),
        Command::EndSession => talking::ask_for_end(model),
        Command::Resolve => answers::resolve(model, effects),
        Command::EditNote | Command::Claim => writing::amend(model, command),
        Command::EditOutside => outside::edit(model, effects),
        Command::OpenSource => outside::open_source(model, effects),
        Command::DeleteNote => existing::ask_to_delete(model),
        Command::ReviewState => writing::decide(model),
        Command::Undo => sending::step(model, Way::Back, effects),
        Command::Redo => sending::step(model, Way::Again, effects),
        Command::Note
        | Command::NoteOnFile
        | Command::NoteOnChange
        | Command::NoteOnUnexplained
        | Command::Markback
        | Command::MarkbackOnFile => {
            writing::open(model, command);
        }
        _ => motion::run(model, command, count),
    }
}

/// Leave the innermost of what is open.
fn cancel(model: &mut Model, effects: &mut Vec<Effect>) {
    // A diff that nobody asked for takes no key away from what is open, and none at all before it is seen.
    let is_in_front =
        |refreshing: &Refreshing| refreshing.is_shown() && (refreshing.asked != Asked::No || !is_anything_open(model));
    if model.refreshing.as_ref().is_some_and(is_in_front) {
        refreshing::end(model, effects);
    } else if model.since.is_some() && !is_anything_open(model) {
        sending::quit(model, effects);
    } else if model.caret.is_some() {
        caret::leave(model);
    } else {
        (model.anchor, model.focus, model.search) = (None, None, None);
    }
}

/// Whether there is something that `esc` leaves before it leaves the rest.
fn is_anything_open(model: &Model) -> bool {
    model.caret.is_some() || model.anchor.is_some() || model.focus.is_some() || model.search.is_some()
}

fn run_in_help(model: &mut Model, command: Command, at: Help, effects: &mut Vec<Effect>) {
    let page = usize::from(help::area(model.size, usize::MAX).height.saturating_sub(2));
    let scrolled = motion::scrolled(command, at.scrolled.into(), help::end(model).into(), page);
    match (scrolled, command) {
        (Some(scrolled), _) => {
            model.mode = Mode::Help(Help { scrolled: u16::try_from(scrolled).unwrap_or(u16::MAX), ..at });
        }
        (None, Command::Search) => picking::open(model, PickKind::Keys, effects),
        (None, Command::Redraw) => effects.push(Effect::Redraw),
        (None, _) => model.mode = Mode::Review,
    }
}
