//! RFC 10032's vectors, Wycheproof's, and those of `spec/aegis.py`, on every row.

use hashlanes_aes::aegis::Error;
use hashlanes_testkit::vectors::{self, AeadClaim};

use crate::subjects::{Subject, WithCode, each, each_with_code};
use crate::suite::{Aegis, Suite};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("vectors", "published", published);
    suite.each_kernel("vectors", "specification", specification);
    suite.each_kernel("vectors", "codes", codes);
    suite.one("vectors::all ciphers are there", every_cipher_has_vectors);
    suite.one("vectors::oracle", oracle);
}

/// Encrypts and decrypts apart and in place, and compares with the vector.
fn both_ways<S: Subject>(kernel: &'static Aegis, inputs: [&[u8]; 4], ct: &[u8], tag: &[u8], what: &str) {
    let [key, nonce, ad, message] = inputs;
    let (cipher, nonce) = (S::on(kernel, key), S::nonce(nonce));
    let sealed = cipher.seal(&nonce, ad, message).unwrap();
    assert_eq!(sealed, [ct, tag].concat(), "{what}, sealed");
    assert_eq!(cipher.open(&nonce, ad, &sealed).as_deref(), Ok(message), "{what}, opened");
    let mut text = message.to_vec();
    let in_place = cipher.encrypt_in_place(&nonce, ad, &mut text).unwrap();
    assert_eq!((&text[..], in_place.as_ref()), (ct, tag), "{what}, in place");
    cipher.decrypt_in_place(&nonce, ad, &mut text, &in_place).unwrap();
    assert_eq!(text, message, "{what}, back in place");
}

/// A claim's tag of the subject's length.
fn tag_of<S: Subject>(claim: &AeadClaim) -> Option<&[u8]> {
    let tag = if S::TAG_BYTES == 16 { &claim.tag128 } else { &claim.tag256 };
    tag.as_deref()
}

fn published(kernel: &'static Aegis) {
    let claims = vectors::aegis_claims();
    each!(S => {
        for claim in claims.iter().filter(|claim| claim.cipher == S::name()) {
            let (Some(ct), Some(tag)) = (&claim.ct, tag_of::<S>(claim)) else { continue };
            let what = format!("{} {}", claim.cipher, claim.name);
            if claim.valid {
                let message = claim.msg.as_ref().expect("where the tag is right");
                both_ways::<S>(kernel, [&claim.key, &claim.nonce, &claim.ad, message], ct, tag, &what);
            } else {
                let (cipher, nonce, mut message) = (S::on(kernel, &claim.key), S::nonce(&claim.nonce), vec![1; ct.len()]);
                let result = cipher.decrypt(&nonce, &claim.ad, ct, &S::tag(tag), &mut message);
                assert_eq!(result, Err(Error::Forged), "{what}");
                assert!(message.iter().all(|byte| *byte == 0), "{what}: the result is zeros");
            }
        }
    });
}

fn specification(kernel: &'static Aegis) {
    let vectors = vectors::aegis();
    each!(S => {
        for vector in vectors.iter().filter(|vector| vector.cipher == S::name()) {
            let tag = if S::TAG_BYTES == 16 { Some(&vector.tag128) } else { vector.tag256.as_ref() };
            let inputs = vector.inputs(S::KEY_BYTES);
            let what = format!("{} of {} and {} bytes", vector.cipher, vector.ad, vector.msg);
            let tag = tag.expect("a tag of that length");
            both_ways::<S>(kernel, inputs.each_ref().map(|input| &input[..]), &vector.ct, tag, &what);
        }
    });
}

fn codes(kernel: &'static Aegis) {
    let (vectors, claims) = (vectors::aegis(), vectors::aegis_claims());
    each_with_code!(S => {
        let mut n = 0;
        for vector in vectors.iter().filter(|vector| vector.cipher == S::name()) {
            let code = if S::TAG_BYTES == 16 { &vector.mac128 } else { &vector.mac256 };
            let [key, nonce, _, message] = vector.inputs(S::KEY_BYTES);
            assert_eq!(S::mac(kernel, &key, &nonce, &message).ok(), *code, "{} of {} bytes", vector.cipher, vector.msg);
        }
        for claim in claims.iter().filter(|claim| claim.cipher == S::name()) {
            let code = if S::TAG_BYTES == 16 { &claim.mac128 } else { &claim.mac256 };
            if code.is_some() {
                let data = claim.msg.as_ref().expect("the data");
                assert_eq!(S::mac(kernel, &claim.key, &claim.nonce, data).ok(), *code, "{}", claim.name);
                n += 1;
            }
        }
        assert_eq!(n, 1, "{}: RFC 10032 has a code", S::name());
    });
}

/// The oracle computes the specification's function.
fn oracle() {
    for vector in vectors::aegis() {
        let cipher = hashlanes_testkit::oracle::Aegis::by_name(&vector.cipher).expect("a cipher");
        let [key, nonce, ad, message] = vector.inputs(if vector.cipher.contains("256") { 32 } else { 16 });
        let what = format!("{} of {} and {} bytes", vector.cipher, vector.ad, vector.msg);
        let expected = (vector.ct.clone(), vector.tag128.clone());
        assert_eq!(cipher.encrypt(&key, &nonce, &ad, &message, 16), expected, "{what}");
        if let (Some(tag), Some(short), Some(long)) = (vector.tag256, vector.mac128, vector.mac256) {
            assert_eq!(cipher.encrypt(&key, &nonce, &ad, &message, 32), (vector.ct, tag), "{what}");
            assert_eq!(cipher.mac(&key, &nonce, &message, 16), short, "{what}");
            assert_eq!(cipher.mac(&key, &nonce, &message, 32), long, "{what}");
        }
    }
}

fn every_cipher_has_vectors() {
    let (vectors, claims) = (vectors::aegis(), vectors::aegis_claims());
    each!(S => {
        assert!(vectors.iter().filter(|vector| vector.cipher == S::name()).count() >= 20, "{}", S::name());
        assert!(claims.iter().any(|claim| claim.cipher == S::name()), "{}", S::name());
    });
    let wrong = claims.iter().filter(|claim| !claim.valid).count();
    assert_eq!(wrong, 108 + 112 + 112 + 8, "tags that are not right");
}
