//! Words as terms in a canonical form: words that are equal for every input by the rules of this file are the
//! same term.
//!
//! A *term* is a sum modulo 2^w of summands with coefficients, w = 32 or 64. A *summand* is a bitwise
//! polynomial: an exclusive or of products (bitwise ands) of rotated atoms, each product under a mask of the
//! bits in which it counts. An *atom* is a free word (a word of a message, say), a half of a 64-bit atom, a
//! pair of 32-bit terms, a word of an uninterpreted function's result, a word that a standard names, or a sum
//! that stands within a bitwise operation.
//!
//! Each term is stored once, so terms are equal if their numbers are equal. Different terms may still have
//! equal values; a proof may then fail although the code is correct, but never the other way round.

mod bits;
mod bytes;
pub mod linear;
mod polynomials;
pub mod public;
#[cfg(test)]
mod tests;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use linear::Domain;

use polynomials::{Polynomial, Product, all_ones, and_of, masked, rotation_of, xor_of};
pub use polynomials::{Term, ones};

/// A summand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Summand(u32);

/// The identity of a free word: the name of an array and two indices.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Free {
    /// The name of the array, for messages of failed proofs.
    pub array: &'static str,
    /// The number of the message, block or register.
    pub i: u32,
    /// The number of the word in it.
    pub j: u32,
}

/// A word that is not a sum.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Atom {
    Free(Free),
    /// The low (0) or high (1) half of a 64-bit term.
    Half(Term, u8),
    /// A 64-bit word of two 32-bit ones, the low one first.
    Pair(Term, Term),
    /// A word that is used as one, whatever it consists of.
    Named(Term),
    /// A word of the result of an uninterpreted function.
    Result {
        function: &'static str,
        arguments: Box<[Term]>,
        word: u8,
    },
}

/// A byte of a word in memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Byte {
    /// A constant.
    Known(u8),
    /// Byte i, from the lowest, of an atom.
    Of(Term, u8),
}

struct Node {
    width: u8,
    constant: u64,
    summands: Box<[(Summand, u64)]>,
    atom: Option<Atom>,
}

struct Known {
    width: u8,
    polynomial: Rc<Polynomial>,
    /// Returns whether it may be disjoint from another atom, so that their sum is an exclusive or.
    may_be_disjoint: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Operation {
    Xor(Term, Term),
    And(Term, Term),
    Rotate(Term, u8),
    Right(Term, u8),
    Left(Term, u8),
    Join(Term, Term),
    Ternary(Term, Term, Term, u8),
}

type Sum = (u8, u64, Box<[(Summand, u64)]>);

/// All terms of a proof.
#[derive(Default)]
pub struct Terms {
    nodes: Vec<Node>,
    of_sums: FxHashMap<Sum, Term>,
    of_atoms: FxHashMap<(u8, Atom), Term>,
    summands: Vec<Known>,
    of_polynomials: FxHashMap<(u8, Rc<Polynomial>), Summand>,
    polynomials: FxHashMap<Term, Rc<Polynomial>>,
    merged: FxHashMap<(Summand, Summand), Option<Term>>,
    results: FxHashMap<Operation, Term>,
    names: FxHashMap<Term, Term>,
    /// The numbers for which the run is carried out, if there are public numbers.
    domain: Option<Domain>,
}

impl Terms {
    fn node(&self, t: Term) -> &Node {
        &self.nodes[t.0 as usize]
    }

    /// The number of bits, 32 or 64.
    pub fn width(&self, t: Term) -> u8 {
        self.node(t).width
    }

    /// Its value, if it is constant.
    pub fn value(&self, t: Term) -> Option<u64> {
        let node = self.node(t);
        node.summands.is_empty().then_some(node.constant)
    }

    /// Returns the number of terms: the cost of a proof.
    pub fn count(&self) -> usize {
        self.nodes.len()
    }

    /// Forgets all terms, and keeps the memory of the tables.
    pub fn clear(&mut self) {
        let Self {
            nodes,
            of_sums,
            of_atoms,
            summands,
            of_polynomials,
            polynomials,
            merged,
            results,
            names,
            domain,
        } = self;
        *domain = None;
        nodes.clear();
        of_sums.clear();
        of_atoms.clear();
        summands.clear();
        of_polynomials.clear();
        polynomials.clear();
        merged.clear();
        results.clear();
        names.clear();
    }

