//! What is read, and what is refused and where.

use super::*;

const HEADER: &str = "queue[1]{kind,file,heading,occurrence,quote,note}:\n";

fn text(value: &str) -> Option<String> {
    Some(value.to_owned())
}

/// The note of one chat row, with whatever follows the row.
fn note(cell: &str, rest: &str) -> Result<Option<String>, Refusal> {
    let batch = decode(format!("{HEADER}  chat,-,-,0,-,{cell}\n{rest}").as_bytes())?;
    let [Item { note, .. }] = &batch.items[..] else { panic!("there is one row") };
    Ok(note.clone())
}

#[test]
fn cells() {
    for (cell, want) in [
        ("-", None),
        ("", Some("")),
        (r#""""#, Some("")),
        (r#""-""#, Some("-")),
        ("--", Some("--")),
        (" a ", Some(" a ")),
        ("a\\nb\\r\\u0041", Some("a\\nb\\r\\u0041")),
        (r#""a\r\u0041\nb\t""#, Some("a\\r\\u0041\nb\\t")),
        (r#""say ""hi""""#, Some("say \"hi\"")),
        (r#""""""#, Some("\"")),
        (r#""a,b""#, Some("a,b")),
        (r#""a\""""#, Some("a\\\"")),
        (r##""#define X \\n  1""##, Some("#define X \\\n  1")),
        ("a\rb", Some("a\rb")),
        ("a\r\r", Some("a\r")),
        ("\ta", Some("\ta")),
    ] {
        assert_eq!(note(cell, ""), Ok(want.map(str::to_owned)), "{cell}");
    }
}

#[test]
fn escapes() {
    for (cell, real, want) in [
        (r#""\n\n\n""#, "2", "\\n\n\\n"),
        (r#""a\nb, c""#, "none", "a\\nb, c"),
        (r#""printf(""a\n"");\nreturn 0;""#, "2", "printf(\"a\\n\");\nreturn 0;"),
        (r#""\r\n""#, "1 2", "\r\n"),
        (r#""\u00AB\n,\nx""#, "2", "\\u00AB\\n,\nx"),
        (r#""x\u202ey\u12""#, "1", "x\u{202e}y\\u12"),
        (r#""\\n\u0041\ud800""#, "1 2", "\\\nA\\ud800"),
        (r#""nothing""#, "none", "nothing"),
    ] {
        let rest = format!("escapes[1]{{row,field,real}}:\n  0,note,{real}\n");
        assert_eq!(note(cell, &rest), Ok(text(want)), "{cell} {real}");
    }
}

#[test]
fn whole_tables() {
    let anno = Item {
        kind: text("anno"),
        file: text("f"),
        heading: text("h(a, \"b\")"),
        occurrence: 4_294_967_295,
        quote: text("x\ny"),
        note: text("b"),
    };
    let rows = "  todo,-,-,0,-,a\r\n  anno,f,\"h(a, \"\"b\"\")\",4294967295,\"x\\ny\",b\r\n";
    let rest =
        "where[1]{row,lines,side,rev}:\n  0,8-8,new,\"\nsession: t\nround: 2\nhelp[1]:\n  queue[1]\n  queue: x\n";
    let table = format!("session: s \r\n{}\r\n{rows}{rest}", HEADER.trim_end().replace('1', "2"));
    let batch = decode(table.as_bytes()).unwrap();
    let todo = Item { kind: text("todo"), note: text("a"), ..Item::default() };
    assert_eq!(batch, Batch { session: text("s "), items: vec![todo, anno] });
    assert_eq!(batch.items.iter().map(Item::has_known_kind).collect::<Vec<_>>(), [false, true]);
}

#[test]
fn empty_queues() {
    for (table, session) in [
        ("queue: 0 items\n", None),
        ("session: s\nqueue: 0 items\n", text("s")),
        ("session: \r\nqueue: 0 items\r\n", text("")),
        ("queue: 0 items - the reviewer ended the session\n", None),
        ("queue: 0 items\nstate: waiting\nhelp[1]:\n  run `whymark poll` again\n", None),
        ("queue[0]{kind,file,heading,occurrence,quote,note}:\nescapes[0]{row,field,real}:\n", None),
    ] {
        assert_eq!(decode(table.as_bytes()), Ok(Batch { session, items: Vec::new() }), "{table}");
    }
}

#[track_caller]
fn refuse(table: &str, line: usize, message: &str) {
    let refusal = decode(table.as_bytes()).expect_err(table);
    assert_eq!((refusal.line, refusal.to_string().as_str()), (line, message), "{table}");
}

#[test]
fn what_is_no_queue_is_refused() {
    let header = HEADER.trim_end();
    for table in [
        "",
        "\n",
        "hello\nqueue: 0 items\n",
        " queue: 0 items\n",
        "queue: 0 items.\n",
        "queue: 0 items - \n",
        "queue: 1 items\n  chat,-,-,0,-,a\n",
        "queue[01]{kind,file,heading,occurrence,quote,note}:\n",
        "queue[+1]{kind,file,heading,occurrence,quote,note}:\n",
        "queue[]{kind,file,heading,occurrence,quote,note}:\n",
        "queue[4294967296]{kind,file,heading,occurrence,quote,note}:\n",
        "queue[1]{kind,heading,file,occurrence,quote,note}:\n",
        "queue[1]{kind,file,heading,occurrence,quote,note,x}:\n",
        "queue[1]{kind,file,heading,occurrence,quote,note}: \n",
        "session:\nqueue: 0 items\n",
    ] {
        refuse(table, 1, "no queue line");
    }
    refuse("session: s\n", 2, "no queue line");
    refuse("session: s\n\nqueue: 0 items\n", 2, "no queue line");
    refuse("session: s\nsession: t\nqueue: 0 items\n", 2, "no queue line");
    refuse("queue: 0 items", 1, "cut off in the last line");
    refuse(&format!("{header}\n  chat,-,-,0,-,tighten the sc"), 2, "cut off in the last line");
    let refusal = decode(b"queue: 0 items\n\xff\n").unwrap_err();
    assert_eq!(refusal, Refusal { line: 2, problem: Problem::NotUtf8 });
}

#[test]
fn rows_that_are_none_are_refused() {
    let row = "  chat,-,-,0,-,a\n";
    let two = HEADER.replace('1', "2");
    refuse(&format!("{two}{row}"), 3, "1 rows, 2 announced");
    refuse(&format!("{two}{row}\n{row}"), 3, "1 rows, 2 announced");
    refuse(&format!("{HEADER}{row}{row}"), 3, "2 rows, 1 announced");
    refuse(&format!("{HEADER}   chat,-,-,0,-,a\n"), 2, "0 rows, 1 announced");
    refuse(&format!("{HEADER}\tchat,-,-,0,-,a\n"), 2, "0 rows, 1 announced");
    refuse(&format!("queue: 0 items\n{row}"), 2, "1 rows, 0 announced");
    refuse(&format!("{}{row}", HEADER.replace('1', "0")), 2, "1 rows, 0 announced");
    refuse(&format!("{}{row}", HEADER.replace('1', "4294967295")), 3, "1 rows, 4294967295 announced");
    for (row, message) in [
        ("chat,-,-,0,-", "row 1: 5 cells, 6 expected"),
        ("chat,-,-,0,-,a,b", "row 1: 7 cells, 6 expected"),
        ("", "row 1: 1 cells, 6 expected"),
        ("chat,-,-,0,-,\"a", "row 1: quoted cell not closed"),
        ("chat,-,-,0,-,\"a\"\"", "row 1: quoted cell not closed"),
        ("chat,-,-,0,-,\"", "row 1: quoted cell not closed"),
        ("chat,-,-,0,\"a\"b,c", "row 1: text after a closing quote"),
        ("chat,-,-,0,-,\"a\\\"b\"", "row 1: text after a closing quote"),
        ("chat,-,-,0,-,a\"b", "row 1: quote inside an unquoted cell"),
        ("chat,-,-,0,-, \"b\"", "row 1: quote inside an unquoted cell"),
        ("anno,f,h,-1,q,n", "row 1: occurrence \"-1\" is not a number"),
        ("anno,f,h,+1,q,n", "row 1: occurrence \"+1\" is not a number"),
        ("anno,f,h,01,q,n", "row 1: occurrence \"01\" is not a number"),
        ("anno,f,h,00,q,n", "row 1: occurrence \"00\" is not a number"),
        ("anno,f,h,-,q,n", "row 1: occurrence \"-\" is not a number"),
        ("anno,f,h,,q,n", "row 1: occurrence \"\" is not a number"),
        ("anno,f,h,1 ,q,n", "row 1: occurrence \"1 \" is not a number"),
        ("anno,f,h,٣,q,n", "row 1: occurrence \"٣\" is not a number"),
        ("anno,f,h,4294967296,q,n", "row 1: occurrence \"4294967296\" is not a number"),
        ("anno,f,h,\"0\",q,n", "row 1: occurrence \"\"0\"\" is not a number"),
    ] {
        refuse(&format!("session: s\n{two}  chat,-,-,0,-,a\n  {row}\n"), 4, message);
    }
}

#[test]
fn escapes_that_cannot_be_followed_are_refused() {
    let rows = "  anno,a\\nb,-,0,\"\\n\\r\",\"\\ud800\"\n";
    let block = "escapes[1]{row,field,real}:\n";
    for (entry, message) in [
        ("0,quote", "entry 0: 2 cells, 3 expected"),
        ("0,quote,1,2", "entry 0: 4 cells, 3 expected"),
        ("1,quote,1", "entry 0: there is no row \"1\""),
        ("00,quote,1", "entry 0: there is no row \"00\""),
        ("0,occurence,none", "entry 0: there is no field \"occurence\""),
        ("0,occurrence,none", "entry 0: the cell is not quoted"),
        ("0,heading,none", "entry 0: the cell is not quoted"),
        ("0,file,1", "entry 0: the cell is not quoted"),
        ("0,quote,0", "entry 0: \"0\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,3", "entry 0: \"3\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,1 1", "entry 0: \"1 1\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,2 1", "entry 0: \"2 1\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,1  2", "entry 0: \"1  2\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,", "entry 0: \"\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,quote,none 1", "entry 0: \"none 1\" is neither `none` nor rising numbers from 1 to 2"),
        ("0,note,1", "entry 0: token 1 is half a character"),
    ] {
        refuse(&format!("{HEADER}{rows}round: 1\n{block}  {entry}\n"), 5, &format!("escapes: {message}"));
    }
    let entry = "  0,quote,1\n";
    let two = block.replace('1', "2");
    for (rest, line, message) in [
        (format!("{two}{entry}{entry}"), 5, "escapes: entry 1: the cell has one before"),
        (format!("{two}{entry}"), 5, "escapes: 1 entries, 2 announced"),
        (format!("{block}{entry}{entry}"), 5, "escapes: 2 entries, 1 announced"),
        (format!("{block}{entry}{block}{entry}"), 5, "escapes: second block"),
        (format!("escapes[1]{{row,real}}:\n{entry}"), 3, "escapes: the header is not `escapes[N]{row,field,real}:`"),
        (format!("round: 1\n{HEADER}{rows}"), 4, "second queue line"),
        ("queue: 0 items\n".to_owned(), 3, "second queue line"),
        ("queue:\n".to_owned(), 3, "second queue line"),
    ] {
        refuse(&format!("{HEADER}{rows}{rest}"), line, message);
    }
}

#[test]
fn the_first_in_the_order_of_the_steps_is_said() {
    let two = HEADER.replace('1', "2");
    refuse(&format!("{two}  a,\"\n  cut"), 3, "cut off in the last line");
    refuse(&format!("{two}  a,\"\n"), 3, "1 rows, 2 announced");
    refuse(&format!("{two}  chat,-,-,x,-,a\n  chat,-,-,0,-\n"), 3, "row 1: 5 cells, 6 expected");
    refuse(&format!("{HEADER}  chat,-,-,x,-,a\nqueue:\n"), 2, "row 0: occurrence \"x\" is not a number");
}

#[test]
fn what_was_cut_off_is_known_as_such() {
    let table = format!("{}  chat,-,-,0,-,\"a\\n\"\n  chat,-,-,0,-,b\n", HEADER.replace('1', "2"));
    for end in 0..table.len() {
        let refusal = decode(&table.as_bytes()[..end]).expect_err("half a table is none");
        let is_line = end == 0 || table.as_bytes()[end - 1] == b'\n';
        assert!(refusal.is_truncation() || end == 0, "{end}: {refusal}");
        assert_eq!(refusal.problem == Problem::CutOff, !is_line, "{end}: {refusal}");
    }
}
