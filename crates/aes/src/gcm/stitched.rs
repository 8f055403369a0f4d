//! A message through a kernel: CTR and GHASH together, NIST SP 800-38D sections 7.1 and 7.2.
//!
//! A group is what `W` registers hold. While the AES unit computes the keystream of a group, the multiplier
//! hashes a group of ciphertext: in encryption the group before, in decryption this one. The last group, of
//! one byte or more, has as many registers as it needs, and is hashed together with the block of lengths.

use hashlanes_isa::cipher::{Blocks, Buffer, InOut, Multiply};

use super::ghash::{self, Sum};
use super::job::{self, Direction, Fill, Job, Powers};
use crate::Key;
use crate::modes::round_keys::round_keys;

/// Encrypts the messages, `W` registers at once.
///
/// They go one after another, in one loop. Where a message ends, the CPU already begins the next: its first
/// rounds do not wait for the hash of the message before. (Jobs are used where they are: a copy is read from
/// stores that are not in the cache yet, and waits until all earlier messages are done.)
#[inline(always)]
pub(super) fn encrypt<B: Multiply, const W: usize>(isa: B::Multiplier, jobs: &mut [Option<Job<'_>>]) {
    for job in jobs {
        let Some(job) = job else { continue };
        match job.key.rounds() {
            10 => Stitched::<B, W, 10>::encrypt(isa, job),
            12 => Stitched::<B, W, 12>::encrypt(isa, job),
            _ => Stitched::<B, W, 14>::encrypt(isa, job),
        }
    }
}

/// Decrypts the messages, and computes the tags that they must have.
#[inline(always)]
pub(super) fn decrypt<B: Multiply, const W: usize>(isa: B::Multiplier, jobs: &mut [Option<Job<'_>>]) {
    for job in jobs {
        let Some(job) = job else { continue };
        match job.key.rounds() {
            10 => Stitched::<B, W, 10>::decrypt(isa, job),
            12 => Stitched::<B, W, 12>::decrypt(isa, job),
            _ => Stitched::<B, W, 14>::decrypt(isa, job),
        }
    }
}

/// Computes H, the encryption of zeros, and its powers.
#[inline(always)]
pub(super) fn fill<B: Multiply>(isa: B::Multiplier, Fill { key, powers }: Fill<'_>) {
    let h = powers.place(1);
    cipher(isa.into(), key, B::zero(isa.into())).store_first(h);
    let first = job::first_power(*h).to_le_bytes();
    ghash::fill::<B>(isa, &first, powers);
}

/// CIPHER of FIPS 197, section 5.1, in all places.
#[inline(always)]
fn cipher<B: Blocks>(isa: B::Proof, key: &Key, blocks: B) -> B {
    let (w, rounds) = (key.w(), key.rounds());
    let mut s = blocks.xor(B::broadcast(isa, &w[0]));
    for round_key in &w[1..rounds] {
        s = s.aesenc(B::broadcast(isa, round_key));
    }
    s.aesenclast(B::broadcast(isa, &w[rounds]))
}

/// Registers that the last group is encrypted by, at once: each number of them has its own code.
const FEW: usize = 4;

/// The state of a message.
struct Stitched<'a, B: Multiply, const W: usize, const NR: usize> {
    isa: B::Multiplier,
    w: [B; 15],
    powers: &'a Powers,
    /// The next counters, as little-endian numbers. A message ends before their 32 bits repeat.
    counters: B,
    /// Y, in the first place; zeros in the others.
    y: B,
}

impl<'a, B: Multiply, const W: usize, const NR: usize> Stitched<'a, B, W, NR> {
    /// Bytes of a group.
    const GROUP: usize = 16 * W * B::DEGREE;

    #[inline(always)]
    fn encrypt(isa: B::Multiplier, job: &mut Job<'a>) {
        let Job { key, powers, nonce, ad, text, tag } = job;
        let mut text = text.reborrow();
        let lengths = job::lengths(ad.len(), text.len());
        let mut this = Self::new(isa, key, powers, nonce, ad);
        let mut groups = Self::groups(&mut text);
        if groups.n_blocks() > 0 {
            let mut unused = Sum::zero(isa);
            let s = this.keystream::<W>(|_, _| {}, &mut unused);
            let mut c = this.crypt(&s, &mut groups, 0, Direction::Encrypt);
            let mut at = W * B::DEGREE;
            while at < groups.n_blocks() {
                let mut sum = Sum::zero(isa);
                c[0] = c[0].xor(this.y);
                let s = this.keystream::<W>(|sum, j| sum.add(c[j], powers, (W - j) * B::DEGREE), &mut sum);
                this.y = sum.reduced().sum();
                c = this.crypt(&s, &mut groups, at, Direction::Encrypt);
                at += W * B::DEGREE;
            }
            let mut sum = Sum::zero(isa);
            c[0] = c[0].xor(this.y);
            for j in 0..W {
                sum.add(c[j], powers, (W - j) * B::DEGREE);
            }
            this.y = sum.reduced().sum();
        }
        this.end(Direction::Encrypt, nonce, text, lengths).store_first(tag);
    }

    #[inline(always)]
    fn decrypt(isa: B::Multiplier, job: &mut Job<'a>) {
        let Job { key, powers, nonce, ad, text, tag } = job;
        let mut text = text.reborrow();
        let lengths = job::lengths(ad.len(), text.len());
        let mut this = Self::new(isa, key, powers, nonce, ad);
        let mut groups = Self::groups(&mut text);
        let mut at = 0;
        while at < groups.n_blocks() {
            let mut c = [this.y; W];
            for j in 0..W {
                c[j] = groups.load::<B>(isa.into(), at + j * B::DEGREE).swap_bytes();
            }
            c[0] = c[0].xor(this.y);
            let mut sum = Sum::zero(isa);
            let s = this.keystream::<W>(|sum, j| sum.add(c[j], powers, (W - j) * B::DEGREE), &mut sum);
            this.y = sum.reduced().sum();
            this.crypt(&s, &mut groups, at, Direction::Decrypt);
            at += W * B::DEGREE;
        }
        this.end(Direction::Decrypt, nonce, text, lengths).store_first(tag);
    }

    /// The round keys, the counters, and the hash of the associated data.
    #[inline(always)]
    fn new(isa: B::Multiplier, key: &Key, powers: &'a Powers, nonce: &[u8; 12], ad: &[u8]) -> Self {
        let base: B::Proof = isa.into();
        let first = job::first_counter(nonce).swap_bytes().wrapping_add(1);
        let mut offsets = [[0; 16]; 4];
        for (j, offset) in offsets.iter_mut().enumerate() {
            *offset = (j as u128).to_le_bytes();
        }
        let offsets = B::load(base, offsets[..B::DEGREE].as_flattened());
        let counters = B::broadcast(base, &first.to_le_bytes()).add64(offsets);
        let y = ghash::absorb(isa, powers, B::zero(base), ad);
        Self { isa, w: round_keys(base, key.w()), powers, counters, y }
    }

    /// Takes all groups but the last, which is not empty unless the text is.
    #[inline(always)]
    fn groups<'m>(text: &mut Buffer<'m>) -> InOut<'m, 1> {
        InOut::one(text.take(text.len().saturating_sub(1) / Self::GROUP * Self::GROUP))
    }

    /// Returns the next `R` registers of counters before their last round. Meanwhile `hash` is called for
    /// each of them, distributed over the rounds.
    #[inline(always)]
    fn keystream<const R: usize>(&mut self, hash: impl Fn(&mut Sum<B>, usize), sum: &mut Sum<B>) -> [B; R] {
        let base: B::Proof = self.isa.into();
        let number = |n: usize| B::broadcast(base, &(n as u128).to_le_bytes());
        let mut s = [self.counters; R];
        for j in 0..R {
            s[j] = s[j].add64(number(j * B::DEGREE)).swap_bytes().xor(self.w[0]);
        }
        self.counters = self.counters.add64(number(R * B::DEGREE));
        for r in 1..NR {
            B::keep_order(&mut s);
            for j in 0..R {
                s[j] = s[j].aesenc(self.w[r]);
            }
            for j in 0..R {
                if j * (NR - 1) / R == r - 1 {
                    hash(sum, j);
                }
            }
        }
        B::keep_order(&mut s);
        s
    }

    /// The last round of a group, and the exclusive or with the text, which goes into its key. Returns the
    /// group of the result, with its bytes reversed.
    #[inline(always)]
    fn crypt(&self, s: &[B; W], groups: &mut InOut<'_, 1>, at: usize, direction: Direction) -> [B; W] {
        let mut c = *s;
        for j in 0..W {
            let text: B = groups.load(self.isa.into(), at + j * B::DEGREE);
            c[j] = s[j].aesenclast(text.xor(self.w[NR]));
            groups.store(at + j * B::DEGREE, c[j]);
            if direction == Direction::Encrypt {
                c[j] = c[j].swap_bytes();
            }
        }
        c
    }

    /// The last group, and the tag.
    #[inline(always)]
    fn end(mut self, direction: Direction, nonce: &[u8; 12], mut text: Buffer<'_>, lengths: u128) -> B {
        let isa = self.isa;
        // CIPHER(J0), which hides the hash.
        let mut mask = B::from_first(isa, job::first_counter(nonce)).xor(self.w[0]);
        for r in 1..NR {
            mask = mask.aesenc(self.w[r]);
        }
        mask = mask.aesenclast(self.w[NR]);
        let mut sum = Sum::zero(isa);
        let mut lengths = B::from_first(isa, lengths);
        if text.is_empty() {
            lengths = lengths.xor(self.y);
        }
        sum.add(lengths, self.powers, 1);
        if W > FEW && text.len() > 16 * FEW * B::DEGREE {
            self.last::<FEW, true>(direction, &mut text, &mut sum);
        }
        match text.len().div_ceil(16 * B::DEGREE) {
            0 => {}
            1 => self.last::<1, false>(direction, &mut text, &mut sum),
            2 => self.last::<2, false>(direction, &mut text, &mut sum),
            3 => self.last::<3, false>(direction, &mut text, &mut sum),
            _ => self.last::<FEW, false>(direction, &mut text, &mut sum),
        }
        sum.reduced().sum().swap_bytes().xor(mask)
    }

    /// The next `R` registers of the last group; if they are not `FULL`, all that is left, and the last one
    /// may be cut short.
    #[inline(always)]
    fn last<const R: usize, const FULL: bool>(
        &mut self,
        direction: Direction,
        text: &mut Buffer<'_>,
        sum: &mut Sum<B>,
    ) {
        let isa = self.isa;
        let s = self.keystream::<R>(|_, _| {}, &mut Sum::zero(isa));
        // The block of lengths follows.
        let mut k = text.len().div_ceil(16) + 1;
        for j in 0..R {
            let is_whole = FULL || j + 1 < R;
            let n_bytes = if is_whole { 16 * B::DEGREE } else { text.len().min(16 * B::DEGREE) };
            let mut part = text.take(n_bytes);
            let input: B = match is_whole {
                true => B::load(isa.into(), part.input()),
                false => B::load_partial(isa.into(), part.input()),
            };
            let output = s[j].aesenclast(input.xor(self.w[NR]));
            match is_whole {
                true => output.store(part.output()),
                false => output.store_partial(part.output()),
            }
            let c = match direction {
                Direction::Encrypt if is_whole => output,
                Direction::Encrypt => output.and(B::first_bytes(isa.into(), n_bytes)),
                Direction::Decrypt => input,
            };
            sum.add(c.swap_bytes().xor(self.y), self.powers, k);
            self.y = B::zero(isa.into());
            k -= B::DEGREE.min(k);
        }
    }
}
