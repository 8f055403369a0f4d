//! CBC decryption, NIST SP 800-38A section 6.2: P_i = CIPH^-1_K(C_i) ^ C_(i-1), C_0 = IV.
//!
//! No block waits for another, so several blocks of a message are processed side by side: `B::DEGREE` in a
//! register, and `W` registers.

use hashlanes_isa::cipher::{Blocks, InOut, in_halves};

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
    if blocks.n_blocks() == 0 {
        return;
    }
    let dw = round_keys::<B>(isa, key.dw());
    // Its last block is the one of ciphertext before the next.
    let mut previous = B::broadcast(isa, &in_halves(chain).to_le_bytes());
    *chain = blocks.block(blocks.n_blocks() - 1);
    let mut at = 0;
    at = decrypt::<B, W, NR>(isa, &dw, &mut previous, &mut blocks, at);
    // The remainder, register by register, the last one perhaps not full: the CPU overlaps them by itself.
    at = decrypt::<B, 1, NR>(isa, &dw, &mut previous, &mut blocks, at);
    if B::DEGREE > 1 && at < blocks.n_blocks() {
        let ciphertext: B = blocks.load_end(isa, at);
        let mut s = [ciphertext.xor(dw[0])];
        inverse_rounds::<B, 1, NR>(&mut s, &dw);
        blocks.store_end(at, s[0].aesdeclast(dw[NR]).xor(ciphertext.after(previous)));
    }
}

/// Decrypts the blocks of `W` registers from `at` on. Returns the position of the next block.
#[inline(always)]
fn decrypt<B: Blocks, const W: usize, const NR: usize>(
    isa: B::Proof,
    dw: &[B; 15],
    previous: &mut B,
    blocks: &mut InOut<'_, 1>,
    mut at: usize,
) -> usize {
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
            s[j] = s[j].xor(ciphertext.after(*previous));
            *previous = ciphertext;
        }
        for j in 0..W {
            blocks.store(at + j * B::DEGREE, s[j]);
        }
        at += W * B::DEGREE;
    }
    at
}
