//! Crates that accept any hash or MAC with the traits of the crate `digest`: each is called with ours and
//! with that of the crates `sha1` and `sha2`, and the results are equal.

use hashlanes::digest::block_api::{CoreProxy, EagerHash};
use hashlanes::digest::const_oid::AssociatedOid;
use hashlanes::digest::{Digest, DynDigest, FixedOutputReset, Mac, Reset};

/// Lengths around the blocks of all hashes.
const LENGTHS: [usize; 12] = [0, 1, 55, 56, 63, 64, 65, 111, 112, 128, 129, 1000];

fn message(len_bytes: usize) -> Vec<u8> {
    (0..len_bytes).map(|i| (i * 7) as u8).collect()
}

/// The traits that a hash has, and what takes them, for two implementations of it.
fn hash_alike<Ours, Theirs>()
where
    Ours: EagerHash + CoreProxy + AssociatedOid + FixedOutputReset + Reset + Default + 'static,
    Theirs: EagerHash + AssociatedOid + FixedOutputReset,
{
    assert_eq!(
        (Ours::OID, <Ours as Digest>::output_size()),
        (Theirs::OID, <Theirs as Digest>::output_size())
    );
    for n in LENGTHS {
        let m = message(n);
        assert_eq!(<Ours as Digest>::digest(&m)[..], <Theirs as Digest>::digest(&m)[..], "{n} bytes");

        // HMAC, in parts that fall on no block, from keys of this length.
        let [ours, theirs] = [hmac_of::<hmac::Hmac<Ours>>(&m), hmac_of::<hmac::Hmac<Theirs>>(&m)];
        assert_eq!(ours, theirs, "{n} bytes");
        assert_eq!(ours, hmac_of::<hmac::SimpleHmac<Ours>>(&m));
        let mut reset = <hmac::HmacReset<Ours> as hmac::KeyInit>::new_from_slice(&m).expect("any length");
        for _ in 0..2 {
            Mac::update(&mut reset, &m);
            Mac::update(&mut reset, b"end");
            assert_eq!(Mac::finalize_reset(&mut reset).into_bytes()[..], ours);
        }

        let (mut ours, mut theirs) = ([0; 99], [0; 99]);
        hkdf::Hkdf::<Ours>::new(Some(b"salt"), &m).expand(b"info", &mut ours).expect("short enough");
        hkdf::Hkdf::<Theirs>::new(Some(b"salt"), &m).expand(b"info", &mut theirs).expect("short enough");
        assert_eq!(ours, theirs);
        hkdf::SimpleHkdf::<Ours>::new(None, &m).expand(b"", &mut ours).expect("short enough");
        hkdf::SimpleHkdf::<Theirs>::new(None, &m).expand(b"", &mut theirs).expect("short enough");
        assert_eq!(ours, theirs);

        pbkdf2::pbkdf2_hmac::<Ours>(&m, b"salt", 3, &mut ours);
        pbkdf2::pbkdf2_hmac::<Theirs>(&m, b"salt", 3, &mut theirs);
        assert_eq!(ours, theirs);
    }

    // With a type that is known only at run time.
    let mut ours: Box<dyn DynDigest> = Box::new(Ours::default());
    ours.update(b"a part");
    let mut cloned = ours.box_clone();
    assert_eq!(ours.finalize_reset(), cloned.finalize_reset());
    cloned.update(b"abc");
    assert_eq!(cloned.finalize()[..], <Theirs as Digest>::digest(b"abc")[..]);

    // A wrapper takes a hash apart into core and buffer, and puts them together.
    let mut hasher = Ours::default();
    Digest::update(&mut hasher, message(1000));
    let (core, buffer) = hasher.clone().decompose();
    let mut composed = Ours::compose(core, buffer);
    Digest::update(&mut composed, b"end");
    Digest::update(&mut hasher, b"end");
    assert_eq!(Digest::finalize(composed), Digest::finalize(hasher));
}

/// The code of a message under itself, in parts that end at no block; checked by every method of the trait.
fn hmac_of<M: Mac + hmac::KeyInit + Clone>(m: &[u8]) -> Vec<u8> {
    let mut mac = <M as hmac::KeyInit>::new_from_slice(m).expect("any length");
    Mac::update(&mut mac, m);
    Mac::update(&mut mac, b"end");
    let code = mac.clone().finalize().into_bytes();
    mac.clone().verify(&code).expect("the code");
    mac.clone().verify_slice(&code).expect("the code");
    mac.clone().verify_truncated_left(&code[..10]).expect("its begin");
    mac.clone().verify_truncated_right(&code[10..]).expect("its end");
    let mut wrong = code.to_vec();
    wrong[9] ^= 1;
    mac.clone().verify_slice(&wrong).expect_err("a bit is wrong");
    mac.verify_slice(&code[..10]).expect_err("too short");
    code.to_vec()
}

