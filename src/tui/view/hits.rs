//! What a search has found, made to stand out in texts that are on the screen.

use std::ops::Range;

use ratatui::style::Style;

use super::super::model::Model;
use super::super::search::{Nearby, Pattern};
use super::super::theme::Role;
use super::canvas::Canvas;

/// The pattern whose hits stand out, if something is searched for.
pub(super) fn pattern(model: &Model) -> Option<&Pattern> {
    model.search.as_ref().map(|search| search.pattern.as_ref())
}

/// `texts` with the hits in each of them in the look of a hit.
pub(super) fn marked(model: &Model, canvas: &Canvas<'_>, texts: Vec<(Style, String)>) -> Vec<(Style, String)> {
    let Some(pattern) = pattern(model) else { return texts };
    let marked =
        |(style, text): &(Style, String)| looking_like_hits(canvas, *style, text, pattern.places(text.as_bytes()));
    texts.iter().flat_map(marked).collect()
}

/// The text of a row that takes several, with the hits in it and across its ends in the look of a hit.
pub(super) fn marked_in(
    model: &Model,
    canvas: &Canvas<'_>,
    (style, text): (Style, String),
    nearby: impl FnOnce() -> Nearby,
) -> Vec<(Style, String)> {
    let Some(pattern) = pattern(model) else { return vec![(style, text)] };
    looking_like_hits(canvas, style, &text, nearby().places(pattern))
}

/// `text` with `places` of it in the look of a hit.
fn looking_like_hits(
    canvas: &Canvas<'_>,
    style: Style,
    text: &str,
    places: impl Iterator<Item = Range<usize>>,
) -> Vec<(Style, String)> {
    let look = canvas.style(Role::Match);
    let (mut out, mut at) = (Vec::new(), 0);
    // A pattern matches bytes, and can end within a character.
    for place in places.filter(|place| text.get(place.clone()).is_some()) {
        out.push((style, text[at..place.start].to_owned()));
        out.push((style.patch(look), text[place.clone()].to_owned()));
        at = place.end;
    }
    out.push((style, text[at..].to_owned()));
    out
}

/// The hits in one line, asked for from left to right.
pub(super) struct Hits<'a> {
    places: Box<dyn Iterator<Item = Range<usize>> + 'a>,
    current: Option<Range<usize>>,
}

impl<'a> Hits<'a> {
    /// Those in `text`.
    pub(super) fn of(model: &'a Model, text: &'a [u8]) -> Self {
        let mut places: Box<dyn Iterator<Item = _> + 'a> = match pattern(model) {
            Some(pattern) => Box::new(pattern.places(text)),
            None => Box::new(std::iter::empty()),
        };
        Self { current: places.next(), places }
    }

    /// Whether the bytes from `start` to `end` are part of a hit; they never go back.
    pub(super) fn is_at(&mut self, start: usize, end: usize) -> bool {
        while self.current.as_ref().is_some_and(|place| place.end <= start) {
            self.current = self.places.next();
        }
        self.current.as_ref().is_some_and(|place| place.start < end)
    }
}
