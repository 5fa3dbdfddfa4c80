//! Running the commands of a review away from the screen.

use crate::verify::run::{Cancel, Event, Runner};

use super::effect::Verify;
use super::msg::Msg;

/// Run what `job` names; what happens is told as it happens, from several threads, and at last that it is over.
pub fn run(job: &Verify, runner: &Runner, cancel: &Cancel, tell: &(dyn Fn(Msg) + Sync)) {
    runner.run(&job.plan.commands, cancel, &|event| {
        tell(match event {
            Event::Started(index) => Msg::CommandStarted(index),
            Event::Wrote(index, tail) => Msg::CommandWrote(index, tail.to_vec()),
            Event::Ended(index, ran) => Msg::CommandEnded(index, Box::new(ran.clone())),
        });
    });
    tell(Msg::CommandsOver);
}
