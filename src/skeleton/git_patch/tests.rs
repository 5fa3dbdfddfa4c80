use bstr::ByteSlice as _;
use proptest::prelude::*;

use super::*;
use crate::skeleton::{Stubs, section};

/// The sections of the files of `patch`, or what is wrong with it.
fn of(patch: &[u8]) -> Result<String, String> {
    let read = read(patch).map_err(|fault| fault.to_string())?;
    let sections = read.files.iter().map(|file| section(file, Stubs::None));
    Ok(sections.map(|section| section.to_str_lossy().into_owned()).collect())
}

fn check(patch: &str, want: &str) {
    assert_eq!(of(patch.as_bytes()).as_deref(), Ok(want), "{patch}");
}

const EDIT: &str = "@@ -1,2 +1,2 @@ f()\n a\n-b\n+c\n";

/// Headers and hunks as git writes them, and the `@file` line that they become.
const HEADERS_OF_GIT: &[(&str, &str, &str)] = &[
    (
        "diff --git a/x b/x\nindex 111..222 100755\n--- a/x\n+++ b/x\n",
        EDIT,
        "x modified +1 -1 oldsha=111 newsha=222 oldmode=100755 newmode=100755",
    ),
    (
        "diff --git x y x y\nindex 111..222 100644\n--- x y\t\n+++ x y\t\n",
        EDIT,
        "\"x y\" modified +1 -1 oldsha=111 newsha=222",
    ),
    (
        "diff --git \"i/\\303\\244\" \"w/\\303\\244\"\n--- \"i/\\303\\244\"\n+++ \"w/\\303\\244\"\n",
        EDIT,
        "ä modified +1 -1",
    ),
    (
        "diff --git a/x b/x\nnew file mode 100644\nindex 0000..222\n--- /dev/null\n+++ b/x\n",
        "@@ -0,0 +1 @@\n+a\n",
        "x added +1 -0 newsha=222",
    ),
    (
        "diff --git a/x b/x\ndeleted file mode 120000\nindex 111..000\n--- a/x\n+++ /dev/null\n",
        "@@ -1 +0,0 @@\n-a\n",
        "x deleted +0 -1 oldsha=111 oldmode=120000",
    ),
    ("diff --git a/e b/e\nnew file mode 100644\nindex 0000000..e69de29\n", "", "e added +0 -0 newsha=e69de29"),
    ("diff --git a/x b/x\nold mode 100644\nnew mode 100755\n", "", "x modified +0 -0 newmode=100755"),
    (
        "diff --git a/o b b/n b\nsimilarity index 100%\nrename from o b\nrename to n b\n",
        "",
        "\"n b\" renamed +0 -0 from=\"o b\"",
    ),
    (
        "diff --git a/o b/n\nsimilarity index 90%\nrename from o\nrename to n\nindex 1..2 100644\n--- a/o\n+++ b/n\n",
        EDIT,
        "n renamed +1 -1 from=o oldsha=1 newsha=2",
    ),
    (
        "diff --git a/old.txt b/new.txt\nindex 1..2 100644\n--- a/old.txt\n+++ b/new.txt\n",
        EDIT,
        "new.txt renamed +1 -1 from=old.txt oldsha=1 newsha=2",
    ),
    (
        "diff --git a/p b/p\nindex 1..2 100644\nBinary files a/p and b/p differ\n",
        "",
        "p modified oldsha=1 newsha=2 binary",
    ),
    (
        "diff --git a/p b/p\nnew file mode 100644\nindex 0..2\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\nliteral 0\nHcmV?d00001\n\n",
        "",
        "p added newsha=2 binary",
    ),
    (
        "diff --git a/s b/s\nindex 1..2 160000\n--- a/s\n+++ b/s\n",
        "@@ -1 +1 @@\n-Subproject commit 1\n+Subproject commit 2\n",
        "s modified +1 -1 oldsha=1 newsha=2 oldmode=160000 newmode=160000",
    ),
];

#[test]
fn headers_of_git() {
    for (header, hunks, want) in HEADERS_OF_GIT {
        check(&format!("{header}{hunks}"), &format!("@file {want}\n{hunks}"));
        let carried = format!("{header}{hunks}").replace('\n', "\r\n");
        assert!(of(carried.as_bytes()).is_ok_and(|text| text.starts_with(&format!("@file {want}\n"))), "{carried}");
    }
}

