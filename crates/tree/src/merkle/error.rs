//! What is refused of Merkle trees: parameters, messages, trees and proofs that do not fit.

use core::fmt;

/// What the format has no result for, or what does not hold, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MerkleError {
    /// The block size is none that the format has.
    BlockSize {
        /// What was given, in bytes.
        given: usize,
        /// The least that there is; all are powers of two.
        least: usize,
        /// The greatest that there is.
        most: usize,
    },
    /// The salt is too long.
    Salt {
        /// What was given, in bytes.
        given: usize,
        /// The most that there is.
        most: usize,
    },
    /// There are no leaves, parts or blocks of nothing.
    NoBytes {
        /// The parameter's name.
        what: &'static str,
    },
    /// A piece's length is a power of two, 16 KiB or more.
    PieceLength(u64),
    /// dm-verity: the data are whole blocks, one or more.
    NotWholeBlocks {
        /// The data's length in bytes.
        len_bytes: u64,
        /// A block's.
        block_bytes: usize,
    },
    /// The format has no root of an empty file.
    Empty,
    /// There are more chunks than the limit has room for.
    OverLimit {
        /// How many there are.
        n_chunks: u64,
        /// The limit.
        limit: u64,
    },
    /// The tree has no such leaf.
    NoLeaf {
        /// What was asked for, from 0.
        index: u64,
        /// How many leaves there are.
        n_leaves: u64,
    },
    /// The tree has no such beginning: it is of one leaf or more, and of all at most.
    NoBeginning {
        /// What was asked for: leaves of the older tree.
        first: u64,
        /// How many leaves there are.
        n_leaves: u64,
    },
    /// The proof has too few nodes or too many.
    ProofLength {
        /// How many were given.
        given: usize,
        /// How many the leaves' numbers ask for.
        expected: usize,
    },
    /// The proof leads to another root.
    WrongProof {
        /// Of which tree.
        of: &'static str,
    },
    /// The tree is shorter or longer than the data's.
    TreeLength {
        /// What was given, in bytes.
        given: u64,
        /// What the data ask for.
        expected: u64,
    },
    /// A block of the tree does not have the digest that stands above it.
    WrongBlock {
        /// The block's first byte in the tree.
        at: u64,
    },
    /// What should be a superblock is none that is known here.
    Superblock(&'static str),
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
                f.write_str("no data: dm-verity needs a block or more")
            }
            Self::NotWholeBlocks { len_bytes, block_bytes } => {
                write!(f, "{len_bytes} bytes of data are no whole blocks of {block_bytes}")
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
            Self::Superblock(why) => write!(f, "superblock: {why}"),
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
