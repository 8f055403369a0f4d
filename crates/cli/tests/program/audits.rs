//! `hashlanes audit`: what became of the files of a manifest, in every format of manifests.

use std::process::Output;

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::hashlanes;

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A tree of 60 files, some long, some equal, in two directories.
fn tree() -> Scene {
    let scene = Scene::new();
    let content = Random(4).bytes(200_000);
    for k in 0..60 {
        let name = format!("{}/d{}/f{k}", if k % 2 == 0 { "one" } else { "two" }, k % 5);
        scene.file(name.as_bytes(), &content[k..k + (k * k * 50).max(1)]);
    }
    scene
}

/// Changes of every kind, whichever format the manifest has.
#[test]
fn every_kind_of_finding_in_every_format() {
    for options in [
        "",
        "--tag",
        "-a sha1",
        "-a sha512,sha256",
        "--format json",
        "-a sha1,sha256 --format ndjson",
        "-a sha384,sha1 --format csv",
        "-a sha1 --format hashdeep",
        "--format sri -a sha512",
        "--base64",
    ] {
        let scene = tree();
        let list = run(&scene, &format!("sum -r {options} one two"));
        assert!(list.status.success());
        std::fs::write(scene.join("list"), &list.stdout).unwrap();
        let same = run(&scene, "audit list");
        assert_eq!((text(&same.stdout), same.status.code()), ("", Some(0)), "{options}");
        assert_eq!(text(&same.stderr), "hashlanes: 60 the same, 0 changed, 0 moved, 0 new, 0 missing\n");

        scene.file(b"one/d0/f10", b"changed");
        std::fs::create_dir(scene.join("two/moved here")).unwrap();
        std::fs::rename(scene.join("one/d2/f12"), scene.join("two/moved here/f")).unwrap();
        std::fs::remove_file(scene.join("two/d3/f33")).unwrap();
        scene.file(b"one/new\nline", b"new");
        let findings = "changed  one/d0/f10\nmoved    one/d2/f12 -> two/moved here/f\n\\new      one/new\\nline\n\
                        missing  two/d3/f33\n";
        for paths in ["", "one two", "two one -j 3"] {
            let output = run(&scene, &format!("audit list {paths}"));
            assert_eq!(
                (text(&output.stdout), output.status.code()),
                (findings, Some(1)),
                "{options} {paths}"
            );
            let summary = "hashlanes: 57 the same, 1 changed, 1 moved, 1 new, 1 missing\n";
            assert_eq!(text(&output.stderr), summary, "{options} {paths}");
        }
        let output = run(&scene, "audit --json list");
        let audit: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            audit,
            serde_json::json!({
                "same": 57,
                "changed": [{"name": "one/d0/f10"}],
                "moved": [{"from": "one/d2/f12", "to": "two/moved here/f"}],
                "new": [{"name": "one/new\nline"}],
                "missing": [{"name": "two/d3/f33"}],
            })
        );
    }
}

/// Equal files that move pair up in order; what is left over is new or missing.
#[test]
fn equal_files_that_move() {
    let scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.file(name.as_bytes(), b"equal");
    }
    let list = run(&scene, "sum a b c").stdout;
    scene.file(b"list", &list);
    std::fs::create_dir(scene.join("d")).unwrap();
    for (old, new) in [("a", "d/1"), ("b", "d/2")] {
        std::fs::rename(scene.join(old), scene.join(new)).unwrap();
    }
    std::fs::remove_file(scene.join("c")).unwrap();
    let output = run(&scene, "audit list a b c d --quiet");
    assert_eq!(text(&output.stdout), "moved    a -> d/1\nmoved    b -> d/2\nmissing  c\n");
    assert_eq!(text(&output.stderr), "", "a name of the manifest that is gone is missing, and no trouble");
    assert_eq!(output.status.code(), Some(1));
}