#[test]
fn names_of_plain_diffs() {
    const CAME: &str = "@@ -0,0 +1 @@\n+a\n";
    for (header, hunks, want) in [
        ("--- a/x\t2026-01-02 03:04:05 +0000\n+++ b/x\t2026-01-02 03:04:06 +0000\n", EDIT, "x modified +1 -1"),
        ("diff -ru one/x two/x\n--- one/x\t2026-01-02\n+++ two/x\t2026-01-02\n", EDIT, "x modified +1 -1"),
        ("Index: x\n=====\n--- x\t(revision 1)\n+++ x\t(working copy)\n", EDIT, "x modified +1 -1"),
        ("--- x.orig\n+++ x\n", EDIT, "x modified +1 -1"),
        ("--- old.txt\n+++ new.txt\n", EDIT, "new.txt modified +1 -1"),
        ("--- a/x\t1970-01-01 01:00:00.000000000 +0100\n+++ b/x\t2026-01-02 03:04:06 +0000\n", CAME, "x added +1 -0"),
        ("--- a/x\t2026-01-02 03:04:06 +0000\n+++ b/x\t2026-01-02 03:04:06 +0000\n", CAME, "x modified +1 -0"),
        ("--- /dev/null\n+++ b/x\n", CAME, "x added +1 -0"),
        ("--- a/x\n+++ /dev/null\n", "@@ -1 +0,0 @@\n-a\n", "x deleted +0 -1"),
        ("--- /tmp/a/x\n+++ /tmp/b/x\n", EDIT, "x modified +1 -1"),
        ("Binary files one/p and two/p differ\n", "", "p modified binary"),
    ] {
        check(&format!("{header}{hunks}"), &format!("@file {want}\n{hunks}"));
    }
}

#[test]
fn content_is_kept_and_never_markup() {
    let hunk = "@@ -1,5 +1,6 @@\n--- a\n-+++ b\n+diff --git a/x b/x\n+@@ -1 +1 @@\n a\rb\r\n-c\0\n+\u{2028}\x0c\n \\ x\n+-- \n";
    check(&format!("--- x\n+++ x\n{hunk}"), &format!("@file x modified +4 -3\n{hunk}"));
    let raw = [b"--- x\n+++ x\n@@ -1 +1 @@\n-\xff\xfe\n+".as_slice(), b"\x80\n"].concat();
    assert!(read(&raw).unwrap().files[0].text.ends_with(b"-\xff\xfe\n+\x80\n"));
    for (hunk, want) in [
        ("@@ -1,3 +1,2 @@\n\n-b\n\r\n", "@@ -1,3 +1,2 @@\n \n-b\n \r\n"),
        (
            "@@ -1 +1 @@\n-a\n\\ Kein Zeilenende\n+b\n\\ Kein Zeilenende",
            "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n",
        ),
        ("@@ -1 +1 @@ h  \n-a\n+b", "@@ -1 +1 @@ h\n-a\n+b\n"),
        ("@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n", "@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"),
    ] {
        let got = read(format!("--- x\n+++ x\n{hunk}").as_bytes()).unwrap();
        assert_eq!(got.files[0].text.to_str_lossy(), want);
    }
}

#[test]
fn what_stands_around_names_the_commit() {
    let mail = format!(
        "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\nFrom: Ada <a@b>\nSubject: [PATCH 1/2] Say a\n thing\n\nBody\n---\n x | 2 +-\n\n\
         diff --git a/x b/x\n--- a/x\n+++ b/x\n{EDIT}-- \n2.47.3\n\n"
    );
    let patch = read(mail.as_bytes()).unwrap();
    assert_eq!(patch.subject.as_deref(), Some("Say a thing"));
    assert_eq!(patch.commit.as_deref(), Some("0123456789abcdef0123456789abcdef01234567"));
    assert_eq!(patch.files.len(), 1);
    let show = format!("commit 0123456789\nAuthor: Ada\n\n    Subject\n\n    Body\n\n--- a/x\n+++ b/x\n{EDIT}");
    assert_eq!(read(show.as_bytes()).unwrap().subject.as_deref(), Some("Subject"));
    let two = format!("{mail}{}", mail.replace("x b/x", "y b/y").replace("/x\n", "/y\n"));
    assert_eq!(read(two.as_bytes()).unwrap().subject, None, "which one?");
    let encoded = mail.replace("Say a", "=?UTF-8?q?=C3=A4?=");
    assert_eq!(read(encoded.as_bytes()).unwrap().subject, None);
}

