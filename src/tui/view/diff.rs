//! The diff pane: line numbers of both sides, the coverage mark, the sign, the text.

use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::super::card::{INDENT, claim_sign};
use super::super::colour::Colour;
use super::super::highlight::Run;
use super::super::model::{Focus, Model, Pos};
use super::super::part::{Part, ProseKind};
use super::super::rows::{Fact, Row};
use super::super::theme::Role;
use super::canvas::Canvas;
use super::hits::{self, Hits};
use super::notes;
use crate::diff::LineKind;
use crate::document::tree::{Block, HunkLineKind};
use crate::document::{FileStatus, Hunk, HunkLine};
use crate::metrics::{Mark, MarkStanding};

/// The line above the diff: the file that is on top, and where in the review it is.
pub(super) fn draw_title(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let border = canvas.style(Role::Border);
    canvas.rule(area.x, area.y, area.width, border);
    let files = model.parts.len() - 1;
    let place =
        if model.cursor.part == 0 { format!(" {files} files ") } else { format!(" {}/{files} ", model.cursor.part) };
    let scrolled = if model.left > 0 { format!(" from column {}", model.left + 1) } else { String::new() };
    let mut right = vec![(canvas.style(Role::Warning), scrolled), (canvas.style(Role::Dim), place)];
    // Beside a list of files there may be few columns; where the lines begin matters most.
    while canvas.width(&right) + 2 > area.width && right.pop().is_some() {}
    let taken = canvas.width(&right);
    canvas.put(area.right().saturating_sub(taken + 2), area.y, taken, &right);
    let part = &model.parts[model.cursor.part];
    let mut left = vec![(border, " ".to_owned())];
    left.extend(file_words(model, canvas, part));
    left.push((border, " ".to_owned()));
    canvas.put(area.x + 1, area.y, area.width.saturating_sub(taken + 5), &left);
}

/// Status, path and counts of a part.
pub(super) fn file_words(model: &Model, canvas: &Canvas<'_>, part: &Part) -> Vec<(Style, String)> {
    let Some(file) = &part.section.tree().file else {
        let text = if part.prose.is_empty() { "(no file named)" } else { "Review" };
        return vec![(canvas.style(Role::Path), text.to_owned())];
    };
    let (letter, role) = status_letter(file.status);
    let mut words =
        vec![(canvas.style(role), format!("{letter} ")), (canvas.style(Role::Path), model.shown(&file.path))];
    if part.pending {
        words.push((canvas.style(Role::Dim), " …".to_owned()));
    } else {
        let stats = &part.reading.stats;
        words.push((canvas.style(Role::ClaimPass), format!("  +{}", stats.added)));
        words.push((canvas.style(Role::ClaimFail), format!(" {}{}", canvas.symbol("−", "-"), stats.removed)));
        if stats.added > 0 {
            words.push((canvas.style(Role::Dim), format!("  {}/{} explained", stats.covered, stats.added)));
        }
    }
    if model.looks.is_viewed(&part.reading.contents) {
        words.push((canvas.style(Role::Dim), format!("  {} viewed", canvas.symbol("✓", "v"))));
    }
    if part.is_stale {
        words.push((canvas.style(Role::Stale), format!("  {} stale", canvas.symbol("⌛", "~"))));
    }
    words
}

/// The letter and role of a file's status.
pub(super) fn status_letter(status: FileStatus) -> (char, Role) {
    match status {
        FileStatus::Added => ('A', Role::ClaimPass),
        FileStatus::Modified => ('M', Role::ClaimUnknown),
        FileStatus::Deleted => ('D', Role::ClaimFail),
        FileStatus::Renamed => ('R', Role::Evidence),
        FileStatus::Context => ('=', Role::Dim),
    }
}

