//! ssz: the root of chunks in Ethereum's consensus layer (SimpleSerialize, "Merkleization").

use hashlanes_sha::{Hasher, algorithms::Sha256};

use super::error::MerkleError;
use super::levels::{Levels, Rest, Rule};
use super::prefixed::Prefixed;
use super::preset::{Last, Leaf, Preset, Shape, Upper, Whole, sealed};

/// `merkleize` of SimpleSerialize: chunks of 32 bytes, the last one filled with zeros, SHA-256(l ‖ r) over them, and chunks of
/// zeros for those that are missing to a power of two, which cost nothing.
///
/// ```
/// # use hashlanes_tree as tree;
/// use tree::merkle::{Preset, Ssz};
///
/// // A list of up to 2^40 balances of 8 bytes, four in a chunk.
/// let balances: Vec<u8> = (0..1000u64).flat_map(u64::to_le_bytes).collect();
/// let root = Ssz::with_limit(1 << 38).mix_in_length(1000).digest(&balances)?;
/// assert_ne!(root, Ssz::new().digest(&balances)?);
/// # Ok::<(), tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Ssz {
    shape: Shape<Sha256>,
    limit: Option<u64>,
    length: Option<u64>,
}

impl Ssz {
    /// Bytes of a chunk.
    pub const CHUNK_BYTES: usize = 32;

    /// As many chunks as there are: a vector's root.
    pub fn new() -> Self {
        let rule = Rule::of_pairs(&[], Rest::ZeroSubtrees);
        let plain = Shape::new(Self::CHUNK_BYTES, Prefixed::new(&[]), Upper::Levels(rule));
        let shape = Shape { leaf: Leaf::Itself, last: Last::ZeroFilled, ..plain };
        Self { shape, limit: None, length: None }
    }

    /// A tree with room for `limit` chunks.
    pub fn with_limit(limit: u64) -> Self {
        let mut ssz = Self::new();
        ssz.shape.depth = Some(depth_of(limit));
        ssz.limit = Some(limit);
        ssz
    }

    /// A list's root: SHA-256(root ‖ `length` as u256le), which binds the number of its elements.
    pub fn mix_in_length(self, length: u64) -> Self {
        Self { length: Some(length), ..self }
    }
}

impl Default for Ssz {
    fn default() -> Self {
        Self::new()
    }
}

/// Levels above the chunks of a tree with room for so many.
fn depth_of(limit: u64) -> u32 {
    match limit {
        0 | 1 => 0,
        _ => (limit - 1).ilog2() + 1,
    }
}

impl sealed::Sealed for Ssz {}
impl Preset for Ssz {
    type Algorithm = Sha256;
    type Output = [u8; 32];

    fn shape(&self) -> &Shape<Sha256> {
        &self.shape
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<[u8; 32], MerkleError> {
        let n_chunks = whole.n_chunks;
        if let Some(limit) = self.limit
            && n_chunks > limit
        {
            return Err(MerkleError::OverLimit { n_chunks, limit });
        }
        let of_nothing = || {
            let rule = Rule::<Sha256>::of_pairs(&[], Rest::ZeroSubtrees);
            Levels::new(rule).zeros(self.shape.depth.unwrap_or(0))
        };
        let root = whole.root.unwrap_or_else(of_nothing);
        Ok(match self.length {
            None => root,
            Some(length) => {
                let mut hasher = Hasher::<Sha256>::new();
                hasher.update(&root);
                hasher.update(&length.to_le_bytes());
                hasher.update(&[0; 24]);
                hasher.finish()
            }
        })
    }
}
