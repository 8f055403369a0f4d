//! Project Wycheproof's vectors, on every row; RFC 8452's are among them.

use hashlanes_aes::gcm::Error;
use hashlanes_testkit::vectors::gcm_claims;

use crate::subjects::{Subject, each};
use crate::suite::{Gcm, Suite};

pub(crate) fn add(suite: &mut Suite) {
    suite.each_kernel("vectors", "published", published);
    suite.one("vectors::all cases are there", every_case);
}

fn published(kernel: &'static Gcm) {
    let claims = gcm_claims();
    each!(C => {
        let name = C::NAME;
        for claim in claims.iter().filter(|claim| claim.cipher == name) {
            let what = format!("{name} {}", claim.name);
            let cipher = <C as Subject>::new(kernel, &claim.key);
            let [message, ct, tag] =
                [&claim.msg, &claim.ct, &claim.tag128].map(|part| part.as_deref().expect("every case has it"));
            let nonce = match C::nonce(&claim.nonce) {
                Ok(nonce) => nonce,
                Err(error) => {
                    let n_bytes = claim.nonce.len();
                    assert_eq!(error, Error::Length { of: "nonce", n_bytes, expected: 12 }, "{what}");
                    continue;
                }
            };
            let tag = C::tag(tag).expect("a tag of 16 bytes");
            if claim.valid {
                let sealed = cipher.seal(&nonce, &claim.ad, message).unwrap();
                assert_eq!(sealed, [ct, &tag].concat(), "{what}, sealed");
                assert_eq!(cipher.open(&nonce, &claim.ad, &sealed).as_deref(), Ok(message), "{what}, opened");
                let mut text = message.to_vec();
                let in_place = cipher.encrypt_in_place(&nonce, &claim.ad, &mut text).unwrap();
                assert_eq!((&text[..], in_place), (ct, tag), "{what}, in place");
                cipher.decrypt_in_place(&nonce, &claim.ad, &mut text, &tag).unwrap();
                assert_eq!(text, message, "{what}, back in place");
            } else {
                let mut output = vec![1; ct.len()];
                let result = cipher.decrypt(&nonce, &claim.ad, ct, &tag, &mut output);
                assert_eq!(result, Err(Error::Forged), "{what}");
                assert!(output.iter().all(|byte| *byte == 0), "{what}: the result is zeros");
            }
        }
    });
}

fn every_case() {
    let claims = gcm_claims();
    let of = |siv: bool| {
        let claims = claims.iter().filter(move |claim| claim.cipher.ends_with("-siv") == siv);
        let of_96_bits = claims.clone().filter(|claim| claim.nonce.len() == 12);
        let (valid, invalid): (Vec<_>, Vec<_>) = of_96_bits.partition(|claim| claim.valid);
        (claims.count(), valid.len(), invalid.len())
    };
    assert_eq!(of(false), (316, 40 + 37 + 39, 3 * 27));
    assert_eq!(of(true), (202, 67 + 69, 32 + 34));
    // RFC 8452's own, appendix C, and counters that wrap around.
    let named = |flag| {
        claims.iter().filter(|claim| claim.cipher.ends_with("-siv") && claim.name.ends_with(flag)).count()
    };
    assert_eq!((named("Ktv"), named("WrappedIv")), (50, 10));
}
