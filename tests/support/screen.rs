//! The reviewer without a terminal: keys go in, frames and files come out.
//!
//! Everything that threads do in the program happens here at once and in order, so a test never waits. What the
//! program would still be reading can be held back.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bstr::ByteSlice as _;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use unicode_width::UnicodeWidthStr;
use whymark::git::{Repo, Scope};
use whymark::text::width::{Display, Glyphs};
use whymark::tui::colour::Depth;
use whymark::tui::decode::Decoder;
use whymark::tui::desk::{Address, Desk};
use whymark::tui::draft::Draft;
use whymark::tui::effect::{Effect, OpenSource, Verify, Watched};
use whymark::tui::form::{Form, FormKind};
use whymark::tui::input::{Event, MouseAction};
use whymark::tui::key::{Code, Key, read_sequence};
use whymark::tui::keymap::Keymap;
use whymark::tui::layout::Size;
use whymark::tui::load::Loader;
use whymark::tui::looks::Looks;
use whymark::tui::model::{Model, Outgoing, Tone};
use whymark::tui::msg::Msg;
use whymark::tui::open::{self, Signature, Target};
use whymark::tui::search::{Scan, scan};
use whymark::tui::talk::Told;
use whymark::tui::theme::{BUILT_IN, Theme};
use whymark::tui::update::{begin, restore, update};
use whymark::tui::{act, commands, evidence, preview, reread, save, view, whole};
use whymark::verify::run::{Cancel, Runner};

use super::Sandbox;

/// How long a command may take that takes no time.
const PATIENCE: Duration = Duration::from_secs(60);
/// When everything happens.
const NOW: &str = "2026-01-02T03:04:05Z";
/// The name of a review that is given as text.
const REVIEW: &str = "review.whymark";

/// What somebody makes of a text in an editor of their own.
pub(crate) type Editor = fn(&str) -> Result<Option<String>, String>;

/// An open reviewer and the repository that it looks at.
pub(crate) struct Screen {
    /// The repository.
    pub(crate) sandbox: Sandbox,
    /// What the reviewer knows.
    pub(crate) model: Model,
    /// What was put on the clipboard.
    pub(crate) copied: Vec<String>,
    /// How often the program would have stopped itself.
    pub(crate) suspended: usize,
    /// How often everything would have been drawn anew.
    pub(crate) redrawn: usize,
    /// What is kept of the unsaved texts.
    pub(crate) kept: Option<String>,
    /// Why nothing can be kept, where that is so.
    pub(crate) keeps_nothing: Option<String>,
    /// Whoever waits for a pause in what is typed.
    pausing: Option<u64>,
    /// What the reader's editor makes of a text, where they have one.
    pub(crate) editor: Option<Editor>,
    /// What was opened in it.
    pub(crate) looked_at: Vec<OpenSource>,
    /// How often what runs would have been ended.
    pub(crate) ended: usize,
    /// How often a diff that is being made would have been given up.
    pub(crate) given_up: usize,
    /// Whether the reviewer was left.
    pub(crate) left: bool,
    /// What is remembered of what was looked at.
    pub(crate) looks: Option<String>,
    /// The theme that was chosen.
    pub(crate) kept_theme: Option<String>,
    /// The files that would be watched.
    pub(crate) watched: Watched,
    /// The session, where one is open.
    pub(crate) desk: Option<Desk>,
    theme: Theme,
    path: PathBuf,
    unread: VecDeque<Msg>,
    held: Option<VecDeque<Effect>>,
    untold: Option<VecDeque<Msg>>,
}

/// What a file must be in the end.
#[derive(Debug, Clone, Copy)]
pub(crate) enum File<'a> {
    /// What it was, or still not there.
    Same,
    /// What it was, with the second text put in behind the first.
    Added(&'a str, &'a str),
}

impl Screen {
    /// A review of this text, on a screen of 120 times 40.
    pub(crate) fn document(text: impl AsRef<[u8]>) -> Self {
        let sandbox = Sandbox::new();
        sandbox.write(REVIEW, text);
        Self::open(sandbox, Target::File(REVIEW.into()))
    }

