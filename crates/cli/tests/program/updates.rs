//! `hashlanes sum --update`: a list after its files changed is the list that a new run prints.

use std::os::unix::fs::PermissionsExt;
use std::process::Output;

use crate::scene::{ODD_NAMES, Random, Scene};
use crate::side_by_side::hashlanes_once;

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Lists the tree by these arguments into the file `list`.
fn list(scene: &Scene, args: &str) {
    let output = run(scene, &format!("sum {args}"));
    assert!(output.status.success(), "{args}");
    std::fs::write(scene.join("list"), output.stdout).unwrap();
}

fn content(scene: &Scene) -> Vec<u8> {
    std::fs::read(scene.join("list")).unwrap()
}

/// Random changes of a tree whose names order differently as bytes and as paths.
#[test]
fn updates_are_new_runs() {
    let names: Vec<Vec<u8>> = ["a", "a.b", "a/x", "b", "b-c/y", "b/z", "b/z.d/e", "c c/d"]
        .iter()
        .map(|name| name.as_bytes().to_vec())
        .chain(ODD_NAMES.iter().map(|name| [b"odd/", *name].concat()))
        .collect();
    // A file and a directory cannot have one name.
    let names: Vec<&[u8]> =
        names.iter().map(Vec::as_slice).filter(|name| !matches!(*name, b"a" | b"b")).collect();
    for (round, options) in
        ["", "--tag", "--base64", "-a sha1 -b", "-a sha512 --tag --base64", "--hmac-key-file key"]
            .into_iter()
            .enumerate()
    {
        let mut random = Random(17 + round as u64);
        let scene = Scene::new();
        scene.file(b"key", b"secret");
        let keyed = if options.contains("key") { options } else { "" };
        for root in ["t", "deep/t", "./t"] {
            let path = |name: &[u8]| [root.as_bytes(), b"/", name].concat();
            for name in &names {
                scene.file(&path(name), &random.bytes(5));
            }
            list(&scene, &format!("-r {options} {root}"));
            for step in 0..6 {
                for name in &names {
                    match random.below(4) {
                        0 => scene.file(&path(name), &random.bytes(6)),
                        1 => drop(std::fs::remove_file(scene.path.join(crate::scene::os(&path(name))))),
                        _ => {}
                    }
                }
                scene.file(&path(b"m/always"), b"here");
                let accept = run(&scene, &format!("sum --update list --accept-changes {keyed}"));
                assert_eq!(
                    accept.status.code(),
                    Some(0),
                    "{options}: {}{}",
                    text(&accept.stderr),
                    content(&scene).escape_ascii()
                );
                let fresh = run(&scene, &format!("sum -r {options} {root}")).stdout;
                let updated = content(&scene);
                // A comment that is not needed any more stays.
                let lines = |list: &[u8]| {
                    let lines = list.split_inclusive(|byte| *byte == b'\n');
                    lines.filter(|line| !line.starts_with(b"#")).flatten().copied().collect::<Vec<u8>>()
                };
                assert_eq!(
                    lines(&updated).escape_ascii().to_string(),
                    lines(&fresh).escape_ascii().to_string(),
                    "{options} {root} {step}"
                );
                assert!(updated.ends_with(&fresh) || updated.len() > fresh.len());
                let audit = run(&scene, &format!("audit list {keyed}"));
                assert_eq!(audit.status.code(), Some(0), "{options} {root}");
            }
            std::fs::remove_dir_all(scene.join(root)).unwrap();
        }
    }
}

