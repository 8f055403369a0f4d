//! The types, constants and message schedule of the compression function, FIPS 180-4 section 6.1.2.

/// The chaining value: five words a..e.
pub type State = [u32; 5];

/// The compression function.
#[derive(Clone, Copy, Debug)]
pub struct Compression;

/// FIPS 180-4 section 6.1.2, step 1, and K added.
pub(super) const fn schedule(block: &[u8; 64]) -> [u32; 80] {
    let words = block.as_chunks::<4>().0;
    let mut w = [0; 80];
    let mut t = 0;
    while t < 80 {
        w[t] = if t < 16 {
            u32::from_be_bytes(words[t])
        } else {
            (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1)
        };
        t += 1;
    }
    let mut kw = w;
    t = 0;
    while t < 80 {
        kw[t] = w[t].wrapping_add(K[t / 20]);
        t += 1;
    }
    kw
}

/// H(0), section 5.3.1: the bytes 01 23 45 67 89 ab cd ef and back, little-endian, and f0 e1 d2 c3.
pub const H0: State = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
/// K, section 4.2.1, for twenty rounds each: 2^30 times the square roots of 2, 3, 5 and 10.
pub(super) const K: [u32; 4] = [0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6];
