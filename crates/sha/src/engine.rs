//! The loop behind many messages: the rotating schedule drives the kernels.
//!
//! A window of up to 32 messages is live; while more wait, those on lanes stay there until they end. Every turn asks the table for the kernel that brings most of them forward, asks
//! the schedule which of them to advance and by how much, and calls the kernel once. Messages that end leave the window
//! and others come in; padding is one more block of the same call.

use hashlanes_isa::{Cursors, Edge, Function, Kernel, MAX_DEGREE};
use hashlanes_schedule::{Rotation, SLOTS, Turn};

use crate::algorithm::{Algorithm, State};
use crate::md::{n_end_blocks, pad};

const _: () = assert!(hashlanes_isa::SLOTS == SLOTS);

/// What a kernel is chosen for.
#[derive(Clone, Copy)]
pub(crate) struct Live {
    /// Live messages.
    pub(crate) n: usize,
    /// Blocks that 16 of them (all, if there are fewer) have left at least.
    pub(crate) n_blocks: usize,
}

impl Live {
    /// While more messages wait: lanes stay full, so how much is left of one does not count.
    #[inline]
    pub(crate) fn of_many(rotation: &Rotation) -> Self {
        Self { n: rotation.n_live(), n_blocks: rotation.most_blocks() }
    }

    #[inline]
    pub(crate) fn of(rotation: &Rotation) -> Self {
        Self { n: rotation.n_live(), n_blocks: rotation.shared_blocks(MAX_DEGREE) }
    }
}

/// Which kernel advances live messages.
pub(crate) trait Choice<F: Function>: Copy {
    fn kernel(&self, live: Live) -> &'static Kernel<F>;
    /// Which one takes a group of short ones from start to end.
    fn kernel_of_group(&self, live: Live) -> &'static Kernel<F>;
}

/// The table's choice.
#[derive(Clone, Copy)]
pub(crate) struct Best;

impl<F: Function> Choice<F> for Best {
    #[inline]
    fn kernel(&self, live: Live) -> &'static Kernel<F> {
        F::table().best(live.n, live.n_blocks)
    }
    #[inline]
    fn kernel_of_group(&self, live: Live) -> &'static Kernel<F> {
        F::table().best_of_group(live.n, live.n_blocks)
    }
}

/// One kernel, whatever their number.
impl<F: Function> Choice<F> for &'static Kernel<F> {
    #[inline]
    fn kernel(&self, _: Live) -> &'static Kernel<F> {
        self
    }
    #[inline]
    fn kernel_of_group(&self, _: Live) -> &'static Kernel<F> {
        self
    }
}

/// What the schedule is carried out on.
pub(crate) trait Work<F: Function> {
    /// Puts the next message that has blocks to compress into slot `slot`: the number of its blocks.
    fn next(&mut self, slot: usize) -> Option<usize>;
    /// Advances the turn's messages.
    fn turn(&mut self, kernel: &'static Kernel<F>, turn: &Turn, live: Live);
    /// The message in `slot` has no blocks left.
    fn done(&mut self, slot: usize);
}

/// The loop: fill the window, choose a kernel, advance, let go what ended.
pub(crate) fn drive<F: Function>(choice: impl Choice<F>, work: &mut impl Work<F>) {
    let mut rotation = Rotation::new();
    let mut more = true;
    loop {
        while more && rotation.has_room() {
            let slot = rotation.vacant();
            match work.next(slot) {
                Some(n_blocks) => rotation.insert(slot, n_blocks),
                None => more = false,
            }
        }
        let live = if more { Live::of_many(&rotation) } else { Live::of(&rotation) };
        if live.n == 0 {
            return;
        }
        let kernel = choice.kernel(live);
        let turn = if more {
            rotation.turn_of_many(kernel.degree())
        } else {
            rotation.turn(kernel.degree(), |n, n_blocks| {
                let other = choice.kernel(Live { n, n_blocks });
                n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_blocks)
                    / u64::from(kernel.cost().block)
            })
        };
        work.turn(kernel, &turn, live);
        while let Some(slot) = rotation.pop_finished() {
            work.done(slot);
        }
    }
}

/// Where messages come from and where their last states go.
pub(crate) trait Messages<'a, F: Function> {
    /// Puts the next message that has blocks to compress into slot `slot`: its index and number of blocks.
    fn next(&mut self, slots: &mut Cursors<'a, F>, slot: usize) -> Option<(usize, usize)>;
    /// Takes the state at the end of message `index`.
    fn done(&mut self, index: usize, state: &F::State);
}

/// Whether what passes through the lanes is secret.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Secrecy {
    Public,
    /// States are overwritten when all is done: they start from a key's.
    Secret,
}

/// Messages, and the batch that holds those of the window.
struct Batch<'m, 'a, F: Function, M> {
    slots: Cursors<'a, F>,
    index_of: [usize; SLOTS],
    messages: &'m mut M,
}

impl<'a, F: Function, M: Messages<'a, F>> Work<F> for Batch<'_, 'a, F, M> {
    #[inline]
    fn next(&mut self, slot: usize) -> Option<usize> {
        let (index, n_blocks) = self.messages.next(&mut self.slots, slot)?;
        self.index_of[slot] = index;
        Some(n_blocks)
    }
    #[inline]
    fn turn(&mut self, kernel: &'static Kernel<F>, turn: &Turn, _: Live) {
        self.slots.advance(kernel, turn.slots(), turn.n_blocks);
    }
    #[inline]
    fn done(&mut self, slot: usize) {
        self.messages.done(self.index_of[slot], self.slots.state(slot));
    }
}

/// Takes all messages through the lanes.
pub(crate) fn advance_all<'a, F: Function>(
    choice: impl Choice<F>,
    messages: &mut impl Messages<'a, F>,
    secrecy: Secrecy,
) {
    let mut batch = Batch { slots: Cursors::new(), index_of: [0; SLOTS], messages };
    drive(choice, &mut batch);
    if secrecy == Secrecy::Secret {
        batch.slots.wipe();
    }
}

/// Puts a message into a slot, from `state` on to its end: its whole blocks, and the `rest` of its `n_bytes` bytes. The
/// number of its blocks.
#[inline]
pub(crate) fn insert_whole<'a, A: Algorithm>(
    slots: &mut Cursors<'a, A::Function>,
    slot: usize,
    state: State<A>,
    body: &'a [u8],
    rest: &[u8],
    n_bytes: u64,
) -> usize {
    let n_end = n_end_blocks::<A::Function>(rest.len());
    pad::<A::Function>(slots.insert(slot, state, body, n_end, Edge::After), rest, n_bytes);
    body.len() / A::BLOCK_BYTES + n_end
}