/// The visible rows.
pub(super) fn draw(model: &Model, canvas: &mut Canvas<'_>, area: Rect) {
    let selected = model.selected();
    for (y, (pos, row)) in (area.top()..area.bottom()).zip(model.rows_from(model.top)) {
        let line = Rect::new(area.x, y, area.width, 1);
        let look = Look {
            cursor: pos == model.cursor,
            selected: model.anchor.is_some() && (selected.0..=selected.1).contains(&pos),
        };
        draw_row(model, canvas, line, pos, row, look);
    }
}

/// How a row stands out.
#[derive(Debug, Clone, Copy)]
struct Look {
    cursor: bool,
    selected: bool,
}

fn draw_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect, pos: Pos, row: Row, look: Look) {
    let part = &model.parts[pos.part];
    match row {
        Row::Line { hunk, line } => {
            let (hunk, line) = (part.line(hunk, line), line);
            Line { model, part, hunk: hunk.0, line: hunk.1, index: line }.draw(canvas, area, look);
        }
        Row::Card { annotation, row } => card_row(model, canvas, area, pos.part, annotation, row),
        Row::Gap => {}
        _ => {
            let base = if matches!(row, Row::File) {
                Role::Header
            } else if matches!(row, Row::Hunk(_)) {
                Role::Heading
            } else {
                Role::Text
            };
            let style = canvas.row_style(base, look.cursor, look.selected);
            canvas.fill(area, style);
            let texts = texts(model, canvas, part, row);
            let texts = hits::marked(model, canvas, Canvas::all_over(style, texts));
            let lead = [(style, if look.cursor { canvas.symbol("▌", ">") } else { " " })];
            let x = canvas.put(area.x, area.y, 1, &lead);
            canvas.put(x, area.y, area.width - 1, &texts);
        }
    }
}

/// What a row that is no diff line says.
fn texts(model: &Model, canvas: &Canvas<'_>, part: &Part, row: Row) -> Vec<(Style, String)> {
    let tree = part.section.tree();
    match row {
        Row::File => {
            let mut words = file_words(model, canvas, part);
            let about = part.annotations.iter().filter(|annotation| annotation.lines.is_none()).count();
            if about > 0 {
                words.push((canvas.style(Role::Note), format!("  {}{about}", canvas.symbol("▪", "*"))));
            }
            words
        }
        Row::Fact(fact) => vec![(canvas.style(Role::Dim), format!("  {}", fact_words(model, part, fact)))],
        Row::Hunk(hunk) => {
            let is_viewed = model.looks.is_hunk_viewed(&part.reading.contents, hunk as usize);
            let hunk = &tree.hunks[hunk as usize];
            let heading = model.shown(hunk.heading.of(part.section.text()));
            let ranges = if hunk.loose { "@@".to_owned() } else { ranges(hunk) };
            let mut words = vec![(Style::default(), ranges), (canvas.style(Role::Dim), format!(" {heading}"))];
            words.extend(is_viewed.then(|| (canvas.style(Role::Dim), format!("  {} viewed", canvas.symbol("✓", "v")))));
            words
        }
        Row::Text(block) => {
            let (role, span) = match tree.blocks[block as usize] {
                Block::Comment(span) => (Role::Dim, span),
                Block::Check(check) => (Role::Dim, tree.checks[check as usize]),
                Block::Stray(span) => (Role::Warning, span),
                _ => return Vec::new(),
            };
            let text = span.of(part.section.text()).trim_ascii_end();
            let lead = if role == Role::Warning { "stray: " } else { "" };
            vec![(canvas.style(role), format!("{lead}{}", model.shown(text.as_ref())))]
        }
        Row::Prose(index) => prose(canvas, part, index),
        Row::Line { .. } | Row::Card { .. } | Row::Gap => Vec::new(),
    }
}

fn ranges(hunk: &Hunk) -> String {
    format!("@@ -{},{} +{},{} @@", hunk.old_start, hunk.old_lines, hunk.new_start, hunk.new_lines)
}

