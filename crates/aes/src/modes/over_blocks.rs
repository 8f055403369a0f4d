//! The kernels that are the modes over one register type: rows of one message, which have all verbs, and rows of many.

use core::marker::PhantomData;

use hashlanes_isa::cipher::Blocks;

use super::cbc_decrypt::cbc_decrypt;
use super::cbc_encrypt::cbc_encrypt;
use super::ctr::{ctr, ctr_long};
use super::kernels::{Body, CbcDecrypt, CbcEncrypt, Ctr, Expand, InFlight};
use crate::key;

/// One message, `B::DEGREE` of its blocks in a register where they do not wait for each other, and `W` registers at once.
#[derive(Debug)]
pub(super) struct One<B, const W: usize>(PhantomData<B>);

impl<B: Blocks, const W: usize> Body for One<B, W> {
    type Proof = B::Proof;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn ctr(isa: B::Proof, job: Ctr<'_, '_>) {
        match job.in_flight {
            InFlight::Best => ctr::<B, W>(isa, job),
            InFlight::One => ctr::<B, 1>(isa, job),
            InFlight::Two => ctr::<B, 2>(isa, job),
            InFlight::Four => ctr::<B, 4>(isa, job),
            InFlight::Eight => ctr::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn ctr_long(isa: B::Proof, job: Ctr<'_, '_>) {
        match job.in_flight {
            InFlight::Best => ctr_long::<B, W>(isa, job),
            InFlight::One => ctr_long::<B, 1>(isa, job),
            InFlight::Two => ctr_long::<B, 2>(isa, job),
            InFlight::Four => ctr_long::<B, 4>(isa, job),
            InFlight::Eight => ctr_long::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn cbc_decrypt(isa: B::Proof, job: CbcDecrypt<'_, '_>) {
        match job.in_flight {
            InFlight::Best => cbc_decrypt::<B, W>(isa, job),
            InFlight::One => cbc_decrypt::<B, 1>(isa, job),
            InFlight::Two => cbc_decrypt::<B, 2>(isa, job),
            InFlight::Four => cbc_decrypt::<B, 4>(isa, job),
            InFlight::Eight => cbc_decrypt::<B, 8>(isa, job),
        }
    }
    #[inline(always)]
    fn cbc_encrypt(isa: B::Proof, job: CbcEncrypt<'_, '_>) {
        cbc_encrypt::<B::One, 1, 1, false>(B::one(isa), job);
    }
    #[inline(always)]
    fn expand(isa: B::Proof, Expand { key, expanded }: Expand<'_>) {
        key::expand::<B::One>(B::one(isa), key, expanded);
    }
}

/// `K` messages in `R` registers.
#[derive(Debug)]
pub(super) struct Many<B, const R: usize, const K: usize>(PhantomData<B>);

impl<B: Blocks, const R: usize, const K: usize> Body for Many<B, R, K> {
    type Proof = B::Proof;
    const DEGREE: usize = K;

    #[inline(always)]
    fn cbc_encrypt(isa: B::Proof, job: CbcEncrypt<'_, '_>) {
        const { assert!(R * B::DEGREE == K) }
        cbc_encrypt::<B, R, K, false>(isa, job);
    }
    #[inline(always)]
    fn cbc_encrypt_rows(isa: B::Proof, job: CbcEncrypt<'_, '_>) {
        cbc_encrypt::<B, R, K, true>(isa, job);
    }
}
