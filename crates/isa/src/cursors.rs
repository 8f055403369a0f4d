//! A batch: messages on their way through the lanes, each with its state and its place.
//!
//! A message is a *body*, whole blocks where the caller has them, which are not copied, and an *edge*: up to
//! two blocks that the batch keeps, before the body (what an incremental hasher had buffered) or after it
//! (padding). Bounds are checked when a message comes in; from then on a place is one pointer and a count.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::Function;
use crate::kernel::{Kernel, MAX_DEGREE};
use crate::runs::{Run, TABLE_ROWS, compress_bodies, compress_runs, zeroed};

/// Messages that a batch holds at once: enough that 16 lanes stay full while lengths differ.
pub const SLOTS: usize = 32;

/// The side of the body on which a message's own blocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Before the body: bytes that were buffered.
    Before,
    /// After the body: padding.
    After,
}

/// A message's place.
#[derive(Clone, Copy)]
struct Slot<F: Function> {
    state: F::State,
    body: *const u8,
    n_body: usize,
    /// The first `n_edge` are there.
    edge: [MaybeUninit<F::Block>; 2],
    n_edge: usize,
    done_edge: usize,
    side: Edge,
}

impl<F: Function> Slot<F> {
    /// What is left: the blocks of the side that comes first, then those of the other.
    #[inline(always)]
    fn runs(&self) -> [Run; 2] {
        let body = Run { at: self.body, n_blocks: self.n_body };
        let edge = self.edge.as_ptr().wrapping_add(self.done_edge).cast();
        let edge = Run { at: edge, n_blocks: self.n_edge - self.done_edge };
        match self.side {
            Edge::Before => [edge, body],
            Edge::After => [body, edge],
        }
    }
    /// Blocks left.
    #[inline(always)]
    fn n_left(&self) -> usize {
        self.n_body + self.n_edge - self.done_edge
    }
    /// Blocks that can be read from one place of the body on from here.
    #[inline(always)]
    fn n_contiguous(&self) -> usize {
        match self.side {
            Edge::Before if self.done_edge < self.n_edge => 0,
            _ => self.n_body,
        }
    }
    /// Steps over `n` blocks.
    #[inline(always)]
    fn skip(&mut self, n: usize) {
        debug_assert!(n <= self.n_left());
        let of_edge = match self.side {
            Edge::Before => n.min(self.n_edge - self.done_edge),
            Edge::After => n - n.min(self.n_body),
        };
        self.done_edge += of_edge;
        self.n_body -= n - of_edge;
        self.body = self.body.wrapping_add((n - of_edge) * F::BLOCK_BYTES);
    }
}

/// Up to [`SLOTS`] messages of `F`, whose bodies live for `'a`.
pub struct Cursors<'a, F: Function> {
    slots: [MaybeUninit<Slot<F>>; SLOTS],
    /// Which slots were ever filled: only those are read.
    filled: u64,
    bodies: PhantomData<&'a [u8]>,
}

// SAFETY: its pointers are those of slices that live for `'a` and are only read, as `&'a [u8]`, which can be sent.
unsafe impl<F: Function> Send for Cursors<'_, F> {}

