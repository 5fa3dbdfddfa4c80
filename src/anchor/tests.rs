//! Notes carried by hand-made diffs.

use super::*;

/// The document after `old` was carried to the diff of `new`, and what became of its notes.
fn carried(old: &str, new: &str) -> (String, Vec<String>) {
    let (old, new) = (Document::parse(old.to_owned()), Document::parse(new.to_owned()));
    let Carried { edit, notes } = carry(&old, &new).expect("nothing is in the way");
    let after = old.edited(&edit);
    assert_eq!(carry(&after, &new).expect("nothing is in the way").edit, Edit::default(), "once is enough");
    let fates = notes.iter().map(|note| match note.new_selector {
        Some(selector) => selector.to_string(),
        None => "orphan".to_owned(),
    });
    (String::from_utf8_lossy(&after.to_bytes()).into_owned(), fates.collect())
}

/// What a note about `selector` is about when the file `a` with the diff `old` has the diff `new`. Where the diffs begin
/// with a word, it is the rest of the `@file` line.
fn follow(selector: &str, old: &str, new: &str) -> String {
    let section = |diff: &str| match diff.strip_prefix("@@") {
        Some(_) => format!("@file a modified\n{diff}"),
        None => format!("@file a {diff}"),
    };
    let old = format!("{}\n@note {selector}\nwhy: x\n", section(old));
    carried(&old, &section(new)).1.join(" ")
}

const TWO: &str = "@@ -1,2 +1,8 @@\n a\n+fn one() {\n+    1\n+}\n+fn two() {\n+    2\n+}\n z\n";

#[test]
fn text_decides() {
    for (selector, old, new, want) in [
        // Nothing changed.
        ("+2..3", TWO, TWO, "+2..3"),
        ("-1", TWO, TWO, "-1"),
        ("+99", TWO, TWO, "+99"),
        // Lines came above, and numbers changed.
        ("+2..3", TWO, "@@ -1,2 +1,9 @@\n+new\n a\n+fn one() {\n+    1\n+}\n+fn two() {\n+    2\n+}\n z\n", "+3..4"),
        ("+4", TWO, "@@ -1,2 +1,9 @@\n+new\n a\n+fn one() {\n+    1\n+}\n+fn two() {\n+    2\n+}\n z\n", "+5"),
        // One of its lines changed.
        ("+2..3", TWO, "@@ -1,2 +1,8 @@\n a\n+fn one() {\n+    10\n+}\n+fn two() {\n+    2\n+}\n z\n", "orphan"),
        // Its function is gone, and the other one has a bracket like it: at the very place where it was.
        ("+4", TWO, "@@ -1,2 +1,5 @@\n a\n+fn two() {\n+    2\n+}\n z\n", "orphan"),
        ("+7", TWO, "@@ -1,2 +1,5 @@\n a\n+fn two() {\n+    2\n+}\n z\n", "+4"),
        // The functions changed places: each bracket goes with its own.
        ("+3..4", TWO, "@@ -1,2 +1,8 @@\n a\n+fn two() {\n+    2\n+}\n+fn one() {\n+    1\n+}\n z\n", "+6..7"),
        // A copy of it came: which of them it is cannot be said.
        ("+3", "@@ -1 +1,3 @@\n a\n+x\n+y\n", "@@ -1 +1,2 @@\n a\n+x\n", "orphan"),
        ("+2", "@@ -1 +1,2 @@\n a\n+x\n", "@@ -1 +1,3 @@\n a\n+x\n+x\n", "orphan"),
        ("+2", "@@ -1,2 +1,3 @@\n a\n+x\n b\n", "@@ -1,2 +1,5 @@\n a\n+x\n b\n+x\n+c\n", "+2"),
        // Repeated lines, of which others went.
        ("+3", "@@ -0,0 +1,4 @@\n+x\n+x\n+y\n+x\n", "@@ -0,0 +1,2 @@\n+y\n+x\n", "+1"),
        ("+2", "@@ -0,0 +1,4 @@\n+x\n+x\n+y\n+x\n", "@@ -0,0 +1,3 @@\n+x\n+y\n+x\n", "orphan"),
        // What was added is committed, and shown as context.
        ("+2", "@@ -1,2 +1,3 @@\n a\n+b\n c\n", "@@ -1,3 +1,4 @@\n a\n b\n+d\n c\n", "+2"),
        // The old side, of a base that went on.
        ("-2", "@@ -1,3 +1,2 @@\n a\n-b\n c\n", "@@ -4,3 +4,2 @@\n a\n-b\n c\n", "-5"),
        ("-2", "@@ -1,3 +1,2 @@\n a\n-b\n c\n", "@@ -1,2 +1,3 @@\n a\n+b\n c\n", "orphan"),
        // The whole hunk is gone.
        ("+2", "@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10,2 @@\n i\n+j\n", "@@ -9 +9,2 @@\n i\n+j\n", "orphan"),
        ("+11", "@@ -1 +1,2 @@\n a\n+b\n@@ -9 +10,2 @@\n i\n+j\n", "@@ -9 +9,2 @@\n i\n+j\n", "+10"),
        // All that a selector can be.
        ("file", TWO, "@@ -1 +1,2 @@\n a\n+b\n", "file"),
        ("L2..L3", TWO, TWO, "+2..3"),
        ("doc", TWO, "@@ -1 +1,2 @@\n a\n+b\n", "doc"),
        ("nonsense", TWO, "@@ -1 +1,2 @@\n a\n+b\n", "file"),
        // A selector that names no line has no text to go by.
        ("+99", TWO, "@@ -99 +99 @@\n-a\n+b\n", "orphan"),
        // A newline that is missing is no text; a CR is.
        ("+1", "@@ -0,0 +1 @@\n+x\n\\ No newline\n", "@@ -0,0 +1,2 @@\n+x\n+y\n", "+1"),
        ("+1", "@@ -0,0 +1 @@\n+x\n", "@@ -0,0 +1 @@\n+x\r\n", "orphan"),
    ] {
        assert_eq!(follow(selector, old, new), want, "{selector} of\n{old}in\n{new}");
    }
}

