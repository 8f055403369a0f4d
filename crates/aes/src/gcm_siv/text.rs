//! The text of a message: RFC 8452's AES-CTR, section 4, and its part of POLYVAL.
//!
//! In decryption, a group of `W` registers is hashed after it is decrypted, while the CPU decrypts the next
//! one. In encryption the tag, from which the counters are made, needs the hash of the whole text.

use hashlanes_isa::cipher::{Block, Buffer, InOut, Multiply};

use super::expand::{RoundKeys, counting};
use super::job::HIGHEST_BIT;
use super::polyval::Polyval;
use crate::gcm::ghash::Products;

/// The keystream of a message.
pub(super) struct Keystream<'a, B: Multiply, const NR: usize> {
    isa: B::Multiplier,
    w: &'a RoundKeys,
    /// The place of its round keys.
    place: usize,
    /// The next counters.
    counters: B,
}

impl<'a, B: Multiply, const NR: usize> Keystream<'a, B, NR> {
    #[inline(always)]
    pub(super) fn new(isa: B::Multiplier, w: &'a RoundKeys, place: usize, tag: &Block) -> Self {
        let highest = B::broadcast(isa.into(), &HIGHEST_BIT.to_le_bytes());
        let tag = B::broadcast(isa.into(), tag);
        // The tag with its highest bit set.
        let first = tag.xor3(tag.and(highest), highest);
        Self { isa, w, place, counters: first.add32(counting(isa, 0, 1)) }
    }

    /// Returns round key `r`.
    #[inline(always)]
    fn key(&self, r: usize) -> B {
        B::broadcast(self.isa.into(), &self.w.0[r][self.place])
    }

    /// Returns the next `R` registers before their last round. Round keys are read where they are used, if
    /// they are not in registers. (No closure returns them: one was not inlined, and took 100 cycles.)
    #[inline(always)]
    fn next<const R: usize>(&mut self, w: Option<&[B; 15]>) -> [B; R] {
        let mut s = [self.counters; R];
        let first = match w {
            Some(w) => w[0],
            None => self.key(0),
        };
        for j in 0..R {
            s[j] = s[j].add32(self.number(j * B::DEGREE)).xor(first);
        }
        self.counters = self.counters.add32(self.number(R * B::DEGREE));
        for r in 1..NR {
            B::keep_order(&mut s);
            let key = match w {
                Some(w) => w[r],
                None => self.key(r),
            };
            for s in &mut s {
                *s = s.aesenc(key);
            }
        }
        B::keep_order(&mut s);
        s
    }

    #[inline(always)]
    fn number(&self, n: usize) -> B {
        B::broadcast(self.isa.into(), &(n as u128).to_le_bytes())
    }

    /// Encrypts or decrypts a text, and gives the result to `then`.
    #[inline(always)]
    pub(super) fn apply<const W: usize>(&mut self, mut text: Buffer<'_>, then: &mut impl Then<B, W>) {
        let group_bytes = 16 * W * B::DEGREE;
        let mut groups = InOut::one(text.take(text.len().saturating_sub(1) / group_bytes * group_bytes));
        if groups.n_blocks() > 0 {
            self.groups::<W>(&mut groups, then);
        }
        then.begin_end(text.len());
        if W > FEW && text.len() > 16 * FEW * B::DEGREE {
            self.registers::<W, FEW>(&mut text, then);
        }
        match text.len().div_ceil(16 * B::DEGREE) {
            0 => {}
            1 => self.registers::<W, 1>(&mut text, then),
            2 => self.registers::<W, 2>(&mut text, then),
            3 => self.registers::<W, 3>(&mut text, then),
            _ => self.registers::<W, FEW>(&mut text, then),
        }
    }

    #[inline(always)]
    fn groups<const W: usize>(&mut self, groups: &mut InOut<'_, 1>, then: &mut impl Then<B, W>) {
        let base: B::Proof = self.isa.into();
        let mut w = [B::zero(base); 15];
        for r in 0..NR + 1 {
            w[r] = self.key(r);
        }
        for at in (0..groups.n_blocks()).step_by(W * B::DEGREE) {
            let s = self.next::<W>(Some(&w));
            let mut output = s;
            for j in 0..W {
                let input: B = groups.load(base, at + j * B::DEGREE);
                output[j] = s[j].aesenclast(input.xor(w[NR]));
                groups.store(at + j * B::DEGREE, output[j]);
            }
            then.group(&output);
        }
    }

    /// The next `R` registers of the end. The last of them may be cut short.
    #[inline(always)]
    fn registers<const W: usize, const R: usize>(
        &mut self,
        text: &mut Buffer<'_>,
        then: &mut impl Then<B, W>,
    ) {
        let base: B::Proof = self.isa.into();
        let s = self.next::<R>(None);
        let last = self.key(NR);
        for j in 0..R {
            let n_bytes = if j + 1 < R { 16 * B::DEGREE } else { text.len().min(16 * B::DEGREE) };
            let mut part = text.take(n_bytes);
            if j + 1 < R {
                let output = s[j].aesenclast(B::load(base, part.input()).xor(last));
                output.store(part.output());
                then.one(output);
            } else {
                let output = s[j].aesenclast(B::load_partial(base, part.input()).xor(last));
                output.store_partial(part.output());
                then.one_cut(output, n_bytes);
            }
        }
    }
}

/// Registers of the end that are encrypted at once: each number of them has its own code.
const FEW: usize = 4;

/// What is done with the result of a keystream.
pub(super) trait Then<B, const W: usize> {
    /// A group, which is not the end.
    fn group(&mut self, x: &[B; W]);
    /// The end begins, which has this number of bytes.
    fn begin_end(&mut self, n_bytes: usize);
    /// A register of the end.
    fn one(&mut self, x: B);
    /// A register of which only the first bytes belong to the text.
    fn one_cut(&mut self, x: B, n_bytes: usize);
}

/// Nothing.
impl<B, const W: usize> Then<B, W> for () {
    #[inline(always)]
    fn group(&mut self, _: &[B; W]) {}
    #[inline(always)]
    fn begin_end(&mut self, _: usize) {}
    #[inline(always)]
    fn one(&mut self, _: B) {}
    #[inline(always)]
    fn one_cut(&mut self, _: B, _: usize) {}
}

/// POLYVAL; the block of lengths follows the text.
impl<B: Multiply, P: Products, const W: usize> Then<B, W> for Polyval<'_, B, P, W> {
    #[inline(always)]
    fn group(&mut self, x: &[B; W]) {
        self.put_group(x);
    }
    #[inline(always)]
    fn begin_end(&mut self, n_bytes: usize) {
        self.begin_blocks(n_bytes.div_ceil(16) + 1);
    }
    #[inline(always)]
    fn one(&mut self, x: B) {
        self.put(x);
    }
    #[inline(always)]
    fn one_cut(&mut self, x: B, n_bytes: usize) {
        self.put(x.and(B::first_bytes(self.isa().into(), n_bytes)));
    }
}
