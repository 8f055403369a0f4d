//! AEGIS: RFC 10032, in its order and with its names; AEGIS-128 after its authors' paper, version 1.1.
//!
//! A state is a list of rows. A row holds the same block of all instances, which are what section 5 calls the
//! parallel modes' states; one instance is AEGIS-128L or AEGIS-256 itself (section 5.6).

use super::aes::{self, Block, ROUND, Rounds};
use crate::terms::Terms;

/// A block of each instance.
pub type Row = Vec<Block>;

/// A cipher of the family.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cipher {
    /// The name in verbs.
    pub name: &'static str,
    /// Blocks of a state.
    pub n_rows: usize,
    /// Blocks of the message that an update takes in, of each instance.
    pub n_parts: usize,
    /// Blocks of a key and of a nonce.
    pub key_blocks: usize,
    /// Instances.
    pub degree: usize,
}

/// All of them.
pub const CIPHERS: [Cipher; 7] = [
    Cipher { name: "aegis128", n_rows: 5, n_parts: 1, key_blocks: 1, degree: 1 },
    Cipher { name: "aegis128l", n_rows: 8, n_parts: 2, key_blocks: 1, degree: 1 },
    Cipher { name: "aegis128x2", n_rows: 8, n_parts: 2, key_blocks: 1, degree: 2 },
    Cipher { name: "aegis128x4", n_rows: 8, n_parts: 2, key_blocks: 1, degree: 4 },
    Cipher { name: "aegis256", n_rows: 6, n_parts: 1, key_blocks: 2, degree: 1 },
    Cipher { name: "aegis256x2", n_rows: 6, n_parts: 1, key_blocks: 2, degree: 2 },
    Cipher { name: "aegis256x4", n_rows: 6, n_parts: 1, key_blocks: 2, degree: 4 },
];

/// Section 2: the Fibonacci sequence modulo 256; block 0 or 1 of it.
fn constant(terms: &mut Terms, which: usize) -> Block {
    let (mut bytes, mut next) = ([0u8; 32], (0u8, 1u8));
    for byte in &mut bytes {
        *byte = next.0;
        next = (next.1, next.0.wrapping_add(next.1));
    }
    let words = bytes[16 * which..].as_chunks().0;
    core::array::from_fn(|j| terms.constant(u32::from_le_bytes(words[j]).into(), 32))
}

fn xor(terms: &mut Terms, rows: &[&Row]) -> Row {
    let sum = |i: usize, terms: &mut Terms| {
        rows[1..].iter().fold(rows[0][i], |sum, row| aes::xor(terms, &sum, &row[i]))
    };
    (0..rows[0].len()).map(|i| sum(i, terms)).collect()
}

fn and(terms: &mut Terms, a: &Row, b: &Row) -> Row {
    a.iter().zip(b).map(|(a, b)| core::array::from_fn(|j| terms.and(a[j], b[j]))).collect()
}

/// LE64 of two numbers.
fn lengths(terms: &mut Terms, numbers: [u64; 2]) -> Block {
    core::array::from_fn(|j| terms.constant(numbers[j / 2] >> (32 * (j % 2)), 32))
}

impl Cipher {
    /// Blocks that an update takes in.
    pub const fn rate_blocks(self) -> usize {
        self.n_parts * self.degree
    }

    /// The rows of a state or of a rate: block 0 of all instances, then block 1.
    pub fn rows(self, blocks: &[Block]) -> Vec<Row> {
        blocks.chunks(self.degree).map(<[Block]>::to_vec).collect()
    }

    /// Sections 3.4, 4.4, 5.4.2: Update.
    pub fn update(self, terms: &mut Terms, v: &mut Vec<Row>, parts: &[Row]) {
        let mut keys = v.clone();
        for (i, part) in [0, 4].into_iter().zip(parts) {
            keys[i] = xor(terms, &[&keys[i], part]);
        }
        let next = |i: usize, terms: &mut Terms| {
            let from = &v[(i + self.n_rows - 1) % self.n_rows];
            let states = from.iter().zip(&keys[i]);
            states.map(|(state, key)| Rounds::Whole.apply(terms, ROUND, state, key)).collect()
        };
        *v = (0..self.n_rows).map(|i| next(i, terms)).collect();
    }

