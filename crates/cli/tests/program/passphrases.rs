//! Keys under a passphrase: from files, from descriptors, from the terminal.

use std::fs;
use std::io::Write;
use std::os::unix::fs::MetadataExt;
use std::process::{Command, Stdio};

use crate::keys::{SET, done, next_of, result_of, text};
use crate::scene::{Scene, read_more, terminal};
use crate::side_by_side::OURS;

/// The cost that a file names costs little time here.
const CHEAP: &str = "--argon2-memory 1";

fn scene() -> Scene {
    let scene = Scene::new();
    for name in ["a", "b"] {
        scene.file(name.as_bytes(), format!("content of {name}").as_bytes());
    }
    scene.file(b"one", b"first passphrase\nmore\n");
    scene.file(b"two", b"second passphrase");
    scene
}

fn contains(scene: &Scene, file: &str, what: &str) -> bool {
    let bytes = fs::read(scene.join(file)).unwrap();
    bytes.windows(what.len()).any(|window| window == what.as_bytes())
}

#[test]
fn a_key_that_counts_is_encrypted() {
    let scene = scene();
    done(&scene, &format!("keygen --scheme {SET} --encrypt --passphrase-file one {CHEAP} --out key"));
    assert!(contains(&scene, "key/key", "hashlanes sealed"));
    let with = |command: &str| format!("{command} --passphrase-file one");
    assert_eq!(done(&scene, &with("sign --key key a")), "a: signed with index 0\n");
    assert_eq!(done(&scene, "verify --key key a"), "a: OK\n");
    assert!(done(&scene, &with("key status key")).contains("next        1"));
    assert!(done(&scene, &with("key log key")).contains("sign"));
    let public = fs::read_to_string(scene.join("key/public.pem")).unwrap();
    assert_eq!(done(&scene, &with("key export-public key")), public);
    done(&scene, &with("key split key --count 10 --out part"));
    assert!(contains(&scene, "part/key", "hashlanes sealed"));
    assert_eq!(done(&scene, &with("sign --key part b")), "b: signed with index 1\n");
    done(&scene, &with("key advance key --to 20"));
    fs::rename(scene.join("key"), scene.join("moved")).unwrap();
    done(&scene, &with("key adopt moved --moved"));

    // Nothing happens without the passphrase, or with another one.
    let (out, err, status) = result_of(&scene, "sign --key moved --force --passphrase-file two a");
    assert_eq!((&out[..], status), ("", 2));
    assert!(err.contains("moved/key: the passphrase is wrong"), "{err}");
    let (_, err, status) = without_terminal(&scene, "sign --key moved --force a");
    assert_eq!(status, 2);
    assert!(err.contains("cannot be asked for on the terminal"), "{err}");
    assert!(err.contains("use --passphrase-file or --passphrase-fd"), "{err}");
    assert!(done(&scene, &with("key status moved")).contains("next        20"));
}

/// The program in a session without a terminal.
fn without_terminal(scene: &Scene, args: &str) -> (String, String, i32) {
    let mut command = Command::new("setsid");
    command.args(["--wait", OURS]).args(args.split_whitespace()).current_dir(&scene.path);
    let output = command.stdin(Stdio::null()).env("LC_ALL", "C.UTF-8").output().unwrap();
    (text(&output.stdout).into(), text(&output.stderr).into(), output.status.code().unwrap_or(-1))
}

#[test]
fn a_key_without_state_is_encrypted() {
    let scene = scene();
    let set = "SLH-DSA-SHA2-128f";
    done(&scene, &format!("keygen --scheme {set} --encrypt --passphrase-file one {CHEAP} --out key"));
    assert!(contains(&scene, "key/private.pem", "-----BEGIN HASHLANES ENCRYPTED PRIVATE KEY-----"));
    assert_eq!(done(&scene, "sign --key key --passphrase-file one a"), "a: signed\n");
    assert_eq!(done(&scene, "verify --key key a"), "a: OK\n");
    let (_, err, status) = result_of(&scene, "sign --key key --passphrase-file two b");
    assert_eq!(status, 2);
    assert!(err.contains("key/private.pem: the passphrase is wrong"), "{err}");

    let change = |rest: &str| format!("key passphrase key {rest} --passphrase-file");
    done(&scene, &(change(&format!("--new-passphrase-file two {CHEAP}")) + " one"));
    assert_eq!(result_of(&scene, "sign --key key --passphrase-file one b").2, 2);
    done(&scene, "sign --key key/private.pem --passphrase-file two b");
    done(&scene, &(change("--remove") + " two"));
    assert!(contains(&scene, "key/private.pem", "-----BEGIN PRIVATE KEY-----"));
    assert_eq!(scene.join("key/private.pem").metadata().unwrap().mode() & 0o777, 0o400);
    done(&scene, "sign --key key --force b");
    let (_, err, status) = result_of(&scene, "sign --key key --force --passphrase-file two b");
    assert_eq!(status, 2);
    assert!(err.contains("is not encrypted, but a passphrase is given"), "{err}");
}

