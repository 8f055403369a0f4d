//! Bitwise operations, rotations and shifts.

use super::polynomials::{Polynomial, all_ones, and_of, masked, rotation_of, xor_of};
use super::{Operation, Term, Terms, ones};

impl Terms {
    /// By halves, where a word is two terms and no more.
    fn by_halves<const N: usize>(
        &mut self,
        words: [Term; N],
        mut f: impl FnMut(&mut Self, [Term; N]) -> Term,
    ) -> Option<Term> {
        if words.iter().all(|&t| self.pair(t).is_none()) {
            return None;
        }
        let [low, high] = [0, 1].map(|which| {
            let halves = words.map(|t| self.half(t, which));
            f(self, halves)
        });
        Some(self.join(low, high))
    }

    /// a ⊕ b.
    pub fn xor(&mut self, a: Term, b: Term) -> Term {
        if let Some(t) = self.by_halves([a, b], |terms, [a, b]| terms.xor(a, b)) {
            return t;
        }
        self.remembered(Operation::Xor(a.min(b), a.max(b)), |terms| {
            let (p, q) = (terms.polynomial(a), terms.polynomial(b));
            terms.term(xor_of(&p, &q), terms.width(a))
        })
    }

    /// a ∧ b.
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        if let Some(t) = self.public_under_mask(a, b) {
            return t;
        }
        if let Some(t) = self.by_halves([a, b], |terms, [a, b]| terms.and(a, b)) {
            return t;
        }
        self.remembered(Operation::And(a.min(b), a.max(b)), |terms| {
            let (p, q) = (terms.polynomial(a), terms.polynomial(b));
            terms.term(and_of(&p, &q), terms.width(a))
        })
    }

    /// a ∨ b.
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        let (either, both) = (self.xor(a, b), self.and(a, b));
        self.xor(either, both)
    }

    /// ¬a.
    pub fn not(&mut self, a: Term) -> Term {
        let minus_one = self.constant(u64::MAX, self.width(a));
        self.sub(minus_one, a)
    }

    /// ¬a ∧ b.
    pub fn and_not(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.and(not_a, b)
    }

    /// Each bit by a table of the three bits, bit `a << 2 | b << 1 | c` of it, as in VPTERNLOG.
    pub fn ternary(&mut self, a: Term, b: Term, c: Term, table: u8) -> Term {
        if let Some(t) = self.by_halves([a, b, c], |terms, [a, b, c]| terms.ternary(a, b, c, table)) {
            return t;
        }
        self.remembered(Operation::Ternary(a, b, c, table), |terms| {
            let width = terms.width(a);
            let inputs = [terms.polynomial(c), terms.polynomial(b), terms.polynomial(a)];
            // The table's algebraic normal form.
            let mut normal = table;
            for (shift, mask) in [(1, 0xaa), (2, 0xcc), (4, 0xf0)] {
                normal ^= normal << shift & mask;
            }
            let mut sum = Polynomial::new();
            for product in (0..8).filter(|product| normal >> product & 1 == 1) {
                let mut value = all_ones(width);
                for (i, input) in inputs.iter().enumerate() {
                    if product >> i & 1 == 1 {
                        value = and_of(&value, input);
                    }
                }
                sum = xor_of(&sum, &value);
            }
            terms.term(sum, width)
        })
    }

    /// Rotation to the right.
    pub fn rotate(&mut self, a: Term, n: u32) -> Term {
        let width = self.width(a);
        let n = (n % u32::from(width)) as u8;
        if n == 0 {
            return a;
        }
        if let Some((low, high)) = self.pair(a) {
            let (low, high, n) = if n >= 32 { (high, low, n - 32) } else { (low, high, n) };
            return match n {
                0 => self.join(low, high),
                _ => {
                    let (low, high) = (self.funnel(low, high, n), self.funnel(high, low, n));
                    self.join(low, high)
                }
            };
        }
        self.remembered(Operation::Rotate(a, n), |terms| {
            let p = terms.polynomial(a);
            terms.term(rotation_of(&p, n, width), width)
        })
    }

    /// The low 32 bits of high · 2^32 + low, shifted to the right by n of 1 to 31.
    fn funnel(&mut self, low: Term, high: Term, n: u8) -> Term {
        if low == high {
            return self.rotate(low, u32::from(n));
        }
        let (low, high) = (self.shift_right(low, u32::from(n)), self.shift_left(high, 32 - u32::from(n)));
        self.xor(low, high)
    }

    /// Shift to the right.
    pub fn shift_right(&mut self, a: Term, n: u32) -> Term {
        let width = self.width(a);
        if n == 0 || n >= u32::from(width) {
            return if n == 0 { a } else { self.constant(0, width) };
        }
        if let Some((low, high)) = self.pair(a) {
            let zero = self.constant(0, 32);
            let low = match n {
                1..32 => self.funnel(low, high, n as u8),
                _ => self.shift_right(high, n - 32),
            };
            let high = if n < 32 { self.shift_right(high, n) } else { zero };
            return self.join(low, high);
        }
        let n = n as u8;
        self.remembered(Operation::Right(a, n), |terms| {
            let p = terms.polynomial(a);
            terms.term(masked(rotation_of(&p, n, width), ones(width) >> n), width)
        })
    }

    /// Shift to the left.
    pub fn shift_left(&mut self, a: Term, n: u32) -> Term {
        let width = self.width(a);
        if n == 0 || n >= u32::from(width) {
            return if n == 0 { a } else { self.constant(0, width) };
        }
        if let Some((low, high)) = self.pair(a) {
            let zero = self.constant(0, 32);
            let high = match n {
                1..32 => self.funnel(low, high, 32 - n as u8),
                _ => self.shift_left(low, n - 32),
            };
            let low = if n < 32 { self.shift_left(low, n) } else { zero };
            return self.join(low, high);
        }
        if let Some((_, (_, greatest))) = self.public(a)
            && greatest << n <= i128::from(ones(width))
        {
            return self.multiple(a, 1 << n);
        }
        let n = n as u8;
        self.remembered(Operation::Left(a, n), |terms| {
            let p = terms.polynomial(a);
            let all = ones(width);
            terms.term(masked(rotation_of(&p, width - n, width), all << n & all), width)
        })
    }
}
