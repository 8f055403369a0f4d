//! Hash addresses (RFC 8391, section 2.5): the position of a hash in the structure of trees.
//!
//! ```text
//! bytes   0 .. 4   4 .. 12   12 .. 16    16 .. 20         20 .. 24   24 .. 28   28 .. 32
//! OTS     layer    tree      0           OTS address      chain      hash       keyAndMask
//! L-tree  layer    tree      1           L-tree address   height     index      keyAndMask
//! tree    layer    tree      2           0                height     index      keyAndMask
//! ```
//!
//! The first half is the same for many hashes and is kept as bytes; the second half changes with each hash.

/// Length of an address in bytes.
pub(crate) const ADRS_BYTES: usize = 32;
/// Offset of the second half.
pub(crate) const TAIL: usize = 16;

/// One tree of a key. A key of XMSS has only tree 0 on layer 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    pub(crate) layer: u32,
    pub(crate) tree: u64,
}

/// The type of an address.
#[derive(Clone, Copy)]
enum Kind {
    Ots = 0,
    LTree = 1,
    HashTree = 2,
}

impl Tree {
    fn address(self, kind: Kind, words: [u32; 4]) -> Address {
        let mut head = [0; TAIL];
        head[..4].copy_from_slice(&self.layer.to_be_bytes());
        head[4..12].copy_from_slice(&self.tree.to_be_bytes());
        head[12..].copy_from_slice(&(kind as u32).to_be_bytes());
        Address { head, words }
    }

    /// The address of a WOTS+ chain, or of the derivation of its start.
    pub(crate) fn ots(self, ots: u32, chain: u32) -> Address {
        self.address(Kind::Ots, [ots, chain, 0, 0])
    }

    /// The address of the L-tree above the one-time key of leaf `leaf`.
    pub(crate) fn l_tree(self, leaf: u32) -> Address {
        self.address(Kind::LTree, [leaf, 0, 0, 0])
    }

    /// The address of the nodes above the leaves.
    pub(crate) fn hash_tree(self) -> Address {
        self.address(Kind::HashTree, [0, 0, 0, 0])
    }
}

/// A hash address, ADRS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Address {
    head: [u8; TAIL],
    words: [u32; 4],
}

impl Address {
    /// The 32 bytes toByte(x, 32), which older derivations use in place of an address.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    pub(crate) fn number(x: u64) -> Self {
        Self { head: [0; TAIL], words: [0, 0, (x >> 32) as u32, x as u32] }
    }

    /// Selects a node of the tree: the height of its two children, and its own index.
    #[inline(always)]
    pub(crate) fn at_node(mut self, height: u32, index: u32) -> Self {
        (self.words[1], self.words[2]) = (height, index);
        self
    }

    /// Returns the first half.
    #[cfg(any(feature = "hazmat", feature = "store"))]
    #[inline(always)]
    pub(crate) fn head(&self) -> &[u8; TAIL] {
        &self.head
    }

    /// Writes the second half to the first 16 bytes of `place`.
    #[inline(always)]
    pub(crate) fn put_tail(&self, place: &mut [u8]) {
        let (fields, _) = place[..TAIL].as_chunks_mut::<4>();
        for (field, word) in fields.iter_mut().zip(self.words) {
            *field = word.to_be_bytes();
        }
    }

    /// Writes the whole address.
    #[inline(always)]
    pub(crate) fn put(&self, place: &mut [u8; ADRS_BYTES]) {
        place[..TAIL].copy_from_slice(&self.head);
        self.put_tail(&mut place[TAIL..]);
    }

    /// Returns the whole address.
    pub(crate) fn bytes(&self) -> [u8; ADRS_BYTES] {
        let mut bytes = [0; ADRS_BYTES];
        self.put(&mut bytes);
        bytes
    }
}

/// Sets the chain step in an address that is already encoded.
#[inline(always)]
pub(crate) fn put_hash(place: &mut [u8; ADRS_BYTES], hash: u32) {
    place[24..28].copy_from_slice(&hash.to_be_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_where_the_standard_has_them() {
        let tree = Tree { layer: 0x01020304, tree: 0x05060708_090a0b0c };
        let head = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0, 0, 0];
        for (address, tail) in [
            (tree.ots(0x11121314, 0x21), [0, 0x11, 0x12, 0x13, 0x14, 0, 0, 0, 0x21, 0, 0, 0, 0]),
            (tree.l_tree(0x0a0b).at_node(3, 0x0c0d), [1, 0, 0, 10, 11, 0, 0, 0, 3, 0, 0, 12, 13]),
            (tree.hash_tree().at_node(19, 0x0c0d), [2, 0, 0, 0, 0, 0, 0, 0, 19, 0, 0, 12, 13]),
        ] {
            assert_eq!(address.bytes(), [&head[..], &tail, &[0; 4]].concat()[..]);
        }
        let mut bytes = tree.ots(1, 2).bytes();
        put_hash(&mut bytes, 7);
        assert_eq!(bytes[16..], [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 0]);
        #[cfg(any(feature = "hazmat", feature = "store"))]
        assert_eq!(Address::number(0x0102_0304_0506).bytes()[24..], [0, 0, 1, 2, 3, 4, 5, 6]);
    }
}
