//! GHASH, NIST SP 800-38D section 6.4, over registers of blocks.
//!
//! GHASH is Y_i = (Y_(i-1) ^ X_i) · H. For n blocks at once,
//!
//! ```text
//! Y_n = (Y_0 ^ X_1) · H^n ^ X_2 · H^(n-1) ^ … ^ X_n · H,
//! ```
//!
//! so the products do not wait for each other, and are reduced together ([`Sum`]).
//!
//! GHASH numbers the bits of a block from the left, the instructions from the right. With its bytes reversed,
//! a block is an element of POLYVAL's field (RFC 8452, appendix A), whose product a · b · x^-128 needs no
//! reversed bits. The factor x^-128 is that of a Montgomery reduction: multiples of the polynomial make the
//! low half of the product zero, and the high half is the result.

use core::marker::PhantomData;

use hashlanes_isa::cipher::{Block, Multiply};

use super::job::{N_POWERS, Powers, REDUCTION};

/// How the product of two blocks is made of products of halves: those of the low and of the high halves, and
/// what is in the middle.
pub(crate) trait Products {
    /// What a sum of products keeps for the middle.
    fn kept<B: Multiply>(isa: B::Multiplier, sum: B, a: B, b: B) -> B;
    /// The middle of that sum.
    fn middle<B: Multiply>(kept: B, low: B, high: B) -> B;
}

/// Four products of halves.
pub(crate) struct Four;

impl Products for Four {
    #[inline(always)]
    fn kept<B: Multiply>(isa: B::Multiplier, sum: B, a: B, b: B) -> B {
        sum.xor3(a.low_high(isa, b), a.high_low(isa, b))
    }
    #[inline(always)]
    fn middle<B: Multiply>(kept: B, _: B, _: B) -> B {
        kept
    }
}

/// Three, by Karatsuba: (low + high) · (low + high) is the middle, low · low and high · high. For CPUs where
/// a product takes longer than two shuffles and what else it costs.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) struct Three;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
impl Products for Three {
    #[inline(always)]
    fn kept<B: Multiply>(isa: B::Multiplier, sum: B, a: B, b: B) -> B {
        sum.xor(a.xor(a.swap_halves()).low_low(isa, b.xor(b.swap_halves())))
    }
    #[inline(always)]
    fn middle<B: Multiply>(kept: B, low: B, high: B) -> B {
        kept.xor3(low, high)
    }
}

/// Products that are not reduced yet: low + middle · x^64 + high · x^128, for each place of the registers.
pub(crate) struct Sum<B: Multiply, P: Products> {
    isa: B::Multiplier,
    low: B,
    kept: B,
    high: B,
    products: PhantomData<P>,
}

impl<B: Multiply, P: Products> Sum<B, P> {
    /// Nothing yet.
    #[inline(always)]
    pub(crate) fn zero(isa: B::Multiplier) -> Self {
        let zero = B::zero(isa.into());
        Self { isa, low: zero, kept: zero, high: zero, products: PhantomData }
    }

    /// Returns the sum, and leaves nothing.
    #[inline(always)]
    pub(crate) fn take(&mut self) -> Self {
        core::mem::replace(self, Self::zero(self.isa))
    }

    /// Adds the products of the blocks and powers, from H^k on.
    #[inline(always)]
    pub(crate) fn add(&mut self, blocks: B, powers: &Powers, k: usize) {
        self.add_products(blocks, self.powers(powers, k));
    }

    /// Returns a register of powers, from H^k on.
    #[inline(always)]
    fn powers(&self, powers: &Powers, k: usize) -> B {
        B::load(self.isa.into(), powers.from(k)[..B::DEGREE].as_flattened())
    }

