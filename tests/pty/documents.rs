//! A document in a real terminal: a phrase of it selected, commented, sent, polled, answered.

use super::SIZE;
use crate::support::Sandbox;
use crate::support::terminal::Pty;
use crate::tui::staged;

const SPEC: &str = "# Spec\n\n## Goals\n\nThe page must be fast.\n";

fn poll(sandbox: &Sandbox) -> String {
    let run = sandbox.run(&["poll", "--wait", "0", "--as", "codex"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    String::from_utf8(run.stdout).expect("what is printed is UTF-8")
}

#[test]
fn a_phrase_goes_to_an_agent_and_its_answer_comes_back() {
    for sandbox in [Sandbox::new(), Sandbox::empty()] {
        sandbox.write("spec.md", SPEC);
        let mut pty = Pty::whymark(&sandbox, &["tui", "spec.md"], SIZE, &[]);
        pty.wait_for("must be fast");
        pty.send("5jvv2wv3e");
        pty.wait_for(" CHARS ");
        pty.send("cquantify, target ms?");
        pty.wait_for("target ms?");
        pty.send("\r");
        pty.wait_for("1 comment waits for the agent");
        pty.send("Sy");
        pty.wait_for("sent as round 1");
        let page = poll(&sandbox);
        let table = "session: spec.md\nqueue[1]{kind,file,heading,occurrence,quote,note}:\n  \
            anno,spec.md,Goals,0,must be fast,\"quantify, target ms?\"\nwhere[1]{row,lines,side,rev}:\n  0,5-5,new,worktree\n";
        assert!(page.starts_with(table), "{page}");
        sandbox.write("spec.md", SPEC.replace("must be fast", "must answer within 100 ms"));
        pty.wait_for("within 100 ms");
        assert_eq!(sandbox.run(&["reply", "says 100 ms now"]).code, 0);
        pty.wait_for("answered: says 100 ms now");
        pty.send("q");
        assert_eq!(pty.wait_exit(), 0);
    }
}

#[test]
fn a_review_with_lines_that_the_format_does_not_have_says_so() {
    let sandbox = staged();
    let odd = "---\nwhymark: 1\ntitle: Odd\nmood: sunny\n---\n\n@file a.txt modified\n@@ -1 +1,9 @@\n-a\n+b\n";
    sandbox.write("odd.whymark", odd);
    let mut pty = Pty::whymark(&sandbox, &["tui", "odd.whymark"], SIZE, &[]);
    pty.wait_for("2 lines of the review are not as the format has them: gi lists what is odd");
    pty.send("gi");
    pty.wait_for("line 4 of the review");
    pty.wait_for("mood: sunny");
    pty.send("\x1b");
    pty.wait_until_gone("line 4 of the review");
    pty.send("q");
    assert_eq!(pty.wait_exit(), 0);
    assert_eq!(sandbox.read("odd.whymark"), odd.as_bytes());
}
