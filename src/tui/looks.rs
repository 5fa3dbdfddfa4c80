//! What the reader has looked at: marks on files and hunks, and what was there when the review was last left. Pure; where
//! it outlives the program is the business of `keep`.
//!
//! Both are bound to content, by hash: whatever changes is not viewed any more, and what comes back is again.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::rows::{Folding, Show};
use crate::diff::LineKind;
use crate::document::{HunkLineKind, Section};

/// The most ids that are kept of a review; of a longer one it is not known later what was there.
const MOST_KEPT: usize = 100_000;

/// What a hunk says, or what there is to say about a file besides its hunks: the beginning of a SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContentId([u8; 16]);

impl ContentId {
    fn of(hash: Sha256) -> Self {
        let whole = hash.finalize();
        Self(std::array::from_fn(|index| whole[index]))
    }
}

impl fmt::Debug for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for ContentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::str::FromStr for ContentId {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let is_hex = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let byte = |at: usize| u8::from_str_radix(&text[2 * at..2 * at + 2], 16).unwrap_or(0);
        is_hex.then(|| Self(std::array::from_fn(byte))).ok_or(())
    }
}

/// The ids of a part. Line numbers are not in them: a hunk that only moves says the same.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ContentIds {
    /// Of the file: its path, status, modes, and what stands for content that is no text. `None` where no file is named.
    pub file: Option<ContentId>,
    /// Of each hunk, in order. Of hunks that say the same each has an id of its own.
    pub hunks: Vec<ContentId>,
}

impl ContentIds {
    /// Those of `section`.
    #[must_use]
    pub fn of(section: &Section) -> Self {
        let tree = section.tree();
        let Some(file) = &tree.file else { return Self::default() };
        let mut about = Sha256::new();
        let text = |span: Option<crate::text::Span>| span.map(|span| span.of(section.text()).to_vec());
        // Where there are lines, they say what the ids of the blobs say.
        let [old, new] = [file.old_sha, file.new_sha].map(|id| text(id).filter(|_| tree.hunks.is_empty()));
        let facts = format!("{:?} {:?} {:?} {}", file.status, file.old_mode, file.new_mode, file.binary);
        let fields = [Some(file.path.to_vec()), file.old_path.as_ref().map(|path| path.to_vec()), old, new];
        about.update(facts);
        for field in fields {
            about.update([u8::from(field.is_some())]);
            about.update(field.as_ref().map_or(0, Vec::len).to_le_bytes());
            about.update(field.unwrap_or_default());
        }
        let mut seen: BTreeMap<ContentId, u32> = BTreeMap::new();
        let hunks = tree.hunks.iter().map(|hunk| {
            let mut says = Sha256::new();
            says.update(&*file.path);
            says.update([0]);
            for line in tree.hunk_lines(hunk) {
                let sign = match line.kind {
                    HunkLineKind::Diff(LineKind::Added) => b'+',
                    HunkLineKind::Diff(LineKind::Removed) => b'-',
                    HunkLineKind::Diff(LineKind::NoNewline) => b'\\',
                    HunkLineKind::Diff(LineKind::Context) | HunkLineKind::Unprefixed => b' ',
                    HunkLineKind::Separator | HunkLineKind::Comment | HunkLineKind::Stray => continue,
                };
                says.update([sign]);
                says.update(section.line_text(line));
                says.update(b"\n");
            }
            let first = ContentId::of(says);
            let count = seen.entry(first).or_default();
            *count += 1;
            match *count {
                1 => first,
                count => {
                    let mut again = Sha256::new();
                    again.update(first.0);
                    again.update(count.to_le_bytes());
                    ContentId::of(again)
                }
            }
        });
        let hunks = hunks.collect();
        Self { file: Some(ContentId::of(about)), hunks }
    }

    /// All of them.
    pub fn ids(&self) -> impl Iterator<Item = ContentId> + '_ {
        self.file.into_iter().chain(self.hunks.iter().copied())
    }
}

/// What the reader has looked at, and what of the review is shown because of it.
#[derive(Debug, Clone, Default)]
pub struct Looks {
    /// What is marked as viewed.
    marked: HashSet<ContentId>,
    /// What was there when the review was last left or marked; `None`: nobody has looked yet.
    seen: Option<HashSet<ContentId>>,
    /// Whether that is remembered.
    is_remembered: bool,
    /// Whether what is viewed is left out.
    pub hides_viewed: bool,
    /// Whether only that is shown that was not there at the last look.
    pub only_new: bool,
}

/// What is to be remembered of a look, beside what others remember.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Remembered {
    /// What is viewed now.
    pub marked: Vec<ContentId>,
    /// What is not viewed any more.
    pub unmarked: Vec<ContentId>,
    /// What was there at the end; `None`: as before.
    pub seen: Option<Vec<ContentId>>,
}

impl Looks {
    /// Whether the file of a part is viewed: all that there is to say about it.
    #[must_use]
    pub fn is_viewed(&self, contents: &ContentIds) -> bool {
        contents.file.is_some() && contents.ids().all(|id| self.marked.contains(&id))
    }

