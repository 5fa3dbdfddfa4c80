//! Whole files staged, unstaged and discarded, of every kind that git knows: index and disk are what git itself makes of
//! them, and undoing leaves no trace.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::Path;

use whymark::git::{Repo, Scope, ScopeOptions};
use whymark::tui::open::Target;

use crate::support::{Sandbox, Screen};

/// The changes of `scope`, opened; filters run where `filters` says so.
pub(crate) fn open(sandbox: Sandbox, scope: Scope, filters: bool) -> Screen {
    let repo = Repo::discover(&sandbox.repo()).expect("a sandbox is a repository").with_filters(filters);
    let options = ScopeOptions { exclude: vec!["reviews/x.whymark".into()], ..ScopeOptions::default() };
    Screen::open(sandbox, Target::Scope { repo, scope: Some(scope), options, out: Some("reviews/x.whymark".into()) })
}

/// What is on disk: of each file or link its mode and its bytes.
pub(crate) fn disk(sandbox: &Sandbox) -> BTreeMap<String, (u32, Vec<u8>)> {
    fn collect(root: &Path, folder: &Path, files: &mut BTreeMap<String, (u32, Vec<u8>)>) {
        for entry in fs::read_dir(folder).expect("it is a folder") {
            let path = entry.expect("it can be read").path();
            let name = path.strip_prefix(root).expect("it is inside").display().to_string();
            let meta = fs::symlink_metadata(&path).expect("it is there");
            if name == ".git" || name == "reviews" {
                continue;
            }
            let content = match meta.file_type() {
                kind if kind.is_dir() => {
                    collect(root, &path, files);
                    continue;
                }
                kind if kind.is_symlink() => fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes(),
                _ => fs::read(&path).expect("it can be read"),
            };
            files.insert(name, (meta.permissions().mode(), content));
        }
    }
    let mut files = BTreeMap::new();
    collect(&sandbox.repo(), &sandbox.repo(), &mut files);
    files
}

/// What is in the index: mode, id, stage and flags of each path.
pub(crate) fn index(sandbox: &Sandbox) -> Vec<String> {
    let listed = sandbox.git(&["ls-files", "--stage", "-v", "--debug"]);
    let listed = String::from_utf8_lossy(&listed);
    let lines = listed.lines().filter_map(|line| match line.split_once("flags: ") {
        Some((_, flags)) => Some(format!("  {flags}")),
        None => (!line.starts_with("  ")).then(|| line.to_owned()),
    });
    lines.collect()
}

/// Press keys until the cursor is at the name of the file.
pub(crate) fn go_to(screen: &mut Screen, path: &str) {
    screen.press("gg }");
    for _ in 0..100 {
        if screen.model.location().is_some_and(|at| at == path) {
            return;
        }
        screen.press("}");
    }
    panic!("{path} is not in the review");
}

