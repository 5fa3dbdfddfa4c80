//! The thread that looks through parts for what is searched for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};

use super::super::msg::Msg;
use super::super::on_demand::OnDemand;
use super::super::search::{Scan, scan};
use super::super::surviving::surviving;
use super::answer;

/// The thread that looks through parts for what is searched for.
#[derive(Debug)]
pub(super) struct Scanner {
    jobs: OnDemand<Vec<Scan>>,
    /// The first number whose answer is still waited for.
    since: Arc<AtomicU64>,
}

impl Scanner {
    pub(super) fn new(answers: Sender<Msg>) -> Self {
        let since = Arc::new(AtomicU64::new(0));
        let wanted = Arc::clone(&since);
        let jobs = OnDemand::new(move |jobs: &Receiver<Vec<Scan>>| {
            for job in jobs.iter().flatten() {
                let Scan { part, ticket, since, .. } = job;
                let is_cancelled = || since < wanted.load(Ordering::Relaxed);
                match surviving(|| scan(job, is_cancelled)) {
                    Ok(Some(hits)) => answer(&answers, Msg::Scanned { part, ticket, hits }),
                    Ok(None) => {}
                    Err(reason) => {
                        answer(&answers, Msg::WorkerFailed(reason));
                        answer(&answers, Msg::Scanned { part, ticket, hits: Vec::new() });
                    }
                }
            }
        });
        Self { jobs, since }
    }

    /// Look through parts; what an older search waits for is given up.
    pub(super) fn scan(&self, jobs: Vec<Scan>) {
        if let Some(job) = jobs.first() {
            self.since.fetch_max(job.since, Ordering::Relaxed);
        }
        // Without the thread nothing is found, and the screen has said why.
        drop(self.jobs.send(jobs));
    }
}
