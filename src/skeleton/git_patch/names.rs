//! Names in the headers of a patch: quotes, prefixes, times behind them.

use bstr::{BStr, BString, ByteSlice as _};

use crate::document::unquote;

/// What stands for the side that is not there.
const NOTHING: &[u8] = b"/dev/null";
/// The letters of git's prefixes: a/ and b/, or by what they are (index, working tree, commit, object, `--no-index`).
const PREFIXES: &[u8] = b"abiwco12";

/// A name of a `---` or `+++` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Name {
    /// The name with its prefix; `None` for `/dev/null`.
    pub(super) path: Option<BString>,
    /// The time behind it, as `diff -u` writes one.
    pub(super) time: Option<Time>,
}

/// A time behind a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    /// The very first one, which says that there is no file.
    Epoch,
    Other,
}

impl Name {
    /// Read what follows `--- ` or `+++ `.
    pub(super) fn parse(rest: &[u8]) -> Self {
        let rest = rest.strip_suffix(b"\r").unwrap_or(rest);
        let (raw, behind) = match quoted_len(rest) {
            Some(len) => rest.split_at(len),
            None => rest.split_at(rest.find_byte(b'\t').unwrap_or(rest.len())),
        };
        let time = Some(behind.trim()).filter(|time| !time.is_empty());
        let time = time.map(|time| if is_epoch(time) { Time::Epoch } else { Time::Other });
        Self { path: (raw != NOTHING).then(|| unquoted(raw)), time }
    }
}

/// A name that may be in quotes, without them.
pub(super) fn unquoted(raw: &[u8]) -> BString {
    // Only quotes around the whole are quotes; anywhere else they are part of the name.
    if quoted_len(raw) == Some(raw.len()) { unquote(raw).into_owned().into() } else { raw.into() }
}

/// The length of the quoted name that `text` begins with.
fn quoted_len(text: &[u8]) -> Option<usize> {
    let mut rest = text.strip_prefix(b"\"")?.iter().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'"' => return Some(at + 2),
            b'\\' => drop(rest.next()),
            _ => {}
        }
    }
    None
}

/// The name that both sides of `diff --git OLD NEW` have, prefixes aside; `None` where they are different files.
pub(super) fn common(both: &[u8]) -> Option<BString> {
    let splits = splits(both);
    let by = |same: fn(&BStr, &BStr) -> Option<BString>| {
        splits.iter().find_map(|(old, new)| same(old.as_bstr(), new.as_bstr()))
    };
    by(|old, new| {
        let (old, new) = without_prefixes(old, new).unwrap_or((old, new));
        (old == new && !old.is_empty()).then(|| old.to_owned())
    })
    .or_else(|| {
        by(|old, new| match without_prefixes(old, new) {
            Some(_) => None,
            None => same_behind_first_folder(old, new),
        })
    })
}

/// The ways to read `OLD NEW` as two names.
pub(super) fn splits(both: &[u8]) -> Vec<(BString, BString)> {
    let both = both.strip_suffix(b"\r").unwrap_or(both);
    if let Some(len) = quoted_len(both) {
        let (old, new) = both.split_at(len);
        let new = new.strip_prefix(b" ");
        return new.map(|new| (unquoted(old), unquoted(new))).into_iter().collect();
    }
    // A name with a quote in it is itself in quotes.
    if let Some(at) = both.find(b" \"") {
        return vec![(both[..at].into(), unquoted(&both[at + 1..]))];
    }
    let spaces = both.find_iter(b" ");
    spaces.map(|at| (both[..at].into(), both[at + 1..].into())).collect()
}

/// Old and new name without the prefixes of git; `None` where they have none.
fn without_prefixes<'a>(old: &'a BStr, new: &'a BStr) -> Option<(&'a BStr, &'a BStr)> {
    let ((first, old), (second, new)) = (prefixed(old)?, prefixed(new)?);
    // Without prefixes both sides would begin with the same folder.
    (first != second).then_some((old, new))
}

/// The letter of a prefix, and the rest.
fn prefixed(name: &BStr) -> Option<(u8, &BStr)> {
    match name.as_bytes() {
        [letter, b'/', rest @ ..] if PREFIXES.contains(letter) && !rest.is_empty() => Some((*letter, rest.as_bstr())),
        _ => None,
    }
}

fn same_behind_first_folder(old: &BStr, new: &BStr) -> Option<BString> {
    let behind =
        |name: &BStr| name.trim_start_with(|c| c == '/').split_once_str("/").map(|(_, rest)| BString::from(rest));
    let (old, new) = (behind(old)?, behind(new)?);
    (old == new && !old.is_empty()).then_some(old)
}

/// The names of the two sides of a file in the repository, from those of the `---` and `+++` lines.
pub(super) fn paths(old: Option<&BString>, new: Option<&BString>) -> (Option<BString>, Option<BString>) {
    let (old, new) = (old.map(|name| name.as_bstr()), new.map(|name| name.as_bstr()));
    let (Some(old), Some(new)) = (old, new) else {
        let one = |name: &BStr| relative(prefixed(name).map_or(name, |(_, rest)| rest));
        return (old.map(one), new.map(one));
    };
    if let Some((old, new)) = without_prefixes(old, new) {
        return (Some(relative(old)), Some(relative(new)));
    }
    let same = if old == new { Some(relative(old)) } else { same_behind_first_folder(old, new) };
    match same.or_else(|| variation(old, new)).or_else(|| common_end(old, new)) {
        Some(name) => (Some(name.clone()), Some(name)),
        None => (Some(relative(old)), Some(relative(new))),
    }
}

