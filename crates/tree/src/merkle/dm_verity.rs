//! dm-verity: the hash device of a read-only block device
//! (Documentation/admin-guide/device-mapper/verity.rst), format 1.
//!
//! ```text
//!   hash device    superblock   top level   …   level 1   level 0        all of whole blocks
//!                  (or none)                              digests of the data's blocks
//! ```
//!
//! Each block is hashed after the salt, which is used as it is. Digests are filled with zeros to a power of
//! two and stored in blocks, which are hashed in turn, up to a single digest: the root, which is not stored
//! on the device.

use alloc::vec;
use alloc::vec::Vec;

use hashlanes_sha::{Algorithm, algorithms};

use super::error::{MerkleError, check_block_size, check_salt};
use super::layout::BlockLayout;
use super::levels::{Rest, Rule};
use super::prefixed::{GROUP, Prefixed};
use super::preset::{Preset, sealed};
use super::shape::{Shape, Upper, Whole};

/// dm-verity with SHA-1, which is broken where collisions matter.
pub type DmVeritySha1 = DmVerity<algorithms::Sha1>;
/// dm-verity with SHA-256.
pub type DmVeritySha256 = DmVerity<algorithms::Sha256>;
/// dm-verity with SHA-384.
pub type DmVeritySha384 = DmVerity<algorithms::Sha384>;
/// dm-verity with SHA-512.
pub type DmVeritySha512 = DmVerity<algorithms::Sha512>;

/// The tree of dm-verity, format 1, over data of whole blocks, as `veritysetup format` writes it.
///
/// Blocks of the data and of the hash device have the same length, or lengths of their own
/// ([`DmVerity::with_hash_blocks`]). The result is the root.
/// [`DmVerity::hash_file`] returns the whole hash device; [`Preset::hasher_keeping`] with
/// [`DmVerity::layout`] writes a device of any length without keeping it in memory.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{DmVeritySha256, Preset};
///
/// let verity = DmVeritySha256::new(4096, b"salt")?;
/// let data = vec![7; 300 * 4096];
/// let root: [u8; 32] = verity.digest(&data)?;
///
/// let levels = verity.hash_file(&data)?;
/// verity.check_hash_file(&levels, 300, &root)?;
/// assert!(verity.check_hash_file(&levels[4096..], 300, &root).is_err());
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DmVerity<A: Algorithm> {
    shape: Shape<A>,
    /// The length of a block of the hash device.
    hash_block_bytes: usize,
    salt: Vec<u8>,
}

impl<A: Algorithm> DmVerity<A> {
    /// The tools' default: 4096 bytes.
    pub const BLOCK_BYTES: usize = 4096;
    /// The longest salt.
    pub const MAX_SALT: usize = 256;
    /// The length of the superblock in bytes; on the hash device it has a block of its own.
    pub const SUPERBLOCK_BYTES: usize = 512;

    /// Creates a tree with blocks of `block_bytes` bytes: a power of two from 512 to 2^19, as the tools
    /// require, and a salt of 0 to 256 bytes.
    ///
    /// # Errors
    /// [`MerkleError::BlockSize`], [`MerkleError::Salt`].
    pub fn new(block_bytes: usize, salt: &[u8]) -> Result<Self, MerkleError> {
        Self::with_hash_blocks(block_bytes, block_bytes, salt)
    }

    /// Creates a tree over blocks of `data_block_bytes` bytes, whose hash device has blocks of
    /// `hash_block_bytes` bytes.
    ///
    /// # Errors
    /// Like [`DmVerity::new`].
    pub fn with_hash_blocks(
        data_block_bytes: usize,
        hash_block_bytes: usize,
        salt: &[u8],
    ) -> Result<Self, MerkleError> {
        check_block_size(data_block_bytes, 512, 1 << 19)?;
        check_block_size(hash_block_bytes, 512, 1 << 19)?;
        check_salt(salt, Self::MAX_SALT)?;
        let node = Prefixed::new(salt);
        let slot_bytes = A::DIGEST_BYTES.next_power_of_two();
        let per_node = hash_block_bytes / slot_bytes;
        let rule = Rule { node: node.clone(), per_node, slot_bytes, rest: Rest::ZeroFilled };
        let shape = Shape::new(data_block_bytes, node, Upper::Levels(rule));
        Ok(Self { shape, hash_block_bytes, salt: salt.to_vec() })
    }

    fn slot_bytes(&self) -> usize {
        A::DIGEST_BYTES.next_power_of_two()
    }

    /// Returns where the levels of `n_blocks` blocks of data are, after the superblock.
    pub fn layout(&self, n_blocks: u64) -> BlockLayout {
        BlockLayout::new(n_blocks, self.hash_block_bytes, self.slot_bytes())
    }

    /// Returns the levels over `data`, top first, in the order in which they follow the superblock.
    ///
    /// # Errors
    /// [`MerkleError::NotWholeBlocks`].
    pub fn hash_file(&self, data: &[u8]) -> Result<Vec<u8>, MerkleError> {
        self.whole_blocks(data.len() as u64)?;
        let layout = self.layout((data.len() / self.shape.chunk_bytes) as u64);
        let mut file = vec![0; layout.n_bytes as usize];
        let mut hasher = self.hasher_keeping(|nodes| {
            if let Some(at) = layout.place(&nodes) {
                file[at as usize..][..nodes.digests.len()].copy_from_slice(nodes.digests);
            }
        });
        hasher.update(data);
        hasher.finish()?;
        Ok(file)
    }

