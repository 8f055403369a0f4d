//! `hashlanes tree`: each mode against the library, whichever way a file is read; lists, hash devices,
//! proofs; wrong use.

use std::process::{Command, Output};

use hashlanes::algorithms::Sha256;
use hashlanes::tree::merkle::{
    Bep52, DmVeritySha512, FsVerity, Glacier, Preset, Rfc6962, Rfc6962Leaves, S3Composite, Ssz,
};
use hashlanes::tree::{Mode, Tree};

use crate::scene::{ODD_NAMES, Random, Scene, os};
use crate::side_by_side::{OURS, feed, hashlanes, peak_kib};

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn hex(bytes: impl AsRef<[u8]>) -> String {
    bytes.as_ref().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `hashlanes tree` with these arguments, one word each.
fn tree(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["tree"].into_iter().chain(args.split_whitespace()))
}

/// Returns the output of a successful run.
fn printed(scene: &Scene, args: &str) -> String {
    let output = tree(scene, args);
    assert_eq!(text(&output.stderr), "", "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
    String::from_utf8(output.stdout).unwrap()
}

/// Returns the error message, without the last line (where help is).
fn refused(scene: &Scene, args: &str, status: i32) -> String {
    let output = tree(scene, args);
    assert_eq!(output.status.code(), Some(status), "{args}");
    assert_eq!(text(&output.stdout), "", "{args}");
    text(&output.stderr).replace("Try 'hashlanes tree --help' for more information.\n", "")
}

/// The content of standard input.
fn of_stream(scene: &Scene, args: &str, content: &[u8]) -> String {
    let mut command = Command::new(OURS);
    let output = feed(command.arg("tree").args(args.split_whitespace()).current_dir(&scene.path), content);
    assert_eq!(text(&output.stderr), "", "{args}");
    String::from_utf8(output.stdout).unwrap()
}

/// A mode with its options, and the library's result.
type Case = (String, Box<dyn Fn(&[u8]) -> Option<String>>);

fn cases() -> Vec<Case> {
    fn of<P: Preset + 'static>(args: &str, preset: P, shown: fn(P::Output) -> String) -> Case {
        (args.into(), Box::new(move |message| preset.digest(message).ok().map(shown)))
    }
    let modes =
        ["jlanes-v1-sha256-16", "jlanes-v1-sha1-3", "jpointers-v1-sha256-16", "jpointers-v1-sha512-255"];
    let others = ["jpointers-v1-sha384-1", "mh_sha1", "mh_sha256", "parallel_hash"];
    let by_name = modes.into_iter().chain(others).map(|name| -> Case {
        let tree = Tree::new(name.parse::<Mode>().unwrap());
        (name.into(), Box::new(move |message| tree.digest(message).ok().map(|digest| digest.to_string())))
    });
    let piece = S3Composite::new(4_000).unwrap();
    let unsound = Tree::new("jlanes-v1n-sha256-4".parse().unwrap());
    let mut cases: Vec<Case> = by_name.collect();
    cases.extend([
        of("fs-verity", FsVerity::<Sha256>::new(4096, b"").unwrap(), |file| hex(file.digest)),
        of(
            "fs-verity --block-size 1K --salt 616263",
            FsVerity::<Sha256>::new(1024, b"abc").unwrap(),
            |file| hex(file.digest),
        ),
        of("dm-verity --hash SHA512 --block-size 512", DmVeritySha512::new(512, b"").unwrap(), hex),
        of("bep52", Bep52::new(1 << 14).unwrap(), |file| hex(file.root)),
        of("glacier", Glacier::new(), hex),
        of("s3-composite --part-size 100000", S3Composite::new(100_000).unwrap(), |sum| sum.to_string()),
        of("s3-composite --part-size 4KB", piece, |sum| sum.to_string()),
        of("s3-composite --part-size 2MiB", S3Composite::new(2 << 20).unwrap(), |sum| sum.to_string()),
        of("rfc6962 --leaf-size 1000", Rfc6962::with_leaf_bytes(1000).unwrap(), |tree| hex(tree.root)),
        of("ssz", Ssz::new(), hex),
        of("ssz --limit 1G --mix-in-length 77", Ssz::with_limit(1 << 30).mix_in_length(77), hex),
        (
            "jlanes-v1n-sha256-4 --i-know".into(),
            Box::new(move |message| unsound.digest(message).ok().map(|digest| digest.to_string())),
        ),
        (
            "rfc6962".into(),
            Box::new(|message| {
                let mut leaves = Rfc6962Leaves::new();
                let lines = message.strip_suffix(b"\n").unwrap_or(message);
                if !message.is_empty() {
                    lines.split(|&byte| byte == b'\n').for_each(|line| leaves.push(line));
                }
                Some(hex(leaves.finish().root))
            }),
        ),
    ]);
    cases
}

