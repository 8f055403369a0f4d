//! Files that change while they are read: a warning after the line, and a failure with `--fail-on-change`.
//!
//! A named pipe after a file stops the program between the file's first read and its last: it opens the pipe
//! and waits for a writer. Changes made then happen while the file is read. (Pipes among the arguments have
//! threads of their own and delay nothing; pipes in lists of names are treated as files.)

use std::collections::HashSet;
use std::ffi::OsString;
use std::io::Write;
use std::os::unix::fs::{FileExt, PermissionsExt};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::scene::Scene;
use crate::side_by_side::{OURS, hashlanes, hashlanes_once, ways};

const LONG: usize = 300_000;

/// Runs the program on the file `f` and the pipe after it, and changes the file in between.
fn run_and_change(scene: &Scene, command: &[&str], change: impl FnOnce(&Path)) -> Output {
    // Both streams into one, for their order.
    let program = Command::new("sh")
        .args(["-c", "exec 2>&1; exec \"$0\" \"$@\"", OURS])
        .args(command)
        .current_dir(&scene.path)
        .env("LC_ALL", "C.UTF-8")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let writer = std::fs::OpenOptions::new().write(true).open(scene.join("pipe")).unwrap();
    // Before Linux 6.13 times are those of the clock's last tick, at most 10 ms ago.
    std::thread::sleep(Duration::from_millis(20));
    change(&scene.join("f"));
    drop(writer);
    program.wait_with_output().unwrap()
}

fn scene(len: usize) -> Scene {
    let scene = Scene::new();
    scene.file(b"f", &vec![b'x'; len]);
    scene.fifo("pipe");
    scene.file(b"names", b"f\0pipe\0");
    scene
}

fn open(path: &Path) -> std::fs::File {
    std::fs::OpenOptions::new().write(true).open(path).unwrap()
}

