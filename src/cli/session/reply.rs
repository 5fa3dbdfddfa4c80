//! `whymark reply`: what an agent did with a round, or with a note of it.

use std::ffi::OsString;
use std::io::{self, Read as _};
use std::process::ExitCode;

use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use super::{AgentArg, reported, store};
use crate::cli::print;
use crate::error::Error;
use crate::session::{Found, MOST_NOTE, NoteStatus, Refusal, Reply, Store, Verdict, help};

/// `whymark reply`.
#[derive(Debug, Args)]
pub(in crate::cli) struct ReplyArgs {
    /// What was changed, in a line, with the session in front where there are several.
    #[arg(value_name = "[SESSION] TEXT", num_args = 0..=2)]
    words: Vec<OsString>,

    /// Read the text from standard input; the only word is the session then.
    #[arg(long)]
    stdin: bool,

    /// The round that is answered [default: the one that was handed out last].
    #[arg(long, value_name = "N", value_parser = RangedU64ValueParser::<u32>::new().range(1..))]
    round: Option<u32>,

    /// Say only how far you are with this note, counted from 0; the round stays out.
    #[arg(long, value_name = "ROW", requires = "status")]
    note: Option<usize>,

    /// How far.
    #[arg(long, value_name = "STATUS", requires = "note")]
    status: Option<StatusWord>,

    #[command(flatten)]
    agent: AgentArg,
}

/// How far an agent is with a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum StatusWord {
    /// It is done.
    Done,
    /// It is not going to be done.
    Skipped,
    /// There is a question about it.
    Question,
}

impl From<StatusWord> for NoteStatus {
    fn from(word: StatusWord) -> Self {
        match word {
            StatusWord::Done => Self::Done,
            StatusWord::Skipped => Self::Skipped,
            StatusWord::Question => Self::Question,
        }
    }
}

/// Run the command.
///
/// # Errors
/// When standard input cannot be read, or standard output not be written.
pub(in crate::cli) fn reply(args: &ReplyArgs) -> Result<ExitCode, Error> {
    if args.stdin && args.words.len() > 1 {
        return Err(Error::TwoTexts);
    }
    reported(|| {
        let store = store()?;
        let (found, text) = operands(args, &store)?;
        let found = found.ok_or(Refusal::NoSession)?;
        let (text, bytes) = match text {
            Some(text) => limited(text.as_encoded_bytes(), text.len() as u64),
            None if args.stdin => standard_input()?,
            None => (String::new(), 0),
        };
        let note = args.note.zip(args.status.map(NoteStatus::from));
        let reply = Reply { round: args.round, note, text, bytes };
        let verdict = reply.judge(&found.state, &found.suffix)?;
        reply.write(&found.spool, &args.agent.name, verdict)?;
        Ok(print(page(&found, verdict).as_bytes())?)
    })
}

/// The session that the words name, and the text among them.
fn operands<'a>(args: &'a ReplyArgs, store: &Store) -> Result<(Option<Found>, Option<&'a OsString>), Refusal> {
    let named = |word: &OsString| store.find(Some(&word.to_string_lossy()));
    match args.words.as_slice() {
        [session] if args.stdin => Ok((named(session)?, None)),
        [word] if args.note.is_some() => match store.named(&word.to_string_lossy())? {
            Some(found) => Ok((Some(found), None)),
            None => Ok((store.find(None)?, Some(word))),
        },
        [text] => Ok((store.find(None)?, Some(text))),
        [session, text, ..] => Ok((named(session)?, Some(text))),
        [] => Ok((store.find(None)?, None)),
    }
}

/// The text on standard input, and how many bytes it has. Of one that is too long only the length is of interest.
fn standard_input() -> Result<(String, u64), Error> {
    let failed = |source| Error::ReadInput { source };
    let mut input = io::stdin().lock();
    let mut bytes = Vec::new();
    // With room for the line ends that do not count.
    let most = 2 * MOST_NOTE as u64;
    input.by_ref().take(most).read_to_end(&mut bytes).map_err(failed)?;
    let more = io::copy(&mut input, &mut io::sink()).map_err(failed)?;
    Ok(limited(&bytes, bytes.len() as u64 + more))
}

/// `text` without the line ends at its end, and the bytes that count of `bytes`.
fn limited(text: &[u8], bytes: u64) -> (String, u64) {
    let cut = text.len() - text.iter().rev().take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    let is_whole = text.len() as u64 == bytes;
    let text = String::from_utf8_lossy(&text[..cut]).into_owned();
    let counted = if is_whole { text.len() as u64 } else { bytes };
    (text, counted)
}

fn page(found: &Found, verdict: Verdict) -> String {
    let suffix = &found.suffix;
    let said = if found.state.is_held { "delivered to the reviewer" } else { "saved for the reviewer" };
    let next = format!("run `whymark poll{suffix}` for the next round");
    let (line, next) = match verdict {
        Verdict::Answers(_) => (String::new(), next),
        Verdict::Message => ("round: none is out, kept as a message\n".to_owned(), next),
        Verdict::Late(round) => (format!("round: {round} was answered before, kept as a message\n"), next),
        Verdict::AboutNote(round, row, status) => {
            let next = format!("when all notes are handled, run `whymark reply{suffix} --round {round} --stdin`");
            (format!("note: {row} {}\n", status.as_str()), next)
        }
    };
    format!("reply: {said}\n{line}{}", help(&[next]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_at_the_end_do_not_count() {
        for (text, want) in [
            (&b"did it\r\n\n"[..], ("did it", 6)),
            (b"a\nb\n", ("a\nb", 3)),
            (b"\n", ("", 0)),
            (b"\xff", ("\u{fffd}", 3)),
            ("é ".as_bytes(), ("é ", 3)),
        ] {
            assert_eq!(limited(text, text.len() as u64), (want.0.to_owned(), want.1));
        }
        assert_eq!(limited(b"the start", 70_000).1, 70_000);
    }
}
