//! The corpus of the fuzz targets, replayed: every text that once showed something must hold the laws.

use std::fs;
use std::path::{Path, PathBuf};

use crate::support::{key_laws, laws, markback_laws, queue_laws};

fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz/corpus").join(target);
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder).expect("the corpus is there").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "the corpus of {target} holds something");
    paths
}

fn replay(target: &str, law: fn(&[u8])) {
    for path in corpus(target) {
        let text = fs::read(&path).expect("the corpus is readable");
        let held = std::panic::catch_unwind(|| law(&text));
        assert!(held.is_ok(), "{} breaks a law", path.display());
    }
}

#[test]
fn reviews_hold_their_laws() {
    replay("whymark", laws::whymark);
}

#[test]
fn markback_files_hold_theirs() {
    replay("markback", markback_laws::hold);
}

#[test]
fn queues_hold_theirs() {
    replay("queue", queue_laws::hold);
}

#[test]
fn keys_hold_theirs() {
    replay("keys", key_laws::hold);
}