    /// What is staged in a repository, likewise.
    pub(crate) fn staged(sandbox: Sandbox) -> Self {
        let mut screen = Self::unread(sandbox);
        screen.read_all();
        screen
    }

    /// What is staged, before any of it has been read.
    pub(crate) fn unread(sandbox: Sandbox) -> Self {
        let target = staged_of(&sandbox.repo());
        Self::start(sandbox, target)
    }

    /// What `target` names in a repository, all of it read.
    pub(crate) fn open(sandbox: Sandbox, target: Target) -> Self {
        let mut screen = Self::start(sandbox, target);
        screen.read_all();
        screen
    }

    fn start(sandbox: Sandbox, target: Target) -> Self {
        let signature = Signature { author: Some("Ada Example".to_owned()), date: NOW.to_owned() };
        let opened = open::open(&sandbox.repo(), target, &signature).unwrap_or_else(|error| panic!("{error}"));
        let (to, from) = channel();
        let _loader =
            Loader::start(&sandbox.repo(), &opened.review.document, &opened.review.folder, &opened.source, &to);
        drop(to);
        let mut unread: Vec<Msg> = from.iter().collect();
        unread.sort_by_key(|msg| match msg {
            Msg::Loaded { part, .. } | Msg::LoadFailed { part, .. } => *part,
            Msg::Missing(_) => usize::MAX,
            other => panic!("a loader only loads: {other:?}"),
        });
        let path = opened.review.path.clone();
        let display = Display::new(4, Glyphs::Unicode);
        let mut model =
            Model::new(opened.review, Arc::new(Keymap::default()), display, Size { width: 120, height: 40 });
        if let Some(notice) = opened.notice {
            model.say(Tone::Problem, notice);
        }
        model.themes = BUILT_IN.iter().map(|(name, _)| (*name).to_owned()).collect();
        "dark".clone_into(&mut model.theme);
        let (theme, warnings) = Theme::load("dark", Depth::None, |_| None);
        assert_eq!(warnings, [""; 0]);
        Self {
            sandbox,
            model,
            copied: Vec::new(),
            suspended: 0,
            redrawn: 0,
            ended: 0,
            given_up: 0,
            editor: None,
            looked_at: Vec::new(),
            kept: None,
            keeps_nothing: None,
            pausing: None,
            left: false,
            looks: None,
            kept_theme: None,
            watched: Watched::default(),
            desk: None,
            theme,
            path,
            unread: unread.into(),
            held: None,
            untold: None,
        }
    }

    /// The same on a screen of another size.
    pub(crate) fn sized(mut self, columns: u16, rows: u16) -> Self {
        self.resize(columns, rows);
        self
    }

    /// Draw with another theme, on a terminal of `depth`.
    pub(crate) fn use_theme(&mut self, name: &str, depth: Depth) {
        self.theme = Theme::load(name, depth, |_| None).0;
    }

    /// The same, with these keys pressed.
    pub(crate) fn pressed(mut self, script: &str) -> Self {
        self.press(script);
        self
    }

    /// The reviewer is left and opened again on the same review.
    pub(crate) fn reopened(self) -> Self {
        let size = self.model.size;
        let path = self.path;
        Self::open(self.sandbox, Target::File(path)).sized(size.width, size.height)
    }

    /// The reviewer is left and what is staged is opened again; what was looked at is remembered.
    pub(crate) fn looked_again(mut self) -> Self {
        self.press("q");
        let (looks, size) = (self.looks.take(), self.model.size);
        let target = staged_of(&self.sandbox.repo());
        let mut screen = Self::start(self.sandbox, target).sized(size.width, size.height);
        screen.model.looks = Looks::from_json(looks.as_deref().unwrap_or_default().as_bytes());
        screen.looks = looks;
        screen.read_all();
        screen
    }

