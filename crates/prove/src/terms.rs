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

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(u32);

/// A summand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
struct Summand(u32);

/// A product of atoms, each rotated to the right by a number of bits; sorted, without duplicates. The empty
/// product is all ones.
type Product = SmallVec<[(Term, u8); 3]>;

/// An exclusive or of products under masks; sorted, no mask is zero.
type Polynomial = Vec<(Product, u64)>;

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
}

/// The ones of `width` bits.
pub const fn ones(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

fn rotated(x: u64, n: u8, width: u8) -> u64 {
    if n.is_multiple_of(width) {
        return x;
    }
    ((x >> n) | (x << (width - n))) & ones(width)
}

// ---- Polynomials ----

fn xor_of(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut sum = Polynomial::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (None, None) => return sum,
            (Some(_), None) => a.next().cloned(),
            (None, Some(_)) => b.next().cloned(),
            (Some(x), Some(y)) => match x.0.cmp(&y.0) {
                core::cmp::Ordering::Less => a.next().cloned(),
                core::cmp::Ordering::Greater => b.next().cloned(),
                core::cmp::Ordering::Equal => {
                    let mask = x.1 ^ y.1;
                    let product = a.next().map(|x| x.0.clone());
                    b.next();
                    if mask == 0 { None } else { product.map(|product| (product, mask)) }
                }
            },
        };
        sum.extend(next);
    }
}

fn and_of(a: &Polynomial, b: &Polynomial) -> Polynomial {
    let mut all = Polynomial::new();
    // Shifts that make a rotation have no bits in common.
    let bits_of_b = b.iter().fold(0, |bits, (_, n)| bits | n);
    for (x, m) in a.iter().filter(|(_, m)| m & bits_of_b != 0) {
        for (y, n) in b {
            if m & n != 0 {
                let mut product: Product = x.iter().chain(y).copied().collect();
                product.sort_unstable();
                product.dedup();
                all.push((product, m & n));
            }
        }
    }
    combined(all)
}

/// Returns each repeated product once.
fn combined(mut all: Polynomial) -> Polynomial {
    all.sort_unstable();
    let mut sum = Polynomial::with_capacity(all.len());
    for (product, mask) in all {
        match sum.last_mut() {
            Some((last, sum)) if *last == product => *sum ^= mask,
            _ => sum.push((product, mask)),
        }
    }
    sum.retain(|(_, mask)| *mask != 0);
    sum
}

fn masked(a: Polynomial, mask: u64) -> Polynomial {
    a.into_iter().map(|(product, m)| (product, m & mask)).filter(|(_, m)| *m != 0).collect()
}

fn rotation_of(a: &Polynomial, n: u8, width: u8) -> Polynomial {
    let all = a.iter().map(|(product, mask)| {
        let mut product: Product = product.iter().map(|&(atom, r)| (atom, (r + n) % width)).collect();
        product.sort_unstable();
        (product, rotated(*mask, n, width))
    });
    combined(all.collect())
}