    fn of_sum(&mut self, width: u8, constant: u64, summands: Box<[(Summand, u64)]>) -> Term {
        let key = (width, constant & ones(width), summands);
        if let Some(&t) = self.of_sums.get(&key) {
            return t;
        }
        let t = Term(self.nodes.len() as u32);
        self.nodes.push(Node { width, constant: key.1, summands: key.2.clone(), atom: None });
        self.of_sums.insert(key, t);
        t
    }

    /// A constant.
    pub fn constant(&mut self, value: u64, width: u8) -> Term {
        self.of_sum(width, value, Box::new([]))
    }

    fn atom(&mut self, width: u8, atom: Atom) -> Term {
        if let Some(&t) = self.of_atoms.get(&(width, atom.clone())) {
            return t;
        }
        let (t, summand) = (Term(self.nodes.len() as u32), Summand(self.summands.len() as u32));
        let summands: Box<[_]> = Box::new([(summand, 1)]);
        self.nodes.push(Node { width, constant: 0, summands: summands.clone(), atom: Some(atom.clone()) });
        self.of_sums.insert((width, 0, summands), t);
        let polynomial = Rc::new(vec![(Product::from_slice(&[(t, 0)]), ones(width))]);
        self.summands.push(Known { width, polynomial: polynomial.clone(), may_be_disjoint: false });
        self.of_polynomials.insert((width, polynomial), summand);
        self.of_atoms.insert((width, atom), t);
        t
    }

    /// Returns a word with an unknown value.
    pub fn free(&mut self, width: u8, array: &'static str, i: usize, j: usize) -> Term {
        let (i, j) = (u32::try_from(i).expect("an index"), u32::try_from(j).expect("an index"));
        self.atom(width, Atom::Free(Free { array, i, j }))
    }

    /// Returns a word of an uninterpreted function's result: equal arguments give equal results, and nothing
    /// else is known.
    pub fn result(&mut self, function: &'static str, arguments: &[Term], word: u8) -> Term {
        self.atom(32, Atom::Result { function, arguments: arguments.into(), word })
    }

    /// The arguments of an uninterpreted function, if these are all words of its result, in order.
    pub fn arguments(&self, function: &str, words: &[Term]) -> Option<Box<[Term]>> {
        let of = |t: Term, n: usize| match &self.node(t).atom {
            Some(Atom::Result { function: f, arguments, word })
                if *f == function && usize::from(*word) == n =>
            {
                Some(arguments)
            }
            _ => None,
        };
        let first = of(words[0], 0)?;
        let are_all = words.iter().enumerate().all(|(n, &t)| of(t, n) == Some(first));
        are_all.then(|| first.clone())
    }

    /// Whether it is one of the words that `free` made.
    pub fn as_free(&self, t: Term) -> Option<Free> {
        match self.node(t).atom {
            Some(Atom::Free(free)) => Some(free),
            _ => None,
        }
    }

    // ---- Between sums and polynomials ----

    fn polynomial(&mut self, t: Term) -> Rc<Polynomial> {
        if let Some(known) = self.polynomials.get(&t) {
            return known.clone();
        }
        let Node { width, constant, ref summands, .. } = self.nodes[t.0 as usize];
        let all = ones(width);
        let single = match **summands {
            [] if constant == 0 => Some(Polynomial::new()),
            [] => Some(vec![(Product::new(), constant)]),
            [(summand, 1)] if constant == 0 => {
                let known = self.summands[summand.0 as usize].polynomial.clone();
                self.polynomials.insert(t, known.clone());
                return known;
            }
            // −1 − x is the complement of x.
            [(summand, k)] if constant == all && k == all => {
                Some(xor_of(&self.summands[summand.0 as usize].polynomial, &all_ones(width)))
            }
            [(summand, k)] if constant == 0 && k.is_power_of_two() => {
                let n = k.trailing_zeros() as u8;
                let rotation = rotation_of(&self.summands[summand.0 as usize].polynomial, width - n, width);
                Some(masked(rotation, all << n & all))
            }
            _ => None,
        };
        let polynomial = Rc::new(match single {
            Some(polynomial) => polynomial,
            // Either a sum or its complement is the atom.
            None if summands[0].1 > all >> 1 => {
                let minus_one = self.constant(all, width);
                let complement = self.sub(minus_one, t);
                xor_of(&vec![(Product::from_slice(&[(complement, 0)]), all)], &all_ones(width))
            }
            None => vec![(Product::from_slice(&[(t, 0)]), all)],
        });
        self.polynomials.insert(t, polynomial.clone());
        polynomial
    }

