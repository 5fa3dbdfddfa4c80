//! Keys as the terminal library reads them, where the terminal is no stream of bytes: in the program's own words.
//!
//! Releases of keys, keys that only modify, and combinations that belong to the desktop are dropped here.

use crossterm::event::{Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use super::super::input::{Event, MouseAction};
use super::super::key::{Code, Key, Modifiers};

/// What the terminal library reads.
#[cfg(not(unix))]
#[derive(Debug)]
pub(super) struct Library;

#[cfg(not(unix))]
impl Library {
    /// The console. It keeps nothing back that there could be haste for.
    pub(super) fn open() -> std::io::Result<(Self, Haste)> {
        Ok((Self, Haste))
    }

    /// Wait until something happens, and add it to `events` with what has happened besides.
    ///
    /// # Errors
    /// When the console cannot be read.
    pub(super) fn read(&mut self, events: &mut Vec<Event>) -> std::io::Result<()> {
        use crossterm::event;
        const MOST: usize = 256;
        events.extend(translate(event::read()?));
        while events.len() < MOST && event::poll(std::time::Duration::ZERO)? {
            events.extend(translate(event::read()?));
        }
        Ok(())
    }
}

/// As on Unix, where signals end the program.
#[cfg(not(unix))]
#[derive(Debug)]
pub(in crate::tui) struct Haste;

/// What `raw` means here, if it means anything.
fn translate(raw: Raw) -> Option<Event> {
    match raw {
        Raw::Key(event) => key(event).map(Event::Key),
        Raw::Paste(text) => (!text.is_empty()).then_some(Event::Paste(text)),
        Raw::Resize(columns, rows) => Some(Event::Resize { columns, rows }),
        Raw::FocusGained => Some(Event::Focus(true)),
        Raw::FocusLost => Some(Event::Focus(false)),
        // A terminal counts cells from 1, and the library takes 1 off: what this is, was a 0.
        Raw::Mouse(event) if event.column == u16::MAX || event.row == u16::MAX => None,
        Raw::Mouse(event) => {
            let action = match event.kind {
                MouseEventKind::Down(MouseButton::Left) => MouseAction::Press,
                MouseEventKind::Drag(MouseButton::Left) => MouseAction::Drag,
                MouseEventKind::Up(MouseButton::Left) => MouseAction::Release,
                MouseEventKind::ScrollUp => MouseAction::ScrollUp,
                MouseEventKind::ScrollDown => MouseAction::ScrollDown,
                MouseEventKind::ScrollLeft => MouseAction::ScrollLeft,
                MouseEventKind::ScrollRight => MouseAction::ScrollRight,
                MouseEventKind::Down(_) | MouseEventKind::Drag(_) | MouseEventKind::Up(_) | MouseEventKind::Moved => {
                    return None;
                }
            };
            Some(Event::Mouse { action, column: event.column, row: event.row })
        }
    }
}

fn key(event: KeyEvent) -> Option<Key> {
    let foreign = KeyModifiers::SUPER | KeyModifiers::HYPER | KeyModifiers::META;
    if event.kind == KeyEventKind::Release || event.modifiers.intersects(foreign) {
        return None;
    }
    let mut modifiers = Modifiers {
        ctrl: event.modifiers.contains(KeyModifiers::CONTROL),
        alt: event.modifiers.contains(KeyModifiers::ALT),
        shift: event.modifiers.contains(KeyModifiers::SHIFT),
    };
    let code = match event.code {
        KeyCode::Char('\r') | KeyCode::Enter => Code::Enter,
        KeyCode::Char('\t') | KeyCode::Tab => Code::Tab,
        KeyCode::Char('\u{1b}') | KeyCode::Esc => Code::Esc,
        KeyCode::Char('\u{7f}') | KeyCode::Backspace => Code::Backspace,
        KeyCode::Char('\n') => {
            modifiers.ctrl = true;
            Code::Char('j')
        }
        KeyCode::Null => {
            modifiers.ctrl = true;
            Code::Char(' ')
        }
        // Private code points are the numbers of keys that the terminal library has no name for.
        KeyCode::Char(c) if c.is_control() || matches!(c, '\u{E000}'..='\u{F8FF}') => return None,
        KeyCode::Char(c) => Code::Char(c),
        KeyCode::BackTab => Code::BackTab,
        KeyCode::Delete => Code::Delete,
        KeyCode::Insert => Code::Insert,
        KeyCode::Left => Code::Left,
        KeyCode::Right => Code::Right,
        KeyCode::Up => Code::Up,
        KeyCode::Down => Code::Down,
        KeyCode::Home => Code::Home,
        KeyCode::End => Code::End,
        KeyCode::PageUp => Code::PageUp,
        KeyCode::PageDown => Code::PageDown,
        KeyCode::F(number) => Code::F(number),
        KeyCode::CapsLock
        | KeyCode::ScrollLock
        | KeyCode::NumLock
        | KeyCode::PrintScreen
        | KeyCode::Pause
        | KeyCode::Menu
        | KeyCode::KeypadBegin
        | KeyCode::Media(_)
        | KeyCode::Modifier(_) => return None,
    };
    Some(Key::new(code, modifiers))
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyEventState, ModifierKeyCode, MouseEvent};

    use super::super::super::decode::Decoder;
    use super::*;

    fn pressed(code: KeyCode, modifiers: KeyModifiers) -> Option<String> {
        let event = translate(Raw::Key(KeyEvent::new(code, modifiers)))?;
        let Event::Key(key) = event else { panic!("{event:?}") };
        Some(key.to_string())
    }

    #[test]
    fn keys() {
        use KeyModifiers as M;
        for (code, modifiers, expected) in [
            (KeyCode::Char('j'), M::NONE, Some("j")),
            (KeyCode::Char('G'), M::SHIFT, Some("G")),
            (KeyCode::Char('g'), M::SHIFT, Some("G")),
            (KeyCode::Char('?'), M::SHIFT, Some("?")),
            (KeyCode::Char('d'), M::CONTROL, Some("ctrl-d")),
            (KeyCode::Char('i'), M::CONTROL, Some("tab")),
            (KeyCode::Char('m'), M::CONTROL, Some("enter")),
            (KeyCode::Char('h'), M::CONTROL, Some("backspace")),
            (KeyCode::Char('\n'), M::NONE, Some("ctrl-j")),
            (KeyCode::Tab, M::SHIFT, Some("backtab")),
            (KeyCode::BackTab, M::SHIFT, Some("backtab")),
            (KeyCode::Enter, M::ALT, Some("alt-enter")),
            (KeyCode::Null, M::NONE, Some("ctrl-space")),
            (KeyCode::Char('c'), M::SUPER, None),
            (KeyCode::Char('\u{e057}'), M::NONE, None),
            (KeyCode::Char('\u{1}'), M::NONE, None),
            (KeyCode::CapsLock, M::NONE, None),
            (KeyCode::Modifier(ModifierKeyCode::LeftShift), M::SHIFT, None),
        ] {
            assert_eq!(pressed(code, modifiers).as_deref(), expected, "{code:?} {modifiers:?}");
        }
    }

    #[test]
    fn keys_are_the_same_wherever_they_are_read() {
        use KeyCode::{
            BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Insert, Left, PageUp, Tab, Up,
        };
        use KeyModifiers as M;
        for (bytes, code, modifiers) in [
            ("j", Char('j'), M::NONE),
            ("G", Char('G'), M::SHIFT),
            ("é", Char('é'), M::NONE),
            ("\x04", Char('d'), M::CONTROL),
            ("\x1f", Char('7'), M::CONTROL),
            ("\x1b[106;5u", Char('j'), M::CONTROL),
            ("\x1bj", Char('j'), M::ALT),
            ("\x1b[97;4u", Char('a'), M::ALT.union(M::SHIFT)),
            ("\n", Char('\n'), M::NONE),
            ("\0", KeyCode::Null, M::NONE),
            ("\r", Enter, M::NONE),
            ("\x1b[13;2u", Enter, M::SHIFT),
            ("\x1b", Esc, M::NONE),
            ("\t", Tab, M::NONE),
            ("\x1b[9;2u", Tab, M::SHIFT),
            ("\x1b[Z", BackTab, M::SHIFT),
            ("\x7f", Backspace, M::NONE),
            ("\x1b[3;5~", Delete, M::CONTROL),
            ("\x1b[2~", Insert, M::NONE),
            ("\x1b[1;2D", Left, M::SHIFT),
            ("\x1b[A", Up, M::NONE),
            ("\x1bOB", Down, M::NONE),
            ("\x1b[H", Home, M::NONE),
            ("\x1b[4~", End, M::NONE),
            ("\x1b[5~", PageUp, M::NONE),
            ("\x1b[1;2R", F(3), M::SHIFT),
            ("\x1b[57398u", F(35), M::NONE),
            ("\x1b[99;9u", Char('c'), M::SUPER),
            ("\x1b[57441;2u", KeyCode::Modifier(ModifierKeyCode::LeftShift), M::SHIFT),
        ] {
            let (mut decoder, mut decoded) = (Decoder::default(), Vec::new());
            decoder.feed(bytes.as_bytes(), &mut decoded);
            decoder.give_up(&mut decoded);
            let translated = translate(Raw::Key(KeyEvent::new(code, modifiers)));
            assert_eq!(decoded, Vec::from_iter(translated), "{bytes:?}");
        }
    }

    #[test]
    fn a_release_is_nothing_and_a_repeat_is_a_press() {
        let event = |kind| KeyEvent { kind, state: KeyEventState::NONE, ..KeyCode::Char('j').into() };
        assert_eq!(translate(Raw::Key(event(KeyEventKind::Release))), None);
        assert!(translate(Raw::Key(event(KeyEventKind::Repeat))).is_some());
    }

    #[test]
    fn mouse_and_paste() {
        let mouse = |kind| {
            translate(Raw::Mouse(MouseEvent { kind, column: 3, row: 4, modifiers: KeyModifiers::NONE })).map(|event| {
                let Event::Mouse { action, column: 3, row: 4 } = event else { panic!("{event:?}") };
                action
            })
        };
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Left)), Some(MouseAction::Press));
        assert_eq!(mouse(MouseEventKind::ScrollDown), Some(MouseAction::ScrollDown));
        assert_eq!(mouse(MouseEventKind::Down(MouseButton::Right)), None);
        assert_eq!(mouse(MouseEventKind::Moved), None);
        let nowhere = |column, row| {
            let kind = MouseEventKind::Down(MouseButton::Left);
            translate(Raw::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
        };
        assert_eq!((nowhere(u16::MAX, 4), nowhere(3, u16::MAX)), (None, None));
        assert_eq!(translate(Raw::Paste("q\r".into())), Some(Event::Paste("q\r".into())));
        assert_eq!(translate(Raw::Paste(String::new())), None);
    }
}
