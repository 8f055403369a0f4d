//! The definition: FIPS 202, sections 3.2 and 3.3, over lanes. Message `k` is lane `k` of every vector. (What
//! the standard calls a lane, A\[x, y\], 64 bits of one state, is a word here, at 5 · y + x.)
//!
//! One departure from the letter: the second half of theta, rho, pi and chi are one step, a row of the result
//! after the other, as each row takes five words of A and what all rows share.

use core::hint::black_box;
use core::marker::PhantomData;
use core::mem::MaybeUninit;

use hashlanes_isa::Lanes;
use hashlanes_isa::sponge::{Blocks, Body, LaneStates, State};

use super::{RC, RHO};

/// The body of rows that run the definition over lanes of type `V`; theta makes D first if `D_FIRST`, see
/// `moved`.
pub(super) struct OverLanes<V, const D_FIRST: bool = false>(PhantomData<V>);

impl<V: Lanes<Word = u64>, const D_FIRST: bool> Body for OverLanes<V, D_FIRST> {
    type Proof = V::Proof;
    const DEGREE: usize = V::LANES;

    #[inline(always)]
    fn permute(isa: V::Proof, states: &mut [State]) {
        align_stack::<V>();
        let mut a = V::load_states(isa, states);
        keccak_f::<V, D_FIRST>(isa, &mut a);
        V::store_states(a, states);
    }

    #[inline(always)]
    fn absorb(isa: V::Proof, states: LaneStates<'_>, mut blocks: Blocks<'_>) {
        align_stack::<V>();
        let mut a = states.load::<V>(isa);
        while blocks.absorb_next(isa, &mut a) {
            keccak_f::<V, D_FIRST>(isa, &mut a);
        }
        states.store(a);
    }
}

/// Makes the compiler align the caller's stack for vectors of more than 16 bytes, as it does where a variable
/// needs it. Otherwise words of A that it stores there cross cache lines or not, depending on the address at
/// which the process's stack begins: eight messages took 1.38 to 1.48 cycles a byte (avx512-x8-d), four 1.44
/// to 1.86 (avx512vl-x4-d, Zen 4).
#[inline(always)]
fn align_stack<V>() {
    if size_of::<V>() > 16 {
        black_box(&MaybeUninit::<V>::uninit());
    }
}

/// Keccak-f\[1600\], section 3.4: the 24 rounds. The loop does two rounds, because after one round the words
/// are in other registers than before, and after two they are back.
#[inline(always)]
fn keccak_f<V: Lanes<Word = u64>, const D_FIRST: bool>(isa: V::Proof, a: &mut [V; 25]) {
    for pair in 0..12 {
        round::<V, D_FIRST>(isa, a, RC[2 * pair]);
        round::<V, D_FIRST>(isa, a, RC[2 * pair + 1]);
    }
}

/// Runs a block with the constant `$y` = 0, 1, .. 4.
macro_rules! unroll5 {
    ($y:ident => $body:block) => { unroll5!(@ $y $body 0 1 2 3 4) };
    (@ $y:ident $body:block $($n:literal)*) => {$({
        const $y: usize = $n;
        $body
    })*};
}

/// Rnd, section 3.3: iota of chi of pi of rho of theta of A.
#[inline(always)]
fn round<V: Lanes<Word = u64>, const D_FIRST: bool>(isa: V::Proof, a: &mut [V; 25], rc: u64) {
    // theta, section 3.2.1: C[x] is the parity of a column.
    let c = [parity(a, 0), parity(a, 1), parity(a, 2), parity(a, 3), parity(a, 4)];
    let turned = [c[0].rotl(1), c[1].rotl(1), c[2].rotl(1), c[3].rotl(1), c[4].rotl(1)];
    // A row y of the result: chi (3.2.4) of the words after rho (3.2.2) and pi (3.2.3).
    let mut e = *a;
    unroll5!(Y => {
        let b = [
            moved::<V, D_FIRST, 0, Y>(a, &c, &turned),
            moved::<V, D_FIRST, 1, Y>(a, &c, &turned),
            moved::<V, D_FIRST, 2, Y>(a, &c, &turned),
            moved::<V, D_FIRST, 3, Y>(a, &c, &turned),
            moved::<V, D_FIRST, 4, Y>(a, &c, &turned),
        ];
        e[5 * Y] = b[0].chi(b[1], b[2]);
        e[5 * Y + 1] = b[1].chi(b[2], b[3]);
        e[5 * Y + 2] = b[2].chi(b[3], b[4]);
        e[5 * Y + 3] = b[3].chi(b[4], b[0]);
        e[5 * Y + 4] = b[4].chi(b[0], b[1]);
    });
    // iota, section 3.2.5.
    e[0] = e[0] ^ V::splat(isa, rc);
    *a = e;
}

/// Returns the parity of column `x`.
#[inline(always)]
fn parity<V: Lanes>(a: &[V; 25], x: usize) -> V {
    a[x].xor3(a[x + 5], a[x + 10]).xor3(a[x + 15], a[x + 20])
}

/// Returns the word that pi moves to `[X, Y]`, A\[(X + 3 · Y) mod 5, X\], after theta and rho. `turned` is C,
/// rotated by 1.
#[inline(always)]
fn moved<V: Lanes, const D_FIRST: bool, const X: usize, const Y: usize>(
    a: &[V; 25],
    c: &[V; 5],
    turned: &[V; 5],
) -> V {
    let from = (X + 3 * Y) % 5;
    // A[x, y] ^ D[x] with D[x] = C[x - 1] ^ (C[x + 1] turned by 1). Where an instruction takes three inputs,
    // D is not needed: a round has 90 instead of 95 instructions, 60 instead of 35 of them with three inputs.
    // Zen 4 carries out half as many of those in a cycle as of others, if more than one input was computed
    // just before, and takes 14 % longer without D (avx512-x8; avx512vl-x4 18 %); Intel's CPUs take 4 and 6 %
    // longer with D. Where no instruction takes three, the compiler makes D first.
    let (word, left, right) = (a[5 * X + from], c[(from + 4) % 5], turned[(from + 1) % 5]);
    let word = if D_FIRST { word ^ (left ^ right) } else { word.xor3(left, right) };
    // A[0, 0] is not rotated, and no other word's offset is 0.
    if X == 0 && Y == 0 { word } else { word.rotl(RHO[5 * X + from]) }
}