/// Changed files are reported, and keep their lines; everything else is updated.
#[test]
fn changed_files_are_not_accepted_silently() {
    let scene = Scene::new();
    for name in ["t/a", "t/b", "t/c", "t/d", "t/e/f"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    list(&scene, "-r t");
    std::fs::set_permissions(scene.join("list"), PermissionsExt::from_mode(0o640)).unwrap();
    let before = content(&scene);
    let same = run(&scene, "sum --update list");
    assert_eq!((text(&same.stdout), same.status.code()), ("", Some(0)));
    assert_eq!(
        text(&same.stderr),
        "hashlanes: 5 the same, 0 changed, 0 moved, 0 new, 0 missing\nhashlanes: list: 0 added, 0 removed, 0 replaced\n"
    );
    assert_eq!(content(&scene), before);

    scene.file(b"t/b", b"damaged");
    std::fs::remove_file(scene.join("t/c")).unwrap();
    std::fs::rename(scene.join("t/d"), scene.join("t/moved")).unwrap();
    scene.file(b"t/c2", b"new");
    let findings = "changed  t/b\nmoved    t/d -> t/moved\nnew      t/c2\nmissing  t/c\n";
    let output = run(&scene, "sum --update list");
    assert_eq!((text(&output.stdout), output.status.code()), (findings, Some(1)));
    assert_eq!(
        text(&output.stderr),
        "hashlanes: 2 the same, 1 changed, 1 moved, 1 new, 1 missing\nhashlanes: list: 2 added, 2 removed, 0 replaced\n\
         hashlanes: list: changed files keep their old digests; --accept-changes records the new ones\n"
    );
    let list = content(&scene);
    let names: Vec<&str> = text(&list).lines().map(|line| &line[66..]).collect();
    assert_eq!(names, ["t/a", "t/b", "t/c2", "t/e/f", "t/moved"]);
    let check = run(&scene, "sum -c list --quiet");
    assert_eq!((text(&check.stdout), check.status.code()), ("t/b: FAILED\n", Some(1)));
    let mode = std::fs::metadata(scene.join("list")).unwrap().permissions().mode() & 0o7777;
    assert_eq!(mode, 0o640);

    let output = run(&scene, "sum --update list --accept-changes");
    assert_eq!((text(&output.stdout), output.status.code()), ("changed  t/b\n", Some(0)));
    assert_eq!(content(&scene), run(&scene, "sum -r t").stdout);
}

/// A file that PATHs or options leave out keeps its line, and comments and their places stay.
#[test]
fn parts_of_a_tree() {
    let scene = Scene::new();
    for name in ["t/one/a", "t/two/b", "u/c"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let lines = |args: &str| run(&scene, &format!("sum {args}")).stdout;
    let head = [&b"# by hand\n\n"[..], &lines("t/one/a"), b"# two\n", &lines("t/two/b")].concat();
    std::fs::write(scene.join("list"), &head).unwrap();
    scene.file(b"t/two/new", b"new");
    std::fs::remove_file(scene.join("t/one/a")).unwrap();
    scene.file(b"t/one/large", &[1; 5000]);
    let output = run(&scene, "sum --update list t/two --max-size 1K");
    assert_eq!(
        (text(&output.stdout), output.status.code()),
        ("new      t/two/new\nmissing  t/one/a\n", Some(0))
    );
    let expected = [b"# by hand\n\n# two\n", &lines("t/two/b")[..], &lines("t/two/new")].concat();
    assert_eq!(text(&content(&scene)), text(&expected));
    // What is left out is not said to be missing.
    for left_out in ["u", "t/two t/one --exclude b --exclude large", "--max-size 3"] {
        let output = run(&scene, &format!("sum --update list {left_out}"));
        assert!(!text(&output.stdout).contains("missing"), "{left_out}: {}", text(&output.stdout));
        std::fs::write(scene.join("list"), &expected).unwrap();
    }
    // A new directory is recorded, so that the next run searches it.
    assert_eq!(run(&scene, "sum --update list t/two u").status.code(), Some(0));
    std::fs::create_dir(scene.join("u/sub")).unwrap();
    std::fs::rename(scene.join("u/c"), scene.join("u/sub/c")).unwrap();
    assert_eq!(run(&scene, "sum --update list").status.code(), Some(0));
    scene.file(b"u/more", b"more");
    assert_eq!(run(&scene, "sum --update list").status.code(), Some(0));
    assert!(text(&content(&scene)).contains("u/more\n"), "{}", text(&content(&scene)));
}

#[test]
fn lists_that_are_not_updated() {
    let scene = Scene::new();
    scene.file(b"t/a", b"abc");
    let line = run(&scene, "sum t/a").stdout;
    let forms = "not updated: only lists of one hash in the formats gnu and bsd can be";
    for (content, words, status) in [
        (run(&scene, "sum --format json t/a").stdout, forms, 1),
        (run(&scene, "sum -a sha1,sha256 t/a").stdout, forms, 1),
        (run(&scene, "sum -z t/a").stdout, forms, 1),
        (run(&scene, "sum --format sri t/a").stdout, forms, 1),
        ([&b"\xef\xbb\xbf"[..], &line].concat(), "not updated: it begins with a byte order mark", 1),
        (
            [&line[..line.len() - 1], b"\r\n"].concat(),
            "not updated: it has lines that end with a carriage return",
            1,
        ),
        ([&line[..], b"no line\n"].concat(), "not updated: line 2 is improperly formatted", 1),
        (line[..line.len() - 1].to_vec(), forms, 1),
        ([&line[..], &line[..line.len() - 1]].concat(), "not updated: its last line has no end", 1),
        (b"no list\n".to_vec(), "not a manifest: no properly formatted line", 1),
        (
            line.iter().map(|byte| if *byte == b't' { b'n' } else { *byte }).collect(),
            "not updated: none of its files exists",
            1,
        ),
    ] {
        std::fs::write(scene.join("list"), &content).unwrap();
        let output = run(&scene, "sum --update list");
        let err = text(&output.stderr);
        assert!(err.contains(&format!("hashlanes: list: {words}\n")), "{words}: {err}");
        assert_eq!(output.status.code(), Some(status), "{words}");
        assert_eq!(std::fs::read(scene.join("list")).unwrap(), content, "{words}");
    }
    assert_eq!(run(&scene, "sum --update nowhere").status.code(), Some(1));
    for wrong in [
        "--update -",
        "--update list -c",
        "--update list -r t",
        "--update list -a sha1,sha1",
        "--update list --json",
        "--accept-changes t/a",
    ] {
        assert_eq!(run(&scene, &format!("sum {wrong}")).status.code(), Some(2), "{wrong}");
    }
}

/// With `-C` the files are in another directory, the list is not.
#[test]
fn files_in_another_directory() {
    let scene = Scene::new();
    for (name, content) in [("copy/t/a", "a"), ("copy/t/b", "b"), ("t/a", "a"), ("t/c", "c")] {
        scene.file(name.as_bytes(), content.as_bytes());
    }
    let made = hashlanes_once(&scene.join("copy"), ["sum", "-r", "t", "-o", "../list"]);
    assert!(made.status.success());
    let before = content(&scene);
    assert_eq!(run(&scene, "sum --update list -C copy").status.code(), Some(0));
    assert_eq!(content(&scene), before);
    scene.file(b"copy/t/d", b"d");
    assert_eq!(run(&scene, "sum --update list -C copy").status.code(), Some(0));
    let fresh = hashlanes_once(&scene.join("copy"), ["sum", "-r", "t"]).stdout;
    assert_eq!(text(&content(&scene)), text(&fresh));
    let before = content(&scene);
    assert_eq!(run(&scene, "sum --update list -C nowhere").status.code(), Some(1));
    assert_eq!(content(&scene), before);
}

/// Lines do not name a hash; those of digests of equal lengths are read as the option says.
#[test]
fn lists_of_hashes_that_lines_do_not_name() {
    let scene = Scene::new();
    for name in ["t/a", "t/b"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    for hash in ["sha3-256", "sha512-256", "blake2b"] {
        list(&scene, &format!("-r -a {hash} t"));
        let as_another = run(&scene, "audit list");
        assert_eq!(as_another.status.code(), Some(1));
        assert!(text(&as_another.stderr).contains("see --algorithm"), "{}", text(&as_another.stderr));
        assert_eq!(run(&scene, &format!("audit list -a {hash}")).status.code(), Some(0));
        scene.file(b"t/c", b"new");
        assert_eq!(run(&scene, &format!("sum --update list -a {hash}")).status.code(), Some(0));
        assert_eq!(text(&content(&scene)), text(&run(&scene, &format!("sum -r -a {hash} t")).stdout));
        std::fs::remove_file(scene.join("t/c")).unwrap();
    }
}

/// A file that became a directory is no file any more; a pipe may be listed.
#[test]
fn files_that_became_something_else() {
    let scene = Scene::new();
    for name in ["t/a", "t/b", "t/c"] {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    list(&scene, "-r t");
    for name in ["t/b", "t/c"] {
        std::fs::remove_file(scene.join(name)).unwrap();
    }
    scene.file(b"t/b/inner", b"");
    scene.fifo("t/c");
    run(&scene, "sum --update list");
    let updated = content(&scene);
    let listed: Vec<&str> = text(&updated).lines().filter_map(|line| line.get(66..)).collect();
    assert_eq!(listed, ["t/a", "t/b/inner", "t/c"]);
}
