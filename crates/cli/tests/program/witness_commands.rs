//! Witnesses that are commands: the script of the handbook, and commands that fail, hang, go back, or print
//! garbage.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use crate::keys::{SET, next_of, result_of, run};
use crate::scene::Scene;

/// The script `witness.sh` in docs/signing.md.
fn script_of_the_handbook() -> String {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/signing.md");
    let page = fs::read_to_string(page).unwrap();
    let begin = page.find("#!/bin/sh").expect("the page has a script");
    let (script, _) = page[begin..].split_once("```").unwrap();
    script.to_string()
}

/// A scene with files to sign, `witness.sh` of the handbook, and a key whose witness is that script.
///
/// `fake.sh` does what `fake` holds, and otherwise the same.
fn with_key() -> Scene {
    let scene = Scene::new();
    scene.file(b"a", b"content of a");
    scene.file(b"witness.sh", script_of_the_handbook().as_bytes());
    scene.file(b"fake.sh", b"#!/bin/sh\nif [ -e fake ]; then . ./fake; fi\nexec ./witness.sh \"$@\"\n");
    for name in ["witness.sh", "fake.sh"] {
        fs::set_permissions(scene.join(name), Permissions::from_mode(0o755)).unwrap();
    }
    fs::create_dir(scene.join("records")).unwrap();
    done(&scene, &format!("keygen --scheme {SET} --out key"));
    scene
}

fn with_witness(args: &str) -> String {
    format!("{args} --witness-command ./fake.sh")
}

fn done(scene: &Scene, args: &str) -> String {
    crate::keys::done(scene, &with_witness(args))
}

fn refused(scene: &Scene, args: &str, status: i32, words: &str) {
    let (out, err, found) = result_of(scene, &with_witness(args));
    assert_eq!((&out[..], found), ("", status), "{args}: {err}");
    assert!(err.contains(words), "{args}: {err}");
}

#[test]
fn a_key_signs_with_the_script_of_the_handbook() {
    let scene = with_key();
    assert_eq!(done(&scene, "sign -k key a"), "a: signed with index 0\n");
    assert_eq!(done(&scene, "sign -f -k key a"), "a: signed with index 1\n");
    done(&scene, "key status key");
    let records: Vec<_> = fs::read_dir(scene.join("records")).unwrap().collect();
    let record = records.into_iter().next().unwrap().unwrap();
    assert_eq!(record.file_name().len(), 64);
    assert_eq!(fs::read_to_string(record.path()).unwrap(), "2 2\n");

    // Without a record, and after more than one commit without it, the key is refused until it is adopted.
    fs::remove_file(record.path()).unwrap();
    refused(&scene, "sign -f -k key a", 4, "has no record of this key");
    done(&scene, "key adopt key --moved");
    let saved = fs::read(record.path()).unwrap();
    assert_eq!(done(&scene, "sign -f -k key a"), "a: signed with index 2\n");
    assert_eq!(done(&scene, "sign -f -k key a"), "a: signed with index 3\n");
    fs::write(record.path(), saved).unwrap();
    refused(&scene, "sign -f -k key a", 4, "the witness \"./fake.sh\" has generation 3, the state 5");
    refused(&scene, "key status key", 4, "it was restored, or the key signed without it");
}

#[test]
fn a_restored_key_is_refused() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    // Of a key that was copied with its state, only the witness knows that the original signed since.
    fs::write(scene.join("fake"), "[ $1 = read ] && echo 99 99 && exit\n").unwrap();
    refused(&scene, "sign -f -k key a", 4, "the state has generation 1, \"./fake.sh\" has 99");
    let (out, _, status) = result_of(&scene, &with_witness("key status key"));
    assert!(out.contains("rollback suspected") && status == 4, "{out}");
}