/// Lengths on both sides of what threads share: runs of chunks, pieces of slices, files that all threads take
/// together.
#[test]
fn every_mode_is_the_librarys() {
    let scene = Scene::new();
    let content = Random(1).bytes(9 << 20);
    for len in [0, 1, 1000, 5120, 300_000, 1 << 20, (9 << 20) - 511, 9 << 20] {
        scene.file(b"file", &content[..len]);
        for (args, expected) in cases() {
            let Some(expected) = expected(&content[..len]) else {
                assert_eq!(
                    tree(&scene, &format!("-m {args} file")).status.code(),
                    Some(1),
                    "{args}, {len} bytes"
                );
                continue;
            };
            for jobs in [1, 3] {
                let given = printed(&scene, &format!("-j {jobs} -m {args} file"));
                assert_eq!(given, format!("{expected}  file\n"), "{args}, {len} bytes, {jobs} threads");
            }
            if len <= 1 << 20 {
                let needs_length = args.starts_with("jpointers") || args == "parallel_hash";
                let length = if needs_length { format!("--length {len}") } else { String::new() };
                let given = of_stream(&scene, &format!("-j 2 -m {args} {length}"), &content[..len]);
                assert_eq!(given, format!("{expected}  -\n"), "{args}, {len} bytes of standard input");
            }
        }
    }
}

/// Many files, some of them long, some missing: in order, for every number of threads.
#[test]
fn many_files_in_order() {
    let scene = Scene::new();
    let content = Random(2).bytes(9 << 20);
    let mut expected = String::new();
    let mut names = String::new();
    for k in 0..300 {
        let name = format!("f{k}");
        names += &format!(" {name}");
        if k == 70 {
            continue;
        }
        let part = if k % 100 == 50 { &content[k..] } else { &content[k..2 * k] };
        scene.file(name.as_bytes(), part);
        expected += &format!("{}  {name}\n", hex(Glacier::new().digest(part).unwrap()));
    }
    for jobs in [1, 2, 5] {
        let output = tree(&scene, &format!("-j {jobs} -m glacier {names}"));
        assert_eq!(text(&output.stdout), expected, "{jobs} threads");
        assert_eq!(text(&output.stderr), "hashlanes: f70: No such file or directory\n");
        assert_eq!(output.status.code(), Some(1));
    }
}

