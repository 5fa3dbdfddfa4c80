//! From notes to rounds.

use super::Refusal;
use super::fault::point;
use super::record::Note;
use super::refusal::MOST_TEXT;
use super::spool::Spool;
use crate::queue::{Batch, encode};

/// The most bytes of a note's text.
pub const MOST_NOTE: usize = MOST_TEXT;
/// The most characters of a round's table.
const MOST_CHARACTERS: usize = 24_000;
/// The most notes of a round.
const MOST_ROWS: usize = 500;

/// How far a sending has come.
#[derive(Debug, Default)]
pub struct Sent {
    /// The rounds that are on disk, with the ids of their notes.
    pub rounds: Vec<(u32, Vec<String>)>,
    /// Why the others are not.
    pub failed: Option<Refusal>,
}

/// How many rounds these notes make.
#[must_use]
pub fn rounds(notes: &[Note]) -> usize {
    parts(notes).len()
}

/// `notes` in parts none of which is too long to be read at once; a note that is too long alone is a part alone.
fn parts(notes: &[Note]) -> Vec<&[Note]> {
    let mut parts = Vec::new();
    let mut rest = notes;
    while !rest.is_empty() {
        let most = rest.len().min(MOST_ROWS);
        // The table grows with each note, so where it is too long can be halved.
        let (mut fits, mut at_most) = (1, most);
        while fits < at_most {
            let count = fits + (at_most - fits).div_ceil(2);
            if characters(&rest[..count]) <= MOST_CHARACTERS { fits = count } else { at_most = count - 1 }
        }
        let (part, others) = rest.split_at(fits);
        parts.push(part);
        rest = others;
    }
    parts
}

/// How many characters the table of these notes has, label apart.
fn characters(notes: &[Note]) -> usize {
    let items = notes.iter().map(|note| note.item.clone()).collect();
    let table = encode(&Batch { session: None, items });
    table.rows.chars().count() + table.escapes.chars().count()
}

impl Spool {
    /// Send `notes` as rounds, in order. When this returns, those that it names are on disk, and polls print them until
    /// they are answered.
    #[must_use]
    pub fn send(&self, notes: &[Note]) -> Sent {
        let mut sent = Sent::default();
        for part in parts(notes) {
            match self.write_round(part.to_vec()) {
                Ok(number) => sent.rounds.push((number, part.iter().map(|note| note.id.clone()).collect())),
                Err(refusal) => {
                    sent.failed = Some(refusal);
                    break;
                }
            }
            point("send-after-part");
        }
        sent
    }
}

#[cfg(test)]
mod tests {
    use super::super::state::tests::note;
    use super::*;

    fn lengths(notes: &[Note]) -> Vec<usize> {
        parts(notes).iter().map(|part| part.len()).collect()
    }

    #[test]
    fn long_rounds_are_split() {
        let notes: Vec<Note> = (0..600).map(|number| note(&number.to_string())).collect();
        assert_eq!(lengths(&notes), [500, 100]);
        assert_eq!(lengths(&notes[..500]), [500]);
        assert_eq!(lengths(&[]), [0; 0]);
        let long = |characters: usize| note(&"é".repeat(characters));
        assert_eq!(lengths(&[long(10_000), long(10_000), long(10_000), long(60_000), long(1)]), [2, 1, 1, 1]);
        for part in parts(&notes) {
            assert!(characters(part) <= MOST_CHARACTERS);
        }
    }

    #[test]
    fn a_part_may_be_just_as_long_as_it_may() {
        let header = "queue[1]{kind,file,heading,occurrence,quote,note}:\n".len();
        let row = "  chat,-,-,0,-,do \n".len();
        let fits = note(&"x".repeat(MOST_CHARACTERS - header - 2 * row - 1));
        assert_eq!(lengths(&[fits.clone(), note("y")]), [2]);
        assert_eq!(lengths(&[fits, note("yz")]), [1, 1]);
    }
}