    /// The program ends without a word, whatever is open, and the same is opened again: the review, or what is staged.
    /// No text is gone that is not on disk.
    pub(crate) fn killed(mut self) -> Self {
        let has_session = self.desk.take().is_some();
        let Size { width, height } = self.model.size;
        let (kept, before) = (self.kept.clone(), self.unsaved_texts());
        let is_written = self.path.exists();
        let target = if is_written { Target::File(self.path) } else { staged_of(&self.sandbox.repo()) };
        let mut screen = Self::start(self.sandbox, target).sized(width, height);
        if is_written {
            screen.read_all();
        }
        if has_session {
            screen = screen.in_session();
        }
        screen.restore(kept);
        screen.read_all();
        let written = [screen.file().unwrap_or_default(), screen.records().unwrap_or_default().into_bytes()].concat();
        let (after, written) = (screen.unsaved_texts(), String::from_utf8_lossy(&written).into_owned());
        for text in before.iter().filter(|text| !after.iter().any(|other| other.contains(*text))) {
            assert!(text.lines().all(|line| written.contains(line.trim())), "lost: {text:?}; left: {after:?}");
        }
        screen
    }

    /// The same with a session, opened as at the start of the program.
    pub(crate) fn in_session(mut self) -> Self {
        let second = self.sandbox.tmp().join("second");
        let store = whymark::session::Store::of(Some(&self.sandbox.repo().join(".git")), Path::new("."), None);
        let store = store.expect("there is a place for sessions").with_second(second);
        let (desk, opened) = Desk::open(Address::new(store, &self.model.review)).expect("nobody else is there");
        self.desk = Some(desk);
        begin(&mut self.model, opened).into_iter().for_each(|effect| self.perform(effect));
        self
    }

    /// What has happened in the session is seen.
    pub(crate) fn look(&mut self) {
        let told = self.desk.as_mut().and_then(Desk::look);
        told.into_iter().for_each(|told| self.happen(Msg::Agent(told)));
    }

    fn unsaved(&self) -> impl Iterator<Item = &Form> {
        let models = self.model.above.as_deref().into_iter().chain([&self.model]);
        let forms = models.flat_map(|model| model.form.iter().chain(model.outbox.iter().filter_map(Outgoing::form)));
        forms.filter(|form| form.has_text())
    }

    fn unsaved_texts(&self) -> Vec<String> {
        self.unsaved().flat_map(|form| form.texts().iter().map(|(_, input)| input.text().to_owned())).collect()
    }

    /// Begin with a draft.
    pub(crate) fn restore(&mut self, kept: Option<String>) {
        let draft = kept.as_ref().map(|json| Draft::from_json(json, REVIEW.as_bytes()).expect("it is of this review"));
        self.kept = kept;
        restore(&mut self.model, draft.unwrap_or_default()).into_iter().for_each(|effect| self.perform(effect));
        self.assert_kept();
    }

    /// Every text that is not on disk yet is in the draft.
    fn assert_kept(&self) {
        let is_for_agent = |form: &&Form| form.kind == FormKind::Comment && self.model.talk.is_held();
        let (typed, unsaved): (Vec<&Form>, Vec<&Form>) = self.unsaved().partition(is_for_agent);
        assert!(self.model.talk.typed.is_of(typed.into_iter()), "what is typed for the agent is kept in its session");
        if self.keeps_nothing.is_some() {
            return;
        }
        let kept = self.kept.as_ref().map(|json| Draft::from_json(json, REVIEW.as_bytes()).expect("we have made it"));
        assert_eq!(kept.is_some(), !unsaved.is_empty(), "a draft is there when it is needed: {:?}", self.kept);
        let is_kept = kept.unwrap_or_default().is_of(unsaved.into_iter());
        assert!(is_kept, "the draft is not what is unsaved: {:?}", self.kept);
    }

