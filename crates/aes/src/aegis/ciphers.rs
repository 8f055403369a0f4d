//! The ciphers on their kernels, and their tags.

use core::fmt::Debug;

use hashlanes_isa::cipher::Kernel;

use super::job::Job;
use super::kernels::{Verbs, call};
use super::parameters::{ByteArray, C128, C128L, C128X2, C128X4, C256, C256X2, C256X4, Parameters};

/// A cipher of the family; see [`Aegis`](super::Aegis).
///
/// Sealed: the ciphers are those of this module.
pub trait Cipher: Parameters + sealed::OnKernels {}

pub(crate) mod sealed {
    use super::*;

    /// A cipher's verb.
    pub trait OnKernels: Parameters {
        #[doc(hidden)]
        fn run(kernel: &'static Kernel<Verbs>, job: JobOf<'_, Self>);
    }

    /// A job, where it can be seen but not made.
    pub struct JobOf<'a, C: Parameters>(pub(crate) Job<'a, C>);
}

macro_rules! ciphers {
    ($($cipher:ident $verb:ident;)*) => {$(
        impl sealed::OnKernels for $cipher {
            #[inline]
            fn run(kernel: &'static Kernel<Verbs>, job: sealed::JobOf<'_, Self>) {
                call::$verb(kernel, job.0);
            }
        }

        impl Cipher for $cipher {}
    )*};
}
ciphers! {
    C128 aegis128;
    C128L aegis128l;
    C128X2 aegis128x2;
    C128X4 aegis128x4;
    C256 aegis256;
    C256X2 aegis256x2;
    C256X4 aegis256x4;
}

/// Bytes of a tag, and who has such tags.
pub trait Tag<C: Cipher>: Copy + Debug + Send + Sync + 'static {
    /// The tag.
    type Bytes: ByteArray;
    /// Their number.
    const TAG_BYTES: usize;
}

/// Tags of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Tag128;

/// Tags of 256 bits, which all ciphers of RFC 10032 support. They also make it infeasible to find two keys
/// for one ciphertext.
#[derive(Clone, Copy, Debug)]
pub struct Tag256;

impl<C: Cipher> Tag<C> for Tag128 {
    type Bytes = [u8; 16];
    const TAG_BYTES: usize = 16;
}

/// A cipher of RFC 10032. AEGIS-128 is older, and has only tags of 128 bits and no code.
pub trait Rfc10032: Cipher {}
impl Rfc10032 for C128L {}
impl Rfc10032 for C128X2 {}
impl Rfc10032 for C128X4 {}
impl Rfc10032 for C256 {}
impl Rfc10032 for C256X2 {}
impl Rfc10032 for C256X4 {}

impl<C: Rfc10032> Tag<C> for Tag256 {
    type Bytes = [u8; 32];
    const TAG_BYTES: usize = 32;
}
