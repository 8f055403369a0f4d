//! Keys of LMS and HSS: `keygen`, `sign`, `verify` and `key`.

use hashlanes_testkit::vectors;

use crate::keys::{done, result_of, with_key_of};
use crate::scene::Scene;

const SET: &str = "LMS_SHA256_M24_H5_W4";
const LEVELS: &str = "LMS_SHA256_M32_H5_W4/LMS_SHA256_M32_H5_W8";

fn json(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn files_are_signed_and_verified() {
    for (set, signatures, bytes) in [(SET, 32, 1384), (LEVELS, 1024, 3700)] {
        let scene = with_key_of(set);
        assert_eq!(done(&scene, "sign --key key a b"), "a: signed with index 0\nb: signed with index 1\n");
        assert_eq!(std::fs::read(scene.join("a.sig")).unwrap().len(), bytes, "{set}");
        assert_eq!(done(&scene, "verify --key key a b"), "a: OK\nb: OK\n");
        assert_eq!(done(&scene, "verify --key key/public.pem --scheme HSS a"), "a: OK\n");
        assert_eq!(done(&scene, &format!("verify --key key --scheme {set} a")), "a: OK\n");
        let verdict = json(&done(&scene, "verify --key key --json b"));
        assert_eq!((&verdict[0]["index"], &verdict[0]["valid"]), (&1.into(), &true.into()));
        let signed = json(&done(&scene, "sign --key key --force --json a"));
        let expected = serde_json::json!([{"name": "a", "signature": "a.sig", "set": set, "index": 2}]);
        assert_eq!(signed, expected);
        let status = json(&done(&scene, "key status --json key"));
        assert_eq!(
            (&status["set"], &status["next"], &status["left"]),
            (&set.into(), &3.into(), &(signatures - 3).into())
        );

        // Raw and in DER.
        for format in ["raw", "der"] {
            done(&scene, &format!("key export-public --format {format} --output public.{format} key"));
            assert_eq!(done(&scene, &format!("verify --key public.{format} a")), "a: OK\n", "{set}");
        }

        // Signatures of another file, of a changed one, of another key.
        let (out, err, status) = result_of(&scene, "verify --key key --signature b.sig a");
        assert_eq!((&out[..], status), ("a: FAILED\n", 1), "{err}");
        scene.file(b"a", b"content of A");
        assert_eq!(result_of(&scene, "verify --key key a b").0, "a: FAILED\nb: OK\n");
        done(&scene, &format!("keygen --scheme {set} --out other"));
        assert_eq!(result_of(&scene, "verify --key other b").2, 1);
        std::fs::write(scene.join("b.sig"), [0; 100]).unwrap();
        assert_eq!(result_of(&scene, "verify --key key b").2, 1);
    }
}

#[test]
fn a_key_is_advanced_split_adopted_and_exhausted() {
    let scene = with_key_of(SET);
    done(&scene, "key advance --to 3 key");
    done(&scene, "key split --count 4 --out part key");
    assert_eq!(done(&scene, "sign --key part a"), "a: signed with index 3\n");
    assert_eq!(done(&scene, "sign --key key b"), "b: signed with index 7\n");
    done(&scene, "verify --key key a b");
    std::fs::rename(scene.join("key"), scene.join("moved")).unwrap();
    done(&scene, "sign --key moved --force b");
    done(&scene, "key advance --to 31 --yes moved");
    done(&scene, "sign --key moved --force b");
    let (_, err, status) = result_of(&scene, "sign --key moved --force b");
    assert_ne!(status, 0);
    assert!(err.contains("exhausted"), "{err}");
    done(&scene, "key log --check moved");
}

#[test]
fn a_key_of_given_seeds_is_bouncycastles() {
    let scene = Scene::new();
    scene.file(b"message", b"BouncyCastle");
    for vector in vectors::lms_signatures() {
        let n = if vector.set.contains("M32") { 32 } else { 24 };
        scene.file(b"seeds", &(0..n + 16).collect::<Vec<u8>>());
        let _ = std::fs::remove_dir_all(scene.join("key"));
        done(&scene, &format!("keygen --scheme {} --seeds seeds --out key", vector.set));
        done(&scene, "key export-public --format raw --output public key");
        assert_eq!(std::fs::read(scene.join("public")).unwrap(), vector.public_key, "{}", vector.set);
        std::fs::remove_file(scene.join("public")).unwrap();
        if vector.index > 0 {
            done(&scene, &format!("key advance --to {} --yes key", vector.index));
        }
        done(&scene, "sign --key key --force message");
        let signature = std::fs::read(scene.join("message.sig")).unwrap();
        assert_eq!(hashlanes::sha256(&signature)[..], vector.digest, "{}", vector.set);
    }
}

#[test]
fn wrong_names_and_keys_are_refused_with_the_reason() {
    let scene = with_key_of(SET);
    let refused = |args: &str, words: &str| {
        let (_, err, status) = result_of(&scene, args);
        assert_eq!(status, 2, "{args}: {err}");
        assert!(err.contains(words), "{args}: {err}");
    };
    refused("keygen --scheme LMS_SHA256_M24_H6_W4 --out other", "LMS_SHA256_M24_H5_W4");
    refused("keygen --scheme LMS_SHA256_M24_H5_W4/LMS_SHA256_M32_H5_W4 --out other", "different hashes");
    refused("keygen --scheme LMS_SHA256_M24_H5_W4/LMS_X --out other", "unknown parameter set");
    refused("verify --key key --scheme SLH-DSA a", "its parameter set is LMS_SHA256_M24_H5_W4, not SLH-DSA");
    refused("verify --key key --scheme LMS_SHA256_M24_H5_W8 a", "not LMS_SHA256_M24_H5_W8");
    refused("keygen --scheme LMS_SHA256_M24_H5_W4 --out key", "");
    scene.file(b"seeds", &[1; 72]);
    refused("keygen --scheme LMS_SHA256_M24_H5_W4 --seeds seeds --out other", "72 bytes instead of 40");
}
