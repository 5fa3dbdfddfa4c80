//! What was read differently from how it is written, in the order of the text; then which notes name absent lines.

use bstr::ByteSlice;

use super::fixes::{self, splice};
use super::{Findings, Located, lookalike};
use crate::document::parse::file::{is_count, tokens};
use crate::document::parse::hunk::after;
use crate::document::presence::{Presence, PresentLines};
use crate::document::{Block, Document, FileHeader, FileStatus, Hunk, HunkLine, HunkLineKind, Section, Side};
use crate::text::Span;
use crate::text::lines::Lines;
use crate::text::near::did_you_mean;

/// The findings that reading makes.
#[must_use]
pub fn structure(document: &Document) -> Vec<Located> {
    let mut findings = Findings::new(document);
    findings.each_part(|findings| {
        let from = findings.found.len();
        part(findings);
        findings.found[from..].sort_by_key(|found| found.diagnostic.range.start);
    });
    findings.each_part(selectors);
    findings.found
}

fn part(findings: &mut Findings<'_>) {
    let document = findings.document;
    let section = &document.parts()[findings.part];
    encoding(findings, section);
    if section.is_head() {
        for finding in &document.meta().findings {
            let at = finding.at;
            let fix = finding.fix.iter().map(|(range, with)| splice(range.clone(), with.as_str())).collect();
            findings.push_mendable(finding.code, at..at, None, finding.message.clone(), fix);
        }
    }
    let tree = section.tree();
    let claims: Vec<_> = section.check_claims().collect();
    let mut is_cut_off = false;
    for block in &tree.blocks {
        let is_split = is_cut_off;
        is_cut_off &= matches!(block, Block::Blank(_));
        match *block {
            Block::Stray(span) => stray(findings, section, span),
            Block::File(_) => {
                if let Some(header) = &tree.file {
                    file_line(findings, section, header);
                }
            }
            Block::Hunk(index) => {
                hunk(findings, section, index);
                is_cut_off = lacks_lines(&tree.hunks[index as usize]);
            }
            Block::Note(index) => {
                super::notes::note(findings, section, index as usize);
                lookalike::note(findings, section, index as usize, is_split);
            }
            Block::Check(index) => match &claims[index as usize] {
                None => {
                    let range = tree.checks[index as usize].range();
                    findings.push("check-invalid", range, None, "This check says nothing: `@check cmd `…` => pass`.");
                }
                Some(claim) if claim.is_status_unreadable => {
                    let range = tree.checks[index as usize].range();
                    findings.push("status-unknown", range, None, super::notes::unknown_status(claim));
                }
                Some(claim) => lookalike::claim(findings, tree.checks[index as usize], None, claim),
            },
            Block::Bom(_) | Block::Frontmatter(_) | Block::Comment(_) | Block::Blank(_) => {}
        }
    }
}

fn encoding(findings: &mut Findings<'_>, section: &Section) {
    let text = section.text();
    if text.to_str().is_ok() {
        return;
    }
    for line in Lines::new(text) {
        if let Err(error) = line.of(text).to_str() {
            let start = line.start as usize + error.valid_up_to();
            let message = "This line is not UTF-8; its bytes are kept and shown as U+FFFD.";
            findings.push("encoding-invalid", start..line.end as usize, None, message);
        }
    }
}

fn stray(findings: &mut Findings<'_>, section: &Section, span: Span) {
    let content = section.newline().content(span.of(section.text()));
    let range = span.start as usize..span.start as usize + content.len();
    let message = lookalike::directive(content).map_or_else(
        || "This line belongs to nothing; it is kept, but no reader will see it.".to_owned(),
        lookalike::misspelt,
    );
    findings.push("stray-line", range, None, message);
}

fn file_line(findings: &mut Findings<'_>, section: &Section, header: &FileHeader) {
    const KEYS: [&[u8]; 6] = [b"from", b"oldsha", b"newsha", b"lang", b"oldmode", b"newmode"];
    let text = section.text();
    let mut words = tokens(text, header.span);
    if words.path().is_none_or(|path| matches!(path.of(text), b"\"\"")) {
        findings.push("file-path-missing", header.span.range(), None, "This line names no file: `@file <path>`.");
    }
    for word in words {
        let shown = word.span.of(text).to_str_lossy();
        match word.pair() {
            Some((key, _)) if KEYS.contains(&key.of(text)) => {}
            Some(_) => {
                findings.push(
                    "file-attr-unknown",
                    word.span.range(),
                    None,
                    format!("`{shown}` means nothing: the keys are from, oldsha, newsha, lang, oldmode, newmode."),
                );
            }
            None => {
                let bytes = word.span.of(text);
                if FileStatus::from_word(bytes).is_none() && bytes != b"binary" && !is_count(bytes) {
                    let meant = did_you_mean(&shown, FileStatus::ALL.iter().map(|status| status.as_str()));
                    let message =
                        format!("`{shown}` is no word of an `@file` line; a path with a blank is quoted.{meant}");
                    let fix = fixes::status_word(bytes).map(|with| splice(word.span.range(), with));
                    findings.push_mendable("file-token-unknown", word.span.range(), None, message, Vec::from_iter(fix));
                }
            }
        }
    }
}

