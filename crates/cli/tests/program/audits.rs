//! `hashlanes audit`: what became of the files of a manifest, in every format of manifests.

use std::process::Output;

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::{hashlanes, hashlanes_once};

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

/// The manifest is named where the program runs, its files in the other directory; it is not in itself there.
#[test]
fn audits_another_directory() {
    let scene = tree();
    std::fs::create_dir(scene.join("copy")).unwrap();
    for name in ["one", "two"] {
        std::fs::rename(scene.join(name), scene.join(&format!("copy/{name}"))).unwrap();
    }
    let made = hashlanes(&scene.join("copy"), ["sum", "-r", "one", "two", "-o", "list"]);
    assert!(made.status.success());
    for args in ["audit -C copy copy/list", "audit copy/list --directory copy"] {
        let output = run(&scene, args);
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)), "{args}");
    }
    let output = run(&scene, "audit -C nowhere copy/list");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(text(&output.stderr), "hashlanes: nowhere: No such file or directory\n");
    // Without the option, all files are missing.
    let output = run(&scene, "audit copy/list");
    assert!(output.status.code() == Some(1) && text(&output.stdout).contains("missing  one/"));
    assert!(text(&output.stderr).contains("no listed file was found; names are relative to the directory"));
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

/// Equal files that moved are paired in order; the remaining ones are new or missing.
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
fn searched_files() {
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
    let summary = "hashlanes: 0 the same, 0 changed, 0 moved, 0 new, 30 missing\n";
    assert!(
        text(&output.stderr).starts_with(&format!("{summary}hashlanes: list: no listed file was found;"))
    );
    assert_eq!(output.status.code(), Some(1));
    let output = run(&scene, "audit list two");
    assert!(text(&output.stderr).starts_with("hashlanes: two: No such file or directory\n"));
    assert_eq!(output.status.code(), Some(2));
}

/// Files that are not manifests, wholly or in part.
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
            "%%%% HASHDEEP-1.0\n%%%% size,tiger,filename\n3,900150983cd24fb0d6963f7d28e17f72,a\n",
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
    // Cut in the middle, damaged, a line of an unknown hash: the remaining lines are audited, but the exit
    // status reports the fault.
    let good = format!("{digest}  a\n");
    for (list, n) in [
        (format!("{good}garbage\n"), "1 line is"),
        (format!("{good}{good}900150983cd24fb0  b\nSHA1 (c) = 00\n"), "2 lines are"),
        (format!("name,size,sha256\r\na,3,{digest}\r\nb,4\r\nc,3,xx\r\n"), "2 lines are"),
        (format!("%%%% HASHDEEP-1.0\n%%%% size,tiger,sha256,filename\n3,00,{digest},a\n3,00\n"), "1 line is"),
    ] {
        scene.file(b"list", list.as_bytes());
        let output = run(&scene, "audit list");
        let warning = format!("hashlanes: list: WARNING: {n} improperly formatted, or of another hash\n");
        assert!(text(&output.stderr).starts_with(&warning), "{list}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("\nhashlanes: 1 the same, 0 changed, 0 moved, "), "{list}");
        assert_eq!(output.status.code(), Some(2), "{list}");
    }
    assert_eq!(run(&scene, "audit gone").status.code(), Some(2));
    assert_eq!(text(&run(&scene, "audit .").stderr), "hashlanes: .: Is a directory\n");
}

