//! A program in a real terminal, as a shell starts it.
//!
//! The session leader is a shell with job control, and the program is its foreground job: so it can be stopped and
//! continued, and the terminal outlives it, as a user's does. (When a session leader ends, the kernel resets the
//! terminal, and nothing would show what the program left behind.)
//!
//! Nothing here sleeps: every wait ends when the screen or the job changes, or fails after twenty seconds with the screen.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};
use rustix::process::{Pid, Signal, kill_process};

use super::Sandbox;

/// How long a wait lasts at most, and how long once the program is over, when only its last output can be under way.
const PATIENCE: (Duration, Duration) = (Duration::from_secs(20), Duration::from_secs(2));

/// Runs the arguments behind the first as the foreground job and reports to the fifo that the first one names:
/// `pid N`, then `stopped` as often as that happens (an empty line continues the job), then `exit N`. Without the trap the
/// shell would end with a job that SIGINT ended.
const SHELL: &str = r#"
set -m
trap : INT
exec 9>"$1"
shift
sh -c 'echo "pid $$" >&9; exec "$@" 9>&-' sh "$@"
status=$?
while [ $status -gt 128 ] && case $(kill -l $status) in TSTP|STOP) true;; *) false;; esac; do
    echo stopped >&9
    read -r _
    fg >/dev/null
    status=$?
done
echo "exit $status" >&9
read -r _
"#;

/// A program in a terminal of its own; whatever still runs is ended when this is dropped.
pub(crate) struct Pty {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    shell: Box<dyn Child + Send + Sync>,
    shared: Arc<Shared>,
    before: String,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    screen: Option<vt100::Parser>,
    raw: Vec<u8>,
    pid: Option<i32>,
    stops: usize,
    status: Option<i32>,
    ended: Option<Instant>,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }
}

impl State {
    fn screen(&self) -> &vt100::Screen {
        self.screen.as_ref().expect("a terminal has a screen").screen()
    }
}

impl Pty {
    /// The binary in the repository of `sandbox`, in a terminal of `columns` times `rows`, with `env` on top of the
    /// sandbox's environment.
    pub(crate) fn whymark(sandbox: &Sandbox, args: &[&str], size: (u16, u16), env: &[(&str, &str)]) -> Self {
        let argv: Vec<&str> = std::iter::once(env!("CARGO_BIN_EXE_whymark")).chain(args.iter().copied()).collect();
        Self::start(sandbox, &argv, size, env)
    }

    /// Any program, likewise.
    pub(crate) fn start(sandbox: &Sandbox, argv: &[&str], size: (u16, u16), env: &[(&str, &str)]) -> Self {
        static JOBS: AtomicUsize = AtomicUsize::new(0);
        let fifo = sandbox.home().join(format!("job-{}", JOBS.fetch_add(1, Ordering::Relaxed)));
        let made = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo is installed");
        assert!(made.success(), "{made}");
        let terminal = native_pty_system().openpty(pty_size(size)).expect("the system has terminals");
        let mut command = CommandBuilder::new("/bin/sh");
        command.args(["-c", SHELL, "sh"]);
        command.arg(&fifo);
        command.args(argv);
        command.cwd(sandbox.repo());
        command.env_clear();
        command.env("TERM", "xterm-256color");
        for (name, value) in sandbox.environment() {
            command.env(name, value);
        }
        for (name, value) in env {
            command.env(name, value);
        }
        let shared = Arc::new(Shared::default());
        shared.lock().screen = Some(vt100::Parser::new(nonzero(size.1), nonzero(size.0), 0));
        let before = modes(&*terminal.master);
        let output = terminal.master.try_clone_reader().expect("a terminal can be read");
        let keys = terminal.master.take_writer().expect("a terminal can be written to");
        let shell = terminal.slave.spawn_command(command).expect("/bin/sh is there");
        let (screen, job) = (Arc::clone(&shared), Arc::clone(&shared));
        thread::spawn(move || read_screen(output, &screen));
        thread::spawn(move || read_reports(&fifo, &job));
        Self { master: terminal.master, keys, shell, shared, before }
    }

    /// Wait until `text` is on the screen.
    pub(crate) fn wait_for(&self, text: &str) {
        self.wait(&format!("`{text}` on the screen"), |state| state.screen().contents().contains(text).then_some(()));
    }

    /// Wait until `text` is on the screen no more.
    pub(crate) fn wait_until_gone(&self, text: &str) {
        self.wait(&format!("`{text}` to go"), |state| (!state.screen().contents().contains(text)).then_some(()));
    }

    /// Wait until the program has sent nothing for half a second.
    pub(crate) fn wait_quiet(&self) {
        const QUIET: Duration = Duration::from_millis(500);
        let start = Instant::now();
        let mut state = self.shared.lock();
        let (mut len, mut since) = (state.raw.len(), start);
        while since.elapsed() < QUIET {
            assert!(
                start.elapsed() < PATIENCE.0,
                "the program never stops to send; the screen:\n{}",
                state.screen().contents()
            );
            let left = QUIET.saturating_sub(since.elapsed());
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
            if state.raw.len() != len {
                (len, since) = (state.raw.len(), Instant::now());
            }
        }
    }

