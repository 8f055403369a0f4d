//! Checks the ragged batches: the same batch from the same seed, and every hard case among 2,000 batches.

use hashlanes_testkit::ragged::{Batch, Rng, batches, pattern};
use std::collections::HashSet;

/// The first outputs of Vigna's splitmix64.c for seed 0.
#[test]
fn the_generator_is_splitmix64() {
    let mut rng = Rng::new(0);
    let first: [u64; 3] = rng.words64();
    assert_eq!(first, [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f]);
}

#[test]
fn a_seed_makes_the_same_batches() {
    let once: Vec<Batch> = batches(7, 20, 40, 1000).collect();
    assert_eq!(once, batches(7, 20, 40, 1000).collect::<Vec<_>>());
    assert_ne!(once, batches(8, 20, 40, 1000).collect::<Vec<_>>());
}

#[test]
fn a_batch_prints_its_own_call() {
    let batch = batches(7, 1, 40, 1000).next().unwrap();
    let text = batch.to_string();
    let seed =
        text.strip_prefix("Batch::new(0x").and_then(|rest| rest.split_once(", 40, 1000): ")).unwrap().0;
    let seed = u64::from_str_radix(seed, 16).unwrap();
    assert_eq!(Batch::new(seed, 40, 1000), batch);
}

#[test]
fn maxima_are_kept() {
    for (max_messages, max_len_bytes) in [(0, 0), (0, 100), (1, 0), (1, 1), (5, 10), (100, 64), (17, 5000)] {
        for batch in batches(3, 500, max_messages, max_len_bytes) {
            assert!(batch.len() <= max_messages, "{batch}");
            assert!(batch.messages().all(|message| message.len() <= max_len_bytes), "{batch}");
        }
    }
}

#[test]
fn two_thousand_batches_meet_every_hard_case() {
    let (mut counts, mut lengths, mut alignments) = (HashSet::new(), HashSet::new(), HashSet::new());
    let (mut equal, mut one_long) = (0, 0);
    for batch in batches(0, 2000, 40, 1024) {
        counts.insert(batch.len());
        lengths.extend(batch.messages().map(<[u8]>::len));
        alignments.extend(batch.messages().map(|message| message.as_ptr() as usize % 64));
        let longest = batch.messages().map(<[u8]>::len).max().unwrap_or(0);
        let n_longest = batch.messages().filter(|message| message.len() == longest).count();
        equal += usize::from(batch.len() > 4 && n_longest == batch.len());
        one_long += usize::from(batch.len() > 4 && n_longest == 1 && longest == 1024);
    }
    // 0, 1, 2, degree − 1, degree, degree + 1 for every degree up to 32, and the maximum.
    assert!((0..=40).all(|count| counts.contains(&count)), "{counts:?}");
    for border in [0, 1, 55, 56, 63, 64, 65, 111, 112, 119, 120, 127, 128, 129, 1024] {
        assert!(lengths.contains(&border), "{border} bytes never occur");
    }
    for blocks in 1..=1024 / 128 {
        // Whole blocks, and the first border after them, for both block lengths.
        for len in [64 * blocks, 128 * blocks, 64 * blocks + 55, 128 * (blocks - 1) + 111] {
            assert!(lengths.contains(&len), "{len} bytes never occur");
        }
    }
    assert_eq!(alignments.len(), 64);
    assert!(
        equal > 100 && one_long > 50,
        "{equal} batches of equal lengths, {one_long} with one long message"
    );
}

#[test]
fn no_two_blocks_of_a_pattern_are_equal() {
    let mut seen = HashSet::new();
    for salt in 0..250 {
        for block in pattern(64 * 251, salt).chunks(64) {
            assert!(seen.insert(block.to_vec()), "salt {salt}");
        }
    }
    assert_ne!(pattern(64, 0), pattern(64, 250));
    assert_eq!(pattern(3, 1), [0, 2, 4]);
    assert!(pattern(0, 9).is_empty());
}
