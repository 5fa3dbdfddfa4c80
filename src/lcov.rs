//! Which lines tests have run, as the reports say that `lcov` has given the name: `SF:` names a file, `DA:` a line and how
//! often it ran. Reading is total: what is not understood is passed over and counted.
//!
//! A report names files as the machine that ran the tests saw them. Which file of the repository is meant is found by the
//! whole path, or by one beginning that all of the report has in common; a file is never taken for one that merely has
//! the same name.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap, HashSet};

use bstr::{BStr, BString, ByteSlice as _};

use crate::text::lines::Lines;

/// How often lines of a file ran.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tested {
    runs: BTreeMap<u64, u64>,
}

impl Tested {
    /// Whether the report knows the line, and no test ran it.
    #[must_use]
    pub fn is_untested(&self, line: u64) -> bool {
        self.runs.get(&line) == Some(&0)
    }

    /// The last line that the report knows.
    #[must_use]
    pub fn last_line(&self) -> u64 {
        self.runs.last_key_value().map_or(0, |(line, _)| *line)
    }

    /// Whether it can be about a file of so many lines.
    #[must_use]
    pub fn fits(&self, lines: u64) -> bool {
        self.last_line() <= lines
    }
}

/// A report.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    files: BTreeMap<BString, Tested>,
    /// How many lines were not understood.
    pub strange: usize,
}

/// The kinds of lines that say nothing about single lines.
const OTHERS: [&str; 16] =
    ["TN", "FN", "FNDA", "FNF", "FNH", "FNL", "FNA", "BRDA", "BRF", "BRH", "LF", "LH", "VER", "MCDC", "MCF", "MCH"];

impl Report {
    /// Read a report. Runs of one file under several tests are added up.
    #[must_use]
    pub fn parse(text: &[u8]) -> Self {
        let mut report = Self::default();
        let mut open: Option<BString> = None;
        for line in Lines::new(text).map(|span| span.of(text).trim_ascii()) {
            if line.is_empty() || line == b"end_of_record" || line.starts_with(b"#") {
                open = open.filter(|_| line != b"end_of_record");
                continue;
            }
            let (key, value) = line.split_once_str(":").unwrap_or((line, b""));
            match (key, &open) {
                (b"SF", _) => {
                    let path = normal(value);
                    report.files.entry(path.clone()).or_default();
                    open = Some(path);
                }
                (b"DA", Some(path)) => match counted(value) {
                    Some((line, count)) => {
                        let runs = &mut report.files.entry(path.clone()).or_default().runs;
                        let known = runs.entry(line).or_default();
                        *known = known.saturating_add(count);
                    }
                    None => report.strange += 1,
                },
                _ => report.strange += usize::from(!OTHERS.iter().any(|other| other.as_bytes() == key)),
            }
        }
        report
    }

    /// Whether it names no file at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// What it says about the files at these paths, seen from the folder `root` (an absolute path with `/` between its
    /// names).
    #[must_use]
    pub fn about(self, root: &[u8], paths: &[&BStr]) -> HashMap<BString, Tested> {
        let wanted: HashSet<&BStr> = paths.iter().copied().collect();
        let root = normal(root);
        let below_root = |path: &BString| {
            let rest = path.strip_prefix(root.as_slice()).and_then(|rest| rest.strip_prefix(b"/"));
            rest.map_or_else(|| path.clone(), BString::from)
        };
        let (exact, rest): (Vec<_>, Vec<_>) = self
            .files
            .into_iter()
            .map(|(path, tested)| (below_root(&path), tested))
            .partition(|(path, _)| wanted.contains(path.as_bstr()));
        if !exact.is_empty() {
            return exact.into_iter().collect();
        }
        let Some(way) = common_way(&rest, paths) else { return HashMap::new() };
        let found = rest.into_iter().filter_map(|(path, tested)| Some((way.lead(&path)?, tested)));
        found.filter(|(path, _)| wanted.contains(path.as_bstr())).collect()
    }
}

/// What must be done to the paths of a report so that they are those of the repository.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    /// This beginning must go.
    Without(BString),
    /// This beginning is missing.
    With(BString),
}

impl Way {
    fn lead(&self, path: &[u8]) -> Option<BString> {
        match self {
            Self::Without(start) => path.strip_prefix(start.as_slice()).map(BString::from),
            Self::With(start) if !path.starts_with(b"/") => Some([start.as_slice(), path].concat().into()),
            Self::With(_) => None,
        }
    }
}

/// The way that leads most of the files of a report to files of the repository.
fn common_way(files: &[(BString, Tested)], paths: &[&BStr]) -> Option<Way> {
    let mut by_name: HashMap<&[u8], Vec<&BStr>> = HashMap::new();
    for path in paths {
        by_name.entry(name(path)).or_default().push(path);
    }
    let mut ways: BTreeMap<Way, usize> = BTreeMap::new();
    for (file, _) in files {
        for path in by_name.get(name(file)).into_iter().flatten() {
            let behind = |long: &[u8], short: &[u8]| {
                Some(BString::from(long.strip_suffix(short)?)).filter(|rest| rest.ends_with(b"/"))
            };
            let way = behind(file, path).map(Way::Without).or_else(|| behind(path, file).map(Way::With));
            way.into_iter().for_each(|way| *ways.entry(way).or_default() += 1);
        }
    }
    ways.into_iter().min_by_key(|(_, count)| Reverse(*count)).map(|(way, _)| way)
}

