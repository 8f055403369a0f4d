//! Verification without an allocator, for boot loaders and small devices: XMSS_verify and XMSSMT_verify (RFC
//! 8391, sections 4.1.10 and 4.2.5, algorithms 14 and 17), one hash after the other.
//!
//! The other verifier prepares all steps of all chains and fills lanes; that takes 68 KB. This one holds a
//! path through the tree and three hashes of little code: less than 8 KiB of stack for every parameter set,
//! and no other memory. It does not store one-time public keys (131 values of 64 bytes for n = 64): [`Path`]
//! consumes each value when its chain ends.

use hashlanes_sha::small::{Sha256, Sha512, SmallHash};

use crate::Error;
use crate::address::{Address, Tree, put_hash};
use crate::params::{LOG_W, MAX_N, MAX_STEPS, ParameterSet, Scheme};

/// Verifies that `signature` is valid for `message` under a public key OID ‖ root ‖ SEED.
///
/// Gives the same answers as [`VerifyingKey::verify`](crate::VerifyingKey::verify) without an allocator, with
/// less than 8 KiB of stack. Hashes one value at a time, in little code, so it takes many times as long on
/// CPUs with vector units or SHA instructions.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_hbs as hbs; }
/// use hashlanes::hbs::{Error, Scheme, verify_no_alloc};
///
/// let mut public_key = [0; 68];
/// public_key[3] = 1; // XMSS-SHA2_10_256
/// assert_eq!(verify_no_alloc(Scheme::Xmss, &public_key, b"message", &[0; 2500]), Err(Error::Invalid));
/// ```
///
/// # Errors
/// [`Error::Invalid`] if it is not valid. [`Error::PublicKeyLength`], [`Error::UnknownOid`], [`Error::Shake`]
/// if the key cannot be read; [`Error::SignatureLength`] and [`Error::Index`] if it cannot be a signature of
/// this key.
pub fn verify_no_alloc(
    scheme: Scheme,
    public_key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let Some((oid, key)) = public_key.split_first_chunk::<4>() else {
        return Err(Error::PublicKeyLength { given: public_key.len(), expected: 4 + 2 * 24 });
    };
    let set = ParameterSet::from_oid(scheme, u32::from_be_bytes(*oid))?;
    let (given, expected) = (public_key.len(), set.public_key_bytes());
    if given != expected {
        return Err(Error::PublicKeyLength { given, expected });
    }
    verify_of_set(set.supported()?, key, message, signature)
}

/// Verifies like [`verify_no_alloc`], for a set without an OID: `key` is root ‖ SEED.
///
/// # Errors
/// The errors of [`verify_no_alloc`].
#[doc(hidden)]
pub fn verify_of_set(set: ParameterSet, key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), Error> {
    match set.n() {
        // toByte(x, 4): SP 800-208, section 5.2.
        24 => verify::<Sha256>(&set, 4, key, message, signature),
        32 => verify::<Sha256>(&set, 32, key, message, signature),
        _ => verify::<Sha512>(&set, 64, key, message, signature),
    }
}

fn verify<H: SmallHash>(
    set: &ParameterSet,
    prefix_bytes: usize,
    key: &[u8],
    message: &[u8],
    signature: &[u8],
) -> Result<(), Error> {
    let (given, expected) = (signature.len(), set.signature_bytes());
    if given != expected {
        return Err(Error::SignatureLength { given, expected });
    }
    let (index_bytes, rest) = signature.split_at(set.index_bytes());
    let index = index_bytes.iter().fold(0, |index, byte| index << 8 | u64::from(*byte));
    if index >= set.signatures() {
        return Err(Error::Index { index, signatures: set.signatures() });
    }
    let (r, layers) = rest.split_at(set.n());
    let (root, seed) = key.split_at(set.n());
    let hashes = Hashes::<H>::new(set.n(), prefix_bytes, seed);

    let mut node = hashes.h_msg(r, root, index, message);
    for (layer, signature) in layers.chunks_exact(set.layer_bytes()).enumerate() {
        // The lowest bits of the remaining index are the leaf, the others the tree.
        let height = set.tree_height();
        let left = index >> (height * layer as u32);
        let tree = Tree { layer: layer as u32, tree: left >> height };
        let leaf = (left & ((1 << height) - 1)) as u32;
        node = hashes.root_from_signature(tree, leaf, &node, signature);
    }
    if node[..set.n()] == *root { Ok(()) } else { Err(Error::Invalid) }
}

/// A value: its first n bytes count.
type Value = [u8; MAX_N];

/// The keyed hashes of section 5.1, under one SEED.
struct Hashes<H: SmallHash> {
    n: usize,
    prefix_bytes: usize,
    /// PRF up to the address, which comes last.
    prf: H,
}

impl<H: SmallHash> Hashes<H> {
    fn new(n: usize, prefix_bytes: usize, seed: &[u8]) -> Self {
        let mut hashes = Self { n, prefix_bytes, prf: H::new() };
        hashes.prf = hashes.begin(3);
        hashes.prf.update(seed);
        hashes
    }

    /// Begins a hash with toByte(x, p).
    fn begin(&self, x: u8) -> H {
        let mut prefix = [0; MAX_N];
        prefix[self.prefix_bytes - 1] = x;
        let mut hasher = H::new();
        hasher.update(&prefix[..self.prefix_bytes]);
        hasher
    }

