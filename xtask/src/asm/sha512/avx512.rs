//! `avx512-x8-asm`: 8 messages side by side in zmm registers.
//!
//! zmm0–15 the last 16 words, zmm16–23 state, zmm24–31 temporaries (4 for the rounds, 4 for the schedule).
//! Lines of messages are read whole, since quarters cost as many operations. A line is 8 words, and as many
//! registers are free during the last 8 rounds only: so the schedule of word t + 8 is spread over round t.
//! Words 0..8 of the next block are loaded alongside rounds 72..80, words 8..16 alongside rounds 0..8.
//!
//! Rounds 8..72 are a loop of 4 × 16. Written out, eight messages took as long, but a kernel that followed,
//! for the messages that were left, took 450 cycles more, as if the CPU had no room for the instructions of
//! both (Zen 5).
//!
//! Bound: 2,136 vector operations for a block of all messages, 1,068 cycles on two pipes of 512 bits.

use super::registers::SWAP;
use crate::asm::fixed::SHUFFLE;
use crate::asm::lanes::{Input, Kernels, Lanes, Places, Sums, registers};
use crate::asm::sha2::SHA512;
use crate::asm::strand::{Strand, code};

/// Messages.
const LANES: usize = 8;
/// Bytes of its own stack: the state before the block.
pub(super) const FRAME: usize = 64 * LANES;

/// The kernels.
pub(super) struct Avx512 {
    lanes: Lanes,
}

impl Avx512 {
    pub(super) fn new() -> Self {
        let lanes = Lanes {
            sha2: &SHA512,
            sums: Sums::Few,
            n: LANES,
            state: registers("zmm", 16..24),
            words: registers("zmm", 0..16),
            of_rounds: registers("zmm", 24..28),
            of_schedule: registers("zmm", 28..32),
            k: "rax",
        };
        Self { lanes }
    }

    /// Eight words of every message.
    fn load_words(&self, places: &Places, half: usize) -> Strand {
        let words = &self.lanes.words[8 * half..][..8];
        let mut out = Strand::new();
        for (m, row) in words.iter().enumerate() {
            let (before, place) = places.of(m, 64 * half);
            out.extend(before);
            code! { out; "vmovdqu64 {row},{place}"; "vpshufb {row},{row},[rax+{SWAP}]"; }
        }
        out.extend(transpose(words, &self.lanes.of_schedule));
        out
    }

    /// Rows of states; no words are left.
    fn store_rows(&self, places: &Places) -> Strand {
        let mut out = Strand::new();
        for (m, row) in self.lanes.state.iter().enumerate() {
            let (before, place) = places.of(m, 0);
            out.extend(before);
            code! { out; "vmovdqu64 {place},{row}"; }
        }
        out
    }
}

impl Kernels for Avx512 {
    fn lanes(&self) -> &Lanes {
        &self.lanes
    }
    fn arguments(&self) -> [&'static str; 2] {
        ["rcx", "r8"]
    }
    fn saved(&self) -> (&'static str, usize) {
        ("rsp", 0)
    }
    fn ahead(&self) -> usize {
        8
    }
    fn counter(&self) -> Option<&'static str> {
        Some("ecx")
    }

    fn input(&self, places: &Places) -> Input {
        let [before, own] = [0, 1].map(|half| self.load_words(places, half));
        Input { own, before: vec![before], after: Strand::new() }
    }
    fn input_of_half(&self, places: &Places) -> Input {
        Input { own: self.words_of_padding(8..16), ..self.input(places) }
    }
    fn input_by_rows(&self, row: &dyn Fn(&str) -> Strand) -> Input {
        let half =
            |half: usize| self.lanes.words[8 * half..][..8].iter().flat_map(|word| row(word)).collect();
        Input { own: half(1), before: vec![half(0)], after: Strand::new() }
    }

    fn order_in_memory(&self) -> Vec<String> {
        self.lanes.state.clone()
    }
    fn load_states(&self, places: &Places) -> Strand {
        let mut out = Strand::new();
        for (m, row) in self.lanes.state.iter().enumerate() {
            let (before, place) = places.of(m, 0);
            out.extend(before);
            code! { out; "vmovdqu64 {row},{place}"; }
        }
        out.extend(transpose(&self.lanes.state, &self.lanes.of_schedule));
        out
    }

    fn store_states(&self, places: &Places) -> Strand {
        let mut out = transpose(&self.lanes.state, &self.lanes.of_schedule);
        out.extend(self.store_rows(places));
        out
    }

    fn store_results(&self) -> Strand {
        let mask = &self.lanes.of_rounds[0];
        let mut out = transpose(&self.lanes.state, &self.lanes.of_schedule);
        code! { out; "vbroadcasti32x4 {mask},[r10+{SHUFFLE}]"; }
        for row in &self.lanes.state {
            code! { out; "vpshufb {row},{row},{mask}"; }
        }
        out.extend(self.store_rows(&Places::Apart { first: "rdi", bytes: 64 }));
        out
    }
}

/// Transposes 8×8 words in place; its own inverse.
pub(super) fn transpose(w: &[String], temporaries: &[String]) -> Strand {
    let [a, b, c, d] = temporaries else { unreachable!("four of them") };
    let mut out = Strand::new();
    for (rows, free) in w.chunks(2).zip(temporaries) {
        let [even, odd] = rows else { unreachable!("two rows") };
        code! { out;
            "vpunpcklqdq {free},{even},{odd}";
            "vpunpckhqdq {odd},{even},{odd}";
            "vmovdqa64 {even},{free}";
        }
    }
    for k in 0..2 {
        code! { out;
            "vshufi64x2 {a},{},{},0x88", w[k], w[2 + k];
            "vshufi64x2 {b},{},{},0xdd", w[k], w[2 + k];
            "vshufi64x2 {c},{},{},0x88", w[4 + k], w[6 + k];
            "vshufi64x2 {d},{},{},0xdd", w[4 + k], w[6 + k];
            "vshufi64x2 {},{a},{c},0x88", w[k];
            "vshufi64x2 {},{a},{c},0xdd", w[4 + k];
            "vshufi64x2 {},{b},{d},0x88", w[2 + k];
            "vshufi64x2 {},{b},{d},0xdd", w[6 + k];
        }
    }
    out
}
