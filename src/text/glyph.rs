//! What one character looks like on a terminal: printable text, and the columns that every terminal gives it.
//!
//! Nothing that a terminal would obey, hide or reorder gets through, and nothing whose width terminals disagree about:
//! a joined emoji is drawn as its parts, and a presentation selector (which changes the width in some terminals only)
//! is left out.

use std::borrow::Cow;
use std::ops::Range;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The symbols that stand for what cannot be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Glyphs {
    /// Any symbol: `␛`, `…`.
    #[default]
    Unicode,
    /// ASCII alone: `^[`, `~`.
    Ascii,
}

/// A part of a character as it is drawn: its text, its bytes in the character, its columns.
pub(super) type Part<'a> = (Cow<'a, str>, Range<usize>, u16);

impl Glyphs {
    /// What ends a text that was cut: one column.
    #[must_use]
    pub fn ellipsis(self) -> &'static str {
        match self {
            Self::Unicode => "…",
            Self::Ascii => "~",
        }
    }

    /// What stands for bytes that are not UTF-8: one column.
    #[must_use]
    pub fn replacement(self) -> &'static str {
        match self {
            Self::Unicode => "\u{FFFD}",
            Self::Ascii => "?",
        }
    }

    /// What stands for the half of a wide character that the left edge of a window cut off.
    pub(super) fn cut_left(self) -> &'static str {
        match self {
            Self::Unicode => "‹",
            Self::Ascii => "<",
        }
    }

    /// What stands for the half of a wide character that the right edge of a window cut off.
    pub(super) fn cut_right(self) -> &'static str {
        match self {
            Self::Unicode => "›",
            Self::Ascii => ">",
        }
    }

    /// `text`, which the program itself has written, with each of its signs as it is shown.
    #[must_use]
    pub fn signs(self, text: &str) -> Cow<'_, str> {
        if self == Self::Unicode || text.is_ascii() {
            return text.into();
        }
        text.chars().map(|c| sign(c).unwrap_or(c)).collect::<String>().into()
    }

    fn stand_in(self, c: char) -> String {
        match (self, u32::from(c)) {
            (Self::Unicode, code @ 0..=0x1F) => char::from_u32(0x2400 + code).map(String::from).unwrap_or_default(),
            (Self::Unicode, 0x7F) => "␡".to_owned(),
            (Self::Ascii, code @ (0..=0x1F | 0x7F)) => {
                char::from_u32(code ^ 0x40).map(|letter| format!("^{letter}")).unwrap_or_default()
            }
            (_, code) => format!("<U+{code:04X}>"),
        }
    }
}

/// What stands for a sign of the program where there is ASCII alone.
fn sign(c: char) -> Option<char> {
    Some(match c {
        '✓' | '↓' => 'v',
        '✗' | '╳' => 'x',
        '∅' | '○' => 'o',
        '–' | '—' | '−' | '▒' => '-',
        '…' | '⋯' | '⌛' => '~',
        '●' => '=',
        '·' => '.',
        '⚑' | '↯' => '!',
        '▪' | '✎' => '*',
        '¶' => 'n',
        '↑' => '^',
        '→' | '›' | '▸' => '>',
        '←' | '‹' => '<',
        '↳' => '\\',
        '“' | '”' => '"',
        '┃' => '|',
        '│' => ':',
        '╎' => '\'',
        '▏' => '?',
        '█' => '#',
        _ => return None,
    })
}

/// Whether a terminal would not show `c`, or would do something else instead.
fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}'..='\u{1160}' | '\u{17B4}'..='\u{17B5}' | '\u{180B}'..='\u{180F}'
            | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}'
            | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}' | '\u{1BCA0}'..='\u{1BCA3}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
}

/// Whether the joiners U+200C and U+200D are ordinary spelling behind `c`.
fn takes_joiners(c: char) -> bool {
    matches!(c, '\u{600}'..='\u{DFF}' | '\u{F00}'..='\u{FFF}' | '\u{1780}'..='\u{1AFF}')
}

fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200C}' | '\u{200D}')
}

/// The columns of `c` by itself; every terminal adds these up, some after joining what belongs together.
fn columns(c: char) -> usize {
    c.width().unwrap_or(0)
}

/// A half-width sound mark as the full-width one: programs count one or two columns for the former, and two for this.
fn sound_mark(c: char) -> Option<&'static str> {
    match c {
        '\u{FF9E}' => Some("\u{309B}"),
        '\u{FF9F}' => Some("\u{309C}"),
        _ => None,
    }
}

/// The columns of `text` when joining and adding up come to the same, and there are any.
fn settled_columns(text: &str) -> Option<u16> {
    let sum: usize = text.chars().map(columns).sum();
    (sum > 0 && sum == text.width()).then(|| u16::try_from(sum).ok()).flatten()
}

