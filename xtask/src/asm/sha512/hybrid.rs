//! `hybrid-x9`, `zen5-x9`: 8 messages in zmm registers and a ninth in general ones, at the same round: the
//! vector pipes are full, the integer ALUs would be idle.
//!
//! zmm0–15 words, 16–23 state, 24–31 temporaries as in `avx512.rs`; the order within a round was searched.
//! Rounds 8..72 are a loop of 4 × 16. Zen 4: 1.01 cycles per byte of all messages (the vector pipes allow
//! 0.93).
//!
//! `zen5-x9` is for CPUs whose vector instructions take two cycles, of which four begin in each: its rounds
//! wait less for each other, by two additions more (`../lanes.rs` explains it). Zen 5: 0.65 cycles
//! per byte instead of 0.69.
//!
//! Frame: 0 chaining values of the 8, 512 of the ninth, 768 words of the ninth, 1024 the address of each
//! message's block, then the values that do not fit in registers.

use super::avx512::transpose;
use super::registers::{Names, SWAP, registers, variables};
use crate::asm::allocate::{Pool, allocate};
use crate::asm::lanes::Sums;
use crate::asm::merge::{spread, spread_late};
use crate::asm::strand::{Strand, code, fresh_many};

/// Bytes of its own stack.
pub(super) const FRAME: usize = 1280;
const NINTH: usize = 512;
const WORDS: usize = 768;
const POINTERS: usize = 1024;

/// Values that do not fit in registers: 0 states, 1 blocks left, 2 turns left of the loop, 3 row of pointers,
/// 4 offset, 5 and 6 their steps.
fn slot(i: usize) -> String {
    format!("[rsp+{}]", 1152 + 8 * i)
}

const SCALAR: [&str; 8] = ["rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11"];

fn words() -> Names {
    registers("zmm", 0..16)
}
fn state() -> Names {
    registers("zmm", 16..24)
}
/// Temporaries of a round, and of the schedule.
const OF_ROUND: Pool = Pool { prefix: "zmm", numbers: 24..28 };
const OF_SCHEDULE: Pool = Pool { prefix: "zmm", numbers: 28..32 };

/// The delay of the schedule within a round.
const LATE: f64 = -0.1850513933560708;

/// Instructions that stay together: r12 and r15 belong to more than one strand.
type Together = Vec<Strand>;

fn each(strand: Strand) -> Together {
    strand.into_iter().map(|instruction| vec![instruction]).collect()
}

/// rdi = K, then the words' masks.
pub(super) fn kernel(sums: Sums) -> Result<Strand, String> {
    let mut out = enter();
    out.extend(load(0).concat());
    out.extend(scalar_load(0).concat());
    code! { out; ".p2align 6"; "2:"; }
    for (i, s) in state().iter().enumerate() {
        code! { out; "vmovdqa64 [rsp+{}],{s}", 64 * i; }
    }
    for (i, s) in SCALAR.iter().enumerate() {
        code! { out; "mov [rsp+{}],{s}", NINTH + 8 * i; }
    }
    code! { out; "mov rsi,rbx"; "xor rsi,rcx"; }
    let second_half = scalar_load(1);
    let scalar = (0..8).flat_map(|t| [vec![second_half[t].clone()], each(scalar_round(t))].concat());
    out.extend(with_loads(sums, 0, &load(1), &scalar.collect::<Together>())?);
    code! { out; "mov qword ptr {},4", slot(2); ".p2align 6"; "3:"; }
    for t in 8..24 {
        let vector = spread_late(&[(&round(sums, t)?, 0.0), (&next_word(t - 8)?, LATE)]);
        out.extend(spread(&[&vector, &[scalar_round(t), scalar_word(t - 8)].concat()]));
    }
    code! { out; "add rdi,128"; "dec qword ptr {}", slot(2); "jnz 3b"; "sub rdi,512"; }
    out.extend(step());
    let first_half = scalar_load(0);
    let scalar = (0..8).flat_map(|t| [each(scalar_round(72 + t)), vec![first_half[t].clone()]].concat());
    out.extend(with_loads(sums, 72, &load(0), &scalar.collect::<Together>())?);
    for (i, s) in state().iter().enumerate() {
        code! { out; "vpaddq {s},{s},[rsp+{}]", 64 * i; }
    }
    for (i, s) in SCALAR.iter().enumerate() {
        code! { out; "add {s},[rsp+{}]", NINTH + 8 * i; }
    }
    code! { out; "dec qword ptr {}", slot(1); "jnz 2b"; "mov rdi,{}", slot(0); }
    out.extend(store_states());
    Ok(out)
}

