//! Text that is held small until somebody looks at it.

use std::ops::Deref;
use std::sync::OnceLock;

use bytes::Bytes;

/// Text that is packed until it is looked at for the first time, and as it is from then on.
#[derive(Debug, Clone)]
pub struct Held {
    len: usize,
    packed: Box<[u8]>,
    open: OnceLock<Bytes>,
}

impl Held {
    /// `text`, packed. What would hardly become smaller stays as it is.
    #[must_use]
    pub fn packed(text: &Bytes) -> Self {
        let packed = lz4_flex::block::compress(text);
        if packed.len() > text.len() / 2 {
            return Self::from(text.clone());
        }
        // A block of its own fills a gap; what is left of one for the worst case would be a gap itself.
        Self { len: text.len(), packed: packed.as_slice().into(), open: OnceLock::new() }
    }

    /// Whether it is packed, and nobody has looked at it yet.
    #[must_use]
    pub fn is_packed(&self) -> bool {
        self.open.get().is_none()
    }

    /// The number of bytes of the text.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no text.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text, for one use: what is packed stays packed.
    #[must_use]
    pub fn once(&self) -> Bytes {
        self.open.get().cloned().unwrap_or_else(|| self.unpacked())
    }

    fn unpacked(&self) -> Bytes {
        lz4_flex::block::decompress(&self.packed, self.len).expect("it was packed here").into()
    }
}

/// Whether it is the same text; nothing is unpacked for good to know it.
impl PartialEq for Held {
    fn eq(&self, other: &Self) -> bool {
        match (self.is_packed(), other.is_packed()) {
            _ if self.len != other.len => false,
            // What is packed is so by the same rules.
            (true, true) => self.packed == other.packed,
            _ => self.once() == other.once(),
        }
    }
}

impl Default for Held {
    fn default() -> Self {
        Bytes::new().into()
    }
}

impl From<Bytes> for Held {
    fn from(text: Bytes) -> Self {
        Self { len: text.len(), packed: Box::default(), open: OnceLock::from(text) }
    }
}

impl Deref for Held {
    type Target = Bytes;

    fn deref(&self) -> &Bytes {
        self.open.get_or_init(|| self.unpacked())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_is_packed_comes_back(words in proptest::collection::vec("[a-c\n]{0,9}|\\PC{0,40}", 0..60)) {
            let text = Bytes::from(words.concat());
            let held = Held::packed(&text);
            prop_assert_eq!(held.len(), text.len());
            prop_assert_eq!(&held.once(), &text);
            prop_assert_eq!(&*held, &text);
        }
    }

    #[test]
    fn the_same_text_is_the_same_packed_or_not() {
        let [text, other] = ["the same line\n", "another line\n\n"].map(|line| Bytes::from(line.repeat(100)));
        let held = [Held::packed(&text), Held::from(text)];
        let others = [Held::packed(&other), Held::from(other)];
        for one in &held {
            assert!(held.iter().all(|same| one == same));
            assert!(others.iter().all(|other| one != other));
        }
        assert!(held[0].is_packed());
    }

    #[test]
    fn it_is_unpacked_by_looking_at_it_and_not_by_one_use() {
        let held = Held::packed(&Bytes::from("the same line\n".repeat(100)));
        assert!(held.packed.len() < 100);
        assert_eq!(held.once().len(), 1400);
        assert!(held.is_packed());
        assert!(held.ends_with(b"line\n"));
        assert!(!held.is_packed());
    }
}