    /// Press keys, written as in the key file; words that name no key are typed letter by letter, and what stands in
    /// single quotes is typed as it is, on and on; before any other key there is time to read what the last one did.
    pub(crate) fn press(&mut self, script: &str) {
        for (index, piece) in script.split('\'').enumerate() {
            if index % 2 == 1 {
                self.type_text(piece);
                continue;
            }
            for word in piece.split_ascii_whitespace() {
                self.pause();
                let keys = read_sequence(word).unwrap_or_else(|error| {
                    assert!(!word.contains('-'), "{error}");
                    word.chars().map(|c| Key::plain(Code::Char(c))).collect()
                });
                keys.into_iter().for_each(|key| self.event(Event::Key(key)));
            }
        }
    }

    /// Nothing is typed for a while.
    pub(crate) fn pause(&mut self) {
        while let Some(ticket) = self.pausing.take() {
            self.happen(Msg::Paused(ticket));
        }
    }

    /// Send bytes as a terminal does, in one piece.
    pub(crate) fn at_once(&mut self, bytes: &str) {
        let (mut decoder, mut events) = (Decoder::default(), Vec::new());
        decoder.feed(bytes.as_bytes(), &mut events);
        decoder.give_up(&mut events);
        self.happen(Msg::Input(events));
    }

    /// Type a text, key by key.
    pub(crate) fn type_text(&mut self, text: &str) {
        text.chars().for_each(|c| self.event(Event::Key(Key::plain(Code::Char(c)))));
    }

    /// Paste a text.
    pub(crate) fn paste(&mut self, text: &str) {
        self.event(Event::Paste(text.to_owned()));
    }

    /// Do something with the mouse.
    pub(crate) fn mouse(&mut self, action: MouseAction, (column, row): (u16, u16)) {
        self.event(Event::Mouse { action, column, row });
    }

    /// Give the window another size.
    pub(crate) fn resize(&mut self, columns: u16, rows: u16) {
        self.event(Event::Resize { columns, rows });
    }

    /// Read the next part, if there is one.
    pub(crate) fn read_one(&mut self) -> bool {
        let msg = self.unread.pop_front();
        msg.map(|msg| self.happen(msg)).is_some()
    }

    /// Read what is left.
    pub(crate) fn read_all(&mut self) {
        while self.read_one() {}
    }

    /// From now on nothing reaches the disk until [`Screen::let_saves_go`].
    pub(crate) fn hold_saves(&mut self) {
        self.held.get_or_insert_default();
    }

    /// Do what was held back.
    pub(crate) fn let_saves_go(&mut self) {
        self.held.take().unwrap_or_default().into_iter().for_each(|effect| self.perform(effect));
    }

    /// From now on what is found out of the code is told by [`Screen::tell_one`] alone.
    pub(crate) fn hold_findings(&mut self) {
        self.untold.get_or_insert_default();
    }

    /// Tell what was found out first of what was not told yet.
    pub(crate) fn tell_one(&mut self) {
        let msg = self.untold.as_mut().and_then(VecDeque::pop_front).expect("something was found out");
        self.happen(msg);
    }

    /// Tell what was found out, and from now on everything at once.
    pub(crate) fn tell_all(&mut self) {
        self.untold.take().into_iter().flatten().for_each(|msg| self.happen(msg));
    }

    fn find_out(&mut self, msg: Msg) {
        match &mut self.untold {
            Some(untold) => untold.push_back(msg),
            None => self.happen(msg),
        }
    }

    /// Somebody else has done something to these: files of the review, or what it is about.
    pub(crate) fn changed(&mut self, files: bool, tree: bool) {
        self.happen(Msg::Changed { files, tree });
    }

    fn event(&mut self, event: Event) {
        self.happen(Msg::Input(vec![event]));
    }

    /// Let something happen, and everything that follows from it.
    pub(crate) fn happen(&mut self, msg: Msg) {
        update(&mut self.model, msg).into_iter().for_each(|effect| self.perform(effect));
        let held = self.held.as_ref().map_or(0, VecDeque::len);
        assert!(self.model.outbox.len() >= held, "a note is neither on disk nor kept");
        self.assert_kept();
    }

