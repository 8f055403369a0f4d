//! SHA-512's functions (FIPS 180-4, section 4.1.3), constants (4.2.3, 5.3.4, 5.3.5) and hash computation
//! (6.4.2). SHA-384 and SHA-512/t differ by their initial hash values alone; those of SHA-512/t are
//! themselves made by SHA-512 (5.3.6).

use super::padding::pad;
use super::roots::{cube_root_fraction, square_root_fraction};
use std::array;
use std::sync::LazyLock;

/// K: "the first sixty-four bits of the fractional parts of the cube roots of the first eighty prime
/// numbers".
static K: LazyLock<[u64; 80]> = LazyLock::new(|| array::from_fn(cube_root_fraction));

/// "The first sixty-four bits of the fractional parts of the square roots of the first eight prime numbers."
static H_512: LazyLock<[u64; 8]> = LazyLock::new(|| array::from_fn(square_root_fraction));

/// "The first sixty-four bits of the fractional parts of the square roots of the ninth through sixteenth
/// prime numbers."
static H_384: LazyLock<[u64; 8]> = LazyLock::new(|| array::from_fn(|i| square_root_fraction(8 + i)));

static H_512_224: LazyLock<[u64; 8]> = LazyLock::new(|| generate_512_t(224));
static H_512_256: LazyLock<[u64; 8]> = LazyLock::new(|| generate_512_t(256));

/// H⁽⁰⁾ of SHA-384.
pub(super) fn initial_384() -> [u64; 8] {
    *H_384
}

/// H⁽⁰⁾ of SHA-512.
pub(super) fn initial_512() -> [u64; 8] {
    *H_512
}

/// H⁽⁰⁾ of SHA-512/224.
pub(super) fn initial_512_224() -> [u64; 8] {
    *H_512_224
}

/// H⁽⁰⁾ of SHA-512/256.
pub(super) fn initial_512_256() -> [u64; 8] {
    *H_512_256
}

/// Returns the SHA-512/t IV generation function (section 5.3.6): the digest of "SHA-512/t", `t` in decimal,
/// by SHA-512 with H⁽⁰⁾″ = H⁽⁰⁾ ⊕ a5a5a5a5a5a5a5a5 for its initial hash value.
fn generate_512_t(t: u32) -> [u64; 8] {
    let mut state = initial_512().map(|word| word ^ 0xa5a5_a5a5_a5a5_a5a5);
    let name = format!("SHA-512/{t}");
    sha512_compress(&mut state, pad(&mut [0; 256], 128, 0, name.as_bytes()));
    state
}

fn ch(x: u64, y: u64, z: u64) -> u64 {
    (x & y) ^ (!x & z)
}

fn maj(x: u64, y: u64, z: u64) -> u64 {
    (x & y) ^ (x & z) ^ (y & z)
}

fn big_sigma0(x: u64) -> u64 {
    x.rotate_right(28) ^ x.rotate_right(34) ^ x.rotate_right(39)
}

fn big_sigma1(x: u64) -> u64 {
    x.rotate_right(14) ^ x.rotate_right(18) ^ x.rotate_right(41)
}

fn small_sigma0(x: u64) -> u64 {
    x.rotate_right(1) ^ x.rotate_right(8) ^ (x >> 7)
}

fn small_sigma1(x: u64) -> u64 {
    x.rotate_right(19) ^ x.rotate_right(61) ^ (x >> 6)
}

/// SHA-512 (and SHA-384, SHA-512/t) of whole blocks from `state` on, without padding (section 6.4.2).
///
/// # Panics
/// Panics if the length of `blocks` is not a multiple of 128.
pub fn sha512_compress(state: &mut [u64; 8], blocks: &[u8]) {
    let (blocks, rest) = blocks.as_chunks::<128>();
    assert!(rest.is_empty(), "{} bytes beyond whole blocks", rest.len());
    let k = &*K;
    for m in blocks {
        // 1. Prepare the message schedule.
        let mut w = [0u64; 80];
        for (word, bytes) in w.iter_mut().zip(m.as_chunks().0) {
            *word = u64::from_be_bytes(*bytes);
        }
        for t in 16..80 {
            w[t] = small_sigma1(w[t - 2])
                .wrapping_add(w[t - 7])
                .wrapping_add(small_sigma0(w[t - 15]))
                .wrapping_add(w[t - 16]);
        }

        // 2. Initialize the eight working variables.
        let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;

        // 3. For t = 0 to 79:
        for t in 0..80 {
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
