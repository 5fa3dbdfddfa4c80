//! Coverage reports on disk, set against the files of a repository as they are now.

use std::collections::HashMap;
use std::path::Path;

use bstr::{BStr, BString, ByteSlice as _};

use crate::error::Error;
use crate::lcov::{Report, Tested};
use crate::store;
use crate::text::counted::counted;
use crate::text::lines::Lines;

/// What a report says about files, and what is wrong with it.
#[derive(Debug, Clone, Default)]
pub struct Coverage {
    /// The files that it is about, by their paths from the root of the repository.
    pub files: HashMap<BString, Tested>,
    /// What is wrong, each in a sentence.
    pub warnings: Vec<String>,
}

impl Coverage {
    /// Read the report at `path` for the files at `paths`, seen from `root`. One that names more lines than a file has is
    /// about another text of it, and does not count.
    ///
    /// # Errors
    /// When the report can't be read.
    pub fn read(path: &Path, root: &Path, paths: &[&BStr]) -> Result<Self, Error> {
        let report = Report::parse(&store::read(path)?);
        let mut warnings = Vec::new();
        if report.strange > 0 {
            let are = if report.strange == 1 { "is" } else { "are" };
            warnings.push(format!("{} of {} {are} not understood", counted(report.strange, "line"), path.display()));
        }
        let real_root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let mut files = report.about(real_root.as_os_str().as_encoded_bytes(), paths);
        if files.is_empty() {
            warnings.push(format!("{} names none of the changed files", path.display()));
        }
        files.retain(|file, tested| {
            let fits = tested.fits(lines_on_disk(root, file.as_ref()));
            if !fits {
                let line = tested.last_line();
                warnings.push(format!(
                    "the report is about another text of {file}, which has no line {line}: run the tests again"
                ));
            }
            fits
        });
        warnings.sort();
        Ok(Self { files, warnings })
    }
}

/// How many lines a file has; any number when it can't be read, so that nothing is said against the report.
fn lines_on_disk(root: &Path, path: &BStr) -> u64 {
    let text = path.to_path().ok().and_then(|path| store::read(&store::inside(&root.join(path), root).ok()?).ok());
    text.map_or(u64::MAX, |text| Lines::new(&text).count() as u64)
}
