//! Where the lines that a note names are in the next diff of their file. The answer is certain or there is none.
//!
//! What says that a line is the same one:
//!
//! 1. The blob of its side is the same, or the diffs show the same: then lines go by their numbers.
//! 2. The blob of the *other* side is the same, as it is while somebody works on a change: a context line is then
//!    known by its number there. It can neither be another line nor become one, whatever its text, and what was added
//!    is known to stand between the same two lines.
//! 3. Its text and that of its neighbours. Of several places that have the text one must be better than each other
//!    one, both for the note and for the place: a place that fits another old line as well belongs to nobody.

use std::collections::HashMap;
use std::ops::Range;

use bstr::BString;

use super::lines::Shown;
use crate::document::edit::ids_agree;
use crate::document::{FileStatus, Orphan, Section, Selector, Side};
use crate::text::Span;

/// How many neighbours count.
const REACH: usize = 100;

/// What both diffs of a file show of one side.
pub(super) struct Search<'a> {
    side: Side,
    old: Shown<'a>,
    new: Shown<'a>,
    same: Same,
    /// For each line of the old and of the new diff the number of its text; equal texts have equal numbers.
    ids: [Vec<usize>; 2],
    texts: Vec<Text>,
    numbers: HashMap<&'a [u8], usize>,
    /// The lines of the new diff by the number of their text.
    places: HashMap<usize, Vec<usize>>,
}

/// What is known to be the same in both diffs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Same {
    /// Nothing.
    Nothing,
    /// The other side.
    OtherSide,
    /// This side.
    ThisSide,
}

/// How often a text is in the old and in the new diff, and whether it says something.
struct Text {
    counts: [usize; 2],
    is_word: bool,
}

/// How much around a place is as it was around the note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fit {
    above: usize,
    below: usize,
    /// Whether it stands between the same lines of the other side.
    is_in_place: bool,
    /// Whether the next line on either side is alike, or there is none in both diffs.
    is_enclosed: bool,
}

impl Fit {
    /// Whether this is the better one, whatever counts most.
    fn beats(self, other: Self) -> bool {
        let (own, its) = (self.key(), other.key());
        own != its && own.into_iter().zip(its).all(|(own, its)| own >= its)
    }

    fn key(self) -> [usize; 3] {
        [self.above, self.below, usize::from(self.is_in_place)]
    }
}

impl<'a> Search<'a> {
    /// Compare what `old` and `new`, two diffs of one file, show of `side`.
    pub(super) fn new(old: &'a Section, new: &'a Section, side: Side) -> Self {
        let shown = [Shown::of(old, side), Shown::of(new, side)];
        let mut numbers = HashMap::new();
        let mut texts = Vec::new();
        let mut ids = [Vec::new(), Vec::new()];
        for (which, shown) in shown.iter().enumerate() {
            for line in &shown.lines {
                let id = *numbers.entry(line.text).or_insert_with(|| {
                    texts.push(Text { counts: [0, 0], is_word: is_word(line.text) });
                    texts.len() - 1
                });
                texts[id].counts[which] += 1;
                ids[which].push(id);
            }
        }
        let mut places: HashMap<usize, Vec<usize>> = HashMap::new();
        for (index, id) in ids[1].iter().enumerate() {
            places.entry(*id).or_default().push(index);
        }
        let [shown_old, shown_new] = shown;
        let same = same(old, new, side, shown_old == shown_new);
        Self { side, old: shown_old, new: shown_new, same, ids, texts, numbers, places }
    }

