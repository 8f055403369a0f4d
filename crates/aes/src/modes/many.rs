//! Many messages of any lengths.
//!
//! Messages of one length go through the kernels in groups, from start to end. Others rotate: a message's
//! state is one block, the last of its ciphertext, so messages rotate through the lanes as those of hashes do
//! (`hashlanes_schedule`). Both advance the messages in place. A kernel's keys are all of one length, so
//! messages with keys of several lengths go one length after the other.

use hashlanes_isa::cipher::{Block, Buffer, Kernel, MAX_DEGREE};
use hashlanes_schedule::{Rotation, SLOTS};

use super::{CbcEncrypt, CbcMessage, TABLE, Verbs, call};
use crate::stack_wipe;

/// The choice of the kernel that advances live messages.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice {
    /// The table's.
    Best,
    /// One kernel for any number of messages.
    Kernel(&'static Kernel<Verbs>),
}

impl Choice {
    /// The kernel of messages that rotate.
    #[inline]
    fn kernel(self, n_live: usize, n_blocks: usize) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best(n_live, n_blocks),
            Self::Kernel(kernel) => kernel,
        }
    }

    /// The kernel of the next group of `n_left` messages.
    #[inline]
    fn of_group(self, n_left: usize, n_blocks: usize) -> &'static Kernel<Verbs> {
        match self {
            Self::Best => TABLE.best_of_group(n_left, n_blocks),
            Self::Kernel(kernel) => kernel,
        }
    }

    /// The kernel of messages that lie at one place of their pages, instead of `kernel`: the first of the
    /// table with this verb has the widest rows, which are whole lines.
    #[cold]
    fn by_lines(self, kernel: &'static Kernel<Verbs>) -> &'static Kernel<Verbs> {
        let has_rows = |kernel: &&'static Kernel<Verbs>| kernel.verbs().cbc_encrypt_rows.is_some();
        match self {
            // Last, as it may read the environment.
            Self::Best if !TABLE.is_forced() => TABLE.kernels().find(has_rows).unwrap_or(kernel),
            _ => kernel,
        }
    }
}

/// Places of messages in one set of the first cache from which on they are read by rows: it has 8 ways on Zen
/// 4, 12 on Golden Cove. From a page's start sixteen messages take 0.25 cycles per byte then, instead of 0.73
/// (Redwood Cove).
const CROWD: usize = 9;

/// The least number of blocks that are read by rows: a row of the widest registers.
const ROW_BLOCKS: usize = 4;

/// Lines that several messages may have in one set of the first cache, of 8 ways: the next ones are fetched
/// there, too.
const LINES: usize = 4;
/// Blocks of a cache line.
const LINE_BLOCKS: usize = 4;
/// The least number of blocks, for each group, of messages that are shifted: with fewer, the groups alone
/// take longer than rows. From a page's start sixteen messages of 8 KiB take 0.23 cycles per byte in place,
/// by rows 0.44 (Zen 4).
const SHIFT_BLOCKS: usize = 24;

/// Encrypts all messages, whole blocks each; writes the last block of each ciphertext to the place of its IV.
pub(crate) fn encrypt_all(choice: Choice, messages: &mut [CbcMessage<'_, '_>]) {
    let Some(first) = messages.first() else { return };
    let (rounds, n_bytes) = (first.key.rounds(), first.buffer.len());
    if messages.iter().all(|message| message.buffer.len() == n_bytes && message.key.rounds() == rounds) {
        encrypt_equal(choice, messages, n_bytes / 16);
    } else {
        for rounds in [10, 12, 14] {
            if messages.iter().any(|message| message.key.rounds() == rounds) {
                encrypt_those(choice, messages, rounds);
            }
        }
    }
}

