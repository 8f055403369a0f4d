//! Options: their names, their spellings, and their combinations.

use crate::scene::{Random, Scene, os};
use crate::side_by_side::{Run, TOOLS, gnu_is_here, hashlanes};

#[test]
fn wrong_options_get_gnus_words() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    for tool in TOOLS {
        for args in [
            &["-q"][..],
            &["-bq", "x"],
            &["--nonsense"],
            &["--nonsense=1"],
            &["--tag=1"],
            &["--ta=1"],
            &["--t"],
            &["--s", "x"],
            &["--st"],
            &["--st=3"],
            &["--"],
            &["--="],
            &["--=x"],
            &["-"],
            &["--", "-c"],
            &["x", "-b"],
            &["x", "--", "-b", "x"],
            &["-é"],
            &["--é"],
            &["-h"],
            &["--ta", "x"],
            &["--bin", "x"],
            &["--tex", "x"],
            &["-tb", "x"],
            &["-bt", "x"],
            &["-zb", "x"],
            &["--che", "x"],
            &["-c", "--warn", "x"],
            &["nope", "--help=1"],
            &["-b-", "x"],
            &["-b", "-", "x"],
        ] {
            Run::new(&scene.path, tool, args).stdin(b"stdin").compare();
        }
    }
}

#[test]
fn options_that_disagree_get_gnus_words() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let list = Run::new(&scene.path, "sha256sum", ["x"]).named().stdout;
    scene.file(b"list", &list);
    for args in [
        &["-c", "-z", "list"][..],
        &["-c", "-b", "list"],
        &["-c", "-t", "list"],
        &["-c", "--tag", "list"],
        &["--tag", "-t", "x"],
        &["--tag", "-b", "x"],
        &["--tag", "-t", "-c"],
        &["--ignore-missing", "x"],
        &["--status", "x"],
        &["--warn", "x"],
        &["--quiet", "x"],
        &["--strict", "x"],
        &["-w", "--quiet", "x"],
        &["--quiet", "--status", "x"],
        &["--status", "-w", "x"],
        &["-c", "-w", "--quiet", "list"],
        &["-c", "--status", "--quiet", "list"],
        &["-c", "--quiet", "-w", "list"],
        &["-zc", "--tag"],
        &["-cb", "--strict"],
    ] {
        Run::new(&scene.path, "sha256sum", args).compare_sum();
    }
    // The last one counts; `hashlanes sum` reports a conflict.
    Run::new(&scene.path, "sha256sum", ["-t", "--tag", "x"]).compare();
}

/// Random command lines of whole, shortened, joined, wrong options and operands.
#[test]
fn random_command_lines_are_read_as_gnu_reads_them() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let list = Run::new(&scene.path, "sha256sum", ["x"]).named().stdout;
    scene.file(b"list", &list);
    let words = [
        "-b",
        "-c",
        "-t",
        "-w",
        "-z",
        "-bz",
        "-cw",
        "-tb",
        "-cq",
        "--check",
        "--c",
        "--tag",
        "--ta",
        "--zero",
        "--bina",
        "--text",
        "--ignore-missing",
        "--ign",
        "--quiet",
        "--q",
        "--status",
        "--stat",
        "--strict",
        "--warn",
        "--w",
        "--s",
        "--x",
        "--",
        "-",
        "x",
        "list",
        "list",
        "nope",
    ];
    let mut random = Random(7);
    for round in 0..600 {
        let args: Vec<&str> = (0..1 + random.below(5)).map(|_| random.pick(&words)).collect();
        let run = Run::new(&scene.path, "sha256sum", args).stdin(&list);
        if round % 4 == 0 { run.env("POSIXLY_CORRECT", "1").compare() } else { run.compare() }
    }
}

/// The help names the options, the version the program; both on standard output, both with status 0.
#[test]
fn help_and_version() {
    let scene = Scene::new();
    for tool in TOOLS {
        let help = Run::new(&scene.path, tool, ["--help", "--nonsense"]).named();
        let text = String::from_utf8(help.stdout).unwrap();
        assert!(help.status.success() && help.stderr.is_empty());
        for option in
            ["-b", "-c", "-t", "-w", "-z", "--tag", "--ignore-missing", "--quiet", "--strict", "--version"]
        {
            assert!(text.contains(option), "{option}");
        }
        assert!(text.starts_with(&format!("Usage: {tool} [OPTION]... [FILE]...\n")));
        let version = Run::new(&scene.path, tool, ["x", "--vers"]).named();
        assert!(version.status.success());
        assert_eq!(
            version.stdout,
            format!("{tool} (hashlanes) {}\n", env!("CARGO_PKG_VERSION")).into_bytes()
        );
    }
    for args in [&["--help"][..], &["sum", "--help"], &["--version"], &["help", "sum"]] {
        let help = hashlanes(&scene.path, args.iter().copied());
        assert!(help.status.success() && !help.stdout.is_empty() && help.stderr.is_empty(), "{args:?}");
    }
}

