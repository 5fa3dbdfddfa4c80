//! The laws of reading keys as a function that panics: on whatever bytes it is given, and whoever finds them.

use whymark::tui::decode::Decoder;
use whymark::tui::input::Event;
use whymark::tui::key::{Code, Key};

/// What must hold for what a terminal sends.
pub(crate) fn hold(input: &[u8]) {
    let whole = decoded([input]);
    for len in [1, 2, 3, 7, 64] {
        assert_eq!(decoded(input.chunks(len)), whole, "in pieces of {len} bytes");
    }
    // The same behind a paste whose end did not come; there what comes at once matters.
    let mut decoder = Decoder::default();
    let mut events = Vec::new();
    decoder.feed(b"\x1b[200~half", &mut events);
    decoder.give_up(&mut events);
    assert_eq!(events, [Event::Paste("half".to_owned())]);
    decoder.feed(input, &mut events);
    end(&mut decoder, &mut events);
}

fn decoded<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Event> {
    let (mut decoder, mut events) = (Decoder::default(), Vec::new());
    for piece in pieces {
        decoder.feed(piece, &mut events);
    }
    end(&mut decoder, &mut events);
    events
}

/// When nothing more comes, nothing is waited for and the next key is there. None types what a terminal obeys.
fn end(decoder: &mut Decoder, events: &mut Vec<Event>) {
    decoder.give_up(events);
    assert_eq!(decoder.patience(), None);
    let is_control =
        |event: &Event| matches!(event, Event::Key(key) if matches!(key.code(), Code::Char(c) if c.is_control()));
    assert!(!events.iter().any(is_control), "{events:?}");
    decoder.feed(b"j", events);
    assert_eq!(events.pop(), Some(Event::Key(Key::plain(Code::Char('j')))));
    // Nor does what a terminal says, whoever has asked.
    events.clear();
    for answer in ["\x1bP>|XTerm(370)\x1b\\", "\x1b]52;c;cQ==\x07", "\x1b_Gi=1;OK\x1b\\", "\x1b[?62;4c"] {
        let (first, second) = answer.as_bytes().split_at(5);
        decoder.feed(first, events);
        decoder.feed(second, events);
        assert_eq!((events.as_slice(), decoder.patience()), (&[][..], None), "{answer:?}");
    }
}
