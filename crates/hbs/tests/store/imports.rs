//! Secret keys as BouncyCastle and Botan store them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use hashlanes_hbs::store::{self, Import, import};
use hashlanes_hbs::{Error, ParameterSet, Scheme, VerifyingKey};
use hashlanes_testkit::vectors::{self, XmssImportVector};

use crate::ledger::place;
use crate::live::{bytes_of, hex, output_of};
use crate::simulated::Simulated;

/// Length in bytes of Botan's raw key with n = 32, at the end of its PKCS#8.
fn botan_raw(vector: &XmssImportVector) -> &[u8] {
    let bytes = if vector.source.contains("Botan 3") { 137 } else { 136 };
    &vector.secret[vector.secret.len() - bytes..]
}

fn is_botan(vector: &XmssImportVector) -> bool {
    vector.source.starts_with("Botan")
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for group in bytes.chunks(3) {
        let bits = group.iter().fold(0, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for digit in 0..4 {
            let value = bits >> (18 - 6 * digit) & 63;
            text.push(if digit <= group.len() { DIGITS[value as usize].into() } else { '=' });
        }
    }
    text
}

fn pem(label: &str, der: &[u8]) -> String {
    let text = base64(der);
    let lines = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap());
    lines.fold(format!("-----BEGIN {label}-----\n"), |text, line| text + line + "\n")
        + &format!("-----END {label}-----\n")
}

fn error(bytes: &[u8]) -> Error {
    import(None, bytes, None).map(drop).unwrap_err()
}

/// The imported key signs like the other program: the same last signature from the same seeds, then the next
/// index.
#[test]
fn keys_of_bouncycastle_and_botan_sign_on() {
    for vector in vectors::xmss_imports() {
        let what = &vector.source;
        let set: ParameterSet = vector.name.parse().unwrap();
        let public = VerifyingKey::from_spki_der(&vector.public_key).unwrap();
        let last = format!("message-{}", vector.next - 1);
        public.verify(last.as_bytes(), &vector.signature).expect(what);

        let imported = import(None, &vector.secret, None).expect(what);
        assert_eq!(imported.indices, vector.next..set.signatures(), "{what}");
        let mut again = imported.generation.run().expect(what);
        again.advance_to(vector.next - 1).unwrap();
        assert_eq!(again.try_sign(last.as_bytes()).unwrap().as_ref(), vector.signature, "{what}");

        let Import { generation, indices, .. } =
            import(None, pem("PRIVATE KEY", &vector.secret).as_bytes(), None).expect(what);
        let mut key = place(&Simulated::new(), "/key").create_within(generation, indices).expect(what);
        assert_eq!(*key.verifying_key(), public.clone().into(), "{what}");
        assert_eq!(key.next_index(), vector.next, "{what}");
        let signature = key.try_sign(b"the next").unwrap();
        public.verify(b"the next", signature.as_ref()).expect(what);
        assert_eq!(signature.as_ref(), again.try_sign(b"the next").unwrap().as_ref(), "{what}");
    }
}

#[test]
fn raw_keys_of_botan_are_recognized() {
    for vector in vectors::xmss_imports().iter().filter(|vector| is_botan(vector)) {
        let raw = botan_raw(vector);
        let imported = import(Some(Scheme::Xmss), raw, None).expect(&vector.source);
        assert_eq!(imported.indices, vector.next..1024, "{}", vector.source);
        imported.generation.run().expect(&vector.source);
        assert_eq!(
            error(raw).to_string(),
            "a raw key does not contain its scheme; name it: XMSS or XMSSMT",
            "{}",
            vector.source
        );
    }
}

