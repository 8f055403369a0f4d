//! SHA-256 with the SHA extensions, for `S` interleaved messages. The latency of `sha256rnds2` is four
//! cycles, of which one message uses only one; interleaving fills the others. (Turns of one message are in
//! assembly: `asm/sha_ni.s`.)
//!
//! An instruction performs two rounds. The state is in two registers, A B E F and C D G H; a register holds
//! four words of the schedule, word 0 lowest. The compiler keeps the order of the instructions in this file:
//! the schedule runs four rounds ahead of the rounds, its steps between theirs. If four words were made at
//! once where they are needed, two streams would be 4 % slower on Redwood Cove, whose port 5 does nearly all
//! of this and takes the oldest instruction first.

use hashlanes_isa::sha_ni::{Aligned, ShaNi, Words};
use hashlanes_isa::{Streamed, unroll16};

use super::compression::{Compression, K, State};

static ALIGNED_K: Aligned<64> = Aligned(K);

impl Streamed for Compression {
    type Words = Words;
    type Registers = [Words; 2];

    #[inline(always)]
    fn words(bytes: Words) -> Words {
        bytes.lowest_first()
    }

    /// A B C D and E F G H as A B E F and C D G H, each with its first letter highest.
    #[inline(always)]
    fn load(isa: ShaNi, state: &State) -> [Words; 2] {
        let [abcd, efgh] = state.as_chunks().0 else { unreachable!() };
        let (cdab, efgh) = (isa.load(abcd).shuffle::<0xb1>(), isa.load(efgh).shuffle::<0x1b>());
        [cdab.align::<8>(efgh), efgh.upper_from(cdab)]
    }
    /// Back.
    #[inline(always)]
    fn store(isa: ShaNi, [abef, cdgh]: [Words; 2]) -> State {
        let (feba, dchg) = (abef.shuffle::<0x1b>(), cdgh.shuffle::<0xb1>());
        let mut state = [0; 8];
        state[..4].copy_from_slice(&isa.store(feba.upper_from(dchg)));
        state[4..].copy_from_slice(&isa.store(dchg.align::<8>(feba)));
        state
    }

    #[inline(always)]
    fn compress<const S: usize>(isa: ShaNi, s: &mut [[Words; 2]; S], mut w: [[Words; 4]; S]) {
        let before = *s;
        isa.after_copies();
        unroll16!(T => {
            let k4 = isa.constant(&ALIGNED_K, T);
            for k in 0..S {
                let (w, [abef, cdgh]) = (&mut w[k], &mut s[k]);
                let kw = w[T % 4] + k4;
                *cdgh = cdgh.sha256rnds2(*abef, kw);
                if T >= 3 && T < 15 {
                    end4(w, T + 1);
                }
                *abef = abef.sha256rnds2(*cdgh, kw.shuffle::<0x0e>());
                if T >= 1 && T < 13 {
                    begin4(w, T + 3);
                }
            }
        });
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ShaNi, s: &mut [[Words; 2]; S], kw: &[u32; 64]) {
        let before = *s;
        isa.after_copies();
        unroll16!(T => {
            let kw4 = isa.load(&kw.as_chunks().0[T]);
            for [abef, cdgh] in &mut *s {
                *cdgh = cdgh.sha256rnds2(*abef, kw4);
                *abef = abef.sha256rnds2(*cdgh, kw4.shuffle::<0x0e>());
            }
        });
        add(s, before);
    }
}

/// The last step of a block.
#[inline(always)]
fn add<const S: usize>(s: &mut [[Words; 2]; S], before: [[Words; 2]; S]) {
    for k in 0..S {
        for half in 0..2 {
            s[k][half] = s[k][half] + before[k][half];
        }
    }
}

/// Begins words 4t.. of the schedule in place of words 4t - 16..: these, and small sigma 0 of those that
/// follow them.
#[inline(always)]
fn begin4(w: &mut [Words; 4], t: usize) {
    w[t % 4] = w[t % 4].sha256msg1(w[(t + 1) % 4]);
}

/// Ends words 4t.. of the schedule: adds words 4t - 7.. and small sigma 1 of words 4t - 2...
#[inline(always)]
fn end4(w: &mut [Words; 4], t: usize) {
    let (w2, w3) = (w[(t + 2) % 4], w[(t + 3) % 4]);
    w[t % 4] = (w[t % 4] + w3.align::<4>(w2)).sha256msg2(w3);
}
