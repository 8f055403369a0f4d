//! Schedules messages on lanes, for hashes and ciphers: layer 0 of hashlanes.
//!
//! A kernel advances `degree` messages at once, each by the same number of blocks. Messages differ in length,
//! and a message's state can be put aside at almost no cost. So messages **rotate** through the lanes: every
//! turn advances those with the most blocks left. Five equal messages on four lanes then end after 1.25 times
//! the time of one message, with every lane full until the end.
//!
//! # The rule
//! Let c₁ ≥ c₂ ≥ … be the blocks left of the live messages, and d the degree. No schedule can end before T =
//! max(c₁, ⌈Σ c / d⌉) turns of one block, and one that ends at T exists (McNaughton 1959, for machines that
//! may preempt). A turn advances messages 1 to d and lasts n = min(c_d, T − c_{d+1}) blocks. After a longer
//! turn, message d + 1 could not end by T any more. After this turn the bound is T − n, so every turn keeps
//! the optimum.
//!
//! Turns have a cost, too: states are loaded and stored. So a turn that could end its shortest message ends
//! it, if the schedule then ends at most 1 block and 6 % later: 31 messages of 17 blocks on 16 lanes take 2
//! turns and 34 blocks instead of 17 turns and 33 blocks. The remaining messages may continue on a kernel
//! that suits their number better: a 17th message is left to a kernel of one message.
//!
//! While messages wait that are not live yet, nothing has to be balanced. Then messages on lanes
//! [stay](Rotation::turn_of_many) there until they end, and the longest of the others follow. A message that
//! is put aside loses the data that the CPU has prefetched for it: 1024 messages of up to 16 KiB take 4 %
//! longer.
//!
//! With d or fewer live messages, the turn lasts until the shortest one ends. The caller may then continue
//! with a kernel of smaller degree.
#![no_std]
#![forbid(unsafe_code)]

/// The tolerance of the rule above: a turn may end its shortest message if the schedule then ends at most
/// this many blocks and this share later.
const SLACK: u64 = 1;
const SLACK_SHARE: u64 = 16;

/// Maximum number of live messages.
pub const SLOTS: usize = 32;

/// The live messages and their blocks left, most first.
#[derive(Clone, Debug)]
pub struct Rotation {
    /// A key for each live message: its blocks left, its slot in the lowest byte, and in the highest bit
    /// whether it stays on its lane ([`STAYS`]). Messages that stay come first, in no order; the keys of the
    /// others decrease. A single array of numbers lets insertion and merging compare without branches:
    /// lengths are random, and a mispredicted branch takes as long as ten elements.
    keys: [u64; SLOTS],
    n_live: usize,
    /// Number of messages that stay on their lanes; they come first.
    n_staying: usize,
    /// The sum of blocks left: 64 bits, because messages may share their bytes and so exceed the address
    /// space.
    total: u64,
    /// A bit for each slot that holds no message.
    free: u64,
}

/// The bits of a key below the blocks left.
const SLOT_BITS: u32 = 8;
const _: () = assert!(SLOTS <= 1 << SLOT_BITS);

/// In the key of a message that stays on its lane.
const STAYS: u64 = 1 << 63;

/// The limit of a message's blocks, set by the bits of a key. No address space holds a longer message.
const MOST_BLOCKS: u64 = 1 << (64 - SLOT_BITS - 1);

/// The next call of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The slots to advance: the first `n_lanes` of [`Turn::slots`].
    chosen: [u8; MAX_LANES],
    n_lanes: usize,
    /// The blocks to advance each of them by, at least 1.
    pub n_blocks: usize,
}

/// The most lanes that a turn can have.
const MAX_LANES: usize = 24;

