//! The `git` program, found on PATH, for what libgit2 cannot read or reads in another way: SHA-256, reftable, split and
//! sparse indexes, very deep folders, encodings of files on disk.
//!
//! It only reads, unless a person asks for the index to be written, and nothing that a repository names is run: no hook, pager, external diff, textconv, file system
//! monitor, transport; filters only where the person allowed them. What it prints goes through the same reader as any
//! other patch.

mod changes;
mod now;
mod smudge;
mod stage;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use bstr::{BString, ByteSlice as _};
use tempfile::TempDir;

use super::path_of;
use crate::error::Error;

/// How long one run may take.
const LIMIT: Duration = Duration::from_secs(300);

/// Settings that would make git run something or write something, or change what it prints.
const SETTINGS: [&str; 11] = [
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.quotePath=true",
    "core.safecrlf=false",
    "core.splitIndex=false",
    // To keep one sparse, git writes trees.
    "index.sparse=false",
    "diff.noprefix=false",
    "diff.mnemonicPrefix=false",
    "diff.suppressBlankEmpty=false",
    "submodule.recurse=false",
    "log.showSignature=false",
];
/// The person's environment, as far as it would do the same.
const UNSET: [&str; 12] = [
    "GIT_EXTERNAL_DIFF",
    "GIT_DIFF_OPTS",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
    "GIT_TRACE",
    "GIT_TRACE_SETUP",
    "GIT_TRACE_PERFORMANCE",
    "GIT_TRACE2",
    "GIT_TRACE2_EVENT",
    "GIT_TRACE2_PERF",
];
const SET: [(&str, &str); 6] = [
    ("LC_ALL", "C"),
    ("GIT_PAGER", "cat"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    // A partial clone fetches what is missing, which is for the person to do.
    ("GIT_NO_LAZY_FETCH", "1"),
    ("GIT_ALLOW_PROTOCOL", "none"),
];

/// The `git` program in one repository.
#[derive(Debug)]
pub(super) struct Program {
    /// The program itself.
    program: PathBuf,
    git_dir: PathBuf,
    workdir: Option<PathBuf>,
    /// Where it runs: the top of the working tree, or where the repository was looked for.
    dir: PathBuf,
    /// Names of the filters that are configured.
    filters: Vec<BString>,
    /// Those of them that make something else of a file on the way into the repository.
    cleaning: Vec<BString>,
    /// Where it may write while it compares: objects that it makes on the way (trees of a sparse index), an index of our
    /// own.
    scratch: TempDir,
    /// Where the objects of the repository are, to be read only.
    objects: OsString,
}

/// What a run left.
struct Output {
    code: Option<i32>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
}

/// How a run differs from others.
#[derive(Default)]
struct Run<'a> {
    input: &'a [u8],
    /// Whether configured filters may run.
    filters: bool,
    /// The index, where it is not the repository's.
    index: Option<&'a Path>,
    /// Whether it writes objects or the index, as a person has asked for.
    writes: bool,
}

impl Program {
    /// The program in the repository that `dir` is in; `None` where there is no such program, or it cannot read it.
    pub(super) fn discover(dir: &Path) -> Option<Self> {
        let scratch = tempfile::Builder::new().prefix("whymark-git-").tempdir().ok()?;
        let mut program = Self {
            program: on_path()?,
            git_dir: PathBuf::new(),
            workdir: None,
            dir: dir.into(),
            filters: Vec::new(),
            cleaning: Vec::new(),
            scratch,
            objects: OsString::new(),
        };
        program.git_dir = path_of(&program.line(&["rev-parse", "--absolute-git-dir"])?);
        if let Some(top) = program.line(&["rev-parse", "--show-toplevel"]).filter(|top| !top.is_empty()) {
            let top = path_of(&top);
            (program.workdir, program.dir) = (Some(top.clone()), top);
        }
        program.objects = alternates(&program.place("objects")?);
        program.filters = program.configured_filters("clean|smudge|process");
        program.cleaning = program.configured_filters("clean|process");
        Some(program)
    }

