//! AES-GCM: NIST SP 800-38D, with GHASH in the form of RFC 8452, appendix A: by bytes in reverse, it is
//! POLYVAL, whose field needs no reversed bits.
//!
//! Products of two unknown words are uninterpreted. A product with a constant is what it is: an exclusive or
//! of shifts.

use super::aes::{self, Block, Rounds};
use crate::memory;
use crate::terms::{Term, Terms};

/// An element of POLYVAL's field: the low and the high 64 coefficients.
pub type Element = [Term; 2];

/// The product of two polynomials over GF(2) of 64 coefficients each, the low half first.
pub fn product(terms: &mut Terms, a: Term, b: Term) -> Element {
    for (a, b) in [(a, b), (b, a)] {
        if let Some(constant) = terms.value(a) {
            let zero = terms.constant(0, 64);
            return (0..64).filter(|i| constant >> i & 1 == 1).fold([zero; 2], |sum, i| {
                let shifted = [terms.shift_left(b, i), terms.shift_right(b, 64 - i)];
                add(terms, sum, shifted)
            });
        }
    }
    let mut factors = [a, b];
    factors.sort_unstable();
    let mut word = |i| terms.result("product of polynomials", &factors, i);
    let words = [word(0), word(1), word(2), word(3)];
    [terms.join(words[0], words[1]), terms.join(words[2], words[3])]
}

fn add(terms: &mut Terms, a: Element, b: Element) -> Element {
    [terms.xor(a[0], b[0]), terms.xor(a[1], b[1])]
}

/// RFC 8452, section 3: the sum of dot(a, b) = a · b · x^-128 over pairs, modulo
/// x^128 + x^127 + x^126 + x^121 + 1.
pub fn dots(terms: &mut Terms, pairs: &[(Element, Element)]) -> Element {
    let mut z = [terms.constant(0, 64); 4];
    for (a, b) in pairs {
        for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let [low, high] = product(terms, a[i], b[j]);
            z[i + j] = terms.xor(z[i + j], low);
            z[i + j + 1] = terms.xor(z[i + j + 1], high);
        }
    }
    // Multiples of the polynomial make the low half zero, 64 coefficients at a time.
    for i in 0..2 {
        for exponent in [121, 126, 127] {
            let (low, high) =
                (terms.shift_left(z[i], exponent - 64), terms.shift_right(z[i], 128 - exponent));
            z[i + 1] = terms.xor(z[i + 1], low);
            z[i + 2] = terms.xor(z[i + 2], high);
        }
        z[i + 2] = terms.xor(z[i + 2], z[i]);
    }
    [z[2], z[3]]
}

/// RFC 8452, appendix A: ByteReverse of a block.
fn reversed(terms: &mut Terms, block: &Block) -> Element {
    let words = [0, 1, 2, 3].map(|j| memory::reversed(terms, block[3 - j]));
    [terms.join(words[0], words[1]), terms.join(words[2], words[3])]
}

fn block_of(terms: &mut Terms, element: Element) -> Block {
    let words = [terms.half(element[1], 1), terms.half(element[1], 0), terms.half(element[0], 1)];
    [words[0], words[1], words[2], terms.half(element[0], 0)].map(|word| memory::reversed(terms, word))
}

/// An element as it is in memory, its lowest byte first.
pub fn in_memory(terms: &mut Terms, element: Element) -> Block {
    core::array::from_fn(|j| terms.half(element[j / 2], (j % 2) as u8))
}

/// The inverse of [`in_memory`].
pub fn from_memory(terms: &mut Terms, block: &Block) -> Element {
    [terms.join(block[0], block[1]), terms.join(block[2], block[3])]
}

