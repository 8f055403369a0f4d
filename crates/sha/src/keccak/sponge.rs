//! Sponges, FIPS 202 section 4, of one message or many: SHA3-256 and SHAKE, section 6.
//!
//! Lanes advance together: a call of the kernel for the whole blocks that all of a group have, another for each length
//! beyond, a last one for their padded ends. Groups are of messages that are next to each other by length, so that few
//! lanes run idle; messages do not rotate through them as those of SHA-2 do.

use core::cmp::Reverse;

use hashlanes_isa::MAX_DEGREE;

use super::{Kernel, Rate, State, table};

/// A function of section 6: a rate and what stands behind the message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sponge {
    pub(super) rate: Rate,
    /// The bits behind the message, the first of pad10*1 among them, least significant first.
    suffix: u8,
}

/// Section 6.1: M || 01.
pub(super) const SHA3_256: Sponge = Sponge { rate: Rate::Bytes136, suffix: 0b110 };
/// Section 6.2: M || 1111.
const SHAKE128: Sponge = Sponge { rate: Rate::Bytes168, suffix: 0b1_1111 };
const SHAKE256: Sponge = Sponge { rate: Rate::Bytes136, suffix: 0b1_1111 };

/// Bytes of the greatest rate.
const MAX_RATE: usize = Rate::Bytes168.bytes();

/// A message: whole blocks, a number of bytes from the start of one to the start of the next that all messages of a call
/// share; and what follows them, less than a block.
#[derive(Clone, Copy, Default)]
pub(super) struct Message<'a> {
    pub(super) blocks: &'a [u8],
    pub(super) n_blocks: usize,
    pub(super) rest: &'a [u8],
}

impl<'a> Message<'a> {
    /// One that lies in one place.
    fn contiguous(rate: Rate, bytes: &'a [u8]) -> Self {
        let n_blocks = bytes.len() / rate.bytes();
        let (blocks, rest) = bytes.split_at(n_blocks * rate.bytes());
        Self { blocks, n_blocks, rest }
    }
}

impl Sponge {
    /// The states of a group of messages, one a lane, behind their padded ends; those of idle lanes mean nothing.
    ///
    /// # Panics
    /// Unless there are 1 to `degree` messages.
    pub(super) fn absorb(
        self,
        kernel: &Kernel,
        messages: &[Message<'_>],
        step: usize,
    ) -> [State; MAX_DEGREE] {
        let degree = kernel.degree();
        assert!((1..=degree).contains(&messages.len()));
        let mut states = [[0; 25]; MAX_DEGREE];
        let mut n_done = 0;
        // Whole blocks, up to the next shortest message's last, until none has more.
        while let Some(n) = messages.iter().map(|m| m.n_blocks).filter(|n| *n > n_done).min() {
            // Lanes without a block of their own take those of one that has.
            let has_more = |m: &&Message<'_>| m.n_blocks > n_done;
            let dummy = messages.iter().find(has_more).expect("one has more");
            let mut rows = [&dummy.blocks[n_done * step..]; MAX_DEGREE];
            for (row, message) in rows.iter_mut().zip(messages).filter(|(_, message)| has_more(message)) {
                *row = &message.blocks[n_done * step..];
            }
            let before = states;
            kernel.absorb(self.rate, &mut states[..degree], &rows[..degree], step, n - n_done);
            for (k, _) in messages.iter().enumerate().filter(|(_, message)| !has_more(message)) {
                states[k] = before[k];
            }
            n_done = n;
        }
        let mut ends = [[0; MAX_RATE]; MAX_DEGREE];
        for (end, message) in ends.iter_mut().zip(messages) {
            end[..message.rest.len()].copy_from_slice(message.rest);
            end[message.rest.len()] = self.suffix;
            end[self.rate.bytes() - 1] |= 0x80; // The last bit of pad10*1, section 5.1.
        }
        let rows = ends.each_ref().map(|end| &end[..]);
        kernel.absorb(self.rate, &mut states[..degree], &rows[..degree], self.rate.bytes(), 1);
        states
    }

    /// As many bytes of output as there is room for.
    fn hash(self, kernel: &Kernel, message: &[u8], out: &mut [u8]) {
        let message = Message::contiguous(self.rate, message);
        let mut states = self.absorb(kernel, &[message], self.rate.bytes());
        for (i, out) in out.chunks_mut(self.rate.bytes()).enumerate() {
            if i > 0 {
                kernel.permute(&mut states[..kernel.degree()]);
            }
            for (out, word) in out.chunks_mut(8).zip(states[0]) {
                out.copy_from_slice(&word.to_le_bytes()[..out.len()]);
            }
        }
    }
}

/// The first 256 bits of a state.
pub(super) fn digest_of(state: &State) -> [u8; 32] {
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_le_bytes();
    }
    digest
}

/// SHA3-256 of a message.
pub fn sha3_256(message: &[u8]) -> [u8; 32] {
    sha3_256_on(table().best_of_group(1, 1), message)
}

/// The same on one kernel.
pub fn sha3_256_on(kernel: &Kernel, message: &[u8]) -> [u8; 32] {
    let mut digest = [0; 32];
    SHA3_256.hash(kernel, message, &mut digest);
    digest
}

/// As many bytes of SHAKE128 of a message as there is room for.
pub fn shake128(message: &[u8], out: &mut [u8]) {
    SHAKE128.hash(table().best_of_group(1, 1), message, out);
}

/// The same of SHAKE256.
pub fn shake256(message: &[u8], out: &mut [u8]) {
    SHAKE256.hash(table().best_of_group(1, 1), message, out);
}

/// SHA3-256 of each message, in its place.
///
/// # Panics
/// Unless there are as many digests as messages.
pub fn sha3_256_many(messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    many(|n| table().best_of_group(n, 1), messages, digests);
}

/// The same on one kernel.
///
/// # Panics
/// As [`sha3_256_many`].
pub fn sha3_256_many_on(kernel: &'static Kernel, messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    many(|_| kernel, messages, digests);
}

fn many(best: impl Fn(usize) -> &'static Kernel, messages: &[&[u8]], digests: &mut [[u8; 32]]) {
    /// Messages that are sorted together.
    const BATCH: usize = 256;
    assert!(messages.len() == digests.len(), "{} messages, {} digests", messages.len(), digests.len());
    let rate = SHA3_256.rate;
    for (messages, digests) in messages.chunks(BATCH).zip(digests.chunks_mut(BATCH)) {
        let mut order: [usize; BATCH] = core::array::from_fn(|i| i);
        let order = &mut order[..messages.len()];
        order.sort_unstable_by_key(|i| Reverse(messages[*i].len()));
        let mut left = &*order;
        while !left.is_empty() {
            let kernel = best(left.len());
            let (group, others) = left.split_at(kernel.degree().min(left.len()));
            let mut lanes = [Message::default(); MAX_DEGREE];
            for (lane, i) in lanes.iter_mut().zip(group) {
                *lane = Message::contiguous(rate, messages[*i]);
            }
            let states = SHA3_256.absorb(kernel, &lanes[..group.len()], rate.bytes());
            for (i, state) in group.iter().zip(&states) {
                digests[*i] = digest_of(state);
            }
            left = others;
        }
    }
}
