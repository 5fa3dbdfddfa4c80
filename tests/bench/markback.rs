//! Markback files of many shapes: records on a line, records with content, one section, one line, one chain of replies.

use std::time::Duration;

use bytes::Bytes;
use whymark::markback::{Checks, Markback, Style, canonical, lint};

use super::best;

/// Files of `len` bytes or a little more.
pub(super) fn shapes(len: usize) -> Vec<(&'static str, Bytes)> {
    let compact =
        |at: usize| format!("@file ./src/part_{}.rs:{} <<< approved; scene=city; time={at}\n", at % 500, at + 1);
    let full = |at: usize| {
        format!(
            "@id r{at}\n@by ann@example.org\n@action created 2026-01-02T03:04:05Z ann\n@tag style names\n\
             @file ./src/part_{}.rs:{}\n\n    let value = compute({at});\n<<< style; the name says nothing\n---\n",
            at % 500,
            at + 1
        )
    };
    let section = |at: usize| format!("\nparagraph {at} of a text\nthat goes on\n<<< weak ending\n");
    let reply = |at: usize| format!("@id r{}\n@reply-to r{at}\n<<< yes\n---\n", at + 1);
    let repeated = |head: &str, record: &dyn Fn(usize) -> String| {
        let mut text = head.to_owned();
        (0..)
            .take_while(|at| {
                text.push_str(&record(*at));
                text.len() < len
            })
            .for_each(drop);
        Bytes::from(text)
    };
    vec![
        ("mb compact", repeated("", &compact)),
        ("mb full", repeated("%markback 2\n\n", &full)),
        ("mb one section", repeated("@file ./essay.txt\n@by dan\n", &section)),
        ("mb replies", repeated("", &reply)),
        ("mb one line", Bytes::from(format!("@file{}<<<x", " ".repeat(len)))),
    ]
}

/// The steps with their times.
pub(super) fn steps(text: &Bytes) -> Vec<(&'static str, Duration)> {
    let parsed = || Markback::parse(text.clone());
    let all = |file: &Markback| lint(file, Checks { canonical: true, is_there: None }).len();
    vec![
        ("parse", best(|| (), |()| parsed().entries().len())),
        ("lint", best(parsed, |file| all(&file))),
        ("stats", best(parsed, |file| file.records().map(|record| record.tags.len()).sum::<usize>())),
        ("normalize", best(parsed, |file| canonical(&file, Style::Normalized).map(|text| text.len()))),
    ]
}
