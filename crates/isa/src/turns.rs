//! The schedule as data: the turns that a kernel carries out in one call.
//!
//! In a *turn* every lane advances one message, all by the same number of blocks. The scheduler writes a
//! [`TurnList`], a kernel reads [`Turns`]. A turn of a kernel of `D` lanes has `2 · D + 1` words in memory,
//! which Rust and assembly read alike:
//!
//! ```text
//! | place of lane 0 .. place of lane D-1 | state of lane 0 .. state of lane D-1 | number of blocks, GOES_ON |
//! ```
//!
//! A lane's blocks of one turn follow one another in memory. A message in two places (the caller's bytes and
//! their padding) takes two turns; the second one *goes on*: its lanes hold the states of the previous turn,
//! so a kernel need not store and load them.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::Types;
use crate::costs::MAX_DEGREE;
use crate::function::assert_sizes;

/// A bit in the last word of a turn: its lanes keep the states of the previous turn.
const GOES_ON: usize = 1 << (usize::BITS / 2);

/// The most blocks of one turn.
pub const MOST_BLOCKS: usize = GOES_ON - 1;

/// Words of a turn.
const fn turn_words(degree: usize) -> usize {
    2 * degree + 1
}

/// Words of a list of `n_turns` turns of a kernel of any degree.
pub(crate) const fn list_words(n_turns: usize) -> usize {
    n_turns * turn_words(MAX_DEGREE)
}

/// Words of the turns of `n_groups` groups at most; see [`TurnList::push_groups`].
pub(crate) const fn group_words(degree: usize, n_groups: usize) -> usize {
    (2 * n_groups + 1) * turn_words(degree)
}

/// A list of turns for one call of a kernel, of `WORDS` words at most.
///
/// The memory is not initialised, so a new list costs nothing.
pub(crate) struct TurnList<F: Types, const WORDS: usize> {
    words: [MaybeUninit<*mut u8>; WORDS],
    n_words: usize,
    n_turns: usize,
    n_blocks: usize,
    states: PhantomData<*mut F::State>,
}

