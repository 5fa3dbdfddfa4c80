//! The agent loop: the reviewer's side through the library, the agent's through the program.

mod commands;
mod faults;
mod guide;
mod polling;
mod unsafe_store;

use std::path::PathBuf;
use std::process::{Child, Stdio};

use whymark::document::Side;
use whymark::queue::Item;
use whymark::session::{Hold, Note, Place, Review, Spool, Store};

use crate::support::sandbox::piped;
use crate::support::{Run, Sandbox};

/// A repository and the store of its sessions.
struct Loop {
    sandbox: Sandbox,
    store: Store,
}

impl Loop {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        let second = sandbox.tmp().join(format!("whymark-{}", rustix::process::geteuid().as_raw()));
        let store = Store::of(Some(&sandbox.repo().join(".git")), &sandbox.repo(), None).unwrap();
        Self { sandbox, store: store.with_second(second) }
    }

    /// Where a file of the session `id` is.
    fn path(&self, id: &str, name: &str) -> PathBuf {
        self.sandbox.repo().join(".git/whymark").join(id).join(name)
    }

    /// The session `id`, opened by a reviewer, who is there until the second is dropped.
    fn open(&self, id: &str) -> (Spool, Hold) {
        let spool = self.store.spool(id);
        let review = Review { label: format!("label {id}"), scope: "staged".into() };
        let hold = spool.open(&review).unwrap().expect("nobody else reviews it");
        (spool, hold)
    }

    /// The session `id`, which a reviewer has opened, sent so many rounds of one note from, and left.
    fn sent(&self, id: &str, rounds: usize) -> Spool {
        let (spool, _hold) = self.open(id);
        for round in 1..=rounds {
            assert!(spool.send(&[chat(&format!("note {round}"))]).failed.is_none());
        }
        spool
    }

    fn run(&self, args: &[&str]) -> Run {
        self.sandbox.run(args)
    }

    /// Run a command that waits for nothing, with `input`.
    fn piped(&self, args: &[&str], input: &[u8]) -> Run {
        piped(self.sandbox.whymark_command(args), input)
    }

    /// A command that runs until it is waited for.
    fn start(&self, args: &[&str]) -> Child {
        let mut command = self.sandbox.whymark_command(args);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    #[track_caller]
    fn check(&self, args: &[&str], code: i32, stdout: &str, stderr: &str) {
        let run = self.run(args);
        let found = (run.code, String::from_utf8_lossy(&run.stdout).into_owned(), run.stderr);
        assert_eq!(found, (code, stdout.to_owned(), stderr.to_owned()), "whymark {}", args.join(" "));
    }
}

/// A general comment, with its text as its id.
fn chat(text: &str) -> Note {
    let item = Item { kind: Some(Item::CHAT.into()), note: Some(text.into()), ..Item::default() };
    Note { id: text.into(), item, place: None, draft: None }
}

/// A note on some text.
fn anno(text: &str) -> Note {
    let item = Item {
        kind: Some(Item::ANNO.into()),
        file: Some("src/store.rs".into()),
        heading: Some("fn save(&self)".into()),
        occurrence: 1,
        quote: Some("    file.sync_all()?;".into()),
        note: Some(text.into()),
    };
    Note { id: text.into(), item, place: Some(Place::new(Some((88, 88)), Side::New, "worktree")), draft: None }
}