fn name(path: &[u8]) -> &[u8] {
    path.rsplit(|byte| *byte == b'/').next().unwrap_or(path)
}

/// A line and how often it ran, from `12,3` or `12,3,checksum`. A negative number is what an overflow has left.
fn counted(value: &[u8]) -> Option<(u64, u64)> {
    let mut words = value.split(|byte| *byte == b',');
    let mut next = || words.next()?.trim_ascii().to_str().ok();
    let (line, count) = (next()?, next()?);
    let count = if count.starts_with('-') { 1 } else { count.parse().ok()? };
    Some((line.parse().ok().filter(|line| *line > 0)?, count))
}

/// A path without `.`, `..` and doubled slashes, with `/` between its names.
fn normal(path: &[u8]) -> BString {
    let path = path.trim_ascii();
    let is_windows = !path.contains(&b'/') || path.get(1..3) == Some(br":\");
    let path = if is_windows { path.replace("\\", "/") } else { path.to_vec() };
    let mut names: Vec<&[u8]> = Vec::new();
    for name in path.split(|byte| *byte == b'/') {
        match name {
            b"" | b"." => {}
            b".." if names.last().is_some_and(|last| *last != b"..") => drop(names.pop()),
            name => names.push(name),
        }
    }
    let start: &[u8] = if path.starts_with(b"/") { b"/" } else { b"" };
    [start, &names.join(&b'/')].concat().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn about(text: &str, paths: &[&str]) -> Vec<(String, Vec<u64>)> {
        let paths: Vec<&BStr> = paths.iter().map(BStr::new).collect();
        let found = Report::parse(text.as_bytes()).about(b"/r/repo", &paths);
        let untested = |tested: &Tested| (0..20).filter(|line| tested.is_untested(*line)).collect();
        let mut found: Vec<_> = found.iter().map(|(path, tested)| (path.to_string(), untested(tested))).collect();
        found.sort();
        found
    }

    #[test]
    fn lines_that_no_test_ran() {
        let text = "TN:\nSF:src/a.rs\nFN:1,f\nDA:1,5\nDA:2,0\r\nDA:3,0,abc\nBRDA:1,0,0,-\nLF:3\nLH:1\nend_of_record\n\
                    TN:two\nSF:src/a.rs\nDA:3,1\nDA:4,-3\nDA:5,0\n";
        assert_eq!(about(text, &["src/a.rs"]), [("src/a.rs".to_owned(), vec![2, 5])]);
        assert_eq!(Report::parse(text.as_bytes()).strange, 0);
    }

    #[test]
    fn what_is_not_understood_is_passed_over_and_counted() {
        for (text, strange) in [
            ("DA:1,0\n", 1),
            ("SF:a\nDA:x,0\nDA:0,0\nDA:1\nDA:99999999999999999999,0\nDA:1,1.5\n", 5),
            ("hello\n\u{0}\n", 2),
            ("SF:a\nend_of_record\nDA:1,0\n", 1),
            ("", 0),
        ] {
            assert_eq!(Report::parse(text.as_bytes()).strange, strange, "{text:?}");
        }
    }

    #[test]
    fn files_are_found_by_whole_paths_or_one_common_beginning() {
        let report =
            |paths: &[&str]| paths.iter().map(|path| format!("SF:{path}\nDA:1,0\nend_of_record\n")).collect::<String>();
        let changed = ["src/a.rs", "src/b.rs", "lib/a.rs", "a.rs"];
        for (named, found) in [
            (&["src/a.rs", "./src/b.rs", "src/x/../../lib/a.rs"][..], &["lib/a.rs", "src/a.rs", "src/b.rs"][..]),
            (&["/r/repo/src/a.rs", "/r/repo//a.rs"], &["a.rs", "src/a.rs"]),
            (&["/r/repository/src/zzz.rs"], &[]),
            (&["/build/ci/src/a.rs", "/build/ci/src/b.rs", "/usr/lib/a.rs"], &["src/a.rs", "src/b.rs"]),
            (&["/r/repo/src/a.rs", "/elsewhere/src/b.rs"], &["src/a.rs"]),
            (&["b.rs"], &["src/b.rs"]),
            (&["../../src/b.rs"], &["src/b.rs"]),
            (&[r"C:\ci\src\a.rs", r"C:\ci\src\b.rs"], &["src/a.rs", "src/b.rs"]),
            (&["xsrc/b.rs"], &[]),
        ] {
            let paths: Vec<String> = about(&report(named), &changed).into_iter().map(|(path, _)| path).collect();
            assert_eq!(paths, found, "{named:?}");
        }
    }

    #[test]
    fn a_report_that_names_more_lines_than_there_are_is_about_another_text() {
        let report = Report::parse(b"SF:a\nDA:1,0\nDA:9,1\n").about(b"/r", &["a".into()]);
        let tested = &report[BStr::new("a")];
        assert!(tested.fits(9) && !tested.fits(8));
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_report(text in prop::collection::vec(any::<u8>(), 0..200), lines in "((SF|DA|TN|end_of_record)?:?[0-9a./,\\\\-]{0,8}\n){0,12}") {
            for text in [text, lines.into_bytes()] {
                let report = Report::parse(&text);
                let paths: Vec<BString> = report.files.keys().cloned().collect();
                let paths: Vec<&BStr> = paths.iter().map(AsRef::as_ref).collect();
                prop_assert!(report.about(b"/r", &paths).len() <= paths.len());
            }
        }
    }
}
