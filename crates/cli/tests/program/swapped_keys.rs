//! Another user swaps the directory of a key, or its witness, at every call of the program in turn.
//!
//! A thread plays the other user, who may write the directory above. strace delays one call of the program.
//! Before that call, the thread moves the key's directory or the witness away, and puts its own there: a
//! symbolic link, or a directory or a file of another user. Nothing may be written there, and a signature is
//! released only with its witness.

use std::collections::BTreeSet;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, lchown, symlink};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::calls::{Call, calls, strace_is_here, trace_of_calls, traced};
use crate::keys::{SET, done, index_in, result_of, with_key};
use crate::scene::Scene;

const OTHER: u32 = 65534;
const PRECIOUS: &[u8] = b"precious";

/// A command that works in the directory `shared`.
struct Case {
    /// The arguments of the run with this number.
    args: fn(usize) -> String,
    /// The name in `shared` that is swapped, and others that begin with it.
    name: &'static str,
    /// The content of `shared` before.
    before: Before,
    /// The message if the program detects the attack; other faults of the same attack have their own
    /// messages.
    words: &'static str,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Key,
    Witness,
}

const CASES: [Case; 6] = [
    Case {
        args: |_| format!("keygen --scheme {SET} --out shared/key"),
        name: "key",
        before: Before::Nothing,
        words: "was moved or replaced while the key was made",
    },
    Case {
        args: |_| "key split key --count 5 --out shared/key".into(),
        name: "key",
        before: Before::Nothing,
        words: "was moved or replaced while the key was made",
    },
    Case {
        args: |_| "sign -q -k shared/key a -o sig".into(),
        name: "key",
        before: Before::Key,
        words: "holds no key",
    },
    Case {
        args: |n| format!("key advance shared/key --to {}", 1000 + n),
        name: "key",
        before: Before::Key,
        words: "holds no key",
    },
    Case {
        args: |_| "sign -q -k key a --witness shared/witness -o sig".into(),
        name: "witness",
        before: Before::Witness,
        words: "was moved, linked or replaced while it was written",
    },
    Case {
        args: |n| format!("key advance key --to {} --witness shared/witness", 1000 + n),
        name: "witness",
        before: Before::Witness,
        words: "was moved, linked or replaced while it was written",
    },
];

/// The link or file that the other user plants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attack {
    Link,
    Own,
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

/// The other user's directory and file, and `shared` as before the first run.
fn tidy(scene: &Scene, case: &Case) {
    let key = scene.join("kept");
    let places =
        fs::read_dir(&scene.path).unwrap().chain(fs::read_dir(scene.join("shared")).unwrap()).flatten();
    for place in places {
        let name = place.file_name().into_string().unwrap();
        let is_ours = place.metadata().is_ok_and(|here| here.uid() != OTHER || !is_root());
        let is_candidate = name.starts_with("stolen-") || place.path().parent() != Some(&scene.path);
        if case.before == Before::Key && is_candidate && is_ours && place.path().join("state").exists() {
            fs::rename(place.path(), &key).unwrap();
        }
    }
    for name in
        fs::read_dir(&scene.path).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap())
    {
        if ["shared", "trap", "forged", "precious", "trace", "sig"].contains(&&name[..])
            || name.starts_with("stolen-")
        {
            let path = scene.join(&name);
            fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path)).unwrap();
        }
    }
    for (name, mode) in [("shared", 0o777), ("trap", 0o700)] {
        fs::create_dir(scene.join(name)).unwrap();
        fs::set_permissions(scene.join(name), Permissions::from_mode(mode)).unwrap();
    }
    for name in ["precious", "forged"] {
        scene.file(name.as_bytes(), PRECIOUS);
        fs::set_permissions(scene.join(name), Permissions::from_mode(0o600)).unwrap();
    }
    for name in ["trap", "forged"] {
        let _ = lchown(scene.join(name), Some(OTHER), Some(OTHER));
    }
    match case.before {
        Before::Nothing => {}
        Before::Key => fs::rename(key, scene.join("shared/key")).unwrap(),
        Before::Witness => {
            fs::copy(scene.join("witness"), scene.join("shared/witness")).unwrap();
        }
    }
}

