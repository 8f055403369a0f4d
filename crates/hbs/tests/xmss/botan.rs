//! Botan 2, live: each side accepts the other's signatures and refuses mutated ones.

use std::fmt::Write as _;
use std::process::Command;

use hashlanes_hbs::VerifyingKey;
use hashlanes_hbs::hazmat::KeyGeneration;

use crate::live::{bytes_of, hex, output_of};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/xmss/botan.py");

/// Returns Debian's own Python, which `python3-botan` is built for, if both are installed.
fn python() -> Option<Command> {
    let mut import = Command::new("/usr/bin/python3");
    let is_here = import.args(["-c", "import botan2"]).output().is_ok_and(|output| output.status.success());
    if !is_here {
        eprintln!("SKIPPED, not tested: there is no python3-botan");
        return None;
    }
    let mut python = Command::new("/usr/bin/python3");
    python.args(["-B", SCRIPT]);
    Some(python)
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn botans_signatures_are_valid_here() {
    let Some(mut python) = python() else { return };
    let messages = ["first", "second", "third"];
    let output = output_of(python.arg("sign").args(messages), "");
    let mut lines = output.lines();
    let key = VerifyingKey::from_spki_der(&bytes_of(lines.next().unwrap())).unwrap();
    assert_eq!(key.set().to_string(), "XMSS-SHA2_10_256");
    let signatures: Vec<Vec<u8>> = lines.map(bytes_of).collect();
    assert_eq!(signatures.len(), messages.len());
    for (message, signature) in messages.into_iter().zip(&signatures) {
        assert_eq!(key.verify(message.as_bytes(), signature), Ok(()), "{message}");
        assert!(key.verify(b"another", signature).is_err());
        let mut mutated = signature.clone();
        mutated[signature.len() / 2] ^= 1;
        assert!(key.verify(message.as_bytes(), &mutated).is_err(), "{message}");
    }
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn our_signatures_are_valid_at_botans() {
    let Some(mut python) = python() else { return };
    let seeds: Vec<u8> = (0..96_u8).map(|i| i.wrapping_mul(37)).collect();
    let mut key = KeyGeneration::new("XMSS-SHA2_10_256".parse().unwrap(), &seeds).unwrap().run().unwrap();
    let raw = hex(key.verifying_key().to_bytes());
    let (mut input, mut expected) = (String::new(), Vec::new());
    for index in [0, 1, 511, 512, 1023] {
        key.advance_to(index).unwrap();
        let signature = key.try_sign(format!("message-{index}").as_bytes()).unwrap();
        let mut mutated = signature.as_ref().to_vec();
        *mutated.last_mut().unwrap() ^= 0x80;
        for (message, signature, is_valid) in [
            (index, signature.as_ref(), "True"),
            (index + 1, signature.as_ref(), "False"),
            (index, &mutated, "False"),
        ] {
            writeln!(input, "{raw} message-{message} {}", hex(signature)).unwrap();
            expected.push(is_valid);
        }
    }
    assert_eq!(output_of(python.arg("verify"), &input).lines().collect::<Vec<_>>(), expected);
}
