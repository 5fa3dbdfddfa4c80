//! The bytes that a terminal sends, as keys and what else it reports. Pure.
//!
//! They are read here, and not by the library that reads them elsewhere, because nothing in a stream of bytes may keep the
//! keyboard for ever: a paste whose end is lost on the way, or the beginning of a sequence that never goes on. Whoever feeds
//! the bytes says when none have come for a while. The sequences are those of xterm and of kitty's protocol for keyboards, as
//! far as they are asked for: keys without ambiguity, the mouse by SGR, bracketed paste, the focus.

use std::time::Duration;

use super::input::{Event, MouseAction};
use super::key::{Code, Key, Modifiers};

/// How long what has begun is waited for.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for a paste, since what comes too late of it would be keys.
const PASTE_PATIENCE: Duration = Duration::from_secs(2);
/// No sequence is longer.
const LONGEST: usize = 64;
/// No key sends more bytes at once, nor do the fastest fingers.
const TYPED_AT_ONCE: usize = 32;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1b;

/// Reads bytes as they come.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The beginning of a sequence, or of a character.
    held: Vec<u8>,
    paste: Paste,
}

/// What is known of a paste.
#[derive(Debug, Default, PartialEq, Eq)]
enum Paste {
    #[default]
    None,
    /// Its text as far as it has come.
    Begun(Vec<u8>),
    /// Its end has not come in time: what comes in one piece that nobody types belongs to it still.
    GivenUp,
}

/// What a few bytes are.
enum Read {
    /// So many of them are this, or nothing that matters here.
    Whole(usize, Option<Event>),
    /// They begin something.
    Beginning,
}

impl Decoder {
    /// Read what has come at once; what it is goes to `events`.
    pub fn feed(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        let mut rest = self.feed_some(bytes, events);
        while let Some(bytes) = rest {
            rest = self.feed_some(&bytes, events);
        }
    }

    /// Read as far as a paste begins or ends; what follows comes back.
    fn feed_some(&mut self, bytes: &[u8], events: &mut Vec<Event>) -> Option<Vec<u8>> {
        if self.paste == Paste::GivenUp {
            let has_end = bytes.windows(PASTE_END.len()).any(|window| window == PASTE_END);
            let is_pasted = has_end || bytes.len() > TYPED_AT_ONCE;
            self.paste = if is_pasted { Paste::Begun(Vec::new()) } else { Paste::None };
        }
        if let Paste::Begun(text) = &mut self.paste {
            let start = text.len().saturating_sub(PASTE_END.len() - 1);
            text.extend_from_slice(bytes);
            let found = text[start..].windows(PASTE_END.len()).position(|window| window == PASTE_END);
            let rest = text.split_off(start + found?);
            self.end_paste(Paste::None, events);
            return Some(rest[PASTE_END.len()..].to_vec());
        }
        self.held.extend_from_slice(bytes);
        let held = std::mem::take(&mut self.held);
        let mut rest = held.as_slice();
        while !rest.is_empty() {
            if let Some(pasted) = rest.strip_prefix(PASTE_BEGIN) {
                self.paste = Paste::Begun(Vec::new());
                return Some(pasted.to_vec());
            }
            match read(rest) {
                Read::Whole(len, event) => {
                    events.extend(event);
                    rest = &rest[len..];
                }
                // It comes alone when the key is pressed, and with what follows in a sequence.
                Read::Beginning if rest == [ESC] => {
                    events.push(pressed(Code::Esc));
                    return None;
                }
                Read::Beginning => break,
            }
        }
        self.held = rest.to_vec();
        None
    }

    /// How long to wait for more before [`Decoder::give_up`]; `None` when nothing has begun.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        match self.paste {
            Paste::Begun(_) => Some(PASTE_PATIENCE),
            _ => (!self.held.is_empty()).then_some(PATIENCE),
        }
    }

    /// Nothing has come for so long: what has begun ends here. Of a paste all that has come is there.
    pub fn give_up(&mut self, events: &mut Vec<Event>) {
        self.end_paste(Paste::GivenUp, events);
        // The rest of a sequence that was cut would type what nobody has typed.
        if let [ESC, c @ (b'[' | b'O')] = self.held.as_slice() {
            events.push(with(Code::Char(char::from(*c)), Modifiers { alt: true, ..Modifiers::default() }));
        }
        self.held.clear();
    }

    fn end_paste(&mut self, then: Paste, events: &mut Vec<Event>) {
        if let Paste::Begun(text) = &mut self.paste {
            let text = String::from_utf8_lossy(text).into_owned();
            events.extend((!text.is_empty()).then_some(Event::Paste(text)));
            self.paste = then;
        }
    }
}

