//! Names from a list, `--files0-from`: names of any bytes, each ended by NUL, in order.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

use crate::scene::{ODD_NAMES, Scene};
use crate::side_by_side::{OURS, feed, hashlanes, peak_kib};

const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const X: &str = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";

/// `hashlanes sum --files0-from` a list, which is on standard input if it is `-`.
fn from(scene: &Scene, list: &str, stdin: &[u8]) -> Output {
    feed(Command::new(OURS).args(["sum", "--files0-from", list]).current_dir(&scene.path), stdin)
}

/// Returns standard output, standard error, and the status.
fn result_of(output: Output) -> (String, String, i32) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr), output.status.code().unwrap())
}

/// The same as the names as arguments, from a file and from standard input, with and without a NUL at the
/// end.
#[test]
fn a_list_is_as_good_as_arguments() {
    let scene = Scene::new();
    for name in ODD_NAMES {
        scene.file(name, name);
    }
    let names = || ODD_NAMES.iter().map(|name| crate::scene::os(name));
    let expected = hashlanes(&scene.path, ["sum".into(), "--".into()].into_iter().chain(names()));
    let list = ODD_NAMES.join(&0);
    scene.file(b"list", &[&list[..], b"\0"].concat());
    for (list, stdin) in [("list", &b""[..]), ("-", &list)] {
        let ours = from(&scene, list, stdin);
        assert!(ours.stdout == expected.stdout && ours.stderr.is_empty() && ours.status.success(), "{list}");
    }
    let none = from(&scene, "/dev/null", b"not read");
    assert_eq!(result_of(none), (String::new(), String::new(), 0));
}

/// Invalid names are reported with their number, and the others continue.
#[test]
fn invalid_names_are_reported() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let long = [&b"x\0"[..], &vec![b'y'; 100_000], b"\0x\0"].concat();
    scene.file(b"long", &long);
    scene.file(b"empty names", b"x\0\0x\0\0");
    scene.file(b"dash", b"x\0-\0x");
    let (x, two) = (format!("{X}  x\n"), format!("{X}  x\n{X}  x\n"));
    let wrong = "invalid zero-length file name\n";
    assert_eq!(
        result_of(from(&scene, "empty names", b"")),
        (two.clone(), format!("hashlanes: 'empty names': 2: {wrong}hashlanes: 'empty names': 4: {wrong}"), 1)
    );
    assert_eq!(result_of(from(&scene, "dash", b"x")), (format!("{x}{X}  -\n{x}"), String::new(), 0));
    let refused = "hashlanes: when reading file names from standard input, no file name of '-' allowed\n";
    assert_eq!(
        result_of(from(&scene, "-", b"x\0-\0\0x")),
        (two.clone(), format!("{refused}hashlanes: 'standard input': 3: {wrong}"), 1)
    );
    let (out, err, status) = result_of(from(&scene, "long", b""));
    assert_eq!((out, status), (two, 1));
    assert!(
        err.starts_with("hashlanes: yyyy") && err.ends_with("yyyy: File name too long\n") && err.len() < 9000
    );
}

#[test]
fn wrong_use_of_a_list() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    scene.file(b"list", b"x\0");
    std::fs::create_dir(scene.join("d")).unwrap();
    for args in ["--files0-from list x", "--files0-from list -c", "--files0-from list --raw", "--files0-from"]
    {
        let output = hashlanes(&scene.path, ["sum"].into_iter().chain(args.split(' ')));
        assert!(output.status.code() == Some(2) && output.stdout.is_empty(), "{args}");
    }
    assert_eq!(
        result_of(from(&scene, "nope", b"")),
        (
            String::new(),
            "hashlanes: nope: cannot open the list of names: No such file or directory\n".into(),
            1
        )
    );
    assert_eq!(
        result_of(from(&scene, "d", b"")),
        (String::new(), "hashlanes: d: read error: Is a directory\n".into(), 1)
    );
}

/// Directories in a list are walked with -r, and refused without.
#[test]
fn directories_in_a_list() {
    let scene = Scene::new();
    for name in [&b"d/b"[..], b"d/a/x", b"y", b"z/z"] {
        scene.file(name, b"");
    }
    let walked = feed(
        Command::new(OURS).args(["sum", "-r", "--files0-from=-"]).current_dir(&scene.path),
        b"z\0\0y\0d\0",
    );
    let lines: String = ["z/z", "y", "d/a/x", "d/b"].map(|name| format!("{EMPTY}  {name}\n")).concat();
    let said = "hashlanes: 'standard input': 2: invalid zero-length file name\n";
    assert_eq!(result_of(walked), (lines, said.into(), 1));
    assert_eq!(
        result_of(from(&scene, "-", b"d\0y\0")),
        (format!("{EMPTY}  y\n"), "hashlanes: d: Is a directory\n".into(), 1)
    );
}

/// Names that come by and by are hashed when they come.
#[test]
fn a_list_is_not_waited_for() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    for jobs in ["1", "3"] {
        let mut child = Command::new(OURS)
            .args(["sum", "-j", jobs, "--files0-from=-"])
            .current_dir(&scene.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let mut list = child.stdin.take().unwrap();
        for _ in 0..5 {
            list.write_all(b"x\0").unwrap();
            let mut line = String::new();
            out.read_line(&mut line).unwrap();
            assert_eq!(line, format!("{X}  x\n"));
        }
        drop(list);
        assert!(child.wait().unwrap().success());
    }
}

/// A hundred thousand names of a thousand bytes, 100 MB, go through in a few.
#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_list_takes_no_memory() {
    const NAMES: usize = 100_000;
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let name = "./".repeat(500) + "x";
    let mut child = Command::new(OURS)
        .args(["sum", "-j", "2", "--files0-from=-"])
        .current_dir(&scene.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut list = child.stdin.take().unwrap();
    let out = BufReader::new(child.stdout.take().unwrap());
    let reader = std::thread::spawn(move || {
        let line = format!("{X}  {}x", "./".repeat(500));
        out.lines().inspect(|read| assert_eq!(read.as_ref().unwrap(), &line)).count()
    });
    for _ in 0..NAMES {
        list.write_all(name.as_bytes()).unwrap();
        list.write_all(b"\0").unwrap();
    }
    let peak_kib = peak_kib(&child).unwrap();
    drop(list);
    assert!(child.wait().unwrap().success());
    assert_eq!(reader.join().unwrap(), NAMES);
    assert!(peak_kib < 32 << 10, "{peak_kib} KiB");
}
