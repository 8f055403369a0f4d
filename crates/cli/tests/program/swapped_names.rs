//! Another user swaps names in the directory in which the program makes files, at every call of the program
//! in turn.
//!
//! A thread plays the other user. In one part, it puts a symbolic link to a precious file in the place of
//! every name that is not the final one; in the other part, which takes root, it plants a link of another
//! user at the final name. strace delays the call, so that the swap comes before it. The precious file must
//! stay as it is, and a run that reports success must have made the file that was asked for.

use std::fs;
use std::os::unix::fs::{PermissionsExt, lchown, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use crate::calls::{Call, calls, strace_is_here, trace_of_calls, traced};
use crate::keys::{done, result_of, with_key};
use crate::scene::Scene;

/// A command that makes a file in the directory `shared`.
struct Case {
    args: &'static str,
    /// Its file in `shared`.
    made: &'static str,
    /// The file is there before.
    is_replaced: bool,
    /// Asserts that it is the requested file.
    check: fn(&Scene),
}

const PRECIOUS: &[u8] = b"precious";

fn is_signature(scene: &Scene) {
    done(scene, "verify -q -k key/public.pem shared/a");
}

fn length_is(scene: &Scene, name: &str, n_bytes: u64) {
    let metadata = fs::symlink_metadata(scene.join("shared").join(name)).unwrap();
    assert!(metadata.is_file() && metadata.len() == n_bytes, "{name}: {metadata:?}");
}

const CASES: [Case; 9] = [
    Case { args: "sign -q -k key shared/a", made: "a.sig", is_replaced: false, check: is_signature },
    Case {
        args: "sign -q -k key shared/a -o shared/a.sig",
        made: "a.sig",
        is_replaced: false,
        check: is_signature,
    },
    Case { args: "sign -f -q -k key shared/a", made: "a.sig", is_replaced: true, check: is_signature },
    Case {
        args: "tree -m fs-verity --tree-out shared/out data",
        made: "out",
        is_replaced: false,
        check: |scene| length_is(scene, "out", 4096),
    },
    Case {
        args: "tree -m bep52 --piece-length 16K --tree-out shared/out data",
        made: "out",
        is_replaced: true,
        check: |scene| length_is(scene, "out", 64),
    },
    Case {
        args: "sum --io=read a -o shared/out",
        made: "out",
        is_replaced: false,
        check: |scene| drop(done(scene, "sum -c --status shared/out")),
    },
    Case {
        args: "sum --io=read a --cache shared/out",
        made: "out",
        is_replaced: false,
        check: |scene| {
            assert!(fs::read(scene.join("shared/out")).unwrap().starts_with(b"hashlanes cache 1 "))
        },
    },
    Case {
        args: "key export-public key -o shared/out",
        made: "out",
        is_replaced: false,
        check: |scene| drop(done(scene, "verify -q -k shared/out a --signature a.sig")),
    },
    Case {
        args: "manifest split -n 1 --prefix shared/out a",
        made: "out.1-of-1",
        is_replaced: false,
        check: |scene| length_is(scene, "out.1-of-1", 2),
    },
];

/// The action of the other user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attack {
    /// A link in the place of each name that is made and not the final one.
    Swap,
    /// A link at the final name.
    Plant,
}

/// Creates a link of another user, if this process can, and gives it this name; `false` if the name exists.
fn plant(scene: &Scene, name: &str) -> bool {
    let link = scene.join("link");
    let _ = fs::remove_file(&link);
    symlink(scene.join("precious"), &link).unwrap();
    let _ = lchown(&link, Some(65534), Some(65534));
    renameat_with(CWD, &link, CWD, scene.join("shared").join(name), RenameFlags::NOREPLACE).is_ok()
}

/// Does it until it has done it, or `ended`.
fn attack(scene: &Scene, attack: Attack, case: &Case, ended: &AtomicBool) {
    let mut n_stolen = 0;
    while !ended.load(Ordering::Relaxed) {
        match attack {
            Attack::Plant => {
                if plant(scene, case.made) {
                    return;
                }
            }
            Attack::Swap => {
                for entry in fs::read_dir(scene.join("shared")).unwrap().flatten() {
                    let name = entry.file_name().into_string().unwrap();
                    if name == "a" || name == case.made || entry.file_type().is_ok_and(|t| t.is_symlink()) {
                        continue;
                    }
                    let stolen = scene.join(&format!("stolen-{n_stolen}"));
                    n_stolen += 1;
                    if fs::rename(entry.path(), stolen).is_ok() {
                        plant(scene, &name);
                    }
                }
            }
        }
        std::thread::sleep(Duration::from_micros(200));
    }
}

