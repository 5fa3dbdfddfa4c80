//! What can be asked for where files are walked through as they are: all but what is about a diff.

use super::super::command::Command;
use super::super::model::Model;

/// Why `command` does nothing, where there is no diff that it could be about.
pub(super) fn refusal(model: &Model, command: Command) -> Option<String> {
    model.review.passages.as_ref()?;
    let words = match command {
        Command::Note | Command::NoteOnFile | Command::NoteOnChange | Command::NoteOnUnexplained | Command::Claim => {
            return model.no_notes();
        }
        Command::Stage | Command::Unstage | Command::Discard => {
            "these files are shown as they are: only the lines of a diff are staged or discarded"
        }
        Command::NextUncovered
        | Command::PrevUncovered
        | Command::OnlyUncovered
        | Command::NextUntested
        | Command::PrevUntested => "these files are shown as they are: no line of them was added",
        Command::Split | Command::Intraline => "these files are shown as they are: there is no other side",
        Command::Unfold | Command::Fold | Command::ToggleFold => "all lines of the file are shown already",
        Command::Verify | Command::Evidence | Command::ReviewState => {
            "these files are shown as they are: claims, evidence and a state has the review of a diff"
        }
        _ => return None,
    };
    Some(words.to_owned())
}
