//! The kernels that are the modes over one register type: rows of one message, which have all verbs, and rows of many.

use core::marker::PhantomData;

use hashlanes_isa::cipher::Blocks;

use super::cbc_encrypt::cbc_encrypt;
use super::kernels::{Body, CbcEncrypt, Expand};
use crate::key;

/// One message, `B::DEGREE` of its blocks in a register where they do not depend on each other.
#[derive(Debug)]
pub(super) struct One<B>(PhantomData<B>);

impl<B: Blocks> Body for One<B> {
    type Proof = B::Proof;
    const DEGREE: usize = 1;

    #[inline(always)]
    fn cbc_encrypt(isa: B::Proof, job: CbcEncrypt<'_, '_>) {
        cbc_encrypt::<B::One, 1, 1>(B::one(isa), job);
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
        cbc_encrypt::<B, R, K>(isa, job);
    }
}