fn hunk(findings: &mut Findings<'_>, section: &Section, index: u32) {
    let tree = section.tree();
    let hunk = &tree.hunks[index as usize];
    let header = hunk.header.range();
    if index == 0 && tree.file.is_none() {
        let message = "This hunk stands in front of any `@file`; it is read as a file of its own.";
        findings.push("hunk-outside-file", header.clone(), None, message);
    }
    if hunk.loose {
        let message = format!(
            "No ranges can be read here, as in `@@ -1,2 +1,3 @@`; lines are numbered from -{} +{}.",
            hunk.first_old, hunk.first_new
        );
        findings.push("hunk-header-loose", header, None, message);
    } else {
        counts(findings, section, hunk);
    }
    let prefix = fixes::prefix(section, hunk);
    for line in tree.hunk_lines(hunk) {
        match line.kind {
            HunkLineKind::Unprefixed => {
                let message = "This line has no ` `, `+`, `-` or `\\` in front; it is read as context.";
                let start = line.span.start as usize;
                let fix = prefix.map(|prefix| splice(start..start, prefix)).into_iter().collect();
                findings.push_mendable("hunk-line-unprefixed", line.span.range(), None, message, fix);
            }
            HunkLineKind::Stray => stray(findings, section, line.span),
            HunkLineKind::Diff(_) | HunkLineKind::Separator | HunkLineKind::Comment => {}
        }
    }
}

fn counts(findings: &mut Findings<'_>, section: &Section, hunk: &Hunk) {
    let (old, new) = hunk.sides();
    if (old, new) == (hunk.old_lines, hunk.new_lines) {
        return;
    }
    let message = format!("The header says -{} +{} lines, there are -{old} +{new}.", hunk.old_lines, hunk.new_lines);
    let mut fix = fixes::hunk_counts(section, hunk, (old, new));
    let is_beyond = |line: &&HunkLine| {
        let (old, new) = after(line);
        u64::from(old) > hunk.old_lines || u64::from(new) > hunk.new_lines
    };
    for line in section.tree().hunk_lines(hunk).iter().filter(is_beyond) {
        if let Some(form) = lookalike::directive(section.line_text(line)) {
            findings.push("directive-misspelt", line.span.range(), None, lookalike::misspelt(form));
            fix.clear();
        }
    }
    findings.push_mendable("hunk-count-mismatch", hunk.header.range(), None, message, fix);
}

/// Whether the header of `hunk` says that more lines are to come.
fn lacks_lines(hunk: &Hunk) -> bool {
    let (old, new) = hunk.sides();
    !hunk.loose && (old < hunk.old_lines || new < hunk.new_lines)
}

/// Which notes of a part name lines that its diff doesn't hold.
fn selectors(findings: &mut Findings<'_>) {
    let section = &findings.document.parts()[findings.part];
    let notes = &section.tree().notes;
    if notes.is_empty() {
        return;
    }
    let present = PresentLines::of(section);
    for (at, note) in notes.iter().enumerate() {
        if !matches!(note.selector.side, Side::New | Side::Old) {
            continue;
        }
        let side = note.selector.side.as_str();
        let range = section.note_view(note).selector_range();
        let raw = section.note_view(note).raw_selector().unwrap_or_default();
        let (code, subject) = match present.presence(note.selector) {
            Presence::All => continue,
            Presence::Some => ("selector-partial", format!("Some lines of `{raw}` are not")),
            Presence::None => ("selector-out-of-range", format!("No line of `{raw}` is")),
        };
        let message = if section.is_head() {
            format!("{subject} in the diff, as no file has begun here: move the note below its `@file` and hunk.")
        } else {
            format!("{subject} in the diff, whose {side} side has {}.", present.describe(note.selector.side))
        };
        findings.push(code, range, Some(at), message);
    }
}
