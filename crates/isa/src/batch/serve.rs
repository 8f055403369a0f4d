//! Lanes that each go their own way: where one is done, its next message is asked for.

use super::{Open, PLACES};
use crate::Function;
use crate::costs::MAX_DEGREE;
use crate::kernel::Kernel;
use crate::turns::list_words;

/// The part of a message that a lane goes on with.
#[derive(Clone, Copy, Debug)]
pub struct Next {
    /// The place of the message, on which no lane works.
    pub place: usize,
    /// At least 1, and at most as many as the message has left.
    pub n_blocks: usize,
}

/// The lanes of a kernel. The part of a message on a lane is one or two runs of blocks which follow one
/// another in memory: those of the body, and of the edge.
struct Lanes<F: Function> {
    /// Where a lane's next block is, minus the blocks since the start.
    from: [*const u8; MAX_DEGREE],
    into: [*mut F::State; MAX_DEGREE],
    /// The time at which its run ends, in blocks since the start.
    end: [u64; MAX_DEGREE],
    /// The run after that: its first block, and its length, or 0.
    then: [(*const u8, usize); MAX_DEGREE],
    /// The part: the place of its message, and its blocks of the body and of the edge.
    parts: [(usize, usize, usize); MAX_DEGREE],
    /// A bit for each lane that has a part.
    busy: u32,
    alarms: Alarms,
}

/// The lanes whose runs end in the next [`Alarms::AHEAD`] blocks, by time; the other runs last longer.
struct Alarms {
    /// A bit for each lane, at the time modulo 64.
    lanes: [u16; 64],
    /// A bit for each time that has a lane, rotated so that the next one is the lowest.
    times: u64,
}
const _: () = assert!(MAX_DEGREE <= 16);

impl Alarms {
    /// Blocks that can be looked ahead.
    const AHEAD: u64 = 64;

    /// Sets one for a lane in `blocks` blocks, at least 1, or earlier.
    #[inline(always)]
    fn set(&mut self, time: u64, blocks: u64, lane: usize) {
        let blocks = blocks.min(Self::AHEAD);
        self.lanes[((time + blocks) % 64) as usize] |= 1 << lane;
        self.times |= 1 << (blocks - 1);
    }

    /// Goes on to the next: in how many blocks, and of which lanes.
    #[inline(always)]
    fn next(&mut self, time: u64) -> Option<(u64, u16)> {
        if self.times == 0 {
            return None;
        }
        let blocks = u64::from(self.times.trailing_zeros()) + 1;
        self.times = self.times >> (blocks - 1) >> 1;
        Some((blocks, core::mem::take(&mut self.lanes[((time + blocks) % 64) as usize])))
    }
}

/// Returns so many blocks in bytes, modulo the address space.
#[inline(always)]
fn bytes<F: Function>(time: u64) -> usize {
    (time as usize).wrapping_mul(F::BLOCK_BYTES)
}

