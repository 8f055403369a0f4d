//! Messages after a common prefix that is not whole blocks: leaves and nodes of a tree after the byte that
//! distinguishes them, blocks after a salt.
//!
//! ```text
//!   rest of the prefix | message                                  |
//!   first block               | tail: none, less than a block, or longer
//! ```
//!
//! The prefix shifts every message against the blocks. So the first block of each is a copy, and so is a
//! second one if the message ends there. Longer tails are messages that begin with a state of their own.

use arrayvec::ArrayVec;
use hashlanes_isa::{Function, Plan, Start, put_digest};

use super::{InPlace, Secrecy, Starts, digest_all, digest_equal};
use crate::padding::{InLines, LONGEST_DIGEST, copy_short, n_blocks, put_length, whole_block};

/// Messages that are copied at a time.
const TOGETHER: usize = 64;
/// If there are no more than this, less room is cleared.
const FEWER: usize = 8;

/// A prefix: the state after its whole blocks, and the bytes that follow them, less than a block.
pub struct Prefix<'p, F: Function> {
    pub(crate) start: &'p F::State,
    pub(crate) n_before: u64,
    pub(crate) rest: &'p [u8],
}

impl<F: Function> Prefix<'_, F> {
    /// Computes the digests of the messages after the prefix, of `digest_bytes` bytes each.
    pub(crate) fn digest_all(&self, messages: &[&[u8]], digests: &mut [u8], digest_bytes: usize) {
        if self.rest.is_empty() {
            let start = Starts::One(self.start, self.n_before);
            let digests = &mut InPlace::new(digests, digest_bytes);
            digest_all::<F>(Plan::BEST, start, messages, Secrecy::Public, digests);
            return;
        }
        let digests = digests.chunks_mut(TOGETHER * digest_bytes);
        for (messages, digests) in messages.chunks(TOGETHER).zip(digests) {
            match messages.len() {
                ..=FEWER => self.digest_some::<FEWER>(messages, digests, digest_bytes),
                _ => self.digest_some::<TOGETHER>(messages, digests, digest_bytes),
            }
        }
    }

    /// The number of bytes of a message in its first block, if it fills that.
    fn head_bytes(&self) -> usize {
        F::BLOCK_BYTES - self.rest.len()
    }

    /// Computes the digests of at most `N` messages.
    #[inline(never)]
    fn digest_some<const N: usize>(&self, messages: &[&[u8]], digests: &mut [u8], digest_bytes: usize) {
        /// Messages of 3 blocks or more go on as others do.
        const LONG: usize = 3;
        let class = |message: &[u8]| n_blocks::<F>(self.rest.len() + message.len()).min(LONG);
        let mut n_of = [0; LONG + 1];
        messages.iter().for_each(|message| n_of[class(message)] += 1);
        // The longest first, so that those that go on after a block are neighbours.
        let mut order = ArrayVec::<usize, N>::new();
        for wanted in (1..=LONG).rev().filter(|&class| n_of[class] > 0) {
            order.extend((0..messages.len()).filter(|&i| class(messages[i]) == wanted));
        }
        let (n_long, n_going_on) = (n_of[LONG], n_of[LONG] + n_of[2]);

        let mut blocks = InLines([F::ZERO_BLOCK; N]);
        let blocks = &mut blocks.0[..messages.len()];
        for (p, (block, &i)) in blocks.iter_mut().zip(&order).enumerate() {
            self.put_first_block(block, messages[i], p >= n_going_on);
        }
        if n_going_on == 0 {
            let blocks = F::bytes_of(blocks);
            return digest_equal(Plan::BEST, self.start, &whole_block::<F>(), blocks, digests, digest_bytes);
        }
        let mut states = [*self.start; N];
        let states = &mut states[..messages.len()];
        compress::<F>(Start::Shared(self.start), blocks, states);
        let seconds = &mut blocks[n_long..n_going_on];
        for (block, &i) in seconds.iter_mut().zip(&order[n_long..]) {
            self.put_second_block(block, messages[i]);
        }
        compress::<F>(Start::Each, seconds, &mut states[n_long..n_going_on]);
        for (state, &i) in states.iter().zip(&order).skip(n_long) {
            put_digest::<F>(state, &mut digests[i * digest_bytes..][..digest_bytes]);
        }
        if n_long > 0 {
            self.digest_tails(messages, &order[..n_long], states, digests, digest_bytes);
        }
    }

    /// Computes the digests of the messages of these numbers, whose first blocks led to `states`.
    #[inline(never)]
    fn digest_tails(
        &self,
        messages: &[&[u8]],
        numbers: &[usize],
        states: &[F::State],
        digests: &mut [u8],
        digest_bytes: usize,
    ) {
        let tail = |&i: &usize| &messages[i][self.head_bytes()..];
        let tails: ArrayVec<&[u8], TOGETHER> = numbers.iter().map(tail).collect();
        let mut room = [0; TOGETHER * LONGEST_DIGEST];
        let room = &mut room[..tails.len() * digest_bytes];
        let starts = |p: usize| (&states[p], self.n_before + F::BLOCK_BYTES as u64);
        let in_room = &mut InPlace::new(room, digest_bytes);
        digest_all::<F>(Plan::BEST, Starts::Each(&starts), &tails, Secrecy::Public, in_room);
        for (digest, &i) in room.chunks_exact(digest_bytes).zip(numbers) {
            digests[i * digest_bytes..][..digest_bytes].copy_from_slice(digest);
        }
    }

    /// Writes the first block of a message, which `ends` there or goes on, over zeros.
    fn put_first_block(&self, block: &mut F::Block, message: &[u8], ends: bool) {
        let (block, n_rest) = (block.as_mut(), self.rest.len());
        block[..n_rest].copy_from_slice(self.rest);
        copy_short(&mut block[n_rest..], &message[..message.len().min(self.head_bytes())]);
        // The one bit of the padding, if it is in this block.
        if let Some(byte) = block.get_mut(n_rest + message.len()) {
            *byte = 0x80;
        }
        if ends {
            put_length::<F>(block, self.n_bytes(message));
        }
    }

    /// Writes the second and last block of a message.
    fn put_second_block(&self, block: &mut F::Block, message: &[u8]) {
        *block = F::ZERO_BLOCK;
        let block = block.as_mut();
        if let Some(tail) = message.get(self.head_bytes()..) {
            copy_short(block, tail);
            block[tail.len()] = 0x80;
        }
        put_length::<F>(block, self.n_bytes(message));
    }

    fn n_bytes(&self, message: &[u8]) -> u64 {
        self.n_before + (self.rest.len() + message.len()) as u64
    }
}

/// Compresses `blocks[i]` into `states[i]`.
fn compress<F: Function>(start: Start<'_, F>, blocks: &[F::Block], states: &mut [F::State]) {
    Plan::<F>::BEST.each_group(states.len(), 1, |kernel, some| {
        kernel.continue_many(start, &blocks[some.clone()], None, &mut states[some]);
    });
}
