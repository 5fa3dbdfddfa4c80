//! Sweeps (section 9 of the format): which files a review covers, and which of them it has nothing to say about.
//!
//! Paths are text with `/`. What is in a folder is the caller's to say.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::glob::{Glob, Part, matches};
use super::{Markback, Reference};

/// What the outside world says about paths; absolute ones without `.` and `..`.
pub trait Folders {
    /// The names in the folder `path`, in any order; none when it is no folder.
    fn names(&mut self, path: &str) -> Vec<String>;
    /// Whether a file is there.
    fn has_file(&mut self, path: &str) -> bool;
    /// Whether a folder is there that is no link: links may lead in circles.
    fn is_real_folder(&mut self, path: &str) -> bool;
}

/// The result of a sweep; paths from the folder of the file, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sweep {
    /// The files that `%covers` matches.
    pub covered: Vec<String>,
    /// Those of them that no record names, and that are fine by each word of `%scope`; `None` without `%scope`.
    pub clean: Option<Vec<String>>,
}

/// Sweep by `file`, which lies in the folder `base` (absolute); `None` without `%covers`.
pub fn sweep(file: &Markback, base: &str, folders: &mut dyn Folders) -> Option<Sweep> {
    let (base, headers) = (normalized("/", base), file.headers());
    let covered = covered(&Glob::parse(headers.covers.as_deref()?), &base, folders);
    let named = named(file, &base);
    let seen = |path: &String| relative(&base, path);
    let clean = covered.iter().filter(|path| !named.contains(*path)).map(seen).collect();
    let is_defined = !headers.scope.is_empty();
    Some(Sweep { covered: covered.iter().map(seen).collect(), clean: is_defined.then_some(clean) })
}

/// The files that the records of `file` are about, as absolute paths; `base` is the folder of the file, likewise.
#[must_use]
pub fn named(file: &Markback, base: &str) -> HashSet<String> {
    let mut named = HashSet::new();
    let mut last: Option<Cow<'_, str>> = None;
    for record in file.records() {
        let Some(value) = record.file else { continue };
        // What is inherited is the same place in the text.
        if last.as_ref().is_some_and(|last| std::ptr::eq(&**last, &*value)) {
            continue;
        }
        let reference = Reference::parse(&value);
        if !reference.is_uri() {
            named.insert(normalized(base, reference.path));
        }
        last = Some(value);
    }
    named
}

/// The files that `glob` matches, seen from the folder `base` (absolute), in order.
#[must_use]
pub fn matching(glob: &Glob, base: &str, folders: &mut dyn Folders) -> Vec<String> {
    let base = normalized("/", base);
    let seen = |path: &String| if glob.is_absolute { path.clone() } else { relative(&base, path) };
    covered(glob, &base, folders).iter().map(seen).collect()
}

/// The files that match, as absolute paths.
fn covered(glob: &Glob, base: &str, folders: &mut dyn Folders) -> BTreeSet<String> {
    let start = if glob.is_absolute { "/".to_owned() } else { base.to_owned() };
    let mut reached = BTreeSet::from([start]);
    for part in &glob.parts {
        let mut next = BTreeSet::new();
        for path in &reached {
            match part {
                Part::Name(name) => drop(next.insert(normalized(path, name))),
                Part::Wild(tokens) => {
                    let names = folders.names(path).into_iter().filter(|name| matches(tokens, name));
                    next.extend(names.map(|name| normalized(path, &name)));
                }
                Part::AnyFolders => below(path, &mut next, folders),
            }
        }
        reached = next;
    }
    if glob.parts.last() == Some(&Part::AnyFolders) {
        let all = std::mem::take(&mut reached);
        for path in all {
            let names = folders.names(&path).into_iter().filter(|name| !name.starts_with('.'));
            reached.extend(names.map(|name| normalized(&path, &name)));
        }
    }
    reached.retain(|path| folders.has_file(path));
    reached
}

