//! `keygen`, `sign`, `key`: right and wrong use.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::Stdio;
use std::time::{Duration, Instant};

use hashlanes::hbs::{ParameterSet, VerifyingKey};
use hashlanes::sha256;
use hashlanes_testkit::vectors;
use rustix::fs::FlockOperation;
use rustix::process::{Pid, Signal, kill_process};

use crate::keys::{
    SET, command, done, index_in, interruptible, next_of, result_of, run, status_of, with_key,
};
use crate::scene::{Scene, read_more, terminal};
use crate::side_by_side::{feed, hashlanes_once};

/// The life of a firmware's signature: a key, a signature, its verification with only the public key.
#[test]
fn a_file_is_signed() {
    let scene = with_key();
    let mode = |name: &str| fs::metadata(scene.join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("key"), mode("key/key")), (0o700, 0o400));
    assert_eq!(done(&scene, "sign --key key a"), "a: signed with index 0\n");
    assert_eq!(index_in(&scene, "a.sig"), Some(0));
    fs::copy(scene.join("key/public.pem"), scene.join("public.pem")).unwrap();
    assert_eq!(done(&scene, "verify --key public.pem a"), "a: OK\n");
    scene.file(b"a", b"content of another");
    assert_eq!(result_of(&scene, "verify --key public.pem a").2, 1);
    // Only the signature and the key are left.
    assert_eq!(files_of(&scene), ["a", "a.sig", "b", "c", "key", "public.pem"]);
}

/// Many files have one commit, and indices in the order of the arguments.
#[test]
fn many_files() {
    let scene = with_key();
    let names: Vec<String> = (0..300).map(|number| format!("f{number}")).collect();
    for name in &names {
        scene.file(name.as_bytes(), name.as_bytes());
    }
    let before = status_of(&scene, "key")["generation"].as_u64().unwrap();
    let out = done(&scene, &format!("sign -k key {}", names.join(" ")));
    let expected: Vec<String> = names
        .iter()
        .enumerate()
        .map(|(index, name)| format!("{name}: signed with index {index}\n"))
        .collect();
    assert_eq!(out, expected.concat());
    assert_eq!(done(&scene, &format!("verify -q -k key {}", names.join(" "))), "");
    // 256 files a commit.
    let status = status_of(&scene, "key");
    assert_eq!((status["generation"].as_u64().unwrap() - before, next_of(&scene, "key")), (2, 300));
    done(&scene, "sign -q -k key --window 1 a b c");
    assert_eq!(status_of(&scene, "key")["generation"].as_u64().unwrap() - before, 5);
    // Named twice it would cost two indices.
    let (out, err, status) = result_of(&scene, "sign -k key -f a b a");
    assert_eq!((&out[..], status), ("", 2));
    assert!(err.contains("a FILE is named twice"), "{err}");
}

