//! `whymark tui`: the reviewer.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use super::args::{Color, TuiArgs};
use super::changes::Chosen;
use super::paths::current_folder;
use super::setup::{self, own};
use super::{print, say};
use crate::clock;
use crate::config;
use crate::error::Error;
use crate::git::{Repo, Scope};
use crate::markback::sidecar;
use crate::text::width::{Display, Glyphs};
use crate::tui::background::is_worth_asking;
use crate::tui::colour::Depth;
use crate::tui::open::{Signature, Target};
use crate::tui::picture::Format;
use crate::tui::settings::Settings;
use crate::tui::terminal::take_background_panics;
use crate::tui::theme::{ByBackground, Theme, Themes};
use crate::tui::{self, Options};

/// Run the command.
///
/// # Errors
/// When there is no terminal, no repository, no such file, or nothing to review.
pub(super) fn run(args: &TuiArgs, color: Color) -> Result<(), Error> {
    if args.demo {
        return run_demo(args, color);
    }
    let dir = current_folder()?;
    let target = target(args, &dir)?;
    start(args, color, dir, target, config::state_folder())
}

fn target(args: &TuiArgs, dir: &Path) -> Result<Target, Error> {
    if let Some(patch) = args.patch() {
        let Chosen { repo, changes, options } = args.scope.choose_patch(patch, dir)?;
        return Ok(Target::Patch { repo, changes: Box::new(changes), options, out: args.out.clone() });
    }
    match args.files() {
        [] => {
            let repo = args.scope.repo(dir)?;
            let options = args.scope.options(&repo, dir, args.out.as_deref())?;
            Ok(Target::Scope { repo, scope: args.scope(), options, out: args.out.clone() })
        }
        [file] if file.extension().is_some_and(|extension| extension == "whymark") => Ok(Target::File(file.clone())),
        [file] if sidecar::is_markback(file) => Ok(Target::Records(file.clone())),
        [patch] if patch.extension().is_some_and(|extension| extension == "patch" || extension == "diff") => {
            let Chosen { repo, changes, options } = args.scope.choose_patch(patch, dir)?;
            Ok(Target::Patch { repo, changes: Box::new(changes), options, out: args.out.clone() })
        }
        files => match files.iter().find(|file| !dir.join(file).exists()) {
            Some(path) => Err(Error::NoSuchTarget { path: path.clone() }),
            None => Ok(Target::Documents(files.to_vec())),
        },
    }
}

/// Open the sample in a temporary folder. It goes when the reviewer is left, unless something was written in it.
fn run_demo(args: &TuiArgs, color: Color) -> Result<(), Error> {
    let temporary = tempfile::Builder::new().prefix("whymark-demo-").tempdir();
    let temporary = temporary.map_err(|source| Error::CreateFolder { path: std::env::temp_dir(), source })?;
    let dir = crate::demo::unpack(temporary.path())?;
    let target = Target::Scope {
        repo: Repo::discover(&dir)?,
        scope: Some(Scope::Staged),
        options: Default::default(),
        out: None,
    };
    // No draft is kept: the folder is another one every time, and nobody would come back to it.
    start(args, color, dir.clone(), target, None)?;
    if !crate::demo::is_untouched(&dir) {
        let kept = temporary.keep();
        say(&format!("what you wrote is in {}", dir.join("reviews").display()));
        say(&format!("delete {} when you are done with it", kept.display()));
    }
    Ok(())
}