/// Add `path` and all folders below it that are neither hidden nor links.
fn below(path: &str, found: &mut BTreeSet<String>, folders: &mut dyn Folders) {
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if found.contains(&path) {
            continue;
        }
        let names = folders.names(&path).into_iter().filter(|name| !name.starts_with('.'));
        let inner: Vec<String> = names.map(|name| normalized(&path, &name)).collect();
        open.extend(inner.into_iter().filter(|inner| folders.is_real_folder(inner)));
        found.insert(path);
    }
}

/// `path`, seen from the folder `base`, without `.` and `..`; `base` is absolute and has none.
#[must_use]
pub fn normalized(base: &str, path: &str) -> String {
    let mut names: Vec<&str> = if path.starts_with('/') { Vec::new() } else { names(base).collect() };
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()),
            name => names.push(name),
        }
    }
    format!("/{}", names.join("/"))
}

/// The way from the folder `base` to `path`, both absolute and without `.` and `..`.
#[must_use]
pub fn relative(base: &str, path: &str) -> String {
    let shared = names(base).zip(names(path)).take_while(|(one, other)| one == other).count();
    let up = names(base).skip(shared).map(|_| "..");
    up.chain(names(path).skip(shared)).collect::<Vec<_>>().join("/")
}

fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files by their absolute paths.
    struct Tree(&'static [&'static str]);

    impl Folders for Tree {
        fn names(&mut self, path: &str) -> Vec<String> {
            let folder = if path == "/" { "/".to_owned() } else { format!("{path}/") };
            let below = self.0.iter().filter_map(|file| file.strip_prefix(&folder));
            let names: BTreeSet<&str> = below.filter_map(|rest| rest.split('/').next()).collect();
            names.into_iter().map(str::to_owned).collect()
        }

        fn has_file(&mut self, path: &str) -> bool {
            self.0.contains(&path)
        }

        fn is_real_folder(&mut self, path: &str) -> bool {
            self.0.iter().any(|file| file.strip_prefix(path).is_some_and(|rest| rest.starts_with('/')))
        }
    }

    const TREE: Tree = Tree(&[
        "/r/a.py",
        "/r/.hidden.py",
        "/r/src/b.py",
        "/r/src/deep/c.py",
        "/r/src/deep/er/d.py",
        "/r/src/.git/e.py",
        "/r/w[i]/f.py",
        "/o/g.py",
    ]);

    #[test]
    fn globs_cover_files() {
        for (covers, expected) in [
            ("*.py", &["a.py"][..]),
            ("./src//../*", &["a.py"]),
            ("src/**/*.py", &["src/b.py", "src/deep/c.py", "src/deep/er/d.py"]),
            ("**/c.py", &["src/deep/c.py"]),
            ("src/**/**/**", &["src/b.py", "src/deep/c.py", "src/deep/er/d.py"]),
            ("src/*/*.py", &["src/deep/c.py"]),
            ("src/.git/*.py", &["src/.git/e.py"]),
            (".h*", &[".hidden.py"]),
            ("w[i]/*", &[]),
            ("w[[]i]/*", &["w[i]/f.py"]),
            ("../o/*", &["../o/g.py"]),
            ("/o/*", &["../o/g.py"]),
            ("src", &[]),
        ] {
            let file = Markback::parse(format!("%covers {covers}\n"));
            let swept = sweep(&file, "/r", &mut { TREE }).expect("it covers something");
            assert_eq!(swept.covered, expected, "{covers}");
            assert_eq!(swept.clean, None);
        }
        assert_eq!(sweep(&Markback::parse("%scope a"), "/r", &mut { TREE }), None);
    }

    #[test]
    fn what_a_record_names_is_not_clean() {
        let text = "%scope a b\n%covers src/**/*.py\n\n@file ./src/x/../b.py:3-4 <<< x\n@file file:src/deep/c.py <<< y\n\
            @file /r/src/deep/er/d.py\n\none\n<<< z\n\ntwo\n<<< z\n";
        let swept = sweep(&Markback::parse(text), "/r/", &mut { TREE }).expect("it covers something");
        assert_eq!(swept.clean, Some(vec!["src/deep/c.py".to_owned()]));
    }
}