#[test]
fn standard_input_and_output() {
    let scene = with_key();
    let output = feed(&mut command(&scene, "sign -k key - --output x.sig"), b"content of a");
    assert_eq!(crate::keys::text(&output.stdout), "-: signed with index 0\n");
    assert_eq!(done(&scene, "verify -k key a --signature x.sig"), "a: OK\n");
    let output = run(&scene, "sign -k key a --output -");
    assert_eq!((output.stdout.len(), output.stderr.len(), output.status.code()), (9251, 0, Some(0)));
    scene.file(b"y.sig", &output.stdout);
    assert_eq!(done(&scene, "verify -k key a -s y.sig"), "a: OK\n");
    let output = hashlanes_once(&scene.path, ["sign", "-k", "key", "--json", "b", "c"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json[1], serde_json::json!({"name": "c", "signature": "c.sig", "set": SET, "index": 3}));
}

/// Faults that are known in advance use no index.
#[test]
fn failures_before_an_index_is_taken() {
    let scene = with_key();
    done(&scene, "sign -q -k key b");
    let signature = fs::read(scene.join("b.sig")).unwrap();
    scene.file(b"directory/file", b"");
    scene.fifo("pipe");
    let end = "nothing was signed, no index was used";
    for (args, file, words, code) in [
        ("a missing", "missing", format!("cannot read: No such file or directory; {end}"), 1),
        ("a pipe", "pipe", "cannot read: not a regular file".into(), 1),
        ("a directory", "directory", format!("cannot read: Is a directory; {end}"), 1),
        ("a b", "b.sig", format!("exists already; --force overwrites it; {end}"), 1),
        ("a --output no/a.sig", "no/a.sig", "cannot write: No such file or directory".into(), 1),
        ("a --output directory", "directory", "cannot write: Is a directory".into(), 1),
        ("a --output b.sig", "b.sig", "cannot write: exists already; --force overwrites it".into(), 1),
    ] {
        let (out, err, status) = result_of(&scene, &format!("sign -k key {args}"));
        assert!(err.starts_with(&format!("hashlanes: {file}: {words}")), "{args}: {err}");
        assert_eq!((out.len(), err.lines().count(), status), (0, 1, code), "{args}");
        assert!(!scene.join("a.sig").exists() && next_of(&scene, "key") == 1, "{args}");
    }
    for (args, words) in [
        ("sign a", "--key <DIR>"),
        ("sign -k key", "<FILE>..."),
        ("sign -k key a b -o x", "--output requires exactly one FILE"),
        ("sign -k key -", "standard input requires --output"),
        ("sign -k key a --window 0", "0 is not in 1..=1024"),
        ("sign -k key a --wait soon", "expected a number of seconds"),
        ("sign -k key a --wait -1", "unexpected argument"),
        ("sign -k nowhere a", "hashlanes: nowhere: holds no key"),
        ("sign -k a c", "hashlanes: a: "),
        ("keygen --out x", "--scheme <NAME>"),
        ("keygen --scheme XMSS-SHA2_11_256 --out x", "XMSS-SHA2_10_256"),
        ("keygen --scheme XMSS-SHAKE_10_256 --out x", "sets over SHAKE are not supported"),
        ("keygen --scheme XMSS-SHA2_10_256 --out x --seeds a", "seeds: 12 bytes instead of 96"),
        ("keygen --scheme XMSS-SHA2_10_256 --out x --seeds missing", "cannot read the seeds: No such file"),
        ("keygen --resume --out key", "hashlanes: key: the key is complete"),
        ("keygen --resume --out x", "hashlanes: x: holds no key"),
        ("key", "Usage:"),
        ("key advance key", "--to <N>"),
        ("key adopt key", "--moved"),
        ("key split key --count 0 --out child", "0 is not in 1.."),
    ] {
        let (out, err, status) = result_of(&scene, args);
        assert!(err.contains(words) && out.is_empty(), "{args}: {err}");
        assert_eq!(status, 2, "{args}: {err}");
        assert!(!scene.join("x").exists(), "{args}");
    }
    assert_eq!(next_of(&scene, "key"), 1);
    assert_eq!(fs::read(scene.join("b.sig")).unwrap(), signature);
    done(&scene, "sign -q -k key b --force");
    assert_eq!(index_in(&scene, "b.sig"), Some(1));
    // A destination that is not a regular file is written directly.
    let reader =
        std::process::Command::new("cat").arg(scene.join("pipe")).stdout(Stdio::piped()).spawn().unwrap();
    done(&scene, "sign -q -k key a -o pipe");
    assert_eq!(reader.wait_with_output().unwrap().stdout.len(), 9251);
}

/// No signature overwrites a signed file, another signature, or a file of the key, under any name.
#[test]
fn where_no_signature_goes() {
    let scene = with_key();
    fs::hard_link(scene.join("a"), scene.join("hard")).unwrap();
    scene.file(b"b.sig", b"content of b.sig");
    scene.file(b"sub/file", b"");
    scene.link("soft", "a");
    scene.link("into", "key/cache");
    scene.link("state", "key/state");
    scene.link("here", ".");
    done(&scene, "key adopt key --moved --witness witness");
    let files = files_of(&scene);
    let state = fs::read(scene.join("key/state")).unwrap();
    let over = "is a FILE to sign; a signature must not overwrite it";
    let in_key = "is in the directory of the key";
    let twice = "a FILE is named twice";
    for (args, file, words) in [
        ("a -o a", "a", over),
        ("a -o ./a", "./a", over),
        ("a -o sub/../a", "sub/../a", over),
        ("a -o soft", "soft", over),
        ("a -o hard", "hard", over),
        ("soft -o a", "a", over),
        ("b b.sig", "b.sig", over),
        ("c b.sig here/b", "here/b.sig", over),
        ("a -o key/state", "key/state", in_key),
        ("a -o here/key/new", "here/key/new", in_key),
        ("a -o into/new", "into/new", in_key),
        ("a -o state", "state", in_key),
        ("key/public.pem", "key/public.pem.sig", in_key),
        ("a -o witness --witness witness", "witness", "is the witness of the key"),
        ("a b ./a", "./a", twice),
        ("a c a", "a", twice),
        ("a here/a", "here/a", twice),
    ] {
        for force in ["", "--force"] {
            let (out, err, status) = result_of(&scene, &format!("sign -k key {args} {force}"));
            assert!(err.starts_with(&format!("hashlanes: {file}: {words}")), "{args}: {err}");
            assert!(err.ends_with("; nothing was signed, no index was used\n"), "{args}: {err}");
            assert_eq!((out.len(), err.lines().count(), status), (0, 1, 2), "{args}");
        }
    }
    let input = fs::File::open(scene.join("a")).unwrap();
    let output = command(&scene, "sign -k key - -o a --force").stdin(input).output().unwrap();
    let err = crate::keys::text(&output.stderr);
    assert!(err.starts_with(&format!("hashlanes: a: {over}")) && output.status.code() == Some(2), "{err}");
    assert_eq!((files_of(&scene), next_of(&scene, "key")), (files, 0));
    assert_eq!(fs::read(scene.join("key/state")).unwrap(), state);
    // Two names of two different files, each with its signature.
    done(&scene, "sign -q -k key hard soft");
    assert_eq!((index_in(&scene, "hard.sig"), index_in(&scene, "soft.sig")), (Some(0), Some(1)));
}

/// A key is made in a directory of its own, and never over anything.
#[test]
fn a_key_is_made_once() {
    let scene = with_key();
    let before = fs::read(scene.join("key/key")).unwrap();
    scene.file(b"full/file", b"");
    for out in ["key", "full", "a"] {
        let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out {out}"));
        assert!(err.starts_with(&format!("hashlanes: {out}: ")), "{err}");
        assert_eq!(status, 2, "{out}: {err}");
    }
    assert_eq!(fs::read(scene.join("key/key")).unwrap(), before);
    let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out no/key"));
    assert!(err.contains("No such file or directory") && status == 1, "{err}");
    // The same seeds make the same key; others another one.
    scene.file(b"seeds", &[7; 96]);
    for out in ["one", "two"] {
        done(&scene, &format!("keygen --scheme {SET} --out {out} --seeds seeds"));
    }
    let public = |key: &str| fs::read(scene.join(&format!("{key}/public.pem"))).unwrap();
    assert_eq!(public("one"), public("two"));
    assert_ne!(public("one"), public("key"));
}

/// A generation that failed before its seeds were stored, on a full disk, starts again.
#[test]
fn a_key_is_made_where_one_was_begun() {
    let scene = Scene::new();
    scene.file(b"a", b"content");
    for left in [&["lock"][..], &["lock", "unfinished.new"]] {
        fs::create_dir(scene.join("key")).unwrap();
        fs::set_permissions(scene.join("key"), fs::Permissions::from_mode(0o700)).unwrap();
        for name in left {
            scene.file(format!("key/{name}").as_bytes(), b"");
            fs::set_permissions(scene.join("key").join(name), fs::Permissions::from_mode(0o600)).unwrap();
        }
        let (_, err, status) = result_of(&scene, "keygen --resume --out key");
        assert!(err.contains("holds no key; `hashlanes keygen` makes one") && status == 2, "{err}");
        scene.file(b"key/other", b"");
        let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out key"));
        assert!(err.starts_with("hashlanes: key: exists already") && status == 2, "{err}");
        fs::remove_file(scene.join("key/other")).unwrap();
        done(&scene, &format!("keygen --scheme {SET} --out key"));
        assert_eq!(done(&scene, "sign -f -k key a"), "a: signed with index 0\n");
        assert!(!scene.join("key/unfinished.new").exists());
        fs::remove_dir_all(scene.join("key")).unwrap();
    }
}

/// On a terminal a generation shows its progress. Interrupted, it ends at once and prints how to continue; it
/// then continues where it was.
#[test]
fn an_interrupted_generation_continues() {
    let scene = Scene::new();
    scene.file(b"seeds", &[9; 72]);
    let (mut reader, stderr) = terminal(24, 100);
    let mut child = interruptible(&scene, "keygen --scheme XMSS-SHA2_16_192 --out key --seeds seeds")
        .env("RAYON_NUM_THREADS", "1") // So that it takes its time, whatever the machine.
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .unwrap();
    let (mut screen, since) = (String::new(), Instant::now());
    while !screen.contains("of 65,536 leaves, ") || !screen.contains(" s left") {
        assert!(read_more(&mut reader, &mut screen) && since.elapsed() < Duration::from_secs(60), "{screen}");
    }
    let since = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
    while read_more(&mut reader, &mut screen) {}
    let words = "hashlanes: key: interrupted; nothing is lost: `hashlanes keygen --resume --out DIR` continues it\r\n";
    assert!(screen.contains(words), "{screen}");
    let cache_bytes = || walk_bytes(&scene.join("key"));

    let kept = cache_bytes();
    for args in ["sign -k key seeds", "key status key", "keygen --scheme XMSS-SHA2_16_192 --out key"] {
        let (_, err, status) = result_of(&scene, args);
        assert_eq!(status, 2, "{args}: {err}");
        assert!(err.contains("continues it") || err.contains("exists already"), "{args}: {err}");
    }
    assert!(cache_bytes() >= kept);
    let (out, err, status) = result_of(&scene, "keygen --resume --out key --progress json");
    assert!(status == 0 && out.starts_with("key: XMSS-SHA2_16_192, 65536 signatures, key-id "), "{err}");
    let lines: Vec<serde_json::Value> = err
        .lines()
        .filter(|line| line.starts_with('{'))
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let last = &lines.last().unwrap()["progress"];
    assert_eq!((&last["leaves"], &last["done"]), (&65536.into(), &true.into()));
    let root = fs::read(scene.join("key/public.pem")).unwrap();
    let set: ParameterSet = "XMSS-SHA2_16_192".parse().unwrap();
    assert_eq!(VerifyingKey::from_spki_pem(crate::keys::text(&root)).unwrap().set(), set);
    done(&scene, "sign -q -k key seeds");
    assert_eq!(done(&scene, "verify -k key seeds"), "seeds: OK\n");
}

/// Bytes of all files below a directory.
fn walk_bytes(path: &std::path::Path) -> u64 {
    let Ok(entries) = fs::read_dir(path) else { return 0 };
    let bytes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => walk_bytes(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    bytes.sum()
}

/// A key shows its position, and only moves forward.
#[test]
fn status_and_advance() {
    let scene = with_key();
    done(&scene, "sign -q -k key a b");
    let out = done(&scene, "key status key");
    for line in [
        "set         XMSSMT-SHA2_20/4_256\n",
        "indices     0 to 1048575\n",
        "next        2\n",
        "used        2 of 1048576 (0.0 %)\n",
        "left        1048574\n",
        "state       can sign\n",
    ] {
        assert!(out.contains(line), "{out}");
    }
    let id = sha256(&run(&scene, "key export-public key --format raw").stdout);
    let id: String = id.iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(out.contains(&format!("key-id      {id}\n")), "{out}");
    assert_eq!(status_of(&scene, "key")["state"], "active");

    let out = done(&scene, "key advance key --to 100");
    assert_eq!(out, "key: indices 2 to 99 burned; the next signature gets index 100, 1048476 are left\n");
    let (out, err, status) = result_of(&scene, "key advance key --to 99");
    assert_eq!((&out[..], status), ("", 2));
    assert!(err.contains("index 99 may have been used: the next one is 100"), "{err}");
    done(&scene, "sign -q -k key c");
    assert_eq!(index_in(&scene, "c.sig"), Some(100));
    let unknown = "c.sig: its message is not known: only that it is a signature of this key was checked\n";
    assert_eq!(
        done(&scene, "key advance key --from-signature c.sig"),
        format!("key: nothing to skip; the next signature gets index 101, 1048475 are left\n{unknown}")
    );
    let (_, err, status) = result_of(&scene, "key advance key --from-signature a");
    assert!(err.starts_with("hashlanes: a: not a signature of this key: ") && status == 2, "{err}");
    let (_, err, status) = result_of(&scene, "key advance key --to 1048577");
    assert!(err.contains("1048577") && status == 2, "{err}");
}

/// A command that skips indices reports which it burned, and warns if they are many.
#[test]
fn burned_indices_are_reported() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    let (out, err, status) = result_of(&scene, "key adopt key --at-least 11");
    let words =
        "key: taken over; indices 1 to 10 burned; the next signature gets index 11, 1048565 are left\n";
    assert_eq!((&out[..], &err[..], status), (words, "", 0));
    let (out, err, status) = result_of(&scene, "key adopt key --moved");
    let words = "key: taken over; the next signature gets index 11, 1048565 are left\n";
    assert_eq!((&out[..], &err[..], status), (words, "", 0));
    // A tenth of the remaining ones, and one more.
    let (_, err, status) = result_of(&scene, "key advance key --to 104867");
    assert_eq!((&err[..], status), ("", 0));
    let (out, err, status) = result_of(&scene, "key advance key --to 199238");
    let words = "hashlanes: key: indices 104867 to 199237 would be burned, of 943709 that are left: nothing was changed; --yes does it\n";
    assert_eq!((&out[..], &err[..], status), ("", words, 2));
    assert_eq!(next_of(&scene, "key"), 104_867);
    done(&scene, "key advance key --to 199238 --yes");
    let (out, err, status) = result_of(&scene, "key adopt key --at-least 1048576");
    let words = "hashlanes: key: indices 199238 to 1048575 would be burned, of 849338 that are left: nothing was changed; --yes does it\n";
    assert_eq!((&out[..], &err[..], status), ("", words, 2));
    assert_eq!(next_of(&scene, "key"), 199_238);
    let (out, err, status) = result_of(&scene, "key adopt key --at-least 1048576 --yes");
    let words = "key: taken over; indices 199238 to 1048575 burned; the key is exhausted: no index is left\n";
    assert_eq!((&out[..], &err[..], status), (words, "", 0));
    // The position of a damaged state is unknown.
    let scene = with_key();
    scene.file(b"key/state", b"");
    let (out, err, status) = result_of(&scene, "key adopt key --at-least 9");
    let words = "key: taken over; the next signature gets index 9, 1048567 are left\n";
    assert_eq!((&out[..], &err[..], status), (words, "", 0));
}

/// The last signatures and none after them, also after a restart; a warning in time.
#[test]
fn exhaustion() {
    let scene = with_key();
    scene.file(b"seeds", &[3; 72]);
    done(&scene, "keygen --scheme XMSS-SHA2_10_192 --out short --seeds seeds");
    done(&scene, "key advance short --to 920 --yes");
    let (_, err, status) = result_of(&scene, "sign -k short a");
    assert_eq!((&err[..], status), ("", 0));
    done(&scene, "key advance short --to 921 --yes");
    let (_, err, status) = result_of(&scene, "sign -f -k short a");
    let words = "hashlanes: short: over 90 % of the key is used: 102 of 1024 signatures are left; publish the next key in time\n";
    assert_eq!((&err[..], status), (words, 0));
    assert_eq!(status_of(&scene, "short")["state"], "nearly-exhausted");
    done(&scene, "key advance short --to 1021 --yes");
    let (_, err, status) = result_of(&scene, "sign -k short b");
    let words = "hashlanes: short: over 99 % of the key is used: 2 of 1024 signatures are left; sign with the next key from now on\n";
    assert_eq!((&err[..], status), (words, 0));
    assert_eq!(status_of(&scene, "short")["state"], "in-last-percent");
    let (out, err, status) = result_of(&scene, "sign -k short -f a b c");
    assert_eq!((&out[..], status), ("", 5));
    assert!(err.contains("3 signatures requested, 2 left; nothing was signed"), "{err}");
    let (out, err, status) = result_of(&scene, "sign -k short -f a b");
    let words = "hashlanes: short: the key is exhausted; sign with the next key\n";
    assert_eq!(
        (&out[..], &err[..], status),
        ("a: signed with index 1022\nb: signed with index 1023\n", words, 0)
    );
    assert_eq!(done(&scene, "verify -q -k short a b"), "");
    for _ in 0..2 {
        let (out, err, status) = result_of(&scene, "sign -k short c");
        assert_eq!((&out[..], status, scene.join("c.sig").exists()), ("", 5, false));
        assert!(err.contains("exhausted") && err.lines().count() == 1, "{err}");
    }
    let (out, _, status) = result_of(&scene, "key status short");
    assert!(out.contains("state       exhausted") && status == 5, "{out}");
}

/// A part of a key signs elsewhere, with indices of its own.
#[test]
fn a_key_is_split() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    let out = done(&scene, "key split key --count 2 --out child");
    assert_eq!(
        out,
        format!(
            "child: has indices 1 to 2 of {SET}\nkey: the next signature gets index 3, 1048573 are left\n"
        )
    );
    done(&scene, "sign -q -k key b");
    done(&scene, "sign -q -k child c");
    assert_eq!((index_in(&scene, "b.sig"), index_in(&scene, "c.sig")), (Some(3), Some(1)));
    assert_eq!(done(&scene, "verify -q -k child a b c"), "");
    done(&scene, "sign -q -f -k child c");
    let (_, err, status) = result_of(&scene, "sign -f -k child c");
    assert!(err.contains("exhausted") && status == 5, "{err}");
    let (_, err, status) = result_of(&scene, "key split key --count 2 --out child");
    assert_eq!(status, 2, "{err}");
    let (_, err, status) = result_of(&scene, "key split key --count 99999999 --out more");
    assert!(status == 5 && !scene.join("more").exists(), "{err}");
    assert_eq!(next_of(&scene, "key"), 4);
}

