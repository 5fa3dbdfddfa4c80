//! `whymark themes`, `keys` and `config`: what a person has set up, and what holds without it.

use std::fmt::Write as _;
use std::path::Path;

use serde::Deserialize;

use super::{print, say, visible};
use crate::config;
use crate::error::Error;
use crate::git::Repo;
use crate::tui::help::{self, HelpRow};
use crate::tui::keymap::{Keymap, Problem};
use crate::tui::model::RecordTarget;
use crate::tui::theme::BUILT_IN;

/// The person's own keys, in the folder of the configuration.
const KEYMAP: &str = "keymap.toml";
/// The person's settings, likewise.
const SETTINGS: &str = "config.toml";
/// The person's own themes, likewise.
const THEMES: &str = "themes";

/// A file of the person's own; one that cannot be read is said and left out.
pub(super) fn own(name: &str) -> Option<String> {
    config::read(name).unwrap_or_else(|error| {
        say(&format!("warning: {error}"));
        None
    })
}

/// The keys, the person's own included; what is wrong with those is said.
pub(super) fn keymap() -> Keymap {
    let (keymap, problems) = Keymap::with(&own(KEYMAP).unwrap_or_default());
    for Problem { line, message } in &problems {
        say(&format!("warning: {KEYMAP}, line {line}: {message}"));
    }
    keymap
}

/// What can be set, and how it is when it is not.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    markback: MarkbackSettings,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct MarkbackSettings {
    target: RecordTarget,
}

/// Where new Markback notes go, as the person's settings have it; what is wrong with those is said, and left out.
pub(super) fn record_target() -> RecordTarget {
    let settings = toml::from_str(&own(SETTINGS).unwrap_or_default()).unwrap_or_else(|error| {
        say(&format!("warning: {SETTINGS}: {}", error.message()));
        Settings::default()
    });
    settings.markback.target
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
    let rows = help::rows(&keymap());
    let width = rows.iter().map(|row| if let HelpRow::Command(keys, _) = row { keys.chars().count() } else { 0 }).max();
    let width = width.unwrap_or(0);
    let mut text = String::new();
    for row in rows {
        let _ = match row {
            HelpRow::Title(title) => writeln!(text, "{title}"),
            HelpRow::Command(keys, doc) => writeln!(text, "  {keys:width$}  {doc}"),
            HelpRow::Text(line) => writeln!(text, "  {line}"),
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
    let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.trim().is_empty());
    let mut text = String::new();
    let mut row = |name: &str, value: &str, from: &str| {
        let _ = writeln!(text, "{name:7} {}  ({from})", visible(value));
    };
    let author = variable("WHYMARK_AUTHOR").map(|author| (author, "WHYMARK_AUTHOR"));
    let from_git = || Some((Repo::discover(Path::new(".")).ok()?.author_name()?, "user.name of git"));
    let (author, from) = author
        .or_else(from_git)
        .unwrap_or_else(|| ("nobody".to_owned(), "neither WHYMARK_AUTHOR nor user.name of git"));
    row("author", &author, from);
    match variable("WHYMARK_THEME") {
        Some(theme) => row("theme", &theme, "WHYMARK_THEME"),
        None => row(
            "theme",
            super::tui::default_theme(variable("COLORFGBG").as_deref()),
            "by the terminal; --theme and WHYMARK_THEME change it",
        ),
    }
    let path = |folder: Option<std::path::PathBuf>, name: &str| {
        folder.map_or_else(|| "nowhere".to_owned(), |folder| folder.join(name).display().to_string())
    };
    let keys = if own(KEYMAP).is_some() { "your own keys" } else { "not there: all keys are the usual ones" };
    row("keys", &path(config::folder(), KEYMAP), keys);
    let records = match record_target() {
        RecordTarget::Review => "Markback notes go beside the review",
        RecordTarget::Sidecar => "Markback notes go beside the file that they are about",
    };
    row("records", records, &path(config::folder(), SETTINGS));
    let own = config::names(THEMES, "toml")?;
    let themes = if own.is_empty() {
        "no theme of your own".to_owned()
    } else {
        format!("your own: {}", visible(&own.join(", ")))
    };
    row("themes", &path(config::folder(), THEMES), &themes);
    row("drafts", &path(config::state_folder(), ""), "what was typed and not saved");
    print(text.as_bytes())
}
