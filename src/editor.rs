//! The editor of the person's own choice, as the environment names it. Nothing else names one.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::{Error, io_reason};
use crate::store;

/// What a person's editor is called with, its own name first, as the first of these `variables` says that names one: words
/// as a shell takes them, or the path of a program as it is. `None` when none does.
#[must_use]
pub fn chosen(variables: &[&str]) -> Option<Vec<String>> {
    let named = variables.iter().filter_map(std::env::var_os).map(|named| named.to_string_lossy().into_owned());
    let words = |named: String| {
        let is_program = named.contains(char::is_whitespace) && Path::new(&named).is_file();
        // What no shell could read is the editor's own name, so that it is said to be unknown.
        if is_program { vec![named] } else { shlex::split(&named).unwrap_or_else(|| vec![named]) }
    };
    named.map(words).find(|words| !words.is_empty())
}

/// Open `file` in the editor with these words, and wait; whether it ended well.
///
/// # Errors
/// When it cannot be started.
pub fn open(editor: &[String], file: &Path) -> io::Result<bool> {
    run(editor, &[file.as_os_str().to_owned()])
}

/// Open `file` at `line`, counted from 1, likewise.
///
/// # Errors
/// When it cannot be started.
pub fn open_at(editor: &[String], file: &Path, line: u64) -> io::Result<bool> {
    run(editor, &at_line(&editor[0], file, line))
}

fn run(editor: &[String], arguments: &[OsString]) -> io::Result<bool> {
    let (program, words) = editor.split_first().expect("an editor that was chosen has a name");
    let mut command = Command::new(program);
    command.args(words).args(arguments);
    // What came in by a pipe is no keyboard.
    if let Some(terminal) = (!io::stdin().is_terminal()).then(|| File::open("/dev/tty").ok()).flatten() {
        command.stdin(terminal);
    }
    Ok(command.status()?.success())
}

/// How editors are told the line to open a file at, by their names.
const LINE_STYLES: &[(LineStyle, &[&str])] = &[
    (
        LineStyle::Plus,
        &[
            "vi",
            "vim",
            "nvim",
            "view",
            "gvim",
            "mvim",
            "ex",
            "nano",
            "pico",
            "emacs",
            "emacsclient",
            "kak",
            "joe",
            "jed",
            "ne",
            "mg",
            "mcedit",
            "gedit",
        ],
    ),
    (LineStyle::Goto, &["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron"]),
    (LineStyle::Colon, &["hx", "helix", "zed", "zeditor", "subl", "sublime_text", "micro", "lapce"]),
];

/// Editors with a window of their own, which go on by themselves unless they are told to wait.
const WINDOWED: &[&str] =
    &["code", "code-insiders", "codium", "vscodium", "cursor", "windsurf", "positron", "zed", "zeditor", "subl"];

#[derive(Debug, Clone, Copy)]
enum LineStyle {
    /// `+7 file`
    Plus,
    /// `--goto file:7`
    Goto,
    /// `file:7`
    Colon,
}

/// The name of a program, without its folder and what it ends in.
fn name_of(program: &str) -> String {
    let name = Path::new(program).file_stem().unwrap_or_default();
    name.to_string_lossy().to_lowercase()
}

/// The arguments that make `program` open `file` at `line`; one that nobody knows gets the file alone.
fn at_line(program: &str, file: &Path, line: u64) -> Vec<OsString> {
    let name = name_of(program);
    let style = LINE_STYLES.iter().find(|(_, names)| names.contains(&name.as_str())).map(|(style, _)| *style);
    let with_line = || {
        let mut file = file.as_os_str().to_owned();
        file.push(format!(":{line}"));
        file
    };
    match style {
        Some(LineStyle::Plus) => vec![format!("+{line}").into(), file.as_os_str().to_owned()],
        Some(LineStyle::Goto) => vec!["--goto".into(), with_line()],
        Some(LineStyle::Colon) => vec![with_line()],
        None => vec![file.as_os_str().to_owned()],
    }
}

/// The words that make the editor wait until the file is closed.
fn waiting(editor: &[String]) -> Vec<String> {
    let is_told = editor.iter().any(|word| word == "--wait" || word == "-w");
    let is_windowed = editor.first().is_some_and(|program| WINDOWED.contains(&name_of(program).as_str()));
    let more = (is_windowed && !is_told).then(|| "--wait".to_owned());
    editor.iter().cloned().chain(more).collect()
}

