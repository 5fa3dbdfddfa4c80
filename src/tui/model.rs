//! The state of the reviewer. Only `update` changes it; `view` only reads it.

mod caret;
mod following;
mod mode;
mod outgoing;
mod position;
mod review;
mod totals;

use std::collections::HashSet;
use std::sync::Arc;

use bstr::BString;

use crate::capture::is_markdown;
use crate::document::{NoteRef, ReviewStatus};
use crate::text::width::Display;
use crate::text::wrapped::Wrapped;

use super::card::{CardRow, Writer};
use super::checkup::Checkup;
use super::draft::Draft;
use super::face::Witnessed;
use super::filter::Filter;
use super::form::Form;
use super::history::History;
use super::key::Key;
use super::keymap::Keymap;
use super::layout::{Border, Layout, Panes, Size, Wants};
use super::looks::Looks;
use super::msg::News;
use super::part::{Annotation, Part, Subject};
use super::pick::Pick;
use super::prompt::Prompt;
use super::search::Search;
use super::talk::Talk;
use super::theme::ByBackground;
use super::tree::{Closed, TreeRow};
use super::walk::ScreenPos;

pub use caret::{Caret, on_character};
pub use following::{Asked, Following, Refreshing};
pub use mode::{Acting, Deletion, Done, Help, Mode, Question, Refused};
pub use outgoing::{Doing, Outgoing, Sending};
pub use review::{Passages, RecordTarget, Review};
pub use totals::Totals;

/// A row of a part. Positions stay valid while other parts grow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Pos {
    /// The part.
    pub part: usize,
    /// The row in it.
    pub row: u32,
}

/// Which card is open: an annotation's subject in a part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Focus {
    /// The part.
    pub part: usize,
    /// The note or record.
    pub subject: Subject,
}

impl From<NoteRef> for Focus {
    fn from(note: NoteRef) -> Self {
        Self { part: note.part, subject: Subject::Note(u32::try_from(note.note).unwrap_or(u32::MAX)) }
    }
}

/// Where a copy goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clipboard {
    /// To the terminal, which has a clipboard (OSC 52).
    #[default]
    Terminal,
    /// To tmux, which passes it on if it is set up so.
    Tmux,
    /// To GNU screen, which does not.
    Screen,
    /// Nowhere: the terminal takes none.
    Nowhere,
}

/// What the rows of a part depend on besides what is in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LaidFor {
    /// Whether cards stand under their lines.
    pub is_narrow: bool,
    /// Whether the sides of the diff stand next to each other.
    pub is_split: bool,
    /// The columns of the diff.
    pub width: u16,
}

/// Where the reader is: to come back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Standpoint {
    /// The row with the cursor.
    pub cursor: Pos,
    /// The first row of the screen.
    pub top: ScreenPos,
    /// The card that is open.
    pub focus: Option<Focus>,
}

/// How a message is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Something went as wished.
    Info,
    /// Something did not.
    Problem,
}

/// The most bytes of a text that go into one row.
const MOST_SHOWN: usize = 4096;

/// The open card below its head.
#[derive(Debug, Clone)]
pub struct OpenCard {
    /// Whose card it is.
    pub focus: Focus,
    /// The columns it was made for.
    pub width: usize,
    /// The most rows it may take, borders included.
    pub room: u16,
    /// What it says.
    pub rows: Vec<CardRow>,
}

impl OpenCard {
    /// The rows it takes, borders included.
    #[must_use]
    pub fn height(&self) -> u16 {
        u16::try_from(self.rows.len() + 2).unwrap_or(u16::MAX).min(self.room)
    }

    /// The rows between its borders that there is no room for.
    #[must_use]
    pub fn hidden(&self) -> usize {
        (self.rows.len() + 2).saturating_sub(usize::from(self.height()))
    }
}

