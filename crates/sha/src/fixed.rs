//! Many equal short messages, of a block at most: Merkle nodes, keys, identifiers.
//!
//! Their padding is the same for all, and where it takes a block of its own, that block's schedule is
//! computed once for all of them.

use hashlanes_isa::{Function, Kernel, MAX_DEGREE};

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::error::expect;
use crate::md::{Hasher, Midstate, fixed_shape};

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
        let kernel = A::Function::table().best(digests.len(), digests.len().div_ceil(MAX_DEGREE));
        Self::digest_fixed_by(kernel, Self::START, messages, len_bytes, digests)
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
        expect(Self::digest_fixed_by(kernel, start, messages, len_bytes, digests));
    }

    fn digest_fixed_by(
        kernel: &'static Kernel<A::Function>,
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
        kernel.finish_fixed(&start.state, &shape, messages, A::bytes_of(digests), A::DIGEST_BYTES);
        Ok(())
    }
}
