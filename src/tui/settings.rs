//! What a reader sets once for all reviews: `config.toml` in the folder of the configuration. Pure.
//!
//! `assets/config.toml` states every setting with what holds without one, and is the manual. A wrong line in a reader's
//! file is reported with its place and left out; it never takes the others away.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::Value;
use toml::de::{DeTable, DeValue};

use super::layout::Panes;
use super::model::RecordTarget;
use crate::config::Problem;
use crate::text::edit::Edit;
use crate::text::lines::Newline;
use crate::text::near::did_you_mean;
use crate::text::width::Glyphs;

/// The name of a reader's own, in the folder of the configuration.
pub const FILE: &str = "config.toml";
/// The settings as they come with the program.
pub const DEFAULT: &str = include_str!("../../assets/config.toml");

/// What is set. `None` is what is found out: from the terminal, the locale, git, the width of the screen.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The theme, whatever the background.
    pub theme: Option<String>,
    /// The theme on a dark background.
    pub dark_theme: String,
    /// The theme on a light background.
    pub light_theme: String,
    /// Who reviews.
    pub author: Option<String>,
    /// Columns between two tab stops.
    pub tab_width: u16,
    /// What frames and signs are drawn with.
    pub glyphs: Option<Glyphs>,
    /// Whether the mouse is the reviewer's; without it the terminal selects text as it always does.
    pub mouse: bool,
    /// Whether the list of files is there from the start.
    pub files: bool,
    /// Columns of the list of files.
    pub files_width: Option<u16>,
    /// Columns of the notes beside the diff.
    pub notes_width: Option<u16>,
    /// Whether long lines are wrapped from the start.
    pub wrap: bool,
    /// Whether the sides of the diff stand next to each other from the start, where there is room.
    pub side_by_side: bool,
    /// Whether the words that differ are marked from the start.
    pub intraline: bool,
    /// Whether the diff of a review that is not written follows the code by itself; else a key makes it anew.
    pub follows: bool,
    /// Where new Markback notes go.
    pub record_target: RecordTarget,
    /// The lines of the file that have set something, by its name.
    lines: BTreeMap<&'static str, usize>,
}

