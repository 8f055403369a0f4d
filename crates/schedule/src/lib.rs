//! Which messages fill which lanes: layer 0 of hashlanes, one scheduler for hashes and ciphers.
//!
//! A kernel advances `degree` messages at once, each by the same number of blocks. Messages differ in length,
//! and a message's state costs nothing to put aside, so messages **rotate** through the lanes: every turn
//! takes those with the most blocks left. Five equal messages on four lanes then end after 1.25 message
//! times, every lane full until the end.
//!
//! # The rule
//! Let c₁ ≥ c₂ ≥ … be the blocks left of the live messages, d the degree. No schedule can end before
//! T = max(c₁, ⌈Σ c / d⌉) turns of one block, and one that ends then exists (McNaughton 1959, for machines that may
//! preempt). A turn takes messages 1..d and lasts n = min(c_d, T − c_{d+1}) blocks: longer, and message d + 1
//! could no longer end by T. After it the bound is T − n again, so every turn keeps the optimum, and n is the
//! longest that does: turns are few. With d or fewer messages live the turn lasts until the shortest ends, and
//! the caller may go on with a kernel of smaller degree.
#![no_std]
#![forbid(unsafe_code)]

/// Messages that are live at once.
pub const SLOTS: usize = 64;

/// The live messages and their blocks left, most first.
#[derive(Clone, Debug)]
pub struct Rotation {
    /// Slots of live messages, most blocks left first.
    order: [u8; SLOTS],
    n_live: usize,
    /// Blocks left, by slot.
    left: [usize; SLOTS],
    /// The sum of `left` over the live.
    total: usize,
    /// A bit for each slot that holds no message.
    free: u64,
}

/// What the next call of a kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The slots to advance: the first `n_lanes` of [`Turn::slots`].
    chosen: [u8; MAX_LANES],
    n_lanes: usize,
    /// The blocks to advance each of them by, at least 1.
    pub n_blocks: usize,
}

/// The most lanes that a turn can have.
const MAX_LANES: usize = 16;

impl Turn {
    /// The slots to advance.
    #[inline]
    pub fn slots(&self) -> &[u8] {
        &self.chosen[..self.n_lanes]
    }
}

impl Default for Rotation {
    fn default() -> Self {
        Self::new()
    }
}

impl Rotation {
    /// No messages.
    #[inline]
    pub fn new() -> Self {
        Self { order: [0; SLOTS], n_live: 0, left: [0; SLOTS], total: 0, free: u64::MAX }
    }

    /// Messages that are live.
    #[inline]
    pub fn n_live(&self) -> usize {
        self.n_live
    }

    /// Blocks that the `n` messages with the most blocks left (all, if there are fewer) have at least.
    #[inline]
    pub fn shared_blocks(&self, n: usize) -> usize {
        let place = n.min(self.n_live);
        if place == 0 { 0 } else { self.left[self.order[place - 1] as usize] }
    }

