//! The sample that `--demo` opens: a small repository with a staged change, a review of it, and notes beside it.
//!
//! Everything is in the binary; unpacking needs neither the `git` program nor anybody's configuration, and gives the same
//! commit every time, so that the review names it. The repository is made here and nowhere else: [`crate::git`] only reads
//! those that are there.

use std::fs;
use std::path::{Path, PathBuf};

use git2::{Repository, RepositoryInitOptions, Signature, Time};

use crate::error::Error;

/// A file of the sample: its path and its content.
type File = (&'static str, &'static [u8]);

/// The file `$path` as `$state` (`before` or `after`) has it.
macro_rules! file {
    ($state:literal, $path:literal) => {
        ($path, include_bytes!(concat!("../assets/demo/", $state, "/", $path)).as_slice())
    };
}

/// What is committed.
const BEFORE: &[File] = &[
    file!("before", "limiter/http.py"),
    file!("before", "limiter/window.py"),
    file!("before", "limits.toml"),
    file!("before", "web/retry.ts"),
];

/// What is staged.
const AFTER: &[File] = &[
    file!("after", "limiter/bucket.py"),
    file!("after", "limiter/middleware.py"),
    file!("after", "limits.toml"),
    file!("after", "tests/test_bucket.py"),
    file!("after", "web/retry.ts"),
];

/// What is beside it, unknown to git.
const REVIEWS: &[File] = &[
    ("reviews/staged-main.whymark", include_bytes!("../assets/demo/review.whymark")),
    ("reviews/staged-main.mb", include_bytes!("../assets/demo/review.mb")),
];

/// Seconds since 1970 of the only commit.
const COMMITTED: i64 = 1_767_323_045;

/// Unpack the sample into the folder `turnstile`, which is made inside `into`, and hand back its path.
///
/// # Errors
/// When the folder cannot be made, or is there already: nothing is ever unpacked over something else.
pub fn unpack(into: &Path) -> Result<PathBuf, Error> {
    let folder = into.join("turnstile");
    fs::create_dir(&folder).map_err(|source| Error::CreateFolder { path: folder.clone(), source })?;
    write(&folder, BEFORE)?;
    let failed = |source| Error::MakeRepository { folder: folder.clone(), source };
    let repository = commit(&folder).map_err(failed)?;
    for (path, _) in BEFORE.iter().filter(|(path, _)| !AFTER.iter().any(|(kept, _)| kept == path)) {
        let path = folder.join(path);
        fs::remove_file(&path).map_err(|source| Error::WriteFile { path, source })?;
    }
    write(&folder, AFTER)?;
    stage(&repository, AFTER).map_err(failed)?;
    write(&folder, REVIEWS)?;
    Ok(folder)
}

/// Whether the reviews of the sample in `folder` are as they were unpacked.
#[must_use]
pub fn is_untouched(folder: &Path) -> bool {
    REVIEWS.iter().all(|(path, content)| fs::read(folder.join(path)).is_ok_and(|now| now == *content))
}

fn write(folder: &Path, files: &[File]) -> Result<(), Error> {
    for (path, content) in files {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|source| Error::CreateFolder { path: parent.into(), source })?;
        fs::write(&path, content).map_err(|source| Error::WriteFile { path, source })?;
    }
    Ok(())
}

/// A new repository in `folder` whose only commit has [`BEFORE`].
fn commit(folder: &Path) -> Result<Repository, git2::Error> {
    let mut options = RepositoryInitOptions::new();
    options.no_reinit(true).external_template(false).initial_head("main");
    let repository = Repository::init_opts(folder, &options)?;
    // Whatever the user's configuration says, the bytes in the repository are those in the binary.
    repository.config()?.set_bool("core.autocrlf", false)?;
    stage(&repository, BEFORE)?;
    let tree = repository.find_tree(repository.index()?.write_tree()?)?;
    let author = Signature::new("Ada Example", "ada@example.org", &Time::new(COMMITTED, 0))?;
    repository.commit(Some("HEAD"), &author, &author, "Limit requests a minute\n", &tree, &[])?;
    drop(tree);
    Ok(repository)
}

/// Make the index hold `files` and nothing else.
fn stage(repository: &Repository, files: &[File]) -> Result<(), git2::Error> {
    let mut index = repository.index()?;
    index.clear()?;
    for (path, _) in files {
        index.add_path(Path::new(path))?;
    }
    index.write()
}
