//! A few messages that are alone in a call: less has to be written down than for a batch.

use core::mem::MaybeUninit;

use super::Edges;
use super::group::{Blocks, Places, Whole};
use crate::Function;
use crate::costs::MAX_DEGREE;
use crate::kernel::Kernel;
use crate::turns::{TurnList, group_words};

/// As in a batch, of fewer messages.
#[repr(C, align(64))]
struct Memory<F: Function> {
    states: [MaybeUninit<F::State>; MAX_DEGREE],
    edges: [Edges<F>; MAX_DEGREE],
}

/// Words for 16 lanes, as many groups as there may be.
const LIST: usize = group_words(MAX_DEGREE, 1);
const _: () = assert!(LIST >= group_words(1, MAX_DEGREE));

impl<F: Function> Kernel<F> {
    /// Processes `n` messages from start to end, in groups of as many as there are lanes, all in one call.
    /// Then calls `done` with their last states. `whole` and `end` are as for
    /// [`Open::groups`](crate::Open::groups); none is longer than others.
    ///
    /// # Panics
    /// Panics unless there is at least 1 message, the groups have no more than 16 lanes, idle ones included,
    /// and the messages have these blocks.
    #[inline(always)]
    pub fn groups_alone<'s, 'a>(
        &self,
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
        done: impl FnOnce(&[F::State]),
    ) where
        F: 's,
    {
        let degree = self.degree();
        assert!((1..=MAX_DEGREE).contains(&n) && n.next_multiple_of(degree) <= MAX_DEGREE);
        let mut memory = MaybeUninit::<Memory<F>>::uninit();
        let memory = memory.as_mut_ptr();
        // SAFETY: the addresses of its parts.
        let (states, edges) =
            unsafe { ((&raw mut (*memory).states).cast::<F::State>(), (&raw mut (*memory).edges).cast()) };
        let mut list = TurnList::<F, LIST>::new();
        let blocks = Blocks { n_longer: 0, ..blocks };
        // SAFETY: inside the memory, which holds whole groups.
        unsafe { Places { states, edges, idle: states }.push(&mut list, degree, n, blocks, whole, end) }
        // SAFETY: turns of bodies, which the caller borrows, and of edges and states that were written. Then
        // the states' turns are done.
        unsafe {
            self.carry_out(list.take(degree));
            done(core::slice::from_raw_parts(states, n));
        }
    }
}
