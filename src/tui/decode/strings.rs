//! The strings that terminals send: an introducer, text, and an end. They are answers to questions, of which the program
//! asks one; whoever else has asked, none of it is typed. Each introducer is a key with alt too, and what follows it may be
//! typed ahead, so that what no terminal says, and has no end, is keys.

use super::super::background;
use super::super::input::Event;
use super::{ESC, Read};

/// What introduces a string behind an escape: an OSC, a DCS, an APC, a PM or a SOS.
pub(super) const INTRODUCERS: &[u8] = b"]P_^X";
/// What has no end by then, and is like no answer, is no string.
const LONGEST: usize = 1024;
const BEL: u8 = 0x07;

/// How the text of a string goes on.
pub(super) enum Text {
    /// So many bytes of it, and then others that end it.
    Ends(usize, usize),
    /// So many bytes of it, and then something else: its end was lost.
    Breaks(usize),
    /// It goes on behind all that has come.
    GoesOn,
}

/// The text of a string at the beginning of `bytes`.
pub(super) fn text(bytes: &[u8]) -> Text {
    let is_control = |byte: &u8| *byte < b' ' || *byte == 0x7f;
    let Some(len) = bytes.iter().position(is_control) else { return Text::GoesOn };
    match bytes[len..] {
        [BEL, ..] => Text::Ends(len, 1),
        [ESC, b'\\', ..] => Text::Ends(len, 2),
        [ESC] => Text::GoesOn,
        _ => Text::Breaks(len),
    }
}

/// What `ESC introducer bytes` begins with.
pub(super) fn read(introducer: u8, bytes: &[u8]) -> Read {
    let is_answer = is_answer(introducer, bytes);
    match text(&bytes[..bytes.len().min(LONGEST)]) {
        Text::Ends(len, end) => {
            let said = (introducer == b']').then(|| background::answered(&bytes[..len])).flatten();
            Read::Whole(len + end, said.map(|is_light| Event::Background { is_light })).plus(2)
        }
        Text::Breaks(len) if is_answer => Read::Whole(len, None).plus(2),
        Text::GoesOn if bytes.len() < LONGEST => Read::Beginning,
        Text::GoesOn if is_answer => Read::String(2),
        Text::Breaks(_) | Text::GoesOn => Read::Whole(2, Some(super::alt(introducer))),
    }
}

/// Whether `text` begins like what terminals answer, and nobody types: an OSC with its number, a status or a name by DCS,
/// what became of a picture.
pub(super) fn is_answer(introducer: u8, text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (introducer, &text[digits..]) {
        (b']', [b';', ..]) | (b'P', [b'$' | b'+' | b'!', b'a'..=b'z', ..]) => digits > 0,
        (b'P', [b'>' | b'!', b'|', ..]) | (b'_', [b'G', b'a'..=b'z' | b'A'..=b'Z', b'=', ..]) => digits == 0,
        _ => false,
    }
}