/// A list is read back with any names; a changed file, a missing one and an invalid line are reported.
#[test]
fn lists_are_read_back() {
    let scene = Scene::new();
    for (name, k) in ODD_NAMES.into_iter().zip(0..) {
        scene.file(name, &[k; 100]);
    }
    for mode in ["jlanes-v1-sha256-4", "s3-composite --part-size 64"] {
        let options = ["tree", "-m"].into_iter().chain(mode.split_whitespace()).map(Into::into);
        let names = ["--".into()].into_iter().chain(ODD_NAMES.into_iter().map(os));
        let list = hashlanes(&scene.path, options.chain(names)).stdout;
        assert_eq!(list.split(|&byte| byte == b'\n').count(), ODD_NAMES.len() + 1, "a line for each");
        scene.file(b"list", &list);
        let checked = printed(&scene, &format!("-m {mode} --check list --quiet"));
        assert_eq!(checked, "", "{mode}");
    }
    // NUL after lines, and names unescaped.
    let zero = hashlanes(&scene.path, ["tree", "-zm", "glacier", "back\\slash"].map(os_of)).stdout;
    assert!(zero.ends_with(b"  back\\slash\0") && !zero.starts_with(b"\\"));
    scene.file(b"a", b"a");
    scene.file(b"b", b"b");
    let list = printed(&scene, "-m glacier a b");
    scene.file(
        b"list",
        format!(
            "# a comment\r\n{}gone\r\n{}",
            list.to_uppercase().replace("  A", "  a").replace("  B", " *b"),
            &list[..64]
        )
        .as_bytes(),
    );
    scene.file(b"b", b"changed");
    let output = tree(&scene, "-m glacier -c list");
    assert_eq!(text(&output.stdout), "a: OK\nb: FAILED\n");
    assert_eq!(
        text(&output.stderr),
        "hashlanes: WARNING: 2 lines are improperly formatted\nhashlanes: WARNING: 1 computed checksum did NOT match\n"
    );
    assert_eq!(output.status.code(), Some(1));
    std::fs::remove_file(scene.join("b")).unwrap();
    let output = tree(&scene, "-m glacier -c list --status");
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(1)));
    assert!(text(&output.stderr).contains("hashlanes: b: No such file or directory\n"));
    // Like `sum --check`: strict, with messages, without missing files.
    scene.file(b"b", b"b");
    let list = printed(&scene, "-m glacier a b");
    scene.file(b"list", format!("garbage\n{list}{}  gone\n", "0".repeat(64)).as_bytes());
    let output = tree(&scene, "-m glacier -c list --ignore-missing --warn");
    assert_eq!((text(&output.stdout), output.status.code()), ("a: OK\nb: OK\n", Some(0)));
    assert_eq!(
        text(&output.stderr),
        "hashlanes: list: 1: improperly formatted checksum line\nhashlanes: WARNING: 1 line is improperly formatted\n"
    );
    assert_eq!(tree(&scene, "-m glacier -c list --ignore-missing --strict").status.code(), Some(1));
    // A mode that has no result for a file could read it.
    scene.file(b"list", format!("{}  a\n", "0".repeat(64)).as_bytes());
    let output = tree(&scene, "-m dm-verity -c list");
    assert_eq!(text(&output.stdout), "a: FAILED\n");
    // Lines as fsverity prints them.
    let digest = &printed(&scene, "-m fs-verity a")[..64];
    scene.file(b"list", format!("sha256:{digest} a\n").as_bytes());
    assert_eq!(printed(&scene, "-m fs-verity -c list"), "a: OK\n");
    scene.file(b"list", b"nothing\n");
    assert_eq!(
        refused(&scene, "-m glacier -c list", 1),
        "hashlanes: list: no properly formatted checksum lines found\n"
    );
    assert_eq!(refused(&scene, "-m glacier -c gone", 1), "hashlanes: gone: No such file or directory\n");
}

fn os_of(text: &str) -> std::ffi::OsString {
    text.into()
}