/// The public key in every form is the key's.
#[test]
fn public_keys_are_exported() {
    let scene = with_key();
    done(&scene, "sign -q -k key a");
    for form in ["pem", "der", "raw"] {
        done(&scene, &format!("key export-public key --format {form} --output {form}"));
        assert_eq!(
            fs::read(scene.join(form)).unwrap(),
            run(&scene, &format!("key export-public key --format {form}")).stdout
        );
        assert_eq!(done(&scene, &format!("verify -k {form} a")), "a: OK\n");
        let (_, err, status) = result_of(&scene, &format!("key export-public key --output {form}"));
        assert_eq!((&err[..], status), (&format!("hashlanes: {form}: cannot write: File exists\n")[..], 1));
    }
    assert_eq!(fs::read(scene.join("pem")).unwrap(), fs::read(scene.join("key/public.pem")).unwrap());
}

/// Secret keys of other implementations: the same signatures come of them as there.
#[test]
fn secret_keys_are_imported() {
    let mut n = 0;
    for vector in vectors::xmss() {
        let set: ParameterSet = vector.name.parse().unwrap();
        let (Some(seeds), Some(derivation)) = (&vector.seeds, &vector.derivation) else { continue };
        let signature = vector.signatures.iter().find(|signature| signature.index > 0);
        let Some(signature) = signature.filter(|_| set.tree_height() <= 5) else { continue };
        let scene = Scene::new();
        let (secret, seed) = seeds.split_at(2 * set.n());
        let (oid, root_and_seed) = vector.public_key.split_at(4);
        let index = &signature.index.to_be_bytes()[8 - set.index_bytes()..];
        let all = [oid, index, secret, &root_and_seed[..set.n()], seed, b"the state of a traversal"].concat();
        scene.file(b"secret", &all);
        scene.file(b"message", &signature.message);
        let scheme = set.scheme().name();
        done(&scene, &format!("key import secret --scheme {scheme} --derivation {derivation} --out key"));
        assert_eq!(
            run(&scene, "key export-public key --format raw").stdout,
            vector.public_key,
            "{}",
            vector.name
        );
        done(&scene, "sign -q -k key message");
        let ours = fs::read(scene.join("message.sig")).unwrap();
        assert_eq!(sha256(&ours)[..], signature.sha256[..], "{} {}", vector.origin, vector.name);
        // If the secret belongs to another key, or is cut off.
        let mut other = all.clone();
        other[4 + set.index_bytes()] ^= 1;
        scene.file(b"other", &other);
        scene.file(b"cut", &all[..40]);
        let (_, err, status) = result_of(
            &scene,
            &format!("key import other --scheme {scheme} --derivation {derivation} --out x"),
        );
        assert!(err.contains("the seeds give another root") && status == 2, "{err}");
        let (_, err, status) = result_of(&scene, &format!("key import cut --scheme {scheme} --out y"));
        assert!(err.starts_with("hashlanes: cut: not a secret key: ") && status == 2, "{err}");
        n += 1;
    }
    assert!(n >= 10, "{n}");
}

