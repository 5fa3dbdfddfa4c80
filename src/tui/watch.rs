//! Watching the files that a review depends on, so that what others write appears by itself. Nothing is read here: that
//! something may have changed is said, and whoever hears it looks.
//!
//! Folders are watched, never what is below them. Where the system watches no more of them, or none at all, the files are
//! looked at from time to time.

mod pace;
#[cfg(test)]
mod tests;

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use notify::event::ModifyKind;
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::effect::Watched;
use super::msg::Msg;
use crate::git::Repo;
use crate::skeleton::paths::is_leftover;
use pace::Pace;

/// The most folders that are watched.
const MOST_FOLDERS: usize = 512;
/// The most further folders that are watched, in which nothing has changed yet.
const MOST_QUIET_FOLDERS: usize = if cfg!(target_os = "linux") { 4096 } else { 512 };
/// The time between two looks where watching is not possible.
const LOOK: Duration = Duration::from_secs(3);
/// The most files that are looked at then.
const MOST_LOOKED_AT: usize = 4096;
/// How long before the watching begins the review may have been read.
const EARLIER: Duration = Duration::from_secs(5);

/// The thread that watches, as others see it.
#[derive(Debug, Clone)]
pub(super) struct Watcher(Sender<Heard>);

#[derive(Debug)]
enum Heard {
    /// Watch these from now on.
    Watch(Watched),
    /// The system says that something happened.
    Event(notify::Result<notify::Event>),
}

impl Watcher {
    /// Start it; what changes is said to `answers`.
    pub(super) fn start(answers: &Sender<Msg>) -> Self {
        let (to, heard) = channel();
        let (events, answers) = (to.clone(), answers.clone());
        let since = SystemTime::now().checked_sub(EARLIER).unwrap_or(SystemTime::UNIX_EPOCH);
        thread::spawn(move || {
            let told = move |event| {
                // Nobody listens any more when the reviewer has been left.
                let _ = events.send(Heard::Event(event));
            };
            Watch::new(notify::recommended_watcher(told).ok(), since).run(&heard, &answers);
        });
        Self(to)
    }

    /// Watch these instead of what was watched before.
    pub(super) fn watch(&self, watched: Watched) {
        // Without that thread nothing appears by itself, and everything else goes on.
        let _ = self.0.send(Heard::Watch(watched));
    }
}

/// What a file looks like from outside.
type Stamp = Option<(SystemTime, u64)>;

struct Watch {
    system: Option<RecommendedWatcher>,
    /// When nothing that is watched had been read yet.
    since: SystemTime,
    /// Files of the review itself.
    files: HashSet<PathBuf>,
    /// Files that say what is to be reviewed.
    tree: HashSet<PathBuf>,
    /// Folders of the working tree, in which whatever happens is about what is to be reviewed.
    around: HashSet<PathBuf>,
    folders: HashSet<PathBuf>,
    /// Further folders of the working tree, in which a file may change.
    quiet: HashSet<PathBuf>,
    /// Those of them that are watched.
    armed: HashSet<PathBuf>,
    /// The files as they were at the last look, where they have to be looked at.
    looked_at: Option<HashMap<PathBuf, Stamp>>,
    pace: Pace,
}

impl Watch {
    fn new(system: Option<RecommendedWatcher>, since: SystemTime) -> Self {
        Self {
            system,
            since,
            files: HashSet::new(),
            tree: HashSet::new(),
            around: HashSet::new(),
            folders: HashSet::new(),
            quiet: HashSet::new(),
            armed: HashSet::new(),
            looked_at: None,
            pace: Pace::new(),
        }
    }

