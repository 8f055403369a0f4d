//! The types, constants and message schedule of the compression function, FIPS 180-4 section 6.2.2.

/// The chaining value: eight words a..h.
pub type State = [u32; 8];

/// The compression function.
#[derive(Clone, Copy, Debug)]
pub struct Compression;

pub(super) const fn small_sigma0(x: u32) -> u32 {
    x.rotate_right(7) ^ x.rotate_right(18) ^ (x >> 3)
}
pub(super) const fn small_sigma1(x: u32) -> u32 {
    x.rotate_right(17) ^ x.rotate_right(19) ^ (x >> 10)
}

/// Step 3 for one t.
pub(super) fn round([a, b, c, d, e, f, g, h]: State, kw: u32) -> State {
    let big_sigma0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
    let big_sigma1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
    let (ch, maj) = ((e & f) ^ (!e & g), (a & b) ^ (a & c) ^ (b & c));
    let t1 = h.wrapping_add(big_sigma1).wrapping_add(ch).wrapping_add(kw);
    let t2 = big_sigma0.wrapping_add(maj);
    [t1.wrapping_add(t2), a, b, c, d.wrapping_add(t1), e, f, g]
}

/// FIPS 180-4 section 6.2.2, step 1, and K added.
pub(super) const fn schedule(block: &[u8; 64]) -> [u32; 64] {
    let words = block.as_chunks::<4>().0;
    let mut w = [0; 64];
    let mut t = 0;
    while t < 64 {
        w[t] = if t < 16 {
            u32::from_be_bytes(words[t])
        } else {
            let (sigma0, sigma1) = (small_sigma0(w[t - 15]), small_sigma1(w[t - 2]));
            sigma1.wrapping_add(w[t - 7]).wrapping_add(sigma0).wrapping_add(w[t - 16])
        };
        t += 1;
    }
    let mut kw = w;
    t = 0;
    while t < 64 {
        kw[t] = w[t].wrapping_add(K[t]);
        t += 1;
    }
    kw
}

/// H(0) of SHA-256, section 5.3.3: the first 32 bits of the fractional parts of the square roots of the
/// first eight primes.
pub const H0: State =
    [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
/// H(0) of SHA-224, section 5.3.2: the second 32 bits of the fractional parts of the square roots of the
/// ninth to sixteenth primes.
pub const H0_224: State =
    [0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4];
/// K, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
#[rustfmt::skip]
pub(crate) const K: [u32; 64] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];
