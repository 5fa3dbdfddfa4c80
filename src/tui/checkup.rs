//! The commands of a review on the screen: asked about, running, over. Pure; the view draws its rows, and the thread that
//! runs them tells what happens.

use std::sync::Arc;

use crate::document::Document;
use crate::text::counted::counted;
use crate::text::width::Display;
use crate::verify::{Item, Left, Outcome, Plan, Ran, Summary, Verdict};

use super::card::CardRow;
use super::theme::Role;

/// How many of the last lines of an output are shown.
const LAST_LINES: usize = 10;

/// How far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Stage {
    /// The reader is asked whether the commands may be run.
    Asking,
    /// They run.
    Running,
    /// They run, and the reader is asked whether they shall be ended.
    Doubting,
    /// They are being ended.
    Ending,
    /// What came out is on its way to disk.
    Writing,
    /// It is over; what became of what came out, in a sentence.
    Over(String),
}

/// What is known of one command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Waiting,
    Running(Vec<u8>),
    Ended,
}

/// The commands of a review, and what has come of them.
#[derive(Debug, Clone)]
pub struct Checkup {
    /// What is run, and for which claims.
    pub plan: Arc<Plan>,
    /// The document that the plan is of.
    pub document: Document,
    /// How far it has come.
    pub stage: Stage,
    /// Rows scrolled out above, once the reader has scrolled.
    pub scrolled: Option<usize>,
    folder: String,
    read_only: Option<String>,
    states: Vec<State>,
    runs: Vec<Option<Ran>>,
    left: Vec<Left>,
}

impl Checkup {
    /// Ask about `plan`, which is of `document` and would be run in `folder`. `read_only` says why nothing could be
    /// written, where that is so.
    #[must_use]
    pub fn new(document: Document, plan: Plan, folder: String, read_only: Option<String>) -> Self {
        let count = plan.commands.len();
        Self {
            plan: Arc::new(plan),
            document,
            stage: Stage::Asking,
            scrolled: None,
            folder,
            read_only,
            states: vec![State::Waiting; count],
            runs: vec![None; count],
            left: Vec::new(),
        }
    }

    /// Whether commands may be running.
    #[must_use]
    pub fn is_running(&self) -> bool {
        matches!(self.stage, Stage::Running | Stage::Doubting | Stage::Ending)
    }

    /// Why what comes out is not written, where that is so.
    #[must_use]
    pub fn read_only(&self) -> Option<&str> {
        self.read_only.as_deref()
    }

    /// What has come out so far, one a command.
    #[must_use]
    pub fn runs(&self) -> &[Option<Ran>] {
        &self.runs
    }

    /// The command at `index` has begun.
    pub fn started(&mut self, index: usize) {
        self.states[index] = State::Running(Vec::new());
    }

    /// The command at `index` has written something, of which this is the end.
    pub fn wrote(&mut self, index: usize, tail: Vec<u8>) {
        self.states[index] = State::Running(tail);
    }

    /// The command at `index` is over.
    pub fn ended(&mut self, index: usize, ran: Ran) {
        self.states[index] = State::Ended;
        self.runs[index] = Some(ran);
    }

    /// It is over; `left` could not be written.
    pub fn finish(&mut self, sentence: String, left: Vec<Left>) {
        self.stage = Stage::Over(sentence);
        self.left = left;
        self.scrolled = None;
    }

