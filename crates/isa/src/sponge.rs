//! Kernels of Keccak's permutation, on the states of one message or many.
//!
//! A sponge's state has 25 words, and its block has as many words as its rate. The verbs of a compression
//! function do not fit, so a sponge has its own.

use core::marker::PhantomData;

use crate::costs::Overheads;
use crate::table::{self, Entries};
use crate::{Lanes, Proof};

/// The most messages that a kernel takes at once.
pub const MAX_DEGREE: usize = Overheads::SPONGES.most_messages;

/// The lanes A\[x, y\] of FIPS 202, section 3.1.2, at 5 · y + x.
pub type State = [u64; 25];

/// The first words of a state: as many as the longest digest, that of SHA3-512.
pub type Head = [u64; 8];

/// The bytes of a lane: whole blocks, then one more.
#[derive(Clone, Copy, Debug, Default)]
pub struct Row<'a> {
    /// Blocks, each `step` bytes after the start of the one before.
    pub blocks: &'a [u8],
    /// The last block: of a message's padded end, or of its body.
    pub last: &'a [u8],
}

/// The states that absorb the blocks of all lanes.
#[derive(Debug)]
pub enum States<'a> {
    /// Lane k uses `states[places[k]]`. All places are different.
    Advance(&'a mut [State], &'a [u8]),
    /// Lane k starts with a state of zeros; at the end its first words are stored in `heads[k]`.
    Whole(&'a mut [Head]),
}

/// [`States`] in the form for kernels.
#[derive(Debug)]
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub struct LaneStates<'a>(Places<'a>);

#[derive(Debug)]
#[repr(C)]
enum Places<'a> {
    /// A pointer for each lane.
    States(*const *mut State),
    Heads(&'a mut [Head]),
}

impl LaneStates<'_> {
    /// Loads the initial states.
    #[inline(always)]
    pub fn load<V: Lanes<Word = u64>>(&self, isa: V::Proof) -> [V; 25] {
        match self.0 {
            // SAFETY: "Sources": a state at each pointer, as `States::lanes` checked.
            Places::States(states) => unsafe { V::load_words(isa, states) },
            Places::Heads(_) => [V::splat(isa, 0); 25],
        }
    }

    /// Stores the final states.
    #[inline(always)]
    pub fn store<V: Lanes<Word = u64>>(self, a: [V; 25]) {
        match self.0 {
            // SAFETY: as in `load`; no two are the same.
            Places::States(states) => unsafe { V::store_words(a, states) },
            Places::Heads(heads) => V::store_states([a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]], heads),
        }
    }
}

/// The blocks of all lanes: block `b` of lane `k` is at `rows[k] + b * step`, the one after them at
/// `last[k]`.
#[derive(Debug)]
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub struct Blocks<'a> {
    rate: Rate,
    rows: *const *const u8,
    last: *const *const u8,
    offset: usize,
    step: usize,
    /// Blocks left, the last one included.
    n_left: usize,
    degree: usize,
    bytes: PhantomData<&'a [u8]>,
}

/// The pointers of [`Blocks`].
struct Pointers {
    rows: [*const u8; MAX_DEGREE],
    last: [*const u8; MAX_DEGREE],
}

/// The pointers of [`LaneStates`].
type StatePointers = [*mut State; MAX_DEGREE];

impl<'a> States<'a> {
    /// Returns the states of `degree` lanes.
    ///
    /// # Panics
    /// Panics unless there are as many, and no two are the same.
    #[inline]
    fn lanes(self, degree: usize, pointers: &'a mut StatePointers) -> LaneStates<'a> {
        let n_lanes = match &self {
            Self::Advance(_, places) => places.len(),
            Self::Whole(heads) => heads.len(),
        };
        assert!(n_lanes == degree, "{n_lanes} states, not {degree}");
        LaneStates(match self {
            Self::Advance(states, places) => {
                let n_states = states.len();
                let first = states.as_mut_ptr();
                let mut taken = 0_u64;
                for (pointer, place) in pointers.iter_mut().zip(places) {
                    let (place, bit) = (usize::from(*place), 1 << (place % 64));
                    assert!(place < n_states.min(64) && taken & bit == 0, "state {place} of {n_states}");
                    taken |= bit;
                    // Not computed from an index, which would borrow all of them again.
                    *pointer = first.wrapping_add(place);
                }
                Places::States(pointers.as_ptr())
            }
            Self::Whole(heads) => Places::Heads(heads),
        })
    }
}

impl Pointers {
    const NULL: Self = Self { rows: [core::ptr::null(); MAX_DEGREE], last: [core::ptr::null(); MAX_DEGREE] };

