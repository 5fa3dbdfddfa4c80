//! `whymark prompt`: what an agent needs to write a review, in one text.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use super::args::DraftArgs;
use super::changes::{Chosen, around};
use super::new;
use super::paths::{current_folder, relative};
use super::review::changed_since;
use super::{print_document, say, visible};
use crate::document::Section;
use crate::error::Error;
use crate::git::{Changes, Repo};
use crate::store;
use crate::tui::current::Current;
use crate::tui::open::review_of;

/// `whymark prompt`.
#[derive(Debug, Args)]
pub(super) struct PromptArgs {
    /// Where the review is going to be written [default: reviews/<scope>-<branch>.whymark, or after the title].
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,

    /// A text of your own to put around the changes; `{{skeleton}}`, `{{guide}}` and `{{path}}` stand for what belongs there.
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,

    #[command(flatten)]
    pub(super) draft: DraftArgs,
}

/// How notes are written; also the topic of the help.
pub(super) const GUIDE: &str = include_str!("../../assets/annotate.md");
const TEMPLATE: &str = include_str!("../../assets/prompt.md");
/// Where the changes go.
const SKELETON: &str = "{{skeleton}}";

/// Run the command.
///
/// # Errors
/// When git or the template cannot be read, or nothing changed.
pub(super) fn run(args: &PromptArgs) -> Result<(), Error> {
    let template = args.template.as_deref().map(template).transpose()?;
    if let Some(out) = args.out.as_deref().filter(|out| out.extension().is_none_or(|extension| extension != "whymark"))
    {
        return Err(Error::NotAReview { path: out.into() });
    }
    let cwd = current_folder()?;
    let draft = &args.draft;
    let Chosen { repo, changes, options } = draft.scope.choose(draft.scope(), &cwd, args.out.as_deref())?;
    if let Some(none) = changes.nothing(&options) {
        return Err(none);
    }
    let (path, review) = review(args, repo.as_ref(), &Arc::new(changes), &cwd)?;
    let template = template.as_deref().unwrap_or(TEMPLATE.as_bytes());
    let path = shell_word(&visible(&path.display().to_string()));
    print_document(&filled(
        template,
        &[
            (SKELETON, &fenced(&review)),
            ("{{guide}}", GUIDE.trim_ascii_end().as_bytes()),
            ("{{path}}", path.as_bytes()),
        ],
    ))
}

/// Where the review is going to be, seen from `cwd`, and its text: the one that is there already, else a new one.
fn review(
    args: &PromptArgs,
    repo: Option<&Repo>,
    changes: &Arc<Changes>,
    cwd: &Path,
) -> Result<(PathBuf, Vec<u8>), Error> {
    let root = repo.map_or(cwd, Repo::root);
    let out = match &args.out {
        Some(out) => Some(cwd.join(out)),
        // Nobody has typed this name, so it stays in the repository.
        None if args.draft.title().is_some() => {
            Some(store::inside(&new::usual_path(&args.draft, repo, changes), root)?)
        }
        None => None,
    };
    let current = Current::new(Arc::clone(changes));
    let (path, review) = review_of(cwd, repo, changes, &current, out)?;
    let path = args.out.clone().unwrap_or_else(|| relative(&path, cwd));
    let Some(review) = review else { return Ok((path, new::text(&args.draft, repo, changes)?.0)) };
    say(&format!("note: {} is there already, for the agent to go on with", path.display()));
    let is_now = |section: &Arc<Section>| current.is(section, || around(repo, cwd));
    let are_now = review.parts()[1..].iter().map(is_now).collect::<Result<Vec<_>, _>>()?;
    let stale = are_now.iter().filter(|is_now| !**is_now).count();
    if stale > 0 {
        say(&format!("warning: {}", changed_since(stale, &path)));
    }
    Ok((path, review.to_bytes()))
}

/// A template of the person's own; one without a place for the changes asks for nothing.
fn template(path: &Path) -> Result<Vec<u8>, Error> {
    let text = store::read(path)?.to_vec();
    let has_place = bstr::ByteSlice::contains_str(text.as_slice(), SKELETON);
    if has_place { Ok(text) } else { Err(Error::NoPlaceInTemplate { path: path.into(), place: SKELETON }) }
}

/// `template` with each name replaced by its text. Names in those texts stay as they are.
fn filled(template: &[u8], texts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = Vec::with_capacity(template.len() + texts.iter().map(|(_, text)| text.len()).sum::<usize>());
    let mut rest = template;
    while let Some((first, tail)) = rest.split_first() {
        if let Some((name, text)) = texts.iter().find(|(name, _)| rest.starts_with(name.as_bytes())) {
            out.extend_from_slice(text);
            rest = &rest[name.len()..];
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    out
}

/// `text` as a block of code whose fence is longer than any in it.
fn fenced(text: &[u8]) -> Vec<u8> {
    let longest = text.split(|byte| *byte != b'`').map(<[u8]>::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let newline: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
    [fence.as_bytes(), b"whymark\n", text, newline, fence.as_bytes()].concat()
}

/// `text` as one word of a shell.
fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./+,:@%".contains(c);
    let is_option = text.starts_with('-');
    match text.chars().all(is_plain) && !text.is_empty() {
        true if is_option => format!("./{text}"),
        true => text.to_owned(),
        false => format!("'{}'", text.replace('\'', "'\\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::check::{review, structure};
    use crate::document::{ClaimStatus, Document, Kind, Method};

    #[test]
    fn names_in_what_is_put_in_stay() {
        let texts: &[(&str, &[u8])] = &[("{{a}}", b"{{b}} $& {{a}}"), ("{{b}}", b"x")];
        assert_eq!(filled(b"{{a}}-{{b}}{{c}", texts), b"{{b}} $& {{a}}-x{{c}");
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        for (text, fence) in [("a", 3), ("a ``` b\n", 4), ("\r`````", 6), ("", 3)] {
            let block = String::from_utf8(fenced(text.as_bytes())).unwrap();
            let ticks = "`".repeat(fence);
            assert!(block.starts_with(&format!("{ticks}whymark\n{text}")) && block.ends_with(&format!("\n{ticks}")));
        }
    }

    #[test]
    fn paths_are_words_of_a_shell() {
        for (path, word) in
            [("reviews/a-b.whymark", "reviews/a-b.whymark"), ("-x", "./-x"), ("it's", r"'it'\''s'"), ("", "''")]
        {
            assert_eq!(shell_word(path), word);
        }
    }

    /// The example is a note without a fault, and every word of the format is explained.
    #[test]
    fn the_guide_says_how_it_is() {
        let example: String = GUIDE
            .lines()
            .skip(2)
            .take_while(|line| !line.starts_with("SELECTORS"))
            .map(|line| format!("{}\n", line.strip_prefix("    ").unwrap_or(line)))
            .collect();
        let document = Document::parse(format!(
            "---\nwhymark: 1\ntitle: x\nsummary: x\n---\n@file a\n@@ -18,2 +18,4 @@\n a\n+b\n+c\n d\n{example}"
        ));
        let found: Vec<_> =
            [structure(&document), review(&document)].concat().into_iter().map(|found| found.diagnostic.code).collect();
        assert_eq!(found, ["high-risk-unverified", "verify-failing"], "{example}");
        let words = Kind::ALL.iter().map(|kind| kind.as_str()).chain(Method::ALL.iter().map(|method| method.as_str()));
        for word in words.chain(ClaimStatus::ALL.iter().map(|status| status.as_str())) {
            assert!(GUIDE.split(|c: char| !c.is_alphanumeric()).any(|known| known == word), "{word}");
        }
    }
}
