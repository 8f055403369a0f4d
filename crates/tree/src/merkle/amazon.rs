//! glacier and s3-composite: the checksums of archives in Amazon S3 Glacier, and of objects uploaded to
//! Amazon S3 in parts (from their developer guides).

use core::fmt;

use base64ct::{Base64, Encoding};
use hashlanes_sha::{Hasher, algorithms::Sha256};

use super::error::MerkleError;
use super::levels::{Rest, Rule};
use super::prefixed::Prefixed;
use super::preset::{Preset, sealed};
use super::shape::{Shape, Upper, Whole};

/// The tree hash of Amazon S3 Glacier: SHA-256 of chunks of 1 MiB, and SHA-256(l ‖ r) over them; a single
/// last node moves up. An empty archive is one empty chunk.
///
/// See [`Preset`] for an example.
#[derive(Clone, Debug)]
pub struct Glacier(Shape<Sha256>);

impl Glacier {
    /// The number of bytes of a chunk.
    pub const CHUNK_BYTES: usize = 1 << 20;

    /// Creates the tree, which has no parameters.
    pub fn new() -> Self {
        let rule = Rule::of_pairs(&[], Rest::Promoted);
        Self(Shape::new(Self::CHUNK_BYTES, Prefixed::new(&[]), Upper::Levels(rule)))
    }
}

impl Default for Glacier {
    fn default() -> Self {
        Self::new()
    }
}

impl sealed::Sealed for Glacier {}
impl Preset for Glacier {
    type Algorithm = Sha256;
    type Output = [u8; 32];

    fn shape(&self) -> &Shape<Sha256> {
        &self.0
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<[u8; 32], MerkleError> {
        Ok(whole.root.unwrap_or_else(|| Hasher::<Sha256>::digest([])))
    }
}

/// The composite SHA-256 of an object that was uploaded to Amazon S3 in parts: the hash of the parts' hashes.
/// An empty object is one empty part.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{Preset, S3Composite};
///
/// let checksum = S3Composite::new(5 << 20)?.digest(&vec![7; 12 << 20])?;
/// assert_eq!(checksum.n_parts, 3);
/// assert!(checksum.to_string().ends_with("=-3"), "base64, and the number of parts");
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct S3Composite(Shape<Sha256>);

/// A composite checksum. Displayed as the service displays it: base64, `-`, the number of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct S3Checksum {
    /// SHA-256 of the parts' digests, one after another.
    pub digest: [u8; 32],
    /// The number of parts.
    pub n_parts: u64,
}

impl S3Composite {
    /// Creates the function with parts of `part_bytes` bytes; the last part may be shorter.
    ///
    /// # Errors
    /// [`MerkleError::NoBytes`].
    pub fn new(part_bytes: usize) -> Result<Self, MerkleError> {
        if part_bytes == 0 {
            return Err(MerkleError::NoBytes { what: "part size" });
        }
        Ok(Self(Shape::new(part_bytes, Prefixed::new(&[]), Upper::Flat)))
    }
}

impl sealed::Sealed for S3Composite {}
impl Preset for S3Composite {
    type Algorithm = Sha256;
    type Output = S3Checksum;

    fn shape(&self) -> &Shape<Sha256> {
        &self.0
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<S3Checksum, MerkleError> {
        let of_nothing = || Hasher::<Sha256>::digest(Hasher::<Sha256>::digest([]));
        let digest = whole.root.unwrap_or_else(of_nothing);
        Ok(S3Checksum { digest, n_parts: whole.n_chunks.max(1) })
    }
}

impl fmt::Display for S3Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// 32 bytes in base64.
        const LENGTH: usize = 44;
        let mut text = [0; LENGTH];
        let text = Base64::encode(&self.digest, &mut text).expect("44 characters for 32 bytes");
        write!(f, "{text}-{}", self.n_parts)
    }
}