    fn run(&mut self, heard: &Receiver<Heard>, answers: &Sender<Msg>) {
        loop {
            let wait = match (self.pace.next(), &self.looked_at) {
                (Some(next), _) => Some(next.saturating_duration_since(Instant::now())),
                (None, Some(_)) => Some(LOOK),
                (None, None) => None,
            };
            let next = match wait {
                Some(wait) => heard.recv_timeout(wait),
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            match next {
                Ok(Heard::Watch(watched)) => self.watch(watched),
                Ok(Heard::Event(Ok(event))) => self.hear(&event),
                Ok(Heard::Event(Err(_))) => self.miss(),
                Err(RecvTimeoutError::Timeout) => match self.pace.say(Instant::now()) {
                    None => self.look(),
                    Some(due) => {
                        // A folder that went and came back is another one.
                        self.arm();
                        if answers.send(Msg::Changed { files: due.files, tree: due.tree }).is_err() {
                            return;
                        }
                    }
                },
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn watch(&mut self, watched: Watched) {
        // A link is watched, and what it leads to.
        let both = |path: PathBuf| [Some(real(&path)), path.canonicalize().ok()].into_iter().flatten();
        self.files = watched.files.into_iter().flat_map(both).collect();
        self.tree = watched.repository.into_iter().map(|path| real(&path)).collect();
        let tree: Vec<PathBuf> = watched.tree.iter().map(|path| real(path)).collect();
        self.around = tree.iter().filter_map(|path| path.parent().map(Path::to_owned)).collect();
        self.tree.extend(tree);
        let quiet = watched.top.iter().flat_map(|top| folders_of(top));
        let quiet: HashSet<PathBuf> = quiet.filter(|folder| !self.around.contains(folder)).collect();
        self.around.extend(quiet.iter().cloned());
        let watched_files = self.files.iter().chain(&self.tree);
        let folders: HashSet<PathBuf> = watched_files.filter_map(|path| path.parent()).map(Path::to_owned).collect();
        if let Some(system) = &mut self.system {
            let before = self.folders.iter().chain(&self.armed);
            for gone in before.filter(|folder| !folders.contains(*folder) && !quiet.contains(*folder)) {
                // It may have gone by itself.
                let _ = system.unwatch(gone);
            }
        }
        self.armed.retain(|folder| quiet.contains(folder));
        self.quiet = quiet;
        let before = std::mem::replace(&mut self.folders, folders);
        let armed = self.armed.len();
        self.arm();
        self.catch_up(&before, armed);
    }

    /// Note what happened in folders that were not watched `before`, of quiet ones more than `armed`: between the first look
    /// at a file and now nobody told.
    fn catch_up(&mut self, before: &HashSet<PathBuf>, armed: usize) {
        let is_young = |path: &Path| {
            let changed = fs::symlink_metadata(path).and_then(|meta| meta.modified());
            changed.is_ok_and(|changed| changed >= self.since)
        };
        // What has gone, or was renamed, has changed its folder alone.
        let has_changed = |path: &PathBuf| {
            let Some(folder) = path.parent().filter(|folder| !before.contains(*folder)) else { return false };
            is_young(path) || folder.ancestors().find(|folder| folder.is_dir()).is_some_and(is_young)
        };
        let has_any = |paths: &HashSet<PathBuf>| paths.iter().take(MOST_LOOKED_AT).any(has_changed);
        let (files, tree) = (has_any(&self.files), has_any(&self.tree));
        // Of folders nobody knows what happened in them before they were watched.
        self.note(files, tree || self.armed.len() > armed);
    }

    /// Have every folder watched, those of the review first. A folder that is not there is waited for in the one above.
    fn arm(&mut self) {
        let is_first = |folder: &&PathBuf| self.files.iter().any(|file| file.parent() == Some(folder));
        let (first, rest): (Vec<_>, Vec<_>) = self.folders.iter().partition(is_first);
        let mut is_whole = self.system.is_some() && self.folders.len() <= MOST_FOLDERS;
        if let Some(system) = &mut self.system {
            for folder in first.into_iter().chain(rest).take(MOST_FOLDERS) {
                let there = folder.ancestors().find(|folder| folder.is_dir());
                is_whole &= there.is_some_and(|folder| system.watch(folder, RecursiveMode::NonRecursive).is_ok());
            }
            let room = MOST_QUIET_FOLDERS.saturating_sub(self.armed.len());
            // Where the system watches no more, what changes there is seen with the next change elsewhere.
            let new = self.quiet.iter().filter(|folder| !self.armed.contains(*folder) && folder.is_dir()).take(room);
            let new = new.take_while(|folder| system.watch(folder, RecursiveMode::NonRecursive).is_ok());
            let new: Vec<PathBuf> = new.cloned().collect();
            self.armed.extend(new);
        }
        match is_whole {
            true => self.looked_at = None,
            false if self.looked_at.is_none() => self.looked_at = Some(self.stamps()),
            false => {}
        }
    }

    /// Some events are lost: everything may have changed, and folders may have gone and come back.
    fn miss(&mut self) {
        self.armed.clear();
        self.note(true, true);
    }

    fn hear(&mut self, event: &notify::Event) {
        if event.need_rescan() {
            return self.miss();
        }
        // That somebody reads, ourselves for one, changes nothing.
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        let has_moved = matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)));
        for path in &event.paths {
            if has_moved {
                self.armed.retain(|folder| !folder.starts_with(path));
            }
            // Of a folder that comes or goes, what is in it does.
            let is_about = |paths: &HashSet<PathBuf>| paths.iter().any(|file| file.starts_with(path));
            let files = is_about(&self.files);
            let is_around = || path.parent().is_some_and(|folder| self.around.contains(folder)) && !is_passing(path);
            let tree = !self.files.contains(path) && (is_about(&self.tree) || is_around());
            self.note(files, tree);
        }
    }

    fn note(&mut self, files: bool, tree: bool) {
        self.pace.note(files, tree, Instant::now());
    }

    fn stamps(&self) -> HashMap<PathBuf, Stamp> {
        let files = self.files.iter().chain(&self.tree).take(MOST_LOOKED_AT);
        let stamp = |path: &PathBuf| {
            let meta = fs::symlink_metadata(path).ok()?;
            Some((meta.modified().ok()?, meta.len()))
        };
        files.map(|path| (path.clone(), stamp(path))).collect()
    }

    fn look(&mut self) {
        let now = self.stamps();
        let Some(before) = self.looked_at.replace(now.clone()) else { return };
        let changed: Vec<&PathBuf> =
            now.iter().filter(|(path, stamp)| before.get(*path) != Some(stamp)).map(|(path, _)| path).collect();
        let (files, tree) = (
            changed.iter().any(|path| self.files.contains(*path)),
            changed.iter().any(|path| self.tree.contains(*path)),
        );
        self.note(files, tree);
    }
}

/// Whether a file is there for a moment only: locks, ours and those of editors, and what becomes a file under another name.
fn is_passing(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let is_ours = name.to_str().is_some_and(is_leftover);
    let name = name.as_encoded_bytes();
    let is_of_emacs = name.starts_with(b".#") || name.ends_with(b"~");
    // `.x.swp`, `.x.swo` …, and the name of the file by which it is tried whether one can be written.
    let is_of_vim = matches!(name, [b'.', .., b'.', b's', b'w', _] | b"4913");
    is_ours || is_of_emacs || is_of_vim || name.ends_with(b".lock")
}

/// The folders of the working tree `top` that hold files which git knows.
fn folders_of(top: &Path) -> Vec<PathBuf> {
    let folders = Repo::discover(top).map(|repo| repo.folders()).unwrap_or_default();
    let root = top.canonicalize().unwrap_or_else(|_| top.to_owned());
    folders.into_iter().map(|folder| root.join(folder)).collect()
}

/// `path`, its folder without links as far as it exists, so that it is called what the system calls it.
fn real(path: &Path) -> PathBuf {
    let known = path.ancestors().skip(1).find_map(|folder| Some((folder, folder.canonicalize().ok()?)));
    match known {
        Some((folder, real)) => path.strip_prefix(folder).map_or_else(|_| path.to_owned(), |rest| real.join(rest)),
        None => path.to_owned(),
    }
}
