//! Display width (written next).
