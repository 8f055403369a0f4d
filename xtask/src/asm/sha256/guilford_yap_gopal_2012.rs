//! `sse4`, `avx`, `avx2-rorx2`, `avx2-rorx8`: the four versions of Guilford, Yap, Gopal 2012, "Fast SHA-256
//! Implementations on Intel Architecture Processors". One message; rounds in general registers, stitched with
//! the schedule in vectors.
//!
//! ```text
//! sse4, avx    a block: X0..X3 = its words, four an xmm register
//!                  3 times 16 rounds: for each X: K + X to the stack; four rounds, alongside them the next four words into X
//!                  2 times 8 rounds: K + X to the stack, and the rounds alone
//! avx2-rorx2   two blocks, one in each half of ymm registers, K + W of all rounds to the stack:
//!                  the first block as above;  the second one by 4 times 16 rounds that read its half; an odd last block has none
//! avx2-rorx8   eight blocks, one a lane (fewer: the lanes left over repeat the last block):
//!                  eight words of each at a time transposed, to the stack
//!                  the first block: 3 times 16 rounds alongside the schedule of all eight, 16 rounds alone
//!                  each other block: 4 times 16 rounds
//! ```
//!
//! In `avx2-rorx8` W is in TMSG and K + W in KTMSG, whose starts are 16 words apart: TMSG\[0\] is
//! KTMSG\[16\]. Word i + 16 is the last one that needs word i; so KTMSG\[i+16\] may replace it.
//!
//! ```text
//! KTMSG   0 .. 16 .. 32 .. 48 .. 64
//! TMSG         0 ..  16 .. 32 .. 48 .. 64
//! ```
//!
//! Measured on Redwood Cove, 64 KiB: 8.07, 8.03, 7.10 and 7.23 cycles per byte. rorx8 is never faster than
//! rorx2 there, although the paper has the crossover near 1 KB: for whole groups of eight blocks it is 1.8 %
//! slower.
//!
//! Departures from the paper.
//! 1. With several blocks, pointers give the place of each: they need not be consecutive.
//! 2. The rounds are those of `sha2.rs`, whose departures are listed there. In rorx's sequence of 001, the
//!    rotation of a by 13 is next to its others: the register that held it early holds a ^ b.
//! 3. Four words and the four rounds alongside them are merged evenly, by rule, not by hand.

use super::arguments::SWAP;
use super::four_words::{FourWords, transpose4};
use crate::asm::merge::spread;
use crate::asm::sha2::{Rotation, Rounds, SHA256, Slots};
use crate::asm::strand::{Strand, code};

const fn rounds(rotation: Rotation) -> Rounds {
    Rounds { sha2: &SHA256, rotation }
}

/// A loop that repeats `body`; its label must be free there. Counts in the frame.
fn times(n: usize, label: u32, slots: Slots, body: &[crate::asm::strand::Instruction]) -> Strand {
    let mut out = Strand::new();
    code! { out; "mov {},{n}", slots.own(0); ".p2align 6"; "{label}:"; }
    out.extend_from_slice(body);
    code! { out; "dec {}", slots.own(0); "jnz {label}b"; }
    out
}

fn load_state(rounds: Rounds) -> Strand {
    let mut out = Strand::new();
    code! { out; "mov rsi,rdi"; "mov rdi,rcx"; }
    out.extend(rounds.load_state("rsi"));
    out
}

/// Leaves as a flag whether it was the last one.
fn end_of_block(rounds: Rounds, slots: Slots) -> Strand {
    let mut out = Strand::new();
    code! { out; "mov rsi,{}", slots.state(); }
    out.extend(rounds.add_state("rsi"));
    code! { out; "dec {}", slots.blocks_left(); }
    out
}

// ---- sse4, avx: a block at a time ----

/// Bytes of their own stack: K + W of eight rounds, then [`Slots`].
pub(super) const FRAME_1: usize = 32 + 32 + Slots::BYTES;

/// In VEX's encoding. rdi = constants.
pub(super) fn one_block() -> Strand {
    const ROUNDS: Rounds = rounds(Rotation::Ror);
    const SLOTS: Slots = Slots { at: 64 };
    const SCHEDULE: FourWords = FourWords { v: "xmm", avx512: false };
    // K of the loop's words is at rsi.
    let add_k =
        |x: usize, g: usize| SCHEDULE.add_k(x, &format!("rsi+{}", 16 * g), &format!("rsp+{}", 16 * (g % 2)));
    let four_rounds = |g: usize| ROUNDS.over(4 * g..4 * g + 4, |t| format!("[rsp+{}]", 4 * (t % 8)));

    let mut out = SLOTS.enter();
    out.extend(load_state(ROUNDS));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(SLOTS.next_block("rsi", "rcx"));
    for g in 0..4 {
        out.extend(SCHEDULE.load(g, ["rsi", "rsi"]));
    }
    out.extend(ROUNDS.enter());
    code! { out; "mov rsi,rdi"; }
    let mut sixteen = Strand::new();
    for g in 0..4 {
        sixteen.extend(add_k(g, g));
        sixteen.extend(spread(&[&four_rounds(g), &SCHEDULE.next(g, "rdi")]));
    }
    code! { sixteen; "add rsi,64"; }
    out.extend(times(3, 3, SLOTS, &sixteen));
    let mut eight = Strand::new();
    for g in 0..2 {
        eight.extend(add_k(g, g));
        eight.extend(four_rounds(g));
    }
    code! { eight; "vmovdqa xmm0,xmm2"; "vmovdqa xmm1,xmm3"; "add rsi,32"; }
    out.extend(times(2, 4, SLOTS, &eight));
    out.extend(end_of_block(ROUNDS, SLOTS));
    code! { out; "jnz 2b"; }
    out
}

