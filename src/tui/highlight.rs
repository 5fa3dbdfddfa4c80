//! Colours of code, found in the background: the one place that knows the highlighting library.
//!
//! A hunk is a passage of two texts, a file one of one. Both sides are followed apart, context lines on either, so that a string opened in a
//! removed line does not colour the added ones. What was worked out is remembered every few lines: the middle of a long
//! hunk is reached in steps, and a step ends between two lines when nobody wants it any more. Text without line ends,
//! very long lines and very large sections stay plain. Nothing here fails: what cannot be coloured is plain.

use std::borrow::Cow;
use std::io::Cursor;
use std::ops::Range;
use std::sync::Arc;

use bstr::ByteSlice;
use syntect::highlighting::{self, HighlightState, RangedHighlightIterator, Theme, ThemeSet};
use syntect::parsing::{ParseState, ScopeStack, SyntaxReference, SyntaxSet};
use two_face::theme::{EmbeddedLazyThemeSet, EmbeddedThemeName};

use super::around::Whole;
use super::colour::Colour;
use crate::diff::LineKind;
use crate::document::Section;

/// The name of the theme in which code has one colour.
const PLAIN: &str = "none";
/// Bytes of a line beyond which it stays plain.
const MAX_LINE: usize = 4 * 1024;
/// Bytes of a section beyond which it stays plain.
const MAX_SECTION: usize = 2 * 1024 * 1024;
/// Lines between two states that are remembered.
const STEP: usize = 64;

/// So many bytes of a line, in one colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Run {
    /// The number of bytes.
    pub len: usize,
    /// Their colour.
    pub colour: Colour,
}

/// Which code is coloured: what its lines are counted in.
#[derive(Debug, Clone)]
pub enum Code {
    /// A hunk, by index; its lines are those of the tree.
    Hunk(u32),
    /// The whole file, for the lines around the hunks.
    Whole(Arc<Whole>),
}

/// A language that code can be coloured as, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Language(Option<usize>);

/// The colours of code, by the name of a syntax theme; code is plain by default.
#[derive(Debug, Clone, Default)]
pub struct Palette {
    name: Option<String>,
    colours: Colours,
}

#[derive(Debug, Clone, Default)]
enum Colours {
    #[default]
    Plain,
    /// One that comes with the program, unpacked when it is needed.
    Embedded(EmbeddedThemeName),
    Own(Arc<Theme>),
}

impl Palette {
    /// The syntax theme of that name that comes with the program; "none" leaves code plain.
    ///
    /// # Errors
    /// A sentence, when there is none.
    pub fn named(name: &str) -> Result<Self, String> {
        if name == PLAIN {
            return Ok(Self::default());
        }
        let mut themes = EmbeddedLazyThemeSet::theme_names().iter();
        let known = themes.find(|theme| plain_name(theme.as_name()) == plain_name(name));
        let known = known.ok_or_else(|| format!("there is no syntax theme `{name}`; code is plain"))?;
        Ok(Self { name: Some(name.to_owned()), colours: Colours::Embedded(*known) })
    }

    /// A syntax theme of a reader's own, as editors write them (`.tmTheme`).
    ///
    /// # Errors
    /// A sentence, when `text` is none.
    pub fn read(name: &str, text: &str) -> Result<Self, String> {
        let theme = ThemeSet::load_from_reader(&mut Cursor::new(text))
            .map_err(|error| format!("{name}.tmTheme: {error}; code is plain"))?;
        Ok(Self { name: Some(name.to_owned()), colours: Colours::Own(Arc::new(theme)) })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(PLAIN)
    }

    fn theme(&self) -> Option<Theme> {
        match &self.colours {
            Colours::Plain => None,
            Colours::Embedded(name) => Some(two_face::theme::extra().get(*name).clone()),
            Colours::Own(theme) => Some(Theme::clone(theme)),
        }
    }
}

/// The languages and the colours. Loading it takes a while, and finding colours too: for a worker, not for a screen.
#[derive(Debug)]
pub struct Highlighter {
    syntaxes: SyntaxSet,
    theme: Option<Theme>,
}

/// A hunk or a file, as far as it has been followed.
#[derive(Debug, Clone)]
pub struct Passage {
    language: Language,
    /// The state before the first line of each step.
    steps: Vec<Sides>,
}

/// The states of both sides; of the old one only where it differs.
#[derive(Debug, Clone)]
struct Sides {
    new: State,
    old: Option<State>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct State {
    parse: ParseState,
    style: HighlightState,
}

impl Highlighter {
    /// Load the languages, and the colours.
    #[must_use]
    pub fn new(palette: &Palette) -> Self {
        Self { syntaxes: two_face::syntax::extra_newlines(), theme: palette.theme() }
    }

