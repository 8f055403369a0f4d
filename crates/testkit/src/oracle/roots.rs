//! The constants of SHA-2: "the first sixty-four bits of the fractional parts of the cube roots of the first
//! eighty prime numbers" (FIPS 180-4, section 4.2.3), and the square roots of section 5.3.
//!
//! The 64 bits are the low 64 bits of ⌊p^(1/n) · 2⁶⁴⌋, the largest integer x with xⁿ ≤ p · 2⁶⁴ⁿ; x is found
//! bit by bit. The 32-bit constants are halves of these.

/// An integer below 2²⁵⁶, in limbs of 32 bits, least significant first.
type Wide = [u32; 8];

/// Bits of x: the roots of 409, the largest prime asked for, are below 2⁵.
const ROOT_BITS: usize = 5 + 64;

/// Returns the first 64 bits of the fractional part of the square root of the `n`th prime, the 0th being 2.
pub(super) fn square_root_fraction(n: usize) -> u64 {
    root_fraction(2, prime(n))
}

/// Returns the first 64 bits of the fractional part of the cube root of the `n`th prime, the 0th being 2.
pub(super) fn cube_root_fraction(n: usize) -> u64 {
    root_fraction(3, prime(n))
}

fn prime(n: usize) -> u32 {
    let mut primes = (2..).filter(|&p| (2..p).all(|d| p % d != 0));
    primes.nth(n).expect("infinitely many primes")
}

fn root_fraction(degree: usize, p: u32) -> u64 {
    let mut target = Wide::default();
    target[2 * degree] = p; // p · 2^(64 · degree)
    let mut x = Wide::default();
    for bit in (0..ROOT_BITS).rev() {
        let mut larger = x;
        larger[bit / 32] |= 1 << (bit % 32);
        let power = (1..degree).fold(larger, |power, _| product(power, larger));
        if power.iter().rev().le(target.iter().rev()) {
            x = larger;
        }
    }
    u64::from(x[1]) << 32 | u64::from(x[0])
}

/// a · b, which must be below 2²⁵⁶ (here: (2⁶⁹)³ = 2²⁰⁷).
fn product(a: Wide, b: Wide) -> Wide {
    let mut product = Wide::default();
    for i in 0..8 {
        let mut carry = 0;
        for j in 0..8 - i {
            let sum = u64::from(a[i]) * u64::from(b[j]) + u64::from(product[i + j]) + carry;
            product[i + j] = sum as u32;
            carry = sum >> 32;
        }
    }
    product
}
