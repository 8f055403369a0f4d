//! AEGIS from RFC 10032, block by block, and AEGIS-128 from version 1.1 of its authors' paper; the round of
//! AES from FIPS 197, its tables computed from their definitions.

use std::array;
use std::sync::LazyLock;

type Block = [u8; 16];

/// A cipher: blocks of a state, instances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Aegis {
    /// The name in files of vectors: `aegis-128l`.
    pub name: &'static str,
    blocks: usize,
    degree: usize,
}

/// All of them.
pub const AEGIS: [Aegis; 7] = [
    Aegis { name: "aegis-128", blocks: 5, degree: 1 },
    Aegis { name: "aegis-128l", blocks: 8, degree: 1 },
    Aegis { name: "aegis-128x2", blocks: 8, degree: 2 },
    Aegis { name: "aegis-128x4", blocks: 8, degree: 4 },
    Aegis { name: "aegis-256", blocks: 6, degree: 1 },
    Aegis { name: "aegis-256x2", blocks: 6, degree: 2 },
    Aegis { name: "aegis-256x4", blocks: 6, degree: 4 },
];

/// Returns the product in GF(2^8), FIPS 197, section 4.2.
fn times(mut a: u8, mut b: u8) -> u8 {
    let mut product = 0;
    while b > 0 {
        product ^= if b & 1 == 1 { a } else { 0 };
        a = a << 1 ^ if a >> 7 == 1 { 0x1b } else { 0 };
        b >>= 1;
    }
    product
}

/// SBOX, section 5.1.1.
static S_BOX: LazyLock<[u8; 256]> = LazyLock::new(|| {
    array::from_fn(|a| {
        let inverse = (0..=255).find(|&b| times(a as u8, b) == 1).unwrap_or(0);
        (0..5).fold(0x63, |sum, n| sum ^ inverse.rotate_left(n))
    })
});

/// AESRound: SubBytes, ShiftRows, MixColumns, AddRoundKey.
fn aes_round(input: Block, key: Block) -> Block {
    let s: Block = array::from_fn(|i| S_BOX[usize::from(input[5 * i % 16])]);
    array::from_fn(|i| {
        let (column, row) = (i / 4 * 4, i % 4);
        let at = |n: usize| s[column + (row + n) % 4];
        let double = |x: u8| x << 1 ^ (0x1b & 0u8.wrapping_sub(x >> 7));
        double(at(0)) ^ double(at(1)) ^ at(1) ^ at(2) ^ at(3) ^ key[i]
    })
}

fn xor(a: Block, b: Block) -> Block {
    array::from_fn(|i| a[i] ^ b[i])
}

fn and(a: Block, b: Block) -> Block {
    array::from_fn(|i| a[i] & b[i])
}

fn lengths(a: u64, b: u64) -> Block {
    (u128::from(b) << 64 | u128::from(a)).to_le_bytes()
}

/// Returns the constants: Fibonacci's numbers modulo 256.
fn constants() -> [Block; 2] {
    let (mut a, mut b) = (0u8, 1u8);
    array::from_fn(|_| {
        array::from_fn(|_| {
            let this = a;
            (a, b) = (b, a.wrapping_add(b));
            this
        })
    })
}

/// An instance of a state.
type State = Vec<Block>;

fn update(s: &mut State, m: &[Block]) {
    let (old, n) = (s.clone(), s.len());
    for i in 0..n {
        let key = match (i, m) {
            (0, [first, ..]) => xor(old[0], *first),
            (4, [_, second]) => xor(old[4], *second),
            _ => old[i],
        };
        s[i] = aes_round(old[(i + n - 1) % n], key);
    }
}

fn keystream(s: &State) -> Vec<Block> {
    match s.len() {
        5 => vec![xor(xor(s[1], s[4]), and(s[2], s[3]))],
        6 => vec![xor(xor(s[1], s[4]), xor(s[5], and(s[2], s[3])))],
        _ => vec![xor(xor(s[1], s[6]), and(s[2], s[3])), xor(xor(s[2], s[5]), and(s[6], s[7]))],
    }
}

fn blocks(bytes: &[u8]) -> Vec<Block> {
    bytes.chunks(16).map(|block| array::from_fn(|i| block.get(i).copied().unwrap_or(0))).collect()
}

fn sum(blocks: &[Block]) -> Block {
    blocks.iter().copied().fold([0; 16], xor)
}

impl Aegis {
    /// Returns the cipher of that name.
    pub fn by_name(name: &str) -> Option<Aegis> {
        AEGIS.into_iter().find(|cipher| cipher.name == name)
    }

    fn parts(self) -> usize {
        if self.blocks == 8 { 2 } else { 1 }
    }

    fn rate(self) -> usize {
        16 * self.parts() * self.degree
    }