/// One of them: how it is read, and how it is shown.
struct Setting {
    /// Its name in the file; what stands before a dot is a table.
    name: &'static str,
    /// What it may be, in words.
    takes: &'static str,
    read: fn(&mut Settings, &DeValue<'_>) -> Option<()>,
    show: fn(&Settings) -> String,
}

/// Columns that a pane can have.
const WIDTHS: RangeInclusive<u16> = 20..=200;

/// A field that is on or off.
macro_rules! flag {
    ($name:literal, $field:ident) => {
        Setting {
            name: $name,
            takes: "true or false",
            read: |settings, value| set(&mut settings.$field, value.as_bool()),
            show: |settings| settings.$field.to_string(),
        }
    };
}

/// A field with the columns of a pane.
macro_rules! columns {
    ($name:literal, $field:ident) => {
        Setting {
            name: $name,
            takes: "a number from 20 to 200, or \"auto\"",
            read: |settings, value| set(&mut settings.$field, automatic(value, |value| number(value, WIDTHS))),
            show: |settings| shown(settings.$field),
        }
    };
}

const SETTINGS: &[Setting] = &[
    Setting {
        name: "theme",
        takes: "the name of a theme, or \"auto\"",
        read: |settings, value| set(&mut settings.theme, automatic(value, word)),
        show: |settings| shown(settings.theme.as_deref()),
    },
    Setting {
        name: "dark-theme",
        takes: "the name of a theme",
        read: |settings, value| set(&mut settings.dark_theme, word(value)),
        show: |settings| settings.dark_theme.clone(),
    },
    Setting {
        name: "light-theme",
        takes: "the name of a theme",
        read: |settings, value| set(&mut settings.light_theme, word(value)),
        show: |settings| settings.light_theme.clone(),
    },
    Setting {
        name: "author",
        takes: "a name, or \"auto\"",
        read: |settings, value| set(&mut settings.author, automatic(value, word)),
        show: |settings| shown(settings.author.as_deref()),
    },
    Setting {
        name: "tab-width",
        takes: "a number from 1 to 16",
        read: |settings, value| set(&mut settings.tab_width, number(value, 1..=16)),
        show: |settings| settings.tab_width.to_string(),
    },
    Setting {
        name: "glyphs",
        takes: "\"unicode\", \"ascii\" or \"auto\"",
        read: |settings, value| set(&mut settings.glyphs, automatic(value, glyphs)),
        show: |settings| {
            let word = |glyphs| if glyphs == Glyphs::Ascii { "ascii" } else { "unicode" };
            shown(settings.glyphs.map(word))
        },
    },
    flag!("mouse", mouse),
    flag!("files", files),
    columns!("files-width", files_width),
    columns!("notes-width", notes_width),
    flag!("wrap", wrap),
    flag!("side-by-side", side_by_side),
    flag!("intraline", intraline),
    Setting {
        name: "refresh",
        takes: "\"auto\" or \"key\"",
        read: |settings, value| set(&mut settings.follows, follows(value)),
        show: |settings| if settings.follows { "auto" } else { "key" }.to_owned(),
    },
    Setting {
        name: "markback.target",
        takes: "\"review\" or \"sidecar\"",
        read: |settings, value| set(&mut settings.record_target, record_target(value)),
        show: |settings| {
            let word = match settings.record_target {
                RecordTarget::Review => "review",
                RecordTarget::Sidecar => "sidecar",
            };
            word.to_owned()
        },
    },
];

impl Default for Settings {
    fn default() -> Self {
        Self::with("").0
    }
}

impl Settings {
    /// What holds when a reader's file says `file`; and what of it was left out.
    #[must_use]
    pub fn with(file: &str) -> (Self, Vec<Problem>) {
        let mut settings = Self {
            theme: None,
            dark_theme: String::new(),
            light_theme: String::new(),
            author: None,
            tab_width: 1,
            glyphs: None,
            mouse: true,
            files: false,
            files_width: None,
            notes_width: None,
            wrap: false,
            side_by_side: false,
            intraline: false,
            follows: false,
            record_target: RecordTarget::Review,
            lines: BTreeMap::new(),
        };
        let problems = settings.read(DEFAULT);
        debug_assert_eq!(problems, [], "the file that comes with the program is right");
        settings.lines.clear();
        let problems = settings.read(file);
        (settings, problems)
    }

    /// The widths of the panes.
    #[must_use]
    pub fn panes(&self) -> Panes {
        Panes { files: self.files_width, notes: self.notes_width }
    }

    /// Each setting: its name, its value, and the line of the reader's file that has set it.
    pub fn rows(&self) -> impl Iterator<Item = (&'static str, String, Option<usize>)> {
        SETTINGS.iter().map(|setting| (setting.name, (setting.show)(self), self.lines.get(setting.name).copied()))
    }

    fn read(&mut self, file: &str) -> Vec<Problem> {
        let (table, errors) = DeTable::parse_recoverable(file);
        let mut problems: Vec<Problem> = errors
            .iter()
            .map(|error| Problem::at(file, error.span().map_or(0, |span| span.start), error.message().to_owned()))
            .collect();
        self.read_table(table.get_ref(), "", file, &mut problems);
        let place = |problem: &Problem| (problem.line, problem.column);
        problems.sort_by_key(place);
        // What is no TOML is no value of the setting either; once is enough.
        problems.dedup_by_key(|problem| place(problem));
        problems
    }

