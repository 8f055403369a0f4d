//! AVX-512, 16 messages side by side in zmm registers or 8 in ymm: everything stays in 32 registers.
//!
//! Registers 16–31 hold the last 16 words, 0–4 the state, 5–15 temporaries (and K where they have room).
//! Words are scheduled 12 rounds ahead. At the last block, the last block is loaded once more instead of a
//! next one, and not used.
//!
//! With 8 messages, the next block is loaded alongside rounds 68..80, except words 12..16, whose registers
//! are in use to the end: they are loaded alongside rounds 0..4 of their own block.
//!
//! With 16 messages, a line is read in halves, which takes 64 operations instead of 80 for quarters, and
//! where all lines share a set of the first-level cache, in fewer pieces. Words 0..8 are loaded alongside
//! rounds 72..80. Words 8..16 of messages 0..8 wait in registers that K leaves free, loaded alongside rounds
//! 48..72, and those of messages 8..16 join them alongside rounds 0..4.
//!
//! | | cycles per block | binds |
//! |---|---|---|
//! | 16 messages, Redwood Cove | 422, in quarters alongside rounds 68..80 450 | vector operations on two 512-bit ports: 418 |
//! | 16 messages, in quarters, Zen 4 | 469 | vector operations on two 512-bit pipes: 429 |
//! | 8 messages, Zen 4 | 268 | latency of a rotation and an addition |
//!
//! 16 messages took 533 with the next block loaded between blocks (Zen 4); halves with all of words 8..16
//! alongside rounds 0..4 take 438 (Redwood Cove), and lines asked for ahead, one block to sixteen, gain
//! nothing there, from the second cache or from memory. SHA-NI alongside them is a loss (520, Zen 4): both
//! draw on the same ports.

use super::constants::{K, MESSAGES, NEXT_MESSAGES, NEXT_WORDS, SWAP, WORDS};
use crate::asm::merge::{inside, spread};
use crate::asm::strand::{Strand, code};

/// The differences between the kernels.
pub(super) struct Form {
    /// `ymm` or `zmm`.
    prefix: &'static str,
    pub(super) lanes: usize,
    k: Constants,
    round: [Step; 8],
    /// By how many rounds a word's schedule is later than its round.
    delay: f64,
}

/// The place of K.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Constants {
    Registers,
    Memory,
}

/// A round's instructions.
#[derive(Clone, Copy)]
enum Step {
    RotateA,
    CopyB,
    F,
    RotateB,
    AddW,
    AddK,
    AddF,
    AddA,
}
use Step::*;

// The order and the delay were found on Zen 4 among random ones (485 cycles per block in the order of X8).
pub(super) const X16: Form = Form {
    prefix: "zmm",
    lanes: 16,
    k: Constants::Memory,
    round: [RotateA, AddK, CopyB, F, AddW, RotateB, AddF, AddA],
    delay: -0.074_848_390_415_020_34,
};

pub(super) const X8: Form = Form {
    prefix: "ymm",
    lanes: 8,
    k: Constants::Registers,
    round: [RotateA, CopyB, AddW, F, AddK, RotateB, AddF, AddA],
    delay: 0.0,
};

/// Ch, parity, maj, parity as tables of vpternlogd.
const FUNCTIONS: [&str; 4] = ["0xca", "0x96", "0xe8", "0x96"];
/// The registers of temporaries: two a round, used in turn; the transposition's; the schedule's; K's.
const TEMPORARIES: [[usize; 2]; 2] = [[5, 6], [9, 10]];
const EXCHANGE: usize = 7;
const SCHEDULE: usize = 8;
const FIRST_K: usize = 11;
/// Where K is in memory, half of the next block's words 8..16 wait in its registers.
const WAITING: usize = FIRST_K;

