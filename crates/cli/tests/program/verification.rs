//! `verify`: keys and signatures of other implementations, in every encoding of a key; invalid signatures,
//! keys and files.

use std::process::{Command, Output};

use hashlanes::hbs::{HashFamily, ParameterSet, Scheme, VerifyingKey};
use hashlanes_testkit::vectors::{self, XmssVector};

use crate::scene::Scene;
use crate::side_by_side::{OURS, feed, hashlanes_once};

fn run(scene: &Scene, args: &str) -> Output {
    hashlanes_once(&scene.path, args.split_whitespace())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Standard output, standard error and status of a run.
fn result_of(scene: &Scene, args: &str) -> (String, String, i32) {
    let Output { stdout, stderr, status } = run(scene, args);
    (text(&stdout).into(), text(&stderr).into(), status.code().unwrap())
}

fn key_of(vector: &XmssVector) -> VerifyingKey {
    let scheme = vector.name.parse::<ParameterSet>().unwrap().scheme();
    VerifyingKey::from_bytes(scheme, &vector.public_key).unwrap()
}

/// Keys over SHA-2 of other implementations, each with the first of its complete signatures.
fn signed() -> Vec<(XmssVector, Vec<u8>, Vec<u8>)> {
    let of_sha2 =
        |vector: &XmssVector| vector.name.parse::<ParameterSet>().unwrap().hash() == HashFamily::Sha2;
    let first = |vector: XmssVector| {
        let found = vector.signatures.iter().find(|signature| signature.signature.is_some())?;
        let (message, signature) = (found.message.clone(), found.signature.clone()?);
        Some((vector, message, signature))
    };
    vectors::xmss().into_iter().filter(of_sha2).filter_map(first).collect()
}

/// A scene with `fw`, `fw.sig`, and the key in all encodings, of one signature.
fn scene_of((vector, message, signature): &(XmssVector, Vec<u8>, Vec<u8>)) -> Scene {
    let scene = Scene::new();
    let key = key_of(vector);
    scene.file(b"fw", message);
    scene.file(b"fw.sig", signature);
    scene.file(b"raw", &vector.public_key);
    scene.file(b"pem", key.to_spki_pem().as_bytes());
    scene.file(b"der", &key.to_spki_der());
    scene
}

fn any() -> Scene {
    scene_of(&signed()[0])
}

#[test]
fn signatures_of_other_implementations() {
    let mut n = 0;
    for signed in signed() {
        let scene = scene_of(&signed);
        for key in ["raw", "pem", "der"] {
            let expected = ("fw: OK\n".into(), String::new(), 0);
            assert_eq!(
                result_of(&scene, &format!("verify --key {key} fw")),
                expected,
                "{} {key}",
                signed.0.name
            );
        }
        n += 1;
        // Another message, and a signature with a bit changed.
        scene.file(b"other", b"another message");
        std::fs::copy(scene.join("fw.sig"), scene.join("other.sig")).unwrap();
        let mut bytes = signed.2.clone();
        bytes[signed.2.len() / 2] ^= 1;
        scene.file(b"changed.sig", &bytes);
        for args in ["other", "fw --signature changed.sig"] {
            let (out, err, status) = result_of(&scene, &format!("verify -k pem {args}"));
            assert!(out.ends_with(": FAILED\n") && status == 1, "{args}: {out}");
            let words = ".sig: not valid: made by another key or for another file, or changed since\n";
            assert!(err.ends_with(words), "{args}: {err}");
        }
    }
    assert!(n >= 15, "{n}");
    let spki = &vectors::xmss_spki()[0];
    let scene = Scene::new();
    scene.file(b"older", spki.pem.as_bytes());
    scene.file(b"fw", b"");
    let (_, err, status) = result_of(&scene, "verify -k older fw");
    assert_eq!(
        (&err[..], status),
        ("hashlanes: fw.sig: cannot read the signature: No such file or directory\n", 1)
    );
}

/// Raw keys: two sets share each number; the signature's length or --scheme decides.
#[test]
fn raw_keys() {
    for signed in signed() {
        let scene = scene_of(&signed);
        let set: ParameterSet = signed.0.name.parse().unwrap();
        let other = match set.scheme() {
            Scheme::Xmss => Scheme::XmssMt,
            Scheme::XmssMt => Scheme::Xmss,
        };
        for wanted in [set.to_string(), set.scheme().name().into()] {
            let (out, _, status) = result_of(&scene, &format!("verify -k raw --scheme {wanted} fw"));
            assert_eq!((&out[..], status), ("fw: OK\n", 0));
        }
        let (out, err, status) = result_of(&scene, &format!("verify -k pem --scheme {} fw", other.name()));
        let expected =
            format!("hashlanes: pem: not a public key: its parameter set is {set}, not {}\n", other.name());
        assert_eq!((&out[..], &err[..], status), ("", &expected[..], 2));
        // With the wrong scheme the key does not exist, or its signatures have another length.
        let (_, err, status) = result_of(&scene, &format!("verify -k raw --scheme {} fw", other.name()));
        let has_both = VerifyingKey::from_bytes(other, &signed.0.public_key).is_ok();
        let words = if has_both {
            "fw.sig: not a signature of this key: signature: "
        } else {
            "raw: not a public key: its parameter set is "
        };
        assert!(err.contains(words), "{err}");
        assert_eq!(status, if has_both { 1 } else { 2 });
        scene.file(b"short.sig", &signed.2[1..]);
        let (out, err, status) = result_of(&scene, "verify -k raw --signature short.sig fw");
        assert_eq!((&out[..], status), ("fw: FAILED\n", 1));
        assert!(err.contains(&format!(
            "short.sig: not a signature of this key: signature: {} bytes",
            signed.2.len() - 1
        )));
    }
}

/// A file that is not a key: status 2, and nothing is verified.
#[test]
fn invalid_public_keys() {
    let scene = any();
    let pem = std::fs::read_to_string(scene.join("pem")).unwrap();
    let der = std::fs::read(scene.join("der")).unwrap();
    scene.file(b"empty", b"");
    scene.file(b"text", b"no key at all");
    scene.file(b"cut-pem", &pem.as_bytes()[..60]);
    scene.file(b"cut-der", &der[..60]);
    scene.file(b"certificate", pem.replace("PUBLIC KEY", "CERTIFICATE").as_bytes());
    scene.file(b"shake", &[&[0, 0, 0, 16][..], &[0; 64]].concat());
    scene.file(b"long", &[0; 70_000]);
    scene.file(b"directory/file", b"");
    for (key, words) in [
        ("missing", "cannot read the public key: No such file or directory"),
        ("directory", "cannot read the public key: No such file or directory"),
        ("empty", "not a public key: "),
        ("text", "not a public key: neither PEM nor DER of a public key, nor a raw one (OID, root, SEED)"),
        ("cut-pem", "not a public key: SubjectPublicKeyInfo: "),
        ("cut-der", "not a public key: SubjectPublicKeyInfo: "),
        ("certificate", "not a certificate: Certificate: tbsCertificate: serialNumber: has the tag 0x06"),
        ("shake", "not a public key: XMSS-SHAKE256_10_256: sets over SHAKE are not supported"),
        ("long", "not a public key: the file is longer than 64 KiB"),
    ] {
        let (out, err, status) = result_of(&scene, &format!("verify --key {key} fw"));
        assert!(err.starts_with(&format!("hashlanes: {key}: {words}")), "{key}: {err}");
        assert_eq!((out.len(), err.lines().count(), status), (0, 1, 2), "{key}");
    }
    std::fs::copy(scene.join("pem"), scene.join("directory/public.pem")).unwrap();
    assert_eq!(result_of(&scene, "verify --key directory fw").0, "fw: OK\n");
}

/// Many files, some of them wrong, in the order of the arguments, for every number of threads; their names in
/// a list.
#[test]
fn many_files() {
    let scene = any();
    let signature = std::fs::read(scene.join("fw.sig")).unwrap();
    let message = std::fs::read(scene.join("fw")).unwrap();
    let (mut names, mut expected) = (Vec::new(), Vec::new());
    for number in 0..70 {
        let (what, words) = [("good", "OK"), ("bad", "FAILED"), ("lost", "FAILED open or read")][number % 3];
        let name = format!("{what}{number}");
        // Good ones are the message itself; bad ones are long, so that they come in many pieces.
        scene.file(name.as_bytes(), if what == "bad" { &[7; 300_000][..] } else { &message });
        if what != "lost" {
            scene.file(format!("{name}.sig").as_bytes(), &signature);
        }
        expected.push(format!("{name}: {words}\n"));
        names.push(name);
    }
    for jobs in ["", "-j1", "-j3"] {
        let (out, err, status) = result_of(&scene, &format!("verify -k pem {jobs} {}", names.join(" ")));
        assert_eq!((out, status), (expected.concat(), 1), "{jobs}");
        assert_eq!(err.lines().count(), 46, "{err}");
    }
    scene.file(b"list", names.join("\0").as_bytes());
    let (out, _, status) = result_of(&scene, "verify -k pem --files0-from list");
    assert_eq!((out, status), (expected.concat(), 1));
    let (out, _, _) = result_of(&scene, "verify -k pem -q --files0-from list");
    assert!(!out.contains("OK") && out.lines().count() == 46);
    let (out, err, status) = result_of(&scene, "verify -k pem --status --files0-from list");
    assert_eq!((out.len(), err.len(), status), (0, 0, 1));
    assert_eq!(result_of(&scene, "verify -k pem -q fw good0 good3"), (String::new(), String::new(), 0));
}

#[test]
fn results_for_programs() {
    let scene = any();
    std::fs::copy(scene.join("fw"), scene.join("a\nb")).unwrap();
    std::fs::copy(scene.join("fw.sig"), scene.join("a\nb.sig")).unwrap();
    let both = hashlanes_once(&scene.path, ["verify", "-k", "pem", "fw", "a\nb", "gone", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&both.stdout).unwrap();
    let files = json.as_array().unwrap();
    assert_eq!(files.len(), 3);
    assert_eq!(
        (&files[0]["name"], &files[0]["valid"], &files[0]["index"]),
        (&"fw".into(), &true.into(), &0.into())
    );
    assert_eq!((&files[0]["signature"], &files[1]["name"]), (&"fw.sig".into(), &"a\nb".into()));
    assert!(files[0]["set"].as_str().unwrap().parse::<ParameterSet>().is_ok());
    assert_eq!(
        (&files[2]["valid"], &files[2]["error"]),
        (&false.into(), &"No such file or directory".into())
    );
    let lines = hashlanes_once(&scene.path, ["verify", "-k", "pem", "a\nb"]);
    assert_eq!(text(&lines.stdout), "\\a\\nb: OK\n");
    let zero = hashlanes_once(&scene.path, ["verify", "-k", "pem", "-z", "a\nb", "fw"]);
    assert_eq!(text(&zero.stdout), "a\nb: OK\0fw: OK\0");
}

#[test]
fn standard_input_and_wrong_use() {
    let scene = any();
    let message = std::fs::read(scene.join("fw")).unwrap();
    let mut command = Command::new(OURS);
    command.args(["verify", "-k", "pem", "-s", "fw.sig", "-"]).current_dir(&scene.path);
    let output = feed(&mut command, &message);
    assert_eq!((text(&output.stdout), output.status.code()), ("-: OK\n", Some(0)));
    for (args, words) in [
        ("verify fw", "--key <PUBLIC>"),
        ("verify -k pem", "<FILE>"),
        ("verify -k pem -", "hashlanes: standard input requires --signature\n"),
        ("verify -k pem -s fw.sig fw fw", "hashlanes: --signature requires exactly one FILE\n"),
        ("verify -k pem --scheme XMSS-SHA2_11_256 fw", "XMSS-SHA2_10_256"),
        ("verify -k pem --quiet --status fw", "cannot be used with"),
        ("verify -k pem --files0-from list fw", "cannot be used with"),
        // No file has no signature that is valid.
        (
            "verify -k pem --files0-from /dev/null",
            "hashlanes: /dev/null: lists no file; nothing was verified\n",
        ),
        ("verify -k pem --files0-from - --json", "hashlanes: -: lists no file; nothing was verified\n"),
    ] {
        let (out, err, status) = result_of(&scene, args);
        assert!(out.is_empty() && err.contains(words) && status == 2, "{args}: {err}");
    }
    let (_, err, status) = result_of(&scene, "verify -k pem --files0-from missing");
    assert_eq!((&err[..], status), ("hashlanes: missing: No such file or directory\n", 1));
    scene.file(b"directory/x", b"");
    std::fs::copy(scene.join("fw.sig"), scene.join("directory.sig")).unwrap();
    let (out, err, status) = result_of(&scene, "verify -k pem directory fw");
    assert_eq!((&out[..], status), ("directory: FAILED open or read\nfw: OK\n", 1), "{err}");
}
