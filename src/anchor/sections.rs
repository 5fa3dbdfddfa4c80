//! Which section of the next diff is which of this one, and where those that come go.

use bstr::BString;

use crate::document::{Document, FileHeader};

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
    let file = |part: usize| old.parts()[part].tree().file.as_ref().filter(|file| is_known(file));
    let mut parts: Vec<Part> = (0..old.parts().len())
        .map(|part| match partners[part] {
            _ if part == 0 || file(part).is_none() => Part::Untouched(part),
            Some(partner) => Part::Both(part, partner),
            None => Part::Gone(part),
        })
        .collect();
    let mut behind = 0;
    for part in 1..new.parts().len() {
        let is_it = |there: &Part| matches!(there, Part::Both(_, partner) if *partner == part);
        behind = parts.iter().position(is_it).unwrap_or_else(|| {
            parts.insert(behind + 1, Part::New(part));
            behind + 1
        });
    }
    parts
}

fn is_known(file: &FileHeader) -> bool {
    file.path != "(unknown)"
}

/// For each part of `old` the part of `new` that is about its file: of the same path, or of one that it was renamed to or
/// from.
fn partners(old: &Document, new: &Document) -> Vec<Option<usize>> {
    let mut partners = old.counterparts(new);
    let mut is_taken = vec![false; new.parts().len()];
    partners.iter().flatten().for_each(|part| is_taken[*part] = true);
    let header = |document: &Document, part: usize| document.parts()[part].tree().file.clone();
    let same = |left: Option<&BString>, right: Option<&BString>| left.is_some() && left == right;
    let rules: [fn(&FileHeader) -> [Option<&BString>; 2]; 3] = [
        |file| [Some(&file.path), file.old_path.as_ref()],
        |file| [file.old_path.as_ref(), file.old_path.as_ref()],
        |file| [file.old_path.as_ref(), Some(&file.path)],
    ];
    for names in rules {
        for part in 1..partners.len() {
            let Some(file) = header(old, part).filter(|file| partners[part].is_none() && is_known(file)) else { continue };
            let is_it = |&candidate: &usize| {
                let there = header(new, candidate);
                !is_taken[candidate] && there.is_some_and(|there| same(names(&file)[0], names(&there)[1]))
            };
            if let Some(partner) = (1..is_taken.len()).find(is_it) {
                is_taken[partner] = true;
                partners[part] = Some(partner);
            }
        }
    }
    partners
}