/// What the first of `bytes` are, of which there is one at least.
fn read(bytes: &[u8]) -> Read {
    match bytes {
        [ESC] | [ESC, b'[' | b'O'] => Read::Beginning,
        [ESC, b'[', rest @ ..] => control_sequence(rest).plus(2),
        [ESC, b'O', last, ..] => Read::Whole(3, letter(*last, Modifiers::default())),
        // The key itself, and then another one that begins with it.
        [ESC, ESC, ..] => Read::Whole(1, Some(pressed(Code::Esc))),
        [ESC, rest @ ..] => match read(rest) {
            Read::Whole(len, Some(Event::Key(key))) => {
                let modifiers = Modifiers { alt: true, ..key.modifiers() };
                Read::Whole(len + 1, Some(with(key.code(), modifiers)))
            }
            other => other.plus(1),
        },
        _ => character(bytes),
    }
}

impl Read {
    /// The same behind so many bytes more.
    fn plus(self, before: usize) -> Self {
        match self {
            Self::Whole(len, event) => Self::Whole(len + before, event),
            Self::Beginning => Self::Beginning,
        }
    }
}

/// A key that sends a character.
fn character(bytes: &[u8]) -> Read {
    let ctrl = |c: u8| with(Code::Char(char::from(c)), Modifiers { ctrl: true, ..Modifiers::default() });
    let event = match bytes[0] {
        b'\r' => pressed(Code::Enter),
        b'\t' => pressed(Code::Tab),
        0x7f => pressed(Code::Backspace),
        0 => ctrl(b' '),
        c @ 1..=0x1a => ctrl(c + b'a' - 1),
        c @ 0x1c..=0x1f => ctrl(c - 0x1c + b'4'),
        first => {
            let len = match first {
                0..=0x7f => 1,
                0xc2..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf4 => 4,
                _ => return Read::Whole(1, None),
            };
            let is_tail = |byte: &u8| byte & 0xc0 == 0x80;
            let tail = bytes[1..].iter().take(len - 1).take_while(|byte| is_tail(byte)).count();
            return match std::str::from_utf8(&bytes[..=tail]) {
                Ok(text) => Read::Whole(len, text.chars().next().and_then(typed)),
                Err(_) if bytes.len() == tail + 1 && tail + 1 < len => Read::Beginning,
                Err(_) => Read::Whole(tail + 1, None),
            };
        }
    };
    Read::Whole(1, Some(event))
}

/// What follows `ESC [`.
fn control_sequence(bytes: &[u8]) -> Read {
    match bytes {
        // As the console of Linux has the first function keys.
        [b'[', last, ..] => {
            Read::Whole(2, last.checked_sub(b'A').filter(|nth| *nth < 5).map(|nth| pressed(Code::F(nth + 1))))
        }
        // A report of the mouse that nobody asks for: three bytes follow it.
        [b'M', _, _, _, ..] => Read::Whole(4, None),
        [b'[' | b'M', ..] => Read::Beginning,
        _ => {
            let Some(end) = bytes.iter().position(|byte| !(0x20..=0x3f).contains(byte)) else {
                return if bytes.len() < LONGEST { Read::Beginning } else { Read::Whole(bytes.len(), None) };
            };
            match bytes[end] {
                last @ 0x40..=0x7e => Read::Whole(end + 1, sequence(&bytes[..end], last)),
                // That is the beginning of something else.
                _ => Read::Whole(end, None),
            }
        }
    }
}