    /// Creates the blocks of all lanes: `n_blocks` blocks of each of `rows`, `step` bytes from the start of
    /// one to the start of the next, and the last block of each.
    ///
    /// # Panics
    /// Panics if a row is too short for them.
    #[inline]
    fn blocks<'a>(&'a mut self, rate: Rate, rows: &[Row<'a>], step: usize, n_blocks: usize) -> Blocks<'a> {
        let before_last = n_blocks.saturating_sub(1).checked_mul(step);
        let end = before_last.and_then(|at| at.checked_add(rate.bytes())).expect("an address");
        for (k, row) in rows.iter().enumerate() {
            let n_bytes = row.blocks.len();
            assert!(n_blocks == 0 || n_bytes >= end, "{n_blocks} blocks take {end} bytes of {n_bytes}");
            assert!(row.last.len() >= rate.bytes(), "the last block has {} bytes", row.last.len());
            (self.rows[k], self.last[k]) = (row.blocks.as_ptr(), row.last.as_ptr());
        }
        Blocks {
            rate,
            rows: self.rows.as_ptr(),
            last: self.last.as_ptr(),
            offset: 0,
            step,
            n_left: n_blocks + 1,
            degree: rows.len(),
            bytes: PhantomData,
        }
    }
}

impl Blocks<'_> {
    /// Xors the next block of every lane into the first words of its state. Returns `false` after the last
    /// block.
    #[inline(always)]
    pub fn absorb_next<V: Lanes<Word = u64>>(&mut self, isa: V::Proof, a: &mut [V; 25]) -> bool {
        if self.n_left == 0 {
            return false;
        }
        self.n_left -= 1;
        if self.n_left == 0 {
            (self.rows, self.offset) = (self.last, 0);
        }
        match self.rate {
            Rate::Bytes72 => self.absorb::<V, 9>(isa, a),
            Rate::Bytes104 => self.absorb::<V, 13>(isa, a),
            Rate::Bytes136 => self.absorb::<V, 17>(isa, a),
            Rate::Bytes144 => self.absorb::<V, 18>(isa, a),
            Rate::Bytes168 => self.absorb::<V, 21>(isa, a),
        }
        self.offset = self.offset.wrapping_add(self.step);
        true
    }

    #[inline(always)]
    fn absorb<V: Lanes<Word = u64>, const N: usize>(&self, isa: V::Proof, a: &mut [V; 25]) {
        assert!(self.degree == V::LANES);
        // SAFETY: "Sources": a block at each place, as `Pointers::blocks` checked.
        let words: [V; N] = unsafe { V::load_little(isa, self.rows, self.offset) };
        for i in 0..N {
            a[i] = a[i] ^ words[i];
        }
    }
}

/// The code of a kernel; [`kernels!`](crate::kernels) compiles its verbs.
///
/// Everything in it is `#[inline(always)]`, so that it is compiled with the row's features.
pub trait Body {
    /// The proof that the body needs.
    type Proof: Proof;
    /// Messages per call.
    const DEGREE: usize;
    /// Groups do not share calls.
    const SHARES_CALLS: bool = false;