    /// Sections 3.3, 4.3, 5.4.1, 5.5.1: Init. AEGIS-128: section 2.3 of the paper.
    pub fn init(self, terms: &mut Terms, key: &[Block], nonce: &[Block]) -> Vec<Row> {
        let of_all = |block: &Block| vec![*block; self.degree];
        let k: Vec<Row> = key.iter().map(of_all).collect();
        let n: Vec<Row> = nonce.iter().map(of_all).collect();
        let [c0, c1] = [0, 1].map(|which| of_all(&constant(terms, which)));
        let kn: Vec<Row> = k.iter().zip(&n).map(|(k, n)| xor(terms, &[k, n])).collect();
        let last = self.key_blocks - 1;
        let (k0c0, k0c1, klc1) =
            (xor(terms, &[&k[0], &c0]), xor(terms, &[&k[0], &c1]), xor(terms, &[&k[last], &c1]));
        let (mut v, inputs, contexts): (_, Vec<Vec<Row>>, &[usize]) = match self.n_rows {
            5 => {
                let inputs = vec![[vec![k[0].clone()], vec![kn[0].clone()]]; 5].concat();
                (vec![kn[0].clone(), c1, c0, k0c0, k0c1], inputs, &[])
            }
            8 => {
                let v = vec![kn[0].clone(), c1.clone(), c0, c1, kn[0].clone(), k0c0.clone(), k0c1, k0c0];
                (v, vec![vec![n[0].clone(), k[0].clone()]; 10], &[3, 7])
            }
            _ => {
                let inputs = vec![[&k[0], &k[1], &kn[0], &kn[1]].map(|row| vec![row.clone()]); 4].concat();
                (vec![kn[0].clone(), kn[1].clone(), c1, c0, k0c0, klc1], inputs, &[3, 5])
            }
        };
        for parts in inputs {
            for &row in contexts.iter().filter(|_| self.degree > 1) {
                for (i, block) in v[row].iter_mut().enumerate() {
                    let context = terms.constant((i | (self.degree - 1) << 8) as u64, 32);
                    block[0] = terms.xor(block[0], context);
                }
            }
            self.update(terms, &mut v, &parts);
        }
        v
    }

    /// Sections 3.5, 4.5: Absorb, of one rate.
    pub fn absorb(self, terms: &mut Terms, v: &mut Vec<Row>, rate: &[Block]) {
        self.update(terms, v, &self.rows(rate));
    }

    /// z of sections 3.6, 4.6, 5.4.4: the keystream of a rate. AEGIS-128: section 2.5 of the paper.
    pub fn keystream(self, terms: &mut Terms, v: &[Row]) -> Vec<Block> {
        let s23 = and(terms, &v[2], &v[3]);
        let rows = match self.n_rows {
            5 => vec![xor(terms, &[&v[1], &v[4], &s23])],
            6 => vec![xor(terms, &[&v[1], &v[4], &v[5], &s23])],
            _ => {
                let s67 = and(terms, &v[6], &v[7]);
                vec![xor(terms, &[&v[1], &v[6], &s23]), xor(terms, &[&v[2], &v[5], &s67])]
            }
        };
        rows.concat()
    }

    /// The seven updates of Finalize, sections 3.8, 4.8, 5.4.6.
    fn mix(self, terms: &mut Terms, v: &mut Vec<Row>, numbers: [u64; 2]) {
        let u = vec![lengths(terms, numbers); self.degree];
        let t = xor(terms, &[&v[if self.n_rows == 8 { 2 } else { 3 }], &u]);
        for _ in 0..7 {
            self.update(terms, v, &vec![t.clone(); self.n_parts]);
        }
    }

    /// The tags of all instances.
    fn tags(self, terms: &mut Terms, v: &[Row], tag_blocks: usize) -> Vec<Vec<Block>> {
        let rows: Vec<&Row> = v.iter().collect();
        let halves = match tag_blocks {
            1 => vec![xor(terms, &rows[..self.n_rows.min(7)])],
            _ => [&rows[..self.n_rows / 2], &rows[self.n_rows / 2..]].map(|rows| xor(terms, rows)).into(),
        };
        (0..self.degree).map(|i| halves.iter().map(|half| half[i]).collect()).collect()
    }

    /// Finalize: a tag of one block or two.
    pub fn finalize(
        self,
        terms: &mut Terms,
        mut v: Vec<Row>,
        ad_bytes: u64,
        message_bytes: u64,
        tag_blocks: usize,
    ) -> Vec<Block> {
        self.mix(terms, &mut v, [8 * ad_bytes, 8 * message_bytes]);
        let tags = self.tags(terms, &v, tag_blocks);
        (0..tag_blocks)
            .map(|j| tags[1..].iter().fold(tags[0][j], |sum, tag| aes::xor(terms, &sum, &tag[j])))
            .collect()
    }

    /// Section 8: FinalizeMac (8.3.2, 8.4.2).
    pub fn finalize_mac(
        self,
        terms: &mut Terms,
        mut v: Vec<Row>,
        data_bytes: u64,
        tag_blocks: usize,
    ) -> Vec<Block> {
        let tag_bits = 128 * tag_blocks as u64;
        self.mix(terms, &mut v, [8 * data_bytes, tag_bits]);
        if self.degree > 1 {
            // AEGIS-128X takes in all instances' tags of 128 bits, otherwise those of all but the first.
            let first = if self.n_parts == 2 && tag_blocks == 1 { 0 } else { 1 };
            let tags = self.tags(terms, &v, tag_blocks)[first..].concat();
            let one = Self { degree: 1, ..self };
            let mut v: Vec<Row> = v.iter().map(|row| row[..1].to_vec()).collect();
            for parts in tags.chunks(self.n_parts) {
                one.absorb(terms, &mut v, parts);
            }
            one.mix(terms, &mut v, [self.degree as u64, tag_bits]);
            return one.tags(terms, &v, tag_blocks).swap_remove(0);
        }
        self.tags(terms, &v, tag_blocks).swap_remove(0)
    }
}
