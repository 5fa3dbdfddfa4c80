//! A line of the diff on its rows of the screen: numbers, coverage mark, sign, text; whole, or as half of a row whose
//! other half is the other side.

use std::ops::Range;

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::colour::Colour;
use super::super::highlight::Run;
use super::super::model::{Model, Pos};
use super::super::part::Part;
use super::super::theme::Role;
use super::super::walk::gutter;
use super::canvas::Canvas;
use super::diff::staged_sign;
use super::hits::Hits;
use crate::diff::LineKind;
use crate::document::tree::HunkLineKind;
use crate::document::{Hunk, HunkLine};
use crate::metrics::{Mark, MarkStanding};
use crate::text::width::{Display, Piece};

/// How a row stands out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) cursor: bool,
    pub(super) selected: bool,
}

/// Which of its numbers a line shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    Both,
    Old,
    New,
}

/// A line of a hunk on its way to the screen.
pub(super) struct Line<'a> {
    pub(super) model: &'a Model,
    pub(super) part: &'a Part,
    pub(super) hunk: &'a Hunk,
    pub(super) line: &'a HunkLine,
    pub(super) index: u32,
    pub(super) numbers: Numbers,
    /// What of its text is selected by characters, and on which one the cursor is.
    pub(super) chosen: Option<Range<usize>>,
    pub(super) caret: Option<usize>,
}

impl<'a> Line<'a> {
    pub(super) fn new(model: &'a Model, part: &'a Part, (hunk, index): (u32, u32), numbers: Numbers) -> Self {
        let (hunk, line) = part.line(hunk, index);
        Self { model, part, hunk, line, index, numbers, chosen: None, caret: None }
    }

    /// The same, with what is selected by characters of the line at `pos`.
    pub(super) fn chosen_at(self, pos: Pos) -> Self {
        Self { chosen: self.model.chosen_at(pos), caret: self.model.caret_at(pos), ..self }
    }

