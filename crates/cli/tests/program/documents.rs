//! Manual pages and completions: all commands are in them, and shells read them.

use std::process::{Command, Stdio};

use crate::scene::Scene;
use crate::side_by_side::hashlanes;

const COMMANDS: [&str; 12] = [
    "sum",
    "audit",
    "manifest",
    "tree",
    "keygen",
    "sign",
    "verify",
    "key",
    "kernels",
    "bench",
    "man",
    "completions",
];

#[test]
fn manual_pages() {
    let scene = Scene::new();
    let written = hashlanes(&scene.path, ["man", "--dir", "."]);
    assert!(written.status.success() && written.stdout.is_empty());
    let program = hashlanes(&scene.path, ["man"]).stdout;
    assert_eq!(std::fs::read(scene.join("hashlanes.1")).unwrap(), program);
    for command in COMMANDS {
        let page = hashlanes(&scene.path, ["man", command]).stdout;
        assert_eq!(std::fs::read(scene.join(&format!("hashlanes-{command}.1"))).unwrap(), page);
        let page = String::from_utf8(page).unwrap();
        let head = format!("hashlanes\\-{command} \\- ");
        assert!(page.contains(&head) && page.contains(&format!("\\fBhashlanes {command}\\fR")), "{page}");
        assert!(String::from_utf8_lossy(&program).contains(&format!("hashlanes\\-{command}(1)")));
    }
    // Every page is there by its name, those of commands' commands, too.
    let mut n_pages = 0;
    for file in std::fs::read_dir(&scene.path).unwrap().flatten() {
        let name = file.file_name().into_string().unwrap();
        let Some(name) = name.strip_prefix("hashlanes-").and_then(|name| name.strip_suffix(".1")) else {
            continue;
        };
        let page = hashlanes(&scene.path, ["man", name]).stdout;
        assert!(!page.is_empty() && page == std::fs::read(file.path()).unwrap(), "{name}");
        n_pages += 1;
    }
    assert_eq!(n_pages, COMMANDS.len() + 9);
    let split = String::from_utf8(hashlanes(&scene.path, ["man", "key-split"]).stdout).unwrap();
    assert!(split.contains("\\fBhashlanes key split\\fR") && split.contains("\\-\\-count"), "{split}");
    let key = String::from_utf8(hashlanes(&scene.path, ["man", "key"]).stdout).unwrap();
    let exit_statuses = ["75  another program has the key", "4  rollback suspected"];
    assert!(key.contains("Backups.") && exit_statuses.iter().all(|line| key.contains(line)), "{key}");
    let told = hashlanes(&scene.path, ["man", "--dir", "nowhere"]);
    assert_eq!(told.status.code(), Some(1));
    let words = String::from_utf8(told.stderr).unwrap();
    assert_eq!(words, "hashlanes: nowhere/hashlanes.1: cannot write: No such file or directory\n");
}

#[test]
fn completions() {
    let scene = Scene::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = hashlanes(&scene.path, ["completions", shell]).stdout;
        let text = String::from_utf8(script.clone()).unwrap();
        assert!(
            COMMANDS.iter().all(|command| text.contains(command)) && text.contains("hmac-key-file"),
            "{shell}"
        );
        scene.file(b"script", &script);
        let read =
            Command::new(shell).args(["-n", "script"]).current_dir(&scene.path).stdin(Stdio::null()).output();
        // A shell that is not installed has nothing to say.
        if let Ok(read) = read {
            assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr));
        }
    }
    assert_eq!(hashlanes(&scene.path, ["completions", "csh"]).status.code(), Some(2));
}
