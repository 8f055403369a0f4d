//! POLYVAL, RFC 8452 section 3, over registers of blocks.
//!
//! POLYVAL is S_i = dot(S_(i-1) + X_i, H): the arithmetic of `gcm/ghash.rs`, without reversed bytes. H is
//! different for every message, so no more of its powers are computed than the message needs.
//!
//! A register has D blocks. By Horner's rule over registers, all its places are multiplied by the same power,
//!
//! ```text
//! V_j = V_(j-1) · H^D + X_j,
//! ```
//!
//! so their results are added only once, at the end. The last register may have fewer blocks, s. With it and
//! the one before, places are multiplied by their own powers:
//!
//! ```text
//! V_(n-1) · (H^(s+D), …, H^(s+1)) + X_n · (H^s, …, H, 0, …, 0).
//! ```
//!
//! Several steps of Horner's rule are reduced together.

use hashlanes_isa::cipher::{Block, Multiply};

use crate::gcm::ghash::{Products, Sum, product};

/// Powers of H. A field that the message does not need is not computed.
pub(super) struct Powers<B: Multiply, const W: usize> {
    isa: B::Multiplier,
    /// H^D, …, H; if two blocks are the most, only H^2 and H, in the last places.
    lowest: B,
    /// H^2D, …, H^(D+1).
    next: B,
    /// H^D in all places, H^2D, ….
    steps: [B; W],
}

impl<B: Multiply, const W: usize> Powers<B, W> {
    /// Computes the powers from H in all places, for messages of at most `n_blocks` blocks.
    #[inline(always)]
    pub(super) fn new(isa: B::Multiplier, h: B, n_blocks: usize) -> Self {
        let mut lowest = h;
        if B::DEGREE > 1 && n_blocks > 1 {
            let h2 = product(isa, h, h);
            lowest = h2.window(h, 1);
            if B::DEGREE == 4 && n_blocks > 2 {
                let one = B::broadcast(isa.into(), &ONE.to_le_bytes());
                // (H^2, H^2, H^2, H) · (H^2, H, 1, 1).
                lowest = product(isa, lowest, h2.window(h.window(one, 3), 3));
            }
        }
        let mut powers = Self { isa, lowest, next: lowest, steps: [lowest; W] };
        let n_registers = n_blocks.div_ceil(B::DEGREE);
        if n_registers > 1 {
            powers.steps[0] = lowest.broadcast_first();
            powers.next = product(isa, lowest, powers.steps[0]);
        }
        if n_registers > 3 {
            powers.steps[1] = powers.next.broadcast_first();
        }
        for j in 2..W {
            if n_registers < j + 3 {
                break;
            }
            powers.steps[j] = product(isa, powers.steps[(j - 1) / 2], powers.steps[j / 2]);
        }
        powers
    }
}

/// The element of the field with dot(a, ONE) = a: x^128.
const ONE: u128 = 1 << 127 | 1 << 126 | 1 << 121 | 1;

/// POLYVAL of the registers that are put in: groups of `W`, and an end of up to `W` registers.
pub(super) struct Polyval<'p, B: Multiply, P: Products, const W: usize> {
    powers: &'p Powers<B, W>,
    /// What is added to the first register.
    y: B,
    /// V of the groups.
    v: B,
    had_groups: bool,
    /// The blocks of the end.
    n_blocks: usize,
    /// Registers that are still to come.
    n_left: usize,
    /// Products of the registers of the end, except the last two.
    sum: Sum<B, P>,
    had_sum: bool,
    /// The last register but one.
    before: B,
    had_before: bool,
    last: B,
}

impl<'p, B: Multiply, P: Products, const W: usize> Polyval<'p, B, P, W> {
    /// Begins with a result, which is in the first place.
    #[inline(always)]
    pub(super) fn new(powers: &'p Powers<B, W>, y: B) -> Self {
        let (isa, zero) = (powers.isa, B::zero(powers.isa.into()));
        Self {
            powers,
            y,
            v: zero,
            had_groups: false,
            n_blocks: 0,
            n_left: 0,
            sum: Sum::zero(isa),
            had_sum: false,
            before: zero,
            had_before: false,
            last: zero,
        }
    }

    #[inline(always)]
    pub(super) fn isa(&self) -> B::Multiplier {
        self.powers.isa
    }

