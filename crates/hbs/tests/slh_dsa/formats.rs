//! Keys in DER and PEM: keys of other implementations, byte for byte, and damaged ones.

use hashlanes_hbs::slh_dsa::{Error, SigningKey, VerifyingKey};
use hashlanes_testkit::vectors;

use crate::outside::set;

#[test]
fn keys_are_read_and_written_as_others_do() {
    let formats = vectors::slh_dsa_formats();
    for vector in &formats {
        let what = format!("{} {}", vector.origin, vector.set);
        let private = SigningKey::from_pkcs8_pem(&vector.pkcs8_pem).unwrap();
        let public = VerifyingKey::from_spki_pem(&vector.spki_pem).unwrap();
        assert_eq!(private.set(), set(&vector.set), "{what}");
        assert_eq!(private.verifying_key(), public, "{what}");
        assert_eq!(*private.to_pkcs8_pem(), vector.pkcs8_pem.replace("\r\n", "\n"), "{what}");
        assert_eq!(public.to_spki_pem(), vector.spki_pem.replace("\r\n", "\n"), "{what}");
        if let Some(der) = &vector.hash_spki_der {
            assert_eq!(VerifyingKey::from_spki_der(der).unwrap(), public, "{what}");
        }
    }
    assert_eq!(formats.len(), 24);
}

#[test]
fn damaged_keys_are_refused() {
    let set = set("SLH-DSA-SHA2-128f");
    let private = SigningKey::from_seeds(set, &[3; 48]).unwrap();
    let (der, spki) = (private.to_pkcs8_der(), private.verifying_key().to_spki_der());
    for cut in 0..der.len() {
        assert!(SigningKey::from_pkcs8_der(&der[..cut]).is_err(), "{cut} bytes");
    }
    for cut in 0..spki.len() {
        assert!(VerifyingKey::from_spki_der(&spki[..cut]).is_err(), "{cut} bytes");
    }
    // The algorithm's last number: first another set, whose keys have another length; then an unknown set.
    let changed = |at: usize, to: u8| {
        let mut changed = der.to_vec();
        changed[at] = to;
        SigningKey::from_pkcs8_der(&changed).unwrap_err()
    };
    assert_eq!(der[17], 21);
    assert_eq!(changed(17, 23), Error::PrivateKeyLength { given: 64, expected: 96 });
    assert_eq!(changed(17, 19).to_string(), "key: algorithm 2.16.840.1.101.3.4.3.19; expected SLH-DSA");
    assert_eq!(changed(4, 2).to_string(), "key: PKCS#8 version 2; expected 0 or 1");
    let error = VerifyingKey::from_spki_pem(&private.to_pkcs8_pem()).unwrap_err();
    assert_eq!(error.to_string(), r#"key: PEM of "PRIVATE KEY"; expected "PUBLIC KEY""#);

    let mut bytes = private.as_bytes().to_vec();
    assert_eq!(SigningKey::from_bytes(set, &bytes).unwrap().check(), Ok(()));
    bytes[63] ^= 1;
    assert_eq!(SigningKey::from_bytes(set, &bytes).unwrap().check(), Err(Error::OtherRoot));
}
