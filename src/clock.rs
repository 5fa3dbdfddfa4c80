//! The time, as reviews and records write it. Nothing else asks what time it is.

use jiff::Timestamp;

/// Now, in ISO 8601, to the second, in UTC.
#[must_use]
pub fn now() -> String {
    let now = Timestamp::now();
    Timestamp::from_second(now.as_second()).unwrap_or(now).to_string()
}