    /// Draw the rows of the line from the one with index `first` on, as many as `area` is high.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, first: usize, look: Look) {
        let style = canvas.row_style(self.role(), look.cursor, look.selected);
        canvas.fill(area, style);
        let text = self.part.section.line_text(self.line);
        let mut ink = Ink::new(self, canvas, style, look);
        let numbers = if self.numbers == Numbers::Both { 2 } else { 1 };
        let room = usize::from(area.width).saturating_sub(gutter(numbers, self.part.reading.digits));
        let mut rows = Rows::of(self.model, self.part, text, room, first);
        for y in area.top()..area.bottom() {
            let nth = first + usize::from(y - area.top());
            let x = self.draw_gutter(canvas, Rect { y, height: 1, ..area }, nth > 0, look);
            let Some(row) = rows.next() else { continue };
            if x < area.right() {
                ink.draw(canvas, Rect::new(x, y, area.right() - x, 1), text, row);
            }
        }
    }

    fn role(&self) -> Role {
        match self.line.kind {
            HunkLineKind::Diff(LineKind::Added) => Role::Added,
            HunkLineKind::Diff(LineKind::Removed) => Role::Removed,
            HunkLineKind::Diff(LineKind::NoNewline) | HunkLineKind::Comment => Role::Dim,
            HunkLineKind::Stray => Role::Warning,
            _ => Role::Context,
        }
    }

    /// Everything in front of the text; the column behind it. Of a row that goes on with the one above only that.
    fn draw_gutter(&self, canvas: &mut Canvas<'_>, area: Rect, goes_on: bool, look: Look) -> u16 {
        let style = canvas.row_style(self.role(), look.cursor, look.selected);
        let numbers = canvas.row_style(Role::LineNumber, look.cursor, look.selected);
        let digits = self.part.reading.digits;
        let number = |number: Option<u64>| number.map_or(" ".repeat(digits), |number| format!("{number:>digits$}"));
        let old = number(self.line.old_line(self.hunk).map(|line| line.0));
        let new = number(self.line.new_line(self.hunk).map(|line| line.0));
        let mut columns = match self.numbers {
            Numbers::Both => format!("{old} {new}"),
            Numbers::Old => old,
            Numbers::New => new,
        };
        let is_staged = self.line.is_change() && !goes_on && self.part.staged.has(self.index);
        let (mark_role, mut mark) = self.mark(canvas);
        let mut sign = self.sign();
        if goes_on {
            columns = format!("{:>1$}", canvas.symbol("↪", "\\"), columns.len());
            // The count of notes is about the line, the mark about all of its rows.
            mark = mark.chars().next().map(|mark| format!("{mark} ")).unwrap_or_default();
            sign = "  ";
        }
        let lead = if look.cursor { canvas.symbol("▌", ">") } else { " " };
        let mark_style = canvas.over(numbers, mark_role);
        let staged = match is_staged {
            true => (canvas.over(numbers, Role::ClaimPass), staged_sign(canvas)),
            false => (numbers, " "),
        };
        let gutter = [(numbers, lead), (numbers, &columns), staged, (mark_style, &mark), (style, sign)];
        canvas.put(area.x, area.y, area.width, &gutter)
    }

    fn sign(&self) -> &'static str {
        match self.line.kind {
            HunkLineKind::Diff(LineKind::Added) => "+ ",
            HunkLineKind::Diff(LineKind::Removed) => "- ",
            HunkLineKind::Diff(LineKind::NoNewline) => "\\ ",
            HunkLineKind::Unprefixed => "~ ",
            HunkLineKind::Stray => "! ",
            _ => "  ",
        }
    }

    /// The coverage mark: a sign and a role, so that it reads without colour. The old side of a context line has none.
    fn mark(&self, canvas: &Canvas<'_>) -> (Role, String) {
        let kind = self.line.diff_kind();
        if kind == Some(LineKind::Context) && self.numbers == Numbers::Old {
            return (Role::Dim, "  ".to_owned());
        }
        let mark = match kind {
            Some(LineKind::Removed) => {
                self.line.old_line(self.hunk).and_then(|line| self.part.reading.marks.old_line(line))
            }
            _ => self.line.new_line(self.hunk).and_then(|line| self.part.reading.marks.new_line(line)),
        };
        let (role, sign) = match (mark, kind) {
            (Some(mark), Some(_)) => mark_sign(canvas, mark),
            (None, Some(LineKind::Added)) if self.model.since.is_none() => (Role::Uncovered, canvas.symbol("▏", "?")),
            _ => (Role::Dim, " "),
        };
        let notes = mark.map_or(0, |mark| mark.notes);
        let has_record = self.part.record_lines.iter().any(|(first, last)| (first..=last).contains(&&self.index));
        let second = match (notes, has_record) {
            (_, true) => canvas.symbol("▪", "*").to_owned(),
            (2..=9, _) => notes.to_string(),
            (10.., _) => "+".to_owned(),
            _ if self.part.untested.meets(&(self.index..self.index + 1)) => canvas.symbol("○", "o").to_owned(),
            _ => " ".to_owned(),
        };
        (if has_record && mark.is_none() { Role::Note } else { role }, format!("{sign}{second}"))
    }
}

/// A line of the file that is not in the diff.
pub(super) struct Outside<'a> {
    pub(super) model: &'a Model,
    pub(super) part: &'a Part,
    pub(super) text: &'a [u8],
    pub(super) colors: Option<&'a Vec<Run>>,
}

impl Outside<'_> {
    /// Draw the rows of the line from the one with index `first` on, with these numbers.
    pub(super) fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, numbers: &[u64], first: usize, look: Look) {
        let dim = canvas.row_style(Role::Dim, look.cursor, look.selected);
        let style = canvas.row_style(Role::Context, look.cursor, look.selected);
        canvas.fill(area, style);
        let digits = self.part.reading.digits;
        let columns: String = numbers.iter().map(|number| format!("{number:>digits$} ")).collect();
        let goes_on = format!("{:>1$} ", canvas.symbol("↪", "\\"), columns.len() - 1);
        let lead = if look.cursor { canvas.symbol("▌", ">") } else { " " };
        let mark = canvas.symbol("┊   ", ".   ");
        let room = usize::from(area.width).saturating_sub(gutter(numbers.len(), digits));
        let colors = Colors::on(style, self.colors);
        let mut ink = Ink { colors, ..Ink::plain(self.model, self.part, canvas, self.text, (style, look)) };
        let mut rows = Rows::of(self.model, self.part, self.text, room, first);
        for y in area.top()..area.bottom() {
            let nth = first + usize::from(y - area.top());
            let numbers = if nth > 0 { &goes_on } else { &columns };
            let x = canvas.put(area.x, y, area.width, &[(dim, lead), (dim, numbers), (dim, mark)]);
            let Some(row) = rows.next() else { continue };
            if x < area.right() {
                ink.draw(canvas, Rect::new(x, y, area.right() - x, 1), self.text, row);
            }
        }
    }
}

