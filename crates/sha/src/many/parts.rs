//! Many messages that are hashed in parts: their next parts, and their ends.

use core::ops::Range;

use hashlanes_isa::{Function, Groups, Kernel, Open, PLACES, Plan};

use super::call::{Digests, InPlace, Secrecy, States};
use super::group::{Group, Tail, blocks, in_groups};
use super::window::{Messages, let_through, with_batch};
use crate::ShapeError;
use crate::algorithm::{Algorithm, State};
use crate::error::{expect, same_count};
use crate::hasher::Hasher;
use crate::padding::n_end_blocks;
use crate::progress::Progress;

/// Parts of messages, to their hashers.
struct Parts<'p, 'h, 'a, A: Algorithm> {
    parts: &'p mut [(&'h mut Hasher<A>, &'a [u8])],
    index: usize,
}

impl<'a, A: Algorithm> Messages<'a, A::Function> for Parts<'_, '_, 'a, A> {
    fn next(
        &mut self,
        batch: &mut Open<'_, 'a, A::Function>,
        place: usize,
        _: Range<usize>,
    ) -> Option<(usize, usize)> {
        while let Some((hasher, part)) = self.parts.get_mut(self.index) {
            let index = self.index;
            self.index += 1;
            let taken = hasher.progress.take(part);
            let block = taken.block.as_ref();
            let n_blocks = usize::from(block.is_some()) + taken.body.len() / A::BLOCK_BYTES;
            if n_blocks > 0 {
                batch.insert_part(place, &hasher.progress.state, block, taken.body);
                return Some((index, n_blocks));
            }
        }
        None
    }

    fn done(&mut self, index: usize, state: &State<A>) {
        self.parts[index].0.progress.state = *state;
    }
}

/// Passes each hasher its part; all advance together. Its batch's stack memory does not add up with that of
/// [`end_all`].
#[inline(never)]
pub(crate) fn update_all<A: Algorithm>(
    plan: Plan<A::Function>,
    secrecy: Secrecy,
    parts: &mut [(&mut Hasher<A>, &[u8])],
) {
    with_batch(secrecy, |batch| let_through(plan, batch, &mut Parts { parts, index: 0 }));
}

/// Writes the digests of `n` messages, of which `progress(i)` is what was absorbed of message i. Their ends
/// are of one block or of two, and go through in groups.
#[inline(never)]
pub(crate) fn end_all<'p, F: Function>(
    plan: Plan<F>,
    secrecy: Secrecy,
    n: usize,
    progress: &dyn Fn(usize) -> &'p Progress<F>,
    digests: &mut dyn States<F>,
) {
    with_batch(secrecy, |batch| {
        for n_blocks in [1, 2] {
            let is_of = |i: &usize| n_end_blocks::<F>(progress(*i).buffered()) == n_blocks;
            let mut ending = (0..n).filter(is_of);
            loop {
                // As many messages as fit into the batch.
                let (mut numbers, mut n) = ([0; PLACES], 0);
                for (number, i) in numbers.iter_mut().zip(&mut ending) {
                    (*number, n) = (i, n + 1);
                }
                if n == 0 {
                    break;
                }
                let mut groups = Groups::new(plan, n_blocks);
                in_groups(
                    batch,
                    0..PLACES,
                    n,
                    |at, n_places| {
                        let (kernel, n) = groups.next_ones(at, n - at, n_places);
                        Group { kernel, n, blocks: blocks::<F>(n_blocks, 0) }
                    },
                    |k| {
                        let progress = progress(numbers[k]);
                        let rest = progress.rest();
                        Tail {
                            state: &progress.state,
                            n_before: progress.n_bytes.wrapping_sub(rest.len() as u64),
                            message: rest,
                        }
                    },
                    |first, states| {
                        for (state, &i) in states.iter().zip(&numbers[first..]) {
                            digests.put(i, state);
                        }
                    },
                );
            }
        }
    });
}

impl<A: Algorithm> Hasher<A> {
    /// Updates each hasher with its part; all advance together. Any number, any lengths.
    ///
    /// The table chooses the kernels, also for hashers made by [`Hasher::with_kernel`].
    pub fn update_many(parts: &mut [(&mut Self, &[u8])]) {
        update_all(Plan::BEST, Secrecy::Public, parts);
    }

    /// Like [`Hasher::update_many`], on one kernel.
    pub fn update_many_on(kernel: &'static Kernel<A::Function>, parts: &mut [(&mut Self, &[u8])]) {
        update_all(Plan::only(kernel), Secrecy::Public, parts);
    }

    /// Writes the digests of the hashers' input: `digests[i]` is that of `hashers[i]`, which then starts
    /// anew.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as hashers.
    pub fn try_finish_many(hashers: &mut [Self], digests: &mut [A::Digest]) -> Result<(), ShapeError> {
        Self::finish_many_by(Plan::BEST, hashers, digests)
    }

    /// Like [`Hasher::try_finish_many`].
    ///
    /// # Panics
    /// Panics unless there are as many digests as hashers.
    #[track_caller]
    pub fn finish_many(hashers: &mut [Self], digests: &mut [A::Digest]) {
        expect(Self::try_finish_many(hashers, digests));
    }

    /// Like [`Hasher::finish_many`], on one kernel.
    ///
    /// # Panics
    /// Panics unless there are as many digests as hashers.
    #[track_caller]
    pub fn finish_many_on(
        kernel: &'static Kernel<A::Function>,
        hashers: &mut [Self],
        digests: &mut [A::Digest],
    ) {
        expect(Self::finish_many_by(Plan::only(kernel), hashers, digests));
    }

    fn finish_many_by(
        plan: Plan<A::Function>,
        hashers: &mut [Self],
        digests: &mut [A::Digest],
    ) -> Result<(), ShapeError> {
        same_count("hashers", hashers.len(), "digests", digests.len())?;
        let into = &mut Digests(&mut InPlace::new(A::bytes_of(digests), A::DIGEST_BYTES));
        end_all(plan, Secrecy::Public, hashers.len(), &|i| &hashers[i].progress, into);
        for hasher in hashers {
            *hasher = Self::with_kernel(hasher.kernel());
        }
        Ok(())
    }
}