/// A file of every kind, of which everything has changed on disk.
fn changed() -> Sandbox {
    let sandbox = Sandbox::new();
    let link = |target: &str, name: &str| symlink(target, sandbox.path(name)).expect("the sandbox is writable");
    let mode = |name: &str, mode| fs::set_permissions(sandbox.path(name), fs::Permissions::from_mode(mode)).unwrap();
    let remove = |name: &str| fs::remove_file(sandbox.path(name)).expect("it is there");
    sandbox.write(
        ".gitattributes",
        "*.crlf text eol=crlf\n*.u16 text working-tree-encoding=UTF-16LE\nid.txt ident\n*.auto text=auto eol=crlf\n",
    );
    for name in ["mode.sh", "both.sh", "to-link", "deep/gone.txt", "to-empty", "renamed.txt", "renamed-only.txt"] {
        sandbox.write(name, format!("{name}\n2\n3\n4\n5\n6\n"));
    }
    sandbox.write("empty-gone", "");
    sandbox.write("bin", b"\0\x01old");
    sandbox.write("bin-gone", b"\0gone\r\n");
    sandbox.write("lines.crlf", "1\r\n2\r\n3\r\n");
    sandbox.write("mode.crlf", "1\r\n2\r\n");
    sandbox.write("some.auto", "1\r\n2\r\n3\r\n");
    sandbox.write("text.u16", [b'a', 0, b'\n', 0, b'b', 0, b'\n', 0]);
    sandbox.write("id.txt", "$Id$\nx\n");
    link("mode.sh", "link");
    link("nowhere/at/all", "link-gone");
    link("mode.sh", "to-file");
    sandbox.commit("First");
    mode("mode.sh", 0o755);
    mode("both.sh", 0o755);
    mode("mode.crlf", 0o755);
    sandbox.write("both.sh", "both.sh\n2\nthree\n4\n5\n6\n");
    for name in ["to-link", "deep/gone.txt", "empty-gone", "bin-gone", "link", "link-gone", "to-file"] {
        remove(name);
    }
    link("to-empty", "to-link");
    link("/etc/hostname", "link");
    link("../outside", "link-new");
    sandbox.write("to-file", "no link\n");
    sandbox.write("to-empty", "");
    sandbox.write("empty-new", "");
    sandbox.write("bin", b"\0\x01new\r\n");
    sandbox.write("deep/bin-new", b"\0\r\n");
    sandbox.write("new.sh", "#!/bin/sh\n");
    mode("new.sh", 0o700);
    sandbox.write("new.crlf", "1\r\n");
    sandbox.write("lines.crlf", "1\r\nTWO\r\n3\r\n");
    sandbox.write("some.auto", "1\nTWO\n3\n");
    sandbox.write("text.u16", [b'a', 0, b'\n', 0, b'c', 0, b'\n', 0]);
    sandbox.write("id.txt", "$Id: 1234 $\nx\ny\n");
    fs::rename(sandbox.path("renamed.txt"), sandbox.path("other.txt")).unwrap();
    sandbox.write("other.txt", "renamed.txt\n2\n3\n4\n5\nsix\n");
    fs::rename(sandbox.path("renamed-only.txt"), sandbox.path("other-only.txt")).unwrap();
    sandbox
}

/// The name that a review gives each change, and the paths that it is of.
const CHANGES: &[&[&str]] = &[
    &["mode.sh"],
    &["both.sh"],
    &["mode.crlf"],
    &["to-link"],
    &["to-file"],
    &["deep/gone.txt"],
    &["to-empty"],
    &["empty-new", "empty-gone"],
    &["bin"],
    &["bin-gone"],
    &["deep/bin-new"],
    &["link"],
    &["link-gone"],
    &["link-new"],
    &["new.sh"],
    &["new.crlf"],
    &["lines.crlf"],
    &["some.auto"],
    &["text.u16"],
    &["id.txt"],
    &["other.txt", "renamed.txt"],
    &["other-only.txt", "renamed-only.txt"],
];

/// What git makes of `args` and the paths, told by `state`; everything is as it was afterwards.
pub(super) fn by_git<T>(sandbox: &Sandbox, args: &[&str], paths: &[&str], state: impl Fn(&Sandbox) -> T) -> T {
    let place = sandbox.path(".git/index");
    let (kept, time) = (fs::read(&place).unwrap(), fs::metadata(&place).unwrap().modified().unwrap());
    sandbox.git(&[args, &["--"], paths].concat());
    let made = state(sandbox);
    fs::write(&place, kept).unwrap();
    // It says which files have to be looked at again.
    fs::File::options().write(true).open(&place).unwrap().set_modified(time).unwrap();
    made
}

#[test]
fn what_is_staged_is_what_git_adds() {
    let mut sandbox = changed();
    for paths in CHANGES {
        let before = (index(&sandbox), disk(&sandbox));
        let wanted = by_git(&sandbox, &["add", "--all"], paths, index);
        let mut screen = open(sandbox, Scope::Unstaged, false);
        go_to(&mut screen, paths[0]);
        screen.press("s y");
        screen.assert_shows(&["staged "]);
        assert_eq!(index(&screen.sandbox), wanted, "{paths:?}");
        screen.press("z");
        screen.assert_shows(&["undone: staging "]);
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{paths:?}");
        screen.press("Z");
        assert_eq!(index(&screen.sandbox), wanted, "{paths:?}");
        screen.press("z");
        sandbox = screen.sandbox;
    }
}

#[test]
fn what_is_unstaged_is_what_git_restores() {
    for scope in [Scope::Staged, Scope::Worktree] {
        let mut sandbox = changed();
        sandbox.git(&["add", "--all"]);
        for paths in CHANGES {
            let before = (index(&sandbox), disk(&sandbox));
            let wanted = by_git(&sandbox, &["restore", "--staged"], paths, index);
            let mut screen = open(sandbox, scope.clone(), false);
            go_to(&mut screen, paths[0]);
            screen.press("gs y");
            screen.assert_shows(&["unstaged "]);
            assert_eq!(index(&screen.sandbox), wanted, "{paths:?} {scope:?}");
            screen.press("z");
            screen.assert_shows(&["undone: unstaging "]);
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{paths:?}");
            sandbox = screen.sandbox;
        }
    }
}

