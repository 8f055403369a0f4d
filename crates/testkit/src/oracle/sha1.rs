//! SHA-1's functions (FIPS 180-4, section 4.1.1), constants (4.2.1, 5.3.1) and hash computation (6.1.2).

use std::sync::LazyLock;

/// K of rounds 0–19, 20–39, 40–59 and 60–79: ⌊2³⁰ · √n⌋ for n = 2, 3, 5, 10.
///
/// The standard gives only the numbers; the definition is that of MD4 (RFC 1320, section 3.4, names the first
/// two).
static K: LazyLock<[u32; 4]> = LazyLock::new(|| [2u64, 3, 5, 10].map(|n| (n << 60).isqrt() as u32));

/// H⁽⁰⁾: the hexadecimal digits counted up, down, and down every other, bytes in MD4's order.
pub(super) fn initial() -> [u32; 5] {
    [
        u32::from_le_bytes([0x01, 0x23, 0x45, 0x67]),
        u32::from_le_bytes([0x89, 0xab, 0xcd, 0xef]),
        u32::from_le_bytes([0xfe, 0xdc, 0xba, 0x98]),
        u32::from_le_bytes([0x76, 0x54, 0x32, 0x10]),
        u32::from_le_bytes([0xf0, 0xe1, 0xd2, 0xc3]),
    ]
}

fn ch(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (!x & z)
}

fn parity(x: u32, y: u32, z: u32) -> u32 {
    x ^ y ^ z
}

fn maj(x: u32, y: u32, z: u32) -> u32 {
    (x & y) ^ (x & z) ^ (y & z)
}

/// SHA-1 of whole blocks from `state` on, without padding (section 6.1.2).
///
/// # Panics
/// Panics if the length of `blocks` is not a multiple of 64.
pub fn sha1_compress(state: &mut [u32; 5], blocks: &[u8]) {
    let (blocks, rest) = blocks.as_chunks::<64>();
    assert!(rest.is_empty(), "{} bytes beyond whole blocks", rest.len());
    let k = &*K;
    for m in blocks {
        // 1. Prepare the message schedule.
        let mut w = [0; 80];
        for (word, bytes) in w.iter_mut().zip(m.as_chunks().0) {
            *word = u32::from_be_bytes(*bytes);
        }
        for t in 16..80 {
            w[t] = (w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16]).rotate_left(1);
        }

        // 2. Initialize the five working variables.
        let [mut a, mut b, mut c, mut d, mut e] = *state;

        // 3. For t = 0 to 79:
        for t in 0..80 {
            let f = match t {
                0..20 => ch(b, c, d),
                20..40 => parity(b, c, d),
                40..60 => maj(b, c, d),
                _ => parity(b, c, d),
            };
            let sum =
                a.rotate_left(5).wrapping_add(f).wrapping_add(e).wrapping_add(k[t / 20]).wrapping_add(w[t]);
            e = d;
            d = c;
            c = b.rotate_left(30);
            b = a;
            a = sum;
        }

        // 4. Compute the intermediate hash value.
        for (word, variable) in state.iter_mut().zip([a, b, c, d, e]) {
            *word = word.wrapping_add(variable);
        }
    }
}
