//! The window: live messages rotate through the lanes.
//!
//! Up to 32 messages are live; while more wait, those on lanes stay there until they end. Every turn asks the
//! plan for the kernel that advances most of them, and the schedule which of them advance and by how much.
//! The turns are written into the batch, which carries them out when their results are needed: when so many
//! messages have ended that lanes would run idle, or when all have.

use hashlanes_isa::{Batch, Function, Kernel, MAX_DEGREE, Open, Plan, wipe_stack_of_turns};
use hashlanes_schedule::{Rotation, SLOTS, Turn};

use super::Secrecy;

/// The messages for which a kernel is chosen.
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
    fn of_many(rotation: &Rotation) -> Self {
        Self { n: rotation.n_live(), n_blocks: rotation.most_blocks() }
    }

    #[inline]
    pub(crate) fn of(rotation: &Rotation) -> Self {
        Self { n: rotation.n_live(), n_blocks: rotation.shared_blocks(MAX_DEGREE) }
    }
}

/// The executor of a schedule.
pub(crate) trait Work<F: Function> {
    /// Puts the next message that has blocks to compress into slot `slot`; returns the number of its blocks.
    fn next(&mut self, slot: usize) -> Option<usize>;
    /// Advances the turn's messages.
    fn turn(&mut self, kernel: &'static Kernel<F>, turn: &Turn, live: Live);
    /// The message in `slot` has no blocks left.
    fn done(&mut self, slot: usize);
}

/// The loop: fill the window, choose a kernel, advance, release ended messages.
pub(crate) fn drive<F: Function>(plan: Plan<F>, work: &mut dyn Work<F>) {
    let mut rotation = Rotation::new();
    let (mut ended, mut n_ended) = ([0; SLOTS], 0);
    let mut more = true;
    loop {
        // Messages that end leave together, so that their turns are carried out in one call.
        if rotation.n_live() < MAX_DEGREE && (more && !rotation.has_room() || rotation.n_live() == 0) {
            for &slot in &ended[..n_ended] {
                work.done(usize::from(slot));
                rotation.release(usize::from(slot));
            }
            n_ended = 0;
        }
        while more && rotation.has_room() {
            let slot = rotation.vacant();
            match work.next(slot) {
                Some(n_blocks) => rotation.insert(slot, n_blocks),
                None => more = false,
            }
        }
        let live = if more { Live::of_many(&rotation) } else { Live::of(&rotation) };
        if live.n == 0 {
            if n_ended == 0 {
                return;
            }
            continue;
        }
        let kernel = plan.kernel(live.n, live.n_blocks);
        let turn = if more {
            rotation.turn_of_many(kernel.degree())
        } else {
            rotation.turn(kernel.degree(), |n, n_blocks| {
                let other = plan.kernel(n, n_blocks);
                n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_blocks)
                    / u64::from(kernel.cost().block)
            })
        };
        work.turn(kernel, &turn, live);
        while let Some(slot) = rotation.pop_ended() {
            ended[n_ended] = slot as u8;
            n_ended += 1;
        }
    }
}

/// The source of messages and the destination of their final states.
pub(super) trait Messages<'a, F: Function> {
    /// Puts the next message that has blocks to compress into place `place`; returns its number and that of
    /// its blocks.
    fn next(&mut self, batch: &mut Open<'_, 'a, F>, place: usize) -> Option<(usize, usize)>;
    /// Receives the state at the end of message `index`.
    fn done(&mut self, index: usize, state: &F::State);
}

/// Messages, and the batch that holds those of the window.
struct Window<'w, 'b, 'a, F: Function> {
    batch: &'w mut Open<'b, 'a, F>,
    index_of: [usize; SLOTS],
    messages: &'w mut dyn Messages<'a, F>,
}

impl<F: Function> Work<F> for Window<'_, '_, '_, F> {
    fn next(&mut self, slot: usize) -> Option<usize> {
        let (index, n_blocks) = self.messages.next(self.batch, slot)?;
        self.index_of[slot] = index;
        Some(n_blocks)
    }
    fn turn(&mut self, kernel: &'static Kernel<F>, turn: &Turn, _: Live) {
        self.batch.advance(kernel, turn.slots(), turn.n_blocks);
    }
    fn done(&mut self, slot: usize) {
        self.messages.done(self.index_of[slot], self.batch.state(slot));
    }
}

/// Processes all messages in lanes, in places 0 to 31 of the batch.
pub(super) fn rotate<'a, F: Function>(
    plan: Plan<F>,
    batch: &mut Open<'_, 'a, F>,
    messages: &mut dyn Messages<'a, F>,
) {
    drive(plan, &mut Window { batch, index_of: [0; SLOTS], messages });
}

/// Works on a new batch. If it held secrets, it is overwritten at the end, with what kernels left on the
/// stack below it.
pub(super) fn with_batch<'a, F: Function>(secrecy: Secrecy, work: impl FnOnce(&mut Open<'_, 'a, F>)) {
    let mut batch = Batch::new();
    work(&mut batch.open());
    if secrecy == Secrecy::Secret {
        batch.wipe();
        wipe_stack_of_turns();
    }
}
