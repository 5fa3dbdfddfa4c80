//! What is shown of the review: which notes, and whether only hunks that want one.

use super::super::filter::{Facet, Filter, Traits};
use super::super::model::{Model, Tone};
use super::super::part::Subject;
use super::super::pick::{Choice, Entry};
use super::{arrange, lacking, motion};

/// Choose a property to show notes by, or don't any more.
pub(super) fn toggle(model: &mut Model, facet: Facet) {
    model.filter.toggle(facet);
    arrange::show_anew(model);
}

/// Show only hunks that want a note, or all of them again.
pub(super) fn toggle_uncovered(model: &mut Model) {
    if !model.filter.has(Facet::Uncovered) && model.pending == 0 && model.uncovered() == 0 {
        return model.say(Tone::Info, "every added line is explained");
    }
    toggle(model, Facet::Uncovered);
    go_to_first(model);
}

/// Go to the first line that is shown for what it is, from the cursor on, or else back from there: a line that wants a
/// note, or one with a note. Where the cursor stands on one it stays.
pub(super) fn go_to_first(model: &mut Model) {
    if model.filter.has(Facet::Uncovered) {
        lacking::settle_on_uncovered(model);
    } else if model.filter.is_on() {
        motion::settle_on_note(model);
    }
}

/// Show everything again.
pub(super) fn clear(model: &mut Model) {
    if !model.filter.is_on() {
        return model.say(Tone::Info, "nothing is hidden");
    }
    model.filter = Filter::default();
    arrange::show_anew(model);
    model.say(Tone::Info, "everything is shown");
}

/// The properties, with what they would show.
pub(super) fn entries(model: &Model) -> Vec<Entry> {
    let mut counts: Vec<(Facet, usize)> = Facet::all().map(|facet| (facet, 0)).collect();
    for part in 0..model.parts.len() {
        let notes = (0u32..).zip(&model.parts[part].reading.faces).map(|(note, _)| Subject::Note(note));
        let records = arrange::records(model, part).iter().map(|placed| Subject::Record(placed.record));
        for subject in notes.chain(records) {
            let Some(traits) = traits(model, part, subject) else { continue };
            counts.iter_mut().filter(|(facet, _)| traits.have(*facet)).for_each(|(_, count)| *count += 1);
        }
        let bare = model.parts[part].bare_hunks().filter(|is_bare| *is_bare).count();
        counts.iter_mut().filter(|(facet, _)| *facet == Facet::Uncovered).for_each(|(_, count)| *count += bare);
    }
    let is_of_use =
        |(facet, count): &(Facet, usize)| *count > 0 || model.filter.has(*facet) || !matches!(facet, Facet::Kind(_));
    let entry = |(facet, count): (Facet, usize)| Entry {
        name: format!("{} {}", if model.filter.has(facet) { "[x]" } else { "[ ]" }, facet.name()),
        detail: facet.doc().to_owned(),
        aside: count.to_string(),
        choice: Choice::Facet(facet),
    };
    counts.into_iter().filter(is_of_use).map(entry).collect()
}

/// What is known of a note or record of a part.
pub(super) fn traits(model: &Model, part: usize, subject: Subject) -> Option<Traits<'_>> {
    let me = model.review.author.as_str();
    match subject {
        Subject::Note(note) => {
            let is_mine = !me.is_empty() && model.review.document.meta().author.as_deref() == Some(me);
            Some(Traits::Note(&model.parts[part].reading.faces.get(note as usize)?.facts, is_mine))
        }
        // What is for the agent is always shown.
        Subject::Comment(_) => None,
        Subject::Record(record) => {
            let is_resolved = model.review.records.is_settled(record);
            let record = model.review.records.get(record)?;
            let is_mine = !me.is_empty() && record.by.as_deref() == Some(me);
            Some(Traits::Record { is_resolved, is_mine })
        }
    }
}
