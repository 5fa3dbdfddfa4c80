//! A temporary folder with a git repository in it, made by the real `git`, out of reach of the user's configuration.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A repository on branch `main` without a commit, and an empty home beside it. Gone when dropped.
pub(crate) struct Sandbox {
    folder: TempDir,
}

/// What a run of the program left.
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// Standard output.
    pub(crate) stdout: Vec<u8>,
    /// Standard error.
    pub(crate) stderr: String,
}

impl Sandbox {
    /// A fresh one.
    pub(crate) fn new() -> Self {
        let sandbox = Self { folder: TempDir::with_prefix("whymark-").expect("the temporary folder is writable") };
        for folder in [sandbox.home(), sandbox.repo()] {
            fs::create_dir(&folder).expect("the sandbox is writable");
        }
        sandbox.git(&["init", "--quiet", "--initial-branch=main"]);
        sandbox
    }

    /// A folder that is no repository.
    pub(crate) fn empty() -> Self {
        let sandbox = Self::new();
        fs::remove_dir_all(sandbox.repo().join(".git")).expect("the sandbox is writable");
        sandbox
    }

    /// Where a file of the repository is.
    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.repo().join(Path::new(&name))
    }

    /// Stage everything and commit it.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "--allow-empty-message", "--message", message]);
    }

    /// The root of the repository.
    pub(crate) fn repo(&self) -> PathBuf {
        self.folder.path().join("repo")
    }

    /// The folder that holds all of it, and temporary files.
    pub(crate) fn tmp(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// What `$HOME` is inside.
    pub(crate) fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Write a file of the repository, with its folders.
    pub(crate) fn write(&self, path: impl AsRef<OsStr>, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the sandbox is writable");
        fs::write(path, content).expect("the sandbox is writable");
    }

    /// Read a file of the repository.
    pub(crate) fn read(&self, path: &str) -> Vec<u8> {
        fs::read(self.repo().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    /// Run git in the repository, which must succeed, and hand back what it printed.
    pub(crate) fn git(&self, args: &[&str]) -> Vec<u8> {
        self.git_in(&self.repo(), args)
    }

    /// Run git in another folder, likewise.
    pub(crate) fn git_in(&self, folder: &Path, args: &[&str]) -> Vec<u8> {
        let output = self.command("git", folder).args(args).output().expect("git is installed");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "git {args:?}: {}\n{complaint}", output.status);
        output.stdout
    }

    /// What git prints, as one line of text.
    pub(crate) fn git_line(&self, args: &[&str]) -> String {
        String::from_utf8(self.git(args)).expect("git prints UTF-8 here").trim().to_owned()
    }

    /// Run git in the repository, and say whether it succeeded.
    pub(crate) fn git_succeeds(&self, args: &[&str]) -> bool {
        self.command("git", &self.repo()).args(args).output().expect("git is installed").status.success()
    }

    /// The binary with these arguments in the repository, to be started by the caller.
    pub(crate) fn whymark_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_whymark"), &self.repo());
        command.args(args);
        command
    }

    /// Run the binary in the repository, without a terminal, to its own end.
    pub(crate) fn run(&self, args: &[&str]) -> Run {
        let output = self.whymark(args);
        Run {
            code: output.status.code().expect("no signal ended it"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }

    /// Run the binary in the repository, without a terminal.
    pub(crate) fn whymark(&self, args: &[&str]) -> Output {
        self.whymark_command(args).output().expect("the binary starts")
    }

    /// A command in `folder` that sees nothing of the user: no configuration, no identity but the fixed one.
    pub(crate) fn command(&self, program: impl AsRef<OsStr>, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).stdin(Stdio::null()).env_clear().envs(self.environment());
        command
    }

    /// The whole environment of everything that runs inside.
    pub(crate) fn environment(&self) -> Vec<(&'static str, String)> {
        let home = self.home().display().to_string();
        let fixed = |value: &str| value.to_owned();
        vec![
            ("PATH", std::env::var("PATH").expect("there is a PATH")),
            ("HOME", home.clone()),
            ("XDG_CONFIG_HOME", format!("{home}/.config")),
            ("XDG_STATE_HOME", format!("{home}/.state")),
            ("TMPDIR", self.folder.path().display().to_string()),
            ("WHYMARK_TEST_TMP", self.folder.path().display().to_string()),
            ("LANG", fixed("C.UTF-8")),
            ("TZ", fixed("UTC")),
            ("GIT_CONFIG_GLOBAL", fixed("/dev/null")),
            ("GIT_CONFIG_NOSYSTEM", fixed("1")),
            ("GIT_AUTHOR_NAME", fixed("Ada Example")),
            ("GIT_AUTHOR_EMAIL", fixed("ada@example.org")),
            ("GIT_AUTHOR_DATE", fixed("2026-01-02T03:04:05Z")),
            ("GIT_COMMITTER_NAME", fixed("Ada Example")),
            ("GIT_COMMITTER_EMAIL", fixed("ada@example.org")),
            ("GIT_COMMITTER_DATE", fixed("2026-01-02T03:04:05Z")),
        ]
    }
}

/// Run `command` with `input` on its standard input.
pub(crate) fn piped(mut command: Command, input: &[u8]) -> Run {
    use std::io::Write as _;
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Run {
        code: output.status.code().unwrap(),
        stdout: output.stdout,
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

#[test]
fn a_repository_with_the_same_ids_every_time() {
    let sandbox = Sandbox::new();
    sandbox.write("src/a.txt", "a\n");
    sandbox.git(&["add", "."]);
    sandbox.git(&["commit", "--quiet", "--message", "First"]);
    let head = sandbox.git_in(&sandbox.repo().join("src"), &["log", "--format=%h %an %at %D"]);
    assert_eq!(String::from_utf8_lossy(&head), "dc03195 Ada Example 1767323045 HEAD -> main\n");
    assert_eq!(sandbox.read("src/a.txt"), b"a\n");
}

#[test]
fn the_binary_runs_in_it() {
    let output = Sandbox::new().whymark(&["--version"]);
    assert!(output.status.success(), "{output:?}");
}
