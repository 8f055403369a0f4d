//! Messages in parts give the same results as whole ones.

use hashlanes_hbs::hazmat::KeyGeneration;
use hashlanes_hbs::{Claim, Error, ParameterSet, VerifyingKey};
use hashlanes_sha::kernels;

/// A key, and messages with their signatures.
type Signed = (VerifyingKey, Vec<(Vec<u8>, Vec<u8>)>);

/// Returns a key of each n, one of them with several layers, and signed messages whose lengths are about a
/// block.
fn keys() -> Vec<Signed> {
    let of = |name: &str| {
        let set: ParameterSet = name.parse().unwrap();
        let mut key = KeyGeneration::new(set, &vec![5; 3 * set.n()]).unwrap().run().unwrap();
        let lengths = [0, 1, 63, 64, 65, 127, 128, 1000, 5000];
        let sign = |length: &usize| {
            let message: Vec<u8> = (0..*length).map(|i| (i % 251) as u8).collect();
            let signature = key.try_sign(&message).unwrap().as_ref().to_vec();
            (message, signature)
        };
        let signed = lengths.iter().map(sign).collect();
        (key.verifying_key().clone(), signed)
    };
    ["XMSS-SHA2_10_256", "XMSS-SHA2_10_192", "XMSSMT-SHA2_60/12_512"].map(of).into()
}

/// The first kernel of the table of a key's hash: `scalar`, if it is compiled.
fn first_kernel(key: &VerifyingKey) -> &'static str {
    let mut names: Vec<_> = match key.set().n() {
        64 => kernels::sha512().map(|kernel| kernel.name()).collect(),
        _ => kernels::sha256().map(|kernel| kernel.name()).collect(),
    };
    names.swap_remove(0)
}

#[derive(Clone, Copy, Debug)]
enum On {
    ChosenKernels,
    OneKernel,
}

/// Together and separately, in parts of any length, on the chosen kernels and on a named one; a changed bit
/// is detected.
#[test]
fn in_parts_as_whole() {
    let mut keys = keys();
    for on in [On::ChosenKernels, On::OneKernel] {
        if let On::OneKernel = on {
            keys.iter_mut().for_each(|(key, _)| key.set_kernel(first_kernel(key)).unwrap());
        }
        for part_bytes in [1, 7, 64, 999] {
            let (mut claims, mut expected) = (Vec::new(), Vec::new());
            for (key, signed) in &keys {
                for (number, (message, signature)) in signed.iter().enumerate() {
                    let mut signature = signature.clone();
                    // Every third signature has a changed bit in its last node.
                    *signature.last_mut().unwrap() ^= u8::from(number % 3 == 2);
                    let mut claim = key.claim(&signature).unwrap();
                    for part in message.chunks(part_bytes) {
                        claim.update(part);
                    }
                    claims.push(claim);
                    expected.push(if number % 3 == 2 { Err(Error::Invalid) } else { Ok(()) });
                }
            }
            assert_eq!(Claim::finish_many(claims), expected, "{on:?} {part_bytes}");
        }
    }
}

/// Several messages, of several keys, absorbed together.
#[test]
fn together_in_lanes() {
    let keys = keys();
    let mut claims = Vec::new();
    for (key, signed) in &keys {
        claims
            .extend(signed.iter().map(|(message, signature)| (key.claim(signature).unwrap(), &message[..])));
    }
    while claims.iter().any(|(_, rest)| !rest.is_empty()) {
        let mut parts: Vec<_> = Vec::new();
        for (claim, rest) in &mut claims {
            let (part, after) = rest.split_at(rest.len().min(300));
            *rest = after;
            parts.push((claim, part));
        }
        Claim::update_many(&mut parts);
    }
    let results = Claim::finish_many(claims.into_iter().map(|(claim, _)| claim).collect());
    assert!(results.len() == 27 && results.iter().all(Result::is_ok), "{results:?}");
    assert_eq!(Claim::finish_many(Vec::new()), []);
}

#[test]
fn an_impossible_signature_of_the_key_is_no_claim() {
    let (key, signed) = keys().swap_remove(0);
    let mut signature = signed[0].1.clone();
    assert_eq!(
        key.claim(&signature[1..]).map(drop),
        Err(Error::SignatureLength { given: 2499, expected: 2500 })
    );
    signature[0] = 1;
    let expected = Error::Index { index: 1 << 24, signatures: 1024 };
    assert_eq!(key.claim(&signature).map(drop), Err(expected));
}
