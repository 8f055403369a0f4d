//! Crates that accept any hash or MAC with the traits of the crate `digest` 0.10: each is called with ours
//! and with that of the crates `sha1` and `sha2` 0.10, and the results are equal.

use hashlanes::digest_0_10::const_oid::AssociatedOid;
use hashlanes::digest_0_10::{Digest, DynDigest, FixedOutputReset, KeyInit, Mac, Reset};
use hkdf_0_12 as hkdf;
use hmac_0_12 as hmac;
use pbkdf2_0_12 as pbkdf2;
use sha1_0_10 as sha1;
use sha2_0_10 as sha2;

/// Lengths around the blocks of all hashes, and around the 2 KiB that are copied for a core at a time.
const LENGTHS: [usize; 13] = [0, 1, 55, 56, 63, 64, 65, 111, 112, 128, 129, 1000, 5000];

fn message(len_bytes: usize) -> Vec<u8> {
    (0..len_bytes).map(|i| (i * 7) as u8).collect()
}

/// The code of a message under itself, in parts that end at no block; checked by every method of the trait.
fn code<M: Mac + KeyInit + Clone>(m: &[u8]) -> Vec<u8> {
    let mut mac = <M as Mac>::new_from_slice(m).expect("any length");
    Mac::update(&mut mac, m);
    Mac::update(&mut mac, b"end");
    let code = mac.clone().finalize().into_bytes();
    mac.clone().verify(&code).expect("the code");
    mac.clone().verify_slice(&code).expect("the code");
    mac.clone().verify_truncated_left(&code[..10]).expect("its begin");
    let mut wrong = code.to_vec();
    wrong[9] ^= 1;
    mac.verify_slice(&wrong).expect_err("a bit is wrong");
    code.to_vec()
}

/// The same of an HMAC that was used for another message before.
fn code_after_another<M: Mac + KeyInit + FixedOutputReset + Reset>(m: &[u8]) -> Vec<u8> {
    let mut mac = <M as Mac>::new_from_slice(m).expect("any length");
    Mac::update(&mut mac, b"dropped");
    Mac::reset(&mut mac);
    Mac::update(&mut mac, b"another");
    mac.finalize_reset();
    Mac::update(&mut mac, m);
    Mac::update(&mut mac, b"end");
    mac.finalize().into_bytes().to_vec()
}

/// What accepts a hash, in the same order for two implementations of it.
macro_rules! results {
    ($Hash:path) => {{
        let mut results = vec![<$Hash as AssociatedOid>::OID.as_bytes().to_vec()];
        for n in LENGTHS {
            let m = message(n);
            results.push(<$Hash as Digest>::digest(&m).to_vec());
            results.push(code::<hmac::SimpleHmac<$Hash>>(&m));
            results.push(code::<hmac::Hmac<$Hash>>(&m));
            results.push(code_after_another::<hmac::Hmac<$Hash>>(&m));
            let mut key = [0; 99];
            hkdf::Hkdf::<$Hash>::new(Some(b"salt"), &m).expand(b"info", &mut key).expect("short enough");
            results.push(key.to_vec());
            hkdf::SimpleHkdf::<$Hash>::new(None, &m).expand(b"", &mut key).expect("short enough");
            results.push(key.to_vec());
            pbkdf2::pbkdf2_hmac::<$Hash>(&m, b"salt", 3, &mut key);
            results.push(key.to_vec());
        }
        // With a type that is known only at run time.
        let mut hasher: Box<dyn DynDigest> = Box::new(<$Hash>::default());
        hasher.update(b"a part");
        let mut cloned = hasher.box_clone();
        results.extend([hasher.finalize_reset().to_vec(), cloned.finalize_reset().to_vec()]);
        cloned.update(b"abc");
        results.push(cloned.finalize().to_vec());
        results
    }};
}

macro_rules! hashes {
    ($($test:ident $hasher:ident $hmac:ident $theirs:path;)*) => {$(
        #[test]
        fn $test() {
            assert_eq!(results!(hashlanes::digest_0_10::$hasher), results!($theirs));
            for n in LENGTHS {
                let expected = code::<hmac::SimpleHmac<$theirs>>(&message(n));
                assert_eq!(code::<hashlanes::$hmac>(&message(n)), expected, "{n} bytes");
                assert_eq!(code_after_another::<hashlanes::$hmac>(&message(n)), expected, "{n} bytes");
                assert_eq!(code::<hmac::SimpleHmac<hashlanes::$hasher>>(&message(n)), expected, "{n} bytes");
            }
        }
    )*};
}
hashes! {
    of_sha1 Sha1 HmacSha1 sha1::Sha1;
    of_sha224 Sha224 HmacSha224 sha2::Sha224;
    of_sha256 Sha256 HmacSha256 sha2::Sha256;
    of_sha384 Sha384 HmacSha384 sha2::Sha384;
    of_sha512 Sha512 HmacSha512 sha2::Sha512;
    of_sha512_224 Sha512_224 HmacSha512_224 sha2::Sha512_224;
    of_sha512_256 Sha512_256 HmacSha512_256 sha2::Sha512_256;
}

#[cfg(feature = "sha3")]
#[test]
fn of_sha3() {
    use hashlanes::digest_0_10::{ExtendableOutput, Update};

    let code = code::<hmac::SimpleHmac<hashlanes::Sha3_256>>(b"a key");
    assert_eq!(code, hmac_of_sha3_256(b"a key", b"a keyend"));
    assert_eq!(hashlanes::Keccak256::new_with_prefix("abc").finalize()[..], hashlanes::keccak256(b"abc"));
    let mut shake = hashlanes::Shake128::default();
    Update::update(&mut shake, b"abc");
    let mut expected = [0; 500];
    hashlanes::shake128(b"abc", &mut expected);
    assert_eq!(*shake.finalize_boxed(500), expected);
}

/// RFC 2104, by hand.
#[cfg(feature = "sha3")]
fn hmac_of_sha3_256(key: &[u8], message: &[u8]) -> [u8; 32] {
    let pad =
        |byte: u8| -> Vec<u8> { (0..136).map(|i| key.get(i).copied().unwrap_or_default() ^ byte).collect() };
    let inner = hashlanes::sha3_256(&[&pad(0x36), message].concat());
    hashlanes::sha3_256(&[&pad(0x5c)[..], &inner].concat())
}

mod small_program {
    use hmac_0_12 as hmac;
    use sha2_0_10 as sha2;

    /// A program written after the documentation of `sha2` and `hmac`; only its first line differs.
    macro_rules! small_program {
        ($($path:ident)::+) => {{
            use $($path)::+::{Digest, Sha256};

            let mut hasher = Sha256::new();
            hasher.update(b"in two ");
            hasher.update("parts");
            let result = hasher.finalize();
            assert_eq!(result, Sha256::new().chain_update("in two parts").finalize());
            assert_eq!(result, Sha256::digest("in two parts"));
            (format!("{result:x}"), code::<hmac::Hmac<Sha256>>())
        }};
    }

    fn code<M: hmac::Mac + hmac::digest::KeyInit>() -> Vec<u8> {
        let mut mac = <M as hmac::Mac>::new_from_slice(b"my secret and secure key").expect("any length");
        mac.update(b"input message");
        mac.finalize().into_bytes().to_vec()
    }

    #[test]
    fn a_use_is_all_that_changes() {
        assert_eq!(small_program!(hashlanes::digest_0_10), small_program!(sha2));
    }
}
