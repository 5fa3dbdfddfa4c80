//! The bytes that a terminal sends, as keys and what else it reports. Pure.
//!
//! They are read here, and not by the library that reads them elsewhere, because nothing in a stream of bytes may keep the
//! keyboard for ever: a paste whose end is lost on the way, or the beginning of a sequence that never goes on. Whoever feeds
//! the bytes says when none have come for a while. The sequences are those of xterm and of kitty's protocol for keyboards, as
//! far as they are asked for: keys without ambiguity, the mouse by SGR, bracketed paste, the focus, the colour of the
//! background. Without a pause it does not matter where the bytes are cut, and what a terminal says else is no key.

use std::time::Duration;

use super::input::Event;
use super::key::{Code, Key, Modifiers};
use codes::{letter, modifiers, sequence};
use strings::{INTRODUCERS, Text};

mod codes;
mod strings;

/// How long what has begun is waited for.
const PATIENCE: Duration = Duration::from_millis(500);
/// The same for what most often is a key, an escape or the introducer of a string: no longer than a line takes to bring
/// what was cut behind it, and too short to be felt.
const KEY_PATIENCE: Duration = Duration::from_millis(50);
/// The same for a paste, since what comes too late of it would be keys.
const PASTE_PATIENCE: Duration = Duration::from_secs(2);
/// No sequence has more behind its introducer.
const LONGEST: usize = 64;
const PASTE_BEGIN: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";
const ESC: u8 = 0x1b;

/// Reads bytes as they come.
#[derive(Debug, Default)]
pub struct Decoder {
    /// The beginning of a sequence, or of a character.
    held: Vec<u8>,
    within: Within,
    /// The terminal sends a sequence for the key esc, so that an escape alone never is that key.
    tells_esc: bool,
}

/// What the next bytes stand in.
#[derive(Debug, Default, PartialEq, Eq)]
enum Within {
    #[default]
    Nothing,
    /// A paste, with its text as far as it has come.
    Paste {
        text: Vec<u8>,
        /// It goes on behind a pause, and another one may begin where its end is still missing.
        is_late: bool,
    },
    /// A paste whose end has not come in time, or only so many bytes of it: what comes in one piece of several characters
    /// belongs to it still.
    LatePaste(usize),
    /// A string that is none of the program's business.
    String,
    /// A string whose end has not come in time: as above.
    LateString,
    /// Behind a pause that has ended this beginning of a sequence: what only a terminal sends belongs to it still.
    Late(Vec<u8>),
}

/// What a few bytes are.
enum Read {
    /// So many of them are this, or nothing that matters here.
    Whole(usize, Option<Event>),
    /// So many of them begin a string that is none of the program's business.
    String(usize),
    /// They begin something.
    Beginning,
}

impl Decoder {
    /// Read what has come at once; what it is goes to `events`.
    pub fn feed(&mut self, bytes: &[u8], events: &mut Vec<Event>) {
        let mut joined = [std::mem::take(&mut self.held).as_slice(), bytes].concat();
        match &self.within {
            Within::LatePaste(begun) => {
                let whole = [&PASTE_END[..*begun], &joined].concat();
                if whole.starts_with(PASTE_END) {
                    joined = whole;
                }
                self.within = paste_after_pause(&joined);
            }
            Within::LateString => self.within = string_after_pause(&joined),
            Within::Late(begun) => {
                let whole = [begun, joined.as_slice()].concat();
                if goes_on(begun, &whole) {
                    joined = whole;
                }
                self.within = Within::Nothing;
            }
            Within::Nothing | Within::Paste { .. } | Within::String => {}
        }
        self.read_on(&joined, events);
    }

