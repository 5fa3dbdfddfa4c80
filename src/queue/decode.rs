//! From the table to notes. Strict: the first thing that is wrong, in the order of the steps below, and nothing is read.

use super::cell::{Token, tokens};
use super::item::{Batch, FIELDS, Item, OCCURRENCE};
use super::refusal::{EscapesProblem, Problem, Refusal};

/// The columns of the block `escapes`.
pub(super) const ESCAPES: [&str; 3] = ["row", "field", "real"];

/// Read a queue, and what else an output holds below it. Total and linear.
///
/// # Errors
/// The first thing that is wrong.
pub fn decode(text: &[u8]) -> Result<Batch, Refusal> {
    let lines = lines(text)?;
    let session = lines.first().and_then(|line| line.strip_prefix("session: "));
    let top = usize::from(session.is_some());
    let announced = lines.get(top).and_then(|line| announced(line));
    let announced = announced.ok_or(Refusal { line: top + 1, problem: Problem::NoQueueLine })?;
    let first = top + 1;
    let written = block(&lines[first..]);
    if written.len() != announced {
        let found = written.len();
        let line = first + found.min(announced) + 1;
        return Err(Refusal { line, problem: Problem::Rows { found, announced } });
    }
    let in_row = |row: usize| move |problem| Refusal { line: first + row + 1, problem };
    let rows = written.iter().enumerate().map(|(row, line)| Row::split(line, row).map_err(in_row(row)));
    let mut rows: Vec<Row<'_>> = rows.collect::<Result<_, _>>()?;
    for (row, found) in rows.iter_mut().enumerate() {
        found.read_occurrence(row).map_err(in_row(row))?;
    }
    read_rest(&lines, first + rows.len(), &mut rows)?;
    Ok(Batch { session: session.map(str::to_owned), items: rows.iter().map(Row::item).collect() })
}

/// The lines of a text without their ends, each of which is LF or CRLF.
fn lines(text: &[u8]) -> Result<Vec<&str>, Refusal> {
    let line_of = |at: usize| crate::text::lines::line_index(text, at) + 1;
    let text = std::str::from_utf8(text)
        .map_err(|error| Refusal { line: line_of(error.valid_up_to()), problem: Problem::NotUtf8 })?;
    let mut lines: Vec<&str> = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    // What follows the last LF is no line.
    match text.ends_with('\n') || text.is_empty() {
        true => lines.truncate(lines.len() - 1),
        false => return Err(Refusal { line: lines.len(), problem: Problem::CutOff }),
    }
    Ok(lines)
}

/// How many rows the line of a queue says that there are.
fn announced(line: &str) -> Option<usize> {
    if let Some(rest) = line.strip_prefix("queue: 0 items") {
        let has_reason = rest.strip_prefix(" - ").is_some_and(|reason| !reason.is_empty());
        return (rest.is_empty() || has_reason).then_some(0);
    }
    header(line, "queue", &FIELDS)
}

/// How many lines a header with this name and these columns says that there are.
fn header(line: &str, name: &str, fields: &[&str]) -> Option<usize> {
    let (count, listed) = line.strip_prefix(name)?.strip_prefix('[')?.split_once("]{")?;
    let is_listed = listed.strip_suffix("}:")?.split(',').eq(fields.iter().copied());
    number(count).filter(|_| is_listed)?.try_into().ok()
}

/// A number as the table writes it: decimal, no sign, no leading zero.
fn number(text: &str) -> Option<u32> {
    let is_plain = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    is_plain.then(|| text.parse().ok())?
}

/// The lines at the beginning of `lines` that belong to the header above, without the two blanks in front.
fn block<'a>(lines: &[&'a str]) -> Vec<&'a str> {
    let row = |line: &&'a str| line.strip_prefix("  ").filter(|row| !row.starts_with(' '));
    lines.iter().map_while(row).collect()
}

/// A row: its cells as they are written.
#[derive(Debug)]
struct Row<'a> {
    cells: [Cell<'a>; FIELDS.len()],
    occurrence: u32,
}

#[derive(Debug, Default)]
struct Cell<'a> {
    /// Without the quotes around it.
    written: &'a str,
    is_quoted: bool,
    /// The tokens that are escapes, where an entry says which.
    real: Option<Vec<Token>>,
}

