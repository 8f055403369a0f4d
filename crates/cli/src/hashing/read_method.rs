//! Whether files are read by plain calls or through a ring: by what reading them was like.
//!
//! From memory a plain call is faster, from storage a ring by an order of magnitude (numbers in `ring.rs`).
//! Which one applies is unknown in advance, and trees are often partly cached. But a wrong choice costs
//! little for a short time, so each worker follows its last reads. Plain reads show it by their time, reads
//! in the ring by whether they were complete at once.

use std::time::Duration;

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
        match ring.read_many(parts) {
            Ok(n_waited) => pace.record_waits(n_waited, parts.len()),
            Err(_) => {
                self.ring = None;
                self.io = Io::Read;
            }
        }
    }
}

/// The result of the last reads.
#[derive(Default)]
pub(super) struct Pace {
    waits: bool,
}

impl Pace {
    /// Records that plain reads of a number of files and bytes took this long.
    ///
    /// From memory it is 2 to 6 µs a file and less than 0.3 ns a byte, from a fast disk 90 µs a file. A
    /// worker that lost its CPU for a moment has waited too, for other reasons; then its next reads correct
    /// that. For less time than it takes to make a ring (60 µs) none is made.
    pub(super) fn took(&mut self, time: Duration, n_files: usize, n_bytes: usize) {
        let from_memory = Duration::from_nanos(6000 * n_files as u64 + n_bytes as u64 / 2);
        self.waits = time > from_memory + Duration::from_micros(60);
    }

    /// Records that `n_waited` of `n_reads` reads in the ring were not complete at once. Waiting costs thirty
    /// times as much as the ring costs a read that is complete.
    fn record_waits(&mut self, n_waited: usize, n_reads: usize) {
        self.waits = n_waited * 16 > n_reads;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Measured times, of files in memory on a slow and a busy machine and of files on a fast disk.
    #[test]
    fn storage_is_distinguished_from_memory() {
        let batch = |micros_a_file: u64, n_bytes: usize| {
            let mut pace = Pace::default();
            pace.took(Duration::from_micros(64 * micros_a_file), 64, 64 * n_bytes);
            pace.waits
        };
        assert!(!batch(2, 4096) && !batch(6, 4096) && !batch(20, 65_536));
        assert!(batch(90, 4096) && batch(120, 65_536) && batch(90, 0));
        // One file, slow because everything is at first.
        let mut pace = Pace::default();
        pace.took(Duration::from_micros(50), 1, 100);
        assert!(!pace.waits);
        // The ring knows better.
        pace.record_waits(64, 64);
        assert!(pace.waits);
        pace.record_waits(3, 64);
        assert!(!pace.waits);
    }
}
