//! `avx512-x16-asm`, `zen5-x16`, `avx512vl-x8-asm`: 16 messages side by side in zmm registers, or 8 in ymm;
//! no SHA-NI.
//!
//! Registers 0–7 state, 16–31 the last 16 words, 8–15 temporaries (4 for the rounds, 4 for the schedule). The
//! schedule of word t + 16 is spread over the instructions of round t. Rounds 48..64 have no schedule: there
//! the next block's words are loaded, four words of all messages at a time.
//!
//! `avx512-x16-asm` has the fewest instructions: 1,720 for a block of all messages, which take 860 cycles on
//! two pipes of 512 bits (Redwood Cove: 866). `avx512vl-x8-asm` has as many for half of the messages, on
//! three pipes of 256 bits (568; as the compiler orders them, `avx512vl-x8`, 618). `zen5-x16` has short sums
//! (`../lanes.rs`). Zen 5, messages of 9 KiB: 34 cycles a block, `avx512-x16-asm` 39.
//!
//! Lists of turns have the form that `turns.rs` describes, and short messages that of `split_fixed.rs`.

use super::arguments::SWAP;
use crate::asm::fixed::SHUFFLE;
use crate::asm::lanes::{Input, Kernels, Lanes, Places, Sums, four, registers};
use crate::asm::sha2::SHA256;
use crate::asm::strand::{Strand, code};

/// Bytes of scratch memory.
pub(super) const SCRATCH: usize = SAVED + 512;
/// The place of the state before the block. Scratch memory begins at a page, and loads wait for stores of
/// the same 12 bits: with the state at its beginning, nodes took 1.27 times as long where the caller's states
/// were at the beginning of a page.
const SAVED: usize = 1024;

/// The kernels.
pub(super) struct Avx512 {
    lanes: Lanes,
}

impl Avx512 {
    /// 16 messages in zmm registers, or 8 in ymm.
    pub(super) fn new(n: usize, sums: Sums) -> Self {
        let prefix = if n == 16 { "zmm" } else { "ymm" };
        let lanes = Lanes {
            sha2: &SHA256,
            sums,
            n,
            state: registers(prefix, 0..8),
            words: registers(prefix, 16..32),
            of_rounds: registers(prefix, 8..12),
            of_schedule: registers(prefix, 12..16),
            k: "rax",
        };
        Self { lanes }
    }

    /// The registers of a state's words as they are in memory: a..h where pointers lead, and elsewhere F E B
    /// A H G D C, as the SHA instructions have them.
    fn order(&self, places: &Places) -> [String; 8] {
        let order = match places {
            Places::Pointers { .. } => [0, 1, 2, 3, 4, 5, 6, 7],
            Places::Apart { .. } => FEBA,
        };
        order.map(|i| self.lanes.state[i].clone())
    }

    /// Four words of every message as the schedule takes them: their rows, then their transposition.
    fn load_words(&self, places: &Places, quarter: usize) -> [Strand; 2] {
        let rows = four(&self.lanes.of_schedule, 0);
        let mut load = load_rows(places, 16 * quarter, rows);
        for row in rows {
            code! { load; "vpshufb {row},{row},[rax+{SWAP}]"; }
        }
        [load, transpose(rows, four(&self.lanes.words, quarter))]
    }
}

/// F E B A H G D C.
const FEBA: [usize; 8] = [5, 4, 1, 0, 7, 6, 3, 2];

