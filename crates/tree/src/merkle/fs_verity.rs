//! fs-verity: a file's digest as Linux file systems keep it (Documentation/filesystems/fsverity.rst).
//!
//! Each block of the file is hashed after the salt, which is filled with zeros to a block of the hash.
//! Digests are stored in blocks, which are hashed in turn, up to a single digest. The file digest is the
//! plain hash of a descriptor of 256 bytes that holds the root.

use alloc::vec::Vec;

use hashlanes_sha::{Algorithm, Hasher, algorithms};

use super::error::{MerkleError, check_block_size, check_salt};
use super::layout::BlockLayout;
use super::levels::{Rest, Rule};
use super::prefixed::Prefixed;
use super::preset::{Preset, sealed};
use super::shape::{Last, Shape, Upper, Whole};

/// A hash that fs-verity supports: SHA-256 or SHA-512.
pub trait FsVerityAlgorithm: Algorithm + numbers::Numbered {}

mod numbers {
    /// The hash's number in the kernel's interface, FS_VERITY_HASH_ALG_….
    pub trait Numbered {
        const NUMBER: u8;
    }
}

impl numbers::Numbered for algorithms::Sha256 {
    const NUMBER: u8 = 1;
}
impl numbers::Numbered for algorithms::Sha512 {
    const NUMBER: u8 = 2;
}
impl FsVerityAlgorithm for algorithms::Sha256 {}
impl FsVerityAlgorithm for algorithms::Sha512 {}

/// fs-verity with SHA-256.
pub type FsVeritySha256 = FsVerity<algorithms::Sha256>;
/// fs-verity with SHA-512.
pub type FsVeritySha512 = FsVerity<algorithms::Sha512>;

/// The digest of a file in Linux's fs-verity: that of `fsverity digest`.
///
/// The root of a file of one block is that block's digest; the root of an empty file is all zeros.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{FsVeritySha256, Preset};
///
/// let file = FsVeritySha256::new(4096, b"salt")?.digest(b"content")?;
/// let _: [u8; 32] = file.digest;
/// let _: [u8; 32] = file.root;
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct FsVerity<A: FsVerityAlgorithm> {
    shape: Shape<A>,
    salt: Vec<u8>,
}

/// The fs-verity digest of a file, with its root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FsVerityFile<D> {
    /// The file's digest: the hash of the descriptor.
    pub digest: D,
    /// The tree's root, which the descriptor holds.
    pub root: D,
}

impl<A: FsVerityAlgorithm> FsVerity<A> {
    /// The tools' default: 4096 bytes.
    pub const BLOCK_BYTES: usize = 4096;
    /// The longest salt.
    pub const MAX_SALT: usize = 32;

    /// Creates a tree with blocks of `block_bytes` bytes, a power of two from 1024 to 2^30, and a salt of 0
    /// to 32 bytes.
    ///
    /// # Errors
    /// [`MerkleError::BlockSize`], [`MerkleError::Salt`].
    pub fn new(block_bytes: usize, salt: &[u8]) -> Result<Self, MerkleError> {
        check_block_size(block_bytes, 1024, 1 << 30)?;
        check_salt(salt, Self::MAX_SALT)?;
        let mut prefix = salt.to_vec();
        prefix.resize(salt.len().next_multiple_of(A::BLOCK_BYTES), 0);
        let node = Prefixed::new(&prefix);
        let slot_bytes = A::DIGEST_BYTES;
        let per_node = block_bytes / slot_bytes;
        let rule = Rule { node: node.clone(), per_node, slot_bytes, rest: Rest::ZeroFilled };
        let shape = Shape { last: Last::ZeroFilled, ..Shape::new(block_bytes, node, Upper::Levels(rule)) };
        Ok(Self { shape, salt: salt.to_vec() })
    }

    /// Returns the places of the levels over a file of `n_bytes` bytes.
    pub fn layout(&self, n_bytes: u64) -> BlockLayout {
        let block_bytes = self.shape.chunk_bytes;
        BlockLayout::new(n_bytes.div_ceil(block_bytes as u64), block_bytes, A::DIGEST_BYTES)
    }

    /// Returns the descriptor of a file: `struct fsverity_descriptor` of the kernel's interface, version 1,
    /// numbers little-endian.
    pub fn descriptor(&self, n_bytes: u64, root: &A::Digest) -> [u8; 256] {
        let mut descriptor = [0; 256];
        let log_block_bytes = self.shape.chunk_bytes.ilog2() as u8;
        descriptor[..4].copy_from_slice(&[1, A::NUMBER, log_block_bytes, self.salt.len() as u8]);
        descriptor[8..16].copy_from_slice(&n_bytes.to_le_bytes());
        descriptor[16..][..A::DIGEST_BYTES].copy_from_slice(root.as_ref());
        descriptor[80..][..self.salt.len()].copy_from_slice(&self.salt);
        descriptor
    }
}

impl<A: FsVerityAlgorithm> sealed::Sealed for FsVerity<A> {}
impl<A: FsVerityAlgorithm> Preset for FsVerity<A> {
    type Algorithm = A;
    type Output = FsVerityFile<A::Digest>;

    fn shape(&self) -> &Shape<A> {
        &self.shape
    }

    fn output(&self, whole: Whole<A>) -> Result<Self::Output, MerkleError> {
        let root = whole.root.unwrap_or(A::ZERO_DIGEST);
        Ok(FsVerityFile { digest: Hasher::<A>::digest(self.descriptor(whole.n_bytes, &root)), root })
    }
}
