//! Public keys, secret keys and encrypted secrets in every encoding: what is read is written the same, and
//! errors have words.

use std::fmt::Display;

use hashlanes::hbs::passphrase::{Passphrase, is_sealed};
use hashlanes::hbs::slh_dsa;
use hashlanes::hbs::{Scheme, VerifyingKey, lms, store};
use hashlanes_formats::public_key;

use crate::input::Input;

/// Runs the target.
pub fn run(data: &[u8]) {
    let mut input = Input::new(data);
    let kind = input.byte();
    let bytes = input.rest();
    match kind % 6 {
        0 => public(bytes),
        1 => raw(bytes),
        2 => secret(bytes),
        3 => imported(bytes),
        4 => names(bytes),
        _ => sealed(bytes),
    }
}

/// Returns the value, after a look at the error's words.
fn ok<T, E: Display>(result: Result<T, E>) -> Option<T> {
    result.inspect_err(|error| assert!(!error.to_string().is_empty(), "an error without words")).ok()
}

/// Keys in X.509's encoding.
fn public(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).ok();
    let keys =
        [ok(VerifyingKey::from_spki_der(bytes)), text.and_then(|text| ok(VerifyingKey::from_spki_pem(text)))];
    for key in keys.into_iter().flatten() {
        assert_eq!(VerifyingKey::from_spki_der(&key.to_spki_der()).as_ref(), Ok(&key));
        assert_eq!(VerifyingKey::from_spki_pem(&key.to_spki_pem()).as_ref(), Ok(&key));
        assert_eq!(public_key::of_bytes(&key.to_spki_der()).map(|keys| keys.len()), Ok(1));
    }
    let keys = [
        ok(lms::VerifyingKey::from_spki_der(bytes)),
        text.and_then(|text| ok(lms::VerifyingKey::from_spki_pem(text))),
    ];
    for key in keys.into_iter().flatten() {
        // A key of LMS alone has no encoding.
        if let Some(der) = ok(key.to_spki_der()) {
            assert_eq!(lms::VerifyingKey::from_spki_der(&der).as_ref(), Ok(&key));
            assert_eq!(
                lms::VerifyingKey::from_spki_pem(&key.to_spki_pem().expect("as DER")).as_ref(),
                Ok(&key)
            );
        }
    }
    let keys = [
        ok(slh_dsa::VerifyingKey::from_spki_der(bytes)),
        text.and_then(|text| ok(slh_dsa::VerifyingKey::from_spki_pem(text))),
    ];
    for key in keys.into_iter().flatten() {
        assert_eq!(slh_dsa::VerifyingKey::from_spki_der(&key.to_spki_der()).as_ref(), Ok(&key));
        assert_eq!(slh_dsa::VerifyingKey::from_spki_pem(&key.to_spki_pem()).as_ref(), Ok(&key));
    }
}

/// Keys as the standards write them.
fn raw(bytes: &[u8]) {
    for scheme in [Scheme::Xmss, Scheme::XmssMt] {
        if let Some(key) = ok(VerifyingKey::from_bytes(scheme, bytes)) {
            assert_eq!(key.to_bytes(), bytes);
            assert_eq!(VerifyingKey::from_spki_der(&key.to_spki_der()).as_ref(), Ok(&key));
        }
    }
    if let Some(key) = ok(lms::VerifyingKey::from_bytes(bytes)) {
        assert_eq!(key.to_bytes(), bytes);
        let _ = (key.longest_signature(), key.top().to_string(), key.is_hss());
    }
    for set in slh_dsa::ParameterSet::all() {
        if let Some(key) = ok(slh_dsa::VerifyingKey::from_bytes(set, bytes)) {
            assert_eq!((key.as_bytes(), key.set()), (bytes, set));
        }
        if let Some(key) = ok(slh_dsa::SigningKey::from_bytes(set, bytes)) {
            assert_eq!(key.as_bytes(), bytes);
        }
    }
    if let Ok(keys) = public_key::of_bytes(bytes) {
        assert!((1..=2).contains(&keys.len()));
        for key in &keys {
            assert!(public_key::of_signature(&keys, key.set().signature_bytes()).is_ok());
        }
        let _ = public_key::of_signature(&keys, 0).map_err(|error| error.to_string());
    }
}

/// Secret keys of SLH-DSA in PKCS#8.
fn secret(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).ok();
    let keys = [
        ok(slh_dsa::SigningKey::from_pkcs8_der(bytes)),
        text.and_then(|text| ok(slh_dsa::SigningKey::from_pkcs8_pem(text))),
    ];
    for key in keys.into_iter().flatten() {
        let again = slh_dsa::SigningKey::from_pkcs8_der(&key.to_pkcs8_der()).expect("as it was written");
        assert_eq!((again.as_bytes(), again.set()), (key.as_bytes(), key.set()));
        let again = slh_dsa::SigningKey::from_pkcs8_pem(&key.to_pkcs8_pem()).expect("as it was written");
        assert_eq!((again.as_bytes(), again.set()), (key.as_bytes(), key.set()));
    }
    let _ = text.map(slh_dsa::SigningKey::is_encrypted_pem);
}

/// Secret keys of XMSS from other implementations.
fn imported(bytes: &[u8]) {
    for scheme in [None, Some(Scheme::Xmss), Some(Scheme::XmssMt)] {
        ok(store::import(scheme, bytes, None));
    }
}

/// Names of parameter sets.
fn names(bytes: &[u8]) {
    let Ok(name) = std::str::from_utf8(bytes) else { return };
    if let Some(set) = ok(name.parse::<slh_dsa::ParameterSet>()) {
        assert_eq!(set.name().parse(), Ok(set));
    }
    if let Some(set) = ok(name.parse::<hashlanes::hbs::ParameterSet>()) {
        assert_eq!(set.to_string().parse(), Ok(set));
    }
    if let Some(set) = ok(name.parse::<lms::ParameterSet>()) {
        assert_eq!(set.to_string().parse(), Ok(set));
    }
}

/// Secrets under a passphrase, of a cost that a test can pay.
fn sealed(bytes: &[u8]) {
    let number =
        |at: usize| bytes.get(at..at + 4).map(|word| u32::from_be_bytes(word.try_into().expect("4 bytes")));
    let cost =
        number(20).zip(number(24)).map(|(memory_kib, passes)| u64::from(memory_kib) * u64::from(passes));
    if is_sealed(bytes) && cost.is_some_and(|cost| (4096..=(64u64 * (4 << 20))).contains(&cost)) {
        return;
    }
    let passphrase = Passphrase::new(&b"a passphrase"[..]).expect("not empty");
    if let Some(secret) = ok(passphrase.open(bytes)) {
        assert!(secret.len() < bytes.len());
    }
}
