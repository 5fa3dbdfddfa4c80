//! Which keys mean which command: `assets/keymap.toml`, what a reader has changed of it, and the keys that never change.
//!
//! A wrong line in a reader's file is reported with its place and left out; it never takes the other keys away.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::command::{COMMANDS, Command, Context};
use super::key::{Code, Key, Modifiers, read_sequence, write_sequence};
use crate::config::Problem;
use crate::text::lines::line_index;
use crate::text::near::did_you_mean;

/// The keys as they come with the program.
pub const DEFAULT: &str = include_str!("../../assets/keymap.toml");

/// Keys that mean this in every key file, so that nobody is ever stuck.
const FIXED: &[(Context, Code, Command)] = &[
    (Context::Review, Code::Down, Command::Down),
    (Context::Review, Code::Up, Command::Up),
    (Context::Review, Code::PageDown, Command::PageDown),
    (Context::Review, Code::PageUp, Command::PageUp),
    (Context::Review, Code::Home, Command::Top),
    (Context::Review, Code::End, Command::Bottom),
    (Context::Review, Code::Left, Command::ScrollLeft),
    (Context::Review, Code::Right, Command::ScrollRight),
    (Context::Review, Code::Tab, Command::FocusFiles),
    (Context::Review, Code::Esc, Command::Cancel),
    (Context::Files, Code::Down, Command::Down),
    (Context::Files, Code::Up, Command::Up),
    (Context::Files, Code::PageDown, Command::PageDown),
    (Context::Files, Code::PageUp, Command::PageUp),
    (Context::Files, Code::Home, Command::Top),
    (Context::Files, Code::End, Command::Bottom),
    (Context::Files, Code::Tab, Command::FocusFiles),
    (Context::Files, Code::Esc, Command::Cancel),
    (Context::Files, Code::Left, Command::CloseFolder),
    (Context::Files, Code::Right, Command::OpenFolder),
    (Context::Text, Code::Left, Command::CursorLeft),
    (Context::Text, Code::Right, Command::CursorRight),
    (Context::Text, Code::Home, Command::LineStart),
    (Context::Text, Code::End, Command::LineEnd),
    (Context::Text, Code::Esc, Command::Cancel),
    (Context::Form, Code::Down, Command::CursorDown),
    (Context::Form, Code::Up, Command::CursorUp),
    (Context::Form, Code::PageDown, Command::PageDown),
    (Context::Form, Code::PageUp, Command::PageUp),
    (Context::Form, Code::Home, Command::LineStart),
    (Context::Form, Code::End, Command::LineEnd),
    (Context::Form, Code::Left, Command::CursorLeft),
    (Context::Form, Code::Right, Command::CursorRight),
    (Context::Form, Code::Tab, Command::NextField),
    (Context::Form, Code::BackTab, Command::PrevField),
    (Context::Form, Code::Esc, Command::Cancel),
    (Context::Popup, Code::Down, Command::Down),
    (Context::Popup, Code::Up, Command::Up),
    (Context::Popup, Code::PageDown, Command::PageDown),
    (Context::Popup, Code::PageUp, Command::PageUp),
    (Context::Popup, Code::Home, Command::Top),
    (Context::Popup, Code::End, Command::Bottom),
    (Context::Popup, Code::Esc, Command::Cancel),
];

/// What keys typed one after the other come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resolution {
    /// They are this command.
    Command(Command),
    /// They begin one or more commands.
    Pending,
    /// They are nothing.
    None,
}

/// Key sequences and their commands.
#[derive(Debug, Clone)]
pub struct Keymap {
    bindings: Vec<Binding>,
}

#[derive(Debug, Clone)]
struct Binding {
    context: Context,
    keys: Vec<Key>,
    command: Command,
    origin: Origin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Origin {
    Fixed,
    Default,
    /// A reader's file, with the line.
    File(usize),
}

/// Something that is wrong: where, and what.
type Fault = (Range<usize>, String);

/// What a file wants: the keys of a command in one place.
struct Wanted<'a> {
    context: Context,
    command: Command,
    keys: Vec<(&'a str, Range<usize>)>,
    at: usize,
}

impl Default for Keymap {
    fn default() -> Self {
        Self::with("").0
    }
}

impl Keymap {
    /// The default keys, changed by a reader's file; and what of the file was left out.
    #[must_use]
    pub fn with(file: &str) -> (Self, Vec<Problem>) {
        let fixed = FIXED.iter().map(|&(context, code, command)| Binding {
            context,
            keys: vec![Key::plain(code)],
            command,
            origin: Origin::Fixed,
        });
        let mut map = Self { bindings: fixed.collect() };
        let mut problems = Vec::new();
        map.read(DEFAULT, true, &mut problems);
        debug_assert_eq!(problems, [], "the file that comes with the program is right");
        map.read(file, false, &mut problems);
        (map, problems)
    }

