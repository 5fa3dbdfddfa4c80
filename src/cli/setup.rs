//! `whymark themes`, `keys` and `config`: what a person has set up, and what holds without it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::{print, say, visible};
use crate::config::{self, Problem};
use crate::error::Error;
use crate::git::Repo;
use crate::tui::help::{self, HelpRow};
use crate::tui::keymap::Keymap;
use crate::tui::settings::{FILE as SETTINGS, Settings};
use crate::tui::theme::BUILT_IN;

/// The person's own keys, in the folder of the configuration.
const KEYMAP: &str = "keymap.toml";
/// The person's own themes, likewise.
const THEMES: &str = "themes";

/// A file of the person's own; one that cannot be read is said and left out.
pub(super) fn own(name: &str) -> Option<String> {
    config::read(name).unwrap_or_else(|error| {
        warn(error.to_string());
        None
    })
}

/// What was wrong with what the person has set up, as far as that has been read.
static PROBLEMS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Say what is wrong with what the person has set up, and keep it: who looks at the screen of the reviewer by then has not
/// seen it.
pub(super) fn warn(problem: String) {
    say(&format!("warning: {problem}"));
    PROBLEMS.lock().unwrap_or_else(PoisonError::into_inner).push(problem);
}

/// What has been wrong so far.
pub(super) fn problems() -> Vec<String> {
    PROBLEMS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The keys, the person's own included; what is wrong with those is said.
pub(super) fn keymap() -> Keymap {
    let (keymap, problems) = Keymap::with(&own(KEYMAP).unwrap_or_default());
    complain(KEYMAP, &problems);
    keymap
}

/// The settings, the person's own included. They are read once; what is wrong with those is said then.
pub(super) fn settings() -> &'static Settings {
    static READ: OnceLock<Settings> = OnceLock::new();
    READ.get_or_init(|| {
        let (settings, problems) = Settings::with(&own(SETTINGS).unwrap_or_default());
        complain(SETTINGS, &problems);
        settings
    })
}

fn complain(file: &str, problems: &[Problem]) {
    for problem in problems {
        warn(format!("{file}, {problem}"));
    }
}

/// The names of all themes, those that come with the program first.
///
/// # Errors
/// When the person's own cannot be listed.
pub(super) fn theme_names() -> Result<Vec<String>, Error> {
    let built_in = BUILT_IN.iter().map(|(name, _)| (*name).to_owned());
    let mut names: Vec<String> = built_in.collect();
    let own = config::names(THEMES, "toml")?.into_iter().filter(|name| !names.contains(name)).collect::<Vec<_>>();
    names.extend(own);
    Ok(names)
}

/// Whether the settings name a theme that is one of those `known`; that it is none is said.
pub(super) fn is_theme(name: &str, known: &[String]) -> bool {
    let is_known = known.iter().any(|known| known == name);
    if !is_known {
        warn(format!("{SETTINGS}: there is no theme `{name}`: there are {}", known.join(", ")));
    }
    is_known
}

/// Print the names of the themes, and where each comes from.
///
/// # Errors
/// When the person's own cannot be listed.
pub(super) fn themes() -> Result<(), Error> {
    let own = config::names(THEMES, "toml")?;
    let names = theme_names()?;
    let width = names.iter().map(|name| visible(name).chars().count()).max().unwrap_or(0);
    let folder = config::folder().unwrap_or_default().join(THEMES);
    let mut text = String::new();
    for name in names {
        let from = match own.contains(&name) {
            true => visible(&folder.join(format!("{name}.toml")).display().to_string()),
            false => "comes with the program".to_owned(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{:width$}  {from}", visible(&name));
    }
    print(text.as_bytes())
}

/// Print the table of keys.
///
/// # Errors
/// When it cannot be written.
pub(super) fn keys() -> Result<(), Error> {
    let rows = help::rows(&keymap(), false);
    let width =
        rows.iter().map(|row| if let HelpRow::Command { keys, .. } = row { keys.chars().count() } else { 0 }).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let _ = match row {
            HelpRow::Title(title) => writeln!(text, "{title}"),
            HelpRow::Command { keys, doc, .. } => writeln!(text, "  {keys:width$}  {doc}"),
            HelpRow::Text(line) => writeln!(text, "  {line}"),
            HelpRow::Problem(problem) => writeln!(text, "  {problem}"),
            HelpRow::Gap => writeln!(text),
        };
    }
    print(text.as_bytes())
}

/// Print what holds, and where it comes from.
///
/// # Errors
/// When the person's own themes cannot be listed.
pub(super) fn config() -> Result<(), Error> {
    let settings = settings();
    let known = theme_names()?;
    for name in settings.theme.iter().chain([&settings.dark_theme, &settings.light_theme]) {
        is_theme(name, &known);
    }
    let rows: Vec<(&str, String, String)> = settings
        .rows()
        .map(|(name, value, line)| {
            let stated = line.map(|line| format!("{SETTINGS}, line {line}"));
            let (value, from) = match name {
                "author" => author(settings.author.as_deref(), stated),
                "theme" => theme(value, stated),
                _ => (value, stated.unwrap_or_else(|| "default".to_owned())),
            };
            (name, value, from)
        })
        .collect();
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let mut text = String::new();
    for (name, value, from) in &rows {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name:width$}  {}  ({from})", visible(value));
    }
    let path = |folder: Option<PathBuf>, name: &str| {
        folder.map_or_else(|| "nowhere".to_owned(), |folder| folder.join(name).display().to_string())
    };
    let is_there = |name: &str, there: &str, usual: &str| if own(name).is_some() { there } else { usual }.to_owned();
    let own = config::names(THEMES, "toml")?;
    let themes = if own.is_empty() {
        "no theme of your own".to_owned()
    } else {
        format!("your own: {}", visible(&own.join(", ")))
    };
    let places = [
        ("settings", path(config::folder(), SETTINGS), is_there(SETTINGS, "your own settings", "not there")),
        ("keys", path(config::folder(), KEYMAP), is_there(KEYMAP, "your own keys", "not there")),
        ("themes", path(config::folder(), THEMES), themes),
        ("drafts", path(config::state_folder(), ""), "what was typed and not saved".to_owned()),
    ];
    text.push('\n');
    for (name, place, what) in places {
        let _ = writeln!(text, "{name:width$}  {}  ({what})", visible(&place));
    }
    print(text.as_bytes())
}

/// Who writes, and where that comes from.
fn author(set: Option<&str>, stated: Option<String>) -> (String, String) {
    let from_git = || Some((Repo::discover(Path::new(".")).ok()?.author_name()?, "user.name of git".to_owned()));
    variable("WHYMARK_AUTHOR")
        .map(|author| (author, "WHYMARK_AUTHOR".to_owned()))
        .or_else(|| set.map(ToOwned::to_owned).zip(stated))
        .or_else(from_git)
        .unwrap_or_else(|| ("nobody".to_owned(), "neither WHYMARK_AUTHOR nor user.name of git".to_owned()))
}

/// The theme, and where that comes from.
fn theme(set: String, stated: Option<String>) -> (String, String) {
    match variable("WHYMARK_THEME") {
        Some(theme) => (theme, "WHYMARK_THEME".to_owned()),
        None => (set, stated.unwrap_or_else(|| "default: by the background of the terminal".to_owned())),
    }
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.trim().is_empty())
}