    /// What the lines that `selector` names are called in the new diff; `None` when they are not there for certain.
    pub(super) fn carry(&self, selector: Selector) -> Option<Selector> {
        let named = self.old.named(selector.start, selector.end);
        if self.same == Same::ThisSide {
            let now = |index: &usize| {
                let line = &self.old.lines[*index];
                Some((line.text, self.new.line(line.number)?.text))
            };
            let lines: Vec<_> = named.iter().map(now).collect();
            if lines.iter().all(|line| line.is_some_and(|(was, is)| was == is)) {
                return Some(selector);
            }
            // Some are not shown any more, and nothing says where they went. Where texts differ instead, the document states
            // its lines or ids wrongly, and texts decide.
            if lines.iter().flatten().all(|(was, is)| was == is) {
                return None;
            }
        }
        let (&first, &last) = named.first().zip(named.last())?;
        let count = selector.end - selector.start.max(1) + 1;
        let is_whole = usize::try_from(count).is_ok_and(|count| count == named.len())
            && (first..last).all(|index| self.old.goes_on(index));
        if is_whole {
            let place = self.place(first..last + 1)?;
            return Some(self.selector(place, named.len()));
        }
        self.carry_partly_hidden(selector, &named)
    }

    /// As [`carry`](Self::carry), where the old diff does not show all of the lines. Those that it hides must be
    /// unchanged too, which only the other side can tell.
    fn carry_partly_hidden(&self, selector: Selector, named: &[usize]) -> Option<Selector> {
        if self.same != Same::OtherSide {
            return None;
        }
        let first = *named.first()?;
        let run = named.iter().enumerate().skip(1).take_while(|(at, _)| self.old.goes_on(named[at - 1])).count() + 1;
        let place = self.place(first..first + run)?;
        let shift = i64::try_from(i128::from(self.new.lines[place].number) - i128::from(self.old.lines[first].number));
        let moved = |number: u64| number.checked_add_signed(*shift.as_ref().ok()?);
        let mut next = selector.start.max(1);
        for index in named.iter().copied().map(Some).chain([None]) {
            let line = index.map(|index| self.old.lines[index]);
            let hidden = next..line.map_or(selector.end.checked_add(1)?, |line| line.number);
            if !hidden.is_empty() {
                let (start, end) = (hidden.start, hidden.end - 1);
                let is_kept =
                    |number: u64| Some(self.old.other_number(number)? == self.new.other_number(moved(number)?)?);
                if !is_kept(start)? || !is_kept(end)? || self.new.has_own(moved(start)?, moved(end)?) {
                    return None;
                }
            }
            if let Some(line) = line {
                self.new.line(moved(line.number)?).filter(|now| now.text == line.text)?;
                next = line.number.checked_add(1)?;
            }
        }
        Some(Selector { start: moved(selector.start.max(1))?, end: moved(selector.end)?, ..selector })
    }

    /// The place in the new diff of these lines of the old one.
    fn place(&self, lines: Range<usize>) -> Option<usize> {
        let (first, len) = (lines.start, lines.len());
        let candidates = self.places.get(&self.ids[0][first]).map_or(&[][..], Vec::as_slice);
        let mut fits: Vec<(usize, Fit)> = Vec::new();
        for &place in candidates {
            if self.matches(first, place, len) {
                fits.push((place, self.fit(first, place, len)));
            }
        }
        let (place, fit) = *fits
            .iter()
            .find(|(place, fit)| fits.iter().all(|(other, other_fit)| other == place || fit.beats(*other_fit)))?;
        let is_rival =
            |other: usize| other != first && self.matches(other, place, len) && !fit.beats(self.fit(other, place, len));
        let is_ours = !(0..self.old.lines.len()).any(is_rival);
        (is_ours && self.is_evident(first, len, place, fit)).then_some(place)
    }

    /// Whether `len` lines from `old` on have the texts of those from `new` on, and can be the same ones.
    fn matches(&self, old: usize, new: usize, len: usize) -> bool {
        let is_there = old + len <= self.old.lines.len() && new + len <= self.new.lines.len();
        is_there
            && (0..len).all(|at| {
                let goes_on = at == 0 || (self.old.goes_on(old + at - 1) && self.new.goes_on(new + at - 1));
                goes_on && self.is_alike(old + at, new + at)
            })
    }

    /// Whether a line of the old diff has the text of one of the new diff, and can be the same one.
    fn is_alike(&self, old: usize, new: usize) -> bool {
        self.ids[0][old] == self.ids[1][new] && !self.is_another(old, new)
    }

