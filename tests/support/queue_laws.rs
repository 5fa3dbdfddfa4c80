//! The laws of the queue as a function that panics: on whatever text it is given, and whoever finds it.

use whymark::queue::{Batch, Item, decode, encode, from_json, label, to_json};

/// What must hold for a table: `input` is one, and pieces of it are what stands in one.
pub(crate) fn hold(input: &[u8]) {
    match decode(input) {
        Ok(batch) => hold_for(&batch),
        Err(refusal) => {
            let lines = input.iter().filter(|byte| **byte == b'\n').count();
            assert!((1..=lines + 1).contains(&refusal.line), "the line is there, or the one behind the last");
            assert!(!refusal.to_string().is_empty());
        }
    }
    if let Ok(batch) = from_json(input) {
        hold_for(&batch);
    }
    let text = String::from_utf8_lossy(input);
    let mut cells = text.split('\0').map(|cell| Some(cell.to_owned()));
    let session = cells.next().flatten();
    let mut items = Vec::new();
    while let Some(kind) = cells.next() {
        let occurrence = kind.as_ref().map_or(0, String::len).try_into().unwrap_or_default();
        let [file, heading, quote, note] = std::array::from_fn(|_| cells.next().flatten());
        items.push(Item { kind, file, heading, occurrence, quote, note });
    }
    hold_for(&Batch { session, items });
}

/// What is written reads as it was, in JSON to the letter, and a row is a line of which a terminal obeys nothing.
pub(crate) fn hold_for(batch: &Batch) {
    let table = encode(batch).to_string();
    let obeyed = |c: char| c.is_control() && !matches!(c, '\t' | '\n') || matches!(c, '\u{2028}'..='\u{202e}');
    assert!(!table.contains(obeyed), "{table:?}");
    let rows = table.lines().filter(|line| line.starts_with("  ")).count();
    assert!(rows >= batch.items.len() && table.ends_with('\n'));
    let read = decode(table.as_bytes()).unwrap_or_else(|refusal| panic!("{refusal} in {table}"));
    assert_eq!(read, readable(batch), "in {table}");
    // CR CR LF becomes CR LF, and that LF when it is written again.
    if read == readable(&read) {
        assert_eq!(encode(&read).to_string(), table, "written again");
    }
    let json = to_json(batch).expect("a queue is JSON");
    assert!(!json.contains('\n') && !json.contains(obeyed), "{json:?}");
    assert_eq!(from_json(json.as_bytes()).expect("what is written can be read"), *batch);
    for end in (0..table.len()).step_by(table.len() / 50 + 1) {
        let part = decode(&table.as_bytes()[..end]);
        let is_whole = |part: &Batch| part.items.len() == batch.items.len() && table[..end].ends_with('\n');
        assert!(part.as_ref().map_or(true, is_whole), "{end} bytes of {table}");
    }
}

/// `batch` as the table can say it.
fn readable(batch: &Batch) -> Batch {
    let cell =
        |text: &Option<String>| text.as_ref().map(|text| text.replace("\r\n", "\n")).filter(|text| !text.is_empty());
    let item = |item: &Item| Item {
        kind: cell(&item.kind),
        file: cell(&item.file),
        heading: cell(&item.heading),
        occurrence: item.occurrence,
        quote: cell(&item.quote),
        note: cell(&item.note),
    };
    let session = batch.session.as_deref().filter(|session| !session.is_empty()).map(label);
    Batch { session, items: batch.items.iter().map(item).collect() }
}