#[test]
fn no_signature_is_released_without_the_command() {
    // What the command does instead; the words of the error when it reads, and when it records.
    let faults = [
        ("exit 3", "the command failed: exit status: 3"),
        ("kill -9 $$", "the command failed: exit status: 137"),
        ("no-such-command; exit $?", "the command failed: exit status: 127"),
        ("sleep 60; exit", "no answer within 0.5 s (--witness-timeout)"),
        ("sleep 60 & exit", "no answer within 0.5 s (--witness-timeout)"),
        ("exec >&-; sleep 60; exit", "no answer within 0.5 s (--witness-timeout)"),
        ("yes; exit", "its output is longer than 128 bytes"),
    ];
    let garbage = ["1 x", "-1 2", "+1 2", "1 2 3", "0x1", "18446744073709551616 0", "\\377"];
    let garbage = garbage.map(|words| (format!("printf '{words}\\n'; exit"), "read: "));
    let faults = faults.map(|(script, words)| (script.to_string(), words));
    for (script, words) in faults.iter().chain(&garbage) {
        let scene = with_key();
        fs::write(scene.join("fake"), script).unwrap();
        let begin = Instant::now();
        let args = "sign -k key a --witness-timeout 0.5";
        refused(&scene, args, 1, words);
        assert!(!scene.join("a.sig").exists(), "{script}");
        // After the state is stored: its index is burned, and nothing is signed.
        if *words != "read: " {
            fs::write(scene.join("fake"), format!("if [ $1 = record ]; then {script}; fi\n")).unwrap();
            refused(&scene, args, 6, words);
            assert!(!scene.join("a.sig").exists(), "{script}");
        }
        assert!(begin.elapsed() < Duration::from_secs(20), "{script}: {:?}", begin.elapsed());
        fs::remove_file(scene.join("fake")).unwrap();
        let index = next_of_witnessed(&scene);
        assert_eq!(done(&scene, "sign -k key a"), format!("a: signed with index {index}\n"), "{script}");
    }
}

fn next_of_witnessed(scene: &Scene) -> u64 {
    next_of(scene, "key --witness-command ./fake.sh")
}

#[test]
fn a_command_that_records_nothing_is_detected() {
    let scene = with_key();
    fs::write(scene.join("fake"), "[ $1 = record ] && exit\n").unwrap();
    refused(&scene, "sign -k key a", 6, "it was given generation 1 and index 1, and returns 0 and 0");
    fs::write(scene.join("fake"), "[ $1 = record ] && exec ./witness.sh record $2 $3 9\n").unwrap();
    refused(&scene, "sign -k key a", 1, "it was given generation 1 and index 1, and returns 1 and 9");
    // The witness now disagrees about the next index.
    fs::remove_file(scene.join("fake")).unwrap();
    refused(&scene, "sign -k key a", 1, "it returns the next index 9 for generation");
    done(&scene, "key adopt key --at-least 9");
    assert_eq!(done(&scene, "sign -k key a"), "a: signed with index 9\n");
}

#[test]
fn a_command_that_only_counts_is_a_witness() {
    let scene = Scene::new();
    scene.file(b"a", b"content of a");
    // As a counter of a TPM: one file, whose length is the generation.
    let script = "case $1 in read) [ -e n ] && stat -c %s n || true;; \
                  record) touch n; while [ $(stat -c %s n) -lt $3 ]; do printf x >> n; done;; esac\n";
    scene.file(b"counter.sh", script.as_bytes());
    let run = |args: &str| {
        let mut args: Vec<&str> = args.split(' ').collect();
        args.extend(["--witness-command", "sh ./counter.sh"]);
        let output = crate::side_by_side::hashlanes_once(&scene.path, args);
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    run(&format!("keygen --scheme {SET} --out key"));
    for index in 0..3 {
        let (out, err) = run("sign -f -k key a");
        assert_eq!(out, format!("a: signed with index {index}\n"), "{err}");
    }
    fs::write(scene.join("n"), "xxxx").unwrap();
    assert!(run("sign -f -k key a").1.contains("\"sh ./counter.sh\" has 4"));
}

#[test]
fn wrong_use() {
    let scene = with_key();
    let both = run(&scene, "sign -k key a --witness w --witness-command w");
    assert_eq!(both.status.code(), Some(2));
    assert_eq!(run(&scene, "sign -k key a --witness-timeout 3").status.code(), Some(2));
    let (_, err, status) =
        result_of(&scene, "keygen --scheme SLH-DSA-SHA2-128f --out other --witness-command w");
    assert!(status == 2 && err.contains("--witness-command is for keys with a state"), "{err}");
}