impl Turn {
    /// Returns the slots to advance.
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
        Self { keys: [0; SLOTS], n_live: 0, n_staying: 0, total: 0, free: u64::MAX >> (64 - SLOTS) }
    }

    /// Returns the blocks left of the message at `place`.
    #[inline]
    fn left_at(&self, place: usize) -> usize {
        ((self.keys[place] & !STAYS) >> SLOT_BITS) as usize
    }

    /// Returns the number of live messages.
    #[inline]
    pub fn n_live(&self) -> usize {
        self.n_live
    }

    /// Returns the least number of blocks left among the `n` messages with the most blocks left (all, if
    /// there are fewer); the order of those that stay on their lanes does not count.
    #[inline]
    pub fn shared_blocks(&self, n: usize) -> usize {
        let place = n.min(self.n_live);
        if place == 0 { 0 } else { self.left_at(place - 1) }
    }

    /// Returns the greatest number of blocks left.
    #[inline]
    pub fn most_blocks(&self) -> usize {
        (0..self.n_live).map(|place| self.left_at(place)).max().unwrap_or(0)
    }

    /// Returns whether another message fits.
    #[inline]
    pub fn has_room(&self) -> bool {
        self.free != 0
    }

    /// Returns a free slot, for the next [`Rotation::insert`].
    ///
    /// # Panics
    /// Panics if no slot is free.
    #[inline]
    pub fn vacant(&self) -> usize {
        assert!(self.has_room(), "all {SLOTS} slots are taken");
        self.free.trailing_zeros() as usize
    }

    /// Inserts a message of `n_blocks` blocks, in the slot that [`Rotation::vacant`] returned.
    ///
    /// # Panics
    /// Panics if the slot is taken, or `n_blocks` is 0 or beyond 2^55.
    #[inline]
    pub fn insert(&mut self, slot: usize, n_blocks: usize) {
        assert!(
            slot < SLOTS && self.free >> slot & 1 == 1 && n_blocks > 0 && (n_blocks as u64) < MOST_BLOCKS
        );
        self.free &= !(1 << slot);
        self.total += n_blocks as u64;
        let key = (n_blocks as u64) << SLOT_BITS | slot as u64;
        // Most messages arrive in order, or have equal lengths.
        let mut place = self.n_live;
        if place > 0 && self.keys[place - 1] >> SLOT_BITS < n_blocks as u64 {
            place = self.keys[..place].iter().map(|other| usize::from(*other > key)).sum();
            self.keys.copy_within(place..self.n_live, place + 1);
        }
        self.keys[place] = key;
        self.n_live += 1;
    }

    /// Returns the next turn of a kernel of `degree` lanes, and counts its messages as advanced.
    ///
    /// `others` returns the time that `n` messages of a number of blocks would take alone, on the best kernel
    /// for them, in blocks of this kernel.
    ///
    /// # Panics
    /// Panics if no message is live, or `degree` is not 1..=24.
    #[inline]
    pub fn turn(&mut self, degree: usize, others: impl FnOnce(usize, usize) -> u64) -> Turn {
        assert!(self.n_live > 0 && (1..=MAX_LANES).contains(&degree));
        self.let_none_stay();
        let n_lanes = degree.min(self.n_live);
        let mut n_blocks = self.left_at(n_lanes - 1);
        if self.n_live > degree {
            let next = self.left_at(degree);
            let (degree, n_now) = (degree as u64, n_lanes as u64 * n_blocks as u64);
            let end = (self.left_at(0) as u64).max(self.total.div_ceil(degree));
            // The estimated end if this turn lasts until its shortest message has ended. The rest then takes
            // the lesser of two times: its lower bound on this kernel, and what `others` returns for it.
            let most_left = next.max(self.left_at(0) - n_blocks);
            let mut n_left = self.n_live - n_lanes;
            n_left += (0..n_lanes).take_while(|&place| self.left_at(place) > n_blocks).count();
            let left = (most_left as u64).max((self.total - n_now).div_ceil(degree));
            let end_then = n_blocks as u64 + left.min(others(n_left, most_left));
            if end_then > end + SLACK + end / SLACK_SHARE {
                n_blocks = usize::try_from(end - next as u64).map_or(n_blocks, |most| n_blocks.min(most));
            }
        }
        let mut chosen = [0; MAX_LANES];
        for (slot, key) in chosen.iter_mut().zip(&mut self.keys[..n_lanes]) {
            *slot = *key as u8;
            *key -= (n_blocks as u64) << SLOT_BITS;
        }
        self.total -= n_lanes as u64 * n_blocks as u64;
        self.merge(n_lanes);
        Turn { chosen, n_lanes, n_blocks }
    }

    /// Returns the next turn of a kernel of `degree` lanes while more messages wait: those on lanes stay
    /// there, the longest of the others join them, and the turn lasts until the first of all has ended.
    ///
    /// # Panics
    /// Panics if no message is live, or `degree` is not 1..=24.
    #[inline]
    pub fn turn_of_many(&mut self, degree: usize) -> Turn {
        assert!(self.n_live > 0 && (1..=MAX_LANES).contains(&degree));
        let n_lanes = degree.min(self.n_live);
        let n_blocks = (0..n_lanes).map(|place| self.left_at(place)).min().expect("a lane");
        let step = (n_blocks as u64) << SLOT_BITS;
        let mut chosen = [0; MAX_LANES];
        let (mut staying, mut n_staying, mut ended, mut n_ended) = ([0; MAX_LANES], 0, [0; MAX_LANES], 0);
        for (slot, key) in chosen.iter_mut().zip(&self.keys[..n_lanes]) {
            *slot = *key as u8;
            let key = (key & !STAYS) - step;
            if key >> SLOT_BITS == 0 {
                ended[n_ended] = key;
                n_ended += 1;
            } else {
                staying[n_staying] = key | STAYS;
                n_staying += 1;
            }
        }
        self.total -= n_lanes as u64 * n_blocks as u64;
        // With fewer lanes than before, the messages that stayed have no priority over others.
        if self.n_staying > n_lanes {
            let_go(&mut self.keys[n_lanes..self.n_live]);
        }
        self.keys.copy_within(n_lanes..self.n_live, n_staying);
        self.keys[..n_staying].copy_from_slice(&staying[..n_staying]);
        self.keys[self.n_live - n_ended..self.n_live].copy_from_slice(&ended[..n_ended]);
        self.n_staying = n_staying;
        Turn { chosen, n_lanes, n_blocks }
    }

    /// Lets all messages rotate from now on.
    #[inline]
    fn let_none_stay(&mut self) {
        if self.n_staying > 0 {
            self.n_staying = 0;
            let_go(&mut self.keys[..self.n_live]);
        }
    }

    /// Restores the order: merges the first `n_chosen`, which are sorted, into the others, which are also
    /// sorted.
    #[inline]
    fn merge(&mut self, n_chosen: usize) {
        let mut chosen = [0; MAX_LANES];
        chosen[..n_chosen].copy_from_slice(&self.keys[..n_chosen]);
        let keys = &mut self.keys[..self.n_live];
        if keys[0] >> SLOT_BITS == 0 {
            // If all of them have ended, as short messages do, they move to the end unchanged.
            keys.rotate_left(n_chosen);
            return;
        }
        let (mut at, mut other) = (0, n_chosen);
        while at < n_chosen && other < keys.len() {
            let (mine, theirs) = (chosen[at], keys[other]);
            // The write position is before `other`, because some of the chosen keys are still to come.
            let is_mine = mine > theirs;
            keys[at + other - n_chosen] = if is_mine { mine } else { theirs };
            at += usize::from(is_mine);
            other += usize::from(!is_mine);
        }
        let place = at + other - n_chosen;
        keys[place..][..n_chosen - at].copy_from_slice(&chosen[at..n_chosen]);
    }

    /// Removes a message without blocks left, and frees its slot.
    #[inline]
    pub fn pop_finished(&mut self) -> Option<usize> {
        let slot = self.pop_ended()?;
        self.release(slot);
        Some(slot)
    }

    /// Removes a message without blocks left; its slot stays taken until it is [released](Rotation::release).
    #[inline]
    pub fn pop_ended(&mut self) -> Option<usize> {
        let last = *self.keys[..self.n_live].last()?;
        if last >> SLOT_BITS > 0 {
            return None;
        }
        self.n_live -= 1;
        Some(usize::from(last as u8))
    }

    /// Frees the slot of a message that [ended](Rotation::pop_ended).
    #[inline]
    pub fn release(&mut self, slot: usize) {
        debug_assert!(slot < SLOTS && self.free >> slot & 1 == 0);
        self.free |= 1 << slot;
    }
}