fn start(args: &TuiArgs, color: Color, dir: PathBuf, target: Target, drafts: Option<PathBuf>) -> Result<(), Error> {
    let shot = args.dump.shot();
    let reads_input = args.patch().is_some_and(|patch| patch == Path::new("-"));
    let depth = depth(shot.as_ref().map(|shot| shot.format), color);
    let settings = setup::settings();
    let (name, by_background) = theme_name(args.theme.as_deref().filter(|name| !name.is_empty()), settings)?;
    let asks = shot.is_none() && depth > Depth::None;
    let asks = asks && is_worth_asking(variable("TERM").as_deref(), variable("TMUX").is_some());
    let by_background = by_background.filter(|_| asks);
    // What is wrong with a theme that is looked at later would stand in the middle of the screen.
    let themes =
        Themes::new(depth, setup::theme_names()?, |file| config::read(&format!("themes/{file}")).ok().flatten());
    let (theme, warnings) = Theme::load(&name, depth, |file| own(&format!("themes/{file}")));
    warnings.into_iter().for_each(setup::warn);
    let keymap = setup::keymap();
    let signature = Signature { author: args.author.given().or_else(|| settings.author.clone()), date: clock::now() };
    let locale =
        ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| variable(name).filter(|value| !value.is_empty()));
    let display = Display::new(settings.tab_width, settings.glyphs.unwrap_or_else(|| glyphs(locale.as_deref())));
    let settings = settings.clone();
    let lcov = args.lcov.clone();
    let problems = setup::problems();
    let options = Options {
        dir,
        target,
        signature,
        theme,
        themes,
        by_background,
        keymap,
        display,
        settings,
        drafts,
        lcov,
        problems,
    };
    let outcome = match shot {
        // What an earlier run left unsaved stays as it is.
        Some(shot) => tui::dump(Options { drafts: None, ..options }, &shot).and_then(|frame| print(frame.as_bytes())),
        // What was piped in was perhaps meant to be read; only a patch that is asked for is.
        None if !reads_input && !io::stdin().is_terminal() => Err(Error::NoTerminal),
        None => tui::run(options).map(|farewell| farewell.iter().for_each(|line| say(line))),
    };
    for fault in take_background_panics() {
        say(&format!("fault of whymark, please report it: {}", fault.replace('\n', " ")));
    }
    outcome
}

/// The theme to draw with: the one that was asked for, else the one that is set. If none is, the background decides, of which
/// only a guess is known here: then both are returned too.
fn theme_name(asked: Option<&str>, settings: &Settings) -> Result<(String, Option<ByBackground>), Error> {
    let known = setup::theme_names()?;
    if let Some(name) = asked.filter(|name| *name != "auto") {
        let name = name.to_owned();
        return if known.contains(&name) { Ok((name, None)) } else { Err(Error::UnknownTheme { name, known }) };
    }
    let usable = |name: &str, usual: &str| {
        if setup::is_theme(name, &known) { name.to_owned() } else { usual.to_owned() }
    };
    if let Some(name) = settings.theme.as_ref().filter(|_| asked.is_none()) {
        return Ok((usable(name, "dark"), None));
    }
    let by = ByBackground { dark: usable(&settings.dark_theme, "dark"), light: usable(&settings.light_theme, "light") };
    let guess = if is_light(variable("COLORFGBG").as_deref()) { &by.light } else { &by.dark };
    Ok((guess.clone(), Some(by)))
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// How many colours there are: as many as the terminal has, as far as they are wanted, all of them in a picture, none in
/// a text.
fn depth(format: Option<Format>, color: Color) -> Depth {
    let detected = || {
        let [no_color, colorterm, term] = ["NO_COLOR", "COLORTERM", "TERM"].map(variable);
        let detect = |no_color: Option<&str>| Depth::detect(no_color, colorterm.as_deref(), term.as_deref());
        match color {
            Color::Auto => detect(no_color.as_deref()),
            Color::Always => detect(None).max(Depth::Ansi16),
            Color::Never => Depth::None,
        }
    };
    match format {
        None | Some(Format::Ansi) => detected(),
        Some(Format::Text) => Depth::None,
        Some(Format::Svg) => Depth::True,
    }
}

/// Symbols beyond ASCII only where the locale has them.
fn glyphs(locale: Option<&str>) -> Glyphs {
    let is_utf8 = |locale: &str| locale.to_ascii_lowercase().replace('-', "").contains("utf8");
    match locale {
        Some(locale) if !is_utf8(locale) => Glyphs::Ascii,
        _ => Glyphs::Unicode,
    }
}

/// Whether the terminal says that its background is light (`foreground;background`, 7 and 15 being light).
fn is_light(colors: Option<&str>) -> bool {
    let background = colors.and_then(|colors| colors.rsplit(';').next());
    matches!(background, Some("7" | "15"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_follow_the_locale() {
        for (locale, glyphs_wanted) in [
            (None, Glyphs::Unicode),
            (Some("C"), Glyphs::Ascii),
            (Some("de_DE.UTF-8"), Glyphs::Unicode),
            (Some("C.utf8"), Glyphs::Unicode),
        ] {
            assert_eq!(glyphs(locale), glyphs_wanted, "{locale:?}");
        }
    }

    #[test]
    fn a_light_background_is_known() {
        let light = [None, Some("0;15"), Some("15;0"), Some("0;default;15")].map(is_light);
        assert_eq!(light, [false, true, false, true]);
    }
}
