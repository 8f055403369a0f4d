//! Names of files: in results, in messages, and back from a list.

use std::ffi::OsString;

use crate::scene::{ODD_NAMES, Random, Scene, os};
use crate::side_by_side::{Run, TOOLS, hashlanes};

fn scene_of_odd_names() -> Scene {
    let scene = Scene::new();
    for (k, name) in ODD_NAMES.iter().enumerate() {
        scene.file(name, format!("content {k}").as_bytes());
    }
    scene.file(b"dir/inside", b"x");
    scene.link("dangling", "nowhere");
    scene.link("to-plain", "plain");
    scene.link("loop", "loop");
    scene
}

/// All odd names, found and not found, links, directories; every tool, every form of line.
#[test]
fn odd_names_are_printed_as_gnu_prints_them() {
    let scene = scene_of_odd_names();
    let mut names: Vec<OsString> = vec!["--".into()];
    for name in ODD_NAMES {
        names.push(os(name));
        names.push(os(&[name, b".missing"].concat()));
    }
    for more in ["dir", "dir/", "dir/inside", "./plain", "dangling", "to-plain", "loop", "plain/x", ""] {
        names.push(more.into());
    }
    names.push("x".repeat(300).into());
    names.push("y/".repeat(3000).into());
    for tool in TOOLS {
        for form in [&[][..], &["-b"], &["-t"], &["--tag"], &["-z"], &["-z", "--tag"], &["-bz"]] {
            let args = form.iter().map(OsString::from).chain(names.iter().cloned());
            Run::new(&scene.path, tool, args).compare_sum();
        }
    }
    Run::new(&scene.path, "sha256sum", names.iter().cloned()).env("LC_ALL", "C").compare_sum();
}

/// A list of odd names verifies, ours by GNU and GNU's by ours.
#[test]
fn lists_of_odd_names_verify_both_ways() {
    let scene = scene_of_odd_names();
    for form in [&[][..], &["-b"], &["--tag"]] {
        let names = ODD_NAMES.iter().map(|name| os(name));
        let args = form.iter().map(OsString::from).chain(["--".into()]).chain(names);
        let list = Run::new(&scene.path, "sha384sum", args).named();
        assert!(list.status.success());
        Run::new(&scene.path, "sha384sum", ["-c"]).stdin(&list.stdout).compare_sum();
        scene.file(b"list", &list.stdout);
        let check = hashlanes(&scene.path, ["sum", "-a", "sha384", "-c", "--quiet", "list"]);
        assert!(check.status.success() && check.stdout.is_empty() && check.stderr.is_empty(), "{check:?}");
    }
}

/// Random names of what shells, printers and character sets care about, all missing, so each is in a message.
#[test]
fn names_in_messages_are_quoted_as_gnu_quotes_them() {
    let scene = Scene::new();
    let pieces: [&[u8]; 44] = [
        b"a",
        b"Z",
        b"0",
        b" ",
        b"'",
        b"'",
        b"\"",
        b"\\",
        b"\n",
        b"\r",
        b"\t",
        b"\x07",
        b"\x08",
        b"\x0b",
        b"\x0c",
        b"\x1b",
        b"\x7f",
        b"\x01",
        b"?",
        b"*",
        b"#",
        b"~",
        b"{",
        b"}",
        b"!",
        b"$",
        b"=",
        b":",
        b"`",
        b"|",
        b"%",
        b"+",
        b"@",
        b"\xff",
        b"\xc3",
        b"\x80",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        "é".as_bytes(),
        "\u{301}".as_bytes(),
        "\u{200b}".as_bytes(),
        "\u{85}".as_bytes(),
        "\u{2028}".as_bytes(),
        "\u{e000}".as_bytes(),
    ];
    let mut random = Random(42);
    for round in 0..40 {
        let mut names = vec![OsString::from("--")];
        for _ in 0..50 {
            let n = 1 + random.below(5);
            let name: Vec<u8> = (0..n).flat_map(|_| random.pick(&pieces).to_vec()).collect();
            // 9.1 writes names with a quote differently if they end with what does not print.
            let name = if name.contains(&b'\'') { [&name[..], b"."].concat() } else { name };
            if name != b"-" {
                names.push(os(&name));
            }
        }
        let locale = ["C", "C.UTF-8"][round % 2];
        Run::new(&scene.path, "sha1sum", names).env("LC_ALL", locale).compare();
    }
}
