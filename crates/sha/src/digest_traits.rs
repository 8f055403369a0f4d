//! The traits of the crate `digest`, so that a hasher serves where generic code asks for them.

use digest::common::BlockSizeUser;
use digest::{FixedOutput, FixedOutputReset, HashMarker, Output, OutputSizeUser, Reset, Update};

#[cfg(feature = "sha1")]
use crate::Sha1;
use crate::{Algorithm, Hasher};
#[cfg(feature = "sha2")]
use crate::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

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
            type OutputSize = digest::consts::$output;
        }
        impl BlockSizeUser for $hasher {
            type BlockSize = digest::consts::$block;
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
#[cfg(feature = "sha1")]
sizes! {
    Sha1 U20 U64;
}
#[cfg(feature = "sha2")]
sizes! {
    Sha224 U28 U64;
    Sha256 U32 U64;
    Sha384 U48 U128;
    Sha512 U64 U128;
    Sha512_224 U28 U128;
    Sha512_256 U32 U128;
}
