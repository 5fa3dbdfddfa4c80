//! Files that stand beside what they are about (section 10 of the format): their names, and those of version 1.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The extension of a Markback file.
const EXTENSION: &str = "mb";

/// The sidecar of the file at `path`: its whole name and `.mb`.
#[must_use]
pub fn of(path: &Path) -> PathBuf {
    // Without a slash at the end.
    let mut name = OsString::from(path.components().as_path());
    name.push(".mb");
    name.into()
}

/// The file that `sidecar` would be about; `None` for a name that is no sidecar's.
#[must_use]
pub fn content_of(sidecar: &Path) -> Option<PathBuf> {
    let stem = sidecar.file_stem().filter(|_| is_markback(sidecar))?;
    Some(sidecar.with_file_name(stem))
}

/// Whether the name is that of a Markback file.
#[must_use]
pub fn is_markback(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// Where the sidecar of `path` may be, the first that is there counting: its own, and two of version 1.
#[must_use]
pub fn candidates(path: &Path) -> [PathBuf; 3] {
    let old = |ending: &str| {
        let mut name = path.file_stem().unwrap_or_default().to_owned();
        name.push(ending);
        path.with_file_name(name)
    };
    [of(path), old(".label.txt"), old(".feedback.txt")]
}

/// The name of the file that holds what is said about `url`: its last path segment, or its host.
#[must_use]
pub fn name_for_url(url: &str) -> String {
    let behind = url.split_once("://").map_or(url, |(_, behind)| behind);
    let path = behind.split(['?', '#']).next().unwrap_or_default();
    let (authority, path) = path.split_once('/').unwrap_or((path, ""));
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    let host = match host.strip_prefix('[').and_then(|address| address.split_once(']')) {
        Some((address, _)) => address,
        None => host.split(':').next().unwrap_or_default(),
    };
    let safe = |name: &str| {
        let unsafe_for_files = |char: char| char.is_control() || "<>:\"/\\|?*".contains(char);
        name.replace(unsafe_for_files, "_").trim_matches(['.', ' ']).to_owned()
    };
    let segment = path.split('/').rev().find(|segment| !segment.is_empty()).map(safe);
    let name = segment.filter(|name| !name.is_empty()).unwrap_or_else(|| safe(host));
    if name.is_empty() { "url.mb".to_owned() } else { format!("{name}.mb") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_sidecars() {
        for (path, sidecar) in
            [("a/x.tar.gz", "a/x.tar.gz.mb"), ("Makefile", "Makefile.mb"), (".env", ".env.mb"), ("./a/b/", "./a/b.mb")]
        {
            assert_eq!(of(Path::new(path)), Path::new(sidecar));
            assert_eq!(content_of(Path::new(sidecar)).as_deref(), Some(Path::new(path)), "{path}");
        }
        assert_eq!(content_of(Path::new("a.txt")), None);
        assert_eq!(content_of(Path::new(".mb")), None);
        let candidates = candidates(Path::new("d/a.b.png"));
        assert_eq!(
            candidates.map(|path| path.display().to_string()),
            ["d/a.b.png.mb", "d/a.b.label.txt", "d/a.b.feedback.txt"]
        );
    }

    #[test]
    fn names_for_urls() {
        for (url, name) in [
            ("https://x.org/a/b.html?q=1#f", "b.html.mb"),
            ("https://x.org/a/", "a.mb"),
            ("https://u:p@x.org:80/?q=/z", "x.org.mb"),
            ("http://[::1]:80", "__1.mb"),
            ("http://x/a:b*c.", "a_b_c.mb"),
            ("http://x/..", "x.mb"),
            ("http://", "url.mb"),
        ] {
            assert_eq!(name_for_url(url), name, "{url}");
        }
    }
}
