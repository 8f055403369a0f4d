//! `sum --cache FILE`: the same manifest, from files that are not read again, after any change of them or of
//! the cache.

use std::fs::File;
use std::process::Output;
use std::time::{Duration, SystemTime};

use crate::scene::{Random, Scene};
use crate::side_by_side::{OURS, hashlanes_once};

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The output, if there are no messages.
fn printed(scene: &Scene, args: &str) -> Vec<u8> {
    let output = run(scene, args);
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)), "{args}");
    output.stdout
}

/// A tree of 80 files whose times lie long enough ago to be remembered.
fn tree() -> Scene {
    let scene = Scene::new();
    let content = Random(6).bytes(200_000);
    for k in 0..80 {
        scene.file(format!("d/{}/f{k}", k % 4).as_bytes(), &content[k..(k * 2000).max(k)]);
    }
    // The time of change cannot be set: it has to pass.
    std::thread::sleep(Duration::from_millis(3100));
    scene
}

/// In the tree that is hashed, the cache is like the output no file of it.
#[test]
fn a_cache_in_its_tree() {
    let scene = tree();
    let plain = printed(&scene, "sum -r d");
    for _ in 0..2 {
        let output = run(&scene, "sum -r d --cache d/cache --output d/sums");
        assert_eq!(
            text(&output.stderr),
            "hashlanes: d/cache: not hashed: it is the cache\nhashlanes: d/sums: not hashed: it is the output\n"
        );
        assert_eq!(output.status.code(), Some(0));
        assert!(std::fs::read(scene.join("d/sums")).unwrap() == plain);
    }
}

/// Bytes of a record of SHA-256.
const RECORD: usize = 48 + 32 + 8;
const HEAD: &str = "hashlanes cache 1 sha256\n";

fn cache(scene: &Scene) -> Vec<u8> {
    std::fs::read(scene.join("cache")).unwrap()
}

/// Makes all results in the cache wrong, with valid checksums: output with them must come from the cache.
fn falsify(cache: &mut [u8]) {
    for record in cache[HEAD.len()..].chunks_exact_mut(RECORD) {
        record[48] ^= 0xff;
        let check = hashlanes::sha256(&[HEAD.as_bytes(), &record[..80]].concat());
        record[80..].copy_from_slice(&check[..8]);
    }
}

#[test]
fn files_that_are_not_read_again() {
    let scene = tree();
    let plain = printed(&scene, "sum -r d");
    assert!(printed(&scene, "sum -r d --cache cache") == plain);
    let whole = cache(&scene);
    assert_eq!(whole.len(), HEAD.len() + 80 * RECORD);
    assert!(whole.starts_with(HEAD.as_bytes()));
    for options in ["", "-j 1", "--format json", "--unordered -j 3"] {
        let cached = printed(&scene, &format!("sum -r d --cache cache {options}"));
        let plain = printed(&scene, &format!("sum -r d {options}"));
        let sorted = |lines: &[u8]| {
            let mut lines: Vec<Vec<u8>> = lines.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
            lines.sort();
            lines
        };
        assert!(if options.contains("unordered") {
            sorted(&cached) == sorted(&plain)
        } else {
            cached == plain
        });
    }
    assert!(cache(&scene) == whole, "nothing is added twice");

    let mut wrong = whole.clone();
    falsify(&mut wrong);
    std::fs::write(scene.join("cache"), &wrong).unwrap();
    let from_cache = printed(&scene, "sum -r d --cache cache");
    let same =
        plain.split(|b| *b == b'\n').zip(from_cache.split(|b| *b == b'\n')).filter(|(a, b)| a == b).count();
    assert_eq!(same, 1, "all but the empty line behind the last came from the cache");

    // Contents, size or times are changed and restored: the time of change shows it.
    let path = scene.join("d/1/f41");
    let times = std::fs::metadata(&path).unwrap();
    let mut content = std::fs::read(&path).unwrap();
    content[7] ^= 1;
    std::fs::write(&path, &content).unwrap();
    let handle = File::options().write(true).open(&path).unwrap();
    handle.set_modified(times.modified().unwrap()).unwrap();
    std::fs::rename(scene.join("d/2/f42"), scene.join("d/2/renamed")).unwrap();
    let now = text(&printed(&scene, "sum -r d --cache cache")).to_owned();
    let right = text(&printed(&scene, "sum -r d")).to_owned();
    let line_of =
        |manifest: &str, name: &str| manifest.lines().find(|line| line.ends_with(name)).unwrap().to_owned();
    assert_eq!(line_of(&now, "f41"), line_of(&right, "f41"));
    // Renaming moves the time of change too, on most file systems; the digest is right if it does.
    assert_eq!(now.lines().count(), 80);
}

