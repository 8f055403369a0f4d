//! A window of messages, stage by stage: RFC 8452, sections 4 and 5.
//!
//! | encryption | decryption |
//! |---|---|
//! | derive the keys | derive the keys |
//! | expand those of the cipher | expand those of the cipher |
//! | POLYVAL | CTR from the received tags, and POLYVAL |
//! | the tags | the tags |
//! | CTR from the tags | |
//!
//! A stage of a message is a chain of instructions that wait for each other. Those of different messages do
//! not, so the CPU overlaps them. Round keys and tags are those of `B::DEGREE` messages in a register.

use hashlanes_isa::cipher::{Block, Multiply, in_words};

use super::expand::{self, Derived, RoundKeys};
use super::job::{HIGHEST_BIT, Job, lengths};
use super::polyval::{Polyval, Powers, absorb};
use super::text::Keystream;
use crate::gcm::ghash::Products;
use crate::gcm::job::Direction;

/// Registers of keys in a window.
const GROUPS: usize = 4;
/// Encrypts or decrypts the messages, and computes their tags. Their keys have one length.
#[inline(always)]
pub(crate) fn crypt<B: Multiply, P: Products, const W: usize>(
    isa: B::Multiplier,
    direction: Direction,
    jobs: &mut [Option<Job<'_>>],
) {
    let rounds = jobs.iter().flatten().next().map_or(0, |job| job.key.rounds());
    let mut left = jobs;
    while !left.is_empty() {
        // Half a window of wide registers takes longer than one register after the other: of eight messages
        // up to 170 cycles, of five up to 230 (Zen 4).
        let by_registers = B::DEGREE == 4 && left.len() <= GROUPS / 2 * B::DEGREE;
        let most = if by_registers { B::DEGREE } else { GROUPS * B::DEGREE };
        let (window, others) = left.split_at_mut(most.min(left.len()));
        match (rounds, window.len() <= B::DEGREE) {
            (10, true) => through::<B, P, W, 10, 1, 4>(isa, direction, window),
            (10, false) => through::<B, P, W, 10, GROUPS, { 4 * GROUPS }>(isa, direction, window),
            (_, true) => through::<B, P, W, 14, 1, 4>(isa, direction, window),
            (_, false) => through::<B, P, W, 14, GROUPS, { 4 * GROUPS }>(isa, direction, window),
        }
        left = others;
    }
}

/// The same for at most `G` registers of keys. There is room for `MOST` messages, four for each register.
#[inline(always)]
fn through<B: Multiply, P: Products, const W: usize, const NR: usize, const G: usize, const MOST: usize>(
    isa: B::Multiplier,
    direction: Direction,
    jobs: &mut [Option<Job<'_>>],
) {
    let mut derived = [Derived([[0; 16]; 4]); MOST];
    let mut n = 0;
    for job in jobs.iter().flatten() {
        expand::derive::<B, NR>(isa, job, &mut derived[n]);
        n += 1;
    }
    if n == 0 {
        return;
    }
    let w = &mut [RoundKeys([[[0; 16]; 4]; 15]); G];
    expand::expand::<B, NR, G>(isa, cipher_keys::<B, NR, G, MOST>(isa, &derived, n), w);

    let mut tags = Tags([[0; 16]; MOST]);
    for (i, job) in jobs.iter_mut().flatten().enumerate() {
        let h = B::broadcast(isa.into(), &derived[i].0[0]);
        let s = match direction {
            Direction::Encrypt => hash::<B, P, W>(isa, h, job),
            Direction::Decrypt => {
                let keystream = Keystream::new(isa, &w[i / B::DEGREE], i % B::DEGREE, job.tag);
                decrypt_and_hash::<B, P, W, NR>(isa, h, keystream, job)
            }
        };
        let nonce = B::from_first(isa, in_words(job.nonce));
        let not_highest = B::broadcast(isa.into(), &(!HIGHEST_BIT).to_le_bytes());
        s.xor(nonce).and(not_highest).store_first(&mut tags.0[i]);
    }
    encrypt_tags::<B, NR, G, MOST>(isa, w, &mut tags.0, n);
    for (i, job) in jobs.iter_mut().flatten().enumerate() {
        *job.tag = tags.0[i];
        if direction == Direction::Encrypt {
            Keystream::<B, NR>::new(isa, &w[i / B::DEGREE], i % B::DEGREE, &tags.0[i])
                .apply::<W>(job.text.reborrow(), &mut ());
        }
    }
}

/// What the tags are the encryption of, then the tags.
#[repr(align(64))]
struct Tags<const MOST: usize>([Block; MOST]);

/// The keys of the ciphers. Places without a message have a copy of the first one's.
#[inline(always)]
fn cipher_keys<B: Multiply, const NR: usize, const G: usize, const MOST: usize>(
    isa: B::Multiplier,
    derived: &[Derived; MOST],
    n: usize,
) -> [[B; 2]; G] {
    let n_halves = if NR == 10 { 1 } else { 2 };
    let mut keys = [[B::zero(isa.into()); 2]; G];
    for g in 0..G {
        for half in 0..n_halves {
            let at = expand::key_at::<B, NR>() + half;
            if n == 1 {
                keys[g][half] = B::broadcast(isa.into(), &derived[0].0[at]);
                continue;
            }
            let mut blocks = [&derived[0].0[at]; 4];
            for place in 0..B::DEGREE {
                let i = g * B::DEGREE + place;
                if i < n {
                    blocks[place] = &derived[i].0[at];
                }
            }
            keys[g][half] = B::gather(isa.into(), &blocks[..B::DEGREE]);
        }
    }
    keys
}

/// POLYVAL of a message.
#[inline(always)]
fn hash<B: Multiply, P: Products, const W: usize>(isa: B::Multiplier, h: B, job: &Job<'_>) -> B {
    let powers = Powers::<B, W>::new(isa, h, n_blocks(job));
    let y = absorb::<B, P, W>(&powers, B::zero(isa.into()), job.ad, None);
    absorb::<B, P, W>(&powers, y, job.text.input(), Some(lengths(job.ad.len(), job.text.len())))
}

/// Decryption, and POLYVAL of the plaintext.
#[inline(always)]
fn decrypt_and_hash<B: Multiply, P: Products, const W: usize, const NR: usize>(
    isa: B::Multiplier,
    h: B,
    mut keystream: Keystream<'_, B, NR>,
    job: &mut Job<'_>,
) -> B {
    let powers = Powers::<B, W>::new(isa, h, n_blocks(job));
    let y = absorb::<B, P, W>(&powers, B::zero(isa.into()), job.ad, None);
    let mut polyval = Polyval::<B, P, W>::new(&powers, y);
    keystream.apply::<W>(job.text.reborrow(), &mut polyval);
    polyval.put_lengths(lengths(job.ad.len(), job.text.len()));
    polyval.result()
}

/// The blocks of the longer one of the parts that POLYVAL hashes: associated data, and text with lengths.
#[inline(always)]
fn n_blocks(job: &Job<'_>) -> usize {
    job.ad.len().div_ceil(16).max(job.text.len().div_ceil(16) + 1)
}

/// CIPHER of `n` blocks, each with its own key. One alone does not wait until it is among others.
#[inline(always)]
fn encrypt_tags<B: Multiply, const NR: usize, const G: usize, const MOST: usize>(
    isa: B::Multiplier,
    w: &[RoundKeys; G],
    blocks: &mut [Block; MOST],
    n: usize,
) {
    let mut s = [B::zero(isa.into()); G];
    for g in 0..G {
        let mut places = [&blocks[0]; 4];
        for place in 0..B::DEGREE {
            places[place] = &blocks[g * B::DEGREE + place];
        }
        s[g] = match n {
            1 => B::broadcast(isa.into(), &blocks[0]),
            _ => B::gather(isa.into(), &places[..B::DEGREE]),
        };
        s[g] = s[g].xor(round_key(isa, &w[g], 0));
    }
    for r in 1..NR {
        B::keep_order(&mut s);
        for g in 0..G {
            s[g] = s[g].aesenc(round_key(isa, &w[g], r));
        }
    }
    for g in 0..G {
        s[g].aesenclast(round_key(isa, &w[g], NR))
            .store(blocks[g * B::DEGREE..][..B::DEGREE].as_flattened_mut());
    }
}

#[inline(always)]
fn round_key<B: Multiply>(isa: B::Multiplier, w: &RoundKeys, r: usize) -> B {
    B::load(isa.into(), w.0[r][..B::DEGREE].as_flattened())
}
