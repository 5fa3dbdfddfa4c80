use proptest::prelude::*;

use super::*;

fn decoded(pieces: &[&[u8]]) -> (Vec<Event>, Decoder) {
    let (mut decoder, mut events) = (Decoder::default(), Vec::new());
    pieces.iter().for_each(|piece| decoder.feed(piece, &mut events));
    (events, decoder)
}

fn named(events: &[Event]) -> String {
    let name = |event: &Event| match event {
        Event::Key(key) => key.to_string(),
        other => format!("{other:?}"),
    };
    events.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn names(bytes: &[u8]) -> String {
    let (events, decoder) = decoded(&[bytes]);
    assert_eq!(decoder.patience(), None, "{bytes:?}");
    named(&events)
}

#[test]
fn keys_as_terminals_send_them() {
    for (bytes, want) in [
        ("jG?", "j G ?"),
        ("é漢🇳", "é 漢 🇳"),
        ("\r\t\x7f\n\0\x01\x1a", "enter tab backspace ctrl-j ctrl-space ctrl-a ctrl-z"),
        ("\x08", "backspace"),
        ("\x1c\x1d\x1e\x1f", "ctrl-\\ ctrl-] ctrl-^ ctrl-_"),
        ("\x1b[92;5u\x1b[93;5u\x1b[54;6u\x1b[94;5u\x1b[45;6u\x1b[47;5u", "ctrl-\\ ctrl-] ctrl-^ ctrl-^ ctrl-_ ctrl-_"),
        ("\x1b[\x1b[Aj\x1b[é\x1bO\x1bOA\x1bOé", "alt-[ up j alt-[ é alt-O up alt-O é"),
        ("\x1bj\x1bJ\x1b\r", "alt-j alt-J alt-enter"),
        ("\x1b\x1b[A", "esc up"),
        ("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "up down right left home end"),
        ("\x1bOA\x1bOP\x1bOS\x1bOM", "up f1 f4 enter"),
        ("\x1bO2P\x1bO1;2Pj\x1bO1;5A\x1bO3M", "shift-f1 shift-f1 j ctrl-up alt-enter"),
        ("\x1b[1;5C\x1b[1;2D\x1b[1;3A\x1b[;5H", "ctrl-right shift-left alt-up ctrl-home"),
        ("\x1b[1;2P\x1b[1;2Q\x1b[1;2R\x1b[1;2S", "shift-f1 shift-f2 shift-f3 shift-f4"),
        // With a lock, which is bit 6 or 7.
        ("\x1b[1;133A\x1b[1;256A", "ctrl-up"),
        ("\x1b[5~\x1b[6~\x1b[3~\x1b[2~\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "pgup pgdn delete insert home end home end"),
        ("\x1b[3;5~", "ctrl-delete"),
        ("\x1b[11~\x1b[15~\x1b[17~\x1b[21~\x1b[24~", "f1 f5 f6 f10 f12"),
        ("\x1b[[A\x1b[[E", "f1 f5"),
        ("\x1b[Z", "backtab"),
        ("\x1b[13;2u\x1b[27u\x1b[9u\x1b[127u", "shift-enter esc tab backspace"),
        ("\x1b[106;5u\x1b[97;4u\x1b[97;5:1u", "ctrl-j alt-A ctrl-a"),
        ("\x1b[27;2;13~\x1b[27;5;46~\x1b[27;6;65~\x1b[27~", "shift-enter ctrl-. ctrl-a"),
        ("\x1b[57376u\x1b[57387;5u\x1b[57398;2u", "f13 ctrl-f24 shift-f35"),
        ("\x1b[97;5:3u", ""),
        ("\x1b[99;9u", ""),
        ("\x1b[57399u\x1b[57414u\x1b[57417u\x1b[57441u", "0 enter left"),
        ("\x1b[I\x1b[O", "Focus(true) Focus(false)"),
        ("\x1b[<0;5;4M", "Mouse { action: Press, column: 4, row: 3 }"),
        (
            "\x1b[<32;5;4M\x1b[<0;5;4mx",
            "Mouse { action: Drag, column: 4, row: 3 } Mouse { action: Release, column: 4, row: 3 } x",
        ),
        ("\x1b[<65;1;1M", "Mouse { action: ScrollDown, column: 0, row: 0 }"),
        // Nothing that matters here, and what follows it is there.
        (
            "\x1b[<0;0;7Mj\x1b[<2;5;4Mj\x1b[<35;5;4Mj\x1b[M   j\x1b[0;0Rj\x1b[?1;2cj\x1b[201~j\x1b[99999999999~j",
            "j j j j j j j j",
        ),
        ("\x1b[32;5;4Mj\x1b[?2;0;1Sj\x1b[1;1;1Aj\x1b[2Aj\x1b[3 ~j\x1b[3;?~j\x1b[?1uj\x1b[8;24;80tj", "j j j j j j j j"),
    ] {
        assert_eq!(names(bytes.as_bytes()), want, "{bytes:?}");
    }
    assert_eq!(names(b"\xff\xc3j\xe6\xbcj"), "j j", "what is no text is nothing");
}

#[test]
fn a_paste_is_one_text_however_it_is_cut() {
    let text = "q\r\x1b[A\x1b[200~ é";
    let bytes = format!("j\x1b[200~{text}\x1b[201~k").into_bytes();
    let want = format!("j {:?} k", Event::Paste(text.to_owned()));
    for first in 2..bytes.len() {
        for second in [first, (first + 3).min(bytes.len()), bytes.len()] {
            let (events, decoder) = decoded(&[&bytes[..first], &bytes[first..second], &bytes[second..]]);
            assert_eq!(decoder.patience(), None);
            assert_eq!(named(&events), want, "{first} {second}");
        }
    }
}

/// What `bytes` are when they come in two pieces, with or without a pause between them.
fn cut(bytes: &str, at: usize, pauses: bool) -> String {
    let (mut decoder, mut events) = (Decoder::default(), Vec::new());
    let (first, second) = bytes.as_bytes().split_at(at);
    decoder.feed(first, &mut events);
    if pauses {
        decoder.give_up(&mut events);
    }
    decoder.feed(second, &mut events);
    decoder.give_up(&mut events);
    assert_eq!(decoder.patience(), None, "{bytes:?} at {at}");
    named(&events)
}

#[test]
fn an_escape_is_a_key_when_nothing_follows_it_soon() {
    for (bytes, want) in [("\x1b", "esc"), ("j\x1b", "j esc"), ("\x1b\x1b", "esc esc"), ("\x1b[A\x1b", "up esc")] {
        let (mut events, mut decoder) = decoded(&[bytes.as_bytes()]);
        assert_eq!(decoder.patience(), Some(KEY_PATIENCE), "{bytes:?}");
        decoder.give_up(&mut events);
        assert_eq!((named(&events).as_str(), decoder.patience()), (want, None));
    }
    // What was cut behind it is what it would have been.
    for (bytes, want) in [
        ("\x1b[A", "up"),
        ("\x1bOP", "f1"),
        ("\x1bj", "alt-j"),
        ("\x1b\x1b[A", "esc up"),
        ("\x1b[<65;1;1Mj", "Mouse { action: ScrollDown, column: 0, row: 0 } j"),
        ("\x1b[200~q\x1b[201~", "Paste(\"q\")"),
    ] {
        assert_eq!(cut(bytes, 1, false), want, "{bytes:?}");
    }
    // A pause makes it the key. What nobody types, or not at once, is no keys even then.
    for (bytes, want) in [
        ("\x1bj", "esc j"),
        ("\x1b[A", "esc up"),
        ("\x1b[<j", "esc [ < j"),
        ("\x1b[200~q\x1b[201~j", "esc Paste(\"q\") j"),
        ("\x1b[<65;1;1Mj", "esc Mouse { action: ScrollDown, column: 0, row: 0 } j"),
    ] {
        assert_eq!(cut(bytes, 1, true), want, "{bytes:?}");
    }
}

#[test]
fn a_pause_within_what_nobody_types_makes_no_keys_of_it() {
    let paste = "\x1b[200~gdy\x1b[201~j";
    for at in 1..paste.len() - 1 {
        let begun = ["", "esc ", "alt-[ "].get(at).copied().unwrap_or_default();
        let said = cut(paste, at, true);
        let text: String = said.split("Paste(\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(text, "gdy", "{said} at {at}");
        assert!(said.starts_with(begun) && said.ends_with(") j"), "{said} at {at}");
    }
    let reports =
        [("\x1b[?62;22c", 1..8), ("\x1b]10;rgb:0/0/0\x07", 1..3), ("\x1b[12;40R", 3..7), ("\x1b[<35;10;10M", 1..10)];
    for (said, cuts) in reports {
        for at in cuts {
            let keys =
                cut(&format!("{said}j"), at, true).replace("esc ", "").replace("alt-[ ", "").replace("alt-] ", "");
            let keys = keys.rsplit("} ").next().unwrap_or_default();
            assert_eq!(keys, "j", "{said:?} at {at}");
        }
    }
    // Typed ahead behind a sequence that has not come whole.
    assert_eq!(cut("\x1b[20jk", 4, true), "j k");
}

#[test]
fn where_the_key_is_a_sequence_an_escape_alone_is_the_beginning_of_one() {
    let (mut events, mut decoder) = decoded(&[b"\x1b[27u\x1b"]);
    assert_eq!((named(&events).as_str(), decoder.patience()), ("esc", Some(PATIENCE)));
    decoder.feed(b"[A", &mut events);
    assert_eq!(named(&events), "esc up");
    // It is told of no other key.
    assert_eq!(decoded(&[b"\x1b[97;5u\x1b"]).1.patience(), Some(KEY_PATIENCE));
}

/// What terminals say without being asked by us, each by how much of it shows that nobody types it.
const STRINGS: [(&str, usize); 12] = [
    ("\x1bP>|XTerm(370)\x1b\\", 4),
    ("\x1bP1+r544e=787465726d\x1b\\", 5),
    ("\x1bP0+r\x1b\\", 5),
    ("\x1bP1$r0;1m\x1b\\", 5),
    ("\x1bP!|7E565445\x1b\\", 4),
    ("\x1b_Gi=31;OK\x1b\\", 5),
    ("\x1b]52;c;cSBq\x1b\\", 5),
    ("\x1b]4;1;rgb:cdcd/0000/0000\x07", 4),
    ("\x1b]10;rgb:ffff/ffff/ffff\x1b\\", 5),
    ("\x1b]lthe title, é\x1b\\", usize::MAX),
    ("\x1b^private\x1b\\", usize::MAX),
    ("\x1bXstart\x07", usize::MAX),
];

#[test]
fn what_a_terminal_says_else_is_no_key_wherever_it_is_cut() {
    for (string, shown) in STRINGS {
        let bytes = format!("j{string}k");
        for at in 0..=bytes.len() {
            assert_eq!(cut(&bytes, at, false), "j k", "{string:?} at {at}");
        }
        // A pause within its end leaves one character, which is a key.
        for at in (0..bytes.len() - 2).filter(|at| *at <= 1 || *at > shown) {
            assert_eq!(cut(&bytes, at, true), "j k", "{string:?} at {at} with a pause");
        }
        let (events, decoder) = decoded(&bytes.as_bytes().chunks(1).collect::<Vec<_>>());
        assert_eq!((named(&events).as_str(), decoder.patience()), ("j k", None), "{string:?}");
    }
    let long = format!("j\x1b]52;c;{}\x07k", "cSBq".repeat(5_000));
    for at in [6, 9, 1_000, 1_033, 4_096, long.len() - 2] {
        assert_eq!((cut(&long, at, false), cut(&long, at, true)), ("j k".to_owned(), "j k".to_owned()), "{at}");
    }
}

#[test]
fn the_answer_that_is_asked_for_is_heard_however_it_is_cut() {
    for (answer, is_light) in [
        ("\x1b]11;rgb:0000/0000/0000\x07", "Background { is_light: false }"),
        ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "Background { is_light: true }"),
        ("\x1b]11;?\x07", ""),
    ] {
        let bytes = format!("ju{answer}vq");
        let want = format!("j u {is_light} v q").replace("  ", " ");
        for at in 0..=bytes.len() {
            assert_eq!(cut(&bytes, at, false), want, "{answer:?} at {at}");
        }
    }
}

#[test]
fn a_string_without_an_end_keeps_no_key() {
    for (bytes, want) in [
        // Keys with alt, and what is typed behind them.
        ("\x1b]", "alt-]"),
        ("\x1b]]j", "alt-] ] j"),
        ("\x1b]12j", "alt-] 1 2 j"),
        ("\x1bPjj\x1b", "alt-P j j esc"),
        ("\x1b_\x1b[A", "alt-_ up"),
        ("\x1b^q\r", "alt-^ q enter"),
        ("\x1bXé", "alt-X é"),
        // Its end was lost, and something else comes.
        ("\x1b]52;c;ab\x03", "ctrl-c"),
        ("\x1bP>|XT\x1b[Aj", "up j"),
        ("\x1b_Gi=1;OK\r", "enter"),
        ("\x1b]52;c;ab\x1b[200~q\x1b[201~", "Paste(\"q\")"),
    ] {
        for at in 0..=bytes.len() {
            if bytes.is_char_boundary(at) {
                assert_eq!(cut(bytes, at, false), want, "{bytes:?} at {at}");
            }
        }
    }
    let long = format!("\x1bX{}", "x".repeat(2_000));
    assert_eq!(names(long.as_bytes()).len(), "alt-X".len() + 2 * 2_000);
    for begun in ["\x1b]", "\x1bP>|XTerm(3", "\x1b]52;c;ab\x1b", "\x1bXst"] {
        let (mut events, mut decoder) = decoded(&[begun.as_bytes()]);
        decoder.give_up(&mut events);
        events.clear();
        for key in ["j", "\x1b[A", "j", "k"] {
            decoder.feed(key.as_bytes(), &mut events);
        }
        assert_eq!(named(&events), "j up j k", "{begun:?}");
    }
}

#[test]
fn a_key_that_a_slow_line_cuts_behind_its_escape_is_no_letters() {
    for (late, want) in [
        ("[A", "esc up"),
        ("OB", "esc down"),
        ("[5~", "esc pgup"),
        ("[1;5C", "esc ctrl-right"),
        ("[A\x1b[A", "esc up up"),
        // What is typed comes one by one, or is no key together.
        ("[", "esc ["),
        ("O", "esc O"),
        ("q", "esc q"),
        ("[[", "esc [ ["),
        ("[Aq", "esc [ A q"),
    ] {
        let (mut events, mut decoder) = decoded(&[b"\x1b"]);
        decoder.give_up(&mut events);
        decoder.feed(late.as_bytes(), &mut events);
        decoder.give_up(&mut events);
        assert_eq!(named(&events), want, "{late:?}");
    }
    let (mut events, mut decoder) = decoded(&[b"\x1b"]);
    decoder.give_up(&mut events);
    for key in ["[", "A"] {
        decoder.feed(key.as_bytes(), &mut events);
    }
    assert_eq!(named(&events), "esc [ A");
}

#[test]
fn a_paste_without_an_end_is_there_after_a_while_and_keys_are_keys_again() {
    let (mut events, mut decoder) = decoded(&[b"\x1b[200~half a", b" text\x1b[20"]);
    assert_eq!((events.len(), decoder.patience()), (0, Some(PASTE_PATIENCE)));
    decoder.give_up(&mut events);
    assert_eq!(events, [Event::Paste("half a text".to_owned())]);
    assert_eq!(decoder.patience(), None);
    decoder.feed(b"q", &mut events);
    assert_eq!(events[1..], [pressed(Code::Char('q'))]);
    // What comes late, and in a piece that nobody types, is no key: nor is what stands before the end.
    for late in ["and so it goes on".to_owned(), "gd".to_owned(), "q!\x1b[201~".to_owned()] {
        let (mut events, mut decoder) = decoded(&[b"\x1b[200~a"]);
        decoder.give_up(&mut events);
        decoder.feed(late.as_bytes(), &mut events);
        decoder.give_up(&mut events);
        decoder.feed(b"j", &mut events);
        let text = late.trim_end_matches("\x1b[201~").to_owned();
        assert_eq!(events, [Event::Paste("a".into()), Event::Paste(text), pressed(Code::Char('j'))]);
    }
}

#[test]
fn behind_a_paste_without_an_end_the_next_one_is_its_own_and_reports_are_reports() {
    let wheel = "\x1b[<65;1;1M".repeat(4);
    let up = "\x1b[A".repeat(12);
    let long = "a line that nobody types as fast as this";
    let scrolled = ["Mouse { action: ScrollDown, column: 0, row: 0 }"; 4].join(" ");
    for (pieces, want) in [
        (vec!["\x1b[200~again\x1b[201~"], "Paste(\"again\")".to_owned()),
        (vec!["\x1b[20", "0~again\x1b[201~"], "Paste(\"again\")".to_owned()),
        (vec!["q\x1b[200~again\x1b[201~j"], "q Paste(\"again\") j".to_owned()),
        (vec!["late\x1b[201~\x1b[200~again\x1b[201~"], "Paste(\"late\") Paste(\"again\")".to_owned()),
        (vec![&format!("{long}\x1b[200~again\x1b[201~q")], format!("Paste({long:?}) Paste(\"again\") q")),
        (vec![long, "\x1b[20", "0~again\x1b[201~q"], format!("Paste({long:?}) Paste(\"again\") q")),
        (vec![&wheel], scrolled.clone()),
        (vec![&format!("j{wheel}")], format!("j {scrolled}")),
        (vec![&up, "q"], format!("{} q", ["up"; 12].join(" "))),
        // It is late still behind what nobody has typed.
        (vec!["\x1b[I", long, "\x1b[201~q"], format!("Focus(true) Paste({long:?}) q")),
        (vec!["\x1b[201~", "q"], "q".to_owned()),
        (vec!["é", "qj"], "é q j".to_owned()),
    ] {
        let (mut events, mut decoder) = decoded(&[b"\x1b[200~half"]);
        decoder.give_up(&mut events);
        assert_eq!(events, [Event::Paste("half".to_owned())]);
        events.clear();
        pieces.iter().for_each(|piece| decoder.feed(piece.as_bytes(), &mut events));
        assert_eq!(named(&events), want, "{pieces:?}");
    }
}

#[test]
fn a_sequence_that_does_not_go_on_keeps_no_key() {
    for (begun, want) in [
        ("\x1b[", "alt-[ j"),
        ("\x1bO", "alt-O j"),
        ("\x1b[1;", "j"),
        ("\x1bO1;", "j"),
        ("\x1b[M ", "j"),
        ("\x1b[<0;1", "j"),
    ] {
        let (mut events, mut decoder) = decoded(&[begun.as_bytes()]);
        assert_eq!((events.len(), decoder.patience()), (0, Some(PATIENCE)), "{begun:?}");
        decoder.give_up(&mut events);
        assert_eq!(decoder.patience(), None);
        decoder.feed(b"j", &mut events);
        assert_eq!(named(&events), want, "{begun:?}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_to_their_end_and_the_next_key_is_there(
        pieces in prop::collection::vec(prop::collection::vec(prop_oneof![
            Just(ESC), Just(b'['), Just(b'O'), Just(b']'), Just(b'P'), Just(b'\\'), Just(b'M'), Just(b'<'), Just(b'2'), Just(b'0'), Just(b'1'), Just(b'~'), Just(b';'), any::<u8>(),
        ], 0..24), 0..6),
    ) {
        let pieces: Vec<&[u8]> = pieces.iter().map(Vec::as_slice).collect();
        let (mut events, mut decoder) = decoded(&pieces);
        decoder.give_up(&mut events);
        events.clear();
        decoder.feed(b"j", &mut events);
        prop_assert_eq!(&events, &[pressed(Code::Char('j'))]);
    }

    #[test]
    fn where_the_bytes_are_cut_does_not_matter(
        keys in prop::collection::vec(prop::sample::select(vec![
            "j", "é", "漢", "\x1b", "\x1b[A", "\x1b]", "\x1bP1+r", "\x1b\\", "\x1bO2P", "\x1b[1;5C", "\x1b[<0;5;4M", "\x1b[13;2u", "\x1b[200~a\x1bb\x1b[201~", "\x1bj", "\r",
        ]), 1..6),
        cut in 0usize..64,
    ) {
        let bytes = keys.concat().into_bytes();
        let (first, second) = bytes.split_at(cut.min(bytes.len()));
        let [whole, cut] = [&[&bytes[..]][..], &[first, second]].map(|pieces| {
            let (mut events, mut decoder) = decoded(pieces);
            decoder.give_up(&mut events);
            events
        });
        prop_assert_eq!(whole, cut);
    }
}