    fn read_on(&mut self, mut rest: &[u8], events: &mut Vec<Event>) {
        while !rest.is_empty() {
            if let Within::Paste { .. } = self.within {
                rest = self.paste_on(rest, events);
            } else if self.within == Within::String {
                rest = self.string_on(rest);
            } else if let Some(pasted) = rest.strip_prefix(PASTE_BEGIN) {
                self.within = Within::Paste { text: Vec::new(), is_late: false };
                rest = pasted;
            } else {
                match read(rest) {
                    Read::Whole(len, event) => {
                        let is_esc = matches!(&event, Some(Event::Key(key)) if key.code() == Code::Esc);
                        self.tells_esc |= is_esc && rest[..len].ends_with(b"u");
                        events.extend(event);
                        rest = &rest[len..];
                    }
                    Read::String(len) => {
                        self.within = Within::String;
                        rest = &rest[len..];
                    }
                    Read::Beginning => {
                        self.held = rest.to_vec();
                        return;
                    }
                }
            }
        }
    }

    /// Read as far as the paste ends, or another one begins; what follows comes back.
    fn paste_on<'a>(&mut self, bytes: &'a [u8], events: &mut Vec<Event>) -> &'a [u8] {
        let Within::Paste { text, is_late } = &mut self.within else { return bytes };
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
        self.end_paste(
            if is_next { Within::Paste { text: Vec::new(), is_late: false } } else { Within::Nothing },
            events,
        );
        rest
    }

    fn end_paste(&mut self, then: Within, events: &mut Vec<Event>) {
        if let Within::Paste { text, .. } = &self.within {
            let text = String::from_utf8_lossy(text).into_owned();
            events.extend((!text.is_empty()).then_some(Event::Paste(text)));
            self.within = then;
        }
    }

    /// Read as far as the string ends; what follows comes back.
    fn string_on<'a>(&mut self, bytes: &'a [u8]) -> &'a [u8] {
        match strings::text(bytes) {
            Text::Ends(len, end) => {
                self.within = Within::Nothing;
                &bytes[len + end..]
            }
            Text::Breaks(len) => {
                self.within = Within::Nothing;
                &bytes[len..]
            }
            Text::GoesOn => {
                // With the next byte, that may be its end.
                self.held.extend(bytes.last().filter(|last| **last == ESC));
                &[]
            }
        }
    }

    /// How long to wait for more before [`Decoder::give_up`]; `None` when nothing has begun.
    #[must_use]
    pub fn patience(&self) -> Option<Duration> {
        match (&self.within, self.held.as_slice()) {
            (Within::Paste { .. }, _) => Some(PASTE_PATIENCE),
            (Within::String, []) => Some(KEY_PATIENCE),
            (Within::String, _) => Some(PATIENCE),
            (_, []) => None,
            (_, [ESC]) if !self.tells_esc => Some(KEY_PATIENCE),
            (_, [ESC, introducer, text @ ..]) if INTRODUCERS.contains(introducer) => {
                let is_nearly_over = text.ends_with(&[ESC]) && strings::is_answer(*introducer, text);
                Some(if is_nearly_over { PATIENCE } else { KEY_PATIENCE })
            }
            _ => Some(PATIENCE),
        }
    }

    /// Nothing has come for so long: what has begun ends here. Of a paste all that has come is there.
    pub fn give_up(&mut self, events: &mut Vec<Event>) {
        if let Within::Paste { text, .. } = &mut self.within {
            let begun = (1..PASTE_END.len()).rev().find(|len| text.ends_with(&PASTE_END[..*len])).unwrap_or(0);
            text.truncate(text.len() - begun);
            self.end_paste(Within::LatePaste(begun), events);
        }
        let held = std::mem::take(&mut self.held);
        if self.within == Within::String {
            self.within = Within::LateString;
            return;
        }
        match held.as_slice() {
            [ESC] => {
                events.push(pressed(Code::Esc));
                self.end_late(held);
            }
            [ESC, c @ (b'[' | b'O')] => {
                events.push(alt(*c));
                self.end_late(held);
            }
            [ESC, introducer, text @ ..] if INTRODUCERS.contains(introducer) => {
                if strings::is_answer(*introducer, text) {
                    self.within = Within::LateString;
                } else {
                    events.push(alt(*introducer));
                    self.within = Within::Nothing;
                    if text.is_empty() {
                        self.end_late(held);
                    } else {
                        self.read_on(text, events);
                        self.give_up(events);
                    }
                }
            }
            // The rest of a sequence that was cut would type what nobody has typed.
            _ => self.end_late(held),
        }
    }

    /// What has begun so is given up, and may go on.
    fn end_late(&mut self, begun: Vec<u8>) {
        if begun.first() == Some(&ESC) && !matches!(self.within, Within::LatePaste(_)) {
            self.within = Within::Late(begun);
        }
    }
}

