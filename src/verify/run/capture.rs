//! Output of whatever length in bounded memory: its beginning and its end.

use std::collections::VecDeque;

/// How many bytes are kept of each end.
const KEPT: usize = 64 * 1024;

/// What is kept of a stream.
#[derive(Debug, Default)]
pub(super) struct Capture {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
}

impl Capture {
    /// Take what comes next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.push_within(bytes, KEPT);
    }

    fn push_within(&mut self, bytes: &[u8], kept: usize) {
        let (first, rest) = bytes.split_at(bytes.len().min(kept - self.head.len()));
        self.head.extend_from_slice(first);
        let skipped = rest.len().saturating_sub(kept);
        self.tail.extend(&rest[skipped..]);
        let over = self.tail.len().saturating_sub(kept);
        self.tail.drain(..over);
        self.left_out += (skipped + over) as u64;
    }

    /// All of it, or both ends with a line between them that says how much is missing.
    fn into_bytes(self) -> Vec<u8> {
        let mut bytes = self.head;
        if self.left_out > 0 {
            bytes.extend_from_slice(format!("\n[… {} bytes left out …]\n", self.left_out).as_bytes());
        }
        bytes.extend(self.tail);
        bytes
    }
}

/// Standard output and standard error as one text without blanks at its ends.
pub(super) fn joined(out: Capture, err: Capture) -> Vec<u8> {
    let mut text = out.into_bytes();
    let err = err.into_bytes();
    if !text.is_empty() && !text.ends_with(b"\n") && !err.is_empty() {
        text.push(b'\n');
    }
    text.extend(err);
    text.trim_ascii().to_vec()
}

/// The last bytes of two streams, as they came: what a person who looks on sees.
#[derive(Debug, Default)]
pub(super) struct Tail(VecDeque<u8>);

impl Tail {
    const KEPT: usize = 4 * 1024;

    /// Take what comes next.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.0.extend(&bytes[bytes.len().saturating_sub(Self::KEPT)..]);
        let over = self.0.len().saturating_sub(Self::KEPT);
        self.0.drain(..over);
    }

    /// What is there.
    pub(super) fn bytes(&mut self) -> &[u8] {
        self.0.make_contiguous()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_are_kept() {
        for (pieces, want) in [
            (&[][..], ""),
            (&["abc", "de"], "abcde"),
            (&["abcdefgh"], "abcdefgh"),
            (&["abcdefghi"], "abcd\n[… 1 bytes left out …]\nfghi"),
            (&["abcdefg", "hi", "jk"], "abcd\n[… 3 bytes left out …]\nhijk"),
            (&["a", "", "bcdefghijklm"], "abcd\n[… 5 bytes left out …]\njklm"),
        ] {
            let mut capture = Capture::default();
            pieces.iter().for_each(|piece| capture.push_within(piece.as_bytes(), 4));
            assert_eq!(String::from_utf8(capture.into_bytes()).unwrap(), want, "{pieces:?}");
        }
    }

    #[test]
    fn memory_is_bounded() {
        let mut capture = Capture::default();
        (0..10_000).for_each(|_| capture.push(&[b'x'; 1000]));
        assert!(capture.head.len() <= KEPT && capture.tail.len() <= KEPT);
        let text = String::from_utf8(capture.into_bytes()).unwrap();
        assert!(text.contains(&format!("[… {} bytes left out …]", 10_000_000 - 2 * KEPT)));
        let mut tail = Tail::default();
        (0..100).for_each(|_| tail.push(&[b'x'; 10_000]));
        assert_eq!(tail.bytes().len(), Tail::KEPT);
    }

    #[test]
    fn standard_output_comes_first() {
        let text = |out: &str, err: &str| {
            let capture = |text: &str| {
                let mut capture = Capture::default();
                capture.push(text.as_bytes());
                capture
            };
            String::from_utf8(joined(capture(out), capture(err))).unwrap()
        };
        assert_eq!(text("\na\n", "b\n"), "a\nb");
        assert_eq!(text("a", "b"), "a\nb");
        assert_eq!(text("", " b\n"), "b");
    }
}
