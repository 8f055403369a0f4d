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
use crate::kernel::{Kernel, MAX_DEGREE};
use crate::turns::{MOST_BLOCKS, TurnList, list_words};

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

/// A message on its way.
struct Place<F: Function> {
    state: F::State,
    body: *const u8,
    n_body: usize,
    /// The first `n_edge` were written; those before `done_edge` are compressed.
    edge: [MaybeUninit<F::Block>; 2],
    n_edge: usize,
    done_edge: usize,
    side: Edge,
}

impl<F: Function> Place<F> {
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
    /// Where the next block is.
    #[inline(always)]
    fn at(&self) -> *const u8 {
        if self.is_at_edge() { self.edge.as_ptr().wrapping_add(self.done_edge).cast() } else { self.body }
    }
    /// Blocks that follow one another from there.
    #[inline(always)]
    fn n_run(&self) -> usize {
        if self.is_at_edge() { self.n_edge - self.done_edge } else { self.n_body }
    }
    /// Steps over `n` blocks of this run.
    #[inline(always)]
    fn skip(&mut self, n: usize) {
        if self.is_at_edge() {
            self.done_edge += n;
        } else {
            self.n_body -= n;
            self.body = self.body.wrapping_add(n * F::BLOCK_BYTES);
        }
    }
}

/// Room for [`PLACES`] messages of `F`, whose bodies live for `'a`.
pub struct Batch<'a, F: Function> {
    places: [MaybeUninit<Place<F>>; PLACES],
    /// The state of lanes that run idle.
    idle: MaybeUninit<F::State>,
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

// SAFETY: the pointers are to bodies, borrowed shared for `'a`, and into the batch's own places while it is open.
unsafe impl<F: Function> Send for Batch<'_, F> {}
// SAFETY: as above.
unsafe impl<F: Function> Sync for Batch<'_, F> {}

impl<'a, F: Function> Batch<'a, F> {
    /// An empty batch; nothing is initialised, so it costs nothing.
    #[inline]
    pub fn new() -> Self {
        let (places, idle) = ([const { MaybeUninit::uninit() }; PLACES], MaybeUninit::uninit());
        Self { places, idle, filled: 0, bodies: PhantomData }
    }

    /// Opens the batch to work on it. What was advanced counts when [`Open::carry_out`] was called at the end.
    #[inline]
    pub fn open(&mut self) -> Open<'_, 'a, F> {
        let idle = self.idle.as_mut_ptr();
        let (places, filled) = (self.places.as_mut_ptr().cast(), &mut self.filled);
        Open { places, idle, filled, list: TurnList::new(), kernel: None, waiting: 0, bodies: PhantomData }
    }

    /// Overwrites every state and edge, in a way that the compiler keeps: for batches that held secrets.
    pub fn wipe(&mut self) {
        for place in (0..PLACES).filter(|place| self.filled >> place & 1 == 1) {
            crate::stack::wipe(core::slice::from_mut(&mut self.places[place]));
        }
        crate::stack::wipe(core::slice::from_mut(&mut self.idle));
        self.filled = 0;
    }
}

