//! `avx512-x4-asm`: a message a lane of ymm registers; everything stays in 32 of them.
//!
//! ymm0–15 words, 16–23 state, 24–31 temporaries (4 for the rounds, 4 for the schedule). Rounds 8..72 are a
//! loop of 4 × 16, with word t + 8 alongside round t; words 8..16 are loaded alongside rounds 0..8, words
//! 0..8 of the next block alongside rounds 72..80. Zen 4: 1.25 cycles per byte.

use super::registers::{Cursor, SWAP};
use crate::asm::lanes::{Lanes, Names, Sums, registers};
use crate::asm::merge::spread;
use crate::asm::sha2::SHA512;
use crate::asm::strand::{Strand, code};

/// Messages.
const LANES: usize = 4;
/// Bytes of its own stack: the chaining value, then the steps of the input.
pub(super) const FRAME: usize = CURSOR.frame + 64;
const CURSOR: Cursor = Cursor { row: "rsi", offset: "rbp", frame: 64 * LANES };

/// rsi = row of pointers, rbp = offset, r8.. = blocks, rcx = constants.
pub(super) fn kernel() -> Strand {
    let lanes = Lanes {
        sha2: &SHA512,
        sums: Sums::Few,
        n: LANES,
        state: registers("ymm", 16..24),
        words: registers("ymm", 0..16),
        of_rounds: registers("ymm", 24..28),
        of_schedule: registers("ymm", 28..32),
        k: "rcx",
    };
    let mut out = CURSOR.enter();
    out.extend(next_pointers());
    out.extend(load_states(&lanes));
    out.extend(load(&lanes, 0));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(lanes.save_state(("rsp", 0)));
    out.extend(spread(&[&lanes.rounds(0..8), &load(&lanes, 1)]));
    out.extend(lanes.loop_with_schedule(8..72, 8, "eax"));
    out.extend(CURSOR.step("rdx", ["rax", "rbx"]));
    out.extend(next_pointers());
    out.extend(spread(&[&lanes.rounds(72..80), &load(&lanes, 0)]));
    out.extend(lanes.add_saved_state(("rsp", 0)));
    code! { out; "dec rdx"; "jnz 2b"; }
    out.extend(store_states(&lanes));
    out
}

/// The address of each message's block.
fn pointers() -> Names {
    registers("r", 8..8 + LANES)
}

fn next_pointers() -> Strand {
    pointers().iter().enumerate().flat_map(|(m, to)| CURSOR.pointer(to, m)).collect()
}

/// Words 8 · `half`.. of every message.
fn load(lanes: &Lanes, half: usize) -> Strand {
    let mut out = Strand::new();
    for (i, rows) in lanes.words[8 * half..][..8].chunks(LANES).enumerate() {
        for (pointer, r) in pointers().iter().zip(rows) {
            code! { out;
                "vmovdqu64 {r},[{pointer}+{}]", 64 * half + 32 * i;
                "vpshufb {r},{r},[rcx+{SWAP}]";
            }
        }
        out.extend(transpose(rows, &lanes.of_schedule));
    }
    out
}

fn load_states(lanes: &Lanes) -> Strand {
    let mut out = Strand::new();
    for (i, rows) in lanes.state.chunks(LANES).enumerate() {
        for (m, r) in rows.iter().enumerate() {
            code! { out; "vmovdqu64 {r},[rdi+{}]", 64 * m + 32 * i; }
        }
        out.extend(transpose(rows, &lanes.of_schedule));
    }
    out
}

fn store_states(lanes: &Lanes) -> Strand {
    let mut out = Strand::new();
    for (i, rows) in lanes.state.chunks(LANES).enumerate() {
        out.extend(transpose(rows, &lanes.of_schedule));
        for (m, r) in rows.iter().enumerate() {
            code! { out; "vmovdqu64 [rdi+{}],{r}", 64 * m + 32 * i; }
        }
    }
    out
}

/// Transposes 4×4 words in place; its own inverse.
fn transpose(rows: &[String], temporaries: &[String]) -> Strand {
    let [w0, w1, w2, w3] = rows else { unreachable!("four rows") };
    let [a, b, c, d] = temporaries else { unreachable!("four of them") };
    let mut out = Strand::new();
    code! { out;
        "vpunpcklqdq {a},{w0},{w1}";
        "vpunpckhqdq {b},{w0},{w1}";
        "vpunpcklqdq {c},{w2},{w3}";
        "vpunpckhqdq {d},{w2},{w3}";
        "vshufi64x2 {w0},{a},{c},0";
        "vshufi64x2 {w1},{b},{d},0";
        "vshufi64x2 {w2},{a},{c},3";
        "vshufi64x2 {w3},{b},{d},3";
    }
    out
}