    /// Whether the hunk with the index `hunk` is.
    #[must_use]
    pub fn is_hunk_viewed(&self, contents: &ContentIds, hunk: usize) -> bool {
        contents.hunks.get(hunk).is_some_and(|id| self.marked.contains(id))
    }

    /// Whether something of a part was not there at the last look.
    #[must_use]
    pub fn has_news(&self, contents: &ContentIds) -> bool {
        contents.ids().any(|id| self.is_new(id))
    }

    fn is_new(&self, id: ContentId) -> bool {
        self.seen.as_ref().is_some_and(|seen| !seen.contains(&id))
    }

    /// Mark `ids` as viewed, or as not; what has to be remembered.
    pub fn mark(&mut self, ids: &[ContentId], viewed: bool) -> Remembered {
        if viewed {
            self.marked.extend(ids);
            if let Some(seen) = &mut self.seen {
                seen.extend(ids);
            }
            return Remembered { marked: ids.to_vec(), ..Remembered::default() };
        }
        for id in ids {
            self.marked.remove(id);
        }
        Remembered { unmarked: ids.to_vec(), ..Remembered::default() }
    }

    /// All of the review has been read, `ids`: without an earlier look this is what later ones are compared with.
    pub fn begin(&mut self, ids: impl Iterator<Item = ContentId>) {
        self.seen.get_or_insert_with(|| ids.collect());
    }

    /// The review is left with `ids` in it; what has to be remembered, if it is something else than before.
    #[must_use]
    pub fn leave(&self, ids: impl Iterator<Item = ContentId>) -> Option<Remembered> {
        let ids: BTreeSet<ContentId> = ids.collect();
        let is_same = |seen: &HashSet<ContentId>| seen.len() == ids.len() && ids.iter().all(|id| seen.contains(id));
        let is_same = self.is_remembered && self.seen.as_ref().is_some_and(is_same);
        (!is_same).then(|| Remembered { seen: Some(ids.into_iter().collect()), ..Remembered::default() })
    }

    /// How much of a part is shown.
    #[must_use]
    pub fn folding(&self, contents: &ContentIds) -> Folding {
        let Some(file) = contents.file else { return Folding::default() };
        let of = |id: ContentId| match (self.only_new && !self.is_new(id), self.marked.contains(&id)) {
            (true, _) => Show::Nothing,
            (false, true) if self.hides_viewed => Show::Nothing,
            (false, true) => Show::Head,
            (false, false) => Show::Whole,
        };
        let hunks: Vec<Show> = contents.hunks.iter().map(|id| of(*id)).collect();
        let is_gone = self.only_new && !self.has_news(contents);
        let file = match (is_gone, self.is_viewed(contents)) {
            (true, _) => Show::Nothing,
            (false, true) => of(file),
            (false, false) => Show::Whole,
        };
        Folding { file, hunks }
    }
}

/// Looks as they are kept.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Kept {
    marked: BTreeSet<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<Vec<String>>,
}

impl Kept {
    /// What cannot be read is as good as nothing: a look is taken again.
    fn read(json: &[u8]) -> Self {
        serde_json::from_slice(json).unwrap_or_default()
    }
}

impl Looks {
    /// What an earlier look left.
    #[must_use]
    pub fn from_json(json: &[u8]) -> Self {
        let kept = Kept::read(json);
        let ids = |texts: &mut dyn Iterator<Item = &String>| texts.filter_map(|text| text.parse().ok()).collect();
        let seen = kept.seen.as_ref().map(|seen| ids(&mut seen.iter()));
        Self { marked: ids(&mut kept.marked.iter()), is_remembered: seen.is_some(), seen, ..Self::default() }
    }
}

