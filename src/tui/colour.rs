//! Colours, and how many of them a terminal has. Pure: environment values are handed in.

use std::str::FromStr;
use std::sync::LazyLock;

/// How many colours may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Depth {
    /// None; bold, reverse and underline only.
    None,
    /// The sixteen that the reader's terminal theme defines.
    Ansi16,
    /// The palette of 256.
    Ansi256,
    /// Any.
    True,
}

impl Depth {
    /// What the values of the variables `NO_COLOR`, `COLORTERM` and `TERM` promise.
    #[must_use]
    pub fn detect(no_color: Option<&str>, colorterm: Option<&str>, term: Option<&str>) -> Self {
        let term = term.unwrap_or("dumb");
        let is_any = |names: &[&str]| names.iter().any(|name| term.contains(name));
        if no_color.is_some_and(|value| !value.is_empty()) || matches!(term, "" | "dumb") {
            Self::None
        } else if matches!(colorterm, Some("truecolor" | "24bit"))
            || is_any(&["-direct", "-truecolor", "kitty", "ghostty", "alacritty", "wezterm", "foot"])
        {
            Self::True
        } else if term.ends_with("256color") {
            Self::Ansi256
        } else {
            Self::Ansi16
        }
    }
}

/// A colour as a theme or a syntax theme states it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Colour {
    /// The terminal's own.
    #[default]
    Default,
    /// One of the palette of 256; the first sixteen are the reader's.
    Indexed(u8),
    /// Red, green, blue.
    Rgb(u8, u8, u8),
}

const NAMES: [&str; 8] = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"];
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
/// What the first sixteen are on an xterm; only for finding the nearest one.
const ANSI: [(u8, u8, u8); 16] = [
    (0, 0, 0),
    (205, 0, 0),
    (0, 205, 0),
    (205, 205, 0),
    (0, 0, 238),
    (205, 0, 205),
    (0, 205, 205),
    (229, 229, 229),
    (127, 127, 127),
    (255, 0, 0),
    (0, 255, 0),
    (255, 255, 0),
    (92, 92, 255),
    (255, 0, 255),
    (0, 255, 255),
    (255, 255, 255),
];

/// The contrast that code has at least with its ground.
const READABLE: f64 = 3.0;

/// A word that is no colour.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no colour: write a name like `red` or `bright-red`, a number up to 255, or `#rrggbb`")]
pub struct UnknownColour(pub String);

impl FromStr for Colour {
    type Err = UnknownColour;

    fn from_str(word: &str) -> Result<Self, UnknownColour> {
        let unknown = || UnknownColour(word.to_owned());
        if word == "default" {
            return Ok(Self::Default);
        }
        if let Some(digits) = word.strip_prefix('#') {
            let is_hex = digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
            let value = u32::from_str_radix(digits, 16).ok().filter(|_| is_hex).ok_or_else(unknown)?;
            let [_, red, green, blue] = value.to_be_bytes();
            return Ok(Self::Rgb(red, green, blue));
        }
        if let Ok(index) = word.parse() {
            return Ok(Self::Indexed(index));
        }
        let (name, bright) = word.strip_prefix("bright-").map_or((word, 0), |name| (name, 8));
        let index = (0u8..).zip(NAMES).find(|(_, known)| *known == name).ok_or_else(unknown)?.0;
        Ok(Self::Indexed(index + bright))
    }
}

impl Colour {
    /// Whether a terminal of sixteen colours has it.
    #[must_use]
    pub fn is_ansi(self) -> bool {
        matches!(self, Self::Default | Self::Indexed(0..=15))
    }

    /// The nearest colour that a terminal of `depth` has.
    #[must_use]
    pub fn reduced(self, depth: Depth) -> Self {
        match (depth, self) {
            (Depth::None, _) | (_, Self::Default) => Self::Default,
            (Depth::Ansi256, Self::Rgb(red, green, blue)) => Self::Indexed(nearest_of_256((red, green, blue))),
            (Depth::Ansi16, Self::Rgb(red, green, blue)) => Self::Indexed(nearest_of_16((red, green, blue))),
            (Depth::Ansi16, Self::Indexed(index @ 16..)) => Self::Indexed(nearest_of_16(rgb_of(index))),
            (_, colour) => colour,
        }
    }

    /// Its red, green and blue, as an xterm has them; `None` for what only the terminal knows.
    #[must_use]
    pub fn rgb(self) -> Option<(u8, u8, u8)> {
        match self {
            Self::Default => None,
            Self::Indexed(index) => Some(rgb_of(index)),
            Self::Rgb(red, green, blue) => Some((red, green, blue)),
        }
    }

    /// How well one is read on the other, as WCAG 2.1 measures it: from 1 to 21; `None` when one is not known.
    #[must_use]
    pub fn contrast(self, other: Self) -> Option<f64> {
        let (one, other) = (luminance(self.rgb()?), luminance(other.rgb()?));
        Some((one.max(other) + 0.05) / (one.min(other) + 0.05))
    }

