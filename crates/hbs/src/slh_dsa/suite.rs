//! The hash functions of each parameter set: FIPS 205, section 11.

use hashlanes_sha::algorithms::{Sha256, Sha512};

use super::address::{Compressed, Whole};
use super::message_hash::MessageHash;
use super::seeded::Seeded;
use super::sha2::Sha2Message;
use super::shake::ShakeMessage;
use crate::batch::Node;
use crate::batch::sha2::Sha2;
use crate::batch::shake::Shake;

/// A hash family and n.
pub(super) trait Suite: 'static {
    type Node: Node;
    /// F and PRF.
    type Short: Seeded;
    /// H and T_l.
    type Tree: Seeded;
    type Message: MessageHash;
    /// n.
    const N: usize = Self::Node::BYTES;
    /// len: chains of a WOTS+ key.
    const LEN: usize = 2 * Self::N + 3;
}

macro_rules! suites {
    ($($name:ident $n:literal $short:ty, $tree:ty, $message:ty;)*) => {$(
        pub(super) enum $name {}
        impl Suite for $name {
            type Node = [u8; $n];
            type Short = $short;
            type Tree = $tree;
            type Message = $message;
        }
    )*};
}
suites! {
    Sha2N16 16 Sha2<Sha256, Compressed>, Sha2<Sha256, Compressed>, Sha2Message<Sha256>;
    Sha2N24 24 Sha2<Sha256, Compressed>, Sha2<Sha512, Compressed>, Sha2Message<Sha512>;
    Sha2N32 32 Sha2<Sha256, Compressed>, Sha2<Sha512, Compressed>, Sha2Message<Sha512>;
    ShakeN16 16 Shake<16, Whole>, Shake<16, Whole>, ShakeMessage;
    ShakeN24 24 Shake<24, Whole>, Shake<24, Whole>, ShakeMessage;
    ShakeN32 32 Shake<32, Whole>, Shake<32, Whole>, ShakeMessage;
}

/// Runs `$body` with `$S` set to the suite of a parameter set.
macro_rules! with_suite {
    ($set:expr, $S:ident => $body:expr) => {
        match ($set.family(), $set.n()) {
            (crate::slh_dsa::Family::Sha2, 16) => {
                type $S = crate::slh_dsa::suite::Sha2N16;
                $body
            }
            (crate::slh_dsa::Family::Sha2, 24) => {
                type $S = crate::slh_dsa::suite::Sha2N24;
                $body
            }
            (crate::slh_dsa::Family::Sha2, _) => {
                type $S = crate::slh_dsa::suite::Sha2N32;
                $body
            }
            (crate::slh_dsa::Family::Shake, 16) => {
                type $S = crate::slh_dsa::suite::ShakeN16;
                $body
            }
            (crate::slh_dsa::Family::Shake, 24) => {
                type $S = crate::slh_dsa::suite::ShakeN24;
                $body
            }
            (crate::slh_dsa::Family::Shake, _) => {
                type $S = crate::slh_dsa::suite::ShakeN32;
                $body
            }
        }
    };
}
pub(super) use with_suite;

/// F, PRF, H and T_l under one PK.seed.
pub(super) struct Functions<S: Suite> {
    pub(super) short: S::Short,
    pub(super) tree: S::Tree,
}

impl<S: Suite> Functions<S> {
    pub(super) fn new(pk_seed: &[u8]) -> Self {
        Self { short: S::Short::new(pk_seed), tree: S::Tree::new(pk_seed) }
    }
}