    /// Returns the number of blocks in `len_bytes` bytes of data.
    ///
    /// # Errors
    /// [`MerkleError::NotWholeBlocks`].
    pub fn whole_blocks(&self, len_bytes: u64) -> Result<u64, MerkleError> {
        let block_bytes = self.shape.chunk_bytes;
        if len_bytes > 0 && len_bytes.is_multiple_of(block_bytes as u64) {
            Ok(len_bytes / block_bytes as u64)
        } else {
            Err(MerkleError::NotWholeBlocks { len_bytes, block_bytes })
        }
    }

    /// Checks that `hash_file`, the levels over `n_blocks` blocks of data, belongs to the root.
    ///
    /// The data are not read: if this check passes, the digests of their blocks, which are the last level,
    /// are right. A single block has no levels, and the root is its own digest.
    ///
    /// # Errors
    /// [`MerkleError::NotWholeBlocks`] for no blocks, [`MerkleError::TreeLength`],
    /// [`MerkleError::WrongBlock`] for the first wrong block from the top.
    pub fn check_hash_file(
        &self,
        hash_file: &[u8],
        n_blocks: u64,
        root: &A::Digest,
    ) -> Result<(), MerkleError> {
        if n_blocks == 0 {
            self.whole_blocks(0)?;
        }
        let layout = self.layout(n_blocks);
        let (given, expected) = (hash_file.len() as u64, layout.n_bytes);
        if given != expected {
            return Err(MerkleError::TreeLength { given, expected });
        }
        let Upper::Levels(rule) = &self.shape.upper else { unreachable!("dm-verity has levels") };
        let block_bytes = self.hash_block_bytes;
        let mut above = root.as_ref();
        for level in layout.levels.iter().rev() {
            let level = level.start as usize..level.end as usize;
            let groups = hash_file[level.clone()].chunks(block_bytes.saturating_mul(GROUP));
            for (group, slots) in groups.zip(above.chunks(GROUP * self.slot_bytes())) {
                let mut digests = [A::ZERO_DIGEST; GROUP];
                let digests = &mut digests[..group.len() / block_bytes];
                rule.node.digest_equal(group, block_bytes, digests);
                let slots = slots.chunks(self.slot_bytes());
                if let Some(k) = digests.iter().zip(slots).position(|(digest, slot)| !is_in(digest, slot)) {
                    let before = group.as_ptr() as usize - hash_file.as_ptr() as usize;
                    return Err(MerkleError::WrongBlock { at: (before + k * block_bytes) as u64 });
                }
            }
            above = &hash_file[level];
        }
        Ok(())
    }

    /// Returns the superblock, version 1, for `n_blocks` blocks of data: numbers little-endian, the salt at
    /// byte 88.
    ///
    /// On the hash device it is in a block of its own, filled with zeros, followed by the levels
    /// ([`DmVerity::layout`]):
    ///
    /// ```
    /// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
    /// use hashlanes::tree::merkle::DmVeritySha256;
    ///
    /// let (data, uuid) = (vec![7; 300 * 4096], [1; 16]);
    /// let verity = DmVeritySha256::new(4096, b"salt")?;
    /// let mut device = verity.superblock(uuid, verity.whole_blocks(300 * 4096)?).to_vec();
    /// device.resize(4096, 0);
    /// device.extend(verity.hash_file(&data)?);
    /// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
    /// ```
    pub fn superblock(&self, uuid: [u8; 16], n_blocks: u64) -> [u8; 512] {
        let mut block = [0; 512];
        let mut put = |at: usize, bytes: &[u8]| block[at..][..bytes.len()].copy_from_slice(bytes);
        put(0, b"verity\0\0");
        put(8, &1u32.to_le_bytes()); // version
        put(12, &1u32.to_le_bytes()); // hash type: format 1
        put(16, &uuid);
        put(32, A::NAME.as_bytes());
        put(64, &(self.shape.chunk_bytes as u32).to_le_bytes());
        put(68, &(self.hash_block_bytes as u32).to_le_bytes());
        put(72, &n_blocks.to_le_bytes());
        put(80, &(self.salt.len() as u16).to_le_bytes());
        put(88, &self.salt);
        block
    }
}

/// Returns whether a slot holds this digest. The slot may also be a root, which is not filled up.
fn is_in<D: AsRef<[u8]>>(digest: &D, slot: &[u8]) -> bool {
    let (held, filler) = slot.split_at(digest.as_ref().len());
    held == digest.as_ref() && filler.iter().all(|&byte| byte == 0)
}

impl<A: Algorithm> sealed::Sealed for DmVerity<A> {}
impl<A: Algorithm> Preset for DmVerity<A> {
    type Algorithm = A;
    type Output = A::Digest;

    fn shape(&self) -> &Shape<A> {
        &self.shape
    }

    fn output(&self, whole: Whole<A>) -> Result<A::Digest, MerkleError> {
        self.whole_blocks(whole.n_bytes)?;
        Ok(whole.root.expect("a block or more"))
    }
}
