//! The definition: FIPS 180-4 section 6.1.2 over lanes. Message `k` is lane `k` of every word.
//!
//! Two departures from the letter.
//! 1. The schedule W keeps only its last sixteen words, because each new word depends only on those.
//! 2. The working variables a..e do not move: round `t` finds the variable named `j` (a = 0 .. e = 4) at
//!    index `(j - t) mod 5`. After twenty rounds, which share a function and a constant, each is back at its
//!    index.

use hashlanes_isa::{Definition, Lanes};

use super::compression::{Compression, K};

/// The functions f of the four times twenty rounds.
const CH: usize = 0;
const PARITY: usize = 1;
const MAJ: usize = 2;

/// Runs the block with the constant `$i` = 0, 1, .. 19.
macro_rules! unroll20 {
    ($i:ident => $body:block) => {
        unroll20!(@ $i $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    (@ $i:ident $body:block $($n:literal)*) => { $({ const $i: usize = $n; $body })* };
}

impl Definition<5> for Compression {
    #[inline(always)]
    fn compress<V: Lanes<Word = u32>>(isa: V::Proof, state: &mut [V; 5], mut w: [V; 16]) {
        let mut s = *state;
        let k = [V::splat(isa, K[0]), V::splat(isa, K[1]), V::splat(isa, K[2]), V::splat(isa, K[3])];
        unroll20!(T => { round::<V, CH>(&mut s, T, k[0] + word(&mut w, T)); });
        unroll20!(T => { round::<V, PARITY>(&mut s, T, k[1] + word(&mut w, 20 + T)); });
        unroll20!(T => { round::<V, MAJ>(&mut s, T, k[2] + word(&mut w, 40 + T)); });
        unroll20!(T => { round::<V, PARITY>(&mut s, T, k[3] + word(&mut w, 60 + T)); });
        for i in 0..5 {
            state[i] = state[i] + s[i];
        }
    }

    #[inline(always)]
    fn rounds<V: Lanes<Word = u32>>(isa: V::Proof, state: &mut [V; 5], kw: &[u32; 80]) {
        let mut s = *state;
        unroll20!(T => { round::<V, CH>(&mut s, T, V::splat(isa, kw[T])); });
        unroll20!(T => { round::<V, PARITY>(&mut s, T, V::splat(isa, kw[20 + T])); });
        unroll20!(T => { round::<V, MAJ>(&mut s, T, V::splat(isa, kw[40 + T])); });
        unroll20!(T => { round::<V, PARITY>(&mut s, T, V::splat(isa, kw[60 + T])); });
        for i in 0..5 {
            state[i] = state[i] + s[i];
        }
    }
}

/// W\[t\].
#[inline(always)]
fn word<V: Lanes>(w: &mut [V; 16], t: usize) -> V {
    if t >= 16 {
        let x = w[(t + 13) % 16].xor3(w[(t + 8) % 16], w[(t + 2) % 16] ^ w[t % 16]);
        w[t % 16] = x.rotl(1);
    }
    w[t % 16]
}

/// Round `t` (mod 20) with function `F`, given K + W\[t\].
#[inline(always)]
fn round<V: Lanes, const F: usize>(s: &mut [V; 5], t: usize, kw: V) {
    macro_rules! at {
        ($j:literal) => {
            s[($j + 20 - t % 20) % 5]
        };
    }
    let (a, b, c, d, e) = (at!(0), at!(1), at!(2), at!(3), at!(4));
    let f = match F {
        CH => b.ch(c, d),
        MAJ => b.maj(c, d),
        _ => b.xor3(c, d),
    };
    at!(4) = a.rotl(5) + f + (e + kw);
    at!(1) = b.rotl(30);
}
