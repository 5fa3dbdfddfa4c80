//! The words that refusals have in common.

use std::io;

/// That a scope is empty, as a sentence.
pub(super) fn nothing_in(scope: &str) -> String {
    match scope {
        "commit" | "branch" => format!("the {scope} changes no file"),
        "manual" => "the patch is empty: it changes no file".to_owned(),
        _ => format!("no {scope} changes"),
    }
}

/// Why an index cannot be read. One that is too short to be one has gone, for libgit2.
pub(super) fn index_reason(source: &git2::Error) -> String {
    let message = source.message();
    if is_damage(source) { "it is damaged".to_owned() } else { message.to_owned() }
}

/// Whether what libgit2 says about an index means that its bytes are not those of one.
pub(super) fn is_damage(source: &git2::Error) -> bool {
    ["no longer exists", "invalid data in index", "checksum"].iter().any(|word| source.message().contains(word))
}

/// Names that were perhaps meant, as the end of a sentence.
pub(super) fn perhaps(near: &[&str]) -> String {
    if near.is_empty() { String::new() } else { format!("; near it: {}", near.join(", ")) }
}

/// The reason without the number that the standard library adds.
pub(crate) fn io_reason(source: &io::Error) -> String {
    let text = source.to_string();
    if source.raw_os_error().is_none() && source.kind() == io::ErrorKind::NotFound {
        return "no such file or directory".to_owned();
    }
    match text.split_once(" (os error") {
        Some((reason, _)) => reason.to_lowercase(),
        None => text,
    }
}
