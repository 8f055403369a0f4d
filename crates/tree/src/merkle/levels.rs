//! The engine of every Merkle tree: digests come in from the left, and every level keeps only what waits for
//! its nodes.
//!
//! ```text
//!   level 2                          n              pending: digests of unfinished nodes, a batch at most
//!   level 1              n           n       …      a node: the hash of `per_node` digests of the level below
//!   level 0        d d d d     d d d d     d d      digests of chunks
//! ```
//!
//! Formats differ in three points: the prefix of a node, the number of digests in a node, and the last node
//! of a level with too few digests ([`Rest`]). Each level holds one batch in memory, so 64 GiB in chunks of 4
//! KiB need less than a megabyte.

use alloc::vec::Vec;

use hashlanes_sha::Algorithm;

use super::prefixed::{GROUP, Prefixed};
use super::zero_roots::ZERO_ROOTS;
use crate::wiped_bytes::Wiped;

/// Digests of a tree that belong to one level, one after another, as they come into being: from the left in
/// every level, lower levels first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nodes<'a> {
    /// 0 for the chunks' digests, 1 for those of nodes over them, and so on; the root is the only one of the
    /// last level.
    pub level: u32,
    /// The number of digests of this level before these.
    pub index: u64,
    /// The digests, each padded with zeros if the format requires it.
    pub digests: &'a [u8],
}

/// The treatment of the last digests of a level, if they are too few for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// The node is filled with zeros.
    ZeroFilled,
    /// As if the tree continued with chunks whose digests are zeros: the node contains roots of subtrees of
    /// those. Only for SHA-256.
    ZeroSubtrees,
    /// A single digest moves up a level unchanged.
    Promoted,
}

/// The rule by which a level becomes the next one.
#[derive(Clone, Debug)]
pub(crate) struct Rule<A: Algorithm> {
    /// The bytes before a node's digests.
    pub(crate) node: Prefixed<A>,
    /// Digests in a node, two or more.
    pub(crate) per_node: usize,
    /// Bytes that a digest takes in a node.
    pub(crate) slot_bytes: usize,
    /// The treatment of the last digests.
    pub(crate) rest: Rest,
}

impl<A: Algorithm> Rule<A> {
    /// Nodes of two digests, after `prefix`.
    pub(crate) fn of_pairs(prefix: &[u8], rest: Rest) -> Self {
        Self { node: Prefixed::new(prefix), per_node: 2, slot_bytes: A::DIGEST_BYTES, rest }
    }

    fn node_bytes(&self) -> usize {
        self.per_node.saturating_mul(self.slot_bytes)
    }

    /// Number of bytes of a level that wait to be hashed together: 256 pairs, or 16 nodes that are longer
    /// than a block. Saturates if that exceeds the address space; a level then waits until its end.
    fn batch_bytes(&self) -> usize {
        let n_nodes = if self.node_bytes() <= 128 { 256 } else { 16 };
        self.node_bytes().saturating_mul(n_nodes)
    }

    /// Writes digests to their slots, which are zeros.
    fn fill(&self, digests: &[A::Digest], slots: &mut [u8]) {
        for (slot, digest) in slots.chunks_exact_mut(self.slot_bytes).zip(digests) {
            slot[..A::DIGEST_BYTES].copy_from_slice(digest.as_ref());
        }
    }

    /// Hashes nodes to the slots of their digests, which are zeros.
    fn digest_nodes(&self, nodes: &[u8], slots: &mut [u8]) {
        let node_bytes = self.node_bytes();
        if self.slot_bytes == A::DIGEST_BYTES {
            return self.node.digest_equal(nodes, node_bytes, A::digests_of(slots));
        }
        let groups = nodes.chunks(node_bytes.saturating_mul(GROUP));
        for (group, slots) in groups.zip(slots.chunks_mut(self.slot_bytes * GROUP)) {
            let mut digests = [A::ZERO_DIGEST; GROUP];
            let digests = &mut digests[..group.len() / node_bytes];
            self.node.digest_equal(group, node_bytes, digests);
            self.fill(digests, slots);
        }
    }
}

/// A level that is being built.
#[derive(Clone, Debug, Default)]
struct Level {
    /// Digests that wait, less than a batch.
    pending: Wiped,
    /// The total number.
    n_digests: u64,
}

/// The levels of a tree that is being built.
#[derive(Clone, Debug)]
pub(crate) struct Levels<A: Algorithm> {
    rule: Rule<A>,
    levels: Vec<Level>,
}

impl<A: Algorithm> Levels<A> {
    pub(crate) fn new(rule: Rule<A>) -> Self {
        Self { rule, levels: Vec::new() }
    }