/// Moves the entry with this name away, and puts another one there. Returns whether the name was there.
fn swap(scene: &Scene, how: Attack, path: &Path, n_stolen: usize) -> bool {
    let is_directory = fs::symlink_metadata(path).is_ok_and(|here| here.is_dir());
    let stolen = scene.join(&format!("stolen-{n_stolen}"));
    if fs::rename(path, stolen).is_err() {
        return false;
    }
    let target = scene.join(if is_directory { "trap" } else { "precious" });
    let _ = match how {
        Attack::Link => symlink(&target, path).map(|()| drop(lchown(path, Some(OTHER), Some(OTHER)))),
        Attack::Own if is_directory => fs::rename(target, path),
        Attack::Own => fs::rename(scene.join("forged"), path),
    };
    true
}

/// Whether it is the other user's: a link, or a file that carries the other user's bytes or owner.
fn is_planted(scene: &Scene, path: &Path, how: Attack) -> bool {
    match how {
        Attack::Link => fs::symlink_metadata(path).is_ok_and(|here| here.is_symlink()),
        Attack::Own if path.is_dir() => !scene.join("trap").exists(),
        Attack::Own => fs::read(path).is_ok_and(|bytes| bytes == PRECIOUS),
    }
}

/// Waits for the call, and swaps each name once. Returns the names.
fn attack(scene: &Scene, how: Attack, case: &Case, n_before: usize, ended: &AtomicBool) -> Vec<String> {
    let mut stolen = Vec::new();
    while !ended.load(Ordering::Relaxed) {
        let trace = fs::read(scene.join("trace")).unwrap_or_default();
        if trace.iter().filter(|&&byte| byte == b'\n').count() >= n_before {
            for entry in fs::read_dir(scene.join("shared")).unwrap().flatten() {
                let name = entry.file_name().into_string().unwrap();
                if name.starts_with(case.name)
                    && !is_planted(scene, &entry.path(), how)
                    && swap(scene, how, &entry.path(), stolen.len())
                {
                    stolen.push(name);
                }
            }
            if !stolen.is_empty() {
                break;
            }
        }
        std::thread::sleep(Duration::from_micros(100));
    }
    stolen
}

/// Nothing was written to the other user's files.
fn check_untouched(scene: &Scene, case: &Case, what: &str) {
    let trap =
        if scene.join("trap").exists() { scene.join("trap") } else { scene.join("shared").join(case.name) };
    let names: Vec<_> = fs::read_dir(trap).unwrap().flatten().map(|entry| entry.file_name()).collect();
    assert!(names.is_empty(), "{what}: {names:?} in a directory of another user");
    assert_eq!(fs::read(scene.join("precious")).unwrap(), PRECIOUS, "{what}");
    for entry in
        fs::read_dir(scene.join("shared")).unwrap().chain(fs::read_dir(&scene.path).unwrap()).flatten()
    {
        let is_forged = entry.metadata().is_ok_and(|here| here.is_file() && here.uid() == OTHER);
        assert!(!is_forged || fs::read(entry.path()).unwrap() == PRECIOUS, "{what}: {:?}", entry.path());
    }
}