/// Everything the reviewer knows.
#[derive(Debug)]
pub struct Model {
    /// The review.
    pub review: Review,
    /// Its parts; as many as the document has.
    pub parts: Vec<Part>,
    /// How many parts are still pending.
    pub pending: usize,
    /// The row with the cursor.
    pub cursor: Pos,
    /// The first row of the screen.
    pub top: ScreenPos,
    /// Whether the wheel has moved the view since the last key: the open card may reach beyond it then.
    pub wheeled: bool,
    /// The other end of the selection.
    pub anchor: Option<Pos>,
    /// The cursor in the text of the line, while there is one.
    pub caret: Option<Caret>,
    /// Where in the text the mouse was pressed.
    pub pressed: Option<(Pos, usize)>,
    /// The card that is open.
    pub focus: Option<Focus>,
    /// What the open card says below its head, made for the width it is drawn in.
    pub open_card: Option<OpenCard>,
    /// Rows of the open card that are scrolled out above.
    pub card_top: usize,
    /// The rectangles of the screen; `None` when it is too small.
    pub layout: Option<Layout>,
    /// Whether there were notes when the screen was last laid out.
    pub had_notes: bool,
    /// What the rows were laid out for.
    pub laid_for: LaidFor,
    /// The part that was last asked for out of turn.
    pub hurried: Option<usize>,
    /// Columns scrolled to the right.
    pub left: usize,
    /// Whether long lines are wrapped; else they are scrolled.
    pub wrap: bool,
    /// Whether the mouse is reported to us; if not, the terminal selects text with it.
    pub has_mouse: bool,
    /// The rows of long lines.
    pub wrapped: Wrapped,
    /// Whether the sides of the diff are to stand next to each other, where there is room.
    pub split: bool,
    /// Whether the cursor is on the old side, where the sides stand next to each other.
    pub on_old: bool,
    /// Whether the words that differ are marked.
    pub intraline: bool,
    /// Whether the list of files was asked for.
    pub files: bool,
    /// The widths that the reader gave the panes.
    pub panes: Panes,
    /// The border that the mouse has hold of.
    pub dragged: Option<Border>,
    /// Where copies go.
    pub clipboard: Clipboard,
    /// What has the keyboard.
    pub mode: Mode,
    /// The commands of the review, while they are asked about, run, or have been run and are looked at.
    pub checkup: Option<Checkup>,
    /// How the commands of the review came out that were run here, as long as the code is what they ran on.
    pub witnessed: Witnessed,
    /// The form, while one is open or asked about.
    pub form: Option<Form>,
    /// What is asked about: lines to be staged, unstaged or discarded.
    pub acting: Option<Acting>,
    /// What is being done of it, in words.
    pub under_way: Option<String>,
    /// How many acts on the code were done, or taken back.
    pub acts: u64,
    /// What the reader has looked at.
    pub looks: Looks,
    /// The conversation with an agent.
    pub talk: Talk,
    /// What is shown in the place of the review: what has changed since a round was sent.
    pub above: Option<Box<Model>>,
    /// The round since which this shows the changes; `None`: it is the review.
    pub since: Option<u32>,
    /// The line at the bottom, while one is asked for.
    pub prompt: Option<Prompt>,
    /// What was searched for before, the oldest first.
    pub searched: Vec<String>,
    /// The list to choose from, while one is open.
    pub pick: Option<Pick>,
    /// The files that are shown, as a tree.
    pub tree: Vec<TreeRow>,
    /// The rows of it that the list of files shows, by index.
    pub listed: Vec<usize>,
    /// The folders of it that are closed.
    pub closed: Closed,
    /// The open folder with the cursor of that list, and where the cursor of the diff is then; `None`: that one decides.
    pub on_folder: Option<(BString, Pos)>,
    /// The part that the list shows, if only as a closed folder: where the cursor goes to another, its folder is opened.
    pub revealed: usize,
    /// Which notes and hunks are shown.
    pub filter: Filter,
    /// What is searched for, while its hits are shown.
    pub search: Option<Search>,
    /// The number of the next part that is looked through for a search.
    pub scans: u64,
    /// What is on disk and waits until the form is closed.
    pub news: Option<Box<News>>,
    /// The diff that is being made anew.
    pub refreshing: Option<Refreshing>,
    /// How the diff follows the code by itself.
    pub following: Following,
    /// What was done to the code, for when the diff has been made anew.
    pub after: Option<Done>,
    /// Changes on their way to disk.
    pub outbox: Vec<Outgoing>,
    /// What was done, and can be taken back.
    pub history: History,
    /// What is kept of all this in case the program ends.
    pub kept: Arc<Draft>,
    /// The next ticket.
    pub ticket: u64,
    /// The key that was refused, while what is typed on behind it is no command.
    pub refused: Option<Refused>,
    /// Why what is kept is not on disk, as far as that is known, so that it would be gone with the program.
    pub unkept: Option<String>,
    /// Whether to leave as soon as the outbox is empty.
    pub leaving: bool,
    /// What has failed when the reader was leaving already.
    pub last_words: Vec<String>,
    /// Whether the reader is in an editor of their own: keys from before that are nobody's.
    pub is_away: bool,
    /// The message in the footer.
    pub message: Option<(Tone, String)>,
    /// What is wrong with the reader's own settings, keys and themes.
    pub problems: Vec<String>,
    /// The names of the themes that there are; none where no colour is shown.
    pub themes: Vec<String>,
    /// The name of the theme it is drawn with.
    pub theme: String,
    /// That of the one to go back to when no other is chosen.
    pub kept_theme: String,
    /// The themes among which the background of the terminal decides, until it is known.
    pub by_background: Option<ByBackground>,
    /// How text becomes cells.
    pub display: Display,
    /// The size of the screen.
    pub size: Size,
    /// What the keys mean.
    pub keymap: Arc<Keymap>,
    /// Keys pressed so far of a longer sequence.
    pub keys: Vec<Key>,
    /// The count in front of a command.
    pub count: Option<u32>,
    /// Colours asked for and not yet here: part, whether lines around the hunks, and first line.
    pub asked: HashSet<(usize, bool, u32)>,
}

