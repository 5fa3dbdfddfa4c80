//! What the outside world can refuse, one variant a refusal, each with the path, revision or command it is about.
//!
//! The message is one sentence; [`Error::hint`] says what to try. Text that is wrong is never an error: parsers report
//! [diagnostics](crate::diagnostic).

mod hint;
mod words;

use std::io;
use std::path::PathBuf;

use bstr::BString;

use crate::document::edit::EditError;
use crate::skeleton::git_patch::Fault;

pub(crate) use words::io_reason;
use words::{index_reason, nothing_in, perhaps};

/// Why something could not be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// No repository at a folder or above it.
    #[error("{} is not in a git repository", .dir.display())]
    NotARepository {
        /// Where the search began.
        dir: PathBuf,
    },
    /// A repository is there, but cannot be opened.
    #[error("cannot open the git repository of {}: {}", .dir.display(), .source.message())]
    OpenRepository {
        /// Where the search began.
        dir: PathBuf,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// A scope needs files on disk, and the repository is bare.
    #[error("{} has no working tree, and `{scope}` compares files on disk", .git_dir.display())]
    NoWorkingTree {
        /// The repository's own folder.
        git_dir: PathBuf,
        /// The word of the scope.
        scope: &'static str,
    },
    /// HEAD cannot be read.
    #[error("cannot read HEAD: {}", .source.message())]
    ReadHead {
        /// What libgit2 says.
        source: git2::Error,
    },
    /// The index cannot be read.
    #[error("cannot read the index of the repository: {}", index_reason(.source))]
    ReadIndex {
        /// What libgit2 says.
        source: git2::Error,
    },
    /// A revision that names nothing.
    #[error("`{revision}` is no commit of this repository: {}", .source.message())]
    ResolveRevision {
        /// What was asked for.
        revision: String,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// A commit was asked for before there is one.
    #[error("there is no commit yet")]
    NoCommit {
        /// Whether the repository has no working tree.
        is_bare: bool,
    },
    /// An empty revision.
    #[error("the revision is empty")]
    EmptyRevision,
    /// No branch to compare with was named, and none of the usual ones is there.
    #[error("no base to compare the branch with: there is no origin/HEAD, origin/main, origin/master, main or master")]
    NoBase,
    /// Two commits without a common ancestor.
    #[error("`{base}` and `{head}` have no common ancestor")]
    NoMergeBase {
        /// The older side.
        base: String,
        /// The newer side.
        head: String,
    },
    /// An object that history refers to is not in the repository.
    #[error("cannot read {what}: {}", .source.message())]
    ReadObject {
        /// Which one, for a person.
        what: BString,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// The two sides of a scope cannot be compared.
    #[error("cannot list the {scope} changes: {}", .source.message())]
    ListChanges {
        /// The word of the scope.
        scope: &'static str,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// The lines of one file cannot be compared.
    #[error("cannot compare {path}: {}", .source.message())]
    CompareFile {
        /// The path in the repository.
        path: BString,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// The `git` program, which is asked where libgit2 cannot do it, fails.
    #[error("git cannot {what}: {message}")]
    GitProgram {
        /// What it was asked for.
        what: &'static str,
        /// What it says.
        message: String,
    },
    /// A patch cannot be read.
    #[error("{name} cannot be read as a patch: {fault}")]
    ReadPatch {
        /// Where it comes from.
        name: String,
        /// What is wrong with it, and where.
        fault: Fault,
    },
    /// A path argument that points outside.
    #[error("{} is outside the repository at {}", .path.display(), .root.display())]
    OutsideRepository {
        /// The argument.
        path: PathBuf,
        /// The top of the working tree.
        root: PathBuf,
    },
    /// A name that nobody typed leads away, by a link that the repository brought along.
    #[error("{} leads out of {}: to {}", .path.display(), .folder.display(), .target.display())]
    LeadsOutside {
        /// The name.
        path: PathBuf,
        /// The folder that it was to stay in.
        folder: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// A name that nobody typed leads into git's own folder.
    #[error("{} leads to {}, which belongs to git", .path.display(), .target.display())]
    LeadsIntoGit {
        /// The name.
        path: PathBuf,
        /// Where it leads.
        target: PathBuf,
    },
    /// A path argument in git's `:(…)` notation.
    #[error("`{spec}` has pathspec magic that is not understood here")]
    PathspecMagic {
        /// The argument.
        spec: String,
    },
    /// The scope holds no change.
    #[error("{}", nothing_in(.scope))]
    NoChanges {
        /// The word of the scope.
        scope: &'static str,
    },
    /// The scope holds no change, in a repository without commits.
    #[error("no {scope} changes, and there is no commit yet")]
    NoChangesYet {
        /// The word of the scope.
        scope: &'static str,
    },
    /// The scope holds no change of the files that were asked for.
    #[error("no changed file matches `{paths}` ({scope} changes)")]
    NoMatch {
        /// The word of the scope.
        scope: &'static str,
        /// What was asked for, with a backtick between two.
        paths: String,
    },
    /// The scope holds nothing but files with a conflict.
    #[error("no {scope} changes to show: {notice}")]
    OnlyConflicts {
        /// The word of the scope.
        scope: &'static str,
        /// How many, and which.
        notice: String,
    },
    /// A review is there already.
    #[error("{} is there already and is not overwritten", .path.display())]
    ReviewExists {
        /// The file.
        path: PathBuf,
    },
    /// A file cannot be read.
    #[error("cannot read {}: {}", .path.display(), io_reason(.source))]
    ReadFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Only regular files are read.
    #[error("{} is {what}, and no file", .path.display())]
    NotAFile {
        /// Its name.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// A file of 4 GiB or more.
    #[error("{} is too large: {bytes} bytes, and a review holds less than 4 GiB", .path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: u64,
    },
    /// Standard input cannot be read.
    #[error("cannot read standard input: {}", io_reason(.source))]
    ReadInput {
        /// What the system says.
        source: io::Error,
    },
    /// A reply whose text stands in the arguments, and was to be read too.
    #[error("the text is given twice: with --stdin the only word is the session")]
    TwoTexts,
    /// Standard input was to be changed in place.
    #[error("standard input cannot be mended in place")]
    FixStandardInput,
    /// No finding has this code.
    #[error("no finding has the code `{code}`{}", perhaps(.near))]
    UnknownCode {
        /// The code.
        code: String,
        /// Codes that were perhaps meant.
        near: Vec<&'static str>,
    },
    /// No theme has this name.
    #[error("there is no theme `{name}`: there are {}", .known.join(", "))]
    UnknownTheme {
        /// The name.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// Nothing that the help explains has this name.
    #[error("there is no command or topic `{name}`")]
    UnknownTopic {
        /// The name.
        name: String,
    },
    /// A template with no place for the changes.
    #[error("the template {} has no `{place}`, where the changes go", .path.display())]
    NoPlaceInTemplate {
        /// The file.
        path: PathBuf,
        /// What stands for it.
        place: &'static str,
    },
    /// No note has this id.
    #[error("{review} holds no note with the id `{id}`")]
    NoSuchNote {
        /// The id.
        id: String,
        /// The review.
        review: String,
    },
    /// No section is about this file.
    #[error("{review} holds no file `{path}`")]
    NoSuchFile {
        /// The path.
        path: String,
        /// The review.
        review: String,
    },
    /// What a note is to be about can't be read.
    #[error("`{raw}` is no selector")]
    BadSelector {
        /// The argument.
        raw: String,
    },
    /// A note is to be about lines that are not in its file's diff.
    #[error("the diff of {file} doesn't hold `{selector}`; of that side it has {has}")]
    NoSuchLines {
        /// What the note is about.
        selector: String,
        /// The file.
        file: String,
        /// The lines that are there.
        has: String,
    },
    /// A note is to be about lines that are in no file's diff.
    #[error("no file of the review has all lines of `{selector}` in its diff")]
    NoFileHasLines {
        /// What the note is about.
        selector: String,
    },
    /// A note could be about several files.
    #[error("`{selector}` could be about several files: {files}")]
    SeveralFiles {
        /// What the note is about.
        selector: String,
        /// Their paths.
        files: String,
    },
    /// A note that says nothing.
    #[error("the note says nothing")]
    EmptyNote,
    /// A note whose text is no text.
    #[error("the note's text is not UTF-8")]
    NoteNotText,
    /// A note's text with a field that cannot be given this way.
    #[error("the note's text has a field `{field}:`, which cannot be written this way")]
    NoteField {
        /// Its name.
        field: &'static str,
    },
    /// A folder cannot be made.
    #[error("cannot create the folder {}: {}", .path.display(), io_reason(.source))]
    CreateFolder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The lock that keeps two writers apart cannot be taken.
    #[error("cannot lock {} for writing: {}", .path.display(), io_reason(.source))]
    LockFile {
        /// The file that was to be written.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {}: {}", .path.display(), io_reason(.source))]
    WriteFile {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Somebody wrote a file between the look at it and the answer.
    #[error("{} was changed by somebody else meanwhile, and is left as it is", .path.display())]
    ChangedMeanwhile {
        /// The file.
        path: PathBuf,
    },
    /// A review whose diff cannot be replaced without changing what else it says.
    #[error("cannot refresh {}: {source}", .path.display())]
    CannotRefresh {
        /// The review.
        path: PathBuf,
        /// Why.
        source: EditError,
    },
    /// A review that does not say which changes it is about.
    #[error("{} does not say which changes it is about", .path.display())]
    UnknownScope {
        /// The review.
        path: PathBuf,
    },
    /// Lines of a file are not staged, unstaged or discarded, for a reason.
    #[error("{path} is left as it is: {reason}")]
    CannotChange {
        /// The path in the repository.
        path: BString,
        /// Why, as a clause.
        reason: String,
    },
    /// The repository or the working tree has something else of a file than the review shows, so that nothing is done to it.
    #[error("{path} is left as it is: {reason}")]
    Outdated {
        /// The path in the repository.
        path: BString,
        /// What has something else, as a clause.
        reason: String,
    },
    /// A file is not what an act has left, or is about to change: taking the act back would undo what came since.
    #[error("{path} is left as it is: {reason}")]
    ChangedSince {
        /// The path in the repository.
        path: BString,
        /// What it is by now, as a clause.
        reason: String,
    },
    /// The index, or an object that it is to name, cannot be written.
    #[error("cannot write the index: {}", .source.message())]
    WriteIndex {
        /// What libgit2 says.
        source: git2::Error,
    },
    /// Somebody who takes no lock writes the same file all the time.
    #[error("{} keeps being changed by another program", .path.display())]
    WriteContended {
        /// The file.
        path: PathBuf,
    },
    /// The output, usually a pipe, takes no more.
    #[error("cannot write the output: {}", io_reason(.source))]
    WriteOutput {
        /// What the system says.
        source: io::Error,
    },
    /// A file that the reviewer cannot show.
    #[error("{} is no review: its name does not end in .whymark", .path.display())]
    NotAReview {
        /// The file.
        path: PathBuf,
    },
    /// A name that is neither that of a file nor that of a scope.
    #[error("there is neither a file nor a scope called {}", .path.display())]
    NoSuchTarget {
        /// The name.
        path: PathBuf,
    },
    /// A document that is no text.
    #[error("{} is no text", .path.display())]
    NotText {
        /// The file.
        path: PathBuf,
    },
    /// A folder without documents.
    #[error("there is no text in {}", .folder.display())]
    NoDocuments {
        /// The folder.
        folder: PathBuf,
    },
    /// A new repository cannot be made.
    #[error("cannot make a git repository in {}: {}", .folder.display(), .source.message())]
    MakeRepository {
        /// Where.
        folder: PathBuf,
        /// What libgit2 says.
        source: git2::Error,
    },
    /// There is no terminal to draw on.
    #[error("the reviewer needs a terminal, and the output or the input is none")]
    NoTerminal,
    /// The terminal fails.
    #[error("cannot use the terminal: {}", io_reason(.source))]
    UseTerminal {
        /// What the system says.
        source: io::Error,
    },
    /// Nobody allowed the commands of a review to be run.
    #[error("nothing was run")]
    Declined,
    /// Signals cannot be handled, so that commands would outlive the program.
    #[error("cannot handle signals: {}", io_reason(.source))]
    HandleSignals {
        /// What the system says.
        source: io::Error,
    },
    /// The program was started as a watcher, and not by itself.
    #[error("cannot watch over a command: {}", io_reason(.source))]
    Watch {
        /// What the system says.
        source: io::Error,
    },
    /// The folder to work in cannot be entered.
    #[error("cannot enter the folder {}: {}", .path.display(), io_reason(.source))]
    EnterFolder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}

impl Error {
    /// The same, about the changes of `scope`, which were put together from lists of another.
    #[must_use]
    pub fn of_scope(self, scope: &'static str) -> Self {
        match self {
            Self::ListChanges { source, .. } => Self::ListChanges { scope, source },
            other => other,
        }
    }

    /// Whether nobody reads the output any more, which is no failure.
    #[must_use]
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Self::WriteOutput { source } if source.kind() == io::ErrorKind::BrokenPipe)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_one_sentence_with_the_reason() {
        let source = io::Error::from_raw_os_error(13);
        let error = Error::WriteFile { path: "reviews/a.whymark".into(), source };
        assert_eq!(error.to_string(), "cannot write reviews/a.whymark: permission denied");
        assert!(error.hint().is_some_and(|hint| hint.contains("-o")));
    }

    #[test]
    fn a_closed_pipe_is_told_apart() {
        let closed = |kind: io::ErrorKind| Error::WriteOutput { source: kind.into() }.is_closed_pipe();
        assert!(closed(io::ErrorKind::BrokenPipe));
        assert!(!closed(io::ErrorKind::StorageFull));
    }
}