/// One command under one attack, at every `step`th call.
fn attacked(case: &Case, how: Attack, step: usize) {
    static RUNS: AtomicUsize = AtomicUsize::new(0);
    let scene = with_key();
    fs::create_dir(scene.join("shared")).unwrap();
    match case.before {
        Before::Nothing => {}
        Before::Key => fs::rename(scene.join("key"), scene.join("shared/key")).unwrap(),
        Before::Witness => drop(done(&scene, "key adopt key --moved --witness witness")),
    }
    tidy(&scene, case);
    let (mut calls, _) = calls(&scene, &(case.args)(RUNS.fetch_add(1, Ordering::Relaxed)), "shared");
    calls.retain(|call| call.name != "fstat");
    let (mut n_made, mut n_refused, mut n_noticed) = (0, 0, 0);
    let mut indices = BTreeSet::new();
    // More of the calls before a file gets its name: there a swap must be noticed.
    let before_renaming = |n: usize| calls[n..].iter().take(30).any(|call| call.name.starts_with("rename"));
    let is_looked_at = |n: usize| {
        n.is_multiple_of(step)
            || step > 1 && n < 8
            || before_renaming(n) && n.is_multiple_of(step.div_ceil(8))
    };
    for (n, call) in calls.iter().enumerate().filter(|(n, _)| is_looked_at(*n)) {
        // Long enough for the other user on a machine that is busy.
        let delay = if before_renaming(n) { 50 } else { 15 };
        let Call { name, when, n_before } = call;
        tidy(&scene, case);
        let args = (case.args)(RUNS.fetch_add(1, Ordering::Relaxed));
        let what = format!("{how:?} {args}, {name} {when}");
        let delay = format!("inject={name}:delay_enter={delay}ms:when={when}");
        let ended = AtomicBool::new(false);
        let ((status, err), stolen) = std::thread::scope(|scope| {
            let thread = scope.spawn(|| attack(&scene, how, case, *n_before, &ended));
            let ran = traced(&scene, &[&trace_of_calls(), &delay], &args);
            ended.store(true, Ordering::Relaxed);
            (ran, thread.join().unwrap())
        });
        let what = format!("{what}, {stolen:?} stolen: {err}");
        check_untouched(&scene, case, &what);
        assert!(!err.contains("panicked"), "{what}");
        if status.success() {
            // A temporary file that is gone cannot have become the witness.
            assert!(!stolen.iter().any(|name| name.ends_with(".new")), "{what}");
            n_made += 1;
        } else {
            assert!(err.starts_with("hashlanes: "), "{what}");
            n_refused += 1;
            n_noticed += usize::from(err.contains(case.words));
        }
        // A signature is complete or missing; its index is unique.
        if args.starts_with("sign") {
            let index = index_in(&scene, "sig");
            assert_eq!(index.is_some(), status.success(), "{what}");
            assert!(index.is_none_or(|index| indices.insert(index)), "{what}: index {index:?} again");
        }
    }
    println!("{how:?} {}: {n_made} made, {n_refused} refused, {n_noticed} in these words", (case.args)(0));
    assert!(n_refused > 0 && (how == Attack::Link || n_noticed > 0), "{how:?} {}", (case.args)(0));
}

fn attacked_by_all(cases: &[Case], step: usize) {
    if !strace_is_here() {
        return;
    }
    for case in cases {
        attacked(case, Attack::Link, step);
        if is_root() {
            attacked(case, Attack::Own, step);
        }
    }
    if !is_root() {
        eprintln!("SKIPPED, not tested: only root makes directories of another user");
    }
}

#[test]
fn new_keys_that_another_user_swaps() {
    attacked_by_all(&CASES[..2], 16);
}

#[test]
fn keys_that_another_user_swaps() {
    attacked_by_all(&CASES[2..4], 16);
}

#[test]
fn witnesses_that_another_user_swaps() {
    attacked_by_all(&CASES[4..], 16);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn keys_and_witnesses_that_another_user_swaps_at_every_call() {
    attacked_by_all(&CASES, 1);
}

/// A directory of another user is refused in words, also by root; so are links where a key is to be made.
#[test]
fn directories_of_others_are_refused() {
    let scene = with_key();
    fs::create_dir(scene.join("empty")).unwrap();
    fs::set_permissions(scene.join("empty"), Permissions::from_mode(0o700)).unwrap();
    scene.link("link", "empty");
    let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out link"));
    let words =
        "hashlanes: link: is no directory; if it is a symbolic link, name the directory that it leads to\n";
    assert_eq!((&err[..], status), (words, 7));
    // Links in the path of a key that exists are followed.
    scene.link("to-key", "key");
    done(&scene, "sign -q -k to-key a");
    if !is_root() {
        eprintln!("SKIPPED, not tested: only root makes directories of another user");
        return;
    }
    for name in ["empty", "key"] {
        lchown(scene.join(name), Some(OTHER), Some(OTHER)).unwrap();
    }
    for args in [
        &format!("keygen --scheme {SET} --out empty")[..],
        "sign -q -k key b",
        "key status key",
        "key advance key --to 5",
        "key export-public key",
    ] {
        let (_, err, status) = result_of(&scene, args);
        let words = "it belongs to another user (uid 65534, this is uid 0); run as its owner, or chown it";
        assert!(status == 7 && err.contains(words), "{args}: {status} {err}");
    }
    assert_eq!(fs::read_dir(scene.join("empty")).unwrap().count(), 0);
}