impl<F: Types, const WORDS: usize> TurnList<F, WORDS> {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        const { assert_sizes::<F>() };
        let words = [const { MaybeUninit::uninit() }; WORDS];
        Self { words, n_words: 0, n_turns: 0, n_blocks: 0, states: PhantomData }
    }

    /// Returns whether so many more words fit.
    #[inline(always)]
    pub(crate) fn has_room(&self, n_words: usize) -> bool {
        self.n_words + n_words <= WORDS
    }

    /// Appends a turn of `degree` lanes, the same for all turns of a list: lane k reads `n_blocks` blocks
    /// from the place and advances the state that `lane(k)` returns.
    ///
    /// # Panics
    /// Panics if the list is full, or `n_blocks` is 0 or too large for a turn.
    #[inline(always)]
    pub(crate) fn push(
        &mut self,
        degree: usize,
        n_blocks: usize,
        goes_on: bool,
        lane: impl Fn(usize) -> (*const u8, *mut F::State),
    ) {
        let turn = &mut self.words[self.n_words..][..turn_words(degree)];
        for (k, (to_place, to_state)) in lanes_of(turn, degree).enumerate() {
            let (place, state) = lane(k);
            to_place.write(place.cast_mut());
            to_state.write(state.cast());
        }
        self.push_written(degree, n_blocks, goes_on);
    }

    /// Appends a turn whose lanes are written.
    ///
    /// # Panics
    /// Panics if the list is full, or `n_blocks` is 0 or too large for a turn.
    #[inline(always)]
    fn push_written(&mut self, degree: usize, n_blocks: usize, goes_on: bool) {
        assert!((1..=MOST_BLOCKS).contains(&n_blocks));
        self.words[self.n_words + 2 * degree].write(count_of(n_blocks, goes_on));
        self.n_words += turn_words(degree);
        self.n_turns += 1;
        self.n_blocks += n_blocks;
    }

    /// Appends a turn like [`push`](Self::push): lane k reads at `places[k]` and `offset` bytes after it, and
    /// advances `states[k]`. Lanes are copied four at a time, also where there are fewer, which takes less
    /// time than one by one.
    ///
    /// # Panics
    /// Like [`push`](Self::push), and if the list has no [room](Self::has_room) for 16 lanes.
    #[inline(always)]
    pub(crate) fn push_lanes(
        &mut self,
        degree: usize,
        n_blocks: usize,
        goes_on: bool,
        (places, offset): (&[*const u8; MAX_DEGREE], usize),
        states: &[*mut F::State; MAX_DEGREE],
    ) {
        let turn = &mut self.words[self.n_words..][..turn_words(MAX_DEGREE)];
        let n_fours = degree.div_ceil(4);
        // Of the last four places some lie where states follow.
        for (to, places) in
            turn.as_chunks_mut::<4>().0.iter_mut().zip(places.as_chunks::<4>().0).take(n_fours)
        {
            *to = places.map(|place| MaybeUninit::new(place.wrapping_add(offset).cast_mut()));
        }
        for (to, states) in
            turn[degree..].as_chunks_mut::<4>().0.iter_mut().zip(states.as_chunks::<4>().0).take(n_fours)
        {
            *to = states.map(|state| MaybeUninit::new(state.cast()));
        }
        self.push_written(degree, n_blocks, goes_on);
    }

    /// Appends the turns of `n_groups` groups of as many messages as lanes: message k reads blocks in the
    /// first of two places, then in the other one, and advances the state that `message(k)` returns with
    /// them. There is no first turn if it would have no blocks.
    ///
    /// # Panics
    /// Panics if the list is full, if a number of blocks is too large for a turn, or the second one is 0.
    #[inline(always)]
    pub(crate) fn push_groups(
        &mut self,
        degree: usize,
        n_groups: usize,
        [n_first, n_then]: [usize; 2],
        message: impl Fn(usize) -> ([*const u8; 2], *mut F::State),
    ) {
        assert!(n_first <= MOST_BLOCKS && (1..=MOST_BLOCKS).contains(&n_then));
        let of_turn = turn_words(degree);
        let of_group = if n_first > 0 { 2 * of_turn } else { of_turn };
        let all = &mut self.words[self.n_words..];
        // The turn that there is not is written, too, where it is overwritten or not read.
        for group in 0..n_groups {
            let turns = &mut all[group * of_group..][..2 * of_turn];
            let (one, other) = turns.split_at_mut(of_turn);
            let (first, then) = if n_first > 0 { (one, other) } else { (other, one) };
            first[2 * degree].write(count_of(n_first, false));
            then[2 * degree].write(count_of(n_then, n_first > 0));
            for (lane, (first, then)) in lanes_of(first, degree).zip(lanes_of(then, degree)).enumerate() {
                let (places, state) = message(group * degree + lane);
                for ((to_place, to_state), place) in [first, then].into_iter().zip(places) {
                    to_place.write(place.cast_mut());
                    to_state.write(state.cast());
                }
            }
        }
        self.n_words += n_groups * of_group;
        self.n_turns += if n_first > 0 { 2 * n_groups } else { n_groups };
        self.n_blocks += n_groups * (n_first + n_then);
    }

    /// Returns all turns, to be carried out in one call of a kernel, and empties the list.
    ///
    /// # Safety
    /// All were pushed for `degree`. The blocks of each turn may be read at each place, and the states are
    /// initialised and may be read and written, by this call only.
    #[inline(always)]
    pub(crate) unsafe fn take(&mut self, degree: usize) -> Turns<'_, F> {
        debug_assert!(self.n_words == self.n_turns * turn_words(degree));
        let Self { n_turns, n_blocks, .. } = *self;
        (self.n_words, self.n_turns, self.n_blocks) = (0, 0, 0);
        Turns { at: self.words.as_ptr().cast(), n_turns, n_blocks, degree, memory: PhantomData }
    }
}

/// Returns the lanes of a turn in memory, each its place and its state.
#[inline(always)]
fn lanes_of(
    turn: &mut [MaybeUninit<*mut u8>],
    degree: usize,
) -> impl Iterator<Item = (&mut MaybeUninit<*mut u8>, &mut MaybeUninit<*mut u8>)> {
    let (places, others) = turn.split_at_mut(degree);
    places.iter_mut().zip(&mut others[..degree])
}

/// Returns the last word of a turn.
#[inline(always)]
fn count_of(n_blocks: usize, goes_on: bool) -> *mut u8 {
    core::ptr::without_provenance_mut(n_blocks | if goes_on { GOES_ON } else { 0 })
}