/// Any wrong digest of a file is detected, in one record or in several, in any order.
#[test]
fn every_digest_counts() {
    let scene = Scene::new();
    for name in ["f", "g"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let damaged = |list: &str, at: usize| {
        let other = if &list[at..=at] == "0" { "1" } else { "0" };
        [&list[..at], other, &list[at + 1..]].concat()
    };
    for options in ["--format json", "--format ndjson", "--format csv", ""] {
        let list = run(&scene, &format!("sum -a sha1,sha512,sha256 {options} f g")).stdout;
        let list = text(&list);
        scene.file(b"list", list.as_bytes());
        assert_eq!(run(&scene, "audit list").status.code(), Some(0), "{options}");
        let digits = |text: &str| text.len() >= 40 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let mut digests = 0;
        for word in list.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| digits(word)) {
            let at = word.as_ptr() as usize - list.as_ptr() as usize;
            scene.file(b"list", damaged(list, at + word.len() - 1).as_bytes());
            let output = run(&scene, "audit list");
            let changed = if digests < 3 { "changed  f\n" } else { "changed  g\n" };
            assert_eq!((text(&output.stdout), output.status.code()), (changed, Some(1)), "{options} {word}");
            digests += 1;
        }
        assert_eq!(digests, 6, "{options}");
    }
    // A hash each, and both for one of them.
    let lines =
        ["-a sha1 f", "-a sha512 g", "-a sha256 g"].map(|args| run(&scene, &format!("sum {args}")).stdout);
    for order in [[0, 1, 2], [2, 1, 0]] {
        let list = order.map(|k| text(&lines[k])).concat();
        scene.file(b"list", list.as_bytes());
        assert_eq!(run(&scene, "audit list").status.code(), Some(0), "{list}");
        let starts = [0, lines[order[0]].len(), lines[order[0]].len() + lines[order[1]].len()];
        for (start, k) in starts.into_iter().zip(order) {
            scene.file(b"list", damaged(&list, start).as_bytes());
            let output = run(&scene, "audit list");
            let changed = if k == 0 { "changed  f\n" } else { "changed  g\n" };
            assert_eq!((text(&output.stdout), output.status.code()), (changed, Some(1)), "{list}");
        }
    }
}