/// Keys of BouncyCastle and Botan need no option: the file names its set, index and derivation.
#[test]
fn secret_keys_of_bouncycastle_and_botan_are_imported() {
    let all = vectors::xmss_imports();
    for source in ["libbcprov-java 1.72", "1.86", "python3-botan", "Botan 3"] {
        let vector = all.iter().find(|vector| vector.source.contains(source)).unwrap();
        let scene = Scene::new();
        scene.file(b"secret", &vector.secret);
        scene.file(b"message", b"content");
        scene.file(b"public", &vector.public_key);
        scene.file(b"last", format!("message-{}", vector.next - 1).as_bytes());
        scene.file(b"last.sig", &vector.signature);
        done(&scene, "key import secret --out key");
        assert_eq!(next_of(&scene, "key"), vector.next, "{source}");
        done(&scene, "verify --key key last");
        done(&scene, "sign -q -k key message");
        let signature = fs::read(scene.join("message.sig")).unwrap();
        assert_eq!(signature[..4], (vector.next as u32).to_be_bytes(), "{source}");
        done(&scene, "verify --key public message");
        let (_, err, status) = result_of(&scene, "key import secret --scheme XMSSMT --out other");
        let words = "hashlanes: secret: not a secret key: the key is of XMSS-SHA2_10_256, not of XMSSMT\n";
        assert_eq!((&err[..], status), (words, 2), "{source}");
        assert!(!scene.join("other").exists());
    }
    let scene = Scene::new();
    scene.file(b"text", b"hello");
    let (_, err, status) = result_of(&scene, "key import text --out key");
    assert!(
        err.starts_with("hashlanes: text: not a secret key: unknown format; expected PKCS#8 ") && status == 2,
        "{err}"
    );
}