/// A hash device as the library makes it; the levels of fs-verity; a piece layer.
#[test]
fn trees_are_written() {
    let scene = Scene::new();
    let content = Random(3).bytes(2000 * 512);
    scene.file(b"data", &content);
    let verity = DmVeritySha512::new(512, b"\x01\x02").unwrap();
    let levels = verity.hash_file(&content).unwrap();
    let root = verity.digest(&content).unwrap();
    let options = "-m dm-verity --hash sha512 --block-size 512 --salt 0102 --tree-out out";
    for jobs in [1, 4] {
        let uuid = "--uuid 01234567-89ab-cdef-0123-456789abcdef";
        assert_eq!(
            printed(&scene, &format!("-j {jobs} {options} {uuid} data")),
            format!("{}  data\n", hex(root))
        );
        let written = std::fs::read(scene.join("out")).unwrap();
        let superblock = verity.superblock(0x0123456789abcdef0123456789abcdefu128.to_be_bytes(), 2000);
        assert!(written == [&superblock[..], &levels].concat(), "{jobs} threads");
        printed(&scene, &format!("-j {jobs} {options} --no-superblock data"));
        assert!(std::fs::read(scene.join("out")).unwrap() == levels, "{jobs} threads");
    }
    // Without a UUID there is a random one.
    let uuids = [(); 2].map(|()| {
        printed(&scene, &format!("{options} data"));
        std::fs::read(scene.join("out")).unwrap()[16..32].to_vec()
    });
    assert_ne!(uuids[0], uuids[1]);

    printed(&scene, "-m fs-verity --tree-out out data");
    let (leaves, upper) = (250 * 32, 2 * 32);
    let written = std::fs::read(scene.join("out")).unwrap();
    assert_eq!(written.len(), 3 * 4096);
    let digests: Vec<u8> = content.chunks(4096).flat_map(hashlanes::sha256).collect();
    assert!(written[4096..][..leaves] == digests && written[4096 + leaves..].iter().all(|&byte| byte == 0));
    assert!(written[upper..4096].iter().all(|&byte| byte == 0));

    printed(&scene, "-m bep52 --piece-length 32K --tree-out out data");
    let layer = Bep52::new(32 << 10).unwrap().digest(&content).unwrap().piece_layer;
    assert!(std::fs::read(scene.join("out")).unwrap() == layer.as_flattened());

    std::fs::remove_file(scene.join("out")).unwrap();
    scene.file(b"short", &content[..1000]);
    let said = refused(&scene, &format!("{options} short"), 1);
    assert_eq!(said, "hashlanes: short: 1000 bytes of data: not a multiple of the block size, 512\n");
    assert!(!scene.join("out").exists(), "nothing is begun");
    let said = refused(&scene, "-m fs-verity --tree-out no/where data", 1);
    assert_eq!(said, "hashlanes: data: cannot write no/where: No such file or directory\n");
    // Destinations that cannot be written; the inputs; the destinations of results.
    scene.fifo("fifo");
    std::fs::hard_link(scene.join("data"), scene.join("hard")).unwrap();
    scene.link("soft", "data");
    for (target, said) in [
        ("/dev/full", "expected a regular file or a block device"),
        ("fifo", "expected a regular file or a block device"),
        ("data", "it is the input"),
        ("hard", "it is the input"),
        ("soft", "it is the input"),
        ("/dev/stdout", "it is standard output, which gets the result"),
        (".", "Is a directory"),
    ] {
        for mode in ["fs-verity", "dm-verity --block-size 512", "bep52 --piece-length 16K"] {
            let result_of = refused(&scene, &format!("-m {mode} --tree-out {target} data"), 1);
            assert_eq!(result_of, format!("hashlanes: data: cannot write {target}: {said}\n"), "{mode}");
        }
    }
    assert!(std::fs::read(scene.join("data")).unwrap() == content);
    // The old file is kept until the new one is complete, under the name of the link's target.
    scene.file(b"old", b"old");
    scene.link("link", "old");
    refused(&scene, "-m dm-verity --block-size 512 --tree-out link short", 1);
    assert_eq!(std::fs::read(scene.join("old")).unwrap(), b"old");
    printed(&scene, "-m dm-verity --block-size 512 --no-superblock --tree-out link data");
    assert_eq!(std::fs::read(scene.join("old")).unwrap().len(), (125 + 8 + 1) * 512);
    assert!(std::fs::symlink_metadata(scene.join("link")).unwrap().is_symlink());
    let parts = std::fs::read_dir(&scene.path).unwrap();
    assert_eq!(
        parts
            .filter(|entry| entry.as_ref().unwrap().file_name().to_str().unwrap().contains(".part-"))
            .count(),
        0
    );
}

