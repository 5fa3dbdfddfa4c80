//! Where looks are kept between runs: a file for each review, of hashes alone, below the folder of what outlives a run.
//!
//! Several reviewers of one review add to the same file, and none takes away what another one has marked.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::SystemTime;

use super::PATIENCE;
use super::shelf::{make_private, name_of};
use crate::error::Error;
use crate::store;
use crate::tui::looks::{Looks, Remembered};
use crate::tui::msg::Msg;
use crate::tui::on_demand::OnDemand;
use crate::tui::surviving::surviving;

/// The most reviews of which looks are kept; those that nobody has looked at for the longest time go first.
const MOST_REVIEWS: usize = 200;

/// The thread that keeps the looks at a review, as others see it. Without a folder nothing is kept.
#[derive(Debug, Clone)]
pub(in crate::tui) struct LookKeeper(Option<OnDemand<Job>>);

#[derive(Debug)]
enum Job {
    Remember(Box<Remembered>),
    /// Say when everything before this is on disk.
    Answer(Sender<()>),
}

impl LookKeeper {
    /// Start to keep the looks at the review at `review` below `folder`, and hand back the earlier ones, if there are any.
    /// What goes wrong is said to `answers`, once.
    pub(in crate::tui) fn start(folder: Option<&Path>, review: &Path, answers: &Sender<Msg>) -> (Self, Option<Looks>) {
        let Some(folder) = folder else { return (Self(None), None) };
        let path = folder.join("viewed").join(format!("{}.json", name_of(review)));
        let looks = store::read_if_exists(&path).ok().flatten().map(|json| Looks::from_json(&json));
        let answers = answers.clone();
        (Self(Some(OnDemand::new(move |jobs| keep_all(&path, jobs, &answers)))), looks)
    }

    /// Remember this beside what is remembered.
    pub(in crate::tui) fn remember(&self, remembered: Box<Remembered>) {
        if let Some(jobs) = &self.0 {
            // Without that thread the screen has said why nothing is kept.
            let _ = jobs.send(Job::Remember(remembered));
        }
    }

    /// Wait until everything is on disk; not forever.
    pub(in crate::tui) fn wait(&self) {
        let (answer, answered) = channel();
        if self.0.as_ref().is_some_and(|jobs| jobs.send_if_started(Job::Answer(answer))) {
            let _ = answered.recv_timeout(PATIENCE);
        }
    }
}

fn keep_all(path: &Path, jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    let mut has_failed = false;
    for job in jobs {
        match job {
            Job::Remember(remembered) => {
                let kept = surviving(|| keep(path, &remembered).map_err(|error| error.to_string()));
                let reason = kept.and_then(|kept| kept).err();
                if let Some(reason) = reason.filter(|_| !std::mem::replace(&mut has_failed, true)) {
                    // Nobody listens any more when the reviewer has been left.
                    let _ = answers.send(Msg::WorkerFailed(format!("what is viewed is not remembered: {reason}")));
                }
            }
            Job::Answer(answer) => drop(answer.send(())),
        }
    }
}

fn keep(path: &Path, remembered: &Remembered) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    make_private(folder).map_err(|source| Error::CreateFolder { path: folder.into(), source })?;
    store::update(path, |json| Ok::<_, Error>(remembered.kept_in(json.unwrap_or_default()).into_bytes()))?;
    // Too many are no reason to forget this one.
    let _ = forget(folder);
    Ok(())
}

/// Remove the oldest files when there are too many.
fn forget(folder: &Path) -> io::Result<()> {
    let mut files: Vec<(SystemTime, PathBuf)> = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "json") {
            files.push((entry.metadata()?.modified()?, entry.path()));
        }
    }
    files.sort();
    let extra = files.len().saturating_sub(MOST_REVIEWS);
    files.into_iter().take(extra).try_for_each(|(_, path)| fs::remove_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Document;
    use crate::tui::looks::ContentIds;

    #[test]
    fn looks_outlive_a_run_and_do_not_pile_up() {
        let dir = tempfile::tempdir().unwrap();
        let (to, from) = channel();
        let contents = ContentIds::of(&Document::parse("@file a\n@@ -1 +1 @@\n-x\n+y\n").parts()[1]);
        let marked = || Box::new(Remembered { marked: contents.ids().collect(), ..Remembered::default() });
        let review = Path::new("/r/x.whymark");
        let (keeper, before) = LookKeeper::start(Some(dir.path()), review, &to);
        assert!(before.is_none() && fs::read_dir(dir.path()).unwrap().next().is_none(), "looking alone writes nothing");
        keeper.remember(marked());
        keeper.wait();
        let (_, after) = LookKeeper::start(Some(dir.path()), review, &to);
        assert!(after.expect("it was kept").is_viewed(&contents));
        for number in 0..MOST_REVIEWS + 5 {
            let path = dir.path().join(format!("viewed/{number}.json"));
            keep(&path, &marked()).unwrap();
        }
        assert_eq!(fs::read_dir(dir.path().join("viewed")).unwrap().count(), MOST_REVIEWS);
        let (nowhere, none) = LookKeeper::start(None, review, &to);
        nowhere.remember(marked());
        nowhere.wait();
        assert!(none.is_none() && from.try_iter().next().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn only_its_owner_reads_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state/viewed/x.json");
        keep(&path, &Remembered::default()).unwrap();
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
