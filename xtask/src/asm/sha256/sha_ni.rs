//! SHA-NI alone, 6 messages interleaved: what a CPU without AVX-512 gets.
//!
//! Six messages with two state registers each leave xmm13–15 and xmm0 (the implicit operand of
//! `sha256rnds2`), so the message words stay in memory. `sha256msg2` binds: on Zen 4 it is microcoded, and
//! there are 12 of them per block (56.7 cycles a block; without msg2 43.1, without `sha256rnds2` still 54.9).

use super::arguments::SWAP;
use super::split::{Chain, chain};
use crate::asm::strand::{Strand, code};

const MESSAGES: usize = 6;
const POINTERS: [&str; MESSAGES] = ["r8", "r9", "r10", "r11", "r12", "r13"];
/// Where the states before the block stand, behind 64 bytes of words a message.
const SAVED: usize = 64 * MESSAGES;
/// Bytes of scratch memory.
pub(super) const SCRATCH: usize = SAVED + 32 * MESSAGES;

/// 6 messages by pointers. r14 = bytes to the next row of pointers, r15 = to the next block behind a pointer.
pub(super) fn kernel() -> Strand {
    let chains: Vec<Chain> = (0..MESSAGES).map(chain).collect();
    let mut out = Strand::new();
    code! { out;
        "mov rax,r8";
        "mov r14,[rsi+8]";
        "mov r15,[rsi+16]";
        "mov rsi,[rsi]";
        "xor ebx,ebx";
    }
    for (m, Chain { abef, cdgh }) in chains.iter().enumerate() {
        code! { out; "vmovdqu {abef},[rdi+{}]", 32 * m; "vmovdqu {cdgh},[rdi+{}]", 32 * m + 16; }
    }
    code! { out; ".p2align 5"; "2:"; }
    for (m, pointer) in POINTERS.iter().enumerate() {
        code! { out; "mov {pointer},[rsi+{}]", 8 * m; }
    }
    for (m, Chain { abef, cdgh }) in chains.iter().enumerate() {
        code! { out;
            "vmovdqa [rcx+{}],{abef}", SAVED + 32 * m;
            "vmovdqa [rcx+{}],{cdgh}", SAVED + 32 * m + 16;
        }
    }
    for four in 0..16 {
        for (m, chain) in chains.iter().enumerate() {
            out.extend(four_rounds(m, four, chain));
        }
    }
    for (m, Chain { abef, cdgh }) in chains.iter().enumerate() {
        code! { out; "paddd {abef},[rcx+{}]", SAVED + 32 * m; "paddd {cdgh},[rcx+{}]", SAVED + 32 * m + 16; }
    }
    code! { out; "add rsi,r14"; "add rbx,r15"; "dec rdx"; "jnz 2b"; }
    for (m, Chain { abef, cdgh }) in chains.iter().enumerate() {
        code! { out; "vmovdqu [rdi+{}],{abef}", 32 * m; "vmovdqu [rdi+{}],{cdgh}", 32 * m + 16; }
    }
    out
}

/// Rounds 4i..4i + 4 of message `m`.
fn four_rounds(m: usize, i: usize, Chain { abef, cdgh }: &Chain) -> Strand {
    let [x, y, z] = ["xmm13", "xmm14", "xmm15"];
    let words = |i: usize| format!("[rcx+{}]", 64 * m + 16 * (i % 4));
    let mut out = Strand::new();
    if i < 4 {
        code! { out;
            "vmovdqu {x},[{}+rbx+{}]", POINTERS[m], 16 * i;
            "vpshufb {x},{x},[rax+{SWAP}]";
            "vmovdqa {},{x}", words(i);
        }
    } else {
        code! { out;
            "vmovdqa {x},{}", words(i);
            "sha256msg1 {x},{}", words(i + 1);
            "vmovdqa {y},{}", words(i + 3);
            "vpalignr {z},{y},{},4", words(i + 2);
            "paddd {x},{z}";
            "sha256msg2 {x},{y}";
        }
        if i < 15 {
            code! { out; "vmovdqa {},{x}", words(i); }
        }
    }
    code! { out;
        "vpaddd xmm0,{x},[rax+{}]", 16 * i;
        "sha256rnds2 {cdgh},{abef}";
        "vpshufd xmm0,xmm0,0x0e";
        "sha256rnds2 {abef},{cdgh}";
    }
    out
}
