//! A batch: messages on their way through the lanes, each with its state and its place.
//!
//! A message is a *body*, whole blocks where the caller has them, which are not copied, and an *edge*: up to two blocks that
//! the batch keeps, before the body (what an incremental hasher had buffered) or after it (padding). Bounds are checked when
//! a message comes in; from then on a place is one pointer and a count.
//!
//! [`Batch`] is the memory. [`Batch::open`] gives the way to work on it: [`Open::insert`] messages, [`Open::advance`] some of
//! them, read a [`Open::state`]. Turns are collected and carried out in one call of the kernel, when their results are
//! needed.

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ops::Range;

use crate::Function;
use crate::function::assert_sizes;
use crate::kernel::{Kernel, MAX_DEGREE};
use crate::turns::{MOST_BLOCKS, TurnList, list_words, or_idle};

/// Messages that a batch holds at once: 32 on their way, so that 16 lanes stay full while lengths differ, and as many whose
/// last turns are still to be carried out.
pub const PLACES: usize = 64;

/// Turns of a kernel of 16 lanes that are collected for one call; of smaller ones more.
const TURNS: usize = 24;

/// The side of the body on which a message's own blocks stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// Before the body: bytes that were buffered.
    Before,
    /// After the body: padding.
    After,
}

/// How far a message is.
#[derive(Clone, Copy)]
struct Place {
    body: *const u8,
    n_body: usize,
    n_edge: usize,
    done_edge: usize,
    side: Edge,
}

impl Place {
    /// Blocks left.
    #[inline(always)]
    fn n_left(&self) -> usize {
        self.n_body + self.n_edge - self.done_edge
    }
    /// Whether the next block is one of the edge.
    #[inline(always)]
    fn is_at_edge(&self) -> bool {
        match self.side {
            Edge::Before => self.done_edge < self.n_edge,
            Edge::After => self.n_body == 0,
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
        if self.is_at_edge() {
            self.done_edge += n;
        } else {
            self.n_body -= n;
            self.body = self.body.wrapping_add(n * F::BLOCK_BYTES);
        }
    }
}

/// What a batch keeps of its messages, kind by kind: states of neighbours are side by side, as some kernels want them, and
/// neither states nor blocks cross a cache line. In this order, a message's state and edge differ in the low 12 bits of their
/// addresses: otherwise a load waits for a store to the other (25 cycles for a message of one block, Golden Cove).
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
struct Edges<F: Function>([MaybeUninit<F::Block>; 2]);

/// Room for [`PLACES`] messages of `F`, whose bodies live for `'a`.
pub struct Batch<'a, F: Function> {
    memory: MaybeUninit<Memory<F>>,
    /// A bit for each place that was written.
    filled: u64,
    bodies: PhantomData<&'a [u8]>,
}

impl<F: Function> core::fmt::Debug for Batch<'_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Batch").field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl<F: Function> Default for Batch<'_, F> {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: the pointers are to bodies, borrowed shared for `'a`.
unsafe impl<F: Function> Send for Batch<'_, F> {}
// SAFETY: as above.
unsafe impl<F: Function> Sync for Batch<'_, F> {}

impl<'a, F: Function> Batch<'a, F> {
    /// An empty batch; nothing is initialised, so it costs nothing.
    #[inline]
    pub fn new() -> Self {
        const { assert_sizes::<F>() };
        Self { memory: MaybeUninit::uninit(), filled: 0, bodies: PhantomData }
    }

    /// Opens the batch to work on it. What was advanced counts when [`Open::carry_out`] was called at the end.
    #[inline]
    pub fn open(&mut self) -> Open<'_, 'a, F> {
        let (memory, filled) = (self.memory.as_mut_ptr(), &mut self.filled);
        Open { memory, filled, list: TurnList::new(), kernel: None, waiting: 0, bodies: PhantomData }
    }

    /// Overwrites every state and edge, in a way that the compiler keeps: for batches that held secrets.
    pub fn wipe(&mut self) {
        let memory = self.memory.as_mut_ptr();
        for place in (0..PLACES).filter(|place| self.filled >> place & 1 == 1) {
            // SAFETY: the batch's own memory, of bytes that may be anything.
            unsafe {
                (*memory).edges[place].0 = [MaybeUninit::zeroed(); 2];
                (*memory).states[place] = MaybeUninit::zeroed();
            }
        }
        // SAFETY: as above.
        unsafe { (*memory).idle = MaybeUninit::zeroed() }
        core::hint::black_box(&mut self.memory);
        self.filled = 0;
    }
}

/// A batch that is worked on; see the head of the file.
pub struct Open<'b, 'a, F: Function> {
    memory: *mut Memory<F>,
    filled: &'b mut u64,
    /// Turns that are still to be carried out, on `kernel`.
    list: TurnList<F, { list_words(TURNS) }>,
    kernel: Option<&'static Kernel<F>>,
    /// A bit for each place in one of these turns.
    waiting: u64,
    bodies: PhantomData<&'a [u8]>,
}

impl<F: Function> core::fmt::Debug for Open<'_, '_, F> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Open").field("filled", &self.filled).finish_non_exhaustive()
    }
}

