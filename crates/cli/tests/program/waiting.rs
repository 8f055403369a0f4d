//! Files that keep their reader waiting hold up nothing else.

use std::io::{BufRead, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};

use hashlanes::sha256;

use crate::scene::Scene;
use crate::side_by_side::{OURS, Run, feed};

fn line(content: &[u8], name: &str) -> String {
    let digits: String = sha256(content).iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{digits}  {name}")
}

/// `hashlanes sum` with these arguments, one word each, and its lines as they come.
fn start(scene: &Scene, args: &str) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut child = Command::new(OURS)
        .arg("sum")
        .args(args.split_whitespace())
        .current_dir(&scene.path)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    (child, lines)
}

/// A thousand files and a pipe without a writer: with --unordered all other files are printed first, in order
/// those before it; on one thread, too.
#[test]
fn a_pipe_holds_up_no_other_file() {
    let scene = Scene::new();
    let fifo = scene.fifo("pipe");
    scene.file(b"a", b"a");
    scene.file(b"z", b"z");
    for k in 0..1000 {
        scene.file(format!("t/{k}").as_bytes(), b"t");
    }
    for jobs in ["1", "2", "16"] {
        for (args, before, after) in [
            ("--unordered pipe a z", &["a", "z"][..], &["pipe"][..]),
            ("--unordered -r a pipe z", &["a", "z"], &["pipe"]),
            ("a pipe z", &["a"], &["pipe", "z"]),
            ("-r a pipe z", &["a"], &["pipe", "z"]),
        ] {
            let (mut child, mut lines) = start(&scene, &format!("-j {jobs} {args}"));
            for name in before {
                assert_eq!(lines.next().unwrap().unwrap(), line(name.as_bytes(), name), "{args}");
            }
            std::fs::write(&fifo, b"pipe").unwrap();
            for name in after {
                assert_eq!(lines.next().unwrap().unwrap(), line(name.as_bytes(), name), "{args}");
            }
            assert!(lines.next().is_none() && child.wait().unwrap().success(), "{args}");
        }
        let (mut child, mut lines) = start(&scene, &format!("-j {jobs} --unordered -r pipe t a"));
        for _ in 0..1001 {
            assert!(!lines.next().unwrap().unwrap().ends_with("pipe"));
        }
        std::fs::write(&fifo, b"pipe").unwrap();
        assert_eq!(lines.next().unwrap().unwrap(), line(b"pipe", "pipe"));
        assert!(lines.next().is_none() && child.wait().unwrap().success());
    }
}

/// Standard input that does not end holds up nothing, either; later results wait in order.
#[test]
fn standard_input_holds_up_no_other_file() {
    let scene = Scene::new();
    scene.file(b"a", b"a");
    scene.file(b"z", b"z");
    let (mut child, mut lines) = start(&scene, "-j 1 --unordered - a z");
    assert_eq!(lines.next().unwrap().unwrap(), line(b"a", "a"));
    assert_eq!(lines.next().unwrap().unwrap(), line(b"z", "z"));
    drop(child.stdin.take());
    assert_eq!(lines.next().unwrap().unwrap(), line(b"", "-"));
    assert!(child.wait().unwrap().success());
}

/// Pipes are read as they are written, so a writer that writes the last pipe first does not wait in vain.
/// With more pipes than are read at once, pipes that are written in order are read.
#[test]
fn many_pipes() {
    let scene = Scene::new();
    let fifos: Vec<_> = (0..100).map(|k| scene.fifo(&format!("p{k:02}"))).collect();
    let all = (0..100).map(|k| format!("p{k:02}")).collect::<Vec<_>>();
    for (n, jobs) in [(30, "1"), (30, "4"), (100, "1"), (100, "3")] {
        let (mut child, lines) = start(&scene, &format!("-j {jobs} {}", all[..n].join(" ")));
        let fifos = fifos[..n].to_vec();
        let writer = std::thread::spawn(move || {
            let backwards: Vec<_> =
                if n == 30 { fifos.iter().rev().collect() } else { fifos.iter().collect() };
            for fifo in backwards {
                std::fs::write(fifo, fifo.file_name().unwrap().as_encoded_bytes()).unwrap();
            }
        });
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        let expected: Vec<String> = all[..n].iter().map(|name| line(name.as_bytes(), name)).collect();
        assert_eq!(lines, expected, "{n} {jobs}");
        writer.join().unwrap();
        assert!(child.wait().unwrap().success());
    }
}

/// However often standard input is named, and by whichever name, the first name gets all of it, as with GNU.
#[test]
fn standard_input_by_several_names() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let content = b"content ".repeat(100_000);
    for args in [
        &["-", "-"][..],
        &["-", "/dev/stdin", "x", "-"],
        &["/dev/stdin", "-"],
        &["x", "/dev/stdin", "/proc/self/fd/0", "-", "x"],
        &["-"; 300],
    ] {
        Run::new(&scene.path, "sha256sum", args).stdin(&content).compare_sum();
    }
}

/// A device that never has anything ends at once, each time it is named.
#[test]
fn devices_are_read() {
    let scene = Scene::new();
    scene.file(b"x", b"x");
    let args = ["sum", "/dev/null", "x", "/dev/null", "-"];
    let output = feed(Command::new(OURS).args(args).current_dir(&scene.path), b"in");
    let expected =
        [line(b"", "/dev/null"), line(b"x", "x"), line(b"", "/dev/null"), line(b"in", "-")].join("\n") + "\n";
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}
