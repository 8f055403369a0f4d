//! SHA-256 by the SHA extensions, `S` messages interleaved to hide the latency of `sha256rnds2`: four cycles
//! of which one message alone fills one.
//!
//! An instruction makes two rounds, on the state as two registers, A B E F and C D G H; four words of the
//! schedule stand in a register, word 0 lowest. The order of the instructions is the compiler's.

use hashlanes_isa::sha_ni::{Aligned, Order, ShaNi, Words};
use hashlanes_isa::{Streamed, unroll16};

use super::{Compression, K, State};

static ALIGNED_K: Aligned<64> = Aligned(K);

impl Streamed for Compression {
    type Registers = [Words; 2];
    const ORDER: Order = Order::LowestFirst;

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
        unroll16!(T => {
            let k4 = isa.constant(&ALIGNED_K, T);
            for k in 0..S {
                if T >= 4 {
                    schedule4(&mut w[k], T);
                }
                rounds4(&mut s[k], w[k][T % 4] + k4);
            }
        });
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ShaNi, s: &mut [[Words; 2]; S], kw: &[u32; 64]) {
        let before = *s;
        unroll16!(T => {
            let kw4 = isa.load(&kw.as_chunks().0[T]);
            for k in 0..S {
                rounds4(&mut s[k], kw4);
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

/// Four rounds, given K + W.
#[inline(always)]
fn rounds4([abef, cdgh]: &mut [Words; 2], kw: Words) {
    *cdgh = cdgh.sha256rnds2(*abef, kw);
    *abef = abef.sha256rnds2(*cdgh, kw.shuffle::<0x0e>());
}

/// Replaces words 4t - 16.. of the schedule by words 4t...
#[inline(always)]
fn schedule4(w: &mut [Words; 4], t: usize) {
    let [w0, w1, w2, w3] = [w[t % 4], w[(t + 1) % 4], w[(t + 2) % 4], w[(t + 3) % 4]];
    w[t % 4] = (w0.sha256msg1(w1) + w3.align::<4>(w2)).sha256msg2(w3);
}
