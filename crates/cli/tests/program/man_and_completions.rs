//! Manual pages and completions: all commands are in them, and shells read them.

use std::process::{Command, Stdio};

use crate::scene::{Scene, read_more, terminal};
use crate::side_by_side::{OURS, hashlanes};

const COMMANDS: [&str; 14] = [
    "sum",
    "audit",
    "match",
    "dupes",
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
        assert!(String::from_utf8_lossy(&program).contains(&format!("\\fBhashlanes\\-{command}\\fR(1)")));
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
    assert_eq!(n_pages, COMMANDS.len() + 13);
    let split = String::from_utf8(hashlanes(&scene.path, ["man", "key-split"]).stdout).unwrap();
    assert!(split.contains("\\fBhashlanes key split\\fR") && split.contains("\\-\\-count"), "{split}");
    let key = String::from_utf8(hashlanes(&scene.path, ["man", "key"]).stdout).unwrap();
    let exit_statuses = ["\\fB75\\fR\nanother program uses the key", ".TP 6\n\\fB4\\fR\nrollback suspected"];
    assert!(exit_statuses.iter().all(|line| key.contains(line)), "{key}");
    let topics = [
        "Backups.",
        "only a witness detects it",
        "After a backup or a snapshot was restored",
        "chown \\-R USER DIR",
        ".TP 6\n\\fBlog\\fR\nA record of each commit\n",
    ];
    assert!(topics.iter().all(|topic| key.contains(topic)), "{key}");
    let result_of = hashlanes(&scene.path, ["man", "--dir", "nowhere"]);
    assert_eq!(result_of.status.code(), Some(1));
    let words = String::from_utf8(result_of.stderr).unwrap();
    assert_eq!(words, "hashlanes: nowhere: cannot write: No such file or directory\n");
}

/// Every page has the sections that a reader looks for, refers to pages that exist, and is correct roff.
#[test]
fn sections_and_references() {
    let scene = Scene::new();
    assert!(hashlanes(&scene.path, ["man", "--dir", "."]).status.success());
    let files = std::fs::read_dir(&scene.path).unwrap().flatten();
    let names: Vec<String> = files.map(|file| file.file_name().into_string().unwrap()).collect();
    assert_eq!(names.len(), COMMANDS.len() + 14);
    for name in &names {
        let page = std::fs::read_to_string(scene.join(name)).unwrap();
        let sections: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(".SH ")).collect();
        let in_order = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES", "SEE ALSO"];
        let found: Vec<&str> =
            sections.iter().copied().filter(|section| in_order.contains(section)).collect();
        assert_eq!(found, in_order, "{name}");
        for section in page.split(".SH ").skip(1) {
            assert!(section.lines().nth(1).is_some_and(|line| !line.is_empty()), "{name}: {section}");
        }
        // A reference is a name in bold and the section in parentheses.
        let mut n_references = 0;
        for reference in page.match_indices("\\fR(1)").map(|(end, _)| &page[..end]) {
            let referred = reference.rsplit("\\fB").next().unwrap().replace("\\-", "-");
            let exists =
                names.contains(&format!("{referred}.1")) || ["sha256sum", "cksum"].contains(&&referred[..]);
            assert!(exists, "{name} refers to {referred}(1)");
            n_references += 1;
        }
        assert!(n_references > 1, "{name}");
        // Backticks and characters beyond ASCII are replaced.
        assert!(page.is_ascii() && !page.contains('`') && !page.contains("\\`"), "{name}");
        assert!(page.lines().all(|line| line.len() <= 79 || line.starts_with("\\fB")), "{name}");
        assert!(page.lines().all(|line| !line.is_empty() && !line.ends_with(' ')), "{name}");
    }
    // A program that checks roff is not on every machine.
    if let Ok(lint) = Command::new("mandoc")
        .args(["-T", "lint", "-W", "warning"])
        .args(&names)
        .current_dir(&scene.path)
        .output()
    {
        let words = String::from_utf8(lint.stdout).unwrap();
        // Pages of programs are not dated: the version is what matters.
        let found: Vec<&str> = words.lines().filter(|line| !line.contains("missing date")).collect();
        assert!(found.is_empty(), "{}", found.join("\n"));
    }
}

/// A page of a command's command goes by both names.
#[test]
fn pages_of_two_words() {
    let scene = Scene::new();
    let page = |args: &[&str]| hashlanes(&scene.path, [&["man"], args].concat());
    assert_eq!(page(&["key", "status"]).stdout, page(&["key-status"]).stdout);
    assert_eq!(page(&["manifest", "merge"]).stdout, page(&["manifest-merge"]).stdout);
    for (args, words) in [
        (
            &["key", "sign"][..],
            "hashlanes: unknown command 'hashlanes key sign'; `hashlanes key --help` lists all commands\n",
        ),
        (&["sum", "status"], "hashlanes: unknown command 'hashlanes sum status'"),
        (&["keys"], "[possible values: sum,"),
        (&["key", "status", "more"], "unexpected argument 'more'"),
        (&["key", "status", "--dir", "."], "cannot be used with"),
    ] {
        let result_of = page(args);
        let err = String::from_utf8(result_of.stderr).unwrap();
        assert!(err.contains(words) && result_of.stdout.is_empty(), "{args:?}: {err}");
        assert_eq!(result_of.status.code(), Some(2), "{args:?}");
    }
}

/// On a terminal a page is shown by `man`; if `man` is missing or fails, the page is printed.
#[test]
fn pages_on_a_terminal() {
    let scene = Scene::new();
    let page = String::from_utf8(hashlanes(&scene.path, ["man", "key"]).stdout).unwrap();
    let shown = || {
        let (mut terminal, program) = terminal(24, 80);
        let mut command = Command::new(OURS);
        command.args(["man", "key"]).env("PATH", &scene.path).stdout(program);
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut screen = String::new();
        while read_more(&mut terminal, &mut screen) {}
        assert!(child.wait().unwrap().success());
        screen.replace("\r\n", "\n")
    };
    assert_eq!(shown(), page);
    // Written by another process: a process that this one starts meanwhile would have it open, and then it
    // cannot be executed.
    let man = |script: &str| {
        let write = ["-c", "printf %s \"$0\" > man; chmod 755 man", script];
        assert!(Command::new("sh").args(write).current_dir(&scene.path).status().unwrap().success());
    };
    man("#!/bin/sh\necho shown by man \"$@\"\n/bin/cat > \"${0%/*}/got\"\n");
    assert_eq!(shown(), "shown by man -l -\n");
    assert_eq!(std::fs::read_to_string(scene.join("got")).unwrap(), page);
    // Its page is not read, and may be longer than a pipe's buffer.
    man("#!/bin/sh\nexit 5\n");
    assert_eq!(shown(), page);
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
        // A shell that is not installed is skipped.
        if let Ok(read) = read {
            assert!(read.status.success(), "{shell}: {}", String::from_utf8_lossy(&read.stderr));
        }
    }
    assert_eq!(hashlanes(&scene.path, ["completions", "csh"]).status.code(), Some(2));
}