/// What a character of a cluster comes to.
enum Fate {
    /// It is printed.
    Print,
    /// It is left out: it only chooses between forms of what stands before it.
    LeaveOut,
    /// It is left out, and what follows stands by itself.
    Separate,
    /// Something else is printed, of that many columns.
    Replace(Cow<'static, str>, u16),
}

fn fate(c: char, before: Option<char>, next: Option<char>, glyphs: Glyphs) -> Fate {
    if let Some(mark) = sound_mark(c) {
        return Fate::Replace(mark.into(), 2);
    }
    let is_spelling = is_joiner(c) && before.is_some_and(takes_joiners);
    if columns(c) <= 2 && (!is_hidden(c) || is_spelling) {
        return Fate::Print;
    }
    match (c, before) {
        ('\u{FE0E}' | '\u{FE0F}', Some(before)) if before.is_ascii() && next == Some('\u{20E3}') => Fate::LeaveOut,
        ('\u{FE0E}' | '\u{FE0F}', Some(before))
            if !before.is_ascii() && !before.is_alphanumeric() && !is_hidden(before) =>
        {
            Fate::LeaveOut
        }
        // Inside one cluster a joiner in front of a full character is the one of an emoji sequence.
        ('\u{200D}', Some(_)) if next.is_some_and(|next| columns(next) > 0) => Fate::Separate,
        _ => {
            let text = glyphs.stand_in(c);
            let columns = u16::try_from(text.width()).unwrap_or(1);
            Fate::Replace(text.into(), columns)
        }
    }
}

/// Hand over the parts of `cluster`, one grapheme cluster, in order: what is drawn for all of it.
pub(super) fn parts<'a>(cluster: &'a str, glyphs: Glyphs, push: &mut impl FnMut(Part<'a>)) {
    let is_plain = |c: char| !is_hidden(c) && columns(c) <= 2 && sound_mark(c).is_none();
    if cluster.chars().all(is_plain)
        && let Some(columns) = settled_columns(cluster)
    {
        return push((cluster.into(), 0..cluster.len(), columns));
    }
    let mut open = (String::new(), 0..0);
    let mut before = None;
    let mut chars = cluster.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let end = at + c.len_utf8();
        match fate(c, before, chars.peek().map(|(_, next)| *next), glyphs) {
            Fate::Print if columns(c) == 0 && open.0.is_empty() => {
                let text = glyphs.stand_in(c);
                let columns = u16::try_from(text.width()).unwrap_or(1);
                push((text.into(), at..end, columns));
            }
            Fate::Print => {
                // Where joining would change the width, the characters are drawn one by one.
                let joined = format!("{}{c}", open.0);
                if settled_columns(&joined).is_none() {
                    close(&mut open, at, push);
                }
                open.0.push(c);
                open.1.end = end;
            }
            Fate::LeaveOut => open.1.end = end,
            Fate::Separate => {
                open.1.end = end;
                close(&mut open, end, push);
            }
            Fate::Replace(text, columns) => {
                close(&mut open, at, push);
                push((text, at..end, columns));
                open.1 = end..end;
            }
        }
        before = Some(c);
    }
    close(&mut open, cluster.len(), push);
}

/// Hand over the part that is being collected, if any; the next one begins at `next`.
fn close<'a>(open: &mut (String, Range<usize>), next: usize, push: &mut impl FnMut(Part<'a>)) {
    let (text, range) = std::mem::replace(open, (String::new(), next..next));
    if let Some(columns) = settled_columns(&text) {
        push((text.into(), range, columns));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(cluster: &str) -> String {
        let mut out = Vec::new();
        parts(cluster, Glyphs::Unicode, &mut |(text, range, columns)| {
            out.push(format!("{text}:{}-{}:{columns}", range.start, range.end));
        });
        out.join(" ")
    }

    #[test]
    fn characters_as_they_are_drawn() {
        for (cluster, expected) in [
            ("a", "a:0-1:1"),
            ("e\u{301}", "e\u{301}:0-3:1"),
            ("漢", "漢:0-3:2"),
            ("\u{301}", "<U+0301>:0-2:8"),
            ("\u{1b}", "␛:0-1:1"),
            ("\u{7f}", "␡:0-1:1"),
            ("\u{9b}", "<U+009B>:0-2:8"),
            ("\u{202e}", "<U+202E>:0-3:8"),
            ("\u{feff}", "<U+FEFF>:0-3:8"),
            ("a\u{200d}", "a:0-1:1 <U+200D>:1-4:8"),
            ("a\u{fe0f}", "a:0-1:1 <U+FE0F>:1-4:8"),
            ("\u{2764}\u{fe0f}", "\u{2764}:0-6:1"),
            ("\u{2764}\u{fe0f}\u{fe0f}", "\u{2764}:0-6:1 <U+FE0F>:6-9:8"),
            ("1\u{fe0f}\u{20e3}", "1\u{20e3}:0-7:1"),
            ("👩\u{200d}🔬", "👩:0-7:2 🔬:7-11:2"),
            ("🏳\u{fe0f}\u{200d}🌈", "🏳:0-10:1 🌈:10-14:2"),
            ("👍🏽", "👍:0-4:2 🏽:4-8:2"),
            ("🇳🇴", "🇳🇴:0-8:2"),
            ("ｶ\u{ff9e}", "ｶ:0-3:1 \u{309b}:3-6:2"),
            ("क\u{94d}\u{200d}ष", "क\u{94d}\u{200d}ष:0-12:2"),
            ("\u{17d8}", "<U+17D8>:0-3:8"),
        ] {
            assert_eq!(drawn(cluster), expected, "{cluster:?}");
        }
    }

    #[test]
    fn ascii_stand_ins() {
        assert_eq!((Glyphs::Ascii.stand_in('\u{1b}'), Glyphs::Ascii.stand_in('\u{7f}')), ("^[".into(), "^?".into()));
    }
}
