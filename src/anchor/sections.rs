//! Which section of the next diff is which of this one, and where those that come go.

use std::collections::{HashMap, HashSet};

use bstr::BString;

use crate::document::{Document, FileHeader, UNKNOWN_PATH};

/// A part of the document that comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// What no diff decides: the head, and hunks without a file.
    Untouched(usize),
    /// A file of both, as indices into the parts of the old document and of the new one.
    Both(usize, usize),
    /// A file that is not in the new diff.
    Gone(usize),
    /// A file that was not in the old diff.
    New(usize),
}

/// The parts that come out, in order. Those of the old document keep theirs, and a new one stands behind the one that it
/// follows in the new diff.
pub(super) fn parts(old: &Document, new: &Document) -> Vec<Part> {
    let partners = partners(old, new);
    let file = |part: usize| old.parts()[part].tree().file.as_ref();
    let mut parts: Vec<Part> = (0..old.parts().len())
        .map(|part| match (file(part), partners[part]) {
            (Some(_), Some(partner)) if part > 0 => Part::Both(part, partner),
            (Some(file), None) if is_known(file) => Part::Gone(part),
            _ => Part::Untouched(part),
        })
        .collect();
    // The head stays with hunks that a section without `@file` begins with: in front of those, they would be another's.
    let mut behind =
        parts.iter().skip(1).take_while(|part| matches!(part, Part::Untouched(part) if file(*part).is_none())).count();
    for part in 1..new.parts().len() {
        let is_it = |there: &Part| matches!(there, Part::Both(_, partner) if *partner == part);
        behind = parts.iter().position(is_it).unwrap_or_else(|| {
            parts.insert(behind + 1, Part::New(part));
            behind + 1
        });
    }
    parts
}

/// Whether an `@file` line says which file it is about.
fn is_known(file: &FileHeader) -> bool {
    file.path != UNKNOWN_PATH
}

/// A name that an `@file` line says.
type Name = fn(&FileHeader) -> Option<&BString>;

/// For each part of `old` the part of `new` that is about its file: of the same path, or of one that it was renamed to or
/// from.
fn partners(old: &Document, new: &Document) -> Vec<Option<usize>> {
    const PATH: Name = |file| Some(&file.path);
    const FROM: Name = |file| file.old_path.as_ref();
    let mut partners = old.counterparts(new);
    for (ours, theirs) in [(PATH, FROM), (FROM, FROM), (FROM, PATH)] {
        let name = |document: &Document, part: usize, name: Name| {
            document.parts()[part].tree().file.as_ref().filter(|file| is_known(file)).and_then(name).cloned()
        };
        let taken: HashSet<usize> = partners.iter().copied().flatten().collect();
        let free = (1..new.parts().len()).rev().filter(|part| !taken.contains(part));
        let mut named: HashMap<BString, usize> =
            free.filter_map(|part| name(new, part, theirs).map(|name| (name, part))).collect();
        let lonely = partners.iter_mut().enumerate().skip(1).filter(|(_, partner)| partner.is_none());
        for (part, partner) in lonely {
            *partner = name(old, part, ours).and_then(|name| named.remove(&name));
        }
    }
    partners
}
