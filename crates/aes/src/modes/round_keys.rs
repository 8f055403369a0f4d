//! Round keys in registers.

use hashlanes_isa::cipher::{Block, Blocks};

/// A key's round keys, the same for every block of a register, in an array of the largest size: its length is
/// a constant, while an inclusive range would not be unrolled (0.1 cycles per byte of 1 KiB).
#[inline(always)]
pub(crate) fn round_keys<B: Blocks>(isa: B::Proof, keys: &[Block; 15]) -> [B; 15] {
    let mut round_keys = [B::zero(isa); 15];
    for r in 0..15 {
        round_keys[r] = B::broadcast(isa, &keys[r]);
    }
    round_keys
}

/// Does all rounds of CIPHER (FIPS 197, section 5.1) except the last, for all registers in step. The first
/// round key has already been added to the states.
#[inline(always)]
pub(super) fn rounds<B: Blocks, const W: usize, const NR: usize>(s: &mut [B; W], w: &[B; 15]) {
    rounds_from::<B, W, 1, NR>(s, w);
}

/// The same from round `FIRST` on.
#[inline(always)]
pub(super) fn rounds_from<B: Blocks, const W: usize, const FIRST: usize, const NR: usize>(
    s: &mut [B; W],
    w: &[B; 15],
) {
    for r in FIRST..NR {
        B::keep_order(s);
        for j in 0..W {
            s[j] = s[j].aesenc(w[r]);
        }
    }
    B::keep_order(s);
}

/// All rounds of EQINVCIPHER but the last, section 5.3.5.
#[inline(always)]
pub(super) fn inverse_rounds<B: Blocks, const W: usize, const NR: usize>(s: &mut [B; W], dw: &[B; 15]) {
    for r in 1..NR {
        B::keep_order(s);
        for j in 0..W {
            s[j] = s[j].aesdec(dw[r]);
        }
    }
    B::keep_order(s);
}