    /// Whether another message can come in.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.free != 0
    }

    /// A slot that holds no message, for the next [`Rotation::insert`].
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn vacant(&self) -> usize {
        assert!(self.has_room(), "all {SLOTS} slots are taken");
        self.free.trailing_zeros() as usize
    }

    /// Takes in a message of `n_blocks` blocks, in the slot that [`Rotation::vacant`] named.
    ///
    /// # Panics
    /// If the slot is taken, or `n_blocks` is 0.
    #[inline]
    pub fn insert(&mut self, slot: usize, n_blocks: usize) {
        assert!(self.free >> slot & 1 == 1 && n_blocks > 0);
        self.free &= !(1 << slot);
        self.left[slot] = n_blocks;
        self.total += n_blocks;
        // Most come in order, or equal: look from the end.
        let mut at = self.n_live;
        while at > 0 && self.left[self.order[at - 1] as usize] < n_blocks {
            self.order[at] = self.order[at - 1];
            at -= 1;
        }
        self.order[at] = slot as u8;
        self.n_live += 1;
    }

    /// The next turn of a kernel of `degree` lanes; the messages count as advanced.
    ///
    /// # Panics
    /// If no message is live, or `degree` is not 1..=16.
    #[inline]
    pub fn turn(&mut self, degree: usize) -> Turn {
        assert!(self.n_live > 0 && (1..=MAX_LANES).contains(&degree));
        let n_lanes = degree.min(self.n_live);
        let left_at = |place: usize| self.left[self.order[place] as usize];
        let mut n_blocks = left_at(n_lanes - 1);
        if self.n_live > degree {
            let end = left_at(0).max(self.total.div_ceil(degree));
            n_blocks = n_blocks.min(end - left_at(degree));
        }
        let mut chosen = [0; MAX_LANES];
        chosen[..n_lanes].copy_from_slice(&self.order[..n_lanes]);
        for &slot in &chosen[..n_lanes] {
            self.left[slot as usize] -= n_blocks;
        }
        self.total -= n_lanes * n_blocks;
        self.merge(&chosen[..n_lanes]);
        Turn { chosen, n_lanes, n_blocks }
    }

    /// Restores the order: the chosen, which stay in order among themselves, are merged into the others.
    #[inline]
    fn merge(&mut self, chosen: &[u8]) {
        if self.left[chosen[0] as usize] == 0 {
            // All of them have ended, as short messages do: they go to the end as they are.
            self.order.copy_within(chosen.len()..self.n_live, 0);
            self.order[self.n_live - chosen.len()..self.n_live].copy_from_slice(chosen);
            return;
        }
        let (mut at, mut other) = (0, chosen.len());
        for &slot in chosen {
            let left = self.left[slot as usize];
            while other < self.n_live && self.left[self.order[other] as usize] > left {
                self.order[at] = self.order[other];
                (at, other) = (at + 1, other + 1);
            }
            self.order[at] = slot;
            at += 1;
        }
    }

    /// A message that has no blocks left: gives its slot free.
    #[inline]
    pub fn pop_finished(&mut self) -> Option<usize> {
        let last = *self.order[..self.n_live].last()? as usize;
        if self.left[last] > 0 {
            return None;
        }
        self.n_live -= 1;
        self.free |= 1 << last;
        Some(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    /// Runs messages of these lengths, in slots by their order, to the end: the turns' lengths in blocks, with
    /// every message's own count checked.
    fn run(lengths: &[usize], degree: usize) -> Vec<usize> {
        let mut rotation = Rotation::new();
        let mut left = [0; SLOTS];
        for &n_blocks in lengths {
            let slot = rotation.vacant();
            rotation.insert(slot, n_blocks);
            left[slot] = n_blocks;
        }
        let mut turns = Vec::new();
        while rotation.n_live() > 0 {
            let turn = rotation.turn(degree);
            assert!(turn.n_blocks > 0);
            for &slot in turn.slots() {
                left[slot as usize] -= turn.n_blocks;
            }
            turns.push(turn.n_blocks);
            while let Some(slot) = rotation.pop_finished() {
                assert_eq!(left[slot], 0);
            }
        }
        assert_eq!(left, [0; SLOTS]);
        turns
    }

    #[test]
    fn five_messages_on_four_lanes_take_a_quarter_longer_than_one() {
        assert_eq!(run(&[1000; 5], 4), [250; 5]);
    }

    #[test]
    fn as_many_messages_as_lanes_need_no_rotation() {
        assert_eq!(run(&[7; 16], 16), [7]);
        assert_eq!(run(&[9, 7, 2], 4), [2, 5, 2]);
    }

    #[test]
    fn every_schedule_ends_at_the_lower_bound() {
        let mut x = 1u64;
        let mut random = |below: usize| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as usize % below
        };
        for _ in 0..20_000 {
            let degree = 1 + random(16);
            let longest = [2, 5, 40, 1000][random(4)];
            let lengths: Vec<usize> = (0..1 + random(SLOTS)).map(|_| 1 + random(longest)).collect();
            let bound =
                lengths.iter().max().copied().unwrap().max(lengths.iter().sum::<usize>().div_ceil(degree));
            assert_eq!(run(&lengths, degree).iter().sum::<usize>(), bound, "{lengths:?} on {degree}");
        }
    }

    #[test]
    fn a_freed_slot_is_used_again() {
        let mut rotation = Rotation::new();
        for _ in 0..SLOTS {
            rotation.insert(rotation.vacant(), 1);
        }
        assert!(!rotation.has_room());
        let turn = rotation.turn(16);
        assert_eq!((turn.slots().len(), turn.n_blocks), (16, 1));
        let freed = core::iter::from_fn(|| rotation.pop_finished()).count();
        assert_eq!((freed, rotation.n_live(), rotation.has_room()), (16, 48, true));
    }

    #[test]
    #[should_panic(expected = "all 64 slots are taken")]
    fn a_full_rotation_takes_no_more() {
        let mut rotation = Rotation::new();
        for _ in 0..=SLOTS {
            rotation.insert(rotation.vacant(), 1);
        }
    }
}
