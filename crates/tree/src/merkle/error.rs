//! Errors of Merkle trees: parameters, messages, trees and proofs that do not match.

use core::fmt;

/// An error of a Merkle tree: input without a defined result, or a failed check.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MerkleError {
    /// The format does not have this block size.
    BlockSize {
        /// The given number of bytes.
        given: usize,
        /// The smallest allowed size; all are powers of two.
        least: usize,
        /// The greatest allowed size.
        most: usize,
    },
    /// The salt is too long.
    Salt {
        /// The given number of bytes.
        given: usize,
        /// The greatest allowed number.
        most: usize,
    },
    /// The length of leaves, parts or blocks must not be 0.
    NoBytes {
        /// The parameter's name.
        what: &'static str,
    },
    /// A piece's length is a power of two, 16 KiB or more.
    PieceLength(u64),
    /// dm-verity: the data must be whole blocks, one or more.
    NotWholeBlocks {
        /// The data's length in bytes.
        len_bytes: u64,
        /// The length of a block.
        block_bytes: usize,
    },
    /// The format has no root for an empty file.
    Empty,
    /// More chunks than the limit.
    OverLimit {
        /// The number of chunks.
        n_chunks: u64,
        /// The limit.
        limit: u64,
    },
    /// The tree has no such leaf.
    NoLeaf {
        /// The requested index, from 0.
        index: u64,
        /// The number of leaves.
        n_leaves: u64,
    },
    /// The older tree must have at least one leaf and at most all leaves.
    NoBeginning {
        /// The requested number of leaves of the older tree.
        first: u64,
        /// The number of leaves.
        n_leaves: u64,
    },
    /// The proof has too few nodes or too many.
    ProofLength {
        /// The given number of nodes.
        given: usize,
        /// The required number of nodes.
        expected: usize,
    },
    /// The proof leads to another root.
    WrongProof {
        /// The tree in question.
        of: &'static str,
    },
    /// The tree's length is not that of the data's tree.
    TreeLength {
        /// The given number of bytes.
        given: u64,
        /// The number that the data require.
        expected: u64,
    },
    /// A block of the tree does not have the digest in the level above.
    WrongBlock {
        /// The block's first byte in the tree.
        at: u64,
    },
    /// The tree, or a part of it, was not passed to the proof.
    NotSeen,
}

impl fmt::Display for MerkleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BlockSize { given, least, most } => {
                write!(f, "block size: {given}; it is a power of two from {least} to {most}")
            }
            Self::Salt { given, most } => write!(f, "salt: {given} bytes; at most {most}"),
            Self::NoBytes { what } => write!(f, "{what}: 0; it is one byte or more"),
            Self::PieceLength(given) => {
                write!(f, "piece length: {given}; it is a power of two from 16384")
            }
            Self::NotWholeBlocks { len_bytes: 0, .. } => {
                f.write_str("no data: there must be a block or more")
            }
            Self::NotWholeBlocks { len_bytes, block_bytes } => {
                write!(f, "{len_bytes} bytes of data: not a multiple of the block size, {block_bytes}")
            }
            Self::Empty => f.write_str("an empty file has no root"),
            Self::OverLimit { n_chunks, limit } => {
                write!(f, "{n_chunks} chunks are above the limit of {limit}")
            }
            Self::NoLeaf { index, n_leaves } => {
                write!(f, "no leaf {index} (counted from 0) in a tree of {n_leaves}")
            }
            Self::NoBeginning { first, n_leaves } => {
                write!(f, "no tree of the first {first} leaves, one or more, of {n_leaves}")
            }
            Self::ProofLength { given, expected } => {
                write!(f, "the proof has {given} nodes; it must have {expected}")
            }
            Self::WrongProof { of } => write!(f, "the proof does not lead to the root of {of}"),
            Self::TreeLength { given, expected } => {
                write!(f, "the tree has {given} bytes; it must have {expected}")
            }
            Self::WrongBlock { at } => {
                write!(f, "the tree's block at byte {at} does not have the digest above it")
            }
            Self::NotSeen => f.write_str("the proof's nodes are not all among those that were seen"),
        }
    }
}

impl core::error::Error for MerkleError {}

/// A block size that is a power of two within bounds.
pub(super) fn check_block_size(given: usize, least: usize, most: usize) -> Result<(), MerkleError> {
    if given.is_power_of_two() && (least..=most).contains(&given) {
        Ok(())
    } else {
        Err(MerkleError::BlockSize { given, least, most })
    }
}

/// A salt that is not too long.
pub(super) fn check_salt(salt: &[u8], most: usize) -> Result<(), MerkleError> {
    if salt.len() <= most { Ok(()) } else { Err(MerkleError::Salt { given: salt.len(), most }) }
}
