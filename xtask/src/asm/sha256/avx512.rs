//! AVX-512, 16 messages side by side in zmm registers, no SHA-NI: everything stays in 32 registers.
//!
//! zmm0–7 state, zmm16–31 the last 16 words, zmm8–15 temporaries (4 for the rounds, 4 for the schedule). The
//! schedule of word t + 16 is spread over the instructions of round t. Port-bound: 213 vector operations a
//! block on two 512-bit pipes (Zen 4: 59.3 cycles per block).

use std::ops::Range;

use super::arguments::{SWAP, k_in_all};
use crate::asm::allocate::{Pool, allocate};
use crate::asm::merge::spread;
use crate::asm::strand::{Register, Strand, code, fresh_many};

/// Bytes of scratch memory: the state before the block.
pub(super) const SCRATCH: usize = 512;

/// Registers by name.
type Names = Vec<String>;

fn zmm(numbers: Range<usize>) -> Names {
    numbers.map(|n| format!("zmm{n}")).collect()
}

/// 16 messages by pointers. r9 = offset from each, r10 = bytes to the next row of pointers, r11 = to the next
/// block at a pointer.
pub(super) fn kernel() -> Result<Strand, String> {
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r10,[rsi+8]";
        "mov r11,[rsi+16]";
        "mov rsi,[rsi]";
        "xor r9d,r9d";
    }
    out.extend(load_states()?);
    code! { out; ".p2align 6"; "2:"; }
    out.extend(block());
    code! { out; "add rsi,r10"; "add r9,r11"; "dec rdx"; "jnz 2b"; }
    out.extend(store_states()?);
    Ok(out)
}

/// The message in each lane: the order of states that are transposed two in a register.
const MESSAGES: [usize; 16] = [0, 2, 4, 6, 1, 3, 5, 7, 8, 10, 12, 14, 9, 11, 13, 15];

/// A block of every message: the state is in zmm0–7 before and after.
fn block() -> Strand {
    let (mut state, high, low) = (zmm(0..8), zmm(16..32), zmm(8..16));
    let swap = &low[7];
    let mut out = Strand::new();
    for (i, s) in state.iter().enumerate() {
        code! { out; "vmovdqa32 [rcx+{}],{s}", 64 * i; }
    }
    code! { out; "vmovdqa32 {swap},[rax+{SWAP}]"; }
    for (message, r) in MESSAGES.iter().zip(&high) {
        code! { out; "mov r8,[rsi+{}]", 8 * message; "vmovdqu32 {r},[r8+r9]"; "vpshufb {r},{r},{swap}"; }
    }
    let (code, w) = transpose(&high, &low[0]);
    out.extend(code);
    let mut temporaries: Names = high.iter().chain(&low).filter(|r| !w.contains(r)).cloned().collect();
    temporaries.sort();
    for t in 0..64 {
        let round = one_round(t, &state, &w[t % 16], &temporaries[..4]);
        if t < 48 {
            // The round reads w[t] first, so that its register is free for word t + 16.
            out.push(round[0].clone());
            out.extend(spread(&[&round[1..], &next_word(t + 16, &w, &temporaries[4..])]));
        } else {
            out.extend(round);
        }
        state.rotate_right(1);
    }
    for (i, s) in state.iter().enumerate() {
        code! { out; "vpaddd {s},{s},[rcx+{}]", 64 * i; }
    }
    out
}

fn one_round(t: usize, state: &[String], word: &str, temporaries: &[String]) -> Strand {
    let [a, b, c, d, e, f, g, h] = state else { unreachable!("eight words") };
    let [x, y, z, u] = temporaries else { unreachable!("four of them") };
    let mut out = Strand::new();
    code! { out;
        "vpaddd {h},{h},{word}";
        "vprord {x},{e},6";
        "vprord {y},{e},11";
        "vprord {z},{e},25";
        "vpaddd {h},{h},{}", k_in_all(16, t);
        "vmovdqa32 {u},{e}";
        "vpternlogd {u},{f},{g},0xca";
        "vpternlogd {x},{y},{z},0x96";
        "vpaddd {h},{h},{u}";
        "vpaddd {h},{h},{x}";
        "vprord {x},{a},2";
        "vprord {y},{a},13";
        "vprord {z},{a},22";
        "vpaddd {d},{d},{h}";
        "vmovdqa32 {u},{a}";
        "vpternlogd {u},{b},{c},0xe8";
        "vpternlogd {x},{y},{z},0x96";
        "vpaddd {h},{h},{u}";
        "vpaddd {h},{h},{x}";
    }
    out
}

