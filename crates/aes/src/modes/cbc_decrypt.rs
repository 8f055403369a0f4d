//! CBC decryption, NIST SP 800-38A section 6.2: P_i = CIPH^-1_K(C_i) ^ C_(i-1), C_0 = IV.
//!
//! No block waits for another, so several blocks of a message are processed side by side: `B::DEGREE` in a
//! register, and `W` registers.

use hashlanes_isa::cipher::{Blocks, InOut, in_halves};

use super::jobs::CbcDecrypt;
use super::round_keys::RoundKeys;

/// `W` registers at once.
#[inline(always)]
pub(super) fn cbc_decrypt<B: Blocks, const W: usize>(isa: B::Proof, job: CbcDecrypt<'_, '_>) {
    let CbcDecrypt { key, chain, buffer, .. } = job;
    let mut blocks = InOut::one(buffer);
    if blocks.n_blocks() == 0 {
        return;
    }
    let dw = RoundKeys::<B>::new(isa, key.dw(), key.rounds());
    // Its last block is the one of ciphertext before the next.
    let mut previous = B::broadcast(isa, &in_halves(chain).to_le_bytes());
    *chain = blocks.block(blocks.n_blocks() - 1);
    let mut at = 0;
    at = decrypt::<B, W>(isa, &dw, &mut previous, &mut blocks, at);
    // The remainder, register by register, the last one perhaps not full: the CPU overlaps them by itself.
    at = decrypt::<B, 1>(isa, &dw, &mut previous, &mut blocks, at);
    if B::DEGREE > 1 && at < blocks.n_blocks() {
        let ciphertext: B = blocks.load_end(isa, at);
        let mut s = [ciphertext.xor(dw.first[0])];
        dw.decrypt(&mut s);
        blocks.store_end(at, s[0].aesdeclast(dw.last).xor(ciphertext.after(previous)));
    }
}

/// Decrypts the blocks of `W` registers from `at` on. Returns the position of the next block.
#[inline(always)]
fn decrypt<B: Blocks, const W: usize>(
    isa: B::Proof,
    dw: &RoundKeys<'_, B>,
    previous: &mut B,
    blocks: &mut InOut<'_, 1>,
    mut at: usize,
) -> usize {
    while at + W * B::DEGREE <= blocks.n_blocks() {
        let mut s = [dw.first[0]; W];
        for j in 0..W {
            s[j] = s[j].xor(blocks.load(isa, at + j * B::DEGREE));
        }
        dw.decrypt(&mut s);
        for j in 0..W {
            s[j] = s[j].aesdeclast(dw.last);
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
