//! Many messages in the kernels' lanes.
//!
//! Messages are taken 256 at a time. If all have one number of blocks, less than 12 or no more messages than
//! lanes, they go through the lanes in groups, from start to end. Others are sorted by their number of
//! blocks, the longest first. Groups of full lanes with one number of blocks go in the same way; the rest
//! rotates, like messages of SHA-2: the crate `schedule` chooses the live messages that advance next, and by
//! how many blocks. A message's padded end is one more block of its lane.

use core::cmp::Reverse;
use core::ops::Range;

use arrayvec::ArrayVec;
use hashlanes_isa::sponge::{Head, Kernel, MAX_DEGREE, Row, State, States};
use hashlanes_schedule::{Rotation, Turn};

use super::algorithm::{MAX_RATE, Parameters, SpongeHash, Xof, digest_of, put_words};
use super::hasher::SpongeHasher;
use super::one::PLACES;
use super::table;
use crate::ShapeError;
use crate::error::{expect, same_count, same_length};
use crate::many::BATCH;

/// Maximum number of live messages: twice the number of lanes.
const LIVE: usize = 2 * MAX_DEGREE;

/// Messages with the same number of blocks, fewer than this, go in groups: rotation, whose turns take some
/// 700 cycles in addition to the blocks, would end no earlier (Raptor Cove).
const ROTATING: usize = 12;

/// The task for many messages.
pub(super) struct Many<'c, 'a> {
    pub(super) parameters: Parameters,
    /// The kernel for all messages; otherwise the table's choice.
    pub(super) only: Option<&'static Kernel>,
    pub(super) messages: &'c [&'a [u8]],
    /// The initial state of each message; zeros by default.
    pub(super) start: Option<&'c dyn Fn(usize) -> &'c State>,
    /// The part of the last states that is needed.
    pub(super) kept: Kept,
}

/// Gets each message's number and the words of its last state that are needed, in no order.
pub(super) type Done<'d> = dyn FnMut(usize, &[u64]) + 'd;

/// The words of a last state that are needed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    /// The first eight, at least.
    Head,
    /// All words.
    State,
}

impl Kept {
    /// Returns the number of states that hold this many bytes of output.
    pub(super) fn of(n_bytes: usize) -> Self {
        if n_bytes <= size_of::<Head>() { Self::Head } else { Self::State }
    }
}

/// A message's number, and its blocks, the padded end among them.
#[derive(Clone, Copy)]
struct Message {
    index: usize,
    n_blocks: usize,
}

/// A live message, except its state.
#[derive(Clone, Copy)]
struct Live<'a> {
    index: usize,
    /// Blocks left, the padded end among them.
    n_left: usize,
    /// The whole ones.
    blocks: &'a [u8],
    end: [u8; MAX_RATE],
}