/// Eight rounds alongside loads of words, and alongside the ninth message's part of both.
fn with_loads(sums: Sums, first: usize, load: &Together, scalar: &Together) -> Result<Strand, String> {
    let mut rounds = Together::new();
    for t in first..first + 8 {
        rounds.extend(each(round(sums, t)?));
    }
    Ok(spread(&[&spread(&[&rounds, load]), scalar]).concat())
}

/// A round of the 8. The order of few sums was found by search.
fn round(sums: Sums, t: usize) -> Result<Strand, String> {
    let (state, words) = (state(), words());
    let [a, b, c, d, e, f, g, h] = variables(&state, t);
    let [e1, e2, e3, ch, a1, a2, a3, maj] = fresh_many();
    let (word, k) = (&words[t % 16], format!("qword ptr [rdi+{}]{{1to8}}", 8 * t));
    let mut out = Strand::new();
    match sums {
        Sums::Few => code! { out;
            "vpaddq {h},{h},{word}";
            "vprorq {e3},{e},41";
            "vmovdqa64 {ch},{e}";
            "vpaddq {h},{h},{k}";
            "vpternlogq {ch},{f},{g},0xca";
            "vprorq {e2},{e},18";
            "vpaddq {h},{h},{ch}";
            "vprorq {e1},{e},14";
            "vpternlogq {e1},{e2},{e3},0x96";
            "vpaddq {h},{h},{e1}";
            "vprorq {a1},{a},28";
            "vprorq {a2},{a},34";
            "vprorq {a3},{a},39";
            "vmovdqa64 {maj},{a}";
            "vpternlogq {a1},{a2},{a3},0x96";
            "vpternlogq {maj},{b},{c},0xe8";
            "vpaddq {d},{d},{h}";
            "vpaddq {h},{h},{maj}";
            "vpaddq {h},{h},{a1}";
        },
        Sums::Short => code! { out;
            "vpaddq {h},{h},{word}";
            "vprorq {e1},{e},14";
            "vprorq {e2},{e},18";
            "vpaddq {h},{h},{k}";
            "vprorq {e3},{e},41";
            "vmovdqa64 {ch},{e}";
            "vpternlogq {ch},{f},{g},0xca";
            "vpaddq {d},{d},{h}";
            "vpternlogq {e1},{e2},{e3},0x96";
            "vpaddq {d},{d},{ch}";
            "vpaddq {h},{h},{ch}";
            "vpaddq {d},{d},{e1}";
            "vpaddq {h},{h},{e1}";
            "vprorq {a1},{a},28";
            "vprorq {a2},{a},34";
            "vprorq {a3},{a},39";
            "vmovdqa64 {maj},{a}";
            "vpternlogq {maj},{b},{c},0xe8";
            "vpternlogq {a1},{a2},{a3},0x96";
            "vpaddq {h},{h},{maj}";
            "vpaddq {h},{h},{a1}";
        },
    }
    allocate(&out, &OF_ROUND)
}

/// W\[i+16\] of the 8 in the place of W\[i\], in an order found by search.
fn next_word(i: usize) -> Result<Strand, String> {
    let words = words();
    let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|k| &words[(i + k) % 16]);
    let [p1, p2, p3, q1, q2, q3] = fresh_many();
    let mut out = Strand::new();
    code! { out;
        "vprorq {p1},{w1},1";
        "vprorq {q1},{w14},19";
        "vprorq {p2},{w1},8";
        "vpsrlq {p3},{w1},7";
        "vpaddq {w0},{w0},{w9}";
        "vpternlogq {p1},{p2},{p3},0x96";
        "vpaddq {w0},{w0},{p1}";
        "vprorq {q2},{w14},61";
        "vpsrlq {q3},{w14},6";
        "vpternlogq {q1},{q2},{q3},0x96";
        "vpaddq {w0},{w0},{q1}";
    }
    allocate(&out, &OF_SCHEDULE)
}

/// A round of the ninth message. rbp and rsi hold a ^ b and b ^ c in turns.
fn scalar_round(t: usize) -> Strand {
    let [a, b, _, d, e, f, g, h] = variables(&SCALAR, t);
    let [ab, bc] = if t.is_multiple_of(2) { ["rbp", "rsi"] } else { ["rsi", "rbp"] };
    let mut out = Strand::new();
    code! { out;
        "add {h},[rsp+{}]", WORDS + 8 * (t % 16);
        "rorx r12,{e},14";
        "rorx r13,{e},18";
        "andn r14,{e},{g}";
        "add {h},[rdi+{}]", 8 * t;
        "xor r12,r13";
        "rorx r13,{e},41";
        "add {h},r14";
        "mov r14,{f}";
        "and r14,{e}";
        "xor r12,r13";
        "add {h},r14";
        "rorx r13,{a},28";
        "rorx r14,{a},34";
        "add {h},r12";
        "mov {ab},{a}";
        "xor {ab},{b}";
        "xor r13,r14";
        "rorx r14,{a},39";
        "add {d},{h}";
        "and {bc},{ab}";
        "xor r13,r14";
        "xor {bc},{b}";
        "add {h},r13";
        "add {h},{bc}";
    }
    out
}

