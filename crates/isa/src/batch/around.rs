//! Messages of one number of blocks, more than lanes, that wrap around these.

use core::mem::MaybeUninit;

use super::Open;
use super::group::{Blocks, Places, Whole};
use crate::costs::MAX_DEGREE;
use crate::kernel::Kernel;
use crate::turns::{MOST_BLOCKS, list_words};
use crate::wrap::Wrap;
use crate::{Function, Types};

/// The lanes of a kernel. The part of a message on a lane is one or two runs of blocks that follow one
/// another in memory: those of the body, and of the end.
struct Lanes<F: Function> {
    /// Where a lane's next block is, minus the blocks since the start.
    from: [*const u8; MAX_DEGREE],
    into: [*mut F::State; MAX_DEGREE],
    /// The block at which its run ends, counted from the start.
    until: [usize; MAX_DEGREE],
    /// The run after that: its first block, and its length, or 0.
    then: [(*const u8, usize); MAX_DEGREE],
}

/// The start of a turn's lanes: where each reads, minus so many bytes, and the states they advance.
pub(super) type Start<'l, F> =
    ((&'l [*const u8; MAX_DEGREE], usize), &'l [*mut <F as Types>::State; MAX_DEGREE]);

impl<'a, F: Function> Open<'_, 'a, F> {
    /// Processes `n` messages from start to end on `kernel`, as [`Open::groups`] does, but more than it has
    /// lanes, and less than twice as many: they wrap around the lanes.
    ///
    /// # Panics
    /// Panics unless their number is such, there are places for them, and they have these blocks, none of
    /// them longer than others.
    #[inline(never)]
    pub fn around<'s>(
        &mut self,
        kernel: &'static Kernel<F>,
        (first, n): (usize, usize),
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
    ) where
        F: 's,
    {
        let (places, mask) = self.places(first, n);
        let degree = kernel.degree();
        let push = |n_blocks, goes_on, (from, into): Start<'_, F>| {
            let goes_on = goes_on & !self.make_room(kernel, list_words(1));
            self.waiting |= mask;
            self.list.push_lanes(degree, n_blocks, goes_on, from, into);
        };
        // SAFETY: the batch's memory, which no pending turn uses.
        unsafe { places.around(degree, n, blocks, whole, end, push) }
        self.will_end(mask);
    }
}

impl<F: Function> Places<F> {
    /// Writes the states and ends of `n` messages, and the turns in which they wrap around the lanes of a
    /// kernel: `push` appends one of so many blocks, which goes on or not.
    ///
    /// # Panics
    /// Panics unless `n` is more than lanes and less than twice as many, and the messages have these blocks,
    /// none of them longer than others.
    ///
    /// # Safety
    /// There are places for all messages, or the first one's end if they have one, and the idle state. They
    /// may be written, and live as long as the turns.
    #[inline(always)]
    pub(super) unsafe fn around<'s, 'a>(
        self,
        degree: usize,
        n: usize,
        blocks: Blocks,
        whole: impl Fn(usize) -> Whole<'s, 'a, F>,
        end: impl Fn(&mut [F::Block], usize, u64),
        mut push: impl FnMut(usize, bool, Start<'_, F>),
    ) where
        F: 's,
    {
        let n_body = blocks.n_body;
        assert!(degree <= MAX_DEGREE && blocks.n_longer == 0 && n_body <= MOST_BLOCKS);
        let mut wrap = Wrap::new(n, degree, n_body + blocks.n_end);
        let mut bodies = [const { MaybeUninit::uninit() }; 2 * MAX_DEGREE];
        // SAFETY: the caller's contract.
        let bodies = unsafe { self.write(&mut bodies[..n], n, blocks, whole, end) };

        let mut lanes = Lanes::<F> {
            from: [core::ptr::null(); MAX_DEGREE],
            into: [self.idle; MAX_DEGREE],
            until: [usize::MAX; MAX_DEGREE],
            then: [(core::ptr::null(), 0); MAX_DEGREE],
        };
        let mut seat = |lanes: &mut Lanes<F>, lane: usize, now: usize| {
            let Some((k, part)) = wrap.next(lane) else {
                // It runs idle until the first lane ends, and reads what that one does.
                (lanes.into[lane], lanes.until[lane]) = (self.idle, usize::MAX);
                return;
            };
            let n_of_body = part.end.min(n_body).saturating_sub(part.start);
            let in_end = part.start.saturating_sub(n_body);
            let body = bodies[k].wrapping_add(part.start * F::BLOCK_BYTES);
            let end = self.end(k, blocks).wrapping_add(in_end * F::BLOCK_BYTES);
            let (at, n_run, n_then) = match n_of_body {
                0 => (end, part.len(), 0),
                _ => (body, n_of_body, part.len() - n_of_body),
            };
            lanes.from[lane] = at.wrapping_sub(now * F::BLOCK_BYTES);
            lanes.into[lane] = self.of(k).0;
            lanes.until[lane] = now + n_run;
            lanes.then[lane] = (end, n_then);
        };
        for lane in 0..degree {
            seat(&mut lanes, lane, 0);
        }
        let (mut now, mut goes_on) = (0, false);
        while lanes.until[0] < usize::MAX {
            let mut next = usize::MAX;
            for lane in 0..degree {
                next = next.min(lanes.until[lane]);
                if lanes.until[lane] == usize::MAX {
                    lanes.from[lane] = lanes.from[0];
                }
            }
            push(next - now, goes_on, ((&lanes.from, now * F::BLOCK_BYTES), &lanes.into));
            (now, goes_on) = (next, true);
            for lane in 0..degree {
                if lanes.until[lane] > now {
                    continue;
                }
                let (end, n_end) = core::mem::replace(&mut lanes.then[lane], (core::ptr::null(), 0));
                if n_end > 0 {
                    lanes.from[lane] = end.wrapping_sub(now * F::BLOCK_BYTES);
                    lanes.until[lane] = now + n_end;
                } else {
                    seat(&mut lanes, lane, now);
                    goes_on = false;
                }
            }
        }
    }
}