    /// Whether two lines are known not to be the same: the other side has one of them in both diffs.
    fn is_another(&self, old: usize, new: usize) -> bool {
        if self.same != Same::OtherSide {
            return false;
        }
        match (self.old.lines[old].other, self.new.lines[new].other) {
            (Some(was), Some(is)) => was != is,
            (Some(was), None) => !self.new.is_only_other(was),
            (None, Some(is)) => !self.old.is_only_other(is),
            (None, None) => false,
        }
    }

    fn fit(&self, old: usize, new: usize, len: usize) -> Fit {
        let up = |at: &usize| {
            let (old, new) = (old.checked_sub(*at), new.checked_sub(*at));
            let together = old.zip(new);
            together.is_some_and(|(old, new)| self.old.goes_on(old) && self.new.goes_on(new) && self.is_alike(old, new))
        };
        let down = |at: &usize| {
            let (old, new) = (old + len + at - 1, new + len + at - 1);
            self.old.goes_on(old - 1) && self.new.goes_on(new - 1) && self.is_alike(old, new)
        };
        let above = (1..=REACH).take_while(up).count();
        let below = (1..=REACH).take_while(down).count();
        let is_first = |shown: &Shown<'_>, at: usize| at == 0 || !shown.goes_on(at - 1);
        let is_top = is_first(&self.old, old) && is_first(&self.new, new);
        let is_bottom = !self.old.goes_on(old + len - 1) && !self.new.goes_on(new + len - 1);
        let slot = |shown: &Shown<'_>, at: usize| (shown.lines[at].other, shown.lines[at].slot);
        let is_in_place =
            self.same == Same::OtherSide && (0..len).all(|at| slot(&self.old, old + at) == slot(&self.new, new + at));
        Fit { above, below, is_in_place, is_enclosed: (above > 0 || is_top) && (below > 0 || is_bottom) }
    }

    /// Whether a place that nothing speaks against is enough to go by. Its lines are known by the other side; or one of
    /// them says something that is there only once; or all of them together are there only once, beside something known; or
    /// they are brackets and blanks, with the same lines above and below.
    fn is_evident(&self, old: usize, len: usize, new: usize, fit: Fit) -> bool {
        let text = |at: usize| &self.texts[self.ids[0][at]];
        let is_telling = |at: usize| text(at).is_word && text(at).counts == [1, 1];
        let mut lines = old..old + len;
        let is_known = fit.is_in_place && (new..new + len).all(|at| self.new.lines[at].other.is_some());
        if is_known || lines.clone().any(is_telling) {
            return true;
        }
        let mut around = old - fit.above..old + len + fit.below;
        let is_anchored = fit.is_in_place || around.any(is_telling);
        let is_beside = fit.is_in_place || around.len() > len;
        let is_unique = || {
            let starts = |which: usize, of: &[usize]| {
                (0..of.len()).filter(|at| self.is_at(which, *at, &self.ids[0][old..old + len])).count()
            };
            starts(0, &self.ids[0]) == 1 && starts(1, &self.ids[1]) == 1
        };
        (is_anchored && fit.is_enclosed) || (is_beside && lines.any(|at| text(at).is_word) && is_unique())
    }

    /// Whether the text of `ids` stands without a gap at `at` of the old (0) or new (1) diff.
    fn is_at(&self, which: usize, at: usize, ids: &[usize]) -> bool {
        let shown = [&self.old, &self.new][which];
        self.ids[which].get(at..at + ids.len()) == Some(ids) && (1..ids.len()).all(|more| shown.goes_on(at + more - 1))
    }