    fn term(&mut self, polynomial: Polynomial, width: u8) -> Term {
        let all = ones(width);
        let constant = match polynomial.first() {
            None => return self.constant(0, width),
            Some((product, mask)) if product.is_empty() => *mask,
            Some(_) => 0,
        };
        if constant != 0 && polynomial.len() == 1 {
            return self.constant(constant, width);
        }
        if constant == all {
            let rest = self.term(polynomial[1..].to_vec(), width);
            let minus_one = self.constant(all, width);
            return self.sub(minus_one, rest);
        }
        if let [(product, mask)] = &*polynomial
            && let [(atom, r)] = **product
        {
            if *mask == all && r == 0 {
                return atom;
            }
            // A shift to the left is a multiple, unless that would lose bits of the sum's constant: then a
            // rotation by two shifts would not be one of this sum.
            let n = mask.trailing_zeros() as u8;
            let is_kept = n == 0 || self.node(atom).constant >> (width - n) == 0;
            if n > 0 && is_kept && *mask == all << n & all && r == width - n {
                let t = self.scale(atom, 1 << n);
                self.polynomials.entry(t).or_insert_with(|| Rc::new(polynomial));
                return t;
            }
        }
        let summand = self.summand(polynomial, width);
        let t = self.of_sum(width, 0, Box::new([(summand, 1)]));
        self.named(t)
    }

    /// Names a word: from now on it is an atom wherever it is computed. Otherwise polynomials over
    /// polynomials of earlier rounds, without sums between them, become too long.
    pub fn name(&mut self, t: Term) -> Term {
        if self.value(t).is_some() || self.node(t).atom.is_some() {
            return t;
        }
        let atom = self.atom(self.width(t), Atom::Named(t));
        self.names.insert(t, atom);
        atom
    }

    /// Names a word if it is a sum of two parts or more. A sum with one part may be a word of the input,
    /// which has been used without the name.
    pub fn name_sum(&mut self, t: Term) -> Term {
        let node = self.node(t);
        let n_parts = node.summands.len() + usize::from(node.constant != 0);
        if n_parts > 1 { self.name(t) } else { t }
    }

    /// Names two sums, and remembers that the first is its difference from the second plus the second: a − e
    /// plus the name of e has the name of a. Returns the names.
    pub fn name_both(&mut self, a: Term, e: Term) -> (Term, Term) {
        let (name_a, name_e) = (self.name_sum(a), self.name_sum(e));
        let difference = self.sub(a, e);
        let a_from_e = self.add(name_e, difference);
        if self.node(a_from_e).atom.is_none() && self.node(name_a).atom.is_some() {
            self.names.insert(a_from_e, name_a);
        }
        (name_a, name_e)
    }

    fn named(&self, t: Term) -> Term {
        self.names.get(&t).copied().unwrap_or(t)
    }

    fn summand(&mut self, polynomial: Polynomial, width: u8) -> Summand {
        let key = (width, Rc::new(polynomial));
        if let Some(&summand) = self.of_polynomials.get(&key) {
            return summand;
        }
        let summand = Summand(self.summands.len() as u32);
        let polynomial = key.1.clone();
        let may_be_disjoint = (polynomial.len() <= 2
            && polynomial.iter().any(|(product, _)| product.len() > 1))
            || polynomial.iter().any(|(_, mask)| *mask != ones(width));
        self.summands.push(Known { width, polynomial, may_be_disjoint });
        self.of_polynomials.insert(key, summand);
        summand
    }

    // ---- Sums ----

    fn scale(&mut self, t: Term, k: u64) -> Term {
        let Node { width, constant, ref summands, .. } = self.nodes[t.0 as usize];
        let all = ones(width);
        let scaled =
            summands.iter().map(|&(summand, c)| (summand, c.wrapping_mul(k) & all)).filter(|x| x.1 != 0);
        let scaled = scaled.collect();
        self.of_sum(width, constant.wrapping_mul(k), scaled)
    }

