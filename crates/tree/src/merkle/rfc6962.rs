//! rfc6962: the Merkle tree of Certificate Transparency (RFC 6962, section 2.1; RFC 9162, section 2.1), and
//! its proofs.
//!
//! The RFC splits a tree at the largest power of two below its number of leaves. Level by level, this is the
//! same as pairing from the left and moving a single last node up:
//!
//! ```text
//!   level 3                  ·               root
//!   level 2         ·                 6      the one that went up twice
//!   level 1     ·       ·       ·
//!   level 0   0   1   2   3   4   5   6      leaves
//! ```
//!
//! so the nodes of every proof are nodes of levels: the siblings on the path from a leaf to the root, where
//! they exist.

use alloc::vec::Vec;

use hashlanes_sha::{Hasher, algorithms::Sha256};

use super::error::MerkleError;
use super::levels::{Nodes, Rest, Rule};
use super::prefixed::{GROUP, Prefixed};
use super::preset::MerkleHasher;
use super::preset::{Preset, sealed};
use super::shape::{Leaf, Shape, Upper, Whole};
use crate::wiped_bytes::Wiped;

/// A SHA-256 digest.
type Digest = [u8; 32];

/// The Merkle tree of RFC 6962: SHA-256(0x00 ‖ leaf), SHA-256(0x01 ‖ l ‖ r). The root without leaves is the
/// SHA-256 of the empty string.
///
/// As a [`Preset`], it cuts a message into leaves of one length; [`Rfc6962Leaves`] accepts leaves one by one.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::{Preset, Rfc6962, Rfc6962Proof};
///
/// let log = Rfc6962::with_leaf_bytes(100)?;
/// let message: Vec<u8> = (0..1000).map(|i| (i / 100) as u8).collect();
/// let mut proof = Rfc6962Proof::of_inclusion(3);
/// let mut hasher = log.hasher_keeping(|nodes| proof.keep(&nodes));
/// hasher.update(&message);
/// let tree = hasher.finish()?;
/// let proof = proof.finish(tree.n_leaves)?;
///
/// let leaf = Rfc6962::leaf_digest(&message[300..400]);
/// Rfc6962::check_inclusion(&leaf, 3, tree.n_leaves, &proof, &tree.root)?;
/// assert!(Rfc6962::check_inclusion(&leaf, 4, tree.n_leaves, &proof, &tree.root).is_err());
/// # Ok::<(), hashlanes::tree::merkle::MerkleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Rfc6962(Shape<Sha256>);

/// A tree of RFC 6962.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rfc6962Tree {
    /// The root, called Merkle Tree Hash.
    pub root: Digest,
    /// The number of leaves.
    pub n_leaves: u64,
}

impl Rfc6962 {
    /// Creates a tree with leaves of `leaf_bytes` bytes; the last leaf may be shorter.
    ///
    /// # Errors
    /// [`MerkleError::NoBytes`].
    pub fn with_leaf_bytes(leaf_bytes: usize) -> Result<Self, MerkleError> {
        if leaf_bytes == 0 {
            return Err(MerkleError::NoBytes { what: "leaf size" });
        }
        let upper = Upper::Levels(Rule::of_pairs(&[1], Rest::Promoted));
        Ok(Self(Shape::new(leaf_bytes, Prefixed::new(&[0]), upper)))
    }

    /// Returns the digest of a leaf: SHA-256(0x00 ‖ leaf).
    pub fn leaf_digest(leaf: &[u8]) -> Digest {
        let mut hasher = Self::leaf_hasher();
        hasher.update(leaf);
        hasher.finish()
    }

    /// Begins a leaf in parts: the hasher's result is its digest.
    pub fn leaf_hasher() -> Hasher<Sha256> {
        let mut hasher = Hasher::new();
        hasher.update([0]);
        hasher
    }

