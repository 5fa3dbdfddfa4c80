//! The laws of the queue on generated notes, and on generated tables, most of which are none.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use whymark::queue::{Batch, Item};

use crate::support::queue_laws::{hold, hold_for};

/// What cells are made of: all that is written in another way, or looks like it.
const PIECES: [&str; 40] = [
    "a",
    "é",
    "🎉",
    " ",
    "\t",
    "\n",
    "\r",
    "\r\n",
    "\\",
    "\\n",
    "\\r",
    "\\u",
    "\\u0041",
    "\\u202e",
    "\\u00AB",
    "\\ud800",
    "0",
    "00",
    "n",
    "r",
    "u",
    ",",
    "\"",
    "\"\"",
    "-",
    "  ",
    "\0",
    "\u{1b}",
    "\u{7f}",
    "\u{85}",
    "\u{a0}",
    "\u{2028}",
    "\u{202e}",
    "\u{2069}",
    "\u{feff}",
    "\u{200f}",
    "queue: 0 items",
    "\nescapes[1]{row,field,real}:\n",
    "none",
    "1 2",
];

/// What tables are made of.
const LINES: [&str; 22] = [
    "session: s\n",
    "queue: 0 items\n",
    "queue: 0 items - the reviewer ended the session\n",
    "queue[1]{kind,file,heading,occurrence,quote,note}:\n",
    "queue[2]{kind,file,heading,occurrence,quote,note}:\r\n",
    "  anno,a.rs,-,0,\"x\\ny\",n\n",
    "  chat,-,-,0,-,\"\\r\\u0041\"\r\n",
    "  todo,\"\",,4294967295,\"\"\"\",\r\n",
    "  chat,-,-,0,-,\"open\n",
    "  chat,-,-,x,-,a\n",
    "  chat,-,-,0,-\n",
    "   chat,-,-,0,-,a\n",
    "escapes[1]{row,field,real}:\n",
    "escapes[2]{row,field,real}:\n",
    "  0,quote,none\n",
    "  0,note,1\n",
    "  1,note,1 2\n",
    "  1,quote,1\n",
    "round: 1\n",
    "help[1]:\n",
    "  cut",
    "\r",
];

fn cell() -> impl Strategy<Value = Option<String>> {
    let pieces = vec(select(&PIECES[..]), 0..8).prop_map(|pieces| pieces.concat());
    option::weighted(0.8, prop_oneof![4 => pieces, 1 => any::<String>()])
}

fn item() -> impl Strategy<Value = Item> {
    let occurrence = prop_oneof![Just(0), Just(u32::MAX), any::<u32>()];
    (cell(), cell(), cell(), occurrence, cell(), cell()).prop_map(|(kind, file, heading, occurrence, quote, note)| {
        Item { kind, file, heading, occurrence, quote, note }
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_it_was(session in cell(), items in vec(item(), 0..5)) {
        hold_for(&Batch { session, items });
    }

    #[test]
    fn any_lines_are_read_or_refused(lines in vec(select(&LINES[..]), 0..9)) {
        hold(lines.concat().as_bytes());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..200)) {
        hold(&bytes);
    }
}