/// What the sequence with these parameters and this last byte is.
fn sequence(parameters: &[u8], last: u8) -> Option<Event> {
    if let (Some(report), b'M' | b'm') = (parameters.strip_prefix(b"<"), last) {
        return mouse(report, last == b'm');
    }
    let text = std::str::from_utf8(parameters).ok()?;
    let mut parameters = text.split(';');
    let first = parameters.next().unwrap_or_default();
    let number: u32 = first.split(':').next().unwrap_or_default().parse().unwrap_or(0);
    let mut second = parameters.next().unwrap_or_default().split(':');
    let mask: u8 = second.next().unwrap_or_default().parse().unwrap_or(1);
    let is_release = second.next() == Some("3");
    let held = mask.saturating_sub(1);
    // Combinations with super, hyper and meta belong to the desktop.
    if is_release || held & 0b11_1000 > 0 {
        return None;
    }
    let modifiers = Modifiers { shift: held & 1 > 0, alt: held & 2 > 0, ctrl: held & 4 > 0 };
    match last {
        b'I' if text.is_empty() => Some(Event::Focus(true)),
        b'O' if text.is_empty() => Some(Event::Focus(false)),
        b'~' => numbered(number).map(|code| with(code, modifiers)),
        b'u' => unicode(number).map(|code| with(code, modifiers)),
        // Says where the cursor is.
        b'R' => None,
        last => letter(last, modifiers),
    }
}

/// The keys that have a letter.
fn letter(last: u8, modifiers: Modifiers) -> Option<Event> {
    let code = match last {
        b'A' => Code::Up,
        b'B' => Code::Down,
        b'C' => Code::Right,
        b'D' => Code::Left,
        b'H' => Code::Home,
        b'F' => Code::End,
        b'M' => Code::Enter,
        b'Z' => Code::BackTab,
        b'P'..=b'S' => Code::F(last - b'P' + 1),
        _ => return None,
    };
    Some(with(code, modifiers))
}

/// The keys that have a number.
fn numbered(number: u32) -> Option<Code> {
    let nth = |from: u32, first: u8| u8::try_from(number - from).ok().map(|nth| Code::F(first + nth));
    match number {
        1 | 7 => Some(Code::Home),
        2 => Some(Code::Insert),
        3 => Some(Code::Delete),
        4 | 8 => Some(Code::End),
        5 => Some(Code::PageUp),
        6 => Some(Code::PageDown),
        11..=15 => nth(11, 1),
        17..=21 => nth(17, 6),
        23..=26 => nth(23, 11),
        28..=29 => nth(28, 15),
        31..=34 => nth(31, 17),
        _ => None,
    }
}

/// The keys by their characters, as kitty numbers them.
fn unicode(number: u32) -> Option<Code> {
    const KEYPAD: &[u8] = b"0123456789./*-+\r=,";
    const NAMED: [Code; 10] = [
        Code::Left,
        Code::Right,
        Code::Up,
        Code::Down,
        Code::PageUp,
        Code::PageDown,
        Code::Home,
        Code::End,
        Code::Insert,
        Code::Delete,
    ];
    let nth = |from: u32| usize::try_from(number.checked_sub(from)?).ok();
    let c = match number {
        57399..=57416 => char::from(*KEYPAD.get(nth(57399)?)?),
        57417..=57426 => return NAMED.get(nth(57417)?).copied(),
        // Keys that have no name here, those that only modify among them.
        0xE000..=0xF8FF => return None,
        number => char::from_u32(number)?,
    };
    match c {
        '\r' => Some(Code::Enter),
        '\t' => Some(Code::Tab),
        '\u{1b}' => Some(Code::Esc),
        '\u{7f}' | '\u{8}' => Some(Code::Backspace),
        c => (!c.is_control()).then_some(Code::Char(c)),
    }
}