    /// Checks that the leaf of this digest, [`Rfc6962::leaf_digest`], is leaf `index` (from 0) of the tree
    /// (RFC 9162, section 2.1.3.2).
    ///
    /// Both the root and the number of leaves must be trusted, as logs sign both: other numbers may lead to
    /// the same root by the same nodes.
    ///
    /// # Errors
    /// [`MerkleError::NoLeaf`], [`MerkleError::ProofLength`], [`MerkleError::WrongProof`].
    pub fn check_inclusion(
        leaf: &Digest,
        index: u64,
        n_leaves: u64,
        proof: &[Digest],
        root: &Digest,
    ) -> Result<(), MerkleError> {
        if index >= n_leaves {
            return Err(MerkleError::NoLeaf { index, n_leaves });
        }
        let way = Way { level: 0, index, n_nodes: n_leaves };
        let mut nodes = proof_of_length(proof, way.siblings().count())?;
        let hash = way.siblings().fold(*leaf, |r, sibling| {
            let p = nodes.next().expect("as many as siblings");
            if sibling.is_left { node(p, &r) } else { node(&r, p) }
        });
        is_root(&hash, root, "the tree")
    }

    /// Checks that the tree of `n_leaves` leaves begins with the `first` leaves of an older tree (RFC 9162,
    /// section 2.1.4.2). For equal trees the proof is empty.
    ///
    /// # Errors
    /// [`MerkleError::NoBeginning`], [`MerkleError::ProofLength`], [`MerkleError::WrongProof`].
    pub fn check_consistency(
        first: u64,
        n_leaves: u64,
        proof: &[Digest],
        first_root: &Digest,
        root: &Digest,
    ) -> Result<(), MerkleError> {
        let way = way_of_beginning(first, n_leaves)?;
        let Some(way) = way else {
            let _none = proof_of_length(proof, 0)?;
            return is_root(first_root, root, "the tree");
        };
        let starts_known = way.index == 0;
        let expected = usize::from(!starts_known) + way.siblings().count();
        let mut nodes = proof_of_length(proof, expected)?;
        let start = if starts_known { first_root } else { nodes.next().expect("a first node") };
        let (mut fr, mut sr) = (*start, *start);
        for sibling in way.siblings() {
            let c = nodes.next().expect("as many as siblings");
            if sibling.is_left {
                (fr, sr) = (node(c, &fr), node(c, &sr));
            } else {
                sr = node(&sr, c);
            }
        }
        is_root(&fr, first_root, "the older tree")?;
        is_root(&sr, root, "the tree")
    }

    fn leaves(&self) -> &Prefixed<Sha256> {
        let Leaf::Hash(prefixed) = &self.0.leaf else { unreachable!("leaves are hashed") };
        prefixed
    }
}

impl sealed::Sealed for Rfc6962 {}
impl Preset for Rfc6962 {
    type Algorithm = Sha256;
    type Output = Rfc6962Tree;

    fn shape(&self) -> &Shape<Sha256> {
        &self.0
    }

    fn output(&self, whole: Whole<Sha256>) -> Result<Rfc6962Tree, MerkleError> {
        let root = whole.root.unwrap_or_else(|| Hasher::<Sha256>::digest([]));
        Ok(Rfc6962Tree { root, n_leaves: whole.n_chunks })
    }
}

/// A growing tree of RFC 6962, with leaves of any lengths.
///
/// ```
/// # mod hashlanes { pub(super) use hashlanes_tree as tree; }
/// use hashlanes::tree::merkle::Rfc6962Leaves;
///
/// let mut leaves = Rfc6962Leaves::new();
/// for line in "a\nbc\n".lines() {
///     leaves.push(line.as_bytes());
/// }
/// assert_eq!(leaves.finish().n_leaves, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Rfc6962Leaves<K = fn(Nodes<'_>)> {
    tree: MerkleHasher<Rfc6962, K>,
    log: Rfc6962,
    /// Leaves that wait, one after another, and the end of each.
    waiting: Wiped,
    ends: Vec<usize>,
}

impl Rfc6962Leaves {
    /// Creates a tree without leaves.
    pub fn new() -> Self {
        Self::keeping(|_| ())
    }
}