    /// The language of a file: what the review says (`lang`), else by the path, else by its first line.
    #[must_use]
    pub fn language(&self, lang: Option<&[u8]>, path: &[u8], first_line: &[u8]) -> Language {
        let lang = lang.and_then(|lang| lang.to_str().ok());
        let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default().to_str_lossy();
        let extension = name.rsplit_once('.').map(|(_, extension)| extension);
        let found = lang
            .and_then(|lang| self.syntaxes.find_syntax_by_token(alias(&lang.to_ascii_lowercase())))
            .or_else(|| self.syntaxes.find_syntax_by_extension(&name))
            .or_else(|| self.syntaxes.find_syntax_by_extension(extension?))
            .or_else(|| self.syntaxes.find_syntax_by_extension(alias(&extension?.to_ascii_lowercase())))
            .or_else(|| {
                let line = first_line.get(..first_line.len().min(256))?.to_str_lossy();
                self.syntaxes.find_syntax_by_first_line(&line)
            });
        let index = |syntax: &SyntaxReference| {
            let found = self.syntaxes.syntaxes().iter().position(|known| std::ptr::eq(known, syntax));
            found.filter(|_| syntax.name != "Plain Text")
        };
        Language(found.and_then(index))
    }

    /// The colours of the lines `wanted` of a hunk, counted from its first line; `None` when `is_cancelled` said so.
    ///
    /// `passage` is the memory of the hunk, and belongs to it alone.
    pub fn hunk(
        &self,
        passage: &mut Passage,
        section: &Section,
        hunk: usize,
        wanted: Range<usize>,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Vec<Vec<Run>>> {
        let tree = section.tree();
        let lines = tree.hunks.get(hunk).map_or(&[][..], |hunk| {
            tree.lines.get(hunk.lines.start as usize..hunk.lines.end as usize).unwrap_or_default()
        });
        if section.text().len() > MAX_SECTION {
            passage.language = Language(None);
        }
        let line = |at: usize| {
            let line = lines.get(at)?;
            Some((line.diff_kind().unwrap_or(LineKind::NoNewline), section.line_text(line)))
        };
        self.lines(passage, line, wanted, is_cancelled)
    }

    /// The colours of the lines `wanted` of a file, as [`Highlighter::hunk`].
    pub fn whole(
        &self,
        passage: &mut Passage,
        whole: &Whole,
        wanted: Range<usize>,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Vec<Vec<Run>>> {
        if whole.text().len() > MAX_SECTION {
            passage.language = Language(None);
        }
        let line = |at: usize| {
            let index = u32::try_from(at).ok().filter(|at| u64::from(*at) < whole.len())?;
            Some((LineKind::Context, whole.line(index)))
        };
        self.lines(passage, line, wanted, is_cancelled)
    }

    /// The colours of the lines `wanted` of a passage whose lines `line` hands out, `None` behind the last one; as
    /// [`Highlighter::hunk`]. Lines that belong to neither side are [`LineKind::NoNewline`].
    pub fn lines<'a>(
        &self,
        passage: &mut Passage,
        line: impl Fn(usize) -> Option<(LineKind, &'a [u8])>,
        wanted: Range<usize>,
        is_cancelled: impl Fn() -> bool,
    ) -> Option<Vec<Vec<Run>>> {
        let (Some(theme), Some(index)) = (&self.theme, passage.language.0) else {
            let lines = wanted.map_while(&line);
            return Some(lines.map(|(_, text)| plain(text)).collect());
        };
        let painter = Painter { syntaxes: &self.syntaxes, highlighter: highlighting::Highlighter::new(theme) };
        if passage.steps.is_empty() {
            let parse = ParseState::new(&self.syntaxes.syntaxes()[index]);
            let style = HighlightState::new(&painter.highlighter, ScopeStack::new());
            passage.steps.push(Sides { new: State { parse, style }, old: None });
        }
        let step = (wanted.start / STEP).min(passage.steps.len() - 1);
        let mut sides = passage.steps[step].clone();
        let mut colours = Vec::with_capacity(wanted.len().min(4 * STEP));
        for at in step * STEP..wanted.end {
            if is_cancelled() {
                return None;
            }
            if at == passage.steps.len() * STEP {
                passage.steps.push(sides.clone());
            }
            let Some((kind, text)) = line(at) else { break };
            let runs = sides.follow(kind, text, &painter);
            if at >= wanted.start {
                colours.push(runs);
            }
        }
        Some(colours)
    }
}

impl Passage {
    /// One of which nothing has been followed.
    #[must_use]
    pub fn new(language: Language) -> Self {
        Self { language, steps: Vec::new() }
    }
}

struct Painter<'a> {
    syntaxes: &'a SyntaxSet,
    highlighter: highlighting::Highlighter<'a>,
}

impl Sides {
    fn follow(&mut self, kind: LineKind, text: &[u8], painter: &Painter<'_>) -> Vec<Run> {
        match kind {
            _ if text.len() > MAX_LINE => plain(text),
            LineKind::NoNewline => plain(text),
            LineKind::Added => {
                self.old.get_or_insert_with(|| self.new.clone());
                self.new.follow(text, painter)
            }
            LineKind::Removed => self.old.get_or_insert_with(|| self.new.clone()).follow(text, painter),
            LineKind::Context => {
                if let Some(old) = &mut self.old {
                    old.follow(text, painter);
                }
                let runs = self.new.follow(text, painter);
                self.old.take_if(|old| *old == self.new);
                runs
            }
        }
    }
}

impl State {
    fn follow(&mut self, text: &[u8], painter: &Painter<'_>) -> Vec<Run> {
        let line = readable(text) + "\n";
        // An error means that the language's own rules are broken: the line is plain, the next one is tried again.
        let Ok(changes) = self.parse.parse_line(&line, painter.syntaxes) else { return plain(text) };
        let mut runs: Vec<Run> = Vec::new();
        for (style, _, range) in RangedHighlightIterator::new(&mut self.style, &changes, &line, &painter.highlighter) {
            let len = range.end.min(text.len()).saturating_sub(range.start);
            let colour = colour_of(style.foreground);
            match runs.last_mut() {
                _ if len == 0 => {}
                Some(last) if last.colour == colour => last.len += len,
                _ => runs.push(Run { len, colour }),
            }
        }
        runs
    }
}

fn plain(text: &[u8]) -> Vec<Run> {
    if text.is_empty() { Vec::new() } else { vec![Run { len: text.len(), colour: Colour::Default }] }
}

/// `text` with a `?` for each byte that is not UTF-8, so that every byte keeps its place.
fn readable(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = text.to_str() {
        return text.into();
    }
    let mut readable = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        readable.push_str(chunk.valid());
        readable.extend(chunk.invalid().iter().map(|_| '?'));
    }
    readable.into()
}

/// The colour that a syntax theme means. Themes for terminals write palette numbers: an alpha of 0 says that the red part
/// is one, an alpha of 1 that the terminal's own colour is meant.
fn colour_of(colour: highlighting::Color) -> Colour {
    match colour.a {
        0 => Colour::Indexed(colour.r),
        1 => Colour::Default,
        _ => Colour::Rgb(colour.r, colour.g, colour.b),
    }
}

/// A theme's name in small letters, its words joined by hyphens.
fn plain_name(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_ascii_lowercase).collect::<Vec<_>>().join("-")
}