/// Returns the kernel for the next of `n` messages that go from start to end in groups.
pub(super) fn kernel_of_group(only: Option<&'static Kernel>, n: usize) -> &'static Kernel {
    only.unwrap_or_else(|| table().best_of_group(n, 1))
}

impl<'a> Many<'_, 'a> {
    /// Processes all messages in lanes.
    pub(super) fn absorb_all(&self, done: &mut Done<'_>) {
        for (from, some) in (0..).step_by(BATCH).zip(self.messages.chunks(BATCH)) {
            let batch = from..from + some.len();
            let n_blocks = self.n_blocks_of(from);
            let are_alike = batch.clone().all(|i| self.n_blocks_of(i) == n_blocks);
            if are_alike && (n_blocks < ROTATING || batch.len() <= self.kernel(batch.len()).degree()) {
                self.absorb_alike(batch, n_blocks, done);
            } else {
                self.absorb_mixed(batch, done);
            }
        }
    }

    /// Returns the number of a message's blocks, the padded end among them.
    #[inline]
    fn n_blocks_of(&self, index: usize) -> usize {
        self.parameters.n_whole(self.messages[index].len()) + 1
    }

    /// Processes these messages, which all have the same number of blocks, in groups.
    fn absorb_alike(&self, mut left: Range<usize>, n_blocks: usize, done: &mut Done<'_>) {
        while !left.is_empty() {
            let kernel = kernel_of_group(self.only, left.len());
            let group: [Message; MAX_DEGREE] =
                core::array::from_fn(|k| Message { index: left.start + k, n_blocks });
            let n_lanes = kernel.degree().min(left.len());
            self.absorb_group(kernel, &group[..n_lanes], done);
            left.start += n_lanes;
        }
    }

    /// Sorts these messages by their number of blocks, the longest first, and processes them. A function of
    /// its own, so that its list of 4 KiB is not cleared for messages of one number of blocks.
    #[inline(never)]
    fn absorb_mixed(&self, indices: Range<usize>, done: &mut Done<'_>) {
        let mut messages = [Message { index: 0, n_blocks: 0 }; BATCH];
        let messages = &mut messages[..indices.len()];
        for (message, index) in messages.iter_mut().zip(indices) {
            *message = Message { index, n_blocks: self.n_blocks_of(index) };
        }
        if !messages.is_sorted_by_key(|message| Reverse(message.n_blocks)) {
            messages.sort_unstable_by_key(|message| Reverse(message.n_blocks));
        }
        self.absorb_sorted(messages, done);
    }

    /// Returns the kernel that advances `n` live messages.
    fn kernel(&self, n: usize) -> &'static Kernel {
        self.only.unwrap_or_else(|| table().best(n, 1))
    }

    /// Processes messages in lanes, the longest first.
    fn absorb_sorted(&self, messages: &mut [Message], done: &mut Done<'_>) {
        let n = messages.len();
        // Groups that fill the most lanes; not the last messages, which keep the lanes fuller if more of them
        // rotate.
        let kernel = kernel_of_group(self.only, LIVE);
        let degree = kernel.degree();
        let (mut at, mut n_staying) = (0, 0);
        while at < n {
            if (n - at >= LIVE || n - at == degree)
                && messages[at].n_blocks == messages[at + degree - 1].n_blocks
            {
                self.absorb_group(kernel, &messages[at..at + degree], done);
                at += degree;
            } else {
                messages[n_staying] = messages[at];
                (at, n_staying) = (at + 1, n_staying + 1);
            }
        }
        self.rotate(&messages[..n_staying], done);
    }

    /// Processes messages from start to end, at most one for each lane and all with one number of blocks.
    fn absorb_group(&self, kernel: &'static Kernel, group: &[Message], done: &mut Done<'_>) {
        let (rate, degree) = (self.parameters.rate, kernel.degree());
        let n_whole = group[0].n_blocks - 1;
        // No array of all lanes: to clear it takes longer.
        let mut ends = ArrayVec::<[u8; MAX_RATE], MAX_DEGREE>::new();
        for message in group {
            ends.push([0; MAX_RATE]);
            let end = ends.last_mut().expect("the one that was pushed");
            self.parameters.put_end(&self.messages[message.index][n_whole * rate.bytes()..], end);
        }
        // Idle lanes have the blocks of the first.
        let mut rows = [Row { blocks: self.messages[group[0].index], last: &ends[0] }; MAX_DEGREE];
        for ((row, message), end) in rows.iter_mut().zip(group).zip(&ends) {
            *row = Row { blocks: self.messages[message.index], last: end };
        }
        if self.start.is_none() && self.kept == Kept::Head {
            let mut heads = [[0; 8]; MAX_DEGREE];
            let states = States::Whole(&mut heads[..degree]);
            kernel.absorb(rate, states, &rows[..degree], rate.bytes(), n_whole);
            for (message, head) in group.iter().zip(&heads) {
                done(message.index, head);
            }
            return;
        }
        let mut states = [[0; 25]; MAX_DEGREE];
        if let Some(start) = self.start {
            for (state, message) in states.iter_mut().zip(group) {
                *state = *start(message.index);
            }
        }
        let lanes = States::Advance(&mut states, &PLACES[..degree]);
        kernel.absorb(rate, lanes, &rows[..degree], rate.bytes(), n_whole);
        for (message, state) in group.iter().zip(&states) {
            done(message.index, state);
        }
    }

    /// Processes messages in lanes by rotation.
    fn rotate(&self, messages: &[Message], done: &mut Done<'_>) {
        let mut waiting = messages.iter();
        let mut live = [Live { index: 0, n_left: 0, blocks: &[], end: [0; MAX_RATE] }; LIVE];
        // The states of idle lanes are the last.
        let mut states = [[0; 25]; LIVE + MAX_DEGREE];
        let mut rotation = Rotation::new();
        loop {
            while rotation.n_live() < LIVE
                && let Some(&Message { index, n_blocks }) = waiting.next()
            {
                let slot = rotation.vacant();
                let (blocks, rest) = self.parameters.split(self.messages[index]);
                live[slot] = Live { index, n_left: n_blocks, blocks, end: [0; MAX_RATE] };
                self.parameters.put_end(rest, &mut live[slot].end);
                states[slot] = self.start.map_or([0; 25], |start| *start(index));
                rotation.insert(slot, n_blocks);
            }
            if rotation.n_live() == 0 {
                return;
            }
            let kernel = self.kernel(rotation.n_live());
            let turn = if waiting.len() > 0 {
                rotation.turn_of_many(kernel.degree())
            } else {
                rotation.turn(kernel.degree(), |n, n_blocks| {
                    let other = self.kernel(n);
                    n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_blocks)
                        / u64::from(kernel.cost().block)
                })
            };
            self.turn(kernel, &turn, &mut live, &mut states);
            while let Some(slot) = rotation.pop_finished() {
                done(live[slot].index, &states[slot]);
            }
        }
    }

    /// Advances the turn's messages.
    fn turn(
        &self,
        kernel: &Kernel,
        turn: &Turn,
        live: &mut [Live<'a>; LIVE],
        states: &mut [State; LIVE + MAX_DEGREE],
    ) {
        let (rate, degree) = (self.parameters.rate, kernel.degree());
        let n_bytes = turn.n_blocks * rate.bytes();
        let mut places = [0; MAX_DEGREE];
        let mut rows = [Row::default(); MAX_DEGREE];
        for (k, place) in places[..degree].iter_mut().enumerate() {
            // Idle lanes have the blocks of the first.
            *place = turn.slots().get(k).map_or((LIVE + k) as u8, |slot| *slot);
            let message = &live[usize::from(*turn.slots().get(k).unwrap_or(&turn.slots()[0]))];
            let ends = message.n_left == turn.n_blocks;
            let last = if ends { &message.end } else { &message.blocks[n_bytes - rate.bytes()..] };
            rows[k] = Row { blocks: message.blocks, last };
        }
        let lanes = States::Advance(states, &places[..degree]);
        kernel.absorb(rate, lanes, &rows[..degree], rate.bytes(), turn.n_blocks - 1);
        for slot in turn.slots() {
            let message = &mut live[usize::from(*slot)];
            message.n_left -= turn.n_blocks;
            message.blocks = message.blocks.get(n_bytes..).unwrap_or(&[]);
        }
    }
}