#[test]
fn ids_tell_what_texts_cannot() {
    const HEAD: &str = "modified oldsha=aaaa111 newsha=bbbb222\n";
    const BLOCKS: &str = "@@ -1 +1,11 @@\n h\n+a\n+q\n+}\n+k\n+b\n+c\n+q\n+}\n+k\n+d\n";
    let (same_file, same_base) =
        ("modified oldsha=cccc333 newsha=bbbb222\n", "modified oldsha=aaaa111 newsha=cccc333\n");
    for (selector, old, new, head, want) in [
        // The same file against another base: lines go by number, as far as they are shown.
        ("+5", "@@ -4,0 +5,2 @@\n+}\n+}\n", "@@ -8,0 +5 @@\n+}\n@@ -9,0 +7 @@\n+}\n", same_file, "+5"),
        ("+6", "@@ -4,0 +5,2 @@\n+}\n+}\n", "@@ -8,0 +5 @@\n+}\n@@ -9,0 +7 @@\n+}\n", same_file, "orphan"),
        // The same base: line 9 of it is no other line, however alike.
        ("+2", "@@ -1,3 +1,4 @@\n a\n b\n+n\n c\n", "@@ -8,3 +8,4 @@\n a\n b\n+n\n c\n", same_base, "orphan"),
        ("+2", "@@ -1,3 +1,4 @@\n a\n }\n+n\n c\n", "@@ -1,3 +1,5 @@\n+}\n a\n }\n+}\n c\n", same_base, "+3"),
        // Of two blocks with the same middle the first went: what is left is the other one's.
        ("+4", BLOCKS, "@@ -1 +1,6 @@\n h\n+c\n+q\n+}\n+k\n+d\n", same_base, "orphan"),
        ("+9", BLOCKS, "@@ -1 +1,6 @@\n h\n+c\n+q\n+}\n+k\n+d\n", same_base, "+4"),
        // Hidden lines are known by their base, if that is the same.
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -0,0 +1 @@\n+top\n@@ -2 +3,2 @@\n b\n+n\n", same_base, "+2..10"),
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -2 +2,2 @@\n b\n+n\n@@ -7 +8 @@\n-x\n+y\n", same_base, "orphan"),
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -2 +2,2 @@\n b\n+n\n@@ -7 +7,0 @@\n-x\n", same_base, "orphan"),
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -2 +2,2 @@\n b\n+n\n", "modified newsha=cccc333\n", "+1..9"),
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -2 +2,2 @@\n b\n+n\n", same_file, "+1..9"),
        ("+1..9", "@@ -2 +2,2 @@\n b\n+n\n", "@@ -0,0 +1 @@\n+top\n@@ -2 +3,2 @@\n b\n+n\n", "modified\n", "orphan"),
        // An id that contradicts the lines counts for nothing.
        ("+2", "@@ -1 +1,2 @@\n a\n+b\n", "@@ -1 +1,3 @@\n+c\n a\n+b\n", same_file, "+3"),
    ] {
        let got = follow(selector, &format!("{HEAD}{old}"), &format!("{head}{new}"));
        assert_eq!(got, want, "{selector} of\n{old}in {head}{new}");
    }
}