    /// Where the text of `orphan` is again. It must have come: a text that the old diff had, too, is another one, or the
    /// note would not have lost it.
    pub(super) fn find(&self, orphan: &Orphan) -> Option<Selector> {
        let id = |text: &BString| self.numbers.get(text.as_slice()).copied();
        let text: Vec<usize> = orphan.text.iter().map(|line| id(line.as_ref()?)).collect::<Option<_>>()?;
        let first = *text.first()?;
        if (0..self.old.lines.len()).any(|at| self.is_at(0, at, &text)) {
            return None;
        }
        let candidates = self.places.get(&first)?.iter().copied();
        let places: Vec<usize> = candidates.filter(|at| self.is_at(1, *at, &text)).collect();
        let around: Option<Vec<usize>> = {
            let around = orphan.above.iter().chain(orphan.text.iter().flatten()).chain(&orphan.below);
            around.map(id).collect()
        };
        let above = orphan.above.len();
        let is_enclosed = |place: &usize| {
            let from = place.checked_sub(above);
            from.zip(around.as_ref()).is_some_and(|(from, around)| self.is_at(1, from, around))
        };
        let enclosed: Vec<usize> = places.iter().copied().filter(is_enclosed).collect();
        let is_telling = |id: &usize| self.texts[*id].is_word && self.texts[*id].counts[1] == 1;
        let place = match (enclosed.as_slice(), places.as_slice()) {
            ([only], _) if around.iter().flatten().any(is_telling) => *only,
            (_, [only]) if text.iter().any(is_telling) => *only,
            _ => return None,
        };
        Some(self.selector(place, text.len()))
    }

    /// What is kept of a note about `selector` whose lines are gone; `raw` is the selector as it was written.
    pub(super) fn orphan(&self, selector: Selector, raw: String) -> Orphan {
        /// So many neighbours tell places apart.
        const NEIGHBOURS: usize = 3;
        let named = self.old.named(selector.start, selector.end);
        let line = |index: usize| BString::from(self.old.lines[index].text);
        let mut text = Vec::new();
        let mut next = selector.start.max(1);
        for &index in &named {
            let number = self.old.lines[index].number;
            if number != next {
                text.push(None);
            }
            text.push(Some(line(index)));
            next = number.saturating_add(1);
        }
        if !named.is_empty() && next <= selector.end {
            text.push(None);
        }
        let (mut above, mut below) = (Vec::new(), Vec::new());
        if let (Some(&first), Some(&last)) = (named.first(), named.last()) {
            let upwards = (1..=NEIGHBOURS).map_while(|at| first.checked_sub(at)).take_while(|at| self.old.goes_on(*at));
            above = upwards.map(line).collect();
            above.reverse();
            below = (last..).take(NEIGHBOURS).take_while(|at| self.old.goes_on(*at)).map(|at| line(at + 1)).collect();
        }
        Orphan { raw, selector, above, text, below }
    }

    /// The selector of `len` lines of the new diff.
    fn selector(&self, first: usize, len: usize) -> Selector {
        let number = |index: usize| self.new.lines[index].number;
        Selector { side: self.side, start: number(first), end: number(first + len - 1) }
    }
}

/// Whether `text` has a letter or a digit in it: brackets and blank lines are everywhere.
fn is_word(text: &[u8]) -> bool {
    text.iter().any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

/// What is the same in two diffs of a file, of which `side` is looked at; `is_shown` says that they show the same of it.
fn same(old: &Section, new: &Section, side: Side, is_shown: bool) -> Same {
    let (Some(was), Some(is)) = (&old.tree().file, &new.tree().file) else { return Same::Nothing };
    let agree = |was: Option<Span>, is: Option<Span>| {
        was.zip(is).is_some_and(|(was, is)| ids_agree(was.of(old.text()), is.of(new.text())))
    };
    let is_old = agree(was.old_sha, is.old_sha) || (was.status, is.status) == (FileStatus::Added, FileStatus::Added);
    let is_new = agree(was.new_sha, is.new_sha);
    match side {
        _ if is_shown => Same::ThisSide,
        Side::New if is_new => Same::ThisSide,
        Side::New if is_old => Same::OtherSide,
        Side::Old if is_old => Same::ThisSide,
        Side::Old if is_new => Same::OtherSide,
        Side::New | Side::Old | Side::File | Side::Doc => Same::Nothing,
    }
}
