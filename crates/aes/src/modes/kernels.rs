//! The table of AES's kernels, and what its rows do: the modes over one register type, or by the crate `aes`.
//! To add one: write its file (if it needs one), add its row.

#![allow(unsafe_code)] // The table macro's; argued in `hashlanes_isa`.

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use core::marker::PhantomData;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use hashlanes_isa::cipher::{AesNi, Blocks, Vaes, Vaes512, X1, X2, X4};
#[cfg(target_arch = "aarch64")]
use hashlanes_isa::cipher::{ArmAes, Blocks, X1};
use hashlanes_isa::kernels;
use hashlanes_isa::scalar::Scalar;

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use super::jobs::InFlight;
use super::jobs::{CbcDecrypt, CbcEncrypt, Ctr, Expand};
use super::portable;
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
use super::{cbc_decrypt, cbc_encrypt, ctr};
use crate::{Key, key};

/// The variable that forces a kernel by name.
pub(crate) const KERNEL_VARIABLE: &str = "HASHLANES_AES_KERNEL";

// name degree [features] proof body [verbs], cycles of a call + a block of every message: Zen 4, Zen 5
// (calls are Zen 4's), Golden Cove (AES-128); of Arm's rows Neoverse N1, V1, V2, Apple M1 by models
// (docs/arm-models.md), calls estimated
#[rustfmt::skip]
kernels! { cipher "aes" KERNEL_VARIABLE {
        /// CTR of one message.
        ctr(job: Ctr<'_, '_>);
        /// CTR of [`LONG_BLOCKS`](super::LONG_BLOCKS) blocks or more, with a table. Optional in a row: with
        /// registers of one or two blocks, creating the table takes longer than it saves.
        ctr_long(job: Ctr<'_, '_>);
        /// CBC decryption of one message.
        cbc_decrypt(job: CbcDecrypt<'_, '_>);
        /// CBC encryption of messages with one key.
        cbc_encrypt(job: CbcEncrypt<'_, '_, &Key>);
        /// CBC encryption of messages with a key each: a verb of its own, because the round keys of all of
        /// them take more of the stack, which is overwritten afterwards.
        cbc_encrypt_each(job: CbcEncrypt<'_, '_, &[&Key]>);
        /// `cbc_encrypt` of messages with equal offsets in their pages. Optional in a row.
        cbc_encrypt_rows(job: CbcEncrypt<'_, '_, &Key>);
        /// `cbc_encrypt_each` of such messages.
        cbc_encrypt_each_rows(job: CbcEncrypt<'_, '_, &[&Key]>);
        /// Round keys.
        expand(job: Expand<'_>);
    }
    one #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        vaes_avx512         1 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 One<X4, 4>        [ctr ctr_long cbc_decrypt cbc_encrypt expand]  85 +  40   85 +  40   85 + 30;
        vaes_avx512vl       1 ["vaes" "avx512f" "avx512vl"]            Vaes    One<X2, 8>        [ctr cbc_decrypt cbc_encrypt expand]  85 +  40   85 +  40   85 + 30;
        vaes_avx2           1 ["vaes" "avx2"]                          Vaes    One<X2, 8>        [ctr cbc_decrypt cbc_encrypt expand]  85 +  40   85 +  40   85 + 30;
        aes_ni              1 ["aes" "ssse3"]                          AesNi   One<X1, 8>        [ctr cbc_decrypt cbc_encrypt expand]  85 +  40   85 +  40   85 + 31;
    }
    one #[cfg(not(target_arch = "aarch64"))] {
        portable            1 []                                       Scalar  Portable          [ctr cbc_decrypt cbc_encrypt expand] 600 + 600   600 + 600   600 + 600;
    }
    one #[cfg(target_arch = "aarch64")] {
        arm_aes             1 ["aes"]                                  ArmAes  One<X1, 8>        [ctr cbc_decrypt cbc_encrypt expand]   85 +  42    85 +  42    85 +  42    85 +  42;
        portable            1 []                                       Scalar  Portable          [ctr cbc_decrypt cbc_encrypt expand] 600 + 600  600 + 600   600 + 600   600 + 600;
    }
    many #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))] {
        vaes_avx512_x16    16 ["vaes" "avx512f" "avx512bw" "avx512vl"] Vaes512 Many<X4,  4, 16>  [cbc_encrypt cbc_encrypt_each cbc_encrypt_rows cbc_encrypt_each_rows]        600 +  53   600 +  43   600 + 44;
        vaes_avx512vl_x16  16 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<X2,  8, 16>  [cbc_encrypt cbc_encrypt_each cbc_encrypt_rows cbc_encrypt_each_rows]        600 +  50   600 +  44   600 + 43;
        vaes_avx512vl_x24  24 ["vaes" "avx512f" "avx512vl"]            Vaes    Many<X2, 12, 24>  [cbc_encrypt cbc_encrypt_each]        800 +  72   800 +  63   800 + 66;
        vaes_avx2_x4        4 ["vaes" "avx2"]                          Vaes    Many<X2,  2,  4>  [cbc_encrypt cbc_encrypt_each]        240 +  40   240 +  40   240 + 32;
        vaes_avx2_x8        8 ["vaes" "avx2"]                          Vaes    Many<X2,  4,  8>  [cbc_encrypt cbc_encrypt_each]        340 +  40   340 +  40   340 + 34;
        vaes_avx2_x16      16 ["vaes" "avx2"]                          Vaes    Many<X2,  8, 16>  [cbc_encrypt cbc_encrypt_each cbc_encrypt_rows cbc_encrypt_each_rows]        600 +  51   600 +  44   600 + 45;
        aes_ni_x2           2 ["aes" "ssse3"]                          AesNi   Many<X1,  2,  2>  [cbc_encrypt cbc_encrypt_each]        180 +  40   180 +  40   180 + 32;
        aes_ni_x4           4 ["aes" "ssse3"]                          AesNi   Many<X1,  4,  4>  [cbc_encrypt cbc_encrypt_each]        240 +  41   240 +  41   240 + 33;
        aes_ni_x8           8 ["aes" "ssse3"]                          AesNi   Many<X1,  8,  8>  [cbc_encrypt cbc_encrypt_each]        340 +  42   340 +  42   340 + 41;
    }
    many #[cfg(target_arch = "aarch64")] {
        arm_aes_x2          2 ["aes"]                                  ArmAes  Many<X1,  2,  2>  [cbc_encrypt cbc_encrypt_each]  180 +  43   180 +  42   180 +  42   180 +  42;
        arm_aes_x4          4 ["aes"]                                  ArmAes  Many<X1,  4,  4>  [cbc_encrypt cbc_encrypt_each]  240 +  81   240 +  42   240 +  42   240 +  76;
        arm_aes_x8          8 ["aes"]                                  ArmAes  Many<X1,  8,  8>  [cbc_encrypt cbc_encrypt_each]  340 + 158   340 +  46   340 +  46   340 + 152;
    }
}

