//! Kernels of Keccak's permutation: what a sponge does to the states of one message or many.
//!
//! A sponge's state is 25 words, its block is as many of them as its rate has, and nothing of a compression function's
//! verbs fits it. So it has verbs of its own.

use core::marker::PhantomData;

use crate::costs::Overheads;
use crate::table::{self, Entries};
use crate::{Lanes, MAX_DEGREE, Proof};

/// The lanes A\[x, y\] of FIPS 202, section 3.1.2, at 5 · y + x.
pub type State = [u64; 25];

/// Whole blocks of `N` words a lane: block `b` of lane `k` is at `rows[k] + b * step`.
#[derive(Debug)]
pub struct Blocks<'a, const N: usize> {
    places: *const *const u8,
    offset: usize,
    step: usize,
    n_blocks: usize,
    degree: usize,
    rows: PhantomData<&'a [u8]>,
}

impl<'a, const N: usize> Blocks<'a, N> {
    /// The pointers of `n_blocks` blocks of each of `rows`, put into `pointers`.
    ///
    /// # Panics
    /// If a row is too short for them.
    fn new(
        pointers: &'a mut [*const u8; MAX_DEGREE],
        rows: &[&'a [u8]],
        step: usize,
        n_blocks: usize,
    ) -> Self {
        let before_last = n_blocks.saturating_sub(1).checked_mul(step);
        let end = before_last.and_then(|at| at.checked_add(8 * N)).expect("an address");
        for (pointer, row) in pointers.iter_mut().zip(rows) {
            assert!(n_blocks == 0 || row.len() >= end, "{n_blocks} blocks take {end} bytes of {}", row.len());
            *pointer = row.as_ptr();
        }
        let places = pointers.as_ptr();
        Self { places, offset: 0, step, n_blocks, degree: rows.len(), rows: PhantomData }
    }

    /// The next block of every lane, as little-endian words.
    #[inline(always)]
    pub fn next<V: Lanes<Word = u64>>(&mut self, isa: V::Proof) -> Option<[V; N]> {
        assert!(self.degree == V::LANES);
        self.n_blocks = self.n_blocks.checked_sub(1)?;
        // SAFETY: "Sources": a block at each place, as `new` checked.
        let words = unsafe { V::load_little(isa, self.places, self.offset) };
        self.offset += self.step;
        Some(words)
    }
}

/// A kernel as its file writes it; [`kernels!`](crate::kernels) compiles its verbs.
///
/// Everything in it is `#[inline(always)]`, so that it is compiled with the row's features.
pub trait Body {
    /// What the body needs.
    type Proof: Proof;
    /// Messages per call.
    const DEGREE: usize;

    /// Permutes the states, one a lane.
    fn permute(isa: Self::Proof, states: &mut [State]);
    /// For each block: takes it into the first `N` words of its lane's state, and permutes.
    fn absorb<const N: usize>(isa: Self::Proof, states: &mut [State], blocks: Blocks<'_, N>);
    /// As [`absorb`](Body::absorb), at the rate of 136 bytes.
    #[inline(always)]
    fn absorb136(isa: Self::Proof, states: &mut [State], blocks: Blocks<'_, 17>) {
        Self::absorb(isa, states, blocks);
    }
    /// The same at that of 168 bytes.
    #[inline(always)]
    fn absorb168(isa: Self::Proof, states: &mut [State], blocks: Blocks<'_, 21>) {
        Self::absorb(isa, states, blocks);
    }
}

/// A row's compiled verbs. Calling one needs a CPU with the row's features, and a state a lane.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)] // As in `Body`; a rate each, named in bytes.
pub struct Verbs {
    pub permute: unsafe fn(&mut [State]),
    pub absorb136: unsafe fn(&mut [State], Blocks<'_, 17>),
    pub absorb168: unsafe fn(&mut [State], Blocks<'_, 21>),
}

/// A sponge's rate: what a block brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rate {
    /// 1088 bits: SHA3-256, SHAKE256, Keccak with a capacity of 512.
    Bytes136,
    /// 1344 bits: SHAKE128.
    Bytes168,
}

impl Rate {
    /// In bytes.
    #[inline]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Bytes136 => 136,
            Self::Bytes168 => 168,
        }
    }
}

impl Entries for Verbs {
    const NAMES: &'static [&'static str] = &["permute", "absorb136", "absorb168"];
    const OVERHEADS: &'static Overheads = &Overheads::SPONGES;
}

/// One compiled way to permute.
pub type Kernel = table::Kernel<Verbs>;

/// All kernels of a permutation.
pub type Table = table::Table<Verbs>;

impl Kernel {
    /// Permutes the states.
    ///
    /// # Panics
    /// Unless there are [`degree`](Self::degree) of them.
    #[inline]
    pub fn permute(&self, states: &mut [State]) {
        assert!(states.len() == self.degree, "{}: {} states, not {}", self.name, states.len(), self.degree);
        self.entered(1);
        // SAFETY: a table handed `self` out, so the CPU has its features; a state a lane.
        unsafe { (self.verbs.permute)(states) }
    }

    /// Takes `n_blocks` blocks of `rows[k]`, `step` bytes from the start of one to the start of the next, into
    /// `states[k]`, and permutes after each.
    ///
    /// # Panics
    /// Unless there are [`degree`](Self::degree) states and as many rows, each long enough.
    #[inline]
    pub fn absorb(&self, rate: Rate, states: &mut [State], rows: &[&[u8]], step: usize, n_blocks: usize) {
        assert!(states.len() == self.degree, "{}: {} states, not {}", self.name, states.len(), self.degree);
        assert!(rows.len() == self.degree, "{}: {} rows, not {}", self.name, rows.len(), self.degree);
        self.entered(n_blocks);
        let mut pointers = [core::ptr::null(); MAX_DEGREE];
        // SAFETY: as in `permute`; the blocks prove themselves.
        unsafe {
            match rate {
                Rate::Bytes136 => {
                    (self.verbs.absorb136)(states, Blocks::new(&mut pointers, rows, step, n_blocks))
                }
                Rate::Bytes168 => {
                    (self.verbs.absorb168)(states, Blocks::new(&mut pointers, rows, step, n_blocks))
                }
            }
        }
    }
}
