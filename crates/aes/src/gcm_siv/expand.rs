//! Derived keys (RFC 8452, section 4), and their round keys (FIPS 197, section 5.2), of several messages side
//! by side.
//!
//! A round key is made by one AESENCLAST. Its columns are all the last word of the round key before, so
//! SHIFTROWS changes nothing, and its own key is what KEYEXPANSION adds: the words of the round key Nk words
//! before, each added to those after it. These sums wait for the round key before, too, if Nk is 4. But with
//! the words p of a round key and k of the next, the sums of k are
//!
//! ```text
//! k0,  k0 ^ k1 = p1,  k0 ^ k1 ^ k2 = k2 ^ p1,  k0 ^ k1 ^ k2 ^ k3 = p1 ^ p3,
//! ```
//!
//! so only two of them wait, and for no more than an exclusive or.

use hashlanes_isa::cipher::{Block, Multiply};

use super::job::{Job, first_of_derivation};

/// The keys of a message: that of POLYVAL, the first, and that of the cipher, from [`key_at`] on.
///
/// As all that is written by registers and read by blocks soon after, it begins at a cache line: a load waits
/// longer for a store into two lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Derived(pub(super) [Block; 4]);

/// The place of the cipher's key among those of a message.
#[inline(always)]
pub(super) const fn key_at<B: Multiply, const NR: usize>() -> usize {
    if in_one_register::<B, NR>() { 2 } else { 1 }
}

/// Whether the blocks that keys are derived from are one register.
#[inline(always)]
const fn in_one_register<B: Multiply, const NR: usize>() -> bool {
    n_blocks::<NR>() == B::DEGREE
}

/// The number of blocks that keys are derived from.
#[inline(always)]
const fn n_blocks<const NR: usize>() -> usize {
    if NR == 10 { 4 } else { 6 }
}

/// Derives the keys of a message.
#[inline(always)]
pub(super) fn derive<B: Multiply, const NR: usize>(isa: B::Multiplier, job: &Job<'_>, keys: &mut Derived) {
    let first = B::from_first(isa, first_of_derivation(job.nonce)).broadcast_first();
    if in_one_register::<B, NR>() {
        let [x] = encrypt::<B, NR, 1>(isa, job, [first.add32(counting(isa, 0, 1))]);
        x.low_halves(x.window(x, 1)).store(keys.0.as_flattened_mut());
    } else {
        // Blocks of even numbers, and of odd ones.
        for at in (0..n_blocks::<NR>() / 2).step_by(B::DEGREE) {
            let counters = [first.add32(counting(isa, 2 * at, 2)), first.add32(counting(isa, 2 * at + 1, 2))];
            let [even, odd] = encrypt::<B, NR, 2>(isa, job, counters);
            even.low_halves(odd).store(keys.0[at..][..B::DEGREE].as_flattened_mut());
        }
    }
}

/// CIPHER with the key that keys are derived from.
#[inline(always)]
fn encrypt<B: Multiply, const NR: usize, const N: usize>(
    isa: B::Multiplier,
    job: &Job<'_>,
    mut s: [B; N],
) -> [B; N] {
    let w = job.key.w();
    for s in &mut s {
        *s = s.xor(B::broadcast(isa.into(), &w[0]));
    }
    for r in 1..NR {
        B::keep_order(&mut s);
        for s in &mut s {
            *s = s.aesenc(B::broadcast(isa.into(), &w[r]));
        }
    }
    for s in &mut s {
        *s = s.aesenclast(B::broadcast(isa.into(), &w[NR]));
    }
    s
}

/// The numbers `from`, `from + step`, …, each as a block.
#[inline(always)]
pub(super) fn counting<B: Multiply>(isa: B::Multiplier, from: usize, step: usize) -> B {
    let mut numbers = [[0; 16]; 4];
    for (i, number) in numbers.iter_mut().enumerate() {
        *number = ((from + i * step) as u128).to_le_bytes();
    }
    B::load(isa.into(), numbers[..B::DEGREE].as_flattened())
}

/// The round keys of as many messages as a register has places, side by side.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct RoundKeys(pub(super) [[Block; 4]; 15]);

/// A word that is not copied.
const NONE: u8 = 4;

/// The order of bytes that puts these words into a block.
#[inline(always)]
fn words<B: Multiply>(isa: B::Multiplier, words: [u8; 4]) -> B {
    let mut order = [0; 16];
    for (i, byte) in order.iter_mut().enumerate() {
        *byte = if words[i / 4] == NONE { 0x80 } else { 4 * words[i / 4] + i as u8 % 4 };
    }
    B::broadcast(isa.into(), &order)
}

