//! That everything can be read: the contrast of what is written with what it is written on, in every theme.

use ratatui::style::{Color, Style};

use super::super::colour::{Colour, Depth};
use super::file::{BUILT_IN, PLAIN, ROOT};
use super::tests::built_in;
use super::{Role, known, shown};

/// The least contrast of text, and of signs, numbers and what may be passed over, as WCAG 2.1 asks for it (1.4.3, 1.4.11).
const TEXT: f64 = 4.5;
const SIGN: f64 = 3.0;

/// A role, and what lies over it.
type Ground = (Role, &'static [Role]);

/// What is written on which grounds, and how well it must be read there.
fn grounds() -> Vec<(Vec<Role>, Vec<Ground>, f64)> {
    use Role::*;
    let bars: Vec<Ground> = vec![(Text, &[]), (Header, &[])];
    let lines: Vec<Ground> = [Added, Removed, Context]
        .into_iter()
        .flat_map(|line| [&[][..], &[CursorLine], &[Selection], &[Selection, CursorLine]].map(|over| (line, over)))
        .chain([(AddedWord, &[][..]), (RemovedWord, &[])])
        .collect();
    let rows: Vec<Ground> =
        vec![(Text, &[CursorLine]), (Text, &[Selection]), (Text, &[Selection, CursorLine]), (Header, &[CursorLine])];
    let words = vec![
        Text,
        Header,
        Path,
        Heading,
        Key,
        Error,
        Warning,
        Stale,
        Note,
        NoteFocus,
        Evidence,
        Inference,
        ClaimPass,
        ClaimFail,
        ClaimUnknown,
    ];
    let signs = vec![
        LineNumber,
        CoveredPass,
        CoveredUnknown,
        CoveredFail,
        CoveredInference,
        Uncovered,
        Markback,
        ClaimSkipped,
        Dim,
        Gauge,
    ];
    let in_rows = vec![Path, Note, ClaimPass, ClaimFail, ClaimUnknown, Heading, Key, Warning, Stale];
    vec![
        (words, bars.clone(), TEXT),
        (vec![Text], lines, TEXT),
        (vec![Text], vec![(Field, &[])], TEXT),
        ([signs.clone(), in_rows].concat(), rows, SIGN),
        (signs, bars, SIGN),
        (vec![Match], vec![(Match, &[])], TEXT),
    ]
}

#[test]
fn everything_can_be_read_on_every_ground_it_is_written_on() {
    let mut faults = Vec::new();
    // The first two leave colours to the terminal. With 256 colours the nearest one may be a step off.
    for (name, _) in BUILT_IN.iter().filter(|(name, _)| ![ROOT, PLAIN].contains(name)) {
        for (depth, share) in [(Depth::True, 1.0), (Depth::Ansi256, 0.7)] {
            let theme = built_in(name, depth);
            let text = theme.style(Role::Text);
            for (inks, grounds, least) in grounds() {
                let pairs = inks.iter().flat_map(|ink| grounds.iter().map(move |ground| (ink, ground)));
                for (ink, (ground, over)) in pairs {
                    let ground_style = theme.layered(*ground, over);
                    // Ordinary text takes the colour of its line, if that has one.
                    let own = if *ink == Role::Text { ground_style.fg } else { theme.style(*ink).fg };
                    let fg = own.or(text.fg).and_then(known).expect("a theme says its colours");
                    let bg = ground_style.bg.or(text.bg).and_then(known).expect("and grounds");
                    let contrast = fg.contrast(bg).expect("both are known");
                    if contrast < least * share {
                        faults.push(format!("{name} {depth:?}: {ink:?} on {ground:?} under {over:?}: {contrast:.2}"));
                    }
                }
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn code_is_read_on_every_ground() {
    let theme = built_in("dark", Depth::True);
    let comment = Colour::Rgb(117, 113, 94);
    let style = theme.style(Role::Added);
    let contrast = |style: Style| {
        let colour = |colour: Option<Color>| colour.and_then(known).expect("it has one");
        colour(style.fg).contrast(colour(style.bg)).expect("both are known")
    };
    assert!(contrast(style.fg(shown(comment))) < SIGN, "as it comes it is not");
    assert!(contrast(theme.coloured(style, comment)) >= SIGN);
    let clear = Colour::Rgb(230, 219, 116);
    assert_eq!(theme.coloured(style, clear).fg, Some(shown(clear)), "what is clear stays as it is");
}
