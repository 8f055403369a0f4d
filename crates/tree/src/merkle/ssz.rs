//! ssz: the root of chunks in Ethereum's consensus layer (SimpleSerialize, "Merkleization").

use alloc::vec::Vec;

use hashlanes_sha::{Hasher, algorithms::Sha256};

use super::error::MerkleError;
use super::levels::{Rest, Rule};
use super::prefixed::Prefixed;
use super::preset::{Preset, sealed};
use super::shape::{Last, Leaf, Shape, Upper, Whole};
use super::zero_roots::ZERO_ROOTS;

/// `merkleize` of SimpleSerialize: chunks of 32 bytes, the last one filled with zeros, and SHA-256(l ‖ r)
/// over them. Chunks of zeros complete the tree to a power of two, at no cost.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{Preset, Ssz};
///
/// // A list of up to 2^40 balances of 8 bytes, four in a chunk.
/// let balances: Vec<u8> = (0..1000u64).flat_map(u64::to_le_bytes).collect();
/// let root = Ssz::with_limit(1 << 38).mix_in_length(1000).digest(&balances)?;
/// assert_ne!(root, Ssz::new().digest(&balances)?);
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ssz {
    shape: Shape<Sha256>,
    limit: Option<u64>,
    length: Option<u64>,
}

impl Ssz {
    /// The number of bytes of a chunk.
    pub const CHUNK_BYTES: usize = 32;

    /// Creates the function for the input's own number of chunks: the root of a vector.
    pub fn new() -> Self {
        let rule = Rule::of_pairs(&[], Rest::ZeroSubtrees);
        let plain = Shape::new(Self::CHUNK_BYTES, Prefixed::new(&[]), Upper::Levels(rule));
        let shape = Shape { leaf: Leaf::Itself, last: Last::ZeroFilled, ..plain };
        Self { shape, limit: None, length: None }
    }

    /// Creates a tree with room for `limit` chunks.
    pub fn with_limit(limit: u64) -> Self {
        let mut ssz = Self::new();
        ssz.shape.depth = Some(depth_of(limit));
        ssz.limit = Some(limit);
        ssz
    }

    /// Returns the root of a list: SHA-256(root ‖ `length` as u256le), which binds the number of its
    /// elements.
    pub fn mix_in_length(self, length: u64) -> Self {
        Self { length: Some(length), ..self }
    }
}

impl Default for Ssz {
    fn default() -> Self {
        Self::new()
    }
}

/// Returns the number of levels above the chunks of a tree with this much room.
fn depth_of(limit: u64) -> u32 {
    match limit {
        0 | 1 => 0,
        _ => (limit - 1).ilog2() + 1,
    }
}

/// The size of messages whose levels stay on the stack, in bytes: most messages of SimpleSerialize have a few
/// chunks. For 8 chunks, the engine's buffers took as long as the nodes.
const SMALL: usize = 2048;

/// Returns the root of 1 to N chunks, level by level.
fn small_root<const N: usize>(message: &[u8], depth: Option<u32>) -> [u8; 32] {
    let mut level = [[0; 32]; N];
    level.as_flattened_mut()[..message.len()].copy_from_slice(message);
    let mut n_nodes = message.len().div_ceil(32);
    let mut number = 0;
    while n_nodes > 1 {
        if n_nodes % 2 == 1 {
            level[n_nodes] = ZERO_ROOTS[number];
        }
        let n_above = n_nodes.div_ceil(2);
        number += 1;
        if n_above == 1 {
            level[0] = Hasher::<Sha256>::digest(level[..2].as_flattened());
            break;
        }
        let mut above = [[0; 32]; N];
        Hasher::<Sha256>::digest_fixed(level[..2 * n_above].as_flattened(), 64, &mut above[..n_above]);
        level[..n_above].copy_from_slice(&above[..n_above]);
        n_nodes = n_above;
    }
    let mut root = level[0];
    for zeros in &ZERO_ROOTS[number..(depth.unwrap_or(0) as usize).max(number)] {
        root = Hasher::<Sha256>::digest([root, *zeros].as_flattened());
    }
    root
}

impl sealed::Sealed for Ssz {}
impl Preset for Ssz {
    type Algorithm = Sha256;
    type Output = [u8; 32];

    fn shape(&self) -> &Shape<Sha256> {
        &self.shape
    }

    fn digest(&self, message: &[u8]) -> Result<[u8; 32], MerkleError> {
        if message.len() > SMALL {
            let mut hasher = self.hasher();
            hasher.update(message);
            return hasher.finish();
        }
        let n_chunks = message.len().div_ceil(Self::CHUNK_BYTES) as u64;
        let root = match n_chunks {
            0 => None,
            // The buffer is filled with zeros; if it were ten times too large, that would take as long as a
            // node.
            1..=8 => Some(small_root::<8>(message, self.shape.depth)),
            _ => Some(small_root::<{ SMALL / 32 }>(message, self.shape.depth)),
        };
        self.output(Whole { root, n_bytes: message.len() as u64, n_chunks, kept: Vec::new() })
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<[u8; 32], MerkleError> {
        let n_chunks = whole.n_chunks;
        if let Some(limit) = self.limit
            && n_chunks > limit
        {
            return Err(MerkleError::OverLimit { n_chunks, limit });
        }
        let root = whole.root.unwrap_or(ZERO_ROOTS[self.shape.depth.unwrap_or(0) as usize]);
        Ok(match self.length {
            None => root,
            Some(length) => {
                let mut hasher = Hasher::<Sha256>::new();
                hasher.update(root);
                hasher.update(length.to_le_bytes());
                hasher.update([0; 24]);
                hasher.finish()
            }
        })
    }
}