impl<S: SpongeHash> SpongeHasher<S> {
    /// Digests of whole messages, any number of any lengths: `digests[i]` is that of `messages[i]`.
    ///
    /// # Errors
    /// [`ShapeError::Count`] unless there are as many digests as messages.
    pub fn try_digest_many(messages: &[&[u8]], digests: &mut [S::Digest]) -> Result<(), ShapeError> {
        Self::digest_many_by(None, messages, digests)
    }

    /// Like [`SpongeHasher::try_digest_many`].
    ///
    /// # Panics
    /// Panics unless there are as many digests as messages.
    #[track_caller]
    pub fn digest_many(messages: &[&[u8]], digests: &mut [S::Digest]) {
        expect(Self::try_digest_many(messages, digests));
    }

    /// Like [`SpongeHasher::digest_many`], always on one kernel.
    #[doc(hidden)]
    #[track_caller]
    pub fn digest_many_on(kernel: &'static Kernel, messages: &[&[u8]], digests: &mut [S::Digest]) {
        expect(Self::digest_many_by(Some(kernel), messages, digests));
    }

    fn digest_many_by(
        only: Option<&'static Kernel>,
        messages: &[&[u8]],
        digests: &mut [S::Digest],
    ) -> Result<(), ShapeError> {
        same_count("messages", messages.len(), "digests", digests.len())?;
        if let ([message], [digest], None) = (messages, &mut *digests, only) {
            *digest = Self::digest(message);
            return Ok(());
        }
        let (parameters, kept) = (S::PARAMETERS, Kept::Head);
        Many { parameters, only, messages, start: None, kept }
            .absorb_all(&mut |i, words| digests[i] = digest_of::<S>(words));
        Ok(())
    }

