//! The editor of the person's own choice, as `$EDITOR` or `$VISUAL` names it. Nothing else names one.

use std::io;
use std::path::Path;
use std::process::Command;

/// What a person's editor is called with, its own name first; `None` when nothing names one.
pub(super) fn chosen() -> Option<Vec<String>> {
    let named = ["EDITOR", "VISUAL"].into_iter().filter_map(std::env::var_os);
    let words = named.map(|editor| editor.to_string_lossy().split_whitespace().map(str::to_owned).collect());
    words.into_iter().find(|words: &Vec<String>| !words.is_empty())
}

/// Open `file` in the editor with these words, and wait; whether it ended well.
///
/// # Errors
/// When it cannot be started.
pub(super) fn open(editor: &[String], file: &Path) -> io::Result<bool> {
    let (program, words) = editor.split_first().expect("an editor that was chosen has a name");
    Ok(Command::new(program).args(words).arg(file).status()?.success())
}