    /// a + b.
    pub fn add(&mut self, a: Term, b: Term) -> Term {
        let (x, y) = (self.node(a), self.node(b));
        assert!(x.width == y.width, "a sum of {} and {} bits", x.width, y.width);
        let (width, constant) = (x.width, x.constant.wrapping_add(y.constant));
        if let Some(t) = self.sum_by_halves(a, b) {
            return t;
        }
        let (x, y) = (self.node(a), self.node(b));
        let all = ones(width);
        let mut sum = Vec::with_capacity(x.summands.len() + y.summands.len());
        let (mut p, mut q) = (x.summands.iter().peekable(), y.summands.iter().peekable());
        while let Some(next) = match (p.peek(), q.peek()) {
            (None, None) => None,
            (Some(_), None) => p.next().copied(),
            (None, Some(_)) => q.next().copied(),
            (Some(x), Some(y)) => match x.0.cmp(&y.0) {
                core::cmp::Ordering::Less => p.next().copied(),
                core::cmp::Ordering::Greater => q.next().copied(),
                core::cmp::Ordering::Equal => {
                    let both = (x.0, x.1.wrapping_add(y.1) & all);
                    p.next();
                    q.next();
                    Some(both)
                }
            },
        } {
            if next.1 != 0 {
                sum.push(next);
            }
        }
        // Disjoint summands come from different sums, so the candidates of the shorter sum suffice.
        let fewer = if x.summands.len() < y.summands.len() { x } else { y };
        let candidates: SmallVec<[Summand; 4]> = fewer
            .summands
            .iter()
            .map(|s| s.0)
            .filter(|s| self.summands[s.0 as usize].may_be_disjoint)
            .collect();
        for p in candidates {
            if !sum.contains(&(p, 1)) {
                continue;
            }
            for i in 0..sum.len() {
                let (q, k) = sum[i];
                if q != p
                    && k == 1
                    && self.summands[q.0 as usize].may_be_disjoint
                    && let Some(merged) = self.disjoint(p, q)
                {
                    sum.retain(|s| s.0 != p && s.0 != q);
                    let rest = self.of_sum(width, constant, sum.into());
                    return self.add(rest, merged);
                }
            }
        }
        let sum = self.of_sum(width, constant, sum.into());
        self.named(sum)
    }

    /// A sum of 64 bits by halves, if nothing is carried from the low one, or it is known.
    fn sum_by_halves(&mut self, a: Term, b: Term) -> Option<Term> {
        if self.pair(a).is_none() && self.pair(b).is_none() {
            return None;
        }
        if a == b {
            return Some(self.shift_left(a, 1));
        }
        let both = self.and(a, b);
        if self.value(both) == Some(0) {
            return Some(self.xor(a, b));
        }
        let [low_a, low_b] = [a, b].map(|t| match self.pair(t) {
            Some((low, _)) => self.value(low),
            None => self.value(t).map(|value| value & ones(32)),
        });
        let (carry, low) = match (low_a, low_b) {
            (Some(0), _) => (0, self.half(b, 0)),
            (_, Some(0)) => (0, self.half(a, 0)),
            (Some(low_a), Some(low_b)) => {
                let low = low_a + low_b;
                (low >> 32, self.constant(low, 32))
            }
            _ => return None,
        };
        let carry = self.constant(carry, 32);
        let high = [self.half(a, 1), self.half(b, 1), carry];
        let high = self.sum(&high);
        Some(self.join(low, high))
    }

    /// Returns the exclusive or of two summands without common ones, which equals their sum: Ch and Maj are
    /// written both ways.
    fn disjoint(&mut self, p: Summand, q: Summand) -> Option<Term> {
        let key = (p.min(q), p.max(q));
        if let Some(&known) = self.merged.get(&key) {
            return known;
        }
        let Known { width, polynomial: a, .. } = &self.summands[key.0.0 as usize];
        let b = &self.summands[key.1.0 as usize].polynomial;
        let atoms = |p: &Polynomial| {
            p.iter().flat_map(|(product, _)| product.iter().map(|x| x.0)).collect::<Vec<_>>()
        };
        let atoms_of_a = atoms(a);
        let share = atoms(b).iter().any(|atom| atoms_of_a.contains(atom));
        let (width, xor) = (*width, (share && and_of(a, b).is_empty()).then(|| xor_of(a, b)));
        let merged = xor.map(|xor| self.term(xor, width));
        self.merged.insert(key, merged);
        merged
    }

    /// a − b.
    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negative = self.scale(b, u64::MAX);
        self.add(a, negative)
    }

    /// k · a.
    pub fn multiple(&mut self, a: Term, k: u64) -> Term {
        self.scale(a, k)
    }

    /// The sum of all.
    pub fn sum(&mut self, terms: &[Term]) -> Term {
        let mut sum = terms[0];
        for &t in &terms[1..] {
            sum = self.add(sum, t);
        }
        sum
    }

