//! The window: live messages of different lengths.
//!
//! While more messages come, each lane of one kernel keeps its message until it ends, and takes the next one
//! that waits ([`Open::serve`]). When no more come, those that are left rotate: every turn asks the plan for
//! the kernel that advances most of them, and the schedule which of them advance and by how much.
//!
//! All turns are written into the batch, which carries them out when their results are needed. A group of
//! short messages has places outside the window.

use core::ops::Range;

use hashlanes_isa::{Batch, Function, MAX_DEGREE, Next, Open, PLACES, Plan, wipe_stack_of_turns};
use hashlanes_schedule::{Rotation, SLOTS};

use super::Secrecy;

/// Messages that wait for a lane: with those on lanes they are enough to end together.
const WAITING: usize = SLOTS - MAX_DEGREE;

/// Places of the window; a group of short messages has the others.
const WINDOW: usize = PLACES - MAX_DEGREE;

/// A bit for each.
const OF_WINDOW: u64 = (1 << WINDOW) - 1;

/// The source of messages and the destination of their final states.
pub(super) trait Messages<'a, F: Function> {
    /// Puts the next message that has blocks to compress into place `place`; returns its number and that of
    /// its blocks. Some others are free, too, during this call.
    fn next(
        &mut self,
        batch: &mut Open<'_, 'a, F>,
        place: usize,
        free: Range<usize>,
    ) -> Option<(usize, usize)>;
    /// Receives the state at the end of message `index`.
    fn done(&mut self, index: usize, state: &F::State);
}

/// Messages in the window, by their places.
struct Window<'w, 'a, F: Function> {
    messages: &'w mut dyn Messages<'a, F>,
    index_of: [usize; WINDOW],
    /// A bit for each place without a message, and for each whose message has ended.
    free: u64,
    ended: u64,
    /// Those that wait, in a ring: places and numbers of blocks. `first` came first.
    waiting: [(usize, usize); SLOTS],
    first: usize,
    n_waiting: usize,
}

impl<'a, F: Function> Window<'_, 'a, F> {
    /// Takes in the next message; `false` if there is none.
    #[inline]
    fn take_in(&mut self, batch: &mut Open<'_, 'a, F>) -> bool {
        if self.free == 0 {
            self.let_out(batch);
        }
        let place = self.free.trailing_zeros() as usize;
        let others = self.free & (self.free - 1);
        // From here on no place has a message.
        let first = PLACES - (others | !OF_WINDOW).leading_ones() as usize;
        let Some((index, n_blocks)) = self.messages.next(batch, place, first..PLACES) else { return false };
        self.free = others;
        self.index_of[place] = index;
        self.waiting[(self.first + self.n_waiting) % SLOTS] = (place, n_blocks);
        self.n_waiting += 1;
        true
    }

    /// Lets the messages out that ended, all together, so that their turns are carried out in one call.
    fn let_out(&mut self, batch: &mut Open<'_, 'a, F>) {
        let mut ended = core::mem::take(&mut self.ended);
        self.free |= ended;
        while ended != 0 {
            let place = ended.trailing_zeros() as usize;
            self.messages.done(self.index_of[place], batch.state(place));
            ended &= ended - 1;
        }
    }

    /// Takes the message out that waits longest.
    #[inline]
    fn pop(&mut self) -> Option<(usize, usize)> {
        self.n_waiting = self.n_waiting.checked_sub(1)?;
        let message = self.waiting[self.first];
        self.first = (self.first + 1) % SLOTS;
        Some(message)
    }
}

/// Processes all messages in lanes.
pub(super) fn let_through<'a, F: Function>(
    plan: Plan<F>,
    batch: &mut Open<'_, 'a, F>,
    messages: &mut dyn Messages<'a, F>,
) {
    let mut window = Window {
        messages,
        index_of: [0; WINDOW],
        free: OF_WINDOW,
        ended: 0,
        waiting: [(0, 0); SLOTS],
        first: 0,
        n_waiting: 0,
    };
    // The place of the message on each lane.
    let mut on_lanes = [None; MAX_DEGREE];
    while window.n_waiting < WAITING && window.take_in(batch) {}
    if window.n_waiting == WAITING {
        let most = window.waiting.iter().map(|(_, n_blocks)| *n_blocks).max().expect("messages");
        batch.serve(plan.kernel(MAX_DEGREE, most), &mut |batch, lane| {
            window.ended |= on_lanes[lane].take().map_or(0, |place: usize| 1_u64 << place);
            // Another one waits instead of the one that goes onto the lane.
            if !window.take_in(batch) {
                return None;
            }
            let (place, n_blocks) = window.pop().expect("others wait");
            on_lanes[lane] = Some(place);
            Some(Next { place, n_blocks })
        });
    }
    let mut rotation = Rotation::new();
    let mut place_of = [0; SLOTS];
    let mut insert = |place: usize, n_blocks| {
        if n_blocks > 0 {
            let slot = rotation.vacant();
            rotation.insert(slot, n_blocks);
            place_of[slot] = place as u8;
        }
    };
    for place in on_lanes.into_iter().flatten() {
        insert(place, batch.n_left(place));
    }
    while let Some((place, n_blocks)) = window.pop() {
        insert(place, n_blocks);
    }
    while rotation.n_live() > 0 {
        let kernel = plan.kernel(rotation.n_live(), rotation.shared_blocks(MAX_DEGREE));
        let turn = rotation.turn(kernel.degree(), |n, n_blocks| {
            let other = plan.kernel(n, n_blocks);
            n.div_ceil(other.degree()) as u64 * other.cost().of(1, n_blocks) / u64::from(kernel.cost().block)
        });
        let mut places = [0; MAX_DEGREE];
        for (place, slot) in places.iter_mut().zip(turn.slots()) {
            *place = place_of[usize::from(*slot)];
        }
        batch.advance(kernel, &places[..turn.slots().len()], turn.n_blocks);
        while rotation.pop_ended().is_some() {}
    }
    window.ended = OF_WINDOW & !window.free;
    window.let_out(batch);
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
