//! SHA-1 by Arm's instructions, `S` messages interleaved to hide the latency of `sha1c`, `sha1p` and `sha1m`.
//!
//! An instruction does four rounds, on A B C D in one register (A lowest) and E, which `sha1h` computes from
//! the A of four rounds before. Four words of the schedule are in a register, word 0 lowest.

use hashlanes_isa::Streamed;
use hashlanes_isa::arm_sha2::{ArmSha2, Words};

use super::compression::{Compression, K, State};

/// Runs a block with the constant `$t` = 0, 1, .. 19.
macro_rules! unroll20 {
    ($t:ident => $body:block) => {
        unroll20!(@ $t $body 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19)
    };
    (@ $t:ident $body:block $($n:literal)*) => {$({
        const $t: usize = $n;
        $body
    })*};
}

/// One message's state.
#[derive(Clone, Copy)]
pub struct Abcde {
    abcd: Words,
    e: u32,
}

impl Streamed for Compression {
    type Words = Words;
    type Registers = Abcde;

    #[inline(always)]
    fn words(bytes: Words) -> Words {
        bytes.swap_bytes()
    }

    #[inline(always)]
    fn load(isa: ArmSha2, &[a, b, c, d, e]: &State) -> Abcde {
        Abcde { abcd: isa.load(&[a, b, c, d]), e }
    }
    #[inline(always)]
    fn store(isa: ArmSha2, state: Abcde) -> State {
        let [a, b, c, d] = isa.store(state.abcd);
        [a, b, c, d, state.e]
    }

    #[inline(always)]
    fn compress<const S: usize>(isa: ArmSha2, s: &mut [Abcde; S], mut w: [[Words; 4]; S]) {
        let before = *s;
        unroll20!(T => {
            let k4 = isa.load(&[K[T / 5]; 4]);
            for k in 0..S {
                let w = &mut w[k];
                let kw = w[T % 4] + k4;
                if T < 16 {
                    // Words 4T + 16.. in place of words 4T...
                    w[T % 4] = w[T % 4].sha1su0(w[(T + 1) % 4], w[(T + 2) % 4]).sha1su1(w[(T + 3) % 4]);
                }
                four_rounds::<{ T / 5 }>(&mut s[k], kw);
            }
        });
        add(s, before);
    }

    #[inline(always)]
    fn rounds<const S: usize>(isa: ArmSha2, s: &mut [Abcde; S], kw: &[u32; 80]) {
        let before = *s;
        unroll20!(T => {
            let kw4 = isa.load(&kw.as_chunks().0[T]);
            for s in &mut *s {
                four_rounds::<{ T / 5 }>(s, kw4);
            }
        });
        add(s, before);
    }
}

/// Four rounds with the function of rounds 20 `F`...
#[inline(always)]
fn four_rounds<const F: usize>(s: &mut Abcde, kw: Words) {
    let e = s.abcd.sha1h();
    s.abcd = match F {
        0 => s.abcd.sha1c(s.e, kw),
        2 => s.abcd.sha1m(s.e, kw),
        _ => s.abcd.sha1p(s.e, kw),
    };
    s.e = e;
}

/// The last step of a block.
#[inline(always)]
fn add<const S: usize>(s: &mut [Abcde; S], before: [Abcde; S]) {
    for k in 0..S {
        s[k].abcd = s[k].abcd + before[k].abcd;
        s[k].e = s[k].e.wrapping_add(before[k].e);
    }
}
