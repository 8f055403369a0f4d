//! Certificates, requests and messages of CMS: written and verified; and exchanged with OpenSSL and
//! BouncyCastle.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::keys::{done, next_of, result_of, text, with_key_of};
use crate::scene::Scene;

const SLH_DSA: &str = "SLH-DSA-SHA2-128f";
const LMS: &str = "LMS_SHA256_M24_H5_W4";
const HSS: &str = "LMS_SHA256_M32_H5_W8/LMS_SHA256_M32_H5_W8";

#[test]
fn messages_are_signed_and_verified() {
    for set in [SLH_DSA, LMS, HSS] {
        let scene = with_key_of(set);
        done(&scene, "key certificate key --subject CN=Release -o key.crt");
        done(&scene, "sign -k key --format cms a b");
        assert_eq!(done(&scene, "verify -k key a b"), "a: OK (CMS)\nb: OK (CMS)\n", "{set}");
        assert_eq!(done(&scene, "verify -k key.crt a"), "a: OK (CMS)\n", "{set}");
        let json: serde_json::Value = serde_json::from_str(&done(&scene, "verify -k key --json a")).unwrap();
        assert_eq!((&json[0]["format"], &json[0]["signature"]), (&"cms".into(), &"a.p7s".into()));

        // With the content, and with a certificate.
        done(&scene, "sign -k key --format cms --attached --certificate key.crt a");
        assert!(fs::read(scene.join("a.p7m")).unwrap().windows(12).any(|window| window == b"content of a"));
        assert_eq!(done(&scene, "verify -k key -s a.p7m a"), "a: OK (CMS)\n", "{set}");
        // A raw signature next to it goes first.
        done(&scene, "sign -k key a");
        assert_eq!(done(&scene, "verify -k key a"), "a: OK\n", "{set}");
        let json: serde_json::Value = serde_json::from_str(&done(&scene, "verify -k key --json a")).unwrap();
        assert_eq!(json[0]["format"], "raw");

        // Another file; another key; another content in the message.
        for args in ["verify -k key -s b.p7s a", "verify -k other -s b.p7s b", "verify -k key -s a.p7m b"] {
            if !scene.join("other").exists() {
                done(&scene, &format!("keygen --scheme {set} --out other"));
            }
            let (out, err, status) = result_of(&scene, args);
            assert!(out.ends_with(": FAILED\n") && status == 1, "{args}: {out}{err}");
        }
        let mut message = fs::read(scene.join("a.p7m")).unwrap();
        let at = message.windows(12).position(|window| window == b"content of a").unwrap();
        message[at] ^= 1;
        fs::write(scene.join("changed"), message).unwrap();
        assert_eq!(result_of(&scene, "verify -k key -s changed a").2, 1, "{set}");
    }
}

#[test]
fn malformed_and_unsuitable_messages_are_refused_with_the_reason() {
    let scene = with_key_of(LMS);
    done(&scene, "sign -k key --format cms a");
    let message = fs::read(scene.join("a.p7s")).unwrap();
    fs::write(scene.join("cut"), &message[..500]).unwrap();
    let refused = |args: &str, status: i32, words: &str| {
        let (_, err, found) = result_of(&scene, args);
        assert!(found == status && err.contains(words), "{args}: {found} {err}");
    };
    refused("verify -k key -s cut a", 1, "CMS: ContentInfo: has");
    let algorithm = [6, 11, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 9, 16, 3, 17];
    let at = message.windows(13).rposition(|window| window == algorithm).unwrap();
    let mut other = message.clone();
    other[at + 12] = 18;
    fs::write(scene.join("other"), other).unwrap();
    refused("verify -k key -s other a", 1, "no signature by an algorithm of this key");
    fs::write(scene.join("pem"), "-----BEGIN CMS-----\n!\n-----END CMS-----\n").unwrap();
    refused("verify -k key -s pem a", 1, "CMS: PEM: ");

    let next = next_of(&scene, "key");
    refused("sign -k key --attached b", 2, "--attached requires --format cms");
    refused("sign -k key --certificate c b", 2, "--certificate requires --format cms");
    refused("sign -k key --format cms --context c b", 2, "messages of CMS have neither");
    refused("sign -k key --format cms --certificate missing b", 2, "cannot read the certificate");
    refused("key certificate key --subject Release", 2, "has no \"=\"");
    done(&scene, &format!("keygen --scheme {LMS} --out second"));
    done(&scene, "key certificate second --subject CN=Second -o second.crt");
    refused("sign -k key --format cms --certificate second.crt b", 2, "contains another public key");
    refused("key certificate key --subject CN=Second -o second.crt", 1, "exists already; nothing was signed");
    assert_eq!(next_of(&scene, "key"), next);
    done(&scene, "keygen --scheme XMSSMT-SHA2_20/4_256 --out xmss");
    refused("sign -k xmss --format cms b", 2, "no standard has signed messages of XMSS^MT");
    done(&scene, "key certificate xmss --subject CN=XMSS -o xmss.crt");
    done(&scene, "sign -k xmss b");
    assert_eq!(done(&scene, "verify -k xmss.crt b"), "b: OK\n");
}

/// The directory into which `cargo xtask test` unpacks OpenSSL 3.5 and BouncyCastle 1.80 of Debian.
fn newer() -> Option<PathBuf> {
    let directory = std::env::var_os("HASHLANES_NEWER").map(PathBuf::from);
    if directory.is_none() {
        eprintln!(
            "SKIPPED, not tested: HASHLANES_NEWER is not set; cargo xtask test --slow --only pki sets it"
        );
    }
    directory
}

