//! `split-x16`, `split-x8` and `split-x4` against the oracle: random lists of turns, and memory that ends at unmapped pages.

use core::mem::MaybeUninit;
use std::vec::Vec;

use hashlanes_testkit::guarded::Guarded;
use hashlanes_testkit::oracle::sha256_compress;
use hashlanes_testkit::ragged::Rng;

use super::{CONSTANTS, Constants, Scratch, State, split_x4, split_x8, split_x16};

/// Takes turns, their number, the number of their blocks, scratch memory and constants.
type Kernel = unsafe extern "sysv64" fn(*const *mut u8, usize, usize, *mut Scratch, *const Constants);

/// Set beside the number of blocks: the turn continues the states of the turn before it.
const CONTINUES: u64 = 1 << 32;
const MAX_TURNS: usize = 40;
const MAX_BLOCKS: usize = 9;
/// Words from a state to the next: states are at all multiples of 4 bytes.
const STRIDE: usize = 9;

fn is_supported() -> bool {
    std::is_x86_feature_detected!("sha")
        && std::is_x86_feature_detected!("ssse3")
        && std::is_x86_feature_detected!("avx512bw")
        && std::is_x86_feature_detected!("avx512vl")
}

/// Runs a random list on `lanes` lanes, and compares every state with the oracle's.
fn run_random_list(kernel: Kernel, lanes: usize, seed: u64) {
    let mut rng = Rng::new(seed);
    let n_turns = 1 + rng.below(MAX_TURNS);
    // Few blocks a turn in half of the lists: turns of one block are the most frequent ones.
    let max_blocks = rng.choose(&[1, 2, 3, MAX_BLOCKS, MAX_BLOCKS, MAX_BLOCKS]);
    let n_states = lanes + rng.below(2 * lanes);
    let mut states: Vec<State> = (0..n_states).map(|_| rng.words32()).collect();
    let mut arena = std::vec![0; 8192];
    rng.fill(&mut arena);
    let mut ends_at_page = Guarded::at_end(64 * MAX_BLOCKS);
    rng.fill(&mut ends_at_page);

    // The last place is that of a state that idle lanes share.
    let mut memory = std::vec![0; (n_states + 1) * STRIDE];
    for (place, state) in memory.chunks_mut(STRIDE).zip(&states) {
        place[..8].copy_from_slice(state);
    }
    let base = memory.as_mut_ptr();
    let place = |i: usize| base.wrapping_add(i * STRIDE) as u64;

    let mut words: Vec<u64> = Vec::new();
    let mut n_blocks_of_all = 0;
    let mut order: Vec<usize> = (0..n_states).collect();
    for turn in 0..n_turns {
        let n_blocks = 1 + rng.below(max_blocks);
        n_blocks_of_all += n_blocks;
        let continues = turn > 0 && rng.below(3) == 0;
        if !continues && rng.below(4) > 0 {
            for i in 0..n_states {
                order.swap(i, rng.below(n_states));
            }
        }
        let idle = |lane: usize| seed.is_multiple_of(3) && lane % 3 == 1;
        let before = states.clone();
        for (lane, &i) in order[..lanes].iter().enumerate() {
            let blocks = if rng.below(4) == 0 {
                &ends_at_page[64 * (MAX_BLOCKS - n_blocks)..]
            } else {
                &arena[rng.below(arena.len() - 64 * n_blocks)..][..64 * n_blocks]
            };
            words.push(blocks.as_ptr() as u64);
            if !idle(lane) {
                states[i] = before[i];
                sha256_compress(&mut states[i], blocks);
            }
        }
        words.extend(
            order[..lanes].iter().enumerate().map(|(lane, &i)| place(if idle(lane) { n_states } else { i })),
        );
        words.push(n_blocks as u64 | if continues { CONTINUES } else { 0 });
    }
    let list: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let list = Guarded::at_end(list.len()).holding(&list);

    let mut scratch = MaybeUninit::<Scratch>::uninit();
    // SAFETY: the caller asked for the CPU's features; the turns name blocks and states that live until the
    // comparison; the list is a multiple of 8 bytes that ends at a page, and so it is aligned.
    unsafe { kernel(list.as_ptr().cast(), n_turns, n_blocks_of_all, scratch.as_mut_ptr(), &CONSTANTS) };
    for (i, state) in states.iter().enumerate() {
        assert_eq!(memory[i * STRIDE..][..8], state[..], "state {i} of list {seed}, {lanes} lanes");
    }
}

fn run_random_lists(kernel: Kernel, lanes: usize) {
    if !is_supported() {
        std::eprintln!("skipped: the CPU does not have SHA and AVX-512VL");
        return;
    }
    for seed in 0..400 {
        run_random_list(kernel, lanes, seed);
    }
}

#[test]
fn turns_of_16_lanes() {
    run_random_lists(split_x16, 16);
}

#[test]
fn turns_of_8_lanes() {
    run_random_lists(split_x8, 8);
}

#[test]
fn turns_of_4_lanes() {
    run_random_lists(split_x4, 4);
}

#[test]
fn no_blocks_read_nothing() {
    let mut scratch = MaybeUninit::<Scratch>::uninit();
    for kernel in [split_x16 as Kernel, split_x8, split_x4] {
        // SAFETY: a kernel without blocks returns at once, on every CPU.
        unsafe { kernel(core::ptr::null(), 0, 0, scratch.as_mut_ptr(), &CONSTANTS) };
    }
}