/// Encrypts messages of `n_blocks` blocks each, whose keys have one length.
fn encrypt_equal(choice: Choice, messages: &mut [CbcMessage<'_, '_>], n_blocks: usize) {
    if n_blocks == 0 {
        return;
    }
    let mut left = messages;
    while !left.is_empty() {
        let mut kernel = choice.of_group(left.len(), n_blocks);
        let mut n = left.len().min(kernel.degree());
        let most = match n_blocks >= ROW_BLOCKS && n > 2 {
            true => Buffer::most_in_one_set(left[..n].iter().map(|message| &message.buffer)),
            false => 0,
        };
        // In place, a message has one line at a time, otherwise two.
        let abreast = if most > n { LINES / 2 } else { LINES };
        if most >= CROWD && n_blocks >= SHIFT_BLOCKS * n.div_ceil(abreast) {
            shifted(choice, kernel, &mut left[..n], abreast, n_blocks);
        } else if most >= CROWD && n >= CROWD {
            kernel = choice.by_lines(kernel);
            n = left.len().min(kernel.degree());
            advance(kernel, left, &INDICES[..n], n_blocks, Places::Crowded);
        } else {
            advance(kernel, left, &INDICES[..n], n_blocks, Places::Apart);
        }
        left = &mut left[n..];
    }
}

/// The indices of messages that are neighbours.
const INDICES: [usize; MAX_DEGREE] = {
    let mut indices = [0; MAX_DEGREE];
    let mut k = 0;
    while k < MAX_DEGREE {
        indices[k] = k;
        k += 1;
    }
    indices
};

/// Encrypts messages at one place of their pages, `n_blocks` blocks each. Every `abreast` of them are a line
/// ahead of those before, so that fewer of their lines meet in a set of the cache.
fn shifted(
    choice: Choice,
    kernel: &'static Kernel<Verbs>,
    messages: &mut [CbcMessage<'_, '_>],
    abreast: usize,
    n_blocks: usize,
) {
    let n_ahead = LINE_BLOCKS * (messages.len().div_ceil(abreast) - 1);
    for (g, group) in messages.chunks_mut(abreast).enumerate() {
        advance_few(choice, group, LINE_BLOCKS * g);
    }
    advance(kernel, messages, &INDICES[..messages.len()], n_blocks - n_ahead, Places::Apart);
    for (g, group) in messages.chunks_mut(abreast).enumerate() {
        advance_few(choice, group, n_ahead - LINE_BLOCKS * g);
    }
}

/// Advances a few messages by `n_blocks` blocks.
fn advance_few(choice: Choice, messages: &mut [CbcMessage<'_, '_>], n_blocks: usize) {
    if n_blocks > 0 {
        let kernel = choice.of_group(messages.len(), n_blocks);
        for part in messages.chunks_mut(kernel.degree()) {
            advance(kernel, part, &INDICES[..part.len()], n_blocks, Places::Apart);
        }
    }
}

/// Encrypts the messages whose keys have this number of rounds.
fn encrypt_those(choice: Choice, messages: &mut [CbcMessage<'_, '_>], rounds: usize) {
    // The index of the message in each slot; beyond all messages where there was none.
    let mut index_of = [messages.len(); SLOTS];
    let mut rotation = Rotation::new();
    let mut next = 0;
    loop {
        while rotation.has_room() && next < messages.len() {
            let message = &messages[next];
            let n_blocks = message.buffer.len() / 16;
            if message.key.rounds() == rounds && n_blocks > 0 {
                let slot = rotation.vacant();
                rotation.insert(slot, n_blocks);
                index_of[slot] = next;
            }
            next += 1;
        }
        let (n_live, more) = (rotation.n_live(), next < messages.len());
        if n_live == 0 {
            return;
        }
        let shared = if more { rotation.most_blocks() } else { rotation.shared_blocks(MAX_DEGREE) };
        let mut kernel = choice.kernel(n_live, shared);
        let mut places = Places::Apart;
        if kernel.degree() >= CROWD && n_live >= CROWD {
            places = Places::of(index_of.iter().filter_map(|&index| messages.get(index)));
        }
        if places == Places::Crowded {
            kernel = choice.by_lines(kernel);
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
        let slots = turn.slots();
        let mut indices = [0; MAX_DEGREE];
        for (index, &slot) in indices.iter_mut().zip(slots) {
            *index = index_of[usize::from(slot)];
        }
        advance(kernel, messages, &indices[..slots.len()], turn.n_blocks, places);
        while rotation.pop_finished().is_some() {}
    }
}

/// Where the messages of a call are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    Apart,
    /// At one place of their pages: they are read by rows.
    Crowded,
}