/// A shard uses only its own indices, also after an interruption.
#[test]
fn shards_keep_their_last_index() {
    let mut n = 0;
    for vector in vectors::xmss_imports() {
        let Some(shard) = &vector.shard else { continue };
        let imported = import(None, shard, None).expect(&vector.source);
        let indices = vector.next..vector.next + 4;
        assert_eq!(imported.indices, indices, "{}", vector.source);
        n += 1;
        if n > 1 {
            continue;
        }
        let here = place(&Simulated::new(), "/key");
        let stopped = imported.generation.progress(|_| std::ops::ControlFlow::Break(()));
        assert!(here.create_within(stopped, imported.indices).is_err());
        let mut key = here.resume(|generation| generation).unwrap().unwrap();
        assert_eq!(key.range(), indices);
        for _ in 0..4 {
            key.try_sign(b"message").unwrap();
        }
        assert!(
            matches!(key.try_sign(b"message"), Err(store::Error::Exhausted { end }) if end == indices.end)
        );
    }
    assert!(n >= 6, "{n}");
}

/// No changed byte and no truncation causes a panic, or a key that may use an index of the file's past or of
/// another shard.
#[test]
fn damaged_keys_use_no_index_twice() {
    let mut n_refused = 0;
    for vector in vectors::xmss_imports() {
        let set: ParameterSet = vector.name.parse().unwrap();
        let shard = vector.shard.as_ref().map(|shard| (shard, vector.next + 4));
        for (file, end) in [(&vector.secret, set.signatures())].into_iter().chain(shard) {
            for length in 0..file.len() {
                assert!(import(None, &file[..length], None).is_err(), "{}: {length} bytes", vector.source);
            }
            for at in 0..file.len() {
                for change in [1, 0x20, 0x80, 0xff] {
                    let mut changed = file.clone();
                    changed[at] ^= change;
                    let Ok(imported) = import(None, &changed, None) else {
                        n_refused += 1;
                        continue;
                    };
                    let what = format!("{}: byte {at} xor {change}", vector.source);
                    assert!(imported.indices.end <= end, "{what}: {:?}", imported.indices);
                    if imported.indices.start < vector.next {
                        // Botan's files hold the index only once. BouncyCastle's files of XMSS^MT hold the
                        // leaf of the lowest tree a second time, but not the number of that tree.
                        let is_lost = if is_botan(&vector) {
                            let raw = file.len() - botan_raw(&vector).len();
                            (raw + 68..raw + 72).contains(&at)
                        } else {
                            set.scheme() == Scheme::XmssMt && imported.indices.start % 32 == vector.next % 32
                        };
                        assert!(is_lost, "{what}: {:?}", imported.indices);
                    }
                }
            }
        }
    }
    assert!(n_refused > 10_000, "{n_refused}");
}

/// Changed seeds and roots are detected when the key is generated.
#[test]
fn another_root_is_refused() {
    let all = vectors::xmss_imports();
    for source in ["libbcprov-java 1.72", "botan 2.19", "Botan 3"] {
        let vector = all.iter().find(|vector| vector.source.contains(source)).unwrap();
        let public = VerifyingKey::from_spki_der(&vector.public_key).unwrap();
        let find = |part: &[u8]| vector.secret.windows(part.len()).position(|window| window == part).unwrap();
        let raw = public.to_bytes();
        let (root, seed) = (find(&raw[4..36]), find(&raw[36..]));
        for at in [root, seed] {
            let mut changed = vector.secret.clone();
            changed[at + 7] ^= 4;
            let imported = import(None, &changed, None).unwrap();
            assert_eq!(imported.generation.run().map(drop), Err(Error::OtherRoot), "{source}");
        }
    }
}

