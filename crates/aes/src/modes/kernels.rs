//! The table of AES's kernels. To add one: write its file (if it needs one), add its row.

#![allow(unsafe_code)] // The table macro's; argued in `hashlanes_isa`.

#[cfg(target_arch = "x86_64")]
use hashlanes_isa::cipher::{AesNi, Vaes, Vaes512, X1, X2, X4};
use hashlanes_isa::cipher::{Block, Buffer};
use hashlanes_isa::kernels;
use hashlanes_isa::scalar::Scalar;

#[cfg(target_arch = "x86_64")]
use super::over_blocks::{Many, One};
use super::portable::Portable;
use crate::Key;
use crate::key::Expanded;

/// The variable that forces a kernel by name.
pub(crate) const KERNEL_VARIABLE: &str = "HASHLANES_AES_KERNEL";

/// The keys of the messages of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Keys<'a> {
    /// One key for all.
    Shared(&'a Key),
    /// One each, all of the same length.
    Each(&'a [&'a Key]),
}

impl<'a> Keys<'a> {
    /// That of message `k`.
    #[inline(always)]
    pub(crate) fn of(&self, k: usize) -> &'a Key {
        match self {
            Self::Shared(key) => key,
            Self::Each(keys) => keys[k],
        }
    }
}

/// Whole blocks of as many messages as the kernel takes.
#[derive(Debug)]
pub(crate) struct CbcEncrypt<'a, 'b> {
    pub(crate) keys: Keys<'a>,
    /// The block before the first of each message: its IV at the start. Behind the call its last block of ciphertext.
    pub(crate) chain: &'a mut [Block],
    /// The messages; each has so many blocks at least, and goes on behind them afterwards.
    pub(crate) messages: &'a mut [Buffer<'b>],
    /// Blocks of each message.
    pub(crate) n_blocks: usize,
}

/// Whole blocks of one message.
#[derive(Debug)]
pub(crate) struct CbcDecrypt<'a, 'b> {
    pub(crate) key: &'a Key,
    /// The block of ciphertext before the first: the IV at the start. Behind the call the last.
    pub(crate) chain: &'a mut Block,
    pub(crate) buffer: Buffer<'b>,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(crate) in_flight: InFlight,
}

/// Whole blocks of one message.
#[derive(Debug)]
pub(crate) struct Ctr<'a, 'b> {
    pub(crate) key: &'a Key,
    /// The first block's counter block. Behind the call that of the block behind the last.
    pub(crate) counter: &'a mut Block,
    /// As many of its last bits count.
    pub(crate) counts: CounterBits,
    pub(crate) buffer: Buffer<'b>,
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code))]
    pub(crate) in_flight: InFlight,
}

/// Registers that a kernel keeps on their way through the rounds at once, where blocks do not wait for each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InFlight {
    /// As many as serve the kernel best.
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

/// The bits of a counter block that count, the last ones; the others are the nonce's, which a carry leaves as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CounterBits {
    /// 32, as in RFC 3686 and GCM: 64 GiB a nonce.
    Bits32,
    /// 64.
    Bits64,
    /// All, as in NIST SP 800-38A's examples.
    Bits128,
}

impl CounterBits {
    /// The counter that `next` is: of it the bits that count, of `first` the nonce's.
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

/// From so many blocks on, 32 KiB, CTR's table pays.
pub(crate) const LONG_BLOCKS: usize = 2048;

/// A key and the place for its round keys.
pub(crate) struct Expand<'a> {
    pub(crate) key: &'a [u8],
    pub(crate) expanded: &'a mut Expanded,
}

// name degree [features] proof body [verbs], cycles of a call + a block of every message: Zen 4, Golden Cove (AES-128)
#[rustfmt::skip]
kernels! { cipher "aes" KERNEL_VARIABLE {
        /// CTR of one message.
        ctr(job: Ctr<'_, '_>);
        /// The same of [`LONG_BLOCKS`] blocks or more, with a table. A row may leave it out: with registers of one or two
        /// blocks, making the table takes longer than it saves.
        ctr_long(job: Ctr<'_, '_>);
        /// CBC decryption of one message.
        cbc_decrypt(job: CbcDecrypt<'_, '_>);
        /// CBC encryption of several messages.
        cbc_encrypt(job: CbcEncrypt<'_, '_>);
        /// The same of messages that lie at one place of their pages. A row may leave it out.
        cbc_encrypt_rows(job: CbcEncrypt<'_, '_>);
        /// Round keys.
        expand(job: Expand<'_>);
    }
    #[cfg(target_arch = "x86_64")] {
        vaes_avx512         1 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 One<X4, 4>        [ctr ctr_long cbc_decrypt cbc_encrypt expand]  60 +  40   60 + 30;
        vaes_avx512vl       1 ["vaes" "avx512f" "avx512vl"]            Vaes    One<X2, 8>        [ctr cbc_decrypt cbc_encrypt expand]  60 +  40   60 + 30;
        vaes_avx2           1 ["vaes" "avx2"]                          Vaes    One<X2, 8>        [ctr cbc_decrypt cbc_encrypt expand]  60 +  40   60 + 30;
        aes_ni              1 ["aes" "ssse3"]                          AesNi   One<X1, 8>        [ctr cbc_decrypt cbc_encrypt expand]  60 +  40   60 + 31;
        vaes_avx512_x16    16 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 Many<X4,  4, 16>  [cbc_encrypt cbc_encrypt_rows]        200 +  53  200 + 44;
        vaes_avx512vl_x16  16 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<X2,  8, 16>  [cbc_encrypt cbc_encrypt_rows]        200 +  50  200 + 43;
        vaes_avx512vl_x24  24 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<X2, 12, 24>  [cbc_encrypt]        300 +  72  300 + 66;
        vaes_avx2_x4        4 ["vaes" "avx2"]                          Vaes    Many<X2,  2,  4>  [cbc_encrypt]        110 +  40  110 + 32;
        vaes_avx2_x8        8 ["vaes" "avx2"]                          Vaes    Many<X2,  4,  8>  [cbc_encrypt]        150 +  40  150 + 34;
        vaes_avx2_x16      16 ["vaes" "avx2"]                          Vaes    Many<X2,  8, 16>  [cbc_encrypt cbc_encrypt_rows]        200 +  51  200 + 45;
        aes_ni_x2           2 ["aes" "ssse3"]                          AesNi   Many<X1,  2,  2>  [cbc_encrypt]         70 +  40   70 + 32;
        aes_ni_x4           4 ["aes" "ssse3"]                          AesNi   Many<X1,  4,  4>  [cbc_encrypt]         90 +  41   90 + 33;
        aes_ni_x8           8 ["aes" "ssse3"]                          AesNi   Many<X1,  8,  8>  [cbc_encrypt]        130 +  42  130 + 41;
    }
    #[cfg(true)] {
        portable            1 []                                       Scalar  Portable          [ctr cbc_decrypt cbc_encrypt expand] 600 + 600  600 + 600;
    }
}