#[test]
fn what_is_discarded_is_what_git_restores_on_disk() {
    let mut sandbox = changed();
    for paths in CHANGES {
        let before = (index(&sandbox), disk(&sandbox));
        let mut screen = open(sandbox, Scope::Unstaged, false);
        go_to(&mut screen, paths[0]);
        screen.press("gd y");
        screen.assert_shows(&["discarded "]);
        let made = disk(&screen.sandbox);
        assert_eq!(index(&screen.sandbox), before.0, "{paths:?}");
        screen.press("z");
        screen.assert_shows(&["undone: discarding "]);
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{paths:?}");
        screen.press("Z");
        assert_eq!(disk(&screen.sandbox), made, "{paths:?}");
        screen.press("z");
        // Git, which takes files away that it does not know.
        let sandbox_of_git = &screen.sandbox;
        for path in *paths {
            if sandbox_of_git.git(&["ls-files", "--", path]).is_empty() {
                sandbox_of_git.git(&["clean", "--quiet", "--force", "--", path]);
            } else {
                sandbox_of_git.git(&["restore", "--", path]);
            }
        }
        let wanted = disk(sandbox_of_git);
        assert_eq!(made, wanted, "{paths:?}");
        for path in *paths {
            let _ = fs::remove_file(screen.sandbox.path(path));
            match before.1.get(*path) {
                Some((mode, target)) if *mode & 0o170_000 == 0o120_000 => {
                    symlink(String::from_utf8(target.clone()).unwrap(), screen.sandbox.path(path)).unwrap();
                }
                Some((mode, content)) => {
                    screen.sandbox.write(path, content);
                    fs::set_permissions(screen.sandbox.path(path), fs::Permissions::from_mode(*mode)).unwrap();
                }
                None => {}
            }
        }
        sandbox = screen.sandbox;
    }
}

#[test]
fn empty_files_come_and_go() {
    let sandbox = Sandbox::new();
    sandbox.write("gone", "");
    sandbox.commit("First");
    fs::remove_file(sandbox.path("gone")).unwrap();
    let mut screen = open(sandbox, Scope::Unstaged, false).pressed("gg } gd y");
    assert_eq!(screen.sandbox.read("gone"), b"");
    screen.press("z gg } s y");
    assert_eq!(index(&screen.sandbox), [""; 0]);
    screen.press("z");
    let mut sandbox = screen.sandbox;
    sandbox.write("gone", "x\n");
    sandbox.write("new", "");
    for announced in [false, true] {
        if announced {
            sandbox.git(&["add", "--intent-to-add", "new"]);
        }
        let (before, wanted) = (index(&sandbox), by_git(&sandbox, &["add"], &["new"], index));
        let mut screen = open(sandbox, Scope::Unstaged, false);
        go_to(&mut screen, "new");
        screen.press("s");
        screen.assert_shows(&["Stage new?", "In the index the file comes into being"]);
        screen.press("y");
        assert_eq!(index(&screen.sandbox), wanted);
        screen.press("z");
        assert_eq!(index(&screen.sandbox), before);
        screen.press("gg }} gd y");
        assert!(!screen.sandbox.path("new").exists());
        screen.press("z");
        assert_eq!(screen.sandbox.read("new"), b"");
        sandbox = screen.sandbox;
    }
    // What was announced and is not there is announced no more.
    fs::remove_file(sandbox.path("new")).unwrap();
    let wanted = by_git(&sandbox, &["add", "--update"], &["new"], index);
    let mut screen = open(sandbox, Scope::Unstaged, false);
    go_to(&mut screen, "new");
    screen.press("s y");
    assert_eq!(index(&screen.sandbox), wanted);
}