    pub(super) fn git_dir(&self) -> &Path {
        &self.git_dir
    }

    pub(super) fn workdir(&self) -> Option<&Path> {
        self.workdir.as_deref()
    }

    /// The branch that HEAD names, `None` when it names a commit.
    fn branch(&self) -> Option<String> {
        let name = self.symbolic("HEAD")?;
        Some(name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned())
    }

    /// The branch that is checked out, or the abbreviated commit.
    pub(super) fn branch_name(&self) -> Result<String, Error> {
        if let Some(name) = self.branch() {
            return Ok(name);
        }
        let head = self.text(&["rev-parse", "--short", "HEAD"]);
        head.ok_or_else(|| Error::GitProgram { what: "read HEAD", message: "it names nothing".into() })
    }

    /// The last value of `key`, trimmed; `None` where it is not set, or blank.
    pub(super) fn config(&self, key: &str) -> Option<String> {
        self.text(&["config", "--get", key]).filter(|value| !value.is_empty())
    }

    /// The folders of what the index knows.
    pub(super) fn folders(&self) -> BTreeSet<BString> {
        let listed = self.output(&["ls-files", "-z"]).map(|output| output.stdout).unwrap_or_default();
        super::folders(listed.split_str("\0").filter(|path| !path.is_empty()))
    }

    /// The whole id of the object that `name` names.
    pub(super) fn id_of_name(&self, name: &str) -> Option<String> {
        self.text(&["rev-parse", "--quiet", "--verify", "--end-of-options", name])
    }

    /// What the symbolic reference `name` names.
    fn symbolic(&self, name: &str) -> Option<String> {
        self.text(&["symbolic-ref", "--quiet", name])
    }

    /// Where `name` of the repository is.
    fn place(&self, name: &str) -> Option<PathBuf> {
        self.line(&["rev-parse", "--path-format=absolute", "--git-path", name]).map(|path| path_of(&path))
    }

    /// The drivers for which a program is configured under one of these keys.
    fn configured_filters(&self, keys: &str) -> Vec<BString> {
        let keys = format!(r"^filter\..*\.({keys})$");
        let keys = self.output(&["config", "-z", "--name-only", "--get-regexp", &keys]);
        let keys = keys.map(|output| output.stdout).unwrap_or_default();
        let mut names: Vec<BString> = keys
            .split_str("\0")
            .filter_map(|key| key.strip_prefix(b"filter.")?.rsplit_once_str("."))
            .map(|(name, _)| name.into())
            .collect();
        names.sort();
        names.dedup();
        names
    }

    /// What git prints, without the line end behind it, if it succeeds.
    fn line(&self, args: &[impl AsRef<OsStr>]) -> Option<BString> {
        let output = self.output(args).ok().filter(|output| output.code == Some(0))?;
        Some(output.stdout.strip_suffix(b"\n").unwrap_or(&output.stdout).into())
    }

    /// The same as text, trimmed.
    fn text(&self, args: &[impl AsRef<OsStr>]) -> Option<String> {
        self.line(args).map(|line| line.trim().to_str_lossy().into_owned())
    }

    /// What git prints, which must succeed; `what` is what it does, as in "cannot …".
    fn must(&self, what: &'static str, args: &[impl AsRef<OsStr>], run: &Run<'_>) -> Result<Vec<u8>, Error> {
        let output = self.run(args, run)?;
        if output.code == Some(0) {
            return Ok(output.stdout);
        }
        let said = |word: &str| output.stderr.lines().find_map(|line| line.strip_prefix(word.as_bytes()));
        let message = said("fatal: ").or_else(|| said("error: ")).or_else(|| output.stderr.lines().next());
        let message = message.unwrap_or_default().to_str_lossy().into_owned();
        Err(Error::GitProgram { what, message })
    }

    fn output(&self, args: &[impl AsRef<OsStr>]) -> Result<Output, Error> {
        self.run(args, &Run::default())
    }