/// The last word in every column, by ROTWORD if `rotated`.
#[inline(always)]
fn last_word<B: Multiply>(isa: B::Multiplier, rotated: bool) -> B {
    let mut order = [0; 16];
    for (i, byte) in order.iter_mut().enumerate() {
        *byte = 12 + (i as u8 + u8::from(rotated)) % 4;
    }
    B::broadcast(isa.into(), &order)
}

/// Rcon[j] in every column, section 5.2, Table 5, from Rcon[1] on.
static RCON: [Block; 10] = {
    let mut blocks = [[0; 16]; 10];
    let mut rcon = 1_u16;
    let mut j = 0;
    while j < 10 {
        let mut column = 0;
        while column < 4 {
            blocks[j][4 * column] = rcon as u8;
            column += 1;
        }
        rcon = (rcon << 1) ^ (if rcon & 0x80 == 0 { 0 } else { 0x11b });
        j += 1;
    }
    blocks
};

/// Rcon[j].
#[inline(always)]
fn rcon<B: Multiply>(isa: B::Multiplier, j: usize) -> B {
    B::broadcast(isa.into(), &RCON[j - 1])
}

/// Each word added to those after it.
#[inline(always)]
fn sums<B: Multiply>(isa: B::Multiplier, k: B) -> B {
    let k = k.xor(k.shuffle(words(isa, [NONE, 0, 1, 2])));
    k.xor(k.shuffle(words(isa, [NONE, NONE, 0, 1])))
}

/// KEYEXPANSION, Algorithm 2, of `G` registers of keys. A key of AES-256 is two blocks.
#[inline(always)]
pub(super) fn expand<B: Multiply, const NR: usize, const G: usize>(
    isa: B::Multiplier,
    keys: [[B; 2]; G],
    w: &mut [RoundKeys; G],
) {
    for g in 0..G {
        put(&mut w[g].0[0], keys[g][0]);
    }
    if NR == 10 { expand_128(isa, keys, w) } else { expand_256(isa, keys, w) }
}

#[inline(always)]
fn put<B: Multiply>(place: &mut [Block; 4], round_keys: B) {
    round_keys.store(place[..B::DEGREE].as_flattened_mut());
}

#[inline(always)]
fn expand_128<B: Multiply, const G: usize>(isa: B::Multiplier, keys: [[B; 2]; G], w: &mut [RoundKeys; G]) {
    let even_words = B::broadcast(
        isa.into(),
        &[[0xff; 4], [0; 4], [0xff; 4], [0; 4]].as_flattened().try_into().expect("16 bytes"),
    );
    let mut before = [B::zero(isa.into()); G];
    let mut k = before;
    for g in 0..G {
        before[g] = keys[g][0];
        let added = sums(isa, before[g]).xor(rcon(isa, 1));
        k[g] = before[g].shuffle(last_word(isa, true)).aesenclast(added);
    }
    for r in 1..10 {
        for g in 0..G {
            put(&mut w[g].0[r], k[g]);
            let p1 = before[g].shuffle(words(isa, [NONE, 1, 1, 1]));
            let p3 = before[g].shuffle(words(isa, [NONE, NONE, NONE, 3]));
            let added = p1.xor3(p3, rcon(isa, r + 1)).xor(k[g].and(even_words));
            before[g] = k[g];
            k[g] = k[g].shuffle(last_word(isa, true)).aesenclast(added);
        }
    }
    for g in 0..G {
        put(&mut w[g].0[10], k[g]);
    }
}

#[inline(always)]
fn expand_256<B: Multiply, const G: usize>(isa: B::Multiplier, keys: [[B; 2]; G], w: &mut [RoundKeys; G]) {
    let mut k = keys;
    for g in 0..G {
        put(&mut w[g].0[1], k[g][1]);
    }
    for j in 1..7 {
        for g in 0..G {
            let [a, b] = k[g];
            let a = b.shuffle(last_word(isa, true)).aesenclast(sums(isa, a).xor(rcon(isa, j)));
            let b = a.shuffle(last_word(isa, false)).aesenclast(sums(isa, b));
            put(&mut w[g].0[2 * j], a);
            put(&mut w[g].0[2 * j + 1], b);
            k[g] = [a, b];
        }
    }
    for g in 0..G {
        let [a, b] = k[g];
        put(&mut w[g].0[14], b.shuffle(last_word(isa, true)).aesenclast(sums(isa, a).xor(rcon(isa, 7))));
    }
}
