//! The wrap-around rule: equal messages, more than lanes, in the least time.

use core::ops::Range;

use crate::costs::MAX_DEGREE;

/// What each lane of a kernel does where messages of one number of blocks are more than its lanes, but less
/// than twice as many: they end together after the least number of blocks (McNaughton 1959).
///
/// The messages' blocks are laid on a strip, one message after the other, and the strip is cut into pieces
/// of equal length, one for each lane. A message that is cut begins on the later of two lanes, at once, and
/// ends on the earlier one, last of all. It is never on both at the same time, because a piece is longer than
/// a message.
///
/// If the numbers of messages and lanes have a common divisor, there are as many strips, which are all cut
/// alike. So their lanes change messages at the same times.
#[derive(Debug)]
pub(crate) struct Wrap {
    /// Blocks of a message.
    n_blocks: usize,
    /// The next message of each lane, and the one after those of its strip.
    messages: [(u8, u8); MAX_DEGREE],
    /// Blocks of that message which another lane ends with.
    elsewhere: [usize; MAX_DEGREE],
    /// Blocks left of each lane's piece.
    left: [usize; MAX_DEGREE],
}

impl Wrap {
    /// Lays out `n` messages of `n_blocks` blocks each on `degree` lanes.
    ///
    /// # Panics
    /// Panics unless `degree` < `n` < 2 · `degree`, and both numbers are greater than 0.
    #[inline]
    pub(crate) fn new(n: usize, degree: usize, n_blocks: usize) -> Self {
        assert!(wraps(n, degree) && degree <= MAX_DEGREE && n_blocks > 0);
        let n_strips = common_divisor(n, degree);
        let (of_strip, lanes) = (n / n_strips, degree / n_strips);
        let piece = piece(n, degree, n_blocks);
        let mut wrap = Self {
            n_blocks,
            messages: [(0, 0); MAX_DEGREE],
            elsewhere: [0; MAX_DEGREE],
            left: [piece; MAX_DEGREE],
        };
        for strip in 0..n_strips {
            let end = (strip + 1) * of_strip;
            let (mut message, mut before) = (strip * of_strip, 0);
            for lane in strip * lanes..(strip + 1) * lanes {
                wrap.messages[lane] = (message.min(end) as u8, end as u8);
                wrap.elsewhere[lane] = before;
                before += piece;
                while before >= n_blocks {
                    (before, message) = (before - n_blocks, message + 1);
                }
            }
        }
        wrap
    }

    /// Returns the message that lane `lane` goes on with, and which of its blocks it takes: at the start, and
    /// where the last such part ends. `None` if no more is left.
    ///
    /// # Panics
    /// Panics unless `lane` is less than the number of lanes.
    #[inline]
    pub(crate) fn next(&mut self, lane: usize) -> Option<(usize, Range<usize>)> {
        let (message, end) = &mut self.messages[lane];
        if message == end {
            return None;
        }
        let elsewhere = core::mem::take(&mut self.elsewhere[lane]);
        let n_now = (self.n_blocks - elsewhere).min(self.left[lane]);
        if n_now == 0 {
            return None;
        }
        self.left[lane] -= n_now;
        *message += 1;
        // A part is the first one or the last one.
        let first = if elsewhere > 0 { 0 } else { self.n_blocks - n_now };
        Some((usize::from(*message - 1), first..first + n_now))
    }
}

/// Returns whether so many messages can wrap around.
#[inline]
pub fn wraps(n: usize, degree: usize) -> bool {
    degree > 1 && degree < n && n < 2 * degree
}

/// Returns the number of blocks after which all of them end.
#[inline]
pub(crate) fn piece(n: usize, degree: usize, n_blocks: usize) -> usize {
    n_blocks + (n_blocks * (n - degree)).div_ceil(degree)
}

/// Returns how often lanes change messages.
#[inline]
pub(crate) fn n_changes(n: usize, degree: usize) -> usize {
    n / common_divisor(n, degree) - 1
}

#[inline]
fn common_divisor(mut a: usize, mut b: usize) -> usize {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    /// Every block of every message once, in order, and never two at the same time.
    #[test]
    fn all_messages_end_in_time() {
        for degree in 2..=MAX_DEGREE {
            for n in degree + 1..2 * degree {
                for n_blocks in [1, 2, 3, 9, 17, 65, 1000] {
                    let what = || std::format!("{n} of {n_blocks} blocks on {degree}");
                    let end = piece(n, degree, n_blocks);
                    assert_eq!(end, (n * n_blocks).div_ceil(degree), "{}", what());
                    let mut wrap = Wrap::new(n, degree, n_blocks);
                    let mut parts: Vec<Vec<(usize, usize, Range<usize>)>> = std::vec![Vec::new(); n];
                    let mut changes = BTreeSet::new();
                    for lane in 0..degree {
                        let mut time = 0;
                        while let Some((message, blocks)) = wrap.next(lane) {
                            assert!(!blocks.is_empty(), "{}", what());
                            changes.insert(time);
                            parts[message].push((time, time + blocks.len(), blocks.clone()));
                            time += blocks.len();
                        }
                        assert!(time <= end, "{}", what());
                        assert_eq!(wrap.next(lane), None);
                    }
                    for mut parts in parts {
                        parts.sort_unstable_by_key(|part| part.0);
                        assert!(parts.is_sorted_by(|a, b| a.1 < b.0), "{}: {parts:?}", what());
                        let blocks: Vec<usize> = parts.into_iter().flat_map(|part| part.2).collect();
                        assert!(blocks.into_iter().eq(0..n_blocks), "{}", what());
                    }
                    // The start is no change.
                    assert!(changes.len() <= n_changes(n, degree) + 1, "{}: {changes:?}", what());
                }
            }
        }
    }

    #[test]
    fn five_messages_on_four_lanes_take_a_quarter_longer_than_one() {
        let mut wrap = Wrap::new(5, 4, 12);
        let mut lane = |lane| [(); 3].map(|()| wrap.next(lane));
        assert_eq!(lane(0), [Some((0, 0..12)), Some((1, 9..12)), None]);
        assert_eq!(lane(1), [Some((1, 0..9)), Some((2, 6..12)), None]);
        assert_eq!(lane(2), [Some((2, 0..6)), Some((3, 3..12)), None]);
        assert_eq!(lane(3), [Some((3, 0..3)), Some((4, 0..12)), None]);
    }

    #[test]
    fn strips_are_cut_alike() {
        let mut wrap = Wrap::new(6, 4, 10);
        let parts = [
            [(0, 0..10), (1, 5..10)],
            [(1, 0..5), (2, 0..10)],
            [(3, 0..10), (4, 5..10)],
            [(4, 0..5), (5, 0..10)],
        ];
        for (lane, parts) in parts.into_iter().enumerate() {
            assert_eq!([(); 2].map(|()| wrap.next(lane)), parts.map(Some));
        }
    }
}
