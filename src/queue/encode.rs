//! From notes to the table.

use std::fmt::{self, Write as _};

use super::cell::{is_risky, write};
use super::item::{Batch, FIELDS, OCCURRENCE};

/// A queue as it is written. `Display` joins both blocks, as they stand in an output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The label, the header and the rows; every line ends with LF.
    pub rows: String,
    /// The block `escapes`; empty where no cell needs it.
    pub escapes: String,
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.rows)?;
        f.write_str(&self.escapes)
    }
}

/// Write a queue. Linear, and possible for all there is.
#[must_use]
pub fn encode(batch: &Batch) -> Table {
    let mut rows = String::new();
    if let Some(session) = batch.session.as_deref().filter(|session| !session.is_empty()) {
        rows.push_str("session: ");
        rows.push_str(&label(session));
        rows.push('\n');
    }
    if batch.items.is_empty() {
        rows.push_str("queue: 0 items\n");
        return Table { rows, escapes: String::new() };
    }
    header(&mut rows, "queue", batch.items.len(), &FIELDS);
    let mut entries = String::new();
    let mut count = 0;
    for (row, item) in batch.items.iter().enumerate() {
        for (field, name) in FIELDS.iter().enumerate() {
            rows.push_str(if field == 0 { "  " } else { "," });
            if field == OCCURRENCE {
                // Writing into memory does not fail.
                let _ = write!(rows, "{}", item.occurrence);
                continue;
            }
            let cell = write(item.text(field));
            rows.push_str(&cell.text);
            if let Some(real) = cell.real {
                count += 1;
                let real: Vec<String> = real.iter().map(usize::to_string).collect();
                let real = if real.is_empty() { "none".to_owned() } else { real.join(" ") };
                let _ = writeln!(entries, "  {row},{name},{real}");
            }
        }
        rows.push('\n');
    }
    let mut escapes = String::new();
    if count > 0 {
        header(&mut escapes, "escapes", count, &super::decode::ESCAPES);
        escapes.push_str(&entries);
    }
    Table { rows, escapes }
}

fn header(text: &mut String, name: &str, count: usize, fields: &[&str]) {
    let _ = writeln!(text, "{name}[{count}]{{{}}}:", fields.join(","));
}

/// A block beside the queue: its header, and a line of cells for each row, of which `None` is absent. It has no escapes, so
/// what is in the cells should be a [`label`].
#[must_use]
pub fn block<const COLUMNS: usize>(name: &str, fields: &[&str; COLUMNS], rows: &[[Option<String>; COLUMNS]]) -> String {
    let mut text = String::new();
    header(&mut text, name, rows.len(), fields);
    for row in rows {
        let cells = row.each_ref().map(|cell| write(cell.as_deref()).text);
        let _ = writeln!(text, "  {}", cells.join(","));
    }
    text
}

/// `text` as a label, which is never in quotes: tabs, controls and the like become blanks.
#[must_use]
pub fn label(text: &str) -> String {
    text.replace(|c| c == '\t' || is_risky(c), " ")
}

#[cfg(test)]
mod tests {
    use super::super::Item;
    use super::*;

    fn chat(note: &str) -> Item {
        Item { kind: Some(Item::CHAT.into()), note: Some(note.into()), ..Item::default() }
    }

    #[test]
    fn a_queue_as_it_is_documented() {
        let note = Item {
            kind: Some(Item::ANNO.into()),
            file: Some("spec.md".into()),
            heading: Some("Goals".into()),
            occurrence: 0,
            quote: Some("must be fast".into()),
            note: Some("quantify, target ms?".into()),
        };
        let items = vec![note, chat("tighten the scope section")];
        let table = encode(&Batch { session: Some("specs/001-feature".into()), items });
        let want = "\
session: specs/001-feature
queue[2]{kind,file,heading,occurrence,quote,note}:
  anno,spec.md,Goals,0,must be fast,\"quantify, target ms?\"
  chat,-,-,0,-,tighten the scope section
";
        assert_eq!((table.rows.as_str(), table.escapes.as_str()), (want, ""));
    }

    #[test]
    fn no_notes() {
        for (session, want) in [
            (None, "queue: 0 items\n"),
            (Some(""), "queue: 0 items\n"),
            (Some("feature/x, \"draft\""), "session: feature/x, \"draft\"\nqueue: 0 items\n"),
            (Some("a\tb\r\nqueue: 1\u{2028}"), "session: a b  queue: 1 \nqueue: 0 items\n"),
        ] {
            let batch = Batch { session: session.map(str::to_owned), items: Vec::new() };
            assert_eq!(encode(&batch).to_string(), want);
        }
    }

    #[test]
    fn entries_stand_in_the_order_of_the_cells() {
        let first = Item { heading: Some("say(\"\\n\")".into()), quote: Some("\r".into()), ..chat("a\nb") };
        let last = Item { occurrence: u32::MAX, ..chat("\u{1b}, \\n\n") };
        let table = encode(&Batch { session: None, items: vec![first, chat("no, entry"), last] });
        let want = r#"queue[3]{kind,file,heading,occurrence,quote,note}:
  chat,-,"say(""\n"")",0,"\r","a\nb"
  chat,-,-,0,-,"no, entry"
  chat,-,-,4294967295,-,"\u001b, \n\n"
escapes[3]{row,field,real}:
  0,heading,none
  0,quote,1
  2,note,1 3
"#;
        assert_eq!(table.to_string(), want);
    }
}
