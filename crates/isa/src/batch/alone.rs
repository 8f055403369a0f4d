//! Messages that are alone in a call: less has to be written down than for a batch.

use core::mem::MaybeUninit;

use super::around::Start;
use super::group::{Blocks, Places, Whole};
use super::{Edges, PLACES, TURNS};
use crate::Function;
use crate::costs::MAX_DEGREE;
use crate::kernel::Kernel;
use crate::turns::{TurnList, group_words, list_words};
use crate::wrap::wraps;

/// The most lanes of groups whose messages end in blocks of their own, and of those that end in one.
const OWN: usize = PLACES;
const ONE: usize = 256;

/// Places of messages that wrap around lanes, 31 at most, and of an idle lane's state.
const AROUND: usize = 2 * MAX_DEGREE;

impl Blocks {
    /// Returns how many lanes groups of such messages may have that are alone in a call.
    #[inline]
    pub fn most_alone(self) -> usize {
        if self.one_end { ONE } else { OWN }
    }
}

/// As in a batch, of so many lanes and edges.
#[repr(C, align(64))]
struct Memory<F: Function, const LANES: usize, const EDGES: usize> {
    states: [MaybeUninit<F::State>; LANES],
    edges: [Edges<F>; EDGES],
}

/// Words for so many lanes, whatever a group's are.
const fn list(n_lanes: usize) -> usize {
    let (one_by_one, at_once) = (group_words(1, n_lanes), group_words(MAX_DEGREE, n_lanes / MAX_DEGREE));
    if one_by_one > at_once { one_by_one } else { at_once }
}

impl<F: Function> Kernel<F> {
    /// Processes `n` messages from start to end, in groups of as many as there are lanes, all in one call.
    /// Then calls `done` with their last states. `whole` and `end` are as for
    /// [`Open::groups`](crate::Open::groups); none is longer than others.
    ///
    /// # Panics
    /// Panics unless there is at least 1 message, the groups have no more than
    /// [so many](Blocks::most_alone) lanes, idle ones included, and the messages have these blocks.
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
        assert!((1..=ONE).contains(&n));
        // Less stack for one large group, or a few small ones.
        if n.next_multiple_of(self.degree()) <= MAX_DEGREE {
            self.on_lanes::<MAX_DEGREE, MAX_DEGREE, { list(MAX_DEGREE) }>(n, blocks, whole, end, done);
        } else {
            self.on_more_lanes(n, blocks, whole, end, done);
        }
    }

    /// A function of its own, for its stack.
    #[inline(never)]
    fn on_more_lanes<'s, 'a>(
        &self,
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
        done: impl FnOnce(&[F::State]),
    ) where
        F: 's,
    {
        if blocks.one_end {
            self.on_lanes::<ONE, 1, { list(ONE) }>(n, blocks, whole, end, done);
        } else {
            self.on_lanes::<OWN, OWN, { list(OWN) }>(n, blocks, whole, end, done);
        }
    }

    /// Processes them in groups with `LANES` lanes at most, whose turns have `WORDS` words at most.
    #[inline(always)]
    fn on_lanes<'s, 'a, const LANES: usize, const EDGES: usize, const WORDS: usize>(
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
        assert!(n >= 1 && n.next_multiple_of(degree) <= LANES && (blocks.one_end || EDGES == LANES));
        let mut memory = MaybeUninit::<Memory<F, LANES, EDGES>>::uninit();
        let memory = memory.as_mut_ptr();
        // SAFETY: the addresses of its parts.
        let (states, edges) =
            unsafe { ((&raw mut (*memory).states).cast::<F::State>(), (&raw mut (*memory).edges).cast()) };
        let mut list = TurnList::<F, WORDS>::new();
        let blocks = Blocks { n_longer: 0, ..blocks };
        let places = Places { states, edges, idle: states };
        // SAFETY: inside the memory, which holds whole groups, and the ends that are written.
        unsafe { places.push::<LANES, WORDS>(&mut list, degree, n, blocks, whole, end) }
        // SAFETY: turns of bodies, which the caller borrows, and of edges and states that were written. Then
        // the states' turns are done.
        unsafe {
            self.carry_out(list.take(degree));
            done(core::slice::from_raw_parts(states, n));
        }
    }

    /// Processes `n` messages from start to end, more than there are lanes, and less than twice as many,
    /// which wrap around the lanes. Then calls `done` with their last states. `whole` and `end` are as for
    /// [`Open::around`](crate::Open::around).
    ///
    /// # Panics
    /// Panics unless their number is such, and they have these blocks, none of them longer than others.
    #[inline(never)]
    pub fn around_alone<'s, 'a>(
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
        assert!(wraps(n, degree) && degree <= MAX_DEGREE);
        let mut memory = MaybeUninit::<Memory<F, AROUND, AROUND>>::uninit();
        let memory = memory.as_mut_ptr();
        let mut list = TurnList::<F, { list_words(TURNS) }>::new();
        // SAFETY: the addresses of its parts. The last state is no message's.
        let places = unsafe {
            let states = (&raw mut (*memory).states).cast::<F::State>();
            let idle = states.add(AROUND - 1);
            idle.write(F::ZERO_STATE);
            Places { states, edges: (&raw mut (*memory).edges).cast(), idle }
        };
        let push = |n_blocks, mut goes_on, (from, into): Start<'_, F>| {
            if !list.has_room(list_words(1)) {
                // SAFETY: turns of bodies, which the caller borrows, and of edges and states that were
                // written.
                unsafe { self.carry_out(list.take(degree)) }
                goes_on = false;
            }
            list.push_lanes(degree, n_blocks, goes_on, from, into);
        };
        // SAFETY: the memory holds fewer messages than twice as many as lanes. Then as above; the states'
        // turns are done.
        unsafe {
            places.around(degree, n, blocks, whole, end, push);
            self.carry_out(list.take(degree));
            done(core::slice::from_raw_parts(places.states, n));
        }
    }
}
