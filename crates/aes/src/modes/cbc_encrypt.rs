//! CBC encryption, NIST SP 800-38A section 6.2: C_i = CIPH_K(P_i ^ C_(i-1)), C_0 = IV.
//!
//! Each block depends on the block before it, so one message uses only one of the 8 to 16 places of the AES
//! unit; several messages fill it. They are next to each other in registers, and several registers are
//! interleaved in time.
//!
//! After the last round of a block follow the xor with the next block of plaintext, and then with the first
//! round key. Both are combined into the last round's key, because an AES round ends with the xor of its key:
//! with s the state before the last round,
//!
//! ```text
//! AESENCLAST(s, w[Nr]) ^ P ^ w[0] = AESENCLAST(s, w[Nr] ^ P ^ w[0])
//! ```
//!
//! is the state after the first AddRoundKey of the next block: only the rounds are on the path from block to
//! block. The ciphertext is the result with P ^ w[0] removed again, off that path. One message takes 2.50
//! instead of 2.56 cycles per byte, sixteen in registers of two 0.207 instead of 0.236 (Zen 4).
//!
//! # Messages at one place of their pages
//! Sixteen messages that begin at pages, like sectors and page buffers, all map to one set of the first-level
//! cache, which holds 8 to 12 of their lines: a line is evicted before its second block is read. Then
//! messages are read and written in **rows**: as many blocks of each as a register holds, which are
//! transposed. With registers of four blocks a row is a line, and is fetched once (0.24 instead of 0.80
//! cycles per byte, Zen 4). Otherwise the shuffles cost more than gathering.

use hashlanes_isa::cipher::{Block, Blocks, Buffer, InOut, in_halves};

use super::jobs::CbcEncrypt;
use super::round_keys::round_keys;
use crate::Key;

/// `K` messages of one key in `R` registers, by rows or gathered block by block.
#[inline(always)]
pub(super) fn cbc_encrypt<B: Blocks, const R: usize, const K: usize, const ROWS: bool>(
    isa: B::Proof,
    job: CbcEncrypt<'_, '_, &Key>,
) {
    match job.keys.rounds() {
        10 => of_one_key::<B, R, K, 10, ROWS>(isa, job),
        12 => of_one_key::<B, R, K, 12, ROWS>(isa, job),
        _ => of_one_key::<B, R, K, 14, ROWS>(isa, job),
    }
}

/// `K` messages in `R` registers, each message with its own key.
#[inline(always)]
pub(super) fn cbc_encrypt_each<B: Blocks, const R: usize, const K: usize, const ROWS: bool>(
    isa: B::Proof,
    job: CbcEncrypt<'_, '_, &[&Key]>,
) {
    match job.keys[0].rounds() {
        10 => of_keys::<B, R, K, 10, ROWS>(isa, job),
        12 => of_keys::<B, R, K, 12, ROWS>(isa, job),
        _ => of_keys::<B, R, K, 14, ROWS>(isa, job),
    }
}

#[inline(always)]
fn of_one_key<B: Blocks, const R: usize, const K: usize, const NR: usize, const ROWS: bool>(
    isa: B::Proof,
    job: CbcEncrypt<'_, '_, &Key>,
) {
    let keys = [round_keys::<B>(isa, job.keys.w())];
    messages_through::<B, R, K, NR, 1, ROWS>(isa, &keys, job.chain, job.messages, job.n_blocks);
}

#[inline(always)]
fn of_keys<B: Blocks, const R: usize, const K: usize, const NR: usize, const ROWS: bool>(
    isa: B::Proof,
    job: CbcEncrypt<'_, '_, &[&Key]>,
) {
    assert!(job.keys.len() == K && job.keys.iter().all(|key| key.rounds() == NR));
    let keys = each::<B, R, NR>(isa, job.keys);
    messages_through::<B, R, K, NR, R, ROWS>(isa, &keys, job.chain, job.messages, job.n_blocks);
}

/// Returns the round keys of each message.
#[inline(always)]
fn each<B: Blocks, const R: usize, const NR: usize>(isa: B::Proof, keys: &[&Key]) -> [[B; 15]; R] {
    let mut round_keys = [[B::zero(isa); 15]; R];
    for j in 0..R {
        for r in 0..NR + 1 {
            let mut of_messages = [&[0; 16]; 4];
            for k in 0..B::DEGREE {
                of_messages[k] = &keys[j * B::DEGREE + k].w()[r];
            }
            round_keys[j][r] = B::gather(isa, &of_messages[..B::DEGREE]);
        }
    }
    round_keys
}

/// Encrypts the chains of all messages, which have equal numbers of blocks. `keys` are one for all (`G` = 1),
/// or one for each register.
#[inline(always)]
fn messages_through<
    B: Blocks,
    const R: usize,
    const K: usize,
    const NR: usize,
    const G: usize,
    const ROWS: bool,
