//! A document in a real terminal: a phrase of it selected, commented, sent, polled, answered.

use super::SIZE;
use crate::support::Sandbox;
use crate::support::terminal::Pty;

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
        pty.wait_for(" SELECT ");
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