/// Why a text did not come back from an editor.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentences say it")]
pub enum Failure {
    #[error("no editor is named: set VISUAL or EDITOR")]
    NoEditor,
    #[error("cannot run the editor `{program}`: {}; set VISUAL or EDITOR to one that is there", io_reason(.source))]
    Start { program: String, source: io::Error },
    #[error("the editor `{program}` has failed")]
    Ended { program: String },
    #[error("the editor `{program}` has failed; what was written is in {}", file.display())]
    EndedWithText { program: String, file: PathBuf },
    #[error("what was written is not UTF-8; it is in {}", file.display())]
    NotText { file: PathBuf },
    #[error("nothing was written, and the text is as before: the editor `{program}` has left no file")]
    Gone { program: String },
    #[error("what was written is longer than {} KiB, and no note; it is in {}", MOST >> 10, file.display())]
    TooLong { file: PathBuf },
    #[error("cannot use a temporary file: {}", io_reason(.0))]
    File(#[from] io::Error),
    #[error(transparent)]
    Read(#[from] Error),
}

/// The most bytes that are taken from an editor.
const MOST: u64 = 1 << 20;

/// Let a person edit `text` in a file that only they can read, and that is there no longer than it takes; `None` when they
/// have left it as it was.
///
/// # Errors
/// When there is no editor, or it fails, or the file. What was written is kept then.
pub fn edit(editor: Option<&[String]>, text: &str) -> Result<Option<String>, Failure> {
    let editor = waiting(editor.ok_or(Failure::NoEditor)?);
    let program = || editor[0].clone();
    let mut file = tempfile::Builder::new().prefix("whymark-").suffix(".whymark").tempfile()?;
    file.write_all(text.as_bytes())?;
    file.flush()?;
    // Editors replace files: the path counts, not what is open here.
    let path = file.into_temp_path();
    let is_done = open(&editor, &path).map_err(|source| Failure::Start { program: program(), source })?;
    let kept = |path: tempfile::TempPath| path.keep().map_err(|error| Failure::File(error.error));
    // A link that leads nowhere is no text either.
    if !path.exists() {
        return Err(Failure::Gone { program: program() });
    }
    if fs::metadata(&path)?.len() > MOST {
        return Err(Failure::TooLong { file: kept(path)? });
    }
    // What an editor leaves there may be no file, and might never end.
    let after = store::read(&path)?;
    if after == text {
        return if is_done { Ok(None) } else { Err(Failure::Ended { program: program() }) };
    }
    if !is_done {
        return Err(Failure::EndedWithText { program: program(), file: kept(path)? });
    }
    match String::from_utf8(after.into()) {
        Ok(after) => Ok(Some(after)),
        Err(_) => Err(Failure::NotText { file: kept(path)? }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_editor_is_told_the_line_in_its_own_way() {
        for (program, want) in [
            ("vim", "+7|a b.rs"),
            ("/usr/bin/nvim", "+7|a b.rs"),
            ("emacsclient", "+7|a b.rs"),
            ("nano", "+7|a b.rs"),
            ("code", "--goto|a b.rs:7"),
            ("/opt/My Editor/Cursor.exe", "--goto|a b.rs:7"),
            ("hx", "a b.rs:7"),
            ("zed", "a b.rs:7"),
            ("subl", "a b.rs:7"),
            ("my-own", "a b.rs"),
        ] {
            let arguments = at_line(program, Path::new("a b.rs"), 7);
            let arguments: Vec<_> = arguments.iter().map(|word| word.to_string_lossy()).collect();
            assert_eq!(arguments.join("|"), want, "{program}");
        }
    }

    #[test]
    fn who_has_a_window_is_told_to_wait() {
        for (editor, want) in [
            (&["code"][..], &["code", "--wait"][..]),
            (&["code", "-n", "-w"], &["code", "-n", "-w"]),
            (&["/usr/bin/subl"], &["/usr/bin/subl", "--wait"]),
            (&["vim", "-c", "set tw=72"], &["vim", "-c", "set tw=72"]),
        ] {
            let editor: Vec<String> = editor.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(waiting(&editor), want);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_text_goes_out_and_comes_back() {
        let sh = |script: &str| ["sh", "-c", script].map(str::to_owned).to_vec();
        let edit = |script: &str| edit(Some(&sh(script)), "one\n").map_err(|failure| failure.to_string());
        assert_eq!(edit("printf 'two\\n' >> \"$0\""), Ok(Some("one\ntwo\n".to_owned())));
        assert_eq!(edit(":"), Ok(None));
        assert_eq!(edit("exit 3"), Err("the editor `sh` has failed".to_owned()));
        let gone = "nothing was written, and the text is as before: the editor `sh` has left no file";
        assert_eq!(edit("rm \"$0\""), Err(gone.to_owned()));
        // Private, and gone afterwards.
        let told =
            edit("printf %s \"$0 \" > \"$0.new\"; ls -l \"$0\" >> \"$0.new\"; mv \"$0.new\" \"$0\"").unwrap().unwrap();
        let (path, mode) = told.split_once(' ').unwrap();
        assert!(mode.starts_with("-rw-------"), "{told}");
        assert!(!Path::new(path).exists(), "{told}");
        // What cannot be used is kept.
        for script in ["printf two > \"$0\"; exit 1", "printf '\\377' > \"$0\"", "head -c 1048577 /dev/zero > \"$0\""] {
            let said = edit(script).unwrap_err();
            let path = said.split_once(" in ").expect("it says where").1;
            assert!(fs::remove_file(path).is_ok(), "{said}");
        }
        let said = edit("rm \"$0\"; mkfifo \"$0\"").unwrap_err();
        assert!(said.ends_with("is a pipe, and no file"), "{said}");
        assert!(super::edit(None, "").unwrap_err().to_string().starts_with("no editor is named"));
        let gone = super::edit(Some(&["no-such-editor".to_owned()]), "").unwrap_err().to_string();
        let said = "cannot run the editor `no-such-editor`: no such file or directory; set VISUAL or EDITOR to one that is there";
        assert_eq!(gone, said);
    }
}
