//! GCM where the CPU has no instructions for it: CTR by the crate `aes`, and products of polynomials by
//! products of integers.
//!
//! A product of integers is a product of polynomials with carries. If only every fourth bit of both factors
//! may be set, up to 15 terms meet in a bit of the result, and their carries go no further than the three
//! bits above it, which are then cleared. Where 16 terms meet, the carry leaves the 64 bits. There is no
//! table and no branch, so the time does not depend on the data where the CPU's multiplication is constant
//! in time, as on all 64-bit CPUs of note.

use hashlanes_isa::cipher::{Block, Buffer};

use super::job::{self, Direction, Fill, Job, N_POWERS, Powers, REDUCTION};
use crate::Key;
use crate::modes::portable::ctr;
use crate::modes::{CounterBits, Ctr, InFlight};

/// Encrypts or decrypts the messages, and computes their tags.
#[inline(always)]
pub(super) fn crypt(direction: Direction, jobs: &mut [Option<Job<'_>>]) {
    jobs.iter_mut().filter_map(Option::take).for_each(|job| one(direction, job));
}

fn one(direction: Direction, job: Job<'_>) {
    let Job { key, powers, nonce, ad, mut text, tag } = job;
    let h = u128::from_le_bytes(powers.from(1)[0]);
    let lengths = job::lengths(ad.len(), text.len());
    let mut y = absorb(h, 0, ad);
    if direction == Direction::Decrypt {
        y = absorb(h, y, text.input());
    }
    let mut counter = job::first_counter(nonce).to_le_bytes();
    *tag = [0; 16];
    keystream(key, &mut counter, Buffer::in_place(tag));
    let n_whole = text.len() / 16 * 16;
    keystream(key, &mut counter, text.reborrow().take(n_whole));
    if n_whole < text.len() {
        let mut block = [0; 16];
        let rest = &text.input()[n_whole..];
        let n_rest = rest.len();
        block[..n_rest].copy_from_slice(rest);
        keystream(key, &mut counter, Buffer::in_place(&mut block));
        text.output()[n_whole..].copy_from_slice(&block[..n_rest]);
    }
    if direction == Direction::Encrypt {
        y = absorb(h, y, text.output());
    }
    y = product(y ^ lengths, h);
    *tag = (u128::from_be_bytes(*tag) ^ y).to_be_bytes();
}

/// Computes H, the encryption of zeros, and its powers.
#[inline(always)]
pub(super) fn fill(Fill { key, powers }: Fill<'_>) {
    let mut h = [0; 16];
    keystream(key, &mut [0; 16], Buffer::in_place(&mut h));
    fill_from(job::first_power(h), powers);
}

fn fill_from(first: u128, powers: &mut Powers) {
    let mut power = first;
    for k in 1..=N_POWERS {
        *powers.place(k) = power.to_le_bytes();
        power = product(power, first);
    }
}

/// Exclusive or of whole blocks with the encrypted counters.
fn keystream(key: &Key, counter: &mut Block, buffer: Buffer<'_>) {
    ctr(Ctr { key, counter, counts: CounterBits::Bits32, buffer, in_flight: InFlight::Best });
}

/// GHASH of bytes, the last block filled with zeros.
fn absorb(h: u128, mut y: u128, bytes: &[u8]) -> u128 {
    for part in bytes.chunks(16) {
        let mut block = [0; 16];
        block[..part.len()].copy_from_slice(part);
        y = product(y ^ u128::from_be_bytes(block), h);
    }
    y
}

/// a · b · x^-128 in POLYVAL's field: reduced as in `ghash.rs`.
pub(crate) fn product(a: u128, b: u128) -> u128 {
    let halves = |x: u128| (x as u64, (x >> 64) as u64);
    let ((a0, a1), (b0, b1)) = (halves(a), halves(b));
    let (low, high) = (of_polynomials(a0, b0), of_polynomials(a1, b1));
    let middle = of_polynomials(a0 ^ a1, b0 ^ b1) ^ low ^ high;
    let v = low.rotate_left(64) ^ middle ^ times_reduction(low as u64);
    high ^ v.rotate_left(64) ^ times_reduction(v as u64)
}

/// The product with [`REDUCTION`], whose bits are 63, 62 and 57.
fn times_reduction(x: u64) -> u128 {
    const { assert!(REDUCTION == 1 << 63 | 1 << 62 | 1 << 57) }
    let x = u128::from(x);
    x << 63 ^ x << 62 ^ x << 57
}

/// The product of polynomials over GF(2). The high half is the low half of the factors with their bits
/// reversed, reversed itself.
fn of_polynomials(a: u64, b: u64) -> u128 {
    let high = low_half(a.reverse_bits(), b.reverse_bits()).reverse_bits() >> 1;
    u128::from(high) << 64 | u128::from(low_half(a, b))
}

/// The low 64 bits of the product.
fn low_half(a: u64, b: u64) -> u64 {
    const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;
    let mut product = 0;
    for residue in 0..4 {
        let mut sum = 0;
        for i in 0..4 {
            let j = (residue + 4 - i) % 4;
            sum ^= (a & EVERY_FOURTH << i).wrapping_mul(b & EVERY_FOURTH << j);
        }
        product |= sum & EVERY_FOURTH << residue;
    }
    product
}
