//! Which sockets a process has: nobody may be able to speak to the program from outside.

use std::fs;

/// The sockets of a process, by their numbers.
fn sockets(pid: i32) -> Vec<String> {
    let descriptors = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
    let targets = descriptors.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let number = |target: String| Some(target.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned());
    targets.filter_map(|target| number(target.to_string_lossy().into_owned())).collect()
}

/// Assert that a process has no socket at all.
#[track_caller]
pub(crate) fn assert_no_sockets(pid: i32) {
    assert_eq!(sockets(pid), [""; 0]);
}

/// Assert that none of the sockets of a process is one of the network, has a name, or listens. One may be there by which a
/// signal handler wakes its own program.
#[track_caller]
pub(crate) fn assert_listens_to_nobody(pid: i32) {
    let sockets = sockets(pid);
    let is_ours = |word: &&str| sockets.iter().any(|socket| socket == word);
    for table in ["tcp", "tcp6", "udp", "udp6", "raw", "packet"] {
        let lines = fs::read_to_string(format!("/proc/net/{table}")).unwrap_or_default();
        let found = lines.lines().skip(1).find(|line| line.split_whitespace().any(|word| is_ours(&word)));
        assert_eq!(found, None, "{table}");
    }
    for line in fs::read_to_string("/proc/net/unix").unwrap_or_default().lines().skip(1) {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.get(6).is_some_and(is_ours) {
            assert_eq!((words.len(), words[3]), (7, "00000000"), "it has a name, or listens: {line}");
        }
    }
}