/// `hashlanes sum` has all hashes, the truncated ones too; values of NIST's example of one block, "abc".
#[test]
fn all_hashes() {
    let scene = Scene::new();
    scene.file(b"abc", b"abc");
    for (hash, tag, digest) in [
        ("sha512-224", "SHA512/224", "4634270f707b6a54daae7530460842e20e37ed265ceee9a43e8924aa"),
        ("sha512-256", "SHA512/256", "53048e2681941ef99b2e29b76b4c7dabe4c2d0c634fc6d46e0e2f13107e7af23"),
        ("sha1", "SHA1", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("SHA224", "SHA224", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
    ] {
        let plain = hashlanes(&scene.path, ["sum", "-a", hash, "abc"]);
        assert_eq!(plain.stdout, format!("{digest}  abc\n").into_bytes(), "{hash}");
        let tagged = hashlanes(&scene.path, ["sum", "--algo", hash, "--tag", "abc"]);
        assert_eq!(tagged.stdout, format!("{tag} (abc) = {digest}\n").into_bytes(), "{hash}");
        scene.file(b"list", &[plain.stdout, tagged.stdout].concat());
        let check = hashlanes(&scene.path, ["sum", "-a", hash, "-c", "list"]);
        assert_eq!((check.stdout, check.stderr), (b"abc: OK\nabc: OK\n".to_vec(), Vec::new()), "{hash}");
    }
    if gnu_is_here() {
        for tool in TOOLS {
            Run::new(&scene.path, tool, ["abc", "-"]).stdin(b"from standard input").compare_sum();
        }
    }
}

/// The files of a list in another directory; verdicts for programs; digests alone.
#[test]
fn checks_elsewhere_and_for_programs() {
    let scene = Scene::new();
    for name in [&b"here/a"[..], b"here/b", b"here/\xff", b"copy/a", b"copy/b"] {
        scene.file(name, b"abc");
    }
    scene.file(b"copy/b", b"changed");
    let list = hashlanes(&scene.join("here"), [os(b"sum"), os(b"a"), os(b"b"), os(b"\xff")]).stdout;
    scene.file(b"list", &list);
    let elsewhere = ["sum", "-c", "list", "-C", "here", "--quiet"];
    assert_eq!(hashlanes(&scene.path, elsewhere).status.code(), Some(0));
    let output = hashlanes(&scene.path, ["sum", "-c", "list", "--directory=copy", "--json"]);
    let verdicts = "{\"name\":\"a\",\"verdict\":\"ok\"}\n{\"name\":\"b\",\"verdict\":\"failed\"}\n\
                    {\"name_base64\":\"/w==\",\"verdict\":\"unreadable\"}\n";
    assert_eq!((&output.stdout[..], output.status.code()), (verdicts.as_bytes(), Some(1)));
    let output = hashlanes(&scene.path, ["sum", "-c", "list", "-C", "nowhere"]);
    assert_eq!(output.stderr, b"hashlanes: nowhere: No such file or directory\n");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(hashlanes(&scene.path, ["sum", "-C", "here", "a"]).status.code(), Some(2));

    let sha1 = "a9993e364706816aba3e25717850c26c9cd0d89d";
    for (options, expected) in [
        (&["-a", "sha1"][..], format!("{sha1}\n{sha1}\n")),
        (&["-a", "sha1", "-z"], format!("{sha1}\0{sha1}\0")),
        (&["-a", "sha1", "--base64"], "qZk+NkcGgWq6PiVxeFDCbJzQ2J0=\n".repeat(2)),
    ] {
        let args = ["sum", "--no-names", "here/a", "here/b"].iter().chain(options);
        assert_eq!(hashlanes(&scene.path, args).stdout, expected.as_bytes());
    }
}

/// A file in place of a command is a wish for its digest.
#[test]
fn files_in_place_of_commands() {
    let scene = Scene::new();
    scene.file(b"d/a.iso", b"abc");
    for (args, said) in [
        (["d/a.iso"], "d/a.iso: not a command; to hash this file, use `hashlanes sum`\n"),
        (["d"], "d: not a command; to hash this directory, use `hashlanes sum -r`\n"),
    ] {
        let output = hashlanes(&scene.path, args);
        let said = format!("hashlanes: {said}Try 'hashlanes --help' for more information.\n");
        assert_eq!((String::from_utf8(output.stderr).unwrap(), output.status.code()), (said, Some(2)));
    }
    assert!(
        String::from_utf8(hashlanes(&scene.path, ["nowhere"]).stderr)
            .unwrap()
            .contains("unrecognized subcommand")
    );
}
