//! The traits of the crate `digest`. Sponges have no block-level core there, so the crate `hmac` takes them
//! as `SimpleHmac`.

use core::fmt;

use digest::array::ArraySize;
use digest::block_api::AlgorithmName;
use digest::common::BlockSizeUser;
use digest::const_oid::{AssociatedOid, ObjectIdentifier};
use digest::{
    ExtendableOutput, ExtendableOutputReset, FixedOutput, FixedOutputReset, HashMarker, Output,
    OutputSizeUser, Reset, Update,
};

use super::algorithm::{
    Keccak256, Sha3_224, Sha3_256, Sha3_384, Sha3_512, Shake128, Shake256, Sponge, SpongeHash, Xof,
};
use super::hasher::{SpongeHasher, XofReader};

/// The associated types and constants of a function that the traits require.
pub trait Parameters: Sponge {
    /// A block's bytes as a type.
    type BlockSize: ArraySize;
    /// The name as a Rust type.
    const TYPE_NAME: &'static str;
}

/// The parameters of a hash for the traits.
pub trait HashParameters: Parameters + SpongeHash {
    /// A digest's bytes as a type.
    type OutputSize: ArraySize;
}

macro_rules! parameters {
    ($($sponge:ident $block:ident $($output:ident)?;)*) => {$(
        impl Parameters for $sponge {
            type BlockSize = digest::consts::$block;
            const TYPE_NAME: &'static str = stringify!($sponge);
        }
        $(
            impl HashParameters for $sponge {
                type OutputSize = digest::consts::$output;
            }
        )?
    )*};
}
parameters! {
    Sha3_224 U144 U28;
    Sha3_256 U136 U32;
    Sha3_384 U104 U48;
    Sha3_512 U72 U64;
    Keccak256 U136 U32;
    Shake128 U168;
    Shake256 U136;
}

/// The object identifiers of NIST's registry; Keccak-256 has none.
macro_rules! oids {
    ($($sponge:ident $oid:literal;)*) => {$(
        impl AssociatedOid for SpongeHasher<$sponge> {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }
    )*};
}
oids! {
    Sha3_224 "2.16.840.1.101.3.4.2.7";
    Sha3_256 "2.16.840.1.101.3.4.2.8";
    Sha3_384 "2.16.840.1.101.3.4.2.9";
    Sha3_512 "2.16.840.1.101.3.4.2.10";
    Shake128 "2.16.840.1.101.3.4.2.11";
    Shake256 "2.16.840.1.101.3.4.2.12";
}

impl<S: HashParameters> HashMarker for SpongeHasher<S> {}

impl<S: HashParameters> OutputSizeUser for SpongeHasher<S> {
    type OutputSize = S::OutputSize;
}

impl<S: Parameters> BlockSizeUser for SpongeHasher<S> {
    type BlockSize = S::BlockSize;
}

impl<S: Parameters> AlgorithmName for SpongeHasher<S> {
    fn write_alg_name(f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(S::TYPE_NAME)
    }
}

impl<S: Parameters> Update for SpongeHasher<S> {
    fn update(&mut self, part: &[u8]) {
        self.absorb(part);
    }
}

impl<S: Parameters> Reset for SpongeHasher<S> {
    fn reset(&mut self) {
        self.reset();
    }
}

impl<S: HashParameters> FixedOutput for SpongeHasher<S> {
    fn finalize_into(self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish().as_ref());
    }
}

impl<S: HashParameters> FixedOutputReset for SpongeHasher<S> {
    fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
        out.copy_from_slice(self.finish_reset().as_ref());
    }
}

impl<S: Parameters + Xof> ExtendableOutput for SpongeHasher<S> {
    type Reader = XofReader<S>;

    fn finalize_xof(self) -> XofReader<S> {
        self.finish_xof()
    }
}

impl<S: Parameters + Xof> ExtendableOutputReset for SpongeHasher<S> {
    fn finalize_xof_reset(&mut self) -> XofReader<S> {
        self.finish_xof_reset()
    }
}

impl<S: Xof> digest::XofReader for XofReader<S> {
    fn read(&mut self, output: &mut [u8]) {
        self.read(output);
    }
}