/// A directory that is gone, absolute names, names with a dot before them, odd names.
#[test]
fn what_is_looked_at() {
    let scene = tree();
    for (k, name) in ODD_NAMES.into_iter().enumerate() {
        scene.file(&[b"one/odd/", name].concat(), &[k as u8; 50]);
    }
    let absolute = scene.join("two").to_str().unwrap().to_owned();
    for arguments in ["one two", "./one", &absolute, "one/odd two/d1"] {
        let list = run(&scene, &format!("sum -r {arguments}")).stdout;
        let n = list.iter().filter(|byte| **byte == b'\n').count();
        scene.file(b"list", &list);
        let output = run(&scene, &format!("audit list {arguments}"));
        let summary = format!("hashlanes: {n} the same, 0 changed, 0 moved, 0 new, 0 missing\n");
        assert_eq!((text(&output.stdout), text(&output.stderr)), ("", &summary[..]), "{arguments}");
    }
    // Without paths: by the first parts of names, and by the directory of absolute ones.
    for (arguments, n) in [("one two", 60 + ODD_NAMES.len()), (&absolute[..], 30)] {
        let list = run(&scene, &format!("sum -r {arguments}")).stdout;
        scene.file(b"list", &list);
        let output = run(&scene, "audit list");
        let summary = format!("hashlanes: {n} the same, 0 changed, 0 moved, 0 new, 0 missing\n");
        assert_eq!(text(&output.stderr), summary, "{arguments}");
    }
    // The manifest is not new where it lies among the files.
    let list = run(&scene, "sum -r one two").stdout;
    scene.file(b"one/list", &list);
    assert_eq!(run(&scene, "audit one/list").status.code(), Some(0));
    let list = run(&scene, "sum -r two").stdout;
    scene.file(b"list", &list);
    std::fs::remove_dir_all(scene.join("two")).unwrap();
    let output = run(&scene, "audit list");
    assert_eq!(text(&output.stderr), "hashlanes: 0 the same, 0 changed, 0 moved, 0 new, 30 missing\n");
    assert_eq!(output.status.code(), Some(1));
    let output = run(&scene, "audit list two");
    assert!(text(&output.stderr).starts_with("hashlanes: two: No such file or directory\n"));
    assert_eq!(output.status.code(), Some(2));
}

/// What is no manifest, and what is none in part.
#[test]
fn manifests_that_are_none() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
    for (list, said) in [
        ("", "not a manifest: no properly formatted line"),
        ("hello\n", "not a manifest: no properly formatted line"),
        (
            "[{\"name\": \"a\"}]",
            "not a manifest: object 1: an object without the digest of a hash that is known here",
        ),
        (
            "[{\"name\": \"a\", \"sha256\": \"ba78\"}]",
            "not a manifest: object 1: an object without the digest",
        ),
        ("[1, 2]", "not a manifest: object 1: invalid type: integer `1`, expected a map"),
        ("[", "not a manifest: object 1: EOF while parsing"),
        ("{\"sha256\": 5}\n", "not a manifest: an object without name"),
        ("name,size\r\na,3\r\n", "not a manifest: no properly formatted line"),
        (
            "%%%% HASHDEEP-1.0\n%%%% size,md5,filename\n3,900150983cd24fb0d6963f7d28e17f72,a\n",
            "not a manifest: no",
        ),
    ] {
        scene.file(b"list", list.as_bytes());
        let output = run(&scene, "audit list");
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)), "{list}");
        assert!(
            text(&output.stderr).starts_with(&format!("hashlanes: list: {said}")),
            "{}",
            text(&output.stderr)
        );
    }
    // Cut in the middle, damaged, a line of another hash: what is left is audited, and the rest told.
    let good = format!("{digest}  a\n");
    for (list, n) in [
        (format!("{good}garbage\n"), "1 line is"),
        (format!("{good}{good}a9993e364706816aba3e25717850c26c9cd0d89d  b\nSHA1 (c) = 00\n"), "2 lines are"),
        (format!("name,size,sha256\r\na,3,{digest}\r\nb,4\r\nc,3,xx\r\n"), "2 lines are"),
        (format!("%%%% HASHDEEP-1.0\n%%%% size,md5,sha256,filename\n3,00,{digest},a\n3,00\n"), "1 line is"),
    ] {
        scene.file(b"list", list.as_bytes());
        let output = run(&scene, "audit list");
        let warning = format!("hashlanes: list: WARNING: {n} improperly formatted, or of another hash\n");
        assert!(text(&output.stderr).starts_with(&warning), "{list}: {}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(0), "{list}");
    }
    assert_eq!(run(&scene, "audit gone").status.code(), Some(2));
    assert_eq!(text(&run(&scene, "audit .").stderr), "hashlanes: .: Is a directory\n");
}