impl<F: Function> Open<'_, '_, F> {
    /// Advances messages on all lanes of `kernel`. `next` returns the part that a lane goes on with, at the
    /// start and whenever its last one is done. It may insert messages, and read the states of those on no
    /// lane. If it returns `None`, all lanes stop where they are.
    ///
    /// # Panics
    /// Panics if a part has no blocks, or more than its message, or is of a message on another lane, and if
    /// `next` uses places that are on lanes otherwise.
    pub fn serve(
        &mut self,
        kernel: &'static Kernel<F>,
        next: &mut dyn FnMut(&mut Self, usize) -> Option<Next>,
    ) {
        let degree = kernel.degree();
        let mut lanes = Lanes::<F> {
            from: [core::ptr::null(); MAX_DEGREE],
            into: [core::ptr::null_mut(); MAX_DEGREE],
            end: [0; MAX_DEGREE],
            then: [(core::ptr::null(), 0); MAX_DEGREE],
            parts: [(0, 0, 0); MAX_DEGREE],
            busy: 0,
            alarms: Alarms { lanes: [0; 64], times: 0 },
        };
        for lane in 0..degree {
            if !self.seat(&mut lanes, lane, 0, next) {
                return self.stop(&lanes, 0);
            }
        }
        let (mut time, mut goes_on) = (0, false);
        while let Some((n_now, ready)) = lanes.alarms.next(time) {
            goes_on &= !self.make_room(kernel, list_words(1));
            self.waiting |= self.on_lanes;
            let from = (&lanes.from, bytes::<F>(time));
            self.list.push_lanes(degree, n_now as usize, goes_on, from, &lanes.into);
            (time, goes_on) = (time + n_now, true);
            let mut ready = u32::from(ready);
            while ready != 0 {
                let lane = ready.trailing_zeros() as usize;
                ready &= ready - 1;
                let (then, n_then) = lanes.then[lane];
                if lanes.end[lane] > time {
                    lanes.alarms.set(time, lanes.end[lane] - time, lane);
                } else if n_then > 0 {
                    lanes.from[lane] = then.wrapping_sub(bytes::<F>(time));
                    lanes.end[lane] = time + n_then as u64;
                    lanes.then[lane].1 = 0;
                    lanes.alarms.set(time, n_then as u64, lane);
                } else {
                    let (place, n_body, n_edge) = lanes.parts[lane];
                    // SAFETY: a place that was written, whose message has so many blocks left.
                    unsafe { (*self.place(place)).skip_both::<F>(n_body, n_edge) }
                    self.on_lanes &= !(1 << place);
                    goes_on = false;
                    if !self.seat(&mut lanes, lane, time, next) {
                        return self.stop(&lanes, time);
                    }
                }
            }
        }
    }

    /// Lets a lane begin its next part at this time; `false` if all are to stop.
    #[inline(always)]
    fn seat(
        &mut self,
        lanes: &mut Lanes<F>,
        lane: usize,
        time: u64,
        next: &mut dyn FnMut(&mut Self, usize) -> Option<Next>,
    ) -> bool {
        lanes.busy &= !(1 << lane);
        let Some(Next { place, n_blocks }) = next(self, lane) else { return false };
        assert!(place < PLACES && (*self.filled & !self.on_lanes) >> place & 1 == 1);
        // SAFETY: a place that was written.
        let (at, from) = unsafe { (*self.place(place), self.next_block(place)) };
        assert!(n_blocks > 0 && n_blocks <= at.n_left());
        let n_run = n_blocks.min(at.n_run());
        let n_then = n_blocks - n_run;
        let (then, n_body, n_edge) = if at.is_at_edge() {
            (at.body, n_then, n_run)
        } else {
            (self.edge(place, at.done_edge).cast_const().cast(), n_run, n_then)
        };
        self.on_lanes |= 1 << place;
        lanes.busy |= 1 << lane;
        lanes.from[lane] = from.wrapping_sub(bytes::<F>(time));
        lanes.into[lane] = self.state_at(place);
        lanes.end[lane] = time + n_run as u64;
        lanes.then[lane] = (then, n_then);
        lanes.parts[lane] = (place, n_body, n_edge);
        lanes.alarms.set(time, n_run as u64, lane);
        true
    }

    /// Notes how far the messages on lanes have come at this time.
    fn stop(&mut self, lanes: &Lanes<F>, time: u64) {
        for lane in (0..MAX_DEGREE).filter(|lane| lanes.busy >> lane & 1 == 1) {
            let (place, n_body, n_edge) = lanes.parts[lane];
            let n_left = (lanes.end[lane] - time) as usize + lanes.then[lane].1;
            let n_done = n_body + n_edge - n_left;
            // SAFETY: a place that was written, whose message has so many blocks left.
            unsafe {
                let at = self.place(place);
                let n_first = n_done.min((*at).n_run());
                (*at).skip::<F>(n_first);
                (*at).skip::<F>(n_done - n_first);
            }
        }
        self.on_lanes = 0;
    }
}
