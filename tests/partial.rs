//! A selection of lines, made or taken back, is what `git apply --cached` makes of the minimal patch of it.

use bstr::ByteSlice as _;
use whymark::document::Document;
use whymark::document::partial::{Direction, Unfit, applied};

use crate::support::selection::{edited, patch, text};
use crate::support::{Dice, Sandbox};

#[test]
fn a_selection_is_what_git_apply_makes_of_it() {
    let sandbox = Sandbox::new();
    let (mut compared, mut refused) = (0, 0);
    for seed in 1..=150u64 {
        let mut dice = Dice(0x9E37_79B9_7F4A_7C15 ^ seed);
        let old = text(&mut dice);
        let new = edited(&mut dice, &old);
        if old == new {
            continue;
        }
        sandbox.write("old", &old);
        sandbox.write("new", &new);
        let context = format!("--unified={}", dice.roll(4));
        let diff = sandbox.command("git", &sandbox.repo());
        let mut diff = diff;
        diff.args(["diff", "--no-index", &context, "old", "new"]);
        let said = diff.output().expect("git is installed").stdout;
        let start = said.find("@@ ").expect("they differ");
        let document = Document::parse([b"@file f modified\n", &said[start..]].concat());
        let section = &document.parts()[1];
        for direction in [Direction::Forward, Direction::Reverse] {
            let all = dice.roll(3) == 0;
            let chosen: Vec<u32> = section.tree().changes().filter(|_| all || dice.roll(2) == 0).collect();
            let (base, other) = if direction == Direction::Forward { (&old, &new) } else { (&new, &old) };
            let made = applied(section, |line| chosen.contains(&line), direction, base);
            let story = format!("seed {seed} {direction:?} {chosen:?}\n{}", said[start..].as_bstr());
            if chosen.is_empty() {
                assert_eq!(made, Err(Unfit::Nothing), "{story}");
                continue;
            }
            if all {
                assert_eq!(made.as_ref().map(|text| text.as_bstr()), Ok(other.as_bstr()), "{story}");
            }
            let Ok(made) = made else {
                assert_eq!(made, Err(Unfit::Unended), "{story}");
                refused += 1;
                continue;
            };
            sandbox.write("f", base);
            sandbox.git(&["add", "f"]);
            sandbox.write("patch", {
                let made =
                    if direction == Direction::Forward { Vec::new() } else { section.tree().changes().collect() };
                patch(section, &made, &chosen)
            });
            sandbox.git(&["apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", "patch"]);
            let wanted = sandbox.git(&["show", ":f"]);
            assert_eq!(made.as_bstr(), wanted.as_bstr(), "{story}");
            compared += 1;
        }
    }
    assert!(compared > 200 && refused < compared / 5, "{compared} compared, {refused} refused");
}
