//! Modes by name: `jlanes-v1-sha256-16`.

use core::fmt;
use core::num::NonZeroU8;

use crate::algorithm::HashName;

/// The prefix blocks of a tree's hashes.
///
/// Only [`Variant::V1`] is secure (see the crate's documentation). The others exist to reproduce published
/// figures; use them for nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Variant {
    /// `v1`: every hash has a prefix block of its own.
    #[default]
    V1,
    /// `v1s`: all hashes begin with the same block, Pre(j, 0, type). **Not secure:** a lane's digest is also
    /// the result of another message (no final-node separability).
    V1SinglePrefix,
    /// `v1n`: no hash has a prefix block. **Not secure:** the result is the plain hash of another message,
    /// the lanes' digests one after another; a lane's digest is the plain hash of its slice.
    V1NoPrefix,
}

impl Variant {
    /// All variants.
    pub const ALL: [Self; 3] = [Self::V1, Self::V1SinglePrefix, Self::V1NoPrefix];

    /// Returns the name in modes: `v1`, `v1s`, `v1n`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::V1 => "v1",
            Self::V1SinglePrefix => "v1s",
            Self::V1NoPrefix => "v1n",
        }
    }

    /// Returns whether the security argument of the crate's documentation holds.
    pub const fn is_sound(self) -> bool {
        matches!(self, Self::V1)
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A tree mode by name. [`Tree::new`](crate::Tree::new) returns its function.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::Mode;
///
/// let mode: Mode = "jlanes-v1-sha256-16".parse()?;
/// assert_eq!(mode.to_string(), "jlanes-v1-sha256-16");
/// let error = "jlanes-sha256".parse::<Mode>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown tree mode \"jlanes-sha256\"; expected one of jlanes-v1-HASH-J"));
/// # Ok::<(), hashlanes::tree::TreeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Mode {
    /// [`JLanes`](crate::JLanes): `jlanes-v1-<hash>-<j>`.
    JLanes {
        /// `v1`, `v1s` or `v1n`.
        variant: Variant,
        /// The hash.
        hash: HashName,
        /// The number of lanes.
        j: NonZeroU8,
    },
    /// [`JPointers`](crate::JPointers): `jpointers-v1-<hash>-<j>`.
    JPointers {
        /// `v1`, `v1s` or `v1n`.
        variant: Variant,
        /// The hash.
        hash: HashName,
        /// The number of slices.
        j: NonZeroU8,
    },
    /// [`mh_sha1`](crate::mh_sha1()).
    MhSha1,
    /// [`mh_sha256`](crate::mh_sha256()).
    MhSha256,
    /// [`parallel_hash`](crate::parallel_hash()).
    ParallelHash,
}

impl Mode {
    /// Returns whether the length of a message must be known before its first byte.
    pub const fn needs_length(self) -> bool {
        matches!(self, Self::JPointers { .. } | Self::ParallelHash)
    }

    /// Returns the variant of a mode of this project; `None` for functions defined elsewhere.
    pub const fn variant(self) -> Option<Variant> {
        match self {
            Self::JLanes { variant, .. } | Self::JPointers { variant, .. } => Some(variant),
            _ => None,
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::JLanes { variant, hash, j } => write!(f, "jlanes-{variant}-{hash}-{j}"),
            Self::JPointers { variant, hash, j } => write!(f, "jpointers-{variant}-{hash}-{j}"),
            Self::MhSha1 => f.write_str("mh_sha1"),
            Self::MhSha256 => f.write_str("mh_sha256"),
            Self::ParallelHash => f.write_str("parallel_hash"),
        }
    }
}
