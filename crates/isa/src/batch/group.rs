//! Groups: messages of one number of blocks, which go through the lanes side by side, from start to end.

use core::mem::MaybeUninit;

use super::ends::write_end;
use super::{Edges, Open, PLACES, mask_of};
use crate::Function;
use crate::kernel::Kernel;
use crate::masks::has_masks;
use crate::turns::{MOST_BLOCKS, TurnList, group_words};

/// A message of a group.
#[derive(Clone, Copy, Debug)]
pub struct Whole<'s, 'a, F: Function> {
    /// Its initial state.
    pub state: &'s F::State,
    /// Its bytes.
    pub message: &'a [u8],
    /// Number of bytes for the padding.
    pub n_bytes: u64,
}

/// The blocks of messages in groups: those of the body, which are read where the caller has them, then those
/// of the end, which are copied and hold the bytes after the body, and the padding.
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// Blocks of the body.
    pub n_body: usize,
    /// Blocks of the end, 1 or 2.
    pub n_end: usize,
    /// The first messages, so many, have a block more, before the body. Others idle meanwhile.
    pub n_longer: usize,
    /// The ends are all equal, so that of the first message is made for all.
    pub one_end: bool,
}

/// Places of messages: their states and their ends.
#[derive(Clone, Copy)]
pub(super) struct Places<F: Function> {
    pub(super) states: *mut F::State,
    pub(super) edges: *mut Edges<F>,
    /// The state of lanes that idle while others advance a block more.
    pub(super) idle: *mut F::State,
}

impl<F: Function> Places<F> {
    /// Those of message `k`.
    #[inline(always)]
    pub(super) fn of(self, k: usize) -> (*mut F::State, *mut F::Block) {
        let edge = self.edges.wrapping_add(k);
        // SAFETY: an address.
        (self.states.wrapping_add(k), unsafe { (&raw mut (*edge).blocks).cast() })
    }

    /// Where its end is read.
    #[inline(always)]
    pub(super) fn end(self, k: usize, blocks: Blocks) -> *const u8 {
        self.of(if blocks.one_end { 0 } else { k }).1.cast_const().cast()
    }
}

impl<'a, F: Function> Open<'_, 'a, F> {
    /// Processes `n` messages from start to end on `kernel`, in groups of as many as it has lanes, in places
    /// from `first` on, replacing the old ones. Lanes without a message run idle.
    ///
    /// `whole(k)` returns message k. `end(blocks, n_rest, n_bytes)` writes the padding of a message of
    /// `n_bytes` bytes into the blocks of its end, which already hold `n_rest` bytes of it, then zeros.
    ///
    /// # Panics
    /// Panics unless there are messages, and places for them and idle lanes, and the messages have these
    /// blocks.
    #[inline(always)]
    pub fn groups<'s>(
        &mut self,
        kernel: &'static Kernel<F>,
        (first, n): (usize, usize),
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) where
        F: 's,
    {
        let degree = kernel.degree();
        assert!((1..=PLACES).contains(&n));
        let n_lanes = n.next_multiple_of(degree);
        let (places, mask) = self.places(first, n_lanes);
        self.make_room(kernel, group_words(degree, n_lanes / degree));
        // SAFETY: the batch's memory, which no pending turn uses.
        unsafe { places.push_apart(&mut self.list, degree, n, blocks, whole, end) }
        self.waiting |= mask;
        self.will_end(mask);
    }

    /// Returns `n` places from `first` on, which no pending turn uses, and a bit for each.
    ///
    /// # Panics
    /// Panics unless there are so many, at least one, and none of them is on a lane.
    #[inline(always)]
    pub(super) fn places(&mut self, first: usize, n: usize) -> (Places<F>, u64) {
        assert!((1..=PLACES).contains(&n) && first <= PLACES - n);
        let mask = mask_of(first, n);
        assert!(self.on_lanes & mask == 0);
        if self.waiting & mask != 0 {
            self.carry_out();
        }
        let places = Places {
            states: self.state_at(first),
            // SAFETY: inside the batch's memory.
            edges: unsafe { (&raw mut (*self.memory).edges).cast::<Edges<F>>().add(first) },
            idle: self.idle_state(),
        };
        (places, mask)
    }

    /// Notes that the messages in these places end with the turns so far. So do idle lanes: [`Batch::wipe`]
    /// overwrites their states, too.
    ///
    /// [`Batch::wipe`]: super::Batch::wipe
    #[inline(always)]
    pub(super) fn will_end(&mut self, mask: u64) {
        *self.filled &= !mask;
        *self.ended |= mask;
    }
}

impl<F: Function> Places<F> {
    /// Like [`Places::push`], as a function of its own, whose loops have all registers.
    ///
    /// # Safety
    /// As there.
    #[inline(never)]
    unsafe fn push_apart<'s, 'a, const WORDS: usize>(
        self,
        list: &mut TurnList<F, WORDS>,
        degree: usize,
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) where
        F: 's,
    {
        // SAFETY: the caller's contract.
        unsafe { self.push::<PLACES, WORDS>(list, degree, n, blocks, whole, end) }
    }