// ---- avx2-rorx2: two blocks at a time ----

/// Bytes of its own stack: K + W of both blocks, four words of each in turns, then [`Slots`].
pub(super) const FRAME_2: usize = 16 * 32 + Slots::BYTES;

/// rdi = constants. K and K + W of a loop's words are at rcx after the table of K and after rsp.
pub(super) fn two_blocks() -> Strand {
    const ROUNDS: Rounds = rounds(Rotation::Rorx);
    const SLOTS: Slots = Slots { at: 16 * 32 };
    const SCHEDULE: FourWords = FourWords { v: "ymm", avx512: false };
    let add_k = |x: usize, g: usize| {
        let (k, kw) = (format!("rdi+rcx+{}", SCHEDULE.k(g)), format!("rsp+rcx+{}", 32 * g));
        SCHEDULE.add_k(x, &k, &kw)
    };
    let four_rounds = |block: usize, g: usize| {
        ROUNDS.over(4 * g..4 * g + 4, |t| format!("[rsp+rcx+{}]", 32 * g + 16 * block + 4 * (t % 4)))
    };

    let mut out = SLOTS.enter();
    out.extend(load_state(ROUNDS));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(SLOTS.next_pair(["rsi", "rcx"], "r14"));
    for g in 0..4 {
        out.extend(SCHEDULE.load(g, ["rsi", "rcx"]));
    }
    out.extend(ROUNDS.enter());
    code! { out; "xor ecx,ecx"; }
    let mut sixteen = Strand::new();
    for g in 0..4 {
        sixteen.extend(add_k(g, g));
        sixteen.extend(spread(&[&four_rounds(0, g), &SCHEDULE.next(g, "rdi")]));
    }
    code! { sixteen; "add rcx,{}", 4 * 32; }
    out.extend(times(3, 3, SLOTS, &sixteen));
    let mut eight = Strand::new();
    for g in 0..2 {
        eight.extend(add_k(g, g));
        eight.extend(four_rounds(0, g));
    }
    code! { eight; "vmovdqa ymm0,ymm2"; "vmovdqa ymm1,ymm3"; "add rcx,{}", 2 * 32; }
    out.extend(times(2, 4, SLOTS, &eight));
    out.extend(end_of_block(ROUNDS, SLOTS));
    code! { out; "jz 8f"; }

    out.extend(ROUNDS.enter());
    code! { out; "xor ecx,ecx"; }
    let mut sixteen: Strand = (0..4).flat_map(|g| four_rounds(1, g)).collect();
    code! { sixteen; "add rcx,{}", 4 * 32; }
    out.extend(times(4, 5, SLOTS, &sixteen));
    out.extend(end_of_block(ROUNDS, SLOTS));
    code! { out; "jnz 2b"; "8:"; }
    out
}

// ---- avx2-rorx8: eight blocks at a time ----

/// Bytes of a word of all blocks.
const WORD: usize = 32;
/// The offset of TMSG.
const TMSG: usize = 16 * WORD;
/// Bytes of its own stack: KTMSG and TMSG, where the blocks are, then [`Slots`].
pub(super) const FRAME_8: usize = POINTERS + 8 * 8 + Slots::BYTES;
const POINTERS: usize = TMSG + 64 * WORD;

