//! Refused calls and their messages; the last index; borders between trees.

use hashlanes_hbs::hazmat::{Derivation, KeyGeneration, SigningKey};
use hashlanes_hbs::{Error, ParameterSet};

fn key(name: &str) -> SigningKey {
    let set: ParameterSet = name.parse().unwrap();
    KeyGeneration::new(set, &vec![4; 3 * set.n()]).unwrap().run().unwrap()
}

#[test]
fn the_last_index_signs_and_no_more() {
    for name in ["XMSS-SHA2_10_256", "XMSSMT-SHA2_60/12_192"] {
        let mut key = key(name);
        let last = key.set().signatures() - 1;
        key.advance_to(last).unwrap();
        let signature = key.try_sign(b"the last").unwrap();
        assert_eq!(key.verifying_key().verify(b"the last", signature.as_ref()), Ok(()));
        assert_eq!(key.next_index(), last + 1);
        assert_eq!(key.try_sign(b"one more"), Err(Error::Exhausted));
        assert_eq!(key.advance_to(last), Err(Error::IndexUsed { index: last, next: last + 1 }));
        let beyond = last + 2;
        assert_eq!(key.advance_to(beyond), Err(Error::Index { index: beyond, signatures: last + 1 }));
    }
}

/// Trees that grew with the signatures, and trees that are rebuilt after a jump, give the same signatures.
#[test]
fn borders_between_trees_are_crossed() {
    let (mut stepping, mut jumping) = (key("XMSSMT-SHA2_20/4_256"), key("XMSSMT-SHA2_20/4_256"));
    for index in 0..1100_u64 {
        let signature = stepping.try_sign(&index.to_be_bytes()).unwrap();
        if [0, 31, 32, 63, 64, 1023, 1024, 1055, 1056].contains(&index) {
            jumping.advance_to(index).unwrap();
            assert_eq!(jumping.try_sign(&index.to_be_bytes()).unwrap(), signature, "{index}");
        }
    }
}

#[test]
fn unsuitable_seeds_and_derivations_are_named() {
    let set: ParameterSet = "XMSS-SHA2_10_192".parse().unwrap();
    let error = KeyGeneration::new(set, &[0; 96]).map(drop).unwrap_err();
    assert_eq!(error.to_string(), "seeds: 96 bytes instead of 72");
    let legacy = KeyGeneration::new(set, &[0; 72]).unwrap().derivation(Derivation::Legacy);
    assert_eq!(legacy.map(drop), Err(Error::NoLegacy(set)));
    let other_root = KeyGeneration::new(set, &[0; 72]).unwrap().expecting_root(&[0; 24]).run();
    assert_eq!(other_root.map(drop), Err(Error::OtherRoot));
}
