//! A batch: messages on their way through the lanes, each with its state and its place.
//!
//! A message is a *body*, whole blocks where the caller has them, which are not copied, and an *edge*: up to
//! two blocks that the batch keeps, before the body (what an incremental hasher had buffered) or after it
//! (padding). Bounds are checked when a message comes in; from then on a place is one pointer and a count.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::kernel::{Kernel, MAX_DEGREE};
use crate::{Function, Pointers};

/// Messages that a batch holds at once: enough that 16 lanes stay full while lengths differ.
pub const SLOTS: usize = 64;

/// Rows that a call through a table takes at most. A table costs a store a block, about 2 % of the work,
/// so it serves the end of messages; the long way there goes without.
const TABLE_ROWS: usize = 16;

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
    /// Blocks that can be read from one place on from here: of the body, before an edge that follows.
    fn n_contiguous(&self) -> usize {
        match self.side {
            Edge::Before if self.done_edge < self.n_edge => 0,
            _ => self.n_body,
        }
    }
    fn n_left(&self) -> usize {
        self.n_body + self.n_edge - self.done_edge
    }
    /// The next block; steps over it.
    fn next(&mut self) -> *const u8 {
        debug_assert!(self.n_left() > 0);
        if self.done_edge < self.n_edge && (self.side == Edge::Before || self.n_body == 0) {
            self.done_edge += 1;
            self.edge[self.done_edge - 1].as_ptr().cast()
        } else {
            self.step(1)
        }
    }
    /// Steps over `n` blocks of the body: where they begin.
    fn step(&mut self, n: usize) -> *const u8 {
        debug_assert!(n <= self.n_body);
        let at = self.body;
        self.body = at.wrapping_add(n * F::BLOCK_BYTES);
        self.n_body -= n;
        at
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

    /// Puts a message into slot `slot`, replacing what was there, and gives the number of its blocks.
    ///
    /// # Panics
    /// Unless `slot` < [`SLOTS`], `body` is whole blocks, and `edge` is two at most.
    #[inline]
    pub fn insert(
        &mut self,
        slot: usize,
        state: F::State,
        body: &'a [u8],
        edge: &[F::Block],
        side: Edge,
    ) -> usize {
        let (n_body, n_edge) = (body.len() / F::BLOCK_BYTES, edge.len());
        assert!(slot < SLOTS && n_edge <= 2 && n_body * F::BLOCK_BYTES == body.len());
        let mut own = [MaybeUninit::uninit(); 2];
        for (own, block) in own.iter_mut().zip(edge) {
            own.write(*block);
        }
        let body = body.as_ptr();
        self.slots[slot].write(Slot { state, body, n_body, edge: own, n_edge, done_edge: 0, side });
        self.filled |= 1 << slot;
        n_body + n_edge
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
        for slot in 0..SLOTS {
            if self.filled >> slot & 1 == 1 {
                let bytes = self.slots[slot].as_mut_ptr().cast::<MaybeUninit<u8>>();
                for i in 0..size_of::<Slot<F>>() {
                    // SAFETY: inside the slot, which is then unfilled: nothing reads it any more.
                    unsafe { bytes.add(i).write_volatile(MaybeUninit::new(0)) }
                }
            }
        }
        self.filled = 0;
    }

    #[inline(always)]
    fn slot(&mut self, slot: usize) -> &mut Slot<F> {
        assert!(self.filled >> slot & 1 == 1);
        // SAFETY: the bit says that it was written.
        unsafe { self.slots[slot].assume_init_mut() }
    }

    /// Advances the messages in the slots `chosen` by `n_blocks` blocks each on `kernel`. Lanes beyond them run idle.
    ///
    /// # Panics
    /// Unless 1 to degree slots are chosen, none twice, and each has so many blocks left.
    pub fn advance(&mut self, kernel: &Kernel<F>, chosen: &[u8], n_blocks: usize) {
        let degree = kernel.degree();
        let live = chosen.len();
        assert!(live >= 1 && live <= degree);
        let mut states = [*self.state(chosen[0].into()); MAX_DEGREE];
        let mut n_contiguous = usize::MAX;
        let mut seen = 0u64;
        for (state, &slot) in states.iter_mut().zip(chosen) {
            let slot_mask = 1u64 << slot;
            let slot = self.slot(slot.into());
            assert!(slot.n_left() >= n_blocks && seen & slot_mask == 0);
            seen |= slot_mask;
            *state = slot.state;
            n_contiguous = n_contiguous.min(slot.n_contiguous());
        }
        let mut left = n_blocks;
        while left > 0 {
            let n;
            if n_contiguous >= left || n_contiguous > TABLE_ROWS {
                n = n_contiguous.min(left);
                self.run_contiguous(kernel, &mut states[..degree], chosen, n);
            } else {
                n = left.min(TABLE_ROWS);
                self.run_table(kernel, &mut states[..degree], chosen, n);
            }
            left -= n;
            n_contiguous = usize::MAX;
            for &slot in chosen {
                n_contiguous = n_contiguous.min(self.slot(slot.into()).n_contiguous());
            }
        }
        for (state, &slot) in states.iter().zip(chosen) {
            self.slot(slot.into()).state = *state;
        }
    }

    fn run_contiguous(&mut self, kernel: &Kernel<F>, states: &mut [F::State], chosen: &[u8], n: usize) {
        let mut rows = [core::ptr::null(); MAX_DEGREE];
        for (row, &slot) in rows.iter_mut().zip(chosen) {
            *row = self.slot(slot.into()).step(n);
        }
        let idle = rows[0];
        rows[chosen.len()..].fill(idle);
        // SAFETY: the bodies have `n` blocks from there, as `advance` found, and live for `'a`.
        let input = unsafe { Pointers::contiguous(&rows[..states.len()], F::BLOCK_BYTES, n) };
        kernel.run(states, input);
    }

    fn run_table(&mut self, kernel: &Kernel<F>, states: &mut [F::State], chosen: &[u8], n: usize) {
        let degree = states.len();
        let mut table = [const { MaybeUninit::uninit() }; TABLE_ROWS * MAX_DEGREE];
        for row in table[..n * degree].chunks_exact_mut(degree) {
            let idle = self.slot(chosen[0].into()).next();
            row[0].write(idle);
            for (block, &slot) in row[1..].iter_mut().zip(&chosen[1..]) {
                block.write(self.slot(slot.into()).next());
            }
            for block in &mut row[chosen.len()..] {
                block.write(idle);
            }
        }
        // SAFETY: the loop wrote the first n rows.
        let rows = unsafe { core::slice::from_raw_parts(table.as_ptr().cast(), n * degree) };
        // SAFETY: each message has `n` blocks left, as `advance` found: of its body, which lives for `'a`,
        // or of its edge, which lives in `self`.
        let input = unsafe { Pointers::table(rows, degree) };
        kernel.run(states, input);
    }
}
