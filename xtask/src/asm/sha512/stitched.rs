//! `stitched-avx2`: one message, rounds in general registers, schedules in vectors alongside them. For CPUs
//! without AVX-512.
//!
//! ```text
//! blocks of a short message, or an odd one:   80 rounds, and alongside the first 64 the block's own schedule in xmm
//!                                             registers, two words at once, then the next block's first words
//! pairs of blocks, two blocks ahead:          schedule the first pair
//!     load the next pair (at the end, the same one again)
//!     for the blocks of the pair:             80 rounds, and alongside them half of the next pair's schedule, a block
//!                                             in each half of ymm registers
//! ```
//!
//! Rotations are two shifts and an xor here, so two blocks a vector halve what 800 vector instructions a
//! block would cost. But the first pair's schedule stands alone, and the last one's is for nothing: pairs pay
//! from [`MANY`] blocks on.
//!
//! Both are loops of as few rounds as can be: 16 alone, 40 of a pair, after which words are in the same
//! registers again. With all 80 rounds written out, a turn was 2,300 instructions and the kernel 6,200; on
//! Zen 3 a block took 618 cycles, as if each turn were decoded again, and takes 502 in loops. A message of
//! one block takes 576 instead of 711.
//!
//! Frame: two sections, used in turns, of K + W of two blocks (32 bytes a pair of words: two words of the
//! first block, two of the second) and of a copy of K after it, so that one register finds both; then what
//! does not stay in registers. A block alone has its K + W in the first section. Zen 3: 3.92 cycles per byte
//! of long messages (22 operations a round on four ALUs allow 3.44).

use std::ops::Range;

use super::registers::{Names, PAIRS, SWAP, registers, variables};
use crate::asm::merge::{spread, spread_late};
use crate::asm::strand::{Strand, code};

/// Bytes of K + W of two blocks, and of the copy of K.
const KW: usize = 40 * 32;
const SECTION: usize = 2 * KW;
/// Bytes of its own stack.
pub(super) const FRAME: usize = 2 * SECTION + 64;

/// The number of blocks from which pairs are used: n blocks take 70 + 505 n cycles one by one, 430 + 496 n in
/// pairs (Zen 3); 76 + 640 n and 421 + 592 n, written out (Redwood Cove).
const MANY: usize = 12;

/// Rounds of a pair's loop; alongside five of them goes a step of the schedule, two words of both blocks.
const PART: usize = 40;

/// Values that do not fit in registers: 0 state, 1 row of pointers, 2 offset, 3 blocks left, 4 blocks left
/// that are processed singly, then blocks left of a pair, 5 and 6 the steps of the input, 7 whether a block
/// of a pair has had its first rounds.
fn slot(i: usize) -> String {
    format!("[rsp+{}]", 2 * SECTION + 8 * i)
}

/// r12–r14 are free between blocks, and rsi and rbp, which hold b ^ c and a ^ b in turns.
const STATE: [&str; 8] = ["rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11"];

/// `xmm` of a block, `ymm` of two: 0–7 the last 16 words, two of each block a register, 8–11 temporaries.
fn words(v: &str) -> Names {
    registers(v, 0..8)
}
fn temporaries(v: &str) -> Names {
    registers(v, 8..12)
}
/// Register 12 the mask that swaps the bytes of words.
fn mask(v: &str) -> String {
    format!("{v}12")
}

pub(super) fn kernel() -> Strand {
    let mut out = enter();
    code! { out; "jz 6f"; }
    out.extend(alone());
    code! { out; "cmp qword ptr {},0", slot(3); "je 8f"; "6:"; }
    out.extend(in_pairs());
    code! { out; "8:"; }
    out
}

/// Leaves rdi = constants and, as a flag, whether no block is processed singly.
fn enter() -> Strand {
    let mut out = Strand::new();
    code! { out;
        "mov {},rdi", slot(0);
        "mov {},rdx", slot(3);
        "mov rax,[rsi+8]";
        "mov {},rax", slot(5);
        "mov rax,[rsi+16]";
        "mov {},rax", slot(6);
        "mov r15,[rsi]";
        "mov {},r15", slot(1);
        "mov qword ptr {},0", slot(2);
        "mov r15,[r15]";
        "vmovdqa {},[rcx+{SWAP}]", mask("ymm");
        "mov r14,rdx";
        "and r14,1";
        "cmp rdx,{MANY}";
        "cmovb r14,rdx";
        "mov {},r14", slot(4);
        "mov r12,rdi";
        "mov rdi,rcx";
    }
    for (i, r) in STATE.iter().enumerate() {
        code! { out; "mov {r},[r12+{}]", 8 * i; }
    }
    code! { out; "test r14,r14"; }
    out
}

