//! Many whole messages: the methods of [`Hasher`].

use hashlanes_isa::{Kernel, Plan};

use super::{InPlace, Prefix, Secrecy, Starts};
use crate::ShapeError;
use crate::algorithm::Algorithm;
use crate::compiled::Compiled;
use crate::error::{expect, same_count};
use crate::hasher::{Hasher, Midstate};

impl<A: Algorithm> Hasher<A> {
    /// Digests of whole messages, any number of any lengths: `digests[i]` is that of `messages[i]`.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as messages.
    pub fn try_digest_many(messages: &[&[u8]], digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        Self::digest_many_by(Plan::BEST, messages, digests)
    }

    /// Like [`Hasher::try_digest_many`].
    ///
    /// # Panics
    /// Panics unless there are as many digests as messages.
    #[track_caller]
    pub fn digest_many(messages: &[&[u8]], digests: &mut [A::Digest]) {
        expect(Self::try_digest_many(messages, digests));
    }

    /// Like [`Hasher::digest_many`], always on one kernel.
    ///
    /// # Panics
    /// Panics unless there are as many digests as messages.
    #[track_caller]
    pub fn digest_many_on(
        kernel: &'static Kernel<A::Function>,
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) {
        expect(Self::digest_many_by(Plan::only(kernel), messages, digests));
    }

    fn digest_many_by(
        plan: Plan<A::Function>,
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "digests", digests.len())?;
        // Alone, it has no lanes.
        if let ([message], None) = (messages, plan.forced()) {
            A::Function::digest(&A::H0, message, A::bytes_of(digests));
            return Ok(());
        }
        let digests = &mut InPlace::new(A::bytes_of(digests), A::DIGEST_BYTES);
        A::Function::digest_all(plan, Starts::One(&A::H0, 0), messages, Secrecy::Public, digests);
        Ok(())
    }

    /// Like [`Hasher::digest_many`], each message after a prefix of its own, on `kernel` if given:
    /// `digests[i]` is the digest of the input that led to `starts[i]`, followed by `messages[i]`.
    ///
    /// # Panics
    /// Panics unless there are as many starts and digests as messages.
    #[doc(hidden)]
    #[track_caller]
    pub fn digest_many_from(
        kernel: Option<&'static Kernel<A::Function>>,
        starts: &[Midstate<A>],
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) {
        expect(same_count("messages", messages.len(), "digests", digests.len()));
        expect(same_count("messages", messages.len(), "starts", starts.len()));
        A::Function::digest_all(
            kernel.into(),
            Starts::Each(&|i| (&starts[i].state, starts[i].n_bytes)),
            messages,
            Secrecy::Public,
            &mut InPlace::new(A::bytes_of(digests), A::DIGEST_BYTES),
        );
    }

    /// Like [`Hasher::digest_many`], all messages after one prefix: the input that led to `start`, then
    /// `rest`.
    ///
    /// # Panics
    /// Panics unless there are as many digests as messages, and `rest` is shorter than a block.
    #[doc(hidden)]
    #[track_caller]
    pub fn digest_many_after(
        start: &Midstate<A>,
        rest: &[u8],
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) {
        expect(same_count("messages", messages.len(), "digests", digests.len()));
        assert!(rest.len() < A::BLOCK_BYTES, "the rest of a prefix is shorter than a block");
        let prefix = Prefix { start: &start.state, n_before: start.n_bytes, rest };
        A::Function::digest_after(&prefix, messages, A::bytes_of(digests), A::DIGEST_BYTES);
    }
}
