//! The traits of the crate `digest`, so that a hasher serves where generic code asks for them.

use digest::common::BlockSizeUser;
use digest::consts::{U20, U28, U32, U48, U64, U128};
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};

use crate::{Algorithm, Hasher, Sha1, Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

impl<A: Algorithm> Update for Hasher<A> {
    fn update(&mut self, data: &[u8]) {
        Hasher::update(self, data);
    }
}

impl<A: Algorithm> Reset for Hasher<A> {
    fn reset(&mut self) {
        self.wipe();
    }
}

impl<A: Algorithm> HashMarker for Hasher<A> {}

macro_rules! sizes {
    ($($hasher:ident $output:ident $block:ident;)*) => {$(
        impl OutputSizeUser for $hasher {
            type OutputSize = $output;
        }
        impl BlockSizeUser for $hasher {
            type BlockSize = $block;
        }
        impl FixedOutput for $hasher {
            fn finalize_into(self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finish());
            }
        }
        impl FixedOutputReset for $hasher {
            fn finalize_into_reset(&mut self, out: &mut Output<Self>) {
                out.copy_from_slice(&self.finish_reset());
            }
        }
    )*};
}
sizes! {
    Sha1 U20 U64;
    Sha224 U28 U64;
    Sha256 U32 U64;
    Sha384 U48 U128;
    Sha512 U64 U128;
    Sha512_224 U28 U128;
    Sha512_256 U32 U128;
}
