//! The places of the levels of a tree of blocks in a file: the top one first.

use alloc::vec::Vec;
use core::ops::Range;

use super::levels::Nodes;

/// The places of a tree's levels, one after another, top first, in whole blocks filled with zeros, as
/// `veritysetup` and `fsverity digest --out-merkle-tree` write them.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{FsVeritySha256, Preset};
///
/// let verity = FsVeritySha256::new(1024, b"")?;
/// let message = vec![7; 100_000];
/// let layout = verity.layout(100_000);
/// let mut levels = vec![0; layout.n_bytes as usize];
/// let mut hasher = verity.hasher_keeping(|nodes| {
///     if let Some(at) = layout.place(&nodes) {
///         levels[at as usize..][..nodes.digests.len()].copy_from_slice(nodes.digests);
///     }
/// });
/// hasher.update(&message);
/// hasher.finish()?;
/// assert_eq!(levels.len(), 1024 + 4 * 1024, "98 blocks, 32 digests in each");
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockLayout {
    /// The place of each level in bytes, whole blocks, by [`Nodes::level`]. A single block of data has no
    /// level.
    pub levels: Vec<Range<u64>>,
    /// Bytes of all of them.
    pub n_bytes: u64,
    slot_bytes: usize,
}

impl BlockLayout {
    pub(super) fn new(n_blocks: u64, block_bytes: usize, slot_bytes: usize) -> Self {
        let per_node = (block_bytes / slot_bytes) as u64;
        let mut n_digests = n_blocks;
        let mut lengths = Vec::new();
        while n_digests > 1 {
            n_digests = n_digests.div_ceil(per_node);
            lengths.push(n_digests.saturating_mul(block_bytes as u64));
        }
        // More blocks than a 64-bit file has bytes are always wrong; nothing overflows.
        let n_bytes = lengths.iter().fold(0, |sum: u64, length| sum.saturating_add(*length));
        let mut start = n_bytes;
        let place = |length: &u64| {
            let end = start;
            start = start.saturating_sub(*length);
            start..end
        };
        Self { levels: lengths.iter().map(place).collect(), n_bytes, slot_bytes }
    }

    /// Returns the place of these digests. `None` for the root, which is not stored.
    pub fn place(&self, nodes: &Nodes<'_>) -> Option<u64> {
        let level = self.levels.get(nodes.level as usize)?;
        Some(level.start + nodes.index * self.slot_bytes as u64)
    }
}