/// rdi = constants.
pub(super) fn eight_blocks() -> Strand {
    const ROUNDS: Rounds = rounds(Rotation::Rorx);
    const SLOTS: Slots = Slots { at: POINTERS + 8 * 8 };
    // In loops K + W of a block is at rcx, and K at rdi.
    let kw = |t: usize| format!("[rcx+{}]", WORD * t);

    let mut out = SLOTS.enter();
    out.extend(load_state(ROUNDS));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(eight_pointers(SLOTS));
    out.extend(transpose_words(0));
    out.extend(transpose_words(8));
    code! { out; "mov rcx,rsp"; }
    out.extend(ROUNDS.enter());
    let mut sixteen: Strand =
        (0..16).flat_map(|t| spread(&[&ROUNDS.round(t, &[kw(t)]), &next_word(t)])).collect();
    code! { sixteen; "add rcx,{}", 16 * WORD; "add rdi,{}", 16 * 4; }
    out.extend(times(3, 3, SLOTS, &sixteen));
    out.extend(ROUNDS.over(0..16, kw));
    code! { out; "sub rdi,{}", 48 * 4; }
    out.extend(end_of_block(ROUNDS, SLOTS));
    code! { out; "jz 8f"; "lea rcx,[rsp+4]"; "mov {},7", SLOTS.own(1); ".p2align 6"; "5:"; }
    out.extend(ROUNDS.enter());
    let mut sixteen = ROUNDS.over(0..16, kw);
    code! { sixteen; "add rcx,{}", 16 * WORD; }
    out.extend(times(4, 4, SLOTS, &sixteen));
    out.extend(end_of_block(ROUNDS, SLOTS));
    code! { out; "jz 8f"; "sub rcx,{}", 64 * WORD - 4; "dec {}", SLOTS.own(1); "jnz 5b"; "jmp 2b"; "8:"; }
    out
}

/// Writes the addresses of the next eight blocks to the frame. Missing ones are replaced by the last one.
fn eight_pointers(slots: Slots) -> Strand {
    let mut out = Strand::new();
    code! { out; "mov r15,{}", slots.blocks_left(); "xor r14d,r14d"; "6:"; }
    out.extend(slots.next_block("rsi", "rcx"));
    code! { out;
        "7:";
        "mov [rsp+8*r14+{POINTERS}],rsi";
        "inc r14";
        "cmp r14,8";
        "je 7f";
        "cmp r14,r15";
        "jb 6b";
        "jmp 7b";
        "7:";
    }
    out
}

/// Words `first`..`first`+8 of all blocks: eight words of a block a register, transposed.
fn transpose_words(first: usize) -> Strand {
    let ymm = |i: usize| format!("ymm{i}");
    let mut out = Strand::new();
    for block in 0..8 {
        code! { out;
            "mov rsi,[rsp+{}]", POINTERS + 8 * block;
            "vmovdqu ymm{block},[rsi+{}]", 4 * first;
            "vpshufb ymm{block},ymm{block},[rdi+{SWAP}]";
        }
    }
    // Four blocks' words in both 128-bit lanes: words w and w + 4 of blocks 0..4 and of 4..8.
    let [low, high] = [[0, 8], [4, 12]].map(|[from, to]| {
        let words: [String; 4] = std::array::from_fn(|i| ymm(to + i));
        out.extend(transpose4(&std::array::from_fn(|i| ymm(from + i)), &words));
        words
    });
    for (w, (low, high)) in low.iter().zip(&high).enumerate() {
        for (word, lanes) in [(first + w, "0x20"), (first + w + 4, "0x31")] {
            code! { out;
                "vperm2i128 ymm0,{low},{high},{lanes}";
                "vmovdqa [rsp+{}],ymm0", TMSG + WORD * word;
                "vpbroadcastd ymm1,[rdi+{}]", 4 * word;
                "vpaddd ymm0,ymm0,ymm1";
                "vmovdqa [rsp+{}],ymm0", WORD * word;
            }
        }
    }
    out
}

/// TMSG\[t+16\] and KTMSG\[t+16\], which replaces TMSG\[t\].
fn next_word(t: usize) -> Strand {
    let w = |i: usize| format!("[rcx+{}]", TMSG + WORD * (t + i));
    let mut out = Strand::new();
    code! { out;
        "vmovdqa ymm0,{}", w(1);
        "vpsrld ymm1,ymm0,7";
        "vpslld ymm2,ymm0,25";
        "vpsrld ymm3,ymm0,18";
        "vpslld ymm4,ymm0,14";
        "vpsrld ymm0,ymm0,3";
        "vpxor ymm1,ymm1,ymm2";
        "vpxor ymm3,ymm3,ymm4";
        "vpxor ymm0,ymm0,ymm1";
        "vmovdqa ymm5,{}", w(14);
        "vpxor ymm0,ymm0,ymm3";
        "vpsrld ymm1,ymm5,17";
        "vpslld ymm2,ymm5,15";
        "vpaddd ymm0,ymm0,{}", w(0);
        "vpsrld ymm3,ymm5,19";
        "vpslld ymm4,ymm5,13";
        "vpaddd ymm0,ymm0,{}", w(9);
        "vpsrld ymm5,ymm5,10";
        "vpxor ymm1,ymm1,ymm2";
        "vpxor ymm3,ymm3,ymm4";
        "vpxor ymm5,ymm5,ymm1";
        "vpbroadcastd ymm1,[rdi+{}]", 4 * (t + 16);
        "vpxor ymm5,ymm5,ymm3";
        "vpaddd ymm0,ymm0,ymm5";
        "vmovdqa {},ymm0", w(16);
        "vpaddd ymm0,ymm0,ymm1";
        "vmovdqa {},ymm0", w(0);
    }
    out
}