#[test]
fn what_is_no_patch_is_named_with_its_line() {
    for (patch, want) in [
        ("hello\n", "there is no diff in it"),
        (
            "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n",
            "line 1: a combined diff (of a merge) has more than two sides",
        ),
        ("\n--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n", "line 4: a combined diff (of a merge) has more than two sides"),
        ("*** a\t2026\n--- b\t2026\n***************\n", "line 1: a diff in context format is not understood"),
        (
            "diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n",
            "line 4: y is a copy of a file that stays, and a review holds no copies",
        ),
        (
            "diff --git a/x b/y\nold mode 100644\nnew mode 100755\n",
            "line 1: the file has no name that could be told from its prefix",
        ),
        ("diff --git a/x b/x\nold mode 99\n", "line 2: the mode is no octal number"),
        ("@@ -1 +1 @@\n-a\n+b\n", "line 1: the hunk belongs to no file"),
        ("--- a\n+++ a\n", "line 3: no hunk follows the names of the file"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\nx\n", "line 4: no hunk follows the names of the file"),
        ("--- a\n+++ a\n@@ -1 @@\n", "line 3: the `@@` line lacks its numbers"),
        (
            "--- a\n+++ a\n@@ -1,2 +1,2 @@\n a\n-b\n",
            "line 6: the hunk that begins at line 3 should go on, and this is no line of it",
        ),
        (
            "--- a\n+++ a\n@@ -1,2 +1,2 @@\n a\nwrapped\n",
            "line 5: the hunk that begins at line 3 should go on, and this is no line of it",
        ),
        (
            "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n+c\n",
            "line 6: the hunk that begins at line 3 has more lines than it announces",
        ),
        (
            "--- a\n+++ a\n@@ -1 +1 @@\n-a\n+b\n--- a\n+++ a\n@@ -3 +3 @@\n-a\n+b\n",
            "line 6: a is changed twice, as by several commits",
        ),
    ] {
        assert_eq!(of(patch.as_bytes()), Err(want.to_owned()), "{patch}");
    }
    for blank in ["", "\n \n", "* Unmerged path x\n"] {
        assert_eq!(of(blank.as_bytes()), Ok(String::new()));
    }
}

/// A patch of several files of several kinds.
const MIXED: &str = "From 0123456789abcdef Mon\nSubject: x\n\ndiff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n\
    diff --git \"a/\\303\\244\" \"b/\\303\\244\"\nnew file mode 100644\nindex 0..2\n--- /dev/null\n+++ \"b/\\303\\244\"\n@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n\
    diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\ndiff -u one/y two/y\n--- one/y\t1970-01-01 00:00:00 +0000\n+++ two/y\t2026\n@@ -0,0 +1 @@\n+a\n-- \n2.47.3\n";

#[test]
fn a_patch_cut_off_anywhere_is_read_or_refused() {
    let whole = read(MIXED.as_bytes()).unwrap();
    assert_eq!(whole.files.len(), 4);
    for end in 0..MIXED.len() {
        if let Ok(part) = read(&MIXED.as_bytes()[..end]) {
            assert!(part.files.len() <= whole.files.len());
        }
    }
}

#[test]
fn damaged_patches_never_panic() {
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % below
    };
    const PIECES: [&[u8]; 12] =
        [b"\n", b"\r", b"\"", b"\\", b" ", b"\t", b"@@", b"--- ", b"+++ ", b"diff --git ", b"\xff", b"/dev/null"];
    for _ in 0..4000 {
        let mut patch = MIXED.as_bytes().to_vec();
        for _ in 0..=random(4) {
            let at = random(patch.len());
            let end = (at + random(6)).min(patch.len());
            patch.splice(at..end, PIECES[random(PIECES.len())].iter().copied());
        }
        let _ = read(&patch);
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&bytes);
        let _ = read(&[b"diff --git ".as_slice(), &bytes].concat());
        let _ = read(&[b"--- a\n+++ ".as_slice(), &bytes].concat());
        let _ = read(&[b"--- a\n+++ a\n@@ -1,9 +1,9 @@\n".as_slice(), &bytes].concat());
    }
}