fn openssl(newer: &Path, scene: &Scene, args: &str) -> (bool, String) {
    let libraries = newer.join("usr/lib/x86_64-linux-gnu");
    let mut command = Command::new(libraries.join("ld-linux-x86-64.so.2"));
    command.arg("--library-path").arg(&libraries).arg(newer.join("usr/bin/openssl"));
    command.env("OPENSSL_CONF", "/dev/null").env("OPENSSL_MODULES", libraries.join("ossl-modules"));
    let output = command.args(args.split_whitespace()).current_dir(&scene.path).output().unwrap();
    (output.status.success(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

#[test]
#[ignore = "long: cargo xtask test --slow --only pki"]
fn openssl_reads_keys_certificates_and_signatures() {
    let Some(newer) = newer() else { return };
    for set in ["SLH-DSA-SHA2-128s", "SLH-DSA-SHA2-192f", "SLH-DSA-SHAKE-128f", "SLH-DSA-SHAKE-256f"] {
        let scene = with_key_of(set);
        let openssl = |args: &str| openssl(&newer, &scene, args);
        done(&scene, "key certificate key --subject CN=Release,C=CH --authority -o key.crt");
        done(&scene, "key request key --subject CN=Release -o key.csr");
        done(&scene, "sign -k key a");
        for args in [
            "pkey -in key/private.pem -noout -check",
            "verify -check_ss_sig -CAfile key.crt key.crt",
            "req -in key.csr -noout -verify",
            "pkeyutl -verify -rawin -in a -sigfile a.sig -pubin -inkey key/public.pem",
        ] {
            let (is_done, out) = openssl(args);
            assert!(is_done, "{set}: {args}: {out}");
        }
        // The other direction: its keys sign and verify here.
        let (is_done, out) = openssl(&format!("genpkey -algorithm {set} -out theirs.pem"));
        assert!(is_done, "{out}");
        openssl("pkey -in theirs.pem -pubout -out theirs.pub");
        openssl("pkeyutl -sign -rawin -in b -inkey theirs.pem -out b.sig");
        assert_eq!(done(&scene, "verify -k theirs.pub b"), "b: OK\n", "{set}");
        done(&scene, "sign -k theirs.pem a -o theirs.sig");
        let (is_done, out) =
            openssl("pkeyutl -verify -rawin -in a -sigfile theirs.sig -pubin -inkey theirs.pub");
        assert!(is_done, "{set}: {out}");
        let context = "pkeyutl -sign -rawin -in b -inkey theirs.pem -pkeyopt context-string:use -out c.sig";
        assert!(openssl(context).0);
        assert_eq!(done(&scene, "verify -k theirs.pub --context use -s c.sig b"), "b: OK\n", "{set}");
        // A changed signature.
        let mut changed = fs::read(scene.join("a.sig")).unwrap();
        changed[100] ^= 1;
        fs::write(scene.join("a.sig"), changed).unwrap();
        assert!(!openssl("pkeyutl -verify -rawin -in a -sigfile a.sig -pubin -inkey key/public.pem").0);
        // Messages of CMS. OpenSSL 3.5 does not sign them with keys of SLH-DSA.
        done(&scene, "sign -k key --format cms --certificate key.crt b");
        let verify =
            "cms -verify -binary -inform DER -in b.p7s -CAfile key.crt -purpose any -out /dev/null -content";
        let (is_done, out) = openssl(&format!("{verify} b"));
        assert!(is_done, "{set}: {out}");
        assert!(!openssl(&format!("{verify} a")).0, "{set}");
    }
}

#[test]
#[ignore = "long: cargo xtask test --slow --only pki"]
fn bouncycastle_reads_certificates_requests_and_messages() {
    let Some(newer) = newer() else { return };
    let jars = ["bcprov", "bcpkix", "bcutil"].map(|jar| newer.join(format!("usr/share/java/{jar}.jar")));
    let class_path = std::env::join_paths(jars).unwrap();
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/program/BouncyCastlePki.java");
    for set in
        ["SLH-DSA-SHA2-128f", "SLH-DSA-SHAKE-192f", "SLH-DSA-SHA2-256f", "LMS_SHA256_M32_H5_W4", HSS, LMS]
    {
        let scene = with_key_of(set);
        done(&scene, "key certificate key --subject CN=Release,C=CH -o key.crt");
        done(&scene, "key request key --subject CN=Release -o key.csr");
        done(&scene, "sign -k key --format cms a");
        done(&scene, "sign -k key --format cms --attached --certificate key.crt a");
        let mut java = Command::new("java");
        java.arg("-cp").arg(&class_path).args([program, set]).current_dir(&scene.path);
        let output = java.output().unwrap();
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{set}: {out}{err}");
        assert_eq!(
            out, "certificate: true\nrequest: true\ndetached: true\nchanged: false\nattached: true\n",
            "{set}: {err}"
        );
        // Its messages of its own key, with signed attributes and without.
        for message in ["theirs.p7s", "theirs-direct.p7s"] {
            assert_eq!(
                done(&scene, &format!("verify -k theirs.pub -s {message} a")),
                "a: OK (CMS)\n",
                "{set}"
            );
            assert_eq!(result_of(&scene, &format!("verify -k theirs.pub -s {message} b")).2, 1, "{set}");
        }
    }
}