impl Remembered {
    /// `json`, what was kept so far, with this.
    #[must_use]
    pub fn kept_in(&self, json: &[u8]) -> String {
        let mut kept = Kept::read(json);
        for id in &self.unmarked {
            kept.marked.remove(&id.to_string());
        }
        kept.marked.extend(self.marked.iter().map(ToString::to_string));
        if let Some(seen) = &self.seen {
            // What is not in the review any more needs no mark; but it may come back soon.
            if kept.marked.len() > MOST_KEPT {
                let there: HashSet<String> = seen.iter().map(ToString::to_string).collect();
                kept.marked.retain(|id| there.contains(id));
            }
            kept.seen = (seen.len() <= MOST_KEPT).then(|| seen.iter().map(ToString::to_string).collect());
        } else if let Some(seen) = &mut kept.seen {
            seen.extend(self.marked.iter().map(ToString::to_string));
            seen.sort_unstable();
            seen.dedup();
        }
        serde_json::to_string(&kept).expect("there are only texts in it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;

    const TEXT: &str =
        "@file a.rs modified newsha=1234567\n@@ -1,2 +1,3 @@\n one\n+two\n three\n@@ -9 +10 @@\n-nine\n+ten\n";

    fn contents(text: &str) -> ContentIds {
        ContentIds::of(&Document::parse(text.to_owned()).parts()[1])
    }

    #[test]
    fn an_id_is_of_what_is_said_and_not_of_where() {
        let before = contents(TEXT);
        for same in [
            TEXT.replace("-1,2 +1,3", "-101,2 +101,3"),
            TEXT.replace("newsha=1234567", "newsha=7654321"),
            format!("{TEXT}\n@note file\nwhy: x\n"),
            TEXT.replace(" three\n", " three\n\n# about\n"),
        ] {
            assert_eq!(contents(&same), before, "{same}");
        }
        for (other, file, hunks) in [
            (TEXT.replace("+two", "+two "), true, [false, true]),
            (TEXT.replace("+two", " two"), true, [false, true]),
            (TEXT.replace("+ten\n", "+ten\n\\ No newline at end of file\n"), true, [true, false]),
            (TEXT.replace("a.rs", "b.rs"), false, [false, false]),
            (TEXT.replace("newsha", "newmode=100755 newsha"), false, [true, true]),
        ] {
            let after = contents(&other);
            let same: Vec<bool> =
                after.hunks.iter().zip(&before.hunks).map(|(after, before)| after == before).collect();
            assert_eq!((after.file == before.file, same.as_slice()), (file, &hunks[..]), "{other}");
        }
        let binary = "@file p.png modified newsha=1234567 binary\n";
        assert_ne!(contents(binary), contents(&binary.replace("1234567", "7654321")));
    }

    #[test]
    fn hunks_that_say_the_same_are_viewed_one_by_one() {
        let twice = contents("@file a\n@@ -1 +1 @@\n-x\n+y\n@@ -9 +9 @@\n-x\n+y\n");
        assert_ne!(twice.hunks[0], twice.hunks[1]);
        let mut looks = Looks::default();
        looks.mark(&twice.hunks[..1], true);
        assert!(looks.is_hunk_viewed(&twice, 0) && !looks.is_hunk_viewed(&twice, 1) && !looks.is_viewed(&twice));
    }

    #[test]
    fn what_is_remembered_is_known_again() {
        let all = contents(TEXT);
        let ids: Vec<ContentId> = all.ids().collect();
        let mut looks = Looks::default();
        looks.begin(ids.iter().copied());
        let json = looks.mark(&ids, true).kept_in(b"");
        let json = looks.leave(ids.iter().copied()).expect("nothing is known yet").kept_in(json.as_bytes());
        let mut again = Looks::from_json(json.as_bytes());
        assert!(again.is_viewed(&all) && !again.has_news(&all));
        assert_eq!(again.leave(ids.iter().copied()), None);
        let changed = contents(&TEXT.replace("+two", "+2"));
        assert!(!again.is_viewed(&changed) && again.has_news(&changed) && again.is_hunk_viewed(&changed, 1));
        // Another reviewer has marked something in between.
        let other = Remembered { marked: changed.hunks.clone(), ..Remembered::default() }.kept_in(json.as_bytes());
        let both = Looks::from_json(again.mark(&ids, false).kept_in(other.as_bytes()).as_bytes());
        assert!(both.is_hunk_viewed(&changed, 0) && !both.is_viewed(&all));
        for broken in ["", "{", "[]", r#"{"marked": ["x", "é"], "seen": 7}"#] {
            assert!(!Looks::from_json(broken.as_bytes()).is_viewed(&all));
        }
    }

    #[test]
    fn of_too_many_marks_those_of_the_review_stay() {
        let id = |number: usize| ContentId::of(Sha256::new_with_prefix(number.to_string()));
        let older = Remembered { marked: (0..=MOST_KEPT).map(id).collect(), ..Remembered::default() };
        let own: Vec<ContentId> = (MOST_KEPT..MOST_KEPT + 100).map(id).collect();
        let leaving = Remembered { marked: own.clone(), seen: Some(own.clone()), ..Remembered::default() };
        let kept = Kept::read(leaving.kept_in(older.kept_in(b"").as_bytes()).as_bytes());
        let wanted = own.iter().map(ToString::to_string);
        assert_eq!(kept.marked.into_iter().collect::<HashSet<_>>(), wanted.collect());
    }

    #[test]
    fn what_is_shown() {
        use Show::*;
        let all = contents(TEXT);
        let mut looks = Looks::default();
        let shown =
            |looks: &Looks, contents: &ContentIds| (looks.folding(contents).file, looks.folding(contents).hunks);
        assert_eq!(shown(&looks, &all), (Whole, vec![Whole, Whole]));
        looks.mark(&all.hunks[..1], true);
        assert_eq!(shown(&looks, &all), (Whole, vec![Head, Whole]));
        looks.hides_viewed = true;
        assert_eq!(shown(&looks, &all), (Whole, vec![Nothing, Whole]));
        looks.mark(&all.ids().collect::<Vec<_>>(), true);
        assert_eq!(shown(&looks, &all), (Nothing, vec![Nothing, Nothing]));
        looks.hides_viewed = false;
        assert_eq!(shown(&looks, &all), (Head, vec![Head, Head]));
        looks.begin(all.ids());
        looks.only_new = true;
        assert_eq!(shown(&looks, &all).0, Nothing);
        let changed = contents(&TEXT.replace("+two", "+2"));
        assert_eq!(shown(&looks, &changed), (Whole, vec![Whole, Nothing]));
    }
}
