//! Public numbers: words that do not depend on contents, but are not constants in a proof for any number of
//! blocks. They are sums of multiples of a pointer, of the number of turns so far, and of the number of
//! blocks that are left.
//!
//! A decision about such numbers is known if it is the same for all numbers of the domain.

use super::linear::{Domain, Linear};
use super::{Atom, Free, Term, Terms, ones};

/// The address of a message's first block.
pub const POINTER: &str = "a pointer";
/// The turns of the loop so far.
pub const TURNS: &str = "the turns so far";
/// The blocks that are left.
pub const LEFT: &str = "the blocks left";

impl Terms {
    /// Sets the numbers for which the run is carried out.
    pub fn set_domain(&mut self, domain: Domain) {
        self.domain = Some(domain);
    }

    /// The numbers for which the run is carried out.
    pub fn domain(&self) -> Option<Domain> {
        self.domain
    }

    /// A public number as a sum, and its least and greatest value; constants are such numbers, too. It is
    /// nothing if the sum modulo 2^w may be another than the sum.
    pub fn public(&self, t: Term) -> Option<(Linear, (i128, i128))> {
        let domain = self.domain?;
        let linear = self.linear(t)?;
        let (least, greatest) = domain.range(&linear);
        (least >= 0 && greatest <= i128::from(ones(self.width(t)))).then_some((linear, (least, greatest)))
    }

    /// A sum of multiples of public numbers, modulo 2^w.
    pub fn linear(&self, t: Term) -> Option<Linear> {
        let node = self.node(t);
        let all = i128::from(ones(node.width)) + 1;
        let signed = |x: u64| if i128::from(x) >= all / 2 { i128::from(x) - all } else { i128::from(x) };
        if node.summands.is_empty() {
            return Some(Linear { constant: i128::from(node.constant), ..Linear::default() });
        }
        let mut linear = Linear { constant: signed(node.constant), ..Linear::default() };
        for &(summand, k) in &node.summands {
            let known = &self.summands[summand.0 as usize];
            let [(product, mask)] = &known.polynomial[..] else { return None };
            let [(atom, 0)] = product[..] else { return None };
            let Some(Atom::Free(Free { array, i, .. })) = self.node(atom).atom else { return None };
            if *mask != ones(node.width) {
                return None;
            }
            match array {
                POINTER if k == 1 && linear.pointer.is_none() => linear.pointer = Some(i),
                TURNS => linear.turns = signed(k),
                LEFT => linear.left = signed(k),
                _ => return None,
            }
        }
        Some(linear)
    }

    /// The public number with this value, of 32 or 64 bits.
    pub fn of_linear(&mut self, number: &Linear, width: u8) -> Term {
        let mut sum = self.constant(number.constant as u64, width);
        let pointer = number.pointer.map(|i| (POINTER, i as usize, 1));
        let others = [(TURNS, 0, number.turns), (LEFT, 0, number.left)];
        for (array, i, k) in others.into_iter().chain(pointer).filter(|(_, _, k)| *k != 0) {
            let word = self.free(width, array, i, 0);
            let multiple = self.multiple(word, k as u64);
            sum = self.add(sum, multiple);
        }
        sum
    }

    /// a ∧ b, if one is a public number and the other is constant, with ones in all places of the number.
    pub fn public_under_mask(&self, a: Term, b: Term) -> Option<Term> {
        self.domain?;
        let (mask, number) = match (self.value(a), self.value(b)) {
            (Some(mask), None) => (mask, b),
            (None, Some(mask)) => (mask, a),
            _ => return None,
        };
        let (_, (_, greatest)) = self.public(number)?;
        let is_of_low_ones = mask & mask.wrapping_add(1) == 0;
        (is_of_low_ones && greatest <= i128::from(mask)).then_some(number)
    }

    /// A number that is public, not constant, and below 2^32, with another width.
    pub(super) fn resized(&mut self, t: Term, width: u8) -> Option<Term> {
        self.domain?;
        let (linear, (_, greatest)) = self.public(t).filter(|_| self.value(t).is_none())?;
        (greatest < 1 << 32).then(|| self.of_linear(&linear, width))
    }
}
