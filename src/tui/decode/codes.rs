//! What the numbers and letters in the sequences of a terminal stand for: keys, modifiers, the mouse, the focus.

use super::super::input::{Event, MouseAction};
use super::super::key::{Code, Modifiers};
use super::with;

/// What the sequence with these parameters and this last byte is.
pub(super) fn sequence(parameters: &[u8], last: u8) -> Option<Event> {
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
pub(super) fn modifiers(mask: &str) -> Option<Modifiers> {
    let held = if mask.is_empty() { 0 } else { mask.parse::<u16>().ok()?.saturating_sub(1) };
    let is_ours = held & 0b11_1000 == 0;
    is_ours.then_some(Modifiers { shift: held & 1 > 0, alt: held & 2 > 0, ctrl: held & 4 > 0 })
}

/// The keys that have a letter, with and without parameters before it.
pub(super) fn letter(last: u8) -> Option<Code> {
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
