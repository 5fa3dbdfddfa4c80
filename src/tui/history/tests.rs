use super::*;
use crate::document::edit::{NewNote, append_note, delete_note};
use crate::document::{NoteRef, Selector};

const TEXT: &str = "---\nwhymark: 1\n---\n@file a\n@@ -1 +1 @@\n-a\n+b\n\n@note +1\nwhy: x\n\n@note file\nwhy: y\n\n@file b\n@@ -1 +1 @@\n-c\n+d\n";

/// What is left of `current` when a change that left the text with `edit` in it is taken back.
fn taken_back(text: &str, edit: &Edit, current: &str) -> Option<String> {
    let after = Document::parse(text.to_owned()).edited(edit);
    let reversal = Reversal::of_review(text.as_bytes(), edit, after);
    let edit = reversal.in_review(&Document::parse(current.to_owned()))?;
    Some(String::from_utf8(edit.apply(current.as_bytes())).expect("the example is UTF-8"))
}

#[test]
fn a_note_goes_and_what_others_wrote_stays() {
    let document = Document::parse(TEXT);
    let note = NewNote { why: "mine".to_owned(), ..NewNote::new(Selector::FILE) };
    let edit = append_note(&document, 1, &note);
    let left = String::from_utf8(edit.apply(TEXT.as_bytes())).unwrap();
    assert_eq!(taken_back(TEXT, &edit, &left).as_deref(), Some(TEXT));
    for (old, new) in [
        ("why: mine\n", "why: mine\n\n@note file\nwhy: theirs\n"),
        ("why: y\n", "why: y\n\n@note file\nwhy: theirs\n"),
        ("@file a", "@file 0\n@note file\nwhy: mine\n\n@file a"),
        ("why: x", "why: z"),
        ("@note +1\nwhy: x\n\n", ""),
        ("+d", "+e"),
    ] {
        let current = left.replacen(old, new, 1);
        let want = TEXT.replacen(old, new, 1);
        let want = if old.contains("mine") {
            TEXT.replacen("why: y\n", "why: y\n\n@note file\nwhy: theirs\n", 1)
        } else {
            want
        };
        assert_eq!(taken_back(TEXT, &edit, &current), Some(want), "{new:?}");
    }
    for (old, new) in [
        ("why: mine", "why: mine too"),
        ("why: mine\n", "why: mine\n  and more\n"),
        ("@note file\nwhy: mine\n", ""),
        ("@file a", "@file moved"),
    ] {
        assert_eq!(taken_back(TEXT, &edit, &left.replacen(old, new, 1)), None, "{new:?}");
    }
}

#[test]
fn a_note_comes_back_where_it_was() {
    let document = Document::parse(TEXT);
    let edit = delete_note(&document, NoteRef { part: 1, note: 0 }).unwrap();
    let left = String::from_utf8(edit.apply(TEXT.as_bytes())).unwrap();
    assert_eq!(taken_back(TEXT, &edit, &left).as_deref(), Some(TEXT));
    let end = "why: y\n";
    let current = left.replace(end, &format!("{end}\n@note file\nwhy: z\n"));
    assert_eq!(taken_back(TEXT, &edit, &current), Some(TEXT.replace(end, &format!("{end}\n@note file\nwhy: z\n"))));
    let other = "---\nwhymark: 1\n---\n@file a\n@@ -1 +1 @@\n-a\n+B\n@note doc\nwhy: z\n";
    let want = format!("{other}\n@note +1\nwhy: x\n");
    assert_eq!(taken_back(TEXT, &edit, other), Some(want), "nothing around it is as it was");
    assert_eq!(taken_back(TEXT, &edit, "@file b\n"), None);
}

#[test]
fn records_come_and_go() {
    let text = "@id a\n@file f <<< x\n";
    let added = "---\n@id b\n<<< y\n";
    let edit = Edit::insert(text.len(), added);
    let left = text.to_owned() + added;
    let place = Place::new("x.mb".into(), ".".into(), None);
    let reversal = Reversal::of_records(place, text.as_bytes(), &edit, left.clone().into());
    let back = |current: &str| {
        let edit = reversal.in_records(&current.to_owned().into())?;
        Some(String::from_utf8(edit.apply(current.as_bytes())).unwrap())
    };
    assert_eq!(back(&left).as_deref(), Some(text));
    let theirs = "---\n@id c\n<<< z\n";
    assert_eq!(back(&(left.clone() + theirs)), Some(text.to_owned() + theirs));
    assert_eq!(back(&left.replace("<<< y", "<<< Y")), None);
    assert_eq!(back(&left.replace("@id a\n", "@id a\n@tag t\n")), Some(text.replace("@id a\n", "@id a\n@tag t\n")));
}

#[test]
fn a_step_counts_what_it_alone_holds() {
    let document = Document::parse(TEXT);
    let edit = delete_note(&document, NoteRef { part: 1, note: 0 }).unwrap();
    let after = document.edited(&edit);
    let own = after.parts()[1].text().len() + edit.splices()[0].range.len();
    let back = Back::Text(Reversal::of_review(TEXT.as_bytes(), &edit, after));
    assert!((own..TEXT.len()).contains(&back.size()), "{} and not {own}", back.size());
    let place = Place::new("x.mb".into(), ".".into(), None);
    let records = Reversal::of_records(place, b"", &Edit::insert(0, "<<< x\n"), "<<< x\n".into());
    assert_eq!(Back::Text(records).size(), 6);
}

#[test]
fn the_history_goes_back_and_forth() {
    let step = |label: &str| Step {
        label: label.to_owned(),
        back: Back::Text(Reversal::of_review(b"", &Edit::default(), Document::parse(""))),
    };
    let mut history = History::default();
    history.push(step("a"));
    history.push(step("b"));
    let b = history.take(Way::Back).unwrap();
    assert_eq!(b.label, "b");
    history.put(Way::Again, b);
    let b = history.take(Way::Again).unwrap();
    history.put(Way::Back, b);
    let b = history.take(Way::Back).unwrap();
    history.put(Way::Again, b);
    history.push(step("c"));
    assert!(history.take(Way::Again).is_none());
    assert_eq!(history.take(Way::Back).map(|step| step.label).as_deref(), Some("c"));
    assert_eq!(history.take(Way::Back).map(|step| step.label).as_deref(), Some("a"));
    assert!(history.take(Way::Back).is_none());
}