/// RFC 8452, appendix A: mulX_POLYVAL(ByteReverse(H)), for which POLYVAL is GHASH with H.
pub fn first_power(terms: &mut Terms, h: &Block) -> Element {
    let [low, high] = reversed(terms, h);
    let carry = terms.shift_right(high, 63);
    let (zero, polynomial) = (terms.constant(0, 64), terms.constant(0xc2 << 56, 64));
    let all = terms.sub(zero, carry);
    let (low_shifted, high_shifted) = (terms.shift_left(low, 1), terms.shift_left(high, 1));
    let between = terms.shift_right(low, 63);
    let high = terms.xor(high_shifted, between);
    let reduction = terms.and(all, polynomial);
    [terms.xor(low_shifted, carry), terms.xor(high, reduction)]
}

/// A key: its round keys, and H, H^2, … as elements, the first power first.
pub struct Key {
    /// Of AES.
    pub w: Vec<Block>,
    /// As [`first_power`] makes the first.
    pub powers: Vec<Element>,
}

/// A message with its result.
pub struct Message {
    /// The ciphertext, or the plaintext.
    pub output: Vec<Block>,
    /// The authentication tag.
    pub tag: Block,
}

/// Sections 7.1 and 7.2, for a nonce of 96 bits. `blocks` are filled with zeros after `n_bytes`.
///
/// GHASH is by Horner's rule, Y = (Y + X) · H for every block. Here it is taken over groups,
/// Y = (Y + X1) · H^n + X2 · H^(n-1) + … + Xn · H, which is the same for any lengths of groups, as products
/// are distributive and associative: of `ad_group` blocks of associated data, of two times `group` blocks of
/// text, and of the rest with the block of lengths after it. The rest is `group` blocks, and one block or
/// more. If the text has no more than `group` blocks, the associated data belong to it, as far as there are
/// powers.
pub fn crypt(
    terms: &mut Terms,
    key: &Key,
    nonce: &[Term; 3],
    (ad, ad_bytes, ad_group): (&[Block], usize, usize),
    (blocks, n_bytes, group): (&[Block], usize, usize),
    is_encryption: bool,
) -> Message {
    let counter = |terms: &mut Terms, n: u32| {
        let n = terms.constant(n.swap_bytes().into(), 32);
        [nonce[0], nonce[1], nonce[2], n]
    };
    let mut output = Vec::new();
    for (i, block) in blocks.iter().enumerate() {
        let counter = counter(terms, i as u32 + 2);
        let keystream = Rounds::Whole.cipher(terms, &key.w, &counter);
        output.push(aes::xor(terms, block, &keystream));
    }
    let ciphertext = if is_encryption { aes::cut(terms, &output, n_bytes) } else { blocks.to_vec() };
    let zero = terms.constant(0, 64);
    let mut y = [zero; 2];
    let mut absorb = |terms: &mut Terms, blocks: &[Block]| {
        let n = blocks.len();
        let elements = blocks.iter().enumerate().map(|(i, block)| {
            let x = reversed(terms, block);
            (if i == 0 { add(terms, x, y) } else { x }, key.powers[n - 1 - i])
        });
        let pairs: Vec<_> = elements.collect();
        y = dots(terms, &pairs);
    };
    let n_whole = blocks.len().saturating_sub(1) / group * group;
    let numbers = [8 * ad_bytes as u64, 8 * n_bytes as u64].map(|bits| bits.swap_bytes());
    let lengths = core::array::from_fn(|j| terms.constant(numbers[j / 2] >> (32 * (j % 2)), 32));
    if n_whole == 0 && ad.len() + ciphertext.len() < key.powers.len() {
        absorb(terms, &[ad, &ciphertext, &[lengths]].concat());
    } else {
        ad.chunks(ad_group).for_each(|blocks| absorb(terms, blocks));
        let (first, rest) = ciphertext.split_at(n_whole.saturating_sub(group));
        first.chunks(2 * group).for_each(|blocks| absorb(terms, blocks));
        absorb(terms, &[rest, &[lengths]].concat());
    }
    let first = counter(terms, 1);
    let mask = Rounds::Whole.cipher(terms, &key.w, &first);
    let y = block_of(terms, y);
    Message { output, tag: aes::xor(terms, &y, &mask) }
}
