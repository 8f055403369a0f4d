//! SHA-1 by the SHA extensions, `S` messages interleaved to hide the latency of `sha1rnds4`. (Turns of one
//! message are in assembly: `asm/sha_ni.s`.)
//!
//! An instruction does four rounds, on A B C D in one register (A highest) and E, which is the highest word
//! of a register of W: `sha1nexte` computes the next E from the A B C D of four rounds before. Four words of
//! the schedule are in a register, word 0 highest. K is in the instruction.

use hashlanes_isa::Streamed;
use hashlanes_isa::sha_ni::{ShaNi, Words};

use super::compression::{Compression, K, State};

/// Rounds 4t..4t + 4 of every stream, for each t named.
macro_rules! fours {
    ($s:ident $w:ident $streams:ident: $($t:literal)*) => {$(
        for k in 0..$streams {
            let e = if $t == 0 { $s[k].e + $w[k][0] } else { $s[k].e.sha1nexte($w[k][$t % 4]) };
            $s[k].e = $s[k].abcd;
            $s[k].abcd = $s[k].abcd.sha1rnds4::<{ $t / 5 }>(e);
            if $t < 16 {
                schedule4::<$streams>(&mut $w[k], $t);
            }
        }
    )*};
}

/// The same over the K + W of all streams. The instruction adds K itself, so it is taken off before.
macro_rules! shared_fours {
    ($isa:ident $s:ident $kw:ident $streams:ident: $($t:literal)*) => {
        let kw4 = $kw.as_chunks::<4>().0;
        $(
            let w = $isa.load(&kw4[$t]).shuffle::<0x1b>() + $isa.load(&[K[$t / 5].wrapping_neg(); 4]);
            for k in 0..$streams {
                let e = if $t == 0 { $s[k].e + w } else { $s[k].e.sha1nexte(w) };
                $s[k].e = $s[k].abcd;
                $s[k].abcd = $s[k].abcd.sha1rnds4::<{ $t / 5 }>(e);
            }
        )*
    };
}

/// One message's state: E is the highest word of `e`, or, between fours, the A B C D that it comes from.
#[derive(Clone, Copy)]
pub struct Abcde {
    abcd: Words,
    e: Words,
}

impl Streamed for Compression {
    type Words = Words;
    type Registers = Abcde;

    #[inline(always)]
    fn words(bytes: Words) -> Words {
        bytes.highest_first()
    }

    #[inline(always)]
    fn load(isa: ShaNi, &[a, b, c, d, e]: &State) -> Abcde {
        Abcde { abcd: isa.load(&[d, c, b, a]), e: isa.highest(e) }
    }
    #[inline(always)]
    fn store(isa: ShaNi, state: Abcde) -> State {
        let ([d, c, b, a], [.., e]) = (isa.store(state.abcd), isa.store(state.e));
        [a, b, c, d, e]
    }

    #[inline(always)]
    fn compress<const S: usize>(_: ShaNi, s: &mut [Abcde; S], mut w: [[Words; 4]; S]) {
        let before = *s;
        fours!(s w S: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ShaNi, s: &mut [Abcde; S], kw: &[u32; 80]) {
        let before = *s;
        shared_fours!(isa s kw S: 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19);
        add(s, before);
    }
}

/// The last step of a block.
#[inline(always)]
fn add<const S: usize>(s: &mut [Abcde; S], before: [Abcde; S]) {
    for k in 0..S {
        s[k].e = s[k].e.sha1nexte(before[k].e);
        s[k].abcd = s[k].abcd + before[k].abcd;
    }
}

/// Replaces words 4t.. of the schedule by words 4t + 16...
///
/// From four streams on, the SHA instructions' pipe binds, and a shuffle and a second xor take the place of
/// `sha1msg1`: 460 cycles become 421 (Redwood Cove). Fewer streams are bound by latency and lose 2 to 3 %.
#[inline(always)]
fn schedule4<const S: usize>(w: &mut [Words; 4], t: usize) {
    let [w0, w1, w2, w3] = [w[t % 4], w[(t + 1) % 4], w[(t + 2) % 4], w[(t + 3) % 4]];
    let w02 = if S < 4 { w0.sha1msg1(w1) } else { w0 ^ w0.align::<8>(w1) };
    w[t % 4] = (w02 ^ w2).sha1msg2(w3);
}
