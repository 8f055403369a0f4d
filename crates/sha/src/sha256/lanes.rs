//! The definition: FIPS 180-4 section 6.2.2 over lanes. Message `k` is lane `k` of every word.
//!
//! Two departures from the letter.
//! 1. The schedule W keeps only its last sixteen words, because each new word depends only on those.
//! 2. The working variables a..h do not move: round `t` finds the variable named `j` (a = 0 .. h = 7) at
//!    index `(j - t) mod 8`, so after eight rounds each is back at its index.

use hashlanes_isa::{Definition, KnownHalf, Lanes, unroll16};

use super::compression::{Compression, K};

#[inline(always)]
fn big_sigma0<V: Lanes>(x: V) -> V {
    x.rotr(2).xor3(x.rotr(13), x.rotr(22))
}
#[inline(always)]
fn big_sigma1<V: Lanes>(x: V) -> V {
    x.rotr(6).xor3(x.rotr(11), x.rotr(25))
}
#[inline(always)]
fn small_sigma0<V: Lanes>(x: V) -> V {
    x.rotr(7).xor3(x.rotr(18), x.shr(3))
}
#[inline(always)]
fn small_sigma1<V: Lanes>(x: V) -> V {
    x.rotr(17).xor3(x.rotr(19), x.shr(10))
}

impl Definition<8> for Compression {
    const KNOWS_HALVES: bool = cfg!(feature = "known-halves");

    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(isa: V::Proof, state: &mut [V; 8], mut w: [V; 16]) {
        let mut s = *state;
        unroll16!(T => { round(&mut s, T, V::splat(isa, K[T]) + w[T]); });
        for sixteen in 1..4 {
            unroll16!(T => {
                w[T] = small_sigma1(w[(T + 14) % 16]) + w[(T + 9) % 16] + small_sigma0(w[(T + 1) % 16]) + w[T];
                round(&mut s, T, V::splat(isa, K[16 * sixteen + T]) + w[T]);
            });
        }
        for i in 0..8 {
            state[i] = state[i] + s[i];
        }
    }

    #[inline(always)]
    fn compress_known_first<V: Lanes<Word = u32>>(
        isa: V::Proof,
        state: &mut [V; 8],
        w: [V; 16],
        known: &KnownHalf<Self>,
    ) {
        compress_known::<V, FIRST>(isa, state, w, known);
    }

    #[inline(always)]
    fn compress_known_second<V: Lanes<Word = u32>>(
        isa: V::Proof,
        state: &mut [V; 8],
        w: [V; 16],
        known: &KnownHalf<Self>,
    ) {
        compress_known::<V, SECOND>(isa, state, w, known);
    }

    #[inline(always)]
    fn rounds<V: Lanes<Word = u32>>(isa: V::Proof, state: &mut [V; 8], kw: &[u32; 64]) {
        let mut s = *state;
        for sixteen in 0..4 {
            unroll16!(T => { round(&mut s, T, V::splat(isa, kw[16 * sixteen + T])); });
        }
        for i in 0..8 {
            state[i] = state[i] + s[i];
        }
    }
}

/// The first word of a half.
const FIRST: usize = 0;
const SECOND: usize = 8;

/// For blocks whose words `HALF..HALF + 8` are known: these words are never read. A known first half saves
/// its eight rounds, and either half the functions and sums of known words in the schedule: 13 and 7 % of the
/// instructions. Measured for 64 blocks: 8 and 2 % of the cycles in 16 lanes of AVX-512, 13 and 4 % in 8 of
/// AVX-512VL, 12 and 4 % in 8 of AVX2.
#[inline(always)]
fn compress_known<V: Lanes<Word = u32>, const HALF: usize>(
    isa: V::Proof,
    state: &mut [V; 8],
    mut w: [V; 16],
    known: &KnownHalf<Compression>,
) {
    let mut s = *state;
    if HALF == FIRST {
        for i in 0..8 {
            s[i] = V::splat(isa, known.after[i]);
        }
    }
    unroll16!(T => {
        if HALF == FIRST && T >= 8 || HALF == SECOND && T < 8 {
            round(&mut s, T, V::splat(isa, K[T]) + w[T]);
        } else if HALF == SECOND {
            round(&mut s, T, V::splat(isa, known.kw[T % 8]));
        }
    });
    unroll16!(T => {
        // W[16 + T]: the terms of unknown words, plus the sum of the known ones, if there are any.
        let is_open = |t: usize| t >= 16 || t / 8 * 8 != HALF;
        let all_open = is_open(T) && is_open(T + 1) && is_open(T + 9) && is_open(T + 14);
        let mut sum = if all_open { w[T] } else { V::splat(isa, known.brought[T]) };
        if is_open(T + 14) { sum = sum + small_sigma1(w[(T + 14) % 16]) }
        if is_open(T + 9) { sum = sum + w[(T + 9) % 16] }
        if is_open(T + 1) { sum = sum + small_sigma0(w[(T + 1) % 16]) }
        if is_open(T) && !all_open { sum = sum + w[T] }
        w[T] = sum;
        round(&mut s, T, V::splat(isa, K[16 + T]) + w[T]);
    });
    for sixteen in 2..4 {
        unroll16!(T => {
            w[T] = small_sigma1(w[(T + 14) % 16]) + w[(T + 9) % 16] + small_sigma0(w[(T + 1) % 16]) + w[T];
            round(&mut s, T, V::splat(isa, K[16 * sixteen + T]) + w[T]);
        });
    }
    for i in 0..8 {
        state[i] = state[i] + s[i];
    }
}

/// Round `t`, given K\[t\] + W\[t\].
#[inline(always)]
fn round<V: Lanes>(s: &mut [V; 8], t: usize, kw: V) {
    macro_rules! at {
        ($j:literal) => {
            s[($j + 8 - t % 8) % 8]
        };
    }
    let (a, b, c, d) = (at!(0), at!(1), at!(2), at!(3));
    let (e, f, g, h) = (at!(4), at!(5), at!(6), at!(7));
    let t1 = h + big_sigma1(e) + e.ch(f, g) + kw;
    let t2 = big_sigma0(a) + a.maj(b, c);
    at!(3) = d + t1;
    at!(7) = t1 + t2;
}