/// Our HMAC as a `Mac`, for the crate's.
fn mac_alike<Ours, Theirs>()
where
    Ours: Mac + hmac::KeyInit + FixedOutputReset + Reset + Clone,
    Theirs: EagerHash,
{
    for n in LENGTHS {
        let m = message(n);
        let expected = hmac_of::<hmac::Hmac<Theirs>>(&m);
        assert_eq!(hmac_of::<Ours>(&m), expected, "{n} bytes");
        let mut mac = <Ours as hmac::KeyInit>::new_from_slice(&m).expect("any length");
        Mac::update(&mut mac, b"dropped");
        Mac::reset(&mut mac);
        for _ in 0..2 {
            Mac::update(&mut mac, &m);
            Mac::update(&mut mac, b"end");
            assert_eq!(Mac::finalize_reset(&mut mac).into_bytes()[..], expected);
        }
    }
    // A key of the trait's type is one of a block.
    let key = hmac::digest::Key::<Ours>::default();
    let [ours, theirs] = [
        <Ours as hmac::KeyInit>::new(&key).finalize().into_bytes().to_vec(),
        <hmac::Hmac<Theirs> as hmac::KeyInit>::new_from_slice(&key)
            .expect("any length")
            .finalize()
            .into_bytes()
            .to_vec(),
    ];
    assert_eq!(ours, theirs);
}

macro_rules! hashes {
    ($($test:ident $hasher:ident $hmac:ident $theirs:path;)*) => {$(
        #[test]
        fn $test() {
            hash_alike::<hashlanes::$hasher, $theirs>();
            mac_alike::<hashlanes::$hmac, $theirs>();
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

/// HMAC and a program that was written for the crate `sha3`.
#[cfg(feature = "sha3")]
#[test]
fn of_sha3() {
    macro_rules! small_program {
        ($($path:ident)::+) => {{
            use $($path)::+::{Keccak256, Sha3_256};

            let mac = hmac_of::<hmac::SimpleHmac<Sha3_256>>(b"a key");
            let prefixed = Sha3_256::new_with_prefix("abc").finalize();
            (mac, prefixed, Keccak256::digest("abc")[..].to_vec())
        }};
    }
    assert_eq!(small_program!(hashlanes), small_program!(sha3));
}

/// ECDSA over a digest that the caller updates.
#[test]
fn of_ecdsa() {
    use p256::ecdsa::signature::{DigestSigner, DigestVerifier};
    use p256::ecdsa::{Signature, SigningKey, VerifyingKey};

    let key = SigningKey::from_slice(&[1; 32]).expect("a scalar");
    let ours: Signature = key.sign_digest(|hasher: &mut hashlanes::Sha256| hasher.update("abc"));
    let theirs: Signature = key.sign_digest(|hasher: &mut sha2::Sha256| sha2::Digest::update(hasher, "abc"));
    assert_eq!(ours, theirs);
    let update = |hasher: &mut hashlanes::Sha256| {
        hasher.update("abc");
        Ok(())
    };
    VerifyingKey::from(&key).verify_digest(update, &ours).expect("our signature");
}

mod small_program {
    /// A program written after the documentation of `sha2`; only its `use` differs.
    macro_rules! small_program {
    ($($path:ident)::+) => {{
        use $($path)::+::{Digest, Sha256};

        let mut hasher = Sha256::new();
        hasher.update("in two ");
        hasher.update(b"parts");
        let in_parts = hasher.finalize();
        let chained = Sha256::new().chain_update("in two ").chain_update("parts").finalize();
        let prefixed = Sha256::new_with_prefix("in two ").chain_update(vec![b'p', b'a', b'r', b't', b's']).finalize();
        assert_eq!((in_parts, chained), (chained, prefixed));
        let mut hasher = Sha256::default();
        hasher.update(String::from("dropped"));
        Digest::reset(&mut hasher);
        hasher.update("in two parts");
        assert_eq!(hasher.finalize_reset(), in_parts);
        assert_eq!(Sha256::digest("in two parts")[..], in_parts[..]);
        in_parts.to_vec()
    }};
}

    #[test]
    fn a_use_is_all_that_changes() {
        assert_eq!(small_program!(hashlanes), small_program!(sha2));
    }
}
