//! Many equal short messages, of a block at most: Merkle nodes, keys, identifiers.
//!
//! Their padding is the same for all, and where it takes a block of its own, that block's schedule is
//! computed once for all of them.

use hashlanes_isa::{Kernel, Plan, Types};

use crate::ShapeError;
use crate::algorithm::{Algorithm, State};
use crate::error::expect;
use crate::hasher::{Hasher, Midstate};
use crate::padding::{fixed_shape, whole_block};

impl<A: Algorithm> Hasher<A> {
    /// Digests of equal messages: `messages` holds one of `len_bytes` bytes for each digest, one after the other.
    ///
    /// # Errors
    /// [`ShapeError::TooLong`] if a message is longer than a block, [`ShapeError::BufferLength`] if `messages` is
    /// not as long as the digests ask.
    pub fn try_digest_fixed(
        messages: &[u8],
        len_bytes: usize,
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        Self::digest_fixed_by(Plan::BEST, Self::START, messages, len_bytes, digests)
    }

    /// As [`Hasher::try_digest_fixed`].
    ///
    /// # Panics
    /// If a message is longer than a block, or `messages` is not as long as the digests ask.
    #[track_caller]
    pub fn digest_fixed(messages: &[u8], len_bytes: usize, digests: &mut [A::Digest]) {
        expect(Self::try_digest_fixed(messages, len_bytes, digests));
    }

    /// As [`Hasher::digest_fixed`], on one kernel and behind a prefix.
    ///
    /// # Panics
    /// As [`Hasher::digest_fixed`].
    #[track_caller]
    pub fn digest_fixed_on(
        kernel: &'static Kernel<A::Function>,
        start: Midstate<A>,
        messages: &[u8],
        len_bytes: usize,
        digests: &mut [A::Digest],
    ) {
        expect(Self::digest_fixed_by(Plan::only(kernel), start, messages, len_bytes, digests));
    }

    fn digest_fixed_by(
        plan: Plan<A::Function>,
        start: Midstate<A>,
        messages: &[u8],
        len_bytes: usize,
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        if len_bytes > A::BLOCK_BYTES {
            return Err(ShapeError::TooLong { len_bytes, block_bytes: A::BLOCK_BYTES });
        }
        if Some(messages.len()) != len_bytes.checked_mul(digests.len()) {
            let (buffer_bytes, digests) = (messages.len(), digests.len());
            return Err(ShapeError::BufferLength { buffer_bytes, len_bytes, digests });
        }
        if digests.is_empty() {
            return Ok(());
        }
        let shape = fixed_shape(len_bytes, start.n_bytes);
        plan.each_group(digests.len(), 1, |kernel, some| {
            let messages = &messages[some.start * len_bytes..some.end * len_bytes];
            let digests = A::bytes_of(&mut digests[some]);
            kernel.finish_fixed(&start.state, &shape, messages, digests, A::DIGEST_BYTES);
        });
        Ok(())
    }
}

/// Digests of messages that are padded already, a block each.
pub(crate) fn digest_blocks<A: Algorithm>(
    start: &State<A>,
    blocks: &[<A::Function as Types>::Block],
    digests: &mut [A::Digest],
) {
    let shape = whole_block::<A::Function>();
    Plan::<A::Function>::BEST.each_group(digests.len(), 1, |kernel, some| {
        let (blocks, digests) = (&blocks[some.clone()], &mut digests[some]);
        let (blocks, digests) = (A::Function::bytes_of(blocks), A::bytes_of(digests));
        kernel.finish_fixed(start, &shape, blocks, digests, A::DIGEST_BYTES);
    });
}