/// A report of the mouse: what, and the cell, counted from 1.
fn mouse(report: &[u8], is_release: bool) -> Option<Event> {
    let text = std::str::from_utf8(report).ok()?;
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
    let (what, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    // Bits 2 to 4 are modifiers.
    let action = match (what & !0b1_1100, is_release) {
        (0, false) => MouseAction::Press,
        (0, true) => MouseAction::Release,
        (32, false) => MouseAction::Drag,
        (64, false) => MouseAction::ScrollUp,
        (65, false) => MouseAction::ScrollDown,
        (66, false) => MouseAction::ScrollLeft,
        (67, false) => MouseAction::ScrollRight,
        _ => return None,
    };
    Some(Event::Mouse { action, column: column.checked_sub(1)?, row: row.checked_sub(1)? })
}

/// A key that types `c`.
fn typed(c: char) -> Option<Event> {
    // Private code points are what some terminals send for keys without a name.
    (!c.is_control() && !matches!(c, '\u{E000}'..='\u{F8FF}')).then(|| pressed(Code::Char(c)))
}

fn pressed(code: Code) -> Event {
    with(code, Modifiers::default())
}

fn with(code: Code, modifiers: Modifiers) -> Event {
    Event::Key(Key::new(code, modifiers))
}

#[cfg(test)]
mod tests {
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
            ("\r\t\x7f\n\0\x01\x1a\x1f", "enter tab backspace ctrl-j ctrl-space ctrl-a ctrl-z ctrl-7"),
            ("\x08", "backspace"),
            ("\x1b", "esc"),
            ("\x1b\x1b", "esc esc"),
            ("\x1bj\x1bJ\x1b\r", "alt-j alt-J alt-enter"),
            ("\x1b\x1b[A", "esc up"),
            ("\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F", "up down right left home end"),
            ("\x1bOA\x1bOP\x1bOS\x1bOM", "up f1 f4 enter"),
            ("\x1b[1;5C\x1b[1;2D\x1b[1;3A", "ctrl-right shift-left alt-up"),
            ("\x1b[5~\x1b[6~\x1b[3~\x1b[2~\x1b[1~\x1b[4~\x1b[7~\x1b[8~", "pgup pgdn delete insert home end home end"),
            ("\x1b[3;5~", "ctrl-delete"),
            ("\x1b[11~\x1b[15~\x1b[17~\x1b[21~\x1b[24~", "f1 f5 f6 f10 f12"),
            ("\x1b[[A\x1b[[E", "f1 f5"),
            ("\x1b[Z", "backtab"),
            ("\x1b[13;2u\x1b[27u\x1b[9u\x1b[127u", "shift-enter esc tab backspace"),
            ("\x1b[106;5u\x1b[97;4u\x1b[97;5:1u", "ctrl-j alt-A ctrl-a"),
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
                let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                // An escape at the end of what comes at once is the key.
                if pieces[..2].iter().any(|piece| piece == b"j\x1b") {
                    continue;
                }
                let (events, decoder) = decoded(&pieces);
                assert_eq!(decoder.patience(), None);
                assert_eq!(named(&events), want, "{first} {second}");
            }
        }
    }

    #[test]
    fn a_paste_without_an_end_is_there_after_a_while_and_keys_are_keys_again() {
        let (mut events, mut decoder) = decoded(&[b"\x1b[200~half a", b" text\x1b[20"]);
        assert_eq!((events.len(), decoder.patience()), (0, Some(PASTE_PATIENCE)));
        decoder.give_up(&mut events);
        assert_eq!(events, [Event::Paste("half a text\x1b[20".to_owned())]);
        assert_eq!(decoder.patience(), None);
        decoder.feed(b"q", &mut events);
        assert_eq!(events[1..], [pressed(Code::Char('q'))]);
        // What comes late, and in a piece that nobody types, is no key: nor is what stands before the end.
        for late in ["and so it goes on, for more than one line of it".to_owned(), "q!\x1b[201~".to_owned()] {
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
    fn a_sequence_that_does_not_go_on_keeps_no_key() {
        for (begun, want) in
            [("\x1b[", "alt-[ j"), ("\x1bO", "alt-O j"), ("\x1b[1;", "j"), ("\x1b[M ", "j"), ("\x1b[<0;1", "j")]
        {
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
                Just(ESC), Just(b'['), Just(b'O'), Just(b'M'), Just(b'<'), Just(b'2'), Just(b'0'), Just(b'1'), Just(b'~'), Just(b';'), any::<u8>(),
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
                "j", "é", "漢", "\x1b[A", "\x1b[1;5C", "\x1b[<0;5;4M", "\x1b[13;2u", "\x1b[200~a\x1bb\x1b[201~", "\x1bj", "\r",
            ]), 1..6),
            cut in 0usize..64,
        ) {
            let bytes = keys.concat().into_bytes();
            let cut = cut.min(bytes.len());
            prop_assume!(cut == 0 || bytes[cut - 1] != ESC);
            let (whole, _) = decoded(&[&bytes]);
            let (cut, _) = decoded(&[&bytes[..cut], &bytes[cut..]]);
            prop_assert_eq!(whole, cut);
        }
    }
}
