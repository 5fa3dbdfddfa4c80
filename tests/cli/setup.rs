//! `whymark themes`, `keys`, `config`, `completions` and `man`: what there is and what was set up.

use bstr::ByteSlice;

use crate::support::Sandbox;
use crate::tui::staged;

fn out(sandbox: &Sandbox, args: &[&str]) -> String {
    let run = sandbox.run(args);
    assert_eq!(run.code, 0, "{args:?}: {}", run.stderr);
    run.stdout.to_str_lossy().into_owned()
}

#[test]
fn ones_own_themes_and_keys_are_listed_with_the_others() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join(".config/whymark");
    let themes = out(&sandbox, &["themes"]);
    assert!(
        themes.lines().any(|line| line.starts_with("dark ") && line.ends_with(" comes with the program")),
        "{themes}"
    );
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
    let message = "error: there is no theme `nope`: there are base16, dark, light, ";
    assert!(run.stderr.starts_with(message) && run.stderr.contains(", mine\n"), "{}", run.stderr);
}

#[test]
fn what_is_set_is_printed_with_where_it_comes_from() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).unwrap();
    let set_up = out(&sandbox, &["config"]);
    for row in
        ["markback.target  review  (default)", "theme            auto  (default: by the", "config.toml  (not there)"]
    {
        assert!(set_up.contains(row), "{row}\n{set_up}");
    }
    std::fs::write(config.join("config.toml"), "theme = \"nope\"\n").unwrap();
    let said = sandbox.run(&["config"]).stderr;
    assert!(said.starts_with("warning: config.toml: there is no theme `nope`: there are base16, "), "{said}");
    let settings = "theme = \"light\"\nauthor = \"Grace\"\n[markback]\ntarget = \"sidecar\"\n";
    std::fs::write(config.join("config.toml"), settings).unwrap();
    let set_up = out(&sandbox, &["config"]);
    for row in [
        "markback.target  sidecar  (config.toml, line 4)",
        "theme            light  (config.toml, line 1)",
        "author           Grace  (config.toml, line 2)",
        "tab-width        4  (default)",
        "side-by-side     false  (default)",
        "intraline        true  (default)",
        "config.toml  (your own settings)",
    ] {
        assert!(set_up.contains(row), "{row}\n{set_up}");
    }
    for (settings, fault) in [
        ("[markback]\ntarget = \"moon\"\n", "line 2, column 10: `markback.target` is \"review\" or \"sidecar\""),
        ("[markbak]\n", "line 1, column 2: there is no setting `markbak`"),
        ("[", "line 1, column "),
    ] {
        std::fs::write(config.join("config.toml"), settings).unwrap();
        let run = sandbox.run(&["config"]);
        let warning = format!("warning: config.toml, {fault}");
        assert!(run.code == 0 && run.stderr.starts_with(&warning), "{}", run.stderr);
        assert!(run.stdout.to_str_lossy().contains("review  (default)"), "what is wrong is left out");
    }
}

#[test]
fn the_command_line_comes_before_the_environment_and_that_before_what_is_set() {
    let sandbox = staged();
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).unwrap();
    std::fs::write(config.join("config.toml"), "author = \"of the file\"\ntheme = \"light\"\ntab-width = 9\n").unwrap();
    let run = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = sandbox.command(env!("CARGO_BIN_EXE_whymark"), &sandbox.repo());
        let run = command.args(args).envs(env.iter().copied()).output().unwrap();
        assert!(run.status.success(), "{}", run.stderr.to_str_lossy());
        run.stdout.to_str_lossy().into_owned()
    };
    let new: &[&str] = &["new", "--staged", "-o", "-"];
    let variables: &[(&str, &str)] = &[("WHYMARK_AUTHOR", "of the environment"), ("WHYMARK_THEME", "high-contrast")];
    assert!(run(new, &[]).contains("\nauthor: of the file\n"));
    assert!(run(new, variables).contains("\nauthor: of the environment\n"));
    let flag = [new, &["--author", "of the flag"]].concat();
    assert!(run(&flag, variables).contains("\nauthor: of the flag\n"));
    let picture: &[&str] = &["tui", "--staged", "--dump", "80x24", "--dump-format", "svg"];
    let ground = |args: &[&str], env: &[(&str, &str)]| {
        let picture = run(args, env);
        picture.lines().nth(1).and_then(|rect| Some(rect.split_once("fill=\"")?.1[..7].to_owned())).unwrap()
    };
    assert_eq!(ground(picture, &[]), "#ffffff");
    assert_eq!(ground(picture, variables), "#000000");
    assert_eq!(ground(&[picture, &["--theme", "dark"]].concat(), variables), "#0d1117");
    assert_eq!(ground(&[picture, &["--theme", "auto"]].concat(), &[("COLORFGBG", "15;0")]), "#0d1117");
    std::fs::write(config.join("config.toml"), "theme = \"none-such\"\n").unwrap();
    let unknown = sandbox.run(picture);
    assert_eq!(unknown.code, 0);
    assert!(unknown.stderr.starts_with("warning: config.toml: there is no theme `none-such`"), "{}", unknown.stderr);
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

#[cfg(unix)]
#[test]
fn a_pipe_in_place_of_a_file_of_ones_own_is_not_waited_for() {
    let sandbox = Sandbox::new();
    let config = sandbox.home().join(".config/whymark");
    std::fs::create_dir_all(&config).unwrap();
    for name in ["config.toml", "keymap.toml"] {
        let made = std::process::Command::new("mkfifo").arg(config.join(name)).status().unwrap();
        assert!(made.success());
    }
    let run = sandbox.run(&["tui", "--demo", "--dump", "80x24"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    for name in ["config.toml", "keymap.toml"] {
        assert!(run.stderr.lines().any(|line| line.starts_with("warning: ") && line.contains(name)), "{}", run.stderr);
    }
}