/// `x` of `x.orig` and `x`, or of `x` and `x~`.
fn variation(old: &BStr, new: &BStr) -> Option<BString> {
    let (short, long) = if old.len() < new.len() { (old, new) } else { (new, old) };
    (long.starts_with(short) && !long[short.len()..].contains(&b'/')).then(|| relative(short))
}

/// The names at the end that two paths share.
fn common_end(old: &BStr, new: &BStr) -> Option<BString> {
    let (mut left, mut right) = (old.rsplit_str("/"), new.rsplit_str("/"));
    let mut shared = Vec::new();
    while let (Some(one), Some(other)) = (left.next(), right.next())
        && one == other
        && !one.is_empty()
    {
        shared.push(one);
    }
    shared.reverse();
    (!shared.is_empty()).then(|| bstr::join("/", shared).into())
}

/// Paths in a review count from the root of the repository.
fn relative(name: &BStr) -> BString {
    name.trim_start_with(|c| c == '/').into()
}

/// Whether `time` is the first moment of 1970, in whatever zone.
fn is_epoch(time: &[u8]) -> bool {
    let words: Vec<&[u8]> = time.fields().collect();
    let minutes = |word: &[u8], colon: bool| -> Option<i64> {
        let text = word.to_str().ok()?;
        let (hours, rest) = if colon { text.split_once(':')? } else { text.split_at_checked(2)? };
        let rest = rest.trim_start_matches(':');
        let (minutes, seconds) = rest.split_at_checked(2)?;
        let is_full = seconds.bytes().all(|byte| matches!(byte, b'0' | b':' | b'.'));
        let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
        is_full.then_some(hours * 60 + minutes)
    };
    let zone = |word: &[u8]| -> Option<i64> {
        let (sign, digits) = word.split_first()?;
        let offset = minutes(digits, false)?;
        match sign {
            b'+' => Some(offset),
            b'-' => Some(-offset),
            _ => None,
        }
    };
    let at = |day: i64, clock: &[u8], offset: &[u8]| {
        minutes(clock, true).zip(zone(offset)).is_some_and(|(clock, offset)| day * 24 * 60 + clock - offset == 0)
    };
    match words.as_slice() {
        [b"1969-12-31", clock, offset] => at(-1, clock, offset),
        [b"1970-01-01", clock, offset] | [_, b"Jan", b"01" | b"1", clock, b"1970", offset] => at(0, clock, offset),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_of_two() {
        for (both, name) in [
            ("a/x b/x", Some("x")),
            ("i/x w/x", Some("x")),
            ("c/a/x o/a/x", Some("a/x")),
            ("a/x a/x", Some("a/x")),
            ("a/x y b/x y", Some("x y")),
            ("a/x b/x b/x b/x", Some("x b/x")),
            ("x x", Some("x")),
            ("old/x new/x", Some("x")),
            (r#""a/\303\244" "b/\303\244""#, Some("ä")),
            (r#"a/x "b/x""#, Some("x")),
            ("a/one/x b/two/x", None),
            ("x", None),
            ("", None),
            (r#""a/x"#, None),
            ("a/ b/", None),
        ] {
            assert_eq!(common(both.as_bytes()), name.map(BString::from), "{both}");
        }
    }

    #[test]
    fn paths_of_sides() {
        let of = |old: &str, new: &str| {
            let name = |text: &str| Name::parse(text.as_bytes()).path;
            let (old, new) = paths(name(old).as_ref(), name(new).as_ref());
            (old.map_or(String::new(), |old| old.to_string()), new.map_or(String::new(), |new| new.to_string()))
        };
        for (old, new, want) in [
            ("a/x\t", "b/x\t", ("x", "x")),
            ("a/x y\t2026-01-02 03:04:05 +0000", "b/x y", ("x y", "x y")),
            ("/dev/null", "b/x", ("", "x")),
            ("w/x", "/dev/null", ("x", "")),
            ("dir1/x", "dir2/x", ("x", "x")),
            ("/tmp/one/src/x", "/home/two/src/x", ("src/x", "src/x")),
            ("x.orig", "x", ("x", "x")),
            ("src/x", "src/x~", ("src/x", "src/x")),
            ("old.txt", "new.txt", ("old.txt", "new.txt")),
            (r#""a/\t""#, r#""b/\t""#, ("\t", "\t")),
            ("say \"x\"", "say \"x\"", ("say \"x\"", "say \"x\"")),
        ] {
            let got = of(old, new);
            assert_eq!((got.0.as_str(), got.1.as_str()), want, "{old} {new}");
        }
    }

    #[test]
    fn the_first_moment() {
        for (time, is) in [
            ("1970-01-01 00:00:00.000000000 +0000", true),
            ("1970-01-01 01:00:00.000000000 +0100", true),
            ("1969-12-31 19:00:00 -0500", true),
            ("Thu Jan 01 00:00:00 1970 +0000", true),
            ("1970-01-01 00:00:01.000000000 +0000", false),
            ("1970-01-01 01:00:00 +0000", false),
            ("2026-01-02 00:00:00 +0000", false),
            ("é", false),
            ("1970-01-01 é é", false),
            ("", false),
        ] {
            assert_eq!(is_epoch(time.as_bytes()), is, "{time}");
        }
    }
}
