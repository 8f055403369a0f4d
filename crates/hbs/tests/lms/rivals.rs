//! This crate and the crates `hbs-lms` and `lms-signature` verify each other's signatures.

use hashlanes_hbs::lms::{KeyGeneration, ParameterSet, SigningKey, VerifyingKey};
use hashlanes_sha::sha256;
use hbs_lms::{HashChain, HssParameter, LmotsAlgorithm, LmsAlgorithm, Seed};

use crate::life::key;

/// The parameters of `hbs-lms` for a set.
fn parameters<H: HashChain>(set: ParameterSet) -> Vec<HssParameter<H>> {
    let of_level = |level: &hashlanes_hbs::lms::Level| {
        let ots = match level.w() {
            1 => LmotsAlgorithm::LmotsW1,
            2 => LmotsAlgorithm::LmotsW2,
            4 => LmotsAlgorithm::LmotsW4,
            _ => LmotsAlgorithm::LmotsW8,
        };
        let lms = match level.height() {
            5 => LmsAlgorithm::LmsH5,
            height => unreachable!("no test of height {height}"),
        };
        HssParameter::<H>::new(ots, lms)
    };
    set.levels().iter().map(of_level).collect()
}

/// Runs on a thread with a large stack: that crate's signatures are arrays of the greatest length.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(test)
        .unwrap()
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}

fn exchange_with_hbs_lms<H: HashChain>(name: &'static str) {
    with_stack(move || {
        let mut ours = key(name);
        for message in [&b"one"[..], b"two"] {
            let signature = ours.try_sign(message).unwrap();
            let public = ours.verifying_key().to_bytes();
            hbs_lms::verify::<H>(message, signature.as_ref(), &public).unwrap();
        }
        let mut seed = Seed::<H>::default();
        seed.as_mut_slice().fill(3);
        let parameters = parameters::<H>(ours.set());
        let (private, public) = hbs_lms::keygen::<H>(&parameters, &seed, None).unwrap();
        let mut private = private.as_slice().to_vec();
        let public = VerifyingKey::from_bytes(public.as_slice()).unwrap();
        for message in [&b"one"[..], b"two"] {
            let before = private.clone();
            let mut store = |next: &[u8]| {
                private.copy_from_slice(next);
                Ok(())
            };
            let signature = hbs_lms::sign::<H>(message, &before, &mut store, None).unwrap();
            assert_eq!(public.verify(message, signature.as_ref()), Ok(()), "{name}");
        }
    });
}

/// That crate has only the typecodes of RFC 8554, of SHA-256 with n = 32, and uses them for its other hashes,
/// too.
#[test]
fn the_crate_hbs_lms_verifies_ours_and_the_other_way_round() {
    exchange_with_hbs_lms::<hbs_lms::Sha256_256>("LMS_SHA256_M32_H5_W8/LMS_SHA256_M32_H5_W4");
    exchange_with_hbs_lms::<hbs_lms::Sha256_256>("LMS_SHA256_M32_H5_W1");
}

/// Returns SEED ‖ I of the topmost tree, as the reference code derives them from a key's seed.
fn top_of(seed: &[u8; 32]) -> Vec<u8> {
    // 16 bytes of I and 4 of q, all zeros, D_TOPSEED, and the number of the value.
    let hash = |which: u8, seed: &[u8]| sha256(&[&[0; 20][..], &[0xfe, 0xfe, which], seed].concat());
    let inner = hash(0, seed);
    [&hash(1, &inner)[..], &hash(2, &inner)[..16]].concat()
}

#[test]
fn lower_trees_are_derived_as_the_reference_code_does() {
    with_stack(|| {
        type H = hbs_lms::Sha256_256;
        let set: ParameterSet = "LMS_SHA256_M32_H5_W4/LMS_SHA256_M32_H5_W8".parse().unwrap();
        let mut seed = Seed::<H>::default();
        seed.as_mut_slice().copy_from_slice(&[5; 32]);
        let (private, public) = hbs_lms::keygen::<H>(&parameters::<H>(set), &seed, None).unwrap();
        let mut ours = KeyGeneration::new(set, &top_of(&[5; 32])).unwrap().run().unwrap();
        assert_eq!(ours.verifying_key().to_bytes(), public.as_slice());
        let mut private = private.as_slice().to_vec();
        // After the end of the first lower tree.
        for index in 0..34_u8 {
            let before = private.clone();
            let mut store = |next: &[u8]| {
                private.copy_from_slice(next);
                Ok(())
            };
            let theirs = hbs_lms::sign::<H>(&[index], &before, &mut store, None).unwrap();
            let ours = ours.try_sign(&[index]).unwrap();
            // Its random values differ. The key of the lower tree comes after the signature of the upper one.
            let key = 4 + set.levels()[0].signature_bytes()..;
            let key = |signature: &[u8]| signature[key.clone()][..56].to_vec();
            assert_eq!(key(ours.as_ref()), key(theirs.as_ref()), "{index}");
        }
    });
}

macro_rules! exchange_with_lms_signature {
    ($($name:literal $lms:ident $ots:ident;)*) => {$({
        use lms_signature::{lms, ots};
        use slh_dsa::signature::{RandomizedSignerMut, Verifier};
        type Mode = lms::$lms<ots::$ots>;

        let mut ours: SigningKey = key($name);
        let seeds: Vec<u8> = (0..32 + 16).collect();
        let id = seeds[32..].try_into().unwrap();
        let mut theirs = lms::SigningKey::<Mode>::new_from_seed(id, &seeds[..32]).unwrap();
        let public = ours.verifying_key().to_bytes();
        assert_eq!([theirs.id(), theirs.public().k()].concat(), public[12..], "{}", $name);
        let public = VerifyingKey::from_bytes(&public[4..]).unwrap();
        let signature = ours.try_sign(b"message").unwrap();
        let read = lms::Signature::<Mode>::try_from(&signature.as_ref()[4..]).unwrap();
        theirs.public().verify(b"message", &read).unwrap();
        let mut random = getrandom::rand_core::UnwrapErr(getrandom::SysRng);
        let signature: Vec<u8> = theirs.try_sign_with_rng(&mut random, b"message").unwrap().into();
        assert_eq!(public.verify(b"message", &signature), Ok(()), "{}", $name);
    })*};
}

#[test]
fn the_crate_lms_signature_computes_the_same() {
    exchange_with_lms_signature! {
        "LMS_SHA256_M32_H5_W1" LmsSha256M32H5 LmsOtsSha256N32W1;
        "LMS_SHA256_M32_H5_W2" LmsSha256M32H5 LmsOtsSha256N32W2;
        "LMS_SHA256_M32_H5_W4" LmsSha256M32H5 LmsOtsSha256N32W4;
        "LMS_SHA256_M32_H5_W8" LmsSha256M32H5 LmsOtsSha256N32W8;
        "LMS_SHA256_M32_H10_W4" LmsSha256M32H10 LmsOtsSha256N32W4;
    }
}