    /// Run git to its end.
    fn run(&self, args: &[impl AsRef<OsStr>], run: &Run<'_>) -> Result<Output, Error> {
        let failed = |source: std::io::Error| Error::GitProgram { what: "run", message: source.to_string() };
        let mut command = Command::new(&self.program);
        command.current_dir(&self.dir).arg("--no-pager").arg("--no-optional-locks");
        // What is written keeps the form that it has.
        let is_of_form = |setting: &str| setting.to_lowercase().contains("index");
        for setting in SETTINGS.iter().filter(|setting| !run.writes || !is_of_form(setting)) {
            command.args(["-c", setting]);
        }
        for name in UNSET {
            command.env_remove(name);
        }
        command.envs(SET).envs(run.index.map(|index| ("GIT_INDEX_FILE", index)));
        if !self.objects.is_empty() && !run.writes {
            command.env("GIT_OBJECT_DIRECTORY", self.scratch.path());
            command.env("GIT_ALTERNATE_OBJECT_DIRECTORIES", &self.objects);
        }
        if !run.filters {
            self.silence_filters(&mut command);
        }
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // A group of its own, with what git starts in it: all of it can be ended.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(failed)?;
        thread::scope(|scope| {
            let (done, printed) = mpsc::channel();
            let (input, output, complaint) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
            scope.spawn(move || {
                // One that does not read its input has its reasons, and says them.
                input.map(|mut input| input.write_all(run.input))
            });
            scope.spawn(move || {
                let mut stdout = Vec::new();
                let read = output.map_or(Ok(0), |mut output| output.read_to_end(&mut stdout));
                let _ = done.send(read.map(|_| stdout));
            });
            let complaint = scope.spawn(move || {
                let mut stderr = Vec::new();
                let _ = complaint.map(|mut complaint| complaint.read_to_end(&mut stderr));
                stderr
            });
            let Ok(stdout) = printed.recv_timeout(LIMIT) else {
                stop(&mut child);
                return Err(Error::GitProgram { what: "run", message: "it does not come to an end".into() });
            };
            let code = child.wait().map_err(failed)?.code();
            Ok(Output { code, stdout: stdout.map_err(failed)?, stderr: complaint.join().unwrap_or_default() })
        })
    }

    /// Configure every filter as none at all, above what the repository says.
    fn silence_filters(&self, command: &mut Command) {
        let count = |value: OsString| value.to_str()?.parse::<usize>().ok();
        let mut at = std::env::var_os("GIT_CONFIG_COUNT").and_then(count).unwrap_or(0);
        for name in &self.filters {
            for (key, value) in [("clean", ""), ("smudge", ""), ("process", ""), ("required", "false")] {
                let key = [b"filter.", name.as_slice(), b".", key.as_bytes()].concat();
                command.env(format!("GIT_CONFIG_KEY_{at}"), path_of(&key)).env(format!("GIT_CONFIG_VALUE_{at}"), value);
                at += 1;
            }
        }
        command.env("GIT_CONFIG_COUNT", at.to_string());
    }
}

/// The `git` that PATH leads to. Entries that depend on the current folder do not count: what lies in a repository is not
/// run.
fn on_path() -> Option<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(&name)).find(|file| is_program(file))
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    file.is_file() && rustix::fs::access(file, rustix::fs::Access::EXEC_OK).is_ok()
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

/// `objects` as a list of further places for objects, in front of those that the environment names.
fn alternates(objects: &Path) -> OsString {
    // In quotes, as C has them, since a colon would end the name.
    let mut list = OsString::new();
    let bytes = objects.as_os_str().as_encoded_bytes();
    if bytes.iter().any(|byte| b":\"\n".contains(byte)) && objects.to_str().is_some() {
        let text = objects.to_string_lossy();
        list.push(format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")));
    } else {
        list.push(objects);
    }
    if let Some(more) = std::env::var_os("GIT_ALTERNATE_OBJECT_DIRECTORIES") {
        list.push(":");
        list.push(more);
    }
    list
}

/// End a program that takes too long, and what it has started: that may hold on to our pipes.
fn stop(child: &mut Child) {
    #[cfg(unix)]
    if let Some(group) = i32::try_from(child.id()).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    let _ = child.kill();
    let _ = child.wait();
}
