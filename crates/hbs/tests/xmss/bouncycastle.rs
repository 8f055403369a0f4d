//! BouncyCastle, live: each side accepts the other's signatures and refuses mutated ones; its keys, with the
//! older derivation, sign the same here.

use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

use hashlanes_hbs::hazmat::{Derivation, KeyGeneration};
use hashlanes_hbs::{ParameterSet, VerifyingKey};

use crate::live::{bytes_of, hex, output_of};

const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/xmss/BouncyCastle.java");
/// The path in Debian's `libbcprov-java`.
const LIBRARY: &str = "/usr/share/java/bcprov.jar";

/// Sets, with their heights and layers in the program's arguments.
const SETS: [(&str, [&str; 2]); 2] =
    [("XMSS-SHA2_10_256", ["10", "1"]), ("XMSSMT-SHA2_20/4_256", ["20", "4"])];

/// Returns the program, which Java compiles at its start, if Java and the library are installed.
fn program(what: &str, shape: [&str; 2]) -> Option<Command> {
    let is_here = Command::new("javac").arg("-version").output().is_ok_and(|output| output.status.success());
    if !is_here || !Path::new(LIBRARY).exists() {
        eprintln!("SKIPPED, not tested: there is no javac, or no libbcprov-java");
        return None;
    }
    let mut java = Command::new("java");
    java.args(["-cp", LIBRARY, PROGRAM, what]).args(shape);
    Some(java)
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn bouncycastles_signatures_are_valid_here_and_its_keys_sign_here() {
    let messages = ["first", "second", "third"];
    for (name, shape) in SETS {
        let set: ParameterSet = name.parse().unwrap();
        let Some(mut java) = program("sign", shape) else { return };
        let output = output_of(java.args(messages), "");
        let mut lines = output.lines().map(bytes_of);
        let (seeds, public) = (lines.next().unwrap(), lines.next().unwrap());
        let public = VerifyingKey::from_bytes(set.scheme(), &public).unwrap();
        assert_eq!(public.set(), set);
        let generation = KeyGeneration::new(set, &seeds).unwrap().derivation(Derivation::Legacy).unwrap();
        let mut imported = generation.expecting_root(public.root()).run().unwrap();

        let signatures: Vec<Vec<u8>> = lines.collect();
        assert_eq!(signatures.len(), messages.len());
        for (message, signature) in messages.into_iter().zip(&signatures) {
            assert_eq!(public.verify(message.as_bytes(), signature), Ok(()), "{name}, {message}");
            assert!(public.verify(b"another", signature).is_err());
            let mut mutated = signature.clone();
            mutated[signature.len() / 2] ^= 1;
            assert!(public.verify(message.as_bytes(), &mutated).is_err(), "{name}, {message}");
            assert_eq!(
                imported.try_sign(message.as_bytes()).unwrap().as_ref(),
                signature,
                "{name}, {message}"
            );
        }
    }
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn our_signatures_are_valid_at_bouncycastles() {
    for (name, shape) in SETS {
        let set: ParameterSet = name.parse().unwrap();
        let Some(mut java) = program("verify", shape) else { return };
        let seeds: Vec<u8> = (0..96_u8).map(|i| i.wrapping_mul(41)).collect();
        let mut key = KeyGeneration::new(set, &seeds).unwrap().run().unwrap();
        let raw = hex(key.verifying_key().to_bytes());
        let (mut input, mut expected) = (String::new(), Vec::new());
        for index in [0, 1, 31, 32, set.signatures() - 1] {
            key.advance_to(index).unwrap();
            let signature = key.try_sign(format!("message-{index}").as_bytes()).unwrap();
            let mut mutated = signature.as_ref().to_vec();
            *mutated.last_mut().unwrap() ^= 0x80;
            for (message, signature, is_valid) in [
                (index, signature.as_ref(), "true"),
                (index + 1, signature.as_ref(), "false"),
                (index, &mutated, "false"),
            ] {
                writeln!(input, "{raw} message-{message} {}", hex(signature)).unwrap();
                expected.push(is_valid);
            }
        }
        assert_eq!(output_of(&mut java, &input).lines().collect::<Vec<_>>(), expected, "{name}");
    }
}
