//! Records that answer others, and what becomes of records (`@reply-to` and `@action`, section 6 of the format).

use std::collections::HashMap;

use super::append::add_action;
use super::headers::Unwritable;
use super::record::{Action, Record};
use super::{Edit, Markback};

/// A record in its thread. All are indices of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Post {
    /// The record.
    pub record: usize,
    /// The record that the thread begins with; the record itself where it answers none.
    pub root: usize,
    /// How many records lie between the record and nothing: 0 for the root, 1 for what answers it.
    pub depth: usize,
}

impl Markback {
    /// Every record once, what answers a record below it: threads in the order of their first records, answers in file
    /// order. A record that answers one that is not there, and the first of those that answer each other, begins a
    /// thread. Ids belong to the first record that has them. Linear.
    #[must_use]
    pub fn threads(&self) -> Vec<Post> {
        let records: Vec<Record<'_>> = self.records().collect();
        let mut ids = HashMap::new();
        for (index, record) in records.iter().enumerate() {
            if let Some(id) = &record.id {
                ids.entry(id.as_ref()).or_insert(index);
            }
        }
        let parents: Vec<Option<usize>> =
            records.iter().map(|record| ids.get(record.reply_to.as_deref()?).copied()).collect();
        let mut answers = vec![Vec::new(); records.len()];
        for (index, parent) in parents.iter().enumerate() {
            if let Some(parent) = parent {
                answers[*parent].push(index);
            }
        }
        let mut is_placed = vec![false; records.len()];
        let mut posts = Vec::with_capacity(records.len());
        let roots = (0..records.len()).filter(|index| parents[*index].is_none());
        // Who is in no thread by then is in a circle, or answers one.
        for root in roots.chain(0..records.len()) {
            let mut waiting = vec![(root, 0)];
            while let Some((record, depth)) = waiting.pop() {
                if !std::mem::replace(&mut is_placed[record], true) {
                    posts.push(Post { record, root, depth });
                    waiting.extend(answers[record].iter().rev().map(|answer| (*answer, depth + 1)));
                }
            }
        }
        posts.sort_by_key(|post| post.root);
        posts
    }

    /// The first record whose `@id` is `id`.
    #[must_use]
    pub fn with_id(&self, id: &str) -> Option<usize> {
        self.records().position(|record| record.id.as_deref() == Some(id))
    }

    /// The beginning of an answer to the record at `index`: it names the record, and the same file. `None` when there is
    /// no such record, or it has no id by which it could be named.
    #[must_use]
    pub fn answer_to(&self, index: usize) -> Option<Record<'static>> {
        let Record { id, file, .. } = self.record(index)?;
        let answer = Record { reply_to: Some(id?), file, ..Record::default() };
        Some(answer.into_owned())
    }

    /// The edit that resolves the record at `index`, or opens it again: an action as [`add_action`] adds it. `None` when
    /// there is nothing to do.
    ///
    /// # Errors
    /// As [`add_action`].
    ///
    /// # Panics
    /// When there is no such record.
    pub fn resolve(
        &self,
        index: usize,
        is_resolved: bool,
        timestamp: &str,
        actor: Option<&str>,
    ) -> Result<Option<Edit>, Unwritable> {
        if self.record(index).is_some_and(|record| record.is_resolved()) == is_resolved {
            return Ok(None);
        }
        let verb = if is_resolved { "resolved" } else { "reopened" };
        let action = Action { verb: verb.into(), timestamp: timestamp.into(), actor: actor.map(Into::into) };
        add_action(self, &self.entries[index], &action).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_stand_below_what_they_answer() {
        for (records, posts) in [
            (&[("a", ""), ("b", "a"), ("c", "")][..], &[(0, 0, 0), (1, 0, 1), (2, 2, 0)][..]),
            (&[("b", "a"), ("c", ""), ("a", "")], &[(1, 1, 0), (2, 2, 0), (0, 2, 1)]),
            (
                &[("a", ""), ("b", ""), ("c", "a"), ("d", "c"), ("e", "a")],
                &[(0, 0, 0), (2, 0, 1), (3, 0, 2), (4, 0, 1), (1, 1, 0)],
            ),
            (&[("a", ""), ("a", ""), ("c", "a")], &[(0, 0, 0), (2, 0, 1), (1, 1, 0)]),
            (&[("a", "gone")], &[(0, 0, 0)]),
            (&[("a", "a")], &[(0, 0, 0)]),
            (&[("a", "b"), ("b", "a"), ("c", "b")], &[(0, 0, 0), (1, 0, 1), (2, 0, 2)]),
            (&[("c", "b"), ("a", "b"), ("b", "a")], &[(0, 0, 0), (1, 1, 0), (2, 1, 1)]),
        ] {
            let header =
                |name: &str, value: &str| if value.is_empty() { String::new() } else { format!("@{name} {value}\n") };
            let record = |(id, to): &(&str, &str)| header("id", id) + &header("reply-to", to) + "<<< x\n";
            let text = records.iter().map(record).collect::<Vec<_>>().join("---\n");
            let found: Vec<_> =
                Markback::parse(text).threads().iter().map(|post| (post.record, post.root, post.depth)).collect();
            assert_eq!(found, posts, "{records:?}");
        }
    }

    #[test]
    fn an_answer_names_what_it_answers_and_its_file() {
        let file = Markback::parse("@id a\n@by b\n@file f:3\n<<< x\n@file g <<< y\n");
        let answer = Record { reply_to: Some("a".into()), file: Some("f:3".into()), ..Record::default() };
        assert_eq!(file.answer_to(0), Some(answer));
        assert_eq!((file.answer_to(1), file.answer_to(2)), (None, None));
        assert_eq!((file.with_id("a"), file.with_id("b")), (Some(0), None));
    }

    #[test]
    fn what_is_resolved_already_stays_as_it_is() {
        let file = Markback::parse("@id a\n<<< x\n");
        let resolved = file.resolve(0, true, "t", Some("b")).unwrap().expect("it is open").apply(file.text());
        assert_eq!(resolved, b"@id a\n@action resolved t b\n<<< x\n");
        assert_eq!(file.resolve(0, false, "t", None).unwrap().map(drop), None);
        assert_eq!(Markback::parse(resolved).resolve(0, true, "t", None).unwrap().map(drop), None);
    }
}
