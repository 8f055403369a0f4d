//! The hash of RFC 8554 and SP 800-208, section 4: SHA-256 or SHAKE256, truncated to n bytes. The hashed
//! messages, with their first bytes:
//!
//! ```text
//! step of a chain       I ‖ u32str(q) ‖ u16str(i) ‖ u8str(j) ‖ value              section 4.3
//! derived secret        I ‖ u32str(q) ‖ u16str(i) ‖ 0xff ‖ SEED                   appendix A
//! one-time public key   I ‖ u32str(q) ‖ D_PBLC ‖ values                           section 4.3
//! message               I ‖ u32str(q) ‖ D_MESG ‖ C ‖ message                      section 4.5
//! leaf                  I ‖ u32str(r) ‖ D_LEAF ‖ one-time public key              section 5.3
//! other node            I ‖ u32str(r) ‖ D_INTR ‖ left ‖ right                     section 5.3
//! ```
//!
//! For n = 32 a chain step is 55 bytes: one block of SHA-256 with its padding.

use hashlanes_sha::{Sha256, Shake256, algorithms};

use super::params::{HashFamily, IDENTIFIER_BYTES, Level, MAX_N};
use crate::batch::sha2::Sha2;
use crate::batch::shake::Shake;
use crate::batch::{Addressed, Layout, Node};

/// I.
pub(crate) type Identifier = [u8; IDENTIFIER_BYTES];

/// The input of a node's hash.
#[derive(Clone, Copy)]
pub(super) enum Kind {
    Pblc = 0x8080,
    Mesg = 0x8181,
    Leaf = 0x8282,
    Intr = 0x8383,
}

/// I ‖ u32str(q) ‖ u16str(i) ‖ u8str(j).
pub(super) type StepAddress = [u8; 23];
/// I ‖ u32str(r) ‖ D.
pub(super) type NodeAddress = [u8; 22];

/// The address of a step.
#[inline(always)]
pub(super) fn step(identifier: &Identifier, q: u32, i: u16, j: u8) -> StepAddress {
    let mut address = [j; 23];
    address[..16].copy_from_slice(identifier);
    address[16..20].copy_from_slice(&q.to_be_bytes());
    address[20..22].copy_from_slice(&i.to_be_bytes());
    address
}

/// The address of a node, of a one-time public key or of a message.
#[inline(always)]
pub(super) fn node(identifier: &Identifier, r: u32, kind: Kind) -> NodeAddress {
    let mut address = [0; 22];
    address[..16].copy_from_slice(identifier);
    address[16..20].copy_from_slice(&r.to_be_bytes());
    address[20..].copy_from_slice(&(kind as u16).to_be_bytes());
    address
}

/// Addresses that are already encoded.
pub(crate) enum Bytes<const N: usize> {}

impl<const N: usize> Layout for Bytes<N> {
    type Address = [u8; N];
    const BYTES: usize = N;

    #[inline(always)]
    fn put(address: &[u8; N], to: &mut [u8]) {
        to[..N].copy_from_slice(address);
    }
}

/// A hash with n.
pub(crate) trait Suite: Send + Sync + 'static {
    type Node: Node;
    /// Steps of chains, derived secrets.
    type Steps: Addressed<Layout = Bytes<23>>;
    /// One-time public keys, nodes.
    type Nodes: Addressed<Layout = Bytes<22>>;
    /// n.
    const N: usize = Self::Node::BYTES;

    fn functions() -> Functions<Self>;
}

/// The hashes of a suite.
pub(crate) struct Functions<S: Suite + ?Sized> {
    pub(super) steps: S::Steps,
    pub(super) nodes: S::Nodes,
}

/// SHAKE256 with the address at the start.
type PlainShake<L> = Shake<0, L>;
type PlainSha256<L> = Sha2<algorithms::Sha256, L>;

macro_rules! suites {
    ($($name:ident $n:literal $hash:ident;)*) => {$(
        pub(crate) enum $name {}
        impl Suite for $name {
            type Node = [u8; $n];
            type Steps = $hash<Bytes<23>>;
            type Nodes = $hash<Bytes<22>>;

            fn functions() -> Functions<Self> {
                Functions { steps: $hash::plain(), nodes: $hash::plain() }
            }
        }
    )*};
}
suites! {
    Sha256N32 32 PlainSha256;
    Sha256N24 24 PlainSha256;
    ShakeN32 32 PlainShake;
    ShakeN24 24 PlainShake;
}

/// Runs `$body` with `$S` set to the suite of a hash and n.
macro_rules! with_suite {
    ($set:expr, $S:ident => $body:expr) => {
        match ($set.hash(), $set.n()) {
            (crate::lms::HashFamily::Sha256, 32) => {
                type $S = crate::lms::hash::Sha256N32;
                $body
            }
            (crate::lms::HashFamily::Sha256, _) => {
                type $S = crate::lms::hash::Sha256N24;
                $body
            }
            (crate::lms::HashFamily::Shake256, 32) => {
                type $S = crate::lms::hash::ShakeN32;
                $body
            }
            (crate::lms::HashFamily::Shake256, _) => {
                type $S = crate::lms::hash::ShakeN24;
                $body
            }
        }
    };
}
pub(crate) use with_suite;

/// The hash of a whole message, in progress.
#[allow(clippy::large_enum_variant, reason = "one a message; the greater one is 376 bytes")]
pub(crate) enum MessageHash {
    Sha256(Sha256),
    Shake256(Shake256),
}

impl MessageHash {
    fn new(hash: HashFamily) -> Self {
        match hash {
            HashFamily::Sha256 => Self::Sha256(Sha256::new()),
            HashFamily::Shake256 => Self::Shake256(Shake256::new()),
        }
    }

    /// Begins Q of section 4.5, up to the message.
    pub(crate) fn of_message(level: Level, identifier: &Identifier, q: u32, c: &[u8]) -> Self {
        let mut hash = Self::new(level.hash());
        hash.update(&node(identifier, q, Kind::Mesg));
        hash.update(c);
        hash
    }

    #[cfg(any(feature = "hazmat", feature = "store"))]
    /// Returns the derived secret `i` of a one-time key (appendix A), with a single hash; the starts of
    /// chains go through the lanes.
    pub(super) fn of_secret(hash: HashFamily, identifier: &Identifier, q: u32, i: u16, seed: &[u8]) -> Self {
        let mut hash = Self::new(hash);
        hash.update(&step(identifier, q, i, 0xff));
        hash.update(seed);
        hash
    }

    pub(crate) fn update(&mut self, part: &[u8]) {
        match self {
            Self::Sha256(hash) => hash.update(part),
            Self::Shake256(hash) => hash.update(part),
        }
    }

    /// Returns the hash; its first n bytes count.
    pub(crate) fn finish(self) -> [u8; MAX_N] {
        match self {
            Self::Sha256(hash) => hash.finish(),
            Self::Shake256(hash) => {
                let mut digest = [0; MAX_N];
                hash.finish_xof().read(&mut digest);
                digest
            }
        }
    }
}