fn prose(canvas: &Canvas<'_>, part: &Part, index: u32) -> Vec<(Style, String)> {
    let Some(prose) = part.prose.get(index as usize) else { return Vec::new() };
    let mut words = Vec::new();
    let role = match prose.kind {
        ProseKind::Title => Role::Path,
        ProseKind::Meta => Role::Dim,
        ProseKind::Summary => Role::Text,
        ProseKind::Check(status) => {
            let (role, sign) = claim_sign(status);
            words.push((canvas.style(role), format!("{} ", if prose.is_first { sign } else { " " })));
            role
        }
    };
    words.push((canvas.style(role), prose.text.clone()));
    words
}

fn fact_words(model: &Model, part: &Part, fact: Fact) -> String {
    let Some(file) = &part.section.tree().file else { return String::new() };
    let mode = |mode: Option<u32>| mode.map_or("100644".to_owned(), |mode| format!("{mode:06o}"));
    match fact {
        Fact::Pending => "the diff is being read …".to_owned(),
        Fact::Unread => model.display.visible(part.failure.as_deref().unwrap_or_default()),
        Fact::Renamed => {
            let old = file.old_path.as_ref().map(|old| model.shown(old)).unwrap_or_default();
            format!("renamed from {old}")
        }
        Fact::Mode => match file.status {
            FileStatus::Added => format!("new file, mode {}", mode(file.new_mode)),
            FileStatus::Deleted => format!("deleted file, mode {}", mode(file.old_mode)),
            _ if file.old_mode == file.new_mode => format!("mode {}", mode(file.new_mode)),
            _ => format!("mode {} → {}", mode(file.old_mode), mode(file.new_mode)),
        },
        Fact::Binary => "binary content: no lines to show".to_owned(),
        Fact::Empty => match file.status {
            FileStatus::Added => "an empty file".to_owned(),
            FileStatus::Deleted => "was an empty file".to_owned(),
            _ => "no changed lines".to_owned(),
        },
    }
}

/// A row of a card that stands under its lines.
fn card_row(model: &Model, canvas: &mut Canvas<'_>, area: Rect, part: usize, annotation: u32, row: u32) {
    let index = annotation as usize;
    let Some(subject) = model.parts[part].annotations.get(index).map(|annotation| annotation.subject) else { return };
    let focus = Focus { part, subject };
    let open = Some(focus) == model.focus;
    let indent = INDENT.min(area.width);
    let area = Rect::new(area.x + indent, area.y, area.width - indent, 1);
    notes::draw_card_row(model, canvas, area, (focus, index, open), row);
}

/// A line of a hunk on its way to the screen.
struct Line<'a> {
    model: &'a Model,
    part: &'a Part,
    hunk: &'a Hunk,
    line: &'a HunkLine,
    index: u32,
}