impl Kernels for Avx512 {
    fn lanes(&self) -> &Lanes {
        &self.lanes
    }
    fn arguments(&self) -> [&'static str; 2] {
        ["r8", "r9"]
    }
    fn saved(&self) -> (&'static str, usize) {
        ("rcx", SAVED)
    }
    fn ahead(&self) -> usize {
        16
    }
    fn counter(&self) -> Option<&'static str> {
        None
    }

    fn input(&self, places: &Places) -> Input {
        input([0, 1, 2, 3].map(|quarter| self.load_words(places, quarter)))
    }
    fn input_of_half(&self, places: &Places) -> Input {
        input([0, 1, 2, 3].map(|quarter| match quarter {
            0 | 1 => self.load_words(places, quarter),
            _ => [Strand::new(), self.words_of_padding(4 * quarter..4 * quarter + 4)],
        }))
    }
    /// Written straight into the words' registers, after the four rounds that need them.
    fn input_by_rows(&self, row: &dyn Fn(&str) -> Strand) -> Input {
        let words = |quarter| four(&self.lanes.words, quarter).into_iter().flat_map(row).collect();
        input([0, 1, 2, 3].map(|quarter| [Strand::new(), words(quarter)]))
    }

    fn order_in_memory(&self) -> Vec<String> {
        FEBA.map(|i| self.lanes.state[i].clone()).into()
    }
    fn load_states(&self, places: &Places) -> Strand {
        let order = self.order(places);
        let rows = four(&self.lanes.of_schedule, 0);
        let half = |half: usize| {
            let mut out = load_rows(places, 16 * half, rows);
            out.extend(transpose(rows, four(&order, half)));
            out
        };
        [half(0), half(1)].concat()
    }

    fn store_states(&self, places: &Places) -> Strand {
        let order = self.order(places);
        let rows = four(&self.lanes.of_rounds, 0);
        let half = |half: usize| {
            let mut out = transpose(four(&order, half), rows);
            out.extend(store_rows(places, 16 * half, rows));
            out
        };
        [half(0), half(1)].concat()
    }

    /// 32 bytes a message: the shuffle makes words F E B A of rows A B E F, and H G D C of others C D G H.
    fn store_results(&self) -> Strand {
        let places = Places::Apart { first: "rdi", bytes: 32 };
        let order = self.order(&places);
        let (of_rounds, of_schedule) = (four(&self.lanes.of_rounds, 0), four(&self.lanes.of_schedule, 0));
        // Free, as the state's words are in rows.
        let [abcd, mask] = [0, 1].map(|i| &self.lanes.state[i]);
        let mut out = transpose(four(&order, 0), of_rounds);
        out.extend(transpose(four(&order, 1), of_schedule));
        code! { out; "vbroadcasti32x4 {mask},[r10+{SHUFFLE}]"; }
        for (abef, cdgh) in of_rounds.iter().zip(of_schedule) {
            code! { out;
                "vpshufb {abef},{abef},{mask}";
                "vpshufb {cdgh},{cdgh},{mask}";
                "vpunpcklqdq {abcd},{abef},{cdgh}";
                "vpunpckhqdq {cdgh},{abef},{cdgh}";
                "vmovdqa32 {abef},{abcd}";
            }
        }
        out.extend(store_rows(&places, 0, of_rounds));
        out.extend(store_rows(&places, 16, of_schedule));
        out
    }
}

/// The load of four quarters, rows and transposition of each: the registers of a quarter's words are free
/// after its rounds.
fn input([q0, q1, q2, q3]: [[Strand; 2]; 4]) -> Input {
    let ([r0, t0], [r1, t1], [r2, t2], [r3, t3]) = (q0, q1, q2, q3);
    let before = vec![r0, [t0, r1].concat(), [t1, r2].concat(), [t2, r3].concat()];
    Input { own: Strand::new(), before, after: t3 }
}

// ---- Four words of every message ----

/// The lowest 128 bits of a register.
fn low(register: &str) -> String {
    register.replace(['y', 'z'], "x")
}

/// The messages of a row.
fn parts(rows: [&str; 4]) -> usize {
    if rows[0].starts_with('z') { 4 } else { 2 }
}

/// Four registers with four words of four or two messages each, the first one with those of messages 0, 4, 8,
/// 12.
fn load_rows(places: &Places, at: usize, rows: [&str; 4]) -> Strand {
    let mut out = Strand::new();
    for (i, row) in rows.iter().enumerate() {
        for part in 0..parts(rows) {
            let (before, place) = places.of(4 * part + i, at);
            out.extend(before);
            match part {
                0 => code! { out; "vmovdqu {},{place}", low(row); },
                _ => code! { out; "vinserti32x4 {row},{row},{place},{part}"; },
            }
        }
    }
    out
}

/// Writes them.
fn store_rows(places: &Places, at: usize, rows: [&str; 4]) -> Strand {
    let mut out = Strand::new();
    for (i, row) in rows.iter().enumerate() {
        for part in 0..parts(rows) {
            let (before, place) = places.of(4 * part + i, at);
            out.extend(before);
            match part {
                0 => code! { out; "vmovdqu {place},{}", low(row); },
                _ => code! { out; "vextracti32x4 {place},{row},{part}"; },
            }
        }
    }
    out
}

/// Makes rows words, a register a word, message m at place m; or the way back. The rows' registers are
/// overwritten.
fn transpose(rows: [&str; 4], words: [&str; 4]) -> Strand {
    let ([r0, r1, r2, r3], [w0, w1, w2, w3]) = (rows, words);
    let mut out = Strand::new();
    code! { out;
        "vpunpckldq {w0},{r0},{r1}";
        "vpunpckhdq {w2},{r0},{r1}";
        "vpunpckldq {r0},{r2},{r3}";
        "vpunpckhdq {r1},{r2},{r3}";
        "vpunpckhqdq {w1},{w0},{r0}";
        "vpunpcklqdq {w0},{w0},{r0}";
        "vpunpckhqdq {w3},{w2},{r1}";
        "vpunpcklqdq {w2},{w2},{r1}";
    }
    out
}
