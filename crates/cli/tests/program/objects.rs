//! `hashlanes tree` for files and whole directories: the names that git, Nix, IPFS and Amazon S3 give,
//! recorded from these tools, and from those of them that are installed.

use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output, Stdio};

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::{OURS, feed, hashlanes};

/// Byte i is i mod 251.
fn pattern(len_bytes: usize) -> Vec<u8> {
    (0..len_bytes).map(|i| (i % 251) as u8).collect()
}

/// A directory with files of all kinds and of lengths about a chunk's, links, an empty directory.
fn recorded_scene() -> Scene {
    let scene = Scene::new();
    for (name, content) in [
        ("d/x", &b"hello\n"[..]),
        ("d/sub/zero", b""),
        ("d/sub/deep/run.sh", b"run"),
        ("d/a/f", b"1"),
        ("d/a.txt", b"2"),
        ("d/a-b", b"3"),
        ("d/.hidden", b"4"),
        ("d/grüße", b"5"),
        ("d/c262144", &pattern(262_144)),
        ("d/c262145", &pattern(262_145)),
        ("d/big", &pattern(3_000_000)),
    ] {
        scene.file(name.as_bytes(), content);
    }
    std::fs::set_permissions(scene.join("d/sub/deep/run.sh"), PermissionsExt::from_mode(0o755)).unwrap();
    std::fs::create_dir(scene.join("d/empty")).unwrap();
    scene.link("d/link", "x");
    scene.link("d/sub/dead", "nowhere/at/all");
    scene
}

fn tree(scene: &Scene, args: &str) -> Output {
    hashlanes(&scene.path, ["tree"].into_iter().chain(args.split_whitespace()))
}

/// Returns the first column of a successful run.
fn results(scene: &Scene, args: &str) -> Vec<String> {
    let output = tree(scene, args);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{args}");
    assert_eq!(output.status.code(), Some(0), "{args}");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| line.split("  ").next().unwrap().to_owned()).collect()
}

/// The results of git 2.39.5, Nix 2.8.0, boxo 0.24.0 (the library of IPFS's kubo), and MD5 of MD5s by Python.
#[test]
fn results_of_other_tools() {
    let scene = recorded_scene();
    scene.file(b"huge", &pattern(48_000_000));
    for jobs in ["-j 1", "-j 3", ""] {
        for (args, expected) in [
            (
                "git-sha1 d d/big d/link",
                &[
                    "45edffbe7f1a81b8eebadc45626a3423f08c4072",
                    "7f92e5b61d46b47560d93d52fad339ef483b3491",
                    "ce013625030ba8dba906f756967f9e9ca394464a",
                ][..],
            ),
            (
                "git-sha256 d d/big",
                &[
                    "19807564235a4e77dadfc3c8ddc6f63d487b144467f620b2ac248b684ba2c2f3",
                    "fa1cce3652b63f173620cd21eaf26503fb8465266a5791e86465a1dfeb58dc8a",
                ],
            ),
            ("nix-nar d", &["sha256-IQXnWjEmBsNY4EvCkmlmB6pL/l6mddbq0bsml54L3lE="]),
            ("nix-nar --encoding base32 d", &["0lfy1fg9f9mvs7mdcxd6bvz4pah7crlr5hjbw1cc61i665dff191"]),
            (
                "nix-nar --encoding hex d/",
                &["2105e75a312606c358e04bc292696607aa4bfe5ea675d6ead1bb26979e0bde51"],
            ),
            (
                "ipfs d d/c262144 d/c262145 huge d/link d/sub/zero",
                &[
                    "bafybeieyk4fiw5hxjdlgo6pvm7o3hczuxtvwo2gbducugz4rxfgezwqphm",
                    "bafkreibruh455iawsviqslif5c7uurdcfdemh22mtnytyzvnzn75kpejxy",
                    "bafybeiexg2oqkfnj56l7fcmawswqbijt5shq4b5rg6a546uwpkqqzwjioi",
                    "bafybeih344pl2vz3mepitxnk2sssssap4tx45zoxjvhyxk5lbk6unglifa",
                    "bafybeiayva2e6kc64xjtciamoozp5stvozhnvtnijuoh5yc4bu5yxhhvgi",
                    "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku",
                ],
            ),
            ("s3-etag --part-size 1000000 d/big", &["59007b60f854f80f47d05a82eb5708c3-3"]),
            ("s3-etag --part-size 999999 d/big", &["3ed03630923d13ec6329869e33de2bac-4"]),
            ("s3-etag --part-size 1M d/big", &["52a00754b8a2a71cc0167b2cba857c8e-3"]),
            ("s3-etag --part-size 5MB d/big", &["f5892f6e0e658b3ed3555770b5c33861-1"]),
            ("s3-etag --part-size 5M d/sub/zero", &["59adb24ef3cdbe0297f05b395827453f-1"]),
        ] {
            assert_eq!(results(&scene, &format!("{jobs} -m {args}")), expected, "{args} {jobs}");
        }
    }
    // Standard input is a file.
    for (args, expected) in [
        ("git-sha1 --length 3000000", "7f92e5b61d46b47560d93d52fad339ef483b3491"),
        ("s3-etag --part-size 1M", "52a00754b8a2a71cc0167b2cba857c8e-3"),
    ] {
        let mut command = Command::new(OURS);
        let output = feed(command.args(["tree", "-m"]).args(args.split_whitespace()), &pattern(3_000_000));
        assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{expected}  -\n"));
    }
}