    /// Adds the products of two registers of blocks, which takes fewer instructions than one after the other.
    #[inline(always)]
    pub(crate) fn add_two(&mut self, blocks: [B; 2], powers: &Powers, k: usize) {
        let isa = self.isa;
        let ([a, b], c, d) = (blocks, self.powers(powers, k), self.powers(powers, k - B::DEGREE));
        self.low = self.low.xor3(a.low_low(isa, c), b.low_low(isa, d));
        self.high = self.high.xor3(a.high_high(isa, c), b.high_high(isa, d));
        self.kept = P::kept(isa, self.kept, a, c);
        self.kept = P::kept(isa, self.kept, b, d);
    }

    /// Adds the products.
    #[inline(always)]
    pub(crate) fn add_products(&mut self, a: B, b: B) {
        let isa = self.isa;
        self.low = self.low.xor(a.low_low(isa, b));
        self.kept = P::kept(isa, self.kept, a, b);
        self.high = self.high.xor(a.high_high(isa, b));
    }

    /// Returns the reduced products, place by place.
    ///
    /// The first step makes the low 64 bits zero, the second the next 64; `middle` comes in with the first.
    #[inline(always)]
    pub(crate) fn reduced(self) -> B {
        let isa = self.isa;
        let reduction = B::broadcast(isa.into(), &u128::from(REDUCTION).to_le_bytes());
        let middle = P::middle(self.kept, self.low, self.high);
        let v = self.low.swap_halves().xor3(middle, self.low.low_low(isa, reduction));
        self.high.xor3(v.swap_halves(), v.low_low(isa, reduction))
    }
}

/// Blocks that are hashed together at most.
const MOST: usize = 16;

/// Hashes bytes, the last block filled with zeros. The result is in the first place, zeros in the others.
#[inline(always)]
pub(crate) fn absorb<B: Multiply, P: Products>(isa: B::Multiplier, powers: &Powers, bytes: &[u8]) -> B {
    let mut y = B::zero(isa.into());
    for group in bytes.chunks(16 * MOST) {
        let (first, rest) = group.split_at(group.len().min(16 * B::DEGREE));
        let k = group.len().div_ceil(16);
        let mut sum = Sum::<B, P>::zero(isa);
        sum.add(B::load_partial(isa.into(), first).swap_bytes().xor(y), powers, k);
        add_bytes(&mut sum, powers, k.saturating_sub(B::DEGREE), rest);
        y = sum.reduced().sum();
    }
    y
}

/// Adds the products of bytes, the last block filled with zeros, and powers from H^k on.
#[inline(always)]
pub(crate) fn add_bytes<B: Multiply, P: Products>(
    sum: &mut Sum<B, P>,
    powers: &Powers,
    mut k: usize,
    bytes: &[u8],
) {
    for blocks in bytes.chunks(16 * B::DEGREE) {
        sum.add(B::load_partial(sum.isa.into(), blocks).swap_bytes(), powers, k);
        k -= B::DEGREE.min(k);
    }
}

/// Computes the powers from the first: those of a register one by one, then each register from the one
/// before.
#[inline(always)]
pub(crate) fn fill<B: Multiply>(isa: B::Multiplier, first: &Block, powers: &mut Powers) {
    const { assert!(N_POWERS.is_multiple_of(B::DEGREE)) }
    *powers.place(1) = *first;
    for k in 2..=B::DEGREE {
        let a = B::broadcast(isa.into(), &powers.from(k / 2)[0]);
        let b = B::broadcast(isa.into(), &powers.from(k - k / 2)[0]);
        product(isa, a, b).store_first(powers.place(k));
    }
    let step = B::broadcast(isa.into(), &powers.from(B::DEGREE)[0]);
    let mut register = B::load(isa.into(), powers.from(B::DEGREE)[..B::DEGREE].as_flattened());
    for k in (2 * B::DEGREE..=N_POWERS).step_by(B::DEGREE) {
        register = product(isa, register, step);
        register.store(powers.places(k, B::DEGREE).as_flattened_mut());
    }
}

/// Returns the products, place by place.
#[inline(always)]
pub(crate) fn product<B: Multiply>(isa: B::Multiplier, a: B, b: B) -> B {
    let mut sum = Sum::<B, Four>::zero(isa);
    sum.add_products(a, b);
    sum.reduced()
}