    /// How many checks and claims came out how.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(&self.plan.verdicts(&self.runs))
    }

    /// The title of the pane.
    #[must_use]
    pub fn title(&self) -> String {
        let commands = counted(self.plan.commands.len(), "command");
        let done = self.states.iter().filter(|state| **state == State::Ended).count();
        match &self.stage {
            Stage::Asking => format!(" Run {commands} in {}? ", self.folder),
            Stage::Running | Stage::Doubting => format!(" Running: {done} of {commands} done "),
            Stage::Ending => " Ending what runs ".to_owned(),
            Stage::Writing => " Writing what came out ".to_owned(),
            Stage::Over(_) => " What came out ".to_owned(),
        }
    }

    /// The rows of the pane in so many columns, and the row that should be on the screen: the end of what runs.
    #[must_use]
    pub fn rows(&self, display: Display, width: usize) -> (Vec<CardRow>, usize) {
        let mut rows = Rows { display, width: width.max(8), rows: Vec::new() };
        if let (Some(reason), Stage::Asking) = (&self.read_only, &self.stage) {
            rows.text(0, Role::Warning, &format!("What comes out will be shown and not written: {reason}"));
        }
        if let Stage::Over(sentence) = &self.stage {
            rows.text(0, Role::Text, sentence);
            for left in &self.left {
                rows.text(0, Role::Warning, &left.to_string());
            }
            rows.rows.push(Vec::new());
        }
        let mut visible = 0;
        let verdicts = self.plan.verdicts(&self.runs);
        for index in self.order(&verdicts) {
            self.command(&mut rows, index, &verdicts);
            if matches!(self.states[index], State::Running(_)) {
                visible = rows.rows.len().saturating_sub(1);
            }
        }
        for verdict in verdicts.iter().filter(|verdict| verdict.item.command.is_err()) {
            let reason = verdict.reason.as_deref().unwrap_or_default();
            rows.text(0, Role::ClaimUnknown, &format!("? {} `{}`: {reason}", verdict.item.owner(), verdict.item.text));
        }
        (rows.rows, visible)
    }

    /// The commands in their order; once it is over, those that came out worst first.
    fn order(&self, verdicts: &[Verdict<'_>]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.plan.commands.len()).collect();
        if matches!(self.stage, Stage::Over(_)) {
            let worst = |index: usize| {
                let own = verdicts.iter().filter(|verdict| verdict.item.command == Ok(index));
                own.map(Verdict::rank).min().unwrap_or(u8::MAX)
            };
            order.sort_by_key(|index| worst(*index));
        }
        order
    }

    fn command(&self, rows: &mut Rows, index: usize, verdicts: &[Verdict<'_>]) {
        let command = &self.plan.commands[index];
        let role = if self.states[index] == State::Waiting { Role::Dim } else { Role::Text };
        rows.text(0, role, &format!("$ {command}"));
        let own: Vec<&Verdict<'_>> = verdicts.iter().filter(|verdict| verdict.item.command == Ok(index)).collect();
        match &self.states[index] {
            State::Ended => own.iter().for_each(|verdict| rows.verdict(verdict)),
            State::Waiting | State::Running(_) => {
                let owners: Vec<String> = self.plan.resting_on(index).map(Item::owner).collect();
                rows.text(2, Role::Dim, &owners.join(", "));
            }
        }
        match (&self.states[index], &self.runs[index]) {
            (State::Running(tail), _) => rows.output(tail),
            (_, Some(ran)) if own.iter().any(|verdict| verdict.is_bad()) => rows.output(&ran.output),
            _ => {}
        }
    }
}

struct Rows {
    display: Display,
    width: usize,
    rows: Vec<CardRow>,
}

impl Rows {
    /// A text that wraps, indented.
    fn text(&mut self, indent: usize, role: Role, text: &str) {
        let lead = " ".repeat(indent);
        for range in self.display.wrap(text, self.width.saturating_sub(indent).max(1)) {
            let shown = self.display.visible(text[range].trim_end());
            self.rows.push(vec![(role, format!("{lead}{shown}"))]);
        }
    }

    fn verdict(&mut self, verdict: &Verdict<'_>) {
        let (role, sign) = match verdict.outcome {
            Outcome::Contradicted => (Role::ClaimFail, "✗"),
            Outcome::Unrunnable => (Role::ClaimUnknown, "?"),
            _ if verdict.is_failure() => (Role::ClaimFail, "✗"),
            Outcome::Confirmed | Outcome::Recorded => (Role::ClaimPass, "✓"),
        };
        let (owner, claimed) = (verdict.item.owner(), verdict.item.claimed.as_str());
        let came = match (&verdict.reason, verdict.ran) {
            (Some(reason), _) => reason.clone(),
            (None, Some(ran)) => {
                let code = ran.exit_code().unwrap_or_default();
                format!("exit {code} in {:.1} s", ran.duration.as_secs_f64())
            }
            (None, None) => String::new(),
        };
        self.text(2, role, &format!("{sign} {}: {owner} claimed {claimed}; {came}", verdict.outcome.as_str()));
    }

    /// The last lines of an output.
    fn output(&mut self, output: &[u8]) {
        let text = String::from_utf8_lossy(output);
        let lines: Vec<&str> = text.lines().collect();
        for line in &lines[lines.len().saturating_sub(LAST_LINES)..] {
            let fitted = self.display.fit(line, self.width.saturating_sub(4));
            self.rows.push(vec![(Role::Dim, "  | ".to_owned()), (Role::Text, fitted)]);
        }
    }
}
