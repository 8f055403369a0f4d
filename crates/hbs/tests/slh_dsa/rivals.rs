//! This crate and the crates `slh-dsa` and `fips205` verify each other's signatures.

use fips205::traits::{SerDes, Signer, Verifier};
use hashlanes_hbs::slh_dsa::{Message, Randomness, SigningKey};

use crate::outside::set;

const MESSAGE: &[u8] = b"a message";
const CONTEXT: &[u8] = b"context";

/// Returns a set's key, and its deterministic signature.
fn ours(name: &str) -> (SigningKey, Vec<u8>) {
    let set = set(name);
    let seeds: Vec<u8> = (0..3 * set.n() as u8).collect();
    let key = SigningKey::from_seeds(set, &seeds).unwrap();
    let message = Message::new(MESSAGE).with_context(CONTEXT).unwrap();
    let signature = key.sign(&message, Randomness::Deterministic).unwrap().as_ref().to_vec();
    (key, signature)
}

fn exchange_with_slh_dsa<P: slh_dsa::ParameterSet>(name: &str) {
    let (key, signature) = ours(name);
    let n = key.set().n();
    let seeds: Vec<&[u8]> = key.as_bytes().chunks(n).collect();
    let theirs = slh_dsa::SigningKey::<P>::slh_keygen_internal(seeds[0], seeds[1], seeds[2]);
    assert_eq!(theirs.to_bytes()[..], *key.as_bytes(), "{name}");
    let their_signature = theirs.try_sign_with_context(MESSAGE, CONTEXT, None).unwrap();
    assert_eq!(their_signature.to_vec(), signature, "{name}");
    let public = slh_dsa::VerifyingKey::<P>::try_from(key.verifying_key().as_bytes()).unwrap();
    let read = slh_dsa::Signature::<P>::try_from(&signature[..]).unwrap();
    public.try_verify_with_context(MESSAGE, CONTEXT, &read).unwrap();
}

#[test]
fn the_crate_slh_dsa_computes_the_same() {
    exchange_with_slh_dsa::<slh_dsa::Sha2_128f>("SLH-DSA-SHA2-128f");
    exchange_with_slh_dsa::<slh_dsa::Sha2_192f>("SLH-DSA-SHA2-192f");
    exchange_with_slh_dsa::<slh_dsa::Sha2_256f>("SLH-DSA-SHA2-256f");
    exchange_with_slh_dsa::<slh_dsa::Shake128f>("SLH-DSA-SHAKE-128f");
    exchange_with_slh_dsa::<slh_dsa::Shake192f>("SLH-DSA-SHAKE-192f");
    exchange_with_slh_dsa::<slh_dsa::Shake256f>("SLH-DSA-SHAKE-256f");
}

macro_rules! exchange_with_fips205 {
    ($($module:ident $name:literal;)*) => {$({
        use fips205::$module::{PrivateKey, PublicKey};
        let (key, signature) = ours($name);
        let public = PublicKey::try_from_bytes(key.verifying_key().as_bytes().try_into().unwrap()).unwrap();
        assert!(public.verify(MESSAGE, &signature.clone().try_into().unwrap(), CONTEXT), "{}", $name);
        let private = PrivateKey::try_from_bytes(key.as_bytes().try_into().unwrap()).unwrap();
        let theirs = private.try_sign_with_rng(&mut NoRandomness, MESSAGE, CONTEXT, false).unwrap();
        assert_eq!(theirs[..], signature, "{}", $name);
    })*};
}

/// Deterministic signatures take no random numbers.
struct NoRandomness;

impl fips205::RngCore for NoRandomness {
    fn next_u32(&mut self) -> u32 {
        unreachable!()
    }
    fn next_u64(&mut self) -> u64 {
        unreachable!()
    }
    fn fill_bytes(&mut self, _: &mut [u8]) {
        unreachable!()
    }
    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), fips205::RngError> {
        unreachable!()
    }
}

impl fips205::CryptoRng for NoRandomness {}

#[test]
fn the_crate_fips205_computes_the_same() {
    exchange_with_fips205! {
        slh_dsa_sha2_128f "SLH-DSA-SHA2-128f";
        slh_dsa_sha2_192f "SLH-DSA-SHA2-192f";
        slh_dsa_sha2_256f "SLH-DSA-SHA2-256f";
        slh_dsa_shake_128f "SLH-DSA-SHAKE-128f";
        slh_dsa_shake_192f "SLH-DSA-SHAKE-192f";
        slh_dsa_shake_256f "SLH-DSA-SHAKE-256f";
    }
}