#[test]
fn orphans_come_back() {
    const OLD: &str = "@file a modified\n@@ -1,3 +1,4 @@\n a\n }\n+n\n c\n\n@note 2 id=x\nwhy: w\n";
    const ORPHAN: &str =
        "orphaned: 2\norphaned-above: \"a\"\norphaned-line: \"}\"\norphaned-below: \"n\"\norphaned-below: \"c\"\n";
    const GONE: &str = "@file a modified\n@@ -9 +9 @@\n-y\n+z\n";
    let (orphaned, _) = carried(OLD, GONE);
    assert_eq!(orphaned, format!("{GONE}\n@note file id=x\n{ORPHAN}why: w\n"));
    // Back where it was, as it was written.
    let there = OLD.split("\n@note").next().expect("it has a note");
    assert_eq!(carried(&orphaned, there), (OLD.to_owned(), vec!["+2".to_owned()]));
    for (now, want) in [
        ("@@ -5,3 +5,4 @@\n a\n }\n+n\n c\n", "+6"),
        // Something like it, and two of the same.
        ("@@ -1,3 +1,4 @@\n b\n }\n+n\n c\n", "orphan"),
        ("@@ -1,3 +1,4 @@\n a\n }\n+n\n c\n@@ -11,3 +12,4 @@\n a\n }\n+n\n c\n", "orphan"),
    ] {
        assert_eq!(carried(&orphaned, &format!("@file a modified\n{now}")).1, [want], "{now}");
    }
    // What was there all the time is another one.
    let shown = orphaned.replace("@@ -9 +9 @@\n-y\n+z\n", "@@ -5,3 +5,4 @@\n a\n }\n+n\n c\n");
    assert_eq!(carried(&shown, "@file a modified\n@@ -6,3 +6,4 @@\n a\n }\n+n\n c\n").1, ["orphan"]);
    // A file that comes back brings the notes about it.
    let (gone, _) = carried("@file a modified\n@@ -1 +1 @@\n-x\n+y\n\n@note file\nwhy: w\n", "");
    assert_eq!(gone, "@file a context\n\n@note file\norphaned: file\nwhy: w\n");
    assert_eq!(carried(&gone, GONE).0, format!("{GONE}\n@note file\nwhy: w\n"));
}