    fn read_table(&mut self, table: &DeTable<'_>, prefix: &str, file: &str, problems: &mut Vec<Problem>) {
        for (key, value) in table {
            let name = format!("{prefix}{}", key.get_ref());
            let is_table = SETTINGS.iter().any(|known| known.name.starts_with(&format!("{name}.")));
            let known = SETTINGS.iter().find(|known| known.name == name);
            let mut report = |at: usize, message: String| problems.push(Problem::at(file, at, message));
            match (known, value.get_ref()) {
                (None, DeValue::Table(table)) if is_table => {
                    self.read_table(table, &format!("{name}."), file, problems);
                }
                (None, _) if is_table => report(value.span().start, format!("`{name}` is a table: write `[{name}]`")),
                (None, _) => {
                    let hint = did_you_mean(&name, SETTINGS.iter().map(|known| known.name));
                    report(key.span().start, format!("there is no setting `{name}`.{hint}"));
                }
                (Some(known), read) => match (known.read)(self, read) {
                    Some(()) => {
                        let line = Problem::at(file, key.span().start, String::new()).line;
                        self.lines.insert(known.name, line);
                    }
                    None => report(value.span().start, format!("`{name}` is {}", known.takes)),
                },
            }
        }
    }
}

/// Put what was read in its place, if it could be read.
fn set<T>(place: &mut T, read: Option<T>) -> Option<()> {
    *place = read?;
    Some(())
}

fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "auto".to_owned(), |value| value.to_string())
}

/// `None` when the value is neither "auto" nor what `read` takes.
fn automatic<T>(value: &DeValue<'_>, read: impl Fn(&DeValue<'_>) -> Option<T>) -> Option<Option<T>> {
    if value.as_str() == Some("auto") { Some(None) } else { read(value).map(Some) }
}

fn word(value: &DeValue<'_>) -> Option<String> {
    value.as_str().map(str::trim).filter(|word| !word.is_empty()).map(ToOwned::to_owned)
}

fn number(value: &DeValue<'_>, range: RangeInclusive<u16>) -> Option<u16> {
    let number = value.as_integer().filter(|number| number.radix() == 10)?.as_str().parse().ok()?;
    range.contains(&number).then_some(number)
}

fn glyphs(value: &DeValue<'_>) -> Option<Glyphs> {
    match value.as_str()? {
        "unicode" => Some(Glyphs::Unicode),
        "ascii" => Some(Glyphs::Ascii),
        _ => None,
    }
}

fn follows(value: &DeValue<'_>) -> Option<bool> {
    match value.as_str()? {
        "auto" => Some(true),
        "key" => Some(false),
        _ => None,
    }
}

fn record_target(value: &DeValue<'_>) -> Option<RecordTarget> {
    match value.as_str()? {
        "review" => Some(RecordTarget::Review),
        "sidecar" => Some(RecordTarget::Sidecar),
        _ => None,
    }
}

