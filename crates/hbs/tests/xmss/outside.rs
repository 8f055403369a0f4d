//! Other implementations' keys and signatures, and mutations of them.

use hashlanes_hbs::hazmat::{Derivation, KeyGeneration, SigningKey};
use hashlanes_hbs::{Error, HashFamily, ParameterSet, Scheme, VerifyingKey};
use hashlanes_sha::sha256;
use hashlanes_testkit::vectors::{self, XmssOp, XmssSignatureVector, XmssVector};

/// Trees of this height are built in every run; higher ones only in the long tests.
const SHORT: u32 = 10;

fn scheme(name: &str) -> Scheme {
    if name.starts_with("XMSSMT") { Scheme::XmssMt } else { Scheme::Xmss }
}

fn verifying_key(vector: &XmssVector) -> VerifyingKey {
    VerifyingKey::from_bytes(scheme(&vector.name), &vector.public_key).unwrap()
}

fn signing_key(vector: &XmssVector) -> Option<SigningKey> {
    let set: ParameterSet = vector.name.parse().unwrap();
    let derivation = match vector.derivation.as_deref() {
        Some("sp800-208") => Derivation::Sp800_208,
        Some("legacy") => Derivation::Legacy,
        _ => return None,
    };
    let generation = KeyGeneration::new(set, vector.seeds.as_ref()?).unwrap().derivation(derivation).unwrap();
    Some(generation.run().unwrap())
}

fn over_sha2(vector: &XmssVector) -> bool {
    vector.name.parse::<ParameterSet>().unwrap().hash() == HashFamily::Sha2
}

/// The key's signatures at the vector's indices.
fn same_signatures(vector: &XmssVector) {
    let Some(mut key) = signing_key(vector) else { return };
    let what = format!("{} {} {:?}", vector.origin, vector.name, vector.derivation);
    assert_eq!(key.verifying_key().to_bytes(), vector.public_key, "{what}");
    for XmssSignatureVector { index, message, sha256: expected, .. } in &vector.signatures {
        key.advance_to(*index).unwrap();
        let signature = key.try_sign(message).unwrap();
        assert_eq!(sha256(signature.as_ref())[..], expected[..], "{what}, index {index}");
    }
}

fn tree_height(vector: &XmssVector) -> u32 {
    vector.name.parse::<ParameterSet>().unwrap().tree_height()
}

#[test]
fn keys_and_signatures_are_the_same() {
    let of_sha2 =
        vectors::xmss().into_iter().filter(|vector| over_sha2(vector) && tree_height(vector) <= SHORT);
    assert!(of_sha2.inspect(same_signatures).count() >= 40);
}

#[test]
#[ignore = "long: cargo xtask test --slow"]
fn keys_and_signatures_of_high_trees_are_the_same() {
    let of_sha2 =
        vectors::xmss().into_iter().filter(|vector| over_sha2(vector) && tree_height(vector) > SHORT);
    assert!(of_sha2.inspect(same_signatures).count() >= 7);
}

#[test]
fn signatures_are_verified() {
    let mut n = 0;
    for vector in vectors::xmss().iter().filter(|vector| over_sha2(vector)) {
        for signature in &vector.signatures {
            if let Some(bytes) = &signature.signature {
                assert_eq!(sha256(bytes)[..], signature.sha256[..]);
                assert_eq!(
                    verifying_key(vector).verify(&signature.message, bytes),
                    Ok(()),
                    "{}",
                    vector.name
                );
                n += 1;
            }
        }
    }
    assert!(n >= 20, "{n} signatures");
}

#[test]
fn an_implementation_with_other_prefixes_is_refused() {
    for vector in vectors::xmss_nonconforming() {
        for signature in &vector.signatures {
            let bytes = signature.signature.as_ref().unwrap();
            let key = verifying_key(&vector);
            assert_eq!(key.verify(&signature.message, bytes), Err(Error::Invalid), "{}", vector.name);
        }
    }
}

#[test]
fn sets_over_shake_are_known_and_refused() {
    let mut n = 0;
    for vector in vectors::xmss().iter().filter(|vector| !over_sha2(vector)) {
        let set: ParameterSet = vector.name.parse().unwrap();
        let expected = Err(Error::Shake(set));
        assert_eq!(
            VerifyingKey::from_bytes(scheme(&vector.name), &vector.public_key),
            expected,
            "{}",
            vector.name
        );
        n += 1;
    }
    assert!(n > 20);
    let shake: ParameterSet = "XMSS-SHAKE_10_256".parse().unwrap();
    let error = KeyGeneration::new(shake, &[0; 96]).map(drop).unwrap_err();
    assert_eq!(
        error.to_string(),
        "XMSS-SHAKE_10_256: sets over SHAKE are not supported, those over SHA-2 are"
    );
}

/// A valid signature of a set: from a vector, or computed from a vector's seeds.
fn valid(name: &str) -> (Vec<u8>, Vec<u8>, Vec<u8>) {
    let all = vectors::xmss();
    let vector = all.iter().find(|vector| vector.name == name && !vector.signatures.is_empty()).unwrap();
    let first = &vector.signatures[0];
    let signature = first
        .signature
        .clone()
        .unwrap_or_else(|| signing_key(vector).unwrap().try_sign(&first.message).unwrap().as_ref().to_vec());
    (vector.public_key.clone(), first.message.clone(), signature)
}

#[test]
fn every_mutation_is_refused() {
    let bytes = |hex: &str| -> Vec<u8> {
        (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[2 * i..2 * i + 2], 16).unwrap()).collect()
    };
    let mut n = 0;
    for base in vectors::xmss_mutations() {
        let set: ParameterSet = base.base.parse().unwrap();
        let (public_key, message, signature) = valid(&base.base);
        let key = VerifyingKey::from_bytes(set.scheme(), &public_key).unwrap();
        assert_eq!(key.verify(&message, &signature), Ok(()));
        for mutation in base.mutations {
            let (mut public_key, mut message, mut signature) =
                (public_key.clone(), message.clone(), signature.clone());
            match &mutation.op {
                XmssOp::Xor { offset, xor } => signature[*offset] ^= xor,
                XmssOp::SetIdx { value } => {
                    let index = value.to_be_bytes();
                    signature[..set.index_bytes()].copy_from_slice(&index[8 - set.index_bytes()..]);
                }
                XmssOp::Truncate { bytes } => signature.truncate(signature.len() - bytes),
                XmssOp::Extend { hex } => signature.extend(bytes(hex)),
                XmssOp::Empty => signature.clear(),
                XmssOp::MsgXor { offset, xor } => message[*offset] ^= xor,
                XmssOp::MsgExtend { hex } => message.extend(bytes(hex)),
                XmssOp::PkXor { offset, xor } => public_key[*offset] ^= xor,
            }
            // A public key with another OID may be invalid.
            let result = VerifyingKey::from_bytes(set.scheme(), &public_key)
                .and_then(|key| key.verify(&message, &signature));
            let error = result.expect_err(&mutation.name);
            match &mutation.op {
                XmssOp::Truncate { .. } | XmssOp::Extend { .. } | XmssOp::Empty => {
                    let (given, expected) = (signature.len(), set.signature_bytes());
                    assert_eq!(error, Error::SignatureLength { given, expected });
                }
                XmssOp::SetIdx { value } if *value >= set.signatures() => {
                    assert_eq!(error, Error::Index { index: *value, signatures: set.signatures() });
                }
                _ => {}
            }
            n += 1;
        }
    }
    assert!(n >= 240, "{n} mutations");
}
