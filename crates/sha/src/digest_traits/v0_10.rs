//! Version 0.10 of the crate `digest`.
//!
//! `CoreProxy` is sealed there: only the crate's own `CoreWrapper` around a core has it. `digest_0_10.rs`
//! names those around hashers.
#![allow(deprecated, reason = "the traits of this version have lengths of generic-array 0.14")]

use core::fmt;

use ::digest_0_10 as digest;
use digest::block_buffer::Eager;
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
use digest::core_api::{
    AlgorithmName, Block, BlockSizeUser, Buffer, BufferKindUser, FixedOutputCore, UpdateCore,
};
use digest::crypto_common::KeySizeUser;
use digest::generic_array::ArrayLength;
use digest::typenum::{IsLess, NonZero, U256};
use digest::{
    FixedOutput, FixedOutputReset, HashMarker, InvalidLength, Key, KeyInit, MacMarker, Output,
    OutputSizeUser, Reset, Update, consts,
};
#[cfg(feature = "sha3")]
use {
    crate::{Sponge, SpongeHash, SpongeHasher, Xof, XofReader},
    digest::{ExtendableOutput, ExtendableOutputReset},
};

use crate::algorithm::Algorithm;
use crate::{Hasher, Hmac, algorithms};

/// The associated types and constants of an algorithm that the traits require.
pub trait Parameters: Algorithm {
    /// A block's bytes as a type.
    type BlockSize: ArrayLength<u8> + IsLess<U256, Output: NonZero> + 'static;
    /// A digest's bytes as a type.
    type OutputSize: ArrayLength<u8> + 'static;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
    /// The object identifier.
    const OID: ObjectIdentifier;
}

parameters_of_hashes!();
traits_of_hashes!();

impl<A: Parameters> UpdateCore for Hasher<A> {
    /// Copies several blocks, because a slice of generic arrays is no slice of bytes.
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        if let [block] = blocks {
            return self.absorb(block);
        }
        let mut copy = [0; 2048];
        for blocks in blocks.chunks(copy.len() / A::BLOCK_BYTES) {
            let bytes = &mut copy[..blocks.len() * A::BLOCK_BYTES];
            for (bytes, block) in bytes.chunks_exact_mut(A::BLOCK_BYTES).zip(blocks) {
                bytes.copy_from_slice(block);
            }
            self.absorb(bytes);
        }
        copy = [0; 2048];
        core::hint::black_box(&mut copy);
    }
}

/// The associated types and constants of a sponge that the traits require.
#[cfg(feature = "sha3")]
pub trait SpongeParameters: Sponge {
    /// A block's bytes as a type.
    type BlockSize: ArrayLength<u8> + 'static;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
}

/// The parameters of a hash for the traits.
#[cfg(feature = "sha3")]
pub trait HashParameters: SpongeParameters + SpongeHash {
    /// A digest's bytes as a type.
    type OutputSize: ArrayLength<u8> + 'static;
}

#[cfg(feature = "sha3")]
parameters_of_sponges!();
#[cfg(feature = "sha3")]
traits_of_sponges!();