impl Model {
    /// The model of a review none of whose parts has been read yet.
    #[must_use]
    pub fn new(review: Review, keymap: Arc<Keymap>, display: Display, size: Size) -> Self {
        // Long, because it is a line a field, and flat.
        let parts: Vec<Part> = review.document.parts().iter().map(Part::pending).collect();
        // Nobody knows yet: most that is written has notes.
        let had_notes = review.on_disk && review.passages.is_none();
        let mut model = Self {
            pending: parts.len(),
            parts,
            review,
            cursor: Pos::default(),
            top: ScreenPos::default(),
            wheeled: false,
            anchor: None,
            caret: None,
            pressed: None,
            focus: None,
            open_card: None,
            card_top: 0,
            layout: None,
            had_notes,
            laid_for: LaidFor::default(),
            hurried: None,
            left: 0,
            wrap: false,
            has_mouse: true,
            wrapped: Wrapped::default(),
            split: false,
            on_old: false,
            intraline: true,
            files: false,
            panes: Panes::default(),
            dragged: None,
            clipboard: Clipboard::default(),
            mode: Mode::Review,
            checkup: None,
            witnessed: Witnessed::default(),
            form: None,
            acting: None,
            under_way: None,
            acts: 0,
            looks: Looks::default(),
            talk: Talk::default(),
            above: None,
            since: None,
            prompt: None,
            searched: Vec::new(),
            pick: None,
            tree: Vec::new(),
            listed: Vec::new(),
            closed: Closed::default(),
            on_folder: None,
            revealed: 0,
            filter: Filter::default(),
            search: None,
            scans: 0,
            news: None,
            refreshing: None,
            following: Following::default(),
            after: None,
            outbox: Vec::new(),
            history: History::default(),
            kept: Arc::default(),
            ticket: 0,
            refused: None,
            unkept: None,
            leaving: false,
            last_words: Vec::new(),
            is_away: false,
            message: None,
            problems: Vec::new(),
            themes: Vec::new(),
            theme: String::new(),
            kept_theme: String::new(),
            by_background: None,
            display,
            size,
            keymap,
            keys: Vec::new(),
            count: None,
            asked: HashSet::new(),
        };
        super::update::start(&mut model);
        model
    }

    /// Whether a list of files and headings is of use: there are several files, or one that can have headings.
    #[must_use]
    pub fn has_outline(&self) -> bool {
        let paths = self.parts.iter().filter_map(|part| Some(&part.section.tree().file.as_ref()?.path));
        self.parts.len() > 2 || paths.into_iter().any(|path| is_markdown(path))
    }

    /// What wants a place on the screen, beside a form of so many rows.
    #[must_use]
    pub fn wants(&self, form: Option<u16>) -> Wants {
        let below = u16::try_from(self.said().1.len().saturating_sub(1)).unwrap_or(0);
        Wants { form, notes: self.has_notes(), below, ..self.wants_with_notes() }
    }

