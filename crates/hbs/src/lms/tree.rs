//! One tree: RFC 8554, section 5. Its leaves and nodes in lanes.

use alloc::vec::Vec;

use super::hash::{Identifier, Kind, Suite, node};
use super::lm_ots::Ots;
use super::params::{IDENTIFIER_BYTES, Level};
use crate::Error;
use crate::batch::Batch;
use crate::batch::trees::climb;

/// A public key of LMS: section 5.3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TreeKey<'a> {
    pub(crate) level: Level,
    pub(crate) identifier: &'a Identifier,
    /// T\[1\].
    pub(crate) root: &'a [u8],
}

impl<'a> TreeKey<'a> {
    /// Reads the key at the start of `bytes`; returns it with its length.
    ///
    /// # Errors
    /// [`Error::Typecode`] if its parameters are unknown; [`Error::PublicKeyLength`] if it is truncated.
    pub(crate) fn of_start(bytes: &'a [u8]) -> Result<(Self, usize), Error> {
        let too_short = |expected| Error::PublicKeyLength { given: bytes.len(), expected };
        let (types, rest) = bytes.split_first_chunk::<8>().ok_or(too_short(8 + IDENTIFIER_BYTES + 24))?;
        let number = |at: usize| u32::from_be_bytes(*types[at..].first_chunk().expect("4 bytes"));
        let level = Level::from_types(number(0), number(4))?;
        let expected = level.public_key_bytes();
        let (identifier, root) = rest.split_first_chunk().ok_or(too_short(expected))?;
        let root = root.get(..level.n()).ok_or(too_short(expected))?;
        Ok((Self { level, identifier, root }, expected))
    }

    #[cfg(any(feature = "hazmat", feature = "store"))]
    /// Returns u32str(type) ‖ u32str(otstype) ‖ I ‖ T\[1\].
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let types = [self.level.lms_type(), self.level.lmots_type()].map(u32::to_be_bytes);
        [types.as_flattened(), self.identifier, self.root].concat()
    }
}

/// A parsed signature of LMS, and the key that verifies it: section 5.4.
#[derive(Clone, Copy)]
pub(crate) struct TreeSignature<'a> {
    pub(crate) key: TreeKey<'a>,
    pub(crate) q: u32,
    pub(crate) c: &'a [u8],
    y: &'a [u8],
    path: &'a [u8],
}

impl<'a> TreeSignature<'a> {
    /// Reads a signature of the right length: algorithm 6a, steps 1 and 2.
    ///
    /// # Errors
    /// [`Error::Invalid`] if its types are not those of the key; [`Error::Index`] if the tree has no such
    /// leaf.
    pub(crate) fn of(key: TreeKey<'a>, bytes: &'a [u8]) -> Result<Self, Error> {
        let (level, n) = (key.level, key.level.n());
        let word = |at: usize| u32::from_be_bytes(*bytes[at..].first_chunk().expect("4 bytes"));
        let path_at = 4 + level.ots_bytes();
        if word(4) != level.lmots_type() || word(path_at) != level.lms_type() {
            return Err(Error::Invalid);
        }
        let (q, signatures) = (word(0), 1 << level.height());
        if u64::from(q) >= signatures {
            return Err(Error::Index { index: q.into(), signatures });
        }
        let (c, y) = bytes[8..path_at].split_at(n);
        Ok(Self { key, q, c, y, path: &bytes[path_at + 4..] })
    }
}

/// Algorithm 6b for several signatures of one level, each with its message's hash. Returns for each whether
/// it results in its key's root.
pub(super) fn verify_hashed<S: Suite>(
    level: Level,
    signatures: &[TreeSignature<'_>],
    hashes: &[S::Node],
) -> Vec<bool> {
    let functions = S::functions();
    let places: Vec<_> = signatures.iter().map(|signature| (signature.key.identifier, signature.q)).collect();
    let ys = signatures.iter().map(|signature| signature.y);
    let keys = Ots::<S>::new(&functions, level).keys_from_signatures(&places, hashes, ys);
    let mut nodes = alloc::vec![S::Node::default(); keys.len()];
    Batch::new(&functions.nodes, S::N).many(&mut nodes, |batch, k, i| {
        let (identifier, q) = places[i];
        batch.set_address(k, &node(identifier, (1 << level.height()) + q, Kind::Leaf));
        batch.m(k).copy_from_slice(keys[i].as_ref());
    });
    let leaves: Vec<u32> = places.iter().map(|(_, q)| *q).collect();
    climb(
        &mut Batch::new(&functions.nodes, 2 * S::N),
        level.height(),
        &leaves,
        &mut nodes,
        |i| signatures[i].path,
        // Nodes are numbered from the root, 1, level by level.
        |i, z, index| node(places[i].0, (1 << (level.height() - z)) + index, Kind::Intr),
    );
    nodes.iter().zip(signatures).map(|(node, signature)| node.as_ref() == signature.key.root).collect()
}
