//! Certificates, requests and signed messages: what is written is read; malformed DER is refused by the name
//! of the field; no changed byte is accepted that a signature covers. The program's tests exchange them with
//! OpenSSL and BouncyCastle.

use std::sync::LazyLock;

use hashlanes_hbs::lms;
use hashlanes_hbs::pki::{Certificate, Error, Name, ReceivedMessage, SignedMessage, public_key_of};
use hashlanes_hbs::slh_dsa::{Digest, Message, PreHash, Randomness, SigningKey};
use hashlanes_hbs::{Scheme, VerifyingKey};

const CONTENT: &[u8] = b"content of a file";
const FROM: u64 = 1_700_000_000;

static KEY: LazyLock<SigningKey> =
    LazyLock::new(|| SigningKey::from_seeds("SLH-DSA-SHA2-128f".parse().unwrap(), &[1; 48]).unwrap());

fn sign(bytes: &[u8]) -> Vec<u8> {
    KEY.sign(&Message::new(bytes), Randomness::Deterministic).unwrap().as_ref().to_vec()
}

fn certificate() -> Vec<u8> {
    let name: Name = "CN=Release key,C=CH".parse().unwrap();
    let public = KEY.verifying_key().to_spki_der();
    let certificate = Certificate::self_signed(&public, &name, FROM, FROM + 86_400).unwrap();
    certificate.finish(&sign(certificate.to_sign()))
}

/// A message with its content, and with a certificate or without.
fn message(certificate: Option<&[u8]>) -> Vec<u8> {
    let mut message = SignedMessage::new(&KEY.verifying_key().to_spki_der()).unwrap();
    if let Some(certificate) = certificate {
        message = message.certificate(certificate).unwrap();
    }
    let digest = Digest::of(message.digest_function(), CONTENT);
    let signature = sign(&message.to_sign(&digest).unwrap());
    message.finish(&digest, &signature, Some(CONTENT))
}

/// Whether the first signer signed the content.
fn is_valid(message: &[u8]) -> Result<bool, Error> {
    let message = ReceivedMessage::from_der(message)?;
    let signer = &message.signers()[0];
    let content = message.content().unwrap_or(CONTENT);
    let digest = Digest::of(signer.digest_function(), content);
    let signed = signer.signed(&digest);
    Ok(content == CONTENT
        && signer.is_of(&KEY.verifying_key().to_spki_der())
        && signed.is_some_and(|signed| {
            KEY.verifying_key().verify(&Message::new(signed), signer.signature()).is_ok()
        }))
}

#[test]
fn no_changed_byte_is_accepted_that_the_signature_covers() {
    let message = message(None);
    assert_eq!(is_valid(&message), Ok(true));
    let mut accepted = Vec::new();
    // Each byte of the head, and every 64th of the signature.
    let signature = message.len() - 17_088;
    for at in (0..signature).chain((signature..message.len()).step_by(64)) {
        for bit in [1, 0x80] {
            let mut changed = message.clone();
            changed[at] ^= bit;
            if is_valid(&changed) == Ok(true) {
                accepted.push(at);
            }
        }
    }
    // Not signed, and not used: the versions, the set of hash functions, the key's identifier.
    accepted.dedup();
    assert!(accepted.len() <= 1 + 13 + 1 + 20, "{accepted:?}");
    assert!(accepted.iter().all(|at| *at < signature));
}

#[test]
fn cut_and_lengthened_messages_are_refused() {
    let certificate = certificate();
    for message in [message(None), message(Some(&certificate))] {
        assert_eq!(is_valid(&message), Ok(true));
        for length in (0..300).chain((300..message.len()).step_by(97)) {
            let error = ReceivedMessage::from_der(&message[..length]).unwrap_err();
            assert!(matches!(&error, Error::Field { .. }), "{length}: {error}");
        }
        let longer = [&message[..], &[0]].concat();
        let error = ReceivedMessage::from_der(&longer).unwrap_err();
        assert_eq!(error.to_string(), ": 1 unexpected bytes at its end");
    }
    for length in (0..400).chain((400..certificate.len()).step_by(97)) {
        public_key_of(&certificate[..length]).unwrap_err();
    }
}

