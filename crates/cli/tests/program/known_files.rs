//! `hashlanes match`: files that lists know, and those that they do not.

use std::process::Output;

use crate::scene::{Random, Scene};
use crate::side_by_side::hashlanes;

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The files that lists know, and others; one of them long.
fn tree() -> Scene {
    let scene = Scene::new();
    let long = Random(5).bytes(1_500_000);
    for (name, content) in [
        ("old/a", &b"abc"[..]),
        ("old/long", &long),
        ("new/b", b"abc"),
        ("new/c", b"abd"),
        ("new/d/long copy", &long),
        ("new/d/short", &long[1..]),
        ("new/empty", b""),
    ] {
        scene.file(name.as_bytes(), content);
    }
    scene
}

#[test]
fn known_and_unknown_files_by_every_format_of_lists() {
    let scene = tree();
    for options in [
        "",
        "--tag",
        "-a sha1",
        "-a sha512,md5 --format bsd",
        "--format json",
        "-a sha1,sha256 --format ndjson",
        "-a sha384,sha3-256 --format csv",
        "-a sha1,md5 --format hashdeep",
        "--format sri",
        "--base64",
        "-z",
    ] {
        std::fs::write(scene.join("list"), run(&scene, &format!("sum -r {options} old")).stdout).unwrap();
        for (args, expected, status) in [
            ("-k list new", "new/b\nnew/d/long copy\n", 0),
            ("-w --known list new -j 3", "new/b matches old/a\nnew/d/long copy matches old/long\n", 0),
            ("-v -k list new", "new/c\nnew/d/short\nnew/empty\n", 0),
            ("-z -k list new", "new/b\0new/d/long copy\0", 0),
            ("-k list new/c new/empty", "", 1),
            ("-v -k list old", "", 1),
            ("-k list new --max-size 3", "new/b\n", 0),
        ] {
            let output = run(&scene, &format!("match {args}"));
            assert_eq!(
                (text(&output.stdout), text(&output.stderr), output.status.code()),
                (expected, "", Some(status)),
                "{options} {args}"
            );
        }
    }
}

/// Lists with different hashes are one list; a name that is listed twice is known by both contents.
#[test]
fn several_lists() {
    let scene = tree();
    let line = |args: &str| run(&scene, &format!("sum {args}")).stdout;
    std::fs::write(scene.join("one"), line("-a sha1 old/a")).unwrap();
    std::fs::write(scene.join("two"), [line("--tag new/empty"), line("--tag new/c")].concat()).unwrap();
    let output = run(&scene, "match -k one -k two new");
    assert_eq!(text(&output.stdout), "new/b\nnew/c\nnew/empty\n");
    std::fs::write(scene.join("same name"), [line("new/c"), line("new/b").replace_name(b"new/c")].concat())
        .unwrap();
    let args = ["match", "-w", "-k", "same name", "new"];
    assert_eq!(text(&hashlanes(&scene.path, args).stdout), "new/b matches new/c\nnew/c matches new/c\n");
    // An HMAC's list needs the key.
    scene.file(b"key", b"secret");
    std::fs::write(scene.join("macs"), line("--hmac-key-file key -r old")).unwrap();
    assert_eq!(
        text(&run(&scene, "match -k macs --hmac-key-file key new").stdout),
        "new/b\nnew/d/long copy\n"
    );
    assert_eq!(run(&scene, "match -k macs new").status.code(), Some(1));
}

trait Line {
    fn replace_name(self, name: &[u8]) -> Vec<u8>;
}

impl Line for Vec<u8> {
    fn replace_name(self, name: &[u8]) -> Vec<u8> {
        [&self[..66], name, b"\n"].concat()
    }
}

#[test]
fn names_are_escaped() {
    let scene = Scene::new();
    scene.file(b"old/a\nb", b"abc");
    scene.file(b"new/plain", b"abc");
    std::fs::write(scene.join("list"), run(&scene, "sum -r old").stdout).unwrap();
    assert_eq!(text(&run(&scene, "match -w -k list new").stdout), "\\new/plain matches old/a\\nb\n");
    assert_eq!(text(&run(&scene, "match -k list old").stdout), "\\old/a\\nb\n");
}

#[test]
fn faults() {
    let scene = tree();
    std::fs::write(scene.join("list"), run(&scene, "sum -r old").stdout).unwrap();
    scene.file(b"garbage", b"no list\n");
    let list = std::fs::read(scene.join("list")).unwrap();
    scene.file(b"damaged", &[&list[..], b"no line\nWHIRLPOOL (x) = 0123456789abcdef\n"].concat());
    for (args, out, err) in [
        ("-k nowhere new", "", "hashlanes: nowhere: No such file or directory\n"),
        ("-k garbage new", "", "hashlanes: garbage: not a list of checksums: no properly formatted line\n"),
        ("-k list nowhere", "", "hashlanes: nowhere: No such file or directory\n"),
        (
            "-k damaged new/b",
            "new/b\n",
            "hashlanes: damaged: not supported: WHIRLPOOL\n\
             hashlanes: damaged: WARNING: 2 lines are improperly formatted, or of another hash\n",
        ),
    ] {
        let output = run(&scene, &format!("match {args}"));
        assert_eq!(
            (text(&output.stdout), text(&output.stderr), output.status.code()),
            (out, err, Some(2)),
            "{args}"
        );
    }
    for wrong in ["-k list", "new", "-v -w -k list new", "-k list --include [ new"] {
        let output = run(&scene, &format!("match {wrong}"));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}
