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
/// The same for an escape alone, which most often is the key: no longer than a line takes to bring what was cut behind it.
const ESC_PATIENCE: Duration = Duration::from_millis(50);
/// The same for a paste, since what comes too late of it would be keys.
const PASTE_PATIENCE: Duration = Duration::from_secs(2);
/// No sequence has more behind its introducer.
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
    Begun {
        text: Vec<u8>,
        /// It goes on behind a pause, and another one may begin where its end is still missing.
        is_late: bool,
    },
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
        let joined = [std::mem::take(&mut self.held).as_slice(), bytes].concat();
        let mut rest = joined.as_slice();
        if self.paste == Paste::GivenUp {
            self.paste = after_pause(rest);
        }
        while !rest.is_empty() {
            if let Paste::Begun { .. } = self.paste {
                rest = self.paste_on(rest, events);
            } else if let Some(pasted) = rest.strip_prefix(PASTE_BEGIN) {
                self.paste = Paste::Begun { text: Vec::new(), is_late: false };
                rest = pasted;
            } else {
                match read(rest) {
                    Read::Whole(len, event) => {
                        events.extend(event);
                        rest = &rest[len..];
                    }
                    Read::Beginning => {
                        self.held = rest.to_vec();
                        break;
                    }
                }
            }
        }
        // The key comes alone. At the end of more, a read may have cut a sequence behind it.
        if bytes == [ESC] && self.held == [ESC] {
            self.give_up(events);
        }
    }

    /// Read as far as the paste ends, or another one begins; what follows comes back.
    fn paste_on<'a>(&mut self, bytes: &'a [u8], events: &mut Vec<Event>) -> &'a [u8] {
        let Paste::Begun { text, is_late } = &mut self.paste else { return bytes };
        let before = text.len();
        // Its end may have begun there.
        let start = before.saturating_sub(PASTE_END.len() - 1);
        text.extend_from_slice(bytes);
        let next = find(&text[start..], PASTE_BEGIN).filter(|_| *is_late);
        let end = find(&text[start..], PASTE_END);
        let Some(at) = next.into_iter().chain(end).min().map(|at| start + at) else { return &[] };
        let rest = &bytes[at + PASTE_END.len() - before..];
        text.truncate(at);
        let is_next = next.is_some_and(|next| start + next == at);
        self.end_paste(if is_next { Paste::Begun { text: Vec::new(), is_late: false } } else { Paste::None }, events);
        rest
    }

    /// How long to wait for more before [`Decoder::give_up`]; `None` when nothing has begun.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        match (&self.paste, self.held.as_slice()) {
            (Paste::Begun { .. }, _) => Some(PASTE_PATIENCE),
            (_, []) => None,
            (_, [ESC]) => Some(ESC_PATIENCE),
            _ => Some(PATIENCE),
        }
    }

    /// Nothing has come for so long: what has begun ends here. Of a paste all that has come is there.
    pub fn give_up(&mut self, events: &mut Vec<Event>) {
        self.end_paste(Paste::GivenUp, events);
        match std::mem::take(&mut self.held).as_slice() {
            [ESC] => events.push(pressed(Code::Esc)),
            [ESC, c @ (b'[' | b'O')] => events.push(alt(*c)),
            // The rest of a sequence that was cut would type what nobody has typed.
            _ => {}
        }
    }

    fn end_paste(&mut self, then: Paste, events: &mut Vec<Event>) {
        if let Paste::Begun { text, .. } = &self.paste {
            let text = String::from_utf8_lossy(text).into_owned();
            events.extend((!text.is_empty()).then_some(Event::Paste(text)));
            self.paste = then;
        }
    }
}

/// What a paste that was given up is now that these bytes have come. Only what stands before the first escape can be more
/// of it, or before its end: what terminals report comes in long pieces too.
fn after_pause(bytes: &[u8]) -> Paste {
    let before_next = &bytes[..find(bytes, PASTE_BEGIN).unwrap_or(bytes.len())];
    let plain = before_next.iter().take_while(|byte| **byte != ESC).count();
    if plain > TYPED_AT_ONCE || find(before_next, PASTE_END).is_some() {
        Paste::Begun { text: Vec::new(), is_late: true }
    } else if plain > 0 {
        Paste::None
    } else {
        Paste::GivenUp
    }
}

fn find(bytes: &[u8], marker: &[u8]) -> Option<usize> {
    bytes.windows(marker.len()).position(|window| window == marker)
}

