//! A message through a kernel: CTR and GHASH together, NIST SP 800-38D sections 7.1 and 7.2.
//!
//! A group is what `W` registers hold. While the AES unit computes the keystream of a group, the multiplier
//! hashes a group of ciphertext: in encryption the group before, in decryption this one. The last group, of
//! one byte or more, has as many registers as it needs. It is hashed together with the group before, or the
//! associated data of a short message, and with the block of lengths: all their products are reduced at once.

use core::marker::PhantomData;

use hashlanes_isa::cipher::{Block, Blocks, Buffer, InOut, Multiply};

use super::ghash::{self, Products, Sum};
use super::job::{self, Direction, Fill, Job, N_POWERS, Powers};
use crate::Key;

/// Encrypts or decrypts the messages, `W` registers at once, and computes their tags.
///
/// They go one after another, in one loop. No message waits for the tag of the one before, so the CPU begins
/// it meanwhile. (Jobs are used where they are: a copy is read from stores that are not in the cache yet, and
/// waits until all earlier messages are done.)
#[inline(always)]
pub(super) fn crypt<B: Multiply, P: Products, const W: usize>(
    isa: B::Multiplier,
    direction: Direction,
    jobs: &mut [Option<Job<'_>>],
) {
    for Job { key, powers, nonce, ad, text, tag } in jobs.iter_mut().flatten() {
        let text = text.reborrow();
        Stitched::<B, P, W>::crypt(isa, key, powers, nonce, ad, text, direction).store_first(tag);
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

/// The rounds of the shortest keys, all but the last: every message has them.
const FEWEST: usize = 10;

/// Registers that the last group is encrypted by, at once: each number of them has its own code.
const FEW: usize = 4;

/// A message while its text is encrypted or decrypted.
///
/// The round keys of the last group are read where they are used, which is once; loading all of them before
/// takes a third of the time of a message of a block.
///
/// Keys of all lengths have the same code, with a branch before the rounds of longer ones: code of its own
/// for each length takes three times as long to compile, and no less to run.
struct Stitched<'a, B: Multiply, P: Products, const W: usize> {
    isa: B::Multiplier,
    w: &'a [Block; 15],
    rounds: usize,
    powers: &'a Powers,
    /// J0 before the last round, whose result hides the hash.
    mask: B,
    /// The next counter blocks. A message ends before their 32 bits repeat.
    counters: B,
    /// The last byte of the first of them, which says whether those after it differ in this byte only.
    last_byte: u8,
    /// Y, in the first place; zeros in the others.
    y: B,
    products: PhantomData<P>,
}

impl<'a, B: Multiply, P: Products, const W: usize> Stitched<'a, B, P, W> {
    /// Blocks of a group.
    const N_BLOCKS: usize = W * B::DEGREE;
    /// Bytes of a group.
    const GROUP: usize = 16 * Self::N_BLOCKS;

    /// Encrypts or decrypts the text. Returns the tag, in the first place.
    #[inline(always)]
    fn crypt(
        isa: B::Multiplier,
        key: &'a Key,
        powers: &'a Powers,
        nonce: &[u8; 12],
        ad: &[u8],
        mut text: Buffer<'_>,
        direction: Direction,
    ) -> B {
        const { assert!(W >= FEW && W.is_multiple_of(4) && 2 * Self::N_BLOCKS < N_POWERS) }
        let lengths = job::lengths(ad.len(), text.len());
        // All groups but the last, which is not empty unless the text is.
        let mut groups = InOut::one(text.take(text.len().saturating_sub(1) / Self::GROUP * Self::GROUP));
        // The last group and the block of lengths.
        let n_last = text.len().div_ceil(16) + 1;
        let n_ad = ad.len().div_ceil(16);
        let mut sum = Sum::zero(isa);
        sum.add(B::from_first(isa, lengths), powers, 1);
        let mut this = Self::new(isa, key, powers, nonce);
        let is_short = groups.n_blocks() == 0 && n_ad + n_last <= N_POWERS;
        if !is_short {
            this.y = ghash::absorb::<B, P>(isa, powers, ad);
        }
        if groups.n_blocks() > 0 {
            let c = match direction {
                Direction::Encrypt => this.encrypt_groups(&mut groups),
                Direction::Decrypt => this.decrypt_groups(&mut groups),
            };
            // The last of them is hashed together with the end.
            for j in 0..W {
                sum.add(c[j], powers, n_last + (W - j) * B::DEGREE);
            }
            this.y = B::zero(isa.into());
        }
        this.crypt_last(&mut text, direction, n_last, &mut sum);
        if is_short {
            // While the text is encrypted, for which the CPU waits longer.
            ghash::add_bytes(&mut sum, powers, n_ad + n_last, ad);
        }
        let mask = this.mask.aesenclast(this.last_key());
        sum.reduced().sum().swap_bytes().xor(mask)
    }

    #[inline(always)]
    fn new(isa: B::Multiplier, key: &'a Key, powers: &'a Powers, nonce: &[u8; 12]) -> Self {
        let base: B::Proof = isa.into();
        let first = job::first_counter(nonce);
        let mut offsets = [[0; 16]; 4];
        for (j, offset) in offsets.iter_mut().enumerate() {
            offset[15] = 1 + j as u8;
        }
        let offsets = B::load(base, offsets[..B::DEGREE].as_flattened());
        let counters = B::broadcast(base, &first.to_le_bytes()).add64(offsets);
        let w = key.w();
        let mask = B::from_first(isa, first).xor(B::broadcast(base, &w[0]));
        let (rounds, y) = (key.rounds(), B::zero(base));
        Self { isa, w, rounds, powers, mask, counters, last_byte: 2, y, products: PhantomData }
    }

    /// Returns the next `R` registers of counter blocks.
    #[inline(always)]
    fn next_counters<const R: usize>(&mut self) -> [B; R] {
        let base: B::Proof = self.isa.into();
        let n_blocks = R * B::DEGREE;
        let mut blocks = [self.counters; R];
        if usize::from(self.last_byte) + n_blocks < 256 {
            // The last byte of a block is the highest of a little-endian number, and nothing is carried.
            let number = |n: usize| B::broadcast(base, &((n as u128) << 120).to_le_bytes());
            for j in 0..R {
                blocks[j] = blocks[j].add64(number(j * B::DEGREE));
            }
            self.counters = self.counters.add64(number(n_blocks));
        } else {
            let number = |n: usize| B::broadcast(base, &(n as u128).to_le_bytes());
            let numbers = self.counters.swap_bytes();
            for j in 0..R {
                blocks[j] = numbers.add64(number(j * B::DEGREE)).swap_bytes();
            }
            self.counters = numbers.add64(number(n_blocks)).swap_bytes();
        }
        self.last_byte = self.last_byte.wrapping_add(n_blocks as u8);
        blocks
    }

    /// Returns the round keys by their numbers, read from memory.
    #[inline(always)]
    fn keys(&self) -> impl Fn(usize) -> B + use<'a, B, P, W> {
        let (isa, w) = (self.isa, self.w);
        move |r| B::broadcast(isa.into(), &w[r])
    }

    /// Returns the round key of the last round.
    #[inline(always)]
    fn last_key(&self) -> B {
        self.keys()(self.rounds)
    }

    /// Returns the first round keys, to be kept in registers.
    #[inline(always)]
    fn first_keys(&self) -> [B; FEWEST] {
        let mut w = [B::zero(self.isa.into()); FEWEST];
        for r in 0..FEWEST {
            w[r] = self.keys()(r);
        }
        w
    }

    /// Encrypts all groups. Returns the last one, with Y in its first register.
    ///
    /// Two groups are reduced together. They are written out, so that all offsets are constants: instructions
    /// that count would take the ports of the AES unit and of the multiplier.
    #[inline(always)]
    fn encrypt_groups(&mut self, groups: &mut InOut<'_, 1>) -> [B; W] {
        let keys = (self.first_keys(), self.last_key());
        let mut sum = Sum::zero(self.isa);
        let s = self.keystream::<W, false>(|r| keys.0[r], None, &mut sum);
        let mut c = self.crypt_group(&s, keys.1, &mut groups.take(Self::N_BLOCKS), 0, Direction::Encrypt);
        c[0] = c[0].xor(self.y);
        while groups.n_blocks() >= 2 * Self::N_BLOCKS {
            let mut two = groups.take(2 * Self::N_BLOCKS);
            c = self.encrypt_next(&keys, &mut two, 0, &c, Self::N_BLOCKS, &mut sum);
            c = self.encrypt_next(&keys, &mut two, Self::N_BLOCKS, &c, 0, &mut sum);
            c[0] = c[0].xor(sum.take().reduced().sum());
        }
        if groups.n_blocks() > 0 {
            c = self.encrypt_next(&keys, groups, 0, &c, 0, &mut sum);
            c[0] = c[0].xor(sum.reduced().sum());
        }
        c
    }

    /// Encrypts the group at `at`. Meanwhile adds the one before, `c`, to a sum; `after` blocks follow it
    /// that are reduced together with it.
    #[inline(always)]
    fn encrypt_next(
        &mut self,
        keys: &([B; FEWEST], B),
        groups: &mut InOut<'_, 1>,
        at: usize,
        c: &[B; W],
        after: usize,
        sum: &mut Sum<B, P>,
    ) -> [B; W] {
        let s = self.keystream::<W, false>(|r| keys.0[r], Some((c, after)), sum);
        self.crypt_group(&s, keys.1, groups, at, Direction::Encrypt)
    }

    /// Decrypts all groups. Returns the ciphertext of the last one, with Y in its first register.
    #[inline(always)]
    fn decrypt_groups(&mut self, groups: &mut InOut<'_, 1>) -> [B; W] {
        let keys = (self.first_keys(), self.last_key());
        let mut sum = Sum::zero(self.isa);
        while groups.n_blocks() > 2 * Self::N_BLOCKS {
            let mut two = groups.take(2 * Self::N_BLOCKS);
            self.decrypt_next(&keys, &mut two, 0, Self::N_BLOCKS, &mut sum);
            self.decrypt_next(&keys, &mut two, Self::N_BLOCKS, 0, &mut sum);
            self.y = sum.take().reduced().sum();
        }
        if groups.n_blocks() > Self::N_BLOCKS {
            let mut one = groups.take(Self::N_BLOCKS);
            self.decrypt_next(&keys, &mut one, 0, 0, &mut sum);
            self.y = sum.take().reduced().sum();
        }
        let c = self.ciphertext(groups, 0);
        let s = self.keystream::<W, false>(|r| keys.0[r], None, &mut sum);
        self.crypt_group(&s, keys.1, groups, 0, Direction::Decrypt);
        c
    }

    /// Decrypts the group at `at`, and adds it to a sum; `after` blocks follow it that are reduced together
    /// with it.
    #[inline(always)]
    fn decrypt_next(
        &mut self,
        keys: &([B; FEWEST], B),
        groups: &mut InOut<'_, 1>,
        at: usize,
        after: usize,
        sum: &mut Sum<B, P>,
    ) {
        let c = self.ciphertext(groups, at);
        let s = self.keystream::<W, false>(|r| keys.0[r], Some((&c, after)), sum);
        self.crypt_group(&s, keys.1, groups, at, Direction::Decrypt);
    }

    /// Returns the ciphertext of a group with its bytes reversed, Y in the first register; Y is zero then.
    #[inline(always)]
    fn ciphertext(&mut self, groups: &InOut<'_, 1>, at: usize) -> [B; W] {
        let mut c = [self.y; W];
        for j in 0..W {
            c[j] = groups.load::<B>(self.isa.into(), at + j * B::DEGREE).swap_bytes();
        }
        c[0] = c[0].xor(self.y);
        self.y = B::zero(self.isa.into());
        c
    }

    /// Adds half a group to a sum, if there is one; a number of blocks follow it that are reduced together
    /// with it.
    #[inline(always)]
    fn add_half(&self, hashed: Option<(&[B; W], usize)>, half: usize, sum: &mut Sum<B, P>) {
        let Some((c, after)) = hashed else { return };
        for pair in 0..W / 4 {
            let j = half * W / 2 + 2 * pair;
            sum.add_two([c[j], c[j + 1]], self.powers, after + (W - j) * B::DEGREE);
        }
    }

    /// Returns the next `R` registers of counters before their last round, with those of the mask if
    /// `IS_LAST`. Meanwhile half a group is hashed before the first round, and half in the middle.
    #[inline(always)]
    fn keystream<const R: usize, const IS_LAST: bool>(
        &mut self,
        key: impl Fn(usize) -> B,
        hashed: Option<(&[B; W], usize)>,
        sum: &mut Sum<B, P>,
    ) -> [B; R] {
        const MIDDLE: usize = 5;
        let mut s = self.next_counters::<R>();
        let first = key(0);
        for s in &mut s {
            *s = s.xor(first);
        }
        self.add_half(hashed, 0, sum);
        self.rounds::<R, IS_LAST, 1, MIDDLE>(&mut s, &key);
        self.add_half(hashed, 1, sum);
        self.rounds::<R, IS_LAST, MIDDLE, FEWEST>(&mut s, &key);
        if self.rounds > FEWEST {
            let key = self.keys();
            self.rounds::<R, IS_LAST, FEWEST, { FEWEST + 2 }>(&mut s, &key);
            if self.rounds > FEWEST + 2 {
                self.rounds::<R, IS_LAST, { FEWEST + 2 }, { FEWEST + 4 }>(&mut s, &key);
            }
        }
        B::keep_order(&mut s);
        s
    }

    /// Rounds from `FROM` to `TO`, without the latter. (The compiler unrolls a loop only if its bounds are
    /// constants before it looks at the code around it.)
    #[inline(always)]
    fn rounds<const R: usize, const IS_LAST: bool, const FROM: usize, const TO: usize>(
        &mut self,
        s: &mut [B; R],
        key: &impl Fn(usize) -> B,
    ) {
        for r in FROM..TO {
            B::keep_order(s);
            let key = key(r);
            if IS_LAST {
                self.mask = self.mask.aesenc(key);
            }
            for s in &mut *s {
                *s = s.aesenc(key);
            }
        }
    }

    /// The last round of a group, and the exclusive or with the text, which goes into its key. Returns the
    /// group of the result, with its bytes reversed.
    #[inline(always)]
    fn crypt_group(
        &self,
        s: &[B; W],
        last: B,
        groups: &mut InOut<'_, 1>,
        at: usize,
        direction: Direction,
    ) -> [B; W] {
        let mut c = *s;
        for j in 0..W {
            let text: B = groups.load(self.isa.into(), at + j * B::DEGREE);
            c[j] = s[j].aesenclast(text.xor(last));
            groups.store(at + j * B::DEGREE, c[j]);
            if direction == Direction::Encrypt {
                c[j] = c[j].swap_bytes();
            }
        }
        c
    }

    /// The last group, whose first block is multiplied by H^k.
    #[inline(always)]
    fn crypt_last(&mut self, text: &mut Buffer<'_>, direction: Direction, mut k: usize, sum: &mut Sum<B, P>) {
        if W > FEW && text.len() > 16 * FEW * B::DEGREE {
            self.registers::<FEW, true>(text, direction, k, sum);
            k -= FEW * B::DEGREE;
        }
        match text.len().div_ceil(16 * B::DEGREE) {
            0 => {
                let mut mask = [self.mask];
                self.rounds::<1, false, 1, FEWEST>(&mut mask, &self.keys());
                for r in FEWEST..self.rounds {
                    mask[0] = mask[0].aesenc(self.keys()(r));
                }
                [self.mask] = mask;
                sum.add(self.y, self.powers, k);
            }
            1 => self.registers::<1, false>(text, direction, k, sum),
            2 => self.registers::<2, false>(text, direction, k, sum),
            3 => self.registers::<3, false>(text, direction, k, sum),
            _ => self.registers::<FEW, false>(text, direction, k, sum),
        }
    }

    /// The next `R` registers of the last group; if they are not `FULL`, all that is left, and the last one
    /// may be cut short. Their first block is multiplied by H^k.
    #[inline(always)]
    fn registers<const R: usize, const FULL: bool>(
        &mut self,
        text: &mut Buffer<'_>,
        direction: Direction,
        k: usize,
        sum: &mut Sum<B, P>,
    ) {
        let isa = self.isa;
        let (key, mut unused) = (self.keys(), Sum::zero(isa));
        let s = match FULL {
            true => self.keystream::<R, false>(key, None, &mut unused),
            false => self.keystream::<R, true>(key, None, &mut unused),
        };
        let last = self.last_key();
        for j in 0..R {
            let is_whole = FULL || j + 1 < R;
            let n_bytes = if is_whole { 16 * B::DEGREE } else { text.len().min(16 * B::DEGREE) };
            let mut part = text.take(n_bytes);
            let input: B = match is_whole {
                true => B::load(isa.into(), part.input()),
                false => B::load_partial(isa.into(), part.input()),
            };
            let output = s[j].aesenclast(input.xor(last));
            match is_whole {
                true => output.store(part.output()),
                false => output.store_partial(part.output()),
            }
            let c = match direction {
                Direction::Encrypt if is_whole => output,
                Direction::Encrypt => output.and(B::first_bytes(isa.into(), n_bytes)),
                Direction::Decrypt => input,
            };
            let c = c.swap_bytes().xor(self.y);
            self.y = B::zero(isa.into());
            sum.add(c, self.powers, k - j * B::DEGREE);
        }
    }
}
