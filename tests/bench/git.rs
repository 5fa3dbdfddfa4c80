//! How long `whymark new` takes beside git on large changes: `cargo bench --bench git`, or with names of changes behind
//! `--` for these alone. Both programs run by turns in repositories made for it, and the best run of each counts.
//!
//! Nothing is asserted: numbers depend on the machine.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// So many runs of each program.
const RUNS: usize = 3;

/// A repository with a change in it.
struct Subject {
    name: &'static str,
    make: fn(&Path) -> io::Result<()>,
    new: &'static [&'static str],
    git: &'static [&'static str],
}

const COMMIT: (&[&str], &[&str]) = (&["new", "--commit", "HEAD", "-o", "-"], &["show", "HEAD"]);
const STAGED: (&[&str], &[&str]) = (&["new", "--staged", "-o", "-"], &["diff", "--cached"]);

const SUBJECTS: [Subject; 7] = [
    Subject { name: "added", make: added, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "rewritten", make: rewritten, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "many-files", make: many_files, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "scattered", make: scattered, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "moved", make: moved, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "alike", make: alike, new: COMMIT.0, git: COMMIT.1 },
    Subject { name: "staged", make: staged, new: STAGED.0, git: STAGED.1 },
];

fn main() -> io::Result<()> {
    let asked: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let mut out = io::stdout().lock();
    writeln!(out, "{:12} {:>10} {:>10} {:>7}", "change", "new ms", "git ms", "ratio")?;
    for subject in SUBJECTS.iter().filter(|subject| asked.is_empty() || asked.iter().any(|name| name == subject.name)) {
        let folder = tempfile::tempdir()?;
        let git = |args: &[&str]| command("git", folder.path(), args);
        run(git(&["init", "-q", "-b", "main"]))?;
        for (key, value) in [("user.name", "Bench"), ("user.email", "bench@example.org"), ("gc.auto", "0")] {
            run(git(&["config", key, value]))?;
        }
        (subject.make)(folder.path())?;
        let mut best = [Duration::MAX; 2];
        for _ in 0..RUNS {
            best[1] = best[1].min(run(git(subject.git))?);
            best[0] = best[0].min(run(command(env!("CARGO_BIN_EXE_whymark"), folder.path(), subject.new))?);
        }
        let [new, git] = best.map(|time| time.as_secs_f64() * 1e3);
        writeln!(out, "{:12} {new:>10.0} {git:>10.0} {:>7.2}", subject.name, new / git)?;
    }
    Ok(())
}

fn command(program: &str, folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.current_dir(folder).args(args).env("GIT_CONFIG_GLOBAL", "/dev/null").stdout(Stdio::null());
    command
}

/// How long it takes, which has to succeed.
fn run(mut command: Command) -> io::Result<Duration> {
    let start = Instant::now();
    let status = command.status()?;
    if status.success() { Ok(start.elapsed()) } else { Err(io::Error::other(format!("{command:?}: {status}"))) }
}

fn commit(folder: &Path) -> io::Result<()> {
    run(command("git", folder, &["add", "-A"]))?;
    run(command("git", folder, &["commit", "-q", "-m", "a step"])).map(drop)
}

/// The lines `from..to` of a program that goes on for ever.
fn lines(from: usize, to: usize) -> String {
    let mut text = String::new();
    for n in from..to {
        let _ = writeln!(text, "    let value_{n} = compute({}, other_{});", n % 97, n.wrapping_mul(7919) % 1_000_003);
    }
    text
}

fn write(folder: &Path, path: &str, text: &str) -> io::Result<()> {
    let path = folder.join(path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::write(path, text)
}

/// One file of a million lines comes.
fn added(folder: &Path) -> io::Result<()> {
    write(folder, "start.rs", "start\n")?;
    commit(folder)?;
    write(folder, "big.rs", &lines(0, 1_000_000))?;
    commit(folder)
}

/// Half a million lines of one file become as many others.
fn rewritten(folder: &Path) -> io::Result<()> {
    write(folder, "big.rs", &lines(0, 500_000))?;
    commit(folder)?;
    write(folder, "big.rs", &lines(500_000, 1_000_000))?;
    commit(folder)
}

/// Every other line of a thousand files is another.
fn many_files(folder: &Path) -> io::Result<()> {
    for step in [0, 5_000_000] {
        for file in 0..1000 {
            let start = file * 1000;
            let pairs = (start..start + 1000).step_by(2).map(|n| lines(n, n + 1) + &lines(n + 1 + step, n + 2 + step));
            write(folder, &format!("src/part_{}/file_{file}.rs", file % 50), &pairs.collect::<String>())?;
        }
        commit(folder)?;
    }
    Ok(())
}

/// One line in twenty of a file of a million lines is another.
fn scattered(folder: &Path) -> io::Result<()> {
    let text = lines(0, 1_000_000);
    write(folder, "big.rs", &text)?;
    commit(folder)?;
    let changed =
        |(n, line): (usize, &str)| if n % 20 == n / 20 % 20 { format!("changed {n}\n") } else { format!("{line}\n") };
    write(folder, "big.rs", &text.lines().enumerate().map(changed).collect::<String>())?;
    commit(folder)
}

/// The text of one of many small files.
fn small(file: usize, edited: bool) -> String {
    lines(file * 10, file * 10 + 10) + if edited { "edited\n" } else { "" }
}

/// A folder of 52,000 files gets another name, and some of them another line.
fn moved(folder: &Path) -> io::Result<()> {
    let path = |file: usize| format!("part_{}/file_{file}.rs", file % 300);
    for file in 0..52_000 {
        write(folder, &format!("old/{}", path(file)), &small(file, false))?;
    }
    commit(folder)?;
    fs::rename(folder.join("old"), folder.join("new"))?;
    for file in (0..52_000).step_by(100) {
        write(folder, &format!("new/{}", path(file)), &small(file, true))?;
    }
    commit(folder)
}

/// As many large files as git compares with each other go and come, all more or less alike.
fn alike(folder: &Path) -> io::Result<()> {
    for file in 0..900 {
        write(folder, &format!("old/{file}.rs"), &lines(file, file + 2000))?;
    }
    commit(folder)?;
    fs::remove_dir_all(folder.join("old"))?;
    for file in 0..900 {
        write(folder, &format!("new/other_{file}.rs"), &lines(file + 50, file + 2050))?;
    }
    commit(folder)
}

/// Ten of 47,000 files are staged.
fn staged(folder: &Path) -> io::Result<()> {
    let path = |file: usize| format!("src/part_{}/deep_{}/file_{file}.rs", file % 400, file % 7);
    for file in 0..47_000 {
        write(folder, &path(file), &small(file, false))?;
    }
    commit(folder)?;
    for file in (0..47_000).step_by(4_700) {
        write(folder, &path(file), &small(file, true))?;
    }
    run(command("git", folder, &["add", "-A"])).map(drop)
}