impl Form {
    /// Register `n`.
    fn register(&self, n: usize) -> String {
        format!("{}{n}", self.prefix)
    }
    /// W\[t\].
    fn word(&self, t: usize) -> String {
        self.register(16 + t % 16)
    }
    /// a..e before round `t`: they do not move, their names do.
    fn state(&self, t: usize) -> [String; 5] {
        std::array::from_fn(|i| self.register((i + 80 - t) % 5))
    }
    /// Bytes of a word of all messages.
    fn row(&self) -> usize {
        4 * self.lanes
    }
    /// Bytes of scratch memory: the state before the block.
    pub(super) fn scratch(&self) -> usize {
        5 * self.row()
    }
    /// A word of the constants, in every lane.
    fn in_all(&self, at: usize) -> String {
        format!("dword ptr [rax+{at}]{{1to{}}}", self.lanes)
    }
}

/// Messages by pointers. rax = constants, rsi = the row of pointers, r9 = offset from each; r10 = bytes to
/// the next row, r11 = to the next block at a pointer.
pub(super) fn kernel(form: &Form) -> Strand {
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r10,[rsi+8]";
        "mov r11,[rsi+16]";
        "mov rsi,[rsi]";
        "xor r9d,r9d";
    }
    out.extend(load_states(form));
    if form.k == Constants::Registers {
        for i in 0..4 {
            code! { out; "vpbroadcastd {},[rax+{}]", form.register(FIRST_K + i), K + 4 * i; }
        }
    }
    out.extend(load_before(form));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(block(form));
    code! { out; "dec rdx"; "jnz 2b"; }
    out.extend(store_states(form));
    out
}

/// A block of every message: state and words 0..12 are in their registers before and after.
fn block(form: &Form) -> Strand {
    let mut out = Strand::new();
    for (i, s) in form.state(0).iter().enumerate() {
        code! { out; "vmovdqa64 [rcx+{}],{s}", form.row() * i; }
    }
    let beside = match form.lanes {
        16 => [
            (0..4, load_second(form, 1)),
            (4..40, Strand::new()),
            (40..48, advance()),
            (48..72, load_first(form, 1)),
            (72..76, load_first(form, 0)),
            (76..80, load_second(form, 0)),
        ],
        _ => [
            (0..4, load(form, 3)),
            (4..60, Strand::new()),
            (60..68, advance()),
            (68..72, load(form, 0)),
            (72..76, load(form, 1)),
            (76..80, load(form, 2)),
        ],
    };
    for (rounds, other) in beside {
        let rounds: Strand = rounds.flat_map(|t| round_and_word(form, t)).collect();
        out.extend(spread(&[&rounds, &other]));
    }
    for (i, s) in form.state(0).iter().enumerate() {
        code! { out; "vpaddd {s},{s},[rcx+{}]", form.row() * i; }
    }
    out
}

/// Round t, and word t + 12 where there is one to schedule.
fn round_and_word(form: &Form, t: usize) -> Strand {
    let round = round(form, t);
    match t + 12 {
        word @ 16..80 => inside(&round, &schedule(form, word), (form.delay, 1.0 + form.delay)),
        _ => round,
    }
}

/// FIPS 180-4 section 6.1.2, step 3.
fn round(form: &Form, t: usize) -> Strand {
    let [a, b, c, d, e] = form.state(t);
    let [x, y] = TEMPORARIES[t % 2].map(|n| form.register(n));
    let (word, f) = (form.word(t), FUNCTIONS[t / 20]);
    let k = match form.k {
        Constants::Registers => form.register(FIRST_K + t / 20),
        Constants::Memory => form.in_all(K + 4 * (t / 20)),
    };
    let instruction = |step: &Step| {
        let text = match step {
            RotateA => format!("vprold {x},{a},5"),
            CopyB => format!("vmovdqa64 {y},{b}"),
            F => format!("vpternlogd {y},{c},{d},{f}"),
            RotateB => format!("vprold {b},{b},30"),
            AddW => format!("vpaddd {e},{e},{word}"),
            AddK => format!("vpaddd {e},{e},{k}"),
            AddF => format!("vpaddd {e},{e},{y}"),
            AddA => format!("vpaddd {e},{e},{x}"),
        };
        text.into()
    };
    form.round.iter().map(instruction).collect()
}

