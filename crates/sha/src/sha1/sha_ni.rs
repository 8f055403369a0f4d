//! SHA-1 by the SHA extensions, `S` messages interleaved to hide the latency of `sha1rnds4`.
//!
//! An instruction makes four rounds, on A B C D in one register (A highest) and E, which travels as the highest
//! word of a register of W: `sha1nexte` makes the next E from the A B C D of four rounds before. Four words of
//! the schedule stand in a register, word 0 highest. K is in the instruction.

use hashlanes_isa::sha_ni::{Blocks, Order, ShaNi, Words};
use hashlanes_isa::{Body, Pointers};

use super::{Compression, State};

/// The body of rows with `S` streams.
pub(super) struct Streams<const S: usize>;

/// Rounds 4t..4t + 4 of every stream, for each t named.
macro_rules! fours {
    ($s:ident $w:ident $streams:ident: $($t:literal)*) => {$(
        for k in 0..$streams {
            let e = if $t == 0 { $s[k].e + $w[k][0] } else { $s[k].e.sha1nexte($w[k][$t % 4]) };
            $s[k].e = $s[k].abcd;
            $s[k].abcd = $s[k].abcd.sha1rnds4::<{ $t / 5 }>(e);
            if $t < 16 {
                schedule4(&mut $w[k], $t);
            }
        }
    )*};
}

/// One message's state: E is the highest word of `e`, or, between fours, the A B C D that it comes from.
#[derive(Clone, Copy)]
struct Abcde {
    abcd: Words,
    e: Words,
}

impl<const S: usize> Body<Compression> for Streams<S> {
    type Proof = ShaNi;
    const DEGREE: usize = S;

    #[inline(always)]
    fn compress(isa: ShaNi, states: &mut [State], input: Pointers<'_>) {
        assert!(states.len() == S);
        let mut s = [Abcde { abcd: isa.highest(0), e: isa.highest(0) }; S];
        for k in 0..S {
            let [a, b, c, d, e] = states[k];
            s[k] = Abcde { abcd: isa.load(&[d, c, b, a]), e: isa.highest(e) };
        }
        let mut blocks = Blocks::<S>::new(input);
        while let Some(mut w) = blocks.next(isa, Order::HighestFirst) {
            let before = s;
            fours!(s w S: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
            for k in 0..S {
                s[k].e = s[k].e.sha1nexte(before[k].e);
                s[k].abcd = s[k].abcd + before[k].abcd;
            }
        }
        for k in 0..S {
            let ([d, c, b, a], [.., e]) = (isa.store(s[k].abcd), isa.store(s[k].e));
            states[k] = [a, b, c, d, e];
        }
    }
}

/// Replaces words 4t.. of the schedule by words 4t + 16...
#[inline(always)]
fn schedule4(w: &mut [Words; 4], t: usize) {
    let [w0, w1, w2, w3] = [w[t % 4], w[(t + 1) % 4], w[(t + 2) % 4], w[(t + 3) % 4]];
    w[t % 4] = (w0.sha1msg1(w1) ^ w2).sha1msg2(w3);
}