impl<F: Function> core::fmt::Debug for Cursors<'_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Cursors").field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl<F: Function> Default for Cursors<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'a, F: Function> Cursors<'a, F> {
    /// An empty batch; nothing is initialised, so it costs nothing.
    #[inline]
    pub fn new() -> Self {
        Self { slots: [MaybeUninit::uninit(); SLOTS], filled: 0, bodies: PhantomData }
    }

    /// Puts a message into slot `slot`, replacing what was there: `body`, and on that `side` of it `n_edge` blocks of the
    /// batch's own, which are returned, all zeros, to be written.
    ///
    /// # Panics
    /// Unless `slot` < [`SLOTS`], `body` is whole blocks, and `n_edge` is two at most.
    #[inline]
    pub fn insert(
        &mut self,
        slot: usize,
        state: F::State,
        body: &'a [u8],
        n_edge: usize,
        side: Edge,
    ) -> &mut [F::Block] {
        let n_body = body.len() / F::BLOCK_BYTES;
        assert!(slot < SLOTS && n_edge <= 2 && n_body * F::BLOCK_BYTES == body.len());
        self.filled |= 1 << slot;
        let slot = self.slots[slot].as_mut_ptr();
        // SAFETY: inside the slot. Its fields are written one by one, as a whole one would be copied here with all its
        // edge, which may stay unwritten.
        let edge = unsafe {
            (&raw mut (*slot).state).write(state);
            (&raw mut (*slot).body).write(body.as_ptr());
            (&raw mut (*slot).n_body).write(n_body);
            (&raw mut (*slot).n_edge).write(n_edge);
            (&raw mut (*slot).done_edge).write(0);
            (&raw mut (*slot).side).write(side);
            &mut (*slot).edge
        };
        zeroed::<F>(&mut edge[..n_edge])
    }

    /// The state of the message in `slot`.
    ///
    /// # Panics
    /// If no message was put there.
    #[inline]
    pub fn state(&mut self, slot: usize) -> &F::State {
        &self.slot(slot).state
    }

    /// Overwrites every state and edge, in a way that the compiler keeps: for batches that held secrets.
    pub fn wipe(&mut self) {
        for slot in (0..SLOTS).filter(|slot| self.filled >> slot & 1 == 1) {
            crate::stack::wipe(core::slice::from_mut(&mut self.slots[slot]));
        }
        self.filled = 0;
    }

    #[inline(always)]
    fn slot(&mut self, slot: usize) -> &mut Slot<F> {
        assert!(slot < SLOTS && self.filled >> slot & 1 == 1);
        // SAFETY: the bit says that it was written.
        unsafe { self.slots[slot].assume_init_mut() }
    }

    /// Advances the messages in the slots `chosen` by `n_blocks` blocks each on `kernel`. Lanes beyond them run idle.
    ///
    /// # Panics
    /// Unless 1 to degree slots are chosen, none twice, and each has so many blocks left.
    pub fn advance(&mut self, kernel: &Kernel<F>, chosen: &[u8], n_blocks: usize) {
        let degree = kernel.degree();
        assert!(!chosen.is_empty() && chosen.len() <= degree);
        let mut lanes = [core::ptr::null_mut::<Slot<F>>(); MAX_DEGREE];
        let mut states = [const { MaybeUninit::<F::State>::uninit() }; MAX_DEGREE];
        let mut n_contiguous = usize::MAX;
        // All slots by one pointer: one made from a reference to its slot would end with the next such reference.
        let slots = self.slots.as_mut_ptr().cast::<Slot<F>>();
        let mut not_yet = self.filled;
        for ((lane, state), &slot) in lanes.iter_mut().zip(&mut states).zip(chosen) {
            let slot = usize::from(slot);
            assert!(slot < SLOTS && not_yet >> slot & 1 == 1);
            not_yet &= !(1 << slot);
            // SAFETY: inside the array; the bit says that it was written.
            let message = unsafe {
                *lane = slots.add(slot);
                &**lane
            };
            assert!(message.n_left() >= n_blocks);
            state.write(message.state);
            n_contiguous = n_contiguous.min(message.n_contiguous());
        }
        // Idle lanes take the first message.
        let (messages, idle) = states[..degree].split_at_mut(chosen.len());
        idle.fill(messages[0]);
        // SAFETY: the lanes of messages and the idle ones are written, together `degree`.
        let states =
            unsafe { core::slice::from_raw_parts_mut(states.as_mut_ptr().cast::<F::State>(), degree) };

        let lanes = &lanes[..chosen.len()];
        let mut left = n_blocks;
        while left > 0 {
            let n;
            if n_contiguous >= left || n_contiguous > TABLE_ROWS {
                n = n_contiguous.min(left);
                // SAFETY: slots of this batch, in each of whose bodies `n` blocks are left.
                unsafe { run_contiguous(kernel, states, lanes, n) };
            } else {
                n = left.min(TABLE_ROWS);
                // SAFETY: slots of this batch, in each of which `n` blocks are left, as the loop above found.
                unsafe { run_table(kernel, states, lanes, n) };
            }
            left -= n;
            n_contiguous = usize::MAX;
            for &lane in lanes {
                // SAFETY: a slot of this batch, to which no reference is left; no two lanes are one.
                let slot = unsafe { &mut *lane };
                slot.skip(n);
                n_contiguous = n_contiguous.min(slot.n_contiguous());
            }
        }
        for (&lane, state) in lanes.iter().zip(states) {
            // SAFETY: as above.
            unsafe { (*lane).state = *state };
        }
    }
}

/// Compresses `n` blocks of each lane's body.
///
/// # Safety
/// The lanes are slots of a batch, and in each of their bodies so many blocks are left.
#[inline]
unsafe fn run_contiguous<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    lanes: &[*mut Slot<F>],
    n: usize,
) {
    // SAFETY: the caller's contract; bodies live as long as the batch.
    unsafe { compress_bodies(kernel, states, n, lanes.len(), |k| (*lanes[k]).body) }
}

/// Compresses the next `n` blocks of each lane, at most [`TABLE_ROWS`], of its body or its edge.
///
/// # Safety
/// The lanes are slots of a batch, and in each of them so many blocks are left.
#[inline]
unsafe fn run_table<F: Function>(
    kernel: &Kernel<F>,
    states: &mut [F::State],
    lanes: &[*mut Slot<F>],
    n: usize,
) {
    // SAFETY: the caller's contract; bodies live as long as the batch, and edges in it.
    unsafe { compress_runs(kernel, states, n, lanes.len(), |k| (*lanes[k]).runs()) }
}
