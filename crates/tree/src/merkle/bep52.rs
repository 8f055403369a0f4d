//! bep52: the pieces root of a file in BitTorrent v2 (BEP 52, The BitTorrent Protocol Specification v2).

use alloc::vec::Vec;

use hashlanes_sha::algorithms::Sha256;

use super::error::MerkleError;
use super::levels::{Rest, Rule};
use super::prefixed::Prefixed;
use super::preset::{Preset, sealed};
use super::shape::{Shape, Upper, Whole};

/// The tree of a file in BitTorrent v2: SHA-256 of blocks of 16 KiB, the last one shorter, SHA-256(l ‖ r)
/// over them, with zeros for missing digests up to a power of two.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{Bep52, Preset};
///
/// let file = Bep52::new(32 * 1024)?.digest(&[7; 100_000])?;
/// let _: [u8; 32] = file.root;
/// assert_eq!(file.piece_layer.len(), 4);
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Bep52 {
    shape: Shape<Sha256>,
    piece_bytes: u64,
}

/// The entries of a file in a torrent's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bep52File {
    /// `pieces root`.
    pub root: [u8; 32],
    /// `piece layers`: one hash per piece; empty for a file of a single piece.
    pub piece_layer: Vec<[u8; 32]>,
}

impl Bep52 {
    /// The number of bytes of a block.
    pub const BLOCK_BYTES: usize = 16 * 1024;

    /// Creates a tree with pieces of `piece_bytes` bytes, a power of two, 16 KiB or more.
    ///
    /// # Errors
    /// [`MerkleError::PieceLength`].
    pub fn new(piece_bytes: u64) -> Result<Self, MerkleError> {
        if !piece_bytes.is_power_of_two() || piece_bytes < Self::BLOCK_BYTES as u64 {
            return Err(MerkleError::PieceLength(piece_bytes));
        }
        let rule = Rule::of_pairs(&[], Rest::ZeroSubtrees);
        let mut shape = Shape::new(Self::BLOCK_BYTES, Prefixed::new(&[]), Upper::Levels(rule));
        shape.kept_level = Some(piece_bytes.ilog2() - Self::BLOCK_BYTES.ilog2());
        Ok(Self { shape, piece_bytes })
    }
}

impl sealed::Sealed for Bep52 {}
impl Preset for Bep52 {
    type Algorithm = Sha256;
    type Output = Bep52File;

    fn shape(&self) -> &Shape<Sha256> {
        &self.shape
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<Bep52File, MerkleError> {
        let root = whole.root.ok_or(MerkleError::Empty)?;
        let piece_layer =
            if whole.n_bytes <= self.piece_bytes { Vec::new() } else { whole.kept.as_chunks().0.to_vec() };
        Ok(Bep52File { root, piece_layer })
    }
}
