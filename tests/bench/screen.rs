//! How soon a reviewer shows something, how soon it answers a key, and how much memory it takes: the real program in a
//! terminal, beside any other that shows the changes of a repository.
//!
//! `cargo bench --bench screen` measures whymark alone. Commands behind `--` are measured in turn with it, in the same
//! repositories: `cargo bench --bench screen -- "other --uncommitted"`; numbers among them are the shapes to measure
//! (0, 1, 2). Every program runs in the folder of the repository, gets the questions answered that terminals answer, and
//! is sent `j`. Nothing is asserted: numbers depend on the machine.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use tempfile::TempDir;

/// Each program is started so often; the median of what was measured counts.
const RUNS: usize = 3;
/// Keys in one run.
const KEYS: usize = 40;
/// Nobody waits longer for a first line, nor for a key.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(10));
/// A program that has sent nothing for so long has settled.
const QUIET: Duration = Duration::from_millis(500);
const SIZE: PtySize = PtySize { rows: 50, cols: 160, pixel_width: 0, pixel_height: 0 };
/// What whymark is also asked for: far jumps, the next unexplained line, what lays out everything anew, searching.
const JUMPS: [&str; 9] = ["}", "u", "G", "gg", "\x04", "gu", "gu", "w", "/value_7\r"];
/// Stands in the first changed lines of the first file.
const MARK: &str = "first_changed_line";

/// A change: a name, and files of so many lines, each of which is new.
const SHAPES: [(&str, usize, usize); 3] = [
    ("300 files, 80,000 lines", 300, 267),
    ("1 file, 120,000 lines", 1, 120_000),
    ("1,000 files, 1,000,000 lines", 1_000, 1_000),
];

/// The program that is measured.
const OWN: &str = env!("CARGO_BIN_EXE_whymark");

/// What was measured.
#[derive(Clone, Copy)]
struct Measured {
    first: Duration,
    settled: Duration,
    key: Duration,
    slowest_key: Duration,
    jumps: [Duration; JUMPS.len()],
    peak: f64,
}

fn main() -> io::Result<()> {
    let own = format!("{OWN} tui --worktree");
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with("--")).collect();
    let (shapes, others): (Vec<&String>, Vec<&String>) = args.iter().partition(|arg| arg.parse::<usize>().is_ok());
    let programs: Vec<&str> = std::iter::once(own.as_str()).chain(others.into_iter().map(String::as_str)).collect();
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "{:28} {:16} {:>9} {:>9} {:>8} {:>8} {:>8}",
        "change", "program", "first ms", "all ms", "key ms", "max ms", "peak MB"
    )?;
    for (index, (name, files, lines)) in SHAPES.into_iter().enumerate() {
        if !shapes.is_empty() && !shapes.iter().any(|shape| shape.parse() == Ok(index)) {
            continue;
        }
        let repository = repository(files, lines)?;
        let mut runs: Vec<Vec<Measured>> = programs.iter().map(|_| Vec::new()).collect();
        for _ in 0..RUNS {
            for (program, runs) in programs.iter().zip(&mut runs) {
                match measure(program, repository.path()) {
                    Ok(measured) => runs.push(measured),
                    Err(error) => writeln!(out, "{name:28} {:16} {error}", short(program))?,
                }
            }
        }
        let medians: Vec<Option<Measured>> = runs.iter().map(|runs| median(runs)).collect();
        for (program, measured) in programs.iter().zip(&medians) {
            let Some(Measured { first, settled, key, slowest_key, peak, .. }) = measured else { continue };
            let [first, settled, key, slowest] =
                [first, settled, key, slowest_key].map(|time| time.as_secs_f64() * 1e3);
            writeln!(
                out,
                "{name:28} {:16} {first:>9.1} {settled:>9.1} {key:>8.2} {slowest:>8.2} {peak:>8.1}",
                short(program)
            )?;
        }
        if let Some(own) = medians[0] {
            let jumps: Vec<String> = JUMPS
                .iter()
                .zip(own.jumps)
                .map(|(keys, time)| format!("{} {:.1}", keys.escape_default(), time.as_secs_f64() * 1e3))
                .collect();
            writeln!(out, "{:28} whymark's jumps in ms: {}", "", jumps.join(" · "))?;
        }
        for (program, other) in programs.iter().zip(&medians).skip(1) {
            let (Some(own), Some(other)) = (medians[0], other) else { continue };
            let share = |own: Duration, other: Duration| own.as_secs_f64() / other.as_secs_f64();
            writeln!(
                out,
                "{:28} whymark is at {:.2} of its first content, {:.2} of its keys, {:.2} of its memory ({})",
                "",
                share(own.first, other.first),
                share(own.key, other.key),
                own.peak / other.peak,
                short(program)
            )?;
        }
    }
    Ok(())
}

