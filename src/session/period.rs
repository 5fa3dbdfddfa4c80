//! Lengths of time, as they are given and as they are said.

use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;

/// A length of time as an argument: a number and `ms`, `s`, `m`, `h` or `d`; without a unit seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Period(pub Duration);

impl FromStr for Period {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let millis: u64 = match unit {
            "ms" => 1,
            "" | "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            _ => return Err("a number and one of ms, s, m, h, d is wanted"),
        };
        let number: Option<u64> = text[..text.len() - unit.len()].parse().ok();
        let millis = number.ok_or("a number is wanted")?.checked_mul(millis).ok_or("that is too long")?;
        Ok(Self(Duration::from_millis(millis)))
    }
}

/// How long it was, rounded down: in seconds below two minutes, in minutes below two hours, else in hours.
#[must_use]
pub fn long(length: Duration) -> String {
    match length.as_secs() {
        seconds @ ..120 => format!("{seconds} s"),
        seconds @ ..7200 => format!("{} min", seconds / 60),
        seconds => format!("{} h", seconds / 3600),
    }
}

/// How long ago `then` was at `now`, both as [`crate::clock::now`] says it; `None` where either is no time. A clock that was
/// set back makes it none at all.
pub(super) fn since(then: &str, now: &str) -> Option<Duration> {
    let (then, now): (Timestamp, Timestamp) = (then.parse().ok()?, now.parse().ok()?);
    Some(now.duration_since(then).try_into().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_read() {
        for (text, millis) in [
            ("0", 0),
            ("5", 5000),
            ("100s", 100_000),
            ("250ms", 250),
            ("2m", 120_000),
            ("1h", 3_600_000),
            ("30d", 2_592_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Period(Duration::from_millis(millis))), "{text}");
        }
        for text in ["", "s", "-1", "1.5s", "1 s", "1w", "s1", "18446744073709551616", "18446744073709551615d", "é"] {
            assert!(text.parse::<Period>().is_err(), "{text}");
        }
    }

    #[test]
    fn lengths_are_said() {
        for (seconds, want) in
            [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (86_400 * 3, "72 h")]
        {
            assert_eq!(long(Duration::from_secs(seconds)), want);
        }
    }

    #[test]
    fn a_clock_that_was_set_back_does_no_harm() {
        let since = |then, now| since(then, now).map(|long| long.as_secs());
        assert_eq!(since("2026-11-01T14:12:00Z", "2026-11-01T14:12:40Z"), Some(40));
        assert_eq!(since("2026-11-01T14:12:40Z", "2026-11-01T14:12:00Z"), Some(0));
        assert_eq!(since("yesterday", "2026-11-01T14:12:00Z"), None);
    }
}
