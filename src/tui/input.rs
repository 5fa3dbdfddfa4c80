//! What a terminal reports, in the program's own words; and what that is in those of the terminal library, which reads it
//! where [`decode`](super::decode) does not. Nothing behind this module knows that library.
//!
//! Releases of keys, keys that only modify, and combinations that belong to the desktop are dropped here.

use crossterm::event::{Event as Raw, KeyCode, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind};

use super::key::{Code, Key, Modifiers};

/// Something a reader, or the terminal, has done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A key was pressed, or is held down.
    Key(Key),
    /// Text was pasted; never to be taken for keys.
    Paste(String),
    /// The mouse did something at a cell.
    Mouse {
        /// What.
        action: MouseAction,
        /// The column, from 0.
        column: u16,
        /// The row, from 0.
        row: u16,
    },
    /// The window has a new size.
    Resize {
        /// Its columns.
        columns: u16,
        /// Its rows.
        rows: u16,
    },
    /// The window has got the keyboard, or lost it.
    Focus(bool),
    /// The terminal says what its background is like.
    Background {
        /// Whether black is read better on it than white.
        is_light: bool,
    },
}

/// What the mouse did. Buttons other than the left one are the terminal's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MouseAction {
    /// The left button went down.
    Press,
    /// The mouse moved with the left button down.
    Drag,
    /// The left button went up.
    Release,
    /// The wheel turned up.
    ScrollUp,
    /// The wheel turned down.
    ScrollDown,
    /// The wheel turned left.
    ScrollLeft,
    /// The wheel turned right.
    ScrollRight,
}

/// What `raw` means here, if it means anything.
#[must_use]
pub fn translate(raw: Raw) -> Option<Event> {
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
