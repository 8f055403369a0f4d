//! A search of the process's own memory, as Linux shows it in files.

use std::fs::{File, read_to_string};
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};

/// Returns the number of needles that are in memory that may be written, after `body`. The needles are given
/// with inverted bits, so that they are not found themselves.
///
/// # Panics
/// Panics if the system does not show the process's memory.
#[inline(never)]
pub fn found(needles: &[[u8; 16]], body: impl FnOnce()) -> usize {
    let search = Search::new(needles);
    far_below(body);
    search.n_found()
}

/// A search of the memory. All that it needs is allocated before: memory that `body` freed stays as it is.
struct Search<'a> {
    needles: &'a [[u8; 16]],
    is_found: Vec<bool>,
    /// Whether a needle begins with two bytes, by their little-endian number: one pass looks for all needles.
    is_begin: Vec<bool>,
    /// The list of mappings.
    maps: String,
    memory: File,
    buffer: Vec<u8>,
}

impl<'a> Search<'a> {
    fn new(needles: &'a [[u8; 16]]) -> Self {
        let mut is_begin = vec![false; 1 << 16];
        for needle in needles {
            is_begin[usize::from(u16::from_le_bytes([!needle[0], !needle[1]]))] = true;
        }
        Self {
            needles,
            is_found: vec![false; needles.len()],
            is_begin,
            maps: read_to_string("/proc/self/maps").expect("Linux's list of mappings"),
            memory: File::open("/proc/self/mem").expect("the process's memory"),
            buffer: vec![0; 1 << 20],
        }
    }

    fn n_found(mut self) -> usize {
        let maps = std::mem::take(&mut self.maps);
        for line in maps.lines().filter(|line| line.contains(" rw")) {
            let (from, to) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')).unwrap();
            let [from, to] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
            parts(from, to, self.buffer.len() as u64).for_each(|(at, n)| self.look(at, n as usize));
        }
        self.is_found.into_iter().filter(|is_found| *is_found).count()
    }

    /// Looks for the needles in `n` bytes, unless the system does not show them.
    fn look(&mut self, at: u64, n: usize) {
        let bytes = &mut self.buffer[..n];
        if self.memory.seek(SeekFrom::Start(at)).is_err() || self.memory.read_exact(bytes).is_err() {
            return;
        }
        for place in bytes.windows(16) {
            if self.is_begin[usize::from(u16::from_le_bytes([place[0], place[1]]))] {
                for (needle, is_found) in self.needles.iter().zip(&mut self.is_found) {
                    *is_found |= place.iter().zip(needle).all(|(byte, inverted)| *byte == !inverted);
                }
            }
        }
    }
}

/// Addresses and lengths of the parts of a mapping, of at most `most` bytes. Each begins with the last 15
/// bytes of the one before: a needle may lie on the border.
fn parts(from: u64, to: u64, most: u64) -> impl Iterator<Item = (u64, u64)> {
    let begins = (from..to).step_by(most as usize - 15);
    // The last begins may be in the part before.
    begins.take_while(move |at| *at == from || to - at > 15).map(move |at| (at, most.min(to - at)))
}

/// Calls `body` far below the caller, so that the later search does not overwrite its stack.
#[inline(never)]
fn far_below(body: impl FnOnce()) {
    let between = [1_u8; 8 * 1024];
    black_box(&between);
    body();
    black_box(&between);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A byte of a pattern that is nowhere else.
    fn byte(i: usize) -> u8 {
        black_box(i as u8).wrapping_mul(59).wrapping_add(0x2b)
    }

    /// As a kernel leaves a key on the stack.
    #[inline(never)]
    fn leave() {
        let mut left = [0; 320];
        for (i, left) in left[160..176].iter_mut().enumerate() {
            *left = byte(i);
        }
        black_box(&left);
    }

    /// Its frame is larger than what is overwritten below it. If that were a tail call, it would begin where
    /// the frame begins.
    #[inline(never)]
    fn with_large_frame(overwrite: bool) {
        let large = [1_u8; 16 * 1024];
        black_box(&large);
        leave();
        if overwrite {
            hashlanes_isa::wipe_stack_below::<1024>();
        }
    }

    #[test]
    fn the_stack_is_overwritten_below_the_caller_s_frame() {
        let needles = [core::array::from_fn(|i| !byte(i))];
        assert_eq!(found(&needles, || with_large_frame(false)), 1, "the pattern is not found");
        assert_eq!(found(&needles, || with_large_frame(true)), 0);
    }

    #[test]
    fn every_place_is_in_a_part() {
        for bytes in [1, 15, 16, 17, 99, 100, 101, 185, 186, 1000] {
            let parts: Vec<_> = parts(7, 7 + bytes, 100).collect();
            assert!(parts.iter().all(|(at, n)| (1..=100).contains(n) && at + n <= 7 + bytes));
            let is_there = |place| parts.iter().any(|(at, n)| *at <= place && place + 16 <= at + n);
            assert!((7..7 + bytes.saturating_sub(15)).all(is_there), "{bytes} bytes");
        }
    }
}
