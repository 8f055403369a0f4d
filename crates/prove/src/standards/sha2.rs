//! SHA-256 and SHA-512: FIPS 180-4, sections 4.1.2, 4.1.3, 4.2.2, 4.2.3, 6.2 and 6.4.

use crate::terms::{Term, Terms};

/// The parameters of SHA-256 or SHA-512.
pub struct Parameters {
    /// Bits of a word.
    pub width: u8,
    /// Rounds of a block.
    pub n_rounds: usize,
    /// Rotations of Σ0 and of Σ1.
    sigmas: [[u32; 3]; 2],
    /// Two rotations and a shift of σ0 and of σ1.
    small_sigmas: [[u32; 3]; 2],
}

/// SHA-256's.
pub const SHA256: Parameters = Parameters {
    width: 32,
    n_rounds: 64,
    sigmas: [[2, 13, 22], [6, 11, 25]],
    small_sigmas: [[7, 18, 3], [17, 19, 10]],
};

/// SHA-512's.
pub const SHA512: Parameters = Parameters {
    width: 64,
    n_rounds: 80,
    sigmas: [[28, 34, 39], [14, 18, 41]],
    small_sigmas: [[1, 8, 7], [19, 61, 6]],
};

fn sigma(terms: &mut Terms, x: Term, [a, b, c]: [u32; 3]) -> Term {
    let (a, b, c) = (terms.rotate(x, a), terms.rotate(x, b), terms.rotate(x, c));
    let ab = terms.xor(a, b);
    terms.xor(ab, c)
}

fn small_sigma(terms: &mut Terms, x: Term, [a, b, c]: [u32; 3]) -> Term {
    let (a, b, c) = (terms.rotate(x, a), terms.rotate(x, b), terms.shift_right(x, c));
    let ab = terms.xor(a, b);
    terms.xor(ab, c)
}

/// σ0.
pub fn small_sigma0(terms: &mut Terms, hash: &Parameters, x: Term) -> Term {
    small_sigma(terms, x, hash.small_sigmas[0])
}

/// σ1.
pub fn small_sigma1(terms: &mut Terms, hash: &Parameters, x: Term) -> Term {
    small_sigma(terms, x, hash.small_sigmas[1])
}

/// Section 6.2.2 (6.4.2), step 3: one round over K + W.
pub fn round(terms: &mut Terms, hash: &Parameters, state: &mut Vec<Term>, kw: Term) {
    let [a, b, c, d, e, f, g, h] = state[..] else { unreachable!("eight words") };
    let (x, y) = (terms.and(e, f), terms.and_not(e, g));
    let ch = terms.xor(x, y);
    let sigma1 = sigma(terms, e, hash.sigmas[1]);
    let t1 = terms.sum(&[h, sigma1, ch, kw]);
    let (x, y, z) = (terms.and(a, b), terms.and(a, c), terms.and(b, c));
    let xy = terms.xor(x, y);
    let maj = terms.xor(xy, z);
    let sigma0 = sigma(terms, a, hash.sigmas[0]);
    *state = vec![terms.sum(&[t1, sigma0, maj]), a, b, c, terms.add(d, t1), e, f, g];
}

/// Step 1: the words of the schedule. Those from which later words are computed have names.
pub fn schedule(terms: &mut Terms, hash: &Parameters, block: &[Term]) -> Vec<Term> {
    let mut w = block.to_vec();
    for t in 16..hash.n_rounds {
        let (s1, s0) = (small_sigma1(terms, hash, w[t - 2]), small_sigma0(terms, hash, w[t - 15]));
        let word = terms.sum(&[s1, w[t - 7], s0, w[t - 16]]);
        // A kernel may add K to parts of the last words.
        w.push(if t + 16 < hash.n_rounds { terms.name_sum(word) } else { word });
    }
    w
}

/// Sections 4.2.2 and 4.2.3: the first bits of the fractional parts of the cube roots of the first primes.
pub fn constants(hash: &Parameters) -> Vec<u64> {
    let is_prime = |n: &u64| (2..*n).take_while(|d| d * d <= *n).all(|d| !n.is_multiple_of(d));
    let primes = (2u64..).filter(is_prime).take(hash.n_rounds);
    primes.map(|prime| cube_root_fraction(prime) >> (64 - hash.width)).collect()
}

/// The first 64 bits of the fractional part of the cube root.
fn cube_root_fraction(n: u64) -> u64 {
    // The largest r, of 67 bits, with r³ ≤ n · 2^192, bit by bit; r³ has at most 201 bits, in four words.
    let mut r: u128 = 0;
    for bit in (0..67).rev() {
        let candidate = r | 1 << bit;
        if at_most(cube(candidate), [0, 0, 0, n]) {
            r = candidate;
        }
    }
    r as u64
}

/// r³, r below 2^67, in words of 64 bits, the lowest first.
fn cube(r: u128) -> [u64; 4] {
    multiplied(multiplied([r as u64, (r >> 64) as u64, 0, 0], r), r)
}

fn multiplied(a: [u64; 4], r: u128) -> [u64; 4] {
    let mut product = [0u64; 4];
    for (i, factor) in [r as u64, (r >> 64) as u64].into_iter().enumerate() {
        let mut carry = 0u128;
        for j in 0..4 - i {
            carry += u128::from(a[j]) * u128::from(factor) + u128::from(product[i + j]);
            product[i + j] = carry as u64;
            carry >>= 64;
        }
    }
    product
}

fn at_most(a: [u64; 4], b: [u64; 4]) -> bool {
    a.iter().rev().le(b.iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_that_the_standard_prints() {
        let (short, long) = (constants(&SHA256), constants(&SHA512));
        assert_eq!((short[0], short[63]), (0x428a2f98, 0xc67178f2));
        assert_eq!((long[0], long[79]), (0x428a2f98d728ae22, 0x6c44198c4a475817));
    }
}