#[test]
fn faults_are_named() {
    let message = message(None);
    let changed = |from: &[u8], to: &[u8]| {
        let at = message.windows(from.len()).rposition(|window| window == from).unwrap();
        let mut changed = message.clone();
        changed[at..at + to.len()].copy_from_slice(to);
        ReceivedMessage::from_der(&changed).unwrap_err().to_string()
    };
    // id-messageDigest becomes another attribute; SHA-256 becomes an unknown function; the algorithm's OID
    // gets another tag.
    let digest = [0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x04];
    let words = changed(&digest, &[0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x09, 0x05]);
    assert_eq!(words, "SignedData: signerInfos: SignerInfo 0: signedAttrs: messageDigest: is missing");
    let function = [0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
    let words = changed(&function, &[0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 99]);
    assert!(words.contains("digestAlgorithm: unknown hash function 2.16.840.1.101.3.4.2.99"), "{words}");
    let words = changed(&[6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 3, 21], &[5]);
    assert!(words.contains("signatureAlgorithm: algorithm: has the tag 0x05; expected 0x06"), "{words}");
    let indefinite = ReceivedMessage::from_der(&[0x30, 0x80, 0, 0]).unwrap_err().to_string();
    assert_eq!(indefinite, "ContentInfo: has an indefinite length; expected DER");
}

#[test]
fn hash_functions_are_those_of_the_standards() {
    let function = |name: &str| {
        let set: hashlanes_hbs::slh_dsa::ParameterSet = name.parse().unwrap();
        let key = hashlanes_hbs::slh_dsa::VerifyingKey::from_bytes(set, &vec![7; 2 * set.n()]).unwrap();
        SignedMessage::new(&key.to_spki_der()).unwrap().digest_function()
    };
    // RFC 9814, table 1.
    for letter in ["s", "f"] {
        assert_eq!(function(&format!("SLH-DSA-SHA2-128{letter}")), PreHash::Sha256);
        assert_eq!(function(&format!("SLH-DSA-SHA2-192{letter}")), PreHash::Sha512);
        assert_eq!(function(&format!("SLH-DSA-SHA2-256{letter}")), PreHash::Sha512);
        assert_eq!(function(&format!("SLH-DSA-SHAKE-128{letter}")), PreHash::Shake128);
        assert_eq!(function(&format!("SLH-DSA-SHAKE-192{letter}")), PreHash::Shake256);
        assert_eq!(function(&format!("SLH-DSA-SHAKE-256{letter}")), PreHash::Shake256);
    }
    // LMS_SHA256_M32_H5 and LMS_SHAKE_M24_H10.
    for (lms, ots, n, function) in [(5, 4, 32, PreHash::Sha256), (21, 16, 24, PreHash::Shake256)] {
        let raw = [&[0, 0, 0, 1, 0, 0, 0, lms, 0, 0, 0, ots][..], &vec![7; 16 + n]].concat();
        let key = lms::VerifyingKey::from_bytes(&raw).unwrap().to_spki_der().unwrap();
        assert_eq!(SignedMessage::new(&key).unwrap().digest_function(), function);
    }
    let raw = [&[0, 0, 0, 1][..], &[7; 64]].concat();
    let xmss = VerifyingKey::from_bytes(Scheme::Xmss, &raw).unwrap().to_spki_der();
    let error = SignedMessage::new(&xmss).unwrap_err();
    assert_eq!(error, Error::NoStandard { kind: "XMSS" });
}

#[test]
fn wrong_use_is_refused() {
    let spki = KEY.verifying_key().to_spki_der();
    let other = SigningKey::from_seeds(KEY.set(), &[2; 48]).unwrap().verifying_key().to_spki_der();
    let message = SignedMessage::new(&other).unwrap();
    assert_eq!(message.certificate(&certificate()).unwrap_err(), Error::OtherKey);
    let message = SignedMessage::new(&spki).unwrap();
    let digest = Digest::of(PreHash::Sha512, CONTENT);
    assert_eq!(message.to_sign(&digest).unwrap_err(), Error::OtherDigest);
    let name: Name = "CN=name".parse().unwrap();
    for (from, until) in [(FROM, FROM - 1), (FROM, u64::MAX)] {
        assert_eq!(Certificate::self_signed(&spki, &name, from, until).unwrap_err(), Error::Validity);
    }
    for text in
        ["", "CN=", "CN=a,", "XX=a", "C=CHE", r"CN=a\b", "CN=a+O=b", &format!("CN={}", "x".repeat(65))]
    {
        assert!(matches!(text.parse::<Name>(), Err(Error::Name(_))), "{text}");
    }
}