fn sha256(message: &[u8]) -> String {
    hashlanes::sha256(message).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Ways in which files change, each with its name.
type Change = (&'static str, fn(&Path));

const CHANGES: [Change; 6] = [
    ("grown", |f| {
        std::fs::OpenOptions::new().append(true).open(f).unwrap().write_all(b"more").unwrap();
    }),
    ("truncated", |f| open(f).set_len(1).unwrap()),
    ("emptied", |f| open(f).set_len(0).unwrap()),
    ("written over", |f| open(f).write_all_at(b"y", 7).unwrap()),
    // Like a program that hides its change.
    ("written over, its time set back", |f| {
        let file = open(f);
        let time = file.metadata().unwrap().modified().unwrap();
        file.write_all_at(b"y", 7).unwrap();
        file.set_modified(time).unwrap();
    }),
    ("its permissions", |f| std::fs::set_permissions(f, std::fs::Permissions::from_mode(0o640)).unwrap()),
];

#[test]
fn a_long_file_that_changes_is_reported() {
    for way in ways() {
        for (name, change) in CHANGES {
            for (options, status) in [(&[][..], 0), (&["--fail-on-change"], 1)] {
                let scene = scene(LONG);
                let command = [&["sum", way, "-j1", "--files0-from", "names"], options].concat();
                let output = run_and_change(&scene, &command, change);
                let text = String::from_utf8(output.stdout).unwrap();
                let lines: Vec<&str> = text.lines().collect();
                assert_eq!(lines.len(), 3, "{name}: {text}");
                assert!(lines[0].ends_with("  f") && lines[2].ends_with("  pipe"), "{name}: {text}");
                assert_eq!(lines[1], "hashlanes: f: changed while it was read", "{name}");
                assert_eq!(output.status.code(), Some(status), "{name}");
            }
        }
    }
}

/// Also for files of a list, right or wrong.
#[test]
fn a_check_reports_changes() {
    for way in ways() {
        for (change, verdict, status) in [(CHANGES[5].1, "OK", 0), (CHANGES[0].1, "FAILED", 1)] {
            let scene = scene(LONG);
            let list = hashlanes(&scene.path, ["sum", "f"]).stdout;
            let empty = format!("{}  pipe\n", sha256(b""));
            scene.file(b"list", &[&list[..], empty.as_bytes()].concat());
            let output = run_and_change(&scene, &["sum", way, "-j1", "-c", "list"], change);
            let text = String::from_utf8(output.stdout).unwrap();
            let expected = format!("f: {verdict}\nhashlanes: f: changed while it was read\npipe: OK\n");
            assert!(text.starts_with(&expected), "{text}");
            assert_eq!(output.status.code(), Some(status));
        }
        let scene = scene(LONG);
        let list = hashlanes(&scene.path, ["sum", "f"]).stdout;
        let empty = format!("{}  pipe\n", sha256(b""));
        scene.file(b"list", &[&list[..], empty.as_bytes()].concat());
        let command = ["sum", way, "-j1", "--fail-on-change", "-c", "list"];
        assert_eq!(run_and_change(&scene, &command, CHANGES[5].1).status.code(), Some(1));
    }
}

/// GNU's tools report nothing, and neither does this program under their names.
#[test]
fn under_gnus_names_changes_are_not_reported() {
    for (name, change) in CHANGES {
        let scene = scene(LONG);
        let output = run_and_change(&scene, &["sha256sum", "f", "pipe"], change);
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 2, "{name}: {text}");
        assert!(output.status.success(), "{name}");
    }
}

/// Files without a size, or without their own times, do not change.
#[test]
fn pipes_devices_and_the_kernels_files_never_change() {
    let scene = Scene::new();
    let files = ["/proc/self/status", "/proc/self/stat", "/proc/uptime", "/proc/interrupts", "/dev/null"];
    for way in ways() {
        let args = ["sum", way, "--fail-on-change"].into_iter().chain(files).map(OsString::from);
        let output = hashlanes_once(&scene.path, args.collect::<Vec<_>>());
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    }
}

/// A small file, read repeatedly while another thread rewrites it: every digest that mixes two versions is
/// reported.
///
/// Each version has a byte and a length of its own, so that the size shows a change on every kernel.
#[test]
fn every_mixture_of_versions_is_reported() {
    const VERSIONS: usize = 120;
    let version = |k: usize| vec![k as u8; 4000 + 8 * k];
    let mut genuine = HashSet::from([sha256(b"")]);
    for k in 0..VERSIONS {
        let content = version(k);
        // As long as after the first write, or with the second write's first page.
        for n in [2000, content.len().min(4096), content.len()] {
            genuine.insert(sha256(&content[..n]));
        }
    }
    // Reads 5000 times while the file is written; returns whether a change was reported.
    let is_told = |way: &str| {
        let scene = Scene::new();
        scene.file(b"f", &version(0));
        let done = AtomicBool::new(false);
        let output = std::thread::scope(|scope| {
            scope.spawn(|| {
                let file = open(&scene.join("f"));
                for k in (0..VERSIONS).cycle() {
                    if done.load(Ordering::Relaxed) {
                        return;
                    }
                    file.set_len(0).unwrap();
                    file.write_all_at(&version(k)[..2000], 0).unwrap();
                    file.write_all_at(&version(k)[2000..], 2000).unwrap();
                }
            });
            let names = vec!["f"; 5000];
            let program = ["-c", "exec 2>&1; exec \"$0\" \"$@\"", OURS, "sum", way, "-j1"];
            let output =
                Command::new("sh").args(program).args(names).current_dir(&scene.path).output().unwrap();
            done.store(true, Ordering::Relaxed);
            output
        });
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let is_warning = |line: &&str| line.starts_with("hashlanes: f: changed");
        for (k, line) in lines.iter().enumerate().filter(|(_, line)| !is_warning(line)) {
            let result_of = lines.get(k + 1).is_some_and(is_warning);
            assert!(result_of || genuine.contains(&line[..64]), "{way}, line {k}: {line}");
        }
        assert_eq!(lines.iter().filter(|line| !is_warning(line)).count(), 5000);
        lines.iter().any(is_warning)
    };
    for way in ways() {
        // On a busy machine the writer may have no turn in all that time.
        assert!((0..50).any(|_| is_told(way)), "{way}: nothing changed in time");
    }
}
