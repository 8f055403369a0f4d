//! Many messages and columns on threads: each hashes a part of them in its lanes.

use rayon::prelude::*;

use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::columns::Column;
use crate::error::same_count;
use crate::hasher::Hasher;
#[cfg(feature = "sha3")]
use crate::keccak::{SpongeHash, SpongeHasher};

/// Bytes, with [`OVERHEAD`] for each message, that a thread hashes at least: in less time than 50
/// microseconds none is woken.
const LEAST_BYTES: usize = 1 << 17;

/// Bytes that take as long as a message's padding.
const OVERHEAD: usize = 64;

/// Messages for a thread at least, so that they fill its lanes.
const LEAST_MESSAGES: usize = 32;

/// Parts for each thread: those that end early take over from others.
const PARTS: usize = 4;

/// Messages in a part, of `n` messages with `n_bytes` bytes.
fn part(n: usize, n_bytes: usize) -> usize {
    let each = n_bytes / n.max(1) + OVERHEAD;
    let least = LEAST_MESSAGES.max(LEAST_BYTES / each);
    least.max(n.div_ceil(PARTS * rayon::current_num_threads()))
}

impl<A: Algorithm> Hasher<A> {
    /// Like [`Hasher::try_digest_many`], on the threads of rayon's current pool.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as messages.
    pub fn try_digest_many_parallel(messages: &[&[u8]], digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "digests", digests.len())?;
        let n =
            part(messages.len(), messages.iter().map(|message| message.len()).fold(0, usize::saturating_add));
        let parts = messages.par_chunks(n).zip(digests.par_chunks_mut(n));
        parts.for_each(|(messages, digests)| Self::digest_many(messages, digests));
        Ok(())
    }

    /// Like [`Hasher::try_digest_column`], on the threads of rayon's current pool.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_digest_column_parallel(
        column: &Column<'_>,
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        column.check("digests", digests.len())?;
        let n = part(digests.len(), column.n_bytes(digests.len()));
        digests.par_chunks_mut(n).enumerate().for_each(|(i, digests)| {
            let rows = n * i..n * i + digests.len();
            Self::digest_checked_column(&column.slice(rows), digests);
        });
        Ok(())
    }
}

#[cfg(feature = "sha3")]
impl<S: SpongeHash> SpongeHasher<S> {
    /// Like [`SpongeHasher::try_digest_many`], on the threads of rayon's current pool.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as messages.
    pub fn try_digest_many_parallel(messages: &[&[u8]], digests: &mut [S::Digest]) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "digests", digests.len())?;
        let n =
            part(messages.len(), messages.iter().map(|message| message.len()).fold(0, usize::saturating_add));
        let parts = messages.par_chunks(n).zip(digests.par_chunks_mut(n));
        parts.for_each(|(messages, digests)| Self::digest_many(messages, digests));
        Ok(())
    }

    /// Like [`SpongeHasher::try_digest_column`], on the threads of rayon's current pool.
    ///
    /// # Errors
    /// A [`ShapeError`] that names the argument and the index.
    pub fn try_digest_column_parallel(
        column: &Column<'_>,
        digests: &mut [S::Digest],
    ) -> Result<(), ShapeError> {
        column.check("digests", digests.len())?;
        let n = part(digests.len(), column.n_bytes(digests.len()));
        digests.par_chunks_mut(n).enumerate().for_each(|(i, digests)| {
            let rows = n * i..n * i + digests.len();
            Self::digest_checked_column(&column.slice(rows), digests);
        });
        Ok(())
    }
}
