//! AES's keys and their round keys, FIPS 197 section 5.2.

use alloc::boxed::Box;
use core::fmt;

use hashlanes_isa::cipher::{Block, Blocks};
use zeroize::{Zeroize, ZeroizeOnDrop};

/// The most round keys: those of AES-256.
const MAX_ROUND_KEYS: usize = 15;

/// A key of AES-128, AES-192 or AES-256, with its round keys.
///
/// It is overwritten when it is dropped, and has memory of its own, so that moving it leaves no copy.
/// Functions that use it overwrite what kernels leave of it on the stack.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_aes as aes; }
/// use hashlanes::aes::{Error, Key};
///
/// let key = Key::new(&[7; 16]).expect("16 bytes are a key of AES-128");
/// assert_eq!(key.bits(), 128);
/// assert_eq!(Key::new(&[7; 15]).unwrap_err(), Error::KeyLength(15));
/// ```
pub struct Key(pub(crate) Box<Expanded>);

/// The expanded key.
#[derive(Zeroize, ZeroizeOnDrop)]
#[repr(C, align(64))]
pub(crate) struct Expanded {
    /// w of KEYEXPANSION, Algorithm 2: the round keys of CIPHER, `rounds` + 1 of them.
    w: [Block; MAX_ROUND_KEYS],
    /// dw of KEYEXPANSIONEIC, Algorithm 5, last round first: those of EQINVCIPHER in the order of their use.
    dw: [Block; MAX_ROUND_KEYS],
    /// Nr, 10, 12 or 14, and zeros to the end of the cache line: padding would contain old stack data.
    rounds_and_zeros: [u8; 32],
}

impl Key {
    /// 128, 192 or 256.
    pub fn bits(&self) -> usize {
        32 * self.0.n_words()
    }

    /// Returns the key itself: the first Nk words of w.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.w.as_flattened()[..4 * self.0.n_words()]
    }

    /// Nr.
    #[inline(always)]
    pub(crate) fn rounds(&self) -> usize {
        self.0.rounds()
    }

    /// Returns the round keys of CIPHER.
    #[cfg_attr(
        not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")),
        allow(dead_code)
    )]
    #[inline(always)]
    pub(crate) fn w(&self) -> &[Block; MAX_ROUND_KEYS] {
        &self.0.w
    }

    /// Returns the round keys of EQINVCIPHER, the first to be used first.
    #[cfg_attr(
        not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")),
        allow(dead_code)
    )]
    #[inline(always)]
    pub(crate) fn dw(&self) -> &[Block; MAX_ROUND_KEYS] {
        &self.0.dw
    }
}

impl Expanded {
    /// Allocates round keys for a number of rounds. They are computed in place, so they are never on the
    /// stack.
    pub(crate) fn zeros(rounds: usize) -> Box<Self> {
        let (w, dw) = ([[0; 16]; MAX_ROUND_KEYS], [[0; 16]; MAX_ROUND_KEYS]);
        let mut rounds_and_zeros = [0; 32];
        rounds_and_zeros[0] = rounds as u8;
        Box::new(Self { w, dw, rounds_and_zeros })
    }

    /// Nr.
    #[inline(always)]
    fn rounds(&self) -> usize {
        self.rounds_and_zeros[0].into()
    }

    /// Nk, the key's length in words.
    #[inline(always)]
    fn n_words(&self) -> usize {
        self.rounds() - 6
    }
}

/// From memory to memory, with no copy on the stack.
impl Clone for Key {
    fn clone(&self) -> Self {
        let mut expanded = Expanded::zeros(self.rounds());
        expanded.w.copy_from_slice(&self.0.w);
        expanded.dw.copy_from_slice(&self.0.dw);
        Self(expanded)
    }
}

/// Prints no part of the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key(AES-{})", self.bits())
    }
}

/// KEYEXPANSION, Algorithm 2, and KEYEXPANSIONEIC, Algorithm 5, by the instructions of one block: no table,
/// and no branch but on the key's length.
#[inline(always)]
pub(crate) fn expand<B: Blocks>(isa: B::Proof, key: &[u8], expanded: &mut Expanded) {
    const { assert!(B::DEGREE == 1) }
    let (nk, nr) = (expanded.n_words(), expanded.rounds());
    let w = expanded.w.as_flattened_mut().as_chunks_mut::<4>().0;
    w.as_flattened_mut()[..4 * nk].copy_from_slice(key);
    // The last Nk words, as little-endian numbers: words that go through memory wait for their stores.
    let mut last = [0; 8];
    for (word, bytes) in last.iter_mut().zip(&w[..nk]) {
        *word = u32::from_le_bytes(*bytes);
    }
    let mut rcon = 1;
    for words in w[nk..4 * (nr + 1)].chunks_mut(nk) {
        for i in 0..words.len() {
            let before = last[if i == 0 { nk - 1 } else { i - 1 }];
            last[i] ^= match i {
                // ROTWORD: it and SUBWORD may change places.
                0 => sub_word::<B>(isa, before).rotate_right(8) ^ rcon,
                4 if nk > 6 => sub_word::<B>(isa, before),
                _ => before,
            };
            words[i] = last[i].to_le_bytes();
        }
        rcon = x_times(rcon);
    }
    for round in 0..=nr {
        let round_key = &expanded.w[nr - round];
        if round == 0 || round == nr {
            expanded.dw[round] = *round_key;
        } else {
            B::load(isa, round_key).aesimc().store(&mut expanded.dw[round]);
        }
    }
}

/// SUBWORD, section 5.2. SHIFTROWS, which AESENCLAST includes, changes nothing where all columns are equal.
#[inline(always)]
fn sub_word<B: Blocks>(isa: B::Proof, word: u32) -> u32 {
    let mut columns = [word.to_le_bytes(); 4];
    let columns = columns.as_flattened_mut();
    B::load(isa, columns).aesenclast(B::zero(isa)).store(columns);
    u32::from_le_bytes([columns[0], columns[1], columns[2], columns[3]])
}

/// XTIMES, section 4.2: of the round constants, which are public.
#[inline(always)]
fn x_times(b: u32) -> u32 {
    (b << 1) ^ (if b & 0x80 == 0 { 0 } else { 0x11b })
}
