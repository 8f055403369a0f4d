//! Keys without a state: `keygen`, `sign` and `verify` of SLH-DSA.

use std::os::unix::fs::{FileExt, MetadataExt};
use std::time::Duration;

use hashlanes::hbs::slh_dsa::{Digest, Message, PreHash};
use hashlanes_testkit::vectors;

use crate::keys::{done, result_of, with_key_of};
use crate::scene::Scene;

const SET: &str = "SLH-DSA-SHA2-128f";

#[test]
fn files_are_signed_and_verified() {
    let scene = with_key_of(SET);
    assert_eq!(done(&scene, "sign --key key a b"), "a: signed\nb: signed\n");
    assert_eq!(std::fs::read(scene.join("a.sig")).unwrap().len(), 17088);
    assert_eq!(done(&scene, "verify --key key a b"), "a: OK\nb: OK\n");
    assert_eq!(done(&scene, "verify --key key/public.pem --scheme SLH-DSA a"), "a: OK\n");
    assert_eq!(done(&scene, &format!("verify --key key --scheme {SET} a")), "a: OK\n");
    let json: serde_json::Value = serde_json::from_str(&done(&scene, "verify --key key --json a")).unwrap();
    assert_eq!(json[0]["set"], SET);
    assert_eq!((&json[0]["valid"], json[0].get("index")), (&true.into(), None));

    // The private key may be anywhere, and signs like its directory.
    std::fs::copy(scene.join("key/private.pem"), scene.join("copy.pem")).unwrap();
    let json = done(&scene, "sign --key copy.pem --force --json a");
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json, serde_json::json!([{"name": "a", "signature": "a.sig", "set": SET}]));
    assert_eq!(done(&scene, "verify --key key a"), "a: OK\n");

    // Signatures of another file, of a changed one, of another key.
    let (out, err, status) = result_of(&scene, "verify --key key --signature b.sig a");
    assert_eq!((&out[..], status), ("a: FAILED\n", 1), "{err}");
    scene.file(b"a", b"content of A");
    assert_eq!(result_of(&scene, "verify --key key a b").0, "a: FAILED\nb: OK\n");
    done(&scene, &format!("keygen --scheme {SET} --out other"));
    assert_eq!(result_of(&scene, "verify --key other b").2, 1);
    std::fs::write(scene.join("b.sig"), [0; 17087]).unwrap();
    let (out, err, status) = result_of(&scene, "verify --key key b");
    assert_eq!((&out[..], status), ("b: FAILED\n", 1));
    assert!(err.contains("17087 bytes instead of 17088"), "{err}");
}

#[test]
fn contexts_and_pre_hashes_keep_signatures_apart() {
    let scene = with_key_of(SET);
    let forms =
        ["", " --context firmware", " --pre-hash SHA2-256", " --pre-hash SHAKE-128 --context firmware"];
    for signed in forms {
        done(&scene, &format!("sign --force --key key a{signed}"));
        for verified in forms {
            let (_, err, status) = result_of(&scene, &format!("verify --key key a{verified}"));
            assert_eq!(status, i32::from(signed != verified), "{signed:?}, {verified:?}: {err}");
        }
    }
    // The encodings of the standard.
    let key = std::fs::read_to_string(scene.join("key/public.pem")).unwrap();
    let key = hashlanes::hbs::slh_dsa::VerifyingKey::from_spki_pem(&key).unwrap();
    let digest = Digest::of(PreHash::Shake128, b"content of a");
    let message = Message::of_digest(digest).with_context(b"firmware").unwrap();
    assert_eq!(key.verify(&message, &std::fs::read(scene.join("a.sig")).unwrap()), Ok(()));

    let long = "x".repeat(256);
    let refused = |args: &str, words: &str| {
        let (_, err, status) = result_of(&scene, args);
        assert!(status == 2 && err.contains(words), "{args}: {status} {err}");
    };
    refused(&format!("sign --key key b --context {long}"), "256 bytes; expected 255 at most");
    refused("sign --key key b --pre-hash MD5", "SHA2-256");
    done(&scene, "keygen --scheme LMS_SHA256_M24_H5_W4 --out counted");
    refused("sign --key counted b --context text", "--context is for keys of SLH-DSA");
    refused("verify --key counted b --pre-hash SHA2-256", "--pre-hash is for keys of SLH-DSA");
}

#[test]
fn keys_are_private_and_not_written_over() {
    let scene = with_key_of(SET);
    let mode = |name: &str| scene.join(name).metadata().unwrap().mode() & 0o777;
    assert_eq!([mode("key"), mode("key/private.pem"), mode("key/public.pem")], [0o700, 0o400, 0o644]);
    let before = std::fs::read(scene.join("key/private.pem")).unwrap();
    let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out key"));
    assert_eq!(status, 2);
    assert!(err.contains("exists already"), "{err}");
    assert_eq!(std::fs::read(scene.join("key/private.pem")).unwrap(), before);
    let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out other --witness w"));
    assert_eq!(status, 2);
    assert!(err.contains("--witness is for keys with a state"), "{err}");
    assert!(!scene.join("other").exists());
    // A signature is not written over without --force.
    done(&scene, "sign --key key a");
    assert_eq!(result_of(&scene, "sign --key key a").2, 1);
    assert_eq!(result_of(&scene, "sign --key key missing").2, 1);
    scene.file(b"text", b"no key");
    let (_, err, status) = result_of(&scene, "sign --key text a");
    assert_eq!(status, 2);
    assert!(err.contains("not a private key of SLH-DSA"), "{err}");
    let (_, err, status) = result_of(&scene, "verify --key key --scheme XMSS a");
    assert_eq!(status, 2);
    assert!(err.contains("its parameter set is SLH-DSA-SHA2-128f, not XMSS"), "{err}");
}

#[test]
fn seeds_give_the_key_of_other_implementations() {
    let scene = Scene::new();
    let vector = vectors::slh_dsa_keys().into_iter().find(|vector| vector.set == SET).unwrap();
    scene.file(b"seeds", &vector.private_key[..48]);
    done(&scene, &format!("keygen --scheme {SET} --out key --seeds seeds"));
    let pem = std::fs::read_to_string(scene.join("key/private.pem")).unwrap();
    let key = hashlanes::hbs::slh_dsa::SigningKey::from_pkcs8_pem(&pem).unwrap();
    assert_eq!(key.as_bytes(), vector.private_key);
    scene.file(b"seeds", &vector.private_key[..47]);
    let (_, err, status) = result_of(&scene, &format!("keygen --scheme {SET} --out other --seeds seeds"));
    assert_eq!(status, 2);
    assert!(err.contains("47 bytes instead of 48"), "{err}");
}

/// A signature is verified in a second reading of the file, before it is released.
#[test]
fn no_signature_of_a_file_that_changes_is_released() {
    let scene = with_key_of("SLH-DSA-SHA2-128s"); // It signs for much longer than a change takes.
    let file = std::fs::File::options().write(true).open(scene.join("a")).unwrap();
    let (out, err, status) = std::thread::scope(|threads| {
        let signing = threads.spawn(|| result_of(&scene, "sign --key key a"));
        for version in 0_u64.. {
            if signing.is_finished() {
                break;
            }
            file.write_all_at(&version.to_le_bytes(), 0).unwrap();
            std::thread::sleep(Duration::from_micros(100));
        }
        signing.join().expect("the program runs")
    });
    assert_eq!((&out[..], status), ("", 8), "{err}");
    assert!(err.contains("not released: the file changed meanwhile"), "{err}");
    assert!(!scene.join("a.sig").exists());
}