impl<'a, F: Function> Open<'_, 'a, F> {
    /// Where a place's edge is.
    #[inline(always)]
    fn edge(&self, place: usize) -> *mut F::Block {
        // SAFETY: inside the batch's memory: every place is less than `PLACES`.
        unsafe { (&raw mut (*self.memory).edges).cast::<[F::Block; 2]>().add(place).cast() }
    }
    /// Where its state is.
    #[inline(always)]
    fn state_at(&self, place: usize) -> *mut F::State {
        // SAFETY: as above.
        unsafe { (&raw mut (*self.memory).states).cast::<F::State>().add(place) }
    }
    /// Where it stands.
    #[inline(always)]
    fn place(&self, place: usize) -> *mut Place {
        // SAFETY: as above.
        unsafe { (&raw mut (*self.memory).places).cast::<Place>().add(place) }
    }
    /// Where the next block of its message is.
    ///
    /// # Safety
    /// The place was written.
    #[inline(always)]
    unsafe fn next_block(&self, place: usize) -> *const u8 {
        // SAFETY: the caller's contract.
        let at = unsafe { &*self.place(place) };
        if at.is_at_edge() { self.edge(place).wrapping_add(at.done_edge).cast() } else { at.body }
    }

    /// The state of lanes that run idle, which has no meaning: here that of the message in `place`.
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

    /// Puts a message into `place`, replacing what was there: `body`, and on that `side` of it `n_edge` blocks of the batch's
    /// own, which are returned, all zeros, to be written.
    ///
    /// # Panics
    /// Unless `place` < [`PLACES`], `body` is whole blocks, and `n_edge` is two at most.
    #[inline(always)]
    pub fn insert(
        &mut self,
        place: usize,
        state: &F::State,
        body: &'a [u8],
        n_edge: usize,
        side: Edge,
    ) -> &mut [F::Block] {
        let n_body = body.len() / F::BLOCK_BYTES;
        assert!(place < PLACES && n_edge <= 2 && n_body * F::BLOCK_BYTES == body.len());
        if self.waiting >> place & 1 == 1 {
            self.carry_out();
        }
        *self.filled |= 1 << place;
        // SAFETY: the batch's memory, of a place that no turn that waits uses.
        unsafe {
            self.state_at(place).write(*state);
            self.place(place).write(Place { body: body.as_ptr(), n_body, n_edge, done_edge: 0, side });
            let edge = self.edge(place);
            for i in 0..n_edge {
                edge.add(i).write(F::ZERO_BLOCK);
            }
            core::slice::from_raw_parts_mut(edge, n_edge)
        }
    }

    /// The state of the message in `place`, after all turns so far.
    ///
    /// # Panics
    /// If no message was put there.
    #[inline(always)]
    pub fn state(&mut self, place: usize) -> &F::State {
        assert!(place < PLACES && *self.filled >> place & 1 == 1);
        if self.waiting >> place & 1 == 1 {
            self.carry_out();
        }
        // SAFETY: a place that was written.
        unsafe { &*self.state_at(place) }
    }

    /// The states of the messages in `places`, after all turns so far.
    ///
    /// # Panics
    /// Unless messages were put into all of them.
    #[inline(always)]
    pub fn states(&mut self, places: Range<usize>) -> &[F::State] {
        let (first, n) = (places.start, places.len());
        assert!(n >= 1 && places.end <= PLACES);
        let mask = (!0 >> (PLACES - n)) << first;
        assert!(*self.filled & mask == mask);
        if self.waiting & mask != 0 {
            self.carry_out();
        }
        // SAFETY: places that were written.
        unsafe { core::slice::from_raw_parts(self.state_at(first), n) }
    }

    /// Advances the messages in the places `chosen` by `n_blocks` blocks each on `kernel`. Lanes beyond them run idle.
    ///
    /// # Panics
    /// Unless 1 to degree places are chosen, none twice, and each has so many blocks left.
    #[inline(always)]
    pub fn advance(&mut self, kernel: &'static Kernel<F>, chosen: &[u8], n_blocks: usize) {
        let degree = kernel.degree();
        assert!(!chosen.is_empty() && chosen.len() <= degree);
        if self.kernel.is_some_and(|other| !core::ptr::eq(other, kernel)) {
            self.carry_out();
        }
        self.kernel = Some(kernel);
        let mut mask = 0;
        for &place in chosen {
            let place = usize::from(place);
            assert!(place < PLACES && (*self.filled & !mask) >> place & 1 == 1);
            mask |= 1 << place;
            // SAFETY: a place that was written.
            assert!(unsafe { (*self.place(place)).n_left() } >= n_blocks);
        }
        let (mut n_left, mut goes_on) = (n_blocks, false);
        while n_left > 0 {
            // SAFETY: places that were written.
            let n_run = |place: &u8| unsafe { (*self.place(usize::from(*place))).n_run() };
            let n_now = chosen.iter().map(n_run).fold(n_left.min(MOST_BLOCKS), usize::min);
            if !self.list.has_room(1, degree) {
                self.carry_out();
                goes_on = false;
            }
            let first = usize::from(chosen[0]);
            // SAFETY: as above.
            let idle = unsafe { (self.next_block(first), self.idle_like(first)) };
            let mut lanes = [idle; MAX_DEGREE];
            for (lane, &place) in lanes.iter_mut().zip(chosen) {
                // SAFETY: as above.
                *lane = unsafe { (self.next_block(usize::from(place)), self.state_at(usize::from(place))) };
            }
            self.list.push(degree, n_now, goes_on, |k| lanes[k]);
            self.waiting |= mask;
            for &place in chosen {
                // SAFETY: as above; `n_now` blocks are left in the run.
                unsafe { (*self.place(usize::from(place))).skip::<F>(n_now) }
            }
            (n_left, goes_on) = (n_left - n_now, true);
        }
    }

    /// Takes the messages in `places`, one after the other, from where they are to their ends on `kernel`: as
    /// [`advance`](Self::advance), of messages that all have `n_blocks` blocks left and no edge before their bodies.
    ///
    /// # Panics
    /// As [`advance`](Self::advance), and if a message has more blocks left.
    #[inline(always)]
    pub fn end(&mut self, kernel: &'static Kernel<F>, places: Range<usize>, n_blocks: usize) {
        let (degree, n, first) = (kernel.degree(), places.len(), places.start);
        assert!(n >= 1 && n <= degree && places.end <= PLACES);
        let mask = (!0 >> (PLACES - n)) << first;
        assert!(*self.filled & mask == mask);
        if self.kernel.is_some_and(|other| !core::ptr::eq(other, kernel)) || !self.list.has_room(2, degree) {
            self.carry_out();
        }
        // SAFETY: places that were written, to which there is no other reference.
        let all = unsafe { core::slice::from_raw_parts_mut(self.place(first), n) };
        let (mut most, mut least) = (0, usize::MAX);
        for Place { n_body, n_edge, done_edge, side, .. } in &*all {
            assert!(n_body + n_edge - done_edge == n_blocks && *side == Edge::After);
            (most, least) = (most.max(*n_body), least.min(*n_body));
        }
        if most != least || most > MOST_BLOCKS {
            let mut chosen = [0; MAX_DEGREE];
            for (chosen, place) in chosen.iter_mut().zip(places) {
                *chosen = place as u8;
            }
            return self.advance(kernel, &chosen[..n], n_blocks);
        }
        self.kernel = Some(kernel);
        self.waiting |= mask;
        let (edges, states) = (self.edge(first), self.state_at(first));
        // SAFETY: a place that was written.
        let idle = unsafe { self.idle_like(first) };
        if most > 0 {
            let body = |k: usize| (all[k].body, states.wrapping_add(k));
            self.list.push(degree, most, false, or_idle(n, idle, body));
        }
        if n_blocks > most {
            let edge = |k: usize| {
                let block = edges.wrapping_add(2 * k + all[k].done_edge).cast_const();
                (block.cast(), states.wrapping_add(k))
            };
            self.list.push(degree, n_blocks - most, most > 0, or_idle(n, idle, edge));
        }
        for place in all {
            (place.n_body, place.n_edge, place.done_edge) = (0, 0, 0);
        }
    }

    /// Carries out all turns so far.
    #[inline(never)]
    pub fn carry_out(&mut self) {
        self.waiting = 0;
        if let Some(kernel) = self.kernel {
            // SAFETY: all turns are of this kernel: before another one's are collected, its are carried out. Their places are
            // in bodies, which live for `'a`, and in edges of the batch, whose states are initialised; `self` borrows it.
            unsafe { self.list.carry_out(kernel) }
        }
    }
}
