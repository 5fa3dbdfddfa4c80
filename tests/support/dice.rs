//! Numbers that look random and are the same every time.

/// What they are drawn from; it must not begin at 0.
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    /// A number below `sides`.
    pub(crate) fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % u64::try_from(sides).expect("dice have few sides")).expect("it is small")
    }

    /// One of these.
    pub(crate) fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.roll(of.len())]
    }
}