impl Places {
    fn of<'a, 'k: 'a, 'm: 'a>(messages: impl Iterator<Item = &'a CbcMessage<'k, 'm>>) -> Self {
        let n = Buffer::most_in_one_set(messages.map(|message| &message.buffer));
        if n >= CROWD { Self::Crowded } else { Self::Apart }
    }
}

/// A few lanes have lists of their own: filling the long ones takes longer than a short message.
const FEW: usize = 8;

/// Advances the messages of these indices by `n_blocks` blocks, one in each lane of the kernel; the lanes
/// without a message encrypt zeros with the first one's key and IV. Overwrites the stack as far as the kernel
/// reached.
fn advance(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [CbcMessage<'_, '_>],
    indices: &[usize],
    n_blocks: usize,
    places: Places,
) {
    let n_idle = kernel.degree() - indices.len();
    let in_lanes = match kernel.degree() {
        ..=FEW => advance_lanes::<FEW>,
        _ => advance_lanes::<MAX_DEGREE>,
    };
    if kernel.degree() == 1 {
        let CbcMessage { key, iv, buffer } = &mut messages[indices[0]];
        let (chain, messages) = (core::slice::from_mut(iv), core::slice::from_mut(buffer));
        call::cbc_encrypt(kernel, CbcEncrypt { keys: *key, chain, messages, n_blocks });
        stack_wipe::wipe_of_one_cbc(kernel);
    } else if n_idle == 0 {
        in_lanes(kernel, messages, indices, n_blocks, places, &mut []);
    } else if 16 * n_idle * n_blocks <= 512 {
        in_lanes(kernel, messages, indices, n_blocks, places, &mut [0; 512]);
    } else {
        in_lanes(kernel, messages, indices, n_blocks, places, &mut [0; 4096]);
    }
}

/// Does the same with at most `MOST` lanes, of which those without a message share the bytes of `idle`: if
/// these are few, that takes several calls of the kernel.
#[inline(never)] // Its lists are long.
fn advance_lanes<const MOST: usize>(
    kernel: &'static Kernel<Verbs>,
    messages: &mut [CbcMessage<'_, '_>],
    indices: &[usize],
    n_blocks: usize,
    places: Places,
    idle: &mut [u8],
) {
    let (degree, n_idle) = (kernel.degree(), kernel.degree() - indices.len());
    let CbcMessage { key: first, iv, .. } = messages[indices[0]];
    let mut keys = [first; MOST];
    let mut chain: [Block; MOST] = [iv; MOST];
    let (mut is_shared, mut used_rows, mut n_left) = (true, false, n_blocks);
    while n_left > 0 {
        let n_now = n_left.min((idle.len() / 16).checked_div(n_idle).unwrap_or(usize::MAX));
        let mut buffers = [const { Buffer::empty() }; MOST];
        for (k, &index) in indices.iter().enumerate() {
            let message = &mut messages[index];
            is_shared &= core::ptr::eq(message.key, first);
            (keys[k], chain[k]) = (message.key, message.iv);
            buffers[k] = message.buffer.take(16 * n_now);
        }
        let mut idle = Buffer::in_place(idle);
        for buffer in &mut buffers[indices.len()..degree] {
            *buffer = idle.take(16 * n_now);
        }
        let has_rows = kernel.verbs().cbc_encrypt_rows.is_some();
        let by_rows = has_rows && places == Places::Crowded && n_now >= ROW_BLOCKS;
        let (chain, messages_now) = (&mut chain[..degree], &mut buffers[..degree]);
        if is_shared {
            let job = CbcEncrypt { keys: first, chain, messages: messages_now, n_blocks: n_now };
            if by_rows { call::cbc_encrypt_rows(kernel, job) } else { call::cbc_encrypt(kernel, job) }
        } else {
            let keys = &keys[..degree];
            let job = CbcEncrypt { keys, chain, messages: messages_now, n_blocks: n_now };
            if by_rows {
                call::cbc_encrypt_each_rows(kernel, job)
            } else {
                call::cbc_encrypt_each(kernel, job)
            }
        }
        for (&index, chain) in indices.iter().zip(chain) {
            messages[index].iv = *chain;
        }
        (n_left, used_rows) = (n_left - n_now, used_rows | by_rows);
    }
    stack_wipe::wipe_of_lanes(kernel, is_shared && !used_rows);
}
