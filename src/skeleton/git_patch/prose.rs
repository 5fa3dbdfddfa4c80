//! What stands between the files of a patch: mail headers, messages, signatures. Read for the name of the commit only.

use bstr::ByteSlice as _;

/// What the prose says.
#[derive(Debug, Default)]
pub(super) struct Prose {
    says_something: bool,
    commits: Vec<String>,
    subjects: Vec<String>,
    /// What the next line may go on with.
    state: State,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Anything,
    /// A `Subject:` that the next line may go on with.
    Subject,
    /// Behind `commit ID`, in front of its message.
    Commit,
}

impl Prose {
    /// Read a line.
    pub(super) fn read(&mut self, line: &[u8]) {
        // What git prints for a path with a conflict, of which it shows no lines.
        self.says_something |= !line.trim().is_empty() && !line.starts_with(b"* Unmerged path ");
        let line = line.trim_end();
        if self.state == State::Subject
            && let Some(rest) = line.strip_prefix(b" ")
            && let Some(subject) = self.subjects.last_mut()
        {
            subject.push(' ');
            subject.push_str(&rest.trim().to_str_lossy());
            return;
        }
        if let Some(id) = line.strip_prefix(b"commit ").and_then(id) {
            self.commits.push(id);
            self.state = State::Commit;
        } else if let Some(id) = line.strip_prefix(b"From ").and_then(id) {
            self.commits.push(id);
            self.state = State::Anything;
        } else if let Some(subject) = line.strip_prefix(b"Subject: ") {
            self.subjects.push(without_tag(subject).to_str_lossy().into_owned());
            self.state = State::Subject;
        } else if self.state == State::Commit
            && let Some(subject) = line.strip_prefix(b"    ").filter(|line| !line.is_empty())
        {
            self.subjects.push(subject.to_str_lossy().into_owned());
            self.state = State::Anything;
        } else if self.state == State::Subject {
            self.state = State::Anything;
        }
    }

    /// Whether there was anything but blank lines.
    pub(super) fn says_something(&self) -> bool {
        self.says_something
    }

    /// Subject and id, where exactly one commit is named.
    pub(super) fn only_commit(self) -> (Option<String>, Option<String>) {
        let only = |mut all: Vec<String>| if all.len() == 1 { all.pop() } else { None };
        // An encoded subject would have to be decoded by the rules of mail.
        let subject = only(self.subjects).filter(|subject| !subject.is_empty() && !subject.contains("=?"));
        (subject, only(self.commits))
    }
}

/// The object id that `rest` begins with.
fn id(rest: &[u8]) -> Option<String> {
    let word = rest.split(|byte| *byte == b' ').next()?;
    let is_id = (7..=64).contains(&word.len()) && word.iter().all(u8::is_ascii_hexdigit);
    is_id.then(|| word.to_str_lossy().into_owned())
}

/// A subject without `[PATCH 1/2]`.
fn without_tag(subject: &[u8]) -> &[u8] {
    match subject.strip_prefix(b"[").and_then(|rest| rest.split_once_str(b"] ")) {
        Some((_, rest)) => rest.trim(),
        None => subject.trim(),
    }
}