/// Carries out the turns that compress the blocks of both parts into one state, in one call of a kernel of
/// one message.
///
/// # Safety
/// The blocks, at most [`MOST_BLOCKS`], may be read at each place.
#[inline(always)]
pub(crate) unsafe fn turns_of_one<F: Types>(
    state: &mut F::State,
    [(first, n_first), (then, n_then)]: [(*const u8, usize); 2],
    carry_out: impl FnOnce(Turns<'_, F>),
) {
    const { assert_sizes::<F>() };
    let state: *mut F::State = state;
    let words = [
        [first.cast_mut(), state.cast(), count_of(n_first, false)],
        [then.cast_mut(), state.cast(), count_of(n_then, n_first > 0)],
    ];
    // A turn for each part that has blocks.
    let at = words[usize::from(n_first == 0)..].as_ptr().cast();
    let n_turns = usize::from(n_first > 0) + usize::from(n_then > 0);
    carry_out(Turns { at, n_turns, n_blocks: n_first + n_then, degree: 1, memory: PhantomData });
}

/// The turns of one call of a kernel; see the head of the file.
///
/// Only this crate creates one, from places and states that may be used as the turns describe; bodies depend
/// on that.
#[derive(Debug)]
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub struct Turns<'a, F: Types> {
    at: *const *mut u8,
    n_turns: usize,
    n_blocks: usize,
    degree: usize,
    memory: PhantomData<(&'a [u8], &'a mut F::State)>,
}

impl<'a, F: Types> Turns<'a, F> {
    /// Returns the number of lanes of each turn.
    #[inline(always)]
    pub fn degree(&self) -> usize {
        self.degree
    }

    /// Returns how many blocks each lane advances in all turns together.
    #[inline(always)]
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// In raw form for assembly: the first turn, their number, and the number of blocks of a lane in all of
    /// them.
    #[inline(always)]
    pub fn into_raw(self) -> (*const *mut u8, usize, usize) {
        (self.at, self.n_turns, self.n_blocks)
    }

    /// Returns the next turn.
    #[inline(always)]
    #[allow(clippy::should_implement_trait)] // An iterator's adaptors would not be inlined into the row.
    pub fn next(&mut self) -> Option<Turn<'a, F>> {
        self.n_turns = self.n_turns.checked_sub(1)?;
        let (at, degree) = (self.at, self.degree);
        // SAFETY: the list has one more complete turn, written by `push`.
        unsafe {
            self.at = at.add(turn_words(degree));
            let count = at.add(2 * degree).read().addr();
            let states = at.add(degree).cast();
            let (n_blocks, goes_on) = (count & MOST_BLOCKS, count & GOES_ON != 0);
            Some(Turn { places: at.cast(), states, n_blocks, goes_on, degree, memory: PhantomData })
        }
    }
}

/// One turn.
#[derive(Debug)]
pub struct Turn<'a, F: Types> {
    places: *const *const u8,
    states: *const *mut F::State,
    n_blocks: usize,
    goes_on: bool,
    degree: usize,
    memory: PhantomData<(&'a [u8], &'a mut F::State)>,
}

impl<F: Types> Turn<'_, F> {
    /// Returns the number of blocks that each lane advances.
    #[inline(always)]
    pub fn n_blocks(&self) -> usize {
        self.n_blocks
    }

    /// Returns whether its lanes continue with the states of the turn before.
    #[inline(always)]
    pub fn goes_on(&self) -> bool {
        self.goes_on
    }

    /// Returns the lanes' places, one pointer for each lane: at each, [`Turn::n_blocks`] blocks may be read.
    #[inline(always)]
    pub fn places(&self) -> *const *const u8 {
        self.places
    }

    /// Returns the lanes' states, one pointer a lane.
    #[inline(always)]
    pub fn states(&self) -> *const *mut F::State {
        self.states
    }

    /// Returns the state of lane 0, if those of all lanes follow it in memory.
    #[inline(always)]
    pub fn states_side_by_side(&self) -> Option<*mut F::State> {
        // SAFETY: the list has a pointer to a state for each lane.
        let at = |k: usize| unsafe { *self.states.add(k) };
        for k in 1..self.degree {
            if !core::ptr::eq(at(k), at(0).wrapping_add(k)) {
                return None;
            }
        }
        Some(at(0))
    }

    /// Reads the states of the lanes, as many as there are.
    #[inline(always)]
    pub fn read(&self, states: &mut [F::State]) {
        assert!(self.degree == states.len());
        for (k, state) in states.iter_mut().enumerate() {
            // SAFETY: the list has a pointer to a state for each lane.
            *state = unsafe { (*self.states.add(k)).read() };
        }
    }

    /// Writes the states of the lanes, as many as there are.
    #[inline(always)]
    pub fn write(&self, states: &[F::State]) {
        assert!(self.degree == states.len());
        for (k, state) in states.iter().enumerate() {
            // SAFETY: as in `read`.
            unsafe { (*self.states.add(k)).write(*state) }
        }
    }
}