    fn perform(&mut self, effect: Effect) {
        if let (Effect::Write(_) | Effect::Restore(_), Some(held)) = (&effect, &mut self.held) {
            return held.push_back(effect);
        }
        match effect {
            Effect::Write(job) => self.happen(save::write(&job, NOW)),
            Effect::EditText(job) => {
                let text = self.editor.map_or(Err("no editor is named".to_owned()), |editor| editor(&job.text));
                self.happen(Msg::Edited { text, saves: job.saves });
            }
            Effect::OpenSource(job) => {
                self.looked_at.push(*job);
                self.happen(Msg::Looked(None));
            }
            Effect::Verify(job) => self.run_commands(&job),
            Effect::EndCommands => self.ended += 1,
            Effect::Remember(remembered) => {
                let before = self.looks.take().unwrap_or_default();
                self.looks = Some(remembered.kept_in(before.as_bytes()));
            }
            Effect::Watch(watched) => self.watched = watched,
            Effect::Act(job) => self.happen(act::act(&job)),
            Effect::Restore(job) => self.happen(act::restore(&job)),
            Effect::Reread(job) => self.happen(reread::read_again(&job)),
            Effect::Compare(job) => {
                if job.stale {
                    self.find_out(reread::compare(&job));
                }
                if job.staged {
                    self.find_out(act::staged(&job));
                }
            }
            Effect::Refresh(job) => self.find_out(reread::make_diff(&job, |_, _| true)),
            Effect::Carry(job) => self.happen(reread::carry(&job)),
            Effect::Agent(errand) => {
                let told = match &mut self.desk {
                    Some(desk) => desk.run(*errand).into_iter().chain(desk.keep_typed()).collect(),
                    None => vec![Told::Failed("there is no session".to_owned())],
                };
                told.into_iter().for_each(|told| self.happen(Msg::Agent(told)));
            }
            Effect::KeepDraft(draft) => {
                self.kept = draft.map(|draft| draft.to_json(REVIEW.as_bytes()));
                let is_known = self.model.unkept.is_some() == self.keeps_nothing.is_some();
                if !is_known {
                    let kept = self.keeps_nothing.clone().map_or(Ok(()), Err);
                    self.happen(Msg::DraftKept(kept));
                }
            }
            Effect::SettleDraft => {
                let kept = self.keeps_nothing.clone().map_or(Ok(()), Err);
                self.happen(Msg::DraftSettled(kept));
            }
            Effect::Pause(ticket) => self.pausing = Some(ticket),
            Effect::Scan(jobs) => self.scan(jobs),
            Effect::ReadWhole(job) => self.happen(whole::read_for(*job)),
            Effect::Preview(job) => self.happen(preview::work_out(&job)),
            Effect::FindOdd(document) => self.happen(evidence::find_odd(document)),
            Effect::Copy(text) => self.copied.push(text),
            Effect::Suspend => self.suspended += 1,
            Effect::Redraw => self.redrawn += 1,
            Effect::KeepTheme(name) => {
                self.kept_theme = Some(name);
                self.happen(Msg::ThemeKept(Ok("config.toml".to_owned())));
            }
            Effect::UseTheme(name) => self.theme = Theme::load(&name, Depth::True, |_| None).0,
            Effect::Quit => self.left = true,
            Effect::EndRefresh => self.given_up += 1,
            Effect::UseMouse(_) | Effect::Color { .. } | Effect::Prioritize(_) => {}
        }
    }

    /// Look through parts for what is searched for.
    fn scan(&mut self, jobs: Vec<Scan>) {
        for job in jobs {
            let (part, ticket) = (job.part, job.ticket);
            let hits = scan(job, || false).expect("nobody cancels");
            self.happen(Msg::Scanned { part, ticket, hits });
        }
    }

    /// Run commands to their end; all that is told of them happens then.
    fn run_commands(&mut self, job: &Verify) {
        let (to, told) = channel();
        let runner = Runner::new(job.folder.clone(), PATIENCE).watched_by(env!("CARGO_BIN_EXE_whymark"));
        let to = Mutex::new(to);
        commands::run(job, &runner, &Cancel::default(), &|msg| {
            to.lock().expect("nobody panics with it").send(msg).expect("we listen");
        });
        drop(to);
        self.unread.extend(told.iter());
    }