impl Line<'_> {
    fn draw(&self, canvas: &mut Canvas<'_>, area: Rect, look: Look) {
        let base = match self.line.kind {
            HunkLineKind::Diff(LineKind::Added) => Role::Added,
            HunkLineKind::Diff(LineKind::Removed) => Role::Removed,
            HunkLineKind::Diff(LineKind::NoNewline) | HunkLineKind::Comment => Role::Dim,
            HunkLineKind::Stray => Role::Warning,
            _ => Role::Context,
        };
        let style = canvas.row_style(base, look.cursor, look.selected);
        let numbers = canvas.row_style(Role::LineNumber, look.cursor, look.selected);
        canvas.fill(area, style);
        let digits = self.part.reading.digits;
        let number = |number: Option<u64>| number.map_or(" ".repeat(digits), |number| format!("{number:>digits$}"));
        let old = number(self.line.old_line(self.hunk).map(|line| line.0));
        let new = number(self.line.new_line(self.hunk).map(|line| line.0));
        let lead = if look.cursor { canvas.symbol("▌", ">") } else { " " };
        let (mark_role, mark) = self.mark(canvas);
        let mark_style = canvas.over(numbers, mark_role);
        let gutter =
            [(numbers, lead.to_owned()), (numbers, format!("{old} {new} ")), (mark_style, mark), (style, self.sign())];
        let x = canvas.put(area.x, area.y, area.width, &gutter);
        if x < area.right() {
            self.draw_text(canvas, Rect::new(x, area.y, area.right() - x, 1), style);
        }
    }

    fn sign(&self) -> String {
        match self.line.kind {
            HunkLineKind::Diff(LineKind::Added) => "+ ",
            HunkLineKind::Diff(LineKind::Removed) => "- ",
            HunkLineKind::Diff(LineKind::NoNewline) => "\\ ",
            HunkLineKind::Unprefixed => "~ ",
            HunkLineKind::Stray => "! ",
            _ => "  ",
        }
        .to_owned()
    }

    fn draw_text(&self, canvas: &mut Canvas<'_>, area: Rect, style: Style) {
        let text = self.part.section.line_text(self.line);
        // Where the theme gives the whole line a colour, or turns it around, the colours of code would only confuse.
        let is_plain = style.fg.is_some() || style.add_modifier.contains(Modifier::REVERSED);
        let mut colors = Colors::of(self.part.colors.get(&self.index).filter(|_| !is_plain));
        let (mut hits, hit) = (Hits::of(self.model, text), canvas.style(Role::Match));
        let pieces = canvas.display.cells(text, self.model.left, usize::from(area.width) + 1);
        let columns: u16 = pieces.iter().map(|piece| piece.columns).sum();
        let is_cut = columns > area.width;
        let end = area.right() - u16::from(is_cut);
        let mut x = area.x;
        for piece in pieces {
            if x + piece.columns > end {
                break;
            }
            let style = colors.at(piece.source.start).map_or(style, |color| canvas.theme.coloured(style, color));
            let is_hit = hits.is_at(piece.source.start, piece.source.end);
            let style = if is_hit { style.patch(hit) } else { style };
            x = canvas.piece(x, area.y, &piece.text, piece.columns, style);
        }
        if is_cut {
            canvas.piece(end, area.y, canvas.symbol("›", ">"), 1, canvas.over(style, Role::Dim));
        }
    }

    /// The coverage mark: a sign and a role, so that it reads without colour.
    fn mark(&self, canvas: &Canvas<'_>) -> (Role, String) {
        let kind = self.line.diff_kind();
        let mark = match kind {
            Some(LineKind::Removed) => {
                self.line.old_line(self.hunk).and_then(|line| self.part.reading.marks.old_line(line))
            }
            _ => self.line.new_line(self.hunk).and_then(|line| self.part.reading.marks.new_line(line)),
        };
        let (role, sign) = match (mark, kind) {
            (Some(mark), Some(_)) => mark_sign(canvas, mark),
            (None, Some(LineKind::Added)) => (Role::Uncovered, canvas.symbol("▏", "?")),
            _ => (Role::Dim, " "),
        };
        let notes = mark.map_or(0, |mark| mark.notes);
        let has_record = self.part.record_lines.iter().any(|(first, last)| (first..=last).contains(&&self.index));
        let second = match (notes, has_record) {
            (_, true) => canvas.symbol("▪", "*").to_owned(),
            (2..=9, _) => notes.to_string(),
            (10.., _) => "+".to_owned(),
            _ => " ".to_owned(),
        };
        (if has_record && mark.is_none() { Role::Note } else { role }, format!("{sign}{second}"))
    }
}

/// The colours of a line, looked up from left to right.
struct Colors<'a> {
    runs: std::slice::Iter<'a, Run>,
    current: Option<Run>,
    end: usize,
}

impl<'a> Colors<'a> {
    fn of(runs: Option<&'a Vec<Run>>) -> Self {
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
        MarkStanding::Pass => (Role::CoveredPass, canvas.symbol("┃", "|")),
        MarkStanding::Unverified => (Role::CoveredUnknown, canvas.symbol("│", ":")),
        MarkStanding::Fail => (Role::CoveredFail, canvas.symbol("╳", "x")),
        MarkStanding::InferenceOnly => (Role::CoveredInference, canvas.symbol("╎", "'")),
    }
}