#[test]
fn the_passphrase_of_a_key_that_counts_changes() {
    let scene = scene();
    done(&scene, &format!("keygen --scheme {SET} --out key"));
    done(&scene, "sign --key key a");
    done(&scene, &format!("key passphrase key --new-passphrase-file one {CHEAP}"));
    let (_, err, status) = result_of(&scene, "sign --key key --passphrase-file two b");
    assert_eq!(status, 2, "{err}");
    assert_eq!(done(&scene, "sign --key key --passphrase-file one b"), "b: signed with index 1\n");
    let change = format!("key passphrase key --passphrase-file one --new-passphrase-file two {CHEAP}");
    assert_eq!(done(&scene, &change), "key: encrypted under the new passphrase\n");
    let (_, err, status) = result_of(&scene, &change);
    assert_eq!(status, 2, "{err}");
    assert_eq!(
        done(&scene, "key passphrase key --passphrase-file two --remove"),
        "key: the key is not encrypted now\n"
    );
    assert_eq!(next_of(&scene, "key"), 2);
    assert_eq!(done(&scene, "sign --key key --force a"), "a: signed with index 2\n");
}

#[test]
fn wrong_use_of_passphrases_is_refused() {
    let scene = scene();
    let keygen = format!("keygen --scheme {SET} --out key");
    for (args, words) in [
        ("--passphrase-file one", "require --encrypt"),
        ("--argon2-memory 9", "--encrypt"),
        ("--encrypt --argon2-memory 0", "0 is not in 1..=4096"),
        ("--encrypt --passphrase-file one --passphrase-fd 0", "cannot be used with"),
        ("--encrypt --passphrase-file missing", "cannot read the passphrase: No such file"),
        ("--encrypt --passphrase-fd 99", "cannot read the passphrase"),
        ("--encrypt --passphrase-file empty", "the passphrase is empty"),
        ("--encrypt --passphrase-file long", "longer than 4096 bytes"),
    ] {
        scene.file(b"empty", b"\nsecond line");
        scene.file(b"long", &[b'x'; 4097]);
        let (_, err, status) = result_of(&scene, &format!("{keygen} {args}"));
        assert_eq!(status, 2, "{args}: {err}");
        assert!(err.contains(words), "{args}: {err}");
        assert!(!scene.join("key").exists(), "{args}");
    }
}

#[test]
fn a_passphrase_comes_from_a_descriptor() {
    let scene = scene();
    let run = |args: &str, input: &str| {
        let mut command = Command::new(OURS);
        command.args(args.split_whitespace()).current_dir(&scene.path);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{args}");
        text(&output.stdout).to_string()
    };
    run(&format!("keygen --scheme {SET} --encrypt --passphrase-fd 0 {CHEAP} --out key"), "a b c\r\n");
    scene.file(b"three", b"a b c\n");
    done(&scene, "sign --key key --passphrase-file three a");
    assert_eq!(run("sign --key key --passphrase-fd 0 b", "a b c"), "b: signed with index 1\n");
}

/// Types at a terminal: the program's output there, and its status.
fn typed(scene: &Scene, args: &str, lines: &[&str]) -> (String, i32) {
    let (mut ours, theirs) = terminal(24, 80);
    let stream = || theirs.try_clone().unwrap();
    let mut command = Command::new("setsid");
    command.args(["--ctty", "--wait", OURS]).args(args.split_whitespace()).current_dir(&scene.path);
    let mut child = command.stdin(stream()).stdout(stream()).stderr(stream()).spawn().unwrap();
    // The command holds copies, too: the terminal would not end.
    drop(command);
    drop(theirs);
    let mut screen = String::new();
    for line in lines {
        let n_questions = screen.matches("key: ").count();
        while screen.matches("key: ").count() == n_questions && read_more(&mut ours, &mut screen) {}
        ours.write_all(format!("{line}\n").as_bytes()).unwrap();
    }
    while read_more(&mut ours, &mut screen) {}
    (screen, child.wait().unwrap().code().unwrap_or(-1))
}

#[test]
fn a_passphrase_is_asked_for_without_echo() {
    let scene = scene();
    let keygen = format!("keygen --scheme {SET} --encrypt {CHEAP} --out key");
    let (screen, status) = typed(&scene, &keygen, &["a secret", "another"]);
    assert_eq!(status, 2, "{screen}");
    assert!(screen.contains("the two passphrases differ; nothing was done"), "{screen}");
    assert!(!scene.join("key").exists());
    let (screen, status) = typed(&scene, &keygen, &["a secret", "a secret"]);
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("New passphrase of key: \r\nThe same passphrase of key: \r\n"), "{screen}");
    assert!(!screen.contains("secret\r\n"), "{screen}");
    let (screen, status) = typed(&scene, "sign --key key a", &["a secret"]);
    assert_eq!(status, 0, "{screen}");
    assert!(screen.contains("Passphrase of key: \r\na: signed with index 0"), "{screen}");
    let (screen, status) = typed(&scene, "sign --key key b", &["a guess"]);
    assert_eq!(status, 2, "{screen}");
    assert!(screen.contains("the passphrase is wrong"), "{screen}");
}