/// The name that the languages know for one that people write.
fn alias(lang: &str) -> &str {
    match lang {
        "shell" | "zsh" | "ksh" => "bash",
        "golang" => "go",
        "csharp" => "cs",
        "jsonc" | "json5" => "json",
        "docker" => "dockerfile",
        "javascript" | "node" | "mjs" | "cjs" | "jsx" => "js",
        "mts" | "cts" => "ts",
        "protobuf" => "proto",
        "objective-c" | "objc" => "m",
        "md" | "mdx" => "markdown",
        "text" | "plaintext" | "plain" => "txt",
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::sync::LazyLock;

    use super::*;

    static HIGHLIGHTER: LazyLock<Highlighter> =
        LazyLock::new(|| Highlighter::new(&Palette::named("base16").expect("it comes with the program")));

    type Line = (LineKind, &'static [u8]);

    fn passage(lang: &str) -> Passage {
        let language = HIGHLIGHTER.language(Some(lang.as_bytes()), b"", b"");
        assert!(language.0.is_some(), "{lang}");
        Passage::new(language)
    }

    fn colours(lang: &str, lines: &[Line]) -> Vec<Vec<Run>> {
        let line = |at: usize| lines.get(at).copied();
        HIGHLIGHTER.lines(&mut passage(lang), line, 0..lines.len() + 9, || false).expect("nobody cancels")
    }

    #[test]
    fn both_sides_are_followed_apart() {
        use LineKind::{Added, Context, Removed};
        let comment = colours("rust", &[(Context, b"/* a */"), (Context, b"let b = 1;")]);
        let lines: &[Line] = &[
            (Context, b"fn a() {}"),
            (Removed, b"/* a"),
            (Added, b"let b = 1;"),
            (Removed, b"*/"),
            (Context, b"let b = 1;"),
        ];
        let runs = colours("rust", lines);
        assert_eq!(runs[1][0].colour, comment[0][0].colour, "the removed line opens a comment");
        assert_eq!(runs[2], comment[1], "which is not there on the new side");
        assert_eq!(runs[3][0].colour, comment[0][0].colour, "and goes on on the old side");
        assert_eq!(runs[4], comment[1]);
    }

    #[test]
    fn runs_tile_their_line() {
        use LineKind::Context;
        let lines: &[Line] =
            &[(Context, b"let s = \"\xff\xe9\"; // \xe2\x86\x92 x"), (Context, b""), (Context, b"\t}")];
        for ((_, text), runs) in lines.iter().zip(colours("rust", lines)) {
            assert_eq!(runs.iter().map(|run| run.len).sum::<usize>(), text.len());
        }
    }

    #[test]
    fn the_middle_of_a_long_hunk_is_reached_in_steps() {
        let read = Cell::new(0);
        let line = |at: usize| {
            read.set(read.get() + 1);
            (at < 1000).then(|| (LineKind::Context, if at == 0 { b"/*".as_slice() } else { b"text" }))
        };
        let mut passage = passage("rust");
        let comment = HIGHLIGHTER.lines(&mut passage, line, 0..1, || false).expect("nobody cancels")[0][0].colour;
        assert_eq!(HIGHLIGHTER.lines(&mut passage, line, 500..510, || read.get() > 300), None);
        assert!(read.get() <= 302);
        let before = read.replace(0);
        let runs = HIGHLIGHTER.lines(&mut passage, line, 500..510, || false).expect("nobody cancels");
        assert_eq!((runs.len(), runs[9][0].colour), (10, comment));
        assert!(read.get() < before, "goes on where it was cancelled: {}", read.get());
        read.set(0);
        assert_eq!(HIGHLIGHTER.lines(&mut passage, line, 500..510, || false), Some(runs));
        assert!(read.get() <= STEP + 10);
    }

    #[test]
    fn long_lines_and_unknown_languages_are_plain() {
        let long: &'static [u8] = "let a = 1;".repeat(500).leak().as_bytes();
        let runs = colours("rust", &[(LineKind::Added, long), (LineKind::Added, b"let b = 1;")]);
        assert_eq!(runs[0], plain(long));
        assert!(runs[1].len() > 1);
        let line = |at: usize| (at < 2).then_some((LineKind::Added, b"let".as_slice()));
        let unknown = HIGHLIGHTER.lines(&mut Passage::new(Language(None)), line, 0..5, || false);
        assert_eq!(unknown, Some(vec![plain(b"let"); 2]));
    }

    #[test]
    fn languages() {
        let name = |lang: Option<&str>, path: &str, first_line: &str| {
            let found = HIGHLIGHTER.language(lang.map(str::as_bytes), path.as_bytes(), first_line.as_bytes());
            found.0.map(|index| HIGHLIGHTER.syntaxes.syntaxes()[index].name.as_str())
        };
        for (lang, path, first_line, expected) in [
            (Some("typescript"), "x", "", Some("TypeScript")),
            (Some("JavaScript"), "x", "", Some("JavaScript (Babel)")),
            (Some("shell"), "x", "", Some("Bourne Again Shell (bash)")),
            (Some("no-such"), "a/b.rs", "", Some("Rust")),
            (None, "src/a.tsx", "", Some("TypeScriptReact")),
            (None, "a/Makefile", "", Some("Makefile")),
            (None, "Dockerfile", "", Some("Dockerfile")),
            (None, "Cargo.toml", "", Some("TOML")),
            (None, "a.mjs", "", Some("JavaScript (Babel)")),
            (None, "tool", "#!/usr/bin/env python3", Some("Python")),
            (None, "notes.txt", "", None),
            (None, "", "", None),
            (Some("text"), "", "", None),
        ] {
            assert_eq!(name(lang, path, first_line), expected, "{lang:?} {path} {first_line}");
        }
    }

    #[test]
    fn themes_for_terminals_mean_the_palette() {
        let runs = colours("rust", &[(LineKind::Context, b"let a = \"b\"; // c")]);
        assert!(runs[0].iter().all(|run| run.colour.is_ansi()), "{runs:?}");
        assert!(runs[0].iter().any(|run| run.colour != Colour::Default), "{runs:?}");
        for (name, is_there) in [("ansi", true), ("monokai-extended", true), ("GitHub", true), ("none-such", false)] {
            assert_eq!(Palette::named(name).is_ok(), is_there, "{name}");
        }
    }
}
