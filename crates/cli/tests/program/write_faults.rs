//! Faults while a command writes a file: the file is complete or absent, or still the old one, and there are
//! no leftovers.
//!
//! Every call that follows the first one about the file fails, or is the last one before a signal. After
//! SIGKILL alone, a hidden directory may be left. A manifest of `--output` may be partial, with whole lines.

use std::fs;
use std::os::unix::process::ExitStatusExt;

use crate::calls::{Call, calls, strace_is_here, trace_of_calls, traced};
use crate::keys::with_key;
use crate::scene::Scene;

/// A command that writes files into the directory `to`.
struct Case {
    args: &'static str,
    /// Its files.
    files: &'static [&'static str],
    /// The state before.
    old: Option<&'static str>,
    /// It may be partial, with whole lines.
    is_manifest: bool,
}

const fn case(args: &'static str, files: &'static [&'static str], old: Option<&'static str>) -> Case {
    Case { args, files, old, is_manifest: false }
}

const CASES: [Case; 9] = [
    case("sign -q -k key a -o to/x", &["x"], None),
    case("sign -f -q -k key a -o to/x", &["x"], Some("old")),
    case("tree -m fs-verity --tree-out to/x data", &["x"], None),
    case("tree -m fs-verity --tree-out to/x data", &["x"], Some("old")),
    Case { args: "sum --io=read a b c -o to/x", files: &["x"], old: None, is_manifest: true },
    case("key export-public key -o to/x", &["x"], None),
    case("manifest split -n 3 --prefix to/x a b c", &["x.1-of-3", "x.2-of-3", "x.3-of-3"], None),
    case("man --dir to", &["hashlanes.1"], Some("old")),
    case("sum --io=read a --cache to/x", &["x"], None),
];

/// The fault at a call.
const FEW: [&str; 3] = ["error=ENOSPC", "signal=SIGTERM", "signal=SIGKILL"];
const ALL: [&str; 7] = [
    "error=ENOSPC",
    "error=EIO",
    "error=EINTR",
    "signal=SIGHUP",
    "signal=SIGINT",
    "signal=SIGTERM",
    "signal=SIGKILL",
];

fn prepare(scene: &Scene, case: &Case) {
    let _ = fs::remove_dir_all(scene.join("to"));
    fs::create_dir(scene.join("to")).unwrap();
    if let Some(old) = case.old {
        case.files.iter().for_each(|file| scene.file(format!("to/{file}").as_bytes(), old.as_bytes()));
    }
}

fn content(scene: &Scene, file: &str) -> Option<Vec<u8>> {
    fs::read(scene.join("to").join(file)).ok()
}

/// Asserts the allowed leftovers of a run with this fault.
fn check(scene: &Scene, case: &Case, right: &[Vec<u8>], what: &str, status: std::process::ExitStatus) {
    let is_killed = what.contains("SIGKILL");
    // `split` asks for lengths twice. If that fails the second time, it divides the names at other places.
    let lists: Option<Vec<Vec<u8>>> = case.files.iter().map(|file| content(scene, file)).collect();
    let is_divided = case.args.starts_with("manifest split")
        && what.contains("newfstatat:error")
        && lists.is_some_and(|lists| lists.concat() == right.concat());
    let mut n_new = 0;
    for (file, right) in case.files.iter().zip(right) {
        let left = content(scene, file);
        // Signatures differ by their indices; caches are read by their own checks. Files that have just
        // changed are not in a cache.
        let is_new = match &left {
            Some(left) if case.args.starts_with("sign") => left.len() == right.len(),
            Some(left) if case.args.contains("--cache") => right.starts_with(left) || left.starts_with(right),
            left => is_divided || left.as_ref() == Some(right),
        };
        let is_old = left.as_deref() == case.old.map(str::as_bytes);
        // Files that could not be read have no line.
        let lines_of =
            |text: &[u8]| text.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
        let is_partial = case.is_manifest
            && left
                .as_ref()
                .is_some_and(|left| lines_of(left).iter().all(|line| lines_of(right).contains(line)));
        let is_cut =
            is_partial && left.as_ref().is_some_and(|left| !left.is_empty() && !left.ends_with(b"\n"));
        // A new signature whose name may not be on the disk is taken away again; the old one is gone by then.
        let is_taken_away =
            case.args.starts_with("sign -f") && what.contains("fsync:error") && left.is_none();
        assert!(is_new || is_old || is_partial || is_taken_away, "{} {what}: {file} is {left:?}", case.args);
        assert!(!is_cut, "{} {what}: {left:?}", case.args);
        if status.success() {
            assert!(is_new, "{} {what}: success, and {file} is {left:?}", case.args);
        }
        n_new += usize::from(is_new);
    }
    if case.files.len() > 1 && !is_killed {
        assert!(n_new == 0 || n_new == case.files.len(), "{} {what}: {n_new} of all", case.args);
    }
    for entry in fs::read_dir(scene.join("to")).unwrap().flatten() {
        let name = entry.file_name().into_string().unwrap();
        let is_page = case.args.starts_with("man --") && name.ends_with(".1");
        // A hidden directory that cannot be removed stays, too.
        let is_left = (is_killed || what.contains("unlinkat:error"))
            && name.starts_with(".hashlanes-")
            && name.ends_with(".tmp");
        assert!(
            case.files.contains(&&name[..]) || is_page || is_left,
            "{} {what}: {name} is left",
            case.args
        );
    }
}

/// One command with every fault; `has_nameless`: whether the file system has files without names. If not,
/// opening one fails.
fn faulted(case: &Case, faults: &[&str], has_nameless: bool) {
    let scene = with_key();
    scene.file(b"data", &[7; 20_000]);
    prepare(&scene, case);
    let (calls, nameless) = calls(&scene, case.args, "\"to");
    let right: Vec<Vec<u8>> = case.files.iter().map(|file| content(&scene, file).unwrap()).collect();
    let (mut n_cases, mut n_faults) = (0, 0);
    let refused = nameless.map(|when| format!("inject=openat:error=EOPNOTSUPP:when={when}"));
    for Call { name: call, when, .. } in &calls {
        if !has_nameless && (call == "openat" || refused.is_none()) {
            continue;
        }
        // A signal at a call without effect equals one at the next call.
        let faults = faults.iter().filter(|fault| !call.contains("stat") || fault.starts_with("error"));
        for fault in faults {
            prepare(&scene, case);
            let what = format!("inject={call}:{fault}:when={when}");
            let trace = trace_of_calls();
            let mut options = vec![&trace[..], &what];
            if let Some(refused) = refused.as_deref().filter(|_| !has_nameless) {
                options.push(refused);
            }
            let (status, err) = traced(&scene, &options, case.args);
            assert!(!err.contains("panicked"), "{} {what}: {err}", case.args);
            assert!(status.success() || status.signal().is_some() || !err.is_empty(), "{} {what}", case.args);
            check(&scene, case, &right, &what, status);
            let trace = fs::read_to_string(scene.join("trace")).unwrap();
            n_cases += 1;
            n_faults +=
                usize::from(["INJECTED", "+++ killed", "--- SIG"].iter().any(|mark| trace.contains(mark)));
        }
    }
    assert!(n_faults * 10 >= n_cases * 8, "{}: {n_faults} faults of {n_cases} calls", case.args);
    println!("{}, nameless files: {has_nameless}: {n_faults} faults", case.args);
}

#[test]
fn files_are_whole_or_absent() {
    if strace_is_here() {
        CASES.iter().filter(|case| !case.args.starts_with("man")).for_each(|case| faulted(case, &FEW, true));
    }
}

#[test]
fn files_are_whole_or_absent_without_nameless_ones() {
    if strace_is_here() {
        for number in [0, 3, 5] {
            faulted(&CASES[number], &FEW, false);
        }
    }
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn all_files_are_whole_or_absent() {
    if strace_is_here() {
        for case in &CASES {
            faulted(case, &ALL, true);
            faulted(case, &ALL, false);
        }
    }
}

/// The socket by which a signal wakes its thread cannot be read: the signal is noticed all the same.
#[test]
fn a_signal_is_noticed_without_its_socket() {
    if !strace_is_here() {
        return;
    }
    let scene = with_key();
    scene.file(b"data", &[7; 20_000]);
    let case = &CASES[3];
    prepare(&scene, case);
    // The signal comes when the file gets a name in its hidden directory. The next call waits longer than the
    // thread.
    let waits = "inject=renameat:delay_enter=2s:when=1";
    let signal = "inject=linkat:signal=SIGTERM:when=2";
    let options = ["trace=linkat,renameat,recvfrom", "inject=recvfrom:error=EIO", signal, waits];
    let (status, err) = traced(&scene, &options, case.args);
    assert!(status.signal() == Some(15) && !err.contains("panicked"), "{status}: {err}");
    // strace may let the waiting call continue when the program ends.
    let left = content(&scene, "x").unwrap();
    assert!(left == b"old" || left.len() == 4096, "{left:?}");
    assert_eq!(fs::read_dir(scene.join("to")).unwrap().count(), 1);
}

/// The signature is on the disk, and its name too, before its line is printed.
#[test]
fn a_signature_is_synced_before_its_line() {
    if !strace_is_here() {
        return;
    }
    let scene = with_key();
    let (status, err) = traced(&scene, &["trace=write,fsync,linkat,renameat,renameat2"], "sign -k key a");
    assert!(status.success(), "{err}");
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let lines: Vec<&str> = trace.lines().collect();
    let after = |from: usize, what: &dyn Fn(&str) -> bool| {
        from + lines[from..].iter().position(|line| what(line)).unwrap_or_else(|| panic!("not in {trace}"))
    };
    let named = after(0, &|line| line.contains("\"a.sig\""));
    assert!(lines[named - 1].contains("fsync("), "{trace}");
    let directory_synced = after(named, &|line| line.contains("fsync("));
    let printed = after(0, &|line| line.contains("signed with index"));
    assert!(directory_synced < printed, "{trace}");
}
