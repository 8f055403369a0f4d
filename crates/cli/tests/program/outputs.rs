//! `sum --output FILE`: nothing is lost that is there.

use std::process::{Command, Output};
use std::time::Duration;

use crate::scene::Scene;
use crate::side_by_side::{OURS, hashlanes_once};

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// A tree of 40 files, and the manifest of it.
fn tree() -> (Scene, Vec<u8>) {
    let scene = Scene::new();
    for k in 0..40 {
        scene.file(format!("d/{}/f{k}", k % 3).as_bytes(), &vec![k; 100 * usize::from(k)]);
    }
    let whole = run(&scene, "sum -r d");
    assert!(whole.status.success());
    // File times come by ticks of a clock: later files need a pause.
    std::thread::sleep(Duration::from_millis(20));
    (scene, whole.stdout)
}

fn manifest(scene: &Scene) -> Vec<u8> {
    manifest_at(scene, "list")
}

fn manifest_at(scene: &Scene, name: &str) -> Vec<u8> {
    std::fs::read(scene.join(name)).unwrap()
}

/// The manifest among the files that it lists; conflicting options; files that cannot be written.
#[test]
fn outputs() {
    let (scene, whole) = tree();
    let output = run(&scene, "sum -r d -o d/list");
    assert!(manifest_at(&scene, "d/list") == whole);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "hashlanes: d/list: not hashed: it is the output\n");
    let json = run(&scene, "sum -r d/1 --format json -o list");
    assert!(json.status.success());
    assert!(manifest(&scene) == run(&scene, "sum -r d/1 --format json").stdout);
    for (args, status, said) in [
        ("sum -r d --resume", 2, "--resume is for --output FILE"),
        ("sum -r d -o list --resume --unordered", 2, "cannot be used with"),
        (
            "sum -r d -o list --resume -a sha1,sha256",
            2,
            "--resume is for one hash in the formats gnu and bsd",
        ),
        ("sum -r d -o list --resume --format csv", 2, "--resume is for one hash in the formats gnu and bsd"),
        ("sum -r d -o no/list", 1, "hashlanes: no/list: cannot write: No such file or directory\n"),
        ("sum -r d -o .", 1, "hashlanes: .: cannot write: Is a directory\n"),
        ("sum -r d -o /dev/full", 1, "hashlanes: /dev/full: write error: No space left on device\n"),
    ] {
        let output = run(&scene, args);
        assert_eq!(output.status.code(), Some(status), "{args}");
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(words.contains(said), "{args}: {words}");
    }
}

/// A file that is not a manifest is kept, and so are the inputs of the job itself.
#[test]
fn outputs_that_must_not_be_lost() {
    let (scene, whole) = tree();
    scene.file(b"precious", b"1\n2\n3\n");
    scene.file(b"text", b"no line of any list");
    scene.file(b"names", b"d/0/f0\0");
    scene.file(b"a", b"abc");
    std::fs::hard_link(scene.join("a"), scene.join("b")).unwrap();
    let no_manifest = "exists and is not a manifest; not overwritten (choose another --output)\n";
    for (args, file, said) in [
        ("-r d -o precious", "precious", no_manifest),
        ("-r d -o precious --resume", "precious", no_manifest),
        ("-r d -o text", "text", no_manifest),
        ("a -o a", "a", "cannot write: it is one of the files to hash\n"),
        ("a d/0/f0 -o b --resume", "b", "cannot write: it is one of the files to hash\n"),
        ("--files0-from names -o names", "names", "cannot write: it is the list of names\n"),
        ("-r d --cache list -o list", "list", "cannot write: it is the cache\n"),
    ] {
        if file == "list" {
            std::fs::write(scene.join("list"), &whole).unwrap();
        }
        let before = manifest_at(&scene, file);
        let output = run(&scene, &format!("sum {args}"));
        assert_eq!(output.status.code(), Some(1), "{args}");
        assert_eq!(text(&output.stderr), format!("hashlanes: {file}: {said}"), "{args}");
        assert!(manifest_at(&scene, file) == before, "{args}");
    }
}

/// The first result of a job replaces an older manifest, in any format; a job without results keeps it.
#[test]
fn a_manifest_is_replaced() {
    let (scene, whole) = tree();
    for before in [
        "",
        "-a sha1",
        "-a sha512 --tag",
        "-z",
        "--base64",
        "--format json",
        "--format ndjson",
        "--format csv",
        "--format hashdeep",
        "--format sri",
        "-a sha1,sha256",
    ] {
        let old = run(&scene, &format!("sum -r d {before}")).stdout;
        for interrupted in [&old[..], &old[..old.len() - 7], &old[..old.len() / 3], &old[..1], b""] {
            std::fs::write(scene.join("list"), interrupted).unwrap();
            let output = run(&scene, "sum missing -o list");
            assert_eq!(output.status.code(), Some(1), "{before}");
            assert!(manifest(&scene) == interrupted, "{before}");
            assert!(run(&scene, "sum -r d -o list").status.success(), "{before}");
            assert!(manifest(&scene) == whole, "{before}");
        }
    }
    scene.file(b"empty/none", b"");
    std::fs::remove_file(scene.join("empty/none")).unwrap();
    assert!(run(&scene, "sum -r empty -o list").status.success());
    assert!(manifest(&scene).is_empty());
    // The digest alone is not a line, but the earlier lines are written.
    for _ in 0..2 {
        assert!(run(&scene, "sum --raw d/0/f3 -o digest").status.success());
    }
    assert_eq!(manifest_at(&scene, "digest").len(), 32);
}

/// Lines of another hash of the same length, of another key or form are not continued.
#[test]
fn lines_of_another_kind() {
    let (scene, whole) = tree();
    scene.file(b"key", b"key");
    scene.file(b"other-key", b"other key");
    let begun = &whole[..whole.len() / 2];
    for args in ["-a sha512-256", "--hmac-key-file key", "--tag", "-b"] {
        std::fs::write(scene.join("list"), begun).unwrap();
        let output = run(&scene, &format!("sum -r d -o list --resume {args}"));
        let said = "hashlanes: list: cannot continue: its lines have another hash, key or format; not overwritten (choose another --output)\n";
        assert_eq!((text(&output.stderr), output.status.code()), (said, Some(1)), "{args}");
        assert!(manifest(&scene) == begun, "{args}");
    }
    let keyed = run(&scene, "sum -r d --hmac-key-file key").stdout;
    std::fs::write(scene.join("list"), &keyed[..keyed.len() / 2]).unwrap();
    let output = run(&scene, "sum -r d -o list --resume --hmac-key-file other-key");
    assert_eq!(output.status.code(), Some(1));
    assert!(run(&scene, "sum -r d -o list --resume --hmac-key-file key").status.success());
    assert!(manifest(&scene) == keyed);
}

/// A pipe is written; it cannot be continued.
#[test]
fn outputs_that_are_no_files() {
    let (scene, whole) = tree();
    scene.fifo("pipe");
    let output = run(&scene, "sum -r d -o pipe --resume");
    assert_eq!(text(&output.stderr), "hashlanes: pipe: --resume: not a regular file\n");
    let reader =
        Command::new("cat").arg(scene.join("pipe")).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let child =
        Command::new(OURS).args(["sum", "-r", "d", "-o", "pipe"]).current_dir(&scene.path).spawn().unwrap();
    assert!(reader.wait_with_output().unwrap().stdout == whole);
    assert!(child.wait_with_output().unwrap().status.success());
}
