//! What a reviewer is told of the agent, in a few words.

use std::time::Duration;

use super::period::{long, since};
use super::state::State;

/// How long an agent may have a round before that is said.
const SLOW: Duration = Duration::from_secs(600);
/// The steps in which seconds are counted, so that a screen at which nobody looks is not written to all the time.
const STEP: u64 = 5;

/// What is said when no agent is there.
pub const NOBODY: &str = "agent: not listening";

/// What the line begins with that says what an agent answered.
pub const ANSWERED: &str = "answered: ";

/// What the session's agent does at `now`, by the files and locks, so that nothing of it can get stuck.
#[must_use]
pub fn header(state: &State, now: &str) -> String {
    let for_long = |then: &str| since(then, now).map(|length| Duration::from_secs(length.as_secs() / STEP * STEP));
    if state.ended.is_some() {
        return "session ended".to_owned();
    }
    if let Some(waiting) = &state.waiting {
        let name = waiting.agent.as_deref().unwrap_or("agent");
        let length = waiting.since.as_deref().and_then(for_long).map(|length| format!(" {}", long(length)));
        return format!("{name} waiting{}", length.unwrap_or_default());
    }
    if let Some((round, handing)) = state.out().and_then(|round| Some((round, round.handed.last()?))) {
        let length = for_long(&handing.time).unwrap_or_default();
        return match length > SLOW {
            true => format!("{}: no answer for {}", handing.agent, long(length)),
            false => format!("{} has round {} for {}", handing.agent, round.number, long(length)),
        };
    }
    let last = state.rounds.iter().rev().find_map(|round| round.answer.as_ref());
    match (state.unanswered().next(), last) {
        (None, Some(said)) => format!("{ANSWERED}{}", said.text.lines().next().unwrap_or_default()),
        _ => NOBODY.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::hold::Waiting;
    use super::super::record::What;
    use super::super::state::tests::files;
    use super::*;

    #[test]
    fn what_the_agent_does() {
        let at = |now: &str, files| header(&State::of(&files), now);
        let handed = || vec![What::Handed { round: 1 }];
        let answered = || vec![What::Handed { round: 1 }, What::Reply { round: Some(1), text: "did\nit".into() }];
        let now = "2026-11-01T14:01:42Z";
        assert_eq!(at(now, files(0, vec![])), "agent: not listening");
        assert_eq!(at(now, files(1, vec![])), "agent: not listening");
        assert_eq!(at(now, files(1, handed())), "codex has round 1 for 40 s");
        assert_eq!(at("2026-11-01T14:13:00Z", files(1, handed())), "codex: no answer for 12 min");
        assert_eq!(at(now, files(1, answered())), "answered: did");
        assert_eq!(at(now, files(2, answered())), "agent: not listening");
        let mut waiting = files(1, answered());
        let since = Some("2026-11-01T14:01:30Z".to_owned());
        waiting.waiting = Some(Waiting { agent: Some("codex".into()), since });
        assert_eq!(at(now, waiting.clone()), "codex waiting 10 s");
        waiting.waiting = Some(Waiting::default());
        assert_eq!(at(now, waiting.clone()), "agent waiting");
        waiting.has_ended = true;
        assert_eq!(at(now, waiting), "session ended");
    }
}
