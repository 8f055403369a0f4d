//! Keccak-f\[1600\] (FIPS 202, section 3), the sponge (section 4) and SHA3-256 and SHAKE (section 6), a step
//! mapping after the other; offsets and round constants are computed from their definitions.

use std::array;
use std::sync::LazyLock;

/// A\[x, y\], 64 bits along z, as `a[x][y]`.
type Array = [[u64; 5]; 5];

/// "The rho offsets", section 3.2.2, algorithm 2, not reduced.
static OFFSETS: LazyLock<[[u32; 5]; 5]> = LazyLock::new(|| {
    let mut offsets = [[0; 5]; 5];
    let (mut x, mut y) = (1, 0);
    for t in 0..24 {
        offsets[x][y] = (t + 1) * (t + 2) / 2;
        (x, y) = (y, (2 * x + 3 * y) % 5);
    }
    offsets
});

/// Algorithm 6, steps 2 and 3, of each round.
static RC: LazyLock<[u64; 24]> = LazyLock::new(|| {
    array::from_fn(|round| (0..=6).map(|j| u64::from(rc(j + 7 * round)) << ((1 << j) - 1)).sum())
});

/// Algorithm 5: R\[0\] .. R\[8\] as bits.
fn rc(t: usize) -> bool {
    let mut r = [true, false, false, false, false, false, false, false].to_vec();
    for _ in 0..t % 255 {
        r.insert(0, false);
        for i in [0, 4, 5, 6] {
            r[i] ^= r[8];
        }
        r.truncate(8);
    }
    r[0]
}

fn theta(a: Array) -> Array {
    let c: [u64; 5] = array::from_fn(|x| a[x].iter().fold(0, |parity, lane| parity ^ lane));
    let d: [u64; 5] = array::from_fn(|x| c[(x + 4) % 5] ^ c[(x + 1) % 5].rotate_left(1));
    array::from_fn(|x| a[x].map(|lane| lane ^ d[x]))
}

fn rho(a: Array) -> Array {
    array::from_fn(|x| array::from_fn(|y| a[x][y].rotate_left(OFFSETS[x][y] % 64)))
}

fn pi(a: Array) -> Array {
    array::from_fn(|x| array::from_fn(|y| a[(x + 3 * y) % 5][x]))
}

fn chi(a: Array) -> Array {
    array::from_fn(|x| array::from_fn(|y| a[x][y] ^ (!a[(x + 1) % 5][y] & a[(x + 2) % 5][y])))
}

/// Keccak-f\[1600\] of the state whose lane \[x, y\] is `state[5 * y + x]` (section 3.1.2).
pub fn keccak_f(state: &mut [u64; 25]) {
    let mut a: Array = array::from_fn(|x| array::from_fn(|y| state[5 * y + x]));
    for constant in *RC {
        a = chi(pi(rho(theta(a))));
        a[0][0] ^= constant; // iota
    }
    *state = array::from_fn(|i| a[i % 5][i / 5]);
}

/// KECCAK\[8 · (200 - `rate`)\] of the message and the bits `suffix`, the first of the padding's among them,
/// as in section B.2: `n_bytes` of output.
pub fn keccak(rate: usize, suffix: u8, message: &[u8], n_bytes: usize) -> Vec<u8> {
    let mut padded = message.to_vec();
    padded.push(suffix);
    padded.resize(padded.len().next_multiple_of(rate), 0);
    *padded.last_mut().expect("a block") |= 0x80;
    let mut state = [0; 25];
    for block in padded.chunks(rate) {
        for (word, bytes) in state.iter_mut().zip(block.as_chunks().0) {
            *word ^= u64::from_le_bytes(*bytes);
        }
        keccak_f(&mut state);
    }
    let mut out = Vec::new();
    while out.len() < n_bytes {
        out.extend(state.iter().flat_map(|word| word.to_le_bytes()).take(rate));
        keccak_f(&mut state);
    }
    out.truncate(n_bytes);
    out
}

/// Section 6.1.
pub fn sha3_256(message: &[u8]) -> Vec<u8> {
    keccak(136, 0x06, message, 32)
}

/// Returns the tree of `j` leaves over it, as `spec/keccak.py` defines it.
pub fn sha3_256_tree(j: usize, message: &[u8]) -> Vec<u8> {
    let mut leaves = vec![Vec::new(); j];
    for (piece, bytes) in message.chunks(136).enumerate() {
        leaves[piece % j].extend_from_slice(bytes);
    }
    sha3_256(&leaves.iter().flat_map(|leaf| sha3_256(leaf)).collect::<Vec<u8>>())
}