    fn init(self, key: &[u8], nonce: &[u8]) -> Vec<State> {
        let [c0, c1] = constants();
        let (k, n) = (blocks(key), blocks(nonce));
        let kn: Vec<Block> = k.iter().zip(&n).map(|(k, n)| xor(*k, *n)).collect();
        let (state, inputs, contexts) = match self.blocks {
            5 => {
                let s = vec![kn[0], c1, c0, xor(k[0], c0), xor(k[0], c1)];
                (s, vec![[vec![k[0]], vec![kn[0]]]; 5].concat(), [0, 0])
            }
            6 => {
                let s = vec![kn[0], kn[1], c1, c0, xor(k[0], c0), xor(k[1], c1)];
                (s, vec![[vec![k[0]], vec![k[1]], vec![kn[0]], vec![kn[1]]]; 4].concat(), [3, 5])
            }
            _ => {
                let s = vec![kn[0], c1, c0, c1, kn[0], xor(k[0], c0), xor(k[0], c1), xor(k[0], c0)];
                (s, vec![vec![n[0], k[0]]; 10], [3, 7])
            }
        };
        let mut instances = vec![state; self.degree];
        for (i, s) in instances.iter_mut().enumerate() {
            for m in &inputs {
                for row in contexts.into_iter().filter(|_| self.degree > 1) {
                    s[row][0] ^= i as u8;
                    s[row][1] ^= self.degree as u8 - 1;
                }
                update(s, m);
            }
        }
        instances
    }

    /// Returns the parts of instance `i` of a rate's blocks.
    fn of_instance(self, rate: &[Block], i: usize) -> Vec<Block> {
        (0..self.parts()).map(|p| rate[p * self.degree + i]).collect()
    }

    fn absorb(self, instances: &mut [State], bytes: &[u8]) {
        for rate in bytes.chunks(self.rate()) {
            let mut rate = blocks(rate);
            rate.resize(self.rate() / 16, [0; 16]);
            for (i, s) in instances.iter_mut().enumerate() {
                update(s, &self.of_instance(&rate, i));
            }
        }
    }

    fn mix(self, instances: &mut [State], u: Block) {
        for s in instances {
            let t = xor(s[if self.blocks == 8 { 2 } else { 3 }], u);
            for _ in 0..7 {
                update(s, &vec![t; self.parts()]);
            }
        }
    }

    fn tag(self, s: &State, tag_bytes: usize) -> Vec<u8> {
        let half = self.blocks / 2;
        match tag_bytes {
            16 => sum(&s[..self.blocks.min(7)]).to_vec(),
            _ => [sum(&s[..half]), sum(&s[half..])].concat(),
        }
    }

    /// Returns the ciphertext and its tag of 16 or 32 bytes.
    pub fn encrypt(
        self,
        key: &[u8],
        nonce: &[u8],
        ad: &[u8],
        message: &[u8],
        tag_bytes: usize,
    ) -> (Vec<u8>, Vec<u8>) {
        let mut instances = self.init(key, nonce);
        self.absorb(&mut instances, ad);
        let mut ciphertext = Vec::with_capacity(message.len());
        for rate in message.chunks(self.rate()) {
            let mut key_blocks = vec![[0; 16]; self.rate() / 16];
            for (i, s) in instances.iter().enumerate() {
                for (p, z) in keystream(s).into_iter().enumerate() {
                    key_blocks[p * self.degree + i] = z;
                }
            }
            ciphertext.extend(rate.iter().zip(key_blocks.as_flattened()).map(|(x, z)| x ^ z));
            self.absorb(&mut instances, rate);
        }
        self.mix(&mut instances, lengths(8 * ad.len() as u64, 8 * message.len() as u64));
        let mut tag = vec![0; tag_bytes];
        for s in &instances {
            tag.iter_mut().zip(self.tag(s, tag_bytes)).for_each(|(byte, other)| *byte ^= other);
        }
        (ciphertext, tag)
    }

    /// Returns the code of 16 or 32 bytes.
    pub fn mac(self, key: &[u8], nonce: &[u8], data: &[u8], tag_bytes: usize) -> Vec<u8> {
        let mut instances = self.init(key, nonce);
        self.absorb(&mut instances, data);
        self.mix(&mut instances, lengths(8 * data.len() as u64, 8 * tag_bytes as u64));
        if self.degree > 1 {
            let skipped = usize::from(!(self.blocks == 8 && tag_bytes == 16));
            let tags: Vec<u8> = instances[skipped..].iter().flat_map(|s| self.tag(s, tag_bytes)).collect();
            instances.truncate(1);
            for m in blocks(&tags).chunks(self.parts()) {
                update(&mut instances[0], m);
            }
            self.mix(&mut instances, lengths(self.degree as u64, 8 * tag_bytes as u64));
        }
        self.tag(&instances[0], tag_bytes)
    }
}
