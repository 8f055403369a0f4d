//! Hashes after a common prefix: a salt, the byte that distinguishes leaves from nodes, or nothing.
//!
//! ```text
//!   prefix      | whole blocks | rest |                     hashed once: `start`, and `rest` in a buffer
//!   message                           | any length |
//! ```
//!
//! A prefix of whole blocks is a state to start from and costs nothing. A remainder shifts every message
//! against the blocks: its first block is copied.

use arrayvec::ArrayVec;
use hashlanes_isa::Types;
use hashlanes_sha::{Algorithm, Hasher, Midstate};

/// Messages that go through the lanes together: groups enough for every kernel.
pub(crate) const GROUP: usize = 64;
/// The longest block of any hash.
const MAX_BLOCK: usize = 128;

/// HASH(prefix ‖ …).
#[derive(Clone, Debug)]
pub(crate) struct Prefixed<A: Algorithm> {
    /// After the whole prefix.
    hasher: Hasher<A>,
    /// After its whole blocks.
    start: Midstate<A>,
    /// The bytes that are left after them.
    rest: ArrayVec<u8, MAX_BLOCK>,
}

impl<A: Algorithm> Prefixed<A> {
    pub(crate) fn new(prefix: &[u8]) -> Self {
        let (whole, rest) = prefix.split_at(prefix.len() / A::BLOCK_BYTES * A::BLOCK_BYTES);
        let mut hasher = Hasher::new();
        hasher.update(whole);
        let start = hasher.midstate().expect("whole blocks");
        hasher.update(rest);
        Self { hasher, start, rest: rest.iter().copied().collect() }
    }

    /// Returns a plain hasher after the prefix.
    pub(crate) fn hasher(&self) -> Hasher<A> {
        self.hasher.clone()
    }

    /// Digests of one message each.
    pub(crate) fn digest_many(&self, messages: &[&[u8]], digests: &mut [A::Digest]) {
        debug_assert_eq!(messages.len(), digests.len());
        if let ([message], [digest]) = (messages, &mut *digests) {
            let mut hasher = self.hasher();
            hasher.update(message);
            *digest = hasher.finish();
            return;
        }
        Hasher::digest_many_after(&self.start, &self.rest, messages, digests);
    }

    /// Digests of equal messages in consecutive memory.
    pub(crate) fn digest_equal(&self, messages: &[u8], len_bytes: usize, digests: &mut [A::Digest]) {
        debug_assert_eq!(messages.len(), len_bytes * digests.len());
        if self.start.n_bytes() == 0 && self.rest.is_empty() && len_bytes <= A::BLOCK_BYTES {
            return Hasher::<A>::digest_fixed(messages, len_bytes, digests);
        }
        let groups = messages.chunks(len_bytes.saturating_mul(GROUP)).zip(digests.chunks_mut(GROUP));
        for (messages, digests) in groups {
            let messages: ArrayVec<&[u8], GROUP> = messages.chunks_exact(len_bytes).collect();
            self.digest_many(&messages, digests);
        }
    }

    /// Returns the digest of a message, filled with zeros to `len_bytes`.
    pub(crate) fn digest_zero_filled(&self, message: &[u8], len_bytes: usize) -> A::Digest {
        let mut hasher = self.hasher();
        hasher.update(message);
        update_zeros(&mut hasher, len_bytes - message.len());
        hasher.finish()
    }
}

/// Absorbs a number of zeros.
pub(crate) fn update_zeros<A: Algorithm>(hasher: &mut Hasher<A>, n_bytes: usize) {
    const ZEROS: [u8; 4096] = [0; 4096];
    let mut left = n_bytes;
    while left > 0 {
        let n = left.min(ZEROS.len());
        hasher.update(&ZEROS[..n]);
        left -= n;
    }
}

const _: () = assert!(<hashlanes_sha::algorithms::Sha512 as Algorithm>::BLOCK_BYTES <= MAX_BLOCK);
const _: () = assert!(<hashlanes_sha::sha512::Compression as Types>::BLOCK_BYTES == MAX_BLOCK);
