//! Whether files are read by plain calls or through a ring: by what reading them was like.
//!
//! From memory a plain call is faster, from storage a ring by an order of magnitude (numbers in `ring.rs`).
//! Which one applies is unknown in advance, and trees are often partly cached. But a wrong choice costs
//! little for a short time, so each worker follows its last reads. Plain reads show it by their time, reads
//! in the ring by whether they were complete at once, and by their time.

use std::time::{Duration, Instant};

use super::Part;
use super::ring::Ring;

/// The user's choice of a read method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Io {
    /// Whichever is faster.
    Auto,
    /// Plain calls.
    Read,
    /// io_uring.
    Uring,
}

impl Io {
    /// Whether it is available.
    ///
    /// # Errors
    /// Why not, in words.
    pub(crate) fn check(self) -> Result<(), String> {
        if self != Io::Uring {
            return Ok(());
        }
        Ring::new().map(drop)
    }
}

/// A worker's ring, made when it is first needed.
pub(super) struct Rings {
    io: Io,
    ring: Option<Ring>,
}

impl Rings {
    pub(super) fn new(io: Io) -> Rings {
        Rings { io, ring: None }
    }

    /// Returns whether files that were read at this pace should be read through the ring, if it exists.
    pub(super) fn serve(&mut self, pace: &Pace) -> bool {
        let wanted = match self.io {
            Io::Auto => pace.waits,
            Io::Read => false,
            Io::Uring => true,
        };
        if wanted && self.ring.is_none() {
            self.ring = Ring::new().ok();
            if self.ring.is_none() {
                self.io = Io::Read; // not again the same refusal
            }
        }
        wanted && self.ring.is_some()
    }

    /// One read for each part, through the ring if there is one. A ring that fails is given up, and not
    /// replaced.
    pub(super) fn read_many(&mut self, parts: &mut [&mut Part<'_>], pace: &mut Pace) {
        let Some(ring) = &mut self.ring else { return };
        let since = Instant::now();
        match ring.read_many(parts) {
            Ok(n_waited) => {
                let n_bytes = parts.iter().map(|part| part.n_bytes).sum();
                pace.record_waits(n_waited, parts.len(), since.elapsed(), n_bytes);
            }
            Err(_) => {
                self.ring = None;
                self.io = Io::Read;
            }
        }
    }
}

/// The result of the last turns: a turn is one read of each of several files.
///
/// A turn of plain reads may be slow because the worker lost its CPU meanwhile, so two in a row must be. A
/// ring may hand reads from memory to threads of the kernel (tmpfs), which looks like waiting, but is as fast
/// as memory. Then plain reads are tried again, after more and more turns.
pub(super) struct Pace {
    waits: bool,
    /// Slow turns of plain reads in a row, as far as they count.
    n_slow: u8,
    /// Turns in the ring that were as fast as memory.
    n_fast_in_ring: u32,
    /// The number of these after which plain reads are tried.
    trial_after: u32,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { waits: false, n_slow: 0, n_fast_in_ring: 0, trial_after: Pace::FIRST_TRIAL }
    }
}

impl Pace {
    const FIRST_TRIAL: u32 = 16;
    /// Slow turns in a row that count as storage.
    const SLOW: u8 = 2;

    /// Records that plain reads of a number of files and bytes took this long.
    ///
    /// From memory it is 2 to 6 µs a file and less than 0.3 ns a byte, from a fast disk 90 µs a file. For
    /// less time than it takes to make a ring (60 µs) none is made.
    pub(super) fn took(&mut self, time: Duration, n_files: usize, n_bytes: usize) {
        let from_memory = Duration::from_nanos(6000 * n_files as u64 + n_bytes as u64 / 2);
        let is_slow = time > from_memory + Duration::from_micros(60);
        self.n_slow = if is_slow { self.n_slow.saturating_add(1) } else { 0 };
        self.waits = self.n_slow >= Pace::SLOW;
        if !is_slow {
            self.trial_after = Pace::FIRST_TRIAL;
        }
    }