/// W\[t\] in the place of W\[t-16\].
fn next_word(t: usize, w: &[String], temporaries: &[String]) -> Strand {
    let [x, y, z, u] = temporaries else { unreachable!("four of them") };
    let [w16, w15, w7, w2] = [16, 15, 7, 2].map(|back| &w[(t - back) % 16]);
    let mut out = Strand::new();
    code! { out;
        "vprord {x},{w15},7";
        "vprord {y},{w15},18";
        "vpsrld {z},{w15},3";
        "vpaddd {w16},{w16},{w7}";
        "vpternlogd {x},{y},{z},0x96";
        "vprord {y},{w2},17";
        "vprord {z},{w2},19";
        "vpsrld {u},{w2},10";
        "vpaddd {w16},{w16},{x}";
        "vpternlogd {y},{z},{u},0x96";
        "vpaddd {w16},{w16},{y}";
    }
    out
}

/// Registers that shuffles exchange data between, with one more that is free.
struct Exchange<'o> {
    out: &'o mut Strand,
    r: Names,
    free: String,
}

impl Exchange<'_> {
    /// Registers i and j become `low` and `high` of both.
    fn exchange(&mut self, [low, high]: [&str; 2], i: usize, j: usize, [x, y]: [&str; 2]) {
        let (a, b, free) = (&self.r[i], &self.r[j], &self.free);
        code! { self.out; "{low} {free},{a},{b}{x}"; "{high} {b},{a},{b}{y}"; }
        std::mem::swap(&mut self.r[i], &mut self.free);
    }
}

/// 16×16 words in 16 registers and one more. Gives the code and the registers of words 0..16.
fn transpose(r: &[String], free: &str) -> (Strand, Names) {
    let mut out = Strand::new();
    let mut x = Exchange { out: &mut out, r: r.to_vec(), free: free.to_owned() };
    for i in (0..16).step_by(2) {
        x.exchange(["vpunpckldq", "vpunpckhdq"], i, i + 1, ["", ""]);
    }
    for i in [0, 1, 4, 5, 8, 9, 12, 13] {
        x.exchange(["vpunpcklqdq", "vpunpckhqdq"], i, i + 2, ["", ""]);
    }
    let mut words = vec![String::new(); 16];
    for (j, word) in [(0, 0), (2, 1), (1, 2), (3, 3)] {
        for (p, q) in [(j, j + 4), (j + 8, j + 12), (j, j + 8), (j + 4, j + 12)] {
            x.exchange(["vshufi32x4"; 2], p, q, [",0x88", ",0xdd"]);
        }
        for k in 0..4 {
            words[4 * k + word] = x.r[j + 4 * k].clone();
        }
    }
    (out, words)
}

// ---- States: words A..H a message in memory, zmm0–7 = a..h of all ----

/// The place of the transpositions of states.
const POOL: Pool = Pool { prefix: "zmm", numbers: 16..32 };

/// Registers with two states each, words w and w + 4 in their 128-bit lanes, become registers with word w of
/// all states.
fn load_states() -> Result<Strand, String> {
    let mut out = Strand::new();
    let words = [0, 4].map(|first| {
        let rows: [Register; 4] = fresh_many();
        for (i, row) in rows.iter().enumerate() {
            code! { out; "vmovdqu32 {row},[rdi+{}]", 64 * (first + i); }
        }
        transpose4(&mut out, rows)
    });
    for w in 0..4 {
        let [low, high] = [words[0][w], words[1][w]];
        code! { out; "vshufi32x4 zmm{w},{low},{high},0x88"; "vshufi32x4 zmm{},{low},{high},0xdd", w + 4; }
    }
    allocate(&out, &POOL)
}

/// The way back.
fn store_states() -> Result<Strand, String> {
    let mut out = Strand::new();
    for (half, lanes) in [(0, "0x44"), (1, "0xee")] {
        let words: [Register; 4] = fresh_many();
        for (w, word) in words.iter().enumerate() {
            code! { out; "vshufi32x4 {word},zmm{w},zmm{},{lanes}", w + 4; }
        }
        for (i, row) in transpose4(&mut out, words).into_iter().enumerate() {
            let [state] = fresh_many();
            code! { out;
                "vshufi32x4 {state},{row},{row},0xd8";
                "vmovdqu32 [rdi+{}],{state}", 64 * (4 * half + i);
            }
        }
    }
    allocate(&out, &POOL)
}

/// Transposes 4×4 words in each 128-bit lane.
fn transpose4(out: &mut Strand, r: [Register; 4]) -> [Register; 4] {
    let [low01, high01, low23, high23] = fresh_many();
    let words = fresh_many();
    code! { out;
        "vpunpckldq {low01},{},{}", r[0], r[1];
        "vpunpckhdq {high01},{},{}", r[0], r[1];
        "vpunpckldq {low23},{},{}", r[2], r[3];
        "vpunpckhdq {high23},{},{}", r[2], r[3];
        "vpunpcklqdq {},{low01},{low23}", words[0];
        "vpunpckhqdq {},{low01},{low23}", words[1];
        "vpunpcklqdq {},{high01},{high23}", words[2];
        "vpunpckhqdq {},{high01},{high23}", words[3];
    }
    words
}