    /// Type `keys`.
    pub(crate) fn send(&mut self, keys: impl AsRef<[u8]>) {
        self.keys.write_all(keys.as_ref()).and_then(|()| self.keys.flush()).expect("the terminal takes keys");
    }

    /// Make the terminal `columns` times `rows`.
    pub(crate) fn resize(&self, size: (u16, u16)) {
        self.shared.change(|state| {
            let parser = state.screen.as_mut().expect("a terminal has a screen");
            parser.screen_mut().set_size(nonzero(size.1), nonzero(size.0));
        });
        self.master.resize(pty_size(size)).expect("a terminal can be resized");
    }

    /// The process of the program.
    pub(crate) fn pid(&self) -> i32 {
        self.wait("the program to start", |state| state.pid)
    }

    /// Send `signal` to the program.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self.pid();
        kill_process(Pid::from_raw(pid).expect("a process id is not 0"), signal).expect("the program still runs");
    }

    /// Wait until the program has been stopped `times` times, by itself or by a signal.
    pub(crate) fn wait_stopped(&self, times: usize) {
        self.wait("the program to stop", |state| (state.stops >= times).then_some(()));
    }

    /// Continue a stopped program in the foreground.
    pub(crate) fn go_on(&mut self) {
        // Ends a line for the shell whatever the settings are that the program was stopped with.
        self.send("\n");
    }

    /// The same with the reviewer, until it has the terminal again: what is typed before that the terminal would echo, and
    /// take an enter for the end of a line.
    pub(crate) fn resume(&mut self) {
        const CLEAR: &[u8] = b"\x1b[2J";
        let clears = |state: &State| state.raw.windows(CLEAR.len()).filter(|bytes| *bytes == CLEAR).count();
        let before = clears(&self.shared.lock());
        self.go_on();
        self.wait("the program to draw everything again", |state| (clears(state) > before).then_some(()));
    }

    /// Wait until the program is over: its exit code, or 128 and the number of the signal that ended it.
    pub(crate) fn wait_exit(&self) -> i32 {
        self.wait("the program to end", |state| state.status)
    }

    /// What the screen shows.
    pub(crate) fn screen(&self) -> String {
        self.shared.lock().screen().contents()
    }

    /// Every byte that came from the program so far.
    pub(crate) fn raw(&self) -> Vec<u8> {
        self.shared.lock().raw.clone()
    }

    /// Assert that the terminal is as it was before the program started: line settings, screen, cursor, mouse and all
    /// other modes.
    pub(crate) fn assert_restored(&self) {
        let left_behind = |state: &State| {
            let mut left = changed_modes(&state.raw);
            left.extend(state.screen().alternate_screen().then(|| "the alternate screen".to_owned()));
            left
        };
        // The program is over, or has stopped, before its last bytes have been read.
        let end = Instant::now() + PATIENCE.1;
        let mut state = self.shared.lock();
        while !left_behind(&state).is_empty() && Instant::now() < end {
            let left = end.saturating_duration_since(Instant::now());
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
        let changed = left_behind(&state);
        assert!(changed.is_empty(), "modes left behind: {changed:?}\n{}", state.screen().contents());
        drop(state);
        assert_eq!(modes(&*self.master), self.before, "the line settings are not restored");
    }

    fn wait<T>(&self, what: &str, ready: impl Fn(&State) -> Option<T>) -> T {
        let start = Instant::now();
        let mut state = self.shared.lock();
        loop {
            if let Some(value) = ready(&state) {
                return value;
            }
            let end = state.ended.map_or(start + PATIENCE.0, |ended| ended.max(start) + PATIENCE.1);
            let left = end.saturating_duration_since(Instant::now());
            let over = state.status.map_or(String::new(), |status| format!(" (the program ended with {status})"));
            assert!(!left.is_zero(), "waited for {what}{over}; the screen:\n{}", state.screen().contents());
            state = self.shared.changed.wait_timeout(state, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Pty {
    fn drop(&mut self) {
        let pid = { self.shared.lock().pid }.filter(|_| self.shared.lock().status.is_none());
        if let Some(pid) = pid.and_then(Pid::from_raw) {
            let _ = kill_process(pid, Signal::KILL);
        }
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

fn pty_size((cols, rows): (u16, u16)) -> PtySize {
    PtySize { rows, cols, pixel_width: 0, pixel_height: 0 }
}

fn nonzero(size: u16) -> std::num::NonZeroU16 {
    std::num::NonZeroU16::new(size).expect("a terminal has rows and columns")
}

/// The line settings: echo, line mode, signals, control characters.
fn modes(terminal: &dyn MasterPty) -> String {
    format!("{:?}", terminal.get_termios().expect("a terminal has settings"))
}

fn read_screen(mut output: Box<dyn Read + Send>, shared: &Shared) {
    let mut buffer = [0; 4096];
    while let Ok(len @ 1..) = output.read(&mut buffer) {
        shared.change(|state| {
            state.raw.extend_from_slice(&buffer[..len]);
            state.screen.as_mut().expect("a terminal has a screen").process(&buffer[..len]);
        });
    }
}

fn read_reports(fifo: &std::path::Path, shared: &Shared) {
    let Ok(reports) = File::open(fifo) else { return };
    for report in BufReader::new(reports).lines().map_while(Result::ok) {
        let number = |text: &str| text.parse().ok();
        shared.change(|state| match report.split_once(' ') {
            Some(("pid", pid)) => state.pid = number(pid),
            Some(("exit", status)) => (state.status, state.ended) = (number(status), Some(Instant::now())),
            _ => state.stops += 1,
        });
    }
}

/// The private modes that the last switch in `raw` left different from how a terminal starts: 25 (the cursor) and 7
/// (wrapping) are on there, all others off.
fn changed_modes(raw: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(raw);
    let mut last = std::collections::BTreeMap::new();
    for switch in text.split("\x1b[?").skip(1) {
        let len = switch.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
        let (modes, behind) = switch.split_at(len);
        let Some(action) = behind.chars().next().filter(|action| "hl".contains(*action)) else { continue };
        last.extend(modes.split(';').map(|mode| (mode.to_owned(), action)));
    }
    let default = |mode: &str| if ["25", "7"].contains(&mode) { 'h' } else { 'l' };
    last.retain(|mode, action| *action != default(mode));
    last.into_iter().map(|(mode, action)| format!("?{mode}{action}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (u16, u16) = (40, 10);

    fn shell(sandbox: &Sandbox, script: &str) -> Pty {
        Pty::start(sandbox, &["/bin/sh", "-c", script], SIZE, &[("GREETING", "hello")])
    }

    #[test]
    fn the_screen_the_keys_and_the_status() {
        let sandbox = Sandbox::new();
        let mut pty = shell(&sandbox, "stty size; read -r line; echo \"$GREETING [$line] $TERM\"; exit 3");
        pty.wait_for("10 40");
        pty.send("a b\r");
        pty.wait_for("hello [a b] xterm-256color");
        assert_eq!(pty.wait_exit(), 3);
        pty.assert_restored();
        assert!(pty.raw().windows(5).any(|bytes| bytes == b"[a b]"), "{}", pty.screen());
    }

    #[test]
    fn a_resize_reaches_the_program() {
        let sandbox = Sandbox::new();
        let pty = shell(&sandbox, "trap 'stty size; exit 0' WINCH; echo ready; while :; do read -r _; done");
        pty.wait_for("ready");
        pty.resize((30, 7));
        pty.wait_for("7 30");
        assert_eq!(pty.wait_exit(), 0);
    }

    #[test]
    fn signals_end_stop_and_continue_the_program() {
        let sandbox = Sandbox::new();
        let mut pty =
            shell(&sandbox, "trap 'echo continued' CONT; echo ready; while :; do read -r line; echo \"<$line>\"; done");
        pty.wait_for("ready");
        pty.signal(Signal::TSTP);
        pty.wait_stopped(1);
        pty.go_on();
        pty.wait_for("continued");
        pty.send("again\r");
        pty.wait_for("<again>");
        pty.signal(Signal::TERM);
        assert_eq!(pty.wait_exit(), 128 + 15);
    }

    #[test]
    #[should_panic(expected = "modes left behind: [\"?1003h\", \"?25l\"]")]
    fn modes_that_are_left_behind_are_found() {
        let sandbox = Sandbox::new();
        let script = "printf '\\033[?1049h\\033[?25l\\033[?1000;1003h\\033[?1000l\\033[?1049l.'";
        let pty = shell(&sandbox, script);
        assert_eq!(pty.wait_exit(), 0);
        pty.wait_for(".");
        pty.assert_restored();
    }

    #[test]
    #[should_panic(expected = "the line settings are not restored")]
    fn a_terminal_that_is_left_raw_is_found() {
        let sandbox = Sandbox::new();
        let pty = shell(&sandbox, "stty raw -echo");
        assert_eq!(pty.wait_exit(), 0);
        pty.assert_restored();
    }

    #[test]
    #[should_panic(expected = "the program ended with 0")]
    fn a_wait_for_what_never_comes_shows_the_screen() {
        let sandbox = Sandbox::new();
        let pty = shell(&sandbox, "echo other");
        pty.wait_exit();
        pty.wait_for("never");
    }

    #[test]
    fn the_binary_itself() {
        let sandbox = Sandbox::new();
        let pty = Pty::whymark(&sandbox, &["--version"], SIZE, &[]);
        assert_eq!(pty.wait_exit(), 0);
        pty.assert_restored();
    }
}
