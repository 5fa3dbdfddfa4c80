//! Whether the terminal's background is light: asked once, and answered among the keys whenever that comes. Pure.

use super::colour::Colour;

/// The question (OSC 11).
pub const QUESTION: &str = "\x1b]11;?\x1b\\";

/// Whether a terminal that calls itself `term` takes the question for one. `is_tmux`: it is tmux, whatever it says.
#[must_use]
pub fn is_worth_asking(term: Option<&str>, is_tmux: bool) -> bool {
    match term {
        None | Some("" | "dumb" | "linux") => false,
        Some(term) => is_tmux || !["screen", "eterm"].iter().any(|name| term.starts_with(name)),
    }
}

/// What the text of an OSC says of it, if that is the answer: whether black is read better on it than white.
#[must_use]
pub fn answered(text: &[u8]) -> Option<bool> {
    let ground = colour(std::str::from_utf8(text).ok()?)?;
    Some(Colour::Rgb(0, 0, 0).contrast(ground) > Colour::Rgb(255, 255, 255).contrast(ground))
}

/// The colour in `11;rgb:rrrr/gggg/bbbb`, of one to four digits each; an alpha behind them does not matter.
fn colour(text: &str) -> Option<Colour> {
    let (_, parts) = text.strip_prefix("11;")?.split_once(':')?;
    let mut parts = parts.split('/').map(|digits| {
        let most = 16_u32.checked_pow(u32::try_from(digits.len()).ok()?)?.checked_sub(1).filter(|most| *most > 0)?;
        u8::try_from(u32::from_str_radix(digits, 16).ok()? * 255 / most).ok()
    });
    Some(Colour::Rgb(parts.next()??, parts.next()??, parts.next()??))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_answer_says_a_colour() {
        for (text, is_light) in [
            ("11;rgb:0000/0000/0000", Some(false)),
            ("11;rgb:ffff/ffff/ffff", Some(true)),
            ("11;rgba:fd/f6/e3/ff", Some(true)),
            ("11;rgb:0/2b/36", Some(false)),
            ("11;?", None),
            ("11;rgb:x/y", None),
            ("11;rgb:/0/0", None),
            ("10;rgb:ffff/ffff/ffff", None),
            ("", None),
        ] {
            assert_eq!(answered(text.as_bytes()), is_light, "{text:?}");
        }
    }

    #[test]
    fn not_everything_is_asked() {
        for (term, is_tmux, expected) in [
            (Some("xterm-256color"), false, true),
            (Some("screen-256color"), true, true),
            (Some("screen-256color"), false, false),
            (Some("dumb"), false, false),
            (Some("linux"), false, false),
            (None, true, false),
        ] {
            assert_eq!(is_worth_asking(term, is_tmux), expected, "{term:?}");
        }
    }
}
