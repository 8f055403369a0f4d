//! Many messages of any lengths: the rotating schedule drives the kernels.
//!
//! A message's state is one block, the last of its ciphertext, so messages rotate through the lanes as those
//! of hashes do (`hashlanes_schedule`). A kernel's keys are all of one length; messages with keys of several
//! lengths go one length after the other.

use hashlanes_isa::cipher::{Block, Buffer, Kernel, MAX_DEGREE};
use hashlanes_schedule::{Rotation, SLOTS, Turn};

use super::{CbcEncrypt, CbcMessage, Keys, TABLE, Verbs, call};
use crate::Key;

/// The choice of the kernel that advances live messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    /// The table's.
    Best,
    /// One kernel for any number of messages.
    Kernel(&'static Kernel<Verbs>),
}

impl Choice {
    #[inline]
    fn kernel(self, n_live: usize, n_blocks: usize) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best(n_live, n_blocks),
            Self::Kernel(kernel) => kernel,
        }
    }
}

/// Places of messages in one set of the first cache from which on they are read by rows: it has 8 ways on Zen
/// 4, 12 on Golden Cove. From a page's start sixteen messages take 0.25 cycles per byte then, instead of 0.73
/// (Cypress Cove).
const CROWD: usize = 9;

/// Bytes that idle lanes encrypt, all of them together.
const IDLE_BYTES: usize = 4096;

/// The messages of the window.
struct Slots<'k, 'm> {
    keys: [Option<&'k Key>; SLOTS],
    chain: [Block; SLOTS],
    buffers: [Buffer<'m>; SLOTS],
    /// The messages' indices.
    index_of: [usize; SLOTS],
    idle: [u8; IDLE_BYTES],
}

/// Encrypts all messages, whole blocks each; writes the last block of each ciphertext to the place of its IV.
pub(crate) fn encrypt_all(choice: Choice, messages: &mut [CbcMessage<'_, '_>]) {
    for rounds in [10, 12, 14] {
        if messages.iter().any(|message| message.key.rounds() == rounds) {
            encrypt_those(choice, messages, rounds);
        }
    }
}

/// Encrypts the messages whose keys have this number of rounds.
fn encrypt_those(choice: Choice, messages: &mut [CbcMessage<'_, '_>], rounds: usize) {
    let mut slots = Slots {
        keys: [None; SLOTS],
        chain: [[0; 16]; SLOTS],
        buffers: [const { None::<Buffer<'_>> }; SLOTS].map(|_| Buffer::empty()),
        index_of: [0; SLOTS],
        idle: [0; IDLE_BYTES],
    };
    let mut rotation = Rotation::new();
    let mut next = 0;
    loop {
        while rotation.has_room() && next < messages.len() {
            let message = &mut messages[next];
            let n_bytes = message.buffer.len();
            if message.key.rounds() == rounds && n_bytes > 0 {
                let slot = rotation.vacant();
                rotation.insert(slot, n_bytes / 16);
                slots.keys[slot] = Some(message.key);
                slots.chain[slot] = message.iv;
                slots.buffers[slot] = message.buffer.take(n_bytes);
                slots.index_of[slot] = next;
            }
            next += 1;
        }
        let (n_live, more) = (rotation.n_live(), next < messages.len());
        if n_live == 0 {
            return;
        }
        let shared = if more { rotation.most_blocks() } else { rotation.shared_blocks(MAX_DEGREE) };
        let mut kernel = choice.kernel(n_live, shared);
        if matches!(choice, Choice::Best)
            && kernel.degree() >= CROWD
            && slots.are_crowded()
            // Last, as it may read the environment.
            && !TABLE.is_forced()
        {
            // The first kernel of the table with this verb has the widest rows: whole lines.
            let has_rows = |kernel: &&'static Kernel<Verbs>| kernel.verbs().cbc_encrypt_rows.is_some();
            kernel = TABLE.kernels().find(has_rows).unwrap_or(kernel);
        }
        let turn = if more {
            rotation.turn_of_many(kernel.degree())
        } else {
            rotation.turn(kernel.degree(), |n, n_blocks| {
                let other = choice.kernel(n, n_blocks);
                n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_blocks)
                    / u64::from(kernel.cost().block)
            })
        };
        slots.advance(kernel, &turn);
        while let Some(slot) = rotation.pop_finished() {
            messages[slots.index_of[slot]].iv = slots.chain[slot];
        }
    }
}

impl Slots<'_, '_> {
    /// Returns whether messages lie at one place of their pages.
    fn are_crowded(&self) -> bool {
        Buffer::most_in_one_set(&self.buffers) >= CROWD
    }

    /// Advances the turn's messages.
    fn advance(&mut self, kernel: &'static Kernel<Verbs>, turn: &Turn) {
        let (slots, degree) = (turn.slots(), kernel.degree());
        let n_idle = degree - slots.len();
        let first = self.keys[usize::from(slots[0])].expect("a live message");
        let mut keys = [first; MAX_DEGREE];
        let mut chain = [[0; 16]; MAX_DEGREE];
        for (k, &slot) in slots.iter().enumerate() {
            keys[k] = self.keys[usize::from(slot)].expect("a live message");
            chain[k] = self.chain[usize::from(slot)];
        }
        let is_shared = keys[..degree].iter().all(|key| core::ptr::eq(*key, first));
        let keys = if is_shared { Keys::Shared(first) } else { Keys::Each(&keys[..degree]) };
        // Idle lanes have a few blocks of their own, so a turn may take several calls.
        let most_blocks = (IDLE_BYTES / 16).checked_div(n_idle).unwrap_or(usize::MAX);
        let mut n_left = turn.n_blocks;
        while n_left > 0 {
            let n_blocks = n_left.min(most_blocks);
            let mut messages = [const { None::<Buffer<'_>> }; MAX_DEGREE].map(|_| Buffer::empty());
            let mut idle = Buffer::in_place(&mut self.idle);
            for (k, message) in messages[..degree].iter_mut().enumerate() {
                *message = match slots.get(k) {
                    Some(&slot) => self.buffers[usize::from(slot)].take(16 * n_blocks),
                    None => idle.take(16 * n_blocks),
                };
            }
            let (chain, messages) = (&mut chain[..degree], &mut messages[..degree]);
            let has_rows = kernel.verbs().cbc_encrypt_rows.is_some();
            let by_rows = has_rows && n_blocks >= 4 && Buffer::most_in_one_set(messages) >= CROWD;
            let job = CbcEncrypt { keys, chain, messages, n_blocks };
            if by_rows {
                call::cbc_encrypt_rows(kernel, job);
            } else {
                call::cbc_encrypt(kernel, job);
            }
            n_left -= n_blocks;
        }
        for (k, &slot) in slots.iter().enumerate() {
            self.chain[usize::from(slot)] = chain[k];
        }
    }
}