/// Odd names, and many files of all lengths: compared with git and Nix, where they are installed.
#[test]
fn tools_that_are_installed() {
    let scene = Scene::new();
    let mut random = Random(3);
    for (number, name) in ODD_NAMES.iter().enumerate() {
        scene.file(&[b"d/odd/", *name].concat(), &random.bytes(number * 7));
    }
    for number in 0..300 {
        scene.file(format!("d/many/{}/{number}", number % 7).as_bytes(), &random.bytes(number * 37));
    }
    let run = |program: &str, args: &[&str]| -> Option<String> {
        let mut command = Command::new(program);
        let settings =
            [("GIT_CONFIG_NOSYSTEM", "1"), ("HOME", "/nonexistent"), ("GIT_CONFIG_GLOBAL", "/dev/null")];
        let output =
            command.args(args).envs(settings).current_dir(&scene.path).stdin(Stdio::null()).output().ok()?;
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).unwrap().trim().to_owned())
    };
    for format in ["sha1", "sha256"] {
        let git_dir = format!("--git-dir={format}.git");
        if run("git", &[&git_dir, "init", "-q", &format!("--object-format={format}")]).is_none() {
            break;
        }
        run("git", &[&git_dir, "--work-tree=d", "add", "--all", "--force"]);
        let expected = run("git", &[&git_dir, "write-tree"]).unwrap();
        assert_eq!(results(&scene, &format!("-m git-{format} d")), [expected]);
    }
    if let Some(expected) = run("nix-hash", &["--type", "sha256", "d"]) {
        assert_eq!(results(&scene, "-m nix-nar --encoding hex d"), [expected]);
    }
}

#[test]
fn lists_are_checked() {
    let scene = recorded_scene();
    for args in ["git-sha1", "git-sha256", "nix-nar", "ipfs", "s3-etag --part-size 1M"] {
        let paths = if args.starts_with("s3") { "d/x d/big" } else { "d d/x d/big" };
        let list = tree(&scene, &format!("-m {args} {paths}")).stdout;
        scene.file(b"list", &list);
        assert!(tree(&scene, &format!("-m {args} --check list")).status.success(), "{args}");
        scene.file(b"d/x", b"changed");
        let output = tree(&scene, &format!("-m {args} --check --quiet list"));
        let expected = if args.starts_with("s3") { "d/x: FAILED\n" } else { "d: FAILED\nd/x: FAILED\n" };
        assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{args}");
        scene.file(b"d/x", b"hello\n");
    }
}

#[test]
fn paths_without_a_name() {
    let scene = recorded_scene();
    scene.fifo("d/sub/pipe");
    std::fs::create_dir_all(scene.join("repositories/.git")).unwrap();
    let is_empty = results(&scene, "-m git-sha1 repositories d/empty");
    assert_eq!(is_empty, ["4b825dc642cb6eb9a060e54bf8d69288fbee4904"; 2]);
    std::fs::create_dir_all(scene.join("repositories/inner/.git")).unwrap();
    for number in 0..1000 {
        scene.file(format!("many/{number:0250}").as_bytes(), b"");
    }
    for (args, words) in [
        ("git-sha1 d", "d: d/sub/pipe: not a regular file, a directory or a link"),
        ("nix-nar d/sub/pipe", "d/sub/pipe: not a regular file, a directory or a link"),
        ("ipfs missing", "missing: No such file or directory"),
        ("git-sha1 d/sub/dead", "d/sub/dead: No such file or directory"),
        (
            "git-sha256 repositories",
            "repositories: repositories/inner: a repository within a directory has no name but that of its commit",
        ),
        ("ipfs many", "many: too many entries: IPFS shards directories over 256 KiB, which is not supported"),
        ("git-sha1 -", "-: needs the length of its input; give it with --length N"),
        ("nix-nar --length 5 -", "-: has 0 bytes, not 5 as expected"),
        ("glacier d", "d: Is a directory"),
    ] {
        let mut command = Command::new(OURS);
        let output =
            feed(command.args(["tree", "-m"]).args(args.split_whitespace()).current_dir(&scene.path), b"");
        assert_eq!(String::from_utf8_lossy(&output.stderr), format!("hashlanes: {words}\n"), "{args}");
        assert_eq!(output.status.code(), Some(1), "{args}");
    }
    for (args, words) in [
        ("git-sha1 --encoding hex d", "hashlanes: --encoding is for nix-nar, not for git-sha1\n"),
        ("s3-etag d", "hashlanes: s3-etag: --part-size is required\n"),
        ("s3-etag --part-size 0 d", "hashlanes: s3-etag: --part-size must not be zero\n"),
        (
            "ipfs --length 5 d",
            "hashlanes: --length is for jpointers, parallel_hash, git-sha1, git-sha256, nix-nar, ",
        ),
        ("git-sha-1 d", "hashlanes: unknown tree mode \"git-sha-1\"; did you mean git-sha1?\n"),
    ] {
        let output = tree(&scene, &format!("-m {args}"));
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(err.starts_with(words), "{args}: {err}");
        assert_eq!(output.status.code(), Some(2), "{args}");
    }
}
