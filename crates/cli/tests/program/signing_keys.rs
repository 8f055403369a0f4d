//! What keeps a key: its log, its public key, the names of its files, and system calls that fail without touching a file.

use std::fs;
use std::process::Command;

use crate::keys::{SET, done, told, with_key};
use crate::scene::Scene;
use crate::side_by_side::{OURS, feed};

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
    let (out, err, status) = told(&scene, "key log key --check");
    assert_eq!((&out[..], status), ("", 7));
    assert!(err.starts_with("hashlanes: key: log: record 2 is damaged (1 in all)"), "{err}");
    // The last records cut off, whole ones or not: all but the last commit's is noticed.
    for n_left in (0..3 * 160).step_by(32) {
        fs::write(scene.join("key/log"), &whole[..68 + n_left]).unwrap();
        let (out, err, status) = told(&scene, "key log key --check");
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
            let (out, err, status) = told(&scene, command);
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
        let (out, err, status) = told(&scene, &format!("sign -k {key} b"));
        assert_eq!((&out[..], status), ("", 7), "{err}");
        assert!(err.contains("it has 2 names (hard links); remove the others"), "{err}");
    }
    fs::remove_dir_all(scene.join("copy")).unwrap();
    assert_eq!(done(&scene, "sign -k key b"), "b: signed with index 1\n");
}

/// An empty directory is what a `keygen` leaves that was killed, or had no room, at its first file.
#[test]
fn a_key_is_made_in_an_empty_directory() {
    let scene = Scene::new();
    let path = scene.join("key");
    fs::create_dir(&path).unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o700)).unwrap();
    done(&scene, &format!("keygen --scheme {SET} --out key"));
}

/// Calls that get random numbers, threads, pipes and limits: an error with a text, never a panic.
#[test]
fn calls_that_fail_without_a_file_are_no_panics() {
    let here = Command::new("strace").args(["-o/dev/null", "true"]).output();
    if !here.is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED, not tested: strace is not here, or may not trace");
        return;
    }
    const CALLS: [&str; 8] =
        ["getrandom", "socketpair", "clone", "clone3", "pipe", "pipe2", "prctl", "prlimit64"];
    let commands = [
        format!("keygen --scheme {SET} --out new"),
        "key status key".into(),
        "key split key --count 2 --out new".into(),
        "key advance key --to 4".into(),
        "key adopt key --moved".into(),
        "key log key".into(),
        "key export-public key".into(),
        "sign --key key a b".into(),
    ];
    for command in &commands {
        // `sign` asks for its limit of descriptors by a function that cannot report a failure.
        let n_calls = if command.starts_with("sign") { CALLS.len() - 1 } else { CALLS.len() };
        for call in &CALLS[..n_calls] {
            for when in ["1", "2", "1+"] {
                let scene = with_key();
                let injection = format!("inject={call}:error=EAGAIN:when={when}");
                let mut strace = Command::new("strace");
                strace.args(["-f", "-qq", "-o", "trace", "-e", &injection, OURS]);
                let output = feed(strace.args(command.split_whitespace()).current_dir(&scene.path), b"");
                let err = String::from_utf8_lossy(&output.stderr);
                let status = output.status.code();
                assert!(!err.contains("panicked"), "{injection} {command}: {err}");
                assert!(matches!(status, Some(0 | 1)), "{injection} {command}: {status:?} {err}");
                assert!(status == Some(0) || err.starts_with("hashlanes: "), "{injection} {command}: {err}");
            }
        }
    }
}