/// What the first of `bytes` are, of which there is one at least.
fn read(bytes: &[u8]) -> Read {
    match bytes {
        [ESC] | [ESC, b'[' | b'O'] => Read::Beginning,
        [ESC, b'[', rest @ ..] => control_sequence(rest).plus(2),
        [ESC, b'O', rest @ ..] => single_shift(rest).plus(2),
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
            let end = bytes.iter().take(LONGEST).take_while(|byte| (0x20..=0x3f).contains(*byte)).count();
            match bytes.get(end) {
                _ if end == LONGEST => Read::Whole(end, None),
                None => Read::Beginning,
                Some(last @ 0x40..=0x7e) => Read::Whole(end + 1, sequence(&bytes[..end], *last)),
                // What follows is the beginning of something else, and the key was typed.
                Some(_) if end == 0 => Read::Whole(0, Some(alt(b'['))),
                Some(_) => Read::Whole(end, None),
            }
        }
    }
}

/// What follows `ESC O`: keys in their older form, where the last parameter says the modifiers.
fn single_shift(bytes: &[u8]) -> Read {
    let is_parameter = |byte: &&u8| matches!(**byte, b'0'..=b'9' | b';');
    let end = bytes.iter().take(LONGEST).take_while(is_parameter).count();
    match bytes.get(end) {
        _ if end == LONGEST => Read::Whole(end, None),
        None => Read::Beginning,
        Some(last @ 0x20..=0x7e) => {
            let mask = std::str::from_utf8(&bytes[..end]).unwrap_or_default().rsplit(';').next().unwrap_or_default();
            let code = if *last == b'M' { Some(Code::Enter) } else { letter(*last) };
            Read::Whole(end + 1, code.zip(modifiers(mask)).map(|(code, modifiers)| with(code, modifiers)))
        }
        // As above.
        Some(_) if end == 0 => Read::Whole(0, Some(alt(b'O'))),
        Some(_) => Read::Whole(end, None),
    }
}

/// What the sequence with these parameters and this last byte is.
fn sequence(parameters: &[u8], last: u8) -> Option<Event> {
    if let (Some(report), b'M' | b'm') = (parameters.strip_prefix(b"<"), last) {
        return mouse(report, last == b'm');
    }
    match (parameters, last) {
        ([], b'I') => return Some(Event::Focus(true)),
        ([], b'O') => return Some(Event::Focus(false)),
        _ => {}
    }
    let text = std::str::from_utf8(parameters).ok()?;
    let mut parameters = text.split(';');
    // Behind a colon stand the key as other layouts have it, and whether it goes down or up.
    let number = parameters.next()?.split(':').next()?;
    let mut second = parameters.next().unwrap_or_default().split(':');
    let (mask, kind) = (second.next()?, second.next());
    if kind == Some("3") {
        return None;
    }
    let third = parameters.next();
    let code = match (last, number, third) {
        // As xterm has keys that would be none otherwise, and tmux after it.
        (b'~', "27", Some(character)) => unicode(character.parse().ok()?),
        (b'~', number, _) => numbered(number.parse().ok()?),
        (b'u', number, _) => unicode(number.parse().ok()?),
        (last, "" | "1", None) => letter(last),
        _ => None,
    };
    Some(with(code?, modifiers(mask)?))
}

/// The modifiers that a parameter says, which is one more than the sum of theirs. Combinations with super, hyper and meta
/// belong to the desktop; locks do not matter.
fn modifiers(mask: &str) -> Option<Modifiers> {
    let held = if mask.is_empty() { 0 } else { mask.parse::<u16>().ok()?.saturating_sub(1) };
    let is_ours = held & 0b11_1000 == 0;
    is_ours.then_some(Modifiers { shift: held & 1 > 0, alt: held & 2 > 0, ctrl: held & 4 > 0 })
}

/// The keys that have a letter, with and without parameters before it.
fn letter(last: u8) -> Option<Code> {
    match last {
        b'A' => Some(Code::Up),
        b'B' => Some(Code::Down),
        b'C' => Some(Code::Right),
        b'D' => Some(Code::Left),
        b'H' => Some(Code::Home),
        b'F' => Some(Code::End),
        b'Z' => Some(Code::BackTab),
        // The third of them with a modifier also says where the cursor is, which nobody asks.
        b'P'..=b'S' => Some(Code::F(last - b'P' + 1)),
        _ => None,
    }
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
        57376..=57398 => return u8::try_from(number - 57376).ok().map(|nth| Code::F(13 + nth)),
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

fn alt(c: u8) -> Event {
    with(Code::Char(char::from(c)), Modifiers { alt: true, ..Modifiers::default() })
}

fn pressed(code: Code) -> Event {
    with(code, Modifiers::default())
}

fn with(code: Code, modifiers: Modifiers) -> Event {
    Event::Key(Key::new(code, modifiers))
}

#[cfg(test)]
mod tests;
