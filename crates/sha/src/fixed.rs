//! Many messages of one length: Merkle nodes, keys, identifiers, block headers, pages.
//!
//! The padding is the same for all. Of messages of a block at most, it is prepared once, and where it takes a
//! block of its own, that block's schedule is computed once. Longer messages go through as any of one number
//! of blocks.

use arrayvec::ArrayVec;
use hashlanes_isa::{Kernel, Plan};

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::compiled::Compiled;
use crate::error::{expect, same_length};
use crate::hasher::{Hasher, Midstate};
use crate::many::{BATCH, InPlace, Secrecy, Starts, digest_equal};
use crate::padding::fixed_shape;

impl<A: Algorithm> Hasher<A> {
    /// Digests of equal messages: `messages` holds one of `len_bytes` bytes for each digest, one after the
    /// other.
    ///
    /// # Errors
    /// [`ShapeError::BufferLength`] if `messages` is not `len_bytes` times as long as `digests`.
    pub fn try_digest_fixed(
        messages: &[u8],
        len_bytes: usize,
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        Self::digest_fixed_by(Plan::BEST, Self::START, messages, len_bytes, digests)
    }

    /// Like [`Hasher::try_digest_fixed`].
    ///
    /// # Panics
    /// Panics if `messages` is not `len_bytes` times as long as `digests`.
    #[track_caller]
    pub fn digest_fixed(messages: &[u8], len_bytes: usize, digests: &mut [A::Digest]) {
        expect(Self::try_digest_fixed(messages, len_bytes, digests));
    }

    /// Like [`Hasher::digest_fixed`], on one kernel and after a prefix.
    ///
    /// # Panics
    /// Like [`Hasher::digest_fixed`].
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
        same_length(("messages", messages.len()), len_bytes, ("digests", digests.len()))?;
        if digests.is_empty() {
            return Ok(());
        }
        if len_bytes > A::BLOCK_BYTES {
            let start = Starts::One(&start.state, start.n_bytes);
            for (messages, digests) in messages.chunks(BATCH * len_bytes).zip(digests.chunks_mut(BATCH)) {
                let messages: ArrayVec<&[u8], BATCH> = messages.chunks_exact(len_bytes).collect();
                A::Function::digest_all(
                    plan,
                    start,
                    &messages,
                    Secrecy::Public,
                    &mut InPlace::new(A::bytes_of(digests), A::DIGEST_BYTES),
                );
            }
            return Ok(());
        }
        let shape = fixed_shape(len_bytes, start.n_bytes);
        let digests = A::bytes_of(digests);
        digest_equal(plan, &start.state, &shape, messages, digests, A::DIGEST_BYTES);
        Ok(())
    }
}
