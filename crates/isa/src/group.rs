//! A group: messages of one number of blocks, which go from their first block to their last at once.
//!
//! What a batch ([`Cursors`](crate::Cursors)) keeps so that a message can be put aside and taken up again costs some 100
//! cycles a message, more than the hashing of a short one does on wide lanes. A group keeps none of it.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::Function;
use crate::kernel::{Kernel, MAX_DEGREE};
use crate::runs::{Run, TABLE_ROWS, compress_bodies, compress_runs, zeroed};

/// Up to [`MAX_DEGREE`] messages of `F` of one number of blocks, whose bodies live for `'a`.
pub struct Group<'a, F: Function> {
    lanes: [MaybeUninit<Lane<F>>; MAX_DEGREE],
    states: [MaybeUninit<F::State>; MAX_DEGREE],
    /// The first so many lanes have a message.
    n: usize,
    n_blocks: usize,
    bodies: PhantomData<&'a [u8]>,
}

/// A message: blocks where the caller has them, then blocks of the group's own.
struct Lane<F: Function> {
    body: *const u8,
    n_body: usize,
    end: [MaybeUninit<F::Block>; 2],
}

impl<F: Function> core::fmt::Debug for Group<'_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Group").field("n", &self.n).field("n_blocks", &self.n_blocks).finish_non_exhaustive()
    }
}

impl<'a, F: Function> Group<'a, F> {
    /// An empty group; nothing is initialised, so it costs nothing.
    #[inline]
    pub fn new() -> Self {
        Self {
            lanes: [const { MaybeUninit::uninit() }; MAX_DEGREE],
            states: [MaybeUninit::uninit(); MAX_DEGREE],
            n: 0,
            n_blocks: 0,
            bodies: PhantomData,
        }
    }

    /// Takes a message in: its `body`, and after it `n_end` blocks of the group's own, which are returned, all zeros, to be
    /// written.
    ///
    /// # Panics
    /// Unless there is a lane left, `body` is whole blocks, `n_end` is two at most, and the message has as many blocks as
    /// the others of the group.
    #[inline]
    pub fn push(&mut self, state: F::State, body: &'a [u8], n_end: usize) -> &mut [F::Block] {
        let n_body = body.len() / F::BLOCK_BYTES;
        let n_blocks = n_body + n_end;
        assert!(self.n < MAX_DEGREE && n_end <= 2 && n_body * F::BLOCK_BYTES == body.len());
        assert!(self.n == 0 || n_blocks == self.n_blocks);
        self.n_blocks = n_blocks;
        self.states[self.n].write(state);
        let lane = self.lanes[self.n].as_mut_ptr();
        self.n += 1;
        // SAFETY: inside the lane. Its fields are written one by one, as its end may stay unwritten.
        let end = unsafe {
            (&raw mut (*lane).body).write(body.as_ptr());
            (&raw mut (*lane).n_body).write(n_body);
            &mut (*lane).end
        };
        zeroed::<F>(&mut end[..n_end])
    }

    /// Compresses all messages on `kernel`, in one call if they are short, else in two, and lets them go: their last
    /// states, in the order in which they came in. Lanes beyond them run idle.
    ///
    /// # Panics
    /// If there are more messages than the kernel has lanes, or none.
    #[inline]
    pub fn compress(&mut self, kernel: &Kernel<F>) -> &[F::State] {
        let (n, n_blocks, degree) = (self.n, self.n_blocks, kernel.degree());
        assert!(n > 0 && n <= degree);
        self.n = 0;
        // Idle lanes take the first message.
        let (messages, idle) = self.states[..degree].split_at_mut(n);
        idle.fill(messages[0]);
        // SAFETY: the lanes of messages and the idle ones are written, together `degree`.
        let states =
            unsafe { core::slice::from_raw_parts_mut(self.states.as_mut_ptr().cast::<F::State>(), degree) };
        // SAFETY: the first n lanes were written, but for blocks of their ends that do not count.
        let body = |k: usize| unsafe { ((*self.lanes[k].as_ptr()).body, (*self.lanes[k].as_ptr()).n_body) };
        // Blocks that all take from their bodies before a table serves them.
        let n_whole = if n_blocks > TABLE_ROWS { (0..n).map(|k| body(k).1).min().unwrap_or(0) } else { 0 };
        if n_whole > 0 {
            // SAFETY: so many blocks of messages' bodies, which live for `'a`.
            unsafe { compress_bodies(kernel, states, n_whole, n, |k| body(k).0) }
        }
        if n_blocks > n_whole {
            let runs = |k: usize| {
                let (at, n_body) = body(k);
                let at = at.wrapping_add(n_whole * F::BLOCK_BYTES);
                // SAFETY: inside the lane.
                let end = unsafe { &raw const (*self.lanes[k].as_ptr()).end }.cast();
                [Run { at, n_blocks: n_body - n_whole }, Run { at: end, n_blocks: n_blocks - n_body }]
            };
            // SAFETY: what is left of a message's body, which lives for `'a`, then its end, which lives in `self`: together
            // so many blocks. If bodies went before, that is as many as the longest end has, two at most.
            unsafe { compress_runs(kernel, states, n_blocks - n_whole, n, runs) }
        }
        &states[..n]
    }

    /// Overwrites every state and end, in a way that the compiler keeps: for groups that held secrets.
    pub fn wipe(&mut self) {
        crate::stack::wipe(&mut self.lanes);
        crate::stack::wipe(&mut self.states);
        self.n = 0;
    }
}

impl<F: Function> Default for Group<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}
