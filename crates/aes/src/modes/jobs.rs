//! The job of a kernel: keys, messages, and their layout.

use hashlanes_isa::cipher::{Block, Buffer};

use crate::Key;
use crate::key::Expanded;

/// A message of whole blocks to be encrypted or decrypted with others.
#[derive(Debug)]
pub struct CbcMessage<'k, 'm> {
    /// Its key, which messages may share.
    pub key: &'k Key,
    /// The initialization vector. After the call: the last block of ciphertext, from which the message can be
    /// continued.
    pub iv: Block,
    /// The message and the place of the result. After the call the buffer is empty.
    pub buffer: Buffer<'m>,
}

/// Whole blocks of the messages of one call of a kernel.
///
/// `K` is `&Key`, the key of all messages, or `&[&Key]`, a key for each, all of one length.
#[derive(Debug)]
#[repr(C)] // As all that entries take: proofs of the machine code lay it out.
pub(crate) struct CbcEncrypt<'a, 'b, K> {
    pub(crate) keys: K,
    /// The block before the first block of each message, at the start its IV. After the call: its last block
    /// of ciphertext.
    pub(crate) chain: &'a mut [Block],
    /// The messages. Each has at least `n_blocks` blocks; after the call its buffer begins after them.
    pub(crate) messages: &'a mut [Buffer<'b>],
    /// Blocks of each message.
    pub(crate) n_blocks: usize,
}

/// Whole blocks of one message.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct CbcDecrypt<'a, 'b> {
    pub(crate) key: &'a Key,
    /// The block of ciphertext before the first, at the start the IV. After the call: the last block of
    /// ciphertext.
    pub(crate) chain: &'a mut Block,
    pub(crate) buffer: Buffer<'b>,
    #[cfg_attr(
        not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")),
        allow(dead_code)
    )]
    pub(crate) in_flight: InFlight,
}

/// Whole blocks of one message.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct Ctr<'a, 'b> {
    pub(crate) key: &'a Key,
    /// The counter block of the first block. After the call: that of the block after the last.
    pub(crate) counter: &'a mut Block,
    /// The number of its last bits that are the counter.
    pub(crate) counts: CounterBits,
    pub(crate) buffer: Buffer<'b>,
    #[cfg_attr(
        not(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64")),
        allow(dead_code)
    )]
    pub(crate) in_flight: InFlight,
}

/// Number of registers that a kernel processes at once, where blocks do not wait for each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// The kernel's best number.
    #[default]
    Best,
    /// One.
    One,
    /// Two.
    Two,
    /// Four.
    Four,
    /// Eight.
    Eight,
}

/// The counter's bits of a counter block, the last ones; the other bits are the nonce, which no carry
/// changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterBits {
    /// 32, as in RFC 3686 and GCM: 64 GiB a nonce.
    Bits32,
    /// 64.
    Bits64,
    /// All bits, as in NIST SP 800-38A's examples and OpenSSL.
    Bits128,
}

impl CounterBits {
    /// Returns the counter that `next` is: of it the bits that count, of `first` the nonce's.
    #[inline(always)]
    pub(crate) fn carried(self, first: u128, next: u128) -> u128 {
        let mask = match self {
            Self::Bits32 => u128::from(u32::MAX),
            Self::Bits64 => u128::from(u64::MAX),
            Self::Bits128 => u128::MAX,
        };
        (first & !mask) | (next & mask)
    }
}

/// The number of blocks (32 KiB) from which CTR's table is worthwhile.
pub(crate) const LONG_BLOCKS: usize = 2048;

/// A key and the place for its round keys.
#[repr(C)]
pub(crate) struct Expand<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) expanded: &'a mut Expanded,
}
