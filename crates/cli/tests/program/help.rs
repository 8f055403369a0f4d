//! Help texts: every example runs; texts fit a terminal of 80 columns.

use std::process::Command;

use hashlanes::hbs::ParameterSet;
use hashlanes_testkit::vectors;

use crate::keys::result_of;
use crate::scene::Scene;
use crate::side_by_side::OURS;

/// Creates the key of the examples.
const KEYGEN: &str = "hashlanes keygen --scheme XMSSMT-SHA2_20/4_256 --out key";

const COMMANDS: [&str; 28] = [
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
    "key export-public",
    "key import",
    "key passphrase",
    "key certificate",
    "key request",
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

/// Returns a secret key of XMSS^MT as the reference code stores it.
fn reference_key() -> Vec<u8> {
    let keys = vectors::xmss().into_iter().filter_map(|vector| {
        let set: ParameterSet = vector.name.parse().unwrap();
        let is_small = vector.name.starts_with("XMSSMT") && set.tree_height() <= 5;
        let seeds = vector.seeds.filter(|_| is_small && vector.derivation.as_deref() == Some("sp800-208"))?;
        let (secret, seed) = seeds.split_at(2 * set.n());
        let (oid, root_and_seed) = vector.public_key.split_at(4);
        Some([oid, &vec![0; set.index_bytes()], secret, &root_and_seed[..set.n()], seed].concat())
    });
    keys.into_iter().next().expect("a small key")
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
            "audit" => run("mkdir copy && cp -r photos copy && hashlanes sum -r photos > SHA256SUMS"),
            "match" => {
                run("hashlanes sum -r photos > SHA256SUMS && cp -r photos new && echo other > new/c.jpg");
            }
            "sign" | "verify" => run("hashlanes keygen --scheme SLH-DSA-SHA2-128f --out key"),
            "manifest merge" | "manifest verify" => run(
                "hashlanes manifest split -n 2 photos && hashlanes sum --files0-from shard.1-of-2 > 1.sums && \
                 hashlanes sum --files0-from shard.2-of-2 > 2.sums && hashlanes manifest merge 1.sums 2.sums > SUMS",
            ),
            "key import" => {
                let imports = vectors::xmss_imports();
                scene.file(b"botan.pem", &imports[0].secret);
                scene.file(b"reference.key", &reference_key());
            }
            "keygen" => {}
            "key adopt" => run(&format!("{KEYGEN} && cp -r key copy && rm -r key && mv copy key")),
            command if command.starts_with("key") => {
                run(&format!("{KEYGEN} && hashlanes sign -k key firmware.bin"));
            }
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

/// `sum` is parsed alone, `help sum` with all commands.
#[test]
fn sum_alone_is_the_command_of_the_program() {
    let alone = Command::new(OURS).args(["sum", "--help"]).env("COLUMNS", "100").output().unwrap();
    assert_eq!(String::from_utf8(alone.stdout).unwrap(), help("sum", "100"));
    // Its options may be abbreviated, and a wrong one is an error of `hashlanes sum`.
    let scene = Scene::new();
    scene.file(b"a", b"content of a");
    let (_, err, status) = result_of(&scene, "sum --algo sha256 a");
    assert_eq!((&err[..], status), ("", 0));
    let (_, err, status) = result_of(&scene, "sum --nonsense");
    assert!(err.contains("Usage: hashlanes sum [OPTIONS]") && status == 2, "{status} {err}");
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
