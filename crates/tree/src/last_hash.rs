//! The last hash: that of the digests of all lanes or slices.

use arrayvec::ArrayVec;
use hashlanes_sha::{Algorithm, Hasher, Midstate};

use crate::algorithm::Forced;

/// A hasher after a prefix.
pub(crate) fn hasher_from<A: Algorithm>(kernel: Forced<A>, midstate: Midstate<A>) -> Hasher<A> {
    match kernel {
        Some(kernel) => Hasher::from_midstate_on(kernel, midstate),
        None => Hasher::from_midstate(midstate),
    }
}

/// HASH(prefix ‖ digests one after another).
pub(crate) fn wrap<A: Algorithm>(
    kernel: Forced<A>,
    prefix: Midstate<A>,
    digests: impl Iterator<Item = A::Digest>,
) -> A::Digest {
    /// The digests of 16 lanes, with the length of the longest digest.
    const PART: usize = 16 * 64;
    let mut hasher = hasher_from(kernel, prefix);
    let mut part = ArrayVec::<u8, PART>::new();
    for digest in digests {
        if part.try_extend_from_slice(digest.as_ref()).is_err() {
            hasher.update(&part);
            part.clear();
            part.try_extend_from_slice(digest.as_ref()).expect("room for 16");
        }
    }
    hasher.update(&part);
    hasher.finish()
}
