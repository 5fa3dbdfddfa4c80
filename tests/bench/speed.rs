//! How fast reviews and Markback files are read and written: `cargo bench`, or `cargo bench -- 1 10` for these sizes in
//! megabytes.
//!
//! Every size comes in shapes that differ, so that what is not linear shows as a throughput that falls.
//! Nothing is asserted: numbers depend on the machine.

mod markback;

use std::fmt::Write as _;
use std::hint::black_box;
use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use bytes::Bytes;
use whymark::document::check::{review, structure};
use whymark::document::edit::{NewNote, append_note};
use whymark::document::print::canonical;
use whymark::document::{Document, Selector, Side};
use whymark::metrics::Stats;

const MEGABYTE: usize = 1_000_000;
const SIZES: [usize; 3] = [1, 10, 100];
/// The best of so many runs counts.
const RUNS: usize = 3;

/// How the lines of a review are spread over files.
#[derive(Clone, Copy)]
enum Shape {
    ManyFiles,
    OneSection,
}

fn main() -> io::Result<()> {
    let asked: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let sizes = if asked.is_empty() { &SIZES[..] } else { &asked };
    let mut out = io::stdout().lock();
    writeln!(out, "{:14} {:>5}  {:10} {:>10} {:>9}", "shape", "MB", "step", "ms", "MB/s")?;
    for size in sizes {
        for (name, text) in markback::shapes(size * MEGABYTE) {
            for (step, time) in markback::steps(&text) {
                row(&mut out, name, *size, step, text.len(), time)?;
            }
        }
        for (shape, name) in [(Shape::ManyFiles, "many files"), (Shape::OneSection, "one section")] {
            let text = Bytes::from(text(shape, size * MEGABYTE));
            for (step, time) in steps(&text) {
                row(&mut out, name, *size, step, text.len(), time)?;
            }
        }
    }
    Ok(())
}

fn row(out: &mut impl io::Write, name: &str, size: usize, step: &str, len: usize, time: Duration) -> io::Result<()> {
    let (ms, rate) = (time.as_secs_f64() * 1e3, len as f64 / 1e6 / time.as_secs_f64());
    writeln!(out, "{name:14} {size:>5}  {step:10} {ms:>10.2} {rate:>9.0}")
}

/// The steps with their times; each begins where the one before left off.
fn steps(text: &Bytes) -> Vec<(&'static str, Duration)> {
    let trees = |document: &Document| document.parts().iter().map(|part| part.tree().blocks.len()).sum::<usize>();
    let parsed = || Document::parse(text.clone());
    let read = || {
        let document = parsed();
        black_box(trees(&document));
        document
    };
    let note = NewNote { why: "because".to_owned(), ..NewNote::new(Selector { side: Side::New, start: 1, end: 2 }) };
    let untidy = Document::parse(untidy(text));
    black_box(trees(&untidy));
    vec![
        ("parse", best(|| (), |()| parsed().parts().len())),
        ("trees", best(parsed, |document| trees(&document))),
        ("validate", best(read, |document| structure(&document).len() + review(&document).len())),
        ("stats", best(read, |document| Stats::of(&document).notes)),
        ("fmt clean", best(read, |document| canonical(&document).splices().len())),
        ("fmt untidy", best(|| untidy.clone(), |document| canonical(&document).apply(&document.to_bytes()).len())),
        (
            "append",
            best(read, |document| {
                let last = document.parts().len() - 1;
                let after = document.edited(&append_note(&document, last, &note));
                after.parts()[last].tree().notes.len()
            }),
        ),
    ]
}

/// The shortest time that `work` took on what `prepare` made.
fn best<T, R>(prepare: impl Fn() -> T, work: impl Fn(T) -> R) -> Duration {
    let run = |_| {
        let input = prepare();
        let start = Instant::now();
        black_box(work(black_box(input)));
        start.elapsed()
    };
    (0..RUNS).map(run).min().unwrap_or_default()
}

/// A review of `len` bytes or a little more, in canonical form.
fn text(shape: Shape, len: usize) -> String {
    let mut text = String::from("---\nwhymark: 1\ntitle: Measure\nsummary: Generated lines.\n---\n");
    let mut line = 1;
    for file in 0.. {
        if text.len() >= len {
            break;
        }
        if file == 0 || matches!(shape, Shape::ManyFiles) {
            line = 1;
            let _ = write!(text, "\n@file src/module_{file}/part.rs modified +40 -20 newsha=0123456\n");
        } else {
            text.push('\n');
        }
        for _ in 0..4 {
            hunk(&mut text, line);
            line += 40;
        }
        note(&mut text, line - 160);
        note(&mut text, line - 40);
    }
    text
}

fn hunk(text: &mut String, line: usize) {
    let _ = writeln!(text, "@@ -{line},16 +{line},21 @@ fn name_{line}(argument: usize) -> usize {{");
    for at in 0..3 {
        let _ = writeln!(text, "     let before_{at} = argument + {line};");
    }
    for at in 0..5 {
        let _ = writeln!(text, "-    let removed_{at} = compute(before_0, \"text in quotes\", {at});");
    }
    for at in 0..10 {
        let _ = writeln!(text, "+    let added_{at} = compute(before_1, \"text in quotes\", {at}).unwrap_or(0);");
    }
    for at in 0..8 {
        let _ = writeln!(text, "     let after_{at} = argument - {line};");
    }
}

fn note(text: &mut String, line: usize) {
    let _ = write!(
        text,
        "\n@note +{}..{} kind=intent risk=low confidence=0.8\n\
         why: The values were computed twice, and `compute` is not cheap for long\n  inputs.\n\
         source: file:src/compute.rs:{line} — measured there\n\
         verify: cmd `cargo test --lib name_{line}` => pass (12 tests)\n\n\
         What was removed is not needed any more. See the `added` lines.\n",
        line + 3,
        line + 12,
    );
}

/// The same review as somebody types it: blanks at line ends, no blank lines in front of notes, CRLF.
fn untidy(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    let mut lines = text.split_inclusive(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let is_separator = line == b"\n" && lines.peek().is_some_and(|next| next.starts_with(b"@note"));
        if !is_separator {
            out.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
            out.extend_from_slice(if line.starts_with(b"@note") { b" \r\n" } else { b"\r\n" });
        }
    }
    out
}