#[test]
fn files_come_and_go() {
    const NOTE: &str = "@note +1\nwhy: w\n";
    let a = "@file a modified\n@@ -1 +1 @@\n-x\n+y\n";
    let c = "@file c modified\n@@ -1 +1 @@\n-x\n+z\n";
    for (old, new, want) in [
        // In git's order, which is not that of the document.
        (
            format!("{c}\n{NOTE}\n{a}"),
            format!("{a}\n@file b added\n@@ -0,0 +1 @@\n+b\n\n{c}"),
            format!("{c}\n{NOTE}\n{a}\n@file b added\n@@ -0,0 +1 @@\n+b\n"),
        ),
        // A file that nobody wrote about just goes.
        (format!("{a}\n{c}\n{NOTE}"), c.to_owned(), format!("{c}\n{NOTE}")),
        (
            format!("---\ntitle: x\n---\n{a}"),
            "@file b binary\n".to_owned(),
            "---\ntitle: x\n---\n\n@file b binary\n".to_owned(),
        ),
        // Of one that somebody wrote about, that stays.
        (format!("{a}# here\n\n{c}\n{NOTE}"), c.to_owned(), format!("@file a context\n# here\n\n{c}\n{NOTE}")),
        (format!("{a}@check type => pass\n{c}"), c.to_owned(), format!("@file a context\n@check type => pass\n{c}")),
        (format!("@file a modified lang=x\n\n{c}"), c.to_owned(), format!("@file a context lang=x\n\n{c}")),
        // Renames are followed, there and back.
        (
            format!("{a}\n{NOTE}"),
            a.replace("a modified", "b renamed from=a"),
            format!("{}\n{NOTE}", a.replace("a modified", "b renamed from=a")),
        ),
        (
            format!("{}\n{NOTE}", a.replace("a modified", "b renamed from=a")),
            a.replace("a modified", "c renamed from=a"),
            format!("{}\n{NOTE}", a.replace("a modified", "c renamed from=a")),
        ),
        (format!("{}\n{NOTE}", a.replace("a modified", "b renamed from=a")), a.to_owned(), format!("{a}\n{NOTE}")),
        // The last line of the document was not ended.
        ("@file a modified\n@@ -1 +1 @@\n-x\n+y".to_owned(), format!("{a}\n{c}"), format!("{a}\n{c}")),
        // Hunks without a file are nobody's business.
        ("@@ -1 +1 @@\n-x\n+y\n@note +1\n".to_owned(), a.to_owned(), format!("@@ -1 +1 @@\n-x\n+y\n@note +1\n\n{a}")),
        (String::new(), a.to_owned(), a.to_owned()),
    ] {
        assert_eq!(carried(&old, &new).0, want, "{old}to\n{new}");
    }
    // Lines that went to another file have left this one.
    let moved =
        carried(&format!("{a}\n{NOTE}"), "@file a modified\n@@ -1 +0,0 @@\n-x\n\n@file b added\n@@ -0,0 +1 @@\n+y\n");
    assert_eq!(moved.1, ["orphan"]);
}

