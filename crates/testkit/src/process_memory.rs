//! A search of the process's own memory, as Linux shows it in files.

use std::fs::{File, read_to_string};
use std::hint::black_box;
use std::io::{Read, Seek, SeekFrom};

/// Returns the number of needles in all memory that may be written, after `body`. The needles are given with
/// inverted bits, so that they are not found themselves.
///
/// # Panics
/// Panics if the system does not show the process's memory.
#[inline(never)]
pub fn found(needles: &[[u8; 16]], body: impl FnOnce()) -> usize {
    let mut buffer = vec![0; 1 << 20];
    let maps = read_to_string("/proc/self/maps").expect("Linux's list of mappings");
    let mut memory = File::open("/proc/self/mem").expect("the process's memory");
    far_below(body);
    let is_there = |needle: &&[u8; 16], bytes: &[u8]| {
        let first = !needle[0];
        let mut places = bytes.iter().enumerate().filter(|(_, byte)| **byte == first);
        places.any(|(at, _)| {
            bytes.len() - at >= 16 && bytes[at..at + 16].iter().zip(*needle).all(|(a, b)| *a == !b)
        })
    };
    let mut n_found = 0;
    for line in maps.lines().filter(|line| line.contains(" rw")) {
        let (from, to) = line.split_once(' ').and_then(|(range, _)| range.split_once('-')).unwrap();
        let [mut at, end] = [from, to].map(|text| u64::from_str_radix(text, 16).unwrap());
        while at < end {
            let n = buffer.len().min((end - at) as usize);
            if memory.seek(SeekFrom::Start(at)).is_ok() && memory.read_exact(&mut buffer[..n]).is_ok() {
                n_found += needles.iter().filter(|needle| is_there(needle, &buffer[..n])).count();
            }
            at += n as u64;
        }
    }
    n_found
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
        assert!(found(&needles, || with_large_frame(false)) > 0, "the pattern is not found");
        assert_eq!(found(&needles, || with_large_frame(true)), 0);
    }
}
