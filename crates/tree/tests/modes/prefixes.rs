//! The basis of the soundness of v1: no two hashes of any tree start from one state, and none starts like a
//! plain hash.

use std::collections::HashSet;

use hashlanes_sha::{Hasher, sha1, sha256, sha512};
use hashlanes_testkit::oracle;
use hashlanes_tree::{JLanes, JPointers, Variant};

use crate::has_few_cases;
use crate::hashes::{Tested, for_each_hash};

/// The initial values of the hashes of FIPS 180-4, as text.
fn standard_initial_values() -> HashSet<String> {
    let own = [
        format!("{:?}", sha1::H0),
        format!("{:?}", sha256::H0),
        format!("{:?}", sha256::H0_224),
        format!("{:?}", sha512::H0),
        format!("{:?}", sha512::H0_384),
        format!("{:?}", sha512::H0_512_224),
        format!("{:?}", sha512::H0_512_256),
    ];
    let oracle = oracle::ALL.into_iter().map(|hash| match hash.initial() {
        oracle::State::Sha1(state) => format!("{state:?}"),
        oracle::State::Sha256(state) => format!("{state:?}"),
        oracle::State::Sha512(state) => format!("{state:?}"),
    });
    let all: HashSet<String> = oracle.collect();
    assert!(own.iter().all(|state| all.contains(state)));
    all
}

/// Final-node separability, and lanes apart from slices.
#[test]
fn all_differ() {
    fn of<A: Tested>() {
        let standard = standard_initial_values();
        let mut states = HashSet::new();
        let mut n = 0;
        for j in (1..=255).step_by(if has_few_cases() { 50 } else { 1 }) {
            let (lanes, pointers) = (JLanes::<A>::new(j), JPointers::<A>::new(j));
            for midstate in (0..=j).flat_map(|i| [lanes.prefix(i), pointers.prefix(i)]) {
                assert_eq!(midstate.n_bytes(), A::BLOCK_BYTES as u64);
                let state = format!("{:?}", midstate.state());
                assert!(!standard.contains(&state), "{}, j = {j}: a standard one", A::NAME);
                states.insert(state);
                n += 1;
            }
        }
        assert_eq!(states.len(), n, "{}: two are one", A::NAME);
    }
    for_each_hash!(of);
}

/// They are the hash's states after the blocks of the definition.
#[test]
fn by_definition() {
    fn of<A: Tested>() {
        let after_block = |j, i, slicing| {
            let mut block = vec![0; A::BLOCK_BYTES];
            [block[3], block[7], block[11]] = [j, i, slicing];
            block[12..][..A::NAME.len()].copy_from_slice(A::NAME.to_uppercase().as_bytes());
            let mut hasher = Hasher::<A>::new();
            hasher.update(&block);
            *hasher.midstate().expect("a whole block").state()
        };
        let (lanes, pointers) = (JLanes::<A>::new(16), JPointers::<A>::new(255));
        for i in [0, 1, 16] {
            assert_eq!(*lanes.prefix(i).state(), after_block(16, i as u8, 0), "{lanes:?}, {i}");
            assert_eq!(*pointers.prefix(i).state(), after_block(255, i as u8, 1), "{pointers:?}, {i}");
        }
    }
    for_each_hash!(of);
}

/// v1s has one prefix for all; v1n has none.
#[test]
fn of_the_unsound() {
    fn of<A: Tested>() {
        let single = JLanes::<A>::with_variant(8, Variant::V1SinglePrefix);
        let first = JLanes::<A>::new(8).prefix(0);
        assert!((0..=8).all(|i| single.prefix(i).state() == first.state()));
        let none = JPointers::<A>::with_variant(8, Variant::V1NoPrefix);
        assert!((0..=8).all(|i| (none.prefix(i).state(), none.prefix(i).n_bytes()) == (&A::H0, 0)));
        assert!(Variant::V1.is_sound());
        assert!(!Variant::V1SinglePrefix.is_sound() && !Variant::V1NoPrefix.is_sound());
    }
    for_each_hash!(of);
}
