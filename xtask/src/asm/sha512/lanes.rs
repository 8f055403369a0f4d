//! `avx512-x8-asm`, `avx512-x4-asm`: a message a lane of zmm or ymm registers; everything stays in 32 of
//! them.
//!
//! 0–15 words, 16–23 state, 24–31 temporaries (4 for the rounds, 4 for the schedule). Rounds 8..72 are a loop
//! of 4 × 16, with word t + 8 alongside round t; words 8..16 are loaded alongside rounds 0..8, words 0..8 of
//! the next block alongside rounds 72..80. Zen 4: 1.13 cycles per byte of 8 messages (two 512-bit pipes allow
//! 1.04), 1.25 of 4.

use super::registers::{Cursor, Names, SWAP, registers, variables};
use crate::asm::merge::spread;
use crate::asm::strand::{Strand, code};

/// 8 messages.
pub(super) const ZMM: Lanes = Lanes { v: "zmm", n: 8 };
/// 4 messages.
pub(super) const YMM: Lanes = Lanes { v: "ymm", n: 4 };

/// A kernel of this family.
pub(super) struct Lanes {
    v: &'static str,
    n: usize,
}

impl Lanes {
    fn words(&self) -> Names {
        registers(self.v, 0..16)
    }
    fn state(&self) -> Names {
        registers(self.v, 16..24)
    }
    fn temporaries(&self) -> Names {
        registers(self.v, 24..32)
    }
    /// The address of each message's block.
    fn pointers(&self) -> Names {
        registers("r", 8..8 + self.n)
    }
    /// Frame: the chaining value, then the steps of the input.
    fn cursor(&self) -> Cursor {
        Cursor { row: "rsi", offset: "rbp", frame: 64 * self.n }
    }
    /// Bytes of its own stack.
    pub(super) const fn frame_bytes(&self) -> usize {
        64 * self.n + 64
    }

    /// rsi = row of pointers, rbp = offset, r8.. = blocks, rcx = constants.
    pub(super) fn kernel(&self) -> Strand {
        let (state, words, temporaries) = (self.state(), self.words(), self.temporaries());
        let rounds =
            |range: std::ops::Range<usize>| -> Strand { range.flat_map(|t| self.round(t)).collect() };
        let bytes = 8 * self.n;
        let mut out = self.cursor().enter();
        out.extend(self.next_pointers());
        out.extend(self.load_states());
        out.extend(self.load(0));
        code! { out; ".p2align 6"; "2:"; }
        for (i, s) in state.iter().enumerate() {
            code! { out; "vmovdqa64 [rsp+{}],{s}", bytes * i; }
        }
        out.extend(spread(&[&rounds(0..8), &self.load(1)]));
        code! { out; "mov eax,4"; ".p2align 6"; "3:"; }
        for t in 8..24 {
            out.extend(spread(&[&self.round(t), &next_word(&words, t - 8, &temporaries[4..])]));
        }
        code! { out; "add rcx,128"; "dec eax"; "jnz 3b"; "sub rcx,512"; }
        out.extend(self.cursor().step("rdx", ["rax", "rbx"]));
        out.extend(self.next_pointers());
        out.extend(spread(&[&rounds(72..80), &self.load(0)]));
        for (i, s) in state.iter().enumerate() {
            code! { out; "vpaddq {s},{s},[rsp+{}]", bytes * i; }
        }
        code! { out; "dec rdx"; "jnz 2b"; }
        out.extend(self.store_states());
        out
    }

    fn next_pointers(&self) -> Strand {
        self.pointers().iter().enumerate().flat_map(|(m, to)| self.cursor().pointer(to, m)).collect()
    }