    fn remembered(&mut self, operation: Operation, make: impl FnOnce(&mut Self) -> Term) -> Term {
        if let Some(&t) = self.results.get(&operation) {
            return self.named(t);
        }
        let t = make(self);
        self.results.insert(operation, t);
        t
    }

    /// The term of another proof with other words in place of its free words. It is nothing if it depends on
    /// a word in whose place nothing is, or on an uninterpreted function.
    pub fn substituted(
        &mut self,
        from: &Self,
        t: Term,
        word: &dyn Fn(&mut Self, Free, u8) -> Option<Term>,
        known: &mut FxHashMap<Term, Option<Term>>,
    ) -> Option<Term> {
        if let Some(&done) = known.get(&t) {
            return done;
        }
        let node = from.node(t);
        let result = match &node.atom {
            Some(Atom::Free(free)) => word(self, *free, node.width),
            Some(Atom::Half(whole, which)) => {
                self.substituted(from, *whole, word, known).map(|whole| self.half(whole, *which))
            }
            Some(Atom::Pair(low, high)) => {
                let low = self.substituted(from, *low, word, known);
                low.zip(self.substituted(from, *high, word, known)).map(|(low, high)| self.join(low, high))
            }
            Some(Atom::Named(whole)) => self.substituted(from, *whole, word, known),
            Some(Atom::Result { .. }) => None,
            None => self.substituted_sum(from, t, word, known),
        };
        known.insert(t, result);
        result
    }

    fn substituted_sum(
        &mut self,
        from: &Self,
        t: Term,
        word: &dyn Fn(&mut Self, Free, u8) -> Option<Term>,
        known: &mut FxHashMap<Term, Option<Term>>,
    ) -> Option<Term> {
        let Node { width, constant, ref summands, .. } = from.nodes[t.0 as usize];
        let mut sum = self.constant(constant, width);
        for &(summand, k) in summands {
            let mut value = self.constant(0, width);
            for (product, mask) in from.summands[summand.0 as usize].polynomial.iter() {
                let mut part = self.constant(*mask, width);
                for &(atom, r) in product {
                    let atom = self.substituted(from, atom, word, known)?;
                    let rotated = self.rotate(atom, r.into());
                    part = match self.value(part) {
                        Some(ones_of_width) if ones_of_width == ones(width) => rotated,
                        _ => self.and(part, rotated),
                    };
                }
                value = match self.value(value) {
                    Some(0) => part,
                    _ => self.xor(value, part),
                };
            }
            let multiple = self.scale(value, k);
            sum = self.add(sum, multiple);
        }
        Some(sum)
    }

    /// A short description of a term, for messages of failed proofs.
    pub fn describe(&self, t: Term) -> String {
        let node = self.node(t);
        if let Some(value) = self.value(t) {
            return format!("{value:#x}");
        }
        match &node.atom {
            Some(Atom::Free(Free { array, i, j })) => format!("{array}[{i}][{j}]"),
            Some(Atom::Half(t, which)) => {
                format!("{} half of {}", ["low", "high"][usize::from(*which)], self.describe(*t))
            }
            Some(Atom::Pair(low, high)) => format!("({}, {})", self.describe(*low), self.describe(*high)),
            Some(Atom::Named(t)) => self.describe(*t),
            Some(Atom::Result { function, word, .. }) => format!("word {word} of a {function}"),
            None => {
                let (mut words, mut seen) = (Vec::new(), FxHashSet::default());
                self.words_in(t, &mut words, &mut seen);
                words.sort();
                format!("a sum of {} summands over {}", node.summands.len(), words.join(", "))
            }
        }
    }

    /// Describes some of the words that a sum depends on, also those in sums that it names.
    fn words_in(&self, t: Term, words: &mut Vec<String>, seen: &mut FxHashSet<Term>) {
        const MOST_WORDS: usize = 6;
        if words.len() == MOST_WORDS || !seen.insert(t) {
            return;
        }
        match &self.node(t).atom {
            Some(Atom::Named(whole) | Atom::Half(whole, _)) => self.words_in(*whole, words, seen),
            Some(Atom::Pair(low, high)) => {
                self.words_in(*low, words, seen);
                self.words_in(*high, words, seen);
            }
            Some(_) => words.push(self.describe(t)),
            None => {
                for (summand, _) in &self.node(t).summands {
                    for (product, _) in self.summands[summand.0 as usize].polynomial.iter() {
                        product.iter().for_each(|(atom, _)| self.words_in(*atom, words, seen));
                    }
                }
            }
        }
    }
}