/// All digests of a file in the manifest, and only these, decide where it moved.
#[test]
fn moves_by_several_hashes() {
    let scene = Scene::new();
    for name in ["a", "b", "c"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let mut list = ["-a sha1 a", "-a sha512,sha1 b", "-a sha512,sha1 c"]
        .map(|args| text(&run(&scene, &format!("sum {args}")).stdout).to_owned());
    // The one digest of `c` is right, the other is not.
    let at = list[2].find("SHA1 (c) = ").unwrap() + 11;
    let digit = if &list[2][at..=at] == "0" { "1" } else { "0" };
    list[2].replace_range(at..=at, digit);
    scene.file(b"list", list.concat().as_bytes());
    for name in ["a", "b", "c"] {
        std::fs::create_dir_all(scene.join("d")).unwrap();
        std::fs::rename(scene.join(name), scene.join(&format!("d/{name}"))).unwrap();
    }
    // A file that is found twice is one.
    let output = run(&scene, "audit list d ./d");
    assert_eq!(
        text(&output.stdout),
        "moved    a -> ./d/a\nmoved    b -> ./d/b\nnew      ./d/c\nmissing  c\n"
    );
}

/// A name that is there twice: with the same digest, with others, with a dot before it.
#[test]
fn names_that_are_listed_twice() {
    let scene = Scene::new();
    scene.file(b"f", b"f");
    scene.file(b"g", b"g");
    let line = |file: &str, name: &str| {
        let line = run(&scene, &format!("sum {file}")).stdout;
        text(&line).replace(&format!("  {file}\n"), &format!("  {name}\n"))
    };
    let (f, g) = (line("f", "f"), line("g", "f"));
    let said = "hashlanes: list: f: listed twice, with different digests\n";
    let said_of_dot = "hashlanes: list: './/f\\': listed twice, with different digests\n";
    for (list, said, n_same, n_new) in [
        (format!("{f}{f}"), "", 1, 0),
        (format!("{f}{}", line("f", "./f")), "", 1, 0),
        (format!("{f}{g}"), said, 0, 0),
        (format!("{g}{f}"), said, 0, 0),
        (format!("{f}{g}{f}{g}"), said, 0, 0),
        (format!("{}{g}", line("f", ".//f")), said, 0, 0),
        (format!("{}{}", line("f", "f\\"), line("g", ".//f\\")), said_of_dot, 0, 1),
    ] {
        scene.file(b"list", list.as_bytes());
        let output = run(&scene, "audit list f");
        let summary =
            format!("{said}hashlanes: {n_same} the same, 0 changed, 0 moved, {n_new} new, 0 missing\n");
        // Nothing of the last list is in the PATH.
        let hint = ["", "hashlanes: list: it lists no file in the PATHs; name them as it does\n"][n_new];
        assert_eq!(text(&output.stderr), summary + hint, "{list}");
        assert_eq!(output.status.code(), Some(if said.is_empty() { 0 } else { 2 }), "{list}");
    }
}

/// `f` and `./f` are one name, and each is shown as it was given.
#[test]
fn names_with_a_dot_before_them() {
    let scene = Scene::new();
    for name in ["d/a", "d/b", "d/c"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    for (listed, looked_at, findings) in [
        ("d", "./d", "changed  d/a\nmoved    d/b -> ./d/e\nmissing  d/c\n"),
        ("./d", "d", "changed  ./d/a\nmoved    ./d/b -> d/e\nmissing  ./d/c\n"),
        (".//d", "././d", "changed  .//d/a\nmoved    .//d/b -> ././d/e\nmissing  .//d/c\n"),
    ] {
        let list = run(&scene, &format!("sum -r {listed}")).stdout;
        scene.file(b"list", &list);
        let output = run(&scene, &format!("audit list {looked_at}"));
        assert_eq!((text(&output.stdout), output.status.code()), ("", Some(0)), "{listed} {looked_at}");
        scene.file(b"d/a", b"changed");
        std::fs::rename(scene.join("d/b"), scene.join("d/e")).unwrap();
        std::fs::remove_file(scene.join("d/c")).unwrap();
        let output = run(&scene, &format!("audit list {looked_at}"));
        assert_eq!((text(&output.stdout), output.status.code()), (findings, Some(1)), "{listed} {looked_at}");
        scene.file(b"d/a", b"d/a");
        scene.file(b"d/c", b"d/c");
        std::fs::rename(scene.join("d/e"), scene.join("d/b")).unwrap();
    }
    // The same where the directory is two above.
    std::fs::create_dir_all(scene.join("x/y")).unwrap();
    let list = hashlanes(&scene.join("x/y"), ["sum", "-r", "../../d"]).stdout;
    scene.file(b"x/y/list", &list);
    let output = hashlanes(&scene.join("x/y"), ["audit", "list"]);
    assert!(text(&output.stderr).starts_with("hashlanes: 3 the same, 0 changed, 0 moved, "));
}

/// With PATHs, what exists outside of them is neither compared nor missing; a listed file that is nowhere is.
#[test]
fn a_part_of_the_manifest() {
    let scene = tree();
    let list = run(&scene, "sum -r one two").stdout;
    scene.file(b"list", &list);
    let of = |args: &str| {
        let output = run(&scene, &format!("audit list {args}"));
        (text(&output.stdout).to_owned(), text(&output.stderr).to_owned(), output.status.code())
    };
    let summary = "hashlanes: 30 the same, 0 changed, 0 moved, 0 new, 0 missing\n".to_owned();
    for paths in ["one", "./two/", "one/ --json --quiet"] {
        let (out, err, status) = of(paths);
        assert_eq!(status, Some(0), "{paths}: {out}{err}");
    }
    assert_eq!(of("one"), (String::new(), summary, Some(0)));
    scene.file(b"two/d0/f35", b"changed");
    std::fs::rename(scene.join("two/d1/f31"), scene.join("one/f31")).unwrap();
    std::fs::remove_file(scene.join("two/d2/f37")).unwrap();
    std::fs::copy(scene.join("two/d3/f33"), scene.join("one/copy")).unwrap();
    let found = "moved    two/d1/f31 -> one/f31\nnew      one/copy\nmissing  two/d2/f37\n";
    let (out, _, status) = of("one");
    assert_eq!((&out[..], status), (found, Some(1)));
    // Names that the list does not use.
    let absolute = scene.join("one").to_str().unwrap().to_owned();
    std::fs::remove_file(scene.join("one/f31")).unwrap();
    std::fs::remove_file(scene.join("one/copy")).unwrap();
    scene.file(b"two/d1/f31", b"again");
    scene.file(b"two/d2/f37", b"again");
    let (out, err, status) = of(&absolute);
    assert_eq!((out.lines().count(), status), (30, Some(1)));
    assert!(out.lines().all(|line| line.starts_with("new ")), "{out}");
    assert!(err.ends_with("hashlanes: list: it lists no file in the PATHs; name them as it does\n"), "{err}");
}

/// The whole machine is not walked because absolute names have nothing else in common.
#[test]
fn the_root_is_not_searched_by_default() {
    let scene = Scene::new();
    scene.file(b"f", b"f");
    let f = scene.join("f").to_str().unwrap().to_owned();
    let other = "/etc/passwd";
    let list = run(&scene, &format!("sum {f} {other}")).stdout;
    scene.file(b"list", &list);
    let output = run(&scene, "audit list");
    let said = "hashlanes: list: its names have only the directory / in common; give the PATHs to search\n";
    assert_eq!((text(&output.stdout), text(&output.stderr), output.status.code()), ("", said, Some(2)));
    let output = run(&scene, &format!("audit list {f} {other}"));
    assert_eq!(text(&output.stderr), "hashlanes: 2 the same, 0 changed, 0 moved, 0 new, 0 missing\n");
}

/// An audit with the same selection of files as the manifest finds nothing; an audit without it finds the
/// rest.
#[test]
fn the_choice_of_files_is_that_of_sum() {
    let scene = Scene::new();
    for name in ["t/.git/HEAD", "t/.gitignore", "t/a.o", "t/a.c", "t/out/x.c", "t/out/y", "other/z"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    scene.file(b"t/.gitignore", b"*.o\n/out/\n");
    scene.link("t/link", "../other");
    for (options, n, n_new) in [
        ("--gitignore", 2, 4),
        ("--exclude *.o --exclude .git", 4, 2),
        ("--include *.c", 2, 4),
        ("--include *.c --exclude out", 1, 5),
        ("-x", 6, 0),
        ("-L", 7, 0),
    ] {
        let list = run(&scene, &format!("sum -r {options} t")).stdout;
        scene.file(b"list", &list);
        let output = run(&scene, &format!("audit {options} list"));
        let summary = format!("hashlanes: {n} the same, 0 changed, 0 moved, 0 new, 0 missing\n");
        assert_eq!((text(&output.stderr), output.status.code()), (&summary[..], Some(0)), "{options}");
        let audit: serde_json::Value =
            serde_json::from_slice(&run(&scene, "audit --json list").stdout).unwrap();
        assert_eq!(audit["new"].as_array().unwrap().len(), n_new, "{options}");
    }
    let list = run(&scene, "sum -r t").stdout;
    scene.file(b"list", &list);
    scene.fifo("t/pipe");
    let output = run(&scene, "audit list");
    assert!(text(&output.stderr).starts_with("hashlanes: t/pipe: not hashed: it is a named pipe\n"));
    assert_eq!(output.status.code(), Some(2));
    let writer = scene.join("t/pipe");
    let writer = std::thread::spawn(move || std::fs::write(writer, b"t/a.c"));
    let output = hashlanes_once(&scene.path, ["audit", "list", "--special"]);
    writer.join().unwrap().unwrap();
    assert_eq!((text(&output.stdout), output.status.code()), ("new      t/pipe\n", Some(1)));
    let output = run(&scene, "audit list --include [a");
    assert!(text(&output.stderr).starts_with("hashlanes: --include \"[a\": "));
    assert!(text(&output.stderr).ends_with("Try 'hashlanes audit --help' for more information.\n"));
    assert_eq!(output.status.code(), Some(2));
}

/// HMACs are audited with their key, and with no other.
#[test]
fn manifests_of_hmacs() {
    let scene = tree();
    scene.file(b"key", b"a key");
    scene.file(b"other", b"another key");
    for options in ["", "--tag -a sha1", "-a sha256,sha512 --format json", "--format csv"] {
        let list = run(&scene, &format!("sum -r --hmac-key-file key {options} one two")).stdout;
        scene.file(b"list", &list);
        let output = run(&scene, "audit list --hmac-key-file key");
        let summary = "hashlanes: 60 the same, 0 changed, 0 moved, 0 new, 0 missing\n";
        assert_eq!((text(&output.stderr), output.status.code()), (summary, Some(0)), "{options}");
        let output = run(&scene, "audit list --hmac-key-file other");
        assert!(text(&output.stderr).starts_with("hashlanes: 0 the same, 60 changed"), "{options}");
        assert_ne!(run(&scene, "audit list").status.code(), Some(0), "{options}");
    }
    let output = run(&scene, "audit list --hmac-key-file /dev/zero");
    assert_eq!(text(&output.stderr), "hashlanes: /dev/zero: not a key: the file is longer than 1 MiB\n");
    assert_eq!(output.status.code(), Some(2));
}

/// A manifest on standard input is not new either where it lies among the files, and names no standard input.
#[test]
fn a_manifest_on_standard_input() {
    let scene = tree();
    let list = run(&scene, "sum -r one two").stdout;
    scene.file(b"one/list", &[&list[..], &list[..64], b"  -\n"].concat());
    let output = std::process::Command::new(crate::side_by_side::OURS)
        .args(["audit", "-"])
        .env("LC_ALL", "C.UTF-8")
        .stdin(std::fs::File::open(scene.join("one/list")).unwrap())
        .current_dir(&scene.path)
        .output()
        .unwrap();
    assert_eq!(
        text(&output.stderr),
        "hashlanes: 'standard input': WARNING: 1 line is improperly formatted, or of another hash\n\
         hashlanes: 60 the same, 0 changed, 0 moved, 0 new, 0 missing\n"
    );
    assert_eq!(output.status.code(), Some(2));
}

/// Without PATHs, an audit searches where the manifest was made, and nowhere else.
#[test]
fn an_audit_searches_where_the_manifest_was_made() {
    let scene = Scene::new();
    for name in ["data/photos/2024/a", "data/photos/2024/b", "data/other/c", "x/d", "e", "here/f"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let here = scene.join("here");
    let absolute = scene.join("data/photos").to_str().unwrap().to_owned();
    for (options, roots) in [
        ("data/photos", vec!["data/photos"]),
        ("./data/photos/", vec!["./data/photos/"]),
        ("../data/photos", vec!["../data/photos"]),
        (&absolute[..], vec![&absolute[..]]),
        ("data/photos/2024", vec![]),
        ("data/photos --tag", vec!["data/photos"]),
        ("data/photos --format sri", vec!["data/photos"]),
        ("data/photos --format hashdeep", vec!["data/photos"]),
        ("data/photos x e", vec!["data/photos"]),
        ("data/photos data/photos/2024", vec!["data/photos"]),
        ("data/photos --format json", vec![]),
        ("data/photos --format ndjson", vec![]),
        ("data x", vec![]),
        (".", vec![]),
    ] {
        let is_above = options.starts_with("..");
        let directory = if is_above { &here } else { &scene.path };
        let list = hashlanes(directory, format!("sum -r {options}").split_whitespace());
        assert!(list.status.success(), "{options}");
        let recorded: Vec<&str> = text(&list.stdout)
            .lines()
            .filter_map(|line| line.split_once("# hashlanes root: "))
            .map(|(_, root)| root)
            .collect();
        assert_eq!(recorded, roots, "{options}");
        // Outside every directory that is searched, except in the last case.
        let path = if options == "." { scene.join("x/list") } else { here.join("list") };
        std::fs::write(&path, &list.stdout).unwrap();
        let audit = || hashlanes(directory, ["audit", "--quiet", path.to_str().unwrap()]);
        let output = audit();
        assert_eq!(
            (text(&output.stdout), text(&output.stderr), output.status.code()),
            ("", "", Some(0)),
            "{options}"
        );
        // A new directory next to the only one that has files.
        scene.file(b"data/photos/2025/new", b"new");
        let expected = if options == "data/photos/2024" { Some(0) } else { Some(1) };
        assert_eq!(audit().status.code(), expected, "{options}");
        std::fs::remove_dir_all(scene.join("data/photos/2025")).unwrap();
        std::fs::remove_file(path).unwrap();
    }
    // GNU's tools skip the comment.
    let list = run(&scene, "sum -r data/photos").stdout;
    assert!(list.ends_with(b"# hashlanes root: data/photos\n"));
    scene.file(b"list", &list);
    let mut gnu = std::process::Command::new("sha256sum");
    let gnu = gnu.args(["-c", "--strict", "list"]).current_dir(&scene.path).output().unwrap();
    assert!(gnu.status.success());
    assert!(run(&scene, "sum -c --strict list").status.success());
    // Without a record, the longest common directory.
    let plain: String =
        text(&list).lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect();
    scene.file(b"list", plain.as_bytes());
    scene.file(b"data/photos/2025/new", b"new");
    assert_eq!(run(&scene, "audit list").status.code(), Some(0));
    scene.file(b"data/photos/2024/new", b"new");
    assert_eq!(text(&run(&scene, "audit list").stdout), "new      data/photos/2024/new\n");
    // A flat list is the files named in it.
    let list = run(&scene, "sum e").stdout;
    scene.file(b"list", &list);
    let output = run(&scene, "audit list");
    let said = "hashlanes: 1 the same, 0 changed, 0 moved, 0 new, 0 missing\n\
                hashlanes: list: its names have no directory, so no new files were searched for; give PATHs to search\n";
    assert_eq!((text(&output.stderr), output.status.code()), (said, Some(0)));
}

/// A continued manifest has its roots once.
#[test]
fn a_continued_manifest_records_its_roots() {
    let scene = Scene::new();
    for name in ["d/e/a", "d/e/b"] {
        scene.file(name.as_bytes(), b"x");
    }
    let whole = run(&scene, "sum -r d").stdout;
    assert!(text(&whole).ends_with("# hashlanes root: d\n"));
    std::fs::write(scene.join("list"), b"").unwrap();
    let end = text(&whole).find('#').unwrap();
    // Younger than the files, so that lines are kept.
    for kept in [0, end / 2, end, end + 5, whole.len()] {
        std::fs::write(scene.join("list"), &whole[..kept]).unwrap();
        assert!(run(&scene, "sum -r d -o list --resume").status.success());
        assert_eq!(std::fs::read(scene.join("list")).unwrap(), whole, "{kept}");
    }
}

/// Status 1 means that something changed; a result that cannot be written is a failure.
#[test]
fn a_result_that_cannot_be_written() {
    let scene = Scene::new();
    scene.file(b"a", b"a");
    let list = run(&scene, "sum a").stdout;
    scene.file(b"list", &list);
    scene.file(b"a", b"changed");
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(crate::side_by_side::OURS)
        .args(["audit", "--quiet", "list"])
        .stdout(full)
        .current_dir(&scene.path)
        .output()
        .unwrap();
    assert_eq!(text(&output.stderr), "hashlanes: write error: No space left on device\n");
    assert_eq!(output.status.code(), Some(2));
}