#[test]
fn the_question_says_what_happens_besides_lines() {
    for scope in [Scope::Unstaged, Scope::Worktree] {
        let mut screen = open(changed(), scope, false);
        for (path, keys, shown) in [
            ("mode.sh", "s", "Its mode becomes 100755; it was 100644."),
            ("mode.sh", "gd", "Its mode becomes 100644; it was 100755."),
            ("bin", "s", "It is no text: 5 bytes become 7 bytes."),
            ("bin", "gd", "It is no text: 7 bytes become 5 bytes."),
            ("empty-new", "s", "In the index it is renamed from empty-gone."),
            ("new.sh", "s", "In the index the file comes into being; on disk nothing changes."),
            ("bin-gone", "s", "In the index the file is deleted."),
            ("link", "s", "         1 + /etc/hostname"),
            ("to-link", "s", "In the index a symbolic link takes the place of a file."),
            ("to-link", "gd", "On disk a file takes the place of a symbolic link."),
            ("to-file", "s", "In the index a file takes the place of a symbolic link."),
            ("other.txt", "s", "In the index it is renamed from renamed.txt."),
            ("other.txt", "gd", "On disk its name is renamed.txt again."),
        ] {
            go_to(&mut screen, path);
            screen.press(keys);
            screen.assert_shows(&[shown]);
            screen.press("n");
        }
    }
}

#[test]
fn a_type_is_changed_from_either_of_its_two_parts() {
    let sandbox = changed();
    let wanted = by_git(&sandbox, &["add"], &["to-link"], index);
    let mut screen = open(sandbox, Scope::Unstaged, false);
    go_to(&mut screen, "to-link");
    screen.press("} s");
    screen.assert_shows(&["a symbolic link takes the place of a file", "│    6      - 6", "│         1 + to-empty"]);
    screen.press("n j s y");
    screen.assert_shows(&["staged to-link"]);
    assert_eq!(index(&screen.sandbox), wanted);
}

#[test]
fn a_submodule_is_staged_by_its_commit() {
    let sandbox = Sandbox::new();
    let inner = sandbox.path("sub");
    fs::create_dir(&inner).unwrap();
    sandbox.git_in(&inner, &["init", "--quiet"]);
    sandbox.git_in(&inner, &["commit", "--quiet", "--allow-empty", "--message", "One"]);
    sandbox.commit("First");
    fs::write(inner.join("x"), "x").unwrap();
    sandbox.git_in(&inner, &["add", "x"]);
    sandbox.git_in(&inner, &["commit", "--quiet", "--message", "Two"]);
    let (before, wanted) = (index(&sandbox), by_git(&sandbox, &["add"], &["sub"], index));
    let mut screen = open(sandbox, Scope::Unstaged, false).pressed("gg } s");
    screen.assert_shows(&["Stage sub?", "- Subproject commit ", "+ Subproject commit "]);
    screen.press("y");
    assert_eq!(index(&screen.sandbox), wanted);
    screen.press("z");
    assert_eq!(index(&screen.sandbox), before);
    screen.press("gg } gd");
    screen.assert_shows(&["it is a submodule: `git submodule update` brings another commit of it back", "¬Discard"]);
    screen.press("gg } s y");
    let mut screen = open(screen.sandbox, Scope::Staged, false).pressed("gg } gs y");
    assert_eq!(index(&screen.sandbox), before);
    screen.press("z");
    assert_eq!(index(&screen.sandbox), wanted);
    // What is not committed there cannot be staged here.
    screen.sandbox.git(&["commit", "--quiet", "--message", "Second"]);
    fs::write(screen.sandbox.path("sub/x"), "more").unwrap();
    let mut screen = open(screen.sandbox, Scope::Unstaged, false);
    screen.assert_shows(&["(submodule) with uncommitted changes"]);
    screen.press("gg } s y");
    screen.assert_shows(&["what has changed in the submodule is for a commit there"]);
    assert_eq!(index(&screen.sandbox), wanted);
}

