//! A group: short messages of one number of blocks, which go from their first block to their last in one call.
//!
//! What a batch ([`Cursors`](crate::Cursors)) keeps so that a message can be put aside and taken up again costs some 100
//! cycles a message, more than the hashing of a short one does on wide lanes. A group keeps none of it.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::kernel::{Kernel, MAX_DEGREE};
use crate::{Function, Pointers};

/// The most blocks that a group's messages have.
pub const SHORT: usize = 8;

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
    /// the others of the group, at most [`SHORT`].
    #[inline]
    pub fn push(&mut self, state: F::State, body: &'a [u8], n_end: usize) -> &mut [F::Block] {
        let n_body = body.len() / F::BLOCK_BYTES;
        let n_blocks = n_body + n_end;
        assert!(self.n < MAX_DEGREE && n_end <= 2 && n_body * F::BLOCK_BYTES == body.len());
        assert!(n_blocks <= SHORT && (self.n == 0 || n_blocks == self.n_blocks));
        self.n_blocks = n_blocks;
        self.states[self.n].write(state);
        let lane = self.lanes[self.n].as_mut_ptr();
        self.n += 1;
        // SAFETY: inside the lane. Its fields are written one by one, for of its end only the blocks that count are; so
        // those are a slice.
        unsafe {
            (&raw mut (*lane).body).write(body.as_ptr());
            (&raw mut (*lane).n_body).write(n_body);
            let end = (&raw mut (*lane).end).cast::<F::Block>();
            for i in 0..n_end {
                end.add(i).write(F::ZERO_BLOCK);
            }
            core::slice::from_raw_parts_mut(end, n_end)
        }
    }

    /// Compresses all messages, on one call of `kernel`, and lets them go: their last states, in the order in which they
    /// came in. Lanes beyond them run idle.
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
        let mut table = [const { MaybeUninit::<*const u8>::uninit() }; SHORT * MAX_DEGREE];
        let table = &mut table[..n_blocks * degree];
        for k in 0..degree {
            let lane = self.lanes[if k < n { k } else { 0 }].as_ptr();
            // SAFETY: the first n lanes were written, but for blocks of their ends that do not count.
            let (body, n_body, end) = unsafe { ((*lane).body, (*lane).n_body, &raw const (*lane).end) };
            for (b, row) in table.chunks_exact_mut(degree).enumerate() {
                let (at, b) = if b < n_body { (body, b) } else { (end.cast(), b - n_body) };
                row[k].write(at.wrapping_add(b * F::BLOCK_BYTES));
            }
        }
        // SAFETY: the loop wrote all of it.
        let rows = unsafe { core::slice::from_raw_parts(table.as_ptr().cast(), table.len()) };
        // SAFETY: a block of a message's body, which lives for `'a`, or of its end, which lives in `self`.
        let input = unsafe { Pointers::table(rows, degree) };
        // SAFETY: the lanes of messages and the idle ones are written, together `degree`.
        let states =
            unsafe { core::slice::from_raw_parts_mut(self.states.as_mut_ptr().cast::<F::State>(), degree) };
        if n_blocks > 0 {
            kernel.run(states, input);
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
