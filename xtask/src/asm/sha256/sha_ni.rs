//! SHA-NI only: one message, and 6 interleaved, for CPUs without AVX-512.
//!
//! Six messages with two state registers each leave xmm13–15 and xmm0 (the implicit operand of
//! `sha256rnds2`), so the message words stay in memory. `sha256msg2` binds: on Zen 4 it is microcoded, and
//! there are 12 of them per block (56.7 cycles per block; without msg2 43.1, without `sha256rnds2` still
//! 54.9).

use super::arguments::{self, SWAP};
use super::split::{Chain, chain};
use super::turns::{FIRST, LAST};
use crate::asm::emit::{Kernel, argument};
use crate::asm::one_stream::{self, BLOCK, CONSTANTS, STATE, Stream};
use crate::asm::strand::{Strand, code};

const MESSAGES: usize = 6;
const POINTERS: [&str; MESSAGES] = ["r8", "r9", "r10", "r11", "r12", "r13"];
/// The offset of the states before the block, after 64 bytes of words for each message.
const SAVED: usize = 64 * MESSAGES;
/// Bytes of scratch memory.
pub(super) const SCRATCH: usize = SAVED + 32 * MESSAGES;

/// 6 messages by pointers. r14 = bytes to the next row of pointers, r15 = to the next block at a pointer.
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

/// `sha-ni`: one message. The schedule runs four rounds ahead of the rounds, its steps between theirs, as
/// `crates/sha/src/sha256/sha_ni.rs` has it for several messages.
pub(super) fn one_message() -> Kernel {
    // Words F E B A and H G D C, from and to a..h: `vshufps` in `turns.rs` says how.
    let (abef, cdgh, x) = ("xmm1", "xmm2", "xmm7");
    let words = |t: usize| format!("xmm{}", 3 + t % 4);
    let saved = ["xmm8", "xmm9"];
    let swap = "xmm10";
    let (mut load, mut store) = (Strand::new(), Strand::new());
    code! { load;
        "movdqu {x},[{STATE}]";
        "movdqu {cdgh},[{STATE}+16]";
        "movdqa {abef},{cdgh}";
        "shufps {abef},{x},{FIRST}";
        "shufps {cdgh},{x},{LAST}";
        "movdqa {swap},[{CONSTANTS}+{SWAP}]";
    }
    code! { store;
        "movdqa {x},{abef}";
        "shufps {x},{cdgh},{LAST}";
        "shufps {abef},{cdgh},{FIRST}";
        "movdqu [{STATE}],{x}";
        "movdqu [{STATE}+16],{abef}";
    }
    let mut block = Strand::new();
    for t in 0..4 {
        code! { block; "movdqu {},[{BLOCK}+{}]", words(t), 16 * t; "pshufb {},{swap}", words(t); }
    }
    code! { block; "movdqa {},{abef}", saved[0]; "movdqa {},{cdgh}", saved[1]; }
    for t in 0..16 {
        code! { block;
            "movdqa xmm0,{}", words(t);
            "paddd xmm0,[{CONSTANTS}+{}]", 16 * t;
            "sha256rnds2 {cdgh},{abef}";
        }
        if (3..15).contains(&t) {
            let [w0, w2, w3] = [1, 3, 4].map(|i| words(t + i));
            code! { block; "movdqa {x},{w3}"; "palignr {x},{w2},4"; "paddd {w0},{x}"; "sha256msg2 {w0},{w3}"; }
        }
        code! { block; "pshufd xmm0,xmm0,0x0e"; "sha256rnds2 {abef},{cdgh}"; }
        if (1..13).contains(&t) {
            code! { block; "sha256msg1 {},{}", words(t + 3), words(t + 4); }
        }
    }
    code! { block; "paddd {abef},{}", saved[0]; "paddd {cdgh},{}", saved[1]; }
    let constants = vec![argument("rcx", arguments::CONSTANTS)];
    one_stream::kernel("SHA-256", "a to h", constants, Stream { load, block, store })
}
