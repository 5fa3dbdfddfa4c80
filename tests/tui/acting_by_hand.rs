//! Lines staged, unstaged and discarded in random small repositories: index and disk are what `git apply` makes of the
//! patch that somebody would write by hand, and undoing leaves no trace.

use whymark::git::Scope;
use whymark::tui::model::Tone;

use super::acting_whole::{disk, go_to, index, open};
use crate::support::selection::{edited, patch, text};
use crate::support::{Dice, Sandbox, Screen};

/// The attributes of the file, and the line ends that it has on disk.
const KINDS: [(&str, &str); 4] =
    [("", "\n"), ("f eol=crlf\n", "\r\n"), ("f text=auto eol=lf\n", "\n"), ("f ident\n", "\n")];

/// `text` as it is on disk.
fn on_disk(text: &[u8], end: &str) -> Vec<u8> {
    if end == "\r\n" { bstr::ByteSlice::replace(text, "\n", "\r\n") } else { text.to_vec() }
}

/// Select some lines of the file `f`: one, a few, a hunk, all.
pub(super) fn select(screen: &mut Screen, dice: &mut Dice) {
    go_to(screen, "f");
    let down = format!("{}j", 1 + dice.roll(14));
    match dice.roll(5) {
        0 => {}
        1 => screen.press("]"),
        2 => screen.press(&down),
        _ => screen.press(&format!("{down} v {}j", 1 + dice.roll(6))),
    }
}

/// What was chosen, once it is asked about, as the patch that does it.
fn by_hand(screen: &Screen) -> Option<Vec<u8>> {
    let act = &screen.model.acting.as_ref()?.act;
    let chosen = |is: &dyn Fn(u32) -> bool| act.section.tree().changes().filter(|line| is(*line)).collect::<Vec<_>>();
    Some(patch(&act.section, &chosen(&|line| act.is_made(line)), &chosen(&|line| act.turns(line))))
}

/// What refused it.
pub(super) fn complaint(screen: &Screen) -> Option<String> {
    screen.model.message.clone().filter(|(tone, _)| *tone == Tone::Problem).map(|(_, text)| text)
}

#[test]
fn lines_are_what_git_apply_makes_of_them() {
    let (mut compared, mut refused) = ([0; 3], 0);
    for seed in 1..=90u64 {
        let mut dice = Dice(0x2545_F491_4F6C_DD1D ^ seed);
        let (attributes, end) = *dice.pick(&KINDS);
        let clean = |text: Vec<u8>| bstr::ByteSlice::replace(&text[..], "\r", "");
        let old = clean(text(&mut dice));
        let new = clean(edited(&mut dice, &old));
        if old == new || old.is_empty() || new.is_empty() {
            continue;
        }
        let sandbox = Sandbox::new();
        sandbox.write(".gitattributes", attributes);
        sandbox.write("f", on_disk(&old, end));
        sandbox.commit("First");
        sandbox.write("f", on_disk(&new, end));
        let kind = dice.roll(3);
        let (scope, key) = [(Scope::Unstaged, "s"), (Scope::Staged, "gs"), (Scope::Unstaged, "gd")][kind].clone();
        if scope == Scope::Staged {
            sandbox.git(&["add", "f"]);
        }
        let before = (index(&sandbox), disk(&sandbox));
        let mut screen = open(sandbox, scope, false);
        select(&mut screen, &mut dice);
        screen.press(key);
        let Some(patch) = by_hand(&screen) else { continue };
        screen.press("y");
        let story = format!("seed {seed} {key} {attributes:?}\n{}", bstr::BStr::new(&patch));
        if let Some(reason) = complaint(&screen) {
            assert!(reason.contains("has no line end"), "{reason}: {story}");
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{story}");
            refused += 1;
            continue;
        }
        let made = (index(&screen.sandbox), disk(&screen.sandbox));
        screen.press("z");
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{story}");
        screen.sandbox.write(".git/patch", &patch);
        let apply = ["apply", "--unidiff-zero", "--whitespace=nowarn", ".git/patch"];
        let cached = ["apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", ".git/patch"];
        screen.sandbox.git(if key == "gd" { &apply } else { &cached });
        assert_eq!(made, (index(&screen.sandbox), disk(&screen.sandbox)), "{story}");
        compared[kind] += 1;
    }
    assert!(compared.iter().all(|count| *count > 6) && refused < 10, "{compared:?} compared, {refused} refused");
}

/// The review of a working tree in which a file was `old` and is `new`.
pub(crate) fn of_working_tree(old: impl AsRef<[u8]>, new: impl AsRef<[u8]>) -> Screen {
    let sandbox = Sandbox::new();
    sandbox.write("f", old);
    sandbox.commit("First");
    sandbox.write("f", new);
    open(sandbox, Scope::Worktree, false)
}

#[test]
fn a_review_of_the_working_tree_stages_and_unstages_what_is_left() {
    let (mut compared, mut refused) = ([0; 2], 0);
    for seed in 1..=25u64 {
        let mut dice = Dice(0x9E6C_63D0_876A_3F35 ^ seed);
        let old = text(&mut dice);
        let new = edited(&mut dice, &old);
        if old == new {
            continue;
        }
        let mut screen = of_working_tree(&old, &new);
        for _ in 0..6 {
            let kind = dice.roll(2);
            let before = (index(&screen.sandbox), disk(&screen.sandbox));
            select(&mut screen, &mut dice);
            screen.press(["s", "gs"][kind]);
            let Some(patch) = by_hand(&screen) else {
                screen.press("esc");
                continue;
            };
            let shown = screen.model.parts[1].staged.clone();
            screen.press("y");
            let story = format!("seed {seed} {kind} {shown:?}\n{}", bstr::BStr::new(&patch));
            if let Some(reason) = complaint(&screen) {
                assert!(reason.contains("has no line end"), "{reason}: {story}");
                assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{story}");
                refused += 1;
                continue;
            }
            let made = index(&screen.sandbox);
            screen.press("z");
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{story}");
            screen.sandbox.write(".git/patch", &patch);
            screen.sandbox.git(&["apply", "--cached", "--unidiff-zero", "--whitespace=nowarn", ".git/patch"]);
            assert_eq!(made, index(&screen.sandbox), "{story}");
            screen.changed(false, true);
            compared[kind] += 1;
        }
    }
    assert!(compared.iter().all(|count| *count > 20) && refused < 15, "{compared:?} compared, {refused} refused");
}
