//! Standard output and standard input in all their conditions.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};

use crate::scene::Scene;
use crate::side_by_side::{OURS, feed};

/// A full device: an error that names the reason, status 1, for every kind of output.
#[test]
fn a_full_device_is_an_error() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    scene.file(b"list", b"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  x\n");
    for (args, name) in [
        (&["sha256sum", "x"][..], "sha256sum"),
        (&["sha256sum", "-c", "list"], "sha256sum"),
        (&["sha256sum", "--help"], "sha256sum"),
        (&["sum", "x"], "hashlanes"),
        (&["sum", "-r", "."], "hashlanes"),
        (&["sum", "--unordered", "x"], "hashlanes"),
        (&["--help"], "hashlanes"),
        (&["sum", "--help"], "hashlanes"),
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = Command::new(OURS).args(args).current_dir(&scene.path).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let expected = format!("{name}: write error: No space left on device\n");
        assert_eq!(String::from_utf8(output.stderr).unwrap(), expected, "{args:?}");
    }
}

/// A closed descriptor is reported as GNU reports it; an open one to /dev/null is accepted.
#[test]
fn closed_descriptors() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let run = |command: &str| {
        let output =
            Command::new("sh").args(["-c", command, OURS]).current_dir(&scene.path).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr), output.status.code())
    };
    let unwritten = "write error: Bad file descriptor\n";
    for (command, said) in [
        ("\"$0\" sum x >&-", format!("hashlanes: {unwritten}")),
        ("\"$0\" sha256sum x >&-", format!("sha256sum: {unwritten}")),
        ("\"$0\" --help >&-", format!("hashlanes: {unwritten}")),
        ("\"$0\" sum <&-", "hashlanes: -: Bad file descriptor\n".into()),
        ("\"$0\" sha256sum - <&-", "sha256sum: -: Bad file descriptor\n".into()),
        ("\"$0\" sha256sum -c <&-", "sha256sum: 'standard input': read error\n".into()),
        ("\"$0\" tree -m fs-verity <&-", "hashlanes: -: Bad file descriptor\n".into()),
        ("\"$0\" audit - <&-", "hashlanes: 'standard input': Bad file descriptor\n".into()),
    ] {
        let (stdout, stderr, status) = run(command);
        assert_eq!((stdout.as_str(), stderr), ("", said), "{command}");
        assert_ne!(status, Some(0), "{command}");
    }
    let (stdout, _, status) = run("\"$0\" sum - x - <&-");
    assert!(stdout.ends_with("4881  x\n") && stdout.lines().count() == 1 && status == Some(1), "{stdout}");
    // Nothing is written, and nothing is lost.
    assert_eq!(run("\"$0\" sum x > list; \"$0\" sum -c list --status >&-").2, Some(0));
    assert_eq!(run("\"$0\" sum x <>/dev/null >&0").2, Some(0));
}

/// A reader that goes away ends the program at once and quietly, with a shell's status for SIGPIPE.
#[test]
fn a_closed_pipe_ends_quietly() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let list = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881  x\n".repeat(200_000);
    scene.file(b"list", list.as_bytes());
    let mut child = Command::new(OURS)
        .args(["sha256sum", "-c", "list"])
        .current_dir(&scene.path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert_eq!(first, "x: OK\n");
    let mut messages = String::new();
    child.stderr.take().unwrap().read_to_string(&mut messages).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(141));
    assert_eq!(messages, "");
}

/// If results and messages go to one file, they are in the order of the files.
#[test]
fn results_and_messages_keep_their_order() {
    let scene = Scene::new();
    let mut script = String::from("exec 2>&1; exec \"$0\" sum");
    let mut expected = String::new();
    for k in 0..200 {
        script.push_str(&format!(" f{k}"));
        if k % 3 == 0 {
            expected.push_str(&format!("hashlanes: f{k}: No such file or directory\n"));
        } else {
            scene.file(format!("f{k}").as_bytes(), b"");
            let empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
            expected.push_str(&format!("{empty}  f{k}\n"));
        }
    }
    let output = feed(Command::new("sh").args(["-c", &script, OURS]).current_dir(&scene.path), b"");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

/// Known results are printed before waiting for standard input, and each line of a slow list is checked when
/// it arrives.
#[test]
fn nothing_known_waits_for_input() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    const X: &str = "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881";
    let start = |args: &[&str]| {
        Command::new(OURS)
            .args(args)
            .current_dir(&scene.path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut child = start(&["sum", "-j", "2", "x", "-"]);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, format!("{X}  x\n"));
    child.stdin.take().unwrap().write_all(b"x").unwrap();
    line.clear();
    out.read_line(&mut line).unwrap();
    assert_eq!(line, format!("{X}  -\n"));
    assert!(child.wait().unwrap().success());

    let mut child = start(&["sum", "-c"]);
    let mut out = BufReader::new(child.stdout.take().unwrap());
    let mut list = child.stdin.take().unwrap();
    for _ in 0..5 {
        list.write_all(format!("{X}  x\n").as_bytes()).unwrap();
        line.clear();
        out.read_line(&mut line).unwrap();
        assert_eq!(line, "x: OK\n");
    }
    drop(list);
    assert!(child.wait().unwrap().success());
}
