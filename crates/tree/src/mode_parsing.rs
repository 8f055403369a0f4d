//! Modes read from their names.

use alloc::string::ToString;
use core::str::FromStr;

use crate::algorithm::HashName;
use crate::error::TreeError;
use crate::mode::{Mode, Variant};

impl FromStr for Mode {
    type Err = TreeError;

    fn from_str(name: &str) -> Result<Self, TreeError> {
        let mode = match name {
            "mh_sha1" => Some(Self::MhSha1),
            "mh_sha256" => Some(Self::MhSha256),
            "parallel_hash" => Some(Self::ParallelHash),
            _ => with_fields(name),
        };
        // A mode has one name: `jlanes-v1-sha256-016` is not one.
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
