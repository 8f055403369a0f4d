//! `halved-avx512`: one message, e in general registers, a in vectors, the schedule in vectors, two words at
//! once.
//!
//! Each side takes the other's value once a round: the vectors e\[t+1\] by vmovq, the general registers
//! a\[t-3\] (their d) from memory, three rounds after it was made. So neither crossing is on the critical
//! chain, that of a: 5 cycles per round. Zen 4: 3.67 cycles per byte (the chain allows 3.125); depends less
//! on where the code lies than packed-avx512.
//!
//! Frame: 0 the last 8 of a, 64 K + W, then the steps of the input.

use super::registers::{Cursor, Names, SWAP, registers};
use crate::asm::strand::{Strand, code};

/// Bytes of its own stack.
pub(super) const FRAME: usize = 2048;
const KW: usize = 64;
const CURSOR: usize = KW + 640;

/// e\[t\].
fn e(t: i32) -> &'static str {
    ["rax", "rbx", "rcx", "rdx"][t.rem_euclid(4) as usize]
}

/// a\[t\].
fn a(t: i32) -> String {
    format!("xmm{}", t.rem_euclid(5))
}

/// a\[t\] in memory.
fn ring(t: i32) -> String {
    format!("[rsp+{}]", 8 * t.rem_euclid(8))
}

/// The last 16 words, two a register.
fn words() -> Names {
    registers("xmm", 16..24)
}

fn temporaries() -> Names {
    registers("xmm", 24..30)
}

/// rdi = state, rbp = row of pointers, r13 = offset, rsi = the block, r14 = blocks left, r15 = constants.
pub(super) fn kernel() -> Strand {
    let cursor = Cursor { row: "rbp", offset: "r13", frame: CURSOR };
    let mut out = Strand::new();
    code! { out; "mov r15,rcx"; "mov r14,rdx"; }
    out.extend(cursor.enter());
    out.extend(cursor.pointer("rsi", 0));
    for i in 0..4 {
        code! { out; "mov {},[rdi+{}]", e(-i), 32 + 8 * i; }
    }
    for i in 0..4 {
        code! { out; "vmovq {},[rdi+{}]", a(-i), 8 * i; "vmovq {},{}", ring(-i), a(-i); }
    }
    code! { out; "vmovdqa64 xmm31,[r15+{SWAP}]"; }
    out.extend((0..8).flat_map(first_words));
    code! { out; ".p2align 6"; "2:"; }
    out.extend(cursor.step("r14", ["r8", "r9"]));
    out.extend(cursor.pointer("rsi", 0));
    for t in 0..80 {
        out.extend(round_of_e(t));
        out.extend(round_of_a(t));
        out.extend(after_round(t as usize));
    }
    out.extend(add_state());
    code! { out; "dec r14"; "jnz 2b"; }
    out
}

/// e\[t+1\] = d + h + K + W + ch + Sigma1, in the place of h = e\[t-3\].
fn round_of_e(t: i32) -> Strand {
    let (e, f, g, h) = (e(t), e(t - 1), e(t - 2), e(t - 3));
    let mut out = Strand::new();
    code! { out;
        "add {h},[rsp+{}]", KW as i32 + 8 * t;
        "rorx r8,{e},14";
        "rorx r9,{e},18";
        "rorx r10,{e},41";
        "xor r8,r9";
        "andn r11,{e},{g}";
        "mov r12,{f}";
        "and r12,{e}";
        "add {h},{}", ring(t - 3);
        "xor r8,r10";
        "add {h},r11";
        "add {h},r12";
        "add {h},r8";
    }
    out
}

/// a\[t+1\] = e\[t+1\] - d + maj + Sigma0.
fn round_of_a(t: i32) -> Strand {
    let (m, y) = (format!("xmm{}", 8 + t % 2), format!("xmm{}", 10 + t % 2));
    let [next, a, b, c, d] = [1, 0, -1, -2, -3].map(|i| a(t + i));
    let mut out = Strand::new();
    code! { out;
        "vmovdqa64 {m},{a}";
        "vpternlogq {m},{b},{c},0xe8";
        "vprorq xmm5,{a},28";
        "vprorq xmm6,{a},34";
        "vprorq xmm7,{a},39";
        "vpsubq {m},{m},{d}";
        "vmovq {y},{}", e(t + 1);
        "vpternlogq xmm5,xmm6,xmm7,0x96";
        "vpaddq {m},{m},{y}";
        "vpaddq {next},{m},xmm5";
        "vmovq {},{next}", ring(t + 1);
    }
    out
}

/// The instructions after round t: half of two words of the schedule, then half of two words of the next
/// block.
fn after_round(t: usize) -> Strand {
    if t < 64 {
        let two = two_words(t / 2);
        if t.is_multiple_of(2) { two[..8].to_vec() } else { two[8..].to_vec() }
    } else {
        let two = first_words((t - 64) / 2);
        if t.is_multiple_of(2) { two[..2].to_vec() } else { two[2..].to_vec() }
    }
}

/// Words 2i and 2i + 1 of the block at rsi.
fn first_words(i: usize) -> Strand {
    let (x, r) = (&words()[i], &temporaries()[i % 4]);
    let mut out = Strand::new();
    code! { out;
        "vmovdqu64 {r},[rsi+{}]", 16 * i;
        "vpshufb {x},{r},xmm31";
        "vpaddq {r},{x},[r15+{}]", 16 * i;
        "vmovdqa64 [rsp+{}],{r}", KW + 16 * i;
    }
    out
}

/// Words 16 + 2j and 17 + 2j in the place of 2j and 2j + 1.
fn two_words(j: usize) -> Strand {
    let (words, temporaries) = (words(), temporaries());
    let [r, s, t, u, v, w] = temporaries.as_slice() else { unreachable!("six of them") };
    let [x0, x1, x4, x5, x7] = [0, 1, 4, 5, 7].map(|i| &words[(j + i) % 8]);
    let mut out = Strand::new();
    code! { out;
        "vshufpd {r},{x0},{x1},1";
        "vprorq {t},{x7},19";
        "vprorq {u},{x7},61";
        "vpsrlq {s},{x7},6";
        "vpternlogq {s},{t},{u},0x96";
        "vprorq {v},{r},1";
        "vprorq {w},{r},8";
        "vpsrlq {r},{r},7";
        "vpaddq {x0},{x0},{s}";
        "vpternlogq {r},{v},{w},0x96";
        "vshufpd {s},{x4},{x5},1";
        "vpaddq {x0},{x0},{s}";
        "vpaddq {x0},{x0},{r}";
        "vpaddq {r},{x0},[r15+{}]", 8 * (16 + 2 * j);
        "vmovdqa64 [rsp+{}],{r}", KW + 128 + 16 * j;
    }
    out
}

/// Adds the chaining value and stores the next one.
fn add_state() -> Strand {
    let mut out = Strand::new();
    for i in 0..4 {
        let (a, before) = (a(-i), format!("xmm{}", 12 + i % 2));
        code! { out;
            "vmovq {before},[rdi+{}]", 8 * i;
            "vpaddq {a},{a},{before}";
            "vmovq {},{a}", ring(-i);
            "vmovq [rdi+{}],{a}", 8 * i;
        }
    }
    for i in 0..4 {
        let e = e(-i);
        code! { out; "add {e},[rdi+{}]", 32 + 8 * i; "mov [rdi+{}],{e}", 32 + 8 * i; }
    }
    out
}