#[test]
fn filters_run_both_ways_where_they_are_allowed() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "*.x filter=rot\n");
    sandbox.git(&["config", "filter.rot.clean", "tr a-z b-za"]);
    sandbox.git(&["config", "filter.rot.smudge", "tr b-za a-z"]);
    sandbox.write("f.x", "abc\nabd\n");
    sandbox.commit("First");
    assert_eq!(sandbox.git(&["show", ":f.x"]), b"bcd\nbce\n");
    sandbox.write("f.x", "abc\nxyz\nabd\n");
    let wanted = by_git(&sandbox, &["add"], &["f.x"], index);
    let before = (index(&sandbox), disk(&sandbox));
    let mut sandbox = sandbox;
    for keys in ["s", "gd"] {
        let mut screen = open(sandbox, Scope::Unstaged, false);
        go_to(&mut screen, "f.x");
        screen.press(keys);
        screen.press("y");
        screen.assert_shows(&["git stores it as a program makes it that was not run (--run-filters runs it)"]);
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before);
        sandbox = screen.sandbox;
    }
    let mut screen = open(sandbox, Scope::Unstaged, true);
    go_to(&mut screen, "f.x");
    screen.press("s y");
    assert_eq!(index(&screen.sandbox), wanted);
    screen.press("z");
    go_to(&mut screen, "f.x");
    screen.press("gd y");
    screen.assert_shows(&["discarded 1 line of f.x"]);
    assert_eq!(screen.sandbox.read("f.x"), b"abc\nabd\n");
    screen.press("z");
    assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before);
}

#[test]
fn a_repository_that_libgit2_cannot_open_is_written_the_same() {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    sandbox.git(&["init", "--quiet", "--initial-branch=main", "--object-format=sha256"]);
    for name in ["mode", "to-link", "old"] {
        sandbox.write(name, format!("{name}\n2\n3\n4\n"));
    }
    sandbox.write("bin", b"\0");
    sandbox.commit("First");
    fs::set_permissions(sandbox.path("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::remove_file(sandbox.path("to-link")).unwrap();
    symlink("mode", sandbox.path("to-link")).unwrap();
    fs::rename(sandbox.path("old"), sandbox.path("renamed")).unwrap();
    sandbox.write("bin", b"\0\x01");
    let mut sandbox = sandbox;
    for paths in [&["mode"][..], &["to-link"], &["renamed", "old"], &["bin"]] {
        let before = (index(&sandbox), disk(&sandbox));
        let wanted = by_git(&sandbox, &["add", "--all"], paths, index);
        let mut screen = open(sandbox, Scope::Unstaged, false);
        go_to(&mut screen, paths[0]);
        screen.press("s y");
        assert_eq!(index(&screen.sandbox), wanted, "{paths:?}");
        screen.press("z");
        go_to(&mut screen, paths[0]);
        screen.press("gd y");
        screen.assert_shows(&["discarded "]);
        screen.press("z");
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{paths:?}");
        sandbox = screen.sandbox;
    }
}

#[test]
fn what_cannot_be_done_exactly_is_left_alone() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "*.crlf text eol=crlf\n");
    sandbox.write("ends.crlf", "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9\r\n");
    sandbox.write("mode", "1\n");
    sandbox.commit("First");
    // Line ends that git would write in another way, where nothing is chosen.
    sandbox.write("ends.crlf", "one\n2\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\nnine\r\n");
    fs::set_permissions(sandbox.path("mode"), fs::Permissions::from_mode(0o755)).unwrap();
    let before = (index(&sandbox), disk(&sandbox));
    let mut screen = open(sandbox, Scope::Unstaged, false);
    let mut press = |path: &str, keys: &str, reason: &str| {
        go_to(&mut screen, path);
        screen.press(keys);
        screen.assert_shows(&[reason]);
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{path} {keys}");
    };
    press("ends.crlf", "] gd y", "git would write lines of it in another way than they are on disk");
    // What is there by now is another one, although its bytes are the same.
    go_to(&mut screen, "mode");
    screen.press("s");
    fs::set_permissions(screen.sandbox.path("mode"), fs::Permissions::from_mode(0o644)).unwrap();
    screen.press("y");
    screen.assert_shows(&["mode is left as it is: the working tree has another version of it"]);
}

/// A repository of this object format without a commit.
fn empty(format: &str) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::remove_dir_all(sandbox.path(".git")).unwrap();
    sandbox.git(&["init", "--quiet", "--initial-branch=main", &format!("--object-format={format}")]);
    sandbox
}