#[test]
fn proofs() {
    let scene = Scene::new();
    let lines: Vec<String> = (0..21).map(|k| format!("line {k}")).collect();
    let root_of = |n: usize| {
        scene.file(b"log", (lines[..n].join("\n") + "\n").as_bytes());
        printed(&scene, "-m rfc6962 log")[..64].to_owned()
    };
    let (old, new) = (root_of(13), root_of(21));
    for (index, leaf) in lines.iter().enumerate() {
        scene
            .file(b"proof", printed(&scene, &format!("-m rfc6962 --prove inclusion={index} log")).as_bytes());
        scene.file(b"leaf", leaf.as_bytes());
        let digest = hex(Rfc6962::leaf_digest(leaf.as_bytes()));
        let checked = format!("-m rfc6962 --verify-proof --root {new} --leaf leaf --index {index}");
        // The command must name the leaf, and the proof must be for that leaf.
        let (other, last_line) = ((index + 1) % 21, format!("{leaf}\n"));
        scene.file(b"other", lines[other].as_bytes());
        scene.file(b"line", last_line.as_bytes());
        for (wanted, said) in [
            ("".into(), format!("the proof is of leaf {index} with the digest {digest}; give the leaf that is to be proved by --leaf FILE or --index N")),
            (format!("--index {other}"), format!("index: the proof is of leaf {index}, not of --index {other}")),
            (format!("--index {other} --leaf leaf"), format!("index: the proof is of leaf {index}, not of --index {other}")),
            ("--leaf other".into(), "leaf: the proof is of another leaf than --leaf".into()),
            ("--leaf line".into(), "leaf: the proof is of another leaf than --leaf; without the newline at its end it would be this leaf".into()),
        ] {
            let output = tree(&scene, &format!("-m rfc6962 --verify-proof --root {new} {wanted} proof"));
            assert_eq!((text(&output.stdout), output.status.code()), ("proof: FAILED\n", Some(1)), "{wanted}");
            assert_eq!(text(&output.stderr), format!("hashlanes: proof: {said}\n"));
        }
        for one in ["--leaf leaf".into(), format!("--index {index}")] {
            printed(&scene, &format!("-m rfc6962 --verify-proof --root {new} {one} proof"));
        }
        let leaf = digest;
        let held = printed(&scene, &format!("{checked} proof"));
        assert_eq!(
            held,
            format!("proof: OK: if the tree has 21 leaves, leaf {index} has the digest {leaf}\n")
        );
        let held = printed(&scene, &format!("{checked} --tree-size 21 proof"));
        assert_eq!(held, format!("proof: OK: leaf {index} of 21 has the digest {leaf}\n"));
    }
    let output = tree(&scene, &format!("-m rfc6962 --verify-proof --root {old} proof"));
    assert_eq!(text(&output.stdout), "proof: FAILED\n");
    let said = "hashlanes: proof: root: the proof is of a tree with another root than --root\n";
    assert_eq!(text(&output.stderr), said);
    assert_eq!(output.status.code(), Some(1));
    malformed_proofs(&scene, &printed(&scene, "-m rfc6962 --prove inclusion=3 log"), &new);

    let proof = printed(&scene, "-m rfc6962 --prove consistency=13 log");
    scene.file(b"proof", proof.as_bytes());
    let held = printed(&scene, &format!("-m rfc6962 --verify-proof --root {old} proof"));
    assert_eq!(held, format!("proof: OK: the tree of 21 leaves with root {new} begins with these 13\n"));
    for (wrong, said) in [
        (proof.replace("\"first\":13", "\"first\":12"), "nodes; it must have"),
        (proof.replace("\"first\":13", "\"first\":22"), "no tree of the first 22 leaves, one or more, of 21"),
        (
            proof.replace("\"root\":\"", "\"root\":\"0"),
            "not a proof: root: not a string of 64 hexadecimal digits",
        ),
        (proof.replace("\"nodes\"", "\"notes\""), "not a proof: notes: unknown field"),
        (proof.replace("\"n_leaves\":21", "\"n_leaves\":-1"), "not a proof: n_leaves: not a whole number"),
        (proof.replace("consistency", "nonsense"), "not a proof: proof: neither inclusion nor consistency"),
        (proof.replace("rfc6962", "rfc9162"), "not a proof: mode: not rfc6962"),
        (proof[..50].into(), "not a proof: EOF while parsing"),
        (" ".repeat(100_000), "too long for a proof"),
        ("".into(), "not a proof: EOF"),
    ] {
        scene.file(b"proof", wrong.as_bytes());
        let output = tree(&scene, &format!("-m rfc6962 --verify-proof --root {old} proof"));
        assert_eq!((text(&output.stdout), output.status.code()), ("proof: FAILED\n", Some(1)), "{said}");
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
    let said = refused(&scene, "-m rfc6962 --prove inclusion=21 log", 1);
    assert_eq!(said, "hashlanes: log: no leaf 21 (counted from 0) in a tree of 21\n");
    let said = refused(&scene, "-m rfc6962 --prove consistency=0 log", 1);
    assert_eq!(said, "hashlanes: log: no tree of the first 0 leaves, one or more, of 21\n");
}

/// Each field of a proof of inclusion is replaced by a wrong value, removed, and doubled: an error names it.
fn malformed_proofs(scene: &Scene, proof: &str, root: &str) {
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(proof).unwrap();
    let check = |text: &str, field: &str| {
        scene.file(b"wrong", text.as_bytes());
        let output = tree(scene, &format!("-m rfc6962 --verify-proof --root {root} --index 3 wrong"));
        let err = self::text(&output.stderr);
        assert_eq!(
            (self::text(&output.stdout), output.status.code()),
            ("wrong: FAILED\n", Some(1)),
            "{text}: {err}"
        );
        assert!(err.contains(field), "{text}: {err}");
    };
    let with = |field: &str, value: &str| {
        let mut object = object.clone();
        object.insert(field.into(), serde_json::from_str(value).unwrap());
        serde_json::to_string(&object).unwrap()
    };
    let digest = format!("\"{}\"", "0".repeat(64));
    let wrong = [
        "null",
        "true",
        "{}",
        "-1",
        "1.0",
        "1e3",
        "18446744073709551616",
        "\"3\"",
        "\"00\"",
        "[3]",
        "[null]",
        "\"\"",
        &digest[..],
    ];
    for field in object.keys() {
        for value in wrong.iter().filter(|value| field != "leaf" || **value != digest) {
            // Another digest is of the right form, and another root.
            check(&with(field, value), field);
        }
        let mut without = object.clone();
        without.remove(field);
        check(&serde_json::to_string(&without).unwrap(), &format!("{field}: is missing"));
        let twice = format!("{{\"{field}\":{},{}", object[field], &proof[1..]);
        check(&twice, &format!("{field}: is there twice"));
    }
    check(&with("leaf", &digest), "does not lead to the root");
    check(&with("index", "4"), "does not lead to the root");
    check(&with("n_leaves", "3"), "no leaf 3");
    let nodes = object["nodes"].as_array().unwrap();
    check(&with("nodes", &serde_json::to_string(&nodes[1..]).unwrap()), "nodes");
    check(&with("nodes", &serde_json::to_string(&[&nodes[..], &nodes[..1]].concat()).unwrap()), "nodes");
    check(&with("first", "3"), "first: unknown field");
    check(&with("Root", &digest), "Root: unknown field");
    check(&format!("[{proof}]"), "not a proof");
    check(&format!("{proof}{proof}"), "not a proof");
}

#[test]
fn wrong_use() {
    let scene = Scene::new();
    scene.file(b"x", &[7; 1000]);
    for (args, said) in [
        (
            "-m sha256 x",
            "hashlanes: unknown tree mode \"sha256\"; `hashlanes sum -a sha256` prints the plain hash",
        ),
        (
            "-m jlanes-sha256 x",
            "hashlanes: unknown tree mode \"jlanes-sha256\"; did you mean jlanes-v1-sha256-16?",
        ),
        ("-m fsverity x", "hashlanes: unknown tree mode \"fsverity\"; did you mean fs-verity?"),
        ("-m treehash x", "hashlanes: unknown tree mode \"treehash\"; expected one of jlanes-v1-HASH-J, "),
        ("-m jlanes-v1-sha256-256 x", "hashlanes: unknown tree mode \"jlanes-v1-sha256-256\""),
        ("-m glacier --salt aa x", "hashlanes: --salt is for fs-verity, dm-verity, not for glacier\n"),
        (
            "-m jlanes-v1-sha256-16 --length 5 x",
            "hashlanes: --length is for jpointers, parallel_hash, git-sha1, git-sha256, nix-nar, not for jlanes",
        ),
        (
            "-m fs-verity --salt abc x",
            "hashlanes: fs-verity: --salt abc: expected hexadecimal digits, two for each byte\n",
        ),
        (
            "-m fs-verity --hash md5 x",
            "hashlanes: fs-verity: --hash md5: unknown; expected one of sha256, sha512\n",
        ),
        ("-m fs-verity --block-size 1000 x", "hashlanes: fs-verity: block size: 1000; it is a power of two"),
        ("-m dm-verity --uuid 12 x", "hashlanes: dm-verity: --uuid 12: expected a UUID such as"),
        ("-m s3-composite x", "hashlanes: s3-composite: --part-size is required\n"),
        (
            "-m s3-composite --part-size 0 x",
            "hashlanes: s3-composite: part size: 0; it is one byte or more\n",
        ),
        (
            "-m bep52 --tree-out out x",
            "hashlanes: bep52: --tree-out requires --piece-length: it writes the piece layer",
        ),
        (
            "-m bep52 --piece-length 1000 x",
            "hashlanes: bep52: piece length: 1000; it is a power of two from 16384\n",
        ),
        (
            "-m rfc6962 --prove 3 x",
            "hashlanes: rfc6962: --prove 3: expected inclusion=INDEX or consistency=FIRST",
        ),
        ("-m rfc6962 --verify-proof --root 12 x", "hashlanes: --root: expected 64 hexadecimal digits\n"),
        (
            "-m rfc6962 --verify-proof x",
            "error: the following required arguments were not provided:\n  --root",
        ),
        ("-m fs-verity --tree-out out x x", "hashlanes: --tree-out accepts one file only\n"),
        ("-m ssz --limit 3X x", "error: invalid value '3X' for '--limit"),
        ("-m ssz --limit 99999999T x", "error: invalid value '99999999T' for '--limit"),
        ("x", "error: the following required arguments were not provided:\n  --mode"),
        (
            "-m jlanes-v1s-sha256-16 x",
            "hashlanes: jlanes-v1s-sha256-16 is not secure: a lane's digest is also the result of another message;",
        ),
    ] {
        let result_of = refused(&scene, args, 2);
        assert!(result_of.starts_with(said), "{args}: {result_of}");
    }
    for (args, said) in [
        (
            "-m jpointers-v1-sha256-4",
            "hashlanes: -: jpointers-v1-sha256-4 needs the length of its input; give it with --length N\n",
        ),
        ("-m jpointers-v1-sha256-4 --length 5", "hashlanes: -: message: 0 bytes instead of 5 as was said\n"),
        ("-m parallel_hash .", "hashlanes: .: Is a directory\n"),
        ("-m glacier gone", "hashlanes: gone: No such file or directory\n"),
        ("-m bep52", "hashlanes: -: an empty file has no root\n"),
        ("-m dm-verity --tree-out out", "hashlanes: -: --tree-out requires a regular file as input\n"),
        ("-m dm-verity x", "hashlanes: x: 1000 bytes of data: not a multiple of the block size, 4096\n"),
        ("-m ssz --limit 2 x", "hashlanes: x: 32 chunks are above the limit of 2\n"),
    ] {
        assert_eq!(refused(&scene, args, 1), said, "{args}");
    }
}

/// Ten gibibytes, of which the disk holds none: no mode keeps more of them than a bounded part.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn memory_is_bounded() {
    /// The limits of memory for a mode that streams.
    const MOST_KIB: u64 = 64 << 10;
    let scene = Scene::new();
    std::fs::File::create(scene.join("sparse")).unwrap().set_len(10 << 30).unwrap();
    for (args, _) in cases().into_iter().filter(|(args, _)| args != "rfc6962") {
        let mut child = Command::new(OURS)
            .args(["tree", "-j", "2", "-m"].into_iter().chain(args.split_whitespace()).chain(["sparse"]))
            .current_dir(&scene.path)
            .stdout(std::process::Stdio::null())
            .spawn()
            .unwrap();
        let mut most_kib = 0;
        while child.try_wait().unwrap().is_none() {
            most_kib = peak_kib(&child).unwrap_or(most_kib);
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        assert!(child.wait().unwrap().success(), "{args}");
        assert!(0 < most_kib && most_kib < MOST_KIB, "{args}: {most_kib} KiB");
    }
}
