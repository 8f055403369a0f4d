//! Every kernel of this CPU, forced, and the table's choice: against the reference.

use hashlanes_sha::algorithms::{Sha1, Sha256, Sha384};
use hashlanes_testkit::ragged::Rng;
use hashlanes_tree::{JLanes, JPointers, Mh, Variant, parallel_hash, parallel_hash_on};

use crate::hashes::{Tested, for_each_hash, kernel_name};
use crate::{has_few_cases, message, reference};

/// Lengths about every border of j lanes or slices of `block`-byte blocks: words, rows of words, where a
/// length field still fits, whole blocks, and some blocks with a lane's end within a word.
fn lengths(j: usize, block: usize) -> Vec<usize> {
    let word = block / 16;
    let row = j * word;
    let mut lengths = vec![0, 1, word - 1, word, word + 1];
    for rows in [1, 13, 14, 15, 16, 30, 32] {
        lengths.extend([
            (rows * row).saturating_sub(word + 1),
            rows * row - 1,
            rows * row,
            rows * row + 1,
            rows * row + word,
        ]);
    }
    lengths.push(7 * 16 * row + 3 * word + 1);
    if has_few_cases() {
        lengths = lengths.into_iter().skip(j % 3).step_by(3).collect();
    }
    lengths
}

/// Fewer lanes than any kernel has, the same number, one more; several groups; the maximum.
fn js() -> &'static [usize] {
    if has_few_cases() { &[1, 4, 5, 17] } else { &[1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 33, 255] }
}

#[test]
fn forms() {
    fn of<A: Tested>() {
        for &j in js() {
            for len in lengths(j, A::BLOCK_BYTES) {
                let message = message(len);
                let lanes = reference::j_lanes(A::ORACLE, Variant::V1, j, &message);
                let pointers = reference::j_pointers(A::ORACLE, Variant::V1, j, &message);
                for kernel in A::kernels() {
                    let what = || format!("{}, j = {j}, {len} bytes, {}", A::NAME, kernel_name(kernel));
                    let (mut j_lanes, mut j_pointers) = (JLanes::<A>::new(j), JPointers::<A>::new(j));
                    if let Some(kernel) = kernel {
                        (j_lanes, j_pointers) = (j_lanes.on(kernel), j_pointers.on(kernel));
                    }
                    assert_eq!(j_lanes.digest(&message).as_ref(), lanes, "j-lanes, {}", what());
                    assert_eq!(j_pointers.digest(&message).as_ref(), pointers, "j-pointers, {}", what());
                }
            }
        }
    }
    for_each_hash!(of);
}

/// So few blocks that Miri hashes them, too.
#[test]
fn a_few_blocks() {
    let message = message(100);
    for j in [1, 3] {
        let lanes = reference::j_lanes(Sha256::ORACLE, Variant::V1, j, &message);
        assert_eq!(JLanes::<Sha256>::new(j).digest(&message).as_ref(), lanes, "j-lanes, {j}");
        let pointers = reference::j_pointers(Sha256::ORACLE, Variant::V1, j, &message);
        assert_eq!(JPointers::<Sha256>::new(j).digest(&message).as_ref(), pointers, "j-pointers, {j}");
    }
}

/// Every j there is.
#[test]
fn every_j() {
    fn of<A: Tested>() {
        let message = message(2 * 255 * A::BLOCK_BYTES + 1000);
        for j in (1..=255).step_by(if has_few_cases() { 50 } else { 1 }) {
            let lanes = reference::j_lanes(A::ORACLE, Variant::V1, j, &message);
            assert_eq!(JLanes::<A>::new(j).digest(&message).as_ref(), lanes, "j-lanes, {}, {j}", A::NAME);
            let pointers = reference::j_pointers(A::ORACLE, Variant::V1, j, &message);
            assert_eq!(JPointers::<A>::new(j).digest(&message).as_ref(), pointers, "{}, {j}", A::NAME);
        }
    }
    for_each_hash!(of);
}

