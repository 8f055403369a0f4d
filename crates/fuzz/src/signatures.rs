//! Signatures of every scheme: an answer for any bytes, and the same one by all ways to verify.

use hashlanes::hbs::{Scheme, VerifyingKey, lms, slh_dsa, verify_no_alloc};

use crate::input::{Input, parts};

/// Runs the target. An input is the number of the scheme, the lengths of the public key and of the message in
/// two bytes each, that of the context in one, and then all three, followed by the signature.
pub fn run(data: &[u8]) {
    is_valid(data);
}

/// Returns whether the signature of an input is valid.
pub fn is_valid(data: &[u8]) -> bool {
    let mut input = Input::new(data);
    let scheme = input.byte();
    let (key_bytes, message_bytes, context_bytes) = (input.u16(), input.u16(), input.byte());
    let key = input.bytes(key_bytes.into());
    let message = input.bytes(message_bytes.into());
    let context = input.bytes(context_bytes.into());
    let signature = input.rest();
    match scheme {
        0 => xmss(Scheme::Xmss, key, message, signature),
        1 => xmss(Scheme::XmssMt, key, message, signature),
        2 => lms(key, message, signature),
        set => {
            let set = slh_dsa::ParameterSet::all().nth(usize::from(set - 3) % 12).expect("twelve sets");
            slh_dsa(set, key, (message, context), signature)
        }
    }
}

fn cut(message: &[u8]) -> Vec<&[u8]> {
    parts(message, &[message.len() / 3, message.len() / 2])
}

fn xmss(scheme: Scheme, key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let without_memory = verify_no_alloc(scheme, key, message, signature);
    let Ok(key) = VerifyingKey::from_bytes(scheme, key) else {
        assert!(without_memory.is_err());
        return false;
    };
    let result = key.verify(message, signature);
    assert_eq!(without_memory, result, "without an allocator");
    let in_parts = key.claim(signature).and_then(|mut claim| {
        cut(message).into_iter().for_each(|part| claim.update(part));
        claim.finish()
    });
    assert_eq!(in_parts, result, "in parts");
    assert_eq!(key.verify_reader(message, signature), result, "from a reader");
    let many = key.verify_many(&[(message, signature), (b"another", signature), (message, signature)]);
    assert_eq!((&many[0], &many[2]), (&result, &result), "many");
    assert!(many[1].is_err() || message == b"another");
    result.is_ok()
}

fn lms(key: &[u8], message: &[u8], signature: &[u8]) -> bool {
    let Ok(key) = lms::VerifyingKey::from_bytes(key) else { return false };
    let result = key.verify(message, signature);
    let in_parts = lms::Claim::new(&key, signature).and_then(|mut claim| {
        cut(message).into_iter().for_each(|part| claim.update(part));
        claim.finish()
    });
    assert_eq!(in_parts, result, "in parts");
    assert_eq!(key.verify_reader(message, signature), result, "from a reader");
    let many = key.verify_many(&[(message, signature), (b"another", signature), (message, signature)]);
    assert_eq!((&many[0], &many[2]), (&result, &result), "many");
    if result.is_ok() {
        assert!(key.index_of(signature).is_ok() && signature.len() <= key.longest_signature());
    }
    result.is_ok()
}

fn slh_dsa(
    set: slh_dsa::ParameterSet,
    key: &[u8],
    (message, context): (&[u8], &[u8]),
    signature: &[u8],
) -> bool {
    let Ok(key) = slh_dsa::VerifyingKey::from_bytes(set, key) else { return false };
    let of = slh_dsa::Message::new(message).with_context(context).expect("a length of one byte");
    let result = key.verify(&of, signature);
    let in_parts = slh_dsa::Claim::new(&key, context, signature).and_then(|mut claim| {
        cut(message).into_iter().for_each(|part| claim.update(part));
        claim.finish()
    });
    assert_eq!(in_parts, result, "in parts");
    assert_eq!(key.verify_reader(message, context, signature), result, "from a reader");
    let many = key.verify_many(&[(of.clone(), signature), (of, signature)]);
    assert_eq!(many, [result.clone(), result.clone()], "many");
    result.is_ok()
}
