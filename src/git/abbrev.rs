//! Object ids as short as git writes them: long enough for the size of the repository, and unique in it.

use git2::Oid;

use super::Library;
use super::ids::Ids;

/// The least that git abbreviates to by itself.
const SHORTEST: usize = 7;
/// Digits of a whole id.
const WHOLE: usize = 40;

/// What ids are abbreviated by.
pub(super) struct Abbreviation {
    /// Digits to begin with.
    least: usize,
    ids: Ids,
}

impl Library {
    /// `id` as `git diff` abbreviates it: by `core.abbrev` or the number of objects, and longer where that is not
    /// unique. It need not be there itself.
    pub(super) fn abbreviated(&self, id: Oid) -> String {
        let by = self.known.abbreviation.get_or_init(|| self.abbreviation());
        let mut hex = id.to_string();
        if by.least < WHOLE {
            hex.truncate(by.least.max(by.ids.digits_shared(id) + 1));
        }
        hex
    }

    fn abbreviation(&self) -> Abbreviation {
        let ids = Ids::below(&self.raw.commondir().join("objects"));
        let configured = self.raw.config().and_then(|config| config.get_string("core.abbrev")).ok();
        let least = match configured.as_deref().map(str::trim) {
            Some("no" | "off" | "false") => WHOLE,
            Some(text) if text.parse::<usize>().is_ok_and(|len| (4..=WHOLE).contains(&len)) => {
                text.parse().unwrap_or(SHORTEST)
            }
            // Loose ones are so few that git leaves them out too.
            _ => digits_for(ids.packed()),
        };
        Abbreviation { least, ids }
    }
}

/// Digits that keep a collision among `objects` unlikely: half the bits of their number, four bits a digit, as the
/// birthday bound has it.
fn digits_for(objects: u64) -> usize {
    let bits = (u64::BITS - objects.leading_zeros()) as usize;
    bits.div_ceil(2).max(SHORTEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn length_grows_with_the_repository() {
        for (objects, digits) in [(0, 7), (16_383, 7), (16_384, 8), (65_535, 8), (65_536, 9), (10_000_000, 12)] {
            assert_eq!(digits_for(objects), digits, "{objects}");
        }
    }
}