/// Everything as before the run.
fn tidy(scene: &Scene, case: &Case) {
    let _ = fs::remove_dir_all(scene.join("shared"));
    fs::create_dir(scene.join("shared")).unwrap();
    fs::set_permissions(scene.join("shared"), fs::Permissions::from_mode(0o777)).unwrap();
    scene.file(b"shared/a", b"content of a");
    if case.is_replaced {
        scene.file(format!("shared/{}", case.made).as_bytes(), b"old");
    }
    for entry in fs::read_dir(&scene.path).unwrap().flatten() {
        if entry.file_name().to_string_lossy().starts_with("stolen-") {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// One command under one attack, with every `step`th of its calls delayed.
fn attacked(case: &Case, how: Attack, step: usize) {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    scene.file(b"precious", PRECIOUS);
    scene.file(b"data", &[7; 20_000]);
    tidy(&scene, case);
    let (calls, _) = calls(&scene, case.args, "shared");
    (case.check)(&scene);
    let (mut n_made, mut n_refused) = (0, 0);
    for Call { name: call, when, n_before } in calls.iter().filter(|call| call.name != "fstat").step_by(step)
    {
        tidy(&scene, case);
        let _ = fs::remove_file(scene.join("trace"));
        let delay = format!("inject={call}:delay_enter=12ms:when={when}");
        let ended = AtomicBool::new(false);
        let (status, err) = std::thread::scope(|scope| {
            scope.spawn(|| {
                // The name is free until the call is the next one.
                while how == Attack::Plant && !ended.load(Ordering::Relaxed) {
                    let trace = fs::read(scene.join("trace")).unwrap_or_default();
                    if trace.iter().filter(|&&byte| byte == b'\n').count() >= *n_before {
                        break;
                    }
                    std::thread::sleep(Duration::from_micros(100));
                }
                attack(&scene, how, case, &ended);
            });
            let ran = traced(&scene, &[&trace_of_calls(), &delay], case.args);
            ended.store(true, Ordering::Relaxed);
            ran
        });
        assert_eq!(
            fs::read(scene.join("precious")).unwrap(),
            PRECIOUS,
            "{how:?} {} {delay}: {err}",
            case.args
        );
        assert!(!err.contains("panicked"), "{} {delay}: {err}", case.args);
        let shown = fs::symlink_metadata(scene.join("shared").join(case.made));
        if status.success() {
            // A link that is planted after the end is not a fault of the program.
            if !shown.unwrap().is_symlink() {
                (case.check)(&scene);
            }
            n_made += 1;
        } else {
            assert!(!err.is_empty(), "{} {delay}", case.args);
            if how == Attack::Swap {
                assert!(!shown.is_ok_and(|shown| shown.is_symlink()), "{} {delay}: {err}", case.args);
            }
            n_refused += 1;
        }
    }
    println!("{how:?} {}: {} calls, {n_made} made, {n_refused} refused", case.args, calls.len());
}

fn swapped(step: usize) {
    if strace_is_here() {
        CASES.iter().for_each(|case| attacked(case, Attack::Swap, step));
    }
}

fn planted(step: usize) {
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED, not tested: only root makes links of another user");
    } else if strace_is_here() {
        CASES.iter().filter(|case| !case.is_replaced).for_each(|case| attacked(case, Attack::Plant, step));
    }
}

#[test]
fn names_that_another_user_swaps() {
    swapped(4);
}

#[test]
fn links_that_another_user_plants() {
    planted(4);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn names_and_links_of_another_user_at_every_call() {
    swapped(1);
    planted(1);
}

/// A link of another user is refused in words; one of this user is followed, and so is one of root.
#[test]
fn links_are_followed_by_their_owner() {
    let scene = with_key();
    scene.file(b"data", &[7; 20_000]);
    scene.link("ours", "target");
    let outputs = ["tree -m fs-verity data --tree-out ours", "sum a -o ours", "sum a --cache ours"];
    for args in outputs {
        done(&scene, args);
        assert!(scene.join("target").metadata().unwrap().len() > 0, "{args}");
        assert!(fs::symlink_metadata(scene.join("ours")).unwrap().is_symlink(), "{args}");
        fs::remove_file(scene.join("target")).unwrap();
    }
    if !rustix::process::geteuid().is_root() {
        eprintln!("SKIPPED, not tested: only root makes links of another user");
        return;
    }
    lchown(scene.join("ours"), Some(65534), Some(65534)).unwrap();
    for args in outputs {
        let (_, err, status) = result_of(&scene, args);
        let words = "symbolic link of another user (uid 65534); name its target instead";
        assert!(status == 1 && err.contains(words), "{args}: {err}");
        assert!(!scene.join("target").exists(), "{args}");
    }
    // The same of a directory for many files.
    fs::create_dir(scene.join("pages")).unwrap();
    scene.link("directory", "pages");
    done(&scene, "man --dir directory");
    fs::remove_dir_all(scene.join("pages")).unwrap();
    fs::create_dir(scene.join("pages")).unwrap();
    lchown(scene.join("directory"), Some(65534), Some(65534)).unwrap();
    let (_, err, status) = result_of(&scene, "man --dir directory");
    assert!(status == 1 && err.contains("symbolic link of another user"), "{err}");
    assert_eq!(fs::read_dir(scene.join("pages")).unwrap().count(), 0);
}