/// One message, `B::DEGREE` of its blocks in a register where they do not wait for each other, and `W`
/// registers at once.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
#[derive(Debug)]
struct One<B, const W: usize>(PhantomData<B>);

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
impl<B: Blocks, const W: usize> Body for One<B, W> {
    type Proof = B::Proof;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn ctr(isa: B::Proof, job: Ctr<'_, '_>) {
        match job.in_flight {
            InFlight::Best => ctr::ctr::<B, W>(isa, job),
            InFlight::One => ctr::ctr::<B, 1>(isa, job),
            InFlight::Two => ctr::ctr::<B, 2>(isa, job),
            InFlight::Four => ctr::ctr::<B, 4>(isa, job),
            InFlight::Eight => ctr::ctr::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn ctr_long(isa: B::Proof, job: Ctr<'_, '_>) {
        match job.in_flight {
            InFlight::Best => ctr::ctr_long::<B, W>(isa, job),
            InFlight::One => ctr::ctr_long::<B, 1>(isa, job),
            InFlight::Two => ctr::ctr_long::<B, 2>(isa, job),
            InFlight::Four => ctr::ctr_long::<B, 4>(isa, job),
            InFlight::Eight => ctr::ctr_long::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn cbc_decrypt(isa: B::Proof, job: CbcDecrypt<'_, '_>) {
        match job.in_flight {
            InFlight::Best => cbc_decrypt::cbc_decrypt::<B, W>(isa, job),
            InFlight::One => cbc_decrypt::cbc_decrypt::<B, 1>(isa, job),
            InFlight::Two => cbc_decrypt::cbc_decrypt::<B, 2>(isa, job),
            InFlight::Four => cbc_decrypt::cbc_decrypt::<B, 4>(isa, job),
            InFlight::Eight => cbc_decrypt::cbc_decrypt::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn cbc_encrypt(isa: B::Proof, job: CbcEncrypt<'_, '_, &Key>) {
        cbc_encrypt::cbc_encrypt::<B::One, 1, 1, false>(B::one(isa), job);
    }
    #[inline(always)]
    fn expand(isa: B::Proof, Expand { key, expanded }: Expand<'_>) {
        key::expand::<B::One>(B::one(isa), key, expanded);
    }
}

/// `K` messages in `R` registers.
#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
#[derive(Debug)]
struct Many<B, const R: usize, const K: usize>(PhantomData<B>);

#[cfg(any(all(target_arch = "x86_64", target_feature = "sse2"), target_arch = "aarch64"))]
impl<B: Blocks, const R: usize, const K: usize> Body for Many<B, R, K> {
    type Proof = B::Proof;
    const DEGREE: usize = K;

    #[inline(always)]
    fn cbc_encrypt(isa: B::Proof, job: CbcEncrypt<'_, '_, &Key>) {
        const { assert!(R * B::DEGREE == K) }
        cbc_encrypt::cbc_encrypt::<B, R, K, false>(isa, job);
    }
    #[inline(always)]
    fn cbc_encrypt_each(isa: B::Proof, job: CbcEncrypt<'_, '_, &[&Key]>) {
        cbc_encrypt::cbc_encrypt_each::<B, R, K, false>(isa, job);
    }
    #[inline(always)]
    fn cbc_encrypt_rows(isa: B::Proof, job: CbcEncrypt<'_, '_, &Key>) {
        cbc_encrypt::cbc_encrypt::<B, R, K, true>(isa, job);
    }
    #[inline(always)]
    fn cbc_encrypt_each_rows(isa: B::Proof, job: CbcEncrypt<'_, '_, &[&Key]>) {
        cbc_encrypt::cbc_encrypt_each::<B, R, K, true>(isa, job);
    }
}

/// One message, by the crate `aes`.
#[derive(Debug)]
struct Portable;

impl Body for Portable {
    type Proof = Scalar;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn ctr(_: Scalar, job: Ctr<'_, '_>) {
        portable::ctr(job);
    }
    #[inline(always)]
    fn cbc_decrypt(_: Scalar, job: CbcDecrypt<'_, '_>) {
        portable::cbc_decrypt(job);
    }
    #[inline(always)]
    fn cbc_encrypt(_: Scalar, job: CbcEncrypt<'_, '_, &Key>) {
        portable::cbc_encrypt(job);
    }
    #[inline(always)]
    fn expand(isa: Scalar, Expand { key, expanded }: Expand<'_>) {
        key::expand::<crate::portable::Portable>(isa, key, expanded);
    }
}