/// Returns the keys of messages that do not stay on their lanes.
fn let_go(keys: &mut [u64]) {
    keys.iter_mut().for_each(|key| *key &= !STAYS);
    keys.sort_unstable_by(|a, b| b.cmp(a));
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::vec::Vec;

    /// Other kernels are not faster.
    const ALONE: fn(usize, usize) -> u64 = |_, _| u64::MAX;

    /// A deterministic pseudo-random number below the given one.
    fn random_numbers() -> impl FnMut(usize) -> usize {
        let mut x = 1u64;
        move |below| {
            x = x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (x >> 33) as usize % below
        }
    }

    /// The number of random cases: a two-hundredth under Miri, which takes half a minute for them.
    const fn cases(n: usize) -> usize {
        if cfg!(miri) { n / 200 } else { n }
    }

    /// Runs messages of these lengths to the end: the turns' lengths in blocks, with every message's own
    /// count checked.
    fn run(lengths: &[usize], degree: usize) -> Vec<usize> {
        run_on(lengths, |_| degree)
    }

    /// Does the same with another kernel for each turn.
    fn run_on(lengths: &[usize], degree: impl Fn(usize) -> usize) -> Vec<usize> {
        let mut rotation = Rotation::new();
        let mut left = [0; SLOTS];
        let mut waiting = lengths.iter();
        let mut turns = Vec::new();
        loop {
            while rotation.has_room()
                && let Some(&n_blocks) = waiting.next()
            {
                let slot = rotation.vacant();
                rotation.insert(slot, n_blocks);
                left[slot] = n_blocks;
            }
            if rotation.n_live() == 0 {
                break;
            }
            let degree = degree(turns.len());
            let turn =
                if waiting.len() > 0 { rotation.turn_of_many(degree) } else { rotation.turn(degree, ALONE) };
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

    /// They share their bytes, so that together they are longer than the address space.
    #[test]
    fn the_longest_messages_of_an_address_space_are_counted_in_full() {
        // Blocks of 16 bytes, the shortest of all functions.
        let longest = (isize::MAX as u64 / 16).min(1 << 54) as usize;
        for degree in [1, 4, 16] {
            let turns = run(&[longest; SLOTS], degree);
            let bound = (SLOTS / degree) as u64 * longest as u64;
            assert_eq!(turns.iter().map(|turn| *turn as u64).sum::<u64>(), bound, "on {degree}");
        }
        assert_eq!(
            run(&[longest; 5], 4).iter().map(|turn| *turn as u64).sum::<u64>(),
            (longest as u64 * 5).div_ceil(4)
        );
    }

    #[test]
    fn a_turn_ends_its_messages_if_that_costs_little() {
        assert_eq!(run(&[17; 31], 16), [17, 17]);
        assert_eq!(run(&[1000; 17], 16).iter().sum::<usize>(), 1063, "17 000 / 16: here it would cost much");
    }

    /// The loss of the rule above adds up turn by turn, but stays small.
    #[test]
    fn every_schedule_ends_near_the_lower_bound() {
        let mut random = random_numbers();
        for _ in 0..cases(20_000) {
            let degree = 1 + random(16);
            let longest = [2, 5, 40, 1000][random(4)];
            let lengths: Vec<usize> = (0..1 + random(SLOTS)).map(|_| 1 + random(longest)).collect();
            let bound =
                lengths.iter().max().copied().unwrap().max(lengths.iter().sum::<usize>().div_ceil(degree));
            let end = run(&lengths, degree).iter().sum::<usize>();
            assert!(
                bound <= end && end <= bound + bound / 8 + 2,
                "{end}, not {bound}: {lengths:?} on {degree}"
            );
        }
    }

    /// Any messages may wait; an order without rotation ends later by at most the longest of them.
    #[test]
    fn many_end_near_the_lower_bound_whatever_the_kernels() {
        let mut random = random_numbers();
        for _ in 0..cases(2_000) {
            let degree = 1 + random(16);
            let longest = [2, 5, 40, 1000][random(4)];
            let lengths: Vec<usize> = (0..1 + random(300)).map(|_| 1 + random(longest)).collect();
            let sum = lengths.iter().sum::<usize>();
            let end = run(&lengths, degree).iter().sum::<usize>();
            assert!(
                sum.div_ceil(degree) <= end && end <= sum.div_ceil(degree) + longest + longest / 8 + 2,
                "{end}, not {} and some: {lengths:?} on {degree}",
                sum.div_ceil(degree)
            );
            // Every message's count, on kernels that change from turn to turn.
            let seed = random(1000);
            run_on(&lengths, |turn| 1 + (turn * 7 + seed) % 16);
        }
    }

    #[test]
    fn while_more_wait_messages_stay_on_their_lanes() {
        let mut rotation = Rotation::new();
        for n_blocks in (10..42).rev() {
            rotation.insert(rotation.vacant(), n_blocks);
        }
        let first = rotation.turn_of_many(4);
        assert_eq!((first.slots(), first.n_blocks), (&[0, 1, 2, 3][..], 38), "41, 40, 39 and 38 blocks");
        assert_eq!(rotation.pop_finished(), Some(3));
        let second = rotation.turn_of_many(4);
        assert_eq!((second.slots(), second.n_blocks), (&[0, 1, 2, 4][..], 1));
        assert_eq!((rotation.pop_finished(), rotation.pop_finished()), (Some(2), None));
    }

    #[test]
    fn a_freed_slot_is_used_again() {
        let mut rotation = Rotation::new();
        for _ in 0..SLOTS {
            rotation.insert(rotation.vacant(), 1);
        }
        assert!(!rotation.has_room());
        let turn = rotation.turn(16, ALONE);
        assert_eq!((turn.slots().len(), turn.n_blocks), (16, 1));
        let freed = core::iter::from_fn(|| rotation.pop_finished()).count();
        assert_eq!((freed, rotation.n_live(), rotation.has_room()), (16, SLOTS - 16, true));
    }

    #[test]
    #[should_panic(expected = "all 32 slots are taken")]
    fn a_full_rotation_takes_no_more() {
        let mut rotation = Rotation::new();
        for _ in 0..=SLOTS {
            rotation.insert(rotation.vacant(), 1);
        }
    }
}
