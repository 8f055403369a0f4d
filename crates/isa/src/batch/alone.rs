//! A few messages that are alone in a call: less has to be written down than for a batch.

use core::mem::MaybeUninit;

use super::Edges;
use super::ends::{Whole, write_whole};
use crate::Function;
use crate::costs::MAX_DEGREE;
use crate::kernel::Kernel;
use crate::turns::{TurnList, list_words};

/// As in a batch, of fewer messages.
#[repr(C, align(64))]
struct Memory<F: Function> {
    states: [MaybeUninit<F::State>; MAX_DEGREE],
    edges: [Edges<F>; MAX_DEGREE],
}

/// Words of two turns of each group: four for each of 16 lanes, and two for each group, of which there are at
/// most 16.
const LIST: usize = list_words(3);
const _: () = assert!(LIST >= 4 * MAX_DEGREE + 2 * MAX_DEGREE);

impl<F: Function> Kernel<F> {
    /// Processes `n` messages from start to end, in groups of as many as there are lanes, all in one call.
    /// Then calls `done` with their last states. All bodies are equally long, and all ends; `whole` and `end`
    /// are as for [`Open::group`](crate::Open::group).
    ///
    /// # Panics
    /// Panics unless there is at least 1 message, and the groups have no more than 16 lanes, idle ones
    /// included; unless each message has the blocks of its body, and ends in 1 or 2 blocks that have room for
    /// the rest; if they are not alike, or have more blocks than a turn.
    #[inline(always)]
    pub fn groups_alone<'s, 'a>(
        &self,
        n: usize,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&Whole<'s, 'a, F>, &mut [F::Block]),
        done: impl FnOnce(&[F::State]),
    ) where
        F: 's,
    {
        let degree = self.degree();
        assert!((1..=MAX_DEGREE).contains(&n) && n.next_multiple_of(degree) <= MAX_DEGREE);
        let mut memory = MaybeUninit::<Memory<F>>::uninit();
        let memory = memory.as_mut_ptr();
        // SAFETY: the addresses of its parts.
        let (states, edges) = unsafe {
            ((&raw mut (*memory).states).cast::<F::State>(), (&raw mut (*memory).edges).cast::<Edges<F>>())
        };
        let Whole { message: first, n_body, n_end, .. } = whole(0);
        let mut list = TurnList::<F, LIST>::new();
        let lane = |i: usize| {
            // SAFETY: inside the memory: `i` is less than 16.
            let (state, edge) = unsafe { (states.add(i), &raw mut (*edges.add(i)).blocks) };
            if i >= n {
                // A lane that runs idle reads what the first one does.
                // SAFETY: as above, and a state that was written.
                let edge = unsafe {
                    state.write(*states);
                    &raw const (*edges).blocks
                };
                return ([first.as_ptr(), edge.cast()], state);
            }
            let whole = whole(i);
            assert!(whole.n_body == n_body && whole.n_end == n_end);
            // SAFETY: as above; there is room before the edge.
            unsafe { write_whole::<F>(state, edge.cast(), &whole, &end) }
            ([whole.message.as_ptr(), edge.cast_const().cast()], state)
        };
        for from in (0..n).step_by(degree) {
            list.push_two(degree, [n_body, n_end], |k| lane(from + k));
        }
        // SAFETY: turns of bodies, which the caller borrows, and of edges and states that were written. Then
        // the states' turns are done.
        unsafe {
            self.carry_out(list.take(degree));
            done(core::slice::from_raw_parts(states, n));
        }
    }
}
