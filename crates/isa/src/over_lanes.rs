//! The verbs of a kernel that is the [`Definition`] over one lane type.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::costs::MAX_DEGREE;
use crate::kernel::{Body, ContinueGroups, FixedGroups, put_digest};
use crate::{Definition, Function, Half, Interleaved, Lanes, Start, Turn, Turns, Word};

/// The body of rows that run the definition over lanes of type `V`; `N` words in the state.
pub struct OverLanes<V, const N: usize>(PhantomData<V>);

impl<F, V, const N: usize> Body<F> for OverLanes<V, N>
where
    F: Function + Definition<N>,
    V: Lanes<Word = F::Word>,
{
    type Proof = V::Proof;
    const DEGREE: usize = V::LANES;

    #[inline(always)]
    fn compress(isa: V::Proof, mut turns: Turns<'_, F>) {
        assert!(turns.degree() == V::LANES);
        let Some(mut turn) = turns.next() else { return };
        let mut state = load::<F, V, N>(isa, &turn);
        loop {
            for b in 0..turn.n_blocks() {
                // SAFETY: "Turns".
                let w = unsafe { V::load_blocks(isa, turn.places(), b * F::BLOCK_BYTES) };
                F::compress(isa, &mut state, w);
            }
            match turns.next() {
                Some(next) if next.goes_on() => turn = next,
                Some(next) => {
                    store::<F, V, N>(state, &turn);
                    state = load::<F, V, N>(isa, &next);
                    turn = next;
                }
                None => return store::<F, V, N>(state, &turn),
            }
        }
    }

    #[inline(always)]
    fn compress_lanes(isa: V::Proof, states: &mut [F::State], mut input: Interleaved<'_>) {
        let mut state = V::load_states(isa, states);
        while let Some(w) = input.next(isa) {
            F::compress(isa, &mut state, w);
        }
        V::store_states(state, states);
    }

    #[inline(always)]
    fn finish_fixed(isa: V::Proof, job: FixedGroups<'_, F>) {
        let mut padded = [const { MaybeUninit::uninit() }; MAX_DEGREE];
        let mut start = [V::splat(isa, F::Word::default()); N];
        for i in 0..N {
            start[i] = V::splat(isa, job.start[i]);
        }
        for (group, digests) in job.digests.chunks_exact_mut(V::LANES * job.digest_bytes).enumerate() {
            let mut rows = [core::ptr::null(); MAX_DEGREE];
            for k in 0..V::LANES {
                rows[k] = job.shape.block_of(job.messages, group * V::LANES + k, &mut padded[k]);
            }
            let mut state = start;
            // SAFETY: a block at each of the `LANES` pointers: a message that is one, or a padded copy.
            F::compress(isa, &mut state, unsafe { V::load_blocks(isa, rows.as_ptr(), 0) });
            if let Some(second) = &job.shape.second {
                F::rounds(isa, &mut state, second.schedule());
            }
            if job.digest_bytes == N * F::Word::BYTES {
                V::store_digests(state, digests);
            } else {
                let mut states = [[F::Word::default(); N]; MAX_DEGREE];
                V::store_states(state, &mut states[..V::LANES]);
                for (state, digest) in states.iter().zip(digests.chunks_exact_mut(job.digest_bytes)) {
                    put_digest::<F>(state, digest);
                }
            }
        }
    }

    #[inline(always)]
    fn continue_many(isa: V::Proof, job: ContinueGroups<'_, F>) {
        let mut shared = [V::splat(isa, F::Word::default()); N];
        if let Start::Shared(midstate) = job.start {
            for i in 0..N {
                shared[i] = V::splat(isa, midstate[i]);
            }
        }
        for (group, out) in job.states.chunks_exact_mut(V::LANES).enumerate() {
            let mut state = match job.start {
                Start::Shared(_) => shared,
                Start::Each => V::load_states(isa, out),
            };
            let mut rows = [core::ptr::null(); MAX_DEGREE];
            for k in 0..V::LANES {
                rows[k] = core::ptr::from_ref(&job.blocks[group * V::LANES + k]).cast();
            }
            // Each case reads blocks itself, so that a known half is not read. SAFETY: a block at each of the
            // `LANES` pointers.
            let read = || unsafe { V::load_blocks(isa, rows.as_ptr(), 0) };
            match job.known {
                Some(known) if F::KNOWS_HALVES => match known.half {
                    Half::First => F::compress_known_first(isa, &mut state, read(), known),
                    Half::Second => F::compress_known_second(isa, &mut state, read(), known),
                },
                _ => F::compress(isa, &mut state, read()),
            }
            if let Some(last) = job.last {
                F::rounds(isa, &mut state, last.schedule());
            }
            V::store_states(state, out);
        }
    }

    #[inline(always)]
    fn rounds(isa: V::Proof, state: &mut F::State, last: &F::Schedule) {
        let mut v = V::load_states(isa, core::slice::from_ref(state));
        F::rounds(isa, &mut v, last);
        V::store_states(v, core::slice::from_mut(state));
    }
}

/// Returns the states of a turn, in lanes.
#[inline(always)]
fn load<F: Definition<N>, V: Lanes<Word = F::Word>, const N: usize>(
    isa: V::Proof,
    turn: &Turn<'_, F>,
) -> [V; N] {
    // SAFETY: "Turns".
    unsafe { V::load_words(isa, turn.states()) }
}

/// Stores the states of a turn.
#[inline(always)]
fn store<F: Definition<N>, V: Lanes<Word = F::Word>, const N: usize>(state: [V; N], turn: &Turn<'_, F>) {
    // SAFETY: "Turns".
    unsafe { V::store_words(state, turn.states()) }
}