/// Adds the chaining value and stores the next one.
fn add_state() -> Strand {
    let mut out = Strand::new();
    code! { out; "mov r12,{}", slot(0); }
    for (i, r) in STATE.iter().enumerate() {
        code! { out; "add {r},[r12+{}]", 8 * i; }
    }
    for (i, r) in STATE.iter().enumerate() {
        code! { out; "mov [r12+{}],{r}", 8 * i; }
    }
    out
}

/// Jumps to another block, if more than the given number are left. Leaves r12 = row, r13 = offset.
fn step(n_blocks: usize) -> Strand {
    let mut out = Strand::new();
    code! { out;
        "xor r12,r12";
        "xor r13,r13";
        "cmp qword ptr {},{n_blocks}", slot(3);
        "cmova r12,{}", slot(5);
        "cmova r13,{}", slot(6);
    }
    if n_blocks == 2 {
        code! { out; "add r12,r12"; "add r13,r13"; }
    }
    code! { out;
        "add r12,{}", slot(1);
        "mov {},r12", slot(1);
        "add r13,{}", slot(2);
        "mov {},r13", slot(2);
    }
    out
}

// ---- Single blocks ----

/// rdi = constants, r15 = the block.
fn alone() -> Strand {
    let load: Strand = (0..8).flat_map(alone_first_words).collect();
    let rounds = |range: Range<usize>, kw: &str| -> Strand {
        range.flat_map(|t| round(t, &format!("[{kw}+{}]", 8 * t))).collect()
    };
    let schedule: Strand = (0..8).flat_map(alone_two_words).collect();
    let mut out = load.clone();
    code! { out;
        ".p2align 6";
        "5:";
        "mov rsi,rbx";
        "xor rsi,rcx";
        "mov r15,rsp";
        ".p2align 6";
        "12:";
    }
    out.extend(spread(&[&rounds(0..16, "r15"), &schedule]));
    code! { out;
        "sub rdi,-128";
        "sub r15,-128";
        "lea r12,[rsp+512]";
        "cmp r15,r12";
        "jne 12b";
        "sub rdi,512";
    }
    out.extend(step(1));
    code! { out; "add r13,[r12]"; "mov r15,r13"; }
    out.extend(spread(&[&rounds(64..80, "rsp"), &load]));
    out.extend(add_state());
    code! { out; "dec qword ptr {}", slot(3); "dec qword ptr {}", slot(4); "jnz 5b"; }
    out
}

/// Words 2i and 2i + 1.
fn alone_first_words(i: usize) -> Strand {
    let (x, kw) = (&words("xmm")[i], &temporaries("xmm")[i % 4]);
    let mut out = Strand::new();
    code! { out;
        "vmovdqu {x},[r15+{}]", 16 * i;
        "vpshufb {x},{x},{}", mask("xmm");
        "vpaddq {kw},{x},[rdi+{}]", 16 * i;
        "vmovdqa [rsp+{}],{kw}", 16 * i;
    }
    out
}

/// rdi = K of the first round of sixteen, r15 = their K + W.
fn alone_two_words(j: usize) -> Strand {
    let i = 8 + j;
    two_words("xmm", j, &format!("[rdi+{}]", 16 * i), &format!("[r15+{}]", 16 * i))
}

// ---- Pairs ----

/// rdi = constants; then rdi = K + W of the rounds, r15 = K + W that the schedule makes.
fn in_pairs() -> Strand {
    let rounds: Strand = (0..PART).flat_map(pair_round).collect();
    let schedule: Strand = (0..PART / 5).flat_map(|j| pair_two_words(j, 32 * j)).collect();
    let mut out = Strand::new();
    code! { out;
        "mov r12d,{}", KW - 32;
        "4:";
        "vmovdqa ymm0,[rdi+r12+{PAIRS}]";
        "vmovdqa [rsp+r12+{KW}],ymm0";
        "vmovdqa [rsp+r12+{}],ymm0", SECTION + KW;
        "sub r12d,32";
        "jns 4b";
        "mov r15,rsp";
        "mov r12,{}", slot(1);
        "mov r13,{}", slot(2);
    }
    out.extend(load_pair());
    code! { out; "mov r12d,4"; ".p2align 6"; "13:"; }
    out.extend((0..8).flat_map(|j| pair_two_words(j, 32 * (8 + j))));
    code! { out;
        "add r15,256";
        "dec r12d";
        "jnz 13b";
        "mov rdi,rsp";
        "lea r15,[rsp+{SECTION}]";
        ".p2align 6";
        "2:";
    }
    out.extend(step(2));
    out.extend(load_pair());
    code! { out;
        "add r15,{}", 8 * 32;
        "mov dword ptr {},2", slot(4);
        "mov dword ptr {},0", slot(7);
        ".p2align 6";
        "3:";
        "mov rsi,rbx";
        "xor rsi,rcx";
        ".p2align 6";
        "7:";
    }
    out.extend(spread_late(&[(&rounds, 0.0), (&schedule, 0.5 / rounds.len() as f64)]));
    code! { out;
        "add rdi,{}", 16 * PART;
        "add r15,{}", 32 * PART / 5;
        "xor dword ptr {},1", slot(7);
        "jnz 7b";
    }
    out.extend(add_state());
    code! { out;
        "sub rdi,{}", 80 * 16 - 16;
        "dec dword ptr {}", slot(4);
        "jnz 3b";
        "sub r15,{KW}";
        "sub rdi,32";
        "xchg rdi,r15";
        "sub qword ptr {},2", slot(3);
        "jnz 2b";
    }
    out
}

