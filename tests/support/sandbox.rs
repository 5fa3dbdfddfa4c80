//! A temporary folder with a repository, away from the settings of whoever runs the tests.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The folder; gone when dropped.
pub(crate) struct Sandbox {
    dir: tempfile::TempDir,
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
    /// A folder that is no repository.
    pub(crate) fn empty() -> Self {
        let sandbox = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::create_dir(sandbox.path("")).unwrap();
        sandbox
    }

    /// A repository without a commit, on branch `main`.
    pub(crate) fn new() -> Self {
        let sandbox = Self::empty();
        sandbox.git(&["init", "-q", "-b", "main"]);
        sandbox
    }

    /// Where `name` is.
    pub(crate) fn path(&self, name: impl AsRef<OsStr>) -> PathBuf {
        self.dir.path().join("work").join(Path::new(&name))
    }

    /// Write a file, folders included.
    pub(crate) fn write(&self, name: impl AsRef<OsStr>, text: impl AsRef<[u8]>) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    /// Stage everything and commit it.
    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "--allow-empty-message", "-m", message]);
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.path("")).stdin(Stdio::null());
        for (name, _) in std::env::vars_os() {
            let name = name.to_string_lossy().into_owned();
            if name.starts_with("GIT_") || name.starts_with("WHYMARK_") {
                command.env_remove(name);
            }
        }
        command.env("HOME", self.dir.path()).env("XDG_CONFIG_HOME", self.dir.path().join("config"));
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CEILING_DIRECTORIES", self.dir.path()).env("LC_ALL", "C");
        for (role, name) in [("AUTHOR", "Robin Example"), ("COMMITTER", "Sam Example")] {
            command.env(format!("GIT_{role}_NAME"), name).env(format!("GIT_{role}_EMAIL"), "mail@example.invalid");
            command.env(format!("GIT_{role}_DATE"), "1700000000 +0000");
        }
        command
    }

    /// Run git, which has to succeed; its standard output.
    pub(crate) fn git(&self, args: &[&str]) -> Vec<u8> {
        let output = self.command("git").args(args).output().unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    }

    /// Run git, and say whether it succeeded.
    pub(crate) fn git_succeeds(&self, args: &[&str]) -> bool {
        self.command("git").args(args).output().unwrap().status.success()
    }

    /// The same as [`git`](Self::git), as one line of text.
    pub(crate) fn git_line(&self, args: &[&str]) -> String {
        String::from_utf8(self.git(args)).unwrap().trim().to_owned()
    }

    /// The program with these arguments, to be started by the caller.
    pub(crate) fn whymark_command(&self, args: &[&str]) -> Command {
        let mut command = self.command(env!("CARGO_BIN_EXE_whymark"));
        command.args(args);
        command
    }

    /// Run the program.
    pub(crate) fn whymark(&self, args: &[&str]) -> Run {
        let output = self.whymark_command(args).output().unwrap();
        Run {
            code: output.status.code().expect("no signal ended it"),
            stdout: output.stdout,
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}