/// W\[i+16\] of the ninth message in the place of W\[i\].
fn scalar_word(i: usize) -> Strand {
    let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|k| format!("[rsp+{}]", WORDS + 8 * ((i + k) % 16)));
    let mut out = Strand::new();
    code! { out;
        "rorx r12,{w1},1";
        "rorx r13,{w1},8";
        "mov r14,{w1}";
        "shr r14,7";
        "xor r12,r13";
        "xor r12,r14";
        "rorx r13,{w14},19";
        "rorx r14,{w14},61";
        "mov r15,{w14}";
        "shr r15,6";
        "xor r13,r14";
        "xor r13,r15";
        "add r12,{w0}";
        "add r12,{w9}";
        "add r12,r13";
        "mov {w0},r12";
    }
    out
}

/// Words 8 · `half`.. of the 8.
fn load(half: usize) -> Together {
    let (words, temporaries) = (words(), registers("zmm", 28..32));
    let words = &words[8 * half..][..8];
    let mut out = Together::new();
    for (m, r) in words.iter().enumerate() {
        let mut one = Strand::new();
        code! { one;
            "mov r15,[rsp+{}]", POINTERS + 8 * m;
            "vmovdqu64 {r},[r15+{}]", 64 * half;
            "vpshufb {r},{r},[rdi+{SWAP}]";
        }
        out.push(one);
    }
    out.extend(each(transpose(words, &temporaries)));
    out
}

/// The same of the ninth message.
fn scalar_load(half: usize) -> Together {
    let word = |i: usize| {
        let mut one = Strand::new();
        code! { one;
            "mov r12,[rsp+{}]", POINTERS + 8 * 8;
            "movbe r12,[r12+{}]", 8 * i;
            "mov [rsp+{}],r12", WORDS + 8 * i;
        }
        one
    };
    (8 * half..8 * half + 8).map(word).collect()
}

fn enter() -> Strand {
    let (state, mut out) = (state(), Strand::new());
    code! { out;
        "mov {},rdi", slot(0);
        "mov {},rdx", slot(1);
        "mov rax,[rsi+8]";
        "mov {},rax", slot(5);
        "mov rax,[rsi+16]";
        "mov {},rax", slot(6);
        "mov r12,[rsi]";
        "mov {},r12", slot(3);
        "xor r13,r13";
        "mov {},r13", slot(4);
        "mov rsi,rcx";
    }
    out.extend(pointers());
    for (m, r) in state.iter().enumerate() {
        code! { out; "vmovdqu64 {r},[rdi+{}]", 64 * m; }
    }
    out.extend(transpose(&state, &registers("zmm", 28..32)));
    for (i, r) in SCALAR.iter().enumerate() {
        code! { out; "mov {r},[rdi+{}]", 64 * 8 + 8 * i; }
    }
    code! { out; "mov rdi,rsi"; }
    out
}

/// To the next block of every message, or, at the last one, nowhere. rsi is live: b ^ c.
fn step() -> Strand {
    let mut out = Strand::new();
    code! { out;
        "xor r12,r12";
        "xor r13,r13";
        "cmp qword ptr {},1", slot(1);
        "cmovne r12,{}", slot(5);
        "cmovne r13,{}", slot(6);
        "add r12,{}", slot(3);
        "mov {},r12", slot(3);
        "add r13,{}", slot(4);
        "mov {},r13", slot(4);
    }
    out.extend(pointers());
    out
}

/// Loads the addresses of the messages' blocks from row r12 and offset r13.
fn pointers() -> Strand {
    let mut out = Strand::new();
    for m in 0..9 {
        code! { out; "mov r14,[r12+{}]", 8 * m; "add r14,r13"; "mov [rsp+{}],r14", POINTERS + 8 * m; }
    }
    out
}

fn store_states() -> Strand {
    let state = state();
    let mut out = transpose(&state, &registers("zmm", 28..32));
    for (m, r) in state.iter().enumerate() {
        code! { out; "vmovdqu64 [rdi+{}],{r}", 64 * m; }
    }
    for (i, r) in SCALAR.iter().enumerate() {
        code! { out; "mov [rdi+{}],{r}", 64 * 8 + 8 * i; }
    }
    out
}