/// The name of the program in a command.
fn short(command: &str) -> &str {
    let program = command.split(' ').next().unwrap_or(command);
    program.rsplit('/').next().unwrap_or(program)
}

/// The median of each number.
fn median(runs: &[Measured]) -> Option<Measured> {
    let middle = |value: &dyn Fn(&Measured) -> f64| {
        let mut values: Vec<f64> = runs.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values.get(values.len() / 2).copied()
    };
    let time = |value: &dyn Fn(&Measured) -> f64| middle(value).map(Duration::from_secs_f64);
    let jumps: Option<Vec<Duration>> = (0..JUMPS.len()).map(|at| time(&|run| run.jumps[at].as_secs_f64())).collect();
    Some(Measured {
        first: time(&|run| run.first.as_secs_f64())?,
        settled: time(&|run| run.settled.as_secs_f64())?,
        key: time(&|run| run.key.as_secs_f64())?,
        slowest_key: time(&|run| run.slowest_key.as_secs_f64())?,
        jumps: jumps?.try_into().ok()?,
        peak: middle(&|run| run.peak)?,
    })
}

/// A repository in which every file has new lines that are not committed.
fn repository(files: usize, lines: usize) -> io::Result<TempDir> {
    let folder = TempDir::with_prefix("whymark-bench-")?;
    let git = |args: &[&str]| {
        let identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "-c", "gc.auto=0"];
        let done = Command::new("git").current_dir(folder.path()).args(identity).args(args).status()?;
        if done.success() { Ok(()) } else { Err(io::Error::other("git refuses")) }
    };
    git(&["init", "--quiet"])?;
    let path = |file: usize| folder.path().join(format!("src/module_{file:04}.rs"));
    fs::create_dir(folder.path().join("src"))?;
    for file in 0..files {
        fs::write(path(file), "fn main() {\n}\n")?;
    }
    git(&["add", "."])?;
    git(&["commit", "--quiet", "--message", "First"])?;
    for file in 0..files {
        let mut text = format!("fn main() {{\n    let {MARK} = {file};\n");
        for line in 1..lines {
            let _ = writeln!(text, "    let value_{line} = compute({file}, \"text in quotes\", {line}).unwrap_or(0);");
        }
        fs::write(path(file), text + "}\n")?;
    }
    Ok(folder)
}

/// Start the program, wait for its first line, let it settle, press keys, end it.
fn measure(command: &str, folder: &Path) -> io::Result<Measured> {
    let terminal = native_pty_system().openpty(SIZE).map_err(io::Error::other)?;
    let mut words = command.split(' ');
    let mut program = CommandBuilder::new(words.next().unwrap_or(command));
    program.args(words);
    program.cwd(folder);
    program.env("TERM", "xterm-256color");
    program.env("COLORTERM", "truecolor");
    let mut output = terminal.master.try_clone_reader().map_err(io::Error::other)?;
    let mut keys = terminal.master.take_writer().map_err(io::Error::other)?;
    let (to, sent) = channel();
    let start = Instant::now();
    let mut child = terminal.slave.spawn_command(program).map_err(io::Error::other)?;
    thread::spawn(move || {
        let mut buffer = [0; 65536];
        while let Ok(len @ 1..) = output.read(&mut buffer) {
            if to.send((Instant::now(), buffer[..len].to_vec())).is_err() {
                return;
            }
        }
    });
    let outcome = watch(start, &sent, &mut keys, child.process_id(), command.starts_with(OWN));
    let _ = child.kill();
    let _ = child.wait();
    outcome
}

