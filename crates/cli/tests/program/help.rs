//! Help texts: every example runs; texts fit a terminal of 80 columns.

use std::process::Command;

use crate::scene::Scene;
use crate::side_by_side::OURS;

const COMMANDS: [&str; 24] = [
    "",
    "sum",
    "audit",
    "match",
    "dupes",
    "manifest",
    "manifest split",
    "manifest merge",
    "manifest verify",
    "tree",
    "keygen",
    "sign",
    "verify",
    "key",
    "key status",
    "key log",
    "key split",
    "key advance",
    "key adopt",
    "key import",
    "kernels",
    "bench",
    "man",
    "completions",
];

fn help(command: &str, columns: &str) -> String {
    let mut program = Command::new(OURS);
    let output =
        program.arg("help").args(command.split_whitespace()).env("COLUMNS", columns).output().unwrap();
    assert!(output.status.success(), "{command}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_example_runs() {
    let mut n_examples = 0;
    for command in COMMANDS {
        let text = help(command, "100");
        let examples: Vec<&str> = text
            .lines()
            .filter_map(|line| line.strip_prefix("  "))
            .filter(|line| line.starts_with("hashlanes "))
            .collect();
        let scene = Scene::new();
        scene.file(b"firmware.bin", b"firmware");
        scene.file(b"disk.img", &[7; 5000]);
        scene.file(b"a.apk", b"apk");
        scene.file(b"pass.txt", b"a passphrase of some words\n");
        scene.file(b"a.iso", b"iso");
        std::fs::create_dir(scene.join("photos")).unwrap();
        scene.file(b"photos/a.jpg", b"a");
        scene.file(b"photos/b.jpg", b"b");
        let path = std::path::Path::new(OURS).parent().unwrap().display().to_string();
        let run = |line: &str| {
            let output = Command::new("bash")
                .args(["-euo", "pipefail", "-c", line])
                .env("PATH", format!("{path}:{}", std::env::var("PATH").unwrap()))
                .current_dir(&scene.path)
                .output()
                .unwrap();
            assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        };
        // The results of earlier steps of a user's work.
        match command {
            "sum" => run("mkdir copy && cp -r photos copy && hashlanes sum photos/a.jpg > SHA256SUMS"),
            "audit" => run("hashlanes sum -r photos > SHA256SUMS"),
            "match" => {
                run("hashlanes sum -r photos > SHA256SUMS && cp -r photos new && echo other > new/c.jpg");
            }
            "sign" | "verify" => run("hashlanes keygen --scheme SLH-DSA-SHA2-128f --out key"),
            _ => {}
        }
        if command == "verify" {
            run("hashlanes sign -k key firmware.bin");
        }
        n_examples += examples.len();
        for example in examples {
            run(example);
        }
    }
    assert!(n_examples > 30, "only {n_examples} examples were found");
}

#[test]
fn texts_fit_the_terminal() {
    for command in COMMANDS {
        for line in help(command, "80").lines() {
            // clap breaks neither names nor usage lines.
            let is_whole = !line.trim().contains(' ') || line.starts_with("Usage: ");
            assert!(line.chars().count() <= 80 || is_whole, "{command}: {line}");
        }
    }
}