fn pair_round(t: usize) -> Strand {
    round(t, &format!("[rdi+{}]", 32 * (t / 2) + 8 * (t % 2)))
}

/// Words 0..16 of the blocks at row r12, offset r13, and at the next row, the next offset.
fn load_pair() -> Strand {
    let mut out = Strand::new();
    code! { out;
        "mov rsi,{}", slot(5);
        "mov rbp,{}", slot(6);
        "add rbp,r13";
        "add rbp,[r12+rsi]";
        "add r13,[r12]";
    }
    for (i, r) in words("ymm").iter().enumerate() {
        let kw = &temporaries("ymm")[i % 4];
        code! { out;
            "vmovdqu {},[r13+{}]", words("xmm")[i], 16 * i;
            "vinserti128 {r},{r},[rbp+{}],1", 16 * i;
            "vpshufb {r},{r},{}", mask("ymm");
            "vpaddq {kw},{r},[r15+{}]", KW + 32 * i;
            "vmovdqa [r15+{}],{kw}", 32 * i;
        }
    }
    out
}

/// K + W goes to r15 + `at`.
fn pair_two_words(j: usize, at: usize) -> Strand {
    two_words("ymm", j, &format!("[r15+{}]", KW + at), &format!("[r15+{at}]"))
}

// ---- Of both ----

/// Round t, given K\[t\] + W\[t\].
fn round(t: usize, kw: &str) -> Strand {
    let [a, b, _, d, e, f, g, h] = variables(&STATE, t);
    let [ab, bc] = if t.is_multiple_of(2) { ["rbp", "rsi"] } else { ["rsi", "rbp"] };
    let mut out = Strand::new();
    code! { out;
        "add {h},{kw}";
        "rorx r12,{e},14";
        "rorx r13,{e},18";
        "andn r14,{e},{g}";
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

/// Words 16 + 2j and 17 + 2j in the place of 2j and 2j + 1, and with `k` added where `kw` is.
fn two_words(v: &str, j: usize, k: &str, kw: &str) -> Strand {
    let (words, temporaries) = (words(v), temporaries(v));
    let [r, s, t, u] = temporaries.as_slice() else { unreachable!("four of them") };
    let [x0, x1, x4, x5, x7] = [0, 1, 4, 5, 7].map(|i| &words[(j + i) % 8]);
    let mut out = Strand::new();
    code! { out;
        "vpalignr {r},{x1},{x0},8";
        "vpsrlq {s},{x7},19";
        "vpsllq {t},{x7},45";
        "vpsrlq {u},{x7},61";
        "vpxor {s},{s},{t}";
        "vpsllq {t},{x7},3";
        "vpxor {s},{s},{u}";
        "vpsrlq {u},{x7},6";
        "vpxor {s},{s},{t}";
        "vpxor {s},{s},{u}";
        "vpaddq {x0},{x0},{s}";
        "vpsrlq {s},{r},1";
        "vpsllq {t},{r},63";
        "vpsrlq {u},{r},8";
        "vpxor {s},{s},{t}";
        "vpsllq {t},{r},56";
        "vpxor {s},{s},{u}";
        "vpsrlq {r},{r},7";
        "vpxor {s},{s},{t}";
        "vpxor {s},{s},{r}";
        "vpalignr {r},{x5},{x4},8";
        "vpaddq {x0},{x0},{s}";
        "vpaddq {x0},{x0},{r}";
        "vpaddq {r},{x0},{k}";
        "vmovdqa {kw},{r}";
    }
    out
}
