//! The verbs of a kernel that hashes `S` interleaved messages with the CPU's hash instructions.

use core::marker::PhantomData;

use crate::kernel::{Body, ContinueGroups, FixedGroups, put_digest};
use crate::{Function, PreExpanded, Proof, Start, Turn, Turns};

/// A register of sixteen bytes of an instruction set with hash instructions.
pub trait Register: Copy {
    /// The proof that the CPU has the instructions.
    type Proof: Proof;

    /// Returns the sixteen bytes from `at`.
    ///
    /// # Safety
    /// Sixteen bytes may be read at `at`.
    unsafe fn load(isa: Self::Proof, at: *const u8) -> Self;
    /// Returns the bytes of two little-endian words, those of the first lowest.
    fn from_words(isa: Self::Proof, words: [u64; 2]) -> Self;
    /// Permutes bytes: byte i is byte `order[i]`, or 0 if that is 0x80.
    fn select(self, order: Self) -> Self;
    /// Returns the bitwise or.
    fn or(self, other: Self) -> Self;
}

/// The proof that the CPU has the instructions of a streamed function.
type Isa<F, const N: usize> = <<F as Streamed<N>>::Words as Register>::Proof;

/// A compression function written with the CPU's hash instructions, on states in registers; a block is `N`
/// registers. All of it is `#[inline(always)]`, like a [`Definition`](crate::Definition).
pub trait Streamed<const N: usize = 4>: Function {
    /// A register of words.
    type Words: Register;
    /// A state.
    type Registers: Copy;

    /// Words of a block's bytes, big-endian each, in the order in which the instructions take them.
    fn words(bytes: Self::Words) -> Self::Words;
    /// Loads a state into registers.
    fn load(isa: Isa<Self, N>, state: &Self::State) -> Self::Registers;
    /// Returns the inverse of [`Streamed::load`].
    fn store(isa: Isa<Self, N>, state: Self::Registers) -> Self::State;
    /// Compresses a block of each stream.
    fn compress<const S: usize>(
        isa: Isa<Self, N>,
        states: &mut [Self::Registers; S],
        w: [[Self::Words; N]; S],
    );
    /// Computes only the rounds, with the K + W that all streams share.
    fn rounds<const S: usize>(isa: Isa<Self, N>, states: &mut [Self::Registers; S], kw: &Self::Schedule);
}

/// The body of rows with `S` streams; `N` registers in a block.
pub struct OverStreams<const S: usize, const N: usize = 4>(PhantomData<[(); S]>);

impl<F: Streamed<N>, const S: usize, const N: usize> Body<F> for OverStreams<S, N> {
    type Proof = Isa<F, N>;
    const DEGREE: usize = S;

    #[inline(always)]
    fn compress(isa: Isa<F, N>, mut turns: Turns<'_, F>) {
        assert!(turns.degree() == S);
        let Some(mut turn) = turns.next() else { return };
        let mut s = load_turn::<F, S, N>(isa, &turn);
        loop {
            for b in 0..turn.n_blocks() {
                // SAFETY: "Turns".
                let w = unsafe { load_blocks::<F, S, N>(isa, turn.places(), b * F::BLOCK_BYTES) };
                F::compress(isa, &mut s, w);
            }
            match turns.next() {
                Some(next) if next.goes_on() => turn = next,
                Some(next) => {
                    store_turn::<F, S, N>(isa, s, &turn);
                    s = load_turn::<F, S, N>(isa, &next);
                    turn = next;
                }
                None => return store_turn::<F, S, N>(isa, s, &turn),
            }
        }
    }

