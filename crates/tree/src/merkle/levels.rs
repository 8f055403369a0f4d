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
        self.push_digests(0, digests, keep);
    }

    /// The next digests of level 0 in their slots.
    pub(crate) fn push_filled(&mut self, slots: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        self.push_slots(0, slots, keep);
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
                        self.push_digests(number + 1, &[digest], keep);
                    }
                    Rest::ZeroSubtrees => {
                        pending.extend_from_slice(&ZERO_ROOTS[number]);
                        self.reduce(number, &pending[n_whole..], keep);
                    }
                    Rest::Promoted => self.push_slots(number + 1, rest, keep),
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

    fn push_digests(&mut self, number: usize, digests: &[A::Digest], keep: &mut dyn FnMut(Nodes<'_>)) {
        /// Room for a group's digests, with the length of the longest digest.
        const ROOM: usize = GROUP * 64;
        let slot_bytes = self.rule.slot_bytes;
        for group in digests.chunks(GROUP) {
            let mut slots = [0; ROOM];
            let slots = &mut slots[..group.len() * slot_bytes];
            for (slot, digest) in slots.chunks_exact_mut(slot_bytes).zip(group) {
                slot[..A::DIGEST_BYTES].copy_from_slice(digest.as_ref());
            }
            self.push_slots(number, slots, keep);
        }
    }

    fn push_slots(&mut self, number: usize, slots: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        if slots.is_empty() {
            return;
        }
        if self.levels.len() == number {
            self.levels.push(Level::default());
        }
        let level = &mut self.levels[number];
        keep(Nodes { level: number as u32, index: level.n_digests, digests: slots });
        level.n_digests += (slots.len() / self.rule.slot_bytes) as u64;

        let batch_bytes = self.rule.batch_bytes();
        let mut slots = slots;
        if !level.pending.is_empty() {
            let (head, rest) = slots.split_at(slots.len().min(batch_bytes - level.pending.len()));
            level.pending.extend_from_slice(head);
            slots = rest;
            if level.pending.len() < batch_bytes {
                return;
            }
            // Taken and given back, so that its room is kept.
            let mut batch = core::mem::take(&mut level.pending);
            self.reduce(number, &batch, keep);
            batch.clear();
            self.levels[number].pending = batch;
        }
        // Nothing waits, so whole batches are hashed in place.
        let (whole, rest) = slots.split_at(slots.len() / batch_bytes * batch_bytes);
        self.reduce(number, whole, keep);
        self.levels[number].pending.extend_from_slice(rest);
    }

    /// Whole nodes over digests of level `number`.
    fn reduce(&mut self, number: usize, nodes: &[u8], keep: &mut dyn FnMut(Nodes<'_>)) {
        let node_bytes = self.rule.node_bytes();
        for group in nodes.chunks(node_bytes.saturating_mul(GROUP)) {
            let mut digests = [A::ZERO_DIGEST; GROUP];
            let digests = &mut digests[..group.len() / node_bytes];
            self.rule.node.digest_equal(group, node_bytes, digests);
            if self.rule.slot_bytes == A::DIGEST_BYTES {
                self.push_slots(number + 1, A::bytes_of(digests), keep);
            } else {
                self.push_digests(number + 1, digests, keep);
            }
        }
    }
}