    /// Writes the states and ends of `n` messages, and of idle lanes, and appends their turns to a list.
    ///
    /// # Panics
    /// Panics unless there are messages, which have these blocks, on at most `LANES` lanes, and room for them
    /// in the list.
    ///
    /// # Safety
    /// There are places for all messages and idle lanes, or the first one's end if they have one. They may be
    /// written, and live as long as the turns.
    #[inline(always)]
    pub(super) unsafe fn push<'s, 'a, const LANES: usize, const WORDS: usize>(
        self,
        list: &mut TurnList<F, WORDS>,
        degree: usize,
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) where
        F: 's,
    {
        let Blocks { n_body, n_end, n_longer, .. } = blocks;
        assert!(n_body <= MOST_BLOCKS && n_longer < degree);
        let mut bodies = [const { MaybeUninit::uninit() }; LANES];
        let n_groups = n.div_ceil(degree);
        let bodies = &mut bodies[..n_groups * degree];
        // SAFETY: the caller's contract.
        let bodies = unsafe { self.write(bodies, n, blocks, whole, end) };
        if n_longer > 0 {
            // The block just before the body. Others read that of the first message.
            list.push(degree, 1, false, |k| {
                let (longer, state) = if k < n_longer { (k, self.of(k).0) } else { (0, self.idle) };
                (bodies[longer].wrapping_sub(F::BLOCK_BYTES), state)
            });
        }
        list.push_groups(degree, n_groups, [n_body, n_end], |k| {
            ([bodies[k], self.end(k, blocks)], self.of(k).0)
        });
    }

    /// Writes the states and ends, and where the messages' bodies begin, which it returns. Idle lanes are
    /// like the first message.
    ///
    /// # Panics
    /// Panics unless there are messages, no more than bodies, and they have these blocks.
    ///
    /// # Safety
    /// As many places may be written as there are bodies, or the first one's end if they have one.
    #[inline(always)]
    pub(super) unsafe fn write<'s, 'a, 'b>(
        self,
        bodies: &'b mut [MaybeUninit<*const u8>],
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) -> &'b [*const u8]
    where
        F: 's,
    {
        // SAFETY: the caller's contract.
        unsafe {
            if blocks.one_end {
                // After the loop, which has fewer values to keep then.
                let bodies = self.write_each(bodies, n, blocks, &whole, |_, _, _, _| ());
                let Whole { message, n_bytes, .. } = whole(0);
                let n_before_end = blocks.n_body + usize::from(blocks.n_longer > 0);
                assert!(message.len() == n_before_end * F::BLOCK_BYTES);
                end(write_end::<F>(self.of(0).1, message, 0, blocks.n_end, false), 0, n_bytes);
                bodies
            } else if has_masks() {
                self.write_by_masks(bodies, n, blocks, whole, end)
            } else {
                self.write_each(bodies, n, blocks, whole, |edge, message, n_rest, n_bytes| {
                    end(write_end::<F>(edge, message, n_rest, blocks.n_end, false), n_rest, n_bytes);
                })
            }
        }
    }

    /// Like [`Places::write`], as a function of its own, whose loop has all registers.
    ///
    /// # Safety
    /// As there, and [`has_masks`] says so.
    #[inline(never)]
    unsafe fn write_by_masks<'s, 'a, 'b>(
        self,
        bodies: &'b mut [MaybeUninit<*const u8>],
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) -> &'b [*const u8]
    where
        F: 's,
    {
        // SAFETY: the caller's contract.
        unsafe {
            self.write_each(bodies, n, blocks, whole, |edge, message, n_rest, n_bytes| {
                end(write_end::<F>(edge, message, n_rest, blocks.n_end, true), n_rest, n_bytes);
            })
        }
    }

    /// Like [`Places::write`], where `end` writes an end.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn write_each<'s, 'a, 'b>(
        self,
        bodies: &'b mut [MaybeUninit<*const u8>],
        n: usize,
        Blocks { n_body, n_end, n_longer, one_end }: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(*mut F::Block, &[u8], usize, u64),
    ) -> &'b [*const u8]
    where
        F: 's,
    {
        assert!((1..=2).contains(&n_end));
        for (k, body) in bodies[..n].iter_mut().enumerate() {
            let Whole { state: start, message, n_bytes } = whole(k);
            let n_ahead = if k < n_longer { F::BLOCK_BYTES } else { 0 };
            // If the body is longer than the message, the rest is longer than any end.
            let n_rest = message.len().wrapping_sub(n_ahead + n_body * F::BLOCK_BYTES);
            assert!(n_rest < n_end * F::BLOCK_BYTES);
            body.write(message.as_ptr().wrapping_add(n_ahead));
            let (state, edge) = self.of(k);
            // SAFETY: the caller's contract; the message has so many bytes.
            unsafe { state.write(*start) }
            end(edge, message, n_rest, n_bytes);
        }
        let (ready, idle) = bodies.split_at_mut(n);
        let (first_state, first_edge) = self.of(0);
        for (k, body) in (n..).zip(idle) {
            *body = ready[0];
            let (state, edge) = self.of(k);
            // SAFETY: the caller's contract, and what was written.
            unsafe {
                state.write(*first_state);
                if !one_end {
                    edge.copy_from_nonoverlapping(first_edge, n_end);
                }
            }
        }
        // SAFETY: all were written.
        unsafe { core::slice::from_raw_parts(bodies.as_ptr().cast(), bodies.len()) }
    }
}
