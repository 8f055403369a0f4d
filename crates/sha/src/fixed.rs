//! Many equal short messages, of a block at most: Merkle nodes, keys, identifiers.
//!
//! Their padding is the same for all, and where it takes a block of its own, that block's schedule is
//! computed once for all of them.

use core::ops::Range;

use hashlanes_isa::{Function, Kernel, MAX_DEGREE};

use crate::ShapeError;
use crate::algorithm::{Algorithm, State};
use crate::engine::{Best, Choice, Live};
use crate::error::expect;
use crate::md::{Hasher, Midstate, fixed_shape, whole_block};

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
        Self::digest_fixed_by(Best, Self::START, messages, len_bytes, digests)
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
        choice: impl Choice<A::Function>,
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
        in_groups(choice, digests.len(), |kernel, some| {
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
    blocks: &[<A::Function as Function>::Block],
    digests: &mut [A::Digest],
) {
    let shape = whole_block::<A::Function>();
    in_groups(Best, digests.len(), |kernel, some| {
        let (blocks, digests) = (&blocks[some.clone()], &mut digests[some]);
        let (blocks, digests) = (A::Function::bytes_of(blocks), A::bytes_of(digests));
        kernel.finish_fixed(start, &shape, blocks, digests, A::DIGEST_BYTES);
    });
}

/// Which kernel takes which of `n` equal short messages: whole groups, then what is left over in smaller ones.
pub(crate) fn in_groups<F: Function>(
    choice: impl Choice<F>,
    n: usize,
    mut call: impl FnMut(&'static Kernel<F>, Range<usize>),
) {
    let mut from = 0;
    while from < n {
        let n_left = n - from;
        let kernel = choice.kernel_of_group(Live { n: n_left, n_blocks: n_left.div_ceil(MAX_DEGREE) });
        let in_whole_groups = n_left / kernel.degree() * kernel.degree();
        let n_now = if in_whole_groups > 0 { in_whole_groups } else { n_left };
        call(kernel, from..from + n_now);
        from += n_now;
    }
}