    /// Digests of equal messages: `messages` holds one of `len_bytes` bytes for each digest, one after the
    /// other.
    ///
    /// # Errors
    /// [`ShapeError::BufferLength`] if `messages` is not `len_bytes` times as long as `digests`.
    pub fn try_digest_fixed(
        messages: &[u8],
        len_bytes: usize,
        digests: &mut [S::Digest],
    ) -> Result<(), ShapeError> {
        same_length(("messages", messages.len()), len_bytes, ("digests", digests.len()))?;
        let mut messages = messages;
        for digests in digests.chunks_mut(BATCH) {
            let mut some: [&[u8]; BATCH] = [&[]; BATCH];
            for message in &mut some[..digests.len()] {
                (*message, messages) = messages.split_at(len_bytes);
            }
            Self::digest_many(&some[..digests.len()], digests);
        }
        Ok(())
    }
}

impl<S: Xof> SpongeHasher<S> {
    /// Outputs for whole messages: `outputs` holds `len_bytes` bytes for each message, one after another.
    ///
    /// # Errors
    /// [`ShapeError::OutputLength`] if `outputs` is not `len_bytes` times as long as `messages`.
    pub fn try_output_many(
        messages: &[&[u8]],
        len_bytes: usize,
        outputs: &mut [u8],
    ) -> Result<(), ShapeError> {
        Self::output_many_by(None, messages, len_bytes, outputs)
    }

    /// Like [`SpongeHasher::try_output_many`], always on one kernel.
    #[doc(hidden)]
    #[track_caller]
    pub fn output_many_on(kernel: &'static Kernel, messages: &[&[u8]], len_bytes: usize, outputs: &mut [u8]) {
        expect(Self::output_many_by(Some(kernel), messages, len_bytes, outputs));
    }

    fn output_many_by(
        only: Option<&'static Kernel>,
        messages: &[&[u8]],
        len_bytes: usize,
        outputs: &mut [u8],
    ) -> Result<(), ShapeError> {
        if Some(outputs.len()) != len_bytes.checked_mul(messages.len()) {
            let (buffer_bytes, messages) = (outputs.len(), messages.len());
            return Err(ShapeError::OutputLength { buffer_bytes, len_bytes, messages });
        }
        if len_bytes == 0 {
            return Ok(());
        }
        let (parameters, kept) = (S::PARAMETERS, Kept::of(len_bytes));
        let call = Many { parameters, only, messages, start: None, kept };
        if kept == Kept::Head {
            call.absorb_all(&mut |i, words| put_words(words, &mut outputs[len_bytes * i..][..len_bytes]));
            return Ok(());
        }
        let mut squeezing = Squeezing { parameters, only, len_bytes, outputs, waiting: ArrayVec::new() };
        call.absorb_all(&mut |i, words| squeezing.push(i, words));
        squeezing.squeeze();
        Ok(())
    }
}

/// Messages whose output takes more than the head of a state.
struct Squeezing<'o> {
    parameters: Parameters,
    only: Option<&'static Kernel>,
    len_bytes: usize,
    outputs: &'o mut [u8],
    /// Numbers of messages that are absorbed, and their states.
    waiting: ArrayVec<(usize, State), MAX_DEGREE>,
}

impl Squeezing<'_> {
    fn push(&mut self, index: usize, state: &[u64]) {
        self.waiting.push((index, state.try_into().expect("all words")));
        if self.waiting.is_full() {
            self.squeeze();
        }
    }

    /// Writes the output of those that wait.
    fn squeeze(&mut self) {
        let mut waiting = &self.waiting[..];
        while !waiting.is_empty() {
            let kernel = kernel_of_group(self.only, waiting.len());
            let (group, others) = waiting.split_at(kernel.degree().min(waiting.len()));
            let mut states = [[0; 25]; MAX_DEGREE];
            for (state, (_, absorbed)) in states.iter_mut().zip(group) {
                *state = *absorbed;
            }
            let rate = self.parameters.rate.bytes();
            for from in (0..self.len_bytes).step_by(rate) {
                if from > 0 {
                    kernel.permute(&mut states[..kernel.degree()]);
                }
                for ((index, _), state) in group.iter().zip(&states) {
                    let output = &mut self.outputs[self.len_bytes * index..][..self.len_bytes];
                    let n_now = rate.min(self.len_bytes - from);
                    put_words(state, &mut output[from..][..n_now]);
                }
            }
            waiting = others;
        }
        self.waiting.clear();
    }
}