/// So long that groups of lanes take the message piece by piece.
#[test]
fn pieces() {
    fn of<A: Tested>() {
        let message = message(if has_few_cases() { 140_000 } else { 300_000 });
        for j in [5, 20, 40] {
            let expected = reference::j_lanes(A::ORACLE, Variant::V1, j, &message);
            for kernel in A::kernels() {
                let mut j_lanes = JLanes::<A>::new(j);
                if let Some(kernel) = kernel {
                    j_lanes = j_lanes.on(kernel);
                }
                let digest = j_lanes.digest(&message);
                assert_eq!(digest.as_ref(), expected, "{}, {j}, {}", A::NAME, kernel_name(kernel));
            }
        }
    }
    for_each_hash!(of);
}

/// The papers' variants.
#[test]
fn variants() {
    fn of<A: Tested>() {
        for variant in Variant::ALL {
            for j in [1, 4, 16, 17] {
                for len in [0, 100, 5000] {
                    let message = message(len);
                    let lanes = reference::j_lanes(A::ORACLE, variant, j, &message);
                    let pointers = reference::j_pointers(A::ORACLE, variant, j, &message);
                    let (j_lanes, j_pointers) =
                        (JLanes::<A>::with_variant(j, variant), JPointers::<A>::with_variant(j, variant));
                    assert_eq!(j_lanes.digest(&message).as_ref(), lanes, "{j_lanes:?}, {len} bytes");
                    assert_eq!(j_pointers.digest(&message).as_ref(), pointers, "{j_pointers:?}, {len} bytes");
                }
            }
        }
    }
    for_each_hash!(of);
}

/// Slices of any lengths, anywhere.
#[test]
fn scattered() {
    fn of<A: Tested>() {
        let mut rng = Rng::new(1);
        let buffer = message(40_000);
        for j in [1, 3, 8, 16, 17, 40] {
            let slices: Vec<&[u8]> = (0..j)
                .map(|_| {
                    let len = rng.choose(&[0, 1, 63, 64, 500, 4096, 9999]);
                    &buffer[rng.below(buffer.len() - len)..][..len]
                })
                .collect();
            let expected = reference::scattered(A::ORACLE, Variant::V1, &slices);
            for kernel in A::kernels() {
                let mut j_pointers = JPointers::<A>::new(j);
                if let Some(kernel) = kernel {
                    j_pointers = j_pointers.on(kernel);
                }
                let digest = j_pointers.digest_slices(&slices);
                assert_eq!(digest.as_ref(), expected, "{j_pointers:?}, {}", kernel_name(kernel));
            }
        }
    }
    for_each_hash!(of);
}

#[test]
fn multi_hashes() {
    macro_rules! of {
        ($hash:ident) => {
            for len in [0, 1, 1000, 1014, 1015, 1016, 1017, 1023, 1024, 1025, 2040, 8 * 1024, 20_001] {
                let message = message(len);
                let expected = reference::mh(<$hash as Tested>::ORACLE, &message);
                for kernel in $hash::kernels() {
                    let mut mh = kernel.map_or_else(Mh::<$hash>::new, Mh::with_kernel);
                    mh.update(&message);
                    let words: Vec<u8> = mh.finish().into_iter().flat_map(u32::to_be_bytes).collect();
                    assert_eq!(words, expected, "{len} bytes, {}", kernel_name(kernel));
                }
            }
        };
    }
    of!(Sha1);
    of!(Sha256);
}

#[test]
fn parallel_hashes() {
    // About one block a slice and two, and about a byte more a slice.
    for len in (888..=900).chain(1903..=1920).chain([2936, 10_000, 100_007]) {
        let message = message(len);
        let expected = reference::parallel_hash(&message);
        for kernel in Sha384::kernels() {
            let digest = kernel.map_or_else(|| parallel_hash(&message), |k| parallel_hash_on(k, &message));
            assert_eq!(digest.expect("long enough").as_slice(), expected, "{len}, {}", kernel_name(kernel));
        }
    }
}