    #[inline(always)]
    fn finish_fixed(isa: Isa<F, N>, job: FixedGroups<'_, F>) {
        let (start, shape) = (F::load(isa, job.start), job.shape);
        // The offset of the length.
        let n_bytes = if shape.second.is_none() { Some(shape.n_bytes) } else { None };
        let (mut digests, mut messages) = (job.digests, job.messages);
        // Without `chunks_exact_mut`, which divides: 20 cycles for a single message.
        while !digests.is_empty() {
            let mut w = [[F::Words::from_words(isa, [0; 2]); N]; S];
            for w in &mut w {
                let (message, others) = messages.split_at(shape.len_bytes);
                *w = load_first_block::<F, N>(isa, message, n_bytes);
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
                // A known length needs no loop.
                match digest.get_mut(..size_of::<F::State>()) {
                    Some(digest) => put_digest::<F>(&state, digest),
                    None => put_digest::<F>(&state, digest),
                }
                digests = others;
            }
        }
    }

    #[inline(always)]
    fn continue_many(isa: Isa<F, N>, job: ContinueGroups<'_, F>) {
        for (group, states) in job.states.chunks_exact_mut(S).enumerate() {
            let mut s = match job.start {
                Start::Shared(midstate) => [F::load(isa, midstate); S],
                Start::Each => load_all::<F, S, N>(isa, states),
            };
            let mut rows = [core::ptr::null(); S];
            for k in 0..S {
                rows[k] = core::ptr::from_ref(&job.blocks[group * S + k]).cast();
            }
            // SAFETY: a block at each pointer.
            unsafe { compress_one_block::<F, S, N>(isa, &mut s, &rows, job.last) }
            store_all::<F, S, N>(isa, s, states);
        }
    }

    #[inline(always)]
    fn rounds(isa: Isa<F, N>, state: &mut F::State, last: &F::Schedule) {
        let mut s = [F::load(isa, state)];
        F::rounds(isa, &mut s, last);
        *state = F::store(isa, s[0]);
    }
}

/// Compresses the block at each stream's pointer, and then the shared block `last`.
///
/// # Safety
/// A block must be readable at each pointer.
#[inline(always)]
unsafe fn compress_one_block<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    s: &mut [F::Registers; S],
    rows: &[*const u8; S],
    last: Option<&PreExpanded<F>>,
) {
    // SAFETY: the caller's contract.
    F::compress(isa, s, unsafe { load_blocks::<F, S, N>(isa, rows.as_ptr(), 0) });
    if let Some(last) = last {
        F::rounds(isa, s, last.schedule());
    }
}

#[inline(always)]
fn load_all<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    states: &[F::State],
) -> [F::Registers; S] {
    assert!(states.len() == S);
    let mut s = [F::load(isa, &states[0]); S];
    for k in 1..S {
        s[k] = F::load(isa, &states[k]);
    }
    s
}

#[inline(always)]
fn store_all<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    s: [F::Registers; S],
    states: &mut [F::State],
) {
    for k in 0..S {
        states[k] = F::store(isa, s[k]);
    }
}

/// Returns the states of a turn, in registers.
#[inline(always)]
fn load_turn<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    turn: &Turn<'_, F>,
) -> [F::Registers; S] {
    // SAFETY: "Turns".
    let state = |k: usize| unsafe { &**turn.states().add(k) };
    let mut s = [F::load(isa, state(0)); S];
    for k in 1..S {
        s[k] = F::load(isa, state(k));
    }
    s
}

/// Stores the states of a turn.
#[inline(always)]
fn store_turn<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    s: [F::Registers; S],
    turn: &Turn<'_, F>,
) {
    for k in 0..S {
        // SAFETY: "Turns".
        unsafe { (*turn.states().add(k)).write(F::store(isa, s[k])) }
    }
}