impl Default for Rfc6962Leaves {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: FnMut(Nodes<'_>)> Rfc6962Leaves<K> {
    /// The number of bytes of leaves that wait.
    const WAITING: usize = 64 * 1024;

    /// Creates a tree without leaves; `keep` gets all digests of the tree as they are computed:
    /// [`Rfc6962Proof::keep`], for example.
    pub fn keeping(keep: K) -> Self {
        let log = Rfc6962::with_leaf_bytes(1).expect("a byte is one byte or more");
        let (waiting, ends) = (Wiped::default(), Vec::with_capacity(GROUP));
        Self { tree: MerkleHasher::new(log.clone(), keep), log, waiting, ends }
    }

    /// Adds the digest of the next leaf: see [`Rfc6962::leaf_hasher`].
    pub fn push_digest(&mut self, leaf: &Digest) {
        self.flush();
        self.tree.push(&[*leaf]);
    }

    /// Adds the next leaf.
    pub fn push(&mut self, leaf: &[u8]) {
        if leaf.len() >= Self::WAITING {
            return self.push_digest(&Rfc6962::leaf_digest(leaf));
        }
        self.waiting.extend_from_slice(leaf);
        self.ends.push(self.waiting.len());
        if self.ends.len() == GROUP || self.waiting.len() >= Self::WAITING {
            self.flush();
        }
    }

    /// Returns the root.
    pub fn finish(mut self) -> Rfc6962Tree {
        self.flush();
        self.tree.finish().expect("every number of leaves has a root")
    }

    fn flush(&mut self) {
        let mut from = 0;
        let slice = |&to: &usize| {
            let leaf = &self.waiting[from..to];
            from = to;
            leaf
        };
        let leaves: Vec<&[u8]> = self.ends.iter().map(slice).collect();
        let mut digests = [[0; 32]; GROUP];
        let digests = &mut digests[..leaves.len()];
        self.log.leaves().digest_many(&leaves, digests);
        self.tree.push(digests);
        self.waiting.clear();
        self.ends.clear();
    }
}

/// A proof under construction: it picks its nodes while the tree grows, so that no tree is kept.
///
/// See [`Rfc6962`] for an example.
#[derive(Clone, Debug)]
pub struct Rfc6962Proof {
    asked: Asked,
    /// The needed nodes: level, number, digest.
    found: Vec<(u32, u64, Digest)>,
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    Inclusion(u64),
    Consistency(u64),
}

impl Rfc6962Proof {
    /// Creates a proof that leaf `index`, from 0, is in the tree (RFC 6962, section 2.1.1). The node nearest
    /// to the leaf comes first.
    pub fn of_inclusion(index: u64) -> Self {
        Self { asked: Asked::Inclusion(index), found: Vec::new() }
    }

    /// Creates a proof that the tree begins with the tree of its `first` leaves (RFC 6962, section 2.1.2).
    pub fn of_consistency(first: u64) -> Self {
        Self { asked: Asked::Consistency(first), found: Vec::new() }
    }

    /// Gets digests of the tree: see [`Preset::hasher_keeping`].
    pub fn keep(&mut self, nodes: &Nodes<'_>) {
        let (from, own) = match self.asked {
            Asked::Inclusion(index) => (0, index),
            Asked::Consistency(0) => return,
            Asked::Consistency(first) => (first.trailing_zeros(), first - 1),
        };
        if nodes.level < from {
            return;
        }
        let number = own.checked_shr(nodes.level).unwrap_or(0);
        let (digests, _) = nodes.digests.as_chunks();
        // The sibling on every level, and the node at which the path begins.
        for wanted in [Some(number ^ 1), (nodes.level == from).then_some(number)].into_iter().flatten() {
            let at = wanted.checked_sub(nodes.index).and_then(|at| usize::try_from(at).ok());
            if let Some(digest) = at.and_then(|at| digests.get(at)) {
                self.found.push((nodes.level, wanted, *digest));
            }
        }
    }

