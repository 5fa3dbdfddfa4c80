//! The added lines of a section as runs, for who goes through those that lack something.

use super::{Mark, Marks, added_lines};
use crate::diff::NewLine;
use crate::document::Section;

/// The added lines of `section` that `wants` takes by what the notes say about them: first and last line of each run
/// without a gap, in the order of the hunks.
#[must_use]
pub fn runs(section: &Section, marks: &Marks, wants: impl Fn(Option<Mark>) -> bool) -> Vec<(u64, u64)> {
    runs_where(section, |line| wants(marks.new_line(line)))
}

/// The same by the numbers of the lines.
#[must_use]
pub fn runs_where(section: &Section, wants: impl Fn(NewLine) -> bool) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for line in added_lines(section.tree()).filter(|line| wants(*line)) {
        match runs.last_mut() {
            Some((_, end)) if end.checked_add(1) == Some(line.0) => *end = line.0,
            _ => runs.push((line.0, line.0)),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    #[test]
    fn runs_end_where_a_line_is_not_wanted_or_not_added() {
        let document = Document::parse(
            "@file a\n@@ -1,2 +1,6 @@\n+a\n+b\n x\n+c\n-y\n+d\n+e\n@@ -20 +24 @@\n+f\n\n\
             @note +2 kind=intent\nwhy: x\n@note +5..6\nverify: type => pass\n@note -2\nwhy: y\n@note file\nwhy: z\n",
        );
        let section = &document.parts()[1];
        let runs = |wants: fn(Option<Mark>) -> bool| runs(section, &Marks::of(section), wants);
        assert_eq!(runs(|mark| mark.is_none()), [(1, 1), (4, 4), (24, 24)]);
        assert_eq!(runs(|mark| mark.is_some_and(|mark| !mark.verified)), [(2, 2)]);
        assert_eq!(runs(|_| true), [(1, 2), (4, 6), (24, 24)]);
    }
}
