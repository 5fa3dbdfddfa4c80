//! The laws of quotes, on generated files: whoever searches for the quote as the table has it finds what was selected.

use bstr::ByteSlice;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use whymark::capture::{Version, capture};
use whymark::document::Side;

/// What files are made of: much that repeats, and overlaps itself.
const PIECES: [&[u8]; 20] = [
    b"a",
    b"a",
    b"-",
    b"--",
    b"aba",
    b"\n",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b" ",
    b"\t",
    b"# ",
    b"```\n",
    b"---\n",
    b"fn f() {\n",
    "é".as_bytes(),
    b"\xff",
    b"a\na\n",
    b"long long long long long long long long long long long long long long long long",
];

fn unix_lines(text: &[u8]) -> Vec<u8> {
    text.replace("\r\n", "\n")
}

proptest! {
    #[test]
    fn a_quote_is_found_where_it_was_selected(
        pieces in vec(select(&PIECES[..]), 1..60),
        (from, to) in any::<(Index, Index)>(),
        path in select(&["a.md", "a.rs", "a"][..]),
        times in select(&[1, 1, 1, 30][..]),
    ) {
        let text = pieces.concat().repeat(times);
        let (from, to) = (from.index(text.len() + 1), to.index(text.len() + 1));
        let selection = from.min(to)..from.max(to);
        let path = path.as_bytes();
        let version = Version { path, file: path, side: Side::New, rev: "worktree", text: &text, hunk_heading: None };
        let captured = capture(&version, selection.clone(), "n");
        let lines = captured.lines.expect("the path is plain");
        prop_assert!(lines.first <= lines.last);
        let selected = &text[selection.clone()];
        let is_plain = std::str::from_utf8(selected).is_ok_and(|text| !text.trim().is_empty());
        let is_short = selected.len() <= 1200 && selected.split_inclusive(|byte| *byte == b'\n').count() <= 12;
        let Some(quote) = captured.item.quote else {
            prop_assert_eq!((captured.item.heading, captured.item.occurrence, captured.matches), (None, 0, 0));
            return Ok(());
        };
        prop_assert!(quote.len() <= 1200 && quote.split_inclusive('\n').count() <= 12 && !quote.trim().is_empty());
        // Both as the table has them: a search counts to the occurrence, and there it is.
        let (searched, wanted) = (unix_lines(&text), unix_lines(quote.as_bytes()));
        let found: Vec<usize> = searched.find_iter(&wanted).collect();
        prop_assert_eq!(found.len(), captured.matches);
        let start = found[captured.item.occurrence as usize];
        // A CRLF that the selection cuts in two begins in front of it.
        let crs = text.windows(2).take(selection.start).filter(|pair| pair == b"\r\n").count();
        let selected_start = selection.start - crs;
        if is_plain && is_short {
            prop_assert!(start <= selected_start, "it holds the selection");
            let end = start + wanted.len();
            prop_assert!(end >= selected_start + unix_lines(selected).trim_end().len(), "all of it");
        } else if is_plain {
            prop_assert!(selected.starts_with(quote.as_bytes()) || start <= selected_start);
        }
    }
}
