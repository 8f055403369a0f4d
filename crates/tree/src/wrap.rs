//! The last hash: that of the digests of all lanes or slices.

use arrayvec::ArrayVec;
use hashlanes_isa::{Function, Word};
use hashlanes_sha::{Algorithm, Hasher, Midstate};

use crate::algorithm::{Forced, State};

/// A hasher behind a prefix.
pub(crate) fn hasher_from<A: Algorithm>(kernel: Forced<A>, midstate: Midstate<A>) -> Hasher<A> {
    match kernel {
        Some(kernel) => Hasher::from_midstate_on(kernel, midstate),
        None => Hasher::from_midstate(midstate),
    }
}

/// HASH(prefix ‖ digests one after the other).
pub(crate) fn wrap<A: Algorithm>(
    kernel: Forced<A>,
    prefix: Midstate<A>,
    digests: impl Iterator<Item = A::Digest>,
) -> A::Digest {
    /// The digests of 16 lanes, of the longest that there are.
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

/// The first bytes of a state, big-endian: a lane's digest.
pub(crate) fn digest_of<A: Algorithm>(state: &State<A>) -> A::Digest {
    let mut digest = A::ZERO_DIGEST;
    let words = digest.as_mut().chunks_mut(<A::Function as Function>::Word::BYTES);
    for (bytes, word) in words.zip(state.as_ref()) {
        word.put_be(bytes);
    }
    digest
}
