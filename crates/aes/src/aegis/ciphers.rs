//! The ciphers of the family, as types: what tells them apart.

use core::fmt::Debug;

use hashlanes_isa::cipher::{Block, Kernel};
use zeroize::Zeroize;

use super::job::Job;
use super::kernels::{Verbs, call};

/// A cipher of the family; see [`Aegis`](super::Aegis).
///
/// Sealed: the ciphers are those of this module.
pub trait Cipher: sealed::OnKernels + Copy + Debug + Send + Sync + 'static {
    /// As standards and papers spell it.
    const NAME: &'static str;
    /// Instances of the state: 2 in AEGIS-128X2, 4 in AEGIS-128X4.
    const DEGREE: usize;
    /// Bytes that an update takes in.
    const RATE_BYTES: usize;
    /// Bytes of a key, and of a nonce.
    const KEY_BYTES: usize;
    /// A key, or a nonce.
    type Key: AsRef<[u8]>
        + AsMut<[u8]>
        + for<'a> TryFrom<&'a [u8]>
        + Copy
        + Default
        + Debug
        + Eq
        + Send
        + Sync
        + Zeroize;
    /// The state, block by block: block 0 of all instances, then block 1.
    #[doc(hidden)]
    type State: AsRef<[Block]> + AsMut<[Block]> + Copy + Default + Send + Sync + Zeroize;
}

pub(crate) mod sealed {
    use super::*;

    /// A cipher's verb.
    pub trait OnKernels: Sized {
        #[doc(hidden)]
        fn run(kernel: &'static Kernel<Verbs>, job: JobOf<'_, Self>)
        where
            Self: Cipher;
    }

    /// A job, where it can be seen but not made.
    pub struct JobOf<'a, C: Cipher>(pub(crate) Job<'a, C>);
}

macro_rules! ciphers {
    ($( $(#[$doc:meta])* $cipher:ident $verb:ident $name:literal, $rows:literal blocks x $degree:literal, rate $rate:literal, key $key:literal; )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $cipher;

        impl sealed::OnKernels for $cipher {
            #[inline]
            fn run(kernel: &'static Kernel<Verbs>, job: sealed::JobOf<'_, Self>) {
                call::$verb(kernel, job.0);
            }
        }

        impl Cipher for $cipher {
            const NAME: &'static str = $name;
            const DEGREE: usize = $degree;
            const RATE_BYTES: usize = $rate;
            const KEY_BYTES: usize = $key;
            type Key = [u8; $key];
            type State = [Block; $rows * $degree];
        }
    )*};
}
ciphers! {
    /// AEGIS-128: Wu and Preneel, version 1.1 (2016), winner of CAESAR; the cipher of papers/004.
    C128 aegis128 "AEGIS-128", 5 blocks x 1, rate 16, key 16;
    /// AEGIS-128L: RFC 10032, section 3.
    C128L aegis128l "AEGIS-128L", 8 blocks x 1, rate 32, key 16;
    /// AEGIS-128X2: RFC 10032, section 5.4.
    C128X2 aegis128x2 "AEGIS-128X2", 8 blocks x 2, rate 64, key 16;
    /// AEGIS-128X4: RFC 10032, section 5.4.
    C128X4 aegis128x4 "AEGIS-128X4", 8 blocks x 4, rate 128, key 16;
    /// AEGIS-256: RFC 10032, section 4.
    C256 aegis256 "AEGIS-256", 6 blocks x 1, rate 16, key 32;
    /// AEGIS-256X2: RFC 10032, section 5.5.
    C256X2 aegis256x2 "AEGIS-256X2", 6 blocks x 2, rate 32, key 32;
    /// AEGIS-256X4: RFC 10032, section 5.5.
    C256X4 aegis256x4 "AEGIS-256X4", 6 blocks x 4, rate 64, key 32;
}

/// Bytes of a tag, and who has such tags.
pub trait Tag<C: Cipher>: Copy + Debug + Send + Sync + 'static {
    /// The tag.
    type Bytes: AsRef<[u8]>
        + AsMut<[u8]>
        + for<'a> TryFrom<&'a [u8]>
        + Copy
        + Default
        + Debug
        + Eq
        + Send
        + Sync
        + Zeroize;
    /// Their number.
    const TAG_BYTES: usize;
}

/// Tags of 128 bits.
#[derive(Clone, Copy, Debug)]
pub struct Tag128;

/// Tags of 256 bits: all ciphers of RFC 10032 have them. With them it is infeasible to find two keys for a ciphertext, too.
#[derive(Clone, Copy, Debug)]
pub struct Tag256;

impl<C: Cipher> Tag<C> for Tag128 {
    type Bytes = [u8; 16];
    const TAG_BYTES: usize = 16;
}

/// A cipher of RFC 10032; AEGIS-128 is older, has tags of 128 bits alone, and no code.
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