    /// Puts in a group, which is not the end.
    #[inline(always)]
    pub(super) fn put_group(&mut self, x: &[B; W]) {
        let mut sum = Sum::<B, P>::zero(self.powers.isa);
        sum.add_products(self.v, self.powers.steps[W - 1]);
        sum.add_products(x[0].xor(self.y), self.powers.steps[W - 2]);
        for j in 1..W - 1 {
            sum.add_products(x[j], self.powers.steps[W - 2 - j]);
        }
        self.v = sum.reduced().xor(x[W - 1]);
        self.y = B::zero(self.powers.isa.into());
        self.had_groups = true;
    }

    /// Begins the end, which has this number of blocks.
    #[inline(always)]
    pub(super) fn begin_blocks(&mut self, n_blocks: usize) {
        self.n_blocks = n_blocks;
        self.n_left = n_blocks.div_ceil(B::DEGREE);
        if self.had_groups {
            self.n_left += 1;
            self.put(self.v);
        }
    }

    /// Puts in a register of the end.
    #[inline(always)]
    pub(super) fn put(&mut self, x: B) {
        let x = x.xor(self.y);
        self.y = B::zero(self.powers.isa.into());
        self.n_left -= 1;
        match self.n_left {
            0 => self.last = x,
            1 => (self.before, self.had_before) = (x, true),
            n => {
                self.sum.add_products(x, self.powers.steps[n - 2]);
                self.had_sum = true;
            }
        }
    }

    /// Puts in the block of lengths, the last one of the end: in the register of the text's last block, if it
    /// has room.
    #[inline(always)]
    pub(super) fn put_lengths(&mut self, lengths: u128) {
        let isa = self.powers.isa;
        match (self.n_blocks - 1) % B::DEGREE {
            0 => self.put(B::from_first(isa, lengths)),
            place => {
                static ONE_PLACE: [Block; 7] =
                    [[0; 16], [0; 16], [0; 16], [0xff; 16], [0; 16], [0; 16], [0; 16]];
                let mask = B::load(isa.into(), ONE_PLACE[3 - place..][..B::DEGREE].as_flattened());
                let lengths = B::from_first(isa, lengths).broadcast_first();
                self.last = self.last.xor(lengths.and(mask));
            }
        }
    }

    /// Returns the result in the first place, zeros in the others.
    #[inline(always)]
    pub(super) fn result(self) -> B {
        let Powers { isa, lowest, next, .. } = *self.powers;
        let n_missing = B::DEGREE - 1 - (self.n_blocks - 1) % B::DEGREE;
        let mut sum = Sum::<B, P>::zero(isa);
        sum.add_products(self.last, lowest.window(B::zero(isa.into()), n_missing));
        if self.had_before {
            let before = if self.had_sum { self.before.xor(self.sum.reduced()) } else { self.before };
            sum.add_products(before, next.window(lowest, n_missing));
        }
        sum.reduced().sum()
    }
}

/// POLYVAL of bytes, the last block filled with zeros, and of a block of lengths; from the result `y` on.
#[inline(always)]
pub(super) fn absorb<B: Multiply, P: Products, const W: usize>(
    powers: &Powers<B, W>,
    y: B,
    bytes: &[u8],
    lengths: Option<u128>,
) -> B {
    let isa = powers.isa;
    let group_bytes = 16 * W * B::DEGREE;
    if bytes.is_empty() && lengths.is_none() {
        return y;
    }
    let mut polyval = Polyval::<B, P, W>::new(powers, y);
    let (groups, end) = bytes.split_at(bytes.len().saturating_sub(1) / group_bytes * group_bytes);
    for group in groups.chunks_exact(group_bytes) {
        let mut x = [B::zero(isa.into()); W];
        for j in 0..W {
            x[j] = B::load(isa.into(), &group[16 * B::DEGREE * j..][..16 * B::DEGREE]);
        }
        polyval.put_group(&x);
    }
    let n_blocks = end.len().div_ceil(16) + usize::from(lengths.is_some());
    polyval.begin_blocks(n_blocks);
    for blocks in end.chunks(16 * B::DEGREE) {
        polyval.put(B::load_partial(isa.into(), blocks));
    }
    if let Some(lengths) = lengths {
        polyval.put_lengths(lengths);
    }
    polyval.result()
}
