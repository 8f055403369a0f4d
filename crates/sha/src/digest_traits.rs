//! The traits of the crate `digest`, so that generic code accepts a hasher or an HMAC.
//!
//! The crate `hmac` builds its `Hmac` from a hash's block-level core ([`CoreProxy`]), which compresses
//! blocks; a wrapper buffers the rest of the message. A hasher is its own core: it gets whole blocks, so its
//! own buffer stays empty.
//!
//! `CustomizedInit` is for hashes with a customization string, such as cSHAKE. SHA-2 and HMAC have none.

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
    OutputSizeUser, Reset, Update,
};

use crate::algorithm::{Algorithm, algorithms};
use crate::{Hasher, Hmac};

/// The associated types and constants of an algorithm that the traits require.
pub trait Parameters: Algorithm {
    /// A block's bytes as a type.
    type BlockSize: BlockSizes;
    /// A digest's bytes as a type.
    type OutputSize: ArraySize;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
    /// The object identifier of RFC 8017, appendix B.1.
    const OID: ObjectIdentifier;

    /// Returns the bytes of blocks.
    fn bytes_of_blocks(blocks: &[Array<u8, Self::BlockSize>]) -> &[u8];
}

macro_rules! parameters {
    ($($algorithm:ident $output:ident $block:ident $oid:literal;)*) => {$(
        impl Parameters for algorithms::$algorithm {
            type BlockSize = digest::consts::$block;
            type OutputSize = digest::consts::$output;
            const TYPE_NAME: &'static str = stringify!($algorithm);
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);

            #[inline]
            fn bytes_of_blocks(blocks: &[Array<u8, Self::BlockSize>]) -> &[u8] {
                Array::cast_slice_to_core(blocks).as_flattened()
            }
        }
    )*};
}
#[cfg(feature = "sha1")]
parameters! {
    Sha1 U20 U64 "1.3.14.3.2.26";
}
#[cfg(feature = "sha2")]
parameters! {
    Sha224 U28 U64 "2.16.840.1.101.3.4.2.4";
    Sha256 U32 U64 "2.16.840.1.101.3.4.2.1";
    Sha384 U48 U128 "2.16.840.1.101.3.4.2.2";
    Sha512 U64 U128 "2.16.840.1.101.3.4.2.3";
    Sha512_224 U28 U128 "2.16.840.1.101.3.4.2.5";
    Sha512_256 U32 U128 "2.16.840.1.101.3.4.2.6";
}

impl<A: Parameters> HashMarker for Hasher<A> {}

impl<A: Parameters> OutputSizeUser for Hasher<A> {
    type OutputSize = A::OutputSize;
}

impl<A: Parameters> BlockSizeUser for Hasher<A> {
    type BlockSize = A::BlockSize;
}

impl<A: Parameters> AlgorithmName for Hasher<A> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(A::TYPE_NAME)
    }
}

impl<A: Parameters> AssociatedOid for Hasher<A> {
    const OID: ObjectIdentifier = A::OID;
}

impl<A: Parameters> Update for Hasher<A> {
    fn update(&mut self, part: &[u8]) {
        self.absorb(part);
    }
}

impl<A: Parameters> Reset for Hasher<A> {
    fn reset(&mut self) {
        self.wipe();
    }
}

impl<A: Parameters> FixedOutput for Hasher<A> {
    fn finalize_into(mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.end().as_ref());
    }
}

impl<A: Parameters> FixedOutputReset for Hasher<A> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish_reset().as_ref());
    }
}

impl<A: Parameters> BufferKindUser for Hasher<A> {
    type BufferKind = Eager;
}

impl<A: Parameters> UpdateCore for Hasher<A> {
    fn update_blocks(&mut self, blocks: &[Block<Self>]) {
        self.absorb(A::bytes_of_blocks(blocks));
    }
}

impl<A: Parameters> FixedOutputCore for Hasher<A> {
    fn finalize_fixed_core(&mut self, buffer: &mut Buffer<Self>, out: &mut Output<Self>) {
        self.absorb(buffer.get_data());
        buffer.reset();
        out.copy_from_slice(self.end().as_ref());
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

impl<A: Parameters> MacMarker for Hmac<A> {}

impl<A: Parameters> OutputSizeUser for Hmac<A> {
    type OutputSize = A::OutputSize;
}

impl<A: Parameters> BlockSizeUser for Hmac<A> {
    type BlockSize = A::BlockSize;
}

impl<A: Parameters> AlgorithmName for Hmac<A> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hmac<{}>", A::TYPE_NAME)
    }
}

/// Keys of a block; [`KeyInit::new_from_slice`] accepts any length.
impl<A: Parameters> KeySizeUser for Hmac<A> {
    type KeySize = A::BlockSize;
}

impl<A: Parameters> KeyInit for Hmac<A> {
    fn new(key: &Key<Self>) -> Self {
        Hmac::new(key)
    }

    fn new_from_slice(key: &[u8]) -> Result<Self, InvalidLength> {
        Ok(Hmac::new(key))
    }
}

impl<A: Parameters> Update for Hmac<A> {
    fn update(&mut self, part: &[u8]) {
        self.absorb(part);
    }
}

impl<A: Parameters> Reset for Hmac<A> {
    fn reset(&mut self) {
        self.begin_again();
    }
}

impl<A: Parameters> FixedOutput for Hmac<A> {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish().as_ref());
    }
}

impl<A: Parameters> FixedOutputReset for Hmac<A> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish_reset().as_ref());
    }
}
