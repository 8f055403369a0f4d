//! AES (FIPS 197), CBC and CTR (NIST SP 800-38A) straight from the standards: bytes, one after another, the
//! S-box computed.

use std::sync::LazyLock;

/// A block, byte r + 4 · c being the state's row r, column c (FIPS 197, section 3.4).
type Block = [u8; 16];

/// Multiplication in GF(2^8), section 4.2.
fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b != 0 {
        if b & 1 == 1 {
            product ^= a;
        }
        a = a << 1 ^ if a & 0x80 != 0 { 0x1b } else { 0 };
        b >>= 1;
    }
    product
}

/// SBOX, section 5.1.1: the inverse (a^254, as a^255 is 1; 0 of 0), then an affine map of its bits.
fn s_box(a: u8) -> u8 {
    let inverse = (0..254).fold(1, |power, _| times(power, a));
    let turned = |n| inverse.rotate_left(n);
    inverse ^ turned(1) ^ turned(2) ^ turned(3) ^ turned(4) ^ 0x63
}

/// The table of them, computed once.
static S_BOX: LazyLock<[u8; 256]> = LazyLock::new(|| std::array::from_fn(|a| s_box(a as u8)));

/// AES with a key of 16, 24 or 32 bytes.
#[derive(Clone, Debug)]
pub struct Aes {
    s_box: [u8; 256],
    inverse_s_box: [u8; 256],
    round_keys: Vec<Block>,
}

impl Aes {
    /// KEYEXPANSION, section 5.2, Algorithm 2.
    pub fn new(key: &[u8]) -> Aes {
        let s_box = *S_BOX;
        let mut inverse_s_box = [0; 256];
        for a in 0..=255 {
            inverse_s_box[usize::from(s_box[usize::from(a)])] = a;
        }
        let nk = key.len() / 4;
        assert!([4, 6, 8].contains(&nk) && key.len().is_multiple_of(4), "a key of {} bytes", key.len());
        // In one place, which is overwritten, because tests search for copies of round keys.
        let mut w: Vec<[u8; 4]> = Vec::with_capacity(60);
        w.extend_from_slice(key.as_chunks().0);
        let mut rcon = 1;
        for i in nk..4 * (nk + 7) {
            let mut temp = w[i - 1];
            if i % nk == 0 {
                temp.rotate_left(1);
            }
            if i % nk == 0 || (nk > 6 && i % nk == 4) {
                temp = temp.map(|byte| s_box[usize::from(byte)]);
            }
            if i % nk == 0 {
                temp[0] ^= rcon;
                rcon = times(rcon, 2);
            }
            w.push(std::array::from_fn(|b| w[i - nk][b] ^ temp[b]));
        }
        let round_keys = w.as_flattened().as_chunks().0.to_vec();
        w.fill([0; 4]);
        std::hint::black_box(&w);
        Aes { s_box, inverse_s_box, round_keys }
    }

    /// Returns the round keys, first to last.
    pub fn round_keys(&self) -> &[Block] {
        &self.round_keys
    }

    /// Overwrites the round keys, for tests that search for copies.
    pub fn forget(&mut self) {
        self.round_keys.fill([0; 16]);
        std::hint::black_box(&self.round_keys);
    }

    /// CIPHER, section 5.1, Algorithm 1.
    pub fn encrypt(&self, block: &Block) -> Block {
        let last = self.round_keys.len() - 1;
        let mut state = xor(block, &self.round_keys[0]);
        for round in 1..=last {
            let substituted = state.map(|byte| self.s_box[usize::from(byte)]);
            // SHIFTROWS: row r goes r columns to the left.
            state = std::array::from_fn(|i| substituted[(i + 4 * (i % 4)) % 16]);
            if round < last {
                state = mix_columns(&state, [2, 3, 1, 1]);
            }
            state = xor(&state, &self.round_keys[round]);
        }
        state
    }

    /// INVCIPHER, section 5.3, Algorithm 3.
    pub fn decrypt(&self, block: &Block) -> Block {
        let last = self.round_keys.len() - 1;
        let mut state = xor(block, &self.round_keys[last]);
        for round in (0..last).rev() {
            let shifted: Block = std::array::from_fn(|i| state[(i + 12 * (i % 4)) % 16]);
            state = xor(&shifted.map(|byte| self.inverse_s_box[usize::from(byte)]), &self.round_keys[round]);
            if round > 0 {
                state = mix_columns(&state, [14, 11, 13, 9]);
            }
        }
        state
    }

    /// CBC of whole blocks, SP 800-38A section 6.2.
    pub fn cbc_encrypt(&self, iv: &Block, message: &[u8]) -> Vec<u8> {
        let mut chain = *iv;
        let blocks = message.as_chunks().0.iter();
        let ciphertext: Vec<Block> = blocks
            .map(|block| {
                chain = self.encrypt(&xor(block, &chain));
                chain
            })
            .collect();
        ciphertext.concat()
    }

    /// Decrypts CBC of whole blocks.
    pub fn cbc_decrypt(&self, iv: &Block, ciphertext: &[u8]) -> Vec<u8> {
        let blocks: &[Block] = ciphertext.as_chunks().0;
        let chain = std::iter::once(iv).chain(blocks);
        blocks.iter().zip(chain).flat_map(|(block, before)| xor(&self.decrypt(block), before)).collect()
    }

    /// CTR, section 6.5: `first` is the first counter block, whose last `bits` bits count (appendix B.1).
    pub fn ctr(&self, first: &Block, bits: u32, message: &[u8]) -> Vec<u8> {
        let first = u128::from_be_bytes(*first);
        let mask = if bits == 128 { u128::MAX } else { (1 << bits) - 1 };
        let keystream = (0u128..).flat_map(|i| {
            let counter = (first & !mask) | (first.wrapping_add(i) & mask);
            self.encrypt(&counter.to_be_bytes())
        });
        message.iter().zip(keystream).map(|(byte, key)| byte ^ key).collect()
    }
}

fn xor(a: &Block, b: &Block) -> Block {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// MIXCOLUMNS, section 5.1.3, and INVMIXCOLUMNS, section 5.3.3: each column times a circulant matrix, whose
/// first row is given.
fn mix_columns(state: &Block, row: [u8; 4]) -> Block {
    std::array::from_fn(|i| {
        let (column, r) = (&state[i / 4 * 4..][..4], i % 4);
        (0..4).fold(0, |sum, k| sum ^ times(column[k], row[(k + 4 - r) % 4]))
    })
}