type Sent = Receiver<(Instant, Vec<u8>)>;

fn watch(start: Instant, sent: &Sent, keys: &mut impl Write, pid: Option<u32>, is_own: bool) -> io::Result<Measured> {
    let mut screen = vt100::Parser::new(nonzero(SIZE.rows), nonzero(SIZE.cols), 0);
    let late = |what: &str, screen: &vt100::Parser| {
        io::Error::other(format!("{what} did not come; the screen:\n{}", screen.screen().contents()))
    };
    let first = loop {
        let left = PATIENCE.0.saturating_sub(start.elapsed());
        let (at, bytes) = sent.recv_timeout(left).map_err(|_| late("the first line", &screen))?;
        answer(&bytes, keys)?;
        screen.process(&bytes);
        if screen.screen().contents().contains(MARK) {
            break at - start;
        }
    };
    let mut last = start + first;
    loop {
        match sent.recv_timeout(QUIET) {
            Ok((at, bytes)) => {
                answer(&bytes, keys)?;
                screen.process(&bytes);
                last = at;
            }
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return Err(late("an end of the output", &screen)),
        }
        if start.elapsed() > PATIENCE.0 {
            break;
        }
    }
    let mut press = |pressed: &str| {
        let start = Instant::now();
        keys.write_all(pressed.as_bytes()).and_then(|()| keys.flush())?;
        let (at, _) = sent.recv_timeout(PATIENCE.1).map_err(|_| late("the answer to a key", &screen))?;
        // The rest of the frame, and what is worked out behind it.
        while sent.recv_timeout(Duration::from_millis(40)).is_ok() {}
        Ok::<_, io::Error>(at - start)
    };
    let mut times = (0..KEYS).map(|_| press("j")).collect::<io::Result<Vec<_>>>()?;
    times.sort_unstable();
    let mut jumps = [Duration::ZERO; JUMPS.len()];
    for (time, keys) in jumps.iter_mut().zip(JUMPS).filter(|_| is_own) {
        *time = press(keys)?;
    }
    let peak = peak(pid.ok_or_else(|| io::Error::other("the program has no number"))?)?;
    Ok(Measured { first, settled: last - start, key: times[KEYS / 2], slowest_key: times[KEYS - 1], jumps, peak })
}

/// Answer what terminals answer: what they are, where the cursor is, what their background is.
fn answer(bytes: &[u8], keys: &mut impl Write) -> io::Result<()> {
    let asked = |question: &[u8]| bytes.windows(question.len()).any(|window| window == question);
    for (question, answer) in [
        (&b"\x1b]11;?"[..], &b"\x1b]11;rgb:0000/0000/0000\x1b\\"[..]),
        (b"\x1b[6n", b"\x1b[1;1R"),
        (b"\x1b[c", b"\x1b[?62;22c"),
    ] {
        if asked(question) {
            keys.write_all(answer)?;
        }
    }
    keys.flush()
}

/// The most memory that the process has held, in megabytes.
fn peak(pid: u32) -> io::Result<f64> {
    let status = fs::read_to_string(format!("/proc/{pid}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes: Option<f64> = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
    kilobytes.map(|kilobytes| kilobytes / 1024.0).ok_or_else(|| io::Error::other("the system says no VmHWM"))
}

fn nonzero(size: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(size).unwrap_or(std::num::NonZeroU16::MIN)
}