#[test]
fn a_file_in_the_place_of_a_folder_and_a_folder_in_that_of_a_file_are_done_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("folder/x", "x\n");
    sandbox.write("folder/y", "y\n");
    sandbox.write("file", "file\n");
    sandbox.commit("First");
    fs::remove_dir_all(sandbox.path("folder")).unwrap();
    fs::remove_file(sandbox.path("file")).unwrap();
    sandbox.write("folder", "no folder\n");
    sandbox.write("file/new", "n\n");
    let before = (index(&sandbox), disk(&sandbox));
    let mut sandbox = sandbox;
    for scope in [Scope::Unstaged, Scope::Worktree] {
        for (path, said) in [
            ("folder", "In the index 2 files in a folder of its name go, which are in its place."),
            ("file/new", "In the index file goes, which is in its place."),
        ] {
            let wanted = by_git(&sandbox, &["add"], &[path], index);
            let mut screen = open(sandbox, scope.clone(), false);
            go_to(&mut screen, path);
            screen.press("s");
            screen.assert_shows(&[said]);
            screen.press("y");
            screen.assert_shows(&["staged 1 line of "]);
            assert_eq!(index(&screen.sandbox), wanted, "{path}");
            screen.press("z");
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{path}");
            sandbox = screen.sandbox;
        }
        for (path, kept, said) in [
            ("folder/x", "no folder\n", "On disk folder goes, which is in its place; what is in there is kept."),
            ("file", "n\n", "On disk file/new goes, which is in its place; what is in there is kept."),
        ] {
            let mut screen = open(sandbox, scope.clone(), false);
            go_to(&mut screen, path);
            screen.press("gd");
            screen.assert_shows(&[said]);
            screen.press("y");
            screen.assert_shows(&["discarded 1 line of "]);
            let made = disk(&screen.sandbox);
            screen.press("z");
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{path}");
            screen.press("Z");
            assert_eq!(disk(&screen.sandbox), made);
            screen.press("z");
            // Git takes what is in the way without a word.
            sandbox = screen.sandbox;
            sandbox.git(&["restore", "--", path]);
            assert_eq!(disk(&sandbox), made, "{path}");
            let top = path.split('/').next().unwrap();
            let _ = fs::remove_dir_all(sandbox.path(top)).or_else(|_| fs::remove_file(sandbox.path(top)));
            sandbox.write(if top == "file" { "file/new" } else { "folder" }, kept);
        }
    }
    // What the review does not show is not lost.
    sandbox.write(".git/info/exclude", "ignored\n");
    sandbox.write("file/ignored", "mine\n");
    let before = disk(&sandbox);
    let mut screen = open(sandbox, Scope::Unstaged, false);
    go_to(&mut screen, "file");
    screen.press("gd y");
    screen.assert_shows(&["a folder is in its place, with files that the review does not show"]);
    assert_eq!(disk(&screen.sandbox), before);
}

#[test]
fn git_sees_no_change_in_what_was_discarded_whatever_its_line_ends() {
    for (format, scope) in [("sha1", Scope::Unstaged), ("sha1", Scope::Worktree), ("sha256", Scope::Unstaged)] {
        let sandbox = empty(format);
        sandbox.write(".gitattributes", "*.crlf text eol=crlf\n");
        // Git writes them in another length than they have when they are added.
        sandbox.write("a.crlf", "1\n2\n");
        sandbox.write("other", "1\n");
        sandbox.commit("First");
        sandbox.git(&["update-index", "--assume-unchanged", "other"]);
        sandbox.write("a.crlf", "1\nTWO\n");
        let before = index(&sandbox);
        let mut screen = open(sandbox, scope, false);
        go_to(&mut screen, "a.crlf");
        screen.press("gd y");
        assert_eq!(screen.sandbox.read("a.crlf"), b"1\r\n2\r\n");
        assert_eq!(screen.sandbox.git(&["diff-files", "--name-only"]), b"", "{format}");
        assert_eq!(screen.sandbox.git(&["status", "--porcelain"]), b"", "{format}");
        assert_eq!(index(&screen.sandbox), before, "{format}");
        screen.press("z");
        assert_eq!(screen.sandbox.git(&["diff-files", "--name-only"]), b"a.crlf\n", "{format}");
    }
}

#[test]
fn what_is_announced_is_announced_no_more_when_it_is_discarded() {
    for format in ["sha1", "sha256"] {
        let sandbox = empty(format);
        sandbox.write("a", "1\n");
        sandbox.commit("First");
        sandbox.write("new", "n\nm\n");
        sandbox.git(&["add", "--intent-to-add", "new"]);
        let mut sandbox = sandbox;
        for scope in [Scope::Unstaged, Scope::Worktree] {
            let before = (index(&sandbox), disk(&sandbox));
            let mut screen = open(sandbox, scope, false);
            go_to(&mut screen, "new");
            screen.press("gd");
            screen.assert_shows(&["The index no longer announces it, where it did (git add -N)."]);
            screen.press("y");
            assert_eq!(screen.sandbox.git(&["status", "--porcelain"]), b"", "{format}");
            screen.press("z");
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{format}");
            // Where one of the two cannot be done, none is.
            screen.sandbox.write(".git/index.lock", "");
            go_to(&mut screen, "new");
            screen.press("gd y");
            screen.assert_shows(&["cannot write the index: another program has locked it"]);
            fs::remove_file(screen.sandbox.path(".git/index.lock")).unwrap();
            assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before, "{format}");
            sandbox = screen.sandbox;
        }
    }
}

