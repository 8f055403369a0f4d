//! A batch: messages in progress, each with its state and its place.
//!
//! A message consists of a *body* and an *edge*. The body is whole blocks in the caller's memory, which are
//! not copied. The edge is up to two blocks in the batch, before the body (the buffer of an incremental
//! hasher) or after it (the last bytes and padding). Bounds are checked when a message is inserted; from then
//! on a place is one pointer and a count.
//!
//! [`Batch`] is the memory. [`Batch::open`] starts the work on it: [`Open::insert`] messages,
//! [`Open::advance`] some of them, or take [`Open::groups`] from start to end; then read a [`Open::state`].
//! Turns are collected and carried out in one call of the kernel, when their results are needed.

mod alone;
mod around;
mod ends;
mod group;
mod serve;

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;

use crate::Function;
use crate::costs::MAX_DEGREE;
use crate::function::assert_sizes;
use crate::kernel::Kernel;
use crate::masks::has_masks;
use crate::turns::{MOST_BLOCKS, TurnList, list_words};

use ends::{LAST, write_end};

pub use group::{Blocks, Whole};
pub use serve::Next;

/// Number of messages in a batch: 48 of different lengths, of which 32 are in progress, so that 16 lanes stay
/// full, and the others wait for their last turns to be carried out; and a group of 16.
pub const PLACES: usize = 64;

/// Turns of a kernel of 16 lanes that are collected for one call; more for smaller kernels.
const TURNS: usize = 24;

/// The side of the body where a message's edge is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Before,
    After,
}

/// The progress of a message.
#[derive(Clone, Copy)]
struct Place {
    body: *const u8,
    n_body: usize,
    n_edge: usize,
    done_edge: usize,
    side: Side,
}

impl Place {
    /// Blocks left.
    #[inline(always)]
    fn n_left(&self) -> usize {
        self.n_body + self.n_edge - self.done_edge
    }
    /// Returns whether the next block is one of the edge.
    #[inline(always)]
    fn is_at_edge(&self) -> bool {
        match self.side {
            Side::Before => self.done_edge < self.n_edge,
            Side::After => self.n_body == 0,
        }
    }
    /// Blocks that follow one another from the next one on.
    #[inline(always)]
    fn n_run(&self) -> usize {
        if self.is_at_edge() { self.n_edge - self.done_edge } else { self.n_body }
    }
    /// Steps over `n` blocks of this run.
    #[inline(always)]
    fn skip<F: Function>(&mut self, n: usize) {
        if self.is_at_edge() { self.skip_both::<F>(0, n) } else { self.skip_both::<F>(n, 0) }
    }
    /// Steps over blocks of the body, and of the edge.
    #[inline(always)]
    fn skip_both<F: Function>(&mut self, n_body: usize, n_edge: usize) {
        self.done_edge += n_edge;
        self.n_body -= n_body;
        self.body = self.body.wrapping_add(n_body * F::BLOCK_BYTES);
    }
}

/// The memory of a batch, kind by kind. States of neighbours are adjacent, as some kernels require, and
/// neither states nor blocks cross a cache line. In this order, a message's state and edge differ in the low
/// 12 bits of their addresses; otherwise a load waits for a store to the other (25 cycles for a message of
/// one block, Raptor Cove).
#[repr(C, align(64))]
struct Memory<F: Function> {
    states: [MaybeUninit<F::State>; PLACES],
    /// The state of lanes that run idle.
    idle: MaybeUninit<F::State>,
    places: [MaybeUninit<Place>; PLACES],
    edges: [Edges<F>; PLACES],
}

/// The blocks of a message that the batch keeps.
#[repr(C, align(64))]
struct Edges<F: Function> {
    /// Number of bytes that [`write_end`] writes before a rest.
    before: [MaybeUninit<u8>; LAST],
    blocks: [MaybeUninit<F::Block>; 2],
}

/// Room for [`PLACES`] messages of `F`, and what remains of earlier ones.
pub struct Batch<F: Function> {
    memory: MaybeUninit<Memory<F>>,
    /// A bit for each place that has a message.
    filled: u64,
    /// A bit for each place with the state of an ended message, or of an idle lane of its group.
    ended: u64,
}