/// The edit that makes a reader's file name this theme, and changes nothing else in it.
#[must_use]
pub fn set_theme(file: &str, name: &str) -> Edit {
    let value = Value::String(name.to_owned()).to_string();
    let (table, _) = DeTable::parse_recoverable(file);
    match table.get_ref().get("theme") {
        Some(stated) => Edit::replace(stated.span(), value),
        // What stands at the top belongs to no table; only a byte order mark stands before it.
        None => {
            let top = if file.starts_with('\u{feff}') { 3 } else { 0 };
            Edit::insert(top, format!("theme = {value}{}", Newline::detect(file.as_bytes()).as_str()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(file: &str) -> Vec<String> {
        let (settings, problems) = Settings::with(file);
        assert_eq!(problems, [], "{file}");
        settings.rows().map(|(name, value, line)| format!("{name} {value} {line:?}")).collect()
    }

    #[test]
    fn the_default_file_states_every_setting_and_changes_none() {
        let (stated, problems) = Settings::with(DEFAULT);
        assert_eq!(problems, []);
        for ((name, value, line), (_, usual, _)) in stated.rows().zip(Settings::default().rows()) {
            assert!(line.is_some(), "{name} is not in the file");
            assert_eq!(value, usual, "{name}");
        }
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let file = "theme = \"light\"\n# mine\nnotes-width=60\nside-by-side = true\n[markback]\ntarget = 'sidecar'\n";
        let changed: Vec<String> = rows(file).into_iter().filter(|row| !row.ends_with("None")).collect();
        assert_eq!(
            changed,
            [
                "theme light Some(1)",
                "notes-width 60 Some(3)",
                "side-by-side true Some(4)",
                "markback.target sidecar Some(6)"
            ]
        );
        assert_eq!(
            rows("markback.target = 'sidecar'").last().map(String::as_str),
            Some("markback.target sidecar Some(1)")
        );
        assert_eq!(rows("theme = 'auto'")[0], "theme auto Some(1)");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place_and_left_out() {
        for (file, place, part) in [
            ("themes = 'x'", (1, 1), "Did you mean `theme`?"),
            ("  zzz = 1", (1, 3), "no setting `zzz`"),
            ("\ntab-width = 17", (2, 13), "a number from 1 to 16"),
            ("tab-width = 0x4", (1, 13), "a number from 1 to 16"),
            ("mouse = 'no'", (1, 9), "true or false"),
            ("wrap = 1", (1, 8), "`wrap` is true or false"),
            ("side_by_side = true", (1, 1), "Did you mean `side-by-side`?"),
            ("theme = ' '", (1, 9), "the name of a theme"),
            ("glyphs = 3", (1, 10), "\"ascii\""),
            ("refresh = true", (1, 11), "`refresh` is \"auto\" or \"key\""),
            ("[markback]\ntarget = 'moon'", (2, 10), "\"sidecar\""),
            ("[markbak]\ntarget = 'review'", (1, 2), "no setting `markbak`"),
            ("markback = 3", (1, 12), "write `[markback]`"),
            ("[markback]\nfoo = 1", (2, 1), "no setting `markback.foo`"),
            ("é = 1", (1, 1), ""),
            ("author = \"a", (1, 0), ""),
            ("theme = 'a'\ntheme = 'b'", (2, 1), "duplicate"),
        ] {
            let (settings, problems) = Settings::with(&format!("{file}\n"));
            let problem = problems.first().unwrap_or_else(|| panic!("{file}: nothing is said"));
            assert!(problem.line == place.0 && problem.message.contains(part), "{file}: {problem:?}");
            assert!(place.1 == 0 || problem.column == place.1, "{file}: {problem:?}");
            assert_eq!(settings.tab_width, 4, "{file}");
        }
        let (settings, problems) = Settings::with("tab-width = 8\nmouse = maybe\nfiles = true\n");
        assert_eq!((settings.tab_width, settings.files, problems.len()), (8, true, 1), "{problems:?}");
    }

    #[test]
    fn a_theme_is_set_in_one_line() {
        for (before, after) in [
            ("", "theme = \"x\"\n"),
            ("# mine\nmouse = false", "theme = \"x\"\n# mine\nmouse = false"),
            ("mouse = true\r\n", "theme = \"x\"\r\nmouse = true\r\n"),
            ("# a\ntheme   =  'dark' # b\n[markback]\n", "# a\ntheme   =  \"x\" # b\n[markback]\n"),
            ("[markback]\n", "theme = \"x\"\n[markback]\n"),
            ("\u{feff}mouse = true\n", "\u{feff}theme = \"x\"\nmouse = true\n"),
            ("\u{feff}theme = \"auto\"\n", "\u{feff}theme = \"x\"\n"),
            ("mouse = maybe\ntheme = \"auto\"\n", "mouse = maybe\ntheme = \"x\"\n"),
        ] {
            let text = String::from_utf8(set_theme(before, "x").apply(before.as_bytes())).expect("it is text");
            assert_eq!(text, after);
            assert_eq!(Settings::with(&text).0.theme.as_deref(), Some("x"));
        }
        let odd = "a\"b\\c";
        let text = String::from_utf8(set_theme("", odd).apply(b"")).expect("it is text");
        assert_eq!(Settings::with(&text).0.theme.as_deref(), Some(odd));
    }
}
