//! The verbs of a kernel that takes `S` messages through the SHA extensions, interleaved.

use core::marker::PhantomData;

use crate::kernel::{Body, ContinueGroups, FixedGroups, put_digest};
use crate::sha_ni::{Order, ShaNi, Words, load_blocks, load_first_block};
use crate::{Function, PreExpanded, Start, Turn, Turns};

/// A compression function by the SHA extensions, on states in registers. All of it is `#[inline(always)]`, as of a
/// [`Definition`](crate::Definition).
pub trait Streamed: Function {
    /// A state.
    type Registers: Copy;
    /// The order of a block's words.
    const ORDER: Order;

    /// Brings a state into registers.
    fn load(isa: ShaNi, state: &Self::State) -> Self::Registers;
    /// The inverse of [`Streamed::load`].
    fn store(isa: ShaNi, state: Self::Registers) -> Self::State;
    /// Compresses a block of each stream, four words a register.
    fn compress<const S: usize>(isa: ShaNi, states: &mut [Self::Registers; S], w: [[Words; 4]; S]);
    /// The rounds alone, over the K + W that all streams share.
    fn rounds<const S: usize>(isa: ShaNi, states: &mut [Self::Registers; S], kw: &Self::Schedule);
}

/// The body of rows with `S` streams.
pub struct OverStreams<const S: usize>(PhantomData<[(); S]>);

impl<F: Streamed, const S: usize> Body<F> for OverStreams<S> {
    type Proof = ShaNi;
    const DEGREE: usize = S;

    #[inline(always)]
    fn compress(isa: ShaNi, mut turns: Turns<'_, F>) {
        assert!(turns.degree() == S);
        let Some(mut turn) = turns.next() else { return };
        let mut s = load_turn::<F, S>(isa, &turn);
        loop {
            for b in 0..turn.n_blocks() {
                // SAFETY: "Turns".
                let w = unsafe { load_blocks(isa, F::ORDER, turn.places(), b * F::BLOCK_BYTES) };
                F::compress(isa, &mut s, w);
            }
            match turns.next() {
                Some(next) if next.goes_on() => turn = next,
                Some(next) => {
                    store_turn::<F, S>(isa, s, &turn);
                    s = load_turn::<F, S>(isa, &next);
                    turn = next;
                }
                None => return store_turn::<F, S>(isa, s, &turn),
            }
        }
    }

    #[inline(always)]
    fn finish_fixed(isa: ShaNi, job: FixedGroups<'_, F>) {
        let (start, shape) = (F::load(isa, job.start), job.shape);
        // Where the length stands.
        let n_bytes = if shape.second.is_none() { Some(shape.n_bytes) } else { None };
        let (mut digests, mut messages) = (job.digests, job.messages);
        // Without `chunks_exact_mut`, which divides: 20 cycles for a single message.
        while !digests.is_empty() {
            let mut w = [[isa.highest(0); 4]; S];
            for w in &mut w {
                let (message, others) = messages.split_at(shape.len_bytes);
                *w = load_first_block(isa, F::ORDER, message, n_bytes);
                messages = others;
            }
            let mut s = [start; S];
            F::compress(isa, &mut s, w);
            if let Some(second) = &shape.second {
                F::rounds(isa, &mut s, second.schedule());
            }
            for s in s {
                let (digest, others) = digests.split_at_mut(job.digest_bytes);
                let state = F::store(isa, s);
                // A length that is known spares a loop.
                match digest.get_mut(..size_of::<F::State>()) {
                    Some(digest) => put_digest::<F>(&state, digest),
                    None => put_digest::<F>(&state, digest),
                }
                digests = others;
            }
        }
    }

    #[inline(always)]
    fn continue_many(isa: ShaNi, job: ContinueGroups<'_, F>) {
        for (group, states) in job.states.chunks_exact_mut(S).enumerate() {
            let mut s = match job.start {
                Start::Shared(midstate) => [F::load(isa, midstate); S],
                Start::Each => load_all::<F, S>(isa, states),
            };
            let mut rows = [core::ptr::null(); S];
            for k in 0..S {
                rows[k] = core::ptr::from_ref(&job.blocks[group * S + k]).cast();
            }
            // SAFETY: a block at each pointer.
            unsafe { compress_one_block::<F, S>(isa, &mut s, &rows, job.last) }
            store_all::<F, S>(isa, s, states);
        }
    }

    #[inline(always)]
    fn rounds(isa: ShaNi, state: &mut F::State, last: &F::Schedule) {
        let mut s = [F::load(isa, state)];
        F::rounds(isa, &mut s, last);
        *state = F::store(isa, s[0]);
    }
}

/// The block at each stream's pointer, and a `last` one that all share.
///
/// # Safety
/// A block may be read behind each pointer.
#[inline(always)]
unsafe fn compress_one_block<F: Streamed, const S: usize>(
    isa: ShaNi,
    s: &mut [F::Registers; S],
    rows: &[*const u8; S],
    last: Option<&PreExpanded<F>>,
) {
    // SAFETY: the caller's contract.
    F::compress(isa, s, unsafe { load_blocks(isa, F::ORDER, rows.as_ptr(), 0) });
    if let Some(last) = last {
        F::rounds(isa, s, last.schedule());
    }
}

#[inline(always)]
fn load_all<F: Streamed, const S: usize>(isa: ShaNi, states: &[F::State]) -> [F::Registers; S] {
    assert!(states.len() == S);
    let mut s = [F::load(isa, &states[0]); S];
    for k in 1..S {
        s[k] = F::load(isa, &states[k]);
    }
    s
}

#[inline(always)]
fn store_all<F: Streamed, const S: usize>(isa: ShaNi, s: [F::Registers; S], states: &mut [F::State]) {
    for k in 0..S {
        states[k] = F::store(isa, s[k]);
    }
}

/// The states of a turn, in registers.
#[inline(always)]
fn load_turn<F: Streamed, const S: usize>(isa: ShaNi, turn: &Turn<'_, F>) -> [F::Registers; S] {
    // SAFETY: "Turns".
    let state = |k: usize| unsafe { &**turn.states().add(k) };
    let mut s = [F::load(isa, state(0)); S];
    for k in 1..S {
        s[k] = F::load(isa, state(k));
    }
    s
}

/// The inverse.
#[inline(always)]
fn store_turn<F: Streamed, const S: usize>(isa: ShaNi, s: [F::Registers; S], turn: &Turn<'_, F>) {
    for k in 0..S {
        // SAFETY: "Turns".
        unsafe { (*turn.states().add(k)).write(F::store(isa, s[k])) }
    }
}