#[test]
fn a_file_that_is_protected_is_discarded_as_git_does_and_stays_protected() {
    let sandbox = Sandbox::new();
    sandbox.write("f", "1\n2\n");
    sandbox.commit("First");
    sandbox.write("f", "1\nTWO\n");
    fs::set_permissions(sandbox.path("f"), fs::Permissions::from_mode(0o444)).unwrap();
    let before = disk(&sandbox);
    let mut screen = open(sandbox, Scope::Unstaged, false).pressed("gg } gd y");
    screen.assert_shows(&["discarded 2 lines of f"]);
    assert_eq!(disk(&screen.sandbox)["f"], (0o100_444, b"1\n2\n".to_vec()));
    screen.press("z");
    assert_eq!(disk(&screen.sandbox), before);
}

#[test]
fn the_cursor_is_on_the_lines_that_come_back() {
    let sandbox = Sandbox::new();
    let text = |lines: &[u32], with: &str| {
        (1..=60).map(|n| if lines.contains(&n) { with.to_owned() } else { format!("{n}\n") }).collect::<String>()
    };
    sandbox.write("a", text(&[], ""));
    sandbox.write("b", text(&[], ""));
    sandbox.commit("First");
    sandbox.write("a", text(&[10, 40], "changed\n"));
    sandbox.write("b", text(&[20], "changed\n"));
    let mut screen = open(sandbox, Scope::Unstaged, false);
    let at = |screen: &Screen| screen.model.location();
    screen.press("gg } ] ] gd y");
    screen.assert_shows(&["discarded 2 lines of a"]);
    go_to(&mut screen, "b");
    screen.press("z");
    assert_eq!(at(&screen).as_deref(), Some("a:40"));
    go_to(&mut screen, "b");
    screen.press("s y gg z");
    assert_eq!(at(&screen).as_deref(), Some("b:20"));
}

#[test]
fn a_rename_whose_old_name_alone_is_staged_as_gone_is_staged_and_unstaged() {
    for new in ["a\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n"] {
        let sandbox = Sandbox::new();
        sandbox.write("old", "a\nb\nc\nd\ne\n");
        sandbox.commit("First");
        let before = index(&sandbox);
        fs::rename(sandbox.path("old"), sandbox.path("renamed")).unwrap();
        sandbox.write("renamed", new);
        sandbox.git(&["add", "--all"]);
        let all = index(&sandbox);
        sandbox.git(&["rm", "--quiet", "--cached", "renamed"]);
        let half = index(&sandbox);
        let mut screen = open(sandbox, Scope::Worktree, false);
        for (keys, wanted) in [("s y", &all), ("gs y", &before)] {
            go_to(&mut screen, "renamed");
            screen.press(keys);
            assert_eq!(index(&screen.sandbox), *wanted, "{keys}: {}", screen.text());
            screen.press("z");
            assert_eq!(index(&screen.sandbox), half, "{keys}");
        }
    }
}

#[test]
fn line_ends_that_nobody_chose_stay_also_where_all_that_changed_is_chosen() {
    let sandbox = Sandbox::new();
    sandbox.write(".gitattributes", "*.crlf text eol=crlf\n");
    sandbox.write("ends.crlf", "1\r\n2\r\n3\r\n");
    sandbox.commit("First");
    sandbox.write("ends.crlf", "1\n2\ntwo\r\n3\r\n");
    sandbox.write("new.crlf", "1\n2\r\n");
    let before = disk(&sandbox);
    let mut screen = open(sandbox, Scope::Unstaged, false);
    for keys in ["] gd y", "4j gd y"] {
        go_to(&mut screen, "ends.crlf");
        screen.press(keys);
        assert_eq!(disk(&screen.sandbox), before, "{keys}");
    }
    go_to(&mut screen, "ends.crlf");
    screen.press("] gd y");
    screen.assert_shows(&["git would write lines of it in another way than they are on disk"]);
    // Its name means all of it, and of what is deleted nothing stays.
    go_to(&mut screen, "ends.crlf");
    screen.press("gd y");
    assert_eq!(fs::read(screen.sandbox.path("ends.crlf")).unwrap(), b"1\r\n2\r\n3\r\n");
    go_to(&mut screen, "new.crlf");
    screen.press("] gd y");
    assert!(!screen.sandbox.path("new.crlf").exists());
    screen.press("z z");
    assert_eq!(disk(&screen.sandbox), before);
}