    /// Digests of the next chunks.
    pub(crate) fn push(&mut self, digests: &[A::Digest], keep: &mut dyn FnMut(Nodes<'_>)) {
        for group in digests.chunks(GROUP) {
            self.add_digests(0, group, keep);
        }
    }

    /// The next digests of level 0 in their slots.
    pub(crate) fn push_filled(&mut self, slots: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        if slots.is_empty() {
            return;
        }
        room(&mut self.levels, 0, 0);
        let batch_bytes = self.rule.batch_bytes();
        let n_waiting = self.levels[0].pending.len();
        let n_missing = if n_waiting == 0 { 0 } else { batch_bytes - n_waiting };
        let (head, slots) = slots.split_at(slots.len().min(n_missing));
        self.add_slots(0, head, keep);
        // Where nothing waits, whole batches are hashed in place.
        let (whole, rest) = slots.split_at(slots.len() / batch_bytes * batch_bytes);
        if !whole.is_empty() {
            self.count(0, whole, keep);
            self.reduce(0, whole, keep);
        }
        self.add_slots(0, rest, keep);
    }

    /// Returns the root over all chunks; with `depth`, the root of a tree that is filled with chunks of zeros
    /// to 2^`depth`. `None` without chunks.
    pub(crate) fn finish(mut self, depth: Option<u32>, keep: &mut dyn FnMut(Nodes<'_>)) -> Option<A::Digest> {
        let mut number = 0;
        while self.levels.get(number)?.n_digests > 1 {
            let mut pending = core::mem::take(&mut self.levels[number].pending);
            let n_whole = pending.len() / self.rule.node_bytes() * self.rule.node_bytes();
            self.reduce(number, &pending[..n_whole], keep);
            if n_whole < pending.len() {
                let rest = &pending[n_whole..];
                match self.rule.rest {
                    // Not filled in memory: a block may be long.
                    Rest::ZeroFilled => {
                        let digest = self.rule.node.digest_zero_filled(rest, self.rule.node_bytes());
                        self.add_digests(number + 1, &[digest], keep);
                    }
                    Rest::ZeroSubtrees => {
                        pending.extend_from_slice(&ZERO_ROOTS[number]);
                        self.reduce(number, &pending[n_whole..], keep);
                    }
                    Rest::Promoted => self.add_slots(number + 1, rest, keep),
                }
            }
            number += 1;
        }
        let mut root = A::ZERO_DIGEST;
        root.as_mut().copy_from_slice(&self.levels[number].pending[..A::DIGEST_BYTES]);
        for level in number..depth.map_or(number, |depth| depth as usize) {
            root = self.node_of(root, &ZERO_ROOTS[level]);
        }
        Some(root)
    }

    /// HASH(prefix ‖ left ‖ right).
    fn node_of(&self, left: A::Digest, right: &[u8]) -> A::Digest {
        let mut hasher = self.rule.node.hasher();
        hasher.update(left.as_ref());
        hasher.update(right);
        hasher.finish()
    }

    /// The next digests of a level.
    fn add_digests(&mut self, number: usize, digests: &[A::Digest], keep: &mut dyn FnMut(Nodes<'_>)) {
        self.rule.fill(digests, room(&mut self.levels, number, digests.len() * self.rule.slot_bytes));
        self.added(number, digests.len(), keep);
    }

    /// The same in their slots.
    fn add_slots(&mut self, number: usize, slots: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        if !slots.is_empty() {
            room(&mut self.levels, number, slots.len()).copy_from_slice(slots);
            self.added(number, slots.len() / self.rule.slot_bytes, keep);
        }
    }

    /// The last digests that wait in a level are new. Batches are hashed.
    fn added(&mut self, number: usize, n_digests: usize, keep: &mut dyn FnMut(Nodes<'_>)) {
        // Taken and given back, so that its room is kept.
        let mut pending = core::mem::take(&mut self.levels[number].pending);
        let n_before = pending.len() - n_digests * self.rule.slot_bytes;
        self.count(number, &pending[n_before..], keep);
        let batch_bytes = self.rule.batch_bytes();
        let n_whole = pending.len() / batch_bytes * batch_bytes;
        if n_whole > 0 {
            self.reduce(number, &pending[..n_whole], keep);
            pending.forget_first(n_whole);
        }
        self.levels[number].pending = pending;
    }

    /// Whole nodes over digests of level `number`.
    fn reduce(&mut self, number: usize, nodes: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        for batch in nodes.chunks(self.rule.batch_bytes()) {
            let n_nodes = batch.len() / self.rule.node_bytes();
            let slots = room(&mut self.levels, number + 1, n_nodes * self.rule.slot_bytes);
            self.rule.digest_nodes(batch, slots);
            self.added(number + 1, n_nodes, keep);
        }
    }

    /// Counts the next digests of a level, and shows them.
    fn count(&mut self, number: usize, digests: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        let n_digests = &mut self.levels[number].n_digests;
        keep(Nodes { level: number as u32, index: *n_digests, digests });
        *n_digests += (digests.len() / self.rule.slot_bytes) as u64;
    }
}

/// Returns zeros at the end of what waits in a level, which may be a new one.
fn room(levels: &mut Vec<Level>, number: usize, n_bytes: usize) -> &mut [u8] {
    if levels.len() == number {
        levels.push(Level::default());
    }
    let pending = &mut levels[number].pending;
    let n_before = pending.len();
    pending.extend_zeros(n_bytes);
    &mut pending[n_before..]
}