/// A batch that is worked on; see the head of the file.
pub struct Open<'b, 'a, F: Function> {
    places: *mut Place<F>,
    idle: *mut F::State,
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
        // SAFETY: one of the batch's places, which no turn that waits uses. Its fields are written one by one, as a whole one
        // would be copied here with all its edge, which may stay unwritten.
        unsafe {
            let place = self.places.add(place);
            let edge = (&raw mut (*place).edge).cast::<F::Block>();
            for i in 0..n_edge {
                edge.add(i).write(F::ZERO_BLOCK);
            }
            (&raw mut (*place).state).write(*state);
            (&raw mut (*place).body).write(body.as_ptr());
            (&raw mut (*place).n_body).write(n_body);
            (&raw mut (*place).n_edge).write(n_edge);
            (&raw mut (*place).done_edge).write(0);
            (&raw mut (*place).side).write(side);
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
        // SAFETY: one of the batch's places, which was written.
        unsafe { &(*self.places.add(place)).state }
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
        let mut lanes = [core::ptr::null_mut::<Place<F>>(); MAX_DEGREE];
        let mut not_yet = *self.filled;
        for (lane, &place) in lanes.iter_mut().zip(chosen) {
            assert!(usize::from(place) < PLACES && not_yet >> place & 1 == 1);
            not_yet &= !(1 << place);
            // SAFETY: one of the batch's places, which was written.
            unsafe {
                *lane = self.places.add(usize::from(place));
                assert!((**lane).n_left() >= n_blocks);
            }
        }
        let lanes = &lanes[..chosen.len()];
        let (mut n_left, mut goes_on) = (n_blocks, false);
        while n_left > 0 {
            // SAFETY: places that were written, to which there is no reference.
            let n_run = |lane: &*mut Place<F>| unsafe { (**lane).n_run() };
            let n_now = lanes.iter().map(n_run).fold(n_left.min(MOST_BLOCKS), usize::min);
            if !self.list.has_room(1, degree) {
                self.carry_out();
                goes_on = false;
            }
            // SAFETY: as above. Idle lanes read the first message's blocks into a state of no meaning.
            let idle = unsafe {
                self.idle.write((*lanes[0]).state);
                ((*lanes[0]).at(), self.idle)
            };
            self.list.push(degree, n_now, goes_on, |k| match lanes.get(k) {
                // SAFETY: as above.
                Some(&lane) => unsafe { ((*lane).at(), &raw mut (*lane).state) },
                None => idle,
            });
            self.waiting |= *self.filled & !not_yet;
            for &lane in lanes {
                // SAFETY: as above; `n_now` blocks are left in the run.
                unsafe { (*lane).skip(n_now) }
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
        let (degree, n) = (kernel.degree(), places.len());
        assert!(n >= 1 && n <= degree && places.end <= PLACES);
        let mask = (!0 >> (PLACES - n)) << places.start;
        assert!(*self.filled & mask == mask);
        if self.kernel.is_some_and(|other| !core::ptr::eq(other, kernel)) || !self.list.has_room(2, degree) {
            self.carry_out();
        }
        // SAFETY: the batch's places, which were written, and to which there is no reference.
        let place = |k: usize| unsafe { self.places.add(places.start + k) };
        let (mut most, mut least) = (0, usize::MAX);
        for k in 0..n {
            // SAFETY: as above.
            let Place { n_body, n_edge, done_edge, side, .. } = unsafe { &*place(k) };
            assert!(n_body + n_edge - done_edge == n_blocks && *side == Edge::After);
            (most, least) = (most.max(*n_body), least.min(*n_body));
        }
        if n < degree || most != least || most > MOST_BLOCKS {
            let mut chosen = [0; MAX_DEGREE];
            for (chosen, place) in chosen.iter_mut().zip(places) {
                *chosen = place as u8;
            }
            return self.advance(kernel, &chosen[..n], n_blocks);
        }
        self.kernel = Some(kernel);
        self.waiting |= mask;
        if most > 0 {
            // SAFETY: as above.
            self.list.push(degree, most, false, |k| unsafe { ((*place(k)).body, &raw mut (*place(k)).state) });
        }
        if n_blocks > most {
            self.list.push(degree, n_blocks - most, most > 0, |k| {
                // SAFETY: as above.
                unsafe {
                    let edge = (&raw const (*place(k)).edge).cast::<F::Block>();
                    (edge.add((*place(k)).done_edge).cast(), &raw mut (*place(k)).state)
                }
            });
        }
        for k in 0..n {
            // SAFETY: as above.
            unsafe { ((*place(k)).n_body, (*place(k)).n_edge, (*place(k)).done_edge) = (0, 0, 0) }
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