/// The rows of a text: windows of it, one below the other where long lines are wrapped, else one that is scrolled.
enum Rows<'a> {
    Wrapped(crate::text::width::LineRows<'a>),
    Scrolled(Option<Range<usize>>),
}

impl<'a> Rows<'a> {
    /// From the one with index `first` on.
    fn of(model: &Model, part: &Part, text: &'a [u8], columns: usize, first: usize) -> Self {
        if model.wrap {
            Self::Wrapped(model.wrapped.rows_from(model.display_of(part), text, columns, first))
        } else {
            Self::Scrolled((first == 0).then_some(0..text.len()))
        }
    }
}

impl Iterator for Rows<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        match self {
            Self::Wrapped(rows) => rows.next(),
            Self::Scrolled(row) => row.take(),
        }
    }
}

/// What the pieces of a line look like, from left to right.
struct Ink<'a> {
    display: Display,
    style: Style,
    word: Style,
    control: Style,
    colors: Colors<'a>,
    words: &'a [Range<usize>],
    hits: Hits<'a>,
    hit: Style,
    /// The columns scrolled out on the left.
    left: usize,
    /// Where the blanks at the end of an added line begin.
    blanks: usize,
    /// What is selected by characters, what that looks like, and on which character the cursor is.
    chosen: Range<usize>,
    choice: Style,
    caret: Option<usize>,
}

impl<'a> Ink<'a> {
    /// Of a text that no diff and no colour says anything about.
    fn plain(model: &'a Model, part: &Part, canvas: &Canvas<'_>, text: &'a [u8], (style, look): (Style, Look)) -> Self {
        Self {
            display: model.display_of(part),
            style,
            word: style,
            control: canvas.row_style(Role::Control, look.cursor, look.selected),
            colors: Colors::on(style, None),
            words: &[],
            hits: Hits::of(model, text),
            hit: canvas.style(Role::Match),
            left: if model.wrap { 0 } else { model.left },
            blanks: usize::MAX,
            chosen: 0..0,
            choice: style,
            caret: None,
        }
    }

    fn new(line: &Line<'a>, canvas: &Canvas<'_>, style: Style, look: Look) -> Self {
        let kind = line.line.diff_kind();
        let word = if kind == Some(LineKind::Removed) { Role::RemovedWord } else { Role::AddedWord };
        let text = line.part.section.line_text(line.line);
        let end = text.strip_suffix(b"\r").unwrap_or(text).trim_ascii_end().len();
        let mut word = canvas.row_style(word, look.cursor, look.selected);
        if word == style {
            // Without many colours the row with the cursor can look as words do.
            let is_reversed = style.add_modifier.contains(Modifier::REVERSED);
            let (on, off) = (word.add_modifier(Modifier::REVERSED), word.remove_modifier(Modifier::REVERSED));
            word = if is_reversed { off } else { on };
        }
        Self {
            word,
            colors: Colors::on(style, line.part.colors.get(&line.index)),
            words: if line.model.intraline { line.part.words.of(line.index) } else { &[] },
            blanks: if kind == Some(LineKind::Added) { end } else { usize::MAX },
            chosen: line.chosen.clone().unwrap_or_default(),
            choice: canvas.row_style(line.role(), false, true),
            caret: line.caret,
            ..Self::plain(line.model, line.part, canvas, text, (style, look))
        }
    }