    /// The cells of the frame.
    pub(crate) fn frame(&self) -> Buffer {
        self.draw().backend().buffer().clone()
    }

    /// Where the terminal's cursor stands, column first.
    pub(crate) fn cursor(&self) -> (u16, u16) {
        let position = self.draw().backend().cursor_position();
        (position.x, position.y)
    }

    fn draw(&self) -> Terminal<TestBackend> {
        let Size { width, height } = self.model.size;
        let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test has a screen");
        terminal.draw(|frame| view::draw(&self.model, &self.theme, frame)).expect("drawing does not fail");
        terminal
    }

    /// The rows of the frame, without blanks at their ends.
    pub(crate) fn rows(&self) -> Vec<String> {
        let frame = self.frame();
        (0..frame.area.height).map(|y| row(&frame, y).trim_end().to_owned()).collect()
    }

    /// The frame as text.
    pub(crate) fn text(&self) -> String {
        self.rows().join("\n")
    }

    /// The cell at which `text` begins on the screen, column first.
    pub(crate) fn find(&self, text: &str) -> (u16, u16) {
        let rows = (0u16..).zip(self.rows());
        let found = rows.into_iter().find_map(|(y, row)| Some((row[..row.find(text)?].width(), y)));
        let (x, y) = found.unwrap_or_else(|| panic!("`{text}` is not on the screen:\n{}", self.text()));
        (u16::try_from(x).expect("a screen is narrow"), y)
    }

    /// The review on disk, if it is there.
    pub(crate) fn file(&self) -> Option<Vec<u8>> {
        std::fs::read(&self.path).ok()
    }

    /// The records beside it, if they are there.
    pub(crate) fn records(&self) -> Option<String> {
        std::fs::read_to_string(self.path.with_extension("mb")).ok()
    }

    /// Assert that each of `texts` is in some row; one that begins with `¬` must be in none.
    pub(crate) fn assert_shows(&self, texts: &[&str]) {
        let rows = self.rows();
        for text in texts {
            let (text, wanted) = text.strip_prefix('¬').map_or((*text, true), |text| (text, false));
            let is_there = rows.iter().any(|row| row.contains(text));
            assert!(is_there == wanted, "`{text}`: wanted {wanted}; the screen:\n{}", self.text());
        }
    }
}

/// What is staged in the repository at `folder`.
fn staged_of(folder: &Path) -> Target {
    let repo = Repo::discover(folder).expect("a sandbox is a repository");
    Target::Scope { repo, scope: Some(Scope::Staged), options: Default::default(), out: None }
}

/// A row of a frame as a terminal shows it: a wide character hides the cell behind it.
fn row(frame: &Buffer, y: u16) -> String {
    let mut text = String::new();
    let mut x = 0;
    while x < frame.area.width {
        let symbol = frame[(x, y)].symbol();
        text += symbol;
        x += u16::try_from(symbol.width()).expect("a cell is narrow").max(1);
    }
    text
}

/// The entry to all tests of this kind: on `screen`, the keys of `script` make it show `texts` (in any row; `¬` in front
/// says: in none), and make of the review on disk what `file` says.
pub(crate) fn check(mut screen: Screen, script: &str, texts: &[&str], file: File<'_>) -> Screen {
    let before = screen.file();
    screen.press(script);
    screen.assert_shows(texts);
    let wanted = match file {
        File::Same => before,
        File::Added(behind, text) => {
            let before = String::from_utf8(before.expect("there was a file")).expect("the review is UTF-8");
            let at = before.find(behind).unwrap_or_else(|| panic!("`{behind}` is not in the file")) + behind.len();
            Some([&before[..at], text, &before[at..]].concat().into_bytes())
        }
    };
    let [found, wanted] =
        [screen.file(), wanted].map(|file| file.map_or("no file".to_owned(), |text| text.as_bstr().to_string()));
    assert!(found == wanted, "after `{script}` the file is\n{found}\nand not\n{wanted}\n{}", screen.text());
    screen
}