    /// Permutes the states, one a lane.
    fn permute(isa: Self::Proof, states: &mut [State]);
    /// For each block: xors it into the first words of its lane's state, and permutes.
    fn absorb(isa: Self::Proof, states: LaneStates<'_>, blocks: Blocks<'_>);
}

/// A row's compiled verbs. Calling one needs a CPU with the row's features, and a state a lane.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // As in `Body`.
pub struct Verbs {
    pub permute: unsafe fn(&mut [State]),
    pub absorb: unsafe fn(LaneStates<'_>, Blocks<'_>),
}

/// A sponge's rate: the bytes of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// 576 bits: SHA3-512.
    Bytes72,
    /// 832 bits: SHA3-384.
    Bytes104,
    /// 1088 bits: SHA3-256, SHAKE256, Keccak-256.
    Bytes136,
    /// 1152 bits: SHA3-224.
    Bytes144,
    /// 1344 bits: SHAKE128.
    Bytes168,
}

impl Rate {
    /// All variants.
    pub const ALL: [Self; 5] =
        [Self::Bytes72, Self::Bytes104, Self::Bytes136, Self::Bytes144, Self::Bytes168];

    /// In bytes.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bytes72 => 72,
            Self::Bytes104 => 104,
            Self::Bytes136 => 136,
            Self::Bytes144 => 144,
            Self::Bytes168 => 168,
        }
    }
}

impl Entries for Verbs {
    const NAMES: &'static [&'static str] = &["permute", "absorb"];
    const OVERHEADS: &'static Overheads = &Overheads::SPONGES;
    #[cfg(feature = "calibrate")]
    const RUN: Option<fn(&Kernel, crate::Sample) -> bool> = Some(run_sample);
}

/// Runs a sample.
#[cfg(feature = "calibrate")]
fn run_sample(kernel: &Kernel, sample: crate::Sample) -> bool {
    const RATE: Rate = Rate::Bytes136;
    let crate::Sample::Group(n_blocks) = sample else { return false };
    let row = |k: usize| {
        let blocks = &crate::sample::ZEROS.0[k * 128..][..n_blocks * RATE.bytes()];
        let (blocks, last) = blocks.split_at((n_blocks - 1) * RATE.bytes());
        Row { blocks, last }
    };
    let rows: [_; MAX_DEGREE] = core::array::from_fn(row);
    let mut heads = [[0; 8]; MAX_DEGREE];
    let degree = kernel.degree();
    let states = States::Whole(&mut heads[..degree]);
    kernel.absorb(RATE, states, &rows[..degree], RATE.bytes(), n_blocks - 1);
    core::hint::black_box(heads);
    true
}

/// One compiled way to permute.
pub type Kernel = table::Kernel<Verbs>;

/// All kernels of a permutation.
pub type Table = table::Table<Verbs>;

impl Kernel {
    /// Permutes the states.
    ///
    /// # Panics
    /// Panics unless there are [`degree`](Self::degree) of them.
    #[inline]
    pub fn permute(&self, states: &mut [State]) {
        assert!(states.len() == self.degree, "{}: {} states, not {}", self.name, states.len(), self.degree);
        self.entered(1);
        // SAFETY: a table returned `self`, so the CPU has its features; there is a state for each lane.
        unsafe { (self.verbs.permute)(states) }
    }

    /// Xors `n_blocks` blocks of `rows[k]`, `step` bytes from the start of one to the start of the next, and
    /// then its last block into state `k`, and permutes after each.
    ///
    /// # Panics
    /// Panics unless there are [`degree`](Self::degree) states, no two the same, and as many rows, each long
    /// enough.
    #[inline]
    pub fn absorb(&self, rate: Rate, states: States<'_>, rows: &[Row<'_>], step: usize, n_blocks: usize) {
        assert!(rows.len() == self.degree, "{}: {} rows, not {}", self.name, rows.len(), self.degree);
        self.entered(n_blocks + 1);
        let (mut pointers, mut state_pointers) = (Pointers::NULL, [core::ptr::null_mut(); MAX_DEGREE]);
        let states = states.lanes(self.degree, &mut state_pointers);
        let blocks = pointers.blocks(rate, rows, step, n_blocks);
        // SAFETY: as in `permute`; the types of the states and the blocks guarantee the rest.
        unsafe { (self.verbs.absorb)(states, blocks) }
    }
}