    fn wants_with_notes(&self) -> Wants {
        let split = self.split && self.review.passages.is_none();
        let prose = self.review.is_of_documents();
        Wants { files: self.files, split, notes: true, panes: self.panes, prose, ..Wants::default() }
    }

    /// Whether notes, as soon as there are some, stand beside the diff.
    #[must_use]
    pub fn has_room_beside(&self) -> bool {
        Layout::of(self.size, self.wants_with_notes()).is_some_and(|layout| layout.notes.is_some())
    }

    /// Whether there are notes. What a filter hides counts, and while some of the review has not been read it is as it
    /// was before: what stands beside the diff does not come and go.
    #[must_use]
    pub fn has_notes(&self) -> bool {
        (self.pending > 0 && self.had_notes)
            || self.parts.iter().any(|part| !part.annotations.is_empty() || part.hidden_notes > 0)
    }

    /// The columns a form has, borders excluded.
    #[must_use]
    pub fn form_width(&self) -> usize {
        let layout = Layout::of(self.size, self.wants(Some(5)));
        layout.and_then(|layout| layout.form).map_or(1, |form| form.width.saturating_sub(2).max(1) as usize)
    }

    /// Whether the sides of the diff stand next to each other.
    #[must_use]
    pub fn is_split(&self) -> bool {
        self.layout.is_some_and(|layout| layout.is_split)
    }

    /// Whether cards stand under their lines instead of beside them.
    #[must_use]
    pub fn is_narrow(&self) -> bool {
        self.layout.is_none_or(|layout| layout.notes.is_none())
    }

    /// The most rows that the open card may take: all of the pane beside the diff, or so many that lines stay visible
    /// above and below it.
    #[must_use]
    pub fn card_room(&self) -> u16 {
        let Some(layout) = self.layout else { return 3 };
        layout.notes.map_or_else(|| layout.diff.height.saturating_sub(4), |pane| pane.height).max(3)
    }

    /// `text` fit for one row: no screen is wide enough for what is cut off.
    #[must_use]
    pub fn shown(&self, text: &[u8]) -> String {
        let end = text.len().min(MOST_SHOWN);
        self.display.visible(&text[..end])
    }

    /// How the text of a file becomes cells: with its own tab stops, where somebody has said what they are.
    #[must_use]
    pub fn display_of(&self, part: &Part) -> Display {
        let glyphs = self.display.glyphs();
        part.aside.tab_width.map_or(self.display, |tab_width| Display::new(tab_width, glyphs))
    }

    /// Where the reader is.
    #[must_use]
    pub fn standpoint(&self) -> Standpoint {
        Standpoint { cursor: self.cursor, top: self.top, focus: self.focus }
    }

    /// The annotation that has the focus, with its part.
    #[must_use]
    pub fn focused(&self) -> Option<(&Part, &Annotation)> {
        let focus = self.focus?;
        let part = self.parts.get(focus.part)?;
        Some((part, &part.annotations[part.index_of(focus.subject)?]))
    }

    /// How many texts are kept that could not be saved, and that nobody is writing in.
    #[must_use]
    pub fn kept_texts(&self) -> usize {
        self.outbox.iter().filter(|outgoing| outgoing.state == Sending::Aside).count()
    }

    /// What the reviewer has decided.
    #[must_use]
    pub fn review_status(&self) -> ReviewStatus {
        self.review.document.meta().review.as_ref().map_or(ReviewStatus::Pending, |review| review.status)
    }

    /// What is said on the normal screen when the reviewer has been left.
    #[must_use]
    pub fn farewell(&self) -> Option<String> {
        let parts: Vec<String> = self.last_words.iter().cloned().chain(self.talk.farewell()).collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }

    /// Whether a search is on its way to a hit that is not known yet.
    #[must_use]
    pub fn is_looking(&self) -> bool {
        self.search.as_ref().is_some_and(|search| search.goal.is_some())
    }

    /// The writer of the cards of a part.
    #[must_use]
    pub fn writer(&self, part: usize) -> Writer<'_> {
        Writer {
            display: self.display,
            records: &self.review.records,
            comments: &self.talk.shown,
            document: &self.review.document,
            part,
            witnessed: &self.witnessed,
            is_whole: self.pending == 0,
        }
    }
}
