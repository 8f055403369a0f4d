//! Addresses (FIPS 205, sections 4.2 and 4.3): the position of a hash in the structure of trees.
//!
//! ```text
//!              layer     tree       type       words 1, 2, 3
//! whole        0 .. 4    4 .. 16    16 .. 20   20 .. 32        SHAKE
//! compressed   0         1 .. 9     9          10 .. 22        SHA-2: section 11.2
//!
//! type                     word 1     word 2   word 3
//! WOTS_HASH, WOTS_PRF      key pair   chain    step (0 of WOTS_PRF)
//! WOTS_PK, FORS_ROOTS      key pair   0        0
//! TREE                     0          height   index
//! FORS_TREE, FORS_PRF      key pair   height   index
//! ```

use crate::batch::Layout;

/// The type of an address, table 1.
#[derive(Clone, Copy)]
enum Kind {
    WotsHash = 0,
    WotsPk = 1,
    Tree = 2,
    ForsTree = 3,
    ForsRoots = 4,
    WotsPrf = 5,
    ForsPrf = 6,
}

/// ADRS.
#[derive(Clone, Copy)]
pub(super) struct Address {
    layer: u8,
    tree: u64,
    kind: Kind,
    words: [u32; 3],
}

impl Address {
    #[inline(always)]
    fn put_words(&self, to: &mut [u8]) {
        for (to, word) in to[..12].as_chunks_mut::<4>().0.iter_mut().zip(self.words) {
            *to = word.to_be_bytes();
        }
    }
}

/// Returns the whole address: section 4.2.
pub(super) enum Whole {}

impl Layout for Whole {
    type Address = Address;
    const BYTES: usize = 32;

    #[inline(always)]
    fn put(address: &Address, to: &mut [u8]) {
        // Trees are numbered below 2^64, so the first 4 of the tree's 12 bytes are 0.
        to[..8].copy_from_slice(&(u64::from(address.layer) << 32).to_be_bytes());
        to[8..16].copy_from_slice(&address.tree.to_be_bytes());
        to[16..20].copy_from_slice(&(address.kind as u32).to_be_bytes());
        address.put_words(&mut to[20..]);
    }
}

/// Returns the compressed address: section 11.2.
pub(super) enum Compressed {}

impl Layout for Compressed {
    type Address = Address;
    const BYTES: usize = 22;

    #[inline(always)]
    fn put(address: &Address, to: &mut [u8]) {
        to[0] = address.layer;
        to[1..9].copy_from_slice(&address.tree.to_be_bytes());
        to[9] = address.kind as u8;
        address.put_words(&mut to[10..]);
    }
}

/// The address of a tree of the hypertree.
#[derive(Clone, Copy)]
pub(super) struct Tree {
    pub(super) layer: u8,
    pub(super) tree: u64,
}

impl Tree {
    fn address(self, kind: Kind, words: [u32; 3]) -> Address {
        Address { layer: self.layer, tree: self.tree, kind, words }
    }

    /// Selects step `step` of a chain of the key pair at a leaf.
    #[inline(always)]
    pub(super) fn wots(self, leaf: u32, chain: u32, step: u32) -> Address {
        self.address(Kind::WotsHash, [leaf, chain, step])
    }

    /// Selects the derivation of a chain's start.
    #[inline(always)]
    pub(super) fn wots_prf(self, leaf: u32, chain: u32) -> Address {
        self.address(Kind::WotsPrf, [leaf, chain, 0])
    }

    /// Selects the compression of a WOTS+ public key to a leaf.
    pub(super) fn wots_pk(self, leaf: u32) -> Address {
        self.address(Kind::WotsPk, [leaf, 0, 0])
    }

    /// Selects a node above the leaves.
    pub(super) fn node(self, height: u32, index: u32) -> Address {
        self.address(Kind::Tree, [0, height, index])
    }
}

/// The address of the FORS key below a leaf of the lowest layer.
#[derive(Clone, Copy)]
pub(super) struct ForsKey {
    pub(super) tree: u64,
    pub(super) leaf: u32,
}

impl ForsKey {
    fn address(self, kind: Kind, height: u32, index: u32) -> Address {
        Address { layer: 0, tree: self.tree, kind, words: [self.leaf, height, index] }
    }

    /// Selects a node of a FORS tree, leaves included; indices continue from tree to tree.
    #[inline(always)]
    pub(super) fn node(self, height: u32, index: u32) -> Address {
        self.address(Kind::ForsTree, height, index)
    }

    /// Selects the derivation of a leaf's secret value.
    #[inline(always)]
    pub(super) fn prf(self, index: u32) -> Address {
        self.address(Kind::ForsPrf, 0, index)
    }

    /// Selects the compression of the roots of the FORS trees.
    pub(super) fn roots(self) -> Address {
        self.address(Kind::ForsRoots, 0, 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stand_where_the_standard_has_them() {
        let tree = Tree { layer: 5, tree: 0x0102_0304_0506_0708 };
        let fors = ForsKey { tree: 9, leaf: 0x0a0b };
        fn bytes<L: Layout<Address = Address>>(address: Address) -> alloc::vec::Vec<u8> {
            let mut bytes = [0; 32];
            L::put(&address, &mut bytes);
            bytes[..L::BYTES].to_vec()
        }
        assert_eq!(
            bytes::<Whole>(tree.wots(0x11, 0x12, 0x13)),
            [
                0, 0, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 0, 0, 0, 0, 0, 0, 0x11, 0, 0, 0, 0x12, 0,
                0, 0, 0x13
            ]
        );
        assert_eq!(
            bytes::<Compressed>(tree.node(3, 0x0102)),
            [5, 1, 2, 3, 4, 5, 6, 7, 8, 2, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 1, 2]
        );
        assert_eq!(
            bytes::<Compressed>(fors.node(6, 0x0102_0304)),
            [0, 0, 0, 0, 0, 0, 0, 0, 9, 3, 0, 0, 10, 11, 0, 0, 0, 6, 1, 2, 3, 4]
        );
        for (address, kind, words) in [
            (tree.wots_pk(7), 1, [0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0]),
            (fors.roots(), 4, [0, 0, 10, 11, 0, 0, 0, 0, 0, 0, 0, 0]),
            (tree.wots_prf(7, 8), 5, [0, 0, 0, 7, 0, 0, 0, 8, 0, 0, 0, 0]),
            (fors.prf(12), 6, [0, 0, 10, 11, 0, 0, 0, 0, 0, 0, 0, 12]),
        ] {
            let bytes = bytes::<Compressed>(address);
            assert_eq!((bytes[9], &bytes[10..]), (kind, &words[..]));
        }
    }
}