    /// Records that `n_waited` of `n_reads` reads in the ring were not complete at once, and the time of all,
    /// with the bytes that were read. Waiting costs thirty times as much as the ring costs a read that is
    /// complete.
    fn record_waits(&mut self, n_waited: usize, n_reads: usize, time: Duration, n_bytes: usize) {
        self.waits = n_waited * 16 > n_reads;
        if !self.waits {
            *self = Pace::default();
            return;
        }
        // From a fast disk it is 8 µs a file.
        let from_memory = Duration::from_nanos(4000 * n_reads as u64 + n_bytes as u64 / 2);
        if time <= from_memory {
            self.n_fast_in_ring += 1;
        }
        if self.n_fast_in_ring >= self.trial_after {
            // One slow turn leads back to the ring.
            let trial_after = self.trial_after.saturating_mul(4);
            *self = Pace { n_slow: Pace::SLOW - 1, trial_after, ..Pace::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(pace: &mut Pace, micros_a_file: u64, n_bytes: usize) -> bool {
        pace.took(Duration::from_micros(64 * micros_a_file), 64, 64 * n_bytes);
        pace.waits
    }

    /// Measured times, of files in memory on a slow and a busy machine and of files on a fast disk.
    #[test]
    fn storage_is_distinguished_from_memory() {
        let mut pace = Pace::default();
        let mut twice = |micros, n_bytes| {
            pace.waits = batch(&mut pace, micros, n_bytes);
            batch(&mut pace, micros, n_bytes)
        };
        assert!(!twice(2, 4096) && !twice(6, 4096) && !twice(20, 65_536));
        assert!(twice(90, 4096) && twice(120, 65_536) && twice(90, 0));
        // One file, slow because everything is at first.
        let mut pace = Pace::default();
        for _ in 0..2 {
            pace.took(Duration::from_micros(50), 1, 100);
            assert!(!pace.waits);
        }
        // The ring knows better.
        let millisecond = Duration::from_millis(1);
        pace.record_waits(64, 64, millisecond, 64 * 4096);
        assert!(pace.waits);
        pace.record_waits(3, 64, millisecond, 64 * 4096);
        assert!(!pace.waits);
    }

    /// A worker that loses its CPU once does not change to the ring.
    #[test]
    fn one_slow_turn_changes_nothing() {
        let mut pace = Pace::default();
        for _ in 0..10 {
            assert!(!batch(&mut pace, 90, 4096) && !batch(&mut pace, 3, 4096));
        }
    }

    /// Reads that the ring hands to other threads, though the data are in memory: plain reads are tried, and
    /// kept if they are fast. From storage, the ring is left ever more rarely.
    #[test]
    fn a_ring_that_waits_for_memory_is_left() {
        let in_ring = |pace: &mut Pace, micros_a_file: u64| {
            pace.record_waits(64, 64, Duration::from_micros(64 * micros_a_file), 64 * 4096);
        };
        let turns_until_trial = |pace: &mut Pace, micros_a_file: u64| {
            (1..10_000).find(|_| {
                in_ring(pace, micros_a_file);
                !pace.waits
            })
        };
        let mut pace = Pace::default();
        assert!(!batch(&mut pace, 90, 4096) && batch(&mut pace, 90, 4096));
        assert_eq!(turns_until_trial(&mut pace, 2), Some(16));
        assert!(!batch(&mut pace, 2, 4096) && !batch(&mut pace, 90, 4096));
        assert!(batch(&mut pace, 90, 4096));
        for expected in [16, 64, 256] {
            assert_eq!(turns_until_trial(&mut pace, 3), Some(expected));
            // One slow turn is enough now.
            assert!(batch(&mut pace, 90, 4096));
        }
        let mut pace = Pace::default();
        assert!(!batch(&mut pace, 90, 4096) && batch(&mut pace, 90, 4096));
        assert_eq!(turns_until_trial(&mut pace, 8), None);
    }
}
