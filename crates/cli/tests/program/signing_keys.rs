//! The protection of a key: its log, its public key, the names of its files, and system calls that fail
//! without touching a file.

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::process::Command;

use crate::calls::{Call, calls, strace_is_here, trace_of_calls, traced};
use crate::keys::{SET, done, result_of, with_key};
use crate::scene::Scene;
use crate::side_by_side::OURS;

#[test]
fn the_log_is_printed_and_checked() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    done(&scene, "key advance key --to 5");
    let out = done(&scene, "key log key");
    let lines: Vec<_> = out.lines().collect();
    assert_eq!(lines.len(), 5, "{out}");
    let digest = hashlanes::sha256(b"content of a").map(|byte| format!("{byte:02x}")).concat();
    assert!(lines[0].contains("create   no index") && lines[2].contains("sign     index 0"), "{out}");
    assert!(lines[2].ends_with(&format!("sha256 {digest}")), "{out}");
    assert!(lines[4].contains("advance  indices 1 to 4"), "{out}");
    let out = done(&scene, "key log key --json");
    let record: serde_json::Value = serde_json::from_str(out.lines().nth(2).unwrap()).unwrap();
    assert_eq!((record["purpose"].as_str(), record["first"].as_u64()), (Some("sign"), Some(0)));
    assert_eq!(record["sha256"].as_str(), Some(&digest[..]));
    assert_eq!(done(&scene, "key log key --check"), "5 records, none changed or missing\n");
    // A record in the middle, which signing does not look at.
    let mut log = fs::read(scene.join("key/log")).unwrap();
    let whole = log.clone();
    log[68 + 2 * 160 + 60] ^= 1;
    fs::write(scene.join("key/log"), log).unwrap();
    let (out, err, status) = result_of(&scene, "key log key --check");
    assert_eq!((&out[..], status), ("", 7));
    assert!(err.starts_with("hashlanes: key: log: record 2 is damaged (1 in all)"), "{err}");
    // The last records are cut off, whole ones or not: this is detected, except for the last commit's record.
    for n_left in (0..3 * 160).step_by(32) {
        fs::write(scene.join("key/log"), &whole[..68 + n_left]).unwrap();
        let (out, err, status) = result_of(&scene, "key log key --check");
        assert!(out.is_empty() && matches!(status, 4 | 7), "{n_left} bytes of records: {status} {out}{err}");
    }
}

#[test]
fn a_damaged_public_key_is_noticed() {
    let scene = with_key();
    let pem = fs::read_to_string(scene.join("key/public.pem")).unwrap();
    done(&scene, &format!("keygen --scheme {SET} --out other"));
    let other = fs::read_to_string(scene.join("other/public.pem")).unwrap();
    for damaged in ["", "no PEM", &pem[1..], &other] {
        scene.file(b"key/public.pem", damaged.as_bytes());
        for command in ["sign -k key a", "key status key"] {
            let (out, err, status) = result_of(&scene, command);
            assert_eq!((&out[..], status), ("", 7), "{err}");
            assert!(err.contains("key/public.pem: is not the public key of this key; remove it"), "{err}");
            assert!(err.contains("`hashlanes key export-public key --output key/public.pem`"), "{err}");
        }
    }
    fs::remove_file(scene.join("key/public.pem")).unwrap();
    done(&scene, "key export-public key --output key/public.pem");
    done(&scene, "sign -k key a");
}

#[test]
fn a_copy_by_hard_links_is_refused() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    let linked = Command::new("cp").args(["-al", "key", "copy"]).current_dir(&scene.path).status().unwrap();
    assert!(linked.success());
    for key in ["copy", "key"] {
        let (out, err, status) = result_of(&scene, &format!("sign -k {key} b"));
        assert_eq!((&out[..], status), ("", 7), "{err}");
        assert!(err.contains("it has 2 names (hard links); remove the others"), "{err}");
    }
    fs::remove_dir_all(scene.join("copy")).unwrap();
    assert_eq!(done(&scene, "sign -k key b"), "b: signed with index 1\n");
}

/// A `keygen` that was killed, or had no room, at its first file leaves an empty directory.
#[test]
fn a_key_is_made_in_an_empty_directory() {
    let scene = Scene::new();
    let path = scene.join("key");
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    done(&scene, &format!("keygen --scheme {SET} --out key"));
}

#[test]
fn key_status_has_the_exit_status_of_its_help() {
    let scene = with_key();
    let help = done(&scene, "key status --help");
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let ends = |status: i32, args: &str| {
        let (_, err, given) = result_of(&scene, args);
        assert_eq!(given, status, "{args}: {err}");
        assert!(help.contains(&format!(" {status} if ")), "{status}: {help}");
    };
    ends(0, "key status key");
    ends(2, "key status a");
    ends(2, "key status nothing");
    done(&scene, "key split key --count 1 --out child");
    done(&scene, "sign -q -k child a");
    ends(5, "key status child");
    let state = fs::read(scene.join("key/state")).unwrap();
    fs::write(scene.join("key/state"), &state[1..]).unwrap();
    ends(7, "key status key");
    fs::remove_file(scene.join("key/state")).unwrap();
    fs::create_dir(scene.join("key/state")).unwrap();
    ends(7, "key status key");
    let copied = Command::new("cp").args(["-a", "child", "copy"]).current_dir(&scene.path).status().unwrap();
    assert!(copied.success());
    ends(4, "key status copy");
}

