//! The seven hashes: a compression function, an initial value and a digest length each.

use core::fmt::Debug;
use core::hash::Hash;

use hashlanes_isa::{Types, put_digest};

use crate::compiled::Compiled;
#[cfg(feature = "sha1")]
use crate::sha1;
#[cfg(feature = "sha2")]
use crate::{sha256, sha512};

/// A hash algorithm of FIPS 180-4; see [`algorithms`](crate::algorithms).
pub trait Algorithm: Copy + Debug + Send + Sync + 'static + sealed::Sealed {
    /// The compression function, whose kernels do the work.
    type Function: Compiled;
    /// A digest: an array of [`Algorithm::DIGEST_BYTES`] bytes.
    type Digest: Copy + Debug + Eq + Hash + Send + Sync + AsRef<[u8]> + AsMut<[u8]> + 'static;
    /// The name in functions' names, with `-` for `_`: `sha256`, `sha512-256`.
    const NAME: &'static str;
    /// Bytes in a block: 64 or 128.
    const BLOCK_BYTES: usize = Self::Function::BLOCK_BYTES;
    /// Bytes in a digest.
    const DIGEST_BYTES: usize;
    /// A digest of zeros, to be written over.
    const ZERO_DIGEST: Self::Digest;
    /// H(0), section 5.3.
    const H0: <Self::Function as Types>::State;

    /// Returns the digests' bytes, one digest after the other.
    #[doc(hidden)]
    fn bytes_of(digests: &mut [Self::Digest]) -> &mut [u8];

    /// Returns the digests of which these are the bytes, whole ones.
    #[doc(hidden)]
    fn digests_of(bytes: &mut [u8]) -> &mut [Self::Digest];
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! algorithms {
    ($($(#[$doc:meta])* $name:ident $text:literal $bytes:literal $module:ident $h0:ident $feature:literal;)*) => {
        /// The algorithms as types.
        pub(crate) mod algorithms {
            $(
                $(#[$doc])*
                #[cfg(feature = $feature)]
                #[derive(Clone, Copy, Debug)]
                pub struct $name;
            )*
        }
        $(
            #[cfg(feature = $feature)]
            impl sealed::Sealed for algorithms::$name {}
            #[cfg(feature = $feature)]
            impl Algorithm for algorithms::$name {
                type Function = $module::Compression;
                type Digest = [u8; $bytes];
                const NAME: &'static str = $text;
                const DIGEST_BYTES: usize = $bytes;
                const ZERO_DIGEST: Self::Digest = [0; $bytes];
                const H0: $module::State = $module::$h0;

                #[inline]
                fn bytes_of(digests: &mut [Self::Digest]) -> &mut [u8] {
                    digests.as_flattened_mut()
                }
                #[inline]
                fn digests_of(bytes: &mut [u8]) -> &mut [Self::Digest] {
                    bytes.as_chunks_mut().0
                }
            }
        )*
    };
}
algorithms! {
    /// SHA-1, section 6.1. Broken where collisions matter.
    Sha1 "sha1" 20 sha1 H0 "sha1";
    /// SHA-224, section 6.3.
    Sha224 "sha224" 28 sha256 H0_224 "sha2";
    /// SHA-256, section 6.2.
    Sha256 "sha256" 32 sha256 H0 "sha2";
    /// SHA-384, section 6.5.
    Sha384 "sha384" 48 sha512 H0_384 "sha2";
    /// SHA-512, section 6.4.
    Sha512 "sha512" 64 sha512 H0 "sha2";
    /// SHA-512/224, section 6.6.
    Sha512_224 "sha512-224" 28 sha512 H0_512_224 "sha2";
    /// SHA-512/256, section 6.7.
    Sha512_256 "sha512-256" 32 sha512 H0_512_256 "sha2";
}

/// The state of a compression function of `A`.
pub type State<A> = <<A as Algorithm>::Function as Types>::State;

/// Returns the first bytes of a state, big-endian: the digest.
#[doc(hidden)]
#[inline]
pub fn digest_of<A: Algorithm>(state: &State<A>) -> A::Digest {
    let mut digest = A::ZERO_DIGEST;
    put_digest::<A::Function>(state, digest.as_mut());
    digest
}