/// Step 1: W\[t\] in the place of W\[t-16\].
fn schedule(form: &Form, t: usize) -> Strand {
    let [w16, w14, w8, w3] = [16, 14, 8, 3].map(|back| form.word(t - back));
    let x = form.register(SCHEDULE);
    let mut out = Strand::new();
    code! { out;
        "vmovdqa64 {x},{w3}";
        "vpternlogd {x},{w8},{w14},0x96";
        "vpxord {w16},{w16},{x}";
        "vprold {w16},{w16},1";
    }
    out
}

/// To the next block; at the last one nowhere.
fn advance() -> Strand {
    let mut out = Strand::new();
    code! { out;
        "xor r8d,r8d";
        "cmp rdx,1";
        "cmove r10,r8";
        "cmove r11,r8";
        "add rsi,r10";
        "add r9,r11";
    }
    out
}

/// Words 4q..4q + 4: register r of the four collects 16 bytes of messages r, r + 4, .., so that a
/// transposition of 4×4 words within 128-bit lanes is all that is left to do.
fn load(form: &Form, q: usize) -> Strand {
    let numbers: [usize; 4] = std::array::from_fn(|i| 16 + 4 * q + i);
    let mut out = Strand::new();
    for (i, n) in numbers.into_iter().enumerate() {
        for part in 0..form.lanes / 4 {
            code! { out; "mov r8,[rsi+{}]", 8 * (i + 4 * part); }
            let at = format!("[r8+r9+{}]", 16 * q);
            match part {
                0 => code! { out; "vmovdqu64 xmm{n},{at}"; },
                1 => code! { out; "vinserti32x4 ymm{n},ymm{n},{at},1"; },
                _ => code! { out; "vinserti32x4 zmm{n},zmm{n},{at},{part}"; },
            }
        }
        let r = form.register(n);
        code! { out; "vpshufb {r},{r},[rax+{SWAP}]"; }
    }
    out.extend(transpose(form, numbers));
    out
}

/// The loads before the first block.
fn load_before(form: &Form) -> Strand {
    let parts = match form.lanes {
        16 => [load_first(form, 1), load_first(form, 0), load_second(form, 0)],
        _ => [load(form, 0), load(form, 1), load(form, 2)],
    };
    parts.into_iter().flatten().collect()
}

/// The registers of half h of 16 messages' lines while it is loaded: of messages 0..8, then of 8..16.
fn halves(h: usize) -> [[usize; 4]; 2] {
    let four = |first| std::array::from_fn(|i| first + i);
    let waiting = if h == 1 { WAITING } else { 16 };
    [four(waiting), four(20 + 8 * h)]
}

/// Words 8h..8h + 8 of messages 0..8.
fn load_first(form: &Form, h: usize) -> Strand {
    load_group(form, halves(h)[0], 0, 32 * h)
}

/// Words 8h..8h + 8 of messages 8..16; then all 16 messages' words in their registers.
fn load_second(form: &Form, h: usize) -> Strand {
    let [first, second] = halves(h);
    let mut out = load_group(form, second, 8, 32 * h);
    let x = form.register(EXCHANGE);
    for i in 0..4 {
        let [low, a, b] = [16 + 8 * h + i, first[i], second[i]].map(|n| form.register(n));
        if low == a {
            code! { out;
                "vshufi32x4 {x},{a},{b},0x88";
                "vshufi32x4 {b},{a},{b},0xdd";
                "vmovdqa64 {a},{x}";
            }
        } else {
            code! { out; "vshufi32x4 {low},{a},{b},0x88"; "vshufi32x4 {b},{a},{b},0xdd"; }
        }
    }
    out
}

/// 32 bytes `at` of 8 messages from number `message` on: register i of the four has words i and 4 + i of
/// messages 0..4, then the same of messages 4..8, 16 bytes each.
fn load_group(form: &Form, numbers: [usize; 4], message: usize, at: usize) -> Strand {
    let mut out = Strand::new();
    for (i, n) in numbers.into_iter().enumerate() {
        code! { out;
            "mov r8,[rsi+{}]", 8 * (message + i);
            "vmovdqu64 ymm{n},[r8+r9+{at}]";
            "mov r8,[rsi+{}]", 8 * (message + i + 4);
            "vinserti64x4 zmm{n},zmm{n},[r8+r9+{at}],1";
            "vpshufb zmm{n},zmm{n},[rax+{SWAP}]";
        }
    }
    out.extend(transpose(form, numbers));
    out
}