/// A signal comes before a split or after it: the child is whole, or nothing of it is there.
#[test]
fn an_interrupted_split_leaves_no_part_of_a_child() {
    split_interrupted_at_every(3);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn a_split_interrupted_at_every_call_leaves_no_part_of_a_child() {
    split_interrupted_at_every(1);
}

/// A signal at every `step`th call of a split.
fn split_interrupted_at_every(step: usize) {
    const SPLIT: &str = "key split key --count 2 --out child";
    if !strace_is_here() {
        return;
    }
    let (calls, _) = calls(&with_key(), SPLIT, "\"child");
    let mut n_interrupted = 0;
    let signals = ["SIGINT", "SIGTERM", "SIGHUP"].iter().cycle();
    for (Call { name, when, .. }, signal) in calls.iter().step_by(step).zip(signals) {
        let scene = with_key();
        let what = format!("inject={name}:signal={signal}:when={when}");
        let (status, err) = traced(&scene, &[&trace_of_calls(), &what], SPLIT);
        assert!(status.success() || status.signal().is_some(), "{what}: {status} {err}");
        n_interrupted += usize::from(status.signal().is_some());
        if scene.join("child").exists() {
            assert_eq!(done(&scene, "sign -k child a"), "a: signed with index 0\n", "{what}");
            assert_eq!(done(&scene, "sign -k key b"), "b: signed with index 2\n", "{what}");
        } else {
            assert_eq!(done(&scene, "sign -k key b"), "b: signed with index 0\n", "{what}");
        }
    }
    assert!(n_interrupted > 0 && calls.len() > 20, "{n_interrupted} of {}", calls.len());
}

/// Calls that get random numbers, threads, pipes and limits: an error with a text, never a panic.
#[test]
fn calls_that_fail_without_a_file_are_no_panics() {
    if !strace_is_here() {
        return;
    }
    const CALLS: [&str; 9] =
        ["getrandom", "socketpair", "recvfrom", "clone", "clone3", "pipe", "pipe2", "prctl", "prlimit64"];
    let commands = [
        format!("keygen --scheme {SET} --out new"),
        "key status key".into(),
        "key split key --count 2 --out new".into(),
        "key advance key --to 4".into(),
        "key adopt key --moved".into(),
        "key log key".into(),
        "key export-public key".into(),
        "sign --key key a b".into(),
        "verify --key key/public.pem a --signature a.sig".into(),
    ];
    let mut n_failed = 0;
    for command in &commands {
        // As often as the command makes each call.
        let scene = with_key();
        traced(&scene, &[&format!("trace={}", CALLS.join(","))], command);
        let trace = fs::read_to_string(scene.join("trace")).unwrap();
        for call in CALLS {
            let n_calls = trace.matches(&format!(" {call}(")).count();
            for when in ["1", "2", "1+"].into_iter().take(if n_calls > 1 { 3 } else { n_calls }) {
                let injection = format!("inject={call}:error=EAGAIN:when={when}");
                let (status, err) = traced(&with_key(), &[&injection], command);
                let status = status.code();
                assert!(!err.contains("panicked"), "{injection} {command}: {err}");
                assert!(matches!(status, Some(0 | 1)), "{injection} {command}: {status:?} {err}");
                assert!(status == Some(0) || err.starts_with("hashlanes: "), "{injection} {command}: {err}");
                n_failed += usize::from(status == Some(1));
            }
        }
    }
    assert!(n_failed > 0, "no call is made that fails");
}

/// Core dumps and debuggers are forbidden before the file with the secret seeds is opened.
#[test]
#[cfg(target_os = "linux")]
fn core_dumps_are_forbidden_before_a_key_is_read() {
    if !strace_is_here() {
        return;
    }
    let scene = with_key();
    let (status, err) = traced(&scene, &["trace=prctl,prlimit64,setrlimit,openat"], "sign -q -k key a");
    assert!(status.success(), "{err}");
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let at = |what: &[&str]| {
        let line = trace.lines().position(|line| what.iter().all(|part| line.contains(part)));
        line.unwrap_or_else(|| panic!("no {what:?} in {trace}"))
    };
    let secret = at(&["openat(", "\"key\"", "O_RDONLY", "O_NOFOLLOW"]);
    assert!(at(&["PR_SET_DUMPABLE", "SUID_DUMP_DISABLE"]) < secret, "{trace}");
    assert!(at(&["RLIMIT_CORE", "rlim_cur=0"]) < secret, "{trace}");
}

/// Memory is locked before the file with the secret seeds is opened, if no limit applies.
#[test]
#[cfg(target_os = "linux")]
fn memory_is_locked_before_a_key_is_read() {
    let sh = |script: &str, scene: &Scene| {
        Command::new("sh").args(["-c", script]).current_dir(&scene.path).status().unwrap().success()
    };
    let scene = with_key();
    if !strace_is_here() || !sh("ulimit -l unlimited 2> errors", &scene) {
        eprintln!("SKIPPED: the limit of locked memory cannot be raised");
        return;
    }
    let traced = "ulimit -l unlimited; exec strace -f -qq -o trace -e trace=mlockall,openat";
    assert!(sh(&format!("{traced} {OURS} sign -q -k key a"), &scene));
    let trace = fs::read_to_string(scene.join("trace")).unwrap();
    let at = |what: &str| trace.lines().position(|line| line.contains(what)).expect(what);
    assert!(at("mlockall(MCL_CURRENT|MCL_FUTURE") < at("\"key\", O_RDONLY"), "{trace}");
}