/// Whether `whole` is what has `begun` before a pause, and no key typed behind it: what only a terminal sends, of a sequence
/// with parameters the rest in several characters at once, or all that an escape lacked to be another key.
fn goes_on(begun: &[u8], whole: &[u8]) -> bool {
    let has_parameters = begun.starts_with(b"\x1b[") && begun.len() > 2;
    let is_rest = || matches!(read(whole), Read::Whole(len, _) if len > begun.len() + 1);
    // A slow line may bring the rest of a key later than an escape is waited for; it comes in one piece, and nothing else
    // does that before the next escape.
    let is_key = || {
        let is_cut = begun == [ESC] && matches!(whole, [ESC, b'[' | b'O', ..]);
        let ends = |len: usize| len > 2 && whole.get(len).is_none_or(|next| *next == ESC);
        is_cut && matches!(read(whole), Read::Whole(len, Some(Event::Key(_))) if ends(len))
    };
    whole.starts_with(PASTE_BEGIN) || if has_parameters { is_rest() } else { is_key() || is_only_sent(whole) }
}

/// What a paste that was given up is now that these bytes have come. Only what stands before the first escape can be more
/// of it, or before its end: what terminals report comes in long pieces too. More than one character at once counts as
/// pasted: keys that were typed so fast are shown as such, and pasted text that is taken for keys does what they do.
fn paste_after_pause(bytes: &[u8]) -> Within {
    let before_next = &bytes[..find(bytes, PASTE_BEGIN).unwrap_or(bytes.len())];
    let plain = plain(before_next);
    if plain > 1 || find(before_next, PASTE_END).is_some() {
        Within::Paste { text: Vec::new(), is_late: true }
    } else if plain > 0 {
        Within::Nothing
    } else {
        Within::LatePaste(0)
    }
}

/// The same of a string, which has no control character but in its end.
fn string_after_pause(bytes: &[u8]) -> Within {
    match strings::text(bytes) {
        Text::Ends(..) => Within::String,
        Text::GoesOn if bytes == [ESC] => Within::LateString,
        Text::GoesOn if plain(bytes) > 1 => Within::String,
        Text::GoesOn | Text::Breaks(_) => Within::Nothing,
    }
}

/// Whether nobody types `bytes` at once: a paste, whose text would be commands, what the mouse does, or an answer.
fn is_only_sent(bytes: &[u8]) -> bool {
    let is_mouse = |report: &[u8]| {
        let digits = report.iter().take_while(|byte| byte.is_ascii_digit()).count();
        digits > 0 && report.get(digits) == Some(&b';')
    };
    match bytes {
        [ESC, b'[', b'<', report @ ..] => is_mouse(report),
        [ESC, b'[', b'?', first, ..] => first.is_ascii_digit(),
        [ESC, introducer, text @ ..] if INTRODUCERS.contains(introducer) => strings::is_answer(*introducer, text),
        _ => bytes.starts_with(PASTE_BEGIN),
    }
}

/// How many characters stand before the first escape.
fn plain(bytes: &[u8]) -> usize {
    let is_begun = |byte: &&u8| **byte & 0xc0 != 0x80;
    bytes.iter().take_while(|byte| **byte != ESC).filter(is_begun).count()
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
        [ESC, introducer, rest @ ..] if INTRODUCERS.contains(introducer) => strings::read(*introducer, rest),
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
            Self::String(len) => Self::String(len + before),
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
        c @ 0x1c..=0x1f => ctrl(c + b'@'),
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
