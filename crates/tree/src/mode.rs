//! Modes by name: `jlanes-v1-sha256-16`.

use alloc::string::ToString;
use core::fmt;
use core::num::NonZeroU8;
use core::str::FromStr;

use crate::algorithm::HashName;
use crate::error::TreeError;
use crate::prefix::Variant;

/// What there is, for the error that says so.
pub(crate) const NAMES: &str = "jlanes-v1-HASH-J, jpointers-v1-HASH-J (HASH: sha1, sha256, sha384, sha512; J: 1 to 255; \
     v1s, v1n for v1: single-prefix, no-prefix), mh_sha1, mh_sha256, parallel_hash";

/// A tree mode by name. [`Tree::new`](crate::Tree::new) makes the function of it.
///
/// ```
/// # mod hashlanes { pub use hashlanes_tree as tree; }
/// use hashlanes::tree::Mode;
///
/// let mode: Mode = "jlanes-v1-sha256-16".parse()?;
/// assert_eq!(mode.to_string(), "jlanes-v1-sha256-16");
/// let error = "jlanes-sha256".parse::<Mode>().unwrap_err();
/// assert!(error.to_string().starts_with("there is no tree mode \"jlanes-sha256\"; there is jlanes-v1-HASH-J"));
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
        /// How many lanes.
        j: NonZeroU8,
    },
    /// [`JPointers`](crate::JPointers): `jpointers-v1-<hash>-<j>`.
    JPointers {
        /// `v1`, `v1s` or `v1n`.
        variant: Variant,
        /// The hash.
        hash: HashName,
        /// How many slices.
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
    /// Whether the length of a message must be known before its first byte.
    pub const fn needs_length(self) -> bool {
        matches!(self, Self::JPointers { .. } | Self::ParallelHash)
    }

    /// Which of the project's own variants it is; `None` for functions that are defined elsewhere.
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

impl FromStr for Mode {
    type Err = TreeError;

    fn from_str(name: &str) -> Result<Self, TreeError> {
        let mode = match name {
            "mh_sha1" => Some(Self::MhSha1),
            "mh_sha256" => Some(Self::MhSha256),
            "parallel_hash" => Some(Self::ParallelHash),
            _ => with_fields(name),
        };
        // A mode has one name: `jlanes-v1-sha256-016` is none.
        mode.filter(|mode| mode.to_string() == name).ok_or_else(|| TreeError::UnknownMode(name.into()))
    }
}

/// `jlanes-<variant>-<hash>-<j>` and its sibling.
fn with_fields(name: &str) -> Option<Mode> {
    let mut fields = name.split('-');
    let (family, variant) = (fields.next()?, fields.next()?);
    let (hash, j) = (fields.next()?, fields.next()?.parse().ok()?);
    let variant = Variant::ALL.into_iter().find(|known| known.name() == variant)?;
    let hash = HashName::ALL.iter().copied().find(|known| known.name() == hash)?;
    match family {
        "jlanes" => Some(Mode::JLanes { variant, hash, j }),
        "jpointers" => Some(Mode::JPointers { variant, hash, j }),
        _ => None,
    }
}
