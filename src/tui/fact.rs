//! What there is to say about a file that no line of its diff says. Pure; the view draws it, a search looks through it.

use super::model::Model;
use super::part::{LineEnds, Part};
use super::rows::Fact;
use crate::document::FileStatus;
use crate::git::mode;
use crate::text::counted::counted;

impl Model {
    /// What a row says that is about a file and no line of its diff.
    #[must_use]
    pub fn fact_words(&self, part: &Part, fact: Fact) -> String {
        let Some(file) = &part.section.tree().file else { return String::new() };
        let mode = |mode: Option<u32>| match mode.unwrap_or(mode::FILE) {
            mode @ (mode::LINK | mode::SUBMODULE) => format!("{mode:06o} ({})", mode::name(mode)),
            mode => format!("{mode:06o}"),
        };
        match fact {
            Fact::Pending => "the diff is being read …".to_owned(),
            Fact::Unread => self.display.visible(part.failure.as_deref().unwrap_or_default()),
            Fact::Renamed => {
                let old = file.old_path.as_ref().map(|old| self.shown(old)).unwrap_or_default();
                format!("renamed from {old}")
            }
            Fact::Mode => match file.status {
                FileStatus::Added => format!("new file, mode {}", mode(file.new_mode)),
                FileStatus::Deleted => format!("deleted file, mode {}", mode(file.old_mode)),
                _ if file.old_mode == file.new_mode => format!("mode {}{}", mode(file.new_mode), dirty_words(part)),
                _ => format!("mode {} → {}", mode(file.old_mode), mode(file.new_mode)),
            },
            Fact::Binary => binary_words(file.status, part.aside.sizes),
            Fact::LineEnds(LineEnds::ToLf) => "line ends: CRLF → LF".to_owned(),
            Fact::LineEnds(LineEnds::ToCrLf) => "line ends: LF → CRLF".to_owned(),
            Fact::Empty => match file.status {
                FileStatus::Added => "an empty file".to_owned(),
                FileStatus::Deleted => "was an empty file".to_owned(),
                FileStatus::Context => "no lines to show".to_owned(),
                _ => "no changed lines".to_owned(),
            },
        }
    }
}

/// That a submodule has changes which are in no commit of it: its line says so at its very end, which may be out of sight.
fn dirty_words(part: &Part) -> &'static str {
    let section = &part.section;
    let is_dirty = |line: u32| {
        let text = section.line_text(&section.tree().lines[line as usize]);
        text.starts_with(b"Subproject commit ") && text.ends_with(b"-dirty")
    };
    let is_submodule = section.tree().file.as_ref().is_some_and(|file| file.new_mode == Some(mode::SUBMODULE));
    // It is one line a side.
    let has_any = is_submodule && section.tree().changes().take(2).any(is_dirty);
    if has_any { " with uncommitted changes" } else { "" }
}

/// What there is to say of content that is not text.
fn binary_words(status: FileStatus, sizes: [Option<u64>; 2]) -> String {
    match (status, sizes) {
        (FileStatus::Added, [_, Some(new)]) => format!("binary content, {}", bytes(new)),
        (FileStatus::Deleted, [Some(old), _]) => format!("binary content, was {}", bytes(old)),
        (_, [Some(old), Some(new)]) => format!("binary content, {} → {}", bytes(old), bytes(new)),
        _ => "binary content: no lines to show".to_owned(),
    }
}

/// A number of bytes: all of its digits, and in larger units where those are many.
fn bytes(count: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "one digit behind the point is shown")]
    let in_units = |unit: u64| count as f64 / unit as f64;
    match count {
        0..=9999 => counted(count, "byte"),
        10_000..=1_048_575 => format!("{count} bytes ({:.1} KiB)", in_units(1 << 10)),
        _ => format!("{count} bytes ({:.1} MiB)", in_units(1 << 20)),
    }
}
