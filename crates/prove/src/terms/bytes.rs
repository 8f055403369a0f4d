//! Halves and bytes of words.

use smallvec::SmallVec;

use super::polynomials::{Polynomial, Product, combined, masked, rotation_of};
use super::{Atom, Byte, Free, Operation, Term, Terms};

impl Terms {
    /// The halves of a word that is two 32-bit terms and no more.
    pub fn pair(&self, t: Term) -> Option<(Term, Term)> {
        match self.node(t).atom {
            Some(Atom::Pair(low, high)) => Some((low, high)),
            _ => None,
        }
    }

    /// The low (0) or high (1) half of a 64-bit term.
    pub fn half(&mut self, t: Term, which: u8) -> Term {
        if let Some(value) = self.value(t) {
            return self.constant(value >> (32 * u32::from(which)), 32);
        }
        if let Some((low, high)) = self.pair(t) {
            return [low, high][usize::from(which)];
        }
        if let Some(low) = self.resized(t, 32) {
            return if which == 0 { low } else { self.constant(0, 32) };
        }
        // Bytes from other words.
        if self.node(t).atom.is_none()
            && let Some(bytes) = self.whole_bytes(t)
            && bytes.iter().all(|byte| !matches!(byte, Byte::Of(of, _) if *of == t))
        {
            let from = 4 * usize::from(which);
            return self.of_bytes(&bytes[from..from + 4]);
        }
        self.atom(32, Atom::Half(t, which))
    }

    /// Whether it is half of a 64-bit word.
    pub fn is_half(&self, t: Term) -> bool {
        matches!(self.node(t).atom, Some(Atom::Half(..)))
    }

    /// Whether it is half of such a free word.
    pub fn is_half_of(&self, t: Term, is_it: impl Fn(Free) -> bool) -> bool {
        matches!(self.node(t).atom, Some(Atom::Half(whole, _)) if self.as_free(whole).is_some_and(is_it))
    }

    /// Returns whether it consists of bytes of 64-bit words.
    pub fn has_long_bytes(&mut self, t: Term) -> bool {
        let polynomial = self.polynomial(t);
        polynomial.last().is_some_and(|(product, _)| product.iter().all(|(atom, _)| self.is_half(*atom)))
    }

    /// A 64-bit word of two 32-bit ones.
    pub fn join(&mut self, low: Term, high: Term) -> Term {
        if let (Some(low), Some(high)) = (self.value(low), self.value(high)) {
            return self.constant(low | high << 32, 64);
        }
        self.remembered(Operation::Join(low, high), |terms| terms.joined(low, high))
    }

    fn joined(&mut self, low: Term, high: Term) -> Term {
        if self.value(high) == Some(0)
            && let Some(t) = self.resized(low, 64)
        {
            return t;
        }
        if let (Some(Atom::Half(s, i)), Some(Atom::Half(t, j))) =
            (&self.node(low).atom, &self.node(high).atom)
            && s == t
        {
            match (i, j) {
                (0, 1) => return *s,
                (1, 0) => {
                    let s = *s;
                    return self.rotate(s, 32);
                }
                _ => {}
            }
        }
        // Bytes of 64-bit words, reversed in each half.
        let bytes: SmallVec<[Byte; 8]> = self.bytes(low).into_iter().chain(self.bytes(high)).collect();
        let from_long = |byte: &Byte| match byte {
            Byte::Known(_) => true,
            Byte::Of(t, _) => self.width(*t) == 64,
        };
        if bytes.iter().all(from_long) && self.are_bytes(low) && self.are_bytes(high) {
            return self.of_bytes(&bytes);
        }
        self.atom(64, Atom::Pair(low, high))
    }

    /// Returns whether it consists of whole bytes of atoms, so that its bytes define it.
    fn are_bytes(&mut self, t: Term) -> bool {
        self.value(t).is_some() || self.whole_bytes(t).is_some()
    }

    /// The bytes of a polynomial that is an exclusive or of atoms' bytes, each in a place of its own.
    fn whole_bytes(&mut self, t: Term) -> Option<SmallVec<[Byte; 8]>> {
        let n = usize::from(self.width(t)) / 8;
        let polynomial = self.polynomial(t);
        let mut bytes = SmallVec::from_elem(Byte::Known(0), n);
        let mut taken = 0;
        for (product, mask) in polynomial.iter() {
            for i in 0..n {
                let of_byte = mask >> (8 * i) & 0xff;
                if of_byte == 0 {
                    continue;
                }
                bytes[i] = match **product {
                    [] => Byte::Known(of_byte as u8),
                    [(atom, r)] if r % 8 == 0 && of_byte == 0xff => {
                        self.byte_of_atom(atom, (i + usize::from(r) / 8) % n)
                    }
                    _ => return None,
                };
                if taken >> i & 1 == 1 {
                    return None;
                }
                taken |= 1 << i;
            }
        }
        Some(bytes)
    }

    fn byte_of_atom(&self, atom: Term, i: usize) -> Byte {
        match self.node(atom).atom {
            Some(Atom::Half(t, which)) => Byte::Of(t, 4 * which + i as u8),
            _ => Byte::Of(atom, i as u8),
        }
    }

    /// The bytes of a word, the lowest first.
    pub fn bytes(&mut self, t: Term) -> SmallVec<[Byte; 8]> {
        let n = usize::from(self.width(t)) / 8;
        if let Some(value) = self.value(t) {
            return value.to_le_bytes()[..n].iter().map(|&byte| Byte::Known(byte)).collect();
        }
        if let Some((low, high)) = self.pair(t) {
            let low = self.bytes(low);
            return low.into_iter().chain(self.bytes(high)).collect();
        }
        if self.node(t).atom.is_some() {
            return (0..n).map(|i| self.byte_of_atom(t, i)).collect();
        }
        match self.whole_bytes(t) {
            Some(bytes) => bytes,
            None => (0..n).map(|i| Byte::Of(t, i as u8)).collect(),
        }
    }

    /// The word of four or eight bytes, the lowest first.
    pub fn of_bytes(&mut self, bytes: &[Byte]) -> Term {
        let width = 8 * bytes.len() as u8;
        let is_long = |byte: &Byte| match byte {
            Byte::Known(_) => true,
            Byte::Of(t, _) => self.width(*t) == 64,
        };
        if width == 64 && !bytes.iter().all(is_long) {
            let (low, high) = (self.of_bytes(&bytes[..4]), self.of_bytes(&bytes[4..]));
            return self.atom_of_pair(low, high);
        }
        let mut all = Polynomial::new();
        for (i, &byte) in bytes.iter().enumerate() {
            let place = 0xff << (8 * i);
            match byte {
                Byte::Known(0) => {}
                Byte::Known(value) => all.push((Product::new(), u64::from(value) << (8 * i))),
                Byte::Of(t, from) => {
                    let (t, from) = match (width, self.width(t)) {
                        (32, 64) => (self.half(t, from / 4), from % 4),
                        (_, w) => {
                            assert!(w == width, "a byte of {w} bits");
                            (t, from)
                        }
                    };
                    let n = bytes.len() as u8;
                    let r = 8 * ((from + n - i as u8) % n);
                    // A sum or its complement may be the atom.
                    let p = self.polynomial(t);
                    all.extend(masked(rotation_of(&p, r, width), place));
                }
            }
        }
        self.term(combined(all), width)
    }

    fn atom_of_pair(&mut self, low: Term, high: Term) -> Term {
        match (self.value(low), self.value(high)) {
            (Some(low), Some(high)) => self.constant(low | high << 32, 64),
            _ => self.atom(64, Atom::Pair(low, high)),
        }
    }
}