#[test]
fn unknown_and_contradictory_files_are_named() {
    let all = vectors::xmss_imports();
    let words = |bytes: &[u8]| error(bytes).to_string();
    let known = &all[0].secret;
    assert!(
        words(b"hello")
            .starts_with("unknown format; expected PKCS#8 (PEM or DER) of BouncyCastle or Botan, ")
    );
    assert!(words(&known[..100]).starts_with("damaged PKCS#8: "));
    assert!(words(b"-----BEGIN PRIVATE KEY-----\nAAA").starts_with("damaged PEM: "));
    assert_eq!(
        words(pem("ENCRYPTED PRIVATE KEY", known).as_bytes()),
        "the key is encrypted; export it without a passphrase"
    );
    assert_eq!(
        words(pem("PUBLIC KEY", known).as_bytes()),
        "the PEM label is \"PUBLIC KEY\"; expected \"PRIVATE KEY\""
    );
    let other = import(Some(Scheme::XmssMt), known, None).unwrap_err();
    assert_eq!(other.to_string(), "the key is of XMSS-SHA2_10_256, not of XMSSMT");
    // A key of an elliptic curve.
    let mut elliptic = bytes_of("302e020100300506032b657004220420");
    elliptic.extend([7; 32]);
    assert!(words(&elliptic).starts_with("algorithm 1.3.101.112; expected XMSS or XMSS^MT"));
    // The index of an earlier export in the file of a later one.
    let index = known.windows(3).position(|window| window == [2, 1, 5]).unwrap() + 2;
    let mut earlier = known.clone();
    earlier[index] = 4;
    assert_eq!(
        words(&earlier),
        "damaged: its index is 4, but its traversal state is at leaf 5; restore it from the last export"
    );
    // A byte of the state in the later format.
    let mut state = all.iter().find(|vector| vector.source.contains("1.86")).unwrap().secret.clone();
    state[500] ^= 1;
    assert_eq!(words(&state), "the traversal state is damaged or of an unknown version");
}

/// Imports a key that the other program just created, and has it verify our next signature.
fn to_and_fro(set: &str, made: &str, verify: &mut Command) {
    let part = |name: &str| {
        let line = made.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        bytes_of(line.trim())
    };
    let public = VerifyingKey::from_spki_der(&part("public ")).unwrap();
    let imported = import(None, &part("secret "), None).unwrap();
    assert_eq!(imported.generation.set().to_string(), set);
    assert_eq!(imported.indices.start, 6);
    let here = place(&Simulated::new(), "/key");
    let mut key = here.create_within(imported.generation, imported.indices).unwrap();
    assert_eq!(*key.verifying_key(), public.clone().into());
    let mut input = String::new();
    for message in ["message-6", "message-7"] {
        let signature = key.try_sign(message.as_bytes()).unwrap();
        writeln!(input, "{} {message} {}", hex(public.to_bytes()), hex(signature.as_ref())).unwrap();
    }
    let output = output_of(verify, &input).to_lowercase();
    assert_eq!(output.lines().collect::<Vec<_>>(), ["true"; 2], "{set}");
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn bouncycastle_verifies_signatures_of_its_imported_key() {
    const LIBRARY: &str = "/usr/share/java/bcprov.jar";
    if !Path::new(LIBRARY).exists() || Command::new("javac").arg("-version").output().is_err() {
        eprintln!("SKIPPED, not tested: javac or libbcprov-java is missing");
        return;
    }
    let java = |program: &str| {
        let mut java = Command::new("java");
        java.args(["-cp", LIBRARY]).arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(program));
        java
    };
    for (set, shape) in [("XMSS-SHA2_10_256", ["10", "1"]), ("XMSSMT-SHA2_20/4_256", ["20", "4"])] {
        let made = output_of(java("store/ImportKeys.java").args(shape).args(["SHA256", "6"]), "");
        to_and_fro(set, &made, java("xmss/BouncyCastle.java").arg("verify").args(shape));
    }
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn botan_verifies_signatures_of_its_imported_key() {
    let python = |program: &str| {
        let mut python = Command::new("/usr/bin/python3");
        python.arg("-B").arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(program));
        python
    };
    let mut probe = Command::new("/usr/bin/python3");
    if !probe.args(["-c", "import botan2"]).output().is_ok_and(|output| output.status.success()) {
        eprintln!("SKIPPED, not tested: python3-botan is missing");
        return;
    }
    let made = output_of(python("store/import_keys.py").arg("6"), "");
    to_and_fro("XMSS-SHA2_10_256", &made, python("xmss/botan.py").arg("verify"));
}
