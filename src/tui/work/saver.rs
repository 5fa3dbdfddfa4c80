//! The thread that writes to disk, in order.

use std::sync::mpsc::{Receiver, Sender, channel};

use crate::clock;

use super::super::act;
use super::super::effect::Effect;
use super::super::msg::Msg;
use super::super::on_demand::OnDemand;
use super::super::reread;
use super::super::save;
use super::super::surviving::surviving;
use super::super::talk::{Errand, Told};
use super::answer;

/// The thread that writes to disk, as others see it.
#[derive(Debug, Clone)]
pub(in crate::tui) struct Saver(pub(super) OnDemand<Job>);

/// What the thread that writes is asked for.
#[derive(Debug)]
pub(super) enum Job {
    Write(Effect),
    /// Say when everything before this is on disk.
    Answer(Sender<()>),
}

impl Saver {
    /// Wait until everything that was to be written is on disk.
    pub(in crate::tui) fn wait(&self) {
        let (answer, answered) = channel();
        if self.0.send_if_started(Job::Answer(answer)) {
            // Without that thread nothing more is written, and nothing to wait for.
            let _ = answered.recv();
        }
    }
}

pub(super) fn save_all(jobs: &Receiver<Job>, answers: &Sender<Msg>) {
    for job in jobs {
        match job {
            Job::Write(effect) => {
                let written = surviving(|| write(&effect));
                answer(answers, written.unwrap_or_else(|reason| failed(&effect, reason)));
            }
            Job::Answer(answer) => drop(answer.send(())),
        }
    }
}

fn write(effect: &Effect) -> Msg {
    match effect {
        Effect::Act(job) => act::act(job),
        Effect::Restore(job) => act::restore(job),
        Effect::Write(job) => save::write(job, &clock::now()),
        Effect::Reread(job) => reread::read_again(job),
        Effect::KeepTheme(name) => Msg::ThemeKept(save::keep_theme(name)),
        Effect::Carry(job) => reread::carry(job),
        other => failed(other, "this is nothing to be written".to_owned()),
    }
}

pub(super) fn failed(effect: &Effect, reason: String) -> Msg {
    match effect {
        Effect::Write(job) => Msg::WriteFailed { ticket: job.ticket, reason, is_gone: false },
        Effect::Act(_) => Msg::ActFailed { reason, is_outdated: false },
        Effect::Restore(job) => Msg::WriteFailed { ticket: job.ticket, reason, is_gone: false },
        Effect::Refresh(_) | Effect::Carry(_) => Msg::RefreshFailed(reason),
        Effect::Agent(errand) => match **errand {
            Errand::Keep { ticket, .. } => Msg::Agent(Told::Kept(ticket, Err(reason))),
            _ => Msg::Agent(Told::Failed(reason)),
        },
        Effect::KeepTheme(_) => Msg::ThemeKept(Err(reason)),
        _ => Msg::WorkerFailed(reason),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::edit::NewNote;
    use crate::document::{Document, Selector};
    use crate::tui::change::{Change, ReviewChange, ReviewFile, Write};

    #[test]
    fn a_panic_while_writing_is_a_failed_write() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.whymark");
        let file = ReviewFile { path, within: None, document: Document::parse("") };
        // There is no such part.
        let change = Change::Review(file, ReviewChange::Append(9, vec![NewNote::new(Selector::DOC)]));
        let job = Write { ticket: 3, author: String::new(), change };
        let ((saves, jobs), (answers, answered)) = (channel(), channel());
        let (done, is_done) = channel();
        saves.send(Job::Write(Effect::Write(Box::new(job)))).unwrap();
        saves.send(Job::Answer(done)).unwrap();
        drop(saves);
        save_all(&jobs, &answers);
        let Msg::WriteFailed { ticket: 3, reason, .. } = answered.recv().unwrap() else {
            panic!("the write has failed")
        };
        assert!(reason.starts_with("whymark itself is at fault: index out of bounds"), "{reason}");
        assert!(is_done.recv().is_ok(), "the thread goes on");
    }
}