impl<F: Function> core::fmt::Debug for Batch<F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Batch").field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl<F: Function> Default for Batch<F> {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: pointers are followed by an [`Open`] alone, which borrows their bodies shared.
unsafe impl<F: Function> Send for Batch<F> {}
// SAFETY: as above.
unsafe impl<F: Function> Sync for Batch<F> {}

impl<F: Function> Batch<F> {
    /// Returns an empty batch. Nothing is initialised, so this costs nothing.
    #[inline]
    pub fn new() -> Self {
        const { assert_sizes::<F>() };
        Self { memory: MaybeUninit::uninit(), filled: 0, ended: 0 }
    }

    /// Opens the batch, empty, to work on messages whose bodies live for `'a`. The work is complete only
    /// after a final call of [`Open::carry_out`].
    #[inline]
    pub fn open<'a>(&mut self) -> Open<'_, 'a, F> {
        let Self { memory, filled, ended } = self;
        // The bodies of earlier messages may be gone. Their states and edges stay, until they are wiped.
        *ended |= *filled;
        *filled = 0;
        let memory = memory.as_mut_ptr();
        Open {
            memory,
            filled,
            ended,
            list: TurnList::new(),
            kernel: None,
            waiting: 0,
            on_lanes: 0,
            bodies: PhantomData,
        }
    }

    /// Overwrites every state and edge, in a way that the compiler keeps: for batches that held secrets.
    pub fn wipe(&mut self) {
        let memory = self.memory.as_mut_ptr();
        let written = self.filled | self.ended;
        for place in (0..PLACES).filter(|place| written >> place & 1 == 1) {
            // SAFETY: the batch's own memory, of bytes that may be anything.
            unsafe {
                (&raw mut (*memory).edges[place]).write_bytes(0, 1);
                (*memory).states[place] = MaybeUninit::zeroed();
            }
        }
        // SAFETY: as above.
        unsafe { (*memory).idle = MaybeUninit::zeroed() }
        core::hint::black_box(&mut self.memory);
        (self.filled, self.ended) = (0, 0);
    }
}

/// A batch in use; see the head of the file.
pub struct Open<'b, 'a, F: Function> {
    memory: *mut Memory<F>,
    filled: &'b mut u64,
    ended: &'b mut u64,
    /// Turns that are still to be carried out, on `kernel`.
    list: TurnList<F, { list_words(TURNS) }>,
    kernel: Option<&'static Kernel<F>>,
    /// A bit for each place in one of these turns.
    waiting: u64,
    /// A bit for each place whose message is on a lane ([`Open::serve`]).
    on_lanes: u64,
    bodies: PhantomData<&'a [u8]>,
}