>(
    isa: B::Proof,
    keys: &[[B; 15]; G],
    chain: &mut [Block],
    messages: &mut [Buffer<'_>],
    n_blocks: usize,
) {
    assert!(chain.len() == K);
    let mut blocks = InOut::<K>::new(messages, n_blocks);
    let mut c = [B::zero(isa); R];
    if K == 1 {
        c[0] = B::broadcast(isa, &in_halves(&chain[0]).to_le_bytes());
    } else {
        for j in 0..R {
            c[j] = B::load(isa, chain[j * B::DEGREE..][..B::DEGREE].as_flattened());
        }
    }
    let n_in_rows = if ROWS { blocks.n_blocks() / B::DEGREE * B::DEGREE } else { 0 };
    for first in (0..n_in_rows).step_by(B::DEGREE) {
        row::<B, R, K, NR, G>(isa, keys, &mut c, &mut blocks, first);
    }
    gathered::<B, R, K, NR, G>(isa, keys, &mut c, &mut blocks, n_in_rows);
    for j in 0..R {
        c[j].store(chain[j * B::DEGREE..][..B::DEGREE].as_flattened_mut());
    }
    for message in messages {
        message.take(16 * n_blocks);
    }
}

/// All blocks from `first` on; `c` holds the preceding blocks of ciphertext, and after the call the last
/// ones.
#[inline(always)]
fn gathered<B: Blocks, const R: usize, const K: usize, const NR: usize, const G: usize>(
    isa: B::Proof,
    keys: &[[B; 15]; G],
    c: &mut [B; R],
    blocks: &mut InOut<'_, K>,
    first: usize,
) {
    let n_blocks = blocks.n_blocks();
    if first == n_blocks {
        return;
    }
    let mut s = *c;
    for j in 0..R {
        s[j] = s[j].xor3(blocks.gather(isa, j * B::DEGREE, first), key(keys, j)[0]);
    }
    for i in first + 1..n_blocks {
        rounds::<B, R, NR, G>(&mut s, keys);
        for j in 0..R {
            let w = key(keys, j);
            let plaintext = blocks.gather::<B>(isa, j * B::DEGREE, i).xor(w[0]);
            s[j] = s[j].aesenclast(plaintext.xor(w[NR]));
            blocks.scatter(j * B::DEGREE, i - 1, s[j].xor(plaintext));
        }
    }
    rounds::<B, R, NR, G>(&mut s, keys);
    for j in 0..R {
        s[j] = s[j].aesenclast(key(keys, j)[NR]);
        blocks.scatter(j * B::DEGREE, n_blocks - 1, s[j]);
    }
    *c = s;
}

/// Encrypts one register of blocks of each message, from `first` on.
#[inline(always)]
fn row<B: Blocks, const R: usize, const K: usize, const NR: usize, const G: usize>(
    isa: B::Proof,
    keys: &[[B; 15]; G],
    c: &mut [B; R],
    blocks: &mut InOut<'_, K>,
    first: usize,
) {
    // The b-th blocks of the messages of register j are m[j][b]: first plaintext, then ciphertext.
    let mut m = [[B::zero(isa); 4]; R];
    for j in 0..R {
        for k in 0..B::DEGREE {
            m[j][k] = blocks.load_row(isa, j * B::DEGREE + k, first);
        }
        B::transpose(&mut m[j][..B::DEGREE]);
        c[j] = c[j].xor3(m[j][0], key(keys, j)[0]);
    }
    for b in 0..B::DEGREE {
        rounds::<B, R, NR, G>(c, keys);
        for j in 0..R {
            let w = key(keys, j);
            if b + 1 < B::DEGREE {
                let plaintext = m[j][b + 1].xor(w[0]);
                c[j] = c[j].aesenclast(plaintext.xor(w[NR]));
                m[j][b] = c[j].xor(plaintext);
            } else {
                c[j] = c[j].aesenclast(w[NR]);
                m[j][b] = c[j];
            }
        }
    }
    for j in 0..R {
        B::transpose(&mut m[j][..B::DEGREE]);
        for k in 0..B::DEGREE {
            blocks.store_row(j * B::DEGREE + k, first, m[j][k]);
        }
    }
}

/// Returns the round keys of register `j`.
#[inline(always)]
fn key<B, const G: usize>(keys: &[[B; 15]; G], j: usize) -> &[B; 15] {
    &keys[if G == 1 { 0 } else { j }]
}

/// All rounds but the last, the registers in step.
#[inline(always)]
fn rounds<B: Blocks, const R: usize, const NR: usize, const G: usize>(s: &mut [B; R], keys: &[[B; 15]; G]) {
    for r in 1..NR {
        B::keep_order(s);
        for j in 0..R {
            s[j] = s[j].aesenc(key(keys, j)[r]);
        }
    }
    B::keep_order(s);
}
