//! SHA-256's functions (FIPS 180-4, section 4.1.2), constants (4.2.2, 5.3.2, 5.3.3) and hash computation
//! (6.2.2); SHA-224 differs by its initial hash value alone.

use super::roots::{cube_root_fraction, square_root_fraction};
use std::array;
use std::sync::LazyLock;

/// K: "the first thirty-two bits of the fractional parts of the cube roots of the first sixty-four prime
/// numbers".
static K: LazyLock<[u32; 64]> = LazyLock::new(|| array::from_fn(|t| (cube_root_fraction(t) >> 32) as u32));

/// "The first thirty-two bits of the fractional parts of the square roots of the first eight prime numbers."
static H_256: LazyLock<[u32; 8]> =
    LazyLock::new(|| array::from_fn(|i| (square_root_fraction(i) >> 32) as u32));

/// The second thirty-two bits of the fractional parts of the square roots of the ninth through sixteenth
/// primes. (The standard gives only the numbers.)
static H_224: LazyLock<[u32; 8]> = LazyLock::new(|| array::from_fn(|i| square_root_fraction(8 + i) as u32));

/// H⁽⁰⁾ of SHA-224.
pub(super) fn initial_224() -> [u32; 8] {
    *H_224
}

/// H⁽⁰⁾ of SHA-256.
pub(super) fn initial_256() -> [u32; 8] {
    *H_256
}

fn ch(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (!x & z)
}

fn maj(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (x & z) ^ (y & z)
}

fn big_sigma0(x: u32) -> u32 {
    x.rotate_right(2) ^ x.rotate_right(13) ^ x.rotate_right(22)
}

fn big_sigma1(x: u32) -> u32 {
    x.rotate_right(6) ^ x.rotate_right(11) ^ x.rotate_right(25)
}

fn small_sigma0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}

fn small_sigma1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// SHA-256 (and SHA-224) of whole blocks from `state` on, without padding (section 6.2.2).
///
/// # Panics
/// Panics if the length of `blocks` is not a multiple of 64.
pub fn sha256_compress(state: &mut [u32; 8], blocks: &[u8]) {
    let (blocks, rest) = blocks.as_chunks::<64>();
    assert!(rest.is_empty(), "{} bytes beyond whole blocks", rest.len());
    let k = &*K;
    for m in blocks {
        // 1. Prepare the message schedule.
        let mut w = [0u32; 64];
        for (word, bytes) in w.iter_mut().zip(m.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..64 {
            w[t] = small_sigma1(w[t - 2])
                .wrapping_add(w[t - 7])
                .wrapping_add(small_sigma0(w[t - 15]))
                .wrapping_add(w[t - 16]);
        }

        // 2. Initialize the eight working variables.
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

        // 3. For t = 0 to 63:
        for t in 0..64 {
            let t1 =
                h.wrapping_add(big_sigma1(e)).wrapping_add(ch(e, f, g)).wrapping_add(k[t]).wrapping_add(w[t]);
            let t2 = big_sigma0(a).wrapping_add(maj(a, b, c));
            h = g;
            g = f;
            f = e;
            e = d.wrapping_add(t1);
            d = c;
            c = b;
            b = a;
            a = t1.wrapping_add(t2);
        }

        // 4. Compute the intermediate hash value.
        for (word, variable) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
            *word = word.wrapping_add(variable);
        }
    }
}
