//! Version 0.11 of the crate `digest`.

use core::fmt;

use digest::array::{Array, ArraySize};
use digest::block_api::{
    AlgorithmName, Block, Buffer, BufferKindUser, CoreProxy, Eager, FixedOutputCore, UpdateCore,
};
use digest::block_buffer::BlockSizes;
use digest::common::{BlockSizeUser, KeySizeUser};
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
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
    type BlockSize: BlockBytes;
    /// A digest's bytes as a type.
    type OutputSize: ArraySize;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
    /// The object identifier.
    const OID: ObjectIdentifier;
}

/// The length of a block.
pub trait BlockBytes: BlockSizes {
    /// Returns the bytes of blocks.
    fn bytes_of(blocks: &[Array<u8, Self>]) -> &[u8];
}

macro_rules! block_bytes {
    ($($length:ident)*) => {$(
        impl BlockBytes for consts::$length {
            #[inline]
            fn bytes_of(blocks: &[Array<u8, Self>]) -> &[u8] {
                Array::cast_slice_to_core(blocks).as_flattened()
            }
        }
    )*};
}
block_bytes! { U64 U128 }

parameters_of_hashes!();
traits_of_hashes!();

impl<A: Parameters> UpdateCore for Hasher<A> {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.absorb(A::BlockSize::bytes_of(blocks));
    }
}

impl<A: Parameters> CoreProxy for Hasher<A> {
    type Core = Self;

    fn compose(mut core: Self, buffer: Buffer<Self>) -> Self {
        core.absorb(buffer.get_data());
        core
    }

    fn decompose(mut self) -> (Self, Buffer<Self>) {
        let buffer = Buffer::<Self>::new(self.progress.rest());
        self.progress.forget_rest();
        (self, buffer)
    }
}

/// The associated types and constants of a sponge that the traits require.
#[cfg(feature = "sha3")]
pub trait SpongeParameters: Sponge {
    /// A block's bytes as a type.
    type BlockSize: ArraySize;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
}

/// The parameters of a hash for the traits.
#[cfg(feature = "sha3")]
pub trait HashParameters: SpongeParameters + SpongeHash {
    /// A digest's bytes as a type.
    type OutputSize: ArraySize;
}

#[cfg(feature = "sha3")]
parameters_of_sponges!();
#[cfg(feature = "sha3")]
traits_of_sponges!();
