//! The number of compressions that go through the lanes: exactly as many as the algorithms need.
//!
//! A single test, because the count is global to the process. With n = 32 a PRF takes one block, PRF_keygen
//! and F two, H three. So a step of a chain takes 4, a node 6, a leaf 67 · 2 + 67 · 15 · 4 + 66 · 6 = 4550.

use hashlanes_hbs::compressions;
use hashlanes_hbs::hazmat::{KeyGeneration, SigningKey};

const LEAF: u64 = 4550;
const NODE: u64 = 6;
/// The cost of every signature of a tree in addition to its chain steps: PRF_keygen.
const STARTS: u64 = 67 * 2;
const STEP: u64 = 4;
/// Signing computes the chain steps that verification does not.
const STEPS: u64 = 67 * 15;

fn counted<T>(work: impl FnOnce() -> T) -> (T, u64) {
    let before = compressions();
    let result = work();
    (result, compressions() - before)
}

fn generated(name: &str) -> (SigningKey, u64) {
    counted(|| KeyGeneration::new(name.parse().unwrap(), &[6; 96]).unwrap().run().unwrap())
}

fn tree(height: u32) -> u64 {
    (1 << height) * LEAF + ((1 << height) - 1) * NODE
}

#[test]
fn compressions_are_as_many_as_the_algorithms_ask() {
    let (mut key, n) = generated("XMSS-SHA2_10_256");
    assert_eq!(n, tree(10));
    assert_eq!(n, 4_665_338);

    let mut signing = 0;
    for i in 0..64_u64 {
        let message = i.to_be_bytes();
        let (signature, n_sign) = counted(|| key.sign_unchecked(&message).unwrap());
        let public = key.verifying_key();
        let (result, n_verify) = counted(|| public.verify(&message, signature.as_ref()));
        result.unwrap();
        // r is a PRF; each chain step is computed either by the signer or by the verifier.
        assert_eq!(n_sign + n_verify, 1 + STARTS + STEPS * STEP + 66 * NODE + 10 * NODE);
        assert_eq!((n_sign - 1 - STARTS) % STEP, 0);
        signing += n_sign;
    }
    assert!((2000..2300).contains(&(signing / 64)), "{} a signature", signing / 64);

    for (name, layers, height, said) in [
        ("XMSSMT-SHA2_20/4_256", 4, 5, 589_366),
        ("XMSSMT-SHA2_40/8_256", 8, 5, 1_181_866),
        ("XMSSMT-SHA2_60/12_256", 12, 5, 1_772_206),
    ] {
        let (mut key, n) = generated(name);
        // Every layer except the lowest signs a root, with 0 to 1005 steps.
        let signatures = n - layers * tree(height);
        assert_eq!((signatures - (layers - 1) * STARTS) % STEP, 0);
        assert!(n.abs_diff(said) < said / 500, "{name}: {n}");
        // A signature costs one signature of the lowest layer, and one leaf of the next tree.
        let (_, n) = counted(|| key.sign_unchecked(b"message").unwrap());
        assert!((1500..2800).contains(&(n - LEAF)), "{name}: {n}");
    }
}