impl<'a> Row<'a> {
    fn split(line: &'a str, row: usize) -> Result<Self, Problem> {
        let mut cells: [Cell<'a>; FIELDS.len()] = Default::default();
        let mut found = 0;
        let mut rest = Some(line);
        while let Some(text) = rest {
            let (cell, after) = Cell::split(text, row)?;
            if let Some(place) = cells.get_mut(found) {
                *place = cell;
            }
            found += 1;
            rest = after;
        }
        if found != FIELDS.len() {
            return Err(Problem::Cells { row, found });
        }
        Ok(Self { cells, occurrence: 0 })
    }

    fn read_occurrence(&mut self, row: usize) -> Result<(), Problem> {
        let cell = &self.cells[OCCURRENCE];
        let occurrence = number(cell.written).filter(|_| !cell.is_quoted);
        let quote = if cell.is_quoted { "\"" } else { "" };
        let refused = || Problem::Occurrence { row, cell: format!("{quote}{}{quote}", cell.written) };
        self.occurrence = occurrence.ok_or_else(refused)?;
        Ok(())
    }

    fn item(&self) -> Item {
        let [kind, file, heading, _, quote, note] = &self.cells;
        Item {
            kind: kind.value(),
            file: file.value(),
            heading: heading.value(),
            occurrence: self.occurrence,
            quote: quote.value(),
            note: note.value(),
        }
    }
}

impl<'a> Cell<'a> {
    /// The cell at the beginning of `text`, and what follows the comma behind it.
    fn split(text: &'a str, row: usize) -> Result<(Self, Option<&'a str>), Problem> {
        let Some(quoted) = text.strip_prefix('"') else {
            let (written, rest) = text.split_once(',').map_or((text, None), |(cell, rest)| (cell, Some(rest)));
            if written.contains('"') {
                return Err(Problem::QuoteInside { row });
            }
            return Ok((Self { written, ..Self::default() }, rest));
        };
        let mut from = 0;
        let end = loop {
            let at = from + quoted[from..].find('"').ok_or(Problem::NotClosed { row })?;
            if !quoted[at + 1..].starts_with('"') {
                break at;
            }
            from = at + 2;
        };
        let cell = Self { written: &quoted[..end], is_quoted: true, real: None };
        match &quoted[end + 1..] {
            "" => Ok((cell, None)),
            rest => Ok((cell, Some(rest.strip_prefix(',').ok_or(Problem::TextAfterQuote { row })?))),
        }
    }

    /// What the cell says; `None` when it is absent.
    fn value(&self) -> Option<String> {
        if !self.is_quoted {
            return (self.written != "-").then(|| self.written.to_owned());
        }
        let by_default = || tokens(self.written).filter(|token| token.is_line_break()).collect();
        let real = self.real.clone().unwrap_or_else(by_default);
        let mut value = String::with_capacity(self.written.len());
        let mut at = 0;
        for token in real {
            value.push_str(&self.written[at..token.at].replace("\"\"", "\""));
            value.extend(token.stands_for);
            at = token.at + token.len;
        }
        value.push_str(&self.written[at..].replace("\"\"", "\""));
        Some(value)
    }
}

/// Read the lines from `at` on, behind the rows: of what is there only the block `escapes` changes them.
fn read_rest(lines: &[&str], at: usize, rows: &mut [Row<'_>]) -> Result<(), Refusal> {
    let mut is_there = false;
    for (index, line) in lines.iter().enumerate().skip(at) {
        let refused = |line: usize| move |problem| Refusal { line: line + 1, problem: Problem::Escapes(problem) };
        if line.starts_with("queue[") || line.starts_with("queue:") {
            return Err(Refusal { line: index + 1, problem: Problem::SecondQueue });
        }
        // One that is damaged would change what cells say when it is passed over.
        if !line.starts_with("escapes[") {
            continue;
        }
        let announced = header(line, "escapes", &ESCAPES).ok_or(EscapesProblem::Header).map_err(refused(index))?;
        if std::mem::replace(&mut is_there, true) {
            return Err(refused(index)(EscapesProblem::Second));
        }
        let entries = block(&lines[index + 1..]);
        if entries.len() != announced {
            let found = entries.len();
            let line = index + 1 + found.min(announced);
            return Err(refused(line)(EscapesProblem::Entries { found, announced }));
        }
        for (entry, text) in entries.iter().enumerate() {
            read_entry(text, entry, rows).map_err(refused(index + 1 + entry))?;
        }
    }
    Ok(())
}

/// Put what an entry of `escapes` says into its cell.
fn read_entry(text: &str, entry: usize, rows: &mut [Row<'_>]) -> Result<(), EscapesProblem> {
    let parts: Vec<&str> = text.split(',').collect();
    let [row, field, numbers] = parts[..] else {
        return Err(EscapesProblem::Cells { entry, found: parts.len() });
    };
    let no_row = || EscapesProblem::NoRow { entry, cell: row.to_owned() };
    let place = number(row).and_then(|row| usize::try_from(row).ok()).ok_or_else(no_row)?;
    let cells = &mut rows.get_mut(place).ok_or_else(no_row)?.cells;
    let column = FIELDS.iter().position(|name| *name == field);
    let cell = &mut cells[column.ok_or_else(|| EscapesProblem::NoField { entry, cell: field.to_owned() })?];
    if !cell.is_quoted {
        return Err(EscapesProblem::NotQuoted { entry });
    }
    if cell.real.is_some() {
        return Err(EscapesProblem::Twice { entry });
    }
    let tokens: Vec<Token> = tokens(cell.written).collect();
    let mut real = Vec::new();
    let mut last = 0;
    for written in numbers.split(' ').filter(|_| numbers != "none") {
        let refused = || EscapesProblem::Numbers { entry, cell: numbers.to_owned(), tokens: tokens.len() };
        let token = number(written).and_then(|token| usize::try_from(token).ok()).ok_or_else(refused)?;
        if token <= last || token > tokens.len() {
            return Err(refused());
        }
        if tokens[token - 1].stands_for.is_none() {
            return Err(EscapesProblem::Surrogate { entry, token });
        }
        real.push(tokens[token - 1]);
        last = token;
    }
    cell.real = Some(real);
    Ok(())
}

#[cfg(test)]
mod tests;