    /// What `keys`, typed one after the other, come to.
    #[must_use]
    pub fn resolve(&self, context: Context, keys: &[Key]) -> Resolution {
        let mut begun = self.of(context).filter(|binding| binding.keys.starts_with(keys)).peekable();
        match begun.peek() {
            None => Resolution::None,
            Some(binding) if binding.keys.len() == keys.len() => Resolution::Command(binding.command),
            Some(_) => Resolution::Pending,
        }
    }

    /// The keys of `command`, as they are written, the ones that can be changed first; empty when it has none.
    #[must_use]
    pub fn keys_of(&self, context: Context, command: Command) -> Vec<String> {
        let of_command = self.of(context).filter(|binding| binding.command == command);
        let (fixed, own): (Vec<&Binding>, Vec<&Binding>) =
            of_command.partition(|binding| binding.origin == Origin::Fixed);
        own.into_iter().chain(fixed).map(|binding| write_sequence(&binding.keys)).collect()
    }

    /// The shortest of them, one without ctrl or alt first.
    #[must_use]
    pub fn key_of(&self, context: Context, command: Command) -> Option<String> {
        self.keys_of(context, command).into_iter().min_by_key(|keys| (keys.contains('-'), keys.len()))
    }

    fn of(&self, context: Context) -> impl Iterator<Item = &Binding> {
        self.bindings.iter().filter(move |binding| binding.context == context)
    }

    fn read(&mut self, text: &str, is_default: bool, problems: &mut Vec<Problem>) {
        let (tables, errors) = DeTable::parse_recoverable(text);
        let known = problems.len();
        let faults = errors.iter().map(|error| (error.span().unwrap_or(0..0), error.message().to_owned()));
        let mut faults: Vec<Fault> = faults.collect();
        let mut wanted = wanted(tables.get_ref(), &mut faults);
        // The order of the file, so that of two lines that are at odds the later one is reported.
        wanted.sort_by_key(|wanted| wanted.at);
        for Wanted { context, command, .. } in &wanted {
            self.bindings.retain(|known| {
                (known.context, known.command) != (*context, *command) || known.origin != Origin::Default
            });
        }
        for Wanted { context, command, keys, .. } in &wanted {
            for (key, place) in keys {
                let line = line_index(text.as_bytes(), place.start) + 1;
                let origin = if is_default { Origin::Default } else { Origin::File(line) };
                if let Err(message) = self.bind(*context, *command, key, origin) {
                    faults.push((place.clone(), message));
                }
            }
        }
        self.keep_a_way_out(&wanted, &mut faults);
        problems.extend(faults.into_iter().map(|(place, message)| Problem::at(text, place.start, message)));
        let place = |problem: &Problem| (problem.line, problem.column);
        problems[known..].sort_by_key(place);
        // What is no TOML is no list of keys either; once is enough.
        problems.dedup_by_key(|problem| place(problem));
    }