#[test]
fn a_file_that_was_just_changed_is_not_remembered() {
    let scene = Scene::new();
    scene.file(b"fresh", b"fresh");
    scene.file(b"future", b"future");
    let far = SystemTime::now() + Duration::from_secs(1_000_000);
    File::options().write(true).open(scene.join("future")).unwrap().set_modified(far).unwrap();
    printed(&scene, "sum fresh future --cache cache");
    assert_eq!(cache(&scene), HEAD.as_bytes());
}

/// A damaged cache is reported and not used; a file that is not a cache is not overwritten.
#[test]
fn damaged_caches() {
    let scene = tree();
    let plain = printed(&scene, "sum -r d --cache cache");
    let whole = cache(&scene);
    let says = |n: &str| format!("hashlanes: cache: {n} damaged; those files are hashed\n");
    let mut flipped = whole.clone();
    for record in [3, 50] {
        flipped[HEAD.len() + record * RECORD + 60] ^= 1;
    }
    let mut falsified = whole.clone();
    falsify(&mut falsified);
    // Right results with a wrong checksum, and wrong results with a right one.
    let swapped = [&whole[..HEAD.len() + RECORD - 8], &falsified[HEAD.len() + RECORD - 8..]].concat();
    for (damaged, n) in [
        (flipped, "2 records are"),
        (whole[..whole.len() - 1].to_vec(), "1 record is"),
        (whole[..HEAD.len() + 10 * RECORD + 5].to_vec(), "1 record is"),
        (swapped[..HEAD.len() + RECORD].to_vec(), "1 record is"),
        ([&whole[..], &[0; 1000]].concat(), "12 records are"),
    ] {
        std::fs::write(scene.join("cache"), &damaged).unwrap();
        let output = run(&scene, "sum -r d --cache cache");
        assert_eq!((text(&output.stderr), output.status.code()), (&says(n)[..], Some(0)));
        assert!(output.stdout == plain, "{n}");
        // It is whole again.
        assert!(printed(&scene, "sum -r d --cache cache") == plain, "{n}");
        assert_eq!(cache(&scene).len(), whole.len(), "{n}");
    }
    for (file, said) in [
        (&b"a letter to a friend\n"[..], "not a cache; not overwritten (choose another --cache)"),
        (b"hashlanes cache 2 sha256\n", "not a cache; not overwritten (choose another --cache)"),
        (b"hashlanes cache 1 sha1,sha256\n", "a cache of sha1,sha256; choose another file for other hashes"),
    ] {
        std::fs::write(scene.join("cache"), file).unwrap();
        let output = run(&scene, "sum -r d --cache cache");
        assert_eq!((output.stdout.len(), output.status.code()), (0, Some(1)));
        assert_eq!(text(&output.stderr), format!("hashlanes: cache: {said}\n"));
        assert_eq!(cache(&scene), file);
    }
    let output = run(&scene, "sum -r d --cache no/cache");
    assert_eq!(
        text(&output.stderr),
        "hashlanes: no/cache: cannot use the cache: No such file or directory\n"
    );
    assert_eq!(run(&scene, "sum --cache cache --hmac-key-file d/0/f4 x").status.code(), Some(2));
}

/// Processes that share a cache, and one that is killed: the others get right results, and the cache stays
/// intact.
#[test]
fn two_processes_with_one_cache() {
    let scene = tree();
    let plain = printed(&scene, "sum -r d");
    for _ in 0..5 {
        let _ = std::fs::remove_file(scene.join("cache"));
        let start = |killed: bool| {
            let mut child = std::process::Command::new(OURS)
                .args(["sum", "-r", "d", "--cache", "cache", "-j", "2"])
                .current_dir(&scene.path)
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap();
            if killed {
                let _ = child.kill();
            }
            child
        };
        let children = [false, true, false, false].map(start);
        for (k, child) in children.into_iter().enumerate() {
            let output = child.wait_with_output().unwrap();
            assert!(k == 1 || output.stdout == plain);
        }
        assert!(printed(&scene, "sum -r d --cache cache") == plain);
        assert_eq!((cache(&scene).len() - HEAD.len()) % RECORD, 0);
    }
}