    /// This colour, so much nearer to black or white that it can be read on `ground`.
    #[must_use]
    pub fn readable_on(self, ground: Self) -> Self {
        const STEPS: u16 = 8;
        let Self::Rgb(red, green, blue) = self else { return self };
        let is_read = |colour: &Self| colour.contrast(ground).is_none_or(|contrast| contrast >= READABLE);
        if is_read(&self) {
            return self;
        }
        let against_white = Self::Rgb(255, 255, 255).contrast(ground);
        let end = if against_white > Self::Rgb(0, 0, 0).contrast(ground) { 255 } else { 0 };
        let part = |from: u8, step: u16| {
            let mixed = (u16::from(from) * (STEPS - step) + end * step) / STEPS;
            u8::try_from(mixed).unwrap_or(u8::MAX)
        };
        let nearer = |step| Self::Rgb(part(red, step), part(green, step), part(blue, step));
        (1..STEPS).map(nearer).find(is_read).unwrap_or_else(|| nearer(STEPS))
    }

    /// Half of this and half of `other`, where both are known as numbers.
    #[must_use]
    pub fn mixed(self, other: Self) -> Option<Self> {
        let (Self::Rgb(r1, g1, b1), Self::Rgb(r2, g2, b2)) = (self, other) else { return None };
        Some(Self::Rgb(r1.midpoint(r2), g1.midpoint(g2), b1.midpoint(b2)))
    }
}

/// What WCAG 2.1 calls the relative luminance.
fn luminance((red, green, blue): (u8, u8, u8)) -> f64 {
    static LINEAR: LazyLock<[f64; 256]> = LazyLock::new(|| {
        std::array::from_fn(|value| {
            let share = value as f64 / 255.0;
            if share <= 0.040_45 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        })
    });
    let linear = |value: u8| LINEAR[usize::from(value)];
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
}

fn rgb_of(index: u8) -> (u8, u8, u8) {
    match index {
        0..=15 => ANSI[usize::from(index)],
        16..=231 => {
            let level = |step: u8| LEVELS[usize::from((index - 16) / step % 6)];
            (level(36), level(6), level(1))
        }
        232.. => {
            let grey = 8 + 10 * (index - 232);
            (grey, grey, grey)
        }
    }
}

/// How different two colours look, roughly: the eye is keenest on green.
fn distance(one: (u8, u8, u8), other: (u8, u8, u8)) -> u32 {
    let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
    2 * square(one.0, other.0) + 4 * square(one.1, other.1) + 3 * square(one.2, other.2)
}

/// The nearest of the cube and of the greys: no terminal's own sixteen, which may be anything. Asked for each word on the
/// screen.
fn nearest_of_256(rgb: (u8, u8, u8)) -> u8 {
    let step = |value: u8| (0..6).min_by_key(|step| LEVELS[usize::from(*step)].abs_diff(value)).unwrap_or(0);
    let cube = 16 + 36 * step(rgb.0) + 6 * step(rgb.1) + step(rgb.2);
    let brightness = (2 * u16::from(rgb.0) + 4 * u16::from(rgb.1) + 3 * u16::from(rgb.2)) / 9;
    let darker = u8::try_from(brightness.saturating_sub(8) / 10).map_or(23, |step| step.min(23));
    let greys = [232 + darker, 232 + (darker + 1).min(23)];
    [cube].into_iter().chain(greys).min_by_key(|index| distance(rgb, rgb_of(*index))).unwrap_or(cube)
}

fn nearest_of_16(rgb: (u8, u8, u8)) -> u8 {
    (0..16).min_by_key(|index| distance(rgb, rgb_of(*index))).unwrap_or(7)
}

/// `frame` with its colours named as terminals know them that have sixteen: whoever writes a frame names all by number, which
/// only those with 256 understand.
#[must_use]
pub fn in_sixteen(frame: &[u8]) -> Vec<u8> {
    const BEGIN: &[u8] = b"\x1b[";
    let mut out = Vec::with_capacity(frame.len());
    let mut rest = frame;
    while let Some(at) = memchr::memmem::find(rest, BEGIN) {
        let (before, sequence) = rest.split_at(at + BEGIN.len());
        out.extend_from_slice(before);
        let len = sequence.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        let (parameters, behind) = sequence.split_at(len);
        match (behind.first(), std::str::from_utf8(parameters)) {
            (Some(b'm'), Ok(parameters)) => out.extend_from_slice(named_in_sixteen(parameters).as_bytes()),
            _ => out.extend_from_slice(parameters),
        }
        rest = behind;
    }
    out.extend_from_slice(rest);
    out
}