#[test]
fn what_stands_between_hunks_stays_what_it_is() {
    const ONE: &str = "@@ -1 +1,2 @@\n a\n+b\n";
    const TWO: &str = "@@ -9 +10,2 @@\n i\n+j\n";
    for (old, new, want) in [
        // Each note stays behind its hunk.
        (
            format!("{ONE}\n@note +2\n\n{TWO}\n@note +11\n"),
            format!("@@ -1 +1,3 @@\n a\n+b\n+c\n{}", TWO.replace("+10", "+11")),
            format!("@@ -1 +1,3 @@\n a\n+b\n+c\n\n@note +2\n\n{}\n@note +12\n", TWO.replace("+10", "+11")),
        ),
        (
            format!("{ONE}\n@note +2\n\n{TWO}\n@note +11\n"),
            format!("{ONE}@@ -5 +6 @@\n-e\n+f\n{TWO}"),
            format!("{ONE}\n@note +2\n\n@@ -5 +6 @@\n-e\n+f\n{TWO}\n@note +11\n"),
        ),
        (format!("{ONE}\n@note +2\n"), format!("{ONE}{TWO}"), format!("{ONE}{TWO}\n@note +2\n")),
        // Comments and strays never become part of a note.
        (
            format!("{ONE}@note +2\nwhy: w\n{TWO}# c\nstray\n@note file\n"),
            ONE.to_owned(),
            format!("{ONE}# c\nstray\n@note +2\nwhy: w\n@note file\n"),
        ),
        (format!("{TWO}# c\n@note file\n"), String::new(), "# c\n@note file\n".to_owned()),
        // What was written into a hunk comes out behind it.
        ("@@ -1 +1 @@\n-a\n+b\n# c\nstray\n+more\n".to_owned(), ONE.to_owned(), format!("{ONE}# c\nstray\n")),
        (
            "@@ -1 +1 @@\n-a\n+b\n# c\n+more\n".to_owned(),
            "@@ -1 +1 @@\n-a\n+b\n+more\n".to_owned(),
            "@@ -1 +1 @@\n-a\n+b\n# c\n+more\n".to_owned(),
        ),
        (
            "@@ -1,3 +1,3 @@\n-a\n+b\nlost prefix\na remark\n".to_owned(),
            "@@ -1,2 +1,3 @@\n-a\n+c\n lost prefix\n+d\n".to_owned(),
            "@@ -1,2 +1,3 @@\n-a\n+c\n lost prefix\n+d\na remark\n".to_owned(),
        ),
        // A stray line that looks like a diff is none.
        (" stray\n+stray\n\n@note file\n".to_owned(), ONE.to_owned(), format!(" stray\n+stray\n{ONE}\n@note file\n")),
        // A blank line that the hunk took for its own still separates.
        ("@@ -1,3 +1,3 @@\n-a\n+b\n\n\n@note file\n".to_owned(), ONE.to_owned(), format!("{ONE}\n@note file\n")),
    ] {
        let section = |diff: &str| format!("@file a modified\n{diff}");
        let (old, new, want) = (section(&old), section(&new), section(&want));
        let (new, want) =
            if new == section("") { (String::new(), want.replace("modified", "context")) } else { (new, want) };
        let got = carried(&old, &new).0.replace("orphaned: file\n", "");
        assert_eq!(got, want, "{old}to\n{new}");
    }
}

#[test]
fn line_ends_of_the_document_stay() {
    let old =
        "---\r\nbase: HEAD@1111111\r\n---\r\n@file a modified\r\n@@ -1 +1 @@\r\n-x\r\n+y\r\n\r\n@note +1\r\nwhy: w\r\n";
    let new = "---\nbase: HEAD@2222222\n---\n@file a modified\n@@ -1 +1,2 @@\n-x\n+z\r\n+y\n\n@file b added\n@@ -0,0 +1 @@\n+b\n";
    let want = "---\r\nbase: HEAD@2222222\r\n---\r\n@file a modified\r\n@@ -1 +1,2 @@\r\n-x\r\n+z\r\r\n+y\r\n\r\n@note +2\r\nwhy: w\r\n\
                \r\n@file b added\r\n@@ -0,0 +1 @@\r\n+b\r\n";
    assert_eq!(carried(old, new).0, want);
}

#[test]
fn a_text_that_would_be_read_differently_is_refused() {
    let refused = |old: &str, new: &str| {
        let carried = carry(&Document::parse(old.to_owned()), &Document::parse(new.to_owned()));
        carried.expect_err("it is refused")
    };
    let flow = refused("---\n{whymark: 1}\n---\n", "---\nbase: a\n---\n");
    assert_eq!(flow, EditError::Entangled("base".to_owned()));
    let quote = refused("@file a x=\"\n", "@file a from=\"b c\"\n");
    assert_eq!(quote, EditError::Entangled("@file".to_owned()));
    let ends = refused("@file b\n@file a x\r\n", "@file a modified\n");
    assert_eq!(ends, EditError::Entangled("@file".to_owned()), "the line goes that says how lines end");
}