fn all_ones(width: u8) -> Polynomial {
    vec![(Product::new(), ones(width))]
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
            // A shift to the left is a multiple.
            let n = mask.trailing_zeros() as u8;
            if n > 0 && *mask == all << n & all && r == width - n {
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
        self.of_sum(width, constant, sum.into())
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
        let low = low_a? + low_b?;
        let (carry, low) = (self.constant(low >> 32, 32), self.constant(low, 32));
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

    // ---- Bits ----

    fn remembered(&mut self, operation: Operation, make: impl FnOnce(&mut Self) -> Term) -> Term {
        if let Some(&t) = self.results.get(&operation) {
            return self.named(t);
        }
        let t = make(self);
        self.results.insert(operation, t);
        t
    }

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
        let n = n as u8;
        self.remembered(Operation::Left(a, n), |terms| {
            let p = terms.polynomial(a);
            let all = ones(width);
            terms.term(masked(rotation_of(&p, width - n, width), all << n & all), width)
        })
    }

    // ---- Halves and bytes ----

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
                let mut free: Vec<String> = Vec::new();
                for (summand, _) in &node.summands {
                    for (product, _) in self.summands[summand.0 as usize].polynomial.iter() {
                        for (atom, _) in product {
                            if self.node(*atom).atom.is_some() {
                                free.push(self.describe(*atom));
                            }
                        }
                    }
                }
                free.sort();
                free.dedup();
                free.truncate(6);
                format!("a sum of {} summands over {}", node.summands.len(), free.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words<const N: usize>(terms: &mut Terms, width: u8) -> [Term; N] {
        core::array::from_fn(|i| terms.free(width, "word", i, 0))
    }

    #[test]
    fn ways_to_write_ch_and_maj_are_one_term() {
        let mut terms = Terms::default();
        let t = &mut terms;
        let [e, f, g] = words(t, 32);
        let (ef, not_eg) = (t.and(e, f), t.and_not(e, g));
        let ch = t.xor(ef, not_eg);
        let by_sum = t.add(ef, not_eg);
        let fg = t.xor(f, g);
        let e_fg = t.and(e, fg);
        let by_xor = t.xor(e_fg, g);
        assert_eq!((ch, ch, ch), (by_sum, by_xor, t.ternary(e, f, g, 0xca)));
        let (eg, fg) = (t.and(e, g), t.and(f, g));
        let either = t.xor(ef, eg);
        let maj = t.xor(either, fg);
        let (e_or_f, same) = (t.or(e, f), t.and(e, f));
        let with_g = t.and(e_or_f, g);
        assert_eq!((maj, maj), (t.or(with_g, same), t.ternary(e, f, g, 0xe8)));
    }

    #[test]
    fn rotations_of_sums_by_shifts() {
        let mut terms = Terms::default();
        let t = &mut terms;
        for width in [32, 64] {
            let [a, b] = words(t, width);
            let sum = t.add(a, b);
            let (right, left) = (t.shift_right(sum, 7), t.shift_left(sum, u32::from(width) - 7));
            assert_eq!(t.rotate(sum, 7), t.or(right, left));
            let (right, left) = (t.shift_right(a, 7), t.shift_left(a, u32::from(width) - 7));
            assert_eq!(t.rotate(a, 7), t.xor(right, left));
        }
    }

    #[test]
    fn complements_of_sums() {
        let mut terms = Terms::default();
        let t = &mut terms;
        let [a, b] = words(t, 32);
        let sum = t.add(a, b);
        let not = t.not(sum);
        let (neither, minus_one) = (t.and(sum, not), t.constant(u64::MAX, 32));
        assert_eq!(t.value(neither), Some(0));
        assert_eq!(t.not(not), sum);
        assert_eq!(t.add(sum, not), minus_one);
    }

    #[test]
    fn bytes_and_halves() {
        let mut terms = Terms::default();
        let t = &mut terms;
        let [a, b] = words(t, 64);
        let sum = t.add(a, b);
        let (low, high) = (t.half(sum, 0), t.half(sum, 1));
        assert_eq!(t.join(low, high), sum);
        assert_eq!(t.join(high, low), t.rotate(sum, 32));
        // Bytes of each half in reverse, and the halves exchanged: all in reverse, and back.
        let swapped = crate::memory::reversed(t, sum);
        let halves = [crate::memory::reversed(t, high), crate::memory::reversed(t, low)];
        assert_eq!(t.join(halves[0], halves[1]), swapped);
        assert_eq!(crate::memory::reversed(t, swapped), sum);
    }

    #[test]
    fn different_words_differ() {
        let mut terms = Terms::default();
        let t = &mut terms;
        let [a, b] = words(t, 32);
        let (sum, xor, or) = (t.add(a, b), t.xor(a, b), t.or(a, b));
        assert!(sum != xor && xor != or && or != sum);
        assert_ne!(t.rotate(sum, 3), t.shift_right(sum, 3));
    }
}
