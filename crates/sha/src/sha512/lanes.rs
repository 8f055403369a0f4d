//! The definition: FIPS 180-4 section 6.4.2 over lanes. Message `k` is lane `k` of every word.
//!
//! Two departures from the letter.
//! 1. The schedule W keeps only its last sixteen words, because each new word depends only on those.
//! 2. The working variables a..h do not move: round `t` finds the variable named `j` (a = 0 .. h = 7) at
//!    index `(j - t) mod 8`, so after eight rounds each is back at its index.

use hashlanes_isa::{Definition, Lanes, unroll16};

use super::compression::{Compression, K};

#[inline(always)]
fn big_sigma0<V: Lanes>(x: V) -> V {
    x.rotr(28).xor3(x.rotr(34), x.rotr(39))
}
#[inline(always)]
fn big_sigma1<V: Lanes>(x: V) -> V {
    x.rotr(14).xor3(x.rotr(18), x.rotr(41))
}
#[inline(always)]
fn small_sigma0<V: Lanes>(x: V) -> V {
    x.rotr(1).xor3(x.rotr(8), x.shr(7))
}
#[inline(always)]
fn small_sigma1<V: Lanes>(x: V) -> V {
    x.rotr(19).xor3(x.rotr(61), x.shr(6))
}

impl Definition<8> for Compression {
    #[inline(always)]
    fn compress<V: Lanes<Word = u64>>(isa: V::Proof, state: &mut [V; 8], mut w: [V; 16]) {
        let mut s = *state;
        unroll16!(T => { round(&mut s, T, V::splat(isa, K[T]) + w[T]); });
        for sixteen in 1..5 {
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
    fn rounds<V: Lanes<Word = u64>>(isa: V::Proof, state: &mut [V; 8], kw: &[u64; 80]) {
        let mut s = *state;
        for sixteen in 0..5 {
            unroll16!(T => { round(&mut s, T, V::splat(isa, kw[16 * sixteen + T])); });
        }
        for i in 0..8 {
            state[i] = state[i] + s[i];
        }
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
