//! `whymark patch`: what it prints, git applies, and the tree is the one that was reviewed.

use bstr::ByteSlice;

use crate::git::situations::{CHANGES, base};
use crate::support::sandbox::piped;
use crate::support::{Run, Sandbox};

fn patch(sandbox: &Sandbox, review: &[u8]) -> Run {
    piped(sandbox.whymark_command(&["patch", "-"]), review)
}

/// What is staged, reviewed, stripped and applied to HEAD, is what is staged.
#[track_caller]
fn round_trip(name: &str, sandbox: &Sandbox) {
    let want = sandbox.git_line(&["write-tree"]);
    let review = sandbox.run(&["new", "--staged", "-o", "-"]);
    assert_eq!(review.code, 0, "{name}: {}", review.stderr);
    let patch = patch(sandbox, &review.stdout);
    if review.stdout.contains_str(" binary\n") && patch.code != 0 {
        assert_eq!((patch.code, patch.stdout.len()), (1, 0), "{name}");
        assert!(patch.stderr.contains(" is binary"), "{name}: {}", patch.stderr);
        return;
    }
    assert_eq!((patch.code, patch.stderr.as_str()), (0, ""), "{name}");
    sandbox.git(&["reset", "-q", "--hard"]);
    let mut apply = sandbox.command("git", &sandbox.repo());
    apply.args(["apply", "--index", "--whitespace=nowarn", "--allow-empty"]);
    let applied = piped(apply, &patch.stdout);
    assert_eq!(applied.code, 0, "{name}: {}\n{}", applied.stderr, patch.stdout.as_bstr());
    assert_eq!(sandbox.git_line(&["write-tree"]), want, "{name}:\n{}", patch.stdout.as_bstr());
}

#[test]
fn every_change_survives_the_round_trip() {
    for (name, change) in CHANGES {
        let sandbox = base();
        change(&sandbox);
        sandbox.git(&["add", "-A"]);
        round_trip(name, &sandbox);
    }
}

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    /// Lines that could be taken for something else, with a newline at the end or without.
    fn content(&mut self) -> Vec<u8> {
        const LINES: [&[u8]; 14] = [
            b"a",
            b"b",
            b"",
            b" ",
            b"+x",
            b"--- a",
            b"+++ b",
            b"@@ -1 +1 @@",
            b"@file z",
            b"# c",
            b"\\ No",
            b"\t",
            b"r\r",
            b"\xe9",
        ];
        let lines: Vec<&[u8]> = (0..self.below(16)).map(|_| LINES[self.below(LINES.len())]).collect();
        let end: &[u8] = if self.below(3) == 0 { b"" } else { b"\n" };
        [lines.join(&b"\n"[..]).as_slice(), end].concat()
    }

    /// Write, change, remove and mark some files.
    fn stir(&mut self, sandbox: &Sandbox) {
        const NAMES: [&str; 7] = ["a", "b c", "d\"e", "ä", "f/g", "f/h\\i", "t\tu"];
        for name in NAMES {
            let there = sandbox.path(name).is_file();
            match self.below(5) {
                0 if there => std::fs::remove_file(sandbox.path(name)).unwrap(),
                1 if there => {
                    let mut text = std::fs::read(sandbox.path(name)).unwrap();
                    let at = self.below(text.len() + 1);
                    text.splice(at..at, self.content());
                    sandbox.write(name, text);
                }
                2 if there => sandbox.git(&["update-index", "--add", "--chmod=+x", name]).clear(),
                3 | 4 => sandbox.write(name, self.content()),
                _ => {}
            }
        }
    }
}

#[test]
fn generated_trees_survive_the_round_trip() {
    let sandbox = Sandbox::new();
    sandbox.git(&["config", "core.autocrlf", "false"]);
    let mut numbers = Numbers(1);
    for step in 0..25 {
        numbers.stir(&sandbox);
        sandbox.git(&["add", "-A"]);
        sandbox.commit("before");
        numbers.stir(&sandbox);
        sandbox.git(&["add", "-A"]);
        if !sandbox.git_succeeds(&["diff", "--cached", "--quiet"]) {
            round_trip(&format!("step {step}"), &sandbox);
        }
    }
}

#[test]
fn what_cannot_be_in_a_patch_is_named_and_there_is_none() {
    let sandbox = Sandbox::empty();
    let text = "---\nwhymark: 1\ntitle: x\n---\n@file a\n@@ -1 +1 @@\n-x\n+y\n@file p\u{1b}.png added binary newsha=12\n@file q renamed\n";
    let run = patch(&sandbox, text.as_bytes());
    assert_eq!((run.code, run.stdout.as_bstr()), (1, b"".as_bstr()));
    assert!(run.stderr.contains("error: p^[.png is binary, and a review doesn't hold its bytes\n"), "{}", run.stderr);
    assert!(run.stderr.contains("error: q is renamed, but no `from=` says from where\n"), "{}", run.stderr);
    let run = patch(&sandbox, b"@file a\n@note file\nwhy: x\n");
    assert_eq!((run.code, run.stdout.as_bstr()), (0, b"".as_bstr()));
    assert_eq!(run.stderr, "note: nothing says that a changed; it is not in the patch\n");
    assert_eq!(sandbox.run(&["patch", "nowhere"]).code, 2);
}