    fn round(&self, t: usize) -> Strand {
        let (state, words, temporaries) = (self.state(), self.words(), self.temporaries());
        let [a, b, c, d, e, f, g, h] = variables(&state, t);
        let [x, y, z, u] = &temporaries[..4] else { unreachable!("four of them") };
        let mut out = Strand::new();
        code! { out;
            "vprorq {y},{e},14";
            "vprorq {z},{e},18";
            "vpaddq {h},{h},{}", words[t % 16];
            "vprorq {u},{e},41";
            "vmovdqa64 {x},{e}";
            "vpaddq {h},{h},qword ptr [rcx+{}]{{1to{}}}", 8 * t, self.n;
            "vpternlogq {x},{f},{g},0xca";
            "vpternlogq {y},{z},{u},0x96";
            "vpaddq {h},{h},{x}";
            "vprorq {z},{a},28";
            "vpaddq {h},{h},{y}";
            "vprorq {u},{a},34";
            "vmovdqa64 {x},{a}";
            "vpaddq {d},{d},{h}";
            "vprorq {y},{a},39";
            "vpternlogq {x},{b},{c},0xe8";
            "vpternlogq {y},{z},{u},0x96";
            "vpaddq {h},{h},{x}";
            "vpaddq {h},{h},{y}";
        }
        out
    }

    /// Words 8 · `half`.. of every message.
    fn load(&self, half: usize) -> Strand {
        let (words, temporaries) = (self.words(), self.temporaries());
        let mut out = Strand::new();
        for (i, rows) in words[8 * half..][..8].chunks(self.n).enumerate() {
            for (pointer, r) in self.pointers().iter().zip(rows) {
                code! { out;
                    "vmovdqu64 {r},[{pointer}+{}]", 64 * half + 32 * i;
                    "vpshufb {r},{r},[rcx+{SWAP}]";
                }
            }
            out.extend(transpose(rows, &temporaries[4..]));
        }
        out
    }

    fn load_states(&self) -> Strand {
        let (state, temporaries) = (self.state(), self.temporaries());
        let mut out = Strand::new();
        for (i, rows) in state.chunks(self.n).enumerate() {
            for (m, r) in rows.iter().enumerate() {
                code! { out; "vmovdqu64 {r},[rdi+{}]", 64 * m + 32 * i; }
            }
            out.extend(transpose(rows, &temporaries[4..]));
        }
        out
    }

    fn store_states(&self) -> Strand {
        let (state, temporaries) = (self.state(), self.temporaries());
        let mut out = Strand::new();
        for (i, rows) in state.chunks(self.n).enumerate() {
            out.extend(transpose(rows, &temporaries[4..]));
            for (m, r) in rows.iter().enumerate() {
                code! { out; "vmovdqu64 [rdi+{}],{r}", 64 * m + 32 * i; }
            }
        }
        out
    }
}

/// W\[i+16\] in the place of W\[i\].
fn next_word(words: &[String], i: usize, temporaries: &[String]) -> Strand {
    let [x, y, z, u] = temporaries else { unreachable!("four of them") };
    let [w0, w1, w9, w14] = [0, 1, 9, 14].map(|k| &words[(i + k) % 16]);
    let mut out = Strand::new();
    code! { out;
        "vprorq {x},{w1},1";
        "vprorq {y},{w1},8";
        "vpsrlq {z},{w1},7";
        "vpaddq {w0},{w0},{w9}";
        "vpternlogq {x},{y},{z},0x96";
        "vprorq {y},{w14},19";
        "vprorq {z},{w14},61";
        "vpsrlq {u},{w14},6";
        "vpaddq {w0},{w0},{x}";
        "vpternlogq {y},{z},{u},0x96";
        "vpaddq {w0},{w0},{y}";
    }
    out
}

/// Transposes 4×4 or 8×8 words in place; its own inverse.
pub(super) fn transpose(rows: &[String], temporaries: &[String]) -> Strand {
    if rows.len() == 4 { transpose4(rows, temporaries) } else { transpose8(rows, temporaries) }
}

fn transpose4(rows: &[String], temporaries: &[String]) -> Strand {
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

fn transpose8(w: &[String], temporaries: &[String]) -> Strand {
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
