//! The ciphers of the family as types, with their parameters.

use core::fmt::Debug;

use hashlanes_isa::cipher::Block;
use zeroize::Zeroize;

/// Bytes of a fixed number: keys, nonces and tags.
pub trait ByteArray:
    AsRef<[u8]> + AsMut<[u8]> + for<'a> TryFrom<&'a [u8]> + Copy + Default + Debug + Eq + Send + Sync + Zeroize
{
}

impl ByteArray for [u8; 16] {}
impl ByteArray for [u8; 32] {}

/// The parameters of a cipher of the family.
pub trait Parameters: Copy + Debug + Send + Sync + 'static {
    /// The spelling of standards and papers.
    const NAME: &'static str;
    /// Instances of the state: 2 in AEGIS-128X2, 4 in AEGIS-128X4.
    const DEGREE: usize;
    /// Bytes that an update takes in.
    const RATE_BYTES: usize;
    /// Bytes of a key, and of a nonce.
    const KEY_BYTES: usize;
    /// A key, or a nonce.
    type Key: ByteArray;
    /// The state, block by block: block 0 of all instances, then block 1.
    #[doc(hidden)]
    type State: AsRef<[Block]> + AsMut<[Block]> + Copy + Default + Send + Sync + Zeroize;
}

macro_rules! ciphers {
    ($( $(#[$doc:meta])* $cipher:ident $name:literal, $rows:literal blocks x $degree:literal, rate $rate:literal, key $key:literal; )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $cipher;

        impl Parameters for $cipher {
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
    /// AEGIS-128: Wu and Preneel, version 1.1 (2016), winner of CAESAR; the cipher of Faz-Hernández, López,
    /// de Oliveira 2018.
    C128 "AEGIS-128", 5 blocks x 1, rate 16, key 16;
    /// AEGIS-128L: RFC 10032, section 3.
    C128L "AEGIS-128L", 8 blocks x 1, rate 32, key 16;
    /// AEGIS-128X2: RFC 10032, section 5.4.
    C128X2 "AEGIS-128X2", 8 blocks x 2, rate 64, key 16;
    /// AEGIS-128X4: RFC 10032, section 5.4.
    C128X4 "AEGIS-128X4", 8 blocks x 4, rate 128, key 16;
    /// AEGIS-256: RFC 10032, section 4.
    C256 "AEGIS-256", 6 blocks x 1, rate 16, key 32;
    /// AEGIS-256X2: RFC 10032, section 5.5.
    C256X2 "AEGIS-256X2", 6 blocks x 2, rate 32, key 32;
    /// AEGIS-256X4: RFC 10032, section 5.5.
    C256X4 "AEGIS-256X4", 6 blocks x 4, rate 64, key 32;
}
