//! Bitwise polynomials: an exclusive or of products of rotated atoms, each under a mask.

use smallvec::SmallVec;

/// A word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(pub(super) u32);

/// The ones of `width` bits.
pub const fn ones(width: u8) -> u64 {
    u64::MAX >> (64 - width)
}

/// A product of atoms, each rotated to the right by a number of bits; sorted, without duplicates. The empty
/// product is all ones.
pub(super) type Product = SmallVec<[(Term, u8); 3]>;

/// An exclusive or of products under masks; sorted, no mask is zero.
pub(super) type Polynomial = Vec<(Product, u64)>;

fn rotated(x: u64, n: u8, width: u8) -> u64 {
    if n.is_multiple_of(width) {
        return x;
    }
    ((x >> n) | (x << (width - n))) & ones(width)
}

pub(super) fn xor_of(a: &Polynomial, b: &Polynomial) -> Polynomial {
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

pub(super) fn and_of(a: &Polynomial, b: &Polynomial) -> Polynomial {
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
pub(super) fn combined(mut all: Polynomial) -> Polynomial {
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

pub(super) fn masked(a: Polynomial, mask: u64) -> Polynomial {
    a.into_iter().map(|(product, m)| (product, m & mask)).filter(|(_, m)| *m != 0).collect()
}

pub(super) fn rotation_of(a: &Polynomial, n: u8, width: u8) -> Polynomial {
    let all = a.iter().map(|(product, mask)| {
        let mut product: Product = product.iter().map(|&(atom, r)| (atom, (r + n) % width)).collect();
        product.sort_unstable();
        (product, rotated(*mask, n, width))
    });
    combined(all.collect())
}

pub(super) fn all_ones(width: u8) -> Polynomial {
    vec![(Product::new(), ones(width))]
}