    /// Returns the digest of the leaf in question, after it was seen; `None` for a proof of consistency.
    pub fn leaf(&self) -> Option<Digest> {
        let Asked::Inclusion(index) = self.asked else { return None };
        self.found.iter().find(|found| (found.0, found.1) == (0, index)).map(|found| found.2)
    }

    /// Returns the proof, in the tree of `n_leaves` leaves.
    ///
    /// # Errors
    /// [`MerkleError::NoLeaf`], [`MerkleError::NoBeginning`]; [`MerkleError::NotSeen`] if
    /// [`Rfc6962Proof::keep`] did not see all of such a tree.
    pub fn finish(self, n_leaves: u64) -> Result<Vec<Digest>, MerkleError> {
        let (way, begins) = match self.asked {
            Asked::Inclusion(index) if index >= n_leaves => {
                return Err(MerkleError::NoLeaf { index, n_leaves });
            }
            Asked::Inclusion(index) => (Way { level: 0, index, n_nodes: n_leaves }, None),
            Asked::Consistency(first) => match way_of_beginning(first, n_leaves)? {
                None => return Ok(Vec::new()),
                // The verifier knows the root of a whole subtree.
                Some(way) => (way, (way.index > 0).then_some((way.level, way.index))),
            },
        };
        let siblings = way.siblings().map(|sibling| (sibling.level, sibling.index));
        let find = |(level, index)| {
            let found = self.found.iter().find(|found| (found.0, found.1) == (level, index));
            found.map(|found| found.2).ok_or(MerkleError::NotSeen)
        };
        begins.into_iter().chain(siblings).map(find).collect()
    }
}

/// The path from a node to the root.
#[derive(Clone, Copy, Debug)]
struct Way {
    level: u32,
    index: u64,
    /// The number of nodes on this level.
    n_nodes: u64,
}

/// A sibling of a node on the path.
#[derive(Clone, Copy, Debug)]
struct Sibling {
    level: u32,
    index: u64,
    is_left: bool,
}

impl Way {
    /// Returns the siblings of the nodes on the path, from below. A single last node, which moves up, has
    /// none.
    fn siblings(self) -> impl Iterator<Item = Sibling> {
        let mut way = self;
        core::iter::from_fn(move || {
            while way.n_nodes > 1 {
                let Way { level, index, n_nodes } = way;
                way = Way { level: level + 1, index: index / 2, n_nodes: n_nodes.div_ceil(2) };
                if index ^ 1 < n_nodes {
                    return Some(Sibling { level, index: index ^ 1, is_left: index % 2 == 1 });
                }
            }
            None
        })
    }
}

/// Returns the path from the last whole node of the older tree: `None` if that is all of the newer one.
fn way_of_beginning(first: u64, n_leaves: u64) -> Result<Option<Way>, MerkleError> {
    if !(1..=n_leaves).contains(&first) {
        return Err(MerkleError::NoBeginning { first, n_leaves });
    }
    let level = first.trailing_zeros();
    let index = (first - 1) >> level;
    let n_nodes = ((n_leaves - 1) >> level) + 1;
    Ok((first < n_leaves).then_some(Way { level, index, n_nodes }))
}

/// Returns the proof's nodes, if their number is right.
fn proof_of_length(proof: &[Digest], expected: usize) -> Result<core::slice::Iter<'_, Digest>, MerkleError> {
    let given = proof.len();
    if given == expected { Ok(proof.iter()) } else { Err(MerkleError::ProofLength { given, expected }) }
}

/// Checks that a proof leads to the root of the named tree.
fn is_root(hash: &Digest, root: &Digest, of: &'static str) -> Result<(), MerkleError> {
    if hash == root { Ok(()) } else { Err(MerkleError::WrongProof { of }) }
}

/// SHA-256(0x01 ‖ left ‖ right).
fn node(left: &Digest, right: &Digest) -> Digest {
    let mut hasher = Hasher::<Sha256>::new();
    hasher.update([1]);
    hasher.update(left);
    hasher.update(right);
    hasher.finish()
}
