//! `hashlanes tree -m dm-verity` and `fs-verity`: trees written and compared, with `veritysetup` as the
//! judge where it is installed.

use std::process::{Command, Output};

use crate::scene::{Random, Scene};
use crate::side_by_side::hashlanes;

const UUID: &str = "01234567-89ab-cdef-0123-456789abcdef";

fn tree(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["tree"].into_iter().chain(args.split_whitespace()))
}

/// Returns the exit status, and both outputs.
fn outcome(scene: &Scene, args: &str) -> (Option<i32>, String, String) {
    let output = tree(scene, args);
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

/// Returns the result that a successful run prints for one file.
fn root(scene: &Scene, args: &str) -> String {
    let (status, out, err) = outcome(scene, args);
    assert_eq!((status, &*err), (Some(0), ""), "{args}");
    out.split_once("  ").unwrap().0.to_owned()
}

fn verified(scene: &Scene, args: &str) {
    let (status, out, err) = outcome(scene, args);
    assert_eq!((status, &*err), (Some(0), ""), "{args}");
    assert!(out.ends_with(": OK\n"), "{args}: {out}");
}

/// Asserts that a check fails, and why.
fn refuted(scene: &Scene, args: &str, why: &str) {
    let (status, out, err) = outcome(scene, args);
    assert_eq!(
        (status, &*out, &*err),
        (Some(1), "data: FAILED\n", &*format!("hashlanes: data: {why}\n")),
        "{args}"
    );
}

/// Changes a byte of a file.
fn change(scene: &Scene, name: &str, at: usize) {
    let mut content = std::fs::read(scene.join(name)).unwrap();
    content[at] ^= 1;
    std::fs::write(scene.join(name), content).unwrap();
}

#[test]
fn the_same_as_veritysetup() {
    // Debian's place, which the path of a user may lack.
    const VERITYSETUP: &str = "/usr/sbin/veritysetup";
    let veritysetup = |scene: &Scene, args: &str| {
        let output =
            Command::new(VERITYSETUP).args(args.split_whitespace()).current_dir(&scene.path).output();
        let output = output.unwrap();
        assert!(output.status.success(), "{args}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    if Command::new(VERITYSETUP).arg("--version").output().is_err() {
        println!("skipped: veritysetup is not installed");
        return;
    }
    let (theirs, ours) = (Scene::new(), Scene::new());
    let content = Random(29).bytes(700 * 4096);
    for (hash, data_block, hash_block, salt, data_blocks, hash_offset, superblock, file) in [
        ("sha256", 4096, 4096, "-", 700, 0, true, "hashes"),
        ("sha256", 512, 4096, "0102", 5600, 0, true, "hashes"),
        ("sha512", 4096, 1024, "aa", 333, 0, true, "hashes"),
        ("sha1", 1024, 512, "-", 2800, 0, false, "hashes"),
        // After other bytes of the hash device, and after the data themselves.
        ("sha256", 4096, 4096, "0102", 700, 1536, true, "hashes"),
        ("sha256", 4096, 1024, "-", 130, 3 << 20, true, "data"),
        ("sha384", 4096, 4096, "0102", 699, 700 * 4096, true, "data"),
        ("sha256", 4096, 4096, "0102", 129, 8192 * 100, false, "data"),
        ("sha256", 4096, 4096, "-", 1, 8192, true, "data"),
    ] {
        for scene in [&theirs, &ours] {
            scene.file(b"data", &content);
            // Longer than the tree, and not zeros.
            let before = if hash_offset > 0 { vec![7; 1 << 20] } else { Vec::new() };
            scene.file(b"hashes", &before);
        }
        let head = if superblock { format!("--uuid={UUID}") } else { "--no-superblock".into() };
        let places =
            format!("--data-blocks={data_blocks} --hash-offset={hash_offset} --salt={salt} --hash={hash}");
        let blocks = format!("--hash-block-size={hash_block}");
        let common = format!("{places} {blocks}");
        let told = veritysetup(
            &theirs,
            &format!("format data {file} {common} --data-block-size={data_block} {head}"),
        );
        let expected = told.lines().find_map(|line| line.strip_prefix("Root hash:")).unwrap().trim();
        let options = format!("-m dm-verity {common} --block-size={data_block} {head} --tree-out {file}");
        assert_eq!(root(&ours, &format!("{options} data")), expected, "{options}");
        let [their_file, our_file] = [&theirs, &ours].map(|scene| std::fs::read(scene.join(file)).unwrap());
        assert!(their_file == our_file, "{options}");

        let (place, parameters) = if superblock {
            (format!("--hash-offset={hash_offset}"), String::new())
        } else {
            (format!("{common} --no-superblock"), format!("--block-size={data_block}"))
        };
        veritysetup(
            &ours,
            &match superblock {
                true => format!("verify data {file} {expected} {place}"),
                false => format!("verify data {file} {expected} {place} --data-block-size={data_block}"),
            },
        );
        verified(
            &theirs,
            &format!("-m dm-verity --verify-tree {file} --root {expected} {place} {parameters} data"),
        );
    }
}

#[test]
fn wrong_data_and_wrong_trees() {
    let scene = Scene::new();
    scene.file(b"data", &Random(30).bytes(300 * 4096));
    let written = root(&scene, "-m dm-verity --salt 01 --tree-out hashes data");
    let check = format!("-m dm-verity --verify-tree hashes --root {written} data");
    let (data, hashes) =
        (std::fs::read(scene.join("data")).unwrap(), std::fs::read(scene.join("hashes")).unwrap());
    for jobs in ["", "-j 1 "] {
        verified(&scene, &format!("{jobs}{check}"));
    }
    assert_eq!(outcome(&scene, &format!("--quiet {check}")), (Some(0), String::new(), String::new()));

    change(&scene, "data", 17 * 4096 + 5);
    refuted(&scene, &check, "block 17, at byte 69632, does not match hashes");
    assert_eq!(outcome(&scene, &format!("--status {check}")), (Some(1), String::new(), String::new()));
    for block in 20..30 {
        change(&scene, "data", block * 4096);
    }
    refuted(&scene, &check, "block 17, at byte 69632, does not match hashes; 11 blocks differ in total");
    scene.file(b"data", &data);
    // The superblock, the top level, and three blocks of digests, the last of which has 44.
    let bottom = 8192;
    for (at, first) in [
        (4096 + 5, 4096),
        (4096 + 3 * 32 + 1, 4096 + 3 * 32 + 1),
        (bottom + 40 * 32 + 31, bottom + 40 * 32),
        (bottom + 300 * 32 + 9, bottom + 300 * 32 + 9),
    ] {
        change(&scene, "hashes", at);
        refuted(&scene, &check, &format!("the data match the root, but hashes does not, at byte {first}"));
        scene.file(b"hashes", &hashes);
    }
    let other = written.replace(['0', '1'], "2");
    let with_other = format!("-m dm-verity --verify-tree hashes --root {other} data");
    refuted(&scene, &with_other, &format!("the root is {written}"));
    refuted(&scene, &check.replace(&written, "00"), "--root has 1 bytes; expected 32");

    // A file of fewer blocks than the superblock says, and a hash device that is cut off.
    scene.file(b"data", &data[..299 * 4096]);
    refuted(&scene, &check, "has 1224704 of 1228800 bytes");
    scene.file(b"data", &data);
    scene.file(b"hashes", &hashes[..hashes.len() - 1]);
    refuted(&scene, &check, &format!("hashes: must be a file of at least {} bytes", hashes.len()));
    scene.file(b"hashes", &hashes[4096..]);
    let no_superblock =
        "hashes: no superblock of dm-verity; give its place with --hash-offset, or use --no-superblock";
    refuted(&scene, &check, no_superblock);
    verified(&scene, &format!("{check} --no-superblock --salt 01"));
    std::fs::remove_file(scene.join("hashes")).unwrap();
    refuted(&scene, &check, "cannot read hashes: No such file or directory");
    // Superblocks of other versions, formats and hashes.
    for (at, value, why) in [
        (8, 2, "a superblock of version 2, format 1; supported: version 1, format 1"),
        (12, 0, "a hash device of format 0; supported: format 1"),
        (32, b'x', "hash \"xha256\": expected one of sha256, sha512, sha1, sha384"),
        (81, 9, "damaged superblock: a salt of 2305 bytes"),
    ] {
        let mut damaged = hashes.clone();
        damaged[at] = value;
        scene.file(b"hashes", &damaged);
        refuted(&scene, &check, &format!("hashes: {why}"));
    }
}

#[test]
fn trees_of_fs_verity() {
    let scene = Scene::new();
    for (len, block) in [(0, 4096), (1, 4096), (300_000, 1024), (1 << 20, 4096)] {
        let content = Random(len + 1).bytes(len as usize);
        scene.file(b"data", &content);
        let options = format!("-m fs-verity --block-size {block} --salt 0a");
        let written = root(&scene, &format!("{options} --tree-out levels data"));
        assert_eq!(root(&scene, &format!("{options} data")), written);
        let check = format!("{options} --verify-tree levels --root {written} data");
        verified(&scene, &check);
        if content.len() > block {
            change(&scene, "data", 0);
            refuted(
                &scene,
                &check,
                match content.len() / block {
                    0..2 => unreachable!(),
                    _ => "block 0, at byte 0, does not match levels",
                },
            );
            scene.file(b"data", &content);
            change(&scene, "levels", 0);
            refuted(&scene, &check, "the data match the root, but levels does not, at byte 0");
        }
    }
}

/// The bytes before --hash-offset stay; a tree in the data is refused.
#[test]
fn trees_in_the_file_of_the_data() {
    let scene = Scene::new();
    let content = Random(31).bytes(20 * 4096);
    scene.file(b"data", &content);
    let refused = |args: &str, status: i32, why: &str| {
        let (code, out, err) = outcome(&scene, args);
        assert_eq!((code, &*out), (Some(status), ""), "{args}");
        assert!(err.starts_with(&format!("hashlanes: {why}\n")), "{args}: {err}");
    };
    let own = "cannot write data: it is the input";
    refused("-m dm-verity --hash-offset 77824 --tree-out data data", 1, &format!("data: {own}"));
    refused(
        "-m dm-verity --data-blocks 10 --hash-offset 36864 --tree-out data data",
        1,
        &format!("data: {own}"),
    );
    refused("-m dm-verity --data-blocks 21 data", 1, "data: has 81920 of 86016 bytes");
    assert!(std::fs::read(scene.join("data")).unwrap() == content);
    // All of the file is data, and the tree comes after it.
    let written = root(&scene, "-m dm-verity --hash-offset 81920 --tree-out data data");
    let both = std::fs::read(scene.join("data")).unwrap();
    assert!(both[..81920] == content && both.len() == 81920 + 2 * 4096);
    let check = format!("-m dm-verity --hash-offset 81920 --verify-tree data --root {written} data");
    verified(&scene, &check);
    // A link to a file is not followed where the file is written in place.
    scene.file(b"other", &[7; 9000]);
    scene.link("link", "other");
    refused(
        "-m dm-verity --data-blocks 20 --hash-offset 4096 --tree-out link data",
        1,
        "data: cannot write link: Too many levels of symbolic links",
    );
    root(&scene, "-m dm-verity --data-blocks 20 --hash-offset 4096 --tree-out other data");
    let other = std::fs::read(scene.join("other")).unwrap();
    assert!(
        other[..4096] == [7; 4096] && other[4096..].starts_with(b"verity\0\0") && other.len() == 3 * 4096
    );
    // A file that does not exist is new, with zeros before the tree.
    root(&scene, "-m dm-verity --data-blocks 20 --hash-offset 8192 --tree-out new data");
    let new = std::fs::read(scene.join("new")).unwrap();
    assert!(new[..8192].iter().all(|&byte| byte == 0) && new[8192..].starts_with(b"verity\0\0"));

    for (args, why) in [
        (
            "-m dm-verity --hash-offset 100 --tree-out x data",
            "dm-verity: --hash-offset 100: must be a multiple of 512",
        ),
        (
            "-m dm-verity --hash-offset 512 --no-superblock --tree-out x data",
            "dm-verity: --hash-offset 512: must be a multiple of 4096",
        ),
        (
            "-m dm-verity --hash-offset 512 data",
            "--hash-offset and --no-superblock require --tree-out or --verify-tree",
        ),
        ("-m dm-verity --data-blocks 0 data", "dm-verity: --data-blocks must not be zero"),
        (
            "-m dm-verity --hash-block-size 100 data",
            "dm-verity: block size: 100; it is a power of two from 512 to 524288",
        ),
        ("-m fs-verity --hash-block-size 1024 data", "--hash-block-size is for dm-verity, not for fs-verity"),
        ("-m dm-verity --root 00 data", "--root requires --verify-proof or --verify-tree"),
        (
            "-m dm-verity --verify-tree x --root 0 data",
            "dm-verity: --root: expected hexadecimal digits, two for each byte",
        ),
        (
            "-m dm-verity --verify-tree - --root 00 data",
            "--verify-tree -: a tree cannot be read from standard input; name a file",
        ),
        ("-m dm-verity --verify-tree x --root 00 data data", "--verify-tree accepts one file only"),
    ] {
        refused(args, 2, why);
    }
    let (status, _, err) = outcome(&scene, "-m dm-verity --verify-tree x --root 00 --salt 00 data");
    assert!(status == Some(2) && err.contains("from the superblock"), "{err}");
}