    /// Draw the bytes `row` of `text`; rows never go back. What is cut on the right is marked.
    fn draw(&mut self, canvas: &mut Canvas<'_>, area: Rect, text: &[u8], row: Range<usize>) {
        let shown = &text[row.clone()];
        let display = self.display;
        let pieces = display.cells(shown, self.left, usize::from(area.width) + 1);
        let columns: u16 = pieces.iter().map(|piece| piece.columns).sum();
        // Blanks may hang over the edge of a wrapped row.
        let is_whole = row.len() < text.len() && shown.trim_ascii_end().len() < shown.len();
        let is_cut = columns > area.width && !is_whole;
        let end = area.right() - u16::from(is_cut);
        let mut x = area.x;
        for piece in pieces {
            if x + piece.columns > end {
                break;
            }
            let at = row.start + piece.source.start;
            let is_hit = self.hits.is_at(at, row.start + piece.source.end);
            let source = at..row.start + piece.source.end;
            let own = self.style_at(canvas, at);
            let [style, control] = [own, self.control].map(|style| if is_hit { style.patch(self.hit) } else { style });
            let [style, control] = [style, control].map(|style| self.chosen_style(style, &source));
            let raw = &shown[piece.source.clone()];
            if at >= self.blanks && matches!(raw, b" " | b"\t") {
                let symbol = if raw == b"\t" { canvas.symbol("→", ">") } else { canvas.symbol("·", ".") };
                canvas.piece(x, area.y, symbol, 1, control);
                x += piece.columns;
            } else {
                let is_symbol = raw != b"\t" && stands_for_another(&piece, raw);
                x = canvas.piece(x, area.y, &piece.text, piece.columns, if is_symbol { control } else { style });
            }
        }
        if text.is_empty() && (self.caret.is_some() || !self.chosen.is_empty()) {
            canvas.piece(area.x, area.y, " ", 1, self.chosen_style(self.style, &(0..1)));
        }
        if is_cut {
            canvas.piece(end, area.y, canvas.symbol("›", ">"), 1, canvas.over(self.style, Role::Dim));
        }
    }

    /// `style` for the bytes at `source`, of which some may be selected by characters, or have the cursor.
    fn chosen_style(&self, style: Style, source: &Range<usize>) -> Style {
        let is_chosen = self.chosen.contains(&source.start);
        let style = if is_chosen { Canvas::laid(self.choice, style) } else { style };
        let is_reversed = style.add_modifier.contains(Modifier::REVERSED);
        match self.caret.is_some_and(|caret| source.contains(&caret)) {
            true if is_reversed => style.remove_modifier(Modifier::REVERSED),
            true => style.add_modifier(Modifier::REVERSED),
            false => style,
        }
    }

    /// The style of the byte at `at`; offsets never go back.
    fn style_at(&mut self, canvas: &Canvas<'_>, at: usize) -> Style {
        while self.words.first().is_some_and(|word| word.end <= at) {
            self.words = &self.words[1..];
        }
        let color = self.colors.at(at);
        let is_word = self.words.first().is_some_and(|word| word.contains(&at));
        let style = if is_word { self.word } else { self.style };
        match color {
            Some(color) if style.fg.is_none() => canvas.theme.coloured(style, color),
            _ => style,
        }
    }
}

/// Whether a symbol is drawn for bytes that cannot be printed.
fn stands_for_another(piece: &Piece<'_>, raw: &[u8]) -> bool {
    !raw.starts_with(piece.text.as_bytes()) && !matches!(piece.text.as_ref(), "‹" | "›" | "<" | ">")
}

/// The colours of a line, looked up from left to right.
struct Colors<'a> {
    runs: std::slice::Iter<'a, Run>,
    current: Option<Run>,
    end: usize,
}

impl<'a> Colors<'a> {
    /// Those of a line in this style. Where the theme gives the whole line a colour, or turns it around, the colours of code
    /// would only confuse.
    fn on(style: Style, runs: Option<&'a Vec<Run>>) -> Self {
        let is_plain = style.fg.is_some() || style.add_modifier.contains(Modifier::REVERSED);
        let runs = runs.filter(|_| !is_plain);
        Self { runs: runs.map(Vec::as_slice).unwrap_or_default().iter(), current: None, end: 0 }
    }

    /// The colour of the byte at `offset`; offsets never go back.
    fn at(&mut self, offset: usize) -> Option<Colour> {
        while offset >= self.end {
            let run = *self.runs.next()?;
            self.end += run.len;
            self.current = Some(run);
        }
        self.current.map(|run| run.colour)
    }
}

fn mark_sign(canvas: &Canvas<'_>, mark: Mark) -> (Role, &'static str) {
    match mark.standing {
        MarkStanding::Fail => (Role::CoveredFail, canvas.symbol("╳", "x")),
        // Whatever it claims: nobody has said anything yet.
        _ if mark.is_stub() => (Role::Warning, canvas.symbol("…", "~")),
        MarkStanding::Pass => (Role::CoveredPass, canvas.symbol("┃", "|")),
        MarkStanding::Unverified => (Role::CoveredUnknown, canvas.symbol("│", ":")),
        MarkStanding::InferenceOnly => (Role::CoveredInference, canvas.symbol("╎", "'")),
    }
}
