//! `cksum`, and what changed in GNU's tools since 9.1: compared with recorded runs of coreutils 9.7.

use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};

use crate::scene::Scene;
use crate::side_by_side::{OURS, hashlanes};

/// Bytes as the record has them: a character for each.
fn bytes(text: &serde_json::Value) -> Vec<u8> {
    text.as_str().unwrap().chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect()
}

/// Every option and its abbreviations, every hash, lists of mixed hashes, escaped names, quoted names.
#[test]
fn runs_of_coreutils_9_7() {
    let record = include_str!("../data/coreutils-9.7.json");
    let record: serde_json::Value = serde_json::from_str(record).unwrap();
    let scene = Scene::new();
    for (name, content) in record["files"].as_object().unwrap() {
        scene.file(name.as_bytes(), &bytes(content));
    }
    let runs = record["runs"].as_array().unwrap();
    assert!(runs.len() > 90);
    for run in runs {
        let args: Vec<&str> =
            run["args"].as_array().unwrap().iter().map(|arg| arg.as_str().unwrap()).collect();
        let output = Command::new(OURS)
            .arg0(run["tool"].as_str().unwrap())
            .args(&args)
            .env("LC_ALL", run["locale"].as_str().unwrap())
            .stdin(Stdio::from(std::fs::File::open(scene.join("a")).unwrap()))
            .current_dir(&scene.path)
            .output()
            .unwrap();
        let shown = |text: &[u8]| text.escape_ascii().to_string();
        assert_eq!(shown(&output.stdout), shown(&bytes(&run["stdout"])), "{args:?}");
        assert_eq!(shown(&output.stderr), shown(&bytes(&run["stderr"])), "{args:?}");
        assert_eq!(output.status.code().unwrap(), run["status"].as_i64().unwrap() as i32, "{args:?}");
    }
    let subcommand = hashlanes(&scene.path, ["cksum", "-a", "sm3", "a"]);
    assert!(subcommand.stdout.starts_with(b"SM3 (a) = 66c7f0f4"));
}

/// Hashes that have no kernels of many messages: known digests of files shorter and longer than a read.
#[test]
fn hashes_without_kernels() {
    let scene = Scene::new();
    scene.file(b"abc", b"abc");
    scene.file(b"zeros", &vec![0; 3 << 20]);
    for (hash, abc) in [
        ("md5", "900150983cd24fb0d6963f7d28e17f72"),
        ("sm3", "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"),
        ("sha3-224", "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf"),
        ("SHA3/256", "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532"),
        (
            "blake2b-512",
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923",
        ),
        ("blake2b-256", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"),
    ] {
        let list = hashlanes(&scene.path, ["sum", "-a", hash, "--tag", "abc", "zeros"]);
        let text = String::from_utf8(list.stdout).unwrap();
        assert!(text.lines().next().unwrap().ends_with(&format!(" (abc) = {abc}")), "{text}");
        scene.file(b"list", text.as_bytes());
        let check = hashlanes(&scene.path, ["sum", "-c", "list"]);
        assert_eq!(String::from_utf8(check.stdout).unwrap(), "abc: OK\nzeros: OK\n", "{hash}");
    }
    for (hash, zeros) in [
        ("sha3-384", "SHA3-384 (zeros) = "),
        ("sha3-512", "SHA3-512 (zeros) = "),
        ("sha256,md5", "SHA256 (zeros) = "),
    ] {
        let list = hashlanes(&scene.path, ["sum", "-a", hash, "--tag", "zeros"]);
        assert!(list.stdout.starts_with(zeros.as_bytes()));
        scene.file(b"list", &list.stdout);
        assert!(hashlanes(&scene.path, ["audit", "list"]).status.success());
    }
    let keyed = hashlanes(&scene.path, ["sum", "-a", "md5", "--hmac-key-file", "abc", "zeros"]);
    assert!(keyed.stderr.starts_with(b"hashlanes: HMACs of md5 are not supported\n"));
    assert_eq!(keyed.status.code(), Some(2));
}

/// A mixed list needs no second tool; a line of another hash is named, and no success.
#[test]
fn lists_of_several_hashes() {
    let scene = Scene::new();
    scene.file(b"a", b"abc");
    let mixed = "MD5 (a) = 900150983cd24fb0d6963f7d28e17f72\n\
                 SM3 (a) = 66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0\n\
                 BLAKE2b-256 (a) = bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319\n\
                 SHA256 (a) = ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\n";
    scene.file(b"list", mixed.as_bytes());
    let output = hashlanes(&scene.path, ["sum", "-c", "list"]);
    assert_eq!((&output.stdout[..], output.status.code()), (&b"a: OK\n"[..], Some(0)));
    scene.file(b"list", format!("{mixed}RMD160 (a) = 8eb208f7e05d987a9b044a8e98c6b087f15a0bfc\n").as_bytes());
    let output = hashlanes(&scene.path, ["sum", "-c", "list"]);
    let said = "hashlanes: list: 5: not checked: RMD160 is not supported\n";
    assert_eq!((&output.stdout[..], output.status.code()), (&b"a: OK\n"[..], Some(1)));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
    let output = hashlanes(&scene.path, ["audit", "--quiet", "list"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.starts_with("hashlanes: list: not supported: RMD160\n"), "{said}");
    assert_eq!(output.status.code(), Some(2));
}