/// Returns the first block of a message of a block's length or shorter: its bytes, then a one bit, and at the
/// end the length of `n_bytes` bytes in bits, if it is given.
///
/// It is built in registers. A block written byte by byte could only be read after all writes have reached
/// the cache, which would delay the next message until the previous one ends.
#[inline(always)]
fn load_first_block<F: Streamed<N>, const N: usize>(
    isa: Isa<F, N>,
    message: &[u8],
    n_bytes: Option<u64>,
) -> [F::Words; N] {
    /// From byte n on: moves bytes down by n places, followed by zeros.
    static LOWER: [u8; 48] = {
        let mut order = [0x80; 48];
        let mut i = 0;
        while i < 16 {
            order[i] = i as u8;
            i += 1;
        }
        order
    };
    /// For the longest block.
    const MOST_BYTES: usize = 128;
    /// From byte `MOST_BYTES` - n on: a one bit after n bytes.
    static ONE_BIT: [u8; 2 * MOST_BYTES] = {
        let mut block = [0; 2 * MOST_BYTES];
        block[MOST_BYTES] = 0x80;
        block
    };
    const { assert!(F::BLOCK_BYTES == 16 * N && 16 * N <= MOST_BYTES) }
    let len = message.len();
    assert!(len <= 16 * N);
    let mut w = [F::Words::from_words(isa, [0; 2]); N];
    if len == 16 * N {
        // Neither the bit nor the length is in this block.
        for i in 0..N {
            // SAFETY: sixteen bytes at 16 i < 16 N of the message.
            w[i] = F::words(unsafe { F::Words::load(isa, message.as_ptr().add(16 * i)) });
        }
        return w;
    }
    for i in 0..N {
        // SAFETY: reads are inside the message or a table: no index is greater than 32 or 240.
        let bytes = unsafe {
            let bytes = if len >= 16 {
                // The last piece overlaps the one before it; the overlapping bytes are shifted out.
                let from = (16 * i).min(len - 16);
                let lower = (16 * i - from).min(16);
                let bytes = F::Words::load(isa, message.as_ptr().add(from));
                bytes.select(F::Words::load(isa, LOWER.as_ptr().add(lower)))
            } else if i == 0 {
                F::Words::from_words(isa, fewer_than_16(message))
            } else {
                F::Words::from_words(isa, [0; 2])
            };
            bytes.or(F::Words::load(isa, ONE_BIT.as_ptr().add(MOST_BYTES - len + 16 * i)))
        };
        w[i] = F::words(match n_bytes {
            Some(n_bytes) if i == N - 1 => {
                // The length has two words, the first of SHA-512's: 16 bytes.
                let high = if N == 4 { 0 } else { n_bytes >> 61 };
                bytes.or(F::Words::from_words(isa, [high.swap_bytes(), (n_bytes << 3).swap_bytes()]))
            }
            _ => bytes,
        });
    }
    w
}

/// Fewer than 16 bytes, then zeros, as two little-endian words.
#[inline(always)]
fn fewer_than_16(bytes: &[u8]) -> [u64; 2] {
    let n = bytes.len();
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let high = u64::from_le_bytes(*last).checked_shr(8 * (16 - n as u32)).unwrap_or(0);
        [u64::from_le_bytes(*first), high]
    } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        [u64::from(first) | u64::from(last) << (8 * (n - 4)), 0]
    } else if n > 0 {
        let byte = |i: usize| u64::from(bytes[i]) << (8 * i);
        [byte(0) | byte(n / 2) | byte(n - 1), 0]
    } else {
        [0; 2]
    }
}

/// Returns the next block of each of `S` streams: stream k's is at `places[k] + offset`.
///
/// # Safety
/// `places` holds `S` pointers, and a block may be read at each plus `offset` bytes.
#[inline(always)]
unsafe fn load_blocks<F: Streamed<N>, const S: usize, const N: usize>(
    isa: Isa<F, N>,
    places: *const *const u8,
    offset: usize,
) -> [[F::Words; N]; S] {
    let mut w = [[F::Words::from_words(isa, [0; 2]); N]; S];
    for k in 0..S {
        for i in 0..N {
            // SAFETY: the caller's contract: sixteen bytes at 16 i < 16 N of a block.
            w[k][i] = F::words(unsafe { F::Words::load(isa, (*places.add(k)).add(offset + 16 * i)) });
        }
    }
    w
}
