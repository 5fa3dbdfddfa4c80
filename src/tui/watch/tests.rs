use super::*;

/// What is said of the next change.
fn said(answers: &Receiver<Msg>) -> (bool, bool) {
    match answers.recv_timeout(Duration::from_secs(20)) {
        Ok(Msg::Changed { files, tree }) => (files, tree),
        other => panic!("nothing is said: {other:?}"),
    }
}

/// A time at which everything is old.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(3600)
}

#[test]
fn what_happened_before_anybody_watched_is_said() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("reviews")).unwrap();
    fs::write(at("reviews/x.whymark"), "1").unwrap();
    fs::create_dir(at("src")).unwrap();
    let early = SystemTime::now() - Duration::from_secs(3600);
    let due = |since: SystemTime, again: bool| {
        let watched =
            || Watched { files: vec![at("reviews/x.whymark")], tree: vec![at("src/gone")], ..Watched::default() };
        let mut watch = Watch::new(notify::recommended_watcher(|_| {}).ok(), since);
        watch.watch(watched());
        if again {
            watch.pace = Pace::new();
            watch.watch(watched());
        }
        watch.pace.say(Instant::now()).map(|due| (due.files, due.tree))
    };
    assert_eq!(due(early, false), Some((true, true)));
    assert_eq!(due(later(), false), None, "all of it is older than the reviewer");
    assert_eq!(due(early, true), None, "the system has told of what happened since");
}

#[test]
fn what_changes_is_said_and_what_is_read_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("src")).unwrap();
    fs::write(at("src/a"), "1").unwrap();
    let watched = Watched {
        files: vec![at("reviews/x.whymark")],
        repository: vec![at("index")],
        tree: vec![at("src/a")],
        ..Watched::default()
    };
    let (to, answers) = channel();
    let (events, heard) = channel();
    let told = move |event| drop(events.send(Heard::Event(event)));
    let mut watch = Watch::new(notify::recommended_watcher(told).ok(), later());
    watch.watch(watched);
    assert!(watch.looked_at.is_none(), "the system watches a few folders");
    thread::spawn(move || watch.run(&heard, &to));
    fs::read(at("src/a")).unwrap();
    fs::write(at("other"), "1").unwrap();
    fs::create_dir(at("reviews")).unwrap();
    assert_eq!(said(&answers), (true, false), "the folder has come");
    fs::write(at("reviews/x.whymark"), "1").unwrap();
    assert_eq!(said(&answers), (true, false));
    fs::write(at("src/a"), "2").unwrap();
    assert_eq!(said(&answers), (false, true));
    fs::write(at("index.lock"), "1").unwrap();
    fs::rename(at("index.lock"), at("index")).unwrap();
    assert_eq!(said(&answers), (false, true));
}

#[test]
fn where_nothing_is_watched_it_is_looked_at() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("x");
    let mut watch = Watch::new(None, later());
    watch.watch(Watched { files: vec![file.clone()], ..Watched::default() });
    watch.look();
    assert!(watch.pace.next().is_none());
    fs::write(&file, "1").unwrap();
    watch.look();
    assert!(watch.pace.say(Instant::now()).is_some_and(|due| due.files && !due.tree));
}

#[test]
fn where_events_are_lost_everything_may_have_changed() {
    let mut watch = Watch::new(None, later());
    watch.armed.insert("src".into());
    watch.hear(&notify::Event::new(EventKind::Other).set_flag(notify::event::Flag::Rescan));
    assert!(watch.pace.say(Instant::now()).is_some_and(|due| due.files && due.tree));
    assert!(watch.armed.is_empty(), "what is there by now may be another folder");
}

#[test]
fn a_file_is_heard_of_unless_it_is_there_for_a_moment_only() {
    let is_heard = |name: &str| {
        let mut watch = Watch::new(None, later());
        watch.around.insert("src".into());
        let event = notify::Event::new(EventKind::Create(notify::event::CreateKind::File));
        watch.hear(&event.add_path(Path::new("src").join(name)));
        watch.pace.next().is_some()
    };
    for name in ["a", ".gitignore", ".env", ".eslintrc", ".x.swift", "a.swp", ".whymark-notes.tmp", "49130", "é"] {
        assert!(is_heard(name), "{name}");
    }
    for name in ["index.lock", ".#a", "a~", ".a.swp", ".a.txt.swx", "4913", ".whymark-1-abcdefgh01234567.tmp"] {
        assert!(!is_heard(name), "{name}");
    }
}