#[test]
fn git_still_sees_what_was_written_in_the_second_of_its_index() {
    let sandbox = Sandbox::new();
    let second = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_700_000_000);
    let at = |name: &str, millis: u64| {
        let file = fs::File::options().write(true).open(sandbox.path(name)).expect("it is there");
        file.set_modified(second + std::time::Duration::from_millis(millis)).expect("it is ours");
    };
    sandbox.write("a", "1\n");
    sandbox.write("b", "1\n");
    at("a", 100);
    sandbox.commit("First");
    sandbox.write("a", "2\n");
    at("a", 500);
    at(".git/index", 900);
    sandbox.write("b", "other\n");
    let mut screen = open(sandbox, Scope::Unstaged, false);
    go_to(&mut screen, "b");
    screen.press("s y");
    screen.assert_shows(&["staged 2 lines of b"]);
    assert_eq!(screen.sandbox.git_line(&["diff", "--name-only"]), "a");
}

#[test]
fn a_link_that_leads_elsewhere_is_neither_followed_nor_written_through() {
    let sandbox = changed();
    let outside = sandbox.tmp().join("outside");
    fs::write(&outside, "theirs").unwrap();
    let mut screen = open(sandbox, Scope::Unstaged, false);
    go_to(&mut screen, "link-new");
    screen.press("gd y");
    assert!(fs::symlink_metadata(screen.sandbox.path("link-new")).is_err());
    // Somebody puts a link in the place of a file that is about to be discarded.
    go_to(&mut screen, "to-file");
    screen.press("gd");
    fs::remove_file(screen.sandbox.path("to-file")).unwrap();
    symlink(&outside, screen.sandbox.path("to-file")).unwrap();
    screen.press("y");
    screen.assert_shows(&["to-file is left as it is: the working tree has another version of it"]);
    assert_eq!(fs::read(&outside).unwrap(), b"theirs");
}

/// What is so already is not asked about, whether it is made of lines or not.
#[test]
fn nobody_is_asked_about_what_is_so_already() {
    for path in ["bin", "mode.sh", "link"] {
        let mut screen = open(changed(), Scope::Worktree, false);
        for (keys, shown) in [
            ("gs", &["this is not staged", " REVIEW "][..]),
            ("s", &[" CHANGE  y does it, any other key does not"]),
            ("y", &["staged ", "; z takes it back"]),
            ("s", &["this is staged already", " REVIEW "]),
            ("gs", &[" CHANGE "]),
        ] {
            if screen.model.acting.is_none() {
                go_to(&mut screen, path);
            }
            screen.press(keys);
            screen.assert_shows(shown);
        }
    }
}

#[test]
fn the_new_name_of_a_file_that_gets_its_old_one_back_is_announced_no_more() {
    for (scope, is_edited) in [(Scope::Unstaged, false), (Scope::Worktree, true)] {
        let sandbox = empty("sha1");
        let lines: String = (0..30).map(|number| format!("line {number}\n")).collect();
        sandbox.write("old", &lines);
        sandbox.commit("First");
        fs::remove_file(sandbox.path("old")).unwrap();
        sandbox.write("renamed", lines + if is_edited { "more\n" } else { "" });
        sandbox.git(&["add", "--intent-to-add", "renamed"]);
        let before = (index(&sandbox), disk(&sandbox));
        let mut screen = open(sandbox, scope, false);
        go_to(&mut screen, "renamed");
        screen.press("gd");
        screen.assert_shows(&["The index no longer announces the new name, where it did (git add -N)."]);
        screen.press("y");
        assert_eq!(screen.sandbox.git(&["status", "--porcelain"]), b"");
        screen.press("z");
        assert_eq!((index(&screen.sandbox), disk(&screen.sandbox)), before);
    }
}
