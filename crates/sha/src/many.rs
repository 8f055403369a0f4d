//! Many messages at once: whole ones, parts of them, and their ends.

use hashlanes_isa::{Cursors, Edge, Group, Kernel, MAX_DEGREE};

use crate::ShapeError;
use crate::algorithm::{Algorithm, State, digest_of};
use crate::engine::{Best, Choice, Messages, Secrecy, advance_all};
use crate::error::{expect, same_count};
use crate::md::{Hasher, Midstate, n_end_blocks, pad};
use crate::whole::{Slices, digest_all, next_group};

/// Parts of messages, to their hashers.
struct Parts<'p, 'h, 'a, A: Algorithm> {
    parts: &'p mut [(&'h mut Hasher<A>, &'a [u8])],
    index: usize,
}

impl<'a, A: Algorithm> Messages<'a, A::Function> for Parts<'_, '_, 'a, A> {
    fn next(&mut self, slots: &mut Cursors<'a, A::Function>, slot: usize) -> Option<(usize, usize)> {
        while let Some((hasher, part)) = self.parts.get_mut(self.index) {
            let index = self.index;
            self.index += 1;
            let taken = hasher.take(part);
            let block = taken.block.as_slice();
            let n_blocks = block.len() + taken.body.len() / A::BLOCK_BYTES;
            if n_blocks > 0 {
                slots
                    .insert(slot, hasher.state, taken.body, block.len(), Edge::Before)
                    .copy_from_slice(block);
                return Some((index, n_blocks));
            }
        }
        None
    }

    fn done(&mut self, index: usize, state: &State<A>) {
        self.parts[index].0.state = *state;
    }
}

/// The digests of what hashers took, `hasher(i)` for `digests[i]`: their ends are of one block or of two, and go through in
/// groups.
pub(crate) fn end_all<'h, A: Algorithm>(
    choice: impl Choice<A::Function>,
    hasher: impl Fn(usize) -> &'h Hasher<A>,
    digests: &mut [A::Digest],
) {
    let n = digests.len();
    let mut group = Group::new();
    let mut end = |kernel: &Kernel<A::Function>, waiting: &[usize], n_blocks| {
        for hasher in waiting.iter().map(|&i| hasher(i)) {
            pad::<A::Function>(group.push(hasher.state, &[], n_blocks), hasher.rest(), hasher.n_bytes);
        }
        for (state, &i) in group.compress(kernel).iter().zip(waiting) {
            digests[i] = digest_of::<A>(state);
        }
    };
    for n_blocks in [1, 2] {
        let mut waiting = [0; MAX_DEGREE];
        let mut n_waiting = 0;
        let (widest, n_lanes) = next_group(choice, MAX_DEGREE, n_blocks);
        for i in 0..n {
            if n_end_blocks::<A::Function>(hasher(i).buffered()) == n_blocks {
                waiting[n_waiting] = i;
                n_waiting += 1;
                if n_waiting == n_lanes {
                    end(widest, &waiting[..n_waiting], n_blocks);
                    n_waiting = 0;
                }
            }
        }
        while n_waiting > 0 {
            let (kernel, n_lanes) = next_group(choice, n_waiting, n_blocks);
            n_waiting -= n_lanes;
            end(kernel, &waiting[n_waiting..][..n_lanes], n_blocks);
        }
    }
}

impl<A: Algorithm> Hasher<A> {
    /// Digests of whole messages, any number of any lengths: `digests[i]` is that of `messages[i]`.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as messages.
    pub fn try_digest_many(messages: &[&[u8]], digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        Self::digest_many_by(Best, messages, digests)
    }

    /// As [`Hasher::try_digest_many`].
    ///
    /// # Panics
    /// Unless there are as many digests as messages.
    #[track_caller]
    pub fn digest_many(messages: &[&[u8]], digests: &mut [A::Digest]) {
        expect(Self::try_digest_many(messages, digests));
    }

    /// As [`Hasher::digest_many`], on one kernel whatever the number of messages.
    ///
    /// # Panics
    /// Unless there are as many digests as messages.
    #[track_caller]
    pub fn digest_many_on(
        kernel: &'static Kernel<A::Function>,
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) {
        expect(Self::digest_many_by(kernel, messages, digests));
    }

    fn digest_many_by(
        choice: impl Choice<A::Function>,
        messages: &[&[u8]],
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "digests", digests.len())?;
        let done = |index: usize, digest| digests[index] = digest;
        digest_all(choice, Self::START, &Slices(messages), Secrecy::Public, done);
        Ok(())
    }

    /// As [`Hasher::digest_many`], each message behind a prefix of its own, on `kernel` if there is one: `digests[i]` is
    /// that of what led to `starts[i]`, then `messages[i]`.
    ///
    /// # Panics
    /// Unless there are as many starts and digests as messages.
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
        let done = |index: usize, digest| digests[index] = digest;
        match kernel {
            Some(kernel) => digest_all(kernel, starts, &Slices(messages), Secrecy::Public, done),
            None => digest_all(Best, starts, &Slices(messages), Secrecy::Public, done),
        }
    }

    /// As [`Hasher::update_many`], of what may be secret.
    pub(crate) fn update_many_of(secrecy: Secrecy, parts: &mut [(&mut Self, &[u8])]) {
        advance_all(Best, &mut Parts { parts, index: 0 }, secrecy);
    }

    /// Gives each hasher the part beside it; all advance together. Any number, any lengths.
    ///
    /// The table chooses the kernels, also for hashers made by [`Hasher::with_kernel`].
    pub fn update_many(parts: &mut [(&mut Self, &[u8])]) {
        Self::update_many_of(Secrecy::Public, parts);
    }

    /// As [`Hasher::update_many`], on one kernel.
    pub fn update_many_on(kernel: &'static Kernel<A::Function>, parts: &mut [(&mut Self, &[u8])]) {
        advance_all(kernel, &mut Parts { parts, index: 0 }, Secrecy::Public);
    }

    /// Digests of what each hasher took: `digests[i]` is that of `hashers[i]`, which is then as new.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as hashers.
    pub fn try_finish_many(hashers: &mut [Self], digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        Self::finish_many_by(Best, hashers, digests)
    }

    /// As [`Hasher::try_finish_many`].
    ///
    /// # Panics
    /// Unless there are as many digests as hashers.
    #[track_caller]
    pub fn finish_many(hashers: &mut [Self], digests: &mut [A::Digest]) {
        expect(Self::try_finish_many(hashers, digests));
    }

    /// As [`Hasher::finish_many`], on one kernel.
    ///
    /// # Panics
    /// Unless there are as many digests as hashers.
    #[track_caller]
    pub fn finish_many_on(
        kernel: &'static Kernel<A::Function>,
        hashers: &mut [Self],
        digests: &mut [A::Digest],
    ) {
        expect(Self::finish_many_by(kernel, hashers, digests));
    }

    fn finish_many_by(
        choice: impl Choice<A::Function>,
        hashers: &mut [Self],
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        same_count("hashers", hashers.len(), "digests", digests.len())?;
        end_all(choice, |i| &hashers[i], digests);
        for hasher in hashers {
            *hasher = Self::with_kernel(hasher.kernel());
        }
        Ok(())
    }
}
