//! Messages in parts: every split near a border of blocks, of lanes, of slices.

use hashlanes_sha::algorithms::Sha256;
use hashlanes_testkit::ragged::Rng;
use hashlanes_tree::{JLanes, JLanesHasher, JPointers, MhSha1, MhSha256, Tree, parallel_hash_with_length};

use crate::hashes::{Tested, for_each_hash};
use crate::{has_few_cases, message};

/// Places about multiples of `unit` in a message of `len` bytes.
fn near(unit: usize, len: usize) -> Vec<usize> {
    let about = (0..=len / unit).flat_map(|n| [n * unit, n * unit + 1, (n * unit).saturating_sub(1)]);
    let mut places: Vec<usize> = about.chain([len]).filter(|place| *place <= len).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Calls `digest` with the three parts of every pair of places.
fn in_three<D: PartialEq + std::fmt::Debug>(
    message: &[u8],
    places: &[usize],
    expected: &D,
    digest: impl Fn([&[u8]; 3]) -> D,
) {
    for (n, &a) in places.iter().enumerate() {
        for &b in &places[n..] {
            let got = digest([&message[..a], &message[a..b], &message[b..]]);
            assert_eq!(got, *expected, "{} bytes in parts that end at {a} and {b}", message.len());
        }
    }
}

#[test]
fn j_lanes() {
    fn of<A: Tested>() {
        let js: &[usize] = if has_few_cases() { &[3] } else { &[1, 3, 16, 17] };
        for &j in js {
            let j_lanes = JLanes::<A>::new(j);
            let row = j * A::BLOCK_BYTES;
            let message = message(2 * row + row / 2 + 5);
            let mut places = near(row, message.len());
            places.extend(near(A::BLOCK_BYTES / 16, 3 * A::BLOCK_BYTES / 16));
            places.sort_unstable();
            in_three(&message, &places, &j_lanes.digest(&message), |parts| {
                let mut hasher = j_lanes.hasher();
                parts.into_iter().for_each(|part| hasher.update(part));
                hasher.finish()
            });
        }
    }
    for_each_hash!(of);
}

#[test]
fn j_pointers() {
    fn of<A: Tested>() {
        let js: &[usize] = if has_few_cases() { &[3] } else { &[1, 3, 16] };
        for &j in js {
            let j_pointers = JPointers::<A>::new(j);
            for len in [0, 1, j * A::BLOCK_BYTES, 3 * j * A::BLOCK_BYTES + 7] {
                let message = message(len);
                let places = near(3 * A::BLOCK_BYTES, len);
                in_three(&message, &places, &j_pointers.digest(&message), |parts| {
                    let mut hasher = j_pointers.with_length(len as u64);
                    parts.into_iter().for_each(|part| hasher.update(part).expect("no more than was said"));
                    hasher.finish().expect("as much as was said")
                });
            }
        }
    }
    for_each_hash!(of);
}

#[test]
fn multi_hashes() {
    let message = message(3 * 1024 + 1019);
    let places = near(if has_few_cases() { 1024 } else { 256 }, message.len());
    in_three(&message, &places, &MhSha256::digest(&message), |parts| {
        let mut hasher = MhSha256::new();
        parts.into_iter().for_each(|part| hasher.update(part));
        hasher.finish()
    });
    in_three(&message, &places, &MhSha1::digest(&message), |parts| {
        let mut hasher = MhSha1::new();
        parts.into_iter().for_each(|part| hasher.update(part));
        hasher.finish()
    });
}

#[test]
fn parallel_hash() {
    let message = message(8 * (111 + 128) + 1000);
    let expected = hashlanes_tree::parallel_hash(&message).expect("long enough");
    in_three(&message, &near(111 + 128, message.len()), &expected, |parts| {
        let mut hasher = parallel_hash_with_length(message.len() as u64).expect("long enough");
        parts.into_iter().for_each(|part| hasher.update(part).expect("no more than was said"));
        hasher.finish().expect("as much as was said")
    });
}

/// Byte by byte, and at random.
#[test]
fn any_parts() {
    let message = message(10_007);
    for name in ["jlanes-v1-sha256-7", "jpointers-v1-sha512-16", "mh_sha1", "parallel_hash"] {
        let tree = Tree::new(name.parse().expect("a mode"));
        let expected = tree.digest(&message).expect("long enough");
        let mut rng = Rng::new(2);
        for most in [1, 5, 100, 3000] {
            let mut hasher = tree.hasher(Some(message.len() as u64)).expect("long enough");
            let mut rest = &message[..];
            while !rest.is_empty() {
                let part;
                (part, rest) = rest.split_at((1 + rng.below(most)).min(rest.len()));
                hasher.update(part).expect("no more than was said");
            }
            assert_eq!(hasher.finish(), Ok(expected.clone()), "{name}, parts of up to {most} bytes");
        }
    }
}

/// A clone goes its own way.
#[test]
fn clones() {
    let mut hasher = JLanesHasher::<Sha256>::new(16);
    hasher.update(b"ab");
    let mut other = hasher.clone();
    other.update(b"x");
    hasher.update(b"c");
    let j_lanes = JLanes::<Sha256>::new(16);
    assert_eq!((hasher.finish(), other.finish()), (j_lanes.digest(b"abc"), j_lanes.digest(b"abx")));
}