/// A signal ends it at once; only complete signatures remain.
#[test]
fn an_interrupted_signature() {
    let scene = with_key();
    // A hundred gigabytes of nothing take a minute to hash.
    fs::File::create(scene.join("long")).unwrap().set_len(100 << 30).unwrap();
    let child = interruptible(&scene, "sign -k key a long").stderr(Stdio::piped()).spawn().unwrap();
    let descriptors = format!("/proc/{}/fd", child.id());
    let is_reading = || {
        let open = fs::read_dir(&descriptors).into_iter().flatten().flatten();
        open.filter_map(|entry| fs::read_link(entry.path()).ok()).any(|path| path.ends_with("long"))
    };
    let since = Instant::now();
    while !is_reading() {
        assert!(since.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(2));
    }
    let since = Instant::now();
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(since.elapsed() < Duration::from_secs(1), "{:?}", since.elapsed());
    let err = crate::keys::text(&output.stderr);
    assert!(err.starts_with("hashlanes: key: interrupted; ") && output.status.code() == Some(130), "{err}");
    assert_eq!(files_of(&scene), ["a", "b", "c", "key", "long"]);
    done(&scene, "sign -q -k key a");
}

fn files_of(scene: &Scene) -> Vec<String> {
    let entries = fs::read_dir(&scene.path).unwrap().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Another program uses the key: reported at once, or waited for.
#[test]
fn a_locked_key() {
    let scene = with_key();
    let lock = fs::File::open(scene.join("key/lock")).unwrap();
    rustix::fs::flock(&lock, FlockOperation::LockExclusive).unwrap();
    let (out, err, status) = result_of(&scene, "sign -k key a");
    assert_eq!((&out[..], status, scene.join("a.sig").exists()), ("", 75, false));
    assert!(err.contains("in use by another process") && err.contains("--wait SECONDS"), "{err}");
    let since = Instant::now();
    assert_eq!(result_of(&scene, "sign -k key a --wait 0.3").2, 75);
    assert!(since.elapsed() >= Duration::from_millis(300));
    // Looking takes no lock.
    assert_eq!(next_of(&scene, "key"), 0);
    let waiting = command(&scene, "sign -q -k key a --wait 60").spawn().unwrap();
    std::thread::sleep(Duration::from_millis(100));
    drop(lock);
    assert!(waiting.wait_with_output().unwrap().status.success());
    assert_eq!(index_in(&scene, "a.sig"), Some(0));
}

/// Eight programs at once, 50 signatures each: 400 indices.
#[test]
fn eight_processes() {
    let scene = with_key();
    let scene = &scene;
    let signed: Vec<Vec<u64>> = std::thread::scope(|scope| {
        let signer = |number| {
            move || {
                let sign = |turn| {
                    let file = format!("p{number}-{turn}");
                    scene.file(file.as_bytes(), file.as_bytes());
                    done(scene, &format!("sign -q -k key --wait 300 {file}"));
                    index_in(scene, &format!("{file}.sig")).unwrap()
                };
                (0..50).map(sign).collect()
            }
        };
        let threads: Vec<_> = (0..8).map(|number| scope.spawn(signer(number))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let indices: BTreeSet<u64> = signed.concat().into_iter().collect();
    assert_eq!(indices, (0..400).collect());
    let files: Vec<String> = (0..8).flat_map(|p| (0..50).map(move |turn| format!("p{p}-{turn}"))).collect();
    assert_eq!(done(scene, &format!("verify -q -k key {}", files.join(" "))), "");
    println!("8 processes, 400 signatures: 0 reused");
}

/// The lock is a file that stays.
#[test]
fn the_lock_stays() {
    let scene = with_key();
    let inode = || fs::metadata(scene.join("key/lock")).unwrap().ino();
    let before = inode();
    done(&scene, "sign -q -k key a b c");
    done(&scene, "key advance key --to 50");
    assert_eq!(inode(), before);
}
