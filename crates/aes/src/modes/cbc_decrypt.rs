//! CBC decryption, NIST SP 800-38A section 6.2: P_i = CIPH^-1_K(C_i) ^ C_(i-1), C_0 = IV.
//!
//! No block waits for another, so several blocks of a message are processed side by side: `B::DEGREE` in a
//! register, and `W` registers.

use hashlanes_isa::cipher::{Block, Blocks, InOut};

use super::jobs::CbcDecrypt;
use super::round_keys::{inverse_rounds, round_keys};

/// `W` registers at once.
#[inline(always)]
pub(super) fn cbc_decrypt<B: Blocks, const W: usize>(isa: B::Proof, job: CbcDecrypt<'_, '_>) {
    match job.key.rounds() {
        10 => with_rounds::<B, W, 10>(isa, job),
        12 => with_rounds::<B, W, 12>(isa, job),
        _ => with_rounds::<B, W, 14>(isa, job),
    }
}

#[inline(always)]
fn with_rounds<B: Blocks, const W: usize, const NR: usize>(isa: B::Proof, job: CbcDecrypt<'_, '_>) {
    let CbcDecrypt { key, chain, buffer, .. } = job;
    let mut blocks = InOut::one(buffer);
    let n_wide = blocks.n_blocks() / B::DEGREE * B::DEGREE;
    let mut wide = blocks.take(n_wide);
    let dw = round_keys::<B>(isa, key.dw());
    let n_full = n_wide / (W * B::DEGREE) * (W * B::DEGREE);
    let mut full = wide.take(n_full);
    decrypt::<B, W, NR>(isa, &dw, chain, &mut full);
    // The remainder, register by register, then block by block: the CPU overlaps them by itself.
    decrypt::<B, 1, NR>(isa, &dw, chain, &mut wide);
    if B::DEGREE > 1 && blocks.n_blocks() > 0 {
        let isa = B::one(isa);
        let dw = round_keys::<B::One>(isa, key.dw());
        decrypt::<B::One, 1, NR>(isa, &dw, chain, &mut blocks);
    }
}

/// All blocks, a multiple of what `W` registers hold.
#[inline(always)]
fn decrypt<B: Blocks, const W: usize, const NR: usize>(
    isa: B::Proof,
    dw: &[B; 15],
    chain: &mut Block,
    blocks: &mut InOut<'_, 1>,
) {
    if blocks.n_blocks() == 0 {
        return;
    }
    // Its last block is the one of ciphertext before the next.
    let mut previous = B::broadcast(isa, chain);
    let mut at = 0;
    while at + W * B::DEGREE <= blocks.n_blocks() {
        let mut s = [dw[0]; W];
        for j in 0..W {
            s[j] = s[j].xor(blocks.load(isa, at + j * B::DEGREE));
        }
        inverse_rounds::<B, W, NR>(&mut s, dw);
        for j in 0..W {
            s[j] = s[j].aesdeclast(dw[NR]);
        }
        B::keep_order(&mut s);
        // The ciphertext once more: in place it is there until all of these are written.
        for j in 0..W {
            let ciphertext: B = blocks.load(isa, at + j * B::DEGREE);
            s[j] = s[j].xor(ciphertext.after(previous));
            previous = ciphertext;
        }
        for j in 0..W {
            blocks.store(at + j * B::DEGREE, s[j]);
        }
        at += W * B::DEGREE;
    }
    let mut last = [[0; 16]; 4];
    previous.store(last[..B::DEGREE].as_flattened_mut());
    *chain = last[B::DEGREE - 1];
}
