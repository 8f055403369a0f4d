//! `packed-avx512`: one message, e and a packed (`packed.rs`), its schedule in general registers.
//!
//! The vector units have all to do with the rounds, whose chain binds: 5 cycles per round, 3.125 a byte. The
//! schedule of the same block is spread alongside rounds 1–63, the next block's first words alongside 64–78.
//!
//! Frame: 0 K + W of words 0..16, 128 K + W of the last 16 words, 512 chaining value, 1024 the last 16 words,
//! then what does not stay in registers. Code and frame lie for the caches as they were measured; every block
//! fully unrolled four times over would take 46 KB of code, and 5.6 instead of 3.6 cycles per byte (Zen 4).

use super::packed::Packed;
use super::registers::Cursor;
use crate::asm::merge::{by_time, evenly};
use crate::asm::strand::{Strand, code};

/// Bytes of its own stack.
pub(super) const FRAME: usize = 2048;
const LATER: usize = 128;
const WORDS: usize = 1024;
const STATE: usize = 1152;
const CURSOR: usize = 1160;

const PACKED: Packed =
    Packed { v: "xmm", halves: [1, 2], shuffle: 1, shuffle_start: 3, saved: 512, bytes: 16 };

/// rdi = row of pointers, rbp = offset, rsi = the block, rcx = constants, r14 = 7, r15 = 6.
pub(super) fn kernel() -> Strand {
    let cursor = Cursor { row: "rdi", offset: "rbp", frame: CURSOR };
    let schedule: Strand = (16..80).flat_map(word).collect();
    let mut out = PACKED.enter();
    code! { out; "mov [rsp+{STATE}],rdi"; }
    out.extend(load_state());
    out.extend(cursor.enter());
    out.extend(cursor.pointer("rsi", 0));
    code! { out; "mov r14d,7"; "mov r15d,6"; }
    out.extend(first_words());
    code! { out; ".p2align 6"; "2:"; }
    out.extend(PACKED.save());
    out.extend(cursor.step("rdx", ["rax", "rbx"]));
    out.extend(cursor.pointer("rsi", 0));
    out.extend(by_time(&[
        PACKED.rounds(kw),
        [evenly(&schedule, (1.0, 63.0)), evenly(&first_words(), (64.0, 78.0))].concat(),
    ]));
    out.extend(PACKED.finish());
    code! { out; "dec rdx"; "jnz 2b"; "mov rdi,[rsp+{STATE}]"; }
    out.extend(store_state());
    out
}

/// K\[t\] + W\[t\] in both halves, of which a mask keeps the low one.
fn kw(t: usize) -> String {
    let at = if t < 16 { 8 * t } else { LATER + 8 * (t % 16) };
    format!("qword ptr [rsp+{at}]{{1to2}}")
}

/// Words 0..16 of the block at rsi, and K + W.
fn first_words() -> Strand {
    let mut out = Strand::new();
    for t in 0..16 {
        let r = ["rax", "rbx", "r8", "r9"][t % 4];
        code! { out;
            "movbe {r},[rsi+{}]", 8 * t;
            "mov [rsp+{}],{r}", WORDS + 8 * t;
            "add {r},[rcx+{}]", 8 * t;
            "mov [rsp+{}],{r}", 8 * t;
        }
    }
    out
}

/// W\[t\] in the place of W\[t-16\], and K + W.
fn word(t: usize) -> Strand {
    let [a, b, c, d, e, f] =
        [["rax", "rbx", "r8", "r9", "r10", "r11"], ["r12", "r13", "rax", "rbx", "r8", "r9"]][t % 2];
    let [w16, w15, w7, w2] = [16, 15, 7, 2].map(|back| format!("[rsp+{}]", WORDS + 8 * ((t - back) % 16)));
    let mut out = Strand::new();
    code! { out;
        "rorx {a},{w15},1";
        "rorx {b},{w15},8";
        "shrx {c},{w15},r14";
        "rorx {d},{w2},19";
        "rorx {e},{w2},61";
        "shrx {f},{w2},r15";
        "xor {a},{b}";
        "xor {d},{e}";
        "xor {a},{c}";
        "xor {d},{f}";
        "add {a},{w16}";
        "add {a},{w7}";
        "add {a},{d}";
        "mov {w16},{a}";
        "add {a},[rcx+{}]", 8 * t;
        "mov [rsp+{}],{a}", LATER + 8 * (t % 16);
    }
    out
}

/// A..H at rdi: S\[0\] = (e, c), S\[-1\] = (f, d), S\[-2\] = (g, -), S\[-3\] = (h, -).
fn load_state() -> Strand {
    let [s, s1, s2, s3] = [0, -1, -2, -3].map(|t| PACKED.s(t));
    let mut out = Strand::new();
    code! { out;
        "vmovq {s},[rdi+32]";
        "vpinsrq {s},{s},[rdi+16],1";
        "vmovq {s1},[rdi+40]";
        "vpinsrq {s1},{s1},[rdi+24],1";
        "vmovq {s2},[rdi+48]";
        "vmovq {s3},[rdi+56]";
        "vpbroadcastq {},[rdi+8]", PACKED.b();
        "vpbroadcastq {},[rdi]", PACKED.a();
    }
    out
}

fn store_state() -> Strand {
    let [s, s1, s2, s3] = [0, -1, -2, -3].map(|t| PACKED.s(t));
    let mut out = Strand::new();
    code! { out;
        "vmovq [rdi+32],{s}";
        "vpextrq [rdi+16],{s},1";
        "vmovq [rdi+40],{s1}";
        "vpextrq [rdi+24],{s1},1";
        "vmovq [rdi+48],{s2}";
        "vmovq [rdi+56],{s3}";
        "vpextrq [rdi+8],{},1", PACKED.b();
        "vpextrq [rdi],{},1", PACKED.a();
    }
    out
}
