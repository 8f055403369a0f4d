//! Names, OIDs, sizes; raw keys and SubjectPublicKeyInfo.

use hashlanes_hbs::{Error, ParameterSet, Scheme, VerifyingKey};
use hashlanes_testkit::vectors;

#[test]
fn a_set_has_one_name_and_one_oid() {
    let all: Vec<_> = ParameterSet::all().collect();
    assert_eq!(all.len(), 77);
    for set in all {
        assert_eq!(set.to_string().parse(), Ok(set));
        assert_eq!(ParameterSet::from_oid(set.scheme(), set.oid().unwrap()), Ok(set));
    }
    for (name, oid, bytes) in [
        ("XMSS-SHA2_10_256", 1, 2500),
        ("XMSS-SHA2_20_512", 6, 9732),
        ("XMSS-SHAKE256_20_192", 21, 1732),
        ("XMSSMT-SHA2_60/12_256", 8, 27688),
        ("XMSSMT-SHA2_20/2_192", 33, 2955),
        ("XMSSMT-SHAKE256_60/12_192", 56, 16160),
    ] {
        let set: ParameterSet = name.parse().unwrap();
        assert_eq!(set.oid(), Some(oid), "{name}");
        assert_eq!(set.signature_bytes(), bytes, "{name}");
    }
    let none = ParameterSet::from_oid(Scheme::Xmss, 22).unwrap_err();
    assert_eq!(none.to_string(), "XMSS has no parameter set of OID 0x00000016");
    assert!("XMSS-SHA2_11_256".parse::<ParameterSet>().is_err());
}

#[test]
fn another_implementations_older_encoding_is_read_and_the_newer_written() {
    for vector in vectors::xmss_spki() {
        let key = VerifyingKey::from_spki_pem(&vector.pem).unwrap();
        assert_eq!(key.to_bytes(), vector.public_key);
        let der = key.to_spki_der();
        // SEQUENCE { SEQUENCE { OID 1.3.6.1.5.5.7.6.34 }, BIT STRING { 00, key } }
        assert_eq!(der[..14], [0x30, 83, 0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 6, 34]);
        assert_eq!(der[14..17], [3, 69, 0]);
        assert_eq!(der[17..], vector.public_key);
        assert_eq!(VerifyingKey::from_spki_der(&der), Ok(key));
    }
}

#[test]
fn a_wrong_encoding_is_named() {
    let raw = [&[0, 0, 0, 1][..], &[7; 64]].concat();
    let key = VerifyingKey::from_bytes(Scheme::Xmss, &raw).unwrap();
    let message = |bytes: &[u8]| VerifyingKey::from_bytes(Scheme::Xmss, bytes).unwrap_err().to_string();
    assert_eq!(message(&raw[..67]), "public key: 67 bytes instead of 68");
    assert_eq!(message(&raw[..3]), "public key: 3 bytes instead of 52");
    assert_eq!(
        message(&[&[0, 0, 0, 99][..], &[7; 64]].concat()),
        "XMSS has no parameter set of OID 0x00000063"
    );

    let der = key.to_spki_der();
    let message = |der: &[u8]| match VerifyingKey::from_spki_der(der) {
        Err(Error::Spki(text)) => text,
        other => panic!("{other:?}"),
    };
    let mut other = der.clone();
    other[13] = 36;
    assert_eq!(message(&other), "1.3.6.1.5.5.7.6.36 is neither XMSS nor XMSS^MT");
    for length in 0..der.len() {
        message(&der[..length]);
    }
    // The same key as one of XMSS^MT.
    other[13] = 35;
    let as_mt = VerifyingKey::from_spki_der(&other).unwrap();
    assert_eq!(as_mt.set().to_string(), "XMSSMT-SHA2_20/2_256");
    // With parameters: NULL.
    let with_null = [&[0x30, 85, 0x30, 12][..], &der[4..14], &[5, 0], &der[14..]].concat();
    assert_eq!(message(&with_null), "the algorithm has parameters");
    let pem = key.to_spki_pem().replace("PUBLIC KEY", "CERTIFICATE");
    assert!(VerifyingKey::from_spki_pem(&pem).unwrap_err().to_string().contains("CERTIFICATE"));
}

#[cfg(feature = "signature")]
#[test]
fn the_traits_of_the_field_serve_the_same() {
    use hashlanes_hbs::Signature;
    use signature::{SignatureEncoding, Verifier};
    use spki::{DecodePublicKey, EncodePublicKey};

    let vectors = vectors::xmss();
    let vector = vectors.iter().find(|v| v.signatures.iter().any(|s| s.signature.is_some())).unwrap();
    let scheme = vector.name.parse::<ParameterSet>().unwrap().scheme();
    let key = VerifyingKey::from_bytes(scheme, &vector.public_key).unwrap();
    let signature = Signature::from(&vector.signatures[0].signature.as_ref().unwrap()[..]);
    assert_eq!(signature.to_vec(), *vector.signatures[0].signature.as_ref().unwrap());
    assert!(Verifier::verify(&key, &vector.signatures[0].message, &signature).is_ok());
    assert!(Verifier::verify(&key, b"another", &signature).is_err());
    let der = key.to_public_key_der().unwrap();
    assert_eq!(VerifyingKey::from_public_key_der(der.as_bytes()).unwrap(), key);
}

/// A key that counts signatures with `&mut` only: it implements the trait `SignerMut`, and an exhausted key
/// returns an error.
#[cfg(feature = "signature")]
#[test]
fn a_key_signs_by_the_trait() {
    use hashlanes_hbs::Signature;
    use hashlanes_hbs::hazmat::KeyGeneration;
    use signature::{Keypair, SignerMut, Verifier};

    fn sign_all<K: SignerMut<Signature> + Keypair<VerifyingKey: Verifier<Signature>>>(key: &mut K, n: usize) {
        for _ in 0..n {
            let signature = key.sign(b"message");
            key.verifying_key().verify(b"message", &signature).unwrap();
        }
        let error = key.try_sign(b"message").unwrap_err();
        assert!(std::error::Error::source(&error).is_some());
    }
    let set = ParameterSet::of_height(Scheme::Xmss, 32, 3, 1);
    let mut key = KeyGeneration::new(set, &[5; 96]).unwrap().run().unwrap();
    sign_all(&mut key, 8);
}
