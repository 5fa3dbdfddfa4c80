//! Whether the terminal's background is light: asked once, and answered among the keys whenever that comes. Pure.
//!
//! Nobody waits long for the answer, and what reads as keys of it is put together again here, so that one that is
//! late over a slow line types nothing.

use super::colour::Colour;
use super::input::Event;
use super::key::{Code, Key};

/// The question (OSC 11).
pub const QUESTION: &str = "\x1b]11;?\x1b\\";
/// What the answer begins with, behind ESC ].
const HEAD: &str = "11;";
/// No answer is longer.
const LONGEST: usize = 40;

/// Whether a terminal that calls itself `term` takes the question for one. `is_tmux`: it is tmux, whatever it says.
#[must_use]
pub fn is_worth_asking(term: Option<&str>, is_tmux: bool) -> bool {
    match term {
        None | Some("" | "dumb" | "linux") => false,
        Some(term) => is_tmux || !["screen", "eterm"].iter().any(|name| term.starts_with(name)),
    }
}

/// Listens for the answer.
#[derive(Debug, Default)]
pub struct Listener {
    is_due: bool,
    /// What may be the beginning of the answer.
    held: Vec<Event>,
}

/// What events come to that begin with the one that begins an answer.
enum Heard {
    /// So many of them are the answer, which says this.
    Answer(usize, String),
    /// They may be the beginning of one.
    Beginning,
    /// They are keys.
    Keys,
}

impl Listener {
    /// Listen, if the question was asked.
    #[must_use]
    pub fn new(is_asked: bool) -> Self {
        Self { is_due: is_asked, held: Vec::new() }
    }

    /// The events without the answer; in its place stands what it says, if it says something.
    pub fn sift(&mut self, batch: Vec<Event>) -> Vec<Event> {
        if !self.is_due {
            return batch;
        }
        let mut events = std::mem::take(&mut self.held);
        events.extend(batch);
        for start in (0..events.len()).filter(|at| is_introducer(&events[*at])).collect::<Vec<_>>() {
            match hear(&events[start + 1..]) {
                Heard::Answer(len, text) => {
                    self.is_due = false;
                    let said = colour(&text).map(|ground| Event::Background { is_light: is_light(ground) });
                    events.splice(start..start + 1 + len, said);
                    return events;
                }
                Heard::Beginning => {
                    self.held = events.split_off(start);
                    return events;
                }
                Heard::Keys => {}
            }
        }
        events
    }
}

/// ESC ] reads as alt-].
fn is_introducer(event: &Event) -> bool {
    matches!(event, Event::Key(key) if key.code() == Code::Char(']') && key.modifiers().alt)
}

fn hear(events: &[Event]) -> Heard {
    let mut text = String::new();
    for (index, event) in events.iter().enumerate() {
        let Event::Key(key) = event else { return Heard::Keys };
        if is_end(*key) {
            return if text.starts_with(HEAD) { Heard::Answer(index + 1, text) } else { Heard::Keys };
        }
        let Some(c) = key.text().filter(|c| c.is_ascii_alphanumeric() || ":;/".contains(*c)) else {
            return Heard::Keys;
        };
        text.push(c);
        let is_like_one = if text.len() < HEAD.len() { HEAD.starts_with(&text) } else { text.starts_with(HEAD) };
        if !is_like_one || text.len() > LONGEST {
            return Heard::Keys;
        }
    }
    Heard::Beginning
}

/// BEL, or ESC \.
fn is_end(key: Key) -> bool {
    let modifiers = key.modifiers();
    match key.code() {
        Code::Char('g') => modifiers.ctrl,
        Code::Char('\\') => modifiers.alt,
        _ => false,
    }
}

/// The colour in `11;rgb:rrrr/gggg/bbbb`, of one to four digits each; an alpha behind them does not matter.
fn colour(text: &str) -> Option<Colour> {
    let (_, parts) = text.strip_prefix(HEAD)?.split_once(':')?;
    let mut parts = parts.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        u8::try_from(u32::from_str_radix(digits, 16).ok()? * 255 / most).ok()
    });
    Some(Colour::Rgb(parts.next()??, parts.next()??, parts.next()??))
}

/// Whether black is read better on it than white.
fn is_light(ground: Colour) -> bool {
    Colour::Rgb(0, 0, 0).contrast(ground) > Colour::Rgb(255, 255, 255).contrast(ground)
}

#[cfg(test)]
mod tests {
    use super::super::decode::Decoder;
    use super::*;

    fn events(bytes: &str) -> Vec<Event> {
        read(&mut Decoder::default(), bytes.as_bytes())
    }

    fn read(decoder: &mut Decoder, bytes: &[u8]) -> Vec<Event> {
        let mut events = Vec::new();
        decoder.feed(bytes, &mut events);
        events
    }

    #[test]
    fn the_answer_is_taken_out_wherever_it_stands_and_however_it_is_cut() {
        for (answer, is_light) in [
            ("\x1b]11;rgb:0000/0000/0000\x07", Some(false)),
            ("\x1b]11;rgb:ffff/ffff/ffff\x1b\\", Some(true)),
            ("\x1b]11;rgba:fd/f6/e3/ff\x1b\\", Some(true)),
            ("\x1b]11;rgb:0/2b/36\x07", Some(false)),
            ("\x1b]11;?\x07", None),
            ("\x1b]11;rgb:x/y\x07", None),
        ] {
            let bytes = format!("ju{answer}vq");
            let said = is_light.map(|is_light| Event::Background { is_light });
            let expected: Vec<Event> = events("ju").into_iter().chain(said).chain(events("vq")).collect();
            for cut in 0..=bytes.len() {
                let (mut decoder, mut listener) = (Decoder::default(), Listener::new(true));
                let (first, second) = bytes.as_bytes().split_at(cut);
                let mut got = listener.sift(read(&mut decoder, first));
                got.extend(listener.sift(read(&mut decoder, second)));
                // `?` is no part of an answer: those keys stay what they are.
                assert_eq!(
                    got,
                    if answer.contains('?') { events(&bytes) } else { expected.clone() },
                    "{answer:?} at {cut}"
                );
            }
        }
    }

    #[test]
    fn keys_are_never_held_longer_than_until_the_next_one() {
        let mut listener = Listener::new(true);
        assert_eq!(listener.sift(events("\x1b]")), []);
        assert_eq!(listener.sift(events("j")), events("\x1b]j"));
        assert_eq!(listener.sift(events("\x1b]11")), []);
        assert_eq!(listener.sift(vec![Event::Focus(true)]), [events("\x1b]11"), vec![Event::Focus(true)]].concat());
        assert_eq!(listener.sift(events(&format!("\x1b]11;{}", "0".repeat(60)))).len(), 64);
        assert_eq!(Listener::new(false).sift(events("\x1b]11;rgb:0/0/0\x07")).len(), 14, "nobody has asked");
    }

    #[test]
    fn not_everything_is_asked() {
        for (term, is_tmux, expected) in [
            (Some("xterm-256color"), false, true),
            (Some("screen-256color"), true, true),
            (Some("screen-256color"), false, false),
            (Some("dumb"), false, false),
            (Some("linux"), false, false),
            (None, true, false),
        ] {
            assert_eq!(is_worth_asking(term, is_tmux), expected, "{term:?}");
        }
    }
}