/// 4×4 words within each 128-bit lane.
fn transpose(form: &Form, numbers: [usize; 4]) -> Strand {
    let mut out = Strand::new();
    let ([a, b, c, d], x) = (numbers.map(|n| form.register(n)), form.register(EXCHANGE));
    code! { out;
        "vpunpckldq {x},{a},{b}";
        "vpunpckhdq {b},{a},{b}";
        "vpunpckldq {a},{c},{d}";
        "vpunpckhdq {d},{c},{d}";
        "vpunpckhqdq {c},{b},{d}";
        "vpunpcklqdq {d},{b},{d}";
        "vpunpckhqdq {b},{x},{a}";
        "vpunpcklqdq {a},{x},{a}";
        "vmovdqa64 {x},{c}";
        "vmovdqa64 {c},{d}";
        "vmovdqa64 {d},{x}";
    }
    out
}

// ---- States: words A..E a message in memory, registers 0–4 = a..e of all ----
//
// The states of n messages are 5 n words, five registers of n. Word i of message m is word 5 m + i of them:
// in register j = (5 m + i) / n at p = (5 m + i) mod n. As p = i - n j mod 5, and n is no multiple of 5, the
// places of word i in the five registers are different ones: four blends collect it, and a permutation sorts
// the messages. 5 is odd, so it has an inverse mod n (13), and the way back is the same.

/// The source or destination of five registers that are gathered or scattered.
const SPARE: usize = 16;
/// Places p with p mod 5 = c are in k1 + c.
const FIRST_MASK: usize = 1;
/// The permutation.
const PLACES: usize = 5;

fn load_states(form: &Form) -> Strand {
    let mut out = masks();
    for j in 0..5 {
        code! { out; "vmovdqu64 {},[rdi+{}]", form.register(SPARE + j), form.row() * j; }
    }
    for (i, word) in form.state(0).iter().enumerate() {
        out.extend(blend(form, word, |j| i + 5 * form.lanes - form.lanes * j));
    }
    for (i, word) in form.state(0).iter().enumerate() {
        out.extend(places(form, i, WORDS, NEXT_WORDS));
        code! { out; "vpermd {word},{},{word}", form.register(PLACES); }
    }
    out
}

fn store_states(form: &Form) -> Strand {
    let mut out = masks();
    for (i, word) in form.state(0).iter().enumerate() {
        out.extend(places(form, i, MESSAGES, NEXT_MESSAGES));
        code! { out; "vpermd {},{},{word}", form.register(SPARE + i), form.register(PLACES); }
    }
    for j in 0..5 {
        let states = form.register(j);
        out.extend(blend(form, &states, |i| i + 5 * form.lanes - form.lanes * j));
        code! { out; "vmovdqu64 [rdi+{}],{states}", form.row() * j; }
    }
    out
}

fn masks() -> Strand {
    let mut out = Strand::new();
    for c in 0..5 {
        let places: u32 = (0..16).filter(|p| p % 5 == c).map(|p| 1 << p).sum();
        code! { out; "mov r8d,{places:#06x}"; "kmovw k{},r8d", FIRST_MASK + c; }
    }
    out
}

/// `to` takes from spare register r the places p with p mod 5 = `class`(r) mod 5.
fn blend(form: &Form, to: &str, class: impl Fn(usize) -> usize) -> Strand {
    let mut out = Strand::new();
    let mut from = form.register(SPARE);
    for r in 1..5 {
        let mask = FIRST_MASK + class(r) % 5;
        code! { out; "vpblendmd {to}{{k{mask}}},{from},{}", form.register(SPARE + r); }
        from = to.to_owned();
    }
    out
}

/// The permutation for word i: the table's for word 0, then each from the one before.
fn places(form: &Form, i: usize, table: usize, next: usize) -> Strand {
    let places = form.register(PLACES);
    let mut out = Strand::new();
    match i {
        0 => code! { out; "vmovdqa64 {places},[rax+{table}]"; },
        _ => code! { out; "vpaddd {places},{places},{}", form.in_all(next); },
    }
    out
}
