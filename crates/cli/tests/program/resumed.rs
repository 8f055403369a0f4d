//! `sum --output FILE --resume`: after any interruption, the manifest becomes that of an undisturbed run.

use std::os::unix::process::ExitStatusExt;
use std::process::Output;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::scene::{Random, Scene};
use crate::side_by_side::hashlanes_once;

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

/// A tree of 120 files, and the manifest of it.
fn tree() -> (Scene, Vec<u8>) {
    let scene = Scene::new();
    let content = Random(5).bytes(100_000);
    for k in 0..120 {
        scene.file(format!("d/{}/f{k}\n{}", k % 7, k % 3).as_bytes(), &content[k..(k * 700).max(k)]);
    }
    let whole = run(&scene, "sum -r d");
    assert!(whole.status.success());
    // File times come by ticks of a clock: later files need a pause.
    std::thread::sleep(Duration::from_millis(20));
    (scene, whole.stdout)
}

fn manifest(scene: &Scene) -> Vec<u8> {
    std::fs::read(scene.join("list")).unwrap()
}

#[test]
fn wherever_it_was_interrupted() {
    let (scene, whole) = tree();
    let output = run(&scene, "sum -r d -o list");
    assert!(output.status.success() && output.stdout.is_empty());
    assert!(manifest(&scene) == whole);
    for cut in [0, 1, 63, 64, 65, 66, 70, 1000, 5003, whole.len() - 1, whole.len()] {
        std::fs::write(scene.join("list"), &whole[..cut]).unwrap();
        let output = run(&scene, "sum -r d -o list --resume");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert!(manifest(&scene) == whole, "cut at {cut}");
    }
    // A file that is not there yet.
    assert!(run(&scene, "sum -r d -o new --resume").status.success());
    assert!(std::fs::read(scene.join("new")).unwrap() == whole);
    // Damaged in the middle: from there on nothing is believed.
    let mut damaged = whole.clone();
    damaged[2000] = b'?';
    std::fs::write(scene.join("list"), &damaged).unwrap();
    assert!(run(&scene, "sum -r d -o list --resume").status.success());
    assert!(manifest(&scene) == whole);
}

/// A line is kept for a file that was not changed, right or wrong: so it is seen which were hashed again.
#[test]
fn kept_files() {
    let (scene, whole) = tree();
    std::fs::write(scene.join("list"), &whole).unwrap();
    let mut wrong = whole.clone();
    let lines: Vec<usize> = (0..whole.len()).filter(|&at| at == 0 || whole[at - 1] == b'\n').collect();
    // A backslash precedes escaped names. The first name is compared.
    lines[1..].iter().for_each(|&at| wrong[at + 1] = if whole[at + 1] == b'0' { b'1' } else { b'0' });
    std::fs::write(scene.join("list"), &wrong).unwrap();
    assert!(run(&scene, "sum -r d -o list --resume").status.success());
    assert!(manifest(&scene) == wrong, "nothing is hashed again");
    // From the first file on that was changed, everything is.
    let (line, at) = (60, lines[60]);
    let end = at + whole[at..].iter().position(|&byte| byte == b'\n').unwrap();
    let name = String::from_utf8(whole[at + 67..end].to_vec()).unwrap().replace("\\n", "\n");
    std::thread::sleep(Duration::from_millis(20));
    let content = std::fs::read(scene.join(&name)).unwrap();
    std::fs::write(scene.join(&name), content).unwrap();
    assert!(run(&scene, "sum -r d -o list --resume").status.success());
    assert!(manifest(&scene) == [&wrong[..at], &whole[at..]].concat(), "line {line}");
    // A file that is gone, and one that is new.
    std::fs::remove_file(scene.join(&name)).unwrap();
    scene.file(b"d/0/a new one", b"new");
    assert!(run(&scene, "sum -r d -o list --resume").status.success());
    assert!(manifest(&scene) == run(&scene, "sum -r d").stdout);
}

/// A file that cannot be read is reported each time, and does not cause the others to be hashed again.
#[test]
fn unreadable_files() {
    let (scene, _) = tree();
    // A link that leads nowhere: root may read everything else.
    scene.link("gone", "nowhere");
    let first = run(&scene, "sum -r d/0 gone d/1 -o list");
    assert_eq!(first.status.code(), Some(1));
    let whole = manifest(&scene);
    let mut wrong = whole.clone();
    // The last line before the comments.
    let end = whole.windows(3).position(|bytes| bytes == b"\n# ").unwrap();
    let last = whole[..end].iter().rposition(|&byte| byte == b'\n').unwrap() + 2;
    wrong[last] = if whole[last] == b'0' { b'1' } else { b'0' };
    std::fs::write(scene.join("list"), &wrong).unwrap();
    let again = run(&scene, "sum -r d/0 gone d/1 -o list --resume");
    assert_eq!((again.status.code(), &again.stderr), (Some(1), &first.stderr));
    assert!(manifest(&scene) == wrong, "what follows is kept");
}

/// Interrupted or killed at any time, again and again, and then let be.
#[test]
fn interrupted_again_and_again() {
    let (scene, whole) = tree();
    let signals = [Signal::INT, Signal::KILL, Signal::TERM].into_iter().cycle();
    for (delay, signal) in [0, 1, 2, 4, 8, 16, 1, 3, 6].into_iter().zip(signals) {
        let mut child = std::process::Command::new(crate::side_by_side::OURS)
            .args(["sum", "-r", "d", "-o", "list", "--resume"])
            .current_dir(&scene.path)
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(delay));
        let _ = kill_process(Pid::from_child(&child), signal);
        let ended = child.wait().unwrap();
        assert!(ended.success() || ended.signal() == Some(signal.as_raw()), "{ended}");
        // The existing bytes are the manifest's lines, the last perhaps incomplete.
        assert!(whole.starts_with(&std::fs::read(scene.join("list")).unwrap_or_default()));
    }
    assert!(run(&scene, "sum -r d -o list --resume").status.success());
    assert!(manifest(&scene) == whole);
}

/// A list of another form is complete, and not this run's: it stays.
#[test]
fn lists_of_another_form() {
    let (scene, _) = tree();
    const FORMS: [&str; 6] = ["", "-a sha1", "-a sha512", "-a sha512-256", "--tag", "--tag -a sha512-256"];
    for made in FORMS {
        for other in FORMS.into_iter().filter(|other| *other != made) {
            assert!(run(&scene, &format!("sum -r d {made} -o list")).status.success());
            let before = manifest(&scene);
            let output = run(&scene, &format!("sum -r d {other} -o list --resume"));
            let words = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{made}, then {other}: {words}");
            assert!(words.contains("another hash, key or format; not overwritten"), "{words}");
            assert!(manifest(&scene) == before, "{made}, then {other}");
            std::fs::remove_file(scene.join("list")).unwrap();
        }
    }
}
