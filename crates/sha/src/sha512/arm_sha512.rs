//! SHA-512 by Arm's instructions, `S` messages interleaved to hide the latency of `sha512h` and `sha512h2`.
//!
//! Two instructions do two rounds, on the state as A B, C D, E F and G H, the first letter lower; two words
//! of the schedule are in a register, word 0 lower.

use hashlanes_isa::arm_sha3::{ArmSha3, Words};
use hashlanes_isa::{Streamed, unroll16};

use super::compression::{Compression, K, State};

impl Streamed<8> for Compression {
    type Words = Words;
    type Registers = [Words; 4];

    #[inline(always)]
    fn words(bytes: Words) -> Words {
        bytes.swap_bytes()
    }

    #[inline(always)]
    fn load(isa: ArmSha3, state: &State) -> [Words; 4] {
        let [ab, cd, ef, gh] = state.as_chunks().0 else { unreachable!() };
        [isa.load(ab), isa.load(cd), isa.load(ef), isa.load(gh)]
    }
    #[inline(always)]
    fn store(isa: ArmSha3, pairs: [Words; 4]) -> State {
        let mut state = [0; 8];
        for i in 0..4 {
            state[2 * i..2 * i + 2].copy_from_slice(&isa.store(pairs[i]));
        }
        state
    }

    #[inline(always)]
    fn compress<const S: usize>(isa: ArmSha3, s: &mut [[Words; 4]; S], mut w: [[Words; 8]; S]) {
        let before = *s;
        unroll16!(T => { two_rounds_and_schedule::<S>(isa, s, &mut w, T); });
        unroll16!(T => { two_rounds_and_schedule::<S>(isa, s, &mut w, 16 + T); });
        unroll16!(T => {
            if T < 8 {
                let k2 = isa.load(&K.as_chunks().0[32 + T]);
                for k in 0..S {
                    two_rounds(&mut s[k], w[k][T % 8] + k2);
                }
            }
        });
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ArmSha3, s: &mut [[Words; 4]; S], kw: &[u64; 80]) {
        let before = *s;
        for kw2 in kw.as_chunks().0 {
            let kw2 = isa.load(kw2);
            for s in &mut *s {
                two_rounds(s, kw2);
            }
        }
        add(s, before);
    }
}

/// Rounds 2t and 2t + 1 of every stream, and words 2t + 16.. in place of words 2t..; `t` is a constant.
#[inline(always)]
fn two_rounds_and_schedule<const S: usize>(
    isa: ArmSha3,
    s: &mut [[Words; 4]; S],
    w: &mut [[Words; 8]; S],
    t: usize,
) {
    let k2 = isa.load(&K.as_chunks().0[t]);
    for k in 0..S {
        let w = &mut w[k];
        let kw = w[t % 8] + k2;
        let w9 = w[(t + 4) % 8].middle(w[(t + 5) % 8]);
        w[t % 8] = w[t % 8].sha512su0(w[(t + 1) % 8]).sha512su1(w[(t + 7) % 8], w9);
        two_rounds(&mut s[k], kw);
    }
}

#[inline(always)]
fn two_rounds(s: &mut [Words; 4], kw: Words) {
    let [ab, cd, ef, gh] = *s;
    let first = (kw.middle(kw) + gh).sha512h(ef.middle(gh), cd.middle(ef));
    *s = [first.sha512h2(cd, ab), ab, cd + first, ef];
}

/// The last step of a block.
#[inline(always)]
fn add<const S: usize>(s: &mut [[Words; 4]; S], before: [[Words; 4]; S]) {
    for k in 0..S {
        for i in 0..4 {
            s[k][i] = s[k][i] + before[k][i];
        }
    }
}
