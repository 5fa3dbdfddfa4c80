//! Names of sessions and of agents. A session's name is that of its folder, so it can be no path.

/// Whether `text` can be the id of a session: 1 to 64 of `A-Z a-z 0-9 . _ -`, with no dot in front.
#[must_use]
pub fn is_id(text: &str) -> bool {
    is_plain(text, 64) && !text.starts_with('.')
}

/// Whether `text` can be the name of an agent.
#[must_use]
pub fn is_agent(text: &str) -> bool {
    is_plain(text, 32)
}

fn is_plain(text: &str, most: usize) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    (1..=most).contains(&text.len()) && text.bytes().all(is_plain)
}

/// An id for a session that begins at `now`, as [`crate::clock::now`] says it; `chance` tells those of a minute apart.
#[must_use]
pub fn new_id(now: &str, chance: u16) -> String {
    let digits: String = now.chars().filter(char::is_ascii_digit).collect();
    let (day, minute) = (digits.get(..8).unwrap_or_default(), digits.get(8..12).unwrap_or_default());
    format!("r-{day}-{minute}-{chance:04x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_no_paths() {
        for id in ["r-20261101-1412-7f3a", "a", "A.b_c-9", "-", &"x".repeat(64)] {
            assert!(is_id(id), "{id}");
        }
        for other in ["", ".", "..", ".hidden", "a/b", "a b", "é", "a\n", &"x".repeat(65)] {
            assert!(!is_id(other), "{other:?}");
        }
        assert!(is_agent(".codex") && !is_agent(&"x".repeat(33)) && !is_agent("a b"));
    }

    #[test]
    fn an_id_says_when() {
        assert_eq!(new_id("2026-11-01T14:12:09Z", 0x7f3), "r-20261101-1412-07f3");
        assert!(is_id(&new_id("2026-11-01T14:12:09Z", u16::MAX)));
    }
}