/// The same for what stands between `\e[` and `m`.
fn named_in_sixteen(parameters: &str) -> String {
    /// What the name of a bright colour has more than that of a plain one, the number of the first bright one left out.
    const BRIGHT: u8 = 60 - 8;
    let mut named: Vec<String> = Vec::new();
    let mut rest: &[&str] = &parameters.split(';').collect::<Vec<_>>();
    while let [first, behind @ ..] = rest {
        let base = match *first {
            "38" => Some(30),
            "48" => Some(40),
            _ => None,
        };
        let colour = match behind {
            ["5", index, behind @ ..] => base.zip(index.parse::<u8>().ok()).map(|(base, index)| (base, index, behind)),
            _ => None,
        };
        let name;
        (name, rest) = match colour {
            Some((base, index @ 0..=7, behind)) => ((base + index).to_string(), behind),
            Some((base, index @ 8..=15, behind)) => ((base + BRIGHT + index).to_string(), behind),
            _ => ((*first).to_owned(), behind),
        };
        named.push(name);
    }
    named.join(";")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_environment_promises() {
        for (no_color, colorterm, term, expected) in [
            (None, Some("truecolor"), Some("xterm-256color"), Depth::True),
            (None, Some("24bit"), Some("xterm"), Depth::True),
            (None, Some("yes"), Some("xterm-256color"), Depth::Ansi256),
            (Some(""), None, Some("tmux-256color"), Depth::Ansi256),
            (Some("1"), Some("truecolor"), Some("xterm-256color"), Depth::None),
            (None, None, Some("xterm-kitty"), Depth::True),
            (None, None, Some("xterm"), Depth::Ansi16),
            (None, Some("truecolor"), Some("dumb"), Depth::None),
            (None, None, None, Depth::None),
        ] {
            assert_eq!(Depth::detect(no_color, colorterm, term), expected, "{no_color:?} {colorterm:?} {term:?}");
        }
    }

    #[test]
    fn contrast_is_what_the_guidelines_say() {
        let grey = |value| Colour::Rgb(value, value, value);
        for (one, other, expected) in
            [(grey(0), grey(255), 21.0), (grey(119), grey(255), 4.48), (grey(7), grey(7), 1.0)]
        {
            let contrast = one.contrast(other).expect("both are known");
            assert!((contrast - expected).abs() < 0.01, "{one:?} {other:?}: {contrast}");
        }
        assert_eq!(Colour::Default.contrast(grey(0)), None);
        for ground in [grey(0), grey(90), grey(128), grey(200), grey(255), Colour::Indexed(22)] {
            for colour in [grey(100), Colour::Rgb(255, 0, 0), Colour::Rgb(0, 40, 255)] {
                let contrast = colour.readable_on(ground).contrast(ground).expect("both are known");
                assert!(contrast >= READABLE, "{colour:?} on {ground:?}: {contrast}");
            }
        }
    }

    #[test]
    fn words() {
        for (word, expected) in [
            ("default", Some(Colour::Default)),
            ("red", Some(Colour::Indexed(1))),
            ("bright-white", Some(Colour::Indexed(15))),
            ("22", Some(Colour::Indexed(22))),
            ("#0fA01b", Some(Colour::Rgb(15, 160, 27))),
            ("#+fa01b", None),
            ("#fff", None),
            ("256", None),
            ("crimson", None),
            ("", None),
        ] {
            assert_eq!(word.parse::<Colour>().ok(), expected, "{word:?}");
        }
    }

    #[test]
    fn fewer_colours() {
        let rgb = Colour::Rgb(250, 10, 5);
        assert_eq!(rgb.reduced(Depth::True), rgb);
        assert_eq!(rgb.reduced(Depth::Ansi256), Colour::Indexed(196));
        assert_eq!(rgb.reduced(Depth::Ansi16), Colour::Indexed(9));
        assert_eq!(rgb.reduced(Depth::None), Colour::Default);
        assert_eq!(Colour::Indexed(196).reduced(Depth::Ansi16), Colour::Indexed(9));
        assert_eq!(Colour::Indexed(1).reduced(Depth::Ansi256), Colour::Indexed(1));
        for index in 16..=255 {
            let (red, green, blue) = rgb_of(index);
            let Colour::Indexed(found) = Colour::Rgb(red, green, blue).reduced(Depth::Ansi256) else { panic!() };
            assert_eq!(rgb_of(found), rgb_of(index), "{index}");
        }
        let values = || (0..=u8::MAX).step_by(15);
        for rgb in values().flat_map(|r| values().flat_map(move |g| values().map(move |b| (r, g, b)))) {
            let of_all = (16..=u8::MAX).map(|index| distance(rgb, rgb_of(index))).min();
            assert_eq!(Some(distance(rgb, rgb_of(nearest_of_256(rgb)))), of_all, "{rgb:?}");
        }
    }

    #[test]
    fn sixteen_colours_have_names_of_their_own() {
        for (frame, want) in [
            ("\x1b[38;5;1mred\x1b[48;5;12mon blue\x1b[0m", "\x1b[31mred\x1b[104mon blue\x1b[0m"),
            ("\x1b[38;5;15;48;5;0;1mx", "\x1b[97;40;1mx"),
            ("\x1b[38;5;200mx", "\x1b[38;5;200mx"),
            ("\x1b[38;2;5;5;5mx", "\x1b[38;2;5;5;5mx"),
            ("\x1b[2;5H\x1b[?25l\x1b[m38;5;1m", "\x1b[2;5H\x1b[?25l\x1b[m38;5;1m"),
        ] {
            assert_eq!(String::from_utf8(in_sixteen(frame.as_bytes())).as_deref(), Ok(want));
        }
    }
}
