//! `hashlanes dupes`: files with equal content, in groups.

use std::process::Output;

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::hashlanes;

fn dupes(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["dupes"].into_iter().chain(args.split_whitespace()))
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Equal files of every length that the engine treats differently, among files of the same size.
fn tree() -> Scene {
    let scene = Scene::new();
    let long = Random(9).bytes(3_000_000);
    let mut other = long.clone();
    other[2_999_999] ^= 1;
    for (name, content) in [
        ("t/a", &b"abc"[..]),
        ("t/b/x", b"abc"),
        ("t/b/y", b"abd"),
        ("t/c", &long),
        ("t/d/long", &long),
        ("t/d/other", &other),
        ("t/e", b""),
        ("t/f", b""),
        ("t/g", b"alone"),
        ("t/z", b"abc"),
    ] {
        scene.file(name.as_bytes(), content);
    }
    scene.link("t/link", "a");
    scene
}

#[test]
fn groups_of_equal_files() {
    let scene = tree();
    for jobs in ["1", "3"] {
        let output = dupes(&scene, &format!("-j {jobs} t"));
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(text(&output.stdout), "t/a\nt/b/x\nt/z\n\nt/c\nt/d/long\n\nt/e\nt/f\n");
        assert_eq!(text(&output.stderr), "hashlanes: 4 duplicates in 3 groups, 3000006 bytes\n");
    }
    let output = dupes(&scene, "t --min-size 1 --max-size 1K --omit-first -q");
    assert_eq!((text(&output.stdout), text(&output.stderr)), ("t/b/x\nt/z\n", ""));
    assert_eq!(text(&dupes(&scene, "t -z").stdout), "t/a\0t/b/x\0t/z\0\0t/c\0t/d/long\0\0t/e\0t/f\0");
    let json: serde_json::Value =
        serde_json::from_slice(&dupes(&scene, "--json --max-size 3 t").stdout).unwrap();
    assert_eq!(
        json,
        serde_json::json!([
            {
                "size": 3,
                "sha256": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
                "files": [{"name": "t/a"}, {"name": "t/b/x"}, {"name": "t/z"}],
            },
            {
                "size": 0,
                "sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
                "files": [{"name": "t/e"}, {"name": "t/f"}],
            },
        ])
    );
    // None are equal, several arguments, files among them.
    let output = dupes(&scene, "t/b t/g t/d");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)));
    assert_eq!(text(&output.stderr), "hashlanes: 0 duplicates in 0 groups, 0 bytes\n");
    assert_eq!(text(&dupes(&scene, "--json t/g").stdout), "[]\n");
}

/// A file has no duplicates because it has several names, or is found twice.
#[test]
fn one_file_with_several_names() {
    let scene = tree();
    std::fs::hard_link(scene.join("t/g"), scene.join("t/hard")).unwrap();
    std::fs::hard_link(scene.join("t/a"), scene.join("t/also a")).unwrap();
    let output = dupes(&scene, "t t t/a --max-size 10 --min-size 1");
    assert_eq!(text(&output.stdout), "t/a\nt/b/x\nt/z\n");
    // A link that is followed leads to a file that is listed already.
    assert_eq!(text(&dupes(&scene, "-L t --max-size 10 --min-size 1").stdout), "t/a\nt/b/x\nt/z\n");
}

#[test]
fn odd_names() {
    let scene = Scene::new();
    let mut names = ODD_NAMES.to_vec();
    names.sort_unstable();
    for name in &names {
        scene.file(&[b"t/", *name].concat(), b"equal");
    }
    let output = dupes(&scene, "-z t");
    let expected: Vec<u8> = names.iter().flat_map(|name| [b"t/", *name, b"\0"].concat()).collect();
    assert_eq!(output.stdout, expected);
    let output = dupes(&scene, "t");
    assert_eq!(output.stdout.split(|byte| *byte == b'\n').count(), names.len() + 1);
    assert!(
        output.stdout.windows(13).any(|line| line == b"\\t/new\\nline\n"),
        "{}",
        output.stdout.escape_ascii()
    );
    let json: serde_json::Value = serde_json::from_slice(&dupes(&scene, "--json t").stdout).unwrap();
    let files = json[0]["files"].as_array().unwrap();
    assert_eq!(files.len(), names.len());
    // The bytes `t/`, ff, fe.
    assert!(files.iter().any(|file| file["name_base64"] == "dC///g=="));
}

#[test]
fn faults() {
    let scene = tree();
    let output = dupes(&scene, "t nowhere /dev/null");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).starts_with("t/a\nt/b/x\nt/z\n"));
    assert_eq!(
        text(&output.stderr),
        "hashlanes: nowhere: No such file or directory\nhashlanes: /dev/null: not compared: not a regular file\n\
         hashlanes: 4 duplicates in 3 groups, 3000006 bytes\n"
    );
    for wrong in ["", "t --json -z", "t --exclude [", "t --min-size 2 --max-size 1"] {
        assert_eq!(dupes(&scene, wrong).status.code(), Some(2), "{wrong}");
    }
}