impl<F: Function> core::fmt::Debug for Open<'_, '_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Open").field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl<'a, F: Function> Open<'_, 'a, F> {
    /// Returns the address of block `b` of a place's edge.
    #[inline(always)]
    fn edge(&self, place: usize, b: usize) -> *mut F::Block {
        // SAFETY: inside the batch's memory: every place is less than `PLACES`, and `b` at most 1.
        unsafe {
            let edge = (&raw mut (*self.memory).edges).cast::<Edges<F>>().add(place);
            (&raw mut (*edge).blocks).cast::<F::Block>().add(b)
        }
    }
    /// Returns the address of its state.
    #[inline(always)]
    fn state_at(&self, place: usize) -> *mut F::State {
        // SAFETY: as above.
        unsafe { (&raw mut (*self.memory).states).cast::<F::State>().add(place) }
    }
    /// Returns its progress.
    #[inline(always)]
    fn place(&self, place: usize) -> *mut Place {
        // SAFETY: as above.
        unsafe { (&raw mut (*self.memory).places).cast::<Place>().add(place) }
    }
    /// Returns the address of the next block of its message.
    ///
    /// # Safety
    /// The place was written.
    #[inline(always)]
    unsafe fn next_block(&self, place: usize) -> *const u8 {
        // SAFETY: the caller's contract.
        let at = unsafe { &*self.place(place) };
        if at.is_at_edge() { self.edge(place, at.done_edge).cast() } else { at.body }
    }

    /// Returns the state of lanes that run idle, which has no meaning: here that of the message in `place`.
    ///
    /// # Safety
    /// The place was written.
    #[inline(always)]
    unsafe fn idle_like(&self, place: usize) -> *mut F::State {
        // SAFETY: the caller's contract, and the batch's own memory.
        unsafe {
            let idle = (&raw mut (*self.memory).idle).cast::<F::State>();
            idle.write(*self.state_at(place));
            idle
        }
    }
    /// Returns that state before any message is in the batch.
    #[inline(always)]
    fn idle_state(&self) -> *mut F::State {
        // SAFETY: the batch's own memory.
        unsafe {
            let idle = (&raw mut (*self.memory).idle).cast::<F::State>();
            idle.write(F::ZERO_STATE);
            idle
        }
    }

    /// Puts a message into `place`, replacing the old one. It ends in `n_end` blocks of the batch's own,
    /// which are returned: they hold the rest of `message` after its whole blocks, then zeros.
    ///
    /// # Panics
    /// Panics unless `place` < [`PLACES`], and `n_end` is 1 or 2.
    #[inline(always)]
    pub fn insert(
        &mut self,
        place: usize,
        state: &F::State,
        message: &'a [u8],
        n_end: usize,
    ) -> &mut [F::Block] {
        let (n_body, n_rest) = (message.len() / F::BLOCK_BYTES, message.len() % F::BLOCK_BYTES);
        self.fill(
            place,
            state,
            Place { body: message.as_ptr(), n_body, n_edge: n_end, done_edge: 0, side: Side::After },
        );
        // SAFETY: the batch's memory, in which there is room before the edge; no pending turn uses it.
        unsafe { write_end::<F>(self.edge(place, 0), message, n_rest, n_end, has_masks()) }
    }

    /// Puts a part of a message into `place`, replacing the old one: a block that the batch copies, if there
    /// is one, then `body`.
    ///
    /// # Panics
    /// Panics unless `place` < [`PLACES`], and `body` is whole blocks.
    #[inline(always)]
    pub fn insert_part(&mut self, place: usize, state: &F::State, block: Option<&F::Block>, body: &'a [u8]) {
        let n_body = body.len() / F::BLOCK_BYTES;
        assert!(n_body * F::BLOCK_BYTES == body.len());
        let n_edge = usize::from(block.is_some());
        self.fill(
            place,
            state,
            Place { body: body.as_ptr(), n_body, n_edge, done_edge: 0, side: Side::Before },
        );
        if let Some(block) = block {
            // SAFETY: the batch's memory; no pending turn uses the place.
            unsafe { self.edge(place, 0).write(*block) }
        }
    }

    #[inline(always)]
    fn fill(&mut self, place: usize, state: &F::State, message: Place) {
        assert!(place < PLACES && self.on_lanes >> place & 1 == 0);
        if self.waiting >> place & 1 == 1 {
            self.carry_out();
        }
        *self.filled |= 1 << place;
        // SAFETY: the batch's memory; no pending turn uses the place.
        unsafe {
            self.state_at(place).write(*state);
            self.place(place).write(message);
        }
    }

    /// Returns how many blocks the message in `place` has left.
    ///
    /// # Panics
    /// Panics if no message was put there by [`insert`](Self::insert) or [`insert_part`](Self::insert_part).
    #[inline(always)]
    pub fn n_left(&self, place: usize) -> usize {
        assert!(place < PLACES && *self.filled >> place & 1 == 1);
        // SAFETY: a place that was written.
        unsafe { (*self.place(place)).n_left() }
    }

    /// Returns the state of the message in `place`, after all turns so far.
    ///
    /// # Panics
    /// Panics if no message was put there.
    #[inline(always)]
    pub fn state(&mut self, place: usize) -> &F::State {
        assert!(place < PLACES && (*self.filled | *self.ended) >> place & 1 == 1);
        if self.waiting >> place & 1 == 1 {
            self.carry_out();
        }
        // SAFETY: a place that was written.
        unsafe { &*self.state_at(place) }
    }

    /// Returns the states of the messages in `places`, after all turns so far.
    ///
    /// # Panics
    /// Panics unless messages were put into all of them.
    #[inline(always)]
    pub fn states(&mut self, places: Range<usize>) -> &[F::State] {
        let (first, n) = (places.start, places.len());
        assert!(n >= 1 && places.end <= PLACES);
        let mask = mask_of(first, n);
        assert!((*self.filled | *self.ended) & mask == mask);
        if self.waiting & mask != 0 {
            self.carry_out();
        }
        // SAFETY: places that were written.
        unsafe { core::slice::from_raw_parts(self.state_at(first), n) }
    }

    /// Advances the messages in the places `chosen` by `n_blocks` blocks each on `kernel`. Lanes beyond them
    /// run idle.
    ///
    /// # Panics
    /// Panics unless 1 to degree different places are chosen, each with `n_blocks` or more blocks left.
    #[inline(always)]
    pub fn advance(&mut self, kernel: &'static Kernel<F>, chosen: &[u8], n_blocks: usize) {
        assert!(!chosen.is_empty() && chosen.len() <= kernel.degree());
        let mut mask = 0;
        for &place in chosen {
            let place = usize::from(place);
            assert!(place < PLACES && (*self.filled & !self.on_lanes & !mask) >> place & 1 == 1);
            mask |= 1 << place;
            // SAFETY: a place that was written.
            assert!(unsafe { (*self.place(place)).n_left() } >= n_blocks);
        }
        // SAFETY: as above.
        let idle = unsafe { self.idle_like(chosen[0].into()) };
        let (mut n_left, mut goes_on) = (n_blocks, false);
        while n_left > 0 {
            // SAFETY: places that were written.
            let n_run = |place: &u8| unsafe { (*self.place(usize::from(*place))).n_run() };
            let n_now = chosen.iter().map(n_run).fold(n_left, usize::min);
            // SAFETY: as above.
            let next_block = |place: u8| unsafe { self.next_block(place.into()) };
            let (mut from, mut into) = ([next_block(chosen[0]); MAX_DEGREE], [idle; MAX_DEGREE]);
            for ((from, into), &place) in from.iter_mut().zip(&mut into).zip(chosen) {
                (*from, *into) = (next_block(place), self.state_at(place.into()));
            }
            goes_on = self.push(kernel, mask, n_now, goes_on, |k| (from[k], into[k]));
            for &place in chosen {
                // SAFETY: as above; `n_now` blocks are left in the run.
                unsafe { (*self.place(usize::from(place))).skip::<F>(n_now) }
            }
            n_left -= n_now;
        }
    }

    /// Appends turns in which lane k advances by `n_blocks` blocks, in the layout of [`TurnList::push`]. They
    /// use the places of `mask`, and continue the turns before if requested. Returns whether other turns may
    /// continue them.
    #[inline(always)]
    fn push(
        &mut self,
        kernel: &'static Kernel<F>,
        mask: u64,
        n_blocks: usize,
        mut goes_on: bool,
        lane: impl Fn(usize) -> (*const u8, *mut F::State),
    ) -> bool {
        let mut n_done = 0;
        while n_done < n_blocks {
            goes_on &= !self.make_room(kernel, list_words(1));
            self.waiting |= mask;
            let n_now = MOST_BLOCKS.min(n_blocks - n_done);
            self.list.push(kernel.degree(), n_now, goes_on, |k| {
                let (place, state) = lane(k);
                (place.wrapping_add(n_done * F::BLOCK_BYTES), state)
            });
            (n_done, goes_on) = (n_done + n_now, true);
        }
        goes_on
    }

    /// Makes room for turns of this kernel of so many words; returns whether those before them were carried
    /// out.
    #[inline(always)]
    fn make_room(&mut self, kernel: &'static Kernel<F>, n_words: usize) -> bool {
        let is_other = self.kernel.is_some_and(|other| !core::ptr::eq(other, kernel));
        let is_over = is_other || !self.list.has_room(n_words);
        if is_over {
            self.carry_out();
        }
        self.kernel = Some(kernel);
        is_over
    }

    /// Carries out all turns so far.
    #[inline(never)]
    pub fn carry_out(&mut self) {
        self.waiting = 0;
        if let Some(kernel) = self.kernel {
            // SAFETY: all turns are of this kernel: before another one's are collected, its are carried out.
            // Their places are in bodies, which live for `'a`, and in edges of the batch, whose states are
            // initialised; `self` borrows it.
            unsafe { kernel.carry_out(self.list.take(kernel.degree())) }
        }
    }
}

/// A bit for each of `n` places from `first` on, one of [`PLACES`] at least and all of them at most.
#[inline(always)]
fn mask_of(first: usize, n: usize) -> u64 {
    (!0 >> (PLACES - n)) << first
}
