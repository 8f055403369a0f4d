//! `stitched-avx2`, `stitched-avx512`: one message, rounds in general registers, the schedule of two
//! consecutive blocks alongside them. For CPUs without SHA-NI.
//!
//! ```text
//! for each pair of blocks (the last one may be alone: its partner is itself)
//!     load both, a block in each half of ymm registers
//!     64 rounds of the first block;  alongside the first 48, four words of both for every four rounds; K + W to the frame
//!     64 rounds of the second block, if there is one: they read K + W alone
//! ```
//!
//! That is 001's `rorx2` without its loops: all 128 rounds of a pair are unrolled (13 KB), so every four
//! words stand spread over their four rounds, and there are no counters. The rounds bind: four ALUs and e's
//! latency on Zen 4 (6.46 cycles per byte with AVX2, 6.40 with rotations and vpternlogd of AVX-512; 5.5 is
//! their limit). A block alone, and short messages, lose nothing, as no block's schedule is made before its
//! own pair's rounds.

use super::four_words::FourWords;
use crate::asm::merge::spread;
use crate::asm::sha2::{Rotation, Rounds, SHA256, Slots};
use crate::asm::strand::{Strand, code};

/// Bytes of its own stack: K + W of both blocks, four words of each in turns, then [`Slots`].
pub(super) const FRAME: usize = KW + Slots::BYTES;
const KW: usize = 16 * 32;
const SLOTS: Slots = Slots { at: KW };

const ROUNDS: Rounds = Rounds { sha2: &SHA256, rotation: Rotation::Rorx };

/// rdi = constants.
pub(super) fn kernel(avx512: bool) -> Strand {
    let schedule = FourWords { v: "ymm", avx512 };
    let mut out = SLOTS.enter();
    code! { out; "mov rsi,rdi"; "mov rdi,rcx"; }
    out.extend(ROUNDS.load_state("rsi"));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(SLOTS.next_pair(["rsi", "rcx"], "r14"));
    for g in 0..4 {
        out.extend(schedule.load(g, ["rsi", "rcx"]));
        out.extend(add_k(schedule, g));
    }
    out.extend(ROUNDS.enter());
    for g in 0..16 {
        let four = rounds(0, g);
        if g < 12 {
            let words = [schedule.next(g, "rdi"), add_k(schedule, g + 4)].concat();
            out.extend(spread(&[&four, &words]));
        } else {
            out.extend(four);
        }
    }
    out.extend(end_of_block());
    code! { out; "jz 8f"; }
    out.extend(ROUNDS.enter());
    out.extend((0..16).flat_map(|g| rounds(1, g)));
    out.extend(end_of_block());
    code! { out; "jnz 2b"; "8:"; }
    out
}

fn add_k(schedule: FourWords, g: usize) -> Strand {
    schedule.add_k(g, &format!("rdi+{}", schedule.k(g)), &format!("rsp+{}", 32 * g))
}

/// Four rounds of a block of the pair.
fn rounds(block: usize, g: usize) -> Strand {
    ROUNDS.over(4 * g..4 * g + 4, |t| format!("[rsp+{}]", 32 * g + 16 * block + 4 * (t % 4)))
}

/// Leaves as a flag whether it was the last one.
fn end_of_block() -> Strand {
    let mut out = Strand::new();
    code! { out; "mov rsi,{}", SLOTS.state(); }
    out.extend(ROUNDS.add_state("rsi"));
    code! { out; "dec {}", SLOTS.blocks_left(); }
    out
}
