//! `whymark themes`, `keys`, `config`, `completions` and `man`: what there is and what was set up.

use bstr::ByteSlice;

use crate::support::Sandbox;

fn out(sandbox: &Sandbox, args: &[&str]) -> String {
    let run = sandbox.run(args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    run.stdout.to_str_lossy().into_owned()
}

#[test]
fn ones_own_themes_and_keys_are_listed_with_the_others() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join(".config/whymark");
    assert!(out(&sandbox, &["themes"]).contains("dark           comes with the program\n"));
    assert!(out(&sandbox, &["config"]).contains("no theme of your own"));
    std::fs::create_dir_all(config.join("themes")).unwrap();
    std::fs::write(config.join("themes/mine.toml"), "inherits = \"dark\"\n").unwrap();
    std::fs::write(config.join("themes/notes.txt"), "").unwrap();
    std::fs::write(config.join("keymap.toml"), "[review]\nquit = [\"Z\"]\n").unwrap();
    let themes = out(&sandbox, &["themes"]);
    assert!(themes.contains("mine") && themes.contains("themes/mine.toml\n") && !themes.contains("notes"), "{themes}");
    let keys = out(&sandbox, &["keys"]);
    let quit = keys.lines().find(|line| line.contains("leave, as soon as")).unwrap();
    assert!(quit.contains(" Z "), "{keys}");
    let set_up = out(&sandbox, &["config"]);
    for part in ["your own keys", "your own: mine", "keymap.toml"] {
        assert!(set_up.contains(part), "{part} in {set_up}");
    }
    let run = sandbox.run(&["tui", "--theme", "nope"]);
    assert_eq!(run.code, 2);
    let message = "error: there is no theme `nope`: there are base16, dark, light, high-contrast, plain, mine\n";
    assert!(run.stderr.starts_with(message), "{}", run.stderr);
}

#[test]
fn where_markback_notes_go_can_be_set() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).unwrap();
    for (settings, place) in [
        ("", "beside the review"),
        ("[markback]\n", "beside the review"),
        ("[markback]\ntarget = \"review\"\n", "beside the review"),
        ("[markback]\ntarget = \"sidecar\"\n", "beside the file that they are about"),
    ] {
        std::fs::write(config.join("config.toml"), settings).unwrap();
        let set_up = out(&sandbox, &["config"]);
        assert!(set_up.contains(&format!("Markback notes go {place}  (")), "{settings}: {set_up}");
    }
    for (settings, fault) in [("[markback]\ntarget = \"moon\"\n", "moon"), ("[markbak]\n", "markbak"), ("[", "")] {
        std::fs::write(config.join("config.toml"), settings).unwrap();
        let run = sandbox.run(&["config"]);
        assert!(run.stderr.starts_with("warning: config.toml: ") && run.stderr.contains(fault), "{}", run.stderr);
        assert!(run.stdout.to_str_lossy().contains("beside the review"), "what is wrong is left out");
    }
}

#[test]
fn completions_and_manual_know_every_command() {
    let sandbox = Sandbox::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = out(&sandbox, &["completions", shell]);
        assert!(script.contains("uncovered") && script.contains("no-untracked"), "{shell}");
    }
    assert!(out(&sandbox, &["man"]).contains("whymark\\-uncovered"));
    assert!(out(&sandbox, &["man", "uncovered"]).contains("\\-\\-unverified"));
    for args in [&["completions", "x"][..], &["completions"], &["man", "x"]] {
        assert_eq!(sandbox.run(args).code, 2, "{args:?}");
    }
}
