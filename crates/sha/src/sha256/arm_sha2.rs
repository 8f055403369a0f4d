//! SHA-256 by Arm's instructions, `S` messages interleaved to hide the latency of `sha256h` and `sha256h2`.
//!
//! Two instructions do four rounds, on the state as A B C D and E F G H, the first letter lowest; four words
//! of the schedule are in a register, word 0 lowest.

use hashlanes_isa::arm_sha2::{ArmSha2, Words};
use hashlanes_isa::{Streamed, unroll16};

use super::compression::{Compression, K, State};

impl Streamed for Compression {
    type Words = Words;
    type Registers = [Words; 2];

    #[inline(always)]
    fn words(bytes: Words) -> Words {
        bytes.swap_bytes()
    }

    #[inline(always)]
    fn load(isa: ArmSha2, state: &State) -> [Words; 2] {
        let [abcd, efgh] = state.as_chunks().0 else { unreachable!() };
        [isa.load(abcd), isa.load(efgh)]
    }
    #[inline(always)]
    fn store(isa: ArmSha2, [abcd, efgh]: [Words; 2]) -> State {
        let mut state = [0; 8];
        state[..4].copy_from_slice(&isa.store(abcd));
        state[4..].copy_from_slice(&isa.store(efgh));
        state
    }

    #[inline(always)]
    fn compress<const S: usize>(isa: ArmSha2, s: &mut [[Words; 2]; S], mut w: [[Words; 4]; S]) {
        let (before, k4s) = (*s, isa.in_memory(&K).as_chunks().0);
        unroll16!(T => {
            let k4 = isa.load(&k4s[T]);
            for k in 0..S {
                let w = &mut w[k];
                let kw = w[T % 4] + k4;
                if T < 12 {
                    // Words 4T + 16.. in place of words 4T...
                    w[T % 4] = w[T % 4].sha256su0(w[(T + 1) % 4]).sha256su1(w[(T + 2) % 4], w[(T + 3) % 4]);
                }
                four_rounds::<S>(&mut s[k], kw);
            }
        });
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ArmSha2, s: &mut [[Words; 2]; S], kw: &[u32; 64]) {
        let before = *s;
        unroll16!(T => {
            let kw4 = isa.load(&kw.as_chunks().0[T]);
            for s in &mut *s {
                four_rounds::<S>(s, kw4);
            }
        });
        add(s, before);
    }
}

/// `sha256h2` reads a copy of A B C D, `sha256h` overwrites the original. In the compiler's order, the other
/// way round, four rounds of one message take 6 cycles instead of 5 by the models. Three messages do not
/// wait, and need no more instructions.
#[inline(always)]
fn four_rounds<const S: usize>([abcd, efgh]: &mut [Words; 2], kw: Words) {
    let before = if S < 3 { abcd.copy() } else { *abcd };
    *abcd = abcd.sha256h(*efgh, kw);
    *efgh = efgh.sha256h2(before, kw);
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