    /// Where no key is left that quits, ctrl-c does: nobody is to be stuck for a line in a file.
    fn keep_a_way_out(&mut self, wanted: &[Wanted<'_>], faults: &mut Vec<Fault>) {
        let (context, command) = (Context::Review, Command::Quit);
        if self.of(context).any(|binding| binding.command == command) {
            return;
        }
        let ctrl_c = Key::new(Code::Char('c'), Modifiers { ctrl: true, ..Modifiers::default() });
        self.bindings.retain(|binding| binding.context != context || binding.keys[0] != ctrl_c);
        self.bindings.push(Binding { context, keys: vec![ctrl_c], command, origin: Origin::Default });
        for wanted in wanted.iter().filter(|wanted| wanted.context == context) {
            if wanted.command == command && wanted.keys.is_empty() {
                let place = wanted.at..wanted.at;
                faults.push((place, format!("without a key for `quit` nobody could leave: `{ctrl_c}` still quits")));
            }
            let is_it = |name: &str| read_sequence(name).is_ok_and(|keys| keys[0] == ctrl_c);
            for (name, place) in wanted.keys.iter().filter(|(name, _)| is_it(name)) {
                let message = format!("`{name}` is the last key that quits, and still does: use another key");
                faults.push((place.clone(), message));
            }
        }
    }

    /// Bind, or say why not. A reader's key takes the place of default keys that it is at odds with.
    fn bind(&mut self, context: Context, command: Command, name: &str, origin: Origin) -> Result<(), String> {
        let keys = read_sequence(name).map_err(|error| {
            format!("{error}: write a character, or a name like enter, pgdn, f1, with ctrl-, alt- or shift- before it")
        })?;
        // No count begins with a zero.
        let is_count = |c: char| c.is_ascii_digit() && (context != Context::Text || c != '0');
        if context != Context::Form && keys[0].text().is_some_and(is_count) {
            return Err(format!("`{name}` begins with a digit, and digits repeat commands: use another key"));
        }
        if context == Context::Form && keys[0].text().is_some() {
            return Err(format!("`{name}` types text in a form: use a named key, or one with ctrl- or alt-"));
        }
        let clash = |known: &Binding| {
            known.context == context && (known.keys.starts_with(&keys) || keys.starts_with(&known.keys))
        };
        let is_replaced = |known: &Binding| origin != Origin::Default && known.origin == Origin::Default;
        if let Some(known) = self.bindings.iter().find(|known| clash(known) && !is_replaced(known)) {
            let (keys, other) = (write_sequence(&known.keys), known.command.entry().name);
            return Err(match known.origin {
                Origin::Fixed => format!("`{name}` cannot be changed: `{keys}` is always {other}"),
                Origin::Default => format!("`{name}` is at odds with `{keys}`, which is {other}: use another key"),
                Origin::File(line) => {
                    format!("`{name}` is at odds with `{keys}`, which line {line} gives to {other}: change one of them")
                }
            });
        }
        self.bindings.retain(|known| !(clash(known) && is_replaced(known)));
        self.bindings.push(Binding { context, keys, command, origin });
        Ok(())
    }
}

/// The default keys as tables in Markdown: one table for each place where one writes or reads.
#[must_use]
pub fn markdown() -> String {
    let map = Keymap::default();
    let mut text = String::new();
    for (context, title) in [
        (Context::Review, "In the review"),
        (Context::Text, "In the text of a line"),
        (Context::Files, "In the list of files"),
        (Context::Form, "While writing"),
    ] {
        text += &format!("\n| {title} | |\n|---|---|\n");
        for entry in COMMANDS.iter().filter(|entry| entry.contexts.contains(&context)) {
            let keys = map.keys_of(context, entry.command).iter().map(|keys| format!("`{keys}`")).collect::<Vec<_>>();
            let keys = if keys.is_empty() { format!("`:{}`", entry.name) } else { keys.join(" ") };
            text += &format!("| {keys} | {} |\n", entry.doc);
        }
    }
    text.trim_start().to_owned()
}

/// What the tables of a file want, as far as they can be read; the rest is put into `faults`, one entry after the other.
fn wanted<'a>(tables: &'a DeTable<'_>, faults: &mut Vec<Fault>) -> Vec<Wanted<'a>> {
    let mut wanted = Vec::new();
    for (name, table) in tables {
        let context = Context::ALL.into_iter().find(|context| context.name() == name.get_ref());
        match (context, table.get_ref()) {
            (Some(context), DeValue::Table(table)) => {
                for (name, keys) in table {
                    let read = command_in(context, name.get_ref()).map_err(|message| (name.span(), message));
                    match read.and_then(|command| Ok((command, keys_in(name.get_ref(), keys)?))) {
                        Ok((command, keys)) => wanted.push(Wanted { context, command, keys, at: name.span().start }),
                        Err(fault) => faults.push(fault),
                    }
                }
            }
            (Some(_), _) => faults.push((name.span(), format!("`{0}` is a table: write `[{0}]`", name.get_ref()))),
            (None, found) => {
                let tables = Context::ALL.map(|context| format!("[{}]", context.name())).join(", ");
                let what = match found {
                    DeValue::Table(_) => format!("there is no place called [{}]", name.get_ref()),
                    _ => format!("`{}` stands in no table", name.get_ref()),
                };
                let hint = did_you_mean(name.get_ref(), Context::ALL.map(Context::name));
                faults.push((name.span(), format!("{what}; use {tables}.{hint}")));
            }
        }
    }
    wanted
}

/// The keys in a list of them, each with its place.
fn keys_in<'a>(command: &str, value: &'a Spanned<DeValue<'_>>) -> Result<Vec<(&'a str, Range<usize>)>, Fault> {
    let wrong =
        |value: &Spanned<DeValue<'_>>| (value.span(), format!("`{command}` is a list of keys, like [\"x\", \"f2\"]"));
    let keys = value.get_ref().as_array().ok_or_else(|| wrong(value))?;
    keys.iter().map(|key| Ok((key.get_ref().as_str().ok_or_else(|| wrong(key))?, key.span()))).collect()
}

fn command_in(context: Context, name: &str) -> Result<Command, String> {
    let place = context.name();
    match COMMANDS.iter().find(|entry| entry.name == name) {
        Some(entry) if entry.contexts.contains(&context) => Ok(entry.command),
        Some(_) => Err(format!("the command `{name}` does nothing in [{place}]: put it in the table where it belongs")),
        None => {
            let here = COMMANDS.iter().filter(|entry| entry.contexts.contains(&context));
            let hint = did_you_mean(name, here.map(|entry| entry.name));
            let names = "see the key file that comes with the program for the names";
            Err(if hint.is_empty() {
                format!("there is no command `{name}`: {names}")
            } else {
                format!("there is no command `{name}`.{hint}")
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> Vec<Key> {
        read_sequence(text).expect("the test writes keys")
    }

    #[test]
    fn every_command_can_be_reached_wherever_it_applies() {
        let map = Keymap::default();
        for entry in COMMANDS {
            for context in entry.contexts {
                let names = map.keys_of(*context, entry.command);
                // What is done once in a session has no key, and is called by its name.
                let is_named = matches!(entry.command, Command::EndSession | Command::TakeOver);
                assert!(names.is_empty() == is_named, "{} in {context:?}: {names:?}", entry.name);
                for name in names {
                    let resolution = map.resolve(*context, &keys(&name));
                    assert_eq!(resolution, Resolution::Command(entry.command), "{name} in {context:?}");
                }
            }
        }
    }

    #[test]
    fn the_default_file_names_everything_and_is_right() {
        let (_, problems) = Keymap::with("");
        assert_eq!(problems, []);
        for entry in COMMANDS {
            for context in entry.contexts {
                let table = DEFAULT.split("\n[").find(|table| table.starts_with(context.name())).unwrap_or_default();
                let fixed = FIXED.iter().any(|fixed| (fixed.0, fixed.2) == (*context, entry.command));
                let is_there = table.lines().any(|line| line.starts_with(&format!("{} = ", entry.name)));
                assert!(is_there || fixed, "{} is missing in {context:?}", entry.name);
            }
        }
    }

    #[test]
    fn keys_come_one_after_the_other() {
        let map = Keymap::default();
        for (typed, expected) in [
            ("j", Resolution::Command(Command::Down)),
            ("down", Resolution::Command(Command::Down)),
            ("g", Resolution::Pending),
            ("gg", Resolution::Command(Command::Top)),
            ("gA", Resolution::Command(Command::NoteOnChange)),
            ("gq", Resolution::None),
            ("ctrl-g", Resolution::None),
            ("5", Resolution::None),
        ] {
            assert_eq!(map.resolve(Context::Review, &keys(typed)), expected, "{typed}");
        }
        assert_eq!(map.resolve(Context::Form, &keys("j")), Resolution::None);
        assert_eq!(map.keys_of(Context::Review, Command::Down), ["j", "ctrl-n", "down"]);
    }

    #[test]
    fn a_file_changes_what_it_names() {
        let (map, problems) = Keymap::with("[review]\ndown = [\"n\", \"g\"]\nchat = []\n");
        assert_eq!(problems, []);
        assert_eq!(map.keys_of(Context::Review, Command::Down), ["n", "g", "down"]);
        assert_eq!(map.keys_of(Context::Review, Command::Top), ["home"], "gg gave way to g");
        assert_eq!(map.keys_of(Context::Review, Command::Chat), [""; 0]);
        assert_eq!(map.resolve(Context::Popup, &keys("j")), Resolution::Command(Command::Down));
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_left_out() {
        for (file, line, part) in [
            ("[review]\nquit = [\"x\"]\nnote = [\"x\"]", 3, "line 2"),
            ("[review]\nquit = [\"x\"]\nnote = [\"xy\"]", 3, "at odds"),
            ("[review]\n\nnote = [\"down\"]", 3, "always down"),
            ("[review]\nnote = [\"2\"]", 2, "digit"),
            ("[form]\nsave = [\"s\"]", 2, "types text"),
            ("[review]\nnote = [\"crtl-x\"]", 2, "no key"),
            ("[review]\nnopte = [\"x\"]", 2, "no command"),
            ("[form]\nquit = [\"f2\"]", 2, "nothing in [form]"),
            ("\n[diff]\nnote = [\"x\"]", 2, "no place called [diff]; use [review], [files], [text], [form], [popup]."),
            ("[reviev]\n", 1, "Did you mean `review`?"),
            ("note = [\"x\"]\n", 1, "`note` stands in no table; use [review]"),
            ("review = 3\n", 1, "write `[review]`"),
            ("[review]\nqiut = [\"x\"]", 2, "Did you mean `quit`?"),
            ("[review]\nnote = \"x\"", 2, "`note` is a list of keys, like [\"x\""),
            ("[review]\nnote = [\"x\", 3]", 2, "`note` is a list of keys"),
            ("[review\n", 1, ""),
            ("[review]\nnote = [\n", 2, ""),
        ] {
            let (map, problems) = Keymap::with(file);
            let [problem] = problems.as_slice() else { panic!("{file:?}: {problems:?}") };
            assert!(problem.line == line && problem.message.contains(part), "{file:?}: {problem:?}");
            assert_eq!(map.resolve(Context::Review, &keys("j")), Resolution::Command(Command::Down));
        }
    }

    #[test]
    fn there_is_always_a_key_that_quits() {
        for (file, line, part) in [
            ("[review]\nquit = []", 2, "nobody could leave: `ctrl-c` still quits"),
            ("[review]\n\nnote = [\"q\"]\ncopy = [\"ctrl-c\"]", 4, "`ctrl-c` is the last key that quits"),
            ("[review]\nnote = [\"q\"]\ncopy = [\"ctrl-c x\"]", 3, "`ctrl-c x` is the last key that quits"),
            ("[review]\nquit = [\"crtl-x\"]", 2, "no key"),
        ] {
            let (map, problems) = Keymap::with(file);
            let [problem] = problems.as_slice() else { panic!("{file:?}: {problems:?}") };
            assert!(problem.line == line && problem.message.contains(part), "{file:?}: {problem:?}");
            assert_eq!(map.keys_of(Context::Review, Command::Quit), ["ctrl-c"], "{file:?}");
            assert_eq!(map.resolve(Context::Review, &keys("ctrl-c")), Resolution::Command(Command::Quit), "{file:?}");
        }
        // Another key is as good.
        let (map, problems) = Keymap::with("[review]\nquit = [\"X\"]\ncopy = [\"ctrl-c\", \"q\"]\n");
        assert_eq!((map.keys_of(Context::Review, Command::Quit), problems), (vec!["X".to_owned()], Vec::new()));
    }

    #[test]
    fn an_entry_that_is_wrong_falls_alone() {
        for wrong in ["quit = 3", "quit = \"x\"", "nope = [\"x\"]", "quit = [\"crtl-x\"]", "= 3", "[nope]"] {
            let file = format!("[review]\nnote = [\"f2\"]\n{wrong}\n\n[files]\nquit = [\"f3\"]\n");
            let (map, problems) = Keymap::with(&file);
            let [problem] = problems.as_slice() else { panic!("{wrong}: {problems:?}") };
            assert!(problem.line >= 3, "{wrong}: {problem:?}");
            assert_eq!(map.resolve(Context::Review, &keys("f2")), Resolution::Command(Command::Note), "{wrong}");
            assert_eq!(map.resolve(Context::Files, &keys("f3")), Resolution::Command(Command::Quit), "{wrong}");
        }
    }
}