    fn end(&self, hasher: H) -> Value {
        let mut value = [0; MAX_N];
        value[..self.n].copy_from_slice(&hasher.finish().as_ref()[..self.n]);
        value
    }

    /// Computes H_msg; its key is r ‖ root ‖ toByte(index, n).
    fn h_msg(&self, r: &[u8], root: &[u8], index: u64, message: &[u8]) -> Value {
        let mut number = [0; MAX_N];
        number[self.n - 8..self.n].copy_from_slice(&index.to_be_bytes());
        let mut hasher = self.begin(2);
        for part in [r, root, &number[..self.n], message] {
            hasher.update(part);
        }
        self.end(hasher)
    }

    /// Computes PRF(SEED, ADRS); ADRS ends with this keyAndMask.
    fn prf(&self, address: &mut [u8; 32], key_and_mask: u8) -> Value {
        address[31] = key_and_mask;
        let mut hasher = self.prf.clone();
        hasher.update(address);
        self.end(hasher)
    }

    /// Computes F (x = 0) of one value, or RAND_HASH by H (x = 1) of two (section 4.1.4, algorithm 7), with a
    /// key and masks.
    fn masked(&self, x: u8, address: &mut [u8; 32], values: &[&[u8]]) -> Value {
        let mut hasher = self.begin(x);
        hasher.update(&self.prf(address, 0)[..self.n]);
        for (value, number) in values.iter().zip(1..) {
            let mut masked = self.prf(address, number);
            masked.iter_mut().zip(*value).for_each(|(mask, byte)| *mask ^= byte);
            hasher.update(&masked[..self.n]);
        }
        self.end(hasher)
    }

    fn parent(&self, address: Address, left: &[u8], right: &[u8]) -> Value {
        self.masked(1, &mut address.bytes(), &[&left[..self.n], &right[..self.n]])
    }

    /// XMSS_rootFromSig (section 4.1.10, algorithm 13): `signature` holds a one-time signature of `signed`
    /// and a path.
    fn root_from_signature(&self, tree: Tree, leaf: u32, signed: &Value, signature: &[u8]) -> Value {
        let (chains, path) = signature.split_at((2 * self.n + 3) * self.n);
        let mut node = self.leaf_from_signature(tree, leaf, signed, chains);
        for (sibling, height) in path.chunks_exact(self.n).zip(0..) {
            let address = tree.hash_tree().at_node(height, leaf >> (height + 1));
            node = match leaf >> height & 1 {
                0 => self.parent(address, &node, sibling),
                _ => self.parent(address, sibling, &node),
            };
        }
        node
    }

    /// WOTS_pkFromSig (section 3.1.6, algorithm 6), and ltree (section 4.1.5, algorithm 8) of the values as
    /// they are computed.
    fn leaf_from_signature(&self, tree: Tree, leaf: u32, signed: &Value, chains: &[u8]) -> Value {
        let mut path =
            Path { hashes: self, address: tree.l_tree(leaf), nodes: [([0; MAX_N], 0, 0); 8], n_nodes: 0 };
        for (start, chain) in chains.chunks_exact(self.n).zip(0..) {
            let mut value = [0; MAX_N];
            value[..self.n].copy_from_slice(start);
            let mut address = tree.ots(leaf, chain).bytes();
            for step in self.digit(signed, chain as usize)..MAX_STEPS {
                put_hash(&mut address, step);
                let before = value;
                value = self.masked(0, &mut address, &[&before[..self.n]]);
            }
            path.push(value, chain);
        }
        path.root()
    }

    /// Returns digit `i` of base_w (section 2.6, algorithm 1) of a value and its checksum.
    fn digit(&self, value: &Value, i: usize) -> u32 {
        let of_value =
            |i: usize| u32::from(value[i / 2]) >> (if i.is_multiple_of(2) { LOG_W } else { 0 }) & MAX_STEPS;
        match i.checked_sub(2 * self.n) {
            None => of_value(i),
            // len_2 is 3: twelve bits.
            Some(i) => {
                let checksum: u32 = (0..2 * self.n).map(|i| MAX_STEPS - of_value(i)).sum();
                checksum >> (LOG_W * (2 - i as u32)) & MAX_STEPS
            }
        }
    }
}

/// An L-tree whose leaves arrive from left to right. Holds the roots of the complete subtrees, each lower
/// than the one before: never more than 8, and 3 after 131 leaves.
struct Path<'h, H: SmallHash> {
    hashes: &'h Hashes<H>,
    address: Address,
    /// A node's value, its height, and its number in its level.
    nodes: [(Value, u32, u32); 8],
    n_nodes: usize,
}

impl<H: SmallHash> Path<'_, H> {
    fn push(&mut self, value: Value, index: u32) {
        let mut node = (value, 0, index);
        while let Some((left, height, index)) = self.nodes[..self.n_nodes].last()
            && *height == node.1
        {
            let address = self.address.at_node(*height, index / 2);
            node = (self.hashes.parent(address, left, &node.0), height + 1, index / 2);
            self.n_nodes -= 1;
        }
        self.nodes[self.n_nodes] = node;
        self.n_nodes += 1;
    }

    /// The last node of a level moves up unchanged while it has no sibling.
    fn root(&self) -> Value {
        let mut nodes = self.nodes[..self.n_nodes].iter().rev();
        let (mut root, _, _) = *nodes.next().expect("a leaf");
        for (left, height, index) in nodes {
            root = self.hashes.parent(self.address.at_node(*height, index / 2), left, &root);
        }
        root
    }
}
